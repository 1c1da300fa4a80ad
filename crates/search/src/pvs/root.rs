//! The root of a search: its moves, and its depths one by one.

use quintet_game::Game;

use super::worker::{KNOWN, Node, Task, Worker};
use crate::order::best_first;

/// A move of the root.
pub(super) struct Root<G: Game> {
    pub mv: G::Move,
    pub value: f64,
    pub ended: bool,
}

impl<G: Game> Clone for Root<G> {
    fn clone(&self) -> Root<G> {
        Root { ..*self }
    }
}

/// The best result of a depth so far.
pub(super) struct BestMove<G: Game> {
    /// The index among the root's moves.
    pub at: usize,
    pub value: f64,
    pub line: Vec<G::Move>,
}

impl<G: Game> Worker<'_, G> {
    /// The root's moves, each position once, the promising ones first: the result of depth 1. However small the limit, there is at
    /// least one.
    pub fn roots(&mut self, moves: &[G::Move]) -> Vec<Root<G>> {
        let root = self.task.root;
        let mut roots: Vec<Root<G>> = Vec::new();
        self.scratch.seen.clear(moves.len());
        for (at, &mv) in moves.iter().enumerate() {
            let next = self.after(root, mv);
            if !self.is_new(root, &next, self.task.key(&next), moves, at) {
                continue;
            }
            if !self.look(&next, 1) && !roots.is_empty() {
                break;
            }
            let (value, ended) = self.score(&next, 1, self.task.view);
            roots.push(Root { mv, value, ended });
        }
        best_first(&mut roots, |root| root.value);
        roots
    }

    /// One depth, at least 2. `None` if a limit ends it before the first move is done; later, the best of the finished moves.
    pub fn root(&mut self, roots: &mut [Root<G>], depth: u32) -> Option<BestMove<G>> {
        let Task { root: pos, view: mover, .. } = *self.task;
        let node = Node { pos, mover, depth, ply: 0, beta: f64::INFINITY };
        let mut found: Option<BestMove<G>> = None;
        for (at, root) in roots.iter_mut().enumerate() {
            let alpha = found.as_ref().map_or(f64::NEG_INFINITY, |found| found.value);
            if !root.ended {
                let next = self.after(pos, root.mv);
                if self.steps {
                    self.enter(&node, root.mv, alpha);
                }
                // The sum turns a negative zero into a plain one.
                root.value = self.child(&node, &next, self.task.key(&next), alpha, found.is_none(), 0) + 0.0;
                if self.steps {
                    self.leave(&node, root.value);
                }
                if self.meter.is_out() {
                    return found;
                }
            }
            if found.as_ref().is_none_or(|found| root.value > found.value) {
                let mut line = vec![root.mv];
                if !root.ended {
                    line.extend_from_slice(self.line(1));
                }
                found = Some(BestMove { at, value: root.value, line });
            }
            // Earlier depths found no win, so there is none that is shorter.
            if root.value > KNOWN {
                break;
            }
        }
        found
    }
}
