// Tests of the lab's pure functions: node --test scripts/page/lab.test.mjs

import assert from 'node:assert/strict';
import test from 'node:test';

import { ticks } from '../../web/js/lab/chart.js';
import { adding, compared, movesAt } from '../../web/js/lab/explain.js';
import { cells } from '../../web/js/lab/markdown.js';
import { reversed, signed, tidy, wilson } from '../../web/js/lab/parts.js';
import { csv } from '../../web/js/lab/tournament.js';
import { banded, groupsOf, progressWords, stagesOf } from '../../web/js/lab/training.js';

test('axes have round numbers that lie inside', () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(-0.3, 0.3, 4), [-0.2, 0, 0.2]);
  assert.deepEqual(ticks(0, 5000, 5), [0, 1000, 2000, 3000, 4000, 5000]);
  for (const [low, high] of [[0, 0], [3, 3.0001], [-1e6, 2e6], [1e-9, 2e-9]]) {
    const found = ticks(low, high, 5);
    assert.ok(found.length < 12 && found.every((at) => at >= low - 1e-9 && at <= Math.max(high, low + 1)), `${low} ${high}: ${found}`);
  }
});

test('numbers are short and keep their sign', () => {
  assert.deepEqual([0, 1.5, -2, 123456, 1e7, -0.00001].map(tidy), ['0', '1.5', '−2', '123500', '1.00e+7', '−1.00e-5']);
  assert.deepEqual([0, 1.5, -2].map(signed), ['0', '+1.5', '−2']);
});

test('results of the other side', () => {
  const wdl = { wins: 3, draws: 1, losses: 0, score: 0.875, interval: [0.5, 1] };
  assert.deepEqual(reversed(wdl), { wins: 0, draws: 1, losses: 3, score: 0.125, interval: [0, 0.5] });
  assert.deepEqual(reversed(reversed(wdl)), wdl);
});

test('terms are compared by name, and a new one was nothing before', () => {
  const before = { value: 5, terms: [{ name: 'a', value: 2, weight: 2 }, { name: 'bucket 1', value: 1, weight: null }] };
  const after = { value: 9, terms: [{ name: 'a', value: 3, weight: 2 }, { name: 'bucket 2', value: 3, weight: null }] };
  const rows = compared(before, after);
  assert.deepEqual(rows.map(({ name, value, then, adds, change }) => [name, value, then, adds, change]), [['a', 2, 3, 4, 2], ['bucket 1', 1, 0, 1, -1], ['bucket 2', 0, 3, 0, 3]]);
  // The changes sum to the difference of the values.
  assert.equal(rows.reduce((sum, { change }) => sum + change, 0), after.value - before.value);
  assert.ok(compared(before, null).every(({ change }) => change === 0));
});

test('terms that add nothing are not listed beside those that do', () => {
  const told = { value: 2, terms: [{ name: 'a', value: 1, weight: 2 }, { name: 'b', value: 5, weight: 0 }, { name: 'c', value: 0, weight: 3 }] };
  assert.deepEqual(adding(compared(told, null)).map(({ name }) => name), ['a']);
});

test('a pointed cell means a move of that cell', () => {
  assert.equal(movesAt(['a11', 'a1', 'b2'], 'a1'), 'a1');
  assert.equal(movesAt(['a11', 'b2'], 'a1'), undefined);
  assert.equal(movesAt(['c3q1l', 'c3q1r'], 'c3'), 'c3q1l');
  assert.equal(movesAt(['c4p', 'c4'], 'c4'), 'c4');
  assert.equal(movesAt(['1b2-1b2', '1c3'], '1b2'), '1b2-1b2');
});

test('cells of a Markdown row may hold bars', () => {
  assert.deepEqual(cells('| a | b \\| c | |'), ['a', 'b | c', '']);
});

test('metrics become a group of curves with bands', () => {
  const metrics = [{ at: 50, values: { 'win rate': 0.4, 'win rate~low': 0.3, 'win rate~high': 0.5, 'weight/a': 1 } }, { at: 100, values: { 'weight/a': 2, 'weight/b': 3 }, event: 'x' }];
  const groups = groupsOf(metrics);
  assert.deepEqual([...groups.keys()], ['win rate', 'weight']);
  assert.deepEqual(groups.get('win rate'), [{ name: 'win rate', points: [{ x: 50, y: 0.4, low: 0.3, high: 0.5 }] }]);
  assert.deepEqual(groups.get('weight').map(({ name, points }) => [name, points.map(({ x, y }) => [x, y])]), [['a', [[50, 1], [100, 2]]], ['b', [[100, 3]]]]);
});

test('a run counts the games that were asked for, and later stages apart', () => {
  assert.deepEqual(stagesOf({ games: 400, 'last-games': 500 }), [400, 500]);
  assert.deepEqual(stagesOf({ games: 100, 'last-games': 50, then: { games: 70 } }), [100, 50, 70, 50]);
  assert.deepEqual(stagesOf({ generations: 3 }), []);
  assert.equal(progressWords(240, [400, 500]), 'Stage 1 of 2: 240 of 400 games');
  assert.equal(progressWords(440, [400, 500]), 'Stage 2 of 2: 40 of 500 games');
  assert.equal(progressWords(7, [10]), '7 of 10 games');
  assert.equal(progressWords(7, []), '7 done');
});

test('a win rate has the interval of the games that it is a share of', () => {
  // Wilson's interval of 5 of 10, as tables have it.
  const [low, high] = wilson(0.5, 10);
  assert.ok(Math.abs(low - 0.2366) < 1e-4 && Math.abs(high - 0.7634) < 1e-4, `${low} ${high}`);
  const metrics = [{ at: 10, values: { 'win rate': 0.5 } }, { at: 10, values: {}, event: 'x' }, { at: 110, values: { 'win rate': 0.5 } }, { at: 120, values: { 'win rate': 0.5, 'win rate~low': 0.1, 'win rate~high': 0.9 } }];
  const found = banded(metrics).map(({ values }) => values['win rate~low']);
  assert.equal(found[0], low);
  assert.equal(found[1], undefined);
  assert.equal(found[2], wilson(0.5, 100)[0]);
  assert.equal(found[3], 0.1);
});

test('a table for other programs quotes what it must', () => {
  const wdl = { wins: 1, draws: 0, losses: 1, score: 0.5, interval: null };
  const text = csv({ pairings: [{ players: ['mcts(visits=5,c=1)', 'say "x"'], wdl, elo: null, elo_error: null, los: 0.5 }] });
  assert.equal(text.split('\n')[1], '"mcts(visits=5,c=1)","say ""x""",1,0,1,0.5,,,,,0.5');
});
