// The page of puzzles: a list to choose from. What was solved is kept in this browser.

import * as api from './api.js';
import { el, field, fill, select } from './dom.js';
import { read, write } from './settings.js';
import { infoOf, parse, titleOf } from './spec.js';

/** @typedef {import('./types.js').Puzzle} Puzzle */
/** @typedef {import('./types.js').GameInfo} GameInfo */

const KEY = 'quintet.puzzles';

/** Kinds as people call them; one that is not in the list is called by its own name. @type {Record<string, string>} */
const KINDS = { 'only-win': 'the only winning move', 'only-draw': 'the only draw', zugzwang: 'zugzwang', 'win-in-2': 'a win in two', 'win-in-3': 'a win in three', 'one-peg': 'one peg wins' };

/** @param {string} kind */
export const kindName = (kind) => KINDS[kind] ?? kind.replace(/^win-/, 'a win-').replaceAll('-', ' ');

/** Tries at each puzzle that was solved. @returns {Record<string, number>} */
export const solved = () => read(KEY, {});

/**
 * @param {string} id
 * @param {number} tries
 */
export function keepSolved(id, tries) {
  const all = solved();
  write(KEY, { ...all, [id]: Math.min(tries, all[id] ?? Infinity) });
}

/**
 * @param {HTMLElement} root
 * @param {GameInfo[]} games
 */
export async function showPuzzles(root, games) {
  const lead = el('p', { class: 'lead' }, 'Positions whose value is proven: find the move that keeps it. Every answer is checked against the proof.');
  const list = el('div', { class: 'gamelist' });
  fill(root, [el('h1', {}, 'Puzzles'), lead, list]);
  const { puzzles } = await api.puzzles().catch((why) => (why instanceof api.Refusal && why.status === 404 ? { puzzles: [] } : Promise.reject(why)));
  if (!puzzles.length) {
    return fill(list, [el('p', {}, 'There are no puzzles here yet. Until then, the tutorials have a small position for every rule: choose Learn for a game.'),
      el('p', {}, el('a', { href: '#' }, 'To the games'))]);
  }
  const count = el('p', { class: 'small', 'aria-live': 'polite' });
  const wanted = { game: '', kind: '', left: '' };
  const draw = () => {
    const done = solved();
    const found = puzzles.filter(({ id, game, kind }) => (!wanted.game || parse(game).name === wanted.game) && (!wanted.kind || kind === wanted.kind) && (!wanted.left || !(id in done)));
    count.textContent = `${found.length} of ${puzzles.length} puzzles; ${puzzles.filter(({ id }) => id in done).length} solved.`;
    fill(list, found.map((puzzle) => row(games, puzzle, done[puzzle.id])));
  };
  const of = (/** @type {string[]} */ names) => [...new Set(names)];
  const choices = (/** @type {string} */ all, /** @type {[string, string][]} */ more) => /** @type {[string, string][]} */ ([['', all], ...more]);
  const filter = (/** @type {keyof typeof wanted} */ key) => (/** @type {string} */ value) => {
    wanted[key] = value;
    draw();
  };
  const filters = el('div', { class: 'filters' },
    field('Game', select(choices('all games', of(puzzles.map(({ game }) => parse(game).name)).map((game) => [game, infoOf(games, game)?.title ?? game])), '', filter('game'))),
    field('Kind', select(choices('all kinds', of(puzzles.map(({ kind }) => kind)).map((kind) => [kind, kindName(kind)])), '', filter('kind'))),
    field('Show', select(choices('all', [['left', 'not yet solved']]), '', filter('left'))));
  fill(root, [el('h1', {}, 'Puzzles'), lead, filters, count, list]);
  draw();
}

/**
 * @param {GameInfo[]} games
 * @param {Puzzle} puzzle
 * @param {number|undefined} tries
 */
function row(games, puzzle, tries) {
  const state = tries === undefined ? '' : ` · ✓ solved${tries > 1 ? ` at attempt ${tries}` : ''}`;
  return el('article', { class: 'gamerow' }, el('div', {}, el('strong', {}, puzzle.title), el('div', { class: 'small' }, `${titleOf(games, puzzle.game)} · ${kindName(puzzle.kind)}${state}`)),
    el('div', { class: 'buttons' }, el('a', { class: `button${tries === undefined ? ' main' : ''}`, href: `#puzzle=${encodeURIComponent(puzzle.id)}`, 'aria-label': `Solve ${puzzle.id}` }, tries === undefined ? 'Solve' : 'Again')));
}
