//! The requests that need nothing but what they say: the one list of them, for every transport.

use quintet_game::{Limit, Stop};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{Analyse, Api, ApiError, Explain, Export, Import, Place};

/// A request of the page that needs no state: what is asked at `/api/NAME`.
///
/// ```
/// use quintet_api::{Answer, Api, Question};
/// use quintet_game::{Limit, Stop};
/// use serde_json::json;
/// let asked = Question::read("position", None, json!({ "game": "pylos" })).unwrap();
/// let answer = Api::embedded().answer(&asked, &Limit::default(), &Stop::never()).unwrap();
/// assert!(matches!(answer, Answer::Json(state) if state["legal"].as_array().unwrap().len() == 16));
/// ```
#[derive(Clone, Debug)]
pub enum Question {
    /// The games.
    Games,
    /// The agents of a game, or of all.
    Agents(Option<String>),
    /// The levels of a game, or of all.
    Levels(Option<String>),
    /// The evaluations of a game.
    Evaluations(Option<String>),
    /// The puzzles of a game, or of all.
    Puzzles(Option<String>),
    /// The state that some moves lead to.
    Position(Place),
    /// An evaluation term by term.
    Explain(Explain),
    /// A position as SVG.
    Picture(Place),
    /// The games of a text, each as far as it is legal.
    Import(Import),
    /// A game in one of the formats that are read.
    Export(Export),
    /// How a position must end, if a prover knows.
    Exact(Place),
    /// The first steps of a search, and its result.
    Trace(Analyse),
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// JSON.
    Json(Value),
    /// A picture.
    Svg(String),
}

impl Question {
    /// The names of those that HTTP asks by GET, with the game in the query.
    pub const LISTS: [&str; 5] = ["games", "agents", "levels", "evaluations", "puzzles"];
    /// The names of those that HTTP asks by POST, with a JSON object.
    pub const POSTED: [&str; 7] = ["position", "explain", "picture", "import", "export", "exact", "trace"];

    /// Reads a question by its name, the game that it is about where it is a list, and what was posted.
    ///
    /// # Errors
    /// When there is no such question, or the object lacks something.
    pub fn read(name: &str, game: Option<String>, posted: Value) -> Result<Question, ApiError> {
        fn object<T: DeserializeOwned>(posted: Value) -> Result<T, ApiError> {
            serde_json::from_value(posted).map_err(ApiError::invalid)
        }
        Ok(match name {
            "games" => Question::Games,
            "agents" => Question::Agents(game),
            "levels" => Question::Levels(game),
            "evaluations" => Question::Evaluations(game),
            "puzzles" => Question::Puzzles(game),
            "position" => Question::Position(object(posted)?),
            "explain" => Question::Explain(object(posted)?),
            "picture" => Question::Picture(object(posted)?),
            "import" => Question::Import(object(posted)?),
            "export" => Question::Export(object(posted)?),
            "exact" => Question::Exact(object(posted)?),
            "trace" => Question::Trace(object(posted)?),
            _ => return Err(ApiError::missing("there is nothing at this address; docs/api.md lists the addresses")),
        })
    }

    /// Does it take a search, rather than reading and replaying?
    #[must_use]
    pub fn searches(&self) -> bool {
        matches!(self, Question::Exact(_) | Question::Trace(_))
    }
}

impl Api {
    /// Answers a question. A search ends with the limit, or when it is stopped.
    ///
    /// # Errors
    /// When the question makes no sense.
    pub fn answer(&self, question: &Question, limit: &Limit, stop: &Stop) -> Result<Answer, ApiError> {
        Ok(Answer::Json(match question {
            Question::Games => self.games(),
            Question::Agents(of) => self.agents(of.as_deref())?,
            Question::Levels(of) => self.levels(of.as_deref())?,
            Question::Evaluations(of) => self.evaluations(of.as_deref())?,
            Question::Puzzles(of) => self.puzzles(of.as_deref())?,
            Question::Position(place) => json!(self.position(place)?),
            Question::Explain(asked) => self.explain(asked)?,
            Question::Picture(place) => return self.picture(place).map(Answer::Svg),
            Question::Import(asked) => self.import(asked)?,
            Question::Export(asked) => self.export(asked)?,
            Question::Exact(place) => json!(self.exact(place, limit, stop)?),
            Question::Trace(asked) => {
                let mut analysis = self.trace(asked)?;
                analysis.limit = analysis.limit.smaller(limit);
                json!(analysis.trace(stop)?)
            }
        }))
    }
}
