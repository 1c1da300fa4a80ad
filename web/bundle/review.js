import { define, need, load } from './main.js';
import './game.js';
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
const { button, el, field, fill, select } = need('dom.js');
const { accuracy, fromOutcome, fromPly, percent, steady } = need('judge.js');
const { Graph, SIGNS } = need('graph.js');
const { attempt, count, fail, note } = need('say.js');
const { settings } = need('settings.js');
const { socket } = need('socket.js');
const LINE = 6;
const BUDGETS = [['100', '0.1 s'], ['400', '0.4 s'], ['1000', '1 s'], ['3000', '3 s'], ['10000', '10 s']];
class Review {
  constructor(gameView) {
    this.gameView = gameView;
    this.of = null;
    this.moves = [];
    this.plies = [];
    this.judged = [];
    this.work = null;
    this.trying = null;
    this.graph = new Graph((ply) => this.jump(ply));
    this.start = button('Review', () => (this.work ? this.work.stop() : this.run()), { class: 'main' });
    this.budget = select(BUDGETS, String(settings.get('review')), (value) => settings.set('review', Number(value)));
    this.cost = el('p', { class: 'small' });
    this.progress = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Positions reviewed' });
    this.summary = el('div');
    this.here = el('p', { class: 'verdict' });
    this.nav = el('div', { class: 'buttons', hidden: true }, button('◀ Mistake', () => this.step(-1), { title: 'p', 'aria-label': 'Previous mistake' }),
      button('Mistake ▶', () => this.step(1), { title: 'n', 'aria-label': 'Next mistake' }), button('Try again', () => this.tryAgain()));
    this.graph.element.hidden = true;
    this.element = el('div', {}, el('div', { class: 'pair' }, this.start, field('Budget per move', this.budget)), this.cost, this.progress, this.here, this.nav,
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
    this.trying = null;
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
    return { limit: { time_ms: settings.get('review') } };
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
    return steady([...this.plies.map(fromPly), ...after]);
  }
  draw() {
    this.gameView.judge(Object.fromEntries(this.judged.flatMap(({ ply, kind }) => (kind === 'fine' ? [] : [[ply, SIGNS[kind]]]))), { moves: this.moves, verdicts: this.verdicts });
    this.graph.show(this.moves, this.verdicts, this.judged);
    this.graph.mark(this.gameView.session?.ply ?? 0);
    this.nav.hidden = false;
    const sides =  (['first', 'second']);
    const rows = sides.map((side) => {
      const own = this.judged.filter(({ ply }) => this.plies[ply].player === side);
      const exact = accuracy(own.map(({ loss }) => loss));
      const of = ( kind) => el('td', {}, String(own.filter((one) => one.kind === kind).length));
      return el('tr', {}, el('th', { scope: 'row' }, this.gameView.sideName(side)), el('td', {}, exact === null ? '–' : `${exact.toFixed(0)} %`), of('inaccuracy'), of('mistake'), of('blunder'),
        of('win thrown away'));
    });
    const kinds =  ([[SIGNS.inaccuracy, 'Inaccuracies'], [SIGNS.mistake, 'Mistakes'], [SIGNS.blunder, 'Blunders'], [SIGNS['win thrown away'], 'Wins thrown away']]);
    const heads = [...['Side', 'Accuracy'].map((text) => el('th', { scope: 'col' }, text)),
      ...kinds.map(([sign, name]) => el('th', { scope: 'col' }, el('abbr', { title: name }, sign)))];
    fill(this.summary, [el('div', { class: 'scroll' }, el('table', { class: 'moves' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows))),
      el('p', { class: 'small' }, 'Loss: the win share after the engine’s move minus the win share after the move played, both searched with the same budget; zero for the engine’s own move. Below 5 % is fine, below 15 % an inaccuracy (?!), below 30 % a mistake (?), otherwise a blunder (??); ✕ is a proven win thrown away. Accuracy: 100 % for a move that gives nothing away, 82 % for one that loses 5 %, 30 % for one that loses 30 %; one decisive mistake weighs more than its share. Values are estimates by the strongest engine unless they are called exact.')]);
    this.tell();
  }
  tell() {
    const session = this.gameView.session;
    if (!session || session.branch || this.trying !== null) return;
    const mark = this.judged.find(({ ply }) => ply === session.ply - 1);
    if (!mark) return void (this.here.textContent = '');
    const { best, line } = this.plies[mark.ply];
    const more = mark.kind !== 'fine' && best && best !== this.moves[mark.ply] ? ` The engine preferred ${line.slice(0, LINE).join(' ') || best}.` : '';
    this.here.textContent = `${mark.ply + 1}. ${this.moves[mark.ply]} ${SIGNS[mark.kind]} ${mark.kind}, loses ${percent(mark.loss)}.${more}`;
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
    const session = this.gameView.session;
    const mark = this.judged.find(({ ply }) => ply === (session?.ply ?? 0) - 1);
    if (!session || !mark) return note('Go to a mistake first.');
    await this.jump(mark.ply);
    this.trying = mark.ply;
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
