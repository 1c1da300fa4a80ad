//! Who sits at a game.

use quintet_agent::Catalogue;
use quintet_game::GameSpec;
use serde::{Deserialize, Serialize};

use crate::answer::Refused;
use crate::ask::agent;

/// The longest name of a person.
const LONGEST_NAME: usize = 40;

/// Who sits where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase", from = "Wish")]
pub enum Sitter {
    /// Whoever has the token.
    Person {
        /// What they are called.
        #[serde(default)]
        name: String,
    },
    /// An agent.
    Agent {
        /// Its spec or its name.
        agent: String,
    },
}

/// Who is to sit somewhere, as it is written: a level is an agent of that name.
#[derive(Deserialize)]
#[serde(tag = "who", rename_all = "lowercase", deny_unknown_fields)]
enum Wish {
    Person {
        #[serde(default)]
        name: String,
    },
    Agent {
        agent: String,
    },
    Level {
        level: u32,
    },
}

impl From<Wish> for Sitter {
    fn from(wish: Wish) -> Sitter {
        match wish {
            Wish::Person { name } => Sitter::Person { name },
            Wish::Agent { agent } => Sitter::Agent { agent },
            Wish::Level { level } => Sitter::Agent { agent: format!("level:{level}") },
        }
    }
}

impl Sitter {
    /// Is it a person?
    pub fn is_person(&self) -> bool {
        matches!(self, Sitter::Person { .. })
    }

    /// What it is called in records.
    pub fn name(&self) -> &str {
        match self {
            Sitter::Person { name } if name.is_empty() => "person",
            Sitter::Person { name } => name,
            Sitter::Agent { agent } => agent,
        }
    }

    /// Whether a room may be made with it.
    ///
    /// # Errors
    /// When there is no such agent, it takes more than a stranger may have, or a name is not one.
    pub fn check(&self, agents: &Catalogue, spec: &GameSpec) -> Result<(), Refused> {
        match self {
            Sitter::Agent { agent: text } => agent(agents, spec, text, 0).map(drop),
            Sitter::Person { name } if name.chars().count() > LONGEST_NAME || name.contains([';', ',', '\n', '\r']) => {
                let why = format!("a name has up to {LONGEST_NAME} letters, and no commas or semicolons");
                Err(Refused::because(why))
            }
            Sitter::Person { .. } => Ok(()),
        }
    }
}
