//! The visitor: asks for the list of games again and again while an attack goes on, and looks at the memory of the server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::client::{Client, Reply};
use crate::server::own_memory;

/// Between two requests of the visitor: half of what the server allows an address.
const PAUSE: Duration = Duration::from_millis(50);

/// One look.
#[derive(Clone, Copy)]
pub struct Look {
    /// Seconds since the beginning.
    pub at: f64,
    /// Milliseconds until the answer was there.
    pub ms: f64,
    /// The server's own memory in KiB.
    pub memory: u64,
}

/// What the visitor has seen.
#[derive(Default)]
pub struct Seen {
    /// Every request that was answered.
    pub looks: Vec<Look>,
    /// Requests that were not answered with 200, and what came instead of the first.
    pub unanswered: u64,
    /// What came instead of an answer, the first time.
    pub instead: Option<String>,
}

impl Seen {
    /// The latency below which this share of the requests stays, in milliseconds.
    pub fn latency(&self, share: f64) -> f64 {
        quantile(self.looks.iter().map(|look| look.ms).collect(), share)
    }

    /// The most memory that was seen, in MiB.
    pub fn memory(&self) -> f64 {
        self.looks.iter().map(|look| look.memory).max().unwrap_or_default() as f64 / 1024.0
    }
}

/// The value below which this share of the numbers lies.
pub fn quantile(mut numbers: Vec<f64>, share: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let place = (share * numbers.len() as f64) as usize;
    numbers.get(place).or(numbers.last()).copied().unwrap_or(f64::NAN)
}

/// A visitor who looks until told to stop.
pub struct Visitor {
    stop: Arc<AtomicBool>,
    task: JoinHandle<Seen>,
}

impl Visitor {
    /// Begins to look.
    pub fn start(server: SocketAddr, process: u32) -> Visitor {
        let stop = Arc::new(AtomicBool::new(false));
        let task = tokio::spawn(look(Client::visitor(server), process, Arc::clone(&stop)));
        Visitor { stop, task }
    }

    /// Ends, and tells what was seen.
    pub async fn stop(self) -> Seen {
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.unwrap_or_default()
    }
}

async fn look(client: Client, process: u32, stop: Arc<AtomicBool>) -> Seen {
    let (begin, mut seen) = (Instant::now(), Seen::default());
    while !stop.load(Ordering::Relaxed) {
        let start = Instant::now();
        let reply = client.ask("GET", "/api/games", "").await;
        if matches!(&reply, Reply::Answer(answer) if answer.status == 200) {
            let ms = start.elapsed().as_secs_f64() * 1e3;
            let memory = own_memory(process).unwrap_or_default();
            seen.looks.push(Look { at: begin.elapsed().as_secs_f64(), ms, memory });
        } else {
            seen.unanswered += 1;
            seen.instead.get_or_insert_with(|| reply.told());
        }
        sleep(PAUSE.saturating_sub(start.elapsed())).await;
    }
    seen
}
