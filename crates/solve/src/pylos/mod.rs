//! Pylos solved: the worth of every position with its distance, a byte each.

mod family;
mod index;
mod sweep;
mod table;

pub use index::Index;
pub use sweep::{Solver, State};
pub use table::{Census, Table, TableError};
