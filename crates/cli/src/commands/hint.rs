//! `quintet hint`: a good move.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use quintet_agent::Catalogue;
use quintet_game::{AnyLine, Limit};

use crate::args::PositionArgs;
use crate::position;
use crate::thinking::{adviser, counted, think_aloud};

/// Which position, and who is asked.
#[derive(Args, Debug)]
pub struct HintArgs {
    #[command(flatten)]
    pub place: PositionArgs,
    /// Who is asked (default: provers, then the game's strongest agent)
    #[arg(long)]
    pub agent: Option<String>,
    /// Seed of the agent
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Names a good move.
pub fn run(out: &mut dyn Write, agents: &Catalogue, args: &HintArgs) -> Result<()> {
    let line = position::line(args.place.spec, &args.place.history)?;
    writeln!(out, "{}", hint(agents, line.as_ref(), args.agent.as_deref(), args.seed)?)?;
    Ok(())
}

/// A sentence with the move that an agent would play; by default by proofs, or the strongest agent where there are none.
pub fn hint(agents: &Catalogue, line: &dyn AnyLine, agent: Option<&str>, seed: u64) -> Result<String> {
    let (name, mut seat) = adviser(agents, &line.spec(), agent, seed)?;
    let (choice, _) = think_aloud(&mut *seat, line, &Limit::default())?;
    let says = ["it wins", "it holds the draw", "all moves lose; this one lasts longest"];
    let plies = choice.plies().map_or_else(String::new, |plies| format!(", {}", counted(plies)));
    Ok(match choice.proof() {
        Some(proof) => format!("{}: {}{plies}", choice.mv, says[proof as usize]),
        None => format!("{} ({name})", choice.mv),
    })
}
