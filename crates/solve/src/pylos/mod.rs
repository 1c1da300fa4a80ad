//! Pylos solved: the value of every position with its distance, one byte each.

mod blocks;
mod family;
mod index;
mod part;
mod strategy;
mod sweep;
mod table;

pub use index::Index;
pub use strategy::{Near, Strategy, StrategyError};
pub use sweep::{Solver, SweepState};
pub use table::{Census, Table, TableError};
