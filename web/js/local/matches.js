// Short tournaments in the browser: what `crates/server/src/tournaments.rs` does on a server. A plan decides the games; they are played one after the other while the
// page is open, kept as they end, and tables follow from them. One that was interrupted can be resumed.

import { Refusal } from '../refusal.js';
import { all, append, ifFree, load, save, underWay } from './store.js';

/** @typedef {import('./crew.js').Crew} Crew */
/** @typedef {{run:number,plan:any,planned:number,games:any[],begun:string,ended:string|null}} Run */

/** Games in one answer. */
const PAGE = 500;

/** What a tab holds while it plays a run. @param {number} run */
const lockOf = (run) => `run-${run}`;
const ELSEWHERE = 'this run is at work in another tab; stop it there';

/** @param {Error} why @returns {never} */
function unstored(why) {
  throw new Refusal(`The browser does not store the tournament (${why.message}). Free some space, then go on with it.`, 507, {});
}

export class Matches {
  /** @param {Crew} crew */
  constructor(crew) {
    this.crew = crew;
    /** What is being played: one tournament at a time. @type {{run:number,search:ReturnType<Crew['search']>|null,stopping:boolean}|null} */
    this.playing = null;
    /** Why one has ended too early. @type {Map<number, string>} */
    this.faults = new Map();
  }

  /** @param {string} run @returns {Promise<Run>} */
  async find(run) {
    const kept = await load('matches', run);
    if (!kept) throw new Refusal('there is no such run', 404, {});
    return kept;
  }

  /** @param {Run} kept @param {Set<string>} busy what tabs are doing */
  head({ run, plan, planned, games, begun, ended }, busy) {
    const here = this.playing?.run === run;
    const at = here && this.playing?.stopping ? 'stopping' : here || busy.has(lockOf(run)) ? 'running' : ended ? 'over' : 'stopped';
    return { run, kind: 'tournament', game: plan.game, players: plan.players.map((/** @type {any} */ one) => one.name), played: games.length, planned, begun, ended, state: at, fault: this.faults.get(run) ?? null };
  }

  async list() {
    const runs = (await all('matches')).sort((a, b) => b.run - a.run);
    const busy = await underWay();
    return { tournaments: runs.map((run) => this.head(run, busy)), more: false };
  }

  /** @param {any} file */
  async begin(file) {
    this.free();
    const { plan, games } = await this.crew.ask('play', { do: 'plan', file });
    const begun = new Date().toISOString();
    const run = await append('matches', (number) => ({ run: number, plan, planned: games, games: [], begun, ended: null })).catch(unstored);
    this.free();
    void this.play(run);
    return { run };
  }

  free() {
    if (this.playing) throw new Refusal(`run ${this.playing.run} is at work in this tab; stop it, or wait until it is over`, 409, {});
  }

  /** Plays what is left. @param {number} run */
  async play(run) {
    const playing = (this.playing = { run, search: /** @type {any} */ (null), stopping: false });
    this.faults.delete(run);
    const games = async () => {
      const kept = await this.find(String(run));
      for (let number = kept.games.length; number < kept.planned && !playing.stopping; number += 1) {
        playing.search = this.crew.search('play', { do: 'game', plan: kept.plan, number });
        const played = await playing.search.done;
        if (!played) break;
        kept.games.push(played);
        if (kept.games.length === kept.planned) kept.ended = new Date().toISOString();
        await save('matches', String(run), kept).catch(unstored);
      }
    };
    try {
      if (!(await ifFree(lockOf(run), games))) throw new Refusal(ELSEWHERE, 409, {});
    } catch (why) {
      if (!playing.stopping) this.faults.set(run, /** @type {Error} */ (why).message);
    } finally {
      this.playing = null;
    }
  }

  /** @param {string} run */
  async show(run) {
    const kept = await this.find(run);
    return { ...this.head(kept, await underWay()), results: await this.crew.ask('play', { do: 'table', plan: kept.plan, games: kept.games }) };
  }

  /**
   * @param {string} run
   * @param {string|null} between
   * @param {number} from
   */
  async games(run, between, from) {
    const { plan, games } = await this.find(run);
    const pair = between?.split(',').map(Number);
    const of = (/** @type {any} */ game) => !pair || (pair.includes(game.seats[0]) && pair.includes(game.seats[1]));
    const found = games.filter((game) => game.number >= from && of(game));
    return {
      games: found.slice(0, PAGE).map(({ number, seats, result, reason, plies, record }) => ({ number, players: seats.map((/** @type {number} */ at) => plan.players[at].name), result, reason, plies, record })),
      more: found.length > PAGE,
    };
  }

  /** @param {string} run @param {string} what */
  async tell(run, what) {
    const kept = await this.find(run);
    if (what === 'stop') {
      const { playing } = this;
      if (playing?.run !== kept.run) throw new Refusal((await underWay()).has(lockOf(kept.run)) ? ELSEWHERE : `run ${run} is not at work`, 409, {});
      playing.stopping = true;
      // The game that is being played is played again later.
      playing.search?.stop(() => null, () => null);
    } else {
      this.free();
      if (kept.ended) throw new Refusal(`run ${run} is over; there is nothing to go on with`, 409, {});
      if ((await underWay()).has(lockOf(kept.run))) throw new Refusal(ELSEWHERE, 409, {});
      void this.play(kept.run);
    }
    return { ok: true };
  }
}
