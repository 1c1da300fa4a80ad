//! The coordinator: it publishes as many units of a [`Job`] as the workers can take, checks what comes back, and publishes again what is lost. It plays nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use quintet_agent::Catalogue;
use quintet_arena::{Hands, Identity, Missing, Openings, Plan, Played, RunError, check_players};
use quintet_game::twixt::Move;
use quintet_game::{GameSpec, Stop, Value};
use quintet_solve::twixt::FirstPegs;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::games::Games;
use crate::job::Job;
use crate::map::Map;
use crate::message::{Announcement, Answer, MapPlan, Outcome, Task, Unit, WorkerState, read};
use crate::pace::Pace;
use crate::queue::{Queue, QueueError, SIGN, Server, acknowledge, public};
use crate::tasks::{AUDIT, Event, TICK, WORKERS, answers, audits, hear_workers, publish};
use crate::workers::Workers;
use crate::{Say, runtime};

/// Units that wait for each worker, beyond those in play.
const WAITING: usize = 4;
/// A unit is set aside when this many workers could not play it, or all that there are, in this many attempts.
const MOST_FAILURES: usize = 3;
/// The rate is taken from at most this many results of the last minute.
const FEW: u64 = 10;
/// A run of which nothing could be played ends when this many units were set aside.
const HOPELESS: usize = 10;

/// Plays the games of a plan by the workers of a cluster: the hands of [`quintet_arena::run_by`]; or solves a map of first pegs.
///
/// ```no_run
/// use std::sync::Arc;
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Length, Plan, run_by};
/// use quintet_cluster::{Coordinator, Server};
/// use quintet_game::Stop;
/// let coordinator = Coordinator {
///     server: Server { url: "nats://localhost:4222".into(), ..Server::default() },
///     build: "mine 1.0".into(),
///     agents: Catalogue::embedded(),
///     tag: None,
///     without: None,
///     say: Arc::new(|what: &str| eprintln!("{what}")),
/// };
/// let plan = Plan::duel("pylos", ["pylos:ordered", "mcts"], Length::Games(100)).unwrap();
/// let results = run_by(&plan, &coordinator, Vec::new(), &Stop::never(), &mut |_| Ok(())).unwrap();
/// println!("{:?}", results.wdl(0, 1));
/// ```
pub struct Coordinator<'a> {
    /// The server between this process and the workers.
    pub server: Server,
    /// The build of this program, as in [`Announcement::build`].
    pub build: String,
    /// Where the agents come from.
    pub agents: &'a Catalogue,
    /// Only workers with this tag play.
    pub tag: Option<String>,
    /// The worker whose answers do not count, if one is not to be trusted.
    pub without: Option<String>,
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
        let spec = GameSpec::parse(&plan.game).map_err(|error| RunError::Plan(error.to_string()))?;
        let players = Identity::of_players(plan, &spec, self.agents);
        let (task, total) = (Task::Games(plan.clone()), plan.games());
        let announcement = Announcement::new(&self.build, &task, players, total, self.tag.clone());
        let openings = Openings::of(plan, self.agents).map_err(RunError::Openings)?;
        let done = total.saturating_sub(missing.count);
        let run = announcement.run.clone();
        let missing = Missing { count: missing.count, games: missing.games };
        let mut games = Games::new(&run, plan, spec, self.agents, &openings, missing, done, finished);
        self.conduct(announcement, &mut games, &|| stop.stopped())
    }
}

impl Coordinator<'_> {
    /// Solves the first pegs of a board that are not known yet, until all are or `halt` says so. `heard` gets each answer with the number of positions that it took.
    /// What is known is in `pegs`, whatever comes.
    ///
    /// # Errors
    /// When some first pegs cannot be solved.
    pub fn solve<const W: usize, const B: usize>(
        &self,
        plan: &MapPlan,
        pegs: &mut FirstPegs<W, B>,
        halt: &dyn Fn() -> bool,
        heard: &mut dyn FnMut(Move, Option<Value>, u64),
    ) -> Result<(), RunError> {
        let (task, total) = (Task::Map(plan.clone()), pegs.distinct() as u64);
        let announcement = Announcement::new(&self.build, &task, Vec::new(), total, self.tag.clone());
        let run = announcement.run.clone();
        self.conduct(announcement, &mut Map::new(&run, pegs, heard), halt)
    }

    fn conduct(&self, announcement: Announcement, job: &mut dyn Job, halt: &dyn Fn() -> bool) -> Result<(), RunError> {
        let failed = |why: &dyn std::fmt::Display| RunError::Hands(why.to_string());
        let runtime = runtime().map_err(|why| failed(&why))?;
        runtime.block_on(async {
            let queue = Queue::connect(&self.server, "quintet coordinator").await.map_err(|why| failed(&why))?;
            queue.prepare().await.map_err(|why| failed(&why))?;
            self.conduct_by(&queue, announcement, job, halt).await
        })
    }

    async fn conduct_by(
        &self,
        queue: &Queue,
        announcement: Announcement,
        job: &mut dyn Job,
        halt: &dyn Fn() -> bool,
    ) -> Result<(), RunError> {
        let run = announcement.run.clone();
        let mut workers = Workers::new(&run, &self.build, self.tag.as_deref());
        if let Some(name) = &self.without {
            workers.bar(name, "the games that it had played were dropped");
        }
        // Units that an earlier coordinator of this run has left: what is missing is cut anew.
        let failed = |why: QueueError| RunError::Hands(why.to_string());
        queue.withdraw(&run).await.map_err(failed)?;
        let floor = queue.last_unit().await.map_err(failed)?;
        // Before the run is announced: workers answer to that at once.
        let listened = queue.listen(WORKERS).await.map_err(failed)?;
        let (events, mut heard) = channel(256);
        let (sender, to_send) = channel(4096);
        let tasks = [
            tokio::spawn(answers(queue.clone(), run.clone(), events.clone())),
            tokio::spawn(hear_workers(queue.clone(), listened, events.clone())),
            tokio::spawn(audits(queue.clone(), run.clone(), events.clone())),
            tokio::spawn(publish(queue.clone(), to_send, events)),
        ];
        let mut state = Conduct {
            coordinator: self,
            before: job.done(),
            job,
            announcement,
            sender,
            open: BTreeMap::new(),
            aside: Vec::new(),
            workers,
            floor,
            began: Instant::now(),
            pace: Pace::new(Instant::now()),
            over: false,
            announced: None,
            said: HashMap::new(),
        };
        let ended = state.work(queue, &mut heard, halt).await;
        for task in tasks {
            task.abort();
        }
        let whole = ended.is_ok() && !halt() && state.aside.is_empty();
        let cleaned = if whole { queue.forget(&run).await } else { queue.withdraw(&run).await };
        if let Err(why) = cleaned {
            (self.say)(&format!("{why}; what is left in its queue goes after a day"));
        }
        queue.flush().await;
        ended?;
        match state.aside.first() {
            Some((first, why)) => Err(RunError::Hands(state.job.missing(&state.aside, first, why))),
            None => Ok(()),
        }
    }
}

/// A unit that was published and not answered.
struct Open {
    unit: Unit,
    published: Instant,
    /// How often in a row it was not in the queue when it should have been.
    absent: u32,
    /// Who could not do it, and why, by the number of its message: an answer that comes twice counts once.
    failures: BTreeMap<u64, (String, String)>,
    /// What another worker has brought, where it is done again.
    expected: Option<(String, Vec<String>)>,
}

/// A run at work.
struct Conduct<'a> {
    coordinator: &'a Coordinator<'a>,
    job: &'a mut dyn Job,
    /// What was done when this coordinator began.
    before: u64,
    announcement: Announcement,
    sender: Sender<Unit>,
    open: BTreeMap<String, Open>,
    /// Units that failed too often, with the last reason.
    aside: Vec<(Unit, String)>,
    workers: Workers,
    /// The last unit in the queue when this coordinator began.
    floor: u64,
    began: Instant,
    pace: Pace,
    /// No more is wanted.
    over: bool,
    announced: Option<Instant>,
    /// What was said, and when: nothing is repeated every second.
    said: HashMap<String, Instant>,
}

impl Conduct<'_> {
    async fn work(
        &mut self,
        queue: &Queue,
        heard: &mut Receiver<Event>,
        halt: &dyn Fn() -> bool,
    ) -> Result<(), RunError> {
        let mut tick = tokio::time::interval(TICK);
        loop {
            self.announce(queue).await;
            self.publish();
            if self.over || halt() || self.open.is_empty() {
                return Ok(());
            }
            tokio::select! {
                event = heard.recv() => match event {
                    Some(Event::Answer(message)) => {
                        self.answer(&message.payload)?;
                        // Without it the answer comes again, and counts once.
                        acknowledge(&message, AckKind::Ack).await;
                    }
                    Some(Event::Worker(worker)) => self.worker(worker),
                    Some(Event::Waiting(units, last)) => self.audit(&units, last),
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
        self.workers.forget_silent();
        self.drop_lonely_checks();
        self.announcement.barred = self.workers.all_barred();
        self.announcement.done = self.job.done();
        let (stored, now) = (self.stored(), Instant::now());
        let lately = self.pace.lately(now, stored);
        // A few long games say less than all since the beginning.
        let (count, time) = if lately.0 < FEW { (stored, now - self.began) } else { lately };
        self.announcement.rate = count as f64 / time.as_secs_f64().max(1e-3);
        let subject = format!("quintet.run.{}", self.announcement.run);
        if let Err(why) = queue.tell(subject, &self.announcement).await {
            self.say(&why.to_string());
        }
        if self.workers.able().next().is_none() && self.began.elapsed() > SIGN + SIGN {
            let url = public(&self.coordinator.server.url);
            let text = format!("no worker has joined this run; start one with: quintet worker --cluster {url}");
            self.say(&text);
        }
    }

    /// What was done by this coordinator.
    fn stored(&self) -> u64 {
        self.job.done().saturating_sub(self.before)
    }

    /// Publishes as many units as the workers can take, and one for those that may come: when none is open, nothing is left.
    fn publish(&mut self) {
        let hands: usize = self.workers.able().map(|worker| worker.threads as usize).sum();
        let room = hands + WAITING * self.workers.able().count();
        let before = self.announcement.last;
        while self.open.len() < room.max(1) {
            let unit = self.job.next(hands);
            self.announcement.last = unit.is_none();
            let Some(unit) = unit else { break };
            self.open(unit, None);
        }
        if self.announcement.last && !before {
            // The workers hear of it at once.
            self.announced = None;
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
    fn audit(&mut self, waiting: &HashSet<String>, last: u64) {
        // A server that has lost its files counts from the beginning.
        self.floor = self.floor.min(last);
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
        let refusal = worker.refused.iter().find(|(run, _)| *run == self.announcement.run);
        if let Some((_, why)) = refusal {
            let text = format!("the worker {} does not join: {why}", worker.worker);
            self.say(&text);
        }
        if self.workers.hear(worker) {
            self.announced = None;
        }
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
        let by = answer.worker;
        if self.workers.barred(&by).is_some() {
            self.publish_again(&answer.unit);
            return Ok(());
        }
        let outcome = match answer.outcome {
            // The engine does not start on that machine; it may on another.
            Outcome::Played(games) if games.iter().any(Played::never_started) => {
                let fault = games.into_iter().find(Played::never_started).and_then(|played| played.fault);
                Outcome::Failed(fault.unwrap_or_default())
            }
            outcome => outcome,
        };
        let outcome = match outcome {
            Outcome::Failed(why) => {
                // Those of an earlier coordinator do not count: what made them may have been repaired.
                if answer.delivery > self.floor && !open.failures.contains_key(&answer.delivery) {
                    open.failures.insert(answer.delivery, (by.clone(), why.clone()));
                    if self.workers.failed(&by, &why) {
                        self.say_barred(&by);
                    }
                }
                self.failed(&answer.unit);
                return Ok(());
            }
            outcome => outcome,
        };
        if let Err(why) = self.job.check(&open.unit, &outcome) {
            self.say(&format!("the worker {by} has sent an invalid result: {why}"));
            if self.workers.sent_invalid(&by, &why) {
                self.say_barred(&by);
            }
            self.publish_again(&answer.unit);
            return Ok(());
        }
        // Nobody checks itself.
        if open.expected.as_ref().is_some_and(|(first, _)| *first == by) {
            self.publish_again(&answer.unit);
            return Ok(());
        }
        let Some(open) = self.open.remove(&answer.unit) else { return Ok(()) };
        self.workers.played(&by);
        match open.expected {
            Some((first, expected)) => match self.job.compare(&first, &expected, &by, &outcome) {
                Some(difference) => Err(RunError::Hands(difference)),
                None => Ok(()),
            },
            None => {
                self.count(open.unit, outcome, &by, answer.ms);
                Ok(())
            }
        }
    }

    fn say_barred(&mut self, worker: &str) {
        let why = self.workers.barred(worker).unwrap_or_default().to_owned();
        self.say(&format!("the answers of the worker {worker} do not count any more: {why}"));
        // It hears of it at once.
        self.announced = None;
    }

    /// Drops checks that nobody is there to make, so that a run on one worker comes to its end.
    fn drop_lonely_checks(&mut self) {
        if self.workers.able().next().is_some() {
            let workers = &self.workers;
            self.open.retain(|_, open| open.expected.as_ref().is_none_or(|(first, _)| workers.has_other_than(first)));
        }
    }

    fn failed(&mut self, id: &str) {
        let Some(open) = self.open.get(id) else { return };
        let failed: BTreeSet<&str> = open.failures.values().map(|(worker, _)| worker.as_str()).collect();
        let by_all = self.workers.able().all(|worker| failed.contains(worker.worker.as_str()));
        if failed.len() < MOST_FAILURES && !(by_all && open.failures.len() >= MOST_FAILURES) {
            self.publish_again(id);
        } else if let Some(mut open) = self.open.remove(id) {
            let why = open.failures.pop_last().map(|(_, (worker, why))| format!("{worker}: {why}")).unwrap_or_default();
            self.say(&format!("set aside: {}: {why}", self.job.name(&open.unit)));
            if open.expected.is_none() {
                self.aside.push((open.unit, why));
            }
            self.over |= self.stored() == 0 && self.aside.len() >= HOPELESS;
        }
    }

    /// Hands a result over, and has some of it made again by somebody else.
    fn count(&mut self, unit: Unit, outcome: Outcome, worker: &str, ms: u64) {
        let again = self.job.again(&unit, &outcome, worker);
        self.over |= self.job.count(&unit, outcome, worker, ms).is_break();
        if let Some((unit, expected)) = again.filter(|_| !self.over && self.workers.has_other_than(worker)) {
            self.open(unit, Some((worker.to_owned(), expected)));
        }
    }
}
