//! Reports as Markdown and HTML.

use std::fmt::Write;

use quintet_arena::stats::Interval;

use super::file::Kind;
use super::report::{Report, ReportLine};

/// As a cell of a table: percentages where it is one of shares.
pub(super) fn interval(interval: Option<Interval>, shares: bool) -> String {
    match interval {
        None => "-".into(),
        Some(Interval { low, high }) if shares => format!("{:.0}-{:.0} %", 100.0 * low, 100.0 * high),
        Some(Interval { low, high }) => format!("{}-{}", number(low), number(high)),
    }
}

/// Three digits or more: `0.62`, `15.8`, `5,246`.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => thousands(value.round() as u64),
    }
}

/// `12,345`.
pub(super) fn thousands(number: u64) -> String {
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

impl ReportLine {
    /// The names of [`ReportLine::cells`].
    pub const COLUMNS: [&'static str; 9] =
        ["what", "paper", "interval", "ours", "interval", "games", "mode", "verdict", "reason"];

    /// The line as cells of a table.
    #[must_use]
    pub fn cells(&self) -> [String; 9] {
        let reason = match &self.flag {
            Some(flag) => format!("{} [paper: {flag}]", self.reason),
            None => self.reason.clone(),
        };
        [
            self.full_name(),
            self.paper.clone(),
            interval(self.paper_interval, self.shares),
            self.ours.clone(),
            interval(self.our_interval, self.shares),
            self.games.to_string(),
            self.mode.clone(),
            self.finding.to_string(),
            reason,
        ]
    }
}

impl Report {
    /// How it was made, one fact per line.
    #[must_use]
    pub fn facts(&self) -> Vec<[String; 2]> {
        let meta = &self.meta;
        let commit = meta.commit.clone().unwrap_or_else(|| "unknown".into());
        let fact = |name: &str, value: String| [name.to_owned(), value];
        let by_thread = matches!(self.experiment.kind, Kind::Matches | Kind::Times);
        let clock = by_thread.then(|| {
            fact("clock", "processor time of each move's own thread: what else the machine does is not counted".into())
        });
        let facts = [
            fact("design", format!("{}, {} games", self.size.name(), self.games)),
            fact("seed", meta.seed.to_string()),
            fact("program", format!("quintet {}, commit {commit}", meta.version)),
            fact("machine", format!("{}, {} thread(s)", meta.cpu, meta.threads)),
            fact("weights", checksums(&meta.weights)),
            fact("wall time", format!("{:.1} s in the last session", meta.seconds)),
            fact("repeat with", meta.command.clone()),
        ];
        facts.into_iter().chain(clock).collect()
    }
}

/// Digits of a checksum that are shown.
const DIGITS: usize = 12;

/// `pathwayz:tdl52 0123456789ab, pathwayz:tdl440 ba9876543210`.
fn checksums(weights: &[(String, String)]) -> String {
    let shown: Vec<String> = weights
        .iter()
        .map(|(name, checksum)| format!("{name} {}", checksum.get(..DIGITS).unwrap_or(checksum)))
        .collect();
    if shown.is_empty() { "none".into() } else { shown.join(", ") }
}

/// The report as Markdown.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let experiment = &report.experiment;
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut text = format!("# {}: {}\n\n", experiment.id, experiment.title);
    let _ = writeln!(text, "Paper: {}. {}\n", experiment.section, experiment.claim);
    if let Some(note) = &experiment.note {
        let _ = writeln!(text, "{note}\n");
    }
    let _ = writeln!(text, "| {} |\n|{}", ReportLine::COLUMNS.join(" | "), " --- |".repeat(ReportLine::COLUMNS.len()));
    for line in &report.lines {
        let cells: Vec<String> = line.cells().iter().map(|text| cell(text)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    let _ = writeln!(text, "\n**Verdict:** {}.\n", report.verdict());
    for (name, _) in &report.charts {
        let _ = writeln!(text, "![{name}]({name})\n");
    }
    list(&mut text, "Contradictions in the paper", &experiment.contradictions);
    list(&mut text, "Chosen by us, since the paper does not say", &experiment.chosen);
    let _ = writeln!(text, "## How it was made\n");
    for [name, value] in report.facts() {
        let value = if name == "repeat with" { format!("`{value}`") } else { value };
        let _ = writeln!(text, "* {name}: {value}");
    }
    text
}

fn list(text: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "## {title}\n");
    for item in items {
        let _ = writeln!(text, "* {item}");
    }
    text.push('\n');
}

const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;background:#fff;color:#222}\
table{border-collapse:collapse;font-size:14px}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884;vertical-align:top}\
.agrees{color:#087443}.differs{color:#b42318;font-weight:600}.flag{color:#8a5a00}svg{max-width:100%;height:auto}.wide{overflow-x:auto}code{font-size:13px}\
@media(prefers-color-scheme:dark){body{background:#16181d;color:#ddd}.agrees{color:#5fd39a}.differs{color:#ff8a80}.flag{color:#e0b050}}";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The report as one HTML page, without outside resources.
#[must_use]
pub fn html(report: &Report) -> String {
    let experiment = &report.experiment;
    let title = escape(&format!("{}: {}", experiment.id, experiment.title));
    let mut body =
        format!("<h1>{title}</h1>\n<p>Paper: {}. {}</p>\n", escape(&experiment.section), escape(&experiment.claim));
    if let Some(note) = &experiment.note {
        let _ = writeln!(body, "<p>{}</p>", escape(note));
    }
    let head: String = ReportLine::COLUMNS.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    let _ = writeln!(body, "<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>");
    for line in &report.lines {
        body.push_str("<tr>");
        for (place, text) in (ReportLine { flag: None, ..line.clone() }).cells().iter().enumerate() {
            let class = match ReportLine::COLUMNS[place] {
                "verdict" if line.finding.differs() => " class=\"differs\"",
                "verdict" if ["agrees", "same direction"].contains(&text.as_str()) => " class=\"agrees\"",
                _ => "",
            };
            let flag = match &line.flag {
                Some(flag) if place + 1 == ReportLine::COLUMNS.len() => {
                    format!(" <span class=\"flag\">paper: {}</span>", escape(flag))
                }
                _ => String::new(),
            };
            let _ = write!(body, "<td{class}>{}{flag}</td>", escape(text));
        }
        body.push_str("</tr>\n");
    }
    let _ = writeln!(body, "</tbody></table></div>\n<p><strong>Verdict:</strong> {}.</p>", escape(&report.verdict()));
    for (_, svg) in &report.charts {
        let _ = writeln!(body, "<figure>{svg}</figure>");
    }
    for (title, items) in [
        ("Contradictions in the paper", &experiment.contradictions),
        ("Chosen by us, since the paper does not say", &experiment.chosen),
    ] {
        if !items.is_empty() {
            let items: String = items.iter().map(|item| format!("<li>{}</li>", escape(item))).collect();
            let _ = writeln!(body, "<h2>{title}</h2><ul>{items}</ul>");
        }
    }
    body.push_str("<h2>How it was made</h2>\n<table>");
    for [name, value] in report.facts() {
        let value = escape(&value);
        let value = if name == "repeat with" { format!("<code>{value}</code>") } else { value };
        let _ = writeln!(body, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>");
    }
    body.push_str("</table>\n");
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.618, 15.84, 113.5, 52_697.9].map(number), ["0.62", "15.8", "114", "52,698"]);
    }

    #[test]
    fn weights_by_the_beginning_of_their_checksums() {
        assert_eq!(checksums(&[]), "none");
        let weights = [("pylos:svm", "00112233445566778899"), ("pylos:td20", "ab")];
        let weights = weights.map(|(name, checksum)| (name.to_owned(), checksum.to_owned()));
        assert_eq!(checksums(&weights), "pylos:svm 001122334455, pylos:td20 ab");
    }

    #[test]
    fn intervals_of_shares_and_of_others() {
        let of = Some(Interval { low: 0.5, high: 0.625 });
        assert_eq!([interval(of, true), interval(of, false), interval(None, true)], ["50-62 %", "0.50-0.62", "-"]);
    }
}
