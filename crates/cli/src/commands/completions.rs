//! `quintet completions`: what shells need to complete our commands.

use std::io::{self, Write};

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
    clap_complete::generate(args.shell, &mut Cli::command(), "quintet", &mut PipeWriter(out));
    Ok(())
}

/// Swallows a closed pipe: `clap_complete` panics on any failed write.
struct PipeWriter<W>(W);

impl<W: Write> Write for PipeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
