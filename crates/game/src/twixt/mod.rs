//! TwixT: pegs a knight's move apart are linked, links may not cross, connect your two border lines.

mod board;
mod notation;
mod parts;
mod pools;
mod symmetry;
mod way;

use rand_core::Rng as _;

use crate::bits::{each_bit, nth_set_bit, scale};
use crate::registry::{AnyGame, Info, OptionInfo};
use crate::{Game, GameSpec, Outcome, Player, Rng, can_win_now};
use board::SIDE_KEY;
pub use board::{END, KNIGHT, PAD, Position, START, cross, opposite};
use pools::Pools;

/// A hole, or the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    y: u8,
    x: u8,
}

const SWAP: Move = Move { y: u8::MAX, x: u8::MAX };

impl Move {
    /// The second player takes over the first peg.
    pub const SWAP: Move = SWAP;

    /// A peg in column `x` and row `y`, from 0; legal or not.
    ///
    /// ```
    /// use quintet_game::{Notation, twixt::{Move, Swap, Twixt}};
    /// assert_eq!(Twixt::<16, 1>::new(8, false, Swap::Mirror).write_move(Move::peg(2, 4)), "c5");
    /// ```
    #[must_use]
    pub const fn peg(x: usize, y: usize) -> Move {
        Move { y: y as u8, x: x as u8 }
    }

    /// Column and row from 0, or `None` for the swap.
    #[must_use]
    pub fn hole(self) -> Option<(usize, usize)> {
        (self != SWAP).then_some((self.x.into(), self.y.into()))
    }
}

/// How the second player may take over the first peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap {
    /// At its image in the main diagonal.
    Mirror,
    /// At its image when the board is turned clockwise; not from a border line.
    Turn,
    /// Not at all.
    Off,
}

impl Swap {
    /// In the order of the option's words.
    pub const ALL: [Swap; 3] = [Swap::Mirror, Swap::Turn, Swap::Off];
}

/// The option `rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// No corner holes; no link crosses another.
    Standard,
    /// Paper and pencil: a player's own links may cross each other.
    Pencil,
    /// The TwixT paper's: corners are holes open to both sides.
    Paper,
}

impl Rules {
    /// In the order of the option's words.
    pub const ALL: [Rules; 3] = [Rules::Standard, Rules::Pencil, Rules::Paper];
}

/// The rules of TwixT for boards of up to `W` - 8 holes per side; `B` maps of blocked links, see [`Position`].
///
/// ```
/// use quintet_game::{Game, twixt::{Swap, Twixt}};
/// let game = Twixt::<20, 1>::new(12, false, Swap::Mirror);
/// assert_eq!(game.count_moves(&game.start()), 120);
/// ```
#[derive(Clone, Debug)]
pub struct Twixt<const W: usize, const B: usize> {
    size: usize,
    /// Are the corners holes, open to both sides?
    corners: bool,
    swap: Swap,
    /// Holes that each side may use: rows with one bit per hole, margin included.
    open: [[u32; W]; 2],
    /// Holes of an empty board open to each side.
    free: [u16; 2],
    /// The starting pools of a random game.
    pools: Pools,
}

impl<const W: usize, const B: usize> Twixt<W, B> {
    /// A board of `size` x `size` holes, with or without holes in the corners.
    ///
    /// # Panics
    /// If the size is not from 3 to `W` - 8.
    #[must_use]
    pub fn new(size: usize, corners: bool, swap: Swap) -> Twixt<W, B> {
        assert!(size >= 3 && size + 8 <= W && W <= 32, "TwixT has 3 to 24 holes per side");
        let line = ((1u32 << size) - 1) << PAD;
        let inner = ((1u32 << (size - 2)) - 1) << (PAD + 1);
        let mut open = [[0; W]; 2];
        open[0][PAD..PAD + size].fill(inner);
        open[1][PAD + 1..PAD + size - 1].fill(line);
        if corners {
            for side in &mut open {
                for y in [PAD, PAD + size - 1] {
                    side[y] |= line & !inner;
                }
            }
        }
        let free = open.map(|rows| rows.iter().map(|row| row.count_ones() as u16).sum());
        let mut game = Twixt { size, corners, swap, open, free, pools: Pools::EMPTY };
        game.pools = game.fill_pools(&game.start());
        game
    }

    /// Holes per side.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The option `rules`.
    #[must_use]
    pub fn rules(&self) -> Rules {
        match (B, self.corners) {
            (2, _) => Rules::Pencil,
            (_, true) => Rules::Paper,
            _ => Rules::Standard,
        }
    }

    /// How the second player may take over the first peg.
    #[must_use]
    pub fn swap(&self) -> Swap {
        self.swap
    }

    /// The same game without the swap rule.
    #[must_use]
    pub fn without_swap(&self) -> Twixt<W, B> {
        Twixt { swap: Swap::Off, ..self.clone() }
    }

    /// The holes of an empty board that `player` may use: rows with one bit per hole, [`PAD`] cells of margin before the first column and
    /// row.
    #[inline]
    #[must_use]
    pub fn open_rows(&self, player: Player) -> &[u32; W] {
        &self.open[player.index()]
    }

    fn is_open(&self, player: Player, x: usize, y: usize) -> bool {
        self.open[player.index()][y + PAD] >> (x + PAD) & 1 == 1
    }

    /// The border lines of `player` on which a hole (coordinates with the margin) lies.
    #[inline]
    fn touches(&self, player: usize, x: usize, y: usize) -> u16 {
        let along = if player == 0 { y } else { x } - PAD;
        if along == 0 {
            START
        } else if along == self.size - 1 {
            END
        } else {
            0
        }
    }

    /// May the side to move swap?
    #[inline]
    #[must_use]
    pub fn may_swap(&self, pos: &Position<W, B>) -> bool {
        pos.winner.is_none() && self.swappable(pos).is_some()
    }

    /// The first peg, while the second player may swap.
    #[inline]
    fn swappable(&self, pos: &Position<W, B>) -> Option<(usize, usize)> {
        let total: u16 = self.free[0] - pos.free[0] + (self.free[1] - pos.free[1]);
        if self.swap == Swap::Off || pos.side == Player::First || total > 2 {
            return None;
        }
        // If both counts together have lost at most two holes, there is one peg, or two on border lines.
        let (x, y) = the_only_bit(&pos.pegs[0]).filter(|_| pos.pegs[1] == [0; W])?;
        let on_border = [x, y].iter().any(|&c| c == 0 || c == self.size - 1);
        (self.swap == Swap::Mirror || !on_border).then_some((x, y))
    }

    fn swap_image(&self, (x, y): (usize, usize)) -> (usize, usize) {
        match self.swap {
            Swap::Turn => (self.size - 1 - y, x),
            _ => (y, x),
        }
    }

    /// The length of a row where keys count holes: that of the type of position which a board of this size has outside of a browser, so that keys, and with
    /// them the order of searches, are the same everywhere.
    #[inline(always)]
    fn key_row(&self) -> usize {
        if cfg!(target_family = "wasm") && W == 20 && self.size <= 8 { 16 } else { W }
    }

    /// Sets a peg for `player` without passing the turn.
    #[inline]
    fn put(&self, pos: &mut Position<W, B>, player: Player, x: usize, y: usize) {
        for side in Player::BOTH {
            pos.free[side.index()] -= u16::from(self.is_open(side, x, y));
        }
        let (x, y) = (x + PAD, y + PAD);
        if pos.put::<true>(player.index(), (x, y, self.touches(player.index(), x, y)), self.key_row()) {
            pos.winner = Some(player);
        }
    }

    /// The empty holes open to `player`, row by row, margin included.
    #[inline]
    fn empty(&self, pos: &Position<W, B>, player: Player, y: usize) -> u64 {
        u64::from(self.open[player.index()][y] & !(pos.pegs[0][y] | pos.pegs[1][y]))
    }

    #[inline]
    fn fill_pools(&self, pos: &Position<W, B>) -> Pools {
        let mut pools = Pools::EMPTY;
        for y in PAD..PAD + self.size {
            let empty = Player::BOTH.map(|player| self.empty(pos, player, y));
            each_bit(empty[0] | empty[1], |x| {
                let x = x as usize;
                pools.push(x, y, [0, 1].map(|side| (empty[side] >> x & 1 == 1).then(|| self.touches(side, x, y))));
            });
        }
        pools
    }
}

/// Column and row (without the margin) of the one bit in these rows, if there is exactly one.
#[inline]
fn the_only_bit<const W: usize>(rows: &[u32; W]) -> Option<(usize, usize)> {
    let mut found = None;
    for (y, row) in rows.iter().enumerate().filter(|(_, row)| **row != 0) {
        if found.is_some() || !row.is_power_of_two() {
            return None;
        }
        found = Some((row.trailing_zeros() as usize - PAD, y - PAD));
    }
    found
}

impl<const W: usize, const B: usize> Game for Twixt<W, B> {
    type Pos = Position<W, B>;
    type Move = Move;

    fn start(&self) -> Self::Pos {
        Position::empty(self.free)
    }

    #[inline]
    fn to_move(&self, pos: &Self::Pos) -> Player {
        pos.side
    }

    #[inline]
    fn outcome(&self, pos: &Self::Pos) -> Option<Outcome> {
        match pos.winner {
            Some(player) => Some(Outcome::Win(player)),
            None => (pos.free[pos.side.index()] == 0 && self.swappable(pos).is_none()).then_some(Outcome::Draw),
        }
    }

    fn moves(&self, pos: &Self::Pos, out: &mut Vec<Move>) {
        if pos.winner.is_some() {
            return;
        }
        for y in 0..self.size {
            each_bit(self.empty(pos, pos.side, y + PAD) >> PAD, |x| out.push(Move { x: x as u8, y: y as u8 }));
        }
        if self.swappable(pos).is_some() {
            out.push(SWAP);
        }
    }

    fn count_moves(&self, pos: &Self::Pos) -> usize {
        if pos.winner.is_some() {
            return 0;
        }
        usize::from(pos.free[pos.side.index()]) + usize::from(self.swappable(pos).is_some())
    }

    #[inline]
    fn random_move(&self, pos: &Self::Pos, rng: &mut Rng) -> Move {
        let mut left = scale(rng.next_u32(), self.count_moves(pos) as u32);
        for y in 0..self.size {
            let empty = self.empty(pos, pos.side, y + PAD);
            let count = empty.count_ones();
            if left < count {
                return Move { x: (nth_set_bit(empty, left) as usize - PAD) as u8, y: y as u8 };
            }
            left -= count;
        }
        SWAP
    }

    /// Holes only get fewer, so a random game draws them from pools in constant time and needs no keys.
    #[inline]
    fn playout(&self, mut pos: Self::Pos, rng: &mut Rng, _keys: &mut Vec<u64>) -> (Option<Outcome>, usize) {
        if let Some(outcome) = self.outcome(&pos) {
            return (Some(outcome), 0);
        }
        let mut pools = if pos.free == self.free { self.pools.clone() } else { self.fill_pools(&pos) };
        let mut plies = 0;
        // The swap is a legal move but not a hole: settle it before the pools take over.
        if pos.free == self.free
            && let Some((x, y, _)) = pools.draw(0, rng.next_u32())
        {
            self.play(&mut pos, Move { x: (x - PAD) as u8, y: (y - PAD) as u8 });
            plies += 1;
        }
        if self.swappable(&pos).is_some() && scale(rng.next_u32(), self.count_moves(&pos) as u32) == 0 {
            self.play(&mut pos, SWAP);
            pools = self.fill_pools(&pos);
            plies += 1;
        }
        // The next hole is drawn before the peg is set, so that a mispredicted branch of the one does not delay the other; and
        // with one loop body per side, the side is a constant. Each gains 7 % on 24 x 24 (measured).
        let mut next = pools.draw(pos.side.index(), rng.next_u32());
        if pos.side == Player::Second {
            let Some(hole) = next else { return (Some(Outcome::Draw), plies) };
            next = pools.draw(0, rng.next_u32());
            plies += 1;
            if pos.put::<false>(1, hole, W) {
                return (Some(Outcome::Win(Player::Second)), plies);
            }
        }
        loop {
            let random = rng.next_u64();
            let Some(hole) = next else { return (Some(Outcome::Draw), plies) };
            next = pools.draw(1, (random >> 32) as u32);
            plies += 1;
            if pos.put::<false>(0, hole, W) {
                return (Some(Outcome::Win(Player::First)), plies);
            }
            let Some(hole) = next else { return (Some(Outcome::Draw), plies) };
            next = pools.draw(0, random as u32);
            plies += 1;
            if pos.put::<false>(1, hole, W) {
                return (Some(Outcome::Win(Player::Second)), plies);
            }
        }
    }

    #[inline]
    fn play(&self, pos: &mut Self::Pos, mv: Move) {
        let mover = pos.side;
        match mv.hole() {
            Some((x, y)) => {
                self.put(pos, mover, x, y);
                pos.key ^= SIDE_KEY;
                pos.side = mover.other();
            }
            None => {
                let first = the_only_bit(&pos.pegs[0]).expect("swap is legal only after the first peg");
                *pos = self.start();
                let (x, y) = self.swap_image(first);
                self.put(pos, Player::Second, x, y);
            }
        }
    }

    #[inline]
    fn key(&self, pos: &Self::Pos) -> u64 {
        pos.key
    }

    fn cells(&self) -> u32 {
        (self.size * self.size) as u32 - if self.corners { 0 } else { 4 }
    }

    fn pieces(&self, pos: &Self::Pos) -> u32 {
        pos.pegs.as_flattened().iter().map(|row| row.count_ones()).sum()
    }

    fn threatens(&self, pos: &Self::Pos, player: Player) -> bool {
        can_win_now(self, &Position { side: player, ..pos.clone() })
    }

    fn is_dead(&self, pos: &Self::Pos) -> bool {
        !Player::BOTH.into_iter().any(|player| self.has_way(pos, player))
    }
}

/// TwixT's entry in the registry.
pub const INFO: Info = Info {
    name: "twixt",
    title: "TwixT",
    about: "Pegs a knight's move apart are linked; links may not cross; connect your two sides.",
    sides: ["red", "black"],
    example: "f6",
    options: &[
        OptionInfo::range("size", "holes per side", 3, 24, |_| 12),
        OptionInfo::words(
            "rules",
            "corners and crossing",
            &[
                ("standard", "no corner holes; no link crosses another"),
                ("pp", "paper and pencil: as standard, but a player's own links may cross each other"),
                ("paper", "the TwixT paper: corners are holes open to both sides; no crossing; swap=off"),
            ],
            |_| 0,
        ),
        OptionInfo::words(
            "swap",
            "may the second player take over the first peg?",
            &[
                ("mirror", "yes, at its image in the main diagonal"),
                ("turn", "yes, at its image after a quarter turn clockwise, not from a border line"),
                ("off", "no"),
            ],
            |spec| {
                if spec.choice("rules", &Rules::ALL) == Rules::Paper { Swap::Off as u32 } else { Swap::Mirror as u32 }
            },
        ),
    ],
};

/// The rules that a spec of TwixT names.
pub(crate) fn rules(spec: &GameSpec) -> AnyGame {
    let size = spec.number("size");
    let rules = spec.choice("rules", &Rules::ALL);
    let swap = spec.choice("swap", &Swap::ALL);
    let corners = rules == Rules::Paper;
    // Small boards get small positions: a copy is what a search pays for most.
    match (rules, size) {
        (Rules::Pencil, _) => AnyGame::TwixtPencil(Twixt::new(size, corners, swap)),
        #[cfg(not(target_family = "wasm"))]
        (_, ..=8) => AnyGame::Twixt8(Twixt::new(size, corners, swap)),
        (_, ..=12) => AnyGame::Twixt12(Twixt::new(size, corners, swap)),
        _ => AnyGame::Twixt24(Twixt::new(size, corners, swap)),
    }
}
