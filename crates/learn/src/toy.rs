//! A pipeline that learns nothing, quickly: for the tests of recipes and runs.

use std::fs;
use std::path::{Path, PathBuf};

use quintet_agent::Catalogue;
use quintet_eval::Weights;
use quintet_game::Stop;
use quintet_game::bits::mix;
use serde::{Deserialize, Serialize};

use crate::{LearnError, Metric, Pipeline, Product, Progress, Recipe, Run, Step, TrainContext, TrainingRunError};

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    games: u64,
    rate: f64,
    #[serde(default)]
    label: String,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToyState {
    games: u64,
    weight: f64,
}

struct Toy {
    with: Parameters,
    seed: u64,
    state: ToyState,
}

pub(crate) fn start(
    recipe: &Recipe,
    seed: u64,
    state: Option<serde_json::Value>,
) -> Result<Box<dyn Pipeline>, LearnError> {
    let state = state.map(serde_json::from_value).transpose()?.unwrap_or_default();
    Ok(Box::new(Toy { with: recipe.parameters()?, seed, state }))
}

impl Pipeline for Toy {
    /// Between no line and two of metrics, and a snapshot every fourth game.
    fn step(&mut self, context: &TrainContext) -> Result<Step, LearnError> {
        context.go_on()?;
        let chance = mix(self.seed ^ mix(self.state.games)) >> 11;
        self.state.weight += self.with.rate * (chance as f64 / (1u64 << 53) as f64 - 0.3);
        self.state.games += 1;
        let metric = Metric::new(self.state.games, [("weight/a", self.state.weight)]);
        let metrics = vec![metric; (self.state.games % 3) as usize];
        Ok(Step { metrics, snapshot: self.state.games.is_multiple_of(4) })
    }

    fn progress(&self) -> Progress {
        Progress { done: self.state.games, total: self.with.games, unit: "games", says: self.with.label.clone() }
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(&self.state).unwrap()
    }

    fn product(&self) -> Product {
        Product::Weights(Weights::linear("toy", [("a", self.state.weight)]))
    }
}

fn recipe() -> Recipe {
    let with = "games = 23\nrate = 0.1".parse().unwrap();
    let [name, about, section, kind] = ["toy", "nothing", "", "toy"].map(str::to_owned);
    Recipe { game: "pylos", name, about, section, kind, with, test: Vec::new(), source: None }
}

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("quintet-learn-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn open(path: &Path) -> Result<Run, TrainingRunError> {
    Run::open(path, &recipe(), 5, "quintet train pylos:toy --seed 5", "abc")
}

fn with_desk<T>(stopped: bool, work: impl FnOnce(&TrainContext) -> T) -> T {
    let stop = Stop::new();
    if stopped {
        stop.stop();
    }
    work(&TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &stop })
}

/// All files of a folder with what they hold.
fn files(path: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for place in [path.to_owned(), path.join("snapshots")] {
        for entry in fs::read_dir(place).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            let name = entry.path().strip_prefix(path).unwrap().display().to_string();
            found.push((name, fs::read_to_string(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}

fn finish(path: &Path) -> (Vec<(String, String)>, String) {
    let mut run = open(path).unwrap();
    while !run.progress().finished() {
        with_desk(false, |context| run.step(context)).unwrap();
    }
    (files(path), run.text("60 %".into()).1)
}

#[test]
fn a_run_that_is_killed_anywhere_ends_as_if_undisturbed() {
    let (calm, stormy) = (folder("calm"), folder("stormy"));
    let wanted = finish(&calm);
    let weights = Weights::parse(&wanted.1).unwrap();
    assert_eq!((weights.made.games, weights.made.seed, &*weights.made.strength), (23, 5, "60 %"));
    for round in 0..23 {
        // A few more steps, then a kill: in the middle of a line, of a checkpoint, or between the two.
        let mut run = open(&stormy).unwrap();
        for _ in 0..mix(round) % 3 {
            with_desk(false, |context| run.step(context)).unwrap();
        }
        drop(run);
        let metrics = stormy.join("metrics.jsonl");
        let mut text = fs::read_to_string(&metrics).unwrap();
        match mix(round ^ 99) % 4 {
            0 => text.push_str("{\"at\":99,\"val"),
            1 => text.push_str("{\"at\":99,\"values\":{\"weight/a\":1.0}}\n"),
            2 => fs::write(stormy.join("checkpoint.new"), "{\"metrics\":3,\"sta").unwrap(),
            _ => {}
        }
        fs::write(&metrics, text).unwrap();
    }
    let _ = fs::remove_file(stormy.join("checkpoint.new"));
    assert_eq!(finish(&stormy), wanted);
    let names: Vec<&str> = wanted.0.iter().map(|(name, _)| name.as_str()).collect();
    let snapshots = ["000004", "000008", "000012", "000016", "000020"].map(|at| format!("snapshots/{at}.toml"));
    assert_eq!(names[..3], ["checkpoint.json", "config.json", "metrics.jsonl"]);
    assert_eq!(names[3..], snapshots);
    // The numbers of all steps are there: 1, 2, 0, 1, 2, 0, … lines each.
    let metrics = Run::metrics_of(&calm).unwrap();
    let at: Vec<u64> = metrics.iter().map(|metric| metric.at).collect();
    assert_eq!(at, (1..=23).flat_map(|game| vec![game; (game % 3) as usize]).collect::<Vec<u64>>());
    for folder in [calm, stormy] {
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_half_written_line_is_not_read() {
    let folder = folder("torn");
    finish(&folder);
    let whole = Run::metrics_of(&folder).unwrap();
    let path = folder.join("metrics.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}{{\"at\":7,\"va")).unwrap();
    assert_eq!(Run::metrics_of(&folder).unwrap(), whole);
    fs::write(&path, format!("no metric\n{text}")).unwrap();
    let error = Run::metrics_of(&folder).unwrap_err().to_string();
    assert!(error.contains("metrics.jsonl: line 1:"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_step_that_is_stopped_leaves_the_state_before_it() {
    let folder = folder("stopped");
    let mut run = open(&folder).unwrap();
    with_desk(false, |context| run.step(context)).unwrap();
    let before = files(&folder);
    let stopped = with_desk(true, |context| run.step(context));
    assert!(matches!(stopped, Err(TrainingRunError::Learning(LearnError::Stopped))));
    assert_eq!(files(&folder), before);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_no_state_is_refused_with_what_to_do() {
    let folder = folder("damaged");
    let mut run = open(&folder).unwrap();
    with_desk(false, |context| run.step(context)).unwrap();
    drop(run);
    for text in ["", "{", "no JSON", "[]", r#"{"metrics":1,"state":{"games":1}}"#, r#"{"metrics":-1,"state":null}"#] {
        fs::write(folder.join("checkpoint.json"), text).unwrap();
        let error = open(&folder).err().unwrap_or_else(|| panic!("{text}")).to_string();
        assert!(error.contains("cannot be read") && error.contains("another folder"), "{text}: {error}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_of_another_run_is_refused() {
    let folder = folder("foreign");
    drop(open(&folder).unwrap());
    let before = files(&folder);
    let other_seed = Run::open(&folder, &recipe(), 6, "", "");
    let other_games = Run::open(&folder, &recipe().with("games", "24").unwrap(), 5, "", "");
    let other_name = Run::open(&folder, &Recipe { name: "joy".into(), ..recipe() }, 5, "", "");
    for refused in [other_seed, other_games, other_name] {
        let error = refused.err().unwrap().to_string();
        assert!(error.contains("it holds another run") && error.contains("--out"), "{error}");
    }
    assert_eq!(files(&folder), before, "and nothing was changed");
    // The command may be another: a resumed run is the same run.
    assert!(Run::open(&folder, &recipe(), 5, "quintet train --resume X", "def").is_ok());
    fs::write(folder.join("config.json"), "{}").unwrap();
    assert!(open(&folder).err().unwrap().to_string().contains("it is not a training run"));
    fs::remove_file(folder.join("config.json")).unwrap();
    assert!(Run::config_of(&folder).unwrap_err().to_string().contains("there is no config.json in it"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn parameters_are_changed_one_by_one() {
    let changed = recipe().with("games", "7").unwrap().with("rate", "2").unwrap();
    assert!(changed.start(1, None).is_ok(), "a whole number is a number");
    let pipeline = recipe().with("games", "7").unwrap().with("label", "\"7\"").unwrap().start(1, None).unwrap();
    assert_eq!((pipeline.progress().total, pipeline.progress().says.as_str()), (7, "7"));
    for (key, value, says) in [
        ("gaems", "7", "unknown field `gaems`, expected one of `games`, `rate`, `label`"),
        ("games", "many", "invalid type: string \"many\""),
        ("games", "-1", "-1"),
        ("label", "1", "invalid type: integer `1`"),
    ] {
        let error = recipe().with(key, value).err().unwrap_or_else(|| panic!("{key}={value}")).to_string();
        assert!(error.contains(says), "{key}={value}: {error}");
    }
    let error = Recipe { kind: "magic".into(), ..recipe() }.start(1, None).err().unwrap().to_string();
    assert!(error.starts_with("\"magic\" is not a pipeline; choose one of td, "), "{error}");
}
