// The little Markdown that reports are written in, as elements. Text becomes text nodes and nothing else.

import { el } from '../dom.js';
import { grid } from './parts.js';

/** @typedef {import('../dom.js').Child} Child */

/**
 * Bold and code inside a line.
 * @param {string} text
 * @returns {Child[]}
 */
export function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter(Boolean).map((part) => {
    if (part.startsWith('**') && part.endsWith('**') && part.length > 4) return el('strong', {}, part.slice(2, -2));
    if (part.startsWith('`') && part.endsWith('`') && part.length > 2) return el('code', {}, part.slice(1, -1));
    return part;
  });
}

/**
 * The cells of a row; `\|` is a bar in a cell.
 * @param {string} line
 */
export const cells = (line) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));

/**
 * Blocks of a text: headings, lists, tables, pictures, paragraphs.
 * @param {string} text
 * @param {{table:(head:string[],rows:string[][],name:string)=>Child,picture:(file:string,title:string)=>Child}} draw
 * @returns {Child[]}
 */
export function blocks(text, draw) {
  const lines = text.split('\n');
  let [section, tables] = ['Table', 0];
  /** @type {Child[]} */
  const found = [];
  const run = (/** @type {(line: string) => boolean} */ is) => {
    const taken = [];
    while (lines.length && is(lines[0])) taken.push(/** @type {string} */ (lines.shift()));
    return taken;
  };
  while (lines.length) {
    const line = lines[0];
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    const picture = /^!\[([^\]]*)\]\(([^)]*)\)$/.exec(line.trim());
    if (!line.trim()) lines.shift();
    else if (heading) {
      lines.shift();
      section = heading[2];
      found.push(el(heading[1].length === 1 ? 'h1' : heading[1].length === 2 ? 'h2' : 'h3', {}, ...inline(heading[2])));
    } else if (picture) {
      lines.shift();
      found.push(draw.picture(picture[2], picture[1]));
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = run((next) => next.startsWith('|'));
      found.push(draw.table(cells(head), rows.map(cells), `${section}, table ${(tables += 1)}`));
    } else if (/^[*-] /.test(line)) {
      found.push(el('ul', {}, ...run((next) => /^([*-] | {2}\S)/.test(next)).reduce(joined, /** @type {string[]} */ ([])).map((item) => el('li', {}, ...inline(item)))));
    } else if (line.startsWith('    ')) {
      found.push(el('pre', { tabindex: '0' }, run((next) => next.startsWith('    ')).map((next) => next.slice(4)).join('\n')));
    } else found.push(el('p', {}, ...inline(run((next) => !!next.trim() && !/^(#|\||[*-] |!\[)/.test(next) || next === line).join(' '))));
  }
  return found;
}

/**
 * A line that is indented goes on with the item before it.
 * @param {string[]} items
 * @param {string} line
 */
function joined(items, line) {
  if (/^[*-] /.test(line)) return [...items, line.slice(2)];
  return [...items.slice(0, -1), `${items[items.length - 1]} ${line.trim()}`];
}

/**
 * A plain table.
 * @param {string[]} head
 * @param {string[][]} rows
 * @param {string} name
 */
export const table = (head, rows, name) => grid(name, head, rows.map((row) => row.map((cell) => el('span', {}, ...inline(cell)))));
