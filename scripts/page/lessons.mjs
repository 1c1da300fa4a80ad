// Checks every step of the tutorials with a running server: the position can be, what is accepted is legal, and ends the game where it is said to.
// Usage: quintet serve --bind 127.0.0.1:8080 --no-browser & node scripts/page/lessons.mjs http://127.0.0.1:8080

import { accepts, LESSONS } from '../../web/js/lessons/index.js';

const server = process.argv[2] ?? 'http://127.0.0.1:8080';

/** The server's rate limit is for strangers; we stay below it. */
const PAUSE_MS = 30;

async function position(place) {
  await new Promise((go) => setTimeout(go, PAUSE_MS));
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${server}/api/position`, { method: 'POST', headers, body: JSON.stringify(place) })).json();
}

async function faultsOf(lesson, step) {
  const place = { game: step.game ?? lesson.game, position: step.position ?? null, moves: step.moves ?? [] };
  const state = await position(place);
  if (state.error || state.outcome) return [state.error ?? `the game is over: ${state.outcome}`];
  const faults = step.accept.filter((pattern) => !state.legal.some((move) => accepts([pattern], move))).map((pattern) => `no legal move is ${pattern}`);
  for (const move of state.legal.filter((one) => accepts(step.accept, one))) {
    const after = await position({ ...place, moves: [...place.moves, move] });
    if ((step.ends ?? null) !== after.outcome) faults.push(`${move} ends as ${after.outcome}, not ${step.ends ?? null}`);
  }
  return faults;
}

let [steps, bad] = [0, 0];
for (const lesson of LESSONS) {
  for (const [at, step] of lesson.steps.entries()) {
    steps += 1;
    for (const fault of await faultsOf(lesson, step)) {
      bad += 1;
      console.log(`${lesson.game}, step ${at + 1}: ${fault}`);
    }
  }
}
console.log(`${steps} steps, ${bad} faults`);
process.exit(bad ? 1 : 0);
