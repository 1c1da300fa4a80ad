//! The evaluations of each game.

use quintet_game::{GameSpec, Playable, with_game};

use crate::model::not_linear;
use crate::net::store::{KIND, TINY};
use crate::net::{NetChoice, NetError};
use crate::weights::unusable;
use crate::{Argument, Evaluate, Guide, Model, Sieve, Spec, SpecError, WeightStore, Weights};

/// An evaluation by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What it measures, in a few words.
    pub about: &'static str,
}

/// What this crate knows about a game. A game without evaluations of its own needs an empty `impl`.
pub trait Evaluated: Playable + Sized {
    /// Its evaluations.
    const EVALUATIONS: &'static [EvalInfo] = &[];

    /// Builds the evaluation that `spec` names.
    ///
    /// # Errors
    /// When there is no such evaluation, or the arguments are wrong; the error lists the valid ones.
    fn evaluation(spec: &Spec, _shelf: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        Err(unknown("this game", spec, Self::EVALUATIONS))
    }

    /// The linear evaluation that `spec` names, with its features and weights accessible.
    ///
    /// # Errors
    /// When there is no such evaluation, it is not linear, or the arguments are wrong.
    fn model(spec: &Spec, _shelf: &WeightStore) -> Result<Model<Self>, SpecError> {
        Err(not_linear(spec))
    }

    /// A guide by a net that was made for this game.
    ///
    /// # Errors
    /// When the net is for another game.
    fn net_guide(&self, _net: NetChoice) -> Result<Box<dyn Guide<Self>>, NetError> {
        Err(NetError::NoNets)
    }

    /// The evaluation by a tiny net, which `spec` names.
    ///
    /// # Errors
    /// When there is no such net, or it is for another game or another board.
    fn tiny(&self, spec: &Spec, _shelf: &WeightStore) -> Result<Box<dyn Evaluate<Self>>, SpecError> {
        Err(unusable(&spec.kind, NetError::NoNets.to_string()))
    }

    /// The sieve that `word` names: which moves are worth searching.
    ///
    /// # Errors
    /// When there is no such sieve; the error lists the existing ones.
    fn sieve(_word: &str) -> Result<Box<dyn Sieve<Self>>, SpecError> {
        let why = "exist only for twixt.".into();
        Err(SpecError::Unusable { what: "candidates".into(), why })
    }
}

/// The evaluations of a game.
///
/// ```
/// use quintet_game::GameSpec;
/// let names = quintet_eval::evaluations(&GameSpec::parse("pylos").unwrap());
/// assert!(names.iter().any(|info| info.name == "difference"));
/// ```
#[must_use]
pub fn evaluations(spec: &GameSpec) -> &'static [EvalInfo] {
    fn of<G: Evaluated>(_game: &G) -> &'static [EvalInfo] {
        G::EVALUATIONS
    }
    with_game!(spec, |game| of(&game))
}

/// Builds the evaluation that `spec` names for `game`, with the built-in weights.
///
/// # Errors
/// When the game has no such evaluation, or the arguments are wrong; the error lists the valid ones.
pub fn evaluation<G: Evaluated>(game: &G, spec: &Spec) -> Result<Box<dyn Evaluate<G>>, SpecError> {
    WeightStore::embedded().evaluation(game, spec)
}

/// Builds the evaluation that `spec` names for `game` with weights that are not in a store, such as those being learned.
///
/// ```
/// use quintet_eval::{Spec, Weights, evaluation_with};
/// use quintet_game::pentago::Pentago;
/// let game = Pentago::standard();
/// let some = Weights::linear("pentago-35", [("fill", 1.0)]);
/// let error = evaluation_with(&game, &Spec::parse("pentago-35").unwrap(), some).err().unwrap();
/// assert!(error.to_string().contains("no values \"myFive\""));
/// ```
///
/// # Errors
/// As [`evaluation`]; also when the weights are for another evaluation.
pub fn evaluation_with<G: Evaluated>(
    game: &G,
    spec: &Spec,
    weights: Weights,
) -> Result<Box<dyn Evaluate<G>>, SpecError> {
    const NAME: &str = "learned:now";
    let named = Argument::Spec(Spec { kind: NAME.into(), arguments: Vec::new() });
    WeightStore::holding(NAME, weights).evaluation(game, &spec.clone().with(vec![("weights".into(), named)]))
}

impl WeightStore {
    /// Builds the evaluation that `spec` names for `game`; weights are taken from this store.
    ///
    /// # Errors
    /// When the game has no such evaluation, or the arguments are wrong; the error lists the valid ones.
    pub fn evaluation<G: Evaluated>(&self, game: &G, spec: &Spec) -> Result<Box<dyn Evaluate<G>>, SpecError> {
        match spec.kind.as_str() {
            TINY => game.tiny(spec, self),
            KIND => {
                Err(unusable(KIND, "gives chances and priors to the search puct alone, as in puct(eval=net); other searches take eval=tiny.".into()))
            }
            _ => G::evaluation(spec, self),
        }
    }

    /// The linear evaluation that `spec` names, with its features and weights accessible; weights come from this store,
    /// or are the hand-set ones.
    ///
    /// # Errors
    /// When the game has no such evaluation, it is not linear, or the arguments are wrong.
    pub fn model<G: Evaluated>(&self, _game: &G, spec: &Spec) -> Result<Model<G>, SpecError> {
        G::model(spec, self)
    }
}

/// The error for a kind that is not in a game's list.
pub(crate) fn unknown(game: &str, spec: &Spec, known: &[EvalInfo]) -> SpecError {
    let kind = spec.kind.clone();
    if known.is_empty() {
        return SpecError::Unusable { what: kind, why: format!("is not an evaluation: {game} has none.") };
    }
    let names: Vec<&str> = known.iter().map(|info| info.name).collect();
    SpecError::UnknownKind { kind, what: format!("an evaluation of {game}"), known: names.join(", ") }
}
