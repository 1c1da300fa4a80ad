//! Text form of both Pentagos: `c4q2r`, and `x..o../....../....../....../....../...... x`.

use super::tables::{CELLS, LINES, cell, has_five, index};
use super::{Move, NO_SPIN, Pentago, Position};
use crate::bits::each_bit;
use crate::notation::{Fault, Notation};
use crate::text::{cell_name, fold_token, parts, quote, read_cell_on, read_rows, read_side};
use crate::{EndReason, Game, Outcome, Player};

const SIDES: [char; 2] = ['x', 'o'];

fn name(bit: u32) -> String {
    let (x, y) = cell(bit as usize);
    cell_name(x, y)
}

fn names(bits: u64) -> Vec<String> {
    let mut cells = Vec::new();
    each_bit(bits, |bit| cells.push(name(bit)));
    cells
}

impl Notation for Pentago {
    fn write_move(&self, mv: Move) -> String {
        let mut text = name(mv.cell.into());
        if mv.spin != NO_SPIN {
            text += &format!("q{}{}", mv.spin / 2 + 1, self.letters[usize::from(mv.spin % 2)]);
        }
        text
    }

    fn read_move(&self, token: &str) -> Result<Move, Fault> {
        let token = fold_token(token)?;
        let ((x, y), spin) = read_cell_on(&token, 6, 6)?;
        let cell = index(x, y) as u8;
        if spin.is_empty() {
            return Ok(Move { cell, spin: NO_SPIN });
        }
        let [right, other] = self.letters;
        let mut chars = spin.chars();
        let read = (chars.next(), chars.next(), chars.next(), chars.next());
        if let (Some('q'), Some(quadrant @ '1'..='4'), Some(kind), None) = read
            && self.letters.contains(&kind)
        {
            let quadrant = quadrant as u8 - b'1';
            return Ok(Move { cell, spin: 2 * quadrant + u8::from(kind == other) });
        }
        Err(Fault(format!(
            "after the cell, expected a quadrant q1 to q4 and {right} or {other}, as in {}q2{right}, not \"{}\".",
            cell_name(x, y),
            quote(spin, 30)
        )))
    }

    fn check(&self, pos: &Position, mv: Move) -> Result<(), Fault> {
        let cell = u32::from(mv.cell);
        for (side, letter) in pos.sides.iter().zip(SIDES) {
            if side >> cell & 1 == 1 {
                let quadrant = cell / 16;
                let free = names(CELLS & !pos.all() & (0x1ff << (16 * quadrant)));
                let free = if free.is_empty() {
                    format!("q{} is full.", quadrant + 1)
                } else {
                    format!("Empty cells in q{}: {}.", quadrant + 1, free.join(", "))
                };
                return Err(Fault(format!("{} is taken ({letter}). {free}", name(cell))));
            }
        }
        let [right, _] = self.letters;
        match (self.wins_by_placement(pos, cell), mv.spin == NO_SPIN) {
            (true, false) => {
                Err(Fault(format!("{0} makes five and wins at once, without a turn: write {0}.", name(cell))))
            }
            (false, true) => Err(Fault(format!("a quadrant must be turned too, as in {}q2{right}.", name(cell)))),
            _ => Ok(()),
        }
    }

    fn write_position(&self, pos: &Position) -> String {
        let rows: Vec<String> = (0..6)
            .map(|y| {
                (0..6)
                    .map(|x| match pos.sides.map(|side| side >> index(x, y) & 1) {
                        [1, _] => 'x',
                        [_, 1] => 'o',
                        _ => '.',
                    })
                    .collect()
            })
            .collect();
        format!("{} {}", rows.join("/"), SIDES[self.to_move(pos).index()])
    }

    fn read_position(&self, text: &str) -> Result<Position, Fault> {
        let [board, side] = parts(text, "BOARD SIDE")?;
        let cells = read_rows(board, "row", &[6; 6], ".xo")?;
        let side = read_side(side, SIDES)?;
        let mut pos = self.start();
        for (i, &symbol) in cells.iter().enumerate() {
            if symbol > 0 {
                pos.sides[usize::from(symbol) - 1] |= 1 << index(i % 6, i / 6);
            }
        }
        let [x, o] = pos.sides.map(u64::count_ones);
        match side {
            Player::First if x != o => {
                Err(Fault(format!("{x} x and {o} o cannot arise; x to move needs equal numbers.")))
            }
            Player::Second if x != o + 1 => {
                Err(Fault(format!("{x} x and {o} o cannot arise; o to move needs one x more than o.")))
            }
            _ => Ok(pos),
        }
    }

    fn reason(&self, pos: &Position) -> EndReason {
        match (pos.sides.map(has_five), self.outcome(pos)) {
            ([true, true], _) => EndReason::BothHaveFive,
            (_, Some(Outcome::Draw)) => EndReason::FullBoard,
            _ => EndReason::Five,
        }
    }

    fn wins(&self, pos: &Position) -> Vec<Vec<String>> {
        LINES
            .iter()
            .filter(|line| pos.sides.iter().any(|side| side & **line == **line))
            .map(|line| names(*line))
            .collect()
    }
}
