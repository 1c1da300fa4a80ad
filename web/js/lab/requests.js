// What the lab asks the server for: tournaments, training, reports. docs/api.md describes every answer.

import { json, post } from '../api.js';
import { site } from '../site.js';

/** @typedef {{wins:number,draws:number,losses:number,score:number|null,interval:[number,number]|null}} Wdl */
/** @typedef {'running'|'stopping'|'stopped'|'over'} State */
/** @typedef {{run:number,kind:string,game:string,players:string[],played:number,planned:number,begun:string,ended:string|null,state:State,fault:string|null}} Head */
/** @typedef {{time_ms:number|null,nodes:number|null,depth:number|null,visits:number|null}} Budget */
/** @typedef {{games:number}|{sprt:{elo0:number,elo1:number,most:number}}} Length */
/** @typedef {{game:string,players:{name:string,agent:string}[],format:string,length:Length,budget:Budget,opening_plies:number,seed:number,anchor:number}} Plan */
/** @typedef {{name:string,agent:string,total:Wdl,rating:number|null,rating_error:number|null}} Player */
/** @typedef {{llr:number|null,bounds:[number,number],decision:string}} Sprt */
/** @typedef {{players:[string,string],wdl:Wdl,elo:number|null,elo_error:number|null,los:number|null,sprt:Sprt|null}} Pairing */
/** @typedef {{plan:Plan,games:number,players:Player[],pairings:Pairing[],first_seat:Wdl,redundancy:number,forfeits:{player:string,reason:string,count:number}[],overruns:number,llr_curve:[number,number][]}} Results */
/** @typedef {Head & {results:Results}} Tournament */
/** @typedef {{number:number,players:[string,string],result:string,reason:string,plies:number,record:string}} Game */
/** @typedef {{recipe:string,game:string,kind:string,about:string,section:string,with:Record<string,any>}} Recipe */
/** @typedef {{at:number,values:Record<string,number>,event?:string}} Metric */
/** @typedef {{name:string,config:{recipe:string,kind:string,with:Record<string,any>,seed:number,command:string,commit:string},progress:{done:number,total:number|null},snapshots:string[],state:State,fault:string|null}} Training */
/** @typedef {Training & {metrics:Metric[]}} Trained */
/** @typedef {{name:string,source:'shipped'|'run',files:string[],title:string|null,verdict:string|null}} Listed */
/** @typedef {{name:string,source:'shipped'|'run',files:string[],markdown:string|null}} Report */

/** @typedef {{id:string,title:string,section:string,claim:string,minutes:number|null,ready:boolean,waits_for:string|null,name:string,state:State|null,progress:[number,number]|null,fault:string|null}} Experiment */

const safe = encodeURIComponent;

/**
 * @param {string} path
 * @param {unknown} body
 */
const sent = async (path, body) => (await post(path, body)).json();

/** A list that comes in pages. @param {string} name @returns {Promise<any[]>} */
async function every(name) {
  const list = [];
  for (let more = true; more;) {
    const page = await json(`/api/${name}?from=${list.length}`);
    list.push(...page[name]);
    more = page.more && page[name].length > 0;
  }
  return list;
}

/** @returns {Promise<Head[]>} */
export const tournaments = () => every('tournaments');

/**
 * @param {number} run
 * @returns {Promise<Tournament>}
 */
export const tournament = (run) => json(`/api/tournaments/${run}`);

/**
 * @param {Record<string, unknown>} plan
 * @returns {Promise<{run:number}>}
 */
export const beginTournament = (plan) => sent('/api/tournaments', plan);

/**
 * @param {number} run
 * @param {'stop'|'resume'} what
 */
export const tellTournament = (run, what) => sent(`/api/tournaments/${run}/${what}`, {});

/**
 * @param {number} run
 * @param {string|null} between two players by number, as in `0,1`
 * @param {number} from
 * @returns {Promise<{games:Game[],more:boolean}>}
 */
export const gamesOf = (run, between, from) => json(`/api/tournaments/${run}/games?from=${from}${between ? `&between=${safe(between)}` : ''}`);

/** @returns {Promise<Recipe[]>} */
export const recipes = async () => (await json('/api/recipes')).recipes;

/** @returns {Promise<Training[]>} */
export const trainings = () => every('training');

/**
 * @param {string} name
 * @returns {Promise<Trained>}
 */
export const training = (name) => json(`/api/training/${safe(name)}`);

/**
 * @param {{recipe:string,games?:number,seed:number}} asked
 * @returns {Promise<{name:string}>}
 */
export const beginTraining = (asked) => sent('/api/training', asked);

/**
 * @param {string} name
 * @param {'stop'|'resume'} what
 */
export const tellTraining = (name, what) => sent(`/api/training/${safe(name)}/${what}`, {});

/**
 * @param {string} name
 * @param {string} file
 * @returns {Promise<{weights:string,agents:string[]}>}
 */
export const shelve = (name, file) => sent(`/api/training/${safe(name)}/snapshots/${safe(file)}`, {});

/** @returns {Promise<Experiment[]>} */
export const experiments = async () => (await json('/api/experiments')).experiments;

/**
 * @param {string} id
 * @returns {Promise<{name:string}>}
 */
export const beginExperiment = (id) => sent('/api/experiments', { id });

/** @param {string} name */
export const stopExperiment = (name) => sent(`/api/experiments/${safe(name)}/stop`, {});

/** @returns {Promise<Listed[]>} */
export const reports = () => every('reports');

/**
 * @param {string} name
 * @returns {Promise<Report>}
 */
export const report = (name) => json(`/api/reports/${safe(name)}`);

/**
 * @param {string} name
 * @param {string} file
 */
export const picture = (name, file) => `${site ?? '/'}api/reports/${safe(name)}/${safe(file)}`;

/** @returns {Promise<{own:Record<string,number>,opponent:Record<string,number>}>} */
export const maps = () => json('/api/maps');
