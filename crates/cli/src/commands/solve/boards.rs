//! Small boards of TwixT and Pathwayz, solved in one go and printed.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Result, bail};
use quintet_game::pathwayz::Pathwayz;
use quintet_game::twixt::{Swap, Twixt};
use quintet_game::{Game as _, GameSpec, Limit, Notation, Proof, Value};
use quintet_solve::twixt::{Cell, FirstPegs, LARGEST, Openings, Solver, openings};
use quintet_solve::{Solution, pathwayz as paths};
use serde_json::{Value as Json, json};

use super::SolveArgs;
use crate::cluster;
use crate::interrupt::{self, Stopped};
use crate::output::note;
use crate::screen;

/// The default memory of a solver, in bytes; TwixT has one solver per thread.
const MEMORY: usize = 512 << 20;

/// Solving was stopped; nothing is kept of it.
fn stopped() -> Stopped {
    Stopped("stopped: a small board is solved in one go".into())
}

/// Solves a board of TwixT, and prints the value of every first peg.
pub fn twixt<const W: usize, const B: usize>(
    out: &mut dyn Write,
    spec: &GameSpec,
    game: &Twixt<W, B>,
    threads: usize,
    args: &SolveArgs,
) -> Result<()> {
    if game.size() > LARGEST {
        bail!("{spec}: boards of up to {LARGEST} holes per side can be solved");
    }
    if args.cluster.url().is_some() && !args.start {
        return elsewhere(out, spec, game, args);
    }
    let threads = if args.start { 1 } else { threads };
    let memory = args.memory.map_or(MEMORY, |mib| (mib << 20) as usize / threads);
    let what = if args.start { "only the start" } else { "every first peg" };
    note!(
        "{spec}: {what}, {:.1} GB of memory for each of {} thread(s). Up to 7 holes per side take a moment, 8 take seconds, 9 take minutes; larger boards, or corners, are unknown. Ctrl-C or --seconds ends it with what is known.",
        memory as f64 / 1e9,
        threads
    );
    let (interrupt, began) = (interrupt::stop_on_interrupt()?, Instant::now());
    let late = || args.seconds.is_some_and(|seconds| began.elapsed().as_secs_f64() >= seconds);
    let stop = || interrupt.stopped() || late();
    if args.start {
        let solution = Solver::new(game, memory).solve(game, &game.start(), &Limit::default(), &stop);
        return first_move(out, spec, game, solution, began.elapsed().as_secs_f64(), args.json);
    }
    let heard = Mutex::new(Heard::new(spec, FirstPegs::new(game, u64::MAX).distinct()));
    let lock = || heard.lock().unwrap_or_else(PoisonError::into_inner);
    let map = openings(game, threads, memory, u64::MAX, &stop, &|mv, value, nodes| lock().add(game, mv, value, nodes));
    lock().bar.finish();
    let looked = lock().positions;
    print(out, spec, game, &map, looked, began, args.json)?;
    if interrupt.stopped() && map.value().is_none() {
        return Err(stopped().into());
    }
    Ok(())
}

/// Solves a board of TwixT by the workers of a cluster, and prints the value of every first peg.
fn elsewhere<const W: usize, const B: usize>(
    out: &mut dyn Write,
    spec: &GameSpec,
    game: &Twixt<W, B>,
    args: &SolveArgs,
) -> Result<()> {
    args.cluster.check(args.threads)?;
    let memory = args.memory.unwrap_or(MEMORY as u64 >> 20);
    note!(
        "{spec}: every first peg, {memory} MiB of memory of a worker for each. Ctrl-C or --seconds ends it with what is known."
    );
    let (interrupt, began) = (interrupt::stop_on_interrupt()?, Instant::now());
    let halt = || interrupt.stopped() || args.seconds.is_some_and(|seconds| began.elapsed().as_secs_f64() >= seconds);
    let mut pegs = FirstPegs::new(game, u64::MAX);
    let mut heard = Heard::new(spec, pegs.distinct());
    let ended = cluster::solve(&args.cluster, spec, memory, &mut pegs, &halt, &mut |mv, value, nodes| {
        heard.add(game, mv, value, nodes);
    });
    heard.bar.finish();
    if ended.is_ok() || pegs.map().holes().any(|(x, y)| pegs.map().cell(x, y) != Cell::Unknown) {
        print(out, spec, game, pegs.map(), heard.positions, began, args.json)?;
    }
    ended?;
    if interrupt.stopped() && pegs.map().value().is_none() {
        return Err(stopped().into());
    }
    Ok(())
}

/// What was heard of first pegs.
struct Heard {
    bar: screen::Forming,
    positions: u64,
}

impl Heard {
    fn new(spec: &GameSpec, distinct: usize) -> Heard {
        Heard { bar: screen::Forming::new(distinct as u64, 0, &spec.to_string()), positions: 0 }
    }

    fn add<G: Notation>(&mut self, game: &G, mv: G::Move, value: Option<Value>, nodes: u64) {
        self.positions += nodes;
        let said = value.map_or_else(|| "is not known".to_owned(), |value| value.to_string());
        self.bar.one_more(&format!("{} {said} ({nodes} positions)", game.write_move(mv)));
    }
}

/// Prints a map.
fn print<const W: usize, const B: usize>(
    out: &mut dyn Write,
    spec: &GameSpec,
    game: &Twixt<W, B>,
    map: &Openings,
    looked: u64,
    began: Instant,
    json: bool,
) -> Result<()> {
    let (swapped, seconds) = (map.with_swap(game.swap()), began.elapsed().as_secs_f64());
    if json {
        let answer = json!({
            "game": spec.to_string(), "start": told(swapped.value()), "first_pegs": listed(&swapped),
            "without_swap": told(map.value()), "first_pegs_without_swap": listed(map), "nodes": looked,
            "seconds": seconds,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
    } else {
        write!(out, "{map}")?;
        describe(out, spec, map, game.swap())?;
        note!("{looked} positions, {seconds:.1} s");
    }
    Ok(())
}

/// Who wins, and the quickest first moves.
fn first_move<G: Notation>(
    out: &mut dyn Write,
    spec: &GameSpec,
    game: &G,
    solution: Solution<G::Move>,
    seconds: f64,
    json: bool,
) -> Result<()> {
    let Some(value) = solution.value else { return Err(stopped().into()) };
    let best = solution.moves.iter().filter(|(_, of)| *of == value).map(|(mv, _)| game.write_move(*mv));
    let best: Vec<String> = best.collect();
    if json {
        let answer = json!({
            "game": spec.to_string(), "start": told(Some(value)), "best": best, "nodes": solution.nodes,
            "seconds": seconds,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
    } else {
        writeln!(out, "{spec}: the first player {value}")?;
        writeln!(out, "best first moves: {} ({} positions)", best.join(" "), solution.nodes)?;
    }
    Ok(())
}

/// Sentences about a map, and about the same with the swap rule.
fn describe(out: &mut dyn Write, spec: &GameSpec, map: &Openings, swap: Swap) -> Result<()> {
    let swapped = map.with_swap(swap);
    let pegs = |Value { proof, plies }: Value| match (proof, plies) {
        (Proof::Win, Some(plies)) => format!(" with {} pegs", plies.div_ceil(2)),
        (Proof::Loss, Some(plies)) => format!(": the second needs {} pegs", plies / 2),
        _ => String::new(),
    };
    let Some(value) = map.value() else {
        let soonest = holes(map).filter(|(_, value)| value.is_win()).filter_map(|(_, value)| value.plies);
        let soonest =
            soonest.min().map_or_else(String::new, |plies| format!("; the quickest known win takes {plies} plies"));
        return Ok(writeln!(out, "{spec}: not all first pegs are known{soonest}")?);
    };
    writeln!(out, "{spec}: without the swap the first player {value}{}", pegs(value))?;
    if let Some(value) = swapped.value().filter(|_| swap != Swap::Off) {
        let fair: Vec<String> =
            holes(&swapped).filter(|(_, value)| *value == Value::DRAW).map(|(name, _)| name).collect();
        let fair = if fair.is_empty() {
            "no first peg is fair".into()
        } else {
            format!("fair first pegs: {}", fair.join(" "))
        };
        writeln!(out, "with it the first player {value}; {fair}")?;
    }
    Ok(())
}

/// The holes that are known, by name.
fn holes(map: &Openings) -> impl Iterator<Item = (String, Value)> {
    map.holes().filter_map(|(x, y)| match map.cell(x, y) {
        Cell::Known(value) => Some((format!("{}{}", (b'a' + x as u8) as char, y + 1), value)),
        _ => None,
    })
}

fn listed(map: &Openings) -> Json {
    holes(map).map(|(name, value)| (name, told(Some(value)))).collect::<serde_json::Map<_, _>>().into()
}

/// As JSON, from the first player's view.
fn told(value: Option<Value>) -> Json {
    match value {
        None => Json::Null,
        Some(Value { proof, plies: Some(plies) }) => json!({ "outcome": proof.name(), "distance": plies }),
        Some(Value { proof, plies: None }) => json!({ "outcome": proof.name() }),
    }
}

/// Solves a board of Pathwayz, and prints who wins and how.
pub fn pathwayz(out: &mut dyn Write, spec: &GameSpec, game: &Pathwayz, args: &SolveArgs) -> Result<()> {
    let Some(mut solver) = paths::Solver::new(game, MEMORY) else {
        bail!("{spec}: boards of at most about thirty squares can be solved");
    };
    note!(
        "{spec}: {:.1} GB of memory, one thread. 12 squares take a moment, 14 a minute; larger boards are unknown. Ctrl-C stops it.",
        MEMORY as f64 / 1e9
    );
    let (stop, began) = (interrupt::stop_on_interrupt()?, Instant::now());
    let solution = solver.solve(game, &game.start(), &Limit::default(), &|| stop.stopped());
    first_move(out, spec, game, solution, began.elapsed().as_secs_f64(), args.json)
}
