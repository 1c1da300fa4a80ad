//! `quintet engine` (UGI) as a program of its own, told nonsense.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::malformed::Dice;
use crate::server::Folder;
use crate::table::Outcome;
use crate::{Result, Setup};

/// Lines that the engine understands, to be made wrong.
const LINES: [&str; 9] = [
    "position startpos moves 1a1 1b1",
    "position fen 1a1 x moves",
    "go nodes 50",
    "go p1time 1000 p2time 1000 p1inc 10 p2inc 10",
    "setoption name Game value pylos(rules=expert)",
    "setoption name Seed value 7",
    "setoption name Agent value mcts(visits=10)",
    "perft 1",
    "query result",
];

/// Words that do not belong there.
const WORDS: [&str; 10] =
    ["", "-1", "99999999999999999999", "startpos", "infinite", "value", "name", "((((", "\u{1b}[2J", "twixt(size=24)"];

/// A line made wrong: a word replaced or left out, bytes that are not text, or far too long.
fn wrong(dice: &mut Dice) -> Vec<u8> {
    let mut words: Vec<&str> = LINES[dice.below(LINES.len())].split(' ').collect();
    let at = dice.below(words.len());
    match dice.below(6) {
        0 => drop(words.remove(at)),
        1 => words.truncate(at),
        2 => words.push(WORDS[dice.below(WORDS.len())]),
        _ => words[at] = WORDS[dice.below(WORDS.len())],
    }
    let mut line = words.join(" ").into_bytes();
    match dice.below(20) {
        0 => line.extend(dice.bytes(40).into_iter().filter(|byte| *byte != b'\n')),
        1 => line.extend([b'x'].repeat(dice.below(100_000))),
        _ => {}
    }
    line
}

/// An engine at work; dropping it kills it.
struct Engine {
    child: Child,
    said: Receiver<String>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Engine {
    fn start(setup: &Setup, folder: &Folder) -> Result<Engine> {
        let mut command = Command::new(&setup.program);
        command.args(["engine", "--game", "pylos", "--agent", "mcts(visits=10)", "--data"]).arg(&folder.0);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = child.stdout.take().ok_or("the engine has no output")?;
        let (sender, said) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(std::result::Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Engine { child, said })
    }

    /// Tells it some lines, ends whatever they have started, and asks whether it is still there.
    fn is_there_after(&mut self, lines: &[Vec<u8>]) -> Result<()> {
        let mut text = lines.join(&b'\n');
        text.extend(b"\nstop\nisready\n");
        self.child.stdin.as_mut().ok_or("the engine has no input")?.write_all(&text)?;
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let line = self.said.recv_timeout(until.saturating_duration_since(Instant::now()))?;
            if line == "readyok" {
                return Ok(());
            }
        }
    }
}

/// Malformed lines to `quintet engine`: two thousand in the short form, two hundred thousand in the long one. Held: after every twenty the engine says that it is ready.
pub async fn lines(setup: Setup) -> Result<Outcome> {
    tokio::task::spawn_blocking(move || {
        let (mut outcome, mut dice) = (Outcome::default(), Dice::new(3));
        let folder = Folder::new("engine")?;
        let mut engine = Engine::start(&setup, &folder)?;
        for _ in 0..setup.pick(100, 10_000) {
            let lines: Vec<Vec<u8>> = (0..20).map(|_| wrong(&mut dice)).collect();
            let there = engine.is_there_after(&lines);
            if there.is_err() {
                engine = Engine::start(&setup, &folder)?;
            }
            let told = || lines.iter().map(|line| format!("{:.80}", String::from_utf8_lossy(line))).collect::<Vec<_>>();
            outcome.count(there.is_ok(), || format!("{there:?} after {:?}", told()));
        }
        Ok(outcome)
    })
    .await?
}
