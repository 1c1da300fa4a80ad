// How long a first visit to the page of a server takes over a slow line: the figures of docs/page/README.md, as a table in Markdown.
//   node scripts/page/line-figures.mjs PROGRAM [MBIT [LATENCY [SLOWER]]]        PROGRAM is the release build of quintet; 1.6 Mbit/s, 150 ms and 4 times slower unless told
// Nothing else should run meanwhile. Each visit has an empty cache; medians of the rounds are told.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

const program = process.argv[2];
if (!program) throw new Error('usage: node scripts/page/line-figures.mjs PROGRAM [MBIT [LATENCY [SLOWER]]]');
const [bits, latency, slower] = [1.6, 150, 4].map((usual, at) => Number(process.argv[3 + at] ?? usual));
const ROUNDS = 5;
/** A page, and what has to be there before it can be used. */
const PAGES = [['start', '', '.card[data-game=pentago] .main'], ...['pathwayz', 'pylos', 'twixt', 'pentago-twist', 'pentago'].map((game) => [game, `#g=${game}`, '.holder .q-board.q-live'])];

const data = mkdtempSync(join(tmpdir(), 'quintet-line-'));
const server = spawn(program, ['serve', '--bind', '127.0.0.1:0', '--data', data, '--no-browser']);
const address = await new Promise((good, bad) => {
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (said) => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
    if (found) good(found[0]);
  });
  server.on('exit', () => bad(new Error('the server did not start')));
});
const browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'] });
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Milliseconds until a page can be used, and the bytes that came until then. */
async function visit(hash, ready) {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })).newPage();
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: (bits * 1e6) / 8, uploadThroughput: (bits * 1e6) / 8 });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  // A browser that waits for something asks the slow page for it: the page itself notes when it is there.
  await page.addInitScript((selector) => {
    const look = () => !globalThis.ready && document.querySelector(selector) && (globalThis.ready = performance.now());
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  }, ready);
  await page.goto(`${address}/${hash}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.ready);
  const [took, weight] = [await page.evaluate(() => globalThis.ready), bytes];
  await page.context().close();
  return [took, weight];
}

console.log(`| ${bits} Mbit/s, ${latency} ms, processor ${slower} times slower | can be used after | bytes until then |\n| --- | --- | --- |`);
for (const [name, hash, ready] of PAGES) {
  const visits = [];
  for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(hash, ready));
  console.log(`| ${name} | ${(median(visits.map(([took]) => took)) / 1000).toFixed(2)} s | ${Math.round(median(visits.map(([, weight]) => weight)) / 1000)} kB |`);
}
await browser.close();
server.removeAllListeners('exit');
server.kill();
rmSync(data, { recursive: true, force: true });
