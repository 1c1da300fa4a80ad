//! What agents know about each game besides its rules, evaluations and solvers.

use quintet_eval::{Evaluated, SpecError, WeightStore};
use quintet_game::pathwayz::Pathwayz;
use quintet_game::pentago::Pentago;
use quintet_game::pylos::Pylos;
use quintet_game::twixt::Twixt;
use quintet_game::{Game as _, GameSpec};
use quintet_search::{MiddlePlan, Search};
use quintet_solve::Solvable;
use quintet_solve::pylos::{Near, Table, TableError};

use crate::{exact, first_peg, small};

/// What this crate knows about a game. A game without anything special needs an empty `impl`.
pub trait AgentGame: Evaluated + Solvable {
    /// The search of the kind `exact`: plays what is proven, and asks another agent elsewhere. By default it solves small boards.
    ///
    /// # Errors
    /// When something that it needs is missing.
    fn exact(parts: ExactParts<Self>) -> Result<Box<dyn Search<Self>>, SpecError> {
        let memory = parts.memory(small::MEMORY);
        Ok(Box::new(small::BySolving { other: parts.other()?, memory }))
    }

    /// Is the position so early that a solver would only waste the time of a move? Maps of openings are asked all the same.
    fn is_too_early(&self, _pos: &Self::Pos) -> bool {
        false
    }

    /// The search of the kind `middle-plan`, if it is for this game.
    fn middle_plan() -> Option<Box<dyn Search<Self>>> {
        None
    }
}

/// The parts of the search of the kind `exact`.
pub struct ExactParts<'a, G: AgentGame> {
    pub(crate) spec: &'a GameSpec,
    pub(crate) store: &'a WeightStore,
    /// The agent that plays what is not proven, if one was named.
    pub(crate) other: Option<Box<dyn Search<G>>>,
    /// Threads, if configured.
    pub(crate) threads: Option<usize>,
    /// Memory in MiB, if configured.
    pub(crate) memory: Option<u64>,
}

/// Describes the agent that plays what is not proven.
pub(crate) const OTHER_WANTED: &str = "the agent that plays what is not proven yet, as in agent=pvs(eval=pentago-35)";

impl<G: AgentGame> ExactParts<'_, G> {
    /// The memory in bytes, given the default in MiB.
    fn memory(&self, usual: u64) -> u64 {
        self.memory.unwrap_or(usual).saturating_mul(1 << 20)
    }

    /// The other agent, which must be given.
    fn other(self) -> Result<Box<dyn Search<G>>, SpecError> {
        let (key, value, wanted) = ("exact(agent".into(), String::new(), OTHER_WANTED.into());
        self.other.ok_or(SpecError::BadValue { key, value, wanted })
    }
}

impl AgentGame for Pathwayz {}

impl<const W: usize, const B: usize> AgentGame for Twixt<W, B> {
    /// On boards that are not solved, the first peg and the swap are chosen by the map of openings.
    fn exact(parts: ExactParts<Self>) -> Result<Box<dyn Search<Self>>, SpecError> {
        let memory = parts.memory(small::MEMORY);
        let other = Box::new(first_peg::ByFirstPeg { other: parts.other()? });
        Ok(Box::new(small::BySolving { other, memory }))
    }

    /// On 10x10 and 11x11, 12,000 positions solved none of 64 positions with up to four pegs, and 21 of 32 with five or six.
    fn is_too_early(&self, pos: &Self::Pos) -> bool {
        self.size() > 9 && self.pieces(pos) < 5
    }
}

impl AgentGame for Pentago {
    fn exact(parts: ExactParts<Pentago>) -> Result<Box<dyn Search<Pentago>>, SpecError> {
        let (threads, memory) = (parts.threads, parts.memory(exact::MEMORY));
        Ok(Box::new(exact::ByMiddle { other: parts.other()?, threads, memory }))
    }

    fn middle_plan() -> Option<Box<dyn Search<Pentago>>> {
        Some(Box::new(MiddlePlan))
    }
}

impl AgentGame for Pylos {
    /// By the solved table if there is one, otherwise by the built-in strategy, otherwise as the other agent plays.
    fn exact(parts: ExactParts<Pylos>) -> Result<Box<dyn Search<Pylos>>, SpecError> {
        let (data, memory) = (parts.store.data(), parts.memory(exact::NEAR_MEMORY));
        let table = match data.directory() {
            Some(data) => Table::open(&data.join("tables"), parts.spec).map_err(|error| {
                use TableError::{File, Foreign, Unchecked};
                let is_broken = matches!(error, File { .. } | Foreign { .. } | Unchecked { .. });
                (is_broken, format!("cannot play: {error}"))
            }),
            None => Err((false, "needs a data directory with tables.".into())),
        };
        let unusable = |why: String| Err(SpecError::Unusable { what: exact::KIND.into(), why });
        match (table, exact::strategy_for(parts.spec, data), parts.other) {
            (Ok(table), ..) => Ok(Box::new(exact::ByTable { table, fault: None })),
            (Err(_), Ok(Some(strategy)), Some(other)) => {
                let near = Near::beside(&strategy).with_memory(usize::try_from(memory).unwrap_or(usize::MAX));
                Ok(Box::new(exact::ByStrategy { near, strategy, other, winning: false }))
            }
            // Nothing is known of these rules but what the other agent finds.
            (Err((false, _)), Ok(None), Some(other)) => Ok(other),
            (Err(_), Err(error), _) => unusable(format!("cannot play: {error}")),
            (Err((_, why)), ..) => unusable(why),
        }
    }
}
