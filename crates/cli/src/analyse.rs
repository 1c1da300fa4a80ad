//! `quintet analyse`: an agent's thoughts about a position.

use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, presets};
use quintet_agent::{Catalogue, Seat, Step};
use quintet_api::jsonl::{self, Object, Refusal, whole};
use quintet_game::{GameSpec, Limit, Stop, Table, Value};
use quintet_search::{Choice, Report};

use crate::args::History;
use crate::{position, screen};

/// Rows of the table of best moves.
const BEST: usize = 5;

/// A position, and who is asked about it.
pub struct Question<'a> {
    pub spec: GameSpec,
    pub history: &'a History,
    pub agent: &'a str,
    pub seed: u64,
    pub limit: Limit,
}

/// Analyses one position for a person: a live line while the agent thinks, then the best moves.
pub fn one(out: &mut dyn Write, agents: &Catalogue, question: &Question, json: bool) -> Result<()> {
    let Question { spec, history, agent, seed, limit } = question;
    let table = position::table(*spec, history)?;
    let (choice, last) = think_aloud(&mut *agents.seat(spec, agent, *seed)?, table.as_ref(), limit)?;
    if json {
        writeln!(out, "{}", serde_json::to_string(&choice)?)?;
        return Ok(());
    }
    let side = screen::side(table.as_ref(), table.to_move());
    writeln!(out, "{agent} for {side}: {}", choice.mv)?;
    if let Some(Value { proof, plies }) = choice.known {
        let plies = plies.map_or_else(String::new, |plies| format!(" in {}", counted(plies)));
        writeln!(out, "proven: {side} {}{plies}", Value::from(proof))?;
    }
    writeln!(
        out,
        "value {:.3}, depth {}, {} nodes in {:.2} s",
        choice.value,
        choice.depth,
        choice.nodes,
        choice.elapsed.as_secs_f64()
    )?;
    writeln!(out, "line: {}", choice.line.join(" "))?;
    if let Some(report) = last.filter(|report| report.roots.len() > 1) {
        writeln!(out, "\n{}", best_moves(&report))?;
    }
    Ok(())
}

/// Prints the first steps of a search, a line each, as deep as the search is.
pub fn steps(out: &mut dyn Write, agents: &Catalogue, question: &Question, most: usize) -> Result<()> {
    let Question { spec, history, agent, seed, limit } = question;
    let table = position::table(*spec, history)?;
    let mut seat = agents.seat(spec, agent, *seed)?;
    let trace = seat.trace(&*table, limit, &Stop::never(), most)?;
    let mut ply = 0;
    for step in &trace.steps {
        if matches!(step, Step::Leave { .. }) {
            ply -= 1;
        }
        let inset = 2 * ply;
        match step {
            Step::Enter { mv, window: [low, high] } if low.is_infinite() && high.is_infinite() => {
                writeln!(out, "{:inset$}{mv}", "")?;
            }
            Step::Enter { mv, window: [low, high] } => writeln!(out, "{:inset$}{mv}  ({low} to {high})", "")?,
            Step::Leave { value } => writeln!(out, "{:inset$}= {value}", "")?,
            Step::Cut => writeln!(out, "{:inset$}cut off", "")?,
            Step::Depth { depth, value } => writeln!(out, "depth {depth}: {value}")?,
        }
        if matches!(step, Step::Enter { .. }) {
            ply += 1;
        }
    }
    let left = trace.total - trace.steps.len() as u64;
    if left > 0 {
        writeln!(out, "and {left} more steps")?;
    }
    let mv = &trace.choice.mv;
    writeln!(out, "{agent}: {mv}; {} moves tried, {} cut-offs", trace.entered, trace.cuts)?;
    Ok(())
}

fn counted(plies: u32) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// Who gives hints unless somebody else is asked for.
pub const HINT_AGENT: &str = "mcts(time=1s)";

/// A sentence with the move that an agent would play.
pub fn hint(agents: &Catalogue, table: &dyn Table, agent: &str, seed: u64) -> Result<String> {
    let (choice, _) = think_aloud(&mut *agents.seat(&table.spec(), agent, seed)?, table, &Limit::default())?;
    let says = ["it wins", "it holds the draw", "all moves lose; this one lasts longest"];
    let plies = choice.plies().map_or_else(String::new, |plies| format!(", {}", counted(plies)));
    Ok(match choice.proof() {
        Some(proof) => format!("{}: {}{plies}", choice.mv, says[proof as usize]),
        None => format!("{} ({agent})", choice.mv),
    })
}

/// Lets an agent think with a live line on the terminal; its choice and its last report.
pub fn think_aloud(
    agent: &mut dyn Seat,
    table: &dyn Table,
    limit: &Limit,
) -> Result<(Choice<String>, Option<Report<String>>)> {
    let line = screen::spinner();
    let mut last = None;
    let choice = agent.think(table, limit, &Stop::never(), &mut |report| {
        line.set_message(summary(report));
        last = Some(report.clone());
    })?;
    line.finish_and_clear();
    Ok((choice, last))
}

fn summary(report: &Report<String>) -> String {
    let rate = report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-9);
    let line: Vec<&str> = report.line.iter().take(8).map(String::as_str).collect();
    format!(
        "depth {} nodes {} ({rate:.0}/s) value {:.3} {}",
        report.depth,
        report.nodes,
        report.value.unwrap_or(0.0),
        line.join(" ")
    )
}

fn best_moves(report: &Report<String>) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING);
    let visited = report.roots.iter().any(|root| root.visits.is_some());
    table.set_header(if visited { &["move", "value", "visits"][..] } else { &["move", "value"] });
    for root in report.roots.iter().take(BEST) {
        let mut row = vec![root.mv.clone(), format!("{:.3}", root.value)];
        row.extend(root.visits.map(|visits| visits.to_string()));
        table.add_row(row);
    }
    for column in 1..=2 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Answers one line of `quintet analyse --jsonl`, whatever it holds. Every line has a fresh agent.
pub fn answer(agents: &Catalogue, line: &[u8]) -> String {
    jsonl::answer(line, |object| fields(&think(agents, object)?))
}

fn think(agents: &Catalogue, object: &Object) -> Result<Choice<String>, Refusal> {
    object.check_keys(&["id", "game", "moves", "position", "agent", "limit"]).map_err(whole)?;
    let spec = object.spec().map_err(whole)?;
    let agent = object.needed("agent", "the agent, as in \"mcts\"").map_err(whole)?;
    let limit = read_limit(object).map_err(whole)?;
    let table = jsonl::table(object, &spec, |_| {})?;
    let mut agent = agents.seat(&spec, &agent, 1).map_err(whole)?;
    agent.think(&*table, &limit, &Stop::never(), &mut |_| {}).map_err(whole)
}

fn read_limit(object: &Object) -> Result<Limit, quintet_game::notation::Fault> {
    let Some(limit) = object.object("limit")? else { return Ok(Limit::default()) };
    limit.check_keys(&["time_ms", "nodes", "depth", "visits"])?;
    Ok(Limit {
        time: limit.count("time_ms")?.map(std::time::Duration::from_millis),
        nodes: limit.count("nodes")?,
        depth: limit.count("depth")?.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        visits: limit.count("visits")?,
    })
}

/// A choice as the fields of an object, without its braces.
fn fields(choice: &Choice<String>) -> Result<String, Refusal> {
    let object = serde_json::to_string(choice).map_err(whole)?;
    Ok(object[1..object.len() - 1].to_owned())
}
