//! A small board of Pathwayz for exact search, seen from the side to move.
//!
//! A set of squares is a word with one bit per square, row by row, and an empty column after each row, so that no step to a
//! neighbour wraps around. The rules are the same for both colours, so a position is the pieces of the side to move and those of
//! the other side.

use quintet_game::pathwayz::squares::STRIDE;
use quintet_game::pathwayz::{Pathwayz, Position};
use quintet_game::{Game as _, Player};

/// The most bits of a board, including the empty columns, that fit into a word.
const BITS: usize = 32;

/// The geometry of a board.
#[derive(Debug)]
pub struct Grid {
    rows: u32,
    columns: u32,
    /// All squares.
    board: u32,
    /// The first column and the last.
    goals: [u32; 2],
    /// A row of squares mirrored left to right.
    mirrored: Vec<u32>,
}

/// A position: pieces of the side to move, of the other side, and which of all are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GridState {
    pub own: u32,
    pub other: u32,
    pub permanent: u32,
}

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The mover wins.
    Won,
    /// The move has connected the other side.
    Lost,
    /// The board is full.
    Drawn,
    /// The game goes on, seen from the other side.
    Open(GridState),
}

impl Grid {
    /// Does a board of this size fit?
    pub fn fits(game: &Pathwayz) -> bool {
        game.rows() * (game.columns() + 1) <= BITS + 1
    }

    pub fn new(game: &Pathwayz) -> Grid {
        let (rows, columns) = (game.rows() as u32, game.columns() as u32);
        let column = (0..rows).fold(0, |set, row| set | 1 << (row * (columns + 1)));
        let board = (0..columns).fold(0, |set, x| set | column << x);
        let mirrored = (0..1u32 << columns).map(|row| row.reverse_bits() >> (32 - columns)).collect();
        Grid { rows, columns, board, goals: [column, column << (columns - 1)], mirrored }
    }

    /// A position of the game, seen from the side to move.
    pub fn read(&self, game: &Pathwayz, pos: &Position) -> GridState {
        let pack = |set: u128| {
            let row = |y: u32| (set >> (STRIDE * y as usize)) as u32 & ((1 << self.columns) - 1);
            (0..self.rows).fold(0, |packed, y| packed | row(y) << (y * (self.columns + 1)))
        };
        let mover: Player = game.to_move(pos);
        GridState {
            own: pack(pos.pieces(mover)),
            other: pack(pos.pieces(mover.other())),
            permanent: pack(pos.permanent()),
        }
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self, state: &GridState) -> u32 {
        self.board & !(state.own | state.other)
    }

    /// Columns without any piece. A path needs a piece in every column, and a move fills one square, so it takes at least this many
    /// plies.
    #[inline]
    pub fn empty_columns(&self, state: &GridState) -> u8 {
        let all = state.own | state.other;
        let filled = (0..self.rows).fold(0, |set, row| set | all >> (row * (self.columns + 1)));
        (self.columns - (filled & ((1 << self.columns) - 1)).count_ones()) as u8
    }

    /// A set and all its neighbours.
    #[inline]
    fn grown(&self, set: u32) -> u32 {
        let wide = set | set << 1 | set >> 1;
        (wide | wide << (self.columns + 1) | wide >> (self.columns + 1)) & self.board
    }

    #[inline]
    fn is_joined(&self, set: u32) -> bool {
        let mut group = set & self.goals[0];
        loop {
            let next = self.grown(group) & set;
            if next & self.goals[1] != 0 {
                return true;
            }
            if next == group {
                return false;
            }
            group = next;
        }
    }

    /// Places a piece on an empty square (one bit): a regular own one or a permanent one of the other side's.
    #[inline]
    pub fn play(&self, state: &GridState, square: u32, permanent: bool) -> Next {
        let GridState { mut own, mut other, permanent: mut fixed } = *state;
        if permanent {
            let turned = self.grown(square) & (own | other) & !fixed;
            own ^= turned;
            other = other ^ turned | square;
            fixed |= square;
        } else {
            own |= square;
        }
        if self.is_joined(own) {
            Next::Won
        } else if permanent && self.is_joined(other) {
            Next::Lost
        } else if own | other == self.board {
            Next::Drawn
        } else {
            Next::Open(GridState { own: other, other: own, permanent: fixed })
        }
    }

    /// The representative of this position and its mirror images, left to right and top to bottom.
    pub fn canonical(&self, state: &GridState) -> GridState {
        let across = self.image(state, Grid::across);
        let down = self.image(state, Grid::down);
        let both = self.image(&across, Grid::down);
        (*state).min(across).min(down).min(both)
    }

    fn image(&self, state: &GridState, map: fn(&Grid, u32) -> u32) -> GridState {
        GridState { own: map(self, state.own), other: map(self, state.other), permanent: map(self, state.permanent) }
    }

    fn row(&self, set: u32, row: u32) -> u32 {
        set >> (row * (self.columns + 1)) & ((1 << self.columns) - 1)
    }

    fn across(&self, set: u32) -> u32 {
        let row = |row| self.mirrored[self.row(set, row) as usize] << (row * (self.columns + 1));
        (0..self.rows).fold(0, |image, at| image | row(at))
    }

    fn down(&self, set: u32) -> u32 {
        let row = |row| self.row(set, row) << ((self.rows - 1 - row) * (self.columns + 1));
        (0..self.rows).fold(0, |image, at| image | row(at))
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::{Notation as _, Outcome, Rng, SeedableRng as _, Symmetric as _, Symmetry};

    use super::*;

    /// Random games: every move on the grid matches the game, and images are images.
    #[test]
    fn grids_follow_the_game() {
        for (rows, columns) in [(2, 2), (2, 10), (3, 4), (4, 3), (8, 3), (5, 5)] {
            let game = Pathwayz::new(rows, columns);
            let grid = Grid::new(&game);
            let mut rng = Rng::seed_from_u64(3);
            for _ in 0..200 {
                let mut pos = game.start();
                while game.outcome(&pos).is_none() {
                    let state = grid.read(&game, &pos);
                    for symmetry in Symmetry::OBLONG {
                        let image = grid.read(&game, &game.map_position(symmetry, &pos));
                        assert_eq!(grid.canonical(&image), grid.canonical(&state));
                    }
                    let (mv, mover) = (game.random_move(&pos, &mut rng), game.to_move(&pos));
                    let text = game.write_move(mv);
                    let (x, y) = (u32::from(text.as_bytes()[0] - b'a'), u32::from(text.as_bytes()[1] - b'1'));
                    let next = grid.play(&state, 1 << (y * (grid.columns + 1) + x), text.ends_with('p'));
                    game.play(&mut pos, mv);
                    let expected = match game.outcome(&pos) {
                        Some(Outcome::Win(player)) if player == mover => Next::Won,
                        Some(Outcome::Win(_)) => Next::Lost,
                        Some(Outcome::Draw) => Next::Drawn,
                        None => Next::Open(grid.read(&game, &pos)),
                    };
                    assert_eq!(next, expected, "{text} {pos:?}");
                }
            }
        }
    }
}
