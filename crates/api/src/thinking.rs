//! Questions that take a search: analysis, review, and a search step by step.

use quintet_agent::{Adviser, Ply, Reviewing, Seat as _, Trace, accuracy};
use quintet_game::record::Record;
use quintet_game::{AnyLine, Limit, Player, Proof, Stop};
use quintet_search::{Choice, Report};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Api, ApiError, Place};

/// The nodes of a review for each position where neither an agent nor a limit is named: a fixed number, so that a review can be repeated.
pub const REVIEW_NODES: u64 = 2000;

/// The most root moves in a report.
const MAX_ROOTS: usize = 400;

/// The most steps in a trace: more than anyone looks at one by one.
const MAX_STEPS: usize = 5000;

/// The limit of a search that is shown step by step.
pub const MAX_TRACED_NODES: u64 = 200_000;

/// Plies of a trace by default.
const TRACED_DEPTH: u32 = 2;

/// A position or a game to be thought about.
///
/// ```
/// use quintet_api::{Analyse, Api};
/// use quintet_game::Stop;
/// let asked: Analyse = serde_json::from_str(r#"{"game":"pylos","moves":["1b2"],"agent":"mcts","limit":{"visits":100}}"#).unwrap();
/// assert!(!asked.asks_provers()); // an agent that is named answers alone
/// let choice = Api::embedded().analysis(&asked).unwrap().think(&Stop::never(), &mut |_| {}).unwrap();
/// assert_eq!(choice.nodes, 100);
/// ```
#[derive(Clone, Debug, Deserialize)]
pub struct Analyse {
    /// The position, or the game with all its moves.
    #[serde(flatten)]
    pub place: Place,
    /// Who is asked; by default the game's strongest agent.
    pub agent: Option<String>,
    /// Whether provers are asked before the agent. By default they are, unless an agent is named: then it answers alone.
    pub proofs: Option<bool>,
    /// The budget: for the position, or for each move of a review.
    #[serde(default)]
    pub limit: Limit,
    /// The seed of all random streams.
    #[serde(default = "one")]
    pub seed: u64,
}

impl Analyse {
    /// Are provers asked before the agent of an analysis?
    #[must_use]
    pub fn asks_provers(&self) -> bool {
        self.proofs.unwrap_or(self.agent.is_none())
    }
}

fn one() -> u64 {
    1
}

/// An analysis that has been checked and can begin.
pub struct Analysis {
    /// The game in progress.
    pub line: Box<dyn AnyLine>,
    /// Who thinks: provers, if they are asked, and an agent.
    pub adviser: Adviser,
    /// The agent's name.
    pub agent: String,
    /// The budget.
    pub limit: Limit,
}

/// An event of a review.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewEvent {
    /// Another position has been looked up by the provers, before the first move is judged.
    #[serde(skip)]
    Proof,
    /// A move has been judged.
    Ply(Value),
    /// All moves have been judged, or the review was stopped.
    Done(Value),
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
        self.prepared(asked, line, asked.asks_provers())
    }

    /// Checks a request for a review.
    ///
    /// # Errors
    /// When the game or the agent makes no sense.
    pub fn review(&self, asked: &Analyse) -> Result<Analysis, ApiError> {
        let mut analysis = self.prepared(asked, asked.place.line()?, asked.asks_provers())?;
        if asked.agent.is_none() && !analysis.limit.is_any() {
            analysis.limit = Limit::nodes(REVIEW_NODES);
        }
        Ok(analysis)
    }

    /// Checks a request for a search step by step.
    ///
    /// # Errors
    /// When the position or the agent makes no sense.
    pub fn trace(&self, asked: &Analyse) -> Result<Analysis, ApiError> {
        if asked.agent.is_none() {
            return Err(ApiError::invalid("missing field `agent`"));
        }
        let mut analysis = self.prepared(asked, asked.place.line()?, false)?;
        if analysis.limit == Limit::default() {
            analysis.limit.depth = Some(TRACED_DEPTH);
        }
        analysis.limit = analysis.limit.smaller(&Limit::nodes(MAX_TRACED_NODES));
        Ok(analysis)
    }

    fn prepared(&self, asked: &Analyse, line: Box<dyn AnyLine>, proofs: bool) -> Result<Analysis, ApiError> {
        let spec = line.spec();
        let agent = asked.agent.clone().unwrap_or_else(|| self.agents.strongest(&spec));
        let seat = self.seats.make(&self.agents, &spec, &agent, asked.seed)?;
        let provers = if proofs { self.provers.clone() } else { Vec::new() };
        Ok(Analysis { line, adviser: Adviser::new(provers, seat), agent, limit: asked.limit })
    }
}

impl Analysis {
    /// Thinks; `report` is called with the progress.
    ///
    /// # Errors
    /// When the agent fails.
    pub fn think(mut self, stop: &Stop, report: &mut dyn FnMut(&Report<String>)) -> Result<Choice<String>, ApiError> {
        self.adviser.think(&*self.line, &self.limit, stop, report).map_err(ApiError::invalid)
    }

    /// Thinks, and returns the first steps of the search with the result of all of them.
    ///
    /// # Errors
    /// When the agent does not look ahead move by move, or fails.
    pub fn trace(mut self, stop: &Stop) -> Result<Trace, ApiError> {
        self.adviser.trace(&*self.line, &self.limit, stop, MAX_STEPS).map_err(ApiError::invalid)
    }

    /// Begins to judge every move of the game.
    ///
    /// # Errors
    /// When the game makes no sense.
    pub fn review(self) -> Result<GameReview, ApiError> {
        let record = Record::of(&*self.line, ["", ""], None);
        let reviewing = Reviewing::new(&record).map_err(ApiError::invalid)?;
        Ok(GameReview { adviser: self.adviser, agent: self.agent, limit: self.limit, reviewing, judged: 0 })
    }
}

/// A review in progress. It goes on one move at a time, so that a server can do other work in between.
pub struct GameReview {
    adviser: Adviser,
    agent: String,
    limit: Limit,
    reviewing: Reviewing,
    judged: usize,
}

impl GameReview {
    /// Looks up one more position by the provers; then judges the next move, or sums up when all moves have been judged or the review was stopped: after [`ReviewEvent::Done`] it is over.
    ///
    /// # Errors
    /// When the agent gives no winning chances, or fails.
    pub fn step(&mut self, stop: &Stop) -> Result<ReviewEvent, ApiError> {
        if !stop.stopped() {
            if self.reviewing.prove(&self.adviser, &self.limit, stop).map_err(ApiError::invalid)? {
                return Ok(ReviewEvent::Proof);
            }
            let ply =
                self.reviewing.step(&mut self.adviser, &self.agent, &self.limit, stop).map_err(ApiError::invalid)?;
            // A stopped search has judged its move too early.
            if let Some(ply) = ply.filter(|_| !stop.stopped()) {
                self.judged += 1;
                return Ok(ReviewEvent::Ply(judged(self.judged, ply)));
            }
        }
        let plies = &self.reviewing.plies()[..self.judged];
        Ok(ReviewEvent::Done(json!({
            "accuracy": Player::BOTH.map(|player| accuracy(plies, player)), "plies": plies.len(), "stopped": stop.stopped(),
        })))
    }
}

/// A report as JSON, with at most 400 root moves.
#[must_use]
pub fn shown_report(report: &Report<String>) -> Report<String> {
    let mut shown = report.clone();
    shown.roots.truncate(MAX_ROOTS);
    shown
}

/// A judged move; moves are counted from 1.
fn judged(number: usize, ply: &Ply) -> Value {
    json!({
        "number": number, "player": ply.player, "move": ply.mv, "before": ply.before.score, "draw": ply.before.draw,
        "after": ply.after, "could": ply.could, "loss": ply.loss,
        "class": ply.class.name(), "best": ply.before.best, "line": ply.before.line, "proven": ply.before.proof.map(Proof::name),
    })
}
