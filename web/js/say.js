// What is said aloud and shown for a while: news politely, refusals at once. Never in colour alone, never silent.

import { byId, el } from './dom.js';
import { iconButton } from './icons.js';

/** Two regions take turns, so that the same sentence said twice is read twice. */
let turn = 0;

/**
 * "1 move", "2 moves".
 * @param {number} number
 * @param {string} what
 */
export const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

/**
 * News for those who listen; the board shows it to those who look.
 * @param {string} text
 */
export function announce(text) {
  turn = 1 - turn;
  byId(turn ? 'polite' : 'polite-too').textContent = text;
  byId(turn ? 'polite-too' : 'polite').textContent = '';
}

/**
 * A passing note, seen and heard.
 * @param {string} text
 */
export function note(text) {
  announce(text);
  return slip(text, 'note', 4000);
}

/**
 * Something was refused or failed: a sentence, said at once, that stays until it is read.
 * @param {unknown} why
 */
export function fail(why) {
  const text = why instanceof Error ? why.message : String(why);
  byId('assertive').textContent = '';
  byId('assertive').textContent = text;
  slip(text, 'fault', 9000);
}

/**
 * @param {string} text
 * @param {string} kind
 * @param {number} ms
 */
function slip(text, kind, ms) {
  const slips = byId('slips');
  // A new refusal takes the place of the last one, as does a new note.
  for (const old of slips.querySelectorAll(`.${kind}`)) old.remove();
  const shown = el('div', { class: `slip ${kind}` }, el('span', {}, text));
  shown.append(iconButton('close', 'Dismiss', () => shown.remove()));
  slips.append(shown);
  setTimeout(() => shown.remove(), ms);
  return shown;
}

/**
 * Runs something whose failure is told, not thrown.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T|undefined>}
 */
export async function attempt(work) {
  try {
    return await work();
  } catch (why) {
    fail(why);
    return undefined;
  }
}
