// Walks that are programs of their own, as tests: each against the server of its test.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { server } from './harness.mjs';

/** Runs one, which must succeed. @param {string} file */
export async function held(file) {
  const { url } = await server();
  const child = spawn(process.execPath, [file, url], { cwd: fileURLToPath(new URL('.', import.meta.url)), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((good) => child.on('exit', good));
  assert.equal(code, 0, said);
}
