//! Proofs. A table with 64-bit keys can err, so a result found with it is verified once more without it.

use std::collections::HashMap;

use quintet_game::{Game, Outcome, Player, Proof};

use super::order::pick;
use super::worker::{ENDS, KNOWN, Node, Worker};

/// What a side tries to force.
#[derive(Clone, Copy, PartialEq)]
enum Goal {
    Win,
    /// Not to lose.
    Draw,
}

/// Looks for a way of `side` to force the goal against any play. Only endings count.
///
/// A proof of a win may ignore repetition: the shortest way to a win visits no position twice.
struct Prover<'w, 'a, G: Game> {
    worker: &'w mut Worker<'a, G>,
    side: Player,
    goal: Goal,
    /// For whole positions: whether the goal is reached within this many plies.
    memo: HashMap<G::Pos, (bool, u32)>,
    /// The node count at which the proof is given up.
    until: u64,
}

/// The most bytes of a proof's memory; when it is full, the proof continues without storing more.
const MEMO: usize = 16 << 20;

/// A proof may search as many nodes as the search before it, plus this many.
const EXTRA: u64 = 10_000;

impl<G: Game> Worker<'_, G> {
    /// Is it a fact that the root has this `value` and that `mv` keeps it? `None` if not, or if the limit is too small to tell.
    pub fn proof(&mut self, mv: G::Move, value: f64, depth: u32) -> Option<Proof> {
        let (root, view) = (self.task.root, self.task.view);
        let next = self.after(root, mv);
        if value.abs() <= KNOWN {
            // A draw by repetition proves nothing.
            let draw = !G::REPEATS
                && self.forces(&next, 1, view, Goal::Draw, depth)
                && self.forces(root, 0, view.other(), Goal::Draw, depth);
            return draw.then_some(Proof::Draw);
        }
        let plies = ((ENDS.utility - value.abs()) / ENDS.per_ply) as u32;
        if value > 0.0 {
            self.forces(&next, 1, view, Goal::Win, plies).then_some(Proof::Win)
        } else {
            self.forces(root, 0, view.other(), Goal::Win, plies).then_some(Proof::Loss)
        }
    }

    /// Can `side` force the goal from `pos`, which is `ply` plies ahead, by the ply `last`?
    fn forces(&mut self, pos: &G::Pos, ply: u32, side: Player, goal: Goal, last: u32) -> bool {
        let until = 2 * self.meter.nodes() + EXTRA;
        let mut prover = Prover { worker: self, side, goal, memo: HashMap::new(), until };
        prover.holds(pos, ply, last.saturating_sub(ply))
    }
}

impl<G: Game> Prover<'_, '_, G> {
    /// Is the goal reached from `pos` within `plies`? No, if a limit ends the proof.
    fn holds(&mut self, pos: &G::Pos, ply: u32, plies: u32) -> bool {
        let task = self.worker.task;
        let again = || (G::REPEATS && task.twice.contains(pos)).then_some(Outcome::Draw);
        match task.game.outcome(pos).or_else(again) {
            Some(Outcome::Win(player)) => return player == self.side,
            Some(Outcome::Draw) => return self.goal == Goal::Draw,
            None => {}
        }
        if plies == 0 || self.is_out() || !self.worker.meter.tick() {
            return false;
        }
        match self.memo.get(pos) {
            Some(&(true, within)) if within <= plies => return true,
            Some(&(false, within)) if within >= plies => return false,
            _ => {}
        }
        let mover = task.game.to_move(pos);
        let node = Node { pos, mover, depth: plies, ply, beta: f64::INFINITY };
        let held = if mover == self.side { self.any(&node) } else { self.all(&node) };
        if !self.is_out() && self.memo.len() < MEMO / size_of::<(G::Pos, (bool, u32))>() {
            self.memo.insert(pos.clone(), (held, plies));
        }
        held
    }

    /// Does every move keep the goal?
    fn all(&mut self, node: &Node<G>) -> bool {
        let lists = self.worker.open(node.pos, node.ply);
        let held = lists.moves.iter().all(|mv| self.after(node, *mv));
        self.worker.close(lists, node.ply);
        held
    }

    /// Is there a move that keeps the goal? The table's is tried first, then the promising ones.
    fn any(&mut self, node: &Node<G>) -> bool {
        let task = self.worker.task;
        let mut lists = self.worker.open(node.pos, node.ply);
        let hint =
            self.worker.table.get(task.key(node.pos)).and_then(|entry| entry.best).filter(|at| *at < lists.moves.len());
        let mut held = hint.is_some_and(|at| self.after(node, lists.moves[at]));
        if !held && node.depth == 1 {
            held = lists.moves.iter().any(|mv| self.after(node, *mv));
        } else if !held {
            self.worker.expand(node, &mut lists, &[hint]);
            for n in 0..lists.children.len() {
                let child = pick(&mut lists.children, n);
                held = self.after(node, lists.moves[child.at]);
                if held {
                    break;
                }
            }
        }
        self.worker.close(lists, node.ply);
        held
    }

    fn after(&mut self, node: &Node<G>, mv: G::Move) -> bool {
        let next = self.worker.after(node.pos, mv);
        self.holds(&next, node.ply + 1, node.depth - 1)
    }

    fn is_out(&self) -> bool {
        self.worker.meter.is_out() || self.worker.meter.nodes() >= self.until
    }
}
