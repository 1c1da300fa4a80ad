//! The buckets of the Pentago paper: boards are hashed into a few numbers, and each number has a learned value for each seat.
//!
//! Buckets 0 and 1 are games won by the first and the second player. The paper takes its hash modulo the number of buckets minus
//! two and does not say that it is shifted past them; [`Buckets`] can do both.

use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game, Outcome, Player};

use super::board::{Board, DIRECTIONS};
use super::features::Features35;
use crate::{Evaluate, Linear, Term, Weights};

/// How boards are hashed.
#[derive(Clone, Debug)]
pub enum Hash {
    /// 1: the sum of piece (1 for the first player's, 2 for the second's) times p^k; p is 2, 3, 5, 7 for the four quadrants, k
    /// the place in the quadrant, row by row.
    Places,
    /// 2: the sum of the cubes of the first player's streaks, plus five times the second's. A streak is a run of two or more on a
    /// row, column or diagonal of five or six cells **(ours)**.
    Streaks,
    /// 3: the value that a learned evaluation gives to the player who has just moved, in steps: the "smart and quick" hash
    /// that the paper wishes for **(ours)**.
    Learned(Linear<Features35>),
}

impl Hash {
    /// The hash of this number; `weights` are those of the 35 features, needed only by hash 3.
    ///
    /// # Errors
    /// When there is no such hash, or the weights are missing.
    pub fn numbered(number: u8, weights: Option<&[f64]>) -> Result<Hash, String> {
        match (number, weights) {
            (1, None) => Ok(Hash::Places),
            (2, None) => Ok(Hash::Streaks),
            (3, Some(weights)) => {
                let features = Features35::new();
                let wanted = crate::Features::<Pentago>::names(&features).len();
                if weights.len() != wanted {
                    return Err(format!("hash 3 has {} weights , not {wanted}.", weights.len()));
                }
                Ok(Hash::Learned(Linear::new::<Pentago>(features, weights.to_vec())))
            }
            (3, None) => Err("hash 3 needs the weights of its features.".into()),
            (1 | 2, Some(_)) => Err(format!("hash {number} uses no features.")),
            _ => Err(format!("{number} is not a hash; choose 1 (places), 2 (streaks) or 3 (a learned evaluation).")),
        }
    }
}

/// Which bucket a board falls into.
///
/// ```
/// use quintet_eval::pentago::{Buckets, Hash};
/// use quintet_game::{Notation, pentago::Pentago};
/// let game = Pentago::turn_first();
/// let pos = game.read_position("x..o../....../....../....../....../...... x").unwrap();
/// // 1 x 2^0 for q1, 2 x 3^0 for q2.
/// assert_eq!(Buckets::new(Hash::Places, 100, true).unwrap().of(&game, &pos), 2 + 3);
/// assert_eq!(Buckets::new(Hash::Places, 100, false).unwrap().of(&game, &pos), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Buckets {
    hash: Hash,
    count: u32,
    shift: u32,
}

/// The buckets of won games, by winner.
pub const END_BUCKETS: usize = 2;

/// Where the steps of hash 3 are finest: half of the buckets are for values between minus and plus this **(ours)**.
const MIDDLE: f64 = 20.0;

impl Buckets {
    /// This many buckets; `shifted` keeps boards of unfinished games out of the first two.
    ///
    /// # Errors
    /// When there are too few for any board, or too many.
    pub fn new(hash: Hash, count: usize, shifted: bool) -> Result<Buckets, String> {
        let wrong = || {
            format!("{count} is not a possible number of buckets: two are for won games, and at most 2^24 are allowed.")
        };
        let fits = (END_BUCKETS + 1..=1 << 24).contains(&count);
        let shift = if shifted { END_BUCKETS as u32 } else { 0 };
        fits.then_some(Buckets { hash, count: count as u32, shift }).ok_or_else(wrong)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The bucket of a position.
    #[inline]
    #[must_use]
    pub fn of(&self, game: &Pentago, pos: &Position) -> usize {
        match game.outcome(pos) {
            Some(Outcome::Win(player)) => player.index(),
            // A drawn board has no bucket of its own.
            Some(Outcome::Draw) | None => (self.hashed(game, pos) + self.shift) as usize,
        }
    }

    #[inline]
    fn hashed(&self, game: &Pentago, pos: &Position) -> u32 {
        let live = self.count - END_BUCKETS as u32;
        match &self.hash {
            Hash::Places => (places(pos.side(Player::First)) + 2 * places(pos.side(Player::Second))) % live,
            Hash::Streaks => (streaks(pos.side(Player::First)) + 5 * streaks(pos.side(Player::Second))) % live,
            Hash::Learned(model) => {
                let value = model.value(game, pos, game.to_move(pos).other());
                let share = 0.5 + 0.5 * value / (value.abs() + MIDDLE);
                ((share * f64::from(live)) as u32).min(live - 1)
            }
        }
    }
}

/// What the marbles of one side add to hash 1, each counted once.
#[inline]
fn places(side: u64) -> u32 {
    (0..4).map(|quadrant| POWERS[quadrant][(side >> (16 * quadrant)) as usize % 512]).sum()
}

/// The sum of p^k over the marbles of a quadrant, by its pattern. All of 7^0 to 7^8 are below 2^23.
static POWERS: [[u32; 512]; 4] = {
    const PRIMES: [u32; 4] = [2, 3, 5, 7];
    let mut table = [[0; 512]; 4];
    let mut at = 0;
    while at < 4 * 512 {
        let (quadrant, pattern) = (at / 512, at % 512);
        let (mut power, mut k) = (1, 0);
        while k < 9 {
            if pattern >> k & 1 == 1 {
                table[quadrant][pattern] += power;
            }
            power *= PRIMES[quadrant];
            k += 1;
        }
        at += 1;
    }
    table
};

/// The sum of the cubes of a side's streaks.
#[inline]
fn streaks(side: u64) -> u32 {
    let board = Board::new(side);
    let of_direction = |direction| {
        let windows = board.on(direction).windows(direction.step);
        windows.iter().zip(WINDOW_WORTH).map(|(window, worth)| window.count_ones() * worth).sum::<u32>()
    };
    DIRECTIONS.iter().map(of_direction).sum()
}

/// What a window of 1 to 6 marbles adds to the sum of cubes: a run of n has n - k + 1 windows of k, so the second differences of
/// the cubes, without the first, add up to n^3.
const WINDOW_WORTH: [u32; 6] = {
    const fn cube(n: i32) -> i32 {
        if n < 2 { 0 } else { n * n * n }
    }
    let mut worth = [0; 6];
    let mut k = 0;
    while k < 6 {
        let n = k as i32 + 1;
        worth[k] = (cube(n) - 2 * cube(n - 1) + cube(n - 2)) as u32;
        k += 1;
    }
    worth
};

/// The evaluation `pentago-mdp`: the value of a board's bucket for a seat; each seat has its own model. It is learned for boards
/// right after one's own move.
pub struct BucketValues {
    buckets: Buckets,
    values: [Vec<f64>; 2],
}

impl BucketValues {
    /// From trained weights: `hash`, `shifted`, the values `first` and `second`, and for hash 3 its `features`.
    pub fn from_weights(weights: &Weights) -> Result<BucketValues, String> {
        let values = [weights.list("first")?.to_vec(), weights.list("second")?.to_vec()];
        if values[0].len() != values[1].len() {
            return Err("its two lists of values have different lengths.".into());
        }
        let features = weights.values.get("features").map(Vec::as_slice);
        // A number that is not a valid hash is refused as 0.
        let hash = Hash::numbered(weights.number("hash")? as u8, features)?;
        let buckets = Buckets::new(hash, values[0].len(), weights.number("shifted")? != 0.0)?;
        Ok(BucketValues { buckets, values })
    }
}

impl Evaluate<Pentago> for BucketValues {
    fn value(&self, game: &Pentago, pos: &Position, view: Player) -> f64 {
        self.values[view.index()][self.buckets.of(game, pos)]
    }

    fn terms(&self, game: &Pentago, pos: &Position, view: Player) -> Vec<Term> {
        let bucket = self.buckets.of(game, pos);
        vec![Term { name: format!("bucket {bucket}"), value: self.values[view.index()][bucket], weight: 1.0 }]
    }
}
