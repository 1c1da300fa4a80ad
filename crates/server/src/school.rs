//! Training at work: recipes are followed in the background, one at a time, in the folders that `quintet train` uses.

use std::path::{Path as File, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quintet_agent::Catalogue;
use quintet_eval::Weights;
use quintet_learn::{Config, Desk, LearnError, Recipe, Recipes, Run, RunError, replace};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::answer::Refused;
use crate::local::Local;
use crate::shelf;
use crate::work::{Work, conflict};

type Answer = Result<Json<Value>, Refused>;

/// The training of a data directory.
pub struct School {
    data: PathBuf,
    agents: Arc<Catalogue>,
    threads: usize,
    /// What is at work.
    pub work: Work<String>,
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

impl School {
    /// The training in a data directory.
    pub fn new(data: PathBuf, agents: Arc<Catalogue>, threads: usize) -> School {
        School { data, agents, threads, work: Work::default() }
    }

    fn recipes(&self) -> Result<Recipes, Refused> {
        Recipes::with_folder(&self.data).map_err(Refused::because)
    }

    fn recipe(&self, token: &str) -> Result<Recipe, Refused> {
        let found = self.recipes()?.find(token).cloned();
        found
            .ok_or_else(|| Refused::because(format!("there is no recipe \"{token:.60}\"; GET /api/recipes lists them")))
    }

    /// Begins to follow a recipe, or goes on where the same request was left; the run's name.
    fn begin(&self, asked: &Asked) -> Result<String, Refused> {
        let mut recipe = self.recipe(&asked.recipe)?;
        // As `quintet train` names its folder and itself, so that either goes on with a run of the other.
        let mut name = format!("train-{}-{}-{}", recipe.game, recipe.name, asked.seed);
        let mut command = format!("quintet train {}", asked.recipe);
        if let Some(games) = asked.games {
            if games == 0 {
                return Err(Refused::because("games: one at least"));
            }
            recipe = recipe.with("games", &games.to_string()).map_err(Refused::because)?;
            name += &format!("-games={games}");
            command += &format!(" --games {games}");
        }
        command += &format!(" --seed {}", asked.seed);
        self.follow(&name, recipe, asked.seed, &command, "")
    }

    /// Goes on with a run that was stopped.
    fn resume(&self, name: &str) -> Result<(), Refused> {
        let path = self.folder(name)?;
        let config = Run::config_of(&path).map_err(|_| missing())?;
        let recipe = as_asked(self.recipe(&config.recipe)?, &config);
        if is_over(&path, &config) {
            return Err(conflict(format!("run {name} is over; there is nothing to go on with")));
        }
        self.follow(name, recipe, config.seed, &config.command, &config.commit)?;
        Ok(())
    }

    fn follow(&self, name: &str, recipe: Recipe, seed: u64, command: &str, commit: &str) -> Result<String, Refused> {
        self.work.begin(|| {
            let path = self.data.join("runs").join(name);
            let run = Run::open(&path, &recipe, seed, command, commit).map_err(Refused::because)?;
            let (agents, threads) = (Arc::clone(&self.agents), self.threads);
            let job = move |stop: &AtomicBool| learn(run, &recipe, &Desk { agents: &agents, threads, stop });
            Ok((name.to_owned(), job))
        })
    }

    fn folder(&self, name: &str) -> Result<PathBuf, Refused> {
        let found = shelf::runs(&self.data).into_iter().find(|(known, _)| known == name);
        found.map(|(_, path)| path).ok_or_else(missing)
    }

    /// Puts a copy of a snapshot where agents find weights by name: that name, and agents that play with them.
    fn shelve(&self, name: &str, file: &str) -> Result<Value, Refused> {
        let path = self.folder(name)?;
        let config = Run::config_of(&path).map_err(|_| missing())?;
        let recipe = self.recipe(&config.recipe)?;
        let snapshots = path.join("snapshots");
        let known = shelf::files(&snapshots, ".toml").into_iter().find(|known| known == file);
        let known =
            known.ok_or_else(|| Refused::missing("there are no such weights among the snapshots of this run"))?;
        let text = std::fs::read_to_string(snapshots.join(&known)).map_err(Refused::because)?;
        Weights::parse(&text).map_err(|error| Refused::because(format!("{known}: {error}")))?;
        let own = shelf_name(name, recipe.game, known.trim_end_matches(".toml"));
        let folder = self.data.join("weights").join(recipe.game);
        std::fs::create_dir_all(&folder).map_err(Refused::because)?;
        replace(&folder.join(format!("{own}.toml")), &text).map_err(Refused::because)?;
        let weights = format!("{}:{own}", recipe.game);
        let plays = recipe.test.iter().filter(|trial| trial.agent.contains('$'));
        let mut agents: Vec<String> = plays.map(|trial| trial.agent.replace('$', &weights)).collect();
        agents.dedup();
        Ok(json!({ "weights": weights, "agents": agents }))
    }
}

/// The name of a snapshot's weights: what specs allow in a word, without what all runs have in common.
fn shelf_name(run: &str, game: &str, snapshot: &str) -> String {
    let short = run.strip_prefix(&format!("train-{game}-")).unwrap_or(run);
    let word = |c: char| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' };
    format!("{short}-{snapshot}").chars().map(word).collect::<String>().trim_start_matches('.').to_owned()
}

fn missing() -> Refused {
    Refused::missing("there is no such run of training")
}

/// A recipe with the parameters that a run was begun with.
fn as_asked(mut recipe: Recipe, config: &Config) -> Recipe {
    (recipe.kind, recipe.with) = (config.kind.clone(), config.with.clone());
    recipe
}

/// Has a run left what it learned? That is its last act.
pub fn is_over(path: &File, config: &Config) -> bool {
    let product = config.recipe.split_once(':').map_or(config.recipe.as_str(), |(_, own)| own);
    let named = |file: &String| file.strip_prefix(product).is_some_and(|rest| rest.starts_with('.'));
    shelf::files(path, "").iter().any(named)
}

/// Step by step to the end, or until somebody stops it; then what was learned is written down.
fn learn(mut run: Run, recipe: &Recipe, desk: &Desk) -> Result<(), String> {
    while !run.progress().finished() {
        match run.step(desk) {
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

/// Files are read and written where waiting for the disk holds nobody up.
async fn aside<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&School) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    tokio::task::spawn_blocking(move || work(&app.school)).await.map_err(Refused::because)?
}

/// What can be learned.
pub async fn recipes(State(app): State<Arc<App>>) -> Answer {
    let recipes = aside(app, School::recipes).await?;
    let described = recipes.iter().map(|recipe| {
        json!({
            "recipe": recipe.token(), "game": recipe.game, "kind": recipe.kind, "about": recipe.about, "section": recipe.section, "with": recipe.with,
        })
    });
    Ok(Json(json!({ "recipes": described.collect::<Vec<_>>() })))
}

/// Begins a run.
pub async fn begin(_: Local, State(app): State<Arc<App>>, Json(asked): Json<Asked>) -> Result<Response, Refused> {
    let name = aside(app, move |school| school.begin(&asked)).await?;
    Ok((StatusCode::CREATED, Json(json!({ "name": name }))).into_response())
}

/// Stops the run that is at work.
pub async fn stop(_: Local, State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    app.school.work.stop(&name)?;
    Ok(Json(json!({ "ok": true })))
}

/// Goes on with a run.
pub async fn resume(_: Local, State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    aside(app, move |school| school.resume(&name)).await?;
    Ok(Json(json!({ "ok": true })))
}

/// Makes weights of a snapshot that agents can name.
pub async fn shelve(
    _: Local,
    State(app): State<Arc<App>>,
    Path((name, file)): Path<(String, String)>,
) -> Result<Response, Refused> {
    let shelved = aside(app, move |school| school.shelve(&name, &file)).await?;
    Ok((StatusCode::CREATED, Json(shelved)).into_response())
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
            let name = shelf_name(run, "pathwayz", "000050");
            assert_eq!(name, wanted);
            assert!(quintet_eval::Call::parse(&format!("x(weights=pathwayz:{name})")).is_ok(), "{name}");
        }
    }
}
