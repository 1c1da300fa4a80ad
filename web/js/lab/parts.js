// What the lab's pages have in common: numbers as people read them, boxes, tables, and looking again while something is at work.

import { el, fill } from '../dom.js';
import { icon } from '../icons.js';

/** @typedef {import('../dom.js').Child} Child */
/** @typedef {import('./requests.js').Wdl} Wdl */
/** @typedef {import('./requests.js').State} State */

/** Milliseconds between two looks at what is at work. */
const AGAIN = 1000;

/** @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;

/**
 * Four figures at most, without an exponent where one can do without.
 * @param {number} value
 */
export function tidy(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return value.toExponential(2).replace('-', '−').replace('e−', 'e-');
  return minus(String(Number(value.toPrecision(4))));
}

/**
 * Wilson's 95 % interval of a share.
 * @param {number} share
 * @param {number} number of how many
 * @returns {[number, number]}
 */
export function wilson(share, number) {
  const z = 1.959964;
  const middle = share + (z * z) / (2 * number);
  const half = z * Math.sqrt((share * (1 - share)) / number + (z * z) / (4 * number * number));
  const whole = 1 + (z * z) / number;
  return [(middle - half) / whole, (middle + half) / whole];
}

/** A minus sign that is as wide as a plus. @param {string} text */
export const minus = (text) => text.replace(/^-/, '−');

/** @param {number} value */
export const signed = (value) => `${value > 0 ? '+' : ''}${tidy(value)}`;

/** @param {Wdl} wdl */
export const counts = (wdl) => `${wdl.wins}-${wdl.draws}-${wdl.losses}`;

/** @param {Wdl} wdl */
export const scored = (wdl) => (wdl.score === null ? '–' : percent(wdl.score));

/** @param {Wdl} wdl */
export const range = (wdl) => (wdl.interval ? `${(100 * wdl.interval[0]).toFixed(0)}–${(100 * wdl.interval[1]).toFixed(0)} %` : '');

/** The same results for the other side. @param {Wdl} wdl @returns {Wdl} */
export const reversed = ({ wins, draws, losses, score, interval }) => ({ wins: losses, draws, losses: wins, score: score === null ? null : 1 - score, interval: interval ? [1 - interval[1], 1 - interval[0]] : null });

/** What a state looks like: never by colour alone. @type {Record<State, import('../icons.js').Icon>} */
const MARKS = { running: 'play', stopping: 'stop', stopped: 'pause', over: 'check' };

/** @param {State} state */
export const badge = (state) => el('span', { class: `badge ${state}` }, icon(MARKS[state]), state);

/**
 * A box with a heading.
 * @param {string} title
 * @param {...Child} children
 */
export const box = (title, ...children) => el('section', { class: 'box' }, el('h2', {}, title), ...children);

/**
 * A table in a box that scrolls by itself, so that the page never does sideways.
 * @param {string} name
 * @param {Child[]} head
 * @param {Child[][]} rows the first cell of a row names it
 * @param {string} [kind]
 */
export function grid(name, head, rows, kind = '') {
  const cells = rows.map((row) => el('tr', {}, ...row.map((cell, at) => (at ? el('td', {}, cell) : el('th', { scope: 'row' }, cell)))));
  return el('div', { class: 'scrollbox', tabindex: '0', role: 'region', 'aria-label': name },
    el('table', { class: `grid ${kind}` }, el('thead', {}, el('tr', {}, ...head.map((cell) => el('th', { scope: 'col' }, cell)))), el('tbody', {}, ...cells)));
}

/**
 * Facts, a pair each; those without a value are left out.
 * @param {[string, Child][]} pairs
 */
export const facts = (pairs) => el('dl', { class: 'facts' }, ...pairs.filter(([, value]) => value !== null && value !== '' && value !== undefined)
  .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));

/** A place for a refusal, where the person is looking. */
export class Complaint {
  constructor() {
    this.element = el('p', { class: 'bad complaint', role: 'alert' });
  }

  /**
   * Does something; what goes wrong is said here.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T|undefined>}
   */
  async around(work) {
    this.element.textContent = '';
    try {
      return await work();
    } catch (why) {
      this.element.textContent = why instanceof Error ? why.message : String(why);
      return undefined;
    }
  }
}

/**
 * Puts new children into a place that somebody may be using: the focus and what was opened stay.
 * @param {HTMLElement} place
 * @param {Child[]} children
 */
export function refill(place, children) {
  const key = /** @type {HTMLElement|null} */ (place.contains(document.activeElement) ? document.activeElement : null)?.dataset.key;
  const open = new Set([...place.querySelectorAll('details[open]')].map((one) => /** @type {HTMLElement} */ (one).dataset.key));
  fill(place, children);
  for (const one of place.querySelectorAll('details')) if (one.dataset.key && open.has(one.dataset.key)) one.open = true;
  if (key) /** @type {HTMLElement|null} */ (place.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
}

/**
 * Looks now, and again while `look` says that there is more to come and the place is on the screen.
 * @param {HTMLElement} place
 * @param {Complaint} complaint
 * @param {() => Promise<boolean>} look
 */
export async function follow(place, complaint, look) {
  do {
    // A window that nobody sees asks for nothing.
    if (!document.hidden && (await complaint.around(look)) === false) return;
    await new Promise((go) => setTimeout(go, AGAIN));
  } while (place.isConnected && place.offsetParent !== null);
}

/** @param {string} of */
export const address = (/** @type {string} */ page, of = '') => `#page=${page}${of && `&of=${encodeURIComponent(of)}`}`;
