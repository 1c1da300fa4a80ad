// Advice that is given only when it is asked for: a hint, a move made for the person, the opponent's threat.

import { UNFAIR } from './engine.js';
import { words, fromDone } from './judge.js';
import { fail, note } from './say.js';
import { socket } from './socket.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./types.js').Done} Done */

/** How long a hint takes. */
const HINT_MS = 1000;

/**
 * The best move of the position that is shown, or null when there is none or another one is shown by then.
 * @param {GameView} gameView
 * @returns {Promise<Done|null>}
 */
async function best(gameView) {
  const session = gameView.session;
  const state = session?.state;
  if (!session || !state || state.outcome) return null;
  if (!session.advised) {
    fail(UNFAIR);
    return null;
  }
  try {
    const how = { limit: { time_ms: HINT_MS }, short: state.position };
    const done = await socket.analyse(session.place, how).done;
    return gameView.session?.state === state ? done : null;
  } catch (why) {
    fail(why);
    return null;
  }
}

/** A note on the position that is shown, which goes with it. @param {GameView} gameView @param {string} text */
function passing(gameView, text) {
  const [shown, state] = [note(text), gameView.session?.state];
  const leave = () => {
    if (gameView.session?.state === state) return;
    shown.remove();
    gameView.removeEventListener('change', leave);
  };
  gameView.addEventListener('change', leave);
}

/** @param {GameView} gameView */
export async function hint(gameView) {
  const state = gameView.session?.state;
  const done = await best(gameView);
  if (!done || !state) return;
  gameView.board?.arrow(done.move, 'hint');
  passing(gameView, `Hint: ${done.move}, ${words(fromDone(done, state.to_move), state.to_move)} for ${gameView.sideName(state.to_move)}.`);
}

/**
 * The engine moves for whoever is to move and sits at this screen.
 * @param {GameView} gameView
 */
export async function moveNow(gameView) {
  const session = gameView.session;
  if (!session?.state || session.state.outcome) return;
  if (!session.interactive || gameView.locked) return fail('It is not your turn; the agent moves by itself.');
  const done = await best(gameView);
  if (done) await gameView.move(done.move);
}

/**
 * What the other side would do if it were to move. Where the rules know no such position (Pentago counts marbles), the reply to the best move is shown.
 * @param {GameView} gameView
 */
export async function threat(gameView) {
  const session = gameView.session;
  const state = session?.state;
  if (!session || !state || state.outcome) return;
  if (!session.advised) return fail(UNFAIR);
  const [side, letter] = [state.to_move === 'first' ? 'second' : 'first', state.position.slice(-1)];
  const letters = { w: 'b', b: gameView.info?.game === 'twixt' ? 'r' : 'w', l: 'd', d: 'l', r: 'b', x: 'o', o: 'x' };
  const turned = state.position.slice(0, -1) + letters[/** @type {keyof typeof letters} */ (letter)];
  const how = { limit: { time_ms: HINT_MS } };
  let move;
  try {
    move = (await socket.analyse({ game: session.game, position: turned, moves: [] }, how).done).move;
  } catch {
    move = (await best(gameView))?.pv[1];
  }
  if (!move || gameView.session?.state !== state) return;
  gameView.board?.arrow(move, 'threat');
  passing(gameView, `${gameView.sideName(/** @type {'first'|'second'} */ (side))} would like to play ${move}.`);
}
