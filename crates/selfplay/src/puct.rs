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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::searched;
    use quintet_game::SeedableRng;

    /// The share of the noise has the mean and the variance of a Dirichlet distribution whose parameters add up to alpha.
    #[test]
    fn noise_is_mixed_into_the_priors() {
        let puct = Puct { alpha: 3.0, noise: 0.25, ..Puct::default() };
        let mut rng = Rng::seed_from_u64(3);
        let (mut sums, mut squares, draws) = ([0.0; 4], [0.0; 4], 20_000);
        for _ in 0..draws {
            let mut tree = searched(&[(0.0, 0.0); 4], 0.0);
            let priors = tree.priors.clone();
            add_noise(&mut tree, &puct, &mut rng);
            assert!((tree.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            for (edge, (mixed, prior)) in tree.priors.iter().zip(&priors).enumerate() {
                let noise = f64::from((mixed - 0.75 * prior) / 0.25);
                assert!((-1e-5..=1.00001).contains(&noise), "{noise}");
                sums[edge] += noise;
                squares[edge] += noise * noise;
            }
        }
        for (sum, square) in sums.iter().zip(squares) {
            let mean = sum / f64::from(draws);
            let variance = square / f64::from(draws) - mean * mean;
            assert!((mean - 0.25).abs() < 0.01 && (variance - 0.25 * 0.75 / 4.0).abs() < 0.003, "{mean} {variance}");
        }
    }

    /// The formula, written down plainly, for several weights of the priors.
    #[test]
    fn the_edge_with_the_best_sum_of_value_and_prior_is_tried() {
        let found = [(0.0, 0.0), (3.0, 0.4), (1.0, -0.8), (0.0, 0.0), (5.0, 0.1)];
        let tree = searched(&found, 0.2);
        let mut chosen = Vec::new();
        for exploration in [0.0, 0.3, 1.5, 10.0] {
            let puct = Puct { exploration, reduction: 0.25, ..Puct::default() };
            let score = |edge: usize| {
                let (visits, value) = found[edge];
                let value = if visits > 0.0 { value } else { 0.2 - 0.25 };
                f64::from(value)
                    + f64::from(exploration) * 10f64.sqrt() * f64::from(tree.priors[edge]) / f64::from(1.0 + visits)
            };
            let wanted = (0..5).max_by(|a, b| score(*a).total_cmp(&score(*b)));
            chosen.push(select(&tree, 0, &puct));
            assert_eq!(chosen.last().copied(), wanted, "{exploration}");
        }
        // By value alone the best that was tried; by priors the likeliest that was not.
        assert_eq!((chosen[0], chosen[3]), (1, 3));
        // An action without visits is worth less the larger the reduction.
        let greedy = |reduction| select(&tree, 0, &Puct { exploration: 0.0, reduction, ..Puct::default() });
        assert_eq!((greedy(0.0), greedy(-0.5)), (1, 0));
    }

    #[test]
    fn moves_are_drawn_by_visits_or_are_the_most_visited() {
        let mut tree = searched(&[(2.0, 0.0), (0.0, 0.0), (6.0, 0.0), (2.0, 0.0)], 0.0);
        shares(&mut tree);
        assert_eq!(tree.numbers, [0.2, 0.0, 0.6, 0.2]);
        let mut rng = Rng::seed_from_u64(4);
        assert_eq!(choose(&tree, false, &mut rng), 2);
        let mut counts = [0.0; 4];
        for _ in 0..20_000 {
            counts[choose(&tree, true, &mut rng)] += 1.0 / 20_000.0;
        }
        for (count, share) in counts.iter().zip(&tree.numbers) {
            assert!((count - share).abs() < 0.02, "{counts:?}");
        }
        assert_eq!(counts[1], 0.0);
    }
}
