const [known, made] = [new Map(), new Map()];
export const define = (name, make) => known.has(name) || known.set(name, make);
export function need(name) {
  if (!made.has(name)) {
    made.set(name, {});
    known.get(name)(made.get(name));
  }
  return made.get(name);
}
export async function load(name) {
  if (!known.has(name)) await import(CHUNKS[name]);
  return need(name);
}
const CHUNKS = {"game-page.js":"./game.js","mygames.js":"./mygames.js","about.js":"./about.js","puzzles.js":"./puzzles.js","lab/lab.js":"./lab-lab.js","prefs.js":"./prefs.js","help.js":"./game.js","local/offline.js":"./local-offline.js","local/transport.js":"./local-transport.js","record.js":"./record.js","analyse.js":"./analyse.js","review.js":"./review.js","learn.js":"./learn.js","puzzle.js":"./puzzle.js","naming.js":"./naming.js","boards/pathwayz.js":"./game.js","boards/pylos.js":"./game.js","boards/twixt.js":"./game.js","boards/pentago.js":"./game.js","slow.js":"./slow.js","lab/explain.js":"./lab-explain.js","lessons/index.js":"./lessons-index.js"};
define('refusal.js', (given) => {
class Refusal extends Error {
  constructor(message, status, body) {
    super(message);
    this.status = status;
    this.ply = body.ply;
    this.state = body.state;
    this.body = body;
  }
}
Object.assign(given, { Refusal });
});
define('site.js', (given) => {
const site = globalThis.document?.documentElement.dataset.site ?? null;
Object.assign(given, { site });
});
define('api.js', (given) => {
const { Refusal } = need('refusal.js');
const { site } = need('site.js');
async function fetched(path, init = {}, tries = 3) {
  let response;
  try {
    response = await (site === null ? fetch(path, init) : (await load('local/transport.js')).answer(path, init));
  } catch (why) {
    if (why instanceof Refusal) throw why;
    throw new Refusal(site === null ? 'The server does not answer. Is quintet still running? Nothing you did is lost; try again.'
      : `The engine in this browser does not answer (${ (why).message}). Load the page again; your games are kept.`, 0, {});
  }
  if (response.ok) return response;
  if ((response.status === 429 || response.status === 503) && tries > 1) {
    await new Promise((go) => setTimeout(go, 1000 * Number(response.headers.get('Retry-After') || 1)));
    return fetched(path, init, tries - 1);
  }
  const body = await response.json().catch(() => ({}));
  throw new Refusal(body.error || `The server answered with status ${response.status}.`, response.status, body);
}
const json = async (path, init) => (await fetched(path, init)).json();
const post = (path, body, signal) =>
  fetched(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal });
const known = new Map();
function once(path) {
  const before = known.get(path);
  if (before) return before;
  const asked = json(path);
  known.set(path, asked);
  asked.catch(() => known.delete(path));
  return asked;
}
const games = () => once('/api/games');
const agents = (game) => once(`/api/agents?game=${encodeURIComponent(game)}`);
const evaluations = (spec) => once(`/api/evaluations?game=${encodeURIComponent(spec)}`);
const levels = async (game) => ( (await once('/api/levels'))).filter((level) => level.game === game);
const puzzles = () => once('/api/puzzles');
const position = async (place) => (await post('/api/position', place)).json();
const trace = async (place, agent, depth) => (await post('/api/trace', { ...place, agent, limit: { depth } })).json();
async function exact(place, signal) {
  try {
    return await (await post('/api/exact', place, signal)).json();
  } catch (why) {
    if (why instanceof Refusal && why.status) return { known: false, why: why.message };
    throw why;
  }
}
const picture = async (place) => (await post('/api/picture', place)).text();
const written = async (asked) => (await (await post('/api/export', asked)).json()).text;
const explain = async (asked) => (await post('/api/explain', asked)).json();
const read = async (asked) => (await post('/api/import', asked)).json();
const makeRoom = async (wanted) => (await post('/api/rooms', wanted)).json();
const claimSeat = async (room, token, name) => (await post(`/api/rooms/${encodeURIComponent(room)}/claim`, { token, name })).json();
const myRooms = async (rooms) => (await post('/api/rooms/mine', { rooms })).json();
const deleteRoom = (room, token) =>
  fetched(`/api/rooms/${encodeURIComponent(room)}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
Object.assign(given, { json, post, games, agents, evaluations, levels, puzzles, position, trace, exact, picture, written, explain, read, makeRoom, claimSeat, myRooms, deleteRoom });
});
define('dom.js', (given) => {
const SVG = 'http://www.w3.org/2000/svg';
function dress(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') for (const [event, hear] of Object.entries(value)) node.addEventListener(event, hear);
    else if (name === 'value' && 'value' in node) node.value = value;
    else if (name === 'checked' || name === 'selected' || name === 'disabled' || name === 'hidden') {
       (node)[name] = value;
    } else node.setAttribute(name, value === true ? '' : String(value));
  }
}
function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  fill(node, children);
  dress(node, props);
  return node;
}
function svg(tag, props = {}, ...children) {
  const node =  (document.createElementNS(SVG, tag));
  dress(node, props);
  fill(node, children);
  return node;
}
function fill(node, children) {
  node.replaceChildren(... (children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)))));
}
function button(text, click, props = {}) {
  return el('button', { type: 'button', ...props, on: { click } }, text);
}
function select(choices, chosen, change, props = {}) {
  const box = el('select', props, ...choices.map(([value, text]) => el('option', { value }, text)));
  box.value = chosen;
  box.addEventListener('change', () => change(box.value));
  return box;
}
function grouped(box, groups) {
  const options = ( choices) => choices.map(([value, text]) => el('option', { value }, text));
  fill(box, groups.filter(([, choices]) => choices.length).flatMap(([name, choices]) => (name ? [el('optgroup', { label: name }, ...options(choices))] : options(choices))));
}
function field(name, input, more = '') {
  return el('label', { class: 'field' }, el('span', {}, name), input, more && el('small', {}, more));
}
function tick(name, checked, change) {
  const input = el('input', { type: 'checkbox', checked, on: { change: () => change(input.checked) } });
  return el('label', { class: 'tick' }, input, el('span', {}, name));
}
function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}
function download(name, blob) {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
Object.assign(given, { el, svg, fill, button, select, grouped, field, tick, byId, download });
});
define('icons.js', (given) => {
const { el, svg } = need('dom.js');
const PATHS = {
  hint: 'M9.5 18.5h5M10.5 21.5h3M12 2.5a6.5 6.5 0 0 0-3.7 11.8c.8.6 1.2 1.4 1.2 2.2h5c0-.8.4-1.6 1.2-2.2A6.5 6.5 0 0 0 12 2.5z',
  undo: 'M8.5 6 4 10.5 8.5 15M4 10.5h10.5a5 5 0 0 1 0 10H11',
  redo: 'M15.5 6 20 10.5 15.5 15M20 10.5H9.5a5 5 0 0 0 0 10H13',
  flip: 'M8 4v15.5M8 4 4.5 7.5M8 4l3.5 3.5M16 20V4.5M16 20l-3.5-3.5M16 20l3.5-3.5',
  resign: 'M6 21V4M6 4.5h11.5l-2.5 4 2.5 4H6',
  review: 'M4 4v16h16M8 15l3.5-4 3 2.5L20 7.5',
  theme: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 3.5v17M12 8.5l5-3.2M12 13l7.8-5M12 17.5l8-5.2',
  zen: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  keys: 'M3 7h18v10H3zM7 10.5h.01M10.5 10.5h.01M14 10.5h.01M17 10.5h.01M8 14h8',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  first: 'M6 5v14M18 5.5 9.5 12l8.5 6.5',
  back: 'M15 5.5 7 12l8 6.5',
  forward: 'M9 5.5 17 12l-8 6.5',
  last: 'M18 5v14M6 5.5l8.5 6.5L6 18.5',
  close: 'M6 6l12 12M18 6 6 18',
  play: 'M7.5 5v14L19 12z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  stop: 'M6.5 6.5h11v11h-11z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  pencil: 'M5 19l.8-3.8L16 5l3 3L8.8 18.2zM13.8 7.2l3 3',
  board: 'M4 4h16v16H4zM4 12h16M12 4v16',
  trophy: 'M8 4h8v5a4 4 0 0 1-8 0zM8 5.5H4.5v1A3.5 3.5 0 0 0 8 10M16 5.5h3.5v1A3.5 3.5 0 0 1 16 10M12 13v3.5M8 20a4 3.5 0 0 1 8 0z',
  report: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6',
  engine: 'M12 3v8.5M6.3 6.5a8 8 0 1 0 11.4 0',
};
const icon = (name) => svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));
const inviting = (name, words, ...ways) => el('div', { class: 'inviting' }, icon(name), el('p', {}, words), ways.length > 0 && el('div', { class: 'buttons' }, ...ways));
const iconButton = (name, label, click, props = {}) =>
  el('button', { type: 'button', 'aria-label': label, title: label, ...props, on: { click } }, icon(name));
Object.assign(given, { icon, inviting, iconButton });
});
define('link.js', (given) => {
const LONGEST_LINK = 4096;
function parse(hash) {
  const text = hash.replace(/^#/, '');
  if (!text) return { kind: 'start' };
  let parts;
  try {
    decodeURIComponent(text);
    parts = new URLSearchParams(text);
  } catch {
    return { kind: 'bad', why: 'This link is damaged: it contains a misplaced %. Copy it again from where you found it.' };
  }
  const page = parts.get('page') ?? (text === 'puzzles' ? text : null);
  if (page) return { kind: 'page', page, game: parts.get('of') ?? undefined };
  const puzzle = parts.get('puzzle');
  if (puzzle) return { kind: 'puzzle', puzzle };
  const room = parts.get('room');
  if (room) {
    if (!/^[a-z0-9]{1,32}$/.test(room)) return { kind: 'bad', why: 'This link does not name a game: a room consists of letters and digits.' };
    return { kind: 'room', room, token: parts.get('t') ?? undefined };
  }
  const game = parts.get('g');
  if (!game) return { kind: 'bad', why: 'This link does not name a game. A link to a game begins with #g=, then its name, such as #g=pylos.' };
  const ply = parts.get('p');
  if (ply !== null && !/^\d{1,4}$/.test(ply)) return { kind: 'bad', why: `p=${ply.slice(0, 20)}: a ply is a number of moves, such as p=3.` };
  const moves = (parts.get('m') ?? '').split(/[,_\s]+/).filter(Boolean);
  return { kind: 'game', game, from: parts.get('f'), moves, ply: ply === null ? null : Number(ply), tab: parts.get('tab') ?? undefined };
}
function write({ game, from, moves, ply }) {
  const plain = ( text) => encodeURIComponent(text).replace(/%(28|29|3D|2C|2F|5E|3A)/g, (code) => decodeURIComponent(code));
  const parts = [`g=${plain(game)}`];
  if (from) parts.push(`f=${plain(from)}`);
  if (moves.length) parts.push(`m=${plain(moves.join(','))}`);
  if (ply !== undefined && ply !== moves.length) parts.push(`p=${ply}`);
  return `#${parts.join('&')}`;
}
function ofPath(path, hash) {
  const room = /^\/room\/([^/]+)$/.exec(path)?.[1];
  return room === undefined ? null : `#room=${room}${hash.length > 1 ? `&${hash.slice(1)}` : ''}`;
}
const toRoom = (room, token) => `${location.origin}/room/${room}${token ? `#t=${token}` : ''}`;
const whole = (hash) => `${location.origin}${location.pathname}${hash}`;
Object.assign(given, { LONGEST_LINK, parse, write, ofPath, toRoom, whole });
});
define('say.js', (given) => {
const { byId, el } = need('dom.js');
const { iconButton } = need('icons.js');
let turn = 0;
const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;
function announce(text) {
  turn = 1 - turn;
  byId(turn ? 'polite' : 'polite-too').textContent = text;
  byId(turn ? 'polite-too' : 'polite').textContent = '';
}
function note(text) {
  announce(text);
  return slip(text, 'note', 4000);
}
function fail(why) {
  const text = why instanceof Error ? why.message : String(why);
  byId('assertive').textContent = '';
  byId('assertive').textContent = text;
  slip(text, 'fault', 9000);
}
function slip(text, kind, ms) {
  const slips = byId('slips');
  for (const old of slips.querySelectorAll(`.${kind}`)) old.remove();
  const shown = el('div', { class: `slip ${kind}` }, el('span', {}, text));
  shown.append(iconButton('close', 'Dismiss', () => shown.remove()));
  slips.append(shown);
  setTimeout(() => shown.remove(), ms);
  return shown;
}
async function attempt(work) {
  try {
    return await work();
  } catch (why) {
    fail(why);
    return undefined;
  }
}
Object.assign(given, { count, announce, note, fail, attempt });
});
define('settings.js', (given) => {
const KEY = 'quintet.settings';
const DEFAULTS = {
  theme: 'system',
  contrast: false,
  boards: 'walnut',
  motion: 1,
  coordinates: true,
  guides: false,
  sounds: false,
  letters: true,
  name: '',
  greeted: false,
  engine: '',
  thought: 3000,
  heat: 'off',
  arrow: false,
  ghosts: false,
  live: true,
  steps: 3,
  speed: 600,
  review: 400,
  reviewer: '',
  watchAgents: false,
  watchEngines: true,
};
class Settings extends EventTarget {
  constructor() {
    super();
    this.values = { ...DEFAULTS, ...read(KEY, {}) };
  }
  get(key) {
    return this.values[key];
  }
  set(key, value) {
    if (this.values[key] === value) return;
    this.values[key] = value;
    write(KEY, this.values);
    this.dispatchEvent(new CustomEvent('change', { detail: { key, value } }));
  }
}
function read(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
const settings = new Settings();
function dressPage() {
  const root = document.documentElement;
  root.dataset.theme = settings.get('theme');
  root.classList.toggle('contrast', settings.get('contrast'));
  root.classList.toggle('still', settings.get('motion') === 0);
}
settings.addEventListener('change', dressPage);
Object.assign(given, { read, write, settings, dressPage });
});
define('socket.js', (given) => {
const { site } = need('site.js');
const LONGEST_FRAME = 8000;
class Socket extends EventTarget {
  constructor() {
    super();
    this.socket = null;
    this.opening = false;
    this.waits = new Map();
    this.next = 1;
    this.tries = 0;
    this.up = false;
    this.timer = undefined;
  }
  async open() {
    clearTimeout(this.timer);
    if (this.opening || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    this.opening = true;
    const socket = site === null ? new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`) : new (await load('local/transport.js')).LocalSocket();
    this.opening = false;
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.tries = 0;
      this.up = true;
      for (const wait of this.waits.values()) socket.send(JSON.stringify(wait.frame));
      this.dispatchEvent(new Event('up'));
    });
    socket.addEventListener('message', (event) => this.hear(JSON.parse( (event).data)));
    socket.addEventListener('close', () => this.lost());
  }
  lost() {
    const was = this.up;
    this.up = false;
    this.tries += 1;
    for (const [id, wait] of this.waits) {
      if (wait.again) continue;
      this.waits.delete(id);
      wait.broken(new Error('The connection was lost while the engine was thinking.'));
    }
    const wait = Math.min(8000, 250 * 2 ** Math.min(this.tries, 5));
    this.timer = setTimeout(() => this.open(), wait);
    if (was || this.tries === 2) this.dispatchEvent(new CustomEvent('down', { detail: { wait } }));
  }
  hear(answer) {
    const wait = this.waits.get(answer.id);
    if (!wait) return;
    if (answer.error && !answer.room) {
      this.waits.delete(answer.id);
      const error =  (new Error(answer.error));
      error.busy = answer.code === 'busy';
      wait.broken(error);
    } else if (wait.hear(answer)) this.waits.delete(answer.id);
  }
  send(request, again, hear, broken) {
    const id = this.next++;
    const wait = { frame: { id, ...request }, hear, broken, again };
    this.waits.set(id, wait);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(wait.frame));
    else this.open();
    return id;
  }
  ask(request) {
    return new Promise((good, bad) => {
      this.send(request, true, (answer) => (good(answer), true), bad);
    });
  }
  watch(room, token, hear, broken, think) {
    const tell = ( answer) => (answer.thinking ? think(answer.thinking) : answer.room && hear(answer.room));
    const id = this.send({ do: 'watch', room, token }, true, (answer) => (tell(answer), false), broken);
    return () => this.drop(id);
  }
  drop(id) {
    if (!this.waits.delete(id)) return;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ id: this.next++, do: 'stop', what: id }));
  }
  analyse(place, how) {
    let request = { do: 'analyse', ...place, agent: how.agent, proofs: how.proofs, limit: how.limit ?? {}, seed: how.seed };
    if (how.short && JSON.stringify(request).length > LONGEST_FRAME) request = { ...request, position: how.short, moves: [] };
    return this.work(request, (answer) => (answer.report ? how.report?.(answer.report) : answer.queued !== undefined && how.queued?.(answer.queued)));
  }
  review(place, how) {
    const request = { do: 'review', ...place, agent: how.agent, proofs: true, limit: how.limit ?? {} };
    if (JSON.stringify(request).length > LONGEST_FRAME) throw new Error('The game is too long to review as a whole; open it from a later position.');
    return this.work(request, (answer) => (answer.ply ? how.ply(answer.ply) : answer.queued !== undefined && how.queued?.(answer.queued)));
  }
  work(request, news) {
    let id = 0;
    const done = new Promise((good, bad) => {
      id = this.send(request, false, (answer) => {
        if (answer.done) return good(answer.done), true;
        news(answer);
        return false;
      }, bad);
    });
    const stop = () => {
      if (this.waits.has(id) && this.socket?.readyState === WebSocket.OPEN) {
        this.socket.send(JSON.stringify({ id: this.next++, do: 'stop', what: id }));
      }
    };
    done.catch(() => {});
    return { done, stop, leave: () => this.drop(id) };
  }
}
const socket = new Socket();
Object.assign(given, { Socket, socket });
});
define('main.js', (given) => {
const api = need('api.js');
const { button, byId, el, fill } = need('dom.js');
const { icon, iconButton } = need('icons.js');
const link = need('link.js');
const { attempt, fail, note } = need('say.js');
const { dressPage } = need('settings.js');
const { site } = need('site.js');
const { socket } = need('socket.js');
const LAB = ['lab', 'tournaments', ...(site === null ? ['training'] : []), 'reports'];
class Page {
  constructor(games) {
    this.games = games;
    this.loading = null;
    this.gamePage = null;
    this.written = '';
    addEventListener('hashchange', () => location.hash !== this.written && this.go());
  }
  loadGamePage() {
    this.loading ??= load('game-page.js').then(({ GamePage }) => (this.gamePage = new GamePage(this)));
    return this.loading;
  }
  async openSession(session) {
    await (await this.loadGamePage()).gameView.open(session);
  }
  show(what) {
    byId('game').hidden = what !== 'game';
    byId('page').hidden = what !== 'page';
    if (what === 'page') document.body.classList.remove('zen');
  }
  async go() {
    const address = link.parse(location.hash);
    this.written = location.hash;
    const at = address.kind === 'page' ? address.page : address.kind === 'puzzle' ? 'puzzles' : address.kind;
    const here = LAB.includes(at) ? 'lab' : address.kind === 'game' && address.tab === 'learn' ? 'learn' : at === 'game' || at === 'room' ? 'start' : at;
    for (const one of  (document.querySelectorAll('nav a'))) {
      if (one.dataset.page === here) one.setAttribute('aria-current', 'page');
      else one.removeAttribute('aria-current');
    }
    menu(false);
    await attempt(() => this.open(address));
  }
  async open(address) {
    switch (address.kind) {
      case 'game':
        return (await this.loadGamePage()).openGame(address);
      case 'room':
        return (await this.loadGamePage()).openRoom(address.room, address.token);
      case 'puzzle':
        return (await this.loadGamePage()).openPuzzle(address.puzzle);
      case 'bad':
        await this.startPage();
        return fail(address.why);
      case 'page': {
        this.leaveGame();
        const page = byId('page');
        document.title = `${address.page} – quintet`;
        if (address.page === 'games') return (await load('mygames.js')).showGames(page, this.games, (session) => this.openSession(session));
        if (address.page === 'about') return (await load('about.js')).showAbout(page);
        if (address.page === 'learn') return (await load('about.js')).showLessons(page, this.games);
        if (address.page === 'puzzles') return (await load('puzzles.js')).showPuzzles(page, this.games);
        if (LAB.includes(address.page)) return (await load('lab/lab.js')).showLab(page, address, this.games, (session) => this.openSession(session));
        await this.startPage();
        return fail(`There is no page called “${address.page.slice(0, 40)}”${site === null ? '' : ' without a server'}.`);
      }
      default:
        return this.startPage();
    }
  }
  async startPage() {
    this.leaveGame();
    document.title = 'quintet';
    const { showStart } = await load('start.js');
    showStart(byId('page'), this.games, (session) => this.openSession(session));
  }
  leaveGame() {
    this.gamePage?.leave();
    this.show('page');
    scrollTo(0, 0);
  }
}
function watchConnection() {
  const banner = byId('banner');
  let lost = false;
  socket.addEventListener('down', () => {
    lost = true;
    fill(banner, ['The connection to the server is lost. Trying again; nothing is lost. ', button('Try now', () => socket.open())]);
    banner.hidden = false;
  });
  socket.addEventListener('up', () => {
    banner.hidden = true;
    if (lost) note('The connection is back.');
    lost = false;
  });
  socket.open();
}
const turnTheme = async () => note(`Theme: ${(await load('prefs.js')).turnTheme()}.`);
const showPrefs = async () => (await load('prefs.js')).showPrefs();
const showKeys = async () => (await load('help.js')).showKeys();
const toggleZen = async () => (await load('help.js')).toggleZen();
function menu(open) {
  byId('menu').setAttribute('aria-expanded', String(open));
  byId('pages').classList.toggle('open', open);
}
function tools() {
  fill(byId('tools'), [iconButton('theme', 'Theme: system, light, dark', () => attempt(turnTheme)), iconButton('zen', 'Zen: board only', () => attempt(toggleZen)),
    iconButton('keys', 'Keys', () => attempt(showKeys)), iconButton('settings', 'Settings', () => attempt(showPrefs))]);
  const button = byId('menu');
  fill(button, [icon('menu')]);
  button.addEventListener('click', () => menu(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '?' || typing || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    attempt(showKeys);
  });
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    const grid = '#game:not([hidden]) [role=grid]';
    const board =  (document.querySelector(`${grid} [tabindex="0"]`) ?? document.querySelector(grid));
    (board ?? byId('main')).focus();
  });
}
async function begin() {
  const hash = link.ofPath(location.pathname, location.hash);
  if (hash) history.replaceState(null, '', `/${hash}`);
  dressPage();
  tools();
  if (/^#(g|room|puzzle)=/.test(location.hash)) load('game-page.js').catch(() => {});
  try {
    const page = new Page(await api.games());
    watchConnection();
    await page.go();
    if (site !== null) attempt(async () => (await load('local/offline.js')).workOffline());
  } catch (why) {
    fill(byId('page'), [el('h1', {}, 'quintet'), el('p', {}, why instanceof Error ? why.message : String(why)), button('Try again', () => location.reload(), { class: 'main' })]);
    byId('page').hidden = false;
    fail(why);
  }
}
begin();
Object.assign(given, {  });
});
define('spec.js', (given) => {
function parse(text) {
  const found = /^([^(]*)(?:\((.*)\))?$/.exec(text.trim());
  const options =  ({});
  for (const pair of (found?.[2] ?? '').split(',')) {
    const at = pair.indexOf('=');
    if (at > 0) options[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return { name: (found?.[1] ?? text).toLowerCase(), options };
}
function write(name, options) {
  const pairs = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return pairs.length ? `${name}(${pairs.join(',')})` : name;
}
function infoOf(games, spec) {
  const { name } = parse(spec);
  return games.find((info) => info.game === name);
}
const other = (side) =>  (side === 'first' ? 'second' : 'first');
const indexOf = (side) => (side === 'first' ? 0 : 1);
function titleOf(games, spec) {
  const { options } = parse(spec);
  const more = Object.entries(options).map(([key, value]) => `${key} ${value}`);
  return [infoOf(games, spec)?.title ?? spec, ...more].join(', ');
}
const shortAgent = (agent) => agent.replace(/^[a-z-]+:/, '').replace(/mode=printed,?|\(\)/g, '').replace(/\(\)$/, '');
Object.assign(given, { parse, write, infoOf, other, indexOf, titleOf, shortAgent });
});
define('levels.js', (given) => {
const { parse, shortAgent } = need('spec.js');
const DEFAULT_LEVEL = 3;
const playerName = (agent) => (agent.startsWith('level:') ? `Level ${agent.slice(6)}` : shortAgent(agent));
const rating = (strength) => strength.replace(/\s*(\+-|±)\s*/, ' ±');
const strengthOf = ({ level, strength }) => (strength ? `Level ${level}: ${rating(strength)} Elo, within this game.` : '');
const nameOf = ({ level, strength }) => `Level ${level}, ${strength ? rating(strength) : 'not yet measured'}`;
const WILD = 2;
function mannerOf({ spec }) {
  const { options } = parse(spec);
  const [slips, visits] = [Number(options.slips ?? 0), Number(options.visits ?? 0)];
  if (!slips && !visits) return '';
  const sees = options['sees-wins'] === 'yes' ? 'never misses a win in one' : 'may miss a win in one';
  if (!slips) return `Weighs up to ${visits} positions before each move, and ${sees}.`;
  const share = slips < 1 ? `${Math.round(100 * slips)} % of its moves` : 'every move';
  return `Plays ${share} on a ${Number(options['slip-temperature'] ?? 1) >= WILD ? 'wild ' : ''}hunch, ${options['sees-wins'] === 'yes' ? 'but' : 'and'} ${sees}.`;
}
Object.assign(given, { DEFAULT_LEVEL, playerName, rating, strengthOf, nameOf, mannerOf });
});
define('library.js', (given) => {
const { read, write } = need('settings.js');
const KEY = 'quintet.games';
const MOST = 200;
const keptGames = () => read(KEY, []);
function keepGame(session) {
  if (session.room) {
    write(`quintet.notes.${session.room}`, session.notes);
    return;
  }
  if (!session.id || !session.touched) return;
  const kept = {
    id: session.id,
    game: session.game,
    from: session.from,
    moves: session.line,
    seats: session.seats,
    notes: session.notes,
    at: Date.now(),
    outcome: session.last?.outcome ?? null,
  };
  const games = [kept, ...keptGames().filter((game) => game.id !== session.id)].slice(0, MOST);
  while (games.length && !write(KEY, games)) games.pop();
}
function dropGame(id) {
  write(KEY, keptGames().filter((game) => game.id !== id));
}
const roomNotes = (room) =>  (read(`quintet.notes.${room}`, {}));
const freshId = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
Object.assign(given, { keptGames, keepGame, dropGame, roomNotes, freshId });
});
define('session.js', (given) => {
const api = need('api.js');
const { other } = need('spec.js');
const PEOPLE = [{ who: 'person' }, { who: 'person' }];
class Session extends EventTarget {
  constructor({ game, from = null, moves = [], seats = PEOPLE, notes = {}, id = '', seed = 1 }) {
    super();
    this.game = game;
    this.from = from;
    this.line = [...moves];
    this.branch = null;
    this.ply = 0;
    this.wanted = 0;
    this.state = null;
    this.seats = seats;
    this.notes = { ...notes };
    this.id = id;
    this.seed = seed;
    this.ms = [];
    this.since = Date.now();
    this.thinking = false;
    this.redos = [];
    this.touched = false;
    this.states = new Map();
    this.asked = 0;
  }
  get room() {
    return '';
  }
  get shown() {
    return this.branch ? [...this.line.slice(0, this.branch.at), ...this.branch.moves] : this.line;
  }
  get atEnd() {
    return this.ply === this.shown.length;
  }
  get live() {
    return !this.branch && this.ply === this.line.length;
  }
  get mine() {
    return  (['first', 'second']).filter((_, seat) => this.seats[seat].who === 'person');
  }
  get interactive() {
    if (!this.state || this.state.outcome) return false;
    return !this.live || this.mine.includes(this.state.to_move);
  }
  get canUndo() {
    return this.atEnd ? this.shown.length > 0 : this.ply > 0;
  }
  get canRedo() {
    return !this.atEnd || this.redos.length > 0;
  }
  get advised() {
    return true;
  }
  get place() {
    return { game: this.game, position: this.from, moves: this.shown.slice(0, this.ply) };
  }
  key(moves) {
    return moves.join(' ');
  }
  async stateOf(moves) {
    const key = this.key(moves);
    const before = this.states.get(key);
    if (before) return before;
    const state = await api.position({ game: this.game, position: this.from, moves });
    this.states.set(key, state);
    return state;
  }
  async begin(ply) {
    const last = await this.stateOf(this.line);
    this.game = last.game;
    this.line = [...last.moves];
    this.states.set(this.key(this.line), last);
    await this.goto(ply ?? this.line.length, false);
  }
  async goto(ply, animate = true) {
    const moves = this.shown;
    const wanted = Math.max(0, Math.min(ply, moves.length));
    const asked = ++this.asked;
    this.wanted = wanted;
    let state;
    try {
      state = await this.stateOf(moves.slice(0, wanted));
    } catch (why) {
      if (asked === this.asked) this.wanted = this.ply;
      throw why;
    }
    if (asked !== this.asked) return;
    const previous = this.state;
    const step = Math.abs(wanted - this.ply) === 1;
    this.ply = wanted;
    this.state = state;
    this.changed(previous, animate && step);
  }
  changed(previous, animate) {
    this.dispatchEvent(new CustomEvent('change', { detail: { previous, animate } }));
  }
  async move(move) {
    const moves = this.shown;
    if (moves[this.ply] === move) return this.goto(this.ply + 1);
    const after = [...moves.slice(0, this.ply), move];
    await this.stateOf(after);
    this.redos = [];
    if (this.branch && this.ply >= this.branch.at) this.branch.moves = after.slice(this.branch.at);
    else if (this.ply === this.line.length) this.append(move);
    else this.branch = { at: this.ply, moves: [move] };
    return this.goto(this.ply + 1);
  }
  append(move) {
    this.touched = true;
    this.ms[this.line.length] = Date.now() - this.since;
    this.since = Date.now();
    this.line = [...this.line, move];
  }
  async undo() {
    if (!this.atEnd) return this.goto(this.ply - 1);
    const move = this.shown.at(-1);
    if (move === undefined) throw new Error('There is no move to take back.');
    this.redos.push(move);
    if (this.branch) {
      this.branch.moves = this.branch.moves.slice(0, -1);
      if (!this.branch.moves.length) this.branch = null;
    } else {
      this.line = this.line.slice(0, -1);
      this.ms.length = Math.min(this.ms.length, this.line.length);
      this.since = Date.now();
    }
    return this.goto(this.ply - 1);
  }
  async redo() {
    if (!this.atEnd) return this.goto(this.ply + 1);
    const move = this.redos.pop();
    if (move === undefined) throw new Error('There is nothing to redo.');
    const left = this.redos;
    await this.move(move);
    this.redos = left;
  }
  async leaveBranch(ply) {
    const at = this.branch?.at ?? this.ply;
    this.branch = null;
    await this.goto(ply ?? at, false);
  }
  async keepBranch() {
    if (!this.branch) return;
    this.touched = true;
    this.line = [...this.shown];
    this.branch = null;
    this.ms.length = Math.min(this.ms.length, this.ply);
    await this.goto(this.ply, false);
  }
  used() {
    const sums = [0, 0];
    const first = this.firstToMove();
    for (let ply = 0; ply < this.line.length; ply++) {
      sums[ply % 2 === 0 ? indexOf(first) : indexOf(other(first))] += this.ms[ply] ?? 0;
    }
    const last = this.states.get(this.key(this.line));
    if (last && !last.outcome && this.ms.length && this.ticks(last.to_move)) sums[indexOf(last.to_move)] += Math.max(0, Date.now() - this.since);
    return sums;
  }
  left() {
    return null;
  }
  ticks(side) {
    return this.thinking || this.mine.includes(side);
  }
  firstToMove() {
    const known = this.states.get(this.key(this.line)) ?? this.state;
    if (!known) return 'first';
    return known.plies % 2 === 0 ? known.to_move : other(known.to_move);
  }
  get last() {
    return this.states.get(this.key(this.line)) ?? null;
  }
  close() {}
}
const indexOf = (side) => (side === 'first' ? 0 : 1);
Object.assign(given, { Session });
});
define('room.js', (given) => {
const api = need('api.js');
const { Session } = need('session.js');
const { note } = need('say.js');
const { read, settings, write } = need('settings.js');
const { socket } = need('socket.js');
const KEY = 'quintet.rooms';
const keptRooms = () => read(KEY, {});
function keepRoom(room, keys) {
  const all = keptRooms();
  if (keys) all[room] = keys;
  else delete all[room];
  write(KEY, all);
}
async function makeRoom(wanted, byLink = null) {
  const { room, tokens, owner, notice } = await api.makeRoom(wanted);
  if (notice) note(notice);
  const keys = { mine: {}, owner, made: Date.now() };
  for (const [seat, side] of  ([[0, 'first'], [1, 'second']])) {
    const token = tokens[seat];
    if (!token) continue;
    if (side === byLink) keys.invite = { side, token };
    else keys.mine[side] = token;
  }
  keepRoom(room, keys);
  return room;
}
const anyToken = (keys) => keys.owner ?? Object.values(keys.mine)[0];
class RoomSession extends Session {
  constructor(room) {
    super({ game: '' });
    this.name = room;
    this.keys = keptRooms()[room] ?? { mine: {}, made: 0 };
    this.leave = () => {};
    this.waiting = null;
    this.fault = null;
    this.sending = false;
    this.undone = 0;
    this.undoAsked = null;
    this.rematchAsked = null;
    this.rematch = null;
    this.opened = null;
    this.clock = null;
    this.heard = 0;
    this.thought = null;
  }
  get room() {
    return this.name;
  }
  get mine() {
    return  (['first', 'second']).filter((side, seat) => this.keys.mine[side] && this.seats[seat]?.who === 'person');
  }
  ticks() {
    return true;
  }
  left() {
    if (!this.clock) return null;
    const { left_ms, running } = this.clock;
    const gone = Date.now() - this.heard;
    return [running === 'first' ? Math.max(0, left_ms[0] - gone) : left_ms[0], running === 'second' ? Math.max(0, left_ms[1] - gone) : left_ms[1]];
  }
  get interactive() {
    if (!this.state || this.state.outcome || this.sending) return false;
    return !this.live || this.mine.includes(this.state.to_move) || !this.mine.length;
  }
  get canUndo() {
    if (this.branch || !this.live) return super.canUndo;
    if (this.clock && this.seats.some((seat) => seat.who === 'agent')) return false;
    if (this.last?.outcome || !this.mine.length || (this.between && this.undoAsked === this.mine[0])) return false;
    return this.line.length > (this.mine.length === 1 && this.mine[0] !== this.firstToMove() ? 1 : 0);
  }
  get canRedo() {
    if (this.branch || !this.live) return super.canRedo;
    return this.undone > 0 && this.mine.length > 0 && !this.between;
  }
  get between() {
    return this.seats.every((seat) => seat.who === 'person') && this.mine.length < 2;
  }
  get advised() {
    return !this.between || !!this.last?.outcome;
  }
  async accept(invitation) {
    if (Object.values(this.keys.mine).includes(invitation)) return;
    const { token, seat } = await api.claimSeat(this.name, invitation, settings.get('name'));
    this.keys = { ...this.keys, mine: { ...this.keys.mine, [seat]: token }, made: this.keys.made || Date.now() };
    keepRoom(this.name, this.keys);
  }
  join(invitation) {
    return  (new Promise((good, bad) => {
      this.leave = socket.watch(this.name, invitation ?? Object.values(this.keys.mine)[0], (room) => this.hear(room).then(() => this.state && good(), bad), bad, (thought) => this.think(thought));
    }));
  }
  think(thought) {
    this.thought = thought;
    this.dispatchEvent(new Event('think'));
  }
  async hear(room) {
    if (room.waiting) {
      this.waiting = room.waiting;
      this.changed(this.state, false);
      return;
    }
    const follow = this.live;
    const before = this.line.length;
    const previous = this.state;
    const begins = this.heard > 0 && this.rematch === null;
    this.waiting = null;
    this.fault = room.fault;
    this.game = room.game;
    this.from = room.from;
    this.seats = room.seats;
    this.ms = room.ms;
    this.undone = room.undone;
    this.undoAsked = room.undo_asked;
    this.rematchAsked = room.rematch_asked;
    this.rematch = room.rematch;
    this.opened = room.seat ?? this.opened;
    this.clock = room.clock;
    this.heard = Date.now();
    this.greet(room);
    if (room.moves.join() !== this.line.join()) this.since = Date.now();
    this.line = [...room.moves];
    this.states.set(this.key(this.line), room);
    if (this.branch && this.branch.at > this.line.length) this.branch = null;
    if (!this.branch && (follow || this.ply > this.line.length)) {
      this.asked++;
      this.ply = this.wanted = this.line.length;
      this.state = room;
      this.changed(previous, Math.abs(this.line.length - before) === 1);
    } else this.changed(this.state, false);
    if (room.rematch) this.playAgain(room.rematch, begins);
  }
  greet(room) {
    const { invite } = this.keys;
    if (!invite || !room.claimed) return;
    const seat = room.seats[invite.side === 'first' ? 0 : 1];
    this.keys = { ...this.keys, invite: undefined };
    keepRoom(this.name, this.keys);
    note(`${(seat.who === 'person' && seat.name) || 'Your guest'} has arrived.`);
  }
  playAgain(next, begins) {
    const { mine: { first, second }, owner } = this.keys;
    if (!anyToken(this.keys)) return;
    if (!keptRooms()[next]) keepRoom(next, { mine: { ...(second && { first: second }), ...(first && { second: first }) }, owner, made: Date.now() });
    if (begins && location.hash === `#room=${this.name}`) location.hash = `#room=${next}`;
  }
  async askRematch() {
    await socket.ask({ do: 'rematch', room: this.name, token: this.token(this.mine[0]) });
  }
  async rename(name) {
    await socket.ask({ do: 'name', room: this.name, token: this.token(this.mine[0]), name });
  }
  async decline() {
    await socket.ask({ do: 'decline', room: this.name, token: this.token(this.mine[0]) });
  }
  token(side) {
    const token = this.keys.mine[side];
    if (!token) throw new Error('You have no seat in this game: you can watch it and try out moves on earlier positions.');
    return token;
  }
  async move(move) {
    if (!this.state) return;
    if (!this.live) return super.move(move);
    if (!this.mine.length) {
      await this.stateOf([...this.line, move]);
      this.branch = { at: this.line.length, moves: [move] };
      return this.goto(this.ply + 1);
    }
    const token = this.token(this.state.to_move);
    this.sending = true;
    try {
      await socket.ask({ do: 'move', room: this.name, token, ply: this.line.length, move });
    } finally {
      this.sending = false;
    }
  }
  async undo() {
    if (this.branch || !this.live) return super.undo();
    const [side, ...more] = this.mine;
    if (!side) throw new Error('You have no seat in this game.');
    if (!this.line.length) throw new Error('There is no move to take back.');
    const asking = more.length && this.state ? (this.state.to_move === 'first' ? 'second' : 'first') : side;
    const held = asking === 'first' ? this.keys.mine.second : this.keys.mine.first;
    await socket.ask({ do: 'undo', room: this.name, token: this.token(asking), other: held });
  }
  async redo() {
    if (this.branch || !this.live) return super.redo();
    const [side, other] = this.mine;
    if (!side) throw new Error('You have no seat in this game.');
    const asking = other && this.state ? this.state.to_move : side;
    const held = asking === 'first' ? this.keys.mine.second : this.keys.mine.first;
    await socket.ask({ do: 'redo', room: this.name, token: this.token(asking), other: held });
  }
  async hurry() {
    const token = anyToken(this.keys);
    if (!token) throw new Error('You have no seat in this game; its agent moves when it is ready.');
    await socket.ask({ do: 'hurry', room: this.name, token });
  }
  async retry() {
    await socket.ask({ do: 'retry', room: this.name, token: anyToken(this.keys) });
  }
  async replace(seat) {
    const side = this.last?.to_move;
    if (!side) return;
    const { token } = await socket.ask({ do: 'replace', room: this.name, token: anyToken(this.keys), seat: side, with: seat });
    if (!token) return;
    this.keys = { ...this.keys, mine: { ...this.keys.mine, [side]: token } };
    keepRoom(this.name, this.keys);
    this.changed(this.state, false);
  }
  async resign() {
    const side = this.state && this.mine.includes(this.state.to_move) ? this.state.to_move : this.mine[0];
    if (!side) throw new Error('You have no seat in this game.');
    await socket.ask({ do: 'resign', room: this.name, token: this.token(side) });
  }
  close() {
    this.leave();
  }
}
Object.assign(given, { keptRooms, keepRoom, makeRoom, anyToken, RoomSession });
});
define('boards/text.js', (given) => {
function readSpec(text) {
  const [, name = '', inside = ''] = /^([^(]*)(?:\((.*)\))?$/.exec(text.trim().toLowerCase()) ?? [];
  const pairs = inside
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.split('='));
  return { name, options: new Map(pairs.map(([key, value = '']) => [key, value])) };
}
const columnName = (column) => String.fromCharCode(97 + column);
const cellName = (column, row) => `${columnName(column)}${row + 1}`;
const cellPlace = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
function list(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
function readRows(board) {
  const rows = board.split('/');
  const cells = new Map();
  rows.forEach((row, y) => [...row].forEach((piece, x) => cells.set(cellName(x, y), piece)));
  return { cells, cols: rows[0].length, rows: rows.length };
}
function tree(moves, paths) {
  const node = () => ({ children: new Map(), move: null });
  const root = node();
  for (const move of moves) {
    for (const path of paths(move)) {
      let at = root;
      for (const target of path) {
        let next = at.children.get(target);
        if (!next) at.children.set(target, (next = node()));
        at = next;
      }
      at.move = move;
    }
  }
  const settle = (at) => {
    at.children.forEach(settle);
    if (at.move !== null && at.children.size > 0) {
      at.children.set('enough', { children: new Map(), move: at.move });
      at.move = null;
    }
  };
  settle(root);
  return root;
}
function follows(state, previous) {
  const { moves } = previous;
  return (
    state.game === previous.game &&
    state.from === previous.from &&
    state.moves.length === moves.length + 1 &&
    moves.every((move, i) => move === state.moves[i])
  );
}
const ENDED = 1e5;
function scoreText(value) {
  if (Math.abs(value) >= ENDED) return value > 0 ? 'won' : 'lost';
  return `${value > 0 ? '+' : ''}${Number(value.toPrecision(3))}`.replace('-', '−');
}
Object.assign(given, { readSpec, columnName, cellName, cellPlace, list, capital, readRows, tree, follows, scoreText });
});
define('clock.js', (given) => {
const LOW = 10_000;
function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
const countdown = (ms) => (ms < LOW ? `0:0${(Math.min(99, Math.ceil(ms / 100)) / 10).toFixed(1)}` : clock(Math.ceil(ms / 1000) * 1000));
function clockName({ main_ms, increment_ms }) {
  const [count, unit] = main_ms < 60_000 ? [main_ms / 1000, 'second'] : [Number((main_ms / 60_000).toFixed(1)), 'minute'];
  const main = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return increment_ms ? `${main}, ${increment_ms / 1000} s more per move` : main;
}
Object.assign(given, { LOW, clock, countdown, clockName });
});
define('setup.js', (given) => {
const api = need('api.js');
const { capital } = need('boards/text.js');
const { clockName } = need('clock.js');
const { button, el, field, fill, grouped, select } = need('dom.js');
const { DEFAULT_LEVEL, mannerOf, nameOf, playerName } = need('levels.js');
const { freshId } = need('library.js');
const { makeRoom } = need('room.js');
const { attempt } = need('say.js');
const { Session } = need('session.js');
const { settings } = need('settings.js');
const { site } = need('site.js');
const { other, shortAgent, write } = need('spec.js');
const TIMES = [['', 'its own'], ['100ms', '0.1 s'], ['300ms', '0.3 s'], ['1s', '1 s'], ['3s', '3 s'], ['10s', '10 s']];
const CLOCKS = [[1, 0], [3, 2], [5, 0], [5, 3], [10, 0], [10, 5], [15, 10], [30, 0], [30, 20]];
class ClockChoice {
  constructor() {
    const control = ( [minutes, seconds]) => ({ main_ms: minutes * 60_000, increment_ms: seconds * 1000 });
    const options = CLOCKS.map((clock) =>  ([clock.join('+'), clockName(control(clock))]));
    this.kind = select([['', 'No clock'], ...options, ['own', 'Another…']], '', () => this.update());
    this.minutes = el('input', { type: 'number', min: 0.1, max: 600, step: 0.1, value: '5', required: true });
    this.seconds = el('input', { type: 'number', min: 0, max: 600, value: '0', required: true });
    this.own = [field('Minutes for each side', this.minutes), field('Seconds more per move', this.seconds)];
    this.about = el('p', { class: 'small' });
    this.element = el('fieldset', {}, el('legend', {}, 'Clock'), field('Time for each side', this.kind), ...this.own, this.about);
    this.update();
  }
  update() {
    for (const one of this.own) one.hidden = this.kind.value !== 'own';
    for (const input of [this.minutes, this.seconds]) input.disabled = this.kind.value !== 'own';
    this.about.textContent = this.kind.value ? 'Whoever runs out of time loses. The clocks start after each side’s first move.' : '';
  }
  get control() {
    if (!this.kind.value) return null;
    const [minutes, seconds] = this.kind.value === 'own' ? [Number(this.minutes.value), Number(this.seconds.value)] : this.kind.value.split('+').map(Number);
    return { main_ms: Math.round(minutes * 60_000), increment_ms: Math.round(seconds * 1000) };
  }
}
class Chair {
  constructor(side, kind, levels, agents) {
    this.agents = agents;
    this.levels = levels;
    const kinds = [['person', 'A person here'], ['guest', 'A person by link'], ['level', 'A level'], ['agent', 'A player of the papers']];
    this.kind = select(kinds.filter(([one]) => one !== 'guest' || site === null), kind, () => this.update());
    this.level = select(levels.map((level) => [level.agent, nameOf(level)]), levels[DEFAULT_LEVEL - 1]?.agent ?? '', () => this.update());
    this.agent = select([], '', () => this.update());
    const papers = [...new Set(agents.map(({ paper }) => paper ?? ''))];
    grouped(this.agent, papers.map((paper) => [paper, agents.filter((one) => (one.paper ?? '') === paper).map(({ agent, needs }) => [agent, shortAgent(agent) + (needs ? ' (not trained)' : '')])]));
    this.agent.value = agents.find(({ needs }) => !needs)?.agent ?? '';
    this.mode = select([], '', () => {});
    this.time = select(TIMES, '', () => {});
    this.name = el('input', { type: 'text', maxlength: 40, value: settings.get('name'), autocomplete: 'nickname' });
    this.about = el('p', { class: 'small' });
    this.fields = { person: [field('Name', this.name)], guest: [], level: [field('Level', this.level)], agent: [field('Agent', this.agent), field('Mode', this.mode), field('Time per move', this.time)] };
    const all = Object.values(this.fields).flat();
    this.element = el('fieldset', {}, el('legend', {}, side), field('Who', this.kind), ...all, this.about);
    this.update();
  }
  update() {
    const kind =  (this.kind.value);
    for (const [of, fields] of Object.entries(this.fields)) for (const one of fields) one.hidden = of !== kind;
    const agent = this.agents.find(({ agent }) => agent === this.agent.value);
    const modes = agent?.modes ?? [];
    if (this.mode.options.length !== modes.length) fill(this.mode, modes.map((mode) => el('option', { value: mode }, mode)));
    this.fields.agent[1].hidden = kind !== 'agent' || modes.length < 2;
    const level = this.levels.find((one) => one.agent === this.level.value);
    this.about.textContent = kind === 'level' && level ? mannerOf(level) : kind !== 'agent' || !agent ? kind === 'guest' ? 'You get a link to send to the other player.' : ''
      : `${agent.about}. ${agent.paper ?? ''} ${agent.section ?? ''}${agent.needs ? ` It has to be trained first: ${agent.needs}` : ''}`;
  }
  rate(usual) {
    for (const [at, level] of this.levels.entries()) this.level.options[at].text = usual ? nameOf(level) : playerName(level.agent);
  }
  get seat() {
    switch (this.kind.value) {
      case 'level':
        return { who: 'agent', agent: this.level.value };
      case 'agent': {
        const extra =  ({});
        if (this.mode.options.length > 1) extra.mode = this.mode.value;
        if (this.time.value) extra.time = this.time.value;
        return { who: 'agent', agent: write(this.agent.value, extra) };
      }
      case 'guest':
        return { who: 'person', name: '' };
      default:
        return { who: 'person', name: this.name.value.trim() };
    }
  }
}
function variant(info) {
  const inputs = info.options.map((option) => {
    const { values } = option;
    if (!Array.isArray(values)) {
      const input = el('input', { type: 'number', min: values.from, max: values.to, value: option.default, required: true });
      return { option, input, label: field(`${capital(option.about)}, ${values.from} to ${values.to}`, input) };
    }
    const label = field(capital(option.about), select(values.map(({ value }) => [value, value]), option.default, (chosen) => {
      if (more) more.textContent = values.find(({ value }) => value === chosen)?.about ?? '';
    }), values.find(({ value }) => value === option.default)?.about);
    const more = label.querySelector('small');
    return { option, input:  (label.querySelector('select')), label };
  });
  const spec = () => write(info.game, Object.fromEntries(inputs.filter(({ option, input }) => input.value !== option.default).map(({ option, input }) => [option.key, input.value])));
  return { labels: inputs.map(({ label }) => label), spec };
}
async function setup(info, open) {
  const [levels, agents] = await Promise.all([api.levels(info.game), api.agents(info.game)]);
  const names = info.sides.map((name, seat) => `${seat ? 'Second' : 'First'}: ${name}`);
  const { labels, spec } = variant(info);
  const chairs = [new Chair(names[0], 'person', levels, agents), new Chair(names[1], 'level', levels, agents)];
  const clock = new ClockChoice();
  const from = el('input', { type: 'text', class: 'code', placeholder: 'the usual start', spellcheck: 'false' });
  const start = () => attempt(() => begin(spec(), from.value.trim() || null, chairs, clock.control, open));
  const exchange = () => {
    const [a, b] = chairs;
    for (const key of  (['kind', 'level', 'agent', 'time', 'name'])) [a[key].value, b[key].value] = [b[key].value, a[key].value];
    chairs.forEach((chair) => chair.update());
  };
  const rate = () => chairs.forEach((chair) => chair.rate(spec() === info.game));
  const form = el('form', { class: 'setup', on: { change: rate, submit: ( event) => (event.preventDefault(), start()) } },
    labels.length ? el('fieldset', {}, el('legend', {}, 'Variant'), ...labels) : null, ...chairs.map(({ element }) => element), clock.element,
    el('details', {}, el('summary', {}, 'Start from a position'), field('Position as text', from)),
    el('div', { class: 'buttons' }, el('button', { type: 'submit', class: 'main' }, 'Start'), button('Swap seats', exchange)));
  return form;
}
async function begin(game, position, chairs, clock, open) {
  const seats =  (chairs.map((chair) => chair.seat));
  for (const chair of chairs) if (chair.kind.value === 'person' && chair.name.value.trim()) settings.set('name', chair.name.value.trim());
  if (chairs.every((chair) => chair.kind.value === 'guest')) throw new Error('At least one player must be here: choose “A person here” for one side.');
  if (seats.every((seat) => seat.who === 'agent')) {
    if (clock) throw new Error('Two engines play without a clock: choose “No clock”, or a person for one side.');
    const session = new Session({ game, from: position, seats, id: freshId(), seed: 1 + Math.floor(Math.random() * 1e6) });
    await session.begin(null);
    return open(session);
  }
  const guest = chairs.findIndex((chair) => chair.kind.value === 'guest');
  const room = await makeRoom({ game, position, moves: [], seats, clock }, guest < 0 ? null : guest === 0 ? 'first' : 'second');
  location.hash = `#room=${room}`;
}
async function quick(game, level = DEFAULT_LEVEL, side = 'first') {
  const seats = [{ who: 'person', name: settings.get('name') }, { who: 'agent', agent: `level:${level}` }];
  if (side === 'second') seats.reverse();
  location.hash = `#room=${await makeRoom({ game, moves: [], seats:  (seats) })}`;
}
async function friend(game, side) {
  const seats = [{ who: 'person', name: settings.get('name') }, { who: 'person', name: '' }];
  if (side === 'second') seats.reverse();
  location.hash = `#room=${await makeRoom({ game, moves: [], seats:  (seats) }, other(side))}`;
}
Object.assign(given, { variant, setup, quick, friend });
});
define('thumbs.js', (given) => {
const api = need('api.js');
const { el } = need('dom.js');
const drawn = new Map();
function pictureOf(place) {
  const key = JSON.stringify(place);
  const asked = drawn.get(key) ?? api.picture(place).then((drawing) => URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' })));
  drawn.set(key, asked);
  asked.catch(() => drawn.delete(key));
  return asked;
}
async function picture(element, place) {
  try {
    element.prepend(el('img', { src: await pictureOf(place), alt: '' }));
  } catch {
    element.classList.add('empty');
  }
}
const waiting = new WeakMap();
const watcher = 'IntersectionObserver' in globalThis ? new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const place = isIntersecting && waiting.get(target);
    if (!place) continue;
    waiting.delete(target);
    watcher?.unobserve(target);
    void picture(target, place);
  }
}, { rootMargin: '100px' }) : null;
function pictureInSight(element, place) {
  waiting.set(element, place);
  watcher?.observe(element);
}
Object.assign(given, { picture, pictureInSight });
});
define('start.js', (given) => {
const api = need('api.js');
const { button, el, fill, svg } = need('dom.js');
const { DEFAULT_LEVEL, mannerOf, playerName, strengthOf } = need('levels.js');
const { freshId } = need('library.js');
const { anyToken, keptRooms } = need('room.js');
const { Session } = need('session.js');
const { friend, quick, setup } = need('setup.js');
const { attempt } = need('say.js');
const { read, settings, write } = need('settings.js');
const { site } = need('site.js');
const { titleOf } = need('spec.js');
const { picture: draw } = need('thumbs.js');
const { capital } = need('boards/text.js');
const SHOWN = {
  pathwayz: { moves: 'c4 d6 d4 e3 e4p f5 g4 h6 i4 h5 c6p' },
  pylos: { moves: '1b2 1c2 1b3 1c3 2b2 1a1 1d4 1d1 1a4 1b1 1d3 1d2' },
  twixt: { game: 'twixt(size=8)', moves: 'd4 e5 c6 f3 e2 c4 d8 g5' },
  'pentago-twist': { moves: 'b2q2f e5q1r b5q3f c3q4f e2q2f d4q1f c4q3r a1q2f f6q1f d2q3f e6q2r b1q4f' },
  pentago: { moves: 'b2q2r e5q1l b5q3l c3q4r e2q2l d4q1r c4q3r a1q2r' },
};
function portrait(element, game) {
  const shown = SHOWN[game];
  return draw(element, { game: shown?.game ?? game, moves: shown?.moves.split(' ') ?? [] });
}
const SIGNS = {
  pentago: ['turn left or right', `${arc(14, -1)}${arc(62, 1)}`],
  'pentago-twist': ['turn right or mirror', `${arc(14, 1)}M64 4v28M58 10l-10 16h10zM70 10l10 16h-10z`],
};
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];
const CHOICES = 'quintet.choices';
const LATEST = 20;
function arc(x, way) {
  const [from, to] = [x - way * 11, x + way * 11];
  return `M${from} 24A12 12 0 1 ${way > 0 ? 1 : 0} ${to} 24m${-way * 9} ${-1}l${way * 9} 1l${way * 2} -9`;
}
function showStart(root, games, open) {
  const list = el('div', { class: 'cards' });
  const form = el('section', { class: 'setupbox', 'aria-label': 'Set up a game' });
  const more = (info, card) => attempt(async () => {
    if (form.dataset.game === info.game && form.isConnected) return form.remove();
    form.dataset.game = info.game;
    const links = el('div', { class: 'buttons' }, el('a', { class: 'button', href: `#g=${info.game}&tab=analyse` }, 'Analyse'), el('a', { class: 'button', href: `#g=${info.game}&tab=learn` }, 'Learn'),
      button('Watch two engines', () => attempt(() => watch(info.game, open))), button('Close', () => form.remove()));
    fill(form, [el('h2', {}, `Set up ${info.title}`), await setup(info, open), links]);
    card.after(form);
    form.scrollIntoView({ behavior: 'smooth', block: 'nearest' });
     (form.querySelector('select,input'))?.focus({ preventScroll: true });
  });
  const others = el('article', { class: 'card more' }, el('div', { class: 'about' }, el('div', { class: 'blurb' }, el('h2', {}, 'Not in the mood to play?'),
    el('p', {}, 'Watch two engines think, solve a position whose answer is proven, or go back to a game of yours.')),
    el('div', { class: 'buttons' }, button('Watch two engines', () => attempt(() => watch('pentago', open))), el('a', { class: 'button', href: '#page=puzzles' }, 'Puzzles'), el('a', { class: 'button', href: '#page=games' }, 'My games'))));
  fill(list, [...games.map((info) => card(info, more)), others]);
  const greeting = el('div');
  fill(root, [el('h1', {}, 'Five games. Pick one and play.'), el('p', { class: 'lead' }, `Choose a level and a side${site === null ? ', or send a friend a link' : ''}. After the game, see where it was won.`), greeting, list]);
  welcome(greeting, games);
}
function card(info, more) {
  const { game, title, about, sides } = info;
  const choice = read(CHOICES,  ({}))[game] ?? { level: DEFAULT_LEVEL, side: 'first' };
  const picture = el('div', { class: 'picture' });
  const sign = SIGNS[game];
  if (sign) picture.append(el('div', { class: 'sign' }, svg('svg', { viewBox: '0 0 84 36', 'aria-hidden': 'true' }, svg('path', { d: sign[1] })), sign[0]));
  void portrait(picture, game);
  const strength = el('p', { class: 'small strength', hidden: true });
  const tell = async () => {
    const found = (await api.levels(game).catch(() => [])).find(({ level }) => level === choice.level);
    strength.textContent = found ? `${strengthOf(found)} ${mannerOf(found)}`.trim() : '';
    strength.hidden = !strength.textContent;
  };
  const choose = (news) => {
    Object.assign(choice, news);
    write(CHOICES, { ...read(CHOICES, {}), [game]: choice });
    void tell();
  };
  const levels = LEVELS.map((level) => option(`level-${game}`, String(level), `Level ${level}`, choice.level === level, () => choose({ level })));
  const seats =  ([['first', capital(sides[0])], ['second', capital(sides[1])], ['random', 'Random']]);
  const chairs = seats.map(([side, name]) => option(`side-${game}`, name, name, choice.side === side, () => choose({ side })));
  const side = () => (choice.side === 'random' ? (Math.random() < 0.5 ? 'first' : 'second') : choice.side);
  const article = el('article', { class: 'card', 'data-game': game }, picture, el('div', { class: 'about' }, el('div', { class: 'blurb' }, el('h2', {}, title), el('p', {}, about)),
    el('fieldset', { class: 'choice levels' }, el('legend', {}, 'Level'), el('div', {}, ...levels)),
    el('fieldset', { class: 'choice' }, el('legend', {}, 'Side'), el('div', {}, ...chairs)), strength,
    el('div', { class: 'buttons' }, button('Play', () => attempt(() => quick(game, choice.level, side())), { class: 'main', 'aria-label': `Play ${title} now` }),
      site === null ? button('Friend', () => attempt(() => friend(game, side())), { 'aria-label': `Friend: play ${title} with somebody by link` }) : null,
      button('More', () => more(info, article), { 'aria-label': `More: set up ${title}` }))));
  void tell();
  return article;
}
const option = (name, text, label, checked, choose) =>
  el('label', {}, el('input', { type: 'radio', name, checked, 'aria-label': label, on: { change: choose } }), el('span', { 'aria-hidden': 'true' }, text));
async function watch(game, open) {
  const session = new Session({ game, seats: [{ who: 'agent', agent: 'level:5' }, { who: 'agent', agent: 'level:6' }], id: freshId(), seed: 1 + Math.floor(Math.random() * 1e6) });
  await session.begin(null);
  open(session);
}
async function welcome(place, games) {
  const kept = Object.entries(keptRooms()).sort(([, a], [, b]) => b.made - a.made);
  if (!kept.length) {
    if (settings.get('greeted')) return;
    const leave = button('No, thanks', () => (settings.set('greeted', true), fill(place, [])), { class: 'quiet' });
    return fill(place, [el('div', { class: 'continue' }, el('b', {}, 'New to these games?'), el('span', {}, 'A lesson takes five minutes, on the board.'), el('a', { class: 'button', href: '#page=learn' }, 'Show me a lesson'), leave)]);
  }
  const asked = kept.slice(0, LATEST).map(([room, keys]) => ({ room, token: anyToken(keys) ?? '' })).filter(({ token }) => token);
  const found = await api.myRooms(asked).catch(() => null);
  const open = found?.rooms.filter(({ outcome, archived }) => !outcome && !archived) ?? [];
  const [room, keys] = kept.find(([room]) => open.some((one) => one.room === room)) ?? [];
  const last = open.find((one) => one.room === room);
  if (!last || !keys) return;
  fill(place, [el('div', { class: 'continue' }, el('b', {}, against(games, last, keys.mine)), el('span', {}, `${keys.mine[last.to_move] ? 'your move' : 'their move'} · ${ago(keys.made)}`), el('a', { href: `#room=${room}` }, 'Continue →'))]);
}
function against(games, room, mine) {
  const rival = room.seats[mine.first ? 1 : 0];
  const name = rival.who === 'agent' ? playerName(rival.agent) : rival.name || 'a friend';
  return `${titleOf(games, room.game)} v ${name}`;
}
function ago(time) {
  const minutes = Math.round((Date.now() - time) / 60_000);
  const word = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return minutes < 60 ? word.format(-minutes, 'minute') : minutes < 48 * 60 ? word.format(-Math.round(minutes / 60), 'hour') : word.format(-Math.round(minutes / 1440), 'day');
}
Object.assign(given, { portrait, showStart });
});
need('main.js');
