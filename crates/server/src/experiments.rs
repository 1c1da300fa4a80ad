//! Experiments of the papers, repeated in the background in their quick size, one at a time, in the folders that `quintet reproduce` uses.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quintet_agent::Catalogue;
use quintet_game::Stop;
use quintet_lab::{Reproduction, run_folder};
use quintet_papers::experiments::{Experiment, Library, Meta, Readiness, Schedule, Size, state};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::background::{BackgroundWork, RunState, conflict, default_seed};
use crate::client::{Client, Local};
use crate::error::{Body, HttpError, JsonAnswer, Path};
use quintet_api::ApiError;

/// What a page repeats: minutes, not hours.
const SIZE: Size = Size::Quick;

/// The experiments of a data directory.
pub struct Experiments {
    data: PathBuf,
    agents: Arc<Catalogue>,
    threads: usize,
    work: BackgroundWork<String>,
    done: Arc<Done>,
}

/// How far the one at work has come: games and samples, and how many there are.
#[derive(Default)]
struct Done {
    now: AtomicU64,
    all: AtomicU64,
}

/// What is to be repeated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentStart {
    id: String,
    #[serde(default = "default_seed")]
    seed: u64,
}

impl Experiments {
    /// Those of a data directory.
    pub fn new(data: PathBuf, agents: Arc<Catalogue>, threads: usize) -> Experiments {
        Experiments { data, agents, threads, work: BackgroundWork::default(), done: Arc::default() }
    }

    fn library(&self) -> Result<Library, ApiError> {
        Library::with_folder(&self.data).map_err(ApiError::invalid)
    }

    fn folder(&self, id: &str, seed: u64) -> PathBuf {
        run_folder(&self.data, &Reproduction::folder_name(id, seed, SIZE))
    }

    /// Begins to repeat an experiment, or goes on where the same was left; the run's name.
    fn begin(&self, asked: &ExperimentStart) -> Result<String, ApiError> {
        let experiment = self.library()?.get(&asked.id).map_err(ApiError::invalid)?;
        if let Readiness::Waits(why) = state(&experiment, &self.agents) {
            return Err(ApiError::invalid(format!("{} waits for {why}", asked.id)));
        }
        let schedule = Schedule::new(experiment, SIZE, asked.seed, &self.agents).map_err(ApiError::invalid)?;
        if Reproduction::is_empty(&schedule) {
            return Err(ApiError::invalid(format!("{} has nothing that could be played or measured", asked.id)));
        }
        let path = self.folder(&asked.id, asked.seed);
        if Reproduction::is_over(&path) {
            return Err(conflict(format!("{} is over with this seed; its report is there", asked.id)));
        }
        self.work.begin(|| {
            let like = schedule.experiment.like.as_ref().map(|like| self.folder(like, asked.seed));
            let meta = Meta::new(&schedule, Reproduction::threads(&schedule, self.threads));
            let run = Reproduction::open(schedule, &path, like.as_deref()).map_err(ApiError::invalid)?;
            self.done.now.store(run.played(), Ordering::Relaxed);
            self.done.all.store(run.schedule().games() + run.samples(), Ordering::Relaxed);
            let (agents, done) = (Arc::clone(&self.agents), Arc::clone(&self.done));
            let job = move |stop: &Stop| repeat(run, &agents, meta, &done, stop);
            Ok((Reproduction::folder_name(&asked.id, asked.seed, SIZE), job))
        })
    }

    fn list(&self) -> Result<Value, ApiError> {
        let library = self.library()?;
        let ids: Vec<&String> = library.all().map(|experiment| &experiment.id).collect();
        let all: Result<Vec<Experiment>, _> = ids.into_iter().map(|id| library.get(id)).collect();
        let described = all.map_err(ApiError::invalid)?.into_iter().map(|experiment| self.described(&experiment));
        Ok(json!({ "experiments": described.collect::<Vec<_>>() }))
    }

    fn described(&self, experiment: &Experiment) -> Value {
        let name = Reproduction::folder_name(&experiment.id, default_seed(), SIZE);
        let path = self.folder(&experiment.id, default_seed());
        let now = self.work.state(&name, || Reproduction::is_over(&path));
        let at_work = matches!(now, RunState::Running | RunState::Stopping);
        let waits = match state(experiment, &self.agents) {
            Readiness::Ready => None,
            Readiness::Partly(why) => Some((false, why)),
            Readiness::Waits(why) => Some((true, why)),
        };
        let progress = at_work.then(|| [&self.done.now, &self.done.all].map(|number| number.load(Ordering::Relaxed)));
        json!({
            "id": experiment.id, "title": experiment.title, "section": experiment.section, "claim": experiment.claim,
            "minutes": experiment.minutes(SIZE), "ready": waits.as_ref().is_none_or(|(all, _)| !all), "waits_for": waits.map(|(_, why)| why),
            "name": name, "state": path.exists().then_some(now), "progress": progress, "fault": self.work.fault(&name),
        })
    }
}

/// Plays, measures and writes the report, unless somebody stops it before; games that were played are kept.
fn repeat(
    mut reproduction: Reproduction,
    agents: &Catalogue,
    meta: Meta,
    done: &Done,
    stop: &Stop,
) -> Result<(), String> {
    let mut one_more = || done.now.store(done.now.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    let played = reproduction.play(agents, meta.threads, stop, &mut |_, _| one_more());
    if played.map_err(|error| error.to_string())? {
        reproduction.report(agents, meta, stop, &mut one_more).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// All experiments, with how far their quick repetition has come.
pub async fn list(State(app): State<Arc<App>>, client: Client) -> JsonAnswer {
    Ok(Json(app.disk(client, |app| app.experiments.list()).await?))
}

/// Begins a run.
pub async fn begin(
    _: Local,
    State(app): State<Arc<App>>,
    client: Client,
    Body(asked): Body<ExperimentStart>,
) -> Result<Response, HttpError> {
    let name = app.disk(client, move |app| app.experiments.begin(&asked)).await?;
    Ok((StatusCode::CREATED, Json(json!({ "name": name }))).into_response())
}

/// Stops the run that is at work.
pub async fn stop(_: Local, State(app): State<Arc<App>>, Path(name): Path<String>) -> JsonAnswer {
    app.experiments.work.stop(&name)?;
    Ok(Json(json!({ "ok": true })))
}
