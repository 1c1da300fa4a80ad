import { define, need, load } from './main.js';
import './game.js';
define('slow.js', (given) => {
const api = need('api.js');
const { button, el, field, fill, select } = need('dom.js');
const { UNFAIR } = need('engine.js');
const { announce, attempt, fail } = need('say.js');
const { iconButton } = need('icons.js');
const { settings } = need('settings.js');
const { short } = need('thinking.js');
const SEARCHES = [['minimax', 'minimax: every move'], ['alphabeta', 'alpha-beta'], ['best-first', 'alpha-beta, iterative deepening, best move first'], ['pvs', 'modern alpha-beta']];
const RATES = [['1', '1 step per second'], ['3', '3 steps per second'], ['10', '10 steps per second'], ['30', '30 steps per second']];
const AROUND = 3;
const ENDED = 1e5;
function figure(value, open = '') {
  if (value === null) return open;
  if (Math.abs(value) >= ENDED) return value > 0 ? 'won' : 'lost';
  return String(Number(value.toPrecision(3))).replace('-', '−');
}
function lines(steps) {
  let now = [];
  let left = false;
  return steps.map((step) => {
    if (left && !('cut' in step)) now = now.slice(0, -1);
    left = 'leave' in step || 'cut' in step;
    if ('enter' in step) now = [...now, step.enter];
    return now;
  });
}
function words(step, line) {
  if ('enter' in step) {
    const [low, high] = step.window;
    const window = low === null && high === null ? '' : `, between ${figure(low, '−∞')} and ${figure(high, '+∞')}`;
    return `tries ${step.enter}${window}`;
  }
  if ('leave' in step) return `${line[line.length - 1]} is ${Math.abs(step.leave ?? 0) < ENDED ? 'worth ' : ''}${figure(step.leave)}`;
  if ('cut' in step) return `cut off: ${line[line.length - 1]} is enough${line.length > 1 ? ` after ${line[line.length - 2]}` : ''}`;
  return `depth ${step.depth} is finished: ${figure(step.value)}`;
}
class Slow {
  constructor(gameView, engine) {
    this.gameView = gameView;
    this.engine = engine;
    this.trace = null;
    this.lines = [];
    this.of = null;
    this.at = 0;
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
  async opened() {
    this.close();
    const session = this.gameView.session;
    if (!session) return;
    const evals = await api.evaluations(session.game);
    fill(this.eval, evals.map(({ name, about }) => el('option', { value: name }, `${name}: ${about}`)));
    if (evals.some(({ name }) => name === 'distance')) this.eval.value = 'distance';
  }
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
    const text = ( i) => words(trace.steps[i], this.lines[i]);
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
Object.assign(given, { lines, words, Slow });
});
