// Takes the pictures of the page for docs/page.md and the README: docs/page/*.png.
// Needs a running server, and playwright-core installed in the folder that it is started from:
//   CHROME=/usr/bin/chromium node .../scripts/page/pictures.mjs http://127.0.0.1:8080

import { mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const server = process.argv[2] ?? 'http://127.0.0.1:8080';
const folder = fileURLToPath(new URL('../../docs/page/', import.meta.url));
const LARGEST = 200_000;

/** The beginning of a game against a level, a game of two chains, and one of two tree searches that think for 5000 visits, after two random moves. */
const PATHWAYZ = 'c4 d6 d4 e3 e4p f5 g4 h6 i4 h5 c6p j6'.split(' ');
const TWIXT = '#g=twixt&m=f6,f8,h8,h9,i10,h4,i6,j3&tab=analyse';
const SMALL_TWIXT = '#g=twixt(size=8)&m=d4,e5,c6,f3,e2,c4&tab=analyse';
const PENTAGO = '#g=pentago&m=e3q1l,b6q2l,e5q1l,a2q2r,e1q2l,e2q3r,b2q4l,b3q4l,f1q3l,c1q3l,e4q2r,c4q2r,c3q3l,a1q3l,f4q4r,a4q2l,d4&tab=review';

const browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** A window of somebody else. @param {{width:number,height:number}} viewport @param {'light'|'dark'} colorScheme */
async function visitor(viewport, colorScheme) {
  const touch = viewport !== DESKTOP;
  const made = await (await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', hasTouch: touch, isMobile: touch })).newPage();
  made.setDefaultTimeout(120_000);
  return made;
}

let page = await visitor(DESKTOP, 'light');

async function open(hash) {
  await page.goto('about:blank');
  await page.goto(`${server}/${hash}`);
  await page.waitForSelector('.holder svg');
}

/** @param {string} name */
async function take(name) {
  // Notes are gone after a while, and nothing is pointed at.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.getElementById('slips').replaceChildren());
  const path = `${folder}${name}.png`;
  await page.screenshot({ path });
  const { size } = statSync(path);
  console.log(`docs/page/${name}.png: ${size} bytes`);
  if (size > LARGEST) throw new Error(`docs/page/${name}.png is larger than ${LARGEST} bytes`);
}

mkdirSync(folder, { recursive: true });

await page.goto(server);
await page.waitForFunction(() => document.querySelectorAll('.card img').length === 5);
await page.setViewportSize({ width: 1000, height: 760 });
await take('start');
await page.setViewportSize(DESKTOP);
const room = await page.evaluate(async (moves) => {
  const seats = [{ who: 'person', name: '' }, { who: 'level', level: 5 }];
  const answer = await fetch('/api/rooms', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: 'pathwayz', moves, seats }) });
  return answer.json();
}, PATHWAYZ);
await open(`#room=${room.room}&t=${room.tokens[0]}`);
await take('play');

await open(TWIXT);
await page.waitForSelector('#pane-analyse select');
await page.getByLabel('Heat map').selectOption('value');
await page.getByLabel('Arrow for the best move').check();
await page.locator('#pane-analyse').getByLabel('Thinks for').selectOption('10000');
await page.click('#pane-analyse .switch');
await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
await take('analyse');

await page.locator('#pane-analyse').getByLabel('Thinks for').selectOption('3000');

await open(SMALL_TWIXT);
await page.click('#pane-analyse summary:text-is("Slow motion")');
await page.waitForSelector('#pane-analyse option[value=distance]', { state: 'attached' });
await page.locator('#pane-analyse').getByLabel(/^Plies/).selectOption('3');
await page.click('#pane-analyse >> text=Search this position');
await page.waitForSelector('.slow:not([hidden])');
// Some way into the search, at a cut-off three moves ahead.
await page.getByLabel('Step of the search').fill('400');
for (let ply = 0; ply < 3; ) {
  await page.click('.slow button:text-is("Next cut-off")');
  ply = await page.locator('.holder .q-looked').count();
}
await page.evaluate(() => document.querySelector('.slow').scrollIntoView({ block: 'start' }));
await take('live');

await open(PENTAGO);
await page.click('#pane-review .main');
await page.waitForFunction(() => document.getElementById('slips').textContent.includes('Review finished'));
await page.keyboard.press('p');
await page.waitForFunction(() => document.querySelector('#pane-review .verdict').textContent.includes('loses'));
await take('review');

await page.goto(`${server}/#page=puzzles`);
await page.waitForFunction(() => document.querySelectorAll('.puzzletile img').length >= 8);
await take('puzzles');

/** The same in the dark, and on phones. @type {[string, {width:number,height:number}, 'light'|'dark', string][]} */
const OTHERS = [
  ['dark', DESKTOP, 'dark', '#g=pylos&m=1b2,1c2,1b3,1c3,2b2&tab=analyse'],
  ['phone', PHONE, 'light', '#g=pathwayz&m=c4,d6,d4,e3,e4p,f5,g4,h6,i4&tab=analyse'],
  ['phone-dark', PHONE, 'dark', '#g=pentago&m=b2q2r,e5q1l,b5q3l,c3q4r,e2q2l,d4q1r&tab=analyse'],
  ['landscape', { width: 844, height: 390 }, 'light', '#g=twixt&m=f6,f8,h8,h9,i10,h4,i6&tab=analyse'],
];
for (const [name, viewport, scheme, hash] of OTHERS) {
  page = await visitor(viewport, scheme);
  await open(hash);
  await page.click('#pane-analyse .switch');
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]', { state: 'attached' });
  await page.evaluate(() => scrollTo(0, 0));
  await take(name);
}

await browser.close();
