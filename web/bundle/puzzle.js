import { define, need, load } from './main.js';
import './game.js';
define('puzzles.js', (given) => {
const api = need('api.js');
const { el, field, fill, select } = need('dom.js');
const { icon } = need('icons.js');
const { Refusal } = need('refusal.js');
const { read, write } = need('settings.js');
const { infoOf, parse, titleOf } = need('spec.js');
const { pictureInSight } = need('thumbs.js');
const KEY = 'quintet.puzzles';
const STREAK = 'quintet.streak';
const streak = () => read(STREAK, { now: 0, best: 0 });
function keepStreak(first) {
  const { now, best } = streak();
  const next = first ? now + 1 : 0;
  write(STREAK, { now: next, best: Math.max(best, next) });
}
function difficulty({ distance, kind }) {
  if (distance === null) return kind === 'zugzwang' ? 3 : 2;
  const own = (distance + 1) / 2;
  return own <= 1 ? 1 : own <= 2 ? 2 : 3;
}
const HARD = ['', 'easy', 'medium', 'hard'];
const difficultyName = (puzzle) => HARD[difficulty(puzzle)];
const KINDS = { 'only-win': 'the only winning move', 'only-draw': 'the only draw', zugzwang: 'zugzwang', 'win-in-2': 'a win in two', 'win-in-3': 'a win in three', 'one-peg': 'one peg wins' };
const kindName = (kind) => KINDS[kind] ?? kind.replace(/^win-/, 'a win-').replaceAll('-', ' ');
const solved = () => read(KEY, {});
function keepSolved(id, tries) {
  const all = solved();
  write(KEY, { ...all, [id]: Math.min(tries, all[id] ?? Infinity) });
}
async function showPuzzles(root, games) {
  const lead = el('p', { class: 'lead' }, 'Positions whose value is proven: find the move that keeps it. Every answer is checked against the proof.');
  const list = el('div', { class: 'puzzles' });
  fill(root, [el('h1', {}, 'Puzzles'), lead, list]);
  const { puzzles } = await api.puzzles().catch((why) => (why instanceof Refusal && why.status === 404 ? { puzzles: [] } : Promise.reject(why)));
  if (!puzzles.length) {
    return fill(root, [el('h1', {}, 'Puzzles'), lead, el('p', {}, 'There are no puzzles here yet. Meanwhile, the lessons have a small position for every rule.'),
      el('p', {}, el('a', { class: 'button main', href: '#page=learn' }, 'To the lessons'))]);
  }
  const count = el('p', { class: 'small', 'aria-live': 'polite' });
  const wanted = { game: '', kind: '', hard: '', left: '' };
  const next = el('a', { class: 'button main' }, 'Solve the next one');
  const draw = () => {
    const done = solved();
    const found = puzzles.filter(({ id, game, kind, distance }) => (!wanted.game || parse(game).name === wanted.game) && (!wanted.kind || kind === wanted.kind) && (!wanted.hard || String(difficulty({ distance, kind })) === wanted.hard) && (!wanted.left || !(id in done)));
    const { now, best } = streak();
    const row = best > 1 ? ` ${now} in a row at the first attempt, ${best} at best.` : '';
    count.textContent = `${found.length} of ${puzzles.length} puzzles; ${puzzles.filter(({ id }) => id in done).length} solved.${row}`;
    const left = found.find(({ id }) => !(id in done));
    next.hidden = !left;
    if (left) next.href = `#puzzle=${encodeURIComponent(left.id)}`;
    fill(list, found.length ? found.map((puzzle) => tile(games, puzzle, done[puzzle.id])) : [el('p', {}, 'No puzzle matches these filters.')]);
  };
  const of = ( names) => [...new Set(names)];
  const choices = ( all,  more) =>  ([['', all], ...more]);
  const filter = ( key) => ( value) => {
    wanted[key] = value;
    draw();
  };
  const filters = el('div', { class: 'filters' },
    field('Game', select(choices('all games', of(puzzles.map(({ game }) => parse(game).name)).map((game) => [game, infoOf(games, game)?.title ?? game])), '', filter('game'))),
    field('Kind', select(choices('all kinds', of(puzzles.map(({ kind }) => kind)).map((kind) => [kind, kindName(kind)])), '', filter('kind'))),
    field('Difficulty', select(choices('all', [['1', 'easy'], ['2', 'medium'], ['3', 'hard']]), '', filter('hard'))),
    field('Show', select(choices('all', [['left', 'not yet solved']]), '', filter('left'))));
  fill(root, [el('h1', {}, 'Puzzles'), lead, filters, el('div', { class: 'row' }, next, count), list]);
  draw();
}
function tile(games, puzzle, tries) {
  const state = tries === undefined ? '' : `solved${tries > 1 ? ` at attempt ${tries}` : ''}`;
  const picture = el('div', { class: 'picture' });
  pictureInSight(picture, { game: puzzle.game, position: puzzle.from, moves: puzzle.moves });
  const level = difficulty(puzzle);
  return el('article', { class: 'puzzletile' }, picture, el('div', { class: 'about' }, el('strong', {}, puzzle.title),
    el('span', { class: 'small' }, `${titleOf(games, puzzle.game)} · ${kindName(puzzle.kind)}`), el('span', { class: 'small' }, el('span', { class: 'dots', 'aria-hidden': 'true' }, ...[1, 2, 3].map((dot) => el('i', { class: dot <= level && 'on' }))), HARD[level]),
    state && el('span', { class: 'small done' }, icon('check'), state),
    el('a', { class: 'button', href: `#puzzle=${encodeURIComponent(puzzle.id)}`, 'aria-label': `Solve ${puzzle.id}` }, tries === undefined ? 'Solve' : 'Again')));
}
Object.assign(given, { streak, keepStreak, difficulty, difficultyName, kindName, solved, keepSolved, showPuzzles });
});
define('puzzle.js', (given) => {
const api = need('api.js');
const { button, el, fill } = need('dom.js');
const { rightMoves, toughest } = need('judge.js');
const { difficultyName, keepSolved, keepStreak, kindName, solved, streak } = need('puzzles.js');
const { announce, attempt, count } = need('say.js');
const { Session } = need('session.js');
const ANSWER_MS = 500;
function fault(known, made) {
  if (!made) return 'The proof does not list that move among the good ones.';
  if (made.outcome === known.outcome) return `That wins too, but more slowly: in ${made.distance} instead of ${known.distance}.`;
  if (made.outcome === 'draw') return 'That gives the win away: it is a draw.';
  return `That loses${made.distance ? ` in ${made.distance}` : ''}.`;
}
async function proof({ answer, distance }, place) {
  if (!answer) return api.exact(place);
  const outcome = distance === null ? 'draw' : 'win';
  return { known: true, outcome, distance, by: 'the solved table', moves: [{ move: answer, outcome, distance }] };
}
class Solver {
  constructor(gameView, panel) {
    this.gameView = gameView;
    this.panel = panel;
    this.puzzle = null;
    this.session = null;
    this.known = null;
    this.tries = 1;
    this.stage = 'asking';
    this.says = el('p', { class: 'says' });
    this.element = el('section', { class: 'tutor puzzle', 'aria-label': 'Puzzle', hidden: true });
    panel.above.append(this.element);
    gameView.addEventListener('open', () => (this.element.hidden = gameView.session !== this.session));
  }
  async open(id) {
    const { puzzles } = await api.puzzles();
    const puzzle = puzzles.find((one) => one.id === id);
    if (!puzzle) throw new Error(`There is no puzzle called “${id.slice(0, 40)}”; the list shows all puzzles.`);
    const session = new Session({ game: puzzle.game, from: puzzle.from, moves: puzzle.moves });
    await session.begin(null);
    this.puzzle = puzzle;
    this.session = session;
    this.known = null;
    this.tries = 1;
    this.stage = 'asking';
    await this.gameView.open(session);
    if (!this.isOnTable(session)) return;
    this.gameView.taker = (move) => this.take(move);
    this.panel.open('play');
    this.draw('');
    announce(puzzle.title);
    await this.ask();
  }
  isOnTable(session) {
    return this.session === session && this.gameView.session === session;
  }
  get made() {
    return (this.session?.line.length ?? 0) - (this.puzzle?.moves.length ?? 0);
  }
  async ask() {
    const { session, puzzle } = this;
    if (!session || !puzzle) return;
    const answer = await proof(puzzle, session.place);
    if (!this.isOnTable(session)) return;
    if (!answer.known) {
      if (this.made > 0) return this.finish();
      return this.draw(`This puzzle cannot be checked: ${answer.why}`);
    }
    this.known = answer;
    this.stage = 'yours';
    this.gameView.show({ previous: session.state, animate: false });
    this.draw(this.made > 0 ? 'Right. Continue.' : '');
  }
  take(move) {
    const { session, known } = this;
    if (!session || this.stage !== 'yours' || !known || !session.live) {
      this.gameView.board?.cancelHalf();
      if (session && !session.live) this.tell('The puzzle continues at its last position; go there first.');
      return true;
    }
    const right = rightMoves(known).some((one) => one.move === move);
    if (!right) {
      if (this.tries === 1) keepStreak(false);
      this.tries += 1;
      this.gameView.board?.cancelHalf();
      this.tell(`${move}: ${fault(known, known.moves.find((one) => one.move === move))} Try again.`);
      return true;
    }
    this.stage = 'theirs';
    attempt(() => this.play(move));
    return true;
  }
  async play(move) {
    const { session, puzzle, known } = this;
    if (!session || !puzzle || !known) return;
    const enough = puzzle.answer ? 1 : puzzle.distance ?? (known.outcome === 'win' ? Infinity : 1);
    await session.move(move);
    if (!this.isOnTable(session)) return;
    if (session.state?.outcome || this.made >= enough) return this.finish();
    this.draw('Right.');
    const [answer] = await Promise.all([api.exact(session.place), new Promise((go) => setTimeout(go, ANSWER_MS))]);
    const reply = answer.known ? toughest(answer)?.move : undefined;
    if (!this.isOnTable(session)) return;
    if (!reply) return this.finish();
    await session.move(reply);
    if (!this.isOnTable(session)) return;
    if (session.state?.outcome || this.made >= enough) return this.finish();
    await this.ask();
  }
  finish() {
    if (!this.puzzle) return;
    const shown = this.stage === 'shown';
    if (!shown) {
      this.stage = 'solved';
      const again = this.puzzle.id in solved();
      keepSolved(this.puzzle.id, this.tries);
      if (this.tries === 1 && !again) keepStreak(true);
    }
    this.gameView.taker = null;
    const { now } = streak();
    const row = !shown && this.tries === 1 && now > 1 ? ` ${now} in a row!` : '';
    this.draw(shown ? 'That was the solution.' : `Solved${this.tries > 1 ? ` at attempt ${this.tries}` : ' at once'}.${row}`);
     (this.element.querySelector('.main'))?.focus({ preventScroll: true });
  }
  async reveal() {
    const { session } = this;
    const move = this.known && rightMoves(this.known)[0]?.move;
    if (!move || !session || this.stage !== 'yours') return;
    keepStreak(false);
    this.stage = 'shown';
    await session.move(move);
    if (this.isOnTable(session)) this.finish();
  }
  async next() {
    const { puzzles } = await api.puzzles();
    const [done, at] = [solved(), puzzles.findIndex(({ id }) => id === this.puzzle?.id)];
    const next = [...puzzles.slice(at + 1), ...puzzles.slice(0, at)].find(({ id }) => !(id in done));
    location.hash = next ? `#puzzle=${encodeURIComponent(next.id)}` : '#page=puzzles';
  }
  tell(text) {
    this.says.textContent = text;
    announce(text);
  }
  draw(text) {
    const { puzzle, stage } = this;
    if (!puzzle) return;
    const over = stage === 'solved' || stage === 'shown';
    this.element.hidden = false;
    const length = puzzle.distance ? ` · ${count(puzzle.distance, 'move')} of both sides` : '';
    fill(this.element, [el('h2', {}, puzzle.title), el('p', { class: 'small' }, `Puzzle ${puzzle.id} · ${kindName(puzzle.kind)} · ${difficultyName(puzzle)}${length}${this.known ? ` · proven by ${this.known.by}` : ''}`), this.says,
      el('div', { class: 'buttons' }, over && button('Next', () => attempt(() => this.next()), { class: 'main' }), over && button('Again', () => attempt(() => this.open(puzzle.id))),
        stage === 'yours' && button('Show the move', () => attempt(() => this.reveal())), el('a', { class: 'button', href: '#page=puzzles' }, 'All puzzles'))]);
    this.tell(text);
  }
}
Object.assign(given, { fault, Solver });
});
