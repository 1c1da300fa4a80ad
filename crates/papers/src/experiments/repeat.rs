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
use crate::measures::{Effort, MEASURES, Measured, measure};

/// An experiment that is being repeated in a folder. Whoever begins the same again goes on where it was left.
#[derive(Debug)]
pub struct Repeated {
    schedule: Schedule,
    folder: Folder,
    games: Games,
}

impl Repeated {
    /// Opens its folder, or makes it. An experiment that shares its rows with another begins with the games of that one, which lie in `like`.
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

    /// The name of the folder of a run, by what decides it.
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

    /// Samples that are measured when the games are played; 0 for an experiment of games alone.
    #[must_use]
    pub fn samples(&self) -> u64 {
        let Schedule { experiment, size, .. } = &self.schedule;
        if !is_measured(&experiment.id) {
            return 0;
        }
        experiment.design(*size).map_or(0, |design| design.samples.unwrap_or(design.games))
    }

    /// Plays the games that are missing; false when it was stopped. `progress` hears of each game, with its job and that job's games so far.
    ///
    /// # Errors
    /// When an agent cannot be built, or a game cannot be kept.
    pub fn play(
        &mut self,
        agents: &Catalogue,
        threads: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Job, &[Played]),
    ) -> Result<bool, RunError> {
        perform(&self.schedule, agents, &mut self.folder, &mut self.games, threads, stop, progress)
    }

    /// What no match shows. It is not kept on the way: the same seed gives it again.
    pub fn measure(&self, agents: &Catalogue, progress: &mut dyn FnMut()) -> Vec<Measured> {
        let effort = Effort { samples: self.samples(), seed: self.schedule.seed };
        let id = &self.schedule.experiment.id;
        is_measured(id).then(|| measure(id, agents, effort, progress)).flatten().unwrap_or_default()
    }

    /// Writes the report into the folder, with the boards that measurements show.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn report(&self, measured: &[Measured], meta: Meta) -> Result<Report, FolderError> {
        let mut report = Report::new(&self.schedule, &self.games, measured, meta);
        let boards = measured.iter().flat_map(|row| &row.boards);
        report.charts.extend(boards.map(|board| (format!("{}.svg", board.name.replace(' ', "-")), board.svg.clone())));
        self.folder.write("meta.json", &format!("{:#}\n", serde_json::json!(report.meta)))?;
        for (name, svg) in &report.charts {
            self.folder.write(name, svg)?;
        }
        self.folder.write("report.md", &markdown(&report))?;
        self.folder.write("report.html", &html(&report))?;
        // Whoever finds this one finds the others too.
        self.folder.write("report.json", &format!("{:#}\n", report.json()))?;
        Ok(report)
    }
}

/// Is there something to measure in an experiment besides its games?
#[must_use]
pub fn is_measured(id: &str) -> bool {
    MEASURES.contains(&id)
}

/// How many threads play an experiment where so many are offered: one for timed games, and for sizes that have clocks in them not more than there are cores.
#[must_use]
pub fn threads_for(schedule: &Schedule, offered: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match (schedule.experiment.kind, schedule.size) {
        (Kind::Times, _) => 1,
        (_, Size::Quick) => offered,
        _ => offered.min(cores),
    }
}
