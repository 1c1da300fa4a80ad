//! Small boards of TwixT and Pathwayz, solved while one waits; the first peg of TwixT by the maps that are published.

use std::any::Any;
use std::time::Instant;

use quintet_game::pathwayz::Pathwayz;
use quintet_game::twixt::{Position, Twixt};
use quintet_game::{Game as _, Line, Playable};
use quintet_search::{Choice, Limit, Proof, Search, Verdict, Watch};
use quintet_solve::twixt::{Cell, LARGEST, published_map};
use quintet_solve::{Budget, Solution, Worth, pathwayz, twixt};

use crate::exact::value;

/// What a solver may take when nobody says, in MiB. It begins anew with every question, so that the same question has the same answer.
pub(crate) const MEMORY: u64 = 32;

/// More bytes are taken from nobody: all of them are written to before a question is answered.
const MOST: u64 = 256 << 20;

/// Positions that it looks at when neither time nor nodes are limited.
const USUAL: u64 = 1_000_000;

/// Positions that the other agent may look at to say which of several draws it likes best.
const TASTE: u64 = 20_000;

/// Solves a position as far as the budget goes; none where no solver is for the game, or the board is too large.
pub(crate) fn solve<G: Playable>(game: &G, pos: &G::Pos, bytes: usize, budget: &Budget) -> Option<Solution<G::Move>> {
    let game: &dyn Any = game;
    let found: Box<dyn Any> = if let Some(game) = game.downcast_ref::<Pathwayz>() {
        Box::new(pathwayz::Solver::new(game, bytes)?.solve(game, known(pos), budget))
    } else if let Some(game) = game.downcast_ref::<Twixt<16, 1>>() {
        Box::new(solve_twixt(game, known(pos), bytes, budget)?)
    } else if let Some(game) = game.downcast_ref::<Twixt<20, 1>>() {
        Box::new(solve_twixt(game, known(pos), bytes, budget)?)
    } else if let Some(game) = game.downcast_ref::<Twixt<32, 1>>() {
        Box::new(solve_twixt(game, known(pos), bytes, budget)?)
    } else if let Some(game) = game.downcast_ref::<Twixt<32, 2>>() {
        Box::new(solve_twixt(game, known(pos), bytes, budget)?)
    } else {
        return None;
    };
    Some(*found.downcast().expect("the type of the game was compared above"))
}

/// A position whose game is of the type that was asked for.
fn known<T: 'static>(pos: &dyn Any) -> &T {
    pos.downcast_ref().expect("the type of the game was compared above")
}

fn solve_twixt<const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    pos: &Position<W, B>,
    bytes: usize,
    budget: &Budget,
) -> Option<Solution<quintet_game::twixt::Move>> {
    if game.size() > LARGEST {
        return None;
    }
    Some(by_map(game, pos).unwrap_or_else(|| twixt::Solver::new(game, bytes).solve(game, pos, budget)))
}

/// The first peg by the published map, and whether to take it over.
fn by_map<const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    pos: &Position<W, B>,
) -> Option<Solution<quintet_game::twixt::Move>> {
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    let map = published_map(game)?;
    if game.pieces(pos) == 0 {
        let map = map.with_swap(game.swap());
        let rated = moves.into_iter().map(|mv| match mv.hole().map(|(x, y)| map.cell(x, y)) {
            Some(Cell::Known(worth)) => Some((mv, worth)),
            _ => None,
        });
        return Some(Solution { worth: map.worth(), moves: rated.collect::<Option<_>>()?, nodes: 0 });
    }
    // A first peg that would win is taken over, and then wins for the other side in as many plies.
    let swap = moves.into_iter().find(|mv| mv.hole().is_none())?;
    let (x, y) = map.holes().find(|(x, y)| pos.peg(*x, *y).is_some())?;
    match map.cell(x, y) {
        Cell::Known(Worth::Win(plies)) => {
            let worth = Worth::Win(plies);
            Some(Solution { worth: Some(worth), moves: vec![(swap, worth)], nodes: 0 })
        }
        _ => None,
    }
}

/// What a move is worth to who makes it, in the words of the searches.
pub(crate) fn verdict(worth: Worth) -> Verdict {
    match worth {
        Worth::Win(plies) => Verdict { proof: Proof::Win, plies: Some(plies.into()) },
        Worth::Draw => Verdict { proof: Proof::Draw, plies: None },
        Worth::Loss(plies) => Verdict { proof: Proof::Loss, plies: Some(plies.into()) },
    }
}

/// Solves the position with half of its limit, and asks another agent where that does not suffice. The shortest win, the longest loss; of
/// draws the other agent's choice, where that is one of them.
pub(crate) struct BySolving<G: Playable> {
    pub other: Box<dyn Search<G>>,
    /// Bytes that may be taken.
    pub memory: u64,
}

impl<G: Playable> Search<G> for BySolving<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G> {
        let began = Instant::now();
        let stop = || limit.stopped() || limit.time.is_some_and(|time| began.elapsed() >= time / 2);
        let unlimited = if limit.time.is_some() { u64::MAX } else { USUAL };
        let budget = Budget { nodes: limit.nodes.map_or(unlimited, |nodes| nodes / 2), stop: &stop };
        let bytes = self.memory.min(MOST) as usize;
        let solution = solve(line.game(), line.position(), bytes, &budget);
        let left = Limit {
            time: limit.time.map(|time| time.saturating_sub(began.elapsed())),
            nodes: limit.nodes.map(|nodes| nodes.div_ceil(2)),
            ..limit.clone()
        };
        let Some((solution, worth)) = solution.and_then(|solution| solution.worth.map(|worth| (solution, worth)))
        else {
            return self.other.think(line, &left, watch);
        };
        let mut best = solution.moves.into_iter().filter(|(_, of)| *of == worth).map(|(mv, _)| mv);
        let first = best.next().expect("a position is worth as much as its best move");
        let mv = if worth == Worth::Draw {
            let taste = self.other.think(line, &left.smaller(&Limit::nodes(TASTE)), watch).mv;
            if best.any(|mv| mv == taste) { taste } else { first }
        } else {
            first
        };
        let Verdict { proof, plies } = verdict(worth);
        Choice {
            mv,
            value: value(proof, plies),
            proof: Some(proof),
            plies,
            chances: None,
            line: vec![mv],
            nodes: solution.nodes,
            depth: plies.unwrap_or(0),
        }
    }
}
