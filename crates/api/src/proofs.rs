//! Proofs that were found once are known to every later request, however little time it has: the evaluation bar, hints, analyses, reviews and puzzles
//! then say the same of a position.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use quintet_agent::{Exact, Prover, Provers, Unproven, exact};
use quintet_game::{AnyLine, Limit, Stop};

/// Proofs that are kept; the oldest are forgotten first.
const MOST: usize = 2000;

/// Some provers, and what they have found.
#[derive(Debug)]
struct Remembering {
    provers: Provers,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    by_game: HashMap<String, Exact>,
    order: VecDeque<String>,
}

/// Provers that remember what they have found.
///
/// ```
/// use quintet_agent::{exact, provers};
/// use quintet_game::{GameSpec, Limit, Stop};
/// let (provers, line) = (quintet_api::remembering(provers()), GameSpec::parse("pathwayz(rows=2,cols=3)").unwrap().line());
/// let known = exact(&provers, &*line, &Limit::default(), &Stop::never()).unwrap();
/// assert_eq!(exact(&provers, &*line, &Limit::nodes(1), &Stop::never()), Ok(known));
/// ```
#[must_use]
pub fn remembering(provers: Provers) -> Provers {
    if provers.is_empty() {
        return provers;
    }
    vec![Arc::new(Remembering { provers, found: Mutex::default() })]
}

impl Prover for Remembering {
    fn name(&self) -> &str {
        "proofs that were found before"
    }

    fn prove(&self, line: &dyn AnyLine, limit: &Limit, stop: &Stop) -> Result<Exact, Unproven> {
        // All moves are part of it: what stood on the board before may matter.
        let key = format!("{}; {}; {}", line.spec(), line.begun_from().unwrap_or_default(), line.moves().join(" "));
        if let Some(known) = self.found.lock().unwrap_or_else(PoisonError::into_inner).by_game.get(&key) {
            return Ok(known.clone());
        }
        let known = exact(&self.provers, line, limit, stop)?;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.by_game.insert(key.clone(), known.clone()).is_none() {
            found.order.push_back(key);
        }
        while found.order.len() > MOST {
            let Some(oldest) = found.order.pop_front() else { break };
            found.by_game.remove(&oldest);
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use quintet_game::{GameSpec, Value};

    use super::*;

    /// Knows everything, if it has time.
    #[derive(Debug, Default)]
    struct Slow(AtomicUsize);

    impl Prover for Slow {
        fn name(&self) -> &str {
            "slow"
        }

        fn prove(&self, line: &dyn AnyLine, limit: &Limit, _stop: &Stop) -> Result<Exact, Unproven> {
            self.0.fetch_add(1, Ordering::Relaxed);
            if limit.nodes.is_some() {
                return Err(Unproven("it takes longer.".into()));
            }
            let (value, moves) = (Value::win_in(3), vec![(line.legal_moves()[0].clone(), Value::win_in(3))]);
            Ok(Exact { value, by: "slow".into(), moves, complete: false, all_best: false })
        }
    }

    #[test]
    fn what_was_proven_once_is_known() {
        let slow = Arc::new(Slow::default());
        let provers = remembering(vec![Arc::clone(&slow) as Arc<dyn Prover>]);
        let ask = |line: &dyn AnyLine, limit: Limit| exact(&provers, line, &limit, &Stop::never());
        let mut line = GameSpec::parse("pylos").unwrap().line();
        assert!(ask(&*line, Limit::nodes(1)).is_err(), "what is not known is asked again");
        let known = ask(&*line, Limit::default()).unwrap();
        assert_eq!((known.by.as_str(), ask(&*line, Limit::nodes(1))), ("slow", Ok(known.clone())));
        assert_eq!(slow.0.load(Ordering::Relaxed), 2);
        line.try_play("1b2").unwrap();
        assert!(ask(&*line, Limit::nodes(1)).is_err(), "another position");
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let provers = remembering(vec![Arc::new(Slow::default()) as Arc<dyn Prover>]);
        let spec = GameSpec::parse("twixt").unwrap();
        let lines: Vec<_> = spec
            .line()
            .legal_moves()
            .into_iter()
            .flat_map(|mv| {
                let mut line = spec.line();
                line.try_play(&mv).unwrap();
                let replies = line.legal_moves();
                replies.into_iter().map(move |reply| {
                    let mut line = line.boxed_clone();
                    line.try_play(&reply).unwrap();
                    line
                })
            })
            .take(MOST + 1)
            .collect();
        for line in &lines {
            exact(&provers, &**line, &Limit::default(), &Stop::never()).unwrap();
        }
        let known = |at: usize| exact(&provers, &*lines[at], &Limit::nodes(1), &Stop::never()).is_ok();
        assert_eq!((known(0), known(1), known(MOST)), (false, true, true));
    }
}
