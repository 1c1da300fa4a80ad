//! `quintet show`: a position as text, SVG or JSON.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::args::PositionArgs;
use crate::position;

/// Which position, and how it is drawn.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    pub place: PositionArgs,
    /// Write the board as SVG to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print JSON: position, side to move, legal moves, outcome
    #[arg(long)]
    pub json: bool,
}

/// Draws a position.
pub fn run(out: &mut dyn Write, args: &ShowArgs) -> Result<()> {
    let line = position::line(args.place.spec, &args.place.history)?;
    if let Some(path) = &args.svg {
        std::fs::write(path, quintet_draw::svg(line.as_ref()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json {
        writeln!(out, "{}", position::describe(line.as_ref()))?;
    } else if args.svg.is_none() {
        position::print(out, line.as_ref())?;
    }
    Ok(())
}
