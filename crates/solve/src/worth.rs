//! What a position is worth under perfect play, and how that fits into a byte.

use std::fmt;

/// What perfect play leads to, for the side to move.
///
/// ```
/// use quintet_solve::Worth;
/// // Who can move to a position that is lost in 4 wins in 5; who can only move to positions that are won loses.
/// assert_eq!(Worth::of_children([Worth::Win(3), Worth::Loss(4), Worth::Loss(6)]), Worth::Win(5));
/// assert_eq!(Worth::of_children([Worth::Win(3), Worth::Win(7)]), Worth::Loss(8));
/// assert_eq!(Worth::of_children([Worth::Win(3), Worth::Draw]), Worth::Draw);
/// assert_eq!(Worth::Loss(36).to_string(), "loses in 36");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// The side to move wins, and against the longest resistance the game is over after so many plies.
    Win(u8),
    /// Neither side can force a win.
    Draw,
    /// The side to move loses, at the latest after so many plies.
    Loss(u8),
}

impl Worth {
    /// The largest distance that a byte holds.
    pub const FARTHEST: u8 = 126;

    /// What a position is worth by what its children are worth for *their* side to move; without children it is lost.
    pub fn of_children(children: impl IntoIterator<Item = Worth>) -> Worth {
        Worth::from_code(children.into_iter().map(Worth::code).min().map_or(LOST, parent))
    }

    /// The place of the worth in the order from the worst to the best for the side to move, as a byte: lost in 0, 1, 2, …,
    /// drawn, …, won in 2, 1, 0. The children's least code is the best for the one who moves there.
    pub(crate) fn code(self) -> u8 {
        match self {
            Worth::Loss(plies) => plies,
            Worth::Draw => DRAW,
            Worth::Win(plies) => u8::MAX - plies,
        }
    }

    pub(crate) fn from_code(code: u8) -> Worth {
        match code {
            ..DRAW => Worth::Loss(code),
            DRAW => Worth::Draw,
            _ => Worth::Win(u8::MAX - code),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Worth::Win(plies) => write!(f, "wins in {plies}"),
            Worth::Draw => f.write_str("draws"),
            Worth::Loss(plies) => write!(f, "loses in {plies}"),
        }
    }
}

/// The code of a draw, and of what is not known yet.
pub(crate) const DRAW: u8 = 127;

/// The code of a position whose side to move has lost already.
pub(crate) const LOST: u8 = 0;

/// How many plies a code is from the end; what is drawn or not known is farther than any.
#[inline]
pub(crate) fn distance(code: u8) -> u8 {
    match code {
        DRAW => u8::MAX,
        _ => code.min(u8::MAX - code),
    }
}

/// The code of a position by the least code of its children. A distance that does not fit stays at [`Worth::FARTHEST`] or one
/// more; whoever fills a table looks for those.
#[inline]
pub(crate) fn parent(least: u8) -> u8 {
    match least {
        ..DRAW => u8::MAX - 1 - least,
        DRAW => DRAW,
        _ => (u8::MAX - least + 1).min(Worth::FARTHEST),
    }
}
