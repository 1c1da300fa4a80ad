//! Exact answers: what perfect play leads to, and in how many plies.
//!
//! [`pylos`] solves the whole game of Pylos into a table of a byte a position; [`pentago`] solves Pentago from any position with
//! half of its marbles on the board, within seconds and without a table; [`twixt`] and [`pathwayz`]
//! solve small boards.

pub mod pathwayz;
pub mod pentago;
pub mod pylos;
pub mod twixt;

mod memory;
mod solution;
mod worth;

pub use solution::{Budget, Solution};
pub use worth::Worth;
