//! Pylos for nets.

use quintet_game::bits::each_bit;
use quintet_game::pylos::{BALLS, CELLS, Move, Position, Pylos, carrying, cell, index, supported};
use quintet_game::{Game, Notation, Symmetry};

use super::{Encode, Output, Partial, Plane, Step, exchanged};

const CELL_COUNT: usize = CELLS.count_ones() as usize;
const RAISES: usize = 273;
/// The action that takes no more balls back.
const ENOUGH: u16 = (CELL_COUNT + RAISES) as u16;

/// The bit index of each cell, and the number of each bit.
const BITS: [u8; CELL_COUNT] = TABLES.bits;
const NUMBERS: [u8; 64] = TABLES.numbers;
/// From and to of each raise as numbers of cells, and the number of each raise.
const RAISED: [[u8; 2]; RAISES] = TABLES.raised;
const RAISE_NUMBERS: [[u16; CELL_COUNT]; CELL_COUNT] = TABLES.raise_numbers;

struct Tables {
    bits: [u8; CELL_COUNT],
    numbers: [u8; 64],
    raised: [[u8; 2]; RAISES],
    raise_numbers: [[u16; CELL_COUNT]; CELL_COUNT],
}

const TABLES: Tables = tables();

const fn tables() -> Tables {
    let (mut bits, mut numbers) = ([0; CELL_COUNT], [0; 64]);
    let (mut bit, mut count) = (0, 0);
    while bit < 64 {
        if CELLS >> bit & 1 == 1 {
            bits[count] = bit as u8;
            numbers[bit] = count as u8;
            count += 1;
        }
        bit += 1;
    }
    let (mut raised, mut raise_numbers) = ([[0; 2]; RAISES], [[0; CELL_COUNT]; CELL_COUNT]);
    let (mut from, mut count) = (0, 0);
    while from < CELL_COUNT {
        let mut to = from + 1;
        while to < CELL_COUNT {
            if bits[to] / 16 > bits[from] / 16 {
                raised[count] = [from as u8, to as u8];
                raise_numbers[from][to] = count as u16;
                count += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(count == RAISES);
    Tables { bits, numbers, raised, raise_numbers }
}

fn place_action(bit: usize) -> u16 {
    NUMBERS[bit].into()
}

fn raise_action(from: usize, to: usize) -> u16 {
    CELL_COUNT as u16 + RAISE_NUMBERS[usize::from(NUMBERS[from])][usize::from(NUMBERS[to])]
}

/// A move's first action: where the ball comes from (if not the reserve) and where it goes.
fn first(action: u16) -> (Option<usize>, usize) {
    let bit = |number: u8| usize::from(BITS[usize::from(number)]);
    match usize::from(action).checked_sub(CELL_COUNT) {
        Some(raise) => (Some(bit(RAISED[raise][0])), bit(RAISED[raise][1])),
        None => (None, bit(action as u8)),
    }
}

/// A half-made move on the board: the mover's balls and all balls.
struct Board {
    own: u64,
    all: u64,
}

impl Board {
    fn new(game: &Pylos, pos: &Position, partial: Partial) -> Board {
        let mover = game.to_move(pos);
        let own = pos.balls(mover);
        let mut board = Board { own, all: own | pos.balls(mover.other()) };
        for (number, action) in partial.actions().iter().enumerate() {
            if number > 0 {
                board.remove(first(*action).1);
                continue;
            }
            let (from, to) = first(*action);
            if let Some(from) = from {
                board.remove(from);
            }
            board.own |= 1 << to;
            board.all |= 1 << to;
        }
        board
    }

    fn remove(&mut self, bit: usize) {
        self.own &= !(1 << bit);
        self.all &= !(1 << bit);
    }

    /// The mover's balls that carry none.
    fn free(&self) -> u64 {
        self.own & !carrying(self.all)
    }
}

fn complete(partial: Partial, last: Option<usize>) -> Move {
    let (from, to) = first(partial.actions()[0]);
    let taken = partial.actions().get(1).map(|action| first(*action).1);
    Move::new(from, to, [taken, last])
}

const OWN: [u32; 4] = [1, 1 << 1, 1 << 2, 1 << 3];
const OTHER: [u32; 4] = [1 << 4, 1 << 5, 1 << 6, 1 << 7];
/// An empty cell that a ball can rest on.
const OPEN: u32 = 1 << 8;
const OWN_FREE: u32 = 1 << 9;
const OTHER_FREE: u32 = 1 << 10;
/// A ball on this open cell would allow a take-back.
const OWN_COMPLETES: u32 = 1 << 11;
const OTHER_COMPLETES: u32 = 1 << 12;
const TAKE: u32 = 1 << 13;
const TAKE_SECOND: u32 = 1 << 14;
/// Cells of levels 1 and 3, and of levels 2 and 4.
const ODD_LEVELS: u32 = 1 << 15;
const EVEN_LEVELS: u32 = 1 << 16;
/// Four bits each: the balls left to place.
const OWN_RESERVE: u32 = 17;
const OTHER_RESERVE: u32 = 21;

const PLANES: [Plane; 19] = [
    Plane::all("own level 1", OWN[0]),
    Plane::all("own level 2", OWN[1]),
    Plane::all("own level 3", OWN[2]),
    Plane::all("own level 4", OWN[3]),
    Plane::all("opponent level 1", OTHER[0]),
    Plane::all("opponent level 2", OTHER[1]),
    Plane::all("opponent level 3", OTHER[2]),
    Plane::all("opponent level 4", OTHER[3]),
    Plane::all("open", OPEN),
    Plane::all("own free", OWN_FREE),
    Plane::all("opponent free", OTHER_FREE),
    Plane::all("own ball would allow a take-back", OWN_COMPLETES),
    Plane::all("opponent's ball would allow a take-back", OTHER_COMPLETES),
    Plane::all("taking back", TAKE),
    Plane::all("taking back a second ball", TAKE_SECOND),
    Plane::all("cells of levels 1 and 3", ODD_LEVELS),
    Plane::all("cells of levels 2 and 4", EVEN_LEVELS),
    Plane { name: "own reserve of 15", mask: BALLS << OWN_RESERVE, value: None },
    Plane { name: "opponent's reserve of 15", mask: BALLS << OTHER_RESERVE, value: None },
];

const SIDE: usize = 7;

/// Each cell's place on the grid.
fn place(bit: usize) -> usize {
    let (level, x, y) = cell(bit);
    SIDE * (2 * y + level) + 2 * x + level
}

impl Encode for Pylos {
    fn actions(&self) -> usize {
        usize::from(ENOUGH) + 1
    }

    fn legal(&self, pos: &Position, partial: Partial, out: &mut Vec<u16>) {
        if self.outcome(pos).is_some() {
            return;
        }
        let board = Board::new(self, pos, partial);
        if !partial.is_none() {
            each_bit(board.free(), |bit| out.push(place_action(bit as usize)));
            if partial.actions().len() == 2 || self.may_take_none() {
                out.push(ENOUGH);
            }
            return;
        }
        if board.own.count_ones() < BALLS {
            each_bit(supported(board.all), |to| out.push(place_action(to as usize)));
        }
        each_bit(board.free(), |from| {
            let above = !0u64 << (from / 16 * 16 + 16);
            let targets = supported(board.all ^ 1 << from) & above;
            each_bit(targets, |to| out.push(raise_action(from as usize, to as usize)));
        });
    }

    fn step(&self, pos: &Position, partial: Partial, action: u16) -> Step<Move> {
        if action == ENOUGH {
            return Step::Move(complete(partial, None));
        }
        let next = || partial.then(action);
        match partial.actions().len() {
            0 => {
                let (from, to) = first(action);
                let mut board = Board::new(self, pos, partial);
                if let Some(from) = from {
                    board.remove(from);
                }
                if self.completing(board.own) >> to & 1 == 1 {
                    Step::Partial(next())
                } else {
                    Step::Move(Move::new(from, to, [None, None]))
                }
            }
            1 if Board::new(self, pos, next()).free() != 0 => Step::Partial(next()),
            _ => Step::Move(complete(partial, Some(first(action).1))),
        }
    }

    fn sequence(&self, pos: &Position, mv: Move, out: &mut Vec<u16>) {
        let bit = |(level, x, y)| index(level, x, y);
        let to = bit(mv.to());
        let mut actions = [mv.from().map_or_else(|| place_action(to), |from| raise_action(bit(from), to))]
            .into_iter()
            .chain(mv.taken().map(|ball| place_action(bit(ball))));
        let mut partial = Partial::NONE;
        // When the move's own actions are used up, what is left is to stop taking balls back.
        loop {
            let action = actions.next().unwrap_or(ENOUGH);
            out.push(action);
            match self.step(pos, partial, action) {
                Step::Partial(next) => partial = next,
                Step::Move(_) => return,
            }
        }
    }

    fn name(&self, _pos: &Position, partial: Partial, action: u16) -> String {
        if action == ENOUGH {
            return "enough".to_owned();
        }
        let (from, to) = first(action);
        let text = self.write_move(Move::new(from, to, [None, None]));
        if partial.is_none() { text } else { format!("-{text}") }
    }

    fn grid(&self) -> (usize, usize) {
        (SIDE, SIDE)
    }

    fn planes(&self) -> &'static [Plane] {
        &PLANES
    }

    fn pack(&self, pos: &Position, partial: Partial, out: &mut [u32]) {
        let Board { own, all } = Board::new(self, pos, partial);
        let other = all & !own;
        let taken = partial.actions().len();
        let reserves = [(own, OWN_RESERVE), (other, OTHER_RESERVE)];
        let reserves = reserves.map(|(balls, shift)| (BALLS - balls.count_ones()) << shift);
        let taking = if taken > 0 { TAKE } else { 0 } | if taken > 1 { TAKE_SECOND } else { 0 };
        out.fill(reserves[0] | reserves[1] | taking);
        let (open, free) = (supported(all), !carrying(all));
        let sets = [
            (open, OPEN),
            (own & free, OWN_FREE),
            (other & free, OTHER_FREE),
            (self.completing(own) & open, OWN_COMPLETES),
            (self.completing(other) & open, OTHER_COMPLETES),
        ];
        for bit in BITS.map(usize::from) {
            let level = bit / 16;
            let planes = sets.into_iter().chain([(own, OWN[level]), (other, OTHER[level])]);
            let levels = if level % 2 == 0 { ODD_LEVELS } else { EVEN_LEVELS };
            out[place(bit)] |= planes.fold(levels, |word, (set, plane)| word | ((set >> bit & 1) as u32 * plane));
        }
    }

    fn other_word(&self, word: u32) -> u32 {
        let balls = exchanged(word, OWN[0] | OWN[1] | OWN[2] | OWN[3], 4);
        let marked = exchanged(balls, OWN_FREE | OWN_COMPLETES, 1);
        exchanged(marked, BALLS << OWN_RESERVE, OTHER_RESERVE - OWN_RESERVE)
    }

    fn views(&self) -> &'static [Symmetry] {
        &Symmetry::SQUARE
    }

    /// Channels: a ball is placed (or taken back, after a half-made move), raised from, raised to.
    fn outputs(&self) -> (usize, usize) {
        (3, 1)
    }

    fn output(&self, action: u16) -> (Output, Option<Output>) {
        if action == ENOUGH {
            return (Output::Extra(0), None);
        }
        let number = |channel, bit| Output::Cell { channel, cell: place(bit) };
        match first(action) {
            (None, to) => (number(0, to), None),
            (Some(from), to) => (number(1, from), Some(number(2, to))),
        }
    }

    fn map_action(&self, view: Symmetry, action: u16) -> u16 {
        if action == ENOUGH {
            return ENOUGH;
        }
        let map = |bit: usize| {
            let (level, x, y) = cell(bit);
            let (x, y) = view.cell((x, y), (4 - level, 4 - level));
            index(level, x, y)
        };
        let (from, to) = first(action);
        from.map_or_else(|| place_action(map(to)), |from| raise_action(map(from), map(to)))
    }
}
