//! The value of finished games in a search.

use quintet_eval::Evaluate;
use quintet_game::{Game, Line, Outcome, Player};

/// The value of a finished game, which a search adds to an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// A win; a loss is its negative, a draw 0. Finite, so that a lost side still plays its best move.
    pub utility: f64,
    /// Subtracted from a win (added to a loss) per ply until it: quick wins and slow losses are better.
    pub per_ply: f64,
    /// Also add the evaluation of the finished position.
    pub with_value: bool,
}

impl Default for Ends {
    /// A million, minus one point per ply, and nothing else.
    fn default() -> Ends {
        Ends { utility: 1e6, per_ply: 1.0, with_value: false }
    }
}

impl Ends {
    /// Wins and losses add this much to the evaluation, at any distance, as in the papers' programs.
    #[must_use]
    pub const fn on_top(utility: f64) -> Ends {
        Ends { utility, per_ply: 0.0, with_value: true }
    }

    /// The value for `view` of a position `ply` plies ahead, whose game goes on or has the result `end`.
    pub fn value<G: Game>(
        &self,
        eval: &dyn Evaluate<G>,
        game: &G,
        pos: &G::Pos,
        view: Player,
        end: Option<Outcome>,
        ply: u32,
    ) -> f64 {
        let win = self.utility - self.per_ply * f64::from(ply);
        let worth = match end {
            None => return eval.value(game, pos, view),
            Some(Outcome::Draw) => 0.0,
            Some(Outcome::Win(player)) if player == view => win,
            Some(Outcome::Win(_)) => -win,
        };
        worth + if self.with_value { eval.value(game, pos, view) } else { 0.0 }
    }

    /// Is this the value of a win or a loss?
    #[must_use]
    pub fn is_known(&self, value: f64) -> bool {
        self.utility > 0.0 && value.abs() > self.utility / 2.0
    }
}

/// The outcome of `pos`, reached from the end of `line` via the positions of `path`: a position that is already on the path, or
/// has occurred twice in the line, is a draw.
#[inline]
pub(crate) fn end<G: Game>(line: &Line<G>, path: &[G::Pos], pos: &G::Pos) -> Option<Outcome> {
    let again = || G::REPEATS && (path.contains(pos) || line.position() == pos || line.occurrences(pos) >= 2);
    line.game().outcome(pos).or_else(|| again().then_some(Outcome::Draw))
}
