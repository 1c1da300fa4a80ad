//! The order in which moves are tried.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use quintet_game::{Game, Player, Rng};
use rand_core::Rng as _;

/// Draws an order by seed: ties go to the first best of it.
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, (rng.next_u64() % (i as u64 + 1)) as usize);
    }
}

/// Scores of positions from earlier searches, for one player. They only decide an order, so a key stands for a position.
pub(crate) struct Memory {
    scores: HashMap<u64, f64, BuildHasherDefault<KeyHasher>>,
    most: usize,
    view: Option<Player>,
    /// Scores of the moves that are being put in order.
    scored: Vec<(f64, usize)>,
}

impl Memory {
    /// With room in so many bytes.
    pub fn new(bytes: usize) -> Memory {
        // A slot has a key, a score and a byte of the map's own; while it grows, the map holds an old half beside the new whole, at most 7/8 full.
        let slot = size_of::<(u64, f64)>() + 1;
        Memory { scores: HashMap::default(), most: bytes / slot / 3, view: None, scored: Vec::new() }
    }

    /// From now on scores are those of `view`; what was kept for the other player is of no use.
    pub fn look_for(&mut self, view: Player) {
        if self.view.replace(view) != Some(view) {
            self.scores.clear();
        }
    }

    /// The memory that the scores take.
    pub fn bytes(&self) -> usize {
        self.scores.capacity() * (size_of::<(u64, f64)>() + 1)
    }

    /// The part of the room that is taken.
    pub fn fill(&self) -> f64 {
        self.scores.len() as f64 / self.most.max(1) as f64
    }

    /// Keeps a score, while there is room.
    #[inline]
    pub fn keep(&mut self, key: u64, score: f64) {
        if self.scores.len() < self.most || self.scores.contains_key(&key) {
            self.scores.insert(key, score);
        }
    }

    /// Puts the moves from `pos` in the order of the scores behind them; those without a score keep their order and come last.
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

/// Keys are hashes already.
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
