//! An evaluation of any game's position, term by term.

use quintet_game::notation::{Fault, PositionError};
use quintet_game::{Game as _, GameSpec, Notation as _, Player, with_game};

use crate::{Spec, Term, WeightStore};

/// An evaluation of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// For whom.
    pub view: Player,
    /// The value.
    pub value: f64,
    /// The terms; the sum of their values times weights is the value.
    pub terms: Vec<Term>,
}

/// Evaluates a position, given as text, for `view` or else for the side to move. A finished position is evaluated too.
///
/// ```
/// use quintet_eval::{Spec, WeightStore, explain};
/// use quintet_game::GameSpec;
/// let spec = GameSpec::parse("pylos").unwrap();
/// let position = "LD............../........./..../. l";
/// let explanation = explain(&spec, position, &Spec::parse("height").unwrap(), None, WeightStore::embedded()).unwrap();
/// assert_eq!(explanation.value, 0.0);
/// assert_eq!(explanation.terms[0].name, "myHeight");
/// ```
///
/// # Errors
/// When the position or the evaluation is invalid, with a sentence that says why.
pub fn explain(
    game: &GameSpec,
    position: &str,
    eval: &Spec,
    view: Option<Player>,
    store: &WeightStore,
) -> Result<Explanation, Fault> {
    with_game!(game, |game| {
        let eval = store.evaluation(&game, eval).map_err(|e| Fault(e.to_string()))?;
        let pos = game.read_position(position).map_err(|fault| Fault(PositionError(fault).to_string()))?;
        let view = view.unwrap_or_else(|| game.to_move(&pos));
        Ok(Explanation { view, value: eval.value(&game, &pos, view), terms: eval.terms(&game, &pos, view) })
    })
}
