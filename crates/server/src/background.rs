//! Long work in the background: one piece at a time, which can be asked to stop.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use quintet_api::{ApiError, ErrorKind};
use quintet_game::Stop;
use serde::Serialize;

/// One slot with room for one run at a time; runs are known by a key.
pub struct BackgroundWork<K: Ord> {
    slot: Arc<Mutex<Slot<K>>>,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It is at work.
    Running,
    /// It was asked to stop, and has not stopped yet.
    Stopping,
    /// It was stopped and can go on.
    Stopped,
    /// It has reached its end.
    Over,
}

/// What is at work, and what has gone wrong.
struct Slot<K: Ord> {
    now: Option<(K, Stop)>,
    faults: BTreeMap<K, String>,
}

fn locked<K: Ord>(slot: &Mutex<Slot<K>>) -> MutexGuard<'_, Slot<K>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<K: Ord> Default for BackgroundWork<K> {
    fn default() -> BackgroundWork<K> {
        BackgroundWork { slot: Arc::new(Mutex::new(Slot { now: None, faults: BTreeMap::new() })) }
    }
}

impl<K: Ord> Drop for BackgroundWork<K> {
    /// Nothing new is begun for a server that is gone; what was kept is there when it is back.
    fn drop(&mut self) {
        if let Some((_, stop)) = &locked(&self.slot).now {
            stop.stop();
        }
    }
}

impl<K: Ord + Clone + Display + Send + 'static> BackgroundWork<K> {
    /// Does something in a thread of its own, which looks at the flag now and then. It is prepared only when nothing else is at work.
    ///
    /// # Errors
    /// When something is at work, or cannot be prepared.
    pub fn begin<J>(&self, prepare: impl FnOnce() -> Result<(K, J), ApiError>) -> Result<K, ApiError>
    where
        J: FnOnce(&Stop) -> Result<(), String> + Send + 'static,
    {
        let mut slot = locked(&self.slot);
        if let Some((now, _)) = &slot.now {
            return Err(conflict(format!("run {now} is at work; stop it, or wait until it is over")));
        }
        let (key, job) = prepare()?;
        let stop = Stop::new();
        slot.now = Some((key.clone(), stop.clone()));
        slot.faults.remove(&key);
        // The thread holds only the slot, so that the owner of the work can be dropped while it runs.
        let (slot, own) = (Arc::clone(&self.slot), key.clone());
        thread::spawn(move || {
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&stop)));
            let fault = done.unwrap_or_else(|_| Err("it broke down; what was done before is kept".into())).err();
            let mut slot = locked(&slot);
            slot.now = None;
            slot.faults.extend(fault.map(|fault| (own, fault)));
        });
        Ok(key)
    }

    /// Asks the run at work to stop.
    ///
    /// # Errors
    /// When it is not at work.
    pub fn stop(&self, key: &K) -> Result<(), ApiError> {
        match &locked(&self.slot).now {
            Some((now, stop)) if now == key => stop.stop(),
            _ => return Err(conflict(format!("run {key} is not at work"))),
        }
        Ok(())
    }

    /// Where a run stands. Whether it is over is asked after it was seen not to be at work: it may end at any moment.
    pub fn state(&self, key: &K, is_over: impl FnOnce() -> bool) -> RunState {
        let at_work = match &locked(&self.slot).now {
            Some((now, stop)) if now == key => {
                Some(if stop.stopped() { RunState::Stopping } else { RunState::Running })
            }
            _ => None,
        };
        at_work.unwrap_or_else(|| if is_over() { RunState::Over } else { RunState::Stopped })
    }

    /// What went wrong when it was last at work.
    pub fn fault(&self, key: &K) -> Option<String> {
        locked(&self.slot).faults.get(key).cloned()
    }
}

/// The seed of a run that names none.
pub fn default_seed() -> u64 {
    1
}

/// Something else is at work, or it is over.
pub fn conflict(why: String) -> ApiError {
    ApiError::new(ErrorKind::Conflict, why)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
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
        let work: BackgroundWork<String> = BackgroundWork::default();
        let (go, wait) = mpsc::channel::<()>();
        let long = || {
            Ok(("a".to_owned(), move |stop: &Stop| {
                let _ = wait.recv();
                until(|| stop.stopped());
                Err("tired".to_owned())
            }))
        };
        assert_eq!(work.begin(long).unwrap(), "a");
        let prepared = AtomicBool::new(false);
        let other = || {
            prepared.store(true, Ordering::Relaxed);
            Ok(("b".to_owned(), |_: &Stop| Ok(())))
        };
        assert_eq!(work.begin(other).unwrap_err().kind, ErrorKind::Conflict);
        assert!(!prepared.load(Ordering::Relaxed), "what cannot begin is not prepared");
        assert_eq!(
            (work.state(&"a".into(), || false), work.state(&"b".into(), || true)),
            (RunState::Running, RunState::Over)
        );
        assert!(work.stop(&"b".into()).is_err());
        work.stop(&"a".into()).unwrap();
        assert_eq!(work.state(&"a".into(), || false), RunState::Stopping);
        go.send(()).unwrap();
        until(|| work.state(&"a".into(), || false) == RunState::Stopped);
        assert_eq!(work.fault(&"a".into()).as_deref(), Some("tired"));
        let broken = || Ok(("a".to_owned(), |_: &Stop| -> Result<(), String> { panic!("as wanted") }));
        work.begin(broken).unwrap();
        until(|| work.state(&"a".into(), || false) == RunState::Stopped);
        assert!(work.fault(&"a".into()).unwrap().contains("broke down"));
    }
}
