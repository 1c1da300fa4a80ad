//! Limits shared by the threads of a search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use quintet_game::clock::Stopwatch;
use quintet_game::{Limit, Stop};

/// What the threads of one search share: the limit, and the nodes handed out of it.
pub(crate) struct Allowance<'a> {
    limit: &'a Limit,
    stop: Stop,
    start: Stopwatch,
    granted: AtomicU64,
}

/// Nodes handed out at a time, with one check of the time; [`crate::Clock`] checks as often.
const GRANT: u64 = 64;

impl<'a> Allowance<'a> {
    /// Starts now.
    pub fn start(limit: &'a Limit, stop: Stop) -> Allowance<'a> {
        Allowance { limit, stop, start: limit.start(), granted: AtomicU64::new(0) }
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Nodes handed out; without meters in use, these are the nodes searched.
    pub fn nodes(&self) -> u64 {
        self.granted.load(Relaxed)
    }

    /// Hands out some nodes; 0 when a limit is reached.
    fn grant(&self) -> u64 {
        if self.stop.stopped() || self.limit.time.is_some_and(|time| self.elapsed() >= time) {
            return 0;
        }
        let before = self.granted.fetch_add(GRANT, Relaxed);
        let nodes = self.limit.nodes.map_or(GRANT, |most| GRANT.min(most.saturating_sub(before)));
        self.granted.fetch_sub(GRANT - nodes, Relaxed);
        nodes
    }
}

/// One thread's count.
pub(crate) struct Meter<'a> {
    budget: &'a Allowance<'a>,
    /// This thread's result is no longer needed.
    halt: &'a AtomicBool,
    left: u64,
    out: bool,
}

impl<'a> Meter<'a> {
    pub fn new(budget: &'a Allowance<'a>, halt: &'a AtomicBool) -> Meter<'a> {
        Meter { budget, halt, left: 0, out: false }
    }

    /// Counts a node; false when the search must end, and from then on always.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.left == 0 && !self.refill() {
            return false;
        }
        self.left -= 1;
        true
    }

    #[cold]
    fn refill(&mut self) -> bool {
        if !self.out {
            self.left = if self.halt.load(Relaxed) { 0 } else { self.budget.grant() };
            self.out = self.left == 0;
        }
        !self.out
    }

    /// Has a limit been reached?
    #[inline]
    pub fn is_out(&self) -> bool {
        self.out
    }

    /// Nodes of all threads, valid while no other runs.
    pub fn nodes(&self) -> u64 {
        self.budget.nodes() - self.left
    }
}

impl Drop for Meter<'_> {
    /// Returns what was not used.
    fn drop(&mut self) {
        self.budget.granted.fetch_sub(self.left, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_a_limit_and_count_every_node() {
        for most in [0, 1, 63, 64, 1000, 100_000] {
            let limit = Limit::nodes(most);
            let budget = Allowance::start(&limit, Stop::never());
            let halt = AtomicBool::new(false);
            let counted: u64 = std::thread::scope(|scope| {
                let count = || {
                    let mut meter = Meter::new(&budget, &halt);
                    (0..).take_while(|_| meter.tick()).count() as u64
                };
                [scope.spawn(count), scope.spawn(count)].map(|thread| thread.join().unwrap()).iter().sum()
            });
            assert_eq!(budget.nodes(), counted);
            // Nodes that another thread is about to return may stay unused.
            assert!(counted <= most && counted + 2 * GRANT > most, "{counted} of {most}");
        }
    }

    #[test]
    fn what_is_left_goes_back() {
        let limit = Limit::default();
        let budget = Allowance::start(&limit, Stop::never());
        let halt = AtomicBool::new(false);
        let mut meter = Meter::new(&budget, &halt);
        assert!((0..100).all(|_| meter.tick()));
        assert_eq!(meter.nodes(), 100);
        drop(meter);
        assert_eq!(budget.nodes(), 100);
        halt.store(true, Relaxed);
        let mut late = Meter::new(&budget, &halt);
        assert!(!late.tick() && late.is_out());
    }
}
