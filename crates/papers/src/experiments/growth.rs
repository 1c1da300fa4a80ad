//! How fast timed games grow with depth or size.

use std::cmp::Ordering;

use quintet_arena::stats::{Interval, judge_bound, judge_number, judge_ratio};

use super::cells::{Cell, Derived, Means, derive};
use super::file::{Growth, Unit};
use super::render::{interval, number};
use super::report::{Finding, ReportLine};
use super::times::TOLERANCE;

/// The lines of one growth.
pub(super) fn lines(cells: &[Cell], growth: &Growth) -> Vec<ReportLine> {
    let series = |name: &str| -> Vec<&Cell> { cells.iter().filter(|cell| cell.series == name && !cell.cut).collect() };
    let what = match &growth.base {
        Some(base) => format!("growth of {} by depth, as a share of {base}'s", growth.of),
        None => format!("power of the size, {}", growth.of),
    };
    let mut line = ReportLine::new(what, "printed");
    (line.paper, line.paper_value) = (growth.paper.to_string(), Some(growth.paper));
    let own = series(&growth.of);
    line.games = own.iter().map(|cell| cell.games).sum();
    let value = match &growth.base {
        None => by_size(&own),
        Some(base) => by_depth(&own, &series(base)),
    };
    let Some(value) = value else {
        return vec![ReportLine { finding: Finding::Scaled, reason: "too few cells without a cut".into(), ..line }];
    };
    let all = growth.base.is_some() || cells.iter().filter(|cell| cell.series == growth.of).count() == own.len();
    let (verdict, reason) = judge_number(growth.paper, value.interval);
    show(&mut line, value);
    line.finding = if all { Finding::Judged(verdict) } else { Finding::Scaled };
    line.reason = format!("{reason}; over {} cells", own.len());
    let mut lines = vec![line];
    if growth.base.is_none() && own.len() > 2 {
        lines.push(polynomial(&own, !all));
        lines.extend(growth.slower.and_then(|at| slower(&own, at)));
    }
    lines
}

fn show(line: &mut ReportLine, value: Derived) {
    (line.ours, line.our_value, line.our_interval, line.shares) =
        (format!("{:.2}", value.value), Some(value.value), value.interval, false);
}

/// The power of the size by which times grow, from the smallest to the largest.
fn by_size(own: &[&Cell]) -> Option<Derived> {
    let (first, last) = own.first().zip(own.last()).filter(|(first, last)| first.at < last.at)?;
    let larger = (f64::from(last.at) / f64::from(first.at)).ln();
    Some(derive(&[first, last], |means| (means[1].ms / means[0].ms).ln() / larger))
}

/// The factor of nodes per move and depth, as a share of another series', both in logarithms and over the same depths.
fn by_depth(own: &[&Cell], base: &[&Cell]) -> Option<Derived> {
    let pairs: Vec<(&Cell, &Cell)> =
        own.iter().filter_map(|cell| Some((*cell, *base.iter().find(|base| base.at == cell.at)?))).collect();
    if pairs.len() < 2 {
        return None;
    }
    let depths: Vec<f64> = pairs.iter().map(|(cell, _)| f64::from(cell.at)).collect();
    let slope = |means: &[Means]| {
        let points: Vec<(f64, f64)> =
            depths.iter().zip(means).map(|(depth, means)| (*depth, means.nodes_per_move().ln())).collect();
        fit(&points).map_or(f64::NAN, |(slope, _)| slope)
    };
    let both: Vec<&Cell> = pairs.iter().map(|pair| pair.0).chain(pairs.iter().map(|pair| pair.1)).collect();
    Some(derive(&both, |means| {
        let (own, base) = means.split_at(depths.len());
        slope(own) / slope(base)
    }))
}

/// Whether growth by size is better described by a power than by an exponential.
fn polynomial(own: &[&Cell], scaled: bool) -> ReportLine {
    let misfits = |means: &[Means]| {
        let misfit = |x: fn(f64) -> f64| {
            let points: Vec<(f64, f64)> =
                own.iter().zip(means).map(|(cell, means)| (x(f64::from(cell.at)), means.ms.ln())).collect();
            fit(&points).map_or(0.0, |(_, misfit)| misfit)
        };
        [misfit(f64::ln), misfit(|x| x)]
    };
    let means: Vec<Means> = own.iter().map(|cell| cell.means).collect();
    let [power, exponential] = misfits(&means);
    let apart = derive(own, |means| {
        let [power, exponential] = misfits(means);
        power - exponential
    });
    let (verdict, _) = judge_bound(Ordering::Less, 0.0, apart.interval);
    let mut line = ReportLine::new("a power of the size, not an exponential".into(), "printed");
    line.games = own.iter().map(|cell| cell.games).sum();
    line.paper = "a power".into();
    line.ours = if power <= exponential { "a power" } else { "an exponential" }.into();
    line.finding = if scaled { Finding::Scaled } else { Finding::Judged(verdict) };
    let apart = apart
        .interval
        .map_or(String::new(), |Interval { low, high }| format!(", the difference {low:.3} to {high:.3}"));
    line.reason = format!("misfit in logarithms: power {power:.3}, exponential {exponential:.3}{apart}");
    line
}

/// The paper's argument that growth is not exponential: of two steps of equal size, the second multiplies the time by less.
fn slower(own: &[&Cell], at: [u32; 3]) -> Option<ReportLine> {
    let found = |at: u32| own.iter().find(|cell| cell.at == at).copied();
    let cells = [found(at[0])?, found(at[1])?, found(at[2])?];
    let bend = |unit| derive(&cells, |means| means[2].of(unit) * means[0].of(unit) / means[1].of(unit).powi(2));
    let [first, second, third] = at;
    let mut line =
        ReportLine::new(format!("step from {second} to {third} over the step from {first} to {second}"), "printed");
    line.games = cells.iter().map(|cell| cell.games).min().unwrap_or(0);
    let paper = cells[2].paper? * cells[0].paper? / cells[1].paper?.powi(2);
    (line.paper, line.paper_value) = (format!("{paper:.2}"), Some(paper));
    let (ms, nodes) = (bend(Unit::Ms), bend(Unit::Nodes));
    show(&mut line, ms);
    let (verdict, reason) = judge_ratio(paper, TOLERANCE, ms.interval);
    line.finding = Finding::Judged(verdict);
    line.reason = format!("{reason}; in nodes {} ({})", number(nodes.value), interval(nodes.interval, false));
    Some(line)
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

#[cfg(test)]
mod tests {
    use quintet_arena::stats::Verdict;

    use super::super::times::tests::{cell, found};
    use super::*;

    #[test]
    fn powers_and_shares() {
        let powers: Vec<Cell> = [6, 8, 10, 12].map(|n| cell("a", n, 1.0, f64::from(n).powi(9))).into();
        let growth = Growth { of: "a".into(), base: None, paper: 9.1, slower: Some([8, 10, 12]) };
        let power = lines(&powers, &growth);
        assert!((power[0].our_value.unwrap() - 9.0).abs() < 1e-9);
        assert_eq!([found(&power[0]), found(&power[1])], [Verdict::Agrees, Verdict::SameDirection]);
        assert!((power[2].our_value.unwrap() - 0.96f64.powi(9)).abs() < 1e-9);
        let exponential: Vec<Cell> = [6, 8, 10, 12].map(|n| cell("a", n, 1.0, 3f64.powi(n as i32))).into();
        assert_eq!(found(&lines(&exponential, &growth)[1]), Verdict::Differs);
        let by_depth = |name: &str, b: f64| [1, 2, 3].map(|d| cell(name, d, 1.0, b.powi(d as i32)));
        let both = [by_depth("m", 16.0), by_depth("ab", 8.0)].concat();
        let share = Growth { of: "ab".into(), base: Some("m".into()), paper: 0.75, slower: None };
        let line = &lines(&both, &share)[0];
        assert!((line.our_value.unwrap() - 0.75).abs() < 1e-9 && line.our_interval.unwrap().contains(0.75));
        assert_eq!(found(line), Verdict::Agrees);
        // A growth of 0.75 of minimax's beside one of 0.5: the paper's lower bound is not reached.
        let lower = Growth { paper: 0.5, ..share };
        assert_eq!(found(&lines(&both, &lower)[0]), Verdict::Differs);
    }

    #[test]
    fn a_power_that_cannot_be_told_from_an_exponential() {
        // Half-way between the two, with a spread of its own.
        let between = |n: u32| (4.5 * f64::from(n).ln() + 0.52 * f64::from(n)).exp();
        let cells: Vec<Cell> = [6, 8, 10, 12].map(|n| cell("a", n, 1.0, between(n))).into();
        let growth = Growth { of: "a".into(), base: None, paper: 9.1, slower: None };
        assert_eq!(found(&lines(&cells, &growth)[1]), Verdict::NotShown);
    }
}
