// Links: a whole game in the address, there and back; bad ones explained.

import assert from 'node:assert/strict';

import { byMouse, live, playout } from './hands.mjs';
import { forget, hears, open, plies, says, shows, until, walk } from './harness.mjs';

walk('a copied link opens the same game elsewhere', async (visitors) => {
  const page = await visitors.add();
  const other = await visitors.add();
  for (const [at, game] of ['pathwayz(rows=4,cols=5)', 'pylos', 'twixt(size=6)', 'pentago-twist', 'pentago'].entries()) {
    const played = await playout(game, at + 31, 9);
    await open(page, `#g=${game}&m=${played.join(',')}`);
    await shows(page, played);
    await page.keyboard.press(',');
    await says(page, '.status', `Move ${played.length - 1} of ${played.length}`);
    await page.click('#tab-record');
    if (at === 0) await page.click('#pane-record summary:text-is("Export")');
    await forget(page);
    await page.click('#pane-record button:text-is("Copy link")');
    await hears(page, 'Link copied.');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await other.goto(link);
    await shows(other, played);
    await says(other, '.status', `Move ${played.length - 1} of ${played.length}`);
    const boards = await Promise.all([page, other].map((one) => one.$$eval('.holder [data-cell]', (cells) => cells.map((cell) => cell.dataset.piece ?? '.').join(''))));
    assert.equal(boards[0], boards[1]);
  }
});

walk('the address follows the game, and the way back leads out of it', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  await page.click('[aria-label="More: set up Pentago-Twist"]');
  await page.click('.setupbox a:text-is("Analyse")');
  await live(page);
  await byMouse(page, 'pentago-twist', 'c3q1f', []);
  await plies(page, 1);
  await until(page, 'the move is in the address', () => location.hash.includes('c3q1f'));
  await page.reload();
  await plies(page, 1);
  await page.goBack();
  await page.waitForSelector('#page:not([hidden]) h1');
});

walk('bad links are explained and leave a page', async (visitors) => {
  const page = await visitors.add();
  for (const hash of ['#g=pylos&m=1a1,1a1', '#g=chess', '#g=pylos&p=x', '#zz', '#%', '#room=nope', '#page=what', '#g=pentago&f=zz', '#g=twixt(size=99)']) {
    await page.evaluate(() => document.getElementById('assertive')?.replaceChildren());
    await page.goto(`${page.home}/${hash}`);
    await until(page, `${hash} is explained`, () => document.getElementById('assertive').textContent.length > 10);
    await until(page, `${hash} leaves a page`, () => !document.getElementById('page').hidden || !document.getElementById('game').hidden);
  }
  // The moves before a bad move are shown.
  await open(page, '#g=pylos&m=1a1,1a1');
  await plies(page, 1);
});
