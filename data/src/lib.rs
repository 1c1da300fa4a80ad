//! The data of quintet: agents, levels, ratings, experiments, training recipes, weights, puzzles, solved boards and strategies.
//!
//! A file is named by its path, such as `agents/pylos.toml`, and read from a [`Source`]: [`Embedded`] has the files compiled in,
//! a user's [`Directory`] has the same layout, and a closure is a source too. [`Data`] looks into the user's source first, then into the embedded one.
//!
//! ```
//! use std::borrow::Cow;
//! use quintet_data::Data;
//!
//! let data = Data::embedded();
//! assert!(data.find("levels/pylos.toml").unwrap().unwrap().text().unwrap().contains("[[level]]"));
//!
//! // A program without a file system supplies its own files.
//! let data = Data::with_source(|path: &str| Ok((path == "levels/pylos.toml").then_some(Cow::Borrowed(&b"# none"[..]))));
//! assert_eq!(data.find("levels/pylos.toml").unwrap().unwrap().text().unwrap(), "# none");
//! assert!(data.find("levels/twixt.toml").unwrap().is_some());
//! ```
//!
//! # Features
//! `strategies` (on by default) embeds the files of `strategies/`, which are 12 MB. Without it they must come from the user's source.
//!
//! In a browser only what is small is embedded: strategies and weights are fetched when they are needed, and a source supplies them.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use include_dir::{Dir, DirEntry, include_dir};

/// Where files are read from, by paths such as `agents/pylos.toml`. A closure from a path to bytes is one.
pub trait Source: Send + Sync {
    /// The bytes of a file; none when there is no such file.
    ///
    /// # Errors
    /// When it exists but cannot be read.
    fn read(&self, path: &str) -> io::Result<Option<Cow<'static, [u8]>>>;

    /// The files of a folder and of those in it, as paths within the folder, in any order. A source that cannot tell has none.
    fn list(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }

    /// The directory that holds its files, if there is one.
    fn directory(&self) -> Option<&Path> {
        None
    }
}

impl<F: Fn(&str) -> io::Result<Option<Cow<'static, [u8]>>> + Send + Sync> Source for F {
    fn read(&self, path: &str) -> io::Result<Option<Cow<'static, [u8]>>> {
        self(path)
    }
}

/// The files compiled into the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

static FOLDERS: &[(&str, Dir<'static>)] = &[
    ("agents", include_dir!("$CARGO_MANIFEST_DIR/agents")),
    #[cfg(not(target_family = "wasm"))]
    ("experiments", include_dir!("$CARGO_MANIFEST_DIR/experiments")),
    ("levels", include_dir!("$CARGO_MANIFEST_DIR/levels")),
    ("openings", include_dir!("$CARGO_MANIFEST_DIR/openings")),
    ("puzzles", include_dir!("$CARGO_MANIFEST_DIR/puzzles")),
    #[cfg(not(target_family = "wasm"))]
    ("ratings", include_dir!("$CARGO_MANIFEST_DIR/ratings")),
    ("solved", include_dir!("$CARGO_MANIFEST_DIR/solved")),
    #[cfg(not(target_family = "wasm"))]
    ("training", include_dir!("$CARGO_MANIFEST_DIR/training")),
    #[cfg(not(target_family = "wasm"))]
    ("weights", include_dir!("$CARGO_MANIFEST_DIR/weights")),
];

/// The files of `strategies`, which are a crate of their own.
#[cfg(all(feature = "strategies", not(target_family = "wasm")))]
use quintet_strategies::FILES as STRATEGIES;
#[cfg(not(all(feature = "strategies", not(target_family = "wasm"))))]
static STRATEGIES: &[(&str, &[u8])] = &[];

impl Embedded {
    fn folder(name: &str) -> Option<&'static Dir<'static>> {
        FOLDERS.iter().find(|(own, _)| *own == name).map(|(_, folder)| folder)
    }

    /// The bytes of a file.
    ///
    /// ```
    /// use quintet_data::Embedded;
    /// assert!(Embedded::bytes("weights/pylos/td20.toml").is_some());
    /// assert!(Embedded::bytes("weights/pylos").is_none());
    /// ```
    #[must_use]
    pub fn bytes(path: &str) -> Option<&'static [u8]> {
        let (folder, file) = path.split_once('/')?;
        if folder == "strategies" {
            return STRATEGIES.iter().find(|(name, _)| *name == file).map(|(_, bytes)| *bytes);
        }
        Some(Embedded::folder(folder)?.get_file(file)?.contents())
    }

    /// The files of a folder and of those in it, as paths within the folder, in order.
    ///
    /// ```
    /// use quintet_data::Embedded;
    /// assert!(Embedded::list("weights").contains(&"pylos/td20.toml"));
    /// ```
    #[must_use]
    pub fn list(folder: &str) -> Vec<&'static str> {
        let entries = Embedded::folder(folder).and_then(|folder| folder.find("**/*").ok());
        let files = entries.into_iter().flatten().filter_map(DirEntry::as_file);
        let mut paths: Vec<&str> = files.filter_map(|file| file.path().to_str()).collect();
        if folder == "strategies" {
            paths.extend(STRATEGIES.iter().map(|(name, _)| *name));
        }
        paths.sort_unstable();
        paths
    }
}

impl Source for Embedded {
    fn read(&self, path: &str) -> io::Result<Option<Cow<'static, [u8]>>> {
        Ok(Embedded::bytes(path).map(Cow::Borrowed))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        Embedded::list(folder).into_iter().map(str::to_owned).collect()
    }
}

/// The most that is read of a file or of an input, in bytes: far more than any that makes sense. An endless one is refused.
pub const MOST_BYTES: u64 = 256 << 20;

/// Everything that a reader has.
///
/// ```
/// assert_eq!(quintet_data::read_all(&b"abc"[..]).unwrap(), b"abc");
/// assert!(quintet_data::read_all(std::io::repeat(0)).unwrap_err().to_string().contains("256 MiB"));
/// ```
///
/// # Errors
/// When it cannot be read, or has more than [`MOST_BYTES`].
pub fn read_all(from: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Err(too_long()) } else { Ok(bytes) }
}

/// Why something is not read to its end.
#[must_use]
pub fn too_long() -> io::Error {
    let why = format!("it has more than {} MiB ({MOST_BYTES} bytes), the most that is read", MOST_BYTES >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, why)
}

/// The bytes of a file, read as [`read_all`] does.
///
/// # Errors
/// When it cannot be read, or has more than [`MOST_BYTES`].
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_all(std::fs::File::open(path)?)
}

/// The text of a file, read as [`read_all`] does.
///
/// # Errors
/// When it cannot be read, has more than [`MOST_BYTES`], or is not text.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_file(path)?).map_err(|_| no_text())
}

/// The same sentence as `std::fs::read_to_string`.
fn no_text() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8")
}

/// A directory with the same layout as the embedded files, or a part of it.
#[derive(Clone, Debug)]
pub struct Directory(pub PathBuf);

impl Source for Directory {
    fn read(&self, path: &str) -> io::Result<Option<Cow<'static, [u8]>>> {
        match read_file(&self.0.join(path)) {
            Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let root = self.0.join(folder);
        let (mut folders, mut files) = (vec![root.clone()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if let Some(path) = path.strip_prefix(&root).ok().and_then(Path::to_str) {
                    files.push(path.replace(std::path::MAIN_SEPARATOR, "/"));
                }
            }
        }
        files
    }

    fn directory(&self) -> Option<&Path> {
        Some(&self.0)
    }
}

/// The user's own files, then the embedded ones. A clone reads the same files.
#[derive(Clone, Default)]
pub struct Data {
    own: Option<Arc<dyn Source>>,
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Data").field("own", &self.own.as_ref().map(|own| own.directory())).finish()
    }
}

/// Why data cannot be read. Embedded files never give this.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file exists but cannot be read.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The contents of a file make no sense.
    #[error("{}: {why}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        why: String,
    },
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// What it holds.
    pub bytes: Cow<'static, [u8]>,
    /// Where it is: its place in the user's data directory, or its path within the data.
    path: PathBuf,
    embedded: bool,
}

impl File {
    fn read(source: &dyn Source, path: &str, embedded: bool) -> Result<Option<File>, DataError> {
        let place = source.directory().map_or_else(|| PathBuf::from(path), |directory| directory.join(path));
        match source.read(path) {
            Ok(bytes) => Ok(bytes.map(|bytes| File { bytes, path: place, embedded })),
            Err(why) => Err(DataError::Unreadable { path: place, why }),
        }
    }

    /// Its text.
    ///
    /// # Errors
    /// When it is not text.
    pub fn text(&self) -> Result<&str, DataError> {
        let text = std::str::from_utf8(&self.bytes);
        text.map_err(|_| DataError::Unreadable { path: self.path.clone(), why: no_text() })
    }

    /// Where a file of the user is; none for an embedded one.
    #[must_use]
    pub fn source(&self) -> Option<&Path> {
        (!self.embedded).then_some(&self.path)
    }

    /// The error that says what is wrong with it.
    #[must_use]
    pub fn wrong(&self, why: String) -> DataError {
        DataError::Wrong { path: self.path.clone(), why }
    }
}

impl Data {
    /// The embedded files only.
    #[must_use]
    pub fn embedded() -> Data {
        Data::default()
    }

    /// The files of a directory, then the embedded ones. Missing files are not an error.
    #[must_use]
    pub fn with_directory(directory: &Path) -> Data {
        Data::with_source(Directory(directory.to_owned()))
    }

    /// The files of a source, then the embedded ones.
    #[must_use]
    pub fn with_source(source: impl Source + 'static) -> Data {
        Data { own: Some(Arc::new(source)) }
    }

    /// The user's data directory, if there is one.
    #[must_use]
    pub fn directory(&self) -> Option<&Path> {
        self.own.as_ref()?.directory()
    }

    /// A file by its path: the user's, else the embedded one.
    ///
    /// # Errors
    /// When the user's file exists but cannot be read.
    pub fn find(&self, path: &str) -> Result<Option<File>, DataError> {
        match self.own(path)? {
            Some(file) => Ok(Some(file)),
            None => File::read(&Embedded, path, true),
        }
    }

    /// The files of a folder and of those in it, the user's and the embedded ones, as paths within the folder, in order.
    ///
    /// ```
    /// assert!(quintet_data::Data::embedded().list("weights").contains(&"pylos/td20.toml".to_owned()));
    /// ```
    #[must_use]
    pub fn list(&self, folder: &str) -> Vec<String> {
        let own = self.own.iter().flat_map(|own| own.list(folder));
        let mut paths: Vec<String> = own.chain(Source::list(&Embedded, folder)).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    fn own(&self, path: &str) -> Result<Option<File>, DataError> {
        self.own.as_ref().map_or(Ok(None), |own| File::read(&**own, path, false))
    }

    /// Calls `add` with the text of each of the files `folder/NAME.ending`: first the embedded ones, then the user's, whose
    /// entries add to those or replace them. `add` gets the name, the text, and the place of the user's file.
    ///
    /// ```
    /// use quintet_data::Data;
    /// let mut lines = 0;
    /// let games = ["pylos", "twixt"].into_iter();
    /// Data::embedded().each("puzzles", games, "jsonl", |_game, text, _from| Ok(lines += text.lines().count())).unwrap();
    /// assert!(lines > 10);
    /// ```
    ///
    /// # Errors
    /// When a file cannot be read, or `add` refuses it.
    pub fn each<'n>(
        &self,
        folder: &str,
        names: impl Iterator<Item = &'n str> + Clone,
        ending: &str,
        mut add: impl FnMut(&'n str, &str, Option<&Path>) -> Result<(), String>,
    ) -> Result<(), DataError> {
        for own in [false, true] {
            for name in names.clone() {
                let path = format!("{folder}/{name}.{ending}");
                let file = if own { self.own(&path)? } else { File::read(&Embedded, &path, true)? };
                if let Some(file) = file {
                    add(name, file.text()?, file.source()).map_err(|why| file.wrong(why))?;
                }
            }
        }
        Ok(())
    }
}
