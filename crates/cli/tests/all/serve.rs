//! `quintet serve` as a process: start, end, and what remains of games after a kill.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use quintet_game::{AnyLine, GameSpec, Rng, SeedableRng, bits::mix};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("serve-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
    command.arg("serve").args(args).arg("--no-browser").env("QUINTET_DATA", data).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running server, killed when dropped.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(data: &Path, args: &[&str]) -> Server {
        let mut child = command(data, args).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("quintet is at http://").and_then(|rest| rest.strip_suffix('/'));
        let Some(address) = address else {
            let mut why = String::new();
            child.stderr.as_mut().unwrap().read_to_string(&mut why).unwrap();
            panic!("no address in {line:?}: {why}");
        };
        Server { address: address.parse().unwrap(), child }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Option<(u16, Value)> {
        let mut stream = TcpStream::connect(self.address).ok()?;
        let (host, length) = (self.address, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all((head + body).as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        Some((head.split(' ').nth(1)?.parse().ok()?, serde_json::from_str(body).unwrap_or_default()))
    }

    fn room(&self, game: &str, other: Value) -> Room {
        let body = json!({ "game": game, "seats": [{ "who": "person" }, other] }).to_string();
        let (status, made) = self.ask("POST", "/api/rooms", &body).unwrap();
        assert_eq!(status, 201, "{made}");
        // An agent's seat has none.
        let token = |seat: usize| made["tokens"][seat].as_str().unwrap_or_default().to_owned();
        let line = GameSpec::parse(game).unwrap().line();
        Room { id: made["room"].as_str().unwrap().to_owned(), tokens: [token(0), token(1)], line }
    }

    fn socket(&self) -> Option<Socket> {
        let stream = TcpStream::connect(self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).ok()?;
        Some(Socket(tungstenite::client(format!("ws://{}/ws", self.address), stream).ok()?.0))
    }
}

struct Socket(WebSocket<TcpStream>);

impl Socket {
    /// The answer to a request; none if the server is gone.
    fn ask(&mut self, request: &Value) -> Option<Value> {
        self.0.send(Message::text(request.to_string())).ok()?;
        self.until(|answer| answer["id"] == request["id"])
    }

    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        loop {
            if let Message::Text(text) = self.0.read().ok()? {
                let answer: Value = serde_json::from_str(&text).unwrap();
                if wanted(&answer) {
                    return Some(answer);
                }
            }
        }
    }
}

/// A game with the moves that were acknowledged, in `line`.
struct Room {
    id: String,
    tokens: [String; 2],
    line: Box<dyn AnyLine>,
}

impl Room {
    /// Plays a random move. Returns it, and whether it was acknowledged.
    fn play(&mut self, socket: &mut Socket, rng: &mut Rng) -> (String, bool) {
        let mv = self.line.random_move(rng).unwrap();
        let token = &self.tokens[self.line.to_move().index()];
        let request =
            json!({ "id": 1, "do": "move", "room": self.id, "token": token, "ply": self.line.plies(), "move": mv });
        let answer = socket.ask(&request);
        let acknowledged = answer.is_some_and(|answer| {
            assert_eq!(answer["ok"], true, "{answer}");
            true
        });
        if acknowledged {
            self.line.try_play(&mv).unwrap();
        }
        (mv, acknowledged)
    }

    /// Every acknowledged move is there, and at most the one that was in flight besides.
    fn check(&mut self, server: &Server, under_way: Option<&str>) {
        let (status, shown) = server.ask("GET", &format!("/api/rooms/{}", self.id), "").unwrap();
        assert_eq!(status, 200, "the room is gone: {shown}");
        let kept: Vec<&str> = shown["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let known = self.line.moves();
        assert_eq!(kept[..known.len().min(kept.len())], known, "moves were lost");
        match &kept[known.len()..] {
            [] => {}
            [mv] if under_way == Some(*mv) => drop(self.line.try_play(mv).unwrap()),
            more => panic!("unexpected {more:?}; in flight was {under_way:?}"),
        }
    }
}

const KILLS: u64 = 25;

#[test]
fn no_acknowledged_move_is_lost_when_it_is_killed() {
    let data = folder("killed");
    let mut rng = Rng::seed_from_u64(5);
    let here = ["--bind", "127.0.0.1:0"];
    let mut server = Server::start(&data, &here);
    let mut people = server.room("twixt(size=24)", json!({ "who": "person" }));
    let mut against = server.room("pylos", json!({ "who": "agent", "agent": "mcts(visits=3000)" }));
    let mut acknowledged = 0;
    for round in 0..KILLS {
        let mut socket = server.socket().unwrap();
        // A move against the agent, which is thinking at the kill, or has answered.
        let (mv, kept) = against.play(&mut socket, &mut rng);
        assert!(kept, "{mv}");
        let moment = Duration::from_micros(mix(round) % 60_000);
        let under_way = thread::scope(|scope| {
            let child = &mut server.child;
            scope.spawn(move || {
                thread::sleep(moment);
                child.kill().unwrap();
                child.wait().unwrap();
            });
            loop {
                let (mv, kept) = people.play(&mut socket, &mut rng);
                acknowledged += u64::from(kept);
                if !kept {
                    break mv;
                }
            }
        });
        server = Server::start(&data, &here);
        people.check(&server, Some(&under_way));
        go_on(&server, &mut against);
        // Long before the game could end: a fast machine makes many moves before the kill.
        if people.line.plies() > 60 {
            people = server.room("twixt(size=24)", json!({ "who": "person" }));
        }
    }
    assert!(acknowledged > 0, "no move was ever acknowledged before the kill");
}

/// Waits for the agent of a game to answer, after a restart as before; a game that is over is followed by another.
fn go_on(server: &Server, room: &mut Room) {
    let mut socket = server.socket().unwrap();
    let plies = room.line.plies();
    let request = json!({ "id": 2, "do": "watch", "room": room.id, "token": room.tokens[0] });
    let mut seen = socket.ask(&request).unwrap();
    while seen["room"]["outcome"].is_null() && seen["room"]["plies"].as_u64() <= Some(plies as u64) {
        seen = socket.until(|answer| answer["id"] == 2).unwrap();
    }
    let moves: Vec<String> = serde_json::from_value(seen["room"]["moves"].clone()).unwrap();
    assert_eq!(moves[..plies], room.line.moves(), "moves were lost");
    for mv in &moves[plies..] {
        room.line.try_play(mv).unwrap();
    }
    if room.line.end().is_some() {
        *room = server.room("pylos", json!({ "who": "agent", "agent": "mcts(visits=3000)" }));
    }
}

fn fails(data: &Path, args: &[&str]) -> String {
    let output = command(data, args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_cannot_be_served_is_said() {
    let data = folder("refused");
    assert!(fails(&data, &["--bind", "nowhere"]).contains("nowhere"));
    assert!(fails(&data, &["--bind", "127.0.0.1"]).contains("127.0.0.1"));
    // A reserved address.
    assert!(fails(&data, &["--bind", "192.0.2.1:0"]).contains("cannot listen on 192.0.2.1:0"));
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let error = fails(&data, &["--bind", &address]);
    assert!(error.contains(&format!("cannot listen on {address}")) && error.contains("--bind"), "{error}");
    let file = data.join("file");
    std::fs::write(&file, "no folder").unwrap();
    assert!(fails(&file, &["--bind", "127.0.0.1:0"]).contains("file"));
    assert!(fails(&data, &["--lan", "--bind", "127.0.0.1:0"]).contains("--bind"));
}

#[cfg(unix)]
#[test]
fn it_says_where_it_is_and_ends_when_it_is_told() {
    let data = folder("ends");
    let mut server = Server::start(&data, &["--bind", "127.0.0.1:0"]);
    assert!(server.address.ip().is_loopback() && server.address.port() != 0);
    assert_eq!(server.ask("GET", "/api/games", "").unwrap().0, 200);
    let number = server.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &number]).status().unwrap().success());
    assert!(server.child.wait().unwrap().success());
}

#[test]
fn a_second_one_opens_the_page_of_the_first() {
    let data = folder("second");
    let first = Server::start(&data, &["--bind", "127.0.0.1:0"]);
    // Without an address of its own it leads to the first; with one it is refused.
    let second = command(&data, &[]).output().unwrap();
    let said = String::from_utf8_lossy(&second.stdout);
    assert!(second.status.success() && said.contains(&format!("http://{}/ already", first.address)), "{said}");
    let refused = fails(&data, &["--bind", "127.0.0.1:0"]);
    let wanted = [format!("process {}", first.child.id()), format!("http://{}/", first.address)];
    assert!(wanted.iter().all(|part| refused.contains(part)), "{refused}");
    drop(first);
    // A server that was killed leaves nothing behind that stands in the way.
    drop(Server::start(&data, &["--bind", "127.0.0.1:0"]));
}

/// In a network, others may play, but only the machine itself may start tournaments. Without a network there is an error.
#[test]
fn the_local_network() {
    let data = folder("lan");
    let socket = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    let way = socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).and_then(|()| socket.local_addr());
    if !way.is_ok_and(|own| !own.ip().is_loopback()) {
        assert!(fails(&data, &["--lan"]).contains("not in a network"));
        return;
    }
    let server = Server::start(&data, &["--lan"]);
    assert!(!server.address.ip().is_loopback());
    assert_eq!(server.ask("GET", "/api/games", "").unwrap().0, 200);
    let plan = json!({ "game": "pylos", "players": ["random", "level:1"], "games": 2 }).to_string();
    let (status, refused) = server.ask("POST", "/api/tournaments", &plan).unwrap();
    assert!(status == 403 && refused["error"].as_str().unwrap().contains("only the machine"), "{refused}");
}
