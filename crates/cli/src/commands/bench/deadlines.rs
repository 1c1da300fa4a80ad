//! How far searches overrun a deadline.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use comfy_table::{Table, presets};
use quintet_agent::seat;
use quintet_game::{GameSpec, Limit, Stop};
use serde_json::{Value, json};

use super::{median, right_aligned, searches::random_positions, show};
use crate::screen;

/// Every kind of search, on the boards and with the evaluations that are slowest.
const CASES: &[(&str, usize, &str)] = &[
    ("pathwayz", 20, "greedy(eval=pathwayz-440)"),
    ("pathwayz", 30, "beam(eval=pathwayz-440,widths=0-0-0)"),
    ("pathwayz", 60, "expectimax(eval=pathwayz-53)"),
    ("pathwayz", 20, "monte-carlo(eval=pathwayz-440,games=1000000)"),
    ("pathwayz", 20, "pai-mcts(eval=pathwayz-440)"),
    ("pylos", 10, "ordered(eval=position)"),
    ("pylos", 10, "puct(eval=position)"),
    ("twixt(size=24)", 6, "best-first(eval=centre)"),
    ("twixt(size=24)", 6, "pvs(eval=centre)"),
    ("twixt(size=24)", 6, "alphabeta(eval=rich,depth=20)"),
    ("twixt(size=24)", 6, "mcts"),
    ("twixt(size=24)", 6, "puct(eval=centre)"),
    ("pentago-twist", 8, "caller(eval=e3)"),
    ("pentago-twist", 8, "pvs(eval=e3,threads=2)"),
    ("pentago", 8, "mcts"),
    ("pentago", 8, "minimax(eval=pentago-35,depth=20)"),
];

const DEADLINE: Duration = Duration::from_millis(50);
const POSITIONS: u64 = 20;

/// Overruns of one agent, in milliseconds; a search that ends before its deadline overruns by nothing.
pub struct Row {
    game: &'static str,
    agent: &'static str,
    median: f64,
    largest: f64,
}

/// Gives every search the same short time.
pub fn measure() -> Result<Vec<Row>> {
    let bar = screen::progress(CASES.len() as u64 * POSITIONS, "deadlines");
    let mut rows = Vec::new();
    for (game, plies, agent) in CASES {
        let spec = GameSpec::parse(game)?;
        let mut overruns = Vec::new();
        let limit = Limit::time(DEADLINE);
        for (seed, table) in random_positions(&spec, *plies, POSITIONS).iter().enumerate() {
            let choice = seat(&spec, agent, seed as u64)?.think(&**table, &limit, &Stop::never(), &mut |_| {})?;
            overruns.push(choice.elapsed.saturating_sub(DEADLINE).as_secs_f64() * 1e3);
            bar.inc(1);
        }
        let largest = overruns.iter().copied().fold(0.0, f64::max);
        rows.push(Row { game, agent, median: median(overruns), largest });
    }
    bar.finish_and_clear();
    Ok(rows)
}

/// The rows as JSON.
pub fn to_json(rows: &[Row]) -> Value {
    let row =
        |row: &Row| json!({"game": row.game, "agent": row.agent, "median_ms": row.median, "largest_ms": row.largest});
    rows.iter().map(row).collect()
}

/// The rows for people.
pub fn print(out: &mut dyn Write, rows: &[Row]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["game and agent", "median overrun, ms", "largest, ms"]);
    for row in rows {
        table.add_row([
            format!("{}: {}", row.game, row.agent),
            format!("{:.2}", row.median),
            format!("{:.2}", row.largest),
        ]);
    }
    right_aligned(&mut table);
    writeln!(out, "{table}\n\n{POSITIONS} searches of {} ms each, by wall-clock time.", DEADLINE.as_millis())?;
    Ok(())
}

/// Only the deadlines.
pub fn run(out: &mut dyn Write, json: bool) -> Result<()> {
    show(out, &measure()?, json, |rows| to_json(rows), |out, rows| print(out, rows))
}
