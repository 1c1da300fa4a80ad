// Walks through the lab in a browser: a tournament from its form to the replay of a game, training to a game against a snapshot, reports, explanations.
// Needs a running server, and playwright-core and axe-core installed in the folder that it is started from; it begins runs in the server's data directory:
//   npm install playwright-core axe-core && CHROME=/usr/bin/chromium node .../scripts/page/lab.mjs http://127.0.0.1:8080 [PART…]

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

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

async function visitor(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => check(`no error in the page: ${error}`, false));
  return page;
}

const until = (page, test, value, timeout = 60_000) => page.waitForFunction(test, value, { timeout }).then(() => true, () => false);
const says = (page, where, text) => until(page, ([place, part]) => document.querySelector(place)?.textContent.includes(part), [where, text]);

async function open(page, hash) {
  await page.goto('about:blank');
  await page.goto(`${server}/${hash}`);
}

/** Fills in the form of a tournament on a small Pathwayz board: random play against another agent. */
async function form(page, agent = 'mcts(visits=20)') {
  await open(page, '#page=tournaments');
  await page.click('summary:has-text("New tournament")');
  await page.waitForSelector('.offer');
  check('players have names, and stand in groups', (await page.locator('.offers [role=group]').count()) >= 2 && (await page.locator('.offer:has-text("Level 3")').count()) === 1 && !(await page.textContent('.offers')).includes('level:'));
  await page.fill('[aria-label="Filter the players"]', 'uniformly');
  await page.click('.offer:has-text("random") >> nth=0');
  await page.fill('[aria-label="A player by its spec"]', agent);
  await page.press('[aria-label="A player by its spec"]', 'Enter');
  await page.fill('.game input >> nth=0', '4');
  await page.fill('.game input >> nth=1', '4');
  check('two players are chosen', (await page.$$('.chips button')).length === 2);
}

async function tournament(page) {
  await form(page);
  await page.fill('.labform label:has-text("Games per pairing") input', '6');
  check('the form says how many games it will be', await says(page, '.labform', '6 games in 1 pairing'));
  await page.click('.labform button[type=submit]');
  check('it begins', await until(page, () => /of=\d+$/.test(location.hash)));
  check('it is over', await says(page, '.badge', 'over'));
  check('all games are counted', await says(page, '.progress', '6 of 6 games'));
  const cell = await page.textContent('.cross .cell >> nth=0');
  check(`a cell has score, counts and interval: ${cell}`, /%.*\d+-\d+-\d+.*–/.test(cell));
  check('there is a rating list, or the reason why there is none', /Elo, random at 0|No ratings/.test(await page.textContent('#page')));
  await page.click('.cross .cell >> nth=0');
  check('a cell opens its games', await until(page, () => document.querySelectorAll('.grid .open').length === 6));
  const moves = Number(await page.textContent('.grid tbody tr:first-child td:last-child'));
  await page.click('.grid .open >> nth=0');
  check('a game opens on the board', await until(page, () => !document.getElementById('game').hidden && location.hash.startsWith('#g=pathwayz')));
  check(`it has its ${moves} moves`, await until(page, (count) => document.querySelectorAll('.movelist .ply').length === count, moves));
  await page.goBack();
  check('back leads to the games', await until(page, () => document.querySelectorAll('.grid .open').length === 6));
}

async function sequential(page) {
  await form(page);
  await page.selectOption('.labform label:has-text("Length") select', 'sprt');
  await page.fill('.labform label:has-text("at most") input', '40');
  await page.click('.labform button[type=submit]');
  check('a sequential test is over', await says(page, '.badge', 'over'));
  check('its curve is drawn', (await says(page, '#page', 'Log-likelihood ratio over games')) && (await until(page, () => document.querySelector('figure polyline, figure circle') !== null)));
  await form(page);
  await page.fill('[aria-label="A player by its spec"]', 'nobody');
  await page.press('[aria-label="A player by its spec"]', 'Enter');
  await page.click('.labform button[type=submit]');
  check('what is refused is said in the form', await says(page, '.labform .complaint', 'nobody'));
}

async function stopAndResume(page) {
  await form(page, 'mcts(visits=3000)');
  await page.fill('.labform label:has-text("Games per pairing") input', '2000');
  await page.click('.labform button[type=submit]');
  await page.click('#page button:text-is("Stop")');
  check('a run stops', await says(page, '.badge', 'stopped'));
  await page.click('#page button:text-is("Resume")');
  check('and goes on', await says(page, '.badge', 'running'));
  await page.click('#page button:text-is("Stop")');
  check('and stops again', await says(page, '.badge', 'stopped'));
}

async function training(page) {
  await open(page, '#page=training');
  await page.waitForSelector('.labform select');
  await page.selectOption('.labform select', 'pathwayz:td52');
  await page.fill('.labform label:has-text("Games") input', '100');
  await page.fill('.labform label:has-text("Seed") input', String(Date.now() % 1e6));
  await page.click('.labform button[type=submit]');
  check('training begins', await until(page, () => location.hash.includes('of=train-')));
  check('training is over', await says(page, '.badge', 'over'));
  check('the win rate is drawn', await until(page, () => [...document.querySelectorAll('.box')].some((one) => one.textContent.includes('Win rate') && one.querySelector('figure polyline, figure circle'))));
  check('the largest weights are drawn', await until(page, () => [...document.querySelectorAll('.box')].some((one) => one.textContent.includes('Largest weights') && one.querySelectorAll('figure rect').length > 3)));
  await page.click('#page button:has-text("Play after") >> nth=0');
  check('a snapshot can be played against', await until(page, () => location.hash.startsWith('#room=')));
  await page.waitForSelector('.holder svg');
  await page.fill('.movebox', 'c4');
  await page.press('.movebox', 'Enter');
  check('it answers', await until(page, () => document.querySelectorAll('.movelist .ply').length === 2));
}

/** What was learned is measured by many games, which can be stopped as the learning can. */
async function measuring(page) {
  await open(page, '#page=training');
  await page.waitForSelector('.labform select');
  await page.selectOption('.labform select', 'pathwayz:td440');
  await page.fill('.labform label:has-text("Games") input', '20');
  await page.fill('.labform label:has-text("Seed") input', String(Date.now() % 1e6));
  await page.click('.labform button[type=submit]');
  check('all games are learned from, and the run goes on', (await says(page, '.progress', '20 of 20 games')) && (await says(page, '.badge', 'running')));
  await page.click('#page button:text-is("Stop")');
  check('its measurement stops', await says(page, '.badge', 'stopped'));
  check('and can be resumed', await page.isVisible('#page button:text-is("Resume")'));
}

async function reports(page) {
  await open(page, '#page=reports');
  check('reports are listed', await until(page, () => document.querySelectorAll('.reportrow').length > 10));
  const all = (await page.$$('.reportrow')).length;
  await page.selectOption('.filters select', 'differs');
  const some = (await page.$$('.reportrow')).length;
  check(`a verdict is a filter: ${some} of ${all}`, some > 0 && some < all);
  await page.selectOption('.filters select', '');
  await page.click('.reportrow a[href*="pylos-agents"] >> nth=0');
  check('a report opens', await says(page, '.report h1', 'Four agents'));
  const rows = (await page.$$('.compared tbody tr')).length;
  await page.selectOption('.report select', 'agrees');
  const agreeing = (await page.$$('.compared tbody tr')).length;
  check(`its lines can be filtered: ${agreeing} of ${rows}`, agreeing > 0 && agreeing < rows);
  check('its pictures are there', await until(page, () => { const all = [...document.querySelectorAll('.paper img')]; for (const one of all) one.loading = 'eager'; return all.length > 0 && all.every((one) => one.naturalWidth > 0); }));
}

async function explain(page) {
  for (const [hash, evaluation, moves] of [['#g=pathwayz&m=c4,d6,d4', 'pathwayz-440', ['e3', 'f8p']], ['#g=twixt&m=d4,f6', 'distance', ['e6', 'k2']], ['#g=pylos&m=1b2,1c3', 'position', ['1a1', '1b3']], ['#g=pentago&m=b2q2r,e5q1l', 'pentago-35', ['c3q1r', 'a6q4l']]]) {
    await open(page, `${hash}&tab=analyse`);
    await page.click('summary:has-text("Explain")');
    await page.waitForSelector('.explain .terms');
    await page.selectOption('.explain label:has-text("Evaluation") select', { label: evaluation });
    const told = [];
    for (const move of moves) {
      await page.selectOption('.explain label:has-text("A move") select', move);
      check(`${evaluation}: ${move} is looked at`, await says(page, '.explain .verdict', `after ${move}`));
      told.push(await page.textContent('.explain .terms tbody'));
    }
    check(`${evaluation}: what changes depends on the move`, told[0] !== told[1]);
  }
  await open(page, '#g=pathwayz&tab=analyse');
  await page.click('summary:has-text("Explain")');
  await page.waitForSelector('.explain .terms');
  await page.hover('[role=gridcell] >> nth=40');
  check('a pointed cell is a move', await says(page, '.explain .verdict', 'after'));
  await open(page, '#g=pylos&tab=analyse');
  await page.click('summary:has-text("Explain")');
  await page.click('summary:has-text("Figs. 7, 8")');
  check('the maps of Pylos have every cell', await until(page, () => document.querySelectorAll('.map rect').length === 60));
}

async function access(options, name) {
  const page = await visitor({ ...options, bypassCSP: true });
  const look = async (where) => {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    check(`${name}, ${where}: ${violations.map(({ id, nodes }) => `${id} ${nodes[0].html.slice(0, 160)}`).join('; ')}`, !violations.length);
    check(`${name}, ${where}: does not scroll sideways`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1));
  };
  const first = async (hash, links) => {
    await open(page, hash);
    await page.waitForSelector('#page h1');
    await page.waitForTimeout(600);
    await look(hash);
    return page.$$eval(links, (all) => all.map((one) => one.getAttribute('href')));
  };
  const runs = await first('#page=tournaments', '.runs a');
  await page.click('summary:has-text("New tournament")');
  await page.waitForSelector('.offer');
  await look('the form of a tournament');
  const trained = await first('#page=training', '.runs a');
  await first('#page=reports', '.reportrow a');
  for (const hash of [...runs.slice(0, 2), ...runs.slice(0, 1).map((run) => `${run}%2Fall`), ...trained.slice(0, 1), '#page=reports&of=pylos-agents', '#page=reports&of=pathwayz-td-sweep']) {
    await open(page, hash);
    await page.waitForSelector('.grid, .box');
    await page.waitForTimeout(600);
    for (const one of await page.$$('#page details:not([open]) > summary')) await one.click();
    await page.waitForTimeout(300);
    await look(hash);
  }
  for (const hash of ['#g=pathwayz&m=c4,d6&tab=analyse', '#g=pylos&tab=analyse']) {
    await open(page, hash);
    await page.click('summary:has-text("Explain")');
    await page.waitForSelector('.explain .terms');
    for (const one of await page.$$('.explain details:not([open]):not([hidden]) > summary')) await one.click();
    await page.waitForTimeout(400);
    await look(`${hash}, explained`);
  }
  await page.context().close();
}

const page = await visitor();
/** Everything, or the parts that are named after the address. */
const parts = {
  tournament: () => tournament(page),
  sequential: () => sequential(page),
  stop: () => stopAndResume(page),
  training: () => training(page),
  measuring: () => measuring(page),
  reports: () => reports(page),
  explain: () => explain(page),
  light: () => access({ colorScheme: 'light' }, 'light'),
  dark: () => access({ colorScheme: 'dark' }, 'dark'),
  phone: () => access({ colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true }, 'phone'),
};
const wanted = process.argv.slice(3);
for (const [name, walk] of Object.entries(parts)) if (!wanted.length || wanted.includes(name)) await walk();
console.log(`${good} held, ${bad} failed`);
await browser.close();
process.exit(bad ? 1 : 0);
