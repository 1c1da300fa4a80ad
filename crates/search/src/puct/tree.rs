//! The tree of a [`super::Puct`]: walking down, growing, backing up. Threads do it all at once, without locks.

mod tell;

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use quintet_game::{Game, Line, Outcome, Player};

use super::Settings;
use super::node::{Counts, Moves, Node};
use crate::known::Known;

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

/// What every walk changes, apart from what all only read.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

pub(super) struct Tree<G: Game> {
    /// The game up to the root.
    line: Line<G>,
    root: Apart<Node<G::Move>>,
    /// Bytes in use.
    bytes: Apart<AtomicUsize>,
}

/// Growing and walking.
impl<G: Game> Tree<G> {
    pub fn new(line: &Line<G>) -> Tree<G> {
        let mut tree = Tree { line: line.clone(), root: Apart::default(), bytes: Apart::default() };
        tree.take_root(Node::default());
        tree
    }

    /// Visits of the root.
    pub fn visits(&self) -> u64 {
        u64::from(self.root.0.visits())
    }

    pub fn is_known(&self) -> bool {
        self.root.0.known().is_some()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes.0.load(Relaxed)
    }

    /// Gives a node its moves, the best first. It stays a leaf if there is no room; the root always has room.
    pub fn expand(&self, node: &Node<G::Move>, moves: &[(f32, G::Move)], settings: &Settings) {
        let fits = self.bytes() + Moves::<G::Move>::bytes_of(moves.len()) <= settings.memory;
        if fits || std::ptr::eq(node, &self.root.0) {
            node.expand(moves, &self.bytes.0);
        }
    }

    /// Walks from the root to a leaf by the bounds, and returns where it ended. `path` gets the nodes; `seen` is a buffer.
    pub fn walk<'t>(
        &'t self,
        path: &mut Vec<&'t Node<G::Move>>,
        seen: &mut Vec<G::Pos>,
        settings: &Settings,
    ) -> (G::Pos, End) {
        path.clear();
        seen.clear();
        let mut pos = self.line.position().clone();
        let mut node = &self.root.0;
        loop {
            let counts = node.enter();
            path.push(node);
            if path.len() > 1 {
                if let Some(known) = node.known() {
                    return (pos, End::Over(known.outcome));
                }
                // A node that was evaluated is not the end of a game.
                if counts.visits == 0
                    && let Some(outcome) = self.end(&pos, settings)
                {
                    node.prove(Known { outcome, plies: 0 });
                    return (pos, End::Over(outcome));
                }
                if self.repeated(seen, &pos) {
                    return (pos, End::Over(Outcome::Draw));
                }
            }
            if node.moves().is_none() && counts.pending > 0 {
                return (pos, End::Busy);
            }
            let Some((mv, child)) = self.select(node, counts, settings) else {
                let fits = node.moves().is_none() && (path.len() == 1 || self.bytes() < settings.memory);
                return (pos, End::Leaf { again: counts.visits > 0, fits });
            };
            if G::REPEATS {
                seen.push(pos.clone());
            }
            self.line.game().play(&mut pos, mv);
            node = child;
        }
    }

    /// How the game has ended here, or must end however it goes on.
    fn end(&self, pos: &G::Pos, settings: &Settings) -> Option<Outcome> {
        let game = self.line.game();
        game.outcome(pos).or_else(|| (settings.spare && game.is_dead(pos)).then_some(Outcome::Draw))
    }

    /// A position that is already on the path, or has occurred twice in the line, is a draw (of this walk: it proves nothing).
    fn repeated(&self, seen: &[G::Pos], pos: &G::Pos) -> bool {
        G::REPEATS && (seen.contains(pos) || self.line.occurrences(pos) >= 2)
    }

    /// The move with the largest bound; an untried one gets its node. Known children come last. `None` at a leaf.
    fn select<'t>(
        &self,
        node: &'t Node<G::Move>,
        counts: Counts,
        settings: &Settings,
    ) -> Option<(G::Move, &'t Node<G::Move>)> {
        let moves = node.moves()?;
        let weight = settings.exploration * f64::from(counts.all()).sqrt();
        let mean = node.score() / f64::from(counts.visits.max(1));
        loop {
            let (mut best, mut most) = (None, f64::NEG_INFINITY);
            let (mut tried, mut tried_priors) = (0, 0.0);
            for ((prior, mv), child) in moves.tried() {
                let prior = f64::from(*prior);
                let bound = match child.known().map(|known| known.outcome) {
                    None => {
                        let visits = f64::from(child.counts().all());
                        child.score() / visits.max(1.0) + weight * prior / (1.0 + visits)
                    }
                    Some(Outcome::Draw) => -2.0,
                    Some(Outcome::Win(_)) => -3.0,
                };
                if bound > most {
                    (best, most) = (Some((*mv, child)), bound);
                }
                tried += 1;
                tried_priors += prior;
            }
            // Of the untried ones, the first has the best prior, and everything else is equal.
            let Some((prior, mv)) = moves.list().get(tried) else { return best };
            let reduced = 1.0 - mean - settings.reduction * f64::sqrt(tried_priors);
            let bound = reduced + weight * f64::from(*prior);
            if bound <= most || !self.has_room(moves.missing_bytes(tried), settings) {
                return best;
            }
            if let Some(child) = moves.try_next(tried, &self.bytes.0) {
                return Some((*mv, child));
            }
            // Another thread has just tried it.
        }
    }

    /// The root and its children are never refused.
    fn has_room(&self, bytes: usize, settings: &Settings) -> bool {
        let root = || self.root.0.moves().map_or(0, |moves| size_of::<Node<G::Move>>() + moves.full_bytes());
        bytes == 0 || self.bytes() + bytes <= settings.memory || self.bytes() + bytes <= root()
    }

    /// Takes a walk back.
    pub fn abandon(path: &[&Node<G::Move>]) {
        path.iter().for_each(|node| node.abandon());
    }

    /// Counts a visit of every node of `path`, with the value of the last one for its side to move.
    pub fn back_up(&self, path: &[&Node<G::Move>], mut value: Points) {
        let root_mover = self.line.to_move();
        let mut child_known: Option<Known> = None;
        for (ply, node) in path.iter().enumerate().rev() {
            if let Some(known) = child_known {
                learn(node, known, if ply % 2 == 0 { root_mover } else { root_mover.other() });
            }
            if value.score < 0.5 && node.holds_draw() {
                value = Points { score: 0.5, draws: 1.0 };
            }
            value.score = 1.0 - value.score;
            node.leave(value);
            child_known = node.known();
        }
    }
}

/// A child of a node in which `mover` is to move has become known.
fn learn<M>(node: &Node<M>, child: Known, mover: Player) {
    if node.known().is_some() {
        return;
    }
    let untried = node.untried().map(|_| None);
    let children = node.children().map(|(_, child)| child.known());
    if let Some(known) = Known::conclude(children.chain(untried), mover) {
        node.prove(known);
    }
    if child.outcome == Outcome::Draw {
        node.hold_draw();
    }
}

/// Reuse from one move to the next.
impl<G: Game> Tree<G> {
    /// Continues with another line: the part of the tree that belongs to it stays, the rest is dropped.
    pub fn go_to(&mut self, line: &Line<G>) {
        let root = self.find(line).map(std::mem::take).unwrap_or_default();
        self.take_root(root);
        self.line = line.clone();
    }

    /// Drops everything but the line.
    pub fn clear(&mut self) {
        self.take_root(Node::default());
    }

    fn take_root(&mut self, root: Node<G::Move>) {
        *self.bytes.0.get_mut() = size_of::<Node<G::Move>>() + root.bytes();
        self.root.0 = root;
    }

    /// The node at the end of `line`, if the game has continued from the root to there by tried moves or others that lead to equal positions.
    fn find(&mut self, line: &Line<G>) -> Option<&mut Node<G::Move>> {
        let old = &self.line;
        // The old line keeps its rules alive, so another game cannot have their address.
        let same = std::ptr::eq(old.game(), line.game()) && old.first_position() == line.first_position();
        if !same || line.plies() < old.plies() || !old.moves().eq(line.moves().take(old.plies())) {
            return None;
        }
        let mut pos = old.position().clone();
        line.moves().skip(old.plies()).try_fold(&mut self.root.0, |node, mv| {
            let before = pos.clone();
            line.game().play(&mut pos, mv);
            node.child_mut(|own| {
                own == mv || {
                    let mut next = before.clone();
                    line.game().play(&mut next, own);
                    next == pos
                }
            })
        })
    }
}
