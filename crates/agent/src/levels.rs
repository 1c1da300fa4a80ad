//! Levels of play: eight per game, from one that may miss a win in one to the champion at about one second per move. `level:4` can be used wherever an agent is named.

use std::fmt;
use std::path::{Path, PathBuf};

use quintet_eval::{Spec, SpecError};
use quintet_game::GameSpec;
use serde::Deserialize;

/// The part of a level's name before the colon.
pub(crate) const LEVEL: &str = "level";

/// The number of levels.
pub(crate) const LEVELS: u32 = 8;

/// A level of play in one game.
#[derive(Clone, Debug)]
pub struct Level {
    /// The game's name.
    pub game: &'static str,
    /// From 1, the weakest, to 8.
    pub level: u32,
    /// Its spec.
    pub spec: Spec,
    /// The measured strength, such as `1180 +- 25`; empty if not measured.
    pub strength: String,
    /// The file that it was read from; `None` if it is built in.
    pub source: Option<PathBuf>,
}

impl Level {
    /// Its name as an agent: `level:4`.
    #[must_use]
    pub fn token(&self) -> String {
        format!("{LEVEL}:{}", self.level)
    }
}

/// `Level 4, 1180 +- 40`, or that its strength is not known.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let strength = if self.strength.is_empty() { "not yet measured" } else { &self.strength };
        write!(f, "Level {}, {strength}", self.level)
    }
}

/// The format of a file of levels.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    level: Vec<LevelEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelEntry {
    level: u32,
    agent: String,
    #[serde(default)]
    strength: String,
}

/// Adds the levels of a file; they replace existing ones with the same number.
pub(crate) fn add(
    levels: &mut Vec<Level>,
    game: &'static str,
    text: &str,
    source: Option<&Path>,
) -> Result<(), String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    for LevelEntry { level, agent, strength } in file.level {
        if !(1..=LEVELS).contains(&level) {
            return Err(format!("level {level}: levels go from 1 to {LEVELS}."));
        }
        let spec = Spec::parse(&agent).map_err(|error| format!("level {level}: {error}"))?;
        let read = Level { game, level, spec, strength, source: source.map(Path::to_owned) };
        match levels.iter_mut().find(|known| known.game == game && known.level == level) {
            Some(known) => *known = read,
            None => levels.push(read),
        }
    }
    Ok(())
}

/// The level of a game with this name.
pub(crate) fn find<'a>(levels: &'a [Level], spec: &GameSpec, name: &str) -> Result<&'a Level, SpecError> {
    let here = spec.info().name;
    let found = levels.iter().find(|level| level.game == here && name.parse() == Ok(level.level));
    found.ok_or_else(|| SpecError::UnknownKind {
        kind: format!("{LEVEL}:{name}"),
        what: format!("a level of {}", spec.info().title),
        known: format!("{LEVEL}:1 to {LEVEL}:{LEVELS}"),
    })
}
