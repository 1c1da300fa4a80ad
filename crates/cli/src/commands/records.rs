//! `quintet records`: games in the store.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Subcommand, ValueEnum};
use comfy_table::{ContentArrangement, Table, presets};
use quintet_arena::StoredGame;
use quintet_game::record::{Record, reason_text, result_text};
use quintet_records::Format;
use serde_json::{Value, json};

use crate::{data, screen};

/// What to do with stored games.
#[derive(Debug, Subcommand)]
pub enum Records {
    /// List runs, or games
    #[command(
        after_help = "Examples:\n  quintet records list\n  quintet records list --run 7\n  quintet records list --game twixt --json"
    )]
    List {
        /// Only games of this run
        #[arg(long)]
        run: Option<i64>,
        /// Only games of this game, as in twixt or 'twixt(size=8)'
        #[arg(long)]
        game: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one game and its last position
    #[command(after_help = "Example:\n  quintet records show 12")]
    Show {
        /// The game's number
        id: i64,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Export games as text, JSON lines or CSV
    #[command(after_help = "Example:\n  quintet records export --run 7 --form csv --file games.csv")]
    Export {
        /// Only games of this run
        #[arg(long)]
        run: Option<i64>,
        /// Only games of this game, as in twixt or 'twixt(size=8)'
        #[arg(long)]
        game: Option<String>,
        /// The format
        #[arg(long, value_enum, default_value_t = ExportForm::Text)]
        form: ExportForm,
        /// The output file (default: standard output)
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// Output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// Text records, one per line
    Text,
    /// JSON objects, one per line
    Jsonl,
    /// A table for spreadsheets
    Csv,
    /// TwixT for T1j: one game
    T1,
    /// TwixT in Little Golem's format, one game per line
    Tsgf,
    /// TwixT in Smart Game Format, one game per line
    Sgf,
}

impl ExportForm {
    /// The format of another program.
    fn foreign(self) -> Option<Format> {
        match self {
            ExportForm::Text | ExportForm::Jsonl | ExportForm::Csv => None,
            ExportForm::T1 => Some(Format::T1),
            ExportForm::Tsgf => Some(Format::Tsgf),
            ExportForm::Sgf => Some(Format::Sgf),
        }
    }
}

/// Lists, shows or exports stored games.
pub fn run(out: &mut dyn Write, data: Option<&Path>, what: &Records) -> Result<()> {
    match what {
        Records::List { run, game, json } => list(out, data, *run, game.as_deref(), *json),
        Records::Show { id, json } => show(out, data, *id, *json),
        Records::Export { run, game, form, file } => export(out, data, *run, game.as_deref(), *form, file.as_deref()),
    }
}

/// Lists runs, or the games of one.
fn list(out: &mut dyn Write, data: Option<&Path>, run: Option<i64>, game: Option<&str>, as_json: bool) -> Result<()> {
    let store = data::store_to_read(data)?;
    if run.is_some() || game.is_some() {
        let games = store.games(run, game)?;
        if as_json {
            writeln!(out, "{}", serde_json::to_string_pretty(&games.iter().map(describe).collect::<Vec<_>>())?)?;
            return Ok(());
        }
        let mut table = plain(&["game", "players", "result", "plies", "reason", "kept"]);
        for kept in &games {
            table.add_row([
                format!("{} {}", kept.id, kept.game),
                kept.players.join(" v "),
                result_text(kept.result).to_owned(),
                kept.plies.to_string(),
                reason_text(kept.reason.as_ref()).to_owned(),
                kept.kept.clone(),
            ]);
        }
        writeln!(out, "{table}\n{} games; `quintet records show NUMBER` shows one.", games.len())?;
        return Ok(());
    }
    let all = store.runs()?;
    if as_json {
        let run = |run: &quintet_arena::RunInfo| {
            json!({
                "run": run.id, "kind": run.kind, "game": run.game, "players": run.players, "games": run.games[0],
                "planned": run.games[1], "begun": run.begun, "ended": run.ended,
            })
        };
        writeln!(out, "{}", serde_json::to_string_pretty(&all.iter().map(run).collect::<Vec<_>>())?)?;
        return Ok(());
    }
    let mut table = plain(&["run", "kind", "game", "players", "games", "begun"]);
    for run in &all {
        let state = if run.ended.is_some() { String::new() } else { format!(" of {}: resume", run.games[1]) };
        table.add_row([
            run.id.to_string(),
            run.kind.clone(),
            run.game.clone(),
            run.players.join(", "),
            format!("{}{state}", run.games[0]),
            run.begun.clone(),
        ]);
    }
    writeln!(out, "{table}\n{} runs; `quintet records list --run NUMBER` lists the games of one.", all.len())?;
    Ok(())
}

fn plain(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_header(header);
    table
}

/// Shows one game.
fn show(out: &mut dyn Write, data: Option<&Path>, id: i64, as_json: bool) -> Result<()> {
    let kept = data::store_to_read(data)?.game(id)?;
    if as_json {
        writeln!(out, "{}", describe(&kept))?;
        return Ok(());
    }
    let (line, fault) = Record::read(&kept.record).and_then(|record| record.replay())?;
    writeln!(out, "{}\n\n{}", kept.record, screen::board(line.as_ref()))?;
    if let Some(fault) = fault {
        writeln!(out, "{fault}")?;
    }
    if let Some(worker) = &kept.worker {
        writeln!(out, "played by the worker {worker}")?;
    }
    Ok(())
}

fn describe(kept: &StoredGame) -> Value {
    let moves = Record::read(&kept.record).map(|record| record.moves).unwrap_or_default();
    // Checksums by name of what each side used: weights, books.
    let [first, second] = kept.weights.each_ref().map(|text| text.as_ref().and_then(|text| text.parse::<Value>().ok()));
    json!({
        "id": kept.id, "run": kept.run.map(|run| run.0), "number": kept.run.map(|run| run.1), "game": kept.game,
        "first": kept.players[0], "second": kept.players[1], "weights": { "first": first, "second": second }, "result": result_text(kept.result), "reason": reason_text(kept.reason.as_ref()),
        "plies": kept.plies, "moves": moves, "source": kept.source, "kept": kept.kept, "worker": kept.worker,
    })
}

/// Exports games: text records, JSON lines, CSV, or a format of another program.
fn export(
    out: &mut dyn Write,
    data: Option<&Path>,
    run: Option<i64>,
    game: Option<&str>,
    form: ExportForm,
    file: Option<&Path>,
) -> Result<()> {
    let games = data::store_to_read(data)?.games(run, game)?;
    if form == ExportForm::T1 && games.len() != 1 {
        bail!("a t1 file holds one game, but there are {}; tsgf and sgf hold many", games.len());
    }
    let mut text = String::new();
    if form == ExportForm::Csv {
        text.push_str("id,run,number,game,first,second,result,reason,plies,moves\n");
    }
    for kept in &games {
        text.push_str(&match form {
            ExportForm::Text => kept.record.clone(),
            ExportForm::Jsonl => describe(kept).to_string(),
            ExportForm::Csv => csv(kept),
            _ => foreign(kept, form)?,
        });
        text.push('\n');
    }
    match file {
        None => out.write_all(text.as_bytes())?,
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
            writeln!(out, "{} games written to {}", games.len(), file.display())?;
        }
    }
    Ok(())
}

/// A game in the format of another program.
fn foreign(kept: &StoredGame, form: ExportForm) -> Result<String> {
    let format = form.foreign().expect("called only for formats of other programs");
    let written = quintet_records::export(&Record::read(&kept.record)?, format);
    Ok(written.with_context(|| format!("game {}", kept.id))?.trim_end().to_owned())
}

fn csv(kept: &StoredGame) -> String {
    let moves = Record::read(&kept.record).map(|record| record.moves.join(" ")).unwrap_or_default();
    let run = kept.run.map_or_else(Default::default, |(run, number)| [run.to_string(), number.to_string()]);
    let fields = [
        kept.id.to_string(),
        run[0].clone(),
        run[1].clone(),
        kept.game.clone(),
        kept.players[0].clone(),
        kept.players[1].clone(),
        result_text(kept.result).to_owned(),
        reason_text(kept.reason.as_ref()).to_owned(),
        kept.plies.to_string(),
        moves,
    ];
    fields.iter().map(|field| csv_field(field)).collect::<Vec<_>>().join(",")
}

/// A field of a table for spreadsheets, which take some texts for formulas: these get an apostrophe. Numbers stay numbers.
fn csv_field(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.parse::<f64>().is_err();
    let text = if is_formula { format!("'{field}") } else { field.to_owned() };
    if is_formula || text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::csv_field;

    #[test]
    fn formulas_are_texts_and_numbers_are_numbers() {
        for (field, written) in [
            ("=1+1", "\"'=1+1\""),
            ("+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\""),
            ("-x", "\"'-x\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("=HYPERLINK(\"a\",\"b\")", "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""),
            ("-5", "-5"),
            ("+1.5e3", "+1.5e3"),
            ("12", "12"),
            ("a=b", "a=b"),
            ("a,b", "\"a,b\""),
            ("", ""),
        ] {
            assert_eq!(csv_field(field), written);
        }
    }
}
