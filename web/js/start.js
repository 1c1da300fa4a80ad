// The start page: five games, each a click away.

import * as api from './api.js';
import { button, el, fill, svg } from './dom.js';
import { freshId } from './library.js';
import { Session } from './session.js';
import { quick, setup } from './setup.js';
import { attempt } from './say.js';

/** @typedef {import('./types.js').GameInfo} GameInfo */

/** Positions that show what a game is about, as moves from its start. @type {Record<string, {game?:string,moves:string}>} */
const SHOWN = {
  pathwayz: { moves: 'c4 d6 d4 e3 e4p f5 g4 h6 i4 h5 c6p' },
  pylos: { moves: '1b2 1c2 1b3 1c3 2b2 1a1 1d4 1d1 1a4 1b1 1d3 1d2' },
  twixt: { game: 'twixt(size=8)', moves: 'd4 e5 c6 f3 e2 c4 d8 g5' },
  'pentago-twist': { moves: 'b2q2f e5q1r b5q3f c3q4f e2q2f d4q1f c4q3r a1q2f f6q1f d2q3f e6q2r b1q4f' },
  pentago: { moves: 'b2q2r e5q1l b5q3l c3q4r e2q2l d4q1r c4q3r a1q2r' },
};

/** What tells two games apart whose boards look alike: an arc to the left, to the right, or a tile that is mirrored. @type {Record<string, [string, string]>} */
const SIGNS = {
  pentago: ['turn left or right', `${arc(14, -1)}${arc(62, 1)}`],
  'pentago-twist': ['turn right or mirror', `${arc(14, 1)}M64 4v28M58 10l-10 16h10zM70 10l10 16h-10z`],
};

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
  const form = el('section', { class: 'setupbox', hidden: true, 'aria-label': 'Set up a game' });
  const choose = (/** @type {GameInfo} */ info) => attempt(async () => {
    fill(form, [el('h2', {}, `Set up ${info.title}`), await setup(info, open)]);
    form.hidden = false;
    form.scrollIntoView({ behavior: 'smooth', block: 'start' });
    /** @type {HTMLElement|null} */ (form.querySelector('select,input'))?.focus({ preventScroll: true });
  });
  const cards = games.map((info) => {
    const picture = el('div', { class: 'picture' });
    const sign = SIGNS[info.game];
    if (sign) picture.append(el('div', { class: 'sign' }, svg('svg', { viewBox: '0 0 84 36', 'aria-hidden': 'true' }, svg('path', { d: sign[1] })), sign[0]));
    drawn(info, picture);
    return el('article', { class: 'card' }, picture, el('div', { class: 'about' }, el('h2', {}, info.title), el('p', {}, info.about),
      el('div', { class: 'buttons' }, button('Play', () => attempt(() => quick(info.game)), { class: 'main', 'aria-label': `Play ${info.title} now` }),
        button('Set up…', () => choose(info), { 'aria-label': `Set up ${info.title}` }),
        el('a', { class: 'button', href: `#g=${info.game}&tab=analyse` }, 'Analyse'), el('a', { class: 'button', href: `#g=${info.game}&tab=learn` }, 'Learn'))));
  });
  const watch = button('Watch two engines', () => attempt(async () => {
    const session = new Session({ game: 'pentago', seats: [{ who: 'agent', agent: 'level:5' }, { who: 'agent', agent: 'level:6' }], id: freshId(), seed: 1 + Math.floor(Math.random() * 1e6) });
    await session.begin(null);
    open(session);
  }), { class: 'main' });
  cards.push(el('article', { class: 'card more' }, el('div', { class: 'about' }, el('h2', {}, 'More'), el('p', {}, 'Games that you started are under My games; records of other programs can be imported under Record, next to any board. Two engines can play each other while you watch.'),
    el('div', { class: 'buttons' }, watch, el('a', { class: 'button', href: '#page=puzzles' }, 'Puzzles'), el('a', { class: 'button', href: '#page=games' }, 'My games'), el('a', { class: 'button', href: '#page=about' }, 'Keys')))));
  fill(root, [el('h1', {}, 'Five games, many players'), el('p', { class: 'lead' }, 'Play against agents from the papers, against levels, or against somebody to whom you send a link. Watch engines think, review your games, learn the rules.'),
    el('div', { class: 'cards' }, ...cards), form]);
}

/** @type {Map<string, string>} Pictures that were drawn already. */
const pictures = new Map();

/**
 * A picture is no reason to wait or to fail: a card without one is still a card.
 * @param {GameInfo} info
 * @param {HTMLElement} place
 */
async function drawn(info, place) {
  const shown = SHOWN[info.game];
  try {
    let address = pictures.get(info.game);
    if (!address) {
      const drawing = await api.picture({ game: shown?.game ?? info.game, moves: shown ? shown.moves.split(' ') : [] });
      address = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }));
      pictures.set(info.game, address);
    }
    place.prepend(el('img', { src: address, alt: '' }));
  } catch {
    place.classList.add('empty');
  }
}
