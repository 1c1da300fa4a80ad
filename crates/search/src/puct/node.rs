//! The nodes of a [`super::Puct`]'s tree, which threads read and change without locks.
//!
//! Positions have many legal moves, most of which are never tried. A position that is expanded therefore lists its moves once, the best
//! prior first, and has nodes only for those that were tried. The next move to try is always the untried one with the best prior, so the
//! tried moves are the first ones.

use std::mem::size_of_val;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

use quintet_game::{Outcome, Player};

use super::tree::Points;
use crate::known::Known;

/// A position of the tree.
#[derive(Debug)]
pub(super) struct Node<M> {
    /// Visits in the upper half; in the lower half, walks that have come here and are not backed up yet.
    counts: AtomicU64,
    /// The sum of results for the player who moved here, an `f64`, and of drawn shares, an `f32`.
    score: AtomicU64,
    draws: AtomicU32,
    /// What is proven; see [`encode`].
    proof: AtomicU32,
    moves: OnceLock<Box<Moves<M>>>,
}

/// How often a node was visited, and how many walks are below it. Each of those counts as a lost visit, so that other walks go elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub visits: u32,
    pub pending: u32,
}

impl Counts {
    fn of(word: u64) -> Counts {
        Counts { visits: (word >> 32) as u32, pending: word as u32 }
    }

    /// The visits that selection sees.
    pub fn all(self) -> u32 {
        self.visits + self.pending
    }
}

const VISIT: u64 = 1 << 32;
const WALK: u64 = 1;

/// A child is a known draw: the side to move has at least that.
const HOLDS_DRAW: u32 = 1 << 31;

/// A proven result as a number that is not 0: the plies, and who wins.
fn encode(known: Known) -> u32 {
    let winner = match known.outcome {
        Outcome::Win(Player::First) => 1,
        Outcome::Win(Player::Second) => 2,
        Outcome::Draw => 3,
    };
    winner << 16 | u32::from(known.plies)
}

fn decode(proof: u32) -> Option<Known> {
    let outcome = match proof >> 16 & 3 {
        0 => return None,
        1 => Outcome::Win(Player::First),
        2 => Outcome::Win(Player::Second),
        _ => Outcome::Draw,
    };
    Some(Known { outcome, plies: proof as u16 })
}

// Written by hand because moves need no default.
impl<M> Default for Node<M> {
    fn default() -> Node<M> {
        let (counts, score) = (AtomicU64::new(0), AtomicU64::new(0));
        Node { counts, score, draws: AtomicU32::new(0), proof: AtomicU32::new(0), moves: OnceLock::new() }
    }
}

impl<M> Node<M> {
    pub fn counts(&self) -> Counts {
        Counts::of(self.counts.load(Relaxed))
    }

    pub fn visits(&self) -> u32 {
        self.counts().visits
    }

    /// The sum of results for the player who moved here.
    pub fn score(&self) -> f64 {
        f64::from_bits(self.score.load(Relaxed))
    }

    /// The mean result for the player who moved here.
    pub fn mean(&self) -> f64 {
        self.score() / f64::from(self.visits().max(1))
    }

    /// The shares of wins and draws of the player who moved here.
    pub fn chances(&self) -> [f64; 2] {
        let draw = f64::from(f32::from_bits(self.draws.load(Relaxed))) / f64::from(self.visits().max(1));
        [(self.mean() - draw / 2.0).max(0.0), draw]
    }

    /// A walk comes here: the counts before it.
    pub fn enter(&self) -> Counts {
        Counts::of(self.counts.fetch_add(WALK, Relaxed))
    }

    /// A walk is given up.
    pub fn abandon(&self) {
        self.counts.fetch_sub(WALK, Relaxed);
    }

    /// A walk becomes a visit, with its result for the player who moved here.
    pub fn leave(&self, points: Points) {
        self.counts.fetch_add(VISIT - WALK, Relaxed);
        let add = |score| Some((f64::from_bits(score) + points.score).to_bits());
        _ = self.score.fetch_update(Relaxed, Relaxed, add);
        if points.draws != 0.0 {
            let add = |draws| Some((f32::from_bits(draws) + points.draws).to_bits());
            _ = self.draws.fetch_update(Relaxed, Relaxed, add);
        }
    }

    /// What is proven.
    ///
    /// In one order with [`Node::prove`] for all threads: when two of them prove the last two children of a node at once, one sees both.
    pub fn known(&self) -> Option<Known> {
        decode(self.proof.load(SeqCst))
    }

    /// Keeps a proven result; the first one counts.
    pub fn prove(&self, known: Known) {
        let first = |proof| decode(proof).is_none().then(|| proof | encode(known));
        _ = self.proof.fetch_update(SeqCst, SeqCst, first);
    }

    pub fn hold_draw(&self) {
        self.proof.fetch_or(HOLDS_DRAW, Relaxed);
    }

    /// Is a child a known draw?
    pub fn holds_draw(&self) -> bool {
        self.proof.load(Relaxed) & HOLDS_DRAW != 0
    }

    /// Its moves, once it is expanded.
    pub fn moves(&self) -> Option<&Moves<M>> {
        self.moves.get().map(|moves| &**moves)
    }

    /// The moves that were tried, with their priors and nodes.
    pub fn children(&self) -> impl Iterator<Item = (&(f32, M), &Node<M>)> {
        self.moves().into_iter().flat_map(Moves::tried)
    }

    /// The next move to try, with its prior.
    pub fn untried(&self) -> Option<&(f32, M)> {
        let moves = self.moves()?;
        moves.list.get(moves.count_tried())
    }

    /// Bytes of what is below it.
    pub fn bytes(&self) -> usize {
        self.moves().map_or(0, |moves| moves.own_bytes() + moves.node_bytes())
    }
}

impl<M: Copy> Node<M> {
    /// Gives it its moves with their priors, the best first, unless another thread has, and counts their bytes.
    pub fn expand(&self, moves: &[(f32, M)], bytes: &AtomicUsize) {
        self.moves.get_or_init(|| {
            let moves = Moves::new(moves);
            bytes.fetch_add(moves.own_bytes(), Relaxed);
            Box::new(moves)
        });
    }
}

impl<M: Copy> Node<M> {
    /// The node after the first of the tried moves that is wanted.
    pub fn child_mut(&mut self, mut wanted: impl FnMut(M) -> bool) -> Option<&mut Node<M>> {
        let moves = self.moves.get_mut()?;
        let number = moves.list.iter().take(*moves.tried.get_mut() as usize).position(|(_, own)| wanted(*own))?;
        let (block, place) = place(number);
        moves.blocks[block].get_mut().map(|nodes| &mut nodes[place])
    }
}

/// The moves of an expanded position.
#[derive(Debug)]
pub(super) struct Moves<M> {
    /// Priors and moves, the best prior first.
    list: Box<[(f32, M)]>,
    /// How many were tried.
    tried: AtomicU32,
    /// The nodes of the moves, in blocks of 1, 2, 4 and so on, which are made when the first move of a block is tried.
    blocks: Box<[Block<M>]>,
}

/// Nodes, once they are made.
type Block<M> = OnceLock<Box<[Node<M>]>>;

/// The block of a move, by its number, and its place there.
fn place(number: usize) -> (usize, usize) {
    let block = (number + 1).ilog2();
    (block as usize, number + 1 - (1 << block))
}

/// The blocks that the nodes of this many moves take.
fn blocks(moves: usize) -> usize {
    (moves + 1).next_power_of_two().ilog2() as usize
}

impl<M> Moves<M> {
    /// All moves with their priors, the best first.
    pub fn list(&self) -> &[(f32, M)] {
        &self.list
    }

    /// How many were tried.
    pub fn count_tried(&self) -> usize {
        self.tried.load(Acquire) as usize
    }

    /// Those that were tried, with their nodes.
    pub fn tried(&self) -> impl Iterator<Item = (&(f32, M), &Node<M>)> {
        let tried = self.count_tried();
        let nodes = self.blocks.iter().map_while(OnceLock::get).flat_map(|block| block.iter());
        self.list.iter().zip(nodes).take(tried)
    }

    /// The bytes that the node of a move would take: 0 if they are taken already.
    pub fn missing_bytes(&self, number: usize) -> usize {
        let (block, _) = place(number);
        if self.blocks[block].get().is_some() { 0 } else { self.block_len(block) * size_of::<Node<M>>() }
    }

    /// The last block has only as many nodes as there are moves left.
    fn block_len(&self, block: usize) -> usize {
        (1 << block).min(self.list.len() + 1 - (1 << block))
    }

    /// The node of the next move, of which `number` come before it, unless another thread has tried it meanwhile. Counts the bytes.
    pub fn try_next(&self, number: usize, bytes: &AtomicUsize) -> Option<&Node<M>> {
        let (block, place) = place(number);
        let nodes = self.blocks[block].get_or_init(|| {
            let nodes: Box<[Node<M>]> = (0..self.block_len(block)).map(|_| Node::default()).collect();
            bytes.fetch_add(size_of_val(&*nodes), Relaxed);
            nodes
        });
        let claimed = self.tried.compare_exchange(number as u32, number as u32 + 1, AcqRel, Relaxed);
        claimed.ok().map(|_| &nodes[place])
    }

    /// Bytes without those of the nodes.
    fn own_bytes(&self) -> usize {
        Self::bytes_of(self.list.len())
    }

    /// The bytes that this many moves take, without nodes.
    pub fn bytes_of(moves: usize) -> usize {
        size_of::<Moves<M>>() + moves * size_of::<(f32, M)>() + blocks(moves) * size_of::<Block<M>>()
    }

    /// Bytes when all moves were tried, without what is below their nodes.
    pub fn full_bytes(&self) -> usize {
        self.own_bytes() + self.list.len() * size_of::<Node<M>>()
    }

    /// Bytes of all nodes, and of what is below them.
    fn node_bytes(&self) -> usize {
        let nodes = self.blocks.iter().filter_map(OnceLock::get).flat_map(|block| block.iter());
        nodes.map(|node| size_of::<Node<M>>() + node.bytes()).sum()
    }
}

impl<M: Copy> Moves<M> {
    fn new(list: &[(f32, M)]) -> Moves<M> {
        let blocks = (0..blocks(list.len())).map(|_| OnceLock::new()).collect();
        Moves { list: list.into(), tried: AtomicU32::new(0), blocks }
    }
}
