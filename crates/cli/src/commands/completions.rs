//! `quintet completions`: what shells need to complete our commands.

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};

use crate::args::Cli;

/// For which shell.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Prints the script for a shell.
pub fn run(out: &mut dyn Write, args: &CompletionsArgs) -> Result<()> {
    // `clap_complete` panics on any failed write, so it gets a place where none fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "quintet", &mut script);
    Ok(out.write_all(&script)?)
}
