//! Pentago and Pentago-Twist solved from the middle of the game on.
//!
//! A pattern is the board with all spins undone. One set of bits holds an answer for all orientations of the quadrants of a
//! pattern, so spins cost no branching ([`Turns`], [`Twists`]); and from a position with n marbles, the patterns that can follow
//! are the ways to distribute its 36 - n empty cells, which can be numbered ([`solve`]). Earlier in the game, a search of the
//! same patterns proves wins that are not too far away ([`prove`]).

mod answers;
mod fives;
mod forms;
mod forward;
mod midgame;
mod turns;
mod twists;
mod ways;

pub use forward::{Proven, prove};
pub use midgame::{Solution, best, bytes, distances, patterns, solve};
pub use turns::Turns;
pub use twists::Twists;
