//! Rooms with storage, listeners and agents around the state machine of `quintet_api`.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quintet_agent::Catalogue;
use quintet_api::{ApiError, Change, ErrorKind, NewRoom, Room, RoomRecord, shown_report, visitor_agent};
use quintet_game::bits::mix;
use quintet_game::{Limit, Player};
use serde_json::{Value, json};
use tokio::sync::{Mutex as AsyncMutex, broadcast};

use crate::idle_agents::{IDLE_BYTES, IdleAgents};
use crate::people::source;
use crate::pool::{Pool, Ticket};
use crate::room_store::RoomStore;
use crate::search::{BETWEEN_REPORTS, Pace, limited};

/// The most rooms in memory; those without listeners are dropped first and read again when needed.
const AWAKE: usize = 2000;

/// A room in memory.
struct Awake {
    room: AsyncMutex<Room>,
    events: broadcast::Sender<Value>,
    /// The search of the agent whose turn it is.
    search: Mutex<Option<Ticket>>,
    touched: Mutex<Instant>,
}

/// All rooms.
pub struct Rooms {
    awake: Mutex<HashMap<String, Arc<Awake>>>,
    store: RoomStore,
    pool: Arc<Pool>,
    agents: Arc<Catalogue>,
    idle: Arc<IdleAgents>,
    /// The longest time for a move.
    longest: Duration,
    /// The start of the rooms' time.
    start: Instant,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Random letters and digits.
fn secret(length: usize) -> Result<String, ApiError> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::invalid(format!("no random numbers available: {error}")))?;
    Ok(bytes.iter().map(|byte| LETTERS[usize::from(byte % 32)] as char).collect())
}

/// The seed of an agent: its own stream for every room and seat, so that an agent differs between games.
fn seed(room: &str, seat: Player) -> u64 {
    room.bytes().fold(seat.index() as u64, |seed, byte| mix(seed ^ u64::from(byte)))
}

impl Rooms {
    /// Rooms on top of a store.
    pub fn new(store: RoomStore, pool: Arc<Pool>, agents: Arc<Catalogue>, longest: Duration) -> Rooms {
        let idle = Arc::new(IdleAgents::new(IDLE_BYTES));
        Rooms { awake: Mutex::default(), store, pool, agents, idle, longest, start: Instant::now() }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Creates a room. Returns its name and a token for each seat.
    pub async fn make(self: &Arc<Rooms>, new: NewRoom) -> Result<Value, ApiError> {
        new.check(&self.agents)?;
        let room = Room::new(&new, secret(10)?, [secret(26)?, secret(26)?], self.now())?;
        let made = json!({ "room": room.record().id, "tokens": room.record().tokens });
        self.save(room.record()).await?;
        let awake = self.wake(room);
        self.go_on(&awake).await;
        Ok(made)
    }

    async fn save(&self, record: &RoomRecord) -> Result<(), ApiError> {
        let text = serde_json::to_string(record).map_err(ApiError::invalid)?;
        self.store.save(&record.id, text).await.map_err(|error| ApiError::new(ErrorKind::Storage, error))
    }

    /// Stores a change, then applies it.
    async fn commit(&self, room: &mut Room, change: Change) -> Result<(), ApiError> {
        self.save(change.record()).await?;
        room.apply(change, self.now());
        Ok(())
    }

    fn wake(&self, room: Room) -> Arc<Awake> {
        let id = room.record().id.clone();
        let mut awake = locked(&self.awake);
        if awake.len() >= AWAKE {
            let idle =
                awake.iter().filter(|(_, room)| room.events.receiver_count() == 0 && Arc::strong_count(room) == 1);
            if let Some(oldest) = idle.min_by_key(|(_, room)| *locked(&room.touched)).map(|(id, _)| id.clone()) {
                awake.remove(&oldest);
            }
        }
        let room = Arc::new(Awake {
            room: AsyncMutex::new(room),
            events: broadcast::channel(16).0,
            search: Mutex::default(),
            touched: Mutex::new(Instant::now()),
        });
        // Two requests may have read it at once: the first one stays.
        Arc::clone(awake.entry(id).or_insert(room))
    }

    /// A room, read from the disk if necessary.
    async fn find(self: &Arc<Rooms>, id: &str) -> Result<Arc<Awake>, ApiError> {
        if let Some(room) = locked(&self.awake).get(id) {
            *locked(&room.touched) = Instant::now();
            return Ok(Arc::clone(room));
        }
        let stored = self.store.load(id).await.map_err(ApiError::invalid)?;
        let stored = stored.ok_or_else(|| ApiError::missing("there is no such game, or it has been deleted"))?;
        let record: RoomRecord = serde_json::from_str(&stored).map_err(ApiError::invalid)?;
        let awake = self.wake(Room::restore(record, self.now())?);
        // A server that was killed after the last move may not have put the game into the store yet.
        let mut room = awake.room.lock().await;
        if room.is_over() && !room.record().stored {
            self.tell(&awake, &mut room).await?;
        }
        drop(room);
        self.go_on(&awake).await;
        Ok(awake)
    }

    /// What everyone may see of a room.
    pub async fn show(self: &Arc<Rooms>, id: &str) -> Result<Value, ApiError> {
        let awake = self.find(id).await?;
        let room = awake.room.lock().await;
        Ok(room.shown())
    }

    /// The room's state, the seat that the token opens, and its future events.
    pub async fn watch(
        self: &Arc<Rooms>,
        id: &str,
        token: Option<&str>,
    ) -> Result<(Value, broadcast::Receiver<Value>), ApiError> {
        let awake = self.find(id).await?;
        let room = awake.room.lock().await;
        let mut shown = room.shown();
        shown["seat"] = json!(token.and_then(|token| room.seat_of(token)));
        Ok((shown, awake.events.subscribe()))
    }

    /// Plays a person's move. When this returns it is on the disk.
    pub async fn play(self: &Arc<Rooms>, id: &str, token: &str, ply: usize, mv: &str) -> Result<(), ApiError> {
        let awake = self.find(id).await?;
        let mut room = awake.room.lock().await;
        let Some(change) = room.play(token, ply, mv, self.now())? else { return Ok(()) };
        self.commit(&mut room, change).await?;
        self.tell(&awake, &mut room).await?;
        drop(room);
        self.go_on(&awake).await;
        Ok(())
    }

    /// Tells all listeners the state; a finished game goes into the store.
    async fn tell(&self, awake: &Awake, room: &mut Room) -> Result<(), ApiError> {
        if room.is_over() && !room.record().stored {
            let source = source(room.record().seats.each_ref().map(|seat| seat.is_person()));
            // Its name makes this safe to repeat, which happens if the server is killed before the room is updated.
            self.store.finish(room.game_record(), source, &room.record().id).await.map_err(ApiError::invalid)?;
            let change = room.stored();
            self.commit(room, change).await?;
            self.idle.forget(&room.record().id);
        }
        // It lists all legal moves, which is wasted without listeners.
        if awake.events.receiver_count() > 0 {
            let _ = awake.events.send(room.shown());
        }
        Ok(())
    }

    /// Takes back the last move of the side that asks, and everything after it.
    pub async fn undo(self: &Arc<Rooms>, id: &str, token: &str, other: Option<&str>) -> Result<(), ApiError> {
        let awake = self.find(id).await?;
        let mut room = awake.room.lock().await;
        let change = room.undo(token, other)?;
        locked(&awake.search).take();
        self.commit(&mut room, change).await?;
        self.tell(&awake, &mut room).await?;
        drop(room);
        self.go_on(&awake).await;
        Ok(())
    }

    /// Gives a game up.
    pub async fn resign(self: &Arc<Rooms>, id: &str, token: &str) -> Result<(), ApiError> {
        let awake = self.find(id).await?;
        let mut room = awake.room.lock().await;
        let change = room.resign(token)?;
        locked(&awake.search).take();
        self.commit(&mut room, change).await?;
        self.tell(&awake, &mut room).await
    }

    /// Lets the agent whose turn it is play the best move found so far.
    pub async fn hurry(self: &Arc<Rooms>, id: &str, token: &str) -> Result<(), ApiError> {
        let awake = self.find(id).await?;
        let room = awake.room.lock().await;
        room.authorised(token)?;
        match &*locked(&awake.search) {
            Some(search) if room.agent_to_move().is_some() => search.stop(),
            _ => return Err(ApiError::invalid("no agent is thinking about this game")),
        }
        Ok(())
    }

    /// Deletes a room.
    pub async fn delete(self: &Arc<Rooms>, id: &str, token: &str) -> Result<(), ApiError> {
        let awake = self.find(id).await?;
        let room = awake.room.lock().await;
        room.authorised(token)?;
        locked(&awake.search).take();
        self.store.delete(id).await.map_err(ApiError::invalid)?;
        locked(&self.awake).remove(id);
        self.idle.forget(id);
        Ok(())
    }

    /// Starts the search of the agent whose turn it is, if any.
    /// Boxed because it is recursive: an agent may answer an agent, and a refused search is retried.
    fn go_on(self: &Arc<Rooms>, awake: &Arc<Awake>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(Arc::clone(self).set_to_think(Arc::clone(awake)))
    }

    async fn set_to_think(self: Arc<Rooms>, awake: Arc<Awake>) {
        let room = awake.room.lock().await;
        let Some((seat, name)) = room.agent_to_move() else { return };
        if locked(&awake.search).is_some() {
            return;
        }
        let (name, line, id) = (name.to_owned(), room.line().boxed_clone(), room.record().id.clone());
        let (rooms, handle, events) = (Arc::clone(&self), tokio::runtime::Handle::current(), awake.events.clone());
        let submitted = self.pool.submit(move |signals| {
            // The agent of its last move, with its tree and tables; a new one at first, or if it was evicted.
            let fresh = || visitor_agent(&rooms.agents, &line.spec(), &name, seed(&id, seat));
            let mut agent = match rooms.idle.take(&id, seat).map_or_else(fresh, Ok) {
                Ok(agent) => agent,
                Err(error) => {
                    let _ = events.send(json!({ "room": id, "error": error.to_string() }));
                    return;
                }
            };
            // Listeners want to see the search, and may come while it runs.
            agent.watch_closely(BETWEEN_REPORTS);
            let limit = limited(Limit::default(), &signals.stop, &handle, rooms.longest);
            let mut pace = Pace::new();
            let choice = agent.think(&*line, &limit, &signals.stop, &mut |report| {
                if events.receiver_count() > 0 && !signals.left() && pace.due() {
                    let thinking = json!({ "ply": line.plies(), "report": shown_report(report) });
                    let _ = events.send(json!({ "thinking": thinking }));
                }
            });
            rooms.idle.keep(&id, seat, agent);
            if let Ok(choice) = choice
                && !signals.left()
            {
                handle.block_on(rooms.agent_has_moved(&id, line.plies(), &choice.mv));
            }
        });
        match submitted {
            Ok(ticket) => *locked(&awake.search) = Some(ticket),
            Err(busy) => {
                let _ = awake.events.send(json!({ "room": room.record().id, "waiting": busy.to_string() }));
                drop(room);
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    self.go_on(&awake).await;
                });
            }
        }
    }

    async fn agent_has_moved(self: &Arc<Rooms>, id: &str, ply: usize, mv: &str) {
        let Ok(awake) = self.find(id).await else { return };
        let mut room = awake.room.lock().await;
        // A move may have been taken back in the meantime.
        if room.line().plies() != ply || room.agent_to_move().is_none() {
            return;
        }
        locked(&awake.search).take();
        let advanced = match room.advance(mv, self.now()) {
            Ok(change) => self.commit(&mut room, change).await,
            Err(error) => Err(error),
        };
        let told = match advanced {
            Ok(()) => self.tell(&awake, &mut room).await,
            Err(error) => Err(error),
        };
        if let Err(error) = told {
            let _ = awake.events.send(json!({ "room": id, "error": error.to_string() }));
            return;
        }
        drop(room);
        self.go_on(&awake).await;
    }
}
