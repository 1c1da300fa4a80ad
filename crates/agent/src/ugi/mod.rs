//! Outside engines as agents: programs that speak UGI (the protocol of `quintet engine`).
//!
//! An engine gets a request, a time and some memory, and everything it says is checked. Whatever it does wrong becomes a
//! [`ThinkError::Engine`]; then it is killed, and the next request starts a new process.

mod guest;
mod info;
mod words;

use std::time::Duration;

use quintet_eval::{Argument, Spec, SpecError};
use quintet_game::clock::Instant;
use quintet_game::text::quote;
use quintet_game::{AnyLine, Forfeit, GameSpec, Limit, Notation as _, Stop, with_game};
use quintet_search::{Choice, Report};

use crate::build::read_limit;
use crate::error::ThinkError;
use crate::seat::{Seat, is_playable};
use guest::{EngineOutput, Guest, LONGEST_LINE};
use info::Info;

/// The default time of an engine.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The longest time of an engine: clocks cannot add arbitrary durations to now.
const LONGEST_TIME: Duration = Duration::from_secs(1 << 30);
/// The longest time under a limit that is not a time.
const WALL: Duration = Duration::from_secs(60);
/// The default address space of an engine, in MiB.
const MEMORY: u64 = 2048;
/// The most that an engine may write per request.
const MOST_BYTES: usize = 16 << 20;
const MOST_LINES: usize = 100_000;
/// How often the stop flag is checked.
const POLL: Duration = Duration::from_millis(10);
/// How long an engine that has closed its output may take to exit.
const FALLING: Duration = Duration::from_secs(1);
/// Moves of an engine's line that are kept.
const LONGEST_PV: usize = 100;

/// A failure and what happened.
type Failure = (Forfeit, String);

/// An outside engine in a seat: `ugi(cmd="./engine --flag",time=1s)`.
#[derive(Debug)]
pub struct Engine {
    spec: GameSpec,
    seed: u64,
    words: Vec<String>,
    limit: Limit,
    /// Time to start and to report that it is ready.
    start: Duration,
    /// Time beyond the limit.
    grace: Duration,
    /// Address space in bytes.
    memory: Option<u64>,
    /// Does the process serve more than one game?
    keep: bool,
    /// The running process; started when it is first needed, and again after a failure.
    guest: Option<Guest>,
    /// The names of the options that the process has announced, in small letters.
    options: Vec<String>,
    /// The process has not been told of this game yet.
    is_new: bool,
}

impl Engine {
    /// Reads the arguments; nothing is run yet.
    pub fn new(spec: GameSpec, agent_spec: &Spec, seed: u64) -> Result<Engine, SpecError> {
        let mut arguments = agent_spec.arguments();
        let command = arguments.take("cmd");
        let engine = Engine {
            spec,
            seed,
            words: read_command(command)?,
            start: arguments.time("start")?.unwrap_or(Duration::from_secs(5)),
            grace: arguments.time("grace")?.unwrap_or(Duration::from_millis(200)),
            memory: Some(arguments.count("memory")?.unwrap_or(MEMORY).saturating_mul(1 << 20))
                .filter(|bytes| *bytes > 0),
            keep: arguments.word("keep", &["yes", "no"])? == 0,
            limit: read_limit(&mut arguments)?,
            guest: None,
            options: Vec::new(),
            is_new: true,
        };
        arguments.finish()?;
        Ok(engine)
    }

    /// Asks the engine, which is started if necessary; none if it resigns.
    fn ask(
        &mut self,
        any_line: &mut dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Option<Choice<String>>, Failure> {
        let mut said = Transcript::default();
        if self.is_new && self.guest.is_some() && self.begin(&mut said).is_err() {
            // It has ended since the last game, or does not start another: a new process does.
            self.guest = None;
            said = Transcript::default();
        }
        if self.guest.is_none() {
            self.greet(&mut said)?;
            self.begin(&mut said)?;
        }
        self.is_new = false;
        let guest = self.guest.as_ref().ok_or((Forfeit::NotStarted, "is not running".to_owned()))?;
        // Output about an earlier request ends here.
        guest.tell("isready".into());
        said.until(guest, "readyok", Instant::now() + self.start, Forfeit::TimeOut, |_| {})?;
        guest.tell(position(any_line));
        guest.tell(go(limit));
        self.listen(guest, said, any_line, limit, stop, progress)
    }

    /// Starts a process and hears its options.
    fn greet(&mut self, said: &mut Transcript) -> Result<(), Failure> {
        let started = Guest::start(&self.words, self.memory);
        let guest = started.map_err(|error| (Forfeit::NotStarted, format!("cannot be run: {error}")))?;
        let guest = self.guest.insert(guest);
        let options = &mut self.options;
        options.clear();
        guest.tell("ugi".into());
        said.until(guest, "ugiok", Instant::now() + self.start, Forfeit::NotStarted, |line| {
            let name = line.strip_prefix("option name ").and_then(|rest| rest.split_ascii_whitespace().next());
            options.extend(name.map(str::to_ascii_lowercase));
        })
    }

    /// Tells the process which game is played.
    fn begin(&self, said: &mut Transcript) -> Result<(), Failure> {
        let guest = self.guest.as_ref().ok_or((Forfeit::NotStarted, "is not running".to_owned()))?;
        // Engines may store numbers with a sign.
        let seed = self.seed & i64::MAX as u64;
        for (name, value) in [("Game", self.spec.spelled_out()), ("Seed", seed.to_string())] {
            if self.options.contains(&name.to_ascii_lowercase()) {
                guest.tell(format!("setoption name {name} value {value}"));
            }
        }
        guest.tell("uginewgame".into());
        guest.tell("isready".into());
        said.until(guest, "readyok", Instant::now() + self.start, Forfeit::NotStarted, |_| {})
    }

    /// Reads the engine's output until it names its move, or resigns: then there is none.
    fn listen(
        &self,
        guest: &Guest,
        mut said: Transcript,
        any_line: &mut dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Option<Choice<String>>, Failure> {
        let begin = Instant::now();
        let mut until = begin + limit.time.map_or(WALL, |time| time + self.grace);
        let mut stopping = false;
        let mut last = Report::default();
        let mut chances = None;
        loop {
            let now = Instant::now();
            let at_wall = limit.time.is_none() && now >= until;
            if !stopping && (at_wall || stop.stopped()) {
                guest.tell("stop".into());
                stopping = true;
                until = now + self.grace;
            }
            let watched = stop.is_possible() && !stopping;
            let heard = said.next(guest, if watched { until.min(now + POLL) } else { until })?;
            if let Some(line) = &heard {
                let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
                if word == "bestmove" && rest.trim().eq_ignore_ascii_case("resign") {
                    return Ok(None);
                }
                if word == "bestmove" {
                    let mv = self.read_move(any_line, rest)?;
                    let line = if last.line.first() == Some(&mv) { last.line } else { vec![mv.clone()] };
                    let (value, elapsed) = (last.value.unwrap_or(0.0), begin.elapsed());
                    let Report { nodes, depth, .. } = last;
                    return Ok(Some(Choice { mv, value, known: None, chances, line, nodes, depth, elapsed }));
                }
                if word == "info" {
                    let info = Info::read(rest);
                    chances = info.chances.or(chances);
                    if note(&mut last, &info, any_line) {
                        last.elapsed = begin.elapsed();
                        progress(&last);
                    }
                }
            }
            if Instant::now() >= until && (stopping || limit.time.is_some()) {
                let after = begin.elapsed().as_secs_f64();
                return Err((Forfeit::TimeOut, format!("has not moved after {after:.2} s{}", said.last_line())));
            }
        }
    }

    /// The engine's move in our own spelling, if it is legal.
    fn read_move(&self, any_line: &mut dyn AnyLine, text: &str) -> Result<String, Failure> {
        let token = text.split_ascii_whitespace().next().unwrap_or("");
        match any_line.try_play(token) {
            Ok(mv) => Ok(mv),
            Err(error) => {
                let readable = with_game!(self.spec, |game| game.read_move(token).is_ok());
                let reason = if readable { Forfeit::IllegalMove } else { Forfeit::Garbage };
                Err((reason, format!("answered with a bad move: {error}")))
            }
        }
    }

    /// Ends the failed process, and says what happened.
    fn dismiss(&mut self, (reason, what): Failure) -> ThinkError {
        let mut detail = format!("\"{}\" {what}", quote(&self.words.join(" "), 60));
        if let Some(mut guest) = self.guest.take() {
            let crashed = reason == Forfeit::Crash;
            let status = guest.finish(if crashed { FALLING } else { Duration::ZERO });
            if let Some(status) = status.filter(|_| crashed) {
                detail += &format!(" ({status})");
            }
            if let Some(words) = guest.last_words() {
                detail = format!("{}; its last words: \"{words}\"", detail.trim_end_matches('.'));
            }
        }
        if !detail.ends_with('.') {
            detail.push('.');
        }
        ThinkError::Engine { reason, detail }
    }
}

impl Seat for Engine {
    fn think(
        &mut self,
        line: &dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError> {
        is_playable(line, &self.spec)?;
        let mut any_line = line.boxed_clone();
        let mut limit = self.limit.smaller(limit);
        if !limit.is_any() {
            limit.time = Some(DEFAULT_TIME);
        }
        limit.time = limit.time.map(|time| time.min(LONGEST_TIME));
        let asked = self.ask(&mut *any_line, &limit, stop, progress).map_err(|failure| self.dismiss(failure))?;
        asked.ok_or(ThinkError::Resigned)
    }

    fn is_outside(&self) -> bool {
        true
    }

    fn new_game(&mut self, seed: u64) -> bool {
        (self.seed, self.is_new) = (seed, true);
        self.keep
    }
}

fn read_command(value: Option<&Argument>) -> Result<Vec<String>, SpecError> {
    let bad = |value: &str, wanted: &str| SpecError::BadValue {
        key: "cmd".into(),
        value: value.into(),
        wanted: format!("{wanted}, as in cmd=\"./engine --flag\""),
    };
    let Some(Argument::Text(command)) = value else {
        return Err(bad(&value.map(Argument::to_string).unwrap_or_default(), "a command in double quotes"));
    };
    let words = words::split(command).map_err(|missing| bad(command, &format!("a command with {missing}")))?;
    if words.is_empty() { Err(bad(command, "a command")) } else { Ok(words) }
}

/// The `position` line of a game.
fn position(any_line: &dyn AnyLine) -> String {
    let begin = any_line.begun_from().map_or_else(|| "startpos".into(), |text| format!("fen {text}"));
    let moves = if any_line.plies() == 0 { String::new() } else { format!(" moves {}", any_line.moves().join(" ")) };
    format!("position {begin}{moves}")
}

/// The `go` line of a limit.
fn go(limit: &Limit) -> String {
    let time = limit.time.map(|time| time.as_millis().max(1).to_string());
    let parts = [
        ("movetime", time),
        ("nodes", limit.nodes.map(|nodes| nodes.to_string())),
        ("depth", limit.depth.map(|depth| depth.to_string())),
        ("visits", limit.visits.map(|visits| visits.to_string())),
    ];
    parts.into_iter().fold("go".to_owned(), |line, (name, value)| match value {
        Some(value) => format!("{line} {name} {value}"),
        None => line,
    })
}

/// Merges an `info` line into `progress`; false if it has nothing useful. Of the line, the moves before the first illegal one are kept.
fn note(progress: &mut Report<String>, info: &Info, any_line: &mut dyn AnyLine) -> bool {
    progress.depth = info.depth.unwrap_or(progress.depth);
    progress.nodes = info.nodes.unwrap_or(progress.nodes);
    progress.value = info.value.or(progress.value);
    if !info.line.is_empty() {
        progress.line.clear();
        progress.line.extend(info.line.iter().take(LONGEST_PV).map_while(|mv| any_line.try_play(mv).ok()));
        for _ in &progress.line {
            any_line.undo();
        }
    }
    info.depth.is_some() || info.nodes.is_some() || info.value.is_some() || !info.line.is_empty()
}

/// What an engine has written about one request: how much, and the last line.
#[derive(Debug, Default)]
struct Transcript {
    bytes: usize,
    lines: usize,
    last: String,
}

impl Transcript {
    /// The next line, or `None` when there is none in time.
    fn next(&mut self, guest: &Guest, until: Instant) -> Result<Option<String>, Failure> {
        let much = |what: String| Err((Forfeit::TooMuchOutput, what));
        match guest.hear(until) {
            EngineOutput::Silence => Ok(None),
            EngineOutput::Closed => Err((Forfeit::Crash, format!("ended before it had answered{}", self.last_line()))),
            EngineOutput::NoText => Err((Forfeit::Garbage, "wrote a line that is not UTF-8 text".into())),
            EngineOutput::TooLong => much(format!("wrote a line longer than {LONGEST_LINE} bytes")),
            EngineOutput::Line(line) => {
                self.bytes += line.len() + 1;
                self.lines += 1;
                if self.bytes > MOST_BYTES || self.lines > MOST_LINES {
                    return much(format!("wrote more than {MOST_LINES} lines or {MOST_BYTES} bytes about one move"));
                }
                self.last.clone_from(&line);
                Ok(Some(line))
            }
        }
    }

    /// Reads lines up to `word`; after the given time, it is a failure of kind `late`.
    fn until(
        &mut self,
        guest: &Guest,
        word: &str,
        until: Instant,
        late: Forfeit,
        mut each: impl FnMut(&str),
    ) -> Result<(), Failure> {
        loop {
            match self.next(guest, until)? {
                Some(line) if line == word => return Ok(()),
                Some(line) if Instant::now() < until => each(&line),
                _ => return Err((late, format!("has not said {word} in time{}", self.last_line()))),
            }
        }
    }

    /// For the end of a sentence.
    fn last_line(&self) -> String {
        if self.last.is_empty() { String::new() } else { format!("; it said \"{}\"", quote(&self.last, 40)) }
    }
}
