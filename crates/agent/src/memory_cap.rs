//! Caps the memory and threads of agents.

use quintet_eval::{Argument, Spec};
use quintet_game::{AnyGame, GameSpec};

use crate::build::ALL_CORES;
use crate::{exact, small};

/// The argument for a kind's memory, and its default in MiB. All other kinds keep nothing but the moves and positions of one line.
pub(crate) fn memory(kind: &str, game: &GameSpec) -> Option<(&'static str, u64)> {
    match kind {
        "mcts" | "pai-mcts" => Some(("memory", 512)),
        "puct" => Some(("memory", 256)),
        "ordered" => Some(("memory", 64)),
        "pvs" => Some(("table", 64)),
        // Without a cap: the papers' searches are as deep as they are.
        "beam" | "expectimax" => Some(("memory", u64::MAX)),
        exact::KIND => Some(("memory", exact_memory(game).0)),
        _ => None,
    }
}

/// The default memory of the kind `exact` in MiB; and whether that includes the other agent's.
fn exact_memory(game: &GameSpec) -> (u64, bool) {
    match game.rules() {
        AnyGame::Pentago(_) => (exact::MEMORY, true),
        AnyGame::Pylos(_) => (exact::NEAR_MEMORY, false),
        _ => (small::MEMORY, false),
    }
}

/// The same agent with at most this many MiB in all, also for the agents inside it: larger and missing values are replaced by the cap.
pub(crate) fn within(mut spec: Spec, game: &GameSpec, most: u64) -> Spec {
    // Exact play and the other agent share the memory.
    let (own, inner) = match spec.kind == exact::KIND {
        true if exact_memory(game).1 => (most, most / 2),
        true => (most.div_ceil(2), most / 2),
        false => (most, most),
    };
    for (_, value) in &mut spec.arguments {
        if let Argument::Spec(other) = value {
            *other = within(other.clone(), game, inner);
        }
    }
    // Only the person who runs the program may use all of its cores.
    let threads = spec.arguments.iter().find(|(name, _)| name == "threads").map(|(_, value)| value.to_string());
    if threads.as_deref() == Some(ALL_CORES) || (spec.kind == exact::KIND && threads.is_none()) {
        spec = spec.with(vec![("threads".to_owned(), plain(1))]);
    }
    let Some((key, usual)) = memory(&spec.kind, game) else { return spec };
    let given = spec.arguments.iter().find(|(name, _)| name == key).map(|(_, value)| value.to_string());
    // An invalid number is left for the builder to refuse.
    let asked = given.map_or(Ok(usual), |text| text.parse::<u64>());
    match asked {
        Ok(asked) if asked > own => spec.with(vec![(key.to_owned(), plain(own))]),
        _ => spec,
    }
}

/// The most MiB that an agent and those within it may take. The papers' beams without a cap count nothing: they keep one line of their few moves.
pub(crate) fn most(spec: &Spec, game: &GameSpec) -> u64 {
    let inner = |(_, value): &(String, Argument)| match value {
        Argument::Spec(inner) => most(inner, game),
        Argument::Text(_) => 0,
    };
    let inner = spec.arguments.iter().map(inner).fold(0, u64::saturating_add);
    let Some((key, usual)) = memory(&spec.kind, game) else { return inner };
    let given =
        spec.arguments.iter().find(|(name, _)| name == key).and_then(|(_, value)| value.to_string().parse().ok());
    let own = given.unwrap_or(if usual == u64::MAX { 0 } else { usual });
    let shared = spec.kind == exact::KIND && exact_memory(game).1;
    if shared { own.max(inner) } else { own.saturating_add(inner) }
}

fn plain(number: u64) -> Argument {
    Argument::Spec(Spec { kind: number.to_string(), arguments: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_may_take_counts_its_defaults_and_those_within() {
        for (game, agent, takes) in [
            ("pentago", "mcts", 512),
            ("pentago", "mcts(memory=8)", 8),
            ("pentago", "pvs(eval=e3,table=65)", 65),
            ("pentago", "book(agent=mcts)", 512),
            ("pentago", "exact(agent=mcts)", 1024),
            ("pentago", "exact(agent=mcts,memory=100)", 512),
            ("pylos", "exact(agent=mcts)", 640),
            ("pathwayz", "beam(eval=longest-path)", 0),
            ("pathwayz", "beam(eval=longest-path,memory=9)", 9),
        ] {
            assert_eq!(most(&Spec::parse(agent).unwrap(), &GameSpec::parse(game).unwrap()), takes, "{agent}");
        }
    }

    #[test]
    fn nobody_gets_more_than_is_granted() {
        for (asked, given) in [
            ("mcts", "mcts(memory=64)"),
            ("pai-mcts(eval=e3)", "pai-mcts(eval=e3,memory=64)"),
            ("beam(eval=e3,widths=0-0)", "beam(eval=e3,widths=0-0,memory=64)"),
            ("exact(agent=mcts)", "exact(agent=mcts(memory=32),threads=1,memory=64)"),
            ("mcts(visits=5,memory=9999)", "mcts(visits=5,memory=64)"),
            ("mcts(memory=8)", "mcts(memory=8)"),
            ("puct(eval=height)", "puct(eval=height,memory=64)"),
            ("pvs(eval=height)", "pvs(eval=height)"),
            ("pvs(eval=height,table=65)", "pvs(eval=height,table=64)"),
            ("book(agent=mcts(visits=5))", "book(agent=mcts(visits=5,memory=64))"),
            ("greedy(eval=height)", "greedy(eval=height)"),
            ("exact(agent=random)", "exact(agent=random,threads=1,memory=64)"),
            ("exact(agent=random,threads=2,memory=9)", "exact(agent=random,threads=2,memory=9)"),
            ("mcts(memory=much)", "mcts(memory=much)"),
        ] {
            let game = GameSpec::parse("pentago").unwrap();
            assert_eq!(within(Spec::parse(asked).unwrap(), &game, 64).to_string(), given);
        }
        for (game, given) in [
            ("pylos", "exact(agent=mcts(memory=32),threads=1,memory=32)"),
            ("twixt", "exact(agent=mcts(memory=32),threads=1)"),
        ] {
            let asked = Spec::parse("exact(agent=mcts)").unwrap();
            assert_eq!(within(asked, &GameSpec::parse(game).unwrap(), 64).to_string(), given);
        }
    }
}
