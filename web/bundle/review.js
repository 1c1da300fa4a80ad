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
define('graph.js', (given) => {
const { el, fill, svg } = need('dom.js');
const { percent, words } = need('judge.js');
const [WIDTH, HEIGHT, LEFT, TOP, LOW] = [400, 160, 32, 8, 24];
const SIGNS = { fine: '·', inaccuracy: '?!', mistake: '?', blunder: '??', 'win thrown away': '✕' };
class Graph {
  constructor(jump) {
    this.jump = jump;
    this.cursor = svg('line', { class: 'cursor', y1: TOP, y2: HEIGHT - LOW });
    this.picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'graph', role: 'img', 'aria-label': 'Win share by move; the table below says the same' });
    this.picture.addEventListener('click', (event) => this.click(event));
    this.rows = el('tbody');
    this.twin = el('details', {}, el('summary', {}, 'The graph as a table'),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Values by move' }, el('table', { class: 'moves' }, el('thead', {}, el('tr', {}, ...['Move', 'Value for first', 'Loss', 'Class'].map((text) => el('th', { scope: 'col' }, text)))), this.rows)));
    this.element = el('div', { class: 'graphbox' }, this.picture, this.twin);
    this.plies = 1;
  }
  x(ply) {
    return LEFT + ((WIDTH - LEFT - 8) * ply) / Math.max(1, this.plies);
  }
  y(value) {
    return TOP + (HEIGHT - LOW - TOP) * (1 - value);
  }
  click(event) {
    const box = this.picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    this.jump(Math.max(0, Math.min(this.plies, Math.round(((x - LEFT) * this.plies) / (WIDTH - LEFT - 8)))));
  }
  show(moves, verdicts, judged) {
    this.plies = Math.max(1, moves.length);
    const known = verdicts.flatMap((verdict, ply) => (verdict && verdict.value !== null ? [{ ply, value: verdict.value, draw: verdict.draw ?? 0, exact: !!verdict.exact }] : []));
    const path = ( points) => points.map(({ ply, value }, at) => `${at ? 'L' : 'M'}${this.x(ply).toFixed(1)} ${this.y(value).toFixed(1)}`).join('');
    const upper = known.map(({ ply, value, draw }) => ({ ply, value: Math.min(1, value + draw / 2) }));
    const lower = known.map(({ ply, value, draw }) => ({ ply, value: Math.max(0, value - draw / 2) })).reverse();
    const solid = known.flatMap((point, at) => (at && point.exact && known[at - 1].exact ? [path([known[at - 1], point])] : [])).join('');
    const grid = [0, 0.5, 1].flatMap((value) => [svg('line', { class: 'grid', x1: LEFT, x2: WIDTH - 8, y1: this.y(value), y2: this.y(value) }),
      svg('text', { x: LEFT - 5, y: this.y(value) + 4, 'text-anchor': 'end' }, `${value * 100}`)]);
    const thirds = [1, 2].map((part) => svg('line', { class: 'phase', x1: this.x((this.plies * part) / 3), x2: this.x((this.plies * part) / 3), y1: TOP, y2: HEIGHT - LOW }));
    const dots = judged.filter(({ kind }) => kind !== 'fine').map(({ ply, kind, punished }) => {
      const at = verdicts[ply + 1];
      const y = this.y(at?.value ?? 0.5);
      return svg('g', { class: `dot ${kind.replaceAll(' ', '-')}` }, svg('circle', { cx: this.x(ply + 1), cy: y, r: punished ? 7 : 4.5 }),
        svg('title', {}, `${ply + 1}. ${moves[ply]}: ${kind}`));
    });
    const ends = [svg('text', { x: LEFT, y: HEIGHT - 7 }, '0'), svg('text', { x: WIDTH - 8, y: HEIGHT - 7, 'text-anchor': 'end' }, String(moves.length))];
    const times = judged.filter(({ ms }) => ms !== null);
    const longest = Math.max(1, ...times.map(({ ms }) => ms ?? 0));
    const used = times.map(({ ply, ms }) => svg('rect', { class: ply % 2 ? 'time odd' : 'time', x: this.x(ply + 0.6), width: Math.max(1, (this.x(1) - this.x(0)) * 0.8),
      y: HEIGHT - LOW + 2, height: (12 * (ms ?? 0)) / longest }));
    fill(this.picture, [...grid, ...thirds, ...used, svg('path', { class: 'band', d: known.length ? `${path(upper)}${path(lower).replace('M', 'L')}Z` : '' }),
      svg('path', { class: 'estimate', d: path(known) }), svg('path', { class: 'solid', d: solid }), this.cursor, ...dots, ...ends]);
    fill(this.rows, moves.map((move, ply) => {
      const [after, mark] = [verdicts[ply + 1], judged.find((one) => one.ply === ply)];
      return el('tr', {}, el('td', {}, `${ply + 1}. ${move}`), el('td', {}, after ? words(after, 'first') : '–'), el('td', {}, mark ? percent(mark.loss) : '–'),
        el('td', {}, mark ? `${SIGNS[mark.kind]} ${mark.kind}` : '–'));
    }));
  }
  mark(ply) {
    this.cursor.setAttribute('x1', String(this.x(ply)));
    this.cursor.setAttribute('x2', String(this.x(ply)));
  }
}
Object.assign(given, { SIGNS, Graph });
});
define('review.js', (given) => {
const { button, el, field, fill, grouped, select } = need('dom.js');
const { UNFAIR } = need('engine.js');
const { COUNTING } = need('engines.js');
const { accuracy, fromOutcome, fromPly, percent } = need('judge.js');
const { Graph, SIGNS } = need('graph.js');
const { iconButton } = need('icons.js');
const { attempt, count, fail, note } = need('say.js');
const { settings } = need('settings.js');
const { socket } = need('socket.js');
const LINE = 6;
const BUDGETS = [['100', '0.1 s'], ['400', '0.4 s'], ['1000', '1 s'], ['3000', '3 s'], ['10000', '10 s']];
class Review {
  constructor(gameView, engine) {
    this.gameView = gameView;
    this.engine = engine;
    this.of = null;
    this.moves = [];
    this.plies = [];
    this.judged = [];
    this.work = null;
    this.trying = null;
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
  get how() {
    return { agent: settings.get('reviewer') || undefined, limit: { time_ms: settings.get('review') } };
  }
  hear(ply) {
    this.plies.push(ply);
    this.progress.value = this.plies.length / this.moves.length;
    this.judged = this.plies.map(({ loss, class: kind }, at) => ({ ply: at, loss, kind, punished: this.plies[at + 1]?.class === 'fine', ms: this.of?.ms[at] ?? null }));
    this.draw();
  }
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
    const sides =  (['first', 'second']);
    const own = ( side) => this.judged.filter(({ ply }) => this.plies[ply].player === side);
    const row = ( head,  of) => el('tr', {}, el('th', { scope: 'row' }, head), ...sides.map((side) => el('td', {}, of(own(side)))));
    const kinds =  ([['inaccuracy', 'Inaccuracies'], ['mistake', 'Mistakes'], ['blunder', 'Blunders'], ['win thrown away', 'Wins thrown away']]);
    const exact = ( moves) => accuracy(moves.map(({ loss }) => loss));
    fill(this.summary, [el('table', { class: 'moves sums' }, el('thead', {}, el('tr', {}, el('td'), ...sides.map((side) => el('th', { scope: 'col' }, this.gameView.sideName(side))))),
      el('tbody', {}, row('Accuracy', (moves) => (moves.length ? `${exact(moves)?.toFixed(0)} %` : '–')), ...kinds.map(([kind, name]) => row(`${SIGNS[kind]} ${name}`, (moves) => String(moves.filter((one) => one.kind === kind).length))))),
      this.measured]);
    this.tell();
  }
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
  name({ ply }) {
    return `${ply + 1}. ${this.moves[ply]}`;
  }
  better({ ply, kind }) {
    const { best, line } = this.plies[ply];
    if (kind === 'fine' || !best || best === this.moves[ply]) return null;
    return line[0] === best ? line.slice(0, LINE) : [best];
  }
  get mistake() {
    const session = this.gameView.session;
    const at = session?.branch ? null : session?.ply ?? null;
    const bad = this.judged.filter(({ kind }) => kind !== 'fine');
    const made = at === null || at === this.asked ? undefined : bad.find(({ ply }) => ply === at - 1);
    return made ?? bad.find(({ ply }) => ply === at) ?? null;
  }
  async showBetter() {
    const mark = this.mistake;
    if (!mark) return note('Go to a mistake first.');
    this.asked = mark.ply;
    await this.jump(mark.ply);
  }
  async jump(ply) {
    const session = this.gameView.session;
    if (!session) return;
    this.trying = null;
    if (session.branch) await session.leaveBranch(ply);
    else this.gameView.goto(ply);
  }
  step(step) {
    const at = (this.gameView.session?.ply ?? 1) - 1;
    const bad = this.judged.filter(({ kind }) => kind !== 'fine').map(({ ply }) => ply);
    const next = step > 0 ? bad.find((ply) => ply > at) : bad.findLast((ply) => ply < at);
    if (next === undefined) return note(step > 0 ? 'No more mistakes after this.' : 'No mistakes before this.');
    this.jump(next + 1);
  }
  async tryAgain() {
    const mark = this.mistake;
    if (!mark) return note('Go to a mistake first.');
    await this.jump(mark.ply);
    this.trying = mark.ply;
    this.engine.prefer(null);
    this.here.textContent = `${this.gameView.sideName(this.plies[mark.ply].player)} played ${this.moves[mark.ply]}. Find a better move.`;
  }
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
      let one = null;
      await socket.review({ game: session.game, position: before.position, moves: [move] }, { ...this.how, ply: (ply) => (one = ply) }).done;
      if (!one || this.gameView.session !== session) return;
      this.tried(session, at, one);
    } catch (why) {
      fail(why);
    }
  }
  tried(session, at, { move, loss, class: kind }) {
    const good = kind === 'fine';
    this.here.textContent = `${move}: ${kind}, loses ${percent(loss)}. ${good ? 'Better!' : 'Not yet; try again, or continue.'}`;
    note(this.here.textContent);
    if (good) return;
    this.trying = at;
    attempt(() => session.leaveBranch(at));
  }
}
Object.assign(given, { Review });
});
