// The head of the panel: where the game stands, and at its end who won, with what can be done next.

import { button, el, fill } from './dom.js';
import { percent, words } from './judge.js';
import { playerName } from './levels.js';
import { makeRoom, RoomSession } from './room.js';
import { attempt } from './say.js';
import { other } from './spec.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./types.js').Seat} Seat */

/** The strongest level. */
const TOP = 8;
/** Moves of the best line on a small screen. */
const LINE = 8;

/** The number of a level, if the seat has one. @param {Seat|undefined} seat */
const levelOf = (seat) => (seat?.who === 'agent' && seat.agent.startsWith('level:') ? Number(seat.agent.slice(6)) : null);

export class Headline {
  /**
   * @param {GameView} gameView
   * @param {Engine} engine
   * @param {() => void} review shows the review of the game
   */
  constructor(gameView, engine, review) {
    this.gameView = gameView;
    this.engine = engine;
    this.outcome = el('p', { class: 'outcome', hidden: true });
    this.status = el('p', { class: 'status' });
    this.next = button('Next level', () => this.again(1), { class: 'main' });
    this.rematch = button('Rematch', () => this.again(0));
    this.buttons = el('div', { class: 'buttons', hidden: true }, this.next, this.rematch, button('Review', review));
    // Beside a board that fills a small screen there is no room for the panel: the best line stands here.
    this.line = el('p', { class: 'bestline', hidden: true });
    /** A wish to take a move back, between people. */
    this.wish = el('div', { class: 'wish', role: 'status' });
    this.element = el('div', { class: 'headline' }, this.outcome, this.status, this.line, this.buttons, this.wish);
    for (const name of ['open', 'change']) gameView.addEventListener(name, () => this.update());
    engine.addEventListener('update', () => this.showLine());
  }

  update() {
    const session = this.gameView.session;
    const state = session?.state;
    if (!session || !state) return;
    const where = session.branch ? 'Try-out. ' : session.ply < session.line.length ? `Move ${session.ply} of ${session.line.length}. ` : '';
    const again = state.occurrences > 1 ? ` This position has occurred ${state.occurrences} times; the third time is a draw.` : '';
    const wait = 'waiting' in session && session.waiting ? ` ${session.waiting}` : '';
    this.status.textContent = `${where}${this.gameView.result(state)}.${again}${wait}`;
    this.status.classList.toggle('over', !!state.outcome);
    const ended = !!session.room && !!session.last?.outcome && session.mine.length > 0 && !this.gameView.taker;
    this.outcome.hidden = this.buttons.hidden = !ended;
    if (ended) this.end(session);
    this.showWish(session);
    this.showLine();
  }

  /** Somebody would like to take a move back, or to play again: the other one says whether. @param {Session} session */
  showWish(session) {
    const room = session instanceof RoomSession ? session : null;
    const over = !!session.last?.outcome;
    const asked = room?.mine.length === 1 ? (over ? room.rematchAsked : room.undoAsked) : null;
    const next = room?.rematch ?? null;
    const said = `${session.room} ${over} ${asked} ${next}`;
    if (this.wish.dataset.said === said) return;
    this.wish.dataset.said = said;
    if (next) return fill(this.wish, [el('p', {}, 'The rematch has begun. ', el('a', { href: `#room=${next}` }, 'Go to it'))]);
    if (!room || !asked) return fill(this.wish, []);
    const decline = () => attempt(() => room.decline());
    const agree = () => attempt(() => (over ? room.askRematch() : room.undo()));
    const rival = room.seats[asked === 'first' ? 0 : 1];
    const [own, others] = over ? ['You have asked for a rematch.', 'would like a rematch.'] : ['You have asked to take your last move back.', 'would like to take a move back.'];
    fill(this.wish, room.mine[0] === asked
      ? [el('p', {}, own), el('div', { class: 'buttons' }, button('Never mind', decline))]
      : [el('p', {}, `${(rival.who === 'person' && rival.name) || 'Your opponent'} ${others}`),
        el('div', { class: 'buttons' }, button('Agree', agree, { class: 'main' }), button('Decline', decline))]);
  }

  /** The game is over, for a person at this screen. @param {Session} session */
  end(session) {
    const side = session.mine[0];
    const rival = session.seats[side === 'first' ? 1 : 0];
    const [result, both] = [session.last?.outcome, session.mine.length === 2];
    const name = rival.who === 'agent' ? playerName(rival.agent) : rival.name || 'your opponent';
    const won = result === side;
    this.outcome.textContent = both ? this.gameView.result(/** @type {import('./types.js').State} */ (session.last))
      : result === 'draw' ? `A draw with ${name}` : `You ${won ? 'won' : 'lost'}${session.last?.reason === 'time' ? ' on time' : ''} ${won ? 'against' : 'to'} ${name}`;
    const level = levelOf(rival);
    this.next.hidden = !won || level === null || level >= TOP;
    this.next.textContent = `Next level: ${(level ?? 0) + 1}`;
    this.rematch.classList.toggle('main', this.next.hidden);
    this.rematch.hidden = session instanceof RoomSession && (session.rematchAsked !== null || session.rematch !== null);
  }

  /** The same game with the seats exchanged, or against a stronger level with the seats as they are. @param {0|1} stronger */
  async again(stronger) {
    const session = this.gameView.session;
    if (!(session instanceof RoomSession)) return;
    const seats = /** @type {[Seat, Seat]} */ (stronger
      ? session.seats.map((seat) => (seat.who === 'agent' ? { ...seat, agent: `level:${(levelOf(seat) ?? 0) + 1}` } : seat))
      : [session.seats[1], session.seats[0]]);
    const [{ invite }, { clock }] = [session.keys, session];
    // The other person has to agree, unless nobody has come yet.
    if (session.between && !invite) return void attempt(() => session.askRematch());
    await attempt(async () => {
      location.hash = `#room=${await makeRoom({ game: session.game, position: session.from, moves: [], seats, clock: clock && { main_ms: clock.main_ms, increment_ms: clock.increment_ms } }, invite ? other(invite.side) : null)}`;
    });
  }

  showLine() {
    const { engine, gameView } = this;
    const [verdict, state] = [engine.verdict, gameView.session?.state];
    this.line.hidden = !engine.on || !state || !!state.outcome;
    if (this.line.hidden || !state) return;
    const draws = verdict?.draw && !verdict.exact ? `, draws ${percent(verdict.draw)}` : '';
    this.line.textContent = verdict ? `${gameView.sideName(state.to_move)}: ${words(verdict, state.to_move)}${draws} · ${engine.line.slice(0, LINE).join(' ')}` : 'Thinking…';
  }
}
