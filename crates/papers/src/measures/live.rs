//! TwixT: whether the page's trace of a search is complete.

use quintet_agent::{Catalogue, Step, Trace};
use quintet_game::{AnyLine, GameSpec, Limit};

use super::{Follower, Measured, row};

const SIZES: std::ops::RangeInclusive<u32> = 5..=8;

/// The searches of the paper that are shown, with their depth, and whether they look at all moves.
const SEARCHES: [(&str, u32, bool); 4] = [
    ("twixt:minimax", 2, true),
    ("twixt:alphabeta", 3, false),
    ("twixt:id-alphabeta", 3, false),
    ("twixt:best-first", 3, false),
];

/// The number of sequences of up to `depth` moves.
fn sequences(table: &dyn AnyLine, depth: u32) -> u64 {
    (1..=depth).map(|depth| table.perft(depth, &mut |_, _| {})).sum()
}

/// The number of positions in a trace, if every one that is entered is left again and none is left twice.
fn shown(trace: &Trace) -> Option<u64> {
    let (mut open, mut shown) = (0_u64, 0);
    for step in &trace.steps {
        match step {
            Step::Enter { .. } => (open, shown) = (open + 1, shown + 1),
            Step::Leave { .. } => open = open.checked_sub(1)?,
            Step::Cut | Step::Depth { .. } => {}
        }
    }
    (open == 0).then_some(shown)
}

/// Every search on every size.
pub fn live(agents: &Catalogue, follower: &mut Follower) -> Vec<Measured> {
    let mut rows = Vec::new();
    for size in SIZES {
        let spec = GameSpec::parse(&format!("twixt(size={size},rules=paper)")).expect("a game of the registry");
        let table = spec.line();
        for (agent, depth, all) in SEARCHES {
            let seat = agents.seat(&spec, agent, 1);
            let traced = seat.map_err(|error| error.to_string()).and_then(|mut seat| {
                let traced = seat.trace(&*table, &Limit::depth(depth), follower.stop, usize::MAX);
                traced.map_err(|error| error.to_string())
            });
            if follower.sample() {
                return Vec::new();
            }
            let what = format!("{agent} to depth {depth} on {size}x{size}");
            rows.push(match traced {
                Ok(trace) => compared(what, &trace, all.then(|| sequences(&*table, depth))),
                Err(why) => row(what, CLAIM, why, 0, Some(false), "it could not be traced"),
            });
        }
    }
    rows
}

const CLAIM: &str = "the search is shown";

fn compared(what: String, trace: &Trace, sequences: Option<u64>) -> Measured {
    let (shown, nodes) = (shown(trace), trace.choice.nodes);
    let holds = shown == Some(nodes) && sequences.is_none_or(|count| count == nodes);
    let mut ours = format!("{} of {nodes} positions shown, {} cut-offs", shown.unwrap_or(0), trace.cuts);
    if let Some(count) = sequences {
        ours += &format!("; the rules allow {count} sequences");
    }
    row(
        what,
        CLAIM,
        ours,
        nodes,
        Some(holds),
        "every position that the search counts is entered and left once in its trace",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::Stop;

    #[test]
    fn a_trace_that_lacks_a_step_does_not_hold() {
        let spec = GameSpec::parse("twixt(size=5,rules=paper)").unwrap();
        let mut seat = Catalogue::embedded().seat(&spec, "twixt:minimax", 1).unwrap();
        let mut trace = seat.trace(&*spec.line(), &Limit::depth(2), &Stop::never(), usize::MAX).unwrap();
        let count = sequences(&*spec.line(), 2);
        assert_eq!(compared(String::new(), &trace, Some(count)).verdict, quintet_arena::stats::Verdict::SameDirection);
        assert_eq!(compared(String::new(), &trace, Some(count + 1)).verdict, quintet_arena::stats::Verdict::Differs);
        let at = trace.steps.iter().position(|step| matches!(step, Step::Leave { .. })).unwrap();
        trace.steps.remove(at);
        assert_eq!(compared(String::new(), &trace, Some(count)).verdict, quintet_arena::stats::Verdict::Differs);
    }
}
