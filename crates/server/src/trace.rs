//! Small searches step by step, to be shown as slowly as somebody likes.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use quintet_agent::{Step, Trace};
use quintet_search::Limit;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::App;
use crate::answer::Refused;
use crate::ask::{Place, agent};
use crate::think::{Asked, done, limited};

/// Steps in an answer: more than anybody looks at one by one.
const MOST_STEPS: usize = 5000;

/// A search that is shown is a small one.
const MOST_NODES: u64 = 200_000;

/// Plies when nobody says how many.
const DEPTH: u32 = 2;

/// A search to be shown.
#[derive(Deserialize)]
pub struct Shown {
    #[serde(flatten)]
    place: Place,
    agent: String,
    #[serde(default)]
    limit: Asked,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

/// The first steps of a search, and what came of all of them.
pub async fn trace(State(app): State<Arc<App>>, Json(asked): Json<Shown>) -> Result<Json<Value>, Refused> {
    let table = asked.place.table()?;
    let mut thinker = agent(&app.agents, &table.spec(), &asked.agent, asked.seed)?;
    let mut limit = asked.limit.limit().smaller(&Limit::nodes(MOST_NODES));
    if asked.limit.is_empty() {
        limit.depth = Some(DEPTH);
    }
    let (longest, runtime) = (app.limits.thought, tokio::runtime::Handle::current());
    let (answer, hear) = oneshot::channel();
    // Held until the answer is there: who leaves takes the search along.
    let _ticket = app.short.submit(move |signals| {
        let limit = limited(limit, signals, &runtime, longest);
        let _ = answer.send(thinker.trace(table.begun_from().as_deref(), &table.moves(), &limit, MOST_STEPS));
    })?;
    let traced = hear.await.map_err(|_| Refused::because("the search ended without an answer"))?;
    Ok(Json(told(&traced.map_err(Refused::because)?)))
}

fn told(trace: &Trace) -> Value {
    json!({
        "steps": trace.steps.iter().map(step).collect::<Vec<_>>(),
        "total": trace.total, "entered": trace.entered, "cuts": trace.cuts, "done": done(&trace.thought),
    })
}

/// A step, as short as it can be said: there are thousands. A side of a window that is open is null.
fn step(step: &Step) -> Value {
    match step {
        Step::Enter { mv, window } => json!({ "enter": mv, "window": window }),
        Step::Leave { value } => json!({ "leave": value }),
        Step::Cut => json!({ "cut": true }),
        Step::Depth { depth, value } => json!({ "depth": depth, "value": value }),
    }
}
