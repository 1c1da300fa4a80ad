//! Positions as planes of bits and moves as numbers: what a net reads and answers.
//!
//! Everything is seen by the side to move: "own" pieces are the mover's, and in TwixT the mover always joins top and bottom, so the
//! second player's board is transposed. This holds for planes and actions alike. [`Encode::turn_round`] turns a packed position into what the side
//! that waits sees.
//!
//! # Actions
//!
//! A move is one action, or a short sequence of actions by the same player; what has been chosen so far is a [`Partial`].
//!
//! | game | actions | their numbers |
//! | --- | --- | --- |
//! | Pathwayz, R rows and C columns | 2 R C | a regular piece on row y and column x: `C y + x`; a permanent one: `R C` more |
//! | Pylos | 304 | 30 cells (to place a ball, later to take one back), 273 raises, `enough` |
//! | TwixT, size N | N N + 1 | the hole in row y and column x: `N y + x`; then the swap |
//! | Pentago | 324 | a marble on row y and column x that wins at once: `6 y + x`; with spin s: `36 (s + 1) + 6 y + x` |
//! | Pentago (`rules=turn-first`), Pentago-Twist | 288 | a marble with spin s: `36 s + 6 y + x` |
//!
//! Rows and columns count from 0 at the top left. Spins are numbered as in [`Pentago::spins`](quintet_game::pentago::Pentago::spins):
//! twice the quadrant, plus 1 for left or mirror.
//!
//! Only a move of Pylos can take several actions: a cell or a raise; then, if that completes a square or line, the balls taken back one
//! by one, each by its cell, and `enough` if the player could take another one but does not. Two balls that are both free may be taken
//! in either order, so that the actions have all the symmetries of the board; every other move has one sequence.
//!
//! # Planes
//!
//! A packed position is one `u32` per cell of a grid, row by row ([`Encode::grid`]). [`Encode::planes`] says how to read planes of numbers out of
//! them, and [`Encode::fixed`] adds planes that are the same in every position. Together they are the channels of a tensor of shape
//! (channels, rows, columns): see [`tensor`].
//!
//! The grid of Pylos is 7x7: the cell of level n, column x and row y (from 0) stands on column 2x + n and row 2y + n, as when looked at from
//! above. At most one level of a grid cell is open, free or completed, so only the balls need a plane per level.

mod pathwayz;
mod pentago;
mod pylos;
mod twixt;
mod view;

use quintet_game::{Playable, Player, Symmetry};

pub use view::{View, views};

/// The actions of a half-made move.
///
/// ```
/// use quintet_eval::encode::{Encode, Partial, Step};
/// use quintet_game::{Game, Notation, pylos::Pylos};
/// let game = Pylos::default();
/// let pos = game.read_position("LL..L......DDD../........./..../. l").unwrap();
/// let mut actions = Vec::new();
/// game.sequence(&pos, game.read_move("1b2-1a1").unwrap(), &mut actions);
/// assert_eq!(actions, [5, 0, 303]); // cells 1b2 and 1a1, enough
/// let Step::Partial(partial) = game.step(&pos, Partial::NONE, 5) else { panic!() };
/// actions.clear();
/// game.legal(&pos, partial, &mut actions);
/// assert_eq!(actions, [0, 1, 4, 5]); // one of the square's balls must be taken back
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Partial {
    actions: [u16; 2],
    count: u8,
}

impl Partial {
    /// Nothing has been chosen yet.
    pub const NONE: Partial = Partial { actions: [0; 2], count: 0 };

    /// The actions so far.
    #[must_use]
    pub fn actions(&self) -> &[u16] {
        &self.actions[..self.count.into()]
    }

    /// Has nothing been chosen yet?
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.count == 0
    }

    /// With one more action. A game's longest sequence has three, the last of which completes the move.
    fn then(mut self, action: u16) -> Partial {
        self.actions[usize::from(self.count)] = action;
        self.count += 1;
        self
    }
}

/// What comes of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<M> {
    /// The same player goes on.
    Partial(Partial),
    /// The move is complete.
    Move(M),
}

/// A plane of numbers from 0 to 1 in packed positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// What it shows.
    pub name: &'static str,
    /// The bits of a word that it depends on.
    pub mask: u32,
    /// The plane is 1 where these bits of the mask are set and its others are not, else 0. Without it, the bits of the mask are a number, and
    /// the plane is its share of the largest one: `(word & mask) / mask`.
    pub value: Option<u32>,
}

impl Plane {
    /// All bits of the mask.
    const fn all(name: &'static str, mask: u32) -> Plane {
        Plane { name, mask, value: Some(mask) }
    }

    /// The plane's number in one word.
    #[inline]
    #[must_use]
    pub fn read(&self, word: u32) -> f32 {
        match self.value {
            Some(value) => f32::from(u8::from(word & self.mask == value)),
            None => (word & self.mask) as f32 / self.mask as f32,
        }
    }
}

/// Where a net's answer has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// In this channel of this cell of the grid.
    Cell {
        /// The channel.
        channel: usize,
        /// The cell, row by row.
        cell: usize,
    },
    /// Among the numbers that belong to no cell.
    Extra(usize),
}

/// Positions as planes of bits and moves as numbers; see the [module](self) for both.
///
/// ```
/// use quintet_eval::encode::{Encode, Partial, Step, tensor};
/// use quintet_game::{Game, Notation, pentago::Pentago};
/// let game = Pentago::standard();
/// let pos = game.start();
/// let mut legal = Vec::new();
/// game.legal(&pos, Partial::NONE, &mut legal);
/// assert_eq!((game.actions(), legal.len()), (324, 288));
/// let Step::Move(mv) = game.step(&pos, Partial::NONE, 36) else { panic!() };
/// assert_eq!(game.write_move(mv), "a1q1r");
/// assert_eq!(tensor(&game, &pos, Partial::NONE).len(), (game.planes().len() + game.fixed().len()) * 36);
/// ```
pub trait Encode: Playable + Sized {
    /// The number of different actions.
    fn actions(&self) -> usize;

    /// Appends the legal actions of the side to move after a half-made move, in a fixed order. Nothing is appended when the game is over.
    fn legal(&self, pos: &Self::Pos, partial: Partial, out: &mut Vec<u16>);

    /// What comes of a legal action after a half-made move.
    fn step(&self, pos: &Self::Pos, partial: Partial, action: u16) -> Step<Self::Move>;

    /// Appends the actions of a legal move.
    fn sequence(&self, pos: &Self::Pos, mv: Self::Move, out: &mut Vec<u16>);

    /// A legal action as text: the move, if it completes one.
    fn name(&self, pos: &Self::Pos, partial: Partial, action: u16) -> String;

    /// Rows and columns of the grid.
    fn grid(&self) -> (usize, usize);

    /// The planes of a packed position.
    fn planes(&self) -> &'static [Plane];

    /// Planes that are the same in every position, with their names. They have all symmetries of the [`Encode::views`].
    fn fixed(&self) -> Vec<(&'static str, Vec<f32>)> {
        Vec::new()
    }

    /// Packs a position and a half-made move: one word per cell of the grid, row by row.
    fn pack(&self, pos: &Self::Pos, partial: Partial, out: &mut [u32]);

    /// A word as the other side sees it: what was own is the opponent's.
    fn other_word(&self, word: u32) -> u32;

    /// Turns a packed position into what the other side sees; twice is nothing.
    ///
    /// ```
    /// use quintet_eval::encode::{Encode, Partial};
    /// use quintet_game::{Game, Notation, pentago::Pentago};
    /// let game = Pentago::standard();
    /// let mut pos = game.start();
    /// game.play(&mut pos, game.read_move("a1q1r").unwrap());
    /// let mut words = [0; 36];
    /// game.pack(&pos, Partial::NONE, &mut words);
    /// let own = |words: &[u32]| words.iter().filter(|word| game.planes()[0].read(**word) == 1.0).count();
    /// assert_eq!(own(&words), 0); // the second player has no marble yet
    /// game.turn_round(&mut words);
    /// assert_eq!(own(&words), 1);
    /// ```
    fn turn_round(&self, words: &mut [u32]) {
        for word in words {
            *word = self.other_word(*word);
        }
    }

    /// The symmetries of packed positions, the identity first: the grid is mapped as [`Symmetry::cell`] says, each word by
    /// [`Encode::map_word`], each action by [`Encode::map_action`].
    fn views(&self) -> &'static [Symmetry];

    /// Which of the [`Encode::views`] a symmetry of the board is for the side to move.
    fn view_of(&self, symmetry: Symmetry, _mover: Player) -> Symmetry {
        Symmetry { colours: false, ..symmetry }
    }

    /// The image of a word: its bits in another order.
    fn map_word(&self, _view: Symmetry, word: u32) -> u32 {
        word
    }

    /// How many numbers per cell of the grid a net answers, and how many that belong to no cell.
    fn outputs(&self) -> (usize, usize) {
        (self.actions() / cells(self), self.actions() % cells(self))
    }

    /// The number of a net's answer that stands for an action; if there are two, it is their sum.
    fn output(&self, action: u16) -> (Output, Option<Output>) {
        let (channels, count, action) = (self.outputs().0, cells(self), usize::from(action));
        let extra = action.checked_sub(channels * count);
        (extra.map_or(Output::Cell { channel: action / count, cell: action % count }, Output::Extra), None)
    }

    /// The image of an action.
    fn map_action(&self, view: Symmetry, action: u16) -> u16;
}

/// Exchanges the bits `mask` with those `shift` above.
#[inline]
const fn exchanged(word: u32, mask: u32, shift: u32) -> u32 {
    let change = (word ^ word >> shift) & mask;
    word ^ change ^ change << shift
}

/// The number of cells in a packed position.
pub fn cells<G: Encode>(game: &G) -> usize {
    let (rows, columns) = game.grid();
    rows * columns
}

/// The planes of a packed position as numbers, plane after plane, without the fixed ones.
pub fn unpack<G: Encode>(game: &G, words: &[u32], out: &mut [f32]) {
    for (plane, numbers) in game.planes().iter().zip(out.chunks_exact_mut(words.len())) {
        for (word, number) in words.iter().zip(numbers) {
            *number = plane.read(*word);
        }
    }
}

/// All channels of a position and a half-made move, for the side to move: shape (channels, rows, columns), the planes first, then the fixed ones.
pub fn tensor<G: Encode>(game: &G, pos: &G::Pos, partial: Partial) -> Vec<f32> {
    tensor_for(game, pos, partial, game.to_move(pos))
}

/// The same as a player sees it, who may be the one that waits.
pub fn tensor_for<G: Encode>(game: &G, pos: &G::Pos, partial: Partial, player: Player) -> Vec<f32> {
    let words = packed_for(game, pos, partial, player);
    let mut out = vec![0.0; game.planes().len() * words.len()];
    unpack(game, &words, &mut out);
    out.extend(game.fixed().into_iter().flat_map(|(_, numbers)| numbers));
    out
}

/// A packed position as a player sees it, who may be the one that waits.
pub fn packed_for<G: Encode>(game: &G, pos: &G::Pos, partial: Partial, player: Player) -> Vec<u32> {
    let mut words = vec![0; cells(game)];
    game.pack(pos, partial, &mut words);
    if player != game.to_move(pos) {
        game.turn_round(&mut words);
    }
    words
}
