//! Pylos solved: the worth of every position with its distance, a byte each.

mod family;
mod index;
mod strategy;
mod sweep;
mod table;

pub use index::Index;
pub use strategy::{Near, Strategy, StrategyError};
pub use sweep::{Solver, SweepState};
pub use table::{Census, Table, TableError};
