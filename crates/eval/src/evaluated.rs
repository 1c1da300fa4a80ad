//! Which evaluations each game has.

use quintet_game::{GameSpec, Playable, with_game};

use crate::model::not_linear;
use crate::{Call, CallError, Evaluate, Model, Shelf, Sieve, Value, Weights};

/// An evaluation by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalInfo {
    /// The name in calls.
    pub name: &'static str,
    /// What it measures, in a few words.
    pub about: &'static str,
}

/// What this crate knows of a game. A game without evaluations of its own needs an empty `impl`.
pub trait Evaluated: Playable + Sized {
    /// Its evaluations.
    const EVALUATIONS: &'static [EvalInfo] = &[];

    /// Builds the evaluation that `call` names.
    ///
    /// # Errors
    /// When there is no such evaluation, or the arguments are wrong; the error lists what there is.
    fn evaluation(call: &Call, _shelf: &Shelf) -> Result<Box<dyn Evaluate<Self>>, CallError> {
        Err(unknown("this game", call, Self::EVALUATIONS))
    }

    /// The linear evaluation that `call` names, taken apart.
    ///
    /// # Errors
    /// When there is no such evaluation, it is not linear, or the arguments are wrong.
    fn model(call: &Call, _shelf: &Shelf) -> Result<Model<Self>, CallError> {
        Err(not_linear(call))
    }

    /// The moves that `word` calls worth a look.
    ///
    /// # Errors
    /// When there is no such sieve; the error lists what there is.
    fn sieve(_word: &str) -> Result<Box<dyn Sieve<Self>>, CallError> {
        let why = "are for twixt: this game has no rule for them.".into();
        Err(CallError::Unusable { what: "candidates".into(), why })
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

/// Builds the evaluation that `call` names for `game`, with the weights that come with the program.
///
/// # Errors
/// When the game has no such evaluation, or the arguments are wrong; the error lists what there is.
pub fn evaluation<G: Evaluated>(game: &G, call: &Call) -> Result<Box<dyn Evaluate<G>>, CallError> {
    Shelf::embedded().evaluation(game, call)
}

/// Builds the evaluation that `call` names for `game` with weights that no shelf has: those that are just being learned.
///
/// ```
/// use quintet_eval::{Call, Weights, evaluation_with};
/// use quintet_game::pentago::Pentago;
/// let game = Pentago::standard();
/// let some = Weights::linear("pentago-35", [("fill", 1.0)]);
/// let error = evaluation_with(&game, &Call::parse("pentago-35").unwrap(), some).err().unwrap();
/// assert!(error.to_string().contains("no values \"myFive\""));
/// ```
///
/// # Errors
/// As [`evaluation`]; and when the weights are not for it.
pub fn evaluation_with<G: Evaluated>(
    game: &G,
    call: &Call,
    weights: Weights,
) -> Result<Box<dyn Evaluate<G>>, CallError> {
    const NAME: &str = "learned:now";
    let named = Value::Call(Call { kind: NAME.into(), arguments: Vec::new() });
    Shelf::holding(NAME, weights).evaluation(game, &call.clone().with(vec![("weights".into(), named)]))
}

impl Shelf {
    /// Builds the evaluation that `call` names for `game`; weights are taken from this shelf.
    ///
    /// # Errors
    /// When the game has no such evaluation, or the arguments are wrong; the error lists what there is.
    pub fn evaluation<G: Evaluated>(&self, _game: &G, call: &Call) -> Result<Box<dyn Evaluate<G>>, CallError> {
        G::evaluation(call, self)
    }

    /// The linear evaluation that `call` names, taken apart; weights are taken from this shelf, or are the hand-set ones.
    ///
    /// # Errors
    /// When the game has no such evaluation, it is not linear, or the arguments are wrong.
    pub fn model<G: Evaluated>(&self, _game: &G, call: &Call) -> Result<Model<G>, CallError> {
        G::model(call, self)
    }
}

/// The error for a kind that a game's list does not have.
pub(crate) fn unknown(game: &str, call: &Call, known: &[EvalInfo]) -> CallError {
    let names: Vec<&str> = known.iter().map(|info| info.name).collect();
    let known = if names.is_empty() { "none yet".into() } else { names.join(", ") };
    CallError::UnknownKind { kind: call.kind.clone(), what: format!("evaluation of {game}"), known }
}
