//! Davidson's model of games with draws, with an advantage of the seat that moves first.

use super::ratings::{ELO_PER_UNIT, Matrix};
use super::{Rating, Wdl, Z95};

/// Games of two players in which the same one moved first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The number of the player who moved first.
    pub first: usize,
    /// The number of the other.
    pub second: usize,
    /// The results, from the view of the player who moved first.
    pub games: Wdl,
}

/// Ratings of maximum likelihood. With a difference of strengths d, an advantage s of the first seat and a constant v, the first
/// player's win, a draw and a loss are in the proportion of exp((d + s) / 2), v and exp(-(d + s) / 2).
///
/// Half a game between any two who met, shared evenly, keeps the ratings finite where somebody has won every game; a very wide normal prior does so where
/// nobody met.
///
/// ```
/// use quintet_arena::stats::{Davidson, Encounter, Wdl};
/// let games = Wdl { wins: 60, draws: 20, losses: 20 };
/// let swapped = Wdl { wins: 40, draws: 20, losses: 40 };
/// let model = Davidson::fit(2, 1, &[
///     Encounter { first: 0, second: 1, games },
///     Encounter { first: 1, second: 0, games: swapped },
/// ]);
/// // Three wins to one loss with both advantages, as many wins as losses with one against the other: each is worth about
/// // 400 log10(3) / 2 = 95 points.
/// assert!((90.0..96.0).contains(&model.rating(0).elo));
/// assert!((90.0..96.0).contains(&model.seat().elo));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Davidson {
    players: usize,
    anchor: usize,
    /// The strengths of all players in natural units, then the seat's advantage, then the logarithm of the draws' constant.
    at: Vec<f64>,
    /// The covariance of all of them, row by row.
    covariance: Vec<f64>,
}

/// The inverse variances of the prior: of strengths and the seat, and of the logarithm of the draws' constant.
const PRIOR: [f64; 2] = [(ELO_PER_UNIT / 2000.0) * (ELO_PER_UNIT / 2000.0), 0.01];
/// Added to the wins and to the losses of each pair of players in each order of seats.
const SHARED: f64 = 0.25;
/// The inverse variance of the anchor, which stays where it is.
const FIXED: f64 = 1e12;

impl Davidson {
    /// Rates players from 0; `anchor` has the rating 0.
    ///
    /// # Panics
    /// If a player is not below `players`.
    #[must_use]
    pub fn fit(players: usize, anchor: usize, games: &[Encounter]) -> Davidson {
        assert!(anchor < players && games.iter().all(|met| met.first.max(met.second) < players), "{players} players");
        let size = players + 2;
        let prior = |i: usize| match i {
            _ if i == anchor => FIXED,
            _ if i <= players => PRIOR[0],
            _ => PRIOR[1],
        };
        let mut at = vec![0.0; size];
        let (mut gradient, mut information) = (vec![0.0; size], vec![0.0; size * size]);
        // Newton's method; the likelihood is concave, and steps are bounded.
        for _ in 0..200 {
            gradient.iter_mut().enumerate().for_each(|(i, g)| *g = -prior(i) * at[i]);
            information.fill(0.0);
            (0..size).for_each(|i| information[i * size + i] = prior(i));
            for (number, met) in games.iter().enumerate() {
                let known = games[..number].iter().any(|other| (other.first, other.second) == (met.first, met.second));
                let shared = if known { 0.0 } else { SHARED };
                add(met, shared, players, &at, &mut gradient, &mut information);
            }
            let step = Matrix::new(size, |i, j| information[i * size + j]).solve(&gradient);
            let longest = step.iter().fold(0.0f64, |longest, x| longest.max(x.abs()));
            let scale = (1.0 / longest.max(f64::MIN_POSITIVE)).min(1.0);
            at.iter_mut().zip(&step).for_each(|(x, step)| *x += scale * step);
            if longest < 1e-10 {
                break;
            }
        }
        let matrix = Matrix::new(size, |i, j| information[i * size + j]);
        let unit = |i: usize| (0..size).map(|j| f64::from(u8::from(i == j))).collect::<Vec<_>>();
        let covariance = (0..size).flat_map(|i| matrix.solve(&unit(i))).collect();
        Davidson { players, anchor, at, covariance }
    }

    /// A player's rating over the anchor, with half of the width of its 95 % interval.
    #[must_use]
    pub fn rating(&self, player: usize) -> Rating {
        self.difference(player, self.anchor)
    }

    /// By how much `a` is stronger than `b`.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Rating {
        let covariance = |i: usize, j: usize| self.covariance[i * self.at.len() + j];
        let variance = covariance(a, a) + covariance(b, b) - 2.0 * covariance(a, b);
        Rating { elo: ELO_PER_UNIT * (self.at[a] - self.at[b]), error: Z95 * ELO_PER_UNIT * variance.max(0.0).sqrt() }
    }

    /// What moving first is worth.
    #[must_use]
    pub fn seat(&self) -> Rating {
        let (seat, size) = (self.players, self.at.len());
        let variance = self.covariance[seat * size + seat];
        Rating { elo: ELO_PER_UNIT * self.at[seat], error: Z95 * ELO_PER_UNIT * variance.max(0.0).sqrt() }
    }

    /// The share of draws between equals where the seat is worth nothing.
    #[must_use]
    pub fn draws(&self) -> f64 {
        let constant = self.at[self.players + 1].exp();
        constant / (2.0 + constant)
    }
}

/// Adds the games of an encounter to the gradient of the log likelihood and to minus its second derivatives.
fn add(met: &Encounter, shared: f64, players: usize, at: &[f64], gradient: &mut [f64], information: &mut [f64]) {
    let lead = at[met.first] - at[met.second] + at[players];
    let (win, draw, loss) = ((lead / 2.0).exp(), at[players + 1].exp(), (-lead / 2.0).exp());
    let sum = win + draw + loss;
    let (win, draw, loss) = (win / sum, draw / sum, loss / sum);
    let Wdl { wins, draws, losses } = met.games;
    let n = (wins + draws + losses) as f64 + 2.0 * shared;
    // Half of the lead, and the draws, are the statistics of a game; these are what they exceed their means by.
    let half = (wins as f64 - losses as f64) / 2.0 - n * (win - loss) / 2.0;
    let drawn = draws as f64 - n * draw;
    let of_half = n * ((win + loss) - (win - loss).powi(2)) / 4.0;
    let of_both = -n * draw * (win - loss) / 2.0;
    let of_drawn = n * draw * (1.0 - draw);
    let size = at.len();
    let signs = [(met.first, 1.0), (met.second, -1.0), (players, 1.0)];
    for (i, sign) in signs {
        gradient[i] += sign * half;
        information[i * size + players + 1] += sign * of_both;
        information[(players + 1) * size + i] += sign * of_both;
        for (j, other) in signs {
            information[i * size + j] += sign * other * of_half;
        }
    }
    gradient[players + 1] += drawn;
    information[(players + 1) * size + players + 1] += of_drawn;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
        Encounter { first, second, games: Wdl { wins, draws, losses } }
    }

    /// The games that the model expects.
    fn expected(truth: &[f64], seat: f64, constant: f64) -> Vec<Encounter> {
        let mut games = Vec::new();
        for first in 0..truth.len() {
            for second in (0..truth.len()).filter(|second| *second != first) {
                let lead = (truth[first] - truth[second] + seat) / ELO_PER_UNIT;
                let parts = [(lead / 2.0).exp(), constant, (-lead / 2.0).exp()];
                let sum: f64 = parts.iter().sum();
                let [wins, draws, losses] = parts.map(|part| (1e6 * part / sum).round() as u64);
                games.push(met(first, second, wins, draws, losses));
            }
        }
        games
    }

    #[test]
    fn known_ratings_seat_and_draws_are_recovered() {
        let truth = [0.0, 150.0, -210.0, 420.0];
        let model = Davidson::fit(4, 0, &expected(&truth, 70.0, 0.5));
        for (player, elo) in truth.into_iter().enumerate() {
            assert!((model.rating(player).elo - elo).abs() < 0.1, "{player}: {:?}", model.rating(player));
        }
        assert!((model.seat().elo - 70.0).abs() < 0.1);
        assert!((model.draws() - 0.2).abs() < 0.001);
        assert_eq!(model.rating(0).elo, 0.0);
    }

    #[test]
    fn a_seat_that_decides_every_game_hides_no_difference_of_strength() {
        // Without the seat, both pairs would be even: 50 of 100.
        let model = Davidson::fit(2, 1, &[met(0, 1, 50, 0, 0), met(1, 0, 40, 0, 10)]);
        assert!(model.rating(0).elo > 100.0, "{:?}", model.rating(0));
        assert!(model.seat().elo > 300.0);
    }

    #[test]
    fn errors_shrink_with_the_root_of_the_games_and_are_smaller_to_the_neighbour() {
        let of = |n: u64| {
            Davidson::fit(
                3,
                0,
                &[met(0, 1, 3 * n, n, n), met(1, 0, n, n, 3 * n), met(1, 2, 3 * n, n, n), met(2, 1, n, n, 3 * n)],
            )
        };
        let (few, many) = (of(10), of(1000));
        assert!((few.rating(1).error / many.rating(1).error - 10.0).abs() < 0.2);
        assert!(many.difference(1, 2).error < many.rating(2).error);
    }

    #[test]
    fn nothing_is_infinite() {
        let model = Davidson::fit(2, 0, &[met(0, 1, 0, 0, 200), met(1, 0, 200, 0, 0)]);
        assert!(model.rating(1).elo > 500.0 && model.rating(1).elo.is_finite() && model.rating(1).error.is_finite());
        assert_eq!(Davidson::fit(2, 0, &[]).rating(1).elo, 0.0);
    }
}
