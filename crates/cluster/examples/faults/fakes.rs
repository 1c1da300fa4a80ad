//! Clients that do not behave.

use std::time::Duration;

use async_nats::jetstream::{self, consumer::PullConsumer};
use futures_util::StreamExt;
use quintet_agent::Catalogue;
use quintet_arena::{Arbiter, Played};
use quintet_cluster::message::{Announcement, Answer, Outcome, Task, Unit, UnitGame, WorkerState, read, write};
use serde_json::json;

use crate::Result;
use crate::stage::{PASSWORD, USER};

/// As the server lets clients in.
fn options() -> async_nats::ConnectOptions {
    async_nats::ConnectOptions::with_user_and_password(USER.into(), PASSWORD.into())
}

/// Republishes every answer three times, some of them much later.
pub async fn repeat_answers(url: String) -> Result<()> {
    let client = options().retry_on_initial_connect().connect(&url).await?;
    let mut heard = client.subscribe("quintet.answer.>").await?;
    let mut kept: Vec<(async_nats::Message, u32)> = Vec::new();
    while let Some(message) = heard.next().await {
        // What it has published itself it hears too.
        if kept.iter().any(|(known, _)| known.payload == message.payload) {
            continue;
        }
        kept.push((message, 3));
        // The latest first, so that they come in another order.
        for (message, times) in kept.iter_mut().rev().filter(|(_, times)| *times > 0).take(3) {
            *times -= 1;
            client.publish(message.subject.clone(), message.payload.clone()).await?;
        }
    }
    Ok(())
}

/// A worker that takes units and answers with rubbish; how much of it.
pub async fn answer_rubbish(url: &str) -> Result<u32> {
    let client = options().connect(url).await?;
    let context = jetstream::new(client.clone());
    let announced = announced(&client).await?;
    let state = state("liar-1", &announced.build);
    client.publish("quintet.worker.liar-1", write(&state)?.into()).await?;
    let consumer = units(&context, &announced.run).await?;
    let mut told = 0;
    while told < 8 {
        client.publish("quintet.worker.liar-1", write(&state)?.into()).await?;
        let mut batch = consumer.batch().max_messages(1).expires(Duration::from_secs(2)).messages().await?;
        let Some(Ok(message)) = batch.next().await else { break };
        let unit: Unit = read(&message.payload)?;
        let subject = format!("quintet.answer.{}.{}", unit.run, unit.id());
        for payload in rubbish(&unit, told)? {
            context.publish(subject.clone(), payload.into()).await?.await?;
            told += 1;
        }
        message.ack().await?;
    }
    Ok(told)
}

/// A worker that plays every unit by the rules, but with other players than those of the plan, until the server is gone.
pub async fn cheat(url: String) -> Result<()> {
    let client = options().connect(&url).await?;
    let context = jetstream::new(client.clone());
    let announced = announced(&client).await?;
    let (Task::Games(mut plan), spec) = announced.read_task()? else { return Err("there is no plan".into()) };
    plan.players.iter_mut().for_each(|player| player.agent = "random".into());
    let consumer = units(&context, &announced.run).await?;
    loop {
        let mut batch = consumer.batch().max_messages(1).expires(Duration::from_secs(2)).messages().await?;
        let Some(Ok(message)) = batch.next().await else { continue };
        let unit: Unit = read(&message.payload)?;
        let mut arbiter = Arbiter::new(&plan, &spec, Catalogue::embedded());
        let play = |game: &UnitGame| {
            let fixture = plan.fixture(game.number).ok_or("no game of the plan")?;
            Ok(arbiter.play(&fixture, &game.opening)?)
        };
        let games: Result<Vec<Played>> = unit.games().iter().map(play).collect();
        let answer = answer(&unit, "cheat-1", 1, Outcome::Played(games?));
        let subject = format!("quintet.answer.{}.{}", unit.run, unit.id());
        context.publish(subject, write(&answer)?.into()).await?.await?;
        message.ack().await?;
    }
}

fn state(worker: &str, build: &str) -> WorkerState {
    WorkerState {
        worker: worker.into(),
        build: build.into(),
        threads: 1,
        tags: Vec::new(),
        playing: 0,
        games: 0,
        seconds: 1,
        refused: Vec::new(),
    }
}

/// A worker that takes unit after unit and can play none, until the coordinator bars it; how many units it failed.
pub async fn fail_all(url: &str) -> Result<u32> {
    let client = options().connect(url).await?;
    let context = jetstream::new(client.clone());
    let announced = announced(&client).await?;
    let mut runs = client.subscribe("quintet.run.*").await?;
    let name = format!("broken-{:08x}", std::time::UNIX_EPOCH.elapsed()?.subsec_nanos());
    let state = state(&name, &announced.build);
    let consumer = units(&context, &announced.run).await?;
    for failed in 0..200 {
        client.publish(format!("quintet.worker.{name}"), write(&state)?.into()).await?;
        let mut batch = consumer.batch().max_messages(1).expires(Duration::from_secs(2)).messages().await?;
        if let Some(Ok(message)) = batch.next().await {
            let unit: Unit = read(&message.payload)?;
            let delivery = message.info()?.stream_sequence;
            let answer = answer(&unit, &name, delivery, Outcome::Failed("it is broken".into()));
            let subject = format!("quintet.answer.{}.{}", unit.run, unit.id());
            context.publish(subject, write(&answer)?.into()).await?.await?;
            message.ack().await?;
        }
        while let Ok(Some(message)) = tokio::time::timeout(Duration::from_millis(50), runs.next()).await {
            if read::<Announcement>(&message.payload)?.barred.iter().any(|(barred, _)| *barred == name) {
                return Ok(failed + 1);
            }
        }
    }
    Err("a worker that fails every unit is not barred".into())
}

/// Says of a unit, in the names of three workers, that it cannot be played.
pub async fn fail(url: &str) -> Result<()> {
    let client = options().connect(url).await?;
    let context = jetstream::new(client.clone());
    let run = announced(&client).await?;
    let consumer = units(&context, &run.run).await?;
    let mut batch = consumer.batch().max_messages(1).expires(Duration::from_secs(20)).messages().await?;
    let message = batch.next().await.ok_or("there is no unit")??;
    let unit: Unit = read(&message.payload)?;
    let delivery = message.info()?.stream_sequence;
    for attempt in 0..3 {
        let outcome = Outcome::Failed("it is made to fail".into());
        let answer = answer(&unit, &format!("poor-{attempt}"), delivery + attempt, outcome);
        let subject = format!("quintet.answer.{}.{}", unit.run, unit.id());
        context.publish(subject, write(&answer)?.into()).await?.await?;
    }
    message.ack().await?;
    Ok(())
}

fn answer(unit: &Unit, worker: &str, delivery: u64, outcome: Outcome) -> Answer {
    Answer { run: unit.run.clone(), unit: unit.id(), worker: worker.into(), delivery, ms: 1, outcome }
}

/// Where the units of a run come from. After a loss it takes a moment until it is there again.
async fn units(context: &jetstream::Context, run: &str) -> Result<PullConsumer> {
    for _ in 0..100 {
        if let Ok(consumer) = context.get_consumer_from_stream(run, "quintet-work").await {
            return Ok(consumer);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Err("the run has no queue".into())
}

/// The run that is announced.
async fn announced(client: &async_nats::Client) -> Result<Announcement> {
    let mut runs = client.subscribe("quintet.run.*").await?;
    let message = tokio::time::timeout(Duration::from_secs(20), runs.next()).await?.ok_or("no run is announced")?;
    Ok(read(&message.payload)?)
}

/// Invalid answers, one kind after the other.
fn rubbish(unit: &Unit, turn: u32) -> Result<Vec<Vec<u8>>> {
    let answer = |outcome| answer(unit, "liar-1", 1, outcome);
    let game = |record: &str, seats: [usize; 2]| {
        let number = unit.games()[0].number;
        let played = json!({"number": number, "seats": seats, "result": "first", "reason": "no balls left", "plies": 3, "record": record,
            "cost": {"ms": [0.0, 0.0], "nodes": [0, 0], "overruns": 0, "worst_overrun_ms": 0.0}});
        serde_json::from_value(played).map(|played| vec![played; unit.games().len()])
    };
    Ok(match turn % 4 {
        0 => vec![b"\x00\xff{".to_vec(), b"{}".to_vec(), vec![b'['; 200_000]],
        1 => vec![write(&answer(Outcome::Played(Vec::new())))?],
        2 => vec![write(&answer(Outcome::Played(game("pylos; 1.1a1; first; no balls left; a, b; seed 1", [0, 1])?)))?],
        _ => vec![write(&answer(Outcome::Played(game("twixt; ; first; ; ; ", [7, 9])?)))?],
    })
}

/// Announces runs of another version and with other weights; what the workers say to that.
pub async fn announce_others(url: &str) -> Result<Vec<String>> {
    let client = options().connect(url).await?;
    let mut workers = client.subscribe("quintet.worker.*").await?;
    let run = announced(&client).await?;
    let (task, _) = run.read_task()?;
    let mut weights = run.players.clone();
    weights[0].weights = vec![("some".into(), "0123456789abcdef".into())];
    let others = [
        Announcement::new("9.9.9 another", &task, run.players.clone(), run.total, None),
        Announcement::new(&run.build, &task, weights, run.total, None),
    ];
    let mut said: Vec<Option<String>> = vec![None; others.len()];
    for _ in 0..20 {
        for other in &others {
            client.publish(format!("quintet.run.{}", other.run), write(other)?.into()).await?;
        }
        let until = tokio::time::Instant::now() + Duration::from_secs(1);
        while let Ok(Some(message)) = tokio::time::timeout_at(until, workers.next()).await {
            let Ok(worker) = read::<WorkerState>(&message.payload) else { continue };
            for (said, other) in said.iter_mut().zip(&others) {
                let refusal = worker.refused.iter().find(|(run, _)| *run == other.run);
                *said = said.take().or(refusal.map(|(_, why)| why.clone()));
            }
        }
        if let Some(all) = said.iter().cloned().collect() {
            return Ok(all);
        }
    }
    Err(format!("the workers did not refuse both: {said:?}").into())
}

/// Fills the stream of answers, for some seconds.
pub async fn fill(url: &str, seconds: u64) -> Result<u64> {
    let client = options().connect(url).await?;
    let context = jetstream::new(client.clone());
    let stream = context.get_stream("quintet-answers").await?;
    let other = "0".repeat(32);
    let mut stored = Vec::new();
    // Large messages first, then small ones into what is left.
    for size in [500_000, 50_000, 2_000] {
        loop {
            let subject = format!("quintet.answer.{other}.{}", stored.len());
            let Ok(kept) = context.publish(subject, vec![b'x'; size].into()).await?.await else { break };
            stored.push(kept.sequence);
        }
    }
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    // A purge with a filter would not give the room back: see `Queue::remove`.
    for message in &stored {
        // Whatever somebody else has removed is gone as well.
        let _ = stream.delete_message(*message).await;
    }
    Ok(stored.len() as u64)
}
