//! What a run looked like: curves over its games, the largest weights at its end.

use std::collections::BTreeMap;
use std::fmt::Write;

use quintet_chart::{Axis, Bars, Curve, Curves, Mark, Measure, Point, Row, Scale, Spread};

use crate::Metric;
use crate::run::Config;

/// The most curves in one picture.
const TOGETHER: usize = 15;

/// A picture of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its file.
    pub file: String,
    /// What it shows.
    pub title: String,
    /// The picture.
    pub svg: String,
}

/// The pictures of a run: curves for each group of numbers (named by the part before a `/`), in which `x~low` and `x~high` are the
/// ends of the interval of `x`; and bars of the largest weights at the end.
///
/// ```
/// use quintet_learn::{Metric, charts};
/// let name = "wins against mcts(visits=9)";
/// let charts = charts("pathwayz:tdl52", &[Metric::new(50, [(name, 0.4)]), Metric::new(100, [(name, 0.6)])]);
/// assert_eq!((charts.len(), charts[0].file.as_str()), (1, "wins-against-mcts-visits-9.svg"));
/// assert!(charts[0].svg.contains(name));
/// ```
#[must_use]
pub fn charts(recipe: &str, metrics: &[Metric]) -> Vec<Chart> {
    let mut groups: BTreeMap<&str, BTreeMap<&str, Vec<Point>>> = BTreeMap::new();
    for metric in metrics {
        for (name, value) in metric.values.iter().filter(|(name, _)| !name.contains('~')) {
            let end = |side: &str| metric.values.get(&format!("{name}~{side}")).copied();
            let range = end("low").zip(end("high")).map(|(low, high)| [low, high]);
            let (group, own) = name.split_once('/').unwrap_or((name, name));
            let point = Point { x: metric.at as f64, y: *value, range };
            groups.entry(group).or_default().entry(own).or_default().push(point);
        }
    }
    let marks: Vec<Mark> =
        metrics.iter().filter_map(|metric| Some(Mark { x: metric.at as f64, text: metric.event.clone()? })).collect();
    let mut charts = Vec::new();
    for (group, series) in groups {
        let largest = largest(&series);
        charts.push(curves(recipe, group, &largest, series.len(), &marks));
        if group == "weight" {
            charts.push(bars(recipe, &largest));
        }
    }
    charts
}

/// The series that are largest at the end, the largest first.
fn largest<'a>(series: &'a BTreeMap<&'a str, Vec<Point>>) -> Vec<(&'a str, &'a [Point])> {
    let mut all: Vec<(&str, &[Point])> = series.iter().map(|(name, points)| (*name, points.as_slice())).collect();
    let last = |points: &[Point]| points.last().map_or(0.0, |point| point.y.abs());
    all.sort_by(|a, b| last(b.1).total_cmp(&last(a.1)));
    all.truncate(TOGETHER);
    all
}

fn curves(recipe: &str, group: &str, series: &[(&str, &[Point])], of: usize, marks: &[Mark]) -> Chart {
    let curve = |(number, (name, points)): (usize, &(&str, &[Point]))| Curve {
        name: (*name).to_owned(),
        colour: number,
        dashed: false,
        spread: Spread::Band,
        points: points.to_vec(),
    };
    let shares = group == "win rate";
    let mut notes = Vec::new();
    if series.iter().any(|(_, points)| points.iter().any(|point| point.range.is_some())) {
        notes.push("band: 95 % interval".to_owned());
    }
    if of > series.len() {
        notes.push(format!("the {} largest of {of} at the end", series.len()));
    }
    let drawn = Curves {
        title: format!("{recipe}: {group}"),
        note: notes.join("; "),
        x_name: "games".into(),
        y: Axis { name: group.to_owned(), log: false, range: shares.then_some([0.0, 1.0]) },
        curves: series.iter().enumerate().map(curve).collect(),
        // Who the opponent was explains how often one wins; elsewhere it would only be in the way.
        marks: if shares { marks.to_vec() } else { Vec::new() },
    };
    Chart { file: file_name(group), title: drawn.title.clone(), svg: drawn.svg() }
}

/// The name of a group's picture, which stands in links: its words alone.
fn file_name(group: &str) -> String {
    let words = group.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    format!("{}.svg", words.collect::<Vec<_>>().join("-"))
}

fn bars(recipe: &str, series: &[(&str, &[Point])]) -> Chart {
    let row = |(name, points): &(&str, &[Point])| {
        let value = points.last().map_or(0.0, |point| point.y);
        let measure = Measure { value, range: None, text: format!("{value:.2}") };
        Row { label: (*name).to_owned(), detail: String::new(), bars: vec![Some(measure)] }
    };
    let title = format!("{recipe}: the largest weights at the end");
    let drawn = Bars {
        title: title.clone(),
        note: String::new(),
        series: vec!["weight".into()],
        rows: series.iter().map(row).collect(),
        scale: Scale::Numbers,
    };
    Chart { file: "largest-weights.svg".into(), title, svg: drawn.svg() }
}

/// The report of a run as Markdown; the pictures are files beside it.
#[must_use]
pub fn markdown(config: &Config, metrics: &[Metric], charts: &[Chart]) -> String {
    let mut text = format!("# {}\n\n", config.recipe);
    let _ = writeln!(text, "* pipeline: {}\n* seed: {}\n* repeat with: `{}`", config.kind, config.seed, config.command);
    if !config.commit.is_empty() {
        let _ = writeln!(text, "* commit: {}", config.commit);
    }
    for (key, value) in &config.with {
        let _ = writeln!(text, "* {key} = {value}");
    }
    for chart in charts {
        let _ = write!(text, "\n![{}]({})\n", chart.title, chart.file);
    }
    if metrics.iter().any(|metric| metric.event.is_some()) {
        text.push_str("\n| games | what happened |\n| ---: | --- |\n");
        for metric in metrics {
            if let Some(event) = &metric.event {
                let _ = writeln!(text, "| {} | {} |", metric.at, event.replace('|', "\\|"));
            }
        }
    }
    text
}

/// The same as one HTML page, with the pictures inside.
#[must_use]
pub fn html(config: &Config, metrics: &[Metric], charts: &[Chart]) -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n\
         <style>:root{{color-scheme:light dark}}body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}svg{{max-width:100%;height:auto}}\
         td,th{{padding:.1rem .6rem;text-align:left}}</style>\n<h1>{0}</h1>\n<p>Repeat with <code>{1}</code></p>\n<table>\n",
        escape(&config.recipe),
        escape(&config.command)
    );
    let facts =
        [("pipeline", config.kind.clone()), ("seed", config.seed.to_string()), ("commit", config.commit.clone())];
    let with = config.with.iter().map(|(key, value)| (key.as_str(), value.to_string()));
    for (key, value) in facts.into_iter().chain(with) {
        let _ = writeln!(text, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(key), escape(&value));
    }
    text.push_str("</table>\n");
    for chart in charts {
        let _ = writeln!(text, "<figure>{}</figure>", chart.svg);
    }
    let events = metrics.iter().filter_map(|metric| Some((metric.at, metric.event.as_deref()?)));
    let rows: Vec<String> =
        events.map(|(at, event)| format!("<tr><td>{at}</td><td>{}</td></tr>", escape(event))).collect();
    if !rows.is_empty() {
        let _ = writeln!(
            text,
            "<table>\n<tr><th scope=\"col\">games</th><th scope=\"col\">what happened</th></tr>\n{}\n</table>",
            rows.join("\n")
        );
    }
    text
}
