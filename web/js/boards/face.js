// What a game's own file says of its board. The defaults here are for boards that have nothing to say.

import { svg } from './dom.js';

/** @typedef {import('./board.js').State} State */
/** @typedef {import('./base.js').Target} Target */

export class Face extends EventTarget {
  /** The pieces of the position. @type {Map<string, string>} */
  pieces = new Map();

  /** Draws what never changes, and adds the targets. */
  layout() {}
  /** Reads a position; true when the board has another size than before. @param {string} _position @returns {boolean} */
  read(_position) {
    return false;
  }
  /** The ways to make a move by pointing. @param {string} move @returns {string[][]} */
  paths(move) {
    return [[move]];
  }
  /** The cell where a move's piece comes to stand. @param {string} move @returns {string} */
  spot(move) {
    return move;
  }
  /** The piece that a move sets. @param {string} _move @param {boolean} first by the first player @returns {string} */
  pieceOf(_move, first) {
    return first ? 'x' : 'o';
  }
  /** A piece around the origin. @param {string} _piece @param {number} _r @returns {SVGElement} */
  body(_piece, _r) {
    return svg('g');
  }
  /** The pieces after the half-made move. @param {string[]} _trail @returns {Map<string, string>} */
  after(_trail) {
    return this.pieces;
  }
  /** Last move and winning lines. */
  mark() {}
  /** Moves what has changed. @param {string} _move @param {Map<string, string>} _before @param {string[]} _trail how far the person had made it */
  animate(_move, _before, _trail) {}
  /** What a move did, in words. @param {string} move @param {State} _previous @returns {string} */
  tell(move, _previous) {
    return move;
  }
  /** What stands on a cell, in words. @param {string} _id @returns {string} */
  content(_id) {
    return '';
  }
  /** Why a target cannot be chosen now: a sentence. @param {string} id @returns {string} */
  why(id) {
    return `${id} cannot be chosen now.`;
  }
  /** Shows what would come of choosing a target. @param {string | null} _id */
  preview(_id) {}
  /** The steps of the move that is being made. @returns {string[]} */
  steps() {
    return [];
  }
  /** Whether pointing at another beginning starts the move anew. */
  startsAnew() {
    return true;
  }
  /** Draws what the option `overlay` asks for. @param {string} _name */
  overlay(_name) {}
  /** How many pieces each side has left beside the board; null where that means nothing. @returns {[number, number] | null} */
  reserves() {
    return null;
  }
  /** Rows of the position as text. @returns {string[]} */
  rows() {
    return [];
  }
  /** Called whenever the half-made move has changed. */
  changed() {}
  /** A chance to keep a press for oneself. @param {string} _id @param {{touch: boolean}} _how */
  holds(_id, _how) {
    return false;
  }
  /** An arrow for a best move. @param {string} _move @returns {SVGElement | null} */
  bestMove(_move) {
    return null;
  }

  /** The paths under which overlays show a move. @param {string} move @returns {string[][]} */
  shownPaths(move) {
    return this.paths(move);
  }
  /** Does a move set a piece of another kind than usual? @param {string} _move */
  isPermanent(_move) {
    return false;
  }
  /** Another kind of press: the right button, or a finger that rests. @type {((id: string) => void) | null} */
  otherPress = null;
  /** Are estimates hatched? */
  hatched = false;
  /** A cell on another level. @param {string} id @param {number} _by @returns {string} */
  level(id, _by) {
    return id;
  }

  /** What to do next, in words. */
  prompt() {
    return '';
  }

  /** The targets that the arrow keys walk on now. @param {Target} target */
  reachable(target) {
    return target.slot !== null;
  }

  /** @param {number} r */
  ringRadius(r) {
    return 1.22 * r;
  }
}
