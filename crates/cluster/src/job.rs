//! What a coordinator has done by the workers: games, or a map.

use std::ops::ControlFlow;

use crate::message::{Outcome, Unit};

/// A job: it is cut into units, and what comes back of them is checked and counted.
pub(crate) trait Job {
    /// The next unit, where this many can be played at once. When there is none, there may be one again after the next result.
    fn next(&mut self, hands: usize) -> Option<Unit>;

    /// Is this a result of the unit, by the rules?
    fn check(&self, unit: &Unit, outcome: &Outcome) -> Result<(), String>;

    /// Takes a result that was checked; breaks off if no more is wanted.
    fn count(&mut self, unit: &Unit, outcome: Outcome, worker: &str, ms: u64) -> ControlFlow<()>;

    /// What another worker is to do again of a unit that this one has done, if anything, and with what result.
    fn again(&self, unit: &Unit, outcome: &Outcome, worker: &str) -> Option<(Unit, Vec<String>)>;

    /// Says how the result of the second worker differs from that of the first, if it does.
    fn compare(&mut self, first: &str, expected: &[String], second: &str, outcome: &Outcome) -> Option<String>;

    /// How much is done: games or first pegs.
    fn done(&self) -> u64;

    /// What a unit is about, for people.
    fn name(&self, unit: &Unit) -> String;

    /// What is missing in the end, since nobody could do it, the first of it for this reason.
    fn missing(&self, aside: &[(Unit, String)], first: &Unit, why: &str) -> String;
}
