//! A worker: it joins the runs that are announced, plays their units and answers. It owns nothing, so it may be killed at any instant.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message as Delivered};
use futures_util::StreamExt;
use quintet_agent::Catalogue;
use quintet_arena::Arbiter;
use quintet_game::{GameSpec, Stop};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::map;
use crate::message::{
    Announcement, Answer, MOST_REFUSED, Outcome, Task, Unit, UnitGame, Work, WorkerState, name, read, sentence,
};
use crate::pace::Pace;
use crate::permit::Permit;
use crate::queue::{Queue, QueueError, SIGN, SILENCE, Server, acknowledge, public};
use crate::{Say, runtime};

/// A unit that was lost with its worker this often is not played again: it may be what kills them.
const MOST_LOST: i64 = 10;
/// How long a search may take to notice that it is stopped.
const LATE: Duration = Duration::from_secs(10);
/// How long a worker waits before it tries again what has failed.
const PAUSE: Duration = Duration::from_millis(200);
/// How long nothing is said of units that cannot be taken.
const LASTING: Duration = Duration::from_secs(4);
/// How long it waits for a run, and a unit that another worker should do for that one.
const SOON: Duration = Duration::from_millis(50);

/// A worker of a cluster.
///
/// ```no_run
/// use std::sync::Arc;
/// use quintet_agent::Catalogue;
/// use quintet_cluster::{Permit, Server, Worker};
/// use quintet_game::Stop;
/// let worker = Worker {
///     server: Server { url: "nats://localhost:4222".into(), ..Server::default() },
///     build: "mine 1.0".into(),
///     machine: "desk".into(),
///     threads: 2,
///     tags: Vec::new(),
///     permit: Permit { engines: Vec::new(), threads: 1, memory: 512 },
///     agents: Arc::new(Catalogue::embedded().clone()),
///     say: Arc::new(|what: &str| eprintln!("{what}")),
/// };
/// worker.work(&Stop::never()).unwrap();
/// ```
pub struct Worker {
    /// The server that has the queue.
    pub server: Server,
    /// The build of this program, as in [`Announcement::build`].
    pub build: String,
    /// The machine's name.
    pub machine: String,
    /// Units that are played at once.
    pub threads: usize,
    /// What it offers besides.
    pub tags: Vec<String>,
    /// What it may run.
    pub permit: Permit,
    /// Where the agents come from.
    pub agents: Arc<Catalogue>,
    /// Hears what a person should know.
    pub say: Say,
}

impl Worker {
    /// Works until `stop` is set, and plays what it has begun to the end. It connects again by itself whenever the server is there.
    ///
    /// # Errors
    /// When the server cannot be reached at the start.
    pub fn work(self, stop: &Stop) -> Result<(), QueueError> {
        let failed = |why: std::io::Error| QueueError::Connect { url: public(&self.server.url), why: why.to_string() };
        let runtime = runtime().map_err(failed)?;
        let done = runtime.block_on(async {
            let queue = Queue::connect(&self.server, "quintet worker").await?;
            let id = name(&format!("{}-{}-{:04x}", self.machine, std::process::id(), seed() & 0xffff));
            (self.say)(&format!("worker {id}: {} at once, build {}", self.threads, self.build));
            let (threads, say) = (self.threads.max(1), Arc::clone(&self.say));
            let shared = Arc::new(Shared {
                worker: self,
                id,
                queue,
                stop: stop.clone(),
                outage: Mutex::default(),
                runs: Mutex::default(),
                free_slots: Semaphore::new(threads),
                playing: AtomicU32::new(0),
                games: AtomicU64::new(0),
                news: tokio::sync::Notify::new(),
            });
            let hears = tokio::spawn(Arc::clone(&shared).hear());
            let tells = tokio::spawn(Arc::clone(&shared).tell());
            // Some take the next unit, or wait for the server, while others play.
            let slots = 1 + threads + threads / 4;
            let slots: Vec<_> = (0..slots).map(|slot| tokio::spawn(Arc::clone(&shared).slot(slot))).collect();
            for slot in slots {
                if let Err(why) = slot.await {
                    say(&format!("a thread of the worker has ended: {why}"));
                }
            }
            hears.abort();
            tells.abort();
            shared.queue.flush().await;
            Ok(())
        });
        // A search that does not notice that it is stopped is not waited for.
        runtime.shutdown_timeout(PAUSE);
        done
    }
}

/// A number that no other process has.
fn seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// A run that was heard of.
struct KnownRun {
    at: Instant,
    /// None if it is not joined.
    joined: Option<Arc<Joined>>,
    /// Why it is not joined.
    refused: Option<String>,
    /// Is that the coordinator's decision?
    barred: bool,
    /// Are all of its units in the queue?
    last: bool,
}

/// A run whose units are played here.
struct Joined {
    run: String,
    task: Task,
    spec: GameSpec,
    /// Where its units come from, and since when that is known.
    units: tokio::sync::Mutex<Option<(PullConsumer, Instant)>>,
}

struct Shared {
    worker: Worker,
    id: String,
    queue: Queue,
    stop: Stop,
    outage: Mutex<Outage>,
    runs: Mutex<HashMap<String, KnownRun>>,
    /// Units that may be played at once.
    free_slots: Semaphore,
    playing: AtomicU32,
    games: AtomicU64,
    /// There is something new to tell.
    news: tokio::sync::Notify,
}

/// Units cannot be taken.
#[derive(Default)]
struct Outage {
    /// Since when, if it is so now.
    since: Option<Instant>,
    said: bool,
}

impl Shared {
    /// Says once why units cannot be taken, when that lasts. Those of a run that has just ended cannot either.
    fn trouble(&self, why: &QueueError) {
        let mut outage = self.outage.lock().unwrap_or_else(PoisonError::into_inner);
        let since = *outage.since.get_or_insert_with(Instant::now);
        if !outage.said && since.elapsed() > LASTING {
            outage.said = true;
            (self.worker.say)(&format!("cannot take units: {why}; tries again until it can"));
        }
    }

    /// Units can be taken.
    fn no_trouble(&self) {
        let mut outage = self.outage.lock().unwrap_or_else(PoisonError::into_inner);
        if outage.said {
            (self.worker.say)("can take units again");
        }
        *outage = Outage::default();
    }

    /// Ready a moment after the worker was told to stop: nobody waits longer for a server that is away.
    async fn stopped(&self) {
        while !self.stop.stopped() {
            tokio::time::sleep(SOON).await;
        }
        tokio::time::sleep(SIGN).await;
    }

    fn runs(&self) -> std::sync::MutexGuard<'_, HashMap<String, KnownRun>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears of runs, for ever.
    async fn hear(self: Arc<Shared>) {
        loop {
            match self.queue.listen("quintet.run.*").await {
                Ok(mut listened) => {
                    while let Some(message) = listened.next().await {
                        match read::<Announcement>(&message.payload) {
                            Ok(announcement) => self.consider(&announcement),
                            Err(why) => (self.worker.say)(&format!("{why}; it is ignored")),
                        }
                    }
                }
                Err(why) => (self.worker.say)(&why.to_string()),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Joins a run, or not.
    fn consider(&self, announced: &Announcement) {
        let mut runs = self.runs();
        runs.retain(|_, heard| heard.at.elapsed() < SILENCE + SILENCE);
        let barred = announced.barred.iter().find(|(worker, _)| *worker == self.id).map(|(_, why)| why);
        if let Some(heard) = runs.get_mut(&announced.run).filter(|heard| heard.barred == barred.is_some()) {
            (heard.at, heard.last) = (Instant::now(), announced.last);
            return;
        }
        if announced.tag.as_ref().is_some_and(|tag| !self.worker.tags.contains(tag)) || runs.len() >= 1000 {
            return;
        }
        let Worker { build, agents, permit, say, .. } = &self.worker;
        let admitted = match barred {
            Some(why) => Err(format!("the coordinator takes no answers of this worker: {why}")),
            None => permit.admit(announced, build, agents),
        };
        let run = announced.run.clone();
        let (joined, refused) = match admitted {
            Ok((task, spec)) => {
                let (game, total, of) = (task.game(), announced.total, task.of());
                say(&format!("joins the run {}: {game}, {total} {of}", short(&run)));
                let joined = Joined { run: run.clone(), task, spec, units: tokio::sync::Mutex::default() };
                (Some(Arc::new(joined)), None)
            }
            Err(why) => {
                say(&format!("does not join the run {}: {}", short(&run), sentence(&why)));
                (None, Some(sentence(&why)))
            }
        };
        let known = KnownRun { at: Instant::now(), joined, refused, barred: barred.is_some(), last: announced.last };
        runs.insert(run, known);
        self.news.notify_one();
    }

    /// Says who this is, for ever.
    async fn tell(self: Arc<Shared>) {
        let mut pace = Pace::new(Instant::now());
        loop {
            let (games, time) = pace.lately(Instant::now(), self.games.load(Ordering::Relaxed));
            let refusal = |(run, heard): (&String, &KnownRun)| Some((run.clone(), heard.refused.clone()?));
            let refused = self.runs().iter().filter_map(refusal).take(MOST_REFUSED).collect();
            let state = WorkerState {
                worker: self.id.clone(),
                build: self.worker.build.clone(),
                threads: self.worker.threads as u32,
                tags: self.worker.tags.clone(),
                playing: self.playing.load(Ordering::Relaxed),
                games,
                seconds: time.as_secs(),
                refused,
            };
            // Where nobody can be told, the server is away: the next time.
            let _ = self.queue.tell(format!("quintet.worker.{}", self.id), &state).await;
            // A coordinator that has just begun waits for this.
            let _ = tokio::time::timeout(SIGN / 2, self.news.notified()).await;
        }
    }

    /// The runs that are worked at, those that were heard of lately, and whether all units of each are in the queue.
    fn joined(&self) -> Vec<(Arc<Joined>, bool)> {
        let runs = self.runs();
        let fresh = runs.values().filter(|heard| heard.at.elapsed() < SILENCE);
        let mut joined: Vec<_> = fresh.filter_map(|heard| Some((heard.joined.clone()?, heard.last))).collect();
        joined.sort_by(|(a, _), (b, _)| a.run.cmp(&b.run));
        joined
    }

    /// Takes unit after unit, from one run after the other.
    async fn slot(self: Arc<Shared>, slot: usize) {
        let mut turn = slot;
        while !self.stop.stopped() {
            let runs = self.joined();
            let Some((run, last)) = runs.get(turn % runs.len().max(1)) else {
                tokio::time::sleep(SOON).await;
                continue;
            };
            turn += 1;
            let patience = Duration::from_secs(1) / runs.len() as u32;
            // A unit that waits here for the end of another could be played elsewhere. While there are more, it saves time.
            let free = if *last && runs.len() == 1 {
                let Ok(free) = tokio::time::timeout(patience, self.free_slots.acquire()).await else { continue };
                free.ok()
            } else {
                None
            };
            let taken = tokio::select! {
                taken = self.take(run, patience.max(PAUSE)) => taken,
                () = self.stopped() => return,
            };
            match taken {
                Ok(Some(message)) => {
                    self.no_trouble();
                    self.handle(run, message, free).await;
                }
                // A server that has lost its streams is silent, and so is an empty queue: both are prepared again after a while.
                Ok(None) => {
                    self.no_trouble();
                    run.units.lock().await.take_if(|(_, since)| since.elapsed() > SIGN + SIGN);
                }
                Err(why) => {
                    self.trouble(&why);
                    *run.units.lock().await = None;
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// One unit of a run, if one comes in time.
    async fn take(&self, run: &Joined, patience: Duration) -> Result<Option<Delivered>, QueueError> {
        let away = |why: &dyn std::fmt::Display| QueueError::Refused { what: "give units", why: why.to_string() };
        let consumer = {
            let mut units = run.units.lock().await;
            match &*units {
                Some((consumer, _)) => consumer.clone(),
                None => {
                    self.queue.prepare().await?;
                    units.insert((self.queue.units(&run.run).await?, Instant::now())).0.clone()
                }
            }
        };
        let batch = consumer.batch().max_messages(1).expires(patience).messages().await;
        let mut batch = batch.map_err(|why| away(&why))?;
        match tokio::time::timeout(patience + SIGN, batch.next()).await {
            Ok(Some(Ok(message))) => Ok(Some(message)),
            Ok(Some(Err(why))) => Err(away(&why)),
            Ok(None) => Ok(None),
            Err(why) => Err(away(&why)),
        }
    }

    /// Plays a unit and answers; it is acknowledged when the answer is stored.
    async fn handle(&self, run: &Arc<Joined>, message: Delivered, free: Option<SemaphorePermit<'_>>) {
        let (delivered, delivery) = message.info().map_or((1, 0), |info| (info.delivered, info.stream_sequence));
        let unit = match read::<Unit>(&message.payload).map_err(|why| why.to_string()) {
            Ok(unit) if unit.run == run.run => unit,
            other => {
                let why = other.err().unwrap_or_else(|| "it belongs to another run".into());
                (self.worker.say)(&format!("a unit is thrown away: {why}"));
                acknowledge(&message, AckKind::Term).await;
                return;
            }
        };
        if unit.again.as_ref() == Some(&self.id) {
            // It is for another worker.
            acknowledge(&message, AckKind::Nak(Some(SOON))).await;
            return;
        }
        let mut began = Instant::now();
        let outcome = if delivered > MOST_LOST && unit.again.is_none() {
            Err(format!("{MOST_LOST} workers in a row were lost while they played it"))
        } else {
            let slot = match free {
                None => self.free_slot(&message).await,
                free => free,
            };
            began = Instant::now();
            self.playing.fetch_add(1, Ordering::Relaxed);
            let played = self.play(run, &unit, &message).await;
            self.playing.fetch_sub(1, Ordering::Relaxed);
            drop(slot);
            played
        };
        if let Ok(Outcome::Played(games)) = &outcome {
            self.games.fetch_add(games.len() as u64, Ordering::Relaxed);
        }
        let answer = Answer {
            run: unit.run.clone(),
            unit: unit.id(),
            worker: self.id.clone(),
            delivery,
            ms: began.elapsed().as_millis() as u64,
            outcome: outcome.unwrap_or_else(|why| Outcome::Failed(sentence(&why))),
        };
        if self.answer(&answer, &message).await {
            // Without it the unit comes again, and its answer counts once.
            acknowledge(&message, AckKind::Ack).await;
        }
    }

    /// Waits until one of the units in play has ended.
    async fn free_slot(&self, message: &Delivered) -> Option<SemaphorePermit<'_>> {
        loop {
            if let Ok(slot) = tokio::time::timeout(SIGN, self.free_slots.acquire()).await {
                // They are never closed.
                return slot.ok();
            }
            acknowledge(message, AckKind::Progress).await;
        }
    }

    /// Does the work on a thread of its own, and tells the queue that it is in play.
    async fn play(&self, run: &Arc<Joined>, unit: &Unit, message: &Delivered) -> Result<Outcome, String> {
        let stop = Stop::new();
        let (joined, work, agents, flag) =
            (Arc::clone(run), unit.work.clone(), Arc::clone(&self.worker.agents), stop.clone());
        let mut work = tokio::task::spawn_blocking(move || joined.work(&work, &agents, flag));
        let deadline = tokio::time::Instant::now() + Duration::from_secs(unit.seconds.into());
        let late = || format!("it was not finished after {} seconds", unit.seconds);
        loop {
            let sign = (tokio::time::Instant::now() + SIGN).min(deadline);
            match tokio::time::timeout_at(sign, &mut work).await {
                Ok(played) => {
                    return played.unwrap_or_else(|why| Err(format!("the thread that played it has crashed: {why}")));
                }
                Err(_) if sign == deadline => {
                    stop.stop();
                    let _ = tokio::time::timeout(LATE, work).await;
                    return Err(late());
                }
                Err(_) if matches!(run.task, Task::Map(_)) && self.is_abandoned(&run.run) => {
                    stop.stop();
                    let _ = tokio::time::timeout(LATE, work).await;
                    return Err("its coordinator has gone".into());
                }
                Err(_) => acknowledge(message, AckKind::Progress).await,
            }
        }
    }

    /// Has nobody coordinated this run for a while? A first peg may take hours, which nobody would need.
    fn is_abandoned(&self, run: &str) -> bool {
        self.runs().get(run).is_none_or(|heard| heard.at.elapsed() >= SILENCE + SILENCE)
    }

    /// Stores an answer, however long it takes; false if the worker is stopped before.
    async fn answer(&self, answer: &Answer, message: &Delivered) -> bool {
        let subject = format!("quintet.answer.{}.{}", answer.run, answer.unit);
        let mut said = false;
        loop {
            let stored = tokio::select! {
                stored = self.queue.store(subject.clone(), answer) => stored,
                () = self.stopped() => return false,
            };
            let Err(why) = stored else { return true };
            if self.stop.stopped() {
                return false;
            }
            if !said {
                (self.worker.say)(&format!("{why}; tries again"));
                said = true;
            }
            tokio::time::sleep(PAUSE).await;
            acknowledge(message, AckKind::Progress).await;
            tokio::select! {
                _ = self.queue.prepare() => {}
                () = self.stopped() => return false,
            }
        }
    }
}

impl Joined {
    /// Plays games, or solves a first peg.
    fn work(&self, work: &Work, agents: &Catalogue, stop: Stop) -> Result<Outcome, String> {
        match (&self.task, work) {
            (Task::Games(plan), Work::Games(games)) => {
                let mut arbiter = Arbiter::new(plan, &self.spec, agents).with_cores(1).until(stop);
                let play = |game: &UnitGame| {
                    let fixture = plan.fixture(game.number).ok_or("no such game is in the plan")?;
                    let mut played = arbiter.play(&fixture, &game.opening).map_err(|why| why.to_string())?;
                    played.fault = played.fault.as_deref().map(sentence);
                    Ok(played)
                };
                games.iter().map(play).collect::<Result<_, String>>().map(Outcome::Played)
            }
            (Task::Map(plan), Work::Peg(peg)) => {
                map::solve(&self.spec, plan, peg, &|| stop.stopped()).map(Outcome::Solved)
            }
            _ => Err("it is not a unit of this run".into()),
        }
    }
}

fn short(run: &str) -> &str {
    run.get(..8).unwrap_or(run)
}
