//! Large requests: what a stranger may ask for at once.

use std::time::Duration;

use futures_util::future::join_all;
use quintet_game::{GameSpec, Rng, SeedableRng};
use serde_json::{Value, json};

use crate::client::{Client, Reply};
use crate::searches::BOARDS;
use crate::table::Outcome;
use crate::{Result, Target};

/// The longest body that the server takes.
pub const BODY: usize = 64 << 10;

/// The longest game that it takes, in plies.
const PLIES: usize = 1000;

/// The longest answer that any request may have.
const ANSWER: usize = 8 << 20;

/// Twenty imports at once, each 60 KB of ten thousand games; and twenty of as many games as an import may have. Held: each is answered or refused with a reason, in
/// at most 8 MiB.
pub async fn imports(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for games in [10_000, 500] {
        for _ in 0..target.setup.pick(1, 5) {
            let text = vec!["a2"; games].join("\n\n");
            let body = json!({ "text": text, "game": "twixt(size=24)" }).to_string();
            let asked = (0..20).map(|number| {
                let (client, body) = (Client::attacker(target.address, number), &body);
                async move { client.ask("POST", "/api/import", body).await }
            });
            for reply in join_all(asked).await {
                count(&mut outcome, &format!("an import of {games} games"), &reply);
            }
        }
    }
    Ok(outcome)
}

/// Counts a reply: it must be fair, and not too long.
fn count(outcome: &mut Outcome, what: &str, reply: &Reply) {
    let held = matches!(reply, Reply::Answer(answer) if answer.is_fair() && answer.body.len() <= ANSWER);
    outcome.count(held, || match reply {
        Reply::Answer(answer) if answer.body.len() > ANSWER => format!("{what}: an answer of more than {ANSWER} bytes"),
        _ => format!("{what}: {}", reply.told()),
    });
}

/// The largest allowed request to every route of `openapi.json`, from four clients at once: bodies of 64 KiB and addresses of 4 KiB, the longest games, the most work
/// that a request may ask for. One byte more is refused. Held: each is answered or refused with a reason, in at most 8 MiB.
pub async fn largest(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for (method, path, bodies) in routes(&target).await? {
        let (method, path) = (method.as_str(), path.as_str());
        let bodies = if bodies.is_empty() { vec![String::new()] } else { bodies };
        for body in &bodies {
            let asked = (0..target.setup.pick(2, 8)).map(|number| {
                let client = Client::attacker(target.address, number);
                async move { client.ask(method, path, body).await }
            });
            for reply in join_all(asked).await {
                count(&mut outcome, &format!("{method} {path}"), &reply);
            }
        }
        // The share of requests of each address fills again.
        tokio::time::sleep(Duration::from_millis(target.setup.pick(20, 300))).await;
    }
    Ok(outcome)
}

/// Every route with its largest addresses and bodies.
async fn routes(target: &Target) -> Result<Vec<(String, String, Vec<String>)>> {
    let mut routes = Vec::new();
    for route in described(target).await? {
        let long = "x".repeat(3800);
        let path = route.path.replace("{id}", &long).replace("{run}", "1").replace("{name}", &long);
        let path = path.replace("{file}", "y");
        let path = if route.query { format!("{path}?game=twixt(size=24)&x={}", "x".repeat(3900)) } else { path };
        let mut bodies = Vec::new();
        for example in &route.examples {
            bodies.extend(largest_bodies(&route.path, example));
        }
        if !bodies.is_empty() {
            let over = format!("{{\"x\":\"{}\"}}", "x".repeat(BODY));
            bodies.push(over);
        }
        routes.push((route.method, path, bodies));
    }
    Ok(routes)
}

/// A route as `openapi.json` describes it.
pub struct Route {
    /// The method in capitals.
    pub method: String,
    /// The path with its variables in braces.
    pub path: String,
    /// Whether it takes a query.
    pub query: bool,
    /// Bodies that it takes.
    pub examples: Vec<Value>,
}

/// The routes of the running server.
pub async fn described(target: &Target) -> Result<Vec<Route>> {
    let answer = Client::visitor(target.address).ask("GET", "/api/openapi.json", "").await.answer()?.json();
    let paths = answer["paths"].as_object().ok_or("openapi.json has no paths")?;
    let mut routes = Vec::new();
    for (path, methods) in paths {
        for (method, about) in methods.as_object().into_iter().flatten() {
            let parameters = about["parameters"].as_array().cloned().unwrap_or_default();
            let examples = about.pointer("/requestBody/content/application~1json/examples");
            let examples = examples.and_then(Value::as_object).into_iter().flatten();
            routes.push(Route {
                method: method.to_ascii_uppercase(),
                path: path.clone(),
                query: parameters.iter().any(|parameter| parameter["in"] == "query"),
                examples: examples.map(|(_, example)| example["value"].clone()).collect(),
            });
        }
    }
    Ok(routes)
}

/// The largest bodies that come from an example: its own texts and lists as large as they may be.
fn largest_bodies(path: &str, example: &Value) -> Vec<String> {
    let mut bodies = Vec::new();
    if example.get("game").is_some() {
        for (game, eval) in BOARDS {
            let mut grown = example.clone();
            grown["game"] = json!(game);
            grown["moves"] = json!(long_game(game));
            grown.as_object_mut().map(|object| object.remove("from"));
            if grown.get("eval").is_some() {
                grown["eval"] = json!(eval);
            }
            if grown.get("agent").is_some() {
                grown["agent"] = json!(format!("minimax(depth=9,eval={eval})"));
                grown["limit"] = json!({ "nodes": 200_000 });
            }
            bodies.push(grown.to_string());
        }
    }
    match path {
        "/api/import" => {
            bodies.push(json!({ "text": format!("twixt(size=24); {}", "1.a2 ".repeat(12_000)) }).to_string())
        }
        "/api/rooms/mine" => {
            let rooms = vec![json!({ "room": "x".repeat(64), "token": "y".repeat(64) }); 100];
            bodies.push(json!({ "rooms": rooms }).to_string());
        }
        "/api/rooms" => {
            let agent = format!("mcts(visits=1{})", "0".repeat(980));
            let seats = json!([{ "who": "person", "name": "n".repeat(40) }, { "who": "agent", "agent": agent }]);
            bodies.push(json!({ "game": "twixt(size=24)", "seats": seats }).to_string());
        }
        _ => {}
    }
    // The example itself, among spaces as far as a body goes.
    let text = example.to_string();
    bodies.push(format!("{}{text}", " ".repeat(BODY - text.len())));
    bodies
}

/// The moves of a long random game.
fn long_game(game: &str) -> Vec<String> {
    let mut rng = Rng::seed_from_u64(1);
    let mut longest = Vec::new();
    for _ in 0..5 {
        let Ok(spec) = GameSpec::parse(game) else { break };
        let mut line = spec.line();
        while line.end().is_none() && line.plies() < PLIES {
            let Some(mv) = line.random_move(&mut rng) else { break };
            if line.try_play(&mv).is_err() {
                break;
            }
        }
        // The last move is left out, so that there is something to search for.
        let mut moves = line.moves();
        moves.pop();
        if moves.len() > longest.len() {
            longest = moves;
        }
    }
    longest
}
