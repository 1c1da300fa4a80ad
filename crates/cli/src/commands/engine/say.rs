//! The engine's output about a search.

use std::time::Duration;

use quintet_game::Proof;
use quintet_search::{Choice, Report};

use super::work::Done;

/// The most root moves with visits in a report.
const BEST: usize = 5;

/// A report while the search goes on: a line, and one for each of the best moves where visits count.
pub fn report(report: &Report<String>) -> Vec<String> {
    let score = format!("value {}", report.value.unwrap_or(0.0));
    let mut lines = vec![info(report.depth, report.nodes, report.elapsed, &score, &report.line)];
    let visited = report.roots.iter().filter_map(|root| Some((&root.mv, root.visits?, root.value)));
    lines.extend(visited.take(BEST).map(|(mv, visits, value)| format!("info visits {mv} {visits} {value:.4}")));
    lines
}

/// The end of a search: its last report, unless already printed, and the move.
pub fn choice(choice: &Choice<String>, last: Option<&Report<String>>) -> Vec<String> {
    let mut lines = Vec::new();
    let told =
        |last: &Report<String>| (last.nodes, &last.line) == (choice.nodes, &choice.line) && choice.known.is_none();
    if !last.is_some_and(told) {
        let score = choice.proof().map_or_else(|| format!("value {}", choice.value), |proof| Proof::name(proof).into());
        lines.push(info(choice.depth, choice.nodes, choice.elapsed, &score, &choice.line));
    }
    if let Some([win, draw]) = choice.chances {
        let mille = |share: f64| (share * 1000.0).round().clamp(0.0, 1000.0) as u32;
        let win = mille(win);
        let draw = mille(draw).min(1000 - win);
        lines.push(format!("info wdl {win} {draw} {}", 1000 - win - draw));
    }
    lines.push(format!("bestmove {}", choice.mv));
    lines
}

/// The end of a failed search.
pub fn failed(why: &str) -> Done {
    Done::lines(vec![format!("info string error {why}"), "bestmove none".into()])
}

fn info(depth: u32, nodes: u64, elapsed: Duration, score: &str, line: &[String]) -> String {
    let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-6);
    let time = elapsed.as_millis();
    format!("info depth {depth} nodes {nodes} nps {rate:.0} time {time} score {score} pv {}", line.join(" "))
}
