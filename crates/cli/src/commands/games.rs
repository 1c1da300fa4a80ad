//! `quintet games`: the games with their variants and options.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use quintet_game::registry::{Info, OptionInfo, Values};
use quintet_game::{GAMES, GameSpec};
use serde_json::{Value, json};

/// How the games are listed.
#[derive(Args, Debug)]
pub struct GamesArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists games, variants and options.
pub fn run(out: &mut dyn Write, args: &GamesArgs) -> Result<()> {
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&GAMES.iter().map(describe).collect::<Vec<_>>())?)?;
        return Ok(());
    }
    for info in GAMES {
        writeln!(out, "{}: {}\n  {}", info.name, info.title, info.about)?;
        writeln!(out, "  a move: {}", info.example)?;
        if !info.options.is_empty() {
            writeln!(out, "{}", options(info))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "A spec is a name, or a name with options: twixt(size=8,rules=paper). Quote it in a shell.")?;
    Ok(())
}

fn options(info: &'static Info) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    for option in info.options {
        let default = default(info, option);
        match option.values {
            Values::Range(..) => {
                table.add_row([
                    format!("  {}={}", option.key, option.allowed().replace(" to ", "..")),
                    format!("{}, default {default}", option.about),
                ]);
            }
            Values::Words(words) => {
                for (word, meaning) in words {
                    let mark = if *word == default { " (default)" } else { "" };
                    table.add_row([format!("  {}={word}", option.key), format!("{meaning}{mark}")]);
                }
            }
        }
    }
    table
}

/// The default with every other option at its default.
fn default(info: &'static Info, option: &OptionInfo) -> String {
    GameSpec::of(info).word(option.key)
}

fn describe(info: &'static Info) -> Value {
    let options: Vec<Value> = info
        .options
        .iter()
        .map(|option| {
            let values = match option.values {
                Values::Words(words) => {
                    json!(words.iter().map(|(word, about)| json!({"value": word, "about": about})).collect::<Vec<_>>())
                }
                Values::Range(low, high) => json!({"from": low, "to": high}),
            };
            json!({"key": option.key, "about": option.about, "default": default(info, option), "values": values})
        })
        .collect();
    json!({"game": info.name, "title": info.title, "about": info.about, "example": info.example, "options": options})
}
