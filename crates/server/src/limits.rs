//! Limits that may differ between servers.

use std::time::Duration;

/// Limits of a server. The defaults are those of `docs/api.md`; measurements and tests set others.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The burst of requests per address.
    pub burst: f64,
    /// Requests per address per second.
    pub a_second: f64,
    /// The longest time for a move, whatever the agent's own limit.
    pub thought: Duration,
    /// The longest review of a game.
    pub review: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { burst: 200.0, a_second: 40.0, thought: Duration::from_secs(60), review: Duration::from_secs(600) }
    }
}
