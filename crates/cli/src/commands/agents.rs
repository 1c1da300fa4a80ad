//! `quintet agents`: the named agents, the levels, and the kinds that specs are made of.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use quintet_agent::{Catalogue, Entry, KINDS, Level};
use quintet_game::{GAMES, GameSpec};
use serde_json::{Value, json};

/// Which agents are listed.
#[derive(Args, Debug)]
pub struct AgentsArgs {
    /// Of one game
    #[arg(value_name = "GAME")]
    pub game: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists the agents of one game, or of all.
pub fn run(out: &mut dyn Write, agents: &Catalogue, args: &AgentsArgs) -> Result<()> {
    let game = args.game.as_deref().map(name_of).transpose()?;
    let entries: Vec<&Entry> = agents.entries().filter(|entry| game.is_none_or(|game| entry.game == game)).collect();
    let levels: Vec<&Level> = agents.levels().filter(|level| game.is_none_or(|game| level.game == game)).collect();
    if args.json {
        let all: Vec<Value> = entries.into_iter().map(|entry| describe(agents, entry)).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    for info in GAMES.iter().filter(|info| game.is_none_or(|game| info.name == game)) {
        let of_game: Vec<&&Entry> = entries.iter().filter(|entry| entry.game == info.name).collect();
        let Some(first) = of_game.first() else { continue };
        writeln!(out, "{}: {}\n{}\n", info.title, first.paper, table(&of_game))?;
    }
    let as_programmed =
        "An agent with two modes plays as printed by default; mode= chooses: 'pathwayz:beam(mode=as-programmed)'.";
    writeln!(out, "Levels, the same names in every game:\n{}\n", level_table(&levels))?;
    writeln!(out, "{as_programmed}\nArguments after a name replace its own: 'twixt:best-first(depth=4)'.\n")?;
    writeln!(out, "Or compose one, as in 'alphabeta(eval=distance,depth=5,time=2s)', from these kinds:")?;
    let mut kinds = Table::new();
    kinds.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    for kind in KINDS {
        kinds.add_row([format!("  {}", kind.name), kind.about.to_owned(), kind.arguments.to_owned()]);
    }
    writeln!(
        out,
        "{kinds}\n\nEvery kind takes those of the limits time, nodes, depth and visits that apply to it, and slips=RATE, the share of random moves; sees-wins=yes keeps it from missing a win in one. With slip-temperature=T, puct draws its slips from the priors of its moves."
    )?;
    writeln!(
        out,
        "All but ugi take random-first=N too: their first N moves of a game are random; and those that count visits vary their openings with variety=T."
    )?;
    Ok(())
}

/// The name of the game of a spec or bare name.
fn name_of(text: &str) -> Result<&'static str> {
    match GameSpec::parse(text) {
        Ok(spec) => Ok(spec.info().name),
        Err(error) => bail!("{error}"),
    }
}

fn table(entries: &[&&Entry]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["  agent", "modes", "section", "what it does"]);
    for entry in entries {
        let modes: Vec<&str> = entry.specs.iter().map(|spec| spec.mode.name()).collect();
        let about = match &entry.needs {
            Some(needs) => format!("{} [not trained yet: {needs}]", entry.about),
            None => entry.about.clone(),
        };
        table.add_row([format!("  {}", entry.token()), modes.join(", "), entry.section.clone(), about]);
    }
    table
}

fn level_table(levels: &[&Level]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["  level", "game", "strength", "spec"]);
    for level in levels {
        table.add_row([format!("  {}", level.token()), level.game.into(), level.to_string(), level.spec.to_string()]);
    }
    table
}

/// Its measured strength, from the weights of its default mode.
fn strength(agents: &Catalogue, entry: &Entry) -> Option<String> {
    let names = agents.weight_store().checksums(&entry.specs[0].spec, entry.game).ok()?;
    let weights = agents.weight_store().weights(&names.first()?.0).ok()?;
    Some(weights.made.strength.clone()).filter(|strength| !strength.is_empty())
}

fn describe(agents: &Catalogue, entry: &Entry) -> Value {
    let modes: Vec<&str> = entry.specs.iter().map(|spec| spec.mode.name()).collect();
    let specs: serde_json::Map<String, Value> =
        entry.specs.iter().map(|spec| (spec.mode.name().to_owned(), json!(spec.spec.to_string()))).collect();
    json!({
        "agent": entry.token(),
        "game": entry.game,
        "paper": entry.paper,
        "section": entry.section,
        "about": entry.about,
        "modes": modes,
        "search": entry.search(),
        "eval": entry.eval(),
        "specs": specs,
        "ready": entry.needs.is_none(),
        "needs": entry.needs,
        "strength": strength(agents, entry),
    })
}
