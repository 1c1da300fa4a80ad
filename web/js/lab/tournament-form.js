// The form of a tournament: everything is decided before the first game, also when a sequential test ends.

import * as api from '../api.js';
import { button, el, field, fill, select } from '../dom.js';
import { iconButton } from '../icons.js';
import { playerName } from '../levels.js';
import { variant } from '../setup.js';
import { site } from '../site.js';
import { address, Complaint } from './parts.js';
import * as requests from './requests.js';

/** @typedef {import('../types.js').GameInfo} GameInfo */
/** @typedef {{agent:string,about:string,group:string}} Offer */

/** What a budget can be, with an example. @type {[string, string, string][]} */
const BUDGETS = [['', 'each agent’s own', ''], ['time', 'time per move', '50ms'], ['nodes', 'nodes per move', '2000'], ['depth', 'plies deep', '2'], ['visits', 'visits per move', '200']];

/**
 * @param {number} value
 * @param {Record<string, unknown>} [more]
 */
const number = (value, more = {}) => el('input', { type: 'number', value, required: true, ...more });

export class TournamentForm {
  /** @param {GameInfo[]} games */
  constructor(games) {
    this.games = games;
    /** @type {string[]} */
    this.players = [];
    /** @type {Offer[]} */
    this.offers = [];
    this.game = select(games.map((info) => [info.game, info.title]), games[0].game, () => this.complaint.around(() => this.load()));
    this.variant = variant(games[0]);
    this.options = el('div', { class: 'fields' });
    this.filter = el('input', { type: 'search', placeholder: 'Filter: level, minimax, beam…', 'aria-label': 'Filter the players', on: { input: () => this.offer() } });
    this.list = el('div', { class: 'offers', role: 'group', 'aria-label': 'Players of the catalogue' });
    this.own = el('input', { type: 'text', class: 'code', placeholder: 'mcts(visits=200)', 'aria-label': 'A player by its spec', spellcheck: 'false',
      on: { keydown: (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && (event.preventDefault(), this.addOwn()) } });
    this.chosen = el('ul', { class: 'chips', 'aria-label': 'Chosen players' });
    this.format = select([['round-robin', 'round robin: everybody meets everybody'], ['gauntlet', 'gauntlet: the first meets all others']], 'round-robin', () => this.count());
    this.anchor = select([], '', () => {});
    this.length = select([['games', 'a fixed number of games'], ['sprt', 'a sequential test (SPRT) of two players']], 'games', () => this.update());
    // A browser plays short ones.
    this.number = site === null ? number(100, { min: 1, max: 1000000 }) : number(10, { min: 1, max: 20 });
    this.elo0 = number(0, { step: 'any' });
    this.elo1 = number(20, { step: 'any' });
    this.most = site === null ? number(20000, { min: 2, max: 1000000 }) : number(20, { min: 2, max: 20 });
    this.fixed = el('div', { class: 'fields' }, field('Games per pairing', this.number, 'with an even number both seats are played equally often'));
    this.sprt = el('div', { class: 'fields' }, field('H0: the first is better by no more than, Elo', this.elo0), field('H1: it is better by, Elo', this.elo1), field('At most this many games', this.most));
    this.budget = select(BUDGETS.map(([value, text]) => [value, text]), '', () => this.update());
    this.much = el('input', { type: 'text', required: true, spellcheck: 'false' });
    this.muchField = field('How much', this.much);
    this.openings = number(2, { min: 0, max: 40 });
    this.seed = number(1, { min: 0 });
    this.plan = el('p', { class: 'small', 'aria-live': 'polite' });
    this.complaint = new Complaint();
    for (const input of [this.number, this.most]) input.addEventListener('input', () => this.count());
    this.element = el('form', { class: 'labform', on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), this.start()) } },
      el('fieldset', { class: 'wide game' }, el('legend', {}, 'Game'), field('Game', this.game), this.options),
      el('fieldset', { class: 'wide' }, el('legend', {}, 'Players'), this.chosen, this.filter, this.list, el('div', { class: 'row' }, this.own, button('Add', () => this.addOwn()))),
      el('fieldset', {}, el('legend', {}, 'Pairings'), field('Who meets whom', this.format), field('Length of the match, decided now', this.length), this.fixed, this.sprt, field('Rating 0 has', this.anchor)),
      el('fieldset', {}, el('legend', {}, 'Each game'), field('Budget', this.budget), this.muchField, field('Random plies at the start', this.openings, 'both games of a pair start with the same moves'), field('Seed', this.seed, 'the same seed plays the same games')),
      el('div', { class: 'wide' }, this.plan, this.complaint.element, el('div', { class: 'buttons' }, el('button', { type: 'submit', class: 'main' }, 'Begin'))));
    this.update();
    this.choose();
  }

  /** The lists are asked for when somebody opens the form. */
  opened() {
    return this.complaint.around(() => this.load());
  }

  async load() {
    const info = this.games.find(({ game }) => game === this.game.value) ?? this.games[0];
    this.variant = variant(info);
    fill(this.options, this.variant.labels);
    const [agents, levels] = await Promise.all([api.agents(info.game), api.levels(info.game)]);
    this.offers = [...levels.map(({ agent, spec }) => ({ agent, about: spec, group: 'Levels' })), { agent: 'random', about: 'a uniformly random move', group: 'Levels' },
      ...agents.filter(({ needs }) => !needs).flatMap(({ agent, about, modes, paper }) => modes.map((mode) => ({ agent: modes.length > 1 ? `${agent}(mode=${mode})` : agent, about, group: paper ? `Paper: ${paper}` : 'Our own players' })))];
    this.players = [];
    this.filter.value = '';
    this.choose();
    this.offer();
  }

  /** The players that the filter leaves. */
  offer() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.offers.filter(({ agent, about }) => words.every((word) => `${agent} ${playerName(agent)} ${about}`.toLowerCase().includes(word)));
    const item = (/** @type {Offer} */ { agent, about }) => {
      const box = el('input', { type: 'checkbox', checked: this.players.includes(agent), on: { change: () => this.toggle(agent, box.checked) } });
      return el('label', { class: 'offer' }, box, el('span', {}, el('span', {}, playerName(agent)), el('small', {}, about)));
    };
    const groups = [...new Set(found.map(({ group }) => group))];
    fill(this.list, found.length ? groups.map((group) => el('div', { role: 'group', 'aria-label': group }, el('p', { 'aria-hidden': 'true' }, group), ...found.filter((one) => one.group === group).map(item))) : [el('p', { class: 'small' }, 'No player has that in its name or description.')]);
  }

  /**
   * @param {string} agent
   * @param {boolean} on
   */
  toggle(agent, on) {
    this.players = on ? [...this.players, agent] : this.players.filter((one) => one !== agent);
    this.choose();
  }

  addOwn() {
    const agent = this.own.value.trim();
    if (!agent || this.players.includes(agent)) return;
    this.own.value = '';
    this.toggle(agent, true);
    this.offer();
  }

  /** Shows who was chosen. */
  choose() {
    fill(this.chosen, this.players.length ? this.players.map((agent) => el('li', {}, el('span', { title: agent }, playerName(agent)), iconButton('close', `Remove ${playerName(agent)}`, () => {
      this.toggle(agent, false);
      this.offer();
    }))) : [el('li', { class: 'small' }, 'Choose at least two players.')]);
    fill(this.anchor, this.players.map((agent) => el('option', { value: agent }, playerName(agent))));
    this.count();
  }

  update() {
    this.fixed.hidden = this.length.value !== 'games';
    this.sprt.hidden = this.length.value === 'games';
    // A hidden field that must be filled in would stop the form without a word.
    for (const [input, on] of /** @type {[HTMLInputElement, boolean][]} */ ([[this.number, !this.fixed.hidden], [this.elo0, !this.sprt.hidden], [this.elo1, !this.sprt.hidden], [this.most, !this.sprt.hidden], [this.much, !!this.budget.value]])) input.disabled = !on;
    const budget = BUDGETS.find(([value]) => value === this.budget.value);
    this.muchField.hidden = !this.budget.value;
    this.much.value = budget?.[2] ?? '';
    this.count();
  }

  /** Says how many games it will be. */
  count() {
    const players = this.players.length;
    const pairings = this.format.value === 'gauntlet' ? players - 1 : (players * (players - 1)) / 2;
    if (players < 2) this.plan.textContent = '';
    else if (this.length.value === 'games') this.plan.textContent = `${pairings * Number(this.number.value)} games in ${pairings} ${pairings === 1 ? 'pairing' : 'pairings'}.`;
    else this.plan.textContent = players > 2 ? 'A sequential test is between two players.' : `At most ${this.most.value} games; the test is evaluated after each pair.`;
  }

  start() {
    return this.complaint.around(async () => {
      const budget = this.budget.value;
      const length = this.length.value === 'games' ? { games: Number(this.number.value) } : { sprt: [Number(this.elo0.value), Number(this.elo1.value)], most: Number(this.most.value) };
      const much = budget === 'time' ? this.much.value.trim() : Number(this.much.value);
      if (budget && budget !== 'time' && !(Number.isInteger(much) && Number(much) > 0)) throw new Error('Enter a whole number, such as 2000.');
      const { run } = await requests.beginTournament({ game: this.variant.spec(), players: this.players, format: this.format.value, ...length, openings: Number(this.openings.value),
        seed: Number(this.seed.value), ...(this.anchor.value ? { anchor: this.anchor.value } : {}), ...(budget ? { [budget]: much } : {}) });
      location.hash = address('tournaments', String(run));
    });
  }
}
