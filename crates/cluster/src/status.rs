//! What a cluster does at the moment.

use std::collections::BTreeMap;

use futures_util::StreamExt;

use crate::message::{Announcement, PlayerState, Training, WorkerState, read};
use crate::queue::{Queue, QueueError, SIGN, Server, public};
use crate::runtime;

/// Who is there, and what they do.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// The runs that are coordinated at the moment.
    pub runs: Vec<Announcement>,
    /// The workers that are there.
    pub workers: Vec<WorkerState>,
    /// The trainings of nets at the moment.
    pub trainings: Vec<Training>,
    /// Those who play for them.
    pub players: Vec<PlayerState>,
    /// Units in the queue, those in play among them.
    pub units: u64,
    /// Answers that wait for their coordinator.
    pub answers: u64,
}

/// Listens for some seconds, in which everybody says something.
///
/// ```no_run
/// use quintet_cluster::{Server, status};
/// let now = status(&Server { url: "nats://localhost:4222".into(), ..Server::default() }).unwrap();
/// println!("{} workers, {} runs", now.workers.len(), now.runs.len());
/// ```
///
/// # Errors
/// When the server cannot be reached.
pub fn status(server: &Server) -> Result<Status, QueueError> {
    let failed = |why: std::io::Error| QueueError::Connect { url: public(&server.url), why: why.to_string() };
    runtime().map_err(failed)?.block_on(async {
        let queue = Queue::connect(server, "quintet cluster status").await?;
        let (mut runs, mut workers) = (BTreeMap::new(), BTreeMap::new());
        let (mut trainings, mut players) = (BTreeMap::new(), BTreeMap::new());
        let mut heard_runs = queue.listen("quintet.run.*").await?;
        let mut heard_workers = queue.listen("quintet.worker.*").await?;
        let mut heard_trainings = queue.listen("quintet.zero.*").await?;
        let mut heard_players = queue.listen("quintet.player.*").await?;
        let listened = tokio::time::sleep(SIGN + SIGN / 4);
        tokio::pin!(listened);
        loop {
            tokio::select! {
                () = &mut listened => break,
                Some(message) = heard_runs.next() => {
                    if let Ok(run) = read::<Announcement>(&message.payload) {
                        runs.insert(run.run.clone(), run);
                    }
                }
                Some(message) = heard_workers.next() => {
                    if let Ok(worker) = read::<WorkerState>(&message.payload) {
                        workers.insert(worker.worker.clone(), worker);
                    }
                }
                Some(message) = heard_trainings.next() => {
                    if let Ok(training) = read::<Training>(&message.payload) {
                        trainings.insert(training.run.clone(), training);
                    }
                }
                Some(message) = heard_players.next() => {
                    if let Ok(player) = read::<PlayerState>(&message.payload) {
                        players.insert(player.player.clone(), player);
                    }
                }
            }
        }
        // Before the first run there are no streams.
        let [units, answers] = queue.lengths().await.unwrap_or_default();
        let (runs, workers) = (runs.into_values().collect(), workers.into_values().collect());
        let (trainings, players) = (trainings.into_values().collect(), players.into_values().collect());
        Ok(Status { runs, workers, trainings, players, units, answers })
    })
}
