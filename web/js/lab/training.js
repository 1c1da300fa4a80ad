// Training: recipes to follow, runs with their curves, snapshots to play against.

import { button, el, field, fill, grouped, select } from '../dom.js';
import { inviting } from '../icons.js';
import { makeRoom } from '../room.js';
import { settings } from '../settings.js';
import { count } from '../say.js';
import { bars, curves } from './chart.js';
import { address, badge, box, Complaint, facts, follow, refill, signed, tidy, wilson } from './parts.js';
import * as requests from './requests.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('./requests.js').Recipe} Recipe */
/** @typedef {import('./requests.js').Training} Training */
/** @typedef {import('./requests.js').Trained} Trained */
/** @typedef {import('./requests.js').Metric} Metric */
/** @typedef {import('./chart.js').Series} Series */
/** @typedef {import('../dom.js').Child} Child */

/** Weights that are drawn: the largest, as the Pathwayz paper lists them. */
const LARGEST = 15;
/** Points of a curve; more cannot be seen. */
const POINTS = 300;

/**
 * @param {HTMLElement} root
 * @param {GameInfo[]} games
 */
export async function showTrainings(root, games) {
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const list = el('div', { class: 'runs' });
  const place = el('div', { class: 'labform' });
  fill(root, [el('h1', {}, 'Training'), el('p', { class: 'lead' }, 'A recipe learns weights from games. The same recipe and seed give the same weights; a stopped run picks up where it left off.'),
    box('Run a recipe', place, acts.element), el('h2', {}, 'Runs'), complaint.element, list]);
  acts.around(async () => fill(place, [form(await requests.recipes(), games, acts)]));
  let before = '';
  await follow(list, complaint, async () => {
    const runs = await requests.trainings();
    const now = JSON.stringify(runs);
    if (now !== before) refill(list, runs.length ? runs.map(item) : [inviting('review', 'No runs yet. Start a recipe here, or with quintet train in a terminal.')]);
    before = now;
    return true;
  });
}

/**
 * @param {Recipe[]} recipes
 * @param {GameInfo[]} games
 * @param {Complaint} acts
 */
function form(recipes, games, acts) {
  const about = el('p', { class: 'small' });
  const number = el('input', { type: 'number', min: 1, required: true });
  const seed = el('input', { type: 'number', min: 0, value: 1, required: true });
  const size = field('Games', number);
  const title = (/** @type {string} */ game) => games.find((info) => info.game === game)?.title ?? game;
  const chosen = () => recipes.find(({ recipe }) => recipe === which.value) ?? recipes[0];
  const update = () => {
    const { about: text, section, kind, with: given } = chosen();
    about.textContent = `${title(chosen().game)}: ${text}${section && ` (paper, ${section})`}. Method: ${kind}.`;
    const [, ...rest] = stagesOf(given);
    about.textContent += rest.length ? ` After these games come ${rest.join(', then ')} more in later stages.` : '';
    size.hidden = number.disabled = given.games === undefined;
    number.value = String(given.games ?? '');
  };
  const which = select([], '', update);
  grouped(which, games.map((info) => [info.title, recipes.filter(({ game }) => game === info.game).map(({ recipe }) => [recipe, recipe.replace(/^.*:/, '')])]));
  which.value = recipes[0]?.recipe ?? '';
  update();
  const start = () => acts.around(async () => {
    const { recipe, with: given } = chosen();
    const games = Number(number.value);
    const { name } = await requests.beginTraining({ recipe, seed: Number(seed.value), ...(given.games !== undefined && games !== given.games ? { games } : {}) });
    location.hash = address('training', name);
  });
  return el('form', { class: 'fields', on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), start()) } }, field('Recipe', which), size, field('Seed', seed), el('button', { type: 'submit', class: 'main' }, 'Begin'), about);
}

/**
 * Games of each stage of a recipe: what was asked for, a last stage where it has one, and the same again with other parameters.
 * @param {Record<string, any>} given
 * @returns {number[]}
 */
export function stagesOf({ then, ...given }) {
  const own = [given.games, given['last-games']].filter((games) => typeof games === 'number');
  return then && own.length ? [...own, ...stagesOf({ ...given, ...then })] : own;
}

/**
 * How far a run is, in the stage that it is at.
 * @param {number} done
 * @param {number[]} stages
 */
export function progressWords(done, stages) {
  if (!stages.length) return `${done} done`;
  let [at, left] = [0, done];
  while (at < stages.length - 1 && left >= stages[at]) left -= stages[at++];
  const words = `${Math.min(left, stages[at])} of ${count(stages[at], 'game')}`;
  return stages.length > 1 ? `Stage ${at + 1} of ${stages.length}: ${words}` : words;
}

/** @param {Training} run */
const progressOf = ({ config, progress: { done } }) => progressWords(done, stagesOf(config.with));

/** @param {Training} run */
function item(run) {
  return el('article', { class: 'gamerow' }, el('div', { class: 'grow' }, el('a', { href: address('training', run.name), 'data-key': run.name }, run.name), ' ', badge(run.state),
    el('div', { class: 'small' }, `${run.config.recipe}, seed ${run.config.seed} · ${progressOf(run)} · ${count(run.snapshots.length, 'snapshot')}`), run.fault && el('div', { class: 'bad' }, run.fault)),
    run.state === 'running' && run.progress.total !== null && el('progress', { max: run.progress.total, value: run.progress.done, 'aria-label': run.name }));
}

/**
 * @param {HTMLElement} root
 * @param {string} name
 */
export async function showTraining(root, name) {
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const place = el('div');
  fill(root, [el('p', {}, el('a', { href: address('training') }, '← All runs')), el('h1', { class: 'long' }, name), complaint.element, acts.element, place]);
  let before = '';
  await follow(place, complaint, async () => {
    const run = await requests.training(name);
    const now = JSON.stringify([run.metrics.length, run.state, run.snapshots.length, run.fault]);
    if (now !== before) refill(place, view(run, acts));
    before = now;
    return run.state !== 'over';
  });
}

/**
 * @param {Trained} run
 * @param {Complaint} acts
 * @returns {Child[]}
 */
function view(run, acts) {
  const { config } = run;
  const tell = (/** @type {'stop'|'resume'} */ what) => acts.around(() => requests.tellTraining(run.name, what));
  const act = run.state === 'running' ? button('Stop', () => tell('stop'), { 'data-key': 'act' }) : run.state === 'stopped' ? button('Resume', () => tell('resume'), { class: 'main', 'data-key': 'act' }) : null;
  const plain = Object.entries(config.with).filter(([, value]) => typeof value !== 'object');
  const head = el('div', { class: 'box' }, el('p', { class: 'lead' }, config.recipe, ' ', badge(run.state)),
    el('div', { class: 'progress' }, run.progress.total !== null && el('progress', { max: run.progress.total, value: run.progress.done, 'aria-label': 'Games' }), el('span', {}, progressOf(run))),
    run.fault && el('p', { class: 'bad' }, run.fault), facts([['Seed', config.seed], ['Method', config.kind], ['Commit', config.commit]]), el('p', {}, 'Repeat with ', el('code', {}, config.command)),
    el('details', { 'data-key': 'with' }, el('summary', {}, 'Parameters'), facts(plain.map(([key, value]) => [key, String(value)]))), act && el('div', { class: 'buttons' }, act));
  return [head, ...charts(run.metrics), snapshots(run, acts)];
}

/**
 * Curves a group: what stands before a `/` in the names of the numbers. `x~low` and `x~high` are the ends of the interval of `x`.
 * @param {Metric[]} metrics
 * @returns {Map<string, Series[]>}
 */
export function groupsOf(metrics) {
  /** @type {Map<string, Map<string, Series>>} */
  const groups = new Map();
  const every = Math.ceil(metrics.length / POINTS);
  metrics.forEach(({ at, values }, number) => {
    if (number % every && number !== metrics.length - 1) return;
    for (const [name, value] of Object.entries(values)) {
      if (name.includes('~')) continue;
      const cut = name.indexOf('/');
      const [group, own] = cut < 0 ? [name, name] : [name.slice(0, cut), name.slice(cut + 1)];
      const series = groups.get(group) ?? new Map();
      groups.set(group, series);
      const one = series.get(own) ?? { name: own, points: [] };
      series.set(own, one);
      one.points.push({ x: at, y: value, low: values[`${name}~low`], high: values[`${name}~high`] });
    }
  });
  return new Map([...groups].map(([group, series]) => [group, [...series.values()]]));
}

/** The number that has an interval because it is a share of the games since the last one. */
const RATE = 'win rate';

/**
 * The same numbers with an interval of the win rate, where the run kept none.
 * @param {Metric[]} metrics
 * @returns {Metric[]}
 */
export function banded(metrics) {
  let before = 0;
  return metrics.map((metric) => {
    const { at, values } = metric;
    if (values[RATE] === undefined || at <= before) return metric;
    const [low, high] = wilson(values[RATE], at - before);
    before = at;
    return { ...metric, values: { [`${RATE}~low`]: low, [`${RATE}~high`]: high, ...values } };
  });
}

/** @param {Series} series */
const last = ({ points }) => points[points.length - 1].y;

/**
 * @param {Metric[]} metrics
 * @returns {Child[]}
 */
function charts(metrics) {
  const groups = groupsOf(banded(metrics));
  const marks = metrics.filter(({ event }) => event).map(({ at, event }) => ({ x: at, text: event ?? '' }));
  // What says most comes first: how it plays, then what it has learned, then how it learned.
  const order = (/** @type {string} */ group) => [RATE, 'weight'].indexOf(group) >>> 0;
  const drawn = [...groups].sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b)).flatMap(([group, series]) => {
    const largest = [...series].sort((a, b) => Math.abs(last(b)) - Math.abs(last(a))).slice(0, LARGEST);
    const share = group === RATE;
    const title = share ? 'Win rate against the current opponent' : `${group.charAt(0).toUpperCase()}${group.slice(1)} over games`;
    const band = series.some(({ points }) => points.some(({ low }) => low !== undefined));
    const note = [band && 'band: 95 % interval', largest.length < series.length && `the ${LARGEST} largest of ${series.length}`, share && marks.length && 'vertical marks: a new opponent'].filter(Boolean).join('; ');
    const shares = { range: /** @type {[number, number]} */ ([0, 1]), say: (/** @type {number} */ value) => `${Math.round(100 * value)} %` };
    const picture = curves({ title, note, x: 'games', y: group, series: largest, marks: share ? marks : [], ...(share ? shares : {}) });
    if (group !== 'weight') return [box(title, picture)];
    const rods = bars({ title: 'Largest weights', note: `after ${metrics[metrics.length - 1].at} games`, what: 'weight', bars: largest.map((one) => ({ name: one.name, value: last(one), text: signed(last(one)) })) });
    return [box('Largest weights', rods), box(title, picture)];
  });
  return drawn.length ? drawn : [el('p', {}, 'No numbers yet: they appear after the first block of games.')];
}

/**
 * @param {Trained} run
 * @param {Complaint} acts
 */
function snapshots(run, acts) {
  const files = run.snapshots.filter((file) => file.endsWith('.toml'));
  const game = run.config.recipe.split(':')[0];
  const play = (/** @type {string} */ file) => acts.around(async () => {
    const { agents } = await requests.shelve(run.name, file);
    if (!agents.length) throw new Error(`The recipe names no agent that plays with these weights; they can be used as weights=… of ${run.config.recipe}.`);
    const room = await makeRoom({ game, moves: [], seats: [{ who: 'person', name: settings.get('name') }, { who: 'agent', agent: agents[0] }] });
    location.hash = `#room=${room}`;
  });
  return box('Snapshots', el('p', { class: 'small' }, files.length ? 'Play against what it had learned by then. You move first.' : 'None yet.'),
    el('div', { class: 'buttons' }, ...files.map((file) => button(`Play after ${tidy(Number(file.replace(/\D/g, '')))} games`, () => play(file), { 'data-key': file, title: `Play against the snapshot ${file}` }))));
}
