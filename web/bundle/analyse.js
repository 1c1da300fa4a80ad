import { define, need, load } from './main.js';
import './game.js';
define('engines.js', (given) => {
const api = need('api.js');
const { shortAgent } = need('spec.js');
const COUNTING = [['Advice', [['', 'the strongest']]], ['Tree search', [['mcts', 'by random games'], ['puct', 'by an evaluation'], ['puct(eval=net)', 'by a trained net']]]];
async function engines(game, spec) {
  const [agents, evals] = await Promise.all([api.agents(game), api.evaluations(spec)]);
  return [...COUNTING, ['Alpha-beta over', evals.map(({ name }) => [`pvs(eval=${name})`, name])],
    ['Players of the papers', agents.filter((agent) => !agent.needs).map(({ agent }) => [agent, shortAgent(agent)])]];
}
Object.assign(given, { COUNTING, engines });
});
define('spark.js', (given) => {
const { fill, svg } = need('dom.js');
const { valueFor } = need('judge.js');
const [WIDTH, HEIGHT, EDGE] = [360, 56, 4];
class Spark {
  constructor(gameView) {
    this.gameView = gameView;
    this.values = new Map();
    this.element = svg('svg', { class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', preserveAspectRatio: 'none', 'aria-label': 'Course of the game' });
    this.element.addEventListener('click', (event) => this.click( (event)));
    gameView.addEventListener('open', () => {
      this.values.clear();
      this.draw();
    });
    gameView.addEventListener('change', () => this.draw());
    this.draw();
  }
  note(moves, verdict) {
    const value = valueFor(verdict, 'first');
    if (value === null) return;
    this.values.set(moves.join(' '), value);
    this.draw();
  }
  get plies() {
    return this.gameView.session?.shown.length ?? 0;
  }
  x(ply) {
    return EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(1, this.plies);
  }
  click(event) {
    const box = this.element.getBoundingClientRect();
    this.gameView.goto(Math.round(((event.clientX - box.left) / box.width) * this.plies));
  }
  draw() {
    const { session } = this.gameView;
    if (!session) return;
    const known = Array.from({ length: this.plies + 1 }, (_, ply) => ({ ply, value: this.values.get(session.shown.slice(0, ply).join(' ')) })).flatMap(({ ply, value }) => (value === undefined ? [] : [{ ply, value }]));
    this.element.toggleAttribute('hidden', known.length < 2);
    const y = ( value) => (EDGE + (HEIGHT - 2 * EDGE) * (1 - value)).toFixed(1);
    const points = known.map(({ ply, value }) => `${this.x(ply).toFixed(1)},${y(value)}`).join(' ');
    const at = this.x(session.ply);
    fill(this.element, [svg('line', { class: 'grid', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }), svg('line', { class: 'cursor', x1: at, x2: at, y1: 0, y2: HEIGHT }), svg('polyline', { points })]);
    const last = known.at(-1);
    this.element.setAttribute('aria-label', last ? `Course of the game: ${known.length} positions known, ${Math.round(100 * last.value)} % for ${this.gameView.sideName('first')} after move ${last.ply}` : 'Course of the game');
  }
}
Object.assign(given, { Spark });
});
define('tree.js', (given) => {
const { el, fill } = need('dom.js');
const { percent } = need('judge.js');
const { short } = need('thinking.js');
const PROVEN = { win: '✓ won', draw: '= drawn', loss: '✗ lost' };
class Tree {
  constructor() {
    this.list = el('div');
    this.branches = [];
    this.element = el('details', { class: 'tree', hidden: true, on: { toggle: () => this.draw() } }, el('summary', {}, 'The tree, three moves deep'),
      el('p', { class: 'small' }, 'Visits, and the share of wins for the side that makes the move.'), this.list);
  }
  show(branches) {
    this.element.hidden = !branches.length;
    if (branches === this.branches) return;
    this.branches = branches;
    this.draw();
  }
  draw() {
    if (this.element.open && !this.element.hidden) fill(this.list, [rows(this.branches)]);
  }
}
function rows(branches) {
  const most = Math.max(1, ...branches.map(({ visits }) => visits));
  return el('ul', {}, ...branches.map(({ move, visits, value, proven, children }) => {
    const row = el('div', { class: 'branchrow' }, el('code', {}, move), el('span', {}, short(visits)), el('span', { class: proven ? 'proven' : null }, proven ? PROVEN[proven] : percent(value)));
    row.style.setProperty('--part', String(visits / most));
    return el('li', {}, row, children.length > 0 && rows(children));
  }));
}
Object.assign(given, { Tree });
});
define('analyse.js', (given) => {
const advice = need('advice.js');
const { scoreText } = need('boards/text.js');
const { button, el, field, fill, grouped, select, tick } = need('dom.js');
const { HEATS, UNFAIR } = need('engine.js');
const { engines } = need('engines.js');
const { iconButton } = need('icons.js');
const { better, counts, percent, rightMoves, valueFor, words, WORTH } = need('judge.js');
const { playerName } = need('levels.js');
const { attempt } = need('say.js');
const { settings } = need('settings.js');
const { shortAgent } = need('spec.js');
const { Spark } = need('spark.js');
const { more, pace, seconds, short } = need('thinking.js');
const { Tree } = need('tree.js');
const BEST = 5;
const LINE = 8;
const FEW = 0.1;
const MAPS = { off: 'off', visits: 'where it looks', value: 'worth of moves', policy: 'first thoughts', exact: 'what is proven' };
const SCORES = 'worth, as a score';
const THOUGHTS = [['1000', '1 s'], ['3000', '3 s'], ['10000', '10 s'], ['30000', '30 s'], ['60000', '60 s']];
const OVERLAYS = {
  pathwayz: [['paths', 'longest path of each side'], ['threats', 'squares that win at once']],
  twixt: [['paths', 'shortest way of each side']],
};
class Analyse {
  constructor(gameView, engine) {
    this.gameView = gameView;
    this.engine = engine;
    this.switch = iconButton('engine', 'Engine on', () => engine.toggle(), { class: 'switch', title: 'l', 'aria-pressed': 'false' });
    this.agent = select([['', 'the strongest']], '', (value) => settings.set('engine', value));
    this.thought = select(THOUGHTS, String(settings.get('thought')), (value) => settings.set('thought', Number(value)));
    this.figure = el('span', { class: 'figure', 'aria-hidden': 'true' });
    this.verdict = el('p', { class: 'verdict' });
    this.tag = el('span', { class: 'tag', 'aria-hidden': 'true', hidden: true }, 'proven');
    this.proof = el('p', { class: 'small' });
    this.numbers = el('span', {});
    this.order = el('span', {});
    this.told = el('p', { class: 'small numbers told' }, this.numbers, this.order);
    this.spark = new Spark(gameView);
    this.lines = el('ol', { class: 'lines', 'aria-label': 'Best moves' });
    this.all = el('table', { class: 'moves' });
    this.twin = el('details', {}, el('summary', {}, 'All moves as a table'),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'All moves' }, this.all));
    this.twin.addEventListener('toggle', () => this.update());
    this.heat = select(HEATS.map((heat) => [heat, MAPS[heat]]), settings.get('heat'), (value) => settings.set('heat', value), { title: 'm' });
    this.arrow = tick('Arrow for the best move', settings.get('arrow'), (on) => settings.set('arrow', on));
    this.ghosts = tick('Best line on the board', settings.get('ghosts'), (on) => settings.set('ghosts', on));
    this.live = tick('What the search is looking at', settings.get('live'), (on) => settings.set('live', on));
    this.now = el('p', { class: 'line now', 'aria-hidden': 'true' });
    this.tree = new Tree();
    this.overlay = select([['none', 'none']], 'none', (value) => gameView.board?.set('overlay', value));
    this.overlayField = field('Show', this.overlay);
    this.explainer = null;
    this.slow = null;
    this.slowly = el('details', { on: { toggle: () => this.slowly.open && attempt(() => this.slowMotion()) } }, el('summary', {}, 'Slow motion'));
    this.explained = el('details', { on: { toggle: () => this.explain() } }, el('summary', {}, 'Explain an evaluation'));
    this.element = el('div', {}, el('div', { class: 'judgement' }, this.figure, el('div', {}, this.verdict), this.tag, this.switch), this.told, this.proof, this.lines, this.spark.element, this.now,
      el('div', { class: 'pair' }, field('Heat map', this.heat), field('Engine', this.agent)),
      el('div', { class: 'pair' }, field('Thinks for', this.thought), el('div', { class: 'buttons' }, button('Threat', () => advice.threat(gameView), { title: 'x' }), button('Stop', () => engine.stop(), { class: 'quiet' }))),
      el('div', { class: 'ticks' }, this.arrow, this.ghosts, this.live), this.overlayField, this.tree.element, this.twin, this.slowly, this.explained);
    gameView.addEventListener('open', () => attempt(() => this.opened()));
    gameView.addEventListener('judged', (event) => {
      const { moves, verdicts } =  (event).detail;
      verdicts.forEach((verdict, ply) => verdict && this.spark.note(moves.slice(0, ply), verdict));
    });
    gameView.addEventListener('change', () => {
      this.update();
      this.explain();
    });
    engine.addEventListener('update', () => this.update());
    engine.addEventListener('toggle', () => this.update());
    settings.addEventListener('change', () => {
      this.heat.value = settings.get('heat');
      for (const [label, on] of  ([[this.arrow, settings.get('arrow')], [this.ghosts, settings.get('ghosts')], [this.live, settings.get('live')]])) {
         (label.firstElementChild).checked = on;
      }
    });
    this.update();
  }
  async opened() {
    const [info, session] = [this.gameView.info, this.gameView.session];
    if (!info || !session) return;
    const overlays = OVERLAYS[info.game] ?? [];
    fill(this.overlay, [['none', 'pieces only'], ...overlays].map(([value, text]) => el('option', { value }, text)));
    this.showOverlays();
    grouped(this.agent, await engines(info.game, session.game));
    const wanted = [...this.agent.options].some(({ value }) => value === settings.get('engine')) ? settings.get('engine') : '';
    this.agent.value = wanted;
    settings.set('engine', wanted);
  }
  showOverlays() {
    this.overlayField.hidden = this.overlay.options.length < 2 || !(this.gameView.session?.advised ?? true);
  }
  update() {
    const { engine, gameView } = this;
    this.showOverlays();
    const allowed = gameView.session?.advised ?? true;
    this.switch.setAttribute('aria-label', engine.on ? 'Engine off' : 'Engine on');
    this.switch.setAttribute('aria-pressed', String(engine.on));
    this.switch.disabled = !allowed;
    const { report, done, verdict } = engine;
    const side = gameView.session?.state?.to_move ?? 'first';
    fill(this.verdict, allowed ? [this.sentence(), verdict?.exact && !gameView.session?.state?.outcome && el('span', { class: 'unseen' }, `, exact`), verdict?.exact && this.only()] : [UNFAIR]);
    const { session } = gameView;
    if (verdict && session && !engine.thinking) this.spark.note(session.place.moves, verdict);
    this.verdict.dataset.state = !engine.on ? (verdict ? 'done' : 'off') : done || session?.state?.outcome ? 'done' : 'thinking';
    this.verdict.classList.toggle('exact', !!verdict?.exact);
    this.figure.textContent = verdict ? figure(verdict, side) : '';
    this.figure.dataset.says = this.figure.textContent;
    this.tag.hidden = !verdict?.exact;
    this.proof.textContent = this.proven();
    this.proof.hidden = !this.proof.textContent;
    this.told.hidden = !!verdict?.exact;
    const told = done ?? report;
    const who = settings.get('engine') ? playerName(settings.get('engine')) : 'the strongest';
    this.numbers.textContent = !told || !engine.on ? '' : (done ? `${who} · ${short(done.nodes)} positions · ${seconds(done.ms)}` : pace(told)) + more(report);
    this.numbers.title = told ? pace(told) : '';
    for (const option of this.heat.options) {
      if (option.value === 'value') option.textContent = report && !counts(report) && report.roots.length ? SCORES : MAPS.value;
      option.hidden = option.disabled = !engine.heats.includes( (option.value)) && option.value !== settings.get('heat');
    }
    const { looked } = engine;
    this.now.hidden = !engine.on || !looked;
    if (looked) this.now.textContent = `${looked.cut ? 'Cuts off after' : 'Looks at'} ${looked.line.join(' ')}`;
    this.tree.show(engine.on ? report?.tree ?? [] : []);
    const roots = engine.on ? this.rank(report?.roots ?? []) : [];
    const most = Math.max(0, ...roots.map((root) => root.visits ?? 0));
    const total = roots.reduce((sum, root) => sum + (root.visits ?? 0), 0);
    this.order.textContent = most ? 'by visits' : '';
    const shares = !!report && counts(report);
    const empty = !engine.on ? 'Switch the engine on to see the best moves, each with the line that follows.' : gameView.session?.state?.outcome ? 'The game is over here.' : 'Looking…';
    fill(this.lines, roots.length ? roots.slice(0, BEST).map((root) => this.best(root, most, shares)) : [el('li', { class: 'empty' }, el('p', {}, empty), !engine.on && allowed && button('Analyse this position', () => this.begin(), { class: 'main' }))]);
    this.twin.hidden = !roots.length;
    if (!this.twin.open) return;
    const priors = roots.some(({ prior }) => prior != null);
    fill(this.all, [head(priors), el('tbody', {}, ...roots.map((root) => this.row(root, most, total, shares, priors)))]);
  }
  begin() {
    this.switch.focus();
    this.engine.toggle();
  }
  rank(roots) {
    const { exact } = this.engine;
    if (!exact?.known) return ranked(roots);
    const proven = [...exact.moves].sort(better).map(({ move, outcome }) => roots.find((root) => root.move === move) ?? { move, value: WORTH[outcome], visits: null });
    return [...proven, ...ranked(roots.filter((root) => !proven.includes(root)))];
  }
  sentence() {
    const { engine, gameView } = this;
    const { verdict } = engine;
    const state = gameView.session?.state;
    const side = state?.to_move ?? 'first';
    if (!engine.on && !verdict) return 'The engine is off.';
    if (verdict?.exact) return state?.outcome ? `${gameView.result(state)}.` : `${gameView.sideName(side)}: ${words(verdict, side)}`;
    if (engine.queued !== null) return engine.queued ? `Other searches are running; you are number ${engine.queued} in the queue.` : 'The engine is busy; asking again.';
    if (!verdict) return 'Thinking…';
    const only = state?.legal.length === 1 ? ', the only move' : '';
    return `${gameView.sideName(side)}: ${words(verdict, side)}${only}${verdict.draw ? `, draws ${percent(verdict.draw)}` : ''}`;
  }
  only() {
    const { exact } = this.engine;
    return exact?.known && exact.outcome !== 'loss' && exact.moves.length > 1 && rightMoves(exact).length === 1 ? ', only move' : '';
  }
  proven() {
    const { exact, done } = this.engine;
    if (exact?.known) return `Proven by ${exact.by}.`;
    if (done?.proven) return 'Proven by the search.';
    return exact && settings.get('heat') === 'exact' ? `No exact values here: ${exact.why}` : '';
  }
  best(root, most, shares) {
    const { engine } = this;
    const faint = most && root.visits !== null && root.visits / most < FEW;
    const line = engine.line[0] === root.move ? engine.line.slice(1, LINE) : follow(engine.report?.tree ?? [], root.move);
    const exact = engine.exact?.known ? engine.exact.moves.find(({ move }) => move === root.move) : undefined;
    const value = exact ? told(exact) : shares ? percent(root.value) : scoreText(root.value);
    return el('li', { class: faint ? 'faint' : null }, el('button', { type: 'button', title: 'Play or try this move', on: { click: () => this.gameView.move(root.move) } },
      el('code', {}, root.move), el('span', {}, line.join(' ')), el('em', {}, value)));
  }
  row(root, most, total, shares, priors) {
    const part = most && root.visits !== null ? root.visits / most : null;
    const value = shares ? percent(root.value) : scoreText(root.value);
    return el('tr', { class: part !== null && part < FEW ? 'faint' : null },
      el('td', {}, button(root.move, () => this.gameView.move(root.move), { class: 'move', title: 'Play or try this move' })), el('td', {}, value),
      priors && el('td', {}, root.prior == null ? '–' : percent(root.prior)), el('td', {}, root.visits === null ? '–' : short(root.visits)),
      el('td', {}, part === null ? '' : meter(part, (root.visits ?? 0) / total)));
  }
  async slowMotion() {
    this.slow ??= load('slow.js').then(async ({ Slow }) => {
      const slow = new Slow(this.gameView, this.engine);
      this.slowly.append(slow.element);
      await slow.opened();
      return slow;
    });
    await this.slow;
  }
  async explain() {
    if (!this.explained.open) return;
    this.explainer ??= load('lab/explain.js').then(({ Explain }) => {
      const explainer = new Explain(this.gameView);
      this.explained.append(explainer.element);
      return explainer;
    });
    await attempt(async () => (await this.explainer)?.changed());
  }
}
const told = ({ outcome, distance }) => `${{ win: 'wins', draw: 'draws', loss: 'loses' }[outcome]}${distance && outcome !== 'draw' ? ` in ${distance}` : ''}`;
function follow(tree, move) {
  const line = [];
  for (let at = tree.find((branch) => branch.move === move); at?.children.length; ) {
    at = at.children.reduce((best, branch) => (branch.visits > best.visits ? branch : best));
    line.push(at.move);
  }
  return line;
}
function figure(verdict, side) {
  const value = valueFor(verdict, side);
  if (verdict.exact) return value === 1 ? 'Win' : value === 0 ? 'Loss' : 'Draw';
  return value === null ? '' : String(Math.round(100 * value));
}
const ranked = (roots) => [...roots].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0) || b.value - a.value);
const head = (priors) => el('thead', {}, el('tr', {}, ...['Move', 'Value', ...(priors ? ['Prior'] : []), 'Visits', 'Share'].map((text) => el('th', { scope: 'col' }, text))));
function meter(part, share) {
  const bar = el('span', { class: 'meter', role: 'img', 'aria-label': percent(share) }, el('span'));
   (bar.firstElementChild).style.width = `${Math.max(1, part * 100)}%`;
  return bar;
}
Object.assign(given, { THOUGHTS, Analyse });
});
