//! Monte Carlo tree search: UCT over random games, with proven results backed up.

use quintet_game::playout::Playouts;
use quintet_game::{Game, Line, Outcome, Player, Rng, SeedableRng};

use crate::order::shuffle;
use crate::{Choice, Clock, Limit, Proof, Report, RootMove, Search, Watch};

/// UCT: every simulation walks down the tree by the upper confidence bound, plays one random game from the leaf, and backs up its result.
///
/// Endings are proofs: a node with a won child is won, one whose children are all known is known. A known child is not visited again; a known root
/// ends the search. The move played is a proven win (the shortest), else the most visited one that is not a proven loss, else the longest loss.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, Notation, pentago::Pentago};
/// use quintet_search::{Limit, Mcts, Proof, Quiet, Search};
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let choice = Mcts::new(1).think(&Line::from_position(game.clone(), pos), &Limit::nodes(5000), &mut Quiet);
/// assert_eq!((game.write_move(choice.mv).as_str(), choice.proof), ("e1", Some(Proof::Win)));
/// ```
#[derive(Clone, Debug)]
pub struct Mcts {
    exploration: f64,
    most_nodes: usize,
    rng: Rng,
}

impl Mcts {
    /// With c = sqrt 2 and room for four million nodes.
    #[must_use]
    pub fn new(seed: u64) -> Mcts {
        Mcts { exploration: std::f64::consts::SQRT_2, most_nodes: 4_000_000, rng: Rng::seed_from_u64(seed) }
    }

    /// Another weight of the unknown.
    #[must_use]
    pub fn with_exploration(mut self, c: f64) -> Mcts {
        self.exploration = c;
        self
    }

    /// A cap on the tree's memory, in bytes, for the nodes of a game.
    #[must_use]
    pub fn with_memory<G: Game>(self, bytes: usize) -> Mcts {
        // While it grows, a vector holds an old half beside the new whole.
        self.with_most_nodes(bytes / size_of::<Node<G::Move>>() * 2 / 3)
    }

    /// Another cap on the tree. A full tree goes on without growing.
    #[must_use]
    pub fn with_most_nodes(mut self, nodes: usize) -> Mcts {
        self.most_nodes = nodes.max(1);
        self
    }
}

/// A result that is known, and how many plies away it is with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    outcome: Outcome,
    plies: u32,
}

#[derive(Clone, Debug)]
struct Node<M> {
    /// The move that leads here; the root has the first legal one and never uses it.
    mv: M,
    first_child: u32,
    children: u32,
    visits: u32,
    /// Wins of the player who moved here, and draws.
    wins: u32,
    draws: u32,
    known: Option<Known>,
}

impl<M> Node<M> {
    fn new(mv: M) -> Node<M> {
        Node { mv, first_child: 0, children: 0, visits: 0, wins: 0, draws: 0, known: None }
    }

    /// The mean result for the player who moved here.
    fn mean(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.visits.max(1))
    }
}

struct Tree<'a, G: Game> {
    line: &'a Line<G>,
    nodes: Vec<Node<G::Move>>,
    exploration: f64,
    most_nodes: usize,
    playouts: Playouts<'a, G>,
    moves: Vec<G::Move>,
    /// Nodes walked in this simulation, and their positions where positions can come again.
    path: Vec<usize>,
    seen: Vec<G::Pos>,
}

impl<G: Game> Search<G> for Mcts {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G> {
        let mut clock = Clock::start(limit);
        let mut moves = Vec::new();
        line.game().moves(line.position(), &mut moves);
        let mut tree = Tree {
            line,
            nodes: vec![Node::new(moves[0])],
            exploration: self.exploration,
            most_nodes: self.most_nodes,
            playouts: Playouts::new(line.game()),
            moves,
            path: Vec::new(),
            seen: Vec::new(),
        };
        tree.expand(0, line.position(), &mut self.rng);
        let mut next_report = 1024;
        while tree.nodes[0].known.is_none()
            && limit.visits.is_none_or(|most| u64::from(tree.nodes[0].visits) < most)
            && clock.tick()
        {
            tree.simulate(&mut self.rng, watch);
            if clock.nodes() >= next_report {
                next_report *= 2;
                tree.report(&clock, watch);
            }
        }
        tree.report(&clock, watch);
        tree.choice(clock.nodes())
    }
}

impl<G: Game> Tree<'_, G> {
    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.nodes[node].first_child as usize;
        first..first + self.nodes[node].children as usize
    }

    /// Gives a node its children in random order; false if there is no room.
    fn expand(&mut self, node: usize, pos: &G::Pos, rng: &mut Rng) -> bool {
        self.moves.clear();
        self.line.game().moves(pos, &mut self.moves);
        if node != 0 && self.nodes.len() + self.moves.len() > self.most_nodes {
            return false;
        }
        shuffle(&mut self.moves, rng);
        self.nodes[node].first_child = self.nodes.len() as u32;
        self.nodes[node].children = self.moves.len() as u32;
        self.nodes.extend(self.moves.iter().map(|mv| Node::new(*mv)));
        true
    }

    fn simulate(&mut self, rng: &mut Rng, watch: &mut dyn Watch<G>) {
        let game = self.line.game();
        let mut pos = self.line.position().clone();
        self.path.clear();
        self.path.push(0);
        self.seen.clear();
        let mut node = 0;
        let outcome = loop {
            if node != 0 {
                if let Some(known) = self.nodes[node].known {
                    break known.outcome;
                }
                if let Some(outcome) = game.outcome(&pos) {
                    self.nodes[node].known = Some(Known { outcome, plies: 0 });
                    break outcome;
                }
                if self.repeated(&pos) {
                    break Outcome::Draw;
                }
            }
            let leaf = self.nodes[node].children == 0;
            if leaf && (self.nodes[node].visits == 0 || !self.expand(node, &pos, rng)) {
                watch.looking_at(&pos, self.path.len() as u32 - 1);
                break self.playouts.run(pos.clone(), rng).0.unwrap_or(Outcome::Draw);
            }
            if G::REPEATS {
                self.seen.push(pos.clone());
            }
            node = self.select(node, game.to_move(&pos));
            game.play(&mut pos, self.nodes[node].mv);
            self.path.push(node);
        };
        self.back_up(outcome);
    }

    /// A position that stands on the path already, or twice before in the line, is a draw (of this walk: it proves nothing).
    fn repeated(&self, pos: &G::Pos) -> bool {
        G::REPEATS && (self.seen.contains(pos) || self.line.occurrences(pos) >= 2)
    }

    /// The child with the largest upper confidence bound; unvisited ones first, known ones only if nothing else is left.
    fn select(&self, node: usize, mover: Player) -> usize {
        let log = f64::from(self.nodes[node].visits.max(1)).ln();
        let bound = |child: &Node<G::Move>| match child.known {
            Some(Known { outcome: Outcome::Win(player), .. }) if player == mover => f64::INFINITY,
            Some(Known { outcome: Outcome::Draw, .. }) => -1.0,
            Some(_) => -2.0,
            None if child.visits == 0 => f64::MAX,
            None => child.mean() + self.exploration * (log / f64::from(child.visits)).sqrt(),
        };
        let mut best = (0, f64::NEG_INFINITY);
        for at in self.children(node) {
            let value = bound(&self.nodes[at]);
            if value > best.1 {
                best = (at, value);
            }
        }
        best.0
    }

    fn back_up(&mut self, outcome: Outcome) {
        let root_mover = self.line.to_move();
        let mut child_known = false;
        for ply in (0..self.path.len()).rev() {
            let at = self.path[ply];
            let to_move = if ply % 2 == 0 { root_mover } else { root_mover.other() };
            if child_known && self.nodes[at].known.is_none() {
                self.nodes[at].known = self.conclude(at, to_move);
            }
            let node = &mut self.nodes[at];
            node.visits += 1;
            match outcome {
                Outcome::Draw => node.draws += 1,
                Outcome::Win(player) => node.wins += u32::from(player != to_move),
            }
            child_known = node.known.is_some();
        }
    }

    /// What the children's results say about their parent, in which `mover` is to move.
    fn conclude(&self, node: usize, mover: Player) -> Option<Known> {
        let wins = |known: &Known| known.outcome == Outcome::Win(mover);
        let children = || self.nodes[self.children(node)].iter().map(|child| child.known);
        if let Some(plies) = children().flatten().filter(wins).map(|known| known.plies).min() {
            return Some(Known { outcome: Outcome::Win(mover), plies: plies + 1 });
        }
        let all: Vec<Known> = children().collect::<Option<_>>()?;
        let longest = |outcome| all.iter().filter(|known| known.outcome == outcome).map(|known| known.plies).max();
        let lost = Outcome::Win(mover.other());
        let (outcome, plies) =
            longest(Outcome::Draw).map(|plies| (Outcome::Draw, plies)).or(longest(lost).map(|plies| (lost, plies)))?;
        Some(Known { outcome, plies: plies + 1 })
    }

    /// How good a root move is: known results first, then visits, then the mean.
    fn rank(&self, child: usize) -> (i32, i64, f64) {
        let node = &self.nodes[child];
        match node.known {
            Some(Known { outcome: Outcome::Win(player), plies }) if player == self.line.to_move() => {
                (2, -i64::from(plies), 0.0)
            }
            Some(Known { outcome: Outcome::Win(_), plies }) => (0, i64::from(plies), 0.0),
            _ => (1, i64::from(node.visits), node.mean()),
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
        while self.nodes[node].children > 0 {
            let next = self.children(node).max_by_key(|child| (self.nodes[*child].visits, std::cmp::Reverse(*child)));
            let Some(next) = next.filter(|child| self.nodes[*child].visits > 0) else { break };
            line.push(self.nodes[next].mv);
            node = next;
        }
        line
    }

    fn report(&self, clock: &Clock, watch: &mut dyn Watch<G>) {
        let told =
            |node: &Node<G::Move>| RootMove { mv: node.mv, value: node.mean(), visits: Some(u64::from(node.visits)) };
        let roots: Vec<RootMove<G::Move>> = self.nodes[self.children(0)].iter().map(told).collect();
        let line = self.main_line();
        let value = self.nodes[self.best(0)].mean();
        watch.depth_done(&Report {
            depth: line.len() as u32,
            nodes: clock.nodes(),
            elapsed: clock.elapsed(),
            value,
            line: &line,
            roots: &roots,
        });
    }

    fn choice(&self, nodes: u64) -> Choice<G> {
        let best = &self.nodes[self.best(0)];
        let line = self.main_line();
        let proof = self.nodes[0].known.map(|known| match known.outcome {
            Outcome::Draw => Proof::Draw,
            Outcome::Win(player) if player == self.line.to_move() => Proof::Win,
            Outcome::Win(_) => Proof::Loss,
        });
        let share = |count: u32| f64::from(count) / f64::from(best.visits.max(1));
        let chances = match proof {
            Some(Proof::Win) => [1.0, 0.0],
            Some(Proof::Draw) => [0.0, 1.0],
            Some(Proof::Loss) => [0.0, 0.0],
            None => [share(best.wins), share(best.draws)],
        };
        let value = chances[0] + chances[1] / 2.0;
        let chances = Some(chances);
        Choice { mv: best.mv, value, proof, chances, depth: line.len() as u32, line, nodes }
    }
}
