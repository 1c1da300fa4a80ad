// TwixT: pegs in holes, links a knight's move long, and a magnifying glass for small screens.

import { button, html, svg } from './dom.js';
import { Grid } from './grid.js';
import { box, chip, circle, label, polyline, ring, shadow } from './look.js';
import { TIMES } from './motion.js';
import { capital, cellName, cellPlace, list } from './text.js';
import { cheapest, crossing, KNIGHT, readLinks } from './twixt-links.js';

/** @typedef {import('./look.js').Point} Point */
/** @typedef {import('./twixt-links.js').Link} Link */

const MARGIN = 46;
/** Holes seen through the glass, and the size in pixels below which a finger needs it. */
const GLASS = 7;
const FINGER = 36;
/** Pixels that a finger may move and still tap. */
const STEADY = 8;

export class Twixt extends Grid {
  /** @param {string} spec @param {[string, string]} sides */
  constructor(spec, sides) {
    super(spec, sides);
    this.cols = this.rowCount = Number(this.spec.options.get('size') ?? 12);
    this.cell = 0;
    /** @type {Link[]} */
    this.links = [];
    this.lines = svg('g', { class: 'q-links' });
    /** The links that are drawn, by name. @type {Map<string, SVGGElement>} */
    this.drawnLinks = new Map();
    /** The hole that the next tap confirms. @type {string | null} */
    this.pending = null;
    /** Has the finger moved the board since it came down? */
    this.dragged = false;
    this.swap = button('Swap', () => this.press('swap'), { title: 'Take over the first peg (s)' });
    this.whole = button('Whole board', () => this.zoom(null), { hidden: true });
    this.controls.append(html('div', { class: 'q-row' }, this.swap, this.whole));
    this.#pan();
  }

  title() {
    return `TwixT ${this.cols} by ${this.cols}`;
  }

  /** @param {number} x @param {number} y @returns {Point} */
  spotAt(x, y) {
    return [MARGIN + (x + 0.5) * this.cell, MARGIN + (y + 0.5) * this.cell];
  }

  layout() {
    this.cell = Math.min(80, Math.max(27, 600 / this.cols));
    const [side, { cell }] = [this.cols * this.cell, this];
    const width = side + 2 * MARGIN;
    this.frame(width, width);
    this.#field(side);
    const near = MARGIN - 12;
    this.addCoordinates([near, near, width - near, width - near], Math.min(15, Math.max(11.5, 0.42 * cell)));
    this.lines.replaceChildren();
    this.drawnLinks.clear();
    this.layer.pieces.append(this.lines);
    const holes = svg('g', { class: 'q-holes' });
    this.layer.board.append(holes);
    this.addCells(
      0.34 * cell,
      (at) => box(at, cell, cell),
      () => this.layer.pieces,
    );
    for (const [id, { at }] of this.targets)
      if (this.pieces.get(id) !== '#' && !this.#corner(id)) holes.append(circle(at, Math.max(2.2, 0.075 * cell)));
  }

  /** Is this a corner without a hole? Before the first position is shown, the spec decides. @param {string} id */
  #corner(id) {
    const [col, row] = cellPlace(id);
    const far = this.cols - 1;
    const corner = (col === 0 || col === far) && (row === 0 || row === far);
    return corner && (this.pieces.size > 0 ? this.pieces.get(id) === '#' : this.spec.options.get('rules') !== 'paper');
  }

  /** The field, its border lines in the colours of their owners, and what they are for. @param {number} side */
  #field(side) {
    const { board } = this.layer;
    const { cell } = this;
    const [near, far, inner, end] = [MARGIN + cell, MARGIN + side - cell, side - 2 * cell, MARGIN + side];
    board.append(svg('rect', { x: MARGIN, y: MARGIN, width: side, height: side, rx: 6, class: 'q-field' }));
    const guides = svg('g', { class: 'q-guides' });
    for (let i = 1; i < this.cols - 1; i += 1) {
      const at = MARGIN + (i + 0.5) * cell;
      guides.append(svg('path', { d: `M${MARGIN} ${at}H${end}M${at} ${MARGIN}V${end}` }));
    }
    board.append(guides);
    for (const edge of [MARGIN, far]) {
      board.append(
        svg('rect', { x: near, y: edge, width: inner, height: cell, class: 'q-tint q-red' }),
        svg('rect', { x: edge, y: near, width: cell, height: inner, class: 'q-tint q-black' }),
      );
    }
    for (const line of [near, far]) {
      board.append(
        svg('path', { d: `M${near} ${line}H${far}`, class: 'q-goal q-red-line' }),
        svg('path', { d: `M${line} ${near}V${far}`, class: 'q-goal q-black-line' }),
      );
    }
    const middle = MARGIN + side / 2;
    for (const at of [13, end + MARGIN - 13]) {
      board.append(
        label([middle, at], 13, 'top-bottom', { class: 'q-goal-name q-red' }),
        label([at, middle], 13, 'left-right', { class: 'q-goal-name q-black', transform: `rotate(-90 ${at} ${middle})` }),
      );
    }
  }

  /** @param {string} option @param {any} value */
  set(option, value) {
    super.set(option, value);
    if (option === 'guides') this.element.classList.toggle('q-guided', Boolean(value));
  }

  /** @param {string} position */
  read(position) {
    this.links = readLinks(position.split(' ')[1] ?? '-');
    this.pending = null;
    // Whoever edits a position puts several pegs while they look through the glass.
    if (!this.editor) this.zoom(null);
    return super.read(position);
  }

  draw() {
    super.draw();
    const now = new Set(this.links.map(({ name }) => name));
    for (const [name, element] of this.drawnLinks) {
      if (now.has(name)) continue;
      element.remove();
      this.drawnLinks.delete(name);
    }
    for (const link of this.links) {
      if (this.drawnLinks.has(link.name)) continue;
      const element = this.#link(link);
      this.lines.append(element);
      this.drawnLinks.set(link.name, element);
    }
  }

  /** A link from the new peg to the old: red ones are solid, black ones double. @param {Link} link */
  #link(link) {
    const last = this.lastMove();
    const [from, to] = link.b === last ? [link.b, link.a] : [link.a, link.b];
    const red = this.pieces.get(from) === 'r';
    const [[x1, y1], [x2, y2], thick] = [this.at(from).at, this.at(to).at, 0.28 * this.cell];
    /** @param {string} name @param {number} width */
    const stroke = (name, width) => svg('line', { x1, y1, x2, y2, class: name, 'stroke-width': width, pathLength: 1 });
    return svg(
      'g',
      { class: 'q-link', 'data-link': link.name },
      stroke('q-link-edge', thick + 3),
      stroke(red ? 'q-red-line' : 'q-black-line', thick),
      ...(red ? [] : [stroke('q-link-core', 0.36 * thick)]),
    );
  }

  /** @param {string} move */
  paths(move) {
    if (move !== 'swap') return [[move]];
    return [['swap'], ...[...this.pieces].filter(([, piece]) => piece === 'r').map(([id]) => [id])];
  }

  /** After a swap the only peg. @param {string} move */
  spot(move) {
    return move === 'swap' ? ([...this.pieces].find(([, piece]) => piece === 'b' || piece === 'r')?.[0] ?? 'swap') : move;
  }

  /** @param {string} _move @param {boolean} first */
  pieceOf(_move, first) {
    return first ? 'r' : 'b';
  }

  /** Round pegs and square ones, so that nobody has to tell them by colour. @param {string} piece @param {number} r */
  body(piece, r) {
    const d = 1.84 * r;
    const peg = piece === 'r' ? circle([0, 0], r, { class: 'q-peg q-red' }) : box([0, 0], d, d, { rx: 0.2 * r, class: 'q-peg q-black' });
    return svg('g', {}, shadow(this.id, [0.5, 0.15 * r], 1.25 * r), peg, circle([-0.3 * r, -0.3 * r], 0.28 * r, { class: 'q-shine' }));
  }

  mark() {
    for (const chain of this.state?.wins ?? []) {
      const d = this.links
        .filter(({ a, b }) => chain.includes(a) && chain.includes(b))
        .map(({ a, b }) => polyline([this.at(a).at, this.at(b).at]))
        .join('');
      const dots = chain.map((id) => polyline([this.at(id).at, this.at(id).at])).join('');
      this.layer.wins.append(
        svg(
          'g',
          { class: 'q-glow' },
          svg('path', { d: d + dots, class: 'q-glow-edge', 'stroke-width': 0.8 * this.cell + 3 }),
          svg('path', { d: d + dots, class: 'q-glow-face', 'stroke-width': 0.8 * this.cell }),
        ),
      );
    }
    const move = this.lastMove();
    const target = move === null ? undefined : this.targets.get(this.spot(move));
    if (!target) return;
    this.layer.last.append(ring(target.at, 0.49 * this.cell, Math.min(3, Math.max(2, 0.08 * this.cell)), 'q-ring q-last'));
    if (move === 'swap') this.#swapped(target.at);
  }

  /** Says on the board that the first peg has been taken over. @param {Point} at */
  #swapped([x, y]) {
    const [words, size] = [`${capital(this.sides[1])} swapped: this peg is ${this.sides[1]} now`, Math.max(14, 0.3 * this.cell)];
    const [half, width] = [0.3 * size * words.length + size, this.cols * this.cell + 2 * MARGIN];
    const chipped = chip([Math.min(Math.max(x, half), width - half), y < width / 3 ? y + 0.9 * this.cell : y - 0.9 * this.cell], size, words);
    chipped.classList.add('q-swapped');
    this.layer.over.append(chipped);
  }

  /** @param {string} move @param {Map<string, string>} before */
  animate(move, before) {
    for (const [id, piece] of before) if ('rb'.includes(piece) && (this.drawn.get(id) ?? '.') !== piece) this.fade(id, piece);
    this.grow(this.spot(move));
    for (const { name, a, b } of this.links) {
      if (a !== move && b !== move) continue;
      for (const line of this.drawnLinks.get(name)?.children ?? []) {
        this.motion.run(line, [{ strokeDasharray: '0 1' }, { strokeDasharray: '1 0' }], TIMES.link, {
          delay: TIMES.place,
          easing: 'linear',
        });
      }
    }
  }

  /** The own pegs a knight's move from a hole, and the link that stands in the way of each. @param {string} id @param {string} colour */
  neighbours(id, colour) {
    const [col, row] = cellPlace(id);
    return KNIGHT.map(([dx, dy]) => cellName(col + dx, row + dy))
      .filter((other) => this.pieces.get(other) === colour)
      .map((other) => {
        const blocking = this.links.find((link) => this.#stops(link, colour) && crossing([id, other], [link.a, link.b]));
        return { other, blocking: blocking ?? null };
      });
  }

  /** On paper one's own links may cross. @param {Link} link @param {string} colour */
  #stops(link, colour) {
    return this.spec.options.get('rules') !== 'pp' || this.pieces.get(link.a) !== colour;
  }

  /** @param {string} move @param {import('./board.js').State} previous */
  tell(move, previous) {
    const who = capital(this.sideName(previous.to_move));
    if (move === 'swap') return `${who} swaps: a ${this.sides[1]} peg is now on ${this.spot(move)}.`;
    const made = this.links.filter(({ a, b }) => a === move || b === move).map(({ a, b }) => (a === move ? b : a));
    const blocked = this.neighbours(move, this.pieces.get(move) ?? '.').filter(({ other, blocking }) => blocking && !made.includes(other));
    return [
      `${who} plays ${move}`,
      made.length > 0 ? `, linked to ${list(made)}` : '',
      '.',
      ...blocked.map(({ other, blocking }) => ` The link to ${other} is blocked by ${blocking?.a}-${blocking?.b}.`),
    ].join('');
  }

  /** @param {string} id */
  content(id) {
    const piece = this.drawn.get(id) ?? '.';
    if (piece === '#') return 'no hole';
    if (piece === '.') return this.interactive && this.node.children.has(id) ? 'empty, legal' : this.#border(id) || 'empty';
    const linked = this.links.filter(({ a, b }) => a === id || b === id).map(({ a, b }) => (a === id ? b : a));
    const words = this.sides[piece === 'r' ? 0 : 1] + (linked.length > 0 ? ` linked to ${list(linked)}` : '');
    return this.interactive && this.node.children.has(id) ? `${words}, Enter swaps` : words;
  }

  /** Whose border line a hole is on. @param {string} id */
  #border(id) {
    const [[col, row], far] = [cellPlace(id), this.cols - 1];
    if (row === 0 || row === far) return `empty, ${this.sides[0]}'s border line`;
    return col === 0 || col === far ? `empty, ${this.sides[1]}'s border line` : '';
  }

  /** @param {string} id */
  why(id) {
    const piece = this.pieces.get(id);
    if (id === 'swap') return 'Only the answer to the first peg can be a swap.';
    if (piece === '#') return `${id} is a corner, not a hole.`;
    if (piece !== '.') return `${id} is taken by a ${this.sides[piece === 'r' ? 0 : 1]} peg; choose an empty hole.`;
    return `${id} is on the border line of ${this.sides[this.first ? 1 : 0]}, where ${this.sides[this.first ? 0 : 1]} may not go.`;
  }

  changed() {
    this.swap.hidden = !this.state?.legal.includes('swap');
    this.swap.disabled = !this.interactive;
  }

  /** @param {string | null} id */
  preview(id) {
    this.lines.querySelectorAll('.q-crossed').forEach((line) => line.classList.remove('q-crossed'));
    const cell = id ?? this.pending;
    if (cell === null || !this.interactive || !this.node.children.has(cell) || this.isTaken(cell)) return;
    const colour = this.first ? 'r' : 'b';
    for (const { other, blocking } of this.neighbours(cell, colour)) {
      const [[x1, y1], [x2, y2]] = [this.at(cell).at, this.at(other).at];
      const name = blocking ? 'q-link-blocked' : `q-link-new ${colour === 'r' ? 'q-red-line' : 'q-black-line'}`;
      this.layer.preview.append(svg('line', { x1, y1, x2, y2, class: name, 'stroke-width': 0.2 * this.cell }));
      if (blocking) this.drawnLinks.get(blocking.name)?.classList.add('q-crossed');
    }
    this.layer.preview.append(this.phantom(cell, colour));
    if (cell === this.pending) {
      const { at } = this.at(cell);
      this.layer.preview.append(
        ring(at, 0.45 * this.cell, 2),
        chip([at[0], at[1] - 0.85 * this.cell], 0.34 * this.cell, `${cell}: tap again`),
      );
    }
  }

  /** @param {string} move */
  bestMove(move) {
    const target = this.targets.get(this.spot(move));
    if (!target) return null;
    return svg('g', { class: 'q-best' }, ring(target.at, target.r, 3), ring(target.at, 0.3 * target.r, 2));
  }

  /** @param {number} r */
  ringRadius(r) {
    return 1.4 * r;
  }

  /** @param {string} name */
  overlay(name) {
    if (name !== 'paths') return;
    for (const colour of ['r', 'b']) {
      const chain = cheapest(this.pieces, this.links, this.cols, colour, (link) => this.#stops(link, colour));
      if (!chain) continue;
      const needed = chain.filter((id) => this.pieces.get(id) === '.');
      const d = polyline(chain.map((id) => this.at(id).at));
      const side = colour === 'r' ? 0 : 1;
      this.layer.overlay.append(
        svg('path', { d, class: `q-way ${side === 0 ? 'q-red-line' : 'q-black-line'}`, 'stroke-width': 0.12 * this.cell }),
      );
      for (const id of needed) {
        const { at, r } = this.at(id);
        this.layer.overlay.append(
          side === 0 ? circle(at, 0.7 * r, { class: 'q-need q-red-line' }) : box(at, 1.3 * r, 1.3 * r, { class: 'q-need q-black-line' }),
        );
      }
      const [x, y] = this.at(needed[Math.floor(needed.length / 2)] ?? chain[0]).at;
      this.layer.overlay.append(
        chip(
          [Math.min(x + 1.2 * this.cell, this.cols * this.cell), y + 0.75 * this.cell],
          Math.max(12, 0.3 * this.cell),
          `${this.sides[side]}: ${needed.length} to go`,
        ),
      );
    }
  }

  rows() {
    const links = ['r', 'b'].map((colour, side) => {
      const own = this.links.filter(({ a }) => this.pieces.get(a) === colour).map(({ a, b }) => `${a}-${b}`);
      return `Links of ${this.sides[side]}: ${own.join(', ') || 'none'}.`;
    });
    return [...super.rows(), ...links];
  }

  // Small screens.

  /** The first tap of a finger magnifies, the second one on the same hole plays. @param {string} id @param {{touch: boolean}} how */
  holds(id, { touch }) {
    if (!touch || !this.node.children.has(id) || id === 'swap') return false;
    if (this.pending === id || (this.pending === null && this.fits)) {
      this.pending = null;
      return false;
    }
    const fresh = this.pending === null;
    this.pending = id;
    this.pointed = null;
    this.layer.preview.replaceChildren();
    this.preview(null);
    if (fresh) this.zoom(id);
    this.emit('announce', { text: `${id}: tap again to play.` });
    return true;
  }

  /** While a position is edited, the first tap of a finger magnifies; from then on holes are large enough for the finger. @param {string} id @param {{touch: boolean}} how */
  magnifies(id, { touch }) {
    if (touch && this.dragged) return true;
    if (!touch || this.fits || this.element.classList.contains('q-zoomed')) return false;
    this.zoom(id);
    this.emit('announce', { text: 'Magnified: tap holes to put pieces there, drag to see other parts of the board.' });
    return true;
  }

  /** @param {((id: string) => void) | null} press */
  edit(press) {
    super.edit(press);
    this.zoom(null);
  }

  /** Are holes large enough for a finger? */
  get fits() {
    return (this.element.getScreenCTM()?.a ?? 1) * this.cell >= FINGER;
  }

  cancelHalf() {
    this.pending = null;
    this.zoom(null);
    super.cancelHalf();
  }

  /** Looks at a hole through the glass, or at the whole board. @param {string | null} id */
  zoom(id) {
    const width = this.cols * this.cell + 2 * MARGIN;
    const side = id === null ? width : Math.min(width, GLASS * this.cell);
    const [x, y] = id === null ? [width / 2, width / 2] : this.at(id).at;
    this.#look(x - side / 2, y - side / 2, side);
    this.element.classList.toggle('q-zoomed', id !== null);
    this.whole.hidden = id === null;
    if (id === null) {
      this.pending = null;
      this.layer.preview.replaceChildren();
    }
  }

  /** @param {number} x @param {number} y @param {number} side */
  #look(x, y, side) {
    const width = this.cols * this.cell + 2 * MARGIN;
    /** @param {number} at */
    const inside = (at) => Math.min(Math.max(at, 0), width - side);
    this.element.setAttribute('viewBox', `${inside(x)} ${inside(y)} ${side} ${side}`);
  }

  /** A finger drags the magnified board. */
  #pan() {
    /** @type {Point | null} */
    let from = null;
    /** @type {Point} */
    let down = [0, 0];
    this.element.addEventListener('pointerdown', ({ clientX, clientY }) => {
      from = down = [clientX, clientY];
      this.dragged = false;
    });
    for (const end of ['pointerup', 'pointercancel']) this.element.addEventListener(end, () => (from = null));
    this.element.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (from === null || !this.element.classList.contains('q-zoomed')) return;
      const [x, y, side] = (this.element.getAttribute('viewBox') ?? '').split(' ').map(Number);
      const scale = side / this.element.getBoundingClientRect().width;
      this.#look(x - (clientX - from[0]) * scale, y - (clientY - from[1]) * scale, side);
      this.dragged ||= Math.hypot(clientX - down[0], clientY - down[1]) > STEADY;
      from = [clientX, clientY];
    });
  }
}
