//! What visitors may ask for: agents that run no programs, read no files and take little memory.

use std::fmt;
use std::sync::Arc;

use quintet_agent::{ALL_CORES, Catalogue, Seat};
use quintet_eval::{Argument, Spec};
use quintet_game::GameSpec;

use crate::ApiError;
use crate::place::short_spec;

/// Memory of a visitor's search, in MiB: enough for Pentago from 20 marbles on.
pub const VISITOR_MEMORY: u64 = 72;

/// An agent for a visitor, with at most [`VISITOR_MEMORY`].
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_api::visitor_agent;
/// let (agents, spec) = (Catalogue::embedded(), quintet_game::GameSpec::parse("pylos").unwrap());
/// assert!(visitor_agent(agents, &spec, "level:4", 1).is_ok());
/// assert!(visitor_agent(agents, &spec, "ugi(cmd=\"./engine\")", 1).is_err());
/// ```
///
/// # Errors
/// When there is no such agent, or it does what visitors may not.
pub fn visitor_agent(agents: &Catalogue, spec: &GameSpec, text: &str, seed: u64) -> Result<Box<dyn Seat>, ApiError> {
    let resolved = agents.resolve_agent(spec, short_spec(text)?).map_err(ApiError::invalid)?;
    modest(&resolved.spec)?;
    resolved.within(VISITOR_MEMORY).seat(agents, spec, seed).map_err(ApiError::invalid)
}

/// How the agents of visitors are made: by [`visitor_agent`], unless a test wants agents that fail.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_api::{ApiError, Seats};
/// let (agents, spec) = (Catalogue::embedded(), quintet_game::GameSpec::parse("pylos").unwrap());
/// assert!(Seats::default().make(agents, &spec, "mcts", 1).is_ok());
/// let closed = Seats::new(|_, _, _, _| Err(ApiError::invalid("no agents today")));
/// assert!(closed.make(agents, &spec, "mcts", 1).is_err());
/// ```
#[derive(Clone)]
pub struct Seats(Arc<MakeSeat>);

type MakeSeat = dyn Fn(&Catalogue, &GameSpec, &str, u64) -> Result<Box<dyn Seat>, ApiError> + Send + Sync;

impl Seats {
    /// Made in another way.
    pub fn new(
        make: impl Fn(&Catalogue, &GameSpec, &str, u64) -> Result<Box<dyn Seat>, ApiError> + Send + Sync + 'static,
    ) -> Seats {
        Seats(Arc::new(make))
    }

    /// Makes an agent for a game; `seed` determines all its random choices.
    ///
    /// # Errors
    /// When there is no such agent, or it does what visitors may not.
    pub fn make(&self, agents: &Catalogue, spec: &GameSpec, text: &str, seed: u64) -> Result<Box<dyn Seat>, ApiError> {
        (self.0)(agents, spec, text, seed)
    }
}

impl Default for Seats {
    fn default() -> Seats {
        Seats::new(visitor_agent)
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seats")
    }
}

/// Refuses what runs programs, reads files, or takes more than one thread. All cores may be asked for, as champions do: a visitor gets one of them.
///
/// # Errors
/// With a sentence that says what visitors may not have.
pub fn modest(spec: &Spec) -> Result<(), ApiError> {
    if spec.kind == "ugi" {
        return Err(ApiError::invalid("outside engines are not started for visitors; use them with quintet play"));
    }
    for (key, value) in &spec.arguments {
        let number = || value.to_string().parse::<u64>().unwrap_or(u64::MAX);
        match (key.as_str(), value) {
            ("threads", cores) if cores.to_string() == ALL_CORES => {}
            ("threads", _) if number() > 1 => return Err(ApiError::invalid("threads: visitors have at most one")),
            (_, Argument::Text(_)) => return Err(ApiError::invalid(format!("{key}: files are not read for visitors"))),
            (_, Argument::Spec(inner)) => modest(inner)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_get_modest_agents() {
        let spec = GameSpec::parse("pylos").unwrap();
        let ask = |text: &str| visitor_agent(Catalogue::embedded(), &spec, text, 1).map(|_| ());
        for good in [
            "random",
            "pylos:ordered",
            "mcts(visits=5)",
            "mcts(memory=9999)",
            "puct(threads=all)",
            "pvs(eval=difference,table=8)",
        ] {
            assert!(ask(good).is_ok(), "{good}");
        }
        for (bad, says) in [
            ("ugi(cmd=\"touch /tmp/x\")", "outside engines"),
            ("pvs(eval=difference,threads=8)", "threads"),
            ("greedy(eval=difference(weights=\"/etc/passwd\"))", "files are not read"),
            ("nobody", "nobody"),
        ] {
            let error = ask(bad).unwrap_err();
            assert!(error.to_string().contains(says), "{bad}: {error}");
        }
    }
}
