//! Positions: from the command line to the screen.

use std::io::Write;

use anyhow::Result;
use quintet_game::{AnyLine, GameSpec};
use serde_json::json;

use crate::args::History;
use crate::screen;

/// The game in progress that a spec, a position and moves lead to.
pub fn line(spec: GameSpec, history: &History) -> Result<Box<dyn AnyLine>> {
    let mut line = match &history.position {
        Some(text) => spec.line_at(text)?,
        None => spec.line(),
    };
    for mv in history.moves.iter().flat_map(|moves| moves.split_ascii_whitespace()) {
        line.try_play(mv)?;
    }
    Ok(line)
}

/// The board with who is to move or has won, the number of legal moves, and the position's text.
pub fn print(out: &mut dyn Write, line: &dyn AnyLine) -> Result<()> {
    write!(out, "{}", screen::board(line))?;
    if line.end().is_none() {
        writeln!(out, "{} legal moves", line.count_moves())?;
    }
    writeln!(out, "position: {}", line.position())?;
    Ok(())
}

/// Everything about a position, as JSON.
pub fn describe(line: &dyn AnyLine) -> serde_json::Value {
    json!({
        "game": line.spec().to_string(),
        "moves": line.moves(),
        "position": line.position(),
        "to_move": line.to_move().to_string(),
        "outcome": line.end().map(|(outcome, _)| outcome.name()),
        "reason": line.end().map(|(_, reason)| reason),
        "wins": line.wins(),
        "legal_moves": line.legal_moves(),
    })
}
