//! Evaluations: how good a position is for a player, and why.
//!
//! * [`Evaluate`] is an evaluation of one game: a number, and the terms that it is the sum of.
//! * [`Features`] are named numbers of a position; [`Linear`] weighs them. Most evaluations are that; [`Model`] is one whose weights can be changed.
//! * [`Sieve`] leaves out moves that are not worth a look.
//! * [`Evaluated`] is what a game has of all these.
//! * [`Guide`] is what a tree search asks: chances and priors for a [`Batch`] of positions; [`EvalGuide`] makes them of any evaluation.
//! * [`Weights`] are learned parameters, [`Book`]s are learned openings, and the [`WeightStore`] is where they are found by name.
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
mod evaluated;
mod explain;
mod guide;
mod linear;
mod model;
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
    /// How good `pos` is for `view`, whoever is to move; larger is better. The ending of a finished game is the search's to add.
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64;

    /// The terms of [`Evaluate::value`]: the sum of value times weight over them is the value.
    fn terms(&self, game: &G, pos: &G::Pos, view: Player) -> Vec<Term>;

    /// Is the value for one player always the negative of that for the other? Then a search may use it as such.
    fn antisymmetric(&self) -> bool {
        false
    }
}

/// Tells moves that are worth a look from those that are not, by the position alone.
pub trait Sieve<G: Game>: Send + Sync {
    /// Takes the others out of the list of all moves from `pos`. One at least stays, and those that stay keep their order.
    fn keep(&self, game: &G, pos: &G::Pos, moves: &mut Vec<G::Move>);
}

/// One term of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is measured.
    pub name: String,
    /// How much of it there is, not multiplied by the weight.
    pub value: f64,
    /// What it counts.
    pub weight: f64,
}
