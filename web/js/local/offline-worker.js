// The service worker of a page without a server: all files of one version are kept together, so the page works without a connection and never mixes versions.
// A new version waits until the visitor wants it or has left. `scripts/site` fills in the version and its files, and writes this as sw.js.

// @ts-nocheck A service worker has other globals than a page.

/** Other copies of the page at the same host have caches of their own. */
const OWN = `quintet ${registration.scope} `;
const NAME = `${OWN}${'VERSION'}`;
/** The files by their paths, with the beginnings of their SHA-256 sums; what every game needs, and what few need. */
const FIRST = ['FIRST'];
const LATER = ['LATER'];
/** The entrance, which has no sum: it names the version. */
const ENTRANCE = ['./', 'manifest.webmanifest'];
/** Where a cache has the list of its files. */
const LIST = 'files';

const pathOf = (path) => new URL(path, registration.scope).href;
const olds = async () => (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== NAME);

/** The files of earlier versions, by their sums. */
async function before() {
  const found = new Map();
  for (const name of await olds()) {
    const cache = await caches.open(name);
    const list = await cache.match(LIST);
    for (const [path, sum] of list ? await list.json() : []) found.set(sum, { cache, path });
  }
  return found;
}

/** Is this the file with that sum? */
async function isWhole(response, sum) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('').startsWith(sum);
}

/** A file of an earlier version, if it is still whole. */
async function copied(known, sum) {
  const response = await known?.cache.match(known.path);
  return response && (await isWhole(response, sum)) ? response : null;
}

/** A file from the host. One that arrives damaged, or of another version, is fetched once more, past the browser's own cache. */
async function fetched(path, sum) {
  for (const cache of ['default', 'reload']) {
    const response = await fetch(path, { cache });
    if (response.ok && (await isWhole(response, sum))) return response;
  }
  throw new Error(`${path} is not at the host as this version has it`);
}

/** Puts files into the cache that are not there yet; those that an earlier version had too are not fetched again. */
async function keep(files) {
  const [cache, earlier] = [await caches.open(NAME), await before()];
  for (const [path, sum] of files) {
    if (await cache.match(path)) continue;
    await cache.put(path, (await copied(earlier.get(sum), sum)) ?? (await fetched(path, sum)));
  }
}

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(NAME);
    await cache.put(LIST, new Response(JSON.stringify([...FIRST, ...LATER])));
    // Past the browser's own cache: a host may let it keep the page for a while.
    await cache.addAll(ENTRANCE.map((path) => new Request(path, { cache: 'reload' })));
    await keep(FIRST);
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    // A page of the version before may still be open in another tab.
    await Promise.all((await olds()).slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener('message', (event) => {
  if (event.data === 'update') self.skipWaiting();
  // Who asks for the rest hears whether it is there.
  if (event.data === 'rest') event.waitUntil(keep(LATER).then(() => true, () => false).then((all) => event.ports[0].postMessage(all)));
});

const SUMS = new Map([...FIRST, ...LATER].map(([path, sum]) => [pathOf(path), sum]));
const PAGE = ['./', 'index.html'].map(pathOf);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith((async () => {
    const own = await caches.open(NAME);
    // `reload` asks for a file anew: what was kept is damaged.
    const damaged = request.cache === 'reload' && request.mode !== 'navigate';
    const path = url.origin + url.pathname;
    const known = damaged ? null : PAGE.includes(path) ? await own.match('./') : (await own.match(request, { ignoreSearch: true })) ?? (await caches.match(request));
    if (known) return known;
    const response = await fetch(request);
    // Where it is damaged or there is no room left, it is answered all the same.
    if (response.ok && SUMS.has(path) && (await isWhole(response, SUMS.get(path)))) await own.put(path, response.clone()).catch(() => {});
    return response;
  })());
});
