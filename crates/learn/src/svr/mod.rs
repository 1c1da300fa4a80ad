//! Pylos' support vector regression: two searching agents play, their searched nodes become boards with a score, and a machine learns it.
//!
//! What the paper says, and how it is read here:
//!
//! * *Every record (board, search depth, node score) is kept.* A [`quintet_search::Watch`] hears every node that a search has finished, root
//!   included. With pruning some of these scores are bounds, in the paper as here.
//! * *Scores that look more than 3 turns ahead.* The search went more than `ahead` = 3 plies below the node, so at least 4.
//! * *x = 10 y + z.* Board, outcome y and score z are those of the side whose search it was. The score of a known win or loss, which has
//!   no bound in our searches, is cut down to 15, a side's balls **(ours)**.
//! * *3,000 for training and 100 for validation* are drawn from all such records with equal chances; validation has games of its own
//!   (one in ten), so that no game is in both **(ours)**.
//! * *Refined through self-play.* In later rounds the machine of the round before scores the leaves and its games are the data **(ours)**; z is
//!   on that machine's scale then, so known ends are worth 10 more each round.

mod fit;
mod games;
mod sample;
mod score;

use std::collections::BTreeMap;
use std::sync::Arc;

use quintet_eval::pylos::{Kernel, Scorer, Svr};
use quintet_eval::{Made, Weights};
use quintet_game::bits::mix;
use quintet_game::pylos::Pylos;
use quintet_game::{AnyGame, GameSpec};
use quintet_search::{Ends, Minimax, Search};
use serde::{Deserialize, Serialize};

use crate::share::banded;
use crate::{LearnError, Metric, Pipeline, Product, Progress, Recipe, Step, TrainContext};
use games::{Rules, play_all};
use sample::Draw;

pub use fit::{Fit, fit};
pub use games::Counts;
pub use sample::Sample;
pub use score::{Errors, Quality, quality};

/// The parameters; the defaults are the paper's, or ours where it is silent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Parameters {
    /// Games per round.
    games: u64,
    rounds: u64,
    /// The spec of Pylos.
    game: String,
    /// Who plays the first round.
    teacher: String,
    /// Nodes per move.
    nodes: u64,
    /// Random plies at the start of a game.
    openings: u32,
    /// A score must look further ahead than this many plies.
    ahead: u32,
    /// The weight of the outcome beside the score.
    outcome: f64,
    training: usize,
    validation: usize,
    kernel: String,
    gamma: f64,
    c: f64,
    epsilon: f64,
    tolerance: f64,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            games: 1200,
            rounds: 1,
            game: "pylos(rules=expert-diag,takeback=free)".into(),
            teacher: "pylos:ordered".into(),
            nodes: 20_000,
            openings: 4,
            ahead: 3,
            outcome: 10.0,
            training: 3000,
            validation: 100,
            kernel: Kernel::Gauss.name().into(),
            gamma: 1.0 / 60.0,
            c: 1.0,
            epsilon: 0.2,
            tolerance: 1e-3,
        }
    }
}

/// Games per step: a second or two on two cores.
const BLOCK: u64 = 8;

/// One game in this many is for validation only.
const APART: u64 = 10;

/// A side's balls: no difference of balls is larger.
const BALLS: f64 = 15.0;

/// Bytes for remembered scores, as the agent `ordered` has them.
const MEMORY: usize = 64 << 20;

/// All that changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SvrState {
    /// Rounds that are over.
    rounds: u64,
    /// Games of this round, or of the last one when all are over.
    counts: Counts,
    training: Draw,
    validation: Draw,
    /// The machine of the last round, in its file format.
    machine: Option<BTreeMap<String, Vec<f64>>>,
    notes: BTreeMap<String, String>,
}

struct Regression {
    parameters: Parameters,
    game: Arc<Pylos>,
    spec: GameSpec,
    fit: Fit,
    seed: u64,
    state: SvrState,
    machine: Option<Svr>,
}

/// Starts the pipeline, or resumes it.
pub(crate) fn start(
    recipe: &Recipe,
    seed: u64,
    state: Option<serde_json::Value>,
) -> Result<Box<dyn Pipeline>, LearnError> {
    Ok(Box::new(regression(recipe, seed, state)?))
}

/// The samples from the games of a recipe's first round.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// To learn from.
    pub training: Vec<Sample>,
    /// From other games, for validation.
    pub validation: Vec<Sample>,
    /// What they were drawn from.
    pub counts: Counts,
}

/// Plays the first round of a recipe of this kind, without learning from it. `done` hears of every game.
///
/// # Errors
/// When the recipe makes no sense, names unknown agents, or is stopped.
pub fn data(recipe: &Recipe, seed: u64, context: &TrainContext, done: &mut dyn FnMut()) -> Result<Data, LearnError> {
    let mut work = regression(recipe, seed, None)?;
    while work.state.counts.games() < work.parameters.games {
        (0..work.play(context)?.games()).for_each(|_| done());
    }
    let SvrState { training, validation, counts, .. } = work.state;
    Ok(Data { training: training.samples().to_vec(), validation: validation.samples().to_vec(), counts })
}

fn regression(recipe: &Recipe, seed: u64, state: Option<serde_json::Value>) -> Result<Regression, LearnError> {
    let parameters: Parameters = recipe.parameters()?;
    let wrong = |why: String| LearnError::Recipe(why);
    let spec = GameSpec::parse(&parameters.game).map_err(|error| wrong(error.to_string()))?;
    let AnyGame::Pylos(game) = spec.rules() else {
        return Err(wrong(format!("\"{}\" is not Pylos.", parameters.game)));
    };
    let kernel = Kernel::ALL.into_iter().find(|kernel| kernel.name() == parameters.kernel).ok_or_else(|| {
        let names = Kernel::ALL.map(Kernel::name).join(", ");
        wrong(format!("\"{}\" is not a kernel; choose one of {names}.", parameters.kernel))
    })?;
    let Parameters { gamma, c, epsilon, tolerance, .. } = parameters;
    let positive = [gamma, c, tolerance].iter().all(|number| *number > 0.0) && epsilon >= 0.0;
    if !positive || parameters.games == 0 || parameters.rounds == 0 || parameters.training == 0 {
        return Err(wrong(
            "games, rounds, training, gamma, c and tolerance must be above 0; epsilon must not be negative.".into(),
        ));
    }
    let state: SvrState = match state {
        Some(state) => serde_json::from_value(state)?,
        None => SvrState::default(),
    };
    let machine = state.machine.clone().map(|values| {
        let weights = Weights { values, ..Weights::new(Svr::KIND, Made::default()) };
        Svr::read(&weights).map_err(|why| LearnError::Recipe(format!("the saved state holds no machine: {why}")))
    });
    let machine = machine.transpose()?;
    let fit = Fit { kernel, gamma, c, epsilon, tolerance };
    Ok(Regression { parameters, game: Arc::new(game), spec, fit, seed, state, machine })
}

impl Regression {
    /// Builds the players of this round: the teacher first, in later rounds the machine in its place.
    fn seat(&self, context: &TrainContext, seed: u64) -> Result<Box<dyn Search<Pylos>>, LearnError> {
        Ok(match &self.machine {
            None => context.agents.search(&self.spec, &self.parameters.teacher, seed)?.0,
            Some(machine) => {
                let search = Minimax::new(Box::new(Scorer::new(machine.clone())), Ends::default(), 1);
                Box::new(search.with_seed(seed).with_pruning().with_deepening(true).with_memory(MEMORY))
            }
        })
    }

    /// Plays the next games of this round, or the first of the next, and draws from their records.
    fn play(&mut self, context: &TrainContext) -> Result<Counts, LearnError> {
        let Parameters { games, nodes, openings, ahead, outcome, training, validation, .. } = self.parameters;
        let (mut counts, mut draws) = (self.state.counts, [self.state.training.clone(), self.state.validation.clone()]);
        if counts.games() % games == 0 {
            (counts, draws) = (Counts::default(), [Draw::new(training), Draw::new(validation)]);
        }
        let begin = counts.games();
        let numbers = begin..games.min(begin + BLOCK);
        let rules = Rules {
            game: self.game.clone(),
            seats: &|seed| self.seat(context, seed),
            nodes,
            openings,
            ahead,
            most: BALLS + outcome * self.state.rounds as f64,
            outcome,
        };
        let apart = |number: u64| usize::from(number % APART == APART - 1);
        let seed = mix(self.seed ^ mix(self.state.rounds));
        let played = play_all(&rules, numbers.clone(), seed, &|number| draws[apart(number)].bar(), context)?;
        let mut block = Counts::default();
        for (number, game) in numbers.zip(&played) {
            draws[apart(number)].extend(&game.samples);
            block.add(&game.counts);
        }
        counts.add(&block);
        self.state.counts = counts;
        [self.state.training, self.state.validation] = draws;
        Ok(block)
    }

    /// Trains on the samples and measures the result.
    fn learn(&mut self) -> Metric {
        let [training, validation] = [&self.state.training, &self.state.validation].map(Draw::samples);
        let machine = fit(&self.fit, training);
        let quality = quality(|board| machine.predict(board), training, validation);
        self.state.notes = self.notes(&machine, &quality);
        self.state.machine = Some(machine.weights().values);
        self.machine = Some(machine);
        self.state.rounds += 1;
        let mut metric = Metric::new(self.progress().done, quality.values());
        metric.event = Some(format!("round {} learned", self.state.rounds));
        metric
    }

    fn notes(&self, machine: &Svr, quality: &Quality) -> BTreeMap<String, String> {
        let Counts { results: [first, draws, second], moves, nodes, records, eligible } = self.state.counts;
        let Parameters { nodes: limit, ahead, .. } = self.parameters;
        let drawn = [&self.state.training, &self.state.validation].map(|draw| draw.samples().len());
        let notes = [
            ("data", format!("{moves} searched moves of {limit} nodes, {nodes} nodes, {records} records of nodes")),
            ("eligible", format!("{eligible} records look more than {ahead} plies ahead")),
            ("results", format!("{first} games won by the first player, {draws} drawn, {second} won by the second")),
            ("samples", format!("{} for training, {} of other games for validation", drawn[0], drawn[1])),
            ("vectors", format!("{} support vectors", machine.vectors().len())),
            ("validation", quality.to_string()),
            ("round", format!("{} of {}", self.state.rounds + 1, self.parameters.rounds)),
        ];
        notes.into_iter().map(|(name, note)| (name.to_owned(), note)).collect()
    }
}

impl Pipeline for Regression {
    fn step(&mut self, context: &TrainContext) -> Result<Step, LearnError> {
        let block = self.play(context)?;
        let games = self.state.counts.games();
        let played = block.games() as f64;
        let results = ["result/first", "result/draw", "result/second"].into_iter().zip(block.results);
        let values = results.flat_map(|(name, count)| banded(name, count as f64 / played, played));
        let mut metrics = vec![Metric::new(self.state.rounds * self.parameters.games + games, values)];
        let whole = games == self.parameters.games;
        if whole {
            metrics.push(self.learn());
        }
        Ok(Step { metrics, snapshot: whole })
    }

    fn progress(&self) -> Progress {
        let games = self.parameters.games;
        // The games of the last round stay until the next begins.
        let current = self.state.counts.games() % games;
        let done = self.state.rounds * games + current;
        let says = format!("{} searched moves, {} records", self.state.counts.moves, self.state.counts.records);
        Progress { done, total: self.parameters.rounds * games, unit: "games", says }
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(&self.state).expect("numbers and texts always serialize")
    }

    fn product(&self) -> Product {
        let nothing = || Svr::new(self.fit.kernel, self.fit.gamma, 0.0, Vec::new());
        let mut weights = self.machine.clone().unwrap_or_else(nothing).weights();
        weights.made.notes = self.state.notes.clone();
        Product::Weights(weights)
    }
}
