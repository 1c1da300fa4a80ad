//! `quintet bench`: speeds, with signatures that change only when the rules or the searches do.

mod deadlines;
mod nets;
mod rules;
mod searches;
mod table1;
mod threads;

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};
use comfy_table::{CellAlignment, Table};
use serde_json::Value;

use crate::args::seconds;

/// What is measured.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Only one row
    #[command(subcommand)]
    pub row: Option<BenchRow>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A part of the benchmark.
#[derive(Debug, Subcommand)]
pub enum BenchRow {
    /// Agents on positions of random games: nodes and nodes per second
    #[command(after_help = "Example:\n  quintet bench searches --json")]
    Searches {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Nodes per second of searches on one thread and on more
    #[command(after_help = "Example:\n  quintet bench threads --threads 1,2,4,8,16")]
    Threads {
        /// The numbers of threads; the ratios are to the first
        #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = threads::PAIR.to_vec(), value_parser = clap::value_parser!(u32).range(1..=32))]
        threads: Vec<u32>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Evaluations per second of a net of usual size, with the instructions in use
    #[command(after_help = "Example:\n  quintet bench nets")]
    Nets {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// How far searches overrun a deadline of 50 ms
    #[command(after_help = "Example:\n  quintet bench deadlines")]
    Deadlines {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// A Monte Carlo tree search from the start on one thread, timed by that thread's CPU time
    #[command(after_help = "Example:\n  quintet bench simulations pentago --seconds 2 --seed 1 --json")]
    Simulations(Timed),
    /// Table 1 of the TwixT paper: whole games of five searches at five depths, beside the paper's times
    #[command(after_help = "Example:\n  quintet bench table1 --games 10 --cut 1000000000")]
    Table1 {
        /// Games of each search at each depth
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
        games: u64,
        /// Give up a game of more nodes than this
        #[arg(long, value_name = "NODES", default_value_t = 200_000_000, value_parser = clap::value_parser!(u64).range(1..))]
        cut: u64,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Random games from the start on one thread, timed by that thread's CPU time
    #[command(after_help = "Example:\n  quintet bench playouts 'twixt(size=12)' --seconds 2 --seed 1 --json")]
    Playouts(Timed),
}

/// A game, and how long it is measured.
#[derive(Args, Debug)]
pub struct Timed {
    /// The game
    #[arg(value_name = "SPEC")]
    pub spec: String,
    /// How long
    #[arg(long, default_value_t = 1.0, value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: f64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Measures one row, or everything.
pub fn run(out: &mut dyn Write, args: &BenchArgs) -> Result<()> {
    match &args.row {
        None => all(out, args.json),
        Some(BenchRow::Playouts(row)) => rules::playouts(out, &row.spec, row.seconds, row.seed, args.json || row.json),
        Some(BenchRow::Simulations(row)) => {
            searches::simulations(out, &row.spec, row.seconds, row.seed, args.json || row.json)
        }
        Some(BenchRow::Threads { threads, json }) => threads::run(out, threads, args.json || *json),
        Some(BenchRow::Nets { json }) => nets::run(out, args.json || *json),
        Some(BenchRow::Deadlines { json }) => deadlines::run(out, args.json || *json),
        Some(BenchRow::Searches { json }) => searches::run(out, args.json || *json),
        Some(BenchRow::Table1 { games, cut, json }) => table1::run(out, *games, *cut, args.json || *json),
    }
}

/// Everything, one after the other.
fn all(out: &mut dyn Write, json: bool) -> Result<()> {
    if json {
        let (rules, signature) = rules::measure()?;
        let mut all = rules::to_json(&rules, signature);
        all["searches"] = searches::to_json(&searches::measure()?);
        all["table1"] = table1::to_json(&table1::measure(1, table1::QUICK_CUT)?);
        all["nets"] = nets::to_json(&nets::measure()?);
        all["threads"] = threads::to_json(&threads::measure(threads::PAIR)?);
        all["deadlines"] = deadlines::to_json(&deadlines::measure()?);
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let (rules, signature) = rules::measure()?;
    rules::print(out, &rules, signature)?;
    // Shown at once, since the next part takes a while.
    next(out)?;
    searches::run(out, false)?;
    next(out)?;
    table1::run(out, 1, table1::QUICK_CUT, false)?;
    next(out)?;
    nets::run(out, false)?;
    next(out)?;
    threads::run(out, threads::PAIR, false)?;
    next(out)?;
    deadlines::run(out, false)
}

fn next(out: &mut dyn Write) -> Result<()> {
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

/// Prints the measurements, for programs or for people.
fn show<T>(
    out: &mut dyn Write,
    measured: &T,
    json: bool,
    to_json: impl Fn(&T) -> Value,
    print: impl Fn(&mut dyn Write, &T) -> Result<()>,
) -> Result<()> {
    if !json {
        return print(out, measured);
    }
    writeln!(out, "{}", serde_json::to_string_pretty(&to_json(measured))?)?;
    Ok(())
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// `1234567` as `1,234,567`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

/// Right-aligns numbers: all columns but the first.
fn right_aligned(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1234567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
