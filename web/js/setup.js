// Setting a game up: variant, size, and who sits where.

import * as api from './api.js';
import { capital } from './boards/text.js';
import { clockName } from './clock.js';
import { button, el, field, fill, grouped, select } from './dom.js';
import { DEFAULT_LEVEL, mannerOf, nameOf, playerName } from './levels.js';
import { freshId } from './library.js';
import { makeRoom } from './room.js';
import { attempt } from './say.js';
import { Session } from './session.js';
import { settings } from './settings.js';
import { site } from './site.js';
import { other, shortAgent, write } from './spec.js';

/** @typedef {import('./types.js').GameInfo} GameInfo */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./types.js').Level} Level */
/** @typedef {import('./types.js').AgentInfo} AgentInfo */
/** @typedef {'person'|'guest'|'level'|'agent'} Kind */

/** @type {[string, string][]} */
const TIMES = [['', 'its own'], ['100ms', '0.1 s'], ['300ms', '0.3 s'], ['1s', '1 s'], ['3s', '3 s'], ['10s', '10 s']];

/** Minutes for all moves of a side, and seconds that every move adds. @type {[number, number][]} */
const CLOCKS = [[1, 0], [3, 2], [5, 0], [5, 3], [10, 0], [10, 5], [15, 10], [30, 0], [30, 20]];

/** The choice of a clock. The first moves are free, so that nobody loses time by waiting for a guest. */
class ClockChoice {
  constructor() {
    const control = (/** @type {[number, number]} */ [minutes, seconds]) => ({ main_ms: minutes * 60_000, increment_ms: seconds * 1000 });
    const options = CLOCKS.map((clock) => /** @type {[string, string]} */ ([clock.join('+'), clockName(control(clock))]));
    this.kind = select([['', 'No clock'], ...options, ['own', 'Another…']], '', () => this.update());
    this.minutes = el('input', { type: 'number', min: 0.1, max: 600, step: 0.1, value: '5', required: true });
    this.seconds = el('input', { type: 'number', min: 0, max: 600, value: '0', required: true });
    this.own = [field('Minutes for each side', this.minutes), field('Seconds more per move', this.seconds)];
    this.about = el('p', { class: 'small' });
    this.element = el('fieldset', {}, el('legend', {}, 'Clock'), field('Time for each side', this.kind), ...this.own, this.about);
    this.update();
  }

  update() {
    for (const one of this.own) one.hidden = this.kind.value !== 'own';
    for (const input of [this.minutes, this.seconds]) input.disabled = this.kind.value !== 'own';
    this.about.textContent = this.kind.value ? 'Whoever runs out of time loses. The clocks start after each side’s first move.' : '';
  }

  /** @returns {import('./types.js').TimeControl|null} */
  get control() {
    if (!this.kind.value) return null;
    const [minutes, seconds] = this.kind.value === 'own' ? [Number(this.minutes.value), Number(this.seconds.value)] : this.kind.value.split('+').map(Number);
    return { main_ms: Math.round(minutes * 60_000), increment_ms: Math.round(seconds * 1000) };
  }
}

/** One chair: who is on it. */
class Chair {
  /**
   * @param {string} side
   * @param {Kind} kind
   * @param {Level[]} levels
   * @param {AgentInfo[]} agents
   */
  constructor(side, kind, levels, agents) {
    this.agents = agents;
    this.levels = levels;
    /** @type {[string, string][]} */
    const kinds = [['person', 'A person here'], ['guest', 'A person by link'], ['level', 'A level'], ['agent', 'A player of the papers']];
    // People elsewhere need a server between them.
    this.kind = select(kinds.filter(([one]) => one !== 'guest' || site === null), kind, () => this.update());
    this.level = select(levels.map((level) => [level.agent, nameOf(level)]), levels[DEFAULT_LEVEL - 1]?.agent ?? '', () => this.update());
    this.agent = select([], '', () => this.update());
    const papers = [...new Set(agents.map(({ paper }) => paper ?? ''))];
    grouped(this.agent, papers.map((paper) => [paper, agents.filter((one) => (one.paper ?? '') === paper).map(({ agent, needs }) => [agent, shortAgent(agent) + (needs ? ' (not trained)' : '')])]));
    this.agent.value = agents.find(({ needs }) => !needs)?.agent ?? '';
    this.mode = select([], '', () => {});
    this.time = select(TIMES, '', () => {});
    this.name = el('input', { type: 'text', maxlength: 40, value: settings.get('name'), autocomplete: 'nickname' });
    this.about = el('p', { class: 'small' });
    this.fields = { person: [field('Name', this.name)], guest: [], level: [field('Level', this.level)], agent: [field('Agent', this.agent), field('Mode', this.mode), field('Time per move', this.time)] };
    const all = Object.values(this.fields).flat();
    this.element = el('fieldset', {}, el('legend', {}, side), field('Who', this.kind), ...all, this.about);
    this.update();
  }

  update() {
    const kind = /** @type {Kind} */ (this.kind.value);
    for (const [of, fields] of Object.entries(this.fields)) for (const one of fields) one.hidden = of !== kind;
    const agent = this.agents.find(({ agent }) => agent === this.agent.value);
    const modes = agent?.modes ?? [];
    if (this.mode.options.length !== modes.length) fill(this.mode, modes.map((mode) => el('option', { value: mode }, mode)));
    this.fields.agent[1].hidden = kind !== 'agent' || modes.length < 2;
    const level = this.levels.find((one) => one.agent === this.level.value);
    this.about.textContent = kind === 'level' && level ? mannerOf(level) : kind !== 'agent' || !agent ? kind === 'guest' ? 'You get a link to send to the other player.' : ''
      : `${agent.about}. ${agent.paper ?? ''} ${agent.section ?? ''}${agent.needs ? ` It has to be trained first: ${agent.needs}` : ''}`;
  }

  /** Strengths were measured in the game as it is usually played, and are not told in another. @param {boolean} usual */
  rate(usual) {
    for (const [at, level] of this.levels.entries()) this.level.options[at].text = usual ? nameOf(level) : playerName(level.agent);
  }

  /** @returns {Seat} */
  get seat() {
    switch (this.kind.value) {
      case 'level':
        return { who: 'agent', agent: this.level.value };
      case 'agent': {
        const extra = /** @type {Record<string, string>} */ ({});
        if (this.mode.options.length > 1) extra.mode = this.mode.value;
        if (this.time.value) extra.time = this.time.value;
        return { who: 'agent', agent: write(this.agent.value, extra) };
      }
      case 'guest':
        return { who: 'person', name: '' };
      default:
        return { who: 'person', name: this.name.value.trim() };
    }
  }
}

/**
 * The fields of a game's options, and the spec that they make.
 * @param {GameInfo} info
 */
export function variant(info) {
  const inputs = info.options.map((option) => {
    const { values } = option;
    if (!Array.isArray(values)) {
      const input = el('input', { type: 'number', min: values.from, max: values.to, value: option.default, required: true });
      return { option, input, label: field(`${capital(option.about)}, ${values.from} to ${values.to}`, input) };
    }
    const label = field(capital(option.about), select(values.map(({ value }) => [value, value]), option.default, (chosen) => {
      if (more) more.textContent = values.find(({ value }) => value === chosen)?.about ?? '';
    }), values.find(({ value }) => value === option.default)?.about);
    const more = label.querySelector('small');
    return { option, input: /** @type {HTMLSelectElement} */ (label.querySelector('select')), label };
  });
  const spec = () => write(info.game, Object.fromEntries(inputs.filter(({ option, input }) => input.value !== option.default).map(({ option, input }) => [option.key, input.value])));
  return { labels: inputs.map(({ label }) => label), spec };
}

/**
 * The form.
 * @param {GameInfo} info
 * @param {(session: Session) => void} open for a game that the server does not keep
 */
export async function setup(info, open) {
  const [levels, agents] = await Promise.all([api.levels(info.game), api.agents(info.game)]);
  const names = info.sides.map((name, seat) => `${seat ? 'Second' : 'First'}: ${name}`);
  const { labels, spec } = variant(info);
  const chairs = [new Chair(names[0], 'person', levels, agents), new Chair(names[1], 'level', levels, agents)];
  const clock = new ClockChoice();
  const from = el('input', { type: 'text', class: 'code', placeholder: 'the usual start', spellcheck: 'false' });
  const start = () => attempt(() => begin(spec(), from.value.trim() || null, chairs, clock.control, open));
  const exchange = () => {
    const [a, b] = chairs;
    for (const key of /** @type {const} */ (['kind', 'level', 'agent', 'time', 'name'])) [a[key].value, b[key].value] = [b[key].value, a[key].value];
    chairs.forEach((chair) => chair.update());
  };
  const rate = () => chairs.forEach((chair) => chair.rate(spec() === info.game));
  const form = el('form', { class: 'setup', on: { change: rate, submit: (/** @type {Event} */ event) => (event.preventDefault(), start()) } },
    labels.length ? el('fieldset', {}, el('legend', {}, 'Variant'), ...labels) : null, ...chairs.map(({ element }) => element), clock.element,
    el('details', {}, el('summary', {}, 'Start from a position'), field('Position as text', from)),
    el('div', { class: 'buttons' }, el('button', { type: 'submit', class: 'main' }, 'Start'), button('Swap seats', exchange)));
  return form;
}

/**
 * @param {string} game
 * @param {string|null} position
 * @param {Chair[]} chairs
 * @param {import('./types.js').TimeControl|null} clock
 * @param {(session: Session) => void} open
 */
async function begin(game, position, chairs, clock, open) {
  const seats = /** @type {[Seat, Seat]} */ (chairs.map((chair) => chair.seat));
  for (const chair of chairs) if (chair.kind.value === 'person' && chair.name.value.trim()) settings.set('name', chair.name.value.trim());
  if (chairs.every((chair) => chair.kind.value === 'guest')) throw new Error('At least one player must be here: choose “A person here” for one side.');
  if (seats.every((seat) => seat.who === 'agent')) {
    if (clock) throw new Error('Two engines play without a clock: choose “No clock”, or a person for one side.');
    // Engines play at this page's own speed, so it asks for their moves one by one.
    const session = new Session({ game, from: position, seats, id: freshId(), seed: 1 + Math.floor(Math.random() * 1e6) });
    await session.begin(null);
    return open(session);
  }
  const guest = chairs.findIndex((chair) => chair.kind.value === 'guest');
  const room = await makeRoom({ game, position, moves: [], seats, clock }, guest < 0 ? null : guest === 0 ? 'first' : 'second');
  location.hash = `#room=${room}`;
}

/**
 * A game in one press against a level.
 * @param {string} game
 * @param {number} [level]
 * @param {import('./types.js').Side} [side] the person's
 */
export async function quick(game, level = DEFAULT_LEVEL, side = 'first') {
  /** @type {Seat[]} */
  const seats = [{ who: 'person', name: settings.get('name') }, { who: 'agent', agent: `level:${level}` }];
  if (side === 'second') seats.reverse();
  location.hash = `#room=${await makeRoom({ game, moves: [], seats: /** @type {[Seat, Seat]} */ (seats) })}`;
}

/**
 * A game with whoever gets the link.
 * @param {string} game
 * @param {import('./types.js').Side} side the host's
 */
export async function friend(game, side) {
  /** @type {Seat[]} */
  const seats = [{ who: 'person', name: settings.get('name') }, { who: 'person', name: '' }];
  if (side === 'second') seats.reverse();
  location.hash = `#room=${await makeRoom({ game, moves: [], seats: /** @type {[Seat, Seat]} */ (seats) }, other(side))}`;
}
