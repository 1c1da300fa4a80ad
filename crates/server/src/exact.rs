//! Exact values, and the puzzles that are made of them.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use quintet_game::GameSpec;
use quintet_search::{Limit, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::App;
use crate::answer::Refused;
use crate::ask::Place;
use crate::think::limited;

/// How a position must end, if somebody knows.
pub async fn exact(State(app): State<Arc<App>>, Json(place): Json<Place>) -> Result<Json<Value>, Refused> {
    let table = place.table()?;
    let (provers, longest, runtime) = (app.provers.clone(), app.limits.thought, tokio::runtime::Handle::current());
    let (answer, hear) = oneshot::channel();
    // Held until the answer is there: who leaves takes the search along.
    let _ticket = app.short.submit(move |signals| {
        let limit = limited(Limit::default(), signals, &runtime, longest);
        let _ = answer.send(quintet_agent::exact(&provers, &*table, &limit));
    })?;
    let known = hear.await.map_err(|_| Refused::because("the search ended without an answer"))?;
    Ok(Json(match known {
        Err(why) => json!({ "known": false, "why": why.to_string() }),
        Ok(known) => {
            let moves: Vec<Value> = known.moves.iter().map(|(mv, verdict)| told(mv, *verdict)).collect();
            let Verdict { proof, plies } = known.verdict;
            json!({ "known": true, "outcome": proof.name(), "distance": plies, "by": known.by, "moves": moves })
        }
    }))
}

fn told(mv: &str, Verdict { proof, plies }: Verdict) -> Value {
    json!({ "move": mv, "outcome": proof.name(), "distance": plies })
}

/// Which game.
#[derive(Deserialize)]
pub struct Of {
    game: Option<String>,
}

/// The puzzles of a game, or of all.
pub async fn puzzles(State(app): State<Arc<App>>, Query(of): Query<Of>) -> Result<Json<Value>, Refused> {
    let game = of.game.as_deref().map(GameSpec::parse).transpose().map_err(Refused::because)?;
    let name = |text: &str| GameSpec::parse(text).map(|spec| spec.info().name).unwrap_or_default();
    let puzzles = quintet_agent::puzzles_with(app.agents.shelf().data());
    let mut puzzles = puzzles.map_err(Refused::because)?;
    puzzles.retain(|puzzle| game.is_none_or(|spec| spec.info().name == name(&puzzle.game)));
    Ok(Json(json!({ "puzzles": puzzles })))
}
