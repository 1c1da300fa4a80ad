//! The gain from a second thread.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use comfy_table::{Table, presets};
use quintet_agent::seat;
use quintet_game::{GameSpec, Limit, Stop};
use serde_json::{Value, json};

use super::{right_aligned, searches::random_positions, show, thousands};
use crate::screen;

/// A game, random plies, an agent without its bracket, and positions.
const CASES: &[(&str, usize, &str, u64)] = &[
    ("pentago-twist", 8, "pvs(eval=e3,exact=yes,depth=5", 10),
    ("twixt(size=12)", 6, "pvs(eval=distance,depth=5", 10),
    ("twixt(size=12)", 6, "puct(eval=distance,visits=20000", 10),
];

/// Nodes per second of one thread and of two.
pub struct Row {
    game: &'static str,
    agent: String,
    nodes: [u64; 2],
    seconds: [f64; 2],
}

impl Row {
    fn rates(&self) -> [f64; 2] {
        [0, 1].map(|i| self.nodes[i] as f64 / self.seconds[i].max(1e-9))
    }
}

/// One thread and two in turns, position by position, so that both see the same machine.
pub fn measure() -> Result<Vec<Row>> {
    let bar = screen::progress(CASES.iter().map(|case| 2 * case.3).sum(), "threads");
    let mut rows = Vec::new();
    for (game, plies, agent, positions) in CASES {
        let spec = GameSpec::parse(game)?;
        let mut row = Row { game, agent: format!("{agent})"), nodes: [0; 2], seconds: [0.0; 2] };
        for (seed, table) in random_positions(&spec, *plies, *positions).iter().enumerate() {
            for i in [0, 1] {
                let mut agent = seat(&spec, &format!("{agent},threads={})", i + 1), seed as u64)?;
                let start = Instant::now();
                row.nodes[i] += agent.think(&**table, &Limit::default(), &Stop::never(), &mut |_| {})?.nodes;
                row.seconds[i] += start.elapsed().as_secs_f64();
                bar.inc(1);
            }
        }
        rows.push(row);
    }
    bar.finish_and_clear();
    Ok(rows)
}

/// The rows as JSON.
pub fn to_json(rows: &[Row]) -> Value {
    let row = |row: &Row| json!({"game": row.game, "agent": row.agent, "nodes": row.nodes, "seconds": row.seconds});
    rows.iter().map(row).collect()
}

/// The rows for people.
pub fn print(out: &mut dyn Write, rows: &[Row]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["game and agent", "nodes/s, one thread", "two threads", "ratio", "time ratio"]);
    for row in rows {
        let [one, two] = row.rates();
        table.add_row([
            format!("{}: {}", row.game, row.agent),
            thousands(one as u64),
            thousands(two as u64),
            format!("{:.2}", two / one),
            format!("{:.2}", row.seconds[0] / row.seconds[1].max(1e-9)),
        ]);
    }
    right_aligned(&mut table);
    writeln!(out, "{table}\n\nWall-clock time, alternating; meaningful only if two cores are free.")?;
    Ok(())
}

/// Only the threads.
pub fn run(out: &mut dyn Write, json: bool) -> Result<()> {
    show(out, &measure()?, json, |rows| to_json(rows), |out, rows| print(out, rows))
}
