//! What a coordinator knows of the workers: who is there, who takes units of its run, and whose answers do not count.

use std::collections::HashMap;
use std::time::Instant;

use crate::message::{MOST_BARRED, WorkerState, sentence};
use crate::queue::SILENCE;

/// After this many invalid results a worker is barred.
const MOST_INVALID: u32 = 3;
/// After this many units in a row that a worker could not play it is barred, if there is another.
const MOST_FAILED: u32 = 5;
/// The most workers that are known at once: anybody may invent names.
const MOST_KNOWN: usize = 4096;

/// The workers of a run, by their names.
pub(crate) struct Workers {
    run: String,
    build: String,
    tag: Option<String>,
    known: HashMap<String, Known>,
}

#[derive(Default)]
struct Known {
    /// What it said of itself, and when. Answers may come from one that has said nothing yet.
    state: Option<(WorkerState, Instant)>,
    /// Results that were invalid.
    invalid: u32,
    /// Units in a row that it could not play.
    failed: u32,
    /// Why its answers do not count.
    barred: Option<String>,
}

impl Workers {
    /// For a run, of a build, whose workers need this tag.
    pub fn new(run: &str, build: &str, tag: Option<&str>) -> Workers {
        Workers { run: run.to_owned(), build: build.to_owned(), tag: tag.map(str::to_owned), known: HashMap::new() }
    }

    /// Hears of a worker; true if it is new.
    pub fn hear(&mut self, state: WorkerState) -> bool {
        let Some(known) = self.entry(&state.worker.clone()) else { return false };
        known.state.replace((state, Instant::now())).is_none()
    }

    /// What is known of a worker, or none if too many are.
    fn entry(&mut self, name: &str) -> Option<&mut Known> {
        if self.known.len() >= MOST_KNOWN && !self.known.contains_key(name) {
            self.known.retain(|_, known| known.state.is_some());
            if self.known.len() >= MOST_KNOWN {
                return None;
            }
        }
        Some(self.known.entry(name.to_owned()).or_default())
    }

    /// Forgets those that have been silent for a while, except why they were barred.
    pub fn forget_silent(&mut self) {
        for known in self.known.values_mut() {
            known.state.take_if(|(_, heard)| heard.elapsed() >= SILENCE);
        }
        self.known.retain(|_, known| known.state.is_some() || known.invalid > 0 || known.barred.is_some());
    }

    /// The workers that take units of this run.
    pub fn able(&self) -> impl Iterator<Item = &WorkerState> {
        let free = self.known.values().filter(|known| known.barred.is_none());
        free.filter_map(|known| known.state.as_ref()).map(|(state, _)| state).filter(|state| self.takes_part(state))
    }

    fn takes_part(&self, state: &WorkerState) -> bool {
        state.build == self.build
            && self.tag.as_ref().is_none_or(|tag| state.tags.contains(tag))
            && state.refused.iter().all(|(refused, _)| *refused != self.run)
    }

    /// Is there another that takes units?
    pub fn has_other_than(&self, name: &str) -> bool {
        self.able().any(|state| state.worker != name)
    }

    /// Why the answers of a worker do not count, if they do not.
    pub fn barred(&self, name: &str) -> Option<&str> {
        self.known.get(name)?.barred.as_deref()
    }

    /// Those whose answers do not count, with the reasons.
    pub fn all_barred(&self) -> Vec<(String, String)> {
        let barred = self.known.iter().filter_map(|(name, known)| Some((name.clone(), known.barred.clone()?)));
        barred.take(MOST_BARRED).collect()
    }

    /// From now on its answers do not count.
    pub fn bar(&mut self, name: &str, why: &str) {
        if let Some(known) = self.entry(name) {
            known.barred = Some(sentence(why));
        }
    }

    /// It has sent an invalid result. True if it is barred for that.
    pub fn sent_invalid(&mut self, name: &str, why: &str) -> bool {
        let Some(known) = self.entry(name) else { return false };
        known.invalid += 1;
        let barred = known.invalid == MOST_INVALID;
        if barred {
            self.bar(name, &format!("it has sent {MOST_INVALID} invalid results, the last: {why}"));
        }
        barred
    }

    /// It could not play a unit. True if it is barred for that: it has failed again and again while another has not.
    pub fn failed(&mut self, name: &str, why: &str) -> bool {
        let Some(known) = self.entry(name) else { return false };
        known.failed += 1;
        let failed = known.failed;
        let works = |other: &WorkerState| {
            other.worker != name && self.known.get(&other.worker).is_some_and(|known| known.failed == 0)
        };
        let barred = failed >= MOST_FAILED && self.barred(name).is_none() && self.able().any(works);
        if barred {
            self.bar(name, &format!("it could not play {failed} units in a row, the last: {why}"));
        }
        barred
    }

    /// It has played a unit.
    pub fn played(&mut self, name: &str) {
        if let Some(known) = self.known.get_mut(name) {
            known.failed = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "0123456789abcdef0123456789abcdef";

    fn state(worker: &str) -> WorkerState {
        WorkerState {
            worker: worker.into(),
            build: "1".into(),
            threads: 1,
            tags: vec!["gpu".into()],
            playing: 0,
            games: 0,
            seconds: 1,
            refused: Vec::new(),
        }
    }

    fn three() -> Workers {
        let mut workers = Workers::new(RUN, "1", None);
        assert!(["a", "b", "c"].into_iter().all(|name| workers.hear(state(name))));
        assert!(!workers.hear(state("a")));
        workers
    }

    #[test]
    fn only_those_that_fit_are_able() {
        let mut workers = Workers::new(RUN, "1", Some("gpu"));
        workers.hear(WorkerState { build: "2".into(), ..state("other-build") });
        workers.hear(WorkerState { tags: Vec::new(), ..state("no-tag") });
        workers.hear(WorkerState { refused: vec![(RUN.into(), "no".into())], ..state("refuses") });
        assert_eq!(workers.able().count(), 0);
        workers.hear(state("a"));
        assert!(!workers.has_other_than("a") && workers.has_other_than("b"));
    }

    #[test]
    fn one_that_only_fails_is_barred_if_others_do_not() {
        let mut workers = three();
        assert!((0..4).all(|_| !workers.failed("a", "no engine")));
        workers.played("a");
        assert!((0..4).all(|_| !workers.failed("a", "no engine")));
        assert!(workers.failed("a", "no engine") && !workers.failed("a", "no engine"));
        assert!(workers.barred("a").unwrap().contains("5 units in a row, the last: no engine"));
        assert_eq!(workers.able().count(), 2);
        // Where all fail, it is not the machine.
        assert!((0..9).all(|_| !workers.failed("b", "x") && !workers.failed("c", "x")));
        assert_eq!(workers.able().count(), 2);
    }

    #[test]
    fn one_that_sends_what_is_invalid_is_barred() {
        let mut workers = three();
        let barred: Vec<bool> = (0..4).map(|_| workers.sent_invalid("a", "illegal")).collect();
        assert_eq!(barred, [false, false, true, false]);
        assert_eq!(workers.all_barred().len(), 1);
        assert!(workers.has_other_than("a"));
    }

    #[test]
    fn invented_names_take_no_memory() {
        let mut workers = three();
        for number in 0..3 * MOST_KNOWN {
            workers.sent_invalid(&format!("invented-{number}"), "x");
        }
        assert!(workers.known.len() <= MOST_KNOWN && workers.able().count() == 3);
        let news = (0..3 * MOST_KNOWN).filter(|number| workers.hear(state(&format!("invented-{number}")))).count();
        assert!(news < MOST_KNOWN);
        assert!(workers.known.len() <= MOST_KNOWN);
    }
}
