//! The gain from more threads.

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
    ("twixt(size=12)", 6, "puct(eval=distance,visits=200000", 5),
    ("pathwayz", 20, "puct(eval=pathwayz-9,visits=50000", 5),
    ("pentago", 8, "puct(visits=200000", 5),
];

/// One thread beside two.
pub const PAIR: &[u32] = &[1, 2];

/// Nodes and seconds of a search by each number of threads.
pub struct Row {
    game: &'static str,
    agent: String,
    threads: Vec<u32>,
    nodes: Vec<u64>,
    seconds: Vec<f64>,
}

impl Row {
    fn rate(&self, i: usize) -> f64 {
        self.nodes[i] as f64 / self.seconds[i].max(1e-9)
    }
}

/// All numbers of threads in turns, position by position, so that they see the same machine.
pub fn measure(threads: &[u32]) -> Result<Vec<Row>> {
    let searches = CASES.iter().map(|case| threads.len() as u64 * case.3).sum();
    let bar = screen::progress(searches, "threads");
    let mut rows = Vec::new();
    for (game, plies, agent, positions) in CASES {
        let spec = GameSpec::parse(game)?;
        let (nodes, seconds) = (vec![0; threads.len()], vec![0.0; threads.len()]);
        let mut row = Row { game, agent: format!("{agent})"), threads: threads.to_vec(), nodes, seconds };
        for (seed, table) in random_positions(&spec, *plies, *positions).iter().enumerate() {
            for (i, threads) in threads.iter().enumerate() {
                let mut agent = seat(&spec, &format!("{agent},threads={threads})"), seed as u64)?;
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
    let row = |row: &Row| {
        json!({
            "game": row.game, "agent": row.agent, "threads": row.threads, "nodes": row.nodes, "seconds": row.seconds,
        })
    };
    rows.iter().map(row).collect()
}

/// The rows for people: a line for each number of threads, beside the first.
pub fn print(out: &mut dyn Write, rows: &[Row]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["game and agent", "threads", "nodes/s", "ratio", "time ratio"]);
    for row in rows {
        for (i, threads) in row.threads.iter().enumerate() {
            table.add_row([
                if i == 0 { format!("{}: {}", row.game, row.agent) } else { String::new() },
                threads.to_string(),
                thousands(row.rate(i) as u64),
                format!("{:.2}", row.rate(i) / row.rate(0).max(1e-9)),
                format!("{:.2}", row.seconds[0] / row.seconds[i].max(1e-9)),
            ]);
        }
    }
    right_aligned(&mut table);
    writeln!(out, "{table}\n\nWall-clock time, alternating; meaningful only if as many cores are free.")?;
    Ok(())
}

/// Only the threads.
pub fn run(out: &mut dyn Write, threads: &[u32], json: bool) -> Result<()> {
    show(out, &measure(threads)?, json, |rows| to_json(rows), |out, rows| print(out, rows))
}
