//! A game in progress.

use std::collections::HashMap;
use std::sync::Arc;

use crate::notation::{Fault, MoveError, Notation};
use crate::{EndReason, Game, Outcome, Player};

/// A game in progress: the rules, the moves so far and every position on the way. Owns repetition and undo.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, pylos::Pylos};
/// let mut line = Line::new(Arc::new(Pylos::default()));
/// line.try_play("1b2").unwrap();
/// assert!(line.try_play("1b2").is_err());
/// assert_eq!(line.plies(), 1);
/// line.undo();
/// assert_eq!(line.plies(), 0);
/// ```
#[derive(Debug)]
pub struct Line<G: Game> {
    game: Arc<G>,
    pos: G::Pos,
    past: Vec<(G::Pos, G::Move)>,
    /// How often each position has occurred, including the current one. Kept only where positions can recur.
    seen: HashMap<G::Pos, u32>,
}

// Written by hand because the rules are shared and need not be `Clone`.
impl<G: Game> Clone for Line<G> {
    fn clone(&self) -> Line<G> {
        Line { game: Arc::clone(&self.game), pos: self.pos.clone(), past: self.past.clone(), seen: self.seen.clone() }
    }
}

impl<G: Game> Line<G> {
    /// A game from the starting position.
    pub fn new(game: Arc<G>) -> Line<G> {
        let start = game.start();
        Line::from_position(game, start)
    }

    /// A game from any position; it has no history before it.
    pub fn from_position(game: Arc<G>, pos: G::Pos) -> Line<G> {
        let seen = if G::REPEATS { HashMap::from([(pos.clone(), 1)]) } else { HashMap::new() };
        Line { game, pos, past: Vec::new(), seen }
    }

    /// A game from another position by the same rules; it has no history.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use quintet_game::{Line, Symmetric, Symmetry, pentago::Pentago};
    /// let mut line = Line::new(Arc::new(Pentago::standard()));
    /// line.try_play("a1q2r").unwrap();
    /// let turned = line.at(line.game().map_position(Symmetry::HALF, line.position()));
    /// assert_eq!((turned.plies(), turned.to_move()), (0, line.to_move()));
    /// ```
    #[must_use]
    pub fn at(&self, pos: G::Pos) -> Line<G> {
        Line::from_position(Arc::clone(&self.game), pos)
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The current position.
    pub fn position(&self) -> &G::Pos {
        &self.pos
    }

    /// The position in which the line began.
    pub fn first_position(&self) -> &G::Pos {
        self.past.first().map_or(&self.pos, |(pos, _)| pos)
    }

    /// The side to move.
    pub fn to_move(&self) -> Player {
        self.game.to_move(&self.pos)
    }

    /// The number of moves played.
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// The moves played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = G::Move> + DoubleEndedIterator + '_ {
        self.past.iter().map(|(_, mv)| *mv)
    }

    /// How often `pos` has occurred in this line. Always 0 in games without repetition.
    pub fn occurrences(&self, pos: &G::Pos) -> u32 {
        if G::REPEATS { self.seen.get(pos).copied().unwrap_or(0) } else { 0 }
    }

    /// Has the current position occurred three times?
    pub fn repeated(&self) -> bool {
        self.occurrences(&self.pos) >= 3
    }

    /// How the game ended, repetition included, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.pos).or(self.repeated().then_some(Outcome::Draw))
    }

    /// The number of legal moves; 0 when the game is over.
    pub fn count_moves(&self) -> usize {
        if self.repeated() { 0 } else { self.game.count_moves(&self.pos) }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let before = self.pos.clone();
        self.game.play(&mut self.pos, mv);
        self.past.push((before, mv));
        if G::REPEATS {
            *self.seen.entry(self.pos.clone()).or_insert(0) += 1;
        }
    }

    /// Takes the last move back and gives it; `None` at the start.
    pub fn undo(&mut self) -> Option<G::Move> {
        let (before, mv) = self.past.pop()?;
        if G::REPEATS
            && let Some(count) = self.seen.get_mut(&self.pos)
        {
            *count -= 1;
            if *count == 0 {
                self.seen.remove(&self.pos);
            }
        }
        self.pos = before;
        Some(mv)
    }
}

impl<G: Notation> Line<G> {
    /// Reads, checks and plays a move. A bad one is explained and changes nothing.
    pub fn try_play(&mut self, token: &str) -> Result<G::Move, MoveError> {
        let mv = self.read_legal(token)?;
        self.play(mv);
        Ok(mv)
    }

    /// Reads and checks a move. A bad one is explained.
    pub fn read_legal(&self, token: &str) -> Result<G::Move, MoveError> {
        self.legal(token).map_err(|why| MoveError { ply: self.plies(), text: token.to_owned(), why })
    }

    fn legal(&self, token: &str) -> Result<G::Move, Fault> {
        if let Some((outcome, reason)) = self.end() {
            let result = match outcome {
                Outcome::Draw => "a draw".to_owned(),
                Outcome::Win(player) => format!("{player} won"),
            };
            return Err(Fault(format!("the game is over: {result} ({reason}).")));
        }
        let mv = self.game.read_move(token)?;
        self.game.check(&self.pos, mv)?;
        Ok(mv)
    }

    /// How and why the game ended, or `None` while it goes on.
    pub fn end(&self) -> Option<(Outcome, EndReason)> {
        match self.game.outcome(&self.pos) {
            Some(outcome) => Some((outcome, self.game.reason(&self.pos))),
            None => self.repeated().then_some((Outcome::Draw, EndReason::Repetition)),
        }
    }
}
