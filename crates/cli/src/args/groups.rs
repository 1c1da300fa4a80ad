//! Arguments that several commands share.

use std::time::Duration;

use clap::{Args, ValueEnum};
use quintet_arena::stats::Model;
use quintet_game::{GameSpec, Limit, Player};

/// A game and a position in it.
#[derive(Args, Debug)]
pub struct Place {
    /// The game, as in pentago or 'twixt(size=8,rules=paper)'
    #[arg(value_name = "SPEC")]
    pub spec: GameSpec,
    #[command(flatten)]
    pub history: History,
}

/// How a position came about.
#[derive(Args, Debug)]
pub struct History {
    /// Moves, from the start or from --position
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
    /// A position text to begin from
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
}

/// For whom a position is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
}

impl View {
    /// The player.
    pub fn player(self) -> Player {
        match self {
            View::First => Player::First,
            View::Second => Player::Second,
        }
    }
}

/// How long to think.
#[derive(Args, Debug)]
pub struct Effort {
    /// Wall-clock time, as in 2s or 50ms
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Positions to look at
    #[arg(long)]
    pub nodes: Option<u64>,
    /// Plies to look ahead
    #[arg(long)]
    pub depth: Option<u32>,
    /// Visits of the root, for tree searches
    #[arg(long)]
    pub visits: Option<u64>,
}

impl Effort {
    /// As the budget of a run.
    pub fn budget(&self) -> Limit {
        // Whole milliseconds, as the store keeps them.
        Limit { time: self.time.map(|time| Duration::from_millis(time.as_millis() as u64)), ..self.limit() }
    }

    /// As a limit.
    pub fn limit(&self) -> Limit {
        Limit { time: self.time, nodes: self.nodes, depth: self.depth, visits: self.visits }
    }
}

/// A sequential test of two claims about a difference in Elo.
#[derive(Args, Debug)]
pub struct SequentialTest {
    /// Test two claims about the difference, as in 0,5
    #[arg(long, value_name = "ELO0,ELO1", value_parser = crate::stats::read_claims, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// In which Elo the claims are made
    #[arg(long, default_value = "logistic", requires = "sprt")]
    pub model: EloModel,
    /// The chance to accept H1 wrongly
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05, requires = "sprt", allow_negative_numbers = true)]
    pub alpha: f64,
    /// The chance to accept H0 wrongly
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05, requires = "sprt", allow_negative_numbers = true)]
    pub beta: f64,
}

/// In which Elo a claim is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EloModel {
    /// Of the score
    Logistic,
    /// Of the score in standard deviations of a game
    Normalized,
}

impl EloModel {
    /// The model.
    pub fn model(self) -> Model {
        match self {
            EloModel::Logistic => Model::Logistic,
            EloModel::Normalized => Model::Normalized,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    quintet_eval::read_time(text).ok_or_else(|| "a time such as 2s or 50ms".into())
}

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("a number of seconds above 0, up to a day (86400)".into()),
    }
}

/// A game, and how long it is measured.
#[derive(Args, Debug)]
pub struct Timed {
    /// The game
    #[arg(value_name = "SPEC")]
    pub spec: String,
    /// How long
    #[arg(long, default_value_t = 1.0, value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: f64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
