// The version of a site: a number that changes with any of its files, so that a browser that keeps them for ever never mixes two.

import { createHash } from 'node:crypto';

/** @param {string | Uint8Array} content */
export const sha = (content) => createHash('sha256').update(content).digest('hex');

/** Stands for the version as long as it is not known. */
const UNKNOWN = '0'.repeat(16);

/**
 * Stamps a site: its version, and the files beside the inner folder as they are with it.
 * @param {Map<string, Uint8Array>} inner the files of the inner folder, by their paths in it
 * @param {(version: string) => Record<string, string>} outer the files that name the version
 * @returns {{version: string, outside: Record<string, string>}}
 */
export function stamp(inner, outer) {
  const hash = createHash('sha256');
  for (const [path, content] of [...inner, ...Object.entries(outer(UNKNOWN))]) hash.update(path).update('\0').update(sha(content));
  const version = hash.digest('hex').slice(0, UNKNOWN.length);
  return { version, outside: outer(version) };
}
