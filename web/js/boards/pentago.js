// Pentago and Pentago-Twist: four 3x3 tiles with marbles in hollows; a move is a marble and then a turn.

import { num, svg } from './dom.js';
import { Grid } from './grid.js';
import { arrowHead, ball, box, circle, GREEN, outlined, polyline, ring, shadow, signed } from './look.js';
import { TIMES } from './motion.js';
import { capital, cellName, cellPlace } from './text.js';

/** @typedef {import('./look.js').Point} Point */

const CELL = 64;
const PAD = 4;
/** A tenth of a cell. */
const GAP = 6.4;
const TILE = 3 * CELL + 2 * PAD;
/** Room for the coordinates, and beyond them for the arrows. */
const MARGIN = 68;
const SIZE = 2 * TILE + GAP + 2 * MARGIN;
const MARBLE = 0.36 * CELL;
/** From the middle of a tile to its arcs. */
const ARC = TILE / 2 + 34;
/** And to where the overlays speak of a turn, outside of its arc. */
const BEYOND = TILE / 2 + 53;

const QUADRANTS = ['top left', 'top right', 'bottom left', 'bottom right'];
/** @type {Record<string, string>} */
const TURNS = { r: 'right', l: 'left', f: 'mirror' };

/**
 * The outer sides of the tiles, clockwise from the top left, by the tile's place on the screen: its column and row, the
 * angle at which the side lies, and whether a turn to the right runs towards the middle of the board there.
 * @type {[number, number, number, boolean][]}
 */
const EDGES = [
  [0, 0, -90, true],
  [1, 0, -90, false],
  [1, 0, 0, true],
  [1, 1, 0, false],
  [1, 1, 90, true],
  [0, 1, 90, false],
  [0, 1, 180, true],
  [0, 0, 180, false],
];

export class Pentago extends Grid {
  /** @param {string} spec @param {[string, string]} sides */
  constructor(spec, sides) {
    super(spec, sides);
    this.cols = 6;
    this.rowCount = 6;
    this.hatched = true;
    this.twist = this.spec.name === 'pentago-twist';
    /** Tiles and their marbles, by quadrant. @type {{tile: SVGGElement, marbles: SVGGElement}[]} */
    this.quadrants = [];
    /** The arrows clockwise. @type {string[]} */
    this.turns = [];
  }

  title() {
    return this.twist ? 'Pentago-Twist' : 'Pentago';
  }

  /** @param {number} x @param {number} y @returns {Point} */
  spotAt(x, y) {
    /** @param {number} i */
    const place = (i) => MARGIN + Math.floor(i / 3) * (TILE + GAP) + PAD + ((i % 3) + 0.5) * CELL;
    return [place(x), place(y)];
  }

  /** The middle of a quadrant. @param {number} quadrant from 0 */
  middle(quadrant) {
    return this.centre((quadrant % 2) * 3 + 1, Math.floor(quadrant / 2) * 3 + 1);
  }

  layout() {
    this.frame(SIZE, SIZE);
    this.quadrants = QUADRANTS.map((_, i) => {
      const [tile, marbles] = [svg('g', { class: 'q-tile' }), svg('g', { class: 'q-marbles' })];
      const [x, y] = this.middle(i);
      for (const group of [tile, marbles]) group.style.transformOrigin = `${x}px ${y}px`;
      tile.append(box([x, y], TILE, TILE, { rx: 18, class: 'q-tile-face' }));
      // The side lies in the shade wherever the tile has turned.
      this.layer.board.append(box([x, y + 3], TILE, TILE, { rx: 18, class: 'q-tile-side' }), tile);
      this.layer.pieces.append(marbles);
      return { tile, marbles };
    });
    for (const [, col, row] of this.places()) {
      const hollow = circle(this.centre(col, row), MARBLE + 2.5, { fill: `url(#${this.id}-hollow)`, class: 'q-hollow' });
      this.quadrants[quadrantOf(col, row)].tile.append(hollow);
    }
    const near = MARGIN - 12;
    this.addCoordinates([near, near, SIZE - near, SIZE - near], 14);
    this.addCells(
      MARBLE,
      (at) => box(at, CELL, CELL),
      (col, row) => this.quadrants[quadrantOf(col, row)].marbles,
    );
    this.#arrows();
  }

  /** Eight arrows around the board, shown when a marble has been placed. */
  #arrows() {
    const row = this.row('turns');
    row.classList.add('q-turns');
    this.turns = EDGES.map(([x, y, angle, inward]) => {
      const quadrant = this.options.flipped ? 3 - (x + 2 * y) : x + 2 * y;
      const upright = angle === 90 || angle === -90;
      const kind = this.twist ? (upright ? 'f' : 'r') : inward ? 'r' : 'l';
      const id = `q${quadrant + 1}${kind}`;
      const middle = this.middle(quadrant);
      this.target(row, { id, at: polar(middle, BEYOND, angle), r: 9.5, col: -1, row: -1 }, wedge(middle, angle, x, y), null);
      this.at(id).cell.append(kind === 'f' ? mirrorSign(polar(middle, ARC, angle), 34) : arcSign(middle, ARC, angle, 22, kind === 'r'));
      return id;
    });
  }

  /** @param {string} move */
  paths(move) {
    const { cell, turn } = split(move);
    return [turn ? [cell, turn] : [cell]];
  }

  /** Where the marble lies after the turn. @param {string} move */
  spot(move) {
    const { cell, turn } = split(move);
    return turn ? turned(cell, turn) : cell;
  }

  /** A marble around the origin; the shading stays upright while its tile turns. @param {string} piece @param {number} r */
  body(piece, r) {
    return svg('g', {}, shadow(this.id, [1, 3], 1.08 * r), ball(this.id, r, piece === 'x'));
  }

  /** @param {string[]} trail */
  after([cell]) {
    return cell === undefined ? this.pieces : new Map(this.pieces).set(cell, this.first ? 'x' : 'o');
  }

  /** @param {import('./base.js').Target} target */
  reachable(target) {
    return (target.slot === null) === this.trail.length > 0;
  }

  /** Among the arrows a key goes to the one of the two neighbours that lies that way. @param {string} id @param {number} dx @param {number} dy */
  neighbour(id, dx, dy) {
    const i = this.turns.indexOf(id);
    if (i < 0) return super.neighbour(id, dx, dy);
    const {
      at: [x, y],
    } = this.at(id);
    let [best, most] = [id, 1];
    for (const next of [this.turns[(i + 1) % 8], this.turns[(i + 7) % 8]]) {
      const { at } = this.at(next);
      const along = (at[0] - x) * dx + (at[1] - y) * dy;
      if (along > most) [best, most] = [next, along];
    }
    return best;
  }

  changed() {
    this.element.classList.toggle('q-turning', this.trail.length > 0);
  }

  mark() {
    const move = this.lastMove();
    if (move !== null) {
      this.layer.last.append(ring(this.at(this.spot(move)).at, MARBLE + 3, 3, 'q-ring q-last'));
      const { turn } = split(move);
      if (turn) this.layer.last.append(this.#lastTurn(turn));
    }
    for (const line of this.state?.wins ?? []) {
      const ends = [...line].sort((a, b) => order(a) - order(b));
      this.layer.over.append(outlined(polyline(ends.map((id) => this.at(id).at)), 8, GREEN, { class: 'q-outlined q-bar' }));
    }
  }

  /** The sign of the turn that was made, where its arrow was. @param {string} turn */
  #lastTurn(turn) {
    const sign = this.at(turn).cell.querySelector('.q-sign');
    return svg('g', { class: 'q-last-turn' }, ...(sign ? [sign.cloneNode(true)] : []));
  }

  /** @param {string} move @param {Map<string, string>} _before @param {string[]} trail */
  animate(move, _before, trail) {
    const { turn } = split(move);
    const placed = trail.length > 0;
    if (!placed) this.grow(this.spot(move));
    if (!turn) return;
    const { tile, marbles } = this.quadrants[Number(turn[1]) - 1];
    const [from, back] =
      { r: ['rotate(-90deg)', 'rotate(90deg)'], l: ['rotate(90deg)', 'rotate(-90deg)'], f: ['scaleX(-1)', 'scaleX(-1)'] }[turn[2]] ?? [];
    const ms = turn[2] === 'f' ? TIMES.mirror : TIMES.turn;
    const how = { delay: placed ? 0 : TIMES.place };
    // The tile lies over its neighbours while it turns; what says how the light falls does not turn with it.
    const frames = [{ transform: from }, { transform: 'none' }];
    this.layer.pieces.append(tile, marbles);
    this.motion.run(tile, frames, ms, { ...how, then: () => this.layer.board.append(tile) });
    this.motion.run(marbles, frames, ms, how);
    for (const body of [...tile.querySelectorAll('.q-hollow'), ...marbles.querySelectorAll('.q-piece > g')]) {
      this.motion.run(body, [{ transform: back }, { transform: 'none' }], ms, how);
    }
    this.motion.run(this.layer.last, [{ opacity: 0 }, { opacity: 0 }], ms, how);
    this.motion.run(this.layer.over, [{ opacity: 0 }, { opacity: 0 }], ms, how);
    this.motion.outline(tile);
  }

  /** @param {string} move @param {import('./board.js').State} previous */
  tell(move, previous) {
    const { cell, turn } = split(move);
    const who = capital(this.sideName(previous.to_move));
    return turn ? `${who} plays ${cell}, ${turnWords(turn, 'ed')}.` : `${who} plays ${cell}, no turn.`;
  }

  /** @param {string} id */
  content(id) {
    if (id.startsWith('q')) return turnWords(id, '');
    const piece = this.drawn.get(id) ?? '.';
    if (piece === '.') return this.interactive && this.trail.length === 0 ? 'empty, legal' : 'empty';
    return `${this.sides[piece === 'x' ? 0 : 1]}${this.trail[0] === id ? ', just placed' : ''}`;
  }

  /** A turn is named by what it does, not by its token. @param {string} id */
  name(id) {
    return id.startsWith('q') ? [turnWords(id, ''), this.overlays.words(id)].filter(Boolean).join(', ') : super.name(id);
  }

  /** @param {string} id */
  why(id) {
    if (this.trail.length > 0) return `Now turn a quadrant with one of the arrows; Esc takes the marble on ${this.trail[0]} back.`;
    return `${id} is taken (${this.content(id)}); choose an empty cell.`;
  }

  prompt() {
    const what = this.twist ? 'turn a quadrant right or mirror it' : 'turn a quadrant';
    return `Marble on ${this.trail[0]}. Now ${what}: the arrow keys choose, Enter confirms, Escape takes the marble back.`;
  }

  /** @param {string | null} id */
  preview(id) {
    this.element.querySelectorAll('.q-away').forEach((group) => group.classList.remove('q-away'));
    if (id === null || !this.interactive || !this.node.children.has(id)) return;
    if (!id.startsWith('q')) {
      this.layer.preview.append(this.phantom(id, this.first ? 'x' : 'o'));
      return;
    }
    const quadrant = Number(id[1]) - 1;
    this.quadrants[quadrant].marbles.classList.add('q-away');
    for (const [cell, piece] of this.drawn) {
      if (piece !== '.' && quadrantOf(...cellPlace(cell)) === quadrant) this.layer.preview.append(this.phantom(turned(cell, id), piece));
    }
  }

  steps() {
    return ['Place', this.twist ? 'Turn or mirror' : 'Turn'];
  }

  /** @param {string} move */
  bestMove(move) {
    const { cell, turn } = split(move);
    const { at, r } = this.at(cell);
    const group = svg('g', { class: 'q-best' });
    if (this.trail.length === 0) group.append(ring(at, 0.8 * r, 4), ring(at, 0.25 * r, 3));
    const sign = turn && (this.trail.length === 0 || this.trail[0] === cell) ? this.at(turn).cell.querySelector('.q-sign') : null;
    if (sign) group.append(sign.cloneNode(true));
    return group;
  }
}

/** @param {number} col @param {number} row */
const quadrantOf = (col, row) => Math.floor(col / 3) + 2 * Math.floor(row / 3);

/** Reading order of a cell. @param {string} id */
const order = (id) => cellPlace(id)[1] * 6 + cellPlace(id)[0];

/** `c4q2r` as its halves. @param {string} move */
const split = (move) => ({ cell: move.slice(0, 2), turn: move.slice(2) || null });

/** Where a cell goes when a quadrant is turned. @param {string} cell @param {string} turn */
function turned(cell, turn) {
  const [col, row] = cellPlace(cell);
  if (quadrantOf(col, row) !== Number(turn[1]) - 1) return cell;
  const [x, y, left, top] = [col % 3, row % 3, col - (col % 3), row - (row % 3)];
  const [to, down] = turn[2] === 'r' ? [2 - y, x] : turn[2] === 'l' ? [y, 2 - x] : [2 - x, y];
  return cellName(left + to, top + down);
}

/** `turn top left quadrant right`. @param {string} turn @param {string} past ending of the verb */
function turnWords(turn, past) {
  const where = `${QUADRANTS[Number(turn[1]) - 1]} quadrant`;
  return turn[2] === 'f' ? `${where} mirror${past || ''}` : `${where} turn${past} ${TURNS[turn[2]]}`;
}

/** @param {Point} from @param {number} r @param {number} degrees @returns {Point} */
function polar([x, y], r, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
}

/** The hit area of an arrow: from a tile's side out to the frame, meeting its neighbour at the corner's diagonal. @param {Point} middle @param {number} angle @param {number} x @param {number} y */
function wedge([cx, cy], angle, x, y) {
  const [inner, outer] = [TILE / 2 + 2, TILE / 2 + MARGIN - 5];
  const corner = angle % 180 === 0 ? (y === 0 ? -1 : 1) : x === 0 ? -1 : 1;
  /** Along the side, then away from the tile. @type {Point[]} */
  const points = [
    [corner * inner, inner],
    [-corner * (inner + GAP / 2), inner],
    [-corner * (inner + GAP / 2), outer],
    [corner * outer, outer],
  ];
  const sign = angle === -90 || angle === 180 ? -1 : 1;
  return svg('path', {
    d: `${polyline(points.map(([along, away]) => (angle % 180 === 0 ? [cx + sign * away, cy + along] : [cx + along, cy + sign * away])))}Z`,
  });
}

/** An arc with a head. @param {Point} middle @param {number} r @param {number} angle @param {number} half degrees to each side @param {boolean} clockwise */
function arcSign(middle, r, angle, half, clockwise) {
  const sign = clockwise ? 1 : -1;
  const [from, to, tip] = [
    polar(middle, r, angle - sign * half),
    polar(middle, r, angle + sign * (half - 7)),
    polar(middle, r, angle + sign * half),
  ];
  const line = `M${num(from[0])} ${num(from[1])}A${num(r)} ${num(r)} 0 0 ${clockwise ? 1 : 0} ${num(to[0])} ${num(to[1])}`;
  // The head leans inward a little: it follows the chord of the arc, not the tangent at its tip.
  const lean = ((angle + sign * half + sign * (90 - 6)) * Math.PI) / 180;
  return signed(line, arrowHead(tip, lean, 20), 6);
}

/** A straight arrow with two heads: left and right change places. @param {Point} at @param {number} half */
function mirrorSign([x, y], half) {
  const heads = arrowHead([x - half, y], Math.PI, 20) + arrowHead([x + half, y], 0, 20);
  return signed(
    polyline([
      [x - half + 12, y],
      [x + half - 12, y],
    ]),
    heads,
    6,
  );
}
