//! Linear models over named features: one type for all games.

use quintet_game::{Game, Player};

use crate::{Evaluate, Term};

/// Named numbers of a position.
///
/// ```
/// use quintet_eval::{Evaluate, Features, Linear};
/// use quintet_game::{Game, Player, pylos::Pylos};
///
/// struct Reserves(Vec<String>);
///
/// impl Features<Pylos> for Reserves {
///     fn names(&self) -> &[String] {
///         &self.0
///     }
///
///     fn extract(&self, _game: &Pylos, pos: &<Pylos as Game>::Pos, view: Player, out: &mut [f64]) {
///         out[0] = f64::from(pos.reserve(view));
///         out[1] = f64::from(pos.reserve(view.other()));
///     }
/// }
///
/// let eval = Linear::new(Reserves(vec!["own".into(), "other".into()]), vec![1.0, -0.5]);
/// let game = Pylos::default();
/// assert_eq!(eval.value(&game, &game.start(), Player::First), 7.5);
/// assert_eq!(eval.terms(&game, &game.start(), Player::First)[1].name, "other");
/// ```
pub trait Features<G: Game>: Send + Sync + 'static {
    /// The names, in the order in which [`Features::extract`] writes the values.
    fn names(&self) -> &[String];

    /// Writes the values as `view` sees them into `out`, which is all zero and as long as the names.
    fn extract(&self, game: &G, pos: &G::Pos, view: Player, out: &mut [f64]);
}

/// The weighted sum of features.
#[derive(Clone, Debug)]
pub struct Linear<F> {
    features: F,
    weights: Vec<f64>,
    antisymmetric: bool,
}

/// Feature sets up to this size need no allocation, and small ones no large buffer to clear.
const FEW: usize = 8;
const MANY: usize = 128;

impl<F> Linear<F> {
    /// A model with a weight for each feature.
    ///
    /// # Panics
    /// If the numbers of features and weights differ.
    pub fn new<G: Game>(features: F, weights: Vec<f64>) -> Linear<F>
    where
        F: Features<G>,
    {
        assert_eq!(features.names().len(), weights.len(), "a weight for each feature");
        Linear { features, weights, antisymmetric: false }
    }

    /// The same model, declared antisymmetric: every feature and weight of one side has its negative on the other.
    #[must_use]
    pub fn declared_antisymmetric(mut self) -> Linear<F> {
        self.antisymmetric = true;
        self
    }

    /// The weights, in the order of the features' names.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Runs `f` on the features' values.
    fn with_values<G: Game, T>(&self, game: &G, pos: &G::Pos, view: Player, f: impl FnOnce(&[f64]) -> T) -> T
    where
        F: Features<G>,
    {
        let count = self.weights.len();
        let extract = |values: &mut [f64]| {
            self.features.extract(game, pos, view, values);
            f(values)
        };
        if count <= FEW {
            extract(&mut [0.0; FEW][..count])
        } else if count <= MANY {
            extract(&mut [0.0; MANY][..count])
        } else {
            extract(&mut vec![0.0; count])
        }
    }
}

impl<G: Game, F: Features<G>> Evaluate<G> for Linear<F> {
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64 {
        self.with_values(game, pos, view, |values| values.iter().zip(&self.weights).map(|(v, w)| v * w).sum())
    }

    fn terms(&self, game: &G, pos: &G::Pos, view: Player) -> Vec<Term> {
        self.with_values(game, pos, view, |values| {
            let named = self.features.names().iter().zip(values).zip(&self.weights);
            named.map(|((name, &value), &weight)| Term { name: name.clone(), value, weight }).collect()
        })
    }

    fn antisymmetric(&self) -> bool {
        self.antisymmetric
    }
}
