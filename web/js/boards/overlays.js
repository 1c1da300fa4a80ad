// What analysis lays over a board: heat map, outcome marks, ghosts of a line, an arrow for a move.

import { set, svg } from './dom.js';
import { box, chip, diverging, IVORY, INK, label, outcome, outlined, VERMILION } from './look.js';
import { TIMES } from './motion.js';
import { scoreText } from './text.js';

/** @typedef {import('./base.js').Board} Board */
/** @typedef {import('./board.js').HeatEntry} HeatEntry */
/** @typedef {import('./board.js').Mark} Mark */

/**
 * What a search looks at: a line, whether it has made others needless, and what it was found to be worth.
 * @typedef {{line: string[], cut: boolean, value: string | null}} Looked
 */

/** What an arrow says of a move: it is the best, it was asked for as a hint, or the other side would like to make it. @typedef {'best' | 'hint' | 'threat'} Kind */

/** What a heat map shows of a move: its value, or its part of the visits or of what was expected before the search. @typedef {'value' | 'visits' | 'policy'} Heat */

/** Cells on which a heat map has something to say. More would hide what matters. */
const FEW = 8;

/** From the worst to the best. */
const ORDER = ['loss', 'draw', 'win'];

export class Overlays {
  /** @type {HeatEntry[] | null} */
  #heat = null;
  /** @type {Heat} */
  #kind = 'value';
  /** @type {Mark[] | null} */
  #marks = null;
  /** @type {string[] | null} */
  #line = null;
  /** What a search is at. @type {Looked | null} */
  #looked = null;
  /** @type {string | null} */
  #arrow = null;
  /** @type {Kind} */
  #arrowKind = 'best';
  /** By target. @type {Map<string, HeatEntry>} */
  #hot = new Map();
  /** @type {Map<string, Mark>} */
  #known = new Map();
  /** @type {Board} */
  #board;

  /** @param {Board} board */
  constructor(board) {
    this.#board = board;
  }

  /** Forgets everything; the board draws anew afterwards. */
  clear() {
    this.#heat = this.#marks = this.#line = this.#arrow = this.#looked = null;
  }

  /** @param {HeatEntry[] | null} entries @param {Heat} kind */
  heat(entries, kind) {
    this.#heat = entries;
    this.#kind = kind;
    this.refresh();
  }

  /** @param {Mark[] | null} marks */
  marks(marks) {
    this.#marks = marks;
    this.refresh();
  }

  /** @param {string[] | null} moves */
  ghosts(moves) {
    const news = JSON.stringify(moves) !== JSON.stringify(this.#line);
    this.#line = moves;
    this.#drawGhosts(news);
  }

  /** Shows what a search is at, in place of the ghosts of a line. @param {Looked | null} looked */
  looked(looked) {
    if (!looked && !this.#looked) return;
    this.#looked = looked;
    this.#drawGhosts(false);
    this.#drawCut(true);
  }

  /** A stroke where a line was cut off: it flashes, or without motion stays as long as the line. @param {boolean} news */
  #drawCut(news) {
    const { motion, layer, targets } = this.#board;
    const last = this.#looked?.cut ? this.#looked.line.at(-1) : undefined;
    const target = last === undefined ? null : targets.get(this.#board.spot(last));
    if (!target || news === motion.still) return;
    const mark = cutMark(target.at, target.r);
    layer.ghosts.append(mark);
    if (!motion.still) motion.leave(mark, [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], TIMES.outline);
  }

  /** @param {string | null} move @param {Kind} kind */
  arrow(move, kind) {
    this.#arrow = move;
    this.#arrowKind = kind;
    this.#drawArrow();
  }

  /** Draws all of it, for the half of a move that is to be made now. */
  refresh() {
    this.#drawHeat();
    this.#drawMarks();
    this.#drawGhosts(false);
    this.#drawArrow();
    if (this.#heat || this.#marks) for (const [id, { cell }] of this.#board.targets) cell.setAttribute('aria-label', this.#board.name(id));
  }

  /** What the overlays say of a target, in words. @param {string} id */
  words(id) {
    const [hot, known] = [this.#hot.get(id), this.#known.get(id)];
    const words = [];
    if (known) words.push(`exact: ${known.outcome}${known.distance === undefined ? '' : ` in ${known.distance}`}`);
    if (hot) words.push(`${hot.scored ? `score ${scoreText(hot.value)}` : percent(hot.value)}${hot.visits === null ? '' : `, ${percent(hot.share)} of the visits`}`);
    return words.join('; ');
  }

  /** The numbers of the target that is pointed at. @param {string | null} id */
  tip(id) {
    this.#board.layer.tip.replaceChildren();
    const words = id === null ? '' : this.words(id);
    if (id === null || !words) return;
    const {
      at: [x, y],
      r,
    } = this.#board.at(id);
    const [, , width] = (this.#board.element.getAttribute('viewBox') ?? '0 0 600 600').split(' ').map(Number);
    const size = Math.max(13, width / 40);
    const half = 0.3 * size * words.length + size / 2;
    const inside = Math.min(Math.max(x, half + 4), width - half - 4);
    this.#board.layer.tip.append(chip([inside, y - r - 1.2 * size < size ? y + r + 1.4 * size : y - r - 1.2 * size], size, words));
  }

  /** The target that shows what is said of a move: its next half. @param {string} move @returns {string | null} */
  #place(move) {
    const { trail } = this.#board;
    const path = this.#board.shownPaths(move).find((path) => trail.every((id, i) => path[i] === id) && path.length > trail.length);
    return path ? path[trail.length] : null;
  }

  #drawHeat() {
    const board = this.#board;
    board.layer.heat.replaceChildren();
    board.layer.marks.replaceChildren();
    this.#hot = this.#gather(this.#heat ?? [], (a, b) => (a.visits === b.visits ? a.value > b.value : (a.visits ?? 0) > (b.visits ?? 0)));
    for (const entry of this.#heat ?? []) {
      const place = this.#place(entry.move);
      const best = place === null ? undefined : this.#hot.get(place);
      if (best && best.move !== entry.move) best.share = Math.min(1, best.share + entry.share);
    }
    // The best few, on a scale from the least of them to the greatest.
    const number = (/** @type {HeatEntry} */ entry) => (this.#kind === 'value' ? entry.value : entry.share);
    const shown = [...this.#hot].filter(([id]) => board.targets.has(id)).sort(([, a], [, b]) => (this.#kind === 'value' && a.visits !== null ? b.share - a.share : number(b) - number(a))).slice(0, FEW);
    const numbers = shown.map(([, entry]) => number(entry));
    const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
    for (const [id, entry] of shown) {
      const { at, r } = board.at(id);
      const part = high > low ? (number(entry) - low) / (high - low) : 1;
      const size = board.ringRadius(r) * (0.52 + 0.26 * part);
      // Squares with round corners: no game has pieces of that look.
      const square = (/** @type {number} */ more, /** @type {string} */ fill) => box(at, 1.6 * size + more, 1.6 * size + more, { rx: 0.4 * size, fill });
      const group = svg('g', { class: 'q-heat' }, square(4, INK), square(2, IVORY), square(0, diverging(this.#kind === 'value' ? part : 0.5 + part / 2)));
      // A hatch says that this is an estimate where exact outcomes are shown too.
      if (board.hatched) group.append(set(square(0, `url(#${board.id}-hatch)`), { 'fill-opacity': 0.16 }));
      const text = entry.scored ? scoreText(entry.value) : String(Math.round(100 * number(entry)));
      group.append(label(at, 0.78 * size * Math.min(1, 3 / text.length), text, { class: 'q-heat-number' }));
      if (board.isPermanent(entry.move)) group.append(svg('path', { class: 'q-heat-gem', d: `M${at[0] + 0.8 * size} ${at[1] - 0.8 * size - 6}l6 6l-6 6l-6 -6Z` }));
      (board.covered(id) ? board.layer.marks : board.layer.heat).append(group);
    }
  }

  #drawMarks() {
    const board = this.#board;
    this.#known = this.#gather(this.#marks ?? [], better);
    for (const [id, mark] of this.#known) {
      const target = board.targets.get(id);
      if (target)
        board.layer.marks.append(outcome(target.at, Math.min(target.slot ? 0.62 * target.r : target.r, 17), mark.outcome, mark.distance));
    }
  }

  /** @param {boolean} news */
  #drawGhosts(news) {
    const board = this.#board;
    const { ghosts } = board.layer;
    ghosts.replaceChildren();
    const looked = this.#looked;
    const line = looked?.line ?? this.#line ?? [];
    line.forEach((move, i) => {
      const target = board.targets.get(board.spot(move));
      if (!target) return;
      const piece = board.pieceOf(move, board.first === (i % 2 === 0));
      const [x, y] = target.at;
      const ghost = svg(
        'g',
        { class: looked ? 'q-ghost q-looked' : 'q-ghost', transform: `translate(${x} ${y})` },
        svg('g', { class: 'q-faint' }, board.body(piece, target.r)),
        chip([0.55 * target.r, 0.55 * target.r], Math.max(0.5 * target.r, 9), (i === line.length - 1 && looked?.value) || String(i + 1)),
      );
      ghosts.append(ghost);
      if (news) board.motion.run(ghost, [{ opacity: 0 }, { opacity: 1 }], TIMES.place, { delay: TIMES.ghost * i });
    });
    this.#drawCut(false);
  }

  #drawArrow() {
    const { arrows } = this.#board.layer;
    arrows.replaceChildren();
    const arrow = this.#arrow === null ? null : this.#board.bestMove(this.#arrow);
    if (!arrow) return;
    arrow.dataset.kind = this.#arrowKind;
    // A number of the heat map stays readable beneath it.
    arrow.classList.toggle('q-open-ring', this.#heat !== null);
    arrows.append(arrow);
  }

  /**
   * The best entry for each target.
   * @template {{move: string}} E
   * @param {E[]} entries
   * @param {(a: E, b: E) => boolean} beats
   * @returns {Map<string, E>}
   */
  #gather(entries, beats) {
    /** @type {Map<string, E>} */
    const best = new Map();
    for (const entry of entries) {
      const id = this.#place(entry.move);
      if (id === null) continue;
      const old = best.get(id);
      if (!old || beats(entry, old)) best.set(id, { ...entry });
    }
    return best;
  }
}

/** A stroke across a cell: the branch ends here. @param {import('./look.js').Point} at @param {number} r */
function cutMark([x, y], r) {
  const d = 0.95 * r;
  return outlined(`M${x - d} ${y + d}L${x + d} ${y - d}`, Math.max(3, 0.2 * r), VERMILION, { class: 'q-outlined q-cut' });
}

/** Win sooner, lose later. @param {Mark} a @param {Mark} b */
function better(a, b) {
  const [x, y] = [ORDER.indexOf(a.outcome), ORDER.indexOf(b.outcome)];
  if (x !== y) return x > y;
  const [near, far] = [a.distance ?? Infinity, b.distance ?? Infinity];
  return a.outcome === 'loss' ? near > far : near < far;
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;
