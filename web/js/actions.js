// The bar of actions under the board: always the same six, with icon and name; one that can do nothing now is disabled.

import * as advice from './advice.js';
import { el, fill } from './dom.js';
import { icon } from './icons.js';
import { RoomSession } from './room.js';
import { attempt } from './say.js';

/** @typedef {import('./game-view.js').GameView} GameView */

export class Actions {
  /**
   * @param {GameView} gameView
   * @param {() => void} review shows the review of the game
   */
  constructor(gameView, review) {
    this.gameView = gameView;
    const make = (/** @type {import('./icons.js').Icon} */ name, /** @type {string} */ text, /** @type {() => void} */ click, title = '') =>
      el('button', { type: 'button', title, 'data-action': name, on: { click } }, icon(name), text);
    this.hint = make('hint', 'Hint', () => this.advise(), 'h');
    this.hint.classList.add('key');
    this.undo = make('undo', 'Undo', () => gameView.undo(), 'u');
    this.redo = make('redo', 'Redo', () => gameView.redo(), 'Ctrl-Y');
    this.flip = make('flip', 'Flip', () => gameView.flip(), 'f');
    this.resign = make('resign', 'Resign', () => this.giveUp());
    this.review = make('review', 'Review', review);
    this.element = el('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' });
    fill(this.element, [this.hint, this.undo, this.redo, this.flip, this.resign, this.review]);
    gameView.addEventListener('open', () => {
      gameView.board?.addEventListener('half', () => this.update());
      this.update();
    });
    gameView.addEventListener('change', () => this.update());
  }

  update() {
    const { session, taker, board } = this.gameView;
    if (!session) return;
    const over = !!session.state?.outcome;
    // A puzzle or a lesson takes the moves itself.
    this.hint.disabled = !!taker || over || !session.advised;
    this.undo.disabled = !board?.half() && (!!taker || !session.canUndo);
    this.redo.disabled = !!taker || !session.canRedo;
    this.resign.disabled = !!taker || !session.room || !session.mine.length || !!session.last?.outcome;
    this.review.disabled = !session.line.length || !session.advised;
  }

  /** A search for a hint takes a moment, and the button says so. */
  async advise() {
    if (this.hint.hasAttribute('aria-busy')) return;
    this.hint.setAttribute('aria-busy', 'true');
    await advice.hint(this.gameView);
    this.hint.removeAttribute('aria-busy');
  }

  async giveUp() {
    const session = this.gameView.session;
    if (session instanceof RoomSession && confirm('Resign this game?')) await attempt(() => session.resign());
  }
}
