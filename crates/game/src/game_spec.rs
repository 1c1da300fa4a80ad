//! Specs: a game and its options in one token, such as `twixt(size=8,rules=paper)`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::registry::{GAMES, Info, OptionInfo, Values};
use crate::text::quote;
use crate::{Spec, SpecError};

const MOST_OPTIONS: usize = 4;

/// A game with all its options decided.
///
/// Prints as the shortest spec that means the same; parses with every option checked.
///
/// ```
/// use quintet_game::GameSpec;
/// let spec = GameSpec::parse("twixt(swap=off,rules=paper,size=8)").unwrap();
/// assert_eq!(spec.to_string(), "twixt(size=8,rules=paper)");
/// let error = GameSpec::parse("pathwayz(rows=9)").unwrap_err();
/// assert_eq!(error.to_string(), "rows=9: Pathwayz has 2 to 8 rows.");
/// ```
#[derive(Clone, Copy)]
pub struct GameSpec {
    info: &'static Info,
    values: [u32; MOST_OPTIONS],
}

/// Why a spec was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameSpecError {
    /// No game has this name.
    #[error("\"{}\" is not a game; the games are {}.", quote(.0, 60), game_names())]
    UnknownGame(String),
    /// The brackets or commas are wrong.
    #[error("\"{}\": a spec is a name, or a name with options in brackets, as in twixt(size=8,rules=paper), without blanks.", quote(.0, 60))]
    Shape(String),
    /// The game has no such option.
    #[error("\"{}\" is not an option of {}; {}", quote(key, 40), game.title, known_options(game))]
    UnknownKey {
        /// The game.
        game: &'static Info,
        /// The unknown key.
        key: String,
    },
    /// An option was given twice.
    #[error("{0} is given twice.")]
    RepeatedKey(String),
    /// An option has no such value.
    #[error("{}={}: {}", option.key, quote(value, 40), allowed_values(game, option))]
    BadValue {
        /// The game.
        game: &'static Info,
        /// The option.
        option: &'static OptionInfo,
        /// The value that was given.
        value: String,
    },
}

impl PartialEq for Info {
    fn eq(&self, other: &Info) -> bool {
        self.name == other.name
    }
}
impl Eq for Info {}

impl PartialEq for OptionInfo {
    fn eq(&self, other: &OptionInfo) -> bool {
        self.key == other.key
    }
}
impl Eq for OptionInfo {}

fn allowed_values(game: &Info, option: &OptionInfo) -> String {
    match option.values {
        Values::Range(..) => format!("{} has {} {}.", game.title, option.allowed(), option.about),
        Values::Words(_) => format!("{} of {} is one of {}.", option.key, game.title, option.allowed()),
    }
}

fn game_names() -> String {
    GAMES.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}

fn known_options(game: &Info) -> String {
    if game.options.is_empty() {
        return "it has none.".into();
    }
    let known: Vec<String> = game.options.iter().map(|o| format!("{} ({})", o.key, o.allowed())).collect();
    format!("it has {}.", known.join("; "))
}

impl GameSpec {
    /// Reads a spec. Case is folded by ASCII; unknown or repeated keys, signs, blanks and leading zeros are errors.
    pub fn parse(text: &str) -> Result<GameSpec, GameSpecError> {
        let folded = text.to_ascii_lowercase();
        let written = Spec::parse(&folded).map_err(|error| match error {
            SpecError::RepeatedKey(key) => GameSpecError::RepeatedKey(key),
            _ if folded.contains(['(', ' ', '\t', '\n']) => {
                empty_value(&folded).unwrap_or_else(|| GameSpecError::Shape(text.to_owned()))
            }
            _ => GameSpecError::UnknownGame(folded.clone()),
        })?;
        let info = GAMES.iter().find(|info| info.name == written.kind);
        let info = info.ok_or_else(|| GameSpecError::UnknownGame(written.kind.clone()))?;
        let mut given = [None; MOST_OPTIONS];
        for (key, value) in written.arguments {
            let unknown = || GameSpecError::UnknownKey { game: info, key: key.clone() };
            let at = info.options.iter().position(|o| o.key == key).ok_or_else(unknown)?;
            let (option, value) = (&info.options[at], value.to_string());
            let read = read_value(option, &value);
            given[at] = Some(read.ok_or(GameSpecError::BadValue { game: info, option, value })?);
        }
        let mut spec = GameSpec { info, values: [0; MOST_OPTIONS] };
        for (at, option) in info.options.iter().enumerate() {
            spec.values[at] = given[at].unwrap_or_else(|| (option.default)(&spec));
        }
        Ok(spec)
    }

    /// The registry's entry of the game.
    #[must_use]
    pub fn info(&self) -> &'static Info {
        self.info
    }

    /// The default variant of a game, registered or not.
    ///
    /// Specs of registered games come from [`GameSpec::parse`]. A game of your own has no text form, but its lines, agents and
    /// matches work like those of any other game: see `new` of [`AnyLine`](crate::AnyLine).
    #[must_use]
    pub fn of(info: &'static Info) -> GameSpec {
        let mut spec = GameSpec { info, values: [0; MOST_OPTIONS] };
        for (at, option) in info.options.iter().enumerate() {
            spec.values[at] = (option.default)(&spec);
        }
        spec
    }

    /// The value of an option that is a number.
    ///
    /// # Panics
    /// If the game has no such option.
    #[must_use]
    pub fn number(&self, key: &str) -> usize {
        self.value(key) as usize
    }

    /// The value of an option that is one of some words, as the enum whose variants are listed in the order of the words.
    ///
    /// ```
    /// use quintet_game::{GameSpec, twixt::Swap};
    /// let spec = GameSpec::parse("twixt(rules=paper)").unwrap();
    /// assert_eq!(spec.choice("swap", &Swap::ALL), Swap::Off);
    /// ```
    ///
    /// # Panics
    /// If the game has no such option.
    #[must_use]
    pub fn choice<T: Copy>(&self, key: &str, all: &[T]) -> T {
        all[self.value(key) as usize]
    }

    /// The word or number of an option, as it is written in specs.
    ///
    /// # Panics
    /// If the game has no such option.
    #[must_use]
    pub fn word(&self, key: &str) -> String {
        self.info.options[self.place(key)].write(self.value(key))
    }

    /// The spec with every option, the defaults too: for programs that may have other defaults.
    ///
    /// ```
    /// use quintet_game::GameSpec;
    /// let spec = GameSpec::parse("pentago").unwrap();
    /// assert_eq!(spec.spelled_out(), "pentago(rules=standard)");
    /// assert_eq!(GameSpec::parse(&spec.spelled_out()), Ok(spec));
    /// ```
    #[must_use]
    pub fn spelled_out(&self) -> String {
        self.write_with(|_, _| true)
    }

    fn write_with(&self, wanted: impl Fn(&OptionInfo, u32) -> bool) -> String {
        let options = self.info.options.iter().zip(self.values).filter(|(option, value)| wanted(option, *value));
        let options: Vec<String> =
            options.map(|(option, value)| format!("{}={}", option.key, option.write(value))).collect();
        let name = self.info.name;
        if options.is_empty() { name.to_owned() } else { format!("{name}({})", options.join(",")) }
    }

    fn value(&self, key: &str) -> u32 {
        self.values[self.place(key)]
    }

    fn place(&self, key: &str) -> usize {
        self.info.options.iter().position(|o| o.key == key).expect("only options that the game has are read")
    }
}

/// What is wrong with a spec in which an option has no value, as in `twixt(size=)`.
fn empty_value(text: &str) -> Option<GameSpecError> {
    let (name, options) = text.strip_suffix(')')?.split_once('(')?;
    let game = GAMES.iter().find(|info| info.name == name)?;
    let key = options.split(',').find_map(|option| option.strip_suffix('='))?;
    let option = game.options.iter().find(|option| option.key == key)?;
    Some(GameSpecError::BadValue { game, option, value: String::new() })
}

fn read_value(option: &OptionInfo, text: &str) -> Option<u32> {
    match option.values {
        Values::Words(words) => words.iter().position(|(word, _)| *word == text).map(|i| i as u32),
        Values::Range(low, high) => {
            let digits = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
            let number: u32 = text.parse().ok().filter(|_| digits)?;
            (low..=high).contains(&number).then_some(number)
        }
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.write_with(|option, value| (option.default)(self) != value))
    }
}

impl fmt::Debug for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "GameSpec({self})")
    }
}

impl FromStr for GameSpec {
    type Err = GameSpecError;
    fn from_str(text: &str) -> Result<GameSpec, GameSpecError> {
        GameSpec::parse(text)
    }
}

impl PartialEq for GameSpec {
    fn eq(&self, other: &GameSpec) -> bool {
        self.info == other.info && self.values == other.values
    }
}
impl Eq for GameSpec {}

impl Hash for GameSpec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.info.name, self.values).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip_and_fold() {
        for (text, canonical) in [
            ("pentago", "pentago"),
            ("pentago()", "pentago"),
            ("PENTAGO(Rules=Turn-First)", "pentago(rules=turn-first)"),
            ("pentago(rules=standard)", "pentago"),
            ("twixt(swap=mirror)", "twixt"),
            ("twixt(size=24,rules=paper,swap=mirror)", "twixt(size=24,rules=paper,swap=mirror)"),
            ("pathwayz(cols=6,rows=5)", "pathwayz(rows=5,cols=6)"),
            ("pylos(takeback=free,end=spent,rules=expert-diag)", "pylos(rules=expert-diag,end=spent,takeback=free)"),
            ("pentago-twist()", "pentago-twist"),
        ] {
            let spec = GameSpec::parse(text).unwrap();
            assert_eq!(spec.to_string(), canonical);
            assert_eq!(GameSpec::parse(canonical).unwrap(), spec);
        }
    }

    #[test]
    fn bad_specs_are_refused_with_a_sentence() {
        for (text, says) in [
            ("", "is not a game"),
            ("chess", "is not a game; the games are pathwayz,"),
            ("pentago ", "without blanks"),
            ("pentago(", "brackets"),
            ("pentago)", "is not a game"),
            ("pentago(rules)", "brackets"),
            ("pentago(rules=standard,)", "brackets"),
            ("pentago(rules=fast)", "standard, turn-first"),
            ("pentago(size=6)", "is not an option of Pentago; it has rules"),
            ("pentago-twist(rules=standard)", "it has none"),
            ("twixt(size=8,size=8)", "given twice"),
            ("twixt(size=08)", "3 to 24"),
            ("twixt(size=+8)", "3 to 24"),
            ("twixt(size=25)", "3 to 24"),
            ("twixt(size=99999999999999999999)", "3 to 24"),
            ("twixt(size=)", "3 to 24"),
            ("twi\u{212a}t", "is not a game"),
        ] {
            let error = GameSpec::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let long = GameSpec::parse(&"x".repeat(1 << 20)).unwrap_err().to_string();
        assert!(long.chars().count() < 200);
    }
}
