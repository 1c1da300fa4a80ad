// The service worker of a page without a server: all files of one version are kept together, so the page works without a connection and never mixes versions.
// A new version waits until the visitor wants it or has left. `scripts/site` fills in the version and its files, and writes this as sw.js.

// @ts-nocheck A service worker has other globals than a page.

const NAME = `quintet-${'VERSION'}`;
const FIRST = ['FIRST'];
const LATER = ['LATER'];

self.addEventListener('install', (event) => {
  // Past the browser's own cache: a host may let it keep the page for a while.
  const fresh = (path) => new Request(path, { cache: path.includes('/') && path !== './' ? 'default' : 'reload' });
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FIRST.map(fresh))));
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    // A page of the version before may still be open in another tab.
    const old = (await caches.keys()).filter((name) => name.startsWith('quintet-') && name !== NAME);
    await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

/** Fetches the rest, one file after the other. */
async function fetchTheRest() {
  const cache = await caches.open(NAME);
  for (const path of LATER) if (!(await cache.match(path))) await cache.add(path).catch(() => {});
}

self.addEventListener('message', (event) => {
  if (event.data === 'update') self.skipWaiting();
  if (event.data === 'rest') event.waitUntil(fetchTheRest());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith((async () => {
    const own = await caches.open(NAME);
    // What was kept is damaged.
    if (request.cache === 'reload' && request.mode !== 'navigate') {
      const anew = await fetch(request);
      if (anew.ok) await own.put(request, anew.clone());
      return anew;
    }
    const known = request.mode === 'navigate' && url.pathname === new URL('./', location.href).pathname ? await own.match('./') : (await own.match(request, { ignoreSearch: true })) ?? (await caches.match(request));
    return known ?? fetch(request);
  })());
});
