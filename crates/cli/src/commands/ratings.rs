//! `quintet ratings`: levels and named agents of a game on one list.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::Args;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use quintet_agent::Catalogue;
use quintet_arena::{Rated, RatingFile};
use quintet_game::GameSpec;
use serde_json::json;

/// Whose ratings are printed.
#[derive(Args, Debug)]
pub struct RatingsArgs {
    /// The game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Prints the ratings of a game.
pub fn run(out: &mut dyn Write, agents: &Catalogue, args: &RatingsArgs) -> Result<()> {
    let spec = match GameSpec::parse(&args.game) {
        Ok(spec) => spec,
        Err(error) => bail!("{error}"),
    };
    let path = format!("ratings/{}.toml", spec.info().name);
    let found = agents.weight_store().data().find(&path)?;
    let file = found.with_context(|| format!("no ratings of {} have been measured", spec.info().title))?;
    let read: RatingFile = toml::from_str(file.text()?).map_err(|error| file.wrong(error.to_string()))?;
    let list = read.ratings();
    let (seat, draws) = (read.model().seat(), read.model().draws());
    if args.json {
        let rows: Vec<_> = list.iter().map(|rated| describe(agents, &spec, rated)).collect();
        let all = json!({
            "game": read.game, "anchor": read.anchor, "openings": read.openings, "even": read.even, "ratings": rows,
            "first_seat": { "elo": seat.elo, "error": seat.error }, "draws": draws,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["  player", "rating", "step", "games", "agent"]);
    for rated in &list {
        let agent = agents.resolved(&spec, &rated.name).unwrap_or_default();
        let step = rated.step.map(|step| format!("{:+.0} +- {:.0}", step.elo, step.error)).unwrap_or_default();
        table.add_row([format!("  {}", rated.name), strength(rated), step, rated.games.to_string(), agent]);
    }
    for column in 1..=3 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(out, "Ratings of {}, played on {}:\n{table}\n", spec.info().title, read.game)?;
    writeln!(
        out,
        "{} has the rating {:.0}; other ratings have 95 % errors of their distance from it, and a step is the distance from the level below.",
        read.anchor, read.elo
    )?;
    writeln!(
        out,
        "Davidson's model with a seat: moving first is worth {:.0} +- {:.0} Elo, and {:.0} % of the games of equals are drawn.",
        seat.elo,
        seat.error,
        100.0 * draws
    )?;
    writeln!(
        out,
        "Every match of data/{path} can be played again: quintet match '{}' PLAYER PLAYER --games N --openings {}{} --seed SEED",
        read.game,
        read.openings,
        if read.even { " --even" } else { "" }
    )?;
    Ok(())
}

/// `1180 +- 40`, without an error for the anchor.
fn strength(rated: &Rated) -> String {
    match rated.rating.error {
        0.0 => format!("{:.0}", rated.rating.elo),
        error => format!("{:.0} +- {error:.0}", rated.rating.elo),
    }
}

fn describe(agents: &Catalogue, spec: &GameSpec, rated: &Rated) -> serde_json::Value {
    json!({
        "player": rated.name,
        "elo": rated.rating.elo,
        "error": rated.rating.error,
        "step": rated.step.map(|step| json!({ "elo": step.elo, "error": step.error })),
        "games": rated.games,
        "agent": agents.resolved(spec, &rated.name).ok(),
    })
}
