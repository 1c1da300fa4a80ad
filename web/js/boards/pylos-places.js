// Places of the pyramid, and the texts of Pylos.

import { cellName, cellPlace } from './text.js';

/** Level, column and row, all from 0. @typedef {{z: number, x: number, y: number}} Place */
/** Where a ball was raised from, where it went, what was taken back. @typedef {{from: string | null, to: string, taken: string[]}} Move */

/** `2a1`. @param {Place} place */
export const placeName = ({ z, x, y }) => `${z + 1}${cellName(x, y)}`;

/** @param {string} id @returns {Place} */
export function placeOf(id) {
  const [x, y] = cellPlace(id.slice(1));
  return { z: Number(id[0]) - 1, x, y };
}

/** Reads `1d4^2a1-1a1`. @param {string} move @returns {Move} */
export function readMove(move) {
  const [ball, ...taken] = move.split('-');
  const [from, to] = ball.includes('^') ? ball.split('^') : [null, ball];
  return { from, to, taken };
}

/** The four cells beneath one; none for the lowest level. @param {string} id */
export function below(id) {
  const { z, x, y } = placeOf(id);
  return z === 0
    ? []
    : [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ].map(([dx, dy]) => placeName({ z: z - 1, x: x + dx, y: y + dy }));
}

/** The cells that rest on one. @param {string} id */
export function above(id) {
  const { z, x, y } = placeOf(id);
  const n = 3 - z;
  return [
    [0, 0],
    [-1, 0],
    [0, -1],
    [-1, -1],
  ]
    .map(([dx, dy]) => ({ z: z + 1, x: x + dx, y: y + dy }))
    .filter((p) => p.x >= 0 && p.y >= 0 && p.x < n && p.y < n)
    .map(placeName);
}

/** Squares and full lines of a level that a cell belongs to. @param {string} id */
export function patterns(id) {
  const { z, x, y } = placeOf(id);
  const all = Array.from({ length: 4 - z }, (_, i) => i);
  const squares = above(id).map(below);
  const lines = [
    all.map((i) => ({ z, x: i, y })),
    all.map((i) => ({ z, x, y: i })),
    all.map((i) => ({ z, x: i, y: i })),
    all.map((i) => ({ z, x: i, y: 3 - z - i })),
  ];
  return [...squares, ...lines.map((line) => line.map(placeName)).filter((line) => line.includes(id))];
}

/** @param {string[]} pattern */
export const isSquare = (pattern) =>
  pattern.length === 4 && new Set(pattern.map((id) => id[1])).size === 2 && new Set(pattern.map((id) => id[2])).size === 2;
