//! The kinds of agents in specs.

use std::time::Duration;

use quintet_game::Limit;

use crate::{book, exact};

/// The kind of outside engines.
pub(crate) const ENGINE: &str = "ugi";

/// A kind of agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name in specs.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The arguments it takes besides its limits.
    pub arguments: &'static str,
}

const fn kind(name: &'static str, about: &'static str, arguments: &'static str) -> Kind {
    Kind { name, about, arguments }
}

/// All kinds. Each takes those of the limits `time`, `nodes`, `depth` and `visits` that apply to it. All but outside engines also
/// take `random-first`, the number of random moves at the start of a game, `slips`, the probability of a random move instead
/// of its own, `sees-wins=no|yes`, whether a win in one is never missed, and `variety`, the temperature at which the moves of the first `variety-plies` (6) plies
/// are drawn by their visits. The slips of `puct` are drawn from the priors of its
/// moves with a `slip-temperature`. The minimax family takes `order=natural|random|best`, `duplicates=keep|drop` and, in TwixT,
/// `candidates=all|chains|near`.
pub const KINDS: &[Kind] = &[
    kind("random", "a uniformly random move", ""),
    kind("greedy", "the best position after one move", "eval, ties, ends, utility, floor"),
    kind(
        "minimax",
        "full width to a depth (3)",
        "eval, ties, ends, utility, pieces-per-ply, order, duplicates, candidates",
    ),
    kind(
        "alphabeta",
        "minimax with pruning",
        "eval, ties, ends, utility, pieces-per-ply, order, duplicates, candidates",
    ),
    kind(
        "id-minimax",
        "minimax depth by depth, until the result is known or time (1s) is up",
        "eval, ties, ends, utility, early-stop, time-rule, order, duplicates, candidates",
    ),
    kind(
        "id-alphabeta",
        "alphabeta depth by depth",
        "eval, ties, ends, utility, early-stop, time-rule, order, duplicates, candidates",
    ),
    kind(
        "best-first",
        "id-alphabeta with the last depth's best move first",
        "eval, ties, ends, utility, early-stop, time-rule, order, duplicates, candidates",
    ),
    kind(
        "ordered",
        "id-alphabeta with moves ordered by scores remembered from move to move",
        "eval, ties, ends, utility, early-stop, time-rule, memory (MiB), order, duplicates, candidates",
    ),
    kind(
        "pvs",
        "our own alpha-beta, depth by depth until time (1s) is up",
        "eval, ties, threads, table (64 MiB), exact=no|yes, reductions=no|yes",
    ),
    kind(
        "beam",
        "only the most promising moves of each ply",
        "eval, widths (10-5-1), backup=minimax|mean|line, promise=mover|root, threat=none|minimax|line, ties, ends, utility, memory (MiB)",
    ),
    kind(
        "expectimax",
        "the mean over the opponent's most promising replies",
        "eval, replies (10), pieces-per-ply (20), promise, threat, ties, ends, utility, memory (MiB)",
    ),
    kind(
        "monte-carlo",
        "random games after the most promising moves",
        "eval, top (10), games after each (1000), worth=win|value, ties, ends, utility",
    ),
    kind(
        "mcts",
        "tree search over random games (10000 visits), with proofs or, as in the papers, without; with a width, only over the moves that an evaluation rates best",
        "c, memory (MiB), width, eval (with a width), proofs=yes|no",
    ),
    kind(
        "puct",
        "our tree search with an evaluation, or with random games (10000 visits), with proofs",
        "eval, c, temperature, scale, threads (a number, or all: all cores where only the wall clock limits it, else 1), batch, reuse=yes|no, memory (MiB), slip-temperature",
    ),
    kind(
        "caller",
        "the Pentago-Twist paper's player: wins in one, then a shallow alphabeta",
        "eval, mode=printed|as-programmed",
    ),
    kind(
        "pai-mcts",
        "the tree search of the Pathwayz paper's program (10000 visits)",
        "eval, width (10), ends, utility, memory (512 MiB)",
    ),
    kind(
        book::KIND,
        "the move of an opening book if it has one, otherwise another agent's",
        "agent, book=NAME or book=\"FILE\"",
    ),
    kind(
        exact::KIND,
        "exact play: Pylos by its solved table, Pentago and Pentago-Twist by solving the rest of the game or proving a win, small boards of TwixT and Pathwayz by solving them; elsewhere another agent's move (1s)",
        "agent, threads (all cores against a clock, else 1), memory (MiB; 1024, 128 for Pylos without a table, or 32 for TwixT and Pathwayz)",
    ),
    kind("middle-plan", "builds a middle row or column of two quadrants (Pentago and Pentago-Twist)", ""),
    kind(
        ENGINE,
        "an outside engine that speaks UGI (1s)",
        "cmd=\"PROGRAM ARGUMENT…\", start, grace, keep=yes|no, memory (MiB)",
    ),
];

/// The arguments that limit a search.
pub(crate) const LIMITS: [&str; 4] = ["time", "nodes", "depth", "visits"];

/// The default limit of a kind, if neither its spec nor the request limits it.
pub(crate) fn default_limit(kind: &str) -> Limit {
    match kind {
        "minimax" | "alphabeta" => Limit::depth(3),
        "id-minimax" | "id-alphabeta" | "best-first" | "ordered" | "pvs" | exact::KIND => {
            Limit::time(Duration::from_secs(1))
        }
        "mcts" | "puct" | "pai-mcts" => Limit::visits(10_000),
        _ => Limit::default(),
    }
}
