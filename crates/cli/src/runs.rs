//! Games that end up in the store, and what they come to: what `quintet match`, `tournament` and `resume` have in common.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use cpu_time::ProcessTime;
use quintet_agent::Catalogue;
use quintet_arena::{Plan, Results};
use quintet_lab::Tournament;

use crate::cluster::{self, ClusterArgs};
use crate::interrupt::{Stopped, stop_on_interrupt};
use crate::{args, data, results, screen};

/// Who plays: this many threads of this process, or the workers of a cluster.
#[derive(Clone, Copy)]
pub struct HandsArgs<'a> {
    pub threads: Option<usize>,
    pub cluster: &'a ClusterArgs,
    /// A worker that does not.
    pub without: Option<&'a str>,
}

/// Begins a run and plays its games.
pub fn start(
    out: &mut dyn Write,
    agents: &Catalogue,
    data: Option<&Path>,
    plan: Plan,
    kind: &str,
    hands: HandsArgs<'_>,
    json: bool,
) -> Result<()> {
    hands.cluster.check(hands.threads)?;
    let tournament = Tournament::begin(data::store(data)?, agents, plan, kind)?;
    go_on(out, agents, tournament, hands, json)
}

/// Plays the games of a run that are still to be played.
pub fn go_on(
    out: &mut dyn Write,
    agents: &Catalogue,
    mut tournament: Tournament,
    hands: HandsArgs<'_>,
    json: bool,
) -> Result<()> {
    let (number, total) = (tournament.number(), tournament.plan().games());
    let done = tournament.results().games.len() as u64;
    let mut bar = screen::Forming::new(total, done, &tournament.plan().game);
    let stop = stop_on_interrupt()?;
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let threads = hands.cluster.url().is_none().then(|| tournament.threads(args::threads(hands.threads)));
    let mut heard = |so_far: &Results| bar.one_more(&results::standing(so_far));
    let over = match threads {
        Some(threads) => tournament.play(agents, threads, &stop, &mut heard),
        None => tournament.play_by(&*cluster::hands(hands.cluster, agents, hands.without)?, &stop, &mut heard),
    };
    bar.finish();
    let over = over?;
    let results = tournament.results();
    if !over {
        let done = results.games.len();
        let cluster = hands.cluster.again();
        let why = format!("stopped after {done} of {total} games; go on with: quintet resume {number}{cluster}");
        return Err(Stopped(why).into());
    }
    let load = results::Load { wall: wall.elapsed(), cpu: cpu.elapsed(), threads };
    if json {
        results::json(out, number, results, &load)?;
    } else {
        results::print(out, number, results, &load)?;
    }
    out.flush()?;
    match results.broken().as_slice() {
        [] if results.is_all_forfeits() => {
            bail!("every game was forfeited by one of its players, so the results say nothing about strength.")
        }
        [] => Ok(()),
        [(player, last), ..] => bail!(
            "{} forfeited all of its games, the last by {}: {} Its place in the table says nothing about its strength.",
            results.plan.players[*player].name,
            last.reason.fault(),
            last.fault.as_deref().unwrap_or("it did not say why.")
        ),
    }
}
