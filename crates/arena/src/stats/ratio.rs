//! Ratios of two sums over samples: a share that is counted game by game, nodes of one search by those of another.

use super::{Interval, Z95};

/// The fewest samples whose spread says anything.
const FEWEST: usize = 4;

/// The ratio of two sums over samples, and its 95 % interval from how the samples differ (by Student's t). Whatever belongs together, such as
/// the moves of one game, must be one sample. `None` below four samples, or where the second sum is 0.
///
/// ```
/// use quintet_arena::stats::ratio;
///
/// // A mean is a ratio too.
/// let (mean, interval) = ratio(&[1.0, 2.0, 3.0, 4.0].map(|value| (value, 1.0))).unwrap();
/// assert_eq!(format!("{mean} {:.1} {:.1}", interval.low, interval.high), "2.5 0.5 4.5");
/// ```
#[must_use]
pub fn ratio(samples: &[(f64, f64)]) -> Option<(f64, Interval)> {
    let n = samples.len() as f64;
    let above: f64 = samples.iter().map(|(above, _)| above).sum();
    let below: f64 = samples.iter().map(|(_, below)| below).sum();
    if samples.len() < FEWEST || below == 0.0 {
        return None;
    }
    let ratio = above / below;
    let squares: f64 = samples.iter().map(|(above, below)| (above - ratio * below).powi(2)).sum();
    let half = student(n - 1.0) * (squares * n / (n - 1.0)).sqrt() / below.abs();
    Some((ratio, Interval { low: ratio - half, high: ratio + half }))
}

/// How many standard errors hold 95 %, by degrees of freedom: the expansion around the normal distribution (Abramowitz and Stegun 26.7.5),
/// whose error is below 1 % from three on.
fn student(freedom: f64) -> f64 {
    let z = Z95;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    terms.iter().zip(1..).fold(z, |sum, (term, power)| sum + term / freedom.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_t() {
        // The printed tables of Student's t, two-sided, 5 %.
        for (freedom, printed) in [(3.0, 3.182), (4.0, 2.776), (9.0, 2.262), (19.0, 2.093), (99.0, 1.984)] {
            assert!((student(freedom) / printed - 1.0).abs() < 0.01, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn samples_that_all_agree_leave_no_doubt() {
        let same = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0), (0.5, 1.0)];
        assert_eq!(ratio(&same), Some((0.5, Interval { low: 0.5, high: 0.5 })));
    }

    #[test]
    fn games_of_many_moves_count_as_one_sample() {
        // Ten games in which all moves do something, ten in which none does: as uncertain as 20 coins, whatever the number of moves.
        let games: Vec<(f64, f64)> = (0..20).map(|game| (if game % 2 == 0 { 50.0 } else { 0.0 }, 50.0)).collect();
        let (share, interval) = ratio(&games).unwrap();
        assert_eq!(share, 0.5);
        assert!((interval.half_width() - 0.24).abs() < 0.01, "{interval:?}");
    }

    #[test]
    fn nothing_to_divide() {
        assert_eq!(ratio(&[]), None);
        assert_eq!(ratio(&[(1.0, 1.0); 3]), None);
        assert_eq!(ratio(&[(1.0, 0.0); 4]), None);
    }
}
