// The course of the game as far as it is known: the first side's win share by ply, from engine and review, small enough to stand between lines and moves.

import { fill, svg } from './dom.js';
import { valueFor } from './judge.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./judge.js').Verdict} Verdict */

const [WIDTH, HEIGHT, EDGE] = [360, 56, 4];

export class Spark {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    /** Values by the moves that lead to them. @type {Map<string, number>} */
    this.values = new Map();
    this.element = svg('svg', { class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', preserveAspectRatio: 'none', 'aria-label': 'Course of the game' });
    this.element.addEventListener('click', (event) => this.click(/** @type {MouseEvent} */ (event)));
    gameView.addEventListener('open', () => {
      this.values.clear();
      this.draw();
    });
    gameView.addEventListener('change', () => this.draw());
    this.draw();
  }

  /** What is known of a position now. @param {string[]} moves @param {Verdict} verdict */
  note(moves, verdict) {
    const value = valueFor(verdict, 'first');
    if (value === null) return;
    this.values.set(moves.join(' '), value);
    this.draw();
  }

  get plies() {
    return this.gameView.session?.shown.length ?? 0;
  }

  /** @param {number} ply */
  x(ply) {
    return EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(1, this.plies);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const box = this.element.getBoundingClientRect();
    this.gameView.goto(Math.round(((event.clientX - box.left) / box.width) * this.plies));
  }

  draw() {
    const { session } = this.gameView;
    if (!session) return;
    const known = Array.from({ length: this.plies + 1 }, (_, ply) => ({ ply, value: this.values.get(session.shown.slice(0, ply).join(' ')) })).flatMap(({ ply, value }) => (value === undefined ? [] : [{ ply, value }]));
    // One point does not make a curve.
    this.element.toggleAttribute('hidden', known.length < 2);
    const y = (/** @type {number} */ value) => (EDGE + (HEIGHT - 2 * EDGE) * (1 - value)).toFixed(1);
    const points = known.map(({ ply, value }) => `${this.x(ply).toFixed(1)},${y(value)}`).join(' ');
    const at = this.x(session.ply);
    fill(this.element, [svg('line', { class: 'grid', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }), svg('line', { class: 'cursor', x1: at, x2: at, y1: 0, y2: HEIGHT }), svg('polyline', { points })]);
    const last = known.at(-1);
    this.element.setAttribute('aria-label', last ? `Course of the game: ${known.length} positions known, ${Math.round(100 * last.value)} % for ${this.gameView.sideName('first')} after move ${last.ply}` : 'Course of the game');
  }
}
