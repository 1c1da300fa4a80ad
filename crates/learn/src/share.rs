//! Shares of games with their intervals.

/// Two-sided 95 %: standard deviations to either side.
const Z95: f64 = 1.959_964;

/// Wilson's interval of a share of `n` games, `z` standard deviations to either side. With draws that count half the spread is smaller than it
/// assumes, so it errs on the wide side.
pub(crate) fn wilson(share: f64, n: f64, z: f64) -> [f64; 2] {
    if n == 0.0 {
        return [0.0, 1.0];
    }
    let z2 = z * z;
    let half = z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    [-half, half].map(|half| (share + z2 / (2.0 * n) + half) / (1.0 + z2 / n))
}

/// A share of `n` games as metrics, with the ends of its 95 % interval under the names that the report looks for.
pub(crate) fn banded(name: &str, share: f64, n: f64) -> [(String, f64); 3] {
    let [low, high] = wilson(share, n, Z95);
    // Rounding must not push an end past the share itself, which it meets at 0 and 1, or past these.
    let [low, high] = [low.min(share).max(0.0), high.max(share).min(1.0)];
    [(name.to_owned(), share), (format!("{name}~low"), low), (format!("{name}~high"), high)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 15 of 20: from 53.13 to 88.81 per cent, as in the tables of statistics.
    #[test]
    fn intervals_are_wilsons() {
        let [low, high] = wilson(0.75, 20.0, Z95);
        assert!((low - 0.5313).abs() < 5e-5 && (high - 0.8881).abs() < 5e-5, "{low} {high}");
        assert_eq!(wilson(0.75, 4.0, 0.0), [0.75, 0.75]);
        assert_eq!(wilson(0.0, 0.0, Z95), [0.0, 1.0], "no games, no share");
    }

    #[test]
    fn ends_are_around_the_share() {
        for wins in 0..=7 {
            let [(name, share), (low_name, low), (high_name, high)] = banded("win rate", f64::from(wins) / 7.0, 7.0);
            assert_eq!([name, low_name, high_name], ["win rate", "win rate~low", "win rate~high"]);
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{wins}: {low} {high}");
            assert!(high - low > 0.3, "{wins}: seven games give a wide interval");
        }
    }
}
