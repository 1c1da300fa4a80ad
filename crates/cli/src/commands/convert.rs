//! `quintet convert`: games from one format to another, without the store.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use quintet_records::{Format, export, import};

use crate::args::Reading;
use crate::output::note;

/// What to convert into what.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_enum, default_value = "text")]
    pub to: Into,
    #[command(flatten)]
    pub how: Reading,
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Into {
    /// Text records, one per line
    Text,
    /// JSON objects, one per line
    Jsonl,
    /// Only the moves, one game per line
    Plain,
    /// TwixT for T1j: one game per file
    T1,
    /// TwixT in Little Golem's format, one game per line
    Tsgf,
    /// TwixT in Smart Game Format, one game per line
    Sgf,
}

impl Into {
    fn format(self) -> Format {
        match self {
            Into::Text => Format::Own,
            Into::Jsonl => Format::Jsonl,
            Into::Plain => Format::Plain,
            Into::T1 => Format::T1,
            Into::Tsgf => Format::Tsgf,
            Into::Sgf => Format::Sgf,
        }
    }
}

/// Writes the games of some files in another format. Errors go to standard error; the part before each is kept.
pub fn run(out: &mut dyn Write, args: &ConvertArgs) -> Result<()> {
    let mut written = 0;
    for file in &args.files {
        let name = file.display().to_string();
        let bytes = if name == "-" {
            quintet_data::read_all(std::io::stdin().lock()).context("cannot read standard input")?
        } else {
            quintet_data::read_file(file).with_context(|| format!("cannot read {name}"))?
        };
        let games = import(&String::from_utf8_lossy(&bytes), args.how.format, &args.how.options())
            .with_context(|| name.clone())?;
        for game in games {
            for note in &game.notes {
                note!("{name}: {note}");
            }
            if let Some(fault) = &game.fault {
                note!("{name}: {fault} The moves before it are kept.");
            }
            match game.record.as_ref().map(|record| export(record, args.to.format())) {
                Some(Ok(_)) if args.to == Into::T1 && written > 0 => {
                    bail!("a t1 file holds one game, but there are more")
                }
                Some(Ok(text)) => write!(out, "{text}")?,
                Some(Err(why)) => note!("{name}, line {}: {why} The game is left out.", game.line),
                None => continue,
            }
            written += 1;
        }
    }
    Ok(())
}
