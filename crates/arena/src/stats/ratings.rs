//! Bradley-Terry ratings: one number per player from all games between all players.

use super::{Wdl, Z95, expected};

/// Elo per natural unit of strength: 400 / ln 10.
pub(super) const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The scores of players against each other.
///
/// ```
/// use quintet_arena::stats::{CrossTable, Wdl};
///
/// let mut table = CrossTable::new(2);
/// table.record(0, 1, Wdl { wins: 136, draws: 111, losses: 96 });
/// let ratings = table.rate(1, 1000.0);
/// assert_eq!(format!("{:.2}", ratings.players[0].unwrap().elo), "1040.70");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CrossTable {
    players: usize,
    /// Points of the row's player against the column's; a draw is half a point.
    points: Vec<f64>,
}

/// The rating of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// On the scale of the anchor.
    pub elo: f64,
    /// Half of the width of its 95 % interval, as a distance from the anchor; 0 for the anchor itself.
    pub error: f64,
}

/// The ratings of all players of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By number of player. `None` if no chain of games connects the player with the anchor.
    pub players: Vec<Option<Rating>>,
    /// Whether one drawn game of every player against the anchor was added. Only where the games alone give an infinite rating:
    /// some player, or some group, has won or lost every point against the rest.
    pub prior: bool,
}

impl CrossTable {
    /// A table of `players` players without games.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { players, points: vec![0.0; players * players] }
    }

    /// Adds games of player `a` against player `b`, from `a`'s view.
    ///
    /// # Panics
    /// If the two are the same player or not in the table.
    pub fn record(&mut self, a: usize, b: usize, games: Wdl) {
        assert!(a != b && a < self.players && b < self.players, "players {a} and {b} of {}", self.players);
        self.points[a * self.players + b] += games.wins as f64 + games.draws as f64 / 2.0;
        self.points[b * self.players + a] += games.losses as f64 + games.draws as f64 / 2.0;
    }

    /// The ratings of maximum likelihood, where player `anchor` has the rating `elo`. Draws count half.
    ///
    /// The errors come from the information matrix. It takes every game for won or lost, so with draws they are wide
    /// rather than narrow.
    ///
    /// # Panics
    /// If the anchor is not in the table.
    #[must_use]
    pub fn rate(&self, anchor: usize, elo: f64) -> Ratings {
        assert!(anchor < self.players, "anchor {anchor} of {} players", self.players);
        let group = self.reached(anchor, |a, b| self.points(a, b) + self.points(b, a) > 0.0);
        // A finite maximum exists when every player has taken points, directly or through others, from every other.
        let above = self.reached(anchor, |a, b| self.points(a, b) > 0.0);
        let below = self.reached(anchor, |a, b| self.points(b, a) > 0.0);
        let prior = (0..self.players).any(|p| group[p] && !(above[p] && below[p]));
        let mut table = self.clone();
        let free: Vec<usize> = (0..self.players).filter(|&p| group[p] && p != anchor).collect();
        if prior {
            for &player in &free {
                table.record(player, anchor, Wdl { draws: 1, ..Wdl::default() });
            }
        }
        let strengths = table.maximum(&free);
        let variances = table.information(&free, &strengths).inverse_diagonal();
        let mut players = vec![None; self.players];
        players[anchor] = Some(Rating { elo, error: 0.0 });
        for (&player, variance) in free.iter().zip(variances) {
            let error = Z95 * ELO_PER_UNIT * variance.sqrt();
            players[player] = Some(Rating { elo: elo + ELO_PER_UNIT * strengths[player], error });
        }
        Ratings { players, prior }
    }

    fn points(&self, a: usize, b: usize) -> f64 {
        self.points[a * self.players + b]
    }

    /// The players reached by a walk over edges.
    fn reached(&self, from: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.players];
        seen[from] = true;
        let mut open = vec![from];
        while let Some(a) = open.pop() {
            for (b, seen) in seen.iter_mut().enumerate() {
                if !*seen && edge(a, b) {
                    *seen = true;
                    open.push(b);
                }
            }
        }
        seen
    }

    /// Newton's method from equal strengths. The likelihood is concave; steps are bounded and halved until they do not
    /// make it worse, so it cannot run away.
    fn maximum(&self, free: &[usize]) -> Vec<f64> {
        let mut at = vec![0.0; self.players];
        let mut likelihood = self.log_likelihood(&at);
        for _ in 0..200 {
            let step = self.information(free, &at).solve(&self.gradient(free, &at));
            let longest = step.iter().fold(0.0f64, |longest, x| longest.max(x.abs()));
            if longest < 1e-11 {
                break;
            }
            let mut scale = (2.0 / longest).min(1.0);
            loop {
                let mut next = at.clone();
                for (&player, x) in free.iter().zip(&step) {
                    next[player] += scale * x;
                }
                let reached = self.log_likelihood(&next);
                if reached >= likelihood - 1e-13 * likelihood.abs() {
                    (at, likelihood) = (next, reached);
                    break;
                }
                scale /= 2.0;
                if scale < 1e-12 {
                    return at;
                }
            }
        }
        at
    }

    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let mut sum = 0.0;
        for a in 0..self.players {
            for b in 0..self.players {
                let points = self.points(a, b);
                if points > 0.0 {
                    sum -= points * softplus(at[b] - at[a]);
                }
            }
        }
        sum
    }

    fn gradient(&self, free: &[usize], at: &[f64]) -> Vec<f64> {
        let surplus = |a: usize, b: usize| {
            let win = chance(at[a] - at[b]);
            self.points(a, b) * (1.0 - win) - self.points(b, a) * win
        };
        free.iter().map(|&a| (0..self.players).map(|b| surplus(a, b)).sum()).collect()
    }

    /// Minus the second derivatives of the log likelihood, for the players that can move.
    fn information(&self, free: &[usize], at: &[f64]) -> Matrix {
        let weight = |a: usize, b: usize| {
            let games = self.points(a, b) + self.points(b, a);
            games * chance(at[a] - at[b]) * chance(at[b] - at[a])
        };
        Matrix::new(free.len(), |i, j| {
            if i == j { (0..self.players).map(|b| weight(free[i], b)).sum() } else { -weight(free[i], free[j]) }
        })
    }
}

/// The chance to win with this much more strength.
fn chance(difference: f64) -> f64 {
    expected(difference * ELO_PER_UNIT)
}

/// ln(1 + e^x) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The Cholesky factor of a symmetric positive matrix, row by row.
pub(super) struct Matrix {
    size: usize,
    factor: Vec<f64>,
}

impl Matrix {
    /// Factors the matrix of these entries.
    pub(super) fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut factor = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| factor[i * size + k] * factor[j * size + k]).sum();
                let rest = entry(i, j) - dot;
                factor[i * size + j] = if i == j {
                    // Positive but for rounding, when games are very lopsided.
                    rest.max(f64::EPSILON * entry(i, i)).max(f64::MIN_POSITIVE).sqrt()
                } else {
                    rest / factor[j * size + j]
                };
            }
        }
        Self { size, factor }
    }

    /// The vector that the matrix maps to `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let at = |i: usize, j: usize| self.factor[i * self.size + j];
        let mut x = right.to_vec();
        for i in 0..self.size {
            let dot: f64 = (0..i).map(|k| at(i, k) * x[k]).sum();
            x[i] = (x[i] - dot) / at(i, i);
        }
        for i in (0..self.size).rev() {
            let dot: f64 = (i + 1..self.size).map(|k| at(k, i) * x[k]).sum();
            x[i] = (x[i] - dot) / at(i, i);
        }
        x
    }

    fn inverse_diagonal(&self) -> Vec<f64> {
        let unit = |i: usize| (0..self.size).map(|j| f64::from(u8::from(i == j))).collect::<Vec<_>>();
        (0..self.size).map(|i| self.solve(&unit(i))[i]).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wdl(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    fn table(players: usize, games: &[(usize, usize, Wdl)]) -> CrossTable {
        let mut table = CrossTable::new(players);
        for &(a, b, games) in games {
            table.record(a, b, games);
        }
        table
    }

    fn elo(ratings: &Ratings, player: usize) -> f64 {
        ratings.players[player].unwrap().elo
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let games = wdl(136, 111, 96);
        let ratings = table(2, &[(0, 1, games)]).rate(1, 0.0);
        let rating = ratings.players[0].unwrap();
        assert!((rating.elo - games.summary().unwrap().elo().value.unwrap()).abs() < 1e-6);
        assert!(!ratings.prior);
        assert_eq!(ratings.players[1], Some(Rating { elo: 0.0, error: 0.0 }));
        // Without draws the errors agree as well, up to the bend of the curve.
        let games = wdl(520, 0, 480);
        let rating = table(2, &[(0, 1, games)]).rate(1, 0.0).players[0].unwrap();
        assert!((rating.error - games.summary().unwrap().elo().error().unwrap()).abs() < 0.05);
    }

    #[test]
    fn symmetric_results_are_equal_ratings() {
        let circle = [(0, 1, wdl(7, 2, 1)), (1, 2, wdl(7, 2, 1)), (2, 0, wdl(7, 2, 1))];
        let ratings = table(3, &circle).rate(0, 1500.0);
        assert!((0..3).all(|player| (elo(&ratings, player) - 1500.0).abs() < 1e-6));
        let [_, Some(b), Some(c)] = ratings.players[..] else { panic!() };
        assert!((b.error - c.error).abs() < 1e-9 && b.error > 0.0);
    }

    #[test]
    fn the_anchor_shifts_everybody_alike() {
        let games = [(0, 1, wdl(7, 2, 1)), (1, 2, wdl(5, 1, 4)), (2, 0, wdl(3, 3, 9))];
        let table = table(3, &games);
        let (low, high) = (table.rate(0, 0.0), table.rate(2, 1000.0));
        let shift = elo(&high, 0) - elo(&low, 0);
        assert!((0..3).all(|player| (elo(&high, player) - elo(&low, player) - shift).abs() < 1e-6));
        assert_eq!(elo(&high, 2), 1000.0);
    }

    #[test]
    fn known_ratings_are_recovered() {
        let truth = [0.0, 120.0, -80.0, 350.0, 10.0, -400.0];
        let mut games = Vec::new();
        for a in 0..truth.len() {
            for b in 0..a {
                let wins = (1e6 * expected(truth[a] - truth[b])).round() as u64;
                games.push((a, b, wdl(wins, 0, 1_000_000 - wins)));
            }
        }
        let ratings = table(truth.len(), &games).rate(0, 0.0);
        for (player, truth) in truth.into_iter().enumerate() {
            assert!((elo(&ratings, player) - truth).abs() < 0.01, "{truth}: {:?}", ratings.players[player]);
        }
    }

    #[test]
    fn the_errors_cover_the_truth_as_often_as_they_say() {
        let truth = [0.0, 100.0, -150.0, 50.0];
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let (mut inside, mut all) = (0, 0);
        for _ in 0..400 {
            let mut results = CrossTable::new(4);
            for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let wins = (0..60).filter(|_| random() < expected(truth[a] - truth[b])).count() as u64;
                results.record(a, b, wdl(wins, 0, 60 - wins));
            }
            let ratings = results.rate(0, 0.0);
            for (rating, truth) in ratings.players.into_iter().zip(truth).skip(1) {
                let rating = rating.unwrap();
                all += 1;
                inside += u32::from((rating.elo - truth).abs() <= rating.error);
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.93..0.97).contains(&share), "{share}");
    }

    #[test]
    fn who_won_or_lost_everything_gets_a_finite_rating() {
        let ratings = table(3, &[(0, 1, wdl(10, 0, 0)), (1, 2, wdl(4, 2, 4))]).rate(1, 0.0);
        assert!(ratings.prior);
        // 10.5 of 11 against the anchor.
        assert!((elo(&ratings, 0) - 400.0 * 21f64.log10()).abs() < 1e-6);
        assert!(elo(&ratings, 2).abs() < 1e-6);
        let huge = table(2, &[(0, 1, wdl(1_000_000_000, 0, 0))]).rate(1, 0.0).players[0].unwrap();
        assert!(huge.elo.is_finite() && huge.error.is_finite() && huge.elo > 3000.0);
        let lopsided = table(3, &[(0, 1, wdl(1_000_000_000, 0, 1)), (1, 2, wdl(1_000_000_000, 0, 1))]).rate(1, 0.0);
        assert!((elo(&lopsided, 0) - 3600.0).abs() < 1e-3 && (elo(&lopsided, 2) + 3600.0).abs() < 1e-3);
    }

    #[test]
    fn groups_without_games_between_them_are_not_compared() {
        let ratings = table(5, &[(0, 1, wdl(3, 1, 2)), (2, 3, wdl(3, 1, 2))]).rate(0, 0.0);
        assert!(!ratings.prior);
        assert_eq!(ratings.players.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false, false]);
        assert_eq!(CrossTable::new(1).rate(0, 7.0).players, [Some(Rating { elo: 7.0, error: 0.0 })]);
    }

    proptest! {
        #[test]
        fn every_table_gives_finite_ratings(games in prop::collection::vec((0usize..6, 0usize..6, 0u64..30, 0u64..5, 0u64..30), 0..20)) {
            let mut results = CrossTable::new(6);
            for (a, b, wins, draws, losses) in games {
                if a != b {
                    results.record(a, b, wdl(wins, draws, losses));
                }
            }
            let ratings = results.rate(0, 0.0);
            for rating in ratings.players.iter().flatten() {
                prop_assert!(rating.elo.is_finite() && rating.error.is_finite());
            }
            // At the maximum every rated player has scored what was expected.
            if !ratings.prior {
                for (a, rating) in ratings.players.iter().enumerate() {
                    let Some(rating) = rating else { continue };
                    let (mut points, mut hoped) = (0.0, 0.0);
                    for (b, other) in ratings.players.iter().enumerate() {
                        let Some(other) = other else { continue };
                        points += results.points(a, b);
                        hoped += (results.points(a, b) + results.points(b, a)) * expected(rating.elo - other.elo);
                    }
                    prop_assert!((points - hoped).abs() < 1e-5, "{points} {hoped}");
                }
            }
        }
    }
}
