//! Puzzles: positions with one right move, made from seeded games with the help of a [`Prover`].
//!
//! [`Prover`]: crate::Prover

mod kind;
mod making;

use quintet_data::{Data, DataError};
use quintet_game::notation::Fault;
use quintet_game::{AnyLine, GAMES, GameSpec, Limit, Proof, Stop, Value};
use serde::{Deserialize, Serialize};

use self::kind::Sole;
use crate::{Exact, Provers, Unproven, exact};

pub use self::kind::PuzzleKind;
pub use self::making::{Making, MakingError, MakingProgress, make_puzzles};

/// A puzzle in the form of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Its name, such as `pylos-1`.
    pub id: String,
    /// The game.
    pub game: String,
    /// Where it begins, if not at the game's own start.
    pub from: Option<String>,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
    /// What is to be found.
    pub kind: PuzzleKind,
    /// The same as a sentence.
    pub title: String,
    /// Plies to the end, for a win.
    pub distance: Option<u32>,
    /// The right move, if its proof needs a solved table, which may be missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// The built-in puzzles, game by game.
///
/// ```
/// assert!(quintet_agent::puzzles().iter().any(|puzzle| puzzle.game == "pylos"));
/// ```
#[must_use]
pub fn puzzles() -> Vec<Puzzle> {
    puzzles_with(&Data::embedded()).expect("a test reads every embedded file")
}

/// The built-in puzzles and the user's of `puzzles/GAME.jsonl`, which replace built-in ones of the same name.
///
/// # Errors
/// When a file cannot be read or has a line that is not a puzzle.
pub fn puzzles_with(data: &Data) -> Result<Vec<Puzzle>, DataError> {
    let mut puzzles: Vec<Puzzle> = Vec::new();
    data.each("puzzles", GAMES.iter().map(|info| info.name), "jsonl", |_, text, _| {
        for (at, line) in text.lines().enumerate() {
            let puzzle: Puzzle = serde_json::from_str(line).map_err(|why| format!("line {}: {why}", at + 1))?;
            match puzzles.iter_mut().find(|known| known.id == puzzle.id) {
                Some(known) => *known = puzzle,
                None => puzzles.push(puzzle),
            }
        }
        Ok(())
    })?;
    Ok(puzzles)
}

/// The result of a failed check of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    /// The puzzle is wrong.
    #[error("wrong: {0}")]
    Wrong(String),
    /// It may be right, but no prover here knows.
    #[error("not checked: {0}")]
    Unchecked(String),
}

impl From<Unproven> for Complaint {
    fn from(why: Unproven) -> Complaint {
        Complaint::Unchecked(why.0)
    }
}

impl Puzzle {
    /// The line that leads to the puzzle.
    ///
    /// # Errors
    /// When the game, the position or a move is invalid.
    pub fn line(&self) -> Result<Box<dyn AnyLine>, Fault> {
        let spec = GameSpec::parse(&self.game).map_err(|error| Fault(error.to_string()))?;
        let mut line = match &self.from {
            Some(position) => spec.line_at(position).map_err(|error| Fault(error.to_string()))?,
            None => spec.line(),
        };
        for mv in &self.moves {
            line.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        }
        Ok(line)
    }

    /// Is it solved by its first move? A win whose continuation can be proven everywhere is played out.
    #[must_use]
    pub fn is_one_move(&self) -> bool {
        self.distance.is_none() || self.answer.is_some()
    }

    /// The exact values that a solver of the puzzle is checked against: its own answer if it has one, otherwise what provers know.
    ///
    /// # Errors
    /// With the last prover's sentence if none knows.
    pub fn known(&self, line: &dyn AnyLine, provers: &Provers) -> Result<Exact, Unproven> {
        let Some(answer) = &self.answer else { return exact(provers, line, &Limit::default(), &Stop::never()) };
        let proof = if self.distance.is_some() { Proof::Win } else { Proof::Draw };
        let value = Value { proof, plies: self.distance };
        let (by, moves) = ("the solved table".into(), vec![(answer.clone(), value)]);
        Ok(Exact { value, by, moves, complete: false, all_best: true })
    }

    /// Checks the puzzle with these provers; `Ok` if it is right.
    #[must_use]
    pub fn complaint(&self, provers: &Provers) -> Option<Complaint> {
        self.check(provers).err()
    }

    fn check(&self, provers: &Provers) -> Result<(), Complaint> {
        let wrong = |why: String| Err(Complaint::Wrong(why));
        let line = self.line().map_err(|fault| Complaint::Wrong(fault.to_string()))?;
        if let Some(answer) = self.answer.as_ref().filter(|answer| !line.legal_moves().contains(answer)) {
            return wrong(format!("its answer {answer} is not a legal move"));
        }
        let known = self.sure(&*line, provers)?;
        let Some(sole) = Sole::of(&known, &*line) else {
            return wrong(format!("it is not of the kind {}: it has several right moves, or too few moves", self.kind));
        };
        if !sole.is(self.kind, provers, &Stop::never())? {
            return wrong(format!("it is not of the kind {}", self.kind));
        }
        if known.value.plies != self.distance {
            let plies = |distance: Option<u32>| distance.map_or("a draw".into(), |plies| format!("{plies} plies"));
            return wrong(format!("it ends in {}, not in {}", plies(known.value.plies), plies(self.distance)));
        }
        match &self.answer {
            Some(answer) if answer != sole.best => wrong(format!("the right move is {}, not {answer}", sole.best)),
            _ => Ok(()),
        }
    }

    /// What provers know about its moves. A prover without a table may know only a part, which decides nothing.
    fn sure(&self, line: &dyn AnyLine, provers: &Provers) -> Result<Exact, Complaint> {
        match exact(provers, line, &Limit::default(), &Stop::never()) {
            Ok(known) if known.complete || (known.all_best && self.answer.is_none()) => Ok(known),
            _ if self.answer.is_some() => {
                Err(Complaint::Unchecked(format!("it needs the table of {0} (quintet solve '{0}')", self.game)))
            }
            Ok(known) => Err(Complaint::Unchecked(format!("{} names one right move, not all.", known.by))),
            Err(why) => Err(why.into()),
        }
    }

    fn new(line: &dyn AnyLine, kind: PuzzleKind, distance: Option<u32>, answer: &str) -> Puzzle {
        let info = line.spec().info();
        let sides = [line.to_move(), line.to_move().other()].map(|player| info.sides[player.index()]);
        Puzzle {
            id: String::new(),
            game: line.spec().to_string(),
            from: Some(line.position()),
            moves: Vec::new(),
            kind,
            title: kind.title(sides, distance.map_or(0, |plies| plies.div_ceil(2))),
            distance,
            answer: Some(answer.to_owned()),
        }
    }
}

/// Is a move as good as the best? It has an equal result, and wins no later than the quickest.
#[must_use]
pub fn is_right(known: &Exact, mv: &str) -> bool {
    let best = known.value;
    known.moves.iter().any(|(own, value)| {
        own == mv && value.proof == best.proof && (best.proof != Proof::Win || value.plies == best.plies)
    })
}
