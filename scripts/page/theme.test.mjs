// Light and dark are the system's, or chosen.

import assert from 'node:assert/strict';

import { open, says, walk } from './harness.mjs';

walk('light and dark: by the system and by choice', async (visitors) => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [day, night] = [await visitors.add({ colorScheme: 'light' }), await visitors.add({ colorScheme: 'dark' })];
  await open(day);
  await open(night);
  const [light, dark] = [await ground(day), await ground(night)];
  assert.notEqual(light, dark);
  const theme = '#tools [aria-label^="Theme"]';
  await night.click(theme);
  await says(night, '#slips', 'Theme: light');
  assert.equal(await ground(night), light);
  await night.click(theme);
  await says(night, '#slips', 'Theme: dark');
  assert.equal(await ground(night), dark);
  await night.reload();
  await night.waitForSelector('#page:not([hidden]) h1');
  assert.equal(await ground(night), dark, 'a choice is kept');
});
