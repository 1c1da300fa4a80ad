// Makes the page work without a connection after the first visit, and offers new versions without forcing them on anybody.

import { button, byId, fill } from '../dom.js';
import { note } from '../say.js';

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  const banner = byId('banner');
  fill(banner, ['A new version of quintet is ready. Your games stay. ', button('Use it now', () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('update');
  }), ' ', button('Later', () => (banner.hidden = true))]);
  banner.hidden = false;
}

export async function workOffline() {
  // Only pages of HTTPS and of this machine may have one.
  if (!('serviceWorker' in navigator)) return;
  const first = !navigator.serviceWorker.controller;
  const registration = await navigator.serviceWorker.register('sw.js');
  if (registration.waiting && !first) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && navigator.serviceWorker.controller && !first) offer(installing);
    });
  });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('rest');
  if (first) note('Everything is here now: quintet works without a connection from now on.');
}
