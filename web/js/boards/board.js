// The boards' front door. A game's board is loaded when it is first wanted.

import { readSpec } from './text.js';

/** @typedef {import('./base.js').Board} Board */

/**
 * A state as docs/api.md has it.
 * @typedef {{game: string, from: string | null, moves: string[], position: string, to_move: 'first' | 'second', plies: number, legal: string[],
 *   outcome: null | 'first' | 'second' | 'draw', reason: string | null, wins: string[][], occurrences: number}} State
 */
/**
 * A move's value, a win share from 0 to 1 for the side to move or, where `scored`, a score of no fixed scale; and its share of the visits.
 * @typedef {{move: string, value: number, visits: number | null, share: number, scored?: boolean}} HeatEntry
 */
/** What is proven of a move, for the side to move. @typedef {{move: string, outcome: 'win' | 'draw' | 'loss', distance?: number}} Mark */

/** @type {Record<string, () => Promise<new (spec: string, sides: [string, string]) => Board>>} */
const KINDS = {
  pathwayz: async () => (await import('./pathwayz.js')).Pathwayz,
  pylos: async () => (await import('./pylos.js')).Pylos,
  twixt: async () => (await import('./twixt.js')).Twixt,
  pentago: async () => (await import('./pentago.js')).Pentago,
  'pentago-twist': async () => (await import('./pentago.js')).Pentago,
};

/**
 * A board for a game. Options are those of `Board.set`.
 * @param {string} game a spec such as `twixt(size=12)`
 * @param {[string, string]} sides what the two sides are called, as `/api/games` has it
 * @param {Record<string, unknown>} [options]
 * @returns {Promise<Board>}
 */
export async function makeBoard(game, sides, options = {}) {
  const { name } = readSpec(game);
  const load = KINDS[name];
  if (!load) throw new Error(`there is no board for ${name}; known are ${Object.keys(KINDS).join(', ')}`);
  const Kind = await load();
  const board = new Kind(game, sides).start();
  for (const [option, value] of Object.entries(options)) board.set(option, value);
  return board;
}
