//! `openapi.json` against the server: the same routes, and answers as it describes them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::background::data_with_runs;
use crate::client::TestServer;

fn document() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).unwrap()
}

#[test]
fn the_routes_are_those_of_the_router() {
    let document = document();
    let operations = document["paths"].as_object().unwrap().iter();
    let described: BTreeSet<(String, String)> = operations
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(move |method| (method.clone(), path.clone()))
        })
        .collect();
    let served = quintet_server::endpoints().into_iter().map(|(method, path)| (method.to_owned(), path)).collect();
    assert_eq!(described, served);
}

/// What a value has that its schema does not allow, or lacks. Covers the parts of JSON Schema that the document uses.
fn complaint(document: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.strip_prefix('#').unwrap());
        return complaint(document, target.unwrap_or_else(|| panic!("{reference} leads nowhere")), value, at);
    }
    let all = schema["allOf"].as_array().into_iter().flatten();
    if let Some(found) = all.clone().find_map(|part| complaint(document, part, value, at)) {
        return Some(found);
    }
    if let Some(kinds) = schema["oneOf"].as_array()
        && kinds.iter().filter(|kind| complaint(document, kind, value, at).is_none()).count() != 1
    {
        return Some(format!("{at}: {value} does not match exactly one of the kinds"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allows = |wanted: &Value| wanted == kind || (wanted == "number" && kind == "integer");
    let fits = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(allows),
        wanted => allows(wanted),
    };
    if !fits {
        return Some(format!("{at}: {value} is not a {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value))
        || schema.get("const").is_some_and(|known| known != value)
    {
        return Some(format!("{at}: {value} is not allowed"));
    }
    let items = value.as_array().into_iter().flatten().enumerate();
    let mut inside = items.filter(|_| schema.get("items").is_some());
    if let Some(found) = inside.find_map(|(i, item)| complaint(document, &schema["items"], item, &format!("{at}[{i}]")))
    {
        return Some(found);
    }
    let empty = Map::new();
    let fields = value.as_object().unwrap_or(&empty);
    let mut required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.find(|name| value.is_object() && !fields.contains_key(*name)) {
        return Some(format!("{at}: {missing} is missing"));
    }
    let known = schema["properties"].as_object().unwrap_or(&empty);
    known
        .iter()
        .filter_map(|(name, schema)| Some((name, schema, fields.get(name)?)))
        .find_map(|(name, schema, field)| complaint(document, schema, field, &format!("{at}.{name}")))
}

#[test]
fn the_checker_can_complain() {
    let document = document();
    let state = &document["components"]["schemas"]["Wdl"];
    let good = json!({ "wins": 1, "draws": 0, "losses": 0, "score": 1.0, "interval": [0.2, 1] });
    assert_eq!(complaint(&document, state, &good, ""), None);
    for (key, bad) in [("wins", json!("x")), ("score", json!([])), ("interval", json!([null]))] {
        let mut value = good.clone();
        value[key] = bad;
        assert!(complaint(&document, state, &value, "").is_some(), "{value}");
    }
    assert!(complaint(&document, state, &json!({ "wins": 1 }), "").unwrap().contains("missing"));
    let seat = json!({ "$ref": "#/components/schemas/Seat" });
    assert!(complaint(&document, &seat, &json!({ "who": "ghost" }), "").is_some());
    assert_eq!(complaint(&document, &seat, &json!({ "who": "level", "level": 4 }), ""), None);
}

/// Values for the parameters of the paths: things that exist at the time.
struct Things {
    room: String,
    token: String,
    owner: String,
    run: String,
    training: String,
    experiment: String,
}

impl Things {
    fn fill(&self, path: &str) -> String {
        let named = match path {
            path if path.contains("experiments") => [&self.experiment, ""],
            path if path.contains("snapshots") => ["train-1", "000050.toml"],
            path if path.ends_with("/stop") || path.ends_with("/resume") => [&self.training, ""],
            path if path.contains("training") => ["train-1", "win-rate.svg"],
            _ => ["pylos-agents-1-quick", "scores.svg"],
        };
        let filled = path.replace("{id}", &self.room).replace("{run}", &self.run);
        filled.replace("{name}", named[0]).replace("{file}", named[1])
    }
}

/// Path with the examples of its query.
fn with_query(path: &str, operation: &Value) -> String {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let query = parameters.filter(|parameter| parameter["in"] == "query" && parameter.get("example").is_some());
    let pairs: Vec<String> = query
        .map(|parameter| format!("{}={}", parameter["name"].as_str().unwrap(), parameter["example"].as_str().unwrap()))
        .collect();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

/// The success status that an operation promises, with its content.
fn promised(operation: &Value) -> (u16, &str, &Value) {
    let responses = operation["responses"].as_object().unwrap();
    let (status, response) = responses.iter().find(|(status, _)| status.starts_with('2')).unwrap();
    let (kind, content) = response["content"].as_object().unwrap().iter().next().unwrap();
    (status.parse().unwrap(), kind, &content["schema"])
}

#[tokio::test]
async fn every_example_is_answered_as_described() {
    let document = document();
    let server = TestServer::at(data_with_runs()).await;
    let (room, tokens) = server.room("pylos", json!({ "who": "agent", "agent": "random" })).await;
    let endless = json!({ "game": "pylos", "players": ["random", "mcts(visits=10)"], "games": 100_000 });
    let run = server.post("/api/tournaments", endless).await.1["run"].to_string();
    let long = json!({ "recipe": "pathwayz:tdl52", "seed": 1 });
    let training = server.post("/api/training", long).await.1["name"].as_str().unwrap().to_owned();
    let slow = json!({ "id": "pentago-twist/eval-ladder" });
    let experiment = server.post("/api/experiments", slow).await.1["name"].as_str().unwrap().to_owned();
    let things = Things { room, token: tokens[0].clone(), owner: tokens[2].clone(), run, training, experiment };
    // In an order in which each finds what it needs: a run is stopped before it is resumed, then another one starts; rooms come last.
    let mut operations: Vec<(u8, &str, &str, &Value)> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let place = match (method.as_str(), path.as_str()) {
                (_, path) if path.ends_with("/stop") => 1,
                (_, path) if path.ends_with("/resume") => 2,
                ("post", "/api/tournaments" | "/api/training" | "/api/experiments") => 3,
                ("delete", _) => 4,
                _ => 0,
            };
            operations.push((place, method, path, operation));
        }
    }
    operations.sort_by_key(|(place, method, path, _)| (*place, *path, *method));
    for (place, method, path, operation) in operations {
        let (status, kind, schema) = promised(operation);
        if place >= 2 {
            idle(&server, &things, path, place).await;
        }
        let content = &operation["requestBody"]["content"]["application/json"];
        let examples = content["examples"].as_object();
        let bodies: Vec<Value> = match examples {
            Some(examples) => examples.values().map(|example| example["value"].clone()).collect(),
            None => vec![Value::Null],
        };
        let asked = with_query(&things.fill(path), operation);
        for body in bodies {
            if !body.is_null() {
                assert_eq!(complaint(&document, &content["schema"], &body, "body"), None, "{method} {path}");
            }
            let text = if body.is_null() { String::new() } else { body.to_string().replace("TOKEN", &things.token) };
            let bearer = format!("Authorization: Bearer {}\r\n", things.owner);
            let (got, head, answer) = server.ask(&method.to_uppercase(), &asked, &bearer, &text).await;
            assert_eq!(got, status, "{method} {asked} {body}: {answer}");
            assert!(head.contains(&format!("content-type: {kind}")), "{method} {asked}: {head}");
            let value = if kind == "application/json" { serde_json::from_str(&answer).unwrap() } else { json!(answer) };
            assert_eq!(complaint(&document, schema, &value, "answer"), None, "{method} {asked}");
        }
    }
}

/// Stops the long run that a path is about, if it was resumed, and waits until nothing of that kind is running.
async fn idle(server: &TestServer, things: &Things, path: &str, place: u8) {
    let [kind, run] = match path {
        path if path.contains("training") => ["training", things.training.as_str()],
        path if path.contains("experiments") => ["experiments", &things.experiment],
        _ => ["tournaments", &things.run],
    };
    if place >= 3 {
        server.post(&format!("/api/{kind}/{run}/stop"), json!({})).await;
    }
    for _ in 0..3000 {
        let (_, list) = server.get(&format!("/api/{kind}")).await;
        if list[kind].as_array().unwrap().iter().all(|head| head["state"] != "running" && head["state"] != "stopping") {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    }
    panic!("run {run} does not stop");
}
