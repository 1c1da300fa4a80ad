//! Random openings, distinct up to the symmetries of the board.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use quintet_game::bits::mix;
use quintet_game::{GameSpec, Line, Playable, Rng, SeedableRng, canonical, with_game};

/// The openings of a run, generated in order: the n-th is the same however many are asked for.
///
/// ```
/// use quintet_arena::Openings;
/// use quintet_game::GameSpec;
/// let openings = Openings::new(GameSpec::parse("pylos").unwrap(), 1, 7);
/// let firsts: Vec<_> = (0..4).map(|n| openings.get(n)).collect();
/// // Three cells of the board differ up to symmetry; after that openings come again.
/// assert_eq!(firsts[3], firsts[0]);
/// ```
pub struct Openings {
    found: Mutex<OpeningList>,
}

struct OpeningList {
    spec: GameSpec,
    plies: u32,
    seed: u64,
    /// The number of the next attempt.
    attempt: u64,
    openings: Vec<Vec<String>>,
    seen: HashSet<String>,
    /// There are no more.
    exhausted: bool,
}

/// After this many attempts in a row without a new opening, there are no more.
const PATIENCE: u64 = 1000;

impl Openings {
    /// Openings of `plies` random plies.
    #[must_use]
    pub fn new(spec: GameSpec, plies: u32, seed: u64) -> Openings {
        let (openings, seen) = (Vec::new(), HashSet::new());
        Openings { found: Mutex::new(OpeningList { spec, plies, seed, attempt: 0, openings, seen, exhausted: false }) }
    }

    /// The n-th opening. When there are fewer, they repeat from the first.
    pub fn get(&self, n: u64) -> Vec<String> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        while found.openings.len() as u64 <= n && !found.exhausted {
            found.find_another();
        }
        let count = found.openings.len().max(1) as u64;
        found.openings.get((n % count) as usize).cloned().unwrap_or_default()
    }
}

impl OpeningList {
    fn find_another(&mut self) {
        for _ in 0..PATIENCE {
            let seed = mix(self.seed ^ mix(self.attempt)) ^ OPENING_STREAM;
            self.attempt += 1;
            let tried = with_game!(self.spec, |game| Try { plies: self.plies, seed }.visit(game));
            if let Some((moves, canonical)) = tried
                && self.seen.insert(canonical)
            {
                self.openings.push(moves);
                return;
            }
        }
        self.exhausted = true;
    }
}

/// A random stream of its own, apart from the players'.
const OPENING_STREAM: u64 = 0x6f70_656e_696e_6773;

struct Try {
    plies: u32,
    seed: u64,
}

impl Try {
    /// The moves, and the position's least image under its symmetries; none if the game ended during them.
    fn visit<G: Playable>(self, game: G) -> Option<(Vec<String>, String)> {
        let mut line = Line::new(Arc::new(game));
        let mut rng = Rng::seed_from_u64(self.seed);
        for _ in 0..self.plies {
            line.play(line.game().random_move(line.position(), &mut rng));
            if line.outcome().is_some() {
                return None;
            }
        }
        let (game, pos) = (line.game(), line.position());
        Some((line.moves().map(|mv| game.write_move(mv)).collect(), canonical(game, pos).0))
    }
}
