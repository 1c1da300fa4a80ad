// The Pylos paper's maps (Figs. 7 and 8): what the learned machine says of a board with one ball on it, for each cell of the four levels.

import { el, fill, svg } from '../dom.js';
import { grid, tidy } from './parts.js';
import * as requests from './requests.js';

const LEVELS = 4;
/** Cells in pixels of the picture, and the air between two levels. */
const CELL = 40;
const AIR = 14;
/** The strongest colour, in percent: text on it must stay readable. */
const STRONGEST = 45;

export class LearnedMaps {
  constructor() {
    this.place = el('div');
    this.element = el('details', { hidden: true }, el('summary', {}, 'Learned score of a single ball (Figs. 7, 8)'), this.place);
    this.element.addEventListener('toggle', () => this.element.open && this.load(), { once: true });
  }

  async load() {
    try {
      const { own, opponent } = await requests.maps();
      if (!Object.keys(own).length) throw new Error('There are no learned weights for Pylos here: run quintet train pylos:svm to make them.');
      fill(this.place, [map('One’s own ball', own), map('The opponent’s ball', opponent),
        el('p', { class: 'small' }, 'The support vector machine’s score for one’s own side; blue is better, orange worse. A lone ball above level 1 is not a legal position; the machine is asked anyway, as in the paper.')]);
    } catch (why) {
      fill(this.place, [el('p', { class: 'bad' }, why instanceof Error ? why.message : String(why))]);
    }
  }
}

/**
 * @param {string} title
 * @param {Record<string, number>} scores by cell, as in `2b1`
 */
function map(title, scores) {
  const values = Object.values(scores);
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
  const most = Math.max(...values.map((value) => Math.abs(value - middle))) || 1;
  const left = (/** @type {number} */ level) => Array.from({ length: level }, (_, below) => (LEVELS - below) * CELL + AIR).reduce((sum, width) => sum + width, 0);
  const picture = svg('svg', { viewBox: `0 0 ${left(LEVELS) - AIR} ${LEVELS * CELL}`, role: 'img', 'aria-label': `${title}: scores cell by cell, one square per level` });
  for (const [cell, score] of Object.entries(scores)) {
    const [level, column, row] = [Number(cell[0]) - 1, cell.charCodeAt(1) - 97, Number(cell.slice(2)) - 1];
    const [x, y] = [left(level) + column * CELL, row * CELL];
    const square = svg('rect', { class: score >= middle ? 'cool' : 'warm', x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 3 }, svg('title', {}, `${cell}: ${tidy(score)}`));
    square.style.setProperty('--part', `${Math.round((STRONGEST * Math.abs(score - middle)) / most)}%`);
    picture.append(square, svg('text', { x: x + CELL / 2, y: y + CELL / 2 + 4, 'text-anchor': 'middle' }, score.toFixed(1).replace('-', '−')));
  }
  const rows = Object.entries(scores).map(([cell, score]) => [cell, tidy(score)]);
  return el('figure', { class: 'chart map' }, el('figcaption', {}, title), picture, el('details', {}, el('summary', {}, 'As a table'), grid(title, ['Cell', 'Score'], rows)));
}
