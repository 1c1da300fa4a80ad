//! The results of an experiment, line by line, derived from the games alone.

use std::fmt;

use quintet_arena::stats::{Interval, Verdict, Wdl};
use serde_json::{Value, json};

use super::file::{Experiment, Kind, Size};
use super::folder::Meta;
use super::perform::Games;
use super::schedule::{Schedule, Work};
use super::{charts, judge, ranking, times};
use crate::measures::Measured;

/// The result of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Compared with the paper.
    Judged(Verdict),
    /// It differs, but the decided games agree: the paper's draw rule is unknown.
    DrawRule,
    /// Played with smaller budgets than the paper's: a direction, not a verdict.
    Scaled,
    /// Something is missing.
    Waits,
}

impl Finding {
    /// How the table counts it, if it does.
    fn verdict(self) -> Option<Verdict> {
        match self {
            Finding::Judged(verdict) => Some(verdict),
            Finding::DrawRule => Some(Verdict::Differs),
            Finding::Scaled | Finding::Waits => None,
        }
    }

    /// Whether ours differs from the paper's.
    #[must_use]
    pub fn differs(self) -> bool {
        self.verdict() == Some(Verdict::Differs)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Judged(verdict) => verdict.fmt(f),
            Finding::DrawRule => f.write_str("differs (draw rule)"),
            Finding::Scaled => f.write_str("scaled"),
            Finding::Waits => f.write_str("waiting"),
        }
    }
}

/// One line of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportLine {
    /// What is compared.
    pub what: String,
    /// The mode of the agents.
    pub mode: String,
    /// The repeat that it belongs to.
    pub repeat: Option<String>,
    /// The two players, where there are two.
    pub players: Option<[String; 2]>,
    /// The paper's number, as text.
    pub paper: String,
    /// The same, for charts.
    pub paper_value: Option<f64>,
    /// Its interval.
    pub paper_interval: Option<Interval>,
    /// Ours, as text.
    pub ours: String,
    /// The same, for charts.
    pub our_value: Option<f64>,
    /// Its interval.
    pub our_interval: Option<Interval>,
    /// Whether the intervals are of shares, which are shown as percentages.
    pub shares: bool,
    /// Our games by their ends.
    pub wdl: Option<Wdl>,
    /// The paper's.
    pub paper_wdl: Option<Wdl>,
    /// Our games.
    pub games: u64,
    /// What comes of it.
    pub finding: Finding,
    /// Why.
    pub reason: String,
    /// What is odd about the paper's number.
    pub flag: Option<String>,
}

impl ReportLine {
    /// A line without numbers.
    pub(super) fn new(what: String, mode: &str) -> ReportLine {
        ReportLine {
            what,
            mode: mode.to_owned(),
            repeat: None,
            players: None,
            paper: "-".into(),
            paper_value: None,
            paper_interval: None,
            ours: "-".into(),
            our_value: None,
            our_interval: None,
            shares: true,
            wdl: None,
            paper_wdl: None,
            games: 0,
            finding: Finding::Waits,
            reason: String::new(),
            flag: None,
        }
    }

    fn of_measured(measured: &Measured) -> ReportLine {
        let mode = if measured.what.contains("as-programmed") { "as-programmed" } else { "printed" };
        ReportLine {
            paper: measured.paper.clone(),
            ours: measured.ours.clone(),
            our_interval: measured.interval,
            games: measured.samples,
            finding: Finding::Judged(measured.verdict),
            reason: measured.reason.clone(),
            ..ReportLine::new(measured.what.clone(), mode)
        }
    }

    /// Its name, with its repeat.
    #[must_use]
    pub fn full_name(&self) -> String {
        match &self.repeat {
            Some(repeat) => format!("{} ({repeat})", self.what),
            None => self.what.clone(),
        }
    }
}

/// The lines of a table in one mode, counted by their results: a table has no verdict of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The mode.
    pub mode: String,
    /// Every result with its number of lines, in the order of the lines.
    pub counts: Vec<(String, usize)>,
}

impl Tally {
    /// Counts lines mode by mode, each with its mode and its result.
    ///
    /// ```
    /// use quintet_papers::experiments::Tally;
    /// let lines = [("printed", "agrees"), ("printed", "differs"), ("printed", "agrees")];
    /// assert_eq!(Tally::of(lines)[0].to_string(), "printed: agrees 2, differs 1");
    /// ```
    pub fn of<'a>(lines: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Tally> {
        let mut all: Vec<Tally> = Vec::new();
        for (mode, result) in lines {
            let at = all.iter().position(|tally| tally.mode == mode).unwrap_or_else(|| {
                all.push(Tally { mode: mode.to_owned(), counts: Vec::new() });
                all.len() - 1
            });
            let counts = &mut all[at].counts;
            match counts.iter_mut().find(|(known, _)| known == result) {
                Some((_, count)) => *count += 1,
                None => counts.push((result.to_owned(), 1)),
            }
        }
        all
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = self.counts.iter().map(|(result, count)| format!("{result} {count}")).collect();
        write!(f, "{}: {}", self.mode, counts.join(", "))
    }
}

/// An experiment with its results.
#[derive(Clone, Debug)]
pub struct Report {
    /// The experiment.
    pub experiment: Experiment,
    /// Its design.
    pub size: Size,
    /// All games.
    pub games: u64,
    /// The comparisons.
    pub lines: Vec<ReportLine>,
    /// The lines counted by their results, mode by mode.
    pub tallies: Vec<Tally>,
    /// Where and how.
    pub meta: Meta,
    /// Pictures: a file's name, and its SVG.
    pub charts: Vec<(String, String)>,
}

impl Report {
    /// Judges the games of a schedule, and what was measured beside them.
    #[must_use]
    pub fn new(schedule: &Schedule, games: &Games, measured: &[Measured], meta: Meta) -> Report {
        let mut lines = match schedule.experiment.kind {
            Kind::Matches => [judge::lines(schedule, games), ranking::lines(schedule, games)].concat(),
            Kind::Times => times::lines(schedule, games),
            Kind::Measure => Vec::new(),
            Kind::Unbuilt => {
                let needs = schedule.experiment.needs.clone().unwrap_or_default();
                let line = ReportLine::new(schedule.experiment.title.clone(), "-");
                vec![ReportLine { reason: format!("waits for {needs}"), ..line }]
            }
        };
        lines.extend(measured.iter().map(ReportLine::of_measured));
        let results: Vec<String> = lines.iter().map(|line| line.finding.to_string()).collect();
        let tallies = Tally::of(lines.iter().zip(&results).map(|(line, result)| (line.mode.as_str(), result.as_str())));
        let played = |work: &Work| !matches!(work, Work::Waits(_) | Work::Nothing);
        let of_jobs = schedule.jobs.iter().filter(|job| played(&job.work));
        let games_played = of_jobs.map(|job| games.get(&job.key).map_or(0, Vec::len) as u64).sum();
        let charts = match schedule.experiment.kind {
            Kind::Times => times::charts(schedule, games),
            _ => charts::of_lines(schedule.experiment.chart, &schedule.experiment.title, &lines),
        };
        let (experiment, size) = (schedule.experiment.clone(), schedule.size);
        Report { experiment, size, games: games_played, lines, tallies, meta, charts }
    }

    /// Whether any comparison differs.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.lines.iter().any(|line| line.finding.differs())
    }

    /// The number of lines by result, mode by mode, as in `printed: agrees 8, differs 2`.
    #[must_use]
    pub fn verdict(&self) -> String {
        self.tallies.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let ends = |interval: Option<Interval>| interval.map(|interval| [interval.low, interval.high]);
        let games = |wdl: Option<Wdl>| wdl.map(|wdl| [wdl.wins, wdl.draws, wdl.losses]);
        let lines: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                json!({
                    "what": line.what, "mode": line.mode, "repeat": line.repeat, "players": line.players,
                    "paper": line.paper_value, "paper_text": line.paper, "our_text": line.ours, "paper_interval": ends(line.paper_interval), "paper_wdl": games(line.paper_wdl),
                    "ours": line.our_value, "our_interval": ends(line.our_interval), "wdl": games(line.wdl),
                    "games": line.games, "verdict": line.finding.to_string(), "reason": line.reason, "flag": line.flag,
                })
            })
            .collect();
        let of_tally = |tally: &Tally| {
            let counts = tally.counts.iter().map(|(result, count)| (result.clone(), json!(count)));
            (tally.mode.clone(), Value::Object(counts.collect()))
        };
        let verdicts: serde_json::Map<String, Value> = self.tallies.iter().map(of_tally).collect();
        json!({
            "id": self.experiment.id, "title": self.experiment.title, "design": self.size, "games": self.games,
            "lines": lines, "verdicts": verdicts, "contradictions": self.experiment.contradictions, "meta": self.meta,
        })
    }
}
