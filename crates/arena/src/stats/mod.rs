//! Honest statistics of games: scores with intervals, Elo, sequential tests, ratings, many comparisons at once.
//!
//! Everything here is a pure function of counts, or of samples and a seed. Counts become a [`Summary`], which is absent for no games at all; so no
//! statistic divides by zero. Where an answer would be infinite (the Elo of a player who won every game) there is a bound instead;
//! nothing is ever infinite or `NaN`.
//!
//! ```
//! use quintet_arena::stats::Wdl;
//!
//! let summary = Wdl { wins: 136, draws: 111, losses: 96 }.summary().unwrap();
//! assert_eq!(format!("Elo {}", summary.elo()), "Elo 40.70 +- 30.43");
//! ```

mod bootstrap;
mod davidson;
mod interval;
mod many;
mod ratings;
mod ratio;
mod repeats;
mod score;
mod sprt;
mod verdict;

pub use bootstrap::{middle, resample};
pub use davidson::{Davidson, Encounter};
pub use interval::{Interval, games_for, half_width, wilson};
pub use many::{Holm, holm, sign_test};
pub use ratings::{CrossTable, Rating, Ratings};
pub use ratio::ratio;
pub use repeats::{Redundancy, elo_is_meaningful, redundancy};
pub use score::{Estimate, Pairs, Summary, Wdl, first_seat};
pub use sprt::{Decision, Model, Sprt, SprtError};
pub use verdict::{
    Judgement, Printed, Verdict, difference, judge, judge_bound, judge_claim, judge_number, judge_ratio, judge_score,
};

/// Two-sided 95 % of the normal distribution, rounded as usual, so that printed results of others are reproduced.
const Z95: f64 = 1.96;

/// Elo per unit of the normalized score `(s - 1/2) / deviation`: 800 / ln 10.
const ELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The logistic score expected of a difference in Elo.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo that a score stands for; infinite at 0 and 1.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Two decimals, without a minus before zero.
///
/// ```
/// use quintet_arena::stats::two_decimals;
///
/// assert_eq!([-0.001, -1.5].map(two_decimals), ["0.00", "-1.50"]);
/// ```
#[must_use]
pub fn two_decimals(value: f64) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".into() } else { text }
}
