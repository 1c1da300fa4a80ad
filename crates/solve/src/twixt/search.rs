//! Can a side force a chain with a given number of further pegs?
//!
//! A side that is farther from its goal than it has pegs left cannot, whatever happens: links only get fewer. So an attacker
//! without a peg to spare has to play on one of its shortest chains, and a reply that lengthens all of them beyond its pegs is
//! decided without a search. A reply that is neither on a shortest chain nor makes a link does not change the distance, so only
//! the others are measured.
//!
//! The proof of a win leaves few replies to search, see [`super::proof`]; and so does the other side's win for the attacker's
//! pegs. So before a side looks for a chain of a number of pegs, the search asks whether fewer suffice, and whether the other
//! side needs fewer.

use quintet_game::Limit;
use quintet_game::Player;

use super::board::{Board, BoardState, LAYERS, NEVER};
use super::set::HoleSet;
use super::support::Support;
use crate::memory::{Forced, Memory, NO_MOVE, Question};
use crate::solution::{Halt, Spending};

/// A position with a question: who is to move, and which side attacks?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<S> {
    pegs: [S; 2],
    links: u64,
    /// Side to move and attacker; 0 marks an empty entry.
    sides: u8,
}

impl<S: HoleSet> Key<S> {
    /// `None` if too many pegs are close together for their links to fit.
    fn new(board: &Board<S>, state: &BoardState<S>, to_move: Player, attacker: Player) -> Option<Key<S>> {
        let sides = 4 | (to_move.index() as u8) << 1 | attacker.index() as u8;
        Some(Key { pegs: state.pegs(), links: board.links(state)?, sides })
    }
}

impl<S: HoleSet> Question for Key<S> {
    type Proof = Support<S>;

    const NONE: Key<S> = Key { pegs: [S::EMPTY; 2], links: 0, sides: 0 };

    fn words(&self) -> impl IntoIterator<Item = u64> {
        let ([a, b], [c, d]) = (self.pegs[0].words(), self.pegs[1].words());
        [self.links ^ u64::from(self.sides) << 61, a, b, c, d]
    }
}

/// A search over one board, with its memory.
pub struct Search<'a, S: HoleSet> {
    board: &'a Board<S>,
    memory: &'a mut Memory<Key<S>>,
    spending: Spending<'a>,
    /// For each side, how often a hole has stopped the other's attack, weighted by the pegs that it had left.
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

/// An answer, with its proof if it is a yes or a never.
type Answer<S> = (Forced, Support<S>);

/// The holes that may still help the side to move, and the proof that all others do not.
struct Open<S> {
    left: S,
    proof: Support<S>,
}

impl<S: HoleSet> Open<S> {
    /// One more of them is settled: what is outside of the zone needs no search.
    fn settle(&mut self, proof: &Support<S>) {
        self.left = self.left & proof.zone;
        self.proof.join(proof);
    }

    fn has(&self, hole: u8) -> bool {
        self.left.meets(S::one(hole.into()))
    }
}

impl<'a, S: HoleSet> Search<'a, S> {
    /// A search within a limit.
    pub fn new(board: &'a Board<S>, memory: &'a mut Memory<Key<S>>, limit: &Limit, halt: Halt<'a>) -> Self {
        let holes = board.size() * board.size();
        Search {
            board,
            memory,
            spending: Spending::new(limit, halt),
            refuted: [vec![0; holes], vec![0; holes]],
            killers: [[NO_MOVE; KILLERS]; 2],
        }
    }

    /// Positions searched.
    pub fn nodes(&self) -> u64 {
        self.spending.nodes()
    }

    /// Can the attacker force a chain with this many more pegs? `None` if the limit came first. Neither side has won yet.
    pub fn forced(&mut self, state: &BoardState<S>, to_move: Player, attacker: Player, pegs: u8) -> Option<Forced> {
        let (answer, _) = if to_move == attacker {
            self.attack(state, attacker, pegs)
        } else {
            let threatened = self.board.distance(state, to_move) == 1;
            self.defend(state, attacker, pegs, threatened)
        };
        (!self.spending.out()).then_some(answer)
    }

    /// The attacker is to move.
    fn attack(&mut self, state: &BoardState<S>, attacker: Player, pegs: u8) -> Answer<S> {
        if !self.spending.enter() {
            return no(Forced::NotYet);
        }
        let board = self.board;
        let distance = board.distance(state, attacker);
        if let Some(answer) = self.beyond(state, attacker, distance, pegs) {
            return answer;
        }
        if distance == 1 {
            return (Forced::Yes, board.finish(state, attacker));
        }
        let key = Key::new(board, state, attacker, attacker);
        let (known, first) = self.recall(key.as_ref(), pegs);
        if let Some(answer) = known {
            return answer;
        }
        // A win with fewer pegs is found sooner; and what stops it may stop the longer ones.
        if distance < pegs {
            match self.attack(state, attacker, pegs - 1) {
                (Forced::NotYet, _) => {}
                answer => return answer,
            }
        }
        let began = self.nodes();
        let spare = distance < pegs || usize::from(pegs) >= LAYERS;
        let holes = if spare { board.empty(state, attacker) } else { board.chains(state, attacker, distance) };
        let mut open = Open { left: holes, proof: Support::default() };
        if spare {
            self.parry(state, attacker, pegs, &mut open);
        }
        let (mut answer, hole) = self.attack_at(state, attacker, pegs, open, first);
        match answer.0 {
            Forced::Yes => answer.1 = board.before_peg(state, attacker, hole.into(), &answer.1),
            // A peg that has to be on a shortest chain proves nothing about longer ones.
            Forced::Never if !spare => answer = no(Forced::NotYet),
            _ => {}
        }
        self.remember(key.as_ref(), pegs, answer, hole, began);
        answer
    }

    /// Keeps only the holes that may stop the other side from winning first.
    fn parry(&mut self, state: &BoardState<S>, attacker: Player, pegs: u8, open: &mut Open<S>) {
        if self.board.distance(state, attacker.other()) < pegs
            && let (Forced::Yes, proof) = self.attack(state, attacker.other(), pegs - 1)
        {
            open.settle(&proof);
        }
    }

    /// Tries the attacker's holes: the one that was good before, then those that leave the fewest good replies. The proof of a win is that after the peg.
    fn attack_at(
        &mut self,
        state: &BoardState<S>,
        attacker: Player,
        pegs: u8,
        mut open: Open<S>,
        first: u8,
    ) -> (Answer<S>, u8) {
        let threatened = self.board.distance(state, attacker.other()) == 1;
        let mut best = Forced::Never;
        let mut replies = Vec::new();
        let mut later = Vec::new();
        if first != NO_MOVE && open.has(first) {
            let child = self.after(state, attacker, first);
            let answer = self.defend(&child, attacker, pegs - 1, threatened);
            if self.spending.out() {
                return (no(Forced::NotYet), NO_MOVE);
            }
            if answer.0 == Forced::Yes {
                return (answer, first);
            }
            self.failed([state, &child], attacker, &answer, &mut best, &mut open);
        }
        for hole in open.left.holes().map(|hole| hole as u8).filter(|hole| *hole != first) {
            if !open.has(hole) {
                continue;
            }
            let child = self.after(state, attacker, hole);
            match self.replies(&child, attacker, pegs - 1, threatened, &mut replies) {
                Err(answer @ (Forced::Yes, _)) => return (answer, hole),
                Err(answer) => self.failed([state, &child], attacker, &answer, &mut best, &mut open),
                Ok(_) => {
                    let danger: u64 = replies.iter().map(|reply| 1 << (2 * u32::from(reply.distance.min(20)))).sum();
                    later.push((danger, hole));
                }
            }
        }
        later.sort_unstable();
        for (_, hole) in later {
            if !open.has(hole) {
                continue;
            }
            let child = self.after(state, attacker, hole);
            let answer = self.defend(&child, attacker, pegs - 1, threatened);
            if self.spending.out() {
                return (no(Forced::NotYet), NO_MOVE);
            }
            if answer.0 == Forced::Yes {
                return (answer, hole);
            }
            self.failed([state, &child], attacker, &answer, &mut best, &mut open);
        }
        ((best, open.proof), NO_MOVE)
    }

    /// Records that a peg does not win.
    fn failed(
        &self,
        pair: [&BoardState<S>; 2],
        attacker: Player,
        answer: &Answer<S>,
        best: &mut Forced,
        open: &mut Open<S>,
    ) {
        match answer.0 {
            Forced::Never => open.settle(&self.board.before_move(pair, attacker, &answer.1)),
            _ => *best = Forced::NotYet,
        }
    }

    /// The defender is to move; the attacker has this many pegs left. `threatened`: the defender may be one peg from its own goal.
    fn defend(&mut self, state: &BoardState<S>, attacker: Player, pegs: u8, threatened: bool) -> Answer<S> {
        if !self.spending.enter() {
            return no(Forced::NotYet);
        }
        let defender = attacker.other();
        let key = Key::new(self.board, state, defender, attacker);
        let (known, first) = self.recall(key.as_ref(), pegs);
        if let Some(answer) = known {
            return answer;
        }
        let mut replies = Vec::new();
        let mut open = match self.replies(state, attacker, pegs, threatened, &mut replies) {
            Ok(open) => open,
            Err(answer) => return answer,
        };
        let began = self.nodes();
        // A defender that can itself win with fewer pegs need not look for anything else.
        if self.board.distance(state, defender) < pegs
            && let (Forced::Yes, proof) = self.attack(state, defender, pegs - 1)
        {
            self.remember(key.as_ref(), pegs, (Forced::Never, proof), NO_MOVE, began);
            return (Forced::Never, proof);
        }
        let killer = self.killers[defender.index()][usize::from(pegs).min(KILLERS - 1)];
        replies.sort_unstable_by_key(|reply| {
            (reply.hole != first, reply.hole != killer, u8::MAX - reply.distance, u32::MAX - reply.promise, reply.hole)
        });
        for reply in replies {
            if !open.has(reply.hole) {
                continue;
            }
            let child = self.after(state, defender, reply.hole);
            let mut answer = self.attack(&child, attacker, pegs);
            if self.spending.out() {
                return no(Forced::NotYet);
            }
            if answer.0 != Forced::Yes {
                let refuted = &mut self.refuted[defender.index()][usize::from(reply.hole)];
                *refuted = refuted.saturating_add(1 << pegs.min(16));
                self.killers[defender.index()][usize::from(pegs).min(KILLERS - 1)] = reply.hole;
                if answer.0 == Forced::Never {
                    answer.1 = self.board.before_peg(state, defender, reply.hole.into(), &answer.1);
                }
                self.remember(key.as_ref(), pegs, answer, reply.hole, began);
                return answer;
            }
            open.settle(&self.board.before_move([state, &child], defender, &answer.1));
        }
        let answer = (Forced::Yes, open.proof);
        self.remember(key.as_ref(), pegs, answer, NO_MOVE, began);
        answer
    }

    /// The defender's replies that have to be searched, or the answer if distances alone give it. A reply after which the
    /// attacker is one peg from its goal is lost and left out.
    fn replies(
        &mut self,
        state: &BoardState<S>,
        attacker: Player,
        pegs: u8,
        threatened: bool,
        out: &mut Vec<Reply>,
    ) -> Result<Open<S>, Answer<S>> {
        let (board, defender) = (self.board, attacker.other());
        out.clear();
        let distance = board.distance(state, attacker);
        if let Some(answer) = self.beyond(state, attacker, distance, pegs) {
            return Err(answer);
        }
        let empty = board.empty(state, defender);
        if empty.is_empty() {
            return Err((Forced::Never, Support::nothing_else()));
        }
        if threatened && board.distance(state, defender) == 1 {
            return Err((Forced::Never, board.finish(state, defender)));
        }
        let killer = self.killers[defender.index()][usize::from(pegs).min(KILLERS - 1)];
        if killer != NO_MOVE && empty.meets(S::one(killer.into())) {
            self.stops(state, attacker, killer, pegs)?;
        }
        let mut open = Open { left: empty, proof: Support::default() };
        let measured = if distance == 1 {
            // A reply that does not stop a win with one peg loses to it.
            board.finishes(state, attacker, |proof| open.settle(&proof));
            open.left
        } else {
            let chains = if usize::from(distance) < LAYERS { board.chains(state, attacker, distance) } else { empty };
            (chains | board.linking(state, defender)) & empty
        };
        for hole in measured.holes() {
            if !open.has(hole as u8) {
                continue;
            }
            let (child, after) = self.stops(state, attacker, hole as u8, pegs)?;
            if after > 1 {
                out.push(self.reply(defender, hole, after));
            } else {
                let proof = board.finish(&child, attacker);
                open.settle(&board.before_move([state, &child], defender, &proof));
            }
        }
        if distance > 1 {
            for hole in (empty & !measured).holes() {
                out.push(self.reply(defender, hole, distance));
            }
        }
        out.retain(|reply| open.has(reply.hole));
        if out.is_empty() { Err((Forced::Yes, open.proof)) } else { Ok(open) }
    }

    /// Does this reply alone put the goal out of reach? Otherwise the position after it, and the distance.
    fn stops(
        &mut self,
        state: &BoardState<S>,
        attacker: Player,
        hole: u8,
        pegs: u8,
    ) -> Result<(BoardState<S>, u8), Answer<S>> {
        let defender = attacker.other();
        let child = self.after(state, defender, hole);
        let distance = self.board.distance(&child, attacker);
        let Some((answer, proof)) = self.beyond(&child, attacker, distance, pegs) else { return Ok((child, distance)) };
        self.killers[defender.index()][usize::from(pegs).min(KILLERS - 1)] = hole;
        Err(match answer {
            Forced::Never => (answer, self.board.before_peg(state, defender, hole.into(), &proof)),
            _ => no(answer),
        })
    }

    /// The answer for an attacker this far from its goal, unless its pegs suffice.
    #[inline]
    fn beyond(&self, state: &BoardState<S>, attacker: Player, distance: u8, pegs: u8) -> Option<Answer<S>> {
        match distance {
            NEVER => Some((Forced::Never, self.board.cut(state, attacker))),
            _ => (distance > pegs).then_some(no(Forced::NotYet)),
        }
    }

    fn reply(&self, defender: Player, hole: usize, distance: u8) -> Reply {
        Reply { hole: hole as u8, distance, promise: self.refuted[defender.index()][hole] }
    }

    #[inline]
    fn after(&self, state: &BoardState<S>, player: Player, hole: u8) -> BoardState<S> {
        let mut next = *state;
        self.board.put(&mut next, player, hole.into());
        next
    }

    fn recall(&self, key: Option<&Key<S>>, pegs: u8) -> (Option<Answer<S>>, u8) {
        key.map_or((None, NO_MOVE), |key| self.memory.recall(key, pegs))
    }

    fn remember(&mut self, key: Option<&Key<S>>, pegs: u8, answer: Answer<S>, hole: u8, began: u64) {
        if let Some(key) = key
            && !self.spending.out()
        {
            self.memory.remember(key, pegs, answer, hole, self.nodes() - began);
        }
    }
}

/// An answer without a proof.
fn no<S: HoleSet>(answer: Forced) -> Answer<S> {
    (answer, Support::default())
}

#[cfg(test)]
mod tests;
