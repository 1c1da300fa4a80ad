// A phone, upright and on its side: one row of header, board and actions on the screen at once, and a board that keeps its size.

import assert from 'node:assert/strict';

import { live, spot } from './hands.mjs';
import { fits, open, PHONE, plies, says, server, until, walk } from './harness.mjs';

const LANDSCAPE = { ...PHONE, viewport: { width: 844, height: 390 } };
const GAMES = ['pathwayz', 'pylos', 'twixt', 'pentago-twist', 'pentago'];

/** Those of some parts that are not wholly on the screen. */
const outside = (page, names) => page.evaluate((all) => all.filter((name) => {
  const box = document.querySelector(name)?.getBoundingClientRect();
  return !box || !box.width || box.top < 0 || box.left < 0 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
}), names);
const size = (page) => page.$eval('.holder svg', (board) => (({ width, height }) => [width, height].map(Math.round))(board.getBoundingClientRect()));

for (const [name, options] of [['upright', PHONE], ['on its side', LANDSCAPE]]) {
  walk(`nothing essential is below the fold of a phone ${name}`, async (visitors) => {
    const page = await visitors.add({ ...options, settings: { motion: 0, thought: 1000 } });
    for (const game of GAMES) {
      await open(page, `#g=${game}&tab=analyse`);
      await live(page);
      assert.deepEqual(await outside(page, ['.top', '.holder svg', '.actions', '.stage > .strip', '.below .who', '.headline .status']), [], game);
      const controls = await page.$$eval('.controls button:not([hidden])', (all) => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().bottom));
      for (const bottom of controls) assert.ok(bottom <= options.viewport.height, `${game}: controls end at ${bottom}`);
      assert.ok((await page.$eval('.top', (top) => top.offsetHeight)) <= 48, 'one row of header');
      const before = await size(page);
      await page.click('#pane-analyse .switch');
      await page.waitForSelector('.bar:not(.idle)');
      await until(page, 'the best line', () => / · \w/.test(document.querySelector('.bestline').textContent));
      await page.evaluate(() => scrollTo(0, 0));
      assert.deepEqual(await outside(page, ['.holder svg', '.bestline', '.bar', '.actions']), [], `${game}: board and line together`);
      assert.deepEqual(await size(page), before, `${game}: the board keeps its size`);
      await fits(page, game);
    }
  });
}

/** What can be pressed, but for words in a text and the cells of a board, which the glass makes larger. A box to tick is as large as its label. */
const PRESSED = 'button, select, input:not([type=checkbox], [type=radio]), textarea, summary, label:has([type=checkbox], [type=radio]), a.button, nav a, .brand, .continue a, [role=tab]';
const FINGER = 44;

/** Those that are too small for a finger. */
const small = (page) => page.evaluate(([pressed, least]) => [...document.querySelectorAll(pressed)].filter((one) => one.checkVisibility()).flatMap((one) => {
  const { width, height } = one.getBoundingClientRect();
  return width + 0.5 < least || height + 0.5 < least ? [`${one.outerHTML.slice(0, 80)}: ${Math.round(width)} x ${Math.round(height)}`] : [];
}), [PRESSED, FINGER]);

for (const [name, options] of [['upright', PHONE], ['on its side', LANDSCAPE]]) {
  walk(`a finger meets everything on a phone ${name}`, async (visitors) => {
    const page = await visitors.add({ ...options, settings: { motion: 0, thought: 1000 } });
    for (const hash of ['', '#page=puzzles', '#page=learn', '#page=games', '#page=about', '#page=lab', '#page=tournaments', '#page=training', '#page=reports']) {
      await open(page, hash);
      assert.deepEqual(await small(page), [], hash || 'start');
    }
    await open(page);
    await page.tap('[aria-label="More: set up TwixT"]');
    await page.waitForSelector('.setup');
    await page.tap('#menu');
    assert.deepEqual(await small(page), [], 'setting up, with the menu');
    for (const dialog of ['Settings', 'Keys']) {
      await page.tap(`#tools [aria-label="${dialog}"]`);
      await page.waitForSelector('dialog[open]');
      assert.deepEqual(await small(page), [], dialog);
      await page.keyboard.press('Escape');
    }
    await open(page, '#g=pentago&m=a1q4r,a6q4r,b1q4r,b5q4r&p=2&tab=analyse');
    await live(page);
    await page.tap('#pane-analyse .switch');
    await page.waitForSelector('.lines button');
    await page.$$eval('#pane-analyse details', (all) => all.forEach((one) => (one.open = true)));
    await page.waitForSelector('#pane-analyse option[value=distance], #pane-analyse option[value=e3]', { state: 'attached' });
    await page.tap('#pane-analyse button:text-is("Search this position")');
    await page.waitForSelector('.slow:not([hidden])');
    assert.deepEqual(await small(page), [], 'analysis, in slow motion');
    await page.tap('.slow [aria-label="Remove it from the board"]');
    await page.fill('.movebox', 'f1q4l');
    await page.press('.movebox', 'Enter');
    await page.waitForSelector('.movelist > .branch');
    for (const tab of ['play', 'review', 'record', 'learn']) {
      await page.tap(`#tab-${tab}`);
      await page.$$eval(`#pane-${tab} details`, (all) => all.forEach((one) => (one.open = true)));
      assert.deepEqual(await small(page), [], `${tab}, with a try-out`);
    }
  });
}

walk('on its side the board is beside the panel and nearly as high as the screen', async (visitors) => {
  const page = await visitors.add(LANDSCAPE);
  await open(page, '#g=pentago');
  await live(page);
  const [board, panel] = await page.evaluate(() => ['.holder', '.panel'].map((name) => (({ left, right, height }) => ({ left, right, height }))(document.querySelector(name).getBoundingClientRect())));
  assert.ok(board.right <= panel.left + 1 && board.height >= 330, JSON.stringify([board, panel]));
  const { x, y } = await spot(page, 'c3');
  const before = await size(page);
  await page.touchscreen.tap(x, y);
  await says(page, '.q-steps [aria-current=step]', 'Turn');
  assert.deepEqual(await size(page), before);
});

walk('a game is one press away, and the pages are behind a menu', async (visitors) => {
  const page = await visitors.add(PHONE);
  await open(page);
  await page.waitForSelector('.card .strength:not([hidden])');
  assert.deepEqual(await outside(page, ['.card .main']), []);
  assert.ok(!(await page.isVisible('#pages')));
  await page.tap('#menu');
  await page.tap('#pages a:text-is("Puzzles")');
  await says(page, '#page h1', 'Puzzles');
  assert.ok(!(await page.isVisible('#pages')));
});

walk('undo and hint are at hand during a game', async (visitors) => {
  const page = await visitors.add(PHONE);
  const { room, tokens } = await (await server()).ask('rooms', { game: 'pathwayz', moves: ['c4', 'd6'], seats: [{ who: 'person', name: '' }, { who: 'agent', agent: 'random' }] });
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await plies(page, 2);
  await page.tap('.actions button:text-is("Undo")');
  await plies(page, 0);
  assert.ok(await page.locator('.actions button:text-is("Undo")').isDisabled());
});

walk('a position of TwixT 24x24 is edited with a finger, through the glass', async (visitors) => {
  const page = await visitors.add(PHONE);
  await open(page, '#g=twixt(size=24)&tab=record');
  await page.tap('summary:text-is("Edit position")');
  await page.tap('.palette button:text-is("red")');
  const piece = (id) => page.$eval(`.holder [data-cell="${id}"]`, (slot) => slot.dataset.piece);
  const tap = async (id) => {
    await page.evaluate(() => scrollTo(0, 0));
    const { x, y } = await spot(page, id);
    await page.touchscreen.tap(x, y);
  };
  await tap('m12');
  await until(page, 'the board is magnified', () => document.querySelector('.holder svg').classList.contains('q-zoomed'));
  assert.equal(await piece('m12'), '.', 'the first tap only magnifies');
  await tap('m12');
  await until(page, 'the peg is there', () => document.querySelector('.holder [data-cell="m12"]').dataset.piece === 'r');
  await tap('n14');
  await until(page, 'and another, linked to it', () => document.querySelectorAll('.holder .q-link').length === 1);
  assert.ok(await page.$eval('.holder svg', (board) => board.classList.contains('q-zoomed')), 'the glass stays');
  await page.tap('.controls button:text-is("Whole board")');
  await until(page, 'the whole board again', () => !document.querySelector('.holder svg').classList.contains('q-zoomed'));
  assert.equal(await piece('m12'), 'r');
});
