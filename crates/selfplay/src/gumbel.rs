//! Gumbel AlphaZero: which edge is tried next, and what was learned (Danihelka and others, 2022).

use quintet_game::Rng;

use crate::config::Gumbel;
use crate::math::{exp, ln, max, sum, unit};
use crate::tree::{Tree, best};

/// How often the edge that is tried next must have been tried before, for each simulation of a root with this many drawn actions:
/// sequential halving.
pub fn schedule(drawn: usize, simulations: usize) -> Vec<f32> {
    let rounds = drawn.max(2).next_power_of_two().ilog2() as usize;
    let mut wanted = Vec::with_capacity(simulations + drawn);
    let (mut left, mut visits) = (drawn, 0);
    while wanted.len() < simulations {
        for _ in 0..(simulations / (rounds * left.max(1))).max(1) {
            wanted.extend(std::iter::repeat_n(visits as f32, left));
            visits += 1;
        }
        left = (left / 2).max(2).min(drawn);
    }
    wanted.truncate(simulations);
    wanted
}

/// The actions drawn at the root: their edges, each with its noise plus the logarithm of its prior.
#[derive(Debug, Default)]
pub struct Drawn {
    edges: Vec<(u32, f32)>,
    all: Vec<(f32, u32)>,
}

impl Drawn {
    /// Draws actions without replacement by their priors: the largest of prior / E, where the E are exponential, are the largest of
    /// log prior + Gumbel noise.
    pub fn draw(&mut self, tree: &Tree, gumbel: &Gumbel, simulations: usize, rng: &mut Rng) {
        let edges = tree.nodes[0].edges();
        let count = gumbel.considered.min(simulations).min(edges.len());
        self.all.clear();
        if gumbel.noise == 0.0 {
            self.all.extend(edges.map(|edge| (tree.priors[edge], edge as u32)));
        } else {
            self.all.extend(edges.map(|edge| {
                let draw = -ln(unit(rng));
                let noise = if gumbel.noise == 1.0 { draw } else { exp_of_any(gumbel.noise * ln(draw)) };
                (tree.priors[edge] / noise, edge as u32)
            }));
        }
        let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if count < self.all.len() {
            self.all.select_nth_unstable_by(count, order);
        }
        self.edges.clear();
        let score = |&(share, edge): &(f32, u32)| (edge, ln(share.max(f32::MIN_POSITIVE)));
        self.edges.extend(self.all[..count].iter().map(score));
    }

    pub fn count(&self) -> usize {
        self.edges.len()
    }

    /// The best of the drawn edges that were tried exactly this often.
    pub fn pick(&self, tree: &Tree, gumbel: &Gumbel, visits: f32) -> usize {
        let most = self.most_visits(tree);
        let scale = (gumbel.visit + most) * gumbel.scale;
        let score = |&(edge, score): &(u32, f32)| {
            let edge = edge as usize;
            let tried = tree.visits[edge];
            let value = if tried > 0.0 { scale * share(tree.totals[edge] / tried) } else { 0.0 };
            score + value + if tried == visits { 0.0 } else { -1e9 }
        };
        self.edges[best(self.edges.iter().map(score))].0 as usize
    }

    pub fn most_visits(&self, tree: &Tree) -> f32 {
        self.edges.iter().fold(0.0, |most, (edge, _)| most.max(tree.visits[*edge as usize]))
    }
}

/// e to the power of any `x` that an f32 can hold.
fn exp_of_any(x: f32) -> f32 {
    if x <= 0.0 { exp(x) } else { 1.0 / exp(-x) }
}

/// A value from -1 to 1 as a share from 0 to 1.
#[inline]
fn share(value: f32) -> f32 {
    (value + 1.0) * 0.5
}

/// Fills the tree's buffer with the improved policy of a node: the prior, weighed by the values found. Gives the node's value, from -1 to 1.
pub fn improve(tree: &mut Tree, node: u32, gumbel: &Gumbel) -> f32 {
    let node = tree.nodes[node as usize];
    let (priors, visits, totals) = (&tree.priors[node.edges()], &tree.visits[node.edges()], &tree.totals[node.edges()]);
    // The mean of the tried edges by their priors.
    let (mut tried, mut value, mut most) = (0.0, 0.0, 0.0);
    for ((prior, visits), total) in priors.iter().zip(visits).zip(totals) {
        if *visits > 0.0 {
            tried += prior;
            value += prior * share(total / visits);
            most = if *visits > most { *visits } else { most };
        }
    }
    let own = share(node.value);
    let mean = if tried > 0.0 { (own + node.visits * value / tried) / (1.0 + node.visits) } else { own };
    let scale = (gumbel.visit + most) * gumbel.scale;
    let numbers = &mut tree.numbers;
    numbers.clear();
    numbers.extend(visits.iter().zip(totals).map(|(visits, total)| {
        let found = share(total / visits.max(1.0));
        scale * if *visits > 0.0 { found } else { mean }
    }));
    let largest = max(numbers);
    for (number, prior) in numbers.iter_mut().zip(priors) {
        *number = prior * exp(*number - largest);
    }
    let all = sum(numbers).max(f32::MIN_POSITIVE);
    numbers.iter_mut().for_each(|number| *number /= all);
    2.0 * mean - 1.0
}

/// The edge of an inner node that is tried next: the visits are to follow the improved policy.
pub fn select(tree: &mut Tree, node: u32, gumbel: &Gumbel) -> usize {
    improve(tree, node, gumbel);
    let node = tree.nodes[node as usize];
    let part = 1.0 / (1.0 + node.visits);
    let visits = &tree.visits[node.edges()];
    node.first as usize + best(tree.numbers.iter().zip(visits).map(|(wanted, visits)| wanted - visits * part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::searched;
    use quintet_game::SeedableRng;

    /// The formulas of the paper, written down plainly.
    #[test]
    fn the_improved_policy_is_the_softmax_of_logits_and_completed_values() {
        let gumbel = Gumbel { visit: 3.0, scale: 0.7, ..Gumbel::default() };
        let found = [(0.0, 0.0), (3.0, 0.4), (1.0, -0.8), (0.0, 0.0), (5.0, 0.1)];
        let mut tree = searched(&found, 0.2);
        let value = improve(&mut tree, 0, &gumbel);
        let priors: Vec<f64> = tree.priors.iter().map(|prior| f64::from(*prior)).collect();
        let of = |value: f32| (f64::from(value) + 1.0) / 2.0;
        let tried = || found.iter().zip(&priors).filter(|((visits, _), _)| *visits > 0.0);
        let mean: f64 = tried().map(|((_, value), prior)| prior * of(*value)).sum::<f64>()
            / tried().map(|(_, prior)| prior).sum::<f64>();
        let mixed = (of(0.2) + 9.0 * mean) / 10.0;
        assert!((f64::from(value) - (2.0 * mixed - 1.0)).abs() < 1e-5);
        let weight = |(visits, value): (f32, f32), prior: f64| {
            let q = if visits > 0.0 { of(value) } else { mixed };
            (prior.ln() + (3.0 + 5.0) * 0.7 * q).exp()
        };
        let weights: Vec<f64> = found.iter().zip(&priors).map(|(found, prior)| weight(*found, *prior)).collect();
        let all: f64 = weights.iter().sum();
        for (share, weight) in tree.numbers.iter().zip(&weights) {
            assert!((f64::from(*share) - weight / all).abs() < 1e-5);
        }
    }

    #[test]
    fn actions_are_drawn_by_their_priors() {
        let tree = searched(&[(0.0, 0.0); 6], 0.0);
        let mut rng = Rng::seed_from_u64(2);
        let mut drawn = Drawn::default();
        let mut counts = [0.0; 6];
        for _ in 0..20_000 {
            drawn.draw(&tree, &Gumbel { considered: 1, ..Gumbel::default() }, 8, &mut rng);
            counts[drawn.pick(&tree, &Gumbel::default(), 0.0)] += 1.0 / 20_000.0;
        }
        for (count, prior) in counts.iter().zip(&tree.priors) {
            assert!((count - prior).abs() < 0.02, "{counts:?}");
        }
        // Without noise the best come first.
        drawn.draw(&tree, &Gumbel { noise: 0.0, ..Gumbel::default() }, 2, &mut rng);
        assert_eq!((drawn.count(), drawn.pick(&tree, &Gumbel::default(), 0.0)), (2, 5));
    }

    #[test]
    fn halving_leaves_the_best_most_visits() {
        assert_eq!(schedule(1, 3), [0.0, 1.0, 2.0]);
        assert_eq!(schedule(4, 8), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0]);
        for (drawn, simulations) in [(16, 24), (16, 200), (5, 7), (3, 64), (16, 16)] {
            let wanted = schedule(drawn, simulations);
            assert_eq!(wanted.len(), simulations);
            // Whoever is tried must have been tried as often as wanted: count them.
            let mut counts = vec![0.0; drawn];
            for want in wanted {
                let found = counts.iter_mut().find(|count| **count == want);
                *found.expect("some action was tried so often") += 1.0;
            }
        }
    }
}
