//! Why an agent did not choose a move.

use std::fmt;

use quintet_game::notation::Fault;

/// Why [`Seat::think`](crate::Seat::think) returned no move.
///
/// ```
/// use quintet_agent::{Reason, ThinkError};
/// let error = ThinkError::Engine { reason: Reason::Crash, detail: "it ended with exit status 3.".into() };
/// assert_eq!(error.to_string(), "engine fault (crash): it ended with exit status 3.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThinkError {
    /// The request was invalid: a position or a move was refused, or the game is over.
    #[error("{0}")]
    Refused(#[from] Fault),
    /// The request was valid, but an outside engine failed.
    #[error("engine fault ({reason}): {detail}")]
    Engine {
        /// The kind of failure.
        reason: Reason,
        /// What happened, as a sentence.
        detail: String,
    },
    /// The request was valid, but a file that the agent plays by failed: which, and what to do about it.
    #[error("{0}")]
    Failed(String),
    /// The agent, an outside engine, gives the game up.
    #[error("the engine resigns.")]
    Resigned,
    /// The agent has no steps to show.
    #[error(
        "this agent does not look ahead move by move here, so there are no steps to show; choose minimax, alphabeta, beam or pvs, or an agent based on one."
    )]
    NoSteps,
}

/// How an outside engine can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It ended, or closed its output, before it answered.
    Crash,
    /// It did not answer in time.
    TimeOut,
    /// Its move is illegal.
    IllegalMove,
    /// Its answer cannot be read.
    Garbage,
    /// It writes too much.
    TooMuchOutput,
    /// It cannot be run, or does not become ready.
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
