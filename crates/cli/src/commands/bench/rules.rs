//! How fast the rules are: random games and perft.

use std::io::Write;

use anyhow::Result;
use comfy_table::{Table, presets};
use cpu_time::ThreadTime;
use quintet_game::playout::{Tally, random_games};
use quintet_game::{GameSpec, Player};
use serde_json::{Value, json};

use super::{median, right_aligned, thousands};
use crate::screen;

/// The rows of the benchmark: a game and the depth of its perft.
const ROWS: &[(&str, u32)] = &[
    ("pentago", 3),
    ("pentago(rules=turn-first)", 4),
    ("pentago-twist", 4),
    ("pathwayz", 4),
    ("pylos(rules=children)", 7),
    ("pylos", 7),
    ("pylos(rules=expert)", 7),
    ("twixt(size=6)", 5),
    ("twixt(size=8)", 4),
    ("twixt", 4),
    ("twixt(size=24)", 3),
];

/// Runs of each measurement; the median is printed.
const RUNS: usize = 5;
/// Seconds of a run of random games.
const SECONDS: f64 = 0.3;

/// Random games of one measurement.
struct Playouts {
    tally: Tally,
    seconds: f64,
}

impl Playouts {
    fn rate(&self) -> f64 {
        self.tally.games as f64 / self.seconds
    }
}

/// Random games on this thread, as many as fill the time.
fn play(spec: &GameSpec, seconds: f64, seed: u64) -> Playouts {
    let start = ThreadTime::now();
    let took = || start.elapsed().as_secs_f64();
    let tally = random_games(spec, seed, &mut |_| took() < seconds);
    Playouts { tally, seconds: took() }
}

/// One row: random games of one game.
pub fn playouts(out: &mut dyn Write, spec: &str, seconds: f64, seed: u64, json: bool) -> Result<()> {
    let played = play(&GameSpec::parse(spec)?, seconds, seed);
    let Tally { games, plies, outcomes: [first, second, draw] } = played.tally;
    if json {
        let row = json!({
            "game": spec,
            "playouts": games,
            "plies": plies,
            "seconds": played.seconds,
            "outcomes": {"first": first, "second": second, "draw": draw},
        });
        writeln!(out, "{row}")?;
    } else {
        writeln!(
            out,
            "{spec}: {:.0} random games/s, {:.1} plies per game; {first} won by the {}, {second} by the {}, {draw} drawn",
            played.rate(),
            plies as f64 / games as f64,
            Player::First,
            Player::Second,
        )?;
    }
    Ok(())
}

/// One row.
pub struct Row {
    game: &'static str,
    playouts: f64,
    plies: f64,
    depth: u32,
    nodes: u64,
    perft: f64,
}

/// Measures all rows; the signature with them.
pub fn measure() -> Result<(Vec<Row>, u64)> {
    let bar = screen::progress((ROWS.len() * RUNS) as u64, "rules");
    let mut rows = Vec::new();
    for (game, depth) in ROWS {
        let spec = GameSpec::parse(game)?;
        let mut rates = Vec::new();
        let mut perfts = Vec::new();
        let mut nodes = 0;
        for run in 0..RUNS {
            let played = play(&spec, SECONDS, run as u64);
            rates.push((played.rate(), played.tally.plies as f64 / played.seconds));
            let start = ThreadTime::now();
            nodes = spec.line().perft(*depth, &mut |_, _| {});
            perfts.push(nodes as f64 / start.elapsed().as_secs_f64().max(1e-9));
            bar.inc(1);
        }
        let plies = median(rates.iter().map(|rate| rate.1));
        rows.push(Row {
            game,
            playouts: median(rates.iter().map(|rate| rate.0)),
            plies,
            depth: *depth,
            nodes,
            perft: median(perfts),
        });
    }
    bar.finish_and_clear();
    let signature = rows.iter().map(|row| row.nodes).sum();
    Ok((rows, signature))
}

/// The rows and the signature as JSON.
pub fn to_json(rows: &[Row], signature: u64) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "game": row.game,
                "playouts_per_second": row.playouts,
                "plies_per_second": row.plies,
                "perft": {"depth": row.depth, "nodes": row.nodes, "nodes_per_second": row.perft},
            })
        })
        .collect();
    json!({"rows": rows, "signature": signature})
}

/// The rows and the signature for people.
pub fn print(out: &mut dyn Write, rows: &[Row], signature: u64) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["game", "random games/s", "plies/s", "perft depth", "nodes", "nodes/s"]);
    for row in rows {
        table.add_row([
            row.game.to_owned(),
            thousands(row.playouts as u64),
            thousands(row.plies as u64),
            row.depth.to_string(),
            thousands(row.nodes),
            thousands(row.perft as u64),
        ]);
    }
    right_aligned(&mut table);
    writeln!(
        out,
        "{table}\n\nOne thread, CPU time, median of {RUNS} runs. The last ply of perft is counted, not listed."
    )?;
    writeln!(out, "signature {signature}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules have not changed.
    #[test]
    fn signature() {
        let nodes: u64 =
            ROWS.iter().map(|(game, depth)| GameSpec::parse(game).unwrap().line().perft(*depth, &mut |_, _| {})).sum();
        assert_eq!(nodes, 13_419_835_876);
    }
}
