//! Candidate holes: those that a person would consider.
//!
//! * `chains`: the holes on a cheapest chain of either side, where a peg brings its owner nearer or blocks the other.
//! * `near`: these, and the holes a link or a setup away from a peg of either side. A setup is a pair of pegs that one more can
//!   connect in two ways: offsets 1-1, 2-0, 3-1, 3-3 and 4-0.
//!
//! The swap is kept. When no candidate is left that the side to move may use, all moves are kept.

use quintet_game::Player;
use quintet_game::twixt::{Move, Position, Twixt};

use super::cheapest;
use crate::{Sieve, SpecError};

/// Offsets of a link and of the setups, without signs and in either order.
const REACH: [(usize, usize); 6] = [(2, 1), (1, 1), (2, 0), (3, 1), (3, 3), (4, 0)];

/// Builds the sieve that `word` names.
pub(super) fn sieve<const W: usize, const B: usize>(word: &str) -> Result<Box<dyn Sieve<Twixt<W, B>>>, SpecError> {
    match word {
        "chains" => Ok(Box::new(Candidates { near: false })),
        "near" => Ok(Box::new(Candidates { near: true })),
        _ => Err(SpecError::BadValue {
            key: "candidates".into(),
            value: word.into(),
            wanted: "one of all, chains, near".into(),
        }),
    }
}

struct Candidates {
    near: bool,
}

impl<const W: usize, const B: usize> Sieve<Twixt<W, B>> for Candidates {
    fn keep(&self, game: &Twixt<W, B>, pos: &Position<W, B>, moves: &mut Vec<Move>) {
        let chains = Player::BOTH.map(|player| cheapest(game, pos, player));
        let worth_it = |mv: &Move| {
            let Some((x, y)) = mv.hole() else { return true };
            chains.iter().any(|holes| holes.contains(x, y)) || self.near && near_a_peg(game, pos, x, y)
        };
        if moves.iter().any(|mv| mv.hole().is_some() && worth_it(mv)) {
            moves.retain(worth_it);
        }
    }
}

/// Is there a peg a link or a setup away?
fn near_a_peg<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>, x: usize, y: usize) -> bool {
    let size = game.size();
    let peg = |dx: isize, dy: isize| {
        let (x, y) = (x.checked_add_signed(dx), y.checked_add_signed(dy));
        x.zip(y).is_some_and(|(x, y)| x < size && y < size && pos.peg(x, y).is_some())
    };
    REACH.iter().any(|&(long, short)| {
        let (long, short) = (long as isize, short as isize);
        [-1, 1].into_iter().any(|a| [-1, 1].into_iter().any(|b| peg(a * long, b * short) || peg(a * short, b * long)))
    })
}
