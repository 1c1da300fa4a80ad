//! The trait [`Game`]: the rules of a game.

use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use crate::notation::Fault;
use crate::text::quote;
use crate::{Proof, Rng};

/// One of the two players; `First` moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Moves first: white, light or red.
    First,
    /// Moves second: black or dark.
    Second,
}

impl Player {
    /// Both players, in seat order.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    ///
    /// ```
    /// use quintet_game::Player;
    /// assert_eq!(Player::First.other(), Player::Second);
    /// ```
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second: an index into pairs.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(["first", "second"][self.index()])
    }
}

impl FromStr for Player {
    type Err = Fault;
    fn from_str(name: &str) -> Result<Player, Fault> {
        match name {
            "first" => Ok(Player::First),
            "second" => Ok(Player::Second),
            _ => Err(Fault(format!("\"{}\" is neither first nor second.", quote(name, 20)))),
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Neither player won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    ///
    /// ```
    /// use quintet_game::{Outcome, Player};
    /// assert_eq!(Outcome::Draw.winner(), None);
    /// assert_eq!(Outcome::Win(Player::First).winner(), Some(Player::First));
    /// ```
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw => None,
        }
    }

    /// The same ending with the players exchanged.
    #[must_use]
    pub const fn swapped(self) -> Outcome {
        match self {
            Outcome::Win(player) => Outcome::Win(player.other()),
            Outcome::Draw => Outcome::Draw,
        }
    }

    /// What it means for one of the players.
    #[must_use]
    pub fn proof_for(self, player: Player) -> Proof {
        match self {
            Outcome::Draw => Proof::Draw,
            Outcome::Win(winner) if winner == player => Proof::Win,
            Outcome::Win(_) => Proof::Loss,
        }
    }

    /// `first`, `second` or `draw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win(Player::First) => "first",
            Outcome::Win(Player::Second) => "second",
            Outcome::Draw => "draw",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Outcome {
    type Err = Fault;
    fn from_str(name: &str) -> Result<Outcome, Fault> {
        match name {
            "draw" => Ok(Outcome::Draw),
            _ => name
                .parse()
                .map(Outcome::Win)
                .map_err(|_: Fault| Fault(format!("\"{}\" is not first, second or draw.", quote(name, 20)))),
        }
    }
}

/// The rules of one game in one variant and size.
///
/// The value owns (or points to) every derived table; positions are plain data without pointers or history, so a
/// copy is a `memcpy` and two board sizes live side by side in one process.
///
/// ```
/// use quintet_game::{Game, pentago::Pentago};
/// let game = Pentago::standard();
/// let mut pos = game.start();
/// let mut moves = Vec::new();
/// game.moves(&pos, &mut moves);
/// assert_eq!(moves.len(), 288);
/// game.play(&mut pos, moves[0]);
/// assert_eq!(game.outcome(&pos), None);
/// ```
pub trait Game: Send + Sync + 'static {
    /// A position: the board and the side to move.
    type Pos: Clone + Eq + Hash + fmt::Debug + Send + Sync;
    /// A legal or illegal move of this game.
    type Move: Copy + Eq + Hash + Ord + fmt::Debug + Send + Sync;
    /// Can a position recur within one game? Then its third occurrence is a draw; see [`crate::Line`].
    const REPEATS: bool = false;

    /// The starting position.
    fn start(&self) -> Self::Pos;

    /// The side to move; in a finished position, the player whose turn it would be.
    fn to_move(&self, pos: &Self::Pos) -> Player;

    /// How the game ended, or `None` while it goes on. Ignores repetition, which belongs to the line of play.
    fn outcome(&self, pos: &Self::Pos) -> Option<Outcome>;

    /// Appends every legal move to `out`, in a fixed order. Nothing is appended when the game is over.
    fn moves(&self, pos: &Self::Pos, out: &mut Vec<Self::Move>);

    /// The number of legal moves; 0 when the game is over.
    fn count_moves(&self, pos: &Self::Pos) -> usize {
        let mut out = Vec::new();
        self.moves(pos, &mut out);
        out.len()
    }

    /// A legal move, uniform over those that [`Game::moves`] lists (up to a bias below 2^-20). The game must not be over.
    fn random_move(&self, pos: &Self::Pos, rng: &mut Rng) -> Self::Move;

    /// Plays uniformly random moves from `pos` to the end: the outcome and the number of plies. See [`crate::playout::Playouts`],
    /// which owns the buffer. A game may override it with something faster than move by move.
    fn playout(&self, mut pos: Self::Pos, rng: &mut Rng, keys: &mut Vec<u64>) -> (Option<Outcome>, usize)
    where
        Self: Sized,
    {
        crate::playout::move_by_move(self, &mut pos, rng, keys)
    }

    /// Plays a legal move. Illegal moves give an unspecified position: the checked way is [`crate::Line::try_play`].
    fn play(&self, pos: &mut Self::Pos, mv: Self::Move);

    /// A hash of the position for heuristic tables; proofs store the whole position.
    fn key(&self, pos: &Self::Pos) -> u64;

    /// The number of places on the board.
    fn cells(&self) -> u32;

    /// The number of pieces on the board, a measure of how far the game has come.
    fn pieces(&self, pos: &Self::Pos) -> u32;

    /// Could `player` win with one move if it were their turn now, no matter whose turn it is? The game must not be over.
    fn threatens(&self, pos: &Self::Pos, player: Player) -> bool;

    /// Is it certain that neither side can win any more? A quick look, for ending games that would only fill the board; `false` says
    /// nothing.
    ///
    /// ```
    /// use quintet_game::{Game, Notation, pathwayz::Pathwayz};
    /// let game = Pathwayz::new(2, 5);
    /// assert!(!game.is_dead(&game.start()));
    /// // Two columns of permanents, one of each colour, bar both ways.
    /// assert!(game.is_dead(&game.read_position(".W.B./.W.B. w").unwrap()));
    /// ```
    fn is_dead(&self, _pos: &Self::Pos) -> bool {
        false
    }
}

/// Does the side to move have a move that wins at once?
///
/// ```
/// use quintet_game::{Game, Notation, can_win_now, pentago::Pentago};
/// let game = Pentago::standard();
/// assert!(!can_win_now(&game, &game.start()));
/// assert!(can_win_now(&game, &game.read_position("xxxx../oooo../....../....../....../...... x").unwrap()));
/// ```
pub fn can_win_now<G: Game>(game: &G, pos: &G::Pos) -> bool {
    let mover = game.to_move(pos);
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    moves.into_iter().any(|mv| {
        let mut next = pos.clone();
        game.play(&mut next, mv);
        game.outcome(&next) == Some(Outcome::Win(mover))
    })
}
