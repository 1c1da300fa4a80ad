// Handling of the page: keys, presses in the middle of a motion, the magnifying glass, notes, copies, watching an agent think.
// Needs a running server, and playwright-core installed in the folder that it is started from:
//   CHROME=/usr/bin/chromium node .../scripts/page/handling.mjs http://127.0.0.1:8080 [PART…]

import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
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

async function visitor(options = {}, settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => check(`no error in the page: ${error}`, false));
  page.on('dialog', (dialog) => dialog.accept());
  await page.addInitScript((chosen) => {
    if (location.protocol.startsWith('http')) localStorage.getItem('quintet.settings') ?? localStorage.setItem('quintet.settings', JSON.stringify(chosen));
  }, settings);
  return page;
}

const until = (page, test, value) => page.waitForFunction(test, value, { timeout: 20_000 }).then(() => true, () => false);
const says = (page, where, text) => until(page, ([place, part]) => document.querySelector(place)?.textContent.includes(part), [where, text]);
const plies = (page, count) => until(page, (n) => document.querySelectorAll('.movelist .ply').length === n, count);
const list = (page) => page.$$eval('.movelist .ply', (items) => items.map((item) => item.textContent.replace(/^\d+\. /, '')));

async function open(page, hash) {
  await page.goto('about:blank');
  await page.goto(`${server}/${hash}`);
  await page.waitForSelector('.holder svg');
}

async function type(page, move) {
  await page.fill('.movebox', move);
  await page.press('.movebox', 'Enter');
  await page.locator('.movebox').blur();
}

/** Presses as fast as they come, with slow motion and a server that takes its time: each of them counts. */
async function queue() {
  const page = await visitor({}, { motion: 0.5 });
  await page.route('**/api/position', async (route) => {
    await new Promise((go) => setTimeout(go, 300));
    await route.continue();
  });
  await open(page, '#g=pentago');
  const press = (name) => page.evaluate((id) => document.querySelector(`.holder [data-target="${id}"] .q-hit`).dispatchEvent(new MouseEvent('click', { bubbles: true })), name);
  const arrows = await page.$$eval('.holder [data-target]', (all) => all.map((one) => one.dataset.target).filter((id) => id.startsWith('q')));
  for (const cell of ['b2', 'e5', 'a1']) {
    await press(cell);
    await press(arrows[0]);
  }
  check('three moves of two presses each, none lost', await plies(page, 3));
  check(`in their order: ${await list(page)}`, (await list(page)).map((move) => move.slice(0, 2)).join() === 'b2,e5,a1');
  check('and no refusal', (await page.textContent('#assertive')) === '');
  await page.unroute('**/api/position');
  await press('b2');
  check('a press that is wrong is still explained', await until(page, () => document.getElementById('assertive').textContent.length > 5));
  await page.context().close();
}

async function keys() {
  const page = await visitor();
  await open(page, '#g=pylos&m=1b2,1c2,1b3');
  const key = (name) => page.keyboard.press(name);
  await key('v');
  check('v: flat', await until(page, () => document.querySelector('.q-controls [data-value=flat]').getAttribute('aria-pressed') === 'true'));
  await key('v');
  check('v: stacked', await until(page, () => document.querySelector('.q-controls [data-value=stacked]').getAttribute('aria-pressed') === 'true'));
  await key('k');
  check('k', await until(page, () => document.querySelector('.q-layer-coordinates').classList.contains('q-hidden')));
  await key('k');
  await key('f');
  check('f', await until(page, () => document.querySelector('.below .strip').dataset.side === 'second'));
  await key('f');
  await key('z');
  check('z', await until(page, () => document.body.classList.contains('zen') && !document.querySelector('#panel').checkVisibility()));
  await key('Escape');
  check('Esc', await until(page, () => !document.body.classList.contains('zen')));
  await key('?');
  check('?', await until(page, () => document.querySelector('dialog[open]')?.textContent.includes('heat map')));
  await key('Escape');
  await key('h');
  check('h', await says(page, '#slips', 'Hint:'));
  await key('x');
  check('x', await says(page, '#slips', 'would like to play'));
  await key('l');
  await key('a');
  check('l and a', await until(page, () => document.querySelector('.q-layer-arrows').childElementCount > 0));
  await key('l');
  await key('/');
  check('/', await page.evaluate(() => document.activeElement.classList.contains('movebox')));
  await key('Escape');
  await key(' ');
  check('Space moves for whose turn it is', await plies(page, 4));
  await open(page, '#g=pathwayz');
  await key('p');
  check('p', await until(page, () => document.querySelector('.q-controls [data-value=permanent]').getAttribute('aria-pressed') === 'true'));
  await open(page, '#g=twixt&m=f6');
  await key('s');
  check('s', await until(page, () => document.querySelector('.movelist').textContent.includes('swap')));
  await page.context().close();
}

async function records() {
  const page = await visitor();
  await open(page, '#g=pentago&m=b2q2r,e5q1l&tab=record');
  await page.fill('[aria-label="Note on this position"]', 'a note');
  check('a note is marked', await until(page, () => !!document.querySelector('.movelist .ply .icon')));
  await page.locator('[aria-label="Note on this position"]').blur();
  await page.keyboard.press(',');
  check('and belongs to its ply', await until(page, () => document.querySelector('[aria-label="Note on this position"]').value === ''));
  await page.hover('.movelist');
  await page.mouse.wheel(0, 100);
  check('the wheel steps', await until(page, () => document.querySelector('[aria-label="Note on this position"]').value === 'a note'));
  await page.reload();
  await page.click('#tab-record');
  check('a reload finds the note', await until(page, () => document.querySelector('[aria-label="Note on this position"]')?.value === 'a note'));
  await page.keyboard.press('Control+c');
  check('Ctrl-C', (await page.evaluate(() => navigator.clipboard.readText())).startsWith('pentago; 1.b2q2r 2.e5q1l;'));
  await page.evaluate(() => navigator.clipboard.writeText('pentago; 1.a1q1l 2.b1q1l 3.c2q1l; *'));
  await page.keyboard.press('Control+v');
  check('Ctrl-V', await plies(page, 3));
  await page.click('#pane-record summary:has-text("Export")');
  await page.click('#pane-record >> text=Copy SVG');
  check('a picture as SVG', await says(page, '#slips', 'SVG copied') && (await page.evaluate(() => navigator.clipboard.readText())).startsWith('<svg'));
  await page.click('#pane-record >> text=Copy PNG');
  check('a picture as PNG', await says(page, '#slips', 'PNG copied') && (await page.evaluate(async () => (await navigator.clipboard.read())[0].types.join())).includes('image/png'));
  await page.context().close();
}

/** Looks: the marks of the PAI paper, more contrast, a position that comes again. */
async function looks() {
  const page = await visitor({}, { boards: 'pai' });
  await open(page, '#g=pathwayz&m=c4,d6p');
  check('the theme pai', await until(page, () => document.querySelector('.holder svg').dataset.theme === 'pai'));
  await page.context().close();
  const more = await visitor({ contrast: 'more' });
  await open(more, '#g=twixt&m=f6');
  check('whoever asks the system for contrast gets it on the board too', await until(more, () => document.querySelector('.holder svg').dataset.theme === 'contrast'));
  await more.context().close();
  const again = await visitor();
  await again.route('**/api/position', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), occurrences: 2 } });
  });
  await open(again, '#g=pylos&m=1b2');
  check('a position that has come before is counted', await says(again, '.status', 'has occurred 2 times; the third time is a draw'));
  await again.context().close();
}

/** A finger on a board of 24 holes per side: the first tap magnifies, the second plays. */
async function phone() {
  const page = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await open(page, '#g=twixt(size=24)');
  const box = await page.locator('.holder [data-target="m12"]').boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  check('the first tap magnifies', await until(page, () => document.querySelector('.holder svg').classList.contains('q-zoomed')));
  check('and plays nothing', (await list(page)).length === 0);
  const near = await page.locator('.holder [data-target="m12"]').boundingBox();
  check(`holes are large enough for a finger: ${near.width}`, near.width >= 44);
  await page.touchscreen.tap(near.x + near.width / 2, near.y + near.height / 2);
  check('the second plays', await plies(page, 1));
  // Pathwayz stands upright, so that its cells are as wide as a finger; what is pointed at is what is played.
  await open(page, '#g=pathwayz');
  const cell = await page.locator('.holder [data-target="l8"]').boundingBox();
  check(`cells of Pathwayz are large enough for a finger: ${cell.width} x ${cell.height}`, cell.width >= 44 && cell.height >= 44);
  await page.touchscreen.tap(cell.x + cell.width / 2, cell.y + cell.height / 2);
  check('a tap plays where it is', await plies(page, 1) && (await list(page))[0] === 'l8');
  await page.focus('.holder [data-target="c4"]');
  await page.keyboard.press('ArrowUp');
  check('up is the next column', await page.evaluate(() => document.activeElement.dataset.target === 'd4'));
  await page.keyboard.press('ArrowRight');
  check('right is the next row', await page.evaluate(() => document.activeElement.dataset.target === 'd5'));
  await page.context().close();
}

/** An agent is watched while it thinks, and hurried. */
async function thinking() {
  const page = await visitor({}, { watchAgents: true });
  await page.goto(server);
  const room = await page.evaluate(async () => {
    const seats = [{ who: 'person', name: '' }, { who: 'agent', agent: 'mcts(time=50s)' }];
    const answer = await fetch('/api/rooms', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: 'pentago', moves: [], seats }) });
    return answer.json();
  });
  await page.goto(`${server}/#room=${room.room}&t=${room.tokens[0]}`);
  await page.waitForSelector('.holder svg');
  await type(page, 'b2q1l');
  check('depth, nodes and speed', await until(page, () => /depth \d+ · .* positions · .*\/s/.test(document.querySelector('.thinking .numbers')?.textContent ?? '')));
  check('its line', await says(page, '.thinking', 'It expects'));
  check('visits', await until(page, () => document.querySelectorAll('.thinking tbody tr').length === 5));
  check('ghosts', await until(page, () => document.querySelector('.q-layer-ghosts').childElementCount > 0));
  await page.keyboard.press(' ');
  check('Space: it moves now', await plies(page, 2));
  check('and nothing of its thoughts is left', await until(page, () => !document.querySelector('.q-layer-ghosts').childElementCount && document.querySelector('.thinking').hidden));
  await page.context().close();
}

const parts = { queue, keys, records, looks, phone, thinking };
const wanted = process.argv.slice(3);
for (const [name, walk] of Object.entries(parts)) if (!wanted.length || wanted.includes(name)) await walk();
console.log(`${good} held, ${bad} failed`);
await browser.close();
process.exit(bad ? 1 : 0);
