//! The tree of one search: nodes and edges in arrays that are kept from search to search.

use quintet_game::{Outcome, Player};

use crate::math::{exp, max, sum};

/// A position that was evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its edges.
    pub first: u32,
    pub count: u32,
    /// Simulations that went through it, the one that made it not counted.
    pub visits: f32,
    /// The net's value for the mover, from -1 to 1.
    pub value: f32,
    pub mover: Player,
}

impl Node {
    /// The places of its edges.
    #[inline]
    pub fn edges(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// What is at the end of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Child {
    Unvisited,
    /// The end of the game, as it is for the first player.
    Finished(f32),
    Node(u32),
}

const UNVISITED: u32 = u32::MAX;
/// The number for a draw; a loss of the first player is one less, a win one more.
const DRAWN: u32 = u32::MAX - 2;

#[derive(Debug, Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// Of each edge: the action, its prior, its visits, and the sum of their values for the mover.
    pub actions: Vec<u16>,
    pub priors: Vec<f32>,
    pub visits: Vec<f32>,
    pub totals: Vec<f32>,
    children: Vec<u32>,
    /// Buffers.
    pub numbers: Vec<f32>,
    keys: Vec<u64>,
}

impl Tree {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.actions.clear();
        self.priors.clear();
        self.visits.clear();
        self.totals.clear();
        self.children.clear();
    }

    /// Adds a node with the most likely of the legal actions, at most `width`.
    pub fn grow(&mut self, mover: Player, legal: &[u16], logits: &[f32], value: f32, width: usize) -> u32 {
        let first = self.actions.len();
        if legal.len() <= width {
            self.actions.extend_from_slice(legal);
        } else {
            // Integers in the order of the logits are quicker to compare than floats.
            self.keys.clear();
            self.keys.extend(legal.iter().map(|action| {
                let bits = logits[usize::from(*action)].to_bits();
                let ordered = bits ^ (((bits as i32 >> 31) as u32) | 1 << 31);
                u64::from(ordered) << 16 | u64::from(*action)
            }));
            let least = legal.len() - width;
            self.keys.select_nth_unstable(least);
            self.actions.extend(self.keys[least..].iter().map(|key| *key as u16));
        }
        let actions = &self.actions[first..];
        let last = first + actions.len();
        self.priors.extend(actions.iter().map(|action| logits[usize::from(*action)]));
        let priors = &mut self.priors[first..];
        let most = max(priors);
        priors.iter_mut().for_each(|prior| *prior = exp(*prior - most));
        let all = sum(priors);
        if all.is_finite() && all > 0.0 {
            priors.iter_mut().for_each(|prior| *prior /= all);
        } else {
            priors.fill(1.0 / (last - first) as f32);
        }
        self.visits.resize(last, 0.0);
        self.totals.resize(last, 0.0);
        self.children.resize(last, UNVISITED);
        self.nodes.push(Node { first: first as u32, count: (last - first) as u32, visits: 0.0, value, mover });
        self.nodes.len() as u32 - 1
    }

    #[inline]
    pub fn child(&self, edge: usize) -> Child {
        match self.children[edge] {
            UNVISITED => Child::Unvisited,
            number if number >= DRAWN - 1 => Child::Finished((i64::from(number) - i64::from(DRAWN)) as f32),
            number => Child::Node(number),
        }
    }

    pub fn set_node(&mut self, edge: usize, node: u32) {
        self.children[edge] = node;
    }

    /// Notes that the game is over after this edge; gives the value for the first player.
    pub fn set_end(&mut self, edge: usize, outcome: Outcome) -> f32 {
        let value = worth(outcome, Player::First);
        self.children[edge] = (i64::from(DRAWN) + value as i64) as u32;
        value
    }

    /// Adds a value, as it is for the first player, to every edge of a path of nodes and edges.
    pub fn back_up(&mut self, path: &[(u32, u32)], value: f32) {
        for &(node, edge) in path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1.0;
            self.visits[edge as usize] += 1.0;
            self.totals[edge as usize] += if node.mover == Player::First { value } else { -value };
        }
    }

    /// The edge after which the mover of the root has won, if one was tried.
    pub fn winning_edge(&self) -> Option<usize> {
        let root = self.nodes[0];
        let won = Child::Finished(worth(Outcome::Win(root.mover), Player::First));
        root.edges().find(|edge| self.child(*edge) == won)
    }

    /// The mean value of the root's simulations and of its own evaluation, for the mover.
    pub fn root_value(&self) -> f32 {
        let root = self.nodes[0];
        (root.value + sum(&self.totals[root.edges()])) / (1.0 + root.visits)
    }
}

/// An ending as a number for a player.
pub fn worth(outcome: Outcome, player: Player) -> f32 {
    match outcome {
        Outcome::Draw => 0.0,
        Outcome::Win(winner) if winner == player => 1.0,
        Outcome::Win(_) => -1.0,
    }
}

/// The place of the largest number, the first if there are several.
#[inline]
pub fn best(numbers: impl Iterator<Item = f32>) -> usize {
    let (mut place, mut most) = (0, f32::NEG_INFINITY);
    for (at, number) in numbers.enumerate() {
        if number > most {
            (place, most) = (at, number);
        }
    }
    place
}

/// A root with these visits and values, and priors that rise from edge to edge.
#[cfg(test)]
pub fn searched(found: &[(f32, f32)], value: f32) -> Tree {
    let actions: Vec<u16> = (0..found.len() as u16).collect();
    let logits: Vec<f32> = actions.iter().map(|action| f32::from(*action) * 0.4).collect();
    let mut tree = Tree::default();
    tree.grow(Player::First, &actions, &logits, value, usize::MAX);
    for (edge, (visits, value)) in found.iter().enumerate() {
        tree.nodes[0].visits += visits;
        tree.visits[edge] = *visits;
        tree.totals[edge] = visits * value;
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::bits::mix;

    fn number(i: u64) -> f32 {
        (mix(i) >> 40) as f32 / (1 << 22) as f32 - 2.0
    }

    #[test]
    fn the_most_likely_actions_are_kept() {
        for seed in 0..50 {
            let logits: Vec<f32> = (0..60).map(|i| number(100 * seed + i)).collect();
            let legal: Vec<u16> = (0..60).filter(|action| !mix(seed ^ u64::from(*action)).is_multiple_of(4)).collect();
            let mut tree = Tree::default();
            tree.grow(Player::First, &legal, &logits, 0.0, 12);
            let mut wanted = legal.clone();
            wanted.sort_by(|a, b| logits[usize::from(*b)].total_cmp(&logits[usize::from(*a)]));
            wanted.truncate(12);
            wanted.sort_unstable();
            let mut kept = tree.actions.clone();
            kept.sort_unstable();
            assert_eq!(kept, wanted);
            let all: f32 = wanted.iter().map(|action| logits[usize::from(*action)].exp()).sum();
            for (action, prior) in tree.actions.iter().zip(&tree.priors) {
                assert!((prior - logits[usize::from(*action)].exp() / all).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn values_are_backed_up_for_the_mover() {
        let mut tree = Tree::default();
        tree.grow(Player::Second, &[0, 1], &[0.0, 0.0], 0.5, 8);
        let child = tree.grow(Player::Second, &[0, 1], &[0.0, 0.0], 0.0, 8);
        tree.set_node(1, child);
        assert_eq!(tree.child(1), Child::Node(child));
        // The same player goes on after a half-made move, and wins.
        let value = tree.set_end(2, Outcome::Win(Player::Second));
        assert_eq!((value, tree.child(2)), (-1.0, Child::Finished(-1.0)));
        tree.back_up(&[(0, 1), (child, 2)], value);
        assert_eq!((tree.totals.clone(), tree.visits.clone()), (vec![0.0, 1.0, 1.0, 0.0], vec![0.0, 1.0, 1.0, 0.0]));
        assert_eq!((tree.root_value(), tree.winning_edge()), (0.75, None));
        tree.set_end(0, Outcome::Draw);
        assert_eq!(tree.child(0), Child::Finished(0.0));
        tree.set_end(0, Outcome::Win(Player::Second));
        assert_eq!(tree.winning_edge(), Some(0));
    }
}
