//! Questions that take a search: analysis, review, and a search step by step.

use quintet_agent::{Ply, Seat, Step, review};
use quintet_game::record::Record;
use quintet_game::{AnyLine, Limit, Player, Proof, Stop};
use quintet_search::{Choice, Report};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Api, ApiError, Place, visitor_agent};

/// Who analyses when nobody is named.
const ANALYST: &str = "mcts(time=1s)";

/// Who reviews a game when nobody is named.
const REVIEWER: &str = "mcts(visits=20000)";

/// Root moves in a report.
const MAX_ROOTS: usize = 400;

/// Steps in a trace: more than anybody looks at one by one.
const MAX_STEPS: usize = 5000;

/// A search that is shown step by step is a small one.
pub const MAX_TRACED_NODES: u64 = 200_000;

/// Plies of a trace when nobody says how many.
const TRACED_DEPTH: u32 = 2;

/// A position or a game to be thought about.
#[derive(Clone, Debug, Deserialize)]
pub struct Analyse {
    /// The position, or the game with all its moves.
    #[serde(flatten)]
    pub place: Place,
    /// Who is asked.
    pub agent: Option<String>,
    /// What they may spend: on the position, or on each move of a review.
    #[serde(default)]
    pub limit: Limit,
    /// Decides all chances.
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

/// An analysis that has been checked and can begin.
pub struct Analysis {
    /// The game in progress.
    pub line: Box<dyn AnyLine>,
    /// Who thinks.
    pub seat: Box<dyn Seat>,
    /// What they are called.
    pub agent: String,
    /// What they may spend.
    pub limit: Limit,
}

/// What is told during a review.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewEvent {
    /// A move has been judged.
    Ply(Value),
    /// All have been, or the review was stopped.
    Done(Value),
}

/// A search step by step.
#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    steps: Vec<Value>,
    total: u64,
    entered: u64,
    cuts: u64,
    done: Choice<String>,
}

impl Api {
    /// Checks a request for an analysis.
    ///
    /// # Errors
    /// When the position or the agent makes no sense, or the game is over.
    pub fn analysis(&self, asked: &Analyse) -> Result<Analysis, ApiError> {
        let line = asked.place.line()?;
        if line.end().is_some() {
            return Err(ApiError::invalid("the game is over; there is nothing to choose"));
        }
        self.prepared(asked, line, ANALYST)
    }

    /// Checks a request for a review.
    ///
    /// # Errors
    /// When the game or the agent makes no sense.
    pub fn review(&self, asked: &Analyse) -> Result<Analysis, ApiError> {
        self.prepared(asked, asked.place.line()?, REVIEWER)
    }

    /// Checks a request for a search step by step.
    ///
    /// # Errors
    /// When the position or the agent makes no sense.
    pub fn trace(&self, asked: &Analyse) -> Result<Analysis, ApiError> {
        let Some(agent) = &asked.agent else { return Err(ApiError::invalid("missing field `agent`")) };
        let mut analysis = self.prepared(asked, asked.place.line()?, agent)?;
        if analysis.limit == Limit::default() {
            analysis.limit.depth = Some(TRACED_DEPTH);
        }
        analysis.limit = analysis.limit.smaller(&Limit::nodes(MAX_TRACED_NODES));
        Ok(analysis)
    }

    fn prepared(&self, asked: &Analyse, line: Box<dyn AnyLine>, usual: &str) -> Result<Analysis, ApiError> {
        let agent = asked.agent.clone().unwrap_or_else(|| usual.to_owned());
        let seat = visitor_agent(&self.agents, &line.spec(), &agent, asked.seed)?;
        Ok(Analysis { line, seat, agent, limit: asked.limit })
    }
}

impl Analysis {
    /// Thinks; `report` hears how far it has come.
    ///
    /// # Errors
    /// When the agent fails.
    pub fn think(mut self, stop: &Stop, report: &mut dyn FnMut(&Report<String>)) -> Result<Choice<String>, ApiError> {
        self.seat.think(&*self.line, &self.limit, stop, report).map_err(ApiError::invalid)
    }

    /// Thinks, and gives the first steps of the search with what came of all of them.
    ///
    /// # Errors
    /// When the agent does not look ahead move by move, or fails.
    pub fn trace(mut self, stop: &Stop) -> Result<Trace, ApiError> {
        let traced = self.seat.trace(&*self.line, &self.limit, stop, MAX_STEPS).map_err(ApiError::invalid)?;
        let quintet_agent::Trace { steps, total, entered, cuts, choice } = traced;
        Ok(Trace { steps: steps.iter().map(step).collect(), total, entered, cuts, done: choice })
    }

    /// Looks at every move of the game again. `heard` is told of each move as it is judged, and of the accuracy at the end; when it says no, the
    /// review ends.
    ///
    /// # Errors
    /// When the agent counts no chances, or fails.
    pub fn review(mut self, stop: &Stop, heard: &mut dyn FnMut(ReviewEvent) -> bool) -> Result<(), ApiError> {
        let record = Record::of(&*self.line, ["", ""], None);
        let review = review(&mut *self.seat, &self.agent, &record, &self.limit, stop, &mut |plies, _| {
            !stop.stopped() && plies.last().is_none_or(|ply| heard(ReviewEvent::Ply(judged(plies.len(), ply))))
        });
        let review = review.map_err(ApiError::invalid)?;
        heard(ReviewEvent::Done(json!({
            "accuracy": Player::BOTH.map(|player| review.accuracy(player)), "plies": review.plies.len(), "stopped": stop.stopped(),
        })));
        Ok(())
    }
}

/// A report as it is sent: with at most 400 moves of the root.
#[must_use]
pub fn shown_report(report: &Report<String>) -> Report<String> {
    let mut shown = report.clone();
    shown.roots.truncate(MAX_ROOTS);
    shown
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

/// A move as it is judged; moves are counted from 1.
fn judged(number: usize, ply: &Ply) -> Value {
    json!({
        "number": number, "player": ply.player, "move": ply.mv, "before": ply.before.score, "draw": ply.before.draw,
        "after": ply.after, "could": ply.could, "loss": ply.loss,
        "class": ply.class.name(), "best": ply.before.best, "line": ply.before.line, "proven": ply.before.proof.map(Proof::name),
    })
}
