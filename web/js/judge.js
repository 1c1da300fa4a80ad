// What an engine's numbers mean. Values are win shares, 1 for a won game and 1/2 for a draw; a score of another scale stays a score.

/** @typedef {import('./types.js').Report} Report */
/** @typedef {import('./types.js').Done} Done */
/** @typedef {import('./types.js').Side} Side */
/** @typedef {import('./types.js').State} State */
/** @typedef {'win'|'draw'|'loss'} Proven */

/**
 * What is known of a position, for the first player. `value` is null when the engine has only a score; `draw` when it does not say.
 * @typedef {{value:number|null,draw:number|null,exact:Proven|null,distance:number|null,score:number|null}} Verdict
 */

/** @type {Record<Proven, number>} */
export const WORTH = { win: 1, draw: 0.5, loss: 0 };
/** @type {Record<Proven, Proven>} */
const TURNED = { win: 'loss', draw: 'draw', loss: 'win' };

/**
 * @param {number|null} value
 * @param {Side} side
 */
const forFirst = (value, side) => (value === null ? null : side === 'first' ? value : 1 - value);

/**
 * Does an engine count visits? Then its values are win shares.
 * @param {Report} report
 */
export const counts = (report) => report.roots.length > 0 && report.roots[0].visits !== null;

/**
 * @param {Report} report
 * @param {Side} side the side to move
 * @returns {Verdict}
 */
export function fromReport(report, side) {
  const value = counts(report) ? report.value : null;
  const score = value === null && report.value !== null ? (side === 'first' ? report.value : -report.value) : null;
  return { value: forFirst(value, side), draw: null, exact: null, distance: null, score };
}

/**
 * @param {Done} done
 * @param {Side} side the side to move
 * @returns {Verdict}
 */
export function fromDone(done, side) {
  const exact = done.proven && (side === 'first' ? done.proven : TURNED[done.proven]);
  if (exact) return { value: WORTH[exact], draw: exact === 'draw' ? 1 : 0, exact, distance: done.distance ?? null, score: null };
  if (done.win === null) {
    const score = done.value === null ? null : side === 'first' ? done.value : -done.value;
    return { value: null, draw: null, exact: null, distance: null, score };
  }
  return { value: forFirst(done.win + (done.draw ?? 0) / 2, side), draw: done.draw, exact: null, distance: null, score: null };
}

/**
 * @param {Extract<import('./types.js').Exact, {known:true}>} known
 * @param {Side} side the side to move
 * @returns {Verdict}
 */
export function fromExact({ outcome, distance }, side) {
  const exact = side === 'first' ? outcome : TURNED[outcome];
  return { value: WORTH[exact], draw: exact === 'draw' ? 1 : 0, exact, distance, score: null };
}

/**
 * Moves that keep what the position is worth; where a win has a length, those that win soonest.
 * @param {Extract<import('./types.js').Exact, {known:true}>} known
 */
export function rightMoves({ outcome, moves }) {
  const good = moves.filter((move) => move.outcome === outcome);
  if (outcome !== 'win') return good;
  const shortest = Math.min(...good.map(({ distance }) => distance ?? Infinity));
  return good.filter(({ distance }) => (distance ?? Infinity) <= shortest);
}

/**
 * The move that holds out longest: the best outcome, the longest loss, the shortest win.
 * @param {Extract<import('./types.js').Exact, {known:true}>} known
 */
export function toughest({ moves }) {
  return moves.reduce((/** @type {import('./types.js').ExactMove|null} */ best, move) => (best && better(best, move) <= 0 ? best : move), null);
}

/** Orders proven moves: the better outcome first, the shorter win, the longer loss. @param {import('./types.js').ExactMove} a @param {import('./types.js').ExactMove} b */
export function better(a, b) {
  const rank = (/** @type {import('./types.js').ExactMove} */ { outcome, distance }) => WORTH[outcome] * 1e6 + (distance ?? 0) * (outcome === 'win' ? -1 : 1);
  return rank(b) - rank(a);
}

/**
 * How a position stood before a move that was reviewed.
 * @param {import('./types.js').Ply} ply
 * @returns {Verdict}
 */
export function fromPly({ player, before, draw, proven }) {
  const exact = proven && (player === 'first' ? proven : TURNED[proven]);
  return { value: forFirst(before, player), draw, exact, distance: null, score: null };
}

/**
 * A game that is over on the board is known exactly; one that was given up or lost on time is not.
 * @param {State} state
 * @returns {Verdict|null}
 */
export function fromOutcome(state) {
  if (!state.outcome || ['resigned', 'time'].includes(state.reason ?? '')) return null;
  const exact = state.outcome === 'draw' ? 'draw' : state.outcome === 'first' ? 'win' : 'loss';
  return { value: WORTH[exact], draw: exact === 'draw' ? 1 : 0, exact, distance: 0, score: null };
}

/**
 * @param {Verdict} verdict
 * @param {Side} side
 */
export const valueFor = (verdict, side) => forFirst(verdict.value, side);

/** @param {number} value */
export const percent = (value) => `${Math.round(value * 100)} %`;

/**
 * A verdict in words, for a side.
 * @param {Verdict} verdict
 * @param {Side} side
 */
export function words(verdict, side) {
  if (verdict.exact) {
    const exact = side === 'first' ? verdict.exact : TURNED[verdict.exact];
    if (exact === 'draw') return 'draw';
    const verb = exact === 'win' ? 'wins' : 'loses';
    return verdict.distance ? `${verb} in ${verdict.distance}` : verb;
  }
  const value = valueFor(verdict, side);
  if (value !== null) return percent(value);
  if (verdict.score === null) return 'no value';
  const score = side === 'first' ? verdict.score : -verdict.score;
  return `score ${score > 0 ? '+' : ''}${Number(score.toPrecision(3))}`;
}

/** Classes of moves as the server's review has them. @typedef {'fine'|'inaccuracy'|'mistake'|'blunder'|'win thrown away'} Class */

/**
 * Accuracy of some moves in percent, as the server's review has it: the mean of the arithmetic and the harmonic mean of 100 exp(-4 loss). Null for no moves.
 * @param {number[]} losses
 */
export function accuracy(losses) {
  const each = losses.map((loss) => 100 * Math.exp(-4 * loss));
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);
  return losses.length ? (sum(each) / losses.length + losses.length / sum(each.map((one) => 1 / one))) / 2 : null;
}
