//! A room never waits in silence: agents that fail, panic, or whose moves cannot be stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quintet_agent::{Seat, ThinkError, provers};
use quintet_api::{Seats, visitor_agent};
use quintet_game::{AnyLine, Limit, Stop};
use quintet_search::{Choice, Report};
use quintet_server::Limits;
use serde_json::{Value, json};

use crate::client::{Socket, TestServer};

/// An agent that panics, or fails, while it is told to, and otherwise plays as another.
struct Faulty {
    inner: Box<dyn Seat>,
    panics: bool,
    broken: Arc<AtomicBool>,
}

impl Seat for Faulty {
    fn think(
        &mut self,
        line: &dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError> {
        if self.broken.load(Ordering::Relaxed) {
            assert!(!self.panics, "as the test wants");
            return Err(ThinkError::NoSteps);
        }
        self.inner.think(line, limit, stop, progress)
    }
}

/// A server on which `random` panics and `greedy` fails while the flag is set.
async fn faulty() -> (TestServer, Arc<AtomicBool>) {
    let broken = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&broken);
    let seats = Seats::new(move |agents, spec, text, seed| {
        let (inner, broken) = (visitor_agent(agents, spec, text, seed)?, Arc::clone(&flag));
        Ok(Box::new(Faulty { inner, panics: text == "random", broken }))
    });
    (TestServer::seating(TestServer::folder(), Limits::default(), provers(), seats).await, broken)
}

async fn play(socket: &mut Socket, room: &str, token: &str, ply: usize, mv: &str) -> Value {
    socket.say(json!({ "id": "m", "do": "move", "room": room, "token": token, "ply": ply, "move": mv })).await;
    socket.until(|answer| answer["id"] == "m").await
}

async fn watch(socket: &mut Socket, room: &str) -> Value {
    socket.say(json!({ "id": "w", "do": "watch", "room": room })).await;
    socket.until(|answer| answer["id"] == "w").await
}

async fn ask(socket: &mut Socket, request: Value) -> Value {
    socket.say(request).await;
    socket.until(|answer| answer["id"] == "q").await
}

/// What a slow agent and its test tell each other.
#[derive(Default)]
struct Gate {
    thinks: AtomicBool,
    open: AtomicBool,
    gone: AtomicBool,
}

/// Thinks until the gate opens, as a search that is slow to notice that it was cancelled.
struct Slow {
    inner: Box<dyn Seat>,
    gate: Arc<Gate>,
}

impl Seat for Slow {
    fn think(
        &mut self,
        line: &dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError> {
        self.gate.thinks.store(true, Ordering::Relaxed);
        while !self.gate.open.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.inner.think(line, limit, stop, progress)
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        self.gate.gone.store(true, Ordering::Relaxed);
    }
}

/// Waits until a flag is set, but not for ever.
async fn set(flag: &AtomicBool) -> bool {
    for _ in 0..2000 {
        if flag.load(Ordering::Relaxed) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

#[tokio::test]
async fn an_agent_that_is_replaced_while_it_thinks_does_not_play_on() {
    let gate = Arc::new(Gate::default());
    let slow = Arc::clone(&gate);
    let seats = Seats::new(move |agents, spec, text, seed| {
        let inner = visitor_agent(agents, spec, text, seed)?;
        Ok(if text == "mcts(time=5s)" { Box::new(Slow { inner, gate: Arc::clone(&slow) }) } else { inner })
    });
    let server = TestServer::seating(TestServer::folder(), Limits::default(), provers(), seats).await;
    let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": "mcts(time=5s)" })).await;
    let mut anna = server.socket().await;
    watch(&mut anna, &room).await;
    play(&mut anna, &room, &tokens[0], 0, "1a1").await;
    assert!(set(&gate.thinks).await);
    // The one that was made to check the seat is gone already.
    gate.gone.store(false, Ordering::Relaxed);
    let with = json!({ "who": "agent", "agent": "random" });
    let other = json!({ "id": "q", "do": "replace", "room": room, "token": tokens[0], "seat": "second", "with": with });
    assert_eq!(ask(&mut anna, other).await["ok"], true);
    gate.open.store(true, Ordering::Relaxed);
    anna.until(|answer| answer["room"]["plies"] == 2).await;
    assert!(set(&gate.gone).await, "it is kept for a seat that is no longer its own");
}

#[tokio::test]
async fn an_agent_that_panics_leaves_a_fault_with_three_ways_on() {
    let (server, broken) = faulty().await;
    let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": "random" })).await;
    let mut anna = server.socket().await;
    watch(&mut anna, &room).await;
    play(&mut anna, &room, &tokens[0], 0, "1a1").await;
    let told = anna.until(|answer| answer["room"]["fault"].is_object()).await;
    let fault = &told["room"]["fault"];
    assert!(fault["what"].as_str().unwrap().contains("as the test wants") && fault["passing"] == false, "{fault}");
    // Later visitors see it.
    assert_eq!(&server.get(&format!("/api/rooms/{room}")).await.1["fault"], fault);
    // Strangers may not repair it.
    let refused = ask(&mut anna, json!({ "id": "q", "do": "retry", "room": room, "token": "x" })).await;
    assert!(refused["error"].is_string());
    // Try again: it fails again, and says so again.
    assert_eq!(ask(&mut anna, json!({ "id": "q", "do": "retry", "room": room, "token": tokens[0] })).await["ok"], true);
    anna.until(|answer| answer["room"]["fault"].is_object()).await;
    // Another agent, which fails in another way.
    let with = json!({ "who": "agent", "agent": "greedy(eval=difference)" });
    let other = json!({ "id": "q", "do": "replace", "room": room, "token": tokens[2], "seat": "second", "with": with });
    assert_eq!(ask(&mut anna, other).await["ok"], true);
    let told = anna.until(|answer| answer["room"]["fault"].is_object()).await;
    assert_eq!(told["room"]["seats"][1]["agent"], "greedy(eval=difference)");
    // A person takes over.
    let with = json!({ "who": "person", "name": "ben" });
    let over = json!({ "id": "q", "do": "replace", "room": room, "token": tokens[0], "seat": "second", "with": with });
    let given = ask(&mut anna, over).await;
    let token = given["token"].as_str().unwrap().to_owned();
    assert_eq!(play(&mut anna, &room, &token, 1, "1b2").await["ok"], true);
    let (_, state) = server.get(&format!("/api/rooms/{room}")).await;
    assert_eq!((&state["fault"], &state["plies"]), (&Value::Null, &json!(2)));
    // What was mended goes on.
    let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": "random" })).await;
    watch_other(&mut anna, &room).await;
    play(&mut anna, &room, &tokens[0], 0, "1a1").await;
    anna.until(|answer| answer["room"]["fault"].is_object() && answer["room"]["room"] == room.as_str()).await;
    broken.store(false, Ordering::Relaxed);
    ask(&mut anna, json!({ "id": "q", "do": "retry", "room": room, "token": tokens[0] })).await;
    anna.until(|answer| answer["room"]["plies"] == 2 && answer["room"]["room"] == room.as_str()).await;
}

async fn watch_other(socket: &mut Socket, room: &str) {
    socket.say(json!({ "id": "w2", "do": "watch", "room": room })).await;
    socket.until(|answer| answer["id"] == "w2").await;
}

#[tokio::test]
async fn an_analysis_that_panics_answers_its_id() {
    let (server, _) = faulty().await;
    let mut socket = server.socket().await;
    socket.say(json!({ "id": 7, "do": "analyse", "game": "pylos", "moves": [], "agent": "random" })).await;
    let answer = socket.until(|answer| answer.get("queued").is_none()).await;
    assert!(answer["id"] == 7 && answer["error"].as_str().unwrap().contains("broke down"), "{answer}");
    // The thread is still there for the next.
    socket
        .say(json!({ "id": 8, "do": "analyse", "game": "pylos", "moves": [], "agent": "greedy(eval=difference)" }))
        .await;
    let answer = socket.until(|answer| answer["id"] == 8 && answer.get("queued").is_none()).await;
    assert!(answer["error"].is_string(), "{answer}");
}

#[tokio::test]
async fn nothing_is_lost_while_the_data_directory_is_away() {
    let server = TestServer::new().await;
    let away = server.data.with_extension("away");
    let (room, tokens) = server.room("pylos", json!({ "who": "person" })).await;
    let (against, keys) = server.room("pylos", json!({ "who": "agent", "agent": "mcts(visits=4000)" })).await;
    let mut anna = server.socket().await;
    watch(&mut anna, &against).await;
    assert_eq!(play(&mut anna, &room, &tokens[0], 0, "1a1").await["ok"], true);
    assert_eq!(play(&mut anna, &against, &keys[0], 0, "1a1").await["ok"], true);
    std::fs::rename(&server.data, &away).unwrap();
    // A person's move is refused; the agent's becomes a fault that the server tries to mend by itself.
    let refused = play(&mut anna, &room, &tokens[1], 1, "1b2").await;
    assert!(refused["error"].as_str().unwrap().contains("no longer in"), "{refused}");
    let told = anna.until(|answer| answer["room"]["fault"].is_object()).await;
    assert!(told["room"]["fault"]["passing"] == true && told["room"]["plies"] == 1, "{told}");
    std::fs::rename(&away, &server.data).unwrap();
    let told = anna.until(|answer| answer["room"]["plies"] == 2).await;
    assert_eq!(told["room"]["fault"], Value::Null);
    assert_eq!(play(&mut anna, &room, &tokens[1], 1, "1b2").await["ok"], true);
    let data = server.kill().await;
    let server = TestServer::at(data).await;
    for room in [&room, &against] {
        assert_eq!(server.get(&format!("/api/rooms/{room}")).await.1["plies"], 2);
    }
}

#[tokio::test]
async fn an_invitation_is_claimed_once() {
    let server = TestServer::new().await;
    let (room, tokens) = server.room("pylos", json!({ "who": "person" })).await;
    let claim = async || server.post(&format!("/api/rooms/{room}/claim"), json!({ "token": tokens[1] })).await;
    let (status, given) = claim().await;
    assert_eq!((status, &given["seat"]), (200, &json!("second")));
    let (status, refused) = claim().await;
    assert!(status == 403 && refused["error"].as_str().unwrap().contains("has been used"), "{refused}");
    let mut anna = server.socket().await;
    assert_eq!(play(&mut anna, &room, &tokens[0], 0, "1a1").await["ok"], true);
    assert!(
        play(&mut anna, &room, &tokens[1], 1, "1b2").await["error"].is_string(),
        "the maker no longer has this seat"
    );
    let token = given["token"].as_str().unwrap();
    assert_eq!(play(&mut anna, &room, token, 1, "1b2").await["ok"], true);
}

#[tokio::test]
async fn games_that_began_in_the_middle_do_not_count() {
    let server = TestServer::new().await;
    for moves in [json!([]), json!(["a1", "b1"])] {
        let seats = json!([{ "who": "person", "name": "anna" }, { "who": "agent", "agent": "random" }]);
        let new = json!({ "game": "pathwayz(rows=4,cols=4)", "moves": moves, "seats": seats });
        let (_, made) = server.post("/api/rooms", new).await;
        let mut anna = server.socket().await;
        anna.say(json!({ "id": "q", "do": "resign", "room": made["room"], "token": made["tokens"][0] })).await;
        assert_eq!(anna.until(|answer| answer["id"] == "q").await["ok"], true);
    }
    let (_, people) = server.get("/api/people").await;
    assert_eq!(people["people"].as_array().unwrap().len(), 1);
    assert_eq!(people["people"][0]["people"]["losses"], 1);
}

#[tokio::test]
async fn idle_rooms_are_archived() {
    let limits = Limits { room_idle: Duration::ZERO, ..Limits::default() };
    let data = TestServer::folder();
    let server = TestServer::at(data).await;
    let (room, tokens) = server.room("pylos", json!({ "who": "person" })).await;
    let mut anna = server.socket().await;
    assert_eq!(play(&mut anna, &room, &tokens[0], 0, "1a1").await["ok"], true);
    drop(anna);
    let data = server.kill().await;
    // Archiving begins when a server does.
    let server = TestServer::with(data, limits).await;
    let state = loop {
        let (_, state) = server.get(&format!("/api/rooms/{room}")).await;
        if state["archived"].is_string() {
            break state;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(state["moves"], json!(["1a1"]));
    let mut ben = server.socket().await;
    let refused = play(&mut ben, &room, &tokens[1], 1, "1b2").await;
    assert!(refused["error"].as_str().unwrap().contains("archived on"), "{refused}");
}
