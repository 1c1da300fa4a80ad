//! Pylos: what pruning and ordering save, and how deep and fast searches are in the paper's time.

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict};
use quintet_game::{AnyLine, Stop};

use super::boards::mean_and_error;
use super::costs::{nodes_of, positions, think};
use super::{BY_THE_CLOCK, Effort, Follower, Measured, PYLOS, judged, larger, row};

/// Pruning is cheaper, remembered scores go deeper: by the paper's rules, and by those of the box.
pub fn pruning(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let mut rows = Vec::new();
    for (rules, game) in PYLOS {
        let positions = positions(game, 8, effort);
        for depth in 2..=4 {
            rows.push(cheaper(agents, depth, rules, &positions, follower.stop));
            if follower.sample() {
                return Vec::new();
            }
        }
        rows.push(deeper(agents, rules, &positions, follower.stop));
        if follower.sample() {
            return Vec::new();
        }
    }
    rows
}

/// The rules of the box are not the paper's: what they show is ours only.
fn compared(rules: &str, paper: &'static str, verdict: Verdict) -> (&'static str, Verdict) {
    if rules.is_empty() { (paper, verdict) } else { ("-", Verdict::OursOnly) }
}

/// Whether pruning saves nodes at a depth.
fn cheaper(agents: &Catalogue, depth: u32, rules: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> Measured {
    let [plain, pruned, ordered] = ["minimax", "alphabeta", "ordered"]
        .map(|kind| nodes_of(agents, &format!("{kind}(eval=difference,depth={depth})"), positions, stop));
    let logs: Vec<f64> = plain.iter().zip(&pruned).map(|(plain, pruned)| (plain / pruned).ln()).collect();
    let (mean, error) = mean_and_error(&logs);
    let [low, middle, high] = [mean - error, mean, mean + error].map(f64::exp);
    let means = [&plain, &pruned, &ordered].map(|nodes| nodes.iter().sum::<f64>() / nodes.len().max(1) as f64);
    let [plain, pruned, ordered] = means;
    let ours = format!(
        "minimax {plain:.0}, alpha-beta {pruned:.0}, ordered {ordered:.0} nodes; pruning saves a factor of {middle:.2} ({low:.2} to {high:.2})"
    );
    let verdict = larger(Interval { low: mean - error, high: mean + error });
    let (paper, verdict) = compared(rules, "pruning is significantly cheaper", verdict);
    let reason =
        "the geometric mean over positions of how many times fewer nodes; its whole 95 % interval must be above 1";
    judged(format!("depth {depth}{rules}"), paper, ours, logs.len() as u64, verdict, reason)
}

/// Whether remembered scores bring a search deeper.
fn deeper(agents: &Catalogue, rules: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> Measured {
    let [pruned, ordered] = ["id-alphabeta", "ordered"].map(|kind| {
        let agent = format!("{kind}(eval=difference,nodes=200000)");
        let choices = positions.iter().filter_map(|table| think(agents, &agent, &**table, stop));
        choices.map(|choice| f64::from(choice.depth)).collect::<Vec<f64>>()
    });
    let gains: Vec<f64> = ordered.iter().zip(&pruned).map(|(ordered, pruned)| ordered - pruned).collect();
    let (mean, error) = mean_and_error(&gains);
    let (low, high) = (mean - error, mean + error);
    let [pruned, ordered] = [pruned, ordered].map(|depths| mean_and_error(&depths).0);
    let ours = format!("alpha-beta {pruned:.2}, ordered {ordered:.2} plies: {mean:+.2} ({low:+.2} to {high:+.2})");
    let (paper, verdict) = compared(rules, "ordering goes deeper", larger(Interval { low, high }));
    let reason = "the mean gain in the same positions; its whole 95 % interval must be above 0";
    judged(format!("mean depth in 200,000 nodes{rules}"), paper, ours, gains.len() as u64, verdict, reason)
}

/// Random plies before the positions in which speeds are measured: all stages of a game.
const STAGES: [u32; 4] = [2, 8, 14, 20];

/// How many positions per second an agent looks at, and how deep it gets.
fn speed(agents: &Catalogue, agent: &str, effort: Effort, follower: &mut Follower) -> Option<Measured> {
    let (mut count, mut depth, mut nodes, mut seconds) = (0u32, 0.0, 0.0, 0.0);
    for stage in STAGES {
        for table in positions(PYLOS[0].1, stage, effort).iter().filter(|table| table.end().is_none()) {
            let choice = think(agents, agent, &**table, follower.stop)?;
            count += 1;
            depth += f64::from(choice.depth);
            nodes += choice.nodes as f64;
            seconds += choice.elapsed.as_secs_f64();
        }
        if follower.sample() {
            return None;
        }
    }
    let depth = depth / f64::from(count.max(1));
    let full = if depth > 0.0 { format!(", {depth:.2} plies in full") } else { String::new() };
    let ours = format!("{:.0} nodes per second{full}", nodes / seconds.max(1e-9));
    let reason =
        format!("{BY_THE_CLOCK}: positions after {STAGES:?} random plies; a playout of the tree search is one node");
    Some(row(format!("speed of {agent}"), "-", ours, u64::from(count), None, &reason))
}

/// The tree search, the machine and the ordered search in the same time.
pub fn speeds(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let all = ["mcts", "svm", "ordered"].map(|name| format!("pylos:{name}(time=50ms)"));
    all.iter().filter_map(|agent| speed(agents, agent, effort, follower)).collect()
}

/// How deep agent 4 gets in the time of Table I, and in that of the training.
pub fn depths(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let all = ["50ms", "500ms"].map(|time| format!("pylos:ordered(time={time})"));
    all.iter().filter_map(|agent| speed(agents, agent, effort, follower)).collect()
}
