//! The durable storage of rooms: one thread that writes, and answers when the data is on the disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use quintet_arena::Store;
use quintet_game::record::Record;
use quintet_lab::{Lock, LockError};
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use quintet_api::{Room, RoomRecord};

/// Why something could not be stored or found.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RoomStoreError(String);

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another server has it.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// It cannot be used.
    #[error(transparent)]
    Unusable(#[from] RoomStoreError),
}

type Answer<T> = oneshot::Sender<Result<T, RoomStoreError>>;

enum Order {
    Create { id: String, address: String, room: String, answer: Answer<()> },
    Save { id: String, room: String, answer: Answer<()> },
    Delete { id: String, answer: Answer<()> },
    Load { id: String, answer: Answer<Option<String>> },
    Count { address: String, answer: Answer<(usize, usize)> },
    Finish { record: Box<Record>, source: &'static str, room: String, answer: Answer<()> },
    Archive { idle: Duration, answer: Answer<Vec<String>> },
}

/// The most requests per transaction.
const TOGETHER: usize = 256;

/// Rooms that are archived at once.
const ARCHIVED_TOGETHER: usize = 500;

/// Archived rooms that are kept; the oldest are forgotten first.
const MOST_ARCHIVED: usize = 200_000;

/// The source of an unfinished game in the store of games.
const UNFINISHED: &str = "page, unfinished";

/// The handle of the writing thread.
#[derive(Clone)]
pub struct RoomStore {
    orders: mpsc::Sender<Order>,
    owner: Arc<Mutex<Owner>>,
}

/// The lock by which this server has the rooms, and what it tells others.
struct Owner {
    lock: Option<Lock>,
    what: String,
    url: Option<String>,
}

impl Owner {
    fn take(&mut self, data: &Path) -> Result<(), LockError> {
        // The old one is released first: it may be on the same file.
        self.lock = None;
        let lock = self.lock.insert(Lock::take(&data.join("rooms.lock"), &self.what)?);
        self.url.as_ref().map_or(Ok(()), |url| lock.set_url(url))
    }
}

/// Games in play, and the store of finished ones.
struct Files {
    data: PathBuf,
    /// None while the files are not where they belong.
    rooms: Option<Opened>,
    owner: Arc<Mutex<Owner>>,
}

struct Opened {
    connection: Connection,
    /// Which file it is, as the system knows it.
    file: Option<FileId>,
}

/// Tells two files of the same name apart.
type FileId = (u64, u64);

const SCHEMA: &str = "
    PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, room TEXT NOT NULL, touched INTEGER NOT NULL DEFAULT (unixepoch())) STRICT;
    CREATE TABLE IF NOT EXISTS archive (id TEXT PRIMARY KEY, room TEXT NOT NULL, archived INTEGER NOT NULL DEFAULT (unixepoch())) STRICT;
    CREATE INDEX IF NOT EXISTS rooms_by_time ON rooms (touched);";

/// Rooms of earlier versions belong to no address.
const ADDRESSES: &str = "
    ALTER TABLE rooms ADD COLUMN address TEXT NOT NULL DEFAULT '';
    CREATE INDEX rooms_by_address ON rooms (address);
    PRAGMA user_version = 1;";

fn rooms_file(data: &Path) -> PathBuf {
    data.join("rooms.sqlite")
}

/// Which file a path leads to now.
#[cfg(unix)]
fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn file_id(path: &Path) -> Option<FileId> {
    path.exists().then_some((0, 0))
}

impl Opened {
    /// Opens or creates the file of rooms.
    fn new(data: &Path) -> Result<Opened, RoomStoreError> {
        let path = rooms_file(data);
        let failed = |why: rusqlite::Error| {
            RoomStoreError(format!(
                "cannot use {}: {why}. Choose another place with --data DIR, or move the file away.",
                path.display()
            ))
        };
        let connection = Connection::open(&path).map_err(failed)?;
        // Every commit is flushed to the disk before it is acknowledged.
        connection.execute_batch(SCHEMA).map_err(failed)?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
        if version == 0 {
            connection.execute_batch(ADDRESSES).map_err(failed)?;
        }
        Ok(Opened { connection, file: file_id(&path) })
    }

    /// Whether the file that is written to is still the one in the data directory: after it was moved or deleted, the system would go on writing to a file
    /// that nobody finds again.
    fn is_in_place(&self, data: &Path) -> bool {
        let path = rooms_file(data);
        self.file.is_some() && file_id(&path) == self.file && path.with_extension("sqlite-wal").exists()
    }
}

impl RoomStore {
    /// Opens or creates the files of a data directory. `what` is told to whoever tries the same meanwhile.
    ///
    /// # Errors
    /// When they cannot be opened, or another server has them open.
    pub fn open(data: &Path, what: &str) -> Result<RoomStore, OpenError> {
        std::fs::create_dir_all(data)
            .map_err(|why| RoomStoreError(format!("cannot create {}: {why}", data.display())))?;
        let mut owner = Owner { lock: None, what: what.to_owned(), url: None };
        owner.take(data)?;
        let rooms = Opened::new(data)?;
        Store::open(&data.join("games.sqlite")).map_err(|error| RoomStoreError(error.to_string()))?;
        let (orders, inbox) = mpsc::channel();
        let owner = Arc::new(Mutex::new(owner));
        let mut files = Files { data: data.to_owned(), rooms: Some(rooms), owner: Arc::clone(&owner) };
        thread::spawn(move || {
            while let Ok(order) = inbox.recv() {
                files.obey([order].into_iter().chain(inbox.try_iter().take(TOGETHER)).collect());
            }
        });
        Ok(RoomStore { orders, owner })
    }

    /// Tells others where the page of this server is.
    pub fn set_url(&self, url: &str) -> Result<(), LockError> {
        let mut owner = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        owner.url = Some(url.to_owned());
        owner.lock.as_mut().map_or(Ok(()), |lock| lock.set_url(url))
    }

    async fn ask<T>(&self, order: impl FnOnce(Answer<T>) -> Order) -> Result<T, RoomStoreError> {
        let (answer, hear) = oneshot::channel();
        let gone = || RoomStoreError("the store is closed".into());
        self.orders.send(order(answer)).map_err(|_| gone())?;
        hear.await.map_err(|_| gone())?
    }

    /// Stores a new room of an address; it is on the disk when this returns.
    pub async fn create(&self, id: &str, address: &str, room: String) -> Result<(), RoomStoreError> {
        self.ask(|answer| Order::Create { id: id.to_owned(), address: address.to_owned(), room, answer }).await
    }

    /// Stores a room; it is on the disk when this returns.
    pub async fn save(&self, id: &str, room: String) -> Result<(), RoomStoreError> {
        self.ask(|answer| Order::Save { id: id.to_owned(), room, answer }).await
    }

    /// A stored room, archived or not.
    pub async fn load(&self, id: &str) -> Result<Option<String>, RoomStoreError> {
        self.ask(|answer| Order::Load { id: id.to_owned(), answer }).await
    }

    /// Deletes a room.
    pub async fn delete(&self, id: &str) -> Result<(), RoomStoreError> {
        self.ask(|answer| Order::Delete { id: id.to_owned(), answer }).await
    }

    /// How many rooms there are: of an address, and in all.
    pub async fn count(&self, address: &str) -> Result<(usize, usize), RoomStoreError> {
        self.ask(|answer| Order::Count { address: address.to_owned(), answer }).await
    }

    /// Puts the finished game of a room into the store, with its source. Repeating this stores it once.
    pub async fn finish(&self, record: Record, source: &'static str, room: &str) -> Result<(), RoomStoreError> {
        let room = origin(room);
        self.ask(|answer| Order::Finish { record: Box::new(record), source, room, answer }).await
    }

    /// Archives rooms in which nothing has happened for this long: their games go into the store of games, if they are not there. Returns their names.
    pub async fn archive(&self, idle: Duration) -> Result<Vec<String>, RoomStoreError> {
        self.ask(|answer| Order::Archive { idle, answer }).await
    }
}

/// Visitors see this, so it does not say where the directory is.
fn vanished() -> RoomStoreError {
    let why = "rooms.sqlite is no longer in the server's data directory: nothing is stored until it is back there, or the server is started again";
    RoomStoreError(why.into())
}

/// The name of a room's game in the store of games.
fn origin(room: &str) -> String {
    format!("room {room}")
}

fn failed(why: rusqlite::Error) -> RoomStoreError {
    RoomStoreError(format!("the game could not be stored: {why}"))
}

impl Files {
    /// The file of rooms, opened again if it has come back.
    fn opened(&mut self) -> Result<&Opened, RoomStoreError> {
        if self.rooms.as_ref().is_some_and(|rooms| rooms.is_in_place(&self.data)) {
            return self.rooms.as_ref().ok_or_else(vanished);
        }
        self.rooms = None;
        // It is not created again: an empty directory may be a disk that is not mounted.
        if !rooms_file(&self.data).exists() {
            return Err(vanished());
        }
        let taken = self.owner.lock().unwrap_or_else(PoisonError::into_inner).take(&self.data);
        taken.map_err(|error| RoomStoreError(error.to_string()))?;
        Ok(self.rooms.insert(Opened::new(&self.data)?))
    }

    /// Serves requests. Waiting writes share one transaction and one flush, because with many games moves wait for the disk.
    fn obey(&mut self, orders: Vec<Order>) {
        let data = self.data.clone();
        let rooms = match self.opened() {
            Ok(rooms) => rooms,
            Err(error) => return orders.into_iter().for_each(|order| order.refuse(&error)),
        };
        let connection = &rooms.connection;
        let begun = connection.execute_batch("BEGIN IMMEDIATE").map_err(failed);
        let mut written = Vec::new();
        let mut archived = Vec::new();
        for order in orders {
            // A client that has gone needs no answer.
            match order {
                Order::Create { id, address, room, answer } => {
                    let sql = "INSERT INTO rooms (id, address, room) VALUES (?1, ?2, ?3)";
                    written.push((answer, connection.execute(sql, params![id, address, room]).map_err(failed)));
                }
                Order::Save { id, room, answer } => {
                    let sql = "INSERT INTO rooms (id, room) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET room = ?2, touched = unixepoch()";
                    written.push((answer, connection.execute(sql, params![id, room]).map_err(failed)));
                }
                Order::Delete { id, answer } => {
                    let deleted = ["rooms", "archive"].iter().try_fold(0, |sum, table| {
                        Ok(sum + connection.execute(&format!("DELETE FROM {table} WHERE id = ?1"), [&id])?)
                    });
                    written.push((answer, deleted.map_err(failed)));
                }
                Order::Load { id, answer } => drop(answer.send(load(connection, &id))),
                Order::Count { address, answer } => drop(answer.send(count(connection, &address))),
                Order::Finish { record, source, room, answer } => {
                    let kept = Store::open(&data.join("games.sqlite"))
                        .and_then(|mut store| store.import_once(&record, source, &room));
                    let _ = answer.send(kept.map(|_| ()).map_err(|error| RoomStoreError(error.to_string())));
                }
                Order::Archive { idle, answer } => archived.push((answer, archive(connection, &data, idle))),
            }
        }
        let flushed = begun.and_then(|()| connection.execute_batch("COMMIT").map_err(failed));
        if flushed.is_err() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        // What was written into a file that is no longer there is not acknowledged.
        let in_place = rooms.is_in_place(&data);
        let flushed = flushed.and_then(|()| if in_place { Ok(()) } else { Err(vanished()) });
        for (answer, done) in written {
            let _ = answer.send(done.and(flushed.clone()));
        }
        for (answer, done) in archived {
            let _ = answer.send(flushed.clone().and(done));
        }
    }
}

impl Order {
    /// Answers that nothing can be stored or found.
    fn refuse(self, error: &RoomStoreError) {
        let error = error.clone();
        match self {
            Order::Create { answer, .. }
            | Order::Save { answer, .. }
            | Order::Delete { answer, .. }
            | Order::Finish { answer, .. } => drop(answer.send(Err(error))),
            Order::Load { answer, .. } => drop(answer.send(Err(error))),
            Order::Count { answer, .. } => drop(answer.send(Err(error))),
            Order::Archive { answer, .. } => drop(answer.send(Err(error))),
        }
    }
}

fn load(connection: &Connection, id: &str) -> Result<Option<String>, RoomStoreError> {
    let sql = "SELECT room FROM rooms WHERE id = ?1 UNION ALL SELECT room FROM archive WHERE id = ?1";
    connection.query_row(sql, [id], |row| row.get(0)).optional().map_err(failed)
}

fn count(connection: &Connection, address: &str) -> Result<(usize, usize), RoomStoreError> {
    let sql = "SELECT (SELECT count(*) FROM rooms WHERE address = ?1), (SELECT count(*) FROM rooms)";
    let counted = connection.query_row(sql, [address], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
    counted.map(|(own, all)| (own as usize, all as usize)).map_err(failed)
}

fn archive(connection: &Connection, data: &Path, idle: Duration) -> Result<Vec<String>, RoomStoreError> {
    let mut statement = connection
        .prepare("SELECT id, room, date('now') FROM rooms WHERE touched <= unixepoch() - ?1 ORDER BY touched LIMIT ?2")
        .map_err(failed)?;
    let rows = statement.query_map(params![idle.as_secs() as i64, ARCHIVED_TOGETHER as i64], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
    });
    let old: Vec<_> = rows.and_then(Iterator::collect).map_err(failed)?;
    if old.is_empty() {
        return Ok(Vec::new());
    }
    let mut store = Store::open(&data.join("games.sqlite")).map_err(|error| RoomStoreError(error.to_string()))?;
    let mut names = Vec::new();
    for (id, text, day) in old {
        let read = serde_json::from_str::<RoomRecord>(&text).map_err(|error| error.to_string());
        let room = read.and_then(|mut record| {
            record.archived = Some(day);
            Room::restore(record, Duration::ZERO).map_err(|error| error.to_string())
        });
        // A room that cannot be read stays where it is, for whoever can repair it.
        let Ok(room) = room else { continue };
        if !room.record().stored && !room.record().moves.is_empty() {
            let kept = store.import_once(&room.game_record(), UNFINISHED, &origin(&id));
            kept.map_err(|error| RoomStoreError(error.to_string()))?;
        }
        let text = serde_json::to_string(room.record()).map_err(|error| RoomStoreError(error.to_string()))?;
        connection
            .execute("INSERT OR REPLACE INTO archive (id, room) VALUES (?1, ?2)", params![id, text])
            .map_err(failed)?;
        connection.execute("DELETE FROM rooms WHERE id = ?1", [&id]).map_err(failed)?;
        names.push(id);
    }
    let forget = "DELETE FROM archive WHERE id IN (SELECT id FROM archive ORDER BY archived DESC LIMIT -1 OFFSET ?1)";
    connection.execute(forget, [MOST_ARCHIVED as i64]).map_err(failed)?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("quintet-store-{name}-{}", std::process::id()))
    }

    /// Written together or one by one: what was acknowledged is in the file, with the last state of each room.
    #[tokio::test]
    async fn many_at_once_are_all_kept() {
        let data = folder("many");
        let store = RoomStore::open(&data, "a test").unwrap();
        let saves: Vec<_> = (0..500)
            .map(|number| {
                let store = store.clone();
                tokio::spawn(async move { store.save(&format!("room{}", number % 100), number.to_string()).await })
            })
            .collect();
        for save in saves {
            save.await.unwrap().unwrap();
        }
        store.delete("room7").await.unwrap();
        assert_eq!(store.load("room7").await.unwrap(), None);
        // Another connection sees them: they are committed.
        let file = Connection::open(data.join("rooms.sqlite")).unwrap();
        let count = |sql: &str| file.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(count("SELECT count(*) FROM rooms"), 99);
        assert_eq!(
            count("SELECT count(*) FROM rooms WHERE CAST(room AS INTEGER) % 100 != CAST(substr(id, 5) AS INTEGER)"),
            0
        );
        std::fs::remove_dir_all(data).unwrap();
    }

    #[tokio::test]
    async fn one_server_has_the_rooms() {
        let data = folder("owner");
        let store = RoomStore::open(&data, "the first").unwrap();
        store.set_url("http://127.0.0.1:1/").unwrap();
        let Err(OpenError::Locked(LockError::Held { holder: Some(holder), .. })) = RoomStore::open(&data, "the second")
        else {
            panic!("two owners")
        };
        assert_eq!((holder.what.as_str(), holder.url.as_deref()), ("the first", Some("http://127.0.0.1:1/")));
        std::fs::remove_dir_all(data).unwrap();
    }

    /// A directory that vanishes under the server stops acknowledgements at once; when it is back, so are they, and nothing that was acknowledged is lost.
    #[tokio::test]
    async fn nothing_is_acknowledged_into_a_file_that_is_gone() {
        let (data, away) = (folder("gone"), folder("away"));
        let store = RoomStore::open(&data, "a test").unwrap();
        store.save("a", "1".into()).await.unwrap();
        std::fs::rename(&data, &away).unwrap();
        let refused = store.save("a", "2".into()).await.unwrap_err().to_string();
        assert!(refused.contains("no longer in"), "{refused}");
        assert!(store.load("a").await.is_err());
        // An empty directory may be a disk that is not mounted.
        std::fs::create_dir(&data).unwrap();
        assert!(store.save("a", "3".into()).await.is_err());
        assert!(!rooms_file(&data).exists());
        std::fs::remove_dir(&data).unwrap();
        std::fs::rename(&away, &data).unwrap();
        assert_eq!(store.load("a").await.unwrap().as_deref(), Some("1"));
        store.save("a", "4".into()).await.unwrap();
        // A copy in its place is another file.
        std::fs::copy(rooms_file(&data), data.join("copy")).unwrap();
        std::fs::rename(data.join("copy"), rooms_file(&data)).unwrap();
        store.save("b", "5".into()).await.unwrap();
        let file = Connection::open(rooms_file(&data)).unwrap();
        let count: i64 = file.query_row("SELECT count(*) FROM rooms WHERE id = 'b'", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1, "it is in the file that is there now");
        std::fs::remove_dir_all(data).unwrap();
    }

    #[tokio::test]
    async fn rooms_are_counted_and_archived() {
        let data = folder("archive");
        let store = RoomStore::open(&data, "a test").unwrap();
        let new = r#"{"game":"pathwayz(rows=4,cols=4)","moves":["a1"],"seats":[{"who":"person"},{"who":"person"}]}"#;
        let new: quintet_api::NewRoom = serde_json::from_str(new).unwrap();
        let tokens = ["a".into(), "b".into(), "o".into()];
        let room = Room::new(&new, "idle".into(), tokens, Duration::ZERO).unwrap();
        store.create("idle", "10.0.0.1", serde_json::to_string(room.record()).unwrap()).await.unwrap();
        store.create("broken", "10.0.0.1", "no room".into()).await.unwrap();
        store.create("other", "10.0.0.2", "no room".into()).await.unwrap();
        assert_eq!(store.count("10.0.0.1").await.unwrap(), (2, 3));
        assert!(store.archive(Duration::from_secs(3600)).await.unwrap().is_empty());
        assert_eq!(store.archive(Duration::ZERO).await.unwrap(), ["idle"]);
        assert_eq!(store.count("10.0.0.1").await.unwrap(), (1, 2));
        let kept: RoomRecord = serde_json::from_str(&store.load("idle").await.unwrap().unwrap()).unwrap();
        assert!(kept.archived.is_some() && kept.moves == ["a1"]);
        let games = Store::open(&data.join("games.sqlite")).unwrap().games(None, None).unwrap();
        assert_eq!((games.len(), games[0].source.as_deref(), games[0].result), (1, Some(UNFINISHED), None));
        store.delete("idle").await.unwrap();
        assert_eq!(store.load("idle").await.unwrap(), None);
        std::fs::remove_dir_all(data).unwrap();
    }
}
