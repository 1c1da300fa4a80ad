// The position editor: the text of a position, cells that take another piece at each press, and the server's word on whether it can be.

import * as api from './api.js';
import { button, el, fill } from './dom.js';
import { freshId } from './library.js';
import { attempt, note } from './say.js';
import { Session } from './session.js';
import { parse } from './spec.js';

/** @typedef {import('./game-view.js').GameView} GameView */

/** What a cell can hold, and the letters of the sides. Links of TwixT are edited in the text. @type {Record<string, {pieces:string,sides:string}>} */
const ALPHABETS = {
  pathwayz: { pieces: '.wbWB', sides: 'wb' },
  pylos: { pieces: '.LD', sides: 'ld' },
  twixt: { pieces: '.rb', sides: 'rb' },
  pentago: { pieces: '.xo', sides: 'xo' },
  'pentago-twist': { pieces: '.xo', sides: 'xo' },
};

/**
 * Where the cells of a position text are: an index into the text for each, row by row. Pylos writes a level as one row.
 * @param {string} game
 * @param {string} text
 * @returns {{at:number,name:string}[][]}
 */
export function cellsOf(game, text) {
  const board = text.split(' ')[0];
  /** @type {{at:number,name:string}[][]} */
  const rows = [];
  let at = 0;
  board.split('/').forEach((part, level) => {
    const width = game === 'pylos' ? Math.round(Math.sqrt(part.length)) : part.length;
    for (let from = 0; from < part.length; from += Math.max(1, width)) {
      const row = game === 'pylos' ? from / width : rows.length;
      const prefix = game === 'pylos' ? String(level + 1) : '';
      rows.push([...part.slice(from, from + width)].map((_, column) => ({ at: at + from + column, name: `${prefix}${String.fromCharCode(97 + column)}${row + 1}` })));
    }
    at += part.length + 1;
  });
  return rows;
}

export class Editor {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    this.text = el('textarea', { rows: 3, class: 'code', spellcheck: 'false', 'aria-label': 'Position as text' });
    this.text.addEventListener('input', () => this.changed());
    this.grid = el('div', { class: 'cells', role: 'group', 'aria-label': 'Cells: press to change' });
    this.verdict = el('p', { class: 'small', 'aria-live': 'polite' });
    this.open = button('Open this position', () => attempt(() => this.take()), { class: 'main' });
    this.element = el('details', { on: { toggle: () => this.load() } }, el('summary', {}, 'Edit position'), this.grid, this.text, this.verdict,
      el('div', { class: 'buttons' }, button('Other side to move', () => this.turn()), button('Clear', () => this.clear()), this.open));
    this.asked = 0;
    gameView.addEventListener('open', () => this.load());
  }

  get game() {
    return parse(this.gameView.session?.game ?? '').name;
  }

  load() {
    if (!/** @type {HTMLDetailsElement} */ (this.element).open) return;
    this.text.value = this.gameView.session?.state?.position ?? '';
    this.changed();
  }

  /** @param {number} at */
  press(at) {
    const { pieces } = ALPHABETS[this.game] ?? { pieces: '.' };
    const now = this.text.value[at];
    const next = pieces[(pieces.indexOf(now) + 1) % pieces.length];
    this.text.value = this.text.value.slice(0, at) + next + this.text.value.slice(at + 1);
    this.changed();
  }

  turn() {
    const sides = ALPHABETS[this.game]?.sides ?? 'xo';
    this.text.value = this.text.value.replace(/(\S)\s*$/, (_, side) => (side === sides[0] ? sides[1] : sides[0]));
    this.changed();
  }

  clear() {
    const [board, ...rest] = this.text.value.split(' ');
    const sides = ALPHABETS[this.game]?.sides ?? 'xo';
    const empty = board.replace(/[^/.#]/g, '.');
    this.text.value = rest.length > 1 ? `${empty} - ${sides[0]}` : `${empty} ${sides[0]}`;
    this.changed();
  }

  /** Shows the cells of the text and asks whether the position can be. */
  async changed() {
    const text = this.text.value;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.at : undefined;
    fill(this.grid, cellsOf(this.game, text).map((row) => el('div', {}, ...row.map(({ at, name }) => {
      const piece = text[at];
      return el('button', { type: 'button', class: 'cell', 'data-piece': piece, 'data-at': at, disabled: piece === '#', 'aria-label': `${name}: ${piece === '.' ? 'empty' : piece}`,
        on: { click: () => this.press(at) } }, piece === '.' || piece === '#' ? '' : piece);
    }))));
    if (focused !== undefined) /** @type {HTMLElement|null} */ (this.grid.querySelector(`[data-at="${focused}"]`))?.focus();
    const asked = ++this.asked;
    let good = false;
    try {
      const state = await api.position({ game: this.gameView.session?.game ?? '', position: text.trim(), moves: [] });
      if (asked !== this.asked) return;
      good = true;
      this.verdict.textContent = state.outcome ? `The game is over here: ${this.gameView.result(state)}.` : `A valid position: ${state.legal.length} legal moves.`;
    } catch (why) {
      if (asked !== this.asked) return;
      this.verdict.textContent = why instanceof Error ? why.message : String(why);
    }
    this.verdict.classList.toggle('bad', !good);
    this.open.disabled = !good;
  }

  async take() {
    const session = new Session({ game: this.gameView.session?.game ?? '', from: this.text.value.trim(), id: freshId() });
    await session.begin(null);
    await this.gameView.open(session);
    note('The position is on the board.');
  }
}
