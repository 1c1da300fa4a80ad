//! A weakened player: any search, but now and then a random move.

use quintet_game::bits::mix;
use quintet_game::{Game, Limit, Line, Rng, SeedableRng};
use rand_core::Rng as _;

use crate::{Choice, RandomMove, Search, Watch};

/// Chooses as another search does, but with some probability uniformly among all legal moves. Levels of play need it: a small
/// budget alone gives weak players who still never overlook a win in one.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, pentago::Pentago};
/// use quintet_game::Limit;
/// use quintet_search::{Mcts, Quiet, Search, Slips};
/// let line = Line::new(Arc::new(Pentago::standard()));
/// let mut search = Slips::<Pentago>::new(Box::new(Mcts::new(1)), 1.0, 1);
/// assert_eq!(search.think(&line, &Limit::nodes(100), &mut Quiet).nodes, 0); // it always slips, and does not think
/// ```
pub struct Slips<G: Game> {
    search: Box<dyn Search<G>>,
    rate: f64,
    chance: Rng,
    random: RandomMove,
}

/// Separates the random numbers of slips from those of the search, which has the same seed.
const APART: u64 = 0x51_1b5;

impl<G: Game> Slips<G> {
    /// `rate` is the probability of a random move, from 0 to 1.
    #[must_use]
    pub fn new(search: Box<dyn Search<G>>, rate: f64, seed: u64) -> Slips<G> {
        let chance = Rng::seed_from_u64(mix(seed ^ APART));
        Slips { search, rate, chance, random: RandomMove::new(mix(mix(seed ^ APART))) }
    }
}

impl<G: Game> Search<G> for Slips<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        // A double has 53 bits between 0 and 1.
        let drawn = (self.chance.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        if drawn < self.rate { self.random.think(line, limit, watch) } else { self.search.think(line, limit, watch) }
    }

    fn memory(&self) -> usize {
        self.search.memory()
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn fault(&mut self) -> Option<String> {
        self.search.fault()
    }
}
