// The stage: board, evaluation bar, both players with their clocks, the board's own controls, the actions; and a box for moves as text, which stands in the panel.

import * as api from './api.js';
import { Bar } from './bar.js';
import { clock, countdown, LOW } from './clock.js';
import { button, el, fill } from './dom.js';
import { announce, fail } from './say.js';
import { parse } from './spec.js';
import { playerName, rating } from './levels.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types.js').Side} Side */

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {GameView} gameView
   * @param {Engine} engine
   * @param {import('./match.js').Match} match
   * @param {import('./actions.js').Actions} actions
   */
  constructor(root, gameView, engine, match, actions) {
    this.gameView = gameView;
    this.engine = engine;
    this.bar = new Bar();
    this.strips = [this.strip(), this.strip()];
    this.holder = el('div', { class: 'holder' });
    this.controls = el('div', { class: 'controls' });
    this.pointed = el('span', { class: 'pointed', 'aria-hidden': 'true' });
    this.box = el('input', { type: 'text', class: 'movebox', placeholder: 'e.g. c4', autocomplete: 'off', spellcheck: 'false',
      autocapitalize: 'off', 'aria-label': 'Move as text' });
    this.text = el('pre', { class: 'described', tabindex: '0', hidden: true });
    this.typing = el('form', { class: 'typed', on: { submit: (/** @type {Event} */ event) => this.typed(event) } }, this.box,
      button('Move', () => this.typing.requestSubmit()), button('Describe board', () => this.describe(), { class: 'quiet' }), this.pointed);
    fill(root, [this.strips[1].element, el('div', { class: 'boardrow' }, this.bar.element, this.holder),
      el('div', { class: 'below' }, this.strips[0].element, this.controls), actions.element]);
    gameView.addEventListener('open', () => this.opened());
    gameView.addEventListener('change', () => this.update());
    gameView.addEventListener('flip', () => this.update());
    engine.addEventListener('update', () => this.showBar());
    match.addEventListener('think', () => this.update());
    /** Strengths of levels, by their agents. @type {Map<string, string>} */
    this.measured = new Map();
    setInterval(() => this.tick(), 200);
    this.wheel();
  }

  strip() {
    const [name, turn, reserve, time] = [el('span', { class: 'who' }), el('span', { class: 'turn' }), el('span', { class: 'reserve' }), el('span', { class: 'clock' })];
    return { element: el('div', { class: 'strip' }, el('span', { class: 'dot', 'aria-hidden': 'true' }), name, turn, reserve, time), name, time, turn, reserve };
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
    this.shape(board.element);
    this.measure();
    board.addEventListener('half', () => this.showReserves());
    board.addEventListener('cell', (event) => {
      this.pointed.textContent = /** @type {CustomEvent} */ (event).detail.cell ?? '';
    });
  }

  /** How wide the board is for its height: a small screen gives it just that room. @param {SVGSVGElement} board */
  shape(board) {
    const read = () => {
      const [, , width, height] = (board.getAttribute('viewBox') ?? '0 0 1 1').split(' ').map(Number);
      this.holder.style.setProperty('--shape', String(width / height));
    };
    read();
    this.shapes?.disconnect();
    this.shapes = new MutationObserver(read);
    this.shapes.observe(board, { attributeFilter: ['viewBox'] });
  }

  /** What each side has left beside the board, where a game has such a thing. */
  showReserves() {
    const left = this.gameView.board?.reserves() ?? null;
    this.order.forEach((side, at) => {
      const { reserve } = this.strips[at];
      const count = left?.[side === 'first' ? 0 : 1];
      reserve.textContent = count === undefined ? '' : `${count} left`;
      if (count === undefined) delete reserve.dataset.reserve;
      else reserve.dataset.reserve = String(count);
      reserve.style.setProperty('--left', String(count ?? 0));
    });
  }

  /** Asks how strong the level is that sits here. */
  async measure() {
    const session = this.gameView.session;
    this.measured.clear();
    if (!session?.seats.some((seat) => seat.who === 'agent' && seat.agent.startsWith('level:'))) return;
    // What was measured is the game as it is usually played.
    const { name, options } = parse(session.game);
    if (Object.keys(options).length) return;
    const levels = await api.levels(name).catch(() => []);
    for (const level of levels) if (level.strength) this.measured.set(level.agent, rating(level.strength));
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
      const who = seat.who === 'agent' ? playerName(seat.agent) : seat.name || (session.room ? (session.mine.includes(side) ? 'You' : session.mine.length ? 'Opponent' : '') : '');
      const colour = this.gameView.sideName(side);
      name.textContent = who || colour;
      name.title = seat.who === 'agent' ? seat.agent : '';
      const works = seat.who === 'agent' && session.live && (session.room || session.thinking);
      const does = moving ? (works ? ('fault' in session && session.fault ? 'does not move' : 'thinking…') : session.mine.length === 1 && session.mine[0] === side ? 'your move' : 'to move') : state.outcome === side ? 'wins' : '';
      const strength = seat.who === 'agent' ? this.measured.get(seat.agent) : '';
      turn.textContent = [strength, who && colour, does].filter(Boolean).join(' · ');
    });
    if (!this.text.hidden) this.text.textContent = this.description();
    this.showReserves();
    this.tick();
    this.showBar();
  }

  tick() {
    const session = this.gameView.session;
    if (!session) return;
    const left = session.left();
    const times = left ?? session.used();
    // On a board for trying things out nobody's time counts.
    const counts = !!session.room || session.seats.some((seat) => seat.who === 'agent');
    this.order.forEach((side, at) => {
      const { element, time } = this.strips[at];
      const ms = times[side === 'first' ? 0 : 1];
      const text = left ? countdown(ms) : clock(ms);
      if (time.textContent !== text) time.textContent = text;
      time.title = left ? 'time left' : 'time used';
      time.hidden = !counts;
      const low = !!left && ms < LOW;
      if (low && !element.classList.contains('low') && element.classList.contains('moving') && session.mine.includes(side)) announce('You have ten seconds left.');
      element.classList.toggle('low', low);
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
        this.gameView.goto(session.wanted + Math.sign(event.deltaY));
      }, { passive: false });
    }
  }
}
