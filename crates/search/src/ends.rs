//! What finished games are worth in a search.

use quintet_eval::Evaluate;
use quintet_game::{Game, Outcome, Player};

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
    /// The value for `view` of a game that ended `ply` plies ahead in `outcome`.
    pub fn value<G: Game>(
        &self,
        eval: &dyn Evaluate<G>,
        game: &G,
        pos: &G::Pos,
        view: Player,
        outcome: Outcome,
        ply: u32,
    ) -> f64 {
        let win = self.utility - self.per_ply * f64::from(ply);
        let end = match outcome {
            Outcome::Draw => 0.0,
            Outcome::Win(player) if player == view => win,
            Outcome::Win(_) => -win,
        };
        end + if self.with_value { eval.value(game, pos, view) } else { 0.0 }
    }
}
