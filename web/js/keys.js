// The keys of the page. Those of the board itself (arrows, Enter, Esc while it has the focus) are the board's.

import * as advice from './advice.js';
import { button, el } from './dom.js';
import { textOf } from './exporter.js';
import { announce, note } from './say.js';
import { settings } from './settings.js';

/** @typedef {{desk:import('./desk.js').Desk,engine:import('./engine.js').Engine,panel:import('./panel.js').Panel,review:()=>import('./review.js').Review|null,
 *   match:import('./match.js').Match,importer:import('./importer.js').Importer,box:HTMLInputElement,shown:()=>boolean}} Hands */

/** @type {[string, string][]} */
const KEYS = [
  [', .', 'step back, forward (also ← → when the board has no focus)'], ['Home End', 'first, last position'], ['u or Ctrl-Z, Ctrl-Y', 'undo, redo'],
  ['Space', 'let the engine move now'], ['n p', 'in Review: next, previous mistake'], ['f', 'flip the board'], ['k', 'coordinates'], ['s', 'TwixT: swap'],
  ['h', 'hint'], ['m', 'heat map: off, visits, value, exact'], ['l', 'engine on, off'], ['a', 'arrow for the best move'], ['x', 'the opponent’s threat'],
  ['v', 'Pylos: stacked or flat'], ['p', 'Pathwayz: regular or permanent'], ['z', 'zen: board only'], ['Ctrl-C Ctrl-V', 'copy, paste a record or position'],
  ['/', 'move as text'], ['Enter Esc', 'place; cancel, or stop the engine'], ['?', 'this list'],
];

export const keyTable = () => el('table', { class: 'keys' }, el('caption', { class: 'unseen' }, 'Keys'),
  el('tbody', {}, ...KEYS.map(([keys, does]) => el('tr', {}, el('th', { scope: 'row' }, ...keys.split(/(?<=\S) (?=\S)/).map((key) => (/^(or|Ctrl-Z,)$/.test(key) ? ` ${key} ` : el('kbd', {}, key)))), el('td', {}, does)))));

/** @type {HTMLDialogElement|null} */
let dialog = null;

export function showKeys() {
  if (dialog?.open) return dialog.close();
  dialog?.remove();
  dialog = el('dialog', { class: 'dialog', 'aria-labelledby': 'keys-title' }, el('h2', { id: 'keys-title' }, 'Keys'), keyTable(),
    el('div', { class: 'buttons' }, button('Close', () => dialog?.close(), { class: 'main' })));
  document.body.append(dialog);
  dialog.showModal();
}

export function toggleZen() {
  const on = document.body.classList.toggle('zen');
  announce(on ? 'Board only; z or Esc brings the rest back.' : 'Everything is back.');
}

/** @param {EventTarget|null} target */
const typing = (target) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  && !(target instanceof HTMLInputElement && /^(checkbox|button|range)$/.test(target.type));

/** @param {Hands} hands */
export function listen(hands) {
  const { desk, engine, panel, review, match } = hands;
  const at = () => desk.session?.ply ?? 0;
  const inReview = () => panel.current === 'review';
  /** What a board's own switch stands at. @param {string} option */
  const now = (option) => /** @type {{options?: Record<string, unknown>}|null} */ (desk.board)?.options?.[option];

  /** @type {Record<string, () => void>} */
  const letters = {
    ',': () => desk.goto(at() - 1), '.': () => desk.goto(at() + 1),
    u: () => desk.undo(), f: () => desk.flip(), h: () => advice.hint(desk), x: () => advice.threat(desk), z: toggleZen,
    k: () => settings.set('coordinates', !settings.get('coordinates')),
    l: () => engine.toggle(), a: () => settings.set('arrow', !settings.get('arrow')), m: () => note(`Heat map: ${engine.turnHeat()}.`),
    n: () => inReview() && review()?.step(1),
    p: () => {
      if (inReview()) return review()?.step(-1);
      if (desk.info?.game !== 'pathwayz') return;
      const kind = now('kind') === 'permanent' ? 'regular' : 'permanent';
      desk.board?.set('kind', kind);
      announce(`${kind} piece`);
    },
    s: () => desk.session?.state?.legal.includes('swap') && desk.move('swap'),
    v: () => {
      if (desk.info?.game === 'pylos') desk.board?.set('view', now('view') === 'flat' ? 'stacked' : 'flat');
    },
    '/': () => hands.box.focus(),
    '?': showKeys,
  };

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.key === '?' && !typing(event.target)) return act(event, showKeys);
    if (!hands.shown()) return;
    if (event.key === 'Escape') return escape(event);
    if (typing(event.target) || event.altKey) return;
    const held = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (held && key === 'z') return act(event, () => desk.undo());
    if (held && key === 'y') return act(event, () => desk.redo());
    if (held) return;
    const onBoard = event.target instanceof Node && !!desk.board?.element.contains(event.target);
    const onTab = event.target instanceof HTMLElement && event.target.getAttribute('role') === 'tab';
    if (!onBoard && !onTab && key === 'arrowleft') return act(event, () => desk.goto(at() - 1));
    if (!onBoard && !onTab && key === 'arrowright') return act(event, () => desk.goto(at() + 1));
    if (!onBoard && key === 'home') return act(event, () => desk.goto(0));
    if (!onBoard && key === 'end') return act(event, () => desk.goto(Infinity));
    // A button under the focus is pressed by Space.
    if (key === ' ' && !onBoard && event.target instanceof HTMLElement && event.target.closest('button,summary,a')) return;
    if (key === ' ') return act(event, () => (match.running ? match.hurry() : match.fits ? void match.step() : void advice.moveNow(desk)));
    if (settings.get('letters') && letters[key]) act(event, letters[key]);
  });

  /** @param {KeyboardEvent} event */
  function escape(event) {
    if (document.activeElement === hands.box) hands.box.blur();
    else if (desk.board?.half()) desk.board.cancelHalf();
    else if (document.body.classList.contains('zen')) toggleZen();
    else if (engine.thinking) engine.stop();
    else return;
    event.preventDefault();
  }

  document.addEventListener('copy', (event) => {
    if (!hands.shown() || typing(event.target) || String(getSelection() ?? '')) return;
    event.clipboardData?.setData('text/plain', textOf(desk));
    event.preventDefault();
    note('Record copied.');
  });
  document.addEventListener('paste', (event) => {
    if (!hands.shown() || typing(event.target)) return;
    const text = event.clipboardData?.getData('text/plain').trim();
    if (text) pasted(hands, text);
  });
}

/**
 * @param {Event} event
 * @param {() => void} does
 */
function act(event, does) {
  event.preventDefault();
  does();
}

/**
 * A record, a link, or a position of the open game.
 * @param {Hands} hands
 * @param {string} text
 */
async function pasted({ desk, importer }, text) {
  const hash = /#(g=\S+|room=\S+)/.exec(text);
  if (hash) return void (location.hash = hash[0]);
  const { position } = await import('./api.js');
  const game = desk.session?.game ?? '';
  const state = await position({ game, position: text, moves: [] }).catch(() => null);
  if (state) location.hash = (await import('./link.js')).write({ game, from: text, moves: [] });
  else await importer.take(text, true);
}
