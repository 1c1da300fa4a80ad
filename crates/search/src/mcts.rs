//! Monte Carlo tree search: UCT over random games, with proven results backed up or without.

use quintet_game::bits::scale;
use quintet_game::playout::Playouts;
use quintet_game::{Game, Limit, Line, Outcome, Player, Proof, Rng, SeedableRng};
use rand_core::Rng as _;

use crate::known::{Known, chances};
use crate::narrow::Narrow;
use crate::report::BRANCHES;
use crate::reserve::reserve;
use crate::{Branch, Choice, Clock, Report, RootMove, Search, Watch};

/// UCT: every simulation walks down the tree by the upper confidence bound, plays one random game from the leaf, and backs up its result.
///
/// Endings are proofs: a node with a won child is won, one whose children are all known is known. A known child is not visited again; a known root
/// ends the search. The move played is a proven win (the shortest), else the most visited one that is not a proven loss, else the longest loss.
/// [`Mcts::without_proofs`] is plain UCT, as in the papers.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Limit, Line, Notation, Proof, pentago::Pentago};
/// use quintet_search::{Mcts, Quiet, Search};
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let choice = Mcts::new(1).think(&Line::from_position(game.clone(), pos), &Limit::nodes(5000), &mut Quiet);
/// assert_eq!((game.write_move(choice.mv).as_str(), choice.proof()), ("e1", Some(Proof::Win)));
/// ```
#[derive(Clone, Debug)]
pub struct Mcts {
    exploration: f64,
    most_bytes: usize,
    proofs: bool,
    rng: Rng,
}

impl Mcts {
    /// With c = sqrt 2 and 512 MiB for the tree.
    #[must_use]
    pub fn new(seed: u64) -> Mcts {
        Mcts {
            exploration: std::f64::consts::SQRT_2,
            most_bytes: 512 << 20,
            proofs: true,
            rng: Rng::seed_from_u64(seed),
        }
    }

    /// Sets the exploration weight c.
    #[must_use]
    pub fn with_exploration(mut self, c: f64) -> Mcts {
        self.exploration = c;
        self
    }

    /// Sets the memory cap of the tree. A full tree is searched on without growing.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Mcts {
        self.most_bytes = bytes;
        self
    }

    /// Plain UCT: the end of a game counts like the end of a random game. Nothing is proven, the search goes on to its limit, and the most visited
    /// move is played.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use quintet_game::{Limit, Line, Notation, pentago::Pentago};
    /// use quintet_search::{Mcts, Quiet, Search};
    /// let game = Arc::new(Pentago::standard());
    /// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
    /// let mut search = Mcts::new(1).without_proofs();
    /// let choice = search.think(&Line::from_position(game.clone(), pos), &Limit::nodes(5000), &mut Quiet);
    /// assert_eq!((game.write_move(choice.mv).as_str(), choice.proof(), choice.nodes), ("e1", None, 5000));
    /// ```
    #[must_use]
    pub fn without_proofs(mut self) -> Mcts {
        self.proofs = false;
        self
    }
}

/// A node. Its moves are in a separate pool; children are made one by one, as they are tried, in a block that grows like a vector, because most nodes are never fully
/// tried.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// The move that leads here; the root has the first legal one and never uses it.
    mv: M,
    first_move: u32,
    first_child: u32,
    draws: u32,
    /// The number of moves; 0 before they are listed. No registered game has more than 65,535.
    moves: u16,
    /// The number of moves that have children; these come first.
    tried: u16,
    /// The capacity of the block of children.
    room: u16,
    /// Some child's result is known.
    child_known: bool,
    /// Some moves were left out, so results of the others prove no loss and no draw.
    narrowed: bool,
    /// The result of a finished game; with proofs also what was concluded from the children.
    known: Option<Known>,
}

impl<M> Node<M> {
    fn new(mv: M) -> Node<M> {
        Node {
            mv,
            first_move: 0,
            first_child: 0,
            draws: 0,
            moves: 0,
            tried: 0,
            room: 0,
            child_known: false,
            narrowed: false,
            known: None,
        }
    }
}

/// What selection reads, stored apart from the nodes: the children of a node are a few cache lines, and several are compared at
/// once.
#[derive(Clone, Copy, Debug, Default)]
struct Stats {
    visits: i32,
    /// Half points of the player who moved here: two for a win, one for a draw.
    points: i32,
}

impl Stats {
    /// The mean result for the player who moved here.
    #[inline]
    fn mean(self) -> f64 {
        f64::from(self.points) / (2.0 * f64::from(self.visits.max(1)))
    }
}

/// The largest of some numbers, none of which is NaN. Eight are compared in parallel; one by one, a search of wide trees would spend most of its time here.
#[inline]
fn largest(numbers: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let (eights, rest) = numbers.as_chunks::<8>();
    let mut best = [f32::NEG_INFINITY; 8];
    for eight in eights {
        for (best, number) in best.iter_mut().zip(eight) {
            *best = larger(*best, *number);
        }
    }
    best.iter().chain(rest).copied().fold(f32::NEG_INFINITY, larger)
}

/// Simulations between two questions to the watch whether a report is due.
const BETWEEN_QUESTIONS: u64 = 64;

/// The capacity of a node's first block of children.
const SMALLEST_BLOCK: usize = 4;

struct Tree<'a, G: Game> {
    line: &'a Line<G>,
    nodes: Vec<Node<G::Move>>,
    stats: Vec<Stats>,
    /// The moves of all nodes; a node's moves are contiguous, and those that have been tried come first.
    pool: Vec<G::Move>,
    /// Moves that are being listed.
    listed: Vec<G::Move>,
    /// Bounds of the children that are compared.
    bounds: Vec<f32>,
    exploration: f64,
    most_bytes: usize,
    proofs: bool,
    playouts: Playouts<'a, G>,
    /// Which moves are listed, if not all.
    narrow: Option<Narrow<'a, G>>,
    /// Nodes walked in this simulation, and their positions where positions can recur.
    path: Vec<usize>,
    seen: Vec<G::Pos>,
}

impl<G: Game> Search<G> for Mcts {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        self.grow(line, limit, watch, None)
    }
}

impl Mcts {
    /// Grows a tree of all moves, or of some.
    pub(crate) fn grow<G: Game>(
        &mut self,
        line: &Line<G>,
        limit: &Limit,
        watch: &mut dyn Watch<G>,
        mut narrow: Option<Narrow<G>>,
    ) -> Choice<G::Move> {
        let mut clock = Clock::start(limit, watch.stop());
        let mut pool = Vec::new();
        line.game().moves(line.position(), &mut pool);
        let narrowed =
            narrow.as_mut().is_some_and(|narrow| narrow.keep(line, line.position(), &mut pool, &mut self.rng));
        let root = Node { moves: pool.len() as u16, narrowed, ..Node::new(pool[0]) };
        let mut tree = Tree {
            line,
            nodes: vec![root],
            stats: vec![Stats::default()],
            pool,
            listed: Vec::new(),
            bounds: Vec::new(),
            exploration: self.exploration,
            most_bytes: self.most_bytes,
            proofs: self.proofs,
            playouts: Playouts::new(line.game()),
            narrow,
            path: Vec::new(),
            seen: Vec::new(),
        };
        // Whatever the limit, the root has a child.
        tree.try_another(0, &mut self.rng);
        let mut next_report = 1024;
        while tree.proven(0).is_none()
            && limit.visits.is_none_or(|most| (tree.stats[0].visits as u64) < most)
            && clock.tick()
        {
            tree.simulate(&mut self.rng, watch);
            if clock.nodes() >= next_report {
                next_report *= 2;
                tree.report(&clock, watch);
            } else if clock.nodes().is_multiple_of(BETWEEN_QUESTIONS) && watch.is_due() {
                tree.report(&clock, watch);
            }
        }
        tree.report(&clock, watch);
        tree.choice(&clock)
    }
}

impl<G: Game> Tree<'_, G> {
    /// The children that have been made.
    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.nodes[node].first_child as usize;
        first..first + usize::from(self.nodes[node].tried)
    }

    /// Is there room for this many more nodes? There always is for the root's first child.
    fn has_room(&self, nodes: usize) -> bool {
        // A vector has up to half its length to spare.
        let node = size_of::<Node<G::Move>>() + size_of::<Stats>();
        let bytes = (self.nodes.len() + nodes) * node + (self.pool.len() + self.listed.len()) * size_of::<G::Move>();
        bytes + bytes / 2 <= self.most_bytes || self.nodes.len() == 1
    }

    /// Lists the moves of a node; false if there is no room for children.
    fn list(&mut self, node: usize, pos: &G::Pos, rng: &mut Rng) -> bool {
        self.listed.clear();
        self.line.game().moves(pos, &mut self.listed);
        if let Some(narrow) = &mut self.narrow {
            self.nodes[node].narrowed = narrow.keep(self.line, pos, &mut self.listed, rng);
        }
        let fits = self.has_room(SMALLEST_BLOCK);
        if fits {
            self.nodes[node].first_move = self.pool.len() as u32;
            self.nodes[node].moves = self.listed.len() as u16;
            reserve(&mut self.pool, self.listed.len(), usize::MAX);
            self.pool.extend_from_slice(&self.listed);
        }
        self.listed.clear();
        fits
    }

    /// Makes a child for a random untried move; `None` if there is no room.
    fn try_another(&mut self, node: usize, rng: &mut Rng) -> Option<usize> {
        let Node { first_move, first_child, moves, tried, room, .. } = self.nodes[node];
        if tried == room {
            let wider = usize::from(room * 2).max(SMALLEST_BLOCK).min(moves.into());
            if !self.has_room(wider) {
                return None;
            }
            let (from, to) = (first_child as usize, self.nodes.len());
            reserve(&mut self.nodes, wider, usize::MAX);
            reserve(&mut self.stats, wider, usize::MAX);
            self.nodes.extend_from_within(from..from + usize::from(tried));
            self.stats.extend_from_within(from..from + usize::from(tried));
            self.nodes.resize(to + wider, self.nodes[0]);
            self.stats.resize(to + wider, Stats::default());
            (self.nodes[node].first_child, self.nodes[node].room) = (to as u32, wider as u16);
        }
        let next = first_move as usize + usize::from(tried);
        let drawn = next + scale(rng.next_u32(), u32::from(moves - tried)) as usize;
        self.pool.swap(next, drawn);
        let child = self.nodes[node].first_child as usize + usize::from(tried);
        self.nodes[child] = Node::new(self.pool[next]);
        self.nodes[node].tried += 1;
        Some(child)
    }

    fn simulate(&mut self, rng: &mut Rng, watch: &mut dyn Watch<G>) {
        let game = self.line.game();
        let mut pos = self.line.position().clone();
        self.path.clear();
        self.path.push(0);
        self.seen.clear();
        let mut node = 0;
        let outcome = loop {
            let new = node != 0 && self.stats[node].visits == 0;
            if let Some(known) = self.nodes[node].known {
                break known.outcome;
            }
            if new && let Some(outcome) = game.outcome(&pos) {
                self.nodes[node].known = Some(Known { outcome, plies: 0 });
                break outcome;
            }
            if node != 0 && self.repeated(&pos) {
                break Outcome::Draw;
            }
            if new || (self.nodes[node].moves == 0 && !self.list(node, &pos, rng)) {
                watch.looking_at(&pos, self.path.len() as u32 - 1);
                break self.playouts.run(pos.clone(), rng).0.unwrap_or(Outcome::Draw);
            }
            if G::REPEATS {
                self.seen.push(pos.clone());
            }
            node = self.select(node, game.to_move(&pos), rng);
            game.play(&mut pos, self.nodes[node].mv);
            self.path.push(node);
        };
        self.back_up(outcome);
    }

    /// A position that is already on the path, or has occurred twice in the line, is a draw (of this walk: it proves nothing).
    fn repeated(&self, pos: &G::Pos) -> bool {
        G::REPEATS && (self.seen.contains(pos) || self.line.occurrences(pos) >= 2)
    }

    /// The child with the largest upper confidence bound; unvisited ones first, known ones only if nothing else is left.
    fn select(&mut self, node: usize, mover: Player, rng: &mut Rng) -> usize {
        // No child is a known win here: its parent would be known.
        if node == 0 && self.stats[0].visits == 0 {
            return self.nodes[0].first_child as usize;
        }
        let parent = self.nodes[node];
        if parent.tried < parent.moves
            && let Some(child) = self.try_another(node, rng)
        {
            return child;
        }
        let children = self.children(node);
        let child_known = parent.child_known;
        let width = (self.exploration * f64::from(self.stats[node].visits.max(1)).ln().sqrt()) as f32;
        self.bounds.resize(children.len(), 0.0);
        // One square root and one division per child, and no branches: the compiler handles eight at once.
        for (bound, stats) in self.bounds.iter_mut().zip(&self.stats[children.clone()]) {
            let visits = stats.visits as f32;
            *bound = (0.5 * stats.points as f32 + width * visits.sqrt()) / visits;
        }
        if child_known {
            for (bound, child) in self.bounds.iter_mut().zip(&self.nodes[children.clone()]) {
                match child.known {
                    Some(Known { outcome: Outcome::Win(player), .. }) if player == mover => *bound = f32::INFINITY,
                    Some(Known { outcome: Outcome::Draw, .. }) => *bound = -1.0,
                    Some(_) => *bound = -2.0,
                    None => {}
                }
            }
        }
        let best = largest(&self.bounds);
        children.start + self.bounds.iter().position(|bound| *bound == best).unwrap_or(0)
    }

    fn back_up(&mut self, outcome: Outcome) {
        let root_mover = self.line.to_move();
        let mut child_known = false;
        for ply in (0..self.path.len()).rev() {
            let at = self.path[ply];
            let to_move = if ply % 2 == 0 { root_mover } else { root_mover.other() };
            if child_known && self.nodes[at].known.is_none() {
                let children = self.nodes[self.children(at)].iter().map(|child| child.known);
                let untried = (self.nodes[at].tried < self.nodes[at].moves || self.nodes[at].narrowed).then_some(None);
                self.nodes[at].known = Known::conclude(children.chain(untried), to_move);
            }
            let (node, stats) = (&mut self.nodes[at], &mut self.stats[at]);
            node.child_known |= child_known;
            stats.visits += 1;
            match outcome {
                Outcome::Draw => {
                    node.draws += 1;
                    stats.points += 1;
                }
                Outcome::Win(player) => stats.points += 2 * i32::from(player != to_move),
            }
            child_known = self.proofs && node.known.is_some();
        }
    }

    /// The proven result of a node; never one without proofs, even at the end of a game.
    fn proven(&self, node: usize) -> Option<Known> {
        self.nodes[node].known.filter(|_| self.proofs)
    }

    /// How good a root move is: known results first, then visits, then the mean.
    fn rank(&self, child: usize) -> (i32, i64, f64) {
        let (mover, stats) = (self.line.to_move(), self.stats[child]);
        match self.proven(child).map(|known| (known.proof(mover), known.merit(mover))) {
            Some((Proof::Win, merit)) => (2, merit, 0.0),
            Some((Proof::Loss, merit)) => (0, merit, 0.0),
            _ => (1, i64::from(stats.visits), stats.mean()),
        }
    }

    fn best(&self, node: usize) -> usize {
        let mut best = self.children(node).start;
        for child in self.children(node) {
            if self.rank(child) > self.rank(best) {
                best = child;
            }
        }
        best
    }

    /// The most visited line.
    fn main_line(&self) -> Vec<G::Move> {
        let mut line = vec![self.nodes[self.best(0)].mv];
        let mut node = self.best(0);
        while self.nodes[node].tried > 0 {
            let next = self.children(node).max_by_key(|child| (self.stats[*child].visits, std::cmp::Reverse(*child)));
            let Some(next) = next.filter(|child| self.stats[*child].visits > 0) else { break };
            line.push(self.nodes[next].mv);
            node = next;
        }
        line
    }

    /// The top of the tree below a node in which `mover` is to move: won moves, then the most visited.
    fn branches(&self, node: usize, mover: Player, widths: &[usize]) -> Vec<Branch<G::Move>> {
        let Some((width, rest)) = widths.split_first() else { return Vec::new() };
        let proof = |child: usize| self.proven(child).map(|known| known.proof(mover));
        let mut children: Vec<usize> = self.children(node).filter(|child| self.stats[*child].visits > 0).collect();
        children.sort_by_cached_key(|child| (proof(*child) != Some(Proof::Win), -self.stats[*child].visits));
        children.truncate(*width);
        let told = |child: usize| Branch {
            mv: self.nodes[child].mv,
            visits: self.stats[child].visits as u64,
            value: self.stats[child].mean(),
            proof: proof(child),
            children: self.branches(child, mover.other(), rest),
        };
        children.into_iter().map(told).collect()
    }

    fn report(&self, clock: &Clock, watch: &mut dyn Watch<G>) {
        let told = |child: usize| RootMove {
            visits: Some(self.stats[child].visits as u64),
            ..RootMove::valued(self.nodes[child].mv, self.stats[child].mean())
        };
        let roots: Vec<RootMove<G::Move>> = self.children(0).map(told).collect();
        let line = self.main_line();
        let value = self.stats[self.best(0)].mean();
        watch.depth_done(Report {
            depth: line.len() as u32,
            nodes: clock.nodes(),
            elapsed: clock.elapsed(),
            value: Some(value),
            line,
            roots,
            tree: self.branches(0, self.line.to_move(), &BRANCHES),
            ..Report::default()
        });
    }

    fn choice(&self, clock: &Clock) -> Choice<G::Move> {
        let best = self.best(0);
        let (best, stats) = (&self.nodes[best], self.stats[best]);
        let line = self.main_line();
        let proof = self.proven(0).map(|known| known.proof(self.line.to_move()));
        let draws = f64::from(best.draws) / f64::from(stats.visits.max(1));
        let chances = proof.map_or([stats.mean() - draws / 2.0, draws], chances);
        let value = chances[0] + chances[1] / 2.0;
        let chances = Some(chances);
        let (depth, nodes, elapsed) = (line.len() as u32, clock.nodes(), clock.elapsed());
        Choice { mv: best.mv, value, known: proof.map(Into::into), chances, depth, line, nodes, elapsed }
    }
}
