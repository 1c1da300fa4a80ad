//! Which evaluations each game has.

use std::any::{Any, TypeId};

use quintet_game::pathwayz::Pathwayz;
use quintet_game::pentago::Pentago;
use quintet_game::pylos::Pylos;
use quintet_game::twixt::Twixt;
use quintet_game::{GameSpec, Playable};

use crate::{Call, CallError, Evaluate, Shelf, Sieve, Value, Weights};

/// An evaluation by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalInfo {
    /// The name in calls.
    pub name: &'static str,
    /// What it measures, in a few words.
    pub about: &'static str,
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
    match spec.info().name {
        "pathwayz" => crate::pathwayz::EVALUATIONS,
        "pylos" => crate::pylos::EVALUATIONS,
        "twixt" => crate::twixt::EVALUATIONS,
        "pentago" | "pentago-twist" => crate::pentago::EVALUATIONS,
        _ => &[],
    }
}

/// Builds the evaluation that `call` names for `game`, with the weights that come with the program.
///
/// # Errors
/// When the game has no such evaluation, or the arguments are wrong; the error lists what there is.
pub fn evaluation<G: Playable>(game: &G, call: &Call) -> Result<Box<dyn Evaluate<G>>, CallError> {
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
pub fn evaluation_with<G: Playable>(
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
    pub fn evaluation<G: Playable>(&self, _game: &G, call: &Call) -> Result<Box<dyn Evaluate<G>>, CallError> {
        // The games are distinct types and this code serves them all: the evaluation of the one that `G` is goes through `Any`.
        let built: Box<dyn Any> = if is::<G, Pathwayz>() {
            Box::new(crate::pathwayz::evaluation(call, self)?)
        } else if is::<G, Pylos>() {
            Box::new(crate::pylos::evaluation(call, self)?)
        } else if is::<G, Pentago>() {
            Box::new(crate::pentago::evaluation(call, self)?)
        } else if is::<G, Twixt<16, 1>>() {
            Box::new(crate::twixt::evaluation::<16, 1>(call, self)?)
        } else if is::<G, Twixt<20, 1>>() {
            Box::new(crate::twixt::evaluation::<20, 1>(call, self)?)
        } else if is::<G, Twixt<32, 1>>() {
            Box::new(crate::twixt::evaluation::<32, 1>(call, self)?)
        } else if is::<G, Twixt<32, 2>>() {
            Box::new(crate::twixt::evaluation::<32, 2>(call, self)?)
        } else {
            return Err(unknown("this game", call, &[]));
        };
        Ok(*built.downcast().expect("the type was compared above"))
    }
}

/// The moves that `word` calls worth a look in `game`.
///
/// # Errors
/// When the game has no such sieve; the error lists what there is.
pub fn sieve<G: Playable>(_game: &G, word: &str) -> Result<Box<dyn Sieve<G>>, CallError> {
    use crate::twixt::sieve;
    let built: Box<dyn Any> = if is::<G, Twixt<16, 1>>() {
        Box::new(sieve::<16, 1>(word)?)
    } else if is::<G, Twixt<20, 1>>() {
        Box::new(sieve::<20, 1>(word)?)
    } else if is::<G, Twixt<32, 1>>() {
        Box::new(sieve::<32, 1>(word)?)
    } else if is::<G, Twixt<32, 2>>() {
        Box::new(sieve::<32, 2>(word)?)
    } else {
        let why = "are for twixt: this game has no rule for them.".into();
        return Err(CallError::Unusable { what: "candidates".into(), why });
    };
    Ok(*built.downcast().expect("the type was compared above"))
}

pub(crate) fn is<A: 'static, B: 'static>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// The error for a kind that a game's list does not have.
pub(crate) fn unknown(game: &str, call: &Call, known: &[EvalInfo]) -> CallError {
    let names: Vec<&str> = known.iter().map(|info| info.name).collect();
    let known = if names.is_empty() { "none yet".into() } else { names.join(", ") };
    CallError::UnknownKind { kind: call.kind.clone(), what: format!("evaluation of {game}"), known }
}
