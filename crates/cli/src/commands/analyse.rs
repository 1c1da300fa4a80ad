//! `quintet analyse`: an agent's analysis of a position.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use comfy_table::{CellAlignment, presets};
use quintet_agent::{Catalogue, Step};
use quintet_api::jsonl::{self, Object, Refusal, whole};
use quintet_game::{GameSpec, Limit, Stop, Value};
use quintet_search::{Choice, Report};

use crate::args::{Effort, History};
use crate::thinking::{adviser, counted, think_aloud};
use crate::{position, screen};

/// Which position, and who thinks about it.
#[derive(Args, Debug)]
pub struct AnalyseArgs {
    /// The game
    #[arg(value_name = "SPEC", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub spec: Option<GameSpec>,
    /// The agent (default: provers, then the game's strongest agent)
    #[arg(long, conflicts_with = "jsonl")]
    pub agent: Option<String>,
    #[command(flatten)]
    pub effort: Effort,
    #[command(flatten)]
    pub history: History,
    /// Seed of the agent
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print the first N steps of the search instead: what it tries, what it finds, what it cuts off
    #[arg(long, value_name = "N", conflicts_with_all = ["jsonl", "json"])]
    pub trace: Option<usize>,
    /// Print JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Answer JSON lines from standard input
    #[arg(long)]
    pub jsonl: bool,
}

/// Rows of the table of best moves.
const BEST: usize = 5;

/// Moves with priors that programs are given.
const CANDIDATES: usize = 8;

/// Analyses one position, or those that standard input asks about.
pub fn run(out: &mut dyn Write, agents: &Catalogue, args: &AnalyseArgs) -> Result<()> {
    if args.jsonl {
        return crate::jsonl::serve(&mut io::stdin().lock(), out, |line| answer(agents, line));
    }
    let spec = args.spec.expect("clap demands a spec without --jsonl");
    match args.trace {
        Some(most) => steps(out, agents, spec, args, most),
        None => one(out, agents, spec, args),
    }
}

/// Analyses one position for a person: a progress line while the agent thinks, then the best moves.
fn one(out: &mut dyn Write, agents: &Catalogue, spec: GameSpec, args: &AnalyseArgs) -> Result<()> {
    let AnalyseArgs { agent, history, seed, .. } = args;
    let line = position::line(spec, history)?;
    let (agent, mut seat) = adviser(agents, &spec, agent.as_deref(), *seed)?;
    let (choice, last) = think_aloud(&mut *seat, line.as_ref(), &args.effort.limit())?;
    if args.json {
        let expected = agents.expectation(&spec, &agent, &choice);
        writeln!(out, "{{{}}}", fields(expected, choice, last.as_ref())?)?;
        return Ok(());
    }
    let side = screen::side(line.as_ref(), line.to_move());
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

/// Prints the first steps of a search, one per line, indented by depth.
fn steps(out: &mut dyn Write, agents: &Catalogue, spec: GameSpec, args: &AnalyseArgs, most: usize) -> Result<()> {
    let AnalyseArgs { agent, history, seed, .. } = args;
    let line = position::line(spec, history)?;
    let (agent, mut seat) = adviser(agents, &spec, agent.as_deref(), *seed)?;
    let trace = seat.trace(&*line, &args.effort.limit(), &Stop::never(), most)?;
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

fn best_moves(report: &Report<String>) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING);
    let mut header = vec!["move", "value"];
    header.extend(report.roots.iter().any(|root| root.visits.is_some()).then_some("visits"));
    header.extend(has_priors(report).then_some("prior"));
    table.set_header(header);
    for root in report.roots.iter().take(BEST) {
        let mut row = vec![root.mv.clone(), format!("{:.3}", root.value)];
        row.extend(root.visits.map(|visits| visits.to_string()));
        row.extend(root.prior.map(|prior| format!("{:.1} %", 100.0 * prior)));
        table.add_row(row);
    }
    for column in 1..=3 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn has_priors(report: &Report<String>) -> bool {
    report.roots.iter().any(|root| root.prior.is_some())
}

/// Answers any line of `quintet analyse --jsonl`, with a new agent for each.
fn answer(agents: &Catalogue, line: &[u8]) -> String {
    jsonl::answer(line, |object| think(agents, object))
}

fn think(agents: &Catalogue, object: &Object) -> Result<String, Refusal> {
    object.check_keys(&["id", "game", "moves", "position", "agent", "limit"]).map_err(whole)?;
    let spec = object.spec().map_err(whole)?;
    let agent = object.text("agent").map_err(whole)?;
    let limit = read_limit(object).map_err(whole)?;
    let line = jsonl::game(object, &spec, |_| {})?;
    let (agent, mut seat) = adviser(agents, &spec, agent.as_deref(), 1).map_err(whole)?;
    let mut last = None;
    let choice =
        seat.think(&*line, &limit, &Stop::never(), &mut |report| last = Some(report.clone())).map_err(whole)?;
    fields(agents.expectation(&spec, &agent, &choice), choice, last.as_ref()).map_err(whole)
}

fn read_limit(object: &Object) -> Result<Limit, quintet_game::notation::Fault> {
    let Some(limit) = object.object("limit")? else { return Ok(Limit::default()) };
    limit.check_keys(&["time_ms", "nodes", "depth", "visits"])?;
    Ok(Limit {
        time: limit.count("time_ms")?.map(std::time::Duration::from_millis),
        nodes: limit.count("nodes")?,
        depth: limit.count("depth")?.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        visits: limit.count("visits")?,
        ..Limit::default()
    })
}

/// A choice as the fields of an object, without its braces. Its `value` is what the side to move may expect, from 0 to 1; the search's own number is its `score`.
/// A search that goes by priors also gives its best moves with theirs.
fn fields(expected: Option<f64>, choice: Choice<String>, last: Option<&Report<String>>) -> serde_json::Result<String> {
    let score = serde_json::to_string(&choice.value)?;
    // Infinities are written as null.
    let object = serde_json::to_string(&Choice { value: expected.unwrap_or(f64::NAN), ..choice })?;
    let mut fields = format!("{},\"score\":{score}", &object[1..object.len() - 1]);
    if let Some(report) = last.filter(|report| has_priors(report)) {
        let best = &report.roots[..report.roots.len().min(CANDIDATES)];
        fields = format!("{fields},\"roots\":{}", serde_json::to_string(best)?);
    }
    Ok(fields)
}
