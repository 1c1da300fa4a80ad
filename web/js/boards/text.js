// The notation that all games share: specs, cells, rows of a position. See docs/rules.md.

/** @typedef {{name: string, options: Map<string, string>}} Spec */

/** Reads `twixt(size=12,rules=pp)`. @param {string} text @returns {Spec} */
export function readSpec(text) {
  const [, name = '', inside = ''] = /^([^(]*)(?:\((.*)\))?$/.exec(text.trim().toLowerCase()) ?? [];
  const pairs = inside
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.split('='));
  return { name, options: new Map(pairs.map(([key, value = '']) => [key, value])) };
}

/** `a` for column 0. @param {number} column */
export const columnName = (column) => String.fromCharCode(97 + column);

/** `c4` for column 2 and row 3, both from 0. @param {number} column @param {number} row */
export const cellName = (column, row) => `${columnName(column)}${row + 1}`;

/** Column and row, from 0, of `c4`. @param {string} name @returns {[number, number]} */
export const cellPlace = (name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];

/** `a, b and c`. @param {string[]} words */
export function list(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The cells of a board of rows joined by `/`, empty ones too.
 * @param {string} board
 * @returns {{cells: Map<string, string>, cols: number, rows: number}}
 */
export function readRows(board) {
  const rows = board.split('/');
  /** @type {Map<string, string>} */
  const cells = new Map();
  rows.forEach((row, y) => [...row].forEach((piece, x) => cells.set(cellName(x, y), piece)));
  return { cells, cols: rows[0].length, rows: rows.length };
}

/**
 * The ways to make each legal move by pointing, as a tree: a path of targets leads to a leaf with the move. A move that
 * could end or go on (Pylos: one ball taken back, or a second one too) gets a last target of its own, `enough`.
 * @typedef {{children: Map<string, Node>, move: string | null}} Node
 * @param {string[]} moves
 * @param {(move: string) => string[][]} paths
 * @returns {Node}
 */
export function tree(moves, paths) {
  /** @returns {Node} */
  const node = () => ({ children: new Map(), move: null });
  const root = node();
  for (const move of moves) {
    for (const path of paths(move)) {
      let at = root;
      for (const target of path) {
        let next = at.children.get(target);
        if (!next) at.children.set(target, (next = node()));
        at = next;
      }
      at.move = move;
    }
  }
  /** @param {Node} at */
  const settle = (at) => {
    at.children.forEach(settle);
    if (at.move !== null && at.children.size > 0) {
      at.children.set('enough', { children: new Map(), move: at.move });
      at.move = null;
    }
  };
  settle(root);
  return root;
}

/** Is a state one move on from another? @param {import('./board.js').State} state @param {import('./board.js').State} previous */
export function follows(state, previous) {
  const { moves } = previous;
  return (
    state.game === previous.game &&
    state.from === previous.from &&
    state.moves.length === moves.length + 1 &&
    moves.every((move, i) => move === state.moves[i])
  );
}

/** Scores beyond this are ends of games. */
const ENDED = 1e5;

/** A score of no fixed scale, short and with its sign; the end of a game in a word. @param {number} value */
export function scoreText(value) {
  if (Math.abs(value) >= ENDED) return value > 0 ? 'won' : 'lost';
  return `${value > 0 ? '+' : ''}${Number(value.toPrecision(3))}`.replace('-', '−');
}
