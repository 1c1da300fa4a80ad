// The files that the page loads are made of its modules, and the page is small and begins quickly enough.

import assert from 'node:assert/strict';
import test from 'node:test';

import { bundle, committed } from './bundle.mjs';
import { open, server, walk } from './harness.mjs';

test('the committed bundle is what its modules make: node scripts/page/bundle.mjs', () => {
  const [made, kept] = [bundle(), committed()];
  assert.deepEqual([...kept.keys()].sort(), [...made.keys()].sort());
  for (const [path, text] of made) assert.ok(kept.get(path) === text, `${path} is old`);
});

/** Bytes over the wire of everything but answers of the API, and how many files that was. */
async function weigh(page, hash) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const [paths, seen] = [new Map(), { bytes: 0, files: 0 }];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // Pictures are answers of the API too, in a box of their own.
    if (!/^\/(?!api\/)/.test(paths.get(requestId) ?? '')) return;
    seen.bytes += encodedDataLength;
    seen.files += 1;
  });
  await open(page, hash);
  if (hash) await page.waitForSelector('.holder .q-live');
  return seen;
}

if (!process.env.QUINTET_WEB) {
  walk('a page weighs less than 130 KB, in a few files', async (visitors) => {
    for (const hash of ['', '#g=pathwayz', '#g=pylos', '#g=twixt', '#g=pentago']) {
      const page = await visitors.add();
      const { bytes, files } = await weigh(page, hash);
      assert.ok(bytes < 130 * 1024, `${hash}: ${bytes} bytes`);
      assert.ok(files <= 8, `${hash}: ${files} files`);
    }
  });
}

walk('the modules as they are do the same', async (visitors) => {
  const page = await visitors.add();
  await page.goto(`${(await server()).url}/sources.html#g=pylos&m=1b2`);
  await page.waitForSelector('.holder .q-live');
  assert.ok(await page.$('script[src="js/main.js"]'));
});
