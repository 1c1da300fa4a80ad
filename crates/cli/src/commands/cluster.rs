//! `quintet cluster`: what a cluster does.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::cluster::KeyArgs;

/// What is asked.
#[derive(Debug, Subcommand)]
pub enum Cluster {
    /// List workers, runs with their rates and estimated ends, trainings with their players, and the queue
    Status(StatusArgs),
}

/// Which cluster.
#[derive(Args, Debug)]
pub struct StatusArgs {
    /// The address of the cluster's NATS server, as in nats://HOST:4222. Other users of this machine see arguments, so give a password in the environment
    #[arg(long, value_name = "URL", env = crate::cluster::URL, hide_env_values = true)]
    pub cluster: String,
    #[command(flatten)]
    pub keys: KeyArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(not(feature = "cluster"))]
pub fn run(_out: &mut dyn Write, Cluster::Status(_): &Cluster) -> Result<()> {
    crate::cluster::available()
}

/// Listens for a moment and says who is there.
#[cfg(feature = "cluster")]
pub fn run(out: &mut dyn Write, Cluster::Status(args): &Cluster) -> Result<()> {
    use serde_json::json;

    let status = quintet_cluster::status(&crate::cluster::server(&args.cluster, &args.keys))?;
    if args.json {
        let report = json!({
            "runs": status.runs, "workers": status.workers, "trainings": status.trainings, "players": status.players,
            "units": status.units, "answers": status.answers,
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    let threads: u32 = status.workers.iter().map(|worker| worker.threads).sum();
    writeln!(out, "{} workers, {threads} games at once", status.workers.len())?;
    for worker in &status.workers {
        let rate = worker.games as f64 / worker.seconds.max(1) as f64;
        let (playing, threads) = (worker.playing, worker.threads);
        let tags = if worker.tags.is_empty() { String::new() } else { format!(", {}", worker.tags.join(" ")) };
        writeln!(
            out,
            "  {}  {playing} of {threads} at work, {rate:.1} games/s, {}{tags}",
            worker.worker, worker.build
        )?;
        for (run, why) in &worker.refused {
            writeln!(out, "    does not join {}: {why}", &run[..8])?;
        }
    }
    writeln!(out, "{} runs", status.runs.len())?;
    for run in &status.runs {
        let task = run.read_task().ok();
        let (game, of) = task.as_ref().map_or(("", ""), |(task, _)| (task.game(), task.of()));
        let left = run.total.saturating_sub(run.done) as f64 / run.rate.max(1e-9);
        let end = if run.rate > 0.0 { format!("about {left:.0} s left") } else { "nothing done yet".into() };
        let (id, done, total, rate) = (&run.run[..8], run.done, run.total, run.rate);
        writeln!(out, "  {id}  {game}, {done} of {total} {of}, {rate:.1} a second, {end}")?;
    }
    for training in &status.trainings {
        let players = status.players.iter().filter(|player| player.run.as_ref() == Some(&training.run)).count();
        writeln!(out, "training {}  {}, {players} players", &training.run[..8], training.variants.join(" "))?;
    }
    let idle = status.players.iter().filter(|player| player.run.is_none()).count();
    if idle > 0 {
        writeln!(out, "{idle} players wait for a training")?;
    }
    writeln!(out, "queue: {} units wait or are in play, {} answers wait", status.units, status.answers)?;
    Ok(())
}
