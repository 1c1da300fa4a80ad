//! `quintet match`, `tournament` and `resume`: games that end up in the store, and what they come to.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use cpu_time::ProcessTime;
use quintet_agent::Catalogue;
use quintet_arena::{Contestant, Identity, Length, MAX_PLIES, MOST, Plan, Results, RunError, Store, Written, run};
use quintet_game::{GameSpec, Limit};

use crate::args::Effort;
use crate::{report, screen};

/// A match.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// The game
    #[arg(value_name = "SPEC")]
    pub spec: GameSpec,
    /// One agent
    #[arg(value_name = "A")]
    pub first: String,
    /// The other
    #[arg(value_name = "B")]
    pub second: String,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000), conflicts_with = "sprt")]
    pub games: u64,
    /// Play until a sequential test of two claims (in Elo) is decided
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// The most games of a sequential test
    #[arg(long, value_name = "GAMES", default_value_t = MOST, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub most: u64,
    #[command(flatten)]
    pub effort: Effort,
    /// Seed of openings and agents
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Random plies before the players take over
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    pub openings: u32,
    /// A game of so many plies is a draw
    #[arg(long, default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_plies: u32,
    /// Games at once (default: all cores)
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([low, high]) if low < high && low.is_finite() && high.is_finite() => Ok([*low, *high]),
        _ => Err("two numbers, the smaller first, as in 0,20".into()),
    }
}

/// A run was stopped and can be resumed.
#[derive(Debug, thiserror::Error)]
#[error("stopped after {done} of {total} games; go on with: quintet resume {run}")]
pub struct Stopped {
    run: i64,
    done: usize,
    total: u64,
}

/// Where the games are kept.
pub fn store(data: Option<&Path>) -> Result<Store> {
    let Some(data) = data else { bail!("there is no place for data here; name one with --data DIR") };
    Ok(Store::open(&data.join("games.sqlite"))?)
}

/// A match of two agents.
pub fn duel(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &MatchArgs) -> Result<()> {
    let length = match args.sprt {
        Some([elo0, elo1]) => Length::Sprt { elo0, elo1, most: args.most },
        None => Length::Games(args.games),
    };
    let mut plan = Plan::duel(&args.spec.to_string(), [&args.first, &args.second], length)?;
    plan.opening_plies = args.openings;
    plan.budget = args.effort.budget();
    plan.max_plies = args.max_plies;
    plan.seed = args.seed;
    start(out, agents, data, &plan, "match", args.threads, args.json)
}

/// A tournament from a file.
pub fn tournament(
    out: &mut dyn Write,
    agents: &Catalogue,
    data: Option<&Path>,
    file: &Path,
    over: &Overrides,
) -> Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let written: Written = toml::from_str(&text).with_context(|| format!("{} is no tournament", file.display()))?;
    let mut plan = written.plan().with_context(|| format!("{}", file.display()))?;
    let budget = over.effort.budget();
    if budget != Limit::default() {
        plan.budget = budget;
    }
    plan.seed = over.seed.unwrap_or(plan.seed);
    plan.opening_plies = over.openings.unwrap_or(plan.opening_plies);
    start(out, agents, data, &plan, "tournament", over.threads, over.json)
}

/// What the command line says over the file.
pub struct Overrides {
    pub effort: Effort,
    pub seed: Option<u64>,
    pub openings: Option<u32>,
    pub threads: Option<usize>,
    pub json: bool,
}

fn start(
    out: &mut dyn Write,
    agents: &Catalogue,
    data: Option<&Path>,
    plan: &Plan,
    kind: &str,
    threads: Option<usize>,
    json: bool,
) -> Result<()> {
    let spec = GameSpec::parse(&plan.game)?;
    // A player that cannot be had is known before anything is written down.
    let identify = |player: &Contestant| {
        agents.seat(&spec, &player.agent, 0)?;
        let weights = agents.checksums(&spec, &player.agent)?;
        Ok(Identity { spec: agents.resolved(&spec, &player.agent)?, weights })
    };
    let identities = plan.players.iter().map(identify).collect::<Result<Vec<_>>>()?;
    let mut store = store(data)?;
    let run = store.begin(plan, kind)?;
    store.name_players(run, plan, &identities)?;
    go_on(out, agents, &mut store, run, plan, threads, json)
}

/// Finishes a run that was stopped.
pub fn resume(
    out: &mut dyn Write,
    agents: &Catalogue,
    data: Option<&Path>,
    run: i64,
    threads: Option<usize>,
    json: bool,
) -> Result<()> {
    let mut store = store(data)?;
    let plan = store.plan(run)?;
    go_on(out, agents, &mut store, run, &plan, threads, json)
}

fn go_on(
    out: &mut dyn Write,
    agents: &Catalogue,
    store: &mut Store,
    number: i64,
    plan: &Plan,
    threads: Option<usize>,
    json: bool,
) -> Result<()> {
    let done = store.played(number)?;
    let mut bar = screen::Forming::new(plan.games(), done.len() as u64, &plan.game);
    let stop = stop_on_interrupt()?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let threads = threads_for(plan, threads);
    let mut standing = Results::new(plan.clone(), done.clone());
    let result = run(plan, agents, done, threads, &stop, &mut |played| {
        store.keep(number, plan, played).map_err(|error| RunError::Keep(error.to_string()))?;
        standing.games.push(played.clone());
        bar.one_more(&report::standing(&standing));
        Ok(())
    });
    bar.finish();
    let results = result?;
    if stop.load(Ordering::Relaxed) && !results.is_complete() {
        return Err(Stopped { run: number, done: results.games.len(), total: plan.games() }.into());
    }
    store.end(number, &results)?;
    let load = report::Load { wall: wall.elapsed(), cpu: cpu.elapsed(), threads };
    if json { report::json(out, number, &results, &load) } else { report::print(out, number, &results, &load) }
}

/// Threads that play at once: as asked for, else all cores; by the clock never more than there are cores.
fn threads_for(plan: &Plan, asked: Option<usize>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = asked.unwrap_or(cores).max(1);
    if plan.budget.time.is_some() { threads.min(cores) } else { threads }
}

/// The first interrupt ends the run after the games in play; the second ends the program.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let set = ctrlc::try_set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("stopping when the games in play are over; once more to stop at once");
    });
    match set {
        // Somebody else listens already: then they decide.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(stop),
        Err(error) => Err(error.into()),
    }
}
