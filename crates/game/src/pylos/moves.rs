//! Moves: a ball, and the balls taken back.

use super::cell;

pub(super) const NONE: u8 = 63;

/// Place or raise a ball, then take back up to two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The ball that is raised, or `NONE` for one from the reserve.
    pub(super) from: u8,
    pub(super) to: u8,
    /// Balls taken back, in the order in which they are written, padded with `NONE`.
    pub(super) taken: [u8; 2],
}

impl Move {
    /// A ball put on `to`, raised from `from` or out of the reserve, and the balls taken back, in any order; all as bit indices.
    /// Legal or not.
    ///
    /// ```
    /// use quintet_game::{Notation, pylos::{Move, Pylos, index}};
    /// let mv = Move::new(Some(index(0, 3, 3)), index(1, 0, 0), [Some(index(0, 1, 0)), None]);
    /// assert_eq!(Pylos::default().write_move(mv), "1d4^2a1-1b1");
    /// ```
    #[must_use]
    pub fn new(from: Option<usize>, to: usize, taken: [Option<usize>; 2]) -> Move {
        let bit = |cell: Option<usize>| cell.map_or(NONE, |cell| cell as u8);
        let taken = match taken.map(bit) {
            [NONE, one] | [one, NONE] => [one, NONE],
            [one, two] => writing_order(one, two),
        };
        Move { from: bit(from), to: to as u8, taken }
    }

    /// Level, column and row, from 0, of the ball that is raised; none if it comes from the reserve.
    ///
    /// ```
    /// use quintet_game::{Notation, pylos::Pylos};
    /// let mv = Pylos::default().read_move("1d4^2a1-1b1").unwrap();
    /// assert_eq!((mv.from(), mv.to()), (Some((0, 3, 3)), (1, 0, 0)));
    /// assert_eq!(mv.taken().collect::<Vec<_>>(), [(0, 1, 0)]);
    /// ```
    #[must_use]
    pub fn from(self) -> Option<(usize, usize, usize)> {
        (self.from != NONE).then(|| cell(self.from.into()))
    }

    /// Level, column and row, from 0, where the ball is put.
    #[must_use]
    pub fn to(self) -> (usize, usize, usize) {
        cell(self.to.into())
    }

    /// Level, column and row, from 0, of the balls that are taken back.
    pub fn taken(self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.taken.into_iter().filter(|ball| *ball != NONE).map(|ball| cell(ball.into()))
    }
}

/// Of two cells, the higher level is written first, then the upper row, then the left column.
pub(super) fn writing_order(a: u8, b: u8) -> [u8; 2] {
    let rank = |c: u8| (NONE - c / 16, c);
    if rank(a) <= rank(b) { [a, b] } else { [b, a] }
}
