// The lab: a tournament from its form to the replay of a game, training to a game against a snapshot, reports, explanations.

import { walk } from './harness.mjs';
import { held } from './walks.mjs';

walk('the lab', () => held('lab.mjs'));
