// The boards as they are drawn: what lies over what, and what each colour means.

import assert from 'node:assert/strict';

import { byMouse, live, spot } from './hands.mjs';
import { open, plies, says, server, until, walk } from './harness.mjs';

const middle = (page, id) => page.$eval(`.holder [data-target="${id}"] .q-hit`, (hit) => (({ x, y, width, height }) => [x + width / 2, y + height / 2])(hit.getBoundingClientRect()));
/** `#56B4E9` as styles are computed. */
const rgb = (text) => text.replace(/^#(..)(..)(..)$/, (_, ...parts) => `rgb(${parts.slice(0, 3).map((part) => parseInt(part, 16)).join(', ')})`);
const colour = (page, selector) => page.$eval(selector, (one) => getComputedStyle(one).stroke);

walk('the apex of Pylos stands over the middle, and every cell over the four that carry it', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pylos&m=1b2');
  await live(page);
  const [[left, top], [right, bottom], apex, second] = await Promise.all(['1a1', '1d4', '4a1', '2b2'].map((id) => middle(page, id)));
  for (const [seen, wanted] of [[apex[0], (left + right) / 2], [apex[1], (top + bottom) / 2], [second[0], (left + right) / 2], [second[1], (top + bottom) / 2]]) {
    assert.ok(Math.abs(seen - wanted) < 1, `${seen} is not ${wanted}`);
  }
  // Every legal cell of the ground is marked, and nothing else.
  assert.equal(await page.locator('.holder .q-rest.q-ground').count(), 15);
});

walk('a turning tile lies over its neighbours', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0.5 } });
  await open(page, '#g=pentago&m=e2q4r,b5q4r,d3q4r,c4q4r');
  await live(page);
  await byMouse(page, 'pentago', 'a1q2r', []);
  await until(page, 'it lies with its marbles on top of all others', () => {
    const pieces = [...document.querySelector('.holder .q-layer-pieces').children];
    return pieces.at(-2)?.matches('.q-tile') && pieces.at(-1)?.matches('.q-marbles') && document.querySelector('.holder .q-layer-board').querySelectorAll('.q-tile').length === 3;
  });
  await until(page, 'and is back in its place afterwards', () => document.querySelector('.holder .q-layer-board').querySelectorAll('.q-tile').length === 4);
});

walk('the line of a win is one stroke over the gap', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago&m=a1q4r,a6q4r,b1q4r,b5q4r,c1q4r,c6q4r,d1q4r,a5q4r,e1');
  await page.waitForSelector('.holder .q-bar', { state: 'attached' });
  assert.equal(await page.$eval('.holder .q-bar', (bar) => getComputedStyle(bar).opacity), '1');
  assert.equal(await page.$eval('.holder .q-bar path:last-child', (path) => path.getAttribute('d').match(/M/g).length), 1);
});

walk('the sides of TwixT look as they are called, and a swap is told on the board', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=twixt(size=6)&m=c2,swap');
  await says(page, '.holder .q-swapped', 'Black swapped: this peg is black now');
  const dark = await page.$eval('.holder .q-peg.q-black', (peg) => getComputedStyle(peg).fill.match(/\d+/g).map(Number));
  assert.ok(Math.max(...dark) < 48, `black is ${dark}`);
  const picture = await (await fetch(`${(await server()).url}/api/picture`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: 'twixt(size=6)', moves: ['c2', 'swap'] }) })).text();
  assert.ok(!picture.includes('#005A8D'), 'nor is black blue in pictures');
  await byMouse(page, 'twixt(size=6)', 'd4', []);
  await until(page, 'the next move takes the note away', () => !document.querySelector('.holder .q-swapped'));
});

walk('last move, hint, threat and choice have colours of their own', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=twixt(size=6)&m=c2,d4,c4');
  await plies(page, 3);
  await page.keyboard.press('h');
  await page.waitForSelector('.holder .q-best[data-kind=hint]');
  const hint = await colour(page, '.holder .q-best .q-inner');
  await page.keyboard.press('x');
  await page.waitForSelector('.holder .q-best[data-kind=threat]');
  const threat = await colour(page, '.holder .q-best .q-inner');
  const last = await colour(page, '.holder .q-last .q-inner');
  assert.equal(new Set([hint, threat, last]).size, 3, `${hint} ${threat} ${last}`);
  // Where one may go, and what is chosen.
  await open(page, '#g=pylos&m=1a1,1d4,1b1,1d3,1a2,1c4');
  await live(page);
  const legal = await colour(page, '.holder .q-rest');
  const { x, y } = await spot(page, '1b2');
  await page.mouse.click(x, y);
  await page.waitForSelector('.holder .q-takeable');
  const chosen = await page.$eval('.holder .q-takeable', (one) => getComputedStyle(one).getPropertyValue('--q-mark').trim() || getComputedStyle(one).stroke);
  assert.equal(new Set([hint, threat, last, legal, rgb(chosen)]).size, 5, `${hint} ${threat} ${last} ${legal} ${chosen}`);
  // In Pentago a hint shows one arrow, not two.
  await open(page, '#g=pentago&m=c3q1r,d4q1r');
  await plies(page, 2);
  assert.ok(await page.isVisible('.holder .q-last-turn'));
  await page.keyboard.press('h');
  await page.waitForSelector('.holder .q-best');
  assert.ok(!(await page.isVisible('.holder .q-last-turn')));
});
