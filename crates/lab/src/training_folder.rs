//! Training runs as they lie in a data directory.

use std::path::{Path, PathBuf};

use quintet_eval::{Weights, WeightsError};
use quintet_learn::{Chart, Config, Metric, Recipe, Recipes, Run, TrainingRunError, charts};

use crate::run_folders::{files_of, run_folders};
use crate::training::{NOT_MEASURED, install};

/// The folder of a training run, as far as the run has come.
///
/// ```
/// use quintet_lab::{TrainingFolder, run_folder};
/// use quintet_learn::{Recipes, Run};
/// let data = std::env::temp_dir().join(format!("quintet-training-{}", std::process::id()));
/// let recipe = Recipes::embedded().find("pathwayz:td52").unwrap();
/// Run::open(&run_folder(&data, "mine"), recipe, 1, "quintet train pathwayz:td52", "").unwrap();
/// let folder = TrainingFolder::find(&data, "mine").unwrap();
/// assert_eq!((folder.config.seed, folder.done(), folder.total()), (1, 0, Some(5000)));
/// # std::fs::remove_dir_all(&data).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct TrainingFolder {
    /// The name of the folder in `runs/`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What was asked for.
    pub config: Config,
    /// The numbers so far.
    pub metrics: Vec<Metric>,
    /// The names of the snapshots.
    pub snapshots: Vec<String>,
}

/// Weights that agents can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledWeights {
    /// Their name: `pathwayz:tdl52-1-000050`.
    pub weights: String,
    /// Agents that play with them, as the trials of the recipe have them.
    pub agents: Vec<String>,
}

/// Why a snapshot cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// There is none of this name.
    #[error("there are no such weights among the snapshots of this run")]
    Missing,
    /// It holds no weights.
    #[error("{0}: {1}")]
    Weights(String, WeightsError),
    /// It cannot be read, or not be written.
    #[error(transparent)]
    File(#[from] TrainingRunError),
}

impl TrainingFolder {
    /// All training runs of a data directory, by name.
    #[must_use]
    pub fn all(data: &Path) -> Vec<TrainingFolder> {
        run_folders(data).into_iter().filter_map(|(name, path)| TrainingFolder::read(name, path)).collect()
    }

    /// One of them.
    #[must_use]
    pub fn find(data: &Path, name: &str) -> Option<TrainingFolder> {
        let (name, path) = run_folders(data).into_iter().find(|(known, _)| known == name)?;
        TrainingFolder::read(name, path)
    }

    fn read(name: String, path: PathBuf) -> Option<TrainingFolder> {
        let config = Run::config_of(&path).ok()?;
        // A run at work may be writing its last line.
        let metrics = Run::metrics_of(&path).unwrap_or_default();
        let snapshots = files_of(&path.join("snapshots"), "");
        Some(TrainingFolder { name, path, config, metrics, snapshots })
    }

    /// Has it left what it learned, and was that measured if its recipe has trials?
    #[must_use]
    pub fn is_over(&self, recipes: &Recipes) -> bool {
        let product = self.config.recipe.split_once(':').map_or(self.config.recipe.as_str(), |(_, own)| own);
        let named = |file: &String| file.strip_prefix(product).is_some_and(|rest| rest.starts_with('.'));
        let Some(file) = files_of(&self.path, "").into_iter().find(named) else { return false };
        let weights = std::fs::read_to_string(self.path.join(file)).ok().and_then(|text| Weights::parse(&text).ok());
        let unmeasured = weights.is_some_and(|weights| weights.made.strength == NOT_MEASURED);
        !(unmeasured && recipes.find(&self.config.recipe).is_some_and(|recipe| !recipe.test.is_empty()))
    }

    /// Games in all: a last stage, where a recipe has one, comes after the others, and a `then` begins again with other parameters.
    #[must_use]
    pub fn total(&self) -> Option<i64> {
        let (mut with, mut total) = (self.config.with.clone(), 0);
        loop {
            let then = with.remove("then");
            let number = |key: &str| with.get(key)?.as_integer();
            total += number("games")? + number("last-games").unwrap_or(0);
            match then.and_then(|then| then.as_table().cloned()) {
                Some(changes) => with.extend(changes),
                None => return Some(total),
            }
        }
    }

    /// How many of them were played.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.metrics.last().map_or(0, |metric| metric.at)
    }

    /// Pictures of its numbers.
    #[must_use]
    pub fn charts(&self) -> Vec<Chart> {
        charts(&self.config.recipe, &self.metrics)
    }

    /// Copies a snapshot to where agents find weights by name. `recipe` is the one that the run follows.
    ///
    /// # Errors
    /// When there is no such snapshot, it holds no weights, or it cannot be copied.
    pub fn install_snapshot(
        &self,
        data: &Path,
        recipe: &Recipe,
        snapshot: &str,
    ) -> Result<InstalledWeights, SnapshotError> {
        let known = self.snapshots.iter().find(|known| *known == snapshot && known.ends_with(".toml"));
        let path = self.path.join("snapshots").join(known.ok_or(SnapshotError::Missing)?);
        let text = std::fs::read_to_string(&path).map_err(|why| TrainingRunError::File { path, why })?;
        Weights::parse(&text).map_err(|error| SnapshotError::Weights(snapshot.to_owned(), error))?;
        let name = weights_name(&self.name, recipe.game, snapshot.trim_end_matches(".toml"));
        install(data, recipe.game, &format!("{name}.toml"), &text)?;
        let weights = format!("{}:{name}", recipe.game);
        let plays = recipe.test.iter().filter(|trial| trial.agent.contains('$'));
        let mut agents: Vec<String> = plays.map(|trial| trial.agent.replace('$', &weights)).collect();
        agents.dedup();
        Ok(InstalledWeights { weights, agents })
    }
}

/// The name of a snapshot's weights: what specs allow in a word, without what all runs have in common.
fn weights_name(run: &str, game: &str, snapshot: &str) -> String {
    let short = run.strip_prefix(&format!("train-{game}-")).unwrap_or(run);
    let word = |c: char| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' };
    format!("{short}-{snapshot}").chars().map(word).collect::<String>().trim_start_matches('.').to_owned()
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
