//! Tournaments: those of the store, played in the background, one at a time.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quintet_agent::Catalogue;
use quintet_arena::{Plan, Results, RunInfo, Store, StoreError, TournamentFile};
use quintet_game::record::{reason_text, result_text};
use quintet_game::{GameSpec, Stop};
use quintet_lab::{Tournament, TournamentError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::background::{BackgroundWork, conflict};
use crate::client::{Client, Local};
use crate::error::{Body, HttpError, JsonAnswer, Path, Query};
use crate::page::{From, page};
use quintet_api::ApiError;
use quintet_api::visitor_agent;

/// Players of a tournament, and games of a pairing.
const MOST_PLAYERS: usize = 64;
const MOST_GAMES: u64 = 1_000_000;

/// Games in one answer.
const GAMES_PER_PAGE: usize = 500;

/// The tournaments of a data directory.
pub struct Tournaments {
    store: PathBuf,
    agents: Arc<Catalogue>,
    threads: usize,
    work: BackgroundWork<i64>,
}

impl Tournaments {
    /// The tournaments of a store.
    pub fn new(store: PathBuf, agents: Arc<Catalogue>, threads: usize) -> Tournaments {
        Tournaments { store, agents, threads, work: BackgroundWork::default() }
    }

    fn open(&self) -> Result<Store, ApiError> {
        Store::open(&self.store).map_err(refused)
    }

    /// Begins a tournament; its number.
    fn begin(&self, plan: Plan) -> Result<i64, ApiError> {
        let spec = GameSpec::parse(&plan.game).map_err(ApiError::invalid)?;
        if plan.players.len() > MOST_PLAYERS || plan.games_per_pairing() > MOST_GAMES {
            let why = format!("a tournament has at most {MOST_PLAYERS} players and {MOST_GAMES} games per pairing");
            return Err(ApiError::invalid(why));
        }
        for player in &plan.players {
            visitor_agent(&self.agents, &spec, &player.agent, 0)?;
        }
        self.work.begin(|| {
            let begun = Tournament::begin(self.open()?, &self.agents, plan, "tournament");
            Ok(self.job(begun.map_err(ApiError::invalid)?))
        })
    }

    /// Goes on with one that was stopped.
    fn resume(&self, run: i64) -> Result<(), ApiError> {
        self.work.begin(|| {
            let tournament = Tournament::resume(self.open()?, run).map_err(|error| match error {
                TournamentError::Store(error) => refused(error),
                other => conflict(other.to_string()),
            })?;
            if tournament.is_over() {
                return Err(conflict(format!("run {run} is over; there is nothing to go on with")));
            }
            Ok(self.job(tournament))
        })?;
        Ok(())
    }

    /// Its number, and what plays it. That does not hold the server's state, which can be dropped while it plays.
    fn job(&self, mut tournament: Tournament) -> (i64, impl FnOnce(&Stop) -> Result<(), String> + use<>) {
        let (number, threads) = (tournament.number(), tournament.threads(self.threads));
        let agents = Arc::clone(&self.agents);
        let play = move |stop: &Stop| {
            let played = tournament.play(&agents, threads, stop, &mut |_| {});
            played.map(drop).map_err(|error| error.to_string())
        };
        (number, play)
    }

    /// A run as it is listed.
    fn listed(&self, info: &RunInfo) -> Value {
        json!({
            "run": info.id, "kind": info.kind, "game": info.game, "players": info.players, "played": info.games[0], "planned": info.games[1],
            "begun": info.begun, "ended": info.ended, "state": self.work.state(&info.id, || info.ended.is_some()), "fault": self.work.fault(&info.id),
        })
    }

    fn list(&self, from: usize) -> Result<Value, ApiError> {
        let runs = self.open()?.runs().map_err(refused)?;
        Ok(page("tournaments", runs.iter().map(|info| self.listed(info)).collect(), from))
    }

    fn show(&self, run: i64) -> Result<Value, ApiError> {
        let store = self.open()?;
        let results = Results::new(store.plan(run).map_err(refused)?, store.played(run).map_err(refused)?);
        let mut shown = self.listed(&store.run(run).map_err(refused)?);
        shown["results"] = results.summary();
        let curve: Vec<Value> = results.curve().into_iter().map(|(games, llr)| json!([games, llr])).collect();
        shown["results"]["llr_curve"] = json!(curve);
        Ok(shown)
    }

    fn games(&self, run: i64, asked: &Page) -> Result<Value, ApiError> {
        let store = self.open()?;
        let plan = store.plan(run).map_err(refused)?;
        let name = |number: usize| plan.players.get(number).map(|player| player.name.as_str());
        let pair =
            match asked.between.as_deref().map(two_numbers) {
                None => None,
                Some(pair) => {
                    let found = pair.and_then(|[a, b]| Some([name(a)?, name(b)?]));
                    Some(found.ok_or_else(|| {
                        ApiError::invalid("between: two numbers of players, counted from 0, as in 0,1")
                    })?)
                }
            };
        let mut games = store.page(run, pair, asked.from, GAMES_PER_PAGE + 1).map_err(refused)?;
        let more = games.len() > GAMES_PER_PAGE;
        games.truncate(GAMES_PER_PAGE);
        let described = games.iter().map(|kept| {
            json!({
                "number": kept.run.map(|(_, number)| number), "players": kept.players, "result": result_text(kept.result), "reason": reason_text(kept.reason.as_ref()),
                "plies": kept.plies, "record": kept.record,
            })
        });
        Ok(json!({ "games": described.collect::<Vec<_>>(), "more": more }))
    }
}

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::Missing { .. } => ApiError::missing("there is no such run"),
        other => ApiError::invalid(other),
    }
}

fn two_numbers(text: &str) -> Option<[usize; 2]> {
    let (a, b) = text.split_once(',')?;
    Some([a.parse().ok()?, b.parse().ok()?])
}

fn number(text: &str) -> Result<i64, ApiError> {
    text.parse().map_err(|_| ApiError::missing("there is no such run"))
}

/// All runs of the store.
pub async fn list(State(app): State<Arc<App>>, client: Client, Query(From { from }): Query<From>) -> JsonAnswer {
    Ok(Json(app.disk(client, move |app| app.tournaments.list(from)).await?))
}

/// Begins a tournament.
pub async fn begin(
    _: Local,
    State(app): State<Arc<App>>,
    client: Client,
    Body(written): Body<TournamentFile>,
) -> Result<Response, HttpError> {
    let plan = written.plan().map_err(ApiError::invalid)?;
    let run = app.disk(client, move |app| app.tournaments.begin(plan)).await?;
    Ok((StatusCode::CREATED, Json(json!({ "run": run }))).into_response())
}

/// One run with all that follows from its games.
pub async fn show(State(app): State<Arc<App>>, client: Client, Path(run): Path<String>) -> JsonAnswer {
    let run = number(&run)?;
    Ok(Json(app.disk(client, move |app| app.tournaments.show(run)).await?))
}

/// Which games of a run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// Two players by their numbers: the games of a cell of the table.
    between: Option<String>,
    /// Games of this number and later.
    #[serde(default)]
    from: u64,
}

/// The games of a run.
pub async fn games(
    State(app): State<Arc<App>>,
    client: Client,
    Path(run): Path<String>,
    Query(page): Query<Page>,
) -> JsonAnswer {
    let run = number(&run)?;
    Ok(Json(app.disk(client, move |app| app.tournaments.games(run, &page)).await?))
}

/// Stops the run that is at work.
pub async fn stop(_: Local, State(app): State<Arc<App>>, Path(run): Path<String>) -> JsonAnswer {
    let run = number(&run)?;
    app.tournaments.work.stop(&run)?;
    Ok(Json(json!({ "ok": true })))
}

/// Goes on with a run.
pub async fn resume(_: Local, State(app): State<Arc<App>>, client: Client, Path(run): Path<String>) -> JsonAnswer {
    let run = number(&run)?;
    app.disk(client, move |app| app.tournaments.resume(run)).await?;
    Ok(Json(json!({ "ok": true })))
}
