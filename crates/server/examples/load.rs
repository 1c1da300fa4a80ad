//! Many games at once: how long a move takes to be acknowledged, how much memory the server takes, and that misbehaving clients harm only themselves.
//!
//!     scripts/load [GAMES] [SECONDS] [PAUSE]
//!
//! plays GAMES games (1000) between people for SECONDS (60), one move per game every PAUSE seconds (10); then all of them without a pause.
//! The server is a process of its own on this machine, without limits of requests per address.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use quintet_agent::Catalogue;
use quintet_game::{AnyLine, GameSpec, Rng, SeedableRng};
use quintet_server::{Config, Limits, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How long the client that does not read waits: longer than the server does, even on a slow machine.
const PATIENT: Duration = Duration::from_secs(40);

/// The argument with which the program starts itself as the server.
const SERVE: &str = "serve";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if arguments.first().is_some_and(|word| word == SERVE) {
        return runtime.block_on(serve(Path::new(&arguments[1])));
    }
    let number = |place: usize, default: u64| arguments.get(place).map_or(Ok(default), |text| text.parse());
    let (games, seconds, pause) = (number(0, 1000)?, number(1, 60)?, number(2, 10)?);
    runtime.block_on(load(games, Duration::from_secs(seconds), Duration::from_secs(pause)))
}

async fn serve(data: &Path) -> Result<()> {
    let (burst, a_second, many) = (1e9, 1e9, 100_000);
    let limits = Limits {
        burst,
        a_second,
        connections: many,
        connections_per_address: many,
        sockets_per_address: many,
        rooms: many,
        rooms_per_address: many,
        ..Limits::default()
    };
    let (bind, provers) = ("127.0.0.1:0".parse()?, Vec::new());
    let (allowed_hosts, trusted_proxies, seats) = (Vec::new(), Vec::new(), Default::default());
    let config = Config { bind, allowed_hosts, trusted_proxies, data: data.to_owned(), limits, provers, seats };
    let server = Server::bind(&config, Catalogue::embedded().clone()).await?;
    println!("{}", server.address()?);
    server.run(std::future::pending()).await;
    Ok(())
}

/// The server's process; dropping it removes its folder.
struct ServerProcess {
    child: Child,
    address: String,
    data: std::path::PathBuf,
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}

impl ServerProcess {
    fn start() -> Result<ServerProcess> {
        let data = std::env::temp_dir().join(format!("quintet-load-{}", std::process::id()));
        let mut command = Command::new(std::env::current_exe()?);
        let mut child = command.arg(SERVE).arg(&data).stdout(Stdio::piped()).spawn()?;
        let mut address = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut address)?;
        Ok(ServerProcess { child, address: address.trim().to_owned(), data })
    }

    /// Resident memory in MiB, if the system reports it.
    fn memory(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? >> 10)
    }

    /// Seconds of processor time that it has used, if the system reports hundredths as Linux does.
    fn processor(&self) -> Option<f64> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
        let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
        Some((ticks(11)? + ticks(12)?) / 100.0)
    }

    async fn socket(&self) -> Result<Socket> {
        Ok(connect_async(format!("ws://{}/ws", self.address)).await?.0)
    }
}

/// A game between two people whose tokens one client holds.
struct Game {
    socket: Socket,
    room: String,
    tokens: [String; 2],
    line: Box<dyn AnyLine>,
    rng: Rng,
}

impl Game {
    async fn new(server: &ServerProcess, seed: u64) -> Result<Game> {
        let (room, tokens) = room(&server.address).await?;
        let line = GameSpec::parse("twixt(size=24)")?.line();
        Ok(Game { socket: server.socket().await?, room, tokens, line, rng: Rng::seed_from_u64(seed) })
    }

    /// Plays a random move. Returns the milliseconds until it is acknowledged.
    async fn play(&mut self) -> Result<f64> {
        let mv = self.line.random_move(&mut self.rng).ok_or("the game is over")?;
        let token = &self.tokens[self.line.to_move().index()];
        let request =
            json!({ "id": 1, "do": "move", "room": self.room, "token": token, "ply": self.line.plies(), "move": mv });
        let start = Instant::now();
        self.socket.send(Message::text(request.to_string())).await?;
        let answer = self.socket.next().await.ok_or("the server has closed")??;
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let answer: Value = serde_json::from_str(answer.to_text()?)?;
        if answer["ok"] != true {
            return Err(answer.to_string().into());
        }
        self.line.try_play(&mv)?;
        Ok(ms)
    }

    /// Plays for a time, with a pause after each move.
    async fn go_on(mut self, time: Duration, pause: Duration, first: Duration) -> Result<(Game, Vec<f64>)> {
        let end = Instant::now() + time;
        let mut took = Vec::new();
        sleep(first).await;
        while Instant::now() < end && self.line.end().is_none() {
            took.push(self.play().await?);
            sleep(pause).await;
        }
        Ok((self, took))
    }
}

/// Creates a room. Returns its name and tokens.
async fn room(address: &str) -> Result<(String, [String; 2])> {
    let body = json!({ "game": "twixt(size=24)", "seats": [{ "who": "person" }, { "who": "person" }] }).to_string();
    let mut stream = TcpStream::connect(address).await?;
    let head = format!(
        "POST /api/rooms HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let made: Value = serde_json::from_str(answer.split_once("\r\n\r\n").ok_or("no answer")?.1)?;
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| made.to_string());
    Ok((text(&made["room"])?, [text(&made["tokens"][0])?, text(&made["tokens"][1])?]))
}

async fn load(games: u64, time: Duration, pause: Duration) -> Result<()> {
    let server = ServerProcess::start()?;
    println!("load of the machine: {}", std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim());
    println!("memory with no games: {:?} MiB", server.memory().unwrap_or_default());
    let mut playing = Vec::new();
    for seed in 0..games {
        playing.push(Game::new(&server, seed).await?);
    }
    println!("memory with {games} games: {} MiB", server.memory().unwrap_or_default());
    misbehave(&server).await?;
    let deaf = tokio::spawn(deaf(server.socket().await?, playing[0].room.clone()));
    let (games, took) = all(playing, time, pause).await?;
    report(&format!("a move every {} s in each", pause.as_secs_f64()), took, time);
    let before = server.processor().unwrap_or_default();
    let (_, took) = all(games, time / 6, Duration::ZERO).await?;
    let cost = 1e3 * (server.processor().unwrap_or_default() - before) / took.len().max(1) as f64;
    report("without a pause", took, time / 6);
    println!("processor time of the server: {cost:.2} ms per move");
    println!("a client that asks and never reads: {}", said(deaf.await??));
    println!("memory at the end: {} MiB", server.memory().unwrap_or_default());
    Ok(())
}

/// All games at once; their first moves are spread over the pause.
async fn all(games: Vec<Game>, time: Duration, pause: Duration) -> Result<(Vec<Game>, Vec<f64>)> {
    let many = games.len().max(1) as u32;
    let tasks: Vec<_> =
        (0..).zip(games).map(|(place, game)| tokio::spawn(game.go_on(time, pause, pause * place / many))).collect();
    let (mut games, mut took) = (Vec::new(), Vec::new());
    for task in tasks {
        let (game, own) = task.await??;
        games.push(game);
        took.extend(own);
    }
    Ok((games, took))
}

fn report(what: &str, mut took: Vec<f64>, time: Duration) {
    took.sort_by(f64::total_cmp);
    let at = |share: f64| took.get((share * took.len() as f64) as usize).or(took.last()).copied().unwrap_or_default();
    println!(
        "{what}: {} moves, {:.0} a second; acknowledged after p50 {:.1} ms, p99 {:.1} ms, at most {:.1} ms",
        took.len(),
        took.len() as f64 / time.as_secs_f64(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// Misbehaving clients.
async fn misbehave(server: &ServerProcess) -> Result<()> {
    let mut large = server.socket().await?;
    large.send(Message::text("x".repeat(9000))).await?;
    let closed = timeout(Duration::from_secs(20), large.next()).await?;
    println!("a frame of 9000 bytes: {}", said(matches!(closed, Some(Ok(Message::Close(_)) | Err(_)) | None)));
    let mut request = format!("ws://{}/ws", server.address).into_client_request()?;
    request.headers_mut().insert("origin", "http://elsewhere.example".parse()?);
    let refused = connect_async(request).await;
    let forbidden = matches!(&refused, Err(Error::Http(response)) if response.status() == 403);
    println!("a socket from another origin: {}", said(forbidden));
    Ok(())
}

/// Asks for more than the buffers hold and does not read it; says whether the connection is closed.
async fn deaf(mut socket: Socket, room: String) -> Result<bool> {
    for id in 0..4000 {
        let watch = json!({ "id": id, "do": "watch", "room": room }).to_string();
        let stop = json!({ "id": "s", "do": "stop", "what": id }).to_string();
        let asked = async { socket.send(Message::text(watch)).await.and(socket.send(Message::text(stop)).await) };
        if !matches!(timeout(Duration::from_secs(2), asked).await, Ok(Ok(()))) {
            break;
        }
    }
    sleep(PATIENT).await;
    // What is still in the buffers comes first, then the end.
    let end = async { while let Some(Ok(_)) = socket.next().await {} };
    Ok(timeout(Duration::from_secs(20), end).await.is_ok())
}

fn said(refused: bool) -> &'static str {
    if refused { "refused" } else { "NOT REFUSED" }
}
