//! Exact answers: what perfect play leads to, and in how many plies.
//!
//! [`pylos`] solves the whole game of Pylos into a table of a byte a position.

pub mod pylos;

mod worth;

pub use worth::Worth;
