//! Pictures of results as SVG: no outside resource, readable in light and dark.

use std::fmt::Write;

use super::file::Chart;
use super::report::Line;
use crate::stats::{Interval, Wdl};

/// A line through points with, where known, the range of each.
pub(super) struct Curve {
    pub name: String,
    pub colour: usize,
    pub dashed: bool,
    /// x, y, and the range of y.
    pub points: Vec<(f64, f64, Option<[f64; 2]>)>,
}

/// Told apart by most eyes, also without colour vision (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9"];

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#222}.t{font-size:15px;font-weight:600}.g{stroke:#8885;stroke-width:1}\
.e{stroke:#222;stroke-width:1.5}.m{font-size:11px;fill:#666}@media(prefers-color-scheme:dark){text{fill:#ddd}.e{stroke:#ddd}.m{fill:#aaa}}";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    fn new(width: f64, height: f64, title: &str) -> Svg {
        let mut svg = Svg { width, height, body: String::new() };
        let _ = write!(svg.body, "<title>{}</title>", escape(title));
        svg.text(12.0, 22.0, "t", "start", title);
        svg
    }

    fn text(&mut self, x: f64, y: f64, class: &str, anchor: &str, text: &str) {
        let text = escape(text);
        let _ =
            write!(self.body, r#"<text x="{x:.1}" y="{y:.1}" class="{class}" text-anchor="{anchor}">{text}</text>"#);
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let _ = write!(
            self.body,
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" class="{class}"/>"#,
            from.0, from.1, to.0, to.1
        );
    }

    fn bar(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str, about: &str) {
        let about = escape(about);
        let _ = write!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"><title>{about}</title></rect>"#
        );
    }

    fn finish(self) -> String {
        let Svg { width, height, body } = self;
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img"><style>{STYLE}</style>{body}</svg>"#
        )
    }
}

/// The pictures of matches.
pub(super) fn of_lines(chart: Chart, title: &str, lines: &[Line]) -> Vec<(String, String)> {
    let drawn: Vec<&Line> =
        lines.iter().filter(|line| line.our_value.is_some() || line.paper_value.is_some()).collect();
    if drawn.is_empty() {
        return Vec::new();
    }
    match chart {
        Chart::Bars => vec![("scores.svg".into(), bars(title, &drawn))],
        Chart::Outcomes => {
            vec![("outcomes.svg".into(), outcomes(title, &drawn)), ("scores.svg".into(), bars(title, &drawn))]
        }
        Chart::Heat => {
            let mut modes: Vec<&str> = Vec::new();
            for line in &drawn {
                if !modes.contains(&line.mode.as_str()) {
                    modes.push(&line.mode);
                }
            }
            let of_mode = |mode: &&str| {
                let lines: Vec<&Line> = drawn.iter().copied().filter(|line| line.mode == **mode).collect();
                (format!("cross-table-{mode}.svg"), heat(&format!("{title}, {mode}"), &lines))
            };
            let mut charts: Vec<(String, String)> = modes.iter().map(of_mode).collect();
            charts.push(("scores.svg".into(), bars(title, &drawn)));
            charts
        }
    }
}

const LEFT: f64 = 260.0;
const SCALE: f64 = 4.6;

/// Lines at every quarter, from top to bottom.
fn quarters(svg: &mut Svg, top: f64, bottom: f64) {
    for percent in [0, 25, 50, 75, 100] {
        let x = LEFT + SCALE * f64::from(percent);
        svg.line((x, top), (x, bottom), "g");
        svg.text(x, bottom + 16.0, "m", "middle", &format!("{percent} %"));
    }
}

/// Scores, ours above the paper's, with their intervals.
fn bars(title: &str, lines: &[&Line]) -> String {
    let bottom = 48.0 + 34.0 * lines.len() as f64;
    let mut svg = Svg::new(LEFT + SCALE * 100.0 + 30.0, bottom + 28.0, title);
    quarters(&mut svg, 40.0, bottom);
    svg.text(LEFT + SCALE * 100.0, 22.0, "m", "end", "upper bar ours, lower the paper's; 95 % intervals");
    for (number, line) in lines.iter().enumerate() {
        let y = 46.0 + 34.0 * number as f64;
        let mode = if line.mode == "printed" { "" } else { line.mode.as_str() };
        svg.text(LEFT - 8.0, y + 12.0, "", "end", &shorten(&line.full_name()));
        svg.text(LEFT - 8.0, y + 25.0, "m", "end", mode);
        let sides = [(line.our_value, line.our_interval, 0), (line.paper_value, line.paper_interval, 1)];
        for (value, interval, place) in sides {
            let Some(value) = value else { continue };
            let top = y + 13.0 * f64::from(place);
            let whose = if place == 0 { "ours" } else { "paper" };
            let fill = COLOURS[place as usize];
            svg.bar(LEFT, top, SCALE * 100.0 * value, 11.0, fill, &format!("{whose} {:.1} %", 100.0 * value));
            if let Some(Interval { low, high }) = interval {
                let (low, high, y) = (LEFT + SCALE * 100.0 * low, LEFT + SCALE * 100.0 * high, top + 5.5);
                svg.line((low, y), (high, y), "e");
                svg.line((low, y - 4.0), (low, y + 4.0), "e");
                svg.line((high, y - 4.0), (high, y + 4.0), "e");
            }
        }
    }
    svg.finish()
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(38) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Wins, draws and losses, stacked; ours above the paper's.
fn outcomes(title: &str, lines: &[&Line]) -> String {
    let lines: Vec<&&Line> = lines.iter().filter(|line| line.wdl.is_some() || line.paper_wdl.is_some()).collect();
    let bottom = 48.0 + 34.0 * lines.len() as f64;
    let mut svg = Svg::new(LEFT + SCALE * 100.0 + 30.0, bottom + 28.0, title);
    quarters(&mut svg, 40.0, bottom);
    svg.text(LEFT + SCALE * 100.0, 22.0, "m", "end", "won, drawn, lost; upper bar ours, lower the paper's");
    for (number, line) in lines.iter().enumerate() {
        let y = 46.0 + 34.0 * number as f64;
        svg.text(LEFT - 8.0, y + 16.0, "", "end", &shorten(&line.full_name()));
        for (wdl, whose, top) in [(line.wdl, "ours", y), (line.paper_wdl, "paper", y + 13.0)] {
            let Some(wdl) = wdl.filter(|wdl| wdl.n() > 0) else { continue };
            let Wdl { wins, draws, losses } = wdl;
            let mut x = LEFT;
            for (count, name, fill) in
                [(wins, "won", COLOURS[0]), (draws, "drawn", "#888888"), (losses, "lost", COLOURS[1])]
            {
                let width = SCALE * 100.0 * count as f64 / wdl.n() as f64;
                svg.bar(x, top, width, 11.0, fill, &format!("{whose}: {count} of {} {name}", wdl.n()));
                x += width;
            }
        }
    }
    svg.finish()
}

/// The win rate of the column against the row; ours large, the paper's small below it.
fn heat(title: &str, lines: &[&Line]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in lines.iter().filter_map(|line| line.players.as_ref()).flatten() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let (cell, left, top) = (74.0, 120.0, 70.0);
    let side = cell * names.len() as f64;
    let mut svg = Svg::new((left + side + 20.0).max(420.0), top + side + 20.0, title);
    svg.text(12.0, 40.0, "m", "start", "% won by the column against the row: ours, below the paper's");
    for (place, name) in names.iter().enumerate() {
        let middle = cell * (place as f64 + 0.5);
        svg.text(left + middle, top - 8.0, "", "middle", name);
        svg.text(left - 8.0, top + middle, "", "end", name);
    }
    for line in lines {
        let (Some([own, other]), Some(value)) = (&line.players, line.our_value) else { continue };
        let place = |name: &String| names.iter().position(|known| known == name).unwrap_or(0) as f64;
        let (x, y) = (left + cell * place(own), top + cell * place(other));
        // Blue above one half, red below, pale near it.
        let fill =
            format!("hsl({} 70% 50% / {:.2})", if value >= 0.5 { 205 } else { 22 }, (value - 0.5).abs() * 1.4 + 0.05);
        svg.bar(x, y, cell - 2.0, cell - 2.0, &fill, &format!("{}: {}", line.what, line.finding));
        svg.text(x + cell / 2.0, y + 34.0, "", "middle", &format!("{:.0}", 100.0 * value));
        let paper = line.paper_value.map_or("-".into(), |value| format!("{:.0}", 100.0 * value));
        svg.text(x + cell / 2.0, y + 52.0, "m", "middle", &paper);
    }
    svg.finish()
}

/// Curves over a logarithmic scale.
pub(super) fn curves(title: &str, curves: &[Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let ys = || points().map(|point| point.1).filter(|y| *y > 0.0);
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (first, last) = bounds(&mut points().map(|point| point.0));
    let (low, high) = bounds(&mut ys().map(f64::log10));
    let mut svg = Svg::new(760.0, 420.0, title);
    if !(low.is_finite() && first.is_finite()) {
        return svg.finish();
    }
    let (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
    let (left, right, top, bottom) = (70.0, 540.0, 44.0, 380.0);
    let x_of = |x: f64| left + (right - left) * (x - first) / (last - first).max(1.0);
    let y_of = |y: f64| bottom - (bottom - top) * (y.max(1e-9).log10() - low) / (high - low);
    for power in low as i32..=high as i32 {
        let y = y_of(10f64.powi(power));
        svg.line((left, y), (right, y), "g");
        svg.text(left - 8.0, y + 4.0, "m", "end", &format!("1e{power}"));
    }
    let mut xs: Vec<f64> = points().map(|point| point.0).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    for x in xs {
        svg.text(x_of(x), bottom + 18.0, "m", "middle", &format!("{x}"));
    }
    for (number, curve) in curves.iter().enumerate() {
        let colour = COLOURS[curve.colour % COLOURS.len()];
        let dash = if curve.dashed { r#" stroke-dasharray="5 4""# } else { "" };
        let path: Vec<String> =
            curve.points.iter().map(|(x, y, _)| format!("{:.1},{:.1}", x_of(*x), y_of(*y))).collect();
        let _ = write!(
            svg.body,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>"#,
            path.join(" ")
        );
        for (x, y, range) in &curve.points {
            let _ = write!(svg.body, r#"<circle cx="{:.1}" cy="{:.1}" r="3" fill="{colour}"/>"#, x_of(*x), y_of(*y));
            if let Some([low, high]) = range {
                svg.line((x_of(*x), y_of(*low)), (x_of(*x), y_of(*high)), "e");
            }
        }
        let y = top + 8.0 + 18.0 * number as f64;
        let _ =
            write!(svg.body, r#"<line x1="556" y1="{y}" x2="584" y2="{y}" stroke="{colour}" stroke-width="2"{dash}/>"#);
        svg.text(592.0, y + 4.0, "m", "start", &curve.name);
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_charts_closed() {
        let mut line = Line::new("a <b> v \"c\" & d".into(), "printed");
        (line.our_value, line.our_interval) = (Some(0.6), Some(Interval { low: 0.5, high: 0.7 }));
        line.players = Some(["a <b>".into(), "c".into()]);
        line.wdl = Some(Wdl { wins: 3, draws: 1, losses: 1 });
        for chart in [Chart::Bars, Chart::Outcomes, Chart::Heat] {
            for (name, svg) in of_lines(chart, "x < y", std::slice::from_ref(&line)) {
                assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"), "{name}");
                assert!(svg.contains("x &lt; y") && !svg.contains("<b>"), "{name}");
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            }
        }
        assert!(of_lines(Chart::Bars, "", &[Line::new("nothing".into(), "")]).is_empty());
        assert!(curves("empty", &[]).ends_with("</svg>"));
    }
}
