// The steps of the tutorials against the rules: the position can be, accepted moves are legal, and end the game where the text says so.

import assert from 'node:assert/strict';

import { accepts, LESSONS } from '../../web/js/lessons/index.js';
import { server, walk } from './harness.mjs';

async function faultsOf(lesson, step) {
  const place = { game: step.game ?? lesson.game, position: step.position ?? null, moves: step.moves ?? [] };
  const ask = async (moves) => (await server()).ask('position', { ...place, moves });
  const state = await ask(place.moves);
  if (state.error || state.outcome) return [state.error ?? `the game is over: ${state.outcome}`];
  const faults = step.accept.filter((pattern) => !state.legal.some((move) => accepts([pattern], move))).map((pattern) => `no legal move is ${pattern}`);
  for (const move of state.legal.filter((one) => accepts(step.accept, one))) {
    const after = await ask([...place.moves, move]);
    if ((step.ends ?? null) !== after.outcome) faults.push(`${move} ends as ${after.outcome}, not ${step.ends ?? null}`);
  }
  return faults;
}

for (const lesson of LESSONS) {
  walk(`the tutorial of ${lesson.game} is true`, async () => {
    for (const [at, step] of lesson.steps.entries()) assert.deepEqual(await faultsOf(lesson, step), [], `step ${at + 1}`);
  });
}
