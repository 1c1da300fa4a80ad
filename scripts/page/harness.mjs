// What every test of the page uses: its own server, a browser, visitors with storages of their own, and waiting for expected changes.
// A file of tests is a process with one browser. Every test has its own server, since a server limits the requests per address and second.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { chromium } from 'playwright-core';

import { Host } from './host.mjs';

/** The program under test. */
const PROGRAM = process.env.QUINTET ?? '';
/** The folder of the page without a server. */
export const SITE = process.env.QUINTET_SITE ?? '';
/** Where pictures go. */
const SHOTS = process.env.QUINTET_SHOTS ?? new URL('../../target/page', import.meta.url).pathname;
/** A folder to take the page from instead of the program, to try a change without building. */
const WEB = process.env.QUINTET_WEB ?? '';
/** How long anything may take before it counts as missing: generous, since tests wait for changes and do not sleep. */
export const PATIENCE = 30_000;

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** `quintet serve` on a free port with a data directory of its own. */
export class Server {
  #child = null;
  #data = mkdtempSync(join(tmpdir(), 'quintet-page-'));
  port = 0;

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Moves the data directory away, as if its disk were gone; the returned function brings it back. */
  hideData() {
    renameSync(this.#data, `${this.#data}.away`);
    return () => renameSync(`${this.#data}.away`, this.#data);
  }

  /** Ready when it has printed its address. A restart keeps the port and the data. */
  async start() {
    assert.ok(PROGRAM, 'QUINTET names no program to test; scripts/test-page sets it');
    const child = spawn(PROGRAM, ['serve', '--bind', `127.0.0.1:${this.port}`, '--data', this.#data, '--no-browser'], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let said = '';
    this.port = await new Promise((good, bad) => {
      const hear = (chunk) => {
        said += chunk;
        const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (found) good(Number(found[1]));
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('error', bad);
      child.on('exit', () => bad(new Error(`the server did not start: ${said}`)));
    });
    return this;
  }

  /** Ends it without a warning. */
  async kill() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((good) => child.once('exit', good));
    child.kill('SIGKILL');
    await gone;
  }

  async stop() {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }

  /** Asks the API, not the page. */
  async ask(path, body) {
    const how = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
    const response = await fetch(`${this.url}/api/${path}`, how);
    if (response.status === 429) {
      // Wait as long as the rate limit asks.
      await new Promise((go) => setTimeout(go, 1000 * Number(response.headers.get('retry-after') ?? 1)));
      return this.ask(path, body);
    }
    return response.json();
  }
}

let started = null;
let launched = null;
/** The server of the test that runs. */
export const server = () => (started ??= new Server().start());
const browser = () => (launched ??= chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: FLAGS }));

after(async () => (await launched)?.close());

/** Records what the page announces, and switches motion off by default. Runs in the page before its own scripts. */
function prepare(settings) {
  globalThis.said = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest('#polite,#polite-too,#assertive');
      if (region?.textContent) globalThis.said.push(region.textContent);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
  try {
    if (!localStorage.getItem('quintet.settings')) localStorage.setItem('quintet.settings', JSON.stringify(settings));
  } catch {
    // about:blank has no storage.
  }
}

/** Answers for a script or style of the page with the one in a folder. The page itself comes from the program: a page from elsewhere may not open a socket. */
async function fromFolder(route) {
  // The bundle is made of the modules; those of the folder are as good.
  if (new URL(route.request().url()).pathname === '/bundle/main.js') return route.fulfill({ contentType: 'text/javascript', body: "import '/js/main.js';" });
  const path = join(WEB, new URL(route.request().url()).pathname);
  await (existsSync(path) ? route.fulfill({ path }) : route.continue());
}

/** Asks the API inside a page without a server. */
const askSite = (page, path, body) => page.evaluate(async ([address, posted]) => {
  const { load } = await import(`./${document.documentElement.dataset.site}bundle/main.js`);
  const { answer } = await load('local/transport.js');
  return (await answer(address, posted ? { method: 'POST', body: JSON.stringify(posted) } : {})).json();
}, [`/api/${path}`, body]);

/** The visitors of one test. */
class Visitors {
  #contexts = [];
  #faults = [];
  #hosts = [];

  /** A host of plain files for this test, of the page without a server unless another folder is named. */
  async host(under = '/', folder = SITE) {
    assert.ok(folder, 'QUINTET_SITE names no folder with the page without a server: make one with scripts/site DIR --quick');
    const host = await new Host(folder, under).start();
    this.#hosts.push(host);
    return host;
  }

  /**
   * A window with a storage of its own. Whatever goes wrong in its scripts is a fault of the page. `host` has the page without a server; otherwise it is the
   * test's server. `page.ask` asks the API for what the page itself could.
   * @param {{settings?: object, host?: Host} & import('playwright-core').BrowserContextOptions} [options]
   */
  async add({ settings = { motion: 0 }, host, ...options } = {}) {
    const context = await (await browser()).newContext({ viewport: DESKTOP, ...options });
    this.#contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addInitScript(prepare, settings);
    if (WEB && !host) await context.route(/\/(js|css|bundle)\//, fromFolder);
    const page = await context.newPage();
    page.home = (host ?? (await server())).url;
    page.ask = host ? (path, body) => askSite(page, path, body) : async (path, body) => (await server()).ask(path, body);
    page.on('pageerror', (error) => this.#faults.push(`error in the page: ${error.stack ?? error}`));
    page.on('console', (message) => {
      // A refused request is an answer; a blocked script or style is a fault.
      if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text())) this.#faults.push(`in the console: ${message.text()}`);
    });
    page.on('response', (response) => {
      if (response.status() === 429 && !response.url().includes('/api/')) this.#faults.push(`a file of the page was refused: ${response.url()}`);
    });
    page.on('dialog', (dialog) => dialog.accept());
    return page;
  }

  async close(name, failed) {
    if (failed) for (const [at, context] of this.#contexts.entries()) for (const page of context.pages()) await shot(page, `failed-${name.replace(/\W+/g, '-')}-${at}`).catch(() => {});
    await Promise.all(this.#contexts.map((context) => context.close()));
    await Promise.all(this.#hosts.map((host) => host.stop()));
    await (await started)?.stop();
    started = null;
    if (!failed) assert.deepEqual(this.#faults, []);
    else for (const fault of this.#faults) console.error(fault);
  }
}

/**
 * A test with visitors. When it fails, pictures of what they saw are kept.
 * @param {string} name
 * @param {(visitors: Visitors) => Promise<void>} story
 */
export function walk(name, story) {
  test(name, { timeout: 400_000 }, async () => {
    const visitors = new Visitors();
    let failed = true;
    try {
      await story(visitors);
      failed = false;
    } finally {
      await visitors.close(name, failed);
    }
  });
}

/** Goes to an address of the page; within the page only the part after the hash changes, as when a person follows a link. */
export async function open(page, hash = '') {
  const address = `${page.home}/${hash}`;
  // The present board is not the one to wait for.
  if (decodeURIComponent(page.url()) !== address) await page.evaluate(() => document.querySelector('.holder svg')?.setAttribute('data-old', ''));
  await page.goto(address);
  await page.waitForSelector(/^#(g|room)=/.test(hash) ? '#game:not([hidden]) .holder svg:not([data-old])' : '#page:not([hidden]) h1');
}

/** A game against an agent on a page without a server, begun as the page begins one. */
export async function against(page, game, agent, played = [], clock = null) {
  const room = await page.evaluate(async ([spec, name, begun, times]) => {
    const { load } = await import(`./${document.documentElement.dataset.site}bundle/main.js`);
    const { makeRoom } = await load('room.js');
    return makeRoom({ game: spec, moves: begun, seats: [{ who: 'person', name: 'Ann' }, { who: 'agent', agent: name }], clock: times });
  }, [game, agent, played, clock]);
  await open(page, `#room=${room}`);
  await plies(page, played.length);
  return room;
}

/** Waits until something holds in the page; fails with a sentence and with what the page shows instead. */
export async function until(page, what, holds, value) {
  try {
    // To waitForFunction a promise is true, whatever it holds.
    if (holds.constructor.name === 'AsyncFunction') {
      const end = Date.now() + PATIENCE;
      while (!(await page.evaluate(holds, value).catch(() => false))) {
        assert.ok(Date.now() < end, `not within ${PATIENCE} ms`);
        await new Promise((go) => setTimeout(go, 50));
      }
    } else {
      await page.waitForFunction(holds, value, { timeout: PATIENCE });
    }
  } catch (why) {
    const shown = await page.evaluate(() => ({ status: document.querySelector('.status')?.textContent, moves: document.querySelectorAll('.movelist .ply').length,
      said: globalThis.said?.slice(-3), hash: location.hash })).catch(() => null);
    assert.fail(`${what}: it did not come. ${String(why).split('\n')[0]} ${JSON.stringify(shown)}`);
  }
}

/** Waits for a text in a place. */
export const says = (page, place, text) => until(page, `${place} says “${text}”`,
  ([selector, part]) => [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(part)), [place, text]);

/** Waits until something has been announced. */
export const hears = (page, text) => until(page, `“${text}” is said`, (part) => globalThis.said.some((one) => one.includes(part)), text);
export const forget = (page) => page.evaluate(() => void (globalThis.said.length = 0));

/** Waits for a number of moves in the game. */
export const plies = (page, count) => until(page, `${count} moves`, (n) => document.querySelectorAll('.movelist .ply').length === n, count);

/** The moves of the game as the page lists them. */
export const moves = (page) => page.$$eval('.movelist .ply', (buttons) => buttons.map((one) => one.textContent.replace(/^\d+\. /, '')));

/** Waits until these are the moves of the game. */
export const shows = (page, played) => until(page, `the game is ${played.join(' ')}`,
  (wanted) => [...document.querySelectorAll('.movelist .ply')].map((one) => one.textContent.replace(/^\d+\. /, '')).join() === wanted, played.join());

/** Types into a text box, for tests that are about something else. */
export async function type(page, move) {
  await page.fill('.movebox', move);
  await page.press('.movebox', 'Enter');
}

/** Nothing is wider than the screen. */
export async function fits(page, where) {
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width <= room + 1, `${where}: ${width} pixels wide on a screen of ${room}`);
}

/** A picture among the artefacts. */
export async function shot(page, name) {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
