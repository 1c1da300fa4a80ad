//! Timed games compared with a paper's times: as ratios, never by milliseconds.

use std::cmp::Ordering;

use quintet_arena::stats::{Interval, Verdict, judge_bound, judge_ratio};
use quintet_chart::{Axis, Curve, Curves, Point, Spread};

use super::cells::{Cell, cells, quotient};
use super::file::{Ratio, Unit};
use super::growth;
use super::perform::Games;
use super::render::{interval, number, thousands};
use super::report::{Finding, ReportLine};
use super::schedule::{Schedule, Work};

/// Times of the paper that differ by less have no order, because it prints the same cell twice, 22 % apart.
pub(super) const TOLERANCE: f64 = 1.22;

/// The lines of a timing: the cells, then everything that is compared, then the ratios in which overhead rules.
pub(super) fn lines(schedule: &Schedule, games: &Games) -> Vec<ReportLine> {
    let experiment = &schedule.experiment;
    let cells = cells(schedule, games);
    let cut = schedule.jobs.iter().find_map(|job| match &job.work {
        Work::Solo(solo) => Some(solo.cut),
        _ => None,
    });
    let mut lines: Vec<ReportLine> = cells.iter().map(|cell| shown(cell, cut.unwrap_or_default())).collect();
    for at in &experiment.orders {
        lines.extend(order(&cells, *at));
    }
    let mut compared: Vec<Compared> = experiment.ratios.iter().map(Compared::from).collect();
    if experiment.all_ratios {
        let names: Vec<&str> = experiment.series.iter().map(|series| series.name.as_str()).collect();
        compared.splice(0..0, neighbours(&cells, &names));
    }
    let overhead = experiment.overhead_up_to.unwrap_or(0);
    let (judged, apart): (Vec<Compared>, Vec<Compared>) =
        compared.into_iter().partition(|ratio| !ratio.touches(&cells, overhead));
    let ratios: Vec<ReportLine> = judged.iter().map(|ratio| compare(&cells, ratio)).collect();
    let precision = precision(&ratios);
    lines.extend(ratios);
    lines.extend(experiment.growths.iter().flat_map(|growth| growth::lines(&cells, growth)));
    lines.extend(precision);
    lines.extend(apart.iter().map(|ratio| ReportLine {
        finding: Finding::Judged(Verdict::CannotBeCompared),
        reason: format!("overhead rules up to depth {overhead}, as the paper says; {}", in_nodes(&cells, ratio)),
        ..compare(&cells, ratio)
    }));
    lines
}

/// A cell, beside the paper's.
fn shown(cell: &Cell, cut: u64) -> ReportLine {
    let mut line = ReportLine::new(cell.name(), "printed");
    line.paper = match (cell.paper, cell.over) {
        (Some(ms), _) => format!("{} ms", thousands(ms as u64)),
        (None, Some(cut)) => format!("over {} ms", thousands(cut as u64)),
        (None, None) => "-".into(),
    };
    line.games = cell.games;
    (line.paper_value, line.our_value) = (cell.paper, (!cell.cut).then_some(cell.means.ms));
    (line.our_interval, line.shares) = (cell.mean(Unit::Ms).interval.filter(|_| !cell.cut), false);
    let mark = if cell.cut { "over " } else { "" };
    line.ours = match cell.games {
        0 => "-".into(),
        _ => format!("{mark}{:.1} ms, {} nodes", cell.means.ms, thousands(cell.means.nodes as u64)),
    };
    let nodes = interval(cell.mean(Unit::Nodes).interval, false);
    (line.finding, line.reason) = match (cell.games, cell.cut) {
        (0, _) => (Finding::Scaled, "left out of this design".into()),
        (_, true) if cell.over.is_some() => {
            let why = format!("given up after {} nodes, as the paper gave up", thousands(cut));
            (Finding::Judged(Verdict::CannotBeCompared), why)
        }
        (_, true) => (Finding::Scaled, format!("given up after {} nodes", thousands(cut))),
        _ if cell.paper.is_none() => {
            (Finding::Judged(Verdict::OursOnly), format!("the paper prints no time for it; nodes {nodes}"))
        }
        _ => (
            Finding::Judged(Verdict::CannotBeCompared),
            format!("times of another machine: see the ratios; nodes {nodes}"),
        ),
    };
    line
}

/// Two cells to compare.
#[derive(Clone, Debug, PartialEq)]
struct Compared {
    slow: String,
    fast: String,
    unit: Unit,
    asked: RatioClaim,
}

/// What is asked of a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RatioClaim {
    /// The paper's.
    Printed(f64),
    /// The paper gave the slower one up: its ratio is larger than this.
    Over(f64),
    /// Ours: to lie on this side of a bound.
    Beside(Ordering, f64),
    Nothing,
}

impl From<&Ratio> for Compared {
    fn from(ratio: &Ratio) -> Compared {
        let asked = match (ratio.paper, ratio.least, ratio.most) {
            (Some(paper), _, _) => RatioClaim::Printed(paper),
            (_, Some(least), _) => RatioClaim::Beside(Ordering::Greater, least),
            (_, _, Some(most)) => RatioClaim::Beside(Ordering::Less, most),
            _ => RatioClaim::Nothing,
        };
        Compared { slow: ratio.slow.clone(), fast: ratio.fast.clone(), unit: ratio.unit, asked }
    }
}

impl Compared {
    /// Is one of its cells no deeper than this?
    fn touches(&self, cells: &[Cell], depth: u32) -> bool {
        [&self.slow, &self.fast].iter().any(|name| find(cells, name).is_some_and(|cell| cell.at <= depth))
    }
}

/// All ratios of the paper between series next to each other, and between depths or sizes next to each other.
fn neighbours(cells: &[Cell], names: &[&str]) -> Vec<Compared> {
    let mut ratios = Vec::new();
    let mut push = |slow: &Cell, fast: &Cell| {
        let asked = match (slow.paper, slow.over, fast.paper) {
            (Some(above), _, Some(below)) => RatioClaim::Printed(above / below),
            (None, Some(above), Some(below)) => RatioClaim::Over(above / below),
            _ => return,
        };
        ratios.push(Compared { slow: slow.name(), fast: fast.name(), unit: Unit::Ms, asked });
    };
    for pair in names.windows(2) {
        for one in cells.iter().filter(|cell| cell.series == pair[0]) {
            if let Some(other) = cells.iter().find(|cell| cell.series == pair[1] && cell.at == one.at) {
                push(one, other);
            }
        }
    }
    for pair in cells.windows(2).filter(|pair| pair[0].series == pair[1].series) {
        push(&pair[1], &pair[0]);
    }
    ratios
}

fn find<'a>(cells: &'a [Cell], name: &str) -> Option<&'a Cell> {
    cells.iter().find(|cell| cell.name() == name)
}

/// The same ratio in the other unit.
fn in_nodes(cells: &[Cell], ratio: &Compared) -> String {
    let Some((slow, fast)) = find(cells, &ratio.slow).zip(find(cells, &ratio.fast)) else { return String::new() };
    let (other, word) = match ratio.unit {
        Unit::Ms => (Unit::Nodes, "nodes"),
        Unit::Nodes => (Unit::Ms, "time"),
    };
    let other = quotient(slow, fast, other);
    format!("in {word} {} ({})", number(other.value), interval(other.interval, false))
}

fn compare(cells: &[Cell], ratio: &Compared) -> ReportLine {
    let unit = if ratio.unit == Unit::Nodes { ", in nodes" } else { "" };
    let mut line = ReportLine::new(format!("{} / {}{unit}", ratio.slow, ratio.fast), "printed");
    (line.paper, line.paper_value) = match ratio.asked {
        RatioClaim::Printed(paper) => (format!("{paper:.2}"), Some(paper)),
        RatioClaim::Over(paper) => (format!("over {paper:.2}"), None),
        RatioClaim::Beside(..) | RatioClaim::Nothing => ("-".into(), None),
    };
    let (Some(slow), Some(fast)) = (find(cells, &ratio.slow), find(cells, &ratio.fast)) else {
        return ReportLine { reason: "waits for a series of that name".into(), ..line };
    };
    line.games = slow.games.min(fast.games);
    if slow.cut || fast.cut {
        return ReportLine {
            finding: Finding::Scaled,
            reason: "a game was given up or left out: no ratio".into(),
            ..line
        };
    }
    let ours = quotient(slow, fast, ratio.unit);
    (line.our_value, line.our_interval, line.shares) = (Some(ours.value), ours.interval, false);
    line.ours = number(ours.value);
    let (verdict, reason) = match ratio.asked {
        RatioClaim::Printed(paper) => judge_ratio(paper, TOLERANCE, ours.interval),
        RatioClaim::Over(bound) => judge_bound(Ordering::Greater, bound, ours.interval),
        RatioClaim::Beside(side, bound) => judge_bound(side, bound, ours.interval),
        RatioClaim::Nothing => (Verdict::OursOnly, "the paper prints no ratio".into()),
    };
    line.finding = Finding::Judged(verdict);
    line.reason = format!("{reason}; {}", in_nodes(cells, ratio));
    line
}

/// How well the ratios are known: the widest of their intervals.
fn precision(ratios: &[ReportLine]) -> Option<ReportLine> {
    let wide = |interval: Interval| (interval.high / interval.low).sqrt() - 1.0;
    let known: Vec<(f64, &ReportLine)> =
        ratios.iter().filter_map(|line| Some((wide(line.our_interval?), line))).collect();
    let (widest, of) = known.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut line = ReportLine::new("widest interval of a ratio".into(), "printed");
    (line.ours, line.our_value) = (format!("+-{:.1} %", 100.0 * widest), Some(*widest));
    (line.games, line.finding) = (of.games, Finding::Judged(Verdict::OursOnly));
    let within = known.iter().filter(|(width, _)| *width <= 0.1).count();
    line.reason = format!("{}; {within} of {} ratios are known to 10 %", of.what, known.len());
    Some(line)
}

/// The order of all series at one depth: every pair that the paper tells apart.
fn order(cells: &[Cell], at: u32) -> Option<ReportLine> {
    let known: Vec<(&Cell, f64)> =
        cells.iter().filter(|cell| cell.at == at).filter_map(|cell| Some((cell, cell.paper?))).collect();
    if known.len() < 2 {
        return None;
    }
    let mut line = ReportLine::new(format!("order at {at}"), "printed");
    let names = |mut cells: Vec<(&Cell, f64)>| {
        cells.sort_by(|a, b| b.1.total_cmp(&a.1));
        cells.iter().map(|(cell, _)| cell.series.as_str()).collect::<Vec<_>>().join(" > ")
    };
    line.paper = names(known.clone());
    line.games = known.iter().map(|(cell, _)| cell.games).min().unwrap_or(0);
    if known.iter().any(|(cell, _)| cell.cut) {
        return Some(ReportLine { finding: Finding::Scaled, reason: "a game was given up or left out".into(), ..line });
    }
    line.ours = names(known.iter().map(|(cell, _)| (*cell, cell.means.ms)).collect());
    let (mut wrong, mut open, mut told) = (Vec::new(), Vec::new(), 0);
    for (slow, slow_paper) in &known {
        for (fast, _) in known.iter().filter(|(_, paper)| slow_paper / paper > TOLERANCE) {
            told += 1;
            let pair = format!("{} / {}", slow.series, fast.series);
            match judge_bound(Ordering::Greater, 1.0, quotient(slow, fast, Unit::Ms).interval).0 {
                Verdict::SameDirection => {}
                Verdict::Differs => wrong.push(pair),
                _ => open.push(pair),
            }
        }
    }
    let mut reasons = vec![format!("{told} pairs differ by more than 22 % in the paper")];
    for (pairs, what) in [(&wrong, "the other way round"), (&open, "not shown")] {
        if !pairs.is_empty() {
            reasons.push(format!("{what}: {}", pairs.join(", ")));
        }
    }
    let verdict = match (wrong.is_empty(), open.is_empty()) {
        (false, _) => Verdict::Differs,
        (true, false) => Verdict::NotShown,
        (true, true) => Verdict::SameDirection,
    };
    (line.finding, line.reason) = (Finding::Judged(verdict), reasons.join("; "));
    Some(line)
}

/// A curve for every series, the paper's dashed.
pub(super) fn charts(schedule: &Schedule, games: &Games) -> Vec<(String, String)> {
    let cells = cells(schedule, games);
    let mut curves = Vec::new();
    for (colour, series) in schedule.experiment.series.iter().enumerate() {
        let own = || cells.iter().filter(|cell| cell.series == series.name);
        let ours = own().filter(|cell| !cell.cut).map(|cell| (cell.at, cell.means.ms, Some(cell.range)));
        let paper = own().filter_map(|cell| Some((cell.at, cell.paper?, None)));
        let curve = |name: String, dashed, points: Vec<(u32, f64, Option<[f64; 2]>)>| Curve {
            name,
            colour,
            dashed,
            spread: Spread::Whiskers,
            points: points.into_iter().map(|(at, y, range)| Point { x: f64::from(at), y, range }).collect(),
        };
        curves.push(curve(series.name.clone(), false, ours.collect()));
        curves.push(curve(format!("{}, paper", series.name), true, paper.collect()));
    }
    let chart = Curves {
        title: schedule.experiment.title.clone(),
        note: "mean, least and most of our games; broken lines: the paper's".into(),
        x_name: if schedule.experiment.game.contains("{}") { "size of the board" } else { "depth" }.into(),
        y: Axis { name: "ms per game".into(), log: true, range: None },
        curves,
        marks: Vec::new(),
    };
    vec![("times.svg".into(), chart.svg())]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Forty games whose mean is `ms`, with a spread of a few per cent.
    pub fn cell(series: &str, at: u32, paper: f64, ms: f64) -> Cell {
        let games: Vec<[f64; 3]> =
            (0..40).map(|game| ms * (0.95 + 0.1 * f64::from(game) / 39.0)).map(|ms| [ms, ms * 1000.0, 30.0]).collect();
        Cell { paper: Some(paper), ..Cell::new(series, at, &games) }
    }

    pub fn found(line: &ReportLine) -> Verdict {
        match line.finding {
            Finding::Judged(verdict) => verdict,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn ratios_within_a_factor_of_two() {
        let mut cells = vec![cell("a", 3, 1200.0, 5.7), cell("a", 4, 2400.0, 36.0), cell("b", 3, 400.0, 1.0)];
        let ratios = neighbours(&cells, &["a", "b"]);
        let names: Vec<String> = ratios.iter().map(|ratio| format!("{} / {}", ratio.slow, ratio.fast)).collect();
        assert_eq!(names, ["a 3 / b 3", "a 4 / a 3"]);
        // 3 and 5.7: just within; 2 and 6.3: not.
        let line = compare(&cells, &ratios[0]);
        assert!(line.our_interval.unwrap().contains(5.7) && !line.shares);
        assert_eq!(found(&line), Verdict::Agrees);
        assert_eq!(found(&compare(&cells, &ratios[1])), Verdict::Differs);
        // 5.97 is within a factor of two of 3, but its interval is not.
        cells[0] = cell("a", 3, 1200.0, 5.97);
        assert_eq!(found(&compare(&cells, &ratios[0])), Verdict::NotShown);
        let asked = |asked| Compared { unit: Unit::Nodes, asked, ..ratios[0].clone() };
        let verdict = |bound| found(&compare(&cells, &asked(RatioClaim::Beside(Ordering::Greater, bound))));
        assert_eq!([5.0, 6.0, 7.0].map(verdict), [Verdict::SameDirection, Verdict::NotShown, Verdict::Differs]);
        cells[1].cut = true;
        assert_eq!(compare(&cells, &ratios[1]).finding, Finding::Scaled);
    }

    /// Three games, as the paper has, decide nothing.
    #[test]
    fn too_few_games() {
        let few = |name, ms| Cell { paper: Some(ms), ..Cell::new(name, 3, &[[ms, ms, 9.0]; 3]) };
        let cells = [few("a", 20.0), few("b", 10.0)];
        assert_eq!(found(&compare(&cells, &neighbours(&cells, &["a", "b"])[0])), Verdict::TooFewGames);
        assert_eq!(found(&order(&cells, 3).unwrap()), Verdict::NotShown);
    }

    #[test]
    fn what_the_paper_gave_up_is_slower_than_its_cut() {
        let mut cells = vec![cell("a", 3, 10_000.0, 1.0), cell("a", 4, 0.0, 30.0), cell("a", 5, 0.0, 400.0)];
        for cell in &mut cells[1..] {
            (cell.paper, cell.over) = (None, Some(200_000.0));
        }
        let ratios = neighbours(&cells, &["a"]);
        // Of two cells that it gave up there is nothing to compare.
        assert_eq!(ratios.len(), 1);
        let line = compare(&cells, &ratios[0]);
        assert_eq!((line.paper.as_str(), found(&line)), ("over 20.00", Verdict::SameDirection));
        cells[1] = Cell { paper: None, over: Some(200_000.0), ..cell("a", 4, 0.0, 15.0) };
        assert_eq!(found(&compare(&cells, &ratios[0])), Verdict::Differs);
    }

    #[test]
    fn the_widest_interval_is_named() {
        let cells = [cell("a", 3, 1200.0, 5.7), cell("b", 3, 400.0, 1.0)];
        let ratios: Vec<ReportLine> =
            neighbours(&cells, &["a", "b"]).iter().map(|ratio| compare(&cells, ratio)).collect();
        let line = precision(&ratios).unwrap();
        assert!(line.our_value.unwrap() > 0.005 && line.our_value.unwrap() < 0.03, "{}", line.ours);
        assert_eq!(line.reason, "a 3 / b 3; 1 of 1 ratios are known to 10 %");
        assert_eq!(precision(&[]), None);
    }

    #[test]
    fn orders_ignore_what_the_paper_cannot_tell_apart() {
        let same = [cell("a", 3, 1618.0, 1.0), cell("b", 3, 1604.0, 2.0), cell("c", 3, 14478.0, 9.0)];
        assert_eq!(found(&order(&same, 3).unwrap()), Verdict::SameDirection);
        let other = [cell("a", 3, 1618.0, 1.0), cell("c", 3, 14478.0, 0.5)];
        assert_eq!(found(&order(&other, 3).unwrap()), Verdict::Differs);
        // The means are in the paper's order, but not for certain.
        let close = [cell("a", 3, 1618.0, 1.0), cell("c", 3, 14478.0, 1.005)];
        let line = order(&close, 3).unwrap();
        assert_eq!((found(&line), line.ours.as_str()), (Verdict::NotShown, "c > a"));
        assert!(order(&other, 4).is_none());
    }
}
