// The page without a server when something is missing: the connection, a file as it was, a worker. And a new version, which nobody is forced to take.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

import { byTouch, live } from './hands.mjs';
import { against, hears, moves, open, PHONE, plies, says, SITE, until, walk } from './harness.mjs';
import { stamp } from './stamp.mjs';

/** A move of each game that is always legal at its beginning. */
const OPENINGS = { pathwayz: 'd4', pylos: '1b2', twixt: 'f6', 'pentago-twist': 'c3q1f', pentago: 'c3q1l' };

/** A copy of the site that a test may change, for as long as the test runs. */
async function withCopy(work) {
  const folder = join(mkdtempSync(join(tmpdir(), 'quintet-site-')), 'site');
  cpSync(SITE, folder, { recursive: true });
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const versionOf = (folder) => readdirSync(folder).find((name) => /^[0-9a-f]{16}$/.test(name));
const versionIn = (page) => page.evaluate(() => document.documentElement.dataset.site.replace('/', ''));

/** The same site as if it were of another version. */
function another(folder, digit = 'f') {
  const [old, version] = [versionOf(folder), digit.repeat(16)];
  renameSync(join(folder, old), join(folder, version));
  for (const file of ['index.html', 'sw.js', 'manifest.webmanifest']) {
    writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replaceAll(old, version));
    for (const packed of ['br', 'gz']) rmSync(join(folder, `${file}.${packed}`), { force: true });
  }
  return version;
}

const atHand = (page) => hears(page, 'works without a connection');

walk('under a path of a host, and without any host after the first visit', async (visitors) => {
  const host = await visitors.host('/some/where/');
  const page = await visitors.add({ ...PHONE, host });
  await open(page);
  await atHand(page);
  await host.stop();
  assert.deepEqual(host.asked.filter((path) => !path.startsWith('/some/where/')), []);
  await page.reload();
  await page.waitForSelector('#page:not([hidden]) h1');
  for (const [game, move] of Object.entries(OPENINGS)) {
    await against(page, game, 'level:1');
    await live(page);
    await byTouch(page, game, move, []);
    await until(page, `${game}: the agent answers`, () => document.querySelectorAll('.movelist .ply').length >= 2);
  }
  for (const at of ['learn', 'puzzles', 'games', 'about', 'lab']) {
    await open(page, `#page=${at}`);
    await until(page, `${at} is there`, () => document.querySelector('#page').textContent.length > 60);
  }
});

walk('copies under three paths of a host are kept apart', (visitors) => withCopy(async (copy) => {
  const [folder, host] = [join(copy, '..', 'host'), await visitors.host('/', join(copy, '..', 'host'))];
  mkdirSync(folder);
  const versions = [];
  for (const [path, digit] of [['a', null], ['b', 'b'], ['c', 'c']]) {
    // Other versions, but the same files.
    mkdirSync(join(folder, path));
    const old = versionOf(copy);
    for (const file of ['index.html', 'sw.js', 'manifest.webmanifest']) writeFileSync(join(folder, path, file), readFileSync(join(copy, file), 'utf8').replaceAll(old, digit ? digit.repeat(16) : old));
    symlinkSync(join(copy, old), join(folder, path, digit ? digit.repeat(16) : old));
    versions.push(digit ? digit.repeat(16) : old);
  }
  const page = await visitors.add({ ...PHONE, host });
  for (const path of ['a', 'b', 'c']) {
    await page.goto(`${host.url}/${path}/`);
    await atHand(page);
  }
  await host.stop();
  for (const [at, path] of ['a', 'b', 'c'].entries()) {
    await page.goto(`${host.url}/${path}/index.html`);
    await page.waitForSelector('#page:not([hidden]) h1');
    assert.equal(await versionIn(page), versions[at]);
  }
}));

walk('who saves data fetches what few need only when it is needed', async (visitors) => {
  const host = await visitors.host();
  const page = await visitors.add({ ...PHONE, host });
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await open(page);
  await hears(page, 'it still needs one, until they have been opened once');
  const later = () => host.asked.filter((path) => /\/(data\/strategies|api)\//.test(path));
  assert.deepEqual(later(), []);
  await open(page, '#page=reports&of=pylos-agents');
  await page.waitForSelector('.compared tbody tr');
  assert.ok(later().length);
  // Then it stays.
  await host.stop();
  await page.reload();
  await page.waitForSelector('.compared tbody tr');
});

walk('the page can be installed', async (visitors) => {
  const host = await visitors.host();
  const page = await visitors.add({ host });
  await open(page);
  await atHand(page);
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Every window of a test is one without a history.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((error) => error !== 'in-incognito'), []);
  const { icons } = JSON.parse(readFileSync(join(SITE, 'manifest.webmanifest'), 'utf8'));
  const touch = await page.getAttribute('link[rel="apple-touch-icon"]', 'href');
  const pictures = [...icons, { src: touch, sizes: '180x180', type: 'image/png', purpose: 'touch' }].filter(({ type }) => type === 'image/png');
  for (const { src, sizes, purpose } of pictures) {
    const { size, corner, clear } = await page.evaluate(async (path) => {
      const picture = await createImageBitmap(await (await fetch(path)).blob());
      const { width, height } = picture;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.drawImage(picture, 0, 0);
      const colour = (x, y) => [...context.getImageData(x, y, 1, 1).data].join();
      const ground = colour(width / 2, height - 1);
      // Masks leave the circle of four fifths.
      const ring = Array.from({ length: 360 }, (_, at) => colour(Math.round(width * (0.5 + 0.405 * Math.cos(at))), Math.round(height * (0.5 + 0.405 * Math.sin(at)))));
      return { size: `${width}x${height}`, corner: colour(0, 0) === ground, clear: ring.every((one) => one === ground) };
    }, src);
    assert.equal(size, sizes, src);
    if (purpose !== 'any') assert.deepEqual([corner, clear], [true, true], `${src} fills its square, and what is drawn is where no mask cuts`);
  }
  assert.deepEqual(pictures.map(({ purpose }) => purpose), ['any', 'any', 'maskable', 'touch']);
  assert.equal(await page.locator('meta[name="theme-color"]').count(), 2);
});

test('a site has another version when anything of it is another', () => {
  const outer = (page, worker) => (version) => ({ 'index.html': `${page} ${version}`, 'sw.js': `${worker} ${version}` });
  const made = (inner, page = 'page', worker = 'worker') => stamp(new Map(Object.entries(inner)), outer(page, worker));
  const { version, outside } = made({ a: 'one', b: 'two' });
  assert.match(version, /^[0-9a-f]{16}$/);
  assert.deepEqual(outside, { 'index.html': `page ${version}`, 'sw.js': `worker ${version}` });
  assert.equal(made({ a: 'one', b: 'two' }).version, version);
  for (const other of [made({ a: 'one', b: 'TWO' }), made({ a: 'one', c: 'two' }), made({ a: 'one', b: 'two' }, 'PAGE'), made({ a: 'one', b: 'two' }, 'page', 'WORKER')]) assert.notEqual(other.version, version);
});

walk('a new version is offered, and taken when the visitor wants it', async (visitors) => {
  const host = await visitors.host();
  const page = await visitors.add({ ...PHONE, host });
  await open(page);
  await atHand(page);
  const room = await against(page, 'pylos', 'level:1');
  await byTouch(page, 'pylos', '1b2', []);
  await plies(page, 2);
  await withCopy(async (folder) => {
    const [old, version] = [versionOf(folder), another(folder)];
    host.folder = folder;
    await page.reload();
    await plies(page, 2);
    await says(page, '#banner:not([hidden])', 'A new version of quintet is ready');
    assert.equal(await versionIn(page), old, 'nothing changes by itself');
    await live(page);
    await byTouch(page, 'pylos', (await moves(page)).includes('1a1') ? '1d4' : '1a1', []);
    await plies(page, 4);
    const played = await moves(page);
    // A second tab of the old version goes on beside the new one.
    const other = await page.context().newPage();
    other.home = page.home;
    await open(other, `#room=${room}`);
    await page.tap('#banner button:text-is("Use it now")');
    await page.waitForFunction((wanted) => document.documentElement.dataset.site === `${wanted}/`, version);
    await plies(page, 4);
    // What both versions have was not fetched again.
    assert.deepEqual(host.asked.filter((path) => path.startsWith(`/${version}/`)), []);
    assert.deepEqual(await moves(page), played);
    await open(page, '#page=games');
    await says(page, '.gamerow', 'Pylos');
    assert.equal(await versionIn(other), old);
    await open(other, '#page=learn');
    await says(other, '#page', 'Learn Pylos');
    // The next visit is one of the new version, whether the host answers or not.
    await other.close();
    await host.stop();
    await page.reload();
    await says(page, '.gamerow', 'Pylos');
    assert.equal(await versionIn(page), version);
  });
});

/** A file of the site, and a way to damage it. */
function damaged(folder, path) {
  const file = join(folder, versionOf(folder), path);
  const whole = readFileSync(file);
  for (const packed of ['br', 'gz']) rmSync(`${file}.${packed}`, { force: true });
  writeFileSync(file, Buffer.concat([whole.subarray(0, 100), Buffer.from('!'), whole.subarray(101)]));
  return { repair: () => writeFileSync(file, whole) };
}

/** Does something in the service worker too: here its caches become full, when they are told. */
const FULL = `{ const { put } = Cache.prototype; let full = false; addEventListener('message', ({ data }) => (full ||= data === 'full'));
Cache.prototype.put = function (...what) { return full ? Promise.reject(new DOMException('no room', 'QuotaExceededError')) : put.apply(this, what); }; }\n`;

walk('a browser whose cache is full shows what it fetches all the same', (visitors) => withCopy(async (folder) => {
  writeFileSync(join(folder, 'sw.js'), FULL + readFileSync(join(folder, 'sw.js'), 'utf8'));
  for (const packed of ['br', 'gz']) rmSync(join(folder, `sw.js.${packed}`), { force: true });
  const page = await visitors.add({ ...PHONE, host: await visitors.host('/', folder) });
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await open(page);
  await atHand(page);
  await page.evaluate(() => navigator.serviceWorker.controller.postMessage('full'));
  await open(page, '#page=reports&of=pylos-agents');
  await page.waitForSelector('.compared tbody tr');
}));

walk('a damaged file is not kept: nothing is, until the host has what the version names', (visitors) => withCopy(async (folder) => {
  const { repair } = damaged(folder, 'bundle/learn.js');
  const host = await visitors.host('/', folder);
  const page = await visitors.add({ ...PHONE, host });
  await open(page);
  const kept = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state ?? null);
  await until(page, 'the worker gives up', async () => {
    globalThis.tried ||= (await navigator.serviceWorker.getRegistration()) !== undefined;
    return globalThis.tried && (await navigator.serviceWorker.getRegistration()) === undefined;
  });
  assert.equal(await kept(), null);
  repair();
  await page.reload();
  await atHand(page);
  await host.stop();
  await open(page, '#page=learn');
  await says(page, '#page', 'Learn');
}));

walk('a net that arrives damaged is fetched again, and named if that does not help', (visitors) => withCopy(async (folder) => {
  const host = await visitors.host('/', folder);
  const { repair } = damaged(folder, 'data/weights/pylos/net.safetensors');
  const page = await visitors.add({ ...PHONE, host });
  await open(page);
  await page.tap('[aria-label="Play Pylos now"]');
  await says(page, '#slips', 'weights/pylos/net.safetensors could not be fetched (weights/pylos/net.safetensors has arrived damaged');
  repair();
  await page.tap('[aria-label="Play Pylos now"]');
  await live(page);
  await byTouch(page, 'pylos', '1b2', []);
  await plies(page, 2);
  await page.reload();
  await plies(page, 2);
  // What is kept is whole again, too. If that was so before the page was loaded again, nothing is said now.
  await until(page, 'the net is kept', async () => {
    if ((await navigator.serviceWorker.getRegistration())?.active?.state !== 'activated') return false;
    const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return kept.flat().some(({ url }) => url.endsWith('/data/weights/pylos/net.safetensors'));
  });
  await host.stop();
  await page.reload();
  await plies(page, 2);
  await live(page);
  await byTouch(page, 'pylos', (await moves(page)).includes('1a1') ? '1d4' : '1a1', []);
  await plies(page, 4);
}));

walk('a worker that fails is told of, and another one takes its place', async (visitors) => {
  const page = await visitors.add({ ...PHONE, host: await visitors.host() });
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...more) {
      if (!globalThis.fails || message.kind !== 'search') return postMessage.call(this, message, ...more);
      setTimeout(() => this.onmessage({ data: { number: message.number, broken: 'memory access out of bounds' } }));
    };
  });
  await open(page);
  await against(page, 'pentago', 'level:1');
  await page.evaluate(() => void (globalThis.fails = true));
  await byTouch(page, 'pentago', 'c3q1r', []);
  await says(page, '.fault', 'The engine has failed: memory access out of bounds');
  await page.evaluate(() => void (globalThis.fails = false));
  await page.tap('.fault button:text-is("Try again")');
  await plies(page, 2);
});
