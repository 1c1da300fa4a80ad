// The tab Analyse: the engine and what it sees, live; overlays; an evaluation term by term.

import * as advice from './advice.js';
import { scoreText } from './boards/text.js';
import { button, el, field, fill, grouped, select, tick } from './dom.js';
import { HEATS, UNFAIR } from './engine.js';
import { engines } from './engines.js';
import { iconButton } from './icons.js';
import { better, counts, percent, rightMoves, valueFor, words, WORTH } from './judge.js';
import { playerName } from './levels.js';
import { attempt } from './say.js';
import { settings } from './settings.js';
import { shortAgent } from './spec.js';
import { Spark } from './spark.js';
import { more, pace, seconds, short } from './thinking.js';
import { Tree } from './tree.js';

/** @typedef {import('./game-view.js').GameView} GameView */
/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types.js').Root} Root */

/** Moves in the short list. */
const BEST = 5;
/** Moves of a line. */
const LINE = 8;
/** A move with a smaller part of the best one's visits is shown faint: its value means little. */
const FEW = 0.1;

/** What the heat maps show. @type {Record<import('./engine.js').Heat, string>} */
const MAPS = { off: 'off', visits: 'where it looks', value: 'worth of moves', policy: 'first thoughts', exact: 'what is proven' };

/** The worth of moves for an engine that has no chances to tell. */
const SCORES = 'worth, as a score';

/** Thoughts that can be chosen. @type {[string, string][]} */
export const THOUGHTS = [['1000', '1 s'], ['3000', '3 s'], ['10000', '10 s'], ['30000', '30 s'], ['60000', '60 s']];

/** What boards can show of the position itself. @type {Record<string, [string, string][]>} */
const OVERLAYS = {
  pathwayz: [['paths', 'longest path of each side'], ['threats', 'squares that win at once']],
  twixt: [['paths', 'shortest way of each side']],
};

export class Analyse {
  /**
   * @param {GameView} gameView
   * @param {Engine} engine
   */
  constructor(gameView, engine) {
    this.gameView = gameView;
    this.engine = engine;
    this.switch = iconButton('engine', 'Engine on', () => engine.toggle(), { class: 'switch', title: 'l', 'aria-pressed': 'false' });
    this.agent = select([['', 'the strongest']], '', (value) => settings.set('engine', value));
    this.thought = select(THOUGHTS, String(settings.get('thought')), (value) => settings.set('thought', Number(value)));
    this.figure = el('span', { class: 'figure', 'aria-hidden': 'true' });
    this.verdict = el('p', { class: 'verdict' });
    this.tag = el('span', { class: 'tag', 'aria-hidden': 'true', hidden: true }, 'proven');
    this.proof = el('p', { class: 'small' });
    this.numbers = el('span', {});
    this.order = el('span', {});
    this.told = el('p', { class: 'small numbers told' }, this.numbers, this.order);
    this.spark = new Spark(gameView);
    this.lines = el('ol', { class: 'lines', 'aria-label': 'Best moves' });
    this.all = el('table', { class: 'moves' });
    this.twin = el('details', {}, el('summary', {}, 'All moves as a table'),
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'All moves' }, this.all));
    this.twin.addEventListener('toggle', () => this.update());
    this.heat = select(HEATS.map((heat) => [heat, MAPS[heat]]), settings.get('heat'), (value) => settings.set('heat', value), { title: 'm' });
    this.arrow = tick('Arrow for the best move', settings.get('arrow'), (on) => settings.set('arrow', on));
    this.ghosts = tick('Best line on the board', settings.get('ghosts'), (on) => settings.set('ghosts', on));
    this.live = tick('What the search is looking at', settings.get('live'), (on) => settings.set('live', on));
    this.now = el('p', { class: 'line now', 'aria-hidden': 'true' });
    this.tree = new Tree();
    this.overlay = select([['none', 'none']], 'none', (value) => gameView.board?.set('overlay', value));
    this.overlayField = field('Show', this.overlay);
    /** @type {Promise<import('./lab/explain.js').Explain>|null} loaded when it is opened */
    this.explainer = null;
    /** @type {Promise<import('./slow.js').Slow>|null} loaded when it is opened */
    this.slow = null;
    this.slowly = el('details', { on: { toggle: () => this.slowly.open && attempt(() => this.slowMotion()) } }, el('summary', {}, 'Slow motion'));
    this.explained = el('details', { on: { toggle: () => this.explain() } }, el('summary', {}, 'Explain an evaluation'));
    this.element = el('div', {}, el('div', { class: 'judgement' }, this.figure, el('div', {}, this.verdict), this.tag, this.switch), this.told, this.proof, this.lines, this.spark.element, this.now,
      el('div', { class: 'pair' }, field('Heat map', this.heat), field('Engine', this.agent)),
      el('div', { class: 'pair' }, field('Thinks for', this.thought), el('div', { class: 'buttons' }, button('Threat', () => advice.threat(gameView), { title: 'x' }), button('Stop', () => engine.stop(), { class: 'quiet' }))),
      el('div', { class: 'ticks' }, this.arrow, this.ghosts, this.live), this.overlayField, this.tree.element, this.twin, this.slowly, this.explained);
    gameView.addEventListener('open', () => attempt(() => this.opened()));
    gameView.addEventListener('judged', (event) => {
      const { moves, verdicts } = /** @type {CustomEvent<{moves:string[],verdicts:(import('./judge.js').Verdict|null)[]}>} */ (event).detail;
      verdicts.forEach((verdict, ply) => verdict && this.spark.note(moves.slice(0, ply), verdict));
    });
    gameView.addEventListener('change', () => {
      this.update();
      this.explain();
    });
    engine.addEventListener('update', () => this.update());
    engine.addEventListener('toggle', () => this.update());
    settings.addEventListener('change', () => {
      this.heat.value = settings.get('heat');
      for (const [label, on] of /** @type {[HTMLElement, boolean][]} */ ([[this.arrow, settings.get('arrow')], [this.ghosts, settings.get('ghosts')], [this.live, settings.get('live')]])) {
        /** @type {HTMLInputElement} */ (label.firstElementChild).checked = on;
      }
    });
    this.update();
  }

  /** Engines and evaluations are those of the game. */
  async opened() {
    const [info, session] = [this.gameView.info, this.gameView.session];
    if (!info || !session) return;
    const overlays = OVERLAYS[info.game] ?? [];
    fill(this.overlay, [['none', 'pieces only'], ...overlays].map(([value, text]) => el('option', { value }, text)));
    this.showOverlays();
    grouped(this.agent, await engines(info.game, session.game));
    const wanted = [...this.agent.options].some(({ value }) => value === settings.get('engine')) ? settings.get('engine') : '';
    this.agent.value = wanted;
    settings.set('engine', wanted);
  }

  /** Squares that win at once are help, too. */
  showOverlays() {
    this.overlayField.hidden = this.overlay.options.length < 2 || !(this.gameView.session?.advised ?? true);
  }

  update() {
    const { engine, gameView } = this;
    this.showOverlays();
    const allowed = gameView.session?.advised ?? true;
    this.switch.setAttribute('aria-label', engine.on ? 'Engine off' : 'Engine on');
    this.switch.setAttribute('aria-pressed', String(engine.on));
    this.switch.disabled = !allowed;
    const { report, done, verdict } = engine;
    const side = gameView.session?.state?.to_move ?? 'first';
    fill(this.verdict, allowed ? [this.sentence(), verdict?.exact && !gameView.session?.state?.outcome && el('span', { class: 'unseen' }, `, exact`), verdict?.exact && this.only()] : [UNFAIR]);
    const { session } = gameView;
    if (verdict && session && !engine.thinking) this.spark.note(session.place.moves, verdict);
    this.verdict.dataset.state = !engine.on ? (verdict ? 'done' : 'off') : done || session?.state?.outcome ? 'done' : 'thinking';
    this.verdict.classList.toggle('exact', !!verdict?.exact);
    this.figure.textContent = verdict ? figure(verdict, side) : '';
    this.figure.dataset.says = this.figure.textContent;
    this.tag.hidden = !verdict?.exact;
    this.proof.textContent = this.proven();
    this.proof.hidden = !this.proof.textContent;
    this.told.hidden = !!verdict?.exact;
    const told = done ?? report;
    const who = settings.get('engine') ? playerName(settings.get('engine')) : 'the strongest';
    this.numbers.textContent = !told || !engine.on ? '' : (done ? `${who} · ${short(done.nodes)} positions · ${seconds(done.ms)}` : pace(told)) + more(report);
    this.numbers.title = told ? pace(told) : '';
    for (const option of this.heat.options) {
      if (option.value === 'value') option.textContent = report && !counts(report) && report.roots.length ? SCORES : MAPS.value;
      option.hidden = option.disabled = !engine.heats.includes(/** @type {import('./engine.js').Heat} */ (option.value)) && option.value !== settings.get('heat');
    }
    const { looked } = engine;
    this.now.hidden = !engine.on || !looked;
    if (looked) this.now.textContent = `${looked.cut ? 'Cuts off after' : 'Looks at'} ${looked.line.join(' ')}`;
    this.tree.show(engine.on ? report?.tree ?? [] : []);
    const roots = engine.on ? this.rank(report?.roots ?? []) : [];
    const most = Math.max(0, ...roots.map((root) => root.visits ?? 0));
    const total = roots.reduce((sum, root) => sum + (root.visits ?? 0), 0);
    this.order.textContent = most ? 'by visits' : '';
    const shares = !!report && counts(report);
    const empty = !engine.on ? 'Switch the engine on to see the best moves, each with the line that follows.' : gameView.session?.state?.outcome ? 'The game is over here.' : 'Looking…';
    fill(this.lines, roots.length ? roots.slice(0, BEST).map((root) => this.best(root, most, shares)) : [el('li', { class: 'empty' }, el('p', {}, empty), !engine.on && allowed && button('Analyse this position', () => this.begin(), { class: 'main' }))]);
    this.twin.hidden = !roots.length;
    if (!this.twin.open) return;
    const priors = roots.some(({ prior }) => prior != null);
    fill(this.all, [head(priors), el('tbody', {}, ...roots.map((root) => this.row(root, most, total, shares, priors)))]);
  }

  /** The button is gone when the engine is on: who pressed it is at the switch then. */
  begin() {
    this.switch.focus();
    this.engine.toggle();
  }

  /** The moves, the best first: by proof where there is one, else by visits and value. @param {Root[]} roots */
  rank(roots) {
    const { exact } = this.engine;
    if (!exact?.known) return ranked(roots);
    const proven = [...exact.moves].sort(better).map(({ move, outcome }) => roots.find((root) => root.move === move) ?? { move, value: WORTH[outcome], visits: null });
    return [...proven, ...ranked(roots.filter((root) => !proven.includes(root)))];
  }

  /** What is known of the position, in a sentence. */
  sentence() {
    const { engine, gameView } = this;
    const { verdict } = engine;
    const state = gameView.session?.state;
    const side = state?.to_move ?? 'first';
    if (!engine.on && !verdict) return 'The engine is off.';
    if (verdict?.exact) return state?.outcome ? `${gameView.result(state)}.` : `${gameView.sideName(side)}: ${words(verdict, side)}`;
    if (engine.queued !== null) return engine.queued ? `Other searches are running; you are number ${engine.queued} in the queue.` : 'The engine is busy; asking again.';
    if (!verdict) return 'Thinking…';
    const only = state?.legal.length === 1 ? ', the only move' : '';
    return `${gameView.sideName(side)}: ${words(verdict, side)}${only}${verdict.draw ? `, draws ${percent(verdict.draw)}` : ''}`;
  }

  /** Is there but one move that keeps what is proven? */
  only() {
    const { exact } = this.engine;
    return exact?.known && exact.outcome !== 'loss' && exact.moves.length > 1 && rightMoves(exact).length === 1 ? ', only move' : '';
  }

  /** Who has proven what is shown; or, where exact marks are wanted, why there are none. */
  proven() {
    const { exact, done } = this.engine;
    if (exact?.known) return `Proven by ${exact.by}.`;
    if (done?.proven) return 'Proven by the search.';
    return exact && settings.get('heat') === 'exact' ? `No exact values here: ${exact.why}` : '';
  }

  /**
   * One of the best moves, with what follows it, as far as the tree tells.
   * @param {Root} root
   * @param {number} most visits of the best move
   * @param {boolean} shares
   */
  best(root, most, shares) {
    const { engine } = this;
    const faint = most && root.visits !== null && root.visits / most < FEW;
    const line = engine.line[0] === root.move ? engine.line.slice(1, LINE) : follow(engine.report?.tree ?? [], root.move);
    const exact = engine.exact?.known ? engine.exact.moves.find(({ move }) => move === root.move) : undefined;
    const value = exact ? told(exact) : shares ? percent(root.value) : scoreText(root.value);
    return el('li', { class: faint ? 'faint' : null }, el('button', { type: 'button', title: 'Play or try this move', on: { click: () => this.gameView.move(root.move) } },
      el('code', {}, root.move), el('span', {}, line.join(' ')), el('em', {}, value)));
  }

  /**
   * @param {Root} root
   * @param {number} most visits of the best move
   * @param {number} total
   * @param {boolean} shares
   * @param {boolean} priors
   */
  row(root, most, total, shares, priors) {
    const part = most && root.visits !== null ? root.visits / most : null;
    const value = shares ? percent(root.value) : scoreText(root.value);
    return el('tr', { class: part !== null && part < FEW ? 'faint' : null },
      el('td', {}, button(root.move, () => this.gameView.move(root.move), { class: 'move', title: 'Play or try this move' })), el('td', {}, value),
      priors && el('td', {}, root.prior == null ? '–' : percent(root.prior)), el('td', {}, root.visits === null ? '–' : short(root.visits)),
      el('td', {}, part === null ? '' : meter(part, (root.visits ?? 0) / total)));
  }

  /** A search step by step; loaded when it is first wanted. */
  async slowMotion() {
    this.slow ??= import('./slow.js').then(async ({ Slow }) => {
      const slow = new Slow(this.gameView, this.engine);
      this.slowly.append(slow.element);
      await slow.opened();
      return slow;
    });
    await this.slow;
  }

  /** Explains the position that is shown, if anybody wants to know. */
  async explain() {
    if (!this.explained.open) return;
    this.explainer ??= import('./lab/explain.js').then(({ Explain }) => {
      const explainer = new Explain(this.gameView);
      this.explained.append(explainer.element);
      return explainer;
    });
    await attempt(async () => (await this.explainer)?.changed());
  }
}

/** @param {import('./types.js').ExactMove} move */
const told = ({ outcome, distance }) => `${{ win: 'wins', draw: 'draws', loss: 'loses' }[outcome]}${distance && outcome !== 'draw' ? ` in ${distance}` : ''}`;

/** The moves that are visited most after a move. @param {import('./types.js').Branch[]} tree @param {string} move @returns {string[]} */
function follow(tree, move) {
  const line = [];
  for (let at = tree.find((branch) => branch.move === move); at?.children.length; ) {
    at = at.children.reduce((best, branch) => (branch.visits > best.visits ? branch : best));
    line.push(at.move);
  }
  return line;
}

/** A verdict as large as it can be said: a number, or a word where it is proven. @param {import('./judge.js').Verdict} verdict @param {import('./types.js').Side} side */
function figure(verdict, side) {
  const value = valueFor(verdict, side);
  if (verdict.exact) return value === 1 ? 'Win' : value === 0 ? 'Loss' : 'Draw';
  return value === null ? '' : String(Math.round(100 * value));
}

/** @param {Root[]} roots */
const ranked = (roots) => [...roots].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0) || b.value - a.value);

/** @param {boolean} priors */
const head = (priors) => el('thead', {}, el('tr', {}, ...['Move', 'Value', ...(priors ? ['Prior'] : []), 'Visits', 'Share'].map((text) => el('th', { scope: 'col' }, text))));

/**
 * @param {number} part
 * @param {number} share
 */
function meter(part, share) {
  const bar = el('span', { class: 'meter', role: 'img', 'aria-label': percent(share) }, el('span'));
  /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${Math.max(1, part * 100)}%`;
  return bar;
}
