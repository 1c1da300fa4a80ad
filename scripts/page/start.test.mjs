// The start page: level and side, one press, and what was chosen last.

import assert from 'node:assert/strict';

import { live } from './hands.mjs';
import { open, says, until, walk } from './harness.mjs';

const card = (page, game) => page.locator(`.card[data-game="${game}"]`);

walk('a level, a side and one press; the choice is remembered', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  const pentago = card(page, 'pentago');
  assert.ok(await pentago.getByLabel('Level 3').isChecked(), 'a beginner can beat the level that is offered first');
  await pentago.getByLabel('Level 1').check();
  await pentago.getByLabel('Dark').check();
  await page.click('[aria-label="Play Pentago now"]');
  await live(page);
  await says(page, '.stage > .strip .who', 'Level 1');
  await says(page, '.below .who', 'You');
  await says(page, '.below .turn', 'Dark · your move');
  await open(page);
  assert.ok(await card(page, 'pentago').getByLabel('Level 1').isChecked());
  assert.ok(await card(page, 'pentago').getByLabel('Dark').isChecked());
  assert.ok(await card(page, 'pylos').getByLabel('Level 3').isChecked(), 'each game has a choice of its own');
  await says(page, '.continue', 'Pentago v Level 1');
  await page.click('.continue a');
  await live(page);
});

walk('a game that was left is offered, also when a later one is over', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  await page.click('[aria-label="Play Pylos now"]');
  await live(page);
  await open(page);
  await page.click('[aria-label="Play Pentago now"]');
  await live(page);
  await page.click('.actions button:text-is("Resign")');
  await page.waitForSelector('.status.over');
  await open(page);
  await says(page, '.continue', 'Pylos v Level 3');
});

walk('a level says how it plays, and its strength only where that was measured', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  await says(page, '.card[data-game=twixt] .strength', 'Elo, within this game. Plays 95 % of its moves on a hunch, and may miss a win in one.');
  await page.click('[aria-label="More: set up TwixT"]');
  const level = page.locator('.setup fieldset', { hasText: 'Second:' }).getByLabel(/^Level/);
  assert.match(await level.evaluate((select) => select.selectedOptions[0].text), /^Level 3, \d+ ±\d+$/);
  await page.locator('.setup input[type=number]').first().fill('24');
  await page.keyboard.press('Tab');
  assert.equal(await level.evaluate((select) => select.selectedOptions[0].text), 'Level 3');
  await page.click('.setup button[type=submit]');
  await live(page);
  await says(page, '.strip .who', 'Level 3');
  assert.ok(!(await page.textContent('.stage')).includes('±'), 'nobody has measured it on this board');
});

walk('a friend is one link away', async (visitors) => {
  const [host, guest] = [await visitors.add(), await visitors.add()];
  await open(host);
  await card(host, 'pylos').getByLabel('Dark').check();
  await host.click('[aria-label^="Friend: play Pylos"]');
  await host.waitForSelector('.invite:not([hidden]) input[readonly]');
  await guest.goto(await host.inputValue('.invite input[readonly]'));
  await says(guest, 'dialog', 'Somebody invites you to a game of Pylos. You play light.');
  await guest.fill('dialog input', 'Ben');
  await guest.keyboard.press('Enter');
  await live(guest);
  await says(host, '.strip .who', 'Ben');
  await says(guest, '.below .turn', 'Light · your move');
});

walk('what is set up opens below the card that asked for it', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  for (const [title, game] of [['Pathwayz', 'pathwayz'], ['Pentago', 'pentago']]) {
    await page.click(`[aria-label="More: set up ${title}"]`);
    await says(page, '.setupbox h2', `Set up ${title}`);
    assert.equal(await page.$eval('.setupbox', (box) => box.previousElementSibling.dataset.game), game);
    await until(page, 'it is in sight', () => document.querySelector('.setupbox h2').getBoundingClientRect().top < innerHeight);
  }
  assert.equal(await page.locator('.setupbox').count(), 1);
});

walk('a first visit offers a lesson and does not insist', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  await says(page, '.continue', 'New to these games?');
  await page.click('.continue button:text-is("No, thanks")');
  await page.reload();
  await page.waitForSelector('.card');
  assert.equal(await page.locator('.continue').count(), 0);
  await open(page, '#page=learn');
  await page.click('text=Learn Pylos');
  await says(page, '#pane-learn h2', 'Tutorial');
});
