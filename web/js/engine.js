// The engine that looks at the position that is shown, and what it draws over the board.

import * as api from './api.js';
import { fromDone, fromExact, fromOutcome, fromReport, counts, rightMoves, toughest } from './judge.js';
import { fail } from './say.js';
import { settings } from './settings.js';
import { socket } from './socket.js';

/** @typedef {import('./types.js').Report} Report */
/** @typedef {import('./types.js').Done} Done */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').HeatEntry} HeatEntry */
/** @typedef {import('./game-view.js').GameView} GameView */

/** Heat maps in the order of the key `m`. That of the policy is there only for engines that expect something before they search. */
export const HEATS = /** @type {const} */ (['off', 'visits', 'value', 'policy', 'exact']);
/** @typedef {typeof HEATS[number]} Heat */

/** What is said when help is asked for in a game between people. */
export const UNFAIR = 'No engine helps in a game between people; when it is over, ask again.';

/** Milliseconds between two lines for those who want no motion. */
const STILL = 1000;

/** Fires `update` when there is news of the search, `toggle` when it is switched. */
export class Engine extends EventTarget {
  /** @param {GameView} gameView */
  constructor(gameView) {
    super();
    this.gameView = gameView;
    this.on = false;
    /** @type {State|null} the position that the news is about */
    this.of = null;
    /** @type {Report|null} */
    this.report = null;
    /** @type {Done|null} */
    this.done = null;
    /** @type {number|null} */
    this.queued = null;
    /** @type {ReturnType<typeof socket.analyse>|null} */
    this.search = null;
    /** @type {WeakMap<State, import('./types.js').Exact>} what is proven, as far as it was asked for */
    this.exacts = new WeakMap();
    /** The question that is being asked about a position. @type {{of:State,abort:AbortController,done:Promise<void>}|null} */
    this.proof = null;
    /** @type {Report|null} what an agent at the board thinks, where somebody wants to see it */
    this.watched = null;
    /** @type {import('./boards/overlays.js').Looked|null} a step of a search that is shown in slow motion */
    this.shown = null;
    /** A line that a review prefers to the move made here, shown where no search has one. @type {string[]|null} */
    this.preferred = null;
    /** When the line that is being looked at was last drawn. */
    this.drawn = 0;
    // Help that was wanted in one game is not given unasked in the next: marks would solve a puzzle.
    gameView.addEventListener('open', () => {
      this.turn(false);
      if (settings.get('heat') === 'exact') settings.set('heat', 'off');
    });
    gameView.addEventListener('change', () => {
      // The board takes off what was drawn for the last position; so it is drawn again, or gone like a hint.
      this.draw();
      this.look();
      this.prove();
    });
    socket.addEventListener('up', () => this.on && this.look(true));
    settings.addEventListener('change', (event) => {
      const { key } = /** @type {CustomEvent} */ (event).detail;
      if (key === 'engine' || key === 'thought') this.look(true);
      if (key === 'heat' || key === 'arrow' || key === 'ghosts' || key === 'live') this.draw();
      if (key === 'heat') this.prove();
    });
  }

  toggle() {
    this.turn(!this.on);
  }

  /** @param {boolean} on */
  turn(on) {
    if (on && this.gameView.session && !this.gameView.session.advised) return fail(UNFAIR);
    if (this.on === on) return;
    this.on = on;
    this.forget();
    this.dispatchEvent(new Event('toggle'));
    this.look(true);
    this.prove();
  }

  /** Is it worth asking what is proven? */
  get curious() {
    return (this.on || settings.get('heat') === 'exact') && (this.gameView.session?.advised ?? true);
  }

  /** Asks what is proven of the position that is shown, once; a question about another position is given up. @returns {Promise<void>} */
  prove() {
    const session = this.gameView.session;
    const state = session?.state;
    if (this.proof?.of !== state) this.proof?.abort.abort();
    if (!this.curious || !state || state.outcome || this.exacts.has(state)) return Promise.resolve();
    if (this.proof?.of === state && !this.proof.abort.signal.aborted) return this.proof.done;
    const abort = new AbortController();
    this.proof = { of: state, abort, done: this.proven(session.place, state, abort.signal) };
    return this.proof.done;
  }

  /**
   * @param {import('./types.js').Place} place
   * @param {State} state
   * @param {AbortSignal} signal
   */
  async proven(place, state, signal) {
    const answer = await api.exact(place, signal).catch(() => null);
    if (this.proof?.of === state) this.proof = null;
    if (!answer) return;
    this.exacts.set(state, answer);
    if (this.gameView.session?.state !== state) return;
    this.draw();
    this.dispatchEvent(new Event('update'));
  }

  /** What is proven of the position that is shown; null as long as nobody asked or answered. */
  get exact() {
    const state = this.gameView.session?.state;
    return (state && this.curious && this.exacts.get(state)) || null;
  }

  /** Shows what an agent at the board looks at and expects, or takes it away. @param {Report|null} report */
  watch(report) {
    if (report === this.watched) return;
    this.watched = report;
    this.draw();
  }

  /** Shows a step of a search in slow motion, before all else; or takes it away. @param {Engine['shown']} shown */
  present(shown) {
    this.shown = shown;
    this.draw();
  }

  /** Shows the line that was better here, or takes it away. @param {string[]|null} line */
  prefer(line) {
    if (line === this.preferred) return;
    this.preferred = line;
    this.draw();
  }

  /** What a search that runs is at, where that is wanted. @returns {Engine['shown']} */
  get looked() {
    const report = this.thinking ? this.report : this.watched;
    if (!report?.now.length || !settings.get('live')) return null;
    // One line is enough at a time: the one that has just been cut off, or else the one that is being looked at.
    return report.cut.length ? { line: report.cut, cut: true, value: null } : { line: report.now, cut: false, value: null };
  }

  forget() {
    this.search?.leave();
    this.search = null;
    this.report = this.done = this.of = this.queued = null;
    this.draw();
    this.dispatchEvent(new Event('update'));
  }

  /**
   * Looks at what is shown, if it has not looked yet.
   * @param {boolean} [afresh]
   */
  look(afresh = false) {
    const session = this.gameView.session;
    const state = session?.state;
    if (!this.on || !state || (!afresh && state === this.of)) return;
    this.forget();
    this.of = state;
    if (state.outcome) return;
    const search = socket.analyse(session.place, {
      agent: settings.get('engine') || undefined,
      proofs: true,
      limit: { time_ms: settings.get('thought') },
      short: state.position,
      report: (report) => this.hear(search, { report }),
      queued: (queued) => this.hear(search, { queued }),
    });
    this.search = search;
    search.done.then((done) => this.hear(search, { done }), (why) => {
      if (this.search !== search) return;
      this.search = null;
      if (!socket.up) return;
      if (/** @type {{busy?: boolean}} */ (why).busy) return this.wait();
      this.turn(false);
      fail(why);
    });
  }

  /**
   * @param {NonNullable<Engine['search']>} search
   * @param {{report?:Report,done?:Done,queued?:number}} news
   */
  hear(search, news) {
    if (this.search !== search) return;
    if (news.report) this.report = news.report;
    if (news.done) this.done = news.done;
    this.queued = news.queued ?? null;
    this.draw();
    this.dispatchEvent(new Event('update'));
  }

  /** The server has no room for another search just now: it is asked again. */
  wait() {
    const { of } = this;
    this.queued = 0;
    this.dispatchEvent(new Event('update'));
    setTimeout(() => this.on && this.of === of && this.look(true), 1000);
  }

  /** Ends the search with what it has. */
  stop() {
    this.search?.stop();
  }

  get thinking() {
    return !!this.search && !this.done;
  }

  /** What is known of the position that is shown, for the first player. */
  get verdict() {
    const state = this.gameView.session?.state;
    if (!state) return null;
    if (state.outcome) return fromOutcome(state);
    if (this.exact?.known) return fromExact(this.exact, state.to_move);
    if (!this.on || state !== this.of) return null;
    if (this.done) return fromDone(this.done, state.to_move);
    return this.report && this.report.value !== null ? fromReport(this.report, state.to_move) : null;
  }

  /** The best line, as far as it is known; it begins with a move that is proven best where there is a proof. */
  get line() {
    const line = this.done?.pv.length ? this.done.pv : this.report?.pv ?? [];
    const best = this.exact?.known ? toughest(this.exact)?.move : undefined;
    const right = this.exact?.known && rightMoves(this.exact).some(({ move }) => move === line[0]);
    return best === undefined || right ? line : [best];
  }

  /** Root moves as the board draws them. @returns {HeatEntry[]} */
  get entries() {
    const roots = this.report?.roots ?? [];
    if (!this.report || !roots.length) return [];
    if (counts(this.report)) {
      const visits = roots.reduce((sum, root) => sum + (root.visits ?? 0), 0) || 1;
      return roots.map((root) => ({ ...root, share: (root.visits ?? 0) / visits }));
    }
    return roots.map((root) => ({ ...root, share: 0, scored: true }));
  }

  /** What the engine expected of each move before it searched. @returns {HeatEntry[]} */
  get policy() {
    const roots = this.on ? this.report?.roots ?? [] : [];
    return roots.flatMap(({ prior, ...root }) => (prior == null ? [] : [{ ...root, share: prior }]));
  }

  /** The heat maps that there are. @returns {Heat[]} */
  get heats() {
    const blind = this.on && !!this.report?.roots.length && !counts(this.report);
    return HEATS.filter((heat) => (heat === 'policy' ? this.policy.length > 0 : heat !== 'visits' || !blind));
  }

  /** Outcomes of moves that are proven: those of the prover, or the one that the engine has found. @returns {import('./boards/board.js').Mark[]|null} */
  get marks() {
    if (this.exact?.known) return this.exact.moves.map(({ move, outcome, distance }) => ({ move, outcome, distance: distance ?? undefined }));
    const proven = this.on ? this.done?.proven : null;
    return proven && this.done ? [{ move: this.done.move, outcome: proven, distance: this.done.distance ?? undefined }] : null;
  }

  /** Puts on the board what is wanted there. */
  draw() {
    const board = this.gameView.board;
    if (!board) return;
    const heat = settings.get('heat');
    const entries = this.on ? this.entries : [];
    const shown = heat === 'policy' ? this.policy : heat === 'visits' || heat === 'value' ? entries.filter((entry) => entry.visits !== 0 && (heat === 'value' || !entry.scored)) : [];
    board.heat(shown.length ? shown : null, heat === 'policy' || heat === 'visits' ? heat : 'value');
    board.marks(heat === 'exact' ? this.marks : null);
    const line = this.on ? this.line : [];
    const ghosts = settings.get('ghosts') && line.length ? line : this.preferred ?? this.watched?.pv;
    board.ghosts(ghosts?.length ? ghosts : null);
    board.arrow(settings.get('arrow') && line.length ? line[0] : this.preferred?.[0] ?? null);
    const looked = this.shown ?? this.looked;
    // Who wants no motion sees a line a second.
    if (looked && looked !== this.shown && board.motion.still && performance.now() - this.drawn < STILL) return;
    this.drawn = performance.now();
    board.looked(looked);
  }

  /** The next kind of heat map. */
  turnHeat() {
    const { heats } = this;
    const next = heats[(heats.indexOf(/** @type {Heat} */ (settings.get('heat'))) + 1) % heats.length];
    settings.set('heat', next);
    return next;
  }
}
