//! `quintet perft`: the number of move sequences.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use quintet_game::GameSpec;
use serde_json::json;

use crate::args::History;
use crate::{position, screen};

/// What is counted.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// The game
    #[arg(value_name = "SPEC")]
    pub spec: GameSpec,
    /// Count lengths from 1 to this
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    pub depth: u32,
    #[command(flatten)]
    pub history: History,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// Prints `DEPTH COUNT` for every depth up to the one asked for, each as soon as it is known.
pub fn run(out: &mut dyn Write, args: &PerftArgs) -> Result<()> {
    let line = position::line(args.spec, &args.history)?;
    for depth in 1..=args.depth {
        let bar = screen::progress(0, &format!("perft {depth}"));
        let count = line.perft(depth, &mut |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        if args.json {
            writeln!(out, "{}", json!({"game": args.spec.to_string(), "depth": depth, "count": count}))?;
        } else {
            writeln!(out, "{depth} {count}")?;
        }
        out.flush()?;
    }
    Ok(())
}
