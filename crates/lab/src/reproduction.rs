//! Experiments of the papers, from the first game to the report.

use std::fs;
use std::path::Path;
use std::time::Instant;

use quintet_agent::Catalogue;
use quintet_arena::{Hands, Played, RunError, Threads};
use quintet_game::Stop;
use quintet_papers::experiments::{
    Folder, FolderError, Games, Job, Kind, Meta, Report, Schedule, Size, html, markdown, perform,
};
use quintet_papers::measures::{Effort, MEASURES, Measured, measure_until};

use crate::lock::{Lock, LockError};

/// An experiment that is being repeated in a folder. Beginning the same again continues where it was left.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_game::Stop;
/// use quintet_lab::Reproduction;
/// use quintet_papers::experiments::{Library, Meta, Schedule, Size};
///
/// let agents = Catalogue::embedded();
/// let schedule = Schedule::new(Library::embedded().get("twixt/live")?, Size::Quick, 1, agents)?;
/// let meta = Meta::new(&schedule, Reproduction::threads(&schedule, 1));
/// let folder = std::env::temp_dir().join(format!("quintet-reproduction-doc-{}", std::process::id()));
/// let mut reproduction = Reproduction::open(schedule, &folder, None)?;
/// assert!(reproduction.play(agents, meta.threads, &Stop::never(), &mut |_, _| {})?);
/// let report = reproduction.report(agents, meta, &Stop::never(), &mut || {})?.expect("nobody stops it");
/// assert!(!report.differs() && Reproduction::is_over(&folder));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reproduction {
    schedule: Schedule,
    folder: Folder,
    games: Games,
    opened: Instant,
    /// Held as long as it may write.
    _lock: Lock,
}

/// Why the folder of an experiment cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReproductionError {
    /// It cannot be read or written, or belongs to another run.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Somebody else is working in it.
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl Reproduction {
    /// Opens its folder, or makes it. An experiment that shares its rows with another begins with the games of that one, which lie in `like`.
    ///
    /// # Errors
    /// When the folder cannot be used, belongs to another run, or somebody is working in it: [`ReproductionError::Lock`] says who.
    pub fn open(schedule: Schedule, path: &Path, like: Option<&Path>) -> Result<Reproduction, ReproductionError> {
        let lock = Lock::take(&path.join("lock"), &schedule.experiment.id)?;
        if let Some(like) = like {
            let (from, to) = (like.join("games.jsonl"), path.join("games.jsonl"));
            if from.exists() && !to.exists() {
                let closed = |why| FolderError::Closed { path: to.clone(), why };
                fs::copy(&from, &to).map_err(closed)?;
            }
        }
        let (folder, games) = Folder::open(path, &schedule)?;
        Ok(Reproduction { schedule, folder, games, opened: Instant::now(), _lock: lock })
    }

    /// The name of the folder of a run, by what decides it.
    #[must_use]
    pub fn folder_name(id: &str, seed: u64, size: Size) -> String {
        format!("{}-{seed}-{}", id.replace('/', "-"), size.name())
    }

    /// Has the run in a folder left its report? That is its last act.
    #[must_use]
    pub fn is_over(folder: &Path) -> bool {
        folder.join("report.json").is_file()
    }

    /// Is there nothing to play or to measure?
    #[must_use]
    pub fn is_empty(schedule: &Schedule) -> bool {
        schedule.games() == 0 && !is_measured(&schedule.experiment.id)
    }

    /// How many of the offered threads play an experiment: at most one per core for timed games, and where a size has time budgets.
    #[must_use]
    pub fn threads(schedule: &Schedule, offered: usize) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        match (schedule.experiment.kind, schedule.size) {
            (Kind::Times, _) => offered.min(cores),
            (_, Size::Quick) => offered,
            _ => offered.min(cores),
        }
    }

    /// What is repeated.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Where it is kept.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Games that are there already.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.games.values().map(|played| played.len() as u64).sum()
    }

    /// Samples that are measured when the games are played; 0 for an experiment of games alone.
    #[must_use]
    pub fn samples(&self) -> u64 {
        let Schedule { experiment, size, .. } = &self.schedule;
        if !is_measured(&experiment.id) {
            return 0;
        }
        experiment.design(*size).map_or(0, |design| design.samples.unwrap_or(design.games))
    }

    /// Plays the games that are missing; false when it was stopped. `heard` is called after each game, with its job and that job's games so far.
    ///
    /// # Errors
    /// When an agent cannot be built, or a game cannot be kept.
    pub fn play(
        &mut self,
        agents: &Catalogue,
        threads: usize,
        stop: &Stop,
        heard: &mut dyn FnMut(&Job, &[Played]),
    ) -> Result<bool, RunError> {
        let here = Threads { agents, count: threads };
        self.play_by(here, &here, stop, heard)
    }

    /// The same with other hands for the matches than threads of this process.
    ///
    /// # Errors
    /// As [`Reproduction::play`]; and when the hands fail.
    pub fn play_by(
        &mut self,
        here: Threads<'_>,
        hands: &dyn Hands,
        stop: &Stop,
        heard: &mut dyn FnMut(&Job, &[Played]),
    ) -> Result<bool, RunError> {
        let played = perform(&self.schedule, here, hands, &mut self.folder, &mut self.games, stop, heard)?;
        Ok(played && !stop.stopped())
    }

    /// Measures what no match shows, and writes the report into the folder; `None` when it was stopped before. Measurements are not kept on the way: the same seed gives them again.
    /// `heard` is called after each sample.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn report(
        &self,
        agents: &Catalogue,
        mut meta: Meta,
        stop: &Stop,
        heard: &mut dyn FnMut(),
    ) -> Result<Option<Report>, FolderError> {
        // A clone of the catalogue has read no weights yet: what it has read afterwards was used here.
        let agents = agents.clone();
        let measured = self.measure(&agents, stop, heard);
        if stop.stopped() {
            return Ok(None);
        }
        meta.seconds = self.opened.elapsed().as_secs_f64();
        meta.weights = self.schedule.weights(&agents).map_err(FolderError::Weights)?;
        meta.weights.extend(agents.weight_store().used());
        meta.weights.sort();
        meta.weights.dedup();
        let mut report = Report::new(&self.schedule, &self.games, &measured, meta);
        let boards = measured.iter().flat_map(|row| &row.boards);
        report.charts.extend(boards.map(|board| (format!("{}.svg", board.name.replace(' ', "-")), board.svg.clone())));
        self.folder.write("meta.json", &format!("{:#}\n", serde_json::json!(report.meta)))?;
        for (name, svg) in &report.charts {
            self.folder.write(name, svg)?;
        }
        self.folder.write("report.md", &markdown(&report))?;
        self.folder.write("report.html", &html(&report))?;
        // Written last: where it exists, the others exist too.
        self.folder.write("report.json", &format!("{:#}\n", report.json()))?;
        Ok(Some(report))
    }

    fn measure(&self, agents: &Catalogue, stop: &Stop, heard: &mut dyn FnMut()) -> Vec<Measured> {
        let effort = Effort { samples: self.samples(), seed: self.schedule.seed };
        measure_until(&self.schedule.experiment.id, agents, effort, stop, heard).unwrap_or_default()
    }
}

/// Is there something to measure in an experiment besides its games?
fn is_measured(id: &str) -> bool {
    MEASURES.contains(&id)
}
