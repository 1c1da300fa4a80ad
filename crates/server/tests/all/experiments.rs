//! Experiments repeated from the page.

use serde_json::{Value, json};

use crate::client::TestServer;

/// Waits until an experiment of the list satisfies `wanted`.
async fn wait_for(server: &TestServer, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..3000 {
        let (status, list) = server.get("/api/experiments").await;
        assert_eq!(status, 200);
        let found = list["experiments"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap().clone();
        if wanted(&found) {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    }
    panic!("{id} does not reach the wanted state");
}

#[tokio::test]
async fn an_experiment_is_repeated_and_its_report_is_there() {
    let server = TestServer::new().await;
    let before = wait_for(&server, "twixt/live", |_| true).await;
    assert_eq!((&before["state"], &before["ready"], &before["progress"]), (&Value::Null, &json!(true), &Value::Null));
    let (status, begun) = server.post("/api/experiments", json!({ "id": "twixt/live" })).await;
    assert_eq!((status, &begun["name"]), (201, &before["name"]), "{begun}");
    let over = wait_for(&server, "twixt/live", |one| one["state"] == "over").await;
    assert_eq!(over["fault"], Value::Null);
    let (_, report) = server.get(&format!("/api/reports/{}", begun["name"].as_str().unwrap())).await;
    assert_eq!(report["source"], "run");
    let lines = report["report"]["lines"].as_array().unwrap();
    assert!(lines.len() == 16 && lines.iter().all(|line| line["verdict"] == "same direction"), "{report}");
    // A finished one is not started again, and one that is not running cannot be stopped.
    assert_eq!(server.post("/api/experiments", json!({ "id": "twixt/live" })).await.0, 409);
    assert_eq!(server.post("/api/experiments/twixt-live-1-quick/stop", json!({})).await.0, 409);
}

#[tokio::test]
async fn one_at_a_time_stopped_and_gone_on_with() {
    let server = TestServer::new().await;
    for (asked, says) in [("chess/castles", "chess/castles"), ("twixt/people", "nothing")] {
        let (status, refused) = server.post("/api/experiments", json!({ "id": asked })).await;
        assert!(status == 422 && refused["error"].as_str().unwrap().contains(says), "{asked}: {refused}");
    }
    let long = json!({ "id": "pentago-twist/eval-ladder" });
    let name = server.post("/api/experiments", long.clone()).await.1["name"].as_str().unwrap().to_owned();
    let (status, refused) = server.post("/api/experiments", json!({ "id": "twixt/live" })).await;
    assert!(status == 409 && refused["error"].as_str().unwrap().contains(&name), "{refused}");
    let id = "pentago-twist/eval-ladder";
    let done = |one: &Value| one["progress"][0].as_u64();
    wait_for(&server, id, |one| one["state"] == "running" && done(one) > Some(1)).await;
    assert_eq!(server.post(&format!("/api/experiments/{name}/stop"), json!({})).await.0, 200);
    let stopped = wait_for(&server, id, |one| one["state"] == "stopped").await;
    assert_eq!(stopped["progress"], Value::Null);
    assert_eq!(server.post("/api/experiments", long).await.0, 201);
    let again = wait_for(&server, id, |one| one["state"] == "running").await;
    assert!(done(&again) > Some(1), "played games are kept: {again}");
    server.post(&format!("/api/experiments/{name}/stop"), json!({})).await;
}
