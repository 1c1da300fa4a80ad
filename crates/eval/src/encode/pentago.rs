//! Pentago and Pentago-Twist for nets.

use quintet_game::bits::each_bit;
use quintet_game::pentago::{CELLS, LINES, Move, Pentago, Position, cell, has_five};
use quintet_game::{Game, Notation, Symmetric, Symmetry};

use super::{Encode, Output, Partial, Plane, Step, exchanged};

const OWN: u32 = 1;
const OTHER: u32 = 1 << 1;
const EMPTY: u32 = 1 << 2;
/// A marble here, with some spin, would win at once.
const OWN_WINS: u32 = 1 << 3;
const OTHER_WINS: u32 = 1 << 4;
const CENTRE: u32 = 1 << 5;
const CORNER: u32 = 1 << 6;

const PLANES: [Plane; 7] = [
    Plane::all("own", OWN),
    Plane::all("opponent", OTHER),
    Plane::all("empty", EMPTY),
    Plane::all("own marble would win", OWN_WINS),
    Plane::all("opponent's marble would win", OTHER_WINS),
    Plane::all("centre of a quadrant", CENTRE),
    Plane::all("corner of a quadrant", CORNER),
];

/// Centres and corners of the quadrants: nine bits in each sixteen.
const CENTRES: u64 = 0x0010_0010_0010_0010;
const CORNERS: u64 = 0x0145_0145_0145_0145;

fn action(game: &Pentago, mv: Move) -> u16 {
    let (x, y) = mv.cell();
    let kind = match mv.spin() {
        Some(spin) => spin + usize::from(game.placement_wins()),
        None => 0,
    };
    (36 * kind + 6 * y + x) as u16
}

fn to_move(game: &Pentago, action: u16) -> Move {
    let (cell, kind) = (usize::from(action) % 36, usize::from(action) / 36);
    let spin = if game.placement_wins() { kind.checked_sub(1) } else { Some(kind) };
    Move::new(cell % 6, cell / 6, spin)
}

/// Where Pentago has no bare placements, their channel stays unused, so that one net plays by both rules.
fn unused(game: &Pentago) -> usize {
    usize::from(!game.placement_wins() && !game.mirrors())
}

/// The cells where one more marble gives `side` five: all, if it has five already. Without branches, so that several lines are looked at together.
fn completing(side: u64) -> u64 {
    let (mut cells, mut complete) = (0, false);
    for line in LINES {
        let missing = line & !side;
        let more_than_one = missing & missing.wrapping_sub(1) != 0;
        cells |= if more_than_one { 0 } else { missing };
        complete |= missing == 0;
    }
    if complete { CELLS } else { cells }
}

/// The empty cells where a marble of `own`, with some spin, would win at once.
fn winning(game: &Pentago, own: u64, other: u64) -> u64 {
    let mut cells = if game.placement_wins() { completing(own) } else { 0 };
    for spin in 0..8 {
        if !has_five(game.spun(other, spin)) {
            // Three more of the same spin undo it.
            let back = (0..3).fold(completing(game.spun(own, spin)), |cells, _| game.spun(cells, spin));
            cells |= back;
        }
    }
    cells & !(own | other)
}

impl Encode for Pentago {
    fn actions(&self) -> usize {
        36 * (8 + usize::from(self.placement_wins()))
    }

    fn legal(&self, pos: &Position, _partial: Partial, out: &mut Vec<u16>) {
        if self.outcome(pos).is_some() {
            return;
        }
        let mover = self.to_move(pos);
        let (own, other) = (pos.side(mover), pos.side(mover.other()));
        let empty = CELLS & !(own | other);
        let at_once = if self.placement_wins() { completing(own) & empty } else { 0 };
        let mut push = |cells, kind| {
            each_bit(cells, |bit| {
                let (x, y) = cell(bit as usize);
                out.push((36 * kind + 6 * y + x) as u16);
            });
        };
        let spins = usize::from(self.placement_wins());
        if at_once != 0 {
            push(at_once, 0);
        }
        for kind in spins..spins + 8 {
            push(empty & !at_once, kind);
        }
    }

    fn step(&self, _pos: &Position, _partial: Partial, action: u16) -> Step<Move> {
        Step::Move(to_move(self, action))
    }

    fn sequence(&self, _pos: &Position, mv: Move, out: &mut Vec<u16>) {
        out.push(action(self, mv));
    }

    fn name(&self, _pos: &Position, _partial: Partial, action: u16) -> String {
        self.write_move(to_move(self, action))
    }

    fn grid(&self) -> (usize, usize) {
        (6, 6)
    }

    fn planes(&self) -> &'static [Plane] {
        &PLANES
    }

    fn pack(&self, pos: &Position, _partial: Partial, out: &mut [u32]) {
        let mover = self.to_move(pos);
        let (own, other) = (pos.side(mover), pos.side(mover.other()));
        let sets = [
            (own, OWN),
            (other, OTHER),
            (CELLS & !(own | other), EMPTY),
            (winning(self, own, other), OWN_WINS),
            (winning(self, other, own), OTHER_WINS),
            (CENTRES, CENTRE),
            (CORNERS, CORNER),
        ];
        for quadrant in 0..4 {
            for i in 0..9 {
                let bit = 16 * quadrant + i;
                let word = sets.iter().fold(0, |word, (set, plane)| word | ((set >> bit & 1) as u32 * plane));
                let (x, y) = cell(bit);
                out[6 * y + x] = word;
            }
        }
    }

    fn other_word(&self, word: u32) -> u32 {
        exchanged(word, OWN | OWN_WINS, 1)
    }

    fn views(&self) -> &'static [Symmetry] {
        self.symmetries(&self.start())
    }

    fn outputs(&self) -> (usize, usize) {
        (self.actions() / 36 + unused(self), 0)
    }

    fn output(&self, action: u16) -> (Output, Option<Output>) {
        let (cell, kind) = (usize::from(action) % 36, usize::from(action) / 36);
        (Output::Cell { channel: kind + unused(self), cell }, None)
    }

    fn map_action(&self, view: Symmetry, from: u16) -> u16 {
        action(self, self.map_move(view, to_move(self, from)))
    }
}
