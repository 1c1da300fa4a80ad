//! Pathwayz: connect the left column with the right one; a permanent piece turns its neighbours.
//!
//! A colour is one `u128`, thirteen bits per row (twelve columns and a guard that is always empty), whatever the size of
//! the board: a smaller board is the top left part of the full one, and every shift is by a constant.
//!
//! ```text
//!        a  b  c  ...  k  l  |guard
//!   1    0  1  2  ... 10 11  | 12
//!   2   13 14 15  ... 23 24  | 25
//!   ...
//!   8   91 92 93  ...101 102 | 103
//! ```

mod notation;
pub mod squares;

use rand_core::Rng as _;

use crate::bits::{mix, nth_set_bit, scale};
use crate::registry::{AnyGame, Info, OptionInfo};
use crate::{Game, GameSpec, Outcome, Player, Rng, Symmetric, Symmetry};
use squares::{STRIDE, columns, grown, joined};

/// A position: the pieces of each colour, and which of them are permanent. The side to move follows from their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [u128; 2],
    permanent: u128,
    /// Who has connected the two sides; stored because a move knows where to look.
    winner: Option<Player>,
}

impl Position {
    /// All pieces of one colour, thirteen bits per row.
    #[must_use]
    pub fn pieces(&self, player: Player) -> u128 {
        self.pieces[player.index()]
    }

    /// The permanent pieces of both colours.
    #[must_use]
    pub fn permanent(&self) -> u128 {
        self.permanent
    }

    /// Whose piece stands on column `x` and row `y`, from 0, and whether it is permanent.
    #[must_use]
    pub fn at(&self, x: usize, y: usize) -> Option<(Player, bool)> {
        let square = STRIDE * y + x;
        let player = Player::BOTH.into_iter().find(|player| self.pieces(*player) >> square & 1 == 1)?;
        Some((player, self.permanent >> square & 1 == 1))
    }

    fn all(&self) -> u128 {
        self.pieces[0] | self.pieces[1]
    }
}

/// A piece on a square: a regular one of the mover's colour or a permanent one of the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    square: u8,
    permanent: bool,
}

impl Move {
    /// A piece on column `x` and row `y`, from 0; legal or not.
    ///
    /// ```
    /// use quintet_game::{Notation, pathwayz::{Move, Pathwayz}};
    /// assert_eq!(Pathwayz::new(8, 12).write_move(Move::new(4, 4, true)), "e5p");
    /// ```
    #[must_use]
    pub const fn new(x: usize, y: usize, permanent: bool) -> Move {
        Move { square: (STRIDE * y + x) as u8, permanent }
    }

    /// Is the piece a permanent one, of the opponent's colour?
    #[must_use]
    pub const fn is_permanent(self) -> bool {
        self.permanent
    }

    /// Column and row of the piece, from 0.
    ///
    /// ```
    /// use quintet_game::{Notation, pathwayz::Pathwayz};
    /// assert_eq!(Pathwayz::new(8, 12).read_move("e5p").unwrap().cell(), (4, 4));
    /// ```
    #[must_use]
    pub fn cell(self) -> (usize, usize) {
        (usize::from(self.square) % STRIDE, usize::from(self.square) / STRIDE)
    }
}

/// The rules of Pathwayz on a board of some size.
///
/// ```
/// use quintet_game::{Game, pathwayz::Pathwayz};
/// let game = Pathwayz::new(8, 12);
/// assert_eq!(game.count_moves(&game.start()), 192);
/// ```
#[derive(Clone, Debug)]
pub struct Pathwayz {
    rows: usize,
    columns: usize,
    board: u128,
    /// The first and the last column.
    goals: [u128; 2],
}

impl Pathwayz {
    /// A board of 2 to 8 rows and 2 to 12 columns.
    ///
    /// # Panics
    /// If the size is out of range.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Pathwayz {
        assert!((2..=8).contains(&rows) && (2..=12).contains(&columns), "Pathwayz has 2 to 8 rows and 2 to 12 columns");
        let column = (0..rows).fold(0, |set, y| set | 1 << (STRIDE * y));
        let board = (0..columns).fold(0, |set, x| set | column << x);
        Pathwayz { rows, columns, board, goals: [column, column << (columns - 1)] }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All squares of the board, thirteen bits per row.
    #[must_use]
    pub fn squares(&self) -> u128 {
        self.board
    }

    /// Does every column hold a piece of this set? If not, there is no path.
    #[inline]
    fn spans(&self, set: u128) -> bool {
        let wanted = (1 << self.columns) - 1;
        columns(set) & wanted == wanted
    }

    fn is_joined(&self, set: u128) -> bool {
        self.spans(set) && joined(set & self.goals[0], set) & self.goals[1] != 0
    }

    /// As `is_joined`, when any path must contain the square `at`: fills in both directions from there.
    #[inline]
    fn joined_through(&self, at: u128, set: u128) -> bool {
        self.spans(set) && {
            let group = joined(at, set);
            group & self.goals[0] != 0 && group & self.goals[1] != 0
        }
    }

    /// The winner, from the whole board: if both are connected, the player who has just moved.
    fn find_winner(&self, pos: &Position) -> Option<Player> {
        let mover = self.to_move(pos).other();
        [mover, mover.other()].into_iter().find(|player| self.is_joined(pos.pieces[player.index()]))
    }

    fn bit(&self, x: usize, y: usize) -> u8 {
        (STRIDE * y + x) as u8
    }
}

/// The `n`-th set bit of 128.
#[inline]
fn nth_of_128(set: u128, n: u32) -> u32 {
    let low = set as u64;
    let ones = low.count_ones();
    if n < ones { nth_set_bit(low, n) } else { 64 + nth_set_bit((set >> 64) as u64, n - ones) }
}

fn each_of_128(mut set: u128, mut f: impl FnMut(u32)) {
    while set != 0 {
        f(set.trailing_zeros());
        set &= set - 1;
    }
}

impl Game for Pathwayz {
    type Pos = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { pieces: [0, 0], permanent: 0, winner: None }
    }

    #[inline]
    fn to_move(&self, pos: &Position) -> Player {
        Player::BOTH[pos.all().count_ones() as usize % 2]
    }

    #[inline]
    fn outcome(&self, pos: &Position) -> Option<Outcome> {
        match pos.winner {
            Some(player) => Some(Outcome::Win(player)),
            None => (pos.all() == self.board).then_some(Outcome::Draw),
        }
    }

    fn moves(&self, pos: &Position, out: &mut Vec<Move>) {
        if pos.winner.is_none() {
            each_of_128(self.board & !pos.all(), |square| {
                out.extend([false, true].map(|permanent| Move { square: square as u8, permanent }));
            });
        }
    }

    fn count_moves(&self, pos: &Position) -> usize {
        if pos.winner.is_some() { 0 } else { 2 * (self.board & !pos.all()).count_ones() as usize }
    }

    #[inline]
    fn random_move(&self, pos: &Position, rng: &mut Rng) -> Move {
        let empty = self.board & !pos.all();
        let random = rng.next_u64();
        let square = nth_of_128(empty, scale(random as u32, empty.count_ones()));
        Move { square: square as u8, permanent: random >> 63 == 1 }
    }

    #[inline]
    fn play(&self, pos: &mut Position, mv: Move) {
        self.play_for(self.to_move(pos), pos, mv);
    }

    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        [pos.pieces[0], pos.pieces[1], pos.permanent]
            .iter()
            .fold(0, |key, set| mix(key ^ mix(*set as u64) ^ (*set >> 64) as u64))
    }

    fn cells(&self) -> u32 {
        self.board.count_ones()
    }

    fn pieces(&self, pos: &Position) -> u32 {
        pos.all().count_ones()
    }

    /// Both sides have the same moves.
    fn threatens(&self, pos: &Position, player: Player) -> bool {
        let mut moves = Vec::new();
        self.moves(pos, &mut moves);
        moves.into_iter().any(|mv| {
            let mut next = *pos;
            self.play_for(player, &mut next, mv);
            next.winner == Some(player)
        })
    }

    /// A square can only become a player's if it is empty or holds a piece that a permanent on an empty neighbour would turn.
    fn is_dead(&self, pos: &Position) -> bool {
        let empty = self.board & !pos.all();
        let turned = grown(empty) & !pos.permanent;
        !pos.pieces.iter().any(|own| self.is_joined(own | empty | turned & pos.all()))
    }
}

impl Pathwayz {
    #[inline]
    fn play_for(&self, mover: Player, pos: &mut Position, mv: Move) {
        let (own, other) = (mover.index(), mover.other().index());
        let at = 1u128 << mv.square;
        if !mv.permanent {
            pos.pieces[own] |= at;
            if self.joined_through(at, pos.pieces[own]) {
                pos.winner = Some(mover);
            }
            return;
        }
        let turned = grown(at) & pos.all() & !pos.permanent;
        let gained = turned & pos.pieces[other];
        pos.pieces = pos.pieces.map(|pieces| pieces ^ turned);
        pos.pieces[other] |= at;
        pos.permanent |= at;
        // The mover's new pieces need not be connected; the opponent's new pieces all touch the new permanent.
        if gained != 0 && self.is_joined(pos.pieces[own]) {
            pos.winner = Some(mover);
        } else if self.joined_through(at, pos.pieces[other]) {
            pos.winner = Some(mover.other());
        }
    }
}

impl Symmetric for Pathwayz {
    fn symmetries(&self, _pos: &Position) -> &'static [Symmetry] {
        &Symmetry::OBLONG
    }

    fn map_position(&self, symmetry: Symmetry, pos: &Position) -> Position {
        let map = |set: u128| {
            let mut image = 0;
            each_of_128(set, |bit| image |= 1 << self.map_square(symmetry, bit as u8));
            image
        };
        Position { pieces: pos.pieces.map(map), permanent: map(pos.permanent), winner: pos.winner }
    }

    fn map_move(&self, symmetry: Symmetry, mv: Move) -> Move {
        Move { square: self.map_square(symmetry, mv.square), ..mv }
    }
}

impl Pathwayz {
    fn map_square(&self, symmetry: Symmetry, square: u8) -> u8 {
        let (x, y) = (usize::from(square) % STRIDE, usize::from(square) / STRIDE);
        let (x, y) = symmetry.cell((x, y), (self.columns, self.rows));
        self.bit(x, y)
    }
}

/// Pathwayz' entry in the registry.
pub const INFO: Info = Info {
    name: "pathwayz",
    title: "Pathwayz",
    about: "Connect the left side with the right; a permanent piece turns its neighbours.",
    sides: ["white", "black"],
    example: "e5p",
    options: &[OptionInfo::range("rows", "rows", 2, 8, |_| 8), OptionInfo::range("cols", "columns", 2, 12, |_| 12)],
};

/// The rules that a spec of Pathwayz names.
pub(crate) fn rules(spec: &GameSpec) -> AnyGame {
    AnyGame::Pathwayz(Pathwayz::new(spec.number("rows"), spec.number("cols")))
}
