//! Games in other programs' formats: read and written.

use std::fmt::Display;
use std::str::FromStr;

use quintet_game::EndReason;
use quintet_game::record::Record;
use quintet_records::{Format, Options, export, import};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place::{game_spec, listed};
use crate::{Api, ApiError, Place};

/// The most games of one request.
pub const MOST_IMPORTED: usize = 500;

/// A text with games.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    text: String,
    format: Option<String>,
    game: Option<String>,
    swap: Option<String>,
    crossing: Option<String>,
}

/// A game to be exported.
#[derive(Clone, Debug, Deserialize)]
pub struct Export {
    #[serde(flatten)]
    place: Place,
    format: String,
    #[serde(default)]
    players: [String; 2],
    /// The result where the board does not give one: `first`, `second` or `draw`, and why.
    result: Option<String>,
    #[serde(default)]
    reason: String,
}

impl Api {
    /// The games of a text, each as far as it is legal.
    ///
    /// # Errors
    /// When the text as a whole cannot be read, or an option makes no sense.
    pub fn import(&self, asked: &Import) -> Result<Value, ApiError> {
        fn word<T: FromStr<Err: Display>>(text: Option<&String>) -> Result<Option<T>, ApiError> {
            text.map(|text| text.parse().map_err(ApiError::invalid)).transpose()
        }
        let game = asked.game.as_deref().map(game_spec).transpose()?;
        let (swap, crossing) = (word(asked.swap.as_ref())?, word(asked.crossing.as_ref())?);
        let options = Options { game, swap, crossing, games: Some(MOST_IMPORTED) };
        let games = import(&asked.text, word(asked.format.as_ref())?, &options).map_err(ApiError::invalid)?;
        let read = games.iter().map(|game| {
            let line = game.record.as_ref().and_then(|record| record.replay().ok());
            json!({
                "record": game.record.as_ref().map(ToString::to_string),
                "players": game.record.as_ref().map(|record| record.players.clone()),
                "state": line.map(|(line, _)| listed(&*line)),
                "fault": game.fault.as_ref().map(ToString::to_string),
                "notes": game.notes,
            })
        });
        Ok(json!({ "games": read.collect::<Vec<_>>() }))
    }

    /// A game in one of the formats that are read.
    ///
    /// # Errors
    /// When the game makes no sense, or the format cannot express it.
    pub fn export(&self, asked: &Export) -> Result<Value, ApiError> {
        let format: Format = asked.format.parse().map_err(ApiError::invalid)?;
        let line = asked.place.line()?;
        let names = asked.players.each_ref().map(|name| name.replace([',', ';', '\n', '\r'], " "));
        let mut record = Record::of(&*line, names.each_ref().map(String::as_str), None);
        if names.iter().all(String::is_empty) {
            record.players.clear();
        }
        if let Some(outcome) = asked.result.as_deref().and_then(|result| result.parse().ok())
            && line.end().is_none()
        {
            let reason = asked.reason.replace([';', '\n', '\r'], " ");
            (record.result, record.reason) = (Some(outcome), EndReason::given(&reason));
        }
        Ok(json!({ "text": export(&record, format).map_err(ApiError::invalid)? }))
    }
}
