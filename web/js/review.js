// The tab Review: the server looks at every move of the game with the same budget and tells what it gave away; mistakes are marked, with a second try at each.

import { button, el, field, fill, grouped, select } from './dom.js';
import { UNFAIR } from './engine.js';
import { COUNTING } from './engines.js';
import { accuracy, fromOutcome, fromPly, percent } from './judge.js';
import { Graph, SIGNS } from './graph.js';
import { iconButton } from './icons.js';
import { attempt, count, fail, note } from './say.js';
import { settings } from './settings.js';
import { socket } from './socket.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./judge.js').Verdict} Verdict */
/** @typedef {import('./graph.js').Judged} Judged */
/** @typedef {import('./types.js').Side} Side */
/** @typedef {import('./types.js').Ply} Ply */

/** Moves of the better line that are told. */
const LINE = 6;

/** Budgets a ply. @type {[string, string][]} */
const BUDGETS = [['100', '0.1 s'], ['400', '0.4 s'], ['1000', '1 s'], ['3000', '3 s'], ['10000', '10 s']];

export class Review {
  /**
   * @param {GameView} gameView
   * @param {import('./engine.js').Engine} engine
   */
  constructor(gameView, engine) {
    this.gameView = gameView;
    this.engine = engine;
    /** @type {Session|null} the game that was reviewed */
    this.of = null;
    /** @type {string[]} */
    this.moves = [];
    /** @type {Ply[]} the moves that were judged, from the first */
    this.plies = [];
    /** @type {Judged[]} */
    this.judged = [];
    /** @type {import('./socket.js').Work<unknown>|null} */
    this.work = null;
    /** @type {number|null} the mistake that is tried again */
    this.trying = null;
    /** @type {number|null} the mistake whose better move was asked for: its position may follow another mistake */
    this.asked = null;
    this.graph = new Graph((ply) => this.jump(ply));
    this.start = button('Review', () => (this.work ? this.work.stop() : this.run()), { class: 'main' });
    this.budget = select(BUDGETS, String(settings.get('review')), (value) => settings.set('review', Number(value)));
    this.reviewer = el('select', { on: { change: () => settings.set('reviewer', this.reviewer.value) } });
    grouped(this.reviewer, COUNTING);
    this.reviewer.value = settings.get('reviewer');
    this.cost = el('p', { class: 'small' });
    this.progress = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Positions reviewed' });
    this.summary = el('div');
    this.measured = el('details', {}, el('summary', {}, 'How is this measured?'), el('p', { class: 'small' }, 'Loss: the win share after the engine’s move minus that after the move played, both searched with the same time; zero for the engine’s own move. Below 5 % is fine, below 15 % an inaccuracy (?!), below 30 % a mistake (?), otherwise a blunder (??); ✕ is a proven win thrown away. Accuracy: 100 % for a move that gives nothing away, 82 % for one that loses 5 %, 30 % for one that loses 30 %; one decisive mistake weighs more than its share. Values are estimates unless they are called exact.'));
    this.here = el('p', { class: 'verdict' });
    this.nav = el('div', { class: 'buttons mistakes', hidden: true }, iconButton('back', 'Previous mistake', () => this.step(-1), { title: 'Previous mistake (p)' }),
      iconButton('forward', 'Next mistake', () => this.step(1), { title: 'Next mistake (n)' }), button('Better move', () => this.showBetter()), button('Retry from here', () => this.tryAgain()));
    this.graph.element.hidden = true;
    this.element = el('div', {}, el('div', { class: 'ask' }, field('Engine', this.reviewer), field('Time per move', this.budget), this.start), this.cost, this.progress, this.here, this.nav,
      this.graph.element, this.summary);
    gameView.addEventListener('open', () => this.reset());
    gameView.addEventListener('change', () => this.changed());
    settings.addEventListener('change', () => this.changed());
  }

  reset() {
    this.work?.leave();
    this.ended();
    this.of = null;
    this.moves = [];
    this.plies = [];
    this.judged = [];
    this.trying = this.asked = null;
    this.engine.prefer(null);
    this.graph.element.hidden = this.nav.hidden = true;
    fill(this.summary, []);
    this.here.textContent = '';
  }

  changed() {
    const session = this.gameView.session;
    if (!session) return;
    const plies = session.line.length;
    const seconds = ((plies + 1) * settings.get('review')) / 1000;
    this.cost.textContent = this.work || this.judged.length ? '' : plies ? `${plies + 1} positions: about ${Math.ceil(seconds)} to ${Math.ceil(2 * seconds)} s.` : 'There are no moves to review yet.';
    this.start.disabled = !plies && !this.work;
    if (this.of !== session || !this.moves.length) return;
    this.graph.mark(session.branch ? session.branch.at : session.ply);
    this.tell();
    this.check();
  }

  /** The work is over, or given up. */
  ended() {
    this.work = null;
    this.start.textContent = 'Review';
    this.progress.hidden = true;
  }

  async run() {
    const session = this.gameView.session;
    if (!session?.line.length) return;
    if (!session.advised) return fail(UNFAIR);
    this.reset();
    this.of = session;
    this.moves = [...session.line];
    try {
      const work = socket.review({ game: session.game, position: session.from, moves: this.moves }, { ...this.how, ply: (ply) => this.work === work && this.hear(ply) });
      this.work = work;
      this.start.textContent = 'Stop';
      this.progress.value = 0;
      this.progress.hidden = this.graph.element.hidden = false;
      this.changed();
      const { stopped } = await work.done;
      if (this.work !== work) return;
      const bad = this.judged.filter(({ kind }) => kind !== 'fine').length;
      note(`Review ${stopped ? 'stopped' : 'finished'}: ${count(bad, 'move')} to look at.`);
    } catch (why) {
      if (this.of === session) fail(why);
    }
    if (this.of === session) this.ended();
    this.changed();
  }

  /** Who looks, and for how long at each move. */
  get how() {
    return { agent: settings.get('reviewer') || undefined, limit: { time_ms: settings.get('review') } };
  }

  /** Another move is judged. @param {Ply} ply */
  hear(ply) {
    this.plies.push(ply);
    this.progress.value = this.plies.length / this.moves.length;
    // A mistake is punished when the answer to it was fine.
    this.judged = this.plies.map(({ loss, class: kind }, at) => ({ ply: at, loss, kind, punished: this.plies[at + 1]?.class === 'fine', ms: this.of?.ms[at] ?? null }));
    this.draw();
  }

  /** What each position is worth: as it was seen before the move made in it, the last one as it was seen after. @returns {(Verdict|null)[]} */
  get verdicts() {
    const last = this.plies.at(-1);
    const end = this.plies.length === this.moves.length && this.of?.last ? fromOutcome(this.of.last) : null;
    const after = last ? [end ?? { value: last.player === 'first' ? last.after : 1 - last.after, draw: null, exact: null, distance: null, score: null }] : [];
    return [...this.plies.map(fromPly), ...after];
  }

  draw() {
    this.gameView.judge(Object.fromEntries(this.judged.flatMap(({ ply, kind }) => (kind === 'fine' ? [] : [[ply, { sign: SIGNS[kind], name: kind }]]))), { moves: this.moves, verdicts: this.verdicts });
    this.graph.show(this.moves, this.verdicts, this.judged);
    this.graph.mark(this.gameView.session?.ply ?? 0);
    this.nav.hidden = false;
    const sides = /** @type {Side[]} */ (['first', 'second']);
    const own = (/** @type {Side} */ side) => this.judged.filter(({ ply }) => this.plies[ply].player === side);
    const row = (/** @type {string} */ head, /** @type {(moves: Judged[]) => string} */ of) => el('tr', {}, el('th', { scope: 'row' }, head), ...sides.map((side) => el('td', {}, of(own(side)))));
    const kinds = /** @type {[import('./judge.js').Class, string][]} */ ([['inaccuracy', 'Inaccuracies'], ['mistake', 'Mistakes'], ['blunder', 'Blunders'], ['win thrown away', 'Wins thrown away']]);
    const exact = (/** @type {Judged[]} */ moves) => accuracy(moves.map(({ loss }) => loss));
    fill(this.summary, [el('table', { class: 'moves sums' }, el('thead', {}, el('tr', {}, el('td'), ...sides.map((side) => el('th', { scope: 'col' }, this.gameView.sideName(side))))),
      el('tbody', {}, row('Accuracy', (moves) => (moves.length ? `${exact(moves)?.toFixed(0)} %` : '–')), ...kinds.map(([kind, name]) => row(`${SIGNS[kind]} ${name}`, (moves) => String(moves.filter((one) => one.kind === kind).length))))),
      this.measured]);
    this.tell();
  }

  /** What is to be said of the move that led to the position that is shown; and, before a mistake, the better move on the board. */
  tell() {
    const session = this.gameView.session;
    const here = session && !session.branch && this.trying === null ? session.ply : null;
    const next = this.judged.find(({ ply }) => ply === here);
    const better = next ? this.better(next) : null;
    this.engine.prefer(better);
    if (here === null) return;
    const mark = this.judged.find(({ ply }) => ply === here - 1);
    const instead = better && next ? `Better than ${this.name(next)}: ${better.join(' ')}.` : '';
    if (!mark) return void (this.here.textContent = instead);
    const line = this.better(mark);
    this.here.textContent = [`${this.name(mark)} ${SIGNS[mark.kind]} ${mark.kind}, loses ${percent(mark.loss)}.`, line && `Better: ${line.join(' ')}.`, instead].filter(Boolean).join(' ');
  }

  /** "8. a5q4r" @param {Judged} mark */
  name({ ply }) {
    return `${ply + 1}. ${this.moves[ply]}`;
  }

  /** The line that was better than a move, if that was a mistake. @param {Judged} mark */
  better({ ply, kind }) {
    const { best, line } = this.plies[ply];
    if (kind === 'fine' || !best || best === this.moves[ply]) return null;
    return line[0] === best ? line.slice(0, LINE) : [best];
  }

  /** The mistake that led to the position that is shown, or that is made in it. */
  get mistake() {
    const session = this.gameView.session;
    const at = session?.branch ? null : session?.ply ?? null;
    const bad = this.judged.filter(({ kind }) => kind !== 'fine');
    const made = at === null || at === this.asked ? undefined : bad.find(({ ply }) => ply === at - 1);
    return made ?? bad.find(({ ply }) => ply === at) ?? null;
  }

  /** Goes to where a better move was, which is on the board there. */
  async showBetter() {
    const mark = this.mistake;
    if (!mark) return note('Go to a mistake first.');
    this.asked = mark.ply;
    await this.jump(mark.ply);
  }

  /** @param {number} ply */
  async jump(ply) {
    const session = this.gameView.session;
    if (!session) return;
    this.trying = null;
    if (session.branch) await session.leaveBranch(ply);
    else this.gameView.goto(ply);
  }

  /** The next or the last mistake. @param {1|-1} step */
  step(step) {
    const at = (this.gameView.session?.ply ?? 1) - 1;
    const bad = this.judged.filter(({ kind }) => kind !== 'fine').map(({ ply }) => ply);
    const next = step > 0 ? bad.find((ply) => ply > at) : bad.findLast((ply) => ply < at);
    if (next === undefined) return note(step > 0 ? 'No more mistakes after this.' : 'No mistakes before this.');
    this.jump(next + 1);
  }

  /** Back to before the mistake: the person finds a better move. */
  async tryAgain() {
    const mark = this.mistake;
    if (!mark) return note('Go to a mistake first.');
    await this.jump(mark.ply);
    this.trying = mark.ply;
    this.engine.prefer(null);
    this.here.textContent = `${this.gameView.sideName(this.plies[mark.ply].player)} played ${this.moves[mark.ply]}. Find a better move.`;
  }

  /** Looks at a second try, when there is one on the board. */
  async check() {
    const session = this.gameView.session;
    const at = this.trying;
    if (!session || at === null || session.ply === at) return;
    this.trying = null;
    if (!session.branch || session.ply !== at + 1) return;
    this.here.textContent = 'Looking at your move…';
    try {
      const move = session.shown[at];
      const before = await session.stateOf(this.moves.slice(0, at));
      /** @type {Ply|null} */
      let one = null;
      await socket.review({ game: session.game, position: before.position, moves: [move] }, { ...this.how, ply: (ply) => (one = ply) }).done;
      if (!one || this.gameView.session !== session) return;
      this.tried(session, at, one);
    } catch (why) {
      fail(why);
    }
  }

  /**
   * Says what a second try was worth.
   * @param {Session} session
   * @param {number} at
   * @param {Ply} ply
   */
  tried(session, at, { move, loss, class: kind }) {
    const good = kind === 'fine';
    this.here.textContent = `${move}: ${kind}, loses ${percent(loss)}. ${good ? 'Better!' : 'Not yet; try again, or continue.'}`;
    note(this.here.textContent);
    if (good) return;
    this.trying = at;
    attempt(() => session.leaveBranch(at));
  }
}
