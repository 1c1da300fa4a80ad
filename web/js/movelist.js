// The list of moves, with ways to step through it and the try-out where it leaves the game. It stands below every tab.

import { button, el, fill } from './dom.js';
import { icon, iconButton } from './icons.js';
import { attempt } from './say.js';

/** @typedef {import('./game-view.js').GameView} GameView */

export class MoveList {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    this.list = el('ol', { class: 'movelist', 'aria-label': 'Moves', tabindex: '-1' });
    const go = (/** @type {() => number} */ ply) => () => gameView.goto(ply());
    const at = () => gameView.session?.wanted ?? 0;
    const nav = el('div', { class: 'buttons nav' }, iconButton('first', 'First position', go(() => 0), { title: 'Home' }),
      iconButton('back', 'Back', go(() => at() - 1), { title: ',' }), iconButton('forward', 'Forward', go(() => at() + 1), { title: '.' }),
      iconButton('last', 'Last position', go(() => Infinity), { title: 'End' }));
    this.branch = el('li', { class: 'branch' });
    this.element = el('div', { class: 'moveparts' }, this.list, nav);
    /** The moves of the game, one item each. @type {HTMLElement[]} */
    this.items = [];
    /** What the list was made of, so that it is made again only for other moves. */
    this.made = '';
    gameView.addEventListener('open', () => this.update());
    gameView.addEventListener('change', () => this.update());
    this.wheel();
    // A tab leaves the list more room or less.
    new ResizeObserver(() => this.follow()).observe(this.list);
  }

  update() {
    const session = this.gameView.session;
    if (!session) return;
    // Numbers count moves of both sides; where the second side begins, the first place stays empty.
    const late = session.firstToMove() === 'second' ? 1 : 0;
    const made = JSON.stringify([session.line, session.notes, late, this.gameView.signs]);
    if (made !== this.made) {
      this.made = made;
      this.items = session.line.map((move, ply) => this.item(move, ply, (ply + late) % 2));
      const numbers = (/** @type {number} */ ply) => ((ply + late) % 2 === 0 || ply === 0 ? [el('li', { class: 'number', 'aria-hidden': 'true' }, (ply + late) / 2 + 1 | 0)] : []);
      fill(this.list, this.items.length ? this.items.flatMap((item, ply) => [...numbers(ply), item]) : [el('li', { class: 'none' }, 'No moves yet.')]);
    }
    const current = session.branch ? Math.min(session.ply, session.branch.at) : session.ply;
    this.items.forEach((item, ply) => {
      const on = ply === current - 1;
      item.classList.toggle('current', on && !(session.branch && session.ply > session.branch.at));
      if (on) item.firstElementChild?.setAttribute('aria-current', 'step');
      else item.firstElementChild?.removeAttribute('aria-current');
    });
    this.showBranch();
    this.follow();
  }

  /** The list scrolls to the move, the page stays where it is. */
  follow() {
    const session = this.gameView.session;
    const item = session?.branch ? this.branch : this.items[(session?.ply ?? 0) - 1];
    const row = item?.offsetHeight || 1;
    this.list.scrollTop = item ? Math.max(0, Math.ceil((item.offsetTop + row - this.list.clientHeight) / row) * row) : 0;
  }

  /**
   * @param {string} move
   * @param {number} ply
   * @param {number} side
   */
  item(move, ply, side) {
    const text = this.gameView.session?.notes[ply + 1];
    const wrong = this.gameView.signs[ply];
    const press = el('button', { type: 'button', class: 'ply', title: text ?? '', 'data-sign': wrong?.sign ?? null, on: { click: () => this.goto(ply + 1) } }, el('span', { class: 'count' }, `${ply + 1}. `), move, text && icon('pencil'), wrong && el('span', { class: 'unseen' }, `, ${wrong.name}`));
    return el('li', { class: side ? 'two' : 'one' }, press);
  }

  /** @param {number} ply */
  goto(ply) {
    const session = this.gameView.session;
    if (!session) return;
    if (session.branch) attempt(() => session.leaveBranch(ply));
    else this.gameView.goto(ply);
  }

  /** The try-out stands after the move that it answers. */
  showBranch() {
    const session = this.gameView.session;
    const branch = session?.branch;
    if (!session || !branch) return this.branch.remove();
    fill(this.branch, [el('p', { class: 'unseen' }, `Try-out after move ${branch.at}:`), el('div', { class: 'buttons' },
      ...branch.moves.map((move, at) => button(`${branch.at + at + 1}. ${move}`, () => this.gameView.goto(branch.at + at + 1),
        { class: 'try', 'aria-current': session.ply === branch.at + at + 1 ? 'step' : null })),
      button('Back to the game', () => attempt(() => session.leaveBranch()), { class: 'leave' }),
      !session.room && button('Make it the game', () => attempt(() => session.keepBranch()), { class: 'leave' }))]);
    const before = this.items[branch.at - 1];
    if (before) before.after(this.branch);
    else this.list.prepend(this.branch);
  }

  /** The wheel steps through the game, and the list follows. */
  wheel() {
    this.list.addEventListener('wheel', (event) => {
      const session = this.gameView.session;
      if (!session || event.ctrlKey || Math.abs(event.deltaY) < 1) return;
      event.preventDefault();
      this.gameView.goto(session.wanted + Math.sign(event.deltaY));
    }, { passive: false });
  }
}
