//! Runs of training, as their folders tell.

use std::path::Path as File;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use quintet_learn::{Chart, Config, Metric, Run, charts};
use serde_json::{Value, json};

use crate::App;
use crate::answer::Refused;
use crate::school::is_over;
use crate::shelf::{self, aside};
use crate::work::Work;

type Answer = Result<Json<Value>, Refused>;

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
        let snapshots = shelf::files(&path.join("snapshots"), "");
        Some(Folder { name, over: is_over(path, &config), config, metrics, snapshots })
    }

    fn all(data: &File) -> Vec<Folder> {
        shelf::runs(data).into_iter().filter_map(|(name, path)| Folder::read(name, &path)).collect()
    }

    fn find(data: &File, name: &str) -> Result<Folder, Refused> {
        let found = shelf::runs(data).into_iter().find(|(known, _)| known == name);
        let read = found.and_then(|(name, path)| Folder::read(name, &path));
        read.ok_or_else(|| Refused::missing("there is no such run of training"))
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
    fn head(&self, work: &Work<String>) -> Value {
        let done = self.metrics.last().map_or(0, |metric| metric.at);
        json!({
            "name": self.name, "config": self.config, "progress": { "done": done, "total": self.total() },
            "snapshots": self.snapshots, "state": work.state(&self.name, self.over), "fault": work.fault(&self.name),
        })
    }
}

/// All runs.
pub async fn list(State(app): State<Arc<App>>) -> Answer {
    let folders = aside(Arc::clone(&app), |data| Ok(Folder::all(data))).await?;
    let heads = folders.iter().map(|folder| folder.head(&app.school.work));
    Ok(Json(json!({ "training": heads.collect::<Vec<_>>() })))
}

/// One run with its numbers and the names of its pictures.
pub async fn show(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    let (folder, charts) = aside(Arc::clone(&app), move |data| {
        let folder = Folder::find(data, &name)?;
        let charts = folder.charts();
        Ok((folder, charts))
    })
    .await?;
    let mut shown = folder.head(&app.school.work);
    shown["metrics"] = json!(folder.metrics);
    shown["charts"] =
        charts.iter().map(|chart| json!({ "file": chart.file, "title": chart.title })).collect::<Vec<_>>().into();
    Ok(Json(shown))
}

/// A picture of a run, drawn from its numbers.
pub async fn file(
    State(app): State<Arc<App>>,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, Refused> {
    aside(app, move |data| {
        let charts = Folder::find(data, &name)?.charts();
        let chart = charts.into_iter().find(|chart| chart.file == file);
        let chart = chart.ok_or_else(|| Refused::missing("there is no such picture of this run"))?;
        Ok(([(CONTENT_TYPE, "image/svg+xml")], chart.svg).into_response())
    })
    .await
}
