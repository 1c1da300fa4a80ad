//! Pentago's exact values against brute force, and against another program's where its answers are at hand.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game as _, Notation as _, Outcome, Rng};
use quintet_solve::pentago::{Value, solve};
use rand_core::SeedableRng as _;
use serde_json::Value as Json;

/// Perfect play by the rules of the game alone.
fn searched(game: &Pentago, position: Position, known: &mut HashMap<Position, Value>) -> Value {
    if let Some(&value) = known.get(&position) {
        return value;
    }
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mut best = Value::Loss;
    for mv in moves {
        best = best.max(value_of(game, position, mv, known));
        if best == Value::Win {
            break;
        }
    }
    known.insert(position, best);
    best
}

fn value_of(
    game: &Pentago,
    position: Position,
    mv: quintet_game::pentago::Move,
    known: &mut HashMap<Position, Value>,
) -> Value {
    let (mover, mut after) = (game.to_move(&position), position);
    game.play(&mut after, mv);
    match game.outcome(&after) {
        Some(Outcome::Win(player)) if player == mover => Value::Win,
        Some(Outcome::Win(_)) => Value::Loss,
        Some(Outcome::Draw) => Value::Draw,
        None => match searched(game, after, known) {
            Value::Win => Value::Loss,
            Value::Draw => Value::Draw,
            Value::Loss => Value::Win,
        },
    }
}

/// A position with so many marbles in which nobody has five, reached by random moves.
fn middle(game: &Pentago, marbles: u32, rng: &mut Rng) -> Position {
    loop {
        let mut position = game.start();
        while game.pieces(&position) < marbles && game.outcome(&position).is_none() {
            let mv = game.random_move(&position, rng);
            game.play(&mut position, mv);
        }
        if game.outcome(&position).is_none() {
            return position;
        }
    }
}

#[test]
fn late_positions_agree_with_brute_force_move_by_move() {
    for (rules, game) in [Pentago::standard(), Pentago::turn_first(), Pentago::twist()].into_iter().enumerate() {
        let mut rng = Rng::seed_from_u64(7 + rules as u64);
        for marbles in [32, 33, 34, 35] {
            for _ in 0..12 {
                let position = middle(&game, marbles, &mut rng);
                let solution = solve(&game, &position, 2, &|| false).unwrap();
                let mut known = HashMap::new();
                for &(mv, value) in &solution.moves {
                    assert_eq!(value, value_of(&game, position, mv, &mut known), "{}", game.write_position(&position));
                }
                assert_eq!(solution.value, searched(&game, position, &mut known));
            }
        }
    }
}

#[test]
fn a_solution_that_is_stopped_is_none() {
    let game = Pentago::standard();
    let position = middle(&game, 26, &mut Rng::seed_from_u64(3));
    assert_eq!(solve(&game, &position, 2, &|| true), None);
}

/// All values of another program for positions with at least so many marbles. `QUINTET_LEAST=18` looks at more of them.
#[test]
fn values_agree_with_the_oracle() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/pentago_values.jsonl");
    let Ok(text) = fs::read_to_string(&file) else {
        eprintln!("skipped: no oracle at {}", file.display());
        return;
    };
    let least: u64 =
        std::env::var("QUINTET_LEAST").ok().map_or(20, |least| least.parse().expect("a number of marbles"));
    let mut compared = 0;
    for line in text.lines() {
        let fact: Json = serde_json::from_str(line).unwrap();
        if fact["stones"].as_u64().unwrap() < least {
            continue;
        }
        let game = Pentago::standard();
        let position = game.read_position(fact["position"].as_str().unwrap()).unwrap();
        if game.outcome(&position).is_some() {
            continue;
        }
        let solution = solve(&game, &position, 2, &|| false).unwrap();
        let right = match fact["value"].as_str().unwrap() {
            "win" => Value::Win,
            "draw" => Value::Draw,
            "loss" => Value::Loss,
            other => panic!("{other}"),
        };
        assert_eq!(solution.value, right, "{fact}");
        compared += 1;
    }
    assert!(compared > 0);
    eprintln!("{compared} positions agree");
}
