// Tests of the page's pure functions: node --test scripts/page/units.test.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { cellsOf, linked, relinked } from '../../web/js/editor.js';
import { scoreText } from '../../web/js/boards/text.js';
import { accuracy, fromDone, fromExact, fromOutcome, fromPly, rightMoves, toughest, words } from '../../web/js/judge.js';
import { accepts, LESSONS } from '../../web/js/lessons/index.js';
import { mannerOf, nameOf, playerName } from '../../web/js/levels.js';
import { clock, clockName, countdown } from '../../web/js/clock.js';
import * as link from '../../web/js/link.js';
import { difficulty } from '../../web/js/puzzles.js';
import { lines, words as stepWords } from '../../web/js/slow.js';
import * as spec from '../../web/js/spec.js';

const done = (more) => ({ move: 'a1', value: 0.6, win: 0.5, draw: 0.2, proven: null, pv: [], nodes: 1, depth: 1, ms: 1, ...more });
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test('a value is that of the first player, whoever moves', () => {
  near(fromDone(done({}), 'first').value, 0.6);
  near(fromDone(done({}), 'second').value, 0.4);
  assert.equal(fromDone(done({ proven: 'win' }), 'second').exact, 'loss');
  assert.equal(fromDone(done({ win: null, draw: null, value: 3 }), 'second').score, -3);
  assert.equal(fromDone(done({ win: null, draw: null, value: 3 }), 'first').value, null);
});

test('an ending is exact, a resignation is not', () => {
  assert.equal(fromOutcome({ outcome: 'second', reason: 'five' }).value, 0);
  assert.equal(fromOutcome({ outcome: 'draw', reason: 'full' }).value, 0.5);
  assert.equal(fromOutcome({ outcome: 'first', reason: 'resigned' }), null);
  assert.equal(fromOutcome({ outcome: null }), null);
});

test('a reviewed move tells how it stood before it', () => {
  const ply = (player, proven = null) => ({ number: 1, player, move: 'a1', before: 0.7, draw: 0.1, after: 0.5, loss: 0.2, class: 'mistake', best: 'b1', line: [], proven });
  near(fromPly(ply('first')).value, 0.7);
  near(fromPly(ply('second')).value, 0.3);
  assert.deepEqual([fromPly(ply('second', 'win')).exact, fromPly(ply('first', 'win')).exact, fromPly(ply('first')).exact], ['loss', 'win', null]);
});

const proof = (outcome, distance, ...moves) => ({ known: true, outcome, distance, by: 'a test', moves: moves.map(([move, outcome, distance = null]) => ({ move, outcome, distance })) });

test('right moves keep the value, and win as soon as can be', () => {
  const right = (known) => rightMoves(known).map(({ move }) => move);
  assert.deepEqual(right(proof('win', 3, ['a', 'win', 5], ['b', 'win', 3], ['c', 'draw'], ['d', 'win', 3])), ['b', 'd']);
  assert.deepEqual(right(proof('win', null, ['a', 'win'], ['b', 'win'])), ['a', 'b']);
  assert.deepEqual(right(proof('draw', null, ['a', 'loss', 9], ['b', 'draw'])), ['b']);
  assert.deepEqual(right(proof('loss', 4, ['a', 'loss', 4], ['b', 'loss', 2])), ['a', 'b']);
});

test('the defence holds out as long as it can', () => {
  assert.equal(toughest(proof('loss', 4, ['a', 'loss', 2], ['b', 'loss', 4], ['c', 'loss', 3])).move, 'b');
  assert.equal(toughest(proof('draw', null, ['a', 'loss', 40], ['b', 'draw'])).move, 'b');
  assert.equal(toughest(proof('win', 1, ['a', 'win', 5], ['b', 'win', 1], ['c', 'draw'])).move, 'b');
  assert.equal(toughest(proof('loss', 0)), null);
});

test('an exact value is that of the first player', () => {
  assert.equal(words(fromExact(proof('win', 17), 'second'), 'second'), 'wins in 17');
  assert.equal(fromExact(proof('win', 17), 'second').value, 0);
});

test('levels say what was measured, or that nothing was', () => {
  const level = { game: 'pylos', level: 4, agent: 'level:4', spec: 'random', strength: null };
  assert.equal(nameOf(level), 'Level 4, not yet measured');
  assert.equal(nameOf({ ...level, strength: '1180 +- 25' }), 'Level 4, 1180 ±25');
  assert.deepEqual(['level:8', 'pylos:ordered'].map(playerName), ['Level 8', 'ordered']);
});

test('how a level plays is what it is made of', () => {
  const manner = (spec) => mannerOf({ spec });
  assert.equal(manner('puct(eval=net,visits=1,slips=1,slip-temperature=2.2)'), 'Plays every move on a wild hunch, and may miss a win in one.');
  assert.equal(manner('puct(eval=net,visits=2,slips=0.08,slip-temperature=1,sees-wins=yes)'), 'Plays 8 % of its moves on a hunch, but never misses a win in one.');
  assert.equal(manner('pylos:champion(visits=3000,sees-wins=yes)'), 'Weighs up to 3000 positions before each move, and never misses a win in one.');
  assert.equal(manner('random'), '');
  for (const game of ['pathwayz', 'pylos', 'twixt', 'pentago', 'pentago-twist']) {
    const specs = [...readFileSync(new URL(`../../data/levels/${game}.toml`, import.meta.url), 'utf8').matchAll(/agent = "(.*)"/g)].map(([, spec]) => manner(spec));
    assert.equal(specs.length, 8);
    specs.forEach((text, at) => assert.match(text, at < 3 ? /may miss a win in one\.$/ : /never misses a win in one\.$/, `${game}, level ${at + 1}`));
  }
});

test('a score is short and has a sign; the end of a game is a word', () => {
  assert.deepEqual([0, 1.23456, -0.5, 1e6, -2e6].map(scoreText), ['0', '+1.23', '−0.5', 'won', 'lost']);
});

test('accuracy falls with losses, and most with a decisive one', () => {
  assert.equal(accuracy([0, 0]), 100);
  near(accuracy([0, 0.5]), (100 * (1 + Math.exp(-2)) / 2 + 200 / (1 + Math.exp(2))) / 2);
  assert.equal(accuracy([]), null);
});

test('verdicts in words', () => {
  assert.equal(words({ value: 1, draw: 0, exact: 'win', distance: 17, score: null }, 'first'), 'wins in 17');
  assert.equal(words({ value: 1, draw: 0, exact: 'win', distance: 17, score: null }, 'second'), 'loses in 17');
  assert.equal(words({ value: 0.254, draw: null, exact: null, distance: null, score: null }, 'second'), '75 %');
  assert.equal(words({ value: null, draw: null, exact: null, distance: null, score: 2 }, 'second'), 'score -2');
});

test('clocks in figures and in words', () => {
  assert.deepEqual([0, 59_999, 60_000, 3_600_000].map(clock), ['0:00', '0:59', '1:00', '60:00']);
  // What is left is never nothing before it is over.
  assert.deepEqual([0, 1, 9_400, 9_999, 10_000, 10_001, 299_001].map(countdown), ['0:00.0', '0:00.1', '0:09.4', '0:09.9', '0:10', '0:11', '5:00']);
  assert.equal(clockName({ main_ms: 300_000, increment_ms: 3000 }), '5 minutes, 3 s more per move');
  assert.deepEqual([60_000, 90_000, 1000].map((main_ms) => clockName({ main_ms, increment_ms: 0 })), ['1 minute', '1.5 minutes', '1 second']);
});

test('a link says what was written into it', () => {
  const places = [
    { game: 'pylos', from: null, moves: [], ply: 0 },
    { game: 'pylos', from: null, moves: ['1b2', '1d4^2a1', '1b3-1b3-1a2'], ply: 1 },
    { game: 'twixt(size=8,swap=off)', from: '#......#/.r....../#......# b2d3,c4e5 r', moves: ['d4'], ply: 1 },
  ];
  for (const place of places) {
    const read = link.parse(link.write(place));
    assert.equal(read.kind, 'game');
    assert.deepEqual({ ...place, ply: read.ply ?? place.moves.length }, { game: read.game, from: read.from, moves: read.moves, ply: place.ply });
  }
});

test('bad links are told, not thrown', () => {
  for (const bad of ['#zz', '#g=pylos&p=x', '#g=pylos&p=-1', '#%', '#room=../x', '#g=']) {
    const read = link.parse(bad);
    assert.equal(read.kind, 'bad', bad);
    assert.ok(read.why.length > 20);
  }
  assert.equal(link.parse('').kind, 'start');
  assert.deepEqual(link.parse('#puzzles'), { kind: 'page', page: 'puzzles', game: undefined });
  assert.deepEqual(link.parse('#puzzle=pylos-1'), { kind: 'puzzle', puzzle: 'pylos-1' });
  assert.equal(link.ofPath('/room/abc23', '#t=secret'), '#room=abc23&t=secret');
  assert.deepEqual([link.ofPath('/room/abc23', ''), link.ofPath('/', '#room=a')], ['#room=abc23', null]);
  assert.deepEqual(link.parse('#room=abc23&t=secret'), { kind: 'room', room: 'abc23', token: 'secret' });
});

test('specs come apart and together', () => {
  for (const text of ['pylos', 'twixt(size=8,swap=off)', 'pathwayz:beam(mode=printed,time=1s)']) {
    const { name, options } = spec.parse(text);
    assert.equal(spec.write(name, options), text);
  }
});

test('the editor knows where the cells of a text are', () => {
  const pylos = cellsOf('pylos', 'LD............../........./..../. l');
  assert.deepEqual(pylos.map((row) => row.length), [4, 4, 4, 4, 3, 3, 3, 2, 2, 1]);
  assert.deepEqual([pylos[0][1], pylos[1][0], pylos[4][0], pylos[9][0]].map(({ at, name }) => [at, name]), [[1, '1b1'], [4, '1a2'], [17, '2a1'], [32, '4a1']]);
  const pentago = cellsOf('pentago', 'x...../....../....../....../....../.....o x');
  assert.deepEqual(pentago[5][5], { at: 40, name: 'f6' });
});

test('the editor links pegs of TwixT as the rules do', () => {
  const text = '#....#/..r.../....../...r../....../#....# - b';
  assert.equal(linked(text, 'd4').split(' ')[1], 'd4c2');
  assert.equal(linked('#....#/..r.../....../....../....../#....# c2d4 b', 'd4').split(' ')[1], '-');
  assert.equal(relinked(linked(text, 'd4'), 'c2', 'd4').split(' ')[1], '-');
});

test('puzzles are as hard as they are long', () => {
  const hard = (distance, kind = 'only-win') => difficulty({ distance, kind });
  assert.deepEqual([hard(1), hard(3), hard(5), hard(null, 'only-draw'), hard(null, 'zugzwang')], [1, 2, 3, 2, 3]);
});

test('every game has a tutorial of six to ten steps', () => {
  for (const { game, steps } of LESSONS) assert.ok(steps.length >= 6 && steps.length <= 10, game);
  assert.ok(accepts(['1b2-*-*'], '1b2-1a1-1b1') && !accepts(['1b2-*-*'], '1b2-1a1') && accepts(['1d4^2a1'], '1d4^2a1') && !accepts(['e1'], 'e12'));
});

test('the line of every step of a trace, and what it says', () => {
  const steps = [{ enter: 'a1', window: [null, null] }, { enter: 'b2', window: [null, null] }, { leave: 3 }, { enter: 'c3', window: [null, 3] }, { leave: -2 }, { cut: true }, { leave: -2 },
    { enter: 'd4', window: [-2, null] }, { leave: 1e6 }, { depth: 2, value: 1e6 }];
  assert.deepEqual(lines(steps).map((line) => line.join(' ')), ['a1', 'a1 b2', 'a1 b2', 'a1 c3', 'a1 c3', 'a1 c3', 'a1', 'd4', 'd4', '']);
  const said = steps.map((step, i) => stepWords(step, lines(steps)[i]));
  assert.deepEqual([said[0], said[3], said[4], said[5], said[8], said[9]],
    ['tries a1', 'tries c3, between −∞ and 3', 'c3 is worth −2', 'cut off: c3 is enough after a1', 'd4 is won', 'depth 2 is finished: won']);
});
