// The ladder of a game: levels that were measured, or a provisional one that says that it was not.

import * as api from './api.js';
import { shortAgent } from './spec.js';

/** @typedef {import('./types.js').Level} Level */

/** Budgets that grow about threefold a level. They stand in until the server has a measured ladder, and claim no strength. */
const PROVISIONAL = ['random', ...[20, 60, 200, 600, 2000, 6000].map((visits) => `mcts(visits=${visits})`), 'mcts(time=1s)'];

/** The level of a game in one click: one that a beginner can beat. */
export const DEFAULT_LEVEL = 3;

/**
 * @param {string} game
 * @returns {Promise<Level[]>}
 */
export async function ladder(game) {
  const measured = await api.levels(game);
  if (!measured.length) return PROVISIONAL.map((agent, at) => ({ level: at + 1, agent, elo: null, error: null }));
  const ladder = measured.map((level, at) => ({
    level: level.level ?? at + 1,
    agent: level.agent ?? PROVISIONAL[at] ?? 'mcts(time=1s)',
    elo: level.elo ?? level.strength?.elo ?? (typeof level.strength === 'number' ? level.strength : null),
    error: level.error ?? level.strength?.error ?? null,
  }));
  for (const { agent, level } of ladder) known.set(agent, level);
  return ladder;
}

/** @type {Map<string, number>} Levels by their agents, as far as they were asked for. */
const known = new Map(PROVISIONAL.map((agent, at) => [agent, at + 1]));

/**
 * An agent as a player is called: by its level if it is one.
 * @param {string} agent
 */
export function playerName(agent) {
  const level = known.get(agent);
  return level ? `Level ${level}` : shortAgent(agent);
}

/** @param {Level} level */
export function nameOf(level) {
  if (level.elo === null) return `Level ${level.level}, not yet measured`;
  return `Level ${level.level}, ${Math.round(level.elo)}${level.error === null ? '' : ` ±${Math.round(level.error)}`}`;
}
