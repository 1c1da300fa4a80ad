// Every key of the list: what it does where it should, and nothing in text fields.

import assert from 'node:assert/strict';

import { focused, live, spot, tabTo } from './hands.mjs';
import { forget, hears, open, plies, says, until, walk } from './harness.mjs';

const press = (page, key) => page.keyboard.press(key);
const classed = (page, selector, name, on) => until(page, `${selector} is ${on ? '' : 'not '}${name}`,
  ([where, word, wanted]) => (document.querySelector(where)?.classList.contains(word) ?? false) === wanted, [selector, name, on]);

walk('steps, undo and redo', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago&m=c3q1r,d4q1r,c4q2l');
  await plies(page, 3);
  for (const [key, ply] of [[',', 2], ['ArrowLeft', 1], ['.', 2], ['Home', 0], ['ArrowRight', 1]]) {
    await press(page, key);
    await says(page, '.status', `Move ${ply} of 3`);
  }
  await press(page, 'End');
  await until(page, 'the last position', () => !document.querySelector('.status').textContent.includes('Move '));
  await press(page, 'u');
  await plies(page, 2);
  await press(page, 'Control+z');
  await plies(page, 1);
  await press(page, 'Control+y');
  await plies(page, 2);
  // The wheel over the board steps too.
  const { x, y } = await spot(page, 'c3');
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -100);
  await says(page, '.status', 'Move 1 of 2');
});

walk('what is shown', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  await open(page, '#g=pentago&m=c3q1r,d4q1r');
  await plies(page, 2);
  await press(page, 'k');
  await classed(page, '.holder .q-layer-coordinates', 'q-hidden', true);
  await press(page, 'k');
  await classed(page, '.holder .q-layer-coordinates', 'q-hidden', false);
  const place = () => spot(page, 'a1');
  const before = await place();
  await press(page, 'f');
  await hears(page, 'The board is flipped.');
  assert.notDeepEqual(await place(), before);
  await press(page, 'f');
  await hears(page, 'The board is flipped back.');
  await press(page, 'z');
  await classed(page, 'body', 'zen', true);
  assert.ok(!(await page.isVisible('#panel')));
  await press(page, 'Escape');
  await classed(page, 'body', 'zen', false);
  await press(page, '?');
  await page.waitForSelector('dialog[open] table.keys');
  await press(page, 'Escape');
  await page.waitForSelector('dialog[open]', { state: 'hidden' });
});

walk('the engine', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 60_000 } });
  await open(page, '#g=pentago&m=c3q1r,d4q1r');
  await page.click('#tab-analyse');
  await press(page, 'l');
  await says(page, '#pane-analyse .numbers', 'positions');
  for (const heat of ['visits', 'value', 'policy', 'exact', 'off', 'visits']) {
    await forget(page);
    await press(page, 'm');
    await hears(page, `Heat map: ${heat}.`);
  }
  await until(page, 'the heat map is drawn', () => document.querySelector('.holder .q-layer-heat').childElementCount);
  await press(page, 'a');
  await until(page, 'the arrow is drawn', () => document.querySelector('.holder .q-layer-arrows').childElementCount);
  await press(page, 'Escape');
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
  await press(page, 'l');
  await says(page, '#pane-analyse .verdict', 'The engine is off.');
  await press(page, 'h');
  await hears(page, 'Hint:');
  await press(page, 'x');
  await hears(page, 'would like to play');
  await page.evaluate(() => document.activeElement.blur());
  await press(page, ' ');
  await plies(page, 3);
});

walk('keys of single games', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pathwayz(rows=4,cols=5)');
  await live(page);
  await press(page, 'p');
  await page.waitForSelector('.q-controls [data-value=permanent][aria-pressed=true]');
  await press(page, 'p');
  await page.waitForSelector('.q-controls [data-value=regular][aria-pressed=true]');
  await open(page, '#g=pylos');
  await page.waitForSelector('.q-controls [data-value=stacked][aria-pressed=true]');
  await press(page, 'v');
  await page.waitForSelector('.q-controls [data-value=flat][aria-pressed=true]');
  await open(page, '#g=twixt(size=6)&m=c2');
  await live(page);
  await press(page, 's');
  await says(page, '.movelist', '2. swap');
});

walk('keys on the board, and none where somebody writes', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago');
  await live(page);
  await press(page, '/');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'movebox');
  await page.keyboard.type('fu');
  assert.equal(await page.inputValue('.movebox'), 'fu', 'letters in a box are letters');
  await press(page, 'Escape');
  assert.notEqual(await page.evaluate(() => document.activeElement.className), 'movebox');
  await tabTo(page, '.holder [data-target]');
  const start = await focused(page);
  await press(page, 'ArrowRight');
  assert.notEqual(await focused(page), start);
  await press(page, 'Enter');
  await says(page, '.q-steps [aria-current=step]', 'Turn');
  assert.match(await focused(page), /^q/, 'the focus goes on to the turns');
  await press(page, 'Escape');
  await says(page, '.q-steps [aria-current=step]', 'Place');
  assert.match(await focused(page), /^[a-f]/, 'and comes back to the cells');
  await plies(page, 0);
});

walk('single letters can be switched off', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, letters: false } });
  await open(page, '#g=pentago&m=c3q1r');
  await plies(page, 1);
  await press(page, 'u');
  await press(page, 'Control+z');
  await plies(page, 0);
  await press(page, 'z');
  await press(page, 'Control+y');
  await plies(page, 1);
  await classed(page, 'body', 'zen', false);
});
