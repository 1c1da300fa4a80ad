//! The data directory: what people add to what comes with the program.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use directories::ProjectDirs;
use quintet_agent::Catalogue;
use quintet_arena::Store;
use quintet_data::Data;

/// The directory that was asked for (by `--data` or `$QUINTET_DATA`), else the platform's; none where there is no home.
pub fn directory(asked: Option<PathBuf>) -> Option<PathBuf> {
    asked.or_else(|| Some(ProjectDirs::from("", "", "quintet")?.data_dir().to_owned()))
}

/// What comes with the program, and what the data directory adds.
pub fn of(directory: Option<&Path>) -> Data {
    directory.map_or_else(Data::embedded, Data::with_directory)
}

/// The named agents: those that come with the program and those of `agents/GAME.toml` in the data directory. Files that are used are named on standard error.
pub fn catalogue(directory: Option<&Path>) -> Result<Catalogue> {
    let catalogue = Catalogue::with_data(of(directory))?;
    let mut files: Vec<_> = catalogue.entries().filter_map(|entry| entry.source.as_deref()).collect();
    files.dedup();
    for file in files {
        eprintln!("quintet: agents are also read from {}", file.display());
    }
    let mut files: Vec<_> = catalogue.levels().filter_map(|level| level.source.as_deref()).collect();
    files.dedup();
    for file in files {
        eprintln!("quintet: levels are also read from {}", file.display());
    }
    Ok(catalogue)
}

/// Where the games are kept.
pub fn store(data: Option<&Path>) -> Result<Store> {
    let Some(data) = data else { bail!("there is no place for data here; name one with --data DIR") };
    Ok(Store::open(&data.join("games.sqlite"))?)
}

/// The folder of a training run: as it is named, or in `runs/` of the data directory.
pub fn run_folder(data: Option<&Path>, asked: &Path) -> PathBuf {
    match data.map(|data| data.join("runs").join(asked)) {
        Some(kept) if !asked.exists() && kept.exists() => kept,
        _ => asked.to_owned(),
    }
}
