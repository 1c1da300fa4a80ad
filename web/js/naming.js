// Asks whoever follows an invitation for a name, before the seat is taken: the other player reads it.

import { button, el, field, fill } from './dom.js';
import { settings } from './settings.js';

/**
 * @param {string} text what the invitation is to
 * @returns {Promise<boolean>} whether the seat is wanted; the name, if any, is among the settings
 */
export function askName(text) {
  const name = el('input', { type: 'text', maxlength: 40, autocomplete: 'nickname', autofocus: true });
  const dialog = el('dialog', { class: 'dialog', 'aria-labelledby': 'invited-title' });
  const join = () => {
    settings.set('name', name.value.trim());
    dialog.close('join');
  };
  const form = el('form', { on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), join()) } }, field('Your name', name),
    el('div', { class: 'buttons' }, el('button', { type: 'submit', class: 'main' }, 'Join'), button('Just watch', () => dialog.close(), { class: 'quiet' })));
  fill(dialog, [el('h2', { id: 'invited-title' }, 'You are invited'), el('p', {}, text), form]);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((good) => dialog.addEventListener('close', () => {
    dialog.remove();
    good(dialog.returnValue === 'join');
  }));
}
