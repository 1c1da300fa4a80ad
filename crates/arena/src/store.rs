//! The store of games: one SQLite file, one durable write per finished game.

mod error;
mod read_only;

use std::path::{Path, PathBuf};

use quintet_game::record::{Record, read_result, reason_text, result_text};
use quintet_game::{EndReason, Outcome};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use serde::{Deserialize, Serialize};

use crate::arbiter::{Cost, Played};
use crate::identity::Identity;
use crate::plan::Plan;
use crate::results::Results;

pub use error::StoreError;

/// Runs and games. Every finished game is on the disk when [`Store::keep`] returns: a process that is killed loses at most the games in play.
///
/// ```
/// use quintet_arena::{Length, Plan, Store};
/// let folder = std::env::temp_dir().join(format!("quintet-store-doc-{}", std::process::id()));
/// let mut store = Store::open(&folder.join("games.sqlite")).unwrap();
/// let plan = Plan::duel("pylos", ["random", "random"], Length::Games(2)).unwrap();
/// let run = store.begin(&plan, "match").unwrap();
/// assert_eq!(store.plan(run).unwrap(), plan);
/// # std::fs::remove_dir_all(folder).unwrap();
/// ```
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

/// The version of the tables.
const KNOWN: i64 = CHANGES.len() as i64;

/// Migrations: each makes a version from the one before it, the first from an empty file.
const CHANGES: [&str; 2] = [
    TABLES,
    // A game that comes from elsewhere may have a name there; only one game per name is stored.
    "ALTER TABLE games ADD COLUMN origin TEXT; CREATE UNIQUE INDEX games_by_origin ON games(origin);",
];

const TABLES: &str = "
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        plan TEXT NOT NULL,
        begun TEXT NOT NULL DEFAULT (datetime('now')),
        ended TEXT
    ) STRICT;
    CREATE TABLE players (
        run INTEGER NOT NULL REFERENCES runs(id),
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        agent TEXT NOT NULL,
        spec TEXT NOT NULL,
        weights TEXT,
        PRIMARY KEY (run, number)
    ) STRICT;
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        run INTEGER REFERENCES runs(id),
        number INTEGER,
        game TEXT NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        result TEXT NOT NULL,
        reason TEXT NOT NULL,
        plies INTEGER NOT NULL,
        record TEXT NOT NULL,
        details TEXT,
        source TEXT,
        kept TEXT NOT NULL DEFAULT (datetime('now')),
        UNIQUE (run, number)
    ) STRICT;
    CREATE INDEX games_by_game ON games(game);
";

/// The weights of a seat's player. Players of one name are the same agent.
const WEIGHTS_OF: &str =
    "(SELECT weights FROM players WHERE players.run = games.run AND players.name = games.SEAT LIMIT 1)";

/// A run in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Its number.
    pub id: i64,
    /// `match`, `tournament` or the id of an experiment.
    pub kind: String,
    /// The game.
    pub game: String,
    /// The players' names.
    pub players: Vec<String>,
    /// Games stored, and games planned.
    pub games: [u64; 2],
    /// When it began (UTC).
    pub begun: String,
    /// When it ended; none if it can be resumed.
    pub ended: Option<String>,
}

/// A stored game.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// Its number in the store.
    pub id: i64,
    /// Its run, and its place in it; none for imported games.
    pub run: Option<(i64, u64)>,
    /// The game's spec.
    pub game: String,
    /// The players.
    pub players: [String; 2],
    /// Their weights and books, where known: checksums by name, as a JSON object.
    pub weights: [Option<String>; 2],
    /// How it ended; none if it is unfinished.
    pub result: Option<Outcome>,
    /// Why it ended, if that is said.
    pub reason: Option<EndReason>,
    /// Its plies.
    pub plies: u64,
    /// The text record.
    pub record: String,
    /// Where it came from, for imported games.
    pub source: Option<String>,
    /// When it was stored (UTC).
    pub kept: String,
    /// The worker of a cluster that played it.
    pub worker: Option<String>,
}

/// What is kept of a game besides its canonical record.
#[derive(Default, Serialize, Deserialize)]
struct Details {
    #[serde(flatten)]
    cost: Cost,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worker: Option<String>,
}

impl Store {
    /// Opens a store, or creates it with its parent folders.
    ///
    /// # Errors
    /// When the file cannot be opened or is damaged.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let closed = |why: String| StoreError::Closed { path: path.to_owned(), why };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| closed(error.to_string()))?;
        }
        let connection = Connection::open(path).map_err(|error| closed(error.to_string()))?;
        let store = Store { path: path.to_owned(), connection };
        store.prepare()?;
        Ok(store)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn prepare(&self) -> Result<(), StoreError> {
        // Another process may be writing: wait for it. Every commit is flushed to the disk.
        let settings = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
        self.connection.execute_batch(settings).map_err(|error| self.explain(error))?;
        // A reader must not queue behind a run that writes game after game: only a new or outdated file is written to here.
        let made = version(&self.connection).and_then(|has: i64| {
            if has < KNOWN {
                let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
                let has: i64 = version(&transaction)?;
                for change in CHANGES.iter().skip(usize::try_from(has).unwrap_or(0)) {
                    transaction.execute_batch(change)?;
                }
                transaction.pragma_update(None, "user_version", KNOWN)?;
                transaction.commit()?;
            }
            Ok(has)
        });
        let has = made.map_err(|error| self.explain(error))?;
        if has > KNOWN { Err(StoreError::TooNew { path: self.path.clone(), has }) } else { Ok(()) }
    }

    fn explain(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(&error, &self.path)
    }

    /// Starts a run of some kind and returns its number.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(&mut self, plan: &Plan, kind: &str) -> Result<i64, StoreError> {
        let text = serde_json::to_string(plan).map_err(|error| self.other(&error))?;
        let begun = self.connection.transaction().and_then(|transaction| {
            transaction.execute("INSERT INTO runs (kind, plan) VALUES (?1, ?2)", params![kind, text])?;
            let run = transaction.last_insert_rowid();
            transaction.commit()?;
            Ok(run)
        });
        begun.map_err(|error| self.explain(error))
    }

    /// Records who the players of a run are.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn name_players(&mut self, run: i64, plan: &Plan, identities: &[Identity]) -> Result<(), StoreError> {
        let written = self.connection.transaction().and_then(|transaction| {
            for (number, (player, identity)) in plan.players.iter().zip(identities).enumerate() {
                transaction.execute(
                    "INSERT OR REPLACE INTO players (run, number, name, agent, spec, weights) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![run, number as i64, player.name, player.agent, identity.spec, identity.weights_text()],
                )?;
            }
            transaction.commit()
        });
        written.map_err(|error| self.explain(error))
    }

    fn other(&self, error: &dyn std::error::Error) -> StoreError {
        StoreError::Other { path: self.path.clone(), why: error.to_string() }
    }

    fn no_run(&self, id: i64) -> StoreError {
        StoreError::Missing { what: "run", id, path: self.path.clone() }
    }

    /// The plan of a run.
    ///
    /// # Errors
    /// When there is no such run, or it cannot be read.
    pub fn plan(&self, run: i64) -> Result<Plan, StoreError> {
        let text: Option<String> = self
            .connection
            .query_row("SELECT plan FROM runs WHERE id = ?1", [run], |row| row.get(0))
            .optional()
            .map_err(|error| self.explain(error))?;
        let text = text.ok_or_else(|| self.no_run(run))?;
        serde_json::from_str(&text).map_err(|error| self.other(&error))
    }

    /// Stores a finished game; it is on the disk when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, run: i64, plan: &Plan, played: &Played) -> Result<(), StoreError> {
        let details = Details { cost: played.cost, fault: played.fault.clone(), worker: played.worker.clone() };
        let details = serde_json::to_string(&details).map_err(|error| self.other(&error))?;
        let names = played.seats.map(|player| plan.players[player].name.as_str());
        let kept = self.connection.execute(
            "INSERT OR IGNORE INTO games (run, number, game, first, second, result, reason, plies, record, details)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                run,
                played.number as i64,
                plan.game,
                names[0],
                names[1],
                result_text(played.result),
                played.reason.as_str(),
                played.plies as i64,
                played.record,
                details
            ],
        );
        kept.map(|_| ()).map_err(|error| self.explain(error).in_run(run))
    }

    /// The games of a run that have been played, in their order.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn played(&self, run: i64) -> Result<Vec<Played>, StoreError> {
        let plan = self.plan(run)?;
        let seats: std::collections::HashMap<u64, [usize; 2]> =
            plan.fixtures().map(|fixture| (fixture.number, fixture.seats)).collect();
        let query = "SELECT number, result, reason, plies, record, details FROM games WHERE run = ?1 ORDER BY number";
        let rows = self.connection.prepare(query).and_then(|mut statement| {
            let rows = statement.query_map([run], |row| {
                let number = row.get::<_, i64>(0)? as u64;
                let details: Option<String> = row.get(5)?;
                let details: Details = details.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
                Ok(Played {
                    number,
                    seats: seats.get(&number).copied().unwrap_or_default(),
                    result: read_column(row, 1)?,
                    reason: row.get_ref(2)?.as_str()?.into(),
                    plies: row.get::<_, i64>(3)? as usize,
                    record: row.get(4)?,
                    fault: details.fault,
                    cost: details.cost,
                    worker: details.worker,
                })
            })?;
            rows.collect()
        });
        rows.map_err(|error| self.explain(error))
    }

    /// Ends a run with these results. Games that were still in play when a sequential test was decided do not count and are deleted, so that the stored games do not
    /// depend on the number of threads.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn end(&mut self, run: i64, results: &Results) -> Result<(), StoreError> {
        let last = results.games.last().map_or(-1, |played| played.number as i64);
        let ended = self.connection.transaction().and_then(|transaction| {
            transaction.execute("DELETE FROM games WHERE run = ?1 AND number > ?2", params![run, last])?;
            transaction.execute("UPDATE runs SET ended = datetime('now') WHERE id = ?1", [run])?;
            transaction.commit()
        });
        ended.map_err(|error| self.explain(error).in_run(run))
    }

    /// Deletes the games of a run that this worker of a cluster has played, and returns how many. A run that loses some of its games is not at its end.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn drop_worker(&mut self, run: i64, worker: &str) -> Result<usize, StoreError> {
        let dropped = self.connection.transaction().and_then(|transaction| {
            let own = "CASE WHEN json_valid(details) THEN json_extract(details, '$.worker') END = ?2";
            let dropped =
                transaction.execute(&format!("DELETE FROM games WHERE run = ?1 AND {own}"), params![run, worker])?;
            if dropped > 0 {
                transaction.execute("UPDATE runs SET ended = NULL WHERE id = ?1", params![run])?;
            }
            transaction.commit()?;
            Ok(dropped)
        });
        dropped.map_err(|error| self.explain(error).in_run(run))
    }

    /// All runs, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn runs(&self) -> Result<Vec<RunInfo>, StoreError> {
        self.select_runs(None)
    }

    /// One run.
    ///
    /// # Errors
    /// When there is no such run, or it cannot be read.
    pub fn run(&self, run: i64) -> Result<RunInfo, StoreError> {
        self.select_runs(Some(run))?.pop().ok_or_else(|| self.no_run(run))
    }

    fn select_runs(&self, run: Option<i64>) -> Result<Vec<RunInfo>, StoreError> {
        let query = "SELECT id, kind, plan, begun, ended, (SELECT count(*) FROM games WHERE run = runs.id)
                     FROM runs WHERE ?1 IS NULL OR id = ?1 ORDER BY id DESC";
        let rows = self.connection.prepare(query).and_then(|mut statement| {
            let rows = statement.query_map([run], |row| {
                let plan: Option<Plan> = serde_json::from_str(&row.get::<_, String>(2)?).ok();
                Ok(RunInfo {
                    id: row.get(0)?,
                    kind: row.get(1)?,
                    game: plan.as_ref().map(|plan| plan.game.clone()).unwrap_or_default(),
                    players: plan.iter().flat_map(|plan| &plan.players).map(|player| player.name.clone()).collect(),
                    games: [row.get::<_, i64>(5)? as u64, plan.as_ref().map_or(0, Plan::games)],
                    begun: row.get(3)?,
                    ended: row.get(4)?,
                })
            })?;
            rows.collect()
        });
        rows.map_err(|error| self.explain(error))
    }

    /// Games, in the order in which they were stored: of one run, or of one game (by the beginning of its spec), or all.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn games(&self, run: Option<i64>, game: Option<&str>) -> Result<Vec<StoredGame>, StoreError> {
        self.select(
            "(?1 IS NULL OR run = ?1) AND (?2 IS NULL OR game = ?2 OR substr(game, 1, length(?2) + 1) = ?2 || '(')",
            params![run, game],
        )
    }

    /// One game.
    ///
    /// # Errors
    /// When there is no such game, or it cannot be read.
    pub fn game(&self, id: i64) -> Result<StoredGame, StoreError> {
        let missing = StoreError::Missing { what: "game", id, path: self.path.clone() };
        self.select("id = ?1", params![id])?.pop().ok_or(missing)
    }

    /// The games of a run from a number on, at most `most` of them; only those between two players, if these are named.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn page(
        &self,
        run: i64,
        between: Option<[&str; 2]>,
        from: u64,
        most: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let (one, other) = between.map_or((None, None), |[one, other]| (Some(one), Some(other)));
        self.select(
            "id IN (SELECT id FROM games WHERE run = ?1 AND number >= ?2
             AND (?3 IS NULL OR (first = ?3 AND second = ?4) OR (first = ?4 AND second = ?3)) ORDER BY number LIMIT ?5)",
            params![run, from as i64, one, other, most as i64],
        )
    }

    /// Calls `heard` with each game that came from one of two sources, of one game (by the beginning of its spec) or of all. They are not
    /// collected: a store may hold more games than the memory.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn each_from(
        &self,
        sources: [&str; 2],
        game: Option<&str>,
        heard: &mut dyn FnMut(StoredGame),
    ) -> Result<(), StoreError> {
        self.each(
            "source IN (?1, ?2) AND (?3 IS NULL OR game = ?3 OR substr(game, 1, length(?3) + 1) = ?3 || '(')",
            params![sources[0], sources[1], game],
            heard,
        )
    }

    fn select(&self, filter: &str, parameters: &[&dyn rusqlite::ToSql]) -> Result<Vec<StoredGame>, StoreError> {
        let mut games = Vec::new();
        self.each(filter, parameters, &mut |game| games.push(game))?;
        Ok(games)
    }

    fn each(
        &self,
        filter: &str,
        parameters: &[&dyn rusqlite::ToSql],
        heard: &mut dyn FnMut(StoredGame),
    ) -> Result<(), StoreError> {
        let query = format!(
            "SELECT id, run, number, game, first, second, result, reason, plies, record, source, kept, {}, {}, 
                    CASE WHEN json_valid(details) THEN json_extract(details, '$.worker') END
             FROM games WHERE {filter} ORDER BY run, number, id",
            WEIGHTS_OF.replace("SEAT", "first"),
            WEIGHTS_OF.replace("SEAT", "second")
        );
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(&query)?;
            let mut rows = statement.query(parameters)?;
            while let Some(row) = rows.next()? {
                let (run, number): (Option<i64>, Option<i64>) = (row.get(1)?, row.get(2)?);
                heard(StoredGame {
                    id: row.get(0)?,
                    run: run.zip(number.map(|number| number as u64)),
                    game: row.get(3)?,
                    players: [row.get(4)?, row.get(5)?],
                    result: read_column(row, 6)?,
                    reason: EndReason::given(row.get_ref(7)?.as_str()?),
                    plies: row.get::<_, i64>(8)? as u64,
                    record: row.get(9)?,
                    source: row.get(10)?,
                    kept: row.get(11)?,
                    weights: [row.get(12)?, row.get(13)?],
                    worker: row.get(14)?,
                });
            }
            Ok(())
        };
        read().map_err(|error| self.explain(error))
    }

    /// Stores games that came from elsewhere, all or none of them, and returns how many.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn import(&mut self, records: &[Record], source: &str) -> Result<usize, StoreError> {
        let written = self.connection.transaction().and_then(|transaction| {
            for record in records {
                insert(&transaction, record, source, None)?;
            }
            transaction.commit()
        });
        written.map(|()| records.len()).map_err(|error| self.explain(error))
    }

    /// Stores a game under the name that it has where it came from, at most once. True if it is new.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn import_once(&mut self, record: &Record, source: &str, origin: &str) -> Result<bool, StoreError> {
        let written = insert(&self.connection, record, source, Some(origin));
        written.map(|rows| rows > 0).map_err(|error| self.explain(error))
    }
}

/// The version of the tables in a file.
fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// The result of a game in this column.
fn read_column(row: &Row, column: usize) -> rusqlite::Result<Option<Outcome>> {
    let unknown = |fault| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(fault));
    read_result(row.get_ref(column)?.as_str()?).map_err(unknown)
}

fn insert(to: &Connection, record: &Record, source: &str, origin: Option<&str>) -> rusqlite::Result<usize> {
    let (first, second) = record.players.split_once(", ").unwrap_or((&record.players, ""));
    let sql = "INSERT INTO games (game, first, second, result, reason, plies, record, source, origin)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (origin) DO NOTHING";
    let (reason, plies) = (reason_text(record.reason.as_ref()), record.moves.len() as i64);
    let (spec, text) = (record.spec.to_string(), record.to_string());
    to.execute(sql, params![spec, first, second, result_text(record.result), reason, plies, text, source, origin])
}

#[cfg(test)]
mod tests;
