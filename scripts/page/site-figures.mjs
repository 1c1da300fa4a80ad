// The figures of docs/hosting.md: the same work in a browser and in the native program, in one run on one machine, as tables in Markdown.
//   node scripts/page/site-figures.mjs SITE PROGRAM [PART…]        SITE is a folder of scripts/site, PROGRAM the release build of quintet; the parts are
//   signatures, speed, latency, load and memory, all if none is named
// Nothing else should run meanwhile. Browser and program take turns, and medians of the rounds are told. The signatures of `quintet bench` are compared first.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { chromium } from 'playwright-core';

import { Host } from './host.mjs';

const [site, program, ...wanted] = process.argv.slice(2);
if (!site || !program) throw new Error('usage: node scripts/page/site-figures.mjs SITE PROGRAM [PART…]');

const GAMES = ['pathwayz', 'pylos', 'twixt', 'pentago-twist', 'pentago'];
const ROUNDS = 3;
/** The search that is timed, in each game with the evaluation of its paper, and its nodes. */
const SEARCHES = { pathwayz: 'pvs(eval=longest-path)', pylos: 'pvs(eval=difference)', twixt: 'pvs(eval=distance)', 'pentago-twist': 'pvs(eval=e3)', pentago: 'pvs(eval=e3)' };
const NODES = 200_000;
const LINE = { bits: 10e6, latency: 40 };
const SLOWER = 4;

const host = await new Host(site).start();
const browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'] });

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const native = (...args) => JSON.parse(execFileSync(program, [...args, '--json'], { encoding: 'utf8' }));
const short = (number) => (number >= 1e6 ? `${(number / 1e6).toFixed(2)} M` : number >= 1e4 ? `${Math.round(number / 1e3)} k` : String(Math.round(number)));
const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;
const table = (heads, rows) => console.log([heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n').concat('\n'));

/** A page of the site in which workers can be asked. */
async function visit(hash = '') {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${host.url}/${hash}`);
  await page.waitForSelector(hash ? '.holder .q-board.q-live' : '#page:not([hidden]) h1');
  await page.evaluate(async () => {
    const folder = document.documentElement.dataset.site;
    const { load } = await import(`./${folder}bundle/main.js`);
    const { Crew } = await load('local/crew.js');
    globalThis.crew = new Crew(folder);
    globalThis.transport = await load('local/transport.js');
  });
  return page;
}

const inBrowser = (page, kind, asked) => page.evaluate(([what, text]) => globalThis.crew.search(what, text).done, [kind, asked]);

/** Counts what `quintet bench` counts, move for move and node for node. */
async function signatures(page) {
  const { rows, signature, searches } = native('bench');
  let counted = 0;
  for (const { game, perft: { depth, nodes } } of rows) {
    const there = await inBrowser(page, 'measure', { what: 'perft', game, depth });
    assert.equal(there.nodes, nodes, `${game}: perft ${depth}`);
    counted += there.nodes;
  }
  assert.equal(counted, signature);
  let searched = 0;
  for (const { game, agent, lines, nodes } of searches.rows) {
    let found = 0;
    for (const [seed, line] of lines.entries()) found += (await inBrowser(page, 'search', { do: 'analyse', game, moves: line.split(' '), agent, seed })).nodes;
    assert.equal(found, nodes, `${game}: ${agent}`);
    searched += found;
  }
  assert.equal(searched, searches.signature);
  console.log(`Signatures in both: ${counted} sequences of moves, ${searched} nodes of searches.\n`);
}

async function speed(page) {
  const rows = [];
  for (const game of GAMES) {
    const found = { games: [[], []], nodes: [[], []] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = native('bench', 'playouts', game, '--seconds', '1');
      found.games[0].push(own.playouts / own.seconds);
      const there = await inBrowser(page, 'measure', { what: 'games', game, seed: 1, least: 1, ms: 1000 });
      found.games[1].push((1000 * there.games) / there.ms);
      const searched = native('analyse', game, '--agent', SEARCHES[game], '--nodes', String(NODES));
      found.nodes[0].push((1000 * searched.nodes) / searched.ms);
      const choice = await inBrowser(page, 'search', { do: 'analyse', game, moves: [], agent: SEARCHES[game], limit: { nodes: NODES } });
      found.nodes[1].push((1000 * choice.nodes) / choice.ms);
      assert.deepEqual([choice.move, choice.nodes], [searched.move, searched.nodes], `${game}: both search the same tree`);
    }
    const [[games, gamesThere], [nodes, nodesThere]] = [found.games, found.nodes].map((pair) => pair.map(median));
    rows.push([game, short(games), short(gamesThere), percent(gamesThere, games), short(nodes), short(nodesThere), percent(nodesThere, nodes)]);
  }
  console.log(`### One thread, native and in the browser (${await browser.version()}, medians of ${ROUNDS})\n`);
  table(['game', 'random games/s', 'browser', '', '`pvs` nodes/s', 'browser', ''], rows);
}

/** A first visit to the page of each game, over a slow line and with a slow processor. */
async function firstLoad() {
  const rows = [];
  for (const game of GAMES) {
    const [times, bytes] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })).newPage();
      await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      host.slow = LINE;
      const [before, begun] = [host.sent, performance.now()];
      await page.goto(`${host.url}/#g=${game}`);
      await page.waitForSelector('.holder .q-board.q-live');
      times.push(performance.now() - begun);
      bytes.push(host.sent - before);
      host.slow = null;
      await page.context().close();
    }
    rows.push([game, `${(median(times) / 1000).toFixed(2)} s`, `${Math.round(median(bytes) / 1000)} kB`]);
  }
  console.log(`### First load of a game's page: ${LINE.bits / 1e6} Mbit/s, ${LINE.latency} ms, the page's own thread ${SLOWER} times slower\n`);
  table(['game', 'ready for a move', 'bytes until then'], rows);
}

/** Plays a whole game in the page against a level, and tells how long its answers took. */
const answers = (page, game, level) => page.evaluate(async ([spec, strength]) => {
  const { answer, LocalSocket } = globalThis.transport;
  const seats = [{ who: 'person', name: '' }, { who: 'level', level: strength }];
  const { room, tokens } = await (await answer('/api/rooms', { method: 'POST', body: JSON.stringify({ game: spec, seats }) })).json();
  const socket = new LocalSocket();
  await new Promise((go) => socket.addEventListener('open', go));
  const took = [];
  return new Promise((good, bad) => {
    let asked = 0;
    socket.addEventListener('message', ({ data }) => {
      const { error, room: state } = JSON.parse(data);
      if (error || state?.fault) return bad(new Error(error ?? state.fault.what));
      if (!state?.moves) return undefined;
      if (state.moves.length % 2 === 0 && state.moves.length) took.push(performance.now() - asked);
      if (state.outcome) return good(took);
      if (state.to_move !== 'first') return undefined;
      asked = performance.now();
      // Somewhere in the middle of the list, so that the game goes on.
      socket.send(JSON.stringify({ id: 2 + state.moves.length, do: 'move', room, token: tokens[0], ply: state.moves.length, move: state.legal[Math.floor(state.legal.length / 2)] }));
    });
    socket.send(JSON.stringify({ id: 1, do: 'watch', room, token: tokens[0] }));
  });
}, [game, level]);

async function latency(page) {
  const rows = [];
  for (const game of GAMES) {
    const took = await answers(page, game, 8);
    rows.push([game, String(took.length), `${(took[0] / 1000).toFixed(2)} s`, `${(median(took.slice(1)) / 1000).toFixed(2)} s`, `${(Math.max(...took) / 1000).toFixed(2)} s`]);
  }
  console.log('### Answers of level 8, whole games\n');
  table(['game', 'moves', 'the first, with its net', 'median of the next', 'longest'], rows);
}

/** The memory of the processes that draw pages, in MB: what the machine has given to them alone. */
async function memory() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const own = (pid) => {
    const lines = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return ['Private_Clean', 'Private_Dirty'].reduce((sum, name) => sum + Number(new RegExp(`${name}: +(\\d+)`).exec(lines)[1]), 0) / 1024;
  };
  return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => own(id)));
}

async function growth(page) {
  const rows = [['the page of a game', `${Math.round(await memory())} MB`]];
  for (let game = 0; game < 10; game += 1) {
    await answers(page, GAMES[game % GAMES.length], 3);
    if (game === 0 || game === 4 || game === 9) rows.push([`after ${game + 1} game${game ? 's' : ''} against level 3`, `${Math.round(await memory())} MB`]);
  }
  console.log('### Memory of the tab with its workers, all five games twice\n');
  table(['when', 'private memory'], rows);
}

const PARTS = { signatures, speed, latency, load: firstLoad, memory: growth };
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const page = await visit(name === 'memory' ? '#g=pentago' : '');
  await measure(page);
  await page.context().close();
}
await browser.close();
await host.stop();
