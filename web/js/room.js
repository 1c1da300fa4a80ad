// A game that the server keeps: against an agent, another person by link, or two people at one screen.

import * as api from './api.js';
import { Session } from './session.js';
import { note } from './say.js';
import { read, settings, write } from './settings.js';
import { socket } from './socket.js';

/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./types.js').Side} Side */
/** What this browser may do in a room. @typedef {{mine:Partial<Record<Side,string>>,owner?:string,invite?:{side:Side,token:string},made:number}} Keys */

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
 * @param {import('./types.js').Place & {seats:[Seat,Seat],clock?:import('./types.js').TimeControl|null}} wanted
 * @param {Side|null} byLink the seat to invite somebody to
 * @returns {Promise<string>} its name
 */
export async function makeRoom(wanted, byLink = null) {
  const { room, tokens, owner, notice } = await api.makeRoom(wanted);
  if (notice) note(notice);
  /** @type {Keys} */
  const keys = { mine: {}, owner, made: Date.now() };
  for (const [seat, side] of /** @type {[number, Side][]} */ ([[0, 'first'], [1, 'second']])) {
    const token = tokens[seat];
    if (!token) continue;
    if (side === byLink) keys.invite = { side, token };
    else keys.mine[side] = token;
  }
  keepRoom(room, keys);
  return room;
}

/** The token with which this browser takes part in a room: that of its maker, or of a seat. @param {Keys} keys */
export const anyToken = (keys) => keys.owner ?? Object.values(keys.mine)[0];

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
    /** Why the agent does not move. @type {import('./types.js').RoomFault|null} */
    this.fault = null;
    this.sending = false;
    /** How many moves the server could make again. */
    this.undone = 0;
    /** Who has asked the other person to let them take a move back. @type {Side|null} */
    this.undoAsked = null;
    /** Who has asked the other person for another game. @type {Side|null} */
    this.rematchAsked = null;
    /** The room of that game. @type {string|null} */
    this.rematch = null;
    /** The seat that the token opens with which the room is watched. @type {Side|null} */
    this.opened = null;
    /** The clocks as they stood when the server told of them, and when that was. @type {import('./types.js').RoomClock|null} */
    this.clock = null;
    this.heard = 0;
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

  /** What is left to each side by the server's clocks. @returns {[number, number]|null} */
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
    // A game with a clock against an agent is played without taking moves back.
    if (this.clock && this.seats.some((seat) => seat.who === 'agent')) return false;
    if (this.last?.outcome || !this.mine.length || (this.between && this.undoAsked === this.mine[0])) return false;
    // The agent's first move alone is nothing to take back.
    return this.line.length > (this.mine.length === 1 && this.mine[0] !== this.firstToMove() ? 1 : 0);
  }

  get canRedo() {
    if (this.branch || !this.live) return super.canRedo;
    return this.undone > 0 && this.mine.length > 0 && !this.between;
  }

  /** Is it a game between people of whom not all are here? */
  get between() {
    return this.seats.every((seat) => seat.who === 'person') && this.mine.length < 2;
  }

  get advised() {
    return !this.between || !!this.last?.outcome;
  }

  /** Takes the seat of an invitation, which is good for one browser. @param {string} invitation given with a link */
  async accept(invitation) {
    if (Object.values(this.keys.mine).includes(invitation)) return;
    const { token, seat } = await api.claimSeat(this.name, invitation, settings.get('name'));
    this.keys = { ...this.keys, mine: { ...this.keys.mine, [seat]: token }, made: this.keys.made || Date.now() };
    keepRoom(this.name, this.keys);
  }

  /** Begins to follow the room; ready when the first state is there. @param {string} [invitation] */
  join(invitation) {
    return /** @type {Promise<void>} */ (new Promise((good, bad) => {
      this.leave = socket.watch(this.name, invitation ?? Object.values(this.keys.mine)[0], (room) => this.hear(room).then(() => this.state && good(), bad), bad, (thought) => this.think(thought));
    }));
  }

  /** @param {{ply:number,report:import('./types.js').Report}} thought */
  think(thought) {
    this.thought = thought;
    this.dispatchEvent(new Event('think'));
  }

  /** @param {RoomState} room */
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
    // Last: what listens keeps the address true to this game.
    if (room.rematch) this.playAgain(room.rematch, begins);
  }

  /** The guest has come: the invitation is used, and the host is told. @param {RoomState} room */
  greet(room) {
    const { invite } = this.keys;
    if (!invite || !room.claimed) return;
    const seat = room.seats[invite.side === 'first' ? 0 : 1];
    this.keys = { ...this.keys, invite: undefined };
    keepRoom(this.name, this.keys);
    note(`${(seat.who === 'person' && seat.name) || 'Your guest'} has arrived.`);
  }

  /** The next game has the tokens of this one, with the seats exchanged; who plays is taken there when it begins. @param {string} next @param {boolean} begins */
  playAgain(next, begins) {
    const { mine: { first, second }, owner } = this.keys;
    if (!anyToken(this.keys)) return;
    if (!keptRooms()[next]) keepRoom(next, { mine: { ...(second && { first: second }), ...(first && { second: first }) }, owner, made: Date.now() });
    if (begins && location.hash === `#room=${this.name}`) location.hash = `#room=${next}`;
  }

  /** Asks the other person for another game, or agrees to it. */
  async askRematch() {
    await socket.ask({ do: 'rematch', room: this.name, token: this.token(this.mine[0]) });
  }

  /** Gives one's own seat a name. @param {string} name */
  async rename(name) {
    await socket.ask({ do: 'name', room: this.name, token: this.token(this.mine[0]), name });
  }

  /** Declines what the other person asks for, or withdraws one's own question. */
  async decline() {
    await socket.ask({ do: 'decline', room: this.name, token: this.token(this.mine[0]) });
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
    // With both seats at one screen, the side that moved last takes its move back.
    const asking = more.length && this.state ? (this.state.to_move === 'first' ? 'second' : 'first') : side;
    const held = asking === 'first' ? this.keys.mine.second : this.keys.mine.first;
    await socket.ask({ do: 'undo', room: this.name, token: this.token(asking), other: held });
  }

  async redo() {
    if (this.branch || !this.live) return super.redo();
    const [side, other] = this.mine;
    if (!side) throw new Error('You have no seat in this game.');
    // With both seats at one screen, the side whose move it is makes it again.
    const asking = other && this.state ? this.state.to_move : side;
    const held = asking === 'first' ? this.keys.mine.second : this.keys.mine.first;
    await socket.ask({ do: 'redo', room: this.name, token: this.token(asking), other: held });
  }

  /** The agent that is thinking moves now. */
  async hurry() {
    const token = anyToken(this.keys);
    if (!token) throw new Error('You have no seat in this game; its agent moves when it is ready.');
    await socket.ask({ do: 'hurry', room: this.name, token });
  }

  /** The agent that failed tries again. */
  async retry() {
    await socket.ask({ do: 'retry', room: this.name, token: anyToken(this.keys) });
  }

  /** Gives the seat of the agent that is to move to another agent or a person; a person gets it in this browser. @param {Seat} seat */
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
