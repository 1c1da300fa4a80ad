// The page without a server, from a host of plain files: a visitor with a phone plays, analyses, reviews, and finds the games again.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { look } from './access.mjs';
import { byTouch, live, play } from './hands.mjs';
import { against, fits, hears, moves, open, PHONE, plies, says, shows, type, until, walk } from './harness.mjs';

/** Whole games, on a small board where one would be long. */
const GAMES = ['pathwayz', 'pylos', 'twixt(size=6)', 'pentago-twist', 'pentago'];

/** Second lets a row of four stand; first makes five of it. */
const LOST = ['a1q4r', 'a6q4r', 'b1q4r', 'b5q4r', 'c1q4r', 'c6q4r', 'd1q4r', 'a5q4r', 'e1'];

/** A phone at a host, which notes what fails and what is asked of anybody else. */
async function phone(visitors, host, options = {}) {
  const page = await visitors.add({ ...PHONE, host, ...options });
  page.wrong = [];
  page.context().on('request', (request) => !/^(data|blob):/.test(request.url()) && !request.url().startsWith(host.url) && page.wrong.push(`asks ${request.url()}`));
  page.context().on('requestfailed', (request) => page.wrong.push(`${request.url()} fails: ${request.failure()?.errorText}`));
  page.context().on('response', (response) => response.status() >= 400 && page.wrong.push(`${response.url()}: ${response.status()}`));
  return page;
}

walk('whole games against a level with a finger, and nothing else running', async (visitors) => {
  const host = await visitors.host();
  const page = await phone(visitors, host);
  await open(page);
  for (const [at, game] of GAMES.entries()) {
    await against(page, game, 'level:1');
    const state = await play(page, { game, hand: byTouch, mine: ['first'], seed: at + 61 });
    assert.ok(state.outcome, game);
    await says(page, '.status.over', state.outcome === 'draw' ? 'Draw' : 'wins');
    await fits(page, game);
  }
  await open(page, '#page=games');
  await until(page, 'all games are listed', (count) => document.querySelectorAll('.gamerow').length === count, GAMES.length);
  assert.deepEqual(page.wrong, []);
  const paths = host.asked.filter((path) => path !== '/' && !/^\/([0-9a-f]{16}\/|sw\.js$|manifest\.webmanifest$)/.test(path));
  assert.deepEqual(paths, [], 'nothing but files of the site is asked for');
});

walk('analysis with exact values, a review, a puzzle, a link', async (visitors) => {
  const page = await phone(visitors, await visitors.host(), { settings: { motion: 0, thought: 500, review: 50 } });
  await open(page, `#g=pentago&m=${LOST.slice(0, -1).join(',')}&tab=analyse`);
  await shows(page, LOST.slice(0, -1));
  await page.tap('#pane-analyse .switch');
  await says(page, '#pane-analyse .lines', 'wins');
  await open(page, `#g=pentago&m=${LOST.join(',')}&tab=review`);
  await page.tap('#pane-review button:text-is("Review")');
  await hears(page, 'Review finished');
  await says(page, '#pane-review', 'Accuracy');
  await page.tap('#tab-record');
  await page.tap('#pane-record summary:text-is("Export")');
  await page.tap('#pane-record button:text-is("Copy link")');
  await hears(page, 'Link copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${page.home}/#`), link);
  const other = await page.context().newPage();
  await other.goto(link);
  await shows(other, LOST);
  await other.close();
  await open(page, '#page=puzzles');
  await page.goto(`${page.home}/#puzzle=pentago-twist-4`);
  await live(page);
  const { moves: known } = await page.ask('exact', { game: 'pentago-twist', position: await page.evaluate(async () => {
    const { load } = await import(`./${document.documentElement.dataset.site}bundle/main.js`);
    return (await (await load('api.js')).puzzles()).puzzles.find(({ id }) => id === 'pentago-twist-4').from;
  }) });
  await byTouch(page, 'pentago-twist', known[0].move, []);
  await hears(page, 'Right.');
  assert.deepEqual(page.wrong, []);
});

walk('reload in the middle, move now, undo and redo', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await open(page);
  await against(page, 'pentago', 'mcts(time=100s)', ['c3q1r', 'd4q1r']);
  await byTouch(page, 'pentago', 'c4q1r', []);
  await plies(page, 3);
  await page.waitForSelector('.thinking button:text-is("Move now")');
  // The agent thinks anew after a reload; nothing is lost.
  await page.reload();
  await plies(page, 3);
  await says(page, '.thinking .numbers', 'positions');
  await page.tap('.thinking button:text-is("Move now")');
  await plies(page, 4);
  await live(page);
  const before = await moves(page);
  await page.tap('.actions button:has-text("Undo")');
  await plies(page, 2);
  await page.tap('.actions button:has-text("Redo")');
  await shows(page, before);
  await live(page);
  // Taking back while it thinks ends the search.
  const { legal } = await page.ask('position', { game: 'pentago', moves: before });
  await byTouch(page, 'pentago', legal[0], legal);
  await plies(page, 5);
  await page.waitForSelector('.thinking button:text-is("Move now")');
  await page.tap('.actions button:has-text("Undo")');
  await plies(page, 4);
  await live(page);
  assert.deepEqual(page.wrong, []);
});

walk('a clock runs for the side to move, stands while the page is closed, and ends the game', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await open(page);
  await page.tap('[aria-label="More: set up Pentago"]');
  await page.getByLabel('Time for each side').selectOption('5+3');
  await page.tap('.setup button:text-is("Start")');
  await live(page);
  await byTouch(page, 'pentago', 'c3q1r', []);
  await plies(page, 2);
  const runs = () => until(page, 'my clock runs', () => /^4:5\d$/.test(document.querySelector('.strip.moving .clock')?.textContent ?? ''));
  await runs();
  const room = page.url();
  await page.goto('about:blank');
  await page.goto(room);
  await live(page);
  // The turn begins anew.
  assert.equal(await page.textContent('.strip.moving .clock'), '5:00');
  await runs();
  await against(page, 'pentago', 'level:1', [], { main_ms: 1000 });
  await byTouch(page, 'pentago', 'c3q1r', []);
  await says(page, '.outcome', 'You lost on time');
  await says(page, '.status.over', 'wins on time');
  assert.deepEqual(page.wrong, []);
});

walk('two tabs of one game see each other’s moves', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await open(page);
  const room = await against(page, 'pylos', 'level:1');
  const other = await page.context().newPage();
  other.home = page.home;
  await open(other, `#room=${room}`);
  await live(other);
  await byTouch(page, 'pylos', '1b2', []);
  await plies(page, 2);
  await plies(other, 2);
  assert.deepEqual(await moves(other), await moves(page));
  await live(other);
  await byTouch(other, 'pylos', (await moves(other)).includes('1a1') ? '1d4' : '1a1', []);
  await plies(other, 4);
  await plies(page, 4);
  assert.deepEqual(await moves(page), await moves(other));
  assert.deepEqual(page.wrong, []);
});

walk('a game that is deleted in one tab is gone in the other', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await open(page);
  await against(page, 'pylos', 'level:1');
  await live(page);
  const other = await page.context().newPage();
  other.home = page.home;
  other.on('dialog', (dialog) => dialog.accept());
  await open(other, '#page=games');
  await other.click('.gamerow button:text-is("Delete")');
  await says(page, '.status', 'This game has been deleted.');
});

walk('where nothing can be stored, it is said', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await page.addInitScript(() => Object.defineProperty(globalThis, 'indexedDB', { get: () => { throw new Error('The operation is insecure.'); } }));
  await open(page);
  await against(page, 'pylos', 'level:1');
  await hears(page, 'This browser stores no games for this page');
  await live(page);
  await byTouch(page, 'pylos', '1b2', []);
  await plies(page, 2);
});

/** From now on the browser has no room, or has some again. A write that fails for lack of room ends its transaction. */
const fills = (page, full) => page.evaluate((now) => {
  globalThis.whole ??= IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = now ? function (...what) {
    const request = globalThis.whole.apply(this, what);
    this.transaction.abort();
    return request;
  } : globalThis.whole;
}, full);

walk('a browser without room stores no move, says so, and goes on when there is room', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await open(page);
  await against(page, 'pylos', 'mcts(time=100s)');
  await live(page);
  await fills(page, true);
  await byTouch(page, 'pylos', '1b2', []);
  await says(page, '#slips', 'The browser does not store the game');
  await plies(page, 0);
  await fills(page, false);
  await live(page);
  await byTouch(page, 'pylos', '1b2', []);
  await plies(page, 1);
  // What cannot be stored does not end the agent's search.
  await says(page, '.thinking .numbers', 'positions');
  await fills(page, true);
  await page.tap('.actions button:has-text("Undo")');
  await until(page, 'the second refusal', () => globalThis.said.filter((one) => one.includes('does not store the game')).length >= 2);
  await plies(page, 1);
  await page.tap('.thinking button:text-is("Move now")');
  await says(page, '.invite.fault', 'The browser does not store the game');
  await fills(page, false);
  await page.tap('.invite.fault button:text-is("Try again")');
  await page.tap('.thinking button:text-is("Move now")');
  await plies(page, 2);
  await page.reload();
  await plies(page, 2);
  assert.deepEqual(page.wrong, []);
});

walk('a time that is up is stored when there is room again', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await open(page);
  await against(page, 'pylos', 'level:1', [], { main_ms: 3000 });
  await byTouch(page, 'pylos', '1b2', []);
  await plies(page, 2);
  await fills(page, true);
  await says(page, '.status', 'The browser does not store the game');
  await fills(page, false);
  await says(page, '.outcome', 'You lost on time');
});

walk('a database that cannot be opened is tried again, and so is one that was closed', async (visitors) => {
  const page = await phone(visitors, await visitors.host());
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...what) {
      if (globalThis.broken) throw new Error('The disk does not answer.');
      const request = open.apply(this, what);
      request.addEventListener('success', () => void (globalThis.database = request.result));
      return request;
    };
    globalThis.broken = performance.getEntriesByType('navigation')[0]?.type !== 'reload';
  });
  await open(page);
  assert.deepEqual((await page.ask('tournaments')).tournaments, []);
  await page.evaluate(() => void (globalThis.broken = false));
  await against(page, 'pylos', 'level:1');
  assert.deepEqual(await page.evaluate(() => globalThis.said.filter((one) => one.includes('stores no games'))), []);
  await live(page);
  // As when the browser's data are needed by a later version of the page.
  await page.evaluate(() => void globalThis.database.dispatchEvent(new IDBVersionChangeEvent('versionchange', { oldVersion: 1, newVersion: 2 })));
  await byTouch(page, 'pylos', '1b2', []);
  await plies(page, 2);
  await page.evaluate(() => {
    globalThis.broken = true;
    globalThis.database.dispatchEvent(new IDBVersionChangeEvent('versionchange', { oldVersion: 1, newVersion: 2 }));
  });
  // What was stored is not forgotten: the failure is told.
  await byTouch(page, 'pylos', (await moves(page)).includes('1a1') ? '1d4' : '1a1', []);
  await says(page, '#slips', 'The disk does not answer');
  await page.evaluate(() => void (globalThis.broken = false));
  await page.reload();
  await plies(page, 2);
});

walk('two tabs that begin tournaments at once get two of them, and play each of them once', async (visitors) => {
  const page = await visitors.add({ host: await visitors.host() });
  await open(page);
  const other = await page.context().newPage();
  other.home = page.home;
  await open(other);
  const file = { game: 'pylos', players: ['mcts(visits=1000)', 'random'], format: 'round-robin', games: 20, openings: 2, seed: 3 };
  const ask = (tab, path, body) => tab.evaluate(async ([address, posted]) => {
    const { load } = await import(`./${document.documentElement.dataset.site}bundle/main.js`);
    const { answer } = await load('local/transport.js');
    return (await answer(address, posted ? { method: 'POST', body: JSON.stringify(posted) } : {})).json();
  }, [`/api/${path}`, body]);
  const begun = await Promise.all([page, other].map((tab) => ask(tab, 'tournaments', file)));
  assert.deepEqual(begun.map(({ run }) => run).sort(), [1, 2]);
  // Each is at work for both, and is played and stopped where it was begun.
  const [mine, theirs] = begun.map(({ run }) => run);
  while ((await ask(page, 'tournaments')).tournaments.some(({ state }) => state !== 'running')) await new Promise((go) => setTimeout(go, 20));
  assert.match((await ask(page, `tournaments/${theirs}/stop`, {})).error, /at work in another tab/);
  assert.deepEqual(await ask(page, `tournaments/${mine}/stop`, {}), { ok: true });
  const state = async (tab, run) => (await ask(tab, `tournaments/${run}`)).state;
  while ((await state(page, mine)) !== 'stopped') await new Promise((go) => setTimeout(go, 50));
  assert.match((await ask(page, `tournaments/${theirs}/resume`, {})).error, /at work in another tab/);
  await ask(page, `tournaments/${mine}/resume`, {});
  for (const run of [mine, theirs]) {
    while ((await state(page, run)) !== 'over') await new Promise((go) => setTimeout(go, 100));
    assert.deepEqual((await ask(page, `tournaments/${run}/games`)).games.map(({ number }) => number), Array.from({ length: 20 }, (_, at) => at));
  }
});

walk('what needs a server is absent, and a short tournament is played', async (visitors) => {
  const page = await visitors.add({ host: await visitors.host() });
  await open(page);
  await page.click('[aria-label="More: set up Pentago"]');
  await page.waitForSelector('.setup');
  const offered = await page.evaluate(() => document.body.innerText);
  assert.doesNotMatch(offered, /friend|by link|server/i);
  await open(page, '#page=lab');
  await says(page, '#page h1', 'Lab');
  assert.deepEqual(await page.$$eval('#page h2', (all) => all.map((one) => one.textContent)), ['Tournaments', 'Reports']);
  await open(page, '#page=training');
  await hears(page, 'There is no page called “training” without a server.');
  await open(page, '#page=reports&of=pylos-agents');
  await page.waitForSelector('.compared tbody tr');
  await open(page, '#page=tournaments');
  await page.click('summary:has-text("New tournament")');
  await page.waitForSelector('.offer');
  for (const player of ['random', 'mcts(visits=20)']) {
    await page.fill('[aria-label="A player by its spec"]', player);
    await page.press('[aria-label="A player by its spec"]', 'Enter');
  }
  await page.fill('.labform label:has-text("Games per pairing") input', '4');
  await page.click('.labform button[type=submit]');
  await says(page, '.badge', 'over');
  await says(page, '.progress', '4 of 4 games');
  // It is kept.
  await open(page, '#page=tournaments');
  await page.reload();
  await says(page, '#page', 'mcts(visits=20)');
});

walk('games are exported as a file and read again elsewhere', async (visitors) => {
  const [page, other] = [await visitors.add({ host: await visitors.host() }), await visitors.add({ host: await visitors.host() })];
  await open(page);
  await against(page, 'pylos', 'level:1');
  await type(page, '1b2');
  await plies(page, 2);
  const played = await moves(page);
  await open(page, '#page=games');
  await page.waitForSelector('.gamerow');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("Export all")')]);
  const text = readFileSync(await file.path(), 'utf8');
  assert.deepEqual(JSON.parse(text).moves, played);
  await open(other);
  const { games } = await other.ask('import', { text });
  assert.deepEqual(games[0].state.moves, played);
});

walk('what axe looks for is not there', async (visitors) => {
  const page = await phone(visitors, await visitors.host(), { bypassCSP: true });
  await open(page);
  await until(page, 'the pictures of the games', () => document.querySelectorAll('.card img').length === 5);
  await look(page, 'the start page of the site');
  await against(page, 'twixt(size=6)', 'level:1');
  await live(page);
  await look(page, 'a game of the site');
  await open(page, '#page=about');
  await look(page, 'about the site');
});
