// The design as docs/page/README.md has it: styles take colours, sizes of type, corners and distances from the few that are declared.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const CSS = fileURLToPath(new URL('../../web/css/', import.meta.url));
/** Boards stand alone in pictures and in the gallery, which has a style of its own. */
const SHEETS = readdirSync(CSS).filter((name) => name !== 'gallery.css');

/** Distances in pixels; 1 and 2 are for what belongs to one thing. */
const DISTANCES = [0, 1, 2, 4, 8, 12, 16, 24, 32, 48];

/** All declarations of the sheets. */
const declarations = SHEETS.flatMap((sheet) => {
  const text = readFileSync(CSS + sheet, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, name, value]) => ({ sheet, name, value: value.trim(), said: `${sheet}: ${name}: ${value.trim()}` }));
});
const wrong = (holds) => declarations.filter((one) => !holds(one)).map(({ said }) => said);

test('the sheets are read', () => {
  assert.ok(declarations.length > 1000, `${declarations.length} declarations`);
  assert.ok(declarations.some(({ name, value }) => name === '--accent' && value === 'light-dark(#1F6F66, #4DBCAC)'));
});

test('a colour is written where it gets its name, and nowhere else', () => {
  assert.deepEqual(wrong(({ name, value }) => name.startsWith('--') || !/#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|lab)a?\(|\b(white|black|gr[ae]y|red|green|blue|yellow|orange)\b/i.test(value.replace(/var\([^)]*\)/g, ''))), []);
});

test('type has the declared sizes', () => {
  const sized = /^(inherit|var\(--(tiny|little|text|big|title|display)(, 0\.8125rem)?\))$/;
  assert.deepEqual(wrong(({ name, value }) => name !== 'font-size' || sized.test(value)), []);
  assert.deepEqual(wrong(({ name, value }) => name !== 'font' || value === 'inherit' || /var\(--(tiny|little|text|big|title|display)\)/.test(value)), []);
});

test('corners are the declared ones', () => {
  assert.deepEqual(wrong(({ name, value }) => name !== 'border-radius' || value.replace(/var\(--(nick|inside|corner|round|pill)(, 10px)?\)/g, '0').split(' ').every((part) => ['0', '50%'].includes(part))), []);
});

test('distances are on the scale', () => {
  const distance = /^(padding|margin|gap|row-gap|column-gap|scroll-margin)(-|$)/;
  assert.deepEqual(wrong(({ name, value }) => !distance.test(name) || [...value.matchAll(/(?<![\w.])-?(\d+(?:\.\d+)?)px/g)].every(([, px]) => DISTANCES.includes(Number(px)))), []);
});

test('what is used is declared', () => {
  const declared = new Set(declarations.filter(({ name }) => name.startsWith('--')).map(({ name }) => name));
  // Those that scripts set.
  for (const name of ['--part', '--left', '--shape', '--ply', '--tint']) declared.add(name);
  const used = declarations.flatMap(({ value, said }) => [...value.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => ({ name, said })));
  assert.deepEqual(used.filter(({ name }) => !declared.has(name)).map(({ said }) => said), []);
});

test('each mark on a board has a colour of its own, the same in scripts and in pictures of the command line', () => {
  const of = (name) => declarations.find((one) => one.sheet === 'board.css' && one.name === name)?.value;
  const marks = ['--q-mark', '--q-hint', '--q-threat', '--q-win', '--q-ivory', '--q-chosen', '--q-turned'].map(of);
  assert.equal(new Set(marks).size, marks.length, marks.join());
  for (const path of ['../../web/js/boards/look.js', '../../crates/draw/src/look.rs']) {
    const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
    const named = (name) => new RegExp(`\\b${name}\\b.*?['"](#[0-9A-F]{6})['"]`).exec(text)?.[1];
    assert.deepEqual([named('YELLOW'), named('GREEN'), named('IVORY')], [of('--q-mark'), of('--q-win'), of('--q-ivory')], path);
  }
});
