//! The agents of rooms: they think in the pool of searches, one move at a time.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use quintet_api::{AgentFault, ApiError, ErrorKind, Pace, Room, SeatConfig, shown_report};
use quintet_game::{AnyLine, Limit, Player};
use quintet_search::Choice;
use serde_json::json;
use tokio::sync::broadcast;

use crate::pool::{Signals, unless_it_panics};
use crate::rooms::{OpenRoom, Rooms, locked};

/// How long a room waits before a search that failed is tried again, if the cause may pass: twice as long each time.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A move to be found.
struct Task {
    id: String,
    seat: Player,
    agent: String,
    seed: u64,
    line: Box<dyn AnyLine>,
}

impl Task {
    /// Does a room still wait for this move of this agent? In the meantime a move may have been taken back, or the seat given to another.
    fn waits(&self, room: &Room) -> bool {
        room.line().plies() == self.line.plies() && room.agent_to_move() == Some((self.seat, &*self.agent))
    }
}

impl Rooms {
    /// Starts the search of the agent whose turn it is, if any.
    /// Boxed because it is recursive: an agent may answer an agent, and a refused search is retried.
    pub fn go_on(self: &Arc<Rooms>, open: &Arc<OpenRoom>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(Arc::clone(self).set_to_think(Arc::clone(open)))
    }

    async fn set_to_think(self: Arc<Rooms>, open: Arc<OpenRoom>) {
        let room = open.room.lock().await;
        if room.agent_to_move().is_none() || room.fault().is_some() || locked(&open.search).is_some() {
            return;
        }
        let watched = open.events.receiver_count() > 0;
        if !watched && room.only_agents() {
            return;
        }
        let (id, client) = (room.record().id.clone(), *locked(&open.client));
        // Whoever has left gets the agent's answer, but no long search.
        let longest = if watched { self.limits.thought } else { self.limits.slice };
        // Within its clock: its own limits hold besides.
        let longest = room.time_to_think().map_or(longest, |time| longest.min(time));
        let (rooms, runtime, job) = (Arc::clone(&self), tokio::runtime::Handle::current(), Arc::clone(&open));
        let submitted = self.searches.submit(client, longest, move |signals| rooms.think(&job, signals, &runtime));
        match submitted {
            Ok(ticket) => {
                self.tell_place(&open, id, ticket.place());
                *locked(&open.search) = Some(ticket);
            }
            Err(busy) => {
                let _ = open.events.send(json!({ "room": id, "waiting": busy.to_string() }));
                drop(room);
                self.try_again(open, FIRST_WAIT);
            }
        }
    }

    /// Tells the listeners of a room how many searches are before its own, whenever that changes.
    fn tell_place(&self, open: &Arc<OpenRoom>, id: String, mut place: tokio::sync::watch::Receiver<usize>) {
        let events: broadcast::Sender<_> = open.events.clone();
        place.mark_changed();
        tokio::spawn(async move {
            while place.changed().await.is_ok() {
                let before = *place.borrow_and_update();
                if before > 0 {
                    let waiting = format!("number {before} in the queue of searches");
                    let _ = events.send(json!({ "room": id, "waiting": waiting, "queued": before }));
                }
            }
        });
    }

    /// Tries again what failed, after a while.
    pub fn try_again(self: Arc<Rooms>, open: Arc<OpenRoom>, after: Duration) {
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let mut room = Arc::clone(&open.room).lock_owned().await;
            if room.fault().is_some_and(|fault| fault.passing) {
                room.set_fault(None);
            }
            if room.is_over() {
                let client = *locked(&open.client);
                self.tell(client, &open, room).await;
            } else {
                drop(room);
                self.go_on(&open).await;
            }
        });
    }

    /// How long to wait before the next try, after one more failure.
    pub fn next_wait(open: &OpenRoom) -> Duration {
        let mut failures = locked(&open.failures);
        *failures += 1;
        FIRST_WAIT.saturating_mul(1 << failures.min(10)).min(LONGEST_WAIT)
    }

    /// Finds and plays the move of the agent whose turn it is, on a thread of the pool.
    fn think(self: &Arc<Rooms>, open: &Arc<OpenRoom>, signals: &Signals, runtime: &tokio::runtime::Handle) {
        let task = {
            let mut room = open.room.blocking_lock();
            let only_agents = room.only_agents();
            match room.agent_to_move() {
                Some((seat, agent)) if !only_agents || open.events.receiver_count() > 0 => {
                    let (id, agent) = (room.record().id.clone(), agent.to_owned());
                    // What it waited for a thread is not on its clock.
                    room.begin_turn(self.now());
                    Task { id, seat, agent, seed: room.agent_seed(seat), line: room.line().boxed_clone() }
                }
                _ => return forget_search(open),
            }
        };
        let found = unless_it_panics(|| self.choose(open, &task, signals));
        if signals.left() {
            return;
        }
        let done = match found {
            Ok(choice) => runtime.block_on(self.agent_has_moved(open, &task, &choice.mv)),
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => runtime.block_on(self.go_on(open)),
            Err(error) => runtime.block_on(self.agent_has_failed(open, &task, &error)),
        }
    }

    fn choose(&self, open: &OpenRoom, task: &Task, signals: &Signals) -> Result<Choice<String>, ApiError> {
        let Task { id, seat, agent: text, seed, line } = task;
        // The agent of its last move, with its tree and tables; a new one at first, or if it was evicted. One that panics is not kept.
        let mut agent = match self.idle.take(id, *seat, text) {
            Some(agent) => agent,
            None => {
                let made = self.api.seats.make(&self.api.agents, &line.spec(), text, *seed);
                // It was checked when the room was made, so what is wrong now may be right again later: weights that were moved away.
                made.map_err(|error| ApiError::new(ErrorKind::Storage, error))?
            }
        };
        // Listeners want to see the search, and may come while it runs.
        agent.watch_closely(Pace::BETWEEN);
        let mut pace = Pace::new();
        let choice = agent.think(&**line, &Limit::default(), &signals.stop, &mut |report| {
            if open.events.receiver_count() > 0 && !signals.left() && pace.due() {
                let thinking = json!({ "ply": line.plies(), "report": shown_report(report) });
                let _ = open.events.send(json!({ "thinking": thinking }));
            }
        });
        // While it thought, the seat may have been given to another, and the room may be gone. What changes a room holds it until the idle agents are forgotten.
        let room = open.room.blocking_lock();
        let still = matches!(&room.record().seats[seat.index()], SeatConfig::Agent { agent } if agent == text);
        if still && !room.is_over() && self.open_room(id).is_some() {
            self.idle.keep(id, *seat, text, agent);
        }
        drop(room);
        choice.map_err(ApiError::invalid)
    }

    async fn agent_has_moved(self: &Arc<Rooms>, open: &Arc<OpenRoom>, task: &Task, mv: &str) -> Result<(), ApiError> {
        let mut room = Arc::clone(&open.room).lock_owned().await;
        if !task.waits(&room) {
            return Ok(());
        }
        let change = room.advance(mv, self.now())?;
        self.commit(&mut room, change).await?;
        forget_search(open);
        *locked(&open.failures) = 0;
        let client = *locked(&open.client);
        self.tell(client, open, room).await;
        Ok(())
    }

    /// A room never waits in silence: what went wrong becomes part of its state, and is tried again if the cause may pass.
    async fn agent_has_failed(self: &Arc<Rooms>, open: &Arc<OpenRoom>, task: &Task, error: &ApiError) {
        let room = Arc::clone(&open.room).lock_owned().await;
        if !task.waits(&room) {
            return;
        }
        forget_search(open);
        let passing = error.kind == ErrorKind::Storage;
        let what = match error.kind {
            ErrorKind::Storage => format!("the agent's move was not stored: {error}"),
            _ => format!("the agent did not move: {error}"),
        };
        self.fail(open, room, AgentFault { what, passing }).await;
        if passing {
            let wait = Rooms::next_wait(open);
            Arc::clone(self).try_again(Arc::clone(open), wait);
        }
    }
}

/// The search of a room is over. Its ticket is dropped where nothing is locked, because that cancels it in the queue.
fn forget_search(open: &OpenRoom) {
    let ticket = locked(&open.search).take();
    drop(ticket);
}
