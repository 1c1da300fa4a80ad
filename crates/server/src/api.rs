//! The stateless requests of HTTP: each hands its request to `quintet_api`, on a thread of its own where that takes time.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quintet_api::{Analyse, ApiError, Explain, Export, Import, NewRoom, Place};
use quintet_game::{Limit, Stop};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::App;
use crate::error::{Answer, HttpError};
use crate::search::limited;

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
pub async fn agents(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.api.agents(of.game.as_deref())?))
}

/// The levels of a game, or of all.
pub async fn levels(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.api.levels(of.game.as_deref())?))
}

/// The evaluations of a game.
pub async fn evaluations(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.api.evaluations(of.game.as_deref())?))
}

/// The puzzles of a game, or of all.
pub async fn puzzles(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Answer {
    Ok(Json(app.api.puzzles(of.game.as_deref())?))
}

/// The state that some moves lead to.
pub async fn position(State(app): State<Arc<App>>, Json(place): Json<Place>) -> Answer {
    Ok(Json(json!(app.api.position(&place)?)))
}

/// An evaluation term by term.
pub async fn explain(State(app): State<Arc<App>>, Json(asked): Json<Explain>) -> Answer {
    Ok(Json(app.api.explain(&asked)?))
}

/// A position as SVG.
pub async fn picture(State(app): State<Arc<App>>, Json(place): Json<Place>) -> Result<Response, HttpError> {
    Ok(([(CONTENT_TYPE, "image/svg+xml")], app.api.picture(&place)?).into_response())
}

/// The games of a text, each as far as it is legal.
pub async fn import(State(app): State<Arc<App>>, Json(asked): Json<Import>) -> Answer {
    Ok(Json(app.api.import(&asked)?))
}

/// A game in one of the formats that are read.
pub async fn export(State(app): State<Arc<App>>, Json(asked): Json<Export>) -> Answer {
    Ok(Json(app.api.export(&asked)?))
}

/// Does a short search in the queue of short questions. Disconnecting cancels it.
async fn short<T: Serialize + Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App, &dyn Fn(Limit) -> Limit, &Stop) -> Result<T, ApiError> + Send + 'static,
) -> Answer {
    let (runtime, own) = (Handle::current(), Arc::clone(app));
    let (answer, hear) = oneshot::channel();
    // Held until the answer is there, so that disconnecting cancels the search.
    let _ticket = app.short.submit(move |signals| {
        let within = |limit| limited(limit, &signals.stop, &runtime, own.limits.thought);
        let _ = answer.send(work(&own, &within, &signals.stop));
    })?;
    let done = hear.await.map_err(|_| ApiError::invalid("the search ended without an answer"))?;
    Ok(Json(json!(done?)))
}

/// Exact values: how a position must end, if a prover knows.
pub async fn exact(State(app): State<Arc<App>>, Json(place): Json<Place>) -> Answer {
    place.line()?;
    short(&app, move |app, within, stop| app.api.exact(&place, &within(Limit::default()), stop)).await
}

/// The first steps of a search, and its result.
pub async fn trace(State(app): State<Arc<App>>, Json(asked): Json<Analyse>) -> Answer {
    let mut analysis = app.api.trace(&asked)?;
    short(&app, move |_, within, stop| {
        analysis.limit = within(analysis.limit);
        analysis.trace(stop)
    })
    .await
}

/// Makes a room.
pub async fn make_room(State(app): State<Arc<App>>, Json(new): Json<NewRoom>) -> Result<Response, HttpError> {
    Ok((StatusCode::CREATED, Json(app.rooms.make(new).await?)).into_response())
}

/// What everyone may see of a room.
pub async fn show_room(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer {
    Ok(Json(app.rooms.show(&id).await?))
}

/// Deletes a room.
pub async fn delete_room(State(app): State<Arc<App>>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    app.rooms.delete(&id, token.unwrap_or_default()).await?;
    Ok(Json(json!({ "ok": true })))
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
pub async fn my_rooms(State(app): State<Arc<App>>, Json(mine): Json<Mine>) -> Answer {
    let mut found = Vec::new();
    for Key { room, token } in &mine.rooms {
        if let Ok((mut shown, _)) = app.rooms.watch(room, Some(token)).await
            && !shown["seat"].is_null()
        {
            if let Some(shown) = shown.as_object_mut() {
                shown.remove("legal");
            }
            found.push(shown);
        }
    }
    Ok(Json(json!({ "rooms": found })))
}

/// No such address.
pub async fn nothing() -> HttpError {
    HttpError(ApiError::missing("there is nothing at this address; docs/api.md lists the addresses"))
}
