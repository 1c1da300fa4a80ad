//! Exact answers: what perfect play leads to, and in how many plies.
//!
//! [`pylos`] solves the whole game of Pylos into a table of one byte per position; [`pentago`] solves Pentago from any position
//! with half of its marbles on the board, within seconds and without a table; [`twixt`] and [`pathwayz`] solve small boards.
//!
//! ```
//! use quintet_game::{Game as _, Limit, Value, twixt::{Swap, Twixt}};
//! use quintet_solve::Solvable as _;
//! let game = Twixt::<16, 1>::new(5, false, Swap::Off);
//! let solution = game.solve_small(&game.start(), 1 << 20, &Limit::default(), &|| false).unwrap();
//! assert_eq!(solution.value, Some(Value::DRAW));
//! ```
//!
//! [`Table`](pylos::Table) and [`Strategy`](pylos::Strategy) answer for Pylos; `quintet solve` makes tables.

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
