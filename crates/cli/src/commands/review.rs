//! `quintet review`: what each move of a game gave away.

use std::io::Write;

use anyhow::{Context, Result};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use quintet_agent::{Catalogue, Class, Ply, Review, review};
use quintet_api::REVIEW_NODES;
use quintet_game::record::Record;
use quintet_game::{Limit, Player, Proof};
use serde_json::{Value, json};

use crate::args::Effort;
use crate::{interrupt, screen};

/// Which game, and which agent reviews it.
#[derive(Args, Debug)]
pub struct ReviewArgs {
    /// The record of a game, a file that holds one, or - for standard input
    #[arg(value_name = "RECORD|FILE|-")]
    pub record: String,
    /// The reviewing agent: one with win chances, such as mcts or puct (default: the game's strongest, with 2000 nodes for each position)
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    #[command(flatten)]
    pub effort: Effort,
    /// Seed of all random streams
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Show all moves, not only those that gave something away
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Reviews a game.
pub fn run(out: &mut dyn Write, agents: &Catalogue, args: &ReviewArgs) -> Result<()> {
    let record = Record::read(&text(&args.record)?)?;
    let stop = interrupt::stop_on_interrupt()?;
    let total = record.moves.len() as u64;
    let mut bar = screen::Forming::new(total, 0, "review");
    let agent = args.agent.clone().unwrap_or_else(|| agents.strongest(&record.spec));
    let limit = match args.effort.limit() {
        limit if limit.is_any() || args.agent.is_some() => limit,
        _ => Limit::nodes(REVIEW_NODES),
    };
    let mut adviser = agents.adviser(&record.spec, Some(&agent), args.seed)?;
    let result = review(&mut adviser, &agent, &record, &limit, &stop, &mut |plies, _| {
        bar.so_far(plies.len() as u64, "moves");
        !stop.stopped()
    });
    bar.finish();
    let review = result?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&describe(&record, &agent, &review))?)?;
        return Ok(());
    }
    print(out, &record, args.all, &agent, &review)
}

/// The first line that is a record: of the argument itself, of a file, or of standard input.
fn text(asked: &str) -> Result<String> {
    let whole = if asked == "-" {
        let bytes = quintet_data::read_all(std::io::stdin().lock()).context("cannot read standard input")?;
        String::from_utf8(bytes).context("cannot read standard input")?
    } else if asked.contains(';') {
        asked.to_owned()
    } else {
        quintet_data::read_text(asked.as_ref())
            .with_context(|| format!("cannot read {asked}; a record would contain semicolons"))?
    };
    let line = whole.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(line.context("there is no record in it")?.to_owned())
}

fn sides(record: &Record) -> [&'static str; 2] {
    record.spec.info().sides
}

fn percent(score: f64) -> String {
    format!("{:.0} %", 100.0 * score)
}

fn chance(ply: &Ply) -> String {
    match ply.before.proof {
        Some(proof) => proof.name().into(),
        None => percent(ply.before.score),
    }
}

fn print(out: &mut dyn Write, record: &Record, all: bool, agent: &str, review: &Review) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["ply", "side", "move", "before", "after", "lost", "", "better"]);
    for (number, ply) in review.plies.iter().enumerate() {
        if !all && ply.class == Class::Fine {
            continue;
        }
        let better = if ply.loss > 0.0 || ply.class != Class::Fine { ply.before.line.join(" ") } else { String::new() };
        table.add_row([
            (number + 1).to_string(),
            sides(record)[ply.player.index()].to_owned(),
            ply.mv.clone(),
            chance(ply),
            percent(ply.after),
            percent(ply.loss),
            ply.class.name().to_owned(),
            better,
        ]);
    }
    for column in [0, 3, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(out, "{table}\n")?;
    for player in Player::BOTH {
        let of = |class| review.plies.iter().filter(|ply| ply.player == player && ply.class == class).count();
        if let Some(accuracy) = review.accuracy(player) {
            writeln!(
                out,
                "{}: accuracy {accuracy:.1} %, {} inaccuracies, {} mistakes, {} blunders, {} wins thrown away",
                sides(record)[player.index()],
                of(Class::Inaccuracy),
                of(Class::Mistake),
                of(Class::Blunder),
                of(Class::WinThrownAway)
            )?;
        }
    }
    writeln!(
        out,
        "{} moves, reviewed by {agent}; chances are estimates unless they say win, draw or loss",
        review.plies.len()
    )?;
    if let Some(fault) = &review.fault {
        writeln!(out, "the record has an error after them: {fault}")?;
    }
    Ok(())
}

fn describe(record: &Record, agent: &str, review: &Review) -> Value {
    let plies: Vec<Value> = review
        .plies
        .iter()
        .map(|ply| {
            json!({
                "side": sides(record)[ply.player.index()], "move": ply.mv, "before": ply.before.score, "after": ply.after,
                "could": ply.could, "loss": ply.loss,
                "class": ply.class.name(), "proven": ply.before.proof.map(Proof::name), "best": ply.before.best, "line": ply.before.line,
            })
        })
        .collect();
    let accuracy = Player::BOTH.map(|player| review.accuracy(player));
    json!({ "game": record.spec.to_string(), "agent": agent, "plies": plies, "accuracy": accuracy, "fault": review.fault })
}
