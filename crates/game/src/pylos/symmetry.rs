//! The sixteen images of a position: the eight of the square, with and without the colours exchanged.

use super::{Move, NONE, Position, Pylos, cell, index, writing_order};
use crate::bits::each_bit;
use crate::{Symmetric, Symmetry};

const SYMMETRIES: [Symmetry; 16] = symmetries();

const fn symmetries() -> [Symmetry; 16] {
    let mut all = [Symmetry::IDENTITY; 16];
    let mut i = 0;
    while i < 8 {
        all[i] = Symmetry::SQUARE[i];
        all[i + 8] = Symmetry::SQUARE[i].with_colours();
        i += 1;
    }
    all
}

impl Symmetric for Pylos {
    /// The eight of the square; once both sides have a ball on the board, also with the colours exchanged (before that,
    /// the image would have the second player move first).
    fn symmetries(&self, pos: &Position) -> &'static [Symmetry] {
        if pos.balls.contains(&0) { &SYMMETRIES[..8] } else { &SYMMETRIES }
    }

    fn map_position(&self, symmetry: Symmetry, pos: &Position) -> Position {
        let [a, b] = pos.balls.map(|balls| {
            let mut image = 0;
            each_bit(balls, |bit| image |= 1 << map_cell(symmetry, bit as u8));
            image
        });
        if symmetry.colours {
            Position { balls: [b, a], side: pos.side.other() }
        } else {
            Position { balls: [a, b], side: pos.side }
        }
    }

    fn map_move(&self, symmetry: Symmetry, mv: Move) -> Move {
        let map = |cell| map_cell(symmetry, cell);
        let [a, b] = mv.taken.map(map);
        let taken = if b == NONE { [a, b] } else { writing_order(a, b) };
        Move { from: map(mv.from), to: map(mv.to), taken }
    }
}

fn map_cell(symmetry: Symmetry, bit: u8) -> u8 {
    if bit == NONE {
        return NONE;
    }
    let (level, x, y) = cell(bit.into());
    let (x, y) = symmetry.cell((x, y), (4 - level, 4 - level));
    index(level, x, y) as u8
}
