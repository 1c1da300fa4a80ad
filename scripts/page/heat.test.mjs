// The heat map: the few moves that matter, with numbers, on a scale of their own; what an engine expects before it searches, where it says so.

import assert from 'node:assert/strict';

import { open, plies, says, until, walk } from './harness.mjs';

const drawn = (page) => page.$$eval('.holder .q-heat', (all) => all.map((one) => ({ number: Number(one.textContent), colour: one.children[2].getAttribute('fill') })));

walk('a heat map shows the few moves that matter, with numbers', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000, heat: 'value', engine: 'mcts' } });
  for (const [game, moves] of [['pentago', 'c3q1r,d4q1r,c4q2l'], ['twixt', 'f6,g8,e8'], ['pathwayz', 'c4,d6,d4'], ['pylos', '1b2,1c2,1b3']]) {
    await open(page, `#g=${game}&m=${moves}&tab=analyse`);
    await plies(page, 3);
    await page.click('#pane-analyse .switch');
    await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
    for (const heat of ['value', 'visits']) {
      await page.getByLabel(/^Heat map/).selectOption(heat);
      await until(page, 'it is drawn', () => document.querySelector('.holder .q-heat'));
      const cells = await drawn(page);
      assert.ok(!(await page.isVisible('.holder .q-rest')), 'nothing stands over the numbers');
      assert.ok(cells.length >= 2 && cells.length <= 8, `${game}, ${heat}: ${cells.length} cells`);
      assert.ok(cells.every(({ number }) => number >= 0 && number <= 100), JSON.stringify(cells));
      // The scale is that of the moves shown: the best and the worst differ however close they are.
      if (new Set(cells.map(({ number }) => number)).size > 1) assert.ok(new Set(cells.map(({ colour }) => colour)).size > 1, `${game}, ${heat}: ${JSON.stringify(cells)}`);
    }
    await page.getByLabel(/^Heat map/).selectOption('value');
    assert.equal(await page.$eval('#pane-analyse option[value=policy]', (option) => option.disabled), true, 'this engine expects nothing');
  }
});

walk('an engine that has only scores shows scores, not shares', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000, heat: 'value', engine: 'pvs(eval=distance)' } });
  await open(page, '#g=twixt(size=6)&m=c2,d4&tab=analyse');
  await page.click('#pane-analyse .switch');
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
  await until(page, 'it is drawn', () => document.querySelector('.holder .q-heat'));
  const texts = await page.$$eval('.holder .q-heat', (all) => all.map((one) => one.textContent));
  assert.ok(texts.every((text) => /^([+−]?[\d.]+|won|lost)$/.test(text)) && texts.some((text) => /[+−]|won|lost/.test(text)), texts.join(' '));
  await says(page, '#pane-analyse option[value=value]', 'as a score');
  assert.equal(await page.$eval('#pane-analyse option[value=visits]', (option) => option.disabled), true, 'it counts no visits');
});

walk('what the champion expects at first is a map of its own', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  // Each move of TwixT has a cell of its own, so that map and table have the same numbers.
  await open(page, '#g=twixt&m=f6,g8,e8&tab=analyse');
  await page.click('#pane-analyse .switch');
  await until(page, 'the map is offered', () => document.querySelector('#pane-analyse option[value=policy]')?.disabled === false);
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
  await page.getByLabel(/^Heat map/).selectOption('policy');
  await until(page, 'it is drawn', () => document.querySelector('.holder .q-heat'));
  await page.click('summary:text-is("All moves as a table")');
  await says(page, '#pane-analyse .moves th', 'Prior');
  const priors = await page.$$eval('#pane-analyse .moves tbody tr', (rows) => rows.map((row) => Number(row.children[2].textContent.replace(' %', ''))));
  const numbers = (await drawn(page)).map(({ number }) => number).sort((a, b) => b - a);
  assert.deepEqual(numbers, priors.sort((a, b) => b - a).slice(0, numbers.length));
  assert.ok(numbers[0] > numbers.at(-1), 'some moves are expected more than others');
});
