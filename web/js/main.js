// The page begins here: it reads its address, shows what the address names, and keeps the address true. What a first move does not need is loaded when
// somebody wants it.

import { Analyse } from './analyse.js';
import * as api from './api.js';
import { Desk } from './desk.js';
import { button, byId, el, fill } from './dom.js';
import { Engine } from './engine.js';
import { listen, showKeys, toggleZen } from './keys.js';
import { Learn } from './learn.js';
import { freshId, keptGames } from './library.js';
import * as link from './link.js';
import { Match } from './match.js';
import { Panel } from './panel.js';
import { Play } from './play.js';
import { showPrefs, turnTheme } from './prefs.js';
import { Record } from './record.js';
import { RoomSession } from './room.js';
import { attempt, count, fail, note } from './say.js';
import { Session } from './session.js';
import { dressPage, read } from './settings.js';
import { socket } from './socket.js';
import { titleOf } from './spec.js';
import { Stage } from './stage.js';

/** Where this window was: a reload finds notes and players of a game that only this browser knows. */
const HERE = 'quintet.here';

class Page {
  /** @param {import('./types.js').GameInfo[]} games */
  constructor(games) {
    this.games = games;
    this.desk = new Desk(games);
    this.engine = new Engine(this.desk);
    this.match = new Match(this.desk);
    this.stage = new Stage(byId('stage'), this.desk, this.engine);
    /** @type {import('./review.js').Review|null} */
    this.review = null;
    this.record = new Record(this.desk);
    const learn = new Learn(this.desk, (game) => attempt(async () => (await import('./setup.js')).quick(game, 1)));
    const review = el('div');
    const tabs = [
      { id: 'play', title: 'Play', element: new Play(this.desk, this.match).element }, { id: 'analyse', title: 'Analyse', element: new Analyse(this.desk, this.engine).element },
      { id: 'review', title: 'Review', element: review, shown: () => attempt(() => this.loadReview(review)) }, { id: 'record', title: 'Record', element: this.record.element, shown: () => this.record.update() },
      { id: 'learn', title: 'Learn', element: learn.element, shown: () => learn.opened() },
    ];
    this.panel = new Panel(byId('panel'), tabs);
    this.learn = learn;
    /** The address that we wrote ourselves. */
    this.written = '';
    this.desk.addEventListener('open', () => this.show('table'));
    this.desk.addEventListener('change', () => this.address());
    addEventListener('hashchange', () => location.hash !== this.written && this.go());
    const { desk, engine, panel, match } = this;
    listen({ desk, engine, panel, match, review: () => this.review, importer: this.record.importer, box: this.stage.box, shown: () => !byId('table').hidden });
  }

  /** @param {HTMLElement} place */
  async loadReview(place) {
    if (this.review) return;
    const { Review } = await import('./review.js');
    this.review ??= new Review(this.desk);
    this.review.changed();
    fill(place, [this.review.element]);
  }

  /** @param {'table'|'page'} what */
  show(what) {
    byId('table').hidden = what !== 'table';
    byId('page').hidden = what !== 'page';
    if (what === 'page') document.body.classList.remove('zen');
  }

  /** Shows what the address names. */
  async go() {
    const address = link.parse(location.hash);
    this.written = location.hash;
    for (const one of document.querySelectorAll('nav a')) {
      const page = /** @type {HTMLElement} */ (one).dataset.page;
      one.toggleAttribute('aria-current', address.kind === 'page' ? address.page === page : address.kind === 'start' && page === 'start');
    }
    await attempt(() => this.open(address));
  }

  /** @param {link.Address} address */
  async open(address) {
    switch (address.kind) {
      case 'game':
        return this.openGame(address);
      case 'room':
        return this.openRoom(address.room, address.token);
      case 'bad':
        await this.startPage();
        return fail(address.why);
      case 'page': {
        this.leaveTable();
        const page = byId('page');
        document.title = `${address.page} – quintet`;
        if (address.page === 'games') return (await import('./mygames.js')).showGames(page, this.games, (session) => this.desk.open(session));
        if (address.page === 'about') return (await import('./about.js')).showAbout(page);
        if (address.page === 'puzzles') return (await import('./about.js')).showPuzzles(page);
        await this.startPage();
        return fail(`There is no page called “${address.page.slice(0, 40)}”.`);
      }
      default:
        return this.startPage();
    }
  }

  async startPage() {
    this.leaveTable();
    document.title = 'quintet';
    const { showStart } = await import('./start.js');
    showStart(byId('page'), this.games, (session) => this.desk.open(session));
  }

  /** The engine and the match rest while another page is shown. */
  leaveTable() {
    this.engine.turn(false);
    this.match.pause();
    this.show('page');
    scrollTo(0, 0);
  }

  /** @param {Extract<link.Address, {kind:'game'}>} address */
  async openGame({ game, from, moves, ply, tab }) {
    const here = read(HERE, { hash: '', id: '' });
    const kept = here.hash === location.hash ? keptGames().find(({ id }) => id === here.id) : undefined;
    let session = new Session({ game, from, moves, id: kept?.id ?? freshId(), seats: kept?.seats, notes: kept?.notes });
    try {
      await session.begin(ply);
    } catch (why) {
      // A link with a bad move still has the moves before it.
      if (!(why instanceof api.Refusal) || !why.state) {
        await this.startPage();
        throw why;
      }
      session = new Session({ game, from, moves: why.state.moves, id: freshId() });
      await session.begin(null);
      fail(`${why.message} What stands before it is shown.`);
    }
    if (ply !== null && ply > session.line.length) note(`The game has only ${count(session.line.length, 'move')}.`);
    this.desk.open(session);
    if (tab) this.panel.open(['play', 'analyse', 'review', 'record', 'learn'].includes(tab) ? tab : 'play');
  }

  /**
   * @param {string} room
   * @param {string|undefined} token
   */
  async openRoom(room, token) {
    const session = new RoomSession(room);
    if (token) {
      // The key goes out of the address, so that who copies the address gives no seat away.
      history.replaceState(null, '', (this.written = `#room=${room}`));
      await attempt(() => session.accept(token));
    }
    try {
      await session.join();
    } catch (why) {
      await this.startPage();
      throw why;
    }
    this.desk.open(session);
    if (this.panel.current === 'learn') this.panel.open('play');
    if (!session.mine.length && session.seats.some((seat) => seat.who === 'person')) note('You are watching this game.');
  }

  /** Keeps the address true while a game of our own goes on. */
  address() {
    const session = this.desk.session;
    if (!session || byId('table').hidden) return;
    const title = titleOf(this.games, session.game);
    document.title = `${title} – quintet`;
    byId('heading').textContent = title;
    const hash = session.room ? `#room=${session.room}` : link.write({ game: session.game, from: session.from, moves: session.line, ply: session.branch ? session.branch.at : session.ply });
    if (hash.length > link.LONGEST_LINK || hash === location.hash) return this.remember(hash);
    this.written = hash;
    // From another page this is a step that the back button undoes; from move to move it is not.
    if (link.parse(location.hash).kind === (session.room ? 'room' : 'game')) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
    this.remember(hash);
  }

  /** @param {string} hash */
  remember(hash) {
    try {
      localStorage.setItem(HERE, JSON.stringify({ hash, id: this.desk.session?.id ?? '' }));
    } catch {
      // Without storage a reload only forgets the notes.
    }
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

function tools() {
  const theme = button('◐', () => note(`Theme: ${turnTheme()}.`), { 'aria-label': 'Theme: system, light, dark', title: 'Theme' });
  fill(byId('tools'), [theme, button('⤢', toggleZen, { 'aria-label': 'Zen: board only', title: 'z' }), button('?', showKeys, { 'aria-label': 'Keys', title: 'Keys' }),
    button('⚙', showPrefs, { 'aria-label': 'Settings', title: 'Settings' })]);
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    const grid = '#table:not([hidden]) [role=grid]';
    const board = /** @type {HTMLElement|null} */ (document.querySelector(`${grid} [tabindex="0"]`) ?? document.querySelector(grid));
    (board ?? byId('main')).focus();
  });
}

async function begin() {
  dressPage();
  tools();
  try {
    const page = new Page(await api.games());
    watchConnection();
    await page.go();
  } catch (why) {
    fill(byId('page'), [el('h1', {}, 'quintet'), el('p', {}, why instanceof Error ? why.message : String(why)), button('Try again', () => location.reload(), { class: 'main' })]);
    byId('page').hidden = false;
    fail(why);
  }
}

begin();
