//! Intervals of scores, and how many games an interval costs.

use std::cmp::Ordering;
use std::fmt;

use super::{Z95, two_decimals};

/// A 95 % interval of a score, within 0 and 1.
///
/// ```
/// use std::cmp::Ordering;
/// use quintet_arena::stats::wilson;
///
/// let interval = wilson(15, 20).unwrap();
/// assert_eq!(interval.to_string(), "[53.13, 88.81]");
/// assert_eq!(interval.side(), Ordering::Greater);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// `centre` +- `half`, cut to what a score can be.
    pub(super) fn around(centre: f64, half: f64) -> Self {
        Self { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }

    /// Whether the score is inside.
    #[must_use]
    pub fn contains(&self, score: f64) -> bool {
        self.low <= score && score <= self.high
    }

    /// Whether the two overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// Half of its width: the x of "+- x".
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// On which side of 1/2 it lies; `Equal` when 1/2 is inside, so that it shows no direction.
    #[must_use]
    pub fn side(&self) -> Ordering {
        self.beside(0.5)
    }

    /// On which side of a bound it lies; `Equal` when it reaches it.
    #[must_use]
    pub fn beside(&self, bound: f64) -> Ordering {
        if self.low > bound {
            Ordering::Greater
        } else if self.high < bound {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }
}

/// In per cent with two decimals: `[53.13, 88.81]`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", two_decimals(100.0 * self.low), two_decimals(100.0 * self.high))
    }
}

/// Wilson's 95 % interval of `k` successes out of `n`; `None` where that is impossible (`n` = 0, or `k` above `n`).
#[must_use]
pub fn wilson(k: u64, n: u64) -> Option<Interval> {
    (n > 0 && k <= n).then(|| wilson_of_share(k as f64 / n as f64, n as f64))
}

/// Wilson's interval of a share of `n` trials. With draws the spread is smaller than it assumes, so it errs on the wide side.
pub(super) fn wilson_of_share(share: f64, n: f64) -> Interval {
    let z2 = Z95 * Z95;
    let scale = 1.0 + z2 / n;
    let centre = (share + z2 / (2.0 * n)) / scale;
    let half = Z95 * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt() / scale;
    let Interval { low, high } = Interval::around(centre, half);
    // Rounding must not push an end past the share itself, which it meets at 0 and 1.
    Interval { low: low.min(share), high: high.max(share) }
}

/// The largest half width of the 95 % interval of `games` games, reached at an even score without draws; `None` for no games.
///
/// ```
/// use quintet_arena::stats::half_width;
///
/// assert_eq!(format!("+-{:.0} points", 100.0 * half_width(20).unwrap()), "+-22 points");
/// ```
#[must_use]
pub fn half_width(games: u64) -> Option<f64> {
    (games > 0).then(|| Z95 * 0.5 / (games as f64).sqrt())
}

/// About how many games make an interval of +- `half_width` (0.05 is 5 points); `None` unless it lies above 0.
#[must_use]
pub fn games_for(half_width: f64) -> Option<u64> {
    let games = (Z95 * 0.5 / half_width).powi(2).round();
    // A float this large turns into the largest integer.
    (half_width > 0.0).then_some((games as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_at_twenty_games() {
        let table = "0-16 1-24 3-30 5-36 8-42 11-47 15-52 18-57 22-61 26-66 30-70 \
                     34-74 39-78 43-82 48-85 53-89 58-92 64-95 70-97 76-99 84-100";
        assert_eq!(table.split(' ').count(), 21);
        for (k, ends) in table.split(' ').enumerate() {
            let interval = wilson(k as u64, 20).unwrap();
            assert_eq!(format!("{:.0}-{:.0}", 100.0 * interval.low, 100.0 * interval.high), ends, "{k} of 20");
            // A direction shows at a quarter and less, or three quarters and more.
            assert_eq!(interval.side() != Ordering::Equal, k <= 5 || k >= 15, "{k} of 20");
            assert!(interval.contains(k as f64 / 20.0));
        }
    }

    #[test]
    fn impossible_shares_have_no_interval() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(3, 2), None);
    }

    #[test]
    fn sizes() {
        for (points, games) in [(10.0, 96), (5.0, 384), (2.0, 2401), (1.0, 9604)] {
            assert_eq!(games_for(points / 100.0), Some(games));
        }
        assert_eq!(games_for(0.0), None);
        assert_eq!(games_for(-0.1), None);
        assert_eq!(games_for(f64::NAN), None);
        assert_eq!(games_for(1e-300), Some(u64::MAX));
        assert_eq!(games_for(9.0), Some(1));
        assert_eq!(half_width(0), None);
        assert!((half_width(400).unwrap() - 0.049).abs() < 1e-12);
    }

    #[test]
    fn overlap_includes_touching() {
        let [a, b, c] = [(0.1, 0.3), (0.3, 0.4), (0.31, 0.5)].map(|(low, high)| Interval { low, high });
        assert!(a.overlaps(&b) && b.overlaps(&a));
        assert!(!a.overlaps(&c) && !c.overlaps(&a));
    }
}
