//! Recipes: what is to be learned and how, written as data.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use quintet_data::{Data, DataError};
use quintet_game::GAMES;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{LearnError, Pipeline};

/// What is to be learned and how.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The game's name.
    pub game: &'static str,
    /// The name within the game; the weights get it too.
    pub name: String,
    /// What it learns, in a sentence.
    pub about: String,
    /// The section of the paper.
    pub section: String,
    /// The pipeline.
    pub kind: String,
    /// The pipeline's parameters.
    pub with: toml::Table,
    /// Opponents of the result.
    pub test: Vec<Trial>,
    /// The file that it was read from; none for embedded recipes.
    pub source: Option<PathBuf>,
}

/// A match that measures what was learned.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// The stage after which it is played, from 1 on; without one, the end. A stage that was left out is not measured.
    pub stage: Option<u32>,
    /// The agent that uses what was learned: `$` stands for its weights, as in `greedy(eval=pathwayz-52(weights=$))`.
    pub agent: String,
    /// The opponent.
    pub against: String,
    /// The game's spec, if not the default one.
    pub spec: Option<String>,
    /// How many games, in pairs.
    pub games: u64,
    /// Random plies at the start of each pair.
    #[serde(default)]
    pub openings: u32,
}

/// All recipes.
///
/// ```
/// use quintet_learn::Recipes;
/// assert!(Recipes::embedded().find("pathwayz:nothing").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recipes(Vec<Recipe>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    recipe: Vec<RecipeEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeEntry {
    name: String,
    about: String,
    #[serde(default)]
    section: String,
    kind: String,
    #[serde(default)]
    with: toml::Table,
    #[serde(default)]
    test: Vec<Trial>,
}

impl Recipes {
    /// The embedded recipes.
    #[must_use]
    pub fn embedded() -> &'static Recipes {
        static RECIPES: OnceLock<Recipes> = OnceLock::new();
        RECIPES.get_or_init(|| Recipes::with_data(&Data::embedded()).expect("a test reads every file that is embedded"))
    }

    /// The recipes of a data directory and the embedded ones: see [`Recipes::with_data`].
    ///
    /// # Errors
    /// When a file cannot be read or understood.
    pub fn with_folder(data: &Path) -> Result<Recipes, DataError> {
        Recipes::with_data(&Data::with_directory(data))
    }

    /// The embedded recipes and the user's of `training/GAME.toml`, which replace those of the same name. Missing files are not an error.
    ///
    /// # Errors
    /// When a file cannot be read or understood.
    pub fn with_data(data: &Data) -> Result<Recipes, DataError> {
        let mut recipes = Recipes::default();
        let games = GAMES.iter().map(|info| info.name);
        data.each("training", games, "toml", |game, text, source| recipes.add(game, text, source))?;
        Ok(recipes)
    }

    /// All of them, game by game.
    pub fn iter(&self) -> impl Iterator<Item = &Recipe> {
        self.0.iter()
    }

    /// The one of a name such as `pathwayz:tdl52`.
    #[must_use]
    pub fn find(&self, token: &str) -> Option<&Recipe> {
        self.iter().find(|recipe| recipe.token() == token)
    }

    fn add(&mut self, game: &'static str, text: &str, source: Option<&Path>) -> Result<(), String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        for written in file.recipe {
            let RecipeEntry { name, about, section, kind, with, test } = written;
            let source = source.map(Path::to_owned);
            let recipe = Recipe { game, name, about, section, kind, with, test, source };
            recipe.start(0, None).map_err(|error| format!("{}: {error}", recipe.name))?;
            match self.0.iter_mut().find(|known| known.token() == recipe.token()) {
                Some(known) => *known = recipe,
                None => self.0.push(recipe),
            }
        }
        Ok(())
    }
}

impl Recipe {
    /// The token that names it: `pathwayz:tdl52`.
    #[must_use]
    pub fn token(&self) -> String {
        format!("{}:{}", self.game, self.name)
    }

    /// The same with one parameter changed; the value is written as in the file: `games=200`, `features="pathwayz-53"`.
    ///
    /// # Errors
    /// When that makes no sense to the pipeline.
    pub fn with(mut self, key: &str, value: &str) -> Result<Recipe, LearnError> {
        let read = |text: &str| format!("x = {text}").parse::<toml::Table>().ok()?.remove("x");
        // A bare word is a text.
        let value = read(value).unwrap_or_else(|| toml::Value::String(value.to_owned()));
        self.with.insert(key.to_owned(), value);
        self.start(0, None)?;
        Ok(self)
    }

    /// The pipeline at its start, or where a state was kept.
    ///
    /// # Errors
    /// When the parameters, or the state, make no sense.
    pub fn start(&self, seed: u64, state: Option<serde_json::Value>) -> Result<Box<dyn Pipeline>, LearnError> {
        let known = KINDS.iter().find(|(name, _)| *name == self.kind);
        let (_, start) = known.ok_or_else(|| {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            LearnError::Recipe(format!("\"{}\" is not a pipeline; choose one of {}.", self.kind, names.join(", ")))
        })?;
        start(self, seed, state)
    }

    /// The parameters in the pipeline's own type; unknown ones are refused.
    ///
    /// # Errors
    /// When there are unknown ones, or one has a wrong value.
    pub fn parameters<T: DeserializeOwned>(&self) -> Result<T, LearnError> {
        let wrong = |error: toml::de::Error| LearnError::Recipe(error.to_string().trim_end().to_owned());
        self.with.clone().try_into().map_err(wrong)
    }
}

type Start = fn(&Recipe, u64, Option<serde_json::Value>) -> Result<Box<dyn Pipeline>, LearnError>;

/// The pipelines, by name.
const KINDS: &[(&str, Start)] = &[
    ("td", crate::td::start),
    ("svr", crate::svr::start),
    ("book", crate::book::start),
    ("buckets", crate::buckets::start),
    ("evolve", crate::evolve::start),
    #[cfg(test)]
    ("toy", crate::toy::start),
];
