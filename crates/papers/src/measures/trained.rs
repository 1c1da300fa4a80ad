//! Agents of Pentago that are trained on the spot: many small trainings at once, and their games against the paper's baselines.

use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Wdl, ratio, wilson};
use quintet_eval::{Spec, Weights, evaluation_with};
use quintet_game::bits::mix;
use quintet_game::pentago::Pentago;
use quintet_game::{AnyGame, Game, GameSpec, Limit, Line, Outcome, Player, Rng, SeedableRng, Stop};
use quintet_learn::{Metric, Product, Recipes, TrainContext};
use quintet_search::{Ends, Greedy, Quiet, Search};

use super::{Effort, Follower, spread};

/// The paper's rules, and the others.
pub const RULES: [&str; 2] = ["pentago(rules=turn-first)", "pentago"];

/// From this many samples on there are several trainings of each kind; below it one.
const MANY: u64 = 1000;
const TRAININGS: u64 = 10;

/// Below this many samples trainings are shortened too: such sizes are for tests of the program.
const WHOLE: u64 = 100;

/// The number of trainings and games, from the size of a measurement.
#[derive(Clone, Copy)]
pub struct TrainingBudget {
    /// Trainings of each kind, with different seeds.
    pub trainings: u64,
    /// Games of each training against each opponent.
    pub games: u64,
    effort: Effort,
}

impl TrainingBudget {
    pub fn new(effort: Effort) -> TrainingBudget {
        let trainings = if effort.samples >= MANY { TRAININGS } else { 1 };
        TrainingBudget { trainings, games: effort.samples / trainings, effort }
    }

    /// This many training games, or fewer where the size is for tests.
    pub fn training(&self, games: u64) -> String {
        (games * self.effort.samples.min(WHOLE)).div_ceil(WHOLE).to_string()
    }

    /// The seed of one of the trainings. It is the same for all kinds, so that they differ in nothing else.
    pub fn seed(&self, training: u64) -> u64 {
        mix(self.effort.seed ^ mix(training)) >> 32
    }

    /// Does some work on all cores; the results are in the order of the tasks. The follower hears of all samples, in equal parts.
    pub fn spread<T: Sync, R: Send>(
        &self,
        tasks: &[T],
        work: impl Fn(&T) -> R + Sync,
        follower: &mut Follower,
    ) -> Vec<R> {
        let (mut ended, mut heard) = (0, 0);
        spread(tasks, work, &mut || {
            ended += 1;
            while heard < self.effort.samples * ended / tasks.len() as u64 {
                let _ = follower.sample();
                heard += 1;
            }
        })
    }
}

/// Trains a recipe with some parameters changed. Returns its result and its metrics; nothing when it was stopped.
pub fn train(
    agents: &Catalogue,
    token: &str,
    with: &[(&str, String)],
    seed: u64,
    stop: &Stop,
) -> Option<(Weights, Vec<Metric>)> {
    let mut recipe = Recipes::embedded().find(token)?.clone();
    for (key, value) in with {
        recipe = recipe.with(key, value).ok()?;
    }
    let context = TrainContext { agents, threads: 1, stop };
    let mut pipeline = recipe.start(seed, None).ok()?;
    let mut metrics = Vec::new();
    while !pipeline.progress().finished() {
        metrics.extend(pipeline.step(&context).ok()?.metrics);
    }
    match pipeline.product() {
        Product::Weights(weights) => Some((weights, metrics)),
        Product::File { .. } => None,
    }
}

/// A player, and how many of its first moves are random instead.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub who: Who<'a>,
    pub random: u32,
}

#[derive(Clone, Copy)]
pub enum Who<'a> {
    /// An agent of the catalogue.
    Named(&'a str),
    /// The best board after one move by these weights.
    Learned(&'a Weights),
}

/// The paper's baselines: random play, and greedy play after three random moves.
pub const BASELINES: [(&str, Side<'static>); 2] = [
    ("random", Side { who: Who::Named("random"), random: 0 }),
    ("greedy", Side { who: Who::Named("pentago:greedy"), random: 3 }),
];

impl Side<'_> {
    fn search(
        &self,
        agents: &Catalogue,
        spec: &GameSpec,
        game: &Pentago,
        seed: u64,
    ) -> Option<Box<dyn Search<Pentago>>> {
        match self.who {
            Who::Named(agent) => Some(agents.search(spec, agent, seed).ok()?.0),
            Who::Learned(weights) => {
                let eval = evaluation_with(game, &Spec::parse(&weights.kind).ok()?, weights.clone()).ok()?;
                // Buckets know what an end is worth; for features it is passed in.
                let ends = if weights.kind == "pentago-mdp" { Ends::on_top(0.0) } else { Ends::default() };
                Some(Box::new(Greedy::new(eval, ends, Some(seed))))
            }
        }
    }
}

/// A match with alternating colours. Returns the results of the first side.
pub fn duel(agents: &Catalogue, game: &str, sides: [Side; 2], games: u64, seed: u64) -> Option<Wdl> {
    let spec = GameSpec::parse(game).ok()?;
    let AnyGame::Pentago(rules) = spec.rules() else { return None };
    let rules = Arc::new(rules);
    let mut wdl = Wdl::default();
    for number in 0..games {
        let mut rng = Rng::seed_from_u64(mix(seed ^ mix(number)));
        // The player on the first seat.
        let order = [number % 2, 1 - number % 2].map(|side| side as usize);
        let mut seats = Vec::new();
        for side in order {
            let chances = mix(mix(seed ^ mix(number)) ^ (side as u64 + 1));
            seats.push(sides[side].search(agents, &spec, &rules, chances)?);
        }
        let mut line = Line::new(rules.clone());
        let outcome = loop {
            if let Some(outcome) = line.outcome() {
                break outcome;
            }
            let mover = line.to_move().index();
            let moves = line.plies() as u32 / 2;
            let mv = if moves < sides[order[mover]].random {
                line.game().random_move(line.position(), &mut rng)
            } else {
                seats[mover].think(&line, &Limit::default(), &mut Quiet).mv
            };
            line.play(mv);
        };
        match outcome {
            Outcome::Draw => wdl.draws += 1,
            Outcome::Win(winner) if winner == Player::BOTH[(number % 2) as usize] => wdl.wins += 1,
            Outcome::Win(_) => wdl.losses += 1,
        }
    }
    Some(wdl)
}

/// The results of several trainings against one opponent.
#[derive(Clone, Debug, Default)]
pub struct Rates(pub Vec<Wdl>);

impl Rates {
    /// All games together.
    pub fn total(&self) -> Wdl {
        let add =
            |a: Wdl, b: &Wdl| Wdl { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses };
        self.0.iter().fold(Wdl::default(), add)
    }

    /// The share of games won, as the paper counts.
    pub fn won(&self) -> f64 {
        self.total().wins as f64 / self.total().n().max(1) as f64
    }

    /// Its interval: for one training over its games, for several over the mean of trainings, which differ by more
    /// than their games do.
    pub fn interval(&self) -> Option<Interval> {
        let total = self.total();
        if self.0.len() as u64 != TRAININGS {
            return wilson(total.wins, total.n());
        }
        let shares: Vec<(f64, f64)> = self.0.iter().map(|wdl| (wdl.wins as f64 / wdl.n().max(1) as f64, 1.0)).collect();
        let (_, Interval { low, high }) = ratio(&shares)?;
        Some(Interval { low: low.max(0.0), high: high.min(1.0) })
    }

    /// In words.
    pub fn say(&self) -> String {
        let total = self.total();
        let spread = if self.0.len() > 1 {
            let shares = self.0.iter().map(|wdl| 100.0 * wdl.wins as f64 / wdl.n().max(1) as f64);
            let (low, high) = shares.fold((100.0, 0.0), |(low, high), share| (share.min(low), share.max(high)));
            format!("; {} trainings from {low:.0} to {high:.0} %", self.0.len())
        } else {
            String::new()
        };
        format!("{:.1} % ({}-{}-{}){spread}", 100.0 * self.won(), total.wins, total.draws, total.losses)
    }
}
