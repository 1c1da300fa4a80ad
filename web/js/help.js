// The list of keys, and the board alone.

import { button, el } from './dom.js';
import { announce } from './say.js';

/** @type {[string, string][]} */
const KEYS = [
  [', .', 'step back, forward (also ← → when the board has no focus)'], ['Home End', 'first, last position'], ['u or Ctrl-Z, Ctrl-Y', 'undo, redo'],
  ['Space', 'let the engine move now'], ['n p', 'in Review: next, previous mistake'], ['f', 'flip the board'], ['k', 'coordinates'], ['s', 'TwixT: swap'],
  ['h', 'hint'], ['m', 'heat map: off, where it looks, what moves are worth, what it expects at first, what is proven'], ['l', 'engine on, off'], ['a', 'arrow for the best move'], ['x', 'the opponent’s threat'],
  ['v', 'Pylos: stacked or flat'], ['p', 'Pathwayz: regular or permanent'], ['z', 'zen: board only'], ['Ctrl-C Ctrl-V', 'copy, paste a record or position'],
  ['/', 'move as text'], ['Enter Esc', 'place; cancel, or stop the engine'], ['?', 'this list'],
];

export const keyTable = () => el('table', { class: 'keys' }, el('caption', { class: 'unseen' }, 'Keys'),
  el('tbody', {}, ...KEYS.map(([keys, does]) => el('tr', {}, el('th', { scope: 'row' }, ...keys.split(/(?<=\S) (?=\S)/).map((key) => (/^(or|Ctrl-Z,)$/.test(key) ? ` ${key} ` : el('kbd', {}, key)))), el('td', {}, does)))));

/** @type {HTMLDialogElement|null} */
let dialog = null;

export function showKeys() {
  if (dialog?.open) return dialog.close();
  dialog?.remove();
  dialog = el('dialog', { class: 'dialog', 'aria-labelledby': 'keys-title' }, el('h2', { id: 'keys-title', tabindex: '-1', autofocus: true }, 'Keys'), keyTable(),
    el('div', { class: 'buttons' }, button('Close', () => dialog?.close(), { class: 'main' })));
  document.body.append(dialog);
  dialog.showModal();
}

export function toggleZen() {
  const on = document.body.classList.toggle('zen');
  announce(on ? 'Board only; press z or Esc to show the rest again.' : 'Everything is shown again.');
}
