// What all boards do: layers, cells, pieces that change one by one, moves made in steps, labels, overlays. A game's own
// file says where its cells lie, what its pieces look like, and how a move is made by pointing. What is legal comes from
// the state; nothing here knows rules.

import { button, html, set, svg } from './dom.js';
import { Face } from './face.js';
import { listen } from './input.js';
import { circle, definitions } from './look.js';
import { Motion, TIMES } from './motion.js';
import { Overlays } from './overlays.js';
import { capital, follows, readSpec, tree } from './text.js';

/** @typedef {import('./board.js').State} State */
/** @typedef {import('./look.js').Point} Point */
/** @typedef {{previous?: State | null, animate?: boolean, interactive?: boolean}} Showing */

/**
 * Something that can be pointed at. `slot` is where its piece stands; what is not a cell (an arrow) has null.
 * @typedef {{id: string, at: Point, r: number, col: number, row: number, cell: SVGGElement, slot: SVGGElement | null}} Target
 */

/** From the bottom to the top. */
const LAYERS = /** @type {const} */ ([
  'board',
  'coordinates',
  'last',
  'wins',
  'heat',
  'pieces',
  'over',
  'overlay',
  'preview',
  'ghosts',
  'marks',
  'arrows',
  'cells',
  'focus',
  'tip',
]);

let boards = 0;

export class Board extends Face {
  /** @param {string} spec @param {[string, string]} sides what the two sides are called */
  constructor(spec, sides) {
    super();
    this.spec = readSpec(spec);
    this.sides = sides;
    this.id = `qb${(boards += 1)}`;
    this.motion = new Motion();
    // A drawing that hears of the focus is a tab stop of its own in some browsers; here only its cells are.
    this.element = svg('svg', { class: `q-board q-${this.spec.name}`, role: 'grid', tabindex: -1, 'data-theme': 'walnut' }, definitions(this.id));
    const layers = LAYERS.map((name) => [
      name,
      svg('g', { class: `q-layer-${name}`, ...(name === 'cells' ? { role: 'presentation' } : { 'aria-hidden': 'true' }) }),
    ]);
    /** @type {Record<typeof LAYERS[number], SVGGElement>} */
    this.layer = Object.fromEntries(layers);
    this.element.append(...LAYERS.map((name) => this.layer[name]));
    this.controls = html('div', { class: 'q-controls' });
    this.stepBar = html('div', { class: 'q-steps', role: 'group', 'aria-label': 'Steps of the move' });
    this.controls.append(this.stepBar);

    /** @type {Map<string, Target>} */
    this.targets = new Map();
    /** The pieces as drawn: those of the position after the half-made move. @type {Map<string, string>} */
    this.drawn = new Map();
    /** @type {State | null} */
    this.state = null;
    this.interactive = false;
    /** Takes presses while the position is edited. @type {((id: string) => void) | null} */
    this.editor = null;
    /** Has a whole move been given away, and the page not yet shown what came of it? */
    this.given = false;
    /** Presses in that time; they count when the next position is there. @type {[string, {touch?: boolean}][]} */
    this.queue = [];
    /** The targets that were pointed at so far. @type {string[]} */
    this.trail = [];
    this.root = tree([], () => []);
    this.node = this.root;
    /** The cell with the tab stop. */
    this.current = '';
    /** The cell that was chosen last, to which the tab stop comes back. */
    this.home = '';
    /** The cell that is pointed at. @type {string | null} */
    this.pointed = null;
    /** @type {Record<string, any>} */
    this.options = { flipped: false, coordinates: true, theme: 'walnut', overlay: 'none', motion: 1 };
    this.overlays = new Overlays(this);
  }

  /** Draws the empty board and begins to listen. */
  start() {
    this.rebuild();
    listen(this);
    return this;
  }

  // What the page calls.

  /** Shows a state; moves the pieces when it is one move on. @param {State} state @param {Showing} [how] */
  show(state, { previous = null, animate = true, interactive = true } = {}) {
    this.motion.finish();
    const [before, trail] = [this.drawn, this.trail];
    const next = previous && follows(state, previous) ? state.moves[state.moves.length - 1] : null;
    // What was said of another position is gone.
    if (state.position !== this.state?.position || state.plies !== this.state.plies) this.overlays.clear();
    this.state = state;
    const queue = this.given ? this.queue : [];
    this.given = false;
    this.queue = [];
    this.interactive = interactive && state.outcome === null;
    if (this.read(state.position)) this.rebuild();
    this.replant();
    this.draw();
    this.layer.last.replaceChildren();
    this.layer.wins.replaceChildren();
    this.layer.over.replaceChildren();
    this.mark();
    this.refresh();
    if (next !== null && previous) {
      if (animate) this.animate(next, before, trail);
      const end = state.outcome === null ? '' : ` ${this.ending(state)}`;
      this.emit('announce', { text: this.tell(next, previous) + end });
    }
    if (this.interactive) for (const [id, how] of queue) this.press(id, how);
  }

  /** Presses go to an editor instead of making moves; null ends that. @param {((id: string) => void) | null} press */
  edit(press) {
    this.editor = press;
    this.element.classList.toggle('q-editing', press !== null);
  }

  /** @param {string} option @param {any} value */
  set(option, value) {
    const before = this.options[option];
    this.options[option] = value;
    if (option === 'motion') this.motion.speed = Number(value);
    else if (option === 'theme') this.element.dataset.theme = value;
    else if (option === 'coordinates') this.layer.coordinates.classList.toggle('q-hidden', !value);
    else if (option === 'overlay') this.#overlay();
    else if (option === 'flipped' && value !== before) this.rebuild();
  }

  /** @param {import('./board.js').HeatEntry[] | null} entries @param {import('./overlays.js').Heat} [kind] */
  heat(entries, kind = 'value') {
    this.overlays.heat(entries, kind);
  }
  /** @param {string[] | null} moves */
  ghosts(moves) {
    this.overlays.ghosts(moves);
  }
  /** @param {import('./overlays.js').Looked | null} what */
  looked = (what) => this.overlays.looked(what);
  /** @param {string | null} move @param {import('./overlays.js').Kind} [kind] */
  arrow(move, kind = 'best') {
    this.overlays.arrow(move, kind);
  }
  /** @param {import('./board.js').Mark[] | null} marks */
  marks(marks) {
    this.overlays.marks(marks);
  }

  /** The half-made move as text, or null. @returns {string | null} */
  half() {
    return this.trail.length > 0 ? this.trail.join('') : null;
  }
  cancelHalf() {
    // A move that came to nothing is taken back: moves can be made again.
    if (this.given) this.interactive = true;
    this.given = false;
    this.queue = [];
    this.#go([]);
  }
  undoHalf() {
    this.#go(this.trail.slice(0, -1));
  }

  /** The position in rows of text. */
  describe() {
    const state = this.state;
    if (!state) return '';
    const who = state.outcome === null ? `${capital(this.sideName(state.to_move))} to move.` : this.ending(state);
    return [...this.rows(), who].join('\n');
  }

  // What the game's files use.

  /** Is the first player to move? */
  get first() {
    return this.state?.to_move !== 'second';
  }

  /** @param {'first' | 'second'} side */
  sideName(side) {
    return this.sides[side === 'first' ? 0 : 1];
  }

  /** The result in words. @param {State} state */
  ending(state) {
    const why = state.reason ? ` (${state.reason})` : '';
    return state.outcome === 'draw' ? `The game is drawn${why}.` : `${capital(this.sideName(state.outcome ?? 'first'))} wins${why}.`;
  }

  /** @param {string} name @param {object} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /**
   * Adds something to point at: a cell of the grid, and a slot for its piece.
   * @param {SVGGElement} row the row of the grid that it belongs to
   * @param {{id: string, at: Point, r: number, col: number, row: number}} place
   * @param {SVGElement} hit
   * @param {SVGGElement | null} slots where its slot goes
   */
  target(row, place, hit, slots) {
    hit.classList.add('q-hit');
    const cell = svg('g', { role: 'gridcell', class: 'q-cell', tabindex: -1, 'data-target': place.id }, hit);
    row.append(cell);
    const slot = slots && svg('g', { class: 'q-slot', 'data-cell': place.id, transform: `translate(${place.at[0]} ${place.at[1]})` });
    if (slot) slots?.append(slot);
    this.targets.set(place.id, { ...place, cell, slot });
  }

  /** A row of the grid. @param {string} name */
  row(name) {
    const row = svg('g', { role: 'row', 'aria-label': name });
    this.layer.cells.append(row);
    return row;
  }

  /** @param {string} id @returns {Target} */
  at(id) {
    const target = this.targets.get(id);
    if (!target) throw new Error(`${id} is not a cell of this board`);
    return target;
  }

  /** The last move, if the state has one. */
  lastMove() {
    return this.state?.moves.at(-1) ?? null;
  }

  /** Does a piece stand there? @param {string} id */
  isTaken(id) {
    return !'.#'.includes(this.drawn.get(id) ?? '.');
  }

  /** Would something that is drawn beneath the pieces be hidden there? @param {string} id */
  covered(id) {
    return this.isTaken(id);
  }

  /** Draws everything anew: the geometry has changed. */
  rebuild() {
    const focused = this.element.contains(document.activeElement);
    this.motion.finish();
    this.targets.clear();
    this.drawn = new Map();
    for (const name of LAYERS) this.layer[name].replaceChildren();
    this.layout();
    this.element.setAttribute('aria-label', `${this.title()} board`);
    if (!this.targets.has(this.current)) this.current = [...this.targets.keys()][0];
    if (!this.state) return;
    this.draw();
    this.mark();
    this.refresh();
    if (focused) this.focus(this.current);
  }

  title() {
    return capital(this.spec.name);
  }

  /** Builds the tree of moves anew; the half-made move is forgotten. */
  replant() {
    this.root = tree(this.state?.legal ?? [], (move) => this.paths(move));
    this.node = this.root;
    this.trail = [];
  }

  /** Brings the pieces up to date, touching only those that differ. */
  draw() {
    const wanted = this.after(this.trail);
    for (const [id, { slot, r }] of this.targets) {
      if (!slot) continue;
      const piece = wanted.get(id) ?? '.';
      if (this.drawn.get(id) === piece) continue;
      slot.replaceChildren();
      slot.dataset.piece = piece;
      if (piece !== '.' && piece !== '#') slot.append(this.standing(piece, r));
    }
    this.drawn = new Map(wanted);
  }

  /** A piece in a wrapper that can be moved. @param {string} piece @param {number} r */
  standing(piece, r) {
    return svg('g', { class: 'q-piece' }, this.body(piece, r));
  }

  /** The drawn piece of a cell. @param {string} id */
  pieceElement(id) {
    return this.at(id).slot?.querySelector('.q-piece') ?? null;
  }

  /** Lets a new piece grow. @param {string} id @param {number} [delay] */
  grow(id, delay = 0) {
    const piece = this.pieceElement(id);
    if (!piece) return;
    this.motion.run(
      piece,
      [
        { transform: 'scale(0.3)', opacity: 0 },
        { transform: 'none', opacity: 1 },
      ],
      TIMES.place,
      { delay, easing: 'ease-out' },
    );
    this.motion.outline(this.at(id).cell);
  }

  /** Lets a piece that is gone fade. @param {string} id @param {string} piece */
  fade(id, piece) {
    const { slot, r, cell } = this.at(id);
    const old = this.standing(piece, r);
    slot?.append(old);
    this.motion.leave(old, [{ opacity: 1 }, { opacity: 0, transform: 'scale(0.6)' }], TIMES.fade);
    this.motion.outline(cell);
  }

  /** Does a press on a board that is edited only bring its cells nearer? @param {string} _id @param {{touch: boolean}} _how */
  magnifies(_id, _how) {
    return false;
  }

  /**
   * A press on a target: the next step of a move, or a sentence why not.
   * @param {string} id
   * @param {{touch?: boolean}} [how]
   */
  press(id, { touch = false } = {}) {
    this.motion.finish();
    if (this.targets.get(id)?.slot) this.home = id;
    if (this.editor) return void (this.magnifies(id, { touch }) || this.editor(id));
    if (this.given) {
      this.queue.push([id, { touch }]);
    } else if (!this.interactive) {
      this.emit('refused', { why: this.state?.outcome ? 'The game is over.' : 'It is not your turn.' });
    } else if (this.holds(id, { touch })) {
      // The game's own file has dealt with it.
    } else if (this.node.children.has(id)) {
      this.#go([...this.trail, id]);
    } else if (this.trail.length === 1 && this.trail[0] === id) {
      this.cancelHalf();
    } else if (this.trail.length > 0 && this.startsAnew() && this.root.children.has(id)) {
      this.#go([id]);
    } else {
      this.emit('refused', { why: this.why(id) });
    }
  }

  /** @param {string[]} trail */
  #go(trail) {
    let node = this.root;
    for (const id of trail) node = node.children.get(id) ?? node;
    this.trail = trail;
    this.node = node;
    if (node.move !== null && node !== this.root) {
      // Nothing more can be pointed at until the page shows what came of the move.
      this.interactive = false;
      this.given = true;
      this.draw();
      this.refresh();
      this.emit('move', { move: node.move });
      return;
    }
    const before = this.drawn;
    this.draw();
    for (const [id, piece] of this.drawn) if (piece !== '.' && (before.get(id) ?? '.') === '.') this.grow(id);
    this.refresh();
    const steps = this.steps();
    const step = Math.min(trail.length, steps.length - 1);
    this.emit('half', { text: this.half(), step: Math.max(step, 0), steps });
    if (trail.length > 0) this.emit('announce', { text: this.prompt() });
  }

  /** Brings classes, labels, the tab stop, the step bar and the overlays up to date. */
  refresh() {
    const open = this.interactive ? this.node.children : new Map();
    this.element.classList.toggle('q-live', this.interactive);
    for (const [id, { cell }] of this.targets) {
      cell.classList.toggle('q-open', open.has(id));
      cell.setAttribute('aria-label', this.name(id));
    }
    const focused = this.element.contains(document.activeElement) && document.activeElement !== this.element;
    this.changed();
    this.point(null);
    this.#stop(focused);
    this.#bar();
    this.overlays.refresh();
    this.#overlay();
  }

  /** The label of a target: its name, what is on it, and what is known of it. @param {string} id */
  name(id) {
    return [id, this.content(id), this.spotted(id), this.overlays.words(id)].filter(Boolean).join(', ');
  }

  /** @param {string} id */
  spotted(id) {
    const [move, state] = [this.lastMove(), this.state];
    if (!state || move === null) return '';
    const marks = this.trail.length === 0 && this.spot(move) === id ? ['last move'] : [];
    if (state.wins.some((line) => line.includes(id))) marks.push('winning');
    return marks.join(', ');
  }

  #overlay() {
    this.layer.overlay.replaceChildren();
    if (this.state) this.overlay(this.options.overlay);
  }

  #bar() {
    const steps = this.steps();
    const at = Math.min(this.trail.length, steps.length - 1);
    const items = steps.map((text, i) => html('li', { 'aria-current': i === at && this.interactive ? 'step' : null }, `${i + 1} ${text}`));
    /** @type {HTMLElement[]} */
    const parts = [html('ol', {}, ...items)];
    if (this.trail.length > 0 && this.interactive) {
      const undo = this.trail.length > 1 ? [button('Undo step', () => this.undoHalf())] : [];
      parts.push(
        ...undo,
        button('Cancel', () => this.cancelHalf(), { title: 'Esc' }),
      );
    }
    this.stepBar.hidden = steps.length === 0;
    // It keeps its room when the game is over, so that the board keeps its size.
    this.stepBar.classList.toggle('q-over', this.state !== null && this.state.outcome !== null);
    this.stepBar.replaceChildren(...parts);
  }

  // Focus and pointing.

  /** The neighbour of a target in a direction of the screen. @param {string} id @param {number} dx @param {number} dy @returns {string} */
  neighbour(id, dx, dy) {
    const from = this.at(id);
    const turn = this.options.flipped ? -1 : 1;
    const [col, row] = [from.col + turn * dx, from.row + turn * dy];
    const found = [...this.targets.values()].find((target) => target.col === col && target.row === row && this.reachable(target));
    return found ? found.id : id;
  }

  /** Gives the tab stop to a target that can be reached, and the focus too if the board has it. @param {boolean} focused */
  #stop(focused) {
    const now = this.targets.get(this.current);
    const lost = !now || !this.reachable(now);
    if (lost) {
      const reachable = [...this.targets.values()].filter((target) => this.reachable(target));
      const next = reachable.find(({ id }) => id === this.home) ?? reachable.find(({ id }) => this.node.children.has(id)) ?? reachable[0];
      this.current = next.id;
    }
    for (const [id, { cell }] of this.targets) cell.setAttribute('tabindex', id === this.current ? '0' : '-1');
    if (focused && lost) this.focus(this.current);
  }

  /** Gives the tab stop to a target. @param {string} id */
  roam(id) {
    this.targets.get(this.current)?.cell.setAttribute('tabindex', '-1');
    this.current = id;
    this.at(id).cell.setAttribute('tabindex', '0');
  }

  /** @param {string} id */
  focus(id) {
    this.roam(id);
    this.at(id).cell.focus({ preventScroll: true });
  }

  /** Draws the ring around the focused target, or takes it away. @param {string | null} id */
  showFocus(id) {
    this.layer.focus.replaceChildren();
    if (id === null) return;
    const { at, r, slot, cell } = this.at(id);
    for (const tone of ['q-outer', 'q-inner']) {
      const shape = slot ? circle(at, this.ringRadius(r)) : cell.querySelector('.q-hit')?.cloneNode();
      if (shape instanceof SVGElement) this.layer.focus.append(set(shape, { class: tone }));
    }
  }

  /** The pointer or the focus is on a target. @param {string | null} id */
  point(id) {
    if (id === this.pointed) return;
    this.pointed = id;
    this.layer.preview.replaceChildren();
    this.preview(id);
    this.overlays.tip(id);
    const target = id === null ? null : this.at(id);
    for (const mark of this.layer.coordinates.children) {
      const [axis, place] = [mark.getAttribute('data-axis'), Number(mark.getAttribute('data-place'))];
      mark.classList.toggle('q-on', target !== null && target.slot !== null && place === (axis === 'col' ? target.col : target.row));
    }
    this.emit('cell', { cell: target?.slot ? id : null });
  }
}
