//! The Pentago paper's way to better weights: a set of weights plays itself with a slight deviation, and the winner stays.

use std::sync::Arc;

use quintet_eval::{Evaluate, Evaluated, Spec, SpecError, WeightStore, Weights, evaluation_with};
use quintet_game::bits::mix;
use quintet_game::{GameSpec, Limit, Line, Outcome, Player, Rng, SeedableRng, with_game};
use quintet_search::{Ends, Greedy, Quiet, Search};
use rand_core::Rng as _;
use serde::{Deserialize, Serialize};

use crate::share::banded;
use crate::{LearnError, Metric, Pipeline, Product, Progress, Recipe, Step, TrainContext};

/// Games per step.
const BLOCK: u64 = 50;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// The game.
    game: String,
    /// A linear model; its weights are the first ones.
    eval: String,
    games: u64,
    /// The deviation of a weight w has the standard deviation `relative` |w| + `absolute`.
    relative: f64,
    absolute: f64,
}

#[derive(Clone, Serialize, Deserialize)]
struct EvolutionState {
    games: u64,
    /// Games that the deviation won.
    taken: u64,
    /// The weights, in the order of the features; empty before the first step.
    first: Vec<f64>,
    current: Vec<f64>,
    names: Vec<String>,
}

/// Weights that evolve.
pub(crate) struct Evolution {
    with: Parameters,
    spec: GameSpec,
    eval: Spec,
    seed: u64,
    state: EvolutionState,
}

/// Starts the pipeline `evolve`.
pub(crate) fn start(
    recipe: &Recipe,
    seed: u64,
    state: Option<serde_json::Value>,
) -> Result<Box<dyn Pipeline>, LearnError> {
    let with: Parameters = recipe.parameters()?;
    let spec = GameSpec::parse(&with.game).map_err(|error| LearnError::Recipe(error.to_string()))?;
    let eval = Spec::parse(&with.eval)?;
    if !(with.relative >= 0.0 && with.absolute > 0.0) {
        let why = "relative must not be negative, and absolute must be above 0.";
        return Err(LearnError::Recipe(why.into()));
    }
    let state = match state {
        Some(state) => serde_json::from_value(state)?,
        None => EvolutionState { games: 0, taken: 0, first: Vec::new(), current: Vec::new(), names: Vec::new() },
    };
    Ok(Box::new(Evolution { with, spec, eval, seed, state }))
}

impl Evolution {
    /// The standard deviation of the deviations of a weight.
    fn spread(&self, weight: f64) -> f64 {
        self.with.relative * weight.abs() + self.with.absolute
    }

    fn deviated(&self, number: u64) -> Vec<f64> {
        let mut rng = Rng::seed_from_u64(mix(mix(self.seed ^ mix(number)) ^ DEVIATION));
        self.state.current.iter().map(|weight| weight + self.spread(*weight) * gauss(&mut rng)).collect()
    }

    fn weights(&self, values: &[f64]) -> Weights {
        Weights::linear(&self.eval.kind, self.state.names.iter().map(String::as_str).zip(values.iter().copied()))
    }

    /// A weight on a scale on which every deviation has the standard deviation 1, wherever the weight is: the integral of its
    /// inverse.
    fn place(&self, weight: f64) -> f64 {
        let Parameters { relative, absolute, .. } = self.with;
        if relative == 0.0 {
            return weight / absolute;
        }
        weight.signum() * libm::log1p(relative * weight.abs() / absolute) / relative
    }

    /// How far the weights are from the first ones, in deviations: the root of the mean square over weights. With
    /// deviations taken by chance alone this is the root of their number.
    fn distance(&self) -> f64 {
        let moved = |(first, now): (&f64, &f64)| (self.place(*now) - self.place(*first)).powi(2);
        let sum: f64 = self.state.first.iter().zip(&self.state.current).map(moved).sum();
        (sum / self.state.first.len().max(1) as f64).sqrt()
    }

    /// Plays the next game and keeps the winner's weights.
    fn evolve(&mut self, store: &WeightStore) -> Result<(), LearnError> {
        if self.state.names.is_empty() {
            let terms = with_game!(self.spec, |game| Terms { eval: &self.eval, store }.visit(game))?;
            self.state.first = terms.iter().map(|(_, weight)| *weight).collect();
            self.state.current.clone_from(&self.state.first);
            self.state.names = terms.into_iter().map(|(name, _)| name).collect();
        }
        let number = self.state.games;
        let other = self.deviated(number);
        // The seats alternate.
        let challenger = Player::BOTH[(1 - number % 2) as usize];
        let mut sets = [self.weights(&self.state.current), self.weights(&other)];
        if challenger == Player::First {
            sets.swap(0, 1);
        }
        let seed = mix(self.seed ^ mix(number));
        let outcome = with_game!(self.spec, |game| Duel { eval: &self.eval, weights: sets, seed }.visit(game))?;
        self.state.games += 1;
        if outcome == Outcome::Win(challenger) {
            self.state.taken += 1;
            self.state.current = other;
        }
        Ok(())
    }
}

/// A random stream of its own, apart from the players'.
const DEVIATION: u64 = 0x6465_7669_6174_6573;

/// A number of the normal distribution, by Marsaglia's polar method. The logarithm is not the platform's, so that the stream is the
/// same everywhere.
fn gauss(rng: &mut Rng) -> f64 {
    let mut unit = || (rng.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
    loop {
        let (x, y) = (unit(), unit());
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

/// The names and first weights of an evaluation.
struct Terms<'a> {
    eval: &'a Spec,
    store: &'a WeightStore,
}

impl Terms<'_> {
    fn visit<G: Evaluated>(self, game: G) -> Result<Vec<(String, f64)>, SpecError> {
        let eval = self.store.evaluation(&game, self.eval)?;
        let terms = eval.terms(&game, &game.start(), Player::First);
        Ok(terms.into_iter().map(|term| (term.name, term.weight)).collect())
    }
}

/// A game of two greedy players with weights of their own.
struct Duel<'a> {
    eval: &'a Spec,
    weights: [Weights; 2],
    seed: u64,
}

impl Duel<'_> {
    fn visit<G: Evaluated>(self, game: G) -> Result<Outcome, SpecError> {
        let mut seed = self.seed;
        let mut players = Vec::new();
        for weights in self.weights {
            let eval: Box<dyn Evaluate<G>> = evaluation_with(&game, self.eval, weights)?;
            seed = mix(seed);
            players.push(Greedy::new(eval, Ends::default(), Some(seed)));
        }
        let mut line = Line::new(Arc::new(game));
        loop {
            if let Some((outcome, _)) = line.end() {
                return Ok(outcome);
            }
            let choice = players[line.to_move().index()].think(&line, &Limit::default(), &mut Quiet);
            line.play(choice.mv);
        }
    }
}

impl Pipeline for Evolution {
    fn step(&mut self, context: &TrainContext) -> Result<Step, LearnError> {
        let before = self.state.clone();
        let until = (before.games + BLOCK).min(self.with.games);
        while self.state.games < until {
            let game = context.go_on().and_then(|()| self.evolve(context.agents.weight_store()));
            game.inspect_err(|_| self.state.clone_from(&before))?;
        }
        let games = (until - before.games) as f64;
        let taken = (self.state.taken - before.taken) as f64 / games.max(1.0);
        let mut metric = Metric::new(until, [("distance/from the start", self.distance())]);
        metric.values.extend(banded("taken/share", taken, games));
        let weights = self.state.names.iter().zip(&self.state.current);
        metric.values.extend(weights.map(|(name, weight)| (format!("weight/{name}"), *weight)));
        Ok(Step { metrics: vec![metric], snapshot: until.is_multiple_of(10 * BLOCK) })
    }

    fn progress(&self) -> Progress {
        let says = format!("{} deviations taken, distance {:.2}", self.state.taken, self.distance());
        Progress { done: self.state.games, total: self.with.games, unit: "games", says }
    }

    fn save(&self) -> serde_json::Value {
        serde_json::to_value(&self.state).expect("numbers and lists always serialize")
    }

    fn product(&self) -> Product {
        let mut weights = self.weights(&self.state.current);
        weights.made.games = self.state.games;
        weights.made.notes.insert("distance".into(), format!("{:.3}", self.distance()));
        weights.made.notes.insert("taken".into(), self.state.taken.to_string());
        Product::Weights(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recipes;

    #[test]
    fn deviations_are_normal() {
        let mut rng = Rng::seed_from_u64(1);
        let drawn: Vec<f64> = (0..40_000).map(|_| gauss(&mut rng)).collect();
        let share = |inside: f64| drawn.iter().filter(|x| x.abs() < inside).count() as f64 / drawn.len() as f64;
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        assert!(mean.abs() < 0.02, "{mean}");
        // The shares within one, two and three standard deviations.
        for (inside, wanted) in [(1.0, 0.6827), (2.0, 0.9545), (3.0, 0.9973)] {
            assert!((share(inside) - wanted).abs() < 0.01, "{inside}: {}", share(inside));
        }
    }

    /// On the scale of places a deviation is as large for every weight.
    #[test]
    fn distance_is_in_deviations() {
        let recipe = Recipes::embedded().find("pentago:evolved").unwrap();
        let with: Parameters = recipe.parameters().unwrap();
        let (spec, eval) = (GameSpec::parse(&with.game).unwrap(), Spec::parse(&with.eval).unwrap());
        let state = EvolutionState { games: 0, taken: 0, first: Vec::new(), current: Vec::new(), names: Vec::new() };
        let evolution = Evolution { with, spec, eval, seed: 1, state };
        for weight in [-1000.0, -3.0, 0.0, 0.1, 20.0] {
            // A hundredth of a deviation to either side, by the definition of the standard deviation.
            let step = 0.01 * evolution.spread(weight);
            let moved = evolution.place(weight + step) - evolution.place(weight - step);
            assert!((moved - 0.02).abs() < 2e-5, "{weight}: {moved}");
        }
    }

    /// Game by game as the text has it: the current set and its deviation meet, the seats alternate, the winner's set is the next
    /// current one, and a draw changes nothing.
    #[test]
    fn the_winner_stays() {
        let recipe = Recipes::embedded().find("pentago:evolved").unwrap();
        let with: Parameters = recipe.parameters().unwrap();
        let spec = GameSpec::parse(&with.game).unwrap();
        let eval = Spec::parse(&with.eval).unwrap();
        let state = EvolutionState { games: 0, taken: 0, first: Vec::new(), current: Vec::new(), names: Vec::new() };
        let mut evolution = Evolution { with, spec, eval, seed: 3, state };
        evolution.with.relative = 0.5;
        evolution.evolve(WeightStore::embedded()).unwrap();
        let mut seen = [0; 2];
        for number in 1..30 {
            let (current, other) = (evolution.state.current.clone(), evolution.deviated(number));
            let current_first = number % 2 == 0;
            let sets = if current_first { [&current, &other] } else { [&other, &current] };
            let game = quintet_game::pentago::Pentago::turn_first();
            let weights = |set: &Vec<f64>| evolution.weights(set);
            let mut seed = mix(mix(3 ^ mix(number)));
            let mut players = sets.map(|set| {
                let eval = evaluation_with(&game, &evolution.eval, weights(set)).unwrap();
                let player = Greedy::new(eval, Ends::default(), Some(seed));
                seed = mix(seed);
                player
            });
            let mut line = Line::new(Arc::new(game));
            while line.outcome().is_none() {
                let mover = line.to_move().index();
                let mv = players[mover].think(&line, &Limit::default(), &mut Quiet).mv;
                line.play(mv);
            }
            let wanted = match line.outcome().unwrap() {
                Outcome::Draw => &current,
                Outcome::Win(Player::First) => sets[0],
                Outcome::Win(Player::Second) => sets[1],
            };
            seen[usize::from(*wanted == other)] += 1;
            let wanted = wanted.clone();
            evolution.evolve(WeightStore::embedded()).unwrap();
            assert_eq!(evolution.state.current, wanted, "game {number}");
        }
        assert!(seen.iter().all(|count| *count > 3), "{seen:?}");
        assert_eq!(evolution.state.games, 30);
    }
}
