//! TwixT for nets.

use quintet_game::bits::each_bit;
use quintet_game::twixt::{END, KNIGHT, Move, PAD, Position, START, Swap, Twixt};
use quintet_game::{Game, Notation, Player, Symmetry};

use super::{Encode, Partial, Plane, Step, exchanged};

/// Eight bits each, one per direction of [`KNIGHT`]: the links of the peg, the links that an existing one keeps the mover from making,
/// and those that it keeps the opponent from making (only where that differs).
const LINKS: u32 = 0;
const CROSSED: u32 = 8;
const OTHER_CROSSED: u32 = 16;
/// There is a peg.
const PEG: u32 = 1 << 24;
/// The peg is the mover's; without a peg, the hole is open to the mover.
const OWN: u32 = 1 << 25;
/// The same for the opponent.
const OTHER: u32 = 1 << 26;
/// Swap is allowed, or will be after the first peg.
const SWAP: u32 = 1 << 27;
/// The peg's chain reaches this border line of its owner.
const TOP: u32 = 1 << 28;
const BOTTOM: u32 = 1 << 29;
const LEFT: u32 = 1 << 30;
const RIGHT: u32 = 1 << 31;

/// A name for each direction of [`KNIGHT`], with north at the top.
macro_rules! by_direction {
    ($what:literal) => {
        [
            concat!($what, " nnw"),
            concat!($what, " nne"),
            concat!($what, " wnw"),
            concat!($what, " ene"),
            concat!($what, " wsw"),
            concat!($what, " ese"),
            concat!($what, " ssw"),
            concat!($what, " sse"),
        ]
    };
}

/// The planes, the last of which are only needed where a player's own links may cross each other.
const PLANES: [Plane; 41] = planes();
const FEWER: usize = PLANES.len() - 8;

const fn planes() -> [Plane; 41] {
    let mut planes = [Plane::all("swap is to come", SWAP); 41];
    planes[1] = Plane::all("own pegs", PEG | OWN);
    planes[2] = Plane::all("opponent's pegs", PEG | OTHER);
    planes[3] = Plane { name: "open to the mover", mask: PEG | OWN, value: Some(OWN) };
    planes[4] = Plane { name: "open to the opponent", mask: PEG | OTHER, value: Some(OTHER) };
    planes[5] = Plane::all("own chains from the top", TOP);
    planes[6] = Plane::all("own chains from the bottom", BOTTOM);
    planes[7] = Plane::all("opponent's chains from the left", LEFT);
    planes[8] = Plane::all("opponent's chains from the right", RIGHT);
    let groups = [
        (by_direction!("own link"), OWN, LINKS),
        (by_direction!("opponent's link"), OTHER, LINKS),
        (by_direction!("crossed link"), 0, CROSSED),
        (by_direction!("opponent's crossed link"), 0, OTHER_CROSSED),
    ];
    let mut i = 0;
    while i < 32 {
        let (names, owner, shift) = groups[i / 8];
        planes[9 + i] = Plane::all(names[i % 8], owner | 1 << (shift + (i % 8) as u32));
        i += 1;
    }
    planes
}

/// Exchanges the directions of all groups as columns and rows are exchanged: 0 with 2, 5 with 7, 1 with 4, 3 with 6.
#[inline]
const fn transposed(word: u32) -> u32 {
    exchanged(exchanged(word, 0x0021_2121, 2), 0x000a_0a0a, 3)
}

impl<const W: usize, const B: usize> Encode for Twixt<W, B> {
    fn actions(&self) -> usize {
        self.size() * self.size() + 1
    }

    fn legal(&self, pos: &Self::Pos, _partial: Partial, out: &mut Vec<u16>) {
        if self.outcome(pos).is_some() {
            return;
        }
        let size = self.size();
        let mover = self.to_move(pos);
        let open = self.open_rows(mover);
        let pegs = Player::BOTH.map(|player| pos.peg_rows(player));
        let (across, down) = if mover == Player::First { (1, size) } else { (size, 1) };
        for y in 0..size {
            let row = (open[y + PAD] & !(pegs[0][y + PAD] | pegs[1][y + PAD])) >> PAD;
            each_bit(row.into(), |x| out.push((across * x as usize + down * y) as u16));
        }
        if self.may_swap(pos) {
            out.push((size * size) as u16);
        }
    }

    fn step(&self, pos: &Self::Pos, _partial: Partial, action: u16) -> Step<Move> {
        let (cell, size) = (usize::from(action), self.size());
        Step::Move(if cell == size * size {
            Move::SWAP
        } else if self.to_move(pos) == Player::First {
            Move::peg(cell % size, cell / size)
        } else {
            Move::peg(cell / size, cell % size)
        })
    }

    fn sequence(&self, pos: &Self::Pos, mv: Move, out: &mut Vec<u16>) {
        let size = self.size();
        let cell = mv.hole().map_or(size * size, |(x, y)| match self.to_move(pos) {
            Player::First => size * y + x,
            Player::Second => size * x + y,
        });
        out.push(cell as u16);
    }

    fn name(&self, pos: &Self::Pos, partial: Partial, action: u16) -> String {
        match self.step(pos, partial, action) {
            Step::Move(mv) => self.write_move(mv),
            Step::Partial(_) => unreachable!("a move is one action"),
        }
    }

    fn grid(&self) -> (usize, usize) {
        (self.size(), self.size())
    }

    fn planes(&self) -> &'static [Plane] {
        if B == 2 { &PLANES } else { &PLANES[..FEWER] }
    }

    /// How near the hole is to a border line of each side: 1 on the line, 1/2 next to it, 1/3 …
    fn fixed(&self) -> Vec<(&'static str, Vec<f32>)> {
        let size = self.size();
        let near = |at: usize| 1.0 / (1 + at.min(size - 1 - at)) as f32;
        let plane = |along: fn(usize, usize) -> usize| (0..size * size).map(|cell| near(along(cell, size))).collect();
        vec![
            ("near the mover's border lines", plane(|cell, size| cell / size)),
            ("near the opponent's border lines", plane(|cell, size| cell % size)),
        ]
    }

    fn pack(&self, pos: &Self::Pos, _partial: Partial, out: &mut [u32]) {
        let size = self.size();
        let mover = self.to_move(pos);
        let sides = [mover, mover.other()];
        let [own, other] = sides.map(|player| pos.peg_rows(player));
        let [own_open, other_open] = sides.map(|player| self.open_rows(player));
        let [crossed, other_crossed] = sides.map(|player| pos.crossed_rows(player));
        let at_end = reaching_end(pos, self.size());
        let first = self.swap() != Swap::Off && self.pieces(pos) == 0;
        let swap = u32::from(first || self.may_swap(pos)) * SWAP;
        for y in 0..size {
            let yy = y + PAD;
            let pegs = own[yy] | other[yy];
            let mine = own[yy] | own_open[yy] & !pegs;
            let theirs = other[yy] | other_open[yy] & !pegs;
            let holes = &pos.hole_rows()[yy][PAD..PAD + size];
            let crossed = &crossed[yy][PAD..PAD + size];
            let other_crossed = &other_crossed[yy][PAD..PAD + size];
            let word = |x: usize| {
                let bit = |row: u32| row >> (x + PAD) & 1;
                let start = u32::from(holes[x] & START != 0);
                let mut word = u32::from(holes[x] & 0xff) | u32::from(crossed[x]) << CROSSED | swap;
                if B == 2 {
                    word |= u32::from(other_crossed[x]) << OTHER_CROSSED;
                }
                let bits = [
                    (bit(pegs), PEG),
                    (bit(mine), OWN),
                    (bit(theirs), OTHER),
                    (start & bit(own[yy]), TOP),
                    (bit(at_end[yy] & own[yy]), BOTTOM),
                    (start & bit(other[yy]), LEFT),
                    (bit(at_end[yy] & other[yy]), RIGHT),
                ];
                bits.iter().fold(word, |word, (bit, mask)| word | (bit * mask))
            };
            if mover == Player::First {
                for (x, out) in out[size * y..][..size].iter_mut().enumerate() {
                    *out = word(x);
                }
            } else {
                for (x, out) in out[y..].iter_mut().step_by(size).enumerate() {
                    *out = transposed(word(x));
                }
            }
        }
    }

    fn other_word(&self, word: u32) -> u32 {
        // Chains from the mover's top are those from the opponent's left.
        let word = exchanged(exchanged(word, OWN, 1), TOP | BOTTOM, 2);
        if B == 2 { exchanged(word, 0xff << CROSSED, OTHER_CROSSED - CROSSED) } else { word }
    }

    /// Each side joins top and bottom as it sees the board.
    fn turn_round(&self, words: &mut [u32]) {
        let size = self.size();
        for y in 0..size {
            for x in 0..=y {
                let (here, there) = (size * y + x, size * x + y);
                let turned = [words[there], words[here]].map(|word| transposed(self.other_word(word)));
                [words[here], words[there]] = turned;
            }
        }
    }

    /// The four that keep each side's borders.
    fn views(&self) -> &'static [Symmetry] {
        &Symmetry::OBLONG
    }

    /// The second player's board is transposed, and those that exchange the sides' borders exchange the players too.
    fn view_of(&self, symmetry: Symmetry, mover: Player) -> Symmetry {
        let Symmetry { transpose, flip_x, flip_y, .. } = symmetry;
        // The mover's columns after the symmetry: those of the board, or its rows.
        let turned = (mover == Player::Second) ^ transpose;
        let [flip_x, flip_y] = if turned { [flip_y, flip_x] } else { [flip_x, flip_y] };
        Symmetry { flip_x, flip_y, ..Symmetry::IDENTITY }
    }

    fn map_word(&self, view: Symmetry, mut word: u32) -> u32 {
        if view.flip_x {
            // Direction d becomes d ^ 1.
            word = exchanged(word, 0x0055_5555, 1);
            word = exchanged(word, LEFT, 1);
        }
        if view.flip_y {
            // Direction d becomes (d ^ 1) reversed: 0 with 6, 1 with 7, 2 with 4, 3 with 5.
            word = exchanged(word, 0x0003_0303, 6);
            word = exchanged(word, 0x000c_0c0c, 2);
            word = exchanged(word, TOP, 1);
        }
        word
    }

    fn map_action(&self, view: Symmetry, action: u16) -> u16 {
        let (cell, size) = (usize::from(action), self.size());
        if cell == size * size {
            return action;
        }
        let (x, y) = view.cell((cell % size, cell / size), (size, size));
        (size * y + x) as u16
    }
}

/// The pegs whose chains reach their owner's second border line: rows with one bit per hole, margin included.
fn reaching_end<const W: usize, const B: usize>(pos: &Position<W, B>, size: usize) -> [u32; W] {
    let holes = pos.hole_rows();
    let mut reached = [0u32; W];
    let mut stack = [(0u8, 0u8); 24 * 24];
    let mut height = 0;
    let last = PAD + size - 1;
    for i in PAD..=last {
        for (x, y) in [(i, last), (last, i)] {
            if holes[y][x] & END != 0 && reached[y] >> x & 1 == 0 {
                reached[y] |= 1 << x;
                stack[height] = (x as u8, y as u8);
                height += 1;
            }
        }
    }
    while height > 0 {
        height -= 1;
        let (x, y) = stack[height];
        each_bit(u64::from(holes[usize::from(y)][usize::from(x)] & 0xff), |direction| {
            let (dx, dy) = KNIGHT[direction as usize];
            let (x, y) = ((i32::from(x) + dx) as usize, (i32::from(y) + dy) as usize);
            if reached[y] >> x & 1 == 0 {
                reached[y] |= 1 << x;
                stack[height] = (x as u8, y as u8);
                height += 1;
            }
        });
    }
    reached
}
