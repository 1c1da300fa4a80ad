//! The folders of runs in a data directory: names lead somewhere only when a listing of the disk has them.

use std::path::{Path, PathBuf};

/// The folder of a run in a data directory, by its name.
#[must_use]
pub fn run_folder(data: &Path, name: &str) -> PathBuf {
    data.join("runs").join(name)
}

/// The folders in `runs/` of a data directory, by name. A link is left out: it could lead out of the data directory.
///
/// ```
/// use quintet_lab::{run_folder, run_folders};
/// let data = std::env::temp_dir().join(format!("quintet-folders-{}", std::process::id()));
/// let folder = run_folder(&data, "train-pylos-td20-1");
/// std::fs::create_dir_all(&folder)?;
/// assert_eq!(run_folders(&data), [("train-pylos-td20-1".to_owned(), folder)]);
/// # std::fs::remove_dir_all(&data)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn run_folders(data: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(data.join("runs")).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut named: Vec<(String, PathBuf)> =
        folders.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path()))).collect();
    named.sort();
    named
}

/// The plain files of a folder that end so, by name.
#[must_use]
pub fn files_of(folder: &Path, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let plain = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> = plain.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| name.ends_with(ending));
    names.sort();
    names
}
