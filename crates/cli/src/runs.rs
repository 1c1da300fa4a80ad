//! Games that end up in the store, and what they come to: what `quintet match`, `tournament` and `resume` have in common.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use cpu_time::ProcessTime;
use quintet_agent::Catalogue;
use quintet_arena::{Contestant, Identity, Plan, Results, RunError, Store, run};
use quintet_game::GameSpec;

use crate::interrupt::stop_on_interrupt;
use crate::{data, results, screen};

/// A run was stopped and can be resumed.
#[derive(Debug, thiserror::Error)]
#[error("stopped after {done} of {total} games; go on with: quintet resume {run}")]
pub struct Stopped {
    run: i64,
    done: usize,
    total: u64,
}

/// Begins a run and plays its games.
pub fn start(
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
    let mut store = data::store(data)?;
    let run = store.begin(plan, kind)?;
    store.name_players(run, plan, &identities)?;
    go_on(out, agents, &mut store, run, plan, threads, json)
}

/// Plays the games of a run that are still to be played.
pub fn go_on(
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
        bar.one_more(&results::standing(&standing));
        Ok(())
    });
    bar.finish();
    let results = result?;
    if stop.load(Ordering::Relaxed) && !results.is_complete() {
        return Err(Stopped { run: number, done: results.games.len(), total: plan.games() }.into());
    }
    store.end(number, &results)?;
    let load = results::Load { wall: wall.elapsed(), cpu: cpu.elapsed(), threads };
    if json { results::json(out, number, &results, &load) } else { results::print(out, number, &results, &load) }
}

/// Threads that play at once: as asked for, else all cores; by the clock never more than there are cores.
fn threads_for(plan: &Plan, asked: Option<usize>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = asked.unwrap_or(cores).max(1);
    if plan.budget.time.is_some() { threads.min(cores) } else { threads }
}
