// The icons: one family, drawn here. Lines of one width on a field of 24, round ends, no fill.

import { el, svg } from './dom.js';

const PATHS = {
  hint: 'M9.5 18.5h5M10.5 21.5h3M12 2.5a6.5 6.5 0 0 0-3.7 11.8c.8.6 1.2 1.4 1.2 2.2h5c0-.8.4-1.6 1.2-2.2A6.5 6.5 0 0 0 12 2.5z',
  undo: 'M8.5 6 4 10.5 8.5 15M4 10.5h10.5a5 5 0 0 1 0 10H11',
  redo: 'M15.5 6 20 10.5 15.5 15M20 10.5H9.5a5 5 0 0 0 0 10H13',
  flip: 'M8 4v15.5M8 4 4.5 7.5M8 4l3.5 3.5M16 20V4.5M16 20l-3.5-3.5M16 20l3.5-3.5',
  resign: 'M6 21V4M6 4.5h11.5l-2.5 4 2.5 4H6',
  review: 'M4 4v16h16M8 15l3.5-4 3 2.5L20 7.5',
  theme: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 3.5v17M12 8.5l5-3.2M12 13l7.8-5M12 17.5l8-5.2',
  zen: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  keys: 'M3 7h18v10H3zM7 10.5h.01M10.5 10.5h.01M14 10.5h.01M17 10.5h.01M8 14h8',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  first: 'M6 5v14M18 5.5 9.5 12l8.5 6.5',
  back: 'M15 5.5 7 12l8 6.5',
  forward: 'M9 5.5 17 12l-8 6.5',
  last: 'M18 5v14M6 5.5l8.5 6.5L6 18.5',
  close: 'M6 6l12 12M18 6 6 18',
  play: 'M7.5 5v14L19 12z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  stop: 'M6.5 6.5h11v11h-11z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  pencil: 'M5 19l.8-3.8L16 5l3 3L8.8 18.2zM13.8 7.2l3 3',
  board: 'M4 4h16v16H4zM4 12h16M12 4v16',
  trophy: 'M8 4h8v5a4 4 0 0 1-8 0zM8 5.5H4.5v1A3.5 3.5 0 0 0 8 10M16 5.5h3.5v1A3.5 3.5 0 0 1 16 10M12 13v3.5M8 20a4 3.5 0 0 1 8 0z',
  report: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6',
  engine: 'M12 3v8.5M6.3 6.5a8 8 0 1 0 11.4 0',
};

/** @typedef {keyof typeof PATHS} Icon */

/** @param {Icon} name */
export const icon = (name) => svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));

/**
 * What stands where there is nothing yet: what will be here, and the way to it.
 * @param {Icon} name
 * @param {string} words
 * @param {...Node} ways
 */
export const inviting = (name, words, ...ways) => el('div', { class: 'inviting' }, icon(name), el('p', {}, words), ways.length > 0 && el('div', { class: 'buttons' }, ...ways));

/**
 * A button with an icon alone; its name is heard, and shown when it is pointed at.
 * @param {Icon} name
 * @param {string} label
 * @param {(event: Event) => void} click
 * @param {Record<string, any>} [props]
 */
export const iconButton = (name, label, click, props = {}) =>
  el('button', { type: 'button', 'aria-label': label, title: label, ...props, on: { click } }, icon(name));
