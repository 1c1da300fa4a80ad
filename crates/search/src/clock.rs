//! Counts nodes and checks the limits.

use std::time::Duration;

use quintet_game::clock::Stopwatch;
use quintet_game::{Limit, Stop};

/// A search's node count and elapsed time against its limit.
///
/// ```
/// use quintet_game::{Limit, Stop};
/// use quintet_search::Clock;
/// let mut clock = Clock::start(&Limit::nodes(2), Stop::never());
/// assert!(clock.tick() && clock.tick() && !clock.tick());
/// assert!(clock.is_out());
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    limit: Limit,
    stop: Stop,
    start: Stopwatch,
    nodes: u64,
    /// The node count at which the time and the stop flag are checked again.
    next_look: u64,
    out: bool,
}

/// Nodes between two checks of the time. The slowest evaluation (TwixT's `centre` on 24 x 24) takes 25 microseconds, so a
/// deadline is exceeded by at most about two milliseconds.
const LOOK: u64 = 64;

impl Clock {
    /// Starts now.
    #[must_use]
    pub fn start(limit: &Limit, stop: Stop) -> Clock {
        Clock { limit: *limit, stop, start: limit.start(), nodes: 0, next_look: 0, out: false }
    }

    /// Counts a node; false when the search must end, and from then on always.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.limit.nodes.is_some_and(|most| self.nodes >= most) {
            self.out = true;
        } else if self.nodes >= self.next_look {
            self.next_look = self.nodes + LOOK;
            self.out |= self.stop.stopped() || self.limit.time.is_some_and(|time| self.start.elapsed() >= time);
        }
        self.nodes += u64::from(!self.out);
        !self.out
    }

    /// Takes back the count of a node that was not searched after all.
    pub fn untick(&mut self) {
        self.nodes = self.nodes.saturating_sub(1);
    }

    /// Makes the next tick check the time and the stop flag: for searches whose nodes take long.
    pub fn look_next(&mut self) {
        self.next_look = self.nodes;
    }

    /// Can the time or a stop flag end the search?
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.limit.time.is_some() || self.stop.is_possible()
    }

    /// The time left, if it is limited.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        self.limit.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// Has a limit been reached?
    #[must_use]
    pub fn is_out(&self) -> bool {
        self.out
    }

    /// Nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time so far.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
