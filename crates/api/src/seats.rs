//! Who plays a side of a room.

use quintet_game::GameSpec;
use serde::{Deserialize, Serialize};

use crate::{Api, ApiError};

/// The longest name of a person.
const LONGEST_NAME: usize = 40;

/// Who plays one side of a room.
///
/// ```
/// use quintet_api::SeatConfig;
/// let seat: SeatConfig = serde_json::from_str(r#"{"who":"level","level":3}"#).unwrap();
/// assert_eq!(seat, SeatConfig::Agent { agent: "level:3".into() });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase", from = "SeatRequest")]
pub enum SeatConfig {
    /// A person with the token.
    Person {
        /// Their name.
        #[serde(default)]
        name: String,
    },
    /// An agent.
    Agent {
        /// Its spec or its name.
        agent: String,
    },
}

/// The same in a request: a level is an agent of that name.
#[derive(Deserialize)]
#[serde(tag = "who", rename_all = "lowercase", deny_unknown_fields)]
enum SeatRequest {
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

impl From<SeatRequest> for SeatConfig {
    fn from(request: SeatRequest) -> SeatConfig {
        match request {
            SeatRequest::Person { name } => SeatConfig::Person { name },
            SeatRequest::Agent { agent } => SeatConfig::Agent { agent },
            SeatRequest::Level { level } => SeatConfig::Agent { agent: format!("level:{level}") },
        }
    }
}

impl SeatConfig {
    /// Is it a person?
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, SeatConfig::Person { .. })
    }

    /// Its name in records.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            SeatConfig::Person { name } if name.is_empty() => "person",
            SeatConfig::Person { name } => name,
            SeatConfig::Agent { agent } => agent,
        }
    }

    /// Checks that visitors may have it in a room.
    ///
    /// # Errors
    /// When there is no such agent, it takes more than visitors may have, or a name is not allowed.
    pub fn check(&self, api: &Api, spec: &GameSpec) -> Result<(), ApiError> {
        match self {
            SeatConfig::Agent { agent } => api.seats.make(&api.agents, spec, agent, 0).map(drop),
            SeatConfig::Person { name }
                if name.chars().count() > LONGEST_NAME
                    || name.contains([';', ','])
                    || name.contains(char::is_control) =>
            {
                let why = format!(
                    "a name has at most {LONGEST_NAME} letters, and no commas, semicolons or control characters"
                );
                Err(ApiError::invalid(why))
            }
            SeatConfig::Person { .. } => Ok(()),
        }
    }
}
