//! Which games have a solver for small boards.

use quintet_game::pathwayz::Pathwayz;
use quintet_game::pentago::Pentago;
use quintet_game::pylos::Pylos;
use quintet_game::twixt::{self as rules, Twixt};
use quintet_game::{Limit, Playable};

use crate::{Halt, Solution, pathwayz, twixt};

/// What this crate knows about a game. A game without a solver for its small boards needs an empty `impl`.
///
/// ```
/// use quintet_game::{Game as _, Limit, Value, pathwayz::Pathwayz};
/// use quintet_solve::Solvable as _;
/// let game = Pathwayz::new(2, 2);
/// let solution = game.solve_small(&game.start(), 1 << 20, &Limit::default(), &|| false).unwrap();
/// assert_eq!((solution.value, solution.moves.len()), (Some(Value::win_in(3)), 8));
/// ```
pub trait Solvable: Playable + Sized {
    /// Solves a position as far as the limit allows, with this many bytes of memory. `None` if there is no solver for the game,
    /// or the board is too large. The game must not be over.
    fn solve_small(
        &self,
        _pos: &Self::Pos,
        _bytes: usize,
        _limit: &Limit,
        _halt: Halt,
    ) -> Option<Solution<Self::Move>> {
        None
    }
}

impl Solvable for Pylos {}

impl Solvable for Pentago {}

impl Solvable for Pathwayz {
    fn solve_small(&self, pos: &Self::Pos, bytes: usize, limit: &Limit, halt: Halt) -> Option<Solution<Self::Move>> {
        Some(pathwayz::Solver::new(self, bytes)?.solve(self, pos, limit, halt))
    }
}

impl<const W: usize, const B: usize> Solvable for Twixt<W, B> {
    /// The first peg, and whether to swap, by the shipped map if there is one.
    fn solve_small(
        &self,
        pos: &rules::Position<W, B>,
        bytes: usize,
        limit: &Limit,
        halt: Halt,
    ) -> Option<Solution<rules::Move>> {
        if self.size() > twixt::LARGEST {
            return None;
        }
        Some(twixt::by_map(self, pos).unwrap_or_else(|| twixt::Solver::new(self, bytes).solve(self, pos, limit, halt)))
    }
}
