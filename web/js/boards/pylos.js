// Pylos: the pyramid seen from straight above, so that its apex stands over the middle, or its four levels side by side.

import { Board } from './base.js';
import { button, html, selector, svg } from './dom.js';
import { arrow, ball, box, chip, circle, label, outlined, polyline, ring, shadow, YELLOW } from './look.js';
import { TIMES } from './motion.js';
import { above, below, isSquare, patterns, placeName, placeOf, readMove } from './pylos-places.js';
import { capital, columnName, list } from './text.js';

/** @typedef {import('./look.js').Point} Point */
/** @typedef {import('./pylos-places.js').Place} Place */

/** Balls of each colour. */
const BALLS = 15;
/** Distance between neighbours of a level. */
const STEP = 92;
const MARGIN = 34;
/** From the board's edge to the first ball. */
const REACH = 0.64 * STEP;
const PLATE = 3 * STEP + 2 * REACH;
const THICK = 10;
/** A cell of the flat view, and where its levels begin, in cells. */
const FLAT = 66;
const CORNERS = [
  [0.45, 1.75],
  [5, 0.75],
  [5, 4.7],
  [7.5, 4.7],
];

export class Pylos extends Board {
  /** @param {string} spec @param {[string, string]} sides */
  constructor(spec, sides) {
    super(spec, sides);
    this.options.view = 'stacked';
    this.views = selector(
      'View',
      [
        ['stacked', 'Stacked'],
        ['flat', 'Flat'],
      ],
      (view) => this.set('view', view),
    );
    this.views.show('stacked');
    this.enough = button('Enough', () => this.press('enough'), { hidden: true });
    this.controls.append(html('div', { class: 'q-row' }, this.enough, this.views.element));
    /** Rings where a ball can rest now. */
    this.rests = svg('g', { class: 'q-rests' });
  }

  get stacked() {
    return this.options.view === 'stacked';
  }

  layout() {
    const { board } = this.layer;
    const [width, height] = this.stacked ? [PLATE + 2 * MARGIN, PLATE + THICK + 2 * MARGIN - 6] : [8.95 * FLAT, 7.1 * FLAT];
    this.element.setAttribute('viewBox', `0 0 ${width} ${height}`);
    board.append(svg('rect', { x: 1, y: 1, width: width - 2, height: height - 2, rx: 16, class: 'q-frame' }));
    if (this.stacked) this.#plate(height);
    else this.#plates();
    // In painter's order: by level, then from the back to the front. Later cells lie over earlier ones, for the pointer too.
    for (let z = 0; z < 4; z += 1) {
      const lines = Array.from({ length: 4 - z }, (_, i) => i);
      for (const seen of lines) {
        const y = this.options.flipped ? 3 - z - seen : seen;
        const row = this.row(`level ${z + 1}, row ${y + 1}`);
        for (const x of lines) this.#cell(row, { z, x, y });
      }
    }
  }

  /** @param {SVGGElement} row @param {Place} place */
  #cell(row, place) {
    const [at, r] = [this.centre(place), this.radius(place)];
    const hit = this.stacked ? circle(at, r) : box(at, FLAT, FLAT);
    this.target(row, { id: placeName(place), at, r, col: place.x, row: place.y }, hit, this.layer.pieces);
  }

  /** Where a ball's middle is seen: over the middle of the four that it rests on, or flat. Height is told by size and shadow. @param {Place} place @returns {Point} */
  centre({ z, x, y }) {
    const [i, j] = this.options.flipped ? [3 - z - x, 3 - z - y] : [x, y];
    if (!this.stacked) return [(CORNERS[z][0] + i + 0.5) * FLAT, (CORNERS[z][1] + j + 0.5) * FLAT];
    return [MARGIN + REACH + (i + z / 2) * STEP, MARGIN + REACH + (j + z / 2) * STEP];
  }

  /** @param {Place} place */
  radius({ z }) {
    return this.stacked ? 0.47 * STEP * (1 + 0.06 * z) : 0.4 * FLAT;
  }

  /** @param {number} height */
  #plate(height) {
    const { board, coordinates } = this.layer;
    const middle = /** @type {Point} */ ([MARGIN + PLATE / 2, MARGIN + PLATE / 2]);
    board.append(
      box([middle[0], middle[1] + THICK], PLATE, PLATE, { rx: 20, class: 'q-tile-side' }),
      box(middle, PLATE, PLATE, { rx: 20, class: 'q-tile-face' }),
    );
    for (let i = 0; i < 16; i += 1) {
      const at = this.centre({ z: 0, x: i % 4, y: Math.floor(i / 4) });
      board.append(circle(at, 0.34 * STEP, { fill: `url(#${this.id}-hollow)`, class: 'q-hollow' }));
    }
    for (let i = 0; i < 4; i += 1) {
      const [x, y] = this.centre({ z: 0, x: i, y: i });
      for (const edge of [MARGIN / 2, height - MARGIN / 2 + 2]) coordinates.append(label([x, edge], 15, columnName(i)));
      for (const edge of [MARGIN / 2, 2 * middle[0] - MARGIN / 2]) coordinates.append(label([edge, y], 15, String(i + 1)));
    }
  }

  #plates() {
    const { board, coordinates } = this.layer;
    CORNERS.forEach(([left, top], z) => {
      const n = 4 - z;
      const middle = /** @type {Point} */ ([(left + n / 2) * FLAT, (top + n / 2) * FLAT]);
      board.append(box(middle, n * FLAT, n * FLAT, { rx: 14, class: 'q-tile-face' }));
      coordinates.append(label([(left + 0.05) * FLAT, (top - 0.55) * FLAT], 13, `level ${z + 1}`, { 'text-anchor': 'start' }));
      for (let i = 0; i < n; i += 1) {
        const [x, y] = this.centre({ z, x: i, y: i });
        coordinates.append(label([x, (top - 0.18) * FLAT], 13, columnName(i)), label([(left - 0.18) * FLAT, y], 13, String(i + 1)));
      }
      for (let i = 0; i < n * n; i += 1)
        board.append(
          circle(this.centre({ z, x: i % n, y: Math.floor(i / n) }), 0.28 * FLAT, { fill: `url(#${this.id}-hollow)`, class: 'q-hollow' }),
        );
    });
  }

  /** @param {string} option @param {any} value */
  set(option, value) {
    super.set(option, value);
    if (option !== 'view') return;
    this.views.show(value);
    this.rebuild();
  }

  /** @param {string} position */
  read(position) {
    const levels = position.split(' ')[0].split('/');
    this.pieces = new Map(
      levels.flatMap((level, z) =>
        [...level].map(
          (piece, i) => /** @type {[string, string]} */ ([placeName({ z, x: i % (4 - z), y: Math.floor(i / (4 - z)) }), piece]),
        ),
      ),
    );
    return false;
  }

  /** Balls are taken back in any order in which each is free when its turn comes. @param {string} move */
  paths(move) {
    const { from, to, taken } = readMove(move);
    const start = from === null ? [to] : [from, to];
    if (taken.length < 2) return [[...start, ...taken]];
    const [a, b] = taken;
    return [
      [a, b],
      [b, a],
    ]
      .filter(([first]) => this.#legal.has(`${from === null ? to : `${from}^${to}`}-${first}`))
      .map((pair) => [...start, ...pair]);
  }

  /** @type {Set<string>} */
  #legal = new Set();

  replant() {
    this.#legal = new Set(this.state?.legal);
    super.replant();
  }

  /** @param {string} move */
  spot(move) {
    return readMove(move).to;
  }

  /** @param {string} _move @param {boolean} first */
  pieceOf(_move, first) {
    return first ? 'L' : 'D';
  }

  /** @param {string} piece @param {number} r */
  body(piece, r) {
    return svg(
      'g',
      {},
      this.stacked ? shadow(this.id, [0.14 * r, 0.24 * r], 1.2 * r) : shadow(this.id, [1, 3], 1.08 * r),
      ball(this.id, r, piece === 'L'),
    );
  }

  /** What rests on balls lies over them. @param {string} id */
  covered(id) {
    return id[0] !== '1' || super.covered(id);
  }

  /** Is a ball being raised? */
  get raising() {
    return this.trail.length > 0 && this.pieces.get(this.trail[0]) !== '.';
  }

  /** Are balls to be taken back now? */
  get taking() {
    return this.trail.length >= (this.raising ? 2 : 1);
  }

  half() {
    if (this.trail.length === 0) return null;
    const [first, second, ...rest] = this.trail;
    return this.raising ? [`${first}^${second ?? ''}`, ...rest].join('-') : this.trail.join('-');
  }

  /** @param {string[]} trail */
  after(trail) {
    const own = this.first ? 'L' : 'D';
    const pieces = new Map(this.pieces);
    const steps = trail.filter((id) => id !== 'enough');
    const raised = steps.length > 0 && pieces.get(steps[0]) !== '.';
    // A ball that is only picked up stays where it is.
    if (raised && steps.length > 1) pieces.set(steps[0], '.');
    const placed = raised ? steps[1] : steps[0];
    if (placed !== undefined) pieces.set(placed, own);
    for (const id of steps.slice(raised ? 2 : 1)) pieces.set(id, '.');
    return pieces;
  }

  changed() {
    this.enough.hidden = !this.node.children.has('enough') || !this.interactive;
    this.#classes();
    this.#rings();
  }

  /** Locked balls are dimmed while one is raised or taken back; cells that nothing supports take no pointer. */
  #classes() {
    const busy = this.trail.length > 0 && this.interactive;
    this.element.classList.toggle('q-half', busy);
    for (const [id, { cell, slot }] of this.targets) {
      const resting = this.isTaken(id) || this.#supported(id);
      cell.classList.toggle('q-off', this.stacked && !resting);
      slot?.classList.toggle('q-dim', busy && this.isTaken(id) && !this.node.children.has(id) && id !== this.trail[0]);
      slot?.classList.toggle('q-picked', busy && !this.taking && id === this.trail[0]);
    }
  }

  /** Rings on the empty cells where a ball can rest, and on the balls that can be chosen in a later step. */
  #rings() {
    this.rests.remove();
    this.rests = svg('g', { class: 'q-rests' });
    this.layer.over.append(this.rests);
    const open = this.interactive ? this.node.children : new Map();
    for (const [id, { at, r }] of this.targets) {
      const free = !this.isTaken(id) && this.#supported(id);
      if (this.taking && this.interactive) {
        if (open.has(id)) this.rests.append(ring(at, 0.9 * r, 3, 'q-ring q-takeable'));
      } else if (free && (open.has(id) || (!this.interactive && id[0] !== '1' && this.state?.outcome === null))) {
        this.rests.append(circle(at, (id[0] === '1' ? 0.2 : 0.4) * r, { class: id[0] === '1' ? 'q-rest q-ground' : 'q-rest' }));
      }
    }
  }

  /** Do four balls, or the board, lie beneath a cell? @param {string} id */
  #supported(id) {
    return below(id).every((name) => this.isTaken(name));
  }

  mark() {
    for (const id of (this.state?.wins ?? []).flat()) {
      const { at, r } = this.at(id);
      this.layer.over.append(circle(at, r + 8, { class: 'q-halo q-wins' }), ring(at, r + 4, 6, 'q-ring q-wins'));
    }
    const last = this.lastMove();
    if (last === null) return;
    const { from, to, taken } = readMove(last);
    const marks = svg('g', { class: 'q-last' });
    if (from !== null)
      marks.append(
        circle(this.at(from).at, 0.3 * STEP, { class: 'q-from q-outer' }),
        circle(this.at(from).at, 0.3 * STEP, { class: 'q-from q-inner' }),
      );
    if (!taken.includes(to)) marks.append(ring(this.at(to).at, this.at(to).r - 2, 3));
    for (const id of taken) {
      const [[x, y], d] = [this.at(id).at, 8];
      marks.append(
        outlined(
          polyline([
            [x - d, y - d],
            [x + d, y + d],
          ]) +
            polyline([
              [x - d, y + d],
              [x + d, y - d],
            ]),
          3,
          YELLOW,
        ),
      );
    }
    this.layer.over.append(marks);
  }

  /** @param {string} move @param {Map<string, string>} before @param {string[]} trail */
  animate(move, before, trail) {
    const { from, to, taken } = readMove(move);
    if (trail.length === 0 && !taken.includes(to)) {
      const piece = this.pieceElement(to);
      if (from === null || !piece) this.grow(to);
      else {
        const [[x, y], [fx, fy]] = [this.at(to).at, this.at(from).at];
        this.motion.run(piece, [{ transform: `translate(${fx - x}px, ${fy - y}px)` }, { transform: 'none' }], TIMES.raise);
        this.motion.outline(this.at(to).cell);
      }
    }
    for (const id of taken) {
      const piece = before.get(id) ?? '.';
      if (piece !== '.' && this.drawn.get(id) === '.') this.fade(id, piece);
    }
  }

  prompt() {
    if (this.taking) {
      this.#pulse();
      const more = this.node.children.has('enough') ? ', or press Enough' : '';
      return this.trail.length === (this.raising ? 2 : 1) ? `Take back one or two of your balls${more}.` : `Take back one more${more}.`;
    }
    return `${this.trail[0]} picked up. Choose a higher cell; Escape puts it back.`;
  }

  /** A completed pattern pulses: the squares around the new ball, or else its full lines. */
  #pulse() {
    const to = this.trail[this.raising ? 1 : 0];
    const own = this.first ? 'L' : 'D';
    const full = patterns(to).filter((pattern) =>
      pattern.every((id) => this.after(this.trail.slice(0, this.raising ? 2 : 1)).get(id) === own),
    );
    const squares = full.filter((pattern) => isSquare(pattern));
    if (this.trail.length !== (this.raising ? 2 : 1)) return;
    for (const id of new Set((squares.length > 0 ? squares : full).flat())) {
      const piece = this.pieceElement(id);
      if (piece) this.motion.run(piece, [{ transform: 'none' }, { transform: 'scale(1.12)' }, { transform: 'none' }], 2 * TIMES.flip);
    }
  }

  startsAnew() {
    return this.raising && !this.taking;
  }

  /** @param {string} move @param {import('./board.js').State} previous */
  tell(move, previous) {
    const { from, to, taken } = readMove(move);
    const who = capital(this.sideName(previous.to_move));
    const what = from === null ? `places a ball on ${to}` : `raises ${from} to ${to}`;
    const back = taken.length > 0 ? `, takes back ${list(taken)}` : '';
    const again =
      (this.state?.occurrences ?? 0) > 1 ? ` The position occurs for the ${this.state?.occurrences === 2 ? 'second' : 'third'} time.` : '';
    return `${who} ${what}${back}.${again}`;
  }

  /** @param {string} id */
  content(id) {
    const piece = this.drawn.get(id) ?? '.';
    const open = this.interactive && this.node.children.has(id);
    if (piece !== '.') {
      const locked = above(id).some((name) => this.isTaken(name)) ? ', locked' : '';
      const can = !open ? '' : this.taking ? ', can be taken back' : ', can be raised';
      return `${this.sides[piece === 'L' ? 0 : 1]} ball${locked}${can}`;
    }
    if (!this.#supported(id)) return 'empty, not supported';
    return open ? 'empty, legal' : 'empty';
  }

  /** @param {string} id */
  why(id) {
    if (id === 'enough') return 'At least one ball has to be taken back.';
    const [own, taken] = [this.first ? 'L' : 'D', this.isTaken(id)];
    if (this.taking) {
      if (!taken) return 'Take back one or two of your balls first; Esc undoes the step before.';
      if (this.drawn.get(id) !== own) return `${id} is not yours; take back balls of your own.`;
      return `${id} supports ${list(above(id).filter((name) => this.isTaken(name)))} and cannot be taken back.`;
    }
    if (taken && this.pieces.get(id) !== own) return `${id} is taken by a ${this.sides[own === 'L' ? 1 : 0]} ball.`;
    if (taken) {
      const resting = above(id).filter((name) => this.isTaken(name));
      return resting.length > 0 ? `${id} supports ${list(resting)} and cannot be raised.` : `${id} has no higher cell to go to.`;
    }
    const missing = below(id).filter((name) => !this.isTaken(name) || name === this.trail[0]);
    if (missing.includes(this.trail[0])) return `${id} rests on ${list(below(id))}; a ball cannot climb onto a square it is part of.`;
    if (missing.length > 0) return `${id} needs ${list(missing)}, which ${missing.length > 1 ? 'are' : 'is'} empty.`;
    return this.raising ? `A ball must move up: ${id} is not higher than ${this.trail[0]}.` : `There is no ball left for ${id}.`;
  }

  /** @param {string | null} id */
  preview(id) {
    for (const { slot } of this.targets.values()) slot?.classList.remove('q-glass');
    if (id === null) return;
    const { at, r } = this.at(id);
    if (this.stacked) {
      // What lies beneath is seen through the balls that hide it.
      for (const [name, { slot, at: other }] of this.targets) {
        const hides = name[0] > id[0] && Math.hypot(at[0] - other[0], at[1] - other[1]) < 1.3 * r;
        if (hides || (name === id && id[0] !== '1' && !this.node.children.has(id))) slot?.classList.add('q-glass');
      }
    }
    if (!this.interactive || !this.node.children.has(id)) return;
    if (this.isTaken(id)) this.layer.preview.append(ring(at, 0.94 * r, 3));
    else
      this.layer.preview.append(
        svg('g', { class: 'q-faint', transform: `translate(${at[0]} ${at[1]})` }, this.body(this.first ? 'L' : 'D', r)),
      );
  }

  steps() {
    const first = this.raising ? ['Pick up', 'Raise'] : ['Place'];
    return this.taking && this.interactive ? [...first, 'Take back'] : this.raising ? first : [];
  }

  /** Past a level's edge comes the next level. @param {string} id @param {number} dx @param {number} dy */
  neighbour(id, dx, dy) {
    const { z, x, y } = placeOf(id);
    const turn = this.options.flipped ? -1 : 1;
    const [to, down, n] = [x + turn * dx, y + turn * dy, 4 - z];
    if (to >= 0 && to < n) return placeName({ z, x: to, y: Math.min(Math.max(down, 0), n - 1) });
    if (dx > 0 && z < 3) return placeName({ z: z + 1, x: turn > 0 ? 0 : n - 2, y: Math.min(y, n - 2) });
    return dx < 0 && z > 0 ? placeName({ z: z - 1, x: turn > 0 ? n : 0, y }) : id;
  }

  /** @param {string} id @param {number} by */
  level(id, by) {
    const { z, x, y } = placeOf(id);
    const to = Math.min(Math.max(z + by, 0), 3);
    return placeName({ z: to, x: Math.min(x, 3 - to), y: Math.min(y, 3 - to) });
  }

  /** @param {string} move */
  bestMove(move) {
    const { from, to, taken } = readMove(move);
    const { at, r } = this.at(to);
    const group = svg('g', { class: 'q-best' });
    if (from !== null) group.append(arrow(this.at(from).at, at, 6, 0.3 * r));
    else group.append(ring(at, 0.5 * r, 4), ring(at, 0.16 * r, 3));
    taken.forEach((id) => group.append(chip(this.at(id).at, 13, 'back')));
    return group;
  }

  /** @param {number} r */
  ringRadius(r) {
    return 1.02 * r;
  }

  /** Balls that are not on the board. @returns {[number, number]} */
  reserves() {
    const left = (/** @type {string} */ piece) => BALLS - [...this.drawn.values()].filter((one) => one === piece).length;
    return [left('L'), left('D')];
  }

  rows() {
    const levels = [0, 1, 2, 3].flatMap((z) =>
      Array.from({ length: 4 - z }, (_, y) => {
        const ids = Array.from({ length: 4 - z }, (_, x) => placeName({ z, x, y })).filter((id) => this.isTaken(id));
        return `Level ${z + 1}, row ${y + 1}: ${ids.map((id) => `${id} ${this.sides[this.drawn.get(id) === 'L' ? 0 : 1]}`).join(', ') || 'empty'}.`;
      }),
    );
    const left = this.reserves();
    return [...levels, `In reserve: ${left[0]} ${this.sides[0]}, ${left[1]} ${this.sides[1]}.`];
  }
}
