// The lab's styles, loaded once, when the first part of the lab is shown.

import { el } from '../dom.js';
import { site } from '../site.js';

/** @type {Promise<void>|null} */
let loaded = null;

/** Resolves when the styles are there; a page without them is still a page. */
export function styled() {
  loaded ??= new Promise((done) => {
    document.head.append(el('link', { rel: 'stylesheet', href: `${site ?? ''}css/lab.css`, on: { load: () => done(), error: () => done() } }));
  });
  return loaded;
}
