//! The experiments: the embedded ones, and those of the user's own files.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use quintet_data::{Data, DataError};
use quintet_game::GAMES;
use serde::Deserialize;

use super::file::Experiment;

/// All experiments, game by game.
///
/// ```
/// use quintet_papers::experiments::Library;
/// let error = Library::embedded().get("pylos/agent").unwrap_err();
/// assert!(error.to_string().contains("pylos/agents"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Library {
    experiments: Vec<Experiment>,
    sources: Vec<PathBuf>,
}

/// Why experiments cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// A file exists but cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// The contents of a file make no sense.
    #[error("{}: {why}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There is no such experiment.
    #[error("there is no experiment \"{id}\"; similar: {near}. `quintet reproduce --list` lists all.")]
    Unknown {
        /// What was asked for.
        id: String,
        /// Experiments with similar names.
        near: String,
    },
}

impl From<DataError> for LibraryError {
    fn from(error: DataError) -> LibraryError {
        match error {
            DataError::Unreadable { path, why } => LibraryError::Unreadable { path, why },
            DataError::Wrong { path, why } => LibraryError::Wrong { path, why },
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    experiment: Vec<Experiment>,
}

impl Library {
    /// The embedded experiments.
    #[must_use]
    pub fn embedded() -> &'static Library {
        static LIBRARY: OnceLock<Library> = OnceLock::new();
        LIBRARY.get_or_init(|| Library::with_data(&Data::embedded()).expect("a test reads every file that is embedded"))
    }

    /// The experiments of a data directory and the embedded ones: see [`Library::with_data`].
    ///
    /// # Errors
    /// When a file cannot be read or understood.
    pub fn with_folder(data: &Path) -> Result<Library, LibraryError> {
        Library::with_data(&Data::with_directory(data))
    }

    /// The embedded experiments and the user's of `experiments/GAME.toml`, which replace those of the same id. Missing files are not an error.
    ///
    /// # Errors
    /// When a file cannot be read or understood.
    pub fn with_data(data: &Data) -> Result<Library, LibraryError> {
        let mut library = Library::default();
        data.each("experiments", GAMES.iter().map(|info| info.name), "toml", |_, text, source| {
            library.sources.extend(source.map(Path::to_owned));
            library.add(text)
        })?;
        Ok(library)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        for experiment in file.experiment {
            match self.experiments.iter_mut().find(|known| known.id == experiment.id) {
                Some(known) => *known = experiment,
                None => self.experiments.push(experiment),
            }
        }
        Ok(())
    }

    /// The user's own files that are used.
    #[must_use]
    pub fn sources(&self) -> &[PathBuf] {
        &self.sources
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Experiment> {
        self.experiments.iter()
    }

    /// One of them; one that is `like` another has that one's players, rows and designs.
    ///
    /// # Errors
    /// When there is none of that id; the error names similar ones.
    pub fn get(&self, id: &str) -> Result<Experiment, LibraryError> {
        let found = self.experiments.iter().find(|experiment| experiment.id == id);
        let experiment = found.ok_or_else(|| LibraryError::Unknown { id: id.to_owned(), near: self.near(id) })?;
        let Some(like) = &experiment.like else { return Ok(experiment.clone()) };
        let other = self.get(like)?;
        let Experiment { title, section, claim, note, chart, contradictions, .. } = experiment.clone();
        Ok(Experiment {
            id: experiment.id.clone(),
            title,
            section,
            claim,
            note,
            chart,
            contradictions,
            like: Some(like.clone()),
            ..other
        })
    }

    /// The experiments that a word of the command line names: an id, a game, or `all`.
    ///
    /// # Errors
    /// When it names none; the error names similar ids.
    pub fn choose(&self, word: &str) -> Result<Vec<Experiment>, LibraryError> {
        let of_game = |experiment: &&Experiment| word == "all" || experiment.id.split('/').next() == Some(word);
        let ids: Vec<&str> = self.all().filter(of_game).map(|experiment| experiment.id.as_str()).collect();
        if ids.is_empty() {
            return Ok(vec![self.get(word)?]);
        }
        ids.into_iter().map(|id| self.get(id)).collect()
    }

    fn near(&self, id: &str) -> String {
        let last = |id: &str| id.rsplit('/').next().unwrap_or_default().to_owned();
        let distance = |known: &str| edits(id, known).min(1 + edits(&last(id), &last(known)));
        let mut ids: Vec<&str> = self.all().map(|experiment| experiment.id.as_str()).collect();
        ids.sort_by_key(|known| distance(known));
        ids.truncate(4);
        ids.join(", ")
    }
}

/// The edit distance of two words.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
