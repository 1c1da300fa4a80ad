// Whole moves made on the board by pointer, by finger, or only by keys. A move's text says what to touch; the API says what is legal.

import assert from 'node:assert/strict';

import { moves, server, until } from './harness.mjs';

/** Throws of a die with `sides` sides, the same on every run. */
export function dice(seed) {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** The state of a game after moves, from the server. */
export const stateOf = async (game, played) => (await server()).ask('position', { game, moves: played });

/**
 * A legal move. Early on those of more than one kind (take-backs, raises, permanents, a swap) are preferred, so that they are made; later the plain ones,
 * so that the game ends.
 */
export function choose(state, roll) {
  const rare = state.legal.filter((move) => /[-^]|p$|swap/.test(move));
  const plain = state.legal.filter((move) => !rare.includes(move));
  const wanted = rare.length && (state.plies < 40 ? roll(2) === 0 || rare.includes('swap') : !plain.length) ? rare : plain.length ? plain : rare;
  return wanted.includes('swap') ? 'swap' : wanted[roll(wanted.length)];
}

/** Some moves of a game from its start, chosen by dice. */
export async function playout(game, seed, count) {
  const [roll, played] = [dice(seed), []];
  while (played.length < count) {
    const state = await stateOf(game, played);
    if (state.outcome) break;
    played.push(choose(state, roll));
  }
  return played;
}

/** What has to be touched for a move, one after the other. */
export function touches(game, move, legal) {
  if (game.startsWith('pentago')) return [move.slice(0, 2), move.slice(2)].filter(Boolean);
  if (game.startsWith('pathwayz')) return [move.replace(/p$/, '')];
  if (!game.startsWith('pylos')) return [move];
  const [ball, ...taken] = move.split('-');
  // Of two balls the one that the other rests on comes second.
  if (taken.length === 2 && !legal.includes(`${ball}-${taken[0]}`)) taken.reverse();
  return [...ball.split('^'), ...taken];
}

/** Could the move go on, so that the board asks whether it is enough? */
const asksEnough = async (page) => page.isVisible('.q-controls button:text-is("Enough")');

/** A point of the screen where a target of the board is what lies on top; every target that can be chosen must have one. */
export async function spot(page, id) {
  const found = await page.evaluate((name) => {
    const cell = document.querySelector(`.holder [data-target="${name}"]`);
    const hit = cell?.querySelector('.q-hit');
    if (!hit) return null;
    let box = hit.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) {
      cell.scrollIntoView({ block: 'center' });
      box = hit.getBoundingClientRect();
    }
    const steps = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
    for (const [x, y] of steps.flatMap((across) => steps.map((down) => [box.left + across * box.width, box.top + down * box.height]))) {
      if (document.elementFromPoint(x, y)?.closest('[data-target]') === cell) return { x, y };
    }
    return null;
  }, id);
  assert.ok(found, `${id} cannot be reached on the board`);
  return found;
}

/** The board waits for the person. */
export const live = (page) => until(page, 'the board waits for a move', () => document.querySelector('.holder .q-board.q-live'));

/** Presses one of the board's own buttons. */
const press = (page, name) => page.click(`.q-controls button:text-is("${name}")`);

/** Makes a move with the mouse. Permanents of Pathwayz: by the right button and by the selector in turns. */
export async function byMouse(page, game, move, legal) {
  await live(page);
  if (move === 'swap') return press(page, 'Swap');
  const permanent = game.startsWith('pathwayz') && move.endsWith('p');
  const right = permanent && legal.length % 4 === 0;
  if (game.startsWith('pathwayz') && !right) await press(page, permanent ? 'Permanent' : 'Regular');
  for (const id of touches(game, move, legal)) {
    const { x, y } = await spot(page, id);
    await page.mouse.click(x, y, { button: right ? 'right' : 'left' });
  }
  if (await asksEnough(page)) await press(page, 'Enough');
}

/** Makes a move with a finger. A hole of TwixT that is smaller than a finger is magnified by the first tap and taken by the second. */
export async function byTouch(page, game, move, legal) {
  await live(page);
  if (game.startsWith('pathwayz')) await page.tap(`.q-controls button:text-is("${move.endsWith('p') ? 'Permanent' : 'Regular'}")`);
  if (move === 'swap') return page.tap('.q-controls button:text-is("Swap")');
  for (const id of touches(game, move, legal)) {
    const { x, y } = await spot(page, id);
    await page.touchscreen.tap(x, y);
    if (!game.startsWith('twixt')) continue;
    const asks = await page.$eval('.holder .q-board', (board) => board.textContent.includes('tap again'));
    if (!asks) continue;
    const again = await spot(page, id);
    await page.touchscreen.tap(again.x, again.y);
  }
  if (await asksEnough(page)) await page.tap('.q-controls button:text-is("Enough")');
}

/** Where the focus is on the board, if it is there. */
export const focused = (page) => page.evaluate(() => document.activeElement?.closest('.holder [data-target]')?.getAttribute('data-target') ?? null);

/** Tabs until something has the focus, as a person without a pointer does. */
export async function tabTo(page, selector, text = '') {
  for (let presses = 0; presses < 100; presses += 1) {
    if (await page.evaluate(([wanted, words]) => document.activeElement?.matches(wanted) && document.activeElement.textContent.includes(words), [selector, text])) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab never comes to ${selector} ${text}`);
}

/** Presses a key a number of times; a negative number presses the other key. */
async function times(page, count, key, back) {
  for (let left = Math.abs(count); left > 0; left -= 1) await page.keyboard.press(count > 0 ? key : back);
}

const column = (id) => id.charCodeAt(id.length - (/\d\d$/.test(id) ? 3 : 2));
const row = (id) => Number(/\d+$/.exec(id)[0]);

/** Walks over the cells with the arrow keys; levels of Pylos with PageUp and PageDown. */
async function walkTo(page, id) {
  let at = await focused(page);
  if (/^\d/.test(id)) {
    await times(page, Number(id[0]) - Number(at[0]), 'PageUp', 'PageDown');
    at = await focused(page);
  }
  await times(page, column(id) - column(at), 'ArrowRight', 'ArrowLeft');
  await times(page, row(id) - row(at), 'ArrowDown', 'ArrowUp');
  assert.equal(await focused(page), id, `the arrow keys lead from ${at} to ${id}`);
}

/** Walks round the ring of Pentago's turns, always the way of the next one. */
async function turnTo(page, id) {
  for (let steps = 0; (await focused(page)) !== id; steps += 1) {
    assert.ok(steps < 8, `the arrow keys never come to ${id}`);
    const key = await page.evaluate(() => {
      const ring = [...document.querySelectorAll('.holder .q-turns [data-target]')];
      const middle = (cell) => (({ left, top, width, height }) => [left + width / 2, top + height / 2])(cell.querySelector('.q-hit').getBoundingClientRect());
      const here = ring.findIndex((cell) => cell.contains(document.activeElement));
      const [[x, y], [nextX, nextY]] = [middle(ring[here]), middle(ring[(here + 1) % ring.length])];
      return Math.abs(nextX - x) > Math.abs(nextY - y) ? (nextX > x ? 'ArrowRight' : 'ArrowLeft') : nextY > y ? 'ArrowDown' : 'ArrowUp';
    });
    await page.keyboard.press(key);
  }
}

/** Makes a move only with keys. */
export async function byKeys(page, game, move, legal) {
  await live(page);
  if (!(await focused(page))) await tabTo(page, '.holder [data-target]');
  if (move === 'swap') return page.keyboard.press('s');
  if (game.startsWith('pathwayz')) {
    const kind = move.endsWith('p') ? 'permanent' : 'regular';
    if (!(await page.$(`.q-controls [data-value="${kind}"][aria-pressed="true"]`))) await page.keyboard.press('p');
  }
  for (const id of touches(game, move, legal)) {
    if (id.startsWith('q')) await turnTo(page, id);
    else await walkTo(page, id);
    await page.keyboard.press('Enter');
  }
  if (!(await asksEnough(page))) return;
  await tabTo(page, '.q-controls button', 'Enough');
  await page.keyboard.press('Enter');
}

/**
 * Plays a game to its end, or for a number of moves, with the moves of `hand` for the seats in `mine`; the others move by themselves.
 * @param {import('playwright-core').Page} page
 * @param {{game: string, hand: typeof byMouse, mine?: ('first'|'second')[], seed: number, most?: number}} how
 */
export async function play(page, { game, hand, mine = ['first', 'second'], seed, most = 300 }) {
  const roll = dice(seed);
  for (let made = 0; made < most; made += 1) {
    // Wait for the others.
    await until(page, 'the turn comes, or the end', () => document.querySelector('.status.over') || document.querySelector('.holder .q-board.q-live'));
    const played = await moves(page);
    const state = await page.ask('position', { game, moves: played });
    assert.ok(!state.error, state.error);
    if (state.outcome) return state;
    if (!mine.includes(state.to_move)) continue;
    const move = choose(state, roll);
    await hand(page, game, move, state.legal);
    await until(page, `${game}, move ${played.length + 1}: ${move} is made`, ([at, text]) => {
      const button = document.querySelectorAll('.movelist .ply')[at];
      return button && button.textContent === `${at + 1}. ${text}`;
    }, [played.length, move]);
  }
  return page.ask('position', { game, moves: await moves(page) });
}
