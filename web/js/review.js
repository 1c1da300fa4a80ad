// The tab Review: every ply of the game looked at with the same budget, mistakes found, and a second try at each.

import { button, el, field, fill, select } from './dom.js';
import { accuracy, fromDone, fromOutcome, grade, percent, weighed } from './judge.js';
import { Graph, SIGNS } from './graph.js';
import { fail, note } from './say.js';
import { settings } from './settings.js';
import { socket } from './socket.js';

/** @typedef {import('./desk.js').Desk} Desk */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./judge.js').Verdict} Verdict */
/** @typedef {import('./graph.js').Judged} Judged */
/** @typedef {import('./types.js').Side} Side */

/** Budgets a ply. @type {[string, string][]} */
const BUDGETS = [['100', '0.1 s'], ['400', '0.4 s'], ['1000', '1 s'], ['3000', '3 s'], ['10000', '10 s']];

export class Review {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Session|null} the game that was reviewed */
    this.of = null;
    /** @type {string[]} */
    this.moves = [];
    /** @type {(Verdict|null)[]} what each position is worth */
    this.verdicts = [];
    /** @type {(Verdict|null)[]} what the engine's own move is worth in each */
    this.bests = [];
    /** @type {string[]} the engine's own moves */
    this.better = [];
    /** @type {Judged[]} */
    this.judged = [];
    /** @type {Side} */
    this.opener = 'first';
    this.running = false;
    /** @type {ReturnType<typeof socket.analyse>|null} */
    this.search = null;
    /** @type {number|null} the mistake that is tried again */
    this.trying = null;
    this.graph = new Graph((ply) => this.jump(ply));
    this.start = button('Review', () => (this.running ? this.stop() : this.run()), { class: 'main' });
    this.budget = select(BUDGETS, String(settings.get('review')), (value) => settings.set('review', Number(value)));
    this.cost = el('p', { class: 'small' });
    this.progress = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Positions reviewed' });
    this.summary = el('div');
    this.here = el('p', { class: 'verdict' });
    this.nav = el('div', { class: 'buttons', hidden: true }, button('◀ Mistake', () => this.step(-1), { title: 'p', 'aria-label': 'Previous mistake' }),
      button('Mistake ▶', () => this.step(1), { title: 'n', 'aria-label': 'Next mistake' }), button('Try again', () => this.tryAgain()));
    this.graph.element.hidden = true;
    this.element = el('div', {}, el('div', { class: 'pair' }, this.start, field('Budget a move', this.budget)), this.cost, this.progress, this.graph.element,
      this.nav, this.here, this.summary);
    desk.addEventListener('open', () => this.reset());
    desk.addEventListener('change', () => this.changed());
    settings.addEventListener('change', () => this.changed());
  }

  reset() {
    this.stop();
    this.of = null;
    this.moves = [];
    this.verdicts = [];
    this.judged = [];
    this.trying = null;
    this.graph.element.hidden = this.nav.hidden = true;
    fill(this.summary, []);
    this.here.textContent = '';
  }

  changed() {
    const session = this.desk.session;
    if (!session) return;
    const plies = session.line.length;
    const seconds = ((plies + 1) * settings.get('review')) / 1000;
    this.cost.textContent = this.running ? '' : plies ? `${plies + 1} positions with mcts: about ${Math.ceil(seconds)} to ${Math.ceil(2 * seconds)} s.` : 'There are no moves to review yet.';
    this.start.disabled = !plies && !this.running;
    if (this.of !== session || !this.moves.length) return;
    this.graph.mark(session.branch ? session.branch.at : session.ply);
    this.tell();
    this.check();
  }

  stop() {
    this.running = false;
    this.search?.leave();
    this.search = null;
    this.start.textContent = 'Review';
    this.progress.hidden = true;
  }

  async run() {
    const session = this.desk.session;
    if (!session?.line.length) return;
    this.reset();
    this.of = session;
    this.moves = [...session.line];
    this.verdicts = Array(this.moves.length + 1).fill(null);
    this.bests = [...this.verdicts];
    this.better = [];
    this.opener = session.firstToMove();
    this.running = true;
    this.start.textContent = 'Stop';
    this.progress.hidden = false;
    this.graph.element.hidden = false;
    try {
      // From the end: what is known of the end is there first, and the graph grows towards the beginning.
      for (let ply = this.moves.length; ply >= 0 && this.running; ply--) {
        const state = await session.stateOf(this.moves.slice(0, ply));
        let verdict = fromOutcome(state);
        if (!verdict) {
          const looked = await this.look({ game: session.game, position: session.from, moves: this.moves.slice(0, ply) }, state);
          if (!this.running || this.of !== session) return;
          verdict = looked.verdict;
          this.better[ply] = looked.move;
          this.bests[ply] = ply < this.moves.length ? await this.bestAt(session, ply, looked) : looked.best;
          if (!this.running || this.of !== session) return;
        }
        this.verdicts[ply] = verdict;
        this.progress.value = 1 - ply / (this.moves.length + 1);
        this.judge();
        this.draw();
      }
      const count = this.judged.filter(({ kind }) => kind !== 'fine').length;
      if (this.running) note(`Review finished: ${count} ${count === 1 ? 'move' : 'moves'} to look at.`);
    } catch (why) {
      if (this.running) fail(why);
    }
    if (this.of === session) this.stop();
    this.changed();
  }

  /**
   * @param {import('./types.js').Place} place
   * @param {import('./types.js').State} state
   * @returns {Promise<{verdict:Verdict,best:Verdict,move:string}>}
   */
  async look(place, state) {
    /** @type {import('./types.js').Report|null} */
    let last = null;
    const limit = { time_ms: settings.get('review') };
    this.search = socket.analyse(place, { agent: 'mcts', limit, short: state.position, report: (report) => (last = report) });
    const done = await this.search.done;
    const best = fromDone(done, state.to_move);
    return { verdict: last ? weighed(last, done, state.to_move) : best, best, move: done.move };
  }

  /**
   * What the engine's own move is worth, measured as the move played is. A search thinks better of the move it has just chosen than a search of the
   * position after it does; so where a move seems to lose something, the position after the engine's move is looked at with the same budget.
   * @param {Session} session
   * @param {number} ply
   * @param {{best:Verdict,move:string}} looked
   */
  async bestAt(session, ply, { best, move }) {
    const after = this.verdicts[ply + 1];
    if (best.exact || !after) return best;
    // The engine would have played the same; only a proof shows that it would have been wrong.
    if (move === this.moves[ply]) return after.exact ? best : after;
    if (grade(best, after, this.moverAt(ply))?.kind === 'fine') return best;
    const moves = [...this.moves.slice(0, ply), move];
    const state = await session.stateOf(moves);
    return fromOutcome(state) ?? (await this.look({ game: session.game, position: session.from, moves }, state)).verdict;
  }

  /** @param {number} ply @returns {Side} */
  moverAt(ply) {
    return (ply % 2 === 0) === (this.opener === 'first') ? 'first' : 'second';
  }

  judge() {
    const grades = this.moves.map((_, ply) => {
      const [before, after] = [this.bests[ply], this.verdicts[ply + 1]];
      return before && after ? grade(before, after, this.moverAt(ply)) : null;
    });
    // A mistake is punished when the answer to it was fine.
    this.judged = grades.flatMap((one, ply) => {
      const answer = grades[ply + 1];
      return one ? [{ ply, ...one, punished: !!answer && answer.kind === 'fine', ms: this.of?.ms[ply] ?? null }] : [];
    });
  }

  draw() {
    this.graph.show(this.moves, this.verdicts, this.judged);
    this.graph.mark(this.desk.session?.ply ?? 0);
    this.nav.hidden = false;
    const sides = /** @type {Side[]} */ (['first', 'second']);
    const rows = sides.map((side) => {
      const own = this.judged.filter(({ ply }) => this.moverAt(ply) === side);
      const exact = accuracy(own.map(({ loss }) => loss));
      const count = (/** @type {string} */ kind) => String(own.filter((one) => one.kind === kind).length);
      return el('tr', {}, el('th', { scope: 'row' }, this.desk.sideName(side)), el('td', {}, exact === null ? '–' : `${exact.toFixed(0)} %`), el('td', {}, count('inaccuracy')),
        el('td', {}, count('mistake')), el('td', {}, count('blunder')), el('td', {}, count('win thrown away')));
    });
    const kinds = /** @type {[string, string][]} */ ([[SIGNS.inaccuracy, 'Inaccuracies'], [SIGNS.mistake, 'Mistakes'], [SIGNS.blunder, 'Blunders'], [SIGNS['win thrown away'], 'Wins thrown away']]);
    const heads = [...['Side', 'Accuracy'].map((text) => el('th', { scope: 'col' }, text)),
      ...kinds.map(([sign, name]) => el('th', { scope: 'col' }, el('abbr', { title: name }, sign)))];
    fill(this.summary, [el('div', { class: 'scroll' }, el('table', { class: 'moves' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows))),
      el('p', { class: 'small' }, 'Loss: win share after the engine’s own move less that after the move played, both looked at with the same budget. Below 5 % fine, below 15 % an inaccuracy (?!), below 30 % a mistake (?), else a blunder (??); ✕ is a proven win thrown away. Accuracy: 100 % less the mean loss. Values are estimates of mcts unless they are called exact.')]);
    this.tell();
  }

  /** What is to be said of the move that led to the position that is shown. */
  tell() {
    const session = this.desk.session;
    if (!session || session.branch || this.trying !== null) return;
    const mark = this.judged.find(({ ply }) => ply === session.ply - 1);
    if (!mark) return void (this.here.textContent = '');
    const better = this.better[mark.ply];
    const more = mark.kind !== 'fine' && better && better !== this.moves[mark.ply] ? ` The engine preferred ${better}.` : '';
    this.here.textContent = `${mark.ply + 1}. ${this.moves[mark.ply]} ${SIGNS[mark.kind]} ${mark.kind}, loses ${percent(mark.loss)}.${more}`;
  }

  /** @param {number} ply */
  async jump(ply) {
    const session = this.desk.session;
    if (!session) return;
    this.trying = null;
    if (session.branch) await session.leaveBranch(ply);
    else this.desk.goto(ply);
  }

  /** The next or the last mistake. @param {1|-1} step */
  step(step) {
    const at = (this.desk.session?.ply ?? 1) - 1;
    const bad = this.judged.filter(({ kind }) => kind !== 'fine').map(({ ply }) => ply);
    const next = step > 0 ? bad.find((ply) => ply > at) : bad.findLast((ply) => ply < at);
    if (next === undefined) return note(step > 0 ? 'No more mistakes after this.' : 'No mistakes before this.');
    this.jump(next + 1);
  }

  /** Back to before the mistake: the person finds a better move. */
  async tryAgain() {
    const session = this.desk.session;
    const mark = this.judged.find(({ ply }) => ply === (session?.ply ?? 0) - 1);
    if (!session || !mark) return note('Go to a mistake first.');
    await this.jump(mark.ply);
    this.trying = mark.ply;
    this.here.textContent = `${this.desk.sideName(this.moverAt(mark.ply))} played ${this.moves[mark.ply]}. Find a better move.`;
  }

  /** Looks at a second try, when there is one on the board. */
  async check() {
    const session = this.desk.session;
    const at = this.trying;
    if (!session || at === null || session.ply === at) return;
    this.trying = null;
    const [before, mover] = [this.bests[at], this.moverAt(at)];
    const state = session.state;
    if (!session.branch || session.ply !== at + 1 || !before || !state) return;
    this.here.textContent = 'Looking at your move…';
    try {
      const after = fromOutcome(state) ?? (await this.look(session.place, state)).verdict;
      const one = grade(before, after, mover);
      if (!one || this.desk.session !== session) return;
      const good = one.kind === 'fine';
      this.here.textContent = `${session.shown[at]}: ${one.kind}, loses ${percent(one.loss)}. ${good ? 'Better!' : 'Not yet; try again, or go on.'}`;
      note(this.here.textContent);
      if (!good) {
        this.trying = at;
        await session.leaveBranch(at);
      }
    } catch (why) {
      fail(why);
    }
  }
}
