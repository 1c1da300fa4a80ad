//! Work for clients: a few jobs at once, the others in queues, one queue per client. Whoever has had the least time lately is served first.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quintet_api::{ApiError, ErrorKind};
use quintet_arena::panic_text;
use quintet_game::Stop;
use tokio::sync::{oneshot, watch};

use crate::client::Client;
use crate::usage::{Counts, Usage};

/// How much a pool does at once, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Threads.
    pub workers: usize,
    /// The most jobs of one address that wait.
    pub of_address: usize,
    /// The most jobs that wait.
    pub in_all: usize,
    /// A job that has run for this long gives way to waiting jobs of other clients.
    pub slice: Duration,
}

/// What becomes of a job that has returned.
pub enum Next {
    /// It is over.
    Over,
    /// It goes on when its client's turn comes again.
    Again,
}

/// A job; it checks the signals from time to time.
type Work = Box<dyn FnMut(&Signals) -> Next + Send>;

/// The signals to a running job.
#[derive(Clone)]
pub struct Signals {
    /// End with the result so far.
    pub stop: Stop,
    left: Arc<AtomicBool>,
    give_way: Arc<AtomicBool>,
}

impl Signals {
    fn new() -> Signals {
        Signals { stop: Stop::new(), left: Arc::default(), give_way: Arc::default() }
    }

    /// Whether the client has gone.
    pub fn left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Whether a job of several steps should return, so that others get their turn.
    pub fn give_way(&self) -> bool {
        self.give_way.load(Ordering::Relaxed)
    }
}

struct Job {
    number: u64,
    client: Client,
    signals: Signals,
    /// How long it may run.
    longest: Duration,
    /// Whether it returns by itself when it should give way; otherwise it is stopped.
    steps: bool,
    place: Arc<PlaceSignal>,
    work: Work,
}

/// What a job is told about its place in the queue, from 1; 0 when it runs. Places are computed apart from the queue's lock, so one may come
/// when the job runs already: it is not told then.
struct PlaceSignal {
    place: watch::Sender<usize>,
    runs: AtomicBool,
}

impl PlaceSignal {
    fn tell(&self, place: usize) {
        // The flag changes under the lock of the place.
        let waits = || !self.runs.load(Ordering::Relaxed);
        self.place.send_if_modified(|told| waits() && std::mem::replace(told, place) != place);
    }

    fn tell_start(&self) {
        self.place.send_modify(|told| {
            self.runs.store(true, Ordering::Relaxed);
            *told = 0;
        });
    }
}

struct Running {
    number: u64,
    client: Client,
    signals: Signals,
    begun: Instant,
    longest: Duration,
    steps: bool,
    asked_to_give_way: bool,
    told_to_end: bool,
}

impl Running {
    fn counts(running: &[Running]) -> Counts {
        let mut counts = Counts::default();
        for job in running {
            *counts.0.entry(job.client.address).or_default() += 1;
            *counts.1.entry(job.client).or_default() += 1;
        }
        counts
    }
}

/// A waiting job, as far as its place matters.
struct QueuedJob {
    number: u64,
    client: Client,
    told: Arc<PlaceSignal>,
}

/// Places that are told; whoever is further back is told this number until it changes.
const LAST_PLACE: usize = 100;

/// Places are told no more often than this.
const BETWEEN_PLACES: Duration = Duration::from_millis(100);

#[derive(Default)]
struct Queue {
    /// Whether places may have changed since they were told.
    moved: bool,
    waiting: Vec<Job>,
    running: Vec<Running>,
    usage: Usage,
    next: u64,
    closed: bool,
}

impl Queue {
    /// Takes the job whose turn it is.
    fn take(&mut self) -> Option<Job> {
        let running = Running::counts(&self.running);
        let now = Instant::now();
        let order = |job: &Job| self.usage.order(&running, job.client, job.number, now);
        let first = (0..self.waiting.len()).min_by_key(|&at| order(&self.waiting[at]))?;
        let job = self.waiting.remove(first);
        self.moved = true;
        self.running.push(Running {
            number: job.number,
            client: job.client,
            signals: job.signals.clone(),
            begun: now,
            longest: job.longest,
            steps: job.steps,
            asked_to_give_way: false,
            told_to_end: false,
        });
        job.signals.give_way.store(false, Ordering::Relaxed);
        job.place.tell_start();
        Some(job)
    }

    /// What is needed to tell waiting jobs their places, if they may have changed and somebody listens.
    fn places(&mut self) -> Option<(Vec<QueuedJob>, Usage, Counts)> {
        if !std::mem::take(&mut self.moved) {
            return None;
        }
        let listened = self.waiting.iter().any(|job| job.place.place.receiver_count() > 0);
        listened.then(|| {
            let place = |job: &Job| QueuedJob { number: job.number, client: job.client, told: Arc::clone(&job.place) };
            (self.waiting.iter().map(place).collect(), self.usage.clone(), Running::counts(&self.running))
        })
    }

    /// Ends what has run too long, also in view of those who wait. Returns when to look again.
    fn keep_time(&mut self, slice: Duration, now: Instant) -> Option<Instant> {
        let mut next: Option<Instant> = None;
        let mut look = |at: Instant| next = Some(next.map_or(at, |next| next.min(at)));
        let ending = self.running.iter().filter(|job| job.told_to_end || job.asked_to_give_way).count();
        let mut wanted = self.waiting.len().saturating_sub(ending);
        for job in &mut self.running {
            // A job of several steps is first asked to give way; if its step goes on for another slice, it is stopped as others are.
            let turn = if job.asked_to_give_way { slice * 2 } else { slice };
            let (turn_over, end) = (job.begun + turn, job.begun + job.longest);
            let others = self.waiting.iter().any(|waiting| waiting.client != job.client);
            if job.told_to_end {
                continue;
            }
            if now >= end || (others && (wanted > 0 || job.asked_to_give_way) && now >= turn_over) {
                wanted = wanted.saturating_sub(usize::from(!job.asked_to_give_way));
                if now < end && job.steps && !job.asked_to_give_way {
                    job.asked_to_give_way = true;
                    job.signals.give_way.store(true, Ordering::Relaxed);
                    look((job.begun + slice * 2).max(now + Duration::from_millis(1)).min(end));
                } else {
                    job.signals.stop.stop();
                    job.told_to_end = true;
                }
            } else {
                look(if others && (wanted > 0 || job.asked_to_give_way) { turn_over.min(end) } else { end });
            }
        }
        next
    }
}

struct Shared {
    shape: Shape,
    queue: Mutex<Queue>,
    /// A job waits, or the pool is closed.
    changed: Condvar,
    /// There may be something to end.
    time: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Threads that work for clients.
pub struct Pool {
    shared: Arc<Shared>,
}

/// There is no room for one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{running} at work, {waiting} waiting, {own} of them yours: try again in a moment")]
pub struct Busy {
    /// At work.
    pub running: usize,
    /// In the queues.
    pub waiting: usize,
    /// Those of the same address.
    pub own: usize,
}

/// A requested job. Dropping it cancels the job: in the queue, or on its thread at the next check.
pub struct Ticket {
    number: u64,
    signals: Signals,
    shared: Arc<Shared>,
    place: watch::Receiver<usize>,
}

impl Pool {
    /// A pool with its threads.
    pub fn new(shape: Shape) -> Pool {
        let shared = Arc::new(Shared { shape, queue: Mutex::default(), changed: Condvar::new(), time: Condvar::new() });
        for _ in 0..shape.workers {
            let shared = Arc::clone(&shared);
            thread::spawn(move || work(&shared));
        }
        let keeper = Arc::clone(&shared);
        thread::spawn(move || keep_time(&keeper));
        Pool { shared }
    }

    /// Asks for a job that may run for `longest`. When other clients wait it is stopped after its slice of time.
    ///
    /// # Errors
    /// When too many are waiting already.
    pub fn submit(
        &self,
        client: Client,
        longest: Duration,
        work: impl FnOnce(&Signals) + Send + 'static,
    ) -> Result<Ticket, Busy> {
        let mut work = Some(work);
        let once = move |signals: &Signals| {
            if let Some(work) = work.take() {
                work(signals);
            }
            Next::Over
        };
        self.enqueue(client, longest, false, Box::new(once))
    }

    /// Asks for a job of several steps, each of which may run for `longest`. When other clients wait it is told to give way after its slice of time;
    /// it then returns [`Next::Again`] and goes on later.
    ///
    /// # Errors
    /// When too many are waiting already.
    pub fn submit_steps(
        &self,
        client: Client,
        longest: Duration,
        work: impl FnMut(&Signals) -> Next + Send + 'static,
    ) -> Result<Ticket, Busy> {
        self.enqueue(client, longest, true, Box::new(work))
    }

    fn enqueue(&self, client: Client, longest: Duration, steps: bool, work: Work) -> Result<Ticket, Busy> {
        let shape = self.shared.shape;
        let mut queue = self.shared.lock();
        let own = queue.waiting.iter().filter(|job| job.client.address == client.address).count();
        if own >= shape.of_address || queue.waiting.len() >= shape.in_all || queue.closed {
            return Err(Busy { running: queue.running.len(), waiting: queue.waiting.len(), own });
        }
        queue.next += 1;
        let (number, signals, (sender, place)) = (queue.next, Signals::new(), watch::channel(0));
        let place_of = Arc::new(PlaceSignal { place: sender, runs: AtomicBool::new(false) });
        queue.waiting.push(Job { number, client, signals: signals.clone(), longest, steps, place: place_of, work });
        queue.moved = true;
        drop(queue);
        self.shared.changed.notify_one();
        self.shared.time.notify_one();
        Ok(Ticket { number, signals, shared: Arc::clone(&self.shared), place })
    }

    /// Does something and waits for its result. Dropping the future cancels it.
    ///
    /// # Errors
    /// When too many are waiting already, or when the work panics or fails.
    pub async fn run<T: Send + 'static>(
        &self,
        client: Client,
        longest: Duration,
        work: impl FnOnce(&Signals) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (answer, hear) = oneshot::channel();
        let _ticket = self.submit(client, longest, move |signals| {
            let _ = answer.send(unless_it_panics(|| work(signals)));
        })?;
        hear.await.map_err(|_| ApiError::new(ErrorKind::Busy, "the server is closing"))?
    }

    /// Ends everything: what waits never starts, what runs is told to stop.
    pub fn close(&self) {
        let mut queue = self.shared.lock();
        queue.closed = true;
        for job in &queue.running {
            job.signals.left.store(true, Ordering::Relaxed);
            job.signals.stop.stop();
        }
        let waiting = std::mem::take(&mut queue.waiting);
        drop(queue);
        // A job may hold what needs this lock when it is dropped.
        drop(waiting);
        self.shared.changed.notify_all();
        self.shared.time.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl From<Busy> for ApiError {
    fn from(busy: Busy) -> ApiError {
        ApiError::new(ErrorKind::Busy, busy).with("code", "busy").with("retry_after", 1)
    }
}

/// The result of some work, or a sentence if it panics.
///
/// # Errors
/// Those of the work, or one of kind [`ErrorKind::Broken`].
pub fn unless_it_panics<T>(work: impl FnOnce() -> Result<T, ApiError>) -> Result<T, ApiError> {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(ApiError::new(ErrorKind::Broken, format!("it broke down: {}", panic_text(&*panic))))
    })
}

impl Ticket {
    /// Its place in the queue, from 1; 0 when it is running or over. The receiver hears of every change.
    pub fn place(&self) -> watch::Receiver<usize> {
        self.place.clone()
    }

    /// Asks the job to end with what it has.
    pub fn stop(&self) {
        self.signals.stop.stop();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.signals.left.store(true, Ordering::Relaxed);
        self.stop();
        let mut queue = self.shared.lock();
        let own = queue.waiting.iter().position(|job| job.number == self.number).map(|at| queue.waiting.remove(at));
        queue.moved |= own.is_some();
        drop(queue);
        if own.is_some() {
            self.shared.time.notify_one();
        }
        drop(own);
    }
}

fn work(shared: &Shared) {
    stand_back();
    loop {
        let mut queue = shared.lock();
        let mut job = loop {
            if queue.closed {
                return;
            }
            match queue.take() {
                Some(job) => break job,
                None => queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(queue);
        shared.time.notify_one();
        // A job that panics must not end its thread, which the next one needs.
        let next = std::panic::catch_unwind(AssertUnwindSafe(|| (job.work)(&job.signals)));
        let mut queue = shared.lock();
        if let Some(at) = queue.running.iter().position(|running| running.number == job.number) {
            let (client, now) = (job.client, Instant::now());
            let time = now.saturating_duration_since(queue.running.swap_remove(at).begun);
            queue.usage.add(client, time, now);
        }
        if matches!(next, Ok(Next::Again)) && !job.signals.left() && !queue.closed {
            queue.moved = true;
            job.place.runs.store(false, Ordering::Relaxed);
            queue.waiting.push(job);
        } else {
            drop(queue);
            drop(job);
        }
    }
}

/// Ends jobs whose time is over, and tells the others their places.
fn keep_time(shared: &Shared) {
    let mut told = None::<Instant>;
    let mut queue = shared.lock();
    while !queue.closed {
        let now = Instant::now();
        let mut next = queue.keep_time(shared.shape.slice, now);
        let due = told.map_or(now, |told| told + BETWEEN_PLACES);
        if queue.moved && now >= due {
            told = Some(now);
            if let Some((places, usage, running)) = queue.places() {
                // With a long queue this takes a while, in which others may ask.
                drop(queue);
                tell(places, usage, &running, shared.shape.slice);
                queue = shared.lock();
                continue;
            }
        } else if queue.moved {
            next = Some(next.map_or(due, |next| next.min(due)));
        }
        queue = match next {
            Some(next) => {
                let waited = shared.time.wait_timeout(queue, next.saturating_duration_since(now));
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => shared.time.wait(queue).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

/// Tells waiting jobs their places, by serving them in thought, each for a whole slice.
fn tell(mut left: Vec<QueuedJob>, mut usage: Usage, running: &Counts, slice: Duration) {
    let now = Instant::now();
    for place in 1..LAST_PLACE {
        let order = |at: &usize| usage.order(running, left[*at].client, left[*at].number, now);
        let Some(first) = (0..left.len()).min_by_key(order) else { return };
        let job = left.swap_remove(first);
        usage.add(job.client, slice, now);
        job.told.tell(place);
    }
    for job in left {
        job.told.tell(LAST_PLACE);
    }
}

/// Lets the threads that answer requests run before this one.
fn stand_back() {
    // On Linux this is about the calling thread alone. Where it is not possible, all threads are equal.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

#[cfg(test)]
mod tests;
