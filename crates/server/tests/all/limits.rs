//! Limits, allowed hosts, and refused requests.

use quintet_server::Limits;
use serde_json::json;

use crate::client::TestServer;

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused() {
    let server = TestServer::new().await;
    for (host, wanted) in
        [("127.0.0.1", 200), ("localhost:1", 200), ("games.example", 200), ("evil.example", 421), ("", 421)]
    {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(server.raw(request.as_bytes()).await.0, wanted, "{host}");
    }
    let (own, other) =
        (format!("http://{}", server.address), format!("http://127.0.0.1:{}", server.address.port() ^ 1));
    for (origin, wanted) in [
        (own.as_str(), 200),
        ("https://games.example", 200),
        ("http://evil.example", 403),
        ("null", 403),
        (&other, 403),
        ("http://localhost", 403),
    ] {
        assert_eq!(server.ask("GET", "/api/games", &format!("Origin: {origin}\r\n"), "").await.0, wanted, "{origin}");
        let upgraded = if wanted == 200 { 101 } else { wanted };
        assert_eq!(server.socket_from(origin).await, upgraded, "{origin}");
    }
}

#[tokio::test]
async fn every_answer_is_armoured() {
    let server = TestServer::new().await;
    for path in ["/", "/api/games", "/nothing", "/api/nothing"] {
        let (_, head, _) = server.ask("GET", path, "", "").await;
        for header in [
            "content-security-policy: default-src 'self'",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused_and_the_next_is_served() {
    let server = TestServer::new().await;
    let long = format!("/api/games?x={}", "y".repeat(5000));
    assert_eq!(server.ask("GET", &long, "", "").await.0, 414);
    let body = json!({ "game": "pylos", "moves": ["x".repeat(70_000)] }).to_string();
    assert_eq!(server.ask("POST", "/api/position", "", &body).await.0, 413);
    let many = vec!["1a1"; 1001];
    let (status, answer) = server.post("/api/position", json!({ "game": "pylos", "moves": many })).await;
    assert!(status == 422 && answer["error"].as_str().unwrap().contains("1000 plies"), "{answer}");
    let mut socket = server.socket().await;
    socket.text(&"x".repeat(9000)).await;
    assert!(socket.hear().await.is_none());
    assert_eq!(server.get("/api/games").await.0, 200);
}

#[tokio::test]
async fn no_path_leads_out_of_the_page() {
    let server = TestServer::new().await;
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/.git/config",
        "/\\..\\Cargo.toml",
    ] {
        let (status, _, body) = server.ask("GET", path, "", "").await;
        assert!(status == 404 || status == 400, "{path}: {status}");
        assert!(!body.contains("[package]") && !body.contains("root:"), "{path}");
    }
}

#[tokio::test]
async fn too_many_requests_wait() {
    // A share that even a slow machine can use up.
    let limits = Limits { burst: 20.0, a_second: 1.0, ..Limits::default() };
    let server = TestServer::with(TestServer::folder(), limits).await;
    let mut refused = None;
    for _ in 0..400 {
        let (status, head, _) = server.ask("GET", "/api/games", "", "").await;
        if status == 429 {
            refused = Some(head);
            break;
        }
    }
    let head = refused.expect("four hundred requests are more than the share of an address");
    assert!(head.contains("retry-after: 1"), "{head}");
}

#[tokio::test]
async fn garbage_gets_a_sentence() {
    let server = TestServer::new().await;
    for (path, body) in [
        ("/api/position", "{"),
        ("/api/position", "[]"),
        ("/api/position", "{\"game\":7}"),
        ("/api/explain", "{\"game\":\"pylos\"}"),
        ("/api/rooms", "{\"game\":\"pylos\",\"seats\":[]}"),
        ("/api/import", "{\"text\":1}"),
    ] {
        let (status, _, body) = server.ask("POST", path, "", body).await;
        assert!((400..500).contains(&status) && !body.is_empty(), "{path}: {status} {body}");
    }
    let mut socket = server.socket().await;
    for text in [
        "",
        "{",
        "7",
        "{\"id\":1}",
        "{\"id\":1,\"do\":\"dance\"}",
        "{\"id\":1,\"do\":\"move\"}",
        "{\"id\":1,\"do\":\"stop\",\"what\":9}",
    ] {
        socket.text(text).await;
        let answer = socket.hear().await.unwrap();
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{text}: {answer}");
    }
    socket.say(json!({ "id": "x", "do": "analyse", "game": "pylos", "moves": [], "agent": "random" })).await;
    assert_eq!(socket.until(|answer| answer.get("done").is_some()).await["id"], "x");
}

#[tokio::test]
async fn strangers_run_no_programs_and_read_no_files() {
    let server = TestServer::new().await;
    let mut socket = server.socket().await;
    for agent in
        ["ugi(cmd=\"true\")", "greedy(eval=difference(weights=\"/etc/passwd\"))", "pvs(eval=difference,threads=9)"]
    {
        socket.say(json!({ "id": 1, "do": "analyse", "game": "pylos", "moves": [], "agent": agent })).await;
        assert!(socket.hear().await.unwrap().get("error").is_some(), "{agent}");
        let seats = json!([{ "who": "agent", "agent": agent }, { "who": "person" }]);
        assert_eq!(server.post("/api/rooms", json!({ "game": "pylos", "seats": seats })).await.0, 422, "{agent}");
    }
    // A request for more memory than visitors may have gets the visitors' memory.
    let large =
        json!({ "id": 2, "do": "analyse", "game": "pylos", "moves": [], "agent": "mcts(memory=65000,visits=50)" });
    socket.say(large).await;
    let told =
        socket.until(|answer| answer["id"] == 2 && ["done", "error"].iter().any(|word| answer.get(word).is_some()));
    assert!(told.await.get("done").is_some());
    let explain = json!({ "game": "pathwayz", "moves": [], "eval": "pathwayz-52(weights=\"/etc/passwd\")" });
    let (status, refused) = server.post("/api/explain", explain).await;
    assert!(status == 422 && refused["error"].as_str().unwrap().contains("files are not read"), "{refused}");
}

/// Searches beyond the threads wait, those beyond the queue are refused, and disconnecting cancels them.
#[tokio::test]
async fn searches_wait_and_leave_with_their_client() {
    let server = TestServer::new().await;
    let threads = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1);
    let long = |id: usize| json!({ "id": id, "do": "analyse", "game": "pentago", "moves": [], "agent": "mcts(visits=1000000000)", "limit": { "time_ms": 60_000 } });
    let mut crowd = Vec::new();
    for _ in 0..(threads + 32).div_ceil(16) {
        let mut socket = server.socket().await;
        for id in 0..16 {
            socket.say(long(id)).await;
        }
        // All sixteen are accepted; a seventeenth is one too many for this client and is refused.
        socket.say(long(16)).await;
        socket.until(|answer| answer["id"] == 16 && answer.get("error").is_some()).await;
        crowd.push(socket);
    }
    let mut late = server.socket().await;
    late.say(long(0)).await;
    let answer = late.until(|answer| answer.get("error").is_some()).await;
    assert_eq!((&answer["code"], &answer["retry_after"]), (&json!("busy"), &json!(1)), "{answer}");
    drop(crowd);
    // The searches end at their next check: soon a short one gets through.
    let short = json!({ "id": 1, "do": "analyse", "game": "pylos", "moves": [], "agent": "random" });
    for _ in 0..500 {
        late.say(short.clone()).await;
        let answer = late.until(|answer| answer["id"] == 1 && answer.get("queued").is_none()).await;
        if answer.get("done").is_some() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("searches of disconnected clients go on");
}

/// Answers to a client that never reads pile up only on its own socket.
#[tokio::test]
async fn a_client_who_never_reads_holds_nobody_up() {
    let server = TestServer::new().await;
    let mut deaf = server.socket().await;
    // Every answer repeats the id, so that they exceed what the system buffers for a client that does not read.
    let talk = tokio::spawn(async move {
        let question = json!({ "id": "x".repeat(7000), "do": "stop", "what": 1 });
        for _ in 0..3000 {
            deaf.say(question.clone()).await;
        }
    });
    let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": "random" })).await;
    let mut anna = server.socket().await;
    anna.say(json!({ "id": "w", "do": "watch", "room": room, "token": tokens[0] })).await;
    for (ply, mv) in [(0, "1a1"), (2, "1b2")] {
        anna.say(json!({ "id": ply, "do": "move", "room": room, "token": tokens[0], "ply": ply, "move": mv })).await;
        let answer = anna.until(|answer| answer["room"]["plies"] == ply + 2 || answer.get("error").is_some()).await;
        // The agent may have taken the second hole.
        assert!(answer.get("error").is_none() || ply == 2, "{answer}");
    }
    assert_eq!(server.get("/api/games").await.0, 200);
    talk.abort();
}
