//! Every table and claim of the papers as data, and the means to repeat them.
//!
//! * A [`Library`] holds the [`Experiment`]s: the embedded ones, and those of the user's own files.
//! * A [`Schedule`] is an experiment in one size with one seed: it determines all games.
//! * A [`Folder`] stores every game, one per line, before it counts, so that a killed run can be resumed.
//! * [`perform`] plays what is missing; a [`Report`] is derived from the games alone. `quintet_lab::Reproduction` does all of it, for the command line and the page alike.

mod cells;
mod charts;
mod file;
mod folder;
mod growth;
mod judge;
mod library;
mod numbers;
mod perform;
mod pyramid;
mod ranking;
mod render;
mod report;
mod schedule;
mod solo;
mod times;

pub use file::{Chart, Design, Experiment, Growth, Kind, NamedAgent, Ratio, Repeat, Row, Series, Size, Unit};
pub use folder::{Folder, FolderError, Meta};
pub(crate) use growth::fit;
pub use library::{Library, LibraryError};
pub use numbers::{PaperNumber, paper_numbers};
pub use perform::{Games, perform};
pub use render::{html, markdown};
pub use report::{Finding, Report, ReportLine, Tally};
pub use schedule::{Job, Readiness, Schedule, Work, state};
pub use solo::Solo;
