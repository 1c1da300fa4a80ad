// A review finds the mistakes of a game, steps through them and looks at a second try.

import assert from 'node:assert/strict';

import { byMouse } from './hands.mjs';
import { forget, hears, open, plies, says, shot, until, walk } from './harness.mjs';

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
  assert.match(await page.$$eval('.movelist .ply', (all) => all[7].textContent), /a5q4r, (blunder|win thrown away)/, 'and the words for those who do not see it');
  const words = await page.$$eval('#pane-review .sums tbody th', (heads) => heads.map((head) => head.textContent));
  assert.deepEqual(words, ['Accuracy', '?! Inaccuracies', '? Mistakes', '?? Blunders', '✕ Wins thrown away']);
  await page.keyboard.press('p');
  const inSight = await page.$eval('#pane-review .verdict', (one) => one.getBoundingClientRect().bottom < document.querySelector('.moveparts').getBoundingClientRect().top);
  assert.ok(inSight, 'what is said of a move is in sight');
  // To the last mistake by its key, and a second try there.
  await says(page, '#pane-review .verdict', '8. a5q4r');
  await page.keyboard.press('n');
  await hears(page, 'No more mistakes after this.');
  // The better move is on the board of the position before the mistake, with the line that follows.
  const drawn = () => page.$eval('.holder', (holder) => ['arrows', 'ghosts'].map((layer) => holder.querySelector(`.q-layer-${layer}`).childElementCount));
  assert.deepEqual(await drawn(), [0, 0], 'after the last mistake all is well');
  await page.click('#pane-review button:text-is("Better move")');
  await says(page, '.status', 'Move 7 of 9');
  await says(page, '#pane-review .verdict', 'Better than 8. a5q4r: ');
  await until(page, 'arrow and line are drawn', () => ['arrows', 'ghosts'].every((layer) => document.querySelector(`.holder .q-layer-${layer}`).childElementCount > 0));
  const [better] = (await page.textContent('#pane-review .verdict')).split('8. a5q4r: ')[1].split(/[ .]/);
  await page.click('#pane-review button:text-is("Retry from here")');
  await says(page, '#pane-review .verdict', 'Find a better move');
  await until(page, 'it is not given away', () => !document.querySelector('.holder .q-layer-arrows').childElementCount);
  await says(page, '.status', 'Move 7 of 9');
  assert.notEqual(better, 'a5q4r');
  await byMouse(page, 'pentago', 'e1q4r', []);
  await until(page, 'the second try is judged', () => /e1q4r: /.test(document.querySelector('#pane-review .verdict').textContent));
  await plies(page, GAME.length);
  // The graph leads to a ply.
  await page.click('.graph', { position: { x: 40, y: 40 } });
  await says(page, '.status', 'of 9');
});

walk('a move into a proven loss is a blunder, whoever reviews', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, review: 400 } });
  await open(page, '#g=pentago&m=b2q1l,e2q4r,c3q2l,e5q1r,b3q1l,e4q2l,c4q4r,e3q4l,f1q2r,e6q2l&tab=review');
  for (const engine of ['', 'mcts']) {
    await page.locator('#pane-review').getByLabel('Engine').selectOption(engine);
    await forget(page);
    await page.click('#pane-review button:text-is("Review")');
    await hears(page, 'Review finished');
    const lost = await page.$$eval('.movelist .ply', (all) => all[6].textContent);
    assert.match(lost, /c4q4r, blunder/, engine);
    const light = await page.$eval('#pane-review .sums tbody td', (cell) => Number(cell.textContent.replace(' %', '')));
    assert.ok(light < 75, `${engine}: the side that loses in ten moves gets ${light} %`);
  }
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
