//! What a solver may spend on a position, and what it has found out.

use std::fmt;

use crate::Worth;
use crate::memory::Forced;

/// How long a solver may work.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Positions that it may look at.
    pub nodes: u64,
    /// Asked now and then: has it to stop?
    pub stop: &'a dyn Fn() -> bool,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// The stop signal is looked at once in so many positions.
const BETWEEN_LOOKS: u64 = 1024;

/// A budget while it is spent.
pub(crate) struct Spending<'a> {
    budget: Budget<'a>,
    nodes: u64,
    out: bool,
}

impl<'a> Spending<'a> {
    pub fn new(budget: Budget<'a>) -> Spending<'a> {
        Spending { budget, nodes: 0, out: false }
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Is the budget spent? Then answers mean nothing any more.
    pub fn out(&self) -> bool {
        self.out
    }

    /// Counts a position; is there time for it?
    #[inline]
    pub fn enter(&mut self) -> bool {
        self.out |= self.nodes >= self.budget.nodes;
        self.out |= self.nodes.is_multiple_of(BETWEEN_LOOKS) && (self.budget.stop)();
        self.nodes += u64::from(!self.out);
        !self.out
    }
}

/// What is known of a position.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// For the side to move; none when the budget was spent first.
    pub worth: Option<Worth>,
    /// Moves with what they are worth to who makes them, in the order of the rules. One that is not here wins no sooner than the best.
    pub moves: Vec<(M, Worth)>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Asks about moves with more and more plies, until a win is known, or all moves are. `forced` says of a move (by its number) whether the one
/// who makes it (`true`) or the other can force a win within so many plies after it; `None` ends it.
pub(crate) fn deepen<M>(
    moves: Vec<M>,
    forced: &mut dyn FnMut(usize, bool, u8) -> Option<Forced>,
) -> (Option<Worth>, Vec<(M, Worth)>) {
    let mut known: Vec<Option<Worth>> = moves.iter().map(|_| None).collect();
    for plies in 1..=Worth::FARTHEST {
        let finished = deepen_once(&mut known, plies, forced).is_none();
        let won = known.iter().any(|worth| matches!(worth, Some(Worth::Win(_))));
        if finished || won || known.iter().all(Option::is_some) {
            break;
        }
    }
    let best = known.iter().flatten().map(|worth| worth.code()).max().map(Worth::from_code);
    let complete = known.iter().all(Option::is_some);
    let worth = best.filter(|best| complete || matches!(best, Worth::Win(_)));
    (worth, moves.into_iter().zip(known).filter_map(|(mv, worth)| Some((mv, worth?))).collect())
}

/// Finds the moves after which the game ends in so many plies, the move itself included, and those after which nobody can win. What is found
/// while the budget runs out is not kept: other moves might win as soon.
fn deepen_once(
    known: &mut [Option<Worth>],
    plies: u8,
    forced: &mut dyn FnMut(usize, bool, u8) -> Option<Forced>,
) -> Option<()> {
    let mut found = Vec::new();
    for at in (0..known.len()).filter(|at| known[*at].is_none()) {
        let mine = forced(at, true, plies - 1)?;
        let worth = match mine {
            Forced::Yes => Worth::Win(plies),
            _ => match (mine, forced(at, false, plies - 1)?) {
                (_, Forced::Yes) => Worth::Loss(plies),
                (Forced::Never, Forced::Never) => Worth::Draw,
                _ => continue,
            },
        };
        found.push((at, worth));
    }
    for (at, worth) in found {
        known[at] = Some(worth);
    }
    Some(())
}
