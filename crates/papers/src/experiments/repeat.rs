//! One experiment from its first game to its report.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use quintet_agent::Catalogue;
use quintet_arena::{Played, RunError};

use super::file::{Kind, Size};
use super::folder::{Folder, FolderError, Meta};
use super::perform::{Games, perform};
use super::render::{html, markdown};
use super::report::Report;
use super::schedule::{Job, Schedule};
use crate::measures::{Effort, MEASURES, Measured, Shown, measure};

/// An experiment that is being repeated in a folder. Starting the same one again resumes it.
#[derive(Debug)]
pub struct Repeated {
    schedule: Schedule,
    folder: Folder,
    games: Games,
}

impl Repeated {
    /// Opens or creates its folder. An experiment that shares its rows with another starts with the games of that one, from `like`.
    ///
    /// # Errors
    /// When the folder cannot be used, or belongs to another run.
    pub fn open(schedule: Schedule, path: &Path, like: Option<&Path>) -> Result<Repeated, FolderError> {
        if let Some(like) = like {
            let (from, to) = (like.join("games.jsonl"), path.join("games.jsonl"));
            if from.exists() && !to.exists() {
                let closed = |why| FolderError::Closed { path: to.clone(), why };
                fs::create_dir_all(path).and_then(|()| fs::copy(&from, &to)).map_err(closed)?;
            }
        }
        let (folder, games) = Folder::open(path, &schedule)?;
        Ok(Repeated { schedule, folder, games })
    }

    /// The name of a run's folder, from what determines the run.
    #[must_use]
    pub fn folder_name(id: &str, seed: u64, size: Size) -> String {
        format!("{}-{seed}-{}", id.replace('/', "-"), size.name())
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

    /// Samples that are measured after the games; 0 for an experiment of games only.
    #[must_use]
    pub fn samples(&self) -> u64 {
        let Schedule { experiment, size, .. } = &self.schedule;
        if !is_measured(&experiment.id) {
            return 0;
        }
        experiment.design(*size).map_or(0, |design| design.samples.unwrap_or(design.games))
    }

    /// Plays the games that are missing; false when it was stopped. `progress` is called after each game, with its job and that job's games so far.
    ///
    /// # Errors
    /// When an agent cannot be built, or a game cannot be stored.
    pub fn play(
        &mut self,
        agents: &Catalogue,
        threads: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Job, &[Played]),
    ) -> Result<bool, RunError> {
        perform(&self.schedule, agents, &mut self.folder, &mut self.games, threads, stop, progress)
    }

    /// Measures what matches do not show. Nothing is stored on the way: the same seed gives the same result again.
    pub fn measure(&self, agents: &Catalogue, progress: &mut dyn FnMut()) -> Vec<Measured> {
        let effort = Effort { samples: self.samples(), seed: self.schedule.seed };
        let id = &self.schedule.experiment.id;
        is_measured(id).then(|| measure(id, agents, effort, progress)).flatten().unwrap_or_default()
    }

    /// Writes the report into the folder; `draw` makes pictures of the boards that measurements show.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn report(
        &self,
        measured: &[Measured],
        meta: Meta,
        draw: &dyn Fn(&Shown) -> Option<String>,
    ) -> Result<Report, FolderError> {
        let mut report = Report::new(&self.schedule, &self.games, measured, meta);
        let boards = measured.iter().flat_map(|row| &row.boards);
        report
            .charts
            .extend(boards.filter_map(|board| Some((format!("{}.svg", board.name.replace(' ', "-")), draw(board)?))));
        self.folder.write("meta.json", &format!("{:#}\n", serde_json::json!(report.meta)))?;
        for (name, svg) in &report.charts {
            self.folder.write(name, svg)?;
        }
        self.folder.write("report.md", &markdown(&report))?;
        self.folder.write("report.html", &html(&report))?;
        // Written last: where it exists, the other files exist too.
        self.folder.write("report.json", &format!("{:#}\n", report.json()))?;
        Ok(report)
    }
}

/// Whether an experiment measures something besides its games.
#[must_use]
pub fn is_measured(id: &str) -> bool {
    MEASURES.contains(&id)
}

/// How many of the offered threads play an experiment: one for timed games, and at most the number of cores for sizes with time limits.
#[must_use]
pub fn threads_for(schedule: &Schedule, offered: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match (schedule.experiment.kind, schedule.size) {
        (Kind::Times, _) => 1,
        (_, Size::Quick) => offered,
        _ => offered.min(cores),
    }
}
