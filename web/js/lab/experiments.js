// Experiments of the papers: what each shows, and its quick repetition on this machine: started, watched, stopped, its report opened.

import { button, el } from '../dom.js';
import { address, badge, Complaint, follow, refill } from './parts.js';
import * as requests from './requests.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {import('./requests.js').Experiment} Experiment */

/** @param {number|null} minutes */
function duration(minutes) {
  if (minutes === null) return '';
  const seconds = Math.round(60 * minutes);
  return seconds < 90 ? `about ${Math.max(1, seconds)} s` : `about ${Math.round(minutes)} min`;
}

/**
 * The list, in a box that asks for it when it is opened.
 * @param {GameInfo[]} games
 */
export function experimentsBox(games) {
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const place = el('div', { class: 'runs' });
  let before = '';
  const look = async () => {
    const all = await requests.experiments();
    const now = JSON.stringify(all);
    if (now !== before) refill(place, groups(all, games, acts));
    before = now;
    return box.open;
  };
  const box = el('details', { class: 'box fold', on: { toggle: () => box.open && follow(place, complaint, look) } }, el('summary', {}, 'Repeat an experiment'),
    el('p', { class: 'small' }, 'Every table and claim of the papers at its quick size: minutes instead of hours, enough for a direction but not for a verdict. One experiment runs at a time, on the server’s machine; a stopped one picks up where it left off. For larger sizes, use quintet reproduce in a terminal.'),
    complaint.element, acts.element, place);
  return box;
}

/**
 * @param {Experiment[]} all
 * @param {GameInfo[]} games
 * @param {Complaint} acts
 */
function groups(all, games, acts) {
  return games.flatMap(({ game, title }) => {
    const own = all.filter(({ id }) => id.startsWith(`${game}/`));
    const busy = own.some(({ state }) => state === 'running' || state === 'stopping');
    const group = el('details', { 'data-key': game, open: busy ? '' : null }, el('summary', {}, `${title} (${own.length})`), ...own.map((one) => item(one, acts)));
    return own.length ? [group] : [];
  });
}

/**
 * @param {Experiment} one
 * @param {Complaint} acts
 */
function item(one, acts) {
  const { id, name, state, progress } = one;
  const begin = () => acts.around(() => requests.beginExperiment(id));
  const stop = () => acts.around(() => requests.stopExperiment(name));
  const act = !one.ready ? null : state === 'running' ? button('Stop', stop, { 'data-key': `act ${id}`, 'aria-label': `Stop ${id}` })
    : state === 'over' ? el('a', { class: 'button', href: address('reports', name), 'data-key': `act ${id}`, 'aria-label': `Report of ${id}` }, 'Report')
      : state === 'stopping' ? null : button(state === 'stopped' ? 'Continue' : 'Start', begin, { 'data-key': `act ${id}`, 'aria-label': `${state === 'stopped' ? 'Continue' : 'Start'} ${id}` });
  const time = one.ready && state !== 'over' ? duration(one.minutes) : '';
  return el('article', { class: 'gamerow experiment', 'data-id': id }, el('div', { class: 'grow' }, el('b', {}, one.title), ' ', el('code', {}, id), ' ', state && badge(state),
    el('div', { class: 'small' }, `${one.section}: ${one.claim}`), one.waits_for && el('div', { class: 'small' }, `${one.ready ? 'Part of it waits for' : 'Waits for'} ${one.waits_for}.`),
    one.fault && el('div', { class: 'bad' }, one.fault)),
    progress && el('progress', { max: Math.max(1, progress[1]), value: progress[0], 'aria-label': `${progress[0]} of ${progress[1]}` }), el('span', { class: 'small' }, progress ? `${progress[0]} of ${progress[1]}` : time), act);
}
