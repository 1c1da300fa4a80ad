//! Which pictures a report has.

use quintet_arena::stats::{Interval, Wdl, wilson};
use quintet_chart::{Bars, Cell, Cross, Measure, Row, Scale, Stack, StackRow, Stacks};

use super::file::Chart;
use super::pyramid;
use super::report::ReportLine;

/// The pictures of matches.
pub(super) fn of_lines(chart: Chart, title: &str, lines: &[ReportLine]) -> Vec<(String, String)> {
    if chart == Chart::Pyramid {
        return pyramid::of_lines(title, lines);
    }
    let drawn: Vec<&ReportLine> =
        lines.iter().filter(|line| line.our_value.is_some() || line.paper_value.is_some()).collect();
    if drawn.is_empty() {
        return Vec::new();
    }
    let scores = ("scores.svg".to_owned(), bars(title, &drawn).svg());
    match chart {
        Chart::Pyramid => Vec::new(),
        Chart::Bars => vec![scores],
        Chart::Outcomes => vec![("outcomes.svg".into(), outcomes(title, &drawn).svg()), scores],
        Chart::Heat => {
            let mut modes: Vec<&str> = Vec::new();
            for line in &drawn {
                if !modes.contains(&line.mode.as_str()) {
                    modes.push(&line.mode);
                }
            }
            let of_mode = |mode: &&str| {
                let lines: Vec<&ReportLine> = drawn.iter().copied().filter(|line| line.mode == **mode).collect();
                (format!("cross-table-{mode}.svg"), heat(&format!("{title}, {mode}"), &lines).svg())
            };
            modes.iter().map(of_mode).chain([scores]).collect()
        }
    }
}

fn range(interval: Option<Interval>) -> Option<[f64; 2]> {
    interval.map(|Interval { low, high }| [low, high])
}

/// Scores, ours above the paper's, with their intervals.
fn bars(title: &str, lines: &[&ReportLine]) -> Bars {
    let measure = |value: Option<f64>, interval| {
        value.map(|value| Measure { value, range: range(interval), text: format!("{:.1} %", 100.0 * value) })
    };
    let row = |line: &&ReportLine| Row {
        label: line.full_name(),
        detail: if line.mode == "printed" { String::new() } else { line.mode.clone() },
        bars: vec![measure(line.our_value, line.our_interval), measure(line.paper_value, line.paper_interval)],
    };
    Bars {
        title: title.to_owned(),
        note: "with 95 % intervals".into(),
        series: ["ours", "paper"].map(String::from).into(),
        rows: lines.iter().map(row).collect(),
        scale: Scale::Percent,
    }
}

/// Wins, draws and losses, ours above the paper's.
fn outcomes(title: &str, lines: &[&ReportLine]) -> Stacks {
    let stack = |name: &str, wdl: Option<Wdl>| {
        let wdl = wdl.filter(|wdl| wdl.n() > 0)?;
        let Wdl { wins, draws, losses } = wdl;
        Some(Stack { name: name.into(), counts: vec![wins, draws, losses], range: range(wilson(wins, wdl.n())) })
    };
    let row = |line: &&ReportLine| {
        let stacks: Vec<Stack> =
            [stack("ours", line.wdl), stack("paper", line.paper_wdl)].into_iter().flatten().collect();
        (!stacks.is_empty()).then(|| StackRow { label: line.full_name(), stacks })
    };
    Stacks {
        title: title.to_owned(),
        note: "with 95 % intervals of the share won".into(),
        parts: ["won", "drawn", "lost"].map(String::from).into(),
        rows: lines.iter().filter_map(row).collect(),
    }
}

/// The win rate of the column against the row; ours large, the paper's small below it.
fn heat(title: &str, lines: &[&ReportLine]) -> Cross {
    let mut names: Vec<String> = Vec::new();
    for name in lines.iter().filter_map(|line| line.players.as_ref()).flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let cell = |row: &String, column: &String| {
        let of_pair =
            |line: &&&ReportLine| line.players.as_ref().is_some_and(|[own, other]| own == column && other == row);
        let line = lines.iter().find(of_pair)?;
        let share = line.our_value?;
        let small = line.paper_value.map_or(String::new(), |value| format!("paper {:.0}", 100.0 * value));
        Some(Cell { share, text: format!("{:.0}", 100.0 * share), small })
    };
    Cross {
        title: title.to_owned(),
        note: "% won by the column against the row".into(),
        cells: names.iter().map(|row| names.iter().map(|column| cell(row, column)).collect()).collect(),
        columns: names.clone(),
        rows: names,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_charts_closed() {
        let mut line = ReportLine::new("a <b> v \"c\" & d".into(), "printed");
        (line.our_value, line.our_interval) = (Some(0.6), Some(Interval { low: 0.5, high: 0.7 }));
        line.players = Some(["a <b>".into(), "c".into()]);
        line.wdl = Some(Wdl { wins: 3, draws: 1, losses: 1 });
        for chart in [Chart::Bars, Chart::Outcomes, Chart::Heat] {
            for (name, svg) in of_lines(chart, "x < y", std::slice::from_ref(&line)) {
                assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{name}");
                assert!(svg.contains("<title>x &lt; y") && !svg.contains("<b>"), "{name}");
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            }
        }
        assert!(of_lines(Chart::Bars, "", &[ReportLine::new("nothing".into(), "")]).is_empty());
    }

    #[test]
    fn a_cell_is_the_column_against_the_row() {
        let mut line = ReportLine::new("a v b".into(), "printed");
        (line.our_value, line.paper_value) = (Some(0.75), Some(0.6));
        line.players = Some(["a".into(), "b".into()]);
        let cross = heat("", &[&line]);
        assert_eq!(cross.columns, ["a", "b"]);
        assert_eq!(cross.cells[1][0], Some(Cell { share: 0.75, text: "75".into(), small: "paper 60".into() }));
        assert_eq!([&cross.cells[0][0], &cross.cells[0][1], &cross.cells[1][1]], [&None, &None, &None]);
    }
}
