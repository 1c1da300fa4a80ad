// An agent at work in the open game, as far as it tells: depth, speed, the line it expects, the moves it looks at. Its line shows what it fears and hopes
// for, which is a hint too; so it is folded away in a game of one's own until somebody wants to see it.

import { scoreText } from './boards/text.js';
import { button, el, fill } from './dom.js';
import { counts, percent } from './judge.js';
import { playerName } from './levels.js';
import { RoomSession } from './room.js';
import { attempt } from './say.js';
import { settings } from './settings.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./match.js').Match} Match */
/** @typedef {import('./types.js').Report} Report */

/** Moves that are listed. */
const MOVES = 5;
/** Moves of the line that are written out. */
const LINE = 10;

/** @param {number} count */
export function short(count) {
  if (count < 10_000) return String(Math.round(count));
  return count < 1e6 ? `${(count / 1e3).toPrecision(3)} k` : `${(count / 1e6).toPrecision(3)} M`;
}

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Depth, positions and speed in one line. @param {{depth:number,nodes:number,ms:number}} told */
export const pace = ({ depth, nodes, ms }) => `depth ${depth} · ${short(nodes)} positions · ${short(nodes / Math.max(ms / 1000, 0.001))}/s · ${seconds(ms)}`;

/** What else a search tells of itself: its table, its cut-offs. @param {Report|null} report */
export const more = (report) => [report?.fill != null && `table ${(100 * report.fill).toFixed(report.fill < 0.1 ? 1 : 0)} % full`, report?.cuts && `${short(report.cuts)} cut-offs`]
  .filter(Boolean).map((part) => ` · ${part}`).join('');

export class Thinking {
  /**
   * @param {GameView} gameView
   * @param {Engine} engine
   * @param {Match} match
   */
  constructor(gameView, engine, match) {
    this.gameView = gameView;
    this.engine = engine;
    this.match = match;
    this.who = el('p', { class: 'verdict' });
    this.numbers = el('p', { class: 'small numbers' });
    this.line = el('p', { class: 'line' });
    this.rows = el('tbody');
    const heads = ['Move', 'Value', 'Visits'].map((text) => el('th', { scope: 'col' }, text));
    this.table = el('table', { class: 'moves' }, el('thead', {}, el('tr', {}, ...heads)), this.rows);
    this.open = el('details', { on: { toggle: () => this.toggled() } }, el('summary', {}, 'Watch it think'), this.line, this.table);
    this.now = button('Move now', () => this.hurry(), { title: 'Space' });
    this.element = el('section', { class: 'thinking', 'aria-label': 'The agent', hidden: true }, el('div', { class: 'row' }, this.who, this.now), this.numbers, this.open);
    for (const name of ['open', 'change']) gameView.addEventListener(name, () => this.update());
    gameView.addEventListener('think', () => this.update());
    match.addEventListener('change', () => this.update());
    match.addEventListener('think', () => this.update());
  }

  /** The agent whose turn it is in the game itself, not in a look back. */
  get agent() {
    const session = this.gameView.session;
    const last = session?.last;
    if (!session || !last || last.outcome || (!session.room && !this.match.search)) return null;
    if (session instanceof RoomSession && session.fault) return null;
    const seat = session.seats[last.to_move === 'first' ? 0 : 1];
    return seat.who === 'agent' ? seat.agent : null;
  }

  /** Is somebody thinking who can be hurried? */
  get busy() {
    return this.agent !== null;
  }

  /** The last report of the search that runs. @returns {Report|null} */
  get report() {
    const session = this.gameView.session;
    if (session instanceof RoomSession) return session.thought?.ply === session.line.length ? session.thought.report : null;
    return this.match.report;
  }

  /** A game between engines is there to be watched. */
  get wanted() {
    return this.match.fits ? settings.get('watchEngines') : settings.get('watchAgents');
  }

  toggled() {
    settings.set(this.match.fits ? 'watchEngines' : 'watchAgents', this.open.open);
    this.update();
  }

  update() {
    const { agent, report, gameView } = this;
    // Between two moves of a match it stays, so that nothing jumps.
    this.element.hidden = agent === null && !this.match.running;
    const watched = agent !== null && this.wanted ? report : null;
    this.engine.watch(watched && gameView.session?.live ? watched : null);
    this.now.disabled = agent === null;
    if (agent === null) return;
    if (this.open.open !== this.wanted) this.open.open = this.wanted;
    this.who.textContent = `${playerName(agent)} is thinking.`;
    this.numbers.textContent = report ? pace(report) + more(report) : '';
    this.line.textContent = watched?.pv.length ? `It expects ${watched.pv.slice(0, LINE).join(' ')}` : watched?.now.length ? `It looks at ${watched.now.slice(0, LINE).join(' ')}` : report ? '' : 'It has not reported anything yet.';
    const roots = watched ? [...watched.roots].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0)).slice(0, MOVES) : [];
    const shares = !!watched && counts(watched);
    fill(this.rows, roots.map(({ move, value, visits }) => el('tr', {}, el('td', {}, move), el('td', {}, shares ? percent(value) : scoreText(value)),
      el('td', {}, visits === null ? '–' : short(visits)))));
    this.table.hidden = !roots.length;
  }

  /** The agent moves now, with the best that it has found. */
  hurry() {
    const session = this.gameView.session;
    if (session instanceof RoomSession) attempt(() => session.hurry());
    else this.match.hurry();
  }
}
