// Elements in one call. Text goes in as text nodes only, so nothing that a stranger wrote becomes markup.

/** @typedef {Node|string|number|null|undefined|false} Child */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {Element} node
 * @param {Record<string, any>} props
 */
function dress(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') for (const [event, hear] of Object.entries(value)) node.addEventListener(event, hear);
    else if (name === 'value' && 'value' in node) node.value = value;
    else if (name === 'checked' || name === 'selected' || name === 'disabled' || name === 'hidden') {
      /** @type {any} */ (node)[name] = value;
    } else node.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * An element of HTML: `el('button', { class: 'big', on: { click } }, 'Play')`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  // Children first: a select takes its value from options that are there.
  fill(node, children);
  dress(node, props);
  return node;
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props = {}, ...children) {
  const node = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  dress(node, props);
  fill(node, children);
  return node;
}

/**
 * Puts children where others were.
 * @param {Element} node
 * @param {Child[]} children
 */
export function fill(node, children) {
  node.replaceChildren(.../** @type {(Node|string)[]} */ (children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)))));
}

/**
 * A button with a name and, often, a key.
 * @param {string} text
 * @param {(event: Event) => void} click
 * @param {Record<string, any>} [props]
 */
export function button(text, click, props = {}) {
  return el('button', { type: 'button', ...props, on: { click } }, text);
}

/**
 * A select of values with names.
 * @param {[string, string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} change
 * @param {Record<string, any>} [props]
 */
export function select(choices, chosen, change, props = {}) {
  const box = el('select', props, ...choices.map(([value, text]) => el('option', { value }, text)));
  box.value = chosen;
  box.addEventListener('change', () => change(box.value));
  return box;
}

/**
 * Options of a select in groups: those without a name stand alone.
 * @param {HTMLSelectElement} box
 * @param {[string, [string, string][]][]} groups
 */
export function grouped(box, groups) {
  const options = (/** @type {[string, string][]} */ choices) => choices.map(([value, text]) => el('option', { value }, text));
  fill(box, groups.filter(([, choices]) => choices.length).flatMap(([name, choices]) => (name ? [el('optgroup', { label: name }, ...options(choices))] : options(choices))));
}

/**
 * A labelled field.
 * @param {string} name
 * @param {HTMLElement} input
 * @param {string} [more]
 */
export function field(name, input, more = '') {
  return el('label', { class: 'field' }, el('span', {}, name), input, more && el('small', {}, more));
}

/**
 * A box that is ticked or not.
 * @param {string} name
 * @param {boolean} checked
 * @param {(checked: boolean) => void} change
 */
export function tick(name, checked, change) {
  const input = el('input', { type: 'checkbox', checked, on: { change: () => change(input.checked) } });
  return el('label', { class: 'tick' }, input, el('span', {}, name));
}

/**
 * The element of an id that the page is known to have.
 * @param {string} id
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}

/**
 * Gives the person a file.
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
