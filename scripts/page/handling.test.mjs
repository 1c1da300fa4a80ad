// Input during motion, keys, records, looks and thoughts; puzzles and exact values against proofs that are made up.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { server, walk } from './harness.mjs';

/** A walk that is a program of its own, against the server of this test. */
async function held(file) {
  const { url } = await server();
  const child = spawn(process.execPath, [file, url], { cwd: fileURLToPath(new URL('.', import.meta.url)), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise((good) => child.on('exit', good));
  assert.equal(code, 0, said);
}

walk('hands, keys and looks', () => held('handling.mjs'));
walk('puzzles and exact values', () => held('puzzles.mjs'));
