//! The Pentago paper's reinforcement learning: boards hashed into buckets, and a Markov decision process over the buckets.
//!
//! The program plays itself. Each seat has a model of its own, and plays the move to the bucket that its model values most, or with
//! probability epsilon a random one. After every game both models count its transitions and work out their values again. A win is
//! worth 10, a loss -10, and nothing else is worth anything.
//!
//! The paper does not say **(ours)**: a state is the board after one's own move, the next one that after one's next move, or the
//! end; a drawn game leads nowhere; random moves lead on like others; moves of equal value are drawn by chance.

mod model;

use quintet_eval::pentago::{Buckets, END_BUCKETS, Hash};
use quintet_eval::{Made, Weights};
use quintet_game::bits::{mix, scale};
use quintet_game::pentago::{Pentago, Position};
use quintet_game::{AnyGame, Game, GameSpec, Outcome, Player, Rng, SeedableRng};
use rand_core::Rng as _;
use serde::{Deserialize, Serialize};

use crate::share::banded;
use crate::{LearnError, Metric, Pipeline, Product, Progress, Recipe, Step, TrainContext};
use model::{Model, Path};

/// Games per step.
const BLOCK: u64 = 50;

/// What a win is worth; a loss costs as much.
const WIN: f64 = 10.0;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Pentago, by its rules.
    game: String,
    /// 1, 2 or 3.
    hash: u8,
    /// The weights by which hash 3 tells boards apart.
    features: Option<String>,
    /// Whether the buckets of won games hold no other boards. In the paper's own hash they may.
    #[serde(default = "yes")]
    shifted: bool,
    buckets: usize,
    games: u64,
    gamma: f64,
    tau: f64,
    epsilon: f64,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Serialize, Deserialize)]
struct BucketState {
    games: u64,
    /// The weights of hash 3, once they are known.
    features: Option<Vec<f64>>,
    /// The models of the first and the second player.
    models: [Model; 2],
}

/// Results of the games of a step.
#[derive(Default)]
struct Tally {
    games: u64,
    wins: [u64; 2],
    draws: u64,
    plies: u64,
}

/// Buckets being learned.
pub(crate) struct Learner {
    with: Parameters,
    seed: u64,
    rules: Pentago,
    state: BucketState,
}

/// Starts the pipeline `buckets`.
pub(crate) fn start(
    recipe: &Recipe,
    seed: u64,
    state: Option<serde_json::Value>,
) -> Result<Box<dyn Pipeline>, LearnError> {
    let with: Parameters = recipe.parameters()?;
    let rules = rules(&with.game)?;
    with.check()?;
    let state = match state {
        Some(state) => serde_json::from_value(state)?,
        None => {
            let rewards = [[WIN, -WIN], [-WIN, WIN]];
            let models = rewards.map(|rewards| Model::new(with.buckets, rewards, with.gamma, with.tau));
            BucketState { games: 0, features: None, models }
        }
    };
    Ok(Box::new(Learner { with, seed, rules, state }))
}

fn rules(game: &str) -> Result<Pentago, LearnError> {
    let spec = GameSpec::parse(game).map_err(|error| LearnError::Recipe(error.to_string()))?;
    match spec.rules() {
        AnyGame::Pentago(game) if !game.mirrors() => Ok(game),
        _ => Err(LearnError::Recipe(format!("buckets are for pentago, not for {}.", spec.info().name))),
    }
}

impl Parameters {
    fn check(&self) -> Result<(), LearnError> {
        let wrong = |why: String| Err(LearnError::Recipe(why));
        if let Err(why) = Buckets::new(Hash::Places, self.buckets, self.shifted) {
            return wrong(why);
        }
        match (self.hash, &self.features) {
            (1 | 2, None) | (3, Some(_)) => {}
            (1 | 2, Some(_)) => return wrong(format!("hash {} uses no features.", self.hash)),
            (3, None) => return wrong("hash 3 needs weights: features = \"pentago:evolved\".".into()),
            (other, _) => return wrong(format!("{other} is not a hash; choose 1, 2 or 3.")),
        }
        let bounds = [
            ("gamma", self.gamma, (0.0..1.0).contains(&self.gamma), "from 0 to below 1"),
            ("tau", self.tau, self.tau > 0.0, "above 0"),
            ("epsilon", self.epsilon, (0.0..=1.0).contains(&self.epsilon), "from 0 to 1"),
        ];
        match bounds.into_iter().find(|(.., fine, _)| !fine) {
            Some((name, value, _, wanted)) => wrong(format!("{name} = {value}: it must be {wanted}.")),
            None => Ok(()),
        }
    }
}

impl Learner {
    /// The hash, which for its third kind needs weights from the store.
    fn buckets(&mut self, context: &TrainContext) -> Result<Buckets, LearnError> {
        if let (Some(name), None) = (&self.with.features, &self.state.features) {
            let names = quintet_eval::pentago::Features35::new();
            let weights = context.agents.weight_store().weights(name)?;
            let names = quintet_eval::Features::<Pentago>::names(&names);
            self.state.features = Some(weights.in_order(names).map_err(LearnError::Recipe)?);
        }
        let hash = Hash::numbered(self.with.hash, self.state.features.as_deref());
        hash.and_then(|hash| Buckets::new(hash, self.with.buckets, self.with.shifted)).map_err(LearnError::Recipe)
    }

    /// Plays a block of games and learns from each.
    fn block(&mut self, context: &TrainContext) -> Result<Tally, LearnError> {
        let buckets = self.buckets(context)?;
        self.state.models.iter_mut().for_each(Model::prepare);
        let until = (self.state.games + BLOCK).min(self.with.games);
        let mut tally = Tally::default();
        while self.state.games < until {
            context.go_on()?;
            let (outcome, plies, paths) = self.play(&buckets, self.state.games);
            match outcome {
                Outcome::Win(winner) => tally.wins[winner.index()] += 1,
                Outcome::Draw => tally.draws += 1,
            }
            tally.plies += plies;
            tally.games += 1;
            self.state.models.iter_mut().zip(&paths).for_each(|(model, path)| model.learn(path));
            self.state.games += 1;
        }
        Ok(tally)
    }

    /// Plays a game. Returns its result, its length, and what each seat has seen of it.
    fn play(&self, buckets: &Buckets, number: u64) -> (Outcome, u64, [Path; 2]) {
        let mut rng = Rng::seed_from_u64(mix(self.seed ^ mix(number)));
        let mut pos = self.rules.start();
        let mut paths = [Path::default(), Path::default()];
        let mut moves = Vec::new();
        let mut plies = 0;
        let outcome = loop {
            if let Some(outcome) = self.rules.outcome(&pos) {
                break outcome;
            }
            let mover = self.rules.to_move(&pos).index();
            // The upper 53 bits are a number from 0 to 1.
            let explores = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            if explores < self.with.epsilon {
                let mv = self.rules.random_move(&pos, &mut rng);
                self.rules.play(&mut pos, mv);
            } else {
                moves.clear();
                self.rules.moves(&pos, &mut moves);
                let next = moves.iter().map(|mv| {
                    let mut next = pos;
                    self.rules.play(&mut next, *mv);
                    next
                });
                pos = best(next, |next| self.state.models[mover].value(buckets.of(&self.rules, next)), &mut rng);
            }
            paths[mover].buckets.push(buckets.of(&self.rules, &pos) as u32);
            plies += 1;
        };
        match outcome {
            Outcome::Draw => paths.iter_mut().for_each(|path| path.drawn = true),
            // Who moved last is there already.
            Outcome::Win(winner) => {
                let mover = self.rules.to_move(&pos).other();
                paths[mover.other().index()].buckets.push(winner.index() as u32);
            }
        }
        (outcome, plies, paths)
    }
}

/// The best of some positions; equals are drawn with equal chances.
fn best(positions: impl Iterator<Item = Position>, value: impl Fn(&Position) -> f64, rng: &mut Rng) -> Position {
    let mut best = None;
    let mut equals = 0;
    for pos in positions {
        let found = value(&pos);
        equals = match best {
            Some((known, _)) if known == found => equals + 1,
            Some((known, _)) if known > found => continue,
            _ => 1,
        };
        if equals == 1 || scale(rng.next_u32(), equals) == 0 {
            best = Some((found, pos));
        }
    }
    best.expect("a game that goes on has moves").1
}

impl Pipeline for Learner {
    fn step(&mut self, context: &TrainContext) -> Result<Step, LearnError> {
        let before = self.state.clone();
        let tally = self.block(context).inspect_err(|_| self.state = before)?;
        let share = |count: u64| count as f64 / tally.games.max(1) as f64;
        let [first, second] = &self.state.models;
        let live = (self.with.buckets - END_BUCKETS) as f64;
        let results =
            [("first wins", tally.wins[0]), ("second wins", tally.wins[1]), ("drawn", tally.draws)].into_iter();
        let results =
            results.flat_map(|(which, count)| banded(&format!("result/{which}"), share(count), tally.games as f64));
        let values = [
            ("length/plies", share(tally.plies)),
            ("seen/first", first.seen() as f64 / live),
            ("seen/second", second.seen() as f64 / live),
            ("updates/a game", share(first.updates() + second.updates())),
            ("transitions/first", first.transitions() as f64),
            ("transitions/second", second.transitions() as f64),
        ];
        let games = self.state.games;
        let mut metric = Metric::new(games, values);
        metric.values.extend(results);
        Ok(Step { metrics: vec![metric], snapshot: games.is_multiple_of(10 * BLOCK) })
    }

    fn progress(&self) -> Progress {
        let seen: usize = self.state.models.iter().map(Model::seen).sum();
        let says = format!("{seen} of {} buckets seen", 2 * self.with.buckets);
        Progress { done: self.state.games, total: self.with.games, unit: "games", says }
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(&self.state).expect("numbers and lists always serialize")
    }

    fn product(&self) -> Product {
        let mut weights = Weights::new("pentago-mdp", Made { games: self.state.games, ..Made::default() });
        weights.values.insert("hash".into(), vec![f64::from(self.with.hash)]);
        weights.values.insert("shifted".into(), vec![f64::from(u8::from(self.with.shifted))]);
        weights.values.extend(self.state.features.clone().map(|features| ("features".into(), features)));
        for (player, model) in Player::BOTH.into_iter().zip(&self.state.models) {
            // Six decimals: far finer than the tolerance.
            let values = (0..self.with.buckets).map(|bucket| (model.value(bucket) * 1e6).round() / 1e6);
            weights.values.insert(player.to_string(), values.collect());
        }
        let total = |of: fn(&Model) -> usize| self.state.models.iter().map(of).sum::<usize>().to_string();
        let notes = [("transitions", total(Model::transitions)), ("bytes", total(Model::bytes))];
        weights.made.notes.extend(notes.map(|(name, value)| (name.to_owned(), value)));
        Product::Weights(weights)
    }
}
