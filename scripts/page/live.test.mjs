// A search that is watched: what it looks at while it runs, its tree, its table; and slow motion, step by step, forwards and back.

import assert from 'node:assert/strict';

import { forget, hears, open, plies, says, shot, type, until, walk } from './harness.mjs';

const SLOW = '#pane-analyse details:has(> summary:text-is("Slow motion"))';
const said = (page) => page.textContent('.slow .verdict');
const ghosts = (page) => page.$$eval('.holder .q-layer-ghosts .q-looked', (all) => all.length);

/** Opens the tab Analyse at a position and asks for the steps of a search. */
async function slowMotion(page, hash, search, depth) {
  await open(page, `${hash}&tab=analyse`);
  await page.click(`${SLOW} > summary`);
  await page.waitForSelector(`${SLOW} select option[value=${search}]`, { state: 'attached' });
  await until(page, 'the evaluations are there', () => document.querySelector('#pane-analyse .slow')?.parentElement.querySelectorAll('.field')[2].querySelector('select').value);
  await page.locator(SLOW).getByLabel(/^Search/).selectOption(search);
  await page.locator(SLOW).getByLabel(/^Plies/).selectOption(depth);
  await page.click(`${SLOW} >> text=Search this position`);
  await page.waitForSelector('.slow:not([hidden])');
}

walk('a search in slow motion: stepped, scrubbed, played to its end, taken off the board', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, steps: 30 } });
  await slowMotion(page, '#g=twixt(size=5,rules=paper)&m=c3', 'alphabeta', '2');
  const asked = { game: 'twixt(size=5,rules=paper)', moves: ['c3'], agent: 'alphabeta(eval=distance)', limit: { depth: 2 } };
  const trace = await (await page.request.post(`${page.home}/api/trace`, { data: asked })).json();
  const count = trace.steps.length;
  assert.equal(await said(page), 'Before the first step.');
  await forget(page);
  for (let i = 0; i < 2; i += 1) await page.getByLabel('Step forward').click();
  assert.ok((await said(page)).startsWith(`Step 2 of ${count}: tries ${trace.steps[1].enter}`), await said(page));
  assert.equal(await ghosts(page), 2, 'both moves of the line stand on the board');
  await hears(page, 'Step 2 of');
  await page.getByLabel('Step back').click();
  assert.equal(await ghosts(page), 1);
  // The first cut-off: the move that was enough is struck through.
  await page.click('.slow button:text-is("Next cut-off")');
  const cut = trace.steps.findIndex((step) => step.cut);
  assert.ok((await said(page)).startsWith(`Step ${cut + 1} of ${count}: cut off`), await said(page));
  assert.equal(await page.locator('.holder .q-cut').count(), 1);
  await shot(page, 'slow-motion');
  // By hand to the last step, which is the end of the depth; from there it plays from the beginning.
  await page.getByLabel('Step of the search').fill(String(count));
  assert.ok((await said(page)).includes('depth 2 is finished'), await said(page));
  assert.equal(await ghosts(page), 0);
  await page.getByLabel('Step of the search').focus();
  await page.keyboard.press('ArrowLeft');
  assert.ok((await said(page)).startsWith(`Step ${count - 1} of`), 'the arrow keys move the slider, not the game');
  await forget(page);
  await page.getByLabel('Step of the search').fill(String(count - 6));
  await page.click('.slow button:text-is("Play")');
  await says(page, '.slow .verdict', 'depth 2 is finished');
  await page.waitForSelector('.slow button:text-is("Play")');
  assert.deepEqual(await page.evaluate(() => globalThis.said), [], 'what plays by itself is not said aloud');
  // Another position is another search.
  await page.getByLabel('Step of the search').fill('1');
  await type(page, 'b2');
  await plies(page, 2);
  await until(page, 'the search is gone', () => document.querySelector('.slow').hidden && !document.querySelector('.holder .q-looked'));
});

walk('slow motion on every board', async (visitors) => {
  const page = await visitors.add();
  for (const [game, search] of [['pathwayz(rows=3,cols=4)', 'minimax'], ['pylos', 'best-first'], ['pentago', 'minimax'], ['pentago-twist', 'pvs'], ['twixt(size=6)', 'alphabeta']]) {
    await slowMotion(page, `#g=${game}`, search, '2');
    await page.getByLabel('Step of the search').fill('4');
    assert.ok((await ghosts(page)) > 0, `${game}: something stands on the board`);
    await open(page);
  }
});

walk('a search that runs shows what it looks at', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 1, thought: 10_000 } });
  await open(page, '#g=pentago&m=c3q1r,d4q1r&tab=analyse');
  const choose = async (engine) => {
    await page.waitForSelector(`#pane-analyse option[value="${engine}"]`, { state: 'attached' });
    await page.locator('#pane-analyse').getByLabel(/^Engine/, { exact: true }).and(page.locator('select')).selectOption(engine);
  };
  await choose('pvs(eval=e3)');
  await page.click('#pane-analyse [aria-label="Engine on"]');
  await until(page, 'lines pass over the board', () => document.querySelector('.holder .q-looked') && /^(Looks at|Cuts off after) \S/.test(document.querySelector('.line.now').textContent));
  await until(page, 'cut-offs flash', () => document.querySelector('.holder .q-cut'));
  await says(page, '#pane-analyse .numbers', '% full');
  await says(page, '#pane-analyse .numbers', 'cut-offs');
  await page.getByLabel('What the search is looking at').uncheck();
  await until(page, 'who does not want to see it does not', () => !document.querySelector('.holder .q-looked'));
  await page.getByLabel('What the search is looking at').check();
  await choose('mcts');
  await page.waitForSelector('.tree:not([hidden])');
  await page.click('.tree summary');
  await until(page, 'the tree is three moves deep', () => document.querySelector('.tree li li li .branchrow'));
  // A position with a win in one: it is proven before any engine is asked, and there is no tree.
  await open(page, '#g=pentago&f=xxxx../oooo../....../....../....../......+x&tab=analyse');
  await page.click('#pane-analyse [aria-label="Engine on"]');
  await says(page, '#pane-analyse', 'wins in 1');
  await page.waitForSelector('.tree', { state: 'hidden' });
});

walk('whoever asks for no motion sees no flicker', async (visitors) => {
  const page = await visitors.add({ settings: { motion: 0, thought: 10_000, engine: 'pvs(eval=e3)' } });
  await open(page, '#g=pentago&m=c3q1r,d4q1r&tab=analyse');
  await page.waitForSelector('#pane-analyse option[value="pvs(eval=e3)"]', { state: 'attached' });
  await page.click('#pane-analyse [aria-label="Engine on"]');
  await page.waitForSelector('.holder .q-looked', { state: 'attached' });
  const lines = await page.evaluate(() => new Promise((done) => {
    const seen = new Set();
    const look = setInterval(() => seen.add([...document.querySelectorAll('.holder .q-looked')].map((one) => one.getAttribute('transform')).join()), 20);
    setTimeout(() => (clearInterval(look), done(seen.size)), 2500);
  }));
  assert.ok(lines >= 1 && lines <= 5, `${lines} lines in 2.5 seconds`);
});
