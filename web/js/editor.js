// The position editor: pieces from a palette go onto the board itself, and the server says at once whether the position can be.

import * as api from './api.js';
import { crossing, KNIGHT, readLinks } from './boards/twixt-links.js';
import { cellName, cellPlace } from './boards/text.js';
import { button, el, fill, svg } from './dom.js';
import { freshId } from './library.js';
import { attempt, note } from './say.js';
import { Session } from './session.js';
import { parse } from './spec.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** What a press puts on a cell: a piece, nothing (`.`), or the end of a link. @typedef {string} Tool */

/** The pieces of a game, those of the first side first, and the letters of the sides. @type {Record<string, {pieces:string,sides:string}>} */
const ALPHABETS = {
  pathwayz: { pieces: 'wbWB', sides: 'wb' },
  pylos: { pieces: 'LD', sides: 'ld' },
  twixt: { pieces: 'rb', sides: 'rb' },
  pentago: { pieces: 'xo', sides: 'xo' },
  'pentago-twist': { pieces: 'xo', sides: 'xo' },
};

/** Pixels of a piece on the palette, from its middle. */
const SMALL = 13;

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

/**
 * A position of TwixT with another piece on a hole: its links go, and those that the new peg makes come, as far as none is in their way.
 * @param {string} text with the piece put already
 * @param {string} hole
 */
export function linked(text, hole) {
  const [board, links, side] = text.split(' ');
  const piece = new Map(cellsOf('twixt', text).flat().map(({ at, name }) => [name, text[at]]));
  const kept = readLinks(links).filter(({ a, b }) => a !== hole && b !== hole);
  const [col, row] = cellPlace(hole);
  const colour = piece.get(hole) ?? '.';
  for (const other of KNIGHT.map(([dx, dy]) => cellName(col + dx, row + dy))) {
    if (!'rb'.includes(colour) || piece.get(other) !== colour || kept.some(({ a, b }) => crossing([hole, other], [a, b]))) continue;
    kept.push({ name: hole + other, a: hole, b: other });
  }
  return [board, kept.map(({ name }) => name).join(',') || '-', side].join(' ');
}

/**
 * A position of TwixT with a link between two pegs, or without it if there was one.
 * @param {string} text
 * @param {string} from
 * @param {string} to
 */
export function relinked(text, from, to) {
  const [board, links, side] = text.split(' ');
  const all = readLinks(links);
  const kept = all.filter(({ a, b }) => !(a === from && b === to) && !(a === to && b === from));
  if (kept.length === all.length) kept.push({ name: from + to, a: from, b: to });
  return [board, kept.map(({ name }) => name).join(',') || '-', side].join(' ');
}

export class Editor {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    this.text = el('textarea', { rows: 3, class: 'code', spellcheck: 'false', 'aria-label': 'Position as text' });
    this.text.addEventListener('input', () => this.changed());
    this.palette = el('div', { class: 'palette', role: 'group', 'aria-label': 'What a press on the board puts there' });
    this.verdict = el('p', { class: 'small', 'aria-live': 'polite' });
    this.open = button('Open this position', () => attempt(() => this.take()), { class: 'main' });
    this.side = button('', () => this.turn());
    this.element = el('details', { on: { toggle: () => (this.element.open ? this.begin() : this.end()) } }, el('summary', {}, 'Edit position'),
      el('p', { class: 'small' }, 'Choose a piece, then press cells of the board. A second press takes it off again.'), this.palette, this.verdict,
      el('div', { class: 'buttons' }, this.open, this.side, button('Clear', () => this.clear())), el('details', {}, el('summary', {}, 'As text'), this.text));
    /** @type {Tool} */
    this.tool = '.';
    /** The first end of a link. @type {string|null} */
    this.end1 = null;
    this.asked = 0;
    /** Is the board being edited? */
    this.active = false;
    // Another game has a board of its own.
    gameView.addEventListener('open', () => (this.active = this.element.open = false));
    // Whoever steps through the game, or hears of a move, sees the game again.
    gameView.addEventListener('change', (event) => {
      if (this.active && !(/** @type {CustomEvent} */ (event).detail?.same)) this.element.open = false;
    });
  }

  get game() {
    return parse(this.gameView.session?.game ?? '').name;
  }

  get alphabet() {
    return ALPHABETS[this.game] ?? ALPHABETS.pentago;
  }

  /** Takes the board of the game that is open. */
  begin() {
    const { board, session } = this.gameView;
    if (!board || !session?.state) return;
    this.active = false;
    this.text.value = session.state.position;
    this.tool = this.alphabet.pieces[0];
    this.end1 = null;
    this.drawPalette();
    board.edit((id) => this.press(id));
    // All cells of the pyramid can be reached where its levels lie side by side.
    if (this.game === 'pylos') board.set('view', 'flat');
    this.changed();
    this.active = true;
  }

  /** Gives the board back. */
  end() {
    const { board } = this.gameView;
    if (!this.active || !board) return;
    this.active = false;
    board.edit(null);
    if (this.game === 'pylos') board.set('view', 'stacked');
    this.gameView.show({ previous: null, animate: false });
  }

  drawPalette() {
    const { board, info } = this.gameView;
    if (!board || !info) return;
    const { pieces } = this.alphabet;
    const kinds = [...pieces].map((piece, at) => /** @type {[Tool, string]} */ ([piece, `${info.sides[at % 2]}${at > 1 ? ', permanent' : ''}`]));
    /** @type {[Tool, string][]} */
    const tools = [...kinds, ['.', 'take off'], ...(this.game === 'twixt' ? [/** @type {[Tool, string]} */ (['link', 'link'])] : [])];
    fill(this.palette, tools.map(([tool, name]) => el('button', { type: 'button', 'aria-pressed': String(tool === this.tool), on: { click: () => this.choose(tool) } },
      pieces.includes(tool) && svg('svg', { viewBox: '-16 -16 32 32', class: `piece q-board q-${this.game}`, 'aria-hidden': 'true' }, board.body(tool, SMALL)), name)));
  }

  /** @param {Tool} tool */
  choose(tool) {
    this.tool = tool;
    this.end1 = null;
    this.drawPalette();
  }

  /** A cell of the board. @param {string} id */
  press(id) {
    const cell = cellsOf(this.game, this.text.value).flat().find(({ name }) => name === id);
    const now = cell && this.text.value[cell.at];
    if (!cell || now === undefined || now === '#') return;
    if (this.tool === 'link') return this.link(id, now);
    const next = now === this.tool ? '.' : this.tool;
    const text = this.text.value.slice(0, cell.at) + next + this.text.value.slice(cell.at + 1);
    this.text.value = this.game === 'twixt' ? linked(text, id) : text;
    this.changed();
  }

  /**
   * @param {string} id
   * @param {string} piece
   */
  link(id, piece) {
    if (piece === '.') return note('A link joins two pegs of one colour.');
    const from = this.end1;
    this.end1 = from === null ? id : null;
    if (from === null) return note(`Link from ${id}: now press the other peg.`);
    if (from !== id) this.text.value = relinked(this.text.value, from, id);
    this.changed();
  }

  turn() {
    const { sides } = this.alphabet;
    this.text.value = this.text.value.replace(/(\S)\s*$/, (_, side) => (side === sides[0] ? sides[1] : sides[0]));
    this.changed();
  }

  clear() {
    const [board, ...rest] = this.text.value.split(' ');
    const { sides } = this.alphabet;
    const empty = board.replace(/[^/.#]/g, '.');
    this.text.value = rest.length > 1 ? `${empty} - ${sides[0]}` : `${empty} ${sides[0]}`;
    this.changed();
  }

  /** Shows the text on the board and asks whether the position can be. */
  async changed() {
    const text = this.text.value.trim();
    this.show(text);
    const asked = ++this.asked;
    let good = false;
    try {
      const state = await api.position({ game: this.gameView.session?.game ?? '', position: text, moves: [] });
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

  /** A position that may be none, as long as it has the shape of this board. @param {string} text */
  show(text) {
    const { board, session } = this.gameView;
    const state = session?.state;
    const shape = (/** @type {string} */ position) => position.split(' ')[0].replace(/[^/]/g, '.');
    const second = text.endsWith(this.alphabet.sides[1]);
    this.side.textContent = `${this.gameView.sideName(second ? 'second' : 'first')} to move`;
    if (!board || !state || shape(text) !== shape(state.position)) return;
    board.show({ ...state, from: null, moves: [], position: text, to_move: second ? 'second' : 'first', plies: -1, legal: [], outcome: null, reason: null, wins: [], occurrences: 1 },
      { animate: false, interactive: false });
  }

  async take() {
    const session = new Session({ game: this.gameView.session?.game ?? '', from: this.text.value.trim(), id: freshId() });
    await session.begin(null);
    this.element.open = false;
    this.end();
    await this.gameView.open(session);
    note('The position is on the board.');
  }
}
