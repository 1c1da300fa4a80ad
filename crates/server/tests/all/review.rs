//! Reviews over the socket, levels as players, and the longest time for a move.

use std::time::Duration;

use quintet_agent::KINDS;
use quintet_server::Limits;
use serde_json::{Value, json};

use crate::client::TestServer;

#[tokio::test]
async fn moves_come_as_they_are_judged() {
    let server = TestServer::new().await;
    let mut socket = server.socket().await;
    // White could have ended with b1 at ply 3: on two columns a path is two pieces long.
    let moves = ["a1", "a3", "a2", "b3"];
    let game = "pathwayz(rows=4,cols=2)";
    socket.say(json!({ "id": 5, "do": "review", "game": game, "moves": moves, "agent": "mcts(visits=2000)" })).await;
    for (number, mv) in (1..).zip(moves) {
        let ply = socket.until(|answer| answer["id"] == 5 && answer.get("queued").is_none()).await["ply"].clone();
        assert_eq!((&ply["number"], &ply["move"]), (&json!(number), &json!(mv)), "{ply}");
        assert_eq!(ply["class"] == "win thrown away", number == 3, "{ply}");
        assert!(ply["before"].is_f64() && ply["after"].is_f64() && ply["loss"].is_f64() && ply["line"].is_array());
    }
    let done = socket.until(|answer| answer["id"] == 5).await["done"].clone();
    assert_eq!((&done["plies"], &done["stopped"]), (&json!(4), &json!(false)));
    let [first, second] = [&done["accuracy"][0], &done["accuracy"][1]].map(|accuracy| accuracy.as_f64().unwrap());
    assert!(first < second && second <= 100.0, "{done}");
}

#[tokio::test]
async fn reviews_are_refused_stopped_and_cut_off() {
    let limits = Limits { thought: Duration::from_millis(300), ..Limits::default() };
    let server = TestServer::with(TestServer::folder(), limits).await;
    let mut socket = server.socket().await;
    for (moves, agent, says) in [
        (json!(["zz"]), "mcts(visits=5)", "zz"),
        (json!(["1a1"]), "greedy(eval=height)", "counts no wins"),
        (json!(["1a1"]), "ugi(cmd=\"true\")", "outside engines"),
    ] {
        socket.say(json!({ "id": 1, "do": "review", "game": "pylos", "moves": moves, "agent": agent })).await;
        let answer = socket.until(|answer| answer.get("queued").is_none()).await;
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(says)), "{answer}");
    }
    // An endless search is cut off at the longest time for a move; the move that it was at is not judged.
    let endless = |id: u32| json!({ "id": id, "do": "review", "game": "pentago", "moves": ["a1q1l", "b2q1l"], "agent": "mcts(visits=1000000000)" });
    socket.say(endless(2)).await;
    let done = socket.until(|answer| answer.get("done").is_some()).await;
    assert_eq!((&done["id"], &done["done"]["stopped"], &done["done"]["plies"]), (&json!(2), &json!(true), &json!(0)));
    // Stopped by its client, also while it waits.
    socket.say(endless(3)).await;
    socket.say(json!({ "id": 4, "do": "stop", "what": 3 })).await;
    let done = socket.until(|answer| answer["id"] == 3 && answer.get("queued").is_none()).await;
    assert_eq!(done["done"]["stopped"], true, "{done}");
    assert_eq!(done["done"]["accuracy"], json!([null, null]));
}

#[tokio::test]
async fn a_review_leaves_with_its_client() {
    let server = TestServer::new().await;
    let mut socket = server.socket().await;
    let moves: Vec<&str> = vec!["a1q1l", "b2q1l", "c3q1l", "d4q1l"];
    socket
        .say(json!({ "id": 1, "do": "review", "game": "pentago", "moves": moves, "agent": "mcts(visits=1000000000)" }))
        .await;
    drop(socket);
    // The threads are free again: a short search gets through.
    let mut other = server.socket().await;
    other.say(json!({ "id": 2, "do": "analyse", "game": "pylos", "moves": [], "agent": "random" })).await;
    assert_eq!(other.until(|answer| answer.get("done").is_some()).await["id"], 2);
}

/// However long an agent would think by itself, the server's own limit ends it with a legal move.
#[tokio::test]
async fn every_kind_of_agent_is_cut_off() {
    let limits = Limits { thought: Duration::from_millis(100), ..Limits::default() };
    let server = TestServer::with(TestServer::folder(), limits).await;
    let (_, position) = server.post("/api/position", json!({ "game": "pentago-twist", "moves": ["b2q1r"] })).await;
    let legal = position["legal"].as_array().unwrap();
    let mut socket = server.socket().await;
    for kind in KINDS.iter().filter(|kind| !["ugi", "book"].contains(&kind.name)) {
        let eval = match kind.arguments {
            arguments if arguments.starts_with("eval") => "eval=pentago-35,",
            arguments if arguments.starts_with("agent") => "agent=pvs(eval=pentago-35),",
            _ => "",
        };
        let agent = format!("{}({eval}visits=1000000000,depth=30)", kind.name);
        socket.say(json!({ "id": kind.name, "do": "analyse", "game": "pentago-twist", "moves": ["b2q1r"], "agent": agent })).await;
        let answer = socket
            .until(|answer| answer["id"] == kind.name && answer.get("done").is_some() | answer.get("error").is_some())
            .await;
        assert!(legal.contains(&answer["done"]["move"]), "{agent}: {answer}");
    }
}

#[tokio::test]
async fn a_level_sits_down_and_plays() {
    let server = TestServer::new().await;
    for game in ["pathwayz", "pylos", "twixt", "pentago-twist", "pentago"] {
        let (_, levels) = server.get(&format!("/api/levels?game={game}")).await;
        let levels: Vec<Value> = levels.as_array().unwrap().clone();
        assert_eq!(levels.len(), 8, "{game}");
        assert!(levels.iter().all(|level| level["game"] == game && level["spec"].is_string()));
    }
    assert_eq!(server.get("/api/levels").await.1.as_array().unwrap().len(), 40);
    assert_eq!(server.get("/api/levels?game=chess").await.0, 422);
    let (room, tokens) = server.room("pylos", json!({ "who": "level", "level": 1 })).await;
    let mut anna = server.socket().await;
    anna.say(json!({ "id": "w", "do": "watch", "room": room, "token": tokens[0] })).await;
    let shown = anna.until(|answer| answer["id"] == "w").await;
    assert_eq!(shown["room"]["seats"][1], json!({ "who": "agent", "agent": "level:1" }));
    anna.say(json!({ "id": "m", "do": "move", "room": room, "token": tokens[0], "ply": 0, "move": "1a1" })).await;
    anna.until(|answer| answer["room"]["plies"] == 2).await;
    for level in [json!(0), json!(9), json!("4"), json!(-1)] {
        let seats = json!([{ "who": "person" }, { "who": "level", "level": level }]);
        let (status, answer) = server.post("/api/rooms", json!({ "game": "pylos", "seats": seats })).await;
        assert_eq!(status, 422, "{level}: {answer}");
    }
}
