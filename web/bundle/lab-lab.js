import { define, need, load } from './main.js';
define('lab/parts.js', (given) => {
const { el, fill } = need('dom.js');
const { icon } = need('icons.js');
const AGAIN = 1000;
const percent = (share) => `${(100 * share).toFixed(1)} %`;
function tidy(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-4)) return value.toExponential(2).replace('-', '−').replace('e−', 'e-');
  return minus(String(Number(value.toPrecision(4))));
}
function wilson(share, number) {
  const z = 1.959964;
  const middle = share + (z * z) / (2 * number);
  const half = z * Math.sqrt((share * (1 - share)) / number + (z * z) / (4 * number * number));
  const whole = 1 + (z * z) / number;
  return [(middle - half) / whole, (middle + half) / whole];
}
const minus = (text) => text.replace(/^-/, '−');
const signed = (value) => `${value > 0 ? '+' : ''}${tidy(value)}`;
const counts = (wdl) => `${wdl.wins}-${wdl.draws}-${wdl.losses}`;
const scored = (wdl) => (wdl.score === null ? '–' : percent(wdl.score));
const range = (wdl) => (wdl.interval ? `${(100 * wdl.interval[0]).toFixed(0)}–${(100 * wdl.interval[1]).toFixed(0)} %` : '');
const reversed = ({ wins, draws, losses, score, interval }) => ({ wins: losses, draws, losses: wins, score: score === null ? null : 1 - score, interval: interval ? [1 - interval[1], 1 - interval[0]] : null });
const MARKS = { running: 'play', stopping: 'stop', stopped: 'pause', over: 'check' };
const badge = (state) => el('span', { class: `badge ${state}` }, icon(MARKS[state]), state);
const box = (title, ...children) => el('section', { class: 'box' }, el('h2', {}, title), ...children);
function grid(name, head, rows, kind = '') {
  const cells = rows.map((row) => el('tr', {}, ...row.map((cell, at) => (at ? el('td', {}, cell) : el('th', { scope: 'row' }, cell)))));
  return el('div', { class: 'scrollbox', tabindex: '0', role: 'region', 'aria-label': name },
    el('table', { class: `grid ${kind}` }, el('thead', {}, el('tr', {}, ...head.map((cell) => el('th', { scope: 'col' }, cell)))), el('tbody', {}, ...cells)));
}
const facts = (pairs) => el('dl', { class: 'facts' }, ...pairs.filter(([, value]) => value !== null && value !== '' && value !== undefined)
  .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
class Complaint {
  constructor() {
    this.element = el('p', { class: 'bad complaint', role: 'alert' });
  }
  async around(work) {
    this.element.textContent = '';
    try {
      return await work();
    } catch (why) {
      this.element.textContent = why instanceof Error ? why.message : String(why);
      return undefined;
    }
  }
}
function refill(place, children) {
  const key =  (place.contains(document.activeElement) ? document.activeElement : null)?.dataset.key;
  const open = new Set([...place.querySelectorAll('details[open]')].map((one) =>  (one).dataset.key));
  fill(place, children);
  for (const one of place.querySelectorAll('details')) if (one.dataset.key && open.has(one.dataset.key)) one.open = true;
  if (key)  (place.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
}
async function follow(place, complaint, look) {
  do {
    if (!document.hidden && (await complaint.around(look)) === false) return;
    await new Promise((go) => setTimeout(go, AGAIN));
  } while (place.isConnected && place.offsetParent !== null);
}
const address = ( page, of = '') => `#page=${page}${of && `&of=${encodeURIComponent(of)}`}`;
Object.assign(given, { percent, tidy, wilson, minus, signed, counts, scored, range, reversed, badge, box, grid, facts, Complaint, refill, follow, address });
});
define('lab/markdown.js', (given) => {
const { el } = need('dom.js');
const { grid } = need('lab/parts.js');
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter(Boolean).map((part) => {
    if (part.startsWith('**') && part.endsWith('**') && part.length > 4) return el('strong', {}, part.slice(2, -2));
    if (part.startsWith('`') && part.endsWith('`') && part.length > 2) return el('code', {}, part.slice(1, -1));
    return part;
  });
}
const cells = (line) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
function blocks(text, draw) {
  const lines = text.split('\n');
  let [section, tables] = ['Table', 0];
  const found = [];
  const run = ( is) => {
    const taken = [];
    while (lines.length && is(lines[0])) taken.push( (lines.shift()));
    return taken;
  };
  while (lines.length) {
    const line = lines[0];
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    const picture = /^!\[([^\]]*)\]\(([^)]*)\)$/.exec(line.trim());
    if (!line.trim()) lines.shift();
    else if (heading) {
      lines.shift();
      section = heading[2];
      found.push(el(heading[1].length === 1 ? 'h1' : heading[1].length === 2 ? 'h2' : 'h3', {}, ...inline(heading[2])));
    } else if (picture) {
      lines.shift();
      found.push(draw.picture(picture[2], picture[1]));
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = run((next) => next.startsWith('|'));
      found.push(draw.table(cells(head), rows.map(cells), `${section}, table ${(tables += 1)}`));
    } else if (/^[*-] /.test(line)) {
      found.push(el('ul', {}, ...run((next) => /^([*-] | {2}\S)/.test(next)).reduce(joined,  ([])).map((item) => el('li', {}, ...inline(item)))));
    } else if (line.startsWith('    ')) {
      found.push(el('pre', { tabindex: '0' }, run((next) => next.startsWith('    ')).map((next) => next.slice(4)).join('\n')));
    } else found.push(el('p', {}, ...inline(run((next) => !!next.trim() && !/^(#|\||[*-] |!\[)/.test(next) || next === line).join(' '))));
  }
  return found;
}
function joined(items, line) {
  if (/^[*-] /.test(line)) return [...items, line.slice(2)];
  return [...items.slice(0, -1), `${items[items.length - 1]} ${line.trim()}`];
}
const table = (head, rows, name) => grid(name, head, rows.map((row) => row.map((cell) => el('span', {}, ...inline(cell)))));
Object.assign(given, { inline, cells, blocks, table });
});
define('lab/requests.js', (given) => {
const { json, post } = need('api.js');
const { site } = need('site.js');
const safe = encodeURIComponent;
const sent = async (path, body) => (await post(path, body)).json();
async function every(name) {
  const list = [];
  for (let more = true; more;) {
    const page = await json(`/api/${name}?from=${list.length}`);
    list.push(...page[name]);
    more = page.more && page[name].length > 0;
  }
  return list;
}
const tournaments = () => every('tournaments');
const tournament = (run) => json(`/api/tournaments/${run}`);
const beginTournament = (plan) => sent('/api/tournaments', plan);
const tellTournament = (run, what) => sent(`/api/tournaments/${run}/${what}`, {});
const gamesOf = (run, between, from) => json(`/api/tournaments/${run}/games?from=${from}${between ? `&between=${safe(between)}` : ''}`);
const recipes = async () => (await json('/api/recipes')).recipes;
const trainings = () => every('training');
const training = (name) => json(`/api/training/${safe(name)}`);
const beginTraining = (asked) => sent('/api/training', asked);
const tellTraining = (name, what) => sent(`/api/training/${safe(name)}/${what}`, {});
const shelve = (name, file) => sent(`/api/training/${safe(name)}/snapshots/${safe(file)}`, {});
const experiments = async () => (await json('/api/experiments')).experiments;
const beginExperiment = (id) => sent('/api/experiments', { id });
const stopExperiment = (name) => sent(`/api/experiments/${safe(name)}/stop`, {});
const reports = () => every('reports');
const report = (name) => json(`/api/reports/${safe(name)}`);
const picture = (name, file) => `${site ?? '/'}api/reports/${safe(name)}/${safe(file)}`;
const maps = () => json('/api/maps');
Object.assign(given, { tournaments, tournament, beginTournament, tellTournament, gamesOf, recipes, trainings, training, beginTraining, tellTraining, shelve, experiments, beginExperiment, stopExperiment, reports, report, picture, maps });
});
define('lab/experiments.js', (given) => {
const { button, el } = need('dom.js');
const { address, badge, Complaint, follow, refill } = need('lab/parts.js');
const requests = need('lab/requests.js');
function duration(minutes) {
  if (minutes === null) return '';
  const seconds = Math.round(60 * minutes);
  return seconds < 90 ? `about ${Math.max(1, seconds)} s` : `about ${Math.round(minutes)} min`;
}
function experimentsBox(games) {
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const place = el('div', { class: 'runs' });
  let before = '';
  const look = async () => {
    const all = await requests.experiments();
    const now = JSON.stringify(all);
    if (now !== before) refill(place, groups(all, games, acts));
    before = now;
    return box.open;
  };
  const box = el('details', { class: 'box fold', on: { toggle: () => box.open && follow(place, complaint, look) } }, el('summary', {}, 'Repeat an experiment'),
    el('p', { class: 'small' }, 'Every table and claim of the papers at its quick size: minutes instead of hours, enough for a direction but not for a verdict. One experiment runs at a time, on the server’s machine; a stopped one picks up where it left off. For larger sizes, use quintet reproduce in a terminal.'),
    complaint.element, acts.element, place);
  return box;
}
function groups(all, games, acts) {
  return games.flatMap(({ game, title }) => {
    const own = all.filter(({ id }) => id.startsWith(`${game}/`));
    const busy = own.some(({ state }) => state === 'running' || state === 'stopping');
    const group = el('details', { 'data-key': game, open: busy ? '' : null }, el('summary', {}, `${title} (${own.length})`), ...own.map((one) => item(one, acts)));
    return own.length ? [group] : [];
  });
}
function item(one, acts) {
  const { id, name, state, progress } = one;
  const begin = () => acts.around(() => requests.beginExperiment(id));
  const stop = () => acts.around(() => requests.stopExperiment(name));
  const act = !one.ready ? null : state === 'running' ? button('Stop', stop, { 'data-key': `act ${id}`, 'aria-label': `Stop ${id}` })
    : state === 'over' ? el('a', { class: 'button', href: address('reports', name), 'data-key': `act ${id}`, 'aria-label': `Report of ${id}` }, 'Report')
      : state === 'stopping' ? null : button(state === 'stopped' ? 'Continue' : 'Start', begin, { 'data-key': `act ${id}`, 'aria-label': `${state === 'stopped' ? 'Continue' : 'Start'} ${id}` });
  const time = one.ready && state !== 'over' ? duration(one.minutes) : '';
  return el('article', { class: 'gamerow experiment', 'data-id': id }, el('div', { class: 'grow' }, el('b', {}, one.title), ' ', el('code', {}, id), ' ', state && badge(state),
    el('div', { class: 'small' }, `${one.section}: ${one.claim}`), one.waits_for && el('div', { class: 'small' }, `${one.ready ? 'Part of it waits for' : 'Waits for'} ${one.waits_for}.`),
    one.fault && el('div', { class: 'bad' }, one.fault)),
    progress && el('progress', { max: Math.max(1, progress[1]), value: progress[0], 'aria-label': `${progress[0]} of ${progress[1]}` }), el('span', { class: 'small' }, progress ? `${progress[0]} of ${progress[1]}` : time), act);
}
Object.assign(given, { experimentsBox });
});
define('lab/reports.js', (given) => {
const { button, el, fill, select } = need('dom.js');
const { note } = need('say.js');
const { blocks, inline, table } = need('lab/markdown.js');
const { experimentsBox } = need('lab/experiments.js');
const { address, Complaint, grid } = need('lab/parts.js');
const requests = need('lab/requests.js');
const { site } = need('site.js');
const VERDICTS = [['agrees', '✓', 'fine'], ['same direction', '✓', 'fine'], ['not shown', '~', 'open'], ['differs', '✗', 'off'], ['cannot be compared', '?', 'open'], ['', '·', 'open']];
const kindOf = (verdict) => VERDICTS.find(([word]) => verdict.startsWith(word)) ?? VERDICTS[VERDICTS.length - 1];
function chip(verdict) {
  const [, mark, look] = kindOf(verdict);
  return el('span', { class: `verdictchip ${look}` }, `${mark} ${verdict}`);
}
function gist({ verdict }) {
  if (!verdict) return ['no comparison'];
  const found = VERDICTS.map(([word]) => word).filter((word) => word && verdict.includes(word));
  return found.length ? found : ['ours only'];
}
async function showReports(root, games) {
  const complaint = new Complaint();
  const place = el('div');
  const search = el('input', { type: 'search', placeholder: 'Search words', 'aria-label': 'Filter the reports', on: { input: () => draw() } });
  const wanted = select([['', 'any verdict'], ...['agrees', 'same direction', 'not shown', 'differs', 'cannot be compared', 'ours only', 'no comparison'].map((word) =>  ([word, word]))], '', () => draw(), { 'aria-label': 'Verdict' });
  fill(root, [el('h1', {}, 'Reports'), el('p', { class: 'lead' }, `Every table and claim of the papers that was repeated, beside the paper’s own numbers.${site === null ? ' Reports come with the program, or from a run on this machine.' : ''}`),
    site === null ? experimentsBox(games) : null, el('div', { class: 'row filters' }, search, wanted), complaint.element, place]);
  let all = [];
  const byLength = [...games].sort((a, b) => b.game.length - a.game.length);
  const gameOf = ( one) => byLength.find(({ game }) => one.name.startsWith(`${game}-`))?.game ?? '';
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = all.filter((one) => (!wanted.value || gist(one).includes(wanted.value)) && words.every((word) => `${one.name} ${one.title} ${one.verdict}`.toLowerCase().includes(word)));
    const groups = [...games.map(({ game, title }) =>  ([game, title])),  (['', 'Others'])];
    fill(place, [el('p', { class: 'small' }, `${shown.length} of ${all.length} reports.`), ...groups.flatMap(([game, title]) => {
      const own = shown.filter((one) => gameOf(one) === game);
      return own.length ? [el('section', { class: 'box' }, el('h2', {}, title), ...own.map(item))] : [];
    })]);
  };
  await complaint.around(async () => {
    all = await requests.reports();
    draw();
  });
}
function item(listed) {
  const [, id, title] = /^([a-z-]+\/[a-z0-9-]+): (.*)$/.exec(listed.title ?? '') ?? ['', listed.name, listed.title];
  return el('article', { class: 'reportrow' }, el('div', {}, el('a', { href: address('reports', listed.name) }, title || id), ' ', listed.source === 'run' && el('span', { class: 'badge' }, 'made here'),
    el('div', { class: 'small' }, listed.verdict ?? id)), el('div', {}, ...gist(listed).map(chip)));
}
async function showReport(root, name) {
  const complaint = new Complaint();
  const back = el('p', {}, el('a', { href: address('reports') }, '← All reports'));
  fill(root, [back, complaint.element]);
  const report = await complaint.around(() => requests.report(name));
  if (!report) return;
  const picture = ( file) => (report.files.includes(file)
    ? el('figure', { class: 'paper' }, el('img', { src: requests.picture(name, file), alt: `${file.replace(/\.svg$/, '').replaceAll('-', ' ')}: the numbers of the table above as a picture`, loading: 'lazy' })) : null);
  fill(root, [back, complaint.element, el('article', { class: 'report' }, ...blocks(report.markdown ?? `# ${name}\n\nThis report has no text.`, { picture, table: (head, rows, named) => (head.includes('verdict') ? compared(head, rows) : table(head, rows, named)) }), command(report.markdown ?? ''))]);
}
function compared(head, rows) {
  const at = head.indexOf('verdict');
  const known = [...new Set(rows.map((row) => row[at]))];
  const place = el('div');
  const draw = ( wanted) => fill(place, [grid('Comparison', head, rows.filter((row) => !wanted || row[at] === wanted).map((row) => row.map((cell, column) => (column === at ? chip(cell) : el('span', {}, ...inline(cell))))), 'compared')]);
  draw('');
  const tally = known.map((verdict) =>  ([verdict, `${verdict} (${rows.filter((row) => row[at] === verdict).length})`]));
  return el('div', {}, known.length > 1 && el('label', { class: 'field narrow' }, el('span', {}, 'Verdict'), select([['', `all (${rows.length})`], ...tally], '', draw)), place);
}
function command(markdown) {
  const found = /^\* repeat with: `([^`]+)`$/m.exec(markdown)?.[1];
  if (!found) return null;
  const quick = found.replace(/ --(paper|full|quick)/, ' --quick');
  const line = ( text) => el('div', { class: 'row' }, el('code', { class: 'command' }, text), button('Copy', () => {
    navigator.clipboard?.writeText(text).then(() => note('Copied.'), () => note('The browser does not allow copying; select the text.'));
  }, { 'aria-label': `Copy ${text}` }));
  return el('section', {}, el('h2', {}, 'Repeat it'), el('p', {}, `Run it in a terminal${site === null ? '; the report appears here when it is done' : ', with quintet installed'}. The quick size takes about two minutes and gives a direction, not a verdict.`), line(quick), found !== quick && line(found));
}
Object.assign(given, { showReports, showReport });
});
define('lab/tournament-form.js', (given) => {
const api = need('api.js');
const { button, el, field, fill, select } = need('dom.js');
const { iconButton } = need('icons.js');
const { playerName } = need('levels.js');
const { variant } = need('setup.js');
const { site } = need('site.js');
const { address, Complaint } = need('lab/parts.js');
const requests = need('lab/requests.js');
const BUDGETS = [['', 'each agent’s own', ''], ['time', 'time per move', '50ms'], ['nodes', 'nodes per move', '2000'], ['depth', 'plies deep', '2'], ['visits', 'visits per move', '200']];
const number = (value, more = {}) => el('input', { type: 'number', value, required: true, ...more });
class TournamentForm {
  constructor(games) {
    this.games = games;
    this.players = [];
    this.offers = [];
    this.game = select(games.map((info) => [info.game, info.title]), games[0].game, () => this.complaint.around(() => this.load()));
    this.variant = variant(games[0]);
    this.options = el('div', { class: 'fields' });
    this.filter = el('input', { type: 'search', placeholder: 'Filter: level, minimax, beam…', 'aria-label': 'Filter the players', on: { input: () => this.offer() } });
    this.list = el('div', { class: 'offers', role: 'group', 'aria-label': 'Players of the catalogue' });
    this.own = el('input', { type: 'text', class: 'code', placeholder: 'mcts(visits=200)', 'aria-label': 'A player by its spec', spellcheck: 'false',
      on: { keydown: ( event) => event.key === 'Enter' && (event.preventDefault(), this.addOwn()) } });
    this.chosen = el('ul', { class: 'chips', 'aria-label': 'Chosen players' });
    this.format = select([['round-robin', 'round robin: everybody meets everybody'], ['gauntlet', 'gauntlet: the first meets all others']], 'round-robin', () => this.count());
    this.anchor = select([], '', () => {});
    this.length = select([['games', 'a fixed number of games'], ['sprt', 'a sequential test (SPRT) of two players']], 'games', () => this.update());
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
    this.element = el('form', { class: 'labform', on: { submit: ( event) => (event.preventDefault(), this.start()) } },
      el('fieldset', { class: 'wide game' }, el('legend', {}, 'Game'), field('Game', this.game), this.options),
      el('fieldset', { class: 'wide' }, el('legend', {}, 'Players'), this.chosen, this.filter, this.list, el('div', { class: 'row' }, this.own, button('Add', () => this.addOwn()))),
      el('fieldset', {}, el('legend', {}, 'Pairings'), field('Who meets whom', this.format), field('Length of the match, decided now', this.length), this.fixed, this.sprt, field('Rating 0 has', this.anchor)),
      el('fieldset', {}, el('legend', {}, 'Each game'), field('Budget', this.budget), this.muchField, field('Random plies at the start', this.openings, 'both games of a pair start with the same moves'), field('Seed', this.seed, 'the same seed plays the same games')),
      el('div', { class: 'wide' }, this.plan, this.complaint.element, el('div', { class: 'buttons' }, el('button', { type: 'submit', class: 'main' }, 'Begin'))));
    this.update();
    this.choose();
  }
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
  offer() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.offers.filter(({ agent, about }) => words.every((word) => `${agent} ${playerName(agent)} ${about}`.toLowerCase().includes(word)));
    const item = ( { agent, about }) => {
      const box = el('input', { type: 'checkbox', checked: this.players.includes(agent), on: { change: () => this.toggle(agent, box.checked) } });
      return el('label', { class: 'offer' }, box, el('span', {}, el('span', {}, playerName(agent)), el('small', {}, about)));
    };
    const groups = [...new Set(found.map(({ group }) => group))];
    fill(this.list, found.length ? groups.map((group) => el('div', { role: 'group', 'aria-label': group }, el('p', { 'aria-hidden': 'true' }, group), ...found.filter((one) => one.group === group).map(item))) : [el('p', { class: 'small' }, 'No player has that in its name or description.')]);
  }
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
    for (const [input, on] of  ([[this.number, !this.fixed.hidden], [this.elo0, !this.sprt.hidden], [this.elo1, !this.sprt.hidden], [this.most, !this.sprt.hidden], [this.much, !!this.budget.value]])) input.disabled = !on;
    const budget = BUDGETS.find(([value]) => value === this.budget.value);
    this.muchField.hidden = !this.budget.value;
    this.much.value = budget?.[2] ?? '';
    this.count();
  }
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
Object.assign(given, { TournamentForm });
});
define('lab/tournaments.js', (given) => {
const { button, el, fill } = need('dom.js');
const { inviting } = need('icons.js');
const { playerName } = need('levels.js');
const { count } = need('say.js');
const { site } = need('site.js');
const { titleOf } = need('spec.js');
const { TournamentForm } = need('lab/tournament-form.js');
const { address, badge, Complaint, follow, refill } = need('lab/parts.js');
const requests = need('lab/requests.js');
const NAMES = 4;
const SHOWN = 30;
async function showTournaments(root, games) {
  const list = el('div', { class: 'runs' });
  const complaint = new Complaint();
  const form = new TournamentForm(games);
  const more = el('details', { class: 'box fold' }, el('summary', {}, 'New tournament'), form.element);
  more.addEventListener('toggle', () => more.open && form.opened(), { once: true });
  const search = el('input', { type: 'search', placeholder: 'Filter: game, player, state', 'aria-label': 'Filter the runs' });
  let runs = [];
  let most = SHOWN;
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = runs.filter((run) => words.every((word) => `${run.run} ${run.kind} ${titleOf(games, run.game)} ${run.players.join(' ')} ${run.players.map(playerName).join(' ')} ${run.state}`.toLowerCase().includes(word)));
    const rest = wanted.length - most;
    search.hidden = !runs.length;
    refill(list, [runs.length ? el('p', { class: 'small' }, `${wanted.length} of ${count(runs.length, 'run')}.`)
      : inviting('trophy', `No runs yet. Start one above${site === null ? ', or with quintet match or quintet tournament in a terminal' : ': up to 20 games, played while this page is open'}.`),
      ...wanted.slice(0, most).map((run) => item(run, games)), rest > 0 && button(`Show ${rest} more`, () => ((most = Infinity), draw()))]);
  };
  search.addEventListener('input', draw);
  fill(root, [el('h1', {}, 'Tournaments'), el('p', { class: 'lead' }, 'Agents against agents: every pair plays each opening from both sides, every game is kept, and scores come with their intervals.'),
    more, el('h2', {}, 'Runs'), search, complaint.element, list]);
  let before = '';
  await follow(list, complaint, async () => {
    runs = await requests.tournaments();
    const now = JSON.stringify(runs);
    if (now !== before) draw();
    before = now;
    return true;
  });
}
function item(run, games) {
  const names = run.players.slice(0, NAMES).map(playerName).join(', ') + (run.players.length > NAMES ? ` and ${run.players.length - NAMES} more` : '');
  return el('article', { class: 'gamerow' }, el('div', { class: 'grow' }, el('a', { href: address('tournaments', String(run.run)), 'data-key': `run ${run.run}` }, `Run ${run.run}: ${titleOf(games, run.game)}`), ' ', badge(run.state),
    el('div', { class: 'small' }, `${names} · ${run.played} of ${count(run.planned, 'game')} · ${run.begun.slice(0, 16)} UTC${run.kind === 'tournament' ? '' : ` · ${run.kind}`}`),
    run.fault && el('div', { class: 'bad' }, run.fault)), run.state === 'running' && el('progress', { max: run.planned, value: run.played, 'aria-label': `Run ${run.run}` }));
}
Object.assign(given, { showTournaments });
});
define('lab/chart.js', (given) => {
const { el, fill, svg } = need('dom.js');
const { grid, tidy } = need('lab/parts.js');
const COLOURS = 7;
const DASHES = ['', '7 4', '2 3'];
const [LOWEST, HIGHEST] = [220, 340];
function ticks(low, high, wanted) {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at += 1) found.push(Number((at * step).toPrecision(12)));
  return found;
}
function figure({ title, note = title }, draw, more, least) {
  const place = el('div', { class: 'drawn' });
  place.style.minHeight = `${least}px`;
  let width = 0;
  const redraw = () => {
    const now = Math.round(place.clientWidth);
    if (!now || now === width) return;
    width = now;
    const picture = draw(width);
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', title);
    fill(place, [picture]);
  };
  new ResizeObserver(redraw).observe(place);
  return el('figure', { class: 'chart' }, note && el('figcaption', {}, note), place, ...more);
}
const twin = (title, head, rows) => el('details', { 'data-key': `twin ${title}` }, el('summary', {}, 'As a table'), grid(title, head, rows));
const canvas = (width, height) => svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height });
const label = (x, y, text, props = {}) => svg('text', { x, y, ...props }, text);
const dressed = (at) => ({ class: `line c${at % COLOURS}`, 'stroke-dasharray': DASHES[Math.floor(at / COLOURS) % DASHES.length] || null });
function curves(asked) {
  const { title, x, series, say = tidy } = asked;
  const names = el('ul', { class: 'legend' }, ...series.map(({ name }, at) => el('li', {}, svg('svg', { width: 26, height: 10, 'aria-hidden': 'true' }, svg('line', { x1: 1, x2: 25, y1: 5, y2: 5, ...dressed(at) })), name)));
  const at = [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const found = ( { points },  where) => points.find((point) => point.x === where);
  const told = ( point) => (!point ? '' : point.low === undefined || point.high === undefined ? say(point.y) : `${say(point.y)} (${say(point.low)} to ${say(point.high)})`);
  const rows = at.map((where) => [tidy(where), ...series.map((one) => told(found(one, where)))]);
  const marks = asked.marks?.length ? el('ol', { class: 'events small' }, ...asked.marks.map((mark) => el('li', {}, `${tidy(mark.x)}: ${mark.text}`))) : null;
  return figure(asked, (width) => drawCurves(asked, width),
    [series.length > 1 && names, marks && el('details', { 'data-key': `events ${title}` }, el('summary', {}, `Vertical marks: ${asked.marks?.length}`), marks), twin(title, [x, ...series.map(({ name }) => name)], rows)], LOWEST);
}
function drawCurves({ x, y, series, marks = [], levels = [], range, say = tidy }, width) {
  const height = Math.max(LOWEST, Math.min(HIGHEST, width * 0.5));
  const all = series.flatMap(({ points }) => points);
  const ys = [...all.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]), ...levels.map((level) => level.y)];
  let [low, high] = range ?? [Math.min(...ys), Math.max(...ys)];
  if (!range) {
    const air = (high - low || Math.abs(high) || 1) * 0.06;
    [low, high] = [low - air, high + air];
  }
  const xs = all.map((point) => point.x);
  const [first, last] = [Math.min(0, ...xs), Math.max(...xs, 1)];
  const steps = ticks(low, high, 5);
  const left = 16 + 7.5 * Math.max(...steps.map((step) => say(step).length));
  const frame = { left, right: width - 14, top: 24, bottom: height - 40 };
  const px = ( value) => frame.left + ((value - first) / (last - first)) * (frame.right - frame.left);
  const py = ( value) => frame.bottom - ((value - low) / (high - low)) * (frame.bottom - frame.top);
  const picture = canvas(width, height);
  for (const step of steps) picture.append(svg('line', { class: 'rule', x1: frame.left, x2: frame.right, y1: py(step), y2: py(step) }), label(frame.left - 6, py(step) + 4, say(step), { 'text-anchor': 'end' }));
  for (const step of ticks(first, last, Math.max(2, width / 110))) picture.append(svg('line', { class: 'rule', x1: px(step), x2: px(step), y1: frame.bottom, y2: frame.bottom + 5 }), label(px(step), frame.bottom + 19, tidy(step), { 'text-anchor': 'middle' }));
  picture.append(svg('line', { class: 'axis', x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }), label(frame.right, height - 6, x, { 'text-anchor': 'end' }), label(4, 14, y));
  for (const mark of marks) picture.append(svg('line', { class: 'event', x1: px(mark.x), x2: px(mark.x), y1: frame.top, y2: frame.bottom }, svg('title', {}, mark.text)));
  for (const level of levels) picture.append(svg('line', { class: 'level', x1: frame.left, x2: frame.right, y1: py(level.y), y2: py(level.y) }), label(frame.right - 4, py(level.y) - 5, level.text, { 'text-anchor': 'end' }));
  series.forEach((one, at) => draw(picture, one.points, at, px, py));
  return picture;
}
function draw(picture, points, at, px, py) {
  const banded = points.filter((point) => point.low !== undefined && point.high !== undefined);
  if (banded.length > 1) {
    const edge = [...banded.map((point) => `${px(point.x)},${py(point.high ?? 0)}`), ...banded.reverse().map((point) => `${px(point.x)},${py(point.low ?? 0)}`)];
    picture.append(svg('polygon', { class: `band c${at % COLOURS}`, points: edge.join(' ') }));
  }
  if (points.length === 1) picture.append(svg('circle', { class: `dot c${at % COLOURS}`, cx: px(points[0].x), cy: py(points[0].y), r: 4 }));
  else picture.append(svg('polyline', { ...dressed(at), points: points.map((point) => `${px(point.x)},${py(point.y)}`).join(' ') }));
}
const ROW = 26;
const tall = (rows) => ROW * rows + 34;
function bars(asked) {
  const { title, what, bars: list, say = tidy } = asked;
  const ranged = list.some((bar) => bar.low !== undefined);
  const rows = list.map((bar) => [bar.name, bar.text ?? say(bar.value), ...(ranged ? [bar.low === undefined || bar.high === undefined ? '' : `${say(bar.low)} to ${say(bar.high)}`] : [])]);
  return figure(asked, (width) => drawBars(asked, width), [twin(title, ['Name', what, ...(ranged ? ['95 % interval'] : [])], rows)], tall(list.length));
}
function drawBars({ bars: list, say = tidy }, width) {
  const height = tall(list.length);
  const ends = list.flatMap((bar) => [0, bar.value, bar.low ?? 0, bar.high ?? 0]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const span = high - low || 1;
  const longest = Math.max(...list.map((bar) => bar.name.length));
  const letters = Math.max(6, Math.floor(Math.min(width * 0.4, longest * 7.4) / 7.4));
  const [left, right] = [letters * 7.4 + 10, width - 10 - 7.5 * Math.max(...list.map((bar) => (bar.text ?? say(bar.value)).length))];
  const px = ( value) => left + ((value - low) / span) * (right - left);
  const picture = canvas(width, height);
  const bottom = ROW * list.length + 4;
  for (const step of ticks(low, high, Math.max(2, (right - left) / 90))) picture.append(svg('line', { class: step === 0 ? 'axis' : 'rule', x1: px(step), x2: px(step), y1: 2, y2: bottom }), label(px(step), bottom + 17, say(step), { 'text-anchor': 'middle' }));
  list.forEach((bar, at) => {
    const y = ROW * at + 4;
    const short = bar.name.length > letters ? `${bar.name.slice(0, letters - 1)}…` : bar.name;
    picture.append(label(left - 8, y + 15, short, { 'text-anchor': 'end' }), svg('rect', { class: `rod ${bar.value < 0 ? 'c1' : 'c0'}`, x: Math.min(px(0), px(bar.value)), y: y + 3, width: Math.max(1, Math.abs(px(bar.value) - px(0))), height: ROW - 10, rx: 2 }));
    if (bar.low !== undefined && bar.high !== undefined && bar.high > bar.low) {
      const d = `M${px(bar.low)},${y + 5} v12 m0,-6 H${px(bar.high)} m0,-6 v12`;
      picture.append(svg('path', { class: 'halo', d }), svg('path', { class: 'whisker', d }));
    }
    picture.append(label(width - 2, y + 15, bar.text ?? say(bar.value), { 'text-anchor': 'end' }));
  });
  return picture;
}
Object.assign(given, { ticks, curves, bars });
});
define('lab/games.js', (given) => {
const api = need('api.js');
const { button, download, el, fill } = need('dom.js');
const { playerName } = need('levels.js');
const { freshId } = need('library.js');
const { count } = need('say.js');
const { Session } = need('session.js');
const { infoOf, titleOf } = need('spec.js');
const { address, Complaint, grid } = need('lab/parts.js');
const requests = need('lab/requests.js');
async function showGames(root, run, between, games, open) {
  const complaint = new Complaint();
  const place = el('div');
  const title = el('h1', {}, `Games of run ${run}`);
  fill(root, [el('p', {}, el('a', { href: address('tournaments', String(run)) }, `← Run ${run}`)), title, complaint.element, place]);
  const all = [];
  const more = () => complaint.around(async () => {
    const answer = await requests.gamesOf(run, between, all.length ? all[all.length - 1].number + 1 : 0);
    all.push(...answer.games);
    draw(answer.more);
  });
  const head = await complaint.around(() => requests.tournament(run));
  if (!head) return;
  const pair = between?.split(',').map((number) => head.players[Number(number)]);
  if (pair) title.textContent = pair.map(playerName).join(' against ');
  const info = infoOf(games, head.game);
  const won = ( game) => (game.result === 'draw' ? 'draw' : `${info?.sides[game.result === 'first' ? 0 : 1] ?? game.result} wins`);
  const names = ( { players, result }) => players.map((name, seat) => (result === (seat ? 'second' : 'first') ? el('strong', {}, playerName(name)) : playerName(name)));
  const show = ( game) => complaint.around(() => replay(game, open));
  const draw = ( rest) => fill(place, [el('p', { class: 'small' }, `${titleOf(games, head.game)}, run ${run}: ${count(all.length, 'game')}${rest ? ', and more' : ''}.`),
    el('div', { class: 'buttons' }, button('Download records', () => download(`quintet-run-${run}.txt`, new Blob(all.map(({ record }) => `${record}\n`), { type: 'text/plain' })), { disabled: !all.length })),
    grid('Games', ['Game', info?.sides[0] ?? 'first', info?.sides[1] ?? 'second', 'Result', 'Reason', 'Moves'],
      all.map((game) => [button(`${game.number + 1}`, () => show(game), { class: 'open', 'aria-label': `Open game ${game.number + 1}` }), ...names(game), won(game), game.reason, game.plies])),
    rest && button('More games', more)]);
  await more();
}
async function replay(game, open) {
  const [read] = (await api.read({ text: game.record })).games;
  if (!read?.state) throw new Error(read?.fault ?? 'This record does not contain a game.');
  const seats =  (game.players.map((agent) => ({ who: 'agent', agent })));
  const session = new Session({ game: read.state.game, from: read.state.from, moves: read.state.moves, seats, id: freshId() });
  await session.begin(0);
  open(session);
}
Object.assign(given, { showGames });
});
define('lab/tournament.js', (given) => {
const { button, download, el, fill } = need('dom.js');
const { playerName } = need('levels.js');
const { titleOf } = need('spec.js');
const { bars, curves } = need('lab/chart.js');
const { showGames } = need('lab/games.js');
const { address, badge, box, Complaint, counts, facts, follow, grid, minus, percent, range, refill, reversed, scored, tidy } = need('lab/parts.js');
const requests = need('lab/requests.js');
async function showTournament(root, of, games, open) {
  const [text, between] = of.split('/');
  const run = Number(text);
  if (between !== undefined) return showGames(root, run, between === 'all' ? null : between, games, open);
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const place = el('div');
  const back = el('p', {}, el('a', { href: address('tournaments') }, '← All runs'));
  fill(root, [back, el('h1', {}, `Run ${text}`), complaint.element, acts.element, place]);
  let before = '';
  await follow(place, complaint, async () => {
    const shown = await requests.tournament(run);
    const now = JSON.stringify([shown.played, shown.state, shown.fault]);
    if (now !== before) refill(place, view(shown, games, acts));
    before = now;
    return shown.state === 'running' || shown.state === 'stopping' || shown.state === 'stopped';
  });
}
function view(shown, games, acts) {
  const { results } = shown;
  const { plan } = results;
  const tell = ( what) => acts.around(() => requests.tellTournament(shown.run, what));
  const act = shown.state === 'running' ? button('Stop', () => tell('stop'), { 'data-key': 'act' }) : shown.state === 'stopped' ? button('Resume', () => tell('resume'), { class: 'main', 'data-key': 'act' }) : null;
  const name = `quintet-run-${shown.run}`;
  const head = el('div', { class: 'box' }, el('p', { class: 'lead' }, titleOf(games, shown.game), ' ', badge(shown.state)),
    el('div', { class: 'progress' }, el('progress', { max: Math.max(1, shown.state === 'over' ? shown.played : shown.planned), value: shown.played, 'aria-label': 'Games played' }), el('span', {}, `${shown.played} of ${'sprt' in plan.length ? 'at most ' : ''}${shown.planned} games`)),
    shown.fault && el('p', { class: 'bad' }, shown.fault),
    facts([['Format', plan.format], ['Length', 'games' in plan.length ? `${plan.length.games} games per pairing` : `SPRT, H0 ${tidy(plan.length.sprt.elo0)} Elo, H1 ${tidy(plan.length.sprt.elo1)} Elo`], ['Budget', budget(plan.budget)],
      ['Random opening plies', plan.opening_plies], ['Seed', plan.seed], ['Begun (UTC)', shown.begun.slice(0, 16)], ['Ended (UTC)', shown.ended?.slice(0, 16)]]),
    el('div', { class: 'buttons' }, act, el('a', { class: 'button', href: address('tournaments', `${shown.run}/all`), 'data-key': 'all' }, 'All games'),
      button('CSV', () => download(`${name}.csv`, new Blob([csv(results)], { type: 'text/csv' })), { 'data-key': 'csv' }),
      button('JSON', () => download(`${name}.json`, new Blob([`${JSON.stringify(shown, null, 1)}\n`], { type: 'application/json' })), { 'data-key': 'json' })));
  if (!results.games) return [head, el('p', {}, 'No game is finished yet.')];
  return [head, box('Cross table', el('p', { class: 'small' }, 'Wins-draws-losses and score of the row’s player, with a 95 % interval. Press a cell to see its games.'), crossTable(shown.run, results)),
    ratings(results), ...test(results), honesty(results)];
}
function budget({ time_ms, nodes, depth, visits }) {
  const parts = [time_ms !== null && `${time_ms} ms per move`, nodes !== null && `${nodes} nodes`, depth !== null && `depth ${depth}`, visits !== null && `${visits} visits`].filter(Boolean);
  return parts.join(', ') || 'each agent’s own';
}
function between(results, a, b) {
  for (const { players, wdl } of results.pairings) {
    if (players[0] === a && players[1] === b) return wdl;
    if (players[0] === b && players[1] === a) return reversed(wdl);
  }
  return null;
}
function crossTable(run, results) {
  const names = results.players.map(({ name }) => name);
  const rows = results.players.map(({ name, total }, row) => [playerName(name), `${counts(total)} `, ...names.map((other, column) => {
    if (row === column) return el('span', { class: 'self', 'aria-label': 'itself' }, '·');
    const wdl = between(results, name, other);
    if (!wdl || wdl.score === null) return '–';
    const cell = el('a', { class: 'cell', href: address('tournaments', `${run}/${row},${column}`), 'data-key': `cell ${row} ${column}`, title: `Games of ${playerName(name)} against ${playerName(other)}` },
      el('span', { class: 'unseen' }, `${playerName(name)} against ${playerName(other)}: `), el('strong', {}, scored(wdl)), el('span', {}, counts(wdl)), el('span', {}, range(wdl)));
    cell.style.setProperty('--tint', `${Math.round(Math.abs(wdl.score - 0.5) * 60)}%`);
    cell.classList.add(wdl.score >= 0.5 ? 'good' : 'poor');
    return cell;
  })]);
  return grid('Cross table', ['Player', 'Total', ...names.map(playerName)], rows, 'cross');
}
function ratings(results) {
  const rated = results.players.filter(({ rating }) => rating !== null).sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0));
  const anchor = results.plan.players[results.plan.anchor]?.name;
  if (!rated.length) return box('Ratings', el('p', {}, 'No ratings: the players repeat their games so often that Elo would mean nothing. Random plies at the start make games differ.'));
  const list = rated.map(({ name, rating, rating_error: error }) => {
    const value = rating ?? 0;
    const text = `${minus(value.toFixed(0))}${error ? ` ±${error.toFixed(0)}` : name === anchor ? ' (anchor)' : ''}`;
    return { name: playerName(name), value, ...(error ? { low: value - error, high: value + error } : {}), text };
  });
  return box('Ratings', bars({ title: 'Ratings', note: `Elo, ${playerName(anchor ?? '')} at 0, with 95 % intervals`, what: 'Elo', bars: list, say: (value) => minus(value.toFixed(0)) }));
}
function test(results) {
  const sprt = results.pairings[0]?.sprt;
  if (!sprt) return [];
  const [low, high] = sprt.bounds;
  const points = results.llr_curve.map(([x, y]) => ({ x, y }));
  return [box('Sequential test', el('p', {}, `${sprt.decision}${sprt.llr === null ? '' : `; log-likelihood ratio ${tidy(sprt.llr)}, bounds ${tidy(low)} and ${tidy(high)}`}.`),
    points.length ? curves({ title: 'Log-likelihood ratio over games', x: 'games', y: 'LLR', series: [{ name: 'LLR', points }], levels: [{ y: high, text: 'H1 is accepted' }, { y: low, text: 'H0 is accepted' }] }) : null)];
}
function honesty(results) {
  const { first_seat: seat, redundancy, forfeits, overruns } = results;
  const pairs = results.pairings.filter(({ elo, los }) => elo !== null || los !== null);
  return box('Beside the scores', facts([['First seat', `${counts(seat)}, ${scored(seat)} (${range(seat)})`], ['Redundancy', `${percent(redundancy)} of the positions repeat earlier games`], ['Moves over time', overruns],
    ['Faults', forfeits.length ? forfeits.map(({ player, reason, count }) => `${playerName(player)}: ${reason} ${count}`).join('; ') : 'none']]),
    pairs.length ? el('details', { 'data-key': 'pairings' }, el('summary', {}, 'Elo of each pairing'),
      grid('Elo of each pairing', ['Pairing', 'Elo', 'Likelihood of superiority'], pairs.map(({ players, elo, elo_error: error, los }) => [players.map(playerName).join(' – '), elo === null ? '–' : `${minus(elo.toFixed(0))}${error === null ? '' : ` ±${error.toFixed(0)}`}`, los === null ? '–' : percent(los)]))) : null);
}
const quoted = (value) => (value === null ? '' : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
function csv(results) {
  const head = ['first', 'second', 'wins', 'draws', 'losses', 'score', 'low', 'high', 'elo', 'elo_error', 'los'];
  const rows = results.pairings.map(({ players, wdl, elo, elo_error: error, los }) => [...players, wdl.wins, wdl.draws, wdl.losses, wdl.score, wdl.interval?.[0] ?? null, wdl.interval?.[1] ?? null, elo, error, los]);
  return `${[head, ...rows].map((row) => row.map(quoted).join(',')).join('\n')}\n`;
}
Object.assign(given, { showTournament, csv });
});
define('lab/training.js', (given) => {
const { button, el, field, fill, grouped, select } = need('dom.js');
const { inviting } = need('icons.js');
const { makeRoom } = need('room.js');
const { settings } = need('settings.js');
const { count } = need('say.js');
const { bars, curves } = need('lab/chart.js');
const { address, badge, box, Complaint, facts, follow, refill, signed, tidy, wilson } = need('lab/parts.js');
const requests = need('lab/requests.js');
const LARGEST = 15;
const POINTS = 300;
async function showTrainings(root, games) {
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const list = el('div', { class: 'runs' });
  const place = el('div', { class: 'labform' });
  fill(root, [el('h1', {}, 'Training'), el('p', { class: 'lead' }, 'A recipe learns weights from games. The same recipe and seed give the same weights; a stopped run picks up where it left off.'),
    box('Run a recipe', place, acts.element), el('h2', {}, 'Runs'), complaint.element, list]);
  acts.around(async () => fill(place, [form(await requests.recipes(), games, acts)]));
  let before = '';
  await follow(list, complaint, async () => {
    const runs = await requests.trainings();
    const now = JSON.stringify(runs);
    if (now !== before) refill(list, runs.length ? runs.map(item) : [inviting('review', 'No runs yet. Start a recipe here, or with quintet train in a terminal.')]);
    before = now;
    return true;
  });
}
function form(recipes, games, acts) {
  const about = el('p', { class: 'small' });
  const number = el('input', { type: 'number', min: 1, required: true });
  const seed = el('input', { type: 'number', min: 0, value: 1, required: true });
  const size = field('Games', number);
  const title = ( game) => games.find((info) => info.game === game)?.title ?? game;
  const chosen = () => recipes.find(({ recipe }) => recipe === which.value) ?? recipes[0];
  const update = () => {
    const { about: text, section, kind, with: given } = chosen();
    about.textContent = `${title(chosen().game)}: ${text}${section && ` (paper, ${section})`}. Method: ${kind}.`;
    const [, ...rest] = stagesOf(given);
    about.textContent += rest.length ? ` After these games come ${rest.join(', then ')} more in later stages.` : '';
    size.hidden = number.disabled = given.games === undefined;
    number.value = String(given.games ?? '');
  };
  const which = select([], '', update);
  grouped(which, games.map((info) => [info.title, recipes.filter(({ game }) => game === info.game).map(({ recipe }) => [recipe, recipe.replace(/^.*:/, '')])]));
  which.value = recipes[0]?.recipe ?? '';
  update();
  const start = () => acts.around(async () => {
    const { recipe, with: given } = chosen();
    const games = Number(number.value);
    const { name } = await requests.beginTraining({ recipe, seed: Number(seed.value), ...(given.games !== undefined && games !== given.games ? { games } : {}) });
    location.hash = address('training', name);
  });
  return el('form', { class: 'fields', on: { submit: ( event) => (event.preventDefault(), start()) } }, field('Recipe', which), size, field('Seed', seed), el('button', { type: 'submit', class: 'main' }, 'Begin'), about);
}
function stagesOf({ then, ...given }) {
  const own = [given.games, given['last-games']].filter((games) => typeof games === 'number');
  return then && own.length ? [...own, ...stagesOf({ ...given, ...then })] : own;
}
function progressWords(done, stages) {
  if (!stages.length) return `${done} done`;
  let [at, left] = [0, done];
  while (at < stages.length - 1 && left >= stages[at]) left -= stages[at++];
  const words = `${Math.min(left, stages[at])} of ${count(stages[at], 'game')}`;
  return stages.length > 1 ? `Stage ${at + 1} of ${stages.length}: ${words}` : words;
}
const progressOf = ({ config, progress: { done } }) => progressWords(done, stagesOf(config.with));
function item(run) {
  return el('article', { class: 'gamerow' }, el('div', { class: 'grow' }, el('a', { href: address('training', run.name), 'data-key': run.name }, run.name), ' ', badge(run.state),
    el('div', { class: 'small' }, `${run.config.recipe}, seed ${run.config.seed} · ${progressOf(run)} · ${count(run.snapshots.length, 'snapshot')}`), run.fault && el('div', { class: 'bad' }, run.fault)),
    run.state === 'running' && run.progress.total !== null && el('progress', { max: run.progress.total, value: run.progress.done, 'aria-label': run.name }));
}
async function showTraining(root, name) {
  const [complaint, acts] = [new Complaint(), new Complaint()];
  const place = el('div');
  fill(root, [el('p', {}, el('a', { href: address('training') }, '← All runs')), el('h1', { class: 'long' }, name), complaint.element, acts.element, place]);
  let before = '';
  await follow(place, complaint, async () => {
    const run = await requests.training(name);
    const now = JSON.stringify([run.metrics.length, run.state, run.snapshots.length, run.fault]);
    if (now !== before) refill(place, view(run, acts));
    before = now;
    return run.state !== 'over';
  });
}
function view(run, acts) {
  const { config } = run;
  const tell = ( what) => acts.around(() => requests.tellTraining(run.name, what));
  const act = run.state === 'running' ? button('Stop', () => tell('stop'), { 'data-key': 'act' }) : run.state === 'stopped' ? button('Resume', () => tell('resume'), { class: 'main', 'data-key': 'act' }) : null;
  const plain = Object.entries(config.with).filter(([, value]) => typeof value !== 'object');
  const head = el('div', { class: 'box' }, el('p', { class: 'lead' }, config.recipe, ' ', badge(run.state)),
    el('div', { class: 'progress' }, run.progress.total !== null && el('progress', { max: run.progress.total, value: run.progress.done, 'aria-label': 'Games' }), el('span', {}, progressOf(run))),
    run.fault && el('p', { class: 'bad' }, run.fault), facts([['Seed', config.seed], ['Method', config.kind], ['Commit', config.commit]]), el('p', {}, 'Repeat with ', el('code', {}, config.command)),
    el('details', { 'data-key': 'with' }, el('summary', {}, 'Parameters'), facts(plain.map(([key, value]) => [key, String(value)]))), act && el('div', { class: 'buttons' }, act));
  return [head, ...charts(run.metrics), snapshots(run, acts)];
}
function groupsOf(metrics) {
  const groups = new Map();
  const every = Math.ceil(metrics.length / POINTS);
  metrics.forEach(({ at, values }, number) => {
    if (number % every && number !== metrics.length - 1) return;
    for (const [name, value] of Object.entries(values)) {
      if (name.includes('~')) continue;
      const cut = name.indexOf('/');
      const [group, own] = cut < 0 ? [name, name] : [name.slice(0, cut), name.slice(cut + 1)];
      const series = groups.get(group) ?? new Map();
      groups.set(group, series);
      const one = series.get(own) ?? { name: own, points: [] };
      series.set(own, one);
      one.points.push({ x: at, y: value, low: values[`${name}~low`], high: values[`${name}~high`] });
    }
  });
  return new Map([...groups].map(([group, series]) => [group, [...series.values()]]));
}
const RATE = 'win rate';
function banded(metrics) {
  let before = 0;
  return metrics.map((metric) => {
    const { at, values } = metric;
    if (values[RATE] === undefined || at <= before) return metric;
    const [low, high] = wilson(values[RATE], at - before);
    before = at;
    return { ...metric, values: { [`${RATE}~low`]: low, [`${RATE}~high`]: high, ...values } };
  });
}
const last = ({ points }) => points[points.length - 1].y;
function charts(metrics) {
  const groups = groupsOf(banded(metrics));
  const marks = metrics.filter(({ event }) => event).map(({ at, event }) => ({ x: at, text: event ?? '' }));
  const order = ( group) => [RATE, 'weight'].indexOf(group) >>> 0;
  const drawn = [...groups].sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b)).flatMap(([group, series]) => {
    const largest = [...series].sort((a, b) => Math.abs(last(b)) - Math.abs(last(a))).slice(0, LARGEST);
    const share = group === RATE;
    const title = share ? 'Win rate against the current opponent' : `${group.charAt(0).toUpperCase()}${group.slice(1)} over games`;
    const band = series.some(({ points }) => points.some(({ low }) => low !== undefined));
    const note = [band && 'band: 95 % interval', largest.length < series.length && `the ${LARGEST} largest of ${series.length}`, share && marks.length && 'vertical marks: a new opponent'].filter(Boolean).join('; ');
    const shares = { range:  ([0, 1]), say: ( value) => `${Math.round(100 * value)} %` };
    const picture = curves({ title, note, x: 'games', y: group, series: largest, marks: share ? marks : [], ...(share ? shares : {}) });
    if (group !== 'weight') return [box(title, picture)];
    const rods = bars({ title: 'Largest weights', note: `after ${metrics[metrics.length - 1].at} games`, what: 'weight', bars: largest.map((one) => ({ name: one.name, value: last(one), text: signed(last(one)) })) });
    return [box('Largest weights', rods), box(title, picture)];
  });
  return drawn.length ? drawn : [el('p', {}, 'No numbers yet: they appear after the first block of games.')];
}
function snapshots(run, acts) {
  const files = run.snapshots.filter((file) => file.endsWith('.toml'));
  const game = run.config.recipe.split(':')[0];
  const play = ( file) => acts.around(async () => {
    const { agents } = await requests.shelve(run.name, file);
    if (!agents.length) throw new Error(`The recipe names no agent that plays with these weights; they can be used as weights=… of ${run.config.recipe}.`);
    const room = await makeRoom({ game, moves: [], seats: [{ who: 'person', name: settings.get('name') }, { who: 'agent', agent: agents[0] }] });
    location.hash = `#room=${room}`;
  });
  return box('Snapshots', el('p', { class: 'small' }, files.length ? 'Play against what it had learned by then. You move first.' : 'None yet.'),
    el('div', { class: 'buttons' }, ...files.map((file) => button(`Play after ${tidy(Number(file.replace(/\D/g, '')))} games`, () => play(file), { 'data-key': file, title: `Play against the snapshot ${file}` }))));
}
Object.assign(given, { showTrainings, stagesOf, progressWords, showTraining, groupsOf, banded });
});
define('lab/style.js', (given) => {
const { el } = need('dom.js');
const { site } = need('site.js');
let loaded = null;
function styled() {
  loaded ??= new Promise((done) => {
    document.head.append(el('link', { rel: 'stylesheet', href: `${site ?? ''}css/lab.css`, on: { load: () => done(), error: () => done() } }));
  });
  return loaded;
}
Object.assign(given, { styled });
});
define('lab/lab.js', (given) => {
const { el, fill } = need('dom.js');
const { icon } = need('icons.js');
const { site } = need('site.js');
const { showReport, showReports } = need('lab/reports.js');
const { showTournaments } = need('lab/tournaments.js');
const { showTournament } = need('lab/tournament.js');
const { showTraining, showTrainings } = need('lab/training.js');
const { styled } = need('lab/style.js');
const ALL = [
  ['tournaments', 'Tournaments', 'Let players meet in many games, and see who is stronger and how sure that is.', 'trophy'],
  ['training', 'Training', 'Teach a player, watch it learn, and play against what it knows so far.', 'review'],
  ['reports', 'Reports', 'The tables of five papers, repeated: their numbers, ours, and whether they agree.', 'report'],
];
const PAGES = ALL.filter(([page]) => page !== 'training' || site === null);
function showOverview(root) {
  const cards = PAGES.map(([page, title, about, sign]) => el('article', { class: 'card' }, el('div', { class: 'about' }, icon(sign), el('h2', {}, title), el('p', { class: 'blurb' }, about),
    el('div', { class: 'buttons' }, el('a', { class: 'button main', href: `#page=${page}` }, `Open ${title.toLowerCase()}`)))));
  fill(root, [el('h1', {}, 'Lab'), el('p', { class: 'lead' }, `Measure${site === null ? ', train' : ''} and compare players. Whatever runs here can be stopped, and picks up where it left off.`), el('div', { class: 'cards' }, ...cards)]);
}
async function showLab(root, { page, game: of }, games, open) {
  await styled();
  if (page === 'lab') return showOverview(root);
  const links = PAGES.map(([name, title]) => el('a', { href: `#page=${name}`, 'aria-current': name === page ? 'page' : null }, title));
  const inner = el('div');
  fill(root, [el('nav', { class: 'subnav', 'aria-label': 'Lab' }, ...links), inner]);
  if (page === 'tournaments') return of ? showTournament(inner, of, games, open) : showTournaments(inner, games);
  if (page === 'training') return of ? showTraining(inner, of) : showTrainings(inner, games);
  return of ? showReport(inner, of) : showReports(inner, games);
}
Object.assign(given, { showLab });
});
