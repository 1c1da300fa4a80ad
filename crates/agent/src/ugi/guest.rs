//! The process of an outside engine ("guest"): lines in, lines out, and nothing left of it at the end.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use quintet_game::clock::Instant;
use quintet_game::text::quote;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 64 << 10;
/// Lines that may wait to be read. A guest that writes faster is blocked by its pipe.
const WAITING: usize = 256;
/// Bytes of error output that are kept.
const LAST_WORDS: usize = 4 << 10;
/// The time that a guest has to exit after `quit`.
const LEAVING: Duration = Duration::from_secs(1);

/// A line from the guest, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub enum EngineOutput {
    Line(String),
    /// A line longer than [`LONGEST_LINE`]; nothing is read after it.
    TooLong,
    /// A line that is not UTF-8.
    NoText,
    /// Nothing within the given time.
    Silence,
    /// It has closed its output.
    Closed,
}

/// A running process in its own group. Dropping it asks it to quit, then kills whatever is left of the group, and reaps it.
#[derive(Debug)]
pub struct Guest {
    child: Child,
    /// `None` once the input is closed.
    input: Option<Sender<String>>,
    output: Receiver<EngineOutput>,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    /// Disconnected when the error output is read to its end.
    errors_read: Receiver<()>,
    gone: bool,
}

impl Guest {
    /// Runs `words`, with at most `memory` bytes of address space where the system can limit it.
    pub fn start(words: &[String], memory: Option<u64>) -> io::Result<Guest> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        os::own_group(&mut command);
        let mut child = os::spawn(command)?;
        if let Some(memory) = memory {
            os::limit_memory(&child, memory);
        }
        let (input, lines) = channel();
        let (said, output) = sync_channel(WAITING);
        let (reading, errors_read) = channel();
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        // A guest that does not read, or writes without end, blocks only these threads. They end with the pipes.
        if let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        {
            thread::spawn(move || write_lines(stdin, &lines));
            thread::spawn(move || read_lines(stdout, &said));
            let tail = Arc::clone(&last_words);
            thread::spawn(move || read_errors(stderr, &tail, reading));
        }
        Ok(Guest { child, input: Some(input), output, last_words, errors_read, gone: false })
    }

    /// Sends a line. Whether it arrives shows in the answers.
    pub fn tell(&self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// Waits for the next line.
    pub fn hear(&self, until: Instant) -> EngineOutput {
        match self.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => EngineOutput::Silence,
            Err(RecvTimeoutError::Disconnected) => EngineOutput::Closed,
        }
    }

    /// Waits a moment for the process to exit by itself, then kills its group and reaps it. Returns how it ended.
    pub fn finish(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.input = None;
        self.gone = true;
        let until = Instant::now() + patience;
        // It must not be reaped before its group is killed: until then its number cannot be reused.
        while !os::has_ended(&self.child) && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        os::kill(&mut self.child);
        self.child.wait().ok()
    }

    /// The last line of its error output, cut for a sentence. Only valid after it has ended.
    pub fn last_words(&self) -> Option<String> {
        let _ = self.errors_read.recv_timeout(LEAVING);
        let mut tail = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(tail.make_contiguous()).into_owned();
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(|line| quote(line, 80))
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        if !self.gone {
            self.tell("quit".into());
            self.finish(LEAVING);
        }
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for mut line in lines {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, said: &SyncSender<EngineOutput>) {
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut stdout).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
        if !read.is_ok_and(|bytes| bytes > 0) {
            return;
        }
        let heard = if line.len() > LONGEST_LINE {
            EngineOutput::TooLong
        } else {
            std::str::from_utf8(&line).map_or(EngineOutput::NoText, |text| EngineOutput::Line(text.trim().to_owned()))
        };
        let last = heard == EngineOutput::TooLong;
        if said.send(heard).is_err() || last {
            return;
        }
    }
}

/// Keeps the tail of the error output. Dropping `_reading` signals that everything is read.
fn read_errors(mut stderr: ChildStderr, tail: &Mutex<VecDeque<u8>>, _reading: Sender<()>) {
    let mut chunk = [0; 4096];
    while let Ok(bytes @ 1..) = stderr.read(&mut chunk) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&chunk[..bytes]);
        let excess = tail.len().saturating_sub(LAST_WORDS);
        tail.drain(..excess);
    }
}

/// What depends on the operating system.
mod os {
    use std::io;
    use std::process::{Child, Command};
    #[cfg(target_os = "linux")]
    use std::{
        sync::mpsc::{RecvError, Sender, channel},
        sync::{LazyLock, Mutex, PoisonError},
        thread,
    };

    #[cfg(unix)]
    use rustix::process::{Pid, Signal, kill_process_group};

    /// Lets the process lead its own group, so that its children can be ended with it.
    #[cfg(unix)]
    pub fn own_group(command: &mut Command) {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }

    #[cfg(not(unix))]
    pub fn own_group(_command: &mut Command) {}

    /// Starts a process that the system kills when this one ends, however that ends. The system takes the end of the thread that has started a process for the end of its parent,
    /// so one thread, which lives as long as the program, starts them all.
    #[cfg(target_os = "linux")]
    pub fn spawn(command: Command) -> io::Result<Child> {
        type Order = (Command, Sender<io::Result<Child>>);
        static STARTER: LazyLock<Mutex<Sender<Order>>> = LazyLock::new(|| {
            let (orders, incoming) = channel::<Order>();
            thread::spawn(move || {
                for (mut command, answer) in incoming {
                    // Nobody hears it when the asking thread has ended.
                    let _ = answer.send(command.spawn());
                }
            });
            Mutex::new(orders)
        });
        let command = killed_with_parent(command);
        let (answer, started) = channel();
        let gone = |_| io::Error::other("the thread that starts engines is gone");
        let orders = STARTER.lock().unwrap_or_else(PoisonError::into_inner).clone();
        orders.send((command, answer)).map_err(|_| gone(RecvError))?;
        started.recv().map_err(gone)?
    }

    #[cfg(target_os = "linux")]
    fn killed_with_parent(mut command: Command) -> Command {
        use rustix::process::{getpid, getppid, set_parent_process_death_signal};
        use std::os::unix::process::CommandExt;
        let parent = getpid();
        let ask = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have ended before it was asked for.
            if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
        };
        // SAFETY: it runs in the child between fork and exec, where only system calls are allowed: these are two, and nothing is allocated or locked.
        unsafe { command.pre_exec(ask) };
        command
    }

    /// Other systems have no such signal: an engine sees that its input is closed.
    #[cfg(not(target_os = "linux"))]
    pub fn spawn(mut command: Command) -> io::Result<Child> {
        command.spawn()
    }

    /// Ends the process and, where there are groups, everything in its group.
    #[cfg(unix)]
    pub fn kill(child: &mut Child) {
        // It fails only if no process is left to kill.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }

    #[cfg(not(unix))]
    pub fn kill(child: &mut Child) {
        let _ = child.kill();
    }

    /// Has it ended? It is not reaped.
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    pub fn has_ended(child: &Child) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }

    /// Other systems cannot tell without reaping: it gets the full time.
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    pub fn has_ended(_child: &Child) -> bool {
        false
    }

    /// Limits the address space from now on.
    #[cfg(target_os = "linux")]
    pub fn limit_memory(child: &Child, bytes: u64) {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        // It fails if the process is gone, or already has a stricter limit.
        let _ = prlimit(Some(Pid::from_child(child)), Resource::As, limit);
    }

    #[cfg(not(target_os = "linux"))]
    pub fn limit_memory(_child: &Child, _bytes: u64) {}
}
