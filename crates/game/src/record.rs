//! The text record of a game: one line that people can read and every part of the program can load.

use std::fmt;

use crate::notation::{Fault, MoveError};
use crate::text::quote;
use crate::{AnyLine, EndReason, GameSpec, Outcome};

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
    /// How it ended; none while it goes on.
    pub result: Option<Outcome>,
    /// Why it ended, if that is said.
    pub reason: Option<EndReason>,
    /// Who played, first player first.
    pub players: String,
    /// The seed of random players.
    pub seed: Option<u64>,
}

impl Record {
    /// The record of a game in progress or finished.
    #[must_use]
    pub fn of(line: &dyn AnyLine, players: [&str; 2], seed: Option<u64>) -> Record {
        let (result, reason) = line.end().unzip();
        Record {
            spec: line.spec(),
            from: line.begun_from(),
            moves: line.moves(),
            result,
            reason,
            players: players.join(", "),
            seed,
        }
    }

    /// Reads a record; all fields after the moves may be missing, and moves may come with or without numbers. A result in other words is left out.
    pub fn read(text: &str) -> Result<Record, Fault> {
        Record::read_with_result(text).map(|(record, _)| record)
    }

    /// The same, and the result as the text gives it: other programs may have other words.
    ///
    /// ```
    /// use quintet_game::record::Record;
    /// let (record, result) = Record::read_with_result("pylos; 1.1a1; 1-0").unwrap();
    /// assert_eq!((record.result, &*result), (None, "1-0"));
    /// ```
    pub fn read_with_result(text: &str) -> Result<(Record, String), Fault> {
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
        let (known, reason) = (read_result(&result).unwrap_or_default(), EndReason::given(&reason));
        Ok((Record { spec, from, moves, result: known, reason, players, seed }, result))
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

/// `first`, `second`, `draw`, or `*` for a game without a result.
#[must_use]
pub fn result_text(result: Option<Outcome>) -> &'static str {
    result.map_or("*", Outcome::name)
}

/// The text of a reason; empty if none is said.
#[must_use]
pub fn reason_text(reason: Option<&EndReason>) -> &str {
    reason.map_or("", EndReason::as_str)
}

/// Reads the text of a result; an empty one is `*`.
///
/// ```
/// use quintet_game::{Outcome, record::read_result};
/// assert_eq!(read_result("draw"), Ok(Some(Outcome::Draw)));
/// assert_eq!(read_result("*"), Ok(None));
/// assert_eq!(read_result("lost").unwrap_err().to_string(), "\"lost\" is not first, second, draw or *.");
/// ```
pub fn read_result(text: &str) -> Result<Option<Outcome>, Fault> {
    match text {
        "" | "*" => Ok(None),
        text => {
            let unknown = |_| Fault(format!("\"{}\" is not first, second, draw or *.", quote(text, 40)));
            text.parse().map(Some).map_err(unknown)
        }
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
        let (result, reason) = (result_text(self.result), reason_text(self.reason.as_ref()));
        write!(f, "{}; {result}; {reason}; {}", moves.join(" "), self.players)?;
        self.seed.map_or(Ok(()), |seed| write!(f, "; seed {seed}"))
    }
}
