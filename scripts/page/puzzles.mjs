// Puzzles and exact values in a browser, against answers that are made up here: what is right, what is wrong and why, who answers, when it is solved.
// Needs a running server, and playwright-core installed in the folder that it is started from:
//   CHROME=/usr/bin/chromium node .../scripts/page/puzzles.mjs http://127.0.0.1:8080

import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const server = process.argv[2] ?? 'http://127.0.0.1:8080';
const browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });

let [good, bad] = [0, 0];
function check(what, held) {
  if (held) good += 1;
  else {
    bad += 1;
    console.log(`FAILED: ${what}`);
  }
}

/** On two columns a path is two pieces long, so that b1 wins after a1. */
const SMALL = 'pathwayz(rows=4,cols=2)';
const PUZZLES = [
  { id: 'pathwayz-1', game: SMALL, from: null, moves: [], kind: 'only-win', title: 'White wins in two moves.', distance: 3 },
  { id: 'pathwayz-2', game: SMALL, from: null, moves: ['a1', 'a3'], kind: 'win-in-2', title: 'White wins at once.', distance: 1 },
  { id: 'pylos-1', game: 'pylos', from: null, moves: [], kind: 'only-draw', title: 'Only one move holds the draw.', distance: null },
  { id: 'pylos-2', game: 'pylos', from: null, moves: ['1a1'], kind: 'only-draw', title: 'Nobody knows.', distance: null },
  { id: 'pylos-3', game: 'pylos', from: null, moves: ['1a1', '1b1'], kind: 'win-in-3', title: 'A table knows.', distance: 35, answer: '1c3' },
];
const moves = (text) => text.split(' ').map((one) => {
  const [move, outcome, distance] = one.split(':');
  return { move, outcome, distance: distance ? Number(distance) : null };
});
const known = (outcome, distance, text) => ({ known: true, outcome, distance, by: 'a made-up prover', moves: moves(text) });
/** Answers by game and moves. The reply that holds out longest is not the first of its list, so that the page has to look for it. */
const EXACT = {
  [`${SMALL} `]: known('win', 3, 'a1:win:3 a2:win:5 b1:draw b2:loss:4'),
  [`${SMALL} a1`]: known('loss', 2, 'a2:loss:0 a3:loss:2 b4:loss:0'),
  [`${SMALL} a1 a3`]: known('win', 1, 'b1:win:1 b2:win:1 a4:loss:2'),
  'pylos ': known('draw', null, '1b2:draw 1a1:loss:12'),
  'pentago ': known('win', 17, 'b2q1l:win:17 b2q1r:draw a1q1l:loss:12 c3q1l:loss:8'),
};

/** A window in which the server proves things. */
async function visitor(puzzles) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.on('pageerror', (error) => check(`no error in the page: ${error}`, false));
  await page.route('**/api/puzzles*', (route) => route.fulfill({ json: { puzzles } }));
  await page.route('**/api/exact', (route) => {
    const asked = route.request().postDataJSON();
    route.fulfill({ json: EXACT[`${asked.game} ${asked.moves.join(' ')}`] ?? { known: false, why: 'no prover reaches so far' } });
  });
  return page;
}

const until = (page, test, value) => page.waitForFunction(test, value, { timeout: 20_000 }).then(() => true, () => false);
const says = (page, where, text) => until(page, ([place, part]) => document.querySelector(place)?.textContent.includes(part), [where, text]);
const cell = (page, name) => page.locator(`.holder [data-target="${name}"]`).click();

async function type(page, move) {
  await page.fill('.movebox', move);
  await page.press('.movebox', 'Enter');
}

const page = await visitor(PUZZLES);
await page.goto(`${server}/#puzzles`);
check('the list', await says(page, '#page', '5 of 5 puzzles; 0 solved'));
check('with pictures', await until(page, () => [...document.querySelectorAll('.puzzletile img')].filter((one) => one.naturalWidth > 0).length >= 3));
check('how hard they are', (await page.locator('.puzzletile:has-text("medium")').count()) === 3 && (await page.locator('.puzzletile:has-text("hard")').count()) >= 1);
await page.selectOption('.filters select >> nth=2', '1');
check('by difficulty', await says(page, '#page', '1 of 5'));
await page.selectOption('.filters select >> nth=2', '');
check('the next one is a press away', (await page.getAttribute('text=Solve the next one', 'href')) === '#puzzle=pathwayz-1');
await page.selectOption('.filters select >> nth=0', 'pylos');
check('by game', await says(page, '#page', '3 of 5'));
await page.selectOption('.filters select >> nth=1', 'only-win');
check('by game and kind', await says(page, '#page', '0 of 5'));
await page.selectOption('.filters select >> nth=1', { label: 'a win in three' });
check('by a kind with a number', await says(page, '#page', '1 of 5'));
await page.selectOption('.filters select >> nth=1', 'only-win');
await page.selectOption('.filters select >> nth=0', '');
check('by kind', await says(page, '#page', '1 of 5'));

await page.click('[aria-label="Solve pathwayz-1"]');
check('the puzzle is asked', await says(page, '.puzzle', 'White wins in two moves.') && await says(page, '.puzzle', 'a made-up prover'));
for (const [move, why] of [['b2', 'That loses in 4'], ['b1', 'it is a draw'], ['a2', 'more slowly: in 5 instead of 3'], ['b4', 'does not list that move']]) {
  await cell(page, move);
  check(`${move} is wrong: ${why}`, await says(page, '.puzzle .says', why));
}
check('nothing of it was played', (await page.locator('.movelist .ply').count()) === 0);
await cell(page, 'a1');
check('the defence that holds out longest', await until(page, () => [...document.querySelectorAll('.movelist .ply')].map((one) => one.textContent).join() === '1. a1,2. a3'));
check('and on', await says(page, '.puzzle .says', 'Right. Continue.'));
await cell(page, 'b1');
check('solved at the fifth try', await says(page, '.puzzle .says', 'Solved at attempt 5'));
check('the address is the puzzle', page.url().endsWith('#puzzle=pathwayz-1'));
await page.click('.puzzle .main');
check('the next one', await says(page, '.puzzle', 'White wins at once.'));
await page.click('text=Show the move');
check('the move is shown', await says(page, '.puzzle .says', 'That was the solution'));
await page.click('.puzzle >> text=Again');
check('and again', await says(page, '.puzzle', 'Show the move'));
await type(page, 'b2');
check('another move that wins as soon is as right, typed too', await says(page, '.puzzle .says', 'Solved at once'));
await page.click('.puzzle .main');
await says(page, '.puzzle', 'Show the move');
await type(page, '1b2');
check('a draw is held with one move', await says(page, '.puzzle .says', 'Solved at once'));
check('two at the first attempt are a row', await says(page, '.puzzle .says', '2 in a row!'));
await page.click('.puzzle .main');
check('what cannot be checked says so', await says(page, '.puzzle .says', 'no prover reaches so far'));
await page.goto(`${server}/#puzzle=pylos-3`);
check('a puzzle with an answer needs nobody who knows', await says(page, '.puzzle', 'Show the move') && await says(page, '.puzzle', 'proven by the solved table'));
await type(page, '1c2');
check('another move is not the answer', await says(page, '.puzzle .says', 'does not list that move'));
await type(page, '1c3');
check('the answer is enough', await says(page, '.puzzle .says', 'Solved at attempt 2') && (await page.locator('.movelist .ply').count()) === 3);
await page.goto(`${server}/#page=puzzles`);
await page.reload();
check('the row is kept', await says(page, '#page', '0 in a row at the first attempt, 2 at best'));
check('what was solved is kept', await says(page, '#page', '4 solved') && await says(page, '#page', 'solved at attempt 5'));
await page.goto(`${server}/#puzzle=nothing`);
check('a puzzle that is not there', await says(page, '#assertive', 'no puzzle called') && await says(page, '#page', 'Puzzles'));

await page.goto(`${server}/#g=pentago`);
await page.waitForSelector('.holder svg');
for (let i = 0; i < 3; i++) await page.keyboard.press('m');
check('marks on the cells, the best of each', await until(page, () => document.querySelectorAll('.q-layer-marks > *').length === 3));
check('the bar', await says(page, '.bar-number', 'wins in 17'));
check('in words', await until(page, () => document.querySelector('[data-target="b2"]').getAttribute('aria-label').includes('exact: win in 17')));
await cell(page, 'b2');
check('marks on the arrows', await until(page, () => document.querySelectorAll('.q-layer-marks > *').length === 2));
await page.keyboard.press('Escape');
await page.click('#tab-analyse');
check('the prover is named', await says(page, '#pane-analyse', 'wins in 17, exact, only move') && await says(page, '#pane-analyse', 'Proven by a made-up prover'));
await type(page, 'a1q1l');
check('why there are none', await says(page, '#pane-analyse', 'No exact values here: no prover reaches so far'));
await page.locator('.movebox').blur();
for (let i = 0; i < 4; i++) await page.keyboard.press('m');
check('the key says it too', await says(page, '#slips', 'There are no exact values here: no prover reaches so far'));

await page.goto(`${server}/#puzzle=pathwayz-1`);
await says(page, '.puzzle', 'Show the move');
check('marks do not follow into a puzzle', !(await page.locator('.q-layer-marks > *').count()) && (await page.locator('.bar.idle').count()) === 1);

const empty = await visitor([]);
await empty.goto(`${server}/#puzzles`);
check('no puzzles', await says(empty, '#page', 'There are no puzzles here yet'));

console.log(`${good} held, ${bad} failed`);
await browser.close();
process.exit(bad ? 1 : 0);
