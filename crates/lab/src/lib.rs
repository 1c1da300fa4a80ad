//! Long work, written once for the command line, the page and other programs: how it is started, resumed and followed.
//!
//! * A [`Tournament`] is a plan whose games are kept in the store.
//!
//! Each of them keeps what it has done before it counts, stops when it is told to, and continues where it was left. Those who follow it are called
//! at every step.

mod tournament;

pub use tournament::{Tournament, TournamentError};
