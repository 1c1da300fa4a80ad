//! `quintet replay` for people; programs are served by [`crate::jsonl`].

use std::io::Write;

use anyhow::Result;
use quintet_api::replay;
use quintet_game::GameSpec;
use serde_json::json;

use crate::args::History;
use crate::{position, screen};

/// Replays one game for a person: every move with the number of legal answers, then the final board.
pub fn one(out: &mut dyn Write, spec: GameSpec, moves: &[String], from: Option<&str>, json: bool) -> Result<()> {
    if json {
        // The same answer that a program gets, errors included; but a person's command fails on them.
        let request = json!({"id": null, "game": spec.to_string(), "moves": moves, "position": from});
        writeln!(out, "{}", replay::answer(request.to_string().as_bytes()))?;
        out.flush()?;
    }
    let mut table = position::table(spec, &History { moves: Vec::new(), position: from.map(str::to_owned) })?;
    let mut say = |text: String| if json { Ok(()) } else { writeln!(out, "{text}") };
    say(format!("{spec}: {} legal moves", table.count_moves()))?;
    for token in moves {
        let mover = screen::side(table.as_ref(), table.to_move());
        let notice = table.notice(token);
        let mv = table.try_play(token)?;
        say(format!("{:>4}. {mover:<6} {mv:<14} {} legal moves", table.plies(), table.count_moves()))?;
        if let Some(notice) = notice {
            say(format!("      {}", notice.replace('\n', "\n      ")))?;
        }
    }
    if !json {
        writeln!(out)?;
        position::print(out, table.as_ref())?;
    }
    Ok(())
}
