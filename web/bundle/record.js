import { define, need, load } from './main.js';
import './game.js';
define('editor.js', (given) => {
const api = need('api.js');
const { crossing, KNIGHT, readLinks } = need('boards/twixt-links.js');
const { cellName, cellPlace } = need('boards/text.js');
const { button, el, fill, svg } = need('dom.js');
const { freshId } = need('library.js');
const { attempt, note } = need('say.js');
const { Session } = need('session.js');
const { parse } = need('spec.js');
const ALPHABETS = {
  pathwayz: { pieces: 'wbWB', sides: 'wb' },
  pylos: { pieces: 'LD', sides: 'ld' },
  twixt: { pieces: 'rb', sides: 'rb' },
  pentago: { pieces: 'xo', sides: 'xo' },
  'pentago-twist': { pieces: 'xo', sides: 'xo' },
};
const SMALL = 13;
function cellsOf(game, text) {
  const board = text.split(' ')[0];
  const rows = [];
  let at = 0;
  board.split('/').forEach((part, level) => {
    const width = game === 'pylos' ? Math.round(Math.sqrt(part.length)) : part.length;
    for (let from = 0; from < part.length; from += Math.max(1, width)) {
      const row = game === 'pylos' ? from / width : rows.length;
      const prefix = game === 'pylos' ? String(level + 1) : '';
      rows.push([...part.slice(from, from + width)].map((_, column) => ({ at: at + from + column, name: `${prefix}${String.fromCharCode(97 + column)}${row + 1}` })));
    }
    at += part.length + 1;
  });
  return rows;
}
function linked(text, hole) {
  const [board, links, side] = text.split(' ');
  const piece = new Map(cellsOf('twixt', text).flat().map(({ at, name }) => [name, text[at]]));
  const kept = readLinks(links).filter(({ a, b }) => a !== hole && b !== hole);
  const [col, row] = cellPlace(hole);
  const colour = piece.get(hole) ?? '.';
  for (const other of KNIGHT.map(([dx, dy]) => cellName(col + dx, row + dy))) {
    if (!'rb'.includes(colour) || piece.get(other) !== colour || kept.some(({ a, b }) => crossing([hole, other], [a, b]))) continue;
    kept.push({ name: hole + other, a: hole, b: other });
  }
  return [board, kept.map(({ name }) => name).join(',') || '-', side].join(' ');
}
function relinked(text, from, to) {
  const [board, links, side] = text.split(' ');
  const all = readLinks(links);
  const kept = all.filter(({ a, b }) => !(a === from && b === to) && !(a === to && b === from));
  if (kept.length === all.length) kept.push({ name: from + to, a: from, b: to });
  return [board, kept.map(({ name }) => name).join(',') || '-', side].join(' ');
}
class Editor {
  constructor(gameView) {
    this.gameView = gameView;
    this.text = el('textarea', { rows: 3, class: 'code', spellcheck: 'false', 'aria-label': 'Position as text' });
    this.text.addEventListener('input', () => this.changed());
    this.palette = el('div', { class: 'palette', role: 'group', 'aria-label': 'What a press on the board puts there' });
    this.verdict = el('p', { class: 'small', 'aria-live': 'polite' });
    this.open = button('Open this position', () => attempt(() => this.take()), { class: 'main' });
    this.side = button('', () => this.turn());
    this.element = el('details', { on: { toggle: () => (this.element.open ? this.begin() : this.end()) } }, el('summary', {}, 'Edit position'),
      el('p', { class: 'small' }, 'Choose a piece, then press cells of the board. A second press takes it off again.'), this.palette, this.verdict,
      el('div', { class: 'buttons' }, this.open, this.side, button('Clear', () => this.clear())), el('details', {}, el('summary', {}, 'As text'), this.text));
    this.tool = '.';
    this.end1 = null;
    this.asked = 0;
    this.active = false;
    gameView.addEventListener('open', () => (this.active = this.element.open = false));
    gameView.addEventListener('change', (event) => {
      if (this.active && !( (event).detail?.same)) this.element.open = false;
    });
  }
  get game() {
    return parse(this.gameView.session?.game ?? '').name;
  }
  get alphabet() {
    return ALPHABETS[this.game] ?? ALPHABETS.pentago;
  }
  begin() {
    const { board, session } = this.gameView;
    if (!board || !session?.state) return;
    this.active = false;
    this.text.value = session.state.position;
    this.tool = this.alphabet.pieces[0];
    this.end1 = null;
    this.drawPalette();
    board.edit((id) => this.press(id));
    if (this.game === 'pylos') board.set('view', 'flat');
    this.changed();
    this.active = true;
  }
  end() {
    const { board } = this.gameView;
    if (!this.active || !board) return;
    this.active = false;
    board.edit(null);
    if (this.game === 'pylos') board.set('view', 'stacked');
    this.gameView.show({ previous: null, animate: false });
  }
  drawPalette() {
    const { board, info } = this.gameView;
    if (!board || !info) return;
    const { pieces } = this.alphabet;
    const kinds = [...pieces].map((piece, at) =>  ([piece, `${info.sides[at % 2]}${at > 1 ? ', permanent' : ''}`]));
    const tools = [...kinds, ['.', 'take off'], ...(this.game === 'twixt' ? [ (['link', 'link'])] : [])];
    fill(this.palette, tools.map(([tool, name]) => el('button', { type: 'button', 'aria-pressed': String(tool === this.tool), on: { click: () => this.choose(tool) } },
      pieces.includes(tool) && svg('svg', { viewBox: '-16 -16 32 32', class: `piece q-board q-${this.game}`, 'aria-hidden': 'true' }, board.body(tool, SMALL)), name)));
  }
  choose(tool) {
    this.tool = tool;
    this.end1 = null;
    this.drawPalette();
  }
  press(id) {
    const cell = cellsOf(this.game, this.text.value).flat().find(({ name }) => name === id);
    const now = cell && this.text.value[cell.at];
    if (!cell || now === undefined || now === '#') return;
    if (this.tool === 'link') return this.link(id, now);
    const next = now === this.tool ? '.' : this.tool;
    const text = this.text.value.slice(0, cell.at) + next + this.text.value.slice(cell.at + 1);
    this.text.value = this.game === 'twixt' ? linked(text, id) : text;
    this.changed();
  }
  link(id, piece) {
    if (piece === '.') return note('A link joins two pegs of one colour.');
    const from = this.end1;
    this.end1 = from === null ? id : null;
    if (from === null) return note(`Link from ${id}: now press the other peg.`);
    if (from !== id) this.text.value = relinked(this.text.value, from, id);
    this.changed();
  }
  turn() {
    const { sides } = this.alphabet;
    this.text.value = this.text.value.replace(/(\S)\s*$/, (_, side) => (side === sides[0] ? sides[1] : sides[0]));
    this.changed();
  }
  clear() {
    const [board, ...rest] = this.text.value.split(' ');
    const { sides } = this.alphabet;
    const empty = board.replace(/[^/.#]/g, '.');
    this.text.value = rest.length > 1 ? `${empty} - ${sides[0]}` : `${empty} ${sides[0]}`;
    this.changed();
  }
  async changed() {
    const text = this.text.value.trim();
    this.show(text);
    const asked = ++this.asked;
    let good = false;
    try {
      const state = await api.position({ game: this.gameView.session?.game ?? '', position: text, moves: [] });
      if (asked !== this.asked) return;
      good = true;
      this.verdict.textContent = state.outcome ? `The game is over here: ${this.gameView.result(state)}.` : `A valid position: ${state.legal.length} legal moves.`;
    } catch (why) {
      if (asked !== this.asked) return;
      this.verdict.textContent = why instanceof Error ? why.message : String(why);
    }
    this.verdict.classList.toggle('bad', !good);
    this.open.disabled = !good;
  }
  show(text) {
    const { board, session } = this.gameView;
    const state = session?.state;
    const shape = ( position) => position.split(' ')[0].replace(/[^/]/g, '.');
    const second = text.endsWith(this.alphabet.sides[1]);
    this.side.textContent = `${this.gameView.sideName(second ? 'second' : 'first')} to move`;
    if (!board || !state || shape(text) !== shape(state.position)) return;
    board.show({ ...state, from: null, moves: [], position: text, to_move: second ? 'second' : 'first', plies: -1, legal: [], outcome: null, reason: null, wins: [], occurrences: 1 },
      { animate: false, interactive: false });
  }
  async take() {
    const session = new Session({ game: this.gameView.session?.game ?? '', from: this.text.value.trim(), id: freshId() });
    await session.begin(null);
    this.element.open = false;
    this.end();
    await this.gameView.open(session);
    note('The position is on the board.');
  }
}
Object.assign(given, { cellsOf, linked, relinked, Editor });
});
define('importer.js', (given) => {
const api = need('api.js');
const { button, el, field, fill, select } = need('dom.js');
const { freshId } = need('library.js');
const { attempt, count, fail, note } = need('say.js');
const { Session } = need('session.js');
const FORMATS = [['', 'Detect'], ['own', 'quintet text'], ['jsonl', 'JSON lines'], ['plain', 'Moves only'], ['t1', 'TwixT T1j (.T1)'], ['tsgf', 'TwixT Little Golem (.tsgf)'], ['sgf', 'TwixT SGF']];
const SWAPS = [['', 'as usual for the format'], ['mirror', 'the peg goes to its mirror image'], ['turn', 'the board turns a quarter'], ['sides', 'the players change sides']];
const CROSSINGS = [['', 'as usual for the format'], ['never', 'no link crosses another'], ['own', 'own links may cross']];
class Importer {
  constructor(gameView) {
    this.gameView = gameView;
    this.text = el('textarea', { rows: 4, 'aria-label': 'Games as text', placeholder: 'Paste moves or a record here' });
    this.file = el('input', { type: 'file', accept: '.txt,.jsonl,.json,.T1,.t1,.tsgf,.sgf', 'aria-label': 'File with games' });
    this.file.addEventListener('change', () => attempt(async () => {
      const file = this.file.files?.[0];
      if (file) this.text.value = await file.text();
      this.ask();
    }));
    this.text.addEventListener('input', () => this.ask());
    this.format = select(FORMATS, '', () => this.ask());
    this.swap = select(SWAPS, '', () => {});
    this.crossing = select(CROSSINGS, '', () => {});
    this.questions = el('div', { hidden: true }, el('p', { class: 'small' }, 'Programs differ in what a swap does and which links may cross. Which is it here?'),
      field('A swap means', this.swap), field('Crossing', this.crossing));
    this.found = el('div');
    this.element = el('details', {}, el('summary', {}, 'Import'), this.text, this.file, field('Format', this.format), this.questions,
      button('Read', () => this.read(), { class: 'main' }), this.found);
  }
  ask() {
    const text = this.text.value.trimStart();
    const foreign = ['t1', 'tsgf', 'sgf'].includes(this.format.value) || (!this.format.value && (text.startsWith('(;') || /^\S+\s*#/.test(text)));
    this.questions.hidden = !(foreign || (/\bswap\b/i.test(text) && this.format.value === 'plain'));
  }
  async read() {
    const text = this.text.value;
    if (!text.trim()) return note('Paste a game or choose a file first.');
    await this.take(text, false);
  }
  async take(text, open) {
    const asked = { text, format: this.format.value || undefined, swap: this.questions.hidden ? undefined : this.swap.value || undefined,
      crossing: this.questions.hidden ? undefined : this.crossing.value || undefined };
    await attempt(async () => {
      const games = await this.askServer(asked);
      fill(this.found, games.length ? games.map((game, at) => this.row(game, at)) : [el('p', {}, 'There is no game in this text.')]);
      if (games.length === 1 || open) await this.open(games[0]);
    });
  }
  async askServer(asked) {
    const game = this.gameView.session?.game;
    try {
      return (await api.read(asked.format === 'plain' ? { ...asked, game } : asked)).games;
    } catch (why) {
      if (asked.format || !game) throw why;
      return (await api.read({ ...asked, game })).games;
    }
  }
  row(game, at) {
    const plies = game.state?.plies ?? 0;
    const players = Array.isArray(game.players) ? game.players.join(' v ') : game.players ?? '';
    return el('div', { class: 'imported' }, el('p', {}, `Game ${at + 1}: ${game.state?.game ?? 'unread'}, ${count(plies, 'move')}. ${players}`),
      game.fault && el('p', { class: 'bad' }, game.fault), ...game.notes.map((text) => el('p', { class: 'small' }, text)),
      game.state && button('Open', () => attempt(() => this.open(game))));
  }
  async open(game) {
    if (!game?.state) return;
    const { state } = game;
    if (game.fault && !state.plies && !state.from) return fail(game.fault);
    const told = typeof game.players === 'string' ? game.players.split(/, | v /) : game.players ?? [];
    const names = told.map((name) => ({ who:  ('person'), name: String(name) }));
    const session = new Session({ game: state.game, from: state.from, moves: state.moves, id: freshId(), seats: names.length === 2 ? [names[0], names[1]] : undefined });
    session.touched = true;
    await session.begin(null);
    await this.gameView.open(session);
    note(game.fault ? `Read up to the error. ${game.fault}` : `${count(state.plies, 'move')} read.`);
  }
}
Object.assign(given, { Importer });
});
define('record.js', (given) => {
const { button, el } = need('dom.js');
const { Editor } = need('editor.js');
const out = need('exporter.js');
const { Importer } = need('importer.js');
const { keepGame } = need('library.js');
const link = need('link.js');
const { copy } = need('play.js');
const { attempt, note } = need('say.js');
class Record {
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
  others(gameView) {
    const formats =  ([['T1', 't1'], ['tsgf', 'tsgf'], ['SGF', 'sgf']]);
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
Object.assign(given, { Record });
});
