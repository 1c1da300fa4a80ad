// Accessibility: no violation that axe-core finds on any page and tab, nothing wider than the screen, and pictures of all of it. The files access-*.test.mjs run
// this in different light.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { playout } from './hands.mjs';
import { fits, open, shot, shows, until, walk } from './harness.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GAMES = ['pathwayz', 'pylos', 'twixt', 'pentago-twist', 'pentago'];

/** No rule is broken, and nothing is too wide. */
export async function look(page, where) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // What fades in has no colours of its own yet.
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`), [], where);
  await fits(page, where);
}

/** A search step by step, with its steps on the board. */
async function slowMotion(page) {
  await page.click('#pane-analyse summary:text-is("Slow motion")');
  await page.waitForSelector('#pane-analyse option[value=distance]', { state: 'attached' });
  await page.click('#pane-analyse >> text=Search this position');
  await page.waitForSelector('.slow:not([hidden])');
  await page.click('.slow button:text-is("Next cut-off")');
}

/**
 * Walks through all pages, boards and tabs.
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} options
 */
export function everywhere(name, options) {
  // The checker is a foreign script, which the page's content security policy would block.
  const seen = { ...options, bypassCSP: true };

  walk(`pages, ${name}`, async (visitors) => {
    const page = await visitors.add(seen);
    await open(page);
    await until(page, 'the pictures of the games', () => document.querySelectorAll('.card img').length === 5);
    const listed = await page.$$eval('nav a[data-page]', (links) => links.map((link) => link.getAttribute('href')));
    const pages = [...listed, ...['tournaments', 'training', 'reports'].map((name) => `#page=${name}`)];
    for (const hash of pages) {
      await open(page, hash);
      if (hash !== '#') await page.waitForSelector(`nav a[href="${hash}"][aria-current]`, { state: 'attached' });
      if (hash === '#page=reports') {
        await page.click('summary:text-is("Repeat an experiment")');
        await page.click('summary:has-text("Pylos (")');
      }
      await look(page, `${name}, ${hash}`);
      await shot(page, `page-${hash.replace(/\W+|page/g, '') || 'start'}-${name}`);
    }
    await open(page);
    await page.click('[aria-label="More: set up TwixT"]');
    await page.waitForSelector('.setup');
    await look(page, `${name}, setting up`);
    for (const dialog of ['Settings', 'Keys']) {
      await page.click(`#tools [aria-label="${dialog}"]`);
      await page.waitForSelector('dialog[open]');
      await look(page, `${name}, ${dialog}`);
      await page.keyboard.press('Escape');
    }
  });

  walk(`boards and tabs, ${name}`, async (visitors) => {
    const page = await visitors.add(seen);
    for (const [at, game] of GAMES.entries()) {
      const played = await playout(game, at + 51, 12);
      await open(page, `#g=${game}&m=${played.join(',')}`);
      await shows(page, played);
      await page.click('#tab-play');
      await shot(page, `${game}-${name}`);
      await look(page, `${name}, ${game}`);
      // The tabs are the same for all games but for what is in them.
      for (const tab of ['analyse', 'review', 'record', 'learn']) {
        await page.click(`#tab-${tab}`);
        await until(page, `${tab} is there`, (id) => document.querySelector(`#pane-${id}`).textContent.length > 20, tab);
        // Folded parts must be accessible too.
        if (tab === 'analyse' && game === 'twixt') await slowMotion(page);
        if (tab === 'record') for (const part of await page.$$('#pane-record details:not([open]) > summary')) await part.click();
        await look(page, `${name}, ${game}, ${tab}`);
      }
    }
  });
}
