//! What finished games are worth in a search.

use quintet_eval::Evaluate;
use quintet_game::{Game, Line, Outcome, Player};

/// The worth of endings, as a search adds it to an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// A win; a loss is its negative, a draw 0. Finite, so that a lost side still plays its best move.
    pub utility: f64,
    /// Taken off a win (added to a loss) for every ply that it is away: quick wins and slow losses are better.
    pub per_ply: f64,
    /// Add the evaluation of the finished position too.
    pub with_value: bool,
}

impl Default for Ends {
    /// A million, less a point a ply, and nothing else.
    fn default() -> Ends {
        Ends { utility: 1e6, per_ply: 1.0, with_value: false }
    }
}

impl Ends {
    /// Wins and losses are worth this much on top of the evaluation, however far away: as the papers' programs have it.
    #[must_use]
    pub const fn on_top(utility: f64) -> Ends {
        Ends { utility, per_ply: 0.0, with_value: true }
    }

    /// The value for `view` of a position `ply` plies ahead, in which the game goes on or has come to an `end`.
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

    /// Is a value that of a win or a loss?
    #[must_use]
    pub fn is_known(&self, value: f64) -> bool {
        self.utility > 0.0 && value.abs() > self.utility / 2.0
    }
}

/// How the game stands in `pos`, reached from the end of `line` over the positions of `path`: one that stands on the path already, or twice before in
/// the line, is a draw.
#[inline]
pub(crate) fn end<G: Game>(line: &Line<G>, path: &[G::Pos], pos: &G::Pos) -> Option<Outcome> {
    let again = || G::REPEATS && (path.contains(pos) || line.position() == pos || line.occurrences(pos) >= 2);
    line.game().outcome(pos).or_else(|| again().then_some(Outcome::Draw))
}
