//! Load and malice: what one client does, others hardly notice. The attack kit (`scripts/attack`) does the same from outside, with more of everything.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use quintet_agent::{Catalogue, provers};
use quintet_server::{Config, Limits, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::client::{Socket, TestServer};

/// Where the client comes from who must not notice anything.
const VISITOR: &str = "127.0.0.2";
const ATTACKER: &str = "127.0.0.3";

async fn with(limits: Limits) -> TestServer {
    TestServer::with(TestServer::folder(), limits).await
}

/// Limits that do not stand in a test's way, with short turns.
fn generous() -> Limits {
    Limits { burst: 1e9, a_second: 1e9, slice: Duration::from_millis(100), ..Limits::default() }
}

fn endless(id: usize) -> Value {
    json!({ "id": id, "do": "analyse", "game": "pentago", "moves": [], "agent": "mcts(visits=1000000000000)" })
}

#[tokio::test]
async fn an_import_has_a_bound() {
    let server = TestServer::new().await;
    let many = vec!["a2"; 10_000].join("\n\n");
    let (status, answer) = server.post("/api/import", json!({ "text": many, "game": "twixt(size=24)" })).await;
    assert!(status == 422 && answer["error"].as_str().unwrap().contains("more than 500 games"), "{answer}");
    let most = vec!["a2"; 500].join("\n\n");
    let body = json!({ "text": most, "game": "twixt(size=24)" }).to_string();
    let (status, _, answer) = server.ask("POST", "/api/import", "", &body).await;
    assert!(status == 200 && answer.len() < 2 << 20, "{status}, {} bytes", answer.len());
    let long = "x".repeat(201);
    for (path, body) in [
        ("/api/position", json!({ "game": long, "moves": [] })),
        ("/api/import", json!({ "game": long, "text": "a2" })),
        ("/api/explain", json!({ "game": "pylos", "moves": [], "eval": "x".repeat(1001) })),
        ("/api/trace", json!({ "game": "pylos", "moves": [], "agent": "x".repeat(1001) })),
        (
            "/api/rooms",
            json!({ "game": "pylos", "seats": [{ "who": "person" }, { "who": "agent", "agent": "x".repeat(1001) }] }),
        ),
        ("/api/rooms/mine", json!({ "rooms": vec![json!({ "room": "r", "token": "t" }); 101] })),
    ] {
        let (status, answer) = server.post(path, body).await;
        assert!(status == 422 && answer["error"].as_str().unwrap().contains("at most"), "{path}: {answer}");
    }
}

/// The largest requests that are taken, one or more for every address that takes a body.
fn largest_requests() -> Vec<(&'static str, Value)> {
    let mut rng = 1u64;
    let mut moves: Vec<String> = (0..24 * 24)
        .map(|at| format!("{}{}", (b'a' + (at % 24) as u8) as char, at / 24 + 1))
        .filter(|name| !["a1", "x1", "a24", "x24"].contains(&name.as_str()))
        .collect();
    for at in (1..moves.len()).rev() {
        rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        moves.swap(at, (rng >> 33) as usize % (at + 1));
    }
    let place = json!({ "game": "twixt(size=24)", "moves": moves });
    let add = |more: Value| {
        let mut request = place.clone();
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let seats = json!({ "seats": [{ "who": "person" }, { "who": "person" }] });
    vec![
        ("/api/position", place.clone()),
        ("/api/picture", place.clone()),
        ("/api/exact", place.clone()),
        ("/api/explain", add(json!({ "eval": "distance" }))),
        ("/api/trace", add(json!({ "agent": "pvs(eval=distance)", "limit": { "depth": 9 } }))),
        (
            "/api/trace",
            json!({ "game": "pylos", "moves": [], "agent": "pvs(eval=difference)", "limit": { "depth": 99 } }),
        ),
        ("/api/export", add(json!({ "format": "sgf" }))),
        ("/api/rooms", add(seats)),
        ("/api/rooms/mine", json!({ "rooms": vec![json!({ "room": "r", "token": "t" }); 100] })),
        ("/api/import", json!({ "text": vec!["a2"; 500].join("\n\n"), "game": "twixt(size=24)" })),
        ("/api/import", json!({ "text": moves.join(" ").repeat(20), "game": "twixt(size=24)" })),
        ("/api/import", json!({ "text": "(".repeat(60_000) })),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_requests_hold_nobody_up() {
    let server = with(generous()).await;
    let requests: Vec<(&str, String)> =
        largest_requests().into_iter().map(|(path, body)| (path, body.to_string())).collect();
    let attack = async {
        for (path, body) in &requests {
            let one = || server.ask_from(ATTACKER, "POST", path, "", body);
            let answers = tokio::join!(one(), one(), one(), one(), one(), one(), one(), one());
            let statuses = [
                answers.0.0,
                answers.1.0,
                answers.2.0,
                answers.3.0,
                answers.4.0,
                answers.5.0,
                answers.6.0,
                answers.7.0,
            ];
            for status in statuses {
                assert!([200, 201, 422, 503].contains(&status), "{path}: {status}");
            }
        }
    };
    let waits = Mutex::new(Vec::new());
    let visit = async {
        loop {
            let begun = Instant::now();
            assert_eq!(server.ask_from(VISITOR, "GET", "/api/games", "", "").await.0, 200);
            let place = r#"{"game":"pylos","moves":["1b2"]}"#;
            assert_eq!(server.ask_from(VISITOR, "POST", "/api/position", "", place).await.0, 200);
            waits.lock().unwrap().push(begun.elapsed());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        () = attack => {}
        () = visit => {}
    }
    let mut waits = waits.into_inner().unwrap();
    waits.sort();
    let middle = waits[waits.len() / 2];
    assert!(middle < Duration::from_secs(1), "answers take {middle:?} of {} rounds", waits.len());
}

/// Searches of one client, however many, delay another client by one turn.
#[tokio::test]
async fn two_sockets_full_of_searches_do_not_stop_others() {
    let server = with(generous()).await;
    let mut crowd = Vec::new();
    for _ in 0..2 {
        let mut socket = server.socket_of(ATTACKER).await;
        for id in 0..16 {
            socket.say(endless(id)).await;
        }
        socket.until(|answer| answer.get("queued").is_some()).await;
        crowd.push(socket);
    }
    let mut visitor = server.socket_of(VISITOR).await;
    for id in 0..3 {
        let short = json!({ "id": id, "do": "analyse", "game": "pylos", "moves": [], "agent": "mcts(visits=50)" });
        visitor.say(short).await;
        let told = visitor.until(|answer| answer.get("done").is_some() || answer.get("error").is_some()).await;
        assert!(told.get("done").is_some(), "{told}");
    }
    // The place in the queue is told when it changes.
    let told = crowd[1].until(|answer| answer["id"] == 15 && answer.get("queued").is_some()).await;
    assert!(told["queued"].as_u64().unwrap() > 1, "{told}");
}

/// A review gives way between its moves and goes on afterwards.
#[tokio::test]
async fn a_review_goes_on_after_others() {
    // A step takes a small part of the time after which it would be stopped, the whole review much more.
    let server = with(generous()).await;
    let mut reviewer = server.socket_of(ATTACKER).await;
    let moves: Vec<String> =
        ["1a", "1b", "1c", "1d"].iter().flat_map(|row| (1..=4).map(move |at| format!("{row}{at}"))).collect();
    let game = json!({ "id": "r", "do": "review", "game": "pylos", "moves": moves, "agent": "mcts(visits=300)" });
    reviewer.say(game).await;
    let mut visitor = server.socket_of(VISITOR).await;
    for id in 0..3 {
        visitor.say(json!({ "id": id, "do": "analyse", "game": "pylos", "moves": [], "agent": "random" })).await;
        visitor.until(|answer| answer.get("done").is_some()).await;
    }
    let done = reviewer.until(|answer| answer.get("done").is_some() || answer.get("error").is_some()).await;
    assert_eq!((&done["done"]["plies"], &done["done"]["stopped"]), (&json!(moves.len()), &json!(false)), "{done}");
}

async fn plies(server: &TestServer, room: &str) -> u64 {
    server.get(&format!("/api/rooms/{room}")).await.1["plies"].as_u64().unwrap()
}

#[tokio::test]
async fn two_agents_play_only_while_somebody_watches() {
    let server = with(generous()).await;
    let seats =
        json!([{ "who": "agent", "agent": "mcts(visits=200)" }, { "who": "agent", "agent": "mcts(visits=200)" }]);
    let (status, made) = server.post("/api/rooms", json!({ "game": "twixt(size=12)", "seats": seats })).await;
    assert_eq!((status, &made["tokens"]), (201, &json!([null, null])));
    let room = made["room"].as_str().unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(plies(&server, room).await, 0);
    let mut watcher = server.socket().await;
    watcher.say(json!({ "id": "w", "do": "watch", "room": room })).await;
    watcher.until(|answer| answer["room"]["plies"].as_u64() >= Some(3)).await;
    drop(watcher);
    let mut before = plies(&server, room).await;
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = plies(&server, room).await;
        if now == before {
            break;
        }
        before = now;
    }
    assert!(before < 140, "it would have ended otherwise");
}

#[tokio::test]
async fn every_pipelined_message_is_answered() {
    let server = with(generous()).await;
    let Socket(stream) = server.socket().await;
    let (mut sink, mut answers) = futures_util::StreamExt::split(stream);
    let count = 5000;
    let send = async {
        for id in 0..count {
            let message = json!({ "id": id, "do": "stop", "what": 1 }).to_string();
            futures_util::SinkExt::send(&mut sink, tokio_tungstenite::tungstenite::Message::text(message))
                .await
                .unwrap();
        }
    };
    let hear = async {
        let mut next = 0;
        while next < count {
            let message = futures_util::StreamExt::next(&mut answers).await.unwrap().unwrap();
            if let tokio_tungstenite::tungstenite::Message::Text(text) = message {
                assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["id"], next);
                next += 1;
            }
        }
    };
    timeout(Duration::from_secs(120), async { tokio::join!(send, hear) }).await.expect("all are answered");
}

/// What is read until the server closes.
async fn rest(mut stream: tokio::net::TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = timeout(Duration::from_secs(30), stream.read_to_end(&mut bytes)).await.expect("the server closes");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn slow_and_silent_connections_are_closed() {
    let moment = Duration::from_millis(200);
    let server = with(Limits { head: moment, body: moment, idle: moment * 3, ..generous() }).await;
    let mut slow = server.connect(ATTACKER).await;
    slow.write_all(b"GET / HT").await.unwrap();
    assert!(!rest(slow).await.contains("200 OK"));
    assert_eq!(rest(server.connect(ATTACKER).await).await, "");
    let mut body = server.connect(ATTACKER).await;
    body.write_all(b"POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
        .await
        .unwrap();
    let answer = rest(body).await;
    assert!(answer.contains("408") && answer.contains("\"error\""), "{answer}");
    let mut kept = server.connect(ATTACKER).await;
    kept.write_all(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    assert!(rest(kept).await.contains("200 OK"), "answered, and closed after a while of silence");
}

#[tokio::test]
async fn too_many_connections_close_the_oldest_idle_one() {
    let server = with(Limits { connections_per_address: 3, sockets_per_address: 1, ..generous() }).await;
    let first = server.connect(ATTACKER).await;
    let mut others = Vec::new();
    for _ in 0..3 {
        others.push(server.connect(ATTACKER).await);
    }
    assert_eq!(rest(first).await, "");
    assert_eq!(server.ask_from(VISITOR, "GET", "/api/games", "", "").await.0, 200);
    let _socket = server.socket_of(VISITOR).await;
    let upgrade = format!(
        "GET /ws HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address
    );
    let mut second = server.connect(VISITOR).await;
    second.write_all(upgrade.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = second.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]);
    assert!(answer.contains("503") && answer.contains("WebSockets are open"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_soon_whatever_clients_do() {
    let data = TestServer::folder();
    let config = Config {
        bind: "127.0.0.1:0".parse().unwrap(),
        allowed_hosts: Vec::new(),
        trusted_proxies: Vec::new(),
        data: data.clone(),
        limits: generous(),
        provers: provers(),
        seats: Default::default(),
    };
    let server = Server::bind(&config, Catalogue::embedded().clone()).await.unwrap();
    let address = server.address().unwrap();
    let (stop, told) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async { drop(told.await) }));
    let idle = tokio::net::TcpStream::connect(address).await.unwrap();
    let mut slow = tokio::net::TcpStream::connect(address).await.unwrap();
    slow.write_all(b"POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{").await.unwrap();
    let (socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await.unwrap();
    let mut socket = Socket(socket);
    socket.say(endless(1)).await;
    socket.hear().await;
    let (deaf, _) = tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await.unwrap();
    stop.send(()).unwrap();
    timeout(Duration::from_secs(30), running).await.expect("it ends").unwrap();
    drop((idle, slow, deaf));
    std::fs::remove_dir_all(data).unwrap();
}

#[tokio::test]
async fn refusals_of_the_framework_are_json_too() {
    let server = TestServer::new().await;
    let json = "Content-Type: application/json\r\n";
    for (method, path, kind, body, wanted) in [
        ("PUT", "/api/games", json, "", 405),
        ("POST", "/", json, "", 405),
        ("GET", "/api/position", json, "", 405),
        ("POST", "/api/position", "Content-Type: text/plain\r\n", "{}", 415),
        ("POST", "/api/position", json, "{", 400),
        ("POST", "/api/position", json, "{}", 422),
        ("GET", "/api/agents?game=%ff", json, "", 422),
        ("GET", "/api/tournaments?from=x", json, "", 400),
        ("GET", "/api/rooms/%ff", json, "", 400),
        ("GET", "/ws", json, "", 400),
        ("GET", "/nothing", json, "", 404),
    ] {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let (status, head, answer) = server.raw(request.as_bytes()).await;
        assert_eq!(status, wanted, "{method} {path} {body}: {answer}");
        assert!(head.contains("content-type: application/json"), "{method} {path}: {head}");
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{method} {path}: {answer}"));
        assert!(answer["error"].as_str().is_some_and(|why| !why.is_empty()), "{method} {path}");
    }
}

#[tokio::test]
async fn clients_behind_a_trusted_proxy_have_a_share_each() {
    let server = with(Limits { burst: 3.0, a_second: 0.01, ..Limits::default() }).await;
    let ask = async |peer: &str, client: &str| {
        let header = format!("X-Forwarded-For: 198.51.100.7, {client}\r\n");
        server.ask_from(peer, "GET", "/api/games", &header, "").await.0
    };
    for _ in 0..3 {
        assert_eq!(ask("127.0.0.9", "192.0.2.1").await, 200);
    }
    assert_eq!(ask("127.0.0.9", "192.0.2.1").await, 429);
    assert_eq!(ask("127.0.0.9", "192.0.2.2").await, 200);
    // Others cannot choose who they are.
    for client in ["192.0.2.3", "192.0.2.4", "192.0.2.5"] {
        assert_eq!(ask(ATTACKER, client).await, 200);
    }
    assert_eq!(ask(ATTACKER, "192.0.2.6").await, 429);
}

#[tokio::test]
async fn what_only_this_machine_may_do_is_refused_to_proxies() {
    let server = TestServer::new().await;
    let plan = json!({ "game": "pylos", "players": ["random", "mcts(visits=5)"], "games": 2 }).to_string();
    for header in ["X-Real-IP: 10.0.0.1", "Via: 1.1 proxy", "X-Forwarded-Proto: https", "Forwarded: for=10.0.0.1"] {
        let (status, ..) = server.ask("POST", "/api/tournaments", &format!("{header}\r\n"), &plan).await;
        assert_eq!(status, 403, "{header}");
    }
    let request = format!(
        "POST /api/tournaments HTTP/1.1\r\nHost: games.example\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{plan}",
        plan.len()
    );
    assert_eq!(server.raw(request.as_bytes()).await.0, 403);
    assert_eq!(server.ask("POST", "/api/tournaments", "", &plan).await.0, 201);
}

#[tokio::test]
async fn stored_games_have_a_bound_and_a_notice_before_it() {
    let server = with(Limits { rooms_per_address: 5, rooms: 7, ..generous() }).await;
    let body = json!({ "game": "pylos", "seats": [{ "who": "person" }, { "who": "person" }] }).to_string();
    let make = async |from: &str| {
        let (status, _, answer) = server.ask_from(from, "POST", "/api/rooms", "", &body).await;
        (status, serde_json::from_str::<Value>(&answer).unwrap())
    };
    for number in 1..=5 {
        let (status, made) = make(ATTACKER).await;
        assert_eq!((status, made["notice"].is_string()), (201, number >= 4), "{number}: {made}");
    }
    let (status, refused) = make(ATTACKER).await;
    assert!(status == 507 && refused["error"].as_str().unwrap().contains("your address"), "{refused}");
    let (status, made) = make(VISITOR).await;
    assert_eq!((status, made["notice"].is_string()), (201, true));
    let id = made["room"].as_str().unwrap().to_owned();
    assert_eq!(make(VISITOR).await.0, 201);
    assert_eq!(make(VISITOR).await.0, 507);
    let owner = format!("Authorization: Bearer {}\r\n", made["owner"].as_str().unwrap());
    assert_eq!(server.ask("DELETE", &format!("/api/rooms/{id}"), &owner, "").await.0, 200);
    assert_eq!(make(VISITOR).await.0, 201);
}
