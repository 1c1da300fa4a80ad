//! Pathwayz on small boards, against brute force by the rules alone; and the quick ones of the boards listed in docs/solved.md.

use std::collections::HashMap;

use quintet_game::pathwayz::{Move, Pathwayz, Position};
use quintet_game::{Game as _, Limit, Notation as _, Outcome, Proof, Rng, Value};
use quintet_solve::pathwayz::Solver;
use rand_core::SeedableRng as _;

fn legal(game: &Pathwayz, pos: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    moves
}

fn after(game: &Pathwayz, pos: &Position, mv: Move) -> Position {
    let mut next = *pos;
    game.play(&mut next, mv);
    next
}

/// Perfect play by the rules of the game alone, for the side to move.
fn searched(game: &Pathwayz, pos: &Position, known: &mut HashMap<Position, Value>) -> Value {
    match game.outcome(pos) {
        Some(Outcome::Draw) => return Value::DRAW,
        Some(Outcome::Win(player)) => {
            return if player == game.to_move(pos) { Value::win_in(0) } else { Value::loss_in(0) };
        }
        None => {}
    }
    if let Some(&value) = known.get(pos) {
        return value;
    }
    let children = legal(game, pos).into_iter().map(|mv| searched(game, &after(game, pos, mv), known));
    let value = Value::of_children(children.collect::<Vec<_>>());
    known.insert(*pos, value);
    value
}

/// The solver's answer must equal brute force, for the position and for every move that it lists; it must list the best ones.
fn compare(game: &Pathwayz, pos: &Position, known: &mut HashMap<Position, Value>) -> Value {
    let text = game.write_position(pos);
    let slow = searched(game, pos, known);
    let fast = Solver::new(game, 1 << 20).unwrap().solve(game, pos, &Limit::default(), &|| false);
    assert_eq!(fast.value, Some(slow), "{text}");
    for mv in legal(game, pos) {
        let value = Value::of_children([searched(game, &after(game, pos, mv), known)]);
        match fast.moves.iter().find(|(named, _)| *named == mv) {
            Some((_, named)) => assert_eq!(*named, value, "{text} {}", game.write_move(mv)),
            None => assert!(slow.is_win() && value != slow, "{text} {}", game.write_move(mv)),
        }
    }
    slow
}

#[test]
fn the_smallest_boards_agree_with_brute_force() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        let game = Pathwayz::new(rows, columns);
        compare(&game, &game.start(), &mut HashMap::new());
    }
}

/// A position with this many empty squares, reached by random moves.
fn late(game: &Pathwayz, empty: u32, rng: &mut Rng) -> Position {
    loop {
        let mut pos = game.start();
        while game.outcome(&pos).is_none() && game.cells() - game.pieces(&pos) > empty {
            let mv = game.random_move(&pos, rng);
            game.play(&mut pos, mv);
        }
        if game.outcome(&pos).is_none() {
            return pos;
        }
    }
}

#[test]
fn late_positions_agree_with_brute_force() {
    let mut seen = [0; 3];
    for (rows, columns) in [(3, 3), (3, 4), (4, 3), (4, 4), (3, 6), (5, 5)] {
        let game = Pathwayz::new(rows, columns);
        let mut rng = Rng::seed_from_u64(7);
        for round in 0..20 {
            match compare(&game, &late(&game, 4 + round % 2, &mut rng), &mut HashMap::new()).proof {
                Proof::Win => seen[0] += 1,
                Proof::Draw => seen[1] += 1,
                Proof::Loss => seen[2] += 1,
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}

/// Who wins, and in how many plies, as published.
#[test]
fn boards_that_are_published() {
    let boards =
        [(2, 2, 3), (2, 3, 5), (2, 4, 7), (2, 5, 9), (3, 2, 3), (3, 3, 5), (3, 4, 9), (4, 3, 7), (5, 3, 5), (4, 4, 9)];
    for (rows, columns, plies) in boards {
        let game = Pathwayz::new(rows, columns);
        let solved = Solver::new(&game, 64 << 20).unwrap().solve(&game, &game.start(), &Limit::default(), &|| false);
        assert_eq!(solved.value, Some(Value::win_in(plies)), "{rows} x {columns}");
    }
}

#[test]
fn large_boards_have_no_solver_and_a_spent_budget_proves_nothing() {
    assert!(Solver::new(&Pathwayz::new(8, 12), 1 << 20).is_none());
    let game = Pathwayz::new(4, 5);
    let none = Solver::new(&game, 1 << 20).unwrap().solve(&game, &game.start(), &Limit::nodes(1000), &|| false);
    assert_eq!((none.value, none.moves.len()), (None, 0));
}
