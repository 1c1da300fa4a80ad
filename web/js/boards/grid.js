// Boards that are one flat grid: cells, coordinates, neighbours.

import { Board } from './base.js';
import { svg } from './dom.js';
import { label } from './look.js';
import { cellName, columnName, readRows } from './text.js';

/** @typedef {import('./look.js').Point} Point */

export class Grid extends Board {
  cols = 0;
  rowCount = 0;

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
    for (let col = 0; col < this.cols; col += 1) {
      const [x] = this.centre(col, 0);
      for (const y of [top, bottom]) coordinates.append(label([x, y], size, columnName(col), { 'data-axis': 'col', 'data-place': col }));
    }
    for (let row = 0; row < this.rowCount; row += 1) {
      const [, y] = this.centre(0, row);
      for (const x of [left, right]) coordinates.append(label([x, y], size, String(row + 1), { 'data-axis': 'row', 'data-place': row }));
    }
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
