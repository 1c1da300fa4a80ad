// The engines that can be asked about a game, as the choices of a select.

import * as api from './api.js';
import { shortAgent } from './spec.js';

/** @typedef {[string, [string, string][]][]} Groups */

/** Searches that count wins, so that they tell how likely one is. @type {Groups} */
export const COUNTING = [['Advice', [['', 'the strongest']]], ['Tree search', [['mcts', 'by random games'], ['puct', 'by an evaluation'], ['puct(eval=net)', 'by a trained net']]]];

/**
 * All of them, also those that only have a score.
 * @param {string} game its name
 * @param {string} spec with its variant
 * @returns {Promise<Groups>}
 */
export async function engines(game, spec) {
  const [agents, evals] = await Promise.all([api.agents(game), api.evaluations(spec)]);
  return [...COUNTING, ['Alpha-beta over', evals.map(({ name }) => [`pvs(eval=${name})`, name])],
    ['Players of the papers', agents.filter((agent) => !agent.needs).map(({ agent }) => [agent, shortAgent(agent)])]];
}
