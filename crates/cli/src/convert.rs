//! `quintet convert`: games from one form into another, past the store.

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use quintet_game::record::Record;
use serde_json::json;

use crate::records::ImportArgs;

/// What to convert into what.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What the games become
    #[arg(long, value_enum, default_value = "text")]
    pub to: Into,
    #[command(flatten)]
    pub how: ImportArgs,
}

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Into {
    /// A text record a line
    Text,
    /// A JSON object a line
    Jsonl,
    /// The moves alone, a game a line
    Plain,
}

/// Writes the games of some files in another form. Faults go to standard error; the part before each is kept.
pub fn run(out: &mut dyn Write, args: &ConvertArgs) -> Result<()> {
    for file in &args.files {
        let name = file.display().to_string();
        let bytes = if name == "-" {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            bytes
        } else {
            std::fs::read(file).with_context(|| format!("cannot read {name}"))?
        };
        let games =
            quintet_arena::import::import(&String::from_utf8_lossy(&bytes), args.how.format, &args.how.options())
                .with_context(|| name.clone())?;
        for game in games {
            for note in &game.notes {
                eprintln!("{name}: {note}");
            }
            if let Some(fault) = &game.fault {
                eprintln!("{name}: {fault} What stands before it is kept.");
            }
            if let Some(record) = &game.record {
                writeln!(out, "{}", written(record, args.to))?;
            }
        }
    }
    Ok(())
}

fn written(record: &Record, form: Into) -> String {
    match form {
        Into::Text => record.to_string(),
        Into::Plain => record.moves.join(" "),
        Into::Jsonl => json!({
            "game": record.spec.to_string(), "position": record.from, "moves": record.moves, "result": record.result, "reason": record.reason,
            "players": record.players,
        })
        .to_string(),
    }
}
