// Records in and out, and the position editor.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { byMouse, playout, spot } from './hands.mjs';
import { forget, hears, moves, open, plies, says, shows, until, walk } from './harness.mjs';

async function read(page, text) {
  await forget(page);
  await page.fill('[aria-label="Games as text"]', text);
  await page.click('#pane-record button:text-is("Read")');
}

async function openRecord(page, hash, ...parts) {
  await open(page, hash);
  await page.click('#tab-record');
  for (const part of parts) await page.click(`#pane-record summary:text-is("${part}")`);
}

/** What a button downloads. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#pane-record button:text-is("${name}")`)]);
  return readFile(await download.path());
}

walk('own records go out and come back', async (visitors) => {
  const page = await visitors.add();
  const game = 'twixt(size=6)';
  const played = await playout(game, 41, 8);
  await openRecord(page, `#g=${game}&m=${played.join(',')}`, 'Export', 'Import');
  await plies(page, 8);
  const [text, json] = [String(await saved(page, 'Text file')), String(await saved(page, 'JSON line'))];
  assert.ok(text.startsWith(`${game}; 1.${played[0]} `), text);
  assert.deepEqual(JSON.parse(json).moves, played);
  assert.match(String(await saved(page, 'SVG')), /^<svg/);
  assert.equal((await saved(page, 'PNG')).subarray(1, 4).toString(), 'PNG');
  for (const record of [text, json]) {
    await open(page, '#g=pylos');
    await plies(page, 0);
    await read(page, record);
    await hears(page, '8 moves read');
    await shows(page, played);
  }
});

walk('copied and pasted without a box', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#g=pentago&m=a1q4r,f6q1r');
  await plies(page, 2);
  await page.keyboard.press('Control+c');
  await hears(page, 'Record copied.');
  await open(page, '#g=pylos');
  await plies(page, 0);
  await page.keyboard.press('Control+v');
  await plies(page, 2);
  await says(page, '#heading', 'Pentago');
});

walk('plain moves, TwixT of other programs, and faults', async (visitors) => {
  const page = await visitors.add();
  await openRecord(page, '#g=pentago', 'Import');
  await page.getByLabel(/^Format/).selectOption('plain');
  await read(page, 'c3q1r c1q1r\nd4q2l');
  await plies(page, 3);
  await page.getByLabel(/^Format/).selectOption('');
  await read(page, 'pentago; 1.c3q1r 2.c1q1r 3.zz; *; ; a, b; ');
  await hears(page, 'move 3');
  await plies(page, 2);
  const head = ['2 # version', 'Ann # Player 1', 'Ben # Player 2', '12 # y-size', '12 # x-size', 'H # Player 1', 'H # Player 2', '0 # letters', 'V # direction', 'N # pierule',
    'N # game over'];
  await read(page, `${['# from T1j', ...head, 'D4', 'E6', 'F5'].join('\n')}\n`);
  await plies(page, 3);
  await says(page, '#heading', 'TwixT');
  assert.equal((await moves(page))[0].length, 2);
  await read(page, `${['# from T1j', ...head, 'D4', 'E6', 'D4'].join('\n')}\n`);
  await hears(page, 'Read up to the error');
  await plies(page, 2);
  await read(page, 'this does not contain a game');
  await says(page, '#assertive', 'move 1 "this"');
  await plies(page, 2);
});

walk('the position editor says what is wrong and opens what is right', async (visitors) => {
  const page = await visitors.add();
  await openRecord(page, '#g=pentago', 'Edit position');
  const [verdict, opener] = ['#pane-record [aria-live=polite]', page.locator('#pane-record button:text-is("Open this position")')];
  const put = async (id) => {
    const { x, y } = await spot(page, id);
    await page.mouse.click(x, y);
  };
  await says(page, verdict, 'A valid position: 288 legal moves');
  await page.click('.palette button:text-is("light")');
  await put('a1');
  await until(page, 'the marble is on the board', () => document.querySelector('.holder [data-cell="a1"]')?.dataset.piece === 'x');
  await until(page, 'one marble too many is refused', (place) => document.querySelector(place).classList.contains('bad'), verdict);
  assert.ok(await opener.isDisabled());
  await page.click('#pane-record button:text-is("Light to move")');
  await says(page, verdict, 'A valid position: 280 legal moves');
  await page.click('.palette button:text-is("dark")');
  await put('f6');
  await until(page, 'two marbles and dark to move is refused', (place) => document.querySelector(place).classList.contains('bad'), verdict);
  await put('f6');
  await until(page, 'a second press takes it off', () => document.querySelector('.holder [data-cell="f6"]')?.dataset.piece === '.');
  await opener.click();
  await says(page, '.status', 'Dark to move');
  await until(page, 'the marble is still there', () => document.querySelector('.holder [data-cell="a1"]')?.dataset.piece === 'x');
  await byMouse(page, 'pentago', 'c3q1r', []);
  await plies(page, 1);
});

walk('pieces of every game are put on the board, and a game that goes on is left as it was', async (visitors) => {
  const page = await visitors.add();
  const put = async (id) => {
    const { x, y } = await spot(page, id);
    await page.mouse.click(x, y);
  };
  const piece = (id) => page.$eval(`.holder [data-cell="${id}"]`, (slot) => slot.dataset.piece);
  await openRecord(page, '#g=twixt(size=6)', 'Edit position');
  await page.click('.palette button:text-is("red")');
  await put('c2');
  await put('d4');
  assert.equal(await page.locator('.holder .q-link').count(), 1, 'pegs a knight’s move apart are linked');
  await page.click('.palette button:text-is("black")');
  await put('b5');
  await page.click('#pane-record button:text-is("Red to move")');
  await says(page, '#pane-record [aria-live=polite]', 'A valid position');
  await page.click('.palette button:text-is("link")');
  await put('c2');
  await put('d4');
  assert.equal(await page.locator('.holder .q-link').count(), 0);
  await says(page, '#pane-record [aria-live=polite]', 'link c2-d4 is missing');
  await openRecord(page, '#g=pathwayz(rows=4,cols=5)', 'Edit position');
  await page.click('.palette button:text-is("white, permanent")');
  await put('c2');
  assert.equal(await piece('c2'), 'W');
  await openRecord(page, '#g=pylos&m=1b2,1c2', 'Edit position');
  await plies(page, 2);
  await page.click('.palette button:text-is("dark")');
  await put('2a1');
  await says(page, '#pane-record [aria-live=polite]', '2a1');
  assert.equal(await piece('2a1'), 'D');
  await page.click('#pane-record summary:text-is("Edit position")');
  await until(page, 'the game is back', () => document.querySelector('.holder [data-cell="2a1"]')?.dataset.piece === '.');
  await byMouse(page, 'pylos', '1b3', []);
  await plies(page, 3);
});
