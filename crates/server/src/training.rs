//! Training: recipes at work in the background, one at a time, in the folders that `quintet train` uses; and what came of them.

use std::path::{Path as File, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use quintet_agent::Catalogue;
use quintet_api::ApiError;
use quintet_game::Stop;
use quintet_lab::{SnapshotError, Training, TrainingError, TrainingFolder, TrainingRequest, run_folder};
use quintet_learn::{Recipe, Recipes, TrainContext};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::background::{BackgroundWork, conflict, default_seed};
use crate::client::{Client, Local};
use crate::error::{Body, HttpError, JsonAnswer, Path, Query};
use crate::page::{From, page};

/// The training of a data directory.
pub struct Trainings {
    data: PathBuf,
    agents: Arc<Catalogue>,
    threads: usize,
    work: BackgroundWork<String>,
}

/// What is asked to be learned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingStart {
    recipe: String,
    /// In place of the recipe's own number.
    games: Option<u64>,
    #[serde(default = "default_seed")]
    seed: u64,
}

impl Trainings {
    /// The training in a data directory.
    pub fn new(data: PathBuf, agents: Arc<Catalogue>, threads: usize) -> Trainings {
        Trainings { data, agents, threads, work: BackgroundWork::default() }
    }

    fn recipes(&self) -> Result<Recipes, ApiError> {
        Recipes::with_folder(&self.data).map_err(ApiError::invalid)
    }

    /// Begins to follow a recipe, or goes on where the same request was left; the run's name.
    fn begin(&self, asked: &TrainingStart) -> Result<String, ApiError> {
        let recipe = find(&self.recipes()?, &asked.recipe)?;
        let mut request = TrainingRequest::new(recipe, asked.seed);
        if let Some(games) = asked.games {
            if games == 0 {
                return Err(ApiError::invalid("games: at least one"));
            }
            request = request.games(games).map_err(ApiError::invalid)?;
        }
        let name = request.folder_name();
        self.follow(&name, |folder| Training::begin(request, folder))
    }

    /// Goes on with a run that was stopped.
    fn resume(&self, name: &str) -> Result<(), ApiError> {
        let (folder, recipes) = (self.folder(name)?, self.recipes()?);
        let recipe = find(&recipes, &folder.config.recipe)?;
        if folder.is_over(&recipes) {
            return Err(conflict(format!("run {name} is over; there is nothing to go on with")));
        }
        self.follow(name, |folder| Training::resume(recipe, folder))?;
        Ok(())
    }

    fn follow(
        &self,
        name: &str,
        open: impl FnOnce(&File) -> Result<Training, TrainingError>,
    ) -> Result<String, ApiError> {
        self.work.begin(|| {
            let training = open(&run_folder(&self.data, name)).map_err(ApiError::invalid)?;
            let (agents, threads) = (Arc::clone(&self.agents), self.threads);
            let job = move |stop: &Stop| {
                train(training, &TrainContext { agents: &agents, threads, stop }).map_err(|error| error.to_string())
            };
            Ok((name.to_owned(), job))
        })
    }

    fn folder(&self, name: &str) -> Result<TrainingFolder, ApiError> {
        TrainingFolder::find(&self.data, name).ok_or_else(|| ApiError::missing("there is no such run of training"))
    }

    /// Copies a snapshot to where agents find weights by name: that name, and agents that play with them.
    fn use_snapshot(&self, name: &str, file: &str) -> Result<Value, ApiError> {
        let folder = self.folder(name)?;
        let recipe = find(&self.recipes()?, &folder.config.recipe)?;
        let installed = folder.install_snapshot(&self.data, &recipe, file).map_err(|error| match error {
            SnapshotError::Missing => ApiError::missing(error),
            error => ApiError::invalid(error),
        })?;
        Ok(json!({ "weights": installed.weights, "agents": installed.agents }))
    }

    fn list(&self, from: usize) -> Result<Value, ApiError> {
        let recipes = self.recipes()?;
        let heads =
            TrainingFolder::all(&self.data).iter().map(|folder| self.head(folder, &recipes)).collect::<Vec<_>>();
        Ok(page("training", heads, from))
    }

    /// One run with its numbers and the names of its pictures.
    fn show(&self, name: &str) -> Result<Value, ApiError> {
        let folder = self.folder(name)?;
        let mut shown = self.head(&folder, &self.recipes()?);
        let charts = folder.charts();
        let described = charts.iter().map(|chart| json!({ "file": chart.file, "title": chart.title }));
        shown["charts"] = described.collect::<Vec<_>>().into();
        shown["metrics"] = json!(folder.metrics);
        Ok(shown)
    }

    /// What a run was asked to do and how far it has come, without its numbers.
    fn head(&self, folder: &TrainingFolder, recipes: &Recipes) -> Value {
        let TrainingFolder { name, config, snapshots, .. } = folder;
        json!({
            "name": name, "config": config, "progress": { "done": folder.done(), "total": folder.total() },
            "snapshots": snapshots, "state": self.work.state(name, || folder.is_over(recipes)), "fault": self.work.fault(name),
        })
    }
}

fn find(recipes: &Recipes, token: &str) -> Result<Recipe, ApiError> {
    let found = recipes.find(token).cloned();
    found.ok_or_else(|| ApiError::invalid(format!("there is no recipe \"{token:.60}\"; GET /api/recipes lists them")))
}

/// To the end, or until somebody stops it.
fn train(mut training: Training, context: &TrainContext) -> Result<(), TrainingError> {
    if training.learn(context, &mut |_| {})? {
        training.measure(context, &mut |_, _| {})?;
    }
    Ok(())
}

/// What can be learned.
pub async fn recipes(State(app): State<Arc<App>>, client: Client) -> JsonAnswer {
    let recipes = app.disk(client, |app| app.training.recipes()).await?;
    let described = recipes.iter().map(|recipe| {
        json!({
            "recipe": recipe.token(), "game": recipe.game, "kind": recipe.kind, "about": recipe.about, "section": recipe.section, "with": recipe.with,
        })
    });
    Ok(Json(json!({ "recipes": described.collect::<Vec<_>>() })))
}

/// Begins a run.
pub async fn begin(
    _: Local,
    State(app): State<Arc<App>>,
    client: Client,
    Body(asked): Body<TrainingStart>,
) -> Result<Response, HttpError> {
    let name = app.disk(client, move |app| app.training.begin(&asked)).await?;
    Ok((StatusCode::CREATED, Json(json!({ "name": name }))).into_response())
}

/// Stops the run that is at work.
pub async fn stop(_: Local, State(app): State<Arc<App>>, Path(name): Path<String>) -> JsonAnswer {
    app.training.work.stop(&name)?;
    Ok(Json(json!({ "ok": true })))
}

/// Goes on with a run.
pub async fn resume(_: Local, State(app): State<Arc<App>>, client: Client, Path(name): Path<String>) -> JsonAnswer {
    app.disk(client, move |app| app.training.resume(&name)).await?;
    Ok(Json(json!({ "ok": true })))
}

/// Makes weights of a snapshot that agents can name.
pub async fn use_snapshot(
    _: Local,
    State(app): State<Arc<App>>,
    client: Client,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, HttpError> {
    let made = app.disk(client, move |app| app.training.use_snapshot(&name, &file)).await?;
    Ok((StatusCode::CREATED, Json(made)).into_response())
}

/// All runs.
pub async fn list(State(app): State<Arc<App>>, client: Client, Query(From { from }): Query<From>) -> JsonAnswer {
    Ok(Json(app.disk(client, move |app| app.training.list(from)).await?))
}

/// One run with its numbers and the names of its pictures.
pub async fn show(State(app): State<Arc<App>>, client: Client, Path(name): Path<String>) -> JsonAnswer {
    Ok(Json(app.disk(client, move |app| app.training.show(&name)).await?))
}

/// A picture of a run, drawn from its numbers.
pub async fn file(
    State(app): State<Arc<App>>,
    client: Client,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, HttpError> {
    let svg = app.disk(client, move |app| {
        let charts = app.training.folder(&name)?.charts();
        let chart = charts.into_iter().find(|chart| chart.file == file);
        Ok(chart.ok_or_else(|| ApiError::missing("there is no such picture of this run"))?.svg)
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?).into_response())
}
