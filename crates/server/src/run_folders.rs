//! Folders that are shown: names lead somewhere only when a listing of the disk has them.

use std::path::{Path, PathBuf};

/// The folders in `runs/` of a data directory, by name.
pub fn runs(data: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(data.join("runs")).into_iter().flatten().flatten();
    // A link could lead out of the data directory.
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut named: Vec<(String, PathBuf)> =
        folders.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path()))).collect();
    named.sort();
    named
}

/// The plain files of a folder that end so, by name.
pub fn files(folder: &Path, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let plain = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> = plain.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| name.ends_with(ending));
    names.sort();
    names
}
