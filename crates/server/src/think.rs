//! Searches for those who ask.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use quintet_agent::{Progress, Thought};
use quintet_search::{Branch, Limit, Proof, RootMove};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::pool::Signals;

/// Reports come no faster than this.
pub const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// Root moves in a report.
const ROOTS: usize = 400;

/// A limit as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Asked {
    time_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    visits: Option<u64>,
}

impl Asked {
    /// Is nothing limited?
    pub fn is_empty(&self) -> bool {
        self.time_ms.is_none() && self.nodes.is_none() && self.depth.is_none() && self.visits.is_none()
    }

    /// The limit of a search.
    pub fn limit(&self) -> Limit {
        Limit {
            time: self.time_ms.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            visits: self.visits,
            stop: None,
        }
    }
}

/// A search that is still at it so long after its time is told to stop.
const GRACE: Duration = Duration::from_millis(200);

/// The same limit, ended by the signals of the pool: soon after its time if it has not ended by itself, and at the latest after `longest`, whatever the agent's own limit.
pub fn limited(limit: Limit, signals: &Signals, runtime: &Handle, longest: Duration) -> Limit {
    let time = limit.time.map(|time| time.min(longest));
    end_after(signals, runtime, time.map_or(longest, |time| time + GRACE));
    Limit { time, stop: Some(Arc::clone(&signals.stop)), ..limit }
}

/// Ends a search after a time.
pub fn end_after(signals: &Signals, runtime: &Handle, time: Duration) {
    let stop = Arc::clone(&signals.stop);
    runtime.spawn(async move {
        tokio::time::sleep(time).await;
        stop.store(true, Ordering::Relaxed);
    });
}

/// Lets through a report now and then.
pub struct Pace {
    last: Option<Instant>,
}

impl Pace {
    /// The first goes through.
    pub fn new() -> Pace {
        Pace { last: None }
    }

    /// Is it time for one?
    pub fn due(&mut self) -> bool {
        let due = self.last.is_none_or(|last| last.elapsed() >= BETWEEN_REPORTS);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// A report on the way.
pub fn report(progress: &Progress) -> Value {
    let root = |root: &RootMove<String>| json!({ "move": root.mv, "value": root.value, "visits": root.visits });
    json!({
        "depth": progress.depth,
        "nodes": progress.nodes,
        "ms": ms(progress.elapsed),
        // Before the first depth is done there is none.
        "value": (progress.depth > 0).then_some(progress.value),
        "pv": progress.line,
        "roots": progress.roots.iter().take(ROOTS).map(root).collect::<Vec<_>>(),
        "now": progress.now,
        "cut": progress.cut,
        "cuts": progress.cuts,
        "fill": progress.fill,
        "tree": tree(&progress.tree),
    })
}

/// The top of a search tree.
fn tree(branches: &[Branch<String>]) -> Vec<Value> {
    let told = |branch: &Branch<String>| {
        json!({
            "move": branch.mv, "visits": branch.visits, "value": branch.value, "proven": branch.proof.map(Proof::name),
            "children": tree(&branch.children),
        })
    };
    branches.iter().map(told).collect()
}

/// What came of it.
pub fn done(thought: &Thought) -> Value {
    json!({
        "move": thought.mv,
        "value": thought.value,
        "win": thought.chances.map(|chances| chances[0]),
        "draw": thought.chances.map(|chances| chances[1]),
        "proven": thought.proof.map(Proof::name),
        "pv": thought.line,
        "nodes": thought.nodes,
        "depth": thought.depth,
        "ms": ms(thought.elapsed),
    })
}
