//! Long work: done by a thread, one job at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::thread::{Builder, JoinHandle};

use quintet_agent::{Seat, ThinkError};
use quintet_game::{AnyLine, Limit, Stop};

use super::{Event, say};

/// Searches may recurse as deep as games are long.
const STACK: usize = 16 << 20;
/// Perft up to this depth is counted in one piece; a deeper one can be stopped between pieces.
const PIECE: u32 = 3;

/// The result of a job.
pub struct Done {
    /// The agent, if it was at work.
    pub seat: Option<Box<dyn Seat>>,
    pub lines: Vec<String>,
}

impl Done {
    pub fn lines(lines: Vec<String>) -> Done {
        Done { seat: None, lines }
    }

    fn error(what: &str) -> Done {
        Done::lines(vec![format!("info string error {what}")])
    }
}

/// Receives lines while the work goes on.
pub struct News<'a>(&'a SyncSender<Event>);

impl News<'_> {
    pub fn say(&self, line: String) {
        // Sending fails only when the program ends.
        let _ = self.0.send(Event::News(line));
    }
}

/// Work in progress. Dropping it ends the work.
pub struct Job {
    stop: Stop,
    thread: Option<JoinHandle<()>>,
    /// Whether the answer waits for `stop`.
    infinite: bool,
    held: Option<Done>,
}

impl Job {
    /// Starts a job; its end comes as an event.
    pub fn start(
        events: &SyncSender<Event>,
        infinite: bool,
        work: impl FnOnce(&News, &Stop) -> Done + Send + 'static,
    ) -> Result<Job, String> {
        let stop = Stop::new();
        let (events, flag) = (events.clone(), stop.clone());
        let thread = Builder::new().stack_size(STACK).spawn(move || {
            // A bug of ours must not leave the client without an answer.
            let done = catch_unwind(AssertUnwindSafe(|| work(&News(&events), &flag)))
                .unwrap_or_else(|_| say::failed("this is a bug; please report it with the lines before."));
            let _ = events.send(Event::Done(done));
        });
        let thread = thread.map_err(|error| format!("no thread can be started: {error}."))?;
        Ok(Job { stop, thread: Some(thread), infinite, held: None })
    }

    /// Asks the work to end; returns the answer if it was held back.
    pub fn stop(&mut self) -> Option<Done> {
        self.stop.stop();
        self.infinite = false;
        self.held.take()
    }

    /// The answer, unless it has to wait.
    pub fn hold(&mut self, done: Done) -> Option<Done> {
        if self.infinite {
            self.held = Some(done);
            return None;
        }
        Some(done)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Lets the agent choose a move.
pub fn search(mut seat: Box<dyn Seat>, line: &dyn AnyLine, limit: &Limit, news: &News, stop: &Stop) -> Done {
    let mut last = None;
    let choice = seat.think(line, limit, stop, &mut |report| {
        last = Some(report.clone());
        for said in say::report(report) {
            news.say(said);
        }
    });
    let lines = match choice {
        Ok(choice) => say::choice(&choice, last.as_ref()),
        Err(ThinkError::Resigned) => vec!["bestmove resign".into()],
        Err(error) => say::failed(&error.to_string()).lines,
    };
    Done { seat: Some(seat), lines }
}

/// Counts move sequences.
pub fn perft(mut line: Box<dyn AnyLine>, depth: u32, stop: &Stop) -> Done {
    match count(&mut *line, depth, stop) {
        Some(count) => Done::lines(vec![format!("response perft {depth} {count}")]),
        None => Done::error("perft was stopped; there is no count."),
    }
}

fn count(line: &mut dyn AnyLine, depth: u32, stop: &Stop) -> Option<u64> {
    if stop.stopped() {
        return None;
    }
    if depth <= PIECE {
        return Some(line.perft(depth, &mut |_, _| {}));
    }
    let mut total = 0;
    for mv in line.legal_moves() {
        // From our own list, so always legal.
        if line.try_play(&mv).is_ok() {
            total += count(line, depth - 1, stop)?;
            line.undo();
        }
    }
    Some(total)
}
