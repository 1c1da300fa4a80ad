//! Tournaments, training, reports, and people's results against agents.

use std::path::Path;

use quintet_arena::{Length, Plan, Store};
use serde_json::{Value, json};

use crate::client::TestServer;

/// Waits until the run satisfies `wanted`.
async fn wait_for(server: &TestServer, run: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..3000 {
        let (status, shown) = server.get(&format!("/api/tournaments/{run}")).await;
        if status == 200 && wanted(&shown) {
            return shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    }
    panic!("run {run} does not reach the wanted state");
}

#[tokio::test]
async fn a_tournament_is_played_and_every_cell_opens_its_games() {
    let server = TestServer::new().await;
    let plan = json!({
        "game": "pathwayz(rows=4,cols=4)", "players": ["random", { "name": "tree", "agent": "mcts(visits=100)" }, "level:1"],
        "games": 4, "openings": 1, "seed": 3,
    });
    let (status, begun) = server.post("/api/tournaments", plan).await;
    assert_eq!(status, 201, "{begun}");
    let shown = wait_for(&server, &begun["run"], |shown| shown["state"] == "over").await;
    assert_eq!((&shown["played"], &shown["planned"], &shown["kind"]), (&json!(12), &json!(12), &json!("tournament")));
    let results = &shown["results"];
    assert_eq!((results["players"].as_array().unwrap().len(), results["pairings"].as_array().unwrap().len()), (3, 3));
    let wdl = &results["pairings"][0]["wdl"];
    assert_eq!(wdl["wins"].as_u64().unwrap() + wdl["draws"].as_u64().unwrap() + wdl["losses"].as_u64().unwrap(), 4);
    assert!(wdl["interval"].is_array() && results["redundancy"].is_f64() && results["first_seat"]["score"].is_f64());
    let (_, games) = server.get(&format!("/api/tournaments/{}/games?between=0,1", begun["run"])).await;
    assert_eq!(games["games"].as_array().unwrap().len(), 4);
    for game in games["games"].as_array().unwrap() {
        let players = game["players"].as_array().unwrap();
        assert!(players.contains(&json!("tree")) && players.contains(&json!("random")), "{game}");
        assert!(game["record"].as_str().unwrap().starts_with("pathwayz(rows=4,cols=4)"));
    }
    let path = |query: &str| format!("/api/tournaments/{}/games{query}", begun["run"]);
    assert_eq!(server.get(&path("")).await.1["games"].as_array().unwrap().len(), 12);
    assert_eq!(server.get(&path("?from=10")).await.1["games"].as_array().unwrap().len(), 2);
    assert_eq!(server.get(&path("?between=0,9")).await.0, 422);
    // A finished run can be neither resumed nor stopped.
    for what in ["resume", "stop"] {
        assert_eq!(server.post(&format!("/api/tournaments/{}/{what}", begun["run"]), json!({})).await.0, 409, "{what}");
    }
    let (_, list) = server.get("/api/tournaments").await;
    assert_eq!((&list["tournaments"][0]["state"], &list["tournaments"][0]["fault"]), (&json!("over"), &Value::Null));
    // The same plan without a server gives the same games.
    let written: quintet_arena::TournamentFile = serde_json::from_value(json!({
        "game": "pathwayz(rows=4,cols=4)", "players": ["random", { "name": "tree", "agent": "mcts(visits=100)" }, "level:1"],
        "games": 4, "openings": 1, "seed": 3,
    }))
    .unwrap();
    let stop = quintet_game::Stop::never();
    let alone = quintet_arena::run(
        &written.plan().unwrap(),
        quintet_agent::Catalogue::embedded(),
        Vec::new(),
        1,
        &stop,
        &mut |_| Ok(()),
    );
    assert_eq!(alone.unwrap().summary()["pairings"], results["pairings"]);
}

#[tokio::test]
async fn one_at_a_time_stopped_and_resumed_after_a_restart() {
    let server = TestServer::new().await;
    let plan = |games: u64| json!({ "game": "pylos", "players": ["random", "mcts(visits=30)"], "games": games });
    let (_, begun) = server.post("/api/tournaments", plan(5000)).await;
    let run = begun["run"].clone();
    let (status, refused) = server.post("/api/tournaments", plan(2)).await;
    assert!(status == 409 && refused["error"].as_str().unwrap().contains("is at work"), "{refused}");
    wait_for(&server, &run, |shown| shown["played"].as_u64() > Some(3)).await;
    assert_eq!(server.post(&format!("/api/tournaments/{run}/stop"), json!({})).await.0, 200);
    let stopped = wait_for(&server, &run, |shown| shown["state"] == "stopped").await;
    assert!(stopped["ended"].is_null());
    assert_eq!(server.post(&format!("/api/tournaments/{run}/resume"), json!({})).await.0, 200);
    wait_for(&server, &run, |shown| shown["played"].as_u64() > stopped["played"].as_u64()).await;
    let before = server.get(&format!("/api/tournaments/{run}")).await.1;
    assert_eq!(before["state"], "running");
    // A server that ends while it plays: the run is still there, and can be resumed.
    let server = TestServer::at(server.kill().await).await;
    let after = server.get(&format!("/api/tournaments/{run}")).await.1;
    assert_eq!(after["state"], "stopped");
    assert!(after["played"].as_u64() >= before["played"].as_u64());
    // Threads of this process are not killed with their server: the last games of the run are still being played, and it has one owner.
    while server.post(&format!("/api/tournaments/{run}/resume"), json!({})).await.0 != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    wait_for(&server, &run, |shown| shown["played"].as_u64() > after["played"].as_u64()).await;
    server.post(&format!("/api/tournaments/{run}/stop"), json!({})).await;
}

#[tokio::test]
async fn a_sequential_test_shows_its_course() {
    let server = TestServer::new().await;
    let plan = json!({ "game": "pylos", "players": ["mcts(visits=60)", "random"], "sprt": [0.0, 100.0], "most": 400, "openings": 2 });
    let (_, begun) = server.post("/api/tournaments", plan).await;
    let shown = wait_for(&server, &begun["run"], |shown| shown["state"] == "over").await;
    let sprt = &shown["results"]["pairings"][0]["sprt"];
    let (llr, bounds) = (sprt["llr"].as_f64().unwrap(), &sprt["bounds"]);
    assert!(
        llr >= bounds[1].as_f64().unwrap() || llr <= bounds[0].as_f64().unwrap() || shown["played"] == 400,
        "{sprt}"
    );
    let curve = shown["results"]["llr_curve"].as_array().unwrap();
    let last = curve.last().unwrap();
    assert_eq!((last[0].as_u64(), last[1].as_f64()), (shown["played"].as_u64(), Some(llr)));
}

#[tokio::test]
async fn plans_that_make_no_sense_are_refused() {
    let server = TestServer::new().await;
    for (plan, says) in [
        (json!({ "game": "chess", "players": ["random", "mcts"] }), "chess"),
        (json!({ "game": "pylos", "players": ["random"] }), "at least two"),
        (json!({ "game": "pylos", "players": ["random", "random"] }), "two are called"),
        (json!({ "game": "pylos", "players": ["random", "nobody"] }), "nobody"),
        (json!({ "game": "pylos", "players": ["random", "ugi(cmd=\"true\")"] }), "outside engines"),
        (json!({ "game": "pylos", "players": ["random", "mcts"], "games": 2_000_000 }), "at most"),
        (json!({ "game": "pylos", "players": ["random", "mcts"], "games": 0 }), "at least 1"),
        (json!({ "game": "pylos", "players": ["random", "mcts"], "games": 2, "sprt": [0, 5] }), "one length"),
        (json!({ "game": "pylos", "players": ["random", "mcts"], "sprt": [5, 0] }), "the smaller first"),
        (json!({ "game": "pylos", "players": ["random", "mcts"], "time": "soon" }), "is not a time"),
    ] {
        let (status, refused) = server.post("/api/tournaments", plan.clone()).await;
        assert!(status == 422 && refused["error"].as_str().unwrap().contains(says), "{plan}: {status} {refused}");
    }
    for path in ["/api/tournaments/99", "/api/tournaments/x", "/api/tournaments/99/games"] {
        assert_eq!(server.get(path).await.0, 404, "{path}");
    }
    assert_eq!(server.post("/api/tournaments/99/resume", json!({})).await.0, 404);
    // A request through a proxy does not count as this machine's.
    let body = json!({ "game": "pylos", "players": ["random", "mcts"] }).to_string();
    let (status, _, answer) = server.ask("POST", "/api/tournaments", "X-Forwarded-For: 10.1.1.1\r\n", &body).await;
    assert!(status == 403 && answer.contains("only the machine"), "{status} {answer}");
    assert_eq!(server.get("/api/tournaments").await.1["tournaments"], json!([]));
}

/// A match of the command line is an ordinary run.
#[tokio::test]
async fn runs_of_the_command_line_are_listed() {
    let data = TestServer::folder();
    let mut store = Store::open(&data.join("games.sqlite")).unwrap();
    let plan = Plan::duel("pylos", ["random", "level:1"], Length::Games(2)).unwrap();
    let run = store.begin(&plan, "match").unwrap();
    let server = TestServer::at(data).await;
    let (_, list) = server.get("/api/tournaments").await;
    assert_eq!(
        (&list["tournaments"][0]["kind"], &list["tournaments"][0]["state"]),
        (&json!("match"), &json!("stopped"))
    );
    assert_eq!(server.post(&format!("/api/tournaments/{run}/resume"), json!({})).await.0, 200);
    assert_eq!(wait_for(&server, &json!(run), |shown| shown["state"] == "over").await["played"], 2);
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A data directory with a training run and a report in it, and a file beside them that must not be served.
pub fn data_with_runs() -> std::path::PathBuf {
    let data = TestServer::folder();
    let config = r#"{"recipe":"pathwayz:tdl52","kind":"tdl","with":{"games":100},"seed":1,"command":"quintet train pathwayz:tdl52","commit":""}"#;
    write(&data, "runs/train-1/config.json", config);
    let metrics = "{\"at\":50,\"values\":{\"win rate\":0.4,\"weight/ahead\":1.5}}\n{\"at\":100,\"values\":{\"win rate\":0.6,\"weight/ahead\":2.5}}\n";
    write(&data, "runs/train-1/metrics.jsonl", metrics);
    let weights = quintet_eval::Weights::linear("pathwayz-52", [("ahead", 1.5)]).to_text();
    write(&data, "runs/train-1/snapshots/000050.toml", &weights);
    write(&data, "runs/train-1/snapshots/000100.toml", "x = 1\n");
    write(&data, "runs/pylos-agents-1-quick/config.json", "{\"experiment\":\"pylos/agents\"}\n");
    write(&data, "runs/pylos-agents-1-quick/report.json", "{\"experiment\":\"pylos/agents\",\"lines\":[]}\n");
    write(&data, "runs/pylos-agents-1-quick/report.md", "# Pylos\n");
    write(&data, "runs/pylos-agents-1-quick/scores.svg", "<svg></svg>");
    write(&data, "secret.svg", "<svg>secret</svg>");
    write(&data, "runs/secret.svg", "<svg>secret</svg>");
    data
}

#[tokio::test]
async fn training_and_reports_are_shown_and_nothing_else_is() {
    let data = data_with_runs();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc", data.join("runs/out")).unwrap();
    let server = TestServer::at(data).await;
    let (_, list) = server.get("/api/training").await;
    assert_eq!(list["training"].as_array().unwrap().len(), 1, "{list}");
    let head = &list["training"][0];
    assert_eq!((&head["name"], &head["progress"]), (&json!("train-1"), &json!({ "done": 100, "total": 100 })));
    assert_eq!(head["snapshots"], json!(["000050.toml", "000100.toml"]));
    assert_eq!((&head["state"], &head["fault"]), (&json!("stopped"), &Value::Null));
    let (_, shown) = server.get("/api/training/train-1").await;
    assert_eq!(shown["metrics"][1]["values"]["win rate"], 0.6);
    for chart in shown["charts"].as_array().unwrap() {
        let path = format!("/api/training/train-1/{}", chart["file"].as_str().unwrap());
        let (status, head, svg) = server.ask("GET", &path, "", "").await;
        assert!(status == 200 && head.contains("image/svg+xml") && svg.contains("<svg"), "{path}: {status}");
    }
    let (_, reports) = server.get("/api/reports").await;
    let named = |name: &str| reports["reports"].as_array().unwrap().iter().find(|report| report["name"] == name);
    assert_eq!(named("pylos-agents-1-quick").unwrap()["files"], json!(["scores.svg"]));
    let shipped = named("pylos-agents").unwrap();
    assert_eq!(
        (&shipped["source"], &shipped["title"]),
        (&json!("shipped"), &json!("pylos/agents: Four agents against each other"))
    );
    assert!(shipped["verdict"].as_str().unwrap().contains("agree"));
    assert!(named("train-1").is_none() && named("out").is_none());
    let (_, report) = server.get("/api/reports/pylos-agents-1-quick").await;
    assert_eq!((&report["report"]["lines"], &report["markdown"]), (&json!([]), &json!("# Pylos\n")));
    let (_, shipped) = server.get("/api/reports/pylos-agents").await;
    assert!(shipped["report"].is_null() && shipped["markdown"].as_str().unwrap().starts_with('#'));
    assert_eq!(server.ask("GET", "/api/reports/pylos-agents/scores.svg", "", "").await.0, 200);
    for path in [
        "/api/reports/out",
        "/api/reports/out/passwd",
        "/api/reports/..%2f..",
        "/api/reports/../secret.svg",
        "/api/reports/%2e%2e/secret.svg",
        "/api/reports/..%2f/secret.svg",
        "/api/reports/pylos-agents-1-quick/..%2f..%2fsecret.svg",
        "/api/reports/pylos-agents-1-quick/..%2fsecret.svg",
        "/api/reports/pylos-agents-1-quick/config.json",
        "/api/reports/pylos-agents-1-quick/games.jsonl",
        "/api/reports/pylos-agents/..%2f..%2f..%2fCargo.toml",
        "/api/training/..%2ftrain-1",
        "/api/training/out",
        "/api/training/train-1/..%2fconfig.json",
        "/api/training/train-1/config.json",
        "/api/training/pylos-agents-1-quick",
        "/api/training/%2fetc",
        "/api/training/train-1/snapshots/000050.toml",
    ] {
        let (status, _, body) = server.ask("GET", path, "", "").await;
        assert!(
            (400..500).contains(&status) && !body.contains("secret<") && !body.contains("root:"),
            "{path}: {status} {body}"
        );
    }
}

#[tokio::test]
async fn results_of_people_against_agents_are_counted() {
    let server = TestServer::new().await;
    assert_eq!(server.get("/api/people").await.1["people"], json!([]));
    let mut socket = server.socket().await;
    for agent in ["random", "random", "level:2"] {
        let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": agent })).await;
        socket.say(json!({ "id": "r", "do": "resign", "room": room, "token": tokens[0] })).await;
        socket.until(|answer| answer["id"] == "r").await;
    }
    let (room, tokens) = server.room("pylos", json!({ "who": "person", "name": "level:2" })).await;
    socket.say(json!({ "id": "r", "do": "resign", "room": room, "token": tokens[1] })).await;
    socket.until(|answer| answer["id"] == "r").await;
    let (_, found) = server.get("/api/people?game=pylos").await;
    let rows = found["people"].as_array().unwrap();
    let row = |agent: &str| rows.iter().find(|row| row["agent"] == agent).unwrap();
    assert_eq!(
        (rows.len(), &row("random")["people"]["losses"], &row("level:2")["people"]["losses"]),
        (2, &json!(2), &json!(1))
    );
    assert_eq!(row("random")["names"], 1);
    assert!(row("random")["people"]["interval"].is_array());
    assert_eq!(server.get("/api/people?game=twixt").await.1["people"], json!([]));
    assert_eq!(server.get("/api/people?game=chess").await.0, 422);
}

/// Waits until the training run satisfies `wanted`.
async fn trained(server: &TestServer, name: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..3000 {
        let (status, shown) = server.get(&format!("/api/training/{}", name.as_str().unwrap())).await;
        if status == 200 && wanted(&shown) {
            return shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    }
    panic!("{name} does not reach the wanted state");
}

#[tokio::test]
async fn a_recipe_is_trained_stopped_and_resumed() {
    let server = TestServer::new().await;
    let (_, listed) = server.get("/api/recipes").await;
    let tdl52 =
        listed["recipes"].as_array().unwrap().iter().find(|recipe| recipe["recipe"] == "pathwayz:tdl52").unwrap();
    assert_eq!((&tdl52["game"], &tdl52["with"]["games"]), (&json!("pathwayz"), &json!(5000)));
    let (status, begun) = server.post("/api/training", json!({ "recipe": "pathwayz:tdl52", "seed": 3 })).await;
    assert_eq!((status, &begun["name"]), (201, &json!("train-pathwayz-tdl52-3")), "{begun}");
    let (status, refused) = server.post("/api/training", json!({ "recipe": "pathwayz:tdl53" })).await;
    assert!(status == 409 && refused["error"].as_str().unwrap().contains("is at work"), "{refused}");
    let path = |name: &Value, what: &str| format!("/api/training/{}/{what}", name.as_str().unwrap());
    assert_eq!(server.post(&path(&begun["name"], "stop"), json!({})).await.0, 200);
    trained(&server, &begun["name"], |shown| shown["state"] == "stopped").await;
    assert_eq!(server.post(&path(&begun["name"], "stop"), json!({})).await.0, 409);
    assert_eq!(server.post(&path(&begun["name"], "resume"), json!({})).await.0, 200);
    assert_eq!(server.post(&path(&begun["name"], "stop"), json!({})).await.0, 200);
    trained(&server, &begun["name"], |shown| shown["state"] == "stopped").await;
    // A small run to its end, with the same result as without a server.
    let small = json!({ "recipe": "pathwayz:dumb", "games": 10, "seed": 2 });
    let (_, begun) = server.post("/api/training", small).await;
    let shown = trained(&server, &begun["name"], |shown| shown["state"] == "over").await;
    assert_eq!((&shown["fault"], &shown["config"]["with"]["games"]), (&Value::Null, &json!(10)));
    assert_eq!(shown["config"]["command"], "quintet train pathwayz:dumb --games 10 --seed 2");
    assert!(shown["metrics"].as_array().is_some_and(|metrics| !metrics.is_empty()));
    let made = std::fs::read_to_string(server.data.join("runs/train-pathwayz-dumb-2-games=10/dumb.toml")).unwrap();
    let recipe = quintet_learn::Recipes::embedded().find("pathwayz:dumb").unwrap().clone().with("games", "10").unwrap();
    let mut alone = recipe.start(2, None).unwrap();
    let stop = quintet_game::Stop::never();
    let context = quintet_learn::TrainContext { agents: quintet_agent::Catalogue::embedded(), threads: 1, stop: &stop };
    while !alone.progress().finished() {
        alone.step(&context).unwrap();
    }
    let quintet_learn::Product::Weights(weights) = alone.product() else { panic!("weights are learned") };
    let made = quintet_eval::Weights::parse(&made).unwrap();
    assert_eq!(made.values, weights.values);
    // Its strength is measured as `quintet train` does it.
    assert!(made.made.strength.ends_with(" of 400 games against random"), "{}", made.made.strength);
    assert_eq!(server.post(&path(&begun["name"], "resume"), json!({})).await.0, 409);
}

#[tokio::test]
async fn training_that_makes_no_sense_is_refused() {
    let server = TestServer::at(data_with_runs()).await;
    for (asked, says) in [
        (json!({ "recipe": "pathwayz:nothing" }), "no recipe"),
        (json!({ "recipe": "../x" }), "no recipe"),
        (json!({ "recipe": "pathwayz:tdl52", "games": 0 }), "games"),
    ] {
        let (status, refused) = server.post("/api/training", asked.clone()).await;
        assert!(status == 422 && refused["error"].as_str().unwrap().contains(says), "{asked}: {status} {refused}");
    }
    for path in ["nobody/stop", "..%2fx/stop"] {
        assert_eq!(server.post(&format!("/api/training/{path}"), json!({})).await.0, 409, "{path}");
    }
    for path in [
        "nobody/resume",
        "..%2fx/resume",
        "pylos-agents-1-quick/resume",
        "train-1/snapshots/1.toml",
        "train-1/snapshots/..%2fx",
    ] {
        assert_eq!(server.post(&format!("/api/training/{path}"), json!({})).await.0, 404, "{path}");
    }
    let body = json!({ "recipe": "pathwayz:tdl52" }).to_string();
    let (status, _, answer) = server.ask("POST", "/api/training", "X-Forwarded-For: 10.1.1.1\r\n", &body).await;
    assert!(status == 403 && answer.contains("only the machine"), "{status} {answer}");
}

#[tokio::test]
async fn snapshots_become_weights_that_agents_can_name() {
    let server = TestServer::at(data_with_runs()).await;
    let (status, made) = server.post("/api/training/train-1/snapshots/000050.toml", json!({})).await;
    assert_eq!((status, &made["weights"]), (201, &json!("pathwayz:train-1-000050")), "{made}");
    let agent = made["agents"][0].as_str().unwrap();
    assert!(agent.contains("weights=pathwayz:train-1-000050") && !agent.contains('$'), "{agent}");
    let text = |name: &str| std::fs::read_to_string(server.data.join(name)).unwrap();
    assert_eq!(text("weights/pathwayz/train-1-000050.toml"), text("runs/train-1/snapshots/000050.toml"));
    // Other files are not taken for weights.
    assert_eq!(server.post("/api/training/train-1/snapshots/000100.toml", json!({})).await.0, 422);
}

#[tokio::test]
async fn the_maps_of_the_pylos_machine_have_every_cell() {
    let server = TestServer::new().await;
    let (status, maps) = server.get("/api/maps").await;
    assert_eq!(status, 200);
    for whose in ["own", "opponent"] {
        let map = maps[whose].as_object().unwrap();
        assert!(map.len() == 30 && map.values().all(Value::is_f64), "{whose}: {map:?}");
    }
    assert_ne!(maps["own"], maps["opponent"]);
}
