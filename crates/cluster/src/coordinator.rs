//! The coordinator: it cuts a plan into units, publishes as many as the workers can take, replays what comes back, and publishes again what is lost. It plays nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message as Delivered;
use futures_util::StreamExt;
use quintet_agent::Catalogue;
use quintet_arena::{Hands, Identity, Missing, Openings, Plan, Played, RunError, check_players, verify};
use quintet_game::bits::mix;
use quintet_game::{GameSpec, Stop};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::message::{Announcement, Answer, Outcome, Unit, WorkerState, read};
use crate::queue::{Queue, QueueError, SIGN, SILENCE, Server, public};
use crate::units::{Units, is_repeatable};
use crate::{Say, runtime};

/// Units that wait for each worker, beyond those in play.
const WAITING: usize = 4;
/// After this many failures a unit is set aside.
const MOST_FAILURES: usize = 3;
/// After this many answers that are rubbish, a worker's answers do not count any more.
const MOST_RUBBISH: u32 = 3;
/// One pair of games in this many is played again.
const AGAIN: u64 = 50;
/// How often the coordinator looks around.
const TICK: Duration = Duration::from_millis(100);
/// How often the queue is compared with what should be in it.
const AUDIT: Duration = Duration::from_secs(3);

/// Plays the games of a plan by the workers of a cluster: the hands of [`quintet_arena::run_by`].
pub struct Coordinator<'a> {
    /// The server between this process and the workers.
    pub server: Server,
    /// The build of this program, as in [`Announcement::build`].
    pub build: String,
    /// Where the agents come from.
    pub agents: &'a Catalogue,
    /// Only workers with this tag play.
    pub tag: Option<String>,
    /// Hears what a person should know.
    pub say: Say,
}

impl Hands for Coordinator<'_> {
    fn play(
        &self,
        plan: &Plan,
        missing: Missing<'_>,
        stop: &Stop,
        finished: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        check_players(plan, self.agents)?;
        let failed = |why: &dyn std::fmt::Display| RunError::Hands(why.to_string());
        let runtime = runtime().map_err(|why| failed(&why))?;
        runtime.block_on(async {
            let queue = Queue::connect(&self.server, "quintet coordinator").await.map_err(|why| failed(&why))?;
            queue.prepare().await.map_err(|why| failed(&why))?;
            self.conduct(&queue, plan, missing, stop, finished).await
        })
    }
}

/// What the tasks around the coordinator hear.
enum Event {
    Answer(Box<Delivered>),
    Worker(WorkerState),
    /// The units that are in the queue.
    Waiting(HashSet<String>),
    /// The server does not do what it should.
    Trouble(String),
}

impl Coordinator<'_> {
    async fn conduct(
        &self,
        queue: &Queue,
        plan: &Plan,
        missing: Missing<'_>,
        stop: &Stop,
        finished: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        let spec = GameSpec::parse(&plan.game).map_err(|error| RunError::Plan(error.to_string()))?;
        let players = Identity::of_players(plan, &spec, self.agents);
        let repeatable = is_repeatable(plan, &players);
        let mut announcement = Announcement::new(&self.build, plan, players, self.tag.clone());
        announcement.done = plan.games().saturating_sub(missing.count);
        let run = announcement.run.clone();
        let openings = Openings::new(spec, plan.opening_plies, plan.seed);
        // Units that an earlier coordinator of this run has left: the missing games are cut anew.
        let failed = |why: QueueError| RunError::Hands(why.to_string());
        queue.withdraw(&run).await.map_err(failed)?;
        let floor = queue.last_unit().await.map_err(failed)?;
        let (events, mut heard) = channel(256);
        let (sender, to_send) = channel(4096);
        let tasks = [
            tokio::spawn(answers(queue.clone(), run.clone(), events.clone())),
            tokio::spawn(workers(queue.clone(), events.clone())),
            tokio::spawn(audits(queue.clone(), run.clone(), events.clone())),
            tokio::spawn(publish(queue.clone(), to_send, events)),
        ];
        let mut state = Conduct {
            coordinator: self,
            plan,
            spec,
            units: Units::new(&run, plan, &openings, missing.games),
            exhausted: false,
            repeatable,
            announcement,
            sender,
            finished,
            open: BTreeMap::new(),
            aside: Vec::new(),
            workers: HashMap::new(),
            rubbish: HashMap::new(),
            floor,
            stored: 0,
            began: Instant::now(),
            over: false,
            announced: None,
            said: HashMap::new(),
        };
        let ended = state.work(queue, &mut heard, stop).await;
        for task in tasks {
            task.abort();
        }
        let whole = ended.is_ok() && !stop.stopped() && state.aside.is_empty();
        let cleaned = if whole { queue.forget(&run).await } else { queue.withdraw(&run).await };
        if let Err(why) = cleaned {
            (self.say)(&format!("{why}; what is left in its queue goes after a day"));
        }
        queue.flush().await;
        ended?;
        state.set_aside()
    }
}

/// A unit that was published and not answered.
struct Open {
    unit: Unit,
    published: Instant,
    /// How often in a row it was not in the queue when it should have been.
    absent: u32,
    /// Why it failed, by the number of its message: an answer that comes twice counts once.
    failures: BTreeMap<u64, String>,
    /// The records that another worker has brought, where it is played again.
    expected: Option<(String, Vec<String>)>,
}

/// A run at work.
struct Conduct<'a> {
    coordinator: &'a Coordinator<'a>,
    plan: &'a Plan,
    spec: GameSpec,
    units: Units<'a>,
    exhausted: bool,
    repeatable: bool,
    announcement: Announcement,
    sender: Sender<Unit>,
    finished: &'a mut dyn FnMut(Played) -> ControlFlow<()>,
    open: BTreeMap<String, Open>,
    /// Units that failed too often, with the last reason.
    aside: Vec<(Unit, String)>,
    workers: HashMap<String, (WorkerState, Instant)>,
    rubbish: HashMap<String, u32>,
    /// The last unit in the queue when this coordinator began.
    floor: u64,
    stored: u64,
    began: Instant,
    /// No more games are wanted.
    over: bool,
    announced: Option<Instant>,
    /// What was said, and when: nothing is repeated every second.
    said: HashMap<String, Instant>,
}

impl Conduct<'_> {
    async fn work(&mut self, queue: &Queue, heard: &mut Receiver<Event>, stop: &Stop) -> Result<(), RunError> {
        let mut tick = tokio::time::interval(TICK);
        loop {
            self.announce(queue).await;
            self.publish();
            if self.over || stop.stopped() || (self.exhausted && self.open.is_empty()) {
                return Ok(());
            }
            tokio::select! {
                event = heard.recv() => match event {
                    Some(Event::Answer(message)) => {
                        self.answer(&message.payload)?;
                        // Without it the answer comes again, and counts once.
                        let _ = message.ack().await;
                    }
                    Some(Event::Worker(worker)) => self.worker(worker),
                    Some(Event::Waiting(units)) => self.audit(&units),
                    Some(Event::Trouble(why)) => self.say(&why),
                    None => return Err(RunError::Hands("the connection to the NATS server has ended".into())),
                },
                _ = tick.tick() => {}
            }
        }
    }

    /// Says something, unless it was said a moment ago.
    fn say(&mut self, text: &str) {
        let recent = |said: &Instant| said.elapsed() < Duration::from_secs(30);
        if !self.said.get(text).is_some_and(recent) {
            self.said.retain(|_, said| recent(said));
            self.said.insert(text.to_owned(), Instant::now());
            (self.coordinator.say)(text);
        }
    }

    async fn announce(&mut self, queue: &Queue) {
        if self.announced.is_some_and(|at| at.elapsed() < SIGN) {
            return;
        }
        self.announced = Some(Instant::now());
        self.announcement.rate = self.stored as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let subject = format!("quintet.run.{}", self.announcement.run);
        if let Err(why) = queue.tell(subject, &self.announcement).await {
            self.say(&why.to_string());
        }
        self.workers.retain(|_, (_, at)| at.elapsed() < SILENCE);
        if self.able().next().is_none() && self.began.elapsed() > SIGN + SIGN {
            let url = public(&self.coordinator.server.url);
            let text = format!("no worker has joined this run; start one with: quintet worker --cluster {url}");
            self.say(&text);
        }
    }

    /// The workers that take units of this run.
    fn able(&self) -> impl Iterator<Item = &WorkerState> {
        let run = &self.announcement.run;
        let tag = self.coordinator.tag.as_ref();
        self.workers.values().map(|(worker, _)| worker).filter(move |worker| {
            worker.build == self.announcement.build
                && tag.is_none_or(|tag| worker.tags.contains(tag))
                && worker.refused.iter().all(|(refused, _)| refused != run)
        })
    }

    /// Publishes as many units as the workers can take.
    fn publish(&mut self) {
        let room: usize = self.able().map(|worker| worker.threads as usize + WAITING).sum();
        while self.open.len() < room && !self.exhausted {
            let Some(unit) = self.units.next() else {
                self.exhausted = true;
                return;
            };
            self.open(unit, None);
        }
    }

    fn open(&mut self, unit: Unit, expected: Option<(String, Vec<String>)>) {
        // Where the way is blocked, the audit finds that it is missing.
        let _ = self.sender.try_send(unit.clone());
        let open = Open { published: Instant::now(), absent: 0, failures: BTreeMap::new(), expected, unit };
        self.open.insert(open.unit.id(), open);
    }

    fn publish_again(&mut self, id: &str) {
        if let Some(open) = self.open.get_mut(id) {
            (open.published, open.absent) = (Instant::now(), 0);
            let _ = self.sender.try_send(open.unit.clone());
        }
    }

    /// Publishes again what should be in the queue and is not. An answer may be on its way, so one look is not enough.
    fn audit(&mut self, waiting: &HashSet<String>) {
        let mut lost = Vec::new();
        for (id, open) in &mut self.open {
            if waiting.contains(id) {
                open.absent = 0;
            } else if open.published.elapsed() > AUDIT {
                open.absent += 1;
                if open.absent > 1 {
                    lost.push(id.clone());
                }
            }
        }
        for id in lost {
            self.publish_again(&id);
        }
    }

    fn worker(&mut self, worker: WorkerState) {
        let is_new = !self.workers.contains_key(&worker.worker);
        if is_new {
            self.announced = None;
        }
        let refusal = worker.refused.iter().find(|(run, _)| *run == self.announcement.run);
        if let Some((_, why)) = refusal {
            let text = format!("the worker {} does not join: {why}", worker.worker);
            self.say(&text);
        }
        self.workers.insert(worker.worker.clone(), (worker, Instant::now()));
    }

    /// Takes an answer. Whatever it says, it is either counted once, or thrown away.
    fn answer(&mut self, payload: &[u8]) -> Result<(), RunError> {
        let answer = match read::<Answer>(payload) {
            Ok(answer) => answer,
            Err(why) => {
                self.say(&format!("{why}; it is thrown away"));
                return Ok(());
            }
        };
        // One that comes late, or twice, has been answered already.
        let Some(open) = self.open.get_mut(&answer.unit).filter(|_| answer.run == self.announcement.run) else {
            return Ok(());
        };
        if self.rubbish.get(&answer.worker).is_some_and(|count| *count >= MOST_RUBBISH) {
            self.publish_again(&answer.unit);
            return Ok(());
        }
        let games = match answer.outcome {
            Outcome::Failed(why) => {
                // Those of an earlier coordinator do not count: what made them may have been repaired.
                if answer.delivery > self.floor {
                    open.failures.insert(answer.delivery, format!("{}: {why}", answer.worker));
                }
                self.failed(&answer.unit);
                return Ok(());
            }
            Outcome::Played(games) => games,
        };
        let Some(open) = self.open.get(&answer.unit) else { return Ok(()) };
        if let Err(why) = self.replay(&open.unit, &games) {
            let count = self.rubbish.entry(answer.worker.clone()).or_default();
            *count += 1;
            let ends = if *count == MOST_RUBBISH { "; its answers do not count any more" } else { "" };
            let text = format!("the worker {} has brought what is no result: {why}{ends}", answer.worker);
            self.say(&text);
            self.publish_again(&answer.unit);
            return Ok(());
        }
        let Some(open) = self.open.remove(&answer.unit) else { return Ok(()) };
        match open.expected {
            Some((first, records)) => self.compare(&first, &records, &answer.worker, &games),
            None => {
                self.units.measured(games.len(), answer.ms);
                self.count(open.unit, games, &answer.worker);
                Ok(())
            }
        }
    }

    /// The games must be those of the unit, by the rules.
    fn replay(&self, unit: &Unit, games: &[Played]) -> Result<(), String> {
        if games.len() != unit.games.len() {
            return Err(format!("{} games, and {} were asked for", games.len(), unit.games.len()));
        }
        for (asked, played) in unit.games.iter().zip(games) {
            let fixture = self.plan.fixture(asked.number).ok_or("no game of the plan")?;
            verify(self.plan, &self.spec, &fixture, &asked.opening, played)?;
        }
        Ok(())
    }

    fn failed(&mut self, id: &str) {
        let Some(open) = self.open.get(id) else { return };
        if open.failures.len() < MOST_FAILURES {
            self.publish_again(id);
        } else if let Some(mut open) = self.open.remove(id) {
            let why = open.failures.pop_last().map(|(_, why)| why).unwrap_or_default();
            self.say(&format!("games {} are set aside: {why}", numbers(&open.unit)));
            if open.expected.is_none() {
                self.aside.push((open.unit, why));
            }
        }
    }

    /// Hands the games over, and has some of them played again by somebody else.
    fn count(&mut self, unit: Unit, games: Vec<Played>, worker: &str) {
        let chosen = |number: u64| mix((number / 2) ^ self.plan.seed).is_multiple_of(AGAIN);
        let mut again = Unit { again: Some(worker.to_owned()), ..unit };
        again.games.retain(|game| self.repeatable && chosen(game.number));
        let records = games.iter().filter(|played| chosen(played.number)).map(|played| played.record.clone()).collect();
        for played in games {
            self.stored += 1;
            self.announcement.done += 1;
            if (self.finished)(Played { worker: Some(worker.to_owned()), ..played }).is_break() {
                self.over = true;
            }
        }
        if !again.games.is_empty() && !self.over {
            self.open(again, Some((worker.to_owned(), records)));
        }
    }

    fn compare(&self, first: &str, records: &[String], second: &str, games: &[Played]) -> Result<(), RunError> {
        let differs = records.iter().zip(games).find(|(record, played)| **record != played.record);
        let Some((record, played)) = differs else { return Ok(()) };
        Err(RunError::Hands(format!(
            "the game {} was played again and came out differently, though its budget is a count: one of the machines is not to be trusted, and which one must be found out. \
             {first} brought {record}; {second} brought {}",
            played.number, played.record
        )))
    }

    /// Has every unit been played?
    fn set_aside(&self) -> Result<(), RunError> {
        let Some((unit, why)) = self.aside.first() else { return Ok(()) };
        let games: usize = self.aside.iter().map(|(unit, _)| unit.games.len()).sum();
        Err(RunError::Hands(format!(
            "{games} games could not be played in {MOST_FAILURES} attempts and are missing, the first of them {}: {why}. Repair that, then resume the run",
            numbers(unit)
        )))
    }
}

fn numbers(unit: &Unit) -> String {
    let numbers: Vec<String> = unit.games.iter().map(|game| game.number.to_string()).collect();
    numbers.join(", ")
}

/// Tells the coordinator of trouble, and waits a moment.
async fn trouble(events: &Sender<Event>, why: impl ToString) {
    let _ = events.send(Event::Trouble(why.to_string())).await;
    tokio::time::sleep(5 * TICK).await;
}

/// Takes answers from the queue, for ever.
async fn answers(queue: Queue, run: String, events: Sender<Event>) {
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

/// Hears of workers, for ever.
async fn workers(queue: Queue, events: Sender<Event>) {
    loop {
        match queue.listen("quintet.worker.*").await {
            Ok(mut listened) => {
                while let Some(message) = listened.next().await {
                    if let Ok(worker) = read(&message.payload) {
                        let _ = events.send(Event::Worker(worker)).await;
                    }
                }
            }
            Err(why) => trouble(&events, why).await,
        }
    }
}

/// Looks into the queue, for ever.
async fn audits(queue: Queue, run: String, events: Sender<Event>) {
    loop {
        tokio::time::sleep(AUDIT).await;
        match queue.look(&run).await {
            Ok(waiting) => {
                let _ = events.send(Event::Waiting(waiting)).await;
            }
            Err(why) => trouble(&events, why).await,
        }
    }
}

/// Publishes units, some at a time. Those that cannot be published now are found missing later.
async fn publish(queue: Queue, mut units: Receiver<Unit>, events: Sender<Event>) {
    let mut some = Vec::new();
    while units.recv_many(&mut some, 256).await > 0 {
        let published = futures_util::future::join_all(some.iter().map(|unit| queue.publish_unit(unit))).await;
        if let Some(Err(why)) = published.into_iter().find(Result::is_err) {
            trouble(&events, why).await;
        }
        some.clear();
    }
}
