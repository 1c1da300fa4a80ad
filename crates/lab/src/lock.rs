//! One owner of what is written: a lock on a path, held while a value lives.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// Who holds a lock: shown to whoever comes second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// What it does: `quintet serve`.
    pub what: String,
    /// Since when, UTC, as in `2026-11-16 09:30:12 UTC`.
    pub since: String,
    /// The page, where it is a server.
    pub url: Option<String>,
}

/// A lock on a path. It is released when the value is dropped and, by the system, when the process ends, however that ends: a file that was left behind blocks nobody.
/// The file stays, since whoever waits for it may have opened it.
///
/// ```
/// use quintet_lab::{Lock, LockError};
///
/// let path = std::env::temp_dir().join(format!("quintet-lock-doc-{}/lock", std::process::id()));
/// let lock = Lock::take(&path, "a doc test")?;
/// let Err(refused) = Lock::take(&path, "another") else { panic!("two owners") };
/// assert!(refused.to_string().contains("in use by a doc test"));
/// drop(lock);
/// Lock::take(&path, "another")?;
/// # std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
/// # Ok::<(), LockError>(())
/// ```
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
    holder: Holder,
}

/// Why a lock cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process, or another part of this one, holds it.
    #[error("{} is in use by {}; wait until that is over, or stop it", path.display(), named(holder.as_ref()))]
    Held {
        /// The file of the lock.
        path: PathBuf,
        /// Who holds it, where the file tells.
        holder: Option<Holder>,
    },
    /// The file of the lock cannot be made, read or locked.
    #[error("{}", unusable(path, why))]
    File {
        /// The file of the lock.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
}

/// The holder in words.
fn named(holder: Option<&Holder>) -> String {
    let Some(Holder { pid, what, since, url }) = holder else { return "another process".into() };
    let page = url.as_ref().map_or_else(String::new, |url| format!(", at {url}"));
    format!("{what} (process {pid}, since {since}{page})")
}

/// Some file systems, network ones above all, know no locks.
fn unusable(path: &Path, why: &io::Error) -> String {
    let path = path.display();
    match why.kind() {
        io::ErrorKind::Unsupported => {
            format!("{path} cannot be locked, because its file system has no locks: choose a folder on another one")
        }
        _ => format!("cannot lock {path}: {why}"),
    }
}

impl Lock {
    /// Takes the lock on a file, which is made with its parent folders where there is none. It then holds one line of JSON, the [`Holder`].
    ///
    /// # Errors
    /// When somebody else holds it, or the file cannot be used.
    pub fn take(path: &Path, what: &str) -> Result<Lock, LockError> {
        let failed = |why| LockError::File { path: path.to_owned(), why };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held { path: path.to_owned(), holder: read(&file) });
            }
            Err(TryLockError::Error(why)) => return Err(failed(why)),
        }
        let holder = Holder { pid: std::process::id(), what: what.to_owned(), since: now(), url: None };
        let mut lock = Lock { path: path.to_owned(), file, holder };
        lock.write()?;
        Ok(lock)
    }

    /// Adds the address of the holder's page.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn set_url(&mut self, url: &str) -> Result<(), LockError> {
        self.holder.url = Some(url.to_owned());
        self.write()
    }

    fn write(&mut self) -> Result<(), LockError> {
        let line = serde_json::json!(self.holder).to_string() + "\n";
        let written = self.file.rewind().and_then(|()| self.file.write_all(line.as_bytes()));
        let written = written.and_then(|()| self.file.set_len(line.len() as u64));
        written.map_err(|why| LockError::File { path: self.path.clone(), why })
    }
}

/// More than the line of any holder.
const LONGEST: u64 = 1 << 16;

/// The holder that a file tells; none where it is being written, or cannot be read while it is locked.
fn read(file: &File) -> Option<Holder> {
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    serde_json::from_str(text.lines().next()?).ok()
}

/// The time of day in UTC, as text.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let [hour, minute, second] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Year, month and day of a day that is counted from 1970-01-01.
fn date(mut days: u64) -> (u64, usize, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    (year, month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("quintet-lock-{name}-{}", std::process::id()))
    }

    #[test]
    fn the_second_hears_who_holds_it() {
        let folder = folder("second");
        let path = folder.join("deep/lock");
        let mut lock = Lock::take(&path, "quintet serve").unwrap();
        lock.set_url("http://127.0.0.1:8000/").unwrap();
        let refused = Lock::take(&path, "quintet serve").unwrap_err();
        let LockError::Held { holder: Some(holder), .. } = &refused else { panic!("{refused:?}") };
        assert_eq!((holder, holder.pid), (&lock.holder, std::process::id()));
        let text = refused.to_string();
        for part in ["in use by quintet serve", "since 2", " UTC", "http://127.0.0.1:8000/", "stop it"] {
            assert!(text.contains(part), "{text}");
        }
        drop(lock);
        // A shorter line leaves nothing of the longer one.
        let lock = Lock::take(&path, "x").unwrap();
        assert_eq!(read(&File::open(&path).unwrap()), Some(lock.holder.clone()));
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_a_dead_process_left_blocks_nobody() {
        let folder = folder("left");
        let path = folder.join("lock");
        fs::create_dir_all(&folder).unwrap();
        for left in ["", "no JSON", "{\"pid\":1,\"what\":\"quintet serve\",\"since\":\"\",\"url\":null}\n"] {
            fs::write(&path, left).unwrap();
            drop(Lock::take(&path, "the next").unwrap());
        }
        // A file in the place of the folder is named.
        let error = Lock::take(&path.join("lock"), "the next").unwrap_err();
        assert!(matches!(error, LockError::File { .. }) && error.to_string().starts_with("cannot lock "), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_system_without_locks_is_named_as_such() {
        let why = io::Error::from(io::ErrorKind::Unsupported);
        let text = LockError::File { path: "runs/a/lock".into(), why }.to_string();
        assert!(text.contains("its file system has no locks"), "{text}");
    }

    #[test]
    fn days_have_dates() {
        for (days, wanted) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (789, (1972, 2, 29)),
            (11_016, (2000, 2, 29)),
            (20_773, (2026, 11, 16)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), wanted, "{days}");
        }
    }
}
