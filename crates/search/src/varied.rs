//! Players that vary their openings.

use quintet_game::bits::mix;
use quintet_game::{Game, Limit, Line, Rng, SeedableRng};

use crate::slips::unit;
use crate::{Choice, LastRoots, RootMove, Search, Watch};

/// Draws the moves at the start of a game from the visits of a tree search, so that games differ: each with the probability that its visits to the power of
/// 1 / temperature have among all. At 1 it follows the visits, near 0 it takes the most visited. Moves that are proven are played as the search says, and so are
/// those of searches that count no visits.
///
/// ```
/// use std::collections::HashSet;
/// use std::sync::Arc;
/// use quintet_game::{Limit, Line, pylos::Pylos};
/// use quintet_search::{Mcts, Quiet, Search, Varied};
/// let line = Line::new(Arc::new(Pylos::default()));
/// let first = |seed, plies| Varied::new(Box::new(Mcts::new(1)), 1.0, plies, seed).think(&line, &Limit::nodes(300), &mut Quiet).mv;
/// assert!((0..20).map(|seed| first(seed, 1)).collect::<HashSet<_>>().len() > 5);
/// assert_eq!((0..20).map(|seed| first(seed, 0)).collect::<HashSet<_>>().len(), 1); // no ply is varied
/// ```
pub struct Varied<G: Game> {
    search: Box<dyn Search<G>>,
    temperature: f64,
    plies: usize,
    rng: Rng,
}

/// Separates the random numbers of the opening from those of the search, which has the same seed.
const APART: u64 = 0x06_9e4;

impl<G: Game> Varied<G> {
    /// `search`, varied at a temperature above 0 in the first plies of a game, by seed.
    #[must_use]
    pub fn new(search: Box<dyn Search<G>>, temperature: f64, plies: usize, seed: u64) -> Varied<G> {
        Varied { search, temperature, plies, rng: Rng::seed_from_u64(mix(seed ^ APART)) }
    }

    /// One of the visited moves, but none that is worth less than half of the chosen one.
    fn drawn(&mut self, roots: &[RootMove<G::Move>], chosen: f64) -> Option<RootMove<G::Move>> {
        let visits = |root: &RootMove<G::Move>| if root.value < chosen / 2.0 { 0 } else { root.visits.unwrap_or(0) };
        let most = roots.iter().map(visits).max().filter(|most| *most > 0)?;
        let weight = |root: &RootMove<G::Move>| (visits(root) as f64 / most as f64).powf(1.0 / self.temperature);
        let all = roots.iter().map(weight).sum::<f64>();
        let mut left = unit(&mut self.rng) * all;
        let drawn = roots.iter().find(|root| {
            left -= weight(root);
            left < 0.0
        });
        drawn.copied()
    }
}

impl<G: Game> Search<G> for Varied<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        if line.plies() >= self.plies {
            return self.search.think(line, limit, watch);
        }
        let mut last = LastRoots::new(watch);
        let choice = self.search.think(line, limit, &mut last);
        let roots = last.roots;
        if choice.known.is_some() {
            return choice;
        }
        match self.drawn(&roots, choice.value).filter(|drawn| drawn.mv != choice.mv) {
            Some(drawn) => Choice { mv: drawn.mv, value: drawn.value, line: vec![drawn.mv], ..choice },
            None => choice,
        }
    }

    crate::forward_to!(search);
}
