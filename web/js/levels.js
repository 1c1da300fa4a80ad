// Levels as people read them. What they are is written in data/levels/*.toml; the server tells it.

import { shortAgent } from './spec.js';

/** @typedef {import('./types.js').Level} Level */

/** The level of a game in one click: one that a beginner can beat. */
export const DEFAULT_LEVEL = 3;

/**
 * An agent as a player is called: by its level if it is one.
 * @param {string} agent
 */
export const playerName = (agent) => (agent.startsWith('level:') ? `Level ${agent.slice(6)}` : shortAgent(agent));

/** How strong a level is, if that was measured: "Level 4: 1180 ±25". @param {Level} level */
export const strengthOf = ({ level, strength }) => (strength ? `Level ${level}: ${strength.replace(/\s*(\+-|±)\s*/, ' ±')}` : '');

/** "Level 4, 1180 ±25", or that nobody knows yet. @param {Level} level */
export const nameOf = ({ level, strength }) => `Level ${level}, ${strength ? strength.replace(/\s*(\+-|±)\s*/, ' ±') : 'not yet measured'}`;
