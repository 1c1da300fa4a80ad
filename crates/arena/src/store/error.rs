//! What can go wrong with a store, in sentences.

use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use super::KNOWN;

/// Why the store could not be used, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file or its folder cannot be opened.
    #[error("the store {} cannot be opened: {why}. Choose another place with --data DIR.", path.display())]
    Closed {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The file is not a store, or is damaged.
    #[error("the store {} is damaged ({why}). Move it away and a new one will be created; `sqlite3 FILE .recover` may save its games.", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
    /// The disk is full, or fails.
    #[error("the store {} cannot be written: {why}. {}", path.display(), advice(*run))]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
        /// The run whose game could not be stored, if it was one.
        run: Option<i64>,
    },
    /// There is no such run or game.
    #[error("there is no {what} {id} in {}; `quintet records list` lists what is there.", path.display())]
    Missing {
        /// A run or a game.
        what: &'static str,
        /// Its number.
        id: i64,
        /// The file.
        path: PathBuf,
    },
    /// Made by a later version.
    #[error("the store {} was made by a later version of quintet (its format is {has}, this version reads up to {KNOWN}).", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        has: i64,
    },
    /// Another error of SQLite.
    #[error("the store {}: {why}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
}

fn advice(run: Option<i64>) -> String {
    match run {
        Some(run) => format!(
            "The last game was not stored, all before it are. Make room, then continue with `quintet resume {run}`."
        ),
        None => "Nothing was stored. Make room, then try again.".into(),
    }
}

impl StoreError {
    /// What SQLite says about a file, in our words.
    pub(super) fn of(error: &rusqlite::Error, path: &Path) -> StoreError {
        let (path, why) = (path.to_owned(), error.to_string());
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, why },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                StoreError::Closed { path, why }
            }
            Some(ErrorCode::DiskFull) => StoreError::Unwritten { path, why: "the disk is full".into(), run: None },
            Some(ErrorCode::SystemIoFailure) if is_write(error) => StoreError::Unwritten { path, why, run: None },
            _ => StoreError::Other { path, why },
        }
    }

    /// The same about a run that can be continued.
    pub(super) fn in_run(self, run: i64) -> StoreError {
        match self {
            StoreError::Unwritten { path, why, .. } => StoreError::Unwritten { path, why, run: Some(run) },
            other => other,
        }
    }
}

/// Did the system fail to write?
fn is_write(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map_or(0, |error| error.extended_code);
    matches!(
        code,
        ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_TRUNCATE | ffi::SQLITE_IOERR_SHMSIZE
    )
}
