//! Every kind of run once, without faults: by way of TLS, with users that may do only what docs/cluster.md says.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use quintet_arena::{Played, RunInfo, Store};
use serde_json::Value;

use crate::Result;
use crate::stage::{nats_server, signal, table, wait_for_port};

/// What the users may do, as in docs/cluster.md.
const USERS: &str = r#"authorization { users: [
  { user: coordinator, password: secret, permissions: {
      publish: ["$JS.API.>", "$JS.ACK.>", "quintet.work.>", "quintet.run.>"], subscribe: ["_INBOX.>", "quintet.worker.*", "quintet.run.*", "quintet.zero.*", "quintet.player.*"] } }
  { user: worker, password: secret, permissions: {
      publish: ["$JS.API.>", "$JS.ACK.>", "quintet.answer.>", "quintet.worker.>"], subscribe: ["_INBOX.>", "quintet.run.*"] } }
] }"#;

struct Scene<'a> {
    program: &'a Path,
    folder: PathBuf,
    port: u16,
    running: Vec<Child>,
}

/// Plays them all; what was seen.
pub fn play(program: &Path) -> Result<String> {
    let folder = std::env::temp_dir().join(format!("quintet-kinds-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut scene = Scene { program, folder, port, running: Vec::new() };
    scene.begin()?;
    let folder = scene.folder.clone();
    let seen = scene.all().map_err(|why| format!("{why}; the logs are in {}", folder.display()))?;
    drop(scene);
    fs::remove_dir_all(folder)?;
    Ok(seen)
}

impl Scene<'_> {
    /// Starts the server and two workers: one with an engine, and one with a tag.
    fn begin(&mut self) -> Result<()> {
        let openssl = |arguments: &str| -> Result<()> {
            let made = Command::new("openssl").args(arguments.split(' ')).current_dir(&self.folder).output()?;
            if made.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&made.stderr).into()) }
        };
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
        openssl(&format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=authority"))?;
        openssl(&format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"))?;
        fs::write(self.folder.join("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n")?;
        openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
        )?;
        let at = |name: &str| self.folder.join(name).display().to_string();
        let config = format!(
            "jetstream {{ store_dir: \"{}\" }}\ntls {{ cert_file: \"{}\", key_file: \"{}\" }}\n{USERS}\n",
            at("jetstream"),
            at("server.pem"),
            at("server.key")
        );
        fs::write(self.folder.join("nats.conf"), config)?;
        let log = fs::File::create(self.folder.join("nats.log"))?;
        let mut server = Command::new(nats_server()?);
        server.args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-c"]).arg(self.folder.join("nats.conf"));
        self.running.push(server.stdout(Stdio::null()).stderr(log).spawn()?);
        wait_for_port(self.port)?;
        let engine = format!("mine={} engine --game pylos --agent greedy(eval=position)", self.program.display());
        for options in [&["--name", "engines", "--allow-engine", &engine][..], &["--name", "tagged", "--tags", "gpu"]] {
            let log = fs::File::create(self.folder.join(format!("{}.log", options[1])))?;
            let mut worker = self.quintet("worker", "empty", &["worker", "--threads", "1", "--ca", "ca.pem"]);
            let started = worker.args(options).stdout(Stdio::null()).stderr(log).spawn()?;
            self.running.push(started);
        }
        Ok(())
    }

    /// A command with the address of the server in its environment, where nobody else sees the password.
    fn quintet(&self, user: &str, data: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.env("QUINTET_CLUSTER", format!("tls://{user}:secret@localhost:{}", self.port));
        command.arg("--data").arg(self.folder.join(data)).args(arguments).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn all(&self) -> Result<String> {
        let seen = [
            self.test()?,
            self.tag()?,
            self.engine()?,
            self.interrupt()?,
            self.reproduce()?,
            self.map()?,
            self.status()?,
        ];
        Ok(seen.join("; "))
    }

    fn alone(&self, arguments: &[&str]) -> Result<Output> {
        Ok(self.quintet("nobody", "alone", arguments).env("QUINTET_CLUSTER", "").output()?)
    }

    fn together(&self, arguments: &[&str]) -> Result<Output> {
        Ok(self.quintet("coordinator", "together", &[arguments, &["--ca", "ca.pem"]].concat()).output()?)
    }

    /// The last run of the coordinators.
    fn latest(&self) -> Result<RunInfo> {
        let runs = Store::read(&self.folder.join("together/games.sqlite"))?.runs()?;
        Ok(runs.into_iter().next().ok_or("there is no run")?)
    }

    fn games(&self, data: &str) -> Result<Vec<Played>> {
        let store = Store::read(&self.folder.join(data).join("games.sqlite"))?;
        let latest = store.runs()?.first().map_or(0, |run| run.id);
        Ok(store.played(latest)?)
    }

    /// Are the last runs the same, alone and together?
    fn compare(&self, what: &str, alone: &Output, together: &Output) -> Result<usize> {
        let (alone, together) = (table(alone)?, table(together)?);
        let records = |data: &str| Ok(self.games(data)?.into_iter().map(|played| played.record).collect());
        let (here, there): (Result<Vec<String>>, Result<Vec<String>>) = (records("alone"), records("together"));
        let (here, there) = (here?, there?);
        if alone != together || here != there {
            return Err(format!("{what}: {together} instead of {alone}").into());
        }
        Ok(there.len())
    }

    /// A match that a sequential test ends.
    fn test(&self) -> Result<String> {
        let sprt = ["match", "pylos", "mcts(visits=30)", "random", "--sprt", "0,100", "--openings", "2", "--json"];
        let games = self.compare("sequential test", &self.alone(&sprt)?, &self.together(&sprt)?)?;
        Ok(format!("a sequential test of {games} games"))
    }

    /// Games by workers with a tag alone.
    fn tag(&self) -> Result<String> {
        let ended =
            self.together(&["match", "pylos", "random", "random", "--games", "40", "--tag", "gpu", "--json"])?;
        table(&ended)?;
        self.by("tagged", 40)
    }

    /// Games of an engine that one worker grants.
    fn engine(&self) -> Result<String> {
        let ended = self.together(&[
            "match",
            "pylos",
            "ugi(cmd=\"mine\")",
            "random",
            "--games",
            "4",
            "--depth",
            "1",
            "--json",
        ])?;
        table(&ended)?;
        self.by("engines", 4)
    }

    fn by(&self, worker: &str, count: usize) -> Result<String> {
        let games = self.games("together")?;
        let own = |played: &Played| played.worker.as_ref().is_some_and(|name| name.starts_with(worker));
        if games.len() != count || !games.iter().all(own) || games.iter().any(Played::is_forfeit) {
            return Err(format!("{count} games by the worker \"{worker}\" were expected, not {games:?}").into());
        }
        Ok(format!("{count} games by the worker \"{worker}\" alone"))
    }

    /// Ctrl-C of the coordinator, which says how to go on, and how it goes on.
    fn interrupt(&self) -> Result<String> {
        let long = [
            "match",
            "pylos",
            "mcts(visits=300)",
            "pylos:ordered(nodes=2000)",
            "--games",
            "200",
            "--openings",
            "3",
            "--json",
        ];
        let alone = self.alone(&long)?;
        let arguments = [&long[..], &["--ca", "ca.pem"]].concat();
        let mut first = self.quintet("coordinator", "together", &arguments).spawn()?;
        let end = Instant::now() + Duration::from_secs(120);
        let before = self.latest()?.id;
        while self.latest()?.id == before || self.latest()?.games[0] < 10 {
            if Instant::now() > end || first.try_wait()?.is_some() {
                return Err("the match was over, or did not begin, before it was interrupted".into());
            }
            sleep(Duration::from_millis(50));
        }
        signal("-INT", &first.id().to_string())?;
        let mut said = String::new();
        first.stderr.take().ok_or("no output")?.read_to_string(&mut said)?;
        first.wait()?;
        let run = self.latest()?.id;
        let on = format!("go on with: quintet resume {run} --cluster tls://localhost:{}", self.port);
        if !said.contains(&on) || said.contains("secret") {
            return Err(format!("it should have said \"{on}\", without a password: {said}").into());
        }
        let stopped = self.games("together")?.len();
        let ended = self.together(&["resume", &run.to_string(), "--json"])?;
        let games = self.compare("resumed match", &alone, &ended)?;
        Ok(format!("{games} games, interrupted after {stopped} and resumed"))
    }

    /// An experiment, whose report names the server without a password.
    fn reproduce(&self) -> Result<String> {
        let experiment = ["reproduce", "pentago/greedy-random", "--quick", "--json"];
        let (alone, together) = (self.alone(&experiment)?, self.together(&experiment)?);
        let (alone, together) = (json(&alone)?, json(&together)?);
        if alone["lines"] != together["lines"] || together.to_string().contains("secret") {
            return Err(format!("reproduce: {together} instead of {alone}").into());
        }
        Ok(format!("an experiment with {} lines", together["lines"].as_array().map_or(0, Vec::len)))
    }

    /// A map of first pegs.
    fn map(&self) -> Result<String> {
        let board = ["solve", "twixt(size=6,rules=paper)", "--memory", "64"];
        let (alone, together) = (self.alone(&board)?, self.together(&board)?);
        if alone.stdout.is_empty() || alone.stdout != together.stdout {
            let said = String::from_utf8_lossy(&together.stderr);
            return Err(format!("solve: {} and {said}", String::from_utf8_lossy(&together.stdout)).into());
        }
        Ok("a map of first pegs".into())
    }

    /// Who is there.
    fn status(&self) -> Result<String> {
        let told = json(&self.together(&["cluster", "status", "--json"])?)?;
        let tags = |worker: &Value| worker["tags"] == serde_json::json!(["gpu"]);
        match told["workers"].as_array().map(Vec::as_slice) {
            Some([one, two]) if tags(one) != tags(two) => Ok("cluster status names both workers".into()),
            _ => Err(format!("cluster status: {told}").into()),
        }
    }
}

/// What a command has printed.
fn json(output: &Output) -> Result<Value> {
    serde_json::from_slice(&output.stdout).map_err(|_| String::from_utf8_lossy(&output.stderr).into())
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        for child in &mut self.running {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
