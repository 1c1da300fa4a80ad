//! Does our result agree with a printed one?
//!
//! A point estimate never decides: every verdict rests on 95 % intervals alone.

use std::cmp::Ordering;
use std::fmt;

use super::{Interval, Wdl, two_decimals, wilson};

/// An interval, or a difference, beyond +- this says too little to judge by.
const WIDEST: f64 = 0.25;

/// The games behind a percentage that a paper prints without their number.
const ASSUMED: u64 = 100;

/// How far a ratio of ours may lie from a printed one.
const FACTOR: f64 = 2.0;

/// The share of a printed number by which ours may be off, where it is neither a share of games nor a ratio of times.
const NEAR: f64 = 0.2;

/// What a paper prints about a pairing.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// No number and no claim: the row is ours.
    Nothing,
    /// `k` successes out of `n` games.
    Share {
        /// Successes.
        k: u64,
        /// Games.
        n: u64,
    },
    /// Games won, drawn and lost.
    Games(Wdl),
    /// A score from 0 to 1 without a number of games: judged as if it were of 100.
    Score(f64),
    /// A claim without numbers: the score lies above this.
    Above(f64),
    /// A claim without numbers: the score lies below this.
    Below(f64),
    /// Something that no run of ours can be compared with, and why: games against people, impossible numbers.
    Incomparable(String),
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The paper's direction is kept, and the interval of the difference holds 0 and lies within +-25 points.
    Agrees,
    /// A claim without numbers, and our whole interval lies on the claimed side.
    SameDirection,
    /// A direction is claimed or printed, and our interval reaches equality.
    NotShown,
    /// None of these.
    Differs,
    /// There is nothing sound to compare with: people, impossible numbers, too few games behind the printed number.
    CannotBeCompared,
    /// Our own interval is wider than +-25 points, or we have too few games for one.
    TooFewGames,
    /// The paper has neither number nor claim.
    OursOnly,
}

/// As reports print it.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "agrees",
            Self::SameDirection => "same direction",
            Self::NotShown => "not shown",
            Self::Differs => "differs",
            Self::CannotBeCompared => "cannot be compared",
            Self::TooFewGames => "too few games",
            Self::OursOnly => "ours only",
        })
    }
}

/// A verdict with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub reason: String,
    /// The paper's interval, if it prints enough for one.
    pub paper: Option<Interval>,
    /// Our interval, if there are games.
    pub ours: Option<Interval>,
    /// The 95 % interval of ours minus the paper's, from -1 to 1.
    pub difference: Option<Interval>,
}

impl Judgement {
    fn new(verdict: Verdict, reason: impl Into<String>, ours: Option<Interval>) -> Judgement {
        Judgement { verdict, reason: reason.into(), paper: None, ours, difference: None }
    }
}

/// Compares our games with what a paper prints.
///
/// ```
/// use quintet_arena::stats::{Printed, Verdict, Wdl, judge};
///
/// let ours = Wdl { wins: 6, draws: 0, losses: 394 };
/// let judgement = judge(&Printed::Score(0.3), ours);
/// assert_eq!(judgement.verdict, Verdict::Differs);
/// assert_eq!(judgement.reason, "the difference is -38 to -20 points, which does not hold 0; the paper prints no number of games, 100 are assumed");
/// ```
#[must_use]
pub fn judge(paper: &Printed, ours: Wdl) -> Judgement {
    let interval = interval_of_games(ours);
    let impossible = |what: String| {
        Judgement::new(Verdict::CannotBeCompared, format!("the paper's numbers are impossible: {what}"), interval)
    };
    let (printed, assumed) = match paper {
        Printed::Nothing => {
            return Judgement::new(Verdict::OursOnly, "the paper prints no number for it", interval);
        }
        Printed::Incomparable(why) => return Judgement::new(Verdict::CannotBeCompared, why, interval),
        Printed::Above(bound) | Printed::Below(bound) => {
            let claimed = if matches!(paper, Printed::Above(_)) { Ordering::Greater } else { Ordering::Less };
            let (verdict, reason) = judge_claim(claimed, *bound, interval);
            return Judgement::new(verdict, reason, interval);
        }
        Printed::Share { k, n } if wilson(*k, *n).is_none() => return impossible(format!("{k} of {n}")),
        Printed::Share { k, n } => (Wdl { wins: *k, draws: 0, losses: n - k }, false),
        Printed::Games(games) if games.n() == 0 => return impossible(format!("{games} games")),
        Printed::Games(games) => (*games, false),
        Printed::Score(score) if !(0.0..=1.0).contains(score) => return impossible(format!("a score of {score}")),
        Printed::Score(score) => {
            let wins = (score * ASSUMED as f64).round() as u64;
            (Wdl { wins, draws: 0, losses: ASSUMED - wins }, true)
        }
    };
    let paper = interval_of_games(printed);
    let both = paper.zip(printed.summary()).zip(interval.zip(ours.summary()));
    let Some(((theirs, their_score), (own, our_score))) = both else {
        return Judgement { paper, ..Judgement::new(Verdict::TooFewGames, "we have no games", interval) };
    };
    let difference = difference((our_score.score(), own), (their_score.score(), theirs));
    let (verdict, mut reason) = weigh(theirs, own, difference);
    if assumed {
        reason += &format!("; the paper prints no number of games, {ASSUMED} are assumed");
    }
    Judgement { verdict, reason, paper, ours: interval, difference: Some(difference) }
}

/// The verdict on a score that is printed without a number of games, by a value of ours and its interval.
///
/// ```
/// use quintet_arena::stats::{Verdict, judge_score, wilson};
///
/// assert_eq!(judge_score(0.3, (0.021, wilson(21, 1000).unwrap())).0, Verdict::Differs);
/// ```
#[must_use]
pub fn judge_score(printed: f64, ours: (f64, Interval)) -> (Verdict, String) {
    let Some(paper) = wilson((printed * ASSUMED as f64).round() as u64, ASSUMED) else {
        return (Verdict::CannotBeCompared, format!("the paper's number is impossible: a score of {printed}"));
    };
    let (verdict, reason) = weigh(paper, ours.1, difference(ours, (printed, paper)));
    (verdict, format!("{reason}; the paper prints no number of games, {ASSUMED} are assumed"))
}

/// The verdict on a claim without numbers, that a value lies on one side of a bound, by the interval of ours.
///
/// ```
/// use std::cmp::Ordering;
/// use quintet_arena::stats::{Verdict, judge_claim, wilson};
///
/// let verdict = |won| judge_claim(Ordering::Greater, 0.5, wilson(won, 100)).0;
/// assert_eq!([65, 55, 35].map(verdict), [Verdict::SameDirection, Verdict::NotShown, Verdict::Differs]);
/// ```
#[must_use]
pub fn judge_claim(claimed: Ordering, bound: f64, ours: Option<Interval>) -> (Verdict, String) {
    let Some(ours) = ours else { return (Verdict::TooFewGames, "we have no games".into()) };
    let word = if claimed == Ordering::Greater { "above" } else { "below" };
    let bound_text = format!("{} %", (1000.0 * bound).round() / 10.0);
    match ours {
        _ if ours.half_width() > WIDEST => {
            (Verdict::TooFewGames, format!("our interval is {}, wider than +-25 points", points(&ours)))
        }
        _ if ours.beside(bound) == claimed => {
            (Verdict::SameDirection, format!("our whole interval lies {word} {bound_text}"))
        }
        _ if ours.beside(bound) == Ordering::Equal => {
            (Verdict::NotShown, format!("our interval reaches {bound_text}, so it does not show a score {word} it"))
        }
        _ => (Verdict::Differs, format!("our whole interval lies on the other side of {bound_text}")),
    }
}

/// The verdict on a printed ratio of two means whose spread is unknown, by the 95 % interval of ours. The whole interval has to lie within a factor of two of the printed ratio; and where
/// that is further from 1 than `tolerance`, on its side of 1.
///
/// ```
/// use quintet_arena::stats::{Interval, Verdict, judge_ratio};
///
/// let verdict = |low, high| judge_ratio(1.5, 1.2, Some(Interval { low, high })).0;
/// assert_eq!(verdict(1.1, 2.9), Verdict::Agrees);
/// assert_eq!([verdict(2.9, 3.1), verdict(0.9, 1.1)], [Verdict::NotShown; 2]);
/// assert_eq!([verdict(3.1, 3.3), verdict(0.8, 0.9)], [Verdict::Differs; 2]);
/// ```
#[must_use]
pub fn judge_ratio(printed: f64, tolerance: f64, ours: Option<Interval>) -> (Verdict, String) {
    let bounds = [printed / FACTOR, printed * FACTOR];
    let within = judge_within(bounds, ours);
    let claimed = match printed {
        _ if printed > tolerance => Ordering::Greater,
        _ if printed < 1.0 / tolerance => Ordering::Less,
        _ => return within,
    };
    let side = judge_bound(claimed, 1.0, ours);
    match (within.0, side.0) {
        (Verdict::Agrees, Verdict::NotShown | Verdict::Differs) | (Verdict::NotShown, Verdict::Differs) => side,
        _ => within,
    }
}

/// The verdict on a printed number that is neither a share of games nor a ratio of times, and whose spread is unknown: the whole 95 % interval of ours has to lie within 20 % of it.
///
/// ```
/// use quintet_arena::stats::{Interval, Verdict, judge_number};
///
/// let verdict = |low, high| judge_number(0.5, Some(Interval { low, high })).0;
/// assert_eq!([verdict(0.45, 0.6), verdict(0.55, 0.62)], [Verdict::Agrees, Verdict::NotShown]);
/// assert_eq!(verdict(0.61, 0.62), Verdict::Differs);
/// ```
#[must_use]
pub fn judge_number(printed: f64, ours: Option<Interval>) -> (Verdict, String) {
    let off = NEAR * printed.abs();
    let (verdict, reason) = judge_within([printed - off, printed + off], ours);
    (verdict, format!("{reason}, {:.0} % from the paper's", 100.0 * NEAR))
}

/// The verdict on a value that has to lie between two bounds, by the 95 % interval of ours: all of it inside, some of it, or nothing.
fn judge_within([low, high]: [f64; 2], ours: Option<Interval>) -> (Verdict, String) {
    let Some(ours) = ours else { return too_few() };
    let bounds = format!("{} to {}", two_decimals(low), two_decimals(high));
    if ours.low >= low && ours.high <= high {
        (Verdict::Agrees, format!("our whole interval lies within {bounds}"))
    } else if ours.overlaps(&Interval { low, high }) {
        (Verdict::NotShown, format!("our interval reaches beyond {bounds}"))
    } else {
        (Verdict::Differs, format!("our whole interval lies outside of {bounds}"))
    }
}

/// The verdict on a claim that a value, not a share, lies on one side of a bound, by the 95 % interval of ours.
#[must_use]
pub fn judge_bound(claimed: Ordering, bound: f64, ours: Option<Interval>) -> (Verdict, String) {
    let Some(ours) = ours else { return too_few() };
    let word = if claimed == Ordering::Greater { "above" } else { "below" };
    let bound_text = two_decimals(bound);
    match ours.beside(bound) {
        side if side == claimed => (Verdict::SameDirection, format!("our whole interval lies {word} {bound_text}")),
        Ordering::Equal => (Verdict::NotShown, format!("our interval reaches {bound_text}")),
        _ => (Verdict::Differs, format!("our whole interval lies on the other side of {bound_text}")),
    }
}

fn too_few() -> (Verdict, String) {
    (Verdict::TooFewGames, "too few games for an interval".into())
}

/// The verdict on a printed number, by the intervals of both and of their difference.
fn weigh(paper: Interval, ours: Interval, difference: Interval) -> (Verdict, String) {
    for (whose, interval, verdict) in
        [("our", ours, Verdict::TooFewGames), ("the paper's", paper, Verdict::CannotBeCompared)]
    {
        if interval.half_width() > WIDEST {
            return (verdict, format!("{whose} interval is {}, wider than +-25 points", points(&interval)));
        }
    }
    let side = paper.side();
    let kept = side == Ordering::Equal || ours.side() == side;
    let apart = format!("the difference is {:+.0} to {:+.0} points", 100.0 * difference.low, 100.0 * difference.high);
    match (kept, difference.contains(0.0)) {
        (true, true) if difference.low >= -WIDEST && difference.high <= WIDEST => {
            (Verdict::Agrees, format!("{apart}, which holds 0 and lies within +-25"))
        }
        (true, true) => {
            (Verdict::CannotBeCompared, format!("{apart}: too few games to tell agreement from 25 points apart"))
        }
        (false, _) if ours.side() == Ordering::Equal => {
            let word = if side == Ordering::Greater { "above" } else { "below" };
            (Verdict::NotShown, format!("the paper's interval lies {word} 50 %, ours reaches it; {apart}"))
        }
        (false, _) => (Verdict::Differs, format!("the two intervals lie on opposite sides of 50 %; {apart}")),
        (true, false) => (Verdict::Differs, format!("{apart}, which does not hold 0")),
    }
}

/// The 95 % interval of `ours - other` from the two values and their intervals (Newcombe's, by squares of the distances to their ends).
///
/// ```
/// use quintet_arena::stats::{difference, wilson};
///
/// // Newcombe 1998: 56 of 70 against 48 of 80.
/// let [a, b] = [(56, 70), (48, 80)].map(|(k, n)| (k as f64 / n as f64, wilson(k, n).unwrap()));
/// let apart = difference(a, b);
/// assert_eq!(format!("{:.4} {:.4}", apart.low, apart.high), "0.0524 0.3339");
/// ```
#[must_use]
pub fn difference(ours: (f64, Interval), other: (f64, Interval)) -> Interval {
    let ((a, of_a), (b, of_b)) = (ours, other);
    Interval { low: a - b - (a - of_a.low).hypot(of_b.high - b), high: a - b + (of_a.high - a).hypot(b - of_b.low) }
}

/// Wilson's where games are only won or lost (they are k of n then), else the normal one.
fn interval_of_games(games: Wdl) -> Option<Interval> {
    if games.draws == 0 { wilson(games.wins, games.n()) } else { games.summary().map(|summary| summary.interval()) }
}

fn points(interval: &Interval) -> String {
    format!("{:.0}-{:.0} %", 100.0 * interval.low, 100.0 * interval.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wdl(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    fn share(k: u64, n: u64) -> Printed {
        Printed::Share { k, n }
    }

    fn verdict(paper: &Printed, ours: Wdl) -> Verdict {
        judge(paper, ours).verdict
    }

    #[test]
    fn agrees() {
        let judgement = judge(&share(75, 100), wdl(290, 0, 110));
        assert_eq!(judgement.verdict, Verdict::Agrees);
        assert_eq!(judgement.reason, "the difference is -11 to +8 points, which holds 0 and lies within +-25");
        // The paper shows no direction, so none is asked for.
        assert_eq!(verdict(&Printed::Games(wdl(487, 14, 499)), wdl(493, 4, 503)), Verdict::Agrees);
        // A percentage without games is one of a hundred.
        assert_eq!(verdict(&Printed::Score(0.96), wdl(378, 0, 22)), Verdict::Agrees);
        assert_eq!(judge(&Printed::Score(0.96), wdl(378, 0, 22)).paper, wilson(96, 100));
    }

    #[test]
    fn differs() {
        // 1.5 % beside 30 %: the same side of one half is not enough.
        assert_eq!(verdict(&Printed::Score(0.3), wdl(6, 0, 394)), Verdict::Differs);
        assert_eq!(verdict(&share(20, 20), wdl(280, 0, 120)), Verdict::Differs);
        // On the other side.
        let judgement = judge(&share(17, 20), wdl(121, 0, 279));
        assert_eq!(judgement.verdict, Verdict::Differs);
        assert!(judgement.reason.starts_with("the two intervals lie on opposite sides"), "{}", judgement.reason);
        // No direction in the paper, and yet far apart.
        assert_eq!(verdict(&share(8, 20), wdl(311, 0, 89)), Verdict::Differs);
        assert_eq!(verdict(&Printed::Games(wdl(58, 4, 38)), wdl(392, 0, 8)), Verdict::Differs);
    }

    #[test]
    fn not_shown() {
        // 75 % of 20 is 53-89 %; ours at 49.75 % reaches one half.
        let judgement = judge(&share(15, 20), wdl(199, 0, 201));
        assert_eq!(judgement.verdict, Verdict::NotShown);
        assert!(judgement.reason.starts_with("the paper's interval lies above 50 %, ours reaches it"));
        // The point estimate lies on the claimed side: it does not decide.
        assert_eq!(verdict(&Printed::Above(0.5), wdl(216, 4, 180)), Verdict::NotShown);
        assert_eq!(verdict(&Printed::Below(0.5), wdl(190, 0, 210)), Verdict::NotShown);
        assert_eq!(verdict(&Printed::Games(wdl(41, 43, 16)), wdl(200, 14, 186)), Verdict::NotShown);
    }

    #[test]
    fn claims_without_numbers() {
        assert_eq!(verdict(&Printed::Above(0.5), wdl(253, 3, 144)), Verdict::SameDirection);
        assert_eq!(verdict(&Printed::Above(0.5), wdl(63, 0, 337)), Verdict::Differs);
        assert_eq!(verdict(&Printed::Below(0.037), wdl(0, 0, 400)), Verdict::SameDirection);
        // 4 of 100 reaches beyond.
        assert_eq!(verdict(&Printed::Below(0.037), wdl(4, 0, 96)), Verdict::NotShown);
        assert_eq!(verdict(&Printed::Above(0.9), wdl(4, 0, 396)), Verdict::Differs);
        assert_eq!(judge(&Printed::Below(0.037), wdl(0, 0, 400)).reason, "our whole interval lies below 3.7 %");
    }

    #[test]
    fn ratios_by_the_whole_interval() {
        let judged = |printed, low, high| judge_ratio(printed, 1.22, Some(Interval { low, high }));
        assert_eq!(judged(3.34, 1.7, 6.6).0, Verdict::Agrees);
        // The point estimate of 6 lies within a factor of two, its interval reaches beyond.
        assert_eq!(judged(3.34, 5.2, 6.9), (Verdict::NotShown, "our interval reaches beyond 1.67 to 6.68".into()));
        assert_eq!(judged(3.34, 14.0, 18.0).0, Verdict::Differs);
        // Within a factor of two, and yet on the other side of 1.
        assert_eq!(judged(1.42, 0.8, 0.95).0, Verdict::Differs);
        assert_eq!(judged(0.7, 1.1, 1.2).0, Verdict::Differs);
        assert_eq!(judged(1.42, 0.95, 1.1), (Verdict::NotShown, "our interval reaches 1.00".into()));
        // 1.01 claims no side.
        assert_eq!(judged(1.01, 0.8, 0.95).0, Verdict::Agrees);
        assert_eq!(judge_ratio(2.0, 1.22, None).0, Verdict::TooFewGames);
    }

    #[test]
    fn bounds_by_the_whole_interval() {
        let between = |low, high| judge_within([0.5, 1.0], Some(Interval { low, high })).0;
        assert_eq!(between(0.5, 1.0), Verdict::Agrees);
        assert_eq!([between(0.4, 0.6), between(0.9, 1.1), between(0.4, 1.1)], [Verdict::NotShown; 3]);
        assert_eq!([between(0.3, 0.4), between(1.1, 1.2)], [Verdict::Differs; 2]);
        let below = |low, high| judge_bound(Ordering::Less, 1.0, Some(Interval { low, high })).0;
        assert_eq!(below(0.8, 0.9), Verdict::SameDirection);
        assert_eq!(below(0.8, 1.0), Verdict::NotShown);
        assert_eq!(below(1.01, 1.2), Verdict::Differs);
        assert_eq!(judge_bound(Ordering::Greater, 1.0, None).0, Verdict::TooFewGames);
    }

    #[test]
    fn nothing_sound_to_compare_with() {
        let ours = wdl(200, 0, 200);
        assert_eq!(verdict(&Printed::Nothing, ours), Verdict::OursOnly);
        let people = judge(&Printed::Incomparable("the paper's games were against people".into()), ours);
        assert_eq!(people.verdict, Verdict::CannotBeCompared);
        assert_eq!(people.reason, "the paper's games were against people");
        let impossible =
            [share(21, 20), share(0, 0), Printed::Games(Wdl::default()), Printed::Score(1.2), Printed::Score(f64::NAN)];
        for paper in impossible {
            let judgement = judge(&paper, ours);
            assert_eq!(judgement.verdict, Verdict::CannotBeCompared, "{paper:?}");
            assert!(judgement.reason.contains("impossible"), "{}", judgement.reason);
        }
        // 20 games near one half can neither agree nor differ: the interval of the difference leaves +-25 points.
        let near = judge(&share(12, 20), wdl(208, 0, 192));
        assert_eq!(near.verdict, Verdict::CannotBeCompared);
        assert_eq!((near.paper, near.ours.is_some()), (wilson(12, 20), true));
        assert_eq!(verdict(&share(2, 4), ours), Verdict::CannotBeCompared);
    }

    #[test]
    fn too_few_games_of_ours() {
        assert_eq!(verdict(&share(15, 20), Wdl::default()), Verdict::TooFewGames);
        let judgement = judge(&share(15, 20), wdl(5, 0, 5));
        assert_eq!(judgement.verdict, Verdict::TooFewGames);
        assert_eq!(judgement.reason, "our interval is 24-76 %, wider than +-25 points");
        assert_eq!(verdict(&Printed::Above(0.5), wdl(3, 0, 2)), Verdict::TooFewGames);
        assert_eq!(verdict(&Printed::Above(0.5), Wdl::default()), Verdict::TooFewGames);
        // No row of ours needs games where the paper has nothing.
        assert_eq!(verdict(&Printed::Nothing, Wdl::default()), Verdict::OursOnly);
    }
}
