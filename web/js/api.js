// The answers of the API: a server's over HTTP, or on a host of plain files those of the same program in workers of the browser (`local/`). A refusal
// becomes an error whose message is the API's own sentence.

import { Refusal } from './refusal.js';
import { site } from './site.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').GameInfo} GameInfo */
/** @typedef {import('./types.js').AgentInfo} AgentInfo */
/** @typedef {import('./types.js').Level} Level */
/** @typedef {import('./types.js').Place} Place */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {{record:string|null,players:string[]|string|null,state:State|null,fault:string|null,notes:string[]}} Imported */

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {number} [tries]
 * @returns {Promise<Response>}
 */
async function fetched(path, init = {}, tries = 3) {
  let response;
  try {
    response = await (site === null ? fetch(path, init) : (await import('./local/transport.js')).answer(path, init));
  } catch (why) {
    if (why instanceof Refusal) throw why;
    throw new Refusal(site === null ? 'The server does not answer. Is quintet still running? Nothing you did is lost; try again.'
      : `The engine in this browser does not answer (${/** @type {Error} */ (why).message}). Load the page again; your games are kept.`, 0, {});
  }
  if (response.ok) return response;
  // Too many questions, or too many before this one: both say when to ask again.
  if ((response.status === 429 || response.status === 503) && tries > 1) {
    await new Promise((go) => setTimeout(go, 1000 * Number(response.headers.get('Retry-After') || 1)));
    return fetched(path, init, tries - 1);
  }
  const body = await response.json().catch(() => ({}));
  throw new Refusal(body.error || `The server answered with status ${response.status}.`, response.status, body);
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
export const json = async (path, init) => (await fetched(path, init)).json();

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
export const post = (path, body, signal) =>
  fetched(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal });

/** @type {Map<string, Promise<any>>} Lists that do not change while the server runs. */
const known = new Map();

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
function once(path) {
  const before = known.get(path);
  if (before) return before;
  const asked = json(path);
  known.set(path, asked);
  asked.catch(() => known.delete(path));
  return asked;
}

/** The games, with the names of their sides. @returns {Promise<GameInfo[]>} */
export const games = () => once('/api/games');

/**
 * @param {string} game
 * @returns {Promise<AgentInfo[]>}
 */
export const agents = (game) => once(`/api/agents?game=${encodeURIComponent(game)}`);

/**
 * @param {string} spec
 * @returns {Promise<{name:string,about:string}[]>}
 */
export const evaluations = (spec) => once(`/api/evaluations?game=${encodeURIComponent(spec)}`);

/**
 * The levels of a game, out of one list of all games.
 * @param {string} game
 * @returns {Promise<Level[]>}
 */
export const levels = async (game) => (/** @type {Level[]} */ (await once('/api/levels'))).filter((level) => level.game === game);

/** @returns {Promise<{puzzles:import('./types.js').Puzzle[]}>} */
export const puzzles = () => once('/api/puzzles');

/**
 * @param {Place} place
 * @returns {Promise<State>}
 */
export const position = async (place) => (await post('/api/position', place)).json();

/**
 * A small search of a position, step by step.
 * @param {Place} place
 * @param {string} agent
 * @param {number} depth
 * @returns {Promise<import('./types.js').Trace>}
 */
export const trace = async (place, agent, depth) => (await post('/api/trace', { ...place, agent, limit: { depth } })).json();

/**
 * What is proven of a position. A server without proofs knows nothing, which is an answer too.
 * @param {Place} place
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('./types.js').Exact>}
 */
export async function exact(place, signal) {
  try {
    return await (await post('/api/exact', place, signal)).json();
  } catch (why) {
    if (why instanceof Refusal && why.status) return { known: false, why: why.message };
    throw why;
  }
}

/**
 * @param {Place} place
 * @returns {Promise<string>}
 */
export const picture = async (place) => (await post('/api/picture', place)).text();

/**
 * A game in a format of `docs/records.md`.
 * @param {Place & {format:string,players?:string[],result?:string,reason?:string}} asked
 * @returns {Promise<string>}
 */
export const written = async (asked) => (await (await post('/api/export', asked)).json()).text;

/**
 * @param {Place & {eval:string,for?:string}} asked
 * @returns {Promise<{for:string,value:number,terms:{name:string,value:number,weight:number|null}[]}>}
 */
export const explain = async (asked) => (await post('/api/explain', asked)).json();

/**
 * @param {{text:string,format?:string,game?:string,swap?:string,crossing?:string}} asked
 * @returns {Promise<{games:Imported[]}>}
 */
export const read = async (asked) => (await post('/api/import', asked)).json();

/**
 * @param {Place & {seats:[Seat,Seat]}} wanted
 * @returns {Promise<{room:string,tokens:[string|null,string|null],owner:string,notice:string|null}>}
 */
export const makeRoom = async (wanted) => (await post('/api/rooms', wanted)).json();

/**
 * Takes the seat of an invitation.
 * @param {string} room
 * @param {string} token
 * @param {string} name
 * @returns {Promise<{token:string,seat:'first'|'second'}>}
 */
export const claimSeat = async (room, token, name) => (await post(`/api/rooms/${encodeURIComponent(room)}/claim`, { token, name })).json();

/**
 * @param {{room:string,token:string}[]} rooms
 * @returns {Promise<{rooms:RoomState[]}>}
 */
export const myRooms = async (rooms) => (await post('/api/rooms/mine', { rooms })).json();

/**
 * @param {string} room
 * @param {string} token
 */
export const deleteRoom = (room, token) =>
  fetched(`/api/rooms/${encodeURIComponent(room)}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
