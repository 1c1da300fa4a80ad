//! Caps the memory and threads of agents.

use quintet_eval::{Argument, Spec};

use crate::exact;

/// The argument for a kind's memory, and its default in MiB.
pub(crate) fn memory(kind: &str) -> Option<(&'static str, u64)> {
    match kind {
        "mcts" => Some(("memory", 512)),
        "puct" => Some(("memory", 256)),
        "ordered" => Some(("memory", 64)),
        "pvs" => Some(("table", 64)),
        exact::KIND => Some(("memory", exact::MEMORY)),
        _ => None,
    }
}

/// The same agent with at most this many MiB, also for the agent after a book: larger and missing values are replaced by the cap.
pub(crate) fn within(mut spec: Spec, most: u64) -> Spec {
    for (_, value) in &mut spec.arguments {
        if let Argument::Spec(inner) = value {
            *inner = within(inner.clone(), most);
        }
    }
    // Only the person who runs the program may use all of its cores.
    if spec.kind == exact::KIND && spec.arguments.iter().all(|(name, _)| name != "threads") {
        spec = spec.with(vec![("threads".to_owned(), plain(1))]);
    }
    let Some((key, usual)) = memory(&spec.kind) else { return spec };
    let given = spec.arguments.iter().find(|(name, _)| name == key).map(|(_, value)| value.to_string());
    // An invalid number is left for the builder to refuse.
    let asked = given.map_or(Ok(usual), |text| text.parse::<u64>());
    match asked {
        Ok(asked) if asked > most => spec.with(vec![(key.to_owned(), plain(most))]),
        _ => spec,
    }
}

fn plain(number: u64) -> Argument {
    Argument::Spec(Spec { kind: number.to_string(), arguments: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_more_than_is_granted() {
        for (asked, given) in [
            ("mcts", "mcts(memory=64)"),
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
            assert_eq!(within(Spec::parse(asked).unwrap(), 64).to_string(), given);
        }
    }
}
