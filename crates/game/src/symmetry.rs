//! Board symmetries: the eight of a square grid, with or without an exchange of colours.

use crate::{Game, Notation};

/// One symmetry of a grid board: transpose (or not), then mirror left-right and top-bottom (or not), and possibly exchange the colours.
///
/// ```
/// use quintet_game::Symmetry;
/// // A quarter turn clockwise takes the top left corner of a 6x6 board to the top right one.
/// assert_eq!(Symmetry::QUARTER.cell((0, 0), (6, 6)), (5, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// Swap columns and rows first (square boards only).
    pub transpose: bool,
    /// Then mirror left-right.
    pub flip_x: bool,
    /// Then mirror top-bottom.
    pub flip_y: bool,
    /// Exchange the two players: colours, side to move and outcome.
    pub colours: bool,
}

const fn plain(transpose: bool, flip_x: bool, flip_y: bool) -> Symmetry {
    Symmetry { transpose, flip_x, flip_y, colours: false }
}

impl Symmetry {
    /// Changes nothing.
    pub const IDENTITY: Symmetry = plain(false, false, false);
    /// The half turn.
    pub const HALF: Symmetry = plain(false, true, true);
    /// The quarter turn clockwise.
    pub const QUARTER: Symmetry = plain(true, true, false);
    /// The four symmetries of a rectangular board: identity, half turn, two mirrors.
    pub const OBLONG: [Symmetry; 4] =
        [Symmetry::IDENTITY, Symmetry::HALF, plain(false, true, false), plain(false, false, true)];
    /// The eight symmetries of a square board.
    pub const SQUARE: [Symmetry; 8] = [
        Symmetry::IDENTITY,
        Symmetry::HALF,
        plain(false, true, false),
        plain(false, false, true),
        plain(true, false, false),
        plain(true, true, true),
        Symmetry::QUARTER,
        plain(true, false, true),
    ];

    /// The same board symmetry with the colours exchanged too.
    #[must_use]
    pub const fn with_colours(self) -> Symmetry {
        Symmetry { colours: !self.colours, ..self }
    }

    /// Where the cell (column, row) of a board of (columns, rows) goes.
    #[must_use]
    pub const fn cell(self, (x, y): (usize, usize), (columns, rows): (usize, usize)) -> (usize, usize) {
        let (x, y) = if self.transpose { (y, x) } else { (x, y) };
        (if self.flip_x { columns - 1 - x } else { x }, if self.flip_y { rows - 1 - y } else { y })
    }

    /// Does it turn clockwise into counter-clockwise?
    #[must_use]
    pub const fn reflects(self) -> bool {
        self.transpose ^ self.flip_x ^ self.flip_y
    }
}

/// The symmetries of a game, for merging equivalent positions, opening books and training data.
pub trait Symmetric: Game {
    /// The symmetries that hold at `pos` and in all play after it, the identity first.
    ///
    /// ```
    /// use quintet_game::{Game, Symmetric, pentago::Pentago};
    /// let game = Pentago::standard();
    /// assert_eq!(game.symmetries(&game.start()).len(), 8);
    /// ```
    fn symmetries(&self, pos: &Self::Pos) -> &'static [Symmetry];

    /// The image of a position.
    fn map_position(&self, symmetry: Symmetry, pos: &Self::Pos) -> Self::Pos;

    /// The image of a move.
    fn map_move(&self, symmetry: Symmetry, mv: Self::Move) -> Self::Move;
}

/// The representative of `pos` and all its images, with its text: the one whose text comes first.
///
/// ```
/// use quintet_game::{Notation, Symmetric, canonical, pentago::Pentago};
/// let game = Pentago::standard();
/// let pos = game.read_position("x...../....../....../....../....../...... o").unwrap();
/// let (text, stands) = canonical(&game, &pos);
/// assert_eq!(text, "....../....../....../....../....../.....x o");
/// assert_eq!(game.read_position(&text), Ok(stands));
/// ```
pub fn canonical<G: Symmetric + Notation>(game: &G, pos: &G::Pos) -> (String, G::Pos) {
    let image = |symmetry: &Symmetry| {
        let image = game.map_position(*symmetry, pos);
        (game.write_position(&image), image)
    };
    let images = game.symmetries(pos).iter().map(image);
    images.min_by(|a, b| a.0.cmp(&b.0)).expect("the identity is a symmetry of every position")
}

/// The move at `pos` that corresponds to `mv` at `image`, which must be an image of `pos`; `None` otherwise.
pub fn carry_over<G: Symmetric>(game: &G, image: &G::Pos, mv: G::Move, pos: &G::Pos) -> Option<G::Move> {
    let back = game.symmetries(image).iter().find(|symmetry| game.map_position(**symmetry, image) == *pos)?;
    Some(game.map_move(*back, mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_are_distinct_and_closed() {
        let image = |s: Symmetry| -> Vec<_> { (0..9).map(|i| s.cell((i % 3, i / 3), (3, 3))).collect() };
        let all: Vec<_> = Symmetry::SQUARE.iter().map(|&s| image(s)).collect();
        for (i, a) in Symmetry::SQUARE.into_iter().enumerate() {
            assert!(all[..i].iter().all(|other| *other != all[i]));
            for b in Symmetry::SQUARE {
                let both: Vec<_> = (0..9).map(|i| b.cell(a.cell((i % 3, i / 3), (3, 3)), (3, 3))).collect();
                assert!(all.contains(&both));
            }
        }
        assert_eq!(Symmetry::SQUARE[..4], Symmetry::OBLONG);
    }
}
