//! Long work that is killed and resumed: its result is that of an undisturbed run.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::malformed::Dice;
use crate::server::Folder;
use crate::table::Outcome;
use crate::{Result, Setup};

/// A kind of long work.
struct Work {
    name: &'static str,
    /// The arguments that begin it in a folder, or continue it there.
    arguments: fn(&Setup, &Path) -> Vec<String>,
    /// What must be the same in the end.
    result: fn(&Setup, &Path) -> Result<Vec<u8>>,
}

/// A process that is killed when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    fn start(setup: &Setup, data: &Path, arguments: &[String]) -> Result<Process> {
        let printed = std::fs::File::create(data.join("printed"))?;
        let errors = std::fs::File::create(data.join("errors"))?;
        let mut command = program(setup, data, arguments);
        Ok(Process(command.stdin(Stdio::null()).stdout(printed).stderr(errors).spawn()?))
    }

    /// Waits until it ends, at most this long. Returns whether it has, and fails if it has failed: a table that differs from the paper's is not a failure (exit code 1 of `reproduce`).
    async fn ends(&mut self, data: &Path, within: Duration) -> Result<bool> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait()? {
                let why = std::fs::read_to_string(data.join("errors"))?;
                let fine = status.success() || (status.code() == Some(1) && !why.contains("error"));
                return if fine { Ok(true) } else { Err(format!("ended with {status}: {why:.300}").into()) };
            }
            if begin.elapsed() >= within {
                return Ok(false);
            }
            sleep(Duration::from_millis(2)).await;
        }
    }
}

fn program(setup: &Setup, data: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(&setup.program);
    command.args(arguments).arg("--data").arg(data);
    command
}

/// What a command prints.
fn printed(setup: &Setup, data: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    Ok(program(setup, data, &arguments).stderr(Stdio::null()).output()?.stdout)
}

/// The words of a command line.
fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// Does the work once undisturbed, and then kills it (SIGKILL) at random moments and continues it, again from the beginning whenever it is done: once in the short form, fifty kills
/// in the long one.
async fn disturb(setup: &Setup, work: &Work) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let folder = Folder::new(work.name)?;
    let calm = folder.0.join("calm");
    std::fs::create_dir_all(&calm)?;
    let begin = Instant::now();
    let longest = Duration::from_secs(600);
    let mut undisturbed = Process::start(setup, &calm, &(work.arguments)(setup, &calm))?;
    if !undisturbed.ends(&calm, longest).await? {
        return Err("the undisturbed run does not end".into());
    }
    let took = begin.elapsed();
    let wanted = (work.result)(setup, &calm)?;
    let (mut dice, mut kills, mut rounds) = (Dice::new(7), 0, 0);
    while kills < setup.pick(1, 50) {
        let rough = folder.0.join(format!("rough-{rounds}"));
        std::fs::create_dir_all(&rough)?;
        loop {
            let moment = took.mul_f64(dice.below(800) as f64 / 1000.0);
            let mut process = Process::start(setup, &rough, &(work.arguments)(setup, &rough))?;
            // The last of a round is let through: there are as many kills as there may be, or enough in this round.
            let last = kills >= setup.pick(1, 50) || kills >= 10 * (rounds + 1);
            if process.ends(&rough, if last { longest } else { moment }).await? {
                break;
            }
            drop(process);
            kills += 1;
        }
        let got = (work.result)(setup, &rough)?;
        outcome.count(got == wanted && !got.is_empty(), || {
            format!("after {kills} kills the result is another: {} and {} bytes", got.len(), wanted.len())
        });
        rounds += 1;
    }
    outcome.notes.push(format!("{kills} kills in {rounds} runs of {:.1} s", took.as_secs_f64()));
    Ok(outcome)
}

/// `quintet match`, killed and resumed. Held: all games are those of an undisturbed match.
pub async fn matches(setup: Setup) -> Result<Outcome> {
    let work = Work {
        name: "match",
        arguments: |setup, data| {
            let listed = printed(setup, data, &["records", "list", "--json"]).unwrap_or_default();
            let runs: Value = serde_json::from_slice(&listed).unwrap_or_default();
            let begun = runs.as_array().is_some_and(|runs| !runs.is_empty());
            let games = setup.pick(80, 300);
            let begin = "match pylos mcts(visits=200) random --openings 1 --seed 4 --threads 1 --json --games";
            words(&if begun { "resume 1 --json".into() } else { format!("{begin} {games}") })
        },
        result: |setup, data| printed(setup, data, &["records", "export", "--run", "1"]),
    };
    disturb(&setup, &work).await
}

/// `quintet train`, killed and continued. Held: the weights and the curves are those of an undisturbed run.
pub async fn training(setup: Setup) -> Result<Outcome> {
    let work = Work {
        name: "train",
        arguments: |setup, data| {
            let games = setup.pick(200, 500);
            let mut line = words(&format!("train pathwayz:td52 --games {games} --no-test --threads 1 --out"));
            line.push(data.join("run").display().to_string());
            line
        },
        result: |_, data| {
            let weights = std::fs::read_to_string(data.join("run/td52.toml"))?;
            // Before the values is their history, with the command and its folder.
            let values = weights.split_once("[values]").ok_or("the weights have no values")?.1;
            Ok([values.as_bytes(), &std::fs::read(data.join("run/metrics.jsonl"))?].concat())
        },
    };
    disturb(&setup, &work).await
}

/// `quintet solve` on a small board, killed and begun again. Held: the answer is that of an undisturbed run.
pub async fn solving(setup: Setup) -> Result<Outcome> {
    let work = Work {
        name: "solve",
        arguments: |_, _| words("solve twixt(size=8,rules=paper) --start --memory 64"),
        result: |_, data| Ok(std::fs::read(data.join("printed"))?),
    };
    disturb(&setup, &work).await
}

/// `quintet reproduce --quick`, killed and continued. Held: the lines of the table are those of an undisturbed run.
pub async fn reproducing(setup: Setup) -> Result<Outcome> {
    let work = Work {
        name: "reproduce",
        arguments: |_, _| words("reproduce twixt/heuristics --quick --threads 1 --json"),
        result: |_, data| {
            let report: Value = serde_json::from_slice(&std::fs::read(data.join("printed"))?)?;
            Ok(report["lines"].to_string().into_bytes())
        },
    };
    disturb(&setup, &work).await
}
