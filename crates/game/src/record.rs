//! The text record of a game: one line that people can read and every part of the program can load.

use std::fmt;

use crate::notation::{Fault, MoveError};
use crate::text::quote;
use crate::{AnyLine, GameSpec};

/// A written game: `GAME; MOVES; RESULT; REASON; PLAYERS; SEED`, with `from POSITION` after the game if it did not begin
/// at the start.
///
/// ```
/// use quintet_game::record::Record;
/// let record = Record::read("twixt(size=6); 1.b3 2.swap 3.c4; *; ; anna, random; seed 7").unwrap();
/// let (line, fault) = record.replay().unwrap();
/// assert!(fault.is_none());
/// assert_eq!(line.plies(), 3);
/// assert_eq!(record.to_string(), "twixt(size=6); 1.b3 2.swap 3.c4; *; ; anna, random; seed 7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game.
    pub spec: GameSpec,
    /// The position it began in, unless that was the game's own start.
    pub from: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
    /// `first`, `second`, `draw`, or `*` while it goes on.
    pub result: String,
    /// Why it ended.
    pub reason: String,
    /// Who played, first player first.
    pub players: String,
    /// The seed of random players.
    pub seed: Option<u64>,
}

impl Record {
    /// The record of a game in progress or finished.
    #[must_use]
    pub fn of(line: &dyn AnyLine, players: [&str; 2], seed: Option<u64>) -> Record {
        let (result, reason) = line.end().map_or(("*", ""), |(outcome, reason)| (outcome.name(), reason));
        Record {
            spec: line.spec(),
            from: line.begun_from(),
            moves: line.moves(),
            result: result.into(),
            reason: reason.into(),
            players: players.join(", "),
            seed,
        }
    }

    /// Reads a record; all fields after the moves may be missing, and moves may come with or without numbers.
    pub fn read(text: &str) -> Result<Record, Fault> {
        let mut fields = text.trim().split(';').map(str::trim).peekable();
        let game = fields.next().unwrap_or_default();
        let spec = GameSpec::parse(game).map_err(|e| Fault(format!("record, game: {e}")))?;
        let from = fields.next_if(|field| field.starts_with("from ")).map(|field| on_one_line(&field[5..]));
        let moves = fields.next().unwrap_or_default().split_whitespace().map(without_number);
        let moves = moves.filter(|mv| !mv.is_empty()).map(str::to_owned).collect();
        let mut next = || on_one_line(fields.next().unwrap_or_default());
        let (result, reason, players, seed) = (next(), next(), next(), next());
        let seed = match seed.strip_prefix("seed ") {
            Some(number) => Some(
                number
                    .parse()
                    .map_err(|_| Fault(format!("record, seed: \"{}\" is not a number.", quote(number, 40))))?,
            ),
            None => None,
        };
        let result = if result.is_empty() { "*".into() } else { result };
        Ok(Record { spec, from, moves, result, reason, players, seed })
    }

    /// Plays the record: the line as far as the moves are legal, and what is wrong with the first illegal one.
    pub fn replay(&self) -> Result<(Box<dyn AnyLine>, Option<MoveError>), Fault> {
        let mut line = match &self.from {
            Some(position) => self.spec.line_at(position).map_err(|e| Fault(format!("record, {e}")))?,
            None => self.spec.line(),
        };
        for mv in &self.moves {
            if let Err(error) = line.try_play(mv) {
                return Ok((line, Some(error)));
            }
        }
        Ok((line, None))
    }
}

/// The words of a field with one blank between them, because a record is one line.
fn on_one_line(field: &str) -> String {
    field.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Strips a move number: `3.f6` and `f6` are both `f6`.
fn without_number(token: &str) -> &str {
    match token.split_once('.') {
        Some((number, mv)) if number.bytes().all(|b| b.is_ascii_digit()) => mv,
        _ => token,
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}; ", self.spec)?;
        if let Some(from) = &self.from {
            write!(f, "from {from}; ")?;
        }
        let moves: Vec<String> = (1..).zip(&self.moves).map(|(n, mv)| format!("{n}.{mv}")).collect();
        write!(f, "{}; {}; {}; {}", moves.join(" "), self.result, self.reason, self.players)?;
        self.seed.map_or(Ok(()), |seed| write!(f, "; seed {seed}"))
    }
}
