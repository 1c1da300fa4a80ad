//! The sequential probability ratio test: games until one of two claims about a difference in Elo can be accepted.

use std::fmt;

use super::{ELO_PER_DEVIATION, Summary, expected};

/// In which Elo the two claims are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// The Elo of the score.
    Logistic,
    /// The normalized Elo, which needs as many games with many draws as with few.
    Normalized,
}

/// Why a test cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The claims are not two numbers in order.
    #[error("the first Elo must be below the second: {0} is not below {1}")]
    Order(f64, f64),
    /// A chance of error out of range.
    #[error("a chance of error must be above 0 and below 0.5, not {0}")]
    Chance(f64),
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The first claim, the smaller Elo.
    AcceptH0,
    /// The second claim, the larger Elo.
    AcceptH1,
    /// More games are needed.
    GoOn,
}

/// In words.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AcceptH0 => "accept H0",
            Self::AcceptH1 => "accept H1",
            Self::GoOn => "go on",
        })
    }
}

/// A test of H0 (the difference is `elo0`) against H1 (it is `elo1`).
///
/// ```
/// use quintet_arena::stats::{Decision, Model, Sprt, Wdl};
///
/// let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized)?;
/// let games = Wdl { wins: 36433, draws: 68692, losses: 36027 }.summary().unwrap();
/// assert_eq!(format!("{:.2}", sprt.llr(&games)), "0.92");
/// assert_eq!(sprt.decide(&games), Decision::GoOn);
/// # Ok::<(), quintet_arena::stats::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A test that accepts H1 wrongly with chance `alpha` and H0 wrongly with chance `beta`.
    ///
    /// # Errors
    /// Unless `elo0 < elo1` and both chances lie between 0 and 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Order(elo0, elo1));
        }
        if let Some(&chance) = [alpha, beta].iter().find(|&&chance| !(chance > 0.0 && chance < 0.5)) {
            return Err(SprtError::Chance(chance));
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The log likelihood ratios at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log likelihood ratio of H1 to H0.
    #[must_use]
    pub fn llr(&self, sample: &Summary) -> f64 {
        if !sample.has_spread() {
            return self.llr_without_spread(sample);
        }
        match self.model {
            Model::Logistic => {
                let (s0, s1) = (expected(self.elo0), expected(self.elo1));
                sample.n * (s1 - s0) * (2.0 * sample.mean - s0 - s1) / (2.0 * sample.variance)
            }
            Model::Normalized => {
                let t = sample.deviations();
                let miss = |elo: f64| (t - elo / ELO_PER_DEVIATION).powi(2).ln_1p();
                sample.games_per_unit * sample.n / 2.0 * (miss(self.elo0) - miss(self.elo1))
            }
        }
    }

    /// What the games so far say.
    #[must_use]
    pub fn decide(&self, sample: &Summary) -> Decision {
        let (lower, upper) = self.bounds();
        let llr = self.llr(sample);
        if llr >= upper {
            Decision::AcceptH1
        } else if llr <= lower {
            Decision::AcceptH0
        } else {
            Decision::GoOn
        }
    }

    /// About how many games the test takes when the truth lies midway between the claims: the worst case. For logistic
    /// Elo that is without draws; draws make it shorter.
    #[must_use]
    pub fn worst_case_games(&self) -> f64 {
        let (lower, upper) = self.bounds();
        -lower * upper * (ELO_PER_DEVIATION / (self.elo1 - self.elo0)).powi(2)
    }

    /// Where every result is the same, the usual ratios divide by a variance of 0 and would accept H1 after one won
    /// game. The exact ratio needs no variance: if all results score x, the likeliest world with mean m gives x the
    /// chance m/x below x and (1-m)/(1-x) above it.
    fn llr_without_spread(&self, sample: &Summary) -> f64 {
        let x = sample.mean;
        let chance = |elo: f64| {
            let m = match self.model {
                Model::Logistic => expected(elo),
                // Without draws, since their number is unknown.
                Model::Normalized => {
                    let t = elo / ELO_PER_DEVIATION;
                    0.5 + 0.5 * t / (1.0 + t * t).sqrt()
                }
            };
            // Keeps a claim whose mean rounds to 0 or 1 just possible.
            (if m < x { m / x } else { (1.0 - m) / (1.0 - x).max(f64::MIN_POSITIVE) }).clamp(1e-300, 1.0)
        };
        sample.n * (chance(self.elo1).ln() - chance(self.elo0).ln())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Pairs, Wdl};
    use super::*;

    fn five_percent(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    fn games(wins: u64, draws: u64, losses: u64) -> Summary {
        Wdl { wins, draws, losses }.summary().unwrap()
    }

    #[test]
    fn known_numbers() {
        let text = |sprt: Sprt, sample: Summary| format!("{:.2}", sprt.llr(&sample));
        assert_eq!(text(five_percent(0.0, 2.0, Model::Normalized), games(36433, 68692, 36027)), "0.92");
        assert_eq!(text(five_percent(0.5, 2.5, Model::Logistic), games(21404, 40708, 21184)), "-1.57");
        let pairs = Pairs { ll: 34, ld: 54, wl: 31, dd: 32, wd: 64, ww: 75 }.summary().unwrap();
        assert_eq!(text(five_percent(0.0, 10.0, Model::Logistic), pairs), "2.66");
        assert_eq!(text(five_percent(0.0, 10.0, Model::Normalized), pairs), "2.49");
        let (lower, upper) = five_percent(0.0, 2.0, Model::Normalized).bounds();
        assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.94 2.94");
    }

    #[test]
    fn unequal_chances_of_error() {
        let (lower, upper) = Sprt::new(0.0, 5.0, 0.01, 0.1, Model::Logistic).unwrap().bounds();
        assert!((lower - (0.1f64 / 0.99).ln()).abs() < 1e-12 && (upper - 90f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn decisions() {
        for model in [Model::Logistic, Model::Normalized] {
            let sprt = five_percent(0.0, 20.0, model);
            assert_eq!(sprt.decide(&games(600, 500, 400)), Decision::AcceptH1);
            assert_eq!(sprt.decide(&games(400, 500, 600)), Decision::AcceptH0);
            assert_eq!(sprt.decide(&games(6, 5, 4)), Decision::GoOn);
        }
    }

    #[test]
    fn a_sample_without_spread_decides_late_and_right() {
        for model in [Model::Logistic, Model::Normalized] {
            let sprt = five_percent(0.0, 50.0, model);
            assert_eq!(sprt.decide(&games(1, 0, 0)), Decision::GoOn);
            assert_eq!(sprt.decide(&games(100, 0, 0)), Decision::AcceptH1);
            assert_eq!(sprt.decide(&games(0, 0, 100)), Decision::AcceptH0);
            assert_eq!(sprt.decide(&games(0, 100, 0)), Decision::AcceptH0);
            assert_eq!(sprt.decide(&Pairs { ww: 100, ..Pairs::default() }.summary().unwrap()), Decision::AcceptH1);
        }
        // By hand: 10 ln((1/(1 + 10^-0.25)) / 0.5) for [0, 100].
        let llr = five_percent(0.0, 100.0, Model::Logistic).llr(&games(10, 0, 0));
        assert!((llr - 10.0 * (2.0 / (1.0 + 10f64.powf(-0.25))).ln()).abs() < 1e-9);
    }

    #[test]
    fn bad_tests_are_refused() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, Model::Logistic);
        assert_eq!(new(2.0, 2.0, 0.05, 0.05), Err(SprtError::Order(2.0, 2.0)));
        assert!(new(f64::NAN, 2.0, 0.05, 0.05).is_err());
        assert!(new(0.0, f64::INFINITY, 0.05, 0.05).is_err());
        assert_eq!(new(0.0, 2.0, 0.0, 0.05), Err(SprtError::Chance(0.0)));
        assert_eq!(new(0.0, 2.0, 0.05, 0.5), Err(SprtError::Chance(0.5)));
        assert!(new(0.0, 2.0, 0.05, f64::NAN).is_err());
    }

    #[test]
    fn sizes() {
        let games = |window: f64| five_percent(0.0, window, Model::Normalized).worst_case_games();
        assert_eq!(games(1.0).round(), 1_046_535.0);
        assert_eq!((games(5.0) / 1000.0).round(), 42.0);
        assert_eq!((games(20.0) / 100.0).round(), 26.0);
        assert_eq!((games(50.0) / 10.0).round(), 42.0);
    }

    proptest! {
        #[test]
        fn swapping_players_and_claims_negates_the_ratio(
            wins in 0u64..200, draws in 0u64..200, losses in 0u64..200, elo0 in -900.0..900.0f64, window in 0.1..900.0f64,
        ) {
            let counts = Wdl { wins, draws, losses };
            prop_assume!(counts.n() > 0);
            for model in [Model::Logistic, Model::Normalized] {
                let here = five_percent(elo0, elo0 + window, model).llr(&counts.summary().unwrap());
                let there = five_percent(-elo0 - window, -elo0, model).llr(&counts.swapped().summary().unwrap());
                prop_assert!(here.is_finite());
                prop_assert!((here + there).abs() <= 1e-6 * (1.0 + here.abs()), "{here} {there}");
            }
        }
    }
}
