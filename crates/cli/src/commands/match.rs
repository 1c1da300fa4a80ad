//! `quintet match`: two agents against each other.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use quintet_agent::Catalogue;
use quintet_arena::{Adjudication, Length, MAX_PLIES, MOST, Plan};
use quintet_game::GameSpec;
use quintet_game::clock::ClockKind;

use crate::args::{Effort, elo_bounds};
use crate::cluster::ClusterArgs;
use crate::runs::{self, HandsArgs};

/// A match.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The game
    #[arg(value_name = "SPEC")]
    pub spec: GameSpec,
    /// One agent
    #[arg(value_name = "A")]
    pub first: String,
    /// The other
    #[arg(value_name = "B")]
    pub second: String,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000), conflicts_with = "sprt")]
    pub games: u64,
    /// Play until a sequential test of two claims (in Elo) is decided
    #[arg(long, value_name = "ELO0,ELO1", value_parser = in_order, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// The most games of a sequential test
    #[arg(long, value_name = "GAMES", default_value_t = MOST, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub most: u64,
    #[command(flatten)]
    pub effort: Effort,
    /// The clock of --time: wall, or cpu for the time that the processor works for an agent (outside engines have clocks of their own)
    #[arg(long, default_value_t)]
    pub clock: ClockKind,
    /// End games whose result is settled: proof (an agent of ours has proven it) or score (both expect the same winner), as in 'score(share=0.98,moves=4)'; may be given twice
    #[arg(long, value_name = "RULE")]
    pub adjudicate: Vec<Adjudication>,
    /// Seed of openings and agents
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Random plies before the players take over
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    pub openings: u32,
    /// Only openings that the game's net holds for near even: the side to move expects 35 to 65 %
    #[arg(long, requires = "openings")]
    pub even: bool,
    /// A game that reaches this many plies is a draw
    #[arg(long, default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_plies: u32,
    /// Games at once (default: all cores)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn in_order(text: &str) -> Result<[f64; 2], String> {
    match elo_bounds(text)? {
        [low, high] if low < high => Ok([low, high]),
        _ => Err("two numbers, the smaller first, as in 0,20".into()),
    }
}

/// A match of two agents.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &MatchArgs) -> Result<()> {
    let length = match args.sprt {
        Some([elo0, elo1]) => Length::Sprt { elo0, elo1, most: args.most },
        None => Length::Games(args.games),
    };
    let mut plan = Plan::duel(&args.spec.to_string(), [&args.first, &args.second], length)?;
    plan.opening_plies = args.openings;
    plan.even = args.even;
    plan.budget = args.effort.budget();
    plan.max_plies = args.max_plies;
    plan.seed = args.seed;
    plan.clock = args.clock;
    plan.adjudicate.clone_from(&args.adjudicate);
    runs::start(
        out,
        agents,
        data,
        plan,
        "match",
        HandsArgs { threads: args.threads, cluster: &args.cluster, without: None },
        args.json,
    )
}
