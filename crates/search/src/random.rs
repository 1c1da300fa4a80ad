//! Uniformly random moves.

use quintet_game::{Game, Line, Rng, SeedableRng};

use crate::{Choice, Limit, Search, Watch};

/// A move uniform over all legal ones.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, pentago::Pentago};
/// use quintet_search::{Limit, Quiet, RandomMove, Search};
/// let line = Line::new(Arc::new(Pentago::standard()));
/// let choice = RandomMove::new(1).think(&line, &Limit::default(), &mut Quiet);
/// assert_eq!(choice.line, [choice.mv]);
/// ```
#[derive(Clone, Debug)]
pub struct RandomMove {
    rng: Rng,
}

impl RandomMove {
    /// A stream of moves by seed.
    #[must_use]
    pub fn new(seed: u64) -> RandomMove {
        RandomMove { rng: Rng::seed_from_u64(seed) }
    }
}

impl<G: Game> Search<G> for RandomMove {
    fn think(&mut self, line: &Line<G>, _limit: &Limit, _watch: &mut dyn Watch<G>) -> Choice<G> {
        let mv = line.game().random_move(line.position(), &mut self.rng);
        Choice { mv, value: 0.0, proof: None, chances: None, line: vec![mv], nodes: 0, depth: 0 }
    }
}
