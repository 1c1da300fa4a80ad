// An evaluation term by term: of the position that is shown, and what the move that is pointed at would change.

import * as api from './api.js';
import { el, field, fill, select } from './dom.js';

/** @typedef {import('./desk.js').Desk} Desk */
/** @typedef {Awaited<ReturnType<typeof api.explain>>} Explained */

/** A pointer on its way to somewhere else is not asked about. */
const RESTS_MS = 150;

/** @param {number} value */
const tidy = (value) => String(Number(value.toPrecision(4)));

/** What a term adds to the value; a term without a weight is a number by the way. @param {Explained['terms'][number]} term */
const adds = ({ value, weight }) => (weight === null ? 0 : value * weight);

export class Explain {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.terms = el('div');
    this.eval = select([], '', () => this.show());
    this.element = el('details', { on: { toggle: () => this.show() } }, el('summary', {}, 'Explain an evaluation'), field('Evaluation', this.eval), this.terms);
    /** @type {string|null} the move that is pointed at */
    this.move = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    desk.addEventListener('open', () => this.listen());
    desk.addEventListener('change', () => {
      this.move = null;
      this.show();
    });
    this.listen();
  }

  /** @param {{name:string,about:string}[]} evals those of the game */
  offer(evals) {
    fill(this.eval, evals.map(({ name, about }) => el('option', { value: name, title: about }, name)));
    this.show();
  }

  /** Listens to the board for what is pointed at. */
  listen() {
    const board = this.desk.board;
    board?.addEventListener('cell', (event) => {
      const cell = /** @type {CustomEvent} */ (event).detail.cell;
      const legal = this.desk.session?.state?.legal ?? [];
      const kinds = cell === null ? [] : [board.options.kind === 'permanent' ? `${cell}p` : cell, cell];
      const move = kinds.find((one) => legal.includes(one)) ?? null;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        if (move === this.move || board !== this.desk.board) return;
        this.move = move;
        this.show();
      }, RESTS_MS);
    });
  }

  async show() {
    const { desk, move } = this;
    const session = desk.session;
    const state = session?.state;
    if (!/** @type {HTMLDetailsElement} */ (this.element).open || !session || !state || !this.eval.value) return;
    const asked = { ...session.place, eval: this.eval.value, for: state.to_move };
    try {
      const [now, then] = await Promise.all([api.explain(asked), move === null ? null : api.explain({ ...asked, moves: [...asked.moves, move] })]);
      if (state === desk.session?.state && move === this.move) this.draw(now, then);
    } catch (why) {
      fill(this.terms, [el('p', { class: 'small' }, why instanceof Error ? why.message : String(why))]);
    }
  }

  /**
   * @param {Explained} now
   * @param {Explained|null} then after the move that is pointed at
   */
  draw(now, then) {
    const side = this.desk.sideName(/** @type {import('./types.js').Side} */ (now.for));
    const rows = now.terms.map((term, at) => {
      const [weight, change] = [term.weight, then ? adds(then.terms[at] ?? term) - adds(term) : 0];
      return el('tr', { class: change ? 'changed' : null }, el('td', {}, term.name), el('td', {}, tidy(term.value)), el('td', {}, weight === null ? '' : tidy(weight)),
        el('td', {}, weight === null ? '' : tidy(adds(term))), el('td', {}, change ? `${change > 0 ? '+' : ''}${tidy(change)}` : ''));
    });
    const heads = ['Term', 'Value', 'Weight', 'Adds', this.move ?? 'A move'].map((text) => el('th', { scope: 'col' }, text));
    fill(this.terms, [el('p', {}, `${side}: ${tidy(now.value)}${then ? `; after ${this.move} ${tidy(then.value)}` : ''}`),
      el('p', { class: 'small' }, 'Point at a cell to see what a move there would change.'),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Terms' }, el('table', { class: 'moves' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)))]);
  }
}
