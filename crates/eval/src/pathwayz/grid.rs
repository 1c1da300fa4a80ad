//! The features of the paper's `dumb` player: the content of every 3x3 grid and every whole column.
//!
//! There are too many to enumerate (5^9 grids inside the board alone), so a position lists the ones it has. Where on the board
//! a grid or column lies does not matter, and colours are absolute: white and black, not mine and yours.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use quintet_game::Player;
use quintet_game::bits::mix;
use quintet_game::pathwayz::{Pathwayz, Position};

use super::bits::STRIDE;
use crate::{Evaluate, Made, Term, Weights};

/// A feature that a position has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    /// Its code: a grid below [`GRIDS`], a column from there on.
    pub code: u32,
    /// Its value: 1/96 for a grid, 1/12 for a column (one over the squares or columns of the board). The same code may occur
    /// several times; the values add up.
    pub value: f64,
}

/// The number of grid codes: nine cells of six kinds. A grid's code is the base-6 number whose digits are its cells, row by
/// row, most significant first; 0 is an empty square, then `w`, `b`, `W`, `B`, and 5 is off the board.
pub const GRIDS: u32 = 6u32.pow(9);

/// The number of all codes: columns of eight cells of five kinds follow the grids. A column's code is [`GRIDS`] plus the base-5
/// number whose digits are its cells from the top, most significant first.
pub const CODES: u32 = GRIDS + 5u32.pow(8);

const OUTSIDE: u8 = 5;

/// Lists the features of a position: the grid around every square, row by row, then the columns.
///
/// ```
/// use quintet_eval::pathwayz::grid::{self, GRIDS};
/// use quintet_game::{Game, pathwayz::Pathwayz};
/// let game = Pathwayz::new(8, 12);
/// let mut seen = Vec::new();
/// grid::features(&game, &game.start(), |feature| seen.push(feature));
/// assert_eq!(seen.len(), 96 + 12);
/// // An empty grid off the border, and an empty column.
/// assert_eq!((seen[13].code, seen[13].value), (0, 1.0 / 96.0));
/// assert_eq!((seen[96].code, seen[96].value), (GRIDS, 1.0 / 12.0));
/// ```
pub fn features(game: &Pathwayz, pos: &Position, mut f: impl FnMut(Feature)) {
    let (rows, columns) = (game.rows(), game.columns());
    let mut cells = [[OUTSIDE; 14]; 10];
    for (y, line) in cells[1..=rows].iter_mut().enumerate() {
        for (x, cell) in line[1..=columns].iter_mut().enumerate() {
            let at = |set: u128| (set >> (STRIDE * y + x) & 1) as u8;
            let [white, black] = Player::BOTH.map(|player| at(pos.pieces(player)));
            *cell = white + 2 * black + 2 * at(pos.permanent());
        }
    }
    let value = 1.0 / (rows * columns) as f64;
    for (y, x) in (0..rows).flat_map(|y| (0..columns).map(move |x| (y, x))) {
        let grid = cells[y..y + 3].iter().flat_map(|line| &line[x..x + 3]);
        f(Feature { code: grid.fold(0, |code, cell| 6 * code + u32::from(*cell)), value });
    }
    let value = 1.0 / columns as f64;
    for x in 1..=columns {
        let column = cells[1..=rows].iter().fold(0, |code, line| 5 * code + u32::from(line[x]));
        f(Feature { code: GRIDS + column, value });
    }
}

/// Weights of grids and columns, for white; a missing one is 0.
///
/// The paper does not say how one table of white and black serves both players: here, black's value is the negative of white's.
#[derive(Clone, Debug, Default)]
pub struct Grids {
    weights: HashMap<u32, f64, BuildHasherDefault<CodeHasher>>,
}

/// The evaluation that reads the weights.
const KIND: &str = "pathwayz-grid";

impl Grids {
    /// How many features have a weight.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Does it have none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The weight of a feature.
    #[must_use]
    pub fn weight(&self, code: u32) -> f64 {
        self.weights.get(&code).copied().unwrap_or(0.0)
    }

    /// Adds to the weight of a feature.
    pub fn add(&mut self, code: u32, more: f64) {
        *self.weights.entry(code).or_insert(0.0) += more;
    }

    /// All weights, by code.
    #[must_use]
    pub fn sorted(&self) -> Vec<(u32, f64)> {
        let mut all: Vec<(u32, f64)> = self.weights.iter().map(|(code, weight)| (*code, *weight)).collect();
        all.sort_unstable_by_key(|(code, _)| *code);
        all
    }

    /// The weights in the form of a file: whole multiples of `unit`, and for each feature the difference of its code from the one
    /// before. What rounds to 0 is left out. This keeps the file small.
    ///
    /// ```
    /// use quintet_eval::pathwayz::grid::Grids;
    /// let mut grids = Grids::default();
    /// [(7, 0.26), (3, -1.0), (9, 0.01)].map(|(code, weight)| grids.add(code, weight));
    /// let kept = grids.to_weights(0.1);
    /// assert_eq!((kept.list("gaps").unwrap(), kept.list("counts").unwrap()), (&[3.0, 4.0][..], &[-10.0, 3.0][..]));
    /// assert_eq!(Grids::read(&kept).unwrap().weight(7), 3.0 * 0.1);
    /// ```
    #[must_use]
    pub fn to_weights(&self, unit: f64) -> Weights {
        let (mut gaps, mut counts, mut last) = (Vec::new(), Vec::new(), 0);
        for (code, weight) in self.sorted() {
            let count = (weight / unit).round();
            if count != 0.0 {
                gaps.push(f64::from(code - last));
                counts.push(count);
                last = code;
            }
        }
        let mut kept = Weights::new(KIND, Made::default());
        kept.values = [("gaps", gaps), ("counts", counts), ("unit", vec![unit])]
            .map(|(name, list)| (name.to_owned(), list))
            .into();
        kept
    }

    /// Reads what [`Grids::to_weights`] wrote.
    ///
    /// # Errors
    /// When something is missing or is not a code.
    pub fn read(weights: &Weights) -> Result<Grids, String> {
        let (gaps, counts, unit) = (weights.list("gaps")?, weights.list("counts")?, weights.number("unit")?);
        if gaps.len() != counts.len() {
            return Err(format!("it has {} gaps for {} counts.", gaps.len(), counts.len()));
        }
        let mut grids = Grids::default();
        let mut code = 0.0;
        for (gap, count) in gaps.iter().zip(counts) {
            code += gap;
            if !(0.0..f64::from(CODES)).contains(&code) || code.fract() != 0.0 {
                return Err(format!("{code} is not the code of a grid or column."));
            }
            grids.add(code as u32, count * unit);
        }
        Ok(grids)
    }

    fn white(&self, game: &Pathwayz, pos: &Position) -> f64 {
        let mut sum = 0.0;
        features(game, pos, |seen| sum += self.weight(seen.code) * seen.value);
        sum
    }
}

/// 1 for white, -1 for black.
#[must_use]
pub fn sign(view: Player) -> f64 {
    [1.0, -1.0][view.index()]
}

impl Evaluate<Pathwayz> for Grids {
    fn value(&self, game: &Pathwayz, pos: &Position, view: Player) -> f64 {
        sign(view) * self.white(game, pos)
    }

    /// Two terms, grids and columns: a single feature says little.
    fn terms(&self, game: &Pathwayz, pos: &Position, view: Player) -> Vec<Term> {
        let mut sums = [0.0; 2];
        features(game, pos, |seen| sums[usize::from(seen.code >= GRIDS)] += self.weight(seen.code) * seen.value);
        let named = ["grids", "columns"].into_iter().zip(sums);
        named.map(|(name, sum)| Term { name: name.into(), value: sign(view) * sum, weight: 1.0 }).collect()
    }

    fn antisymmetric(&self) -> bool {
        true
    }
}

/// The codes are our own numbers, so plain mixing spreads them well enough.
#[derive(Default)]
struct CodeHasher(u64);

impl Hasher for CodeHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, code: u32) {
        self.0 = mix(self.0 ^ u64::from(code));
    }
}
