// A game as a text record, a JSON line, a file of other programs, and pictures.

import * as api from './api.js';
import { download } from './dom.js';
import { note } from './say.js';
import { parse } from './spec.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./session.js').Session} Session */

/** @param {Session} session */
const namesOf = (session) => session.seats.map((seat) => (seat.who === 'agent' ? seat.agent : seat.name || 'person'));

/**
 * @param {Session} session
 */
function ending(session) {
  const last = session.branch ? session.state : session.last;
  return { result: last?.outcome ?? '*', reason: last?.reason ?? '' };
}

/**
 * `GAME; MOVES; RESULT; REASON; PLAYERS; SEED`, as docs/records.md has it.
 * @param {GameView} gameView
 */
export function textOf(gameView) {
  const session = gameView.session;
  if (!session) return '';
  const { result, reason } = ending(session);
  const game = session.from ? `${session.game}; from ${session.from}` : session.game;
  const moves = session.shown.map((move, ply) => `${ply + 1}.${move}`).join(' ');
  // An agent's spec has commas of its own, which part players in a record.
  const players = namesOf(session).map((name) => name.replaceAll(',', ' ').replaceAll(';', ' ')).join(', ');
  return `${game}; ${moves}; ${result}; ${reason}; ${players};\n`;
}

/** @param {Session} session */
const fileName = (session) => `${parse(session.game).name}-${new Date().toISOString().slice(0, 10)}`;

/** @param {GameView} gameView */
export function saveText(gameView) {
  if (gameView.session) download(`${fileName(gameView.session)}.txt`, new Blob([textOf(gameView)], { type: 'text/plain' }));
}

/** @param {GameView} gameView */
export function jsonOf(gameView) {
  const session = gameView.session;
  if (!session) return '';
  const { result, reason } = ending(session);
  const known = session.ms.some((ms) => ms > 0) && !session.branch;
  const notes = Object.keys(session.notes).length ? session.notes : undefined;
  return `${JSON.stringify({ game: session.game, position: session.from ?? undefined, moves: session.shown, result: result === '*' ? undefined : result,
    reason: reason || undefined, players: namesOf(session).join(' v '), ms: known ? session.ms : undefined, notes })}\n`;
}

/** @param {GameView} gameView */
export function saveJson(gameView) {
  if (gameView.session) download(`${fileName(gameView.session)}.jsonl`, new Blob([jsonOf(gameView)], { type: 'application/x-ndjson' }));
}

/** How other programs' files end. */
const ENDINGS = { t1: 'T1', tsgf: 'tsgf', sgf: 'sgf' };

/**
 * A game of TwixT for other programs; the server writes it, or says what the format cannot say.
 * @param {GameView} gameView
 * @param {keyof typeof ENDINGS} format
 */
export async function saveFor(gameView, format) {
  const session = gameView.session;
  if (!session) return;
  const { result, reason } = ending(session);
  const text = await api.written({ game: session.game, position: session.from ?? undefined, moves: session.shown, format,
    players: namesOf(session), result: result === '*' ? undefined : result, reason });
  download(`${fileName(session)}.${ENDINGS[format]}`, new Blob([text], { type: 'text/plain' }));
}

/** @param {GameView} gameView */
export async function saveSvg(gameView) {
  if (!gameView.session) return;
  const picture = await api.picture(gameView.session.place);
  download(`${fileName(gameView.session)}.svg`, new Blob([picture], { type: 'image/svg+xml' }));
}

/** Pixels of the longer side. */
const PIXELS = 1200;

/** The position that is shown as a PNG. @param {Session} session */
async function pngOf(session) {
  const picture = await api.picture(session.place);
  const address = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = PIXELS / Math.max(image.naturalWidth || 1, image.naturalHeight || 1);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round((image.naturalWidth || PIXELS) * scale);
    canvas.height = Math.round((image.naturalHeight || PIXELS) * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((/** @type {(blob: Blob|null) => void} */ good) => canvas.toBlob(good, 'image/png'));
    if (!blob) throw new Error('This browser could not make a PNG; use the SVG instead.');
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @param {GameView} gameView */
export async function savePng(gameView) {
  if (gameView.session) download(`${fileName(gameView.session)}.png`, await pngOf(gameView.session));
}

/** @param {GameView} gameView */
export async function copySvg(gameView) {
  if (!gameView.session) return;
  await navigator.clipboard.writeText(await api.picture(gameView.session.place));
  note('SVG copied.');
}

/** @param {GameView} gameView */
export async function copyPng(gameView) {
  if (!gameView.session) return;
  if (!('ClipboardItem' in window)) throw new Error('This browser cannot copy pictures; save the PNG as a file.');
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': await pngOf(gameView.session) })]);
  note('PNG copied.');
}
