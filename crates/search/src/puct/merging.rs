//! Of the moves that lead to equal positions, a tree needs one.

use quintet_game::Game;

use crate::pvs::Seen;

/// A buffer for [`Merging::merge`].
#[derive(Debug, Default)]
pub(super) struct Merging {
    seen: Seen,
}

impl Merging {
    /// Of the moves from `begin` on that lead from `pos` to equal positions, keeps the first, with the sum of their priors.
    pub fn merge<G: Game>(&mut self, game: &G, pos: &G::Pos, moves: &mut Vec<(f32, G::Move)>, begin: usize) {
        let after = |mv: G::Move| {
            let mut next = pos.clone();
            game.play(&mut next, mv);
            next
        };
        self.seen.clear(moves.len() - begin);
        let mut kept = begin;
        for at in begin..moves.len() {
            let (prior, mv) = moves[at];
            let next = after(mv);
            let mut first = kept;
            let is_first = self.seen.insert(game.key(&next), kept, |other| {
                first = other;
                after(moves[other].1) == next
            });
            if is_first {
                moves[kept] = (prior, mv);
                kept += 1;
            } else {
                moves[first].0 += prior;
            }
        }
        moves.truncate(kept);
    }
}
