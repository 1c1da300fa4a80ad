//! Exact values.

use quintet_agent::exact;
use quintet_game::{Limit, Proof, Stop, Value};
use serde::Serialize;

use crate::{Api, ApiError, Place};

/// Exact values: how a position must end, if a prover knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ExactAnswer {
    /// Not known.
    Unknown {
        /// Always false.
        known: bool,
        /// Why not.
        why: String,
    },
    /// It is proven.
    Known {
        /// Always true.
        known: bool,
        /// For the side to move.
        outcome: Proof,
        /// Plies to the end, if known.
        distance: Option<u32>,
        /// Who knows it.
        by: String,
        /// The moves with proven values, the best first.
        moves: Vec<ExactMove>,
    },
}

/// A move whose value is proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExactMove {
    #[serde(rename = "move")]
    mv: String,
    outcome: Proof,
    distance: Option<u32>,
}

impl Api {
    /// How a position must end, if a prover knows within the limit.
    ///
    /// # Errors
    /// When a move or the position is refused.
    pub fn exact(&self, place: &Place, limit: &Limit, stop: &Stop) -> Result<ExactAnswer, ApiError> {
        let line = place.line()?;
        let moved = |(mv, Value { proof, plies }): (String, Value)| ExactMove { mv, outcome: proof, distance: plies };
        Ok(match exact(&self.provers, &*line, limit, stop) {
            Err(why) => ExactAnswer::Unknown { known: false, why: why.to_string() },
            Ok(known) => ExactAnswer::Known {
                known: true,
                outcome: known.value.proof,
                distance: known.value.plies,
                by: known.by,
                moves: known.moves.into_iter().map(moved).collect(),
            },
        })
    }
}
