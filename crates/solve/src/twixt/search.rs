//! Can a side force a chain with so many more pegs of its own?
//!
//! A side that is farther from its goal than it has pegs left cannot, whatever happens: links only ever get fewer. So the attacker without a peg
//! to spare has to play on one of its shortest chains, and a reply that lengthens all of them beyond its pegs settles the matter without a
//! search. A reply that neither stands on a shortest chain nor makes a link leaves the distance as it is, so only the others are measured.

use quintet_game::Player;

use super::board::{Board, LAYERS, NEVER, State};
use super::set::Set;
use crate::memory::{Forced, Memory, NO_MOVE, Question};
use crate::solution::{Budget, Spending};

/// A position with a question: who is to move, and which side attacks?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<S> {
    pegs: [S; 2],
    links: u64,
    /// Side to move and attacker; 0 is nobody's.
    sides: u8,
}

impl<S: Set> Key<S> {
    /// None where too many pegs stand close for their links to fit.
    fn new(board: &Board<S>, state: &State<S>, to_move: Player, attacker: Player) -> Option<Key<S>> {
        let sides = 4 | (to_move.index() as u8) << 1 | attacker.index() as u8;
        Some(Key { pegs: state.pegs(), links: board.links(state)?, sides })
    }
}

impl<S: Set> Question for Key<S> {
    const NONE: Key<S> = Key { pegs: [S::EMPTY; 2], links: 0, sides: 0 };

    fn words(&self) -> impl IntoIterator<Item = u64> {
        let ([a, b], [c, d]) = (self.pegs[0].words(), self.pegs[1].words());
        [self.links ^ u64::from(self.sides) << 61, a, b, c, d]
    }
}

/// A search over one board, with its memory.
pub struct Search<'a, S> {
    board: &'a Board<S>,
    memory: &'a mut Memory<Key<S>>,
    spending: Spending<'a>,
    /// For each side how often a hole has stopped the other's attack, weighted by the pegs that it had left.
    refuted: [Vec<u32>; 2],
    /// For each side and number of pegs left, the reply that last stopped the attack.
    killers: [[u8; KILLERS]; 2],
}

const KILLERS: usize = 64;

/// A reply that has to be searched: the attacker's distance after it, and how promising it is for the defender.
struct Reply {
    hole: u8,
    distance: u8,
    promise: u32,
}

impl<'a, S: Set> Search<'a, S> {
    /// A search within a budget.
    pub fn new(board: &'a Board<S>, memory: &'a mut Memory<Key<S>>, budget: Budget<'a>) -> Self {
        let holes = board.size() * board.size();
        Search {
            board,
            memory,
            spending: Spending::new(budget),
            refuted: [vec![0; holes], vec![0; holes]],
            killers: [[NO_MOVE; KILLERS]; 2],
        }
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.spending.nodes()
    }

    /// Can the attacker force a chain with so many more pegs? `None` when the limit came first. Nobody has won yet.
    pub fn forced(&mut self, state: &State<S>, to_move: Player, attacker: Player, pegs: u8) -> Option<Forced> {
        let answer = if to_move == attacker {
            self.attack(state, attacker, pegs)
        } else {
            let threatened = self.board.distance(state, to_move) == 1;
            self.defend(state, attacker, pegs, threatened)
        };
        (!self.spending.out()).then_some(answer)
    }

    /// The attacker is to move.
    fn attack(&mut self, state: &State<S>, attacker: Player, pegs: u8) -> Forced {
        if !self.spending.enter() {
            return Forced::NotYet;
        }
        let board = self.board;
        let distance = board.distance(state, attacker);
        if let Some(answer) = beyond(distance, pegs) {
            return answer;
        }
        if distance == 1 {
            return Forced::Yes;
        }
        let key = Key::new(board, state, attacker, attacker);
        let (known, first) = self.recall(key.as_ref(), pegs);
        if let Some(answer) = known {
            return answer;
        }
        let began = self.nodes();
        let spare = distance < pegs || usize::from(pegs) >= LAYERS;
        let holes = if spare { board.empty(state, attacker) } else { board.chains(state, attacker, distance) };
        let (answer, hole) = self.attack_at(state, attacker, pegs, holes, first);
        // A peg that has to be on a shortest chain proves nothing about longer ones.
        let answer = if answer == Forced::Never && !spare { Forced::NotYet } else { answer };
        self.remember(key.as_ref(), pegs, answer, hole, began);
        answer
    }

    /// Tries the attacker's holes: the one that was good before, then those that leave the fewest good replies.
    fn attack_at(&mut self, state: &State<S>, attacker: Player, pegs: u8, holes: S, first: u8) -> (Forced, u8) {
        let threatened = self.board.distance(state, attacker.other()) == 1;
        let mut answer = Forced::Never;
        if first != NO_MOVE && holes.meets(S::one(first.into())) {
            let child = self.after(state, attacker, first);
            match self.defend(&child, attacker, pegs - 1, threatened) {
                Forced::Yes => return (Forced::Yes, first),
                Forced::NotYet => answer = Forced::NotYet,
                Forced::Never => {}
            }
        }
        let mut open = Vec::new();
        let mut replies = Vec::new();
        for hole in holes.holes().map(|hole| hole as u8).filter(|hole| *hole != first) {
            let child = self.after(state, attacker, hole);
            match self.replies(&child, attacker, pegs - 1, threatened, &mut replies) {
                Some(Forced::Yes) => return (Forced::Yes, hole),
                Some(Forced::NotYet) => answer = Forced::NotYet,
                Some(Forced::Never) => {}
                None => {
                    let danger: u64 = replies.iter().map(|reply| 1 << (2 * u32::from(reply.distance.min(20)))).sum();
                    open.push((danger, hole));
                }
            }
            if self.spending.out() {
                return (Forced::NotYet, NO_MOVE);
            }
        }
        open.sort_unstable();
        for (_, hole) in open {
            let child = self.after(state, attacker, hole);
            match self.defend(&child, attacker, pegs - 1, threatened) {
                Forced::Yes => return (Forced::Yes, hole),
                Forced::NotYet => answer = Forced::NotYet,
                Forced::Never => {}
            }
            if self.spending.out() {
                return (Forced::NotYet, NO_MOVE);
            }
        }
        (answer, NO_MOVE)
    }

    /// The defender is to move; the attacker has so many pegs left. `threatened`: the defender may be a peg from its own goal.
    fn defend(&mut self, state: &State<S>, attacker: Player, pegs: u8, threatened: bool) -> Forced {
        if !self.spending.enter() {
            return Forced::NotYet;
        }
        let defender = attacker.other();
        let key = Key::new(self.board, state, defender, attacker);
        let (known, first) = self.recall(key.as_ref(), pegs);
        if let Some(answer) = known {
            return answer;
        }
        let mut replies = Vec::new();
        if let Some(answer) = self.replies(state, attacker, pegs, threatened, &mut replies) {
            return answer;
        }
        let began = self.nodes();
        replies.sort_unstable_by_key(|reply| {
            (reply.hole != first, u8::MAX - reply.distance, u32::MAX - reply.promise, reply.hole)
        });
        for reply in replies {
            let child = self.after(state, defender, reply.hole);
            let answer = self.attack(&child, attacker, pegs);
            if self.spending.out() {
                return Forced::NotYet;
            }
            if answer != Forced::Yes {
                let refuted = &mut self.refuted[defender.index()][usize::from(reply.hole)];
                *refuted = refuted.saturating_add(1 << pegs.min(16));
                self.killers[defender.index()][usize::from(pegs).min(KILLERS - 1)] = reply.hole;
                self.remember(key.as_ref(), pegs, answer, reply.hole, began);
                return answer;
            }
        }
        self.remember(key.as_ref(), pegs, Forced::Yes, NO_MOVE, began);
        Forced::Yes
    }

    /// The defender's replies that have to be searched, or the answer if distances alone give it. A reply after which the attacker is a peg
    /// from its goal is lost and left out.
    fn replies(
        &mut self,
        state: &State<S>,
        attacker: Player,
        pegs: u8,
        threatened: bool,
        out: &mut Vec<Reply>,
    ) -> Option<Forced> {
        let (board, defender) = (self.board, attacker.other());
        out.clear();
        let distance = board.distance(state, attacker);
        if let Some(answer) = beyond(distance, pegs) {
            return Some(answer);
        }
        let empty = board.empty(state, defender);
        if empty.is_empty() || threatened && board.distance(state, defender) == 1 {
            return Some(Forced::Never);
        }
        let killer = self.killers[defender.index()][usize::from(pegs).min(KILLERS - 1)];
        if killer != NO_MOVE && empty.meets(S::one(killer.into())) {
            let after = board.distance(&self.after(state, defender, killer), attacker);
            if let Some(answer) = beyond(after, pegs) {
                return Some(answer);
            }
        }
        let chains = if usize::from(distance) < LAYERS { board.chains(state, attacker, distance) } else { empty };
        let touching = (chains | board.linking(state, defender)) & empty;
        for hole in touching.holes() {
            let child = self.after(state, defender, hole as u8);
            let after = board.distance(&child, attacker);
            if let Some(answer) = beyond(after, pegs) {
                self.killers[defender.index()][usize::from(pegs).min(KILLERS - 1)] = hole as u8;
                return Some(answer);
            }
            if after > 1 {
                out.push(self.reply(defender, hole, after));
            }
        }
        if distance > 1 {
            for hole in (empty & !touching).holes() {
                out.push(self.reply(defender, hole, distance));
            }
        }
        out.is_empty().then_some(Forced::Yes)
    }

    fn reply(&self, defender: Player, hole: usize, distance: u8) -> Reply {
        Reply { hole: hole as u8, distance, promise: self.refuted[defender.index()][hole] }
    }

    #[inline]
    fn after(&self, state: &State<S>, player: Player, hole: u8) -> State<S> {
        let mut next = *state;
        self.board.put(&mut next, player, hole.into());
        next
    }

    fn recall(&self, key: Option<&Key<S>>, pegs: u8) -> (Option<Forced>, u8) {
        key.map_or((None, NO_MOVE), |key| self.memory.recall(key, pegs))
    }

    fn remember(&mut self, key: Option<&Key<S>>, pegs: u8, answer: Forced, hole: u8, began: u64) {
        if let Some(key) = key
            && !self.spending.out()
        {
            self.memory.remember(key, pegs, answer, hole, self.nodes() - began);
        }
    }
}

/// The answer for an attacker that is so far from its goal, unless its pegs suffice.
#[inline]
fn beyond(distance: u8, pegs: u8) -> Option<Forced> {
    match distance {
        NEVER => Some(Forced::Never),
        _ => (distance > pegs).then_some(Forced::NotYet),
    }
}
