import { define, need, load } from './main.js';
define('local/offline.js', (given) => {
const { button, byId, fill } = need('dom.js');
const { note } = need('say.js');
function offer(waiting) {
  const banner = byId('banner');
  fill(banner, ['A new version of quintet is ready. Your games stay. ', button('Use it now', () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('update');
  }), ' ', button('Later', () => (banner.hidden = true))]);
  banner.hidden = false;
}
async function workOffline() {
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
Object.assign(given, { workOffline });
});
