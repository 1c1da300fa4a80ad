//! Pylos solved: the value of every position with its distance, one byte each.

mod blocks;
mod family;
mod index;
mod near;
mod part;
mod strategy;
mod sweep;
mod table;

pub use index::Index;
pub use near::Near;
pub use strategy::{Strategy, StrategyError};
pub use sweep::{Solver, SweepState};
pub use table::{Census, Table, TableError};
