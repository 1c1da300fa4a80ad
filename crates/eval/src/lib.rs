//! Evaluations: how good a position is for a player, and why.
//!
//! * [`Evaluate`] is an evaluation of one game: a number, and the terms that it is the sum of.
//! * [`Features`] are named numbers of a position; [`Linear`] is their weighted sum, as most evaluations are; [`Model`] is one whose weights can be
//!   changed.
//! * [`Sieve`] removes moves that are not worth searching.
//! * [`Evaluated`] says which of these a game has.
//! * [`Guide`] is what a tree search asks for: chances and priors for a [`Batch`] of positions; [`EvalGuide`] derives them from any
//!   evaluation.
//! * [`net`] has nets: guides by small residual ones, and evaluations by tiny ones.
//! * [`encode`] turns positions into planes and moves into numbers, for nets.
//! * [`Weights`] are learned parameters, [`Book`]s are learned openings, and the [`WeightStore`] finds both by name.
//! * [`Spec`] is the written form, `e3(a=2)`; [`evaluation`] builds what it names for any game.
//!
//! ```
//! use quintet_eval::{Spec, Evaluate, evaluation};
//! use quintet_game::{Game, Player, pylos::Pylos};
//! let game = Pylos::default();
//! let eval = evaluation(&game, &Spec::parse("difference").unwrap()).unwrap();
//! assert_eq!(eval.value(&game, &game.start(), Player::First), 0.0);
//! ```

mod book;
pub mod encode;
mod evaluated;
mod explain;
mod guide;
mod linear;
mod model;
pub mod net;
pub mod pathwayz;
pub mod pentago;
pub mod pylos;
pub mod twixt;
mod weights;

pub use book::{Book, BookError, write_book};
pub use evaluated::{EvalInfo, Evaluated, evaluation, evaluation_with, evaluations};
pub use explain::{Explanation, explain};
pub use guide::{Batch, EvalGuide, Guide, Leaf, PlayoutGuide};
pub use linear::{Features, Linear};
pub use model::Model;
pub use quintet_game::{Argument, Arguments, Spec, SpecError, read_time};

pub use weights::{Made, WeightStore, Weights, WeightsError};

use quintet_game::{Game, Player};

/// An evaluation of the positions of one game.
///
/// ```
/// use quintet_eval::{Evaluate, Term};
/// use quintet_game::{Game, Player, pylos::Pylos};
///
/// /// Balls in the reserve.
/// struct Reserve;
///
/// impl Evaluate<Pylos> for Reserve {
///     fn value(&self, _game: &Pylos, pos: &<Pylos as Game>::Pos, view: Player) -> f64 {
///         f64::from(pos.reserve(view))
///     }
///
///     fn terms(&self, game: &Pylos, pos: &<Pylos as Game>::Pos, view: Player) -> Vec<Term> {
///         vec![Term { name: "reserve".into(), value: self.value(game, pos, view), weight: 1.0 }]
///     }
/// }
///
/// let game = Pylos::default();
/// assert_eq!(Reserve.value(&game, &game.start(), Player::First), 15.0);
/// ```
pub trait Evaluate<G: Game>: Send + Sync {
    /// How good `pos` is for `view`, no matter who is to move; larger is better. The result of a finished game is added by the
    /// search.
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64;

    /// The terms of [`Evaluate::value`]: the sum of value times weight over them is the value.
    fn terms(&self, game: &G, pos: &G::Pos, view: Player) -> Vec<Term>;

    /// Is the value for one player always the negative of the other's? Then a search may rely on it.
    fn antisymmetric(&self) -> bool {
        false
    }
}

/// Separates moves that are worth searching from the others, by the position alone.
pub trait Sieve<G: Game>: Send + Sync {
    /// Removes the others from the list of all moves from `pos`. At least one stays, and the order is kept.
    fn keep(&self, game: &G, pos: &G::Pos, moves: &mut Vec<G::Move>);
}

/// One term of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it measures.
    pub name: String,
    /// The measured amount, before the weight.
    pub value: f64,
    /// Its weight.
    pub weight: f64,
}
