//! The position of a request, and the state of a game.

use quintet_game::{AnyLine, EndReason, GameSpec, Outcome, Player};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ApiError;

/// The most plies of a game.
pub const LONGEST_GAME: usize = 1000;

/// The longest spec of a game.
const LONGEST_GAME_SPEC: usize = 200;

/// The longest spec of an agent or an evaluation.
const LONGEST_SPEC: usize = 1000;

/// The game that a request names.
///
/// # Errors
/// When there is no such game, or the text is too long to be read.
pub(crate) fn game_spec(text: &str) -> Result<GameSpec, ApiError> {
    GameSpec::parse(short(text, LONGEST_GAME_SPEC, "the spec of a game")?).map_err(ApiError::invalid)
}

/// The spec of an agent or an evaluation, if it is short enough to be read.
///
/// # Errors
/// When it is too long.
pub(crate) fn short_spec(text: &str) -> Result<&str, ApiError> {
    short(text, LONGEST_SPEC, "the spec of an agent or an evaluation")
}

fn short<'a>(text: &'a str, most: usize, what: &str) -> Result<&'a str, ApiError> {
    if text.len() > most {
        return Err(ApiError::invalid(format!("{what} has at most {most} characters here, not {}", text.len())));
    }
    Ok(text)
}

/// A position: a game, its start, and its moves.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    /// The game.
    pub game: String,
    /// The position it started from, if not the game's own start; `from`, as a state calls it, is the same.
    #[serde(alias = "from")]
    pub position: Option<String>,
    /// The moves since.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Place {
    /// The game in progress that the moves lead to.
    ///
    /// # Errors
    /// When it cannot be played; the error holds the part before a bad move.
    pub fn line(&self) -> Result<Box<dyn AnyLine>, ApiError> {
        if self.moves.len() > LONGEST_GAME {
            return Err(ApiError::invalid(format!("a game has at most {LONGEST_GAME} plies here")));
        }
        let spec = game_spec(&self.game)?;
        let mut line = match &self.position {
            Some(position) => spec.line_at(position).map_err(ApiError::invalid)?,
            None => spec.line(),
        };
        for mv in &self.moves {
            if let Err(error) = line.try_play(mv) {
                return Err(ApiError::invalid(&error).with("ply", error.ply).with("state", json!(state(&*line))));
            }
        }
        Ok(line)
    }
}

/// The state of a game in progress, as in every answer.
///
/// ```
/// use quintet_api::state;
/// let mut line = quintet_game::GameSpec::parse("pathwayz").unwrap().line();
/// line.try_play("e5").unwrap();
/// assert_eq!(serde_json::to_value(state(&*line)).unwrap()["to_move"], "second");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// The game.
    pub game: String,
    /// The position it started from, if not the game's own start.
    pub from: Option<String>,
    /// The moves so far.
    pub moves: Vec<String>,
    /// The position.
    pub position: String,
    /// The side to move.
    pub to_move: Player,
    /// The number of moves.
    pub plies: usize,
    /// All legal moves.
    pub legal: Vec<String>,
    /// `first`, `second` or `draw`, when it is over.
    pub outcome: Option<Outcome>,
    /// Why it is over.
    pub reason: Option<EndReason>,
    /// The cells of each winning line, path or chain.
    pub wins: Vec<Vec<String>>,
    /// How often the position has stood on the board, in games where that counts.
    pub occurrences: u32,
}

/// The state of a game in progress.
#[must_use]
pub fn state(line: &dyn AnyLine) -> State {
    State { legal: line.legal_moves(), ..summary(line) }
}

/// A state without its legal moves as JSON: they would be most of a list of many games.
pub(crate) fn listed(line: &dyn AnyLine) -> serde_json::Value {
    let mut listed = json!(summary(line));
    if let Some(fields) = listed.as_object_mut() {
        fields.remove("legal");
    }
    listed
}

/// A state whose legal moves are not listed.
fn summary(line: &dyn AnyLine) -> State {
    let (outcome, reason) = line.end().unzip();
    State {
        game: line.spec().to_string(),
        from: line.begun_from(),
        moves: line.moves(),
        position: line.position(),
        to_move: line.to_move(),
        plies: line.plies(),
        legal: Vec::new(),
        outcome,
        reason,
        wins: line.wins(),
        occurrences: line.occurrences(),
    }
}
