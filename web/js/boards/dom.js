// Making elements. Text goes in as text nodes only, so nothing that a stranger wrote is ever read as markup.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * Sets attributes: true stands for an empty one, null, undefined and false take it away.
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @returns {E}
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : typeof value === 'number' ? num(value) : value);
  }
  return element;
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = set(document.createElementNS(SVG, name), attributes);
  element.append(...children);
  return element;
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(name, attributes = {}, ...children) {
  const element = set(document.createElement(name), attributes);
  element.append(...children);
  return element;
}

/**
 * A button that does something.
 * @param {string} text
 * @param {() => void} act
 * @param {Attributes} [attributes]
 */
export function button(text, act, attributes = {}) {
  const element = html('button', { type: 'button', class: 'q-button', ...attributes }, text);
  element.addEventListener('click', act);
  return element;
}

/**
 * A row of buttons of which one is pressed.
 * @param {string} name what is chosen, for those who hear it
 * @param {[string, string][]} choices value and text
 * @param {(value: string) => void} choose
 */
export function selector(name, choices, choose) {
  const buttons = choices.map(([value, text]) => button(text, () => choose(value), { 'data-value': value, 'aria-pressed': 'false' }));
  const element = html('div', { class: 'q-selector', role: 'group', 'aria-label': name }, ...buttons);
  /** @param {string} value */
  const show = (value) => buttons.forEach((one) => one.setAttribute('aria-pressed', String(one.dataset.value === value)));
  return { element, show };
}

/** A number for an attribute, without a tail of digits. @param {number} value */
export function num(value) {
  return String(Math.round(value * 100) / 100);
}
