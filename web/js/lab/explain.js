// An evaluation term by term, for the position on the board: features times weights, what they add, and what a move would change.

import * as api from '../api.js';
import { el, field, fill, select, tick } from '../dom.js';
import { UNFAIR } from '../engine.js';
import { site } from '../site.js';
import { indexOf, shortAgent } from '../spec.js';
import { bars } from './chart.js';
import { LearnedMaps } from './maps.js';
import { grid, refill, signed, tidy } from './parts.js';
import { styled } from './style.js';

/** @typedef {import('../game-view.js').GameView} GameView */
/** @typedef {import('../types.js').Side} Side */
/** @typedef {{name:string,value:number,weight:number|null}} Term */
/** @typedef {{value:number,terms:Term[]}} Told */
/** @typedef {{name:string,about:string,eval:string}} Offer */
/** What a term is and adds now, what it is after the move, and how much that changes. @typedef {{name:string,value:number,then:number,weight:number|null,adds:number,change:number}} Row */

/** Bars that are drawn; the table has all terms. */
const LARGEST = 12;
/** Milliseconds that a pointer rests before a move is looked at. */
const REST = 120;

/** @param {Term} term */
const adds = ({ value, weight }) => value * (weight ?? 1);

/**
 * Terms before and after a move, by name.
 * @param {Told} before
 * @param {Told|null} after
 * @returns {Row[]}
 */
export function compared(before, after) {
  const later = new Map((after?.terms ?? []).map((term) => [term.name, term]));
  const known = new Set(before.terms.map(({ name }) => name));
  // A term of the later position alone counts as zero before it: the bucket of another board.
  const fresh = (after?.terms ?? []).filter(({ name }) => !known.has(name)).map((term) => ({ ...term, adds: 0, value: 0, then: term.value, change: adds(term) }));
  return [...before.terms.map((term) => {
    const then = later.get(term.name);
    return { ...term, then: after ? (then?.value ?? 0) : term.value, adds: adds(term), change: after ? (then ? adds(then) : 0) - adds(term) : 0 };
  }), ...fresh];
}

/**
 * The move that a pointer on a cell means: the one named so, or the first that begins so.
 * @param {string[]} legal
 * @param {string} cell
 */
export const movesAt = (legal, cell) => legal.find((move) => move === cell) ?? legal.find((move) => move.startsWith(cell) && !/\d/.test(move[cell.length] ?? ''));

export class Explain {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    this.game = '';
    this.spec = el('input', { type: 'text', class: 'code', spellcheck: 'false', 'aria-label': 'The evaluation as a spec', on: { change: () => this.update() } });
    this.eval = select([], '', () => this.choose());
    /** @type {Offer[]} */
    this.offers = [];
    this.about = el('small');
    this.view = select([['', 'the side to move'], ['first', 'first'], ['second', 'second']], '', () => this.update());
    this.move = select([], '', () => this.update());
    this.zeros = tick('Also terms that add nothing', false, () => this.update());
    this.total = el('p', { class: 'verdict', 'aria-live': 'polite' });
    this.place = el('div');
    this.maps = new LearnedMaps();
    this.element = el('div', { class: 'explain' }, field('Evaluation', this.eval), this.about, field('With parameters', this.spec, 'such as weights=… for trained weights; press Enter to apply'),
      el('div', { class: 'pair' }, field('For', this.view), field('A move', this.move)), el('p', { class: 'small' }, 'Point at a cell of the board, or choose a move, to see what it would change.'), this.total, this.place, this.zeros, this.maps.element);
    this.asked = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.rest = undefined;
    /** @type {import('../boards/board.js').Board|null} */
    this.board = null;
  }

  /** Is it on the screen? */
  get visible() {
    return this.element.offsetParent !== null;
  }

  /** Another position, or another game. */
  async changed() {
    const [session, info] = [this.gameView.session, this.gameView.info];
    if (!session?.state || !info) return;
    await styled();
    if (this.board !== this.gameView.board) this.listen();
    if (this.game !== session.game) {
      this.game = session.game;
      await this.load(session.game, info.game);
      fill(this.view, [['', 'the side to move'], ['first', info.sides[0]], ['second', info.sides[1]]].map(([value, text]) => el('option', { value }, text)));
      // A server computes them.
      this.maps.element.hidden = info.game !== 'pylos' || site !== null;
    }
    const chosen = this.move.value;
    fill(this.move, ['', ...session.state.legal].map((move) => el('option', { value: move }, move || 'none')));
    this.move.value = session.state.legal.includes(chosen) ? chosen : '';
    await this.update();
  }

  /**
   * The evaluations of a game, and those that its agents play by.
   * @param {string} spec
   * @param {string} game
   */
  async load(spec, game) {
    const [evals, agents] = await Promise.all([api.evaluations(spec), api.agents(game)]);
    const plain = evals.map(({ name, about }) => ({ name, about, eval: name }));
    const played = agents.filter(({ needs }) => !needs).flatMap(({ agent, modes, about, evals: own = [] }) => own.map((one) => ({ name: `${shortAgent(agent)}${modes.length > 1 ? `, ${one.mode}` : ''}`, about, eval: one.eval })));
    this.offers = [...plain, ...played];
    const group = (/** @type {string} */ label, /** @type {number} */ from, /** @type {Offer[]} */ offers) => el('optgroup', { label }, ...offers.map(({ name }, at) => el('option', { value: String(from + at) }, name)));
    fill(this.eval, [group('Evaluations', 0, plain), played.length && group('What agents play by', plain.length, played)]);
    this.eval.value = '0';
    this.choose(false);
  }

  /** Takes what was chosen. */
  choose(update = true) {
    const offer = this.offers[Number(this.eval.value)];
    this.spec.value = offer?.eval ?? '';
    this.about.textContent = offer?.about ?? '';
    if (update) this.update();
  }

  /** Hears what the board's pointer and focus are on. */
  listen() {
    this.board = this.gameView.board;
    this.board?.addEventListener('cell', (event) => {
      const cell = /** @type {CustomEvent} */ (event).detail.cell;
      clearTimeout(this.rest);
      if (!cell || !this.visible) return;
      this.rest = setTimeout(() => {
        const move = movesAt(this.gameView.session?.state?.legal ?? [], cell);
        if (!move || move === this.move.value) return;
        this.move.value = move;
        this.update();
      }, REST);
    });
  }

  async update() {
    const session = this.gameView.session;
    if (!session?.state || !this.spec.value.trim()) return;
    const asked = ++this.asked;
    if (!session.advised) return this.refuse(UNFAIR);
    const side = /** @type {Side} */ (this.view.value || session.state.to_move);
    const ask = (/** @type {string[]} */ more) => api.explain({ ...session.place, moves: [...session.place.moves, ...more], eval: this.spec.value.trim(), for: side });
    const move = this.move.value;
    try {
      const [before, after] = await Promise.all([ask([]), move ? ask([move]) : null]);
      if (asked === this.asked) this.draw(side, move, before, after);
    } catch (why) {
      if (asked !== this.asked) return;
      this.refuse(why instanceof Error ? why.message : String(why));
    }
  }

  /** @param {string} why */
  refuse(why) {
    this.total.textContent = why;
    fill(this.place, []);
  }

  /**
   * @param {Side} side
   * @param {string} move
   * @param {Told} before
   * @param {Told|null} after
   */
  draw(side, move, before, after) {
    const name = this.gameView.info?.sides[indexOf(side)] ?? side;
    this.total.textContent = after ? `${name}: ${tidy(before.value)}, after ${move} ${tidy(after.value)} (${signed(after.value - before.value)})` : `${name}: ${tidy(before.value)}`;
    const rows = compared(before, after);
    const sum = rows.reduce((total, row) => total + row.adds, 0);
    const exact = Math.abs(sum - before.value) <= 1e-6 * Math.max(1, Math.abs(before.value));
    const all = /** @type {HTMLInputElement} */ (this.zeros.firstElementChild).checked;
    const listed = all ? rows : adding(rows);
    const head = ['Term', 'Value', 'Weight', 'Adds', ...(after ? [move] : [])];
    const lines = listed.map((row) => [row.name, row.then === row.value ? tidy(row.value) : `${tidy(row.value)} → ${tidy(row.then)}`, row.weight === null ? '' : tidy(row.weight), tidy(row.adds), ...(after ? [row.change ? signed(row.change) : '0'] : [])]);
    refill(this.place, [after && chart(`What ${move} changes`, 'change', rows, (row) => row.change), chart(`What makes up ${tidy(before.value)}`, 'adds', rows, (row) => row.adds),
      !exact && el('p', { class: 'small' }, `The terms sum to ${tidy(sum)}; the evaluation makes ${tidy(before.value)} of them.`),
      el('p', { class: 'small' }, `${rows.length} terms, ${rows.filter(({ adds }) => tidy(adds) !== '0').length} of which add to the value here.`), grid('Terms', head, lines, 'terms')]);
  }
}

/** The terms that add to a value, or change it, by as much as is shown. @param {Row[]} rows */
export const adding = (rows) => rows.filter(({ adds, change }) => tidy(adds) !== '0' || tidy(change) !== '0');

/**
 * @param {string} title
 * @param {string} what
 * @param {Row[]} rows
 * @param {(row: Row) => number} of
 */
function chart(title, what, rows, of) {
  const largest = rows.filter((row) => of(row) !== 0).sort((a, b) => Math.abs(of(b)) - Math.abs(of(a))).slice(0, LARGEST);
  if (!largest.length) return el('p', { class: 'small' }, `${title}: nothing; all terms are zero.`);
  return bars({ title, what, bars: largest.map((row) => ({ name: row.name, value: of(row), text: signed(of(row)) })) });
}
