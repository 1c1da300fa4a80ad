//! Experiments repeated from the page.

use serde_json::{Value, json};

use crate::client::House;

/// An experiment of the list when it is as wanted.
async fn wait_for(house: &House, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..3000 {
        let (status, list) = house.get("/api/experiments").await;
        assert_eq!(status, 200);
        let found = list["experiments"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap().clone();
        if wanted(&found) {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    }
    panic!("{id} does not become what is wanted");
}

#[tokio::test]
async fn an_experiment_is_repeated_and_its_report_is_there() {
    let house = House::new().await;
    let before = wait_for(&house, "twixt/live", |_| true).await;
    assert_eq!((&before["state"], &before["ready"], &before["progress"]), (&Value::Null, &json!(true), &Value::Null));
    let (status, begun) = house.post("/api/experiments", json!({ "id": "twixt/live" })).await;
    assert_eq!((status, &begun["name"]), (201, &before["name"]), "{begun}");
    let over = wait_for(&house, "twixt/live", |one| one["state"] == "over").await;
    assert_eq!(over["fault"], Value::Null);
    let (_, report) = house.get(&format!("/api/reports/{}", begun["name"].as_str().unwrap())).await;
    assert_eq!(report["source"], "run");
    let lines = report["report"]["lines"].as_array().unwrap();
    assert!(lines.len() == 16 && lines.iter().all(|line| line["verdict"] == "agrees"), "{report}");
    // What is over is not begun again, and what is not at work not stopped.
    assert_eq!(house.post("/api/experiments", json!({ "id": "twixt/live" })).await.0, 409);
    assert_eq!(house.post("/api/experiments/twixt-live-1-quick/stop", json!({})).await.0, 409);
}

#[tokio::test]
async fn one_at_a_time_stopped_and_gone_on_with() {
    let house = House::new().await;
    for (asked, says) in [("chess/castles", "chess/castles"), ("twixt/zero", "waits for"), ("twixt/people", "nothing")]
    {
        let (status, refused) = house.post("/api/experiments", json!({ "id": asked })).await;
        assert!(status == 422 && refused["error"].as_str().unwrap().contains(says), "{asked}: {refused}");
    }
    let long = json!({ "id": "pentago-twist/eval-ladder" });
    let name = house.post("/api/experiments", long.clone()).await.1["name"].as_str().unwrap().to_owned();
    let (status, refused) = house.post("/api/experiments", json!({ "id": "twixt/live" })).await;
    assert!(status == 409 && refused["error"].as_str().unwrap().contains(&name), "{refused}");
    let id = "pentago-twist/eval-ladder";
    let done = |one: &Value| one["progress"][0].as_u64();
    wait_for(&house, id, |one| one["state"] == "running" && done(one) > Some(1)).await;
    assert_eq!(house.post(&format!("/api/experiments/{name}/stop"), json!({})).await.0, 200);
    let stopped = wait_for(&house, id, |one| one["state"] == "stopped").await;
    assert_eq!(stopped["progress"], Value::Null);
    assert_eq!(house.post("/api/experiments", long).await.0, 201);
    let again = wait_for(&house, id, |one| one["state"] == "running").await;
    assert!(done(&again) > Some(1), "what was played is kept: {again}");
    house.post(&format!("/api/experiments/{name}/stop"), json!({})).await;
}
