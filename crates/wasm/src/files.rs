//! Files that are fetched when they are first needed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quintet_data::Source;
use quintet_game::Stop;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// The files that a host has beside the module, by their paths in the data. Clones are the same files.
#[derive(Clone, Default)]
pub struct Files(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    known: BTreeMap<String, File>,
    /// The one that the present request needs, and the flag that ends its search.
    needed: Option<String>,
    stop: Option<Stop>,
}

struct File {
    sha256: String,
    state: State,
}

enum State {
    Elsewhere,
    Here(&'static [u8]),
    /// It cannot be had, so it is as if it did not exist.
    Withheld,
}

/// A file as the host lists it.
#[derive(Deserialize)]
struct Listed {
    sha256: String,
}

impl Files {
    /// Reads the list of the files: a JSON object from paths to `{"sha256": …}`.
    pub fn listed(list: &str) -> Result<Files, String> {
        let listed: BTreeMap<String, Listed> =
            serde_json::from_str(list).map_err(|why| format!("the list of files: {why}"))?;
        let known =
            listed.into_iter().map(|(name, Listed { sha256 })| (name, File { sha256, state: State::Elsewhere }));
        Ok(Files(Arc::new(Mutex::new(Inner { known: known.collect(), ..Inner::default() }))))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a file that was fetched.
    pub fn supply(&self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        let mut inner = self.lock();
        let file = inner.known.get_mut(name).ok_or_else(|| format!("{name} is not among the files of this host"))?;
        let found = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        if found != file.sha256 {
            return Err(format!("{name} has arrived damaged: its checksum is {found}, not {}", file.sha256));
        }
        // It is read once and used until the worker ends.
        file.state = State::Here(bytes.leak());
        Ok(())
    }

    /// Notes that a file cannot be had.
    pub fn withhold(&self, name: &str) {
        if let Some(file) = self.lock().known.get_mut(name) {
            file.state = State::Withheld;
        }
    }

    /// Begins a request, whose search ends early if it needs a file that is not here.
    pub fn begin(&self, stop: &Stop) {
        let mut inner = self.lock();
        (inner.needed, inner.stop) = (None, Some(stop.clone()));
    }

    /// The file that the request has asked for in vain.
    pub fn needed(&self) -> Option<String> {
        self.lock().needed.take()
    }
}

impl Source for Files {
    fn read(&self, path: &str) -> io::Result<Option<Cow<'static, [u8]>>> {
        let mut inner = self.lock();
        match inner.known.get(path).map(|file| &file.state) {
            None | Some(State::Withheld) => Ok(None),
            Some(State::Here(bytes)) => Ok(Some(Cow::Borrowed(bytes))),
            Some(State::Elsewhere) => {
                inner.needed = Some(path.to_owned());
                if let Some(stop) = &inner.stop {
                    stop.stop();
                }
                Err(io::Error::new(io::ErrorKind::NotFound, "it has not been fetched yet"))
            }
        }
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let inner = self.lock();
        let within = inner.known.keys().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'));
        within.map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_needed_supplied_and_withheld() {
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // of "abc", FIPS 180-2
        let files = Files::listed(&format!("{{\"a\":{{\"sha256\":\"{sum}\"}},\"b\":{{\"sha256\":\"\"}}}}")).unwrap();
        let stop = Stop::new();
        files.begin(&stop);
        assert!(files.read("other").unwrap().is_none() && files.needed().is_none() && !stop.stopped());
        assert!(files.read("a").is_err());
        assert_eq!((files.needed().as_deref(), stop.stopped()), (Some("a"), true));
        assert!(files.supply("a", b"abd".to_vec()).unwrap_err().contains("damaged"));
        files.supply("a", b"abc".to_vec()).unwrap();
        assert_eq!(files.read("a").unwrap().unwrap(), &b"abc"[..]);
        files.withhold("b");
        assert!(files.read("b").unwrap().is_none());
        assert!(files.supply("c", Vec::new()).is_err());
        let folders = Files::listed("{\"a/b/c\":{\"sha256\":\"\"},\"ab/c\":{\"sha256\":\"\"}}").unwrap();
        assert_eq!(folders.list("a"), ["b/c"]);
        assert!(Files::listed("[]").is_err());
    }
}
