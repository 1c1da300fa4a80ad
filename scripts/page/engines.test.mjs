// Engines: two that play each other, paused and stepped; one that looks at a position and draws what it sees.

import assert from 'node:assert/strict';

import { live } from './hands.mjs';
import { moves, open, plies, says, shot, until, walk } from './harness.mjs';

walk('two engines play, pause, step and go on to the end', async (visitors) => {
  // A board on which no game is over before it is paused.
  const page = await visitors.add({ settings: { motion: 0, speed: 300 } });
  await open(page);
  await page.click('[aria-label="More: set up Pathwayz"]');
  await page.getByLabel(/^Rows/).fill('5');
  await page.getByLabel(/^Columns/).fill('8');
  for (const side of ['First:', 'Second:']) {
    const chair = page.locator('.setup fieldset', { hasText: side });
    await chair.getByLabel(/^Who/).selectOption('level');
    await chair.getByLabel(/^Level/).selectOption('level:1');
  }
  await page.click('.setup button[type=submit]');
  await says(page, '#pane-play', 'Two engines play here');
  await page.click('.engines button:text-is("Step")');
  await plies(page, 1);
  await page.click('.engines button:text-is("Continue")');
  await until(page, 'some moves', () => document.querySelectorAll('.movelist .ply').length >= 3);
  await page.click('.engines button:text-is("Pause")');
  await page.waitForSelector('.engines button:text-is("Continue")');
  const paused = (await moves(page)).length;
  // Space is a step where no button has the focus.
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Space');
  await plies(page, paused + 1);
  await page.getByLabel(/^Speed/).fill('3000');
  await page.click('.engines button:text-is("Continue")');
  await page.waitForSelector('.status.over');
  assert.ok(await page.isDisabled('.engines button.main'));
});

walk('a pause holds, and a look back is free meanwhile', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 1, speed: 0 } });
  await open(page);
  await page.click('button:text-is("Watch two engines")');
  await says(page, '#pane-play', 'Two engines play here');
  await page.click('.engines button:text-is("Start")');
  await until(page, 'some moves', () => document.querySelectorAll('.movelist .ply').length >= 2);
  await page.click('.engines button:text-is("Pause")');
  await page.waitForSelector('.engines button:text-is("Continue")');
  const paused = (await moves(page)).length;
  // No agent thinks, and no clock runs.
  assert.ok(!(await page.textContent('.stage')).includes('thinking'), 'a paused match does not think');
  const clocks = () => page.$$eval('.strip .clock', (all) => all.map((one) => one.textContent));
  const before = await clocks();
  await page.waitForTimeout(2200);
  assert.deepEqual(await clocks(), before, 'clocks stand while the match is paused');
  await page.keyboard.press('Home');
  await says(page, '.status', `Move 0 of ${paused}`);
  await live(page);
  await page.click('.engines button:text-is("Step")');
  await plies(page, paused + 1);
});

walk('the engine looks at a position', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  await open(page, '#g=pentago&m=c3q1r,d4q1r,c4q2l');
  await page.click('#tab-analyse');
  await page.click('#pane-analyse [aria-label="Engine on"]');
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
  const best = page.locator('#pane-analyse [aria-label="Best moves"] li');
  assert.equal(await best.count(), 5, 'the five best moves are listed');
  await page.getByLabel(/^Heat map/).selectOption('visits');
  await until(page, 'the heat map is drawn', () => document.querySelector('.holder .q-layer-heat')?.childElementCount);
  await page.getByLabel('Arrow for the best move').check();
  await until(page, 'the arrow is drawn', () => document.querySelector('.holder .q-layer-arrows')?.childElementCount);
  await shot(page, 'analysis');
  await page.click('#pane-analyse summary:text-is("Explain an evaluation")');
  await until(page, 'the evaluation is explained', () => document.querySelector('#pane-analyse .explain .verdict')?.textContent);
  // Its best move is a button.
  await best.first().locator('button').click();
  await plies(page, 4);
});
