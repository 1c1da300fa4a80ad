// The lab's pages: what there is, tournaments, training, reports. They come with their own styles, and only when somebody opens one.

import { el, fill } from '../dom.js';
import { icon } from '../icons.js';
import { site } from '../site.js';
import { showReport, showReports } from './reports.js';
import { showTournaments } from './tournaments.js';
import { showTournament } from './tournament.js';
import { showTraining, showTrainings } from './training.js';
import { styled } from './style.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('../session.js').Session} Session */

/** @type {[string, string, string, import('../icons.js').Icon][]} */
const ALL = [
  ['tournaments', 'Tournaments', 'Let players meet in many games, and see who is stronger and how sure that is.', 'trophy'],
  ['training', 'Training', 'Teach a player, watch it learn, and play against what it knows so far.', 'review'],
  ['reports', 'Reports', 'The tables of five papers, repeated: their numbers, ours, and whether they agree.', 'report'],
];
/** Training needs a server. */
const PAGES = ALL.filter(([page]) => page !== 'training' || site === null);

/** @param {HTMLElement} root */
function showOverview(root) {
  const cards = PAGES.map(([page, title, about, sign]) => el('article', { class: 'card' }, el('div', { class: 'about' }, icon(sign), el('h2', {}, title), el('p', { class: 'blurb' }, about),
    el('div', { class: 'buttons' }, el('a', { class: 'button main', href: `#page=${page}` }, `Open ${title.toLowerCase()}`)))));
  fill(root, [el('h1', {}, 'Lab'), el('p', { class: 'lead' }, `Measure${site === null ? ', train' : ''} and compare players. Whatever runs here can be stopped, and picks up where it left off.`), el('div', { class: 'cards' }, ...cards)]);
}

/**
 * @param {HTMLElement} root
 * @param {{page:string,game?:string}} address
 * @param {GameInfo[]} games
 * @param {(session: Session) => void} open
 */
export async function showLab(root, { page, game: of }, games, open) {
  await styled();
  if (page === 'lab') return showOverview(root);
  const links = PAGES.map(([name, title]) => el('a', { href: `#page=${name}`, 'aria-current': name === page ? 'page' : null }, title));
  const inner = el('div');
  fill(root, [el('nav', { class: 'subnav', 'aria-label': 'Lab' }, ...links), inner]);
  if (page === 'tournaments') return of ? showTournament(inner, of, games, open) : showTournaments(inner, games);
  if (page === 'training') return of ? showTraining(inner, of) : showTrainings(inner, games);
  return of ? showReport(inner, of) : showReports(inner, games);
}
