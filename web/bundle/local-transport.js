import { define, need, load } from './main.js';
define('local/crew.js', (given) => {
const { Refusal } = need('refusal.js');
const AT_ONCE = Math.max(1, Math.min(2, (navigator.hardwareConcurrency || 2) - 1));
class Hand {
  constructor(folder, parts) {
    this.worker = new Worker(new URL('engine/worker.js', new URL(folder, location.href)), { type: 'module' });
    this.jobs = new Map();
    this.ready = new Promise((good, bad) => {
      this.worker.onmessage = ({ data }) => {
        if (data.ready) good(null);
        else if (data.broken !== undefined) this.broken(data.broken, bad);
        else this.hear(data);
      };
      this.worker.onerror = (event) => this.broken(event.message || 'the worker could not be started', bad);
      parts.then(([module, files]) => this.worker.postMessage({ module, files }), bad);
    });
    this.ready.catch(() => {});
  }
  hear({ number, event, answer }) {
    const job = this.jobs.get(number);
    if (!job) return;
    if (event !== undefined) return job.heard(JSON.parse(event));
    this.jobs.delete(number);
    const said = JSON.parse(answer ?? '');
    if ('ok' in said) job.good(said.ok);
    else job.bad(new Refusal(said.refused.error ?? '', said.status, said.refused));
  }
  broken(why, bad) {
    const error = new Refusal(`The engine has failed: ${why}`, 500, {});
    bad(error);
    const jobs = [...this.jobs.values()];
    this.end();
    for (const job of jobs) job.bad(error);
  }
  end() {
    this.jobs.clear();
    this.dead = true;
    this.worker.terminate();
  }
  async give(job) {
    this.jobs.set(job.request.number, job);
    job.worker = this;
    try {
      await this.ready;
      if (this.jobs.has(job.request.number)) this.worker.postMessage(job.request);
    } catch (why) {
      this.jobs.delete(job.request.number);
      job.bad( (why));
    }
  }
}
class Crew {
  constructor(folder) {
    this.folder = folder;
    this.next = 1;
    this.loading = null;
    this.desk = null;
    this.searchers = [];
    this.queue = [];
  }
  get parts() {
    const load = async () => {
      const at = ( file) => fetch(`${this.folder}${file}`).then((response) => {
        if (!response.ok) throw new Error(`${file}: status ${response.status}`);
        return response;
      });
      const [module, files] = await Promise.all([at('engine/engine_bg.wasm').then(compiled), at('files.json').then((response) => response.text())]);
      return  ([module, files]);
    };
    this.loading ??= load().catch((why) => {
      this.loading = null;
      throw new Refusal(`The engine cannot be loaded (${why.message ?? why}). Check the connection and try again; nothing is lost.`, 0, {});
    });
    return this.loading;
  }
  hand() {
    return new Hand(this.folder, this.parts);
  }
  request(kind, asked) {
    return { number: this.next++, kind, text: JSON.stringify(asked), folder: new URL(`${this.folder}data/`, location.href).href };
  }
  ask(kind, asked) {
    if (!this.desk || this.desk.dead) this.desk = this.hand();
    const desk = this.desk;
    return new Promise((good, bad) => {
      desk.give({ request: this.request(kind, asked), heard: () => {}, good, bad, waits: () => {}, worker: null });
    });
  }
  search(kind, asked, heard = () => {}, waits = () => {}) {
    let job;
    let ending = null;
    let last = null;
    const done = new Promise((good, bad) => {
      job = { request: this.request(kind, asked), good, bad, waits, worker: null, heard: (event) => {
        last = event;
        heard(event);
        if (ending) finish();
      } };
      this.queue.push(job);
    });
    const drop = () => {
      this.queue = this.queue.filter((one) => one !== job);
      const { worker } = job;
      if (worker?.jobs.has(job.request.number)) {
        worker.end();
        this.searchers = this.searchers.filter((one) => one !== worker);
      }
      this.assign();
    };
    const finish = () => {
      const answer = ending?.(last);
      if (answer === undefined) return;
      drop();
      job.good(answer);
    };
    done.then(() => this.assign(), () => this.assign());
    this.assign();
    return {
      done,
      leave: drop,
      stop: (answer) => {
        if (kind === 'review') return job.worker?.worker.postMessage({ stop: job.request.number });
        ending = answer;
        finish();
      },
    };
  }
  assign() {
    this.searchers = this.searchers.filter((one) => !one.dead);
    const busy = () => this.searchers.filter((one) => one.jobs.size).length;
    while (this.queue.length && busy() < AT_ONCE) {
      let free = this.searchers.find((one) => !one.jobs.size);
      if (!free) this.searchers.push((free = this.hand()));
      free.give( (this.queue.shift()));
    }
    if (busy() && busy() === this.searchers.length) this.searchers.push(this.hand());
    this.queue.forEach((job, at) => job.waits(at + 1));
  }
}
const compiled = (response) => {
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') && 'compileStreaming' in WebAssembly;
  return streams ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
};
Object.assign(given, { Crew });
});
define('local/store.js', (given) => {
let opening = null;
const memory = new Map();
const SHELVES = ['rooms', 'matches'];
function open() {
  opening ??= new Promise((good) => {
    try {
      const request = indexedDB.open('quintet', 1);
      request.onupgradeneeded = () => SHELVES.forEach((shelf) => request.result.createObjectStore(shelf));
      request.onsuccess = () => good(request.result);
      request.onerror = request.onblocked = () => good(null);
    } catch {
      good(null);
    }
  });
  return opening;
}
async function on(shelf, mode, work, instead) {
  const database = await open();
  if (!database) {
    const kept = memory.get(shelf) ?? new Map();
    memory.set(shelf, kept);
    return instead(kept);
  }
  return new Promise((good, bad) => {
    const change = database.transaction(shelf, mode, { durability: 'strict' });
    const request = work(change.objectStore(shelf));
    change.oncomplete = () => good(request.result);
    change.onabort = change.onerror = () => bad(change.error ?? new Error('the browser did not store it'));
  });
}
const load = (shelf, key) => on(shelf, 'readonly', (store) => store.get(key), (kept) => structuredClone(kept.get(key)));
const all = (shelf) => on(shelf, 'readonly', (store) => store.getAll(), (kept) => structuredClone([...kept.values()]));
const save = (shelf, key, value) => on(shelf, 'readwrite', (store) =>  (store.put(value, key)), (kept) => void kept.set(key, structuredClone(value)));
const remove = (shelf, key) => on(shelf, 'readwrite', (store) =>  (store.delete(key)), (kept) => void kept.delete(key));
const alone = async (name, work) => (navigator.locks ?  (navigator.locks.request(`quintet-${name}`, work)) : work());
const bytes = ( count) => crypto.getRandomValues(new Uint8Array(count));
const fresh = () => [...bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
Object.assign(given, { load, all, save, remove, alone, fresh });
});
define('local/rooms.js', (given) => {
const { Refusal } = need('refusal.js');
const { alone, fresh, load, remove, save } = need('local/store.js');
function choiceOf(report) {
  if (!report) return undefined;
  const best = [...report.roots].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0) || b.value - a.value)[0];
  const move = report.pv[0] ?? best?.move;
  if (!move) return undefined;
  const root = report.roots.find(( one) => one.move === move);
  const share = root?.visits != null ? root.value : null;
  return { move, value: report.value ?? root?.value ?? null, win: share, draw: share === null ? null : 0, proven: root?.proven ?? null, pv: report.pv.length ? report.pv : [move],
    nodes: report.nodes, depth: report.depth, ms: report.ms };
}
class Rooms {
  constructor(crew) {
    this.crew = crew;
    this.listeners = new Map();
    this.searches = new Map();
    this.faults = new Map();
    this.others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('quintet-rooms') : null;
    if (this.others) this.others.onmessage = ({ data }) => this.changedElsewhere(data);
  }
  async find(id) {
    const kept = typeof id === 'string' ? await load('rooms', id) : null;
    if (!kept) throw new Refusal('there is no such game in this browser, or it has been deleted', 404, {});
    return kept;
  }
  async show(id) {
    const { record } = await this.find(id);
    const { shown: { seat, ...shown } } = await this.crew.ask('room', { do: 'show', record });
    return { ...shown, fault: this.faults.get(id) ?? null };
  }
  async make(new_) {
    const id = fresh().slice(0, 12);
    const made = await this.crew.ask('room', { do: 'make', new: new_, id, tokens: [fresh(), fresh(), fresh()], now: Date.now() });
    await this.keep(id, { record: made.record, since: Date.now() });
    return made.answer;
  }
  async keep(id, kept) {
    try {
      await save('rooms', id, kept);
    } catch (why) {
      throw new Refusal(`The browser does not store the game (${ (why).message}). Free some space and try again.`, 507, {});
    }
    this.others?.postMessage(id);
  }
  tell(id, shown) {
    const fault = this.faults.get(id) ?? null;
    for (const hear of this.listeners.get(id) ?? []) hear({ room: { ...shown, fault } });
  }
  async changedElsewhere(id) {
    if (!this.listeners.get(id)?.size) return;
    const kept = await load('rooms', id);
    if (!kept) return;
    this.endSearch(id);
    this.faults.delete(id);
    const { shown, agent } = await this.crew.ask('room', { do: 'show', record: kept.record });
    this.tell(id, shown);
    if (agent) this.goOn(id);
  }
  async watch(id, token, hear) {
    const { record } = await this.find(id);
    const { shown, agent } = await this.crew.ask('room', { do: 'show', record, token });
    const listeners = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, listeners.add(hear));
    hear({ room: { ...shown, fault: this.faults.get(id) ?? null } });
    if (agent) this.goOn(id);
    return () => {
      listeners.delete(hear);
      if (!listeners.size) this.endSearch(id);
    };
  }
  async obey(message) {
    const id = message.room;
    if (message.do === 'hurry' || message.do === 'retry') return this.nudge(message);
    const { done, shown, agent } = await alone(`room-${id}`, async () => {
      const { record, since } = await this.find(id);
      const now = Date.now();
      const asked = await this.crew.ask('room', { do: 'obey', record, message, since, now, fresh: fresh() });
      if (asked.record) {
        this.endSearch(id);
        this.faults.delete(id);
        await this.keep(id, { record: asked.record, since: now });
      }
      return { done: asked.answer, shown: asked.record ? asked.shown : null, agent: asked.agent };
    });
    if (shown) this.tell(id, shown);
    if (shown && agent) this.goOn(id);
    return done;
  }
  async nudge({ do: what, room: id, token }) {
    const { record } = await this.find(id);
    await this.crew.ask('room', { do: 'part', record, token });
    if (what === 'hurry') {
      const search = this.searches.get(id);
      if (!search) throw new Refusal('no agent is thinking about this game', 422, {});
      search.stop((event) => choiceOf(event?.thinking?.report));
    } else {
      if (!this.faults.delete(id)) throw new Refusal('nothing has gone wrong in this game', 422, {});
      const { shown } = await this.crew.ask('room', { do: 'show', record });
      this.tell(id, shown);
      this.goOn(id);
    }
    return { ok: true };
  }
  endSearch(id) {
    this.searches.get(id)?.leave();
    this.searches.delete(id);
  }
  async goOn(id) {
    if (this.searches.has(id) || this.faults.has(id) || !this.listeners.get(id)?.size) return;
    const { record } = await this.find(id);
    if (this.searches.has(id)) return;
    const say = ( event) => {
      for (const hear of this.listeners.get(id) ?? []) hear(event);
    };
    const search = this.crew.search('search', { do: 'think', record }, say, (place) => say({ room: { room: id, waiting: `number ${place} in the queue of searches`, queued: place } }));
    this.searches.set(id, search);
    try {
      const choice = await search.done;
      if (this.searches.get(id) !== search) return;
      this.searches.delete(id);
      await this.advance(id, record.moves.length, choice.move);
    } catch (why) {
      if (this.searches.get(id) === search) this.searches.delete(id);
      this.faults.set(id, { what: `the agent did not move: ${ (why).message}`, passing: false });
      const { shown } = await this.crew.ask('room', { do: 'show', record });
      this.tell(id, shown);
    }
  }
  async advance(id, ply, move) {
    const next = await alone(`room-${id}`, async () => {
      const { record, since } = await this.find(id);
      if (record.moves.length !== ply) return null;
      const now = Date.now();
      const moved = await this.crew.ask('room', { do: 'advance', record, move, since, now });
      await this.keep(id, { record: moved.record, since: now });
      return moved;
    });
    if (!next) return;
    this.tell(id, next.shown);
    if (next.agent) this.goOn(id);
  }
  async mine({ rooms }) {
    const found = await Promise.all(rooms.map(async ({ room, token }) => {
      const record = (await load('rooms', room))?.record;
      if (!record || !(await this.crew.ask('room', { do: 'part', record, token }).then(() => true, () => false))) return null;
      return (await this.crew.ask('room', { do: 'show', record, token, listed: true })).shown;
    }));
    return { rooms: found.filter(Boolean) };
  }
  async delete(id, token) {
    const { record } = await this.find(id);
    await this.crew.ask('room', { do: 'owned', record, token });
    this.endSearch(id);
    await remove('rooms', id);
    return { ok: true };
  }
}
Object.assign(given, { choiceOf, Rooms });
});
define('local/transport.js', (given) => {
const { Refusal } = need('refusal.js');
const { site } = need('site.js');
const { Crew } = need('local/crew.js');
const { Rooms, choiceOf } = need('local/rooms.js');
const crew = new Crew(site ?? '');
const rooms = new Rooms(crew);
const QUESTIONS = ['games', 'agents', 'levels', 'evaluations', 'puzzles', 'position', 'explain', 'picture', 'import', 'export'];
const SEARCHES = ['exact', 'trace'];
async function file(path) {
  const response = await fetch(`${site}api/${path}`);
  if (!response.ok) throw new Refusal('There is nothing of that name here.', 404, {});
  return response.json();
}
async function answerTo(method, path, query, posted, headers, signal) {
  const [what, name] = path;
  if (QUESTIONS.includes(what)) return crew.ask('question', { name: what, game: query.get('game'), posted });
  if (SEARCHES.includes(what)) {
    const search = crew.search('question', { name: what, posted });
    signal?.addEventListener('abort', () => search.leave());
    return search.done;
  }
  if (what === 'rooms') {
    if (method === 'POST' && !name) return rooms.make(posted);
    if (method === 'POST' && name === 'mine') return rooms.mine(posted);
    if (method === 'GET' && name) return rooms.show(name);
    if (method === 'DELETE') return rooms.delete(name, (headers.get('authorization') ?? '').replace(/^Bearer /, ''));
  }
  if (what === 'reports') return name ? file(`reports/${encodeURIComponent(name)}.json`) : file('reports.json');
  throw new Refusal('This needs a quintet server: this page stands on a host of plain files, where everything happens in your browser.', 404, {});
}
async function answer(address, init) {
  const { pathname, searchParams } = new URL(address, location.origin);
  const path = pathname.replace(/^\/api\//, '').split('/').map(decodeURIComponent);
  const posted = init.body ? JSON.parse(String(init.body)) : null;
  try {
    const answered = await answerTo(init.method ?? 'GET', path, searchParams, posted, new Headers(init.headers), init.signal);
    const [type, body] = typeof answered === 'string' ? ['image/svg+xml', answered] : ['application/json', JSON.stringify(answered)];
    const made = init.method === 'POST' && path.join() === 'rooms';
    return new Response(body, { status: made ? 201 : 200, headers: { 'content-type': type } });
  } catch (why) {
    if (!(why instanceof Refusal) || !why.status) throw why;
    return new Response(JSON.stringify({ error: why.message, ...why.body }), { status: why.status, headers: { 'content-type': 'application/json' } });
  }
}
class LocalSocket extends EventTarget {
  constructor() {
    super();
    this.readyState = WebSocket.CONNECTING;
    this.running = new Map();
    setTimeout(() => {
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event('open'));
    });
  }
  say(id, said) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ ...said, id }) }));
  }
  send(frame) {
    const message = JSON.parse(frame);
    this.hear(message).catch((why) => {
      this.running.delete(message.id);
      this.say(message.id, why instanceof Refusal ? { ...why.body, error: why.message } : { error: String(why?.message ?? why) });
    });
  }
  async hear({ id, ...message }) {
    if (message.do === 'stop') {
      const work = this.running.get(message.what);
      if (!work) throw new Refusal('no request of that id is running', 404, {});
      work.stop();
      return this.say(id, { ok: true });
    }
    if (message.do === 'watch') {
      let left = false;
      let leave = () => void (left = true);
      this.running.set(id, { stop: () => (this.running.delete(id), leave()), leave: () => leave() });
      leave = await rooms.watch(message.room, message.token, (event) => left || this.say(id, event));
      if (left) leave();
      return undefined;
    }
    if (message.do === 'analyse' || message.do === 'review') return this.search(id, message);
    return this.say(id, await rooms.obey(message));
  }
  async search(id, message) {
    const { do: what, ...asked } = message;
    const tell = [( event) => this.say(id, event), ( place) => this.say(id, { queued: place })];
    const search = what === 'review' ? crew.search('review', asked, tell[0], tell[1]) : crew.search('search', message, tell[0], tell[1]);
    this.running.set(id, { stop: () => search.stop((event) => choiceOf(event?.report)), leave: search.leave });
    const done = await search.done;
    this.running.delete(id);
    this.say(id, { done });
  }
}
Object.assign(given, { answer, LocalSocket });
});
