// Makes the page work without a connection after the first visit, and offers new versions without forcing them on anybody.

import { button, byId, fill } from '../dom.js';
import { note } from '../say.js';

/** How long a board may take before the rest of the page is fetched beside it. */
const PATIENCE_MS = 10_000;

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  const banner = byId('banner');
  fill(banner, ['A new version of quintet is ready. Your games stay. ', button('Use it now', () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('update');
  }), ' ', button('Later', () => (banner.hidden = true))]);
  banner.hidden = false;
}

/** Waits until a game that was opened can be played: nothing else is fetched meanwhile. */
async function calm() {
  const late = performance.now() + PATIENCE_MS;
  while (!byId('game').hidden && !document.querySelector('.q-board.q-live') && performance.now() < late) await new Promise((go) => setTimeout(go, 100));
  await new Promise((go) => ('requestIdleCallback' in globalThis ? requestIdleCallback(go, { timeout: 2000 }) : setTimeout(go, 200)));
}

/**
 * Fetches what few visitors need, if they do not have to pay for it. Says whether it is there.
 * @param {ServiceWorker|null} worker
 * @returns {Promise<boolean>}
 */
const fetchTheRest = (worker) => new Promise((good) => {
  if (!worker || /** @type {any} */ (navigator).connection?.saveData) return good(false);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => good(data);
  worker.postMessage('rest', [port2]);
});

/** Is this page at home in the browser already? Copies at the same host are not meant. */
async function known() {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.scope === new URL('./', location.href).href && registration.active !== null;
}

export async function workOffline() {
  // Pages of HTTPS and of this machine may have one, where the browser has not forbidden it.
  if (!('serviceWorker' in navigator)) return;
  await calm();
  // A page that was reloaded with Shift has no controller, but all its files may be there.
  const first = !(await known());
  const registration = await navigator.serviceWorker.register('sw.js');
  if (registration.waiting && !first) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && !first) offer(installing);
    });
  });
  const { active } = await navigator.serviceWorker.ready;
  const all = await fetchTheRest(active);
  if (first) note(`${all ? 'Everything is here now: quintet' : 'quintet'} works without a connection from now on.${all ? '' : ' For reports and the winning strategies of Pylos it still needs one, until they have been opened once.'}`);
}
