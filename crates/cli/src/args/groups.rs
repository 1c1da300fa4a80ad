//! Arguments that several commands share.

use std::time::Duration;

use clap::Args;
use quintet_game::text::quote;
use quintet_game::{GameSpec, Limit};
use quintet_records::{Crossing, Format, Options, SwapAs};

/// A game and a position in it.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// The game, as in pentago or 'twixt(size=8,rules=paper)'
    #[arg(value_name = "SPEC")]
    pub spec: GameSpec,
    #[command(flatten)]
    pub history: History,
}

/// A position, given as text, moves or both.
#[derive(Args, Debug)]
pub struct History {
    /// Moves, from the start or from --position
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
    /// The position to start from
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
}

/// How long to think.
#[derive(Args, Debug)]
pub struct Effort {
    /// Time, as in 2s or 50ms
    #[arg(long, value_parser = duration)]
    pub time: Option<Duration>,
    /// Positions to look at
    #[arg(long)]
    pub nodes: Option<u64>,
    /// Plies to look ahead
    #[arg(long)]
    pub depth: Option<u32>,
    /// Visits of the root, for tree searches
    #[arg(long)]
    pub visits: Option<u64>,
}

impl Effort {
    /// The same as the budget of a run.
    pub fn budget(&self) -> Limit {
        // Whole milliseconds, as the store keeps them.
        Limit { time: self.time.map(|time| Duration::from_millis(time.as_millis() as u64)), ..self.limit() }
    }

    /// As a limit.
    pub fn limit(&self) -> Limit {
        Limit { time: self.time, nodes: self.nodes, depth: self.depth, visits: self.visits, ..Limit::default() }
    }
}

/// How foreign games are read.
#[derive(Args, Debug)]
pub struct Reading {
    /// The format of the files (default: detected)
    #[arg(long)]
    pub format: Option<Format>,
    /// The game of plain lists; for TwixT files, overrides what they say
    #[arg(long, value_name = "SPEC")]
    pub game: Option<GameSpec>,
    /// What a swap in a TwixT file means (default: what its format usually means)
    #[arg(long)]
    pub swap: Option<SwapAs>,
    /// Whether own links may cross in a TwixT file
    #[arg(long)]
    pub crossing: Option<Crossing>,
}

impl Reading {
    /// The same for the import library.
    pub fn options(&self) -> Options {
        Options { game: self.game, swap: self.swap, crossing: self.crossing, games: None }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    quintet_eval::read_time(text).ok_or_else(|| "a time such as 2s or 50ms".into())
}

/// Reads a number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("a number of seconds above 0 and at most a day (86400)".into()),
    }
}

/// Reads `ELO0,ELO1`.
pub fn elo_bounds(text: &str) -> Result<[f64; 2], String> {
    numbers(text, |part| match part.parse() {
        Ok(elo) if f64::abs(elo) <= 10_000.0 => Ok(elo),
        _ => Err(format!("'{}' is not an Elo", quote(part, 80))),
    })
}

/// Reads numbers with commas between them.
pub fn numbers<T, const N: usize>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<[T; N], String> {
    let numbers = text.split(',').map(|part| read(part.trim())).collect::<Result<Vec<T>, String>>()?;
    numbers.try_into().map_err(|numbers: Vec<T>| format!("{N} numbers are needed, not {}", numbers.len()))
}

/// The most threads that can be asked for.
const MOST_THREADS: usize = 1024;

/// Reads a number of threads.
pub fn thread_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads <= MOST_THREADS => Ok(threads),
        _ => Err(format!("a number of threads, at most {MOST_THREADS}")),
    }
}

/// Reads an amount of memory in MiB, no more than this machine has.
pub fn mebibytes(text: &str) -> Result<u64, String> {
    let most = memory_here();
    match text.parse() {
        Ok(asked) if (1..=most).contains(&asked) => Ok(asked),
        _ => Err(format!("a number of MiB from 1 to {most}, the memory of this machine")),
    }
}

/// The memory of this machine in MiB; where the system does not tell, a TiB.
pub fn memory_here() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total =
        told.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.trim().parse().ok());
    total.map_or(1 << 20, |kib: u64| kib >> 10)
}

/// Threads: as many as are asked for, else one per core.
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}
