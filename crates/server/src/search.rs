//! Searches of visitors: how long they may take.

use std::time::Duration;

use quintet_game::Limit;

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
