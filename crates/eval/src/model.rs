//! Linear evaluations with accessible features and weights, for learning.

use std::sync::Arc;

use quintet_game::{Game, Player};

use crate::{Features, Spec, SpecError, Weights};

/// The features of a linear evaluation and their weights.
///
/// ```
/// use quintet_eval::{Spec, WeightStore};
/// use quintet_game::{Game, Player, pathwayz::Pathwayz};
/// let game = Pathwayz::new(8, 12);
/// let mut model = WeightStore::embedded().model(&game, &Spec::parse("pathwayz-9").unwrap()).unwrap();
/// assert_eq!(model.value(&game, &game.start(), Player::First), 0.0);
/// assert_eq!(model.features().names()[0], "myLongestPath");
/// assert_eq!(model.weights()[0], 20.0);
/// model.weights_mut()[0] = 21.0;
/// assert_eq!(model.to_weights().number("myLongestPath"), Ok(21.0));
/// ```
pub struct Model<G: Game> {
    kind: String,
    features: Arc<dyn Features<G>>,
    weights: Vec<f64>,
}

// Written by hand because the features are shared: neither they nor the game need be `Clone`.
impl<G: Game> Clone for Model<G> {
    fn clone(&self) -> Model<G> {
        Model { kind: self.kind.clone(), features: Arc::clone(&self.features), weights: self.weights.clone() }
    }
}

/// Models up to this size need no allocation for a value.
const MOST: usize = 512;

/// Products summed in parallel: the compiler keeps them in one register, and the sum is the same on every machine.
const LANES: usize = 8;

impl<G: Game> Model<G> {
    /// A model with a weight for each feature; `kind` is the evaluation that reads the weights.
    ///
    /// # Panics
    /// If the numbers of features and weights differ.
    #[must_use]
    pub fn new(kind: &str, features: impl Features<G>, weights: Vec<f64>) -> Model<G> {
        assert_eq!(features.names().len(), weights.len(), "a weight for each feature");
        Model { kind: kind.to_owned(), features: Arc::new(features), weights }
    }

    /// The features.
    #[must_use]
    pub fn features(&self) -> &dyn Features<G> {
        &*self.features
    }

    /// The weights, in the order of the features' names.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The same, for changing.
    pub fn weights_mut(&mut self) -> &mut [f64] {
        &mut self.weights
    }

    /// The weights in the form of a file.
    #[must_use]
    pub fn to_weights(&self) -> Weights {
        Weights::linear(&self.kind, self.features.names().iter().map(String::as_str).zip(self.weights.iter().copied()))
    }

    /// The sum of features times weights, as `view` sees it.
    pub fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64 {
        self.with_values(game, pos, view, |values| {
            let (values, rest) = values.as_chunks::<LANES>();
            let (weights, rest_weights) = self.weights.as_chunks::<LANES>();
            let mut sums = [0.0; LANES];
            for (values, weights) in values.iter().zip(weights) {
                (0..LANES).for_each(|lane| sums[lane] += values[lane] * weights[lane]);
            }
            let rest = rest.iter().zip(rest_weights).map(|(value, weight)| value * weight);
            sums.into_iter().sum::<f64>() + rest.sum::<f64>()
        })
    }

    /// Runs `f` on the features' values.
    pub fn with_values<T>(&self, game: &G, pos: &G::Pos, view: Player, f: impl FnOnce(&[f64]) -> T) -> T {
        let count = self.weights.len();
        let extract = |values: &mut [f64]| {
            self.features.extract(game, pos, view, values);
            f(values)
        };
        match count {
            0..=64 => extract(&mut [0.0; 64][..count]),
            65..=MOST => extract(&mut [0.0; MOST][..count]),
            _ => extract(&mut vec![0.0; count]),
        }
    }
}

/// The error for an evaluation whose weights cannot be learned.
pub(crate) fn not_linear(spec: &Spec) -> SpecError {
    let why = "has no weights that could be learned. Those that have: pathwayz-52 and pathwayz-440 in pathwayz, pentago-35 and e3-10 in pentago, \
               pylos-20 in pylos, rich in twixt."
        .into();
    SpecError::Unusable { what: spec.kind.clone(), why }
}
