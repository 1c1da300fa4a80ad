//! Our own records and JSON lines: one game per line, named by its spec.

use quintet_game::record::{Record, reason_text};

use super::draft::{Claim, Draft, Step, refused, remark};
use super::{Games, ImportError, Imported, data_lines};
use crate::Object;

/// No record of [`super::MOST_MOVES`] moves is longer.
const LONGEST_LINE: usize = 1 << 20;

/// Text records, one per line.
pub fn records(text: &str, games: &mut Games) -> Result<(), ImportError> {
    each_line(text, games, |number, line| {
        let (record, result) = Record::read_with_result(line).map_err(|fault| fault.to_string())?;
        let mut notes = Vec::new();
        let claim = Claim::read(&result, reason_text(record.reason.as_ref()), &mut notes);
        Ok(draft(number, record, claim, notes).play())
    })
}

/// JSON objects, one per line.
pub fn json_lines(text: &str, games: &mut Games) -> Result<(), ImportError> {
    each_line(text, games, |number, line| {
        let (record, claim, notes) = object(line)?;
        Ok(draft(number, record, claim, notes).play())
    })
}

fn each_line(
    text: &str,
    games: &mut Games,
    read: impl Fn(usize, &str) -> Result<Imported, String>,
) -> Result<(), ImportError> {
    for (number, line) in data_lines(text) {
        let game = match line.len() {
            ..=LONGEST_LINE => read(number, line),
            long => Err(format!("{long} bytes are too long for a record; it has at most {LONGEST_LINE}.")),
        };
        games.push(game.unwrap_or_else(|why| refused(number, why, Vec::new())))?;
    }
    Ok(())
}

fn draft(line: usize, record: Record, claim: Claim, notes: Vec<String>) -> Draft {
    Draft {
        line,
        spec: record.spec,
        from: record.from,
        steps: record.moves.into_iter().map(|mv| Step::plain(line, mv)).collect(),
        claim,
        players: remark(&record.players),
        seed: record.seed,
        notes,
        flaw: None,
    }
}

/// The record that a JSON object is, the result that it gives, and what it has beyond one.
fn object(line: &str) -> Result<(Record, Claim, Vec<String>), String> {
    let object = Object::parse(line.as_bytes()).map_err(|fault| fault.to_string())?;
    let text = |key: &str| object.text(key).map_err(|fault| fault.to_string());
    let said = |key: &str| text(key).map(Option::unwrap_or_default);
    let record = Record {
        spec: object.spec().map_err(|fault| fault.to_string())?,
        from: text("position")?,
        moves: object.texts("moves").map_err(|(_, fault)| fault.to_string())?,
        result: None,
        reason: None,
        players: said("players")?,
        seed: object.count("seed").map_err(|fault| fault.to_string())?,
    };
    let (result, reason) = (said("result")?, said("reason")?);
    let known = ["id", "game", "moves", "position", "result", "reason", "players", "seed"];
    let mut notes: Vec<String> = object.check_keys(&known).err().iter().map(ToString::to_string).collect();
    let claim = Claim::read(&result, &reason, &mut notes);
    Ok((record, claim, notes))
}
