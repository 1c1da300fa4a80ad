// Rules and tutorials, one file per game.

import { pathwayz } from './pathwayz.js';
import { pentago } from './pentago.js';
import { pentagoTwist } from './pentago-twist.js';
import { pylos } from './pylos.js';
import { twixt } from './twixt.js';

/** @type {import('../types.js').Lesson[]} */
export const LESSONS = [pathwayz, pylos, twixt, pentagoTwist, pentago];

/** @param {string} game */
export const lessonOf = (game) => LESSONS.find((lesson) => lesson.game === game);

/**
 * Is this one of the moves that a step accepts? A `*` in the list stands for anything.
 * @param {string[]} accept
 * @param {string} move
 */
export const accepts = (accept, move) =>
  accept.some((pattern) => new RegExp(`^${pattern.replace(/[.^$+?()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(move));
