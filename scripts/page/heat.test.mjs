// The heat map: the few moves that matter, with numbers, on a scale of their own; what an engine expects before it searches, where it says so.

import assert from 'node:assert/strict';

import { open, plies, until, walk } from './harness.mjs';

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

walk('what an engine expects at first is a map of its own', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  await page.routeWebSocket(/./, (ws) => {
    const server = ws.connectToServer();
    server.onMessage((message) => {
      const said = JSON.parse(String(message));
      const roots = said.report?.roots ?? said.roots;
      roots?.forEach((root, at) => (root.prior = at === 0 ? 0.5 : at === 1 ? 0.25 : 0.25 / Math.max(1, roots.length - 2)));
      ws.send(JSON.stringify(said));
    });
  });
  await open(page, '#g=twixt(size=6)&m=c2,d4&tab=analyse');
  await page.click('#pane-analyse .switch');
  await until(page, 'the map is offered', () => document.querySelector('#pane-analyse option[value=policy]')?.disabled === false);
  await page.getByLabel(/^Heat map/).selectOption('policy');
  await until(page, 'it is drawn', () => document.querySelector('.holder .q-heat'));
  const numbers = (await drawn(page)).map(({ number }) => number).sort((a, b) => b - a);
  assert.deepEqual(numbers.slice(0, 2), [50, 25]);
});
