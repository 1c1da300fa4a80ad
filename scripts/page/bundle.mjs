// Puts the modules of web/js together into a few files that a browser loads at once: web/bundle, which is committed and what the page loads.
//   node scripts/page/bundle.mjs         writes them
// web/sources.html is the same page with the modules as they are. A test compares what is committed with what this makes.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

/** What every visit begins with; and a game with all boards, since the address of a room does not say whose it is. */
const FIRST = ['main.js', 'start.js'];
const GAME = ['game-page.js', 'boards/pathwayz.js', 'boards/pylos.js', 'boards/twixt.js', 'boards/pentago.js'];

const IMPORT = /^import (?:\{([^}]*)\}|\* as (\w+)) from '([^']+)';$/gm;
const EXPORT = /^export (?:async )?(?:const|function|class) (\w+)/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;

/** The text of a module without comments; strings of this page hold none. */
const bare = (text) => text.replace(/^\s*\/\/.*$/gm, '').replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/[ \t]+$/gm, '').replace(/\n{2,}/g, '\n').trim();

/** The name of a module that another one names. */
const resolve = (from, path) => posix.normalize(posix.join(posix.dirname(from), path));

function readModule(name) {
  const whole = readFileSync(join(WEB, 'js', name), 'utf8');
  const text = bare(whole);
  for (const part of [IMPORT, EXPORT]) if (whole.match(part)?.length !== text.match(part)?.length) throw new Error(`${name} loses code with its comments`);
  const imports = [...text.matchAll(IMPORT)].map(([, , , path]) => resolve(name, path));
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, path]) => resolve(name, path));
  const exported = [...text.matchAll(EXPORT)].map(([, own]) => own);
  const body = text
    .replace(IMPORT, (_, names, all, path) => `const ${all ?? `{${names.replace(/ as /g, ': ')}}`} = need('${resolve(name, path)}');`)
    .replace(DYNAMIC, (_, path) => `load('${resolve(name, path)}')`)
    .replace(/^export \{\};$/gm, '')
    .replace(/^export /gm, '');
  if (/^(import|export)\b/m.test(body)) throw new Error(`${name} has an import or export that the bundle does not know`);
  return { imports, dynamic, text: `define('${name}', (given) => {\n${body}\nObject.assign(given, { ${exported.join(', ')} });\n});\n` };
}

const RUNTIME = `const [known, made] = [new Map(), new Map()];
export const define = (name, make) => known.has(name) || known.set(name, make);
export function need(name) {
  if (!made.has(name)) {
    made.set(name, {});
    known.get(name)(made.get(name));
  }
  return made.get(name);
}
export async function load(name) {
  if (!known.has(name)) await import(CHUNKS[name]);
  return need(name);
}
`;

/** All files of the bundle, by their paths in web. @returns {Map<string, string>} */
export function bundle() {
  /** @type {Map<string, ReturnType<typeof readModule>>} */
  const modules = new Map();
  /** A module and all that it needs, what comes first first. A circle could not be put in order. */
  const closure = (name, path = [], found = new Set()) => {
    if (path.includes(name)) throw new Error(`modules need each other in a circle: ${[...path, name].join(', ')}`);
    if (found.has(name)) return found;
    if (!modules.has(name)) modules.set(name, readModule(name));
    for (const other of modules.get(name).imports) closure(other, [...path, name], found);
    return found.add(name);
  };
  const all = (names) => new Set(names.flatMap((name) => [...closure(name)]));
  const first = all(FIRST);
  const game = new Set([...all(GAME)].filter((name) => !first.has(name)));
  /** Where a module is that is loaded when it is wanted. */
  const chunks = new Map();
  const files = new Map([['game.js', { names: [...game], also: [] }]]);
  const wanted = () => [...modules.values()].flatMap(({ dynamic }) => dynamic).find((name) => !first.has(name) && !chunks.has(name));
  for (let name = wanted(); name; name = wanted()) {
    const needs = [...closure(name)].filter((one) => !first.has(one));
    const file = game.has(name) ? 'game.js' : name.replaceAll('/', '-');
    chunks.set(name, `./${file}`);
    // What it shares with games comes with them.
    if (!files.has(file)) files.set(file, { names: needs.filter((one) => !game.has(one)), also: needs.some((one) => game.has(one)) ? ["import './game.js';\n"] : [] });
  }
  const write = (names) => names.map((name) => modules.get(name).text).join('');
  const table = `const CHUNKS = ${JSON.stringify(Object.fromEntries(chunks))};\n`;
  const result = new Map([['bundle/main.js', `${RUNTIME}${table}${write([...first])}need('main.js');\n`]]);
  for (const [file, { names, also }] of files) result.set(`bundle/${file}`, `import { define, need, load } from './main.js';\n${also.join('')}${write(names)}`);
  const sources = readFileSync(join(WEB, 'index.html'), 'utf8').replace('bundle/main.js', 'js/main.js').replace(/ *<link rel="modulepreload".*\n/, '');
  return result.set('sources.html', sources);
}

/** What is committed: every file of the bundle that there is. */
export function committed() {
  const files = new Map([['sources.html', readFileSync(join(WEB, 'sources.html'), 'utf8')]]);
  for (const file of readdirSync(join(WEB, 'bundle'))) files.set(`bundle/${file}`, readFileSync(join(WEB, 'bundle', file), 'utf8'));
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(join(WEB, 'bundle'), { recursive: true, force: true });
  for (const [path, text] of bundle()) {
    mkdirSync(dirname(join(WEB, path)), { recursive: true });
    writeFileSync(join(WEB, path), text);
  }
}
