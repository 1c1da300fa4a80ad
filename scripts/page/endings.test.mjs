// The end of a game: who won against whom, and what to do next.

import assert from 'node:assert/strict';

import { open, plies, says, server, type, until, walk } from './harness.mjs';

/** First has four in a row; the fifth wins. */
const NEARLY = ['a1q4r', 'a6q4r', 'b1q4r', 'b5q4r', 'c1q4r', 'c6q4r', 'd1q4r', 'a5q4r'];

async function against(page, agent, moves) {
  const { room, tokens } = await (await server()).ask('rooms', { game: 'pentago', moves, seats: [{ who: 'person', name: '' }, { who: 'agent', agent }] });
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await plies(page, moves.length);
}

walk('a win leads to the next level', async (visitors) => {
  const page = await visitors.add();
  await against(page, 'level:3', NEARLY);
  await type(page, 'e1');
  await says(page, '.outcome', 'You won against Level 3');
  await says(page, '.status.over', 'Light wins (five)');
  await page.click('.headline button:text-is("Review")');
  await page.waitForSelector('#tab-review[aria-selected=true]');
  const before = page.url();
  await page.click('.headline button:text-is("Next level: 4")');
  await until(page, 'another game', (old) => location.href !== old && document.querySelectorAll('.movelist .ply').length === 0, before);
  await says(page, '.strip .who', 'Level 4');
});

walk('a loss says to whom, and there is a rematch with the sides exchanged', async (visitors) => {
  const page = await visitors.add();
  await against(page, 'level:8', NEARLY.slice(0, 2));
  await page.click('.actions button:text-is("Resign")');
  await says(page, '.outcome', 'You lost to Level 8');
  assert.ok(!(await page.isVisible('.headline button:has-text("Next level")')));
  await page.click('.headline button:text-is("Rematch")');
  await says(page, '.below .turn', 'Dark');
  await until(page, 'the end is gone', () => document.querySelector('.outcome').hidden);
});
