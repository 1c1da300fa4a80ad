// A puzzle on the board: the person moves, the proof says whether that was right, and answers with the defence that holds out longest.

import * as api from './api.js';
import { button, el, fill } from './dom.js';
import { rightMoves, toughest } from './judge.js';
import { difficultyName, keepSolved, keepStreak, kindName, solved, streak } from './puzzles.js';
import { announce, attempt, count } from './say.js';
import { Session } from './session.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./types.js').Puzzle} Puzzle */
/** @typedef {Extract<import('./types.js').Exact, {known:true}>} Known */

/** The pause before the other side answers, so that one sees one's own move first. */
const ANSWER_MS = 500;

/**
 * What is wrong with a move.
 * @param {Known} known
 * @param {import('./types.js').ExactMove|undefined} made
 */
export function fault(known, made) {
  if (!made) return 'The proof does not list that move among the good ones.';
  if (made.outcome === known.outcome) return `That wins too, but more slowly: in ${made.distance} instead of ${known.distance}.`;
  if (made.outcome === 'draw') return 'That gives the win away: it is a draw.';
  return `That loses${made.distance ? ` in ${made.distance}` : ''}.`;
}

/**
 * What is known of the first position: the puzzle's own answer, where the proof needs a table that not every server has; else what the server knows.
 * @param {Puzzle} puzzle
 * @param {import('./types.js').Place} place
 * @returns {Promise<import('./types.js').Exact>}
 */
async function proof({ answer, distance }, place) {
  if (!answer) return api.exact(place);
  const outcome = distance === null ? 'draw' : 'win';
  return { known: true, outcome, distance, by: 'the solved table', moves: [{ move: answer, outcome, distance }] };
}

export class Solver {
  /**
   * @param {GameView} gameView
   * @param {import('./panel.js').Panel} panel
   */
  constructor(gameView, panel) {
    this.gameView = gameView;
    this.panel = panel;
    /** @type {Puzzle|null} */
    this.puzzle = null;
    /** @type {Session|null} the game on which it is solved */
    this.session = null;
    /** @type {Known|null} what is proven of the position on the board */
    this.known = null;
    this.tries = 1;
    /** @type {'asking'|'yours'|'theirs'|'solved'|'shown'} */
    this.stage = 'asking';
    this.says = el('p', { class: 'says' });
    this.element = el('section', { class: 'tutor puzzle', 'aria-label': 'Puzzle', hidden: true });
    panel.above.append(this.element);
    // Any other game that comes to the table ends the puzzle.
    gameView.addEventListener('open', () => (this.element.hidden = gameView.session !== this.session));
  }

  /** @param {string} id */
  async open(id) {
    const { puzzles } = await api.puzzles();
    const puzzle = puzzles.find((one) => one.id === id);
    if (!puzzle) throw new Error(`There is no puzzle called “${id.slice(0, 40)}”; the list shows all puzzles.`);
    const session = new Session({ game: puzzle.game, from: puzzle.from, moves: puzzle.moves });
    await session.begin(null);
    this.puzzle = puzzle;
    this.session = session;
    this.known = null;
    this.tries = 1;
    this.stage = 'asking';
    await this.gameView.open(session);
    if (!this.isOnTable(session)) return;
    this.gameView.taker = (move) => this.take(move);
    this.panel.open('play');
    this.draw('');
    announce(puzzle.title);
    await this.ask();
  }

  /** Is this puzzle still the one on the board? The person may have left it for another game meanwhile. @param {Session} session */
  isOnTable(session) {
    return this.session === session && this.gameView.session === session;
  }

  /** Moves of the puzzle that have been made. */
  get made() {
    return (this.session?.line.length ?? 0) - (this.puzzle?.moves.length ?? 0);
  }

  /** Learns what is proven of the position on the board, and gives the move to the person. */
  async ask() {
    const { session, puzzle } = this;
    if (!session || !puzzle) return;
    const answer = await proof(puzzle, session.place);
    if (!this.isOnTable(session)) return;
    if (!answer.known) {
      // In the middle of the puzzle nothing more can be checked: what was asked for has been found.
      if (this.made > 0) return this.finish();
      return this.draw(`This puzzle cannot be checked: ${answer.why}`);
    }
    this.known = answer;
    this.stage = 'yours';
    this.gameView.show({ previous: session.state, animate: false });
    this.draw(this.made > 0 ? 'Right. Continue.' : '');
  }

  /**
   * A move of the person. The board has already said that it is legal.
   * @param {string} move
   */
  take(move) {
    const { session, known } = this;
    if (!session || this.stage !== 'yours' || !known || !session.live) {
      this.gameView.board?.cancelHalf();
      if (session && !session.live) this.tell('The puzzle continues at its last position; go there first.');
      return true;
    }
    const right = rightMoves(known).some((one) => one.move === move);
    if (!right) {
      // The row ends with the first wrong answer, not with the puzzle.
      if (this.tries === 1) keepStreak(false);
      this.tries += 1;
      this.gameView.board?.cancelHalf();
      this.tell(`${move}: ${fault(known, known.moves.find((one) => one.move === move))} Try again.`);
      return true;
    }
    this.stage = 'theirs';
    attempt(() => this.play(move));
    return true;
  }

  /** Makes a right move, and the answer to it. @param {string} move */
  async play(move) {
    const { session, puzzle, known } = this;
    if (!session || !puzzle || !known) return;
    const enough = puzzle.answer ? 1 : puzzle.distance ?? (known.outcome === 'win' ? Infinity : 1);
    await session.move(move);
    if (!this.isOnTable(session)) return;
    if (session.state?.outcome || this.made >= enough) return this.finish();
    this.draw('Right.');
    const [answer] = await Promise.all([api.exact(session.place), new Promise((go) => setTimeout(go, ANSWER_MS))]);
    const reply = answer.known ? toughest(answer)?.move : undefined;
    if (!this.isOnTable(session)) return;
    if (!reply) return this.finish();
    await session.move(reply);
    if (!this.isOnTable(session)) return;
    if (session.state?.outcome || this.made >= enough) return this.finish();
    await this.ask();
  }

  finish() {
    if (!this.puzzle) return;
    const shown = this.stage === 'shown';
    if (!shown) {
      this.stage = 'solved';
      const again = this.puzzle.id in solved();
      keepSolved(this.puzzle.id, this.tries);
      if (this.tries === 1 && !again) keepStreak(true);
    }
    this.gameView.taker = null;
    const { now } = streak();
    const row = !shown && this.tries === 1 && now > 1 ? ` ${now} in a row!` : '';
    this.draw(shown ? 'That was the solution.' : `Solved${this.tries > 1 ? ` at attempt ${this.tries}` : ' at once'}.${row}`);
    /** @type {HTMLElement|null} */ (this.element.querySelector('.main'))?.focus({ preventScroll: true });
  }

  /** The right move is made for the person, who has not solved it then. */
  async reveal() {
    const { session } = this;
    const move = this.known && rightMoves(this.known)[0]?.move;
    if (!move || !session || this.stage !== 'yours') return;
    keepStreak(false);
    this.stage = 'shown';
    await session.move(move);
    if (this.isOnTable(session)) this.finish();
  }

  /** The next one of the list that is not solved yet. */
  async next() {
    const { puzzles } = await api.puzzles();
    const [done, at] = [solved(), puzzles.findIndex(({ id }) => id === this.puzzle?.id)];
    const next = [...puzzles.slice(at + 1), ...puzzles.slice(0, at)].find(({ id }) => !(id in done));
    location.hash = next ? `#puzzle=${encodeURIComponent(next.id)}` : '#page=puzzles';
  }

  /** @param {string} text */
  tell(text) {
    this.says.textContent = text;
    announce(text);
  }

  /** @param {string} text */
  draw(text) {
    const { puzzle, stage } = this;
    if (!puzzle) return;
    const over = stage === 'solved' || stage === 'shown';
    this.element.hidden = false;
    const length = puzzle.distance ? ` · ${count(puzzle.distance, 'move')} of both sides` : '';
    fill(this.element, [el('h2', {}, puzzle.title), el('p', { class: 'small' }, `Puzzle ${puzzle.id} · ${kindName(puzzle.kind)} · ${difficultyName(puzzle)}${length}${this.known ? ` · proven by ${this.known.by}` : ''}`), this.says,
      el('div', { class: 'buttons' }, over && button('Next', () => attempt(() => this.next()), { class: 'main' }), over && button('Again', () => attempt(() => this.open(puzzle.id))),
        stage === 'yours' && button('Show the move', () => attempt(() => this.reveal())), el('a', { class: 'button', href: '#page=puzzles' }, 'All puzzles'))]);
    this.tell(text);
  }
}
