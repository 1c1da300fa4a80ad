//! Long work in the background: one piece at a time, which can be asked to stop.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use axum::http::StatusCode;

use crate::answer::Refused;

/// One desk with room for one run at a time; runs are known by a key.
pub struct Work<K: Ord> {
    desk: Arc<Mutex<Desk<K>>>,
}

/// What is at work, and what has gone wrong.
struct Desk<K: Ord> {
    now: Option<(K, Arc<AtomicBool>)>,
    faults: BTreeMap<K, String>,
}

fn locked<K: Ord>(desk: &Mutex<Desk<K>>) -> MutexGuard<'_, Desk<K>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: Ord> Default for Work<K> {
    fn default() -> Work<K> {
        Work { desk: Arc::new(Mutex::new(Desk { now: None, faults: BTreeMap::new() })) }
    }
}

impl<K: Ord> Drop for Work<K> {
    /// Nothing new is begun for a server that is gone; what was kept is there when it is back.
    fn drop(&mut self) {
        if let Some((_, stop)) = &locked(&self.desk).now {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl<K: Ord + Clone + Display + Send + 'static> Work<K> {
    /// Does something in a thread of its own, which looks at the flag now and then. It is prepared only when nothing else is at work.
    ///
    /// # Errors
    /// When something is at work, or cannot be prepared.
    pub fn begin<J>(&self, prepare: impl FnOnce() -> Result<(K, J), Refused>) -> Result<K, Refused>
    where
        J: FnOnce(&AtomicBool) -> Result<(), String> + Send + 'static,
    {
        let mut desk = locked(&self.desk);
        if let Some((now, _)) = &desk.now {
            return Err(conflict(format!("run {now} is at work; stop it, or wait until it is over")));
        }
        let (key, job) = prepare()?;
        let stop = Arc::new(AtomicBool::new(false));
        desk.now = Some((key.clone(), Arc::clone(&stop)));
        desk.faults.remove(&key);
        // The thread knows nothing but the desk, so that whoever owns the work can go without it.
        let (desk, own) = (Arc::clone(&self.desk), key.clone());
        thread::spawn(move || {
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&stop)));
            let fault = done.unwrap_or_else(|_| Err("it broke down; what was done before is kept".into())).err();
            let mut desk = locked(&desk);
            desk.now = None;
            desk.faults.extend(fault.map(|fault| (own, fault)));
        });
        Ok(key)
    }

    /// Asks the run at work to stop.
    ///
    /// # Errors
    /// When it is not at work.
    pub fn stop(&self, key: &K) -> Result<(), Refused> {
        match &locked(&self.desk).now {
            Some((now, stop)) if now == key => stop.store(true, Ordering::Relaxed),
            _ => return Err(conflict(format!("run {key} is not at work"))),
        }
        Ok(())
    }

    /// `running` or `stopping`; for one that is not at work, `over` or `stopped`.
    pub fn state(&self, key: &K, over: bool) -> &'static str {
        match &locked(&self.desk).now {
            Some((now, stop)) if now == key && stop.load(Ordering::Relaxed) => "stopping",
            Some((now, _)) if now == key => "running",
            _ if over => "over",
            _ => "stopped",
        }
    }

    /// What went wrong when it was last at work.
    pub fn fault(&self, key: &K) -> Option<String> {
        locked(&self.desk).faults.get(key).cloned()
    }
}

/// Something else is at work, or it is over.
pub fn conflict(why: String) -> Refused {
    let mut refused = Refused::because(why);
    refused.status = StatusCode::CONFLICT;
    refused
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn until(test: impl Fn() -> bool) {
        while !test() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn one_at_a_time_and_faults_are_kept() {
        let work: Work<String> = Work::default();
        let (go, wait) = mpsc::channel::<()>();
        let long = || {
            Ok(("a".to_owned(), move |stop: &AtomicBool| {
                let _ = wait.recv();
                until(|| stop.load(Ordering::Relaxed));
                Err("tired".to_owned())
            }))
        };
        assert_eq!(work.begin(long).unwrap(), "a");
        let prepared = AtomicBool::new(false);
        let other = || {
            prepared.store(true, Ordering::Relaxed);
            Ok(("b".to_owned(), |_: &AtomicBool| Ok(())))
        };
        assert_eq!(work.begin(other).unwrap_err().status, StatusCode::CONFLICT);
        assert!(!prepared.load(Ordering::Relaxed), "what cannot begin is not prepared");
        assert_eq!((work.state(&"a".into(), false), work.state(&"b".into(), true)), ("running", "over"));
        assert!(work.stop(&"b".into()).is_err());
        work.stop(&"a".into()).unwrap();
        assert_eq!(work.state(&"a".into(), false), "stopping");
        go.send(()).unwrap();
        until(|| work.state(&"a".into(), false) == "stopped");
        assert_eq!(work.fault(&"a".into()).as_deref(), Some("tired"));
        let broken = || Ok(("a".to_owned(), |_: &AtomicBool| -> Result<(), String> { panic!("as wanted") }));
        work.begin(broken).unwrap();
        until(|| work.state(&"a".into(), false) == "stopped");
        assert!(work.fault(&"a".into()).unwrap().contains("broke down"));
    }
}
