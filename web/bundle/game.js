import { define, need, load } from './main.js';
define('judge.js', (given) => {
const WORTH = { win: 1, draw: 0.5, loss: 0 };
const TURNED = { win: 'loss', draw: 'draw', loss: 'win' };
const forFirst = (value, side) => (value === null ? null : side === 'first' ? value : 1 - value);
const counts = (report) => report.roots.length > 0 && report.roots[0].visits !== null;
function fromReport(report, side) {
  const value = counts(report) ? report.value : null;
  const score = value === null && report.value !== null ? (side === 'first' ? report.value : -report.value) : null;
  return { value: forFirst(value, side), draw: null, exact: null, distance: null, score };
}
function fromDone(done, side) {
  const exact = done.proven && (side === 'first' ? done.proven : TURNED[done.proven]);
  if (exact) return { value: WORTH[exact], draw: exact === 'draw' ? 1 : 0, exact, distance: done.distance ?? null, score: null };
  if (done.win === null) {
    const score = done.value === null ? null : side === 'first' ? done.value : -done.value;
    return { value: null, draw: null, exact: null, distance: null, score };
  }
  return { value: forFirst(done.win + (done.draw ?? 0) / 2, side), draw: done.draw, exact: null, distance: null, score: null };
}
function fromExact({ outcome, distance }, side) {
  const exact = side === 'first' ? outcome : TURNED[outcome];
  return { value: WORTH[exact], draw: exact === 'draw' ? 1 : 0, exact, distance, score: null };
}
function rightMoves({ outcome, moves }) {
  const good = moves.filter((move) => move.outcome === outcome);
  if (outcome !== 'win') return good;
  const shortest = Math.min(...good.map(({ distance }) => distance ?? Infinity));
  return good.filter(({ distance }) => (distance ?? Infinity) <= shortest);
}
function toughest({ moves }) {
  return moves.reduce(( best, move) => (best && better(best, move) <= 0 ? best : move), null);
}
function better(a, b) {
  const rank = ( { outcome, distance }) => WORTH[outcome] * 1e6 + (distance ?? 0) * (outcome === 'win' ? -1 : 1);
  return rank(b) - rank(a);
}
function fromPly({ player, before, draw, proven }) {
  const exact = proven && (player === 'first' ? proven : TURNED[proven]);
  return { value: forFirst(before, player), draw, exact, distance: null, score: null };
}
function fromOutcome(state) {
  if (!state.outcome || ['resigned', 'time'].includes(state.reason ?? '')) return null;
  const exact = state.outcome === 'draw' ? 'draw' : state.outcome === 'first' ? 'win' : 'loss';
  return { value: WORTH[exact], draw: exact === 'draw' ? 1 : 0, exact, distance: 0, score: null };
}
const valueFor = (verdict, side) => forFirst(verdict.value, side);
const percent = (value) => `${Math.round(value * 100)} %`;
function words(verdict, side) {
  if (verdict.exact) {
    const exact = side === 'first' ? verdict.exact : TURNED[verdict.exact];
    if (exact === 'draw') return 'draw';
    const verb = exact === 'win' ? 'wins' : 'loses';
    return verdict.distance ? `${verb} in ${verdict.distance}` : verb;
  }
  const value = valueFor(verdict, side);
  if (value !== null) return percent(value);
  if (verdict.score === null) return 'no value';
  const score = side === 'first' ? verdict.score : -verdict.score;
  return `score ${score > 0 ? '+' : ''}${Number(score.toPrecision(3))}`;
}
function accuracy(losses) {
  const each = losses.map((loss) => 100 * Math.exp(-4 * loss));
  const sum = ( numbers) => numbers.reduce((all, one) => all + one, 0);
  return losses.length ? (sum(each) / losses.length + losses.length / sum(each.map((one) => 1 / one))) / 2 : null;
}
Object.assign(given, { WORTH, counts, fromReport, fromDone, fromExact, rightMoves, toughest, better, fromPly, fromOutcome, valueFor, percent, words, accuracy });
});
define('engine.js', (given) => {
const api = need('api.js');
const { fromDone, fromExact, fromOutcome, fromReport, counts, rightMoves, toughest } = need('judge.js');
const { fail } = need('say.js');
const { settings } = need('settings.js');
const { socket } = need('socket.js');
const HEATS =  (['off', 'visits', 'value', 'policy', 'exact']);
const UNFAIR = 'No engine helps in a game between people; when it is over, ask again.';
const STILL = 1000;
class Engine extends EventTarget {
  constructor(gameView) {
    super();
    this.gameView = gameView;
    this.on = false;
    this.of = null;
    this.report = null;
    this.done = null;
    this.queued = null;
    this.search = null;
    this.exacts = new WeakMap();
    this.proof = null;
    this.watched = null;
    this.shown = null;
    this.preferred = null;
    this.drawn = 0;
    gameView.addEventListener('open', () => {
      this.turn(false);
      if (settings.get('heat') === 'exact') settings.set('heat', 'off');
    });
    gameView.addEventListener('change', () => {
      this.draw();
      this.look();
      this.prove();
    });
    socket.addEventListener('up', () => this.on && this.look(true));
    settings.addEventListener('change', (event) => {
      const { key } =  (event).detail;
      if (key === 'engine' || key === 'thought') this.look(true);
      if (key === 'heat' || key === 'arrow' || key === 'ghosts' || key === 'live') this.draw();
      if (key === 'heat') this.prove();
    });
  }
  toggle() {
    this.turn(!this.on);
  }
  turn(on) {
    if (on && this.gameView.session && !this.gameView.session.advised) return fail(UNFAIR);
    if (this.on === on) return;
    this.on = on;
    this.forget();
    this.dispatchEvent(new Event('toggle'));
    this.look(true);
    this.prove();
  }
  get curious() {
    return (this.on || settings.get('heat') === 'exact') && (this.gameView.session?.advised ?? true);
  }
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
  async proven(place, state, signal) {
    const answer = await api.exact(place, signal).catch(() => null);
    if (this.proof?.of === state) this.proof = null;
    if (!answer) return;
    this.exacts.set(state, answer);
    if (this.gameView.session?.state !== state) return;
    this.draw();
    this.dispatchEvent(new Event('update'));
  }
  get exact() {
    const state = this.gameView.session?.state;
    return (state && this.curious && this.exacts.get(state)) || null;
  }
  watch(report) {
    if (report === this.watched) return;
    this.watched = report;
    this.draw();
  }
  present(shown) {
    this.shown = shown;
    this.draw();
  }
  prefer(line) {
    if (line === this.preferred) return;
    this.preferred = line;
    this.draw();
  }
  get looked() {
    const report = this.thinking ? this.report : this.watched;
    if (!report?.now.length || !settings.get('live')) return null;
    return report.cut.length ? { line: report.cut, cut: true, value: null } : { line: report.now, cut: false, value: null };
  }
  forget() {
    this.search?.leave();
    this.search = null;
    this.report = this.done = this.of = this.queued = null;
    this.draw();
    this.dispatchEvent(new Event('update'));
  }
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
      if ( (why).busy) return this.wait();
      this.turn(false);
      fail(why);
    });
  }
  hear(search, news) {
    if (this.search !== search) return;
    if (news.report) this.report = news.report;
    if (news.done) this.done = news.done;
    this.queued = news.queued ?? null;
    this.draw();
    this.dispatchEvent(new Event('update'));
  }
  wait() {
    const { of } = this;
    this.queued = 0;
    this.dispatchEvent(new Event('update'));
    setTimeout(() => this.on && this.of === of && this.look(true), 1000);
  }
  stop() {
    this.search?.stop();
  }
  get thinking() {
    return !!this.search && !this.done;
  }
  get verdict() {
    const state = this.gameView.session?.state;
    if (!state) return null;
    if (state.outcome) return fromOutcome(state);
    if (this.exact?.known) return fromExact(this.exact, state.to_move);
    if (!this.on || state !== this.of) return null;
    if (this.done) return fromDone(this.done, state.to_move);
    return this.report && this.report.value !== null ? fromReport(this.report, state.to_move) : null;
  }
  get line() {
    const line = this.done?.pv.length ? this.done.pv : this.report?.pv ?? [];
    const best = this.exact?.known ? toughest(this.exact)?.move : undefined;
    const right = this.exact?.known && rightMoves(this.exact).some(({ move }) => move === line[0]);
    return best === undefined || right ? line : [best];
  }
  get entries() {
    const roots = this.report?.roots ?? [];
    if (!this.report || !roots.length) return [];
    if (counts(this.report)) {
      const visits = roots.reduce((sum, root) => sum + (root.visits ?? 0), 0) || 1;
      return roots.map((root) => ({ ...root, share: (root.visits ?? 0) / visits }));
    }
    return roots.map((root) => ({ ...root, share: 0, scored: true }));
  }
  get policy() {
    const roots = this.on ? this.report?.roots ?? [] : [];
    return roots.flatMap(({ prior, ...root }) => (prior == null ? [] : [{ ...root, share: prior }]));
  }
  get heats() {
    const blind = this.on && !!this.report?.roots.length && !counts(this.report);
    return HEATS.filter((heat) => (heat === 'policy' ? this.policy.length > 0 : heat !== 'visits' || !blind));
  }
  get marks() {
    if (this.exact?.known) return this.exact.moves.map(({ move, outcome, distance }) => ({ move, outcome, distance: distance ?? undefined }));
    const proven = this.on ? this.done?.proven : null;
    return proven && this.done ? [{ move: this.done.move, outcome: proven, distance: this.done.distance ?? undefined }] : null;
  }
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
    if (looked && looked !== this.shown && board.motion.still && performance.now() - this.drawn < STILL) return;
    this.drawn = performance.now();
    board.looked(looked);
  }
  turnHeat() {
    const { heats } = this;
    const next = heats[(heats.indexOf( (settings.get('heat'))) + 1) % heats.length];
    settings.set('heat', next);
    return next;
  }
}
Object.assign(given, { HEATS, UNFAIR, Engine });
});
define('advice.js', (given) => {
const { UNFAIR } = need('engine.js');
const { words, fromDone } = need('judge.js');
const { fail, note } = need('say.js');
const { socket } = need('socket.js');
const HINT_MS = 1000;
async function best(gameView) {
  const session = gameView.session;
  const state = session?.state;
  if (!session || !state || state.outcome) return null;
  if (!session.advised) {
    fail(UNFAIR);
    return null;
  }
  try {
    const how = { limit: { time_ms: HINT_MS }, short: state.position };
    const done = await socket.analyse(session.place, how).done;
    return gameView.session?.state === state ? done : null;
  } catch (why) {
    fail(why);
    return null;
  }
}
function passing(gameView, text) {
  const [shown, state] = [note(text), gameView.session?.state];
  const leave = () => {
    if (gameView.session?.state === state) return;
    shown.remove();
    gameView.removeEventListener('change', leave);
  };
  gameView.addEventListener('change', leave);
}
async function hint(gameView) {
  const state = gameView.session?.state;
  const done = await best(gameView);
  if (!done || !state) return;
  gameView.board?.arrow(done.move, 'hint');
  passing(gameView, `Hint: ${done.move}, ${words(fromDone(done, state.to_move), state.to_move)} for ${gameView.sideName(state.to_move)}.`);
}
async function moveNow(gameView) {
  const session = gameView.session;
  if (!session?.state || session.state.outcome) return;
  if (!session.interactive || gameView.locked) return fail('It is not your turn; the agent moves by itself.');
  const done = await best(gameView);
  if (done) await gameView.move(done.move);
}
async function threat(gameView) {
  const session = gameView.session;
  const state = session?.state;
  if (!session || !state || state.outcome) return;
  if (!session.advised) return fail(UNFAIR);
  const [side, letter] = [state.to_move === 'first' ? 'second' : 'first', state.position.slice(-1)];
  const letters = { w: 'b', b: gameView.info?.game === 'twixt' ? 'r' : 'w', l: 'd', d: 'l', r: 'b', x: 'o', o: 'x' };
  const turned = state.position.slice(0, -1) + letters[ (letter)];
  const how = { limit: { time_ms: HINT_MS } };
  let move;
  try {
    move = (await socket.analyse({ game: session.game, position: turned, moves: [] }, how).done).move;
  } catch {
    move = (await best(gameView))?.pv[1];
  }
  if (!move || gameView.session?.state !== state) return;
  gameView.board?.arrow(move, 'threat');
  passing(gameView, `${gameView.sideName( (side))} would like to play ${move}.`);
}
Object.assign(given, { hint, moveNow, threat });
});
define('actions.js', (given) => {
const advice = need('advice.js');
const { el, fill } = need('dom.js');
const { icon } = need('icons.js');
const { RoomSession } = need('room.js');
const { attempt } = need('say.js');
class Actions {
  constructor(gameView, review) {
    this.gameView = gameView;
    const make = ( name,  text,  click, title = '') =>
      el('button', { type: 'button', title, 'data-action': name, on: { click } }, icon(name), text);
    this.hint = make('hint', 'Hint', () => this.advise(), 'h');
    this.hint.classList.add('key');
    this.undo = make('undo', 'Undo', () => gameView.undo(), 'u');
    this.redo = make('redo', 'Redo', () => gameView.redo(), 'Ctrl-Y');
    this.flip = make('flip', 'Flip', () => gameView.flip(), 'f');
    this.resign = make('resign', 'Resign', () => this.giveUp());
    this.review = make('review', 'Review', review);
    this.element = el('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' });
    fill(this.element, [this.hint, this.undo, this.redo, this.flip, this.resign, this.review]);
    gameView.addEventListener('open', () => {
      gameView.board?.addEventListener('half', () => this.update());
      this.update();
    });
    gameView.addEventListener('change', () => this.update());
  }
  update() {
    const { session, taker, board } = this.gameView;
    if (!session) return;
    const over = !!session.state?.outcome;
    this.hint.disabled = !!taker || over || !session.advised;
    this.undo.disabled = !board?.half() && (!!taker || !session.canUndo);
    this.redo.disabled = !!taker || !session.canRedo;
    this.resign.disabled = !!taker || !session.room || !session.mine.length || !!session.last?.outcome;
    this.review.disabled = !session.line.length || !session.advised;
  }
  async advise() {
    if (this.hint.hasAttribute('aria-busy')) return;
    this.hint.setAttribute('aria-busy', 'true');
    await advice.hint(this.gameView);
    this.hint.removeAttribute('aria-busy');
  }
  async giveUp() {
    const session = this.gameView.session;
    if (session instanceof RoomSession && confirm('Resign this game?')) await attempt(() => session.resign());
  }
}
Object.assign(given, { Actions });
});
define('boards/board.js', (given) => {
const { readSpec } = need('boards/text.js');
const KINDS = {
  pathwayz: async () => (await load('boards/pathwayz.js')).Pathwayz,
  pylos: async () => (await load('boards/pylos.js')).Pylos,
  twixt: async () => (await load('boards/twixt.js')).Twixt,
  pentago: async () => (await load('boards/pentago.js')).Pentago,
  'pentago-twist': async () => (await load('boards/pentago.js')).Pentago,
};
async function makeBoard(game, sides, options = {}) {
  const { name } = readSpec(game);
  const load = KINDS[name];
  if (!load) throw new Error(`there is no board for ${name}; known are ${Object.keys(KINDS).join(', ')}`);
  const Kind = await load();
  const board = new Kind(game, sides).start();
  for (const [option, value] of Object.entries(options)) board.set(option, value);
  return board;
}
Object.assign(given, { makeBoard });
});
define('sound.js', (given) => {
const { settings } = need('settings.js');
let audio = null;
const TUNES = {
  move: [[330, 0, 70]],
  end: [[392, 0, 120], [523, 130, 180]],
};
function play(name) {
  if (!settings.get('sounds')) return;
  try {
    audio ??= new AudioContext();
    for (const [frequency, at, ms] of TUNES[name]) {
      const [tone, gain, begin] = [audio.createOscillator(), audio.createGain(), audio.currentTime + at / 1000];
      tone.type = 'triangle';
      tone.frequency.value = frequency;
      gain.gain.setValueAtTime(0.12, begin);
      gain.gain.exponentialRampToValueAtTime(0.001, begin + ms / 1000);
      tone.connect(gain).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + ms / 1000);
    }
  } catch {
  }
}
Object.assign(given, { play });
});
define('game-view.js', (given) => {
const { makeBoard } = need('boards/board.js');
const { capital } = need('boards/text.js');
const { keepGame, roomNotes } = need('library.js');
const { announce, attempt, fail } = need('say.js');
const { settings } = need('settings.js');
const { indexOf, infoOf } = need('spec.js');
const sound = need('sound.js');
const alike = (a, b) => a === b || (a.position === b.position && a.outcome === b.outcome && a.reason === b.reason && a.moves.join() === b.moves.join());
class GameView extends EventTarget {
  constructor(games) {
    super();
    this.games = games;
    this.session = null;
    this.board = null;
    this.flipped = false;
    this.taker = null;
    this.locked = false;
    this.signs = {};
    this.interactive = false;
    this.asked = 0;
    this.hear = ( event) => this.show( (event).detail);
    settings.addEventListener('change', () => this.dress());
  }
  async open(session) {
    const asked = ++this.asked;
    const board = await makeBoard(session.game, infoOf(this.games, session.game)?.sides ?? ['first', 'second']);
    if (asked !== this.asked) return;
    this.session?.removeEventListener('change', this.hear);
    if (this.session && this.session !== session) this.session.close();
    this.session = session;
    this.taker = null;
    this.locked = false;
    this.signs = {};
    if (session.room) session.notes = roomNotes(session.room);
    session.addEventListener('change', this.hear);
    session.addEventListener('think', () => this.session === session && this.dispatchEvent(new Event('think')));
    this.flipped = session.mine.length === 1 && session.mine[0] === 'second' && !!session.room;
    this.take(board);
    this.dispatchEvent(new Event('open'));
    this.show({ previous: null, animate: false });
  }
  take(board) {
    this.board = board;
    const on = ( name,  hear) =>
      board.addEventListener(name, (event) => hear( (event).detail));
    on('move', ({ move }) => this.move(move));
    on('refused', ({ why }) => fail(why));
    on('announce', ({ text }) => announce(text));
    this.dress();
  }
  dress() {
    const board = this.board;
    if (!board) return;
    board.set('flipped', this.flipped);
    board.set('coordinates', settings.get('coordinates'));
    board.set('guides', settings.get('guides'));
    const contrast = settings.get('contrast') || matchMedia('(prefers-contrast: more)').matches;
    board.set('theme', contrast ? 'contrast' : settings.get('boards'));
    board.set('motion', matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : settings.get('motion'));
  }
  flip() {
    this.flipped = !this.flipped;
    this.board?.set('flipped', this.flipped);
    this.dispatchEvent(new Event('flip'));
    announce(this.flipped ? 'The board is flipped.' : 'The board is flipped back.');
  }
  show({ previous, animate }) {
    const { session, board } = this;
    if (!session?.state || !board) return;
    const interactive = this.taker ? !session.state.outcome : session.interactive && !this.locked;
    const same = previous !== null && alike(previous, session.state);
    if (!same || interactive !== this.interactive) board.show(session.state, { previous: same ? null : previous, animate, interactive });
    this.interactive = interactive;
    if (!same && previous && session.live) this.tell(previous, session.state);
    this.dispatchEvent(new CustomEvent('change', { detail: { same } }));
    keepGame(session);
  }
  tell(previous, state) {
    if (state.plies === previous.plies + 1) sound.play(state.outcome ? 'end' : 'move');
    if (state.outcome && !previous.outcome && state.plies === previous.plies) announce(this.result(state));
  }
  judge(signs, found) {
    this.signs = signs;
    this.dispatchEvent(new CustomEvent('judged', { detail: found }));
    this.dispatchEvent(new CustomEvent('change', { detail: { same: true } }));
  }
  result(state) {
    if (!state.outcome) return `${this.sideName(state.to_move)} to move`;
    const reason = state.reason === 'time' ? ' on time' : state.reason ? ` (${state.reason.replaceAll('-', ' ')})` : '';
    return state.outcome === 'draw' ? `Draw${reason}` : `${this.sideName(state.outcome)} wins${reason}`;
  }
  sideName(side) {
    return capital(this.info?.sides[indexOf(side)] ?? side);
  }
  get info() {
    return this.session ? infoOf(this.games, this.session.game) : undefined;
  }
  async move(move) {
    const session = this.session;
    if (!session) return;
    if (this.taker?.(move)) return;
    try {
      if (this.locked) throw new Error('The engines are playing; pause them first.');
      await session.move(move);
    } catch (why) {
      fail(why);
      this.board?.cancelHalf();
    }
  }
  goto(ply) {
    const session = this.session;
    if (session) attempt(() => session.goto(ply));
  }
  undo() {
    if (this.board?.half()) return void this.board.undoHalf();
    if (this.taker) return fail('Moves cannot be taken back here: this position has one task.');
    const session = this.session;
    if (session) attempt(() => session.undo());
  }
  redo() {
    if (this.taker) return;
    const session = this.session;
    if (session) attempt(() => session.redo());
  }
}
Object.assign(given, { GameView });
});
define('headline.js', (given) => {
const { button, el, fill } = need('dom.js');
const { percent, words } = need('judge.js');
const { playerName } = need('levels.js');
const { makeRoom, RoomSession } = need('room.js');
const { attempt } = need('say.js');
const { other } = need('spec.js');
const TOP = 8;
const LINE = 8;
const levelOf = (seat) => (seat?.who === 'agent' && seat.agent.startsWith('level:') ? Number(seat.agent.slice(6)) : null);
class Headline {
  constructor(gameView, engine, review) {
    this.gameView = gameView;
    this.engine = engine;
    this.outcome = el('p', { class: 'outcome', hidden: true });
    this.status = el('p', { class: 'status' });
    this.next = button('Next level', () => this.again(1), { class: 'main' });
    this.rematch = button('Rematch', () => this.again(0));
    this.buttons = el('div', { class: 'buttons', hidden: true }, this.next, this.rematch, button('Review', review));
    this.line = el('p', { class: 'bestline', hidden: true });
    this.wish = el('div', { class: 'wish', role: 'status' });
    this.element = el('div', { class: 'headline' }, this.outcome, this.status, this.line, this.buttons, this.wish);
    for (const name of ['open', 'change']) gameView.addEventListener(name, () => this.update());
    engine.addEventListener('update', () => this.showLine());
  }
  update() {
    const session = this.gameView.session;
    const state = session?.state;
    if (!session || !state) return;
    const where = session.branch ? 'Try-out. ' : session.ply < session.line.length ? `Move ${session.ply} of ${session.line.length}. ` : '';
    const again = state.occurrences > 1 ? ` This position has occurred ${state.occurrences} times; the third time is a draw.` : '';
    const wait = 'waiting' in session && session.waiting ? ` ${session.waiting}` : '';
    this.status.textContent = `${where}${this.gameView.result(state)}.${again}${wait}`;
    this.status.classList.toggle('over', !!state.outcome);
    const ended = !!session.room && !!session.last?.outcome && session.mine.length > 0 && !this.gameView.taker;
    this.outcome.hidden = this.buttons.hidden = !ended;
    if (ended) this.end(session);
    this.showWish(session);
    this.showLine();
  }
  showWish(session) {
    const room = session instanceof RoomSession ? session : null;
    const over = !!session.last?.outcome;
    const asked = room?.mine.length === 1 ? (over ? room.rematchAsked : room.undoAsked) : null;
    const next = room?.rematch ?? null;
    const said = `${session.room} ${over} ${asked} ${next}`;
    if (this.wish.dataset.said === said) return;
    this.wish.dataset.said = said;
    if (next) return fill(this.wish, [el('p', {}, 'The rematch has begun. ', el('a', { href: `#room=${next}` }, 'Go to it'))]);
    if (!room || !asked) return fill(this.wish, []);
    const decline = () => attempt(() => room.decline());
    const agree = () => attempt(() => (over ? room.askRematch() : room.undo()));
    const rival = room.seats[asked === 'first' ? 0 : 1];
    const [own, others] = over ? ['You have asked for a rematch.', 'would like a rematch.'] : ['You have asked to take your last move back.', 'would like to take a move back.'];
    fill(this.wish, room.mine[0] === asked
      ? [el('p', {}, own), el('div', { class: 'buttons' }, button('Never mind', decline))]
      : [el('p', {}, `${(rival.who === 'person' && rival.name) || 'Your opponent'} ${others}`),
        el('div', { class: 'buttons' }, button('Agree', agree, { class: 'main' }), button('Decline', decline))]);
  }
  end(session) {
    const side = session.mine[0];
    const rival = session.seats[side === 'first' ? 1 : 0];
    const [result, both] = [session.last?.outcome, session.mine.length === 2];
    const name = rival.who === 'agent' ? playerName(rival.agent) : rival.name || 'your opponent';
    const won = result === side;
    this.outcome.textContent = both ? this.gameView.result( (session.last))
      : result === 'draw' ? `A draw with ${name}` : `You ${won ? 'won' : 'lost'}${session.last?.reason === 'time' ? ' on time' : ''} ${won ? 'against' : 'to'} ${name}`;
    const level = levelOf(rival);
    this.next.hidden = !won || level === null || level >= TOP;
    this.next.textContent = `Next level: ${(level ?? 0) + 1}`;
    this.rematch.classList.toggle('main', this.next.hidden);
    this.rematch.hidden = session instanceof RoomSession && (session.rematchAsked !== null || session.rematch !== null);
  }
  async again(stronger) {
    const session = this.gameView.session;
    if (!(session instanceof RoomSession)) return;
    const seats =  (stronger
      ? session.seats.map((seat) => (seat.who === 'agent' ? { ...seat, agent: `level:${(levelOf(seat) ?? 0) + 1}` } : seat))
      : [session.seats[1], session.seats[0]]);
    const [{ invite }, { clock }] = [session.keys, session];
    if (session.between && !invite) return void attempt(() => session.askRematch());
    await attempt(async () => {
      location.hash = `#room=${await makeRoom({ game: session.game, position: session.from, moves: [], seats, clock: clock && { main_ms: clock.main_ms, increment_ms: clock.increment_ms } }, invite ? other(invite.side) : null)}`;
    });
  }
  showLine() {
    const { engine, gameView } = this;
    const [verdict, state] = [engine.verdict, gameView.session?.state];
    this.line.hidden = !engine.on || !state || !!state.outcome;
    if (this.line.hidden || !state) return;
    const draws = verdict?.draw && !verdict.exact ? `, draws ${percent(verdict.draw)}` : '';
    this.line.textContent = verdict ? `${gameView.sideName(state.to_move)}: ${words(verdict, state.to_move)}${draws} · ${engine.line.slice(0, LINE).join(' ')}` : 'Thinking…';
  }
}
Object.assign(given, { Headline });
});
define('exporter.js', (given) => {
const api = need('api.js');
const { download } = need('dom.js');
const { note } = need('say.js');
const { parse } = need('spec.js');
const namesOf = (session) => session.seats.map((seat) => (seat.who === 'agent' ? seat.agent : seat.name || 'person'));
function ending(session) {
  const last = session.branch ? session.state : session.last;
  return { result: last?.outcome ?? '*', reason: last?.reason ?? '' };
}
function textOf(gameView) {
  const session = gameView.session;
  if (!session) return '';
  const { result, reason } = ending(session);
  const game = session.from ? `${session.game}; from ${session.from}` : session.game;
  const moves = session.shown.map((move, ply) => `${ply + 1}.${move}`).join(' ');
  const players = namesOf(session).map((name) => name.replaceAll(',', ' ').replaceAll(';', ' ')).join(', ');
  return `${game}; ${moves}; ${result}; ${reason}; ${players};\n`;
}
const fileName = (session) => `${parse(session.game).name}-${new Date().toISOString().slice(0, 10)}`;
function saveText(gameView) {
  if (gameView.session) download(`${fileName(gameView.session)}.txt`, new Blob([textOf(gameView)], { type: 'text/plain' }));
}
function jsonOf(gameView) {
  const session = gameView.session;
  if (!session) return '';
  const { result, reason } = ending(session);
  const known = session.ms.some((ms) => ms > 0) && !session.branch;
  const notes = Object.keys(session.notes).length ? session.notes : undefined;
  return `${JSON.stringify({ game: session.game, position: session.from ?? undefined, moves: session.shown, result: result === '*' ? undefined : result,
    reason: reason || undefined, players: namesOf(session).join(' v '), ms: known ? session.ms : undefined, notes })}\n`;
}
function saveJson(gameView) {
  if (gameView.session) download(`${fileName(gameView.session)}.jsonl`, new Blob([jsonOf(gameView)], { type: 'application/x-ndjson' }));
}
const ENDINGS = { t1: 'T1', tsgf: 'tsgf', sgf: 'sgf' };
async function saveFor(gameView, format) {
  const session = gameView.session;
  if (!session) return;
  const { result, reason } = ending(session);
  const text = await api.written({ game: session.game, position: session.from ?? undefined, moves: session.shown, format,
    players: namesOf(session), result: result === '*' ? undefined : result, reason });
  download(`${fileName(session)}.${ENDINGS[format]}`, new Blob([text], { type: 'text/plain' }));
}
async function saveSvg(gameView) {
  if (!gameView.session) return;
  const picture = await api.picture(gameView.session.place);
  download(`${fileName(gameView.session)}.svg`, new Blob([picture], { type: 'image/svg+xml' }));
}
const PIXELS = 1200;
async function pngOf(session) {
  const picture = await api.picture(session.place);
  const address = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = PIXELS / Math.max(image.naturalWidth || 1, image.naturalHeight || 1);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round((image.naturalWidth || PIXELS) * scale);
    canvas.height = Math.round((image.naturalHeight || PIXELS) * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise(( good) => canvas.toBlob(good, 'image/png'));
    if (!blob) throw new Error('This browser could not make a PNG; use the SVG instead.');
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}
async function savePng(gameView) {
  if (gameView.session) download(`${fileName(gameView.session)}.png`, await pngOf(gameView.session));
}
async function copySvg(gameView) {
  if (!gameView.session) return;
  await navigator.clipboard.writeText(await api.picture(gameView.session.place));
  note('SVG copied.');
}
async function copyPng(gameView) {
  if (!gameView.session) return;
  if (!('ClipboardItem' in window)) throw new Error('This browser cannot copy pictures; save the PNG as a file.');
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': await pngOf(gameView.session) })]);
  note('PNG copied.');
}
Object.assign(given, { textOf, saveText, jsonOf, saveJson, saveFor, saveSvg, savePng, copySvg, copyPng });
});
define('help.js', (given) => {
const { button, el } = need('dom.js');
const { announce } = need('say.js');
const KEYS = [
  [', .', 'step back, forward (also ← → when the board has no focus)'], ['Home End', 'first, last position'], ['u or Ctrl-Z, Ctrl-Y', 'undo, redo'],
  ['Space', 'let the engine move now'], ['n p', 'in Review: next, previous mistake'], ['f', 'flip the board'], ['k', 'coordinates'], ['s', 'TwixT: swap'],
  ['h', 'hint'], ['m', 'heat map: off, where it looks, what moves are worth, what it expects at first, what is proven'], ['l', 'engine on, off'], ['a', 'arrow for the best move'], ['x', 'the opponent’s threat'],
  ['v', 'Pylos: stacked or flat'], ['p', 'Pathwayz: regular or permanent'], ['z', 'zen: board only'], ['Ctrl-C Ctrl-V', 'copy, paste a record or position'],
  ['/', 'move as text'], ['Enter Esc', 'place; cancel, or stop the engine'], ['?', 'this list'],
];
const keyTable = () => el('table', { class: 'keys' }, el('caption', { class: 'unseen' }, 'Keys'),
  el('tbody', {}, ...KEYS.map(([keys, does]) => el('tr', {}, el('th', { scope: 'row' }, ...keys.split(/(?<=\S) (?=\S)/).map((key) => (/^(or|Ctrl-Z,)$/.test(key) ? ` ${key} ` : el('kbd', {}, key)))), el('td', {}, does)))));
let dialog = null;
function showKeys() {
  if (dialog?.open) return dialog.close();
  dialog?.remove();
  dialog = el('dialog', { class: 'dialog', 'aria-labelledby': 'keys-title' }, el('h2', { id: 'keys-title', tabindex: '-1', autofocus: true }, 'Keys'), keyTable(),
    el('div', { class: 'buttons' }, button('Close', () => dialog?.close(), { class: 'main' })));
  document.body.append(dialog);
  dialog.showModal();
}
function toggleZen() {
  const on = document.body.classList.toggle('zen');
  announce(on ? 'Board only; press z or Esc to show the rest again.' : 'Everything is shown again.');
}
Object.assign(given, { keyTable, showKeys, toggleZen });
});
define('keys.js', (given) => {
const advice = need('advice.js');
const { textOf } = need('exporter.js');
const { toggleZen } = need('help.js');
const { announce, attempt, note } = need('say.js');
const { settings } = need('settings.js');
const typing = (target) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  && !(target instanceof HTMLInputElement && /^(checkbox|button|range)$/.test(target.type));
async function turnHeat(engine) {
  const heat = engine.turnHeat();
  note(`Heat map: ${heat}.${heat !== 'exact' && heat !== 'off' && !engine.on ? ' Switch the engine on to see it (l).' : ''}`);
  if (heat !== 'exact') return;
  await engine.prove();
  const { exact } = engine;
  if (exact && !exact.known && settings.get('heat') === 'exact') note(`Heat map: exact. There are no exact values here: ${exact.why}`);
}
function listen(hands) {
  const { gameView, engine, panel, review, match, thinking } = hands;
  const at = () => gameView.session?.wanted ?? 0;
  const inReview = () => panel.current === 'review';
  const now = (option) =>  (gameView.board)?.options?.[option];
  const letters = {
    ',': () => gameView.goto(at() - 1), '.': () => gameView.goto(at() + 1),
    u: () => gameView.undo(), f: () => gameView.flip(), h: () => advice.hint(gameView), x: () => advice.threat(gameView), z: toggleZen,
    k: () => settings.set('coordinates', !settings.get('coordinates')),
    l: () => engine.toggle(), a: () => settings.set('arrow', !settings.get('arrow')), m: () => void turnHeat(engine),
    n: () => inReview() && review()?.step(1),
    p: () => {
      if (inReview()) return review()?.step(-1);
      if (gameView.info?.game !== 'pathwayz') return;
      const kind = now('kind') === 'permanent' ? 'regular' : 'permanent';
      gameView.board?.set('kind', kind);
      announce(`${kind} piece`);
    },
    s: () => gameView.session?.state?.legal.includes('swap') && gameView.move('swap'),
    v: () => {
      if (gameView.info?.game === 'pylos') gameView.board?.set('view', now('view') === 'flat' ? 'stacked' : 'flat');
    },
    '/': () => hands.box.focus(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (!hands.shown()) return;
    if (event.key === 'Escape') return escape(event);
    if (typing(event.target) || event.altKey) return;
    const held = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (held && key === 'z') return act(event, () => gameView.undo());
    if (held && key === 'y') return act(event, () => gameView.redo());
    if (held) return;
    const onBoard = event.target instanceof Node && !!gameView.board?.element.contains(event.target);
    const slides = event.target instanceof HTMLInputElement && event.target.type === 'range';
    const onTab = slides || (event.target instanceof HTMLElement && event.target.getAttribute('role') === 'tab');
    if (!onBoard && !onTab && key === 'arrowleft') return act(event, () => gameView.goto(at() - 1));
    if (!onBoard && !onTab && key === 'arrowright') return act(event, () => gameView.goto(at() + 1));
    if (!onBoard && !slides && key === 'home') return act(event, () => gameView.goto(0));
    if (!onBoard && !slides && key === 'end') return act(event, () => gameView.goto(Infinity));
    if (key === ' ' && !onBoard && event.target instanceof HTMLElement && event.target.closest('button,summary,a,input')) return;
    if (key === ' ') return act(event, () => (thinking.busy ? thinking.hurry() : match.fits ? void match.step() : void advice.moveNow(gameView)));
    if (settings.get('letters') && letters[key]) act(event, letters[key]);
  });
  function escape(event) {
    if (document.activeElement === hands.box) hands.box.blur();
    else if (gameView.board?.half()) gameView.board.cancelHalf();
    else if (document.body.classList.contains('zen')) toggleZen();
    else if (engine.thinking) engine.stop();
    else return;
    event.preventDefault();
  }
  document.addEventListener('copy', (event) => {
    if (!hands.shown() || typing(event.target) || String(getSelection() ?? '')) return;
    event.clipboardData?.setData('text/plain', textOf(gameView));
    event.preventDefault();
    note('Record copied.');
  });
  document.addEventListener('paste', (event) => {
    if (!hands.shown() || typing(event.target)) return;
    const text = event.clipboardData?.getData('text/plain').trim();
    if (text) pasted(hands, text);
  });
}
function act(event, does) {
  event.preventDefault();
  does();
}
async function pasted({ gameView, importer }, text) {
  const hash = /#(g=\S+|room=\S+)/.exec(text);
  if (hash) return void (location.hash = hash[0]);
  const { position } = await load('api.js');
  const game = gameView.session?.game ?? '';
  const state = await position({ game, position: text, moves: [] }).catch(() => null);
  if (state) location.hash = (await load('link.js')).write({ game, from: text, moves: [] });
  else await attempt(async () => (await importer()).take(text, true));
}
Object.assign(given, { typing, listen });
});
define('match.js', (given) => {
const { fail } = need('say.js');
const { settings } = need('settings.js');
const { socket } = need('socket.js');
class Match extends EventTarget {
  constructor(gameView) {
    super();
    this.gameView = gameView;
    this.running = false;
    this.round = 0;
    this.search = null;
    this.report = null;
    gameView.addEventListener('open', () => this.pause());
  }
  get fits() {
    const session = this.gameView.session;
    return !!session && !session.room && session.seats.every((seat) => seat.who === 'agent');
  }
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
  look(search) {
    this.search = search;
    this.report = null;
    const session = this.gameView.session;
    if (session) {
      session.thinking = search !== null;
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
  async step() {
    const session = this.gameView.session;
    if (!session || !this.fits) return false;
    try {
      if (!session.live) await session.leaveBranch(session.line.length);
      const state = session.state;
      if (!state || state.outcome || this.search) return false;
      const seat = session.seats[state.to_move === 'first' ? 0 : 1];
      if (seat.who !== 'agent') return false;
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
  hurry() {
    this.search?.stop();
  }
}
Object.assign(given, { Match });
});
define('movelist.js', (given) => {
const { button, el, fill } = need('dom.js');
const { icon, iconButton } = need('icons.js');
const { attempt } = need('say.js');
class MoveList {
  constructor(gameView) {
    this.gameView = gameView;
    this.list = el('ol', { class: 'movelist', 'aria-label': 'Moves', tabindex: '-1' });
    const go = ( ply) => () => gameView.goto(ply());
    const at = () => gameView.session?.wanted ?? 0;
    const nav = el('div', { class: 'buttons nav' }, iconButton('first', 'First position', go(() => 0), { title: 'Home' }),
      iconButton('back', 'Back', go(() => at() - 1), { title: ',' }), iconButton('forward', 'Forward', go(() => at() + 1), { title: '.' }),
      iconButton('last', 'Last position', go(() => Infinity), { title: 'End' }));
    this.branch = el('li', { class: 'branch' });
    this.element = el('div', { class: 'moveparts' }, this.list, nav);
    this.items = [];
    this.made = '';
    gameView.addEventListener('open', () => this.update());
    gameView.addEventListener('change', () => this.update());
    this.wheel();
    new ResizeObserver(() => this.follow()).observe(this.list);
  }
  update() {
    const session = this.gameView.session;
    if (!session) return;
    const late = session.firstToMove() === 'second' ? 1 : 0;
    const made = JSON.stringify([session.line, session.notes, late, this.gameView.signs]);
    if (made !== this.made) {
      this.made = made;
      this.items = session.line.map((move, ply) => this.item(move, ply, (ply + late) % 2));
      const numbers = ( ply) => ((ply + late) % 2 === 0 || ply === 0 ? [el('li', { class: 'number', 'aria-hidden': 'true' }, (ply + late) / 2 + 1 | 0)] : []);
      fill(this.list, this.items.length ? this.items.flatMap((item, ply) => [...numbers(ply), item]) : [el('li', { class: 'none' }, 'No moves yet.')]);
    }
    const current = session.branch ? Math.min(session.ply, session.branch.at) : session.ply;
    this.items.forEach((item, ply) => {
      const on = ply === current - 1;
      item.classList.toggle('current', on && !(session.branch && session.ply > session.branch.at));
      if (on) item.firstElementChild?.setAttribute('aria-current', 'step');
      else item.firstElementChild?.removeAttribute('aria-current');
    });
    this.showBranch();
    this.follow();
  }
  follow() {
    const session = this.gameView.session;
    const item = session?.branch ? this.branch : this.items[(session?.ply ?? 0) - 1];
    const row = item?.offsetHeight || 1;
    this.list.scrollTop = item ? Math.max(0, Math.ceil((item.offsetTop + row - this.list.clientHeight) / row) * row) : 0;
  }
  item(move, ply, side) {
    const text = this.gameView.session?.notes[ply + 1];
    const wrong = this.gameView.signs[ply];
    const press = el('button', { type: 'button', class: 'ply', title: text ?? '', 'data-sign': wrong?.sign ?? null, on: { click: () => this.goto(ply + 1) } }, el('span', { class: 'count' }, `${ply + 1}. `), move, text && icon('pencil'), wrong && el('span', { class: 'unseen' }, `, ${wrong.name}`));
    return el('li', { class: side ? 'two' : 'one' }, press);
  }
  goto(ply) {
    const session = this.gameView.session;
    if (!session) return;
    if (session.branch) attempt(() => session.leaveBranch(ply));
    else this.gameView.goto(ply);
  }
  showBranch() {
    const session = this.gameView.session;
    const branch = session?.branch;
    if (!session || !branch) return this.branch.remove();
    fill(this.branch, [el('p', { class: 'unseen' }, `Try-out after move ${branch.at}:`), el('div', { class: 'buttons' },
      ...branch.moves.map((move, at) => button(`${branch.at + at + 1}. ${move}`, () => this.gameView.goto(branch.at + at + 1),
        { class: 'try', 'aria-current': session.ply === branch.at + at + 1 ? 'step' : null })),
      button('Back to the game', () => attempt(() => session.leaveBranch()), { class: 'leave' }),
      !session.room && button('Make it the game', () => attempt(() => session.keepBranch()), { class: 'leave' }))]);
    const before = this.items[branch.at - 1];
    if (before) before.after(this.branch);
    else this.list.prepend(this.branch);
  }
  wheel() {
    this.list.addEventListener('wheel', (event) => {
      const session = this.gameView.session;
      if (!session || event.ctrlKey || Math.abs(event.deltaY) < 1) return;
      event.preventDefault();
      this.gameView.goto(session.wanted + Math.sign(event.deltaY));
    }, { passive: false });
  }
}
Object.assign(given, { MoveList });
});
define('panel.js', (given) => {
const { el } = need('dom.js');
class Panel extends EventTarget {
  constructor(root, tabs, { top, bottom }) {
    super();
    this.tabs = tabs;
    this.current = '';
    this.heads = tabs.map(({ id, title }) => el('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `pane-${id}`,
      on: { click: () => this.open(id), keydown: ( event) => this.key(event) } }, title));
    const head = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panel' }, ...this.heads);
    const panes = tabs.map(({ id, element }) => {
      element.id = `pane-${id}`;
      element.classList.add('pane');
      element.setAttribute('role', 'tabpanel');
      element.setAttribute('aria-labelledby', `tab-${id}`);
      return element;
    });
    this.above = el('div');
    root.replaceChildren(top, this.above, head, ...panes, ...bottom);
    this.open(tabs[0].id);
  }
  open(id) {
    if (this.current === id) return;
    this.current = id;
    this.tabs.forEach((tab, at) => {
      const on = tab.id === id;
      this.heads[at].setAttribute('aria-selected', String(on));
      this.heads[at].tabIndex = on ? 0 : -1;
      tab.element.hidden = !on;
      if (on) tab.shown?.();
    });
    this.dispatchEvent(new CustomEvent('tab', { detail: { id } }));
  }
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (this.tabs.findIndex((tab) => tab.id === this.current) + step + this.tabs.length) % this.tabs.length;
    this.open(this.tabs[at].id);
    this.heads[at].focus();
  }
}
Object.assign(given, { Panel });
});
define('play.js', (given) => {
const advice = need('advice.js');
const { clockName } = need('clock.js');
const { button, el, field, fill, select } = need('dom.js');
const link = need('link.js');
const { anyToken, makeRoom, RoomSession } = need('room.js');
const { attempt, note } = need('say.js');
const { settings } = need('settings.js');
const { titleOf, parse } = need('spec.js');
const OPPONENT = 'level:6';
class Play {
  constructor(gameView, match, thinking) {
    this.gameView = gameView;
    this.match = match;
    this.thinking = thinking;
    this.title = el('h2');
    this.variant = el('p', { class: 'small' });
    this.seat = el('p', { class: 'small' });
    this.invite = el('div', { class: 'invite', hidden: true });
    this.fault = el('div', { class: 'invite fault', role: 'alert', hidden: true });
    this.buttons = {
      now: button('Move for me', () => advice.moveNow(gameView), { title: 'Space' }),
      from: button('Play from here', () => this.playFromHere()),
    };
    this.engines = this.matchControls();
    this.element = el('div', {}, this.invite, this.engines, thinking.element, this.title, this.variant, this.seat,
      el('div', { class: 'buttons' }, ...Object.values(this.buttons), el('a', { class: 'button', href: '#' }, 'Another game')));
    gameView.addEventListener('open', () => this.update());
    gameView.addEventListener('change', () => this.update());
    match.addEventListener('change', () => this.update());
  }
  matchControls() {
    this.run = button('Start', () => (this.match.running ? this.match.pause() : this.match.go()), { class: 'main' });
    this.one = button('Step', () => this.match.step());
    const speed = el('input', { type: 'range', min: 0, max: 3000, step: 100, value: String(3000 - settings.get('speed')) });
    speed.addEventListener('input', () => settings.set('speed', 3000 - Number(speed.value)));
    return el('div', { class: 'engines', hidden: true }, el('div', { class: 'buttons' }, this.run, this.one), field('Speed', speed));
  }
  update() {
    const session = this.gameView.session;
    if (!session) return;
    const { about, options } = this.gameView.info ?? { about: '', options: [] };
    this.title.textContent = titleOf(this.gameView.games, session.game);
    const chosen = parse(session.game).options;
    const more = options.flatMap((option) => {
      const values = option.values;
      const word = Array.isArray(values) ? values.find(({ value }) => value === chosen[option.key]) : undefined;
      return word ? [`${option.key} ${word.value}: ${word.about}.`] : [];
    });
    const clock = session instanceof RoomSession && session.clock;
    this.variant.textContent = [about, ...more, clock ? `Clock: ${clockName(clock)}.` : ''].filter(Boolean).join(' ');
    const over = !!session.last?.outcome;
    this.seat.textContent = session.room && !session.mine.length && !session.seats.every((seat) => seat.who === 'agent')
      ? 'You are watching: moves that you make are try-outs that only you see.' : session.room ? '' : 'You play both sides: try out what you like.';
    this.engines.hidden = !this.match.fits;
    if (this.match.fits) this.seat.textContent = over ? '' : 'Two engines play here.';
    if (this.run) this.run.textContent = this.match.running ? 'Pause' : session.line.length ? 'Continue' : 'Start';
    if (this.run)  (this.run).disabled = over;
    const show = ( name,  on) => (this.buttons[name].hidden = !on);
    show('from', !this.gameView.taker && session.advised && (!session.live || !session.room || over));
    const own = !this.gameView.taker;
    if (!own) this.seat.textContent = '';
    show('now', own && session.advised && !this.match.fits && !this.thinking.busy);
    this.buttons.now.disabled = !!session.state?.outcome;
    this.showInvite();
    this.showFault();
  }
  showInvite() {
    const session = this.gameView.session instanceof RoomSession ? this.gameView.session : null;
    const invite = session?.keys.invite;
    const there = !!invite && !session?.last?.outcome;
    this.invite.hidden = !there;
    if (!there || !session || this.invite.dataset.room === session.room) return;
    this.invite.dataset.room = session.room;
    const address = link.toRoom(session.room, invite.token);
    const box = el('input', { type: 'text', readonly: true, value: address, 'aria-label': 'Link for the other player' });
    const watch = link.toRoom(session.room);
    const own = session.seats[invite.side === 'first' ? 1 : 0];
    const name = el('input', { type: 'text', maxlength: 40, autocomplete: 'nickname', on: { change: () => attempt(() => session.rename(name.value.trim())) } });
    name.addEventListener('change', () => settings.set('name', name.value.trim()));
    fill(this.invite, [el('h2', {}, 'Invite'), el('p', { class: 'small' }, 'Whoever opens this link plays the other side:'), box,
      el('div', { class: 'buttons' }, button('Copy link', () => copy(address, 'Link')), button('Copy link to watch', () => copy(watch, 'Link'))), own.who === 'person' && !own.name && field('Your name, for your guest', name)]);
  }
  showFault() {
    const session = this.gameView.session;
    const room = session instanceof RoomSession && !session.last?.outcome ? session : null;
    const said = room?.fault?.what ?? '';
    this.fault.hidden = !said;
    if (!room || this.fault.dataset.said === said) return;
    this.fault.dataset.said = said;
    const again = room.fault?.passing ? 'It is tried again by itself. ' : '';
    const levels = select([1, 2, 3, 4, 5, 6, 7, 8].map((level) => [`level:${level}`, `Level ${level}`]), 'level:4', () => {}, { 'aria-label': 'Another agent' });
    const replace = () => attempt(() => room.replace({ who: 'agent', agent: levels.value }));
    const takeOver = () => attempt(() => room.replace({ who: 'person', name: settings.get('name') }));
    const may = anyToken(room.keys);
    fill(this.fault, [el('h2', {}, 'The agent does not move'), el('p', {}, said), el('p', { class: 'small' }, `${again}${may ? '' : 'Whoever plays here can let it try again or replace it.'}`),
      may && el('div', { class: 'buttons' }, button('Try again', () => attempt(() => room.retry())), button('Take over', takeOver), button('Replace by', replace), levels)]);
  }
  async playFromHere() {
    const session = this.gameView.session;
    if (!session?.state) return;
    if (session.state.outcome) return note('The game is over in this position; go back to an earlier one first.');
    const { place } = session;
    const agent = session.seats.some((seat) => seat.who === 'agent');
    const seats = agent && session.room ? session.seats : session.state.to_move === 'first'
      ? [{ who: 'person', name: settings.get('name') }, { who: 'agent', agent: OPPONENT }]
      : [{ who: 'agent', agent: OPPONENT }, { who: 'person', name: settings.get('name') }];
    await attempt(async () => {
      location.hash = `#room=${await makeRoom({ ...place, seats })}`;
    });
  }
}
async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} copied.`);
  } catch {
    prompt(`${what}: copy it from here.`, text);
  }
}
Object.assign(given, { Play, copy });
});
define('bar.js', (given) => {
const { el } = need('dom.js');
const { valueFor, words } = need('judge.js');
class Bar {
  constructor() {
    this.first = el('div', { class: 'bar-first' });
    this.draws = el('div', { class: 'bar-draws' });
    this.number = el('div', { class: 'bar-number' });
    this.element = el('div', { class: 'bar idle', role: 'img', 'aria-label': 'No evaluation' }, this.first, this.draws, this.number);
  }
  show(verdict, { flipped, sides }) {
    this.element.classList.toggle('idle', !verdict);
    this.element.classList.toggle('exact', !!verdict?.exact);
    this.element.classList.toggle('flipped', flipped);
    if (!verdict) {
      this.element.setAttribute('aria-label', 'No evaluation');
      this.number.textContent = '';
      return;
    }
    const value = valueFor(verdict, 'first');
    const draw = verdict.draw ?? 0;
    const wins = value === null ? 0.5 : value - draw / 2;
    this.first.style.setProperty('--part', String(wins));
    this.draws.style.setProperty('--part', String(draw));
    const side = value === null || value >= 0.5 ? 'first' : 'second';
    const text = words(verdict, side);
    this.number.textContent = value === null ? '?' : verdict.exact ? text : text.replace(' %', '');
    this.number.classList.toggle('low', side === 'first');
    const more = verdict.draw === null || verdict.exact ? '' : `, draws ${Math.round(draw * 100)} %`;
    const label = `${verdict.exact ? 'Exact' : 'Estimate'}: ${sides[side === 'first' ? 0 : 1]} ${text}${more}`;
    this.element.setAttribute('aria-label', label);
    this.element.title = label;
  }
}
Object.assign(given, { Bar });
});
define('stage.js', (given) => {
const api = need('api.js');
const { Bar } = need('bar.js');
const { clock, countdown, LOW } = need('clock.js');
const { button, el, fill } = need('dom.js');
const { announce, fail } = need('say.js');
const { parse } = need('spec.js');
const { playerName, rating } = need('levels.js');
class Stage {
  constructor(root, gameView, engine, match, actions) {
    this.gameView = gameView;
    this.engine = engine;
    this.bar = new Bar();
    this.strips = [this.strip(), this.strip()];
    this.holder = el('div', { class: 'holder' });
    this.controls = el('div', { class: 'controls' });
    this.pointed = el('span', { class: 'pointed', 'aria-hidden': 'true' });
    this.box = el('input', { type: 'text', class: 'movebox', placeholder: 'e.g. c4', autocomplete: 'off', spellcheck: 'false',
      autocapitalize: 'off', 'aria-label': 'Move as text' });
    this.text = el('pre', { class: 'described', tabindex: '0', hidden: true });
    this.typing = el('form', { class: 'typed', on: { submit: ( event) => this.typed(event) } }, this.box,
      button('Move', () => this.typing.requestSubmit()), button('Describe board', () => this.describe(), { class: 'quiet' }), this.pointed);
    fill(root, [this.strips[1].element, el('div', { class: 'boardrow' }, this.bar.element, this.holder),
      el('div', { class: 'below' }, this.strips[0].element, this.controls), actions.element]);
    gameView.addEventListener('open', () => this.opened());
    gameView.addEventListener('change', () => this.update());
    gameView.addEventListener('flip', () => this.update());
    engine.addEventListener('update', () => this.showBar());
    match.addEventListener('think', () => this.update());
    this.measured = new Map();
    setInterval(() => this.tick(), 200);
    this.wheel();
  }
  strip() {
    const [name, turn, reserve, time] = [el('span', { class: 'who' }), el('span', { class: 'turn' }), el('span', { class: 'reserve' }), el('span', { class: 'clock' })];
    return { element: el('div', { class: 'strip' }, el('span', { class: 'dot', 'aria-hidden': 'true' }), name, turn, reserve, time), name, time, turn, reserve };
  }
  opened() {
    const board = this.gameView.board;
    if (!board) return;
    this.text.hidden = true;
    this.holder.dataset.game = this.gameView.info?.game ?? '';
    fill(this.holder, [board.element]);
    fill(this.controls, [board.controls]);
    this.box.placeholder = `e.g. ${this.gameView.info?.example ?? 'c4'}`;
    this.pointed.textContent = '';
    this.shape(board.element);
    this.measure();
    board.addEventListener('half', () => this.showReserves());
    board.addEventListener('cell', (event) => {
      this.pointed.textContent =  (event).detail.cell ?? '';
    });
  }
  shape(board) {
    const read = () => {
      const [, , width, height] = (board.getAttribute('viewBox') ?? '0 0 1 1').split(' ').map(Number);
      this.holder.style.setProperty('--shape', String(width / height));
    };
    read();
    this.shapes?.disconnect();
    this.shapes = new MutationObserver(read);
    this.shapes.observe(board, { attributeFilter: ['viewBox'] });
  }
  showReserves() {
    const left = this.gameView.board?.reserves() ?? null;
    this.order.forEach((side, at) => {
      const { reserve } = this.strips[at];
      const count = left?.[side === 'first' ? 0 : 1];
      reserve.textContent = count === undefined ? '' : `${count} left`;
      if (count === undefined) delete reserve.dataset.reserve;
      else reserve.dataset.reserve = String(count);
      reserve.style.setProperty('--left', String(count ?? 0));
    });
  }
  async measure() {
    const session = this.gameView.session;
    this.measured.clear();
    if (!session?.seats.some((seat) => seat.who === 'agent' && seat.agent.startsWith('level:'))) return;
    const { name, options } = parse(session.game);
    if (Object.keys(options).length) return;
    const levels = await api.levels(name).catch(() => []);
    for (const level of levels) if (level.strength) this.measured.set(level.agent, rating(level.strength));
    if (this.gameView.session === session && this.measured.size) this.update();
  }
  get order() {
    return this.gameView.flipped ? ['second', 'first'] : ['first', 'second'];
  }
  update() {
    const session = this.gameView.session;
    const state = session?.state;
    if (!session || !state) return;
    this.order.forEach((side, at) => {
      const seat = session.seats[side === 'first' ? 0 : 1];
      const { element, name, turn } = this.strips[at];
      element.dataset.side = side;
      element.dataset.game = this.gameView.info?.game ?? '';
      const moving = !state.outcome && state.to_move === side;
      element.classList.toggle('moving', moving);
      const who = seat.who === 'agent' ? playerName(seat.agent) : seat.name || (session.room ? (session.mine.includes(side) ? 'You' : session.mine.length ? 'Opponent' : '') : '');
      const colour = this.gameView.sideName(side);
      name.textContent = who || colour;
      name.title = seat.who === 'agent' ? seat.agent : '';
      const works = seat.who === 'agent' && session.live && (session.room || session.thinking);
      const does = moving ? (works ? ('fault' in session && session.fault ? 'does not move' : 'thinking…') : session.mine.length === 1 && session.mine[0] === side ? 'your move' : 'to move') : state.outcome === side ? 'wins' : '';
      const strength = seat.who === 'agent' ? this.measured.get(seat.agent) : '';
      turn.textContent = [strength, who && colour, does].filter(Boolean).join(' · ');
    });
    if (!this.text.hidden) this.text.textContent = this.description();
    this.showReserves();
    this.tick();
    this.showBar();
  }
  tick() {
    const session = this.gameView.session;
    if (!session) return;
    const left = session.left();
    const times = left ?? session.used();
    const counts = !!session.room || session.seats.some((seat) => seat.who === 'agent');
    this.order.forEach((side, at) => {
      const { element, time } = this.strips[at];
      const ms = times[side === 'first' ? 0 : 1];
      const text = left ? countdown(ms) : clock(ms);
      if (time.textContent !== text) time.textContent = text;
      time.title = left ? 'time left' : 'time used';
      time.hidden = !counts;
      const low = !!left && ms < LOW;
      if (low && !element.classList.contains('low') && element.classList.contains('moving') && session.mine.includes(side)) announce('You have ten seconds left.');
      element.classList.toggle('low', low);
    });
  }
  showBar() {
    const sides =  ([this.gameView.sideName('first'), this.gameView.sideName('second')]);
    const verdict = this.engine.verdict;
    this.bar.element.dataset.game = this.gameView.info?.game ?? '';
    this.bar.show(verdict, { flipped: this.gameView.flipped, sides });
  }
  async typed(event) {
    event.preventDefault();
    const text = this.box.value.trim().toLowerCase();
    if (!text) return;
    const session = this.gameView.session;
    if (!session?.state) return;
    if (!session.interactive && !this.gameView.taker) return fail(session.state.outcome ? 'The game is over.' : 'It is not your turn.');
    if (!session.state.legal.includes(text)) {
      try {
        const after = await api.position({ ...session.place, moves: [...session.place.moves, text] });
        this.box.value = '';
        return this.gameView.move(after.moves[after.moves.length - 1]);
      } catch (why) {
        return fail(why);
      }
    }
    this.box.value = '';
    return this.gameView.move(text);
  }
  description() {
    const said =  (this.gameView.board?.describe());
    return Array.isArray(said) ? said.join('\n') : String(said ?? '');
  }
  describe() {
    this.text.hidden = !this.text.hidden;
    if (this.text.hidden) return;
    this.text.textContent = this.description();
    this.text.focus();
  }
  wheel() {
    const wide = matchMedia('(min-width: 900px)');
    for (const element of [this.holder, ...this.strips.map((strip) => strip.element)]) {
      element.addEventListener('wheel', (event) => {
        const session = this.gameView.session;
        if (!session || !wide.matches || event.ctrlKey || Math.abs(event.deltaY) < 1) return;
        event.preventDefault();
        this.gameView.goto(session.wanted + Math.sign(event.deltaY));
      }, { passive: false });
    }
  }
}
Object.assign(given, { Stage });
});
define('thinking.js', (given) => {
const { scoreText } = need('boards/text.js');
const { button, el, fill } = need('dom.js');
const { counts, percent } = need('judge.js');
const { playerName } = need('levels.js');
const { RoomSession } = need('room.js');
const { attempt } = need('say.js');
const { settings } = need('settings.js');
const MOVES = 5;
const LINE = 10;
function short(count) {
  if (count < 10_000) return String(Math.round(count));
  return count < 1e6 ? `${(count / 1e3).toPrecision(3)} k` : `${(count / 1e6).toPrecision(3)} M`;
}
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const pace = ({ depth, nodes, ms }) => `depth ${depth} · ${short(nodes)} positions · ${short(nodes / Math.max(ms / 1000, 0.001))}/s · ${seconds(ms)}`;
const more = (report) => [report?.fill != null && `table ${(100 * report.fill).toFixed(report.fill < 0.1 ? 1 : 0)} % full`, report?.cuts && `${short(report.cuts)} cut-offs`]
  .filter(Boolean).map((part) => ` · ${part}`).join('');
class Thinking {
  constructor(gameView, engine, match) {
    this.gameView = gameView;
    this.engine = engine;
    this.match = match;
    this.who = el('p', { class: 'verdict' });
    this.numbers = el('p', { class: 'small numbers' });
    this.line = el('p', { class: 'line' });
    this.rows = el('tbody');
    const heads = ['Move', 'Value', 'Visits'].map((text) => el('th', { scope: 'col' }, text));
    this.table = el('table', { class: 'moves' }, el('thead', {}, el('tr', {}, ...heads)), this.rows);
    this.open = el('details', { on: { toggle: () => this.toggled() } }, el('summary', {}, 'Watch it think'), this.line, this.table);
    this.now = button('Move now', () => this.hurry(), { title: 'Space' });
    this.element = el('section', { class: 'thinking', 'aria-label': 'The agent', hidden: true }, el('div', { class: 'row' }, this.who, this.now), this.numbers, this.open);
    for (const name of ['open', 'change']) gameView.addEventListener(name, () => this.update());
    gameView.addEventListener('think', () => this.update());
    match.addEventListener('change', () => this.update());
    match.addEventListener('think', () => this.update());
  }
  get agent() {
    const session = this.gameView.session;
    const last = session?.last;
    if (!session || !last || last.outcome || (!session.room && !this.match.search)) return null;
    if (session instanceof RoomSession && session.fault) return null;
    const seat = session.seats[last.to_move === 'first' ? 0 : 1];
    return seat.who === 'agent' ? seat.agent : null;
  }
  get busy() {
    return this.agent !== null;
  }
  get report() {
    const session = this.gameView.session;
    if (session instanceof RoomSession) return session.thought?.ply === session.line.length ? session.thought.report : null;
    return this.match.report;
  }
  get wanted() {
    return this.match.fits ? settings.get('watchEngines') : settings.get('watchAgents');
  }
  toggled() {
    settings.set(this.match.fits ? 'watchEngines' : 'watchAgents', this.open.open);
    this.update();
  }
  update() {
    const { agent, report, gameView } = this;
    this.element.hidden = agent === null && !this.match.running;
    const watched = agent !== null && this.wanted ? report : null;
    this.engine.watch(watched && gameView.session?.live ? watched : null);
    this.now.disabled = agent === null;
    if (agent === null) return;
    if (this.open.open !== this.wanted) this.open.open = this.wanted;
    this.who.textContent = `${playerName(agent)} is thinking.`;
    this.numbers.textContent = report ? pace(report) + more(report) : '';
    this.line.textContent = watched?.pv.length ? `It expects ${watched.pv.slice(0, LINE).join(' ')}` : watched?.now.length ? `It looks at ${watched.now.slice(0, LINE).join(' ')}` : report ? '' : 'It has not reported anything yet.';
    const roots = watched ? [...watched.roots].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0)).slice(0, MOVES) : [];
    const shares = !!watched && counts(watched);
    fill(this.rows, roots.map(({ move, value, visits }) => el('tr', {}, el('td', {}, move), el('td', {}, shares ? percent(value) : scoreText(value)),
      el('td', {}, visits === null ? '–' : short(visits)))));
    this.table.hidden = !roots.length;
  }
  hurry() {
    const session = this.gameView.session;
    if (session instanceof RoomSession) attempt(() => session.hurry());
    else this.match.hurry();
  }
}
Object.assign(given, { short, seconds, pace, more, Thinking });
});
define('game-page.js', (given) => {
const api = need('api.js');
const { Actions } = need('actions.js');
const { GameView } = need('game-view.js');
const { byId, el, fill } = need('dom.js');
const { Engine } = need('engine.js');
const { Headline } = need('headline.js');
const { listen } = need('keys.js');
const { freshId, keptGames } = need('library.js');
const link = need('link.js');
const { Match } = need('match.js');
const { MoveList } = need('movelist.js');
const { Panel } = need('panel.js');
const { Play } = need('play.js');
const { Refusal } = need('refusal.js');
const { RoomSession } = need('room.js');
const { attempt, count, fail, note } = need('say.js');
const { Session } = need('session.js');
const { read, settings, write } = need('settings.js');
const { indexOf, infoOf, titleOf } = need('spec.js');
const { Stage } = need('stage.js');
const { Thinking } = need('thinking.js');
const HERE = 'quintet.here';
function once(make) {
  let made = null;
  return () => {
    made ??= make().catch((why) => {
      made = null;
      throw why;
    });
    return made;
  };
}
class GamePage {
  constructor(page) {
    this.page = page;
    this.gameView = new GameView(page.games);
    this.engine = new Engine(this.gameView);
    this.match = new Match(this.gameView);
    const review = () => this.panel.open('review');
    this.stage = new Stage(byId('stage'), this.gameView, this.engine, this.match, new Actions(this.gameView, review));
    const headline = new Headline(this.gameView, this.engine, review);
    this.review = null;
    this.solver = null;
    this.thinking = new Thinking(this.gameView, this.engine, this.match);
    this.list = new MoveList(this.gameView);
    this.record = once(async () => new (await load('record.js')).Record(this.gameView));
    const play = new Play(this.gameView, this.match, this.thinking);
    headline.element.append(play.fault);
    this.panel = new Panel(byId('panel'), this.tabs(play), { top: headline.element, bottom: [this.list.element, this.stage.text, this.stage.typing] });
    this.gameView.addEventListener('open', () => page.show('game'));
    this.gameView.addEventListener('change', () => this.address());
    const { gameView, engine, panel, match, thinking } = this;
    listen({ gameView, engine, panel, match, thinking, review: () => this.review, importer: async () => (await this.record()).importer, box: this.stage.box, shown: () => !byId('game').hidden });
  }
  tabs(play) {
    const { gameView, engine, match } = this;
    const [analyse, review, record, learn] = [el('div'), el('div'), el('div'), el('div')];
    const analyst = once(async () => {
      const tab = new (await load('analyse.js')).Analyse(gameView, engine);
      await tab.opened();
      fill(analyse, [tab.element]);
    });
    const reviewer = once(async () => {
      const tab = new (await load('review.js')).Review(gameView, engine);
      this.review = tab;
      tab.changed();
      fill(review, [tab.element]);
    });
    const recorder = async () => {
      const tab = await this.record();
      fill(record, [tab.element]);
      tab.update();
    };
    const teacher = once(async () => {
      const { Learn } = await load('learn.js');
      const tab = new Learn(gameView, (game) => attempt(async () => (await load('setup.js')).quick(game, 1)));
      fill(learn, [tab.element]);
      return tab;
    });
    return [
      { id: 'play', title: 'Game', element: play.element },
      { id: 'analyse', title: 'Analysis', element: analyse, shown: () => attempt(analyst) }, { id: 'review', title: 'Review', element: review, shown: () => attempt(reviewer) },
      { id: 'record', title: 'Share', element: record, shown: () => attempt(recorder) },
      { id: 'learn', title: 'Learn', element: learn, shown: () => attempt(async () => (await teacher()).opened()) },
    ];
  }
  leave() {
    this.engine.turn(false);
    this.match.pause();
  }
  async openPuzzle(id) {
    const { Solver } = await load('puzzle.js');
    this.solver ??= new Solver(this.gameView, this.panel);
    try {
      await this.solver.open(id);
    } catch (why) {
      location.hash = '#page=puzzles';
      throw why;
    }
  }
  async openGame({ game, from, moves, ply, tab }) {
    const here = read(HERE, { hash: '', id: '' });
    const kept = here.hash === location.hash ? keptGames().find(({ id }) => id === here.id) : undefined;
    let session = new Session({ game, from, moves, id: kept?.id ?? freshId(), seats: kept?.seats, notes: kept?.notes });
    try {
      await session.begin(ply);
    } catch (why) {
      if (!(why instanceof Refusal) || !why.state) {
        await this.page.startPage();
        throw why;
      }
      session = new Session({ game, from, moves: why.state.moves, id: freshId() });
      await session.begin(null);
      fail(`${why.message} The part before it is shown.`);
    }
    if (ply !== null && ply > session.line.length) note(`The game has only ${count(session.line.length, 'move')}.`);
    await this.gameView.open(session);
    if (tab) this.panel.open(this.panel.tabs.some(({ id }) => id === tab) ? tab : 'play');
  }
  async openRoom(room, token) {
    const session = new RoomSession(room);
    try {
      await session.join(token);
    } catch (why) {
      await this.page.startPage();
      throw why;
    }
    if (token) await this.takeSeat(session, token);
    await this.gameView.open(session);
    if (this.panel.current === 'learn') this.panel.open('play');
    if (!session.mine.length && session.seats.some((seat) => seat.who === 'person')) note('You are watching this game.');
  }
  async takeSeat(session, token) {
    const seat = session.opened && session.seats[indexOf(session.opened)];
    const rival = session.opened && session.seats[1 - indexOf(session.opened)];
    let wanted = true;
    if (session.opened && seat?.who === 'person' && rival?.who === 'person' && !seat.name && !settings.get('name')) {
      const side = infoOf(this.page.games, session.game)?.sides[indexOf(session.opened)] ?? session.opened;
      wanted = await (await load('naming.js')).askName(`${rival.name || 'Somebody'} invites you to a game of ${titleOf(this.page.games, session.game)}. You play ${side}.`);
    }
    history.replaceState(null, '', (this.page.written = `#room=${session.room}`));
    if (wanted) await attempt(() => session.accept(token));
  }
  address() {
    const session = this.gameView.session;
    if (!session || byId('game').hidden || location.hash !== this.page.written) return;
    const title = titleOf(this.page.games, session.game);
    document.title = `${title} – quintet`;
    byId('heading').textContent = title;
    const puzzle = this.solver?.session === session ? this.solver.puzzle : null;
    const hash = puzzle ? `#puzzle=${puzzle.id}` : session.room ? `#room=${session.room}` : link.write({ game: session.game, from: session.from, moves: session.line, ply: session.branch ? session.branch.at : session.ply });
    if (hash.length > link.LONGEST_LINK || hash === location.hash) return this.remember(hash);
    if (link.parse(location.hash).kind === (puzzle ? 'puzzle' : session.room ? 'room' : 'game')) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
    this.page.written = location.hash;
    this.remember(hash);
  }
  remember(hash) {
    write(HERE, { hash, id: this.gameView.session?.id ?? '' });
  }
}
Object.assign(given, { GamePage });
});
define('boards/dom.js', (given) => {
const SVG = 'http://www.w3.org/2000/svg';
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : typeof value === 'number' ? num(value) : value);
  }
  return element;
}
function svg(name, attributes = {}, ...children) {
  const element = set(document.createElementNS(SVG, name), attributes);
  element.append(...children);
  return element;
}
function html(name, attributes = {}, ...children) {
  const element = set(document.createElement(name), attributes);
  element.append(...children);
  return element;
}
function button(text, act, attributes = {}) {
  const element = html('button', { type: 'button', class: 'q-button', ...attributes }, text);
  element.addEventListener('click', act);
  return element;
}
function selector(name, choices, choose) {
  const buttons = choices.map(([value, text]) => button(text, () => choose(value), { 'data-value': value, 'aria-pressed': 'false' }));
  const element = html('div', { class: 'q-selector', role: 'group', 'aria-label': name }, ...buttons);
  const show = (value) => buttons.forEach((one) => one.setAttribute('aria-pressed', String(one.dataset.value === value)));
  return { element, show };
}
function num(value) {
  return String(Math.round(value * 100) / 100);
}
Object.assign(given, { set, svg, html, button, selector, num });
});
define('boards/face.js', (given) => {
const { svg } = need('boards/dom.js');
class Face extends EventTarget {
  pieces = new Map();
  layout() {}
  read(_position) {
    return false;
  }
  paths(move) {
    return [[move]];
  }
  spot(move) {
    return move;
  }
  pieceOf(_move, first) {
    return first ? 'x' : 'o';
  }
  body(_piece, _r) {
    return svg('g');
  }
  after(_trail) {
    return this.pieces;
  }
  mark() {}
  animate(_move, _before, _trail) {}
  tell(move, _previous) {
    return move;
  }
  content(_id) {
    return '';
  }
  why(id) {
    return `${id} cannot be chosen now.`;
  }
  preview(_id) {}
  steps() {
    return [];
  }
  startsAnew() {
    return true;
  }
  overlay(_name) {}
  reserves() {
    return null;
  }
  rows() {
    return [];
  }
  changed() {}
  holds(_id, _how) {
    return false;
  }
  bestMove(_move) {
    return null;
  }
  shownPaths(move) {
    return this.paths(move);
  }
  isPermanent(_move) {
    return false;
  }
  otherPress = null;
  hatched = false;
  level(id, _by) {
    return id;
  }
  prompt() {
    return '';
  }
  reachable(target) {
    return target.slot !== null;
  }
  ringRadius(r) {
    return 1.22 * r;
  }
}
Object.assign(given, { Face });
});
define('boards/input.js', (given) => {
const LONG = 500;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function targetOf(event) {
  const cell = event.target instanceof Element ? event.target.closest('[data-target]') : null;
  return cell?.getAttribute('data-target') ?? null;
}
function listen(board) {
  pointer(board);
  keyboard(board);
}
function pointer(board) {
  const { element } = board;
  let timer = 0;
  let dealt = false;
  element.addEventListener('click', (event) => {
    const id = targetOf(event);
    if (id === null || dealt) {
      dealt = false;
      return;
    }
    const touch = event instanceof PointerEvent && event.pointerType === 'touch';
    board.press(id, { touch });
  });
  element.addEventListener('contextmenu', (event) => {
    const id = targetOf(event);
    if (id === null || !board.otherPress) return;
    event.preventDefault();
    if (!dealt) board.otherPress(id);
  });
  element.addEventListener('pointerdown', (event) => {
    dealt = false;
    const id = targetOf(event);
    if (event.pointerType !== 'touch' || id === null || !board.otherPress) return;
    timer = window.setTimeout(() => {
      dealt = true;
      board.otherPress?.(id);
    }, LONG);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) element.addEventListener(end, () => clearTimeout(timer));
  element.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'touch') board.point(targetOf(event));
  });
  element.addEventListener('pointerleave', () => board.point(null));
}
function keyboard(board) {
  const { element } = board;
  let keyed = true;
  element.addEventListener('pointerdown', () => {
    keyed = false;
    board.showFocus(null);
  });
  document.addEventListener('keydown', () => (keyed = true), { capture: true });
  element.addEventListener('keydown', (event) => {
    const id = targetOf(event);
    if (id === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const way = ARROWS[event.key];
    if (way) board.focus(board.neighbour(id, ...way));
    else if (event.key === 'PageUp' || event.key === 'PageDown') board.focus(board.level(id, event.key === 'PageUp' ? 1 : -1));
    else if (event.key === 'Enter') board.press(id);
    else if (event.key === 'Backspace' && board.half() !== null) board.undoHalf();
    else if (event.key === 'Escape' && board.half() !== null) board.cancelHalf();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener('focusin', (event) => {
    const id = targetOf(event);
    if (id === null) return;
    board.roam(id);
    const seen = keyed && event.target instanceof Element && event.target.matches(':focus-visible');
    board.showFocus(seen ? id : null);
    if (seen) board.point(id);
  });
  element.addEventListener('focusout', () => {
    board.showFocus(null);
    board.point(null);
  });
}
Object.assign(given, { listen });
});
define('boards/look.js', (given) => {
const { num, svg } = need('boards/dom.js');
const IVORY = '#FBF7EC';
const INK = '#16191D';
const YELLOW = '#F0E442';
const BLUE = '#0072B2';
const VERMILION = '#D55E00';
const GREEN = '#7FD162';
const BODIES = {
  ivory: [
    [0, '#FFFFFF', 1],
    [0.35, IVORY, 1],
    [0.78, '#E4DAC1', 1],
    [1, '#B5A787', 1],
  ],
  ink: [
    [0, '#8B949D', 1],
    [0.22, '#4A525A', 1],
    [0.62, INK, 1],
    [1, '#050607', 1],
  ],
  shadow: [
    [0, '#000', 0.6],
    [0.65, '#000', 0.38],
    [1, '#000', 0],
  ],
};
function definitions(id) {
  const stops = (stops) => stops.map(([offset, colour, opacity]) => svg('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }));
  const bodies = Object.entries(BODIES).map(([name, list]) =>
    svg('radialGradient', { id: `${id}-${name}`, ...(name === 'shadow' ? {} : { cx: 0.36, cy: 0.3, r: 0.72 }) }, ...stops(list)),
  );
  return svg(
    'defs',
    {},
    ...bodies,
    svg(
      'linearGradient',
      { id: `${id}-hollow`, x1: 0, y1: 0, x2: 0, y2: 1 },
      svg('stop', { offset: 0, class: 'q-hollow-top' }),
      svg('stop', { offset: 1, class: 'q-hollow-bottom' }),
    ),
    svg(
      'linearGradient',
      { id: `${id}-rim`, x1: 0.15, y1: 0, x2: 0.85, y2: 1 },
      ...stops([
        [0, '#FFF', 0.95],
        [0.5, '#8A8A8A', 0.55],
        [1, '#000', 0.75],
      ]),
    ),
    svg(
      'pattern',
      { id: `${id}-hatch`, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      svg('line', { x1: 0, y1: 0, x2: 0, y2: 6, stroke: IVORY, 'stroke-width': 3.2 }),
    ),
  );
}
const circle = ([cx, cy], r, more = {}) => svg('circle', { cx, cy, r, ...more });
const box = ([x, y], w, h, more = {}) => svg('rect', { x: x - w / 2, y: y - h / 2, width: w, height: h, ...more });
function ball(id, r, light) {
  return circle([0, 0], r - 0.5, { fill: `url(#${id}-${light ? 'ivory' : 'ink'})`, stroke: light ? '#7D7158' : '#5B646D' });
}
const shadow = (id, [cx, cy], rx, ry = rx) => svg('ellipse', { cx, cy, rx, ry, fill: `url(#${id}-shadow)` });
function ring(at, r, width = 3, name = 'q-ring') {
  return svg(
    'g',
    { class: name },
    circle(at, r, { class: 'q-outer', 'stroke-width': width + 3 }),
    circle(at, r, { class: 'q-inner', 'stroke-width': width }),
  );
}
function outlined(d, width, colour, more = {}) {
  const stroke =  ([
    [INK, width + 6],
    [IVORY, width + 3],
    [colour, width],
  ]);
  return svg('g', { class: 'q-outlined', ...more }, ...stroke.map(([stroke, w]) => svg('path', { d, stroke, 'stroke-width': w })));
}
const polyline = (points) => points.map(([x, y], i) => `${i ? 'L' : 'M'}${num(x)} ${num(y)}`).join('');
function arrowHead([x, y], to, size) {
  const back = (turn) => [x + size * Math.cos(to + Math.PI + turn), y + size * Math.sin(to + Math.PI + turn)];
  return `${polyline([[x, y], back(0.55), back(-0.55)])}Z`;
}
function arrow(from, to, width, short = 0) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const along = ([x, y], by) => [x + by * Math.cos(angle), y + by * Math.sin(angle)];
  const tip = along(to, -short);
  return signed(polyline([along(from, short), along(tip, -2.4 * width)]), arrowHead(tip, angle, 3.4 * width), width);
}
function signed(line, heads, width) {
  return svg(
    'g',
    { class: 'q-sign' },
    ...['q-outer', 'q-inner'].flatMap((tone) => [
      svg('path', { d: line, class: `q-line ${tone}`, 'stroke-width': width + (tone === 'q-outer' ? 4 : 0) }),
      svg('path', { d: heads, class: `q-head ${tone}`, 'stroke-width': tone === 'q-outer' ? 5 : 1 }),
    ]),
  );
}
const label = ([x, y], size, text, more = {}) =>
  svg('text', { x, y, 'font-size': size, 'dominant-baseline': 'central', 'text-anchor': 'middle', ...more }, text);
function chip(at, size, text) {
  const width = 0.6 * size * text.length + size;
  return svg('g', { class: 'q-chip' }, box(at, width, 1.7 * size, { rx: 0.5 * size }), label(at, size, text));
}
function diverging(value) {
  const far = Math.min(1, Math.abs(value - 0.5) * 2);
  const [r, g, b] = value < 0.5 ? [176, 72, 0] : [0, 104, 165];
  const mix = [
    [102, r],
    [104, g],
    [108, b],
  ].map(([from, to]) => Math.round(from + (to - from) * far));
  return `rgb(${mix.join(' ')})`;
}
function outcome([x, y], r, outcome, distance) {
  const d = 0.42 * r;
  const sign = {
    win: () => circle([x, y], 0.55 * r, { fill: BLUE }),
    draw: () => circle([x, y], 0.48 * r, { fill: 'none', stroke: '#767676', 'stroke-width': 0.2 * r }),
    loss: () =>
      svg('path', {
        d: `M${num(x - d)} ${num(y - d)}l${num(2 * d)} ${num(2 * d)}m0 ${num(-2 * d)}l${num(-2 * d)} ${num(2 * d)}`,
        fill: 'none',
        stroke: VERMILION,
        'stroke-width': 0.24 * r,
        'stroke-linecap': 'round',
      }),
  }[outcome];
  const group = svg('g', { class: 'q-outcome', 'data-outcome': outcome }, circle([x, y], r, { class: 'q-plate' }), sign());
  if (distance !== undefined) {
    group.append(
      box([x + 0.85 * r, y + 0.85 * r], (0.65 * String(distance).length + 0.5) * r, 1.1 * r, { rx: 0.4 * r, class: 'q-plate' }),
      label([x + 0.85 * r, y + 0.88 * r], 0.95 * r, String(distance)),
    );
  }
  return group;
}
Object.assign(given, { IVORY, INK, YELLOW, BLUE, VERMILION, GREEN, definitions, circle, box, ball, shadow, ring, outlined, polyline, arrowHead, arrow, signed, label, chip, diverging, outcome });
});
define('boards/motion.js', (given) => {
const TIMES = { place: 120, flip: 180, turn: 480, mirror: 300, link: 120, raise: 260, fade: 260, ghost: 250, outline: 600 };
class Motion {
  speed = 1;
  #running = new Map();
  get still() {
    return this.speed <= 0 || matchMedia('(prefers-reduced-motion: reduce)').matches;
  }
  run(element, frames, ms, { delay = 0, easing = 'ease-in-out', then } = {}) {
    if (this.still) {
      then?.();
      return;
    }
    const animation = element.animate(frames, { duration: ms / this.speed, delay: delay / this.speed, easing, fill: 'both' });
    const done = () => {
      if (!this.#running.delete(animation)) return;
      then?.();
      animation.cancel();
    };
    this.#running.set(animation, done);
    animation.addEventListener('finish', done);
  }
  leave(element, frames, ms, delay = 0) {
    if (this.still) element.remove();
    else this.run(element, frames, ms, { delay, then: () => element.remove() });
  }
  outline(element) {
    if (!this.still) return;
    element.classList.add('q-changed');
    setTimeout(() => element.classList.remove('q-changed'), TIMES.outline);
  }
  finish() {
    for (const done of [...this.#running.values()]) done();
  }
}
Object.assign(given, { TIMES, Motion });
});
define('boards/overlays.js', (given) => {
const { set, svg } = need('boards/dom.js');
const { box, chip, diverging, IVORY, INK, label, outcome, outlined, VERMILION } = need('boards/look.js');
const { TIMES } = need('boards/motion.js');
const { scoreText } = need('boards/text.js');
const FEW = 8;
const ORDER = ['loss', 'draw', 'win'];
class Overlays {
  #heat = null;
  #kind = 'value';
  #marks = null;
  #line = null;
  #looked = null;
  #arrow = null;
  #arrowKind = 'best';
  #hot = new Map();
  #known = new Map();
  #board;
  constructor(board) {
    this.#board = board;
  }
  clear() {
    this.#heat = this.#marks = this.#line = this.#arrow = this.#looked = null;
  }
  heat(entries, kind) {
    this.#heat = entries;
    this.#kind = kind;
    this.refresh();
  }
  marks(marks) {
    this.#marks = marks;
    this.refresh();
  }
  ghosts(moves) {
    const news = JSON.stringify(moves) !== JSON.stringify(this.#line);
    this.#line = moves;
    this.#drawGhosts(news);
  }
  looked(looked) {
    if (!looked && !this.#looked) return;
    this.#looked = looked;
    this.#drawGhosts(false);
    this.#drawCut(true);
  }
  #drawCut(news) {
    const { motion, layer, targets } = this.#board;
    const last = this.#looked?.cut ? this.#looked.line.at(-1) : undefined;
    const target = last === undefined ? null : targets.get(this.#board.spot(last));
    if (!target || news === motion.still) return;
    const mark = cutMark(target.at, target.r);
    layer.ghosts.append(mark);
    if (!motion.still) motion.leave(mark, [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], TIMES.outline);
  }
  arrow(move, kind) {
    this.#arrow = move;
    this.#arrowKind = kind;
    this.#drawArrow();
  }
  refresh() {
    this.#drawHeat();
    this.#drawMarks();
    this.#drawGhosts(false);
    this.#drawArrow();
    if (this.#heat || this.#marks) for (const [id, { cell }] of this.#board.targets) cell.setAttribute('aria-label', this.#board.name(id));
  }
  words(id) {
    const [hot, known] = [this.#hot.get(id), this.#known.get(id)];
    const words = [];
    if (known) words.push(`exact: ${known.outcome}${known.distance === undefined ? '' : ` in ${known.distance}`}`);
    if (hot) words.push(`${hot.scored ? `score ${scoreText(hot.value)}` : percent(hot.value)}${hot.visits === null ? '' : `, ${percent(hot.share)} of the visits`}`);
    return words.join('; ');
  }
  tip(id) {
    this.#board.layer.tip.replaceChildren();
    const words = id === null ? '' : this.words(id);
    if (id === null || !words) return;
    const {
      at: [x, y],
      r,
    } = this.#board.at(id);
    const [, , width] = (this.#board.element.getAttribute('viewBox') ?? '0 0 600 600').split(' ').map(Number);
    const size = Math.max(13, width / 40);
    const half = 0.3 * size * words.length + size / 2;
    const inside = Math.min(Math.max(x, half + 4), width - half - 4);
    this.#board.layer.tip.append(chip([inside, y - r - 1.2 * size < size ? y + r + 1.4 * size : y - r - 1.2 * size], size, words));
  }
  #place(move) {
    const { trail } = this.#board;
    const path = this.#board.shownPaths(move).find((path) => trail.every((id, i) => path[i] === id) && path.length > trail.length);
    return path ? path[trail.length] : null;
  }
  #drawHeat() {
    const board = this.#board;
    board.layer.heat.replaceChildren();
    board.layer.marks.replaceChildren();
    this.#hot = this.#gather(this.#heat ?? [], (a, b) => (a.visits === b.visits ? a.value > b.value : (a.visits ?? 0) > (b.visits ?? 0)));
    for (const entry of this.#heat ?? []) {
      const place = this.#place(entry.move);
      const best = place === null ? undefined : this.#hot.get(place);
      if (best && best.move !== entry.move) best.share = Math.min(1, best.share + entry.share);
    }
    const number = ( entry) => (this.#kind === 'value' ? entry.value : entry.share);
    const shown = [...this.#hot].filter(([id]) => board.targets.has(id)).sort(([, a], [, b]) => (this.#kind === 'value' && a.visits !== null ? b.share - a.share : number(b) - number(a))).slice(0, FEW);
    const numbers = shown.map(([, entry]) => number(entry));
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    for (const [id, entry] of shown) {
      const { at, r } = board.at(id);
      const part = high > low ? (number(entry) - low) / (high - low) : 1;
      const size = board.ringRadius(r) * (0.52 + 0.26 * part);
      const square = ( more,  fill) => box(at, 1.6 * size + more, 1.6 * size + more, { rx: 0.4 * size, fill });
      const group = svg('g', { class: 'q-heat' }, square(4, INK), square(2, IVORY), square(0, diverging(this.#kind === 'value' ? part : 0.5 + part / 2)));
      if (board.hatched) group.append(set(square(0, `url(#${board.id}-hatch)`), { 'fill-opacity': 0.16 }));
      const text = entry.scored ? scoreText(entry.value) : String(Math.round(100 * number(entry)));
      group.append(label(at, 0.78 * size * Math.min(1, 3 / text.length), text, { class: 'q-heat-number' }));
      if (board.isPermanent(entry.move)) group.append(svg('path', { class: 'q-heat-gem', d: `M${at[0] + 0.8 * size} ${at[1] - 0.8 * size - 6}l6 6l-6 6l-6 -6Z` }));
      (board.covered(id) ? board.layer.marks : board.layer.heat).append(group);
    }
  }
  #drawMarks() {
    const board = this.#board;
    this.#known = this.#gather(this.#marks ?? [], better);
    for (const [id, mark] of this.#known) {
      const target = board.targets.get(id);
      if (target)
        board.layer.marks.append(outcome(target.at, Math.min(target.slot ? 0.62 * target.r : target.r, 17), mark.outcome, mark.distance));
    }
  }
  #drawGhosts(news) {
    const board = this.#board;
    const { ghosts } = board.layer;
    ghosts.replaceChildren();
    const looked = this.#looked;
    const line = looked?.line ?? this.#line ?? [];
    line.forEach((move, i) => {
      const target = board.targets.get(board.spot(move));
      if (!target) return;
      const piece = board.pieceOf(move, board.first === (i % 2 === 0));
      const [x, y] = target.at;
      const ghost = svg(
        'g',
        { class: looked ? 'q-ghost q-looked' : 'q-ghost', transform: `translate(${x} ${y})` },
        svg('g', { class: 'q-faint' }, board.body(piece, target.r)),
        chip([0.55 * target.r, 0.55 * target.r], Math.max(0.5 * target.r, 9), (i === line.length - 1 && looked?.value) || String(i + 1)),
      );
      ghosts.append(ghost);
      if (news) board.motion.run(ghost, [{ opacity: 0 }, { opacity: 1 }], TIMES.place, { delay: TIMES.ghost * i });
    });
    this.#drawCut(false);
  }
  #drawArrow() {
    const { arrows } = this.#board.layer;
    arrows.replaceChildren();
    const arrow = this.#arrow === null ? null : this.#board.bestMove(this.#arrow);
    if (!arrow) return;
    arrow.dataset.kind = this.#arrowKind;
    arrow.classList.toggle('q-open-ring', this.#heat !== null);
    arrows.append(arrow);
  }
  #gather(entries, beats) {
    const best = new Map();
    for (const entry of entries) {
      const id = this.#place(entry.move);
      if (id === null) continue;
      const old = best.get(id);
      if (!old || beats(entry, old)) best.set(id, { ...entry });
    }
    return best;
  }
}
function cutMark([x, y], r) {
  const d = 0.95 * r;
  return outlined(`M${x - d} ${y + d}L${x + d} ${y - d}`, Math.max(3, 0.2 * r), VERMILION, { class: 'q-outlined q-cut' });
}
function better(a, b) {
  const [x, y] = [ORDER.indexOf(a.outcome), ORDER.indexOf(b.outcome)];
  if (x !== y) return x > y;
  const [near, far] = [a.distance ?? Infinity, b.distance ?? Infinity];
  return a.outcome === 'loss' ? near > far : near < far;
}
const percent = (share) => `${Math.round(100 * share)} %`;
Object.assign(given, { Overlays });
});
define('boards/base.js', (given) => {
const { button, html, set, svg } = need('boards/dom.js');
const { Face } = need('boards/face.js');
const { listen } = need('boards/input.js');
const { circle, definitions } = need('boards/look.js');
const { Motion, TIMES } = need('boards/motion.js');
const { Overlays } = need('boards/overlays.js');
const { capital, follows, readSpec, tree } = need('boards/text.js');
const LAYERS =  ([
  'board',
  'coordinates',
  'last',
  'wins',
  'heat',
  'pieces',
  'over',
  'overlay',
  'preview',
  'ghosts',
  'marks',
  'arrows',
  'cells',
  'focus',
  'tip',
]);
let boards = 0;
class Board extends Face {
  constructor(spec, sides) {
    super();
    this.spec = readSpec(spec);
    this.sides = sides;
    this.id = `qb${(boards += 1)}`;
    this.motion = new Motion();
    this.element = svg('svg', { class: `q-board q-${this.spec.name}`, role: 'grid', tabindex: -1, 'data-theme': 'walnut' }, definitions(this.id));
    const layers = LAYERS.map((name) => [
      name,
      svg('g', { class: `q-layer-${name}`, ...(name === 'cells' ? { role: 'presentation' } : { 'aria-hidden': 'true' }) }),
    ]);
    this.layer = Object.fromEntries(layers);
    this.element.append(...LAYERS.map((name) => this.layer[name]));
    this.controls = html('div', { class: 'q-controls' });
    this.stepBar = html('div', { class: 'q-steps', role: 'group', 'aria-label': 'Steps of the move' });
    this.controls.append(this.stepBar);
    this.targets = new Map();
    this.drawn = new Map();
    this.state = null;
    this.interactive = false;
    this.editor = null;
    this.given = false;
    this.queue = [];
    this.trail = [];
    this.root = tree([], () => []);
    this.node = this.root;
    this.current = '';
    this.home = '';
    this.pointed = null;
    this.options = { flipped: false, coordinates: true, theme: 'walnut', overlay: 'none', motion: 1 };
    this.overlays = new Overlays(this);
  }
  start() {
    this.rebuild();
    listen(this);
    return this;
  }
  show(state, { previous = null, animate = true, interactive = true } = {}) {
    this.motion.finish();
    const [before, trail] = [this.drawn, this.trail];
    const next = previous && follows(state, previous) ? state.moves[state.moves.length - 1] : null;
    if (state.position !== this.state?.position || state.plies !== this.state.plies) this.overlays.clear();
    this.state = state;
    const queue = this.given ? this.queue : [];
    this.given = false;
    this.queue = [];
    this.interactive = interactive && state.outcome === null;
    if (this.read(state.position)) this.rebuild();
    this.replant();
    this.draw();
    this.layer.last.replaceChildren();
    this.layer.wins.replaceChildren();
    this.layer.over.replaceChildren();
    this.mark();
    this.refresh();
    if (next !== null && previous) {
      if (animate) this.animate(next, before, trail);
      const end = state.outcome === null ? '' : ` ${this.ending(state)}`;
      this.emit('announce', { text: this.tell(next, previous) + end });
    }
    if (this.interactive) for (const [id, how] of queue) this.press(id, how);
  }
  edit(press) {
    this.editor = press;
    this.element.classList.toggle('q-editing', press !== null);
  }
  set(option, value) {
    const before = this.options[option];
    this.options[option] = value;
    if (option === 'motion') this.motion.speed = Number(value);
    else if (option === 'theme') this.element.dataset.theme = value;
    else if (option === 'coordinates') this.layer.coordinates.classList.toggle('q-hidden', !value);
    else if (option === 'overlay') this.#overlay();
    else if (option === 'flipped' && value !== before) this.rebuild();
  }
  heat(entries, kind = 'value') {
    this.overlays.heat(entries, kind);
  }
  ghosts(moves) {
    this.overlays.ghosts(moves);
  }
  looked = (what) => this.overlays.looked(what);
  arrow(move, kind = 'best') {
    this.overlays.arrow(move, kind);
  }
  marks(marks) {
    this.overlays.marks(marks);
  }
  half() {
    return this.trail.length > 0 ? this.trail.join('') : null;
  }
  cancelHalf() {
    if (this.given) this.interactive = true;
    this.given = false;
    this.queue = [];
    this.#go([]);
  }
  undoHalf() {
    this.#go(this.trail.slice(0, -1));
  }
  describe() {
    const state = this.state;
    if (!state) return '';
    const who = state.outcome === null ? `${capital(this.sideName(state.to_move))} to move.` : this.ending(state);
    return [...this.rows(), who].join('\n');
  }
  get first() {
    return this.state?.to_move !== 'second';
  }
  sideName(side) {
    return this.sides[side === 'first' ? 0 : 1];
  }
  ending(state) {
    const why = state.reason ? ` (${state.reason})` : '';
    return state.outcome === 'draw' ? `The game is drawn${why}.` : `${capital(this.sideName(state.outcome ?? 'first'))} wins${why}.`;
  }
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
  target(row, place, hit, slots) {
    hit.classList.add('q-hit');
    const cell = svg('g', { role: 'gridcell', class: 'q-cell', tabindex: -1, 'data-target': place.id }, hit);
    row.append(cell);
    const slot = slots && svg('g', { class: 'q-slot', 'data-cell': place.id, transform: `translate(${place.at[0]} ${place.at[1]})` });
    if (slot) slots?.append(slot);
    this.targets.set(place.id, { ...place, cell, slot });
  }
  row(name) {
    const row = svg('g', { role: 'row', 'aria-label': name });
    this.layer.cells.append(row);
    return row;
  }
  at(id) {
    const target = this.targets.get(id);
    if (!target) throw new Error(`${id} is not a cell of this board`);
    return target;
  }
  lastMove() {
    return this.state?.moves.at(-1) ?? null;
  }
  isTaken(id) {
    return !'.#'.includes(this.drawn.get(id) ?? '.');
  }
  covered(id) {
    return this.isTaken(id);
  }
  rebuild() {
    const focused = this.element.contains(document.activeElement);
    this.motion.finish();
    this.targets.clear();
    this.drawn = new Map();
    for (const name of LAYERS) this.layer[name].replaceChildren();
    this.layout();
    this.element.setAttribute('aria-label', `${this.title()} board`);
    if (!this.targets.has(this.current)) this.current = [...this.targets.keys()][0];
    if (!this.state) return;
    this.draw();
    this.mark();
    this.refresh();
    if (focused) this.focus(this.current);
  }
  title() {
    return capital(this.spec.name);
  }
  replant() {
    this.root = tree(this.state?.legal ?? [], (move) => this.paths(move));
    this.node = this.root;
    this.trail = [];
  }
  draw() {
    const wanted = this.after(this.trail);
    for (const [id, { slot, r }] of this.targets) {
      if (!slot) continue;
      const piece = wanted.get(id) ?? '.';
      if (this.drawn.get(id) === piece) continue;
      slot.replaceChildren();
      slot.dataset.piece = piece;
      if (piece !== '.' && piece !== '#') slot.append(this.standing(piece, r));
    }
    this.drawn = new Map(wanted);
  }
  standing(piece, r) {
    return svg('g', { class: 'q-piece' }, this.body(piece, r));
  }
  pieceElement(id) {
    return this.at(id).slot?.querySelector('.q-piece') ?? null;
  }
  grow(id, delay = 0) {
    const piece = this.pieceElement(id);
    if (!piece) return;
    this.motion.run(
      piece,
      [
        { transform: 'scale(0.3)', opacity: 0 },
        { transform: 'none', opacity: 1 },
      ],
      TIMES.place,
      { delay, easing: 'ease-out' },
    );
    this.motion.outline(this.at(id).cell);
  }
  fade(id, piece) {
    const { slot, r, cell } = this.at(id);
    const old = this.standing(piece, r);
    slot?.append(old);
    this.motion.leave(old, [{ opacity: 1 }, { opacity: 0, transform: 'scale(0.6)' }], TIMES.fade);
    this.motion.outline(cell);
  }
  magnifies(_id, _how) {
    return false;
  }
  press(id, { touch = false } = {}) {
    this.motion.finish();
    if (this.targets.get(id)?.slot) this.home = id;
    if (this.editor) return void (this.magnifies(id, { touch }) || this.editor(id));
    if (this.given) {
      this.queue.push([id, { touch }]);
    } else if (!this.interactive) {
      this.emit('refused', { why: this.state?.outcome ? 'The game is over.' : 'It is not your turn.' });
    } else if (this.holds(id, { touch })) {
    } else if (this.node.children.has(id)) {
      this.#go([...this.trail, id]);
    } else if (this.trail.length === 1 && this.trail[0] === id) {
      this.cancelHalf();
    } else if (this.trail.length > 0 && this.startsAnew() && this.root.children.has(id)) {
      this.#go([id]);
    } else {
      this.emit('refused', { why: this.why(id) });
    }
  }
  #go(trail) {
    let node = this.root;
    for (const id of trail) node = node.children.get(id) ?? node;
    this.trail = trail;
    this.node = node;
    if (node.move !== null && node !== this.root) {
      this.interactive = false;
      this.given = true;
      this.draw();
      this.refresh();
      this.emit('move', { move: node.move });
      return;
    }
    const before = this.drawn;
    this.draw();
    for (const [id, piece] of this.drawn) if (piece !== '.' && (before.get(id) ?? '.') === '.') this.grow(id);
    this.refresh();
    const steps = this.steps();
    const step = Math.min(trail.length, steps.length - 1);
    this.emit('half', { text: this.half(), step: Math.max(step, 0), steps });
    if (trail.length > 0) this.emit('announce', { text: this.prompt() });
  }
  refresh() {
    const open = this.interactive ? this.node.children : new Map();
    this.element.classList.toggle('q-live', this.interactive);
    for (const [id, { cell }] of this.targets) {
      cell.classList.toggle('q-open', open.has(id));
      cell.setAttribute('aria-label', this.name(id));
    }
    const focused = this.element.contains(document.activeElement) && document.activeElement !== this.element;
    this.changed();
    this.point(null);
    this.#stop(focused);
    this.#bar();
    this.overlays.refresh();
    this.#overlay();
  }
  name(id) {
    return [id, this.content(id), this.spotted(id), this.overlays.words(id)].filter(Boolean).join(', ');
  }
  spotted(id) {
    const [move, state] = [this.lastMove(), this.state];
    if (!state || move === null) return '';
    const marks = this.trail.length === 0 && this.spot(move) === id ? ['last move'] : [];
    if (state.wins.some((line) => line.includes(id))) marks.push('winning');
    return marks.join(', ');
  }
  #overlay() {
    this.layer.overlay.replaceChildren();
    if (this.state) this.overlay(this.options.overlay);
  }
  #bar() {
    const steps = this.steps();
    const at = Math.min(this.trail.length, steps.length - 1);
    const items = steps.map((text, i) => html('li', { 'aria-current': i === at && this.interactive ? 'step' : null }, `${i + 1} ${text}`));
    const parts = [html('ol', {}, ...items)];
    if (this.trail.length > 0 && this.interactive) {
      const undo = this.trail.length > 1 ? [button('Undo step', () => this.undoHalf())] : [];
      parts.push(
        ...undo,
        button('Cancel', () => this.cancelHalf(), { title: 'Esc' }),
      );
    }
    this.stepBar.hidden = steps.length === 0;
    this.stepBar.classList.toggle('q-over', this.state !== null && this.state.outcome !== null);
    this.stepBar.replaceChildren(...parts);
  }
  neighbour(id, dx, dy) {
    const from = this.at(id);
    const turn = this.options.flipped ? -1 : 1;
    const [col, row] = [from.col + turn * dx, from.row + turn * dy];
    const found = [...this.targets.values()].find((target) => target.col === col && target.row === row && this.reachable(target));
    return found ? found.id : id;
  }
  #stop(focused) {
    const now = this.targets.get(this.current);
    const lost = !now || !this.reachable(now);
    if (lost) {
      const reachable = [...this.targets.values()].filter((target) => this.reachable(target));
      const next = reachable.find(({ id }) => id === this.home) ?? reachable.find(({ id }) => this.node.children.has(id)) ?? reachable[0];
      this.current = next.id;
    }
    for (const [id, { cell }] of this.targets) cell.setAttribute('tabindex', id === this.current ? '0' : '-1');
    if (focused && lost) this.focus(this.current);
  }
  roam(id) {
    this.targets.get(this.current)?.cell.setAttribute('tabindex', '-1');
    this.current = id;
    this.at(id).cell.setAttribute('tabindex', '0');
  }
  focus(id) {
    this.roam(id);
    this.at(id).cell.focus({ preventScroll: true });
  }
  showFocus(id) {
    this.layer.focus.replaceChildren();
    if (id === null) return;
    const { at, r, slot, cell } = this.at(id);
    for (const tone of ['q-outer', 'q-inner']) {
      const shape = slot ? circle(at, this.ringRadius(r)) : cell.querySelector('.q-hit')?.cloneNode();
      if (shape instanceof SVGElement) this.layer.focus.append(set(shape, { class: tone }));
    }
  }
  point(id) {
    if (id === this.pointed) return;
    this.pointed = id;
    this.layer.preview.replaceChildren();
    this.preview(id);
    this.overlays.tip(id);
    const target = id === null ? null : this.at(id);
    for (const mark of this.layer.coordinates.children) {
      const [axis, place] = [mark.getAttribute('data-axis'), Number(mark.getAttribute('data-place'))];
      mark.classList.toggle('q-on', target !== null && target.slot !== null && place === (axis === 'col' ? target.col : target.row));
    }
    this.emit('cell', { cell: target?.slot ? id : null });
  }
}
Object.assign(given, { Board });
});
define('boards/grid.js', (given) => {
const { Board } = need('boards/base.js');
const { svg } = need('boards/dom.js');
const { label } = need('boards/look.js');
const { cellName, columnName, readRows } = need('boards/text.js');
class Grid extends Board {
  cols = 0;
  rowCount = 0;
  upright = false;
  centre(col, row) {
    const [x, y] = this.options.flipped ? [this.cols - 1 - col, this.rowCount - 1 - row] : [col, row];
    return this.spotAt(x, y);
  }
  spotAt(_x, _y) {
    return [0, 0];
  }
  read(position) {
    const { cells, cols, rows } = readRows(position.split(' ')[0]);
    const resized = cols !== this.cols || rows !== this.rowCount;
    this.pieces = cells;
    [this.cols, this.rowCount] = [cols, rows];
    return resized;
  }
  #places = [];
  places() {
    if (this.#places.length !== this.cols * this.rowCount || this.#places.at(-1)?.[1] !== this.cols - 1) {
      this.#places = Array.from({ length: this.cols * this.rowCount }, (_, i) => {
        const [col, row] = [i % this.cols, Math.floor(i / this.cols)];
        return [cellName(col, row), col, row];
      });
    }
    return this.#places;
  }
  addCells(r, hit, slots) {
    let line = null;
    for (const [id, col, row] of this.places()) {
      if (col === 0 || !line) line = this.row(`row ${row + 1}`);
      const at = this.centre(col, row);
      this.target(line, { id, at, r, col, row }, hit(at), slots(col, row));
    }
  }
  addCoordinates([left, top, right, bottom], size) {
    const { coordinates } = this.layer;
    const mark = (axis, place, text) => {
      const [x, y] = axis === 'col' ? this.centre(place, 0) : this.centre(0, place);
      const spots = (axis === 'col') === this.upright ? [[left, y], [right, y]] : [[x, top], [x, bottom]];
      for (const spot of spots) coordinates.append(label(spot, size, text, { 'data-axis': axis, 'data-place': place }));
    };
    for (let col = 0; col < this.cols; col += 1) mark('col', col, columnName(col));
    for (let row = 0; row < this.rowCount; row += 1) mark('row', row, String(row + 1));
  }
  neighbour(id, dx, dy) {
    return this.upright ? super.neighbour(id, -dy, dx) : super.neighbour(id, dx, dy);
  }
  frame(width, height) {
    this.element.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.layer.board.append(svg('rect', { x: 1, y: 1, width: width - 2, height: height - 2, rx: 16, class: 'q-frame' }));
  }
  phantom(id, piece) {
    const {
      at: [x, y],
      r,
    } = this.at(id);
    return svg('g', { class: 'q-faint', transform: `translate(${x} ${y})` }, this.body(piece, r));
  }
  rows() {
    return Array.from({ length: this.rowCount }, (_, row) => {
      const words = Array.from({ length: this.cols }, (_, col) => cellName(col, row)).flatMap((id) =>
        this.isTaken(id) ? [`${id} ${this.content(id)}`] : [],
      );
      return `Row ${row + 1}: ${words.join(', ') || 'empty'}.`;
    });
  }
}
Object.assign(given, { Grid });
});
define('boards/pathwayz.js', (given) => {
const { selector, svg } = need('boards/dom.js');
const { Grid } = need('boards/grid.js');
const { BLUE, box, chip, circle, GREEN, INK, IVORY, polyline, ring, shadow, YELLOW } = need('boards/look.js');
const { TIMES } = need('boards/motion.js');
const { capital, cellPlace, list } = need('boards/text.js');
const CELL = 50;
const DISC = 0.38 * CELL;
const RAIL = 9;
const MARGIN = 38;
const [NARROW, SHORT] = [15, 28];
const PHONE = '(max-width: 560px) and (orientation: portrait)';
const TURNED = { w: 'b', b: 'w' };
class Pathwayz extends Grid {
  constructor(spec, sides) {
    super(spec, sides);
    this.cols = Number(this.spec.options.get('cols') ?? 12);
    this.rowCount = Number(this.spec.options.get('rows') ?? 8);
    this.options.kind = 'regular';
    this.kinds = selector(
      'Kind of piece',
      [
        ['regular', 'Regular'],
        ['permanent', 'Permanent'],
      ],
      (kind) => this.set('kind', kind),
    );
    this.kinds.show('regular');
    this.controls.prepend(this.kinds.element);
    const phone = matchMedia(PHONE);
    this.upright = phone.matches;
    phone.addEventListener('change', () => {
      this.upright = phone.matches;
      this.rebuild();
    });
    this.otherPress = ( id) => {
      const kind = this.options.kind;
      this.set('kind', kind === 'regular' ? 'permanent' : 'regular');
      this.press(id);
      this.set('kind', kind);
    };
  }
  get #ends() {
    return this.upright ? SHORT : MARGIN;
  }
  spotAt(x, y) {
    if (this.upright) return [NARROW + (y + 0.5) * CELL, SHORT + (this.cols - 0.5 - x) * CELL];
    return [MARGIN + (x + 0.5) * CELL, MARGIN + (y + 0.5) * CELL];
  }
  layout() {
    this.#around.clear();
    const [long, short] = [this.cols * CELL, this.rowCount * CELL];
    const [w, h, left] = this.upright ? [short, long, NARROW] : [long, short, MARGIN];
    const ends = this.#ends;
    this.frame(w + 2 * left, h + 2 * ends);
    const { board, pieces } = this.layer;
    for (const end of [ends - RAIL, ends + long]) {
      board.append(this.#bar(end, ends - 3, RAIL, short + 6, 5, 'q-rail'), this.#bar(end + 2.5, ends + 3, 2.5, short - 6, 1.2, 'q-glint'));
    }
    board.append(svg('rect', { x: left, y: ends, width: w, height: h, rx: 10, class: 'q-plate-wood' }));
    for (const [, col, row] of this.places()) {
      if ((col + row) % 2 === 1) board.append(box(this.centre(col, row), CELL, CELL, { rx: 6, class: 'q-checker' }));
    }
    board.append(svg('rect', { x: left, y: ends, width: w, height: h, rx: 10, class: 'q-edge' }));
    const [side, end] = this.upright ? [7.5, 9] : [15, 18];
    this.addCoordinates([side, end, w + 2 * left - side, h + 2 * ends - end], this.upright ? 13 : 15);
    this.addCells(
      DISC,
      (at) => box(at, CELL, CELL),
      () => pieces,
    );
  }
  #bar(x, y, width, height, rx, name) {
    if (!this.upright) return svg('rect', { x, y, width, height, rx, class: name });
    return svg('rect', { x: y - SHORT + NARROW, y: x, width: height, height: width, rx, class: name });
  }
  set(option, value) {
    super.set(option, value);
    if (option !== 'kind') return;
    this.kinds.show(value);
    this.replant();
    this.refresh();
  }
  paths(move) {
    return move.endsWith('p') === (this.options.kind === 'permanent') ? this.shownPaths(move) : [];
  }
  shownPaths(move) {
    return [[this.spot(move)]];
  }
  spot(move) {
    return move.endsWith('p') ? move.slice(0, -1) : move;
  }
  isPermanent(move) {
    return move.endsWith('p');
  }
  pieceOf(move, first) {
    if (move.endsWith('p')) return first ? 'B' : 'W';
    return first ? 'w' : 'b';
  }
  body(piece, r) {
    const light = piece.toLowerCase() === 'w';
    const [face, edge] = light ? [IVORY, '#8C7F62'] : [INK, '#59626B'];
    const group = svg('g', {}, shadow(this.id, [0.5, 0.14 * r], 1.12 * r), circle([0, 0], r - 0.5, { fill: face, stroke: edge }));
    if (piece === piece.toUpperCase()) {
      const [rim, gem, facet] = light ? ['#C9BC9C', BLUE, '#5AB0E0'] : ['#3C444C', YELLOW, '#FFFBC9'];
      const g = 0.46 * r;
      group.append(
        svg(
          'g',
          { class: 'q-gem' },
          circle([0, 0], 0.83 * r, { fill: 'none', stroke: rim, 'stroke-width': 0.24 * r }),
          circle([0, 0], 0.83 * r, { fill: 'none', stroke: `url(#${this.id}-rim)`, 'stroke-width': 0.24 * r, 'stroke-opacity': 0.55 }),
          circle([0, 0], 0.7 * r, { fill: face, stroke: edge, 'stroke-width': 0.8 }),
          svg('path', {
            d: `${polyline([
              [0, -g],
              [g, 0],
              [0, g],
              [-g, 0],
            ])}Z`,
            fill: gem,
          }),
          svg('path', {
            d: `${polyline([
              [0, -g],
              [0, 0],
              [-g, 0],
            ])}Z`,
            fill: facet,
            'fill-opacity': 0.7,
          }),
        ),
        circle([0, 0], 0.36 * r, { class: 'q-dot' }),
      );
    }
    return group;
  }
  #around = new Map();
  around(id) {
    const known = this.#around.get(id);
    if (known) return known;
    const [col, row] = cellPlace(id);
    const near = this.places()
      .filter(([, x, y]) => Math.max(Math.abs(x - col), Math.abs(y - row)) === 1)
      .map(([name]) => name);
    this.#around.set(id, near);
    return near;
  }
  turnedBy(id, pieces) {
    return this.around(id).filter((name) => (pieces.get(name) ?? '.') in TURNED);
  }
  mark() {
    for (const path of this.state?.wins ?? []) this.layer.wins.append(this.glow(path));
    const move = this.lastMove();
    if (move === null) return;
    const { at } = this.at(this.spot(move));
    this.layer.last.append(ring(at, DISC + 2, 3, 'q-ring q-last'), box(at, CELL - 4, CELL - 4, { rx: 4, class: 'q-last-pai' }));
    if (move.endsWith('p')) {
      for (const id of this.turnedBy(this.spot(move), this.pieces))
        this.layer.over.append(circle(this.at(id).at, 0.2 * DISC, { class: 'q-turned' }));
    }
  }
  glow(path) {
    const line = path
      .flatMap((a) =>
        path.filter((b) => a === b || (a < b && this.around(a).includes(b))).map((b) => polyline([this.at(a).at, this.at(b).at])),
      )
      .join('');
    const strokes =  ([
      [GREEN, 50, 0.3],
      [INK, 43, 1],
      [GREEN, 39, 1],
    ]);
    return svg(
      'g',
      { class: 'q-glow' },
      ...strokes.map(([stroke, width, opacity]) => svg('path', { d: line, stroke, 'stroke-width': width, 'stroke-opacity': opacity })),
    );
  }
  animate(move, before) {
    const centre = this.spot(move);
    this.grow(centre);
    const {
      at: [x, y],
    } = this.at(centre);
    for (const [id, piece] of this.drawn) {
      const old = before.get(id) ?? '.';
      if (old === '.' || old === piece) continue;
      const { at, slot, r, cell } = this.at(id);
      const delay = TIMES.place + 0.6 * Math.hypot(at[0] - x, at[1] - y);
      const [now, was] = [this.pieceElement(id), this.standing(old, r)];
      slot?.append(was);
      this.motion.leave(was, [{ transform: 'none' }, { transform: 'scaleX(0)' }], TIMES.flip / 2, delay);
      if (now) this.motion.run(now, [{ transform: 'scaleX(0)' }, { transform: 'none' }], TIMES.flip / 2, { delay: delay + TIMES.flip / 2 });
      this.motion.outline(cell);
    }
  }
  tell(move, previous) {
    const [spot, first] = [this.spot(move), previous.to_move === 'first'];
    const who = capital(this.sideName(previous.to_move));
    if (!move.endsWith('p')) return `${who} plays ${spot}.`;
    const turned = this.turnedBy(spot, this.pieces);
    const what = turned.length > 0 ? ` Turned: ${list(turned.map((id) => `${id} to ${this.content(id)}`))}.` : ' It turns nothing.';
    return `${who} plays a ${this.sides[first ? 1 : 0]} permanent on ${spot}.${what}`;
  }
  content(id) {
    const piece = this.drawn.get(id) ?? '.';
    if (piece === '.') {
      if (!this.interactive) return 'empty';
      const turned = this.options.kind === 'permanent' ? this.turnedBy(id, this.pieces).length : 0;
      const what =
        this.options.kind === 'permanent'
          ? `${this.sides[this.first ? 1 : 0]} permanent, would turn ${turned}`
          : `${this.sides[this.first ? 0 : 1]} regular`;
      return `empty, legal: ${what}`;
    }
    return this.sides[piece.toLowerCase() === 'w' ? 0 : 1] + (piece === piece.toUpperCase() ? ' permanent' : '');
  }
  why(id) {
    return `${id} is taken by a ${this.content(id)} piece; choose an empty square.`;
  }
  preview(id) {
    if (id === null || !this.interactive || !this.node.children.has(id)) return;
    const permanent = this.options.kind === 'permanent';
    this.layer.preview.append(this.phantom(id, this.pieceOf(permanent ? 'p' : '', this.first)));
    if (!permanent) return;
    for (const turned of this.turnedBy(id, this.pieces)) {
      const { at, r } = this.at(turned);
      this.layer.preview.append(circle(at, 0.5 * r, { fill: this.pieces.get(turned) === 'w' ? INK : IVORY }), ring(at, 0.5 * r, 2));
    }
  }
  bestMove(move) {
    const { at, r } = this.at(this.spot(move));
    const group = svg('g', { class: 'q-best' }, ring(at, 0.72 * r, 4), ring(at, 0.25 * r, 3));
    if (move.endsWith('p')) group.append(chip([at[0], at[1] + r], 12, 'permanent'));
    return group;
  }
  overlay(name) {
    if (name === 'paths') for (const light of [true, false]) this.#longest(light);
    if (name === 'threats') for (const [id] of this.places()) this.#threat(id);
  }
  #longest(light) {
    const groups = this.#groups(light ? 'w' : 'b', this.drawn);
    const best = groups.reduce((a, b) => (span(b) > span(a) ? b : a),  ([]));
    if (best.length === 0) return;
    const way = this.#across(best);
    const d = polyline(way.map((id) => this.at(id).at)) + polyline([this.at(way[0]).at]);
    const {
      at: [x, y],
    } = this.at(way[0]);
    const columns = span(best);
    this.layer.overlay.append(
      svg(
        'g',
        { class: `q-chain ${light ? 'q-of-first' : 'q-of-second'}` },
        svg('path', { d, class: 'q-outer' }),
        svg('path', { d, class: 'q-inner' }),
      ),
      chip([Math.max(x, 70), y - 0.55 * CELL], 12, `${this.sides[light ? 0 : 1]}: ${columns} of ${this.cols}`),
    );
  }
  #across(group) {
    const from = new Map(group.filter((id) => id[0] === group[0][0]).map((id) => [id, null]));
    const queue = [...from.keys()];
    for (const id of queue) {
      for (const next of this.around(id)) {
        if (!group.includes(next) || from.has(next)) continue;
        from.set(next, id);
        queue.push(next);
      }
    }
    const far = group[group.length - 1][0];
    const way = [];
    for (let at = queue.find((id) => id[0] === far) ?? null; at !== null; at = from.get(at) ?? null) way.unshift(at);
    return way;
  }
  #groups(colour, pieces) {
    const left = new Set([...pieces].filter(([, piece]) => piece.toLowerCase() === colour).map(([id]) => id));
    const groups = [];
    for (const start of left) {
      const group = [start];
      left.delete(start);
      for (const id of group) for (const next of this.around(id)) if (left.delete(next)) group.push(next);
      groups.push(group.sort());
    }
    return groups;
  }
  #threat(id) {
    const colour = this.first ? 'w' : 'b';
    const wins = (this.state?.legal ?? [])
      .filter((move) => this.spot(move) === id)
      .filter((move) => {
        const pieces = new Map(this.pieces).set(id, this.pieceOf(move, this.first));
        if (this.isPermanent(move))
          for (const turned of this.turnedBy(id, this.pieces)) pieces.set(turned, TURNED[this.pieces.get(turned) ?? '']);
        return this.#groups(colour, pieces).some((group) => span(group) === this.cols);
      });
    if (wins.length === 0) return;
    const { at, r } = this.at(id);
    this.layer.overlay.append(ring(at, 0.6 * r, 4, 'q-ring q-wins'), chip(at, 11, wins.some((move) => !this.isPermanent(move)) ? 'wins' : 'wins p'));
  }
}
function span(group) {
  return group.length === 0 ? 0 : group[group.length - 1].charCodeAt(0) - group[0].charCodeAt(0) + 1;
}
Object.assign(given, { Pathwayz });
});
define('boards/pylos-places.js', (given) => {
const { cellName, cellPlace } = need('boards/text.js');
const placeName = ({ z, x, y }) => `${z + 1}${cellName(x, y)}`;
function placeOf(id) {
  const [x, y] = cellPlace(id.slice(1));
  return { z: Number(id[0]) - 1, x, y };
}
function readMove(move) {
  const [ball, ...taken] = move.split('-');
  const [from, to] = ball.includes('^') ? ball.split('^') : [null, ball];
  return { from, to, taken };
}
function below(id) {
  const { z, x, y } = placeOf(id);
  return z === 0
    ? []
    : [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ].map(([dx, dy]) => placeName({ z: z - 1, x: x + dx, y: y + dy }));
}
function above(id) {
  const { z, x, y } = placeOf(id);
  const n = 3 - z;
  return [
    [0, 0],
    [-1, 0],
    [0, -1],
    [-1, -1],
  ]
    .map(([dx, dy]) => ({ z: z + 1, x: x + dx, y: y + dy }))
    .filter((p) => p.x >= 0 && p.y >= 0 && p.x < n && p.y < n)
    .map(placeName);
}
function patterns(id) {
  const { z, x, y } = placeOf(id);
  const all = Array.from({ length: 4 - z }, (_, i) => i);
  const squares = above(id).map(below);
  const lines = [
    all.map((i) => ({ z, x: i, y })),
    all.map((i) => ({ z, x, y: i })),
    all.map((i) => ({ z, x: i, y: i })),
    all.map((i) => ({ z, x: i, y: 3 - z - i })),
  ];
  return [...squares, ...lines.map((line) => line.map(placeName)).filter((line) => line.includes(id))];
}
const isSquare = (pattern) =>
  pattern.length === 4 && new Set(pattern.map((id) => id[1])).size === 2 && new Set(pattern.map((id) => id[2])).size === 2;
Object.assign(given, { placeName, placeOf, readMove, below, above, patterns, isSquare });
});
define('boards/pylos.js', (given) => {
const { Board } = need('boards/base.js');
const { button, html, selector, svg } = need('boards/dom.js');
const { arrow, ball, box, chip, circle, label, outlined, polyline, ring, shadow, YELLOW } = need('boards/look.js');
const { TIMES } = need('boards/motion.js');
const { above, below, isSquare, patterns, placeName, placeOf, readMove } = need('boards/pylos-places.js');
const { capital, columnName, list } = need('boards/text.js');
const BALLS = 15;
const STEP = 92;
const MARGIN = 34;
const REACH = 0.64 * STEP;
const PLATE = 3 * STEP + 2 * REACH;
const THICK = 10;
const FLAT = 66;
const CORNERS = [
  [0.45, 1.75],
  [5, 0.75],
  [5, 4.7],
  [7.5, 4.7],
];
class Pylos extends Board {
  constructor(spec, sides) {
    super(spec, sides);
    this.options.view = 'stacked';
    this.views = selector(
      'View',
      [
        ['stacked', 'Stacked'],
        ['flat', 'Flat'],
      ],
      (view) => this.set('view', view),
    );
    this.views.show('stacked');
    this.enough = button('Enough', () => this.press('enough'), { hidden: true });
    this.controls.append(html('div', { class: 'q-row' }, this.enough, this.views.element));
    this.rests = svg('g', { class: 'q-rests' });
  }
  get stacked() {
    return this.options.view === 'stacked';
  }
  layout() {
    const { board } = this.layer;
    const [width, height] = this.stacked ? [PLATE + 2 * MARGIN, PLATE + THICK + 2 * MARGIN - 6] : [8.95 * FLAT, 7.1 * FLAT];
    this.element.setAttribute('viewBox', `0 0 ${width} ${height}`);
    board.append(svg('rect', { x: 1, y: 1, width: width - 2, height: height - 2, rx: 16, class: 'q-frame' }));
    if (this.stacked) this.#plate(height);
    else this.#plates();
    for (let z = 0; z < 4; z += 1) {
      const lines = Array.from({ length: 4 - z }, (_, i) => i);
      for (const seen of lines) {
        const y = this.options.flipped ? 3 - z - seen : seen;
        const row = this.row(`level ${z + 1}, row ${y + 1}`);
        for (const x of lines) this.#cell(row, { z, x, y });
      }
    }
  }
  #cell(row, place) {
    const [at, r] = [this.centre(place), this.radius(place)];
    const hit = this.stacked ? circle(at, r) : box(at, FLAT, FLAT);
    this.target(row, { id: placeName(place), at, r, col: place.x, row: place.y }, hit, this.layer.pieces);
  }
  centre({ z, x, y }) {
    const [i, j] = this.options.flipped ? [3 - z - x, 3 - z - y] : [x, y];
    if (!this.stacked) return [(CORNERS[z][0] + i + 0.5) * FLAT, (CORNERS[z][1] + j + 0.5) * FLAT];
    return [MARGIN + REACH + (i + z / 2) * STEP, MARGIN + REACH + (j + z / 2) * STEP];
  }
  radius({ z }) {
    return this.stacked ? 0.47 * STEP * (1 + 0.06 * z) : 0.4 * FLAT;
  }
  #plate(height) {
    const { board, coordinates } = this.layer;
    const middle =  ([MARGIN + PLATE / 2, MARGIN + PLATE / 2]);
    board.append(
      box([middle[0], middle[1] + THICK], PLATE, PLATE, { rx: 20, class: 'q-tile-side' }),
      box(middle, PLATE, PLATE, { rx: 20, class: 'q-tile-face' }),
    );
    for (let i = 0; i < 16; i += 1) {
      const at = this.centre({ z: 0, x: i % 4, y: Math.floor(i / 4) });
      board.append(circle(at, 0.34 * STEP, { fill: `url(#${this.id}-hollow)`, class: 'q-hollow' }));
    }
    for (let i = 0; i < 4; i += 1) {
      const [x, y] = this.centre({ z: 0, x: i, y: i });
      for (const edge of [MARGIN / 2, height - MARGIN / 2 + 2]) coordinates.append(label([x, edge], 15, columnName(i)));
      for (const edge of [MARGIN / 2, 2 * middle[0] - MARGIN / 2]) coordinates.append(label([edge, y], 15, String(i + 1)));
    }
  }
  #plates() {
    const { board, coordinates } = this.layer;
    CORNERS.forEach(([left, top], z) => {
      const n = 4 - z;
      const middle =  ([(left + n / 2) * FLAT, (top + n / 2) * FLAT]);
      board.append(box(middle, n * FLAT, n * FLAT, { rx: 14, class: 'q-tile-face' }));
      coordinates.append(label([(left + 0.05) * FLAT, (top - 0.55) * FLAT], 13, `level ${z + 1}`, { 'text-anchor': 'start' }));
      for (let i = 0; i < n; i += 1) {
        const [x, y] = this.centre({ z, x: i, y: i });
        coordinates.append(label([x, (top - 0.18) * FLAT], 13, columnName(i)), label([(left - 0.18) * FLAT, y], 13, String(i + 1)));
      }
      for (let i = 0; i < n * n; i += 1)
        board.append(
          circle(this.centre({ z, x: i % n, y: Math.floor(i / n) }), 0.28 * FLAT, { fill: `url(#${this.id}-hollow)`, class: 'q-hollow' }),
        );
    });
  }
  set(option, value) {
    super.set(option, value);
    if (option !== 'view') return;
    this.views.show(value);
    this.rebuild();
  }
  read(position) {
    const levels = position.split(' ')[0].split('/');
    this.pieces = new Map(
      levels.flatMap((level, z) =>
        [...level].map(
          (piece, i) =>  ([placeName({ z, x: i % (4 - z), y: Math.floor(i / (4 - z)) }), piece]),
        ),
      ),
    );
    return false;
  }
  paths(move) {
    const { from, to, taken } = readMove(move);
    const start = from === null ? [to] : [from, to];
    if (taken.length < 2) return [[...start, ...taken]];
    const [a, b] = taken;
    return [
      [a, b],
      [b, a],
    ]
      .filter(([first]) => this.#legal.has(`${from === null ? to : `${from}^${to}`}-${first}`))
      .map((pair) => [...start, ...pair]);
  }
  #legal = new Set();
  replant() {
    this.#legal = new Set(this.state?.legal);
    super.replant();
  }
  spot(move) {
    return readMove(move).to;
  }
  pieceOf(_move, first) {
    return first ? 'L' : 'D';
  }
  body(piece, r) {
    return svg(
      'g',
      {},
      this.stacked ? shadow(this.id, [0.14 * r, 0.24 * r], 1.2 * r) : shadow(this.id, [1, 3], 1.08 * r),
      ball(this.id, r, piece === 'L'),
    );
  }
  covered(id) {
    return id[0] !== '1' || super.covered(id);
  }
  get raising() {
    return this.trail.length > 0 && this.pieces.get(this.trail[0]) !== '.';
  }
  get taking() {
    return this.trail.length >= (this.raising ? 2 : 1);
  }
  half() {
    if (this.trail.length === 0) return null;
    const [first, second, ...rest] = this.trail;
    return this.raising ? [`${first}^${second ?? ''}`, ...rest].join('-') : this.trail.join('-');
  }
  after(trail) {
    const own = this.first ? 'L' : 'D';
    const pieces = new Map(this.pieces);
    const steps = trail.filter((id) => id !== 'enough');
    const raised = steps.length > 0 && pieces.get(steps[0]) !== '.';
    if (raised && steps.length > 1) pieces.set(steps[0], '.');
    const placed = raised ? steps[1] : steps[0];
    if (placed !== undefined) pieces.set(placed, own);
    for (const id of steps.slice(raised ? 2 : 1)) pieces.set(id, '.');
    return pieces;
  }
  changed() {
    this.enough.hidden = !this.node.children.has('enough') || !this.interactive;
    this.#classes();
    this.#rings();
  }
  #classes() {
    const busy = this.trail.length > 0 && this.interactive;
    this.element.classList.toggle('q-half', busy);
    for (const [id, { cell, slot }] of this.targets) {
      const resting = this.isTaken(id) || this.#supported(id);
      cell.classList.toggle('q-off', this.stacked && !resting);
      slot?.classList.toggle('q-dim', busy && this.isTaken(id) && !this.node.children.has(id) && id !== this.trail[0]);
      slot?.classList.toggle('q-picked', busy && !this.taking && id === this.trail[0]);
    }
  }
  #rings() {
    this.rests.remove();
    this.rests = svg('g', { class: 'q-rests' });
    this.layer.over.append(this.rests);
    const open = this.interactive ? this.node.children : new Map();
    for (const [id, { at, r }] of this.targets) {
      const free = !this.isTaken(id) && this.#supported(id);
      if (this.taking && this.interactive) {
        if (open.has(id)) this.rests.append(ring(at, 0.9 * r, 3, 'q-ring q-takeable'));
      } else if (free && (open.has(id) || (!this.interactive && id[0] !== '1' && this.state?.outcome === null))) {
        this.rests.append(circle(at, (id[0] === '1' ? 0.2 : 0.4) * r, { class: id[0] === '1' ? 'q-rest q-ground' : 'q-rest' }));
      }
    }
  }
  #supported(id) {
    return below(id).every((name) => this.isTaken(name));
  }
  mark() {
    for (const id of (this.state?.wins ?? []).flat()) {
      const { at, r } = this.at(id);
      this.layer.over.append(circle(at, r + 8, { class: 'q-halo q-wins' }), ring(at, r + 4, 6, 'q-ring q-wins'));
    }
    const last = this.lastMove();
    if (last === null) return;
    const { from, to, taken } = readMove(last);
    const marks = svg('g', { class: 'q-last' });
    if (from !== null)
      marks.append(
        circle(this.at(from).at, 0.3 * STEP, { class: 'q-from q-outer' }),
        circle(this.at(from).at, 0.3 * STEP, { class: 'q-from q-inner' }),
      );
    if (!taken.includes(to)) marks.append(ring(this.at(to).at, this.at(to).r - 2, 3));
    for (const id of taken) {
      const [[x, y], d] = [this.at(id).at, 8];
      marks.append(
        outlined(
          polyline([
            [x - d, y - d],
            [x + d, y + d],
          ]) +
            polyline([
              [x - d, y + d],
              [x + d, y - d],
            ]),
          3,
          YELLOW,
        ),
      );
    }
    this.layer.over.append(marks);
  }
  animate(move, before, trail) {
    const { from, to, taken } = readMove(move);
    if (trail.length === 0 && !taken.includes(to)) {
      const piece = this.pieceElement(to);
      if (from === null || !piece) this.grow(to);
      else {
        const [[x, y], [fx, fy]] = [this.at(to).at, this.at(from).at];
        this.motion.run(piece, [{ transform: `translate(${fx - x}px, ${fy - y}px)` }, { transform: 'none' }], TIMES.raise);
        this.motion.outline(this.at(to).cell);
      }
    }
    for (const id of taken) {
      const piece = before.get(id) ?? '.';
      if (piece !== '.' && this.drawn.get(id) === '.') this.fade(id, piece);
    }
  }
  prompt() {
    if (this.taking) {
      this.#pulse();
      const more = this.node.children.has('enough') ? ', or press Enough' : '';
      return this.trail.length === (this.raising ? 2 : 1) ? `Take back one or two of your balls${more}.` : `Take back one more${more}.`;
    }
    return `${this.trail[0]} picked up. Choose a higher cell; Escape puts it back.`;
  }
  #pulse() {
    const to = this.trail[this.raising ? 1 : 0];
    const own = this.first ? 'L' : 'D';
    const full = patterns(to).filter((pattern) =>
      pattern.every((id) => this.after(this.trail.slice(0, this.raising ? 2 : 1)).get(id) === own),
    );
    const squares = full.filter((pattern) => isSquare(pattern));
    if (this.trail.length !== (this.raising ? 2 : 1)) return;
    for (const id of new Set((squares.length > 0 ? squares : full).flat())) {
      const piece = this.pieceElement(id);
      if (piece) this.motion.run(piece, [{ transform: 'none' }, { transform: 'scale(1.12)' }, { transform: 'none' }], 2 * TIMES.flip);
    }
  }
  startsAnew() {
    return this.raising && !this.taking;
  }
  tell(move, previous) {
    const { from, to, taken } = readMove(move);
    const who = capital(this.sideName(previous.to_move));
    const what = from === null ? `places a ball on ${to}` : `raises ${from} to ${to}`;
    const back = taken.length > 0 ? `, takes back ${list(taken)}` : '';
    const again =
      (this.state?.occurrences ?? 0) > 1 ? ` The position occurs for the ${this.state?.occurrences === 2 ? 'second' : 'third'} time.` : '';
    return `${who} ${what}${back}.${again}`;
  }
  content(id) {
    const piece = this.drawn.get(id) ?? '.';
    const open = this.interactive && this.node.children.has(id);
    if (piece !== '.') {
      const locked = above(id).some((name) => this.isTaken(name)) ? ', locked' : '';
      const can = !open ? '' : this.taking ? ', can be taken back' : ', can be raised';
      return `${this.sides[piece === 'L' ? 0 : 1]} ball${locked}${can}`;
    }
    if (!this.#supported(id)) return 'empty, not supported';
    return open ? 'empty, legal' : 'empty';
  }
  why(id) {
    if (id === 'enough') return 'At least one ball has to be taken back.';
    const [own, taken] = [this.first ? 'L' : 'D', this.isTaken(id)];
    if (this.taking) {
      if (!taken) return 'Take back one or two of your balls first; Esc undoes the step before.';
      if (this.drawn.get(id) !== own) return `${id} is not yours; take back balls of your own.`;
      return `${id} supports ${list(above(id).filter((name) => this.isTaken(name)))} and cannot be taken back.`;
    }
    if (taken && this.pieces.get(id) !== own) return `${id} is taken by a ${this.sides[own === 'L' ? 1 : 0]} ball.`;
    if (taken) {
      const resting = above(id).filter((name) => this.isTaken(name));
      return resting.length > 0 ? `${id} supports ${list(resting)} and cannot be raised.` : `${id} has no higher cell to go to.`;
    }
    const missing = below(id).filter((name) => !this.isTaken(name) || name === this.trail[0]);
    if (missing.includes(this.trail[0])) return `${id} rests on ${list(below(id))}; a ball cannot climb onto a square it is part of.`;
    if (missing.length > 0) return `${id} needs ${list(missing)}, which ${missing.length > 1 ? 'are' : 'is'} empty.`;
    return this.raising ? `A ball must move up: ${id} is not higher than ${this.trail[0]}.` : `There is no ball left for ${id}.`;
  }
  preview(id) {
    for (const { slot } of this.targets.values()) slot?.classList.remove('q-glass');
    if (id === null) return;
    const { at, r } = this.at(id);
    if (this.stacked) {
      for (const [name, { slot, at: other }] of this.targets) {
        const hides = name[0] > id[0] && Math.hypot(at[0] - other[0], at[1] - other[1]) < 1.3 * r;
        if (hides || (name === id && id[0] !== '1' && !this.node.children.has(id))) slot?.classList.add('q-glass');
      }
    }
    if (!this.interactive || !this.node.children.has(id)) return;
    if (this.isTaken(id)) this.layer.preview.append(ring(at, 0.94 * r, 3));
    else
      this.layer.preview.append(
        svg('g', { class: 'q-faint', transform: `translate(${at[0]} ${at[1]})` }, this.body(this.first ? 'L' : 'D', r)),
      );
  }
  steps() {
    const first = this.raising ? ['Pick up', 'Raise'] : ['Place'];
    return this.taking && this.interactive ? [...first, 'Take back'] : this.raising ? first : [];
  }
  neighbour(id, dx, dy) {
    const { z, x, y } = placeOf(id);
    const turn = this.options.flipped ? -1 : 1;
    const [to, down, n] = [x + turn * dx, y + turn * dy, 4 - z];
    if (to >= 0 && to < n) return placeName({ z, x: to, y: Math.min(Math.max(down, 0), n - 1) });
    if (dx > 0 && z < 3) return placeName({ z: z + 1, x: turn > 0 ? 0 : n - 2, y: Math.min(y, n - 2) });
    return dx < 0 && z > 0 ? placeName({ z: z - 1, x: turn > 0 ? n : 0, y }) : id;
  }
  level(id, by) {
    const { z, x, y } = placeOf(id);
    const to = Math.min(Math.max(z + by, 0), 3);
    return placeName({ z: to, x: Math.min(x, 3 - to), y: Math.min(y, 3 - to) });
  }
  bestMove(move) {
    const { from, to, taken } = readMove(move);
    const { at, r } = this.at(to);
    const group = svg('g', { class: 'q-best' });
    if (from !== null) group.append(arrow(this.at(from).at, at, 6, 0.3 * r));
    else group.append(ring(at, 0.5 * r, 4), ring(at, 0.16 * r, 3));
    taken.forEach((id) => group.append(chip(this.at(id).at, 13, 'back')));
    return group;
  }
  ringRadius(r) {
    return 1.02 * r;
  }
  reserves() {
    const left = ( piece) => BALLS - [...this.drawn.values()].filter((one) => one === piece).length;
    return [left('L'), left('D')];
  }
  rows() {
    const levels = [0, 1, 2, 3].flatMap((z) =>
      Array.from({ length: 4 - z }, (_, y) => {
        const ids = Array.from({ length: 4 - z }, (_, x) => placeName({ z, x, y })).filter((id) => this.isTaken(id));
        return `Level ${z + 1}, row ${y + 1}: ${ids.map((id) => `${id} ${this.sides[this.drawn.get(id) === 'L' ? 0 : 1]}`).join(', ') || 'empty'}.`;
      }),
    );
    const left = this.reserves();
    return [...levels, `In reserve: ${left[0]} ${this.sides[0]}, ${left[1]} ${this.sides[1]}.`];
  }
}
Object.assign(given, { Pylos });
});
define('boards/twixt-links.js', (given) => {
const { cellName, cellPlace } = need('boards/text.js');
const KNIGHT = [-2, -1, 1, 2].flatMap((dx) =>
  [-2, -1, 1, 2].filter((dy) => Math.abs(dx) !== Math.abs(dy)).map((dy) =>  ([dx, dy])),
);
function readLinks(text) {
  return [...text.matchAll(/([a-z]\d+)([a-z]\d+)/g)].map(([name, a, b]) => ({ name, a, b }));
}
function crossing([a, b], [c, d]) {
  const [p, q, r, s] = [a, b, c, d].map(cellPlace);
  const side = (u, v, w) => Math.sign((v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0]));
  return side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0;
}
function cheapest(pieces, links, size, colour, stops) {
  const linked = new Set(links.flatMap(({ a, b }) => [a + b, b + a]));
  const walls = links.filter(stops);
  const far = size - 1;
  const along = (id) => cellPlace(id)[colour === 'r' ? 1 : 0];
  const open = (id) => {
    const piece = pieces.get(id);
    const across = cellPlace(id)[colour === 'r' ? 0 : 1];
    const corner = (across === 0 || across === far) && (along(id) === 0 || along(id) === far);
    return piece === colour || (piece === '.' && (corner || (across > 0 && across < far)));
  };
  const price = (id) => (pieces.get(id) === colour ? 0 : 1);
  const joined = (a, b) => (price(a) + price(b) === 0 ? linked.has(a + b) : !walls.some((wall) => crossing([a, b], [wall.a, wall.b])));
  const best = new Map();
  const queues = [[], []];
  for (const id of pieces.keys()) {
    if (along(id) !== 0 || !open(id)) continue;
    best.set(id, { cost: price(id), from: null });
    queues[price(id)].push(id);
  }
  for (let cost = 0; cost < queues.length; cost += 1) {
    queues[cost + 1] ??= [];
    for (const id of queues[cost]) {
      if (best.get(id)?.cost !== cost) continue;
      if (along(id) === far) return trace(id, best);
      const [col, row] = cellPlace(id);
      for (const [dx, dy] of KNIGHT) {
        const next = cellName(col + dx, row + dy);
        if (!pieces.has(next) || !open(next)) continue;
        const sum = cost + price(next);
        if (sum >= (best.get(next)?.cost ?? Infinity) || !joined(id, next)) continue;
        best.set(next, { cost: sum, from: id });
        queues[sum].push(next);
      }
    }
    if (cost > size * size) break;
  }
  return null;
}
function trace(end, best) {
  const chain = [];
  for (let at =  (end); at !== null; at = best.get(at)?.from ?? null) chain.unshift(at);
  return chain;
}
Object.assign(given, { KNIGHT, readLinks, crossing, cheapest });
});
define('boards/twixt.js', (given) => {
const { button, html, svg } = need('boards/dom.js');
const { Grid } = need('boards/grid.js');
const { box, chip, circle, label, polyline, ring, shadow } = need('boards/look.js');
const { TIMES } = need('boards/motion.js');
const { capital, cellName, cellPlace, list } = need('boards/text.js');
const { cheapest, crossing, KNIGHT, readLinks } = need('boards/twixt-links.js');
const MARGIN = 46;
const GLASS = 7;
const FINGER = 36;
const STEADY = 8;
class Twixt extends Grid {
  constructor(spec, sides) {
    super(spec, sides);
    this.cols = this.rowCount = Number(this.spec.options.get('size') ?? 12);
    this.cell = 0;
    this.links = [];
    this.lines = svg('g', { class: 'q-links' });
    this.drawnLinks = new Map();
    this.pending = null;
    this.dragged = false;
    this.swap = button('Swap', () => this.press('swap'), { title: 'Take over the first peg (s)' });
    this.whole = button('Whole board', () => this.zoom(null), { hidden: true });
    this.controls.append(html('div', { class: 'q-row' }, this.swap, this.whole));
    this.#pan();
  }
  title() {
    return `TwixT ${this.cols} by ${this.cols}`;
  }
  spotAt(x, y) {
    return [MARGIN + (x + 0.5) * this.cell, MARGIN + (y + 0.5) * this.cell];
  }
  layout() {
    this.cell = Math.min(80, Math.max(27, 600 / this.cols));
    const [side, { cell }] = [this.cols * this.cell, this];
    const width = side + 2 * MARGIN;
    this.frame(width, width);
    this.#field(side);
    const near = MARGIN - 12;
    this.addCoordinates([near, near, width - near, width - near], Math.min(15, Math.max(11.5, 0.42 * cell)));
    this.lines.replaceChildren();
    this.drawnLinks.clear();
    this.layer.pieces.append(this.lines);
    const holes = svg('g', { class: 'q-holes' });
    this.layer.board.append(holes);
    this.addCells(
      0.34 * cell,
      (at) => box(at, cell, cell),
      () => this.layer.pieces,
    );
    for (const [id, { at }] of this.targets)
      if (this.pieces.get(id) !== '#' && !this.#corner(id)) holes.append(circle(at, Math.max(2.2, 0.075 * cell)));
  }
  #corner(id) {
    const [col, row] = cellPlace(id);
    const far = this.cols - 1;
    const corner = (col === 0 || col === far) && (row === 0 || row === far);
    return corner && (this.pieces.size > 0 ? this.pieces.get(id) === '#' : this.spec.options.get('rules') !== 'paper');
  }
  #field(side) {
    const { board } = this.layer;
    const { cell } = this;
    const [near, far, inner, end] = [MARGIN + cell, MARGIN + side - cell, side - 2 * cell, MARGIN + side];
    board.append(svg('rect', { x: MARGIN, y: MARGIN, width: side, height: side, rx: 6, class: 'q-field' }));
    const guides = svg('g', { class: 'q-guides' });
    for (let i = 1; i < this.cols - 1; i += 1) {
      const at = MARGIN + (i + 0.5) * cell;
      guides.append(svg('path', { d: `M${MARGIN} ${at}H${end}M${at} ${MARGIN}V${end}` }));
    }
    board.append(guides);
    for (const edge of [MARGIN, far]) {
      board.append(
        svg('rect', { x: near, y: edge, width: inner, height: cell, class: 'q-tint q-red' }),
        svg('rect', { x: edge, y: near, width: cell, height: inner, class: 'q-tint q-black' }),
      );
    }
    for (const line of [near, far]) {
      board.append(
        svg('path', { d: `M${near} ${line}H${far}`, class: 'q-goal q-red-line' }),
        svg('path', { d: `M${line} ${near}V${far}`, class: 'q-goal q-black-line' }),
      );
    }
    const middle = MARGIN + side / 2;
    for (const at of [13, end + MARGIN - 13]) {
      board.append(
        label([middle, at], 13, 'top-bottom', { class: 'q-goal-name q-red' }),
        label([at, middle], 13, 'left-right', { class: 'q-goal-name q-black', transform: `rotate(-90 ${at} ${middle})` }),
      );
    }
  }
  set(option, value) {
    super.set(option, value);
    if (option === 'guides') this.element.classList.toggle('q-guided', Boolean(value));
  }
  read(position) {
    this.links = readLinks(position.split(' ')[1] ?? '-');
    this.pending = null;
    if (!this.editor) this.zoom(null);
    return super.read(position);
  }
  draw() {
    super.draw();
    const now = new Set(this.links.map(({ name }) => name));
    for (const [name, element] of this.drawnLinks) {
      if (now.has(name)) continue;
      element.remove();
      this.drawnLinks.delete(name);
    }
    for (const link of this.links) {
      if (this.drawnLinks.has(link.name)) continue;
      const element = this.#link(link);
      this.lines.append(element);
      this.drawnLinks.set(link.name, element);
    }
  }
  #link(link) {
    const last = this.lastMove();
    const [from, to] = link.b === last ? [link.b, link.a] : [link.a, link.b];
    const red = this.pieces.get(from) === 'r';
    const [[x1, y1], [x2, y2], thick] = [this.at(from).at, this.at(to).at, 0.28 * this.cell];
    const stroke = (name, width) => svg('line', { x1, y1, x2, y2, class: name, 'stroke-width': width, pathLength: 1 });
    return svg(
      'g',
      { class: 'q-link', 'data-link': link.name },
      stroke('q-link-edge', thick + 3),
      stroke(red ? 'q-red-line' : 'q-black-line', thick),
      ...(red ? [] : [stroke('q-link-core', 0.36 * thick)]),
    );
  }
  paths(move) {
    if (move !== 'swap') return [[move]];
    return [['swap'], ...[...this.pieces].filter(([, piece]) => piece === 'r').map(([id]) => [id])];
  }
  spot(move) {
    return move === 'swap' ? ([...this.pieces].find(([, piece]) => piece === 'b' || piece === 'r')?.[0] ?? 'swap') : move;
  }
  pieceOf(_move, first) {
    return first ? 'r' : 'b';
  }
  body(piece, r) {
    const d = 1.84 * r;
    const peg = piece === 'r' ? circle([0, 0], r, { class: 'q-peg q-red' }) : box([0, 0], d, d, { rx: 0.2 * r, class: 'q-peg q-black' });
    return svg('g', {}, shadow(this.id, [0.5, 0.15 * r], 1.25 * r), peg, circle([-0.3 * r, -0.3 * r], 0.28 * r, { class: 'q-shine' }));
  }
  mark() {
    for (const chain of this.state?.wins ?? []) {
      const d = this.links
        .filter(({ a, b }) => chain.includes(a) && chain.includes(b))
        .map(({ a, b }) => polyline([this.at(a).at, this.at(b).at]))
        .join('');
      const dots = chain.map((id) => polyline([this.at(id).at, this.at(id).at])).join('');
      this.layer.wins.append(
        svg(
          'g',
          { class: 'q-glow' },
          svg('path', { d: d + dots, class: 'q-glow-edge', 'stroke-width': 0.8 * this.cell + 3 }),
          svg('path', { d: d + dots, class: 'q-glow-face', 'stroke-width': 0.8 * this.cell }),
        ),
      );
    }
    const move = this.lastMove();
    const target = move === null ? undefined : this.targets.get(this.spot(move));
    if (!target) return;
    this.layer.last.append(ring(target.at, 0.49 * this.cell, Math.min(3, Math.max(2, 0.08 * this.cell)), 'q-ring q-last'));
    if (move === 'swap') this.#swapped(target.at);
  }
  #swapped([x, y]) {
    const [words, size] = [`${capital(this.sides[1])} swapped: this peg is ${this.sides[1]} now`, Math.max(14, 0.3 * this.cell)];
    const [half, width] = [0.3 * size * words.length + size, this.cols * this.cell + 2 * MARGIN];
    const chipped = chip([Math.min(Math.max(x, half), width - half), y < width / 3 ? y + 0.9 * this.cell : y - 0.9 * this.cell], size, words);
    chipped.classList.add('q-swapped');
    this.layer.over.append(chipped);
  }
  animate(move, before) {
    for (const [id, piece] of before) if ('rb'.includes(piece) && (this.drawn.get(id) ?? '.') !== piece) this.fade(id, piece);
    this.grow(this.spot(move));
    for (const { name, a, b } of this.links) {
      if (a !== move && b !== move) continue;
      for (const line of this.drawnLinks.get(name)?.children ?? []) {
        this.motion.run(line, [{ strokeDasharray: '0 1' }, { strokeDasharray: '1 0' }], TIMES.link, {
          delay: TIMES.place,
          easing: 'linear',
        });
      }
    }
  }
  neighbours(id, colour) {
    const [col, row] = cellPlace(id);
    return KNIGHT.map(([dx, dy]) => cellName(col + dx, row + dy))
      .filter((other) => this.pieces.get(other) === colour)
      .map((other) => {
        const blocking = this.links.find((link) => this.#stops(link, colour) && crossing([id, other], [link.a, link.b]));
        return { other, blocking: blocking ?? null };
      });
  }
  #stops(link, colour) {
    return this.spec.options.get('rules') !== 'pp' || this.pieces.get(link.a) !== colour;
  }
  tell(move, previous) {
    const who = capital(this.sideName(previous.to_move));
    if (move === 'swap') return `${who} swaps: a ${this.sides[1]} peg is now on ${this.spot(move)}.`;
    const made = this.links.filter(({ a, b }) => a === move || b === move).map(({ a, b }) => (a === move ? b : a));
    const blocked = this.neighbours(move, this.pieces.get(move) ?? '.').filter(({ other, blocking }) => blocking && !made.includes(other));
    return [
      `${who} plays ${move}`,
      made.length > 0 ? `, linked to ${list(made)}` : '',
      '.',
      ...blocked.map(({ other, blocking }) => ` The link to ${other} is blocked by ${blocking?.a}-${blocking?.b}.`),
    ].join('');
  }
  content(id) {
    const piece = this.drawn.get(id) ?? '.';
    if (piece === '#') return 'no hole';
    if (piece === '.') return this.interactive && this.node.children.has(id) ? 'empty, legal' : this.#border(id) || 'empty';
    const linked = this.links.filter(({ a, b }) => a === id || b === id).map(({ a, b }) => (a === id ? b : a));
    const words = this.sides[piece === 'r' ? 0 : 1] + (linked.length > 0 ? ` linked to ${list(linked)}` : '');
    return this.interactive && this.node.children.has(id) ? `${words}, Enter swaps` : words;
  }
  #border(id) {
    const [[col, row], far] = [cellPlace(id), this.cols - 1];
    if (row === 0 || row === far) return `empty, ${this.sides[0]}'s border line`;
    return col === 0 || col === far ? `empty, ${this.sides[1]}'s border line` : '';
  }
  why(id) {
    const piece = this.pieces.get(id);
    if (id === 'swap') return 'Only the answer to the first peg can be a swap.';
    if (piece === '#') return `${id} is a corner, not a hole.`;
    if (piece !== '.') return `${id} is taken by a ${this.sides[piece === 'r' ? 0 : 1]} peg; choose an empty hole.`;
    return `${id} is on the border line of ${this.sides[this.first ? 1 : 0]}, where ${this.sides[this.first ? 0 : 1]} may not go.`;
  }
  changed() {
    this.swap.hidden = !this.state?.legal.includes('swap');
    this.swap.disabled = !this.interactive;
  }
  preview(id) {
    this.lines.querySelectorAll('.q-crossed').forEach((line) => line.classList.remove('q-crossed'));
    const cell = id ?? this.pending;
    if (cell === null || !this.interactive || !this.node.children.has(cell) || this.isTaken(cell)) return;
    const colour = this.first ? 'r' : 'b';
    for (const { other, blocking } of this.neighbours(cell, colour)) {
      const [[x1, y1], [x2, y2]] = [this.at(cell).at, this.at(other).at];
      const name = blocking ? 'q-link-blocked' : `q-link-new ${colour === 'r' ? 'q-red-line' : 'q-black-line'}`;
      this.layer.preview.append(svg('line', { x1, y1, x2, y2, class: name, 'stroke-width': 0.2 * this.cell }));
      if (blocking) this.drawnLinks.get(blocking.name)?.classList.add('q-crossed');
    }
    this.layer.preview.append(this.phantom(cell, colour));
    if (cell === this.pending) {
      const { at } = this.at(cell);
      this.layer.preview.append(
        ring(at, 0.45 * this.cell, 2),
        chip([at[0], at[1] - 0.85 * this.cell], 0.34 * this.cell, `${cell}: tap again`),
      );
    }
  }
  bestMove(move) {
    const target = this.targets.get(this.spot(move));
    if (!target) return null;
    return svg('g', { class: 'q-best' }, ring(target.at, target.r, 3), ring(target.at, 0.3 * target.r, 2));
  }
  ringRadius(r) {
    return 1.4 * r;
  }
  overlay(name) {
    if (name !== 'paths') return;
    for (const colour of ['r', 'b']) {
      const chain = cheapest(this.pieces, this.links, this.cols, colour, (link) => this.#stops(link, colour));
      if (!chain) continue;
      const needed = chain.filter((id) => this.pieces.get(id) === '.');
      const d = polyline(chain.map((id) => this.at(id).at));
      const side = colour === 'r' ? 0 : 1;
      this.layer.overlay.append(
        svg('path', { d, class: `q-way ${side === 0 ? 'q-red-line' : 'q-black-line'}`, 'stroke-width': 0.12 * this.cell }),
      );
      for (const id of needed) {
        const { at, r } = this.at(id);
        this.layer.overlay.append(
          side === 0 ? circle(at, 0.7 * r, { class: 'q-need q-red-line' }) : box(at, 1.3 * r, 1.3 * r, { class: 'q-need q-black-line' }),
        );
      }
      const [x, y] = this.at(needed[Math.floor(needed.length / 2)] ?? chain[0]).at;
      this.layer.overlay.append(
        chip(
          [Math.min(x + 1.2 * this.cell, this.cols * this.cell), y + 0.75 * this.cell],
          Math.max(12, 0.3 * this.cell),
          `${this.sides[side]}: ${needed.length} to go`,
        ),
      );
    }
  }
  rows() {
    const links = ['r', 'b'].map((colour, side) => {
      const own = this.links.filter(({ a }) => this.pieces.get(a) === colour).map(({ a, b }) => `${a}-${b}`);
      return `Links of ${this.sides[side]}: ${own.join(', ') || 'none'}.`;
    });
    return [...super.rows(), ...links];
  }
  holds(id, { touch }) {
    if (!touch || !this.node.children.has(id) || id === 'swap') return false;
    if (this.pending === id || (this.pending === null && this.fits)) {
      this.pending = null;
      return false;
    }
    const fresh = this.pending === null;
    this.pending = id;
    this.pointed = null;
    this.layer.preview.replaceChildren();
    this.preview(null);
    if (fresh) this.zoom(id);
    this.emit('announce', { text: `${id}: tap again to play.` });
    return true;
  }
  magnifies(id, { touch }) {
    if (touch && this.dragged) return true;
    if (!touch || this.fits || this.element.classList.contains('q-zoomed')) return false;
    this.zoom(id);
    this.emit('announce', { text: 'Magnified: tap holes to put pieces there, drag to see other parts of the board.' });
    return true;
  }
  edit(press) {
    super.edit(press);
    this.zoom(null);
  }
  get fits() {
    return (this.element.getScreenCTM()?.a ?? 1) * this.cell >= FINGER;
  }
  cancelHalf() {
    this.pending = null;
    this.zoom(null);
    super.cancelHalf();
  }
  zoom(id) {
    const width = this.cols * this.cell + 2 * MARGIN;
    const side = id === null ? width : Math.min(width, GLASS * this.cell);
    const [x, y] = id === null ? [width / 2, width / 2] : this.at(id).at;
    this.#look(x - side / 2, y - side / 2, side);
    this.element.classList.toggle('q-zoomed', id !== null);
    this.whole.hidden = id === null;
    if (id === null) {
      this.pending = null;
      this.layer.preview.replaceChildren();
    }
  }
  #look(x, y, side) {
    const width = this.cols * this.cell + 2 * MARGIN;
    const inside = (at) => Math.min(Math.max(at, 0), width - side);
    this.element.setAttribute('viewBox', `${inside(x)} ${inside(y)} ${side} ${side}`);
  }
  #pan() {
    let from = null;
    let down = [0, 0];
    this.element.addEventListener('pointerdown', ({ clientX, clientY }) => {
      from = down = [clientX, clientY];
      this.dragged = false;
    });
    for (const end of ['pointerup', 'pointercancel']) this.element.addEventListener(end, () => (from = null));
    this.element.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (from === null || !this.element.classList.contains('q-zoomed')) return;
      const [x, y, side] = (this.element.getAttribute('viewBox') ?? '').split(' ').map(Number);
      const scale = side / this.element.getBoundingClientRect().width;
      this.#look(x - (clientX - from[0]) * scale, y - (clientY - from[1]) * scale, side);
      this.dragged ||= Math.hypot(clientX - down[0], clientY - down[1]) > STEADY;
      from = [clientX, clientY];
    });
  }
}
Object.assign(given, { Twixt });
});
define('boards/pentago.js', (given) => {
const { num, svg } = need('boards/dom.js');
const { Grid } = need('boards/grid.js');
const { arrowHead, ball, box, circle, GREEN, outlined, polyline, ring, shadow, signed } = need('boards/look.js');
const { TIMES } = need('boards/motion.js');
const { capital, cellName, cellPlace } = need('boards/text.js');
const CELL = 64;
const PAD = 4;
const GAP = 6.4;
const TILE = 3 * CELL + 2 * PAD;
const MARGIN = 68;
const SIZE = 2 * TILE + GAP + 2 * MARGIN;
const MARBLE = 0.36 * CELL;
const ARC = TILE / 2 + 34;
const BEYOND = TILE / 2 + 53;
const QUADRANTS = ['top left', 'top right', 'bottom left', 'bottom right'];
const TURNS = { r: 'right', l: 'left', f: 'mirror' };
const EDGES = [
  [0, 0, -90, true],
  [1, 0, -90, false],
  [1, 0, 0, true],
  [1, 1, 0, false],
  [1, 1, 90, true],
  [0, 1, 90, false],
  [0, 1, 180, true],
  [0, 0, 180, false],
];
class Pentago extends Grid {
  constructor(spec, sides) {
    super(spec, sides);
    this.cols = 6;
    this.rowCount = 6;
    this.hatched = true;
    this.twist = this.spec.name === 'pentago-twist';
    this.quadrants = [];
    this.turns = [];
  }
  title() {
    return this.twist ? 'Pentago-Twist' : 'Pentago';
  }
  spotAt(x, y) {
    const place = (i) => MARGIN + Math.floor(i / 3) * (TILE + GAP) + PAD + ((i % 3) + 0.5) * CELL;
    return [place(x), place(y)];
  }
  middle(quadrant) {
    return this.centre((quadrant % 2) * 3 + 1, Math.floor(quadrant / 2) * 3 + 1);
  }
  layout() {
    this.frame(SIZE, SIZE);
    this.quadrants = QUADRANTS.map((_, i) => {
      const [tile, marbles] = [svg('g', { class: 'q-tile' }), svg('g', { class: 'q-marbles' })];
      const [x, y] = this.middle(i);
      for (const group of [tile, marbles]) group.style.transformOrigin = `${x}px ${y}px`;
      tile.append(box([x, y], TILE, TILE, { rx: 18, class: 'q-tile-face' }));
      this.layer.board.append(box([x, y + 3], TILE, TILE, { rx: 18, class: 'q-tile-side' }), tile);
      this.layer.pieces.append(marbles);
      return { tile, marbles };
    });
    for (const [, col, row] of this.places()) {
      const hollow = circle(this.centre(col, row), MARBLE + 2.5, { fill: `url(#${this.id}-hollow)`, class: 'q-hollow' });
      this.quadrants[quadrantOf(col, row)].tile.append(hollow);
    }
    const near = MARGIN - 12;
    this.addCoordinates([near, near, SIZE - near, SIZE - near], 14);
    this.addCells(
      MARBLE,
      (at) => box(at, CELL, CELL),
      (col, row) => this.quadrants[quadrantOf(col, row)].marbles,
    );
    this.#arrows();
  }
  #arrows() {
    const row = this.row('turns');
    row.classList.add('q-turns');
    this.turns = EDGES.map(([x, y, angle, inward]) => {
      const quadrant = this.options.flipped ? 3 - (x + 2 * y) : x + 2 * y;
      const upright = angle === 90 || angle === -90;
      const kind = this.twist ? (upright ? 'f' : 'r') : inward ? 'r' : 'l';
      const id = `q${quadrant + 1}${kind}`;
      const middle = this.middle(quadrant);
      this.target(row, { id, at: polar(middle, BEYOND, angle), r: 9.5, col: -1, row: -1 }, wedge(middle, angle, x, y), null);
      this.at(id).cell.append(kind === 'f' ? mirrorSign(polar(middle, ARC, angle), 34) : arcSign(middle, ARC, angle, 22, kind === 'r'));
      return id;
    });
  }
  paths(move) {
    const { cell, turn } = split(move);
    return [turn ? [cell, turn] : [cell]];
  }
  spot(move) {
    const { cell, turn } = split(move);
    return turn ? turned(cell, turn) : cell;
  }
  body(piece, r) {
    return svg('g', {}, shadow(this.id, [1, 3], 1.08 * r), ball(this.id, r, piece === 'x'));
  }
  after([cell]) {
    return cell === undefined ? this.pieces : new Map(this.pieces).set(cell, this.first ? 'x' : 'o');
  }
  reachable(target) {
    return (target.slot === null) === this.trail.length > 0;
  }
  neighbour(id, dx, dy) {
    const i = this.turns.indexOf(id);
    if (i < 0) return super.neighbour(id, dx, dy);
    const {
      at: [x, y],
    } = this.at(id);
    let [best, most] = [id, 1];
    for (const next of [this.turns[(i + 1) % 8], this.turns[(i + 7) % 8]]) {
      const { at } = this.at(next);
      const along = (at[0] - x) * dx + (at[1] - y) * dy;
      if (along > most) [best, most] = [next, along];
    }
    return best;
  }
  changed() {
    this.element.classList.toggle('q-turning', this.trail.length > 0);
  }
  mark() {
    const move = this.lastMove();
    if (move !== null) {
      this.layer.last.append(ring(this.at(this.spot(move)).at, MARBLE + 3, 3, 'q-ring q-last'));
      const { turn } = split(move);
      if (turn) this.layer.last.append(this.#lastTurn(turn));
    }
    for (const line of this.state?.wins ?? []) {
      const ends = [...line].sort((a, b) => order(a) - order(b));
      this.layer.over.append(outlined(polyline(ends.map((id) => this.at(id).at)), 8, GREEN, { class: 'q-outlined q-bar' }));
    }
  }
  #lastTurn(turn) {
    const sign = this.at(turn).cell.querySelector('.q-sign');
    return svg('g', { class: 'q-last-turn' }, ...(sign ? [sign.cloneNode(true)] : []));
  }
  animate(move, _before, trail) {
    const { turn } = split(move);
    const placed = trail.length > 0;
    if (!placed) this.grow(this.spot(move));
    if (!turn) return;
    const { tile, marbles } = this.quadrants[Number(turn[1]) - 1];
    const [from, back] =
      { r: ['rotate(-90deg)', 'rotate(90deg)'], l: ['rotate(90deg)', 'rotate(-90deg)'], f: ['scaleX(-1)', 'scaleX(-1)'] }[turn[2]] ?? [];
    const ms = turn[2] === 'f' ? TIMES.mirror : TIMES.turn;
    const how = { delay: placed ? 0 : TIMES.place };
    const frames = [{ transform: from }, { transform: 'none' }];
    this.layer.pieces.append(tile, marbles);
    this.motion.run(tile, frames, ms, { ...how, then: () => this.layer.board.append(tile) });
    this.motion.run(marbles, frames, ms, how);
    for (const body of [...tile.querySelectorAll('.q-hollow'), ...marbles.querySelectorAll('.q-piece > g')]) {
      this.motion.run(body, [{ transform: back }, { transform: 'none' }], ms, how);
    }
    this.motion.run(this.layer.last, [{ opacity: 0 }, { opacity: 0 }], ms, how);
    this.motion.run(this.layer.over, [{ opacity: 0 }, { opacity: 0 }], ms, how);
    this.motion.outline(tile);
  }
  tell(move, previous) {
    const { cell, turn } = split(move);
    const who = capital(this.sideName(previous.to_move));
    return turn ? `${who} plays ${cell}, ${turnWords(turn, 'ed')}.` : `${who} plays ${cell}, no turn.`;
  }
  content(id) {
    if (id.startsWith('q')) return turnWords(id, '');
    const piece = this.drawn.get(id) ?? '.';
    if (piece === '.') return this.interactive && this.trail.length === 0 ? 'empty, legal' : 'empty';
    return `${this.sides[piece === 'x' ? 0 : 1]}${this.trail[0] === id ? ', just placed' : ''}`;
  }
  name(id) {
    return id.startsWith('q') ? [turnWords(id, ''), this.overlays.words(id)].filter(Boolean).join(', ') : super.name(id);
  }
  why(id) {
    if (this.trail.length > 0) return `Now turn a quadrant with one of the arrows; Esc takes the marble on ${this.trail[0]} back.`;
    return `${id} is taken (${this.content(id)}); choose an empty cell.`;
  }
  prompt() {
    const what = this.twist ? 'turn a quadrant right or mirror it' : 'turn a quadrant';
    return `Marble on ${this.trail[0]}. Now ${what}: the arrow keys choose, Enter confirms, Escape takes the marble back.`;
  }
  preview(id) {
    this.element.querySelectorAll('.q-away').forEach((group) => group.classList.remove('q-away'));
    if (id === null || !this.interactive || !this.node.children.has(id)) return;
    if (!id.startsWith('q')) {
      this.layer.preview.append(this.phantom(id, this.first ? 'x' : 'o'));
      return;
    }
    const quadrant = Number(id[1]) - 1;
    this.quadrants[quadrant].marbles.classList.add('q-away');
    for (const [cell, piece] of this.drawn) {
      if (piece !== '.' && quadrantOf(...cellPlace(cell)) === quadrant) this.layer.preview.append(this.phantom(turned(cell, id), piece));
    }
  }
  steps() {
    return ['Place', this.twist ? 'Turn or mirror' : 'Turn'];
  }
  bestMove(move) {
    const { cell, turn } = split(move);
    const { at, r } = this.at(cell);
    const group = svg('g', { class: 'q-best' });
    if (this.trail.length === 0) group.append(ring(at, 0.8 * r, 4), ring(at, 0.25 * r, 3));
    const sign = turn && (this.trail.length === 0 || this.trail[0] === cell) ? this.at(turn).cell.querySelector('.q-sign') : null;
    if (sign) group.append(sign.cloneNode(true));
    return group;
  }
}
const quadrantOf = (col, row) => Math.floor(col / 3) + 2 * Math.floor(row / 3);
const order = (id) => cellPlace(id)[1] * 6 + cellPlace(id)[0];
const split = (move) => ({ cell: move.slice(0, 2), turn: move.slice(2) || null });
function turned(cell, turn) {
  const [col, row] = cellPlace(cell);
  if (quadrantOf(col, row) !== Number(turn[1]) - 1) return cell;
  const [x, y, left, top] = [col % 3, row % 3, col - (col % 3), row - (row % 3)];
  const [to, down] = turn[2] === 'r' ? [2 - y, x] : turn[2] === 'l' ? [y, 2 - x] : [2 - x, y];
  return cellName(left + to, top + down);
}
function turnWords(turn, past) {
  const where = `${QUADRANTS[Number(turn[1]) - 1]} quadrant`;
  return turn[2] === 'f' ? `${where} mirror${past || ''}` : `${where} turn${past} ${TURNS[turn[2]]}`;
}
function polar([x, y], r, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
}
function wedge([cx, cy], angle, x, y) {
  const [inner, outer] = [TILE / 2 + 2, TILE / 2 + MARGIN - 5];
  const corner = angle % 180 === 0 ? (y === 0 ? -1 : 1) : x === 0 ? -1 : 1;
  const points = [
    [corner * inner, inner],
    [-corner * (inner + GAP / 2), inner],
    [-corner * (inner + GAP / 2), outer],
    [corner * outer, outer],
  ];
  const sign = angle === -90 || angle === 180 ? -1 : 1;
  return svg('path', {
    d: `${polyline(points.map(([along, away]) => (angle % 180 === 0 ? [cx + sign * away, cy + along] : [cx + along, cy + sign * away])))}Z`,
  });
}
function arcSign(middle, r, angle, half, clockwise) {
  const sign = clockwise ? 1 : -1;
  const [from, to, tip] = [
    polar(middle, r, angle - sign * half),
    polar(middle, r, angle + sign * (half - 7)),
    polar(middle, r, angle + sign * half),
  ];
  const line = `M${num(from[0])} ${num(from[1])}A${num(r)} ${num(r)} 0 0 ${clockwise ? 1 : 0} ${num(to[0])} ${num(to[1])}`;
  const lean = ((angle + sign * half + sign * (90 - 6)) * Math.PI) / 180;
  return signed(line, arrowHead(tip, lean, 20), 6);
}
function mirrorSign([x, y], half) {
  const heads = arrowHead([x - half, y], Math.PI, 20) + arrowHead([x + half, y], 0, 20);
  return signed(
    polyline([
      [x - half + 12, y],
      [x + half - 12, y],
    ]),
    heads,
    6,
  );
}
Object.assign(given, { Pentago });
});
