//! Reports of repeated experiments: the embedded ones, and those of `quintet reproduce` on this machine.

use std::collections::BTreeMap;
use std::path::{Path as File, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use quintet_lab::{Reproduction, files_of, run_folders};
use quintet_papers::measures::{Effort, measure};
use serde_json::{Value, json};

use crate::App;
use crate::client::Client;
use crate::error::{HttpError, JsonAnswer, Path, Query};
use crate::page::{From, page};
use quintet_api::ApiError;

/// Full runs: one folder per report.
static SHIPPED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/reports");

const PICTURE: &str = ".svg";

/// A report, and where it is.
struct Report {
    place: Source,
    /// The pictures.
    files: Vec<String>,
}

enum Source {
    /// It is part of the program.
    Shipped,
    /// A folder of `runs/`.
    Run(PathBuf),
}

impl Report {
    /// All reports by name; a run of this machine replaces an embedded one of the same name.
    fn all(data: &File) -> BTreeMap<String, Report> {
        let mut all: BTreeMap<String, Report> = BTreeMap::new();
        for folder in SHIPPED.dirs() {
            let name = |path: &File| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let files = folder.files().map(|file| name(file.path())).filter(|file| file.ends_with(PICTURE));
            all.insert(name(folder.path()), Report { place: Source::Shipped, files: files.collect() });
        }
        for (name, path) in run_folders(data) {
            if Reproduction::is_over(&path) {
                let files = files_of(&path, PICTURE);
                all.insert(name, Report { place: Source::Run(path), files });
            }
        }
        all
    }

    fn find(data: &File, name: &str) -> Result<Report, ApiError> {
        Report::all(data).remove(name).ok_or_else(|| ApiError::missing("there is no such report"))
    }

    fn source(&self) -> &'static str {
        match self.place {
            Source::Shipped => "shipped",
            Source::Run(_) => "run",
        }
    }

    fn text(&self, name: &str, file: &str) -> Option<String> {
        match &self.place {
            Source::Shipped => Some(SHIPPED.get_file(format!("{name}/{file}"))?.contents_utf8()?.to_owned()),
            Source::Run(path) => std::fs::read_to_string(path.join(file)).ok(),
        }
    }
}

/// The title and the verdict that a report's Markdown begins and ends with.
fn gist(markdown: &str) -> [Option<&str>; 2] {
    ["# ", "**Verdict:** "].map(|mark| markdown.lines().find_map(|line| line.strip_prefix(mark)))
}

/// All reports.
pub async fn list(State(app): State<Arc<App>>, client: Client, Query(From { from }): Query<From>) -> JsonAnswer {
    let listed = app.disk(client, move |app| {
        let all = Report::all(&app.data);
        let listed = all.iter().map(|(name, report)| {
            let markdown = report.text(name, "report.md").unwrap_or_default();
            let [title, verdict] = gist(&markdown);
            json!({ "name": name, "source": report.source(), "files": report.files, "title": title, "verdict": verdict })
        });
        Ok(page("reports", listed.collect(), from))
    });
    Ok(Json(listed.await?))
}

/// One report: as Markdown, and as data if it was made on this machine.
pub async fn show(State(app): State<Arc<App>>, client: Client, Path(name): Path<String>) -> JsonAnswer {
    let shown = app.disk(client, move |app| {
        let report = Report::find(&app.data, &name)?;
        let data: Option<Value> = report.text(&name, "report.json").and_then(|text| serde_json::from_str(&text).ok());
        Ok(json!({
            "name": name, "source": report.source(), "files": report.files, "report": data, "markdown": report.text(&name, "report.md"),
        }))
    });
    Ok(Json(shown.await?))
}

/// A picture of a report.
pub async fn file(
    State(app): State<Arc<App>>,
    client: Client,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, HttpError> {
    let svg = app.disk(client, move |app| {
        let report = Report::find(&app.data, &name)?;
        let known = report.files.contains(&file).then(|| report.text(&name, &file)).flatten();
        known.ok_or_else(|| ApiError::missing("there is no such picture in this report"))
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?).into_response())
}

/// The score of a Pylos board with one ball on it, for each cell of the pyramid: one's own ball, and the opponent's.
pub async fn maps(State(app): State<Arc<App>>, client: Client) -> JsonAnswer {
    let effort = Effort { samples: 60, seed: 1 };
    let rows = app
        .disk(client, move |app| Ok(measure("pylos/svm-maps", &app.api.agents, effort, &mut || {}).unwrap_or_default()))
        .await?;
    let mut maps = json!({ "own": {}, "opponent": {} });
    for row in rows {
        let (Some((whose, cell)), Ok(score)) = (row.what.rsplit_once(" on "), row.ours.parse::<f64>()) else {
            continue;
        };
        maps[if whose.contains("own") { "own" } else { "opponent" }][cell] = json!(score);
    }
    Ok(Json(maps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_reports_have_titles_and_comparisons_have_verdicts() {
        let all = Report::all(File::new("/nowhere"));
        assert!(!all.is_empty());
        for (name, report) in all {
            let markdown = report.text(&name, "report.md").unwrap();
            let [title, verdict] = gist(&markdown);
            assert!(title.is_some(), "{name}");
            assert_eq!(verdict.is_some(), markdown.contains("| verdict |"), "{name}");
        }
    }
}
