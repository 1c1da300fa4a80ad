// The stage: board, evaluation bar, both players with their clocks, the board's own controls, and a box for moves as text.

import * as api from './api.js';
import { Bar } from './bar.js';
import { button, el, fill } from './dom.js';
import { fail } from './say.js';
import { parse } from './spec.js';
import { nameOf, playerName } from './levels.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types.js').Side} Side */

/** @param {number} ms */
export function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {GameView} gameView
   * @param {Engine} engine
   * @param {import('./match.js').Match} match
   */
  constructor(root, gameView, engine, match) {
    this.gameView = gameView;
    this.engine = engine;
    this.bar = new Bar();
    this.strips = [this.strip(), this.strip()];
    this.holder = el('div', { class: 'holder' });
    this.controls = el('div', { class: 'controls' });
    this.status = el('p', { class: 'status' });
    this.pointed = el('span', { class: 'pointed', 'aria-hidden': 'true' });
    this.box = el('input', { type: 'text', class: 'movebox', placeholder: 'e.g. c4', autocomplete: 'off', spellcheck: 'false',
      autocapitalize: 'off', 'aria-label': 'Move as text' });
    this.text = el('pre', { class: 'described', tabindex: '0', hidden: true });
    const form = el('form', { class: 'typed', on: { submit: (/** @type {Event} */ event) => this.typed(event) } }, this.box,
      button('Move', () => form.requestSubmit()), button('Describe board', () => this.describe(), { class: 'quiet' }), this.pointed);
    fill(root, [this.strips[1].element, el('div', { class: 'boardrow' }, this.bar.element, this.holder), this.strips[0].element,
      el('div', { class: 'under' }, this.status, form), this.controls, this.text]);
    gameView.addEventListener('open', () => this.opened());
    gameView.addEventListener('change', () => this.update());
    gameView.addEventListener('flip', () => this.update());
    engine.addEventListener('update', () => this.showBar());
    match.addEventListener('think', () => this.update());
    /** Levels whose strength is known, by their agents. @type {Map<string, string>} */
    this.measured = new Map();
    setInterval(() => this.tick(), 500);
    this.wheel();
  }

  strip() {
    const [dot, name, time, turn] = [el('span', { class: 'dot', 'aria-hidden': 'true' }), el('span', { class: 'who' }), el('span', { class: 'clock' }),
      el('span', { class: 'turn' })];
    return { element: el('div', { class: 'strip' }, dot, name, turn, time), dot, name, time, turn };
  }

  opened() {
    const board = this.gameView.board;
    if (!board) return;
    this.text.hidden = true;
    this.holder.dataset.game = this.gameView.info?.game ?? '';
    fill(this.holder, [board.element]);
    fill(this.controls, [board.controls]);
    this.box.placeholder = `e.g. ${this.gameView.info?.example ?? 'c4'}`;
    this.pointed.textContent = '';
    this.measure();
    board.addEventListener('cell', (event) => {
      this.pointed.textContent = /** @type {CustomEvent} */ (event).detail.cell ?? '';
    });
  }

  /** Asks how strong the level is that sits here; its name will do until the answer is there. */
  async measure() {
    const session = this.gameView.session;
    this.measured.clear();
    if (!session?.seats.some((seat) => seat.who === 'agent' && seat.agent.startsWith('level:'))) return;
    const levels = await api.levels(parse(session.game).name).catch(() => []);
    for (const level of levels) if (level.strength) this.measured.set(level.agent, nameOf(level));
    if (this.gameView.session === session && this.measured.size) this.update();
  }

  /** Which side sits below. @returns {[Side, Side]} */
  get order() {
    return this.gameView.flipped ? ['second', 'first'] : ['first', 'second'];
  }

  update() {
    const session = this.gameView.session;
    const state = session?.state;
    if (!session || !state) return;
    this.order.forEach((side, at) => {
      const seat = session.seats[side === 'first' ? 0 : 1];
      const { element, name, turn } = this.strips[at];
      element.dataset.side = side;
      element.dataset.game = this.gameView.info?.game ?? '';
      const moving = !state.outcome && state.to_move === side;
      element.classList.toggle('moving', moving);
      const who = seat.who === 'agent' ? this.measured.get(seat.agent) ?? playerName(seat.agent) : seat.name || (session.room ? (session.mine.includes(side) ? 'you' : 'guest') : '');
      name.textContent = who ? `${this.gameView.sideName(side)} · ${who}` : this.gameView.sideName(side);
      name.title = seat.who === 'agent' ? seat.agent : '';
      turn.textContent = moving ? (seat.who === 'agent' && session.live && (session.room || session.thinking) ? ('fault' in session && session.fault ? 'does not move' : 'thinking…') : 'to move') : state.outcome === side ? 'wins' : '';
    });
    const where = session.branch ? 'Try-out. ' : session.ply < session.line.length ? `Move ${session.ply} of ${session.line.length}. ` : '';
    const again = state.occurrences > 1 ? ` This position has occurred ${state.occurrences} times; the third time is a draw.` : '';
    const wait = 'waiting' in session && session.waiting ? ` ${session.waiting}` : '';
    this.status.textContent = `${where}${this.gameView.result(state)}.${again}${wait}`;
    this.status.classList.toggle('over', !!state.outcome);
    if (!this.text.hidden) this.text.textContent = this.description();
    this.tick();
    this.showBar();
  }

  tick() {
    const session = this.gameView.session;
    if (!session) return;
    const used = session.used();
    this.order.forEach((side, at) => {
      const text = clock(used[side === 'first' ? 0 : 1]);
      if (this.strips[at].time.textContent !== text) this.strips[at].time.textContent = text;
      this.strips[at].time.title = 'time used';
    });
  }

  showBar() {
    const sides = /** @type {[string, string]} */ ([this.gameView.sideName('first'), this.gameView.sideName('second')]);
    const verdict = this.engine.verdict;
    this.bar.element.dataset.game = this.gameView.info?.game ?? '';
    this.bar.show(verdict, { flipped: this.gameView.flipped, sides });
  }

  /** @param {Event} event */
  async typed(event) {
    event.preventDefault();
    const text = this.box.value.trim().toLowerCase();
    if (!text) return;
    const session = this.gameView.session;
    if (!session?.state) return;
    if (!session.interactive && !this.gameView.taker) return fail(session.state.outcome ? 'The game is over.' : 'It is not your turn.');
    if (!session.state.legal.includes(text)) {
      // The server says why: it knows the rules, and reads what we write in other ways.
      try {
        const after = await api.position({ ...session.place, moves: [...session.place.moves, text] });
        this.box.value = '';
        return this.gameView.move(after.moves[after.moves.length - 1]);
      } catch (why) {
        return fail(why);
      }
    }
    this.box.value = '';
    return this.gameView.move(text);
  }

  description() {
    const said = /** @type {unknown} */ (this.gameView.board?.describe());
    return Array.isArray(said) ? said.join('\n') : String(said ?? '');
  }

  describe() {
    this.text.hidden = !this.text.hidden;
    if (this.text.hidden) return;
    this.text.textContent = this.description();
    this.text.focus();
  }

  /** The wheel over the board steps through the game where the page itself does not scroll. */
  wheel() {
    const wide = matchMedia('(min-width: 900px)');
    for (const element of [this.holder, ...this.strips.map((strip) => strip.element)]) {
      element.addEventListener('wheel', (event) => {
        const session = this.gameView.session;
        if (!session || !wide.matches || event.ctrlKey || Math.abs(event.deltaY) < 1) return;
        event.preventDefault();
        this.gameView.goto(session.ply + Math.sign(event.deltaY));
      }, { passive: false });
    }
  }
}
