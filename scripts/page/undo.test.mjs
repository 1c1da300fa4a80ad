// Taking back: while an agent thinks, both moves against an agent, half-made moves by their steps, and looks back that change nothing.

import assert from 'node:assert/strict';

import { byMouse, live, spot } from './hands.mjs';
import { forget, hears, moves, open, plies, says, server, shows, type, until, walk } from './harness.mjs';

/** A game against an agent, some moves on; the first seat is the visitor's. */
async function against(page, agent, game, played) {
  const { room, tokens } = await (await server()).ask('rooms', { game, moves: played, seats: [{ who: 'person', name: 'Ann' }, { who: 'agent', agent }] });
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await plies(page, played.length);
  return room;
}

async function click(page, id) {
  const { x, y } = await spot(page, id);
  await page.mouse.click(x, y);
}

walk('undo while the agent thinks cancels its search', async (visitors) => {
  const page = await visitors.add();
  // It would think for half a minute, too long for a test.
  const room = await against(page, 'mcts(time=30s)', 'pentago', ['a1q4r', 'f6q1r']);
  await live(page);
  await byMouse(page, 'pentago', 'c3q2l', []);
  await plies(page, 3);
  await says(page, '.strip .turn', 'thinking');
  await page.keyboard.press('u');
  await plies(page, 2);
  await live(page);
  // A hint needs a search of its own, and there may be no room for two.
  const asked = Date.now();
  await page.keyboard.press('h');
  await hears(page, 'Hint:');
  assert.ok(Date.now() - asked < 25_000, 'the cancelled search does not stand in the way');
  assert.deepEqual((await (await server()).ask(`rooms/${room}`)).moves, ['a1q4r', 'f6q1r'], 'the server has taken back the same');
  await page.keyboard.press('u');
  await plies(page, 0);
});

walk('against an agent one undo takes back both moves, and redo makes them again', async (visitors) => {
  const page = await visitors.add();
  await open(page);
  await page.click('[aria-label="Play Pylos now"]');
  await page.waitForSelector('#game:not([hidden]) .holder svg');
  await byMouse(page, 'pylos', '1b2', []);
  await plies(page, 2);
  await live(page);
  await forget(page);
  await type(page, '1b2');
  await hears(page, 'taken');
  await page.click('#tab-play');
  const played = await moves(page);
  await page.keyboard.press('u');
  await plies(page, 0);
  await page.reload();
  await page.waitForSelector('.actions [data-action=redo]:not(:disabled)');
  await page.keyboard.press('Control+y');
  await shows(page, played);
  await page.keyboard.press(',');
  await says(page, '.status', 'Move 1 of 2');
  await page.keyboard.press('Home');
  await says(page, '.status', 'Move 0 of 2');
  await byMouse(page, 'pylos', '1c3', []);
  await says(page, '.status', 'Try-out');
  await plies(page, 2);
  await page.reload();
  await plies(page, 2);
  await page.click('.actions button:text-is("Resign")');
  await says(page, '.status.over', 'Dark wins (resigned)');
  await hears(page, 'Dark wins (resigned)');
});

walk('a half-made move is taken back by its steps', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago');
  await live(page);
  const piece = (id, value) => until(page, `${id} shows ${value}`, ([cell, wanted]) => document.querySelector(`.holder [data-cell="${cell}"]`).dataset.piece === wanted, [id, value]);
  await click(page, 'c3');
  await piece('c3', 'x');
  await page.keyboard.press('Escape');
  await piece('c3', '.');
  await click(page, 'c4');
  await piece('c4', 'x');
  await page.keyboard.press('u');
  await piece('c4', '.');
  await click(page, 'd4');
  await page.click('.q-steps button:text-is("Cancel")');
  await piece('d4', '.');
  await plies(page, 0);
  // Another empty cell takes the marble over; one that is taken is refused with a sentence.
  await click(page, 'a1');
  await click(page, 'b1');
  await piece('a1', '.');
  await piece('b1', 'x');
  await click(page, 'q4r');
  await plies(page, 1);
  await click(page, 'b1');
  await hears(page, 'b1 is taken');
});

walk('steps of a take-back in Pylos', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pylos&m=1a1,1d4,1b1,1d3,1a2,1c4');
  await live(page);
  await click(page, '1b2');
  await says(page, '.q-steps [aria-current=step]', 'Take back');
  await click(page, '1a1');
  await until(page, '1a1 is off', () => document.querySelector('.holder [data-cell="1a1"]').dataset.piece === '.');
  await page.click('.q-steps button:text-is("Undo step")');
  await until(page, '1a1 is back', () => document.querySelector('.holder [data-cell="1a1"]').dataset.piece === 'L');
  await plies(page, 6);
  await click(page, '1a1');
  await page.click('.q-controls button:text-is("Enough")');
  await plies(page, 7);
  await says(page, '.movelist', '7. 1b2-1a1');
  await page.keyboard.press('u');
  await plies(page, 6);
});
