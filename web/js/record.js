// The tab Record: the moves with their notes, the try-out, and the ways in and out: link, text, picture, import, editor.

import { button, el, fill } from './dom.js';
import { Editor } from './editor.js';
import * as out from './exporter.js';
import { Importer } from './importer.js';
import { keepGame } from './library.js';
import * as link from './link.js';
import { copy } from './play.js';
import { attempt, note } from './say.js';

/** @typedef {import('./desk.js').Desk} Desk */

export class Record {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.list = el('ol', { class: 'movelist', 'aria-label': 'Moves' });
    this.branch = el('div', { class: 'branch', hidden: true });
    this.note = el('textarea', { rows: 2, maxlength: 2000, 'aria-label': 'Note on this position', placeholder: 'A note on this position' });
    this.note.addEventListener('input', () => this.noted());
    const go = (/** @type {() => number} */ ply) => () => desk.goto(ply());
    const at = () => desk.session?.ply ?? 0;
    const nav = el('div', { class: 'buttons nav' }, button('|◀', go(() => 0), { 'aria-label': 'First position', title: 'Home' }),
      button('◀', go(() => at() - 1), { 'aria-label': 'Back', title: ',' }), button('▶', go(() => at() + 1), { 'aria-label': 'Forward', title: '.' }),
      button('▶|', go(() => Infinity), { 'aria-label': 'Last position', title: 'End' }));
    this.importer = new Importer(desk);
    this.editor = new Editor(desk);
    const exports = el('details', {}, el('summary', {}, 'Export'), el('div', { class: 'buttons' },
      button('Copy link', () => this.link()), button('Copy text', () => this.text()), button('Text file', () => out.saveText(desk)),
      button('JSON line', () => out.saveJson(desk)), button('SVG', () => attempt(() => out.saveSvg(desk))), button('PNG', () => attempt(() => out.savePng(desk)))));
    this.element = el('div', {}, nav, this.list, this.branch, this.note, exports, this.importer.element, this.editor.element);
    desk.addEventListener('open', () => this.update());
    desk.addEventListener('change', () => this.update());
    /** What the list was made of, so that it is made again only for other moves. */
    this.made = '';
  }

  update() {
    const session = this.desk.session;
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
    // The panel scrolls to the move, the page stays where it is.
    const item = /** @type {HTMLElement|undefined} */ (this.list.children[current - 1]);
    if (item) this.list.scrollTop = Math.max(0, item.offsetTop - this.list.clientHeight / 2);
    this.showBranch();
    if (document.activeElement !== this.note) this.note.value = session.notes[session.ply] ?? '';
    this.note.disabled = !!session.branch;
  }

  /**
   * @param {string} move
   * @param {number} ply
   */
  item(move, ply) {
    const text = this.desk.session?.notes[ply + 1];
    return el('li', {}, button(`${ply + 1}. ${move}${text ? ' ✎' : ''}`, () => this.goto(ply + 1), { title: text ?? '' }));
  }

  /** @param {number} ply */
  goto(ply) {
    const session = this.desk.session;
    if (!session) return;
    if (session.branch) attempt(() => session.leaveBranch(ply));
    else this.desk.goto(ply);
  }

  showBranch() {
    const session = this.desk.session;
    const branch = session?.branch;
    this.branch.hidden = !branch;
    if (!session || !branch) return;
    fill(this.branch, [el('p', {}, `Try-out after move ${branch.at}:`), el('div', { class: 'buttons' },
      ...branch.moves.map((move, at) => button(`${branch.at + at + 1}. ${move}`, () => this.desk.goto(branch.at + at + 1),
        { 'aria-current': session.ply === branch.at + at + 1 ? 'step' : null }))),
      el('div', { class: 'buttons' }, button('Back to the game', () => attempt(() => session.leaveBranch())),
        !session.room && button('Make it the game', () => attempt(() => session.keepBranch())))]);
  }

  noted() {
    const session = this.desk.session;
    if (!session) return;
    if (this.note.value.trim()) session.notes[session.ply] = this.note.value;
    else delete session.notes[session.ply];
    session.touched = true;
    keepGame(session);
    this.update();
  }

  link() {
    const session = this.desk.session;
    if (!session) return;
    const address = link.whole(link.write({ game: session.game, from: session.from, moves: session.shown, ply: session.ply }));
    if (address.length <= link.LONGEST_LINK) return copy(address, 'Link');
    note('The game is too long for a link; here it is as a file.');
    out.saveText(this.desk);
  }

  text() {
    return copy(out.textOf(this.desk), 'Record');
  }
}
