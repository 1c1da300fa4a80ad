// The top of a search tree as a list: the moves that are visited most, what answers them, what is proven.

import { el, fill } from './dom.js';
import { percent } from './judge.js';
import { short } from './thinking.js';

/** @typedef {import('./types.js').Branch} Branch */

/** What is proven, by mark and word. */
const PROVEN = { win: '✓ won', draw: '= drawn', loss: '✗ lost' };

export class Tree {
  constructor() {
    this.list = el('div');
    /** @type {Branch[]} */
    this.branches = [];
    this.element = el('details', { class: 'tree', hidden: true, on: { toggle: () => this.draw() } }, el('summary', {}, 'The tree, three moves deep'),
      el('p', { class: 'small' }, 'Visits, and the share of wins for the side that makes the move.'), this.list);
  }

  /** @param {Branch[]} branches */
  show(branches) {
    this.element.hidden = !branches.length;
    if (branches === this.branches) return;
    this.branches = branches;
    this.draw();
  }

  draw() {
    if (this.element.open && !this.element.hidden) fill(this.list, [rows(this.branches)]);
  }
}

/** @param {Branch[]} branches @returns {HTMLUListElement} */
function rows(branches) {
  const most = Math.max(1, ...branches.map(({ visits }) => visits));
  return el('ul', {}, ...branches.map(({ move, visits, value, proven, children }) => {
    const row = el('div', { class: 'branchrow' }, el('code', {}, move), el('span', {}, short(visits)), el('span', { class: proven ? 'proven' : null }, proven ? PROVEN[proven] : percent(value)));
    row.style.setProperty('--part', String(visits / most));
    return el('li', {}, row, children.length > 0 && rows(children));
  }));
}
