//! `quintet import`: games of other programs into the store.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use quintet_game::record::Record;
use quintet_records::import;

use crate::args::Reading;
use crate::data;

/// Which files are read, and how.
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub how: Reading,
}

/// Reads games of other programs into the store.
pub fn run(out: &mut dyn Write, data: Option<&Path>, args: &ImportArgs) -> Result<()> {
    let options = args.how.options();
    let mut store = data::store(data)?;
    for file in &args.files {
        let bytes = quintet_data::read_file(file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let games = import(&text, args.how.format, &options).with_context(|| format!("{}", file.display()))?;
        let mut notes: Vec<&String> = Vec::new();
        for game in &games {
            if let Some(fault) = &game.fault {
                writeln!(out, "{}: {fault} The moves before it are stored.", file.display())?;
            }
            // A note that repeats for every game of a file is printed once.
            notes.extend(game.notes.iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
        }
        for note in notes {
            writeln!(out, "{}: {note}", file.display())?;
        }
        let records: Vec<Record> = games.into_iter().filter_map(|game| game.record).collect();
        let kept = store.import(&records, &file.display().to_string())?;
        writeln!(out, "{}: {kept} games stored", file.display())?;
    }
    Ok(())
}
