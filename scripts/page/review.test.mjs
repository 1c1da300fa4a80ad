// A review finds the mistakes of a game, steps through them and looks at a second try.

import assert from 'node:assert/strict';

import { byMouse } from './hands.mjs';
import { hears, open, plies, says, shot, until, walk } from './harness.mjs';

/** Second lets a row of four stand, twice; first makes five of it. */
const GAME = ['a1q4r', 'a6q4r', 'b1q4r', 'b5q4r', 'c1q4r', 'c6q4r', 'd1q4r', 'a5q4r', 'e1'];

walk('a game with mistakes is reviewed', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, review: 400 } });
  await open(page, `#g=pentago&m=${GAME.join(',')}`);
  await plies(page, GAME.length);
  await page.click('#tab-review');
  await page.click('#pane-review button:text-is("Review")');
  await hears(page, 'Review finished');
  await shot(page, 'review');
  const classes = await page.$$eval('.graphbox tbody tr', (rows) => rows.map((row) => row.lastElementChild.textContent));
  assert.equal(classes.length, GAME.length);
  assert.match(classes[7], /blunder|thrown/, 'the move that lets a win pass');
  assert.match(classes[8], /fine/, 'the winning move');
  await says(page, '#pane-review', 'Accuracy');
  assert.match(await page.$$eval('.movelist .ply', (all) => all[7].dataset.sign ?? ''), /\?\?|✕/, 'the list of moves has the sign');
  await page.keyboard.press('p');
  const inSight = await page.$eval('#pane-review .verdict', (one) => one.getBoundingClientRect().bottom < document.querySelector('.moveparts').getBoundingClientRect().top);
  assert.ok(inSight, 'what is said of a move is in sight');
  // To the last mistake by its key, and a second try there.
  await says(page, '#pane-review .verdict', '8. a5q4r');
  await page.keyboard.press('n');
  await hears(page, 'No more mistakes after this.');
  await page.click('#pane-review button:text-is("Try again")');
  await says(page, '#pane-review .verdict', 'Find a better move');
  await says(page, '.status', 'Move 7 of 9');
  await byMouse(page, 'pentago', 'e1q4r', []);
  await until(page, 'the second try is judged', () => /e1q4r: /.test(document.querySelector('#pane-review .verdict').textContent));
  await plies(page, GAME.length);
  // The graph leads to a ply.
  await page.click('.graph', { position: { x: 40, y: 40 } });
  await says(page, '.status', 'of 9');
});

walk('a review can be stopped', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, review: 10_000 } });
  await open(page, `#g=pentago&m=${GAME.join(',')}`);
  await page.click('#tab-review');
  await page.click('#pane-review button:text-is("Review")');
  await page.click('#pane-review button:text-is("Stop")');
  await page.waitForSelector('#pane-review button:text-is("Review")');
  await page.waitForSelector('#pane-review progress', { state: 'hidden' });
});
