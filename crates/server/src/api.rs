//! The requests of HTTP.

use std::str::FromStr;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quintet_agent::Spec;
use quintet_arena::export::export;
use quintet_arena::import::{Format, Options, UnknownWord, import};
use quintet_draw::Picture;
use quintet_eval::{Call, Value as Argument, evaluations};
use quintet_game::record::Record;
use quintet_game::registry::{Info, Values};
use quintet_game::{GAMES, GameSpec, Player};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::answer::{Refused, state};
use crate::ask::{Place, modest};
use crate::rooms::Wanted;

type Answer = Result<Json<Value>, Refused>;

/// The description of this interface for programs.
pub async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], include_str!("../openapi.json")).into_response()
}

/// The games.
pub async fn games() -> Json<Value> {
    Json(json!(GAMES.iter().map(game).collect::<Vec<_>>()))
}

fn game(info: &Info) -> Value {
    let spec = GameSpec::parse(info.name).ok();
    let options: Vec<Value> = info
        .options
        .iter()
        .map(|option| {
            let default = option.write(spec.map_or(0, |spec| spec.value(option.key)));
            let values = match option.values {
                Values::Words(words) => {
                    words.iter().map(|(word, about)| json!({ "value": word, "about": about })).collect()
                }
                Values::Range(low, high) => json!({ "from": low, "to": high }),
            };
            json!({ "key": option.key, "about": option.about, "default": default, "values": values })
        })
        .collect();
    json!({
        "game": info.name, "title": info.title, "about": info.about, "sides": info.sides, "example": info.example, "options": options,
    })
}

/// What a question names.
#[derive(Deserialize)]
pub struct Of {
    game: Option<String>,
}

impl Of {
    fn spec(&self) -> Result<GameSpec, Refused> {
        GameSpec::parse(self.game.as_deref().unwrap_or_default()).map_err(Refused::because)
    }
}

/// The agents of the catalogue.
pub async fn agents(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Answer {
    let name = of.game.as_ref().map(|_| of.spec()).transpose()?.map(|spec| spec.info().name);
    let entries = app.agents.entries().filter(|entry| name.is_none_or(|name| name == entry.game));
    let described = entries.map(|entry| {
        let modes: Vec<&str> = entry.specs.iter().map(|spec| spec.mode.name()).collect();
        let eval = |spec: &Spec| Some(json!({ "mode": spec.mode.name(), "eval": eval_of(&spec.call)? }));
        let evals: Vec<Value> = entry.specs.iter().filter_map(eval).collect();
        json!({
            "agent": entry.token(), "game": entry.game, "about": entry.about, "paper": entry.paper, "section": entry.section,
            "modes": modes, "needs": entry.needs, "evals": evals,
        })
    });
    Ok(Json(json!(described.collect::<Vec<_>>())))
}

/// The evaluation that a spec names, however deep.
fn eval_of(call: &Call) -> Option<String> {
    call.arguments.iter().find_map(|(key, value)| match value {
        Argument::Call(inner) if key == "eval" => Some(inner.to_string()),
        Argument::Call(inner) => eval_of(inner),
        Argument::Text(_) => None,
    })
}

/// The levels of a game, or of all.
pub async fn levels(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Answer {
    let name = of.game.as_ref().map(|_| of.spec()).transpose()?.map(|spec| spec.info().name);
    let levels = app.agents.levels().filter(|level| name.is_none_or(|name| name == level.game));
    let described = levels.map(|level| {
        json!({
            "game": level.game, "level": level.level, "agent": level.token(), "spec": level.call.to_string(),
            "strength": (!level.strength.is_empty()).then_some(&level.strength),
        })
    });
    Ok(Json(json!(described.collect::<Vec<_>>())))
}

/// The evaluations of a game.
pub async fn evals(Query(of): Query<Of>) -> Answer {
    let listed = evaluations(&of.spec()?).iter().map(|info| json!({ "name": info.name, "about": info.about }));
    Ok(Json(json!(listed.collect::<Vec<_>>())))
}

/// The state that some moves lead to.
pub async fn position(Json(place): Json<Place>) -> Answer {
    Ok(Json(state(&*place.table()?)))
}

/// A position to be explained.
#[derive(Deserialize)]
pub struct Explain {
    #[serde(flatten)]
    place: Place,
    eval: String,
    #[serde(rename = "for")]
    view: Option<String>,
}

/// An evaluation term by term.
pub async fn explain(State(app): State<Arc<App>>, Json(asked): Json<Explain>) -> Answer {
    let table = asked.place.table()?;
    let view = match asked.view.as_deref() {
        None => None,
        Some("first") => Some(Player::First),
        Some("second") => Some(Player::Second),
        Some(_) => return Err(Refused::because("\"for\" is first or second")),
    };
    let call = Call::parse(&asked.eval).map_err(Refused::because)?;
    modest(&call)?;
    let explained = quintet_eval::explain(&table.spec(), &table.position(), &call, view, app.agents.shelf());
    let explained = explained.map_err(|fault| Refused::because(fault.to_string()))?;
    let terms: Vec<Value> = explained
        .terms
        .iter()
        .map(|term| json!({ "name": term.name, "value": term.value, "weight": term.weight }))
        .collect();
    Ok(Json(json!({ "for": crate::answer::seat(explained.view), "value": explained.value, "terms": terms })))
}

/// A position as SVG.
pub async fn picture(Json(place): Json<Place>) -> Result<Response, Refused> {
    let table = place.table()?;
    let (position, last, wins) = (table.position(), table.last_move(), table.wins());
    let picture = Picture {
        game: table.spec().info().name,
        position: &position,
        last: last.as_deref(),
        wins: &wins,
        result: None,
    };
    let svg = quintet_draw::svg(&picture).map_err(|error| Refused::because(error.to_string()))?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// A text with games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    text: String,
    format: Option<String>,
    game: Option<String>,
    swap: Option<String>,
    crossing: Option<String>,
}

/// The games of a text, each as far as it goes.
pub async fn read(Json(asked): Json<Import>) -> Answer {
    fn word<T: FromStr<Err: std::fmt::Display>>(text: Option<&String>) -> Result<Option<T>, Refused> {
        text.map(|text| text.parse().map_err(|error: T::Err| Refused::because(error.to_string()))).transpose()
    }
    let game = asked.game.as_deref().map(GameSpec::parse).transpose().map_err(Refused::because)?;
    let options = Options { game, swap: word(asked.swap.as_ref())?, crossing: word(asked.crossing.as_ref())? };
    let games = import(&asked.text, word(asked.format.as_ref())?, &options).map_err(Refused::because)?;
    let described: Vec<Value> = games
        .iter()
        .map(|game| {
            let table = game.record.as_ref().and_then(|record| record.replay().ok());
            json!({
                "record": game.record.as_ref().map(ToString::to_string),
                "players": game.record.as_ref().map(|record| record.players.clone()),
                "state": table.map(|(table, _)| state(&*table)),
                "fault": game.fault.as_ref().map(ToString::to_string),
                "notes": game.notes,
            })
        })
        .collect();
    Ok(Json(json!({ "games": described })))
}

/// A game to be written down.
#[derive(Deserialize)]
pub struct Export {
    #[serde(flatten)]
    place: Place,
    format: String,
    #[serde(default)]
    players: [String; 2],
    /// How it ended where the board does not say: `first`, `second` or `draw`, and why.
    result: Option<String>,
    #[serde(default)]
    reason: String,
}

/// A game in one of the formats that are read.
pub async fn write(Json(asked): Json<Export>) -> Answer {
    let format: Format = asked.format.parse().map_err(|error: UnknownWord| Refused::because(error))?;
    let table = asked.place.table()?;
    let names = asked.players.each_ref().map(|name| name.replace([',', ';', '\n', '\r'], " "));
    let mut record = Record::of(&*table, names.each_ref().map(String::as_str), None);
    if names.iter().all(String::is_empty) {
        record.players.clear();
    }
    match asked.result {
        Some(result) if table.end().is_none() && ["first", "second", "draw"].contains(&result.as_str()) => {
            (record.result, record.reason) = (result, asked.reason.replace([';', '\n', '\r'], " "));
        }
        _ => {}
    }
    Ok(Json(json!({ "text": export(&record, format).map_err(Refused::because)? })))
}

/// Makes a room.
pub async fn make_room(State(app): State<Arc<App>>, Json(wanted): Json<Wanted>) -> Result<Response, Refused> {
    Ok((StatusCode::CREATED, Json(app.rooms.make(wanted).await?)).into_response())
}

/// What everybody may see of a room.
pub async fn show_room(State(app): State<Arc<App>>, Path(id): Path<String>) -> Answer {
    Ok(Json(app.rooms.show(&id).await?))
}

/// Takes a room away.
pub async fn delete_room(State(app): State<Arc<App>>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let token = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    app.rooms.delete(&id, token.unwrap_or_default()).await?;
    Ok(Json(json!({ "ok": true })))
}

/// Rooms that somebody has tokens of.
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

/// Those of the rooms that are still there, without their lists of moves.
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
pub async fn nothing() -> Refused {
    Refused::missing("there is nothing at this address; docs/api.md lists what there is")
}
