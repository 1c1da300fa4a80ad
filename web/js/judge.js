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
const WORTH = { win: 1, draw: 0.5, loss: 0 };
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
 * What a position is worth as its last report weighs it: the mean over all replies. A move's value in the search before is the same mean, so the two can be
 * compared; the best reply alone is always a little too good for the side to move, and would make a mistake of every move.
 * @param {Report} report
 * @param {Done} done
 * @param {Side} side the side to move
 * @returns {Verdict}
 */
export function weighed(report, done, side) {
  const known = fromDone(done, side);
  const visits = report.roots.reduce((sum, root) => sum + (root.visits ?? 0), 0);
  if (known.exact || !counts(report) || !visits) return known;
  const mean = report.roots.reduce((sum, root) => sum + (root.visits ?? 0) * root.value, 0) / visits;
  return { ...known, value: forFirst(mean, side) };
}

/**
 * A game that is over on the board is known exactly; one that was given up is not.
 * @param {State} state
 * @returns {Verdict|null}
 */
export function fromOutcome(state) {
  if (!state.outcome || state.reason === 'resigned') return null;
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

/** Losses of win share below which a move is of a class; beyond the last it is a blunder. */
export const CLASSES = /** @type {const} */ ([['fine', 0.05], ['inaccuracy', 0.15], ['mistake', 0.3], ['blunder', Infinity]]);

/** @typedef {'fine'|'inaccuracy'|'mistake'|'blunder'|'win thrown away'} Class */

/**
 * @param {number} loss
 * @returns {Class}
 */
export const classOf = (loss) => CLASSES.find(([, below]) => loss < below)?.[0] ?? 'blunder';

/**
 * How good one move was.
 * @param {Verdict} before
 * @param {Verdict} after
 * @param {Side} mover
 * @returns {{loss:number,kind:Class}|null} null when the engine has no win shares
 */
export function grade(before, after, mover) {
  const [was, is] = [valueFor(before, mover), valueFor(after, mover)];
  if (was === null || is === null) return null;
  const loss = Math.max(0, was - is);
  const won = before.exact === (mover === 'first' ? 'win' : 'loss');
  const thrown = won && after.exact !== null && after.exact !== before.exact;
  return { loss, kind: thrown ? 'win thrown away' : classOf(loss) };
}

/**
 * Accuracy of some moves: 100 less the mean loss of win share in percent. Null for no moves.
 * @param {number[]} losses
 */
export const accuracy = (losses) =>
  losses.length ? 100 * (1 - losses.reduce((sum, loss) => sum + loss, 0) / losses.length) : null;
