//! What happens to the moves of a node before they are searched: some are removed, the rest is ordered.

use quintet_eval::Sieve;
use quintet_game::{Game, Rng, SeedableRng};

use crate::order::shuffle;
use crate::pvs::Seen;

/// The order in which the moves of a node are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the rules list them.
    #[default]
    Natural,
    /// Random, for every node.
    Random,
    /// By the evaluation of the positions after them, the mover's best first.
    Best,
}

/// How a search lists moves; by default as the rules do.
pub(crate) struct Listing<G: Game> {
    order: Order,
    /// Of moves that lead to equal positions, keep only the first.
    pub distinct: bool,
    /// The moves worth searching.
    pub sieve: Option<Box<dyn Sieve<G>>>,
    rng: Rng,
    seen: Seen,
    scored: Vec<(f64, usize)>,
}

impl<G: Game> Default for Listing<G> {
    fn default() -> Listing<G> {
        let (rng, seen) = (Rng::seed_from_u64(0), Seen::default());
        Listing { order: Order::Natural, distinct: false, sieve: None, rng, seen, scored: Vec::new() }
    }
}

impl<G: Game> Listing<G> {
    /// Sets another order; `seed` determines a random one.
    pub fn set_order(&mut self, order: Order, seed: u64) {
        (self.order, self.rng) = (order, Rng::seed_from_u64(seed));
    }

    /// Removes the moves from `pos` that are not worth searching; at least one stays.
    pub fn thin(&mut self, game: &G, pos: &G::Pos, moves: &mut Vec<G::Move>) {
        if let Some(sieve) = &self.sieve {
            sieve.keep(game, pos, moves);
        }
        if self.distinct {
            distinct(&mut self.seen, game, pos, moves);
        }
    }

    /// Orders the moves. `cost` says how bad the position after a move is for its mover, or `None` once a limit is reached: then the order stays.
    pub fn sort(&mut self, moves: &mut [G::Move], mut cost: impl FnMut(G::Move) -> Option<f64>) {
        match self.order {
            Order::Natural => {}
            Order::Random => shuffle(moves, &mut self.rng),
            Order::Best => {
                self.scored.clear();
                for (at, mv) in moves.iter().enumerate() {
                    let Some(cost) = cost(*mv) else { return };
                    self.scored.push((cost, at));
                }
                self.scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let before = moves.to_vec();
                for (mv, (_, at)) in moves.iter_mut().zip(&self.scored) {
                    *mv = before[*at];
                }
            }
        }
    }
}

/// Of the moves that lead to equal positions, keeps only the first.
pub(crate) fn distinct<G: Game>(seen: &mut Seen, game: &G, pos: &G::Pos, moves: &mut Vec<G::Move>) {
    let after = |mv: G::Move| {
        let mut next = pos.clone();
        game.play(&mut next, mv);
        next
    };
    seen.clear(moves.len());
    let mut kept = 0;
    for at in 0..moves.len() {
        let next = after(moves[at]);
        if seen.insert(game.key(&next), kept, |other| after(moves[other]) == next) {
            moves[kept] = moves[at];
            kept += 1;
        }
    }
    moves.truncate(kept);
}
