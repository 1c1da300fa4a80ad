import { define, need, load } from './main.js';
define('prefs.js', (given) => {
const { button, el, field, select, tick } = need('dom.js');
const { settings } = need('settings.js');
let dialog = null;
function showPrefs() {
  dialog?.remove();
  const motion = el('input', { type: 'range', min: 0, max: 3, step: 0.5, value: String(settings.get('motion')) });
  motion.addEventListener('input', () => settings.set('motion', Number(motion.value)));
  const name = el('input', { type: 'text', maxlength: 40, value: settings.get('name'), autocomplete: 'nickname' });
  name.addEventListener('change', () => settings.set('name', name.value.replace(/[;,\n]/g, ' ').trim()));
  dialog = el('dialog', { class: 'dialog', 'aria-labelledby': 'prefs-title' }, el('h2', { id: 'prefs-title' }, 'Settings'),
    field('Your name', name),
    field('Theme', select([['system', 'same as the system'], ['light', 'light'], ['dark', 'dark']], settings.get('theme'), (value) => settings.set('theme', value))),
    field('Boards', select([['walnut', 'walnut'], ['slate', 'slate'], ['pai', 'as in the PAI paper']], settings.get('boards'), (value) => settings.set('boards', value))),
    tick('High contrast', settings.get('contrast'), (on) => settings.set('contrast', on)),
    tick('Coordinates', settings.get('coordinates'), (on) => settings.set('coordinates', on)),
    tick('Guide lines on TwixT boards', settings.get('guides'), (on) => settings.set('guides', on)),
    tick('Sounds', settings.get('sounds'), (on) => settings.set('sounds', on)),
    tick('Single-letter keys', settings.get('letters'), (on) => settings.set('letters', on)),
    field('Animation speed', motion, '0 turns it off'),
    el('div', { class: 'buttons' }, button('Close', () => dialog?.close(), { class: 'main' })));
  document.body.append(dialog);
  dialog.showModal();
}
const THEMES = ['system', 'light', 'dark'];
function turnTheme() {
  const next = THEMES[(THEMES.indexOf(settings.get('theme')) + 1) % THEMES.length];
  settings.set('theme', next);
  return next;
}
Object.assign(given, { showPrefs, turnTheme });
});
