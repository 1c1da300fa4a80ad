//! How long a search may run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::{ClockKind, Stopwatch};

/// The limits of a search; the first one reached ends it. Without any, a search ends when it has nothing left to find out.
///
/// With the feature `serde` it has the form `{"time_ms", "nodes", "depth", "visits"}`; which clock counts, and how many cores there are, is not part of it.
///
/// ```
/// use std::time::Duration;
/// use quintet_game::Limit;
/// let limit = Limit { nodes: Some(10_000), ..Limit::time(Duration::from_secs(2)) };
/// assert_eq!(limit.smaller(&Limit::nodes(500)).nodes, Some(500));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Limit {
    /// Time by the clock; whole milliseconds where it is serialised.
    #[cfg_attr(feature = "serde", serde(rename = "time_ms", with = "milliseconds"))]
    pub time: Option<Duration>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Visits of the root, for tree searches.
    pub visits: Option<u64>,
    /// The clock that counts the time.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub clock: ClockKind,
    /// The most cores for a search that would take all there are. It ends no search.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub cores: Option<usize>,
}

impl Limit {
    const NONE: Limit =
        Limit { time: None, nodes: None, depth: None, visits: None, clock: ClockKind::Wall, cores: None };

    /// Only time.
    #[must_use]
    pub const fn time(time: Duration) -> Limit {
        Limit { time: Some(time), ..Limit::NONE }
    }

    /// Only nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Limit {
        Limit { nodes: Some(nodes), ..Limit::NONE }
    }

    /// Only depth.
    #[must_use]
    pub const fn depth(depth: u32) -> Limit {
        Limit { depth: Some(depth), ..Limit::NONE }
    }

    /// Only visits.
    #[must_use]
    pub const fn visits(visits: u64) -> Limit {
        Limit { visits: Some(visits), ..Limit::NONE }
    }

    /// Does it limit anything?
    #[must_use]
    pub fn is_any(&self) -> bool {
        Limit { clock: ClockKind::Wall, cores: None, ..*self } != Limit::NONE
    }

    /// Starts the clock that counts its time.
    #[must_use]
    pub fn start(&self) -> Stopwatch {
        Stopwatch::start(self.clock)
    }

    /// What is left of it for a second search, once a first one has used the time of a stopwatch: a millisecond at least.
    ///
    /// ```
    /// use std::time::Duration;
    /// use quintet_game::Limit;
    /// let limit = Limit::time(Duration::from_millis(20));
    /// let began = limit.start();
    /// std::thread::sleep(Duration::from_millis(30));
    /// assert_eq!(limit.after(&began).time, Some(Duration::from_millis(1)));
    /// ```
    #[must_use]
    pub fn after(&self, began: &Stopwatch) -> Limit {
        let left = |time: Duration| time.saturating_sub(began.elapsed()).max(Duration::from_millis(1));
        Limit { time: self.time.map(left), ..*self }
    }

    /// The same with a little less time: a search sees the end of its time a moment late, and must not lose by that.
    ///
    /// ```
    /// use std::time::Duration;
    /// use quintet_game::Limit;
    /// let limit = Limit::time(Duration::from_secs(1)).with_reserve();
    /// assert_eq!(limit.time, Some(Duration::from_millis(980)));
    /// ```
    #[must_use]
    pub fn with_reserve(&self) -> Limit {
        let (least, most) = (Duration::from_millis(1), Duration::from_millis(50));
        let reserve = |time: Duration| (time / 50).clamp(least, most).min(time / 2);
        Limit { time: self.time.map(|time| time - reserve(time)), ..*self }
    }

    /// The smaller of two limits, field by field. If either counts processor time, so does the result.
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
            clock: if self.clock == ClockKind::Cpu { self.clock } else { other.clock },
            cores: least(self.cores, other.cores),
        }
    }
}

#[cfg(feature = "serde")]
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

/// A flag that ends a search from outside. Clones share it.
///
/// ```
/// use quintet_game::Stop;
/// let stop = Stop::new();
/// let search = stop.clone();
/// stop.stop();
/// assert!(search.stopped());
/// assert!(!Stop::never().stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// A flag that is not set yet.
    #[must_use]
    pub fn new() -> Stop {
        Stop(Some(Arc::default()))
    }

    /// A flag that can never be set.
    #[must_use]
    pub const fn never() -> Stop {
        Stop(None)
    }

    /// Asks everyone who holds the flag to end their work. Has no effect on [`Stop::never`].
    pub fn stop(&self) {
        if let Some(flag) = &self.0 {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Has the flag been set?
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Can it be set at all?
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.0.is_some()
    }
}
