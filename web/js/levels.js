// Levels as people read them. What they are is written in data/levels/*.toml; the server tells it.

import { parse, shortAgent } from './spec.js';

/** @typedef {import('./types.js').Level} Level */

/** The level of a game in one click: one that a beginner can beat. */
export const DEFAULT_LEVEL = 3;

/**
 * An agent as a player is called: by its level if it is one.
 * @param {string} agent
 */
export const playerName = (agent) => (agent.startsWith('level:') ? `Level ${agent.slice(6)}` : shortAgent(agent));

/** A strength as people read it: "1180 ±25". @param {string} strength */
export const rating = (strength) => strength.replace(/\s*(\+-|±)\s*/, ' ±');

/** How strong a level is, if that was measured. Levels of two games cannot be compared. @param {Level} level */
export const strengthOf = ({ level, strength }) => (strength ? `Level ${level}: ${rating(strength)} Elo, within this game.` : '');

/** "Level 4, 1180 ±25", or that nobody knows yet. @param {Level} level */
export const nameOf = ({ level, strength }) => `Level ${level}, ${strength ? rating(strength) : 'not yet measured'}`;

/** From this temperature on a slip has little to do with what the net expects. */
const WILD = 2;

/** How a level plays, in a sentence that follows from what it is made of; empty where that says nothing. @param {Pick<Level, 'spec'>} level */
export function mannerOf({ spec }) {
  const { options } = parse(spec);
  const [slips, visits] = [Number(options.slips ?? 0), Number(options.visits ?? 0)];
  if (!slips && !visits) return '';
  const sees = options['sees-wins'] === 'yes' ? 'never misses a win in one' : 'may miss a win in one';
  if (!slips) return `Weighs up to ${visits} positions before each move, and ${sees}.`;
  const share = slips < 1 ? `${Math.round(100 * slips)} % of its moves` : 'every move';
  return `Plays ${share} on a ${Number(options['slip-temperature'] ?? 1) >= WILD ? 'wild ' : ''}hunch, ${options['sees-wins'] === 'yes' ? 'but' : 'and'} ${sees}.`;
}
