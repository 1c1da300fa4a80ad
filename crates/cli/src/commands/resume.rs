//! `quintet resume`: the rest of a match or tournament that was stopped.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use quintet_agent::Catalogue;
use quintet_lab::Tournament;

use crate::cluster::ClusterArgs;
use crate::data;
use crate::output::note;
use crate::runs::{self, HandsArgs};

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
    /// Drop the games that this worker of a cluster has played, and take no more of it
    #[arg(long, value_name = "NAME")]
    pub without_worker: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Finishes a run that was stopped.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &ResumeArgs) -> Result<()> {
    args.cluster.check(args.threads)?;
    let store = data::store(data)?;
    let tournament = match &args.without_worker {
        None => Tournament::resume(store, args.run)?,
        Some(worker) => {
            let (tournament, dropped) = Tournament::resume_without(store, args.run, worker)?;
            note!("quintet: {dropped} games of the worker {worker} are dropped, and played again");
            tournament
        }
    };
    let without = args.without_worker.as_deref();
    let hands = HandsArgs { threads: args.threads, cluster: &args.cluster, without };
    runs::go_on(out, agents, tournament, hands, args.json)
}
