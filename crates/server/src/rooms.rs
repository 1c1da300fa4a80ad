//! Rooms with storage and listeners around the state machine of `quintet_api`. The agents in them think in `thinking.rs`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use quintet_api::{AgentFault, Api, ApiError, Change, ErrorKind, Message, NewRoom, Room, RoomRecord, SeatConfig};
use serde_json::{Value, json};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, broadcast};
use tokio::task::AbortHandle;

use crate::Limits;
use crate::client::Client;
use crate::idle_agents::{IDLE_BYTES, IdleAgents};
use crate::people::source;
use crate::pool::{Pool, Ticket};
use crate::room_store::RoomStore;
use crate::work::{Pools, quickly};

/// The most bytes of rooms in memory; those without listeners are dropped first and read again when needed.
const OPEN_BYTES: usize = 96 << 20;

/// Counted for every room in addition to its positions.
const OVERHEAD: usize = 8 << 10;

/// The longest name of a room, and the longest token.
const LONGEST_KEY: usize = 64;

/// A room in memory.
pub struct OpenRoom {
    pub room: Arc<AsyncMutex<Room>>,
    pub events: broadcast::Sender<Value>,
    /// The search of the agent whose turn it is.
    pub search: Mutex<Option<Ticket>>,
    /// Whoever asked last: the agents' searches are theirs.
    pub client: Mutex<Client>,
    /// How often the agent's move has failed for a cause that may pass.
    pub failures: Mutex<u32>,
    /// Waits until the flag of the person to move falls.
    pub timer: Mutex<Option<AbortHandle>>,
    touched: Mutex<Instant>,
    bytes: Mutex<usize>,
}

/// All rooms.
pub struct Rooms {
    open: Mutex<HashMap<String, Arc<OpenRoom>>>,
    store: RoomStore,
    pub searches: Arc<Pool>,
    quick: Arc<Pool>,
    pub api: Api,
    pub idle: Arc<IdleAgents>,
    pub limits: Limits,
    /// When the server started, and what the time of day was then: the rooms' time goes on evenly from there, and can be compared with that of an earlier start.
    start: Instant,
    time_of_day: Duration,
}

impl Drop for OpenRoom {
    fn drop(&mut self) {
        if let Some(timer) = &*locked(&self.timer) {
            timer.abort();
        }
    }
}

pub fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Random letters and digits.
fn secret(length: usize) -> Result<String, ApiError> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|error| ApiError::invalid(format!("no random numbers available: {error}")))?;
    Ok(bytes.iter().map(|byte| LETTERS[usize::from(byte % 32)] as char).collect())
}

fn token() -> Result<String, ApiError> {
    secret(26)
}

/// A room that nobody else can change meanwhile.
pub type Held = OwnedMutexGuard<Room>;

impl Rooms {
    /// Rooms on top of a store.
    pub fn new(store: RoomStore, pools: &Pools, api: Api, limits: Limits) -> Rooms {
        Rooms {
            open: Mutex::default(),
            store,
            searches: Arc::clone(&pools.searches),
            quick: Arc::clone(&pools.quick),
            api,
            idle: Arc::new(IdleAgents::new(IDLE_BYTES)),
            limits,
            start: Instant::now(),
            time_of_day: SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default(),
        }
    }

    pub fn now(&self) -> Duration {
        self.time_of_day + self.start.elapsed()
    }

    /// Creates a room. Returns its name, the tokens of the seats of people, and that of the owner.
    pub async fn make(self: &Arc<Rooms>, client: Client, new: NewRoom) -> Result<Value, ApiError> {
        let notice = self.room_for_one_more(client).await?;
        let (api, tokens, id, now) = (self.api.clone(), [token()?, token()?, token()?], secret(10)?, self.now());
        let room = quickly(&self.quick, client, move || {
            new.check(&api)?;
            Room::new(&new, id, tokens, now)
        });
        let room = room.await?;
        let record = room.record();
        let tokens = record.tokens.each_ref().map(|token| (!token.is_empty()).then_some(token));
        let made = json!({ "room": record.id, "tokens": tokens, "owner": record.owner, "notice": notice });
        self.store.create(&record.id, &client.address.to_string(), text(record)?).await.map_err(storage)?;
        let open = self.wake(client, room)?;
        self.go_on(&open).await;
        Ok(made)
    }

    /// Checks that one more room may be stored; a notice when that will soon be no longer so.
    async fn room_for_one_more(&self, client: Client) -> Result<Option<String>, ApiError> {
        let (own, all) = self.store.count(&client.address.to_string()).await.map_err(storage)?;
        let (most_own, most) = (self.limits.rooms_per_address, self.limits.rooms);
        if own >= most_own {
            let why = format!("{own} games are stored for your address, which is the most; delete some under My games");
            return Err(ApiError::new(ErrorKind::Storage, why));
        }
        if all >= most {
            let why = format!("{all} games are stored here, which is the most; try again when some have been archived");
            return Err(ApiError::new(ErrorKind::Storage, why));
        }
        let soon = |now: usize, most: usize| now + 1 >= most - most / 5;
        if soon(own, most_own) {
            let left = most_own - own - 1;
            return Ok(Some(format!("You can store {left} more games here; delete those that you no longer need.")));
        }
        Ok(soon(all, most).then(|| format!("This server can store {} more games.", most - all - 1)))
    }

    async fn save(&self, record: &RoomRecord) -> Result<(), ApiError> {
        self.store.save(&record.id, text(record)?).await.map_err(storage)
    }

    /// Stores a change, then applies it.
    pub async fn commit(&self, room: &mut Room, change: Change) -> Result<(), ApiError> {
        self.save(change.record()).await?;
        room.apply(change, self.now());
        Ok(())
    }

    fn wake(&self, client: Client, room: Room) -> Result<Arc<OpenRoom>, ApiError> {
        let (id, bytes) = (room.record().id.clone(), room.line().bytes() + OVERHEAD);
        let mut open = locked(&self.open);
        let mut held: usize = open.values().map(|room| *locked(&room.bytes)).sum();
        while held + bytes > OPEN_BYTES {
            let idle =
                open.iter().filter(|(_, room)| room.events.receiver_count() == 0 && Arc::strong_count(room) == 1);
            let Some(oldest) = idle.min_by_key(|(_, room)| *locked(&room.touched)).map(|(id, _)| id.clone()) else {
                return Err(ApiError::new(ErrorKind::Busy, "too many games are being played here; try again later"));
            };
            held -= open.remove(&oldest).map_or(0, |room| *locked(&room.bytes));
        }
        let room = Arc::new(OpenRoom {
            room: Arc::new(AsyncMutex::new(room)),
            events: broadcast::channel(4).0,
            search: Mutex::default(),
            client: Mutex::new(client),
            failures: Mutex::default(),
            timer: Mutex::default(),
            touched: Mutex::new(Instant::now()),
            bytes: Mutex::new(bytes),
        });
        // Two requests may have read it at once: the first one stays.
        Ok(Arc::clone(open.entry(id).or_insert(room)))
    }

    /// A room as it is in memory, if it is.
    pub fn open_room(&self, id: &str) -> Option<Arc<OpenRoom>> {
        locked(&self.open).get(id).cloned()
    }

    /// A stored room, played to where it is.
    async fn load(&self, client: Client, id: &str) -> Result<Room, ApiError> {
        let stored = self.store.load(id).await.map_err(storage)?;
        let stored = stored.ok_or_else(|| ApiError::missing("there is no such game, or it has been deleted"))?;
        let (now, start) = (self.now(), self.time_of_day);
        let restore = move || {
            let mut record: RoomRecord = serde_json::from_str(&stored).map_err(ApiError::invalid)?;
            // While the server was away, nobody's clock ran.
            record.count_from(start);
            Room::restore(record, now)
        };
        quickly(&self.quick, client, restore).await
    }

    /// A room, read from the disk if necessary.
    async fn find(self: &Arc<Rooms>, client: Client, id: &str) -> Result<Arc<OpenRoom>, ApiError> {
        short(id)?;
        if let Some(room) = self.open_room(id) {
            *locked(&room.touched) = Instant::now();
            *locked(&room.client) = Client { session: room_session(id), ..client };
            return Ok(room);
        }
        let client = Client { session: room_session(id), ..client };
        let open = self.wake(client, self.load(client, id).await?)?;
        let mut room = Arc::clone(&open.room).lock_owned().await;
        // The time may have run out while the room was on the disk.
        self.keep_time(&mut room).await?;
        // A server that was killed after the last move may not have put the game into the store yet.
        if room.is_over() && !room.record().stored {
            self.put_into_store(&mut room).await?;
        }
        self.set_timer(&open, &room);
        drop(room);
        Ok(open)
    }

    /// Does something with a room that only looks at it and computes, away from the threads that answer.
    async fn with<T: Send + 'static>(
        &self,
        client: Client,
        room: Held,
        work: impl FnOnce(&mut Room) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<(Held, T), ApiError> {
        let mut room = room;
        quickly(&self.quick, client, move || work(&mut room).map(|done| (room, done))).await
    }

    /// What everyone may see of a room.
    pub async fn show(self: &Arc<Rooms>, client: Client, id: &str) -> Result<Value, ApiError> {
        let open = self.find(client, id).await?;
        let room = Arc::clone(&open.room).lock_owned().await;
        let now = self.now();
        let (_, shown) = self.with(client, room, move |room| Ok(room.shown(now))).await?;
        self.go_on(&open).await;
        Ok(shown)
    }

    /// A room to look at. One on the disk stays there.
    async fn glance(&self, client: Client, id: &str) -> Option<Held> {
        if let Some(open) = short(id).ok().map(|()| self.open_room(id))? {
            return Some(Arc::clone(&open.room).lock_owned().await);
        }
        let mut room = self.load(client, id).await.ok()?;
        // That its time is up is stored when the room is opened.
        if let Some(over) = room.flagged(self.now()) {
            room.apply(over, self.now());
        }
        Some(Arc::new(AsyncMutex::new(room)).lock_owned().await)
    }

    /// What a function tells of a room, if there is such a room.
    pub async fn told<T>(&self, client: Client, id: &str, tell: impl FnOnce(&Room) -> T) -> Option<T> {
        Some(tell(&*self.glance(client, id).await?))
    }

    /// A room of a list: its state without the legal moves, if the token opens a seat or is the owner's.
    pub async fn listed(self: &Arc<Rooms>, client: Client, id: &str, token: &str) -> Option<Value> {
        let (now, room) = (self.now(), self.glance(client, id).await?);
        let seat = room.seat_of(token);
        if seat.is_none() && room.takes_part(token).is_err() {
            return None;
        }
        let (_, mut listed) = self.with(client, room, move |room| Ok(room.listed(now))).await.ok()?;
        listed["seat"] = json!(seat);
        Some(listed)
    }

    /// The room's state, the seat that the token opens, and its future events.
    pub async fn watch(
        self: &Arc<Rooms>,
        client: Client,
        id: &str,
        token: Option<&str>,
    ) -> Result<(Value, broadcast::Receiver<Value>), ApiError> {
        let open = self.find(client, id).await?;
        let room = Arc::clone(&open.room).lock_owned().await;
        let now = self.now();
        let (room, mut shown) = self.with(client, room, move |room| Ok(room.shown(now))).await?;
        shown["seat"] = json!(token.and_then(|token| room.seat_of(token)));
        let events = open.events.subscribe();
        drop(room);
        // Two agents play only while somebody watches.
        self.go_on(&open).await;
        Ok((shown, events))
    }

    /// Makes a change, stores it, and tells everyone. `plan` says what the change is.
    async fn change<T: Send + 'static>(
        self: &Arc<Rooms>,
        client: Client,
        id: &str,
        plan: impl FnOnce(&Room) -> Result<(Option<Change>, T), ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let open = self.find(client, id).await?;
        let mut room = Arc::clone(&open.room).lock_owned().await;
        if self.keep_time(&mut room).await? {
            self.tell(client, &open, room).await;
            room = Arc::clone(&open.room).lock_owned().await;
        }
        let (mut room, (change, answer)) = self.with(client, room, |room| plan(room)).await?;
        let Some(change) = change else { return Ok(answer) };
        // A search for the position that is now over.
        let before = locked(&open.search).take();
        drop(before);
        self.commit(&mut room, change).await?;
        *locked(&open.bytes) = room.line().bytes() + OVERHEAD;
        self.tell(client, &open, room).await;
        self.go_on(&open).await;
        Ok(answer)
    }

    /// Does what a message about a room says, and answers it. When this returns, what has changed is on the disk.
    pub async fn obey(self: &Arc<Rooms>, client: Client, id: &str, message: Message) -> Result<Value, ApiError> {
        let (api, now, new) = (self.api.clone(), self.now(), token()?);
        let replaced = matches!(message, Message::Replace { .. });
        let answer = self.change(client, id, move |room| room.obey(&api, &message, now, &new)).await?;
        if replaced {
            self.idle.forget(id);
        }
        Ok(answer)
    }

    /// Asks the other person for a rematch, or agrees to it: then its room is there before anybody is told of it.
    pub async fn rematch(self: &Arc<Rooms>, client: Client, id: &str, token: String) -> Result<(), ApiError> {
        let open = self.find(client, id).await?;
        let room = Arc::clone(&open.room).lock_owned().await;
        let (name, now) = (secret(10)?, self.now());
        let (mut room, (change, next)) = self.with(client, room, move |room| room.rematch(&token, &name, now)).await?;
        if let Some(next) = next {
            self.room_for_one_more(client).await?;
            self.store
                .create(&next.record().id, &client.address.to_string(), text(next.record())?)
                .await
                .map_err(storage)?;
        }
        self.commit(&mut room, change).await?;
        self.tell(client, &open, room).await;
        Ok(())
    }

    /// Exchanges the token of an invitation for one that only the claimant has.
    pub async fn claim(
        self: &Arc<Rooms>,
        client: Client,
        id: &str,
        invitation: &str,
        name: &str,
    ) -> Result<Value, ApiError> {
        let (invitation, name, new, api) = (invitation.to_owned(), name.to_owned(), token()?, self.api.clone());
        self.change(client, id, move |room| {
            SeatConfig::Person { name: name.clone() }.check(&api, &room.line().spec())?;
            let (seat, change) = room.claim(&invitation, &name, new.clone())?;
            Ok((Some(change), json!({ "token": new, "seat": seat })))
        })
        .await
    }

    /// Lets the agent whose turn it is try again.
    pub async fn retry(self: &Arc<Rooms>, client: Client, id: &str, token: &str) -> Result<(), ApiError> {
        let open = self.find(client, id).await?;
        let mut room = Arc::clone(&open.room).lock_owned().await;
        room.takes_part(token)?;
        if room.fault().is_none() {
            return Err(ApiError::invalid("nothing has gone wrong in this game"));
        }
        room.set_fault(None);
        *locked(&open.failures) = 0;
        self.idle.forget(id);
        self.tell(client, &open, room).await;
        self.go_on(&open).await;
        Ok(())
    }

    /// Notes why an agent does not move, for everyone in the room and those who come later.
    pub async fn fail(self: &Arc<Rooms>, open: &Arc<OpenRoom>, mut room: Held, fault: AgentFault) {
        room.set_fault(Some(fault));
        let client = *locked(&open.client);
        self.tell(client, open, room).await;
    }

    /// A finished game goes into the store. Its name makes this safe to repeat, which happens if the server is killed before the room is updated.
    async fn put_into_store(&self, room: &mut Room) -> Result<(), ApiError> {
        let record = room.record();
        let people = record.seats.each_ref().map(SeatConfig::is_person);
        let source = source(people, record.counts());
        self.store.finish(room.game_record(), source, &record.id).await.map_err(storage)?;
        let change = room.stored();
        self.commit(room, change).await?;
        self.idle.forget(&room.record().id);
        Ok(())
    }

    /// Tells all listeners the state; a finished game goes into the store, and a running clock is watched.
    pub async fn tell(self: &Arc<Rooms>, client: Client, open: &Arc<OpenRoom>, mut room: Held) {
        self.set_timer(open, &room);
        if room.is_over() && !room.record().stored {
            // The last move is on the disk; a game that cannot be put into the store now is put there later.
            let kept = self.put_into_store(&mut room).await;
            if let Err(error) = kept {
                let what = format!("the game is not in the store of games yet: {error}");
                room.set_fault(Some(AgentFault { what, passing: true }));
                Arc::clone(self).try_again(Arc::clone(open), Rooms::next_wait(open));
            }
        }
        // It lists all legal moves, which is wasted without listeners.
        let now = self.now();
        if open.events.receiver_count() > 0
            && let Ok((_, shown)) = self.with(client, room, move |room| Ok(room.shown(now))).await
        {
            let _ = open.events.send(shown);
        }
    }

    /// Lets the agent whose turn it is play the best move found so far.
    pub async fn hurry(self: &Arc<Rooms>, client: Client, id: &str, token: &str) -> Result<(), ApiError> {
        let open = self.find(client, id).await?;
        let room = open.room.lock().await;
        room.takes_part(token)?;
        match &*locked(&open.search) {
            Some(search) if room.agent_to_move().is_some() => search.stop(),
            _ => return Err(ApiError::invalid("no agent is thinking about this game")),
        }
        Ok(())
    }

    /// Deletes a room.
    pub async fn delete(self: &Arc<Rooms>, client: Client, id: &str, token: &str) -> Result<(), ApiError> {
        let open = self.find(client, id).await?;
        let room = open.room.lock().await;
        room.owned_by(token)?;
        let search = locked(&open.search).take();
        drop(search);
        self.store.delete(id).await.map_err(storage)?;
        locked(&self.open).remove(id);
        self.idle.forget(id);
        Ok(())
    }

    /// Archives the rooms in which nothing has happened for too long. Returns how many.
    pub async fn archive(&self) -> Result<usize, ApiError> {
        let watched = |id: &str| self.open_room(id).is_some_and(|open| open.events.receiver_count() > 0);
        let archived = self.store.archive(self.limits.room_idle).await.map_err(storage)?;
        for id in archived.iter().filter(|id| !watched(id)) {
            locked(&self.open).remove(id);
            self.idle.forget(id);
        }
        Ok(archived.len())
    }
}

/// The queue of a room's searches.
fn room_session(id: &str) -> u64 {
    // The highest bit sets rooms apart from sockets, which are counted from 1.
    id.bytes().fold(1 << 63, |hash, byte| quintet_game::bits::mix(hash ^ u64::from(byte)) | 1 << 63)
}

fn text(record: &RoomRecord) -> Result<String, ApiError> {
    serde_json::to_string(record).map_err(ApiError::invalid)
}

fn storage(error: impl std::fmt::Display) -> ApiError {
    ApiError::new(ErrorKind::Storage, error)
}

/// Refuses what cannot be the name of a room.
fn short(id: &str) -> Result<(), ApiError> {
    if id.len() > LONGEST_KEY {
        Err(ApiError::missing("there is no such game, or it has been deleted"))
    } else {
        Ok(())
    }
}
