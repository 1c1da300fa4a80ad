//! Intervals of numbers other than shares of games, by drawing the samples again.

use quintet_arena::stats::Interval;
use quintet_game::bits::mix;

/// Samples are drawn again this often.
const ROUNDS: u64 = 1000;

/// The 95 % interval of a statistic of samples: they are drawn again with replacement, as many as there are in each group, and the middle
/// 95 % of what the statistic makes of the draws count. `None` when it has no value for most draws.
pub(super) fn bootstrap(groups: &[Vec<usize>], statistic: impl Fn(&[usize]) -> f64) -> Option<Interval> {
    let mut thrown = 0;
    let mut one_of = |group: &[usize]| {
        thrown += 1;
        group[(mix(thrown) % group.len() as u64) as usize]
    };
    let mut values: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let drawn: Vec<usize> =
                groups.iter().flat_map(|group| group.iter().map(|_| one_of(group)).collect::<Vec<_>>()).collect();
            statistic(&drawn)
        })
        .filter(|value| value.is_finite())
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get((share * values.len() as f64) as usize).copied();
    let enough = values.len() as u64 > ROUNDS / 2;
    Some(Interval { low: at(0.025)?, high: at(0.975)? }).filter(|_| enough)
}

/// An interval in parentheses, with as many decimals as its number has.
pub(super) fn ends(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or("(no interval)".into(), |Interval { low, high }| format!("({low:.decimals$} to {high:.decimals$})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of 400 even and odd numbers: its interval is the normal one, and other draws of a group do not touch another.
    #[test]
    fn intervals_are_those_of_the_normal_distribution() {
        let all: Vec<usize> = (0..400).collect();
        let mean = |drawn: &[usize]| drawn.iter().map(|n| (n % 2) as f64).sum::<f64>() / drawn.len() as f64;
        let Interval { low, high } = bootstrap(std::slice::from_ref(&all), mean).unwrap();
        // 0.5 +- 1.96 * 0.5 / 20.
        assert!((low - 0.451).abs() < 0.01 && (high - 0.549).abs() < 0.01, "{low} {high}");
        let groups = [
            all.iter().copied().filter(|n| n % 2 == 0).collect(),
            all.iter().copied().filter(|n| n % 2 == 1).collect(),
        ];
        assert_eq!(bootstrap(&groups, mean), Some(Interval { low: 0.5, high: 0.5 }));
        assert_eq!(bootstrap(&[all], |_| f64::NAN), None);
        assert_eq!(ends(Some(Interval { low: -0.25, high: 0.5 }), 1), "(-0.2 to 0.5)");
    }
}
