//! The stateless requests of HTTP, and rooms: each hands its request to `quintet_api`, in the pool where it belongs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quintet_api::{Analyse, ApiError, Explain, Export, Import, NewRoom, Place};
use quintet_game::Limit;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::client::Client;
use crate::error::{Answer, Body, HttpError, Path, Query, refuse};
use crate::search::capped;

/// The most rooms of one request.
const MOST_ROOMS: usize = 100;

/// The machine-readable description of this API.
pub async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}

/// Which game.
#[derive(Deserialize)]
pub struct Of {
    game: Option<String>,
}

/// The games.
pub async fn games(State(app): State<Arc<App>>) -> Json<Value> {
    Json(app.api.games())
}

/// The agents of the catalogue.
pub async fn agents(State(app): State<Arc<App>>, client: Client, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.quick(client, move |app| app.api.agents(of.game.as_deref())).await?))
}

/// The levels of a game, or of all.
pub async fn levels(State(app): State<Arc<App>>, client: Client, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.quick(client, move |app| app.api.levels(of.game.as_deref())).await?))
}

/// The evaluations of a game.
pub async fn evaluations(State(app): State<Arc<App>>, client: Client, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.quick(client, move |app| app.api.evaluations(of.game.as_deref())).await?))
}

/// The puzzles of a game, or of all.
pub async fn puzzles(State(app): State<Arc<App>>, client: Client, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.quick(client, move |app| app.api.puzzles(of.game.as_deref())).await?))
}

/// The state that some moves lead to.
pub async fn position(State(app): State<Arc<App>>, client: Client, Body(place): Body<Place>) -> Answer {
    Ok(Json(app.quick(client, move |app| Ok(json!(app.api.position(&place)?))).await?))
}

/// An evaluation term by term.
pub async fn explain(State(app): State<Arc<App>>, client: Client, Body(asked): Body<Explain>) -> Answer {
    Ok(Json(app.quick(client, move |app| app.api.explain(&asked)).await?))
}

/// A position as SVG.
pub async fn picture(
    State(app): State<Arc<App>>,
    client: Client,
    Body(place): Body<Place>,
) -> Result<Response, HttpError> {
    let svg = app.quick(client, move |app| app.api.picture(&place)).await?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The games of a text, each as far as it is legal.
pub async fn import(State(app): State<Arc<App>>, client: Client, Body(asked): Body<Import>) -> Answer {
    Ok(Json(app.quick(client, move |app| app.api.import(&asked)).await?))
}

/// A game in one of the formats that are read.
pub async fn export(State(app): State<Arc<App>>, client: Client, Body(asked): Body<Export>) -> Answer {
    Ok(Json(app.quick(client, move |app| app.api.export(&asked)).await?))
}

/// Exact values: how a position must end, if a prover knows.
pub async fn exact(State(app): State<Arc<App>>, client: Client, Body(place): Body<Place>) -> Answer {
    let exact =
        app.short(client, move |app, signals| Ok(json!(app.api.exact(&place, &Limit::default(), &signals.stop)?)));
    Ok(Json(exact.await?))
}

/// The first steps of a search, and its result.
pub async fn trace(State(app): State<Arc<App>>, client: Client, Body(asked): Body<Analyse>) -> Answer {
    let trace = app.short(client, move |app, signals| {
        let mut analysis = app.api.trace(&asked)?;
        analysis.limit = capped(analysis.limit, app.limits.thought);
        Ok(json!(analysis.trace(&signals.stop)?))
    });
    Ok(Json(trace.await?))
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
pub async fn show_room(State(app): State<Arc<App>>, client: Client, Path(id): Path<String>) -> Answer {
    Ok(Json(app.rooms.show(client, &id).await?))
}

/// Deletes a room.
pub async fn delete_room(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
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
) -> Answer {
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
pub async fn my_rooms(State(app): State<Arc<App>>, client: Client, Body(mine): Body<Mine>) -> Answer {
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
