// The tab Play: what game it is, what can be done in it, and who else may come.

import * as advice from './advice.js';
import { clockName } from './clock.js';
import { button, el, field, fill, select } from './dom.js';
import * as link from './link.js';
import { anyToken, makeRoom, RoomSession } from './room.js';
import { attempt, note } from './say.js';
import { settings } from './settings.js';
import { titleOf, parse } from './spec.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./match.js').Match} Match */
/** @typedef {import('./types.js').Seat} Seat */

/** Who plays on from a position that has no agent of its own. */
const OPPONENT = 'level:6';

export class Play {
  /**
   * @param {GameView} gameView
   * @param {Match} match
   * @param {import('./thinking.js').Thinking} thinking
   */
  constructor(gameView, match, thinking) {
    this.gameView = gameView;
    this.match = match;
    this.thinking = thinking;
    this.title = el('h2');
    this.variant = el('p', { class: 'small' });
    this.seat = el('p', { class: 'small' });
    this.invite = el('div', { class: 'invite', hidden: true });
    this.fault = el('div', { class: 'invite fault', role: 'alert', hidden: true });
    this.buttons = {
      now: button('Move for me', () => advice.moveNow(gameView), { title: 'Space' }),
      from: button('Play from here', () => this.playFromHere()),
    };
    this.engines = this.matchControls();
    this.element = el('div', {}, this.invite, this.engines, thinking.element, this.title, this.variant, this.seat,
      el('div', { class: 'buttons' }, ...Object.values(this.buttons), el('a', { class: 'button', href: '#' }, 'Another game')));
    gameView.addEventListener('open', () => this.update());
    gameView.addEventListener('change', () => this.update());
    match.addEventListener('change', () => this.update());
  }

  matchControls() {
    this.run = button('Start', () => (this.match.running ? this.match.pause() : this.match.go()), { class: 'main' });
    this.one = button('Step', () => this.match.step());
    const speed = el('input', { type: 'range', min: 0, max: 3000, step: 100, value: String(3000 - settings.get('speed')) });
    speed.addEventListener('input', () => settings.set('speed', 3000 - Number(speed.value)));
    return el('div', { class: 'engines', hidden: true }, el('div', { class: 'buttons' }, this.run, this.one), field('Speed', speed));
  }

  update() {
    const session = this.gameView.session;
    if (!session) return;
    const { about, options } = this.gameView.info ?? { about: '', options: [] };
    this.title.textContent = titleOf(this.gameView.games, session.game);
    const chosen = parse(session.game).options;
    const more = options.flatMap((option) => {
      const values = option.values;
      const word = Array.isArray(values) ? values.find(({ value }) => value === chosen[option.key]) : undefined;
      return word ? [`${option.key} ${word.value}: ${word.about}.`] : [];
    });
    const clock = session instanceof RoomSession && session.clock;
    this.variant.textContent = [about, ...more, clock ? `Clock: ${clockName(clock)}.` : ''].filter(Boolean).join(' ');
    const over = !!session.last?.outcome;
    this.seat.textContent = session.room && !session.mine.length && !session.seats.every((seat) => seat.who === 'agent')
      ? 'You are watching: moves that you make are try-outs that only you see.' : session.room ? '' : 'You play both sides: try out what you like.';
    this.engines.hidden = !this.match.fits;
    if (this.match.fits) this.seat.textContent = over ? '' : 'Two engines play here.';
    if (this.run) this.run.textContent = this.match.running ? 'Pause' : session.line.length ? 'Continue' : 'Start';
    if (this.run) /** @type {HTMLButtonElement} */ (this.run).disabled = over;
    const show = (/** @type {keyof Play['buttons']} */ name, /** @type {boolean} */ on) => (this.buttons[name].hidden = !on);
    show('from', !this.gameView.taker && session.advised && (!session.live || !session.room || over));
    // A puzzle or a lesson takes the moves itself.
    const own = !this.gameView.taker;
    if (!own) this.seat.textContent = '';
    show('now', own && session.advised && !this.match.fits && !this.thinking.busy);
    this.buttons.now.disabled = !!session.state?.outcome;
    this.showInvite();
    this.showFault();
  }

  showInvite() {
    const session = this.gameView.session instanceof RoomSession ? this.gameView.session : null;
    const invite = session?.keys.invite;
    const there = !!invite && !session?.last?.outcome;
    this.invite.hidden = !there;
    if (!there || !session || this.invite.dataset.room === session.room) return;
    this.invite.dataset.room = session.room;
    const address = link.toRoom(session.room, invite.token);
    const box = el('input', { type: 'text', readonly: true, value: address, 'aria-label': 'Link for the other player' });
    const watch = link.toRoom(session.room);
    const own = session.seats[invite.side === 'first' ? 1 : 0];
    const name = el('input', { type: 'text', maxlength: 40, autocomplete: 'nickname', on: { change: () => attempt(() => session.rename(name.value.trim())) } });
    name.addEventListener('change', () => settings.set('name', name.value.trim()));
    fill(this.invite, [el('h2', {}, 'Invite'), el('p', { class: 'small' }, 'Whoever opens this link plays the other side:'), box,
      el('div', { class: 'buttons' }, button('Copy link', () => copy(address, 'Link')), button('Copy link to watch', () => copy(watch, 'Link'))), own.who === 'person' && !own.name && field('Your name, for your guest', name)]);
  }

  /** An agent that does not move: why, and three ways on. */
  showFault() {
    const session = this.gameView.session;
    const room = session instanceof RoomSession && !session.last?.outcome ? session : null;
    const said = room?.fault?.what ?? '';
    this.fault.hidden = !said;
    if (!room || this.fault.dataset.said === said) return;
    this.fault.dataset.said = said;
    const again = room.fault?.passing ? 'It is tried again by itself. ' : '';
    const levels = select([1, 2, 3, 4, 5, 6, 7, 8].map((level) => [`level:${level}`, `Level ${level}`]), 'level:4', () => {}, { 'aria-label': 'Another agent' });
    const replace = () => attempt(() => room.replace({ who: 'agent', agent: levels.value }));
    const takeOver = () => attempt(() => room.replace({ who: 'person', name: settings.get('name') }));
    const may = anyToken(room.keys);
    fill(this.fault, [el('h2', {}, 'The agent does not move'), el('p', {}, said), el('p', { class: 'small' }, `${again}${may ? '' : 'Whoever plays here can let it try again or replace it.'}`),
      may && el('div', { class: 'buttons' }, button('Try again', () => attempt(() => room.retry())), button('Take over', takeOver), button('Replace by', replace), levels)]);
  }

  /** A new game from the position that is shown: between the same seats, or against the engine. */
  async playFromHere() {
    const session = this.gameView.session;
    if (!session?.state) return;
    if (session.state.outcome) return note('The game is over in this position; go back to an earlier one first.');
    const { place } = session;
    const agent = session.seats.some((seat) => seat.who === 'agent');
    /** @type {[Seat, Seat]} */
    const seats = agent && session.room ? session.seats : session.state.to_move === 'first'
      ? [{ who: 'person', name: settings.get('name') }, { who: 'agent', agent: OPPONENT }]
      : [{ who: 'agent', agent: OPPONENT }, { who: 'person', name: settings.get('name') }];
    await attempt(async () => {
      location.hash = `#room=${await makeRoom({ ...place, seats })}`;
    });
  }
}

/**
 * @param {string} text
 * @param {string} what
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} copied.`);
  } catch {
    prompt(`${what}: copy it from here.`, text);
  }
}
