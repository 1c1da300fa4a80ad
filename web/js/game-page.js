// The page of a game: the board, what stands around it, and the tabs. It keeps the address up to date.

import * as api from './api.js';
import { Actions } from './actions.js';
import { GameView } from './game-view.js';
import { byId, el, fill } from './dom.js';
import { Engine } from './engine.js';
import { Headline } from './headline.js';
import { listen } from './keys.js';
import { freshId, keptGames } from './library.js';
import * as link from './link.js';
import { Match } from './match.js';
import { MoveList } from './movelist.js';
import { Panel } from './panel.js';
import { Play } from './play.js';
import { Refusal } from './refusal.js';
import { RoomSession } from './room.js';
import { attempt, count, fail, note } from './say.js';
import { Session } from './session.js';
import { read, settings, write } from './settings.js';
import { indexOf, infoOf, titleOf } from './spec.js';
import { Stage } from './stage.js';
import { Thinking } from './thinking.js';

/** Where this window was: a reload finds notes and players of a game that only this browser knows. */
const HERE = 'quintet.here';

/**
 * Something that is made when it is first wanted.
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
function once(make) {
  /** @type {Promise<T>|null} */
  let made = null;
  return () => {
    made ??= make().catch((why) => {
      made = null;
      throw why;
    });
    return made;
  };
}

export class GamePage {
  /** @param {{games:import('./types.js').GameInfo[],written:string,show:(what:'game'|'page')=>void,startPage:()=>Promise<void>}} page */
  constructor(page) {
    this.page = page;
    this.gameView = new GameView(page.games);
    this.engine = new Engine(this.gameView);
    this.match = new Match(this.gameView);
    const review = () => this.panel.open('review');
    this.stage = new Stage(byId('stage'), this.gameView, this.engine, this.match, new Actions(this.gameView, review));
    const headline = new Headline(this.gameView, this.engine, review);
    /** @type {import('./review.js').Review|null} */
    this.review = null;
    /** @type {import('./puzzle.js').Solver|null} */
    this.solver = null;
    this.thinking = new Thinking(this.gameView, this.engine, this.match);
    this.list = new MoveList(this.gameView);
    this.record = once(async () => new (await import('./record.js')).Record(this.gameView));
    const play = new Play(this.gameView, this.match, this.thinking);
    headline.element.append(play.fault);
    this.panel = new Panel(byId('panel'), this.tabs(play), { top: headline.element, bottom: [this.list.element, this.stage.text, this.stage.typing] });
    this.gameView.addEventListener('open', () => page.show('game'));
    this.gameView.addEventListener('change', () => this.address());
    const { gameView, engine, panel, match, thinking } = this;
    listen({ gameView, engine, panel, match, thinking, review: () => this.review, importer: async () => (await this.record()).importer, box: this.stage.box, shown: () => !byId('game').hidden });
  }

  /** The tabs; all but the first are loaded when they are opened. @param {Play} play */
  tabs(play) {
    const { gameView, engine, match } = this;
    const [analyse, review, record, learn] = [el('div'), el('div'), el('div'), el('div')];
    const analyst = once(async () => {
      const tab = new (await import('./analyse.js')).Analyse(gameView, engine);
      await tab.opened();
      fill(analyse, [tab.element]);
    });
    const reviewer = once(async () => {
      const tab = new (await import('./review.js')).Review(gameView, engine);
      this.review = tab;
      tab.changed();
      fill(review, [tab.element]);
    });
    const recorder = async () => {
      const tab = await this.record();
      fill(record, [tab.element]);
      tab.update();
    };
    const teacher = once(async () => {
      const { Learn } = await import('./learn.js');
      const tab = new Learn(gameView, (game) => attempt(async () => (await import('./setup.js')).quick(game, 1)));
      fill(learn, [tab.element]);
      return tab;
    });
    return [
      { id: 'play', title: 'Game', element: play.element },
      { id: 'analyse', title: 'Analysis', element: analyse, shown: () => attempt(analyst) }, { id: 'review', title: 'Review', element: review, shown: () => attempt(reviewer) },
      { id: 'record', title: 'Share', element: record, shown: () => attempt(recorder) },
      { id: 'learn', title: 'Learn', element: learn, shown: () => attempt(async () => (await teacher()).opened()) },
    ];
  }

  /** The engine and the match rest while another page is shown. */
  leave() {
    this.engine.turn(false);
    this.match.pause();
  }

  /** @param {string} id */
  async openPuzzle(id) {
    const { Solver } = await import('./puzzle.js');
    this.solver ??= new Solver(this.gameView, this.panel);
    try {
      await this.solver.open(id);
    } catch (why) {
      location.hash = '#page=puzzles';
      throw why;
    }
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
      if (!(why instanceof Refusal) || !why.state) {
        await this.page.startPage();
        throw why;
      }
      session = new Session({ game, from, moves: why.state.moves, id: freshId() });
      await session.begin(null);
      fail(`${why.message} The part before it is shown.`);
    }
    if (ply !== null && ply > session.line.length) note(`The game has only ${count(session.line.length, 'move')}.`);
    await this.gameView.open(session);
    if (tab) this.panel.open(this.panel.tabs.some(({ id }) => id === tab) ? tab : 'play');
  }

  /**
   * @param {string} room
   * @param {string|undefined} token
   */
  async openRoom(room, token) {
    const session = new RoomSession(room);
    try {
      await session.join(token);
    } catch (why) {
      await this.page.startPage();
      throw why;
    }
    if (token) await this.takeSeat(session, token);
    await this.gameView.open(session);
    if (this.panel.current === 'learn') this.panel.open('play');
    if (!session.mine.length && session.seats.some((seat) => seat.who === 'person')) note('You are watching this game.');
  }

  /**
   * Takes the seat of an invitation, under a name.
   * @param {RoomSession} session
   * @param {string} token
   */
  async takeSeat(session, token) {
    const seat = session.opened && session.seats[indexOf(session.opened)];
    const rival = session.opened && session.seats[1 - indexOf(session.opened)];
    let wanted = true;
    if (session.opened && seat?.who === 'person' && rival?.who === 'person' && !seat.name && !settings.get('name')) {
      const side = infoOf(this.page.games, session.game)?.sides[indexOf(session.opened)] ?? session.opened;
      wanted = await (await import('./naming.js')).askName(`${rival.name || 'Somebody'} invites you to a game of ${titleOf(this.page.games, session.game)}. You play ${side}.`);
    }
    // The key goes out of the address, so that copying the address does not give the seat away.
    history.replaceState(null, '', (this.page.written = `#room=${session.room}`));
    if (wanted) await attempt(() => session.accept(token));
  }

  /** Keeps the address true while a game of our own goes on. */
  address() {
    const session = this.gameView.session;
    // Where somebody has just followed a link, its address is not overwritten before it has been read.
    if (!session || byId('game').hidden || location.hash !== this.page.written) return;
    const title = titleOf(this.page.games, session.game);
    document.title = `${title} – quintet`;
    byId('heading').textContent = title;
    const puzzle = this.solver?.session === session ? this.solver.puzzle : null;
    const hash = puzzle ? `#puzzle=${puzzle.id}` : session.room ? `#room=${session.room}` : link.write({ game: session.game, from: session.from, moves: session.line, ply: session.branch ? session.branch.at : session.ply });
    if (hash.length > link.LONGEST_LINK || hash === location.hash) return this.remember(hash);
    // From another page this is a step that the back button undoes; from move to move it is not.
    if (link.parse(location.hash).kind === (puzzle ? 'puzzle' : session.room ? 'room' : 'game')) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
    // As the browser spells it.
    this.page.written = location.hash;
    this.remember(hash);
  }

  /** Without storage a reload only forgets the notes. @param {string} hash */
  remember(hash) {
    write(HERE, { hash, id: this.gameView.session?.id ?? '' });
  }
}
