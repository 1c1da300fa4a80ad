//! Questions about one position that need no search.

use quintet_eval::Spec;
use quintet_game::Player;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place::short_spec;
use crate::{Api, ApiError, Place, State, modest, state};

/// A position whose evaluation is to be explained.
#[derive(Clone, Debug, Deserialize)]
pub struct Explain {
    #[serde(flatten)]
    place: Place,
    eval: String,
    #[serde(rename = "for")]
    view: Option<String>,
}

impl Api {
    /// The state that some moves lead to.
    ///
    /// # Errors
    /// When a move or the position is refused.
    pub fn position(&self, place: &Place) -> Result<State, ApiError> {
        Ok(state(&*place.line()?))
    }

    /// An evaluation term by term.
    ///
    /// # Errors
    /// When the position or the evaluation makes no sense.
    pub fn explain(&self, asked: &Explain) -> Result<Value, ApiError> {
        let line = asked.place.line()?;
        let view = match asked.view.as_deref().map(str::parse::<Player>) {
            None => None,
            Some(Ok(player)) => Some(player),
            Some(Err(_)) => return Err(ApiError::invalid("\"for\" must be first or second")),
        };
        let eval = Spec::parse(short_spec(&asked.eval)?).map_err(ApiError::invalid)?;
        modest(&eval)?;
        let explained = quintet_eval::explain(&line.spec(), &line.position(), &eval, view, self.agents.weight_store());
        let explained = explained.map_err(ApiError::invalid)?;
        let term = |term: &quintet_eval::Term| json!({ "name": term.name, "value": term.value, "weight": term.weight });
        let terms: Vec<Value> = explained.terms.iter().map(term).collect();
        let mut answer = json!({ "for": explained.view, "value": explained.value, "terms": terms });
        if !explained.policy.is_empty() {
            let share = |(mv, share): &(String, f64)| json!({ "move": mv, "share": share });
            answer["policy"] = explained.policy.iter().map(share).collect();
        }
        Ok(answer)
    }

    /// A position as SVG.
    ///
    /// # Errors
    /// When a move or the position is refused.
    pub fn picture(&self, place: &Place) -> Result<String, ApiError> {
        Ok(quintet_draw::svg(&*place.line()?))
    }
}
