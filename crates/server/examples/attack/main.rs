//! Attacks on a running server, with a table of what it held and what it lost.
//!
//!     scripts/attack --short | --long | NAME...
//!         [--program FILE] [--out FOLDER] [--json FILE]
//!
//! The server is the real program on a free port of loopback, in a temporary data directory; each attack has one of its own. Attackers come from 127.0.0.2 to
//! 127.0.0.9. Beside each attack a visitor at 127.0.0.1 asks for the list of games twenty times a second, on new connections. Everything is bounded in time and ends with
//! this program. The exit code is 1 if anything was lost, 2 if the attacks could not be made.
//!
//! In the long form (and for attacks that are named) the visitor's p99 must stay below 100 ms and the server's own memory below 512 MB: run it on quiet cores. In the
//! short form, for busy machines, answers must come, but no time is asserted.

mod client;
mod connections;
mod engine;
mod kills;
mod malformed;
mod mixed;
mod requests;
mod runs;
mod searches;
mod server;
mod table;
mod visitor;

use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, timeout};

use crate::client::Client;
use crate::server::{Folder, Server};
use crate::table::{Outcome, Row};
use crate::visitor::Visitor;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
type Attacked = Pin<Box<dyn Future<Output = Result<Outcome>> + Send>>;

/// The visitor's p99 in the long form, in milliseconds.
const LATENCY: f64 = 100.0;

/// The server's own memory, in MiB.
const MEMORY: f64 = 512.0;

/// What an attack needs to know.
#[derive(Clone)]
struct Setup {
    /// The program under attack.
    program: PathBuf,
    /// Whether this is the long form.
    long: bool,
    /// Where curves are written.
    out: PathBuf,
}

impl Setup {
    /// The size of something in the two forms.
    fn pick<T>(&self, short: T, long: T) -> T {
        if self.long { long } else { short }
    }
}

/// A server under attack.
#[derive(Clone)]
struct Target {
    address: SocketAddr,
    process: u32,
    setup: Setup,
}

/// How an attack is made.
enum Run {
    /// On a server that a visitor uses at the same time.
    Beside(fn(Target) -> Attacked),
    /// The same, with curves of what the visitor saw.
    Drawn(fn(Target) -> Attacked),
    /// By itself: it starts what it attacks.
    Alone(fn(Setup) -> Attacked),
}

/// An attack by its name. What "held" means is said at each function.
struct Attack {
    name: &'static str,
    run: Run,
}

macro_rules! attacks {
    ($($kind:ident $name:literal $function:path),* $(,)?) => {
        [$(Attack { name: $name, run: Run::$kind(|what| Box::pin($function(what))) }),*]
    };
}

/// All attacks, in the order of the table.
fn attacks() -> Vec<Attack> {
    attacks![
        Beside "imports" requests::imports,
        Beside "largest" requests::largest,
        Beside "rooms" searches::rooms,
        Beside "searches" searches::searches,
        Beside "abandoned" searches::abandoned,
        Beside "agents" searches::agents,
        Beside "pipelined" connections::pipelined,
        Beside "unread" connections::unread,
        Beside "slow" connections::slow,
        Beside "crowded" connections::crowded,
        Alone "terminate" connections::terminate,
        Beside "malformed" malformed::requests,
        Beside "messages" malformed::messages,
        Alone "engine" engine::lines,
        Alone "kills" kills::server,
        Alone "second" kills::second,
        Alone "vanished" kills::vanished,
        Alone "match" runs::matches,
        Alone "train" runs::training,
        Alone "solve" runs::solving,
        Alone "reproduce" runs::reproducing,
        Drawn "mixed" mixed::load,
    ]
    .into()
}

/// The command line.
struct Arguments {
    setup: Setup,
    names: Vec<String>,
    json: Option<PathBuf>,
}

impl Arguments {
    fn read() -> Result<Arguments> {
        let usage = "usage: scripts/attack --short | --long | NAME... [--program FILE] [--out FOLDER] [--json FILE]";
        let setup = Setup { program: "target/release/quintet".into(), long: true, out: "target/attack".into() };
        let mut read = Arguments { setup, names: Vec::new(), json: None };
        let (mut words, mut form) = (std::env::args().skip(1), false);
        while let Some(word) = words.next() {
            let mut value = || words.next().map(PathBuf::from).ok_or_else(|| format!("{word} needs a value; {usage}"));
            match word.as_str() {
                "--short" | "--long" => (form, read.setup.long) = (true, word == "--long"),
                "--program" => read.setup.program = value()?,
                "--out" => read.setup.out = value()?,
                "--json" => read.json = Some(value()?),
                name if attacks().iter().any(|attack| attack.name == name) => read.names.push(word),
                _ => {
                    let names: Vec<&str> = attacks().iter().map(|attack| attack.name).collect();
                    return Err(format!("{usage}; {word:?} is not one of the attacks {}", names.join(", ")).into());
                }
            }
        }
        if !form && read.names.is_empty() {
            return Err(usage.into());
        }
        Ok(read)
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let code = match runtime.map_err(Into::into).and_then(|runtime| runtime.block_on(until_stopped())) {
        Ok(lost) => i32::from(lost > 0),
        Err(error) => {
            eprintln!("attack: {error}");
            2
        }
    };
    std::process::exit(code);
}

/// Runs the attacks until they are over or this program is told to end; either way the servers end with it.
async fn until_stopped() -> Result<u64> {
    let (mut interrupted, mut terminated) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::select! {
        lost = all(Arguments::read()?) => lost,
        _ = interrupted.recv() => Err("interrupted".into()),
        _ = terminated.recv() => Err("terminated".into()),
    }
}

/// Runs the chosen attacks one after another. Returns how much was lost.
async fn all(arguments: Arguments) -> Result<u64> {
    let Arguments { setup, names, json } = arguments;
    std::fs::create_dir_all(&setup.out)?;
    let begin = Instant::now();
    println!("{}", Row::head());
    let mut rows = Vec::new();
    for attack in attacks() {
        if names.is_empty() || names.iter().any(|name| name == attack.name) {
            let row = one(&attack, &setup).await?;
            println!("{}", row.line());
            rows.push(row);
        }
    }
    for row in &rows {
        for remark in row.remarks() {
            println!("{}:{remark}", row.name);
        }
    }
    let lost = rows.iter().map(Row::lost).sum();
    println!("{lost} lost; {:.0} s", begin.elapsed().as_secs_f64());
    if let Some(file) = json {
        let form = setup.pick("short", "long");
        let figures = json!({ "form": form, "attacks": rows.iter().map(Row::json).collect::<Vec<_>>() });
        std::fs::write(&file, format!("{figures:#}\n"))
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    Ok(lost)
}

/// Makes one attack, with a visitor where there is a server to visit.
async fn one(attack: &Attack, setup: &Setup) -> Result<Row> {
    let begin = Instant::now();
    let longest = Duration::from_secs(setup.pick(180, 3 * 3600));
    let late = |_| Err(format!("not over after {longest:?}").into());
    let (outcome, seen) = match attack.run {
        Run::Alone(run) => (timeout(longest, run(setup.clone())).await.unwrap_or_else(late), None),
        Run::Beside(run) | Run::Drawn(run) => {
            let folder = Folder::new(attack.name)?;
            let mut server = Server::start(&setup.program, &folder.0.join("data"))?;
            let target = Target { address: server.address, process: server.id(), setup: setup.clone() };
            let visitor = Visitor::start(server.address, server.id());
            let mut outcome = timeout(longest, run(target)).await.unwrap_or_else(late);
            let seen = visitor.stop().await;
            if let Ok(outcome) = &mut outcome {
                after(outcome, &mut server, &seen, setup.long).await;
                if matches!(attack.run, Run::Drawn(_)) {
                    mixed::curves(outcome, &seen, setup)?;
                }
            }
            (outcome, Some(seen))
        }
    };
    let outcome = outcome.unwrap_or_else(|error| {
        let mut outcome = Outcome::default();
        outcome.must(Err(error));
        outcome
    });
    Ok(Row { name: attack.name, outcome, seen, seconds: begin.elapsed().as_secs_f64() })
}

/// What holds after every attack: the visitor was served, and the server is there, has not panicked and is not too large.
async fn after(outcome: &mut Outcome, server: &mut Server, seen: &visitor::Seen, long: bool) {
    outcome.count(seen.unanswered == 0, || {
        let instead = seen.instead.as_deref().unwrap_or_default();
        format!("{} of {} requests of the visitor: {instead}", seen.unanswered, seen.looks.len())
    });
    let lives = server.lives() && Client::visitor(server.address).ask("GET", "/api/games", "").await.answer().is_ok();
    outcome.count(lives, || "the server does not answer any more".into());
    outcome.count(server.panicked().is_none(), || server.panicked().unwrap_or_default());
    outcome.count(seen.memory() < MEMORY, || format!("{:.0} MiB of memory", seen.memory()));
    if long {
        let p99 = seen.latency(0.99);
        outcome.count(p99 < LATENCY, || format!("the visitor's p99 is {p99:.0} ms"));
    }
}
