//! The order of players by their mean win rates, compared with the paper's.

use quintet_arena::Results;
use quintet_arena::stats::Verdict;

use super::file::Experiment;
use super::perform::Games;
use super::report::{Finding, Line};
use super::schedule::{Schedule, Work};

/// A line for every mode; none where the experiment names no order.
pub(super) fn lines(schedule: &Schedule, games: &Games) -> Vec<Line> {
    let experiment = &schedule.experiment;
    if experiment.order.is_empty() {
        return Vec::new();
    }
    experiment.modes.iter().map(|mode| line(schedule, games, mode)).collect()
}

/// The rate at which a player won against an opponent.
struct Rate<'a> {
    player: &'a str,
    percent: f64,
}

/// The mean over a player's opponents.
fn mean(rates: &[Rate], player: &str) -> Option<f64> {
    let own: Vec<f64> = rates.iter().filter(|rate| rate.player == player).map(|rate| rate.percent).collect();
    (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
}

fn printed(experiment: &Experiment) -> Vec<Rate<'_>> {
    let of_row = experiment.rows.iter().filter(|row| row.percent.len() == 2);
    let both = of_row.flat_map(|row| [(&row.a, row.percent[0]), (&row.b, row.percent[1])]);
    both.map(|(player, percent)| Rate { player, percent }).collect()
}

fn line(schedule: &Schedule, games: &Games, mode: &str) -> Line {
    let experiment = &schedule.experiment;
    let mut line = Line::new("order of mean win rates".into(), mode);
    let mut ours = Vec::new();
    let mut scaled = false;
    for job in schedule.jobs.iter().filter(|job| job.mode == mode && job.repeat.is_none()) {
        let (Work::Match(plan), row) = (&job.work, &experiment.rows[job.row]) else { continue };
        let wdl = Results::new(plan.clone(), games.get(&job.key).cloned().unwrap_or_default()).wdl(0, 1);
        if wdl.n() > 0 {
            let percent = |wins: u64| 100.0 * wins as f64 / wdl.n() as f64;
            ours.push(Rate { player: &row.a, percent: percent(wdl.wins) });
            ours.push(Rate { player: &row.b, percent: percent(wdl.losses) });
            (line.games, scaled) = (line.games + wdl.n(), scaled | job.scaled);
        }
    }
    line.paper = shown(&experiment.order, &printed(experiment));
    line.ours = shown(&experiment.order, &ours);
    (line.finding, line.reason) = judged(&experiment.order, &ours, scaled);
    line
}

/// The players that have a mean, group by group.
fn shown(order: &[Vec<String>], rates: &[Rate]) -> String {
    let of_group = |group: &Vec<String>| {
        let means = group.iter().filter_map(|player| Some(format!("{player} {:.0} %", mean(rates, player)?)));
        means.collect::<Vec<_>>().join(", ")
    };
    let groups: Vec<String> = order.iter().map(of_group).filter(|group| !group.is_empty()).collect();
    if groups.is_empty() { "-".into() } else { groups.join("; ") }
}

/// Every player of a group must be above all players of the groups after it.
fn judged(order: &[Vec<String>], rates: &[Rate], scaled: bool) -> (Finding, String) {
    let absent: Vec<&str> =
        order.iter().flatten().filter(|player| mean(rates, player).is_none()).map(String::as_str).collect();
    let left_out = if absent.is_empty() { String::new() } else { format!("; left out: {}", absent.join(", ")) };
    let groups: Vec<Vec<(&str, f64)>> = order
        .iter()
        .map(|group| group.iter().filter_map(|player| Some((player.as_str(), mean(rates, player)?))).collect())
        .filter(|group: &Vec<_>| !group.is_empty())
        .collect();
    if groups.len() < 2 {
        return (Finding::Waits, format!("fewer than two groups have games{left_out}"));
    }
    let mut wrong = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        for (upper, high) in group {
            let lower = groups[number + 1..].iter().flatten().filter(|(_, low)| low >= high);
            wrong.extend(lower.map(|(lower, _)| format!("{upper} is not above {lower}")));
        }
    }
    let found = if wrong.is_empty() { "every group is above the next".into() } else { wrong.join(", ") };
    if scaled {
        return (Finding::Scaled, format!("smaller budget than the paper's: {found}{left_out}"));
    }
    let verdict = if wrong.is_empty() { Verdict::Agrees } else { Verdict::Differs };
    (Finding::Judged(verdict), format!("{found}{left_out}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::Library;

    fn order() -> Vec<Vec<String>> {
        [["a", "b"].as_slice(), &["c"], &["d"]].map(|group| group.iter().map(ToString::to_string).collect()).into()
    }

    fn rates(all: &[(&'static str, f64)]) -> Vec<Rate<'static>> {
        all.iter().map(|(player, percent)| Rate { player, percent: *percent }).collect()
    }

    #[test]
    fn orders_hold_or_say_why_not() {
        let judge = |all: &[(&'static str, f64)], scaled| judged(&order(), &rates(all), scaled);
        let fine = [("b", 90.0), ("a", 80.0), ("c", 50.0), ("d", 0.0)];
        assert_eq!(judge(&fine, false).0, Finding::Judged(Verdict::Agrees));
        assert_eq!(judge(&fine, true).0, Finding::Scaled);
        // Two rates of one player have one mean.
        let (finding, why) = judge(&[("a", 90.0), ("a", 10.0), ("b", 60.0), ("c", 50.0), ("d", 0.0)], false);
        assert_eq!((finding, why.as_str()), (Finding::Judged(Verdict::Differs), "a is not above c"));
        let (finding, why) = judge(&[("c", 50.0), ("d", 10.0)], false);
        assert_eq!(finding, Finding::Judged(Verdict::Agrees));
        assert!(why.ends_with("left out: a, b"), "{why}");
        assert_eq!(judge(&[("a", 90.0), ("b", 10.0)], false).0, Finding::Waits);
    }

    /// The paper prints these means too.
    #[test]
    fn means_of_the_bracket_are_the_papers() {
        let bracket = Library::embedded().get("pathwayz/bracket").unwrap();
        let rates = printed(&bracket);
        let means: Vec<String> =
            bracket.players.iter().map(|player| format!("{:.0}", mean(&rates, &player.name).unwrap())).collect();
        assert_eq!(means.join(" "), "6 21 55 51 21 46 69 94 86");
        assert_eq!(judged(&bracket.order, &rates, false).0, Finding::Judged(Verdict::Agrees));
    }
}
