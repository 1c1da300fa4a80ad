//! Actions and planes of a game in progress, whatever its type.

use quintet_eval::encode::{Encode, Partial, Step, packed_for, tensor_for};
use quintet_game::notation::{MoveError, Notation as _};
use quintet_game::{AnyLine, Line, Player, with_line};

/// Runs generic code with a line; every game of this package is registered.
macro_rules! typed {
    ($any_line:expr, |$line:ident| $body:expr) => {
        with_line!($any_line, |$line| $body).expect("lines of this package are of registered games")
    };
}
pub(crate) use typed;

/// Plays a move whose type is forgotten.
type Play = Box<dyn FnOnce(&mut dyn AnyLine)>;

/// What comes of an action.
pub enum Chosen {
    /// The same player goes on.
    Partial(Partial),
    /// The move is complete: how to play it.
    Move(Play),
}

/// The legal actions after a half-made move; none when the game is over.
pub fn legal(line: &dyn AnyLine, partial: Partial) -> Vec<u16> {
    fn of<G: Encode>(line: &Line<G>, partial: Partial) -> Vec<u16> {
        let mut actions = Vec::with_capacity(line.game().actions());
        if line.outcome().is_none() {
            line.game().legal(line.position(), partial, &mut actions);
        }
        actions
    }
    typed!(line, |line| of(line, partial))
}

/// Takes a legal action.
pub fn choose(line: &dyn AnyLine, partial: Partial, action: u16) -> Chosen {
    fn of<G: Encode>(line: &Line<G>, partial: Partial, action: u16) -> Chosen {
        match line.game().step(line.position(), partial, action) {
            Step::Partial(partial) => Chosen::Partial(partial),
            Step::Move(mv) => Chosen::Move(Box::new(move |any_line| {
                if let Some(line) = any_line.typed_mut::<G>() {
                    line.play(mv);
                }
            })),
        }
    }
    typed!(line, |line| of(line, partial, action))
}

/// A legal action as text: the move, if it completes one.
pub fn name(line: &dyn AnyLine, partial: Partial, action: u16) -> String {
    typed!(line, |line| line.game().name(line.position(), partial, action))
}

/// The actions of a move, or what is wrong with it.
pub fn sequence(line: &dyn AnyLine, text: &str) -> Result<Vec<u16>, MoveError> {
    fn of<G: Encode>(line: &Line<G>, text: &str) -> Result<Vec<u16>, MoveError> {
        let mv = line.read_legal(text)?;
        let mut actions = Vec::new();
        line.game().sequence(line.position(), mv, &mut actions);
        Ok(actions)
    }
    typed!(line, |line| of(line, text))
}

/// The legal moves that begin with a half-made one.
pub fn completions(line: &dyn AnyLine, partial: Partial) -> Vec<String> {
    fn collect<G: Encode>(line: &Line<G>, partial: Partial, moves: &mut Vec<G::Move>) {
        let mut actions = Vec::new();
        line.game().legal(line.position(), partial, &mut actions);
        for action in actions {
            match line.game().step(line.position(), partial, action) {
                Step::Partial(partial) => collect(line, partial, moves),
                Step::Move(mv) => moves.push(mv),
            }
        }
    }
    typed!(line, |line| {
        let mut moves = Vec::new();
        collect(line, partial, &mut moves);
        moves.sort_unstable();
        moves.dedup();
        moves.into_iter().map(|mv| line.game().write_move(mv)).collect()
    })
}

/// All channels of a position and a half-made move, as a player sees them.
pub fn channels(line: &dyn AnyLine, partial: Partial, player: Player) -> Vec<f32> {
    typed!(line, |line| tensor_for(line.game(), line.position(), partial, player))
}

/// The same packed: a word per cell of the grid.
pub fn packed(line: &dyn AnyLine, partial: Partial, player: Player) -> Vec<u32> {
    typed!(line, |line| packed_for(line.game(), line.position(), partial, player))
}
