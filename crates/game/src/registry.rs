//! The registry of games: the one place that knows them all. Adding a game takes one module and one line in `register!` below.

use crate::game_spec::GameSpec;
use crate::{Game, Notation, Symmetric};

/// What the program needs to know about a game to offer it.
pub trait Playable: Game + Notation + Symmetric {}
impl<G: Game + Notation + Symmetric> Playable for G {}

/// What a game is called and which options its spec takes.
#[derive(Debug)]
pub struct Info {
    /// The name in specs.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// What the two sides are called, the first player's first.
    pub sides: [&'static str; 2],
    /// A move, for help texts.
    pub example: &'static str,
    /// The options of the spec, in the order in which they are written. A default may depend on options before it.
    pub options: &'static [OptionInfo],
}

/// An option of a game's spec.
#[derive(Debug)]
pub struct OptionInfo {
    /// The key in specs.
    pub key: &'static str,
    /// What it decides; for a number, what it counts.
    pub about: &'static str,
    /// The values it takes.
    pub values: Values,
    /// The default, given the options before this one.
    pub default: fn(&GameSpec) -> u32,
}

/// The values of an option. A spec holds the index of a word, or the number itself.
#[derive(Debug)]
pub enum Values {
    /// One of some words, each with its meaning.
    Words(&'static [(&'static str, &'static str)]),
    /// A number from the first to the second.
    Range(u32, u32),
}

impl OptionInfo {
    /// An option whose value is a word.
    pub const fn words(
        key: &'static str,
        about: &'static str,
        words: &'static [(&'static str, &'static str)],
        default: fn(&GameSpec) -> u32,
    ) -> OptionInfo {
        OptionInfo { key, about, values: Values::Words(words), default }
    }

    /// An option whose value is a number.
    pub const fn range(
        key: &'static str,
        about: &'static str,
        low: u32,
        high: u32,
        default: fn(&GameSpec) -> u32,
    ) -> OptionInfo {
        OptionInfo { key, about, values: Values::Range(low, high), default }
    }

    /// The text of a value.
    #[must_use]
    pub fn write(&self, value: u32) -> String {
        match self.values {
            Values::Words(words) => words[value as usize].0.to_owned(),
            Values::Range(..) => value.to_string(),
        }
    }

    /// What values are allowed, for messages: `standard, turn-first` or `2 to 8`.
    #[must_use]
    pub fn allowed(&self) -> String {
        match self.values {
            Values::Words(words) => words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", "),
            Values::Range(low, high) => format!("{low} to {high}"),
        }
    }
}

/// The registry: one line per game with its [`Info`], the function that builds its rules, and the types that those rules may have.
macro_rules! register {
    ($d:tt $($info:path, $rules:path => $($(#[$only:meta])? $variant:ident($game:ty)),*;)*) => {
        /// Every game.
        pub static GAMES: &[Info] = &[$($info),*];

        /// The rules of any game, with their type; [`with_game!`](crate::with_game) matches on it.
        #[derive(Debug)]
        pub enum AnyGame {
            $($(
                #[doc = concat!("The rules of a `", stringify!($game), "`.")]
                $(#[$only])?
                $variant($game),
            )*)*
        }

        /// The type of each variant of [`AnyGame`], for macros.
        #[doc(hidden)]
        pub mod types {
            $($($(#[$only])? pub type $variant = $game;)*)*
        }

        impl GameSpec {
            /// The rules that this spec names. [`with_game!`](crate::with_game) runs generic code with them.
            ///
            /// # Panics
            /// If the spec's game is not registered: see [`GameSpec::of`].
            #[must_use]
            pub fn rules(&self) -> AnyGame {
                $(if self.info().name == $info.name {
                    return $rules(self);
                })*
                panic!("{} is not a registered game", self.info().name)
            }
        }

        /// Runs generic code with the rules that a spec names: `with_game!(spec, |game| body)`. The body is compiled once per
        /// type of game, so it may use whatever every game has, including the caller's own traits.
        ///
        /// ```
        /// use quintet_game::{Game, GameSpec, with_game};
        /// let spec = GameSpec::parse("twixt(size=8,swap=off)").unwrap();
        /// assert_eq!(with_game!(spec, |game| game.count_moves(&game.start())), 48);
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d spec:expr, |$d game:ident| $d body:expr) => {
                match ($d spec).rules() {
                    $($($(#[$only])? $d crate::registry::AnyGame::$variant($d game) => $d body,)*)*
                }
            };
        }

        /// Runs generic code with a game in progress: `with_line!(any_line, |line| body)`, where `line` is a `&Line<G>`. `None`
        /// if the game is not registered.
        ///
        /// ```
        /// use quintet_game::{Game, GameSpec, with_line};
        /// let any_line = GameSpec::parse("pylos").unwrap().line();
        /// assert_eq!(with_line!(any_line, |line| line.game().cells()), Some(30));
        /// ```
        #[macro_export]
        macro_rules! with_line {
            ($d any_line:expr, |$d line:ident| $d body:expr) => {
                'typed: {
                    let any_line = &*$d any_line;
                    $($($(#[$only])? if let Some($d line) = any_line.typed::<$d crate::registry::types::$variant>() {
                        break 'typed Some($d body);
                    })*)*
                    None
                }
            };
        }
    };
}

// Every type has its own copy of all searches. In a browser, which must fetch them, small boards of TwixT share one with those of 12 holes.
register! { $
    crate::pathwayz::INFO, crate::pathwayz::rules => Pathwayz(crate::pathwayz::Pathwayz);
    crate::pylos::INFO, crate::pylos::rules => Pylos(crate::pylos::Pylos);
    crate::twixt::INFO, crate::twixt::rules =>
        #[cfg(not(target_family = "wasm"))] Twixt8(crate::twixt::Twixt<16, 1>),
        Twixt12(crate::twixt::Twixt<20, 1>), Twixt24(crate::twixt::Twixt<32, 1>), TwixtPencil(crate::twixt::Twixt<32, 2>);
    crate::pentago::TWIST_INFO, crate::pentago::twist_rules => Pentago(crate::pentago::Pentago);
    crate::pentago::INFO, crate::pentago::rules =>;
}
