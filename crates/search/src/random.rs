//! Uniformly random moves, for a whole game or for its beginning.

use quintet_game::{Game, Limit, Line, Rng, SeedableRng};

use crate::{Choice, Search, Watch};

/// A move uniform over all legal ones.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, pentago::Pentago};
/// use quintet_game::Limit;
/// use quintet_search::{Quiet, RandomMove, Search};
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
    fn think(&mut self, line: &Line<G>, _limit: &Limit, _watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let mv = line.game().random_move(line.position(), &mut self.rng);
        Choice::plain(mv, 0.0)
    }
}

/// Plays its first moves of a game at random and leaves the others to a search.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, pentago::Pentago};
/// use quintet_game::Limit;
/// use quintet_search::{Mcts, Quiet, RandomFirst, Search};
/// let mut search: RandomFirst<Pentago> = RandomFirst::new(Box::new(Mcts::new(1)), 1, 7);
/// let mut line = Line::new(Arc::new(Pentago::standard()));
/// for nodes in [0, 0, 50] {
///     // Both players' first moves are random; in the third ply the first player thinks.
///     let choice = search.think(&line, &Limit::nodes(50), &mut Quiet);
///     assert_eq!(choice.nodes, nodes);
///     line.play(choice.mv);
/// }
/// ```
pub struct RandomFirst<G: Game> {
    search: Box<dyn Search<G>>,
    random: RandomMove,
    moves: usize,
}

impl<G: Game> RandomFirst<G> {
    /// The first `moves` moves at random by seed, then those of `search`.
    #[must_use]
    pub fn new(search: Box<dyn Search<G>>, moves: usize, seed: u64) -> RandomFirst<G> {
        RandomFirst { search, random: RandomMove::new(seed), moves }
    }
}

impl<G: Game> Search<G> for RandomFirst<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        // Players take turns, so half of the plies were one's own, no matter who began.
        let own = line.plies() / 2;
        if own < self.moves { self.random.think(line, limit, watch) } else { self.search.think(line, limit, watch) }
    }

    crate::forward_to!(search);
}
