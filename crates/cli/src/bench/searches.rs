//! How fast the searches are, on positions of random games that the seed gives back.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use comfy_table::{Table, presets};
use cpu_time::{ProcessTime, ThreadTime};
use quintet_agent::seat;
use quintet_game::{GameSpec, Rng, SeedableRng};
use quintet_search::Limit;
use serde_json::{Value, json};

use super::{median, right_aligned, thousands};
use crate::screen;

/// A game, how many random plies are played first, an agent whose spec limits it to the same work every time, and on how many positions.
struct Case {
    game: &'static str,
    plies: usize,
    agent: &'static str,
    positions: u64,
}

const fn case(game: &'static str, plies: usize, agent: &'static str, positions: u64) -> Case {
    Case { game, plies, agent, positions }
}

const CASES: &[Case] = &[
    case("pathwayz", 20, "pathwayz:adv-baseline", 200),
    case("pathwayz", 20, "pathwayz:beam", 20),
    case("pathwayz", 40, "pathwayz:minimax", 5),
    case("pathwayz", 45, "pathwayz:expectimax", 3),
    case("pathwayz", 20, "pathwayz:mcs", 5),
    case("pathwayz", 20, "mcts(visits=20000)", 3),
    case("pylos", 8, "pylos:minimax(depth=4)", 10),
    case("pylos", 8, "pylos:ordered(depth=7)", 10),
    case("pylos", 8, "mcts(visits=20000)", 3),
    case("twixt(size=8,rules=paper)", 4, "twixt:alphabeta(depth=4)", 10),
    case("twixt(size=8,rules=paper)", 4, "twixt:best-first(depth=5)", 10),
    case("twixt(size=8,rules=paper)", 4, "mcts(visits=20000)", 3),
    case("pentago-twist", 8, "pentago-twist:paper(nodes=1000000)", 10),
    case("pentago-twist", 8, "mcts(visits=20000)", 3),
    case("pentago", 8, "pentago:minimax(depth=2)", 10),
    case("pentago", 8, "mcts(visits=20000)", 3),
];

/// Random moves from the start, one fewer where the game would end.
pub fn random_moves(spec: &GameSpec, plies: usize, seed: u64) -> Result<Vec<String>> {
    let mut table = spec.table();
    let mut rng = Rng::seed_from_u64(seed);
    while table.plies() < plies
        && let Some(mv) = table.random_move(&mut rng)
    {
        table.try_play(&mv)?;
    }
    if table.end().is_some() {
        table.undo();
    }
    Ok(table.moves())
}

/// One row.
pub struct Row {
    case: &'static Case,
    nodes: u64,
    /// The median over the positions.
    seconds: f64,
    rate: f64,
}

/// Lets every agent think about its positions.
pub fn measure() -> Result<Vec<Row>> {
    let bar = screen::progress(CASES.iter().map(|case| case.positions).sum(), "searches");
    let mut rows = Vec::new();
    for case in CASES {
        let spec = GameSpec::parse(case.game)?;
        let (mut nodes, mut times) = (0, Vec::new());
        let start = ProcessTime::now();
        for seed in 0..case.positions {
            let moves = random_moves(&spec, case.plies, seed)?;
            let mut agent = seat(&spec, case.agent, seed)?;
            let began = Instant::now();
            let thought = agent.think(None, &moves, &Limit::default(), &mut |_| {});
            nodes += thought.with_context(|| format!("{} of {}", case.agent, case.game))?.nodes;
            times.push(began.elapsed().as_secs_f64());
            bar.inc(1);
        }
        let spent = start.elapsed().max(Duration::from_nanos(1));
        rows.push(Row { case, nodes, seconds: median(times), rate: nodes as f64 / spent.as_secs_f64() });
    }
    bar.finish_and_clear();
    Ok(rows)
}

fn signature(rows: &[Row]) -> u64 {
    rows.iter().map(|row| row.nodes).sum()
}

/// The rows and the signature as JSON.
pub fn to_json(rows: &[Row]) -> Value {
    let all: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "game": row.case.game, "plies": row.case.plies, "agent": row.case.agent, "positions": row.case.positions,
                "nodes": row.nodes, "nodes_per_second": row.rate, "median_seconds": row.seconds,
            })
        })
        .collect();
    json!({"rows": all, "signature": signature(rows)})
}

/// The rows and the signature for people.
pub fn print(out: &mut dyn Write, rows: &[Row]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["game and agent", "positions", "nodes", "nodes/s", "median ms a move"]);
    for row in rows {
        table.add_row([
            format!("{}: {}", row.case.game, row.case.agent),
            row.case.positions.to_string(),
            thousands(row.nodes),
            thousands(row.rate as u64),
            format!("{:.2}", row.seconds * 1e3),
        ]);
    }
    right_aligned(&mut table);
    writeln!(out, "{table}\n\nNodes of Monte Carlo searches are random games. One thread, CPU time.")?;
    writeln!(out, "search signature {}", signature(rows))?;
    Ok(())
}

/// The searches alone.
pub fn run(out: &mut dyn Write, json: bool) -> Result<()> {
    let rows = measure()?;
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&to_json(&rows))?)?;
        return Ok(());
    }
    print(out, &rows)
}

/// One row: simulations of a Monte Carlo tree search from the start, as many as fill the time.
pub fn simulations(out: &mut dyn Write, game: &str, seconds: f64, seed: u64, json: bool) -> Result<()> {
    let spec = GameSpec::parse(game)?;
    let search = |visits: u64| -> Result<f64> {
        let mut agent = seat(&spec, "mcts(memory=4096)", seed)?;
        let limit = Limit { visits: Some(visits), ..Limit::default() };
        let start = ThreadTime::now();
        agent.think(None, &[], &limit, &mut |_| {})?;
        Ok(start.elapsed().as_secs_f64().max(1e-9))
    };
    let mut visits = 1000;
    let mut took = search(visits)?;
    while took < seconds / 10.0 {
        visits *= 2;
        took = search(visits)?;
    }
    let visits = ((visits as f64 * seconds / took).round() as u64).max(1);
    let took = search(visits)?;
    if json {
        writeln!(out, "{}", json!({"game": game, "simulations": visits, "seconds": took}))?;
    } else {
        writeln!(out, "{game}: {:.0} simulations/s of a tree search that grew for {took:.1} s", visits as f64 / took)?;
    }
    Ok(())
}
