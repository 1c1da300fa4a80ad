//! The student: weights of the features of positions, many or few.

use quintet_agent::AgentGame;
use quintet_eval::pathwayz::grid::{self, Grids};
use quintet_eval::{Model, Spec, SpecError, WeightStore, Weights};
use quintet_game::pathwayz::Pathwayz;
use quintet_game::pentago::Pentago;
use quintet_game::pylos::Pylos;
use quintet_game::twixt::Twixt;
use quintet_game::{Game, Playable, Player};
use serde_json::{Value, json};

use crate::LearnError;

/// The features of a position that are not 0: which, and how much.
pub(super) type Features = Vec<(u32, f64)>;

/// Weights that can be changed, and the values they give positions.
pub(super) trait Student<G: Game>: Send {
    /// The sum of features times weights.
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64;

    /// The features of a position.
    fn look(&self, game: &G, pos: &G::Pos, view: Player) -> Features;

    fn weight(&self, feature: u32) -> f64;

    fn add(&mut self, feature: u32, more: f64);

    /// All weights.
    fn save(&self) -> Value;

    /// Takes over what [`Student::save`] gave.
    fn restore(&mut self, state: &Value) -> Result<(), LearnError>;

    /// Takes over the weights of its features, and no others.
    fn begin_with(&mut self, weights: &Weights);

    /// The weights as a file.
    fn product(&self) -> Weights;

    /// The names and weights of all features, or of the largest where there are many.
    fn largest(&self) -> Vec<(String, f64)>;

    /// Whether all weights are finite.
    fn is_sane(&self) -> bool;

    /// A copy with the same weights.
    fn twin(&self) -> Box<dyn Student<G>>;
}

/// The value of features by the present weights.
pub(super) fn worth<G: Game>(student: &dyn Student<G>, seen: &Features) -> f64 {
    seen.iter().map(|(feature, value)| student.weight(*feature) * value).sum()
}

/// The student that an evaluation's name asks for.
pub(super) fn student<G: Taught>(
    game: &G,
    features: &str,
    only: &[String],
    unit: f64,
) -> Result<Box<dyn Student<G>>, LearnError> {
    let spec = Spec::parse(features)?;
    if spec.kind == "pathwayz-grid" {
        spec.arguments().finish()?;
        return G::grids(unit).ok_or_else(|| {
            let why = "is only for boards of pathwayz.".into();
            LearnError::Spec(SpecError::Unusable { what: spec.kind.clone(), why })
        });
    }
    let mut few =
        Few { model: WeightStore::embedded().model(game, &spec)?, learned: Vec::new(), features: features.to_owned() };
    few.choose(only)?;
    Ok(Box::new(few))
}

/// What learning knows of a game beside its evaluations and agents. A game that has nothing of its own needs an empty `impl`.
pub(super) trait Taught: AgentGame {
    /// The features of `pathwayz-grid`, if they are for this game.
    fn grids(_unit: f64) -> Option<Box<dyn Student<Self>>> {
        None
    }
}

impl Taught for Pylos {}
impl Taught for Pentago {}
impl<const W: usize, const B: usize> Taught for Twixt<W, B> {}
impl Taught for Pathwayz {
    fn grids(unit: f64) -> Option<Box<dyn Student<Pathwayz>>> {
        Some(Box::new(Many { grids: Grids::default(), unit }))
    }
}

/// The most features whose curves are all drawn.
const DRAWN: usize = 60;
/// As many features as the paper shows.
const LARGEST: usize = 15;

/// The features of a linear evaluation.
struct Few<G: Game> {
    model: Model<G>,
    /// Which features are learned.
    learned: Vec<bool>,
    features: String,
}

impl<G: Game> Few<G> {
    fn names(&self) -> &[String] {
        self.model.features().names()
    }

    /// Learns only the features of these names; all, if empty.
    fn choose(&mut self, only: &[String]) -> Result<(), LearnError> {
        if let Some(unknown) = only.iter().find(|name| !self.names().contains(name)) {
            return Err(LearnError::Recipe(format!("\"{unknown}\" is not a feature of {}.", self.features)));
        }
        self.learned = self.names().iter().map(|name| only.is_empty() || only.contains(name)).collect();
        self.forget();
        Ok(())
    }

    /// What is not learned counts nothing.
    fn forget(&mut self) {
        for (weight, learned) in self.model.weights_mut().iter_mut().zip(&self.learned) {
            if !learned {
                *weight = 0.0;
            }
        }
    }
}

impl<G: Playable> Student<G> for Few<G> {
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64 {
        self.model.value(game, pos, view)
    }

    fn look(&self, game: &G, pos: &G::Pos, view: Player) -> Features {
        self.model.with_values(game, pos, view, |values| {
            let all = (0..).zip(values.iter().copied()).zip(&self.learned);
            all.filter(|((_, value), learned)| **learned && *value != 0.0).map(|(seen, _)| seen).collect()
        })
    }

    fn weight(&self, feature: u32) -> f64 {
        self.model.weights()[feature as usize]
    }

    fn add(&mut self, feature: u32, more: f64) {
        self.model.weights_mut()[feature as usize] += more;
    }

    fn save(&self) -> Value {
        json!(self.model.weights())
    }

    fn restore(&mut self, state: &Value) -> Result<(), LearnError> {
        let weights: Vec<f64> = serde_json::from_value(state.clone())?;
        let mine = self.model.weights_mut();
        if weights.len() != mine.len() {
            let why = format!("the saved state has {} weights, not {}.", weights.len(), mine.len());
            return Err(LearnError::Recipe(why));
        }
        mine.copy_from_slice(&weights);
        Ok(())
    }

    fn begin_with(&mut self, weights: &Weights) {
        let known: Vec<f64> = self.names().iter().map(|name| weights.number(name).unwrap_or(0.0)).collect();
        self.model.weights_mut().copy_from_slice(&known);
        self.forget();
    }

    fn product(&self) -> Weights {
        let mut weights = self.model.to_weights();
        weights.made.notes.insert("features".into(), self.features.clone());
        weights
    }

    fn largest(&self) -> Vec<(String, f64)> {
        let weights = self.model.weights().iter().copied();
        let mut named: Vec<(String, f64)> = self.names().iter().cloned().zip(weights).collect();
        if named.len() > DRAWN {
            named.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
            named.truncate(LARGEST);
        }
        named
    }

    fn is_sane(&self) -> bool {
        self.model.weights().iter().all(|weight| weight.is_finite())
    }

    fn twin(&self) -> Box<dyn Student<G>> {
        Box::new(Few { model: self.model.clone(), learned: self.learned.clone(), features: self.features.clone() })
    }
}

/// All 3x3 grids and columns of Pathwayz: weights come as features are met.
#[derive(Clone)]
struct Many {
    grids: Grids,
    unit: f64,
}

impl Student<Pathwayz> for Many {
    fn value(&self, game: &Pathwayz, pos: &<Pathwayz as Game>::Pos, view: Player) -> f64 {
        quintet_eval::Evaluate::value(&self.grids, game, pos, view)
    }

    /// As white sees them; for black the values are negative.
    fn look(&self, game: &Pathwayz, pos: &<Pathwayz as Game>::Pos, view: Player) -> Features {
        let mut seen = Vec::new();
        grid::features(game, pos, |feature| seen.push((feature.code, grid::sign(view) * feature.value)));
        seen
    }

    fn weight(&self, feature: u32) -> f64 {
        self.grids.weight(feature)
    }

    fn add(&mut self, feature: u32, more: f64) {
        self.grids.add(feature, more);
    }

    fn save(&self) -> Value {
        json!(self.grids.sorted())
    }

    fn restore(&mut self, state: &Value) -> Result<(), LearnError> {
        let weights: Vec<(u32, f64)> = serde_json::from_value(state.clone())?;
        self.grids = Grids::default();
        weights.into_iter().for_each(|(code, weight)| self.grids.add(code, weight));
        Ok(())
    }

    fn begin_with(&mut self, weights: &Weights) {
        self.grids = Grids::read(weights).unwrap_or_default();
    }

    fn product(&self) -> Weights {
        let mut weights = self.grids.to_weights(self.unit);
        let kept = weights.values["gaps"].len();
        let says =
            format!("{} features were met; {kept} count at least half of the unit and are kept.", self.grids.len());
        weights.made.notes.insert("features".into(), says);
        weights
    }

    fn largest(&self) -> Vec<(String, f64)> {
        vec![("features met".into(), self.grids.len() as f64)]
    }

    fn is_sane(&self) -> bool {
        self.grids.sorted().iter().all(|(_, weight)| weight.is_finite())
    }

    fn twin(&self) -> Box<dyn Student<Pathwayz>> {
        Box::new(self.clone())
    }
}
