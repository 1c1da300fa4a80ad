//! The register of games: the one place that knows them all. Adding a game is a module and a line in `register!` below.

use crate::spec::GameSpec;
use crate::{Game, Notation, Symmetric};

/// Everything a face of the program needs of a game.
pub trait Playable: Game + Notation + Symmetric {}
impl<G: Game + Notation + Symmetric> Playable for G {}

/// Code that is written once for every game: [`GameSpec::visit`] calls it with the rules that a spec names.
///
/// ```
/// use quintet_game::{GameSpec, Playable, Visitor};
/// struct CountFirstMoves;
/// impl Visitor for CountFirstMoves {
///     type Output = usize;
///     fn visit<G: Playable>(self, game: G) -> usize {
///         game.count_moves(&game.start())
///     }
/// }
/// let spec = GameSpec::parse("twixt(size=8,swap=off)").unwrap();
/// assert_eq!(spec.visit(CountFirstMoves), 48);
/// ```
pub trait Visitor {
    /// What the visit gives back.
    type Output;
    /// Called with the rules of the game.
    fn visit<G: Playable>(self, game: G) -> Self::Output;
}

/// A game with its variants, as one entry of the register.
pub trait Family {
    /// Name, description, options.
    const INFO: Info;
    /// Builds the rules that `spec` names and hands them to the visitor.
    fn visit<V: Visitor>(spec: &GameSpec, visitor: V) -> V::Output;
}

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

macro_rules! register {
    ($($family:ty),* $(,)?) => {
        /// Every game.
        pub static GAMES: &[Info] = &[$(<$family as Family>::INFO),*];

        impl GameSpec {
            /// Builds the rules that this spec names and hands them to the visitor.
            pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
                $(if self.info().name == <$family as Family>::INFO.name {
                    return <$family as Family>::visit(self, visitor);
                })*
                unreachable!("a spec is made from an entry of the register")
            }
        }
    };
}

register!(
    crate::pathwayz::PathwayzFamily,
    crate::pylos::PylosFamily,
    crate::twixt::TwixtFamily,
    crate::pentago::TwistFamily,
    crate::pentago::PentagoFamily,
);
