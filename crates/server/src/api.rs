//! The stateless requests of HTTP, and rooms: each hands its request to `quintet_api`, in the pool where it belongs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quintet_api::{Answer, ApiError, NewRoom, Question};
use quintet_game::{Limit, Stop};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::client::Client;
use crate::error::{Body, HttpError, JsonAnswer, Path, refuse};
use crate::files;

/// The most rooms of one request.
const MOST_ROOMS: usize = 100;

/// The machine-readable description of this API.
pub async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}

/// Which game.
#[derive(Deserialize)]
pub struct Of {
    /// Its spec; of all games if there is none.
    pub game: Option<String>,
}

/// Answers a question in the pool where it belongs.
pub async fn ask(
    app: Arc<App>,
    client: Client,
    name: &str,
    of: Option<String>,
    posted: Value,
    headers: &HeaderMap,
) -> Result<Response, HttpError> {
    let asked = Question::read(name, of, posted)?;
    let answer = if asked.searches() {
        app.short(client, move |app, signals| app.api.answer(&asked, &Limit::default(), &signals.stop)).await?
    } else {
        app.quick(client, move |app| app.api.answer(&asked, &Limit::default(), &Stop::never())).await?
    };
    Ok(match answer {
        Answer::Json(answer) => Json(answer).into_response(),
        Answer::Svg(picture) => files::svg(picture, headers),
    })
}

/// Makes a room.
pub async fn make_room(
    State(app): State<Arc<App>>,
    client: Client,
    Body(new): Body<NewRoom>,
) -> Result<Response, HttpError> {
    Ok((StatusCode::CREATED, Json(app.rooms.make(client, new).await?)).into_response())
}

/// What everyone may see of a room.
pub async fn show_room(State(app): State<Arc<App>>, client: Client, Path(id): Path<String>) -> JsonAnswer {
    Ok(Json(app.rooms.show(client, &id).await?))
}

/// Deletes a room.
pub async fn delete_room(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> JsonAnswer {
    let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    app.rooms.delete(client, &id, token.unwrap_or_default()).await?;
    Ok(Json(json!({ "ok": true })))
}

/// An invitation to a seat.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invitation {
    token: String,
    #[serde(default)]
    name: String,
}

/// Takes the seat of an invitation.
pub async fn claim_seat(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Body(Invitation { token, name }): Body<Invitation>,
) -> JsonAnswer {
    Ok(Json(app.rooms.claim(client, &id, &token, &name).await?))
}

/// The rooms of some tokens.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mine {
    rooms: Vec<Key>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    room: String,
    token: String,
}

/// The rooms that still exist, without their legal moves.
pub async fn my_rooms(State(app): State<Arc<App>>, client: Client, Body(mine): Body<Mine>) -> JsonAnswer {
    if mine.rooms.len() > MOST_ROOMS {
        return Err(ApiError::invalid(format!("at most {MOST_ROOMS} rooms per request")).into());
    }
    let mut found = Vec::new();
    for Key { room, token } in &mine.rooms {
        found.extend(app.rooms.listed(client, room, token).await);
    }
    Ok(Json(json!({ "rooms": found })))
}

/// No such address.
pub async fn nothing() -> HttpError {
    ApiError::missing("there is nothing at this address; docs/api.md lists the addresses").into()
}

/// Not in this way.
pub async fn wrong_method() -> Response {
    refuse(StatusCode::METHOD_NOT_ALLOWED, "this address does not take this method; docs/api.md lists them")
}
