//! Evaluations of Pentago and Pentago-Twist. The two games share the board, so each evaluation serves both.
//!
//! * `e0`, `e1`, `e2` and `e3` are those of the Pentago-Twist paper, weakest first; `twist.rs` has `e3` and its parts as a linear model,
//!   `e3-10`.
//! * `pentago-35` is the feature model of the Pentago paper: [`Features35`] with [`weights35`].
//! * `pentago-mdp` is its other model: learned values of [`Buckets`].
//!
//! `e0` knows only the result: 1 for a win, -1 for a loss, 0 for a draw (two fives at once, a full board) or an unfinished game.
//!
//! `e1` and `e2` count the longest run: marbles of one colour side by side on one line. The paper does not say on which lines;
//! here it is all that can hold a five: six rows, six columns and the six diagonals of five or six cells **(ours)**. On shorter
//! diagonals a run never wins.
//!
//! ```
//! use quintet_eval::{Spec, evaluation};
//! use quintet_game::{Notation, Player, pentago::Pentago};
//! let game = Pentago::twist();
//! let pos = game.read_position("xxx.../oo..../....../....../....../...... o").unwrap();
//! let value = |spec: &str, view| evaluation(&game, &Spec::parse(spec).unwrap()).unwrap().value(&game, &pos, view);
//! assert_eq!(value("e1", Player::Second), 2.0);
//! assert_eq!(value("e2", Player::Second), -1.0);
//! // For x 3! + 1! + (1! + 0!) / 2, for o 2! + 1! + (1! + 0!) / 2.
//! assert_eq!(value("e3", Player::First), 4.0);
//! ```

mod board;
mod buckets;
mod features;
mod twist;

use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game, Outcome, Player};

use crate::evaluated::unknown;
use crate::model::not_linear;
use crate::net::{NetChoice, NetError, NetGuide};
use crate::weights::unusable;
use crate::{
    Arguments, EvalInfo, Evaluate, Evaluated, Features, Guide, Linear, Model, Spec, SpecError, Term, WeightStore,
};
use board::Board;
use buckets::BucketValues;
use twist::Parts;

pub use buckets::{Buckets, END_BUCKETS, Hash};
pub use features::{Features35, weights35};

/// The evaluations.
///
/// ```
/// let names: Vec<_> = quintet_eval::pentago::EVALUATIONS.iter().map(|info| info.name).collect();
/// assert_eq!(names, ["e0", "e1", "e2", "e3", "e3-10", "pentago-35", "pentago-mdp"]);
/// ```
pub const EVALUATIONS: &[EvalInfo] = &[
    EvalInfo { name: "e0", about: "1 for a win, -1 for a loss, else 0" },
    EvalInfo { name: "e1", about: "one's own longest run" },
    EvalInfo { name: "e2", about: "one's own longest run minus the opponent's" },
    EvalInfo {
        name: "e3",
        about: "the Pentago-Twist paper's: factorials of the longest runs, and patterns; a, b, mode, power, diag, patterns, runs",
    },
    EvalInfo {
        name: Parts::KIND,
        about: "the printed e3 as a linear model of its parts; the hand-set weights are the paper's",
    },
    EvalInfo { name: "pentago-35", about: "35 weighted features: runs, open lines, spins to five, cells, quadrants" },
    EvalInfo { name: "pentago-mdp", about: "the learned value of the bucket that a board is hashed into" },
];

impl Evaluated for Pentago {
    const EVALUATIONS: &'static [EvalInfo] = EVALUATIONS;

    fn evaluation(spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        evaluation(spec, store)
    }

    fn model(spec: &Spec, store: &WeightStore) -> Result<Model<Self>, SpecError> {
        model(spec, store)
    }

    fn net_guide(&self, net: NetChoice) -> Result<Box<dyn Guide<Self>>, NetError> {
        Ok(Box::new(NetGuide::chosen(net, self)?))
    }

    fn tiny(&self, spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        store.tiny(self, if self.mirrors() { "pentago-twist" } else { "pentago" }, spec)
    }
}

/// Builds the evaluation that `spec` names.
fn evaluation(spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Pentago>>, SpecError> {
    let mut arguments = spec.arguments();
    let built: Box<dyn Evaluate<Pentago>> = match spec.kind.as_str() {
        "e0" => Box::new(Halves { halves: Won, weights: [1.0, -1.0] }),
        "e1" => Box::new(Halves { halves: Longest, weights: [1.0, 0.0] }),
        "e2" => Box::new(Halves { halves: Longest, weights: [1.0, -1.0] }),
        "e3" => Box::new(twist::from_arguments(&mut arguments)?),
        Parts::KIND => Box::new(Linear::new(Parts::new(), weighed(spec, &mut arguments, store)?)),
        "pentago-35" => Box::new(Linear::new(Features35::new(), weighed(spec, &mut arguments, store)?)),
        "pentago-mdp" => {
            let learned = match store.asked(&mut arguments, &spec.kind)? {
                Some(learned) => learned,
                None => store.weights("pentago:mdp")?,
            };
            Box::new(BucketValues::from_weights(&learned).map_err(|why| unusable(&spec.to_string(), why))?)
        }
        _ => return Err(unknown("Pentago", spec, EVALUATIONS)),
    };
    arguments.finish()?;
    Ok(built)
}

/// The linear evaluation that `spec` names, with accessible weights.
fn model(spec: &Spec, store: &WeightStore) -> Result<Model<Pentago>, SpecError> {
    let mut arguments = spec.arguments();
    let kind = spec.kind.as_str();
    let model = match kind {
        Parts::KIND => Model::new(kind, Parts::new(), weighed(spec, &mut arguments, store)?),
        "pentago-35" => Model::new(kind, Features35::new(), weighed(spec, &mut arguments, store)?),
        _ => return Err(not_linear(spec)),
    };
    arguments.finish()?;
    Ok(model)
}

/// The weights of a linear model: those that `spec` asks for, or the hand-set ones.
fn weighed(spec: &Spec, arguments: &mut Arguments, store: &WeightStore) -> Result<Vec<f64>, SpecError> {
    let (names, hand_set) = match spec.kind.as_str() {
        Parts::KIND => (Parts::new().names().to_vec(), Parts::hand_set()),
        _ => (Features35::new().names().to_vec(), weights35().to_vec()),
    };
    let Some(learned) = store.asked(arguments, &spec.kind)? else { return Ok(hand_set) };
    learned.in_order(&names).map_err(|why| unusable(&spec.to_string(), why))
}

/// A quantity of each side.
trait Half: Send + Sync {
    /// The names of the two terms: mine, yours.
    const NAMES: [&'static str; 2];

    /// The quantity of the first player and of the second, independent of the view.
    fn of_both(&self, game: &Pentago, pos: &Position) -> [f64; 2];
}

/// The weighted sum of mine and yours, as all but `pentago-35` are. [`Linear`] would do, but clearing its buffer takes longer
/// than all of this.
struct Halves<H> {
    halves: H,
    /// The weights of mine and of yours.
    weights: [f64; 2],
}

impl<H: Half> Halves<H> {
    #[inline]
    fn seen_by(&self, game: &Pentago, pos: &Position, view: Player) -> [f64; 2] {
        let both = self.halves.of_both(game, pos);
        [both[view.index()], both[view.other().index()]]
    }
}

impl<H: Half> Evaluate<Pentago> for Halves<H> {
    fn value(&self, game: &Pentago, pos: &Position, view: Player) -> f64 {
        let [mine, yours] = self.seen_by(game, pos, view);
        mine * self.weights[0] + yours * self.weights[1]
    }

    fn terms(&self, game: &Pentago, pos: &Position, view: Player) -> Vec<Term> {
        let values = self.seen_by(game, pos, view).into_iter().zip(self.weights);
        let named = H::NAMES.into_iter().zip(values);
        named.map(|(name, (value, weight))| Term { name: name.into(), value, weight }).collect()
    }

    /// The halves do not depend on the view, so the two values cancel exactly when the weights do.
    fn antisymmetric(&self) -> bool {
        self.weights[0] == -self.weights[1]
    }
}

/// Who has won: `e0`.
struct Won;

impl Half for Won {
    const NAMES: [&'static str; 2] = ["myWin", "yourWin"];

    fn of_both(&self, game: &Pentago, pos: &Position) -> [f64; 2] {
        let outcome = game.outcome(pos);
        Player::BOTH.map(|player| if outcome == Some(Outcome::Win(player)) { 1.0 } else { 0.0 })
    }
}

/// The longest run: `e1`, `e2`.
struct Longest;

impl Half for Longest {
    const NAMES: [&'static str; 2] = ["myLongest", "yourLongest"];

    fn of_both(&self, _game: &Pentago, pos: &Position) -> [f64; 2] {
        Player::BOTH.map(|player| Board::new(pos.side(player)).longest() as f64)
    }
}
