import { define, need, load } from './main.js';
define('naming.js', (given) => {
const { button, el, field, fill } = need('dom.js');
const { settings } = need('settings.js');
function askName(text) {
  const name = el('input', { type: 'text', maxlength: 40, autocomplete: 'nickname', autofocus: true });
  const dialog = el('dialog', { class: 'dialog', 'aria-labelledby': 'invited-title' });
  const join = () => {
    settings.set('name', name.value.trim());
    dialog.close('join');
  };
  const form = el('form', { on: { submit: ( event) => (event.preventDefault(), join()) } }, field('Your name', name),
    el('div', { class: 'buttons' }, el('button', { type: 'submit', class: 'main' }, 'Join'), button('Just watch', () => dialog.close(), { class: 'quiet' })));
  fill(dialog, [el('h2', { id: 'invited-title' }, 'You are invited'), el('p', {}, text), form]);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((good) => dialog.addEventListener('close', () => {
    dialog.remove();
    good(dialog.returnValue === 'join');
  }));
}
Object.assign(given, { askName });
});
