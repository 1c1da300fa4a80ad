//! Exact answers: what perfect play leads to, and in how many plies.
//!
//! [`pylos`] solves the whole game of Pylos into a table of one byte per position; [`pentago`] solves Pentago from any position
//! with half of its marbles on the board, within seconds and without a table; [`twixt`] and [`pathwayz`] solve small boards.

pub mod pathwayz;
pub mod pentago;
pub mod pylos;
pub mod twixt;

mod code;
mod memory;
mod solution;
mod solvable;

pub use code::FARTHEST;
pub use solution::{Halt, Solution};
pub use solvable::Solvable;
