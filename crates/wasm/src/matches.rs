//! Short tournaments that the page keeps: a plan decides the games, each is played on request, and tables follow from the games.

use quintet_api::{Api, ApiError, visitor_agent};
use quintet_arena::{Arbiter, Openings, Plan, Played, Results, TournamentFile};
use quintet_game::{GameSpec, Stop};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most games of a tournament in a browser; more belong on a server.
const MOST_GAMES: u64 = 20;

/// Something about a tournament.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Contest {
    /// The plan of a tournament that somebody has described.
    Plan { file: TournamentFile },
    /// One of its games.
    Game { plan: Plan, number: u64 },
    /// Everything that follows from its games.
    Table { plan: Plan, games: Vec<Played> },
}

impl Contest {
    /// The answer.
    pub fn answer(self, api: &Api, stop: &Stop) -> Result<Value, ApiError> {
        match self {
            Contest::Plan { file } => {
                let plan = file.plan().map_err(ApiError::invalid)?;
                let spec = GameSpec::parse(&plan.game).map_err(ApiError::invalid)?;
                if plan.games() > MOST_GAMES {
                    let why = format!(
                        "a tournament in a browser has at most {MOST_GAMES} games, not {}; longer ones need a quintet server",
                        plan.games()
                    );
                    return Err(ApiError::invalid(why));
                }
                for player in &plan.players {
                    visitor_agent(&api.agents, &spec, &player.agent, 0)?;
                }
                Ok(json!({ "plan": plan, "games": plan.games() }))
            }
            Contest::Game { plan, number } => {
                let spec = GameSpec::parse(&plan.game).map_err(ApiError::invalid)?;
                let fixture =
                    plan.fixture(number).ok_or_else(|| ApiError::missing("there is no such game in the plan"))?;
                let openings = Openings::of(&plan, &api.agents).map_err(ApiError::invalid)?;
                let opening = openings.get(fixture.opening);
                let mut arbiter = Arbiter::new(&plan, &spec, &api.agents).until(stop.clone());
                Ok(json!(arbiter.play(&fixture, &opening).map_err(ApiError::invalid)?))
            }
            Contest::Table { plan, games } => {
                let results = Results::new(plan, games);
                let mut summary = results.summary();
                summary["llr_curve"] = results.curve().into_iter().map(|(games, llr)| json!([games, llr])).collect();
                Ok(summary)
            }
        }
    }
}
