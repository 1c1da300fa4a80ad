//! Many kinds of use at once for a long time: memory and latency stay as they are.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use quintet_chart::{Axis, Curve, Curves, Point, Spread};
use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::client::{Client, PATIENCE};
use crate::kills::Game;
use crate::malformed::Dice;
use crate::table::Outcome;
use crate::visitor::{Look, Seen, quantile};
use crate::{Result, Setup, Target};

/// How many points a curve has.
const POINTS: usize = 120;

/// Games between people and against levels, analyses, questions, imports and bad requests from eight clients at once, for ten seconds in the short form and an hour in the long one.
/// Held: every request is answered; in the long form memory and latency are flat: in the last quarter at most a quarter more than in the second, and 16 MiB or 20 ms.
/// Writes `mixed.csv`, `memory.svg` and `latency.svg`.
pub async fn load(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let end = Instant::now() + Duration::from_secs(target.setup.pick(10, 3600));
    let tasks: Vec<_> = (0..8)
        .flat_map(|number| {
            let client = Client::attacker(target.address, number);
            [
                tokio::spawn(people(client, end, number as u64)),
                tokio::spawn(against_level(client, end)),
                tokio::spawn(questions(client, end, number as u64)),
                tokio::spawn(analyses(client, end)),
            ]
        })
        .collect();
    let mut requests = 0;
    for done in join_all(tasks).await {
        let done = done?;
        requests += done.as_ref().copied().unwrap_or_default();
        outcome.must(done.map(drop));
    }
    outcome.notes.push(format!("{requests} requests, moves and analyses"));
    Ok(outcome)
}

/// Writes what the visitor saw as curves, and in the long form counts whether they are flat.
pub fn curves(outcome: &mut Outcome, seen: &Seen, setup: &Setup) -> Result<()> {
    let time = seen.looks.last().map_or(0.0, |look| look.at);
    write(&setup.out, &parts(seen, time))?;
    if setup.long {
        flat(outcome, seen, time);
    }
    Ok(())
}

/// A game between two people with a move every tenth of a second, and another one after it.
async fn people(client: Client, end: Instant, seed: u64) -> Result<u64> {
    let mut count = 0;
    while Instant::now() < end {
        let (mut game, mut socket) = (Game::new(&client, seed + count).await?, client.socket().await?);
        while Instant::now() < end && game.line.plies() < 200 && game.line.end().is_none() {
            if !game.play(&mut socket).await? {
                return Err("a move was not acknowledged".into());
            }
            count += 1;
            sleep(Duration::from_millis(100)).await;
        }
        client.delete(&game.room).await?;
    }
    Ok(count)
}

/// A room against a level, watched, again and again; agents move first, so that there is always one that thinks.
async fn against_level(client: Client, end: Instant) -> Result<u64> {
    let mut count = 0;
    while Instant::now() < end {
        let seats = [json!({ "who": "level", "level": 3 }), json!({ "who": "person" })];
        let room = client.room("pentago", seats).await?;
        let mut socket = client.socket().await?;
        socket.say(&json!({ "id": 1, "do": "watch", "room": room.name })).await?;
        let moved = socket.until(PATIENCE, |answer| answer["room"]["plies"].as_u64() >= Some(1)).await;
        moved.ok_or("an agent has not moved")?;
        client.delete(&room).await?;
        count += 1;
        sleep(Duration::from_secs(2)).await;
    }
    Ok(count)
}

/// Questions of all kinds, four a second, with some that are refused.
async fn questions(client: Client, end: Instant, seed: u64) -> Result<u64> {
    let (mut count, mut dice) = (0, Dice::new(seed));
    while Instant::now() < end {
        let place = json!({ "game": "pylos", "moves": ["1a1", "1b1"] });
        let reply = match dice.below(7) {
            0 => client.ask("GET", "/api/puzzles", "").await,
            1 => client.ask("POST", "/api/position", &place.to_string()).await,
            2 => client.ask("POST", "/api/picture", &place.to_string()).await,
            3 => client.ask("POST", "/api/exact", &place.to_string()).await,
            4 => {
                client
                    .ask("POST", "/api/import", &json!({ "text": "a2\n\n".repeat(100), "game": "twixt" }).to_string())
                    .await
            }
            5 => client.ask("GET", "/api/agents", "").await,
            _ => client.ask("POST", "/api/position", "{\"game\":[]}").await,
        };
        let told = reply.told();
        if !reply.answer()?.is_fair() {
            return Err(told.into());
        }
        count += 1;
        sleep(Duration::from_millis(250)).await;
    }
    Ok(count)
}

/// A short analysis every few seconds.
async fn analyses(client: Client, end: Instant) -> Result<u64> {
    let mut count = 0;
    while Instant::now() < end {
        let asked = json!({ "id": 1, "do": "analyse", "game": "twixt(size=12)", "moves": [], "agent": "mcts", "limit": { "visits": 300 } });
        client.socket().await?.analyse(&asked, PATIENCE).await?;
        count += 1;
        sleep(Duration::from_secs(3)).await;
    }
    Ok(count)
}

/// A part of the time: when, the latency (p50, p99) and the memory in MiB.
struct Part {
    minute: f64,
    latency: [f64; 2],
    memory: f64,
}

fn parts(seen: &Seen, time: f64) -> Vec<Part> {
    let width = time / POINTS as f64;
    let within = |part: usize| {
        let from = part as f64 * width;
        seen.looks.iter().filter(move |look| (from..from + width).contains(&look.at)).collect::<Vec<&Look>>()
    };
    (0..POINTS)
        .map(|part| (part, within(part)))
        .filter(|(_, looks)| !looks.is_empty())
        .map(|(part, looks)| {
            let latency = |share| quantile(looks.iter().map(|look| look.ms).collect(), share);
            let memory = looks.iter().map(|look| look.memory).max().unwrap_or_default() as f64 / 1024.0;
            Part { minute: part as f64 * width / 60.0, latency: [latency(0.5), latency(0.99)], memory }
        })
        .collect()
}

/// Compares the last quarter of the time with the second; in the first the caches fill.
fn flat(outcome: &mut Outcome, seen: &Seen, time: f64) {
    let quarter = time / 4.0;
    let of = |number: f64, what: fn(&Look) -> f64, share: f64| {
        let range = number * quarter..(number + 1.0) * quarter;
        quantile(seen.looks.iter().filter(|look| range.contains(&look.at)).map(what).collect(), share)
    };
    for (what, figure, share, slack) in [
        ("MiB of memory", (|look| look.memory as f64 / 1024.0) as fn(&Look) -> f64, 0.5, 16.0),
        ("ms of latency (p99)", |look| look.ms, 0.99, 20.0),
    ] {
        let (second, last) = (of(1.0, figure, share), of(3.0, figure, share));
        let told = format!("{second:.1} {what} in the second quarter, {last:.1} in the last");
        outcome.count(last <= 1.25 * second + slack, || told.clone());
        outcome.notes.push(told);
    }
}

/// Writes the curves as CSV and as pictures.
fn write(out: &Path, parts: &[Part]) -> Result<()> {
    let mut csv = String::from("minute,p50_ms,p99_ms,memory_mib\n");
    for part in parts {
        let [half, most] = part.latency;
        writeln!(csv, "{:.2},{half:.2},{most:.2},{:.1}", part.minute, part.memory)?;
    }
    std::fs::write(out.join("mixed.csv"), csv)?;
    let curve = |name: &str, colour: usize, figure: fn(&Part) -> f64| {
        let points = parts.iter().map(|part| Point { x: part.minute, y: figure(part), range: None }).collect();
        Curve { name: name.into(), colour, dashed: false, spread: Spread::Band, points }
    };
    let picture = |title: &str, unit: &str, curves: Vec<Curve>| Curves {
        title: title.into(),
        note: String::new(),
        x_name: "minutes".into(),
        y: Axis { name: unit.into(), log: false, range: None },
        curves,
        marks: Vec::new(),
    };
    let latency = vec![curve("p50", 0, |part| part.latency[0]), curve("p99", 1, |part| part.latency[1])];
    let memory = vec![curve("memory", 0, |part| part.memory)];
    std::fs::write(
        out.join("latency.svg"),
        picture("Latency of GET /api/games during mixed load", "ms", latency).svg(),
    )?;
    std::fs::write(out.join("memory.svg"), picture("The server's own memory during mixed load", "MiB", memory).svg())?;
    Ok(())
}
