// Walks through the page in a browser: a game against an agent, undo and redo, try-outs, review, records, links, tutorials, two people by link.
// Needs a running server, and playwright-core and axe-core installed in the folder that it is started from:
//   npm install playwright-core axe-core && CHROME=/usr/bin/chromium node .../scripts/page/walk.mjs http://127.0.0.1:8080 [PART…]

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { accepts, LESSONS } from '../../web/js/lessons/index.js';

const require = createRequire(`${process.cwd()}/`);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const server = process.argv[2] ?? 'http://127.0.0.1:8080';
const browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });

let [good, bad] = [0, 0];
function check(what, held) {
  if (held) good += 1;
  else {
    bad += 1;
    console.log(`FAILED: ${what}`);
  }
}

/** A window of its own storage; what goes wrong in it is a fault. */
async function visitor(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => check(`no error in the page: ${error}`, false));
  page.on('dialog', (dialog) => dialog.accept());
  return page;
}

const until = (page, test, value) => page.waitForFunction(test, value, { timeout: 30_000 }).then(() => true, () => false);
const plies = (page, count) => until(page, (n) => document.querySelectorAll('.movelist button').length === n, count);
const says = (page, where, text) => until(page, ([place, part]) => document.querySelector(place)?.textContent.includes(part), [where, text]);

async function type(page, move) {
  await page.fill('.movebox', move);
  await page.press('.movebox', 'Enter');
}

async function open(page, hash) {
  await page.goto('about:blank');
  await page.goto(`${server}/${hash}`);
}

async function againstAnAgent(page) {
  await open(page, '');
  await page.click('[aria-label="Play Pylos now"]');
  await page.waitForSelector('#table:not([hidden]) .holder svg');
  await type(page, '1b2');
  check('the agent answers', await plies(page, 2));
  await type(page, '1b2');
  check('an illegal move is explained', await says(page, '#assertive', 'taken'));
  await page.click('#tab-play');
  await page.keyboard.press('u');
  check('undo takes both moves back', await plies(page, 0));
  await page.keyboard.press('Control+y');
  check('redo makes the own move, the agent answers', await plies(page, 2));
  await page.keyboard.press(',');
  check('a step back', await says(page, '.status', 'Move 1 of 2'));
  await page.keyboard.press('Home');
  check('to the beginning', await says(page, '.status', 'Move 0 of 2'));
  await type(page, '1c3');
  check('a try-out', await says(page, '.status', 'Try-out'));
  check('leaves the game alone', await plies(page, 2));
  await page.reload();
  check('a reload finds the game', await plies(page, 2));
  await page.click('#pane-play button:has-text("Resign")');
  check('resigned', await says(page, '.status', 'Dark wins (resigned)'));
}

async function reviewAndRecord(page) {
  await open(page, '#g=pentago&m=a1q4r,a6q4r,b1q4r,b5q4r,c1q4r,c6q4r,d1q4r,a5q4r,e1');
  await page.waitForSelector('.holder svg');
  await page.click('#tab-review');
  await page.waitForSelector('#pane-review select');
  await page.selectOption('#pane-review select', '1000');
  await page.click('#pane-review .main');
  check('reviewed', await until(page, () => document.querySelector('#slips').textContent.includes('Review finished')));
  const classes = await page.$$eval('.graphbox tbody tr', (rows) => rows.map((row) => row.lastElementChild.textContent));
  check(`the move that lets a win pass is a blunder: ${classes[7]}`, /blunder|thrown/.test(classes[7]));
  check(`the winning move is fine: ${classes[8]}`, classes[8].includes('fine'));
  await page.click('#tab-record');
  await page.click('#pane-record summary:has-text("Import")');
  await page.fill('[aria-label="Games as text"]', 'pentago; 1.c3q1r 2.c1q1r 3.zz; *; ; a, b; ');
  await page.click('#pane-record button:text-is("Read")');
  check('a fault in a record is told', await says(page, '#slips', 'move 3'));
  check('and the part before it is open', await plies(page, 2));
}

async function badLinks(page) {
  for (const hash of ['#g=chess', '#g=pylos&m=1a1,1a1', '#g=pylos&p=x', '#zz', '#room=nope', '#page=what', '#g=pentago&f=zz']) {
    await open(page, hash);
    check(`${hash} is explained`, await until(page, () => document.getElementById('assertive').textContent.length > 10));
    check(`${hash} leaves a page`, await until(page, () => !document.getElementById('page').hidden || !document.getElementById('table').hidden));
  }
}

async function tutorials(page) {
  for (const lesson of LESSONS) {
    await open(page, `#g=${lesson.game}&tab=learn`);
    await page.click('.tutor .main');
    for (const [at, step] of lesson.steps.entries()) {
      check(`${lesson.game}: step ${at + 1} is shown`, await says(page, '.tutor .task', step.say));
      const place = { game: step.game ?? lesson.game, position: step.position ?? null, moves: step.moves ?? [] };
      const { legal } = await page.evaluate(async (body) => (await fetch('/api/position', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json(), JSON.stringify(place));
      const wrong = legal.find((move) => !accepts(step.accept, move));
      if (wrong) {
        await type(page, wrong);
        check(`${lesson.game}: step ${at + 1} refuses ${wrong}`, await says(page, '.tutor .says', 'not the one asked for'));
      }
      await type(page, legal.find((move) => accepts(step.accept, move)));
      check(`${lesson.game}: step ${at + 1} is solved`, await says(page, '.tutor .says', step.well));
      await page.click('.tutor .main');
    }
    check(`${lesson.game}: ends in a game`, await until(page, () => location.hash.startsWith('#room=')));
  }
}

async function byLink(page) {
  await open(page, '');
  await page.click('[aria-label="Set up Pentago"]');
  await page.waitForSelector('.setup');
  await page.selectOption('.setup fieldset:last-of-type select >> nth=0', 'guest');
  await page.click('.setup button[type=submit]');
  await page.waitForSelector('.invite:not([hidden]) input');
  const address = await page.inputValue('.invite input');
  const [guest, watcher] = [await visitor(), await visitor()];
  await guest.goto(address);
  await guest.waitForSelector('#table:not([hidden]) .holder svg');
  check('the key is out of the address', !guest.url().includes('t='));
  await type(page, 'c3q1r');
  check('the guest sees the move', await plies(guest, 1));
  await type(guest, 'd4q1r');
  check('and answers', await plies(page, 2));
  await watcher.goto(`${server}/#${page.url().split('#')[1]}`);
  check('who has no key watches', await says(watcher, '#pane-play', 'You are watching'));
  await type(watcher, 'a2q1r');
  check('and may try moves out', await says(watcher, '.status', 'Try-out'));
  check('which nobody else sees', await plies(page, 2));
  await guest.context().close();
  await watcher.context().close();
}

async function access(options, name) {
  const page = await visitor({ ...options, bypassCSP: true });
  const look = async (where) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    check(`${name}, ${where}: ${violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 120)}`).join('; ')}`, !violations.length);
    check(`${name}, ${where}: does not scroll sideways`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1));
  };
  for (const hash of ['', '#page=games', '#page=puzzles', '#page=about', '#g=pathwayz', '#g=pylos', '#g=twixt', '#g=pentago-twist', '#g=pentago']) {
    await open(page, hash);
    await page.waitForSelector(hash.startsWith('#g') ? '.holder svg' : '#page h1');
    await look(hash || 'start');
    for (const tab of hash.startsWith('#g') ? ['analyse', 'review', 'record', 'learn'] : []) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(200);
      await look(`${hash} ${tab}`);
    }
  }
  await page.context().close();
}

const page = await visitor();
/** Everything, or the parts that are named after the address. */
const parts = {
  agent: () => againstAnAgent(page),
  review: () => reviewAndRecord(page),
  links: () => badLinks(page),
  tutorials: () => tutorials(page),
  people: () => byLink(page),
  light: () => access({ colorScheme: 'light' }, 'light'),
  dark: () => access({ colorScheme: 'dark' }, 'dark'),
  phone: () => access({ colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true }, 'phone'),
};
const wanted = process.argv.slice(3);
for (const [name, walk] of Object.entries(parts)) if (!wanted.length || wanted.includes(name)) await walk();
console.log(`${good} held, ${bad} failed`);
await browser.close();
process.exit(bad ? 1 : 0);
