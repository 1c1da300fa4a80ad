//! Exact values and puzzles, by a fake prover and by the real ones.

use std::sync::Arc;

use quintet_agent::{Exact, Prover, Unproven};
use quintet_game::{AnyLine, Limit, Stop};
use quintet_server::Limits;
use serde_json::{Value, json};

use crate::client::TestServer;

/// Knows only Pylos after one move.
#[derive(Debug)]
struct Fake;

impl Prover for Fake {
    fn name(&self) -> &str {
        "fake"
    }

    fn prove(&self, line: &dyn AnyLine, _: &Limit, _: &Stop) -> Result<Exact, Unproven> {
        if line.spec().to_string() != "pylos" || line.plies() != 1 {
            return Err(Unproven("the fake knows one position.".into()));
        }
        let value = quintet_game::Value::loss_in(18);
        let moves = vec![("1b2".to_owned(), value), ("1a2".to_owned(), quintet_game::Value::loss_in(12))];
        Ok(Exact { value, by: self.name().into(), moves, complete: false, all_best: false })
    }
}

async fn ask(server: &TestServer, place: Value) -> Value {
    let (status, answer) = server.post("/api/exact", place).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

#[tokio::test]
async fn what_a_prover_knows_is_told() {
    let server = TestServer::knowing(TestServer::folder(), Limits::default(), vec![Arc::new(Fake)]).await;
    let known = ask(&server, json!({ "game": "pylos", "from": null, "moves": ["1a1"] })).await;
    let moves = json!([{ "move": "1b2", "outcome": "loss", "distance": 18 }, { "move": "1a2", "outcome": "loss", "distance": 12 }]);
    assert_eq!(known, json!({ "known": true, "outcome": "loss", "distance": 18, "by": "fake", "moves": moves }));
    let unknown = ask(&server, json!({ "game": "pylos", "moves": [] })).await;
    assert_eq!(unknown, json!({ "known": false, "why": "the fake knows one position." }));
    let over = json!({ "game": "pathwayz(rows=2,cols=2)", "moves": ["a1", "a2", "b1"] });
    let over = ask(&server, over).await;
    assert_eq!((&over["outcome"], &over["distance"], &over["by"]), (&json!("loss"), &json!(0), &json!("the rules")));
    for (place, says) in [
        (json!({ "game": "chess", "moves": [] }), "not a game"),
        (json!({ "game": "pylos", "moves": ["zz"] }), "zz"),
        (json!({ "game": "pylos", "from": "nonsense", "moves": [] }), "position"),
    ] {
        let (status, refused) = server.post("/api/exact", place).await;
        assert!(status == 422 && refused["error"].as_str().unwrap().contains(says), "{refused}");
    }
}

#[tokio::test]
async fn nobody_may_know_anything() {
    let server = TestServer::knowing(TestServer::folder(), Limits::default(), Vec::new()).await;
    let unknown = ask(&server, json!({ "game": "pylos", "moves": [] })).await;
    assert_eq!(unknown["known"], false);
    assert!(unknown["why"].as_str().unwrap().contains("no prover"));
}

/// As the page solves them: right moves by `/api/exact`, the longest defence in between, until the game is over.
#[tokio::test]
async fn puzzles_can_be_solved() {
    let server = TestServer::new().await;
    let (_, all) = server.get("/api/puzzles").await;
    let all = all["puzzles"].as_array().unwrap();
    let (_, pylos) = server.get("/api/puzzles?game=pylos").await;
    let pylos = pylos["puzzles"].as_array().unwrap();
    assert!(pylos.iter().all(|puzzle| puzzle["game"].as_str().unwrap().starts_with("pylos")));
    // A puzzle that needs a table comes with its answer, which is a legal move.
    for puzzle in pylos.iter().filter(|puzzle| puzzle["answer"].is_string()) {
        let place = json!({ "game": puzzle["game"], "from": puzzle["from"], "moves": [puzzle["answer"]] });
        assert_eq!(server.post("/api/position", place).await.0, 200, "{puzzle}");
    }
    assert_eq!(server.get("/api/puzzles?game=chess").await.0, 422);
    for game in ["pathwayz", "pylos", "twixt", "pentago-twist", "pentago"] {
        let puzzle = all.iter().find(|puzzle| puzzle["id"] == format!("{game}-1")).unwrap();
        let mut place = json!({ "game": puzzle["game"], "from": puzzle["from"], "moves": puzzle["moves"] });
        let first = ask(&server, place.clone()).await;
        assert_eq!((&first["known"], &first["distance"]), (&json!(true), &puzzle["distance"]), "{puzzle}");
        let Some(distance) = puzzle["distance"].as_u64() else { continue };
        for left in (0..distance).rev() {
            let known = ask(&server, place.clone()).await;
            place["moves"].as_array_mut().unwrap().push(known["moves"][0]["move"].clone());
            assert_eq!(known["distance"], left + 1, "{puzzle} {place}");
        }
        let (_, state) = server.post("/api/position", place).await;
        assert!(state["outcome"].is_string(), "{puzzle}: {state}");
    }
}
