//! How fast nets are: evaluations of a net of usual size, whose numbers are random.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use comfy_table::{Table, presets};
use cpu_time::ThreadTime;
use quintet_eval::encode::{Encode, cells};
use quintet_eval::net::{Instructions, Net, NetGuide, random_file};
use quintet_eval::{Batch, Guide};
use quintet_game::{GameSpec, Rng, SeedableRng, with_game};
use serde_json::{Value, json};

use super::{median, right_aligned, show, thousands};
use crate::screen;

const GAMES: &[&str] = &["pathwayz", "pylos", "twixt(size=12)", "twixt(size=24)", "pentago-twist", "pentago"];

/// Residual blocks and channels.
const BLOCKS: usize = 6;
const CHANNELS: usize = 64;

/// Runs of each measurement, of which the median is printed, and the seconds of each.
const RUNS: usize = 3;
const SECONDS: f64 = 0.3;

/// Random plies before the position that is evaluated.
const PLIES: usize = 8;

/// One row.
pub struct Row {
    game: &'static str,
    cells: usize,
    parameters: usize,
    /// Multiplications in one evaluation.
    products: usize,
    rate: f64,
}

/// Measures all rows.
pub fn measure() -> Result<Vec<Row>> {
    let bar = screen::progress(GAMES.len() as u64, "nets");
    let mut rows = Vec::new();
    for name in GAMES {
        let spec = GameSpec::parse(name)?;
        rows.push(with_game!(spec, |game| row(&game, name))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(rows)
}

fn row<G: Encode>(game: &G, name: &'static str) -> Result<Row> {
    let net = Arc::new(Net::read(&random_file(game, name, BLOCKS, CHANNELS, 1)?)?);
    let guide = NetGuide::new(net.clone(), game)?;
    let mut rng = Rng::seed_from_u64(1);
    let mut pos = game.start();
    for _ in 0..PLIES {
        let mv = game.random_move(&pos, &mut rng);
        game.play(&mut pos, mv);
    }
    let mut batch = Batch::default();
    let mut run = || {
        let start = ThreadTime::now();
        let mut evaluations = 0;
        loop {
            batch.clear();
            batch.push(game, pos.clone(), true);
            guide.guide(game, &mut batch);
            evaluations += 1;
            let took = start.elapsed().as_secs_f64();
            if took >= SECONDS {
                return f64::from(evaluations) / took;
            }
        }
    };
    let rate = median((0..RUNS).map(|_| run()));
    let cells = cells(game);
    Ok(Row { game: name, cells, parameters: net.info().parameters, products: net.products(cells), rate })
}

/// The rows as JSON.
pub fn to_json(rows: &[Row]) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "game": row.game, "cells": row.cells, "parameters": row.parameters, "products": row.products,
                "evaluations_per_second": row.rate,
            })
        })
        .collect();
    let instructions = Instructions::best().name();
    json!({"rows": rows, "blocks": BLOCKS, "channels": CHANNELS, "instructions": instructions})
}

/// The rows for people.
pub fn print(out: &mut dyn Write, rows: &[Row]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["net for", "cells", "parameters", "million products", "evaluations/s", "billion products/s"]);
    for row in rows {
        table.add_row([
            row.game.to_owned(),
            row.cells.to_string(),
            thousands(row.parameters as u64),
            format!("{:.1}", row.products as f64 / 1e6),
            thousands(row.rate as u64),
            format!("{:.1}", row.products as f64 * row.rate / 1e9),
        ]);
    }
    right_aligned(&mut table);
    writeln!(
        out,
        "{table}\n\n{BLOCKS} blocks of {CHANNELS} channels, {} instructions. One thread, CPU time, one position at a time with its planes and priors, median of {RUNS} runs.",
        Instructions::best().name()
    )?;
    Ok(())
}

/// Only the nets.
pub fn run(out: &mut dyn Write, json: bool) -> Result<()> {
    show(out, &measure()?, json, |rows| to_json(rows), |out, rows| print(out, rows))
}
