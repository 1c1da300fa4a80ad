//! A run: the folder in which a pipeline works.
//!
//! `config.json` is what was asked for; `checkpoint.json` is the whole state after the last step, replaced atomically;
//! `metrics.jsonl` has the numbers of every step; `snapshots/` has intermediate results, `stages/` those at the end of each stage.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use quintet_eval::{Made, Weights};
use serde::{Deserialize, Serialize};

use crate::{LearnError, Metric, Pipeline, Product, Progress, Recipe, TrainContext};

/// What was asked for: enough to repeat or resume the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The recipe's name.
    pub recipe: String,
    /// The pipeline.
    pub kind: String,
    /// Its parameters.
    pub with: toml::Table,
    /// The seed of all random streams.
    pub seed: u64,
    /// The command that repeats it.
    pub command: String,
    /// The commit of the program's source, if known.
    pub commit: String,
}

/// The state after a step.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    /// Lines of `metrics.jsonl` that belong to it.
    metrics: usize,
    state: serde_json::Value,
}

/// A pipeline at work in its folder. Dropped or killed after any step, it is opened again where that step left it.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_game::Stop;
/// use quintet_learn::{Recipes, Run, TrainContext};
/// let folder = std::env::temp_dir().join(format!("quintet-run-{}", std::process::id()));
/// let recipe = Recipes::embedded().find("pathwayz:td52").unwrap().clone().with("games", "2")?;
/// let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &Stop::never() };
/// Run::open(&folder, &recipe, 1, "quintet train pathwayz:td52 --games 2", "")?.step(&context)?;
/// let run = Run::open(&folder, &recipe, 1, "quintet train pathwayz:td52 --games 2", "")?;
/// assert_eq!(run.progress().done, 2);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run {
    path: PathBuf,
    config: Config,
    pipeline: Box<dyn Pipeline>,
    metrics: File,
    lines: usize,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingRunError {
    /// A file cannot be read or written.
    #[error("cannot use {}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// The folder holds no run, or another one.
    #[error("{}: {why}", path.display())]
    Other {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The pipeline failed.
    #[error(transparent)]
    Learning(#[from] LearnError),
}

impl Run {
    /// Starts a run of a recipe in a folder, or resumes the one that the folder holds.
    ///
    /// # Errors
    /// When the folder cannot be used or holds another run, or the recipe makes no sense.
    pub fn open(path: &Path, recipe: &Recipe, seed: u64, command: &str, commit: &str) -> Result<Run, TrainingRunError> {
        let config = Config {
            recipe: recipe.token(),
            kind: recipe.kind.clone(),
            with: recipe.with.clone(),
            seed,
            command: command.into(),
            commit: commit.into(),
        };
        fs::create_dir_all(path.join("snapshots"))
            .map_err(|why| TrainingRunError::File { path: path.to_owned(), why })?;
        let file = path.join("config.json");
        if file.exists() {
            let known = Run::config_of(path)?;
            let known = Config { command: config.command.clone(), commit: config.commit.clone(), ..known };
            if known != config {
                let why = "it holds another run. Name another folder with --out, or remove this one.".into();
                return Err(TrainingRunError::Other { path: path.to_owned(), why });
            }
        } else {
            replace(&file, &format!("{:#}\n", serde_json::to_value(&config).map_err(LearnError::from)?))?;
        }
        let (lines, state) = match read(&path.join("checkpoint.json"))? {
            None => (0, None),
            Some(text) => {
                let kept: Checkpoint = serde_json::from_str(&text).map_err(LearnError::from)?;
                (kept.metrics, Some(kept.state))
            }
        };
        let pipeline = recipe.start(seed, state)?;
        let metrics = metrics_file(path, lines)?;
        Ok(Run { path: path.to_owned(), config, pipeline, metrics, lines })
    }

    /// What the run in a folder was asked to do.
    ///
    /// # Errors
    /// When the folder holds none.
    pub fn config_of(path: &Path) -> Result<Config, TrainingRunError> {
        let file = path.join("config.json");
        let no_run = |why: &str| TrainingRunError::Other {
            path: path.to_owned(),
            why: format!("it is not a training run: {why}"),
        };
        let text = read(&file)?.ok_or_else(|| no_run("there is no config.json in it."))?;
        serde_json::from_str(&text).map_err(|error| no_run(&error.to_string()))
    }

    /// The numbers that a run has kept.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn metrics_of(path: &Path) -> Result<Vec<Metric>, TrainingRunError> {
        let file = path.join("metrics.jsonl");
        let text = read(&file)?.unwrap_or_default();
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let line = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| {
                let why = format!("line {}: {error}", number + 1);
                TrainingRunError::Other { path: file.clone(), why }
            })
        };
        whole.lines().enumerate().map(line).collect()
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.pipeline.progress()
    }

    /// What it was asked to do.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does the next step and saves its result.
    ///
    /// # Errors
    /// When the step fails or is stopped, or its state cannot be saved. The folder then still holds the state before it.
    pub fn step(&mut self, context: &TrainContext) -> Result<(), TrainingRunError> {
        let stages = self.pipeline.stages();
        let step = self.pipeline.step(context)?;
        let mut text = String::new();
        for metric in &step.metrics {
            text.push_str(&serde_json::to_string(metric).map_err(LearnError::from)?);
            text.push('\n');
        }
        let file = || self.path.join("metrics.jsonl");
        self.metrics.write_all(text.as_bytes()).map_err(|why| TrainingRunError::File { path: file(), why })?;
        self.lines += step.metrics.len();
        if step.snapshot {
            let done = self.pipeline.progress().done;
            let (ending, text) = self.text(String::new());
            replace(&self.path.join(format!("snapshots/{done:06}.{ending}")), &text)?;
        }
        if self.pipeline.stages() > stages {
            let (ending, text) = self.text(String::new());
            let folder = self.path.join("stages");
            fs::create_dir_all(&folder).map_err(|why| TrainingRunError::File { path: folder.clone(), why })?;
            replace(&folder.join(format!("{}.{ending}", self.pipeline.stages())), &text)?;
        }
        let kept = Checkpoint { metrics: self.lines, state: self.pipeline.save() };
        replace(&self.path.join("checkpoint.json"), &serde_json::to_string(&kept).map_err(LearnError::from)?)
    }

    /// What has been learned, as a file: its extension and its text. Weights get the run's history and the measured strength.
    #[must_use]
    pub fn text(&self, strength: String) -> (&'static str, String) {
        match self.pipeline.product() {
            Product::Weights(weights) => {
                let notes = weights.made.notes;
                let games =
                    weights.made.games.max(if self.progress().unit == "games" { self.progress().done } else { 0 });
                let Config { command, seed, commit, .. } = self.config.clone();
                let made = Made { command, seed, commit, games, strength, notes };
                ("toml", Weights { made, ..weights }.to_text())
            }
            Product::File { ending, text } => (ending, text),
        }
    }
}

/// The file of metrics, with as many lines as belong to the state that was kept.
fn metrics_file(path: &Path, lines: usize) -> Result<File, TrainingRunError> {
    let path = path.join("metrics.jsonl");
    let text = read(&path)?.unwrap_or_default();
    let kept: String = text.split_inclusive('\n').take(lines).collect();
    if kept.len() < text.len() {
        replace(&path, &kept)?;
    }
    OpenOptions::new().create(true).append(true).open(&path).map_err(|why| TrainingRunError::File { path, why })
}

fn read(path: &Path) -> Result<Option<String>, TrainingRunError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(TrainingRunError::File { path: path.to_owned(), why }),
    }
}

/// Writes a file atomically: a reader sees the old text or the new one, also after a crash.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, text: &str) -> Result<(), TrainingRunError> {
    let beside = path.with_extension("new");
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|why| TrainingRunError::File { path: path.to_owned(), why })
}
