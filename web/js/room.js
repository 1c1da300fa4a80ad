// A game that the server keeps: against an agent, another person by link, or two people at one screen.

import * as api from './api.js';
import { Session } from './session.js';
import { read, write } from './settings.js';
import { socket } from './socket.js';

/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./types.js').Side} Side */
/** @typedef {{mine:Partial<Record<Side,string>>,invite?:{side:Side,token:string},made:number}} Keys */

const KEY = 'quintet.rooms';

/** Tokens of this browser. @returns {Record<string, Keys>} */
export const keptRooms = () => read(KEY, {});

/**
 * @param {string} room
 * @param {Keys|null} keys
 */
export function keepRoom(room, keys) {
  const all = keptRooms();
  if (keys) all[room] = keys;
  else delete all[room];
  write(KEY, all);
}

/**
 * Makes a room. `byLink` leaves the second person's seat to whoever gets the link.
 * @param {import('./types.js').Place & {seats:[Seat,Seat]}} wanted
 * @param {Side|null} byLink the seat to invite somebody to
 * @returns {Promise<string>} its name
 */
export async function makeRoom(wanted, byLink = null) {
  const { room, tokens } = await api.makeRoom(wanted);
  /** @type {Keys} */
  const keys = { mine: {}, made: Date.now() };
  for (const [seat, side] of /** @type {[number, Side][]} */ ([[0, 'first'], [1, 'second']])) {
    if (wanted.seats[seat].who !== 'person') continue;
    if (side === byLink) keys.invite = { side, token: tokens[seat] };
    else keys.mine[side] = tokens[seat];
  }
  // Between two agents nobody has a seat, but somebody must be able to take the game away.
  if (!keys.mine.first && !keys.mine.second) keys.mine.first = tokens[0];
  keepRoom(room, keys);
  return room;
}

export class RoomSession extends Session {
  /** @param {string} room */
  constructor(room) {
    super({ game: '' });
    this.name = room;
    this.keys = keptRooms()[room] ?? { mine: {}, made: 0 };
    /** @type {() => void} */
    this.leave = () => {};
    /** @type {string|null} what the server says of a search that waits */
    this.waiting = null;
    this.sending = false;
    /** What the agent told last, and how many moves stood before the one it looks for. @type {{ply:number,report:import('./types.js').Report}|null} */
    this.thought = null;
  }

  get room() {
    return this.name;
  }

  /** @returns {Side[]} */
  get mine() {
    return /** @type {Side[]} */ (['first', 'second']).filter((side, seat) => this.keys.mine[side] && this.seats[seat]?.who === 'person');
  }

  /** The server keeps the time, for whoever is to move. */
  ticks() {
    return true;
  }

  get interactive() {
    if (!this.state || this.state.outcome || this.sending) return false;
    return !this.live || this.mine.includes(this.state.to_move) || !this.mine.length;
  }

  /** @param {string} token given with a link */
  async accept(token) {
    const { rooms } = await api.myRooms([{ room: this.name, token }]);
    const side = rooms[0]?.seat;
    if (!side) throw new Error('The key in this link does not belong to a seat of this game; you can watch it.');
    this.keys = { ...this.keys, mine: { ...this.keys.mine, [side]: token }, made: this.keys.made || Date.now() };
    keepRoom(this.name, this.keys);
  }

  /** Begins to follow the room; ready when the first state is there. */
  join() {
    return /** @type {Promise<void>} */ (new Promise((good, bad) => {
      this.leave = socket.watch(this.name, Object.values(this.keys.mine)[0], (room) => this.hear(room).then(() => this.state && good(), bad), bad, (thought) => this.think(thought));
    }));
  }

  /** @param {{ply:number,report:import('./types.js').Report}} thought */
  think(thought) {
    this.thought = thought;
    this.dispatchEvent(new Event('think'));
  }

  /** @param {RoomState} room */
  async hear(room) {
    if (room.error || room.waiting) {
      this.waiting = room.error ?? room.waiting ?? null;
      this.changed(this.state, false);
      if (room.error) this.dispatchEvent(new CustomEvent('fault', { detail: { why: room.error } }));
      return;
    }
    const follow = this.live;
    const before = this.line.length;
    const previous = this.state;
    this.waiting = null;
    this.game = room.game;
    this.from = room.from;
    this.seats = room.seats;
    this.ms = room.ms;
    if (room.moves.join() !== this.line.join()) this.since = Date.now();
    this.line = [...room.moves];
    this.states.set(this.key(this.line), room);
    if (this.branch && this.branch.at > this.line.length) this.branch = null;
    if (!this.branch && (follow || this.ply > this.line.length)) {
      this.asked++;
      this.ply = this.line.length;
      this.state = room;
      this.changed(previous, Math.abs(this.line.length - before) === 1);
    } else this.changed(this.state, false);
  }

  /** @param {Side} side */
  token(side) {
    const token = this.keys.mine[side];
    if (!token) throw new Error('You have no seat in this game: you can watch it and try out moves on earlier positions.');
    return token;
  }

  /** @param {string} move */
  async move(move) {
    if (!this.state) return;
    if (!this.live) return super.move(move);
    if (!this.mine.length) {
      await this.stateOf([...this.line, move]);
      this.branch = { at: this.line.length, moves: [move] };
      return this.goto(this.ply + 1);
    }
    const token = this.token(this.state.to_move);
    this.redos = [];
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
    const before = this.line;
    const turn = this.state?.to_move;
    // With both seats at one screen, the side that moved last takes its move back.
    const asking = more.length && this.state ? (this.state.to_move === 'first' ? 'second' : 'first') : side;
    const held = asking === 'first' ? this.keys.mine.second : this.keys.mine.first;
    await socket.ask({ do: 'undo', room: this.name, token: this.token(asking), other: held });
    // An agent's answer goes with the move that it answers, and comes again by itself.
    const move = before.at(turn === asking ? -2 : -1);
    if (move !== undefined) this.redos.push(move);
  }

  async redo() {
    if (this.branch || !this.live || !this.redos.length) return super.redo();
    const left = [...this.redos];
    const move = left.pop();
    if (move === undefined) return;
    await this.move(move);
    this.redos = left;
  }

  /** The agent that is thinking moves now. */
  async hurry() {
    const token = Object.values(this.keys.mine)[0];
    if (!token) throw new Error('You have no seat in this game; its agent moves when it is ready.');
    await socket.ask({ do: 'hurry', room: this.name, token });
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
