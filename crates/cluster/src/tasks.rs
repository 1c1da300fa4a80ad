//! What goes on around a coordinator: tasks that take answers, hear of workers, look into the queue, and publish units.

use std::collections::HashSet;
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::Message as Delivered;
use futures_util::StreamExt;
use tokio::sync::mpsc::{Receiver, Sender};

use crate::message::{Unit, WorkerState, read};
use crate::queue::{Queue, SIGN};

/// How often the coordinator looks around.
pub(crate) const TICK: Duration = Duration::from_millis(100);
/// How often the queue is compared with what should be in it.
pub(crate) const AUDIT: Duration = Duration::from_secs(3);

/// What a coordinator hears of them.
pub(crate) enum Event {
    Answer(Box<Delivered>),
    Worker(WorkerState),
    /// The units that are in the queue, and the number of the last that was ever there.
    Waiting(HashSet<String>, u64),
    /// The server does not do what it should.
    Trouble(String),
}

/// Tells the coordinator of trouble, and waits a moment.
async fn trouble(events: &Sender<Event>, why: impl ToString) {
    let _ = events.send(Event::Trouble(why.to_string())).await;
    tokio::time::sleep(5 * TICK).await;
}

/// Takes answers from the queue, for ever.
pub(crate) async fn answers(queue: Queue, run: String, events: Sender<Event>) {
    loop {
        let taken = async {
            queue.prepare().await?;
            queue.answers(&run).await
        };
        let consumer = match taken.await {
            Ok(consumer) => consumer,
            Err(why) => {
                trouble(&events, why).await;
                continue;
            }
        };
        // A server that has lost its streams is silent, and so is an empty queue: both are prepared again after a while.
        let mut silent = false;
        while !silent && let Ok(mut batch) = consumer.batch().max_messages(256).expires(SIGN).messages().await {
            silent = true;
            while let Ok(Some(Ok(message))) = tokio::time::timeout(SIGN + SIGN, batch.next()).await {
                silent = false;
                if events.send(Event::Answer(Box::new(message))).await.is_err() {
                    return;
                }
            }
        }
        tokio::time::sleep(TICK).await;
    }
}

/// What workers say of themselves.
pub(crate) const WORKERS: &str = "quintet.worker.*";

/// Hears of workers, for ever.
pub(crate) async fn hear_workers(queue: Queue, mut listened: Subscriber, events: Sender<Event>) {
    loop {
        while let Some(message) = listened.next().await {
            if let Ok(worker) = read(&message.payload) {
                let _ = events.send(Event::Worker(worker)).await;
            }
        }
        match queue.listen(WORKERS).await {
            Ok(again) => listened = again,
            Err(why) => trouble(&events, why).await,
        }
    }
}

/// Looks into the queue, for ever.
pub(crate) async fn audits(queue: Queue, run: String, events: Sender<Event>) {
    loop {
        tokio::time::sleep(AUDIT).await;
        match queue.look(&run).await {
            Ok((waiting, last)) => {
                let _ = events.send(Event::Waiting(waiting, last)).await;
            }
            Err(why) => trouble(&events, why).await,
        }
    }
}

/// Publishes units, some at a time. Those that cannot be published now are found missing later.
pub(crate) async fn publish(queue: Queue, mut units: Receiver<Unit>, events: Sender<Event>) {
    let mut some = Vec::new();
    while units.recv_many(&mut some, 256).await > 0 {
        let published = futures_util::future::join_all(some.iter().map(|unit| queue.publish_unit(unit))).await;
        if let Some(Err(why)) = published.into_iter().find(Result::is_err) {
            trouble(&events, why).await;
        }
        some.clear();
    }
}
