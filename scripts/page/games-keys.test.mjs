// Whole games of all five by keyboard alone: Tab to the board, arrows, Enter, the second half of a move, no text box.

import assert from 'node:assert/strict';

import { byKeys, play } from './hands.mjs';
import { hears, open, says, walk } from './harness.mjs';

const GAMES = ['pathwayz(rows=4,cols=5)', 'pylos', 'twixt(size=6)', 'pentago-twist', 'pentago'];

for (const [at, game] of GAMES.entries()) {
  walk(`a whole game of ${game} by keyboard alone`, async (visitors) => {
    const page = await visitors.add();
    await open(page, `#g=${game}`);
    const end = await play(page, { game, hand: byKeys, seed: at + 11 });
    assert.ok(end.outcome, 'the game has an end');
    await says(page, '.status.over', end.outcome === 'draw' ? 'Draw' : 'wins');
    await hears(page, end.outcome === 'draw' ? 'The game is drawn' : 'wins');
  });
}
