//! Pentago and Pentago-Twist: one board, two kinds of spin.

mod notation;
mod tables;

use rand_core::Rng as _;

use crate::bits::{each_bit, mix, nth_set_bit, scale};
use crate::registry::{AnyGame, Info, OptionInfo};
use crate::{Game, GameSpec, Outcome, Player, Rng, Symmetric, Symmetry};
use tables::{QUADRANT, SPINS};

pub use tables::{CELLS, LINES, cell, has_five, index};

/// A position: the marbles of each side in the layout of `tables.rs`. The side to move follows from their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    sides: [u64; 2],
}

impl Position {
    /// The marbles of one player, sixteen bits per quadrant (q1 lowest), nine of them used: left to right, then down.
    #[must_use]
    pub fn side(&self, player: Player) -> u64 {
        self.sides[player.index()]
    }

    /// Whose marble is at column `x` and row `y`, counted from 0.
    #[must_use]
    pub fn at(&self, x: usize, y: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.side(*player) >> index(x, y) & 1 == 1)
    }

    #[inline]
    fn all(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }
}

/// A marble on a cell, then a spin of a quadrant, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Bit index of the cell.
    cell: u8,
    /// Twice the quadrant, plus the kind: 0 for right, 1 for left or mirror. `NO_SPIN`: a placement that wins at once.
    spin: u8,
}

const NO_SPIN: u8 = 8;

impl Move {
    /// A marble on column `x` and row `y`, from 0, then the spin with this number in [`Pentago::spins`], if any; legal or not.
    ///
    /// ```
    /// use quintet_game::{Notation, pentago::{Move, Pentago}};
    /// assert_eq!(Pentago::twist().write_move(Move::new(2, 3, Some(3))), "c4q2f");
    /// ```
    #[must_use]
    pub const fn new(x: usize, y: usize, spin: Option<usize>) -> Move {
        let spin = match spin {
            Some(spin) => spin as u8,
            None => NO_SPIN,
        };
        Move { cell: index(x, y) as u8, spin }
    }

    /// Column and row of the marble, counted from 0.
    ///
    /// ```
    /// use quintet_game::{Notation, pentago::Pentago};
    /// let mv = Pentago::twist().read_move("c4q2f").unwrap();
    /// assert_eq!((mv.cell(), mv.quadrant()), ((2, 3), Some(1)));
    /// ```
    #[must_use]
    pub fn cell(self) -> (usize, usize) {
        cell(self.cell.into())
    }

    /// The spin by its number in [`Pentago::spins`]; none after a placement that wins at once.
    #[must_use]
    pub fn spin(self) -> Option<usize> {
        (self.spin != NO_SPIN).then_some(self.spin.into())
    }

    /// The marble as one bit, in the layout of [`Position::side`].
    #[must_use]
    pub fn marble(self) -> u64 {
        1 << self.cell
    }

    /// The quadrant that is spun, from 0; none after a placement that wins at once.
    #[must_use]
    pub fn quadrant(self) -> Option<usize> {
        (self.spin != NO_SPIN).then_some(usize::from(self.spin / 2))
    }
}

/// The rules of Pentago or Pentago-Twist.
///
/// ```
/// use quintet_game::{Game, pentago::Pentago};
/// let twist = Pentago::twist();
/// assert_eq!(twist.count_moves(&twist.start()), 288);
/// ```
#[derive(Clone, Debug)]
pub struct Pentago {
    /// The two kinds of spin.
    spins: [&'static [u16; 512]; 2],
    letters: [char; 2],
    /// A five made by the placement wins before any turn.
    placement_wins: bool,
    symmetries: &'static [Symmetry],
}

/// The option `rules`: when a five counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// At once when the placement makes it.
    Standard,
    /// Only after the turn.
    TurnFirst,
}

impl Rules {
    /// In the order of the option's words.
    pub const ALL: [Rules; 2] = [Rules::Standard, Rules::TurnFirst];
}

impl Pentago {
    /// Pentago by the printed rules: a five made by the placement wins at once.
    #[must_use]
    pub fn standard() -> Pentago {
        Pentago {
            spins: [&SPINS[0], &SPINS[1]],
            letters: ['r', 'l'],
            placement_wins: true,
            symmetries: &Symmetry::SQUARE,
        }
    }

    /// Pentago in which a five counts only after the turn.
    #[must_use]
    pub fn turn_first() -> Pentago {
        Pentago { placement_wins: false, ..Pentago::standard() }
    }

    /// Pentago-Twist: a quadrant is turned right or mirrored; a five counts only after that.
    #[must_use]
    pub fn twist() -> Pentago {
        Pentago {
            spins: [&SPINS[0], &SPINS[2]],
            letters: ['r', 'f'],
            placement_wins: false,
            symmetries: &Symmetry::SQUARE[..2],
        }
    }

    /// Does a five made by the placement win before any turn?
    #[must_use]
    pub fn placement_wins(&self) -> bool {
        self.placement_wins
    }

    /// Is the second kind of spin a mirror, as in Pentago-Twist?
    #[must_use]
    pub fn mirrors(&self) -> bool {
        self.letters[1] == 'f'
    }

    /// What each of the game's eight spins makes of a side: for each quadrant, right first, then left or mirror.
    ///
    /// ```
    /// use quintet_game::pentago::Pentago;
    /// // The top left cell of q1 goes to the top right either way: turned right, or mirrored left-right.
    /// assert_eq!(Pentago::twist().spins(1), [1 << 2, 1 << 2, 1, 1, 1, 1, 1, 1]);
    /// ```
    #[inline]
    #[must_use]
    pub fn spins(&self, side: u64) -> [u64; 8] {
        std::array::from_fn(|spin| self.spun(side, spin))
    }

    /// What one of the eight spins makes of a side; see [`Pentago::spins`]. Four times the same spin changes nothing.
    #[inline]
    #[must_use]
    pub fn spun(&self, side: u64, spin: usize) -> u64 {
        spun(side, self.spins[spin % 2], 16 * (spin as u32 / 2))
    }

    /// Column and row, from 0, where the marble of a move lies after the spin.
    ///
    /// ```
    /// use quintet_game::{Notation, pentago::Pentago};
    /// let game = Pentago::standard();
    /// assert_eq!(game.landing(game.read_move("c4q3r").unwrap()), (2, 5));
    /// assert_eq!(game.landing(game.read_move("c4q2r").unwrap()), (2, 3));
    /// ```
    #[must_use]
    pub fn landing(&self, mv: Move) -> (usize, usize) {
        let marble = mv.marble();
        let spun = mv.spin().map_or(marble, |spin| self.spins(marble)[spin]);
        cell(spun.trailing_zeros() as usize)
    }

    /// Would a marble of the side to move on this cell make five by itself, and would that end the game?
    #[inline]
    fn wins_by_placement(&self, pos: &Position, cell: u32) -> bool {
        self.placement_wins && pos.all().count_ones() >= 8 && has_five(pos.sides[self.to_move(pos).index()] | 1 << cell)
    }
}

#[inline]
fn spun(side: u64, table: &[u16; 512], shift: u32) -> u64 {
    let quadrant = (side >> shift) & QUADRANT;
    side ^ ((quadrant ^ u64::from(table[quadrant as usize])) << shift)
}

impl Game for Pentago {
    type Pos = Position;
    type Move = Move;

    #[inline]
    fn start(&self) -> Position {
        Position { sides: [0, 0] }
    }

    #[inline]
    fn to_move(&self, pos: &Position) -> Player {
        Player::BOTH[pos.all().count_ones() as usize % 2]
    }

    #[inline]
    fn outcome(&self, pos: &Position) -> Option<Outcome> {
        // A five needs at least nine marbles on the board.
        if pos.all().count_ones() < 9 {
            return None;
        }
        match (has_five(pos.sides[0]), has_five(pos.sides[1])) {
            (false, false) => (pos.all() == CELLS).then_some(Outcome::Draw),
            (true, false) => Some(Outcome::Win(Player::First)),
            (false, true) => Some(Outcome::Win(Player::Second)),
            (true, true) => Some(Outcome::Draw),
        }
    }

    #[inline]
    fn moves(&self, pos: &Position, out: &mut Vec<Move>) {
        if self.outcome(pos).is_some() {
            return;
        }
        each_bit(CELLS & !pos.all(), |cell| {
            if self.wins_by_placement(pos, cell) {
                out.push(Move { cell: cell as u8, spin: NO_SPIN });
            } else {
                out.extend((0..8).map(|spin| Move { cell: cell as u8, spin }));
            }
        });
    }

    #[inline]
    fn count_moves(&self, pos: &Position) -> usize {
        if self.outcome(pos).is_some() {
            return 0;
        }
        let empty = CELLS & !pos.all();
        let mut count = 8 * empty.count_ones() as usize;
        if self.placement_wins {
            each_bit(empty, |cell| count -= 7 * usize::from(self.wins_by_placement(pos, cell)));
        }
        count
    }

    #[inline]
    fn random_move(&self, pos: &Position, rng: &mut Rng) -> Move {
        let empty = CELLS & !pos.all();
        loop {
            let random = rng.next_u64();
            let cell = nth_set_bit(empty, scale(random as u32, empty.count_ones()));
            let spin = (random >> 61) as u8;
            if !self.wins_by_placement(pos, cell) {
                return Move { cell: cell as u8, spin };
            }
            // A winning placement is one move where another cell has eight, so it is kept once in eight draws.
            if spin == 0 {
                return Move { cell: cell as u8, spin: NO_SPIN };
            }
        }
    }

    #[inline]
    fn play(&self, pos: &mut Position, mv: Move) {
        // Masks instead of an index, so that both sides stay in registers.
        let second_moves = u64::from(pos.all().count_ones() % 2);
        let [first, second] = pos.sides;
        let first = first | (1 << mv.cell & second_moves.wrapping_sub(1));
        let second = second | second_moves << mv.cell;
        pos.sides = if mv.spin == NO_SPIN {
            [first, second]
        } else {
            let table = self.spins[usize::from(mv.spin % 2)];
            let shift = 16 * u32::from(mv.spin / 2);
            [spun(first, table, shift), spun(second, table, shift)]
        };
    }

    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        mix(pos.sides[0] ^ mix(pos.sides[1] ^ 0x9e37_79b9_7f4a_7c15))
    }

    #[inline]
    fn cells(&self) -> u32 {
        CELLS.count_ones()
    }

    #[inline]
    fn pieces(&self, pos: &Position) -> u32 {
        pos.all().count_ones()
    }

    fn threatens(&self, pos: &Position, player: Player) -> bool {
        let other = self.spins(pos.side(player.other()));
        let mut found = false;
        each_bit(CELLS & !pos.all(), |cell| {
            let own = pos.side(player) | 1 << cell;
            found = found
                || (self.placement_wins && has_five(own))
                || self.spins(own).into_iter().zip(other).any(|(own, other)| has_five(own) && !has_five(other));
        });
        found
    }
}

impl Symmetric for Pentago {
    fn symmetries(&self, _pos: &Position) -> &'static [Symmetry] {
        self.symmetries
    }

    fn map_position(&self, symmetry: Symmetry, pos: &Position) -> Position {
        Position {
            sides: pos.sides.map(|side| {
                let mut image = 0;
                each_bit(side, |bit| image |= 1 << map_cell(symmetry, bit as usize));
                image
            }),
        }
    }

    fn map_move(&self, symmetry: Symmetry, mv: Move) -> Move {
        let spin = if mv.spin == NO_SPIN {
            NO_SPIN
        } else {
            // A quadrant goes where its middle cell goes; on a mirrored board it turns the other way.
            let middle = 16 * (mv.spin as usize / 2) + 4;
            (map_cell(symmetry, middle) / 16) as u8 * 2 + ((mv.spin % 2) ^ u8::from(symmetry.reflects()))
        };
        Move { cell: map_cell(symmetry, mv.cell as usize) as u8, spin }
    }
}

fn map_cell(symmetry: Symmetry, bit: usize) -> usize {
    let (x, y) = symmetry.cell(cell(bit), (6, 6));
    index(x, y)
}

/// Pentago's entry in the registry.
pub const INFO: Info = Info {
    name: "pentago",
    title: "Pentago",
    about: "Place a marble on 6x6, then turn a quadrant; five in a row wins.",
    sides: ["light", "dark"],
    example: "c4q2r",
    options: &[OptionInfo::words(
        "rules",
        "when a five counts",
        &[
            ("standard", "a five made by the placement wins at once, before any turn"),
            ("turn-first", "the turn is always made; a five counts only after it"),
        ],
        |_| 0,
    )],
};

/// The rules that a spec of Pentago names.
pub(crate) fn rules(spec: &GameSpec) -> AnyGame {
    AnyGame::Pentago(match spec.choice("rules", &Rules::ALL) {
        Rules::Standard => Pentago::standard(),
        Rules::TurnFirst => Pentago::turn_first(),
    })
}

/// Pentago-Twist's entry in the registry.
pub const TWIST_INFO: Info = Info {
    name: "pentago-twist",
    title: "Pentago-Twist",
    about: "Like Pentago, but a quadrant is turned right or mirrored left-right.",
    sides: ["light", "dark"],
    example: "c4q2f",
    options: &[],
};

/// The rules of Pentago-Twist.
pub(crate) fn twist_rules(_spec: &GameSpec) -> AnyGame {
    AnyGame::Pentago(Pentago::twist())
}
