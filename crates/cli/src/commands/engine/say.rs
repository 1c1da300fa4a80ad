//! What the engine says about a search.

use std::time::Duration;

use quintet_agent::{Progress, Thought};
use quintet_search::Proof;

use super::work::Done;

/// Root moves whose visits are told.
const BEST: usize = 5;

/// A report while the search goes on: a line, and one for each of the best moves where visits count.
pub fn progress(progress: &Progress) -> Vec<String> {
    let score = format!("value {}", progress.value);
    let mut lines = vec![info(progress.depth, progress.nodes, progress.elapsed, &score, &progress.line)];
    let visited = progress.roots.iter().filter_map(|root| Some((&root.mv, root.visits?, root.value)));
    lines.extend(visited.take(BEST).map(|(mv, visits, value)| format!("info visits {mv} {visits} {value:.4}")));
    lines
}

/// The end of a search: what it knows, unless its last report has said so, and the move.
pub fn thought(thought: &Thought, last: Option<&Progress>) -> Vec<String> {
    let mut lines = Vec::new();
    let told = |last: &Progress| (last.nodes, &last.line) == (thought.nodes, &thought.line) && thought.proof.is_none();
    if !last.is_some_and(told) {
        let score = thought.proof.map_or_else(|| format!("value {}", thought.value), |proof| Proof::name(proof).into());
        lines.push(info(thought.depth, thought.nodes, thought.elapsed, &score, &thought.line));
    }
    if let Some([win, draw]) = thought.chances {
        let mille = |share: f64| (share * 1000.0).round().clamp(0.0, 1000.0) as u32;
        let win = mille(win);
        let draw = mille(draw).min(1000 - win);
        lines.push(format!("info wdl {win} {draw} {}", 1000 - win - draw));
    }
    lines.push(format!("bestmove {}", thought.mv));
    lines
}

/// The end of a search that came to nothing.
pub fn failed(why: &str) -> Done {
    Done::lines(vec![format!("info string error {why}"), "bestmove none".into()])
}

fn info(depth: u32, nodes: u64, elapsed: Duration, score: &str, line: &[String]) -> String {
    let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-6);
    let time = elapsed.as_millis();
    format!("info depth {depth} nodes {nodes} nps {rate:.0} time {time} score {score} pv {}", line.join(" "))
}
