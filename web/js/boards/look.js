// The look shared by all boards: palette, bodies that are lit from the upper left, marks in two tones.

import { num, svg } from './dom.js';

/** @typedef {[number, number]} Point */

export const IVORY = '#FBF7EC';
export const INK = '#16191D';
export const YELLOW = '#F0E442';
export const BLUE = '#0072B2';
export const VERMILION = '#D55E00';
/** What wins. */
export const GREEN = '#7FD162';

/**
 * Gradients as offset, colour, opacity; those of the TwixT pegs take their colours from the style sheet, by theme.
 * @type {Record<string, [number, string, number][]>}
 */
const BODIES = {
  ivory: [
    [0, '#FFFFFF', 1],
    [0.35, IVORY, 1],
    [0.78, '#E4DAC1', 1],
    [1, '#B5A787', 1],
  ],
  ink: [
    [0, '#8B949D', 1],
    [0.22, '#4A525A', 1],
    [0.62, INK, 1],
    [1, '#050607', 1],
  ],
  shadow: [
    [0, '#000', 0.6],
    [0.65, '#000', 0.38],
    [1, '#000', 0],
  ],
};

/**
 * The definitions of one board. Each has its own names: a board that is hidden must not take the others' colours away.
 * @param {string} id
 */
export function definitions(id) {
  /** @param {[number, string, number][]} stops */
  const stops = (stops) => stops.map(([offset, colour, opacity]) => svg('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }));
  const bodies = Object.entries(BODIES).map(([name, list]) =>
    svg('radialGradient', { id: `${id}-${name}`, ...(name === 'shadow' ? {} : { cx: 0.36, cy: 0.3, r: 0.72 }) }, ...stops(list)),
  );
  return svg(
    'defs',
    {},
    ...bodies,
    svg(
      'linearGradient',
      { id: `${id}-hollow`, x1: 0, y1: 0, x2: 0, y2: 1 },
      svg('stop', { offset: 0, class: 'q-hollow-top' }),
      svg('stop', { offset: 1, class: 'q-hollow-bottom' }),
    ),
    svg(
      'linearGradient',
      { id: `${id}-rim`, x1: 0.15, y1: 0, x2: 0.85, y2: 1 },
      ...stops([
        [0, '#FFF', 0.95],
        [0.5, '#8A8A8A', 0.55],
        [1, '#000', 0.75],
      ]),
    ),
    svg(
      'pattern',
      { id: `${id}-hatch`, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      svg('line', { x1: 0, y1: 0, x2: 0, y2: 6, stroke: IVORY, 'stroke-width': 3.2 }),
    ),
  );
}

/** A circle. @param {Point} at @param {number} r @param {import('./dom.js').Attributes} [more] */
export const circle = ([cx, cy], r, more = {}) => svg('circle', { cx, cy, r, ...more });

/** A rectangle around a middle. @param {Point} at @param {number} w @param {number} h @param {import('./dom.js').Attributes} [more] */
export const box = ([x, y], w, h, more = {}) => svg('rect', { x: x - w / 2, y: y - h / 2, width: w, height: h, ...more });

/** A lit ball with its edge, around the origin. @param {string} id the board's @param {number} r @param {boolean} light */
export function ball(id, r, light) {
  return circle([0, 0], r - 0.5, { fill: `url(#${id}-${light ? 'ivory' : 'ink'})`, stroke: light ? '#7D7158' : '#5B646D' });
}

/** A soft shadow. @param {string} id @param {Point} at @param {number} rx @param {number} [ry] */
export const shadow = (id, [cx, cy], rx, ry = rx) => svg('ellipse', { cx, cy, rx, ry, fill: `url(#${id}-shadow)` });

/** A ring in two tones, seen on ivory, ink, walnut and cream alike. @param {Point} at @param {number} r @param {number} [width] @param {string} [name] */
export function ring(at, r, width = 3, name = 'q-ring') {
  return svg(
    'g',
    { class: name },
    circle(at, r, { class: 'q-outer', 'stroke-width': width + 3 }),
    circle(at, r, { class: 'q-inner', 'stroke-width': width }),
  );
}

/** A stroke in three tones: dark, light, and the mark's own on top. @param {string} d @param {number} width @param {string} colour @param {import('./dom.js').Attributes} [more] */
export function outlined(d, width, colour, more = {}) {
  const stroke = /** @type {[string, number][]} */ ([
    [INK, width + 6],
    [IVORY, width + 3],
    [colour, width],
  ]);
  return svg('g', { class: 'q-outlined', ...more }, ...stroke.map(([stroke, w]) => svg('path', { d, stroke, 'stroke-width': w })));
}

/** @param {Point[]} points */
export const polyline = (points) => points.map(([x, y], i) => `${i ? 'L' : 'M'}${num(x)} ${num(y)}`).join('');

/** A filled arrow head that points along an angle (radians, clockwise from the right). @param {Point} tip @param {number} to @param {number} size */
export function arrowHead([x, y], to, size) {
  /** @param {number} turn @returns {Point} */
  const back = (turn) => [x + size * Math.cos(to + Math.PI + turn), y + size * Math.sin(to + Math.PI + turn)];
  return `${polyline([[x, y], back(0.55), back(-0.55)])}Z`;
}

/** An arrow between two points, in two tones. @param {Point} from @param {Point} to @param {number} width @param {number} [short] how far from each end it stays */
export function arrow(from, to, width, short = 0) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  /** @param {Point} p @param {number} by @returns {Point} */
  const along = ([x, y], by) => [x + by * Math.cos(angle), y + by * Math.sin(angle)];
  const tip = along(to, -short);
  return signed(polyline([along(from, short), along(tip, -2.4 * width)]), arrowHead(tip, angle, 3.4 * width), width);
}

/** A line with its filled heads in two tones. @param {string} line @param {string} heads @param {number} width */
export function signed(line, heads, width) {
  return svg(
    'g',
    { class: 'q-sign' },
    ...['q-outer', 'q-inner'].flatMap((tone) => [
      svg('path', { d: line, class: `q-line ${tone}`, 'stroke-width': width + (tone === 'q-outer' ? 4 : 0) }),
      svg('path', { d: heads, class: `q-head ${tone}`, 'stroke-width': tone === 'q-outer' ? 5 : 1 }),
    ]),
  );
}

/** A text around its middle. @param {Point} at @param {number} size @param {string} text @param {import('./dom.js').Attributes} [more] */
export const label = ([x, y], size, text, more = {}) =>
  svg('text', { x, y, 'font-size': size, 'dominant-baseline': 'central', 'text-anchor': 'middle', ...more }, text);

/** A text on a chip of its own, readable on anything. @param {Point} at @param {number} size @param {string} text */
export function chip(at, size, text) {
  // No font is at hand to measure with: a generous guess.
  const width = 0.6 * size * text.length + size;
  return svg('g', { class: 'q-chip' }, box(at, width, 1.7 * size, { rx: 0.5 * size }), label(at, size, text));
}

/** A colour between 0, the worst, and 1, the best: orange over grey to blue, all dark enough for white figures; an ivory middle would look like a piece. @param {number} value */
export function diverging(value) {
  const far = Math.min(1, Math.abs(value - 0.5) * 2);
  const [r, g, b] = value < 0.5 ? [176, 72, 0] : [0, 104, 165];
  const mix = [
    [102, r],
    [104, g],
    [108, b],
  ].map(([from, to]) => Math.round(from + (to - from) * far));
  return `rgb(${mix.join(' ')})`;
}

/** An outcome by colour and shape: won a disc, drawn a ring, lost a cross; on an ivory chip. @param {Point} at @param {number} r @param {'win' | 'draw' | 'loss'} outcome @param {number} [distance] */
export function outcome([x, y], r, outcome, distance) {
  const d = 0.42 * r;
  const sign = {
    win: () => circle([x, y], 0.55 * r, { fill: BLUE }),
    draw: () => circle([x, y], 0.48 * r, { fill: 'none', stroke: '#767676', 'stroke-width': 0.2 * r }),
    loss: () =>
      svg('path', {
        d: `M${num(x - d)} ${num(y - d)}l${num(2 * d)} ${num(2 * d)}m0 ${num(-2 * d)}l${num(-2 * d)} ${num(2 * d)}`,
        fill: 'none',
        stroke: VERMILION,
        'stroke-width': 0.24 * r,
        'stroke-linecap': 'round',
      }),
  }[outcome];
  const group = svg('g', { class: 'q-outcome', 'data-outcome': outcome }, circle([x, y], r, { class: 'q-plate' }), sign());
  if (distance !== undefined) {
    group.append(
      box([x + 0.85 * r, y + 0.85 * r], (0.65 * String(distance).length + 0.5) * r, 1.1 * r, { rx: 0.4 * r, class: 'q-plate' }),
      label([x + 0.85 * r, y + 0.88 * r], 0.95 * r, String(distance)),
    );
  }
  return group;
}
