//! PUCT: which edge is tried next, and what was learned.

use quintet_game::Rng;

use crate::config::Puct;
use crate::math::{gamma, unit};
use crate::tree::{Tree, best};

/// Mixes Dirichlet noise into the root's priors.
pub fn add_noise(tree: &mut Tree, puct: &Puct, rng: &mut Rng) {
    let edges = tree.nodes[0].edges();
    let alpha = puct.alpha / edges.len() as f32;
    tree.numbers.clear();
    tree.numbers.extend(edges.clone().map(|_| gamma(alpha, rng)));
    let all = crate::math::sum(&tree.numbers).max(f32::MIN_POSITIVE);
    for (prior, number) in tree.priors[edges].iter_mut().zip(&tree.numbers) {
        *prior = (1.0 - puct.noise) * *prior + puct.noise * number / all;
    }
}

/// The edge of a node that is tried next.
pub fn select(tree: &Tree, node: u32, puct: &Puct) -> usize {
    let node = tree.nodes[node as usize];
    let (priors, visits, totals) = (&tree.priors[node.edges()], &tree.visits[node.edges()], &tree.totals[node.edges()]);
    let scale = puct.exploration * (node.visits + 1.0).sqrt();
    let unvisited = node.value - puct.reduction;
    let scores = priors.iter().zip(visits).zip(totals).map(|((prior, visits), total)| {
        let value = if *visits > 0.0 { total / visits } else { unvisited };
        value + scale * prior / (1.0 + visits)
    });
    node.first as usize + best(scores)
}

/// Fills the tree's buffer with each root action's share of the visits.
pub fn shares(tree: &mut Tree) {
    let root = tree.nodes[0];
    let all = root.visits.max(1.0);
    tree.numbers.clear();
    tree.numbers.extend(tree.visits[root.edges()].iter().map(|visits| visits / all));
}

/// The root's edge that is played: drawn by the shares of visits, or the most visited.
pub fn choose(tree: &Tree, drawn: bool, rng: &mut Rng) -> usize {
    let root = tree.nodes[0];
    if !drawn {
        return root.first as usize + best(tree.visits[root.edges()].iter().copied());
    }
    let mut left = unit(rng) * root.visits;
    let visits = &tree.visits[root.edges()];
    let drawn = visits.iter().position(|visits| {
        left -= visits;
        *visits > 0.0 && left < 0.0
    });
    // Rounding may leave a rest: then it is the last that was visited.
    root.first as usize + drawn.or_else(|| visits.iter().rposition(|visits| *visits > 0.0)).unwrap_or(0)
}
