//! `quintet tournament`: many agents against each other, as a file says.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use quintet_agent::Catalogue;
use quintet_arena::{Adjudication, TournamentFile};
use quintet_game::Limit;
use quintet_game::clock::ClockKind;

use crate::args::Effort;
use crate::cluster::ClusterArgs;
use crate::runs::{self, HandsArgs};

/// A tournament, and what the command line says over its file.
#[derive(Args, Debug)]
pub struct TournamentArgs {
    /// The file
    pub file: PathBuf,
    #[command(flatten)]
    pub effort: Effort,
    /// The clock of a budget of time: wall or cpu
    #[arg(long)]
    pub clock: Option<ClockKind>,
    /// End games whose result is settled: proof or score; may be given twice
    #[arg(long, value_name = "RULE")]
    pub adjudicate: Vec<Adjudication>,
    /// Seed of openings and agents
    #[arg(long)]
    pub seed: Option<u64>,
    /// Random plies before the players take over
    #[arg(long, value_name = "PLIES")]
    pub openings: Option<u32>,
    /// Only openings that the game's net holds for near even: the side to move expects 35 to 65 %
    #[arg(long)]
    pub even: bool,
    /// Games at once (default: all cores)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A tournament from a file.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &TournamentArgs) -> Result<()> {
    let file = args.file.display();
    let text = quintet_data::read_text(&args.file).with_context(|| format!("cannot read {file}"))?;
    let written: TournamentFile = toml::from_str(&text).with_context(|| format!("{file} is not a tournament file"))?;
    let mut plan = written.plan().with_context(|| file.to_string())?;
    let budget = args.effort.budget();
    if budget != Limit::default() {
        plan.budget = budget;
    }
    plan.clock = args.clock.unwrap_or(plan.clock);
    if !args.adjudicate.is_empty() {
        plan.adjudicate.clone_from(&args.adjudicate);
    }
    plan.seed = args.seed.unwrap_or(plan.seed);
    plan.opening_plies = args.openings.unwrap_or(plan.opening_plies);
    plan.even |= args.even;
    runs::start(
        out,
        agents,
        data,
        plan,
        "tournament",
        HandsArgs { threads: args.threads, cluster: &args.cluster, without: None },
        args.json,
    )
}
