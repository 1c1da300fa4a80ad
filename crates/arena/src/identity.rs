//! Who the players of a run are, with all names resolved.

use quintet_agent::Catalogue;
use quintet_eval::SpecError;
use quintet_game::{GameSpec, Limit};
use serde::{Deserialize, Serialize};

use crate::plan::Plan;

/// A player of a run with all names resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Its full spec.
    pub spec: String,
    /// Name and checksum of the weights, books, tables and strategies that it uses.
    pub weights: Vec<(String, String)>,
    /// The limit of its name in the catalogue, which applies when nothing else limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

impl Identity {
    /// The players of a plan for its game. One that cannot play this variant may not be known in full: then its spec is what the plan says.
    #[must_use]
    pub fn of_players(plan: &Plan, spec: &GameSpec, agents: &Catalogue) -> Vec<Identity> {
        let identify = |agent: &str| -> Result<Identity, SpecError> {
            let resolved = agents.resolve_agent(spec, agent)?;
            let limit = resolved.default_limit();
            Ok(Identity { weights: agents.checksums(spec, agent)?, spec: resolved.spec.to_string(), limit })
        };
        let unknown = |agent: &str| Identity { spec: agent.to_owned(), ..Identity::default() };
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
