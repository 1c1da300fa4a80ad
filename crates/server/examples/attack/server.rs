//! The server under attack: a process of its own in a folder of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::Result;

/// A folder that is removed when it is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A new one for this run of the program.
    pub fn new(name: &str) -> Result<Folder> {
        let folder = std::env::temp_dir().join(format!("quintet-attack-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server; dropping it kills it.
pub struct Server {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    log: PathBuf,
    /// The server prints into it, so it stays open.
    _output: BufReader<ChildStdout>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The command that starts a server on a free port of loopback.
pub fn serve(program: &Path, data: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["serve", "--bind", "127.0.0.1:0", "--no-browser", "--data"]).arg(data);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

impl Server {
    /// Starts a server on a data directory and waits until it listens.
    pub fn start(program: &Path, data: &Path) -> Result<Server> {
        std::fs::create_dir_all(data)?;
        let log = data.with_extension("log");
        let errors = std::fs::OpenOptions::new().create(true).append(true).open(&log)?;
        let mut child = serve(program, data)
            .stderr(errors)
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let mut output = BufReader::new(child.stdout.take().ok_or("the server has no output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let address = line.trim().strip_prefix("quintet is at http://").and_then(|rest| rest.strip_suffix('/'));
        let Some(address) = address.and_then(|text| text.parse().ok()) else {
            let _ = child.kill();
            let _ = child.wait();
            let why = std::fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("the server does not start: it said {line:?} and {why:?}").into());
        };
        Ok(Server { child, address, log, _output: output })
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process is there.
    pub fn lives(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The first line that tells of a panic, if there was one.
    pub fn panicked(&self) -> Option<String> {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        log.lines().find(|line| line.contains("panicked at")).map(str::to_owned)
    }

    /// Ends it at once, as a failure of power would end it.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks it to end (SIGTERM) and returns the time it took; none if it is still there after `patience`.
    pub async fn terminate(&mut self, patience: Duration) -> Result<Option<Duration>> {
        let start = Instant::now();
        if !Command::new("kill").args(["-TERM", &self.id().to_string()]).status()?.success() {
            return Err("kill -TERM has failed".into());
        }
        while start.elapsed() < patience {
            if self.child.try_wait()?.is_some() {
                return Ok(Some(start.elapsed()));
            }
            sleep(Duration::from_millis(10)).await;
        }
        Ok(None)
    }
}

/// The memory of a process that is its own in KiB: mapped files are aside.
pub fn own_memory(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Does some work, and says how much own memory a process had at most meanwhile, in KiB.
pub async fn peak_memory<T>(process: u32, work: impl Future<Output = T>) -> (T, u64) {
    let (mut work, mut most) = (std::pin::pin!(work), 0);
    loop {
        tokio::select! {
            done = &mut work => return (done, most),
            () = sleep(Duration::from_millis(20)) => most = own_memory(process).unwrap_or_default().max(most),
        }
    }
}

/// Seconds of processor time that a process has used; Linux counts hundredths.
pub fn processor_time(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}
