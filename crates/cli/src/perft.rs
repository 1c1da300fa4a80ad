//! `quintet perft`.

use std::io::Write;

use anyhow::Result;
use quintet_game::GameSpec;
use serde_json::json;

use crate::args::History;
use crate::{position, screen};

/// Prints `DEPTH COUNT` for every depth up to `depth`, each as soon as it is known.
pub fn run(out: &mut dyn Write, spec: GameSpec, depth: u32, history: &History, json: bool) -> Result<()> {
    let table = position::table(spec, history)?;
    for depth in 1..=depth {
        let bar = screen::progress(0, &format!("perft {depth}"));
        let count = table.perft(depth, &mut |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        if json {
            writeln!(out, "{}", json!({"game": spec.to_string(), "depth": depth, "count": count}))?;
        } else {
            writeln!(out, "{depth} {count}")?;
        }
        out.flush()?;
    }
    Ok(())
}
