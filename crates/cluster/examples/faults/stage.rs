//! The stage: a NATS server behind a proxy, workers and a coordinator as processes, all in a temporary folder.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

use quintet_arena::{Played, Store};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::proxy::Proxy;
use crate::{Fault, Result, fakes};

/// Who may use the server.
pub const USER: &str = "lab";
pub const PASSWORD: &str = "secret";
/// How many workers there are.
const WORKERS: usize = 3;
/// Longer than the queue waits for a worker.
const LONG: Duration = Duration::from_secs(12);
/// Longer than anybody waits for an acknowledgement, and than a connection is believed in that is silent.
const LONGER: Duration = Duration::from_secs(25);

pub struct Stage<'a> {
    program: &'a Path,
    runtime: &'a Runtime,
    folder: PathBuf,
    proxy: Proxy,
    port: u16,
    server: Option<Child>,
    workers: Vec<Child>,
    coordinator: Option<Child>,
    /// The folder of the run's store.
    data: PathBuf,
    moves: u32,
    /// Units that were made to fail.
    aside: usize,
    /// The worker that cheats.
    cheat: Option<JoinHandle<()>>,
    next: usize,
    seen: usize,
    wanted: (Value, Vec<Played>),
}

impl<'a> Stage<'a> {
    /// Plays the tournament in one process, then prepares the stage for it.
    pub fn new(program: &'a Path, runtime: &'a Runtime, pairs: u64) -> Result<Stage<'a>> {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("quintet-faults-{}-{count}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let cup = format!(
            "game = \"pylos\"\nplayers = [\"mcts(visits=400)\", \"pylos:ordered(nodes=2000)\"]\ngames = {}\nopenings = 3\n",
            2 * pairs
        );
        fs::write(folder.join("cup.toml"), cup)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let proxy = Proxy::start(runtime)?;
        proxy.to.store(port, Ordering::Relaxed);
        let mut stage = Stage {
            program,
            runtime,
            proxy,
            port,
            server: None,
            workers: Vec::new(),
            coordinator: None,
            data: folder.join("calm"),
            folder,
            moves: 0,
            aside: 0,
            cheat: None,
            next: 0,
            seen: 0,
            wanted: (Value::Null, Vec::new()),
        };
        let calm = stage.quintet(&["tournament", "cup.toml", "--json"]).output()?;
        stage.wanted = (table(&calm)?, stage.played()?);
        stage.data = stage.folder.join("data");
        Ok(stage)
    }

    fn url(&self) -> String {
        format!("nats://{USER}:{PASSWORD}@127.0.0.1:{}", self.proxy.port)
    }

    /// The address of the server itself.
    fn direct(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn quintet(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.arg("--data").arg(&self.data).args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts everything.
    pub fn begin(&mut self) -> Result<()> {
        self.start_server()?;
        for _ in 0..WORKERS {
            let worker = self.start_worker()?;
            self.workers.push(worker);
        }
        self.coordinator = Some(self.start_coordinator(&["tournament", "cup.toml"])?);
        Ok(())
    }

    fn start_server(&mut self) -> Result<()> {
        let program = nats_server()?;
        let (store, port) = (self.folder.join("jetstream"), self.port);
        let users = format!("authorization {{ users: [ {{ user: {USER}, password: {PASSWORD} }} ] }}");
        let config = format!("jetstream {{ store_dir: \"{}\", max_file_store: 16MB }}\n{users}\n", store.display());
        fs::write(self.folder.join("nats.conf"), config)?;
        let log = fs::File::options().create(true).append(true).open(self.folder.join("nats.log"))?;
        let mut command = Command::new(program);
        command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-c"]).arg(self.folder.join("nats.conf"));
        self.server = Some(command.stdout(log.try_clone()?).stderr(log).spawn()?);
        wait_for_port(port)
    }

    fn stop_server(&mut self) -> Result<()> {
        if let Some(mut server) = self.server.take() {
            server.kill()?;
            server.wait()?;
        }
        Ok(())
    }

    fn delete_storage(&self) -> Result<()> {
        use std::io::ErrorKind::{DirectoryNotEmpty, NotFound};
        loop {
            match fs::remove_dir_all(self.folder.join("jetstream")) {
                // A server that runs has written another file meanwhile.
                Err(why) if why.kind() == DirectoryNotEmpty => {}
                // The server does not make it again before it needs it.
                Err(why) if why.kind() != NotFound => return Err(why.into()),
                _ => return Ok(()),
            }
        }
    }

    fn start_worker(&self) -> Result<Child> {
        let url = self.url();
        let mut command = self.quintet(&["worker", "--cluster", &url, "--threads", "1"]);
        let log = fs::File::options().create(true).append(true).open(self.folder.join("workers.log"))?;
        Ok(command.stdout(Stdio::null()).stderr(log).spawn()?)
    }

    fn start_coordinator(&self, what: &[&str]) -> Result<Child> {
        let url = self.url();
        let log = fs::File::options().create(true).append(true).open(self.folder.join("coordinator.log"))?;
        Ok(self.quintet(&[what, &["--json", "--cluster", &url]].concat()).stderr(log).spawn()?)
    }

    /// The games in the store.
    fn played(&self) -> Result<Vec<Played>> {
        Ok(Store::read(&self.data.join("games.sqlite"))?.played(1)?)
    }

    pub fn is_over(&mut self) -> Result<bool> {
        Ok(self.coordinator.as_mut().map(Child::try_wait).transpose()?.flatten().is_some())
    }

    /// Waits until there are some games more than at the last call.
    pub fn wait_for_games(&mut self, more: usize, longest: Duration) -> Result<()> {
        let end = Instant::now() + longest;
        loop {
            let there = self.played().map_or(0, |games| games.len());
            if there >= self.seen + more || self.is_over()? {
                self.seen = there;
                return Ok(());
            }
            if Instant::now() > end {
                return Err(
                    format!("no game was finished for {longest:?}; the logs are in {}", self.folder.display()).into()
                );
            }
            sleep(Duration::from_millis(50));
        }
    }

    /// The worker whose turn it is to suffer.
    fn victim(&mut self) -> usize {
        self.next += 1;
        self.next % WORKERS
    }

    /// Makes a fault; what was seen, if anything is to be told.
    pub fn make(&mut self, fault: Fault) -> Result<Option<String>> {
        match fault {
            Fault::Worker => {
                let at = self.victim();
                self.workers[at].kill()?;
                self.workers[at].wait()?;
                self.workers[at] = self.start_worker()?;
            }
            Fault::Hang => {
                let at = self.victim();
                let id = self.workers[at].id().to_string();
                signal("-STOP", &id)?;
                std::thread::spawn(move || {
                    sleep(LONG);
                    signal("-CONT", &id)
                });
            }
            Fault::Slow => {
                let at = self.victim();
                let id = self.workers[at].id().to_string();
                std::thread::spawn(move || -> Result<()> {
                    for _ in 0..10 {
                        signal("-STOP", &id)?;
                        sleep(Duration::from_millis(900));
                        signal("-CONT", &id)?;
                        sleep(Duration::from_millis(100));
                    }
                    Ok(())
                });
            }
            Fault::Rubbish => {
                let told = self.runtime.block_on(fakes::answer_rubbish(&self.direct()))?;
                return Ok(Some(format!("{told} answers of rubbish")));
            }
            Fault::Cheat => {
                let url = self.direct();
                self.cheat = Some(self.runtime.spawn(async move {
                    if let Err(why) = fakes::cheat(url).await {
                        eprintln!("the cheat has ended: {why}");
                    }
                }));
            }
            Fault::Broken => {
                let failed = self.runtime.block_on(fakes::fail_all(&self.direct()))?;
                return Ok(Some(format!("barred after {failed} failures")));
            }
            Fault::Failing => {
                self.aside += 1;
                self.runtime.block_on(fakes::fail(&self.direct()))?;
            }
            Fault::Others => {
                let said = self.runtime.block_on(fakes::announce_others(&self.direct()))?;
                return Ok(Some(format!("refused: {}", said.join("; "))));
            }
            Fault::Twice => {
                let url = self.url();
                self.runtime.spawn(async move {
                    if let Err(why) = fakes::repeat_answers(url).await {
                        eprintln!("answers are not repeated: {why}");
                    }
                });
            }
            Fault::Coordinator => self.move_coordinator()?,
            Fault::Server => {
                self.stop_server()?;
                self.start_server()?;
            }
            Fault::Storage => {
                self.stop_server()?;
                self.delete_storage()?;
                self.start_server()?;
            }
            Fault::Vanish => self.delete_storage()?,
            Fault::Full => {
                let stored = self.runtime.block_on(fakes::fill(&self.direct(), 3))?;
                return Ok(Some(format!("full with {stored} messages")));
            }
            Fault::Partition => self.part(LONG / 2),
            Fault::LongPartition => self.part(LONGER),
            Fault::Outage => return self.interrupt_in_outage().map(Some),
        }
        Ok(None)
    }

    fn part(&self, time: Duration) {
        self.proxy.stopped.store(true, Ordering::Relaxed);
        sleep(time);
        self.proxy.stopped.store(false, Ordering::Relaxed);
    }

    /// Stops the server and, after a while, everybody else by Ctrl-C; then all begin again.
    fn interrupt_in_outage(&mut self) -> Result<String> {
        self.stop_server()?;
        sleep(LONG);
        let mut children: Vec<Child> = self.workers.drain(..).chain(self.coordinator.take()).collect();
        let began = Instant::now();
        for child in &children {
            signal("-INT", &child.id().to_string())?;
        }
        let deaf = loop {
            let mut running = 0;
            for child in &mut children {
                running += usize::from(child.try_wait()?.is_none());
            }
            if running == 0 || began.elapsed() > LONGER {
                break running;
            }
            sleep(Duration::from_millis(50));
        };
        let seconds = began.elapsed().as_secs_f64();
        if deaf > 0 {
            children.iter_mut().try_for_each(Child::kill)?;
            return Err(format!("{deaf} of them do not hear Ctrl-C while the server is away").into());
        }
        self.start_server()?;
        for _ in 0..WORKERS {
            let worker = self.start_worker()?;
            self.workers.push(worker);
        }
        self.coordinator = Some(self.start_coordinator(&["resume", "1"])?);
        Ok(format!("Ctrl-C was heard by all within {seconds:.1} s"))
    }

    /// Kills the coordinator, and resumes its run from another folder, as another machine would.
    fn move_coordinator(&mut self) -> Result<()> {
        if let Some(mut coordinator) = self.coordinator.take() {
            coordinator.kill()?;
            coordinator.wait()?;
        }
        self.moves += 1;
        let moved = self.folder.join(format!("data-{}", self.moves));
        fs::rename(&self.data, &moved)?;
        self.data = moved;
        self.coordinator = Some(self.start_coordinator(&["resume", "1"])?);
        Ok(())
    }

    fn wait_for_end(&mut self) -> Result<()> {
        while !self.is_over()? {
            self.wait_for_games(1, Duration::from_secs(120))?;
        }
        Ok(())
    }

    /// Waits for the end of the run, and compares it with the single process: how many games, and what was said of a worker that cheats.
    pub fn finish(&mut self) -> Result<(usize, Option<String>)> {
        self.wait_for_end()?;
        let mut caught = None;
        if let Some(cheat) = self.cheat.take() {
            let log = fs::read_to_string(self.folder.join("coordinator.log"))?;
            let said = log.lines().find(|line| line.contains("came out differently") && line.contains("cheat-1"));
            let said = said.ok_or_else(|| format!("nobody noticed; the logs are in {}", self.folder.display()))?;
            let games = self.played()?.iter().filter(|played| played.worker.as_deref() == Some("cheat-1")).count();
            let said = said.split(": ").nth(1).unwrap_or_default();
            caught = Some(format!("caught: {said}; resumed without the {games} games of the cheat"));
            cheat.abort();
            self.seen = 0;
            self.coordinator = Some(self.start_coordinator(&["resume", "1", "--without-worker", "cheat-1"])?);
            self.wait_for_end()?;
        }
        if self.aside > 0 {
            // It has played everything else, and says what is missing.
            let log = fs::read_to_string(self.folder.join("coordinator.log"))?;
            if !log.contains("no worker could play them") {
                return Err(format!("nothing was set aside; the logs are in {}", self.folder.display()).into());
            }
            self.coordinator = Some(self.start_coordinator(&["resume", "1"])?);
            self.wait_for_end()?;
        }
        let coordinator = self.coordinator.take().ok_or("no coordinator")?;
        let output = coordinator.wait_with_output()?;
        let told = table(&output).map_err(|why| format!("{why}; the logs are in {}", self.folder.display()))?;
        let games = self.played()?;
        let (table, wanted) = &self.wanted;
        let essence = |played: &Played| {
            let Played { number, seats, result, reason, plies, record, .. } = played.clone();
            (number, seats, result, reason, plies, record)
        };
        if !games.iter().map(essence).eq(wanted.iter().map(essence)) {
            return Err(format!("other games than in one process: {}", self.folder.display()).into());
        }
        if told != *table {
            return Err(format!("another table than in one process: {told} instead of {table}").into());
        }
        if games.iter().any(|played| played.worker.is_none()) {
            return Err("a record does not name its worker".into());
        }
        self.clear()?;
        Ok((games.len(), caught))
    }

    /// Ends everything, and leaves nothing.
    fn clear(&mut self) -> Result<()> {
        self.stop();
        Ok(fs::remove_dir_all(&self.folder)?)
    }

    fn stop(&mut self) {
        for mut child in self.workers.drain(..).chain(self.coordinator.take()).chain(self.server.take()) {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The program of the server.
pub fn nats_server() -> Result<&'static str> {
    let program = ["nats-server", "/usr/sbin/nats-server"].into_iter().find(|program| {
        Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
    });
    Ok(program.ok_or("nats-server is missing (Debian: apt-get install nats-server): nothing was tested")?)
}

/// Waits until somebody listens there.
pub fn wait_for_port(port: u16) -> Result<()> {
    let end = Instant::now() + Duration::from_secs(20);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        if Instant::now() > end {
            return Err("nats-server does not listen".into());
        }
        sleep(Duration::from_millis(50));
    }
    Ok(())
}

pub fn signal(signal: &str, process: &str) -> Result<()> {
    Command::new("kill").args([signal, process]).stderr(Stdio::null()).status()?;
    Ok(())
}

/// The table that a run prints, without what is never the same twice.
pub fn table(output: &Output) -> Result<Value> {
    let told: Result<Value> = serde_json::from_slice(&output.stdout).map_err(Into::into);
    let mut told = told.map_err(|_| format!("no table: {}", String::from_utf8_lossy(&output.stderr)))?;
    if let Some(told) = told.as_object_mut() {
        for varying in ["run", "seconds", "cpu_seconds", "threads", "workers", "overruns", "worst_overrun_ms", "cost"] {
            told.remove(varying);
        }
    }
    Ok(told)
}
