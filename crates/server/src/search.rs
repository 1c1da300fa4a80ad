//! Searches of the pool: how long they may take, and how often they report.

use std::time::{Duration, Instant};

use quintet_game::{Limit, Stop};
use tokio::runtime::Handle;

/// Reports come no faster than this.
pub const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// A search that goes on for this long after its time is told to stop.
const GRACE: Duration = Duration::from_millis(200);

/// The limit with a time of at most `longest`. The stop flag is set soon after that if the search has not ended, whatever the agent's own limit.
pub fn limited(limit: Limit, stop: &Stop, runtime: &Handle, longest: Duration) -> Limit {
    let time = limit.time.map(|time| time.min(longest));
    stop_after(stop, runtime, time.map_or(longest, |time| time + GRACE));
    Limit { time, ..limit }
}

/// Sets the flag after a time.
pub fn stop_after(stop: &Stop, runtime: &Handle, time: Duration) {
    let stop = stop.clone();
    runtime.spawn(async move {
        tokio::time::sleep(time).await;
        stop.stop();
    });
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
