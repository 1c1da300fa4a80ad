//! Matches compared with what a paper prints.

use std::collections::HashSet;

use quintet_arena::Results;
use quintet_arena::stats::{Judgement, Printed, Verdict, Wdl, judge};
use quintet_game::record::Record;

use super::file::{Experiment, Row};
use super::perform::Games;
use super::report::{Finding, ReportLine};
use super::schedule::{Job, Schedule, Work};

/// The lines of all matches.
pub(super) fn lines(schedule: &Schedule, games: &Games) -> Vec<ReportLine> {
    let rows = &schedule.experiment.rows;
    schedule.jobs.iter().flat_map(|job| of_job(&schedule.experiment, job, &rows[job.row], games)).collect()
}

fn of_job(experiment: &Experiment, job: &Job, row: &Row, games: &Games) -> Vec<ReportLine> {
    let mut line = ReportLine::new(job.what.clone(), &job.mode);
    (line.repeat, line.flag) = (job.repeat.clone(), row.flag.clone().filter(|_| job.repeat.is_none()));
    let compared = compared(experiment, row);
    let Work::Match(plan) = &job.work else {
        if let Some(Compared { printed, .. }) = compared.first() {
            show_paper(&mut line, printed);
        }
        let why = row.cannot.clone().unwrap_or_default();
        (line.finding, line.reason) = match &job.work {
            Work::Waits(why) => (Finding::Waits, format!("waits for {why}")),
            _ => (Finding::Judged(Verdict::CannotBeCompared), why),
        };
        return vec![line];
    };
    let results = Results::new(plan.clone(), games.get(&job.key).cloned().unwrap_or_default());
    let wdl = if row.first_seat { results.first_seat() } else { results.wdl(0, 1) };
    let names = [row.a.clone(), row.b.clone()];
    let aside = aside(&results, row);
    let of_part = |part: &Compared| {
        let ours = part.count.of(wdl);
        let mut line = line.clone();
        line.games = wdl.n();
        // A row's games are drawn once, however many comparisons they serve.
        line.wdl = (!part.again).then(|| if part.turned { wdl.swapped() } else { wdl });
        line.players = Some(if part.turned { [names[1].clone(), names[0].clone()] } else { names.clone() });
        if let Some(what) = &part.what {
            line.what = what.clone();
        }
        if line.flag.is_none() && job.repeat.is_none() {
            line.flag = part.flag.clone();
        }
        let printed = if job.repeat.is_some() { Printed::Nothing } else { part.printed.clone() };
        show_paper(&mut line, &printed);
        let judgement = judge(&printed, ours);
        line.our_interval = judgement.ours;
        line.our_value = ours.summary().map(|summary| summary.score());
        line.ours = match (line.our_value, part.count) {
            (None, _) => "no games".into(),
            (Some(value), Count::Score) => {
                format!("{:.1} % ({}-{}-{})", 100.0 * value, wdl.wins, wdl.draws, wdl.losses)
            }
            (Some(value), _) => format!("{:.1} %", 100.0 * value),
        };
        let (finding, reason) = match job.repeat.is_some() {
            true => (Finding::Judged(Verdict::OursOnly), "repeated under other conditions".into()),
            false => weighed(experiment, &printed, &judgement, wdl, job.scaled),
        };
        line.finding = finding;
        line.reason = [Some(reason), aside.clone()].into_iter().flatten().collect::<Vec<_>>().join("; ");
        line
    };
    compared.iter().filter(|part| job.repeat.is_none() || !part.again).map(of_part).collect()
}

/// One comparison of a row.
struct Compared {
    what: Option<String>,
    printed: Printed,
    count: Count,
    /// It is the second player's.
    turned: bool,
    /// Another comparison draws these games already.
    again: bool,
    flag: Option<String>,
}

/// Which share of the games is compared.
#[derive(Clone, Copy)]
enum Count {
    /// Wins and half of the draws.
    Score,
    /// The share of games that A won.
    Wins,
    /// That A lost.
    Losses,
}

impl Count {
    /// As successes and failures.
    fn of(self, wdl: Wdl) -> Wdl {
        match self {
            Count::Score => wdl,
            Count::Wins => Wdl { wins: wdl.wins, draws: 0, losses: wdl.draws + wdl.losses },
            Count::Losses => Wdl { wins: wdl.losses, draws: 0, losses: wdl.draws + wdl.wins },
        }
    }
}

fn compared(experiment: &Experiment, row: &Row) -> Vec<Compared> {
    let one = |printed, count| Compared { what: None, printed, count, turned: false, again: false, flag: None };
    let mut all = Vec::new();
    let n = row.n.or(experiment.n);
    let share = |percent: f64| match n {
        Some(n) => Printed::Share { k: (percent * n as f64 / 100.0).round() as u64, n },
        None => Printed::Score(percent / 100.0),
    };
    match (row.wdl, row.percent.as_slice()) {
        (Some([wins, draws, losses]), _) => {
            all.push(one(Printed::Games(Wdl { wins, draws, losses }), Count::Score));
        }
        (None, [percent]) => all.push(one(share(*percent), Count::Wins)),
        (None, [a, b, ..]) => {
            let sum = a + b;
            let flag = (sum != 100.0).then(|| format!("the two win rates of the pair add up to {sum} %"));
            for (number, (percent, count)) in [(*a, Count::Wins), (*b, Count::Losses)].into_iter().enumerate() {
                let printed = match sum > 100.0 {
                    true => Printed::Incomparable(format!("{percent} % cannot be: the pair adds up to {sum} %")),
                    false => share(percent),
                };
                let turned = number == 1;
                let what = turned.then(|| format!("{} v {}", row.b, row.a));
                all.push(Compared { what, flag: flag.clone(), turned, ..one(printed, count) });
            }
        }
        (None, []) => {
            let printed = row.above.map_or(Printed::Nothing, |above| Printed::Above(above / 100.0));
            all.push(one(printed, Count::Score));
        }
    }
    if let Some(most) = row.loses_at_most {
        let what = Some(format!("{} loses to {}", row.a, row.b));
        all.push(Compared { what, again: true, ..one(Printed::Below(most / 100.0), Count::Losses) });
    }
    all
}

fn show_paper(line: &mut ReportLine, printed: &Printed) {
    let judgement = judge(printed, Wdl::default());
    line.paper_interval = judgement.paper;
    let percent = |value: f64| format!("{:.1} %", 100.0 * value);
    match printed {
        Printed::Nothing => {}
        Printed::Incomparable(_) => line.paper = "impossible".into(),
        Printed::Above(bound) => line.paper = format!("above {} %", tenths(*bound)),
        Printed::Below(bound) => line.paper = format!("below {} %", tenths(*bound)),
        Printed::Score(score) => {
            (line.paper, line.paper_value) = (percent(*score), Some(*score));
        }
        Printed::Share { k, n } => {
            let value = *k as f64 / (*n).max(1) as f64;
            (line.paper, line.paper_value) = (format!("{} of {n}", percent(value)), Some(value));
        }
        Printed::Games(wdl) => {
            line.paper_value = wdl.summary().map(|summary| summary.score());
            line.paper_wdl = Some(*wdl);
            let score = line.paper_value.map(percent).unwrap_or_default();
            line.paper = format!("{score} ({}-{}-{})", wdl.wins, wdl.draws, wdl.losses);
        }
    }
}

/// A share in per cent, without needless decimals.
fn tenths(share: f64) -> f64 {
    (1000.0 * share).round() / 10.0
}

/// The finding of a row by the paper's numbers or claim.
fn weighed(
    experiment: &Experiment,
    printed: &Printed,
    judgement: &Judgement,
    wdl: Wdl,
    scaled: bool,
) -> (Finding, String) {
    let comparable = !matches!(judgement.verdict, Verdict::OursOnly | Verdict::CannotBeCompared);
    if scaled && comparable {
        return (Finding::Scaled, format!("smaller budget than the paper's: {}", judgement.reason));
    }
    if let (true, Verdict::Differs, Printed::Games(paper)) = (experiment.draw_rule, judgement.verdict, printed) {
        let decided = judge(&Printed::Share { k: paper.wins, n: paper.wins + paper.losses }, Wdl { draws: 0, ..wdl });
        if decided.verdict == Verdict::Agrees {
            return (Finding::DrawRule, format!("{}; without draws it would agree", judgement.reason));
        }
    }
    (Finding::Judged(judgement.verdict), judgement.reason.clone())
}

/// Other facts about the games of a row: how often they repeat, which seat is better.
fn aside(results: &Results, row: &Row) -> Option<String> {
    let total = results.games.len();
    let mut seen = HashSet::new();
    let mut again = 0;
    for played in &results.games {
        let moves = Record::read(&played.record).map(|record| record.moves).unwrap_or_default();
        again += usize::from(!seen.insert((played.seats, moves)));
    }
    let mut parts = Vec::new();
    if again > 0 {
        parts.push(format!("{again} of {total} games repeat an earlier one"));
    }
    if let Some(seat) = results.first_seat().summary().filter(|_| row.a == row.b && !row.first_seat) {
        parts.push(format!("first seat {:.1} %", 100.0 * seat.score()));
    }
    let faults: u64 = results.forfeits().values().sum();
    if faults > 0 {
        parts.push(format!("{faults} games lost by a fault"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wdl(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    #[test]
    fn claims_and_smaller_budgets() {
        let experiment = crate::experiments::Library::embedded().get("pylos/agents").unwrap();
        let row = Row { a: "x".into(), b: "y".into(), above: Some(50.0), loses_at_most: Some(3.7), ..Row::default() };
        let parts = compared(&experiment, &row);
        assert_eq!(parts[0].printed, Printed::Above(0.5));
        let mut line = ReportLine::new("x v y".into(), "printed");
        show_paper(&mut line, &parts[1].printed);
        assert_eq!(line.paper, "below 3.7 %");
        let ours = parts[1].count.of(wdl(97, 0, 3));
        let weigh = |scaled| weighed(&experiment, &parts[1].printed, &judge(&parts[1].printed, ours), ours, scaled).0;
        assert_eq!([false, true].map(weigh), [Finding::Judged(Verdict::NotShown), Finding::Scaled]);
    }

    #[test]
    fn draws_apart() {
        let experiment = |draw_rule| Experiment {
            draw_rule,
            ..crate::experiments::Library::embedded().get("pylos/agents").unwrap()
        };
        let printed = Printed::Games(wdl(24, 68, 8));
        let weigh = |draw_rule, ours| weighed(&experiment(draw_rule), &printed, &judge(&printed, ours), ours, false).0;
        assert_eq!(weigh(true, wdl(75, 0, 25)), Finding::DrawRule);
        assert_eq!(weigh(false, wdl(75, 0, 25)), Finding::Judged(Verdict::Differs));
        // It still differs without its draws.
        assert_eq!(weigh(true, wdl(100, 0, 0)), Finding::Judged(Verdict::Differs));
        assert_eq!(weigh(true, wdl(25, 66, 9)), Finding::Judged(Verdict::Agrees));
    }

    #[test]
    fn pairs_of_win_rates() {
        let experiment = crate::experiments::Library::embedded().get("pathwayz/bracket").unwrap();
        let parts =
            |a, b| compared(&experiment, &Row { a: "x".into(), b: "y".into(), percent: vec![a, b], ..Row::default() });
        let fine = parts(60.0, 40.0);
        assert_eq!(fine[0].printed, Printed::Share { k: 12, n: 20 });
        assert_eq!((fine[1].printed.clone(), fine[1].turned), (Printed::Share { k: 8, n: 20 }, true));
        assert!(fine[0].flag.is_none());
        assert!(matches!(parts(95.0, 10.0)[0].printed, Printed::Incomparable(_)));
        let short = parts(70.0, 0.0);
        assert_eq!(short[1].printed, Printed::Share { k: 0, n: 20 });
        assert_eq!(short[0].flag.as_deref(), Some("the two win rates of the pair add up to 70 %"));
        assert_eq!(fine[1].count.of(wdl(3, 1, 2)), wdl(2, 0, 4));
    }
}
