//! Cells, and the balls on them, in the layout that is drawn in [`super`].

use crate::Player;

/// Balls of each side.
pub const BALLS: u32 = 15;
pub(super) const LEVEL1: u64 = 0xffff;
/// The cell of level 4.
pub const APEX: u64 = 1 << 48;
/// All thirty cells, in the layout of [`pylos`](super).
pub const CELLS: u64 = cells();

const fn cells() -> u64 {
    let mut cells = 0;
    let mut level = 0;
    while level < 4 {
        let mut i = 0;
        while i < (4 - level) * (4 - level) {
            cells |= 1 << index(level, i % (4 - level), i / (4 - level));
            i += 1;
        }
        level += 1;
    }
    cells
}

/// The bit index of a cell; levels, columns and rows are counted from 0.
#[must_use]
pub const fn index(level: usize, x: usize, y: usize) -> usize {
    16 * level + 4 * y + x
}

/// Level, column and row, from 0, of a bit index.
#[must_use]
pub const fn cell(index: usize) -> (usize, usize, usize) {
    (index / 16, index % 4, index % 16 / 4)
}

/// The top left corner of every 2x2 square that is full in `balls`, on any level.
#[inline]
pub(super) const fn squares(balls: u64) -> u64 {
    balls & balls >> 1 & balls >> 4 & balls >> 5 & CELLS >> 16
}

/// All cells of the squares with these top left corners.
#[inline]
pub(super) const fn spread(corners: u64) -> u64 {
    corners | corners << 1 | corners << 4 | corners << 5
}

/// Empty cells that a ball can rest on, given the balls on `all`.
#[inline]
#[must_use]
pub const fn supported(all: u64) -> u64 {
    (squares(all) << 16 | LEVEL1) & !all
}

/// Balls of `all` that carry another ball.
#[inline]
#[must_use]
pub const fn carrying(all: u64) -> u64 {
    spread(all >> 16)
}

/// A position: the balls of each side and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) balls: [u64; 2],
    pub(super) side: Player,
}

impl Position {
    /// The position with these balls of the two players. `None` if a ball has no support, a cell holds two balls, or a side
    /// has more balls than it owns.
    ///
    /// ```
    /// use quintet_game::{Player, pylos::Position};
    /// assert!(Position::new([0b1, 0b10], Player::First).is_some());
    /// assert!(Position::new([1 << 16, 0], Player::First).is_none());
    /// ```
    #[must_use]
    pub fn new(balls: [u64; 2], side: Player) -> Option<Position> {
        let all = balls[0] | balls[1];
        let stands = all & !CELLS == 0 && (squares(all) << 16 | LEVEL1) & all == all;
        let counted = balls[0] & balls[1] == 0 && balls.iter().all(|own| own.count_ones() <= BALLS);
        (stands && counted).then_some(Position { balls, side })
    }

    /// The balls of one player on the board, in the layout of [`pylos`](super): sixteen bits per level, four per row.
    #[must_use]
    pub fn balls(&self, player: Player) -> u64 {
        self.balls[player.index()]
    }

    /// The balls that a player has left to place.
    #[must_use]
    pub fn reserve(&self, player: Player) -> u32 {
        BALLS - self.balls[player.index()].count_ones()
    }

    /// The empty cells that a ball can rest on.
    #[must_use]
    pub fn open(&self) -> u64 {
        supported(self.all())
    }

    /// The balls of a player that carry no other ball.
    #[must_use]
    pub fn free(&self, player: Player) -> u64 {
        self.balls(player) & !carrying(self.all())
    }

    pub(super) fn all(&self) -> u64 {
        self.balls[0] | self.balls[1]
    }
}
