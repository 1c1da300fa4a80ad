//! Does our result agree with a printed one?

use std::cmp::Ordering;
use std::fmt;

use super::{Interval, Wdl, wilson};

/// An interval wider than +- this says too little to judge by.
const WIDEST: f64 = 0.25;

/// The share of its comparable cells that must agree for a table to agree.
const TABLE_SHARE: f64 = 0.9;

/// What a paper prints about a pairing.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// No number: the row is ours.
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
    /// A score from 0 to 1 without a number of games: it has a direction, but no interval.
    Score(f64),
    /// Something that no run of ours can be compared with, and why: games against people, impossible numbers.
    Incomparable(String),
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Same direction where the paper shows one, and intervals that overlap.
    Agrees,
    /// One of the two fails.
    Differs,
    /// There is nothing sound to compare with.
    CannotBeCompared,
    /// An interval is wider than +-25 points.
    TooFewGames,
    /// The paper has no number.
    OursOnly,
}

/// As reports print it.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "agrees",
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
    /// Does our score lie on the paper's side of 1/2? `None` where the paper shows no direction.
    pub direction: Option<bool>,
    /// Do the intervals overlap? `None` where one is missing.
    pub overlap: Option<bool>,
}

/// Compares our games with what a paper prints.
///
/// ```
/// use quintet_arena::stats::{Printed, Verdict, Wdl, judge};
///
/// let ours = Wdl { wins: 260, draws: 0, losses: 140 };
/// assert_eq!(judge(&Printed::Share { k: 15, n: 20 }, ours).verdict, Verdict::Agrees);
/// let judgement = judge(&Printed::Share { k: 19, n: 20 }, ours);
/// assert_eq!(judgement.verdict, Verdict::Differs);
/// assert_eq!(judgement.reason, "the intervals do not overlap: the paper's is 76-99 %, ours 60-70 %");
/// ```
#[must_use]
pub fn judge(paper: &Printed, ours: Wdl) -> Judgement {
    let our_score = ours.summary().map(|summary| summary.score());
    let mut judgement = Judgement {
        verdict: Verdict::CannotBeCompared,
        reason: String::new(),
        paper: None,
        ours: interval_of_games(ours),
        direction: None,
        overlap: None,
    };
    let side = match paper {
        Printed::Nothing => {
            judgement.reason = "the paper prints no number for it".into();
            return Judgement { verdict: Verdict::OursOnly, ..judgement };
        }
        Printed::Incomparable(reason) => return Judgement { reason: reason.clone(), ..judgement },
        Printed::Share { k, n } => {
            judgement.paper = wilson(*k, *n);
            judgement.reason = format!("the paper's numbers are impossible: {k} of {n}");
            judgement.paper.map(|interval| interval.side())
        }
        Printed::Games(games) => {
            judgement.paper = interval_of_games(*games);
            judgement.reason = format!("the paper's numbers are impossible: {games} games");
            judgement.paper.map(|interval| interval.side())
        }
        Printed::Score(score) => {
            judgement.reason = match score {
                0.5 => "the paper prints an even score and no number of games, so it shows no direction".into(),
                _ => format!("the paper's number is impossible: a score of {score}"),
            };
            (0.0..=1.0).contains(score).then(|| side(*score)).filter(|side| *side != Ordering::Equal)
        }
    };
    let Some(side) = side else { return judgement };
    let Some(our_score) = our_score else {
        return Judgement { verdict: Verdict::TooFewGames, reason: "we have no games".into(), ..judgement };
    };
    judgement.direction = (side != Ordering::Equal).then(|| self::side(our_score) == side);
    judgement.overlap = judgement.paper.zip(judgement.ours).map(|(paper, ours)| paper.overlaps(&ours));
    let (verdict, reason) = weigh(&judgement, side);
    Judgement { verdict, reason, ..judgement }
}

/// The verdict where there is something to compare.
fn weigh(judgement: &Judgement, side: Ordering) -> (Verdict, String) {
    for (whose, interval) in [("our", judgement.ours), ("the paper's", judgement.paper)] {
        if let Some(interval) = interval.filter(|interval| interval.half_width() > WIDEST) {
            return (
                Verdict::TooFewGames,
                format!("{whose} interval is {}, wider than +-25 points", points(&interval)),
            );
        }
    }
    let above = if side == Ordering::Greater { "above" } else { "below" };
    if judgement.direction == Some(false) {
        return (Verdict::Differs, format!("the paper's score lies {above} one half, ours does not"));
    }
    let (Some(paper), Some(ours)) = (judgement.paper, judgement.ours) else {
        let reason = format!("both scores lie {above} one half; the paper prints no number of games");
        return (Verdict::Agrees, reason);
    };
    let intervals = format!("the paper's is {}, ours {}", points(&paper), points(&ours));
    match judgement.overlap {
        Some(true) if side == Ordering::Equal => {
            (Verdict::Agrees, format!("the intervals overlap and the paper's shows no direction: {intervals}"))
        }
        Some(true) => {
            (Verdict::Agrees, format!("the intervals overlap and both scores lie {above} one half: {intervals}"))
        }
        _ => (Verdict::Differs, format!("the intervals do not overlap: {intervals}")),
    }
}

/// Wilson's where games are only won or lost (they are k of n then), else the normal one.
fn interval_of_games(games: Wdl) -> Option<Interval> {
    if games.draws == 0 { wilson(games.wins, games.n()) } else { games.summary().map(|summary| summary.interval()) }
}

fn side(score: f64) -> Ordering {
    score.partial_cmp(&0.5).unwrap_or(Ordering::Equal)
}

fn points(interval: &Interval) -> String {
    format!("{:.0}-{:.0} %", 100.0 * interval.low, 100.0 * interval.high)
}

/// Whether a table agrees: at least 90 % of the cells that agree or differ. `None` if there is no such cell.
#[must_use]
pub fn table_agrees(cells: impl IntoIterator<Item = Verdict>) -> Option<bool> {
    let (mut agree, mut comparable) = (0u32, 0u32);
    for verdict in cells {
        agree += u32::from(verdict == Verdict::Agrees);
        comparable += u32::from(matches!(verdict, Verdict::Agrees | Verdict::Differs));
    }
    (comparable > 0).then(|| f64::from(agree) >= TABLE_SHARE * f64::from(comparable))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wdl(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    fn share(k: u64) -> Printed {
        Printed::Share { k, n: 20 }
    }

    #[test]
    fn overlap_and_direction() {
        // The paper at 75 %, 53-89; ours at 59.25 %, 54-64.
        let judgement = judge(&share(15), wdl(237, 0, 163));
        assert_eq!(judgement.verdict, Verdict::Agrees);
        assert_eq!((judgement.direction, judgement.overlap), (Some(true), Some(true)));
        assert_eq!(
            judgement.reason,
            "the intervals overlap and both scores lie above one half: the paper's is 53-89 %, ours 54-64 %"
        );
        // The paper shows no direction at 60 %, 39-78; ours at 45 %, 40-50, overlaps.
        let judgement = judge(&share(12), wdl(180, 0, 220));
        assert_eq!(judgement.verdict, Verdict::Agrees);
        assert_eq!((judgement.direction, judgement.overlap), (None, Some(true)));
        // The paper at 75 %, 53-89, above; ours at 49.75 %, 45-55, overlaps but lies below.
        let judgement = judge(&share(15), wdl(199, 0, 201));
        assert_eq!(judgement.verdict, Verdict::Differs);
        assert_eq!((judgement.direction, judgement.overlap), (Some(false), Some(true)));
        assert_eq!(judgement.reason, "the paper's score lies above one half, ours does not");
        // An even score of ours does not have the paper's direction.
        assert_eq!(judge(&share(15), wdl(200, 0, 200)).verdict, Verdict::Differs);
        // The paper at 100 %, 84-100; ours at 70 %, 65-74, on the same side.
        let judgement = judge(&share(20), wdl(280, 0, 120));
        assert_eq!(judgement.verdict, Verdict::Differs);
        assert_eq!((judgement.direction, judgement.overlap), (Some(true), Some(false)));
        // And below one half.
        assert_eq!(judge(&share(0), wdl(40, 0, 360)).verdict, Verdict::Agrees);
        assert_eq!(judge(&share(5), wdl(360, 0, 40)).verdict, Verdict::Differs);
    }

    #[test]
    fn won_drawn_and_lost() {
        // s = 0.6, v = (50 x 0.16 + 20 x 0.01 + 30 x 0.36) / 100 = 0.19.
        let judgement = judge(&Printed::Games(wdl(50, 20, 30)), wdl(200, 80, 120));
        assert_eq!(judgement.verdict, Verdict::Agrees);
        let paper = judgement.paper.unwrap();
        assert!((paper.half_width() - 1.96 * 0.0019f64.sqrt()).abs() < 1e-9 && paper.side() == Ordering::Greater);
        assert_eq!(judge(&Printed::Games(wdl(50, 20, 30)), wdl(120, 80, 200)).verdict, Verdict::Differs);
    }

    #[test]
    fn direction_alone() {
        let judgement = judge(&Printed::Score(0.8), wdl(210, 0, 190));
        assert_eq!(judgement.verdict, Verdict::Agrees);
        assert_eq!((judgement.direction, judgement.overlap, judgement.paper), (Some(true), None, None));
        assert_eq!(judgement.reason, "both scores lie above one half; the paper prints no number of games");
        assert_eq!(judge(&Printed::Score(0.2), wdl(210, 0, 190)).verdict, Verdict::Differs);
        assert_eq!(judge(&Printed::Score(0.5), wdl(210, 0, 190)).verdict, Verdict::CannotBeCompared);
    }

    #[test]
    fn nothing_to_compare() {
        let ours = wdl(200, 0, 200);
        assert_eq!(judge(&Printed::Nothing, ours).verdict, Verdict::OursOnly);
        let people = judge(&Printed::Incomparable("the paper's games were against people".into()), ours);
        assert_eq!(people.verdict, Verdict::CannotBeCompared);
        assert_eq!(people.reason, "the paper's games were against people");
        let impossible = [
            Printed::Share { k: 21, n: 20 },
            Printed::Share { k: 0, n: 0 },
            Printed::Games(Wdl::default()),
            Printed::Score(1.2),
            Printed::Score(f64::NAN),
        ];
        for paper in impossible {
            let judgement = judge(&paper, ours);
            assert_eq!(judgement.verdict, Verdict::CannotBeCompared, "{paper:?}");
            assert!(judgement.reason.contains("impossible"), "{}", judgement.reason);
        }
    }

    #[test]
    fn too_few() {
        assert_eq!(judge(&share(15), Wdl::default()).verdict, Verdict::TooFewGames);
        // 5 of 10: Wilson 24-76, more than +-25; 10 of 20: 30-70.
        let judgement = judge(&share(15), wdl(5, 0, 5));
        assert_eq!(judgement.verdict, Verdict::TooFewGames);
        assert_eq!(judgement.reason, "our interval is 24-76 %, wider than +-25 points");
        assert_eq!(judge(&share(10), wdl(10, 0, 10)).verdict, Verdict::Agrees);
        assert_eq!(judge(&Printed::Share { k: 2, n: 4 }, wdl(10, 0, 10)).verdict, Verdict::TooFewGames);
        // No row of ours needs games where the paper has nothing.
        assert_eq!(judge(&Printed::Nothing, Wdl::default()).verdict, Verdict::OursOnly);
    }

    #[test]
    fn tables() {
        use Verdict::{Agrees, CannotBeCompared, Differs, OursOnly, TooFewGames};
        let cells = |agree, differ| [vec![Agrees; agree], vec![Differs; differ], vec![OursOnly, TooFewGames]].concat();
        assert_eq!(table_agrees(cells(9, 1)), Some(true));
        assert_eq!(table_agrees(cells(8, 1)), Some(false));
        assert_eq!(table_agrees(cells(1, 0)), Some(true));
        assert_eq!(table_agrees([CannotBeCompared, OursOnly]), None);
    }
}
