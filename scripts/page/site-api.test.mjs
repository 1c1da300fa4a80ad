// One API, two transports: the same questions to a server, over HTTP and its WebSocket, and to the module in the browser, with the same answers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

import { DESKTOP, walk } from './harness.mjs';

const GAMES = ['pathwayz', 'pylos', 'twixt', 'pentago-twist', 'pentago'];

/** Some moves of each game. */
const PLAYED = {
  pathwayz: ['d4', 'e4p', 'd5', 'e5', 'c4'],
  pylos: ['1b2', '1c2', '1b3', '1c3', '1a1', '2b2'],
  twixt: ['f6', 'g8', 'h7', 'i9'],
  'pentago-twist': ['c3q1r', 'd4q1f', 'c4q2r', 'd3q3f'],
  pentago: ['c3q1r', 'd4q1l', 'c4q2r', 'd3q3l'],
};
/** An evaluation of each. */
const EVALS = { pathwayz: 'longest-path', pylos: 'difference', twixt: 'distance', 'pentago-twist': 'e3', pentago: 'e3' };
const place = (game) => ({ game, moves: PLAYED[game] });

/** A game whose second player lets a row of four stand. */
const REVIEWED = { game: 'pentago', moves: ['a1q4r', 'a6q4r', 'b1q4r', 'b5q4r', 'c1q4r', 'c6q4r', 'd1q4r', 'a5q4r', 'e1'] };

/** Puzzles in the middle of a game, where the rest of it is solved. */
const MIDDLES = ['pentago-6', 'pentago-twist-7'];
/** Enough to solve them. */
const SOLVES = { nodes: 100_000_000 };

/** In the page: `talk.ask` for HTTP and `talk.say` for frames, whichever transport the page has. */
async function prepare() {
  const site = document.documentElement.dataset.site;
  const local = site && (await (await import(`./${site}bundle/main.js`)).load('local/transport.js'));
  const socket = local ? new local.LocalSocket() : new WebSocket(`ws://${location.host}/ws`);
  await new Promise((good) => socket.addEventListener('open', good));
  const waits = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, ...answer } = JSON.parse(data);
    waits.get(id)?.(answer);
  });
  let next = 1;
  const talk = {
    async ask(path, posted, { method = posted ? 'POST' : 'GET', token } = {}) {
      const headers = { ...(posted ? { 'content-type': 'application/json' } : {}), ...(token ? { authorization: `Bearer ${token}` } : {}) };
      const response = await (local ? local.answer : fetch)(`/api/${path}`, { method, headers, body: posted && JSON.stringify(posted) });
      if (response.status === 429) {
        await new Promise((go) => setTimeout(go, 1000 * Number(response.headers.get('retry-after') ?? 1)));
        return talk.ask(path, posted, { method, token });
      }
      const type = response.headers.get('content-type').split(';')[0];
      return { status: response.status, type, body: type === 'application/json' ? await response.json() : await response.text() };
    },
    /** The id of the last frame. */
    last: () => next - 1,
    /** Sends a frame, and hears its answers until one is the last. */
    say: (frame, last = (answer) => answer.done || answer.error || answer.ok) => new Promise((good) => {
      const [id, heard] = [next++, []];
      waits.set(id, (answer) => {
        heard.push(answer);
        if (last(answer)) good(heard);
      });
      socket.send(JSON.stringify({ id, ...frame }));
    }),
  };
  globalThis.talk = talk;
}

/** What must be the same. Times are not, and what is left on a clock is only about the same; and the last digit of an exponential is another one in a browser. */
const timeless = (answer) => JSON.parse(JSON.stringify(answer, (key, value) => {
  if (key === 'ms') return 0;
  if (key === 'left_ms') return value.map((ms) => Math.round(ms / 60_000));
  return typeof value === 'number' ? Number(value.toPrecision(12)) : value;
}));

/** A page that can be asked; `host` has the page without a server. */
async function talking(visitors, host, options = {}) {
  const page = await visitors.add({ viewport: DESKTOP, host, ...options });
  await page.goto(`${page.home}/`);
  await page.waitForSelector('#page:not([hidden]) h1');
  await page.evaluate(prepare);
  return page;
}

/** Two pages that can be asked the same, and a comparison. */
async function both(visitors) {
  const pages = [await talking(visitors), await talking(visitors, await visitors.host())];
  return {
    /** Does the same in both pages, and compares what they return. */
    async same(what, work, given) {
      const [server, site] = (await Promise.all(pages.map((page) => page.evaluate(work, given)))).map(timeless);
      assert.deepEqual(site, server, what);
      return server;
    },
  };
}

const asks = ([path, posted]) => globalThis.talk.ask(path, posted);
/** The end of a search. Reports on the way come when time has passed, so the two have different ones. */
const ends = async (frame) => (await globalThis.talk.say(frame)).at(-1);

walk('questions have the same answers over both transports', async (visitors) => {
  const { same } = await both(visitors);
  const ask = (path, posted) => same(`${path} ${JSON.stringify(posted ?? '')}`, asks, [path, posted]);
  for (const path of ['games', 'agents', 'agents?game=chess', 'levels', 'levels?game=pylos', 'evaluations?game=twixt(size=6)', 'evaluations', 'puzzles?game=twixt']) await ask(path);
  for (const game of GAMES) {
    const legal = (await ask('position', { game })).body.legal;
    assert.ok(legal.length, game);
    await ask('position', place(game));
    await ask('position', { game, moves: [...PLAYED[game], 'z9'] });
    await ask('position', { game, moves: [legal[0], legal[0]] });
    await ask('position', { game, position: 'nonsense' });
    await ask('picture', place(game));
    for (const format of ['own', 'jsonl', 'plain', 'tsgf', 'nothing']) {
      const { status, body } = await ask('export', { ...place(game), format, players: ['Ann', 'Ben'] });
      if (status === 200) await ask('import', { text: body.text });
    }
    const evaluations = (await ask(`evaluations?game=${game}`)).body;
    for (const { name } of evaluations) await ask('explain', { ...place(game), eval: name });
    await ask('explain', { ...place(game), eval: 'net', for: 'second' });
    await ask('explain', { ...place(game), eval: 'nothing' });
  }
  await ask('explain', { ...place('pathwayz'), eval: 'pathwayz-440(weights=pathwayz:td440)' });
  await ask('explain', { ...place('pylos'), eval: 'pylos-svr(weights=pylos:svm-refined)' });
  for (const game of ['chess', 'twixt(size=2)', 'twixt(size=6', 'pylos(rules=nothing)', '']) await ask('position', { game });
  await ask('position', {});
  await ask('import', { text: 'no game at all' });
  await ask('trace', { ...place('twixt'), agent: 'alphabeta(eval=distance)', limit: { depth: 2 } });
  await ask('trace', place('pentago'));
  await ask('exact', { game: 'pentago', moves: REVIEWED.moves });
  const { body: { reports } } = await ask('reports');
  for (const { name, files: [picture] } of reports) {
    await ask(`reports/${name}`);
    if (picture) assert.equal((await ask(`reports/${name}/${picture}`)).type, 'image/svg+xml');
  }
});

walk('every puzzle has the same exact values over both transports', async (visitors) => {
  const { same } = await both(visitors);
  const { body: { puzzles } } = await same('puzzles', asks, ['puzzles']);
  for (const { id, game, from, moves, answer } of puzzles) {
    const { body } = await same(id, asks, ['exact', { game, from, moves }]);
    assert.ok(body.known || answer, id);
  }
});

walk('searches with a limit of nodes choose the same over both transports', async (visitors) => {
  const { same } = await both(visitors);
  const search = (frame) => same(JSON.stringify(frame), ends, frame);
  const choose = async (frame) => assert.ok((await search({ do: 'analyse', ...frame })).done?.move, JSON.stringify(frame));
  for (const game of GAMES) {
    const agents = (await same(`agents of ${game}`, asks, [`agents?game=${game}`])).body;
    for (const { agent, modes } of agents) {
      for (const mode of modes) await choose({ ...place(game), agent: `${agent}(mode=${mode})`, limit: { nodes: 200, depth: 2, visits: 12 }, seed: 7 });
    }
    for (const [agent, limit] of [[`pvs(eval=${EVALS[game]})`, { nodes: 3000 }], ['mcts', { visits: 400 }], ['puct(eval=net)', { visits: 24 }], [undefined, { nodes: 12 }]]) {
      await choose({ ...place(game), agent, limit });
    }
    for (const level of [1, 2, 3, 4, 5, 6, 7, 8]) await choose({ ...place(game), agent: `level:${level}`, limit: { nodes: 200, depth: 2, visits: 12 }, seed: 7 });
    await search({ do: 'analyse', ...place(game), agent: 'nobody' });
  }
  const { body: { puzzles } } = await same('puzzles', asks, ['puzzles']);
  for (const { game, from, moves } of puzzles.filter(({ id }) => MIDDLES.includes(id))) {
    for (const agent of ['level:8', undefined]) assert.ok((await search({ do: 'analyse', game, from, moves, agent, limit: SOLVES })).done?.proven, `${game} ${agent}`);
  }
  await search({ do: 'analyse', ...REVIEWED });
  const review = (frame) => same(`a review ${JSON.stringify(frame)}`, async (asked) => (await globalThis.talk.say(asked)).filter((one) => one.queued === undefined), { do: 'review', ...frame });
  await review({ ...REVIEWED, agent: 'mcts', limit: { visits: 60 } });
  // The last moves once more, with proofs.
  const { body: { position } } = await same('a position', asks, ['position', { ...REVIEWED, moves: REVIEWED.moves.slice(0, -3) }]);
  const judged = await review({ game: REVIEWED.game, from: position, moves: REVIEWED.moves.slice(-3), limit: { nodes: 8 } });
  assert.ok(judged.some((one) => /blunder|thrown/.test(one.ply?.class)), JSON.stringify(judged));
});

walk('games are kept the same over both transports', async (visitors) => {
  const { same } = await both(visitors);
  await same('a game', async () => {
    const { talk } = globalThis;
    const seen = [];
    const note = (answer) => seen.push(answer) && answer;
    const seats = [{ who: 'person', name: 'Ann' }, { who: 'person', name: 'Ben' }];
    note(await talk.ask('rooms', { game: 'pentago', seats: [{ who: 'agent', agent: 'nobody' }, seats[0]] }));
    const { status, body: { room, tokens, owner, ...rest } } = await talk.ask('rooms', { game: 'pentago', seats });
    note({ ...rest, status, tokens: tokens.map((token) => token?.length > 10), owner: owner.length > 10 });
    const watched = [];
    await talk.say({ do: 'watch', room, token: tokens[0] }, (answer) => watched.push(answer));
    const act = async (frame) => note((await talk.say({ room, ...frame })).at(-1));
    await act({ do: 'move', token: tokens[0], ply: 0, move: 'c3q1r' });
    await act({ do: 'move', token: tokens[0], ply: 0, move: 'c3q1r' });
    await act({ do: 'move', token: tokens[0], ply: 1, move: 'd4q1r' });
    await act({ do: 'move', token: 'stranger', ply: 1, move: 'd4q1r' });
    await act({ do: 'move', token: tokens[1], ply: 1, move: 'z9' });
    await act({ do: 'move', token: tokens[1], ply: 1, move: 'd4q1r' });
    await act({ do: 'undo', token: tokens[1], other: tokens[0] });
    await act({ do: 'redo', token: tokens[1], other: tokens[0] });
    await act({ do: 'undo', token: tokens[1] });
    await act({ do: 'decline', token: tokens[0] });
    await act({ do: 'hurry', token: tokens[0] });
    await act({ do: 'retry', token: tokens[0] });
    await act({ do: 'replace', token: owner, seat: 'second', with: { who: 'level', level: 1 } });
    await act({ do: 'resign', token: tokens[0] });
    await act({ do: 'resign', token: tokens[0] });
    note(await talk.ask('rooms/mine', { rooms: [{ room, token: tokens[0] }, { room, token: owner }, { room, token: 'x' }, { room: 'nobody', token: 'x' }] }));
    note(await talk.ask(`rooms/${room}`));
    note(await talk.ask(`rooms/${room}`, null, { method: 'DELETE', token: tokens[0] }));
    note(await talk.ask(`rooms/${room}`, null, { method: 'DELETE', token: owner }));
    note((await talk.ask(`rooms/${room}`, null, { method: 'DELETE', token: owner })).status);
    note('error' in (await talk.say({ do: 'watch', room }, () => true)).at(-1));
    note((await talk.say({ do: 'stop', what: 4711 })).at(-1));
    note(watched);
    return JSON.parse(JSON.stringify(seen).replaceAll(room, 'ROOM'));
  });
  await same('a game with clocks, whose agent makes way for a person', async () => {
    const { talk } = globalThis;
    const seen = [];
    const seats = [{ who: 'person', name: 'Ann' }, { who: 'agent', agent: 'mcts(time=100s)' }];
    const { body: { room, tokens, owner } } = await talk.ask('rooms', { game: 'twixt', seats, clock: { main_ms: 600_000, increment_ms: 1000 } });
    const ask = async (frame) => {
      const answer = (await talk.say({ room, ...frame })).at(-1);
      seen.push('token' in answer ? { ...answer, token: answer.token.length > 10 } : answer, await talk.ask(`rooms/${room}`));
      return answer;
    };
    await ask({ do: 'move', token: tokens[0], ply: 0, move: 'f6' });
    await ask({ do: 'replace', token: tokens[0], seat: 'first', with: { who: 'person', name: 'Cleo' } });
    const { token } = await ask({ do: 'replace', token: owner, seat: 'second', with: { who: 'person', name: 'Ben' } });
    await ask({ do: 'move', token, ply: 1, move: 'g8' });
    await ask({ do: 'undo', token });
    await ask({ do: 'resign', token: tokens[0] });
    await talk.ask(`rooms/${room}`, null, { method: 'DELETE', token: owner });
    return JSON.parse(JSON.stringify(seen).replaceAll(room, 'ROOM'));
  });
  await same('a game against an agent', async () => {
    const { talk } = globalThis;
    const seats = [{ who: 'person', name: 'Ann' }, { who: 'agent', agent: 'pylos:maximizing' }];
    const { body: { room, tokens, owner } } = await talk.ask('rooms', { game: 'pylos', seats });
    const states = [];
    let tell = null;
    talk.say({ do: 'watch', room, token: tokens[0] }, (answer) => {
      if (answer.room?.moves) states.push(answer.room);
      tell?.();
      return false;
    });
    const plies = async (count) => {
      while ((states.at(-1)?.moves.length ?? -1) !== count) await new Promise((go) => (tell = go));
    };
    const act = async (frame) => (await talk.say({ room, token: tokens[0], ...frame })).at(-1);
    await plies(0);
    await act({ do: 'move', ply: 0, move: '1b2' });
    await plies(2);
    await act({ do: 'move', ply: 2, move: '1d4' });
    await plies(4);
    await act({ do: 'undo' });
    await plies(2);
    await act({ do: 'redo' });
    await plies(4);
    await talk.ask(`rooms/${room}`, null, { method: 'DELETE', token: owner });
    return JSON.parse(JSON.stringify(states).replaceAll(room, 'ROOM'));
  });
});

walk('tournaments have the same games and tables over both transports', async (visitors) => {
  const { same } = await both(visitors);
  await same('a tournament', async () => {
    const { talk } = globalThis;
    const plan = { game: 'pentago', players: ['random', 'pentago:greedy', { name: 'two plies', agent: 'pvs(eval=e3,depth=1)' }], format: 'round-robin', games: 2, openings: 2, seed: 3 };
    const refused = await talk.ask('tournaments', { ...plan, players: ['nobody', 'random'] });
    const { status, body: { run } } = await talk.ask('tournaments', plan);
    const shown = async () => (await talk.ask(`tournaments/${run}`)).body;
    while ((await shown()).state !== 'over') await new Promise((go) => setTimeout(go, 100));
    const { begun, ended, ...over } = await shown();
    const [games, some, resumed, nothing] = [await talk.ask(`tournaments/${run}/games`), await talk.ask(`tournaments/${run}/games?between=0,1`), await talk.ask(`tournaments/${run}/resume`, {}),
      await talk.ask('tournaments/4711')];
    return { refused, status, over, games, some, resumed, nothing, listed: (await talk.ask('tournaments')).body.tournaments.length };
  });
});

walk('level 8 plays Pentago from the middle to the end in the browser', async (visitors) => {
  const page = await talking(visitors, await visitors.host());
  for (const wanted of MIDDLES) {
    const over = await page.evaluate(async (id) => {
      const { talk } = globalThis;
      const { game, from } = (await talk.ask('puzzles')).body.puzzles.find((one) => one.id === id);
      const seats = [{ who: 'level', level: 8 }, { who: 'level', level: 8 }];
      seats[from.endsWith('x') ? 0 : 1] = { who: 'person', name: 'Ann' };
      const { room, tokens } = (await talk.ask('rooms', { game, position: from, seats })).body;
      const heard = await talk.say({ do: 'watch', room, token: tokens.find(Boolean) }, ({ room: state }) => {
        if (!state?.moves) return false;
        const mine = state.seats[state.to_move === 'first' ? 0 : 1].who === 'person';
        if (mine && !state.outcome) void talk.say({ do: 'move', room, token: tokens.find(Boolean), ply: state.moves.length, move: state.legal.at(-1) });
        return state.outcome || state.fault;
      });
      return heard.at(-1).room;
    }, wanted);
    assert.deepEqual([over.fault, over.moves.length > 1], [null, true], `${wanted}: ${JSON.stringify(over.fault)}`);
  }
});

walk('a move and a proof go before long searches', async (visitors) => {
  const page = await talking(visitors, await visitors.host());
  const { place, known, moves } = await page.evaluate(async () => {
    const { talk } = globalThis;
    const long = { do: 'analyse', game: 'twixt', moves: [], agent: 'mcts', limit: { time_ms: 600_000 } };
    // As many as run at once, and one that waits.
    await Promise.all([1, 2].map(() => talk.say(long, (answer) => answer.report)));
    const [{ queued }] = await talk.say(long, (answer) => answer.queued);
    const { body } = await talk.ask('exact', { game: 'pentago', moves: ['a1q4r', 'a6q4r', 'b1q4r', 'b5q4r', 'c1q4r', 'c6q4r', 'd1q4r', 'a5q4r'] });
    const seats = [{ who: 'agent', agent: 'pylos:maximizing' }, { who: 'person', name: 'Ann' }];
    const { room, tokens } = (await talk.ask('rooms', { game: 'pylos', seats })).body;
    const heard = await talk.say({ do: 'watch', room, token: tokens[1] }, (answer) => answer.room?.moves?.length === 1);
    return { place: queued, known: body.known, moves: heard.at(-1).room.moves.length };
  });
  assert.deepEqual([place, known, moves], [1, true, 1]);
});

walk('a search that tells nothing ends when it is to end', async (visitors) => {
  const page = await talking(visitors, await visitors.host());
  const { moved, legal, alone, asked } = await page.evaluate(async () => {
    const { talk } = globalThis;
    const mute = 'minimax(eval=e3,depth=9)';
    const { legal: every } = (await talk.ask('position', { game: 'pentago' })).body;
    const seats = [{ who: 'agent', agent: mute }, { who: 'person', name: 'Ann' }];
    const { room, tokens } = (await talk.ask('rooms', { game: 'pentago', seats })).body;
    const hurried = talk.say({ do: 'watch', room, token: tokens[1] }, (answer) => answer.room?.moves?.length === 1);
    while ((await talk.say({ do: 'hurry', room, token: tokens[1] })).at(-1).error) await new Promise((go) => setTimeout(go, 20));
    // The two ways of asking: as an agent that plays, and as an analysis.
    const end = (frame) => {
      const ended = talk.say({ do: 'analyse', game: 'pentago', moves: [], agent: mute, ...frame });
      void talk.say({ do: 'stop', what: talk.last() });
      return ended;
    };
    const [alone, asked] = [await end({}), await end({ proofs: true })];
    return { moved: (await hurried).at(-1).room.moves, legal: every, alone: alone.at(-1), asked: asked.at(-1) };
  });
  assert.deepEqual([moved, alone.done?.move], [[legal[0]], legal[0]]);
  assert.match(asked.error, /stopped before it had found anything/);
});

walk('an engine that could not be loaded is loaded at the next question', async (visitors) => {
  const page = await talking(visitors, await visitors.host(), { serviceWorkers: 'block' });
  const module = /engine_bg\.wasm$/;
  await page.route(module, (route) => route.abort());
  const asked = await page.evaluate(async () => {
    const site = document.documentElement.dataset.site;
    const { load } = await import(`./${site}bundle/main.js`);
    const { Crew } = await load('local/crew.js');
    globalThis.crew = new Crew(site);
    return globalThis.crew.ask('question', { name: 'games' }).then(() => 'answered', (why) => why.message);
  });
  assert.match(asked, /The engine cannot be loaded/);
  await page.unroute(module);
  assert.equal(await page.evaluate(async () => (await globalThis.crew.ask('question', { name: 'games' })).length), GAMES.length);
});

walk('the module counts the same positions as the program', async (visitors) => {
  const page = await talking(visitors, await visitors.host());
  for (const [game, depth] of [['pathwayz(rows=5,cols=6)', 3], ['pylos', 4], ['twixt', 3], ['twixt(size=24)', 2], ['pentago-twist', 2], ['pentago', 2], ['pentago(rules=turn-first)', 2]]) {
    const told = execFileSync(process.env.QUINTET, ['perft', game, String(depth), '--json'], { encoding: 'utf8' }).trim().split('\n');
    const counted = await page.evaluate(async ([spec, plies]) => {
      const site = document.documentElement.dataset.site;
      const { load } = await import(`./${site}bundle/main.js`);
      const { Crew } = await load('local/crew.js');
      return new Crew(site).search('measure', { what: 'perft', game: spec, depth: plies }).done;
    }, [game, depth]);
    assert.equal(counted.nodes, JSON.parse(told.at(-1)).count, game);
  }
});
