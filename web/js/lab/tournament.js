// One run: its cross table, ratings and tests, live while it is played. Every cell opens its games, every game the board.

import { button, download, el, fill } from '../dom.js';
import { playerName } from '../levels.js';
import { titleOf } from '../spec.js';
import { bars, curves } from './chart.js';
import { showGames } from './games.js';
import { address, badge, box, Complaint, counts, facts, follow, grid, minus, percent, range, refill, reversed, scored, tidy } from './parts.js';
import * as requests from './requests.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('./requests.js').Tournament} Tournament */
/** @typedef {import('./requests.js').Results} Results */
/** @typedef {import('./requests.js').Wdl} Wdl */
/** @typedef {import('../dom.js').Child} Child */

/**
 * @param {HTMLElement} root
 * @param {string} of `3`, or `3/0,1` for the games of two players
 * @param {GameInfo[]} games
 * @param {(session: import('../session.js').Session) => void} open
 */
export async function showTournament(root, of, games, open) {
  const [text, between] = of.split('/');
  const run = Number(text);
  if (between !== undefined) return showGames(root, run, between === 'all' ? null : between, games, open);
  // What a button was refused stays when the next look goes well.
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const place = el('div');
  const back = el('p', {}, el('a', { href: address('tournaments') }, '← All runs'));
  fill(root, [back, el('h1', {}, `Run ${text}`), complaint.element, acts.element, place]);
  let before = '';
  await follow(place, complaint, async () => {
    const shown = await requests.tournament(run);
    const now = JSON.stringify([shown.played, shown.state, shown.fault]);
    if (now !== before) refill(place, view(shown, games, acts));
    before = now;
    return shown.state === 'running' || shown.state === 'stopping' || shown.state === 'stopped';
  });
}

/**
 * @param {Tournament} shown
 * @param {GameInfo[]} games
 * @param {Complaint} acts
 * @returns {Child[]}
 */
function view(shown, games, acts) {
  const { results } = shown;
  const { plan } = results;
  const tell = (/** @type {'stop'|'resume'} */ what) => acts.around(() => requests.tellTournament(shown.run, what));
  const act = shown.state === 'running' ? button('Stop', () => tell('stop'), { 'data-key': 'act' }) : shown.state === 'stopped' ? button('Resume', () => tell('resume'), { class: 'main', 'data-key': 'act' }) : null;
  const name = `quintet-run-${shown.run}`;
  const head = el('div', { class: 'box' }, el('p', { class: 'lead' }, titleOf(games, shown.game), ' ', badge(shown.state)),
    el('div', { class: 'progress' }, el('progress', { max: Math.max(1, shown.state === 'over' ? shown.played : shown.planned), value: shown.played, 'aria-label': 'Games played' }), el('span', {}, `${shown.played} of ${'sprt' in plan.length ? 'at most ' : ''}${shown.planned} games`)),
    shown.fault && el('p', { class: 'bad' }, shown.fault),
    facts([['Format', plan.format], ['Length', 'games' in plan.length ? `${plan.length.games} games per pairing` : `SPRT, H0 ${tidy(plan.length.sprt.elo0)} Elo, H1 ${tidy(plan.length.sprt.elo1)} Elo`], ['Budget', budget(plan.budget)],
      ['Random opening plies', plan.opening_plies], ['Seed', plan.seed], ['Begun (UTC)', shown.begun.slice(0, 16)], ['Ended (UTC)', shown.ended?.slice(0, 16)]]),
    el('div', { class: 'buttons' }, act, el('a', { class: 'button', href: address('tournaments', `${shown.run}/all`), 'data-key': 'all' }, 'All games'),
      button('CSV', () => download(`${name}.csv`, new Blob([csv(results)], { type: 'text/csv' })), { 'data-key': 'csv' }),
      button('JSON', () => download(`${name}.json`, new Blob([`${JSON.stringify(shown, null, 1)}\n`], { type: 'application/json' })), { 'data-key': 'json' })));
  if (!results.games) return [head, el('p', {}, 'No game is finished yet.')];
  return [head, box('Cross table', el('p', { class: 'small' }, 'Wins-draws-losses and score of the row’s player, with a 95 % interval. Press a cell to see its games.'), crossTable(shown.run, results)),
    ratings(results), ...test(results), honesty(results)];
}

/** @param {import('./requests.js').Budget} budget */
function budget({ time_ms, nodes, depth, visits }) {
  const parts = [time_ms !== null && `${time_ms} ms per move`, nodes !== null && `${nodes} nodes`, depth !== null && `depth ${depth}`, visits !== null && `${visits} visits`].filter(Boolean);
  return parts.join(', ') || 'each agent’s own';
}

/**
 * The results of one player against another, from whichever side they are written down.
 * @param {Results} results
 * @param {string} a
 * @param {string} b
 * @returns {Wdl|null}
 */
function between(results, a, b) {
  for (const { players, wdl } of results.pairings) {
    if (players[0] === a && players[1] === b) return wdl;
    if (players[0] === b && players[1] === a) return reversed(wdl);
  }
  return null;
}

/**
 * @param {number} run
 * @param {Results} results
 */
function crossTable(run, results) {
  const names = results.players.map(({ name }) => name);
  const rows = results.players.map(({ name, total }, row) => [playerName(name), `${counts(total)} `, ...names.map((other, column) => {
    if (row === column) return el('span', { class: 'self', 'aria-label': 'itself' }, '·');
    const wdl = between(results, name, other);
    if (!wdl || wdl.score === null) return '–';
    const cell = el('a', { class: 'cell', href: address('tournaments', `${run}/${row},${column}`), 'data-key': `cell ${row} ${column}`, title: `Games of ${playerName(name)} against ${playerName(other)}` },
      el('span', { class: 'unseen' }, `${playerName(name)} against ${playerName(other)}: `), el('strong', {}, scored(wdl)), el('span', {}, counts(wdl)), el('span', {}, range(wdl)));
    cell.style.setProperty('--tint', `${Math.round(Math.abs(wdl.score - 0.5) * 60)}%`);
    cell.classList.add(wdl.score >= 0.5 ? 'good' : 'poor');
    return cell;
  })]);
  return grid('Cross table', ['Player', 'Total', ...names.map(playerName)], rows, 'cross');
}

/** @param {Results} results */
function ratings(results) {
  const rated = results.players.filter(({ rating }) => rating !== null).sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0));
  const anchor = results.plan.players[results.plan.anchor]?.name;
  if (!rated.length) return box('Ratings', el('p', {}, 'No ratings: the players repeat their games so often that Elo would mean nothing. Random plies at the start make games differ.'));
  const list = rated.map(({ name, rating, rating_error: error }) => {
    const value = rating ?? 0;
    const text = `${minus(value.toFixed(0))}${error ? ` ±${error.toFixed(0)}` : name === anchor ? ' (anchor)' : ''}`;
    return { name: playerName(name), value, ...(error ? { low: value - error, high: value + error } : {}), text };
  });
  return box('Ratings', bars({ title: 'Ratings', note: `Elo, ${playerName(anchor ?? '')} at 0, with 95 % intervals`, what: 'Elo', bars: list, say: (value) => minus(value.toFixed(0)) }));
}

/**
 * @param {Results} results
 * @returns {Child[]}
 */
function test(results) {
  const sprt = results.pairings[0]?.sprt;
  if (!sprt) return [];
  const [low, high] = sprt.bounds;
  const points = results.llr_curve.map(([x, y]) => ({ x, y }));
  return [box('Sequential test', el('p', {}, `${sprt.decision}${sprt.llr === null ? '' : `; log-likelihood ratio ${tidy(sprt.llr)}, bounds ${tidy(low)} and ${tidy(high)}`}.`),
    points.length ? curves({ title: 'Log-likelihood ratio over games', x: 'games', y: 'LLR', series: [{ name: 'LLR', points }], levels: [{ y: high, text: 'H1 is accepted' }, { y: low, text: 'H0 is accepted' }] }) : null)];
}

/** What tells whether the numbers can be trusted. @param {Results} results */
function honesty(results) {
  const { first_seat: seat, redundancy, forfeits, overruns } = results;
  const pairs = results.pairings.filter(({ elo, los }) => elo !== null || los !== null);
  return box('Beside the scores', facts([['First seat', `${counts(seat)}, ${scored(seat)} (${range(seat)})`], ['Redundancy', `${percent(redundancy)} of the positions repeat earlier games`], ['Moves over time', overruns],
    ['Faults', forfeits.length ? forfeits.map(({ player, reason, count }) => `${playerName(player)}: ${reason} ${count}`).join('; ') : 'none']]),
    pairs.length ? el('details', { 'data-key': 'pairings' }, el('summary', {}, 'Elo of each pairing'),
      grid('Elo of each pairing', ['Pairing', 'Elo', 'Likelihood of superiority'], pairs.map(({ players, elo, elo_error: error, los }) => [players.map(playerName).join(' – '), elo === null ? '–' : `${minus(elo.toFixed(0))}${error === null ? '' : ` ±${error.toFixed(0)}`}`, los === null ? '–' : percent(los)]))) : null);
}

/** @param {string|number|null} value */
const quoted = (value) => (value === null ? '' : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

/**
 * A line a pairing.
 * @param {Results} results
 */
export function csv(results) {
  const head = ['first', 'second', 'wins', 'draws', 'losses', 'score', 'low', 'high', 'elo', 'elo_error', 'los'];
  const rows = results.pairings.map(({ players, wdl, elo, elo_error: error, los }) => [...players, wdl.wins, wdl.draws, wdl.losses, wdl.score, wdl.interval?.[0] ?? null, wdl.interval?.[1] ?? null, elo, error, los]);
  return `${[head, ...rows].map((row) => row.map(quoted).join(',')).join('\n')}\n`;
}
