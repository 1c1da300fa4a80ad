//! Agents are data: a search over an evaluation, written `alphabeta(eval=difference,depth=4)`.
//!
//! [`seat`] builds what a spec, or a name of the [`Catalogue`] such as `pylos:ordered` or `level:4`, names for any game; a [`Seat`] is spoken to in the notation of the rules.
//! [`review`] looks at a whole game again; a [`Prover`] knows how positions must end, and [`puzzles`] are made of that.
//! Outside programs sit down the same way: `ugi(cmd="./engine",time=1s)` runs one and holds it to its limits.
//!
//! ```
//! use quintet_agent::seat;
//! use quintet_game::GameSpec;
//! use quintet_search::Limit;
//! let spec = GameSpec::parse("pylos").unwrap();
//! let mut agent = seat(&spec, "greedy(eval=position)", 1).unwrap();
//! let thought = agent.think(None, &["1b2".into()], &Limit::default(), &mut |_| {}).unwrap();
//! assert_eq!(thought.value, 0.0); // dark takes an inner cell too
//! ```

mod ahead;
mod book;
mod build;
mod catalogue;
mod error;
mod exact;
mod grant;
mod kinds;
mod levels;
mod listen;
mod prove;
mod puzzle;
mod review;
mod seat;
mod small;
mod trace;
mod ugi;

pub use ahead::Ahead;
pub use catalogue::{Catalogue, Entry, Mode, Spec};
pub use error::{Reason, ThinkError};
pub use kinds::{KINDS, Kind};
pub use levels::Level;
pub use prove::{Exact, Middle, NearEnd, Prover, Provers, Small, Tables, Unproven, exact, provers};
pub use puzzle::{
    Complaint, Heard, Making, MakingError, Puzzle, PuzzleKind, is_right, make_puzzles, puzzles, puzzles_with,
};
pub use review::{Class, Ply, Review, ReviewError, Standing, review};
pub use seat::{Progress, Seat, Thought, seat};
pub use trace::{Step, Trace};
