//! Why an agent did not choose a move.

use quintet_game::Forfeit;
use quintet_game::notation::Fault;

/// Why [`Seat::think`](crate::Seat::think) returned no move.
///
/// ```
/// use quintet_agent::ThinkError;
/// use quintet_game::Forfeit;
/// let error = ThinkError::Engine { reason: Forfeit::Crash, detail: "it ended with exit status 3.".into() };
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
        reason: Forfeit,
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
