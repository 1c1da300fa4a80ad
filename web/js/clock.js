// Times in words and figures.

/** Below this, a clock that counts down shows tenths, and warns. */
export const LOW = 10_000;

/** Time that was used. @param {number} ms */
export function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Time that is left: never nothing before it is over. @param {number} ms */
export const countdown = (ms) => (ms < LOW ? `0:0${(Math.min(99, Math.ceil(ms / 100)) / 10).toFixed(1)}` : clock(Math.ceil(ms / 1000) * 1000));

/**
 * A clock in words.
 * @param {import('./types.js').TimeControl} control
 */
export function clockName({ main_ms, increment_ms }) {
  const [count, unit] = main_ms < 60_000 ? [main_ms / 1000, 'second'] : [Number((main_ms / 60_000).toFixed(1)), 'minute'];
  const main = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return increment_ms ? `${main}, ${increment_ms / 1000} s more per move` : main;
}
