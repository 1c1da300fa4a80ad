//! Training: recipes at work in the background, one at a time, in the folders that `quintet train` uses; and what came of them.

use std::path::{Path as File, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use quintet_agent::Catalogue;
use quintet_api::ApiError;
use quintet_eval::Weights;
use quintet_learn::{Chart, Config, LearnError, Metric, Recipe, Recipes, Run, RunError, TrainContext, charts, replace};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::background::{BackgroundWork, conflict};
use crate::blocking::blocking;
use crate::error::{Answer, HttpError};
use crate::local::Local;
use crate::run_folders;

/// The training of a data directory.
pub struct Training {
    data: PathBuf,
    agents: Arc<Catalogue>,
    threads: usize,
    work: BackgroundWork<String>,
}

/// What is asked to be learned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    recipe: String,
    /// In place of the recipe's own number.
    games: Option<u64>,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

impl Training {
    /// The training in a data directory.
    pub fn new(data: PathBuf, agents: Arc<Catalogue>, threads: usize) -> Training {
        Training { data, agents, threads, work: BackgroundWork::default() }
    }

    fn recipes(&self) -> Result<Recipes, ApiError> {
        Recipes::with_folder(&self.data).map_err(ApiError::invalid)
    }

    fn recipe(&self, token: &str) -> Result<Recipe, ApiError> {
        let found = self.recipes()?.find(token).cloned();
        found.ok_or_else(|| {
            ApiError::invalid(format!("there is no recipe \"{token:.60}\"; GET /api/recipes lists them"))
        })
    }

    /// Begins to follow a recipe, or goes on where the same request was left; the run's name.
    fn begin(&self, asked: &Asked) -> Result<String, ApiError> {
        let mut recipe = self.recipe(&asked.recipe)?;
        // As `quintet train` names its folder and itself, so that either goes on with a run of the other.
        let mut name = format!("train-{}-{}-{}", recipe.game, recipe.name, asked.seed);
        let mut command = format!("quintet train {}", asked.recipe);
        if let Some(games) = asked.games {
            if games == 0 {
                return Err(ApiError::invalid("games: one at least"));
            }
            recipe = recipe.with("games", &games.to_string()).map_err(ApiError::invalid)?;
            name += &format!("-games={games}");
            command += &format!(" --games {games}");
        }
        command += &format!(" --seed {}", asked.seed);
        self.follow(&name, recipe, asked.seed, &command, "")
    }

    /// Goes on with a run that was stopped.
    fn resume(&self, name: &str) -> Result<(), ApiError> {
        let path = self.folder(name)?;
        let config = Run::config_of(&path).map_err(|_| missing())?;
        let recipe = as_asked(self.recipe(&config.recipe)?, &config);
        if is_over(&path, &config) {
            return Err(conflict(format!("run {name} is over; there is nothing to go on with")));
        }
        self.follow(name, recipe, config.seed, &config.command, &config.commit)?;
        Ok(())
    }

    fn follow(&self, name: &str, recipe: Recipe, seed: u64, command: &str, commit: &str) -> Result<String, ApiError> {
        self.work.begin(|| {
            let path = self.data.join("runs").join(name);
            let run = Run::open(&path, &recipe, seed, command, commit).map_err(ApiError::invalid)?;
            let (agents, threads) = (Arc::clone(&self.agents), self.threads);
            let job = move |stop: &AtomicBool| learn(run, &recipe, &TrainContext { agents: &agents, threads, stop });
            Ok((name.to_owned(), job))
        })
    }

    fn folder(&self, name: &str) -> Result<PathBuf, ApiError> {
        let found = run_folders::runs(&self.data).into_iter().find(|(known, _)| known == name);
        found.map(|(_, path)| path).ok_or_else(missing)
    }

    /// Copies a snapshot to where agents find weights by name: that name, and agents that play with them.
    fn use_snapshot(&self, name: &str, file: &str) -> Result<Value, ApiError> {
        let path = self.folder(name)?;
        let config = Run::config_of(&path).map_err(|_| missing())?;
        let recipe = self.recipe(&config.recipe)?;
        let snapshots = path.join("snapshots");
        let known = run_folders::files(&snapshots, ".toml").into_iter().find(|known| known == file);
        let known =
            known.ok_or_else(|| ApiError::missing("there are no such weights among the snapshots of this run"))?;
        let text = std::fs::read_to_string(snapshots.join(&known)).map_err(ApiError::invalid)?;
        Weights::parse(&text).map_err(|error| ApiError::invalid(format!("{known}: {error}")))?;
        let own = weights_name(name, recipe.game, known.trim_end_matches(".toml"));
        let folder = self.data.join("weights").join(recipe.game);
        std::fs::create_dir_all(&folder).map_err(ApiError::invalid)?;
        replace(&folder.join(format!("{own}.toml")), &text).map_err(ApiError::invalid)?;
        let weights = format!("{}:{own}", recipe.game);
        let plays = recipe.test.iter().filter(|trial| trial.agent.contains('$'));
        let mut agents: Vec<String> = plays.map(|trial| trial.agent.replace('$', &weights)).collect();
        agents.dedup();
        Ok(json!({ "weights": weights, "agents": agents }))
    }
}

/// The name of a snapshot's weights: what specs allow in a word, without what all runs have in common.
fn weights_name(run: &str, game: &str, snapshot: &str) -> String {
    let short = run.strip_prefix(&format!("train-{game}-")).unwrap_or(run);
    let word = |c: char| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' };
    format!("{short}-{snapshot}").chars().map(word).collect::<String>().trim_start_matches('.').to_owned()
}

fn missing() -> ApiError {
    ApiError::missing("there is no such run of training")
}

/// A recipe with the parameters that a run was begun with.
fn as_asked(mut recipe: Recipe, config: &Config) -> Recipe {
    (recipe.kind, recipe.with) = (config.kind.clone(), config.with.clone());
    recipe
}

/// Has a run left what it learned? That is its last act.
fn is_over(path: &File, config: &Config) -> bool {
    let product = config.recipe.split_once(':').map_or(config.recipe.as_str(), |(_, own)| own);
    let named = |file: &String| file.strip_prefix(product).is_some_and(|rest| rest.starts_with('.'));
    run_folders::files(path, "").iter().any(named)
}

/// Step by step to the end, or until somebody stops it; then what was learned is written down.
fn learn(mut run: Run, recipe: &Recipe, context: &TrainContext) -> Result<(), String> {
    while !run.progress().finished() {
        match run.step(context) {
            Ok(()) => {}
            Err(RunError::Learning(LearnError::Stopped)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
        }
    }
    let (ending, text) = run.text("not measured".into());
    let file = run.path().join(format!("{}.{ending}", recipe.name));
    // One that is there may know its strength.
    if file.exists() { Ok(()) } else { replace(&file, &text).map_err(|error| error.to_string()) }
}

/// A folder of `runs/` that is a run of training.
struct Folder {
    name: String,
    over: bool,
    config: Config,
    metrics: Vec<Metric>,
    snapshots: Vec<String>,
}

impl Folder {
    fn read(name: String, path: &File) -> Option<Folder> {
        let config = Run::config_of(path).ok()?;
        // A run at work may be writing its last line.
        let metrics = Run::metrics_of(path).unwrap_or_default();
        let snapshots = run_folders::files(&path.join("snapshots"), "");
        Some(Folder { name, over: is_over(path, &config), config, metrics, snapshots })
    }

    fn all(data: &File) -> Vec<Folder> {
        run_folders::runs(data).into_iter().filter_map(|(name, path)| Folder::read(name, &path)).collect()
    }

    fn find(data: &File, name: &str) -> Result<Folder, ApiError> {
        let found = run_folders::runs(data).into_iter().find(|(known, _)| known == name);
        let read = found.and_then(|(name, path)| Folder::read(name, &path));
        read.ok_or_else(|| ApiError::missing("there is no such run of training"))
    }

    fn charts(&self) -> Vec<Chart> {
        charts(&self.config.recipe, &self.metrics)
    }

    /// Games in all: a last stage, where a recipe has one, comes after the others.
    fn total(&self) -> Option<i64> {
        let number = |key: &str| self.config.with.get(key)?.as_integer();
        number("games").map(|games| games + number("last-games").unwrap_or(0))
    }

    /// What it was asked to do and how far it has come, without its numbers.
    fn head(&self, work: &BackgroundWork<String>) -> Value {
        let done = self.metrics.last().map_or(0, |metric| metric.at);
        json!({
            "name": self.name, "config": self.config, "progress": { "done": done, "total": self.total() },
            "snapshots": self.snapshots, "state": work.state(&self.name, self.over), "fault": work.fault(&self.name),
        })
    }
}

/// What can be learned.
pub async fn recipes(State(app): State<Arc<App>>) -> Answer {
    let recipes = blocking(&app, |app| app.training.recipes()).await?;
    let described = recipes.iter().map(|recipe| {
        json!({
            "recipe": recipe.token(), "game": recipe.game, "kind": recipe.kind, "about": recipe.about, "section": recipe.section, "with": recipe.with,
        })
    });
    Ok(Json(json!({ "recipes": described.collect::<Vec<_>>() })))
}

/// Begins a run.
pub async fn begin(_: Local, State(app): State<Arc<App>>, Json(asked): Json<Asked>) -> Result<Response, HttpError> {
    let name = blocking(&app, move |app| app.training.begin(&asked)).await?;
    Ok((StatusCode::CREATED, Json(json!({ "name": name }))).into_response())
}

/// Stops the run that is at work.
pub async fn stop(_: Local, State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    app.training.work.stop(&name)?;
    Ok(Json(json!({ "ok": true })))
}

/// Goes on with a run.
pub async fn resume(_: Local, State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    blocking(&app, move |app| app.training.resume(&name)).await?;
    Ok(Json(json!({ "ok": true })))
}

/// Makes weights of a snapshot that agents can name.
pub async fn use_snapshot(
    _: Local,
    State(app): State<Arc<App>>,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, HttpError> {
    let made = blocking(&app, move |app| app.training.use_snapshot(&name, &file)).await?;
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

/// All runs.
pub async fn list(State(app): State<Arc<App>>) -> Answer {
    let heads = blocking(&app, |app| {
        Ok(Folder::all(&app.data).iter().map(|folder| folder.head(&app.training.work)).collect::<Vec<_>>())
    });
    Ok(Json(json!({ "training": heads.await? })))
}

/// One run with its numbers and the names of its pictures.
pub async fn show(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    let shown = blocking(&app, move |app| {
        let folder = Folder::find(&app.data, &name)?;
        let mut shown = folder.head(&app.training.work);
        let charts = folder.charts();
        let described = charts.iter().map(|chart| json!({ "file": chart.file, "title": chart.title }));
        shown["charts"] = described.collect::<Vec<_>>().into();
        shown["metrics"] = json!(folder.metrics);
        Ok(shown)
    });
    Ok(Json(shown.await?))
}

/// A picture of a run, drawn from its numbers.
pub async fn file(
    State(app): State<Arc<App>>,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, HttpError> {
    let svg = blocking(&app, move |app| {
        let charts = Folder::find(&app.data, &name)?.charts();
        let chart = charts.into_iter().find(|chart| chart.file == file);
        Ok(chart.ok_or_else(|| ApiError::missing("there is no such picture of this run"))?.svg)
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_snapshots_have_names_that_specs_can_hold() {
        for (run, wanted) in [
            ("train-pathwayz-tdl52-1", "tdl52-1-000050"),
            ("train-pathwayz-tdl52-1-games=100", "tdl52-1-games_100-000050"),
            ("my run", "my_run-000050"),
            ("..", "-000050"),
        ] {
            let name = weights_name(run, "pathwayz", "000050");
            assert_eq!(name, wanted);
            assert!(quintet_eval::Spec::parse(&format!("x(weights=pathwayz:{name})")).is_ok(), "{name}");
        }
    }
}
