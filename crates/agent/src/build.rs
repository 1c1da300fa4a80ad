//! From a spec to a running search.

use std::time::Duration;

use quintet_eval::{Arguments, Call, CallError, Evaluate, evaluation};
use quintet_game::Playable;
use quintet_search::{Ends, Greedy, Limit, Mcts, Minimax, RandomMove, Search};

/// A kind of agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name in specs.
    pub name: &'static str,
    /// What it does, with its arguments.
    pub about: &'static str,
}

/// The kinds there are. Every one takes the limits `time`, `nodes`, `depth` and `visits` that mean something to it.
pub const KINDS: &[Kind] = &[
    Kind { name: "random", about: "a uniformly random move" },
    Kind { name: "greedy", about: "the best position after one move; eval, ties=random|first" },
    Kind { name: "minimax", about: "full width to a depth (3); eval, ties" },
    Kind { name: "alphabeta", about: "minimax with pruning; eval, ties" },
    Kind {
        name: "id-minimax",
        about: "minimax depth by depth, until the result is known or time (1s) is up; eval, ties",
    },
    Kind { name: "id-alphabeta", about: "alphabeta depth by depth; eval, ties" },
    Kind { name: "best-first", about: "id-alphabeta with the last depth's best move first; eval, ties" },
    Kind { name: "mcts", about: "tree search over random games (10000 visits), with proofs; c" },
];

/// What a kind does when neither its spec nor the request limits it.
fn default_limit(kind: &str) -> Limit {
    match kind {
        "minimax" | "alphabeta" => Limit::depth(3),
        "id-minimax" | "id-alphabeta" | "best-first" => Limit::time(Duration::from_secs(1)),
        "mcts" => Limit { visits: Some(10_000), ..Limit::default() },
        _ => Limit::default(),
    }
}

/// A search with the limit that its spec gives it.
pub(crate) struct Built<G: Playable> {
    pub search: Box<dyn Search<G>>,
    limit: Limit,
    /// Counts when nothing else limits the search.
    default: Limit,
    /// Does it grow a tree by visits, or look ahead by depth?
    by_visits: bool,
}

impl<G: Playable> Built<G> {
    /// The limit of a request together with the agent's own: the smaller holds, and the default where none means anything to it.
    pub fn limit(&self, request: &Limit) -> Limit {
        let limit = self.limit.smaller(request);
        let own = if self.by_visits { limit.visits.is_some() } else { limit.depth.is_some() };
        if own || limit.time.is_some() || limit.nodes.is_some() { limit } else { limit.smaller(&self.default) }
    }
}

/// Builds the agent that `call` names.
pub(crate) fn build<G: Playable>(game: &G, call: &Call, seed: u64) -> Result<Built<G>, CallError> {
    let mut arguments = call.arguments();
    let search: Box<dyn Search<G>> = match call.kind.as_str() {
        "random" => Box::new(RandomMove::new(seed)),
        "mcts" => Box::new(Mcts::new(seed).with_exploration(arguments.number("c", std::f64::consts::SQRT_2)?)),
        "greedy" => {
            let eval = read_eval(game, call, &mut arguments)?;
            Box::new(Greedy::new(eval, Ends::default(), read_ties(&mut arguments, seed)?))
        }
        "minimax" | "alphabeta" | "id-minimax" | "id-alphabeta" | "best-first" => {
            let eval = read_eval(game, call, &mut arguments)?;
            let mut search = Minimax::new(eval, Ends::default(), 3);
            if let Some(seed) = read_ties(&mut arguments, seed)? {
                search = search.with_seed(seed);
            }
            if call.kind.contains("alphabeta") || call.kind == "best-first" {
                search = search.with_pruning();
            }
            if call.kind.starts_with("id-") || call.kind == "best-first" {
                search = search.with_deepening(true);
            }
            Box::new(if call.kind == "best-first" { search.with_best_first() } else { search })
        }
        _ => return Err(unknown_kind(&call.kind)),
    };
    let limit = Limit {
        time: arguments.time("time")?,
        nodes: arguments.count("nodes")?,
        depth: arguments.count("depth")?.map(|depth| depth.min(u64::from(u32::MAX)) as u32),
        visits: arguments.count("visits")?,
        stop: None,
    };
    arguments.finish()?;
    Ok(Built { search, limit, default: default_limit(&call.kind), by_visits: call.kind == "mcts" })
}

fn unknown_kind(kind: &str) -> CallError {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    CallError::UnknownKind { kind: kind.to_owned(), what: "agent".into(), known: names.join(", ") }
}

fn read_eval<G: Playable>(game: &G, call: &Call, arguments: &mut Arguments) -> Result<Box<dyn Evaluate<G>>, CallError> {
    let wanted = "the name of an evaluation; `quintet explain GAME` lists them";
    match arguments.call("eval", wanted)? {
        Some(eval) => evaluation(game, eval),
        None => {
            Err(CallError::BadValue { key: format!("{}(eval", call.kind), value: String::new(), wanted: wanted.into() })
        }
    }
}

/// The seed that breaks ties, `None` for the first of equal moves.
fn read_ties(arguments: &mut Arguments, seed: u64) -> Result<Option<u64>, CallError> {
    Ok((arguments.word("ties", &["random", "first"])? == 0).then_some(seed))
}
