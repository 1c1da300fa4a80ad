//! How well a machine predicts what it has not seen.

use std::fmt;

use super::Sample;

/// The errors of predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// The mean of the squares.
    pub mse: f64,
    /// The share of the targets' variance that is explained.
    pub r2: f64,
    /// The share of signs that are right; targets of 0 have none.
    pub signs: f64,
}

impl Errors {
    /// The errors of a predictor.
    ///
    /// ```
    /// use quintet_learn::svr::{Errors, Sample};
    /// let samples = [1.0, -1.0, 3.0].map(|target| Sample { rank: 0, board: 0, target });
    /// let errors = Errors::of(&samples, |_| 1.0);
    /// assert_eq!((errors.mse, errors.r2, errors.signs), (8.0 / 3.0, 0.0, 2.0 / 3.0));
    /// ```
    pub fn of(samples: &[Sample], predict: impl Fn(u64) -> f64) -> Errors {
        let count = samples.len() as f64;
        let mean = samples.iter().map(|sample| sample.target).sum::<f64>() / count;
        let mse = samples.iter().map(|sample| (predict(sample.board) - sample.target).powi(2)).sum::<f64>() / count;
        let variance = samples.iter().map(|sample| (sample.target - mean).powi(2)).sum::<f64>() / count;
        let signed: Vec<&Sample> = samples.iter().filter(|sample| sample.target != 0.0).collect();
        let right = signed.iter().filter(|sample| predict(sample.board) * sample.target > 0.0).count();
        Errors { mse, r2: 1.0 - mse / variance, signs: right as f64 / signed.len() as f64 }
    }
}

/// A machine beside simpler predictors, all trained on the same samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The machine.
    pub machine: Errors,
    /// Always the mean of the training targets.
    pub constant: Errors,
    /// The straight line over the difference of balls that fits the training samples best.
    pub difference: Errors,
}

/// Measures a machine's predictions on samples that it was not trained on.
#[must_use]
pub fn quality(predict: impl Fn(u64) -> f64, training: &[Sample], validation: &[Sample]) -> Quality {
    let count = training.len() as f64;
    let mean = |value: &dyn Fn(&Sample) -> f64| training.iter().map(value).sum::<f64>() / count;
    let (x, y) = (mean(&|sample| difference(sample.board)), mean(&|sample| sample.target));
    let covariance = mean(&|sample| (difference(sample.board) - x) * (sample.target - y));
    let variance = mean(&|sample| (difference(sample.board) - x).powi(2));
    let slope = if variance > 0.0 { covariance / variance } else { 0.0 };
    Quality {
        machine: Errors::of(validation, predict),
        constant: Errors::of(validation, |_| y),
        difference: Errors::of(validation, |board| y + slope * (difference(board) - x)),
    }
}

/// The paper's evaluation: the opponent's balls less one's own.
fn difference(board: u64) -> f64 {
    let balls = |half: u64| f64::from((half & ((1 << 30) - 1)).count_ones());
    balls(board >> 30) - balls(board)
}

impl Quality {
    /// By name, for a chart.
    #[must_use]
    pub fn values(&self) -> Vec<(String, f64)> {
        let named = [("machine", self.machine), ("constant", self.constant), ("difference", self.difference)];
        let of_one = |(name, errors): (&str, Errors)| {
            [("error", errors.mse), ("r2", errors.r2), ("signs", errors.signs)]
                .map(|(what, value)| (format!("{what}/{name}"), value))
        };
        // Too few samples have no variance and no signs.
        named.into_iter().flat_map(of_one).filter(|(_, value)| value.is_finite()).collect()
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let one = |errors: &Errors| {
            let Errors { mse, r2, signs } = errors;
            format!("MSE {mse:.2}, R2 {r2:.3}, {:.1} % of signs", 100.0 * signs)
        };
        let [machine, constant, difference] = [&self.machine, &self.constant, &self.difference].map(one);
        write!(f, "{machine}; a constant: {constant}; the difference of balls: {difference}")
    }
}
