// Fingers on a phone: a game or some moves of each, and nothing wider than the screen.

import assert from 'node:assert/strict';

import { byTouch, live, play, spot } from './hands.mjs';
import { fits, open, PHONE, plies, says, until, walk } from './harness.mjs';

/** Games that are played to the end have no number of moves. */
const GAMES = [
  { game: 'pathwayz', most: 6 },
  { game: 'pathwayz(rows=3,cols=4)' },
  { game: 'pylos', most: 16 },
  { game: 'twixt(size=6)' },
  { game: 'twixt', most: 5 },
  { game: 'pentago-twist', most: 5 },
  { game: 'pentago', most: 5 },
];

walk('all games with a finger', async (visitors) => {
  const page = await visitors.add(PHONE);
  for (const [at, { game, most }] of GAMES.entries()) {
    await open(page, `#g=${game}`);
    await live(page);
    await fits(page, game);
    const state = await play(page, { game, hand: byTouch, seed: at + 21, most });
    await fits(page, `${game} after ${state.plies} moves`);
    if (most) assert.equal(state.plies, most);
    else await says(page, '.status.over', state.outcome === 'draw' ? 'Draw' : 'wins');
  }
});

walk('a finger on a small hole of TwixT magnifies first', async (visitors) => {
  const page = await visitors.add(PHONE);
  await open(page, '#g=twixt(size=24)');
  await live(page);
  const first = await spot(page, 'l12');
  await page.touchscreen.tap(first.x, first.y);
  await says(page, '.holder .q-board', 'l12: tap again');
  await plies(page, 0);
  // Another hole is another question, not an answer.
  const other = await spot(page, 'm13');
  await page.touchscreen.tap(other.x, other.y);
  await says(page, '.holder .q-board', 'm13: tap again');
  await plies(page, 0);
  await page.tap('.q-controls button:text-is("Whole board")');
  await until(page, 'the whole board is back', () => !document.querySelector('.holder .q-board').textContent.includes('tap again'));
});

walk('a finger that rests sets a permanent of Pathwayz', async (visitors) => {
  const page = await visitors.add(PHONE);
  await open(page, '#g=pathwayz(rows=4,cols=5)');
  await live(page);
  const { x, y } = await spot(page, 'c2');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await plies(page, 1);
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await says(page, '.movelist', 'c2p');
});

walk('one tap never places and turns', async (visitors) => {
  const page = await visitors.add(PHONE);
  await open(page, '#g=pentago');
  await live(page);
  const { x, y } = await spot(page, 'c3');
  await page.touchscreen.tap(x, y);
  await says(page, '.q-steps [aria-current=step]', 'Turn');
  await plies(page, 0);
  await page.tap('.q-steps button:text-is("Cancel")');
  await until(page, 'the marble is gone', () => document.querySelector('.holder [data-cell="c3"]').dataset.piece === '.');
});
