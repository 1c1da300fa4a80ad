// One advice: whatever is asked about a position, the answer is the same, and a proof comes before any estimate.

import assert from 'node:assert/strict';

import { byMouse, live, spot } from './hands.mjs';
import { hears, open, plies, says, server, until, walk } from './harness.mjs';

walk('bar, best line, hint and marks say the same of a proven win', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 1000 } });
  await open(page, '#g=pentago&m=b2q2r,e5q1l,b5q3l,c3q4r,e2q2l,d4q1r,c4q3r,a1q2r&tab=analyse');
  await plies(page, 8);
  await page.click('#pane-analyse .switch');
  await until(page, 'it is proven', () => document.querySelector('.bar').ariaLabel.startsWith('Exact: Light wins in 3'));
  await page.waitForSelector('#pane-analyse .verdict[data-state=done]');
  await says(page, '#pane-analyse .verdict', 'Light: wins in 3');
  const lines = await page.$$eval('#pane-analyse .lines li', (rows) => rows.map((row) => [row.querySelector('code').textContent, row.querySelector('em').textContent]));
  assert.equal(lines[0][1], 'wins in 3');
  await page.getByLabel(/^Heat map/).selectOption('exact');
  const marked = lines[0][0].slice(0, 2);
  await until(page, 'the cell is marked', (cell) => document.querySelector(`.holder [data-target="${cell}"]`).ariaLabel.includes('exact: win in 3'), marked);
  await page.keyboard.press('h');
  await hears(page, 'Hint: ');
  const hint = (await page.evaluate(() => globalThis.said.find((one) => one.startsWith('Hint: '))));
  const [, move, worth] = /^Hint: (\S+), (.*) for Light\.$/.exec(hint);
  assert.equal(worth, 'wins in 3');
  assert.ok(lines.filter(([, value]) => value === 'wins in 3').some(([listed]) => listed === move), `${hint} ${lines.join(' ')}`);
});

walk('what is to be typed and read stands below all else, and works', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago&m=c3q1r,d4q1r');
  await plies(page, 2);
  const [list, box] = await page.evaluate(() => ['.movelist', '.typed'].map((name) => document.querySelector(name).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
  assert.ok(box[0] >= list[1] - 1, 'the box for moves comes after the list of moves');
  await page.fill('.movebox', 'b1q1r');
  await page.press('.movebox', 'Enter');
  await plies(page, 3);
  await page.click('button:text-is("Describe board")');
  await until(page, 'the board is described', () => document.querySelector('.described').textContent.length > 40);
  await page.click('button:text-is("Describe board")');
  assert.ok(!(await page.isVisible('.described')));
});

walk('a swap is made on the first peg, and that of an agent is announced', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=twixt(size=6)&m=c3');
  await live(page);
  const { x, y } = await spot(page, 'c3');
  await page.mouse.click(x, y);
  await plies(page, 2);
  await says(page, '.movelist', '2. swap');
  // A peg in the middle is worth taking over; this agent leaves nothing to chance.
  const seats = [{ who: 'person', name: 'Ann' }, { who: 'agent', agent: 'level:6' }];
  const { room, tokens } = await (await server()).ask('rooms', { game: 'twixt(size=6)', seats });
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await byMouse(page, 'twixt(size=6)', 'c3', []);
  await plies(page, 2);
  await says(page, '.movelist', '2. swap');
  await hears(page, 'swap');
  await says(page, '.holder .q-swapped', 'Black swapped: this peg is black now');
});

walk('an explanation lists as many terms as it counts', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pathwayz&m=c4,d6,d4&tab=analyse');
  await page.click('summary:text-is("Explain an evaluation")');
  await page.waitForSelector('.explain .terms tbody tr');
  await page.selectOption('.explain label:has-text("Evaluation") select', { label: 'pathwayz-440' });
  await until(page, 'another evaluation', () => /^4\d\d terms/.test([...document.querySelectorAll('.explain .small')].map((one) => one.textContent).find((one) => one.includes(' terms')) ?? ''));
  const [told, rows] = await page.evaluate(() => [[...document.querySelectorAll('.explain .small')].map((one) => one.textContent).find((one) => one.includes('of which add')),
    [...document.querySelectorAll('.explain .terms tbody tr')].map((row) => row.children[3].textContent)]);
  assert.equal(Number(/ (\d+) of which add/.exec(told)[1]), rows.length, told);
  assert.ok(rows.length > 0 && rows.every((adds) => adds !== '0'), rows.join(' '));
});
