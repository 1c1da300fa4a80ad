//! The features of the paper's `dumb` player: what every 3x3 grid and every whole column looks like.
//!
//! There are too many to weigh them all (5^9 grids inside the board alone), so a position lists those that it has. Where on the
//! board a grid or a column lies does not matter, and colours are absolute: white and black, not mine and yours.

use quintet_game::Player;
use quintet_game::pathwayz::{Pathwayz, Position};

use super::bits::STRIDE;

/// A feature that a position has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Which: a grid below [`GRIDS`], a column from there on.
    pub code: u32,
    /// How much: 1/96 for a grid, 1/12 for a column (one over the squares, the columns of the board). The same code may come
    /// several times; what it is worth then adds up.
    pub value: f64,
}

/// The number of grid codes: nine cells of six kinds. A grid's code is the number whose digits to the base 6 are its cells, row
/// by row, the first the highest; 0 is an empty square, then `w`, `b`, `W`, `B`, and 5 lies off the board.
pub const GRIDS: u32 = 6u32.pow(9);

/// The number of all codes: columns of eight cells of five kinds follow the grids. A column's code is [`GRIDS`] plus the number
/// whose digits to the base 5 are its cells from the top, the first the highest.
pub const CODES: u32 = GRIDS + 5u32.pow(8);

const OUTSIDE: u8 = 5;

/// Lists the features of a position: a grid around every square, row by row, then the columns.
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
pub fn features(game: &Pathwayz, pos: &Position, mut f: impl FnMut(Seen)) {
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
        f(Seen { code: grid.fold(0, |code, cell| 6 * code + u32::from(*cell)), value });
    }
    let value = 1.0 / columns as f64;
    for x in 1..=columns {
        let column = cells[1..=rows].iter().fold(0, |code, line| 5 * code + u32::from(line[x]));
        f(Seen { code: GRIDS + column, value });
    }
}
