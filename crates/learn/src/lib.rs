//! Learning: games in, weights out.
//!
//! * [`Recipe`] says what is to be learned and how, as data: `data/training/*.toml`.
//! * [`Pipeline`] is one way of learning, step by step. It is a function of recipe and seed; what [`Pipeline::save`] gives is its
//!   whole state.
//! * [`Run`] is a folder in which a pipeline works: it can be killed at any instant and goes on to the same result.
//! * [`charts`] draws what a run has measured.
//!
//! ```
//! use quintet_learn::Recipes;
//! assert!(Recipes::embedded().iter().all(|recipe| recipe.start(1, None).is_ok()));
//! ```

mod book;
mod buckets;
mod evolve;
mod pipeline;
mod recipe;
mod report;
mod run;
mod share;
pub mod svr;
mod td;
#[cfg(test)]
mod toy;

pub use pipeline::{LearnError, Metric, Pipeline, Product, Progress, Step, TrainContext};
pub use recipe::{Recipe, Recipes, Trial};
pub use report::{Chart, charts, html, markdown};
pub use run::{Config, Run, TrainingRunError, replace};
