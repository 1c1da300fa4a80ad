import { define, need, load } from './main.js';
import './game.js';
define('lab/parts.js', (given) => {
const { el, fill } = need('dom.js');
const { icon } = need('icons.js');
const AGAIN = 1000;
const percent = (share) => `${(100 * share).toFixed(1)} %`;
function tidy(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return value.toExponential(2).replace('-', '−').replace('e−', 'e-');
  return minus(String(Number(value.toPrecision(4))));
}
function wilson(share, number) {
  const z = 1.959964;
  const middle = share + (z * z) / (2 * number);
  const half = z * Math.sqrt((share * (1 - share)) / number + (z * z) / (4 * number * number));
  const whole = 1 + (z * z) / number;
  return [(middle - half) / whole, (middle + half) / whole];
}
const minus = (text) => text.replace(/^-/, '−');
const signed = (value) => `${value > 0 ? '+' : ''}${tidy(value)}`;
const counts = (wdl) => `${wdl.wins}-${wdl.draws}-${wdl.losses}`;
const scored = (wdl) => (wdl.score === null ? '–' : percent(wdl.score));
const range = (wdl) => (wdl.interval ? `${(100 * wdl.interval[0]).toFixed(0)}–${(100 * wdl.interval[1]).toFixed(0)} %` : '');
const reversed = ({ wins, draws, losses, score, interval }) => ({ wins: losses, draws, losses: wins, score: score === null ? null : 1 - score, interval: interval ? [1 - interval[1], 1 - interval[0]] : null });
const MARKS = { running: 'play', stopping: 'stop', stopped: 'pause', over: 'check' };
const badge = (state) => el('span', { class: `badge ${state}` }, icon(MARKS[state]), state);
const box = (title, ...children) => el('section', { class: 'box' }, el('h2', {}, title), ...children);
function grid(name, head, rows, kind = '') {
  const cells = rows.map((row) => el('tr', {}, ...row.map((cell, at) => (at ? el('td', {}, cell) : el('th', { scope: 'row' }, cell)))));
  return el('div', { class: 'scrollbox', tabindex: '0', role: 'region', 'aria-label': name },
    el('table', { class: `grid ${kind}` }, el('thead', {}, el('tr', {}, ...head.map((cell) => el('th', { scope: 'col' }, cell)))), el('tbody', {}, ...cells)));
}
const facts = (pairs) => el('dl', { class: 'facts' }, ...pairs.filter(([, value]) => value !== null && value !== '' && value !== undefined)
  .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
class Complaint {
  constructor() {
    this.element = el('p', { class: 'bad complaint', role: 'alert' });
  }
  async around(work) {
    this.element.textContent = '';
    try {
      return await work();
    } catch (why) {
      this.element.textContent = why instanceof Error ? why.message : String(why);
      return undefined;
    }
  }
}
function refill(place, children) {
  const key =  (place.contains(document.activeElement) ? document.activeElement : null)?.dataset.key;
  const open = new Set([...place.querySelectorAll('details[open]')].map((one) =>  (one).dataset.key));
  fill(place, children);
  for (const one of place.querySelectorAll('details')) if (one.dataset.key && open.has(one.dataset.key)) one.open = true;
  if (key)  (place.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
}
async function follow(place, complaint, look) {
  do {
    if (!document.hidden && (await complaint.around(look)) === false) return;
    await new Promise((go) => setTimeout(go, AGAIN));
  } while (place.isConnected && place.offsetParent !== null);
}
const address = ( page, of = '') => `#page=${page}${of && `&of=${encodeURIComponent(of)}`}`;
Object.assign(given, { percent, tidy, wilson, minus, signed, counts, scored, range, reversed, badge, box, grid, facts, Complaint, refill, follow, address });
});
define('lab/chart.js', (given) => {
const { el, fill, svg } = need('dom.js');
const { grid, tidy } = need('lab/parts.js');
const COLOURS = 7;
const DASHES = ['', '7 4', '2 3'];
const [LOWEST, HIGHEST] = [220, 340];
function ticks(low, high, wanted) {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) found.push(Number((at * step).toPrecision(12)));
  return found;
}
function figure({ title, note = title }, draw, more, least) {
  const place = el('div', { class: 'drawn' });
  place.style.minHeight = `${least}px`;
  let width = 0;
  const redraw = () => {
    const now = Math.round(place.clientWidth);
    if (!now || now === width) return;
    width = now;
    const picture = draw(width);
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', title);
    fill(place, [picture]);
  };
  new ResizeObserver(redraw).observe(place);
  return el('figure', { class: 'chart' }, note && el('figcaption', {}, note), place, ...more);
}
const twin = (title, head, rows) => el('details', { 'data-key': `twin ${title}` }, el('summary', {}, 'As a table'), grid(title, head, rows));
const canvas = (width, height) => svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height });
const label = (x, y, text, props = {}) => svg('text', { x, y, ...props }, text);
const dressed = (at) => ({ class: `line c${at % COLOURS}`, 'stroke-dasharray': DASHES[Math.floor(at / COLOURS) % DASHES.length] || null });
function curves(asked) {
  const { title, x, series, say = tidy } = asked;
  const names = el('ul', { class: 'legend' }, ...series.map(({ name }, at) => el('li', {}, svg('svg', { width: 26, height: 10, 'aria-hidden': 'true' }, svg('line', { x1: 1, x2: 25, y1: 5, y2: 5, ...dressed(at) })), name)));
  const at = [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const found = ( { points },  where) => points.find((point) => point.x === where);
  const told = ( point) => (!point ? '' : point.low === undefined || point.high === undefined ? say(point.y) : `${say(point.y)} (${say(point.low)} to ${say(point.high)})`);
  const rows = at.map((where) => [tidy(where), ...series.map((one) => told(found(one, where)))]);
  const marks = asked.marks?.length ? el('ol', { class: 'events small' }, ...asked.marks.map((mark) => el('li', {}, `${tidy(mark.x)}: ${mark.text}`))) : null;
  return figure(asked, (width) => drawCurves(asked, width),
    [series.length > 1 && names, marks && el('details', { 'data-key': `events ${title}` }, el('summary', {}, `Vertical marks: ${asked.marks?.length}`), marks), twin(title, [x, ...series.map(({ name }) => name)], rows)], LOWEST);
}
function drawCurves({ x, y, series, marks = [], levels = [], range, say = tidy }, width) {
  const height = Math.max(LOWEST, Math.min(HIGHEST, width * 0.5));
  const all = series.flatMap(({ points }) => points);
  const ys = [...all.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]), ...levels.map((level) => level.y)];
  let [low, high] = range ?? [Math.min(...ys), Math.max(...ys)];
  if (!range) {
    const air = (high - low || Math.abs(high) || 1) * 0.06;
    [low, high] = [low - air, high + air];
  }
  const xs = all.map((point) => point.x);
  const [first, last] = [Math.min(0, ...xs), Math.max(...xs, 1)];
  const steps = ticks(low, high, 5);
  const left = 16 + 7.5 * Math.max(...steps.map((step) => say(step).length));
  const frame = { left, right: width - 14, top: 24, bottom: height - 40 };
  const px = ( value) => frame.left + ((value - first) / (last - first)) * (frame.right - frame.left);
  const py = ( value) => frame.bottom - ((value - low) / (high - low)) * (frame.bottom - frame.top);
  const picture = canvas(width, height);
  for (const step of steps) picture.append(svg('line', { class: 'rule', x1: frame.left, x2: frame.right, y1: py(step), y2: py(step) }), label(frame.left - 6, py(step) + 4, say(step), { 'text-anchor': 'end' }));
  for (const step of ticks(first, last, Math.max(2, width / 110))) picture.append(svg('line', { class: 'rule', x1: px(step), x2: px(step), y1: frame.bottom, y2: frame.bottom + 5 }), label(px(step), frame.bottom + 19, tidy(step), { 'text-anchor': 'middle' }));
  picture.append(svg('line', { class: 'axis', x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }), label(frame.right, height - 6, x, { 'text-anchor': 'end' }), label(4, 14, y));
  for (const mark of marks) picture.append(svg('line', { class: 'event', x1: px(mark.x), x2: px(mark.x), y1: frame.top, y2: frame.bottom }, svg('title', {}, mark.text)));
  for (const level of levels) picture.append(svg('line', { class: 'level', x1: frame.left, x2: frame.right, y1: py(level.y), y2: py(level.y) }), label(frame.right - 4, py(level.y) - 5, level.text, { 'text-anchor': 'end' }));
  series.forEach((one, at) => draw(picture, one.points, at, px, py));
  return picture;
}
function draw(picture, points, at, px, py) {
  const banded = points.filter((point) => point.low !== undefined && point.high !== undefined);
  if (banded.length > 1) {
    const edge = [...banded.map((point) => `${px(point.x)},${py(point.high ?? 0)}`), ...banded.reverse().map((point) => `${px(point.x)},${py(point.low ?? 0)}`)];
    picture.append(svg('polygon', { class: `band c${at % COLOURS}`, points: edge.join(' ') }));
  }
  if (points.length === 1) picture.append(svg('circle', { class: `dot c${at % COLOURS}`, cx: px(points[0].x), cy: py(points[0].y), r: 4 }));
  else picture.append(svg('polyline', { ...dressed(at), points: points.map((point) => `${px(point.x)},${py(point.y)}`).join(' ') }));
}
const ROW = 26;
const tall = (rows) => ROW * rows + 34;
function bars(asked) {
  const { title, what, bars: list, say = tidy } = asked;
  const ranged = list.some((bar) => bar.low !== undefined);
  const rows = list.map((bar) => [bar.name, bar.text ?? say(bar.value), ...(ranged ? [bar.low === undefined || bar.high === undefined ? '' : `${say(bar.low)} to ${say(bar.high)}`] : [])]);
  return figure(asked, (width) => drawBars(asked, width), [twin(title, ['Name', what, ...(ranged ? ['95 % interval'] : [])], rows)], tall(list.length));
}
function drawBars({ bars: list, say = tidy }, width) {
  const height = tall(list.length);
  const ends = list.flatMap((bar) => [0, bar.value, bar.low ?? 0, bar.high ?? 0]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const span = high - low || 1;
  const longest = Math.max(...list.map((bar) => bar.name.length));
  const letters = Math.max(6, Math.floor(Math.min(width * 0.4, longest * 7.4) / 7.4));
  const [left, right] = [letters * 7.4 + 10, width - 10 - 7.5 * Math.max(...list.map((bar) => (bar.text ?? say(bar.value)).length))];
  const px = ( value) => left + ((value - low) / span) * (right - left);
  const picture = canvas(width, height);
  const bottom = ROW * list.length + 4;
  for (const step of ticks(low, high, Math.max(2, (right - left) / 90))) picture.append(svg('line', { class: step === 0 ? 'axis' : 'rule', x1: px(step), x2: px(step), y1: 2, y2: bottom }), label(px(step), bottom + 17, say(step), { 'text-anchor': 'middle' }));
  list.forEach((bar, at) => {
    const y = ROW * at + 4;
    const short = bar.name.length > letters ? `${bar.name.slice(0, letters - 1)}…` : bar.name;
    picture.append(label(left - 8, y + 15, short, { 'text-anchor': 'end' }), svg('rect', { class: `rod ${bar.value < 0 ? 'c1' : 'c0'}`, x: Math.min(px(0), px(bar.value)), y: y + 3, width: Math.max(1, Math.abs(px(bar.value) - px(0))), height: ROW - 10, rx: 2 }));
    if (bar.low !== undefined && bar.high !== undefined && bar.high > bar.low) {
      const d = `M${px(bar.low)},${y + 5} v12 m0,-6 H${px(bar.high)} m0,-6 v12`;
      picture.append(svg('path', { class: 'halo', d }), svg('path', { class: 'whisker', d }));
    }
    picture.append(label(width - 2, y + 15, bar.text ?? say(bar.value), { 'text-anchor': 'end' }));
  });
  return picture;
}
Object.assign(given, { ticks, curves, bars });
});
define('lab/requests.js', (given) => {
const { json, post } = need('api.js');
const { site } = need('site.js');
const safe = encodeURIComponent;
const sent = async (path, body) => (await post(path, body)).json();
async function every(name) {
  const list = [];
  for (let more = true; more;) {
    const page = await json(`/api/${name}?from=${list.length}`);
    list.push(...page[name]);
    more = page.more && page[name].length > 0;
  }
  return list;
}
const tournaments = () => every('tournaments');
const tournament = (run) => json(`/api/tournaments/${run}`);
const beginTournament = (plan) => sent('/api/tournaments', plan);
const tellTournament = (run, what) => sent(`/api/tournaments/${run}/${what}`, {});
const gamesOf = (run, between, from) => json(`/api/tournaments/${run}/games?from=${from}${between ? `&between=${safe(between)}` : ''}`);
const recipes = async () => (await json('/api/recipes')).recipes;
const trainings = () => every('training');
const training = (name) => json(`/api/training/${safe(name)}`);
const beginTraining = (asked) => sent('/api/training', asked);
const tellTraining = (name, what) => sent(`/api/training/${safe(name)}/${what}`, {});
const shelve = (name, file) => sent(`/api/training/${safe(name)}/snapshots/${safe(file)}`, {});
const experiments = async () => (await json('/api/experiments')).experiments;
const beginExperiment = (id) => sent('/api/experiments', { id });
const stopExperiment = (name) => sent(`/api/experiments/${safe(name)}/stop`, {});
const reports = () => every('reports');
const report = (name) => json(`/api/reports/${safe(name)}`);
const picture = (name, file) => `${site ?? '/'}api/reports/${safe(name)}/${safe(file)}`;
const maps = () => json('/api/maps');
Object.assign(given, { tournaments, tournament, beginTournament, tellTournament, gamesOf, recipes, trainings, training, beginTraining, tellTraining, shelve, experiments, beginExperiment, stopExperiment, reports, report, picture, maps });
});
define('lab/maps.js', (given) => {
const { el, fill, svg } = need('dom.js');
const { grid, tidy } = need('lab/parts.js');
const requests = need('lab/requests.js');
const LEVELS = 4;
const CELL = 40;
const AIR = 14;
const STRONGEST = 45;
class LearnedMaps {
  constructor() {
    this.place = el('div');
    this.element = el('details', { hidden: true }, el('summary', {}, 'Learned score of a single ball (Figs. 7, 8)'), this.place);
    this.element.addEventListener('toggle', () => this.element.open && this.load(), { once: true });
  }
  async load() {
    try {
      const { own, opponent } = await requests.maps();
      if (!Object.keys(own).length) throw new Error('There are no learned weights for Pylos here: run quintet train pylos:svm to make them.');
      fill(this.place, [map('One’s own ball', own), map('The opponent’s ball', opponent),
        el('p', { class: 'small' }, 'The support vector machine’s score for one’s own side; blue is better, orange worse. A lone ball above level 1 is not a legal position; the machine is asked anyway, as in the paper.')]);
    } catch (why) {
      fill(this.place, [el('p', { class: 'bad' }, why instanceof Error ? why.message : String(why))]);
    }
  }
}
function map(title, scores) {
  const values = Object.values(scores);
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
  const most = Math.max(...values.map((value) => Math.abs(value - middle))) || 1;
  const left = ( level) => Array.from({ length: level }, (_, below) => (LEVELS - below) * CELL + AIR).reduce((sum, width) => sum + width, 0);
  const picture = svg('svg', { viewBox: `0 0 ${left(LEVELS) - AIR} ${LEVELS * CELL}`, role: 'img', 'aria-label': `${title}: scores cell by cell, one square per level` });
  for (const [cell, score] of Object.entries(scores)) {
    const [level, column, row] = [Number(cell[0]) - 1, cell.charCodeAt(1) - 97, Number(cell.slice(2)) - 1];
    const [x, y] = [left(level) + column * CELL, row * CELL];
    const square = svg('rect', { class: score >= middle ? 'cool' : 'warm', x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3 }, svg('title', {}, `${cell}: ${tidy(score)}`));
    square.style.setProperty('--part', `${Math.round((STRONGEST * Math.abs(score - middle)) / most)}%`);
    picture.append(square, svg('text', { x: x + CELL / 2, y: y + CELL / 2 + 4, 'text-anchor': 'middle' }, score.toFixed(1).replace('-', '−')));
  }
  const rows = Object.entries(scores).map(([cell, score]) => [cell, tidy(score)]);
  return el('figure', { class: 'chart map' }, el('figcaption', {}, title), picture, el('details', {}, el('summary', {}, 'As a table'), grid(title, ['Cell', 'Score'], rows)));
}
Object.assign(given, { LearnedMaps });
});
define('lab/style.js', (given) => {
const { el } = need('dom.js');
const { site } = need('site.js');
let loaded = null;
function styled() {
  loaded ??= new Promise((done) => {
    document.head.append(el('link', { rel: 'stylesheet', href: `${site ?? ''}css/lab.css`, on: { load: () => done(), error: () => done() } }));
  });
  return loaded;
}
Object.assign(given, { styled });
});
define('lab/explain.js', (given) => {
const api = need('api.js');
const { el, field, fill, select, tick } = need('dom.js');
const { UNFAIR } = need('engine.js');
const { site } = need('site.js');
const { indexOf, shortAgent } = need('spec.js');
const { bars } = need('lab/chart.js');
const { LearnedMaps } = need('lab/maps.js');
const { grid, refill, signed, tidy } = need('lab/parts.js');
const { styled } = need('lab/style.js');
const LARGEST = 12;
const REST = 120;
const adds = ({ value, weight }) => value * (weight ?? 1);
function compared(before, after) {
  const later = new Map((after?.terms ?? []).map((term) => [term.name, term]));
  const known = new Set(before.terms.map(({ name }) => name));
  const fresh = (after?.terms ?? []).filter(({ name }) => !known.has(name)).map((term) => ({ ...term, adds: 0, value: 0, then: term.value, change: adds(term) }));
  return [...before.terms.map((term) => {
    const then = later.get(term.name);
    return { ...term, then: after ? (then?.value ?? 0) : term.value, adds: adds(term), change: after ? (then ? adds(then) : 0) - adds(term) : 0 };
  }), ...fresh];
}
const movesAt = (legal, cell) => legal.find((move) => move === cell) ?? legal.find((move) => move.startsWith(cell) && !/\d/.test(move[cell.length] ?? ''));
class Explain {
  constructor(gameView) {
    this.gameView = gameView;
    this.game = '';
    this.spec = el('input', { type: 'text', class: 'code', spellcheck: 'false', 'aria-label': 'The evaluation as a spec', on: { change: () => this.update() } });
    this.eval = select([], '', () => this.choose());
    this.offers = [];
    this.about = el('small');
    this.view = select([['', 'the side to move'], ['first', 'first'], ['second', 'second']], '', () => this.update());
    this.move = select([], '', () => this.update());
    this.zeros = tick('Also terms that add nothing', false, () => this.update());
    this.total = el('p', { class: 'verdict', 'aria-live': 'polite' });
    this.place = el('div');
    this.maps = new LearnedMaps();
    this.element = el('div', { class: 'explain' }, field('Evaluation', this.eval), this.about, field('With parameters', this.spec, 'such as weights=… for trained weights; press Enter to apply'),
      el('div', { class: 'pair' }, field('For', this.view), field('A move', this.move)), el('p', { class: 'small' }, 'Point at a cell of the board, or choose a move, to see what it would change.'), this.total, this.place, this.zeros, this.maps.element);
    this.asked = 0;
    this.rest = undefined;
    this.board = null;
  }
  get visible() {
    return this.element.offsetParent !== null;
  }
  async changed() {
    const [session, info] = [this.gameView.session, this.gameView.info];
    if (!session?.state || !info) return;
    await styled();
    if (this.board !== this.gameView.board) this.listen();
    if (this.game !== session.game) {
      this.game = session.game;
      await this.load(session.game, info.game);
      fill(this.view, [['', 'the side to move'], ['first', info.sides[0]], ['second', info.sides[1]]].map(([value, text]) => el('option', { value }, text)));
      this.maps.element.hidden = info.game !== 'pylos' || site !== null;
    }
    const chosen = this.move.value;
    fill(this.move, ['', ...session.state.legal].map((move) => el('option', { value: move }, move || 'none')));
    this.move.value = session.state.legal.includes(chosen) ? chosen : '';
    await this.update();
  }
  async load(spec, game) {
    const [evals, agents] = await Promise.all([api.evaluations(spec), api.agents(game)]);
    const plain = evals.map(({ name, about }) => ({ name, about, eval: name }));
    const played = agents.filter(({ needs }) => !needs).flatMap(({ agent, modes, about, evals: own = [] }) => own.map((one) => ({ name: `${shortAgent(agent)}${modes.length > 1 ? `, ${one.mode}` : ''}`, about, eval: one.eval })));
    this.offers = [...plain, ...played];
    const group = ( label,  from,  offers) => el('optgroup', { label }, ...offers.map(({ name }, at) => el('option', { value: String(from + at) }, name)));
    fill(this.eval, [group('Evaluations', 0, plain), played.length && group('What agents play by', plain.length, played)]);
    this.eval.value = '0';
    this.choose(false);
  }
  choose(update = true) {
    const offer = this.offers[Number(this.eval.value)];
    this.spec.value = offer?.eval ?? '';
    this.about.textContent = offer?.about ?? '';
    if (update) this.update();
  }
  listen() {
    this.board = this.gameView.board;
    this.board?.addEventListener('cell', (event) => {
      const cell =  (event).detail.cell;
      clearTimeout(this.rest);
      if (!cell || !this.visible) return;
      this.rest = setTimeout(() => {
        const move = movesAt(this.gameView.session?.state?.legal ?? [], cell);
        if (!move || move === this.move.value) return;
        this.move.value = move;
        this.update();
      }, REST);
    });
  }
  async update() {
    const session = this.gameView.session;
    if (!session?.state || !this.spec.value.trim()) return;
    const asked = ++this.asked;
    if (!session.advised) return this.refuse(UNFAIR);
    const side =  (this.view.value || session.state.to_move);
    const ask = ( more) => api.explain({ ...session.place, moves: [...session.place.moves, ...more], eval: this.spec.value.trim(), for: side });
    const move = this.move.value;
    try {
      const [before, after] = await Promise.all([ask([]), move ? ask([move]) : null]);
      if (asked === this.asked) this.draw(side, move, before, after);
    } catch (why) {
      if (asked !== this.asked) return;
      this.refuse(why instanceof Error ? why.message : String(why));
    }
  }
  refuse(why) {
    this.total.textContent = why;
    fill(this.place, []);
  }
  draw(side, move, before, after) {
    const name = this.gameView.info?.sides[indexOf(side)] ?? side;
    this.total.textContent = after ? `${name}: ${tidy(before.value)}, after ${move} ${tidy(after.value)} (${signed(after.value - before.value)})` : `${name}: ${tidy(before.value)}`;
    const rows = compared(before, after);
    const sum = rows.reduce((total, row) => total + row.adds, 0);
    const exact = Math.abs(sum - before.value) <= 1e-6 * Math.max(1, Math.abs(before.value));
    const all =  (this.zeros.firstElementChild).checked;
    const listed = all ? rows : adding(rows);
    const head = ['Term', 'Value', 'Weight', 'Adds', ...(after ? [move] : [])];
    const lines = listed.map((row) => [row.name, row.then === row.value ? tidy(row.value) : `${tidy(row.value)} → ${tidy(row.then)}`, row.weight === null ? '' : tidy(row.weight), tidy(row.adds), ...(after ? [row.change ? signed(row.change) : '0'] : [])]);
    refill(this.place, [after && chart(`What ${move} changes`, 'change', rows, (row) => row.change), chart(`What makes up ${tidy(before.value)}`, 'adds', rows, (row) => row.adds),
      !exact && el('p', { class: 'small' }, `The terms sum to ${tidy(sum)}; the evaluation makes ${tidy(before.value)} of them.`),
      el('p', { class: 'small' }, `${rows.length} terms, ${rows.filter(({ adds }) => tidy(adds) !== '0').length} of which add to the value here.`), grid('Terms', head, lines, 'terms')]);
  }
}
const adding = (rows) => rows.filter(({ adds, change }) => tidy(adds) !== '0' || tidy(change) !== '0');
function chart(title, what, rows, of) {
  const largest = rows.filter((row) => of(row) !== 0).sort((a, b) => Math.abs(of(b)) - Math.abs(of(a))).slice(0, LARGEST);
  if (!largest.length) return el('p', { class: 'small' }, `${title}: nothing; all terms are zero.`);
  return bars({ title, what, bars: largest.map((row) => ({ name: row.name, value: of(row), text: signed(of(row)) })) });
}
Object.assign(given, { compared, movesAt, Explain, adding });
});
