//! The coordinator: it cuts a plan into units, publishes as many as the workers can take, replays what comes back, and publishes again what is lost. It plays nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use quintet_agent::Catalogue;
use quintet_arena::{Hands, Identity, Missing, Openings, Plan, Played, RunError, check_players, verify};
use quintet_game::bits::mix;
use quintet_game::{GameSpec, Stop};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::message::{Announcement, Answer, Outcome, Unit, WorkerState, read};
use crate::queue::{Queue, QueueError, SIGN, Server, public};
use crate::tasks::{AUDIT, Event, TICK, WORKERS, answers, audits, hear_workers, publish};
use crate::units::{Units, is_repeatable};
use crate::workers::Workers;
use crate::{Say, runtime};

/// Units that wait for each worker, beyond those in play.
const WAITING: usize = 4;
/// A unit is set aside when this many workers could not play it, or all that there are, in this many attempts.
const MOST_FAILURES: usize = 3;
/// A run of which nothing could be played ends when this many units were set aside.
const HOPELESS: usize = 10;
/// One pair of games in this many is played again.
const AGAIN: u64 = 50;

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
        let failed = |why: &dyn std::fmt::Display| RunError::Hands(why.to_string());
        let runtime = runtime().map_err(|why| failed(&why))?;
        runtime.block_on(async {
            let queue = Queue::connect(&self.server, "quintet coordinator").await.map_err(|why| failed(&why))?;
            queue.prepare().await.map_err(|why| failed(&why))?;
            self.conduct(&queue, plan, missing, stop, finished).await
        })
    }
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
        let repeatable = is_repeatable(plan, &spec, self.agents);
        let mut announcement = Announcement::new(&self.build, plan, players, self.tag.clone());
        announcement.done = plan.games().saturating_sub(missing.count);
        let run = announcement.run.clone();
        let mut workers = Workers::new(&run, &self.build, self.tag.as_deref());
        if let Some(name) = &self.without {
            workers.bar(name, "the games that it had played were dropped");
        }
        let openings = Openings::new(spec, plan.opening_plies, plan.seed);
        // Units that an earlier coordinator of this run has left: the missing games are cut anew.
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
            workers,
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
    /// Who could not play it, and why, by the number of its message: an answer that comes twice counts once.
    failures: BTreeMap<u64, (String, String)>,
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
    workers: Workers,
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
        self.announcement.rate = self.stored as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
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

    /// Publishes as many units as the workers can take.
    fn publish(&mut self) {
        let room: usize = self.workers.able().map(|worker| worker.threads as usize + WAITING).sum();
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
        let games = match outcome {
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
            Outcome::Played(games) => games,
        };
        let Some(open) = self.open.get(&answer.unit) else { return Ok(()) };
        if let Err(why) = self.replay(&open.unit, &games) {
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
            Some((first, records)) => self.compare(&first, &records, &by, &games),
            None => {
                self.units.measured(games.len(), answer.ms);
                self.count(open.unit, games, &by);
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
        let failed: BTreeSet<&str> = open.failures.values().map(|(worker, _)| worker.as_str()).collect();
        let by_all = self.workers.able().all(|worker| failed.contains(worker.worker.as_str()));
        if failed.len() < MOST_FAILURES && !(by_all && open.failures.len() >= MOST_FAILURES) {
            self.publish_again(id);
        } else if let Some(mut open) = self.open.remove(id) {
            let why = open.failures.pop_last().map(|(_, (worker, why))| format!("{worker}: {why}")).unwrap_or_default();
            self.say(&format!("games {} are set aside: {why}", numbers(&open.unit)));
            if open.expected.is_none() {
                self.aside.push((open.unit, why));
            }
            self.over |= self.stored == 0 && self.aside.len() >= HOPELESS;
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
        if !again.games.is_empty() && !self.over && self.workers.has_other_than(worker) {
            self.open(again, Some((worker.to_owned(), records)));
        }
    }

    fn compare(&self, first: &str, records: &[String], second: &str, games: &[Played]) -> Result<(), RunError> {
        let differs = records.iter().zip(games).find(|(record, played)| **record != played.record);
        let Some((record, played)) = differs else { return Ok(()) };
        Err(RunError::Hands(format!(
            "the game {} was played again and came out differently, though no clock decides it: one of two workers is not to be trusted. \
             {first} sent {record}; {second} sent {}. Find out which of them is wrong, then go on with: quintet resume RUN --without-worker NAME, which drops its games",
            played.number, played.record
        )))
    }

    /// Has every unit been played?
    fn set_aside(&self) -> Result<(), RunError> {
        let Some((unit, why)) = self.aside.first() else { return Ok(()) };
        let games: usize = self.aside.iter().map(|(unit, _)| unit.games.len()).sum();
        Err(RunError::Hands(format!(
            "{games} games are missing, since no worker could play them, the first of them {}: {why}. Repair that, then resume the run",
            numbers(unit)
        )))
    }
}

fn numbers(unit: &Unit) -> String {
    let numbers: Vec<String> = unit.games.iter().map(|game| game.number.to_string()).collect();
    numbers.join(", ")
}
