// An open game: its main line, one try-out branch, and where in them we look. States come from the server and are kept.

import * as api from './api.js';
import { other } from './spec.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./types.js').Side} Side */
/** @typedef {{game:string,from?:string|null,moves?:string[],ply?:number|null,seats?:[Seat,Seat],notes?:Record<number,string>,id?:string,seed?:number}} Begin */

/** @type {[Seat, Seat]} */
const PEOPLE = [{ who: 'person' }, { who: 'person' }];

/** Fires `change` (detail: previous state, whether to animate) when another position is shown or something about the game is new. */
export class Session extends EventTarget {
  /** @param {Begin} begin */
  constructor({ game, from = null, moves = [], seats = PEOPLE, notes = {}, id = '', seed = 1 }) {
    super();
    this.game = game;
    this.from = from;
    /** @type {string[]} */
    this.line = [...moves];
    /** @type {{at:number,moves:string[]}|null} */
    this.branch = null;
    this.ply = 0;
    /** Where the last step leads to: steps in quick succession count from there, not from what is still shown. */
    this.wanted = 0;
    /** @type {State|null} */
    this.state = null;
    this.seats = seats;
    /** @type {Record<number, string>} */
    this.notes = { ...notes };
    this.id = id;
    /** Where the chances of engines come from. */
    this.seed = seed;
    /** @type {number[]} milliseconds of each move of the main line, where known */
    this.ms = [];
    this.since = Date.now();
    /** Does an engine think about its move now? In a match it may be paused. */
    this.thinking = false;
    /** @type {string[]} moves that were taken back, the last one first */
    this.redos = [];
    /** Has something been done to it here? A game that was only looked at is not kept. */
    this.touched = false;
    /** @type {Map<string, State>} */
    this.states = new Map();
    this.asked = 0;
  }

  /** The room's name, when the server keeps the game. */
  get room() {
    return '';
  }

  /** The moves that are shown: the main line, or the branch with what leads to it. */
  get shown() {
    return this.branch ? [...this.line.slice(0, this.branch.at), ...this.branch.moves] : this.line;
  }

  get atEnd() {
    return this.ply === this.shown.length;
  }

  /** Is the real game, not a look back or a try-out, what is shown? */
  get live() {
    return !this.branch && this.ply === this.line.length;
  }

  /** Sides that the person at this screen moves for. @returns {Side[]} */
  get mine() {
    return /** @type {Side[]} */ (['first', 'second']).filter((_, seat) => this.seats[seat].who === 'person');
  }

  /** May the person move in the position that is shown? A look back or a try-out is free. */
  get interactive() {
    if (!this.state || this.state.outcome) return false;
    return !this.live || this.mine.includes(this.state.to_move);
  }

  /** Can a move be taken back, or a step be made back? */
  get canUndo() {
    return this.atEnd ? this.shown.length > 0 : this.ply > 0;
  }

  get canRedo() {
    return !this.atEnd || this.redos.length > 0;
  }

  /** May engines help here? Not in a game between people, while it lasts. */
  get advised() {
    return true;
  }

  /** @returns {import('./types.js').Place} */
  get place() {
    return { game: this.game, position: this.from, moves: this.shown.slice(0, this.ply) };
  }

  /** @param {string[]} moves */
  key(moves) {
    return moves.join(' ');
  }

  /**
   * The state after some moves.
   * @param {string[]} moves
   */
  async stateOf(moves) {
    const key = this.key(moves);
    const before = this.states.get(key);
    if (before) return before;
    const state = await api.position({ game: this.game, position: this.from, moves });
    this.states.set(key, state);
    return state;
  }

  /** Checks the game and goes to a ply. @param {number|null} ply */
  async begin(ply) {
    const last = await this.stateOf(this.line);
    this.game = last.game;
    this.line = [...last.moves];
    this.states.set(this.key(this.line), last);
    await this.goto(ply ?? this.line.length, false);
  }

  /**
   * @param {number} ply
   * @param {boolean} [animate]
   */
  async goto(ply, animate = true) {
    const moves = this.shown;
    const wanted = Math.max(0, Math.min(ply, moves.length));
    const asked = ++this.asked;
    this.wanted = wanted;
    let state;
    try {
      state = await this.stateOf(moves.slice(0, wanted));
    } catch (why) {
      if (asked === this.asked) this.wanted = this.ply;
      throw why;
    }
    // Whoever asked last is shown.
    if (asked !== this.asked) return;
    const previous = this.state;
    const step = Math.abs(wanted - this.ply) === 1;
    this.ply = wanted;
    this.state = state;
    this.changed(previous, animate && step);
  }

  /**
   * @param {State|null} previous
   * @param {boolean} animate
   */
  changed(previous, animate) {
    this.dispatchEvent(new CustomEvent('change', { detail: { previous, animate } }));
  }

  /**
   * A move of the person: on in the game if it is the next one, else into the branch.
   * @param {string} move
   */
  async move(move) {
    const moves = this.shown;
    if (moves[this.ply] === move) return this.goto(this.ply + 1);
    const after = [...moves.slice(0, this.ply), move];
    await this.stateOf(after);
    this.redos = [];
    if (this.branch && this.ply >= this.branch.at) this.branch.moves = after.slice(this.branch.at);
    else if (this.ply === this.line.length) this.append(move);
    else this.branch = { at: this.ply, moves: [move] };
    return this.goto(this.ply + 1);
  }

  /** @param {string} move */
  append(move) {
    this.touched = true;
    this.ms[this.line.length] = Date.now() - this.since;
    this.since = Date.now();
    this.line = [...this.line, move];
  }

  /** Takes the last move back, in the branch or in the game. */
  async undo() {
    if (!this.atEnd) return this.goto(this.ply - 1);
    const move = this.shown.at(-1);
    if (move === undefined) throw new Error('There is no move to take back.');
    this.redos.push(move);
    if (this.branch) {
      this.branch.moves = this.branch.moves.slice(0, -1);
      if (!this.branch.moves.length) this.branch = null;
    } else {
      this.line = this.line.slice(0, -1);
      this.ms.length = Math.min(this.ms.length, this.line.length);
      this.since = Date.now();
    }
    return this.goto(this.ply - 1);
  }

  async redo() {
    if (!this.atEnd) return this.goto(this.ply + 1);
    const move = this.redos.pop();
    if (move === undefined) throw new Error('There is nothing to redo.');
    const left = this.redos;
    await this.move(move);
    this.redos = left;
  }

  /** Leaves the try-out. @param {number} [ply] */
  async leaveBranch(ply) {
    const at = this.branch?.at ?? this.ply;
    this.branch = null;
    await this.goto(ply ?? at, false);
  }

  /** Makes the try-out the game. Only where the game is ours alone. */
  async keepBranch() {
    if (!this.branch) return;
    this.touched = true;
    this.line = [...this.shown];
    this.branch = null;
    this.ms.length = Math.min(this.ms.length, this.ply);
    await this.goto(this.ply, false);
  }

  /**
   * Milliseconds that each side has used, the running move included.
   * @returns {[number, number]}
   */
  used() {
    /** @type {[number, number]} */
    const sums = [0, 0];
    const first = this.firstToMove();
    for (let ply = 0; ply < this.line.length; ply++) {
      sums[ply % 2 === 0 ? indexOf(first) : indexOf(other(first))] += this.ms[ply] ?? 0;
    }
    const last = this.states.get(this.key(this.line));
    // A board that nobody has played on here has no clock to run; nor has one on which nobody thinks.
    if (last && !last.outcome && this.ms.length && this.ticks(last.to_move)) sums[indexOf(last.to_move)] += Math.max(0, Date.now() - this.since);
    return sums;
  }

  /** Milliseconds that are left to each side, in a game with a clock. @returns {[number, number]|null} */
  left() {
    return null;
  }

  /** Does the clock of a side run while it is to move? @param {Side} side */
  ticks(side) {
    return this.thinking || this.mine.includes(side);
  }

  /** Who made the first move of the line. @returns {Side} */
  firstToMove() {
    const known = this.states.get(this.key(this.line)) ?? this.state;
    if (!known) return 'first';
    return known.plies % 2 === 0 ? known.to_move : other(known.to_move);
  }

  /** The state at the end of the main line, if it is known. */
  get last() {
    return this.states.get(this.key(this.line)) ?? null;
  }

  close() {}
}

/** @param {Side} side */
const indexOf = (side) => (side === 'first' ? 0 : 1);
