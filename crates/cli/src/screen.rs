//! Terminal output: boards with or without colour, progress of long work.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use crate::output::{note, printable};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quintet_game::{AnyLine, Player};

/// Colour only on a terminal that supports it, and never with `NO_COLOR`.
pub fn colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The board as text.
pub fn board(line: &dyn AnyLine) -> String {
    quintet_draw::text(line, colour())
}

/// The name of a side in this game.
pub fn side(line: &dyn AnyLine, player: Player) -> &'static str {
    line.spec().info().sides[player.index()]
}

/// A progress bar on standard error; silent if that is not a terminal.
pub fn progress(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {elapsed} eta {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(what.to_owned());
    bar
}

/// A progress line on standard error during a search; silent if that is not a terminal.
pub fn spinner() -> ProgressBar {
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        .with_style(ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// Progress of long work with its interim result: a bar on a terminal, else a line every ten seconds.
pub struct Forming {
    bar: ProgressBar,
    what: String,
    total: u64,
    plain: bool,
    began: Instant,
    said: Instant,
}

impl Forming {
    /// `total` units of work, `done` of them done before.
    pub fn new(total: u64, done: u64, what: &str) -> Forming {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} {bar:24} {pos}/{len} {per_sec} eta {eta} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let what = printable(what).into_owned();
        bar.set_prefix(what.clone());
        bar.set_position(done);
        bar.reset_eta();
        let now = Instant::now();
        Forming { bar, what, total, plain: !io::stderr().is_terminal(), began: now, said: now }
    }

    /// One more is done; `result` is the interim result.
    pub fn one_more(&mut self, result: &str) {
        self.so_far(self.bar.position() + 1, result);
    }

    /// `done` units are done. If the work turns out to be more than expected, only that number is shown.
    pub fn so_far(&mut self, done: u64, result: &str) {
        if done > self.total {
            self.bar.unset_length();
        }
        self.bar.set_message(printable(result).into_owned());
        self.bar.set_position(done);
        if self.plain && self.said.elapsed() >= PLAIN_EVERY {
            self.said = Instant::now();
            let seconds = self.began.elapsed().as_secs();
            let of = if done > self.total { String::new() } else { format!("/{}", self.total) };
            note!("{}: {done}{of} after {seconds} s, {result}", self.what);
        }
    }

    /// Does something that may print, with the bar hidden.
    pub fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Counts something of unknown total.
pub struct Counting(ProgressBar);

impl Counting {
    /// What is counted.
    pub fn new(what: &str) -> Counting {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{spinner} {human_pos} {prefix}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_prefix(what.to_owned());
        Counting(bar)
    }

    /// The count so far.
    pub fn so_far(&self, count: u64) {
        self.0.set_position(count);
    }

    /// Removes it.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// The interval of progress lines without a terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(10);
