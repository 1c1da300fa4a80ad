//! Pentago solved from the middle of the game on.
//!
//! A pattern is where the marbles lie when all turns are taken back. One word holds an answer for all ways in which the
//! quadrants of a pattern can stand, so that turns cost no branching ([`Turns`]); and from a position with n marbles the
//! patterns that can follow are the ways to share out its 36 - n empty cells, which have a number each ([`solve`]).

mod midgame;
mod turns;

pub use midgame::{Solution, Value, bytes, solve};
pub use turns::Turns;
