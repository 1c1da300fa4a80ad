// The list of moves, with ways to step through it. There is one; it stands in the tab that is open, Play or Record.

import { button, el, fill } from './dom.js';
import { attempt } from './say.js';

/** @typedef {import('./game-view.js').GameView} GameView */

export class MoveList {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    this.list = el('ol', { class: 'movelist', 'aria-label': 'Moves' });
    const go = (/** @type {() => number} */ ply) => () => gameView.goto(ply());
    const at = () => gameView.session?.ply ?? 0;
    const nav = el('div', { class: 'buttons nav' }, button('|◀', go(() => 0), { 'aria-label': 'First position', title: 'Home' }),
      button('◀', go(() => at() - 1), { 'aria-label': 'Back', title: ',' }), button('▶', go(() => at() + 1), { 'aria-label': 'Forward', title: '.' }),
      button('▶|', go(() => Infinity), { 'aria-label': 'Last position', title: 'End' }));
    this.branch = el('div', { class: 'branch', hidden: true });
    this.element = el('div', { class: 'moveparts' }, nav, this.list, this.branch);
    /** What the list was made of, so that it is made again only for other moves. */
    this.made = '';
    gameView.addEventListener('open', () => this.update());
    gameView.addEventListener('change', () => this.update());
    this.wheel();
  }

  update() {
    const session = this.gameView.session;
    if (!session) return;
    const made = JSON.stringify([session.line, session.notes, session.firstToMove()]);
    if (made !== this.made) {
      this.made = made;
      fill(this.list, session.line.map((move, ply) => this.item(move, ply)));
    }
    const current = session.branch ? Math.min(session.ply, session.branch.at) : session.ply;
    [...this.list.children].forEach((item, ply) => {
      const on = ply === current - 1;
      item.classList.toggle('current', on);
      if (on) item.firstElementChild?.setAttribute('aria-current', 'step');
      else item.firstElementChild?.removeAttribute('aria-current');
    });
    // The list scrolls to the move, the page stays where it is.
    const item = /** @type {HTMLElement|undefined} */ (this.list.children[current - 1]);
    if (item) this.list.scrollTop = Math.max(0, item.offsetTop - this.list.clientHeight / 2);
    this.showBranch();
  }

  /**
   * @param {string} move
   * @param {number} ply
   */
  item(move, ply) {
    const text = this.gameView.session?.notes[ply + 1];
    return el('li', {}, button(`${ply + 1}. ${move}${text ? ' ✎' : ''}`, () => this.goto(ply + 1), { title: text ?? '' }));
  }

  /** @param {number} ply */
  goto(ply) {
    const session = this.gameView.session;
    if (!session) return;
    if (session.branch) attempt(() => session.leaveBranch(ply));
    else this.gameView.goto(ply);
  }

  showBranch() {
    const session = this.gameView.session;
    const branch = session?.branch;
    this.branch.hidden = !branch;
    if (!session || !branch) return;
    fill(this.branch, [el('p', {}, `Try-out after move ${branch.at}:`), el('div', { class: 'buttons' },
      ...branch.moves.map((move, at) => button(`${branch.at + at + 1}. ${move}`, () => this.gameView.goto(branch.at + at + 1),
        { 'aria-current': session.ply === branch.at + at + 1 ? 'step' : null }))),
      el('div', { class: 'buttons' }, button('Back to the game', () => attempt(() => session.leaveBranch())),
        !session.room && button('Make it the game', () => attempt(() => session.keepBranch())))]);
  }

  /** The wheel steps through the game, and the list follows. */
  wheel() {
    this.list.addEventListener('wheel', (event) => {
      const session = this.gameView.session;
      if (!session || event.ctrlKey || Math.abs(event.deltaY) < 1) return;
      event.preventDefault();
      this.gameView.goto(session.ply + Math.sign(event.deltaY));
    }, { passive: false });
  }
}
