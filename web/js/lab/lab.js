// The lab's pages: tournaments, training, reports. They come with their own styles, and only when somebody opens one.

import { showReport, showReports } from './reports.js';
import { showTournaments } from './tournaments.js';
import { showTournament } from './tournament.js';
import { showTraining, showTrainings } from './training.js';
import { styled } from './style.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('../session.js').Session} Session */

/**
 * @param {HTMLElement} root
 * @param {{page:string,game?:string}} address
 * @param {GameInfo[]} games
 * @param {(session: Session) => void} open
 */
export async function showLab(root, { page, game: of }, games, open) {
  await styled();
  if (page === 'tournaments') return of ? showTournament(root, of, games, open) : showTournaments(root, games);
  if (page === 'training') return of ? showTraining(root, of) : showTrainings(root, games);
  return of ? showReport(root, of) : showReports(root, games);
}
