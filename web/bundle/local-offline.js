import { define, need, load } from './main.js';
define('local/offline.js', (given) => {
const { button, byId, fill } = need('dom.js');
const { note } = need('say.js');
const PATIENCE_MS = 10_000;
function offer(waiting) {
  const banner = byId('banner');
  fill(banner, ['A new version of quintet is ready. Your games stay. ', button('Use it now', () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('update');
  }), ' ', button('Later', () => (banner.hidden = true))]);
  banner.hidden = false;
}
async function calm() {
  const late = performance.now() + PATIENCE_MS;
  while (!byId('game').hidden && !document.querySelector('.q-board.q-live') && performance.now() < late) await new Promise((go) => setTimeout(go, 100));
  await new Promise((go) => ('requestIdleCallback' in globalThis ? requestIdleCallback(go, { timeout: 2000 }) : setTimeout(go, 200)));
}
const fetchTheRest = (worker) => new Promise((good) => {
  if (!worker ||  (navigator).connection?.saveData) return good(false);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => good(data);
  worker.postMessage('rest', [port2]);
});
async function known() {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.scope === new URL('./', location.href).href && registration.active !== null;
}
async function workOffline() {
  if (!('serviceWorker' in navigator)) return;
  await calm();
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
Object.assign(given, { workOffline });
});
