// Whole games of all five by mouse: set up on the start page, against level 1, to the end.

import assert from 'node:assert/strict';

import { byMouse, play } from './hands.mjs';
import { hears, open, says, walk } from './harness.mjs';

/** Small boards where there are some, so that games are short. The person plays one side in some games and the other side in others. */
const GAMES = [
  { title: 'Pathwayz', game: 'pathwayz(rows=4,cols=5)', options: { rows: 4, columns: 5 }, mine: 'first' },
  { title: 'Pylos', game: 'pylos', options: {}, mine: 'first' },
  { title: 'TwixT', game: 'twixt(size=6)', options: { holes: 6 }, mine: 'second' },
  { title: 'Pentago-Twist', game: 'pentago-twist', options: {}, mine: 'second' },
  { title: 'Pentago', game: 'pentago', options: {}, mine: 'first' },
];

for (const [at, { title, game, options, mine }] of GAMES.entries()) {
  walk(`a whole game of ${title} by mouse against level 1`, async (visitors) => {
    // One game with motion, the others without.
    const page = await visitors.add({ settings: { motion: title === 'Pentago-Twist' ? 1 : 0 } });
    await open(page);
    await page.click(`[aria-label="More: set up ${title}"]`);
    for (const [name, value] of Object.entries(options)) await page.getByLabel(new RegExp(`^${name}`, 'i')).fill(String(value));
    const rival = page.locator('.setup fieldset', { hasText: 'Second:' });
    await rival.getByLabel(/^Who/).selectOption('level');
    await rival.getByLabel(/^Level/).selectOption('level:1');
    if (mine === 'second') await page.click('.setup button:text-is("Swap seats")');
    await page.click('.setup button[type=submit]');
    await page.waitForSelector('#game:not([hidden]) .holder svg');
    const end = await play(page, { game, hand: byMouse, mine: [mine], seed: at + 1 });
    assert.ok(end.outcome, 'the game has an end');
    await says(page, '.status.over', end.outcome === 'draw' ? 'Draw' : 'wins');
    await hears(page, end.outcome === 'draw' ? 'The game is drawn' : 'wins');
  });
}
