// Board and panel: what stands where, and that nothing jumps.

import assert from 'node:assert/strict';

import { byMouse, live, spot } from './hands.mjs';
import { fits, open, plies, says, server, type, until, walk } from './harness.mjs';

/** Where the board is, to the pixel. */
const place = (page) => page.$eval('.holder', (holder) => (({ x, y, width, height }) => [x, y, width, height].map(Math.round))(holder.getBoundingClientRect()));
const action = (page, name) => page.locator(`.actions button:text-is("${name}")`);

/** A game of Pentago against an agent that answers at once, with moves made. */
async function against(page, moves) {
  const seats = [{ who: 'person', name: 'Ann' }, { who: 'agent', agent: 'random' }];
  const { room, tokens } = await (await server()).ask('rooms', { game: 'pentago', moves, seats });
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await plies(page, moves.length);
}

walk('the board is large, in the middle, and never changes its size', async (visitors) => {
  for (const [width, height, least] of [[1280, 800, 0.66], [1920, 1080, 0.72], [930, 700, 0.6]]) {
    const page = await visitors.add({ viewport: { width, height }, settings: { motion: 0, thought: 1000 } });
    await against(page, ['a1q4r', 'a6q4r', 'b1q4r', 'b5q4r', 'c1q4r', 'c6q4r', 'd1q4r', 'a5q4r']);
    const before = await place(page);
    assert.ok(before[3] >= least * height, `${before[3]} of ${height} pixels`);
    const [stage, board] = await page.evaluate(() => ['.stage > .strip', '.holder'].map((name) => (({ left, right }) => (left + right) / 2)(document.querySelector(name).getBoundingClientRect())));
    assert.ok(Math.abs(stage - board) < 2, `the board's middle is at ${board}, that of its column at ${stage}`);
    const { x, y } = await spot(page, 'f6');
    await page.mouse.click(x, y);
    await says(page, '.q-steps [aria-current=step]', 'Turn');
    assert.deepEqual(await place(page), before, 'in the middle of a move');
    await page.keyboard.press('Escape');
    for (const tab of ['analyse', 'review', 'record', 'learn', 'play']) {
      await page.click(`#tab-${tab}`);
      assert.deepEqual(await place(page), before, tab);
    }
    await page.keyboard.press('l');
    await page.waitForSelector('.bar:not(.idle)');
    assert.deepEqual(await place(page), before, 'with the evaluation bar');
    await type(page, 'e1');
    await page.waitForSelector('.status.over');
    await page.waitForSelector('.outcome:not([hidden])');
    assert.deepEqual(await place(page), before, 'at the end of the game');
    await fits(page, `${width} pixels`);
    await page.context().close();
  }
});

walk('evaluation, lines and moves stand together, and the moves in every tab', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  await open(page, '#g=pentago&m=c3q1r,d4q1r,c4q2l&tab=analyse');
  await page.keyboard.press('l');
  await until(page, 'five lines', () => document.querySelectorAll('#pane-analyse .lines button').length === 5);
  await until(page, 'a line goes on', () => /\w/.test(document.querySelector('.lines li:first-child span').textContent));
  const seen = await page.evaluate(() => ['.judgement', '.lines li:nth-child(5)', '.movelist .ply', '.bar', '.actions'].map((name) => {
    const { top, bottom } = document.querySelector(name).getBoundingClientRect();
    return [name, top >= 0 && bottom <= innerHeight];
  }));
  assert.deepEqual(seen.filter(([, whole]) => !whole), []);
  for (const tab of ['play', 'review', 'record', 'learn', 'analyse']) {
    await page.click(`#tab-${tab}`);
    assert.ok(await page.isVisible('.movelist .ply'), `the moves are listed beside ${tab}`);
  }
});

walk('the course of the game is drawn as far as it is known, and leads to its plies', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  await open(page, '#g=twixt(size=6)&m=c2,d4,c4,e2&tab=analyse');
  await page.click('#pane-analyse .switch');
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
  assert.ok(!(await page.isVisible('.spark')), 'one point does not make a curve');
  await page.keyboard.press(',');
  await until(page, 'two positions are known', () => document.querySelector('.spark polyline')?.getAttribute('points').split(' ').length === 2);
  await page.click('.spark', { position: { x: 2, y: 20 } });
  await says(page, '.status', 'Move 0 of 4');
});

walk('a try-out stands in the list where it leaves the game', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago&m=a1q4r,a6q4r,b1q4r,b5q4r&p=2');
  await plies(page, 4);
  await byMouse(page, 'pentago', 'f1q4l', []);
  await says(page, '.movelist > .branch', '3. f1q4l');
  const rows = await page.$$eval('.movelist > li:not(.number)', (items) => items.map((item) => (item.className.includes('branch') ? 'branch' : item.textContent)));
  assert.deepEqual(rows, ['1. a1q4r', '2. a6q4r', 'branch', '3. b1q4r', '4. b5q4r']);
  await page.click('.branch button:text-is("Back to the game")');
  await until(page, 'it is gone', () => !document.querySelector('.branch'));
});

walk('six actions with names; those that can do nothing are disabled', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago');
  await live(page);
  assert.deepEqual(await page.$$eval('.actions button', (all) => all.map((one) => one.textContent)), ['Hint', 'Undo', 'Redo', 'Flip', 'Resign', 'Review']);
  for (const name of ['Undo', 'Redo', 'Resign', 'Review']) assert.ok(await action(page, name).isDisabled(), `${name} at the start`);
  const { x, y } = await spot(page, 'c3');
  await page.mouse.click(x, y);
  await action(page, 'Undo').click();
  await until(page, 'half a move is taken back', () => document.querySelector('.holder [data-cell="c3"]').dataset.piece === '.');
  assert.ok(await action(page, 'Undo').isDisabled());
  await byMouse(page, 'pentago', 'c3q1r', []);
  await plies(page, 1);
  assert.ok(await action(page, 'Redo').isDisabled());
  await action(page, 'Undo').click();
  await plies(page, 0);
  assert.ok(await action(page, 'Undo').isDisabled());
  await action(page, 'Redo').click();
  await plies(page, 1);
  await action(page, 'Review').click();
  await page.waitForSelector('#tab-review[aria-selected=true]');
});

walk('steps in quick succession all count', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago&m=a1q4r,a6q4r,b1q4r,b5q4r,c1q4r,c6q4r');
  await plies(page, 6);
  await page.route('**/api/position', async (route) => {
    await new Promise((go) => setTimeout(go, 400));
    await route.continue();
  });
  for (let i = 0; i < 4; i += 1) await page.keyboard.press(',');
  await says(page, '.status', 'Move 2 of 6');
});

walk('no engine helps in a game between people until it is over', async (visitors) => {
  const page = await visitors.add();
  const { room, tokens } = await (await server()).ask('rooms', { game: 'pentago', moves: ['c3q1r', 'd4q1r'], seats: [{ who: 'person', name: 'Ann' }, { who: 'person', name: 'Ben' }] });
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await live(page);
  assert.ok(await action(page, 'Hint').isDisabled());
  await page.keyboard.press('l');
  await says(page, '#assertive', 'No engine helps in a game between people');
  await page.keyboard.press('h');
  await until(page, 'nor does the key', () => !document.querySelector('#slips').textContent.includes('Hint:'));
  const refused = async (what) => {
    await says(page, '#assertive', 'No engine helps in a game between people');
    await page.evaluate(() => document.querySelector('#assertive').replaceChildren());
    assert.ok(!(await page.isVisible('.slow, #pane-review .graph')), what);
  };
  await page.evaluate(() => document.querySelector('#assertive').replaceChildren());
  await page.click('#tab-review');
  await page.click('#pane-review button:text-is("Review")');
  await refused('a review');
  await page.click('#tab-analyse');
  await page.click('summary:text-is("Slow motion")');
  await page.click('text=Search this position');
  await refused('slow motion');
  await page.click('summary:text-is("Explain an evaluation")');
  await says(page, '.explain .verdict', 'No engine helps in a game between people');
  assert.equal(await page.locator('.explain .terms').count(), 0);
  await action(page, 'Resign').click();
  await page.waitForSelector('.status.over');
  await page.click('.switch[aria-label="Engine on"]');
  assert.ok(await action(page, 'Review').isEnabled());
  // Nor does the board show what wins at once.
  const pathwayz = await (await server()).ask('rooms', { game: 'pathwayz', moves: [], seats: [{ who: 'person', name: 'Ann' }, { who: 'person', name: 'Ben' }] });
  await open(page, `#room=${pathwayz.room}&t=${pathwayz.tokens[0]}`);
  await page.click('#tab-analyse');
  assert.ok(!(await page.getByLabel(/^Show/).isVisible()), 'no overlays');
  await action(page, 'Resign').click();
  await page.getByLabel(/^Show/).waitFor();
});
