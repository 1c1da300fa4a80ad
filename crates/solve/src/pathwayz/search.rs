//! Can the side to move, or the other, force a path within a number of plies?

use super::grid::{Grid, GridState, Next};
use crate::memory::{Forced, Memory, NO_MOVE, Question};
use crate::solution::{Halt, Spending};
use quintet_game::Limit;

/// A position, up to symmetry, with a question: does the side to move attack, or the other?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    state: GridState,
    /// 0 marks an empty entry.
    attacker: u8,
}

impl Question for Key {
    type Proof = ();

    const NONE: Key = Key { state: GridState { own: 0, other: 0, permanent: 0 }, attacker: 0 };

    fn words(&self) -> impl IntoIterator<Item = u64> {
        let GridState { own, other, permanent } = self.state;
        [u64::from(own) | u64::from(other) << 32, u64::from(permanent) | u64::from(self.attacker) << 32]
    }
}

/// A search over one board, with its memory.
pub struct Search<'a> {
    grid: &'a Grid,
    memory: &'a mut Memory<Key>,
    spending: Spending<'a>,
    /// How often a move has decided a question, by its number; for the attacker's moves and the defender's.
    decided: [[u32; 64]; 2],
}

impl<'a> Search<'a> {
    pub fn new(grid: &'a Grid, memory: &'a mut Memory<Key>, limit: &Limit, halt: Halt<'a>) -> Search<'a> {
        Search { grid, memory, spending: Spending::new(limit, halt), decided: [[0; 64]; 2] }
    }

    /// Positions searched.
    pub fn nodes(&self) -> u64 {
        self.spending.nodes()
    }

    /// Can the attacker, the side to move (`mine`) or the other, force a path within this many plies? `None` when the limit is
    /// reached.
    pub fn forced(&mut self, state: &GridState, mine: bool, plies: u8) -> Option<Forced> {
        let answer = self.ask(state, mine, plies);
        (!self.spending.out()).then_some(answer)
    }

    fn ask(&mut self, state: &GridState, mine: bool, plies: u8) -> Forced {
        if plies < self.grid.empty_columns(state).max(1) || !self.spending.enter() {
            return Forced::NotYet;
        }
        let key = (plies > 1).then(|| Key { state: self.grid.canonical(state), attacker: 1 + u8::from(mine) });
        if let Some((answer, ())) = key.and_then(|key| self.memory.recall(&key, plies).0) {
            return answer;
        }
        let began = self.nodes();
        let answer = self.look(state, mine, plies);
        if let Some(key) = key
            && !self.spending.out()
        {
            self.memory.remember(&key, plies, (answer, ()), NO_MOVE, self.nodes() - began);
        }
        answer
    }

    /// The attacker needs one winning move; the defender's moves are searched until one does not lose.
    fn look(&mut self, state: &GridState, mine: bool, plies: u8) -> Forced {
        let mut all = if mine { Forced::Never } else { Forced::Yes };
        let mut open = Vec::new();
        let mut left = self.grid.empty(state);
        while left != 0 {
            let square = left & left.wrapping_neg();
            left ^= square;
            for permanent in [false, true] {
                let forced = match self.grid.play(state, square, permanent) {
                    Next::Won if mine => Forced::Yes,
                    Next::Lost if !mine => Forced::Yes,
                    Next::Won | Next::Lost | Next::Drawn => Forced::Never,
                    Next::Open(next) => {
                        open.push((2 * square.trailing_zeros() + u32::from(permanent), next));
                        continue;
                    }
                };
                if (forced == Forced::Yes) == mine {
                    return forced;
                }
            }
        }
        if plies == 1 {
            return if open.is_empty() { all } else { Forced::NotYet };
        }
        let decided = &self.decided[usize::from(mine)];
        open.sort_by_key(|(mv, _)| u32::MAX - decided[*mv as usize]);
        for (mv, next) in open {
            let forced = self.ask(&next, !mine, plies - 1);
            if self.spending.out() {
                return Forced::NotYet;
            }
            if (forced == Forced::Yes) == mine {
                let weight = 1 << plies.min(16);
                let decided = &mut self.decided[usize::from(mine)][mv as usize];
                *decided = decided.saturating_add(weight);
                return forced;
            }
            if forced == Forced::NotYet {
                all = Forced::NotYet;
            }
        }
        all
    }
}
