// Small pictures of positions. Nothing waits for a picture, or fails without it.

import * as api from './api.js';
import { el } from './dom.js';

/** @typedef {import('./types.js').Place} Place */

/** Pictures that were drawn already, by position. @type {Map<string, Promise<string>>} */
const drawn = new Map();

/** The address of a picture. @param {Place} place */
function pictureOf(place) {
  const key = JSON.stringify(place);
  const asked = drawn.get(key) ?? api.picture(place).then((drawing) => URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' })));
  drawn.set(key, asked);
  asked.catch(() => drawn.delete(key));
  return asked;
}

/** Puts the picture of a position first in an element. @param {Element} element @param {Place} place */
export async function picture(element, place) {
  try {
    element.prepend(el('img', { src: await pictureOf(place), alt: '' }));
  } catch {
    element.classList.add('empty');
  }
}

/** Elements that wait until somebody can see them. @type {WeakMap<Element, Place>} */
const waiting = new WeakMap();
const watcher = 'IntersectionObserver' in globalThis ? new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const place = isIntersecting && waiting.get(target);
    if (!place) continue;
    waiting.delete(target);
    watcher?.unobserve(target);
    void picture(target, place);
  }
}, { rootMargin: '100px' }) : null;

/** The same when the element comes into sight: a long list is not drawn at once. @param {Element} element @param {Place} place */
export function pictureInSight(element, place) {
  waiting.set(element, place);
  watcher?.observe(element);
}
