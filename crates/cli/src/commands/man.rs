//! `quintet man`: the man pages.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};

use crate::args::Cli;

/// Where the pages go.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write a page for every command into this folder
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// Prints the page of the program, or writes those of all commands.
pub fn run(mut out: &mut dyn Write, args: &ManArgs) -> Result<()> {
    match &args.dir {
        None => Ok(clap_mangen::Man::new(Cli::command()).render(&mut out)?),
        Some(dir) => std::fs::create_dir_all(dir)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), dir))
            .with_context(|| format!("cannot write man pages to {}", dir.display())),
    }
}
