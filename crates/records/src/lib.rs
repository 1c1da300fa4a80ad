//! Game records of other programs: [`import()`] reads any number of games from a text, [`export()`] writes one. Text in, text out: no files, no store.
//!
//! ```
//! use quintet_records::{Format, Options, export, import};
//! let games = import("(;FF[4]GM[21]SZ[12];W[b4];B[swap];W[f7])", None, &Options::default())?;
//! let record = games[0].record.as_ref().expect("a game that can be read");
//! assert_eq!(record.moves, ["b4", "swap", "f7"]);
//! assert_eq!(export(record, Format::Plain)?, "b4 swap f7\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game with an illegal move is kept up to the move before it, and the [`ImportFault`] says where and why; every decision made for the reader (which swap a
//! file means, how it was mirrored, what was left out) is in the notes. `docs/records.md` describes the formats.

mod export;
mod import;
mod object;

pub use export::{ExportError, export};
pub use import::{
    Crossing, Format, ImportError, ImportFault, Imported, LONGEST_TEXT, MOST_GAMES, MOST_MOVES, Options, SwapAs,
    UnknownWord, detect, import,
};
pub use object::Object;
