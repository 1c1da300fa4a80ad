//! A game in progress with its type erased: text in, text out.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::notation::{MoveError, Notation as _, PositionError};
use crate::{EndReason, GameSpec, Line, Outcome, Playable, Player, Rng};

/// A [`Line`] of any game, addressed in the notation of its rules. The command line, the page and the engine
/// protocol all use it.
///
/// ```
/// use quintet_game::GameSpec;
/// let mut line = GameSpec::parse("twixt(size=6)").unwrap().line();
/// line.try_play("b3").unwrap();
/// line.try_play("SWAP").unwrap();
/// assert_eq!(line.position(), "#....#/..b.../....../....../....../#....# - r");
/// ```
pub trait AnyLine: Any + Send + Sync {
    /// The game.
    fn spec(&self) -> GameSpec;
    /// The side to move.
    fn to_move(&self) -> Player;
    /// How and why the game ended, or `None` while it goes on.
    fn end(&self) -> Option<(Outcome, EndReason)>;
    /// The number of legal moves.
    fn count_moves(&self) -> usize;
    /// All legal moves.
    fn legal_moves(&self) -> Vec<String>;
    /// A legal move, uniform over all; `None` when the game is over.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// Plays a move; gives it back in output spelling. A bad move is explained and changes nothing.
    fn try_play(&mut self, token: &str) -> Result<String, MoveError>;
    /// A remark on a legal move before it is played, if there is one.
    fn notice(&self, token: &str) -> Option<String>;
    /// Takes the last move back and gives it.
    fn undo(&mut self) -> Option<String>;
    /// The moves played.
    fn moves(&self) -> Vec<String>;
    /// The number of moves played.
    fn plies(&self) -> usize;
    /// The last move.
    fn last_move(&self) -> Option<String>;
    /// The position as text.
    fn position(&self) -> String;
    /// The text of the position the game began in, unless it is the game's own start.
    fn begun_from(&self) -> Option<String>;
    /// How often the current position has occurred; 0 in games without repetition.
    fn occurrences(&self) -> u32;
    /// The cells of each winning line, path or chain.
    fn wins(&self) -> Vec<Vec<String>>;
    /// See [`crate::perft::perft`].
    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> u64;
    /// A copy, with its history.
    fn boxed_clone(&self) -> Box<dyn AnyLine>;

    /// Roughly the bytes that its positions take.
    fn bytes(&self) -> usize;
}

impl fmt::Debug for dyn AnyLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "AnyLine({} {:?})", self.spec(), self.moves())
    }
}

impl dyn AnyLine {
    /// A line of any game, registered or not.
    #[must_use]
    pub fn new<G: Playable>(spec: GameSpec, line: Line<G>) -> Box<dyn AnyLine> {
        Box::new(Typed { spec, line })
    }

    /// The line with its type; `None` if it is of another game.
    ///
    /// ```
    /// use quintet_game::{GameSpec, pylos::Pylos, twixt::Twixt};
    /// let line = GameSpec::parse("pylos").unwrap().line();
    /// assert_eq!(line.typed::<Pylos>().unwrap().plies(), 0);
    /// assert!(line.typed::<Twixt<16, 1>>().is_none());
    /// ```
    #[must_use]
    pub fn typed<G: Playable>(&self) -> Option<&Line<G>> {
        let any: &dyn Any = self;
        any.downcast_ref::<Typed<G>>().map(|typed| &typed.line)
    }

    /// The same, for playing on.
    pub fn typed_mut<G: Playable>(&mut self) -> Option<&mut Line<G>> {
        let any: &mut dyn Any = self;
        any.downcast_mut::<Typed<G>>().map(|typed| &mut typed.line)
    }
}

impl Clone for Box<dyn AnyLine> {
    fn clone(&self) -> Box<dyn AnyLine> {
        self.boxed_clone()
    }
}

impl GameSpec {
    /// The line at the starting position.
    #[must_use]
    pub fn line(&self) -> Box<dyn AnyLine> {
        with_game!(self, |game| <dyn AnyLine>::new(*self, Line::new(Arc::new(game))))
    }

    /// The line at any position; it has no history.
    ///
    /// # Errors
    /// When the text is not a position of this game.
    pub fn line_at(&self, position: &str) -> Result<Box<dyn AnyLine>, PositionError> {
        with_game!(self, |game| {
            let pos = game.read_position(position).map_err(PositionError)?;
            Ok(<dyn AnyLine>::new(*self, Line::from_position(Arc::new(game), pos)))
        })
    }
}

struct Typed<G: Playable> {
    spec: GameSpec,
    line: Line<G>,
}

impl<G: Playable> Typed<G> {
    fn write(&self, mv: G::Move) -> String {
        self.line.game().write_move(mv)
    }
}

impl<G: Playable> AnyLine for Typed<G> {
    fn spec(&self) -> GameSpec {
        self.spec
    }

    fn to_move(&self) -> Player {
        self.line.to_move()
    }

    fn end(&self) -> Option<(Outcome, EndReason)> {
        self.line.end()
    }

    fn count_moves(&self) -> usize {
        self.line.count_moves()
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.line.outcome().is_none() {
            self.line.game().moves(self.line.position(), &mut moves);
        }
        moves.into_iter().map(|mv| self.write(mv)).collect()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let going = self.line.outcome().is_none();
        going.then(|| self.write(self.line.game().random_move(self.line.position(), rng)))
    }

    fn try_play(&mut self, token: &str) -> Result<String, MoveError> {
        let mv = self.line.try_play(token)?;
        Ok(self.write(mv))
    }

    fn notice(&self, token: &str) -> Option<String> {
        let mv = self.line.game().read_move(token).ok()?;
        self.line.game().check(self.line.position(), mv).ok()?;
        self.line.game().notice(self.line.position(), mv)
    }

    fn undo(&mut self) -> Option<String> {
        let mv = self.line.undo()?;
        Some(self.write(mv))
    }

    fn moves(&self) -> Vec<String> {
        self.line.moves().map(|mv| self.write(mv)).collect()
    }

    fn plies(&self) -> usize {
        self.line.plies()
    }

    fn last_move(&self) -> Option<String> {
        self.line.moves().next_back().map(|mv| self.write(mv))
    }

    fn position(&self) -> String {
        self.line.game().write_position(self.line.position())
    }

    fn begun_from(&self) -> Option<String> {
        let game = self.line.game();
        let first = self.line.first_position();
        (*first != game.start()).then(|| game.write_position(first))
    }

    fn occurrences(&self) -> u32 {
        self.line.occurrences(self.line.position())
    }

    fn wins(&self) -> Vec<Vec<String>> {
        match self.line.game().outcome(self.line.position()) {
            Some(_) => self.line.game().wins(self.line.position()),
            None => Vec::new(),
        }
    }

    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> u64 {
        crate::perft::perft(&self.line, depth, progress)
    }

    fn bytes(&self) -> usize {
        (self.line.plies() + 1) * (size_of::<G::Pos>() + size_of::<G::Move>()) * if G::REPEATS { 2 } else { 1 }
    }

    fn boxed_clone(&self) -> Box<dyn AnyLine> {
        <dyn AnyLine>::new(self.spec, self.line.clone())
    }
}
