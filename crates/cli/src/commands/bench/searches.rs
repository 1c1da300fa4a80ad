//! How fast the searches are, on positions of random games that the seed gives back.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use comfy_table::{Table, presets};
use cpu_time::{ProcessTime, ThreadTime};
use quintet_agent::seat;
use quintet_game::{GameSpec, Limit, Line, Playable, Player, Rng, SeedableRng, Stop, with_game};
use serde_json::{Value, json};

use super::{median, right_aligned, show, thousands};
use crate::screen;

/// An agent whose spec limits it to the same work every time, on positions of a game.
struct Case {
    game: &'static str,
    from: From,
    agent: &'static str,
    positions: u64,
}

/// Which positions.
#[derive(Clone, Copy)]
enum From {
    /// After this many random plies.
    Plies(usize),
    /// After two to twenty random plies, where neither side can win with one move.
    Quiet,
}

const fn case(game: &'static str, plies: usize, agent: &'static str, positions: u64) -> Case {
    Case { game, from: From::Plies(plies), agent, positions }
}

const fn quiet(game: &'static str, agent: &'static str, positions: u64) -> Case {
    Case { game, from: From::Quiet, agent, positions }
}

const CASES: &[Case] = &[
    case("pathwayz", 20, "pathwayz:adv-baseline", 200),
    case("pathwayz", 20, "pathwayz:beam", 20),
    case("pathwayz", 40, "pathwayz:minimax", 5),
    case("pathwayz", 45, "pathwayz:expectimax", 3),
    case("pathwayz", 20, "pathwayz:mcs", 5),
    case("pathwayz", 20, "mcts(visits=20000)", 3),
    case("pathwayz", 20, "puct(eval=pathwayz-9,visits=2000)", 3),
    case("pathwayz", 20, "pvs(eval=pathwayz-9,depth=2)", 5),
    case("pylos", 8, "pylos:minimax(depth=4)", 10),
    case("pylos", 8, "pylos:ordered(depth=7)", 10),
    case("pylos", 8, "pvs(eval=difference,depth=7)", 10),
    case("pylos", 8, "mcts(visits=20000)", 3),
    case("pylos", 8, "puct(visits=20000)", 3),
    case("twixt(size=8,rules=paper)", 4, "twixt:alphabeta(depth=4)", 10),
    case("twixt(size=8,rules=paper)", 4, "twixt:best-first(depth=5)", 10),
    case("twixt(size=8,rules=paper)", 4, "pvs(eval=distance,depth=5)", 10),
    case("twixt(size=8,rules=paper)", 4, "mcts(visits=20000)", 3),
    case("twixt(size=8,rules=paper)", 4, "puct(eval=distance,visits=5000)", 3),
    case("pentago-twist", 8, "pentago-twist:paper(nodes=1000000)", 10),
    case("pentago-twist", 8, "mcts(visits=20000)", 3),
    quiet("pentago-twist", "pvs(eval=e3,exact=yes,depth=4)", 50),
    quiet("pentago-twist", "pvs(eval=e3,exact=yes,depth=5)", 50),
    case("pentago", 8, "pentago:minimax(depth=2)", 10),
    case("pentago", 8, "mcts(visits=20000)", 3),
    case("pentago", 8, "puct(visits=20000)", 3),
];

/// Positions, each at the end of a random game of its own.
fn positions(spec: &GameSpec, from: From, count: u64) -> Vec<Box<dyn quintet_game::AnyLine>> {
    with_game!(spec, |game| {
        let lines = lines(game, from, count).into_iter();
        lines.map(|line| <dyn quintet_game::AnyLine>::new(*spec, line)).collect()
    })
}

fn lines<G: Playable>(game: G, from: From, count: u64) -> Vec<Line<G>> {
    let mut line = Line::new(Arc::new(game));
    let mut found = Vec::new();
    let mut seed = 0;
    while (found.len() as u64) < count {
        let plies = match from {
            From::Plies(plies) => plies,
            From::Quiet => 2 + found.len() * 19 / count as usize,
        };
        while line.undo().is_some() {}
        play_randomly(&mut line, plies, seed);
        seed += 1;
        let threat = |player| line.game().threatens(line.position(), player);
        if matches!(from, From::Plies(_)) || !Player::BOTH.into_iter().any(threat) {
            found.push(line.clone());
        }
    }
    found
}

/// Random moves, one fewer where the game would end.
fn play_randomly<G: Playable>(line: &mut Line<G>, plies: usize, seed: u64) {
    let mut rng = Rng::seed_from_u64(seed);
    while line.plies() < plies {
        line.play(line.game().random_move(line.position(), &mut rng));
        if line.outcome().is_some() {
            line.undo();
            return;
        }
    }
}

/// Positions after `plies` random plies.
pub fn random_positions(spec: &GameSpec, plies: usize, count: u64) -> Vec<Box<dyn quintet_game::AnyLine>> {
    positions(spec, From::Plies(plies), count)
}

/// One row.
pub struct Row {
    case: &'static Case,
    /// The moves that lead to each position; its number is the seed of its search.
    lines: Vec<String>,
    nodes: u64,
    /// The median over the positions, and the largest.
    seconds: f64,
    worst: f64,
    rate: f64,
}

/// Lets every agent think about its positions.
pub fn measure() -> Result<Vec<Row>> {
    rows(CASES.iter())
}

fn rows(cases: impl Iterator<Item = &'static Case> + Clone) -> Result<Vec<Row>> {
    let bar = screen::progress(cases.clone().map(|case| case.positions).sum(), "searches");
    let mut rows = Vec::new();
    for case in cases {
        let spec = GameSpec::parse(case.game)?;
        let (mut nodes, mut times) = (0, Vec::new());
        let start = ProcessTime::now();
        let tables = positions(&spec, case.from, case.positions);
        for (seed, table) in tables.iter().enumerate() {
            let seed = seed as u64;
            let mut agent = seat(&spec, case.agent, seed)?;
            let began = Instant::now();
            let choice = agent.think(&**table, &Limit::default(), &Stop::never(), &mut |_| {});
            nodes += choice.with_context(|| format!("{} of {}", case.agent, case.game))?.nodes;
            times.push(began.elapsed().as_secs_f64());
            bar.inc(1);
        }
        let spent = start.elapsed().max(Duration::from_nanos(1));
        let worst = times.iter().copied().fold(0.0, f64::max);
        let lines = tables.iter().map(|table| table.moves().join(" ")).collect();
        let rate = nodes as f64 / spent.as_secs_f64();
        rows.push(Row { case, lines, nodes, seconds: median(times), worst, rate });
    }
    bar.finish_and_clear();
    Ok(rows)
}

fn signature(rows: &[Row]) -> u64 {
    rows.iter().map(|row| row.nodes).sum()
}

/// The rows and the signature as JSON.
pub fn to_json(rows: &[Row]) -> Value {
    let all: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "game": row.case.game, "agent": row.case.agent, "positions": row.case.positions,
                "lines": row.lines, "nodes": row.nodes, "nodes_per_second": row.rate, "median_seconds": row.seconds,
                "worst_seconds": row.worst,
            })
        })
        .collect();
    json!({"rows": all, "signature": signature(rows)})
}

/// The rows and the signature for people.
pub fn print(out: &mut dyn Write, rows: &[Row]) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["game and agent", "positions", "nodes", "nodes/s", "median ms", "worst ms"]);
    for row in rows {
        table.add_row([
            format!("{}: {}", row.case.game, row.case.agent),
            row.case.positions.to_string(),
            thousands(row.nodes),
            thousands(row.rate as u64),
            format!("{:.2}", row.seconds * 1e3),
            format!("{:.2}", row.worst * 1e3),
        ]);
    }
    right_aligned(&mut table);
    writeln!(
        out,
        "{table}\n\nNodes of Monte Carlo searches are random games. One thread; nodes/s by CPU time, milliseconds per move by wall-clock time."
    )?;
    writeln!(out, "search signature {}", signature(rows))?;
    Ok(())
}

/// Only the searches.
pub fn run(out: &mut dyn Write, json: bool) -> Result<()> {
    show(out, &measure()?, json, |rows| to_json(rows), |out, rows| print(out, rows))
}

/// One row: simulations of a Monte Carlo tree search from the start, as many as fill the time.
pub fn simulations(out: &mut dyn Write, game: &str, seconds: f64, seed: u64, json: bool) -> Result<()> {
    let spec = GameSpec::parse(game)?;
    let search = |visits: u64| -> Result<f64> {
        let mut agent = seat(&spec, "mcts(memory=4096)", seed)?;
        let (line, limit) = (spec.line(), Limit::visits(visits));
        let start = ThreadTime::now();
        agent.think(&*line, &limit, &Stop::never(), &mut |_| {})?;
        Ok(start.elapsed().as_secs_f64().max(1e-9))
    };
    let mut visits = 1000;
    let mut took = search(visits)?;
    while took < seconds / 10.0 {
        visits *= 2;
        took = search(visits)?;
    }
    let visits = ((visits as f64 * seconds / took).round() as u64).max(1);
    let took = search(visits)?;
    if json {
        writeln!(out, "{}", json!({"game": game, "simulations": visits, "seconds": took}))?;
    } else {
        writeln!(out, "{game}: {:.0} simulations/s of a tree search that grew for {took:.1} s", visits as f64 / took)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The searches have not changed. The longest rows are left to `quintet bench`.
    #[test]
    fn signature() {
        let cases = || CASES.iter().filter(|case| !case.agent.contains("depth=5"));
        let rows = super::rows(cases()).unwrap();
        assert_eq!(super::signature(&rows), 17_923_769);
    }
}
