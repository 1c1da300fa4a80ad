// Pathwayz: flat discs and permanents on a checkered board between two gold rails.

import { selector, svg } from './dom.js';
import { Grid } from './grid.js';
import { BLUE, box, chip, circle, GREEN, INK, IVORY, polyline, ring, shadow, YELLOW } from './look.js';
import { TIMES } from './motion.js';
import { capital, cellPlace, list } from './text.js';

/** @typedef {import('./look.js').Point} Point */

const CELL = 50;
const DISC = 0.38 * CELL;
const RAIL = 9;
const MARGIN = 38;
/** Beside and beyond a board that stands upright: letters and rails, and nothing more, so that its cells are as wide as a finger. */
const [NARROW, SHORT] = [15, 28];
/** Screens on which it stands upright. */
const PHONE = '(max-width: 560px) and (orientation: portrait)';

/** The piece with its colour changed. @type {Record<string, string>} */
const TURNED = { w: 'b', b: 'w' };

export class Pathwayz extends Grid {
  /** @param {string} spec @param {[string, string]} sides */
  constructor(spec, sides) {
    super(spec, sides);
    this.cols = Number(this.spec.options.get('cols') ?? 12);
    this.rowCount = Number(this.spec.options.get('rows') ?? 8);
    this.options.kind = 'regular';
    this.kinds = selector(
      'Kind of piece',
      [
        ['regular', 'Regular'],
        ['permanent', 'Permanent'],
      ],
      (kind) => this.set('kind', kind),
    );
    this.kinds.show('regular');
    this.controls.prepend(this.kinds.element);
    const phone = matchMedia(PHONE);
    this.upright = phone.matches;
    phone.addEventListener('change', () => {
      this.upright = phone.matches;
      this.rebuild();
    });
    this.otherPress = (/** @type {string} */ id) => {
      const kind = this.options.kind;
      this.set('kind', kind === 'regular' ? 'permanent' : 'regular');
      this.press(id);
      this.set('kind', kind);
    };
  }

  /** Room for letters and rails at the ends of the board. */
  get #ends() {
    return this.upright ? SHORT : MARGIN;
  }

  /** @param {number} x @param {number} y @returns {Point} */
  spotAt(x, y) {
    if (this.upright) return [NARROW + (y + 0.5) * CELL, SHORT + (this.cols - 0.5 - x) * CELL];
    return [MARGIN + (x + 0.5) * CELL, MARGIN + (y + 0.5) * CELL];
  }

  layout() {
    this.#around.clear();
    const [long, short] = [this.cols * CELL, this.rowCount * CELL];
    const [w, h, left] = this.upright ? [short, long, NARROW] : [long, short, MARGIN];
    const ends = this.#ends;
    this.frame(w + 2 * left, h + 2 * ends);
    const { board, pieces } = this.layer;
    // The rails are the goals: the two short sides.
    for (const end of [ends - RAIL, ends + long]) {
      board.append(this.#bar(end, ends - 3, RAIL, short + 6, 5, 'q-rail'), this.#bar(end + 2.5, ends + 3, 2.5, short - 6, 1.2, 'q-glint'));
    }
    board.append(svg('rect', { x: left, y: ends, width: w, height: h, rx: 10, class: 'q-plate-wood' }));
    for (const [, col, row] of this.places()) {
      if ((col + row) % 2 === 1) board.append(box(this.centre(col, row), CELL, CELL, { rx: 6, class: 'q-checker' }));
    }
    board.append(svg('rect', { x: left, y: ends, width: w, height: h, rx: 10, class: 'q-edge' }));
    const [side, end] = this.upright ? [7.5, 9] : [15, 18];
    this.addCoordinates([side, end, w + 2 * left - side, h + 2 * ends - end], this.upright ? 13 : 15);
    this.addCells(
      DISC,
      (at) => box(at, CELL, CELL),
      () => pieces,
    );
  }

  /** A bar at the end of the board, as it lies: along its short side. @param {number} x @param {number} y @param {number} width @param {number} height @param {number} rx @param {string} name */
  #bar(x, y, width, height, rx, name) {
    if (!this.upright) return svg('rect', { x, y, width, height, rx, class: name });
    return svg('rect', { x: y - SHORT + NARROW, y: x, width: height, height: width, rx, class: name });
  }

  /** @param {string} option @param {any} value */
  set(option, value) {
    super.set(option, value);
    if (option !== 'kind') return;
    this.kinds.show(value);
    this.replant();
    this.refresh();
  }

  /** @param {string} move */
  paths(move) {
    return move.endsWith('p') === (this.options.kind === 'permanent') ? this.shownPaths(move) : [];
  }

  /** @param {string} move */
  shownPaths(move) {
    return [[this.spot(move)]];
  }

  /** @param {string} move */
  spot(move) {
    return move.endsWith('p') ? move.slice(0, -1) : move;
  }

  /** @param {string} move */
  isPermanent(move) {
    return move.endsWith('p');
  }

  /** A permanent is the opponent's. @param {string} move @param {boolean} first */
  pieceOf(move, first) {
    if (move.endsWith('p')) return first ? 'B' : 'W';
    return first ? 'w' : 'b';
  }

  /** Kinds are told by shape: a permanent has a rim and a gem. @param {string} piece @param {number} r */
  body(piece, r) {
    const light = piece.toLowerCase() === 'w';
    const [face, edge] = light ? [IVORY, '#8C7F62'] : [INK, '#59626B'];
    const group = svg('g', {}, shadow(this.id, [0.5, 0.14 * r], 1.12 * r), circle([0, 0], r - 0.5, { fill: face, stroke: edge }));
    if (piece === piece.toUpperCase()) {
      const [rim, gem, facet] = light ? ['#C9BC9C', BLUE, '#5AB0E0'] : ['#3C444C', YELLOW, '#FFFBC9'];
      const g = 0.46 * r;
      group.append(
        svg(
          'g',
          { class: 'q-gem' },
          circle([0, 0], 0.83 * r, { fill: 'none', stroke: rim, 'stroke-width': 0.24 * r }),
          circle([0, 0], 0.83 * r, { fill: 'none', stroke: `url(#${this.id}-rim)`, 'stroke-width': 0.24 * r, 'stroke-opacity': 0.55 }),
          circle([0, 0], 0.7 * r, { fill: face, stroke: edge, 'stroke-width': 0.8 }),
          svg('path', {
            d: `${polyline([
              [0, -g],
              [g, 0],
              [0, g],
              [-g, 0],
            ])}Z`,
            fill: gem,
          }),
          svg('path', {
            d: `${polyline([
              [0, -g],
              [0, 0],
              [-g, 0],
            ])}Z`,
            fill: facet,
            'fill-opacity': 0.7,
          }),
        ),
        circle([0, 0], 0.36 * r, { class: 'q-dot' }),
      );
    }
    return group;
  }

  /** The cells around each. @type {Map<string, string[]>} */
  #around = new Map();

  /** The cells around one. @param {string} id @returns {string[]} */
  around(id) {
    const known = this.#around.get(id);
    if (known) return known;
    const [col, row] = cellPlace(id);
    const near = this.places()
      .filter(([, x, y]) => Math.max(Math.abs(x - col), Math.abs(y - row)) === 1)
      .map(([name]) => name);
    this.#around.set(id, near);
    return near;
  }

  /** What a permanent on a cell turns. @param {string} id @param {Map<string, string>} pieces */
  turnedBy(id, pieces) {
    return this.around(id).filter((name) => (pieces.get(name) ?? '.') in TURNED);
  }

  mark() {
    for (const path of this.state?.wins ?? []) this.layer.wins.append(this.glow(path));
    const move = this.lastMove();
    if (move === null) return;
    const { at } = this.at(this.spot(move));
    this.layer.last.append(ring(at, DISC + 2, 3, 'q-ring q-last'), box(at, CELL - 4, CELL - 4, { rx: 4, class: 'q-last-pai' }));
    // Pieces that were turned keep a dot for one turn.
    if (move.endsWith('p')) {
      for (const id of this.turnedBy(this.spot(move), this.pieces))
        this.layer.over.append(circle(this.at(id).at, 0.2 * DISC, { class: 'q-turned' }));
    }
  }

  /** Light under a path, joined where its pieces touch. @param {string[]} path */
  glow(path) {
    const line = path
      .flatMap((a) =>
        path.filter((b) => a === b || (a < b && this.around(a).includes(b))).map((b) => polyline([this.at(a).at, this.at(b).at])),
      )
      .join('');
    const strokes = /** @type {[string, number, number][]} */ ([
      [GREEN, 50, 0.3],
      [INK, 43, 1],
      [GREEN, 39, 1],
    ]);
    return svg(
      'g',
      { class: 'q-glow' },
      ...strokes.map(([stroke, width, opacity]) => svg('path', { d: line, stroke, 'stroke-width': width, 'stroke-opacity': opacity })),
    );
  }

  /** @param {string} move @param {Map<string, string>} before */
  animate(move, before) {
    const centre = this.spot(move);
    this.grow(centre);
    const {
      at: [x, y],
    } = this.at(centre);
    for (const [id, piece] of this.drawn) {
      const old = before.get(id) ?? '.';
      if (old === '.' || old === piece) continue;
      // Outward: what lies farther turns later.
      const { at, slot, r, cell } = this.at(id);
      const delay = TIMES.place + 0.6 * Math.hypot(at[0] - x, at[1] - y);
      const [now, was] = [this.pieceElement(id), this.standing(old, r)];
      slot?.append(was);
      this.motion.leave(was, [{ transform: 'none' }, { transform: 'scaleX(0)' }], TIMES.flip / 2, delay);
      if (now) this.motion.run(now, [{ transform: 'scaleX(0)' }, { transform: 'none' }], TIMES.flip / 2, { delay: delay + TIMES.flip / 2 });
      this.motion.outline(cell);
    }
  }

  /** @param {string} move @param {import('./board.js').State} previous */
  tell(move, previous) {
    const [spot, first] = [this.spot(move), previous.to_move === 'first'];
    const who = capital(this.sideName(previous.to_move));
    if (!move.endsWith('p')) return `${who} plays ${spot}.`;
    const turned = this.turnedBy(spot, this.pieces);
    const what = turned.length > 0 ? ` Turned: ${list(turned.map((id) => `${id} to ${this.content(id)}`))}.` : ' It turns nothing.';
    return `${who} plays a ${this.sides[first ? 1 : 0]} permanent on ${spot}.${what}`;
  }

  /** @param {string} id */
  content(id) {
    const piece = this.drawn.get(id) ?? '.';
    if (piece === '.') {
      if (!this.interactive) return 'empty';
      const turned = this.options.kind === 'permanent' ? this.turnedBy(id, this.pieces).length : 0;
      const what =
        this.options.kind === 'permanent'
          ? `${this.sides[this.first ? 1 : 0]} permanent, would turn ${turned}`
          : `${this.sides[this.first ? 0 : 1]} regular`;
      return `empty, legal: ${what}`;
    }
    return this.sides[piece.toLowerCase() === 'w' ? 0 : 1] + (piece === piece.toUpperCase() ? ' permanent' : '');
  }

  /** @param {string} id */
  why(id) {
    return `${id} is taken by a ${this.content(id)} piece; choose an empty square.`;
  }

  /** @param {string | null} id */
  preview(id) {
    if (id === null || !this.interactive || !this.node.children.has(id)) return;
    const permanent = this.options.kind === 'permanent';
    this.layer.preview.append(this.phantom(id, this.pieceOf(permanent ? 'p' : '', this.first)));
    if (!permanent) return;
    for (const turned of this.turnedBy(id, this.pieces)) {
      const { at, r } = this.at(turned);
      this.layer.preview.append(circle(at, 0.5 * r, { fill: this.pieces.get(turned) === 'w' ? INK : IVORY }), ring(at, 0.5 * r, 2));
    }
  }

  /** @param {string} move */
  bestMove(move) {
    const { at, r } = this.at(this.spot(move));
    const group = svg('g', { class: 'q-best' }, ring(at, 0.72 * r, 4), ring(at, 0.25 * r, 3));
    if (move.endsWith('p')) group.append(chip([at[0], at[1] + r], 12, 'permanent'));
    return group;
  }

  /** @param {string} name */
  overlay(name) {
    if (name === 'paths') for (const light of [true, false]) this.#longest(light);
    if (name === 'threats') for (const [id] of this.places()) this.#threat(id);
  }

  /** The connected pieces of a side that span the most columns. @param {boolean} light */
  #longest(light) {
    const groups = this.#groups(light ? 'w' : 'b', this.drawn);
    const best = groups.reduce((a, b) => (span(b) > span(a) ? b : a), /** @type {string[]} */ ([]));
    if (best.length === 0) return;
    const way = this.#across(best);
    const d = polyline(way.map((id) => this.at(id).at)) + polyline([this.at(way[0]).at]);
    const {
      at: [x, y],
    } = this.at(way[0]);
    const columns = span(best);
    this.layer.overlay.append(
      svg(
        'g',
        { class: `q-chain ${light ? 'q-of-first' : 'q-of-second'}` },
        svg('path', { d, class: 'q-outer' }),
        svg('path', { d, class: 'q-inner' }),
      ),
      chip([Math.max(x, 70), y - 0.55 * CELL], 12, `${this.sides[light ? 0 : 1]}: ${columns} of ${this.cols}`),
    );
  }

  /** A shortest way through a group from its leftmost to its rightmost column. @param {string[]} group */
  #across(group) {
    /** @type {Map<string, string | null>} */
    const from = new Map(group.filter((id) => id[0] === group[0][0]).map((id) => [id, null]));
    const queue = [...from.keys()];
    for (const id of queue) {
      for (const next of this.around(id)) {
        if (!group.includes(next) || from.has(next)) continue;
        from.set(next, id);
        queue.push(next);
      }
    }
    const far = group[group.length - 1][0];
    const way = [];
    for (let at = queue.find((id) => id[0] === far) ?? null; at !== null; at = from.get(at) ?? null) way.unshift(at);
    return way;
  }

  /** The connected groups of a colour, each sorted from the left. @param {string} colour @param {Map<string, string>} pieces */
  #groups(colour, pieces) {
    const left = new Set([...pieces].filter(([, piece]) => piece.toLowerCase() === colour).map(([id]) => id));
    /** @type {string[][]} */
    const groups = [];
    for (const start of left) {
      const group = [start];
      left.delete(start);
      for (const id of group) for (const next of this.around(id)) if (left.delete(next)) group.push(next);
      groups.push(group.sort());
    }
    return groups;
  }

  /** Marks a square on which the side to move joins its rails. @param {string} id */
  #threat(id) {
    const colour = this.first ? 'w' : 'b';
    const wins = (this.state?.legal ?? [])
      .filter((move) => this.spot(move) === id)
      .filter((move) => {
        const pieces = new Map(this.pieces).set(id, this.pieceOf(move, this.first));
        if (this.isPermanent(move))
          for (const turned of this.turnedBy(id, this.pieces)) pieces.set(turned, TURNED[this.pieces.get(turned) ?? '']);
        return this.#groups(colour, pieces).some((group) => span(group) === this.cols);
      });
    if (wins.length === 0) return;
    const { at, r } = this.at(id);
    this.layer.overlay.append(ring(at, 0.6 * r, 4, 'q-ring q-wins'), chip(at, 11, wins.some((move) => !this.isPermanent(move)) ? 'wins' : 'wins p'));
  }
}

/** How many columns a group that is sorted from the left spans. @param {string[]} group */
function span(group) {
  return group.length === 0 ? 0 : group[group.length - 1].charCodeAt(0) - group[0].charCodeAt(0) + 1;
}
