//! Clients that send exactly what an attack wants, each from an address of its own in 127.0.0.0/8.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::Result;

/// How long a client waits for an answer before it is called silence.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The most bytes of an answer that a client takes; the rest of a longer one is left unread.
const LONGEST_ANSWER: usize = 16 << 20;

/// What came of a request.
#[derive(Debug)]
pub enum Reply {
    /// An answer.
    Answer(Answer),
    /// The connection was closed or refused without one.
    Closed,
    /// Nothing came in time.
    Silence,
}

/// An answer over HTTP.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The head in lower case.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null if it is something else.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Whether this is what a client may be told: a success, or a refusal with a reason. A server that is busy says when to come back.
    pub fn is_fair(&self) -> bool {
        let reason = self.json()["error"].is_string();
        match self.status {
            200..=399 => true,
            400..=499 => reason,
            503 => reason && self.head.contains("\r\nretry-after:"),
            _ => false,
        }
    }
}

impl Reply {
    /// The answer, or what there was instead.
    pub fn answer(self) -> std::result::Result<Answer, &'static str> {
        match self {
            Reply::Answer(answer) => Ok(answer),
            Reply::Closed => Err("closed without an answer"),
            Reply::Silence => Err("no answer in time"),
        }
    }

    /// What it was, for a line of a report.
    pub fn told(&self) -> String {
        match self {
            Reply::Answer(answer) => format!("{} {:.120}", answer.status, String::from_utf8_lossy(&answer.body)),
            Reply::Closed => "closed without an answer".into(),
            Reply::Silence => "no answer in time".into(),
        }
    }
}

/// A client of the server with an address of its own.
#[derive(Clone, Copy)]
pub struct Client {
    /// The server.
    pub server: SocketAddr,
    /// Where the client is.
    pub from: Ipv4Addr,
}

impl Client {
    /// The visitor who wants to be served, at 127.0.0.1.
    pub fn visitor(server: SocketAddr) -> Client {
        Client { server, from: Ipv4Addr::LOCALHOST }
    }

    /// One of eight attackers, at 127.0.0.2 to 127.0.0.9.
    pub fn attacker(server: SocketAddr, number: usize) -> Client {
        Client { server, from: Ipv4Addr::new(127, 0, 0, 2 + (number % 8) as u8) }
    }

    /// One of a thousand clients, for attacks that the limit on requests per address would keep from what they test.
    pub fn of_crowd(server: SocketAddr, number: usize) -> Client {
        Client { server, from: Ipv4Addr::new(127, 1, (number / 250 % 4) as u8, 1 + (number % 250) as u8) }
    }

    /// A connection.
    pub async fn connect(&self) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((self.from, 0)))?;
        socket.connect(self.server).await
    }

    /// The head of a request with a JSON body. Attackers say that a proxy has sent them, so that nobody takes them for the owner of this machine.
    pub fn head(&self, method: &str, path: &str, length: usize) -> String {
        let proxy = if self.from == Ipv4Addr::LOCALHOST { "" } else { "X-Forwarded-For: 192.0.2.1\r\n" };
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{proxy}\r\n",
            self.server
        )
    }

    /// Sends a request on a connection of its own.
    pub async fn ask(&self, method: &str, path: &str, body: &str) -> Reply {
        let request = self.head(method, path, body.len()) + body;
        self.raw(request.as_bytes(), false, PATIENCE).await
    }

    /// Sends bytes as they are on a connection of its own, and then perhaps that there are no more.
    pub async fn raw(&self, bytes: &[u8], ends: bool, patience: Duration) -> Reply {
        let exchange = async {
            let Ok(mut stream) = self.connect().await else { return Reply::Closed };
            // A server that refuses may close before it has read everything; its answer is there all the same.
            let sent = stream.write_all(bytes).await;
            if sent.is_ok() && ends {
                let _ = stream.shutdown().await;
            }
            read_answer(&mut stream).await
        };
        timeout(patience, exchange).await.unwrap_or(Reply::Silence)
    }

    /// A WebSocket.
    pub async fn socket(&self) -> Result<Socket> {
        let stream = self.connect().await?;
        let shaken = tokio_tungstenite::client_async(format!("ws://{}/ws", self.server), stream);
        Ok(Socket(timeout(PATIENCE, shaken).await??.0))
    }

    /// Makes a room.
    pub async fn room(&self, game: &str, seats: [Value; 2]) -> Result<Room> {
        let answer = self.ask("POST", "/api/rooms", &json!({ "game": game, "seats": seats }).to_string()).await;
        let answer = answer.answer()?;
        let made = answer.json();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let name = text(&made["room"]).ok_or_else(|| format!("no room: {} {made}", answer.status))?;
        let tokens = [text(&made["tokens"][0]), text(&made["tokens"][1])];
        Ok(Room { name, tokens, owner: text(&made["owner"]) })
    }

    /// Deletes a room.
    pub async fn delete(&self, room: &Room) -> Result<()> {
        let key = room.owner.iter().chain(room.tokens.iter().flatten()).next().ok_or("the room has no token")?;
        let head = self.head("DELETE", &format!("/api/rooms/{}", room.name), 0);
        let head = head.replacen("\r\n\r\n", &format!("\r\nAuthorization: Bearer {key}\r\n\r\n"), 1);
        let answer = self.raw(head.as_bytes(), false, PATIENCE).await.answer()?;
        if answer.status == 200 { Ok(()) } else { Err(format!("a room is not deleted: {}", answer.status).into()) }
    }
}

/// A room and what its maker was given.
pub struct Room {
    /// Its name.
    pub name: String,
    /// The tokens of its seats; those of agents have none.
    pub tokens: [Option<String>; 2],
    owner: Option<String>,
}

/// Reads one answer; the connection may stay open after it.
async fn read_answer(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 16 << 10];
    while bytes.len() < LONGEST_ANSWER {
        if let Some(answer) = parse(&bytes, false) {
            return Reply::Answer(answer);
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
    parse(&bytes, true).map_or(Reply::Closed, Reply::Answer)
}

/// An answer, once all of it is there.
fn parse(bytes: &[u8], ended: bool) -> Option<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end + 2]).to_ascii_lowercase();
    let body = &bytes[end + 4..];
    let status = head.split(' ').nth(1)?.parse().ok()?;
    if status == 100 {
        // An invitation to go on; the answer comes after it.
        return parse(body, ended);
    }
    let length = head.split_once("\r\ncontent-length:").and_then(|(_, rest)| rest.lines().next()?.trim().parse().ok());
    let whole = match length {
        Some(length) => body.len() >= length,
        None => head.contains("\r\ntransfer-encoding: chunked") && body.ends_with(b"0\r\n\r\n"),
    };
    (whole || ended).then(|| Answer { status, head, body: body.to_vec() })
}

/// A WebSocket of a client.
pub struct Socket(pub WebSocketStream<TcpStream>);

impl Socket {
    /// Sends a request.
    pub async fn say(&mut self, request: &Value) -> Result<()> {
        Ok(self.0.send(Message::text(request.to_string())).await?)
    }

    /// The next message of the server; none when it has closed.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            match self.0.next().await? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                _ => return None,
            }
        }
    }

    /// The next message that is wanted; none when the server has closed, or is silent for too long.
    pub async fn until(&mut self, patience: Duration, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        let heard = async {
            loop {
                let message = self.hear().await?;
                if wanted(&message) {
                    return Some(message);
                }
            }
        };
        timeout(patience, heard).await.ok()?
    }

    /// The answer to a request that has one.
    pub async fn ask(&mut self, request: &Value) -> Result<Value> {
        self.say(request).await?;
        let answer = self.until(PATIENCE, |answer| answer["id"] == request["id"]).await;
        answer.ok_or_else(|| "the socket has given no answer".into())
    }

    /// The answer that ends an analysis: its result, or why there is none.
    pub async fn analyse(&mut self, request: &Value, patience: Duration) -> Result<Value> {
        self.say(request).await?;
        let over = |answer: &Value| {
            answer["id"] == request["id"] && (answer.get("done").is_some() || answer.get("error").is_some())
        };
        self.until(patience, over).await.ok_or_else(|| format!("no answer within {patience:?}").into())
    }
}
