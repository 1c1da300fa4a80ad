//! The reports that come with the program, as they are written.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use quintet_papers::experiments::{Library, Tally};

/// The games with a page each.
pub const GAMES: [&str; 5] = ["pathwayz", "pylos", "twixt", "pentago-twist", "pentago"];

/// The folder of the papers' pages.
pub fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/papers")
}

/// The folder of the reports.
pub fn reports() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/reports")
}

/// A report.
pub struct Shipped {
    /// Its folder.
    pub name: String,
    /// The experiment.
    pub id: String,
    /// The experiment's title.
    pub title: String,
    /// The paper's claim in our words.
    pub claim: String,
    /// The lines of its table.
    pub lines: Vec<ReportLine>,
    /// What follows "Verdict:".
    pub verdict: String,
    /// All of it.
    pub text: String,
}

/// A line of a report.
pub struct ReportLine {
    pub what: String,
    pub paper: String,
    pub ours: String,
    pub interval: String,
    pub games: u64,
    pub mode: String,
    pub verdict: String,
}

impl Shipped {
    /// All reports of experiments, game by game.
    pub fn all() -> Vec<Shipped> {
        let mut names: Vec<String> =
            fs::read_dir(reports()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let mut all: Vec<Shipped> = names.iter().filter_map(|name| Shipped::read(name)).collect();
        all.sort_by_key(|report| GAMES.iter().position(|game| Some(*game) == report.id.split('/').next()));
        all
    }

    fn read(name: &str) -> Option<Shipped> {
        let text = fs::read_to_string(reports().join(name).join("report.md")).ok()?;
        let (id, title) =
            text.lines().next()?.strip_prefix("# ")?.split_once(": ").filter(|(id, _)| id.contains('/'))?;
        let section = &Library::embedded().get(id).ok()?.section;
        let claim =
            text.lines().find_map(|line| line.strip_prefix("Paper: ")?.strip_prefix(section)?.strip_prefix(". "))?;
        let verdict = text.lines().find_map(|line| line.strip_prefix("**Verdict:** "))?;
        let lines = Shipped::lines_of(&text);
        let [name, id, title, claim, verdict] = [name, id, title, claim, verdict].map(str::to_owned);
        Some(Shipped { name, id, title, claim, lines, verdict, text })
    }

    /// The lines of a report's table.
    pub fn lines_of(text: &str) -> Vec<ReportLine> {
        text.lines().filter_map(ReportLine::read).collect()
    }

    /// The lines counted by their verdicts, mode by mode.
    pub fn tally(&self) -> String {
        let tallies = Tally::of(self.lines.iter().map(|line| (line.mode.as_str(), line.verdict.as_str())));
        tallies.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

impl ReportLine {
    fn read(line: &str) -> Option<ReportLine> {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line
            .strip_prefix('|')?
            .strip_suffix('|')?
            .split('|')
            .map(|cell| cell.trim().replace('\u{1}', "|"))
            .collect();
        let [what, paper, _, ours, interval, games, mode, verdict, _] = <[String; 9]>::try_from(cells).ok()?;
        Some(ReportLine { what, paper, ours, interval, games: games.parse().ok()?, mode, verdict })
    }
}

/// To be held from the reading of a page to the end of [`same`]: several tests write parts of one page.
pub fn pages() -> MutexGuard<'static, ()> {
    static PAGES: Mutex<()> = Mutex::new(());
    PAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compares a file with what it must be, or writes it.
pub fn same(path: &Path, wanted: &str) {
    if std::env::var_os("QUINTET_WRITE_PAGES").is_some() {
        fs::write(path, wanted).unwrap();
    }
    let text = fs::read_to_string(path).unwrap();
    for (number, (is, must)) in text.lines().zip(wanted.lines()).enumerate() {
        assert_eq!(is, must, "{}:{}: set QUINTET_WRITE_PAGES=1 to write it anew", path.display(), number + 1);
    }
    assert_eq!(text.lines().count(), wanted.lines().count(), "{}", path.display());
}

/// A page with new rows in place of those of its table under a heading.
pub fn with_table(page: &str, heading: &str, head: &str, rows: &[String]) -> String {
    let (before, rest) = page.split_once(heading).unwrap_or_else(|| panic!("no {heading}"));
    let (between, rest) = rest.split_once("\n| ").unwrap();
    let after: Vec<&str> = rest.lines().skip_while(|line| line.contains('|')).collect();
    let rule = format!("|{}", " --- |".repeat(head.matches('|').count() - 1));
    let mut text = format!("{before}{heading}{between}\n{head}\n{rule}\n{}\n", rows.join("\n"));
    if !after.is_empty() {
        text += &format!("{}\n", after.join("\n"));
    }
    text
}
