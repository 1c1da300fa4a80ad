// People by link: two who play, a third who watches; and a server that dies in the middle of a game.

import assert from 'node:assert/strict';

import { byMouse, live, spot } from './hands.mjs';
import { hears, open, plies, says, server, shot, shows, type, until, walk } from './harness.mjs';

/** A game of Pentago by link, with a clock such as 5+3 or without: its host, and the address for the guest. */
async function invite(visitors, clock = '') {
  const host = await visitors.add();
  await open(host);
  await host.click('[aria-label="More: set up Pentago"]');
  await host.locator('.setup fieldset', { hasText: 'Second:' }).getByLabel(/^Who/).selectOption('guest');
  await host.getByLabel('Time for each side').selectOption(clock);
  await host.click('.setup button[type=submit]');
  await host.waitForSelector('.invite:not([hidden]) input[readonly]');
  return { host, address: await host.inputValue('.invite input[readonly]') };
}

async function join(visitors, address) {
  const guest = await visitors.add({ settings: { motion: 0, name: 'Guest' } });
  await guest.goto(address);
  await guest.waitForSelector('#game:not([hidden]) .holder svg');
  return guest;
}

walk('two people play by link and a third watches', async (visitors) => {
  const { host, address } = await invite(visitors);
  const guest = await join(visitors, address);
  assert.ok(!guest.url().includes('t='), 'the key is out of the address');
  await byMouse(host, 'pentago', 'c3q1r', []);
  await plies(guest, 1);
  await byMouse(guest, 'pentago', 'd4q1r', []);
  await plies(host, 2);
  await says(host, '.strip.moving .turn', 'your move');
  // The side that is not to move is told so.
  await type(guest, 'a1q1r');
  await hears(guest, 'It is not your turn');
  const watcher = await join(visitors, `${host.home}/#${host.url().split('#')[1]}`);
  await says(watcher, '#pane-play', 'You are watching');
  await byMouse(watcher, 'pentago', 'a2q1r', []);
  await says(watcher, '.status', 'Try-out');
  for (const page of [host, guest, watcher]) await plies(page, 2);
  await byMouse(host, 'pentago', 'f6q4l', []);
  for (const page of [host, guest, watcher]) await plies(page, 3);
  await guest.click('.actions button:text-is("Resign")');
  for (const page of [host, guest]) await says(page, '.status.over', 'wins (resigned)');
});

walk('a half-made move stays on the board when the guest arrives', async (visitors) => {
  const { host, address } = await invite(visitors);
  await live(host);
  const press = async (id) => {
    const { x, y } = await spot(host, id);
    await host.mouse.click(x, y);
  };
  await press('c3');
  const guest = await join(visitors, address);
  await hears(host, 'has arrived');
  await press('q1r');
  await shows(guest, ['c3q1r']);
});

walk('a server that is killed and comes back has lost nothing', async (visitors) => {
  const { host, address } = await invite(visitors);
  const guest = await join(visitors, address);
  await byMouse(host, 'pentago', 'c3q1r', []);
  await plies(guest, 1);
  const keeper = await server();
  await keeper.kill();
  for (const page of [host, guest]) await page.waitForSelector('#banner:not([hidden])');
  await says(guest, '#banner', 'connection to the server is lost');
  // A move that is made meanwhile is kept by the page and sent when the server is back.
  await byMouse(guest, 'pentago', 'd4q1r', []);
  await keeper.start();
  await guest.click('#banner button:text-is("Try now")').catch(() => {});
  for (const page of [host, guest]) {
    await page.waitForSelector('#banner', { state: 'hidden' });
    await hears(page, 'The connection is back.');
    await shows(page, ['c3q1r', 'd4q1r']);
  }
  await live(host);
  await byMouse(host, 'pentago', 'f6q4l', []);
  await plies(guest, 3);
  await guest.reload();
  await plies(guest, 3);
  await until(guest, 'the reloaded guest still has the seat', () => document.querySelector('.holder .q-live'));
});

walk('an invitation is good for one', async (visitors) => {
  const { host, address } = await invite(visitors);
  const guest = await join(visitors, address);
  await byMouse(host, 'pentago', 'c3q1r', []);
  const late = await join(visitors, address);
  await hears(late, 'this invitation has been used');
  await says(late, '#pane-play', 'You are watching');
  await plies(guest, 1);
  await byMouse(guest, 'pentago', 'd4q1r', []);
  for (const page of [host, late]) await plies(page, 2);
});

walk('an agent that cannot move says why, and moves when it can', async (visitors) => {
  const keeper = await server();
  const seats = [{ who: 'person', name: 'Ann' }, { who: 'agent', agent: 'mcts(time=2s)' }];
  const { room, tokens } = await keeper.ask('rooms', { game: 'pentago', seats });
  const page = await visitors.add();
  await open(page, `#room=${room}&t=${tokens[0]}`);
  await byMouse(page, 'pentago', 'c3q1r', []);
  await plies(page, 1);
  const bringBack = keeper.hideData();
  try {
    await says(page, '.fault', 'The agent does not move');
    await says(page, '.fault', 'rooms.sqlite is no longer in');
    await says(page, '.strip.moving .turn', 'does not move');
    await shot(page, 'fault');
    await page.click('.fault button:text-is("Take over")');
    await hears(page, 'rooms.sqlite is no longer in');
  } finally {
    bringBack();
  }
  await plies(page, 2);
  await page.waitForSelector('.fault', { state: 'hidden' });
});

walk('the host sees the guest arrive, by name, and a move is taken back by agreement', async (visitors) => {
  const { host, address } = await invite(visitors);
  const guest = await visitors.add({ settings: { motion: 0, name: 'Ben' } });
  await guest.goto(address);
  await live(host);
  await hears(host, 'Ben has arrived.');
  await says(host, '.strip .who', 'Ben');
  await until(host, 'the invitation is gone', () => document.querySelector('.invite').hidden);
  await byMouse(host, 'pentago', 'c3q1r', []);
  await plies(guest, 1);
  await host.click('.actions button:text-is("Undo")');
  await says(host, '.wish', 'You have asked');
  await says(guest, '.wish', 'would like to take a move back');
  await guest.click('.wish button:text-is("Decline")');
  await until(host, 'it was declined', () => !document.querySelector('.wish').textContent);
  await plies(host, 1);
  await host.click('.actions button:text-is("Undo")');
  await guest.click('.wish button:text-is("Agree")');
  for (const page of [host, guest]) await plies(page, 0);
  await live(host);
});

walk('people without names give them, and may only watch', async (visitors) => {
  const { host, address } = await invite(visitors);
  await host.getByLabel('Your name, for your guest').fill('Ann');
  await host.keyboard.press('Tab');
  await says(host, '.strip .who', 'Ann');
  const shy = await visitors.add();
  await shy.goto(address);
  await says(shy, 'dialog', 'Ann invites you to a game of Pentago. You play dark.');
  await shy.click('dialog button:text-is("Just watch")');
  await says(shy, '#pane-play', 'You are watching');
  const guest = await visitors.add();
  await guest.goto(address);
  await guest.fill('dialog input', 'Ben');
  await guest.click('dialog button:text-is("Join")');
  await live(host);
  await hears(host, 'Ben has arrived.');
  for (const page of [host, shy, guest]) await says(page, '.strip .who', 'Ben');
  // The name is known from now on.
  await guest.reload();
  await says(guest, '.strip .who', 'Ann');
  assert.equal(await guest.locator('dialog').count(), 0);
});

walk('a rematch takes both to a new game with the sides exchanged', async (visitors) => {
  const { host, address } = await invite(visitors, '5+3');
  const guest = await join(visitors, address);
  await live(host);
  const watcher = await join(visitors, host.url());
  const old = host.url();
  await guest.click('.actions button:text-is("Resign")');
  await host.click('.headline button:text-is("Rematch")');
  await says(host, '.wish', 'You have asked for a rematch.');
  assert.ok(!(await host.isVisible('.headline button:text-is("Rematch")')));
  await says(guest, '.wish', 'would like a rematch.');
  await guest.click('.wish button:text-is("Decline")');
  await until(host, 'it was declined', () => !document.querySelector('.wish').textContent);
  await guest.click('.headline button:text-is("Rematch")');
  await says(host, '.wish', 'Guest would like a rematch.');
  await host.click('.wish button:text-is("Agree")');
  for (const page of [host, guest]) {
    await until(page, 'another game', (before) => location.href !== before && document.querySelectorAll('.movelist .ply').length === 0 && document.querySelector('.outcome').hidden, old);
    await until(page, 'with the same clock', () => [...document.querySelectorAll('.strip .clock')].every((clock) => clock.textContent === '5:00'));
  }
  assert.equal(host.url(), guest.url());
  // The guest begins now, and each has but one seat.
  await says(host, '.below .turn', 'Dark');
  await byMouse(guest, 'pentago', 'c3q1r', []);
  await plies(host, 1);
  await byMouse(host, 'pentago', 'd4q1r', []);
  await plies(guest, 2);
  await type(host, 'a1q1r');
  await hears(host, 'It is not your turn');
  // Who watches is told where it goes on.
  await watcher.click('.wish a');
  await plies(watcher, 2);
});

walk('a game with a clock counts down for everyone and is lost on time', async (visitors) => {
  const { host, address } = await invite(visitors, '5+3');
  const guest = await join(visitors, address);
  for (const page of [host, guest]) {
    await until(page, 'both have five minutes', () => [...document.querySelectorAll('.strip .clock')].every((clock) => clock.textContent === '5:00' && clock.title === 'time left'));
    await says(page, '#pane-play', 'Clock: 5 minutes, 3 s more per move.');
  }
  await byMouse(host, 'pentago', 'c3q1r', []);
  await plies(guest, 1);
  await byMouse(guest, 'pentago', 'd4q1r', []);
  await plies(host, 2);
  for (const page of [host, guest]) await until(page, 'the clock of the side to move runs', () => /^4:/.test(document.querySelector('.strip.moving .clock').textContent));
  await shot(host, 'clock');
  // The server decides when the time is up; here each side has one second.
  const keeper = await server();
  const seats = [{ who: 'person', name: 'Ann' }, { who: 'person', name: 'Ben' }];
  const { room, tokens } = await keeper.ask('rooms', { game: 'pentago', seats, clock: { main_ms: 1000 } });
  const [ann, ben] = [await visitors.add(), await visitors.add()];
  await open(ann, `#room=${room}&t=${tokens[0]}`);
  await open(ben, `#room=${room}&t=${tokens[1]}`);
  await byMouse(ann, 'pentago', 'c3q1r', []);
  await plies(ben, 1);
  await byMouse(ben, 'pentago', 'd4q1r', []);
  await says(ann, '.outcome', 'You lost on time to Ben');
  await says(ben, '.outcome', 'You won on time against Ann');
  for (const page of [ann, ben]) await says(page, '.status.over', 'wins on time');
  await says(ann, '.strip.low .clock', '0:00.0');
  await shot(ann, 'lost-on-time');
});
