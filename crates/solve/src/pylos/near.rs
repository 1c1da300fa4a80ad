//! Wins that are a few plies away, which a strategy leaves out.

use std::collections::HashMap;
use std::sync::Arc;

use quintet_game::pylos::{Move, Position, Pylos};
use quintet_game::{Game as _, GameSpec, Outcome, Player};

use super::strategy::entry;
use super::{Index, Strategy};
use crate::Halt;

/// Finds wins that are a few plies away. Its results are stored by entry, which identifies a position completely.
pub struct Near {
    game: Pylos,
    index: Arc<Index>,
    /// Won within this many plies, and not won within this many.
    known: HashMap<u32, (u8, u8)>,
    /// The most results that are stored.
    most: usize,
    left: u64,
}

/// Positions between two looks at the stop signal: some take a quarter of a millisecond.
const BETWEEN_LOOKS: u64 = 64;

/// The most results that are stored by default.
const MOST: usize = 4_000_000;

/// Bytes that a stored result takes at most: a map is between 7/16 and 7/8 full, and exists twice while it grows.
const RESULT: usize = 32;

impl Near {
    /// For one set of rules.
    #[must_use]
    pub fn new(game: &GameSpec) -> Near {
        Near { game: Pylos::of(game), index: Arc::new(Index::new()), known: HashMap::new(), most: MOST, left: 0 }
    }

    /// For the rules of a strategy, whose index it shares.
    #[must_use]
    pub fn beside(strategy: &Strategy) -> Near {
        let (game, index) = (strategy.game.clone(), Arc::clone(&strategy.index));
        Near { game, index, known: HashMap::new(), most: MOST, left: 0 }
    }

    /// Sets the memory cap of the results.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Near {
        self.most = MOST.min(bytes / RESULT);
        self
    }

    /// Bytes that the results take at most.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.known.capacity() * RESULT
    }

    /// The shortest win of at most `plies` plies, with its distance. `None` if there is none, or if it would take more than
    /// `nodes` positions, or is halted before.
    pub fn win(&mut self, position: &Position, plies: u8, nodes: u64, halt: Halt) -> Option<(Move, u8)> {
        self.left = nodes;
        if self.known.len() >= self.most {
            self.known.clear();
        }
        let me = self.game.to_move(position);
        // The winner makes the last move, unless the loser may end the game by spending its last ball.
        let step = if self.game.ends_when_spent() { 1 } else { 2 };
        let may = (1..=plies).step_by(step).filter(|&within| can_end(position, me, within));
        may.into_iter().find_map(|within| Some((self.find(position, within, halt)?, within)))
    }

    /// A move after which the other side loses within the remaining plies.
    fn find(&mut self, position: &Position, within: u8, halt: Halt) -> Option<Move> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let me = self.game.to_move(position);
        let mut after: Vec<(usize, Move, Position)> = moves
            .into_iter()
            .map(|mv| {
                let mut child = *position;
                self.game.play(&mut child, mv);
                (0, mv, child)
            })
            .collect();
        if let Some(&(_, mv, _)) = after.iter().find(|(_, _, child)| self.game.outcome(child) == Some(Outcome::Win(me)))
        {
            return Some(mv);
        }
        if within < 2 {
            return None;
        }
        after.retain(|(_, _, child)| self.game.outcome(child).is_none());
        let mut replies = Vec::new();
        for (count, _, child) in &mut after {
            replies.clear();
            self.game.moves(child, &mut replies);
            *count = replies.len();
        }
        after.sort_by_key(|&(count, ..)| count);
        after.into_iter().find(|(_, _, child)| self.lost(child, within - 1, me, halt)).map(|(_, mv, _)| mv)
    }

    /// Does the side to move lose within this many plies, whatever it does?
    fn lost(&mut self, position: &Position, within: u8, winner: Player, halt: Halt) -> bool {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves.into_iter().all(|mv| {
            let mut after = *position;
            self.game.play(&mut after, mv);
            match self.game.outcome(&after) {
                Some(outcome) => outcome == Outcome::Win(winner),
                None => self.won(&after, within - 1, halt),
            }
        })
    }

    fn won(&mut self, position: &Position, within: u8, halt: Halt) -> bool {
        let entry = entry(&self.game, &self.index, position);
        let (yes, no) = self.known.get(&entry).copied().unwrap_or((u8::MAX, 0));
        if within >= yes || within <= no {
            return within >= yes;
        }
        if self.left == 0 || !can_end(position, self.game.to_move(position), within) {
            return false;
        }
        self.left -= 1;
        if self.left.is_multiple_of(BETWEEN_LOOKS) && halt() {
            self.left = 0;
            return false;
        }
        let won = self.find(position, within, halt).is_some();
        let fits = self.known.len() < self.most || self.known.contains_key(&entry);
        if fits && (won || self.left > 0) {
            let known = self.known.entry(entry).or_insert((u8::MAX, 0));
            if won { known.0 = known.0.min(within) } else { known.1 = known.1.max(within) }
        }
        won
    }
}

/// Can the player win within this many plies at all? Each ply adds at most one ball to the board; the game ends with the
/// thirtieth, or the other player's last.
fn can_end(position: &Position, player: Player, within: u8) -> bool {
    let reserves = Player::BOTH.map(|player| position.reserve(player));
    reserves.iter().sum::<u32>() <= within.into() || position.reserve(player.other()) <= u32::from(within) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pylos::strategy::children;

    /// Wins computed from the rules directly, for every number of plies.
    fn wins_within(game: &Pylos, position: &Position, plies: u8, me: Player) -> bool {
        if let Some(outcome) = game.outcome(position) {
            return outcome == Outcome::Win(me);
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut after = moves.into_iter().map(|mv| {
            let mut after = *position;
            game.play(&mut after, mv);
            after
        });
        plies > 0
            && if game.to_move(position) == me {
                after.any(|after| wins_within(game, &after, plies - 1, me))
            } else {
                after.all(|after| wins_within(game, &after, plies - 1, me))
            }
    }

    #[test]
    fn wins_that_are_near_are_found_at_their_distance() {
        use rand_core::SeedableRng as _;
        for spec in ["pylos(rules=children)", "pylos", "pylos(rules=children,end=spent)", "pylos(end=spent)"] {
            let spec = GameSpec::parse(spec).unwrap();
            let game = Pylos::of(&spec);
            let mut near = Near::new(&spec);
            let (mut found, mut none) = (0, 0);
            for seed in 0..400 {
                let mut rng = quintet_game::Rng::seed_from_u64(seed);
                let mut position = game.start();
                for _ in 0..22 + seed % 40 {
                    if game.outcome(&position).is_none() {
                        let mv = game.random_move(&position, &mut rng);
                        game.play(&mut position, mv);
                    }
                }
                if game.outcome(&position).is_some() || children(&game, &position).count() > 12 {
                    continue;
                }
                let me = game.to_move(&position);
                let right = (1..=5).find(|&plies| wins_within(&game, &position, plies, me));
                assert_eq!(
                    near.win(&position, 5, u64::MAX, &|| false).map(|(_, plies)| plies),
                    right,
                    "{spec}: {position:?}"
                );
                if right.is_some() { found += 1 } else { none += 1 }
            }
            assert!(found > 10 && none > 10, "{spec}: {found} and {none}");
        }
    }
}
