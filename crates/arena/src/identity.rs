//! Who the players of a run are, with all names resolved.

use quintet_agent::Catalogue;
use quintet_eval::SpecError;
use quintet_game::GameSpec;
use serde::{Deserialize, Serialize};

use crate::plan::Plan;

/// A player of a run with all names resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Its full spec.
    pub spec: String,
    /// Name and checksum of the weights and books that it uses.
    pub weights: Vec<(String, String)>,
}

impl Identity {
    /// The players of a plan for its game. One that cannot play this variant may not be known in full: then its spec is what the plan says.
    #[must_use]
    pub fn of_players(plan: &Plan, spec: &GameSpec, agents: &Catalogue) -> Vec<Identity> {
        let identify = |agent: &str| -> Result<Identity, SpecError> {
            Ok(Identity { weights: agents.checksums(spec, agent)?, spec: agents.resolved(spec, agent)? })
        };
        let unknown = |agent: &str| Identity { spec: agent.to_owned(), weights: Vec::new() };
        let agents = plan.players.iter().map(|player| player.agent.as_str());
        agents.map(|agent| identify(agent).unwrap_or_else(|_| unknown(agent))).collect()
    }

    /// The weights as a JSON object; none when it uses none.
    #[cfg(feature = "store")]
    pub(crate) fn weights_text(&self) -> Option<String> {
        let object: serde_json::Map<String, serde_json::Value> =
            self.weights.iter().map(|(name, sum)| (name.clone(), sum.as_str().into())).collect();
        (!object.is_empty()).then(|| serde_json::Value::Object(object).to_string())
    }
}
