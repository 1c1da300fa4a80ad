//! Rules, positions, moves and notation of five abstract board games: Pathwayz, Pylos, TwixT, Pentago-Twist and Pentago.
//!
//! * [`Game`] is the rules of one game: positions are plain data, moves go into the caller's buffer, nothing is allocated per node.
//! * [`Notation`] is their text form, with errors that say what is wrong and where; [`Symmetric`] lists the board's symmetries.
//! * [`Line`] is a game in progress: history, undo, repetition. [`AnyLine`] is a `Line` with its type erased.
//! * [`Spec`] is the grammar `kind(key=value)`, used wherever something is named with arguments.
//! * [`GameSpec`] names a game and its options in one token; [`with_game!`] runs generic code for it.
//!
//! ```
//! use quintet_game::GameSpec;
//! let mut line = GameSpec::parse("pentago(rules=turn-first)").unwrap().line();
//! assert_eq!(line.count_moves(), 288);
//! line.try_play("c4q2r").unwrap();
//! assert_eq!(line.position(), "....../....../....../..x.../....../...... o");
//! ```
//!
//! No input or output, no threads, no globals that can change.
//!
//! # Features
//! `serde` (off by default) writes and reads [`GameSpec`], [`Player`], [`Outcome`] and [`EndReason`] as their texts, and [`Limit`].
//!
//! # Speed
//! The rules use BMI2 instructions where the compiler may assume them, and portable versions with the same results elsewhere ([`bits`]). A dependency
//! cannot set the compiler's flags, so on x86-64 put this into `.cargo/config.toml` of your own project:
//!
//! ```toml
//! [target.'cfg(target_arch = "x86_64")']
//! rustflags = ["-C", "target-cpu=x86-64-v3"]
//! ```
//!
//! Give this crate and those that play its games `opt-level = 3` and `codegen-units = 1`; link-time optimisation adds little.

#[macro_use]
pub mod registry;

mod any_line;
pub mod bits;
pub mod clock;
mod end_reason;
mod game;
mod game_spec;
mod limit;
mod line;
pub mod notation;
pub mod path;
pub mod pathwayz;
pub mod pentago;
pub mod perft;
pub mod playout;
pub mod pylos;
pub mod record;
#[cfg(feature = "serde")]
mod serde_text;
mod spec;
mod symmetry;
pub mod text;
pub mod twixt;
mod value;

pub use any_line::AnyLine;
pub use end_reason::{EndReason, Forfeit};
pub use game::{Game, Outcome, Player, can_win_now};
pub use game_spec::{GameSpec, GameSpecError};
pub use limit::{Limit, Stop};
pub use line::Line;
pub use notation::Notation;
pub use rand_core::SeedableRng;
pub use registry::{AnyGame, GAMES, Playable};
#[cfg(feature = "serde")]
pub use serde_text::serde_result;
pub use spec::{Argument, Arguments, Spec, SpecError, read_time};
pub use symmetry::{Symmetric, Symmetry, canonical, carry_over};
pub use value::{Proof, Value};

/// The random number generator of the whole program: its streams are the same on every machine and in every version.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;
