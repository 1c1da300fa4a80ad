//! Requests and messages that are wrong in every way there is.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use quintet_game::bits::mix;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, Reply};
use crate::requests::{Route, described};
use crate::table::Outcome;
use crate::{Result, Target};

/// How long a malformed request may wait for its answer: longer than the server waits for the rest of a request.
const SILENCE: Duration = Duration::from_secs(30);

/// How many malformed requests are on their way at once.
const TOGETHER: usize = 16;

/// Random numbers, the same in every run.
pub struct Dice(u64);

impl Dice {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Dice {
        Dice(mix(seed + 1))
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) % bound.max(1) as u64) as usize
    }

    /// One of these.
    fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }

    /// This many random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

/// A request that is wrong.
struct Wrong {
    bytes: Vec<u8>,
    /// Whether the bytes end in the middle of something, so that the client says that no more will come.
    ends: bool,
    /// What is wrong with it.
    what: &'static str,
    /// Whether it is a request at all; to anything else the bare status of the protocol is answer enough.
    http: bool,
    /// HEAD has answers without a body.
    bodiless: bool,
}

/// Malformed requests, a hundred to each route in the short form and ten thousand in the long one: random bytes, truncated JSON, wrong types, deep nesting, huge numbers, bytes that
/// are not UTF-8, wrong methods, odd headers. Held: each is refused with a reason in JSON, answered if it was right after all, or its connection is closed; never 5xx, never silence.
pub async fn requests(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let each = target.setup.pick(100, 10_000);
    let mut number = 0;
    for route in described(&target).await? {
        for first in (0..each).step_by(TOGETHER) {
            let few = (first..each.min(first + TOGETHER)).map(|place| {
                number += 1;
                let client = Client::of_crowd(target.address, number);
                let wrong = wrong(&route, &client, &mut Dice::new(number as u64), place);
                async move {
                    let reply = client.raw(&wrong.bytes, wrong.ends, SILENCE).await;
                    (wrong, reply)
                }
            });
            for (wrong, reply) in join_all(few.collect::<Vec<_>>()).await {
                outcome.count(held(&wrong, &reply), || format!("{}: {:.60}", wrong.what.trim_end(), reply.told()));
            }
        }
    }
    Ok(outcome)
}

/// Whether a reply is one that a malformed request may have.
fn held(wrong: &Wrong, reply: &Reply) -> bool {
    match reply {
        Reply::Closed => true,
        Reply::Silence => false,
        Reply::Answer(answer) => {
            let bare = (wrong.bodiless || !wrong.http) && answer.body.is_empty();
            answer.status < 500 && (answer.is_fair() || bare)
        }
    }
}

/// One malformed request to a route.
fn wrong(route: &Route, client: &Client, dice: &mut Dice, place: usize) -> Wrong {
    let path = route.path.replace("{id}", dice.of(&["x", "%00", "..%2f..", "%ff%fe", "a%20b"]));
    let path = path.replace("{run}", dice.of(&["-1", "x", "99999999999999999999", "1e9", "%00"]));
    let path = path
        .replace("{name}", dice.of(&["..%2f..%2fetc", "x", "%2e%2e", "%ff"]))
        .replace("{file}", dice.of(&["..%2fx", "x.svg", "%00"]));
    let method = route.method.as_str();
    let body = body(route, dice);
    let whole = |what, head: String, body: &[u8]| Wrong {
        bytes: [head.as_bytes(), body].concat(),
        ends: false,
        what,
        http: true,
        bodiless: false,
    };
    let head = |method: &str, path: &str, more: &str, length: usize| {
        client.head(method, path, length).replacen("\r\n\r\n", &format!("\r\n{more}\r\n"), 1)
    };
    match place % 10 {
        // Not HTTP.
        0 => {
            let length = 1 + dice.below(2000);
            Wrong { bytes: dice.bytes(length), ends: true, what: "random bytes", http: false, bodiless: false }
        }
        // A request that ends too early.
        1 => {
            let mut bytes = [head(method, &path, "", body.len()).as_bytes(), &body].concat();
            bytes.truncate(1 + dice.below(bytes.len() - 1));
            Wrong { bytes, ends: true, what: "a truncated request", http: false, bodiless: false }
        }
        // Another method.
        2 => {
            let method = dice.of(&["PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "DELETE", "POST", "GET", "BREW"]);
            // A GET or POST to its own route would be a request like any other.
            let method = if method == route.method { "PUT" } else { method };
            let mut wrong = whole("another method", head(method, &path, "", 0), b"");
            wrong.bodiless = method == "HEAD";
            wrong
        }
        // Odd headers.
        3 => {
            let odd = dice.of(&[
                "Content-Encoding: gzip\r\n",
                "Expect: 100-continue\r\n",
                "Transfer-Encoding: chunked\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\n",
                "Range: bytes=0-99999999999\r\n",
                "If-None-Match: \"\u{fffd}\"\r\n",
                "Authorization: Bearer \u{1}\r\n",
                "Origin: http://elsewhere.example\r\n",
                "Content-Length: 18446744073709551615\r\n",
                "Cookie: \t\t\r\n",
            ]);
            // Headers that contradict each other make it no request; and the server may wait for a body that it was promised.
            Wrong { ends: true, http: false, ..whole(odd, head(method, &path, odd, body.len()), &body) }
        }
        // Another type of content.
        4 => {
            let kind = dice.of(&[
                "text/plain",
                "application/xml",
                "multipart/form-data; boundary=x",
                "",
                "application/json; charset=utf-16",
            ]);
            let head = head(method, &path, "", body.len()).replace("application/json", kind);
            whole("another type of content", head, &body)
        }
        // A long or broken address.
        5 => {
            let path = match dice.below(3) {
                0 => format!("{path}?game={}", "%28".repeat(dice.below(2000))),
                1 => format!("{path}?game=%ff%fe&game=&from=-1&between=9,9,9"),
                _ => format!("{path}/{}", "x/".repeat(dice.below(100))),
            };
            whole("an odd address", head(method, &path, "", body.len()), &body)
        }
        // A body of the wrong kind.
        _ => whole("a body that is wrong", head(method, &path, "", body.len()), &body),
    }
}

/// Texts that are not specs, moves, positions or names.
const TEXTS: [&str; 8] = [
    "",
    "\u{0}",
    "((((((((",
    "twixt(size=99999999)",
    "mcts(visits=-1)",
    "=HYPERLINK(1)",
    "\u{202e}\u{1b}[2J",
    "pylos;pylos",
];

/// A body that is wrong, made from one that is right where there is one. It names no game that exists, so that even a right one starts nothing.
fn body(route: &Route, dice: &mut Dice) -> Vec<u8> {
    let examples = &route.examples;
    let mut value = if examples.is_empty() { json!({ "x": 1 }) } else { examples[dice.below(examples.len())].clone() };
    if let Some(object) = value.as_object_mut() {
        for name in ["recipe", "id"] {
            object.entry(name).and_modify(|value| *value = json!("nothing"));
        }
        if route.path.ends_with("tournaments") || route.path.ends_with("rooms") {
            object.insert("game".into(), json!("nothing"));
        }
    }
    spoilt(value, dice)
}

/// JSON made wrong in one of many ways.
fn spoilt(mut value: Value, dice: &mut Dice) -> Vec<u8> {
    let text = value.to_string();
    match dice.below(8) {
        0 => text.as_bytes()[..dice.below(text.len())].to_vec(),
        1 => {
            let depth = 1 + dice.below(20_000);
            format!("{}1{}", "[".repeat(depth), "]".repeat(depth)).into_bytes()
        }
        2 => text.replace(':', &format!(":1{}", "0".repeat(dice.below(500)))).into_bytes(),
        3 => {
            let mut bytes = text.into_bytes();
            let at = dice.below(bytes.len());
            bytes.splice(at..at, [0xff, 0xfe, 0xc3, 0x28]);
            bytes
        }
        4 => {
            let length = dice.below(3000);
            dice.bytes(length)
        }
        // Every value in turn becomes one of another type.
        _ => {
            if let Some(object) = value.as_object_mut() {
                let place = dice.below(object.len());
                let other = match dice.below(8) {
                    0 => json!(null),
                    1 => json!(-1),
                    2 => json!(1e308),
                    3 => json!([[[]]]),
                    4 => json!({ "": {} }),
                    5 => json!(vec!["x"; dice.below(3000)]),
                    6 => json!("x".repeat(dice.below(10_000))),
                    _ => json!(dice.of(&TEXTS)),
                };
                if let Some((_, value)) = object.iter_mut().nth(place) {
                    *value = other;
                }
            }
            value.to_string().into_bytes()
        }
    }
}

/// What a socket takes, to be made wrong.
fn right_messages() -> Vec<Value> {
    vec![
        json!({ "id": 1, "do": "analyse", "game": "nothing", "moves": [], "agent": "random", "limit": { "nodes": 1 } }),
        json!({ "id": 1, "do": "review", "game": "nothing", "moves": ["x"] }),
        json!({ "id": 1, "do": "stop", "what": 7 }),
        json!({ "id": 1, "do": "watch", "room": "x", "token": "y" }),
        json!({ "id": 1, "do": "move", "room": "x", "token": "y", "ply": 0, "move": "z" }),
        json!({ "id": 1, "do": "undo", "room": "x", "token": "y", "other": "z" }),
        json!({ "id": 1, "do": "hurry", "room": "x", "token": "y" }),
        json!({ "id": 1, "do": "resign", "room": "x", "token": "y" }),
    ]
}

/// Malformed messages on sockets, a hundred of each kind in the short form and ten thousand in the long one. Held: each is answered with an error, or the socket is closed; never
/// silence.
pub async fn messages(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let each = target.setup.pick(100, 10_000);
    for (kind, right) in right_messages().into_iter().enumerate() {
        let mut socket = None;
        for place in 0..each {
            let number = kind * each + place;
            let mut dice = Dice::new(number as u64);
            let client = Client::of_crowd(target.address, number / 20);
            let mut open = match socket.take() {
                Some(open) => open,
                None => client.socket().await?,
            };
            let bytes = spoilt(right.clone(), &mut dice);
            let message = match String::from_utf8(bytes) {
                Ok(text) => Message::text(text),
                Err(error) => Message::binary(error.into_bytes()),
            };
            let shown = format!("{:.160}", format!("{message:?}"));
            if open.0.send(message).await.is_err() {
                outcome.count(true, String::new);
                continue;
            }
            match timeout(SILENCE, open.0.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => {
                    let answer: Value = serde_json::from_str(&text).unwrap_or_default();
                    outcome.count(answer.is_object(), || format!("{shown}: {text}"));
                    socket = Some(open);
                }
                Ok(_) => outcome.count(true, String::new),
                Err(_) => outcome.count(false, || format!("{shown}: no answer in time")),
            }
        }
    }
    Ok(outcome)
}
