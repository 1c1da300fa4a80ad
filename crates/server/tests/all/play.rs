//! Games between people and agents.

use quintet_arena::Store;
use quintet_game::EndReason;
use serde_json::{Value, json};

use crate::client::{Socket, TestServer};

fn person(name: &str) -> Value {
    json!({ "who": "person", "name": name })
}

async fn watch(socket: &mut Socket, room: &str, token: Option<&str>) -> Value {
    socket.say(json!({ "id": "w", "do": "watch", "room": room, "token": token })).await;
    socket.until(|answer| answer["id"] == "w").await["room"].clone()
}

async fn play(socket: &mut Socket, room: &str, token: &str, ply: usize, mv: &str) -> Value {
    socket.say(json!({ "id": "m", "do": "move", "room": room, "token": token, "ply": ply, "move": mv })).await;
    socket.until(|answer| answer["id"] == "m").await
}

#[tokio::test]
async fn two_people_play_and_a_third_can_only_watch() {
    let server = TestServer::new().await;
    let (room, tokens) = server.room("pathwayz(rows=2,cols=2)", person("ben")).await;
    let [mut anna, mut ben, mut guest] = [server.socket().await, server.socket().await, server.socket().await];
    assert_eq!(watch(&mut anna, &room, Some(&tokens[0])).await["seat"], "first");
    assert_eq!(watch(&mut ben, &room, Some(&tokens[1])).await["seat"], "second");
    let seen = watch(&mut guest, &room, None).await;
    assert!(seen["seat"].is_null() && !seen.to_string().contains(&tokens[0]));
    for wrong in ["", "x", &tokens[0][1..]] {
        assert!(play(&mut guest, &room, wrong, 0, "a1").await["error"].as_str().unwrap().contains("you can watch"));
    }
    assert!(play(&mut ben, &room, &tokens[1], 0, "a1").await["error"].as_str().unwrap().contains("other side"));
    assert!(play(&mut anna, &room, &tokens[0], 0, "z9").await["error"].as_str().unwrap().contains("z9"));
    assert_eq!(play(&mut anna, &room, &tokens[0], 0, "a1").await["ok"], true);
    // Sent twice because the answer was lost: played once.
    assert_eq!(play(&mut anna, &room, &tokens[0], 0, "a1").await["ok"], true);
    assert!(play(&mut anna, &room, &tokens[0], 0, "b1").await.get("error").is_some());
    for socket in [&mut ben, &mut guest] {
        let told = socket.until(|answer| answer["id"] == "w").await;
        assert_eq!(told["room"]["moves"], json!(["a1"]));
    }
    assert_eq!(play(&mut ben, &room, &tokens[1], 1, "a2").await["ok"], true);
    assert_eq!(play(&mut anna, &room, &tokens[0], 2, "b1").await["ok"], true);
    let end = guest.until(|answer| answer["room"]["outcome"] == "first").await;
    assert_eq!(end["room"]["reason"], "path");
    assert!(play(&mut ben, &room, &tokens[1], 3, "b2").await["error"].as_str().unwrap().contains("over"));
    let games = Store::open(&server.data.join("games.sqlite")).unwrap().games(None, None).unwrap();
    assert_eq!((games.len(), &games[0].players), (1, &["anna".to_owned(), "ben".to_owned()]));
}

#[tokio::test]
async fn a_rematch_takes_both_people_to_a_room_with_the_seats_exchanged() {
    let server = TestServer::new().await;
    let (room, tokens) = server.room("pathwayz(rows=2,cols=2)", person("ben")).await;
    let [mut anna, mut guest] = [server.socket().await, server.socket().await];
    watch(&mut guest, &room, None).await;
    let mut ask = async |what: &str, token: &str| {
        anna.say(json!({ "id": "q", "do": what, "room": room, "token": token })).await;
        anna.until(|answer| answer["id"] == "q").await
    };
    assert!(ask("rematch", &tokens[0]).await["error"].as_str().unwrap().contains("has just ended"));
    assert_eq!(ask("resign", &tokens[0]).await["ok"], true);
    assert_eq!(ask("rematch", &tokens[0]).await["ok"], true);
    guest.until(|answer| answer["room"]["rematch_asked"] == "first").await;
    assert_eq!(ask("rematch", &tokens[1]).await["ok"], true);
    let told = guest.until(|answer| answer["room"]["rematch"].is_string()).await;
    assert!(!told.to_string().contains(&tokens[0]), "who watches gets no seat");
    let next = told["room"]["rematch"].as_str().unwrap();
    // It is on the disk before anybody is told of it.
    let data = server.kill().await;
    let server = TestServer::at(data).await;
    let mut ben = server.socket().await;
    let seen = watch(&mut ben, next, Some(&tokens[1])).await;
    assert_eq!(
        (&seen["seat"], &seen["seats"][1]["name"], &seen["plies"]),
        (&json!("first"), &json!("anna"), &json!(0))
    );
    assert_eq!(play(&mut ben, next, &tokens[1], 0, "a1").await["ok"], true);
}

#[tokio::test]
async fn an_agent_answers_and_moves_are_taken_back() {
    let server = TestServer::new().await;
    let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": "random" })).await;
    let mut anna = server.socket().await;
    watch(&mut anna, &room, Some(&tokens[0])).await;
    play(&mut anna, &room, &tokens[0], 0, "1a1").await;
    let answered = anna.until(|answer| answer["room"]["plies"] == 2).await;
    assert_eq!(answered["room"]["to_move"], "first");
    anna.say(json!({ "id": "u", "do": "undo", "room": room, "token": tokens[0] })).await;
    anna.until(|answer| answer["id"] == "u").await;
    assert_eq!(server.get(&format!("/api/rooms/{room}")).await.1["plies"], 0);
    // While it thinks: the search is cancelled without a move.
    let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": "mcts(time=30s)" })).await;
    watch_again(&mut anna, &room, &tokens[0]).await;
    play(&mut anna, &room, &tokens[0], 0, "1a1").await;
    anna.say(json!({ "id": "u2", "do": "undo", "room": room, "token": tokens[0] })).await;
    assert_eq!(anna.until(|answer| answer["id"] == "u2").await["ok"], true);
    assert_eq!(play(&mut anna, &room, &tokens[0], 0, "1b2").await["ok"], true);
    assert_eq!(server.get(&format!("/api/rooms/{room}")).await.1["moves"], json!(["1b2"]));
    anna.say(json!({ "id": "r", "do": "resign", "room": room, "token": tokens[0] })).await;
    anna.until(|answer| answer["id"] == "r").await;
    let shown = server.get(&format!("/api/rooms/{room}")).await.1;
    assert_eq!((&shown["outcome"], &shown["reason"]), (&json!("second"), &json!("resigned")));
}

async fn watch_again(socket: &mut Socket, room: &str, token: &str) {
    socket.say(json!({ "id": "w2", "do": "watch", "room": room, "token": token })).await;
    socket.until(|answer| answer["id"] == "w2").await;
}

#[tokio::test]
async fn games_go_on_after_a_restart() {
    let server = TestServer::new().await;
    let (room, tokens) = server.room("twixt(size=8)", person("ben")).await;
    let mut anna = server.socket().await;
    play(&mut anna, &room, &tokens[0], 0, "d4").await;
    let (thinking, keys) = server.room("pylos", json!({ "who": "agent", "agent": "mcts(time=1s)" })).await;
    play(&mut anna, &thinking, &keys[0], 0, "1a1").await;
    let server = TestServer::at(server.kill().await).await;
    let mut ben = server.socket().await;
    assert_eq!(watch(&mut ben, &room, Some(&tokens[1])).await["moves"], json!(["d4"]));
    assert_eq!(play(&mut ben, &room, &tokens[1], 1, "swap").await["ok"], true);
    // The agent that was thinking starts again as soon as the room is read.
    let mut anna = server.socket().await;
    watch(&mut anna, &thinking, Some(&keys[0])).await;
    anna.until(|answer| answer["room"]["plies"] == 2).await;
    let keys = json!({ "rooms": [{ "room": room, "token": tokens[0] }, { "room": room, "token": "x" }, { "room": "nothing", "token": "x" }] });
    let (_, mine) = server.post("/api/rooms/mine", keys).await;
    assert_eq!(mine["rooms"].as_array().unwrap().len(), 1);
    let delete = |token: &str| format!("Authorization: Bearer {token}\r\n");
    assert_eq!(server.ask("DELETE", &format!("/api/rooms/{room}"), &delete(&tokens[1]), "").await.0, 403);
    assert_eq!(server.ask("DELETE", &format!("/api/rooms/{room}"), &delete(&tokens[2]), "").await.0, 200);
    assert_eq!(server.get(&format!("/api/rooms/{room}")).await.0, 404);
}

#[tokio::test]
async fn questions_without_a_room() {
    let server = TestServer::new().await;
    let (status, games) = server.get("/api/games").await;
    assert_eq!((status, games.as_array().unwrap().len()), (200, 5));
    let (_, agents) = server.get("/api/agents?game=pylos").await;
    assert!(agents.as_array().unwrap().iter().all(|agent| agent["game"] == "pylos"));
    assert_eq!(server.get("/api/evaluations?game=chess").await.0, 422);
    let place = json!({ "game": "pentago", "moves": ["b2q1r", "e5"] });
    let (status, refused) = server.post("/api/position", place).await;
    assert_eq!((status, &refused["ply"], &refused["state"]["plies"]), (422, &json!(1), &json!(1)));
    let explain = json!({ "game": "pylos", "moves": ["1a1"], "eval": "height", "for": "first" });
    let (_, explained) = server.post("/api/explain", explain).await;
    assert_eq!((&explained["value"], &explained["terms"][0]["name"]), (&json!(1.0), &json!("myHeight")));
    let (_, _, svg) =
        server.ask("POST", "/api/picture", "", &json!({ "game": "pylos", "moves": ["1a1"] }).to_string()).await;
    assert!(svg.starts_with("<svg"));
    let text = "twixt(size=6); 1.b3 2.swap 3.zz; *";
    let (_, read) = server.post("/api/import", json!({ "text": text })).await;
    let game = &read["games"][0];
    assert!(game["state"]["plies"] == 2 && game["fault"].as_str().unwrap().contains("zz"), "{read}");
}

/// Watchers see the agent's search, and the agent moves at once when it is told to.
#[tokio::test]
async fn an_agent_thinks_aloud_and_moves_when_it_is_told_to() {
    let server = TestServer::new().await;
    let (room, tokens) = server.room("pentago", json!({ "who": "agent", "agent": "mcts(time=50s)" })).await;
    let [mut anna, mut guest] = [server.socket().await, server.socket().await];
    watch(&mut anna, &room, Some(&tokens[0])).await;
    watch(&mut guest, &room, None).await;
    let hurry = |token: &str| json!({ "id": "h", "do": "hurry", "room": room, "token": token });
    anna.say(hurry(&tokens[0])).await;
    let refused = anna.until(|answer| answer["id"] == "h").await;
    assert!(refused["error"].as_str().unwrap().contains("no agent"), "{refused}");
    play(&mut anna, &room, &tokens[0], 0, "b2q1r").await;
    for socket in [&mut anna, &mut guest] {
        let told = socket.until(|answer| answer.get("thinking").is_some()).await;
        assert_eq!((&told["id"], &told["thinking"]["ply"]), (&json!("w"), &json!(1)));
        let report = &told["thinking"]["report"];
        assert!(report["roots"][0]["move"].is_string() && report["nodes"].as_u64() > Some(0), "{told}");
    }
    // Only a seat's token can hurry it.
    guest.say(hurry("x")).await;
    let refused = guest.until(|answer| answer["id"] == "h").await;
    assert!(refused["error"].as_str().unwrap().contains("you can watch"), "{refused}");
    anna.say(hurry(&tokens[0])).await;
    assert_eq!(anna.until(|answer| answer["id"] == "h").await["ok"], true);
    let moved = anna.until(|answer| answer["room"]["plies"] == 2).await;
    assert!(moved["room"]["ms"][1].as_u64() < Some(50_000), "{moved}");
}

/// A server may be killed after the last move, before or after the game is in the store, but before the room notes it: after the next read it is in the store once.
#[tokio::test]
async fn a_finished_game_is_stored_once() {
    let forget = |data: &std::path::Path, room: &str| {
        let rooms = rusqlite::Connection::open(data.join("rooms.sqlite")).unwrap();
        let sql = "UPDATE rooms SET room = json_set(room, '$.stored', json('false')) WHERE id = ?1";
        assert_eq!(rooms.execute(sql, [room]).unwrap(), 1);
    };
    let games = |data: &std::path::Path| Store::open(&data.join("games.sqlite")).unwrap().games(None, None).unwrap();
    for stored in [true, false] {
        let server = TestServer::new().await;
        let (room, tokens) = server.room("pathwayz(rows=2,cols=2)", person("ben")).await;
        let mut anna = server.socket().await;
        for (ply, mv) in ["a1", "a2", "b1"].into_iter().enumerate() {
            play(&mut anna, &room, &tokens[ply % 2], ply, mv).await;
        }
        assert_eq!(games(&server.data).len(), 1);
        let data = server.kill().await;
        forget(&data, &room);
        if !stored {
            let store = rusqlite::Connection::open(data.join("games.sqlite")).unwrap();
            assert_eq!(store.execute("DELETE FROM games", []).unwrap(), 1);
        }
        for _ in 0..2 {
            let server = TestServer::at(data.clone()).await;
            assert_eq!(server.get(&format!("/api/rooms/{room}")).await.1["outcome"], "first");
            let found = games(&data);
            assert_eq!((found.len(), found[0].players[0].as_str()), (1, "anna"), "stored before: {stored}");
            server.kill().await;
            forget(&data, &room);
        }
    }
}

/// A new game against anna with a clock; its name and its tokens.
async fn clocked(server: &TestServer, game: &str, second: Value, main_ms: u64) -> (String, [String; 2]) {
    let seats = [person("anna"), second];
    let new = json!({ "game": game, "seats": seats, "clock": { "main_ms": main_ms } });
    let (status, made) = server.post("/api/rooms", new).await;
    assert_eq!(status, 201, "{made}");
    let token = |seat: usize| made["tokens"][seat].as_str().unwrap_or_default().to_owned();
    (made["room"].as_str().unwrap().to_owned(), [token(0), token(1)])
}

/// Nobody asks: the flag falls by itself, everyone is told, and the game is in the store.
#[tokio::test]
async fn a_flag_falls_and_an_agent_thinks_within_its_clock() {
    let server = TestServer::new().await;
    let (room, tokens) = clocked(&server, "pylos", person("ben"), 1000).await;
    let [mut anna, mut guest] = [server.socket().await, server.socket().await];
    watch(&mut guest, &room, None).await;
    for (ply, mv) in ["1a1", "1b1"].into_iter().enumerate() {
        assert_eq!(play(&mut anna, &room, &tokens[ply], ply, mv).await["ok"], true);
    }
    let end = guest.until(|answer| !answer["room"]["outcome"].is_null()).await;
    assert_eq!((&end["room"]["outcome"], &end["room"]["reason"]), (&json!("second"), &json!("time")));
    assert_eq!(end["room"]["clock"]["left_ms"][0], 0);
    assert!(play(&mut anna, &room, &tokens[0], 2, "1c1").await["error"].as_str().unwrap().contains("over"));
    let games = Store::open(&server.data.join("games.sqlite")).unwrap().games(None, None).unwrap();
    assert_eq!((games.len(), &games[0].reason), (1, &Some(EndReason::Time)));
    // An agent that would think for 50 s has 10 s for all its moves.
    let agent = json!({ "who": "agent", "agent": "mcts(time=50s)" });
    let (room, tokens) = clocked(&server, "pylos", agent, 10_000).await;
    watch_again(&mut anna, &room, &tokens[0]).await;
    for ply in [0, 2] {
        let legal = server.get(&format!("/api/rooms/{room}")).await.1["legal"][0].clone();
        assert_eq!(play(&mut anna, &room, &tokens[0], ply, legal.as_str().unwrap()).await["ok"], true);
        anna.until(|answer| answer["room"]["plies"] == ply + 2).await;
    }
    let shown = server.get(&format!("/api/rooms/{room}")).await.1;
    let left = shown["clock"]["left_ms"][1].as_u64().unwrap();
    assert!(0 < left && left < 10_000 && shown["outcome"].is_null(), "{shown}");
    let (status, refused) = server
        .post("/api/rooms", json!({ "game": "pylos", "seats": [person("a"), person("b")], "clock": { "main_ms": 1 } }))
        .await;
    assert!(status == 422 && refused["error"].as_str().unwrap().contains("24 hours"), "{refused}");
}

/// While the server is away, nobody's clock runs.
#[tokio::test]
async fn downtime_costs_nobody_time() {
    let server = TestServer::new().await;
    let (room, tokens) = clocked(&server, "pylos", person("ben"), 600_000).await;
    let mut anna = server.socket().await;
    for (ply, mv) in ["1a1", "1b1"].into_iter().enumerate() {
        play(&mut anna, &room, &tokens[ply], ply, mv).await;
    }
    let data = server.kill().await;
    // The last move was made an hour ago.
    let rooms = rusqlite::Connection::open(data.join("rooms.sqlite")).unwrap();
    let sql = "UPDATE rooms SET room = json_set(room, '$.since_ms', json_extract(room, '$.since_ms') - 3600000)";
    assert_eq!(rooms.execute(sql, []).unwrap(), 1);
    drop(rooms);
    let server = TestServer::at(data).await;
    let shown = server.get(&format!("/api/rooms/{room}")).await.1;
    assert!(shown["outcome"].is_null() && shown["clock"]["running"] == "first", "{shown}");
    let mut anna = server.socket().await;
    assert_eq!(play(&mut anna, &room, &tokens[0], 2, "1c1").await["ok"], true);
}
