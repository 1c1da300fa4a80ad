//! The order in which moves are tried.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use quintet_game::{Game, Player, Rng};
use rand_core::Rng as _;

/// A random order by seed: ties go to the first best move in it.
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, (rng.next_u64() % (i as u64 + 1)) as usize);
    }
}

/// Puts the items with the highest scores first; those with equal ones stay in order. The scores are sorted apart from the items, so that the
/// sort is compiled once, and not again for the moves and positions of every game.
pub(crate) fn best_first<T>(items: &mut [T], score: impl Fn(&T) -> f64) {
    items.sort_by_cached_key(|item| Falling(score(item)));
}

/// Keeps as many of the items as `count` says: those that [`best_first`] would put first, in its order. Only they are sorted and moved.
pub(crate) fn keep_best<T>(items: &mut Vec<T>, count: usize, score: impl Fn(&T) -> f64) {
    if count >= items.len() {
        return best_first(items, score);
    }
    let mut order: Vec<(Falling, usize)> = items.iter().map(score).map(Falling).zip(0..).collect();
    order.select_nth_unstable(count);
    order.truncate(count);
    order.sort_unstable();
    for place in 0..count {
        // An item whose place was taken lies where the item that took it came from.
        let mut at = order[place].1;
        while at < place {
            at = order[at].1;
        }
        order[place].1 = at;
        items.swap(place, at);
    }
    items.truncate(count);
}

/// A score as a key by which the highest comes first.
struct Falling(f64);

impl Ord for Falling {
    fn cmp(&self, other: &Falling) -> Ordering {
        other.0.total_cmp(&self.0)
    }
}

impl PartialOrd for Falling {
    fn partial_cmp(&self, other: &Falling) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Falling {
    fn eq(&self, other: &Falling) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Falling {}

/// Scores of positions from earlier searches, for one player. They only determine an order, so a key may represent a position.
pub(crate) struct Memory {
    scores: HashMap<u64, f64, BuildHasherDefault<KeyHasher>>,
    most: usize,
    view: Option<Player>,
    /// Scores of the moves being ordered.
    scored: Vec<(f64, usize)>,
}

impl Memory {
    /// With room for this many bytes.
    pub fn new(bytes: usize) -> Memory {
        // A slot has a key, a score and one byte of the map's own; while the map grows, it exists twice, at most 7/8 full.
        let slot = size_of::<(u64, f64)>() + 1;
        Memory { scores: HashMap::default(), most: bytes / slot / 3, view: None, scored: Vec::new() }
    }

    /// From now on, scores are those of `view`; scores for the other player are useless and dropped.
    pub fn look_for(&mut self, view: Player) {
        if self.view.replace(view) != Some(view) {
            self.scores.clear();
        }
    }

    /// Frees the memory.
    pub fn forget(&mut self) {
        self.scores = HashMap::default();
    }

    /// The memory used by the scores.
    pub fn bytes(&self) -> usize {
        self.scores.capacity() * (size_of::<(u64, f64)>() + 1)
    }

    /// The used share of the memory.
    pub fn fill(&self) -> f64 {
        self.scores.len() as f64 / self.most.max(1) as f64
    }

    /// Stores a score if there is room.
    #[inline]
    pub fn keep(&mut self, key: u64, score: f64) {
        if self.scores.len() < self.most || self.scores.contains_key(&key) {
            self.scores.insert(key, score);
        }
    }

    /// Orders the moves from `pos` by the scores of the positions after them; those without a score keep their order and come last.
    pub fn order<G: Game>(&mut self, game: &G, pos: &G::Pos, moves: &mut [G::Move], highest_first: bool) {
        self.scored.clear();
        for (at, mv) in moves.iter().enumerate() {
            let mut next = pos.clone();
            game.play(&mut next, *mv);
            let score = self
                .scores
                .get(&game.key(&next))
                .map_or(f64::INFINITY, |score| if highest_first { -score } else { *score });
            self.scored.push((score, at));
        }
        self.scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let before = moves.to_vec();
        for (mv, (_, at)) in moves.iter_mut().zip(&self.scored) {
            *mv = before[*at];
        }
    }
}

/// Keys are already hashes.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_equals_stay_in_order() {
        let scores = [1.0, -0.0, 3.0, 0.0, f64::NEG_INFINITY, 1.0, f64::INFINITY, 3.0, f64::NAN, -1.0];
        let mut found: Vec<usize> = (0..scores.len()).collect();
        best_first(&mut found, |at| scores[*at]);
        let mut wanted: Vec<usize> = (0..scores.len()).collect();
        wanted.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        assert_eq!(found, wanted);
        assert_eq!(found, [8, 6, 2, 7, 0, 5, 3, 1, 9, 4]);
        for count in 0..=scores.len() + 1 {
            let mut kept: Vec<usize> = (0..scores.len()).collect();
            keep_best(&mut kept, count, |at| scores[*at]);
            assert_eq!(kept, wanted[..count.min(scores.len())], "the best {count}");
        }
    }
}
