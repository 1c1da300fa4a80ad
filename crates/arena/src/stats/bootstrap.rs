//! Intervals of whatever follows from means, by drawing the samples again.

use quintet_game::bits::mix;

use super::Interval;

/// How often samples are drawn again.
const DRAWS: usize = 2000;

/// Means of samples drawn again with replacement, many times over: how the means would vary if everything were repeated. A sample has `K` numbers, which stay together.
///
/// ```
/// use quintet_arena::stats::{middle, resample};
///
/// let heights: Vec<[f64; 1]> = (0..100).map(|i| [f64::from(i % 10)]).collect();
/// let means = resample(&heights, 1).into_iter().map(|[mean]| mean).collect();
/// let interval = middle(means).unwrap();
/// // The mean is 4.5, and 1.96 of its standard errors are 0.56.
/// assert!((interval.low - 3.94).abs() < 0.1 && (interval.high - 5.06).abs() < 0.1);
/// ```
#[must_use]
pub fn resample<const K: usize>(samples: &[[f64; K]], seed: u64) -> Vec<[f64; K]> {
    if samples.is_empty() {
        return Vec::new();
    }
    let mut random = (0..).map(|draw| mix(seed ^ mix(draw)) >> 32);
    let n = samples.len();
    let mut draw = || {
        let mut sums = [0.0; K];
        for random in random.by_ref().take(n) {
            let sample = &samples[((random * n as u64) >> 32) as usize];
            sums.iter_mut().zip(sample).for_each(|(sum, value)| *sum += value);
        }
        sums.map(|sum| sum / n as f64)
    };
    (0..DRAWS).map(|_| draw()).collect()
}

/// The interval that leaves out 2.5 % of the values at either end; `None` without values, or with one that is not a number.
#[must_use]
pub fn middle(mut values: Vec<f64>) -> Option<Interval> {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[(share * (values.len() - 1) as f64).round() as usize];
    Some(Interval { low: at(0.025), high: at(0.975) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_sample_stay_together() {
        let samples: Vec<[f64; 2]> = (1..=30).map(|i| [f64::from(i), 3.0 * f64::from(i)]).collect();
        let means = resample(&samples, 5);
        assert_eq!(means.len(), DRAWS);
        assert!(means.iter().all(|[a, b]| (b / a - 3.0).abs() < 1e-9));
        assert_eq!(means, resample(&samples, 5));
        assert_ne!(means, resample(&samples, 6));
        assert!(resample::<1>(&[], 1).is_empty());
    }

    #[test]
    fn the_middle_of_values() {
        let interval = middle((0..=1000).rev().map(f64::from).collect()).unwrap();
        assert_eq!((interval.low, interval.high), (25.0, 975.0));
        assert_eq!(middle(vec![7.0]), Some(Interval { low: 7.0, high: 7.0 }));
        assert_eq!(middle(vec![]), None);
        assert_eq!(middle(vec![1.0, f64::NAN]), None);
    }
}
