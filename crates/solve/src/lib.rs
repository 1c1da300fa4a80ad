//! Exact answers: what perfect play leads to, and in how many plies.
//!
//! [`pylos`] solves the whole game of Pylos into a table of a byte a position; [`pentago`] solves Pentago from any position with
//! half of its marbles on the board, within seconds and without a table.

pub mod pentago;
pub mod pylos;

mod worth;

pub use worth::Worth;
