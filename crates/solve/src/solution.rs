//! What a solver may spend on a position, and what it has found.

use std::time::Duration;

use quintet_game::clock::Stopwatch;
use quintet_game::{Limit, Value};

use crate::FARTHEST;
use crate::memory::Forced;

/// Polled now and then: true to stop.
pub type Halt<'a> = &'a (dyn Fn() -> bool + Sync);

/// Positions between two checks of the stop signal.
const BETWEEN_LOOKS: u64 = 1024;

/// Counts positions against a limit of nodes and time.
pub(crate) struct Spending<'a> {
    most: u64,
    time: Option<Duration>,
    halt: Halt<'a>,
    began: Stopwatch,
    nodes: u64,
    out: bool,
}

impl<'a> Spending<'a> {
    pub fn new(limit: &Limit, halt: Halt<'a>) -> Spending<'a> {
        let (most, time) = (limit.nodes.unwrap_or(u64::MAX), limit.time);
        Spending { most, time, halt, began: limit.start(), nodes: 0, out: false }
    }

    /// Positions searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Is the limit reached? Then answers are meaningless.
    pub fn out(&self) -> bool {
        self.out
    }

    /// Counts a position; is there time for it?
    #[inline]
    pub fn enter(&mut self) -> bool {
        self.out |= self.nodes >= self.most;
        self.out |= self.nodes.is_multiple_of(BETWEEN_LOOKS) && self.halted();
        self.nodes += u64::from(!self.out);
        !self.out
    }

    fn halted(&self) -> bool {
        (self.halt)() || self.time.is_some_and(|time| self.began.elapsed() >= time)
    }
}

/// What is known about a position.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// The value for the side to move; `None` if the limit came first.
    pub value: Option<Value>,
    /// Moves with their values for the side that makes them, in the order of the rules. A move that is not listed wins no sooner than
    /// the best.
    pub moves: Vec<(M, Value)>,
    /// Positions searched.
    pub nodes: u64,
}

/// Asks about moves with more and more plies, until a win is known, or all moves are. `forced` says of a move (by its index)
/// whether the side that makes it (`true`) or the other can force a win within this many plies after it; `None` ends the search.
pub(crate) fn deepen<M>(
    moves: Vec<M>,
    forced: &mut dyn FnMut(usize, bool, u8) -> Option<Forced>,
) -> (Option<Value>, Vec<(M, Value)>) {
    let mut known: Vec<Option<Value>> = moves.iter().map(|_| None).collect();
    for plies in 1..=FARTHEST {
        let finished = deepen_once(&mut known, plies, forced).is_none();
        let won = known.iter().any(|value| value.is_some_and(Value::is_win));
        if finished || won || known.iter().all(Option::is_some) {
            break;
        }
    }
    let best = known.iter().flatten().copied().max_by_key(|value| value.merit());
    let complete = known.iter().all(Option::is_some);
    let value = best.filter(|best| complete || best.is_win());
    (value, moves.into_iter().zip(known).filter_map(|(mv, value)| Some((mv, value?))).collect())
}

/// Finds the moves after which the game ends in this many plies, including the move itself, and those after which neither side
/// can win. Results found after the limit is reached are dropped: other moves might win as soon.
fn deepen_once(
    known: &mut [Option<Value>],
    plies: u8,
    forced: &mut dyn FnMut(usize, bool, u8) -> Option<Forced>,
) -> Option<()> {
    let mut found = Vec::new();
    for at in (0..known.len()).filter(|at| known[*at].is_none()) {
        let mine = forced(at, true, plies - 1)?;
        let value = match mine {
            Forced::Yes => Value::win_in(plies.into()),
            _ => match (mine, forced(at, false, plies - 1)?) {
                (_, Forced::Yes) => Value::loss_in(plies.into()),
                (Forced::Never, Forced::Never) => Value::DRAW,
                _ => continue,
            },
        };
        found.push((at, value));
    }
    for (at, value) in found {
        known[at] = Some(value);
    }
    Some(())
}
