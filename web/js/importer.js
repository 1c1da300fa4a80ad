// Games of other programs, and our own: text in, games out, with what is wrong and what was taken for granted.

import * as api from './api.js';
import { button, el, field, fill, select } from './dom.js';
import { freshId } from './library.js';
import { attempt, count, fail, note } from './say.js';
import { Session } from './session.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./api.js').Imported} Imported */

/** @type {[string, string][]} */
const FORMATS = [['', 'Detect'], ['own', 'quintet text'], ['jsonl', 'JSON lines'], ['plain', 'Moves only'], ['t1', 'TwixT T1j (.T1)'], ['tsgf', 'TwixT Little Golem (.tsgf)'], ['sgf', 'TwixT SGF']];
/** @type {[string, string][]} */
const SWAPS = [['', 'as usual for the format'], ['mirror', 'the peg goes to its mirror image'], ['turn', 'the board turns a quarter'], ['sides', 'the players change sides']];
/** @type {[string, string][]} */
const CROSSINGS = [['', 'as usual for the format'], ['never', 'no link crosses another'], ['own', 'own links may cross']];

export class Importer {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    this.text = el('textarea', { rows: 4, 'aria-label': 'Games as text', placeholder: 'Paste moves or a record here' });
    this.file = el('input', { type: 'file', accept: '.txt,.jsonl,.json,.T1,.t1,.tsgf,.sgf', 'aria-label': 'File with games' });
    this.file.addEventListener('change', () => attempt(async () => {
      const file = this.file.files?.[0];
      if (file) this.text.value = await file.text();
      this.ask();
    }));
    this.text.addEventListener('input', () => this.ask());
    this.format = select(FORMATS, '', () => this.ask());
    this.swap = select(SWAPS, '', () => {});
    this.crossing = select(CROSSINGS, '', () => {});
    this.questions = el('div', { hidden: true }, el('p', { class: 'small' }, 'Programs differ in what a swap does and which links may cross. Which is it here?'),
      field('A swap means', this.swap), field('Crossing', this.crossing));
    this.found = el('div');
    this.element = el('details', {}, el('summary', {}, 'Import'), this.text, this.file, field('Format', this.format), this.questions,
      button('Read', () => this.read(), { class: 'main' }), this.found);
  }

  /** TwixT of other programs needs two answers. */
  ask() {
    const text = this.text.value.trimStart();
    const foreign = ['t1', 'tsgf', 'sgf'].includes(this.format.value) || (!this.format.value && (text.startsWith('(;') || /^\S+\s*#/.test(text)));
    this.questions.hidden = !(foreign || (/\bswap\b/i.test(text) && this.format.value === 'plain'));
  }

  async read() {
    const text = this.text.value;
    if (!text.trim()) return note('Paste a game or choose a file first.');
    await this.take(text, false);
  }

  /**
   * @param {string} text
   * @param {boolean} open whether the first game is opened at once
   */
  async take(text, open) {
    const asked = { text, format: this.format.value || undefined, swap: this.questions.hidden ? undefined : this.swap.value || undefined,
      crossing: this.questions.hidden ? undefined : this.crossing.value || undefined };
    await attempt(async () => {
      const games = await this.askServer(asked);
      fill(this.found, games.length ? games.map((game, at) => this.row(game, at)) : [el('p', {}, 'There is no game in this text.')]);
      if (games.length === 1 || open) await this.open(games[0]);
    });
  }

  /**
   * Moves alone are of the game that is open: the server is told so when it cannot find out itself.
   * @param {Parameters<typeof api.read>[0]} asked
   */
  async askServer(asked) {
    const game = this.gameView.session?.game;
    try {
      return (await api.read(asked.format === 'plain' ? { ...asked, game } : asked)).games;
    } catch (why) {
      if (asked.format || !game) throw why;
      return (await api.read({ ...asked, game })).games;
    }
  }

  /**
   * @param {Imported} game
   * @param {number} at
   */
  row(game, at) {
    const plies = game.state?.plies ?? 0;
    const players = Array.isArray(game.players) ? game.players.join(' v ') : game.players ?? '';
    return el('div', { class: 'imported' }, el('p', {}, `Game ${at + 1}: ${game.state?.game ?? 'unread'}, ${count(plies, 'move')}. ${players}`),
      game.fault && el('p', { class: 'bad' }, game.fault), ...game.notes.map((text) => el('p', { class: 'small' }, text)),
      game.state && button('Open', () => attempt(() => this.open(game))));
  }

  /** @param {Imported|undefined} game */
  async open(game) {
    if (!game?.state) return;
    const { state } = game;
    // Nothing stands before the fault, so the open game stays.
    if (game.fault && !state.plies && !state.from) return fail(game.fault);
    const told = typeof game.players === 'string' ? game.players.split(/, | v /) : game.players ?? [];
    const names = told.map((name) => ({ who: /** @type {'person'} */ ('person'), name: String(name) }));
    const session = new Session({ game: state.game, from: state.from, moves: state.moves, id: freshId(), seats: names.length === 2 ? [names[0], names[1]] : undefined });
    session.touched = true;
    await session.begin(null);
    await this.gameView.open(session);
    note(game.fault ? `Read up to the error. ${game.fault}` : `${count(state.plies, 'move')} read.`);
  }
}
