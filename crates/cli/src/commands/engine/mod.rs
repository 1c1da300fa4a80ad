//! `quintet engine`: an engine that speaks UGI over standard input and output. `docs/engine.md` describes the protocol.
//!
//! One loop owns the state and the output. Two threads feed it with events: one reads lines, one works (a search, perft, bench), so that lines
//! are read during long work.

mod bench;
mod go;
mod say;
mod work;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::Result;
use clap::Args;
use quintet_agent::{Catalogue, Seat};
use quintet_game::text::quote;
use quintet_game::{AnyLine, GameSpec, Outcome, Player};

use crate::jsonl::{Read, read_line};
use crate::position;
use work::{Done, Job};

/// What the engine begins with.
#[derive(Args, Debug)]
pub struct EngineArgs {
    /// The game at the start
    #[arg(long, value_name = "SPEC", default_value = "pathwayz")]
    pub game: GameSpec,
    /// Who chooses the moves
    #[arg(long, default_value = "champion")]
    pub agent: String,
    /// Seed of the agent
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// The most waiting events. A slow reader blocks the threads instead of filling the memory.
const WAITING: usize = 16;
/// The longest error message, in characters.
const LONGEST_ERROR: usize = 400;
/// The largest seed that protocols with signed numbers can write.
const LARGEST_SEED: u64 = i64::MAX as u64;

/// Events of the loop.
pub enum Event {
    Line(Vec<u8>),
    TooLong,
    /// The input has ended, or cannot be read.
    End(io::Result<()>),
    /// A line from the work in progress.
    News(String),
    Done(Done),
}

/// Lines to say, or what is wrong with the command.
type Reply = Result<Vec<String>, String>;

struct Engine<'a> {
    // Dropped before the job, so that the job does not wait for a receiver.
    events: Receiver<Event>,
    job: Option<Job>,
    /// Handed to the threads.
    sender: SyncSender<Event>,
    /// Events that came while a job was being stopped.
    waiting: VecDeque<Event>,
    out: &'a mut dyn Write,
    agents: &'a Catalogue,
    spec: GameSpec,
    agent: String,
    seed: u64,
    line: Box<dyn AnyLine>,
    /// `None` while it thinks.
    seat: Option<Box<dyn Seat>>,
}

/// Answers commands from standard input until `quit` or its end.
pub fn run(out: &mut dyn Write, agents: &Catalogue, args: EngineArgs) -> Result<()> {
    let EngineArgs { game: spec, agent, seed } = args;
    anyhow::ensure!(seed <= LARGEST_SEED, "--seed {seed}: it must be a whole number up to {LARGEST_SEED}.");
    let (sender, events) = sync_channel(WAITING);
    let (line, seat) = (spec.line(), Some(agents.seat(&spec, &agent, seed)?));
    let reader = sender.clone();
    thread::spawn(move || read(&reader));
    let waiting = VecDeque::new();
    Engine { events, job: None, sender, waiting, out, agents, spec, agent, seed, line, seat }.serve()
}

fn read(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let event = match read_line(&mut input, &mut line) {
            Ok(Read::Whole) => Event::Line(line),
            Ok(Read::TooLong) => Event::TooLong,
            Ok(Read::End) => Event::End(Ok(())),
            Err(error) => Event::End(Err(error)),
        };
        let last = matches!(event, Event::End(_));
        if events.send(event).is_err() || last {
            return;
        }
    }
}

impl Engine<'_> {
    fn serve(mut self) -> Result<()> {
        // The loop holds a sender itself, so that the channel never closes.
        while let Some(event) = self.waiting.pop_front().or_else(|| self.events.recv().ok()) {
            match event {
                Event::Line(line) => {
                    if !self.obey(&line)? {
                        break;
                    }
                }
                Event::TooLong => self.complain("the line is longer than 4 MiB (4194304 bytes); it was skipped.")?,
                Event::End(result) => {
                    self.stop()?;
                    return Ok(result?);
                }
                Event::News(line) => self.say(&line)?,
                Event::Done(done) => self.done(done)?,
            }
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()?;
        Ok(())
    }

    fn complain(&mut self, what: &str) -> Result<()> {
        let what: String = what.chars().take(LONGEST_ERROR).collect();
        self.say(&format!("info string error {what}"))
    }

    /// Executes a line; false after `quit`.
    fn obey(&mut self, line: &[u8]) -> Result<bool> {
        let line = match std::str::from_utf8(line) {
            Ok(line) => line.trim_ascii(),
            Err(error) => {
                self.complain(&format!("not UTF-8 at byte {}.", error.valid_up_to()))?;
                return Ok(true);
            }
        };
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        match (word, rest.trim_ascii()) {
            ("", _) => {}
            ("quit", _) => {
                self.stop()?;
                return Ok(false);
            }
            ("stop", _) => self.stop()?,
            ("isready", _) => self.say("readyok")?,
            (word, rest) => match self.answer(word, rest) {
                Ok(lines) => {
                    for line in lines {
                        self.say(&line)?;
                    }
                }
                Err(what) => self.complain(&what)?,
            },
        }
        Ok(true)
    }

    /// Ends the work in progress, and prints its result before other events are handled.
    fn stop(&mut self) -> Result<()> {
        if let Some(done) = self.job.as_mut().and_then(Job::stop) {
            self.done(done)?;
        }
        while self.job.is_some()
            && let Ok(event) = self.events.recv()
        {
            match event {
                Event::News(line) => self.say(&line)?,
                Event::Done(done) => self.done(done)?,
                other => self.waiting.push_back(other),
            }
        }
        Ok(())
    }

    /// The work is done; its answer may have to wait for `stop`.
    fn done(&mut self, done: Done) -> Result<()> {
        let Some(done) = self.job.as_mut().and_then(|job| job.hold(done)) else { return Ok(()) };
        self.job = None;
        for line in &done.lines {
            self.say(line)?;
        }
        // A search that broke has lost its agent.
        self.seat = done
            .seat
            .or_else(|| self.seat.take())
            .or_else(|| self.agents.seat(&self.spec, &self.agent, self.seed).ok());
        Ok(())
    }

    fn answer(&mut self, word: &str, rest: &str) -> Reply {
        if self.job.is_some() {
            return Err(format!("busy: only isready, stop and quit work now; \"{}\" was ignored.", quote(word, 40)));
        }
        match word {
            "ugi" => Ok(self.introduce()),
            "setoption" => self.set_option(rest),
            "uginewgame" => self.new_game(self.spec, self.agent.clone(), self.seed),
            "position" => self.set_position(rest),
            "go" => self.go(rest),
            "query" => self.query(rest),
            "perft" => self.perft(rest),
            "bench" => {
                self.job = Some(Job::start(&self.sender, false, bench::run)?);
                Ok(Vec::new())
            }
            _ => Err(format!(
                "\"{}\" is not a command; the commands are ugi, setoption, isready, uginewgame, position, go, stop, query, perft, bench, quit.",
                quote(word, 40)
            )),
        }
    }

    fn introduce(&self) -> Vec<String> {
        vec![
            concat!("id name quintet ", env!("CARGO_PKG_VERSION")).into(),
            "id author the quintet authors".into(),
            format!("option name Game type string default {}", self.spec),
            format!("option name Agent type string default {}", self.agent),
            format!("option name Seed type spin default {} min 0 max {LARGEST_SEED}", self.seed),
            "ugiok".into(),
        ]
    }

    fn set_option(&mut self, rest: &str) -> Reply {
        let shape = "setoption: use setoption name NAME value VALUE.";
        let rest = after_word(rest, "name").ok_or(shape)?;
        let (name, rest) = rest.split_once(|c: char| c.is_ascii_whitespace()).ok_or(shape)?;
        let value = after_word(rest.trim_ascii(), "value").filter(|value| !value.is_empty()).ok_or(shape)?;
        match name.to_ascii_lowercase().as_str() {
            "game" => {
                let spec = GameSpec::parse(value).map_err(|error| error.to_string())?;
                self.new_game(spec, self.agent.clone(), self.seed).map_err(|error| {
                    format!("{} cannot play {spec}: {error} Set Agent to champion first.", quote(&self.agent, 60))
                })
            }
            "agent" => self.new_agent(value.to_owned(), self.seed),
            "seed" => {
                let seed = go::number(value).filter(|seed| *seed <= LARGEST_SEED);
                let wrong =
                    || format!("Seed \"{}\": it must be a whole number up to {LARGEST_SEED}.", quote(value, 40));
                self.new_agent(self.agent.clone(), seed.ok_or_else(wrong)?)
            }
            _ => Err(format!("\"{}\" is not an option; the options are Game, Agent, Seed.", quote(name, 40))),
        }
    }

    /// Starts a new game with a new agent. Nothing changes if the agent cannot be built.
    fn new_game(&mut self, spec: GameSpec, agent: String, seed: u64) -> Reply {
        let seat = self.agents.seat(&spec, &agent, seed).map_err(|error| error.to_string())?;
        (self.spec, self.agent, self.seed) = (spec, agent, seed);
        (self.line, self.seat) = (spec.line(), Some(seat));
        Ok(Vec::new())
    }

    /// Changes the agent in the same position.
    fn new_agent(&mut self, agent: String, seed: u64) -> Reply {
        let seat = self.agents.seat(&self.spec, &agent, seed).map_err(|error| error.to_string())?;
        (self.agent, self.seed, self.seat) = (agent, seed, Some(seat));
        Ok(Vec::new())
    }

    fn set_position(&mut self, rest: &str) -> Reply {
        let mut words = rest.split_ascii_whitespace();
        let mut line = match words.next() {
            Some("startpos") => match words.next() {
                None | Some("moves") => self.spec.line(),
                Some(word) => {
                    return Err(format!("position: \"moves\" must follow startpos, not \"{}\".", quote(word, 40)));
                }
            },
            Some("fen") => {
                let text: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
                self.spec.line_at(&text.join(" ")).map_err(|error| error.to_string())?
            }
            _ => {
                return Err("position: use position startpos or position fen TEXT, then moves MOVE MOVE ….".into());
            }
        };
        for mv in words {
            line.try_play(mv).map_err(|error| error.to_string())?;
        }
        self.line = line;
        Ok(Vec::new())
    }

    fn go(&mut self, rest: &str) -> Reply {
        let asked = go::read(rest, self.line.to_move())?;
        if let Some((outcome, reason)) = self.line.end() {
            return Err(format!("the game is over: {outcome} ({reason}); there is nothing to choose."));
        }
        let seat = self.seat.take().ok_or("there is no agent; set Agent to one.")?;
        let line = self.line.clone();
        self.job = Some(Job::start(&self.sender, asked.infinite, move |news, stop| {
            work::search(seat, &*line, &asked.limit, news, stop)
        })?);
        Ok(Vec::new())
    }

    fn perft(&mut self, rest: &str) -> Reply {
        let depth = go::number(rest).filter(|depth| (1..=100).contains(depth));
        let depth = depth.ok_or_else(|| format!("perft \"{}\": it must be a depth from 1 to 100.", quote(rest, 40)))?;
        let line = self.line.clone();
        self.job = Some(Job::start(&self.sender, false, move |_, stop| work::perft(line, depth as u32, stop))?);
        Ok(Vec::new())
    }

    fn query(&self, what: &str) -> Reply {
        let line = self.line.as_ref();
        let answer = match what {
            "p1turn" => (line.to_move() == Player::First).to_string(),
            "gameover" => line.end().is_some().to_string(),
            "result" => match line.end().map(|(outcome, _)| outcome) {
                Some(Outcome::Win(Player::First)) => "p1win",
                Some(Outcome::Win(Player::Second)) => "p2win",
                Some(Outcome::Draw) => "draw",
                None => "none",
            }
            .into(),
            "legalmoves" if line.end().is_some() => "none".into(),
            "legalmoves" => line.legal_moves().join(" "),
            "fen" => line.position(),
            "fullinfo" => position::describe(line).to_string(),
            _ => {
                let known = "p1turn, gameover, result, legalmoves, fen, fullinfo";
                return Err(format!("\"{}\" cannot be queried; choose one of {known}.", quote(what, 40)));
            }
        };
        Ok(vec![format!("response {answer}")])
    }
}

/// What follows `word` at the beginning of `text`.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    rest.starts_with(|c: char| c.is_ascii_whitespace()).then(|| rest.trim_ascii())
}
