//! The queue alone: how many units a NATS server passes on, with workers that play nothing.
//!
//!     cargo run --release -p quintet-cluster --example queue -- URL [WORKERS] [SECONDS] [BYTES]
//!
//! Each worker has a connection of its own. It takes a unit, answers with a number of bytes (2,000 by default: a pair of games), waits until the answer is stored, and acknowledges.
//! A coordinator keeps five units per worker in the queue. Printed are units per second, and the time from publishing a unit to hearing its answer.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use futures_util::StreamExt;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Units in the queue for each worker: one in play, and four that wait.
const WINDOW: usize = 5;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let url = arguments.first().ok_or("URL [WORKERS] [SECONDS] [BYTES]")?.clone();
    let number = |at: usize, usual: usize| arguments.get(at).map_or(Ok(usual), |text| text.parse());
    let (workers, seconds, bytes) = (number(1, 1000)?, number(2, 20)?, number(3, 2000)?);
    tokio::runtime::Runtime::new()?.block_on(measure(url, workers, Duration::from_secs(seconds as u64), bytes))
}

/// A stream and its one consumer, like those of a run.
async fn lane(context: &Context, name: &str) -> Result<PullConsumer> {
    // What an earlier measurement has left.
    let _ = context.delete_stream(name).await;
    let config = Config {
        name: name.to_owned(),
        subjects: vec![format!("{name}.>")],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        max_bytes: 1 << 28,
        max_messages: 100_000,
        ..Config::default()
    };
    let stream = context.create_stream(config).await?;
    let consumer = pull::Config {
        durable_name: Some("all".into()),
        max_waiting: 1 << 16,
        max_ack_pending: 100_000,
        ..pull::Config::default()
    };
    Ok(stream.create_consumer(consumer).await?)
}

async fn worker(url: String, bytes: usize, stop: Arc<AtomicBool>) -> Result<()> {
    let context = jetstream::new(async_nats::connect(&url).await?);
    let units: PullConsumer = context.get_consumer_from_stream("all", "load-work").await?;
    while !stop.load(Ordering::Relaxed) {
        let mut batch = units.batch().max_messages(1).expires(Duration::from_secs(1)).messages().await?;
        while let Some(unit) = batch.next().await {
            let unit = unit?;
            let id = String::from_utf8_lossy(&unit.payload[..8]).into_owned();
            let answer = format!("{id}{}", "x".repeat(bytes));
            context.publish(format!("load-answer.{id}"), answer.into()).await?.await?;
            unit.ack().await?;
        }
    }
    Ok(())
}

async fn measure(url: String, workers: usize, time: Duration, bytes: usize) -> Result<()> {
    let client = async_nats::connect(&url).await?;
    let context = jetstream::context::ContextBuilder::new().backpressure_on_inflight(true).build(client);
    lane(&context, "load-work").await?;
    let answers = lane(&context, "load-answer").await?;
    let stop = Arc::new(AtomicBool::new(false));
    let hands: Vec<_> = (0..workers).map(|_| tokio::spawn(worker(url.clone(), bytes, Arc::clone(&stop)))).collect();
    let mut open: HashMap<String, Instant> = HashMap::new();
    let (mut next, mut times) = (0u64, Vec::new());
    let mut messages = answers.stream().max_messages_per_batch(1000).messages().await?;
    let mut began = Instant::now();
    let mut warm = false;
    while began.elapsed() < time || !warm {
        let mut sent = Vec::new();
        while open.len() < WINDOW * workers {
            let id = format!("{next:08}");
            // A unit as large as those of a pair of games.
            let unit = format!("{id}{}", "u".repeat(200));
            sent.push(context.publish(format!("load-work.{id}"), unit.into()).await?);
            open.insert(id, Instant::now());
            next += 1;
        }
        for sent in sent {
            sent.await?;
        }
        // What is there is taken before more is published.
        for _ in 0..64 {
            let Ok(Some(answer)) = tokio::time::timeout(Duration::from_millis(2), messages.next()).await else { break };
            let answer = answer?;
            if let Some(published) = open.remove(&*String::from_utf8_lossy(&answer.payload[..8])) {
                times.push(published.elapsed());
            }
            answer.ack().await?;
        }
        if !warm && times.len() > 2 * WINDOW * workers {
            (warm, began) = (true, Instant::now());
            times.clear();
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    for hand in hands {
        if let Err(why) = hand.await? {
            eprintln!("a worker has ended: {why}");
        }
    }
    times.sort();
    let at =
        |share: f64| times.get((share * times.len() as f64) as usize).copied().unwrap_or_default().as_secs_f64() * 1e3;
    println!(
        "{workers} workers: {:.0} units/s, from publishing to the answer {:.0} ms in the median and {:.0} ms at p99",
        times.len() as f64 / seconds,
        at(0.5),
        at(0.99)
    );
    for name in ["load-work", "load-answer"] {
        context.delete_stream(name).await?;
    }
    Ok(())
}
