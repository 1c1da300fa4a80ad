//! Connections that are slow, many, or do not read what they asked for.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, PATIENCE, Reply, Socket};
use crate::server::{Folder, Server};
use crate::table::Outcome;
use crate::{Result, Setup, Target};

/// Within this time the server must have ended after SIGTERM.
const END: Duration = Duration::from_secs(5);

/// How long a client that does not read, or writes too slowly, may stay: what docs/api.md says, and some slack.
const UNREAD: Duration = Duration::from_secs(20 + 15);
const SLOW: Duration = Duration::from_secs(10 + 10);

/// Two hundred, a thousand and, in the long form, five thousand messages on one socket, sent before the first answer is read. Held: every message is answered once, by its id.
pub async fn pipelined(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for (number, count) in target.setup.pick(vec![200_u64, 1000], vec![200, 1000, 5000]).into_iter().enumerate() {
        let socket = Client::attacker(target.address, number).socket().await?;
        let (mut write, mut read) = socket.0.split();
        let sending = tokio::spawn(async move {
            for id in 0..count {
                let message = match id % 3 {
                    0 => json!({ "id": id, "do": "stop", "what": "nothing" }),
                    1 => json!({ "id": id, "do": "hurry", "room": "nothing", "token": "x" }),
                    _ => json!({ "id": id, "do": "nothing" }),
                };
                if write.feed(Message::text(message.to_string())).await.is_err() {
                    break;
                }
            }
            let _ = write.flush().await;
            write
        });
        let mut answered = HashSet::new();
        let reading = async {
            while let Some(Ok(message)) = read.next().await {
                let answer: Value =
                    message.to_text().ok().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
                answered.extend(answer["id"].as_u64());
                if answered.len() as u64 == count {
                    break;
                }
            }
        };
        // Silence for so long ends the waiting: what has not come will not come.
        let _ = timeout(Duration::from_secs(target.setup.pick(5, 30)), reading).await;
        drop(sending.await);
        for id in 0..count {
            let held = answered.contains(&id);
            outcome.count(held, || format!("of {count} messages {} were answered", answered.len()));
        }
    }
    Ok(outcome)
}

/// Asks for far more than the buffers hold without reading any of it.
async fn ask_and_never_read(client: Client) -> Result<Socket> {
    let person = || json!({ "who": "person" });
    let room = client.room("twixt(size=24)", [person(), person()]).await?;
    let mut socket = client.socket().await?;
    for id in 0..4000 {
        let watch = json!({ "id": id, "do": "watch", "room": room.name }).to_string();
        let stop = json!({ "id": "s", "do": "stop", "what": id }).to_string();
        let asked = async { socket.0.send(Message::text(watch)).await.and(socket.0.send(Message::text(stop)).await) };
        if !matches!(timeout(Duration::from_secs(1), asked).await, Ok(Ok(()))) {
            break;
        }
    }
    Ok(socket)
}

/// Clients that ask for much and never read. Held: each is disconnected in the end (in the long form; the short one does not wait so long), and memory stays bounded.
pub async fn unread(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let clients =
        (0..target.setup.pick(2, 32)).map(|number| ask_and_never_read(Client::attacker(target.address, number)));
    let sockets = join_all(clients).await;
    if !target.setup.long {
        sleep(Duration::from_secs(2)).await;
        return Ok(outcome);
    }
    sleep(UNREAD).await;
    for socket in sockets {
        let mut socket = socket?;
        // What is in the buffers comes first, then the end.
        let end = async { while let Some(Ok(_)) = socket.0.next().await {} };
        let ended = timeout(Duration::from_secs(10), end).await.is_ok();
        outcome.count(ended, || format!("a client that does not read is still connected after {UNREAD:?}"));
    }
    Ok(outcome)
}

/// How a slow connection wastes time.
#[derive(Clone, Copy, Debug)]
enum Slow {
    /// One byte of the head every second.
    Head,
    /// A whole head, and one byte of the body every second.
    Body,
    /// Nothing at all.
    Idle,
}

impl Slow {
    /// Goes on until the server closes the connection, at most for this time. Returns whether it has closed it.
    async fn go_on(self, client: Client, longest: Duration) -> bool {
        // A connection that is refused, or closed to make room for others, takes nothing from anybody.
        let Ok(mut stream) = client.connect().await else { return true };
        let whole = match self {
            Slow::Head => format!("GET /api/games HTTP/1.1\r\nHost: {}\r\nX-Slow: {}", client.server, "x".repeat(1000)),
            Slow::Body => " ".repeat(1000),
            Slow::Idle => String::new(),
        };
        if matches!(self, Slow::Body)
            && stream.write_all(client.head("POST", "/api/position", 1000).as_bytes()).await.is_err()
        {
            return true;
        }
        let begin = Instant::now();
        let mut bytes = whole.bytes();
        while begin.elapsed() < longest {
            if let Some(byte) = bytes.next()
                && stream.write_all(&[byte]).await.is_err()
            {
                return true;
            }
            if closed(&mut stream, Duration::from_secs(1)).await {
                return true;
            }
        }
        false
    }
}

/// Whether the server closes a connection within a time; an answer that comes first is read.
async fn closed(stream: &mut TcpStream, within: Duration) -> bool {
    let mut buffer = [0; 1024];
    let end = async { while !matches!(stream.read(&mut buffer).await, Ok(0) | Err(_)) {} };
    timeout(within, end).await.is_ok()
}

/// Two thousand connections (two hundred in the short form) of eight clients, which send a byte of a head or of a body every second, or nothing. Held: those that send too slowly are
/// closed in time, whatever they send; the idle ones in the long form too. Others are served meanwhile.
pub async fn slow(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let kinds = [Slow::Head, Slow::Body, Slow::Idle];
    let all = (0..target.setup.pick(200, 2000)).map(|number| {
        let kind = kinds[number % 3];
        let idle = Duration::from_secs(target.setup.pick(5, 90));
        let longest = if matches!(kind, Slow::Idle) { idle } else { SLOW };
        let client = Client::attacker(target.address, number);
        // Spread over two seconds, so that it is the connections that count and not the rush.
        async move {
            sleep(Duration::from_millis(number as u64 % 2000)).await;
            (kind, kind.go_on(client, longest).await)
        }
    });
    for (kind, ended) in join_all(all).await {
        let held = ended || (matches!(kind, Slow::Idle) && !target.setup.long);
        outcome.count(held, || format!("a slow connection ({kind:?}) is still open"));
    }
    Ok(outcome)
}

/// One address with far more idle connections and sockets than it may have. Held: a new request of the same address is answered all the same, since the oldest idle connections make
/// room, and sockets are opened or refused; the visitor opens one meanwhile.
pub async fn crowded(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let client = Client::attacker(target.address, 0);
    let mut idle = Vec::new();
    for number in 0..target.setup.pick(400, 3000) {
        idle.extend(client.connect().await);
        if number % 100 == 99 {
            let reply = client.ask("GET", "/api/games", "").await;
            let held = matches!(&reply, Reply::Answer(answer) if answer.is_fair());
            outcome.count(held, || format!("a request beside many connections: {}", reply.told()));
        }
    }
    let opened = join_all((0..100).map(|_| client.socket())).await;
    let mine = Client::visitor(target.address).socket().await;
    outcome.count(mine.is_ok(), || format!("the visitor has no socket: {:?}", mine.as_ref().err()));
    let sockets = opened.iter().filter(|socket| socket.is_ok()).count();
    outcome.notes.push(format!("{} connections and {sockets} of 100 sockets of one address", idle.len()));
    Ok(outcome)
}

/// SIGTERM while clients are connected in every way there is: idle, slow, with searches, with rooms of agents, not reading. Held: the server ends within five seconds.
pub async fn terminate(setup: Setup) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let folder = Folder::new("terminate")?;
    for round in 0..setup.pick(1, 10) {
        let mut server = Server::start(&setup.program, &folder.0.join(format!("data-{round}")))?;
        let clients: Vec<Client> = (0..8).map(|number| Client::attacker(server.address, number)).collect();
        let mut busy = Vec::new();
        for client in &clients {
            let mut socket = client.socket().await?;
            let limit = json!({ "visits": 1_000_000_000_000_u64 });
            socket.say(&json!({ "id": 1, "do": "analyse", "game": "twixt(size=24)", "moves": [], "agent": "mcts", "limit": limit })).await?;
            let agent = || json!({ "who": "agent", "agent": "mcts(time=60s)" });
            let room = client.room("twixt(size=24)", [agent(), agent()]).await?;
            socket.say(&json!({ "id": 2, "do": "watch", "room": room.name })).await?;
            busy.push(socket);
        }
        let unread = timeout(PATIENCE, ask_and_never_read(clients[0])).await;
        let slow: Vec<_> = (0..100)
            .map(|number| {
                let kind = [Slow::Head, Slow::Body, Slow::Idle][number % 3];
                tokio::spawn(kind.go_on(clients[number % 8], Duration::from_secs(30)))
            })
            .collect();
        sleep(Duration::from_secs(1)).await;
        let took = server.terminate(2 * END).await?;
        outcome.count(took.is_some_and(|took| took <= END), || format!("SIGTERM: ended after {took:?}"));
        outcome.notes.extend(took.map(|took| format!("ended {:.2} s after SIGTERM", took.as_secs_f64())));
        slow.iter().for_each(tokio::task::JoinHandle::abort);
        drop((busy, unread));
    }
    Ok(outcome)
}
