// The page of tournaments: all runs of the store, and a form that begins one.

import { button, el, fill } from '../dom.js';
import { inviting } from '../icons.js';
import { playerName } from '../levels.js';
import { count } from '../say.js';
import { site } from '../site.js';
import { titleOf } from '../spec.js';
import { TournamentForm } from './tournament-form.js';
import { address, badge, Complaint, follow, refill } from './parts.js';
import * as requests from './requests.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('./requests.js').Head} Head */

/** Names in a line of the list. */
const NAMES = 4;
/** Runs that are shown at first. */
const SHOWN = 30;

/**
 * @param {HTMLElement} root
 * @param {GameInfo[]} games
 */
export async function showTournaments(root, games) {
  const list = el('div', { class: 'runs' });
  const complaint = new Complaint();
  const form = new TournamentForm(games);
  const more = el('details', { class: 'box fold' }, el('summary', {}, 'New tournament'), form.element);
  more.addEventListener('toggle', () => more.open && form.opened(), { once: true });
  const search = el('input', { type: 'search', placeholder: 'Filter: game, player, state', 'aria-label': 'Filter the runs' });
  /** @type {Head[]} */
  let runs = [];
  let most = SHOWN;
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = runs.filter((run) => words.every((word) => `${run.run} ${run.kind} ${titleOf(games, run.game)} ${run.players.join(' ')} ${run.players.map(playerName).join(' ')} ${run.state}`.toLowerCase().includes(word)));
    const rest = wanted.length - most;
    search.hidden = !runs.length;
    refill(list, [runs.length ? el('p', { class: 'small' }, `${wanted.length} of ${count(runs.length, 'run')}.`)
      : inviting('trophy', `No runs yet. Start one above${site === null ? ', or with quintet match or quintet tournament in a terminal' : ': up to 20 games, played while this page is open'}.`),
      ...wanted.slice(0, most).map((run) => item(run, games)), rest > 0 && button(`Show ${rest} more`, () => ((most = Infinity), draw()))]);
  };
  search.addEventListener('input', draw);
  fill(root, [el('h1', {}, 'Tournaments'), el('p', { class: 'lead' }, 'Agents against agents: every pair plays each opening from both sides, every game is kept, and scores come with their intervals.'),
    more, el('h2', {}, 'Runs'), search, complaint.element, list]);
  let before = '';
  await follow(list, complaint, async () => {
    runs = await requests.tournaments();
    const now = JSON.stringify(runs);
    if (now !== before) draw();
    before = now;
    return true;
  });
}

/**
 * @param {Head} run
 * @param {GameInfo[]} games
 */
function item(run, games) {
  const names = run.players.slice(0, NAMES).map(playerName).join(', ') + (run.players.length > NAMES ? ` and ${run.players.length - NAMES} more` : '');
  return el('article', { class: 'gamerow' }, el('div', { class: 'grow' }, el('a', { href: address('tournaments', String(run.run)), 'data-key': `run ${run.run}` }, `Run ${run.run}: ${titleOf(games, run.game)}`), ' ', badge(run.state),
    el('div', { class: 'small' }, `${names} · ${run.played} of ${count(run.planned, 'game')} · ${run.begun.slice(0, 16)} UTC${run.kind === 'tournament' ? '' : ` · ${run.kind}`}`),
    run.fault && el('div', { class: 'bad' }, run.fault)), run.state === 'running' && el('progress', { max: run.planned, value: run.played, 'aria-label': `Run ${run.run}` }));
}
