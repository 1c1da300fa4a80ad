// Accessibility of what the page only shows for a while: an engine at work, a review, an end, invitations, wishes, clocks, faults, puzzles, the editor; on a
// desktop and on a phone on its side.

import { look } from './access.mjs';
import { byMouse, byTouch, live } from './hands.mjs';
import { hears, open, PHONE, plies, says, server, shot, type, until, walk } from './harness.mjs';

const GAME = ['a1q4r', 'a6q4r', 'b1q4r', 'b5q4r', 'c1q4r', 'c6q4r', 'd1q4r', 'a5q4r'];

/**
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} options
 */
function states(name, options) {
  const seen = { ...options, bypassCSP: true };
  const hand = options.hasTouch ? byTouch : byMouse;
  const add = (visitors, settings = {}) => visitors.add({ ...seen, settings: { motion: 0, ...settings } });
  const check = async (page, state) => {
    await look(page, `${name}, ${state}`);
    await shot(page, `state-${state.replace(/\W+/g, '-')}-${name}`);
  };

  walk(`engine, review, puzzle and editor, ${name}`, async (visitors) => {
    const page = await add(visitors, { thought: 60_000, heat: 'value', arrow: true, ghosts: true, review: 100 });
    await open(page, '#g=twixt&m=f6,g8,e8&tab=analyse');
    await page.click('#pane-analyse .switch');
    await until(page, 'the heat map is drawn', () => document.querySelector('.holder .q-heat'));
    await check(page, 'an engine at work');
    await open(page, `#g=pentago&m=${[...GAME, 'e1'].join(',')}&tab=review`);
    await page.click('#pane-review button:text-is("Review")');
    await hears(page, 'Review finished');
    for (const part of await page.$$('#pane-review details:not([open]) > summary')) await part.click();
    await page.click('[aria-label="Previous mistake"]');
    await says(page, '.status', 'Move 8 of 9');
    await page.click('#pane-review button:text-is("Better move")');
    await until(page, 'the better move is on the board', () => document.querySelector('.holder .q-layer-arrows').childElementCount);
    await check(page, 'a finished review');
    await page.goto(`${page.home}/#puzzle=pentago-1`);
    await live(page);
    await check(page, 'a puzzle');
    await open(page, '#g=twixt(size=6)&m=c2,d4&tab=record');
    await page.click('summary:text-is("Edit position")');
    await page.click('.palette button:text-is("link")');
    await check(page, 'the editor');
  });

  walk(`people, clocks and ends, ${name}`, async (visitors) => {
    const [host, guest] = [await add(visitors), await add(visitors)];
    await open(host);
    await host.click('[aria-label="More: set up Pentago"]');
    await host.locator('.setup fieldset', { hasText: 'Second:' }).getByLabel(/^Who/).selectOption('guest');
    await host.getByLabel('Time for each side').selectOption('5+3');
    await host.click('.setup button[type=submit]');
    await host.waitForSelector('.invite:not([hidden]) input[readonly]', { state: 'attached' });
    await check(host, 'an invitation');
    await guest.goto(await host.inputValue('.invite input[readonly]'));
    await guest.waitForSelector('dialog[open]');
    await check(guest, 'somebody is invited');
    await guest.click('dialog button:text-is("Join")');
    await live(host);
    await hand(host, 'pentago', 'c3q1r', []);
    await plies(guest, 1);
    await hand(guest, 'pentago', 'd4q1r', []);
    await plies(host, 2);
    await host.click('.actions [data-action=undo]');
    await says(guest, '.wish', 'would like');
    for (const page of [host, guest]) await check(page, page === host ? 'one’s own wish' : 'a wish, and clocks');
    await guest.click('.actions [data-action=resign]');
    await host.waitForSelector('.outcome:not([hidden])');
    await host.click('.headline button:text-is("Rematch")');
    await says(guest, '.wish', 'would like a rematch');
    await says(guest, '.strip .who', 'Opponent');
    await says(guest, '.outcome', 'You lost to your opponent');
    await check(guest, 'the end of a game');
  });

  walk(`a fault and the next level, ${name}`, async (visitors) => {
    const keeper = await server();
    const against = async (agent, moves) => keeper.ask('rooms', { game: 'pentago', moves, seats: [{ who: 'person', name: 'Ann' }, { who: 'agent', agent }] });
    const page = await add(visitors);
    const won = await against('level:3', GAME);
    await open(page, `#room=${won.room}&t=${won.tokens[0]}`);
    await plies(page, GAME.length);
    await type(page, 'e1');
    await page.waitForSelector('.outcome:not([hidden])');
    await check(page, 'a win');
    const { room, tokens } = await against('mcts(time=2s)', []);
    await open(page, `#room=${room}&t=${tokens[0]}`);
    await hand(page, 'pentago', 'c3q1r', []);
    await plies(page, 1);
    const bringBack = keeper.hideData();
    try {
      await says(page, '.fault', 'The agent does not move');
      await check(page, 'a fault');
    } finally {
      bringBack();
    }
    await plies(page, 2);
  });
}

states('light', { colorScheme: 'light' });
states('landscape', { colorScheme: 'dark', ...PHONE, viewport: { width: 844, height: 390 } });
