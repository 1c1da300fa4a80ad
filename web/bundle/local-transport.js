import { define, need, load } from './main.js';
define('local/crew.js', (given) => {
const { Refusal } = need('refusal.js');
const AT_ONCE = 2;
const PATIENCE_MS = 300;
const isUrgent = (kind, asked) => kind === 'question' || asked.do === 'think';
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
      parts.then(([module, files]) => this.worker.postMessage({ module, files }), (why) => {
        this.end();
        bad(why);
      });
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
      desk.give({ request: this.request(kind, asked), heard: () => {}, good, bad, waits: () => {}, urgent: true, worker: null });
    });
  }
  search(kind, asked, heard = () => {}, waits = () => {}) {
    let job;
    let ending = null;
    let last = null;
    const done = new Promise((good, bad) => {
      job = { request: this.request(kind, asked), good, bad, waits, urgent: isUrgent(kind, asked), worker: null, heard: (event) => {
        last = event;
        heard(event);
        if (ending) finish(ending());
      } };
      const place = job.urgent ? this.queue.findIndex((one) => !one.urgent) : -1;
      this.queue.splice(place < 0 ? this.queue.length : place, 0, job);
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
    const finish = ( answer) => {
      if (answer === undefined) return;
      drop();
      if (answer instanceof Error) job.bad(answer);
      else job.good(answer);
    };
    let over = false;
    const end = () => {
      over = true;
      this.assign();
    };
    done.then(end, end);
    this.assign();
    return {
      done,
      leave: drop,
      stop: (answer, instead) => {
        if (kind === 'review' && job.worker) return job.worker.worker.postMessage({ stop: job.request.number });
        ending = () => answer(last);
        finish(ending());
        setTimeout(async () => over || finish(answer(last) ?? (await instead())), PATIENCE_MS);
      },
    };
  }
  assign() {
    this.searchers = this.searchers.filter((one) => !one.dead);
    const busy = () => this.searchers.filter((one) => one.jobs.size).length;
    while (this.queue.length && busy() < AT_ONCE + Number(this.queue[0].urgent)) {
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
const SHELVES = ['rooms', 'matches'];
let opening = null;
let stored = false;
const memory = new Map(SHELVES.map((shelf) => [shelf, new Map()]));
const opened = () => new Promise((good, bad) => {
  const request = indexedDB.open('quintet', 1);
  request.onupgradeneeded = () => SHELVES.forEach((shelf) => request.result.createObjectStore(shelf));
  request.onerror = () => bad(request.error);
  request.onsuccess = () => {
    const database = request.result;
    stored = true;
    database.onclose = () => (opening = null);
    database.onversionchange = () => {
      opening = null;
      database.close();
    };
    good(database);
  };
});
async function open() {
  if ([...memory.values()].some((kept) => kept.size)) return null;
  opening ??= opened();
  const mine = opening;
  try {
    return await mine;
  } catch (why) {
    if (opening === mine) opening = null;
    if (stored) throw why;
    return null;
  }
}
async function on(shelf, mode, work, instead) {
  const database = await open();
  if (!database) return instead( (memory.get(shelf)));
  return new Promise((good, bad) => {
    const change = database.transaction(shelf, mode, { durability: 'strict' });
    const request = work(change.objectStore(shelf));
    change.oncomplete = () => good(request.result);
    change.onabort = change.onerror = () => bad(change.error ?? new Error('the browser did not store it'));
  });
}
async function lasts() {
  const database = await open();
  if (database) navigator.storage?.persist?.().catch(() => {});
  return database !== null;
}
const load = (shelf, key) => on(shelf, 'readonly', (store) => store.get(key), (kept) => structuredClone(kept.get(key)));
const all = (shelf) => on(shelf, 'readonly', (store) => store.getAll(), (kept) => structuredClone([...kept.values()]));
const save = (shelf, key, value) => on(shelf, 'readwrite', (store) =>  (store.put(value, key)), (kept) => void kept.set(key, structuredClone(value)));
const append = (shelf, make) => {
  const next = ( keys) => 1 + Math.max(0, ...[...keys].map(Number));
  return on(shelf, 'readwrite', (store) => {
    const made = { result: 0 };
    const keys = store.getAllKeys();
    keys.onsuccess = () => {
      made.result = next(keys.result);
      store.add(make(made.result), String(made.result));
    };
    return made;
  }, (kept) => {
    const number = next(kept.keys());
    kept.set(String(number), structuredClone(make(number)));
    return number;
  });
};
const remove = (shelf, key) => on(shelf, 'readwrite', (store) =>  (store.delete(key)), (kept) => void kept.delete(key));
const lines = new Map();
function alone(name, work) {
  if (navigator.locks) return  (navigator.locks.request(`quintet-${name}`, work));
  const done = (lines.get(name) ?? Promise.resolve()).then(work);
  const over = done.catch(() => {}).then(() => {
    if (lines.get(name) === over) lines.delete(name);
  });
  lines.set(name, over);
  return done;
}
async function ifFree(name, work) {
  const done = ( lock) => lock !== null && work().then(() => true);
  return navigator.locks ? navigator.locks.request(`quintet-${name}`, { ifAvailable: true }, done) : done(true);
}
async function underWay() {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map((lock) => (lock.name ?? '').replace('quintet-', '')));
}
const bytes = ( count) => crypto.getRandomValues(new Uint8Array(count));
const fresh = () => [...bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
Object.assign(given, { lasts, load, all, save, append, remove, alone, ifFree, underWay, fresh });
});
define('local/matches.js', (given) => {
const { Refusal } = need('refusal.js');
const { all, append, ifFree, load, save, underWay } = need('local/store.js');
const PAGE = 500;
const lockOf = (run) => `run-${run}`;
const ELSEWHERE = 'this run is at work in another tab; stop it there';
function unstored(why) {
  throw new Refusal(`The browser does not store the tournament (${why.message}). Free some space, then go on with it.`, 507, {});
}
class Matches {
  constructor(crew) {
    this.crew = crew;
    this.playing = null;
    this.faults = new Map();
  }
  async find(run) {
    const kept = await load('matches', run);
    if (!kept) throw new Refusal('there is no such run', 404, {});
    return kept;
  }
  head({ run, plan, planned, games, begun, ended }, busy) {
    const here = this.playing?.run === run;
    const at = here && this.playing?.stopping ? 'stopping' : here || busy.has(lockOf(run)) ? 'running' : ended ? 'over' : 'stopped';
    return { run, kind: 'tournament', game: plan.game, players: plan.players.map(( one) => one.name), played: games.length, planned, begun, ended, state: at, fault: this.faults.get(run) ?? null };
  }
  async list() {
    const runs = (await all('matches')).sort((a, b) => b.run - a.run);
    const busy = await underWay();
    return { tournaments: runs.map((run) => this.head(run, busy)), more: false };
  }
  async begin(file) {
    this.free();
    const { plan, games } = await this.crew.ask('play', { do: 'plan', file });
    const begun = new Date().toISOString();
    const run = await append('matches', (number) => ({ run: number, plan, planned: games, games: [], begun, ended: null })).catch(unstored);
    this.free();
    void this.play(run);
    return { run };
  }
  free() {
    if (this.playing) throw new Refusal(`run ${this.playing.run} is at work in this tab; stop it, or wait until it is over`, 409, {});
  }
  async play(run) {
    const playing = (this.playing = { run, search:  (null), stopping: false });
    this.faults.delete(run);
    const games = async () => {
      const kept = await this.find(String(run));
      for (let number = kept.games.length; number < kept.planned && !playing.stopping; number += 1) {
        playing.search = this.crew.search('play', { do: 'game', plan: kept.plan, number });
        const played = await playing.search.done;
        if (!played) break;
        kept.games.push(played);
        if (kept.games.length === kept.planned) kept.ended = new Date().toISOString();
        await save('matches', String(run), kept).catch(unstored);
      }
    };
    try {
      if (!(await ifFree(lockOf(run), games))) throw new Refusal(ELSEWHERE, 409, {});
    } catch (why) {
      if (!playing.stopping) this.faults.set(run,  (why).message);
    } finally {
      this.playing = null;
    }
  }
  async show(run) {
    const kept = await this.find(run);
    return { ...this.head(kept, await underWay()), results: await this.crew.ask('play', { do: 'table', plan: kept.plan, games: kept.games }) };
  }
  async games(run, between, from) {
    const { plan, games } = await this.find(run);
    const pair = between?.split(',').map(Number);
    const of = ( game) => !pair || (pair.includes(game.seats[0]) && pair.includes(game.seats[1]));
    const found = games.filter((game) => game.number >= from && of(game));
    return {
      games: found.slice(0, PAGE).map(({ number, seats, result, reason, plies, record }) => ({ number, players: seats.map(( at) => plan.players[at].name), result, reason, plies, record })),
      more: found.length > PAGE,
    };
  }
  async tell(run, what) {
    const kept = await this.find(run);
    if (what === 'stop') {
      const { playing } = this;
      if (playing?.run !== kept.run) throw new Refusal((await underWay()).has(lockOf(kept.run)) ? ELSEWHERE : `run ${run} is not at work`, 409, {});
      playing.stopping = true;
      playing.search?.stop(() => null, () => null);
    } else {
      this.free();
      if (kept.ended) throw new Refusal(`run ${run} is over; there is nothing to go on with`, 409, {});
      if ((await underWay()).has(lockOf(kept.run))) throw new Refusal(ELSEWHERE, 409, {});
      void this.play(kept.run);
    }
    return { ok: true };
  }
}
Object.assign(given, { Matches });
});
define('local/rooms.js', (given) => {
const { Refusal } = need('refusal.js');
const { alone, fresh, lasts, load, remove, save } = need('local/store.js');
const AGAIN_MS = 5000;
const time = () => ({ now: Date.now(), start: Math.round(performance.timeOrigin) });
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
    this.timers = new Map();
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
    const { shown: { seat, ...shown } } = await this.crew.ask('room', { do: 'show', record, ...time() });
    return { ...shown, fault: this.faults.get(id) ?? null };
  }
  async make(new_) {
    const id = fresh().slice(0, 12);
    const made = await this.crew.ask('room', { do: 'make', new: new_, id, tokens: [fresh(), fresh(), fresh()], now: Date.now() });
    await this.keep(id, { record: made.record });
    const notice = (await lasts()) ? null : 'This browser stores no games for this page: they are gone when you leave it. Export what you want to keep.';
    return { ...made.answer, notice };
  }
  async keep(id, kept) {
    try {
      await save('rooms', id, kept);
    } catch (why) {
      throw new Refusal(`The browser does not store the game (${ (why).message}). Free some space and try again.`, 507, {});
    }
    this.others?.postMessage(id);
  }
  say(id, event) {
    for (const hear of this.listeners.get(id) ?? []) hear(event);
  }
  tell(id, shown) {
    this.say(id, { room: { ...shown, fault: this.faults.get(id) ?? null } });
  }
  async changedElsewhere(id) {
    if (!this.listeners.get(id)?.size) return;
    this.endSearch(id);
    this.faults.delete(id);
    await this.look(id);
  }
  halted(id, why) {
    clearTimeout(this.timers.get(id));
    const deleted = why instanceof Refusal && why.status === 404;
    this.say(id, { room: { room: id, waiting: deleted ? 'This game has been deleted.' :  (why).message } });
    if (!deleted) this.lookIn(id, AGAIN_MS);
  }
  lookIn(id, ms) {
    this.timers.set(id, setTimeout(() => this.listeners.get(id)?.size && this.look(id), ms));
  }
  async now(id, token) {
    const look = async () => this.crew.ask('room', { do: 'show', record: (await this.find(id)).record, ...time(), token });
    const seen = await look();
    if (!seen.record) return seen;
    return alone(`room-${id}`, async () => {
      const again = await look();
      if (again.record) await this.keep(id, { record: again.record });
      return again;
    });
  }
  async watch(id, token, hear) {
    const seen = await this.now(id, token);
    const listeners = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, listeners.add(hear));
    hear({ room: { ...seen.shown, fault: this.faults.get(id) ?? null } });
    this.goOnFrom(id, seen);
    return () => {
      listeners.delete(hear);
      if (!listeners.size) this.endSearch(id);
    };
  }
  async obey(message) {
    const id = message.room;
    if (message.do === 'hurry' || message.do === 'retry') return this.nudge(message);
    const asked = await alone(`room-${id}`, async () => {
      const { record } = await this.find(id);
      const obeyed = await this.crew.ask('room', { do: 'obey', record, ...time(), message, fresh: fresh() });
      if (obeyed.record) {
        await this.keep(id, { record: obeyed.record });
        this.endSearch(id);
        this.faults.delete(id);
      }
      return obeyed;
    });
    if (asked.record) {
      this.tell(id, asked.shown);
      this.goOnFrom(id, asked);
    }
    if (asked.answer.error) throw new Refusal(asked.answer.error, 422, asked.answer);
    return asked.answer;
  }
  async nudge({ do: what, room: id, token }) {
    const { record } = await this.find(id);
    await this.crew.ask('room', { do: 'part', record, ...time(), token });
    if (what === 'hurry') {
      const search = this.searches.get(id);
      if (!search) throw new Refusal('no agent is thinking about this game', 422, {});
      const anyMove = async () => ({ move: (await this.crew.ask('room', { do: 'show', record, ...time() })).shown.legal[0] });
      search.stop((event) => choiceOf(event?.thinking?.report), anyMove);
    } else {
      if (!this.faults.delete(id)) throw new Refusal('nothing has gone wrong in this game', 422, {});
      await this.look(id);
    }
    return { ok: true };
  }
  endSearch(id) {
    this.searches.get(id)?.leave();
    this.searches.delete(id);
  }
  async goOn(id) {
    if (this.searches.has(id) || this.faults.has(id) || !this.listeners.get(id)?.size) return;
    let search = null;
    try {
      const { record } = await this.find(id);
      if (this.searches.has(id)) return;
      search = this.crew.search('search', { do: 'think', record, ...time() }, (event) => this.say(id, event),
        (place) => this.say(id, { room: { room: id, waiting: `number ${place} in the queue of searches`, queued: place } }));
      this.searches.set(id, search);
      await this.advance(id, record.moves.length, search, (await search.done).move);
    } catch (why) {
      if (search && this.searches.get(id) !== search) return;
      this.searches.delete(id);
      this.faults.set(id, { what: `the agent did not move: ${ (why).message}`, passing: false });
      await this.look(id);
    }
  }
  async look(id) {
    try {
      const seen = await this.now(id);
      this.tell(id, seen.shown);
      this.goOnFrom(id, seen);
    } catch (why) {
      this.halted(id, why);
    }
  }
  goOnFrom(id, { agent, falls }) {
    clearTimeout(this.timers.get(id));
    if (agent) void this.goOn(id);
    if (falls !== null) this.lookIn(id, Math.max(0, falls - Date.now()) + 20);
  }
  async advance(id, ply, search, move) {
    const next = await alone(`room-${id}`, async () => {
      const { record } = await this.find(id);
      if (this.searches.get(id) !== search || record.moves.length !== ply) return null;
      const moved = await this.crew.ask('room', { do: 'advance', record, ...time(), move });
      await this.keep(id, { record: moved.record });
      return moved;
    });
    if (this.searches.get(id) === search) this.searches.delete(id);
    if (!next) return;
    this.tell(id, next.shown);
    this.goOnFrom(id, next);
  }
  async mine({ rooms }) {
    const found = await Promise.all(rooms.map(async ({ room, token }) => {
      const kept = await load('rooms', room);
      return kept ? this.crew.ask('room', { do: 'list', record: kept.record, ...time(), token }).catch(() => null) : null;
    }));
    return { rooms: found.filter(Boolean) };
  }
  async delete(id, token) {
    return alone(`room-${id}`, async () => {
      const { record } = await this.find(id);
      await this.crew.ask('room', { do: 'owned', record, ...time(), token });
      await remove('rooms', id);
      this.endSearch(id);
      clearTimeout(this.timers.get(id));
      this.others?.postMessage(id);
      return { ok: true };
    });
  }
}
Object.assign(given, { choiceOf, Rooms });
});
define('local/transport.js', (given) => {
const { Refusal } = need('refusal.js');
const { site } = need('site.js');
const { Crew } = need('local/crew.js');
const { Matches } = need('local/matches.js');
const { Rooms, choiceOf } = need('local/rooms.js');
const crew = new Crew(site ?? '');
const rooms = new Rooms(crew);
const matches = new Matches(crew);
const QUESTIONS = ['games', 'agents', 'levels', 'evaluations', 'puzzles', 'position', 'explain', 'picture', 'import', 'export'];
const SEARCHES = ['exact', 'trace'];
async function file(path) {
  const response = await fetch(`${site}api/${path.split('/').map(encodeURIComponent).join('/')}`);
  if (!response.ok) throw new Refusal('There is nothing of that name here.', 404, {});
  return response;
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
  if (what === 'tournaments') {
    if (!name) return method === 'POST' ? matches.begin(posted) : matches.list();
    if (method === 'POST') return matches.tell(name, path[2]);
    return path[2] === 'games' ? matches.games(name, query.get('between'), Number(query.get('from') ?? 0)) : matches.show(name);
  }
  if (what === 'reports') return path[2] ? (await file(path.join('/'))).text() : (await file(name ? `reports/${name}.json` : 'reports.json')).json();
  throw new Refusal('This needs a quintet server: this page is served as static files, and everything happens in your browser.', 404, {});
}
async function answer(address, init) {
  const { pathname, searchParams } = new URL(address, location.origin);
  const path = pathname.replace(/^\/api\//, '').split('/').map(decodeURIComponent);
  const posted = init.body ? JSON.parse(String(init.body)) : null;
  try {
    const answered = await answerTo(init.method ?? 'GET', path, searchParams, posted, new Headers(init.headers), init.signal);
    const [type, body] = typeof answered === 'string' ? ['image/svg+xml', answered] : ['application/json', JSON.stringify(answered)];
    const made = init.method === 'POST' && ['rooms', 'tournaments'].includes(path.join());
    return new Response(body, { status: made ? 201 : 200, headers: { 'content-type': type } });
  } catch (why) {
    if (!(why instanceof Refusal) || !why.status) throw why;
    return new Response(JSON.stringify({ error: why.message, ...why.body }), { status: why.status, headers: { 'content-type': 'application/json' } });
  }
}
async function unfound({ do: what, game, position, from, moves, agent, proofs }) {
  if (what === 'review') return { accuracy: [null, null], plies: 0, stopped: true };
  if (!agent || proofs) return new Refusal('The search was stopped before it had found anything.', 422, {});
  const [move] = (await crew.ask('question', { name: 'position', posted: { game, position, from, moves } })).legal;
  return { move, value: null, win: null, draw: null, proven: null, pv: [move], nodes: 0, depth: 0, ms: 0 };
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
    this.running.set(id, { stop: () => search.stop((event) => choiceOf(event?.report), () => unfound(message)), leave: search.leave });
    const done = await search.done;
    this.running.delete(id);
    this.say(id, { done });
  }
}
Object.assign(given, { answer, LocalSocket });
});
