// Boards that are one flat grid: cells, coordinates, neighbours.

import { Board } from './base.js';
import { svg } from './dom.js';
import { label } from './look.js';
import { cellName, columnName, readRows } from './text.js';

/** @typedef {import('./look.js').Point} Point */

export class Grid extends Board {
  cols = 0;
  rowCount = 0;
  /** Is the board turned by a quarter, so that columns run upwards: for screens that are higher than wide? */
  upright = false;

  /** The middle of a column and row as numbered on the board, wherever it lies on the screen. @param {number} col @param {number} row @returns {Point} */
  centre(col, row) {
    const [x, y] = this.options.flipped ? [this.cols - 1 - col, this.rowCount - 1 - row] : [col, row];
    return this.spotAt(x, y);
  }

  /** The middle of a place of the screen. @param {number} _x @param {number} _y @returns {Point} */
  spotAt(_x, _y) {
    return [0, 0];
  }

  /** @param {string} position */
  read(position) {
    const { cells, cols, rows } = readRows(position.split(' ')[0]);
    const resized = cols !== this.cols || rows !== this.rowCount;
    this.pieces = cells;
    [this.cols, this.rowCount] = [cols, rows];
    return resized;
  }

  /** @type {[string, number, number][]} */
  #places = [];

  /** All cells in reading order, with column and row. */
  places() {
    if (this.#places.length !== this.cols * this.rowCount || this.#places.at(-1)?.[1] !== this.cols - 1) {
      this.#places = Array.from({ length: this.cols * this.rowCount }, (_, i) => {
        const [col, row] = [i % this.cols, Math.floor(i / this.cols)];
        return [cellName(col, row), col, row];
      });
    }
    return this.#places;
  }

  /**
   * Adds every cell as a target.
   * @param {number} r
   * @param {(at: Point) => SVGElement} hit
   * @param {(col: number, row: number) => SVGGElement} slots
   */
  addCells(r, hit, slots) {
    /** @type {SVGGElement | null} */
    let line = null;
    for (const [id, col, row] of this.places()) {
      if (col === 0 || !line) line = this.row(`row ${row + 1}`);
      const at = this.centre(col, row);
      this.target(line, { id, at, r, col, row }, hit(at), slots(col, row));
    }
  }

  /** Coordinates on all four sides. @param {[number, number, number, number]} sides left, top, right, bottom @param {number} size */
  addCoordinates([left, top, right, bottom], size) {
    const { coordinates } = this.layer;
    /** @param {'col' | 'row'} axis @param {number} place @param {string} text */
    const mark = (axis, place, text) => {
      const [x, y] = axis === 'col' ? this.centre(place, 0) : this.centre(0, place);
      /** @type {Point[]} */
      const spots = (axis === 'col') === this.upright ? [[left, y], [right, y]] : [[x, top], [x, bottom]];
      for (const spot of spots) coordinates.append(label(spot, size, text, { 'data-axis': axis, 'data-place': place }));
    };
    for (let col = 0; col < this.cols; col += 1) mark('col', col, columnName(col));
    for (let row = 0; row < this.rowCount; row += 1) mark('row', row, String(row + 1));
  }

  /** On a board that stands upright, right is the next row and up the next column. @param {string} id @param {number} dx @param {number} dy */
  neighbour(id, dx, dy) {
    return this.upright ? super.neighbour(id, -dy, dx) : super.neighbour(id, dx, dy);
  }

  /** The dark frame around a wooden board. @param {number} width @param {number} height */
  frame(width, height) {
    this.element.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.layer.board.append(svg('rect', { x: 1, y: 1, width: width - 2, height: height - 2, rx: 16, class: 'q-frame' }));
  }

  /** A ghost of a piece on a cell, for previews. @param {string} id @param {string} piece */
  phantom(id, piece) {
    const {
      at: [x, y],
      r,
    } = this.at(id);
    return svg('g', { class: 'q-faint', transform: `translate(${x} ${y})` }, this.body(piece, r));
  }

  /** @returns {string[]} */
  rows() {
    return Array.from({ length: this.rowCount }, (_, row) => {
      const words = Array.from({ length: this.cols }, (_, col) => cellName(col, row)).flatMap((id) =>
        this.isTaken(id) ? [`${id} ${this.content(id)}`] : [],
      );
      return `Row ${row + 1}: ${words.join(', ') || 'empty'}.`;
    });
  }
}
