//! What a recipe of the kind `td` says.

use serde::Deserialize;

use crate::{LearnError, Recipe};

/// The parameters of temporal difference learning.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Parameters {
    /// The evaluation whose weights are learned: `pathwayz-52(mode=printed)`.
    pub features: String,
    /// Only these of its features are learned; the others count 0. Empty: all.
    #[serde(default)]
    pub only: Vec<String>,
    /// The game's spec, if not the default one.
    #[serde(default)]
    pub spec: Option<String>,
    /// Which reading of the paper.
    #[serde(default)]
    pub mode: Mode,
    /// The weights to begin with: `hand` for the evaluation's own, `zero`, or a name in the weight store; features of the same name are taken over.
    #[serde(default = "hand")]
    pub start: String,
    /// The step size.
    pub eta: f64,
    /// How fast older positions are forgotten: 0 learns from the last one alone.
    #[serde(default)]
    pub lambda: f64,
    /// What a win is worth.
    #[serde(default = "hundred")]
    pub utility: f64,
    /// The boards whose values are learned, if not those of the mode.
    #[serde(default)]
    boards: Option<Boards>,
    /// Whether an ended game is worth the value of its last board too, or its utility alone, if not as in the mode. The former leaves the
    /// values without an anchor: features that grow with every game drive their weights, and each other, ever further.
    #[serde(default)]
    end_value: Option<bool>,
    /// Games of the first stage.
    pub games: u64,
    /// Games from one look at the win rate to the next.
    #[serde(default = "fifty")]
    pub block: u64,
    /// The best moves among which it explores; 1 for none.
    #[serde(default = "ten")]
    pub top: u32,
    /// The first opponent: an agent, or `self` for its own weights.
    #[serde(default = "own")]
    pub opponent: String,
    /// The win rate from which the opponent takes its weights.
    #[serde(default = "rise")]
    pub rise: f64,
    /// Opponents after a bad block; the last that applies is taken.
    #[serde(default)]
    pub fall: Vec<Fall>,
    /// The opponent of the last stage, which has no exploration.
    #[serde(default)]
    pub last: Option<String>,
    /// The most games of the last stage; two blocks in a row with the win rate `rise` end it early.
    #[serde(default)]
    pub last_games: u64,
    /// Its block.
    #[serde(default = "twenty")]
    pub last_block: u64,
    /// Its step size.
    #[serde(default)]
    pub last_eta: f64,
    /// Game records to learn from instead of playing: both sides of each, starting over when all are read.
    #[serde(default)]
    pub from: Option<Source>,
    /// What a weight of the grids is rounded to in the file.
    #[serde(default = "thousandth")]
    pub unit: f64,
}

/// Where game records are.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Source {
    /// In a file, one per line, as `quintet records export` writes them.
    File(String),
    /// Here.
    Given(Vec<String>),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Source::File(path) => f.write_str(path),
            Source::Given(records) => write!(f, "{} records", records.len()),
        }
    }
}

impl Source {
    /// The records, at least one.
    pub fn read(&self) -> Result<Vec<String>, LearnError> {
        let records = match self {
            Source::Given(records) => records.clone(),
            Source::File(path) => {
                let unreadable = |why| format!("{path} cannot be read: {why}. It must hold one game per line.");
                let text =
                    quintet_data::read_text(path.as_ref()).map_err(|why| LearnError::Outside(unreadable(why)))?;
                text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
            }
        };
        if records.is_empty() {
            return Err(LearnError::Outside(format!("{self} has no games to learn from.")));
        }
        Ok(records)
    }
}

/// An opponent after a bad block.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fall {
    /// Used below this win rate; as programmed, at this win rate too.
    pub below: f64,
    /// The opponent.
    pub agent: String,
}

/// Which reading of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Mode {
    /// The plain reading of its sentences, which print no formula: the values of the boards after its own moves, by which it chooses them;
    /// an ended game is worth its utility alone.
    #[default]
    Printed,
    /// What its authors' program does: the values of the boards on which it is to move; at the end the value of the last board counts and,
    /// since that contains the utility already, the utility twice; a full board is a draw even when a path exists.
    AsProgrammed,
}

/// Which boards of a game a student learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Boards {
    /// Those on which it is to move.
    Before,
    /// Those after its own moves, by whose values it chooses them.
    After,
}

impl Parameters {
    /// The parameters of each round: those of the recipe; and, as long as there is a `then`, the same with its changes.
    pub fn rounds(recipe: &Recipe) -> Result<Vec<Parameters>, LearnError> {
        let mut rounds = Vec::new();
        let mut with = recipe.with.clone();
        loop {
            let then = with.remove("then");
            let round: Parameters = Recipe { with: with.clone(), ..recipe.clone() }.parameters()?;
            round.check()?;
            rounds.push(round);
            match then {
                None => return Ok(rounds),
                Some(toml::Value::Table(changes)) => with.extend(changes),
                Some(_) => return Err(LearnError::Recipe("`then` must be a table of parameters.".into())),
            }
        }
    }

    /// The boards whose values are learned.
    pub fn boards(&self) -> Boards {
        let of_mode = if self.mode == Mode::Printed { Boards::After } else { Boards::Before };
        self.boards.unwrap_or(of_mode)
    }

    /// Whether an ended game is worth the value of its last board too.
    pub fn end_value(&self) -> bool {
        self.end_value.unwrap_or(self.mode == Mode::AsProgrammed)
    }

    /// Refuses parameters that make no sense.
    fn check(&self) -> Result<(), LearnError> {
        let wrong = |why: &str| Err(LearnError::Recipe(why.to_owned()));
        if !(self.eta > 0.0 && self.eta.is_finite() && self.utility > 0.0 && self.unit > 0.0) {
            return wrong("eta, utility and unit must be above 0.");
        }
        if !(0.0..=1.0).contains(&self.lambda) {
            return wrong("lambda must be from 0 to 1.");
        }
        if self.block == 0 || self.last_block == 0 || self.top == 0 {
            return wrong("block, last-block and top must be at least 1.");
        }
        if self.last.is_some() && self.last_games > 0 && self.last_eta <= 0.0 {
            return wrong("the last stage needs a last-eta above 0.");
        }
        Ok(())
    }

    /// Whether this win rate is bad enough for a fallback opponent.
    pub fn falls(&self, share: f64, fall: &Fall) -> bool {
        share < fall.below || self.mode == Mode::AsProgrammed && share == fall.below
    }

    /// The games of both stages.
    pub fn all_games(&self) -> u64 {
        self.games + self.last_stage()
    }

    /// The games of the last stage; none when it learns from records.
    fn last_stage(&self) -> u64 {
        if self.last.is_some() && self.from.is_none() { self.last_games } else { 0 }
    }
}

fn hand() -> String {
    "hand".into()
}

fn own() -> String {
    "self".into()
}

fn hundred() -> f64 {
    100.0
}

fn fifty() -> u64 {
    50
}

fn twenty() -> u64 {
    20
}

fn ten() -> u32 {
    10
}

fn rise() -> f64 {
    0.6
}

fn thousandth() -> f64 {
    0.001
}
