// The games of a run, or of two of its players: a list, from which the board of the page is one step away.

import * as api from '../api.js';
import { button, download, el, fill } from '../dom.js';
import { playerName } from '../levels.js';
import { freshId } from '../library.js';
import { count } from '../say.js';
import { Session } from '../session.js';
import { infoOf, titleOf } from '../spec.js';
import { address, Complaint, grid } from './parts.js';
import * as requests from './requests.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('./requests.js').Game} Game */

/**
 * @param {HTMLElement} root
 * @param {number} run
 * @param {string|null} between
 * @param {GameInfo[]} games
 * @param {(session: Session) => void} open
 */
export async function showGames(root, run, between, games, open) {
  const complaint = new Complaint();
  const place = el('div');
  const title = el('h1', {}, `Games of run ${run}`);
  fill(root, [el('p', {}, el('a', { href: address('tournaments', String(run)) }, `← Run ${run}`)), title, complaint.element, place]);
  /** @type {Game[]} */
  const all = [];
  const more = () => complaint.around(async () => {
    const answer = await requests.gamesOf(run, between, all.length ? all[all.length - 1].number + 1 : 0);
    all.push(...answer.games);
    draw(answer.more);
  });
  const head = await complaint.around(() => requests.tournament(run));
  if (!head) return;
  const pair = between?.split(',').map((number) => head.players[Number(number)]);
  if (pair) title.textContent = pair.map(playerName).join(' against ');
  const info = infoOf(games, head.game);
  const won = (/** @type {Game} */ game) => (game.result === 'draw' ? 'draw' : `${info?.sides[game.result === 'first' ? 0 : 1] ?? game.result} wins`);
  const names = (/** @type {Game} */ { players, result }) => players.map((name, seat) => (result === (seat ? 'second' : 'first') ? el('strong', {}, playerName(name)) : playerName(name)));
  const show = (/** @type {Game} */ game) => complaint.around(() => replay(game, open));
  const draw = (/** @type {boolean} */ rest) => fill(place, [el('p', { class: 'small' }, `${titleOf(games, head.game)}, run ${run}: ${count(all.length, 'game')}${rest ? ', and more' : ''}.`),
    el('div', { class: 'buttons' }, button('Download records', () => download(`quintet-run-${run}.txt`, new Blob(all.map(({ record }) => `${record}\n`), { type: 'text/plain' })), { disabled: !all.length })),
    grid('Games', ['Game', info?.sides[0] ?? 'first', info?.sides[1] ?? 'second', 'Result', 'Reason', 'Moves'],
      all.map((game) => [button(`${game.number + 1}`, () => show(game), { class: 'open', 'aria-label': `Open game ${game.number + 1}` }), ...names(game), won(game), game.reason, game.plies])),
    rest && button('More games', more)]);
  await more();
}

/**
 * Puts a game on the board of the page. The server reads the record, so that a damaged one is told and not shown.
 * @param {Game} game
 * @param {(session: Session) => void} open
 */
async function replay(game, open) {
  const [read] = (await api.read({ text: game.record })).games;
  if (!read?.state) throw new Error(read?.fault ?? 'This record does not contain a game.');
  const seats = /** @type {[import('../types.js').Seat, import('../types.js').Seat]} */ (game.players.map((agent) => ({ who: 'agent', agent })));
  const session = new Session({ game: read.state.game, from: read.state.from, moves: read.state.moves, seats, id: freshId() });
  await session.begin(0);
  open(session);
}
