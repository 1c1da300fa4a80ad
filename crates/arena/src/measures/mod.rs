//! Measurements that are no matches: what a paper claims about positions, random games or sizes.

mod costs;
mod mates;
mod sampling;

use quintet_agent::Catalogue;

use crate::stats::{Interval, Verdict};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions or games.
    pub samples: u64,
    /// Decides them.
    pub seed: u64,
}

/// One row of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What was measured.
    pub what: String,
    /// The paper's number or claim.
    pub paper: String,
    /// Ours.
    pub ours: String,
    /// Its 95 % interval, where it is a share.
    pub interval: Option<Interval>,
    /// Positions or games.
    pub samples: u64,
    /// Does it hold?
    pub verdict: Verdict,
    /// Why that is the verdict.
    pub reason: String,
}

/// Every measurement there is, by the id of its experiment.
pub const MEASURES: &[&str] = &[
    "pathwayz/sample-size",
    "pathwayz/random-sampling",
    "pathwayz/complexity",
    "pylos/branching",
    "pylos/pruning",
    "pentago-twist/own-mate2",
    "pentago-twist/their-mate2",
    "pentago-twist/deterministic",
    "pentago-twist/depth-time",
    "pentago/minimax-cost",
];

/// Measures what an experiment asks for; `None` when there is no such measurement. `done` hears of every sample.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_arena::measures::{Effort, measure};
/// let rows = measure("pylos/branching", Catalogue::embedded(), Effort { samples: 20, seed: 1 }, &mut || {}).unwrap();
/// assert!(rows[0].what.contains("largest"));
/// ```
pub fn measure(id: &str, agents: &Catalogue, effort: Effort, done: &mut dyn FnMut()) -> Option<Vec<Measured>> {
    Some(match id {
        "pathwayz/sample-size" => sampling::sample_size(),
        "pathwayz/random-sampling" => sampling::random_sampling(effort, done),
        "pathwayz/complexity" => costs::pathwayz_complexity(agents, effort, done),
        "pylos/pruning" => costs::pylos_pruning(agents, effort, done),
        "pentago-twist/depth-time" => costs::twist_depths(agents, effort, done),
        "pentago/minimax-cost" => costs::pentago_minimax(done),
        "pylos/branching" => sampling::branching(effort, done),
        "pentago-twist/own-mate2" => mates::own(agents, effort, done),
        "pentago-twist/their-mate2" => mates::theirs(agents, effort, done),
        "pentago-twist/deterministic" => mates::deterministic(agents, effort, done),
        _ => return None,
    })
}
