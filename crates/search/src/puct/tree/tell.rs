//! What a tree reports.

use std::iter;

use quintet_game::{Game, Player, Proof};

use super::{Node, Tree};
use crate::known::chances;
use crate::report::BRANCHES;
use crate::{Branch, Choice, Clock, Report, RootMove, Watch};

/// Once its root is expanded.
impl<G: Game> Tree<G> {
    pub fn is_grown(&self) -> bool {
        self.nodes[0].edges > 0
    }

    /// The best move of `mover` with its node, if it was tried: known wins first, the shortest; then the most visited that is not
    /// a known loss, or a known draw if that looks worse; then the longest loss.
    fn best(&self, node: &Node, mover: Player) -> Option<(G::Move, Option<&Node>)> {
        let rank = |node: &Node| match node.known.map(|known| (known.proof(mover), known.merit(mover))) {
            Some((Proof::Win, merit)) => (3, merit, 0.0),
            Some((Proof::Loss, merit)) => (0, merit, 0.0),
            Some((Proof::Draw, merit)) => (1, merit, 0.0),
            None => (2, i64::from(node.visits), node.mean()),
        };
        let untried = self.edges(node).nth(usize::from(node.tried)).map(|edge| (self.moves[edge], None));
        let mut best: Option<(G::Move, &Node)> = None;
        let mut draw: Option<(G::Move, &Node)> = None;
        for (edge, child) in self.children(node) {
            let better = |than: &(G::Move, &Node)| rank(child) > rank(than.1);
            if best.as_ref().is_none_or(better) {
                best = Some((self.moves[edge], child));
            }
            if rank(child).0 == 1 && draw.as_ref().is_none_or(better) {
                draw = Some((self.moves[edge], child));
            }
        }
        match (best, draw) {
            (Some((_, child)), Some((mv, draw))) if child.known.is_none() && child.mean() < 0.5 => {
                Some((mv, Some(draw)))
            }
            // If everything tried is lost, something untried may not be.
            (Some((mv, child)), _) if rank(child).0 > 0 || untried.is_none() => Some((mv, Some(child))),
            _ => untried,
        }
    }

    /// The best moves of both sides, as far as they were tried.
    fn main_line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let (mut node, mut mover) = (&self.nodes[0], self.line.to_move());
        while let Some((mv, child)) = self.best(node, mover) {
            // The root's move is the answer, even if untried.
            if child.is_some() || line.is_empty() {
                line.push(mv);
            }
            let Some(child) = child else { break };
            (node, mover) = (child, mover.other());
        }
        line
    }

    /// The chances of the side to move at the root, with the best move.
    fn chances(&self) -> [f64; 2] {
        let mover = self.line.to_move();
        match (self.nodes[0].known, self.best(&self.nodes[0], mover).and_then(|best| best.1)) {
            (Some(known), _) => chances(known.proof(mover)),
            (None, Some(best)) => self.chances_of(best),
            // Nothing was tried: the root's own evaluation, with the sides exchanged.
            (None, None) => {
                let [loss, draw] = self.nodes[0].chances();
                [(1.0 - loss - draw).max(0.0), draw]
            }
        }
    }

    /// The chances of the side to move at the root, with the move that leads to this child.
    fn chances_of(&self, child: &Node) -> [f64; 2] {
        child.known.map_or_else(|| child.chances(), |known| chances(known.proof(self.line.to_move())))
    }

    /// The top of the tree below a node in which `mover` is to move: won moves, then the most visited.
    fn branches(&self, node: &Node, mover: Player, widths: &[usize]) -> Vec<Branch<G::Move>> {
        let Some((width, rest)) = widths.split_first() else { return Vec::new() };
        let proof = |child: &Node| child.known.map(|known| known.proof(mover));
        let mut children: Vec<(usize, &Node)> = self.children(node).filter(|(_, child)| child.visits > 0).collect();
        children.sort_by_key(|(_, child)| (proof(child) != Some(Proof::Win), -i64::from(child.visits)));
        children.truncate(*width);
        let told = |(edge, child): (usize, &Node)| Branch {
            mv: self.moves[edge],
            visits: u64::from(child.visits),
            value: child.mean(),
            proof: proof(child),
            children: self.branches(child, mover.other(), rest),
        };
        children.into_iter().map(told).collect()
    }

    pub fn report(&self, clock: &Clock, watch: &mut dyn Watch<G>) {
        let score = |[win, draw]: [f64; 2]| win + draw / 2.0;
        let root = &self.nodes[0];
        let tried = self.children(root).map(|(_, node)| (score(self.chances_of(node)), u64::from(node.visits)));
        let told = tried.chain(iter::repeat((0.0, 0)));
        let roots: Vec<RootMove<G::Move>> = self.moves[self.edges(root)]
            .iter()
            .zip(told)
            .map(|(mv, (value, visits))| RootMove { mv: *mv, value, visits: Some(visits) })
            .collect();
        let line = self.main_line();
        watch.depth_done(Report {
            depth: line.len() as u32,
            nodes: clock.nodes(),
            elapsed: clock.elapsed(),
            value: Some(score(self.chances())),
            line,
            roots,
            tree: self.branches(&self.nodes[0], self.line.to_move(), &BRANCHES),
            ..Report::default()
        });
    }

    pub fn choice(&self, clock: &Clock) -> Choice<G::Move> {
        let chances = self.chances();
        let line = self.main_line();
        Choice {
            mv: line[0],
            value: chances[0] + chances[1] / 2.0,
            known: self.nodes[0].known.map(|known| known.proof(self.line.to_move()).into()),
            chances: Some(chances),
            depth: line.len() as u32,
            line,
            nodes: clock.nodes(),
            elapsed: clock.elapsed(),
        }
    }
}
