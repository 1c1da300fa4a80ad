// The API without a server: the addresses of docs/api.md answered by workers of the browser, its games kept in the browser, and what a server would
// only hand out read from files. What belongs to a server (games with people elsewhere, training, experiments) is refused with a sentence.

import { Refusal } from '../refusal.js';
import { site } from '../site.js';
import { Crew } from './crew.js';
import { Matches } from './matches.js';
import { Rooms, choiceOf } from './rooms.js';

const crew = new Crew(site ?? '');
const rooms = new Rooms(crew);
const matches = new Matches(crew);

/** What is answered at once. */
const QUESTIONS = ['games', 'agents', 'levels', 'evaluations', 'puzzles', 'position', 'explain', 'picture', 'import', 'export'];
/** What is answered by a search, which may take a while. */
const SEARCHES = ['exact', 'trace'];

/** What a server would only hand out is a file here. @param {string} path */
async function file(path) {
  const response = await fetch(`${site}api/${path.split('/').map(encodeURIComponent).join('/')}`);
  if (!response.ok) throw new Refusal('There is nothing of that name here.', 404, {});
  return response;
}

/**
 * @param {string} method
 * @param {string[]} path
 * @param {URLSearchParams} query
 * @param {any} posted
 * @param {Headers} headers
 * @param {AbortSignal|null|undefined} signal
 * @returns {Promise<any>}
 */
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

/**
 * The answer to what a server would be asked.
 * @param {string} address
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export async function answer(address, init) {
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

/** What a search ends with that is stopped before it has told anything: an agent that plays makes some move. @param {any} message */
async function unfound({ do: what, game, position, from, moves, agent, proofs }) {
  if (what === 'review') return { accuracy: [null, null], plies: 0, stopped: true };
  if (!agent || proofs) return new Refusal('The search was stopped before it had found anything.', 422, {});
  const [move] = (await crew.ask('question', { name: 'position', posted: { game, position, from, moves } })).legal;
  return { move, value: null, win: null, draw: null, proven: null, pv: [move], nodes: 0, depth: 0, ms: 0 };
}

/** Stands for a WebSocket: takes its frames, and answers them. */
export class LocalSocket extends EventTarget {
  constructor() {
    super();
    /** @type {number} */
    this.readyState = WebSocket.CONNECTING;
    /** What runs under an id. @type {Map<unknown, {stop: () => void, leave: () => void}>} */
    this.running = new Map();
    setTimeout(() => {
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event('open'));
    });
  }

  /** @param {unknown} id @param {any} said */
  say(id, said) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ ...said, id }) }));
  }

  /** @param {string} frame */
  send(frame) {
    const message = JSON.parse(frame);
    this.hear(message).catch((why) => {
      this.running.delete(message.id);
      this.say(message.id, why instanceof Refusal ? { ...why.body, error: why.message } : { error: String(why?.message ?? why) });
    });
  }

  /** @param {any} message */
  async hear({ id, ...message }) {
    if (message.do === 'stop') {
      const work = this.running.get(message.what);
      if (!work) throw new Refusal('no request of that id is running', 404, {});
      work.stop();
      return this.say(id, { ok: true });
    }
    if (message.do === 'watch') {
      let left = false;
      /** @type {() => void} */
      let leave = () => void (left = true);
      this.running.set(id, { stop: () => (this.running.delete(id), leave()), leave: () => leave() });
      leave = await rooms.watch(message.room, message.token, (event) => left || this.say(id, event));
      if (left) leave();
      return undefined;
    }
    if (message.do === 'analyse' || message.do === 'review') return this.search(id, message);
    return this.say(id, await rooms.obey(message));
  }

  /** @param {unknown} id @param {any} message */
  async search(id, message) {
    const { do: what, ...asked } = message;
    const tell = [(/** @type {any} */ event) => this.say(id, event), (/** @type {number} */ place) => this.say(id, { queued: place })];
    const search = what === 'review' ? crew.search('review', asked, tell[0], tell[1]) : crew.search('search', message, tell[0], tell[1]);
    this.running.set(id, { stop: () => search.stop((event) => choiceOf(event?.report), () => unfound(message)), leave: search.leave });
    const done = await search.done;
    this.running.delete(id);
    this.say(id, { done });
  }
}
