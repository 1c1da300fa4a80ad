// The reserves of Pylos: two racks of fifteen, with digits.

import { html, svg } from './dom.js';
import { circle } from './look.js';

/** Balls of each colour. */
const BALLS = 15;
const SLOT = 20;

/** How many balls of light and of dark are not on the board. @param {Map<string, string>} pieces */
export function reserves(pieces) {
  return ['L', 'D'].map((piece) => BALLS - [...pieces.values()].filter((one) => one === piece).length);
}

/** The racks of both sides. @param {Map<string, string>} pieces @param {[string, string]} sides what they are called */
export function racks(pieces, sides) {
  return reserves(pieces).map((left, side) => {
    const width = BALLS * SLOT + 6;
    const rack = svg('svg', { viewBox: `0 0 ${width} 26`, class: 'q-rack', 'aria-hidden': 'true' });
    rack.append(svg('rect', { x: 1, y: 1, width: width - 2, height: 24, rx: 12 }));
    for (let i = 0; i < BALLS; i += 1) {
      const name = i >= left ? 'q-empty-slot' : side === 0 ? 'q-small-light' : 'q-small-dark';
      rack.append(circle([13 + SLOT * i, 13], i < left ? 9 : 3.5, { class: name }));
    }
    return html('div', { class: 'q-rack-row', 'data-reserve': left }, html('span', {}, sides[side]), html('b', {}, String(left)), rack);
  });
}
