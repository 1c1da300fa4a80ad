//! Text form of moves and positions, and sentences that say what is wrong with a text.

use crate::{EndReason, Game, text};

/// Why a text was not understood or a move is not legal: a sentence for people, without the place, which the caller adds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

impl From<String> for Fault {
    fn from(sentence: String) -> Fault {
        Fault(sentence)
    }
}

impl From<&str> for Fault {
    fn from(sentence: &str) -> Fault {
        Fault(sentence.to_owned())
    }
}

/// A move that was refused: which one, and why. The line of play is unchanged.
///
/// ```
/// use quintet_game::GameSpec;
/// let mut line = GameSpec::parse("pathwayz").unwrap().line();
/// line.try_play("e5").unwrap();
/// let error = line.try_play("E5P").unwrap_err();
/// assert_eq!(error.to_string(), "move 2 \"E5P\": e5 is taken (w).");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {} \"{}\": {why}", ply + 1, text::quote(text, 40))]
pub struct MoveError {
    /// The ply at which the move was to be played, counted from 0.
    pub ply: usize,
    /// The move as it was given.
    pub text: String,
    /// What is wrong with it.
    pub why: Fault,
}

/// A position text that was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position: {0}")]
pub struct PositionError(pub Fault);

/// The written form of a game's moves and positions.
///
/// Reading is split in two: *read* understands any text that names a move or position of this board, *check* says
/// whether a move is legal here. Both answer with a [`Fault`] that says what is wrong and where.
///
/// ```
/// use quintet_game::{Game, Notation, pylos::Pylos};
/// let game = Pylos::default();
/// let mut pos = game.start();
/// let mv = game.read_move("1B2").unwrap();
/// assert!(game.check(&pos, mv).is_ok());
/// game.play(&mut pos, mv);
/// assert_eq!(game.write_position(&pos), ".....L........../........./..../. d");
/// assert!(game.check(&pos, mv).is_err());
/// ```
pub trait Notation: Game {
    /// The move as a token: lower case, no blanks.
    fn write_move(&self, mv: Self::Move) -> String;

    /// Reads a token, in either case. The move need not be legal in any position.
    fn read_move(&self, token: &str) -> Result<Self::Move, Fault>;

    /// Is the move legal here? If not, why not. The game must not be over.
    fn check(&self, pos: &Self::Pos, mv: Self::Move) -> Result<(), Fault>;

    /// The position as text, `BOARD SIDE`.
    fn write_position(&self, pos: &Self::Pos) -> String;

    /// Reads a position text; refuses positions that no play can reach, judged by their piece counts alone.
    fn read_position(&self, text: &str) -> Result<Self::Pos, Fault>;

    /// Why the game is over. Only for finished positions. A reason that no other game has is given as a text such as `"three".into()`.
    fn reason(&self, pos: &Self::Pos) -> EndReason;

    /// The cells of each winning line, path or chain of a finished position, for drawing.
    fn wins(&self, pos: &Self::Pos) -> Vec<Vec<String>>;

    /// A remark on a legal move, such as a link that will not be made.
    fn notice(&self, _pos: &Self::Pos, _mv: Self::Move) -> Option<String> {
        None
    }
}
