// Small faults that people met, each once.

import assert from 'node:assert/strict';

import { byMouse, live, spot, tabTo } from './hands.mjs';
import { open, plies, says, server, until, walk } from './harness.mjs';

walk('the board is one tab stop', async (visitors) => {
  const page = await visitors.add();
  for (const game of ['pathwayz', 'pylos', 'twixt(size=6)', 'pentago']) {
    await open(page, `#g=${game}`);
    await live(page);
    await page.focus('#tools button:last-child');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement.matches('.holder [role=gridcell]')), `${game}: Tab leads to a cell`);
    await page.keyboard.press('Tab');
    assert.ok(!(await page.evaluate(() => !!document.activeElement.closest('.holder'))), `${game}: and the next one leads on`);
  }
});

walk('the header has room for itself at every width', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  for (const width of [360, 600, 898, 900, 930, 960, 1024, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    const over = await page.evaluate(() => {
      const parts = [...document.querySelectorAll('.brand, .menu, #pages a, #tools button')].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
      return parts.filter((a, i) => a.right > innerWidth + 1 || parts.some((b, j) => i < j && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
    });
    assert.equal(over, 0, `${width} pixels`);
  }
});

walk('tables of reports show their last column', async (visitors) => {
  const page = await visitors.add();
  for (const id of ['pylos-agents', 'twixt-live']) {
    await open(page, `#page=reports&of=${id}`);
    await page.waitForSelector('.compared tbody tr');
    const cut = await page.$$eval('.scrollbox:has(.compared)', (boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
    assert.ok(cut.every((more) => more <= 0), `${id}: ${cut} pixels are out of sight`);
  }
});

walk('the list of keys opens at its beginning', async (visitors) => {
  const page = await visitors.add({ viewport: { width: 1280, height: 500 } });
  await open(page);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  assert.equal(await page.$eval('dialog[open]', (dialog) => dialog.scrollTop), 0);
  assert.ok(await page.isVisible('#keys-title'));
});

walk('a hint goes when its position goes', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago&m=c3q1r,d4q1r');
  await plies(page, 2);
  await page.keyboard.press('h');
  await says(page, '#slips', 'Hint:');
  await page.waitForSelector('.holder .q-best');
  await page.keyboard.press('u');
  await plies(page, 1);
  await until(page, 'neither the note nor the mark is left', () => !document.querySelector('#slips').textContent.includes('Hint:') && !document.querySelector('.holder .q-best'));
});

walk('a proof that takes long is asked for once, and given up with its position', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  const asked = [];
  // A server that never answers.
  await page.route('**/api/exact', (route) => void asked.push(route.request().postDataJSON().moves.length));
  await open(page, '#g=twixt(size=6)&m=c2,d4,c4&tab=analyse');
  await page.click('#pane-analyse .switch');
  await until(page, 'the engine looks', () => document.querySelector('#pane-analyse .lines button'));
  for (const heat of ['value', 'visits', 'value']) await page.getByLabel(/^Heat map/).selectOption(heat);
  assert.deepEqual(asked, [3]);
  for (const game of ['pentago', 'pylos', 'pathwayz', 'pentago-twist', 'twixt(size=6)', 'pylos', 'pentago', 'pathwayz']) await open(page, `#g=${game}`);
});

walk('moves that are proven stand before those that are not', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000, arrow: true } });
  const moves = [{ move: 'e6q1l', outcome: 'loss', distance: 4 }, { move: 'b2q1l', outcome: 'win', distance: 5 }, { move: 'b2q1r', outcome: 'win', distance: 3 }, { move: 'a1q1l', outcome: 'draw', distance: null }];
  await page.route('**/api/exact', (route) => route.fulfill({ json: { known: true, outcome: 'win', distance: 3, by: 'a test', moves } }));
  await open(page, '#g=pentago&tab=analyse');
  await page.click('#pane-analyse .switch');
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
  await says(page, '.lines', 'wins in 3');
  const lines = await page.$$eval('#pane-analyse .lines code', (all) => all.slice(0, 4).map((one) => one.textContent));
  assert.deepEqual(lines, ['b2q1r', 'b2q1l', 'a1q1l', 'e6q1l']);
  await says(page, '.lines li:first-child em', 'wins in 3');
});

walk('notices stand in a landmark', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago');
  await live(page);
  assert.ok(await page.$eval('#slips', (slips) => slips.matches('section[aria-label]')));
});

walk('whoever plays with the mouse sees no ring of the focus', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago');
  await live(page);
  await tabTo(page, '.holder [data-target]');
  await page.waitForSelector('.holder .q-layer-focus *', { state: 'attached' });
  await byMouse(page, 'pentago', 'c3q1r', []);
  await plies(page, 1);
  assert.equal(await page.locator('.holder .q-layer-focus *').count(), 0);
  assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
  const { x, y } = await spot(page, 'a1');
  await page.mouse.click(x, y);
  assert.equal(await page.locator('.holder .q-layer-focus *').count(), 0);
});

walk('why an agent does not move is told on every tab', async (visitors) => {
  const keeper = await server();
  const { room, tokens } = await keeper.ask('rooms', { game: 'pentago', seats: [{ who: 'person', name: 'Ann' }, { who: 'agent', agent: 'mcts(time=2s)' }] });
  const page = await visitors.add();
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await page.click('#tab-analyse');
  await byMouse(page, 'pentago', 'c3q1r', []);
  await plies(page, 1);
  const bringBack = keeper.hideData();
  try {
    await says(page, '.fault', 'The agent does not move');
    for (const name of ['Try again', 'Take over', 'Replace by']) await page.waitForSelector(`.headline .fault button:text-is("${name}")`, { timeout: 5000 });
    // Somebody who comes later sees it, too.
    await page.reload();
    await says(page, '.fault', 'The agent does not move');
  } finally {
    bringBack();
  }
  await plies(page, 2);
});
