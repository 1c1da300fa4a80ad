//! The command line of the whole project: what the binary `quintet` does, for programs that offer it too.
//!
//! ```
//! assert_eq!(quintet_cli::main(["quintet", "perft", "pylos", "2"]), 0);
//! assert_eq!(quintet_cli::main(["quintet", "perft", "chess", "2"]), 2);
//! ```

mod args;
mod cluster;
mod commands;
mod data;
mod interrupt;
mod jsonl;
mod output;
mod position;
mod results;
mod runs;
mod screen;
mod thinking;
mod version;

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::Result;
use clap::Parser;

use args::{Cli, Command};
use commands::*;
use output::{Output, Printed, Unwritten, note};

pub use data::directory as data_directory;

/// Which build this is: version and commit, and a checksum where these do not say all of it. Machines that work together must have the same.
///
/// # Errors
/// When that cannot be found out.
#[cfg(feature = "cluster")]
pub fn build() -> Result<String, String> {
    cluster::build().map_err(|why| format!("{why:#}"))
}

/// Runs the program with these arguments, its name first, and gives its exit code. It expects what a Rust program begins with: a write to a
/// closed pipe is an error, not a signal, and an interrupt ends the program unless a command handles it.
pub fn main<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(told) => return tell(&told),
    };
    match run(cli) {
        Ok(()) => 0,
        // The reader of our output has closed it: not a failure.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            note!("quintet: {error:#}");
            exit_code(&error)
        }
    }
}

/// Help and versions, which were asked for, or what is wrong with the arguments.
fn tell(told: &clap::Error) -> u8 {
    let printed = told.print().and_then(|()| io::stdout().flush()).map_err(|why| Unwritten::wrap(why).into());
    match printed {
        Err(error) if !told.use_stderr() && !is_closed_pipe(&error) => {
            note!("quintet: {error:#}");
            exit_code(&error)
        }
        _ => u8::try_from(told.exit_code()).unwrap_or(2),
    }
}

/// 130 for stopped work that can be continued, 1 for a comparison that differs or output that cannot be written, 2 for everything else.
fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<interrupt::Stopped>() {
        130
    } else if error.is::<reproduce::Differs>() || Unwritten::is_cause(error) {
        1
    } else {
        2
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

fn run(cli: Cli) -> Result<()> {
    let data = data::directory(cli.data);
    let agents = || data::catalogue(data.as_deref());
    let data = data.as_deref();
    let command = cli.command.unwrap_or_else(|| Command::Serve(serve::ServeArgs::at_home()));
    let printed = Printed::on_stdout(command.prints_data());
    let mut out = Output::new(io::BufWriter::new(io::stdout().lock()), printed);
    match command {
        Command::Games(args) => games::run(&mut out, &args)?,
        Command::Agents(args) => agents::run(&mut out, &agents()?, &args)?,
        Command::Ratings(args) => ratings::run(&mut out, &agents()?, &args)?,
        Command::Show(args) => show::run(&mut out, &args)?,
        Command::Perft(args) => perft::run(&mut out, &args)?,
        Command::Replay(args) => replay::run(&mut out, &args)?,
        Command::Explain(args) => explain::run(&mut out, agents()?.weight_store(), &args)?,
        Command::Analyse(args) => analyse::run(&mut out, &agents()?, &args)?,
        Command::Hint(args) => hint::run(&mut out, &agents()?, &args)?,
        Command::Play(args) => play::run(&mut io::stdin().lock(), &mut out, &agents()?, &args)?,
        Command::Match(args) => r#match::run(&mut out, &agents()?, data, &args)?,
        Command::Tournament(args) => tournament::run(&mut out, &agents()?, data, &args)?,
        Command::Resume(args) => resume::run(&mut out, &agents()?, data, &args)?,
        Command::Worker(args) => worker::run(agents()?, &args)?,
        Command::Cluster(what) => commands::cluster::run(&mut out, &what)?,
        Command::Reproduce(args) => reproduce::run(&mut out, &agents()?, data, &args)?,
        Command::Convert(args) => convert::run(&mut out, &args)?,
        Command::Review(args) => review::run(&mut out, &agents()?, &args)?,
        Command::Puzzle(args) => puzzle::run(&mut io::stdin().lock(), &mut out, &data::of(data), agents, &args)?,
        Command::Serve(args) => serve::run(&mut out, agents()?, data, &args)?,
        Command::Train(args) => train::run(&mut out, &agents()?, data, &args)?,
        Command::Solve(args) => solve::run(&mut out, data, &args)?,
        Command::Report(args) => report::run(&mut out, data, &args)?,
        Command::Records(what) => records::run(&mut out, data, &what)?,
        Command::Import(args) => import::run(&mut out, data, &args)?,
        Command::Engine(args) => engine::run(&mut out, &agents()?, args)?,
        Command::Bench(args) => bench::run(&mut out, &args)?,
        Command::Stats(args) => stats::run(&mut out, &args)?,
        Command::Completions(args) => completions::run(&mut out, &args)?,
        Command::Man(args) => man::run(&mut out, &args)?,
    }
    out.flush()?;
    Ok(())
}
