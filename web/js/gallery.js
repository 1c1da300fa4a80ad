// The gallery: every board in several states, and one to play on by hand. For developers, and for tests in a browser.

import * as api from './api.js';
import { makeBoard } from './boards/board.js';
import { html } from './boards/dom.js';
import { infoOf } from './spec.js';

/** @typedef {import('./boards/board.js').State} State */
/** @typedef {import('./boards/base.js').Board} Board */

/**
 * Games that were played between agents, and for each a ply at which something can be seen half-made.
 * @type {{game: string, moves: string, half: [number, string[]]}[]}
 */
const GAMES = [
  {
    game: 'pathwayz',
    moves: 'g1p b3p c3 f2 d3 h1 e2 d2p e3p g3p g2p e1p f1p h3 c2 i3 h4p i2p g4p f3 j1 d4 e4p f4p a4 j4 k2 k5 l3',
    half: [20, []],
  },
  {
    game: 'pylos',
    moves:
      '1b3 1b4 1c3 1c1 1a2 1a1 1c2 1b2 1d2 1d3 1d2^2b2 1b1 2b1 1d3^2a1 1d3 1d2 2c2 1c4 1a4 2b3 1d4 1a3 1d4^2a2 1d4 1a4^2c3 2a1^3b2 2a1-2a1 1a4 2a3 1a1^3a2 1d1 2c1 3b1 1a1 2a1-2a1 2a1 3a1',
    half: [26, ['2a1']],
  },
  { game: 'twixt', moves: 'e8 g10 f2 k10 f10 e11 d11 a10 f6 e2 g4 l5 b2 b10 i10 g6 h1 j7 b12', half: [13, []] },
  {
    game: 'twixt(size=24)',
    moves: 'r15 p20 l24 n19 l4 t20 k10 c12 k22 k16 m6 i15 m2 x18 m14 l18 v19 g14 e13 e15 n20 r19 i17 c14 v24 v17 n13 t18 h15 a13',
    half: [20, []],
  },
  {
    game: 'pentago-twist',
    moves: 'c1q3r e1q4r b6q1r b4q4r c6q1r d5q1f b2q3f a4q2f c2q4f f1q1r d5q3f f3q2r a6q4r c1q4r f6q4r',
    half: [10, ['e5']],
  },
  { game: 'pentago', moves: 'c1q3r e1q4r f4q1r b4q2l e3q2l e2q1l e5q3r b2q1l b1q4l c2q4r f5q1r e1q4r f3q1r c2q2l', half: [9, ['b3']] },
];

const SPECS = [
  'pathwayz',
  'pathwayz(rows=5,cols=6)',
  'pylos',
  'pylos(rules=expert)',
  'pylos(takeback=free)',
  'twixt',
  'twixt(size=5)',
  'twixt(size=8,rules=paper)',
  'twixt(size=24,rules=pp)',
  'pentago-twist',
  'pentago',
  'pentago(rules=turn-first)',
];

/** @param {string} game @param {string[]} moves @returns {Promise<State>} */
const stateOf = (game, moves) => api.position({ game, moves });

/** @param {string} game */
const boardOf = async (game) => makeBoard(game, infoOf(await api.games(), game)?.sides ?? ['first', 'second']);

/** @template {Element} E @param {string} selector @param {new () => E} kind @returns {E} */
function find(selector, kind) {
  const element = document.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`the page has no ${selector}`);
  return element;
}

/** Made-up values that are the same on every visit: shares fall with the rank, values wander. @param {string[]} moves */
function madeUp(moves) {
  const sum = moves.reduce((all, _, i) => all + 1 / (i + 1), 0);
  const rank = (/** @type {number} */ i) => (i * 7919) % moves.length;
  return moves.map((move, i) => {
    const share = 1 / (rank(i) + 1) / sum;
    return { move, value: 0.5 + 0.5 * Math.sin(3 * i + 1), visits: Math.ceil(2000 * share), share };
  });
}

/** @param {string[]} moves */
function madeUpMarks(moves) {
  const outcomes = /** @type {const} */ (['loss', 'win', 'loss', 'draw', 'loss']);
  return moves.map((move, i) => ({ move, outcome: outcomes[(Math.floor(i / 9) * 3) % 5], distance: (i * 17) % 40 }));
}

/**
 * What is shown of a game: a caption, the ply, and what is done to the board.
 * @param {typeof GAMES[number]} entry
 * @returns {[string, number, ((board: Board, state: State) => void)?][]}
 */
function scenes({ game, moves, half: [ply, presses] }) {
  const plies = moves.split(' ').length;
  const middle = Math.floor(plies / 2);
  const more =
    {
      pathwayz: /** @type {ReturnType<typeof scenes>} */ ([
        [
          'theme pai, hover of a permanent',
          middle,
          (board) => {
            board.set('theme', 'pai');
            board.set('kind', 'permanent');
            board.point('d4');
          },
        ],
        ['longest paths', middle, (board) => board.set('overlay', 'paths')],
        ['threats', plies - 1, (board) => board.set('overlay', 'threats')],
      ]),
      pylos: /** @type {ReturnType<typeof scenes>} */ ([
        ['flat view', middle, (board) => board.set('view', 'flat')],
        [
          'flat, heat',
          middle,
          (board, state) => {
            board.set('view', 'flat');
            board.heat(madeUp(state.legal));
          },
        ],
        ['raising', 13, (board) => board.press('1d3')],
      ]),
      twixt: /** @type {ReturnType<typeof scenes>} */ ([
        [
          'high contrast, guides',
          middle,
          (board) => {
            board.set('theme', 'contrast');
            board.set('guides', true);
          },
        ],
        ['cheapest chains', middle, (board) => board.set('overlay', 'paths')],
        ['swap is possible', 1],
      ]),
    }[game] ?? [];
  return [
    ['start', 0],
    ['middle, slate', middle, (board) => board.set('theme', 'slate')],
    [
      'half-made, or pointed at',
      ply,
      (board, state) => {
        presses.forEach((id) => board.press(id));
        if (presses.length === 0) board.point(state.legal[Math.floor(0.6 * state.legal.length)].replace(/p$/, ''));
      },
    ],
    ['finished', plies],
    [
      'heat map and best move',
      middle,
      (board, state) => {
        board.heat(madeUp(state.legal));
        board.arrow(state.legal[Math.floor(state.legal.length / 2)]);
      },
    ],
    [
      'ghosts of a line, flipped',
      middle,
      (board) => {
        board.set('flipped', true);
        board.ghosts(moves.split(' ').slice(middle, middle + 4));
      },
    ],
    ['exact outcomes', middle, (board, state) => board.marks(madeUpMarks(state.legal))],
    ...(presses.length > 0
      ? /** @type {ReturnType<typeof scenes>} */ ([
          [
            'second halves: heat',
            ply,
            (board, state) => {
              presses.forEach((id) => board.press(id));
              board.heat(madeUp(state.legal));
            },
          ],
          [
            'second halves: outcomes',
            ply,
            (board, state) => {
              presses.forEach((id) => board.press(id));
              board.marks(madeUpMarks(state.legal));
            },
          ],
        ])
      : []),
    ...more,
  ];
}

async function showScenes() {
  const only = new URLSearchParams(location.search).get('only');
  let dark = false;
  for (const entry of GAMES) {
    if (only && entry.game !== only) continue;
    const grid = html('div', { class: 'scenes' });
    find('#scenes', HTMLElement).append(html('h2', {}, entry.game), grid);
    for (const [caption, ply, act] of scenes(entry)) {
      const state = await stateOf(entry.game, entry.moves.split(' ').slice(0, ply));
      const board = await boardOf(entry.game);
      grid.append(html('figure', { class: `scene${dark ? ' dark' : ''}` }, html('figcaption', {}, caption), board.element, board.controls));
      board.show(state, { animate: false });
      act?.(board, state);
      dark = !dark;
    }
  }
  document.documentElement.dataset.ready = 'yes';
}

/** The board to play on. What it shows is written on its stage, for tests. */
class Playground {
  /** What `open` has made. */
  board = /** @type {Board} */ (/** @type {unknown} */ (null));
  /** @type {State[]} */
  states = [];
  form = find('#options', HTMLFormElement);

  /** @param {string} name */
  field(name) {
    const field = this.form.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) throw new Error(`the form has no ${name}`);
    return field;
  }

  async start() {
    const asked = new URLSearchParams(location.search);
    this.#choices('game', [...new Set([...SPECS, ...asked.getAll('game')])]);
    this.#choices('theme', ['walnut', 'slate', 'pai', 'contrast']);
    this.#choices('overlay', ['none', 'paths', 'threats']);
    for (const [name, value] of asked) {
      const field = this.form.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === '1';
      else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
    }
    this.form.addEventListener('change', (event) => {
      if (event.target instanceof HTMLSelectElement && event.target.name === 'game') this.open(event.target.value, []);
      else this.#options();
    });
    find('#undo', HTMLButtonElement).addEventListener('click', () => this.undo());
    find('#describe', HTMLButtonElement).addEventListener('click', () => this.say('#text', this.board.describe()));
    await this.open(this.field('game').value, (asked.get('moves') ?? '').split(' ').filter(Boolean));
  }

  /** @param {string} name @param {string[]} values */
  #choices(name, values) {
    this.field(name).append(...values.map((value) => html('option', { value }, value)));
  }

  /** @param {string} game @param {string[]} moves */
  async open(game, moves) {
    const board = await boardOf(game);
    this.board = board;
    this.states = [];
    find('#stage', HTMLElement).replaceChildren(board.element);
    find('#controls', HTMLElement).replaceChildren(board.controls);
    board.addEventListener('move', (event) => this.play(/** @type {CustomEvent} */ (event).detail.move));
    board.addEventListener('announce', (event) => this.say('#said', /** @type {CustomEvent} */ (event).detail.text));
    board.addEventListener('refused', (event) => this.say('#refused', /** @type {CustomEvent} */ (event).detail.why));
    this.#options();
    this.#show(await stateOf(game, moves), null);
  }

  /** @param {string} move */
  async play(move) {
    const last = this.states[this.states.length - 1];
    this.say('#refused', '');
    this.#show(await stateOf(last.game, [...last.moves, move]), last);
  }

  undo() {
    if (this.board.half() !== null) this.board.undoHalf();
    else if (this.states.length > 1) {
      this.states.pop();
      this.#show(/** @type {State} */ (this.states.pop()), null);
    }
  }

  /** @param {State} state @param {State | null} previous */
  #show(state, previous) {
    this.states.push(state);
    this.board.show(state, { previous });
    const stage = find('#stage', HTMLElement);
    stage.dataset.position = state.position;
    stage.dataset.moves = state.moves.join(' ');
    stage.dataset.outcome = state.outcome ?? '';
    this.say('#text', state.moves.join(' '));
  }

  #options() {
    document.documentElement.classList.toggle('dark', this.#checked('dark'));
    for (const name of ['flipped', 'coordinates', 'guides']) this.board.set(name, this.#checked(name));
    for (const name of ['theme', 'overlay', 'motion']) this.board.set(name, this.field(name).value);
  }

  /** @param {string} name */
  #checked(name) {
    const field = this.field(name);
    return field instanceof HTMLInputElement && field.checked;
  }

  /** @param {string} where @param {string} text */
  say(where, text) {
    find(where, HTMLElement).textContent = text;
  }
}

await new Playground().start();
if (new URLSearchParams(location.search).get('only') !== 'none') await showScenes();
else document.documentElement.dataset.ready = 'yes';
