//! What requests are answered with.

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use quintet_game::{Player, Table};
use serde_json::{Value, json};

use crate::pool::Busy;

/// A refusal: a sentence, and a status.
pub fn refuse(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}

/// Why a request cannot be served.
#[derive(Debug)]
pub struct Refused {
    /// The status.
    pub status: StatusCode,
    /// The body, which has an `error`.
    pub body: Value,
}

impl Refused {
    /// What was asked for means nothing, for the reason given.
    pub fn because(why: impl ToString) -> Refused {
        Refused { status: StatusCode::UNPROCESSABLE_ENTITY, body: json!({ "error": why.to_string() }) }
    }

    /// There is no such thing.
    pub fn missing(what: &str) -> Refused {
        Refused { status: StatusCode::NOT_FOUND, body: json!({ "error": what }) }
    }
}

impl From<Busy> for Refused {
    fn from(busy: Busy) -> Refused {
        let body = json!({ "error": busy.to_string(), "code": "busy", "retry_after": 1 });
        Refused { status: StatusCode::SERVICE_UNAVAILABLE, body }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// `first` or `second`.
pub fn seat(player: Player) -> &'static str {
    ["first", "second"][player.index()]
}

/// The state of a table, as every answer has it.
pub fn state(table: &dyn Table) -> Value {
    let end = table.end();
    json!({
        "game": table.spec().to_string(),
        "from": table.begun_from(),
        "moves": table.moves(),
        "position": table.position(),
        "to_move": seat(table.to_move()),
        "plies": table.plies(),
        "legal": table.legal_moves(),
        "outcome": end.map(|(outcome, _)| outcome.name()),
        "reason": end.map(|(_, reason)| reason),
        "wins": table.wins(),
        "occurrences": table.occurrences(),
    })
}
