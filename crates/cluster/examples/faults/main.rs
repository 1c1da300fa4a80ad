//! Faults on purpose: a tournament on workers that are killed, stopped and lied to, compared with the same tournament in one process.
//!
//!     scripts/faults --short | --long | NAME... [--program FILE]
//!
//! Everything runs on loopback: a real `nats-server` with file storage, a proxy in front of it, the real program as coordinator and as workers, in a temporary folder.
//! The short form is one tournament with every kind of fault, and a map of first pegs; the long form has one tournament for each kind, with many faults. Nothing is timed. The exit code is 1 if a game
//! was lost, counted twice or differs from the single process, 2 if the faults could not be made.

mod fakes;
mod kinds;
mod map;
mod proxy;
mod stage;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::stage::Stage;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// kill -9 of a worker, which is started again.
    Worker,
    /// A worker that hangs for longer than the queue waits, and then goes on.
    Hang,
    /// A worker that gets a tenth of its time.
    Slow,
    /// A worker that answers with rubbish.
    Rubbish,
    /// A worker that plays by the rules, but with other players: the run ends and names it, since some games are played again elsewhere, and is resumed without it.
    Cheat,
    /// A worker that can play nothing: it is barred, and no unit is set aside for it.
    Broken,
    /// A unit that fails three times: it is set aside, and played when the run is resumed.
    Failing,
    /// Workers of another version, or with other weights.
    Others,
    /// Every answer comes again, later and in another order.
    Twice,
    /// kill -9 of the coordinator; the run is resumed from a copy of its folder.
    Coordinator,
    /// kill -9 of the NATS server, which finds its files again.
    Server,
    /// The NATS server loses all of its files.
    Storage,
    /// The files of the NATS server vanish while it runs.
    Vanish,
    /// The storage of the NATS server is full for some seconds.
    Full,
    /// Nothing reaches the NATS server for some seconds, and no connection is closed.
    Partition,
    /// The same for longer than anybody waits for an acknowledgement.
    LongPartition,
    /// The NATS server is away for a while, and then Ctrl-C must be heard by all; the run is resumed.
    Outage,
}

/// A name, how many pairs of games, and the faults in their order.
type Scenario = (&'static str, u64, Vec<Fault>);

fn scenarios(long: bool) -> Vec<Scenario> {
    use Fault::*;
    if !long {
        // What the run must notice comes before its end, where nothing is left to fail; a unit that fails does so after the coordinator has begun anew.
        let all = [
            Twice,
            Rubbish,
            Broken,
            Others,
            Worker,
            Coordinator,
            Failing,
            Hang,
            Slow,
            Full,
            Server,
            Worker,
            Vanish,
            Partition,
            Storage,
        ];
        return vec![("all", 1500, all.to_vec())];
    }
    let both = [Worker; 3].into_iter().chain([Server]).cycle();
    vec![
        ("workers", 1000, vec![Worker; 100]),
        ("storm", 1000, both.take(48).collect()),
        ("coordinator", 300, vec![Coordinator; 20]),
        ("server", 300, vec![Server; 10]),
        ("storage", 300, vec![Storage; 5]),
        ("vanish", 300, vec![Vanish, Worker, Coordinator, Server, Vanish, Worker]),
        ("hanging", 300, vec![Hang; 5]),
        ("slow", 300, vec![Slow; 5]),
        ("rubbish", 800, vec![Rubbish; 10]),
        ("cheat", 300, vec![Cheat]),
        ("broken", 300, vec![Broken; 3]),
        ("failing", 300, vec![Failing; 3]),
        ("others", 400, vec![Others; 3]),
        ("twice", 300, vec![Twice, Worker, Worker, Coordinator]),
        ("full", 300, vec![Full; 5]),
        ("partition", 300, vec![Partition, LongPartition, Partition, LongPartition, Partition]),
        ("outage", 300, vec![Outage, Worker, Outage]),
    ]
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("faults: {why}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool> {
    let mut arguments = std::env::args().skip(1);
    let (mut program, mut names, mut long) = (PathBuf::from("target/debug/quintet"), Vec::new(), true);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--short" => long = false,
            "--long" => {}
            "--program" => program = arguments.next().ok_or("--program FILE")?.into(),
            name if !name.starts_with('-') => names.push(name.to_owned()),
            other => return Err(format!("{other}: --short, --long, --program FILE, or names of scenarios").into()),
        }
    }
    let program = program.canonicalize().map_err(|why| format!("{}: {why}", program.display()))?;
    let is_chosen = |name: &str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    let chosen = scenarios(long).into_iter().filter(|(name, ..)| is_chosen(name));
    let runtime = tokio::runtime::Runtime::new()?;
    let mut all_well = true;
    println!("{:<12} {:>6} {:>7} {:>8}  result", "scenario", "games", "faults", "seconds");
    for (name, pairs, faults) in chosen {
        let began = Instant::now();
        let count = faults.len();
        let result = scenario(&program, &runtime, pairs, &faults);
        let seconds = began.elapsed().as_secs_f64();
        let told = result.unwrap_or_else(|why| {
            all_well = false;
            format!("FAILED: {why}")
        });
        println!("{name:<12} {:>6} {count:>7} {seconds:>8.1}  {told}", 2 * pairs);
    }
    type Play = fn(&std::path::Path) -> Result<String>;
    let others: [(&str, bool, &str, Play); 2] = [("map", true, "3", map::play), ("kinds", long, "", kinds::play)];
    for (name, _, faults, play) in others.into_iter().filter(|(name, wanted, ..)| *wanted && is_chosen(name)) {
        let began = Instant::now();
        let told = play(&program).unwrap_or_else(|why| {
            all_well = false;
            format!("FAILED: {why}")
        });
        println!("{name:<12} {:>6} {faults:>7} {:>8.1}  {told}", "", began.elapsed().as_secs_f64());
    }
    Ok(all_well)
}

/// Plays a tournament through its faults; what was seen.
fn scenario(
    program: &std::path::Path,
    runtime: &tokio::runtime::Runtime,
    pairs: u64,
    faults: &[Fault],
) -> Result<String> {
    let mut stage = Stage::new(program, runtime, pairs)?;
    stage.begin()?;
    let mut seen = Vec::new();
    for (number, fault) in faults.iter().enumerate() {
        // Something has happened since the last fault, or it is time for the next.
        stage.wait_for_games(1, Duration::from_secs(60))?;
        if stage.is_over()? {
            return Err(format!("the run was over before fault {number}, {fault:?}: it needs more games").into());
        }
        seen.extend(stage.make(*fault)?);
    }
    let (games, caught) = stage.finish()?;
    seen.extend(caught);
    let seen = if seen.is_empty() { String::new() } else { format!("; {}", seen.join("; ")) };
    Ok(format!("{games} games, the same games and table as one process{seen}"))
}
