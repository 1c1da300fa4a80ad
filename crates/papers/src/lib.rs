//! The papers repeated: their tables and claims as experiments, with the result of each.
//!
//! * [`experiments`] are the papers' tables and claims as data, the runs that repeat them, and the reports of those runs.
//! * [`measures`] are claims that no match can show: about positions, random games, sizes.
//!
//! ```
//! use quintet_agent::Catalogue;
//! use quintet_papers::experiments::{Library, Schedule, Size};
//! let experiment = Library::embedded().get("pylos/agents")?;
//! let schedule = Schedule::new(experiment, Size::Quick, 1, Catalogue::embedded())?;
//! assert!(!schedule.jobs.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod experiments;
pub mod measures;
