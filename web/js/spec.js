// Game specs and agent specs as text: `twixt(size=12,swap=off)`. Only what the page needs to put choices together; the server reads them in earnest.

/** @typedef {import('./types.js').GameInfo} GameInfo */
/** @typedef {import('./types.js').Side} Side */

/**
 * @param {string} text
 * @returns {{name: string, options: Record<string, string>}}
 */
export function parse(text) {
  const found = /^([^(]*)(?:\((.*)\))?$/.exec(text.trim());
  const options = /** @type {Record<string, string>} */ ({});
  for (const pair of (found?.[2] ?? '').split(',')) {
    const at = pair.indexOf('=');
    if (at > 0) options[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return { name: (found?.[1] ?? text).toLowerCase(), options };
}

/**
 * @param {string} name
 * @param {Record<string, string>} options those that differ from the defaults
 */
export function write(name, options) {
  const pairs = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return pairs.length ? `${name}(${pairs.join(',')})` : name;
}

/**
 * @param {GameInfo[]} games
 * @param {string} spec
 */
export function infoOf(games, spec) {
  const { name } = parse(spec);
  return games.find((info) => info.game === name);
}

/** @param {Side} side */
export const other = (side) => /** @type {Side} */ (side === 'first' ? 'second' : 'first');

/** @param {Side} side */
export const indexOf = (side) => (side === 'first' ? 0 : 1);

/**
 * A game as a person reads it: "TwixT, size 8, swap off".
 * @param {GameInfo[]} games
 * @param {string} spec
 */
export function titleOf(games, spec) {
  const { options } = parse(spec);
  const more = Object.entries(options).map(([key, value]) => `${key} ${value}`);
  return [infoOf(games, spec)?.title ?? spec, ...more].join(', ');
}

/**
 * An agent as a person reads it: the catalogue's name without its game.
 * @param {string} agent
 */
export const shortAgent = (agent) => agent.replace(/^[a-z-]+:/, '').replace(/mode=printed,?|\(\)/g, '').replace(/\(\)$/, '');
