// Two engines at one board: each thinks in its turn, at the speed that is wanted; pause, step, go on.

import { fail } from './say.js';
import { settings } from './settings.js';
import { socket } from './socket.js';

/** @typedef {import('./game-view.js').GameView} GameView */

/** Fires `change` when it begins, pauses or ends, `think` when there is news of a search. */
export class Match extends EventTarget {
  /** @param {GameView} gameView */
  constructor(gameView) {
    super();
    this.gameView = gameView;
    this.running = false;
    /** How often it was begun: a pause that ends before the last run has noticed must not leave two. */
    this.round = 0;
    /** @type {ReturnType<typeof socket.analyse>|null} */
    this.search = null;
    /** @type {import('./types.js').Report|null} what the engine that is thinking told last */
    this.report = null;
    gameView.addEventListener('open', () => this.pause());
  }

  /** Is the open game one between engines? */
  get fits() {
    const session = this.gameView.session;
    return !!session && !session.room && session.seats.every((seat) => seat.who === 'agent');
  }

  /** @param {boolean} running */
  set(running) {
    this.running = running;
    this.gameView.locked = running;
    this.dispatchEvent(new Event('change'));
  }

  pause() {
    this.search?.leave();
    this.look(null);
    if (this.running) this.set(false);
  }

  /** @param {Match['search']} search */
  look(search) {
    this.search = search;
    this.report = null;
    const session = this.gameView.session;
    if (session) {
      session.thinking = search !== null;
      // What passes between two moves is nobody's time.
      if (search) session.since = Date.now();
    }
    this.dispatchEvent(new Event('think'));
  }

  async go() {
    if (this.running || !this.fits) return;
    const session = this.gameView.session;
    const round = ++this.round;
    const on = () => this.running && this.round === round && this.gameView.session === session;
    this.set(true);
    while (on() && (await this.step())) await new Promise((go) => setTimeout(go, settings.get('speed')));
    if (on()) this.set(false);
  }

  /** One move. @returns {Promise<boolean>} whether there was one */
  async step() {
    const session = this.gameView.session;
    if (!session || !this.fits) return false;
    try {
      if (!session.live) await session.leaveBranch(session.line.length);
      const state = session.state;
      if (!state || state.outcome || this.search) return false;
      const seat = session.seats[state.to_move === 'first' ? 0 : 1];
      if (seat.who !== 'agent') return false;
      // Every move has a stream of its own, so that a match can be repeated from its seed.
      const search = socket.analyse(session.place, { agent: seat.agent, seed: session.seed + state.plies, short: state.position, report: (report) => {
        if (this.search !== search) return;
        this.report = report;
        this.dispatchEvent(new Event('think'));
      } });
      this.look(search);
      const done = await search.done;
      if (this.search !== search || session !== this.gameView.session) return false;
      this.look(null);
      await session.move(done.move);
      return !session.state?.outcome;
    } catch (why) {
      this.look(null);
      fail(why);
      return false;
    }
  }

  /** The move that the engine has so far is made at once. */
  hurry() {
    this.search?.stop();
  }
}
