//! Agents are data: a search over an evaluation, written `alphabeta(eval=difference,depth=4)`.
//!
//! [`seat`] builds the agent of a spec, or of a name in the [`Catalogue`] such as `pylos:ordered` or `level:4`, for any game; a [`Seat`] is given the game in progress and returns a
//! move.
//! An [`Adviser`] answers with a proof, or else with what the strongest agent thinks. [`review`] analyses a whole game; a [`Prover`] knows how positions must end, and [`puzzles`] are made from that.
//! Outside programs are agents too: `ugi(cmd="./engine",time=1s)` runs one and enforces its limits.
//!
//! ```
//! use quintet_agent::seat;
//! use quintet_game::{GameSpec, Limit, Stop};
//! let spec = GameSpec::parse("pylos").unwrap();
//! let mut agent = seat(&spec, "greedy(eval=position)", 1).unwrap();
//! let mut line = spec.line();
//! line.try_play("1b2").unwrap();
//! let choice = agent.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
//! assert_eq!(choice.value, 0.0); // dark takes an inner cell too
//! ```
//!
//! # Features
//! Both are on by default:
//! * `threads`: several threads per search, and outside engines, which are processes with threads that listen to them.
//! * `strategies`: embeds the ways to win at Pylos (12 MB). Without it they are read from the user's data directory, or supplied by the caller.

mod advice;
mod book;
mod build;
mod catalogue;
mod error;
mod exact;
mod expectation;
mod first_peg;
mod forward;
mod game;
mod kinds;
mod levels;
mod listen;
mod memory_cap;
mod prove;
mod puzzle;
mod review;
mod seat;
mod small;
mod trace;
#[cfg(feature = "threads")]
mod ugi;

pub use advice::Adviser;
pub use build::ALL_CORES;
pub use catalogue::{Catalogue, Entry, Mode, ModeSpec, ResolvedAgent};
pub use error::ThinkError;
pub use forward::ForwardProver;
pub use game::{AgentGame, ExactParts};
pub use kinds::{KINDS, Kind};
pub use levels::Level;
pub use prove::{
    EndgameProver, Exact, MidgameProver, Prover, Provers, SmallBoardProver, StrategyProver, TableProver, Unproven,
    exact, provers, provers_with,
};
pub use puzzle::{
    Complaint, Making, MakingError, MakingProgress, Puzzle, PuzzleKind, is_right, make_puzzles, puzzles, puzzles_with,
};
pub use review::{Class, Ply, Review, ReviewError, Reviewing, Standing, accuracy, review};
pub use seat::{Seat, seat};
pub use trace::{Step, Trace};
