//! Searches step by step, and the reports of a running one.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::TestServer;

#[tokio::test]
async fn a_trace_is_exact_and_the_same_again() {
    let server = TestServer::new().await;
    let asked = json!({ "game": "twixt(size=5,rules=paper)", "moves": ["c3"], "agent": "twixt:alphabeta", "limit": { "depth": 2 } });
    let (status, trace) = server.post("/api/trace", asked.clone()).await;
    assert_eq!(status, 200, "{trace}");
    let steps = trace["steps"].as_array().unwrap();
    let count = |key: &str| steps.iter().filter(|step| !step[key].is_null()).count() as u64;
    assert_eq!(json!([count("enter"), count("cut")]), json!([trace["entered"], trace["cuts"]]));
    assert_eq!((count("enter"), &trace["entered"]), (count("leave"), &trace["done"]["nodes"]));
    assert_eq!(trace["total"], steps.len());
    assert_eq!(steps.last().unwrap(), &json!({ "depth": 2, "value": trace["done"]["value"] }));
    assert!(count("cut") > 0 && steps[0]["window"] == json!([null, null]), "{}", steps[0]);
    let (_, mut again) = server.post("/api/trace", asked).await;
    again["done"]["ms"] = trace["done"]["ms"].clone();
    assert_eq!(again, trace);
}

#[tokio::test]
async fn long_searches_are_cut_and_those_without_steps_refused() {
    let server = TestServer::new().await;
    let (_, long) = server
        .post("/api/trace", json!({ "game": "pylos", "agent": "minimax(eval=difference)", "limit": { "depth": 9 } }))
        .await;
    assert_eq!((long["steps"].as_array().unwrap().len(), &long["done"]["nodes"]), (5000, &json!(200_000)));
    assert!(long["total"].as_u64() > Some(200_000));
    for (asked, says) in [
        (json!({ "game": "pylos", "agent": "mcts(visits=10)" }), "move by move"),
        (json!({ "game": "pylos", "agent": "nobody" }), "nobody"),
        (
            json!({ "game": "pathwayz(rows=2,cols=2)", "moves": ["a1", "a2", "b1"], "agent": "minimax(eval=nonsense)" }),
            "nonsense",
        ),
    ] {
        let (status, refused) = server.post("/api/trace", asked).await;
        assert!(status == 422 && refused["error"].as_str().unwrap().contains(says), "{refused}");
    }
}

/// All search threads are busy for a minute; exact values and small searches are answered all the same.
#[tokio::test]
async fn short_questions_do_not_wait_for_long_searches() {
    let server = TestServer::new().await;
    let mut socket = server.socket().await;
    for id in 0..8 {
        socket.say(json!({ "id": id, "do": "analyse", "game": "twixt(size=24)", "moves": [], "agent": "mcts", "limit": { "time_ms": 60_000 } })).await;
    }
    socket.until(|answer| answer["queued"].is_number() || answer["report"].is_object()).await;
    for (path, asked) in [
        ("/api/exact", json!({ "game": "pentago", "from": "xxxx../oooo../....../....../....../...... x" })),
        ("/api/trace", json!({ "game": "pylos", "agent": "minimax(eval=difference)" })),
    ] {
        let answer = tokio::time::timeout(Duration::from_secs(30), server.post(path, asked)).await;
        let (status, answer) = answer.unwrap_or_else(|_| panic!("{path} waits behind the searches"));
        assert_eq!(status, 200, "{answer}");
    }
}

#[tokio::test]
async fn a_search_that_runs_is_told_of_as_it_goes() {
    let server = TestServer::new().await;
    let mut socket = server.socket().await;
    let asked = |id: u64, agent: &str| json!({ "id": id, "do": "analyse", "game": "pentago", "moves": [], "agent": agent, "limit": { "time_ms": 3000 } });
    socket.say(asked(1, "alphabeta(eval=e3,depth=5)")).await;
    let line = socket.until(|answer| answer["report"]["now"].as_array().is_some_and(|now| !now.is_empty())).await;
    let report = &line["report"];
    assert!(report["depth"] == 0 && report["value"].is_null() && report["nodes"].as_u64() > Some(0), "{report}");
    let (status, _) = server.post("/api/position", json!({ "game": "pentago", "moves": report["now"] })).await;
    assert_eq!(status, 200, "the line can be played: {report}");
    socket.say(json!({ "id": 2, "do": "stop", "what": 1 })).await;
    socket.say(asked(3, "mcts")).await;
    let grown = socket.until(|answer| answer["report"]["tree"].as_array().is_some_and(|tree| !tree.is_empty())).await;
    let branch = &grown["report"]["tree"][0];
    assert!(
        branch["visits"].as_u64() > Some(0) && branch["value"].is_f64() && branch["children"].is_array(),
        "{branch}"
    );
    assert_eq!(branch["proven"], Value::Null);
    socket.say(json!({ "id": 4, "do": "stop", "what": 3 })).await;
    socket.say(asked(5, "pvs(eval=e3)")).await;
    let filled = socket.until(|answer| answer["report"]["fill"].is_number()).await;
    assert!(filled["report"]["fill"].as_f64().is_some_and(|fill| (0.0..=1.0).contains(&fill)), "{filled}");
}
