// The panel: tabs as the WAI-ARIA pattern has them. A tab's content is made once and shown or hidden.

import { el } from './dom.js';

/** @typedef {{id:string,title:string,element:HTMLElement,shown?:()=>void}} Tab */

/** Fires `tab` when another one is shown. */
export class Panel extends EventTarget {
  /**
   * @param {HTMLElement} root
   * @param {Tab[]} tabs
   * @param {{top:HTMLElement,bottom:HTMLElement[]}} around what stands above and below all tabs
   */
  constructor(root, tabs, { top, bottom }) {
    super();
    this.tabs = tabs;
    this.current = '';
    this.heads = tabs.map(({ id, title }) => el('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `pane-${id}`,
      on: { click: () => this.open(id), keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) } }, title));
    const head = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panel' }, ...this.heads);
    const panes = tabs.map(({ id, element }) => {
      element.id = `pane-${id}`;
      element.classList.add('pane');
      element.setAttribute('role', 'tabpanel');
      element.setAttribute('aria-labelledby', `tab-${id}`);
      return element;
    });
    /** What a puzzle says. */
    this.above = el('div');
    root.replaceChildren(top, this.above, head, ...panes, ...bottom);
    this.open(tabs[0].id);
  }

  /** @param {string} id */
  open(id) {
    if (this.current === id) return;
    this.current = id;
    this.tabs.forEach((tab, at) => {
      const on = tab.id === id;
      this.heads[at].setAttribute('aria-selected', String(on));
      this.heads[at].tabIndex = on ? 0 : -1;
      tab.element.hidden = !on;
      if (on) tab.shown?.();
    });
    this.dispatchEvent(new CustomEvent('tab', { detail: { id } }));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (this.tabs.findIndex((tab) => tab.id === this.current) + step + this.tabs.length) % this.tabs.length;
    this.open(this.tabs[at].id);
    this.heads[at].focus();
  }
}
