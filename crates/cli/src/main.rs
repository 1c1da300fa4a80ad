//! The binary `quintet`: the command line of the whole project.

mod agents;
mod analyse;
mod args;
mod bench;
mod convert;
mod curves;
mod data;
mod engine;
mod explain;
mod games;
mod jsonl;
mod perft;
mod play;
mod position;
mod puzzle;
mod records;
mod replay;
mod report;
mod reproduce;
mod review;
mod runs;
mod screen;
mod serve;
mod solve;
mod stats;
mod train;
mod values;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser};

use args::{BenchRow, Cli, Command};
use records::Records;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads our output has seen enough: that is no failure.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "quintet: {error:#}");
            ExitCode::from(exit_code(&error))
        }
    }
}

/// 130 for what was stopped and can go on, 1 for a comparison that differs, 2 for everything else.
fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<runs::Stopped>()
        || error.is::<reproduce::Stopped>()
        || error.is::<train::Stopped>()
        || error.is::<solve::Stopped>()
        || error.is::<solve::boards::Stopped>()
    {
        130
    } else if error.is::<reproduce::Differs>() {
        1
    } else {
        2
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

fn run(cli: Cli) -> Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let data = data::directory(cli.data);
    let agents = || data::catalogue(data.as_deref());
    let data = data.as_deref();
    match cli.command {
        None => serve::run(&mut out, agents()?, data, &serve::ServeArgs::at_home())?,
        Some(Command::Convert(args)) => convert::run(&mut out, &args)?,
        Some(Command::Puzzle(args)) => puzzle::run(&mut io::stdin().lock(), &mut out, &data::of(data), agents, &args)?,
        Some(Command::Review(args)) => review::run(&mut out, &agents()?, &args)?,
        Some(Command::Serve(args)) => serve::run(&mut out, agents()?, data, &args)?,
        Some(Command::Games { json }) => games::list(&mut out, json)?,
        Some(Command::Agents { game, json }) => agents::list(&mut out, &agents()?, game.as_deref(), json)?,
        Some(Command::Show { place, svg, json }) => position::show(&mut out, &place, svg.as_deref(), json)?,
        Some(Command::Perft { spec, depth, history, json }) => perft::run(&mut out, spec, depth, &history, json)?,
        Some(Command::Replay { jsonl: true, .. }) => {
            jsonl::serve(&mut io::stdin().lock(), &mut out, quintet_game::replay::answer)?;
        }
        Some(Command::Replay { spec, moves, position, json, .. }) => {
            let spec = spec.expect("clap demands a spec without --jsonl");
            replay::one(&mut out, spec, &moves, position.as_deref(), json)?;
        }
        Some(Command::Analyse { jsonl: true, .. }) => {
            let agents = agents()?;
            jsonl::serve(&mut io::stdin().lock(), &mut out, |line| analyse::answer(&agents, line))?;
        }
        Some(Command::Analyse { spec, agent, effort, history, seed, json, trace, .. }) => {
            let spec = spec.expect("clap demands a spec without --jsonl");
            let question = analyse::Question { spec, history: &history, agent: &agent, seed, limit: effort.limit() };
            match trace {
                Some(most) => analyse::steps(&mut out, &agents()?, &question, most)?,
                None => analyse::one(&mut out, &agents()?, &question, json)?,
            }
        }
        Some(Command::Hint { place, agent, seed }) => {
            let table = position::table(place.spec, &place.history)?;
            writeln!(out, "{}", analyse::hint(&agents()?, table.as_ref(), &agent, seed)?)?;
        }
        Some(Command::Explain { jsonl: true, .. }) => {
            let agents = agents()?;
            jsonl::serve(&mut io::stdin().lock(), &mut out, |line| explain::answer(agents.shelf(), line))?;
        }
        Some(Command::Explain { spec, eval, view, history, json, .. }) => {
            let spec = spec.expect("clap demands a spec without --jsonl");
            explain::one(&mut out, agents()?.shelf(), spec, eval.as_deref(), view, &history, json)?;
        }
        Some(Command::Play { place, first, second, seed }) => {
            play::run(&mut io::stdin().lock(), &mut out, &agents()?, &place, [&first, &second], seed)?;
        }
        Some(Command::Match(args)) => runs::duel(&mut out, &agents()?, data, &args)?,
        Some(Command::Tournament { file, effort, seed, openings, threads, json }) => {
            let over = runs::Overrides { effort, seed, openings, threads, json };
            runs::tournament(&mut out, &agents()?, data, &file, &over)?;
        }
        Some(Command::Resume { run, threads, json }) => runs::resume(&mut out, &agents()?, data, run, threads, json)?,
        Some(Command::Reproduce(args)) => reproduce::run(&mut out, &agents()?, data, &args)?,
        Some(Command::Train(args)) => train::run(&mut out, &agents()?, data, &args)?,
        Some(Command::Solve(args)) => solve::run(&mut out, data, &args)?,
        Some(Command::Report { run }) => curves::run(&mut out, &train::place(data, &run))?,
        Some(Command::Records(Records::List { run, game, json })) => {
            records::list(&mut out, data, run, game.as_deref(), json)?;
        }
        Some(Command::Records(Records::Show { id, json })) => records::show(&mut out, data, id, json)?,
        Some(Command::Records(Records::Export { run, game, form, file })) => {
            records::export(&mut out, data, run, game.as_deref(), form, file.as_deref())?;
        }
        Some(Command::Import { files, how }) => records::import(&mut out, data, &files, &how)?,
        Some(Command::Engine { game, agent, seed }) => engine::run(&mut out, &agents()?, game, agent, seed)?,
        Some(Command::Bench { row: None, json }) => bench::all(&mut out, json)?,
        Some(Command::Bench { row: Some(BenchRow::Playouts(row)), json }) => {
            bench::playouts(&mut out, &row.spec, row.seconds, row.seed, json || row.json)?;
        }
        Some(Command::Bench { row: Some(BenchRow::Simulations(row)), json }) => {
            bench::simulations(&mut out, &row.spec, row.seconds, row.seed, json || row.json)?;
        }
        Some(Command::Bench { row: Some(BenchRow::Threads { json: own }), json }) => {
            bench::threads(&mut out, json || own)?;
        }
        Some(Command::Bench { row: Some(BenchRow::Deadlines { json: own }), json }) => {
            bench::deadlines(&mut out, json || own)?;
        }
        Some(Command::Bench { row: Some(BenchRow::Searches { json: own }), json }) => {
            bench::searches(&mut out, json || own)?;
        }
        Some(Command::Bench { row: Some(BenchRow::Table1 { games, cut, json: own }), json }) => {
            bench::table1(&mut out, games, cut, json || own)?;
        }
        Some(Command::Stats { wdl, pairs, test, json }) => stats::run(&mut out, wdl, pairs, &test, json)?,
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "quintet", &mut PipeWriter(&mut out));
        }
        Some(Command::Man { dir: None }) => clap_mangen::Man::new(Cli::command()).render(&mut out)?,
        Some(Command::Man { dir: Some(dir) }) => {
            std::fs::create_dir_all(&dir)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), &dir))
                .with_context(|| format!("cannot write man pages to {}", dir.display()))?;
        }
    }
    out.flush()?;
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
