//! Searches that take the processor and the memory from others.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::client::{Answer, Client, PATIENCE};
use crate::server::{own_memory, peak_memory, processor_time};
use crate::table::Outcome;
use crate::{MEMORY, Result, Target};

/// An agent that thinks for hours if it is allowed to.
const ENDLESS: &str = "mcts(visits=1000000000000)";

/// What a visitor asks for between two moves.
fn short_analysis() -> Value {
    json!({ "id": "mine", "do": "analyse", "game": "pylos", "moves": [], "agent": "mcts(visits=200)", "limit": { "visits": 200 } })
}

/// Asks as the visitor for a short analysis; it must be answered with a result.
async fn visitor_is_served(target: &Target, outcome: &mut Outcome, when: &str) -> Result<()> {
    let begin = Instant::now();
    let mut socket = Client::visitor(target.address).socket().await?;
    let answer = socket.analyse(&short_analysis(), target.setup.pick(PATIENCE / 2, PATIENCE)).await;
    let served = answer.as_ref().is_ok_and(|answer| answer.get("done").is_some());
    outcome.count(served, || format!("the visitor's short analysis {when}: {answer:?}"));
    if served {
        outcome.notes.push(format!("the visitor's short analysis took {:.1} s {when}", begin.elapsed().as_secs_f64()));
    }
    Ok(())
}

/// Rooms of two agents that never finish a move, made at once and watched; then everybody leaves. Held: each room is made or refused with a reason, and a visitor's
/// short analysis is answered while they are watched and afterwards.
pub async fn rooms(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let attackers = target.setup.pick(2, 8);
    let agent = json!({ "who": "agent", "agent": ENDLESS });
    let body = json!({ "game": "twixt(size=24)", "seats": [agent, agent] }).to_string();
    let made = join_all((0..240).map(|number| {
        let (client, body) = (Client::attacker(target.address, number % attackers), &body);
        async move { client.ask("POST", "/api/rooms", body).await }
    }));
    let mut rooms = Vec::new();
    for reply in made.await {
        let told = reply.told();
        let answer = reply.answer().ok().filter(Answer::is_fair);
        outcome.count(answer.is_some(), || format!("a room: {told}"));
        rooms.extend(answer.and_then(|answer| answer.json()["room"].as_str().map(str::to_owned)));
    }
    let mut watching = Vec::new();
    for (number, rooms) in rooms.chunks(8).enumerate() {
        let mut socket = Client::attacker(target.address, number % attackers).socket().await?;
        for (id, room) in rooms.iter().enumerate() {
            socket.say(&json!({ "id": id, "do": "watch", "room": room })).await?;
        }
        watching.push(socket);
    }
    sleep(Duration::from_secs(1)).await;
    visitor_is_served(&target, &mut outcome, "while 240 rooms are watched").await?;
    drop(watching);
    visitor_is_served(&target, &mut outcome, "after everybody left").await?;
    Ok(outcome)
}

/// Two sockets with sixteen endless searches each; in the long form from one address, and then from eight with as many each. Held: a visitor's short analysis is
/// answered meanwhile, and again when the attackers are gone.
pub async fn searches(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for clients in target.setup.pick(vec![1], vec![1, 8]) {
        let mut sockets = Vec::new();
        for number in 0..2 * clients {
            let mut socket = Client::attacker(target.address, number % clients).socket().await?;
            for id in 0..16 {
                let limit = json!({ "visits": 1_000_000_000_000_u64 });
                let asked = json!({ "id": id, "do": "analyse", "game": "twixt(size=24)", "moves": [], "agent": ENDLESS, "limit": limit });
                socket.say(&asked).await?;
            }
            sockets.push(socket);
        }
        sleep(Duration::from_secs(1)).await;
        visitor_is_served(&target, &mut outcome, &format!("during {} searches of others", 32 * clients)).await?;
        drop(sockets);
        visitor_is_served(&target, &mut outcome, "after everybody left").await?;
    }
    Ok(outcome)
}

/// Rooms of two agents that are watched for a moment; then everybody leaves. Held: the server comes to rest: over a few seconds it takes less than a fifth of one core, of
/// which the visitor has a part.
pub async fn abandoned(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let agent = || json!({ "who": "agent", "agent": "mcts(time=1s)" });
    let mut sockets = Vec::new();
    for number in 0..target.setup.pick(10, 60) {
        let client = Client::attacker(target.address, number);
        let room = client.room("twixt(size=24)", [agent(), agent()]).await?;
        let mut socket = client.socket().await?;
        socket.say(&json!({ "id": 1, "do": "watch", "room": room.name })).await?;
        sockets.push(socket);
    }
    sleep(Duration::from_secs(2)).await;
    drop(sockets);
    // A search that has begun may end with its move.
    sleep(Duration::from_secs(target.setup.pick(3, 10))).await;
    let window = Duration::from_secs(target.setup.pick(3, 20));
    let before = processor_time(target.process).ok_or("the server is gone")?;
    sleep(window).await;
    let share = (processor_time(target.process).ok_or("the server is gone")? - before) / window.as_secs_f64();
    outcome.notes.push(format!("{:.1} % of a core after everybody left", 100.0 * share));
    outcome
        .count(share < 0.2, || format!("the server takes {:.0} % of a core for rooms without anybody", 100.0 * share));
    Ok(outcome)
}

/// The most memory of one search of a visitor in MiB, as docs/api.md has it.
const SEARCH: u64 = 72;

/// The largest board of each game, and an evaluation for it.
pub const BOARDS: [(&str, &str); 5] = [
    ("pathwayz", "pathwayz-9"),
    ("pylos", "difference"),
    ("twixt(size=24)", "distance"),
    ("pentago-twist", "pentago-35"),
    ("pentago", "pentago-35"),
];

/// Kinds of agents that remember much, with all the memory they may ask for.
fn greedy(eval: &str) -> Vec<String> {
    vec![
        "mcts(memory=65536)".into(),
        format!("puct(eval={eval},memory=65536)"),
        format!("pvs(eval={eval},table=65536)"),
        format!("ordered(eval={eval},memory=65536)"),
        format!("pai-mcts(eval={eval},width=1000)"),
        format!("exact(agent=puct(eval={eval},memory=65536),memory=65536)"),
    ]
}

/// Every agent of the catalogue, and kinds that ask for much memory, as analysis on the largest board of each game, several at once. Held: each is answered with a result or a
/// reason; the server's own memory stays below 512 MB, and grows by no more than half as much again as docs/api.md promises for that number of searches.
pub async fn agents(target: Target) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let visitor = Client::visitor(target.address);
    let mut asked = Vec::new();
    for (board, eval) in BOARDS {
        let listed = visitor.ask("GET", &format!("/api/agents?game={board}"), "").await.answer()?.json();
        let listed = listed.as_array().cloned().unwrap_or_default();
        let names = listed.iter().filter_map(|agent| agent["agent"].as_str().map(str::to_owned));
        // The short form has a few of each game.
        asked.extend(names.step_by(target.setup.pick(8, 1)).map(|agent| (board, agent)));
        if target.setup.long || board.starts_with("twixt") {
            asked.extend(greedy(eval).into_iter().map(|agent| (board, agent)));
        }
    }
    let limit = json!({ "time_ms": target.setup.pick(700, 10_000), "visits": 1_000_000_000_000_u64 });
    let (mut most, mut whose, mut refused) = (0, String::new(), 0);
    for few in asked.chunks(target.setup.pick(2, 4)) {
        let thought = join_all(few.iter().enumerate().map(|(number, (game, agent))| {
            let (client, limit) = (Client::attacker(target.address, number), &limit);
            async move {
                let asked =
                    json!({ "id": 1, "do": "analyse", "game": game, "moves": [], "agent": agent, "limit": limit });
                client.socket().await?.analyse(&asked, PATIENCE).await
            }
        }));
        let before = own_memory(target.process).unwrap_or_default();
        let (answers, memory) = peak_memory(target.process, thought).await;
        let grown = memory.saturating_sub(before) >> 10;
        outcome.count(grown <= few.len() as u64 * SEARCH * 3 / 2, || format!("{grown} MiB more with {few:?}"));
        if memory > most {
            (most, whose) = (memory, few.iter().map(|(_, agent)| agent.as_str()).collect::<Vec<_>>().join(", "));
        }
        for (answer, (game, agent)) in answers.into_iter().zip(few) {
            refused += u64::from(answer.as_ref().is_ok_and(|answer| answer.get("error").is_some()));
            outcome.count(answer.is_ok(), || format!("{agent} on {game}: {answer:?}"));
        }
    }
    let answered = asked.len() as u64 - refused;
    outcome.notes.push(format!("{answered} analyses, {refused} refused; {} MiB with {whose}", most >> 10));
    outcome.count(most as f64 / 1024.0 < MEMORY, || format!("{} MiB with {whose}", most >> 10));
    Ok(outcome)
}
