//! Small boards of TwixT and Pathwayz: solved while one waits, and printed.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Result, bail};
use quintet_game::pathwayz::Pathwayz;
use quintet_game::twixt::{Swap, Twixt};
use quintet_game::{Game as _, GameSpec, Notation};
use quintet_solve::twixt::{Cell, LARGEST, Openings, Solver, openings};
use quintet_solve::{Budget, Solution, Worth, pathwayz};
use serde_json::{Value, json};

use super::SolveArgs;
use crate::{interrupt, screen};

/// What a solver remembers when nobody says, in bytes; TwixT has one a thread.
const MEMORY: usize = 512 << 20;

/// Solving was stopped; nothing is kept of it.
#[derive(Debug, thiserror::Error)]
#[error("stopped: a small board is solved in one go")]
pub struct Stopped;

/// What a run may take.
struct Means {
    threads: usize,
    /// Bytes of each thread's solver.
    memory: usize,
    seconds: Option<f64>,
    /// Only the start, not every first peg.
    start: bool,
    json: bool,
}

/// Solves a board and prints what came of it.
pub fn run(out: &mut dyn Write, game: &GameSpec, args: &SolveArgs) -> Result<()> {
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let threads = if args.start { 1 } else { threads };
    let memory = args.memory.map_or(MEMORY, |mib| (mib << 20) as usize / threads);
    let means = Means { threads, memory, seconds: args.seconds, start: args.start, json: args.json };
    match game.info().name {
        "twixt" => pegs(out, game, &means),
        "pathwayz" => paths(out, game, args.json),
        _ => bail!("{game}: pylos as a whole and small boards of twixt and pathwayz can be solved"),
    }
}

fn pegs(out: &mut dyn Write, spec: &GameSpec, means: &Means) -> Result<()> {
    let size = spec.value("size") as usize;
    if size > LARGEST {
        bail!("{spec}: boards of up to {LARGEST} holes a side can be solved");
    }
    let swap = [Swap::Mirror, Swap::Turn, Swap::Off][spec.value("swap") as usize];
    match spec.value("rules") {
        1 => twixt(out, spec, &Twixt::<20, 2>::new(size, false, swap), means),
        rules => twixt(out, spec, &Twixt::<20, 1>::new(size, rules == 2, swap), means),
    }
}

fn twixt<const W: usize, const B: usize>(
    out: &mut dyn Write,
    spec: &GameSpec,
    game: &Twixt<W, B>,
    means: &Means,
) -> Result<()> {
    let what = if means.start { "the start alone" } else { "every first peg" };
    eprintln!(
        "{spec}: {what}, {:.1} GB of memory for each of {} thread(s); up to 7 holes a side a moment, 8 seconds, 9 minutes, with corners or more holes unknown. Ctrl-C or --seconds ends it with what is known.",
        means.memory as f64 / 1e9,
        means.threads
    );
    let (interrupt, began) = (interrupt::stop_on_interrupt()?, Instant::now());
    let late = || means.seconds.is_some_and(|seconds| began.elapsed().as_secs_f64() >= seconds);
    let stop = || interrupt.load(Ordering::Relaxed) || late();
    if means.start {
        let solution =
            Solver::new(game, means.memory).solve(game, &game.start(), &Budget { nodes: u64::MAX, stop: &stop });
        return first_move(out, spec, game, solution, began.elapsed().as_secs_f64(), means.json);
    }
    // Up to symmetry a quarter of the board; with corners one more.
    let distinct = (game.size() - 2).div_ceil(2) * game.size().div_ceil(2) + usize::from(spec.value("rules") == 2);
    let bar = Mutex::new(screen::Forming::new(distinct as u64, 0, &spec.to_string()));
    let looked = AtomicU64::new(0);
    let map = openings(game, means.threads, means.memory, (u64::MAX, &stop), &|mv, worth, nodes| {
        looked.fetch_add(nodes, Ordering::Relaxed);
        let said = worth.map_or_else(|| "is not known".to_owned(), |worth| worth.to_string());
        let said = format!("{} {said} ({nodes} positions)", game.write_move(mv));
        bar.lock().unwrap_or_else(PoisonError::into_inner).one_more(&said);
    });
    bar.lock().unwrap_or_else(PoisonError::into_inner).finish();
    let (swapped, seconds) = (map.with_swap(game.swap()), began.elapsed().as_secs_f64());
    if means.json {
        let answer = json!({
            "game": spec.to_string(), "start": told(swapped.worth()), "first_pegs": listed(&swapped),
            "without_swap": told(map.worth()), "first_pegs_without_swap": listed(&map), "nodes": looked.into_inner(),
            "seconds": seconds,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
    } else {
        write!(out, "{map}")?;
        describe(out, spec, &map, game.swap())?;
        eprintln!("{} positions, {seconds:.1} s", looked.into_inner());
    }
    if interrupt.load(Ordering::Relaxed) && map.worth().is_none() {
        return Err(Stopped.into());
    }
    Ok(())
}

/// Who wins, and by which first moves soonest.
fn first_move<G: Notation>(
    out: &mut dyn Write,
    spec: &GameSpec,
    game: &G,
    solution: Solution<G::Move>,
    seconds: f64,
    json: bool,
) -> Result<()> {
    let Some(worth) = solution.worth else { return Err(Stopped.into()) };
    let best = solution.moves.iter().filter(|(_, of)| *of == worth).map(|(mv, _)| game.write_move(*mv));
    let best: Vec<String> = best.collect();
    if json {
        let answer = json!({
            "game": spec.to_string(), "start": told(Some(worth)), "best": best, "nodes": solution.nodes,
            "seconds": seconds,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
    } else {
        writeln!(out, "{spec}: the first player {worth}")?;
        writeln!(out, "best first moves: {} ({} positions)", best.join(" "), solution.nodes)?;
    }
    Ok(())
}

/// Sentences about a map, and about the same with the swap rule.
fn describe(out: &mut dyn Write, spec: &GameSpec, map: &Openings, swap: Swap) -> Result<()> {
    let swapped = map.with_swap(swap);
    let pegs = |worth| match worth {
        Worth::Win(plies) => format!(" with {} pegs", plies.div_ceil(2)),
        Worth::Draw => String::new(),
        Worth::Loss(plies) => format!(": the second needs {} pegs", plies / 2),
    };
    let Some(worth) = map.worth() else {
        let soonest = holes(map).filter_map(|(_, worth)| match worth {
            Worth::Win(plies) => Some(plies),
            _ => None,
        });
        let soonest =
            soonest.min().map_or_else(String::new, |plies| format!("; the soonest win that is takes {plies} plies"));
        return Ok(writeln!(out, "{spec}: not all first pegs are known{soonest}")?);
    };
    writeln!(out, "{spec}: without the swap the first player {worth}{}", pegs(worth))?;
    if let Some(worth) = swapped.worth().filter(|_| swap != Swap::Off) {
        let fair: Vec<String> =
            holes(&swapped).filter(|(_, worth)| *worth == Worth::Draw).map(|(name, _)| name).collect();
        let fair = if fair.is_empty() {
            "no first peg is fair".into()
        } else {
            format!("fair first pegs: {}", fair.join(" "))
        };
        writeln!(out, "with it the first player {worth}; {fair}")?;
    }
    Ok(())
}

/// The holes that are known, by name.
fn holes(map: &Openings) -> impl Iterator<Item = (String, Worth)> {
    map.holes().filter_map(|(x, y)| match map.cell(x, y) {
        Cell::Known(worth) => Some((format!("{}{}", (b'a' + x as u8) as char, y + 1), worth)),
        _ => None,
    })
}

fn listed(map: &Openings) -> Value {
    holes(map).map(|(name, worth)| (name, told(Some(worth)))).collect::<serde_json::Map<_, _>>().into()
}

/// As JSON: for the first player.
fn told(worth: Option<Worth>) -> Value {
    match worth {
        None => Value::Null,
        Some(Worth::Win(plies)) => json!({ "outcome": "win", "distance": plies }),
        Some(Worth::Draw) => json!({ "outcome": "draw" }),
        Some(Worth::Loss(plies)) => json!({ "outcome": "loss", "distance": plies }),
    }
}

fn paths(out: &mut dyn Write, spec: &GameSpec, json: bool) -> Result<()> {
    let game = Pathwayz::new(spec.value("rows") as usize, spec.value("cols") as usize);
    let Some(mut solver) = pathwayz::Solver::new(&game, MEMORY) else {
        bail!("{spec}: boards of about thirty squares can be solved at most");
    };
    eprintln!(
        "{spec}: {:.1} GB of memory, one thread; a moment for 12 squares, a minute for 14, more unknown. Ctrl-C stops it.",
        MEMORY as f64 / 1e9
    );
    let (stop, began) = (interrupt::stop_on_interrupt()?, Instant::now());
    let budget = Budget { nodes: u64::MAX, stop: &|| stop.load(Ordering::Relaxed) };
    let solution = solver.solve(&game, &game.start(), &budget);
    first_move(out, spec, &game, solution, began.elapsed().as_secs_f64(), json)
}
