//! `quintet replay`: a game from its first move to its last.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use quintet_api::replay;
use quintet_game::GameSpec;
use serde_json::json;

use crate::args::History;
use crate::{jsonl, position, screen};

/// Which game is replayed.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The game
    #[arg(value_name = "SPEC", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub spec: Option<GameSpec>,
    /// The moves
    #[arg(value_name = "MOVE")]
    pub moves: Vec<String>,
    /// Start from this position
    #[arg(long, value_name = "TEXT", conflicts_with = "jsonl")]
    pub position: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Answer JSON lines from standard input
    #[arg(long)]
    pub jsonl: bool,
}

/// Replays one game, or those that standard input asks about.
pub fn run(out: &mut dyn Write, args: &ReplayArgs) -> Result<()> {
    if args.jsonl {
        return jsonl::serve(&mut io::stdin().lock(), out, replay::answer);
    }
    let spec = args.spec.expect("clap demands a spec without --jsonl");
    one(out, spec, &args.moves, args.position.as_deref(), args.json)
}

/// Replays one game for a person: every move with the number of legal answers, then the final board.
fn one(out: &mut dyn Write, spec: GameSpec, moves: &[String], from: Option<&str>, json: bool) -> Result<()> {
    if json {
        // The same answer that a program gets; but errors make this command fail.
        let request = json!({"id": null, "game": spec.to_string(), "moves": moves, "position": from});
        writeln!(out, "{}", replay::answer(request.to_string().as_bytes()))?;
        out.flush()?;
    }
    let mut line = position::line(spec, &History { moves: Vec::new(), position: from.map(str::to_owned) })?;
    let mut say = |text: String| if json { Ok(()) } else { writeln!(out, "{text}") };
    say(format!("{spec}: {} legal moves", line.count_moves()))?;
    for token in moves {
        let mover = screen::side(line.as_ref(), line.to_move());
        let notice = line.notice(token);
        let mv = line.try_play(token)?;
        say(format!("{:>4}. {mover:<6} {mv:<14} {} legal moves", line.plies(), line.count_moves()))?;
        if let Some(notice) = notice {
            say(format!("      {}", notice.replace('\n', "\n      ")))?;
        }
    }
    if !json {
        writeln!(out)?;
        position::print(out, line.as_ref())?;
    }
    Ok(())
}
