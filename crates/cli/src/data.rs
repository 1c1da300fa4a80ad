//! The data directory: the user's additions to the embedded data.

use std::path::{Path, PathBuf};

use crate::output::note;
use anyhow::{Result, bail};
use directories::ProjectDirs;
use quintet_agent::Catalogue;
use quintet_arena::Store;
use quintet_data::Data;

/// The directory given by `--data` or `$QUINTET_DATA`, else the platform's; none without a home directory.
pub fn directory(asked: Option<PathBuf>) -> Option<PathBuf> {
    asked.or_else(|| Some(ProjectDirs::from("", "", "quintet")?.data_dir().to_owned()))
}

/// The embedded data with the additions of the data directory.
pub fn of(directory: Option<&Path>) -> Data {
    directory.map_or_else(Data::embedded, Data::with_directory)
}

/// The named agents: the embedded ones and those of `agents/GAME.toml` in the data directory. Files that are used are named on standard error.
pub fn catalogue(directory: Option<&Path>) -> Result<Catalogue> {
    let catalogue = Catalogue::with_data(of(directory))?;
    let mut files: Vec<_> = catalogue.entries().filter_map(|entry| entry.source.as_deref()).collect();
    files.dedup();
    for file in files {
        note!("quintet: agents are also read from {}", file.display());
    }
    let mut files: Vec<_> = catalogue.levels().filter_map(|level| level.source.as_deref()).collect();
    files.dedup();
    for file in files {
        note!("quintet: levels are also read from {}", file.display());
    }
    Ok(catalogue)
}

/// Where the games are stored.
pub fn store(data: Option<&Path>) -> Result<Store> {
    let Some(data) = data else { bail!("there is no data directory; name one with --data DIR") };
    Ok(Store::open(&data.join("games.sqlite"))?)
}

/// The same to read: it need not be writable.
pub fn store_to_read(data: Option<&Path>) -> Result<Store> {
    let Some(data) = data else { bail!("there is no data directory; name one with --data DIR") };
    Ok(Store::read(&data.join("games.sqlite"))?)
}

/// The folder of a training run: a path, or a name in `runs/` of the data directory.
pub fn run_folder(data: Option<&Path>, asked: &Path) -> PathBuf {
    match data.map(|data| data.join("runs").join(asked)) {
        Some(kept) if !asked.exists() && kept.exists() => kept,
        _ => asked.to_owned(),
    }
}
