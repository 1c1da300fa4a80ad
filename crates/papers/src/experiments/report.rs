//! The results of an experiment, line by line, derived from the games alone.

use std::fmt;

use quintet_arena::stats::{Interval, Verdict, Wdl, table_agrees};
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
pub struct Line {
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

impl Line {
    /// A line without numbers.
    pub(super) fn new(what: String, mode: &str) -> Line {
        Line {
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
            wdl: None,
            paper_wdl: None,
            games: 0,
            finding: Finding::Waits,
            reason: String::new(),
            flag: None,
        }
    }

    fn of_measured(measured: &Measured) -> Line {
        let mode = if measured.what.contains("as-programmed") { "as-programmed" } else { "printed" };
        Line {
            paper: measured.paper.clone(),
            ours: measured.ours.clone(),
            our_interval: measured.interval,
            games: measured.samples,
            finding: Finding::Judged(measured.verdict),
            reason: measured.reason.clone(),
            ..Line::new(measured.what.clone(), mode)
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

/// The result of a table in one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableVerdict {
    /// The mode.
    pub mode: String,
    /// Lines that agree.
    pub agree: usize,
    /// Lines that can be compared.
    pub comparable: usize,
    /// Whether at least 90 % of them agree. `None` if there are none.
    pub agrees: Option<bool>,
}

impl TableVerdict {
    fn of(mode: &str, lines: &[Line]) -> TableVerdict {
        let verdicts: Vec<Verdict> =
            lines.iter().filter(|line| line.mode == mode).filter_map(|line| line.finding.verdict()).collect();
        let count = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        let agree = count(Verdict::Agrees);
        let comparable = agree + count(Verdict::Differs);
        TableVerdict { mode: mode.to_owned(), agree, comparable, agrees: table_agrees(verdicts) }
    }
}

impl fmt::Display for TableVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableVerdict { mode, agree, comparable, agrees } = self;
        let word = match agrees {
            None => return write!(f, "{mode}: no line can be compared here"),
            Some(true) => "agrees",
            Some(false) => "differs",
        };
        write!(f, "{mode}: the table {word} ({agree} of {comparable} comparable lines agree, 90 % are required)")
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
    pub lines: Vec<Line>,
    /// The results of the table, mode by mode.
    pub verdicts: Vec<TableVerdict>,
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
                let line = Line::new(schedule.experiment.title.clone(), "-");
                vec![Line { reason: format!("waits for {needs}"), ..line }]
            }
        };
        lines.extend(measured.iter().map(Line::of_measured));
        let mut verdicts: Vec<TableVerdict> = Vec::new();
        for line in &lines {
            if verdicts.iter().all(|known| known.mode != line.mode) {
                verdicts.push(TableVerdict::of(&line.mode, &lines));
            }
        }
        let played = |work: &Work| !matches!(work, Work::Waits(_) | Work::Nothing);
        let of_jobs = schedule.jobs.iter().filter(|job| played(&job.work));
        let games_played = of_jobs.map(|job| games.get(&job.key).map_or(0, Vec::len) as u64).sum();
        let charts = match schedule.experiment.kind {
            Kind::Times => times::charts(schedule, games),
            _ => charts::of_lines(schedule.experiment.chart, &schedule.experiment.title, &lines),
        };
        let (experiment, size) = (schedule.experiment.clone(), schedule.size);
        Report { experiment, size, games: games_played, lines, verdicts, meta, charts }
    }

    /// Whether any comparison differs.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.lines.iter().any(|line| line.finding.differs())
    }

    /// The number of lines by result, as in `agrees 8, differs 2`.
    #[must_use]
    pub fn sums(&self) -> String {
        let mut kinds: Vec<(String, usize)> = Vec::new();
        for line in &self.lines {
            let name = line.finding.to_string();
            match kinds.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => kinds.push((name, 1)),
            }
        }
        let parts: Vec<String> = kinds.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
        parts.join(", ")
    }

    /// The verdict of the whole table, mode by mode.
    #[must_use]
    pub fn verdict(&self) -> String {
        self.verdicts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
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
        let agrees: serde_json::Map<String, Value> =
            self.verdicts.iter().map(|verdict| (verdict.mode.clone(), json!(verdict.agrees))).collect();
        json!({
            "id": self.experiment.id, "title": self.experiment.title, "design": self.size, "games": self.games,
            "lines": lines, "agrees": agrees, "contradictions": self.experiment.contradictions, "meta": self.meta,
        })
    }
}
