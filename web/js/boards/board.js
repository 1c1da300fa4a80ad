// The boards' front door.

import { Pathwayz } from './pathwayz.js';
import { Pentago } from './pentago.js';
import { Pylos } from './pylos.js';
import { readSpec } from './text.js';
import { Twixt } from './twixt.js';

export { Board } from './base.js';

/**
 * A state as docs/api.md has it.
 * @typedef {{game: string, from: string | null, moves: string[], position: string, to_move: 'first' | 'second', plies: number, legal: string[],
 *   outcome: null | 'first' | 'second' | 'draw', reason: string | null, wins: string[][], occurrences: number}} State
 */
/** A move's value, a win share from 0 to 1 for the side to move, and its share of the visits. @typedef {{move: string, value: number, visits: number | null, share: number}} HeatEntry */
/** What is proven of a move, for the side to move. @typedef {{move: string, outcome: 'win' | 'draw' | 'loss', distance?: number}} Mark */

/** @type {Record<string, new (spec: string) => import('./base.js').Board>} */
const KINDS = { pathwayz: Pathwayz, pylos: Pylos, twixt: Twixt, pentago: Pentago, 'pentago-twist': Pentago };

/**
 * A board for a game. Options are those of `Board.set`.
 * @param {string} game a spec such as `twixt(size=12)`
 * @param {Record<string, unknown>} [options]
 * @returns {import('./base.js').Board}
 */
export function makeBoard(game, options = {}) {
  const { name } = readSpec(game);
  const Kind = KINDS[name];
  if (!Kind) throw new Error(`there is no board for ${name}; known are ${Object.keys(KINDS).join(', ')}`);
  const board = new Kind(game).start();
  for (const [option, value] of Object.entries(options)) board.set(option, value);
  return board;
}
