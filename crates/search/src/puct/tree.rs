//! The tree of a [`super::Puct`]: walking down, growing, backing up.
//!
//! Positions have many legal moves, most of which are never tried. An expanded position therefore holds its edges in plain
//! arrays, the best prior first, and a node exists only for a move that was tried. The next move to try is always the untried one
//! with the best prior, so the tried moves are the first ones.

mod tell;

use std::ops::Range;

use quintet_game::{Game, Line, Outcome, Player};

use super::Settings;
use crate::known::Known;
use crate::room::{bytes, reserve};

#[derive(Clone, Debug)]
struct Node {
    /// The sum of results for the player who moved here, and of drawn shares.
    score: f64,
    draws: f32,
    visits: u32,
    /// Where its edges begin, and how many there are; 0 before it is expanded.
    first_edge: u32,
    edges: u16,
    /// Edges that were tried.
    tried: u16,
    /// Walks that wait for an evaluation below here. Each counts as a lost visit, so that other walks go elsewhere.
    pending: u16,
    /// A child is a known draw: the side to move has at least that.
    holds_draw: bool,
    known: Option<Known>,
}

impl Node {
    fn new() -> Node {
        Node {
            score: 0.0,
            draws: 0.0,
            visits: 0,
            first_edge: 0,
            edges: 0,
            tried: 0,
            pending: 0,
            holds_draw: false,
            known: None,
        }
    }

    /// The mean result for the player who moved here.
    #[inline]
    fn mean(&self) -> f64 {
        self.score / f64::from(self.visits.max(1))
    }

    /// The shares of wins and draws of the player who moved here.
    #[inline]
    fn chances(&self) -> [f64; 2] {
        let draw = f64::from(self.draws) / f64::from(self.visits.max(1));
        [(self.mean() - draw / 2.0).max(0.0), draw]
    }

    /// The visits that selection sees.
    fn visits_with_pending(&self) -> f64 {
        f64::from(self.visits + u32::from(self.pending))
    }
}

/// Where a walk ended.
pub(super) enum End {
    /// At a position to be evaluated: has it been visited before, and is there room to expand it?
    Leaf { again: bool, fits: bool },
    /// At a known result.
    Over(Outcome),
    /// At a position that is being evaluated.
    Busy,
}

/// An evaluation for the side to move: the share of wins plus half the share of draws, and the share of draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    pub score: f64,
    pub draws: f32,
}

impl Points {
    pub fn of_chances([win, draw, _]: [f32; 3]) -> Points {
        Points { score: f64::from(win) + f64::from(draw) / 2.0, draws: draw }
    }

    pub fn of_outcome(outcome: Outcome, mover: Player) -> Points {
        match outcome {
            Outcome::Draw => Points { score: 0.5, draws: 1.0 },
            Outcome::Win(player) => Points { score: f64::from(u8::from(player == mover)), draws: 0.0 },
        }
    }
}

pub(super) struct Tree<G: Game> {
    /// The game up to the root.
    line: Line<G>,
    /// The root is the first.
    nodes: Vec<Node>,
    /// The edges: move, prior, and the node it leads to if it was tried.
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    children: Vec<u32>,
}

/// Growing and walking.
impl<G: Game> Tree<G> {
    pub fn new(line: &Line<G>) -> Tree<G> {
        Tree {
            line: line.clone(),
            nodes: vec![Node::new()],
            moves: Vec::new(),
            priors: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Visits of the root, including walks under way.
    pub fn visits(&self) -> u64 {
        u64::from(self.nodes[0].visits) + u64::from(self.nodes[0].pending)
    }

    pub fn is_known(&self) -> bool {
        self.nodes[0].known.is_some()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.moves.len() * Self::EDGE
    }

    /// Bytes that it holds, whether it uses them now or not.
    pub fn allocated(&self) -> usize {
        bytes(&self.nodes) + bytes(&self.moves) + bytes(&self.priors) + bytes(&self.children)
    }

    /// Bytes of an edge.
    const EDGE: usize = size_of::<G::Move>() + size_of::<f32>() + size_of::<u32>();

    fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    fn edges(&self, node: &Node) -> Range<usize> {
        node.first_edge as usize..node.first_edge as usize + usize::from(node.edges)
    }

    /// The moves that were tried, with their nodes.
    fn children(&self, node: &Node) -> impl Iterator<Item = (usize, &Node)> + '_ {
        self.edges(node).take(usize::from(node.tried)).map(|edge| (edge, self.node(self.children[edge])))
    }

    /// Gives a node its moves, the best first. It stays a leaf if there is no room; the root always has room.
    pub fn expand(&mut self, node: u32, moves: &[(f32, G::Move)], settings: &Settings) {
        let first_edge = self.moves.len();
        let edges = first_edge + moves.len();
        let fits = self.bytes() + moves.len() * Self::EDGE <= settings.memory && edges < u32::MAX as usize;
        if self.node(node).edges > 0 || (node != 0 && !fits) {
            return;
        }
        // The vectors share what is left.
        let spare = settings.memory.saturating_sub(self.allocated()) / 4;
        reserve(&mut self.moves, moves.len(), spare);
        reserve(&mut self.priors, moves.len(), spare);
        reserve(&mut self.children, moves.len(), spare);
        self.moves.extend(moves.iter().map(|(_, mv)| *mv));
        self.priors.extend(moves.iter().map(|(prior, _)| *prior));
        self.children.resize(edges, 0);
        let node = &mut self.nodes[node as usize];
        node.first_edge = first_edge as u32;
        node.edges = u16::try_from(moves.len()).expect("no game has so many moves");
    }

    /// Walks from the root to a leaf by the bounds, and returns where it ended. `path` gets the nodes; `seen` is a buffer.
    pub fn walk(&mut self, path: &mut Vec<u32>, seen: &mut Vec<G::Pos>, settings: &Settings) -> (G::Pos, End) {
        path.clear();
        path.push(0);
        seen.clear();
        let mut pos = self.line.position().clone();
        let mut at = 0;
        loop {
            let node = self.node(at);
            if at != 0 {
                if let Some(known) = node.known {
                    return (pos, End::Over(known.outcome));
                }
                // A node that was evaluated is not the end of a game.
                if node.visits == 0
                    && let Some(outcome) = self.line.game().outcome(&pos)
                {
                    self.nodes[at as usize].known = Some(Known { outcome, plies: 0 });
                    return (pos, End::Over(outcome));
                }
                if self.repeated(seen, &pos) {
                    return (pos, End::Over(Outcome::Draw));
                }
            }
            let node = self.node(at);
            if node.edges == 0 && node.pending > 0 {
                return (pos, End::Busy);
            }
            let Some(edge) = self.select(at, settings) else {
                let node = self.node(at);
                let fits = node.edges == 0 && (at == 0 || self.bytes() < settings.memory);
                return (pos, End::Leaf { again: node.visits > 0, fits });
            };
            if G::REPEATS {
                seen.push(pos.clone());
            }
            self.line.game().play(&mut pos, self.moves[edge]);
            at = self.children[edge];
            path.push(at);
        }
    }

    /// A position that is already on the path, or has occurred twice in the line, is a draw (of this walk: it proves nothing).
    fn repeated(&self, seen: &[G::Pos], pos: &G::Pos) -> bool {
        G::REPEATS && (seen.contains(pos) || self.line.occurrences(pos) >= 2)
    }

    /// The edge with the largest bound; an untried one gets its node. Known children come last. `None` at a leaf.
    fn select(&mut self, at: u32, settings: &Settings) -> Option<usize> {
        let node = self.node(at);
        let weight = settings.exploration * node.visits_with_pending().sqrt();
        let mut best: Option<(f64, usize)> = None;
        let mut tried_priors = 0.0;
        for (edge, child) in self.children(node) {
            let prior = f64::from(self.priors[edge]);
            let visits = child.visits_with_pending();
            let bound = match child.known.map(|known| known.outcome) {
                None => child.score / visits.max(1.0) + weight * prior / (1.0 + visits),
                Some(Outcome::Draw) => -2.0,
                Some(Outcome::Win(_)) => -3.0,
            };
            if best.is_none_or(|(most, _)| bound > most) {
                best = Some((bound, edge));
            }
            tried_priors += prior;
        }
        // Of the untried ones, the first has the best prior, and everything else is equal.
        let untried = self.edges(node).nth(usize::from(node.tried)).filter(|_| self.has_room_for_node(settings));
        if let Some(edge) = untried {
            let mean = 1.0 - node.mean() - settings.reduction * f64::sqrt(tried_priors);
            let bound = mean + weight * f64::from(self.priors[edge]);
            if best.is_none_or(|(most, _)| bound > most) {
                self.children[edge] = self.nodes.len() as u32;
                let spare = settings.memory.saturating_sub(self.allocated()) / 4;
                reserve(&mut self.nodes, 1, spare);
                self.nodes.push(Node::new());
                self.nodes[at as usize].tried += 1;
                return untried;
            }
        }
        best.map(|(_, edge)| edge)
    }

    /// The root and its children are never refused.
    fn has_room_for_node(&self, settings: &Settings) -> bool {
        let edges = usize::from(self.nodes[0].edges);
        let least = (edges + 1) * size_of::<Node>() + edges * Self::EDGE;
        self.bytes() + size_of::<Node>() <= settings.memory.max(least)
    }

    /// A walk starts waiting for its evaluation.
    pub fn wait(&mut self, path: &[u32]) {
        path.iter().for_each(|at| self.nodes[*at as usize].pending += 1);
    }

    /// A walk stops waiting.
    pub fn end_wait(&mut self, path: &[u32]) {
        path.iter().for_each(|at| self.nodes[*at as usize].pending -= 1);
    }

    /// Counts a visit of every node of `path`, with the value of the last one for its side to move.
    pub fn back_up(&mut self, path: &[u32], mut value: Points) {
        let root_mover = self.line.to_move();
        let mut child_known: Option<Known> = None;
        for (ply, &at) in path.iter().enumerate().rev() {
            if let Some(known) = child_known {
                self.learn(at, known, if ply % 2 == 0 { root_mover } else { root_mover.other() });
            }
            let node = &mut self.nodes[at as usize];
            if node.holds_draw && value.score < 0.5 {
                value = Points { score: 0.5, draws: 1.0 };
            }
            value.score = 1.0 - value.score;
            node.visits += 1;
            node.score += value.score;
            node.draws += value.draws;
            child_known = node.known;
        }
    }

    /// A child of `at`, where `mover` is to move, has become known.
    fn learn(&mut self, at: u32, child: Known, mover: Player) {
        let node = self.node(at);
        if node.known.is_some() {
            return;
        }
        let untried = (node.tried < node.edges).then_some(None);
        let children = self.children(node).map(|(_, child)| child.known);
        let known = Known::conclude(children.chain(untried), mover);
        let node = &mut self.nodes[at as usize];
        node.known = known;
        node.holds_draw |= child.outcome == Outcome::Draw;
    }
}

/// Reuse from one move to the next.
impl<G: Game> Tree<G> {
    /// Continues with another line: the part of the tree that belongs to it stays, the rest is dropped. Memory is kept, because
    /// freeing and allocating it again would cost more than a short search has time for.
    pub fn go_to(&mut self, line: &Line<G>) {
        match self.find(line) {
            Some(root) => self.keep(root),
            None => self.clear(),
        }
        self.line = line.clone();
    }

    /// Drops everything but the line.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new());
        self.moves.clear();
        self.priors.clear();
        self.children.clear();
    }

    /// The node at the end of `line`, if the game has continued from the root to there by tried moves.
    fn find(&self, line: &Line<G>) -> Option<u32> {
        let old = &self.line;
        // The old line keeps its rules alive, so another game cannot have their address.
        let same = std::ptr::eq(old.game(), line.game()) && old.first_position() == line.first_position();
        if !same || line.plies() < old.plies() || !old.moves().eq(line.moves().take(old.plies())) {
            return None;
        }
        let mut at = 0;
        for mv in line.moves().skip(old.plies()) {
            let (edge, _) = self.children(self.node(at)).find(|(edge, _)| self.moves[*edge] == mv)?;
            at = self.children[edge];
        }
        Some(at)
    }

    /// Moves the subtree of `root` to the front and drops the rest. Children come after their parents, so one pass finds them all.
    fn keep(&mut self, root: u32) {
        if root == 0 {
            return;
        }
        // For each old node, its new place plus one, or 0 if it is dropped.
        let mut places = vec![0u32; self.nodes.len()];
        let mut blocks: Vec<(u32, u32)> = Vec::new();
        let mut kept = 0;
        places[root as usize] = u32::MAX;
        for old in root as usize..self.nodes.len() {
            if places[old] == 0 {
                continue;
            }
            let node = self.nodes[old].clone();
            for edge in self.edges(&node).take(usize::from(node.tried)) {
                places[self.children[edge] as usize] = u32::MAX;
            }
            if node.edges > 0 {
                blocks.push((node.first_edge, kept));
            }
            self.nodes[kept as usize] = node;
            kept += 1;
            places[old] = kept;
        }
        self.nodes.truncate(kept as usize);
        blocks.sort_unstable();
        let mut end = 0;
        for (_, node) in blocks {
            let edges = self.edges(self.node(node));
            let tried = usize::from(self.node(node).tried);
            self.moves.copy_within(edges.clone(), end);
            self.priors.copy_within(edges.clone(), end);
            self.children.copy_within(edges.clone(), end);
            self.children[end..end + tried].iter_mut().for_each(|child| *child = places[*child as usize] - 1);
            self.nodes[node as usize].first_edge = end as u32;
            end += edges.len();
        }
        self.moves.truncate(end);
        self.priors.truncate(end);
        self.children.truncate(end);
    }
}
