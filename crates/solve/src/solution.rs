//! What a solver may spend on a position, and what it has found out.

use std::time::Duration;

use quintet_game::clock::Instant;
use quintet_game::{Limit, Value};

use crate::FARTHEST;
use crate::memory::Forced;

/// Asked now and then whether to stop.
pub type Halt<'a> = &'a (dyn Fn() -> bool + Sync);

/// The stop signal is looked at once in so many positions.
const BETWEEN_LOOKS: u64 = 1024;

/// Counts positions against a limit of nodes and time.
pub(crate) struct Spending<'a> {
    most: u64,
    time: Option<Duration>,
    halt: Halt<'a>,
    began: Instant,
    nodes: u64,
    out: bool,
}

impl<'a> Spending<'a> {
    pub fn new(limit: &Limit, halt: Halt<'a>) -> Spending<'a> {
        let (most, time) = (limit.nodes.unwrap_or(u64::MAX), limit.time);
        Spending { most, time, halt, began: Instant::now(), nodes: 0, out: false }
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Is the limit reached? Then answers mean nothing any more.
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

/// What is known of a position.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// For the side to move; none when the limit came first.
    pub worth: Option<Value>,
    /// Moves with what they are worth to who makes them, in the order of the rules. One that is not here wins no sooner than the best.
    pub moves: Vec<(M, Value)>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Asks about moves with more and more plies, until a win is known, or all moves are. `forced` says of a move (by its number) whether the one
/// who makes it (`true`) or the other can force a win within so many plies after it; `None` ends it.
pub(crate) fn deepen<M>(
    moves: Vec<M>,
    forced: &mut dyn FnMut(usize, bool, u8) -> Option<Forced>,
) -> (Option<Value>, Vec<(M, Value)>) {
    let mut known: Vec<Option<Value>> = moves.iter().map(|_| None).collect();
    for plies in 1..=FARTHEST {
        let finished = deepen_once(&mut known, plies, forced).is_none();
        let won = known.iter().any(|worth| worth.is_some_and(Value::is_win));
        if finished || won || known.iter().all(Option::is_some) {
            break;
        }
    }
    let best = known.iter().flatten().copied().max_by_key(|worth| worth.merit());
    let complete = known.iter().all(Option::is_some);
    let worth = best.filter(|best| complete || best.is_win());
    (worth, moves.into_iter().zip(known).filter_map(|(mv, worth)| Some((mv, worth?))).collect())
}

/// Finds the moves after which the game ends in so many plies, the move itself included, and those after which nobody can win. What is found
/// while the limit is reached is not kept: other moves might win as soon.
fn deepen_once(
    known: &mut [Option<Value>],
    plies: u8,
    forced: &mut dyn FnMut(usize, bool, u8) -> Option<Forced>,
) -> Option<()> {
    let mut found = Vec::new();
    for at in (0..known.len()).filter(|at| known[*at].is_none()) {
        let mine = forced(at, true, plies - 1)?;
        let worth = match mine {
            Forced::Yes => Value::win_in(plies.into()),
            _ => match (mine, forced(at, false, plies - 1)?) {
                (_, Forced::Yes) => Value::loss_in(plies.into()),
                (Forced::Never, Forced::Never) => Value::DRAW,
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
