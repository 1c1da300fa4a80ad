//! The folder of a run: its configuration, its machine, every game, and the report.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use quintet_arena::Played;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::perform::Games;
use super::schedule::{Schedule, Work};

/// A run's folder, open for its games.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    games: File,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be read or written.
    #[error("cannot use {}: {why}", path.display())]
    Closed {
        /// The file.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// The weights of a player cannot be read, so that the report could not name them.
    #[error("cannot name the weights of {0}")]
    Weights(String),
    /// It belongs to another run.
    #[error(
        "{} holds another run: its config.json differs from this one. Name another folder with --out, or remove this one.",
        path.display()
    )]
    Other {
        /// The folder.
        path: PathBuf,
    },
}

/// Where and how a run was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Of the program.
    pub version: String,
    /// The commit of its source, if known.
    pub commit: Option<String>,
    /// The processor.
    pub cpu: String,
    /// Games at once.
    pub threads: usize,
    /// The seed of all random streams.
    pub seed: u64,
    /// The command that repeats it.
    pub command: String,
    /// Seconds of this session.
    pub seconds: f64,
    /// Names and checksums of all weights, nets and books that were used.
    #[serde(default)]
    pub weights: Vec<(String, String)>,
}

impl Meta {
    /// A run of a schedule that begins now, by this version of the program.
    #[must_use]
    pub fn new(schedule: &Schedule, threads: usize) -> Meta {
        let Schedule { experiment, size, seed, .. } = schedule;
        Meta {
            version: env!("CARGO_PKG_VERSION").into(),
            commit: None,
            cpu: Meta::processor(),
            threads,
            seed: *seed,
            command: format!("quintet reproduce {} --{} --seed {seed}", experiment.id, size.name()),
            seconds: 0.0,
            weights: Vec::new(),
        }
    }

    /// The processor of this machine, in words.
    #[must_use]
    pub fn processor() -> String {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, model)| model.trim().to_owned())
    }
}

/// A game with the job that it belongs to.
#[derive(Serialize, Deserialize)]
struct KeptGame {
    job: String,
    #[serde(flatten)]
    played: Played,
}

impl Folder {
    /// Opens or creates the folder of a schedule, with the games that it holds.
    ///
    /// # Errors
    /// When it cannot be used, or belongs to another run.
    pub fn open(path: &Path, schedule: &Schedule) -> Result<(Folder, Games), FolderError> {
        fs::create_dir_all(path).map_err(|why| FolderError::Closed { path: path.to_owned(), why })?;
        let config = format!("{:#}\n", config(schedule));
        let config_file = path.join("config.json");
        match fs::read_to_string(&config_file) {
            Ok(known) if known == config => {}
            Ok(_) => return Err(FolderError::Other { path: path.to_owned() }),
            Err(_) => write(&config_file, &config)?,
        }
        let games_file = path.join("games.jsonl");
        let closed = |why| FolderError::Closed { path: games_file.clone(), why };
        let text = fs::read_to_string(&games_file).unwrap_or_default();
        let (whole, games) = read(&text);
        if whole.len() < text.len() {
            // The last line was being written when the run was killed.
            write(&games_file, whole)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(&games_file).map_err(closed)?;
        Ok((Folder { path: path.to_owned(), games: file }, games))
    }

    /// Stores a game.
    pub(super) fn keep(&mut self, job: &str, played: &Played) -> Result<(), String> {
        let kept = KeptGame { job: job.to_owned(), played: played.clone() };
        let line = serde_json::to_string(&kept).map_err(|error| error.to_string())?;
        let written = self.games.write_all(format!("{line}\n").as_bytes());
        written.map_err(|why| format!("cannot write {}: {why}", self.path.join("games.jsonl").display()))
    }

    /// Writes a file into it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        write(&self.path.join(name), text)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn write(path: &Path, text: &str) -> Result<(), FolderError> {
    fs::write(path, text).map_err(|why| FolderError::Closed { path: path.to_owned(), why })
}

/// The whole lines of a file of games, and the games.
fn read(text: &str) -> (&str, Games) {
    let mut games: BTreeMap<String, Vec<Played>> = BTreeMap::new();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let Ok(kept) = serde_json::from_str::<KeptGame>(line) else { break };
        if !line.ends_with('\n') {
            break;
        }
        end += line.len();
        let of_job = games.entry(kept.job).or_default();
        if of_job.iter().all(|known| known.number != kept.played.number) {
            of_job.push(kept.played);
        }
    }
    (&text[..end], games)
}

/// Everything that decides the games.
fn config(schedule: &Schedule) -> serde_json::Value {
    let jobs: Vec<serde_json::Value> = schedule
        .jobs
        .iter()
        .map(|job| match &job.work {
            Work::Match(plan) => json!({"job": job.key, "scaled": job.scaled, "plan": plan}),
            Work::Solo(solo) => json!({"job": job.key, "game": solo.game, "agent": solo.agent, "games": solo.games, "cut": solo.cut, "seed": solo.seed}),
            Work::Waits(why) => json!({"row": job.what, "mode": job.mode, "waits": why}),
            Work::Nothing => json!({"row": job.what, "mode": job.mode}),
        })
        .collect();
    json!({"experiment": schedule.experiment, "design": schedule.size, "seed": schedule.seed, "jobs": jobs})
}

#[cfg(test)]
mod tests {
    use quintet_game::{Outcome, Player};

    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_left_out() {
        let kept = KeptGame {
            job: "a v b".into(),
            played: Played {
                number: 3,
                seats: [0, 1],
                result: Some(Outcome::Win(Player::First)),
                reason: "line".into(),
                fault: None,
                plies: 9,
                record: "pylos; ; first; ; ; ".into(),
                cost: quintet_arena::Cost::default(),
                worker: None,
            },
        };
        let line = serde_json::to_string(&kept).unwrap() + "\n";
        // The same game twice counts once.
        let text = format!("{line}{line}{}", &line[..line.len() / 2]);
        let (whole, games) = read(&text);
        assert_eq!(whole.len(), 2 * line.len());
        assert_eq!(games["a v b"], [kept.played]);
        assert_eq!(read(line.trim_end()).0, "");
    }
}
