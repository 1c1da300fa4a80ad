//! How long players think about the same positions.

use std::time::Instant;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict, ratio};
use quintet_game::record::Record;
use quintet_game::{AnyLine, GameSpec, Limit, Stop};

use super::costs::{after, games_of, mean, positions, think};
use super::trained::RULES;
use super::{BY_THE_CLOCK, Effort, Follower, Measured, judged, larger};

/// The ratio of two players' times in words, with its interval.
fn times(slow: &[f64], fast: &[f64]) -> (Option<Interval>, String) {
    let pairs: Vec<(f64, f64)> = slow.iter().copied().zip(fast.iter().copied()).collect();
    match ratio(&pairs) {
        Some((times, interval)) => {
            (Some(interval), format!("{times:.1} times ({:.1}-{:.1})", interval.low, interval.high))
        }
        None => (None, "too few positions for a ratio".into()),
    }
}

/// The report's player of Pentago-Twist, by a clock of nodes that it never reaches, and the random games that its tree search plays in the time
/// of a finished depth 3. The experiment's rows "of equal time" have the same numbers.
const EQUAL: [(&str, &str, u64); 2] = [
    ("printed", "pentago-twist:paper(nodes=100000000)", 150_000),
    ("as-programmed", "pentago-twist:paper(mode=as-programmed,nodes=100000000)", 85_000),
];

/// About as many positions are taken from one game.
const POSITIONS: u64 = 5;

/// Whether the tree search of the rows "of equal time" does think as long as the report's player at depth 3.
pub fn equal_time(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    const GAME: &str = "pentago-twist";
    let Ok(spec) = GameSpec::parse(GAME) else { return Vec::new() };
    let mut rows = Vec::new();
    for (mode, paper, playouts) in EQUAL {
        let games = Effort { samples: effort.samples.div_ceil(POSITIONS), ..effort };
        let Some(results) = games_of(agents, GAME, [paper, "pvs(eval=e3,depth=2)"], 2, games, follower) else {
            return Vec::new();
        };
        let records: Vec<Vec<String>> =
            results.games.iter().filter_map(|played| Some(Record::read(&played.record).ok()?.moves)).collect();
        // Some plies of each game, early and late, of both sides.
        let plies = (6..34).step_by(3).flat_map(|ply| records.iter().filter_map(move |moves| moves.get(..ply)));
        let tree = format!("pentago-twist:mcts(nodes={playouts})");
        let (mut paper_times, mut tree_times) = (Vec::new(), Vec::new());
        for table in plies.filter_map(|moves| after(&spec, moves)) {
            let choices = [paper, &tree].map(|agent| think(agents, agent, &*table, follower.stop));
            if let [Some(paper), Some(tree)] = choices
                && paper.depth == 3
            {
                paper_times.push(paper.elapsed.as_secs_f64());
                tree_times.push(tree.elapsed.as_secs_f64());
                if follower.sample() {
                    return Vec::new();
                }
            }
        }
        let (_, ratio) = times(&tree_times, &paper_times);
        let ours = format!(
            "{:.0} ms at depth 3, {:.0} ms for {playouts} random games: {ratio}",
            1e3 * mean(&paper_times),
            1e3 * mean(&tree_times),
        );
        let reason = format!("{BY_THE_CLOCK}, on positions of the player's games; it says how equal the time is");
        let what = format!("time per move, {mode}");
        rows.push(judged(what, "the same time", ours, paper_times.len() as u64, Verdict::OursOnly, &reason));
    }
    rows
}

/// Plies before the positions on which players of Pentago are timed.
const PLIES: u32 = 10;

/// The fastest of this many tries is a move's time: whatever else the machine does makes it only longer.
const TRIES: usize = 5;

/// Seconds for a move in each position.
fn seconds(agents: &Catalogue, agent: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> Vec<f64> {
    let once = |table: &dyn AnyLine| {
        let mut seat = agents.seat(&table.spec(), agent, 1).ok()?;
        let start = Instant::now();
        seat.think(table, &Limit::default(), stop, &mut |_| {}).ok()?;
        Some(start.elapsed().as_secs_f64())
    };
    let fastest = |table: &dyn AnyLine| (0..TRIES).filter_map(|_| once(table)).fold(f64::INFINITY, f64::min);
    positions.iter().map(|table| fastest(&**table)).collect()
}

/// Whether buckets are the more efficient alternative to 35 features: moves per second of both.
pub fn efficiency(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let positions = positions(RULES[0], PLIES, effort);
    let samples = positions.len() as u64;
    let features = seconds(agents, "pentago:greedy", &positions, follower.stop);
    if follower.sample() {
        return Vec::new();
    }
    let mut rows = Vec::new();
    let kinds =
        [("hash 1", "pentago:mdp", "a more efficient alternative"), ("hash 2", "pentago:mdp2", "prohibitively slow")];
    for (name, agent, paper) in kinds {
        let buckets = seconds(agents, agent, &positions, follower.stop);
        if follower.sample() {
            return Vec::new();
        }
        let (interval, ratio) = times(&features, &buckets);
        let ours = format!(
            "features {:.0}, buckets {:.0} moves per second: {ratio}",
            1.0 / mean(&features),
            1.0 / mean(&buckets)
        );
        let (verdict, why) = match (name, interval) {
            ("hash 1", Some(Interval { low, high })) => (
                larger(Interval { low: low - 1.0, high: high - 1.0 }),
                "holds if the whole interval of the ratio lies above 1",
            ),
            ("hash 1", None) => (Verdict::TooFewGames, "too few positions"),
            _ => (Verdict::OursOnly, "slow beside the first hash in the paper, beside the features here"),
        };
        let reason = format!("{BY_THE_CLOCK}; {why}");
        rows.push(judged(format!("speed of {name}"), paper, ours, samples, verdict, &reason));
    }
    rows
}
