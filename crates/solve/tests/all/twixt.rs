//! TwixT on small boards: against brute force by the rules alone, against known results, and against the shipped maps.

use std::collections::HashMap;

use quintet_game::twixt::{Move, Position, Rules, Swap, Twixt};
use quintet_game::{Game as _, GameSpec, Limit, Notation as _, Outcome, Proof, Rng, Value};
use quintet_solve::twixt::{Cell, Openings, Solver, openings, published};
use rand_core::SeedableRng as _;

fn legal<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    moves
}

fn after<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>, mv: Move) -> Position<W, B> {
    let mut next = pos.clone();
    game.play(&mut next, mv);
    next
}

/// Perfect play by the rules of the game alone, for the side to move.
fn searched<const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    pos: &Position<W, B>,
    known: &mut HashMap<String, Value>,
) -> Value {
    match game.outcome(pos) {
        Some(Outcome::Draw) => return Value::DRAW,
        Some(Outcome::Win(player)) => {
            return if player == game.to_move(pos) { Value::win_in(0) } else { Value::loss_in(0) };
        }
        None => {}
    }
    let text = game.write_position(pos);
    if let Some(&value) = known.get(&text) {
        return value;
    }
    let children: Vec<Value> =
        legal(game, pos).into_iter().map(|mv| searched(game, &after(game, pos, mv), known)).collect();
    let value = Value::of_children(children);
    known.insert(text, value);
    value
}

/// The value of a move for the side that makes it.
fn turned(value: Value) -> Value {
    Value::of_children([value])
}

/// The solver's answer must equal brute force, for the position and for every move that it lists; it must list the best ones.
fn compare<const W: usize, const B: usize>(
    game: &Twixt<W, B>,
    pos: &Position<W, B>,
    solver: &mut Solver,
    known: &mut HashMap<String, Value>,
) -> Value {
    let text = game.write_position(pos);
    let slow = searched(game, pos, known);
    let fast = solver.solve(game, pos, &Limit::default(), &|| false);
    assert_eq!(fast.value, Some(slow), "{text}");
    for mv in legal(game, pos) {
        let value = turned(searched(game, &after(game, pos, mv), known));
        match fast.moves.iter().find(|(named, _)| *named == mv) {
            Some((_, named)) => assert_eq!(*named, value, "{text} {}", game.write_move(mv)),
            None => assert!(slow.is_win() && value != slow, "{text} {}", game.write_move(mv)),
        }
    }
    slow
}

fn whole_game<const W: usize, const B: usize>(game: &Twixt<W, B>) {
    let mut known = HashMap::new();
    let mut solver = Solver::new(game, 1 << 20);
    let start = game.start();
    compare(game, &start, &mut solver, &mut known);
    let map = openings(game, 2, 1 << 20, u64::MAX, &|| false, &|_, _, _| {});
    let (plain, mut known) = (game.without_swap(), HashMap::new());
    for mv in legal(&plain, &start) {
        let (x, y) = mv.hole().unwrap();
        let value = turned(searched(&plain, &after(&plain, &start, mv), &mut known));
        assert_eq!(map.cell(x, y), Cell::Known(value), "{} {}", game.size(), plain.write_move(mv));
    }
}

/// Boards of 3 and 4 holes per side from the start to the end, under all rules, with and without the swap.
#[test]
fn the_smallest_boards_agree_with_brute_force() {
    for swap in [Swap::Off, Swap::Mirror, Swap::Turn] {
        whole_game(&Twixt::<12, 1>::new(3, false, swap));
        whole_game(&Twixt::<12, 2>::new(3, false, swap));
        whole_game(&Twixt::<12, 1>::new(3, true, swap));
    }
    whole_game(&Twixt::<12, 1>::new(4, false, Swap::Mirror));
    whole_game(&Twixt::<12, 2>::new(4, false, Swap::Turn));
    whole_game(&Twixt::<12, 1>::new(4, true, Swap::Off));
}

/// A position with this many holes left, reached by random moves.
fn late<const W: usize, const B: usize>(game: &Twixt<W, B>, left: u32, rng: &mut Rng) -> Position<W, B> {
    loop {
        let mut pos = game.start();
        while game.outcome(&pos).is_none() && game.cells() - game.pieces(&pos) > left {
            let mv = game.random_move(&pos, rng);
            game.play(&mut pos, mv);
        }
        if game.outcome(&pos).is_none() {
            return pos;
        }
    }
}

/// How many were won, drawn and lost for the side to move.
fn late_positions<const W: usize, const B: usize>(game: &Twixt<W, B>, left: [u32; 2], seed: u64) -> [u32; 3] {
    let mut rng = Rng::seed_from_u64(seed);
    let mut solver = Solver::new(game, 1 << 20);
    let mut seen = [0; 3];
    for round in 0..30 {
        let pos = late(game, left[round % 2], &mut rng);
        match compare(game, &pos, &mut solver, &mut HashMap::new()).proof {
            Proof::Win => seen[0] += 1,
            Proof::Draw => seen[1] += 1,
            Proof::Loss => seen[2] += 1,
        }
    }
    seen
}

/// Late positions of larger boards, including some that need more than one word.
#[test]
fn late_positions_agree_with_brute_force() {
    let seen = [
        late_positions(&Twixt::<16, 1>::new(5, false, Swap::Off), [9, 10], 1),
        late_positions(&Twixt::<16, 2>::new(5, false, Swap::Off), [9, 10], 2),
        late_positions(&Twixt::<16, 1>::new(5, true, Swap::Off), [9, 10], 3),
        late_positions(&Twixt::<16, 1>::new(6, false, Swap::Off), [10, 11], 4),
        late_positions(&Twixt::<16, 2>::new(6, false, Swap::Off), [10, 11], 5),
        late_positions(&Twixt::<16, 1>::new(6, true, Swap::Off), [10, 11], 6),
        late_positions(&Twixt::<20, 1>::new(9, false, Swap::Off), [9, 10], 7),
    ];
    let all = |at: usize| seen.iter().map(|counts| counts[at]).sum::<u32>();
    assert!([0, 1, 2].iter().all(|at| all(*at) >= 20), "{seen:?}");
}

fn map<const W: usize, const B: usize>(game: &Twixt<W, B>) -> Openings {
    openings(game, 1, 32 << 20, u64::MAX, &|| false, &|_, _, _| {})
}

/// Known results: the fewest pegs of the first player without the swap, and the 16 inner holes of 6 x 6 that win.
#[test]
fn what_is_known_of_small_boards() {
    for size in [3, 4, 5] {
        assert_eq!(map(&Twixt::<16, 1>::new(size, false, Swap::Off)).value(), Some(Value::DRAW), "{size}");
        assert_eq!(map(&Twixt::<16, 2>::new(size, false, Swap::Off)).value(), Some(Value::DRAW), "{size}");
    }
    for (size, pegs) in [(3, 2), (5, 3), (6, 4)] {
        let value = map(&Twixt::<16, 1>::new(size, true, Swap::Off)).value();
        assert_eq!(value, Some(Value::win_in(2 * pegs - 1)), "{size}");
    }
    assert_eq!(map(&Twixt::<16, 1>::new(4, true, Swap::Off)).value(), Some(Value::DRAW));
    let six = map(&Twixt::<16, 1>::new(6, false, Swap::Off));
    assert_eq!(six.value(), Some(Value::win_in(9)));
    let wins = |(x, y): &(usize, usize)| matches!(six.cell(*x, *y), Cell::Known(value) if value.is_win());
    let inner: Vec<_> = six.holes().filter(|(_, y)| (1..5).contains(y)).collect();
    assert_eq!((six.holes().filter(wins).collect::<Vec<_>>(), inner.len()), (inner, 16));
    let seven = Twixt::<16, 1>::new(7, false, Swap::Off);
    assert_eq!(
        Solver::new(&seven, 32 << 20).solve(&seven, &seven.start(), &Limit::default(), &|| false).value,
        Some(Value::win_in(9))
    );
}

/// The swap by the map, and by search with the swap among the moves.
#[test]
fn the_swap_follows_from_the_map() {
    for swap in [Swap::Mirror, Swap::Turn] {
        for (size, corners) in [(3, true), (5, true), (5, false), (6, true), (6, false)] {
            let game = Twixt::<16, 1>::new(size, corners, swap);
            let by_map = map(&game).with_swap(swap);
            let mut solver = Solver::new(&game, 32 << 20);
            let found = solver.solve(&game, &game.start(), &Limit::default(), &|| false);
            assert_eq!(found.value, by_map.value(), "{size} {corners} {swap:?}");
            for (mv, value) in found.moves {
                let (x, y) = mv.hole().unwrap();
                assert_eq!(by_map.cell(x, y), Cell::Known(value), "{size} {corners} {swap:?} {x} {y}");
            }
        }
    }
}

#[test]
fn a_budget_that_is_spent_proves_nothing() {
    let game = Twixt::<16, 1>::new(8, false, Swap::Off);
    let mut solver = Solver::new(&game, 1 << 20);
    let none = solver.solve(&game, &game.start(), &Limit::nodes(1000), &|| false);
    assert_eq!((none.value, none.moves.len()), (None, 0));
    assert!(none.nodes <= 1001);
    let stopped = solver.solve(&game, &game.start(), &Limit::default(), &|| true);
    assert_eq!(stopped.value, None);
}

#[test]
fn maps_are_read_as_they_are_written() {
    let text = "   .   =   .\n   .  +3   .\n   ?  -4   ?\n";
    let map: Openings = text.parse().unwrap();
    assert_eq!((map.to_string().as_str(), map.value()), (text, None));
    assert!("+3 =".parse::<Openings>().unwrap_err().to_string().contains("1 rows"));
    assert!("!".parse::<Openings>().unwrap_err().to_string().contains("\"!\""));
    assert!("+300".parse::<Openings>().is_err());
}

/// The shipped maps: the quick ones are computed again, under all rules.
#[test]
fn what_is_published_is_true() {
    for (spec, shown) in published() {
        assert_eq!(shown.size(), spec.number("size"), "{spec}");
        if shown.size() <= 7 {
            let again = match spec.choice("rules", &Rules::ALL) {
                Rules::Pencil => map(&Twixt::<16, 2>::new(shown.size(), false, Swap::Off)),
                rules => map(&Twixt::<16, 1>::new(shown.size(), rules == Rules::Paper, Swap::Off)),
            };
            assert_eq!(again, *shown, "{spec}");
        }
    }
    let has = |size: usize, rules: &str| {
        let spec = GameSpec::parse(&format!("twixt(size={size},rules={rules},swap=off)")).unwrap();
        published().iter().any(|(of, _)| *of == spec)
    };
    for size in 3..=7 {
        assert!(["standard", "pp", "paper"].iter().all(|rules| has(size, rules)), "{size}");
    }
}
