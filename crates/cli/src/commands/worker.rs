//! `quintet worker`: a worker of a cluster.

use anyhow::Result;
use clap::Args;
use quintet_agent::Catalogue;

use crate::cluster::KeyArgs;

/// What a worker offers.
#[derive(Args, Debug)]
pub struct WorkerArgs {
    /// The address of the cluster's NATS server, as in nats://HOST:4222. Other users of this machine see arguments, so give a password in the environment
    #[arg(long, value_name = "URL", env = crate::cluster::URL, hide_env_values = true)]
    pub cluster: String,
    /// Units at once, which are pairs of games or first pegs (default: all cores)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    /// Memory that agents may take, all together, in MiB (default: this machine's, but at least 1 GiB for each of the two agents of a game, since most take less than they may)
    #[arg(long, value_name = "MIB", value_parser = crate::args::mebibytes)]
    pub memory: Option<u64>,
    /// Tags of this machine, as in gpu: a run with --tag is played by workers that have it; may be a list with commas
    #[arg(long, value_delimiter = ',')]
    pub tags: Vec<String>,
    /// An outside engine that plans may name as ugi(cmd="NAME"); may be given several times
    #[arg(long, value_name = "NAME=COMMAND", value_parser = engine)]
    pub allow_engine: Vec<(String, String)>,
    /// The name of this machine in records (default: the host's)
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub keys: KeyArgs,
}

fn engine(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, command)) if !name.is_empty() && !command.is_empty() => Ok((name.to_owned(), command.to_owned())),
        _ => Err("a name and a command, as in mine='./engine --fast'".into()),
    }
}

#[cfg(not(feature = "cluster"))]
pub fn run(_agents: Catalogue, _args: &WorkerArgs) -> Result<()> {
    crate::cluster::available()
}

/// What an agent may take, in MiB, where nobody has said it.
#[cfg(feature = "cluster")]
const USUAL: u64 = 1024;

/// Works until it is interrupted.
#[cfg(feature = "cluster")]
pub fn run(agents: Catalogue, args: &WorkerArgs) -> Result<()> {
    use quintet_cluster::message::name;
    use quintet_cluster::{Permit, Worker};

    use crate::{args as asked, cluster, interrupt};

    let threads = asked::threads(args.threads);
    // Two agents play a game.
    let share = |memory: u64| memory / (2 * threads as u64);
    let memory = args.memory.map_or_else(|| share(asked::memory_here()).max(USUAL), share);
    let worker = Worker {
        server: cluster::server(&args.cluster, &args.keys),
        build: cluster::build()?,
        machine: name(args.name.as_deref().unwrap_or(&host())),
        threads,
        tags: args.tags.iter().map(|tag| name(tag)).collect(),
        permit: Permit { engines: args.allow_engine.clone(), threads: threads as u64, memory },
        agents: agents.into(),
        say: cluster::say(),
    };
    worker.work(&interrupt::stop_on_interrupt()?)?;
    Ok(())
}

/// The name of this machine.
#[cfg(feature = "cluster")]
fn host() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let told = told.or_else(|_| std::env::var("HOSTNAME")).or_else(|_| std::env::var("COMPUTERNAME"));
    told.map_or_else(|_| "machine".into(), |name| name.trim().chars().take(32).collect())
}
