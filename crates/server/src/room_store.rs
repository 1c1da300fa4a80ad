//! The durable storage of rooms: one thread that writes, and answers when the data is on the disk.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use quintet_arena::Store;
use quintet_game::record::Record;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

/// Why something could not be stored or found.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RoomStoreError(String);

type Answer<T> = oneshot::Sender<Result<T, RoomStoreError>>;

enum Order {
    Save { id: String, room: String, answer: Answer<()> },
    Load { id: String, answer: Answer<Option<String>> },
    Delete { id: String, answer: Answer<()> },
    Finish { record: Box<Record>, source: &'static str, room: String, answer: Answer<()> },
}

/// The most requests per transaction.
const TOGETHER: usize = 256;

/// The handle of the writing thread.
#[derive(Clone)]
pub struct RoomStore {
    orders: mpsc::Sender<Order>,
}

/// Games in play, and the store of finished ones.
struct Files {
    rooms: Connection,
    store: PathBuf,
}

impl RoomStore {
    /// Opens or creates the files of a data directory.
    ///
    /// # Errors
    /// When they cannot be opened.
    pub fn open(data: &Path) -> Result<RoomStore, RoomStoreError> {
        std::fs::create_dir_all(data)
            .map_err(|why| RoomStoreError(format!("cannot create {}: {why}", data.display())))?;
        let path = data.join("rooms.sqlite");
        let failed = |why: rusqlite::Error| {
            RoomStoreError(format!(
                "cannot use {}: {why}. Choose another place with --data DIR, or move the file away.",
                path.display()
            ))
        };
        let rooms = Connection::open(&path).map_err(failed)?;
        // Every commit is flushed to the disk before it is acknowledged.
        rooms
            .execute_batch(
                "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                 CREATE TABLE IF NOT EXISTS rooms (id TEXT PRIMARY KEY, room TEXT NOT NULL, touched INTEGER NOT NULL DEFAULT (unixepoch())) STRICT;",
            )
            .map_err(failed)?;
        let store = data.join("games.sqlite");
        Store::open(&store).map_err(|error| RoomStoreError(error.to_string()))?;
        let (orders, inbox) = mpsc::channel();
        let mut files = Files { rooms, store };
        thread::spawn(move || {
            while let Ok(order) = inbox.recv() {
                files.obey([order].into_iter().chain(inbox.try_iter().take(TOGETHER)).collect());
            }
        });
        Ok(RoomStore { orders })
    }

    async fn ask<T>(&self, order: impl FnOnce(Answer<T>) -> Order) -> Result<T, RoomStoreError> {
        let (answer, hear) = oneshot::channel();
        let gone = || RoomStoreError("the store is closed".into());
        self.orders.send(order(answer)).map_err(|_| gone())?;
        hear.await.map_err(|_| gone())?
    }

    /// Stores a room; it is on the disk when this returns.
    pub async fn save(&self, id: &str, room: String) -> Result<(), RoomStoreError> {
        self.ask(|answer| Order::Save { id: id.to_owned(), room, answer }).await
    }

    /// A stored room.
    pub async fn load(&self, id: &str) -> Result<Option<String>, RoomStoreError> {
        self.ask(|answer| Order::Load { id: id.to_owned(), answer }).await
    }

    /// Deletes a room.
    pub async fn delete(&self, id: &str) -> Result<(), RoomStoreError> {
        self.ask(|answer| Order::Delete { id: id.to_owned(), answer }).await
    }

    /// Puts the finished game of a room into the store, with its source. Repeating this stores it once.
    pub async fn finish(&self, record: Record, source: &'static str, room: &str) -> Result<(), RoomStoreError> {
        let room = format!("room {room}");
        self.ask(|answer| Order::Finish { record: Box::new(record), source, room, answer }).await
    }
}

impl Files {
    /// Serves requests. Waiting writes share one transaction and one flush, because with many games moves wait for the disk.
    fn obey(&mut self, orders: Vec<Order>) {
        let failed = |why: rusqlite::Error| RoomStoreError(format!("the game could not be stored: {why}"));
        let begun = self.rooms.execute_batch("BEGIN IMMEDIATE").map_err(failed);
        let mut written = Vec::new();
        for order in orders {
            // A client that has gone needs no answer.
            match order {
                Order::Save { id, room, answer } => {
                    let sql = "INSERT INTO rooms (id, room) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET room = ?2, touched = unixepoch()";
                    written.push((answer, self.rooms.execute(sql, params![id, room]).map_err(failed)));
                }
                Order::Delete { id, answer } => {
                    let done = self.rooms.execute("DELETE FROM rooms WHERE id = ?1", [id]);
                    written.push((answer, done.map_err(failed)));
                }
                Order::Load { id, answer } => {
                    let found = self.rooms.query_row("SELECT room FROM rooms WHERE id = ?1", [id], |row| row.get(0));
                    let _ = answer.send(found.optional().map_err(failed));
                }
                Order::Finish { record, source, room, answer } => {
                    let kept = Store::open(&self.store).and_then(|mut store| store.import_once(&record, source, &room));
                    let _ = answer.send(kept.map(|_| ()).map_err(|error| RoomStoreError(error.to_string())));
                }
            }
        }
        let flushed = begun.and_then(|()| self.rooms.execute_batch("COMMIT").map_err(failed));
        if flushed.is_err() {
            let _ = self.rooms.execute_batch("ROLLBACK");
        }
        for (answer, done) in written {
            let _ = answer.send(done.and(flushed.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written together or one by one: what was acknowledged is in the file, with the last state of each room.
    #[tokio::test]
    async fn many_at_once_are_all_kept() {
        let data = std::env::temp_dir().join(format!("quintet-store-{}", std::process::id()));
        let store = RoomStore::open(&data).unwrap();
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
}
