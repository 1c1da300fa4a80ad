//! Evaluations of Pathwayz: the paper's, from the longest path alone to 440 features.
//!
//! * [`FeatureSet`] holds the features of the sets of 9, 52, 53 and 440; [`FeatureSet::starting_weights`] the hand-set weights.
//! * [`Staged`] is a linear model over the 440 set that does not spread the 108 values over their four copies.
//! * [`grid`] lists the sparse features of the `dumb` player: 3x3 grids and whole columns.
//!
//! ```
//! use quintet_eval::{Spec, Evaluate, evaluation};
//! use quintet_game::{Game, Notation, Player, pathwayz::Pathwayz};
//! let game = Pathwayz::new(8, 12);
//! let mut pos = game.start();
//! game.play(&mut pos, game.read_move("e5").unwrap());
//! let eval = evaluation(&game, &Spec::parse("longest-path(opponent=-0.4)").unwrap()).unwrap();
//! assert_eq!(eval.value(&game, &pos, Player::First), 1.0);
//! assert_eq!(eval.value(&game, &pos, Player::Second), -0.4);
//! ```

mod bits;
pub mod grid;
mod paths;
mod programmed;
mod sets;
mod sides;

use quintet_game::Player;
use quintet_game::pathwayz::{Pathwayz, Position};

pub use sets::{FeatureSet, SetSize, Staged};

use crate::evaluated::unknown;
use crate::model::not_linear;
use crate::net::{NetChoice, NetError, NetGuide};
use crate::weights::unusable;
use crate::{EvalInfo, Evaluate, Evaluated, Features, Guide, Linear, Model, Spec, SpecError, WeightStore};

/// The evaluations.
pub const EVALUATIONS: &[EvalInfo] = &[
    EvalInfo {
        name: "longest-path",
        about: "columns spanned by one's own widest group, plus opponent= times the opponent's",
    },
    EvalInfo { name: "pathwayz-9", about: "nine raw counts, weighted by hand: paths, safe pieces, pieces" },
    EvalInfo {
        name: "pathwayz-52",
        about: "52 scaled features: paths, next paths, empty neighbours, turns; hand-set weights",
    },
    EvalInfo { name: "pathwayz-53", about: "the 52, and the difference of the longest paths after one more move" },
    EvalInfo { name: "pathwayz-440", about: "108 features and a copy of each for the early, middle and end stage" },
    EvalInfo { name: "pathwayz-grid", about: "learned weights of all 3x3 grids and columns; 0 without weights=" },
];

/// Which version of the paper's features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What the paper says.
    Printed,
    /// What the authors' program does, for which feature values are known; the default. Its ends of a path depend on the order in
    /// which it walks the board, a permanent counts only for the first piece from which it is found, and a path that is blocked
    /// on the left is never tested on the right.
    #[default]
    AsProgrammed,
}

/// The words of [`Mode`] in specs, the default first.
const MODES: [(&str, Mode); 2] = [("as-programmed", Mode::AsProgrammed), ("printed", Mode::Printed)];

impl Evaluated for Pathwayz {
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
        store.tiny(self, "pathwayz", spec)
    }
}

/// Builds the evaluation that `spec` names.
fn evaluation(spec: &Spec, store: &WeightStore) -> Result<Box<dyn Evaluate<Pathwayz>>, SpecError> {
    let mut arguments = spec.arguments();
    match spec.kind.as_str() {
        "longest-path" => {
            let opponent = arguments.number("opponent", 0.0)?;
            arguments.finish()?;
            let model = Linear::new(LongestPath::new(), vec![1.0, opponent]);
            Ok(Box::new(if opponent == -1.0 { model.declared_antisymmetric() } else { model }))
        }
        "pathwayz-grid" => {
            let learned = store.asked(&mut arguments, &spec.kind)?;
            arguments.finish()?;
            let why = |why| unusable(&spec.to_string(), why);
            Ok(Box::new(
                learned.map_or(Ok(grid::Grids::default()), |learned| grid::Grids::read(&learned)).map_err(why)?,
            ))
        }
        _ => {
            let (features, weights) = weighed(spec, store)?;
            Ok(if features.set() == SetSize::FourForty {
                Box::new(Staged::new(features, &weights))
            } else {
                Box::new(Linear::new(features, weights))
            })
        }
    }
}

/// The linear evaluation that `spec` names, with accessible weights.
fn model(spec: &Spec, store: &WeightStore) -> Result<Model<Pathwayz>, SpecError> {
    if ["longest-path", "pathwayz-grid"].contains(&spec.kind.as_str()) {
        return Err(not_linear(spec));
    }
    let (features, weights) = weighed(spec, store)?;
    Ok(Model::new(&spec.kind, features, weights))
}

/// The features of a set with their weights: those that `spec` asks for, or the hand-set ones.
fn weighed(spec: &Spec, store: &WeightStore) -> Result<(FeatureSet, Vec<f64>), SpecError> {
    let set = match spec.kind.as_str() {
        "pathwayz-9" => SetSize::Nine,
        "pathwayz-52" => SetSize::FiftyTwo,
        "pathwayz-53" => SetSize::FiftyThree,
        "pathwayz-440" => SetSize::FourForty,
        _ => return Err(unknown("Pathwayz", spec, EVALUATIONS)),
    };
    let mut arguments = spec.arguments();
    // The nine are the same in both modes.
    let mode = if set == SetSize::Nine { 0 } else { arguments.word("mode", &MODES.map(|(word, _)| word))? };
    let learned = store.asked(&mut arguments, &spec.kind)?;
    arguments.finish()?;
    let features = FeatureSet::new(set, MODES[mode].1);
    let weights = match learned {
        Some(learned) => learned.in_order(features.names()).map_err(|why| unusable(&spec.to_string(), why))?,
        None => features.starting_weights(),
    };
    Ok((features, weights))
}

/// The longest paths of both sides, in columns.
struct LongestPath {
    names: [String; 2],
}

impl LongestPath {
    fn new() -> LongestPath {
        LongestPath { names: ["myLongestPath", "yourLongestPath"].map(String::from) }
    }
}

impl Features<Pathwayz> for LongestPath {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, _game: &Pathwayz, pos: &Position, view: Player, out: &mut [f64]) {
        out.copy_from_slice(&[view, view.other()].map(|player| f64::from(paths::longest(pos.pieces(player)))));
    }
}
