//! Games between two seats: people with a token, agents, or one of each.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quintet_agent::Catalogue;
use quintet_game::record::Record;
use quintet_game::{GameSpec, Table};
use quintet_search::Limit;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;
use tokio::sync::{Mutex as AsyncMutex, broadcast};

use crate::answer::{Refused, state};
use crate::ask::{LONGEST_GAME, Place, agent};
use crate::keeper::Keeper;
use crate::people::source;
use crate::pool::{Pool, Ticket};
use crate::sitter::Sitter;
use crate::think::{BETWEEN_REPORTS, Pace, limited, report};

/// Rooms in memory; those that nobody looks at make room for others and are read again when somebody does.
const AWAKE: usize = 2000;

/// A game as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Room {
    id: String,
    game: String,
    from: Option<String>,
    moves: Vec<String>,
    /// Milliseconds that each move took.
    ms: Vec<u64>,
    seats: [Sitter; 2],
    tokens: [String; 2],
    /// `first` or `second`: who has resigned.
    resigned: Option<String>,
    /// It is in the store of finished games.
    stored: bool,
}

/// A room that is awake.
struct Awake {
    inner: AsyncMutex<Inner>,
    events: broadcast::Sender<Value>,
    /// The search of the agent whose turn it is.
    search: Mutex<Option<Ticket>>,
    touched: Mutex<Instant>,
}

struct Inner {
    room: Room,
    table: Box<dyn Table>,
    /// When the last move was made.
    since: Instant,
}

/// All rooms.
pub struct Rooms {
    awake: Mutex<HashMap<String, Arc<Awake>>>,
    keeper: Keeper,
    pool: Arc<Pool>,
    agents: Arc<Catalogue>,
    /// The longest thought about a move.
    longest: Duration,
}

/// What a new room is made of.
#[derive(Debug, Deserialize)]
pub struct Wanted {
    #[serde(flatten)]
    place: Place,
    seats: [Sitter; 2],
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Random letters and digits.
fn secret(length: usize) -> Result<String, Refused> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|error| Refused::because(format!("no random numbers here: {error}")))?;
    Ok(bytes.iter().map(|byte| LETTERS[usize::from(byte % 32)] as char).collect())
}

impl Inner {
    fn new(room: Room) -> Result<Inner, Refused> {
        let place = Place { game: room.game.clone(), position: room.from.clone(), moves: room.moves.clone() };
        Ok(Inner { table: place.table()?, room, since: Instant::now() })
    }

    fn over(&self) -> bool {
        self.table.end().is_some() || self.room.resigned.is_some()
    }

    /// What everybody may see.
    fn shown(&self) -> Value {
        let mut shown = state(&*self.table);
        if let Some(loser) = &self.room.resigned {
            shown["outcome"] = json!(if loser == "first" { "second" } else { "first" });
            shown["reason"] = json!("resigned");
            shown["legal"] = json!([]);
        }
        shown["room"] = json!(self.room.id);
        shown["seats"] = json!(self.room.seats);
        shown["ms"] = json!(self.room.ms);
        shown
    }

    /// The seat that a token opens.
    fn seat_of(&self, token: &str) -> Option<usize> {
        self.room.tokens.iter().position(|known| known.as_bytes().ct_eq(token.as_bytes()).into())
    }

    /// The agent whose turn it is.
    fn agent_to_move(&self) -> Option<&str> {
        match &self.room.seats[self.table.to_move().index()] {
            Sitter::Agent { agent } if !self.over() => Some(agent),
            _ => None,
        }
    }

    fn record(&self) -> Record {
        let names = [self.room.seats[0].name(), self.room.seats[1].name()];
        let mut record = Record::of(&*self.table, names, None);
        if let Some(loser) = &self.room.resigned {
            record.result = if loser == "first" { "second" } else { "first" }.into();
            record.reason = "resigned".into();
        }
        record
    }
}

impl Rooms {
    /// Rooms over what was kept.
    pub fn new(keeper: Keeper, pool: Arc<Pool>, agents: Arc<Catalogue>, longest: Duration) -> Rooms {
        Rooms { awake: Mutex::default(), keeper, pool, agents, longest }
    }

    /// Makes a room: its name, and a token for each seat.
    pub async fn make(self: &Arc<Rooms>, wanted: Wanted) -> Result<Value, Refused> {
        let table = wanted.place.table()?;
        let spec = table.spec();
        for sitter in &wanted.seats {
            sitter.check(&self.agents, &spec)?;
        }
        let room = Room {
            id: secret(10)?,
            game: spec.to_string(),
            from: table.begun_from(),
            moves: table.moves(),
            ms: vec![0; table.plies()],
            seats: wanted.seats,
            tokens: [secret(26)?, secret(26)?],
            resigned: None,
            stored: false,
        };
        let made = json!({ "room": room.id, "tokens": room.tokens });
        self.keep(&room).await?;
        let awake = self.wake(Inner::new(room)?);
        self.go_on(&awake).await;
        Ok(made)
    }

    async fn keep(&self, room: &Room) -> Result<(), Refused> {
        let text = serde_json::to_string(room).map_err(Refused::because)?;
        self.keeper.save(&room.id, text).await.map_err(|error| {
            let mut refused = Refused::because(error);
            refused.status = axum::http::StatusCode::INSUFFICIENT_STORAGE;
            refused
        })
    }

    fn wake(&self, inner: Inner) -> Arc<Awake> {
        let id = inner.room.id.clone();
        let mut awake = locked(&self.awake);
        if awake.len() >= AWAKE {
            let idle =
                awake.iter().filter(|(_, room)| room.events.receiver_count() == 0 && Arc::strong_count(room) == 1);
            if let Some(oldest) = idle.min_by_key(|(_, room)| *locked(&room.touched)).map(|(id, _)| id.clone()) {
                awake.remove(&oldest);
            }
        }
        let room = Arc::new(Awake {
            inner: AsyncMutex::new(inner),
            events: broadcast::channel(16).0,
            search: Mutex::default(),
            touched: Mutex::new(Instant::now()),
        });
        // Two may have read it at once: the first stays.
        Arc::clone(awake.entry(id).or_insert(room))
    }

    /// A room, read from the disk if need be.
    async fn find(self: &Arc<Rooms>, id: &str) -> Result<Arc<Awake>, Refused> {
        if let Some(room) = locked(&self.awake).get(id) {
            *locked(&room.touched) = Instant::now();
            return Ok(Arc::clone(room));
        }
        let kept = self.keeper.load(id).await.map_err(Refused::because)?;
        let kept = kept.ok_or_else(|| Refused::missing("there is no such game, or it has been taken away"))?;
        let room: Room = serde_json::from_str(&kept).map_err(Refused::because)?;
        let room = self.wake(Inner::new(room)?);
        // A server that was killed between the last move and the store of finished games has left that to us.
        let mut inner = room.inner.lock().await;
        if inner.over() && !inner.room.stored {
            self.tell(&room, &mut inner).await?;
        }
        drop(inner);
        self.go_on(&room).await;
        Ok(room)
    }

    /// What everybody may see of a room.
    pub async fn show(self: &Arc<Rooms>, id: &str) -> Result<Value, Refused> {
        let room = self.find(id).await?;
        let inner = room.inner.lock().await;
        Ok(inner.shown())
    }

    /// The room as it is, with the seat that the token opens, and all that will become of it.
    pub async fn watch(
        self: &Arc<Rooms>,
        id: &str,
        token: Option<&str>,
    ) -> Result<(Value, broadcast::Receiver<Value>), Refused> {
        let room = self.find(id).await?;
        let inner = room.inner.lock().await;
        let mut shown = inner.shown();
        shown["seat"] = json!(token.and_then(|token| inner.seat_of(token)).map(|seat| ["first", "second"][seat]));
        Ok((shown, room.events.subscribe()))
    }

    /// Plays a person's move. When this returns it is on the disk.
    pub async fn play(self: &Arc<Rooms>, id: &str, token: &str, ply: usize, mv: &str) -> Result<(), Refused> {
        let room = self.find(id).await?;
        let mut inner = room.inner.lock().await;
        let seat = inner.seat_of(token).ok_or_else(not_yours)?;
        if inner.room.moves.get(ply).is_some_and(|known| known.eq_ignore_ascii_case(mv)) {
            // It was sent twice, since the answer to the first was lost.
            return Ok(());
        }
        if ply != inner.table.plies() {
            return Err(Refused::because(format!("{} moves have been made, not {ply}", inner.table.plies())));
        }
        if inner.over() {
            return Err(Refused::because("the game is over"));
        }
        if inner.table.to_move().index() != seat {
            return Err(Refused::because("it is the other side's turn"));
        }
        self.advance(&room, &mut inner, mv).await?;
        drop(inner);
        self.go_on(&room).await;
        Ok(())
    }

    /// Makes a move, keeps it, and tells everybody.
    async fn advance(&self, room: &Awake, inner: &mut Inner, mv: &str) -> Result<(), Refused> {
        if inner.table.plies() >= LONGEST_GAME {
            return Err(Refused::because(format!("a game has at most {LONGEST_GAME} plies here")));
        }
        let written = inner.table.try_play(mv).map_err(Refused::because)?;
        let mut next = inner.room.clone();
        next.moves.push(written);
        next.ms.push(inner.since.elapsed().as_millis() as u64);
        if let Err(refused) = self.keep(&next).await {
            inner.table.undo();
            return Err(refused);
        }
        (inner.room, inner.since) = (next, Instant::now());
        self.tell(room, inner).await
    }

    /// Tells everybody how it stands; a game that is over goes into the store.
    async fn tell(&self, room: &Awake, inner: &mut Inner) -> Result<(), Refused> {
        if inner.over() && !inner.room.stored {
            let source = source([inner.room.seats[0].is_person(), inner.room.seats[1].is_person()]);
            // Its name makes this safe to repeat: a server that is killed before the room says so will do it again.
            self.keeper.finish(inner.record(), source, &inner.room.id).await.map_err(Refused::because)?;
            inner.room.stored = true;
            self.keep(&inner.room).await?;
        }
        // All legal moves are listed in it, which nobody needs when nobody is listening.
        if room.events.receiver_count() > 0 {
            let _ = room.events.send(inner.shown());
        }
        Ok(())
    }

    /// Takes back the last move of the side that asks, and what came after it.
    pub async fn undo(self: &Arc<Rooms>, id: &str, token: &str, other: Option<&str>) -> Result<(), Refused> {
        let room = self.find(id).await?;
        let mut inner = room.inner.lock().await;
        let seat = inner.seat_of(token).ok_or_else(not_yours)?;
        let alone = matches!(inner.room.seats[1 - seat], Sitter::Agent { .. })
            || other.and_then(|other| inner.seat_of(other)).is_some_and(|other| other != seat);
        if !alone {
            return Err(Refused::because("moves against another person are not taken back"));
        }
        if inner.room.stored {
            return Err(Refused::because("the game is over and kept; play on from it as a new game"));
        }
        locked(&room.search).take();
        let mut next = inner.room.clone();
        let mut table = Inner::new(next.clone())?.table;
        let mut mine = false;
        while !mine && !next.moves.is_empty() {
            table.undo();
            next.moves.pop();
            next.ms.pop();
            mine = table.to_move().index() == seat || matches!(next.seats[1 - seat], Sitter::Person { .. });
        }
        self.keep(&next).await?;
        (inner.room, inner.table, inner.since) = (next, table, Instant::now());
        self.tell(&room, &mut inner).await?;
        drop(inner);
        self.go_on(&room).await;
        Ok(())
    }

    /// Gives a game up.
    pub async fn resign(self: &Arc<Rooms>, id: &str, token: &str) -> Result<(), Refused> {
        let room = self.find(id).await?;
        let mut inner = room.inner.lock().await;
        let seat = inner.seat_of(token).ok_or_else(not_yours)?;
        if inner.over() {
            return Err(Refused::because("the game is over"));
        }
        locked(&room.search).take();
        let mut next = inner.room.clone();
        next.resigned = Some(["first", "second"][seat].into());
        self.keep(&next).await?;
        inner.room = next;
        self.tell(&room, &mut inner).await
    }

    /// Lets the agent whose turn it is move with what it has found so far.
    pub async fn hurry(self: &Arc<Rooms>, id: &str, token: &str) -> Result<(), Refused> {
        let room = self.find(id).await?;
        let inner = room.inner.lock().await;
        inner.seat_of(token).ok_or_else(not_yours)?;
        match &*locked(&room.search) {
            Some(search) if inner.agent_to_move().is_some() => search.stop(),
            _ => return Err(Refused::because("no agent is thinking about this game")),
        }
        Ok(())
    }

    /// Takes a room away.
    pub async fn delete(self: &Arc<Rooms>, id: &str, token: &str) -> Result<(), Refused> {
        let room = self.find(id).await?;
        let inner = room.inner.lock().await;
        inner.seat_of(token).ok_or_else(not_yours)?;
        locked(&room.search).take();
        self.keeper.delete(id).await.map_err(Refused::because)?;
        locked(&self.awake).remove(id);
        Ok(())
    }

    /// Sets the agent to think whose turn it is, if it is an agent's.
    /// It comes back to itself when an agent answers an agent, and when there was no room for a search; hence the box.
    fn go_on(self: &Arc<Rooms>, room: &Arc<Awake>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(Arc::clone(self).set_to_think(Arc::clone(room)))
    }

    async fn set_to_think(self: Arc<Rooms>, room: Arc<Awake>) {
        let inner = room.inner.lock().await;
        let Some(name) = inner.agent_to_move() else { return };
        if locked(&room.search).is_some() {
            return;
        }
        let Ok(spec) = GameSpec::parse(&inner.room.game) else { return };
        // A stream of its own for every game and move, so that an agent is not the same in all games.
        let seed = inner
            .room
            .id
            .bytes()
            .fold(inner.table.plies() as u64, |seed, byte| quintet_game::bits::mix(seed ^ u64::from(byte)));
        let thinker = match agent(&self.agents, &spec, name, seed) {
            Ok(thinker) => thinker,
            Err(refused) => {
                let _ = room.events.send(json!({ "room": inner.room.id, "error": refused.body["error"] }));
                return;
            }
        };
        let (from, moves, id) = (inner.table.begun_from(), inner.table.moves(), inner.room.id.clone());
        let (rooms, handle, longest) = (Arc::clone(&self), tokio::runtime::Handle::current(), self.longest);
        let (mut thinker, mut pace, events) = (thinker, Pace::new(), room.events.clone());
        // Whoever is in the room may want to see what it looks at, and may come while it thinks.
        thinker.watch_closely(BETWEEN_REPORTS);
        let submitted = self.pool.submit(move |signals| {
            let limit = limited(Limit::default(), signals, &handle, longest);
            let thought = thinker.think(from.as_deref(), &moves, &limit, &mut |progress| {
                if events.receiver_count() > 0 && !signals.left() && pace.due() {
                    let _ = events.send(json!({ "thinking": { "ply": moves.len(), "report": report(progress) } }));
                }
            });
            if let Ok(thought) = thought
                && !signals.left()
            {
                handle.block_on(rooms.agent_has_moved(&id, moves.len(), &thought.mv));
            }
        });
        match submitted {
            Ok(ticket) => *locked(&room.search) = Some(ticket),
            Err(busy) => {
                let _ = room.events.send(json!({ "room": inner.room.id, "waiting": busy.to_string() }));
                drop(inner);
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    self.go_on(&room).await;
                });
            }
        }
    }

    async fn agent_has_moved(self: &Arc<Rooms>, id: &str, ply: usize, mv: &str) {
        let Ok(room) = self.find(id).await else { return };
        let mut inner = room.inner.lock().await;
        // Somebody may have taken a move back in the meantime.
        if inner.table.plies() != ply || inner.agent_to_move().is_none() {
            return;
        }
        locked(&room.search).take();
        if let Err(refused) = self.advance(&room, &mut inner, mv).await {
            let _ = room.events.send(json!({ "room": id, "error": refused.body["error"] }));
            return;
        }
        drop(inner);
        self.go_on(&room).await;
    }
}

fn not_yours() -> Refused {
    let mut refused = Refused::because("this token opens no seat of this game; you can watch it");
    refused.status = axum::http::StatusCode::FORBIDDEN;
    refused
}
