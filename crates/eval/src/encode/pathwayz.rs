//! Pathwayz for nets.

use quintet_game::bits::each_bit;
use quintet_game::pathwayz::squares::{STRIDE, grown, joined};
use quintet_game::pathwayz::{Move, Pathwayz, Position};
use quintet_game::{Game, Notation, Player, Symmetry};

use super::{Encode, Partial, Plane, Step, exchanged};

const OWN: u32 = 1;
const OTHER: u32 = 1 << 1;
const PERMANENT: u32 = 1 << 2;
const EMPTY: u32 = 1 << 3;
/// A permanent piece on an empty neighbour would turn this piece.
const TURNS: u32 = 1 << 4;
/// The piece is connected with this column by pieces of its colour.
const JOINS_LEFT: u32 = 1 << 5;
const JOINS_RIGHT: u32 = 1 << 6;
const LEFT: u32 = 1 << 7;
const RIGHT: u32 = 1 << 8;

const PLANES: [Plane; 13] = [
    Plane::all("own", OWN),
    Plane::all("own permanent", OWN | PERMANENT),
    Plane::all("own that can be turned", OWN | TURNS),
    Plane::all("own joined with the left column", OWN | JOINS_LEFT),
    Plane::all("own joined with the right column", OWN | JOINS_RIGHT),
    Plane::all("opponent", OTHER),
    Plane::all("opponent permanent", OTHER | PERMANENT),
    Plane::all("opponent that can be turned", OTHER | TURNS),
    Plane::all("opponent joined with the left column", OTHER | JOINS_LEFT),
    Plane::all("opponent joined with the right column", OTHER | JOINS_RIGHT),
    Plane::all("empty", EMPTY),
    Plane::all("left column", LEFT),
    Plane::all("right column", RIGHT),
];

/// The cell, and whether the piece is permanent.
fn split(game: &Pathwayz, action: u16) -> (usize, usize, bool) {
    let (cell, cells) = (usize::from(action), game.rows() * game.columns());
    (cell % game.columns(), cell % cells / game.columns(), cell >= cells)
}

fn action(game: &Pathwayz, x: usize, y: usize, permanent: bool) -> u16 {
    (game.columns() * (y + usize::from(permanent) * game.rows()) + x) as u16
}

impl Encode for Pathwayz {
    fn actions(&self) -> usize {
        2 * self.rows() * self.columns()
    }

    fn legal(&self, pos: &Position, _partial: Partial, out: &mut Vec<u16>) {
        if self.outcome(pos).is_some() {
            return;
        }
        let all = pos.pieces(Player::First) | pos.pieces(Player::Second);
        for permanent in [false, true] {
            for y in 0..self.rows() {
                let empty = !(all >> (STRIDE * y)) as u64 & ((1 << self.columns()) - 1);
                each_bit(empty, |x| out.push(action(self, x as usize, y, permanent)));
            }
        }
    }

    fn step(&self, _pos: &Position, _partial: Partial, action: u16) -> Step<Move> {
        let (x, y, permanent) = split(self, action);
        Step::Move(Move::new(x, y, permanent))
    }

    fn sequence(&self, _pos: &Position, mv: Move, out: &mut Vec<u16>) {
        let (x, y) = mv.cell();
        out.push(action(self, x, y, mv.is_permanent()));
    }

    fn name(&self, _pos: &Position, _partial: Partial, action: u16) -> String {
        let (x, y, permanent) = split(self, action);
        self.write_move(Move::new(x, y, permanent))
    }

    fn grid(&self) -> (usize, usize) {
        (self.rows(), self.columns())
    }

    fn planes(&self) -> &'static [Plane] {
        &PLANES
    }

    fn pack(&self, pos: &Position, _partial: Partial, out: &mut [u32]) {
        let mover = self.to_move(pos);
        let [own, other] = [mover, mover.other()].map(|player| pos.pieces(player));
        let empty = self.squares() & !(own | other);
        let left = (0..self.rows()).fold(0, |set, y| set | 1u128 << (STRIDE * y));
        let right = left << (self.columns() - 1);
        let joins = |column| joined(own & column, own) | joined(other & column, other);
        let sets = [
            (own, OWN),
            (other, OTHER),
            (pos.permanent(), PERMANENT),
            (empty, EMPTY),
            (grown(empty) & (own | other) & !pos.permanent(), TURNS),
            (joins(left), JOINS_LEFT),
            (joins(right), JOINS_RIGHT),
            (left, LEFT),
            (right, RIGHT),
        ];
        let columns = (1 << self.columns()) - 1;
        for (y, row) in out.chunks_exact_mut(self.columns()).enumerate() {
            row.fill(0);
            for (set, bit) in sets {
                each_bit((set >> (STRIDE * y)) as u64 & columns, |x| row[x as usize] |= bit);
            }
        }
    }

    fn other_word(&self, word: u32) -> u32 {
        exchanged(word, OWN, 1)
    }

    fn views(&self) -> &'static [Symmetry] {
        &Symmetry::OBLONG
    }

    fn map_word(&self, view: Symmetry, word: u32) -> u32 {
        if !view.flip_x {
            return word;
        }
        let swapped = |left: u32, right: u32| {
            let (was_left, was_right) = (word & left != 0, word & right != 0);
            (u32::from(was_right) * left) | (u32::from(was_left) * right)
        };
        word & !(JOINS_LEFT | JOINS_RIGHT | LEFT | RIGHT) | swapped(JOINS_LEFT, JOINS_RIGHT) | swapped(LEFT, RIGHT)
    }

    fn map_action(&self, view: Symmetry, from: u16) -> u16 {
        let (x, y, permanent) = split(self, from);
        let (x, y) = view.cell((x, y), (self.columns(), self.rows()));
        action(self, x, y, permanent)
    }
}
