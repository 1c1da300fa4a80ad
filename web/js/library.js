// Games that only this browser knows: analysis boards, imported games, engine matches. The newest come first; the oldest make room.

import { read, write } from './settings.js';

/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {{id:string,game:string,from:string|null,moves:string[],seats:[Seat,Seat],notes:Record<number,string>,at:number,outcome:string|null}} Kept */

const KEY = 'quintet.games';
const MOST = 200;

/** @returns {Kept[]} */
export const keptGames = () => read(KEY, []);

/** @param {import('./session.js').Session} session */
export function keepGame(session) {
  if (session.room) {
    write(`quintet.notes.${session.room}`, session.notes);
    return;
  }
  if (!session.id || !session.touched) return;
  /** @type {Kept} */
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

/** @param {string} id */
export function dropGame(id) {
  write(KEY, keptGames().filter((game) => game.id !== id));
}

/** @param {string} room */
export const roomNotes = (room) => /** @type {Record<number, string>} */ (read(`quintet.notes.${room}`, {}));

/** A name that no other game has. */
export const freshId = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
