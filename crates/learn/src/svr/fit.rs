//! Epsilon regression by linfa's solver, and by a small one of ours for the sigmoid kernel, which linfa lacks. The results are those of
//! libsvm: `bench/compare_sklearn_svr.py`.

use std::collections::BTreeMap;

use linfa::dataset::Dataset;
use linfa::traits::Fit as _;
use linfa_svm::Svm;
use ndarray::{Array1, Array2};
use quintet_eval::pylos::{Kernel, Svr};

use super::Sample;

/// The parameters of a regression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The similarity of boards.
    pub kernel: Kernel,
    /// The kernel's scale.
    pub gamma: f64,
    /// What an error costs; no coefficient is larger.
    pub c: f64,
    /// Errors up to this cost nothing.
    pub epsilon: f64,
    /// How far from the best the solver may stop.
    pub tolerance: f64,
}

/// Coefficients up to here are zero, as linfa has it.
const ZERO: f64 = 100.0 * f64::EPSILON;

/// Trains a machine. Without samples it predicts 0 everywhere.
///
/// ```
/// use quintet_eval::pylos::Kernel;
/// use quintet_learn::svr::{Fit, Sample, fit};
/// let sample = |board, target| Sample { rank: 0, board, target };
/// let with = Fit { kernel: Kernel::Gauss, gamma: 1.0 / 60.0, c: 1000.0, epsilon: 0.1, tolerance: 1e-3 };
/// let machine = fit(&with, &[sample(0b0011, 5.0), sample(0b1100, -5.0)]);
/// assert!((machine.predict(0b0011) - 4.9).abs() < 0.01 && (machine.predict(0b1100) + 4.9).abs() < 0.01);
/// ```
#[must_use]
pub fn fit(with: &Fit, samples: &[Sample]) -> Svr {
    let Fit { kernel, gamma, .. } = *with;
    if samples.is_empty() {
        return Svr::new(kernel, gamma, 0.0, Vec::new());
    }
    let (coefficients, bias) =
        if kernel == Kernel::Sigmoid { by_pairs(with, samples) } else { by_linfa(with, samples) };
    // A board drawn more than once becomes one support vector with the sum of the coefficients.
    let mut vectors: BTreeMap<u64, f64> = BTreeMap::new();
    for (sample, alpha) in samples.iter().zip(&coefficients).filter(|(_, alpha)| alpha.abs() > ZERO) {
        *vectors.entry(sample.board).or_default() += alpha;
    }
    Svr::new(kernel, gamma, bias, vectors.into_iter().filter(|(_, sum)| sum.abs() > ZERO).collect())
}

/// The coefficient of each sample, and the bias.
fn by_linfa(with: &Fit, samples: &[Sample]) -> (Vec<f64>, f64) {
    let Fit { kernel, gamma, c, epsilon, tolerance } = *with;
    // linfa's cubic kernel has no gamma: smaller inputs stand in for it.
    let one = if kernel == Kernel::Cubic { gamma.sqrt() } else { 1.0 };
    let inputs = Array2::from_shape_fn(
        (samples.len(), 60),
        |(row, bit)| {
            if samples[row].board >> bit & 1 == 1 { one } else { 0.0 }
        },
    );
    let targets: Array1<f64> = samples.iter().map(|sample| sample.target).collect();
    let parameters = Svm::<f64, f64>::params().c_svr(c, Some(epsilon)).eps(tolerance);
    let parameters = match kernel {
        Kernel::Linear => parameters.linear_kernel(),
        Kernel::Cubic => parameters.polynomial_kernel(0.0, 3.0),
        _ => parameters.gaussian_kernel(1.0 / gamma),
    };
    let solved = parameters.fit(&Dataset::new(inputs, targets)).expect("the parameters were checked");
    (solved.alpha, -solved.rho)
}

/// The curvature of a pair where the kernel has none: a sigmoid is not positive definite.
const LEAST_CURVATURE: f64 = 1e-12;

/// Sequential minimal optimization. The coefficients sum to 0, so they move in pairs: one up, one down, each time those that promise most,
/// until no pair promises more than the tolerance.
fn by_pairs(with: &Fit, samples: &[Sample]) -> (Vec<f64>, f64) {
    let Fit { kernel, gamma, c, epsilon, tolerance } = *with;
    let similar = kernel.similarity(gamma);
    let similar = |a: usize, b: usize| similar(samples[a].board, samples[b].board);
    let mut coefficients = vec![0.0; samples.len()];
    // Predictions without the bias, less the targets.
    let mut slopes: Vec<f64> = samples.iter().map(|sample| -sample.target).collect();
    loop {
        // What a coefficient costs per unit on its way up, and what it saves on its way down: away from 0 epsilon is added.
        let (mut up, mut down) = ((f64::INFINITY, 0), (f64::NEG_INFINITY, 0));
        for (n, (&own, &slope)) in coefficients.iter().zip(&slopes).enumerate() {
            let cost = if own < 0.0 { slope - epsilon } else { slope + epsilon };
            let saved = if own > 0.0 { slope + epsilon } else { slope - epsilon };
            if own < c && cost < up.0 {
                up = (cost, n);
            }
            if own > -c && saved > down.0 {
                down = (saved, n);
            }
        }
        let ((cost, i), (saved, j)) = (up, down);
        if saved - cost <= tolerance {
            return (coefficients, -(cost + saved) / 2.0);
        }
        let curvature = similar(i, i) + similar(j, j) - 2.0 * similar(i, j);
        // No further than to 0, where the cost changes, or to the bound.
        let room = |own: f64| if own < 0.0 { -own } else { c - own };
        let step =
            ((saved - cost) / curvature.max(LEAST_CURVATURE)).min(room(coefficients[i])).min(room(-coefficients[j]));
        coefficients[i] += step;
        coefficients[j] -= step;
        for (n, slope) in slopes.iter_mut().enumerate() {
            *slope += step * (similar(i, n) - similar(j, n));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::bits::mix;

    fn samples(count: u64) -> Vec<Sample> {
        let noise = |n: u64| (mix(n) % 1000) as f64 / 100.0 - 5.0;
        (0..count)
            .map(|n| {
                // Every fifth board comes twice.
                let board = mix(n - n % 5 / 4) & mix(n - n % 5 / 4 + 1000) & ((1 << 60) - 1);
                let value = f64::from((board & 0xfff).count_ones()) - f64::from((board >> 40).count_ones());
                Sample { rank: n, board, target: value + noise(n ^ 77) }
            })
            .collect()
    }

    /// What makes a solution of the regression, by its definition: with errors e = target - prediction, a coefficient of 0 where |e| is below
    /// epsilon, of C with the sign of e where it is above, and between where |e| is epsilon; and the coefficients sum to 0.
    #[test]
    fn solutions_fulfil_the_conditions_of_the_best() {
        let all = samples(200);
        for kernel in Kernel::ALL {
            let with = Fit { kernel, gamma: 1.0 / 60.0, c: 1.0, epsilon: 0.2, tolerance: 1e-6 };
            let machine = fit(&with, &all);
            let coefficients: BTreeMap<u64, f64> = machine.vectors().iter().copied().collect();
            assert!(coefficients.len() > 100, "{kernel:?}");
            assert!(coefficients.values().sum::<f64>().abs() < 1e-9, "{kernel:?}");
            for sample in &all {
                let twice = all.iter().filter(|other| other.board == sample.board).count() > 1;
                let error = sample.target - machine.predict(sample.board);
                let coefficient = coefficients.get(&sample.board).copied().unwrap_or(0.0);
                let fits = match coefficient {
                    // Two samples share one coefficient: their own are not seen.
                    _ if twice => coefficient.abs() <= 2.0 + 1e-9,
                    0.0 => error.abs() <= 0.2 + 1e-5,
                    one if one.abs() > 1.0 - 1e-9 => error * one >= 0.2 - 1e-5,
                    some => (error - 0.2 * some.signum()).abs() < 1e-5,
                };
                assert!(fits, "{kernel:?}: error {error}, coefficient {coefficient}");
            }
        }
    }

    /// Where linfa has the kernel, our solver finds its machine.
    #[test]
    fn both_solvers_find_one_machine() {
        let all = samples(200);
        for kernel in [Kernel::Linear, Kernel::Cubic, Kernel::Gauss] {
            let with = Fit { kernel, gamma: 1.0 / 60.0, c: 1.0, epsilon: 0.2, tolerance: 1e-6 };
            let machines = [by_linfa(&with, &all), by_pairs(&with, &all)].map(|(coefficients, bias)| {
                let vectors = all.iter().zip(coefficients).map(|(sample, one)| (sample.board, one));
                Svr::new(kernel, with.gamma, bias, vectors.collect())
            });
            for sample in &all {
                let [linfa, ours] = [0, 1].map(|n| machines[n].predict(sample.board));
                assert!((linfa - ours).abs() < 1e-4, "{kernel:?}: {linfa} {ours}");
            }
        }
    }

    #[test]
    fn the_same_samples_give_the_same_machine() {
        let with = Fit { kernel: Kernel::Gauss, gamma: 1.0 / 60.0, c: 1.0, epsilon: 0.2, tolerance: 1e-3 };
        assert_eq!(fit(&with, &samples(150)), fit(&with, &samples(150)));
        assert_eq!(fit(&with, &[]).predict(5), 0.0);
    }
}
