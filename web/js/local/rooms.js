// Games that the browser keeps: what `crates/server/src/rooms.rs` does on a server. The record of a room is stored before anybody is told of a change;
// other tabs are told that there is one, and read it.

import { Refusal } from '../refusal.js';
import { alone, fresh, lasts, load, remove, save } from './store.js';

/** @typedef {import('./crew.js').Crew} Crew */
/** @typedef {{record:any}} Kept */
/** @typedef {ReturnType<Crew['search']>} Search */

/** How long a room waits that could not be looked at or stored. */
const AGAIN_MS = 5000;

/** The time of a room's clocks: while the page was closed, nobody's ran. */
const time = () => ({ now: Date.now(), start: Math.round(performance.timeOrigin) });

/** What a search that is stopped would answer, from the last that it told. @param {any} report */
export function choiceOf(report) {
  if (!report) return undefined;
  const best = [...report.roots].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0) || b.value - a.value)[0];
  const move = report.pv[0] ?? best?.move;
  if (!move) return undefined;
  const root = report.roots.find((/** @type {any} */ one) => one.move === move);
  const share = root?.visits != null ? root.value : null;
  return { move, value: report.value ?? root?.value ?? null, win: share, draw: share === null ? null : 0, proven: root?.proven ?? null, pv: report.pv.length ? report.pv : [move],
    nodes: report.nodes, depth: report.depth, ms: report.ms };
}

export class Rooms {
  /** @param {Crew} crew */
  constructor(crew) {
    this.crew = crew;
    /** Who follows a room. @type {Map<string, Set<(event: any) => void>>} */
    this.listeners = new Map();
    /** @type {Map<string, Search>} the agent's search in a room */
    this.searches = new Map();
    /** @type {Map<string, {what:string,passing:boolean}>} why an agent does not move */
    this.faults = new Map();
    /** @type {Map<string, ReturnType<typeof setTimeout>>} when somebody's time is up in a room */
    this.timers = new Map();
    this.others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('quintet-rooms') : null;
    if (this.others) this.others.onmessage = ({ data }) => this.changedElsewhere(data);
  }

  /** @param {string} id @returns {Promise<Kept>} */
  async find(id) {
    const kept = typeof id === 'string' ? await load('rooms', id) : null;
    if (!kept) throw new Refusal('there is no such game in this browser, or it has been deleted', 404, {});
    return kept;
  }

  /** A room as everybody can see it. @param {string} id */
  async show(id) {
    const { record } = await this.find(id);
    const { shown: { seat, ...shown } } = await this.crew.ask('room', { do: 'show', record, ...time() });
    return { ...shown, fault: this.faults.get(id) ?? null };
  }

  /** @param {any} new_ */
  async make(new_) {
    const id = fresh().slice(0, 12);
    const made = await this.crew.ask('room', { do: 'make', new: new_, id, tokens: [fresh(), fresh(), fresh()], now: Date.now() });
    await this.keep(id, { record: made.record });
    const notice = (await lasts()) ? null : 'This browser stores no games for this page: they are gone when you leave it. Export what you want to keep.';
    return { ...made.answer, notice };
  }

  /** @param {string} id @param {Kept} kept */
  async keep(id, kept) {
    try {
      await save('rooms', id, kept);
    } catch (why) {
      throw new Refusal(`The browser does not store the game (${/** @type {Error} */ (why).message}). Free some space and try again.`, 507, {});
    }
    this.others?.postMessage(id);
  }

  /** Tells all who follow a room. @param {string} id @param {any} event */
  say(id, event) {
    for (const hear of this.listeners.get(id) ?? []) hear(event);
  }

  /** @param {string} id @param {any} shown */
  tell(id, shown) {
    this.say(id, { room: { ...shown, fault: this.faults.get(id) ?? null } });
  }

  /** @param {string} id */
  async changedElsewhere(id) {
    if (!this.listeners.get(id)?.size) return;
    this.endSearch(id);
    this.faults.delete(id);
    await this.look(id);
  }

  /** Tells why a room does not go on: it has been deleted, or something failed that is tried again. @param {string} id @param {unknown} why */
  halted(id, why) {
    clearTimeout(this.timers.get(id));
    const deleted = why instanceof Refusal && why.status === 404;
    this.say(id, { room: { room: id, waiting: deleted ? 'This game has been deleted.' : /** @type {Error} */ (why).message } });
    if (!deleted) this.lookIn(id, AGAIN_MS);
  }

  /** Looks at a room later, if it is still followed then. @param {string} id @param {number} ms */
  lookIn(id, ms) {
    this.timers.set(id, setTimeout(() => this.listeners.get(id)?.size && this.look(id), ms));
  }

  /**
   * A room as it is now. The game of somebody whose time is up is over, and stored before anybody is told of it.
   * @param {string} id
   * @param {string} [token]
   */
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

  /**
   * @param {string} id
   * @param {string|undefined} token
   * @param {(event: any) => void} hear
   * @returns {Promise<() => void>} no longer
   */
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

  /** Does what a message says. @param {any} message */
  async obey(message) {
    const id = message.room;
    if (message.do === 'hurry' || message.do === 'retry') return this.nudge(message);
    const asked = await alone(`room-${id}`, async () => {
      const { record } = await this.find(id);
      const obeyed = await this.crew.ask('room', { do: 'obey', record, ...time(), message, fresh: fresh() });
      if (obeyed.record) {
        // First: where it cannot be stored, nothing has happened, and the agent goes on.
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

  /** Hurries an agent, or lets it try again. @param {{do:string,room:string,token:string}} message */
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

  /** @param {string} id */
  endSearch(id) {
    this.searches.get(id)?.leave();
    this.searches.delete(id);
  }

  /** The agent whose turn it is finds its move, if somebody watches. @param {string} id */
  async goOn(id) {
    if (this.searches.has(id) || this.faults.has(id) || !this.listeners.get(id)?.size) return;
    /** @type {Search|null} */
    let search = null;
    try {
      const { record } = await this.find(id);
      if (this.searches.has(id)) return;
      search = this.crew.search('search', { do: 'think', record, ...time() }, (event) => this.say(id, event),
        (place) => this.say(id, { room: { room: id, waiting: `number ${place} in the queue of searches`, queued: place } }));
      this.searches.set(id, search);
      await this.advance(id, record.moves.length, search, (await search.done).move);
    } catch (why) {
      // Who has ended the search goes on without it.
      if (search && this.searches.get(id) !== search) return;
      this.searches.delete(id);
      this.faults.set(id, { what: `the agent did not move: ${/** @type {Error} */ (why).message}`, passing: false });
      await this.look(id);
    }
  }

  /** Tells how a room is now, and goes on from there. @param {string} id */
  async look(id) {
    try {
      const seen = await this.now(id);
      this.tell(id, seen.shown);
      this.goOnFrom(id, seen);
    } catch (why) {
      this.halted(id, why);
    }
  }

  /**
   * What comes next in a room: its agent thinks, or somebody's time runs.
   * @param {string} id
   * @param {{agent:boolean,falls:number|null}} seen
   */
  goOnFrom(id, { agent, falls }) {
    clearTimeout(this.timers.get(id));
    if (agent) void this.goOn(id);
    if (falls !== null) this.lookIn(id, Math.max(0, falls - Date.now()) + 20);
  }

  /**
   * Makes the move that a search has found, unless the game has changed meanwhile: in this tab, which ends the search, or in another.
   * @param {string} id
   * @param {number} ply
   * @param {Search} search
   * @param {string} move
   */
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

  /** @param {{rooms:{room:string,token:string}[]}} asked */
  async mine({ rooms }) {
    const found = await Promise.all(rooms.map(async ({ room, token }) => {
      const kept = await load('rooms', room);
      return kept ? this.crew.ask('room', { do: 'list', record: kept.record, ...time(), token }).catch(() => null) : null;
    }));
    return { rooms: found.filter(Boolean) };
  }

  /** @param {string} id @param {string} token */
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
