//! `quintet solve pentago --position …`: the exact value of every move of one position.

use std::cmp::Reverse;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use comfy_table::presets;
use quintet_game::pentago::{Move, Pentago, Position};
use quintet_game::{Game as _, GameSpec, Limit, Notation as _, Proof, Value};
use quintet_solve::Halt;
use quintet_solve::pentago::{Proven, bytes, distances, prove, solve};
use serde_json::json;

use super::SolveArgs;
use crate::{interrupt, position, screen};

/// The most empty cells that are solved backwards from the full board, whatever the memory.
const FARTHEST: u32 = 20;

/// The default memory in MiB.
const MEMORY: u64 = 2048;

/// The default seconds of a proof search.
const SECONDS: f64 = 10.0;

/// What is known about a position.
struct SolvedValues {
    value: Option<Proof>,
    /// Moves with their values, and the plies to the end if requested.
    moves: Vec<(Move, Value)>,
    /// What was done.
    how: String,
}

/// Solves a position of Pentago or Pentago-Twist: all moves if the rest of the game can be solved in the given
/// memory, else what a proof search finds in the given time.
pub fn run(out: &mut dyn Write, spec: GameSpec, game: &Pentago, threads: usize, args: &SolveArgs) -> Result<()> {
    let line = position::line(spec, &args.history)?;
    if line.end().is_some() {
        bail!("the game is over here: there is no move to rate");
    }
    let pos = game.read_position(&line.position())?;
    let stop = interrupt::stop_on_interrupt()?;
    let stopped = || stop.stopped();
    let empty = game.cells() - game.pieces(&pos);
    let memory = args.memory.unwrap_or(MEMORY) << 20;
    let found = if empty <= FARTHEST && bytes(game, empty) <= memory {
        solved(game, &pos, threads, args.distance, &stopped)
    } else {
        let time = Duration::from_secs_f64(args.seconds.unwrap_or(SECONDS));
        Some(proven(prove(game, &pos, &Limit::time(time), memory, &stopped)))
    };
    let Some(mut found) = found else { bail!("stopped before it was done") };
    // The best first: quick wins, draws, slow losses.
    found.moves.sort_by_key(|(_, value)| Reverse(value.merit()));
    if args.json {
        let rated = |(mv, value): &(Move, Value)| json!({ "move": game.write_move(*mv), "value": value.proof.name(), "plies": value.plies });
        let moves: Vec<_> = found.moves.iter().map(rated).collect();
        let answer = json!({
            "game": spec.to_string(), "position": line.position(), "value": found.value.map(Proof::name), "moves": moves,
            "how": found.how,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
        return Ok(());
    }
    let side = screen::side(line.as_ref(), line.to_move());
    match found.value {
        Some(value) => writeln!(out, "{side} {}: {}", Value::from(value), found.how)?,
        None => writeln!(out, "not known: {}", found.how)?,
    }
    if !found.moves.is_empty() {
        writeln!(out, "\n{}", shown(game, &found.moves))?;
    }
    Ok(())
}

fn solved(game: &Pentago, pos: &Position, threads: usize, distance: bool, halt: Halt) -> Option<SolvedValues> {
    let began = Instant::now();
    let solution = solve(game, pos, threads, halt)?;
    let plies =
        if distance { distances(game, pos, &solution, threads, halt)? } else { vec![None; solution.moves.len()] };
    let seconds = began.elapsed().as_secs_f64();
    let how = format!("the rest of the game solved, {} patterns in {seconds:.2} s", solution.patterns);
    let moves = solution.moves.iter().zip(plies).map(|(&(mv, proof), plies)| (mv, Value { proof, plies })).collect();
    Some(SolvedValues { value: Some(solution.value), moves, how })
}

fn proven(proven: Proven) -> SolvedValues {
    let within = proven.moves.map_or(String::new(), |moves| format!(", within {moves} moves of the winner"));
    let bounds = match (proven.value(), proven.least, proven.most) {
        (None, Proof::Loss, Proof::Win) => " and show nothing".to_owned(),
        (None, least, _) if least > Proof::Loss => " and show that it is not lost".to_owned(),
        (None, ..) => " and show that it is not won".to_owned(),
        _ => within,
    };
    let how = format!("{} patterns of a proof search{bounds}", proven.nodes);
    let value = proven.value();
    let moves = proven.wins.into_iter().map(|mv| (mv, Proof::Win.into())).collect();
    SolvedValues { value, moves, how }
}

fn shown(game: &Pentago, moves: &[(Move, Value)]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING);
    let far = moves.iter().any(|(_, value)| value.plies.is_some());
    table.set_header(if far { &["move", "value", "plies"][..] } else { &["move", "value"] });
    for (mv, value) in moves {
        let mut row = vec![game.write_move(*mv), value.proof.name().to_owned()];
        if far {
            row.push(value.plies.map_or(String::new(), |plies| plies.to_string()));
        }
        table.add_row(row);
    }
    table
}
