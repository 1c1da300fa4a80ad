// The keys of the page. Those of the board itself (arrows, Enter, Esc while it has the focus) are the board's.

import * as advice from './advice.js';
import { textOf } from './exporter.js';
import { toggleZen } from './help.js';
import { announce, attempt, note } from './say.js';
import { settings } from './settings.js';

/** @typedef {{gameView:import('./game-view.js').GameView,engine:import('./engine.js').Engine,panel:import('./panel.js').Panel,review:()=>import('./review.js').Review|null,
 *   match:import('./match.js').Match,thinking:import('./thinking.js').Thinking,importer:()=>Promise<import('./importer.js').Importer>,box:HTMLInputElement,shown:()=>boolean}} Hands */

/** @param {EventTarget|null} target */
export const typing = (target) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  && !(target instanceof HTMLInputElement && /^(checkbox|button|range)$/.test(target.type));

/** The next heat map; where it is one of exact values and there are none, why. @param {Hands['engine']} engine */
async function turnHeat(engine) {
  const heat = engine.turnHeat();
  note(`Heat map: ${heat}.${heat !== 'exact' && heat !== 'off' && !engine.on ? ' Switch the engine on to see it (l).' : ''}`);
  if (heat !== 'exact') return;
  // A proof may have to wait for a search.
  await engine.prove();
  const { exact } = engine;
  if (exact && !exact.known && settings.get('heat') === 'exact') note(`Heat map: exact. There are no exact values here: ${exact.why}`);
}

/** @param {Hands} hands */
export function listen(hands) {
  const { gameView, engine, panel, review, match, thinking } = hands;
  const at = () => gameView.session?.wanted ?? 0;
  const inReview = () => panel.current === 'review';
  /** What a board's own switch stands at. @param {string} option */
  const now = (option) => /** @type {{options?: Record<string, unknown>}|null} */ (gameView.board)?.options?.[option];

  /** @type {Record<string, () => void>} */
  const letters = {
    ',': () => gameView.goto(at() - 1), '.': () => gameView.goto(at() + 1),
    u: () => gameView.undo(), f: () => gameView.flip(), h: () => advice.hint(gameView), x: () => advice.threat(gameView), z: toggleZen,
    k: () => settings.set('coordinates', !settings.get('coordinates')),
    l: () => engine.toggle(), a: () => settings.set('arrow', !settings.get('arrow')), m: () => void turnHeat(engine),
    n: () => inReview() && review()?.step(1),
    p: () => {
      if (inReview()) return review()?.step(-1);
      if (gameView.info?.game !== 'pathwayz') return;
      const kind = now('kind') === 'permanent' ? 'regular' : 'permanent';
      gameView.board?.set('kind', kind);
      announce(`${kind} piece`);
    },
    s: () => gameView.session?.state?.legal.includes('swap') && gameView.move('swap'),
    v: () => {
      if (gameView.info?.game === 'pylos') gameView.board?.set('view', now('view') === 'flat' ? 'stacked' : 'flat');
    },
    '/': () => hands.box.focus(),
  };

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (!hands.shown()) return;
    if (event.key === 'Escape') return escape(event);
    if (typing(event.target) || event.altKey) return;
    const held = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (held && key === 'z') return act(event, () => gameView.undo());
    if (held && key === 'y') return act(event, () => gameView.redo());
    if (held) return;
    const onBoard = event.target instanceof Node && !!gameView.board?.element.contains(event.target);
    // A slider has arrows of its own, as the tabs have.
    const slides = event.target instanceof HTMLInputElement && event.target.type === 'range';
    const onTab = slides || (event.target instanceof HTMLElement && event.target.getAttribute('role') === 'tab');
    if (!onBoard && !onTab && key === 'arrowleft') return act(event, () => gameView.goto(at() - 1));
    if (!onBoard && !onTab && key === 'arrowright') return act(event, () => gameView.goto(at() + 1));
    if (!onBoard && !slides && key === 'home') return act(event, () => gameView.goto(0));
    if (!onBoard && !slides && key === 'end') return act(event, () => gameView.goto(Infinity));
    // A button under the focus is pressed by Space, and a box ticked.
    if (key === ' ' && !onBoard && event.target instanceof HTMLElement && event.target.closest('button,summary,a,input')) return;
    if (key === ' ') return act(event, () => (thinking.busy ? thinking.hurry() : match.fits ? void match.step() : void advice.moveNow(gameView)));
    if (settings.get('letters') && letters[key]) act(event, letters[key]);
  });

  /** @param {KeyboardEvent} event */
  function escape(event) {
    if (document.activeElement === hands.box) hands.box.blur();
    else if (gameView.board?.half()) gameView.board.cancelHalf();
    else if (document.body.classList.contains('zen')) toggleZen();
    else if (engine.thinking) engine.stop();
    else return;
    event.preventDefault();
  }

  document.addEventListener('copy', (event) => {
    if (!hands.shown() || typing(event.target) || String(getSelection() ?? '')) return;
    event.clipboardData?.setData('text/plain', textOf(gameView));
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
async function pasted({ gameView, importer }, text) {
  const hash = /#(g=\S+|room=\S+)/.exec(text);
  if (hash) return void (location.hash = hash[0]);
  const { position } = await import('./api.js');
  const game = gameView.session?.game ?? '';
  const state = await position({ game, position: text, moves: [] }).catch(() => null);
  if (state) location.hash = (await import('./link.js')).write({ game, from: text, moves: [] });
  else await attempt(async () => (await importer()).take(text, true));
}
