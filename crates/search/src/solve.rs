//! Exact values near the end: how a position must end and in how many plies, by endings alone.

use std::collections::HashMap;

use quintet_game::clock::Stopwatch;
use quintet_game::{Game, Limit, Line, Outcome, Player, Proof, Stop, Value};

/// What a bounded search has proven.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved<M> {
    /// The position's value for the side to move; `None` if the limit came first.
    pub whole: Option<Value>,
    /// Moves, each with its value for the side that makes it, in the order of the rules. A move that is not listed wins no
    /// sooner than the best one.
    pub moves: Vec<(M, Value)>,
    /// Positions searched.
    pub nodes: u64,
}

/// Finds the exact value of a position and of all its moves, one ply deeper at a time, until everything is known or the limit is
/// reached. It uses no evaluation, so it is useful near the end, and where a win is a few plies away.
///
/// "Can this side force a win within n plies?" is asked with growing n, and the answers are stored for whole positions; the first
/// yes is the distance. Neither side can win if no line reached the horizon. In games with repetition, the shortest way to a win
/// visits no position twice, so history matters only for positions that have occurred twice already; a draw that depends on
/// repetition is not seen.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Limit, Line, Notation, Proof, Stop, pentago::Pentago};
/// use quintet_search::solve;
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let solved = solve(&Line::from_position(game, pos), &Limit::nodes(100_000), &Stop::never());
/// let whole = solved.whole.unwrap();
/// assert_eq!((whole.proof, whole.plies), (Proof::Win, Some(1)));
/// ```
///
/// The limits on time, nodes and depth apply; the game must not be over.
#[must_use]
pub fn solve<G: Game>(line: &Line<G>, limit: &Limit, stop: &Stop) -> Solved<G::Move> {
    let began = limit.start();
    let mut solver =
        Solver { line, limit, began, stop, nodes: 0, out: false, memo: Default::default(), killers: Vec::new() };
    let (mut moves, mover) = (Vec::new(), line.to_move());
    line.game().moves(line.position(), &mut moves);
    let children: Vec<G::Pos> = moves.iter().map(|mv| solver.after(line.position(), *mv)).collect();
    let mut known: Vec<Option<Value>> = vec![None; moves.len()];
    for plies in 1..=limit.depth.unwrap_or(u32::MAX) {
        solver.deepen(&children, &mut known, mover, plies);
        if solver.out || known.iter().all(Option::is_some) {
            break;
        }
    }
    let whole = conclude(&known);
    let moves = moves.into_iter().zip(known).filter_map(|(mv, value)| Some((mv, value?)));
    Solved { whole, moves: moves.collect(), nodes: solver.nodes }
}

/// A win if there is one, otherwise the best of all moves if all are known.
fn conclude(known: &[Option<Value>]) -> Option<Value> {
    let best = known.iter().flatten().copied().max_by_key(|value| value.merit())?;
    (best.proof == Proof::Win || known.iter().all(Option::is_some)).then_some(best)
}

/// Can a side force a win?
#[derive(Clone, Copy, PartialEq)]
enum Forced {
    Yes,
    /// Not within the given number of plies.
    NotYet,
    Never,
}

/// What is stored of a position for one side.
#[derive(Clone, Copy)]
struct Reach {
    /// A win is forced within this many plies.
    within: u32,
    /// No win is forced within this many plies.
    beyond: u32,
    never: bool,
}

/// The most bytes of a side's memory; when it is full, the search continues without storing more.
const MEMO: usize = 16 << 20;

/// Positions between two checks of the stop flag.
const BETWEEN_LOOKS: u64 = 1024;

struct Solver<'a, G: Game> {
    line: &'a Line<G>,
    limit: &'a Limit,
    began: Stopwatch,
    stop: &'a Stop,
    nodes: u64,
    /// The limit has been reached.
    out: bool,
    memo: [HashMap<G::Pos, Reach>; 2],
    /// The move that last decided a question of this many plies: tried first.
    killers: Vec<Option<G::Move>>,
}

impl<G: Game> Solver<'_, G> {
    fn after(&self, pos: &G::Pos, mv: G::Move) -> G::Pos {
        let mut next = pos.clone();
        self.line.game().play(&mut next, mv);
        next
    }

    /// Finds the moves that end the game in this many plies, including the move itself, and those after which neither side can
    /// win. Wins found when the limit ends the search are not kept: others might be as quick.
    fn deepen(&mut self, children: &[G::Pos], known: &mut [Option<Value>], mover: Player, plies: u32) {
        let open: Vec<usize> = (0..children.len()).filter(|at| known[*at].is_none()).collect();
        let value = |proof| Some(Value { proof, plies: Some(plies) });
        let mine: Vec<Forced> = open.iter().map(|at| self.wins(mover, &children[*at], plies - 1)).collect();
        if self.out {
            return;
        }
        for (at, mine) in open.into_iter().zip(mine) {
            known[at] = match mine {
                Forced::Yes => value(Proof::Win),
                _ => match (self.wins(mover.other(), &children[at], plies - 1), mine) {
                    _ if self.out => None,
                    (Forced::Yes, _) => value(Proof::Loss),
                    (Forced::Never, Forced::Never) => Some(Value::DRAW),
                    _ => None,
                },
            };
        }
    }

    /// Can `side` force a win from `pos` within this many plies?
    fn wins(&mut self, side: Player, pos: &G::Pos, plies: u32) -> Forced {
        let again = || (G::REPEATS && self.line.occurrences(pos) >= 2).then_some(Outcome::Draw);
        if let Some(outcome) = self.line.game().outcome(pos).or_else(again) {
            return if outcome == Outcome::Win(side) { Forced::Yes } else { Forced::Never };
        }
        if plies == 0 || !self.tick() {
            return Forced::NotYet;
        }
        match self.memo[side.index()].get(pos) {
            Some(reach) if reach.within <= plies => return Forced::Yes,
            Some(reach) if reach.never => return Forced::Never,
            Some(reach) if reach.beyond >= plies => return Forced::NotYet,
            _ => {}
        }
        let forced = self.look(side, pos, plies);
        // A question of one ply is answered faster than it is looked up.
        if plies > 1 && !self.out {
            self.remember(side, pos, plies, forced);
        }
        forced
    }

    /// The side itself needs one winning move; its opponent's moves are searched until one does not lose.
    fn look(&mut self, side: Player, pos: &G::Pos, plies: u32) -> Forced {
        let mut moves = Vec::new();
        self.line.game().moves(pos, &mut moves);
        let own = self.line.game().to_move(pos) == side;
        let depth = plies as usize;
        self.killers.resize(self.killers.len().max(depth + 1), None);
        if let Some(first) = self.killers[depth].and_then(|killer| moves.iter().position(|mv| *mv == killer)) {
            moves.swap(0, first);
        }
        let mut all = if own { Forced::Never } else { Forced::Yes };
        for mv in moves {
            let next = self.after(pos, mv);
            let forced = self.wins(side, &next, plies - 1);
            if self.out {
                return Forced::NotYet;
            }
            if (forced == Forced::Yes) == own {
                self.killers[depth] = Some(mv);
                return forced;
            }
            if forced == Forced::NotYet {
                all = Forced::NotYet;
            }
        }
        all
    }

    fn remember(&mut self, side: Player, pos: &G::Pos, plies: u32, forced: Forced) {
        let memo = &mut self.memo[side.index()];
        if memo.len() >= MEMO / size_of::<(G::Pos, Reach)>() && !memo.contains_key(pos) {
            return;
        }
        let reach = memo.entry(pos.clone()).or_insert(Reach { within: u32::MAX, beyond: 0, never: false });
        match forced {
            Forced::Yes => reach.within = reach.within.min(plies),
            Forced::NotYet => reach.beyond = reach.beyond.max(plies),
            Forced::Never => reach.never = true,
        }
    }

    fn is_late(&self) -> bool {
        self.limit.time.is_some_and(|time| self.began.elapsed() >= time)
    }

    /// Counts a position; false when the limit is reached.
    fn tick(&mut self) -> bool {
        let stopped = self.nodes.is_multiple_of(BETWEEN_LOOKS) && (self.stop.stopped() || self.is_late());
        self.out |= stopped || self.limit.nodes.is_some_and(|most| self.nodes >= most);
        self.nodes += u64::from(!self.out);
        !self.out
    }
}
