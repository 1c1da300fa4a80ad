//! Agents that take no more of the machine than somebody grants them.

use quintet_eval::{Argument, Spec};

use crate::exact;

/// The argument by which a kind says how much memory it takes, and how many MiB that is when nobody says.
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

/// The same agent with at most so many MiB: whoever asks for more, or for nothing in particular, gets what is granted. Also the agent behind a book.
pub(crate) fn within(mut call: Spec, most: u64) -> Spec {
    for (_, value) in &mut call.arguments {
        if let Argument::Spec(inner) = value {
            *inner = within(inner.clone(), most);
        }
    }
    // Nobody but who runs the program gives all its cores away.
    if call.kind == exact::KIND && call.arguments.iter().all(|(name, _)| name != "threads") {
        call = call.with(vec![("threads".to_owned(), plain(1))]);
    }
    let Some((key, usual)) = memory(&call.kind) else { return call };
    let given = call.arguments.iter().find(|(name, _)| name == key).map(|(_, value)| value.to_string());
    // What is no number is left for the builder to refuse.
    let asked = given.map_or(Ok(usual), |text| text.parse::<u64>());
    match asked {
        Ok(asked) if asked > most => call.with(vec![(key.to_owned(), plain(most))]),
        _ => call,
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
