//! `quintet solve pentago --position …`: the exact value of every move of one position.

use std::cmp::Reverse;
use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use comfy_table::presets;
use quintet_game::pentago::{Move, Pentago, Position};
use quintet_game::{Game as _, GameSpec, Notation as _};
use quintet_solve::pentago::{Bounds, Proven, Stop, Value, bytes, distances, prove, solve};
use serde_json::json;

use super::SolveArgs;
use crate::{interrupt, position, screen};

/// Most empty cells that are solved from the full board back, whatever the memory.
const FARTHEST: u32 = 20;

/// MiB that may be taken when nobody says.
const MEMORY: u64 = 2048;

/// Seconds of a proof search when nobody says.
const SECONDS: f64 = 10.0;

/// What was found out about a position.
struct Found {
    value: Option<Value>,
    /// Moves with their values, and the plies to the end where they are known.
    moves: Vec<(Move, Value, Option<u32>)>,
    /// What was done.
    how: String,
}

/// Solves a position of Pentago or Pentago-Twist: all moves where the rest of the game can be solved in the memory that is
/// given, and else what a proof search finds in the time.
pub fn run(out: &mut dyn Write, spec: GameSpec, threads: usize, args: &SolveArgs) -> Result<()> {
    let table = position::table(spec, &args.history)?;
    if table.end().is_some() {
        bail!("the game is over here: there is no move to be rated");
    }
    let game = match (spec.info().name, spec.value("rules")) {
        ("pentago-twist", _) => Pentago::twist(),
        (_, 0) => Pentago::standard(),
        _ => Pentago::turn_first(),
    };
    let pos = game.read_position(&table.position())?;
    let stop = interrupt::stop_on_interrupt()?;
    let stopped = || stop.load(Ordering::Relaxed);
    let empty = game.cells() - game.pieces(&pos);
    let memory = args.memory.unwrap_or(MEMORY) << 20;
    let found = if empty <= FARTHEST && bytes(&game, empty) <= memory {
        solved(&game, &pos, threads, args.distance, &stopped)
    } else {
        let time = Duration::from_secs_f64(args.seconds.unwrap_or(SECONDS));
        let bounds = Bounds { time: Some(time), nodes: None, moves: None, memory, stop: &stopped };
        Some(proven(prove(&game, &pos, &bounds)))
    };
    let Some(mut found) = found else { bail!("it was stopped before it was done") };
    // The best first: quick wins, draws, slow losses.
    found.moves.sort_by_key(|(_, value, plies)| {
        let plies = i64::from(plies.unwrap_or(0));
        Reverse((*value, if *value == Value::Win { -plies } else { plies }))
    });
    if args.json {
        let rated = |(mv, value, plies): &(Move, Value, Option<u32>)| json!({ "move": game.write_move(*mv), "value": name(*value), "plies": plies });
        let moves: Vec<_> = found.moves.iter().map(rated).collect();
        let answer = json!({
            "game": spec.to_string(), "position": table.position(), "value": found.value.map(name), "moves": moves,
            "how": found.how,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
        return Ok(());
    }
    let side = screen::side(table.as_ref(), table.to_move());
    match found.value {
        Some(value) => writeln!(out, "{side} {}: {}", ["loses", "draws", "wins"][value as usize], found.how)?,
        None => writeln!(out, "not known: {}", found.how)?,
    }
    if !found.moves.is_empty() {
        writeln!(out, "\n{}", shown(&game, &found.moves))?;
    }
    Ok(())
}

fn name(value: Value) -> &'static str {
    ["loss", "draw", "win"][value as usize]
}

fn solved(game: &Pentago, pos: &Position, threads: usize, distance: bool, stop: Stop) -> Option<Found> {
    let began = Instant::now();
    let solution = solve(game, pos, threads, stop)?;
    let plies =
        if distance { distances(game, pos, &solution, threads, stop)? } else { vec![None; solution.moves.len()] };
    let seconds = began.elapsed().as_secs_f64();
    let how = format!("the rest of the game solved, {} patterns in {seconds:.2} s", solution.patterns);
    let moves = solution.moves.iter().zip(plies).map(|(&(mv, value), plies)| (mv, value, plies)).collect();
    Some(Found { value: Some(solution.value), moves, how })
}

fn proven(proven: Proven) -> Found {
    let within = proven.moves.map_or(String::new(), |moves| format!(", within {moves} moves of the winner's"));
    let bounds = match (proven.value(), proven.least, proven.most) {
        (None, Value::Loss, Value::Win) => " and tell nothing".to_owned(),
        (None, least, _) if least > Value::Loss => " and tell that it is not lost".to_owned(),
        (None, ..) => " and tell that it is not won".to_owned(),
        _ => within,
    };
    let how = format!("{} patterns of a proof search{bounds}", proven.nodes);
    let value = proven.value();
    let moves = proven.wins.into_iter().map(|mv| (mv, Value::Win, None)).collect();
    Found { value, moves, how }
}

fn shown(game: &Pentago, moves: &[(Move, Value, Option<u32>)]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING);
    let far = moves.iter().any(|(_, _, plies)| plies.is_some());
    table.set_header(if far { &["move", "value", "plies"][..] } else { &["move", "value"] });
    for (mv, value, plies) in moves {
        let mut row = vec![game.write_move(*mv), name(*value).to_owned()];
        if far {
            row.push(plies.map_or(String::new(), |plies| plies.to_string()));
        }
        table.add_row(row);
    }
    table
}
