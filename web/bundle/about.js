import { define, need, load } from './main.js';
import './game.js';
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
define('about.js', (given) => {
const { button, el, fill } = need('dom.js');
const { keyTable } = need('help.js');
const { showPrefs } = need('prefs.js');
const { site } = need('site.js');
const { portrait } = need('start.js');
function showLessons(root, games) {
  const cards = games.map(({ game, title, about }) => {
    const picture = el('div', { class: 'picture' });
    void portrait(picture, game);
    return el('article', { class: 'card' }, picture, el('div', { class: 'about' }, el('div', { class: 'blurb' }, el('h2', {}, title), el('p', {}, about)),
      el('div', { class: 'buttons' }, el('a', { class: 'button main', href: `#g=${game}&tab=learn` }, `Learn ${title}`))));
  });
  fill(root, [el('h1', {}, 'Learn'), el('p', { class: 'lead' }, 'Each game has a short lesson on the board, one move at a time, and its rules in plain words. A lesson takes about five minutes and ends in a game against the easiest level.'),
    el('div', { class: 'cards' }, ...cards)]);
}
function showAbout(root) {
  fill(root, [el('h1', {}, 'About quintet'),
    el('p', { class: 'lead' }, 'A place to play and study five board games: Pathwayz, Pylos, TwixT, Pentago-Twist and Pentago. It has the players of five papers, strong players of its own, and the tools to compare them.'),
    el('p', {}, site === null ? 'The page needs nothing from outside: one program serves it, and it works without a network. The server keeps games against agents and by link; analysis boards and notes are kept only by this browser.'
      : 'Everything happens in your browser: after the first visit the page works without a connection, and your games are kept here and nowhere else. Export those that you want to keep for long.'),
    el('p', {}, 'Values are estimates by an engine unless they are called exact. An exact value is proven from the rules, and always looks different from an estimate.'),
    el('h2', {}, 'Keys'), keyTable(), el('p', { class: 'small' }, 'Single-letter keys work only while no text box has the focus; they can be switched off.'),
    button('Settings', showPrefs),
    el('h2', {}, 'The same without this page'),
    el('p', {}, site === null ? 'Everything here can be done from the command line (' : 'Installed on a machine of your own, quintet also serves this page to others, with games against people elsewhere, long tournaments, training and experiments. Everything can be done from the command line (',
      el('code', {}, 'quintet --help'), ') and by other programs: the page uses only the API that docs/api.md describes.')]);
}
Object.assign(given, { showLessons, showAbout });
});
