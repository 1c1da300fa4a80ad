// The graph of a reviewed game: the first player's win share by ply, the draws as a band, mistakes as dots; and the same as a table.

import { el, fill, svg } from './dom.js';
import { percent, words } from './judge.js';

/** @typedef {import('./judge.js').Verdict} Verdict */
/** @typedef {import('./judge.js').Class} Class */
/** @typedef {{ply:number,loss:number,kind:Class,punished:boolean,ms:number|null}} Judged */

const [WIDTH, HEIGHT, LEFT, TOP, LOW] = [400, 160, 32, 8, 24];

/** Shapes beside colours, so that no class is told by colour alone. @type {Record<Class, string>} */
export const SIGNS = { fine: '·', inaccuracy: '?!', mistake: '?', blunder: '??', 'win thrown away': '✕' };

export class Graph {
  /** @param {(ply: number) => void} jump */
  constructor(jump) {
    this.jump = jump;
    this.cursor = svg('line', { class: 'cursor', y1: TOP, y2: HEIGHT - LOW });
    this.picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'graph', role: 'img', 'aria-label': 'Win share by move; the table below says the same' });
    this.picture.addEventListener('click', (event) => this.click(event));
    this.rows = el('tbody');
    this.twin = el('details', {}, el('summary', {}, 'The graph as a table'),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Values by move' }, el('table', { class: 'moves' }, el('thead', {}, el('tr', {}, ...['Move', 'Value for first', 'Loss', 'Class'].map((text) => el('th', { scope: 'col' }, text)))), this.rows)));
    this.element = el('div', { class: 'graphbox' }, this.picture, this.twin);
    this.plies = 1;
  }

  /** @param {number} ply */
  x(ply) {
    return LEFT + ((WIDTH - LEFT - 8) * ply) / Math.max(1, this.plies);
  }

  /** @param {number} value */
  y(value) {
    return TOP + (HEIGHT - LOW - TOP) * (1 - value);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const box = this.picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    this.jump(Math.max(0, Math.min(this.plies, Math.round(((x - LEFT) * this.plies) / (WIDTH - LEFT - 8)))));
  }

  /**
   * @param {string[]} moves
   * @param {(Verdict|null)[]} verdicts one more than moves
   * @param {Judged[]} judged
   */
  show(moves, verdicts, judged) {
    this.plies = Math.max(1, moves.length);
    const known = verdicts.flatMap((verdict, ply) => (verdict && verdict.value !== null ? [{ ply, value: verdict.value, draw: verdict.draw ?? 0, exact: !!verdict.exact }] : []));
    const path = (/** @type {{ply:number,value:number}[]} */ points) => points.map(({ ply, value }, at) => `${at ? 'L' : 'M'}${this.x(ply).toFixed(1)} ${this.y(value).toFixed(1)}`).join('');
    const upper = known.map(({ ply, value, draw }) => ({ ply, value: Math.min(1, value + draw / 2) }));
    const lower = known.map(({ ply, value, draw }) => ({ ply, value: Math.max(0, value - draw / 2) })).reverse();
    const solid = known.flatMap((point, at) => (at && point.exact && known[at - 1].exact ? [path([known[at - 1], point])] : [])).join('');
    const grid = [0, 0.5, 1].flatMap((value) => [svg('line', { class: 'grid', x1: LEFT, x2: WIDTH - 8, y1: this.y(value), y2: this.y(value) }),
      svg('text', { x: LEFT - 5, y: this.y(value) + 4, 'text-anchor': 'end' }, `${value * 100}`)]);
    const thirds = [1, 2].map((part) => svg('line', { class: 'phase', x1: this.x((this.plies * part) / 3), x2: this.x((this.plies * part) / 3), y1: TOP, y2: HEIGHT - LOW }));
    const dots = judged.filter(({ kind }) => kind !== 'fine').map(({ ply, kind, punished }) => {
      const at = verdicts[ply + 1];
      const y = this.y(at?.value ?? 0.5);
      return svg('g', { class: `dot ${kind.replaceAll(' ', '-')}` }, svg('circle', { cx: this.x(ply + 1), cy: y, r: punished ? 7 : 4.5 }),
        svg('title', {}, `${ply + 1}. ${moves[ply]}: ${kind}`));
    });
    const ends = [svg('text', { x: LEFT, y: HEIGHT - 7 }, '0'), svg('text', { x: WIDTH - 8, y: HEIGHT - 7, 'text-anchor': 'end' }, String(moves.length))];
    const times = judged.filter(({ ms }) => ms !== null);
    const longest = Math.max(1, ...times.map(({ ms }) => ms ?? 0));
    const used = times.map(({ ply, ms }) => svg('rect', { class: ply % 2 ? 'time odd' : 'time', x: this.x(ply + 0.6), width: Math.max(1, (this.x(1) - this.x(0)) * 0.8),
      y: HEIGHT - LOW + 2, height: (12 * (ms ?? 0)) / longest }));
    fill(this.picture, [...grid, ...thirds, ...used, svg('path', { class: 'band', d: known.length ? `${path(upper)}${path(lower).replace('M', 'L')}Z` : '' }),
      svg('path', { class: 'estimate', d: path(known) }), svg('path', { class: 'solid', d: solid }), this.cursor, ...dots, ...ends]);
    fill(this.rows, moves.map((move, ply) => {
      const [after, mark] = [verdicts[ply + 1], judged.find((one) => one.ply === ply)];
      return el('tr', {}, el('td', {}, `${ply + 1}. ${move}`), el('td', {}, after ? words(after, 'first') : '–'), el('td', {}, mark ? percent(mark.loss) : '–'),
        el('td', {}, mark ? `${SIGNS[mark.kind]} ${mark.kind}` : '–'));
    }));
  }

  /** @param {number} ply */
  mark(ply) {
    this.cursor.setAttribute('x1', String(this.x(ply)));
    this.cursor.setAttribute('x2', String(this.x(ply)));
  }
}
