//! Work for clients: a few jobs at once, the others in queues, one queue per client. Whoever has had the least time lately is served first.

use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quintet_api::{ApiError, ErrorKind};
use quintet_game::Stop;
use tokio::sync::{oneshot, watch};

use crate::client::Client;

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
    /// Its place in the queue, from 1; 0 when it runs.
    place: Arc<watch::Sender<usize>>,
    work: Work,
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

/// Running jobs by address and by client.
type Counts = (HashMap<IpAddr, usize>, HashMap<Client, usize>);

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

/// How much of the threads' time addresses and clients have had lately.
#[derive(Clone, Default)]
struct Usage {
    addresses: HashMap<IpAddr, Used>,
    clients: HashMap<Client, Used>,
}

/// Time that was used, which is forgotten by and by.
#[derive(Clone, Copy)]
struct Used {
    seconds: f64,
    at: Instant,
}

/// Clients whose usage is remembered.
const REMEMBERED: usize = 4096;

/// After this time half of what was used is forgotten.
const HALF_FORGOTTEN: Duration = Duration::from_secs(60);

impl Used {
    /// What counts of it now, in microseconds.
    fn now(used: Option<&Used>, now: Instant) -> u64 {
        let Some(Used { seconds, at }) = used else { return 0 };
        let age = now.saturating_duration_since(*at).as_secs_f64() / HALF_FORGOTTEN.as_secs_f64();
        (seconds * 1e6 * (-age).exp2()) as u64
    }
}

impl Usage {
    /// The order in which jobs are served: addresses with the fewest running jobs first, among them the one that has had the least time lately;
    /// the same for the clients of an address; and the jobs of a client as they came.
    fn order(&self, running: &Counts, client: Client, number: u64, now: Instant) -> impl Ord + use<> {
        (
            running.0.get(&client.address).copied().unwrap_or(0),
            Used::now(self.addresses.get(&client.address), now),
            running.1.get(&client).copied().unwrap_or(0),
            Used::now(self.clients.get(&client), now),
            number,
        )
    }

    /// Counts time that was used by a client.
    fn add(&mut self, client: Client, time: Duration, now: Instant) {
        if self.clients.len() >= REMEMBERED {
            self.addresses.clear();
            self.clients.clear();
        }
        let add = |used: Option<&Used>| {
            let seconds = Used::now(used, now) as f64 / 1e6 + time.as_secs_f64();
            Used { seconds, at: now }
        };
        let (address, own) = (add(self.addresses.get(&client.address)), add(self.clients.get(&client)));
        self.addresses.insert(client.address, address);
        self.clients.insert(client, own);
    }
}

/// A waiting job, as far as its place matters.
struct Place {
    number: u64,
    client: Client,
    told: Arc<watch::Sender<usize>>,
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
        job.place.send_replace(0);
        Some(job)
    }

    /// What is needed to tell waiting jobs their places, if they may have changed and somebody listens.
    fn places(&mut self) -> Option<(Vec<Place>, Usage, Counts)> {
        if !std::mem::take(&mut self.moved) {
            return None;
        }
        let listened = self.waiting.iter().any(|job| job.place.receiver_count() > 0);
        listened.then(|| {
            let place = |job: &Job| Place { number: job.number, client: job.client, told: Arc::clone(&job.place) };
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
        let place_of = Arc::new(sender);
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
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let what = text.unwrap_or("for a reason that it does not tell");
        Err(ApiError::new(ErrorKind::Broken, format!("it broke down: {what}")))
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
fn tell(mut left: Vec<Place>, mut usage: Usage, running: &Counts, slice: Duration) {
    let now = Instant::now();
    for place in 1..LAST_PLACE {
        let order = |at: &usize| usage.order(running, left[*at].client, left[*at].number, now);
        let Some(first) = (0..left.len()).min_by_key(order) else { return };
        let job = left.swap_remove(first);
        usage.add(job.client, slice, now);
        job.told.send_if_modified(|told| std::mem::replace(told, place) != place);
    }
    for job in left {
        job.told.send_if_modified(|told| std::mem::replace(told, LAST_PLACE) != LAST_PLACE);
    }
}

/// Lets the threads that answer requests run before this one.
fn stand_back() {
    // On Linux this is about the calling thread alone. Where it is not possible, all threads are equal.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const SHAPE: Shape = Shape { workers: 1, of_address: 4, in_all: 6, slice: Duration::from_secs(3600) };
    const LONG: Duration = Duration::from_secs(3600);

    fn client(address: u8, session: u64) -> Client {
        Client { address: [10, 0, 0, address].into(), session }
    }

    /// A job that runs until it is told to end, and says so.
    fn endless(pool: &Pool, ended: &mpsc::Sender<u32>, client: Client, number: u32) -> Result<Ticket, Busy> {
        let ended = ended.clone();
        pool.submit(client, LONG, move |signals| {
            while !signals.stop.stopped() {
                thread::sleep(Duration::from_millis(1));
            }
            ended.send(number).unwrap();
        })
    }

    fn until(test: impl Fn() -> bool) {
        while !test() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn place(ticket: &Ticket) -> usize {
        *ticket.place().borrow()
    }

    #[test]
    fn clients_are_served_in_turn() {
        let pool = Pool::new(SHAPE);
        let (sender, ended) = mpsc::channel();
        let first = endless(&pool, &sender, client(1, 1), 0).unwrap();
        until(|| place(&first) == 0 && pool.shared.lock().running.len() == 1);
        let greedy: Vec<Ticket> =
            (1..=4).map(|number| endless(&pool, &sender, client(1, 1), number).unwrap()).collect();
        until(|| greedy.iter().map(place).eq([1, 2, 3, 4]));
        // The fifth is one too many for this address; others still get in, and are served first.
        let busy = endless(&pool, &sender, client(1, 2), 99).err().unwrap();
        assert_eq!(busy, Busy { running: 1, waiting: 4, own: 4 });
        let other = endless(&pool, &sender, client(2, 1), 5).unwrap();
        let third = endless(&pool, &sender, client(3, 1), 6).unwrap();
        until(|| (place(&other), place(&third), place(&greedy[0])) == (1, 2, 3));
        assert_eq!(endless(&pool, &sender, client(4, 1), 99).err(), Some(Busy { running: 1, waiting: 6, own: 0 }));
        first.stop();
        until(|| (place(&other), place(&third), place(&greedy[0])) == (0, 1, 2));
        // A cancelled job frees its place and never starts.
        drop(third);
        until(|| place(&greedy[0]) == 1);
        other.stop();
        until(|| place(&greedy[0]) == 0);
        drop(greedy);
        drop((first, other));
        assert_eq!([0, 5, 1].map(|_| ended.recv().unwrap()), [0, 5, 1]);
    }

    /// Whoever asks little is served before those who have used much, however often they ask.
    #[test]
    fn those_who_use_little_wait_little() {
        let mut usage = Usage::default();
        let (now, none) = (Instant::now(), Counts::default());
        let (greedy, modest) = (client(1, 1), client(2, 1));
        usage.add(greedy, Duration::from_secs(3), now);
        for _ in 0..10 {
            usage.add(modest, Duration::from_millis(2), now);
        }
        assert!(usage.order(&none, modest, 9, now) < usage.order(&none, greedy, 1, now));
        // A client is known by its address first: more sessions give no more time.
        assert!(usage.order(&none, modest, 9, now) < usage.order(&none, client(1, 2), 1, now));
        // It is forgotten in time.
        let later = now + HALF_FORGOTTEN * 60;
        assert_eq!(Used::now(usage.addresses.get(&greedy.address), later), 0);
    }

    #[test]
    fn sessions_of_one_address_are_served_in_turn() {
        let pool = Pool::new(SHAPE);
        let (sender, ended) = mpsc::channel();
        let first = endless(&pool, &sender, client(1, 1), 0).unwrap();
        until(|| pool.shared.lock().running.len() == 1);
        let own: Vec<Ticket> = (1..=2).map(|number| endless(&pool, &sender, client(1, 1), number).unwrap()).collect();
        let other = endless(&pool, &sender, client(1, 2), 3).unwrap();
        until(|| (place(&other), place(&own[0])) == (1, 2));
        drop((own, other, first));
        assert_eq!(ended.recv(), Ok(0));
    }

    #[test]
    fn a_long_job_gives_way_only_to_others() {
        let pool = Pool::new(Shape { slice: Duration::ZERO, ..SHAPE });
        let (sender, ended) = mpsc::channel();
        let _long = endless(&pool, &sender, client(1, 1), 0).unwrap();
        let _own = endless(&pool, &sender, client(1, 1), 1).unwrap();
        assert!(ended.recv_timeout(Duration::from_millis(50)).is_err(), "one's own job does not cut it short");
        let _other = endless(&pool, &sender, client(2, 1), 2).unwrap();
        assert_eq!(ended.recv(), Ok(0));
    }

    #[test]
    fn a_job_of_several_steps_goes_on_after_the_others() {
        let pool = Pool::new(Shape { slice: Duration::ZERO, ..SHAPE });
        let (sender, heard) = mpsc::channel();
        let (told, mut turns) = (sender.clone(), 0);
        let _steps = pool.submit_steps(client(1, 1), LONG, move |signals| {
            turns += 1;
            told.send(turns).unwrap();
            while !signals.give_way() && !signals.stop.stopped() {
                thread::sleep(Duration::from_millis(1));
            }
            Next::Again
        });
        assert_eq!(heard.recv(), Ok(1));
        let _other = pool.submit(client(2, 1), LONG, move |_| sender.send(100).unwrap()).unwrap();
        assert_eq!([(), ()].map(|()| heard.recv().unwrap()), [100, 2]);
    }

    #[test]
    fn nothing_runs_longer_than_it_may() {
        let pool = Pool::new(SHAPE);
        let (sender, ended) = mpsc::channel();
        let work = move |signals: &Signals| {
            until(|| signals.stop.stopped());
            sender.send(()).unwrap();
        };
        let _ticket = pool.submit(client(1, 1), Duration::from_millis(5), work).unwrap();
        assert_eq!(ended.recv(), Ok(()));
    }

    #[tokio::test]
    async fn a_panic_is_answered_and_does_not_take_the_thread() {
        let pool = Pool::new(SHAPE);
        let broken = pool.run::<()>(client(1, 1), LONG, |_| panic!("on purpose")).await.unwrap_err();
        assert_eq!((broken.kind, broken.to_string()), (ErrorKind::Broken, "it broke down: on purpose".to_owned()));
        assert_eq!(pool.run(client(1, 1), LONG, |_| Ok(7)).await, Ok(7));
        pool.close();
        assert_eq!(pool.run(client(1, 1), LONG, |_| Ok(7)).await.unwrap_err().kind, ErrorKind::Busy);
    }
}
