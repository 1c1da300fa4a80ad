//! Tests without a distribution, and many tests at once.

/// One of several comparisons after Holm's correction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holm {
    /// The p-value, raised for the number of comparisons.
    pub adjusted: f64,
    /// Whether the difference is still significant.
    pub rejected: bool,
}

/// Holm's correction: the chance that any of the comparisons is rejected wrongly stays below `alpha`. Answers are in
/// the order of the p-values; a NaN counts as 1.
///
/// ```
/// use quintet_arena::stats::holm;
///
/// let all = holm(&[0.01, 0.04, 0.03], 0.05);
/// assert!(all[0].rejected && !all[1].rejected && !all[2].rejected);
/// assert!((all[2].adjusted - 0.06).abs() < 1e-12);
/// ```
#[must_use]
pub fn holm(p_values: &[f64], alpha: f64) -> Vec<Holm> {
    let p = |at: usize| if p_values[at].is_nan() { 1.0 } else { p_values[at] };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p(a).total_cmp(&p(b)));
    let mut all = vec![Holm { adjusted: 1.0, rejected: false }; p_values.len()];
    let mut highest = 0.0f64;
    for (rank, &at) in order.iter().enumerate() {
        // The largest so far: a test is never more significant than one with a smaller p-value.
        highest = highest.max((p_values.len() - rank) as f64 * p(at)).min(1.0);
        all[at] = Holm { adjusted: highest, rejected: highest <= alpha };
    }
    all
}

/// The sign test: the two-sided p-value of `wins` against `losses` if both were equally likely, exactly by the binomial
/// distribution. Draws are left out.
///
/// ```
/// use quintet_arena::stats::sign_test;
///
/// assert!((sign_test(9, 1) - 22.0 / 1024.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn sign_test(wins: u64, losses: u64) -> f64 {
    let (few, n) = (wins.min(losses) as f64, wins as f64 + losses as f64);
    let ln_choose = libm::lgamma(n + 1.0) - libm::lgamma(few + 1.0) - libm::lgamma(n - few + 1.0);
    let mut term = (ln_choose - n * std::f64::consts::LN_2).exp();
    let (mut sum, mut k) = (0.0, few);
    // From the largest term down; the rest shrinks faster than geometrically.
    while k >= 0.0 && term > sum * 1e-17 {
        sum += term;
        term *= k / (n - k + 1.0);
        k -= 1.0;
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn holm_by_hand() {
        // Sorted 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1, then never falling.
        let all = holm(&[0.01, 0.04, 0.03, 0.005], 0.05);
        for (one, adjusted) in all.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((one.adjusted - adjusted).abs() < 1e-12);
            assert_eq!(one.rejected, adjusted <= 0.05);
        }
        assert!(holm(&[], 0.05).is_empty());
        assert_eq!(holm(&[0.05], 0.05), [Holm { adjusted: 0.05, rejected: true }]);
        assert_eq!(holm(&[f64::NAN, 0.9], 0.05)[0], Holm { adjusted: 1.0, rejected: false });
    }

    #[test]
    fn sign_test_by_hand() {
        assert_eq!(sign_test(0, 0), 1.0);
        assert_eq!(sign_test(1, 0), 1.0);
        assert!((sign_test(5, 0) - 1.0 / 16.0).abs() < 1e-12);
        // 1 + 20 + 190 + 1140 + 4845 + 15504 = 21700 of 2^20, twice.
        assert!((sign_test(5, 15) - 43400.0 / 1_048_576.0).abs() < 1e-12);
        assert_eq!(sign_test(10_000, 0), 0.0);
        // For many games as the normal distribution has it: z = 1.96.
        assert!((sign_test(500_980, 499_020) - 0.05).abs() < 2e-4);
    }

    proptest! {
        #[test]
        fn sign_test_is_a_symmetric_p_value(wins in 0u64..2000, losses in 0u64..2000) {
            let p = sign_test(wins, losses);
            prop_assert!((0.0..=1.0).contains(&p));
            prop_assert_eq!(p, sign_test(losses, wins));
            if wins == losses {
                prop_assert_eq!(p, 1.0);
            }
        }

        #[test]
        fn holm_keeps_the_order_and_never_lowers(p in prop::collection::vec(0.0..=1.0f64, 1..20)) {
            let all = holm(&p, 0.05);
            for (a, one) in p.iter().zip(&all) {
                prop_assert!(one.adjusted >= *a && one.adjusted <= 1.0);
                for (b, other) in p.iter().zip(&all) {
                    prop_assert!(a > b || one.adjusted <= other.adjusted);
                }
            }
        }
    }
}
