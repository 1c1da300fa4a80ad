// Puts the page without a server together: page, module and data in one folder named by its content, and what finds them.
//   node scripts/page/site.mjs ENGINE OUT [--quick]        ENGINE is the folder that wasm-bindgen wrote; scripts/site calls this

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { sha, stamp } from './stamp.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const [engine, out, quick] = process.argv.slice(2);
if (!engine || !out) throw new Error('usage: node scripts/page/site.mjs ENGINE OUT [--quick]');

/** What is fetched only when an agent needs it. */
const DATA = { weights: /./, strategies: /\.strategy$/ };
/** What a browser fetches at the first visit, so that every game can be played without a connection; the rest is fetched afterwards. */
const LATER = /^(data\/strategies|api)\//;
/** Texts and programs become smaller; weights hardly do. */
const PACKED = /\.(html|js|css|svg|json|webmanifest|wasm|toml|csv|safetensors|strategy)$/;

/** The most kilobytes, compressed, that the first visit to the page of a game may fetch. The module of a quick site is larger, and compressed less. */
const MOST = quick ? 1400 : 900;

const walk = (folder, at = '') => readdirSync(join(folder, at), { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? walk(folder, join(at, entry.name)) : [join(at, entry.name)])).sort();

/** The files of the inner folder, by their paths in it. @type {Map<string, Buffer>} */
const files = new Map();
const add = (path, content) => files.set(path, Buffer.from(content));
// Scripts and styles without their indentation; no text of theirs has lines that begin with spaces.
for (const folder of ['bundle', 'css']) for (const path of walk(join(ROOT, 'web', folder))) add(`${folder}/${path}`, readFileSync(join(ROOT, 'web', folder, path), 'utf8').replace(/^ +/gm, ''));
add('icon.svg', readFileSync(join(ROOT, 'web/icon.svg')));
for (const path of walk(join(ROOT, 'web/icons'))) add(`icons/${path}`, readFileSync(join(ROOT, 'web/icons', path)));
for (const file of ['engine.js', 'engine_bg.wasm']) add(`engine/${file}`, readFileSync(join(engine, file)));
add('engine/worker.js', readFileSync(join(ROOT, 'web/js/local/worker.js')));

const list = {};
for (const [folder, wanted] of Object.entries(DATA)) {
  for (const path of walk(join(ROOT, 'data', folder)).filter((path) => wanted.test(path))) {
    const bytes = readFileSync(join(ROOT, 'data', folder, path));
    add(`data/${folder}/${path}`, bytes);
    list[`${folder}/${path}`] = { sha256: sha(bytes) };
  }
}
add('files.json', JSON.stringify(list));

// The reports, as the server lists them.
const REPORTS = join(ROOT, 'crates/server/reports');
const reports = readdirSync(REPORTS, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => {
  const own = readdirSync(join(REPORTS, name)).filter((file) => file.endsWith('.svg')).sort();
  for (const file of own) add(`api/reports/${name}/${file}`, readFileSync(join(REPORTS, name, file)));
  const markdown = readFileSync(join(REPORTS, name, 'report.md'), 'utf8');
  add(`api/reports/${name}.json`, JSON.stringify({ name, source: 'shipped', files: own, report: null, markdown }));
  const after = (mark) => markdown.split('\n').find((line) => line.startsWith(mark))?.slice(mark.length) ?? null;
  return { name, source: 'shipped', files: own, title: after('# '), verdict: after('**Verdict:** ') };
}).sort((a, b) => (a.name < b.name ? -1 : 1));
add('api/reports.json', JSON.stringify({ reports, more: false }));

const CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'";
/** The colours of the page's head, which a browser gives to what surrounds it. */
const HEAD = { light: '#FFFDF9', dark: '#1D1F25' };

/** The page, for a folder of this name. */
function pageOf(version) {
  const at = (path) => `${version}/${path}`;
  const page = readFileSync(join(ROOT, 'web/index.html'), 'utf8')
    .replace('<html lang="en"', `<html lang="en" data-site="${version}/"`)
    .replace('<meta charset="utf-8">', `<meta charset="utf-8">\n  <meta http-equiv="Content-Security-Policy" content="${CSP}">`)
    .replace(/ *<link rel="preload" href="\/api\/games".*\n/, [
      `  <link rel="preload" href="${at('engine/engine_bg.wasm')}" as="fetch" type="application/wasm" crossorigin>\n`,
      `  <link rel="preload" href="${at('files.json')}" as="fetch" crossorigin>\n`,
      `  <link rel="modulepreload" href="${at('bundle/local-transport.js')}">\n`,
      '  <link rel="manifest" href="manifest.webmanifest">\n',
      `  <link rel="apple-touch-icon" href="${at('icons/touch-180.png')}">\n`,
      ...Object.entries(HEAD).map(([scheme, colour]) => `  <meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">\n`),
    ].join(''))
    .replace(/(href|src)="(icon\.svg|css\/|bundle\/)/g, `$1="${version}/$2`);
  if (!page.includes('data-site=') || !page.includes('rel="manifest"') || /(href|src)="\//.test(page)) throw new Error('web/index.html is not as this expects it');
  return page;
}

const manifestOf = (version) => ({
  name: 'quintet', short_name: 'quintet', description: 'Play, watch, analyse, review and learn Pathwayz, Pylos, TwixT, Pentago-Twist and Pentago.',
  start_url: './', scope: './', id: './', display: 'standalone', background_color: '#F4EFE6', theme_color: HEAD.light,
  icons: [
    { src: `${version}/icons/icon-192.png`, sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: `${version}/icons/icon-512.png`, sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: `${version}/icons/maskable-512.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: `${version}/icon.svg`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
});

/** The service worker, with all files and the beginnings of their sums. */
function workerOf(version) {
  const all = [...files].map(([path, content]) => [path, [`${version}/${path}`, sha(content).slice(0, 16)]]);
  const some = (later) => JSON.stringify(all.filter(([path]) => LATER.test(path) === later).map(([, entry]) => entry));
  return readFileSync(join(ROOT, 'web/js/local/offline-worker.js'), 'utf8')
    .replace("'VERSION'", JSON.stringify(version)).replace("['FIRST']", some(false)).replace("['LATER']", some(true));
}

const { version, outside } = stamp(files, (name) => ({ 'index.html': pageOf(name), 'manifest.webmanifest': JSON.stringify(manifestOf(name), null, 2), 'sw.js': workerOf(name) }));
const at = (path) => `${version}/${path}`;

rmSync(out, { recursive: true, force: true });
const write = (path, content) => {
  const place = join(out, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
  if (!PACKED.test(path) || content.length < 1000) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: quick ? 5 : content.length > 5e5 && !path.endsWith('.wasm') ? 9 : 11 } };
  for (const [ending, packed] of [['br', brotliCompressSync(content, quality)], ['gz', gzipSync(content, { level: 9 })]]) if (packed.length < 0.95 * content.length) writeFileSync(`${place}.${ending}`, packed);
};
for (const [path, content] of files) write(at(path), content);
for (const [path, content] of Object.entries(outside)) write(path, Buffer.from(content));
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(ROOT, licence), join(out, licence));

const size = (path) => statSync(existsSync(join(out, `${path}.br`)) ? join(out, `${path}.br`) : join(out, path)).size;
const kilobytes = (paths) => Math.round(paths.reduce((sum, path) => sum + size(path), 0) / 1000);
const game = ['index.html', ...['css/board.css', 'css/page.css', 'css/parts.css', 'bundle/main.js', 'bundle/game.js', 'bundle/local-transport.js', 'files.json', 'engine/engine.js', 'engine/engine_bg.wasm',
  'engine/worker.js', 'icon.svg'].map(at)];
const [first, later] = [false, true].map((late) => [...files.keys()].filter((path) => LATER.test(path) === late).map(at));
console.log(`${out}: version ${version}, ${files.size} files (from ${basename(engine)})`);
console.log(`compressed: the page of a game ${kilobytes(game)} kB of at most ${MOST} kB, ${kilobytes([at('engine/engine_bg.wasm')])} kB of them the module; all that works offline ${kilobytes(first)} kB, and what is fetched afterwards ${kilobytes(later)} kB`);
if (kilobytes(game) > MOST) {
  console.error(`the page of a game has become too large: profile \`site\` in Cargo.toml and CONTRIBUTING.md say what helps`);
  process.exitCode = 1;
}
