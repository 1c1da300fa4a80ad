// The view of the one game that is open: its board, and what lies over the board. Everything else listens here.

import { makeBoard } from './boards/board.js';
import { capital } from './boards/text.js';
import { keepGame, roomNotes } from './library.js';
import { announce, attempt, fail } from './say.js';
import { settings } from './settings.js';
import { indexOf, infoOf } from './spec.js';
import * as sound from './sound.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').GameInfo} GameInfo */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./boards/board.js').Board} Board */

/** Is it the same position, however often it is told? What a room says besides may differ. @param {State} a @param {State} b */
const alike = (a, b) => a === b || (a.position === b.position && a.outcome === b.outcome && a.reason === b.reason && a.moves.join() === b.moves.join());

/** Fires `open` (another game), `change` (another position, or news of it), `think` (news of the agent whose turn it is), `judged` (what a review found) and `flip`. */
export class GameView extends EventTarget {
  /** @param {GameInfo[]} games */
  constructor(games) {
    super();
    this.games = games;
    /** @type {Session|null} */
    this.session = null;
    /** @type {Board|null} */
    this.board = null;
    this.flipped = false;
    /** @type {((move: string) => boolean)|null} takes the moves instead of the game: the tutor */
    this.taker = null;
    /** Is a tutor or an engine match in charge of the board? */
    this.locked = false;
    /** What is wrong with moves of the game, by ply, where it has been reviewed: as a sign and in words. @type {Record<number, {sign: string, name: string}>} */
    this.signs = {};
    /** Was the board last shown as one to move on? */
    this.interactive = false;
    /** Counts the games that were asked for: the last one is shown, however long the boards of others take to load. */
    this.asked = 0;
    this.hear = (/** @type {Event} */ event) => this.show(/** @type {CustomEvent} */ (event).detail);
    settings.addEventListener('change', () => this.dress());
  }

  /**
   * Opens a game.
   * @param {Session} session
   */
  async open(session) {
    const asked = ++this.asked;
    const board = await makeBoard(session.game, infoOf(this.games, session.game)?.sides ?? ['first', 'second']);
    if (asked !== this.asked) return;
    this.session?.removeEventListener('change', this.hear);
    if (this.session && this.session !== session) this.session.close();
    this.session = session;
    this.taker = null;
    this.locked = false;
    this.signs = {};
    if (session.room) session.notes = roomNotes(session.room);
    session.addEventListener('change', this.hear);
    session.addEventListener('think', () => this.session === session && this.dispatchEvent(new Event('think')));
    this.flipped = session.mine.length === 1 && session.mine[0] === 'second' && !!session.room;
    this.take(board);
    this.dispatchEvent(new Event('open'));
    this.show({ previous: null, animate: false });
  }

  /** Listens to the board of the game. @param {Board} board */
  take(board) {
    this.board = board;
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ hear) =>
      board.addEventListener(name, (event) => hear(/** @type {CustomEvent} */ (event).detail));
    on('move', ({ move }) => this.move(move));
    on('refused', ({ why }) => fail(why));
    on('announce', ({ text }) => announce(text));
    this.dress();
  }

  dress() {
    const board = this.board;
    if (!board) return;
    board.set('flipped', this.flipped);
    board.set('coordinates', settings.get('coordinates'));
    board.set('guides', settings.get('guides'));
    const contrast = settings.get('contrast') || matchMedia('(prefers-contrast: more)').matches;
    board.set('theme', contrast ? 'contrast' : settings.get('boards'));
    board.set('motion', matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : settings.get('motion'));
  }

  flip() {
    this.flipped = !this.flipped;
    this.board?.set('flipped', this.flipped);
    this.dispatchEvent(new Event('flip'));
    announce(this.flipped ? 'The board is flipped.' : 'The board is flipped back.');
  }

  /** @param {{previous: State|null, animate: boolean}} how */
  show({ previous, animate }) {
    const { session, board } = this;
    if (!session?.state || !board) return;
    const interactive = this.taker ? !session.state.outcome : session.interactive && !this.locked;
    const same = previous !== null && alike(previous, session.state);
    // News that leaves the position as it is must not take a half-made move off the board.
    if (!same || interactive !== this.interactive) board.show(session.state, { previous: same ? null : previous, animate, interactive });
    this.interactive = interactive;
    if (!same && previous && session.live) this.tell(previous, session.state);
    this.dispatchEvent(new CustomEvent('change', { detail: { same } }));
    keepGame(session);
  }

  /**
   * What the board cannot tell: that somebody resigned or lost on time. Sounds go with moves where they are wanted.
   * @param {State} previous
   * @param {State} state
   */
  tell(previous, state) {
    if (state.plies === previous.plies + 1) sound.play(state.outcome ? 'end' : 'move');
    // The board tells of its moves, and of the end that one makes; a resignation or a fallen flag is not a move.
    if (state.outcome && !previous.outcome && state.plies === previous.plies) announce(this.result(state));
  }

  /** What a review found, for everything that lists moves or values. @param {GameView['signs']} signs @param {{moves:string[],verdicts:(import('./judge.js').Verdict|null)[]}} found */
  judge(signs, found) {
    this.signs = signs;
    this.dispatchEvent(new CustomEvent('judged', { detail: found }));
    this.dispatchEvent(new CustomEvent('change', { detail: { same: true } }));
  }

  /** @param {State} state */
  result(state) {
    if (!state.outcome) return `${this.sideName(state.to_move)} to move`;
    const reason = state.reason === 'time' ? ' on time' : state.reason ? ` (${state.reason.replaceAll('-', ' ')})` : '';
    return state.outcome === 'draw' ? `Draw${reason}` : `${this.sideName(state.outcome)} wins${reason}`;
  }

  /** @param {import('./types.js').Side} side */
  sideName(side) {
    return capital(this.info?.sides[indexOf(side)] ?? side);
  }

  get info() {
    return this.session ? infoOf(this.games, this.session.game) : undefined;
  }

  /**
   * A whole move of the person, from the board or as text.
   * @param {string} move
   */
  async move(move) {
    const session = this.session;
    if (!session) return;
    if (this.taker?.(move)) return;
    try {
      if (this.locked) throw new Error('The engines are playing; pause them first.');
      await session.move(move);
    } catch (why) {
      fail(why);
      // What was refused must not stay on the board.
      this.board?.cancelHalf();
    }
  }

  /** @param {number} ply */
  goto(ply) {
    const session = this.session;
    if (session) attempt(() => session.goto(ply));
  }

  undo() {
    if (this.board?.half()) return void this.board.undoHalf();
    if (this.taker) return fail('Moves cannot be taken back here: this position has one task.');
    const session = this.session;
    if (session) attempt(() => session.undo());
  }

  redo() {
    if (this.taker) return;
    const session = this.session;
    if (session) attempt(() => session.redo());
  }
}
