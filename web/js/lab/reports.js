// Reports of repeated experiments: what the papers say, what came of it here, and whether the two agree.

import { button, el, fill, select } from '../dom.js';
import { note } from '../say.js';
import { blocks, inline, table } from './markdown.js';
import { experimentsBox } from './experiments.js';
import { address, Complaint, grid } from './parts.js';
import * as requests from './requests.js';
import { site } from '../site.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('./requests.js').Listed} Listed */
/** @typedef {import('../dom.js').Child} Child */

/** Kinds of verdicts, by how they begin, with a mark beside the colour. @type {[string, string, string][]} */
const VERDICTS = [['agrees', '✓', 'fine'], ['same direction', '✓', 'fine'], ['not shown', '~', 'open'], ['differs', '✗', 'off'], ['cannot be compared', '?', 'open'], ['', '·', 'open']];

/** @param {string} verdict */
const kindOf = (verdict) => VERDICTS.find(([word]) => verdict.startsWith(word)) ?? VERDICTS[VERDICTS.length - 1];

/** @param {string} verdict */
function chip(verdict) {
  const [, mark, look] = kindOf(verdict);
  return el('span', { class: `verdictchip ${look}` }, `${mark} ${verdict}`);
}

/**
 * The verdicts that lines of a report have.
 * @param {Listed} listed
 */
function gist({ verdict }) {
  if (!verdict) return ['no comparison'];
  const found = VERDICTS.map(([word]) => word).filter((word) => word && verdict.includes(word));
  return found.length ? found : ['ours only'];
}

/**
 * @param {HTMLElement} root
 * @param {GameInfo[]} games
 */
export async function showReports(root, games) {
  const complaint = new Complaint();
  const place = el('div');
  const search = el('input', { type: 'search', placeholder: 'Search words', 'aria-label': 'Filter the reports', on: { input: () => draw() } });
  const wanted = select([['', 'any verdict'], ...['agrees', 'same direction', 'not shown', 'differs', 'cannot be compared', 'ours only', 'no comparison'].map((word) => /** @type {[string, string]} */ ([word, word]))], '', () => draw(), { 'aria-label': 'Verdict' });
  fill(root, [el('h1', {}, 'Reports'), el('p', { class: 'lead' }, `Every table and claim of the papers that was repeated, beside the paper’s own numbers.${site === null ? ' Reports come with the program, or from a run on this machine.' : ''}`),
    site === null ? experimentsBox(games) : null, el('div', { class: 'row filters' }, search, wanted), complaint.element, place]);
  /** @type {Listed[]} */
  let all = [];
  // Longer names first: pentago-twist-… is not of Pentago.
  const byLength = [...games].sort((a, b) => b.game.length - a.game.length);
  const gameOf = (/** @type {Listed} */ one) => byLength.find(({ game }) => one.name.startsWith(`${game}-`))?.game ?? '';
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = all.filter((one) => (!wanted.value || gist(one).includes(wanted.value)) && words.every((word) => `${one.name} ${one.title} ${one.verdict}`.toLowerCase().includes(word)));
    const groups = [...games.map(({ game, title }) => /** @type {[string, string]} */ ([game, title])), /** @type {[string, string]} */ (['', 'Others'])];
    fill(place, [el('p', { class: 'small' }, `${shown.length} of ${all.length} reports.`), ...groups.flatMap(([game, title]) => {
      const own = shown.filter((one) => gameOf(one) === game);
      return own.length ? [el('section', { class: 'box' }, el('h2', {}, title), ...own.map(item))] : [];
    })]);
  };
  await complaint.around(async () => {
    all = await requests.reports();
    draw();
  });
}

/** @param {Listed} listed */
function item(listed) {
  // An experiment's report is called `pylos/agents: Four agents against each other`; others have titles of their own.
  const [, id, title] = /^([a-z-]+\/[a-z0-9-]+): (.*)$/.exec(listed.title ?? '') ?? ['', listed.name, listed.title];
  return el('article', { class: 'reportrow' }, el('div', {}, el('a', { href: address('reports', listed.name) }, title || id), ' ', listed.source === 'run' && el('span', { class: 'badge' }, 'made here'),
    el('div', { class: 'small' }, listed.verdict ?? id)), el('div', {}, ...gist(listed).map(chip)));
}

/**
 * @param {HTMLElement} root
 * @param {string} name
 */
export async function showReport(root, name) {
  const complaint = new Complaint();
  const back = el('p', {}, el('a', { href: address('reports') }, '← All reports'));
  fill(root, [back, complaint.element]);
  const report = await complaint.around(() => requests.report(name));
  if (!report) return;
  const picture = (/** @type {string} */ file) => (report.files.includes(file)
    ? el('figure', { class: 'paper' }, el('img', { src: requests.picture(name, file), alt: `${file.replace(/\.svg$/, '').replaceAll('-', ' ')}: the numbers of the table above as a picture`, loading: 'lazy' })) : null);
  fill(root, [back, complaint.element, el('article', { class: 'report' }, ...blocks(report.markdown ?? `# ${name}\n\nThis report has no text.`, { picture, table: (head, rows, named) => (head.includes('verdict') ? compared(head, rows) : table(head, rows, named)) }), command(report.markdown ?? ''))]);
}

/**
 * The table of a comparison, with a filter of verdicts.
 * @param {string[]} head
 * @param {string[][]} rows
 */
function compared(head, rows) {
  const at = head.indexOf('verdict');
  const known = [...new Set(rows.map((row) => row[at]))];
  const place = el('div');
  const draw = (/** @type {string} */ wanted) => fill(place, [grid('Comparison', head, rows.filter((row) => !wanted || row[at] === wanted).map((row) => row.map((cell, column) => (column === at ? chip(cell) : el('span', {}, ...inline(cell))))), 'compared')]);
  draw('');
  const tally = known.map((verdict) => /** @type {[string, string]} */ ([verdict, `${verdict} (${rows.filter((row) => row[at] === verdict).length})`]));
  return el('div', {}, known.length > 1 && el('label', { class: 'field narrow' }, el('span', {}, 'Verdict'), select([['', `all (${rows.length})`], ...tally], '', draw)), place);
}

/**
 * The command that repeats a report, to be copied; and the quick one.
 * @param {string} markdown
 */
function command(markdown) {
  const found = /^\* repeat with: `([^`]+)`$/m.exec(markdown)?.[1];
  if (!found) return null;
  const quick = found.replace(/ --(paper|full|quick)/, ' --quick');
  const line = (/** @type {string} */ text) => el('div', { class: 'row' }, el('code', { class: 'command' }, text), button('Copy', () => {
    navigator.clipboard?.writeText(text).then(() => note('Copied.'), () => note('The browser does not allow copying; select the text.'));
  }, { 'aria-label': `Copy ${text}` }));
  return el('section', {}, el('h2', {}, 'Repeat it'), el('p', {}, `Run it in a terminal${site === null ? '; the report appears here when it is done' : ', with quintet installed'}. The quick size takes about two minutes and gives a direction, not a verdict.`), line(quick), found !== quick && line(found));
}
