// Pages of plain text: about the program and its keys; what can be learned.

import { button, el, fill } from './dom.js';
import { keyTable } from './help.js';
import { showPrefs } from './prefs.js';
import { site } from './site.js';
import { portrait } from './start.js';

/**
 * @param {HTMLElement} root
 * @param {import('./types.js').GameInfo[]} games
 */
export function showLessons(root, games) {
  const cards = games.map(({ game, title, about }) => {
    const picture = el('div', { class: 'picture' });
    void portrait(picture, game);
    return el('article', { class: 'card' }, picture, el('div', { class: 'about' }, el('div', { class: 'blurb' }, el('h2', {}, title), el('p', {}, about)),
      el('div', { class: 'buttons' }, el('a', { class: 'button main', href: `#g=${game}&tab=learn` }, `Learn ${title}`))));
  });
  fill(root, [el('h1', {}, 'Learn'), el('p', { class: 'lead' }, 'Each game has a short lesson on the board, one move at a time, and its rules in plain words. A lesson takes about five minutes and ends in a game against the easiest level.'),
    el('div', { class: 'cards' }, ...cards)]);
}

/** @param {HTMLElement} root */
export function showAbout(root) {
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
