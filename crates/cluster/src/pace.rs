//! How fast something goes lately.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How long that is.
const LATELY: Duration = Duration::from_secs(60);
/// Nothing is noted more often.
const STEP: Duration = Duration::from_secs(1);

/// What had been done at instants of the last minute, and once before.
pub(crate) struct Pace(VecDeque<(Instant, u64)>);

impl Pace {
    /// Nothing was done before this instant.
    pub fn new(now: Instant) -> Pace {
        Pace([(now, 0)].into())
    }

    /// How much was done lately, and in which time, if this much is done by now.
    pub fn lately(&mut self, now: Instant, done: u64) -> (u64, Duration) {
        while self.0.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= LATELY) {
            self.0.pop_front();
        }
        if self.0.back().is_none_or(|(at, _)| now.duration_since(*at) >= STEP) {
            self.0.push_back((now, done));
        }
        let (since, before) = self.0[0];
        (done.saturating_sub(before), now.duration_since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_long_ago_does_not_count() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut pace = Pace::new(began);
        let mut done = 0;
        assert_eq!(pace.lately(began, 0), (0, Duration::ZERO));
        // Ten a second, then nothing for an hour, then two a second.
        for second in 1..=600 {
            done += 10;
            let (count, time) = pace.lately(at(second), done);
            assert_eq!(count, 10 * time.as_secs());
            assert!(time <= LATELY + STEP && (second < 60 || time >= LATELY));
        }
        for second in 601..4200 {
            pace.lately(at(second), done);
        }
        assert_eq!(pace.lately(at(4200), done).0, 0);
        for second in 4201..=4300 {
            done += 2;
            pace.lately(at(second), done);
        }
        assert_eq!(pace.lately(at(4300), done), (120, LATELY));
        assert!(pace.0.len() < 70);
    }
}
