//! Epsilon regression by linfa's solver. Its results are those of libsvm: `bench/compare_sklearn_svr.py`.

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
    let Fit { kernel, gamma, c, epsilon, tolerance } = *with;
    if samples.is_empty() {
        return Svr::new(kernel, gamma, 0.0, Vec::new());
    }
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
        Kernel::Gauss => parameters.gaussian_kernel(1.0 / gamma),
    };
    let solved = parameters.fit(&Dataset::new(inputs, targets)).expect("the parameters were checked");
    // A board drawn more than once becomes one support vector with the sum of the coefficients.
    let mut vectors: BTreeMap<u64, f64> = BTreeMap::new();
    for (sample, alpha) in samples.iter().zip(&solved.alpha).filter(|(_, alpha)| alpha.abs() > ZERO) {
        *vectors.entry(sample.board).or_default() += alpha;
    }
    Svr::new(kernel, gamma, -solved.rho, vectors.into_iter().filter(|(_, sum)| sum.abs() > ZERO).collect())
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

    #[test]
    fn the_same_samples_give_the_same_machine() {
        let with = Fit { kernel: Kernel::Gauss, gamma: 1.0 / 60.0, c: 1.0, epsilon: 0.2, tolerance: 1e-3 };
        assert_eq!(fit(&with, &samples(150)), fit(&with, &samples(150)));
        assert_eq!(fit(&with, &[]).predict(5), 0.0);
    }
}
