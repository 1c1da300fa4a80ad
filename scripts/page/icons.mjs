// Draws web/icon.svg as the pictures that an installed page shows: web/icons, which are committed.   node scripts/page/icons.mjs
// Systems cut a maskable picture and that of a phone's start screen to shapes of their own, so these fill their square and keep clear of its corners.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
const icon = readFileSync(`${WEB}icon.svg`, 'utf8');
/** All of it within the middle four fifths, which no mask cuts. */
const full = icon.replace(/ rx="\d+"/, '').replace(/(<rect [^>]*>)(.*)(<\/svg>)/, '$1<g transform="translate(16 16) scale(0.8) translate(-16 -16)">$2</g>$3');
if (!full.includes('<g transform')) throw new Error('web/icon.svg is not as this expects it');

const browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
mkdirSync(`${WEB}icons`, { recursive: true });
for (const [name, picture, size] of [['icon-192', icon, 192], ['icon-512', icon, 512], ['maskable-512', full, 512], ['touch-180', full, 180]]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>html, body { margin: 0; background: transparent } svg { display: block; width: 100vw; height: 100vh }</style>${picture}`);
  writeFileSync(`${WEB}icons/${name}.png`, await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
