// Addresses of the page: everything after the hash. `#g=SPEC&m=MOVES&p=PLY` is a whole game; it needs nothing kept anywhere.

/** The longest link that is offered; beyond it the game is downloaded. */
export const LONGEST_LINK = 4096;

/** @typedef {{kind:'start'}|{kind:'page',page:string,game?:string}|{kind:'puzzle',puzzle:string}|{kind:'room',room:string,token?:string}|
 *   {kind:'game',game:string,from:string|null,moves:string[],ply:number|null,tab?:string}|{kind:'bad',why:string}} Address */

/**
 * @param {string} hash
 * @returns {Address}
 */
export function parse(hash) {
  const text = hash.replace(/^#/, '');
  if (!text) return { kind: 'start' };
  /** @type {URLSearchParams} */
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

/**
 * @param {{game:string,from:string|null,moves:string[],ply?:number}} place
 */
export function write({ game, from, moves, ply }) {
  // What hashes may hold as it is stays as it is, so that people can read the link.
  const plain = (/** @type {string} */ text) => encodeURIComponent(text).replace(/%(28|29|3D|2C|2F|5E|3A)/g, (code) => decodeURIComponent(code));
  const parts = [`g=${plain(game)}`];
  if (from) parts.push(`f=${plain(from)}`);
  if (moves.length) parts.push(`m=${plain(moves.join(','))}`);
  if (ply !== undefined && ply !== moves.length) parts.push(`p=${ply}`);
  return `#${parts.join('&')}`;
}

/**
 * The hash of a link with a path, such as `/room/ID#t=TOKEN`: such links tell what they are about before they are opened. Null for any other.
 * @param {string} path
 * @param {string} hash
 */
export function ofPath(path, hash) {
  const room = /^\/room\/([^/]+)$/.exec(path)?.[1];
  return room === undefined ? null : `#room=${room}${hash.length > 1 ? `&${hash.slice(1)}` : ''}`;
}

/**
 * The link to a room, with the token of an invitation; what stands after the hash is sent to nobody.
 * @param {string} room
 * @param {string} [token]
 */
export const toRoom = (room, token) => `${location.origin}/room/${room}${token ? `#t=${token}` : ''}`;

/**
 * @param {string} hash
 */
export const whole = (hash) => `${location.origin}${location.pathname}${hash}`;
