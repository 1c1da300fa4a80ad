//! Timed games compared with a paper's times: as ratios, never by milliseconds.

use quintet_arena::stats::Verdict;
use quintet_chart::{Axis, Curve, Curves, Point, Spread};

use super::file::{Growth, Ratio, Unit};
use super::perform::Games;
use super::report::{Finding, Line};
use super::schedule::{Schedule, Work};
use super::solo::CUT;

/// How far a ratio of ours may lie from the paper's.
const FACTOR: f64 = 2.0;

/// Times of the paper that differ by less have no order, because it prints the same cell twice, 22 % apart.
const TOLERANCE: f64 = 1.22;

/// What was measured of one series at one depth or size.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    series: String,
    at: u32,
    /// The paper's milliseconds.
    paper: Option<f64>,
    /// Means of a game.
    ms: f64,
    nodes: f64,
    /// The mean per move.
    nodes_a_move: f64,
    games: u64,
    /// The least and the most milliseconds of a game.
    range: [f64; 2],
    /// A game was given up, or there is none.
    cut: bool,
}

impl Cell {
    fn name(&self) -> String {
        format!("{} {}", self.series, self.at)
    }

    fn value(&self, unit: Unit) -> f64 {
        match unit {
            Unit::Ms => self.ms,
            Unit::Nodes => self.nodes,
        }
    }
}

/// A cell for everything that the paper or we measure; what the design leaves out counts as cut off.
fn cells(schedule: &Schedule, games: &Games) -> Vec<Cell> {
    let mut cells = Vec::new();
    for series in &schedule.experiment.series {
        for (place, at) in series.at.iter().enumerate() {
            let played = games.get(&format!("{} {at}", series.name)).map(Vec::as_slice).unwrap_or_default();
            let n = played.len().max(1) as f64;
            let ms: Vec<f64> = played.iter().map(|played| played.cost.ms.iter().sum()).collect();
            let nodes: u64 = played.iter().flat_map(|played| played.cost.nodes).sum();
            let plies: usize = played.iter().map(|played| played.plies).sum();
            cells.push(Cell {
                series: series.name.clone(),
                at: *at,
                paper: series.ms.get(place).map(|ms| *ms as f64),
                ms: ms.iter().sum::<f64>() / n,
                nodes: nodes as f64 / n,
                nodes_a_move: nodes as f64 / plies.max(1) as f64,
                games: played.len() as u64,
                range: [ms.iter().copied().fold(f64::INFINITY, f64::min), ms.iter().copied().fold(0.0, f64::max)],
                cut: played.is_empty() || played.iter().any(|played| played.reason == CUT),
            });
        }
    }
    cells
}

/// The lines of a timing: the cells, then everything that is compared.
pub(super) fn lines(schedule: &Schedule, games: &Games) -> Vec<Line> {
    let experiment = &schedule.experiment;
    let cells = cells(schedule, games);
    let cut = schedule.jobs.iter().find_map(|job| match &job.work {
        Work::Solo(solo) => Some(solo.cut),
        _ => None,
    });
    let mut lines: Vec<Line> =
        cells.iter().map(|cell| shown(cell, experiment.paper_cut_ms, cut.unwrap_or_default())).collect();
    for at in &experiment.orders {
        lines.extend(order(&cells, *at));
    }
    if experiment.all_ratios {
        let names: Vec<&str> = experiment.series.iter().map(|series| series.name.as_str()).collect();
        lines.extend(neighbours(&cells, &names).iter().map(|ratio| compare(&cells, ratio)));
    }
    lines.extend(experiment.ratios.iter().map(|ratio| compare(&cells, ratio)));
    lines.extend(experiment.growths.iter().flat_map(|growth| grown(&cells, growth)));
    lines
}

/// A cell, beside the paper's.
fn shown(cell: &Cell, paper_cut: Option<u64>, cut: u64) -> Line {
    let mut line = Line::new(cell.name(), "printed");
    line.paper = match (cell.paper, paper_cut) {
        (Some(ms), _) => format!("{} ms", thousands(ms as u64)),
        (None, Some(cut)) => format!("over {} ms", thousands(cut)),
        (None, None) => "-".into(),
    };
    line.games = cell.games;
    (line.paper_value, line.our_value) = (cell.paper, (!cell.cut).then_some(cell.ms));
    let mark = if cell.cut { "over " } else { "" };
    line.ours = match cell.games {
        0 => "-".into(),
        _ => format!("{mark}{:.1} ms, {} nodes", cell.ms, thousands(cell.nodes as u64)),
    };
    (line.finding, line.reason) = match (cell.games, cell.cut) {
        (0, _) => (Finding::Scaled, "left out of this design".into()),
        (_, true) => (Finding::Scaled, format!("given up after {} nodes", thousands(cut))),
        _ if cell.paper.is_none() => (Finding::Judged(Verdict::OursOnly), "the paper prints no time for it".into()),
        _ => (Finding::Judged(Verdict::CannotBeCompared), "times of another machine: see the ratios".into()),
    };
    line
}

/// All ratios of the paper between series next to each other, and between depths or sizes next to each other.
fn neighbours(cells: &[Cell], names: &[&str]) -> Vec<Ratio> {
    let mut ratios = Vec::new();
    let mut push = |slow: &Cell, fast: &Cell| {
        if let (Some(above), Some(below)) = (slow.paper, fast.paper) {
            let (slow, fast, paper) = (slow.name(), fast.name(), Some(above / below));
            ratios.push(Ratio { slow, fast, paper, unit: Unit::Ms, least: None, most: None });
        }
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

fn compare(cells: &[Cell], ratio: &Ratio) -> Line {
    let mut line = Line::new(format!("{} / {}", ratio.slow, ratio.fast), "printed");
    line.paper = ratio.paper.map_or("-".into(), |paper| format!("{paper:.2}"));
    line.paper_value = ratio.paper;
    let (Some(slow), Some(fast)) = (find(cells, &ratio.slow), find(cells, &ratio.fast)) else {
        return Line { reason: "waits for a series of that name".into(), ..line };
    };
    line.games = slow.games.min(fast.games);
    if slow.cut || fast.cut {
        return Line { finding: Finding::Scaled, reason: "a game was given up or left out: no ratio".into(), ..line };
    }
    let quotient = |unit| slow.value(unit) / fast.value(unit).max(f64::MIN_POSITIVE);
    let ours = quotient(ratio.unit);
    line.our_value = Some(ours);
    let unit = if ratio.unit == Unit::Nodes { " in nodes" } else { "" };
    line.ours = format!("{ours:.2}{unit}");
    let (holds, rule) = match (ratio.least, ratio.most, ratio.paper) {
        (Some(least), _, _) => (ours >= least, format!("at least {least} is required")),
        (_, Some(most), _) => (ours <= most, format!("at most {most} is required")),
        (_, _, Some(paper)) => (
            (1.0 / FACTOR..=FACTOR).contains(&(ours / paper)),
            format!("ours is {:.2} times the paper's", ours / paper),
        ),
        _ => return Line { finding: Finding::Judged(Verdict::OursOnly), ..line },
    };
    line.finding = Finding::Judged(if holds { Verdict::Agrees } else { Verdict::Differs });
    line.reason = match ratio.unit {
        Unit::Ms => format!("{rule}; in nodes {:.2}", quotient(Unit::Nodes)),
        Unit::Nodes => format!("{rule}; in time {:.2}", quotient(Unit::Ms)),
    };
    line
}

/// The order of all series at one depth.
fn order(cells: &[Cell], at: u32) -> Option<Line> {
    let known: Vec<(&Cell, f64)> =
        cells.iter().filter(|cell| cell.at == at).filter_map(|cell| Some((cell, cell.paper?))).collect();
    if known.len() < 2 {
        return None;
    }
    let mut line = Line::new(format!("order at {at}"), "printed");
    let names = |mut cells: Vec<(&Cell, f64)>| {
        cells.sort_by(|a, b| b.1.total_cmp(&a.1));
        cells.iter().map(|(cell, _)| cell.series.as_str()).collect::<Vec<_>>().join(" > ")
    };
    line.paper = names(known.clone());
    line.games = known.iter().map(|(cell, _)| cell.games).min().unwrap_or(0);
    if known.iter().any(|(cell, _)| cell.cut) {
        return Some(Line { finding: Finding::Scaled, reason: "a game was given up or left out".into(), ..line });
    }
    line.ours = names(known.iter().map(|(cell, _)| (*cell, cell.ms)).collect());
    let mut wrong = Vec::new();
    for (slow, slow_paper) in &known {
        for (fast, fast_paper) in &known {
            if slow_paper / fast_paper > TOLERANCE && slow.ms <= fast.ms {
                wrong.push(format!("{} is not slower than {}", slow.series, fast.series));
            }
        }
    }
    (line.finding, line.reason) = if wrong.is_empty() {
        (Finding::Judged(Verdict::Agrees), "the same order where the paper's times differ by more than 22 %".into())
    } else {
        (Finding::Judged(Verdict::Differs), wrong.join("; "))
    };
    Some(line)
}

fn grown(cells: &[Cell], growth: &Growth) -> Vec<Line> {
    let series = |name: &str| -> Vec<&Cell> { cells.iter().filter(|cell| cell.series == name && !cell.cut).collect() };
    let what = match &growth.base {
        Some(base) => format!("growth of {} by depth, as a share of {base}'s", growth.of),
        None => format!("power of the size, {}", growth.of),
    };
    let mut line = Line::new(what, "printed");
    line.paper = growth.paper.map_or("-".into(), |paper| format!("{paper}"));
    line.paper_value = growth.paper;
    let own = series(&growth.of);
    line.games = own.iter().map(|cell| cell.games).sum();
    let depth = |cells: &[&Cell]| -> Option<f64> {
        let points: Vec<(f64, f64)> = cells.iter().map(|cell| (f64::from(cell.at), cell.nodes_a_move.ln())).collect();
        fit(&points).map(|(slope, _)| slope)
    };
    let value = match &growth.base {
        None => match (own.first(), own.last()) {
            (Some(a), Some(b)) if a.at < b.at => Some((b.ms / a.ms).ln() / (f64::from(b.at) / f64::from(a.at)).ln()),
            _ => None,
        },
        Some(base) => {
            // Both over the same depths.
            let base: Vec<&Cell> =
                series(base).into_iter().filter(|cell| own.iter().any(|own| own.at == cell.at)).collect();
            let own: Vec<&Cell> =
                own.iter().copied().filter(|cell| base.iter().any(|base| base.at == cell.at)).collect();
            depth(&own).zip(depth(&base)).map(|(own, base)| own / base)
        }
    };
    let Some(value) = value else {
        return vec![Line { finding: Finding::Scaled, reason: "too few cells without a cut".into(), ..line }];
    };
    let [low, high] = growth.between;
    (line.ours, line.our_value) = (format!("{value:.2}"), Some(value));
    let all = cells.iter().filter(|cell| cell.series == growth.of).count() == own.len();
    let holds = (low..=high).contains(&value);
    line.finding = match (all || growth.base.is_some(), holds) {
        (false, _) => Finding::Scaled,
        (true, true) => Finding::Judged(Verdict::Agrees),
        (true, false) => Finding::Judged(Verdict::Differs),
    };
    line.reason = format!("{low} to {high} is required; over {} cells", own.len());
    let mut lines = vec![line];
    if growth.base.is_none() && own.len() > 2 {
        let finding = lines[0].finding;
        lines.push(polynomial(&own, finding == Finding::Scaled));
    }
    lines
}

/// Whether growth by size is better described by a power than by an exponential.
fn polynomial(own: &[&Cell], scaled: bool) -> Line {
    let misfit = |x: &dyn Fn(f64) -> f64| {
        let points: Vec<(f64, f64)> = own.iter().map(|cell| (x(f64::from(cell.at)), cell.ms.ln())).collect();
        fit(&points).map_or(0.0, |(_, misfit)| misfit)
    };
    let [power, exponential] = [misfit(&f64::ln), misfit(&|x| x)];
    let mut line = Line::new("a power of the size, not an exponential".into(), "printed");
    line.games = own.iter().map(|cell| cell.games).sum();
    line.paper = "a power".into();
    let holds = power <= exponential;
    line.ours = if holds { "a power" } else { "an exponential" }.into();
    line.finding = match (scaled, holds) {
        (true, _) => Finding::Scaled,
        (false, true) => Finding::Judged(Verdict::Agrees),
        (false, false) => Finding::Judged(Verdict::Differs),
    };
    line.reason = format!("misfit in logarithms: power {power:.3}, exponential {exponential:.3}");
    line
}

/// Least squares: the slope, and the sum of squares that is left.
pub(crate) fn fit(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|point| point.0), mean(&|point| point.1));
    let sxx: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let sxy: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let slope = sxy / sxx;
    let left = points.iter().map(|point| (point.1 - y - slope * (point.0 - x)).powi(2)).sum();
    (points.len() > 1 && sxx > 0.0).then_some((slope, left))
}

/// A curve for every series, the paper's dashed.
pub(super) fn charts(schedule: &Schedule, games: &Games) -> Vec<(String, String)> {
    let cells = cells(schedule, games);
    let mut curves = Vec::new();
    for (colour, series) in schedule.experiment.series.iter().enumerate() {
        let own = || cells.iter().filter(|cell| cell.series == series.name);
        let ours = own().filter(|cell| !cell.cut).map(|cell| (cell.at, cell.ms, Some(cell.range)));
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

/// `12,345`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(series: &str, at: u32, paper: f64, ms: f64) -> Cell {
        let (nodes, range) = (ms * 1000.0, [ms, ms]);
        Cell {
            series: series.into(),
            at,
            paper: Some(paper),
            ms,
            nodes,
            nodes_a_move: nodes / 30.0,
            games: 3,
            range,
            cut: false,
        }
    }

    fn found(line: &Line) -> Option<bool> {
        match line.finding {
            Finding::Judged(Verdict::Agrees) => Some(true),
            Finding::Judged(Verdict::Differs) => Some(false),
            _ => None,
        }
    }

    #[test]
    fn ratios_within_a_factor_of_two() {
        let mut cells = vec![cell("a", 3, 1200.0, 6.0), cell("a", 4, 2400.0, 36.0), cell("b", 3, 400.0, 1.0)];
        let ratios = neighbours(&cells, &["a", "b"]);
        let names: Vec<String> = ratios.iter().map(|ratio| format!("{} / {}", ratio.slow, ratio.fast)).collect();
        assert_eq!(names, ["a 3 / b 3", "a 4 / a 3"]);
        // 3 and 6: just within; 2 and 6: not.
        assert_eq!(found(&compare(&cells, &ratios[0])), Some(true));
        assert_eq!(found(&compare(&cells, &ratios[1])), Some(false));
        cells[1].cut = true;
        assert_eq!(compare(&cells, &ratios[1]).finding, Finding::Scaled);
        let least = |least| Ratio { least: Some(least), unit: Unit::Nodes, ..ratios[0].clone() };
        assert_eq!(found(&compare(&cells, &least(6.0))), Some(true));
        assert_eq!(found(&compare(&cells, &least(6.1))), Some(false));
    }

    #[test]
    fn orders_ignore_what_the_paper_cannot_tell_apart() {
        let same = [cell("a", 3, 1618.0, 1.0), cell("b", 3, 1604.0, 2.0), cell("c", 3, 14478.0, 9.0)];
        assert_eq!(found(&order(&same, 3).unwrap()), Some(true));
        let other = [cell("a", 3, 1618.0, 1.0), cell("c", 3, 14478.0, 0.5)];
        assert_eq!(found(&order(&other, 3).unwrap()), Some(false));
        assert!(order(&other, 4).is_none());
    }

    #[test]
    fn powers_and_shares() {
        let powers: Vec<Cell> = [6, 8, 10, 12].map(|n| cell("a", n, 1.0, f64::from(n).powi(9))).into();
        let growth = Growth { of: "a".into(), base: None, paper: Some(9.1), between: [6.0, 12.0] };
        let lines = grown(&powers, &growth);
        assert!((lines[0].our_value.unwrap() - 9.0).abs() < 1e-9);
        assert_eq!((found(&lines[0]), found(&lines[1])), (Some(true), Some(true)));
        let exponential: Vec<Cell> = [6, 8, 10, 12].map(|n| cell("a", n, 1.0, 3f64.powi(n as i32))).into();
        assert_eq!(found(&grown(&exponential, &growth)[1]), Some(false));
        let by_depth = |name: &str, b: f64| [1, 2, 3].map(|d| cell(name, d, 1.0, b.powi(d as i32)));
        let both = [by_depth("m", 16.0), by_depth("ab", 8.0)].concat();
        let share = Growth { of: "ab".into(), base: Some("m".into()), paper: Some(0.75), between: [0.5, 1.0] };
        assert!((grown(&both, &share)[0].our_value.unwrap() - 0.75).abs() < 1e-9);
    }

    #[test]
    fn numbers_with_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
