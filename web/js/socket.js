// The WebSocket: requests with ids, answers as they come. It opens itself again when it breaks, watches what was watched, and sends again what was
// not answered: a move carries its ply, so one that arrives twice is played once. On a host of plain files the workers of the browser stand in for it.

import { site } from './site.js';

/** @typedef {import('./types.js').Report} Report */
/** @typedef {import('./types.js').Done} Done */
/** @typedef {import('./types.js').Place} Place */
/** @typedef {import('./types.js').Limit} Limit */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @template T @typedef {{done: Promise<T>, stop: () => void, leave: () => void}} Work */
/** @typedef {{frame:any,hear:(answer:any)=>boolean,broken:(why:Error)=>void,again:boolean}} Wait */

/** The longest frame that the server takes, less a little. */
const LONGEST_FRAME = 8000;

export class Socket extends EventTarget {
  constructor() {
    super();
    /** @type {WebSocket|import('./local/transport.js').LocalSocket|null} */
    this.socket = null;
    this.opening = false;
    /** @type {Map<number, Wait>} */
    this.waits = new Map();
    this.next = 1;
    this.tries = 0;
    this.up = false;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
  }

  async open() {
    clearTimeout(this.timer);
    if (this.opening || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    this.opening = true;
    const socket = site === null ? new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`) : new (await import('./local/transport.js')).LocalSocket();
    this.opening = false;
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.tries = 0;
      this.up = true;
      for (const wait of this.waits.values()) socket.send(JSON.stringify(wait.frame));
      this.dispatchEvent(new Event('up'));
    });
    socket.addEventListener('message', (event) => this.hear(JSON.parse(/** @type {MessageEvent} */ (event).data)));
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

  /** @param {any} answer */
  hear(answer) {
    const wait = this.waits.get(answer.id);
    if (!wait) return;
    if (answer.error && !answer.room) {
      this.waits.delete(answer.id);
      const error = /** @type {Error & {busy?: boolean}} */ (new Error(answer.error));
      error.busy = answer.code === 'busy';
      wait.broken(error);
    } else if (wait.hear(answer)) this.waits.delete(answer.id);
  }

  /**
   * @param {Record<string, unknown>} request
   * @param {boolean} again whether it is sent again after a broken connection
   * @param {(answer: any) => boolean} hear says whether this was the last answer
   * @param {(why: Error) => void} broken
   */
  send(request, again, hear, broken) {
    const id = this.next++;
    const wait = { frame: { id, ...request }, hear, broken, again };
    this.waits.set(id, wait);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(wait.frame));
    else this.open();
    return id;
  }

  /**
   * Something that is answered once.
   * @param {Record<string, unknown>} request
   * @returns {Promise<any>}
   */
  ask(request) {
    return new Promise((good, bad) => {
      this.send(request, true, (answer) => (good(answer), true), bad);
    });
  }

  /**
   * Follows a room until the returned function is called.
   * @param {string} room
   * @param {string|undefined} token
   * @param {(room: RoomState) => void} hear
   * @param {(why: Error) => void} broken
   * @param {(thought: {ply:number,report:Report}) => void} think
   */
  watch(room, token, hear, broken, think) {
    const tell = (/** @type {any} */ answer) => (answer.thinking ? think(answer.thinking) : answer.room && hear(answer.room));
    const id = this.send({ do: 'watch', room, token }, true, (answer) => (tell(answer), false), broken);
    return () => this.drop(id);
  }

  /** @param {number} id */
  drop(id) {
    if (!this.waits.delete(id)) return;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ id: this.next++, do: 'stop', what: id }));
  }

  /**
   * A search. `stop` ends it with what it has; `leave` forgets it.
   * @param {Place} place
   * @param {{agent?:string,proofs?:boolean,limit?:Limit,seed?:number,report?:(report:Report)=>void,queued?:(place:number)=>void,short?:string}} how
   *   short: the position of the last move, for a game whose moves are too long for a frame
   * @returns {Work<Done>}
   */
  analyse(place, how) {
    /** @type {Record<string, unknown>} */
    let request = { do: 'analyse', ...place, agent: how.agent, proofs: how.proofs, limit: how.limit ?? {}, seed: how.seed };
    if (how.short && JSON.stringify(request).length > LONGEST_FRAME) request = { ...request, position: how.short, moves: [] };
    return this.work(request, (answer) => (answer.report ? how.report?.(answer.report) : answer.queued !== undefined && how.queued?.(answer.queued)));
  }

  /**
   * A game looked at again, move by move.
   * @param {Place} place
   * @param {{agent?:string,limit?:Limit,ply:(ply:import('./types.js').Ply)=>void,queued?:(place:number)=>void}} how
   * @returns {Work<{accuracy:(number|null)[],plies:number,stopped:boolean}>}
   */
  review(place, how) {
    const request = { do: 'review', ...place, agent: how.agent, proofs: true, limit: how.limit ?? {} };
    if (JSON.stringify(request).length > LONGEST_FRAME) throw new Error('The game is too long to review as a whole; open it from a later position.');
    return this.work(request, (answer) => (answer.ply ? how.ply(answer.ply) : answer.queued !== undefined && how.queued?.(answer.queued)));
  }

  /**
   * Something that takes a while, with news on the way.
   * @param {Record<string, unknown>} request
   * @param {(answer: any) => void} news
   * @returns {Work<any>}
   */
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

export const socket = new Socket();
