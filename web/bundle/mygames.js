import { define, need, load } from './main.js';
define('mygames.js', (given) => {
const api = need('api.js');
const { button, download, el, fill } = need('dom.js');
const { inviting } = need('icons.js');
const { dropGame, freshId, keptGames } = need('library.js');
const { playerName } = need('levels.js');
const { anyToken, keepRoom, keptRooms } = need('room.js');
const { attempt, count, note } = need('say.js');
const { Session } = need('session.js');
const { infoOf, titleOf } = need('spec.js');
const nameOf = (seat) => (seat.who === 'agent' ? playerName(seat.agent) : seat.name || 'person');
async function showGames(root, games, open) {
  const search = el('input', { type: 'search', placeholder: 'Search: game, player, result', 'aria-label': 'Search my games' });
  const list = el('div', { class: 'gamelist' });
  const info = el('p', { class: 'small' });
  const tools = el('div', { class: 'row' }, search, button('Export all', () => exportAll()));
  const empty = inviting('board', 'No games yet. Those you play, import or analyse are listed here.', el('a', { class: 'button main', href: '#' }, 'Play the first one'));
  empty.hidden = true;
  fill(root, [el('h1', {}, 'My games'), tools, info, empty, list]);
  let rows = [];
  const exportAll = () => download('quintet-games.jsonl', new Blob(shown().map(({ line }) => `${line}\n`), { type: 'application/x-ndjson' }));
  const shown = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => words.every((word) => `${row.title} ${row.players} ${row.outcome ?? 'unfinished'}`.toLowerCase().includes(word)));
  };
  const draw = () => {
    const found = shown();
    info.textContent = `${found.length} of ${rows.length} games.`;
    tools.hidden = info.hidden = !rows.length;
    empty.hidden = !!rows.length;
    fill(list, found.map((row) => item(row, async () => {
      if (!confirm(`Delete this game of ${row.title}?`)) return;
      await attempt(async () => {
        await row.drop();
        rows = rows.filter((one) => one !== row);
        draw();
        note('The game is deleted.');
      });
    })));
  };
  search.addEventListener('input', draw);
  rows = localRows(games, open);
  draw();
  await attempt(async () => {
    rows = [...(await roomRows(games)), ...rows].sort((a, b) => b.at - a.at);
    draw();
  });
}
function item(row, drop) {
  const result = row.outcome ? (row.outcome === 'draw' ? 'Draw' : `${row.outcome} won`) : 'unfinished';
  const when = row.at ? new Date(row.at).toLocaleString() : '';
  return el('article', { class: 'gamerow' }, el('div', {}, el('strong', {}, row.title), el('div', { class: 'small' }, `${row.players} · ${count(row.plies, 'move')} · ${result}${when && ` · ${when}`}${row.here ? ' · in this browser' : ''}`)),
    el('div', { class: 'buttons' }, button(row.outcome || row.here ? 'Open' : 'Resume', row.open, { class: 'main' }),
      button('Export', () => download('game.jsonl', new Blob([`${row.line}\n`], { type: 'application/x-ndjson' }))), button('Delete', drop)));
}
function localRows(games, open) {
  return keptGames().map((kept) => ({
    title: titleOf(games, kept.game), players: kept.seats.map(nameOf).join(' v '), plies: kept.moves.length, outcome: sideOf(games, kept.game, kept.outcome), at: kept.at, here: true,
    line: JSON.stringify({ game: kept.game, position: kept.from ?? undefined, moves: kept.moves, players: kept.seats.map(nameOf).join(' v ') }),
    open: () => attempt(async () => {
      const session = new Session({ ...kept, id: kept.id || freshId() });
      await session.begin(null);
      open(session);
    }),
    drop: () => dropGame(kept.id),
  }));
}
const AT_ONCE = 100;
async function roomRows(games) {
  const kept = keptRooms();
  const keys = Object.entries(kept).flatMap(([room, own]) => [Object.values(own.mine)[0] ?? own.owner].flatMap((token) => (token ? [{ room, token }] : [])));
  const rooms = [];
  for (let from = 0; from < keys.length; from += AT_ONCE) rooms.push(...(await api.myRooms(keys.slice(from, from + AT_ONCE))).rooms);
  return rooms.map((room) => ({
    title: titleOf(games, room.game), players: room.seats.map(nameOf).join(' v '), plies: room.plies, outcome: sideOf(games, room.game, room.outcome), at: kept[room.room]?.made ?? 0, here: false,
    line: JSON.stringify({ game: room.game, position: room.from ?? undefined, moves: room.moves, result: room.outcome ?? undefined, players: room.seats.map(nameOf).join(' v ') }),
    open: () => (location.hash = `#room=${room.room}`),
    drop: async () => {
      await api.deleteRoom(room.room, anyToken(kept[room.room]) ?? '');
      keepRoom(room.room, null);
    },
  }));
}
function sideOf(games, spec, outcome) {
  if (!outcome || outcome === 'draw') return outcome;
  return infoOf(games, spec)?.sides[outcome === 'first' ? 0 : 1] ?? outcome;
}
Object.assign(given, { showGames });
});
