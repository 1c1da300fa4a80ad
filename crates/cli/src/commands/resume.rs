//! `quintet resume`: the rest of a match or tournament that was stopped.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use quintet_agent::Catalogue;
use quintet_lab::Tournament;

use crate::cluster::ClusterArgs;
use crate::data;
use crate::runs::{self, Asked};

/// Which run goes on.
#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// The run's number
    pub run: i64,
    /// Games at once (default: all cores)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Finishes a run that was stopped.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &ResumeArgs) -> Result<()> {
    args.cluster.check()?;
    let tournament = Tournament::resume(data::store(data)?, args.run)?;
    runs::go_on(out, agents, tournament, Asked { threads: args.threads, cluster: &args.cluster }, args.json)
}
