//! What all ways of learning have in common.

use std::collections::BTreeMap;

use quintet_agent::Catalogue;
use quintet_eval::{SpecError, Weights};
use quintet_game::Stop;
use serde::{Deserialize, Serialize};

/// What a pipeline may use while it works.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_game::Stop;
/// use quintet_learn::TrainContext;
/// let stop = Stop::new();
/// let context = TrainContext { agents: Catalogue::embedded(), threads: 2, stop: &stop };
/// assert!(context.go_on().is_ok());
/// stop.stop();
/// assert!(context.go_on().is_err());
/// ```
#[derive(Clone, Copy)]
pub struct TrainContext<'a> {
    /// Opponents, teachers, and the weights to begin with.
    pub agents: &'a Catalogue,
    /// Threads for work whose result does not depend on their number.
    pub threads: usize,
    /// Set from outside to end the work.
    pub stop: &'a Stop,
}

impl TrainContext<'_> {
    /// Whether the work is to stop. Long steps look between games.
    ///
    /// # Errors
    /// [`LearnError::Stopped`] if so: the step's work is dropped, and done again when the run is resumed.
    pub fn go_on(&self) -> Result<(), LearnError> {
        if self.stop.stopped() { Err(LearnError::Stopped) } else { Ok(()) }
    }
}

/// One way of learning. The same recipe and seed give the same weights, whatever the number of threads and however often it was
/// interrupted.
///
/// ```
/// use quintet_learn::Recipes;
/// let recipe = Recipes::embedded().find("pylos:td20").unwrap();
/// let pipeline = recipe.start(1, None)?;
/// assert_eq!(pipeline.progress().done, 0);
/// // What it saves is all that it needs to go on.
/// let again = recipe.start(1, Some(pipeline.save()))?;
/// assert_eq!(again.product(), pipeline.product());
/// # Ok::<(), quintet_learn::LearnError>(())
/// ```
pub trait Pipeline: Send {
    /// Does the next piece of work: a block of games, an iteration. Its state is kept afterwards.
    ///
    /// # Errors
    /// When it was stopped, or something that it needs is missing.
    fn step(&mut self, context: &TrainContext) -> Result<Step, LearnError>;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// Its whole state.
    fn save(&self) -> serde_json::Value;

    /// What has been learned so far.
    fn product(&self) -> Product;

    /// Stages that are over, for pipelines whose stages are measured one by one.
    fn stages(&self) -> u32 {
        0
    }
}

/// What a step brought.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Numbers to look at.
    pub metrics: Vec<Metric>,
    /// Whether to keep a snapshot of what has been learned.
    pub snapshot: bool,
}

/// Some numbers at one moment. Those whose names share the part before a `/` are drawn together: `weight/ahead`, `weight/behind`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// When: usually a number of games.
    pub at: u64,
    /// Names and values.
    pub values: BTreeMap<String, f64>,
    /// Something that happened: a new opponent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
}

impl Metric {
    /// Some numbers.
    ///
    /// ```
    /// use quintet_learn::Metric;
    /// let metric = Metric::new(50, [("win rate", 0.62)]);
    /// assert_eq!(serde_json::to_string(&metric).unwrap(), r#"{"at":50,"values":{"win rate":0.62}}"#);
    /// ```
    pub fn new<S: Into<String>>(at: u64, values: impl IntoIterator<Item = (S, f64)>) -> Metric {
        Metric { at, values: values.into_iter().map(|(name, value)| (name.into(), value)).collect(), event: None }
    }
}

/// How far a pipeline has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Done.
    pub done: u64,
    /// Of how many.
    pub total: u64,
    /// Of what: `games`.
    pub unit: &'static str,
    /// A short status, such as the win rate and the opponent.
    pub says: String,
}

impl Progress {
    /// Is there nothing left to do?
    #[must_use]
    pub fn finished(&self) -> bool {
        self.done >= self.total
    }
}

/// What comes out of learning.
#[derive(Clone, Debug, PartialEq)]
pub enum Product {
    /// Parameters of an evaluation; the run fills in their history.
    Weights(Weights),
    /// Another file, with its extension: `csv`.
    File {
        /// How its name ends.
        ending: &'static str,
        /// What it holds.
        text: String,
    },
}

/// Why learning ended early.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// It was asked to.
    #[error("stopped")]
    Stopped,
    /// An agent or evaluation that the recipe names cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The recipe makes no sense.
    #[error("{0}")]
    Recipe(String),
    /// A saved state cannot be read.
    #[error("the saved state cannot be read: {0}. Start again in another folder.")]
    State(#[from] serde_json::Error),
    /// Something outside failed.
    #[error("{0}")]
    Outside(String),
}
