//! One thread's search.

use std::sync::atomic::AtomicBool;

use quintet_eval::Evaluate;
use quintet_game::{Game, Outcome, Player};

use super::meter::{Allowance, Meter};
use super::order::{Child, KILLERS, Seen, pick, reduction, remember};
use super::table::{Bound, Entry, Table};
use crate::{Ends, Watch};

/// What all threads of one search share.
pub(super) struct Task<'a, G: Game> {
    pub game: &'a G,
    pub eval: &'a dyn Evaluate<G>,
    /// Table entries count only at equal depth.
    pub exact: bool,
    /// Late moves are searched less deeply at first.
    pub reductions: bool,
    /// The side for which the evaluation is computed.
    pub view: Player,
    pub root: &'a G::Pos,
    /// Positions that occurred twice in the line: once more is a draw.
    pub twice: &'a [G::Pos],
    /// Mixed into every key: an evaluation that is not antisymmetric has one value per side.
    pub salt: u64,
    pub budget: &'a Allowance<'a>,
}

impl<G: Game> Task<'_, G> {
    #[inline]
    pub fn key(&self, pos: &G::Pos) -> u64 {
        self.game.key(pos) ^ self.salt
    }
}

/// The values of endings: [`Ends::default`].
pub(super) const ENDS: Ends = Ends { utility: 1e6, per_ply: 1.0, with_value: false };

/// A value beyond this is a known result. Evaluations are clamped to it, so that none looks like one.
pub(super) const KNOWN: f64 = ENDS.utility / 2.0;

/// What a thread keeps from node to node and from depth to depth, so that nothing is allocated per node.
pub(super) struct Scratch<G: Game> {
    plies: Vec<Ply<G>>,
    pub seen: Seen,
    /// The positions from the root to here, where positions can recur.
    path: Vec<G::Pos>,
}

impl<G: Game> Scratch<G> {
    pub fn new() -> Scratch<G> {
        Scratch { plies: Vec::new(), seen: Seen::default(), path: Vec::new() }
    }
}

/// The lists of one node.
pub(super) struct Ply<G: Game> {
    pub moves: Vec<G::Move>,
    pub children: Vec<Child>,
    /// The best line from here.
    line: Vec<G::Move>,
    /// The moves that cut off the last nodes of this ply, the latest first.
    killers: Vec<G::Move>,
}

impl<G: Game> Default for Ply<G> {
    fn default() -> Ply<G> {
        Ply { moves: Vec::new(), children: Vec::new(), line: Vec::new(), killers: Vec::new() }
    }
}

impl<G: Game> Ply<G> {
    /// The moves tried before the others: the table's, then the killers.
    #[inline]
    fn early(&self, n: usize, hint: Option<usize>) -> Option<usize> {
        match n {
            0 => hint,
            _ => self.killers.get(n - 1).and_then(|killer| self.moves.iter().position(|mv| mv == killer)),
        }
    }
}

/// The most such moves.
const EARLY: usize = 1 + KILLERS;

/// What a value depends on besides the rules.
#[derive(Clone, Copy)]
struct Rests {
    /// An estimate.
    estimate: bool,
    /// The smallest ply whose position recurred.
    repeats: u32,
}

const NOTHING: Rests = Rests { estimate: false, repeats: u32::MAX };

/// The best move of a node so far.
#[derive(Clone, Copy)]
struct Best {
    value: f64,
    at: Option<usize>,
}

/// A node: the position and the window, for the side to move.
pub(super) struct Node<'p, G: Game> {
    pub pos: &'p G::Pos,
    pub mover: Player,
    pub depth: u32,
    pub ply: u32,
    pub beta: f64,
}

/// One thread.
pub(super) struct Worker<'a, G: Game> {
    pub task: &'a Task<'a, G>,
    pub table: &'a Table,
    pub meter: Meter<'a>,
    watch: &'a mut dyn Watch<G>,
    /// The watch asks for every step.
    pub steps: bool,
    pub scratch: &'a mut Scratch<G>,
    rests: Rests,
}

impl<'a, G: Game> Worker<'a, G> {
    pub fn new(
        task: &'a Task<'a, G>,
        table: &'a Table,
        halt: &'a AtomicBool,
        watch: &'a mut dyn Watch<G>,
        scratch: &'a mut Scratch<G>,
    ) -> Worker<'a, G> {
        scratch.path.clear();
        scratch.path.push(task.root.clone());
        scratch.plies.resize_with(scratch.plies.len().max(2), Ply::default);
        let (meter, steps) = (Meter::new(task.budget, halt), watch.wants_steps());
        Worker { task, table, meter, watch, steps, scratch, rests: NOTHING }
    }

    /// Did a value depend on an estimate?
    pub fn estimated(&self) -> bool {
        self.rests.estimate
    }

    /// The best line from a ply on, as found by the last node there.
    pub fn line(&self, ply: u32) -> &[G::Move] {
        &self.scratch.plies[ply as usize].line
    }

    /// Counts a position; false when the search must end.
    #[inline]
    pub fn look(&mut self, pos: &G::Pos, ply: u32) -> bool {
        let running = self.meter.tick();
        if running {
            self.watch.looking_at(pos, ply);
        }
        running
    }

    /// Reports a move that is tried in a node. Windows and values are the mover's here, and are converted to the root's for
    /// the report.
    #[cold]
    pub fn enter(&mut self, node: &Node<G>, mv: G::Move, alpha: f64) {
        let own = node.mover == self.task.view;
        self.watch.entered(mv, node.ply + 1, if own { [alpha, node.beta] } else { [-node.beta, -alpha] });
    }

    /// Reports the result of that move.
    #[cold]
    pub fn leave(&mut self, node: &Node<G>, value: f64) {
        self.watch.left(node.ply + 1, if node.mover == self.task.view { value } else { -value });
    }

    #[inline]
    pub fn after(&self, pos: &G::Pos, mv: G::Move) -> G::Pos {
        let mut next = pos.clone();
        self.task.game.play(&mut next, mv);
        next
    }

    /// The evaluation of a position `ply` plies ahead for `mover`, and whether the game has ended there.
    #[inline]
    pub fn score(&mut self, pos: &G::Pos, ply: u32, mover: Player) -> (f64, bool) {
        let Task { game, eval, view, .. } = *self.task;
        match game.outcome(pos).or_else(|| self.repeated(pos)) {
            Some(outcome) => (ENDS.value(eval, game, pos, mover, Some(outcome), ply), true),
            None => {
                let value = eval.value(game, pos, view).clamp(-KNOWN, KNOWN);
                (if mover == view { value } else { -value }, false)
            }
        }
    }

    /// A position that is already on the path, or has occurred twice in the line, is a draw.
    fn repeated(&mut self, pos: &G::Pos) -> Option<Outcome> {
        if !G::REPEATS {
            return None;
        }
        let ply = match self.scratch.path.iter().position(|other| other == pos) {
            Some(ply) => ply as u32,
            None if self.task.twice.contains(pos) => 0,
            None => return None,
        };
        self.rests.repeats = self.rests.repeats.min(ply);
        Some(Outcome::Draw)
    }

    /// Principal variation search of a child that has not ended: the first in the full window, others first in a null window that
    /// asks whether they are better at all, and before that reduced by `less` plies. From the view of the node's mover.
    pub fn child(&mut self, node: &Node<G>, next: &G::Pos, key: u64, alpha: f64, first: bool, less: u32) -> f64 {
        let turned = self.task.game.to_move(next) != node.mover;
        let mut search = |alpha: f64, beta: f64, less: u32| {
            let (depth, ply) = (node.depth - 1 - less, node.ply + 1);
            if turned {
                -self.node(next, key, depth, ply, -beta, -alpha)
            } else {
                self.node(next, key, depth, ply, alpha, beta)
            }
        };
        if first {
            return search(alpha, node.beta, 0);
        }
        let mut value = search(alpha, alpha.next_up(), less);
        if less > 0 && value > alpha {
            value = search(alpha, alpha.next_up(), 0);
        }
        if value > alpha && value < node.beta { search(alpha, node.beta, 0) } else { value }
    }

    /// The value of a position that has not ended, for the side to move there; exact inside (alpha, beta), else a bound.
    fn node(&mut self, pos: &G::Pos, key: u64, depth: u32, ply: u32, alpha: f64, beta: f64) -> f64 {
        let entry = self.table.get(key);
        // In an open window the line is needed too, and the table has none.
        let open = beta > alpha.next_up();
        if let Some(entry) = &entry
            && !open
            && let Some(value) = self.known(entry, depth, ply, alpha, beta)
        {
            self.scratch.plies[ply as usize].line.clear();
            self.rests.estimate |= !entry.complete;
            return value;
        }
        let mut lists = self.open(pos, ply);
        if G::REPEATS {
            self.scratch.path.push(pos.clone());
        }
        let outer = std::mem::replace(&mut self.rests, NOTHING);
        let node = Node { pos, mover: self.task.game.to_move(pos), depth, ply, beta };
        let hint = entry.and_then(|entry| entry.best).filter(|best| *best < lists.moves.len());
        let best = if depth == 1 {
            self.frontier(&node, &mut lists, alpha, hint)
        } else {
            self.interior(&node, &mut lists, alpha, hint)
        };
        self.close(lists, ply);
        if G::REPEATS {
            self.scratch.path.pop();
        }
        if !self.meter.is_out() && self.rests.repeats >= ply {
            self.keep(&node, key, alpha, best);
        }
        self.rests = Rests {
            estimate: outer.estimate || self.rests.estimate,
            repeats: outer.repeats.min(if self.rests.repeats < ply { self.rests.repeats } else { u32::MAX }),
        };
        best.value
    }

    /// The lists of a node, filled with its moves; [`Worker::close`] returns them.
    pub fn open(&mut self, pos: &G::Pos, ply: u32) -> Ply<G> {
        let plies = &mut self.scratch.plies;
        if plies.len() <= ply as usize + 1 {
            plies.resize_with(ply as usize + 2, Ply::default);
        }
        let mut lists = std::mem::take(&mut plies[ply as usize]);
        lists.moves.clear();
        lists.line.clear();
        self.task.game.moves(pos, &mut lists.moves);
        lists
    }

    pub fn close(&mut self, lists: Ply<G>, ply: u32) {
        self.scratch.plies[ply as usize] = lists;
    }

    /// A node whose children are leaves, which need no lists.
    fn frontier(&mut self, node: &Node<G>, lists: &mut Ply<G>, mut alpha: f64, hint: Option<usize>) -> Best {
        let mut best = Best { value: f64::NEG_INFINITY, at: None };
        let mut done = [None; EARLY];
        for n in 0..EARLY {
            done[n] = lists.early(n, hint).filter(|at| !done.contains(&Some(*at)));
            if done[n].is_some_and(|at| self.leaf(node, lists, &mut alpha, &mut best, at)) {
                return best;
            }
        }
        for at in 0..lists.moves.len() {
            if !done.contains(&Some(at)) && self.leaf(node, lists, &mut alpha, &mut best, at) {
                break;
            }
        }
        best
    }

    /// Searches one leaf; true if no other needs to be searched.
    #[inline]
    fn leaf(&mut self, node: &Node<G>, lists: &mut Ply<G>, alpha: &mut f64, best: &mut Best, at: usize) -> bool {
        let mv = lists.moves[at];
        let next = self.after(node.pos, mv);
        if !self.look(&next, node.ply + 1) {
            return true;
        }
        let (value, ended) = self.score(&next, node.ply + 1, node.mover);
        if self.steps {
            self.enter(node, mv, *alpha);
            self.leave(node, value);
        }
        self.rests.estimate |= !ended;
        if value > best.value {
            *best = Best { value, at: Some(at) };
            if value > *alpha {
                *alpha = value;
                lists.line.clear();
                lists.line.push(mv);
            }
        }
        value >= node.beta && self.cut_off(node, lists, mv)
    }

    /// The rest of the node's moves need not be searched. Always true.
    fn cut_off(&mut self, node: &Node<G>, lists: &mut Ply<G>, mv: G::Move) -> bool {
        remember(&mut lists.killers, mv);
        self.watch.cut_off(node.ply);
        true
    }

    /// A node whose children are searched. Often an early move is enough, and the others need not be listed.
    fn interior(&mut self, node: &Node<G>, lists: &mut Ply<G>, mut alpha: f64, hint: Option<usize>) -> Best {
        let mut best = Best { value: f64::NEG_INFINITY, at: None };
        let mut done = [None; EARLY];
        for n in 0..EARLY {
            done[n] = lists.early(n, hint).filter(|at| !done.contains(&Some(*at)));
            if let Some(at) = done[n] {
                let next = self.after(node.pos, lists.moves[at]);
                if !self.look(&next, node.ply + 1) {
                    return best;
                }
                let end = self.end(&next, node);
                let child =
                    Child { at, key: self.task.key(&next), score: end.unwrap_or(0.0), ended: end.is_some(), less: 0 };
                if self.take(node, lists, &mut alpha, &mut best, &child) {
                    return best;
                }
            }
        }
        self.expand(node, lists, &done);
        for n in 0..lists.children.len() {
            let mut child = pick(&mut lists.children, n);
            if self.task.reductions {
                child.less = reduction(node.depth, n);
            }
            if self.take(node, lists, &mut alpha, &mut best, &child) {
                break;
            }
        }
        best
    }

    #[inline]
    fn end(&mut self, next: &G::Pos, node: &Node<G>) -> Option<f64> {
        let outcome = self.task.game.outcome(next).or_else(|| self.repeated(next))?;
        Some(ENDS.value(self.task.eval, self.task.game, next, node.mover, Some(outcome), node.ply + 1))
    }

    /// Searches a child and keeps it if it is better; true if no other needs to be searched.
    fn take(&mut self, node: &Node<G>, lists: &mut Ply<G>, alpha: &mut f64, best: &mut Best, child: &Child) -> bool {
        let mv = lists.moves[child.at];
        if self.steps {
            self.enter(node, mv, *alpha);
        }
        let value = if child.ended {
            child.score
        } else {
            let next = self.after(node.pos, mv);
            self.child(node, &next, child.key, *alpha, best.at.is_none(), child.less)
        };
        if self.steps {
            self.leave(node, value);
        }
        if self.meter.is_out() {
            return true;
        }
        if value > best.value {
            *best = Best { value, at: Some(child.at) };
        }
        if value > *alpha {
            *alpha = value;
            lists.line.clear();
            lists.line.push(mv);
            if !child.ended {
                lists.line.extend_from_slice(self.line(node.ply + 1));
            }
        }
        value >= node.beta && self.cut_off(node, lists, mv)
    }

    /// Lists the children except those that are `done`, each position once.
    pub fn expand(&mut self, node: &Node<G>, lists: &mut Ply<G>, done: &[Option<usize>]) {
        lists.children.clear();
        self.scratch.seen.clear(lists.moves.len());
        for &at in done.iter().flatten() {
            let next = self.after(node.pos, lists.moves[at]);
            self.is_new(node.pos, &next, self.task.key(&next), &lists.moves, at);
        }
        for at in (0..lists.moves.len()).filter(|at| !done.contains(&Some(*at))) {
            let next = self.after(node.pos, lists.moves[at]);
            let key = self.task.key(&next);
            if !self.is_new(node.pos, &next, key, &lists.moves, at) {
                continue;
            }
            if !self.look(&next, node.ply + 1) {
                return;
            }
            let (score, ended) = self.score(&next, node.ply + 1, node.mover);
            lists.children.push(Child { at, key, score, ended, less: 0 });
        }
    }

    /// Does `next`, the position after the move at `at`, occur for the first time in this node?
    #[inline]
    pub fn is_new(&mut self, pos: &G::Pos, next: &G::Pos, key: u64, moves: &[G::Move], at: usize) -> bool {
        let game = self.task.game;
        // With equal keys, the positions nearly always are equal: playing the earlier move again is cheaper than storing every
        // position.
        self.scratch.seen.insert(key, at, |first| {
            let mut other = pos.clone();
            game.play(&mut other, moves[first]);
            other == *next
        })
    }

    /// A value that determines a node without a search.
    fn known(&self, entry: &Entry, depth: u32, ply: u32, alpha: f64, beta: f64) -> Option<f64> {
        let deep =
            if self.task.exact { !G::REPEATS && entry.depth == depth } else { entry.depth >= depth || entry.complete };
        let value = from_node(entry.value, ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (deep && decides).then_some(value)
    }

    fn keep(&self, node: &Node<G>, key: u64, alpha: f64, best: Best) {
        let bound = if best.value >= node.beta {
            Bound::Lower
        } else if best.value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let value = to_node(best.value, node.ply);
        let complete = !self.rests.estimate;
        let entry = Entry { value, bound, depth: node.depth, complete, best: best.at };
        self.table.put(key, &entry);
    }
}

/// A known result counts plies from the root in the search, from the node in the table.
fn to_node(value: f64, ply: u32) -> f64 {
    from_root(value, f64::from(ply))
}

fn from_node(value: f64, ply: u32) -> f64 {
    from_root(value, -f64::from(ply))
}

fn from_root(value: f64, plies: f64) -> f64 {
    if value.abs() > KNOWN { value + plies * ENDS.per_ply * value.signum() } else { value }
}
