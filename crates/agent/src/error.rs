//! Why an agent has not chosen a move.

use std::fmt;

use quintet_game::notation::Fault;

/// Why [`Seat::think`](crate::Seat::think) gave no move.
///
/// ```
/// use quintet_agent::{Reason, ThinkError};
/// let error = ThinkError::Engine { reason: Reason::Crash, detail: "it ended with exit status 3.".into() };
/// assert_eq!(error.to_string(), "engine fault (crash): it ended with exit status 3.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThinkError {
    /// The question was bad: a position or a move that is refused, or a game that is over.
    #[error("{0}")]
    Refused(#[from] Fault),
    /// The question was good, but an outside engine failed.
    #[error("engine fault ({reason}): {detail}")]
    Engine {
        /// The kind of failure.
        reason: Reason,
        /// What happened, as a sentence.
        detail: String,
    },
    /// There is nothing to show step by step.
    #[error(
        "this agent does not look ahead move by move here, so that there are no steps to show; ask minimax, alphabeta, beam or pvs, or an agent made of one."
    )]
    NoSteps,
}

/// How an outside engine can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It ended, or closed its output, before it had answered.
    Crash,
    /// It did not answer in time.
    TimeOut,
    /// Its move breaks the rules.
    IllegalMove,
    /// Its answer cannot be read.
    Garbage,
    /// It writes more than anybody can want to read.
    TooMuchOutput,
    /// It cannot be run, or does not get ready.
    NotStarted,
}

impl Reason {
    /// One word, such as `crash` or `illegal-move`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Crash => "crash",
            Reason::TimeOut => "time-out",
            Reason::IllegalMove => "illegal-move",
            Reason::Garbage => "garbage",
            Reason::TooMuchOutput => "too-much-output",
            Reason::NotStarted => "not-started",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
