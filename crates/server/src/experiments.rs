//! Experiments of the papers, repeated in the background in their quick size, one at a time, in the folders that `quintet reproduce` uses.

use std::path::{Path as File, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quintet_agent::Catalogue;
use quintet_papers::experiments::{
    Experiment, Library, Meta, Readiness, Repeated, Schedule, Size, is_measured, state, threads_for,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::background::{BackgroundWork, conflict};
use crate::blocking::blocking;
use crate::error::{Answer, HttpError};
use crate::local::Local;
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
pub struct Asked {
    id: String,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
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
        self.data.join("runs").join(Repeated::folder_name(id, seed, SIZE))
    }

    /// Begins to repeat an experiment, or goes on where the same was left; the run's name.
    fn begin(&self, asked: &Asked) -> Result<String, ApiError> {
        let experiment = self.library()?.get(&asked.id).map_err(ApiError::invalid)?;
        if let Readiness::Waits(why) = state(&experiment, &self.agents) {
            return Err(ApiError::invalid(format!("{} waits for {why}", asked.id)));
        }
        let schedule = Schedule::new(experiment, SIZE, asked.seed, &self.agents).map_err(ApiError::invalid)?;
        if schedule.games() == 0 && !is_measured(&asked.id) {
            return Err(ApiError::invalid(format!("{} has nothing that could be played or measured", asked.id)));
        }
        let path = self.folder(&asked.id, asked.seed);
        if is_over(&path) {
            return Err(conflict(format!("{} is over with this seed; its report is there", asked.id)));
        }
        self.work.begin(|| {
            let like = schedule.experiment.like.as_ref().map(|like| self.folder(like, asked.seed));
            let repeated = Repeated::open(schedule, &path, like.as_deref()).map_err(ApiError::invalid)?;
            self.done.now.store(repeated.played(), Ordering::Relaxed);
            self.done.all.store(repeated.schedule().games() + repeated.samples(), Ordering::Relaxed);
            let (agents, threads, done) = (Arc::clone(&self.agents), self.threads, Arc::clone(&self.done));
            let job = move |stop: &AtomicBool| repeat(repeated, &agents, threads, &done, stop);
            Ok((Repeated::folder_name(&asked.id, asked.seed, SIZE), job))
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
        let name = Repeated::folder_name(&experiment.id, one(), SIZE);
        let path = self.folder(&experiment.id, one());
        // Asked once, and before its report is looked for: it may end at any moment.
        let now = match self.work.state(&name, false) {
            "stopped" if is_over(&path) => "over",
            now => now,
        };
        let at_work = !matches!(now, "over" | "stopped");
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

/// Has a run left its report? That is its last act.
fn is_over(path: &File) -> bool {
    path.join("report.json").is_file()
}

/// Plays, measures and writes the report, unless somebody stops it before; games that were played are kept.
fn repeat(
    mut repeated: Repeated,
    agents: &Catalogue,
    threads: usize,
    done: &Done,
    stop: &AtomicBool,
) -> Result<(), String> {
    let start = Instant::now();
    let threads = threads_for(repeated.schedule(), threads);
    let mut one_more = || done.now.store(done.now.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    let played = repeated.play(agents, threads, stop, &mut |_, _| one_more()).map_err(|error| error.to_string())?;
    if !played || stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let measured = repeated.measure(agents, &mut one_more);
    let Schedule { experiment, seed, .. } = repeated.schedule();
    let meta = Meta {
        version: env!("CARGO_PKG_VERSION").into(),
        commit: None,
        cpu: Meta::processor(),
        threads,
        seed: *seed,
        command: format!("quintet reproduce {} --{} --seed {seed}", experiment.id, SIZE.name()),
        seconds: start.elapsed().as_secs_f64(),
    };
    repeated.report(&measured, meta).map(drop).map_err(|error| error.to_string())
}

/// All experiments, with how far their quick repetition has come.
pub async fn list(State(app): State<Arc<App>>) -> Answer {
    Ok(Json(blocking(&app, |app| app.experiments.list()).await?))
}

/// Begins a run.
pub async fn begin(_: Local, State(app): State<Arc<App>>, Json(asked): Json<Asked>) -> Result<Response, HttpError> {
    let name = blocking(&app, move |app| app.experiments.begin(&asked)).await?;
    Ok((StatusCode::CREATED, Json(json!({ "name": name }))).into_response())
}

/// Stops the run that is at work.
pub async fn stop(_: Local, State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    app.experiments.work.stop(&name)?;
    Ok(Json(json!({ "ok": true })))
}
