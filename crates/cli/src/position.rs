//! Positions: from the command line to the screen.

use std::io::Write;

use anyhow::Result;
use quintet_game::{AnyLine, GameSpec};
use serde_json::json;

use crate::args::History;
use crate::screen;

/// The game in progress that a spec, a position and moves lead to.
pub fn table(spec: GameSpec, history: &History) -> Result<Box<dyn AnyLine>> {
    let mut table = match &history.position {
        Some(text) => spec.line_at(text)?,
        None => spec.line(),
    };
    for mv in history.moves.iter().flat_map(|moves| moves.split_ascii_whitespace()) {
        table.try_play(mv)?;
    }
    Ok(table)
}

/// The board with who is to move or has won, the number of legal moves, and the position's text.
pub fn print(out: &mut dyn Write, table: &dyn AnyLine) -> Result<()> {
    write!(out, "{}", screen::board(table))?;
    if table.end().is_none() {
        writeln!(out, "{} legal moves", table.count_moves())?;
    }
    writeln!(out, "position: {}", table.position())?;
    Ok(())
}

/// Everything about a position, as JSON.
pub fn describe(table: &dyn AnyLine) -> serde_json::Value {
    json!({
        "game": table.spec().to_string(),
        "moves": table.moves(),
        "position": table.position(),
        "to_move": table.to_move().to_string(),
        "outcome": table.end().map(|(outcome, _)| outcome.name()),
        "reason": table.end().map(|(_, reason)| reason),
        "wins": table.wins(),
        "legal_moves": table.legal_moves(),
    })
}
