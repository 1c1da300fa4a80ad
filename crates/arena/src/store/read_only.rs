//! Stores that can only be read: on a medium, in somebody else's folder, in a backup.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{KNOWN, Store, StoreError, version};

impl Store {
    /// Opens a store to read it, also where nothing can be written, or the disk is full; where it can, this is [`Store::open`].
    ///
    /// ```
    /// use quintet_arena::Store;
    /// let folder = std::env::temp_dir().join(format!("quintet-read-doc-{}", std::process::id()));
    /// let store = Store::read(&folder.join("games.sqlite"))?;
    /// assert!(store.runs()?.is_empty());
    /// # drop(store);
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), quintet_arena::StoreError>(())
    /// ```
    ///
    /// # Errors
    /// When the file cannot be read, is damaged or outdated, or was left in the middle of a write.
    pub fn read(path: &Path) -> Result<Store, StoreError> {
        match Store::open(path) {
            Err(why @ (StoreError::Closed { .. } | StoreError::Unwritten { .. })) if path.is_file() => {
                read_only(path, why)
            }
            opened => opened,
        }
    }
}

/// Others may be writing where we cannot: then their files beside the store are there. If they are not, and nobody has left anything in them, the store cannot change.
fn read_only(path: &Path, closed: StoreError) -> Result<Store, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let plain = || Connection::open_with_flags(path, flags);
    let unchanging = || Connection::open_with_flags(unchanging(path), flags | OpenFlags::SQLITE_OPEN_URI);
    let usable = |connection: Connection| {
        connection.busy_timeout(Duration::from_secs(10))?;
        Ok::<_, rusqlite::Error>((version(&connection)?, connection))
    };
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let is_whole = !Path::new(&log).metadata().is_ok_and(|log| log.is_file() && log.len() > 0);
    let opened = plain().and_then(usable);
    let opened = if is_whole { opened.or_else(|_| unchanging().and_then(usable)) } else { opened };
    let why = match opened {
        Ok((KNOWN, connection)) => return Ok(Store { path: path.to_owned(), connection }),
        Ok((has, _)) if has > KNOWN => return Err(StoreError::TooNew { path: path.to_owned(), has }),
        Ok((has, _)) => format!("its format {has} is older than {KNOWN}, and it cannot be brought up to date here"),
        Err(_) if !is_whole => "its last games are in the file with -wal, which cannot be used here".into(),
        Err(_) => return Err(closed),
    };
    Err(StoreError::Closed { path: path.to_owned(), why: why + ": copy it to where it can be written" })
}

/// The address of a file that nobody changes, as SQLite reads it.
fn unchanging(path: &Path) -> String {
    let escaped: String = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{escaped}?immutable=1")
}
