// The tab Share: a link, a picture, notes, and the other ways in and out: text, import, editor.

import { button, el } from './dom.js';
import { Editor } from './editor.js';
import * as out from './exporter.js';
import { Importer } from './importer.js';
import { keepGame } from './library.js';
import * as link from './link.js';
import { copy } from './play.js';
import { attempt, note } from './say.js';

/** @typedef {import('./game-view.js').GameView} GameView */

export class Record {
  /** @param {GameView} gameView */
  constructor(gameView) {
    this.gameView = gameView;
    this.note = el('textarea', { rows: 2, maxlength: 2000, 'aria-label': 'Note on this position', placeholder: 'A note on this position' });
    this.note.addEventListener('input', () => this.noted());
    this.importer = new Importer(gameView);
    this.editor = new Editor(gameView);
    const exports = el('details', {}, el('summary', {}, 'Export'), el('div', { class: 'buttons' },
      button('Copy text', () => this.text()), button('Text file', () => out.saveText(gameView)),
      button('JSON line', () => out.saveJson(gameView)), button('SVG', () => attempt(() => out.saveSvg(gameView))),
      button('Copy SVG', () => attempt(() => out.copySvg(gameView)))), this.others(gameView));
    const share = el('div', { class: 'buttons' }, button('Copy link', () => this.link(), { class: 'main' }), button('Copy PNG', () => attempt(() => out.copyPng(gameView))), button('PNG', () => attempt(() => out.savePng(gameView)), { title: 'Save a picture as a file' }));
    this.element = el('div', {}, share, this.note, exports, this.importer.element, this.editor.element);
    gameView.addEventListener('open', () => this.update());
    gameView.addEventListener('change', () => this.update());
  }

  /** Formats of other programs, which know TwixT alone. @param {GameView} gameView */
  others(gameView) {
    const formats = /** @type {const} */ ([['T1', 't1'], ['tsgf', 'tsgf'], ['SGF', 'sgf']]);
    this.foreign = el('div', { class: 'buttons', hidden: true }, ...formats.map(([name, format]) => button(name, () => attempt(() => out.saveFor(gameView, format)))));
    return this.foreign;
  }

  update() {
    const session = this.gameView.session;
    if (this.foreign) this.foreign.hidden = !session?.game.startsWith('twixt');
    if (!session) return;
    if (document.activeElement !== this.note) this.note.value = session.notes[session.ply] ?? '';
    this.note.disabled = !!session.branch;
  }

  noted() {
    const session = this.gameView.session;
    if (!session) return;
    if (this.note.value.trim()) session.notes[session.ply] = this.note.value;
    else delete session.notes[session.ply];
    session.touched = true;
    keepGame(session);
    // The list marks moves that have a note.
    this.gameView.dispatchEvent(new CustomEvent('change', { detail: { same: true } }));
  }

  link() {
    const session = this.gameView.session;
    if (!session) return;
    const address = link.whole(link.write({ game: session.game, from: session.from, moves: session.shown, ply: session.ply }));
    if (address.length <= link.LONGEST_LINK) return copy(address, 'Link');
    note('The game is too long for a link; here it is as a file.');
    out.saveText(this.gameView);
  }

  text() {
    return copy(out.textOf(this.gameView), 'Record');
  }
}
