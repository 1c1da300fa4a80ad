//! Small boards of TwixT and Pathwayz, solved on demand; the first peg of TwixT by the shipped maps.

use quintet_game::{Limit, Line, Proof};
use quintet_search::{Choice, Search, Watch};

use crate::AgentGame;
use crate::exact::score;

/// The default memory of a solver, in MiB. It starts empty for every request, so that the same request has the same answer.
pub(crate) const MEMORY: u64 = 32;

/// The most bytes ever used, because all of them are written before a request is answered.
const MOST: u64 = 256 << 20;

/// The most positions if neither time nor nodes are limited.
const USUAL: u64 = 1_000_000;

/// Positions that take about as long as a visit of a tree search with a net.
const A_VISIT: u64 = 50;

/// The most positions that the other agent may search to choose among several draws.
const TIE_NODES: u64 = 20_000;

/// Solves the position with half of its limit, and asks another agent where that does not suffice. It plays the shortest win or
/// the longest loss; of draws, the other agent's choice if it is one.
pub(crate) struct BySolving<G: AgentGame> {
    pub other: Box<dyn Search<G>>,
    /// The memory in bytes.
    pub memory: u64,
}

impl<G: AgentGame> Search<G> for BySolving<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let began = limit.start();
        let by_visits = limit.visits.map(|visits| visits.saturating_mul(A_VISIT).min(USUAL));
        let unlimited = if limit.time.is_some() { u64::MAX } else { by_visits.unwrap_or(USUAL) };
        let early = line.game().is_too_early(line.position());
        let nodes = if early { 0 } else { limit.nodes.map_or(unlimited, |nodes| nodes / 2) };
        let half =
            Limit { time: limit.time.map(|time| time / 2), nodes: Some(nodes), depth: None, visits: None, ..*limit };
        let (bytes, stop) = (self.memory.min(MOST) as usize, watch.stop());
        let solution = line.game().solve_small(line.position(), bytes, &half, &|| stop.stopped());
        let left = Limit { nodes: limit.nodes.map(|nodes| nodes.div_ceil(2)), ..limit.after(&began) };
        let Some((solution, value)) = solution.and_then(|solution| solution.value.map(|value| (solution, value)))
        else {
            return self.other.think(line, &left, watch);
        };
        let mut best = solution.moves.into_iter().filter(|(_, of)| *of == value).map(|(mv, _)| mv);
        let first = best.next().expect("a position has the value of its best move");
        let mv = if value.proof == Proof::Draw {
            let preferred = self.other.think(line, &left.smaller(&Limit::nodes(TIE_NODES)), watch).mv;
            if best.any(|mv| mv == preferred) { preferred } else { first }
        } else {
            first
        };
        let (depth, nodes) = (value.plies.unwrap_or(0), solution.nodes);
        Choice { known: Some(value), nodes, depth, elapsed: began.elapsed(), ..Choice::plain(mv, score(value)) }
    }

    quintet_search::forward_to!(other);
}
