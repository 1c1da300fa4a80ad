// Input during motion, keys, records, looks and thoughts; puzzles and exact values against proofs that are made up.

import { walk } from './harness.mjs';
import { held } from './walks.mjs';

walk('hands, keys and looks', () => held('handling.mjs'));
walk('puzzles and exact values', () => held('puzzles.mjs'));
