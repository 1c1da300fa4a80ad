//! Searches: a few at once, some more in a queue, none for clients that have left.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use quintet_game::Stop;

/// How many searches may wait.
pub const LONGEST_QUEUE: usize = 32;

/// How many short requests may wait: each is answered soon, so that a refused client can soon try again.
pub const SHORT_QUEUE: usize = 8;

/// A search; it checks the signals from time to time.
type Work = Box<dyn FnOnce(&Signals) + Send>;

/// The signals to a running search.
#[derive(Clone)]
pub struct Signals {
    /// End with the result so far.
    pub stop: Stop,
    /// The client has gone.
    left: Arc<AtomicBool>,
}

impl Signals {
    /// Whether the client has gone.
    pub fn left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }
}

struct Job {
    number: u64,
    signals: Signals,
    work: Work,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Job>,
    running: usize,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Threads that search.
pub struct Pool {
    shared: Arc<Shared>,
    next: AtomicU64,
    longest: usize,
}

/// There is no room for one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{running} searches running, {waiting} waiting: try again in a moment")]
pub struct Busy {
    /// At work.
    pub running: usize,
    /// In the queue.
    pub waiting: usize,
}

/// A requested search. Dropping it cancels the search: in the queue, or on its thread at the next check.
pub struct Ticket {
    number: u64,
    signals: Signals,
    shared: Arc<Shared>,
}

impl Pool {
    /// A pool of `workers` threads, with at most `longest` waiting searches.
    pub fn new(workers: usize, longest: usize) -> Pool {
        let shared = Arc::new(Shared::default());
        for _ in 0..workers {
            let shared = Arc::clone(&shared);
            thread::spawn(move || work(&shared));
        }
        Pool { shared, next: AtomicU64::new(0), longest }
    }

    /// Asks for a search.
    ///
    /// # Errors
    /// When too many are waiting already.
    pub fn submit(&self, work: impl FnOnce(&Signals) + Send + 'static) -> Result<Ticket, Busy> {
        let mut queue = self.shared.lock();
        if queue.waiting.len() >= self.longest {
            return Err(Busy { running: queue.running, waiting: queue.waiting.len() });
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let signals = Signals { stop: Stop::new(), left: Arc::default() };
        queue.waiting.push_back(Job { number, signals: signals.clone(), work: Box::new(work) });
        self.shared.changed.notify_one();
        Ok(Ticket { number, signals, shared: Arc::clone(&self.shared) })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.closed = true;
        queue.waiting.clear();
        self.shared.changed.notify_all();
    }
}

impl Ticket {
    /// Its place in the queue, from 1; 0 when it is running or over.
    pub fn place(&self) -> usize {
        let queue = self.shared.lock();
        queue.waiting.iter().position(|job| job.number == self.number).map_or(0, |place| place + 1)
    }

    /// Asks the search to end with what it has.
    pub fn stop(&self) {
        self.signals.stop.stop();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.signals.left.store(true, Ordering::Relaxed);
        self.stop();
        self.shared.lock().waiting.retain(|job| job.number != self.number);
    }
}

fn work(shared: &Shared) {
    loop {
        let mut queue = shared.lock();
        let job = loop {
            if queue.closed {
                return;
            }
            match queue.waiting.pop_front() {
                Some(job) => break job,
                None => queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        };
        queue.running += 1;
        drop(queue);
        // A search that panics must not end its thread, which the next one needs.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (job.work)(&job.signals)));
        shared.lock().running -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    /// A search that runs until it is told to end, and says so.
    fn endless(pool: &Pool, ended: &mpsc::Sender<u32>, number: u32) -> Result<Ticket, Busy> {
        let ended = ended.clone();
        pool.submit(move |signals| {
            while !signals.stop.stopped() {
                thread::sleep(Duration::from_millis(1));
            }
            ended.send(number).unwrap();
        })
    }

    #[test]
    fn one_at_work_others_wait_and_too_many_are_refused() {
        let pool = Pool::new(1, LONGEST_QUEUE);
        let (sender, ended) = mpsc::channel();
        let first = endless(&pool, &sender, 0).unwrap();
        while first.place() > 0 {
            thread::sleep(Duration::from_millis(1));
        }
        let mut waiting: Vec<Ticket> =
            (1..=LONGEST_QUEUE as u32).map(|n| endless(&pool, &sender, n).unwrap()).collect();
        assert_eq!(waiting[2].place(), 3);
        assert_eq!(endless(&pool, &sender, 99).err(), Some(Busy { running: 1, waiting: LONGEST_QUEUE }));
        // A cancelled search frees its place and never starts.
        drop(waiting.remove(0));
        assert_eq!(waiting[1].place(), 2);
        drop(first);
        assert_eq!(ended.recv(), Ok(0));
        waiting[0].stop();
        assert_eq!(ended.recv(), Ok(2));
    }

    #[test]
    fn a_panic_does_not_take_the_thread() {
        let pool = Pool::new(1, LONGEST_QUEUE);
        let bad = pool.submit(|_| panic!("on purpose")).unwrap();
        let (sender, receiver) = mpsc::channel();
        let good = pool.submit(move |_| sender.send(7).unwrap()).unwrap();
        assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(7));
        drop((bad, good));
    }
}
