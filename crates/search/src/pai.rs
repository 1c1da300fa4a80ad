//! The tree search of the Pathwayz paper's program, including its faults.

use quintet_eval::Evaluate;
use quintet_game::playout::Playouts;
use quintet_game::{Game, Limit, Line, Outcome, Player, Proof, Rng, SeedableRng};

use crate::ends::end;
use crate::order::keep_best;
use crate::reserve::reserve;
use crate::{Choice, Clock, Ends, RootMove, Search, Watch};

/// Like that program: a win in one is played at once; a node has the ten best children by the evaluation alone, and each starts
/// with one visit and its evaluation as its wins; the bound is w/n + sqrt(2 ln N / n); and a walk continues from the node where
/// the last one ended, not from the root, until it reaches the end of a game.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{Spec, evaluation};
/// use quintet_game::{Line, pathwayz::Pathwayz};
/// use quintet_game::Limit;
/// use quintet_search::{Ends, PaiMcts, Quiet, Search};
/// let game = Arc::new(Pathwayz::new(8, 12));
/// let eval = evaluation(&*game, &Spec::parse("pathwayz-9").unwrap()).unwrap();
/// let choice = PaiMcts::new(eval, Ends::on_top(1e10), 10, 1).think(&Line::new(game), &Limit::nodes(100), &mut Quiet);
/// assert_eq!(choice.nodes, 100);
/// ```
pub struct PaiMcts<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    ends: Ends,
    width: usize,
    most_bytes: usize,
    rng: Rng,
}

impl<G: Game> PaiMcts<G> {
    /// Every node keeps its `width` best children; the tree has 512 MiB.
    #[must_use]
    pub fn new(eval: Box<dyn Evaluate<G>>, ends: Ends, width: usize, seed: u64) -> PaiMcts<G> {
        PaiMcts { eval, ends, width: width.max(1), most_bytes: 512 << 20, rng: Rng::seed_from_u64(seed) }
    }

    /// Sets the memory cap of the tree. A full tree is searched on without growing. Its nodes hold whole positions, which are large
    /// in some games.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> PaiMcts<G> {
        self.most_bytes = bytes;
        self
    }
}

struct Node<G: Game> {
    mv: Option<G::Move>,
    pos: G::Pos,
    end: Option<Outcome>,
    parent: usize,
    children: std::ops::Range<usize>,
    visits: f64,
    /// For the player who moved here.
    wins: f64,
}

struct Tree<'a, G: Game> {
    eval: &'a dyn Evaluate<G>,
    ends: Ends,
    width: usize,
    line: &'a Line<G>,
    most_bytes: usize,
    nodes: Vec<Node<G>>,
}

impl<G: Game> Search<G> for PaiMcts<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let mut clock = Clock::start(limit, watch.stop());
        let root = Node {
            mv: None,
            pos: line.position().clone(),
            end: None,
            parent: 0,
            children: 0..0,
            visits: 1.0,
            wins: 0.0,
        };
        let (width, most_bytes) = (self.width, self.most_bytes);
        let mut tree = Tree { eval: &*self.eval, ends: self.ends, width, line, most_bytes, nodes: vec![root] };
        if let Some(mv) = tree.win_in_one() {
            let (known, chances) = (Some(Proof::Win.into()), Some([1.0, 0.0]));
            return Choice { known, chances, depth: 1, ..Choice::plain(mv, 1.0) };
        }
        tree.expand(0);
        let mut at = 0;
        let mut walks = 0;
        while limit.visits.is_none_or(|most| walks < most) && clock.tick() {
            // A walk evaluates all moves of a position, which takes long enough to check the clock after each.
            clock.look_next();
            walks += 1;
            while !tree.nodes[at].children.is_empty() {
                at = tree.select(at);
            }
            watch.looking_at(&tree.nodes[at].pos, 1);
            let outcome = match tree.nodes[at].end {
                Some(outcome) => outcome,
                None => {
                    tree.expand(at);
                    let pos = tree.nodes[at].pos.clone();
                    Playouts::new(line.game()).run(pos, &mut self.rng).0.unwrap_or(Outcome::Draw)
                }
            };
            tree.back_up(at, outcome);
            if tree.nodes[at].end.is_some() || tree.nodes[at].children.is_empty() {
                at = 0;
            }
        }
        let roots: Vec<RootMove<G::Move>> = tree.nodes[tree.nodes[0].children.clone()]
            .iter()
            .filter_map(|node| {
                node.mv.map(|mv| RootMove {
                    visits: Some(node.visits as u64),
                    ..RootMove::valued(mv, node.wins / node.visits)
                })
            })
            .collect();
        let mut best = roots[0];
        for root in &roots {
            if root.visits > best.visits {
                best = *root;
            }
        }
        let RootMove { mv, value, .. } = best;
        let (nodes, elapsed) = (clock.nodes(), clock.elapsed());
        let choice = Choice { nodes, depth: 1, elapsed, ..Choice::plain(mv, value) };
        watch.depth_done(choice.report(roots));
        choice
    }
}

impl<G: Game> Tree<'_, G> {
    fn win_in_one(&self) -> Option<G::Move> {
        let game = self.line.game();
        let mut moves = Vec::new();
        game.moves(self.line.position(), &mut moves);
        moves.into_iter().find(|mv| {
            let mut next = self.line.position().clone();
            game.play(&mut next, *mv);
            game.outcome(&next) == Some(Outcome::Win(self.line.to_move()))
        })
    }

    /// Gives a node its best children, the best first.
    fn expand(&mut self, at: usize) {
        // A vector has up to half its length to spare. The root always has children.
        if at != 0
            && self.nodes.len().saturating_add(self.width).saturating_mul(size_of::<Node<G>>())
                > self.most_bytes / 3 * 2
        {
            return;
        }
        let game = self.line.game();
        let pos = self.nodes[at].pos.clone();
        let mover = game.to_move(&pos);
        let mut moves = Vec::new();
        game.moves(&pos, &mut moves);
        let child = |mv: G::Move| {
            let mut next = pos.clone();
            game.play(&mut next, mv);
            let end = end(self.line, &[], &next);
            let wins = self.ends.value(self.eval, game, &next, mover, end, 1);
            Node { mv: Some(mv), pos: next, end, parent: at, children: 0..0, visits: 1.0, wins }
        };
        let mut children: Vec<Node<G>> = moves.into_iter().map(child).collect();
        keep_best(&mut children, self.width, |child| child.wins);
        let first = self.nodes.len();
        reserve(&mut self.nodes, children.len(), usize::MAX);
        self.nodes.extend(children);
        self.nodes[at].children = first..self.nodes.len();
    }

    fn select(&self, at: usize) -> usize {
        let log = self.nodes[at].visits.ln();
        let bound = |node: &Node<G>| node.wins / node.visits + (2.0 * log / node.visits).sqrt();
        let children = self.nodes[at].children.clone();
        let mut best = (children.start, f64::NEG_INFINITY);
        for child in children {
            let value = bound(&self.nodes[child]);
            if value > best.1 {
                best = (child, value);
            }
        }
        best.0
    }

    fn back_up(&mut self, mut at: usize, outcome: Outcome) {
        loop {
            let moved_here: Player = self.line.game().to_move(&self.nodes[at].pos).other();
            let node = &mut self.nodes[at];
            node.visits += 1.0;
            node.wins += match outcome {
                Outcome::Win(player) if player == moved_here => 1.0,
                Outcome::Win(_) => 0.0,
                Outcome::Draw => 0.5,
            };
            if at == 0 {
                return;
            }
            at = node.parent;
        }
    }
}
