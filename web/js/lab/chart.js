// Numbers as pictures: curves with bands, bars with intervals. Each is drawn as wide as its place is, so that its text stays readable on a phone, and has a table beside it.

import { el, fill, svg } from '../dom.js';
import { grid, tidy } from './parts.js';

/** @typedef {{x:number,y:number,low?:number,high?:number}} Point */
/** @typedef {{name:string,points:Point[]}} Series */
/** A picture's `note` stands in for its title where a heading says the title already. @typedef {{title:string,note?:string,x:string,y:string,series:Series[],marks?:{x:number,text:string}[],levels?:{y:number,text:string}[],range?:[number,number],say?:(value:number)=>string}} Curves */
/** @typedef {{name:string,value:number,low?:number,high?:number,text?:string}} Bar */
/** @typedef {{title:string,note?:string,what:string,bars:Bar[],say?:(value:number)=>string}} Bars */

/** Colours, and as many ways to dash: a line is known by both. */
const COLOURS = 7;
const DASHES = ['', '7 4', '2 3'];
/** The height of curves in pixels, at least and at most. */
const [LOWEST, HIGHEST] = [220, 340];

/**
 * Round numbers that span a range.
 * @param {number} low
 * @param {number} high
 * @param {number} wanted about how many
 */
export function ticks(low, high, wanted) {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) found.push(Number((at * step).toPrecision(12)));
  return found;
}

/**
 * A picture that is drawn again when its place gets wider or narrower.
 * @param {{title:string,note?:string}} named
 * @param {(width: number) => SVGElement} draw
 * @param {(import('../dom.js').Child)[]} more
 * @param {number} least its height at least, so that the page does not jump before it is drawn
 */
function figure({ title, note = title }, draw, more, least) {
  const place = el('div', { class: 'drawn' });
  place.style.minHeight = `${least}px`;
  let width = 0;
  const redraw = () => {
    const now = Math.round(place.clientWidth);
    if (!now || now === width) return;
    width = now;
    const picture = draw(width);
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', title);
    fill(place, [picture]);
  };
  new ResizeObserver(redraw).observe(place);
  return el('figure', { class: 'chart' }, note && el('figcaption', {}, note), place, ...more);
}

/**
 * @param {string} title
 * @param {string[]} head
 * @param {string[][]} rows
 */
const twin = (title, head, rows) => el('details', { 'data-key': `twin ${title}` }, el('summary', {}, 'As a table'), grid(title, head, rows));

/**
 * @param {number} width
 * @param {number} height
 */
const canvas = (width, height) => svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height });

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {Record<string, string|number>} [props]
 */
const label = (x, y, text, props = {}) => svg('text', { x, y, ...props }, text);

/** @param {number} at */
const dressed = (at) => ({ class: `line c${at % COLOURS}`, 'stroke-dasharray': DASHES[Math.floor(at / COLOURS) % DASHES.length] || null });

/** @param {Curves} asked */
export function curves(asked) {
  const { title, x, series, say = tidy } = asked;
  const names = el('ul', { class: 'legend' }, ...series.map(({ name }, at) => el('li', {}, svg('svg', { width: 26, height: 10, 'aria-hidden': 'true' }, svg('line', { x1: 1, x2: 25, y1: 5, y2: 5, ...dressed(at) })), name)));
  const at = [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const found = (/** @type {Series} */ { points }, /** @type {number} */ where) => points.find((point) => point.x === where);
  const told = (/** @type {Point|undefined} */ point) => (!point ? '' : point.low === undefined || point.high === undefined ? say(point.y) : `${say(point.y)} (${say(point.low)} to ${say(point.high)})`);
  const rows = at.map((where) => [tidy(where), ...series.map((one) => told(found(one, where)))]);
  const marks = asked.marks?.length ? el('ol', { class: 'events small' }, ...asked.marks.map((mark) => el('li', {}, `${tidy(mark.x)}: ${mark.text}`))) : null;
  return figure(asked, (width) => drawCurves(asked, width),
    [series.length > 1 && names, marks && el('details', { 'data-key': `events ${title}` }, el('summary', {}, `Vertical marks: ${asked.marks?.length}`), marks), twin(title, [x, ...series.map(({ name }) => name)], rows)], LOWEST);
}

/**
 * @param {Curves} asked
 * @param {number} width
 */
function drawCurves({ x, y, series, marks = [], levels = [], range, say = tidy }, width) {
  const height = Math.max(LOWEST, Math.min(HIGHEST, width * 0.5));
  const all = series.flatMap(({ points }) => points);
  const ys = [...all.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]), ...levels.map((level) => level.y)];
  let [low, high] = range ?? [Math.min(...ys), Math.max(...ys)];
  if (!range) {
    const air = (high - low || Math.abs(high) || 1) * 0.06;
    [low, high] = [low - air, high + air];
  }
  const xs = all.map((point) => point.x);
  const [first, last] = [Math.min(0, ...xs), Math.max(...xs, 1)];
  const steps = ticks(low, high, 5);
  const left = 16 + 7.5 * Math.max(...steps.map((step) => say(step).length));
  const frame = { left, right: width - 14, top: 24, bottom: height - 40 };
  const px = (/** @type {number} */ value) => frame.left + ((value - first) / (last - first)) * (frame.right - frame.left);
  const py = (/** @type {number} */ value) => frame.bottom - ((value - low) / (high - low)) * (frame.bottom - frame.top);
  const picture = canvas(width, height);
  for (const step of steps) picture.append(svg('line', { class: 'rule', x1: frame.left, x2: frame.right, y1: py(step), y2: py(step) }), label(frame.left - 6, py(step) + 4, say(step), { 'text-anchor': 'end' }));
  for (const step of ticks(first, last, Math.max(2, width / 110))) picture.append(svg('line', { class: 'rule', x1: px(step), x2: px(step), y1: frame.bottom, y2: frame.bottom + 5 }), label(px(step), frame.bottom + 19, tidy(step), { 'text-anchor': 'middle' }));
  picture.append(svg('line', { class: 'axis', x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }), label(frame.right, height - 6, x, { 'text-anchor': 'end' }), label(4, 14, y));
  for (const mark of marks) picture.append(svg('line', { class: 'event', x1: px(mark.x), x2: px(mark.x), y1: frame.top, y2: frame.bottom }, svg('title', {}, mark.text)));
  for (const level of levels) picture.append(svg('line', { class: 'level', x1: frame.left, x2: frame.right, y1: py(level.y), y2: py(level.y) }), label(frame.right - 4, py(level.y) - 5, level.text, { 'text-anchor': 'end' }));
  series.forEach((one, at) => draw(picture, one.points, at, px, py));
  return picture;
}

/**
 * @param {SVGElement} picture
 * @param {Point[]} points
 * @param {number} at
 * @param {(value: number) => number} px
 * @param {(value: number) => number} py
 */
function draw(picture, points, at, px, py) {
  const banded = points.filter((point) => point.low !== undefined && point.high !== undefined);
  if (banded.length > 1) {
    const edge = [...banded.map((point) => `${px(point.x)},${py(point.high ?? 0)}`), ...banded.reverse().map((point) => `${px(point.x)},${py(point.low ?? 0)}`)];
    picture.append(svg('polygon', { class: `band c${at % COLOURS}`, points: edge.join(' ') }));
  }
  if (points.length === 1) picture.append(svg('circle', { class: `dot c${at % COLOURS}`, cx: px(points[0].x), cy: py(points[0].y), r: 4 }));
  else picture.append(svg('polyline', { ...dressed(at), points: points.map((point) => `${px(point.x)},${py(point.y)}`).join(' ') }));
}

/** A row of bars, in pixels. */
const ROW = 26;

/** @param {number} rows */
const tall = (rows) => ROW * rows + 34;

/** @param {Bars} asked */
export function bars(asked) {
  const { title, what, bars: list, say = tidy } = asked;
  const ranged = list.some((bar) => bar.low !== undefined);
  const rows = list.map((bar) => [bar.name, bar.text ?? say(bar.value), ...(ranged ? [bar.low === undefined || bar.high === undefined ? '' : `${say(bar.low)} to ${say(bar.high)}`] : [])]);
  return figure(asked, (width) => drawBars(asked, width), [twin(title, ['Name', what, ...(ranged ? ['95 % interval'] : [])], rows)], tall(list.length));
}

/**
 * @param {Bars} asked
 * @param {number} width
 */
function drawBars({ bars: list, say = tidy }, width) {
  const height = tall(list.length);
  const ends = list.flatMap((bar) => [0, bar.value, bar.low ?? 0, bar.high ?? 0]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const span = high - low || 1;
  const longest = Math.max(...list.map((bar) => bar.name.length));
  const letters = Math.max(6, Math.floor(Math.min(width * 0.4, longest * 7.4) / 7.4));
  const [left, right] = [letters * 7.4 + 10, width - 10 - 7.5 * Math.max(...list.map((bar) => (bar.text ?? say(bar.value)).length))];
  const px = (/** @type {number} */ value) => left + ((value - low) / span) * (right - left);
  const picture = canvas(width, height);
  const bottom = ROW * list.length + 4;
  for (const step of ticks(low, high, Math.max(2, (right - left) / 90))) picture.append(svg('line', { class: step === 0 ? 'axis' : 'rule', x1: px(step), x2: px(step), y1: 2, y2: bottom }), label(px(step), bottom + 17, say(step), { 'text-anchor': 'middle' }));
  list.forEach((bar, at) => {
    const y = ROW * at + 4;
    const short = bar.name.length > letters ? `${bar.name.slice(0, letters - 1)}…` : bar.name;
    picture.append(label(left - 8, y + 15, short, { 'text-anchor': 'end' }), svg('rect', { class: `rod ${bar.value < 0 ? 'c1' : 'c0'}`, x: Math.min(px(0), px(bar.value)), y: y + 3, width: Math.max(1, Math.abs(px(bar.value) - px(0))), height: ROW - 10, rx: 2 }));
    if (bar.low !== undefined && bar.high !== undefined && bar.high > bar.low) {
      const d = `M${px(bar.low)},${y + 5} v12 m0,-6 H${px(bar.high)} m0,-6 v12`;
      picture.append(svg('path', { class: 'halo', d }), svg('path', { class: 'whisker', d }));
    }
    picture.append(label(width - 2, y + 15, bar.text ?? say(bar.value), { 'text-anchor': 'end' }));
  });
  return picture;
}
