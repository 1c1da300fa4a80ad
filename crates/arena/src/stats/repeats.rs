//! How much of a run was new: deterministic players repeat themselves, and repeats are not evidence.

use std::collections::HashSet;
use std::hash::Hash;

/// Distinct things among all: positions by their keys, or games by their moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Redundancy {
    /// Distinct ones.
    pub unique: u64,
    /// All of them.
    pub total: u64,
}

impl Redundancy {
    /// 1 - unique/total: 0 when nothing came twice, and for no items.
    #[must_use]
    pub fn share(self) -> f64 {
        if self.total == 0 { 0.0 } else { 1.0 - self.unique as f64 / self.total as f64 }
    }
}

/// Counts distinct items: keys of positions, or whole games as move texts.
///
/// ```
/// use quintet_arena::stats::{elo_is_meaningful, redundancy};
///
/// let games = redundancy(["1b2 1c2", "1b2 1c2", "1b2 1c3", "1b2 1c2"]);
/// assert_eq!(games.share(), 0.5);
/// assert!(!elo_is_meaningful(games));
/// ```
#[must_use]
pub fn redundancy<K: Hash + Eq>(items: impl IntoIterator<Item = K>) -> Redundancy {
    let mut seen = HashSet::new();
    let mut total = 0;
    for item in items {
        total += 1;
        seen.insert(item);
    }
    Redundancy { unique: seen.len() as u64, total }
}

/// Whether an Elo may be printed. Not when half of the run or more is repetition: its error would claim evidence that is not
/// there. Openings shared by the two games of a pair stay far below that.
#[must_use]
pub fn elo_is_meaningful(redundancy: Redundancy) -> bool {
    redundancy.share() < 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(redundancy(Vec::<u64>::new()).share(), 0.0);
        assert_eq!(redundancy([1, 2, 3, 4]).share(), 0.0);
        assert_eq!(redundancy([1, 2, 3, 1]), Redundancy { unique: 3, total: 4 });
        assert_eq!(redundancy([1, 2, 3, 1]).share(), 0.25);
    }

    #[test]
    fn one_game_over_and_over_has_no_elo() {
        assert!(!elo_is_meaningful(redundancy(std::iter::repeat_n("1b2", 400))));
        assert!(!elo_is_meaningful(redundancy(["1b2", "1b2"])));
        assert!(elo_is_meaningful(redundancy(["1b2"])));
        assert!(elo_is_meaningful(redundancy(["1b2", "1b3", "1b2"])));
    }
}
