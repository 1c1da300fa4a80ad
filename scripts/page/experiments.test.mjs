// Experiments of the papers, repeated from the page: listed, started, stopped, resumed, read.

import assert from 'node:assert/strict';

import { open, says, shot, until, walk } from './harness.mjs';

walk('an experiment is started on the page, and its report opens there', async (visitors) => {
  const page = await visitors.add();
  // At present no experiment waits for anything: one is made to.
  await page.route('**/api/experiments', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const { experiments } = await response.json();
    const waiting = (/** @type {{id:string}} */ one) => (one.id === 'twixt/zero' ? { ...one, ready: false, waits_for: 'a net' } : one);
    return route.fulfill({ response, json: { experiments: experiments.map(waiting) } });
  });
  await open(page, '#page=reports');
  await page.click('summary:text-is("Repeat an experiment")');
  await page.waitForSelector('.experiment', { state: 'attached' });
  await page.click('summary:has-text("TwixT (")');
  await says(page, '[data-id="twixt/zero"]', 'Waits for');
  assert.equal(await page.locator('[data-id="twixt/zero"] button').count(), 0, 'what cannot be repeated has no button');
  await page.getByLabel('Start twixt/live').click();
  await page.getByLabel('Report of twixt/live').click();
  await says(page, '.report', 'Watching the search');
  await until(page, 'all rows agree', () => document.querySelectorAll('.report .verdictchip.fine').length === 16);
  await page.click('text=All reports');
  await says(page, '.reportrow', 'Watching the search');
});

walk('one at a time; what is stopped goes on', async (visitors) => {
  const page = await visitors.add();
  await open(page, '#page=reports');
  await page.click('summary:text-is("Repeat an experiment")');
  await page.click('summary:has-text("Pentago-Twist (")');
  const row = '[data-id="pentago-twist/eval-ladder"]';
  await page.getByLabel('Start pentago-twist/eval-ladder').click();
  await until(page, 'games are counted', (place) => document.querySelector(`${place} progress`)?.value > 1, row);
  await page.getByLabel('Start pentago-twist/patterns').click();
  await says(page, '.complaint', 'is at work');
  await shot(page, 'experiments');
  await page.getByLabel('Stop pentago-twist/eval-ladder').click();
  await page.getByLabel('Continue pentago-twist/eval-ladder').click();
  await says(page, row, 'running');
  await page.getByLabel('Stop pentago-twist/eval-ladder').click();
  await says(page, row, 'stopped');
});
