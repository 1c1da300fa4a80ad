//! Pentago's exact values against brute force, and against another program's answers where available.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game as _, Limit, Notation as _, Outcome, Proof, Rng};
use quintet_solve::pentago::{best, distances, prove, solve};
use rand_core::SeedableRng as _;
use serde_json::Value as Json;

/// Perfect play by the rules of the game alone.
fn searched(game: &Pentago, position: Position, known: &mut HashMap<Position, Proof>) -> Proof {
    if let Some(&value) = known.get(&position) {
        return value;
    }
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mut best = Proof::Loss;
    for mv in moves {
        best = best.max(value_of(game, position, mv, known));
        if best == Proof::Win {
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
    known: &mut HashMap<Position, Proof>,
) -> Proof {
    let (mover, mut after) = (game.to_move(&position), position);
    game.play(&mut after, mv);
    match game.outcome(&after) {
        Some(Outcome::Win(player)) if player == mover => Proof::Win,
        Some(Outcome::Win(_)) => Proof::Loss,
        Some(Outcome::Draw) => Proof::Draw,
        None => match searched(game, after, known) {
            Proof::Win => Proof::Loss,
            Proof::Draw => Proof::Draw,
            Proof::Loss => Proof::Win,
        },
    }
}

/// A position with this many marbles in which neither side has five, reached by random moves.
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

/// The same, but neither side gives away a win in one, as in good games.
fn contested(game: &Pentago, marbles: u32, rng: &mut Rng) -> Position {
    'again: loop {
        let mut position = game.start();
        while game.pieces(&position) < marbles {
            let careful = (0..200).find_map(|_| {
                let mut after = position;
                game.play(&mut after, game.random_move(&position, rng));
                let goes_on = game.outcome(&after).is_none() && !game.threatens(&after, game.to_move(&after));
                goes_on.then_some(after)
            });
            let Some(after) = careful else { continue 'again };
            position = after;
        }
        return position;
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
                let mut keeps = solution.moves.clone();
                keeps.retain(|(_, value)| *value == solution.value);
                assert_eq!(best(&game, &position, 2, &|| false).unwrap().moves, keeps);
            }
        }
    }
}

/// The result for the side to move, and in how many plies if the winner hurries and the loser delays: larger is better.
fn merit(game: &Pentago, position: Position, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(&merit) = known.get(&position) {
        return merit;
    }
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let best = moves.into_iter().map(|mv| merit_of(game, position, mv, known)).max().unwrap();
    known.insert(position, best);
    best
}

fn merit_of(
    game: &Pentago,
    position: Position,
    mv: quintet_game::pentago::Move,
    known: &mut HashMap<Position, i32>,
) -> i32 {
    let (mover, mut after) = (game.to_move(&position), position);
    game.play(&mut after, mv);
    match game.outcome(&after) {
        Some(Outcome::Win(player)) => {
            if player == mover {
                99
            } else {
                -99
            }
        }
        Some(Outcome::Draw) => 0,
        None => {
            let merit = merit(game, after, known);
            merit.signum() - merit
        }
    }
}

#[test]
fn distances_agree_with_brute_force_move_by_move() {
    let mut far = 0;
    for (rules, game) in [Pentago::standard(), Pentago::turn_first(), Pentago::twist()].into_iter().enumerate() {
        let mut rng = Rng::seed_from_u64(37 + rules as u64);
        for marbles in [31, 32, 32, 33, 33, 34, 35] {
            for _ in 0..6 {
                let position = contested(&game, marbles, &mut rng);
                let solution = solve(&game, &position, 1, &|| false).unwrap();
                let plies = distances(&game, &position, &solution, 2, &|| false).unwrap();
                let mut known = HashMap::new();
                for (&(mv, value), plies) in solution.moves.iter().zip(plies) {
                    let merit = merit_of(&game, position, mv, &mut known);
                    let by_force = (merit != 0).then(|| 100 - merit.unsigned_abs());
                    assert_eq!(plies, by_force, "{} {value:?}", game.write_position(&position));
                    far += u32::from(plies.is_some_and(|plies| plies > 2));
                }
            }
        }
    }
    assert!(far > 20, "{far}");
}

#[test]
fn a_solution_that_is_stopped_is_none() {
    let game = Pentago::standard();
    let position = middle(&game, 26, &mut Rng::seed_from_u64(3));
    assert_eq!(solve(&game, &position, 2, &|| true), None);
}

/// Bytes of a proof search's table.
const MEMORY: u64 = 1 << 22;

#[test]
fn proofs_of_late_positions_are_complete_and_agree_with_brute_force() {
    for (rules, game) in [Pentago::standard(), Pentago::turn_first(), Pentago::twist()].into_iter().enumerate() {
        let mut rng = Rng::seed_from_u64(17 + rules as u64);
        for marbles in [31, 32, 33, 34, 35] {
            for _ in 0..12 {
                let position = middle(&game, marbles, &mut rng);
                let (proven, mut known) =
                    (prove(&game, &position, &Limit::default(), MEMORY, &|| false), HashMap::new());
                let text = game.write_position(&position);
                assert_eq!(proven.value(), Some(searched(&game, position, &mut known)), "{text}");
                assert_eq!(proven.value() == Some(Proof::Win), !proven.wins.is_empty(), "{text}");
                for &mv in &proven.wins {
                    assert_eq!(value_of(&game, position, mv, &mut known), Proof::Win, "{text}");
                }
            }
        }
    }
}

/// Two very different solvers: forward with few moves ahead, and backwards from the full board.
#[test]
fn what_is_proven_forward_is_true_backward() {
    for (rules, game, fewest) in
        [(0, Pentago::standard(), 21), (1, Pentago::turn_first(), 21), (2, Pentago::twist(), 25)]
    {
        let mut rng = Rng::seed_from_u64(27 + rules);
        let (mut values, mut slow) = ([0; 3], 0);
        for round in 0..24 {
            let position = contested(&game, fewest + round % 4, &mut rng);
            let proven = prove(&game, &position, &Limit::nodes(3000), MEMORY, &|| false);
            let solution = solve(&game, &position, 1, &|| false).unwrap();
            let text = game.write_position(&position);
            assert!(proven.least <= solution.value && solution.value <= proven.most, "{text}: {proven:?}");
            for mv in &proven.wins {
                assert!(solution.moves.contains(&(*mv, Proof::Win)), "{text}: {proven:?}");
            }
            if let Some(value) = proven.value() {
                values[value as usize] += 1;
                slow += u32::from(proven.moves.is_some_and(|moves| moves > 1));
            }
            assert_eq!(proven, prove(&game, &position, &Limit::nodes(3000), MEMORY, &|| false));
        }
        eprintln!("of 24 positions {values:?} wins, draws and losses were proven, {slow} not at once");
        assert!(values[0] > 0 && values[2] > 0 && slow > 4);
    }
}

#[test]
fn a_proof_that_is_stopped_claims_nothing() {
    let game = Pentago::standard();
    let proven = prove(&game, &game.start(), &Limit::default(), MEMORY, &|| true);
    assert_eq!((proven.value(), proven.least, proven.most, proven.nodes), (None, Proof::Loss, Proof::Win, 0));
}

/// All values of another program for positions with at least this many marbles. `QUINTET_LEAST=18` compares more of them.
#[test]
#[ignore = "needs ../shared/oracle"]
fn values_agree_with_the_oracle() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/pentago_values.jsonl");
    let text = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
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
            "win" => Proof::Win,
            "draw" => Proof::Draw,
            "loss" => Proof::Loss,
            other => panic!("{other}"),
        };
        assert_eq!(solution.value, right, "{fact}");
        compared += 1;
    }
    assert!(compared > 0);
    eprintln!("{compared} positions agree");
}
