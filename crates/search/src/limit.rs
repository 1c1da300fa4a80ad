//! How long a search may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits of a search; whichever is reached first ends it. Without any, a search ends when it knows all it can.
///
/// ```
/// use std::time::Duration;
/// use quintet_search::Limit;
/// let limit = Limit { nodes: Some(10_000), ..Limit::time(Duration::from_secs(2)) };
/// assert_eq!(limit.smaller(&Limit::nodes(500)).nodes, Some(500));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limit {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Visits of the root, for tree searches.
    pub visits: Option<u64>,
    /// Set by somebody else to end the search.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limit {
    /// Nothing but time.
    #[must_use]
    pub fn time(time: Duration) -> Limit {
        Limit { time: Some(time), ..Limit::default() }
    }

    /// Nothing but nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limit {
        Limit { nodes: Some(nodes), ..Limit::default() }
    }

    /// Nothing but depth.
    #[must_use]
    pub fn depth(depth: u32) -> Limit {
        Limit { depth: Some(depth), ..Limit::default() }
    }

    /// The smaller of two limits in every respect.
    #[must_use]
    pub fn smaller(&self, other: &Limit) -> Limit {
        fn least<T: Ord + Copy>(a: Option<T>, b: Option<T>) -> Option<T> {
            [a, b].into_iter().flatten().min()
        }
        Limit {
            time: least(self.time, other.time),
            nodes: least(self.nodes, other.nodes),
            depth: least(self.depth, other.depth),
            visits: least(self.visits, other.visits),
            stop: self.stop.clone().or_else(|| other.stop.clone()),
        }
    }

    /// Has somebody asked the search to end?
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
