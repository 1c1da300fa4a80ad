// Runs the files of tests, some at a time, and prints the result of each; the output of failed ones comes at the end.
// node run.mjs [NAME…]: those whose names are given, else all.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** Those that take longest come first, so that none of them runs alone at the end. */
const FIRST = ['lab-walk', 'access-light', 'access-dark', 'access-phone', 'access-states', 'games-keys', 'learn', 'games-mouse', 'keys', 'games-touch'];

const wanted = process.argv.slice(2);
const all = readdirSync(HERE).flatMap((file) => (file.endsWith('.test.mjs') ? [file.replace('.test.mjs', '')] : []));
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length) {
  console.error(`there are no tests called ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
const place = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
const left = (wanted.length ? wanted : all).sort((a, b) => place(a) - place(b) || a.localeCompare(b));
const failed = [];

/** No file takes as long as this unless it hangs. */
const LONGEST_MS = 15 * 60_000;
/** Everything that the tests leave: data of servers, profiles of browsers. */
const LITTER = mkdtempSync(join(tmpdir(), 'quintet-page-'));
const children = new Set();

/** Ends a file with its servers, which are in the same group. */
function end({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // They are gone already.
  }
}

/** Removes temporary files. An orphaned browser notices it only after a moment, and writes into its profile until then. */
function sweep() {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      return rmSync(LITTER, { recursive: true, force: true });
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

process.on('exit', () => {
  for (const child of children) end(child);
  sweep();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/** One file in a process of its own. */
function run(name) {
  return new Promise((done) => {
    const begun = Date.now();
    const child = spawn(process.execPath, ['--test-reporter=spec', `${name}.test.mjs`],
      { cwd: HERE, stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { ...process.env, TMPDIR: LITTER } });
    children.add(child);
    const hangs = setTimeout(() => end(child), LONGEST_MS);
    child.on('exit', () => end(child));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    child.on('close', (code) => {
      clearTimeout(hangs);
      children.delete(child);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}, ${((Date.now() - begun) / 1000).toFixed(0)} s`);
      if (code !== 0) failed.push({ name, said });
      done();
    });
  });
}

const hands = Math.min(4, Math.max(2, availableParallelism()));
await Promise.all(Array.from({ length: hands }, async () => {
  while (left.length) await run(left.shift());
}));
for (const { name, said } of failed) console.log(`\n== ${name}\n${said}`);
if (failed.length) console.log(`failed: ${failed.map(({ name }) => name).join(', ')}`);
process.exit(failed.length ? 1 : 0);
