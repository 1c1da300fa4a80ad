// The page begins here: it reads its address and shows what the address names. What a page does not need is loaded on demand: the
// start page has no boards, a game has the board of that game.

import * as api from './api.js';
import { button, byId, el, fill } from './dom.js';
import { icon, iconButton } from './icons.js';
import * as link from './link.js';
import { attempt, fail, note } from './say.js';
import { dressPage } from './settings.js';
import { site } from './site.js';
import { socket } from './socket.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./game-page.js').GamePage} GamePage */

/** Pages of the lab, which is loaded as a whole. */
const LAB = ['lab', 'tournaments', ...(site === null ? ['training'] : []), 'reports'];

class Page {
  /** @param {import('./types.js').GameInfo[]} games */
  constructor(games) {
    this.games = games;
    /** @type {Promise<GamePage>|null} */
    this.loading = null;
    /** @type {GamePage|null} */
    this.gamePage = null;
    /** The address that we wrote ourselves. */
    this.written = '';
    addEventListener('hashchange', () => location.hash !== this.written && this.go());
  }

  /** The page of a game, loaded when a game is first opened. @returns {Promise<GamePage>} */
  loadGamePage() {
    this.loading ??= import('./game-page.js').then(({ GamePage }) => (this.gamePage = new GamePage(this)));
    return this.loading;
  }

  /** @param {Session} session */
  async openSession(session) {
    await (await this.loadGamePage()).gameView.open(session);
  }

  /** @param {'game'|'page'} what */
  show(what) {
    byId('game').hidden = what !== 'game';
    byId('page').hidden = what !== 'page';
    if (what === 'page') document.body.classList.remove('zen');
  }

  /** Shows what the address names. */
  async go() {
    const address = link.parse(location.hash);
    this.written = location.hash;
    const at = address.kind === 'page' ? address.page : address.kind === 'puzzle' ? 'puzzles' : address.kind;
    const here = LAB.includes(at) ? 'lab' : address.kind === 'game' && address.tab === 'learn' ? 'learn' : at === 'game' || at === 'room' ? 'start' : at;
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('nav a'))) {
      if (one.dataset.page === here) one.setAttribute('aria-current', 'page');
      else one.removeAttribute('aria-current');
    }
    menu(false);
    await attempt(() => this.open(address));
  }

  /** @param {link.Address} address */
  async open(address) {
    switch (address.kind) {
      case 'game':
        return (await this.loadGamePage()).openGame(address);
      case 'room':
        return (await this.loadGamePage()).openRoom(address.room, address.token);
      case 'puzzle':
        return (await this.loadGamePage()).openPuzzle(address.puzzle);
      case 'bad':
        await this.startPage();
        return fail(address.why);
      case 'page': {
        this.leaveGame();
        const page = byId('page');
        document.title = `${address.page} – quintet`;
        if (address.page === 'games') return (await import('./mygames.js')).showGames(page, this.games, (session) => this.openSession(session));
        if (address.page === 'about') return (await import('./about.js')).showAbout(page);
        if (address.page === 'learn') return (await import('./about.js')).showLessons(page, this.games);
        if (address.page === 'puzzles') return (await import('./puzzles.js')).showPuzzles(page, this.games);
        if (LAB.includes(address.page)) return (await import('./lab/lab.js')).showLab(page, address, this.games, (session) => this.openSession(session));
        await this.startPage();
        return fail(`There is no page called “${address.page.slice(0, 40)}”${site === null ? '' : ' without a server'}.`);
      }
      default:
        return this.startPage();
    }
  }

  async startPage() {
    this.leaveGame();
    document.title = 'quintet';
    const { showStart } = await import('./start.js');
    showStart(byId('page'), this.games, (session) => this.openSession(session));
  }

  leaveGame() {
    this.gamePage?.leave();
    this.show('page');
    scrollTo(0, 0);
  }
}

/** The banner of a broken connection: it goes when the connection is back, and nothing is lost meanwhile. */
function watchConnection() {
  const banner = byId('banner');
  let lost = false;
  socket.addEventListener('down', () => {
    lost = true;
    fill(banner, ['The connection to the server is lost. Trying again; nothing is lost. ', button('Try now', () => socket.open())]);
    banner.hidden = false;
  });
  socket.addEventListener('up', () => {
    banner.hidden = true;
    if (lost) note('The connection is back.');
    lost = false;
  });
  socket.open();
}

/** Things of every page that are loaded at the first use. */
const turnTheme = async () => note(`Theme: ${(await import('./prefs.js')).turnTheme()}.`);
const showPrefs = async () => (await import('./prefs.js')).showPrefs();
const showKeys = async () => (await import('./help.js')).showKeys();
const toggleZen = async () => (await import('./help.js')).toggleZen();

/** Shows or hides the pages on a screen that has no room for them. @param {boolean} open */
function menu(open) {
  byId('menu').setAttribute('aria-expanded', String(open));
  byId('pages').classList.toggle('open', open);
}

function tools() {
  fill(byId('tools'), [iconButton('theme', 'Theme: system, light, dark', () => attempt(turnTheme)), iconButton('zen', 'Zen: board only', () => attempt(toggleZen)),
    iconButton('keys', 'Keys', () => attempt(showKeys)), iconButton('settings', 'Settings', () => attempt(showPrefs))]);
  const button = byId('menu');
  fill(button, [icon('menu')]);
  button.addEventListener('click', () => menu(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '?' || typing || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    attempt(showKeys);
  });
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    const grid = '#game:not([hidden]) [role=grid]';
    const board = /** @type {HTMLElement|null} */ (document.querySelector(`${grid} [tabindex="0"]`) ?? document.querySelector(grid));
    (board ?? byId('main')).focus();
  });
}

async function begin() {
  const hash = link.ofPath(location.pathname, location.hash);
  if (hash) history.replaceState(null, '', `/${hash}`);
  dressPage();
  tools();
  // A game needs more than the page that it opens on: it comes while the list of games does.
  if (/^#(g|room|puzzle)=/.test(location.hash)) import('./game-page.js').catch(() => {});
  try {
    const page = new Page(await api.games());
    watchConnection();
    await page.go();
    if (site !== null) attempt(async () => (await import('./local/offline.js')).workOffline());
  } catch (why) {
    fill(byId('page'), [el('h1', {}, 'quintet'), el('p', {}, why instanceof Error ? why.message : String(why)), button('Try again', () => location.reload(), { class: 'main' })]);
    byId('page').hidden = false;
    fail(why);
  }
}

begin();
