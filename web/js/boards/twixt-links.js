// The geometry of TwixT's links: which cross, and the chain of a side that needs the fewest pegs.

import { cellName, cellPlace } from './text.js';

/** A link, named as in the position text. @typedef {{name: string, a: string, b: string}} Link */

/** A knight's moves. @type {[number, number][]} */
export const KNIGHT = [-2, -1, 1, 2].flatMap((dx) =>
  [-2, -1, 1, 2].filter((dy) => Math.abs(dx) !== Math.abs(dy)).map((dy) => /** @type {[number, number]} */ ([dx, dy])),
);

/** Reads `c2d4,d4f5` or `-`. @param {string} text @returns {Link[]} */
export function readLinks(text) {
  return [...text.matchAll(/([a-z]\d+)([a-z]\d+)/g)].map(([name, a, b]) => ({ name, a, b }));
}

/** Do two links cross? Those that share a peg do not. @param {[string, string]} one @param {[string, string]} other */
export function crossing([a, b], [c, d]) {
  const [p, q, r, s] = [a, b, c, d].map(cellPlace);
  /** Which side of the line u-v the point w lies on. @param {[number, number]} u @param {[number, number]} v @param {[number, number]} w */
  const side = (u, v, w) => Math.sign((v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0]));
  return side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0;
}

/**
 * A chain between the border lines of a side that needs the fewest new pegs: pegs on the board cost nothing, links that
 * something crosses cannot be used, and two pegs that stand already are joined only if they are linked.
 * @param {Map<string, string>} pieces
 * @param {Link[]} links
 * @param {number} size
 * @param {string} colour
 * @param {(link: Link) => boolean} stops whether a link stands in this side's way
 * @returns {string[] | null}
 */
export function cheapest(pieces, links, size, colour, stops) {
  const linked = new Set(links.flatMap(({ a, b }) => [a + b, b + a]));
  const walls = links.filter(stops);
  const far = size - 1;
  /** How far along the side's way a hole is. @param {string} id */
  const along = (id) => cellPlace(id)[colour === 'r' ? 1 : 0];
  /** @param {string} id */
  const open = (id) => {
    const piece = pieces.get(id);
    const across = cellPlace(id)[colour === 'r' ? 0 : 1];
    const corner = (across === 0 || across === far) && (along(id) === 0 || along(id) === far);
    return piece === colour || (piece === '.' && (corner || (across > 0 && across < far)));
  };
  /** @param {string} id */
  const price = (id) => (pieces.get(id) === colour ? 0 : 1);
  /** @param {string} a @param {string} b */
  const joined = (a, b) => (price(a) + price(b) === 0 ? linked.has(a + b) : !walls.some((wall) => crossing([a, b], [wall.a, wall.b])));

  /** @type {Map<string, {cost: number, from: string | null}>} */
  const best = new Map();
  /** Holes by cost; prices are 0 and 1, so a queue per cost is enough. @type {string[][]} */
  const queues = [[], []];
  for (const id of pieces.keys()) {
    if (along(id) !== 0 || !open(id)) continue;
    best.set(id, { cost: price(id), from: null });
    queues[price(id)].push(id);
  }
  for (let cost = 0; cost < queues.length; cost += 1) {
    queues[cost + 1] ??= [];
    for (const id of queues[cost]) {
      if (best.get(id)?.cost !== cost) continue;
      if (along(id) === far) return trace(id, best);
      const [col, row] = cellPlace(id);
      for (const [dx, dy] of KNIGHT) {
        const next = cellName(col + dx, row + dy);
        if (!pieces.has(next) || !open(next)) continue;
        const sum = cost + price(next);
        if (sum >= (best.get(next)?.cost ?? Infinity) || !joined(id, next)) continue;
        best.set(next, { cost: sum, from: id });
        queues[sum].push(next);
      }
    }
    if (cost > size * size) break;
  }
  return null;
}

/** @param {string} end @param {Map<string, {cost: number, from: string | null}>} best */
function trace(end, best) {
  /** @type {string[]} */
  const chain = [];
  for (let at = /** @type {string | null} */ (end); at !== null; at = best.get(at)?.from ?? null) chain.unshift(at);
  return chain;
}
