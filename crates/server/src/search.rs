//! Searches of visitors: how long they may take, and how often they report.

use std::time::{Duration, Instant};

use quintet_game::Limit;

/// Reports come no faster than this.
pub const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// A search that goes on for this long after its time is told to stop.
const GRACE: Duration = Duration::from_millis(200);

/// The limit of a visitor's search that may take at most `longest`. A limit without a time stays without: the agent's own limit holds, and the search
/// is cut off in the end.
pub fn capped(limit: Limit, longest: Duration) -> Limit {
    Limit { time: limit.time.map(|time| time.min(longest)), ..limit }
}

/// When a search within this limit is stopped, if it has not ended by itself.
pub fn cut_off(limit: &Limit, longest: Duration) -> Duration {
    limit.time.map_or(longest, |time| time.min(longest)) + GRACE
}

/// Limits the rate of reports.
pub struct Pace {
    last: Option<Instant>,
}

impl Pace {
    /// The first goes through.
    pub fn new() -> Pace {
        Pace { last: None }
    }

    /// Whether a report is due.
    pub fn due(&mut self) -> bool {
        let due = self.last.is_none_or(|last| last.elapsed() >= BETWEEN_REPORTS);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }
}
