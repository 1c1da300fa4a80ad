// Slow motion: a small search whose every step is known, played as fast or as slowly as somebody likes, step by step, forwards and back.
// The server sends the steps as one trace; nothing runs while they are looked at, so that the same trace can be seen again.

import * as api from './api.js';
import { button, el, field, fill, select } from './dom.js';
import { UNFAIR } from './engine.js';
import { announce, attempt, fail } from './say.js';
import { iconButton } from './icons.js';
import { settings } from './settings.js';
import { short } from './thinking.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types.js').Trace} Trace */
/** @typedef {import('./types.js').TraceStep} TraceStep */

/** Searches that go from move to move. @type {[string, string][]} */
const SEARCHES = [['minimax', 'minimax: every move'], ['alphabeta', 'alpha-beta'], ['best-first', 'alpha-beta, iterative deepening, best move first'], ['pvs', 'modern alpha-beta']];
/** Steps a second. @type {[string, string][]} */
const RATES = [['1', '1 step per second'], ['3', '3 steps per second'], ['10', '10 steps per second'], ['30', '30 steps per second']];
/** Steps that are written out before and after the one that is shown. */
const AROUND = 3;

/** Values beyond this are ends of games. */
const ENDED = 1e5;

/** What a number of an evaluation looks like; ends of games are in words. @param {number|null} value @param {string} open */
function figure(value, open = '') {
  if (value === null) return open;
  if (Math.abs(value) >= ENDED) return value > 0 ? 'won' : 'lost';
  return String(Number(value.toPrecision(3))).replace('-', '−');
}

/**
 * The line that each step is about.
 * @param {TraceStep[]} steps
 * @returns {string[][]}
 */
export function lines(steps) {
  /** @type {string[]} */
  let now = [];
  let left = false;
  return steps.map((step) => {
    // A move that was left stays in sight until the next one, also when it was enough to cut off the others.
    if (left && !('cut' in step)) now = now.slice(0, -1);
    left = 'leave' in step || 'cut' in step;
    if ('enter' in step) now = [...now, step.enter];
    return now;
  });
}

/**
 * A step in words.
 * @param {TraceStep} step
 * @param {string[]} line
 */
export function words(step, line) {
  if ('enter' in step) {
    const [low, high] = step.window;
    const window = low === null && high === null ? '' : `, between ${figure(low, '−∞')} and ${figure(high, '+∞')}`;
    return `tries ${step.enter}${window}`;
  }
  if ('leave' in step) return `${line[line.length - 1]} is ${Math.abs(step.leave ?? 0) < ENDED ? 'worth ' : ''}${figure(step.leave)}`;
  if ('cut' in step) return `cut off: ${line[line.length - 1]} is enough${line.length > 1 ? ` after ${line[line.length - 2]}` : ''}`;
  return `depth ${step.depth} is finished: ${figure(step.value)}`;
}

export class Slow {
  /**
   * @param {GameView} gameView
   * @param {Engine} engine
   */
  constructor(gameView, engine) {
    this.gameView = gameView;
    this.engine = engine;
    /** @type {Trace|null} */
    this.trace = null;
    /** @type {string[][]} */
    this.lines = [];
    /** The position that the trace is about. @type {import('./types.js').State|null} */
    this.of = null;
    /** The step that is shown, counted from 1; 0 before the first. */
    this.at = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.search = select(SEARCHES, 'alphabeta', () => {});
    this.eval = select([['', '']], '', () => {});
    this.depth = select(['1', '2', '3', '4'].map((depth) => [depth, depth]), '2', () => {});
    this.rate = select(RATES, String(settings.get('steps')), (value) => settings.set('steps', Number(value)));
    this.begin = button('Search this position', () => attempt(() => this.ask()), { class: 'main' });
    this.sum = el('p', { class: 'small numbers' });
    this.says = el('p', { class: 'verdict' });
    this.play = button('Play', () => this.toggle(), { class: 'main' });
    this.back = iconButton('back', 'Step back', () => this.step(-1));
    this.on = iconButton('forward', 'Step forward', () => this.step(1));
    this.cut = button('Next cut-off', () => this.nextCut());
    this.slider = el('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Step of the search', on: { input: () => this.scrub() } });
    this.list = el('ol', { class: 'steps' });
    this.player = el('div', { class: 'slow', role: 'group', 'aria-label': 'The search step by step', hidden: true }, this.sum, this.slider,
      el('div', { class: 'buttons' }, this.play, this.back, this.on, this.cut,
        iconButton('close', 'Remove it from the board', () => this.close(), { class: 'quiet' })), this.says, this.list, field('Speed', this.rate));
    this.element = el('div', {}, el('p', { class: 'small' }, 'Every step of a small search: what it tries, what it finds, what it cuts off. Values are for the side to move here. Each move is tried with a window of two values; a value outside it would not matter.'),
      el('div', { class: 'pair' }, field('Search', this.search), field('Plies', this.depth)), field('Evaluation', this.eval), this.begin, this.player);
    gameView.addEventListener('open', () => attempt(() => this.opened()));
    gameView.addEventListener('change', () => this.of && this.of !== gameView.session?.state && this.close());
  }

  /** The evaluations are those of the game. */
  async opened() {
    this.close();
    const session = this.gameView.session;
    if (!session) return;
    const evals = await api.evaluations(session.game);
    fill(this.eval, evals.map(({ name, about }) => el('option', { value: name }, `${name}: ${about}`)));
    // TwixT's paper searches with this one.
    if (evals.some(({ name }) => name === 'distance')) this.eval.value = 'distance';
  }

  /** Asks for the steps of a search of the position that is shown. */
  async ask() {
    const session = this.gameView.session;
    const state = session?.state;
    if (!session || !state) return;
    if (!session.advised) return fail(UNFAIR);
    this.close();
    this.begin.disabled = true;
    try {
      const trace = await api.trace(session.place, `${this.search.value}(eval=${this.eval.value})`, Number(this.depth.value));
      if (this.gameView.session?.state !== state) return;
      this.show(trace, state);
    } finally {
      this.begin.disabled = false;
    }
  }

  /**
   * @param {Trace} trace
   * @param {import('./types.js').State} state
   */
  show(trace, state) {
    this.trace = trace;
    this.lines = lines(trace.steps);
    this.of = state;
    this.at = 0;
    this.slider.max = String(trace.steps.length);
    const rest = trace.total > trace.steps.length ? ` Showing the first ${trace.steps.length} of ${trace.total} steps.` : '';
    this.sum.textContent = `${trace.done.move} · depth ${trace.done.depth} · ${short(trace.done.nodes)} positions · ${trace.cuts} cut-offs.${rest}`;
    this.player.hidden = false;
    announce(`The search has ${trace.steps.length} steps; it chose ${trace.done.move}.`);
    this.update();
    // On a narrow screen the board lies above the panel, and the player stays below it.
    if (matchMedia('(max-width: 899px)').matches) this.gameView.board?.element.scrollIntoView({ block: 'start' });
    else this.player.scrollIntoView({ block: 'start' });
    this.play.focus({ preventScroll: true });
  }

  close() {
    this.pause();
    if (!this.trace) return;
    this.trace = this.of = null;
    this.player.hidden = true;
    this.engine.present(null);
  }

  toggle() {
    if (this.timer !== undefined) return this.pause();
    if (this.trace && this.at >= this.trace.steps.length) this.at = 0;
    this.play.textContent = 'Pause';
    this.tick();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.play.textContent = 'Play';
  }

  tick() {
    if (!this.trace || this.at >= this.trace.steps.length) return this.pause();
    this.go(this.at + 1);
    this.timer = setTimeout(() => this.tick(), 1000 / settings.get('steps'));
  }

  /** A step of the person's own is said aloud; the rest is only to be looked at. @param {number} by */
  step(by) {
    this.pause();
    this.go(this.at + by);
    announce(this.says.textContent ?? '');
  }

  scrub() {
    this.pause();
    this.go(Number(this.slider.value));
  }

  nextCut() {
    const next = this.trace?.steps.findIndex((step, i) => i >= this.at && 'cut' in step) ?? -1;
    if (next < 0) return announce('There is no cut-off after this step.');
    this.step(next + 1 - this.at);
  }

  /** @param {number} at */
  go(at) {
    const most = this.trace?.steps.length ?? 0;
    this.at = Math.min(Math.max(at, 0), most);
    this.update();
  }

  update() {
    const { trace, at } = this;
    if (!trace) return;
    this.slider.value = String(at);
    this.back.disabled = at === 0;
    this.on.disabled = at === trace.steps.length;
    const text = (/** @type {number} */ i) => words(trace.steps[i], this.lines[i]);
    const said = at === 0 ? 'Before the first step.' : `Step ${at} of ${trace.steps.length}: ${text(at - 1)}.`;
    this.says.textContent = said;
    this.slider.setAttribute('aria-valuetext', said);
    const from = Math.max(0, Math.min(at - 1 - AROUND, trace.steps.length - 2 * AROUND - 1));
    fill(this.list, trace.steps.slice(from, from + 2 * AROUND + 1).map((step, i) => {
      const row = el('li', { class: 'cut' in step ? 'cutoff' : null, 'aria-current': from + i === at - 1 ? 'step' : null, value: from + i + 1 }, text(from + i));
      row.style.setProperty('--ply', String(this.lines[from + i].length));
      return row;
    }));
    const step = at ? trace.steps[at - 1] : null;
    const line = at ? this.lines[at - 1] : [];
    this.engine.present({ line, cut: !!step && 'cut' in step, value: step && 'leave' in step ? figure(step.leave) : null });
  }
}
