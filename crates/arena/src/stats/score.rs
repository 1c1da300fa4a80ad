//! Counts of single games and of pairs of games, and what they say about a difference in strength.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Add;

use super::interval::wilson_of_share;
use super::{ELO_PER_DEVIATION, Interval, Z95, elo_of, two_decimals};

/// Won, drawn and lost games of one player.
///
/// ```
/// use quintet_arena::stats::Wdl;
///
/// let summary = Wdl { wins: 76, draws: 123, losses: 89 }.summary().unwrap();
/// assert_eq!(summary.normalized_elo().unwrap().to_string(), "-20.76 +- 40.13");
/// assert_eq!(format!("{:.2} %", 100.0 * summary.los()), "15.53 %");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// How many games.
    #[must_use]
    pub fn n(self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The same games from the other player's view.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The statistics of these games; `None` for no games.
    #[must_use]
    pub fn summary(self) -> Option<Summary> {
        let cells =
            [(self.losses, 0.0), (self.draws, 0.5), (self.wins, 1.0)].map(|(count, score)| (count as f64, score));
        Summary::of(&cells, 1, 0.0)
    }

    /// The score with its 95 % interval, in per cent.
    ///
    /// ```
    /// use quintet_arena::stats::Wdl;
    /// assert_eq!(Wdl { wins: 60, draws: 0, losses: 40 }.percent(), "60.0 % (50.4-69.6)");
    /// ```
    #[must_use]
    pub fn percent(self) -> String {
        match self.summary() {
            None => "no games".into(),
            Some(summary) => {
                let interval = summary.interval();
                format!("{:.1} % ({:.1}-{:.1})", 100.0 * summary.score(), 100.0 * interval.low, 100.0 * interval.high)
            }
        }
    }
}

impl Add for Wdl {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins.saturating_add(other.wins),
            draws: self.draws.saturating_add(other.draws),
            losses: self.losses.saturating_add(other.losses),
        }
    }
}

impl std::iter::Sum for Wdl {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// As `W-D-L`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.draws, self.losses)
    }
}

/// The games of the seat that moves first, of all games of one player: those it began and those it did not.
///
/// ```
/// use quintet_arena::stats::{Wdl, first_seat};
///
/// let began = Wdl { wins: 7, draws: 1, losses: 2 };
/// let followed = Wdl { wins: 4, draws: 0, losses: 6 };
/// assert_eq!(first_seat(began, followed), Wdl { wins: 13, draws: 1, losses: 6 });
/// ```
#[must_use]
pub fn first_seat(began: Wdl, followed: Wdl) -> Wdl {
    began + followed.swapped()
}

/// Pairs of games: one opening played twice with the seats swapped, counted by the two results of one player.
///
/// The pair is the unit: the luck of an unfair opening cancels within it, so its spread is smaller than that of two
/// games on their own. `wl` and `dd` score the same and are kept apart for the reader only.
///
/// ```
/// use quintet_arena::stats::Pairs;
///
/// let pairs = Pairs { ll: 34, ld: 54, wl: 31, dd: 32, wd: 64, ww: 75 };
/// let summary = pairs.summary().unwrap();
/// assert_eq!(summary.elo().to_string(), "55.58 +- 27.65");
/// assert_eq!(summary.normalized_elo().unwrap().to_string(), "57.94 +- 28.28");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pairs {
    /// Both lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

impl Pairs {
    /// What an empty class counts, so that an unseen class is not taken for impossible.
    const EMPTY: f64 = 1e-3;

    /// How many pairs.
    #[must_use]
    pub fn n(self) -> u64 {
        [self.ll, self.ld, self.wl, self.dd, self.wd, self.ww].into_iter().fold(0, u64::saturating_add)
    }

    /// The same pairs from the other player's view.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { ll: self.ww, ld: self.wd, wl: self.wl, dd: self.dd, wd: self.ld, ww: self.ll }
    }

    /// The single games.
    #[must_use]
    pub fn games(self) -> Wdl {
        let twice = |count: u64| count.saturating_mul(2);
        Wdl {
            wins: twice(self.ww).saturating_add(self.wd).saturating_add(self.wl),
            draws: twice(self.dd).saturating_add(self.wd).saturating_add(self.ld),
            losses: twice(self.ll).saturating_add(self.ld).saturating_add(self.wl),
        }
    }

    /// The statistics of these pairs; `None` for no pairs.
    #[must_use]
    pub fn summary(self) -> Option<Summary> {
        let even = self.wl as f64 + self.dd as f64;
        let cells =
            [(self.ll as f64, 0.0), (self.ld as f64, 0.25), (even, 0.5), (self.wd as f64, 0.75), (self.ww as f64, 1.0)];
        Summary::of(&cells, 2, Self::EMPTY)
    }
}

/// A value with its 95 % interval, as far as the games determine them. Nothing in it is infinite: what no number of this size can say is absent.
///
/// Prints as `40.70 +- 30.43`; where the interval is open, as `at least 286.61` or `636.43 (at least 442.12)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value; `None` where no finite one fits, as for a player who won every game.
    pub value: Option<f64>,
    /// The lower end of its interval; `None` where it has none.
    pub low: Option<f64>,
    /// The upper end; `None` where it has none.
    pub high: Option<f64>,
}

impl Estimate {
    /// Of numbers that may be infinite.
    fn of(value: f64, low: f64, high: f64) -> Self {
        let [value, low, high] = [value, low, high].map(|number| Some(number).filter(|number| number.is_finite()));
        Self { value, low, high }
    }

    /// The x of "+- x": half of the width of the interval, where it has two ends and a value.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        self.value.and(Some((self.high? - self.low?) / 2.0))
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match (self.low, self.high) {
            (Some(low), None) => format!("at least {}", two_decimals(low)),
            (None, Some(high)) => format!("at most {}", two_decimals(high)),
            (None, None) => "too few games for a bound".into(),
            (Some(low), Some(high)) => format!("from {} to {}", two_decimals(low), two_decimals(high)),
        };
        match (self.value, self.error()) {
            (Some(value), Some(error)) => write!(f, "{} +- {}", two_decimals(value), two_decimals(error)),
            (Some(value), None) => write!(f, "{} ({bound})", two_decimals(value)),
            (None, _) => f.write_str(&bound),
        }
    }
}

/// What a sample of games, or of pairs, says. Made by [`Wdl::summary`] and [`Pairs::summary`].
///
/// A sample in which every result is the same has no spread to take an error from. Then the score's interval is
/// Wilson's and the likelihood of superiority the sign test's, which need no spread, and there is no normalized Elo
/// unless the score is 1/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The score as it happened.
    score: f64,
    /// The number of units (games or pairs), the mean of their scores and its variance, with empty classes filled up.
    pub(super) n: f64,
    pub(super) mean: f64,
    pub(super) variance: f64,
    /// Games per unit.
    pub(super) games_per_unit: f64,
}

impl Summary {
    /// Of `(count, score)` classes. Once two classes have been seen, the others count `empty`.
    fn of(cells: &[(f64, f64)], games_per_unit: u8, empty: f64) -> Option<Self> {
        let moments = |cells: &mut dyn Iterator<Item = (f64, f64)>| {
            let (n, sum) = cells.fold((0.0, 0.0), |(n, sum), (count, score)| (n + count, sum + count * score));
            (n, sum / n)
        };
        let (mut n, score) = moments(&mut cells.iter().copied());
        if n == 0.0 {
            return None;
        }
        let (mut mean, mut variance) = (score, 0.0);
        if cells.iter().filter(|cell| cell.0 > 0.0).count() > 1 {
            let filled = || cells.iter().map(|&(count, score)| (if count > 0.0 { count } else { empty }, score));
            (n, mean) = moments(&mut filled());
            variance = filled().map(|(count, score)| count * (score - mean).powi(2)).sum::<f64>() / n;
        }
        Some(Self { score, n, mean, variance, games_per_unit: f64::from(games_per_unit) })
    }

    /// The score: 1 is every game won, 1/2 equality.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The variance of the score of one game, or of one pair.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// Whether the results differ at all. If not, errors rest on the number of games alone.
    #[must_use]
    pub fn has_spread(&self) -> bool {
        self.variance > 0.0
    }

    /// The 95 % interval of the score by the normal distribution; Wilson's for a sample without spread.
    #[must_use]
    pub fn interval(&self) -> Interval {
        if self.has_spread() {
            Interval::around(self.mean, Z95 * (self.variance / self.n).sqrt())
        } else {
            wilson_of_share(self.mean, self.n)
        }
    }

    /// The difference in Elo that the score stands for.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let Interval { low, high } = self.interval();
        Estimate::of(elo_of(self.mean), elo_of(low), elo_of(high))
    }

    /// The normalized Elo: the score's distance from 1/2 in standard deviations of a game, scaled to look like Elo.
    /// Unlike Elo it does not shrink when openings or rules make draws common.
    ///
    /// `None` where every result is the same: then it has no scale.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let value = Some(ELO_PER_DEVIATION * self.deviations()).filter(|value| value.is_finite())?;
        let error = Z95 * ELO_PER_DEVIATION / (self.games_per_unit * self.n).sqrt();
        Some(Estimate::of(value, value - error, value + error))
    }

    /// The likelihood of superiority: how probable it is that the player is the stronger one, from 0 to 1. Without spread it is the
    /// sign test's, so that a few equal results do not pass for certainty.
    #[must_use]
    pub fn los(&self) -> f64 {
        match self.mean.total_cmp(&0.5) {
            _ if self.has_spread() => libm::erfc(-self.z() / std::f64::consts::SQRT_2) / 2.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 1.0 - self.p_value() / 2.0,
            Ordering::Less => self.p_value() / 2.0,
        }
    }

    /// The two-sided p-value of the score against 1/2: by the normal distribution, or by the sign test for a sample
    /// without spread.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        if self.has_spread() {
            libm::erfc(self.z().abs() / std::f64::consts::SQRT_2)
        } else if self.mean == 0.5 {
            1.0
        } else {
            (2.0 * 0.5f64.powf(self.n)).min(1.0)
        }
    }

    /// The score's distance from 1/2 in standard deviations of one game.
    pub(super) fn deviations(&self) -> f64 {
        ratio(self.mean - 0.5, (self.games_per_unit * self.variance).sqrt())
    }

    /// The same in standard errors.
    fn z(&self) -> f64 {
        ratio(self.mean - 0.5, (self.variance / self.n).sqrt())
    }
}

/// A quotient whose limit for a vanishing divisor is 0 for 0, else infinite.
fn ratio(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a / b }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wdl(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    fn texts(summary: Summary) -> [String; 3] {
        [
            summary.elo().to_string(),
            summary.normalized_elo().map_or_else(|| "none".into(), |elo| elo.to_string()),
            format!("{} %", two_decimals(100.0 * summary.los())),
        ]
    }

    #[test]
    fn known_numbers_of_single_games() {
        assert_eq!(texts(wdl(76, 123, 89).summary().unwrap()), ["-15.69 +- 30.46", "-20.76 +- 40.13", "15.53 %"]);
        assert_eq!(texts(wdl(136, 111, 96).summary().unwrap()), ["40.70 +- 30.43", "49.77 +- 36.77", "99.60 %"]);
        let summary = wdl(76, 123, 89).summary().unwrap();
        assert_eq!(summary.interval().to_string(), "[43.38, 52.11]");
        // By hand: s = 1/2, v = (1/4 + 1/4) / 4, h = 1.96 sqrt(1/32).
        let even = wdl(1, 2, 1).summary().unwrap();
        assert_eq!((even.score(), even.variance()), (0.5, 0.125));
        assert_eq!(even.interval().to_string(), "[15.35, 84.65]");
    }

    #[test]
    fn known_numbers_of_pairs() {
        let pairs = Pairs { ll: 34, ld: 54, wl: 31, dd: 32, wd: 64, ww: 75 };
        assert_eq!(texts(pairs.summary().unwrap()), ["55.58 +- 27.65", "57.94 +- 28.28", "100.00 %"]);
        assert_eq!(pairs.n(), 290);
        assert_eq!(pairs.games(), wdl(245, 182, 153));
    }

    #[test]
    fn even_pairs_are_one_class() {
        let [a, b] = [(10, 0), (3, 7)].map(|(wl, dd)| Pairs { ll: 5, ld: 1, wl, dd, wd: 2, ww: 9 }.summary());
        assert_eq!(a, b);
    }

    #[test]
    fn empty_classes_count_a_thousandth() {
        let summary = Pairs { wl: 5, ww: 5, ..Pairs::default() }.summary().unwrap();
        assert_eq!(summary.score(), 0.75);
        assert!((summary.n - 10.003).abs() < 1e-12);
        assert!((summary.mean - (2.5 + 5.0 + 0.001) / 10.003).abs() < 1e-12);
    }

    #[test]
    fn edges_are_defined() {
        assert_eq!(Wdl::default().summary(), None);
        assert_eq!(Pairs::default().summary(), None);
        assert_eq!(texts(wdl(20, 0, 0).summary().unwrap()), ["at least 286.61", "none", "100.00 %"]);
        assert_eq!(texts(wdl(0, 0, 20).summary().unwrap()), ["at most -286.61", "none", "0.00 %"]);
        // Two won games prove little.
        assert_eq!(texts(wdl(2, 0, 0).summary().unwrap()), ["at least -113.39", "none", "75.00 %"]);
        assert_eq!(wdl(1, 0, 1).summary().unwrap().elo().to_string(), "0.00 (too few games for a bound)");
        // All drawn: Wilson's interval of 10 in 20 is 29.93 to 70.07, and -400 lg(1/0.7007 - 1) = 147.77.
        assert_eq!(texts(wdl(0, 20, 0).summary().unwrap()), ["0.00 +- 147.77", "0.00 +- 152.27", "50.00 %"]);
        // The interval reaches 1.
        assert_eq!(wdl(19, 1, 0).summary().unwrap().elo().to_string(), "636.43 (at least 442.12)");
        assert_eq!(
            texts(Pairs { ww: 9, ..Pairs::default() }.summary().unwrap()),
            ["at least 147.89", "none", "99.80 %"]
        );
        assert_eq!(texts(Pairs { dd: 9, ..Pairs::default() }.summary().unwrap())[2], "50.00 %");
        let most = wdl(u64::MAX, u64::MAX, u64::MAX);
        assert_eq!(most.n(), u64::MAX);
        assert!((most.summary().unwrap().score() - 0.5).abs() < 1e-12);
        assert_eq!((most + most).wins, u64::MAX);
    }

    #[test]
    fn p_values() {
        // z = 1.96 leaves 5 %.
        let summary = Summary { score: 0.598, n: 100.0, mean: 0.598, variance: 0.25, games_per_unit: 1.0 };
        assert!((summary.p_value() - 0.05).abs() < 1e-4);
        assert_eq!(wdl(0, 7, 0).summary().unwrap().p_value(), 1.0);
        assert_eq!(wdl(5, 0, 0).summary().unwrap().p_value(), 2.0 / 32.0);
        assert_eq!(wdl(1, 0, 0).summary().unwrap().p_value(), 1.0);
    }

    #[test]
    fn sums_and_seats() {
        assert_eq!([wdl(1, 2, 3), wdl(10, 20, 30)].into_iter().sum::<Wdl>(), wdl(11, 22, 33));
        assert_eq!(first_seat(wdl(5, 0, 0), wdl(0, 0, 5)), wdl(10, 0, 0));
        assert_eq!(wdl(1, 2, 3).to_string(), "1-2-3");
    }

    fn close(a: f64, b: f64) -> bool {
        a == b || (a - b).abs() <= 1e-6 * (1.0 + a.abs())
    }

    fn check(summary: Summary, mirror: Summary) -> Result<(), TestCaseError> {
        prop_assert!(summary.interval().contains(summary.score()));
        prop_assert!(!summary.p_value().is_nan() && summary.p_value() <= 1.0);
        prop_assert!((0.0..=1.0).contains(&summary.los()));
        prop_assert!(close(summary.los(), 1.0 - mirror.los()));
        prop_assert!(close(summary.p_value(), mirror.p_value()));
        let equal = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(a == b, |(a, b)| close(a, b) && a.is_finite());
        for estimate in [|summary: &Summary| Some(summary.elo()), Summary::normalized_elo] {
            let (a, b) = (estimate(&summary), estimate(&mirror));
            prop_assert_eq!(a.is_some(), b.is_some());
            let (Some(a), Some(b)) = (a, b) else { continue };
            prop_assert!(equal(a.value, b.value.map(|value| -value)), "{a:?} {b:?}");
            prop_assert!(equal(a.low, b.high.map(|high| -high)), "{a:?} {b:?}");
            prop_assert!(equal(a.error(), b.error()) && a.error().is_none_or(|error| error > 0.0), "{a:?} {b:?}");
            prop_assert!(!a.to_string().contains("inf") && !a.to_string().contains("NaN"));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn swapping_the_players_mirrors_single_games(wins in 0u64..300, draws in 0u64..300, losses in 0u64..300) {
            let games = wdl(wins, draws, losses);
            prop_assume!(games.n() > 0);
            check(games.summary().unwrap(), games.swapped().summary().unwrap())?;
        }

        #[test]
        fn swapping_the_players_mirrors_pairs(counts in prop::array::uniform6(0u64..40)) {
            let [ll, ld, wl, dd, wd, ww] = counts;
            let pairs = Pairs { ll, ld, wl, dd, wd, ww };
            prop_assume!(pairs.n() > 0);
            let summary = pairs.summary().unwrap();
            check(summary, pairs.swapped().summary().unwrap())?;
            prop_assert_eq!(pairs.games().n(), 2 * pairs.n());
            prop_assert!(close(summary.score(), pairs.games().summary().unwrap().score()));
        }

        #[test]
        fn more_games_narrow_the_interval(wins in 0u64..300, draws in 0u64..300, losses in 0u64..300, times in 2u64..50) {
            prop_assume!(wins + draws + losses > 0);
            let few = wdl(wins, draws, losses).summary().unwrap();
            let many = wdl(wins * times, draws * times, losses * times).summary().unwrap();
            prop_assert!(close(few.score(), many.score()));
            prop_assert!(many.interval().half_width() < few.interval().half_width());
            let errors = |estimate: Option<Estimate>| estimate.and_then(|estimate| estimate.error()).unwrap_or(f64::INFINITY);
            prop_assert!(errors(Some(many.elo())) <= errors(Some(few.elo())));
            let (many, few) = (many.normalized_elo(), few.normalized_elo());
            prop_assert!(few.is_none() || errors(many) < errors(few));
        }
    }
}
