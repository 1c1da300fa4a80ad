//! What a tree reports.

use std::cmp::Reverse;
use std::iter;
use std::time::Duration;

use quintet_game::{Game, Player, Proof};

use super::{Moves, Node, Tree};
use crate::known::chances;
use crate::report::BRANCHES;
use crate::{Branch, Choice, Report, RootMove, Watch};

/// The best move of `mover` with its node, if it was tried: known wins first, the shortest; then the most visited that is not
/// a known loss, or a known draw if that looks worse; then the longest loss.
fn best<M: Copy>(node: &Node<M>, mover: Player) -> Option<(M, Option<&Node<M>>)> {
    let rank = |node: &Node<M>| match node.known().map(|known| (known.proof(mover), known.merit(mover))) {
        Some((Proof::Win, merit)) => (3, merit, 0.0),
        Some((Proof::Loss, merit)) => (0, merit, 0.0),
        Some((Proof::Draw, merit)) => (1, merit, 0.0),
        None => (2, i64::from(node.visits()), node.mean()),
    };
    let untried = node.untried().map(|(_, mv)| (*mv, None));
    let mut best: Option<(M, &Node<M>)> = None;
    let mut draw: Option<(M, &Node<M>)> = None;
    for ((_, mv), child) in node.children() {
        let better = |than: &(M, &Node<M>)| rank(child) > rank(than.1);
        if best.as_ref().is_none_or(better) {
            best = Some((*mv, child));
        }
        if rank(child).0 == 1 && draw.as_ref().is_none_or(better) {
            draw = Some((*mv, child));
        }
    }
    match (best, draw) {
        (Some((_, child)), Some((mv, draw))) if child.known().is_none() && child.mean() < 0.5 => Some((mv, Some(draw))),
        // If everything tried is lost, something untried may not be.
        (Some((mv, child)), _) if rank(child).0 > 0 || untried.is_none() => Some((mv, Some(child))),
        _ => untried,
    }
}

/// Once its root is expanded.
impl<G: Game> Tree<G> {
    pub fn is_grown(&self) -> bool {
        self.root.0.moves().is_some()
    }

    /// The best moves of both sides, as far as they were tried.
    fn main_line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let (mut node, mut mover) = (&self.root.0, self.line.to_move());
        while let Some((mv, child)) = best(node, mover) {
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
        match (self.root.0.known(), best(&self.root.0, mover).and_then(|best| best.1)) {
            (Some(known), _) => chances(known.proof(mover)),
            (None, Some(best)) => self.chances_of(best),
            // Nothing was tried: the root's own evaluation, with the sides exchanged.
            (None, None) => {
                let [loss, draw] = self.root.0.chances();
                [(1.0 - loss - draw).max(0.0), draw]
            }
        }
    }

    /// The chances of the side to move at the root, with the move that leads to this child.
    fn chances_of(&self, child: &Node<G::Move>) -> [f64; 2] {
        child.known().map_or_else(|| child.chances(), |known| chances(known.proof(self.line.to_move())))
    }

    /// The top of the tree below a node in which `mover` is to move: won moves, then the most visited.
    fn branches(&self, node: &Node<G::Move>, mover: Player, widths: &[usize]) -> Vec<Branch<G::Move>> {
        let Some((width, rest)) = widths.split_first() else { return Vec::new() };
        let proof = |child: &Node<G::Move>| child.known().map(|known| known.proof(mover));
        let visited = node.children().filter(|(_, child)| child.visits() > 0);
        // The keys are read once, because other threads may change them while they are sorted.
        let keyed =
            visited.map(|(listed, child)| (proof(child) != Some(Proof::Win), Reverse(child.visits()), listed.1, child));
        let mut children: Vec<_> = keyed.collect();
        children.sort_by_cached_key(|(not_won, visits, ..)| (*not_won, *visits));
        children.truncate(*width);
        let told = |(_, Reverse(visits), mv, child): (bool, Reverse<u32>, G::Move, &Node<G::Move>)| Branch {
            mv,
            visits: u64::from(visits),
            value: child.mean(),
            proof: proof(child),
            children: self.branches(child, mover.other(), rest),
        };
        children.into_iter().map(told).collect()
    }

    pub fn report(&self, nodes: u64, elapsed: Duration, watch: &mut dyn Watch<G>) {
        let score = |[win, draw]: [f64; 2]| win + draw / 2.0;
        let root = &self.root.0;
        let tried = root.children().map(|(_, node)| (score(self.chances_of(node)), u64::from(node.visits())));
        let told = tried.chain(iter::repeat((0.0, 0)));
        let all = root.moves().map_or(&[][..], Moves::list);
        let roots: Vec<RootMove<G::Move>> = all
            .iter()
            .zip(told)
            .map(|((prior, mv), (value, visits))| {
                let prior = Some(f64::from(*prior));
                RootMove { visits: Some(visits), prior, ..RootMove::valued(*mv, value) }
            })
            .collect();
        let line = self.main_line();
        watch.depth_done(Report {
            depth: line.len() as u32,
            nodes,
            elapsed,
            value: Some(score(self.chances())),
            line,
            roots,
            tree: self.branches(root, self.line.to_move(), &BRANCHES),
            ..Report::default()
        });
    }

    pub fn choice(&self, nodes: u64, elapsed: Duration) -> Choice<G::Move> {
        let chances = self.chances();
        let line = self.main_line();
        Choice {
            mv: line[0],
            value: chances[0] + chances[1] / 2.0,
            known: self.root.0.known().map(|known| known.proof(self.line.to_move()).into()),
            chances: Some(chances),
            depth: line.len() as u32,
            line,
            nodes,
            elapsed,
        }
    }
}
