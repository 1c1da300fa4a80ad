import { define, need, load } from './main.js';
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
