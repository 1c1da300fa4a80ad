//! A map of first pegs by workers that are killed, on a server that is killed, compared with one process.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Result;
use crate::stage::{nats_server, wait_for_port};

/// A board that takes some seconds.
const GAME: &str = "twixt(size=8)";

struct Scene<'a> {
    program: &'a Path,
    folder: PathBuf,
    port: u16,
    server: Option<Child>,
    workers: Vec<Child>,
}

/// Solves the board; what was seen.
pub fn play(program: &Path) -> Result<String> {
    let folder = std::env::temp_dir().join(format!("quintet-map-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut scene = Scene { program, folder, port, server: None, workers: Vec::new() };
    let folder = scene.folder.clone();
    let seen = scene.solve().map_err(|why| format!("{why}; the logs are in {}", folder.display()))?;
    drop(scene);
    fs::remove_dir_all(folder)?;
    Ok(seen)
}

impl Scene<'_> {
    fn solve(&mut self) -> Result<String> {
        let alone = self.quintet(&["solve", GAME, "--memory", "64"]).env("QUINTET_CLUSTER", "").output()?;
        self.start_server()?;
        for _ in 0..2 {
            let worker = self.start_worker()?;
            self.workers.push(worker);
        }
        let log = fs::File::create(self.folder.join("coordinator.log"))?;
        let mut together = self.quintet(&["solve", GAME, "--memory", "64"]).stderr(log).spawn()?;
        for (number, fault) in ["worker", "server", "worker"].into_iter().enumerate() {
            // Both have joined, and solve.
            self.wait_for_joined(2 + number.div_ceil(2))?;
            if together.try_wait()?.is_some() {
                return Err(format!("the map was there before fault {number}, a killed {fault}").into());
            }
            if fault == "worker" {
                kill(&mut self.workers[number % 2])?;
                self.workers[number % 2] = self.start_worker()?;
            } else {
                self.server.as_mut().map_or(Ok(()), kill)?;
                self.start_server()?;
            }
        }
        let together = together.wait_with_output()?;
        let (alone, together) = (String::from_utf8(alone.stdout)?, String::from_utf8(together.stdout)?);
        if alone != together || !alone.contains("the first player wins in 11") {
            return Err(format!("another map than in one process:\n{together}instead of\n{alone}").into());
        }
        Ok("the same map as one process".into())
    }

    fn quintet(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.env("QUINTET_CLUSTER", format!("nats://127.0.0.1:{}", self.port));
        command.arg("--data").arg(self.folder.join("data")).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    fn start_server(&mut self) -> Result<()> {
        let log = fs::File::options().create(true).append(true).open(self.folder.join("nats.log"))?;
        let mut server = Command::new(nats_server()?);
        server.args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"]).arg(self.folder.join("jetstream"));
        self.server = Some(server.stdout(Stdio::null()).stderr(log).spawn()?);
        wait_for_port(self.port)
    }

    fn start_worker(&self) -> Result<Child> {
        let log = fs::File::options().create(true).append(true).open(self.folder.join("workers.log"))?;
        Ok(self.quintet(&["worker", "--threads", "1"]).stdout(Stdio::null()).stderr(log).spawn()?)
    }

    /// Waits until this many workers have joined the run, those included that were killed since, and a moment longer.
    fn wait_for_joined(&self, count: usize) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(60);
        while fs::read_to_string(self.folder.join("workers.log"))?.matches("joins the run").count() < count {
            if Instant::now() > end {
                return Err(format!("{count} workers have not joined").into());
            }
            sleep(Duration::from_millis(50));
        }
        sleep(Duration::from_millis(300));
        Ok(())
    }
}

fn kill(child: &mut Child) -> Result<()> {
    child.kill()?;
    child.wait()?;
    Ok(())
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        for child in self.workers.iter_mut().chain(&mut self.server) {
            // It may have ended.
            let _ = kill(child);
        }
    }
}
