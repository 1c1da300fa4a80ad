//! The order of players by their mean win rates, compared with the paper's.

use std::cmp::Ordering;

use quintet_arena::Results;
use quintet_arena::stats::{Interval, Verdict};

use super::file::Experiment;
use super::perform::Games;
use super::report::{Finding, ReportLine};
use super::schedule::{Schedule, Work};

/// A line for every mode; none where the experiment names no order.
pub(super) fn lines(schedule: &Schedule, games: &Games) -> Vec<ReportLine> {
    let experiment = &schedule.experiment;
    if experiment.order.is_empty() {
        return Vec::new();
    }
    experiment.modes.iter().map(|mode| line(schedule, games, mode)).collect()
}

/// The shares of games that two players won against each other.
struct Pairing<'a> {
    players: [&'a str; 2],
    won: [f64; 2],
    games: f64,
}

impl Pairing<'_> {
    /// The share that a player of the pair won.
    fn won_by(&self, player: &str) -> Option<f64> {
        self.players.iter().position(|known| *known == player).map(|at| self.won[at])
    }
}

/// The mean over a player's opponents, in shares.
fn mean(pairings: &[Pairing], player: &str) -> Option<f64> {
    let own: Vec<f64> = pairings.iter().filter_map(|pairing| pairing.won_by(player)).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}

/// The 95 % interval of the difference of two players' means: games of a third player with either are independent, those of the two with each other count for both.
fn apart(pairings: &[Pairing], [upper, lower]: [&str; 2]) -> Option<Interval> {
    let opponents = |player: &str| pairings.iter().filter_map(|pairing| pairing.won_by(player)).count() as f64;
    let (of_upper, of_lower) = (opponents(upper), opponents(lower));
    let variance: f64 = pairings
        .iter()
        .map(|pairing| {
            let [a, b] = [
                pairing.won_by(upper).map(|won| (won, 1.0 / of_upper)),
                pairing.won_by(lower).map(|won| (won, -1.0 / of_lower)),
            ]
            .map(Option::unwrap_or_default);
            let mean = a.0 * a.1 + b.0 * b.1;
            (a.0 * a.1.powi(2) + b.0 * b.1.powi(2) - mean.powi(2)) / pairing.games.max(1.0)
        })
        .sum();
    let (centre, half) = (mean(pairings, upper)? - mean(pairings, lower)?, 1.96 * variance.max(0.0).sqrt());
    Some(Interval { low: centre - half, high: centre + half })
}

fn printed(experiment: &Experiment) -> Vec<Pairing<'_>> {
    let of_row = experiment.rows.iter().filter(|row| row.percent.len() == 2);
    of_row
        .map(|row| Pairing {
            players: [&row.a, &row.b],
            won: [row.percent[0] / 100.0, row.percent[1] / 100.0],
            games: row.n.or(experiment.n).unwrap_or_default() as f64,
        })
        .collect()
}

fn line(schedule: &Schedule, games: &Games, mode: &str) -> ReportLine {
    let experiment = &schedule.experiment;
    let mut line = ReportLine::new("order of mean win rates".into(), mode);
    let mut ours = Vec::new();
    let mut scaled = false;
    for job in schedule.jobs.iter().filter(|job| job.mode == mode && job.repeat.is_none()) {
        let (Work::Match(plan), row) = (&job.work, &experiment.rows[job.row]) else { continue };
        let wdl = Results::new(plan.clone(), games.get(&job.key).cloned().unwrap_or_default()).wdl(0, 1);
        if wdl.n() > 0 {
            let games = wdl.n() as f64;
            let won = [wdl.wins as f64 / games, wdl.losses as f64 / games];
            ours.push(Pairing { players: [&row.a, &row.b], won, games });
            (line.games, scaled) = (line.games + wdl.n(), scaled | job.scaled);
        }
    }
    line.paper = shown(&experiment.order, &printed(experiment));
    line.ours = shown(&experiment.order, &ours);
    (line.finding, line.reason) = judged(&experiment.order, &ours, scaled);
    line
}

/// The players that have a mean, group by group.
fn shown(order: &[Vec<String>], pairings: &[Pairing]) -> String {
    let of_group = |group: &Vec<String>| {
        let means =
            group.iter().filter_map(|player| Some(format!("{player} {:.0} %", 100.0 * mean(pairings, player)?)));
        means.collect::<Vec<_>>().join(", ")
    };
    let groups: Vec<String> = order.iter().map(of_group).filter(|group| !group.is_empty()).collect();
    if groups.is_empty() { "-".into() } else { groups.join("; ") }
}

/// Every player of a group must be shown to be above all players of the groups after it, the best above the second best first of all: the interval of the difference of their means must lie above 0.
fn judged(order: &[Vec<String>], pairings: &[Pairing], scaled: bool) -> (Finding, String) {
    let absent: Vec<&str> =
        order.iter().flatten().filter(|player| mean(pairings, player).is_none()).map(String::as_str).collect();
    let left_out = if absent.is_empty() { String::new() } else { format!("; left out: {}", absent.join(", ")) };
    let groups: Vec<Vec<&str>> = order
        .iter()
        .map(|group| group.iter().map(String::as_str).filter(|player| !absent.contains(player)).collect())
        .filter(|group: &Vec<_>| !group.is_empty())
        .collect();
    if groups.len() < 2 {
        return (Finding::Waits, format!("fewer than two groups have games{left_out}"));
    }
    let (mut open, mut wrong) = (Vec::new(), Vec::new());
    for (number, group) in groups.iter().enumerate() {
        for upper in group {
            for lower in groups[number + 1..].iter().flatten() {
                match apart(pairings, [upper, lower]).map(|difference| difference.beside(0.0)) {
                    Some(Ordering::Greater) => {}
                    Some(Ordering::Less) => wrong.push(format!("{upper} is below {lower}")),
                    _ => open.push(format!("{upper} is not shown to be above {lower}")),
                }
            }
        }
    }
    let verdict = match (wrong.is_empty(), open.is_empty()) {
        (false, _) => Verdict::Differs,
        (true, false) => Verdict::NotShown,
        (true, true) => Verdict::SameDirection,
    };
    let found = if verdict == Verdict::SameDirection {
        "every group is shown to be above the next".into()
    } else {
        [wrong, open].concat().join(", ")
    };
    if scaled {
        return (Finding::Scaled, format!("smaller budget than the paper's: {found}{left_out}"));
    }
    (Finding::Judged(verdict), format!("{found}{left_out}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::Library;

    fn order() -> Vec<Vec<String>> {
        [["a", "b"].as_slice(), &["c"], &["d"]].map(|group| group.iter().map(ToString::to_string).collect()).into()
    }

    /// Everyone's games against one and the same other player.
    fn pairings(all: &[(&'static str, f64)], games: f64) -> Vec<Pairing<'static>> {
        all.iter().map(|(player, won)| Pairing { players: [player, "other"], won: [*won, 1.0 - won], games }).collect()
    }

    #[test]
    fn orders_hold_or_say_why_not() {
        let judge = |all: &[(&'static str, f64)], games, scaled| judged(&order(), &pairings(all, games), scaled);
        let fine = [("b", 0.9), ("a", 0.8), ("c", 0.5), ("d", 0.0)];
        assert_eq!(judge(&fine, 400.0, false).0, Finding::Judged(Verdict::SameDirection));
        assert_eq!(judge(&fine, 400.0, true).0, Finding::Scaled);
        // The same shares of few games: a point estimate does not decide.
        let (finding, why) = judge(&fine, 10.0, false);
        let open = "a is not shown to be above c";
        assert_eq!((finding, why.as_str()), (Finding::Judged(Verdict::NotShown), open));
        // Two rates of one player have one mean.
        let (finding, why) = judge(&[("a", 0.9), ("a", 0.1), ("b", 0.7), ("c", 0.6), ("d", 0.0)], 400.0, false);
        assert_eq!((finding, why.as_str()), (Finding::Judged(Verdict::Differs), "a is below c"));
        let (finding, why) = judge(&[("c", 0.5), ("d", 0.1)], 400.0, false);
        assert_eq!(finding, Finding::Judged(Verdict::SameDirection));
        assert!(why.ends_with("left out: a, b"), "{why}");
        assert_eq!(judge(&[("a", 0.9), ("b", 0.1)], 400.0, false).0, Finding::Waits);
    }

    #[test]
    fn games_of_two_players_count_for_both() {
        let alone = [Pairing { players: ["a", "b"], won: [0.5, 0.5], games: 100.0 }];
        let difference = apart(&alone, ["a", "b"]).unwrap();
        // +1 or -1 a game: a standard deviation of 1, a tenth of it for 100 games.
        assert!((difference.high - 0.196).abs() < 1e-9 && (difference.low + 0.196).abs() < 1e-9);
    }

    /// The means of the columns of Fig. 8, without tree search. With 20 games per pair the printed order itself is not shown throughout.
    #[test]
    fn means_of_the_bracket_are_the_papers() {
        let bracket = Library::embedded().get("pathwayz/bracket").unwrap();
        let pairings = printed(&bracket);
        let means: Vec<String> = bracket
            .players
            .iter()
            .map(|player| format!("{:.0}", 100.0 * mean(&pairings, &player.name).unwrap()))
            .collect();
        assert_eq!(means.join(" "), "7 19 49 48 41 66 92 84");
        assert_ne!(judged(&bracket.order, &pairings, false).0, Finding::Judged(Verdict::Differs));
    }
}
