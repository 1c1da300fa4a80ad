//! Games of the store to learn from.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use quintet_agent::Catalogue;
use quintet_arena::{Store, StoreError, StoredGame};
use quintet_game::GameSpec;
use quintet_learn::{TrainingRunError, replace};

/// Which games of the store a training run learns from.
///
/// ```
/// use quintet_lab::StoreGames;
/// assert_eq!("people".parse(), Ok(StoreGames::People));
/// assert_eq!("12".parse(), Ok(StoreGames::Run(12)));
/// assert!("some".parse::<StoreGames>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreGames {
    /// All of the recipe's game.
    All,
    /// Those with a person in them.
    People,
    /// Those of one run.
    Run(i64),
}

/// A text that names no games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it must be all, people, or the number of a run from `quintet records list`")]
pub struct StoreGamesError;

impl FromStr for StoreGames {
    type Err = StoreGamesError;

    fn from_str(text: &str) -> Result<StoreGames, StoreGamesError> {
        match text {
            "all" => Ok(StoreGames::All),
            "people" => Ok(StoreGames::People),
            number => number.parse().map(StoreGames::Run).map_err(|_| StoreGamesError),
        }
    }
}

impl fmt::Display for StoreGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreGames::All => f.write_str("all"),
            StoreGames::People => f.write_str("people"),
            StoreGames::Run(run) => run.fmt(f),
        }
    }
}

/// Why games of the store cannot be learned from.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are none.
    #[error("the store has no such games of {0}; `quintet records list` says what there is")]
    NoGames(String),
    /// They cannot be written.
    #[error(transparent)]
    Write(#[from] TrainingRunError),
}

impl StoreGames {
    /// The file of the games in the folder of a run.
    #[must_use]
    pub fn file(folder: &Path) -> PathBuf {
        folder.join("games.txt")
    }

    /// Copies the games into the folder of a run, where they stay: a run that continues learns from the same ones. How many there are.
    ///
    /// # Errors
    /// When there are none, or they cannot be read or written.
    pub fn copy(self, store: &Store, agents: &Catalogue, game: &str, folder: &Path) -> Result<usize, CopyError> {
        let run = match self {
            StoreGames::Run(run) => Some(run),
            StoreGames::All | StoreGames::People => None,
        };
        let mut games = store.games(run, Some(game))?;
        if self == StoreGames::People {
            games.retain(|kept| has_person(agents, kept));
        }
        if games.is_empty() {
            return Err(CopyError::NoGames(game.to_owned()));
        }
        std::fs::create_dir_all(folder).map_err(|why| TrainingRunError::File { path: folder.to_owned(), why })?;
        let text: String = games.iter().map(|kept| format!("{}\n", kept.record)).collect();
        replace(&StoreGames::file(folder), &text)?;
        Ok(games.len())
    }
}

/// A player that is not an agent is a person.
fn has_person(agents: &Catalogue, kept: &StoredGame) -> bool {
    let spec = GameSpec::parse(&kept.game);
    let is_person = |player: &String| spec.as_ref().map_or(true, |spec| agents.resolved(spec, player).is_err());
    kept.players.iter().any(is_person)
}
