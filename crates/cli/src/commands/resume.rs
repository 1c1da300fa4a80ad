//! `quintet resume`: the rest of a match or tournament that was stopped.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use quintet_agent::Catalogue;
use quintet_lab::Tournament;

use crate::{data, runs};

/// Which run goes on.
#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// The run's number
    pub run: i64,
    /// Games at once (default: all cores)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Finishes a run that was stopped.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &ResumeArgs) -> Result<()> {
    let tournament = Tournament::resume(data::store(data)?, args.run)?;
    runs::go_on(out, agents, tournament, args.threads, args.json)
}
