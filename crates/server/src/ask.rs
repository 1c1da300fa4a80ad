//! What strangers may ask for: games of a bounded length, agents that run no programs, read no files and take little.

use quintet_agent::{Catalogue, Seat};
use quintet_eval::{Call, Value};
use quintet_game::{GameSpec, Table};
use serde::Deserialize;

use crate::answer::{Refused, state};

/// The most plies of a game.
pub const LONGEST_GAME: usize = 1000;

/// Memory of a stranger's search, in MiB: enough for Pentago from 20 marbles on.
const MEMORY: u64 = 72;

/// A position: a game, where it began, and its moves.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    /// The game.
    pub game: String,
    /// Where it began, if not at its own start; `from`, as a state calls it, is the same.
    #[serde(alias = "from")]
    pub position: Option<String>,
    /// The moves since.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Place {
    /// The table that the moves lead to.
    ///
    /// # Errors
    /// When something is wrong with it; the part before a bad move is in the refusal.
    pub fn table(&self) -> Result<Box<dyn Table>, Refused> {
        if self.moves.len() > LONGEST_GAME {
            return Err(Refused::because(format!("a game has at most {LONGEST_GAME} plies here")));
        }
        let spec = GameSpec::parse(&self.game).map_err(Refused::because)?;
        let mut table = match &self.position {
            Some(position) => spec.table_at(position).map_err(Refused::because)?,
            None => spec.table(),
        };
        for mv in &self.moves {
            if let Err(error) = table.try_play(mv) {
                let mut refused = Refused::because(&error);
                refused.body["ply"] = error.ply.into();
                refused.body["state"] = state(&*table);
                return Err(refused);
            }
        }
        Ok(table)
    }
}

/// An agent for a stranger, with as much memory as strangers have, whatever it would take.
///
/// # Errors
/// When there is no such agent, or it does what strangers may not.
pub fn agent(agents: &Catalogue, spec: &GameSpec, text: &str, seed: u64) -> Result<Box<dyn Seat>, Refused> {
    let resolved = agents.resolved(spec, text).map_err(Refused::because)?;
    modest(&Call::parse(&resolved).map_err(Refused::because)?)?;
    agents.seat_within(spec, text, seed, MEMORY).map_err(Refused::because)
}

/// Refuses what runs programs, reads files, or takes more than one thread.
///
/// # Errors
/// With a sentence that says what visitors may have.
pub fn modest(call: &Call) -> Result<(), Refused> {
    if call.kind == "ugi" {
        return Err(Refused::because("outside engines are not started for visitors; play them with quintet play"));
    }
    for (key, value) in &call.arguments {
        let number = || value.to_string().parse::<u64>().unwrap_or(u64::MAX);
        match (key.as_str(), value) {
            ("threads", _) if number() > 1 => return Err(Refused::because("threads: visitors have one")),
            (_, Value::Text(_)) => return Err(Refused::because(format!("{key}: no files are read for visitors"))),
            (_, Value::Call(inner)) => modest(inner)?,
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
        let ask = |text: &str| agent(Catalogue::embedded(), &spec, text, 1).map(|_| ());
        for good in ["random", "pylos:ordered", "mcts(visits=5)", "mcts(memory=9999)", "pvs(eval=difference,table=8)"] {
            assert!(ask(good).is_ok(), "{good}");
        }
        for (bad, says) in [
            ("ugi(cmd=\"touch /tmp/x\")", "outside engines"),
            ("pvs(eval=difference,threads=8)", "threads"),
            ("greedy(eval=difference(weights=\"/etc/passwd\"))", "no files"),
            ("nobody", "nobody"),
        ] {
            let refused = ask(bad).unwrap_err();
            assert!(refused.body["error"].as_str().unwrap().contains(says), "{bad}: {:?}", refused.body);
        }
    }
}
