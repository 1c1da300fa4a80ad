// The start page: five games. Each card asks for the two things that matter, level and side, and starts in one press; all the rest is behind More.

import * as api from './api.js';
import { button, el, fill, svg } from './dom.js';
import { DEFAULT_LEVEL, mannerOf, playerName, strengthOf } from './levels.js';
import { freshId } from './library.js';
import { anyToken, keptRooms } from './room.js';
import { Session } from './session.js';
import { friend, quick, setup } from './setup.js';
import { attempt } from './say.js';
import { read, settings, write } from './settings.js';
import { site } from './site.js';
import { titleOf } from './spec.js';
import { picture as draw } from './thumbs.js';
import { capital } from './boards/text.js';

/** @typedef {import('./types.js').GameInfo} GameInfo */
/** @typedef {import('./types.js').RoomState} RoomState */
/** What was chosen last for a game. @typedef {{level:number,side:'first'|'second'|'random'}} Choice */

/** Positions that show what a game is about, as moves from its start. @type {Record<string, {game?:string,moves:string}>} */
const SHOWN = {
  pathwayz: { moves: 'c4 d6 d4 e3 e4p f5 g4 h6 i4 h5 c6p' },
  pylos: { moves: '1b2 1c2 1b3 1c3 2b2 1a1 1d4 1d1 1a4 1b1 1d3 1d2' },
  twixt: { game: 'twixt(size=8)', moves: 'd4 e5 c6 f3 e2 c4 d8 g5' },
  'pentago-twist': { moves: 'b2q2f e5q1r b5q3f c3q4f e2q2f d4q1f c4q3r a1q2f f6q1f d2q3f e6q2r b1q4f' },
  pentago: { moves: 'b2q2r e5q1l b5q3l c3q4r e2q2l d4q1r c4q3r a1q2r' },
};

/** Puts a picture of what a game is about first in an element. @param {Element} element @param {string} game */
export function portrait(element, game) {
  const shown = SHOWN[game];
  return draw(element, { game: shown?.game ?? game, moves: shown?.moves.split(' ') ?? [] });
}

/** What tells two games apart whose boards look alike: an arc to the left, to the right, or a tile that is mirrored. @type {Record<string, [string, string]>} */
const SIGNS = {
  pentago: ['turn left or right', `${arc(14, -1)}${arc(62, 1)}`],
  'pentago-twist': ['turn right or mirror', `${arc(14, 1)}M64 4v28M58 10l-10 16h10zM70 10l10 16h-10z`],
};

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];
const CHOICES = 'quintet.choices';
/** Games among which one to go on with is looked for, the latest first. */
const LATEST = 20;

/** Three quarters of a circle around a middle, with an arrow head. @param {number} x @param {1|-1} way */
function arc(x, way) {
  const [from, to] = [x - way * 11, x + way * 11];
  return `M${from} 24A12 12 0 1 ${way > 0 ? 1 : 0} ${to} 24m${-way * 9} ${-1}l${way * 9} 1l${way * 2} -9`;
}

/**
 * @param {HTMLElement} root
 * @param {GameInfo[]} games
 * @param {(session: import('./session.js').Session) => void} open
 */
export function showStart(root, games, open) {
  const list = el('div', { class: 'cards' });
  const form = el('section', { class: 'setupbox', 'aria-label': 'Set up a game' });
  /** The form opens below the card that asked for it. @param {GameInfo} info @param {Element} card */
  const more = (info, card) => attempt(async () => {
    if (form.dataset.game === info.game && form.isConnected) return form.remove();
    form.dataset.game = info.game;
    const links = el('div', { class: 'buttons' }, el('a', { class: 'button', href: `#g=${info.game}&tab=analyse` }, 'Analyse'), el('a', { class: 'button', href: `#g=${info.game}&tab=learn` }, 'Learn'),
      button('Watch two engines', () => attempt(() => watch(info.game, open))), button('Close', () => form.remove()));
    fill(form, [el('h2', {}, `Set up ${info.title}`), await setup(info, open), links]);
    card.after(form);
    form.scrollIntoView({ behavior: 'smooth', block: 'nearest' });
    /** @type {HTMLElement|null} */ (form.querySelector('select,input'))?.focus({ preventScroll: true });
  });
  const others = el('article', { class: 'card more' }, el('div', { class: 'about' }, el('div', { class: 'blurb' }, el('h2', {}, 'Not in the mood to play?'),
    el('p', {}, 'Watch two engines think, solve a position whose answer is proven, or go back to a game of yours.')),
    el('div', { class: 'buttons' }, button('Watch two engines', () => attempt(() => watch('pentago', open))), el('a', { class: 'button', href: '#page=puzzles' }, 'Puzzles'), el('a', { class: 'button', href: '#page=games' }, 'My games'))));
  fill(list, [...games.map((info) => card(info, more)), others]);
  const greeting = el('div');
  fill(root, [el('h1', {}, 'Five games. Pick one and play.'), el('p', { class: 'lead' }, `Choose a level and a side${site === null ? ', or send a friend a link' : ''}. After the game, see where it was won.`), greeting, list]);
  welcome(greeting, games);
}

/**
 * @param {GameInfo} info
 * @param {(info: GameInfo, card: Element) => void} more
 */
function card(info, more) {
  const { game, title, about, sides } = info;
  /** @type {Choice} */
  const choice = read(CHOICES, /** @type {Record<string, Choice>} */ ({}))[game] ?? { level: DEFAULT_LEVEL, side: 'first' };
  const picture = el('div', { class: 'picture' });
  const sign = SIGNS[game];
  if (sign) picture.append(el('div', { class: 'sign' }, svg('svg', { viewBox: '0 0 84 36', 'aria-hidden': 'true' }, svg('path', { d: sign[1] })), sign[0]));
  void portrait(picture, game);
  const strength = el('p', { class: 'small strength', hidden: true });
  const tell = async () => {
    const found = (await api.levels(game).catch(() => [])).find(({ level }) => level === choice.level);
    strength.textContent = found ? `${strengthOf(found)} ${mannerOf(found)}`.trim() : '';
    strength.hidden = !strength.textContent;
  };
  /** @param {Partial<Choice>} news */
  const choose = (news) => {
    Object.assign(choice, news);
    write(CHOICES, { ...read(CHOICES, {}), [game]: choice });
    void tell();
  };
  const levels = LEVELS.map((level) => option(`level-${game}`, String(level), `Level ${level}`, choice.level === level, () => choose({ level })));
  const seats = /** @type {[Choice['side'], string][]} */ ([['first', capital(sides[0])], ['second', capital(sides[1])], ['random', 'Random']]);
  const chairs = seats.map(([side, name]) => option(`side-${game}`, name, name, choice.side === side, () => choose({ side })));
  const side = () => (choice.side === 'random' ? (Math.random() < 0.5 ? 'first' : 'second') : choice.side);
  const article = el('article', { class: 'card', 'data-game': game }, picture, el('div', { class: 'about' }, el('div', { class: 'blurb' }, el('h2', {}, title), el('p', {}, about)),
    el('fieldset', { class: 'choice levels' }, el('legend', {}, 'Level'), el('div', {}, ...levels)),
    el('fieldset', { class: 'choice' }, el('legend', {}, 'Side'), el('div', {}, ...chairs)), strength,
    el('div', { class: 'buttons' }, button('Play', () => attempt(() => quick(game, choice.level, side())), { class: 'main', 'aria-label': `Play ${title} now` }),
      site === null ? button('Friend', () => attempt(() => friend(game, side())), { 'aria-label': `Friend: play ${title} with somebody by link` }) : null,
      button('More', () => more(info, article), { 'aria-label': `More: set up ${title}` }))));
  void tell();
  return article;
}

/**
 * One of some choices: a radio button that looks like a key.
 * @param {string} name
 * @param {string} text
 * @param {string} label
 * @param {boolean} checked
 * @param {() => void} choose
 */
const option = (name, text, label, checked, choose) =>
  el('label', {}, el('input', { type: 'radio', name, checked, 'aria-label': label, on: { change: choose } }), el('span', { 'aria-hidden': 'true' }, text));

/**
 * Two engines meet.
 * @param {string} game
 * @param {(session: Session) => void} open
 */
async function watch(game, open) {
  const session = new Session({ game, seats: [{ who: 'agent', agent: 'level:5' }, { who: 'agent', agent: 'level:6' }], id: freshId(), seed: 1 + Math.floor(Math.random() * 1e6) });
  await session.begin(null);
  open(session);
}

/**
 * The game that was left in the middle, to go on with; for somebody who has none yet, a lesson.
 * @param {HTMLElement} place
 * @param {GameInfo[]} games
 */
async function welcome(place, games) {
  const kept = Object.entries(keptRooms()).sort(([, a], [, b]) => b.made - a.made);
  if (!kept.length) {
    if (settings.get('greeted')) return;
    const leave = button('No, thanks', () => (settings.set('greeted', true), fill(place, [])), { class: 'quiet' });
    return fill(place, [el('div', { class: 'continue' }, el('b', {}, 'New to these games?'), el('span', {}, 'A lesson takes five minutes, on the board.'), el('a', { class: 'button', href: '#page=learn' }, 'Show me a lesson'), leave)]);
  }
  const asked = kept.slice(0, LATEST).map(([room, keys]) => ({ room, token: anyToken(keys) ?? '' })).filter(({ token }) => token);
  const found = await api.myRooms(asked).catch(() => null);
  const open = found?.rooms.filter(({ outcome, archived }) => !outcome && !archived) ?? [];
  const [room, keys] = kept.find(([room]) => open.some((one) => one.room === room)) ?? [];
  const last = open.find((one) => one.room === room);
  if (!last || !keys) return;
  fill(place, [el('div', { class: 'continue' }, el('b', {}, against(games, last, keys.mine)), el('span', {}, `${keys.mine[last.to_move] ? 'your move' : 'their move'} · ${ago(keys.made)}`), el('a', { href: `#room=${room}` }, 'Continue →'))]);
}

/**
 * "Pylos v Level 6".
 * @param {GameInfo[]} games
 * @param {RoomState} room
 * @param {import('./room.js').Keys['mine']} mine
 */
function against(games, room, mine) {
  const rival = room.seats[mine.first ? 1 : 0];
  const name = rival.who === 'agent' ? playerName(rival.agent) : rival.name || 'a friend';
  return `${titleOf(games, room.game)} v ${name}`;
}

/** How long ago that was. @param {number} time */
function ago(time) {
  const minutes = Math.round((Date.now() - time) / 60_000);
  const word = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return minutes < 60 ? word.format(-minutes, 'minute') : minutes < 48 * 60 ? word.format(-Math.round(minutes / 60), 'hour') : word.format(-Math.round(minutes / 1440), 'day');
}
