// The evaluation bar beside the board: real piece colours, the number on it; exact values look different from estimates.

import { el } from './dom.js';
import { valueFor, words } from './judge.js';

/** @typedef {import('./judge.js').Verdict} Verdict */

export class Bar {
  constructor() {
    this.first = el('div', { class: 'bar-first' });
    this.draws = el('div', { class: 'bar-draws' });
    this.number = el('div', { class: 'bar-number' });
    this.element = el('div', { class: 'bar idle', role: 'img', 'aria-label': 'No evaluation' }, this.first, this.draws, this.number);
  }

  /**
   * @param {Verdict|null} verdict
   * @param {{flipped:boolean,sides:[string,string]}} how
   */
  show(verdict, { flipped, sides }) {
    this.element.classList.toggle('idle', !verdict);
    this.element.classList.toggle('exact', !!verdict?.exact);
    this.element.classList.toggle('flipped', flipped);
    if (!verdict) {
      this.element.setAttribute('aria-label', 'No evaluation');
      this.number.textContent = '';
      return;
    }
    const value = valueFor(verdict, 'first');
    const draw = verdict.draw ?? 0;
    const wins = value === null ? 0.5 : value - draw / 2;
    this.first.style.setProperty('--part', String(wins));
    this.draws.style.setProperty('--part', String(draw));
    const side = value === null || value >= 0.5 ? 'first' : 'second';
    const text = words(verdict, side);
    this.number.textContent = value === null ? '?' : verdict.exact ? text : text.replace(' %', '');
    this.number.classList.toggle('low', side === 'first');
    const more = verdict.draw === null || verdict.exact ? '' : `, draws ${Math.round(draw * 100)} %`;
    const label = `${verdict.exact ? 'Exact' : 'Estimate'}: ${sides[side === 'first' ? 0 : 1]} ${text}${more}`;
    this.element.setAttribute('aria-label', label);
    this.element.title = label;
  }
}
