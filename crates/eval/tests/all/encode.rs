//! Actions, planes and symmetries of all games on random positions.

use std::collections::{BTreeSet, HashSet};

use quintet_eval::encode::{Encode, Partial, Step, cells, packed_for, tensor, tensor_for, unpack, views};
use quintet_game::twixt::{KNIGHT, Move, Swap, Twixt};
use quintet_game::{Game, GameSpec, Notation, Outcome, Player, Rng, SeedableRng, can_win_now, with_game};

const SPECS: [&str; 18] = [
    "pathwayz",
    "pathwayz(rows=3,cols=4)",
    "pathwayz(rows=5,cols=5)",
    "pylos",
    "pylos(rules=children)",
    "pylos(rules=expert)",
    "pylos(rules=expert-diag,end=spent,takeback=free)",
    "pylos(takeback=free)",
    "twixt(size=3)",
    "twixt(size=6,swap=turn)",
    "twixt(size=8,swap=off)",
    "twixt(size=12)",
    "twixt(size=24)",
    "twixt(size=7,rules=paper)",
    "twixt(size=8,rules=pp)",
    "pentago",
    "pentago(rules=turn-first)",
    "pentago-twist",
];

/// Calls `visit` with positions of random games, the last of each game included.
fn each_position<G: Encode>(game: &G, games: u64, mut visit: impl FnMut(&G::Pos)) {
    for seed in 0..games {
        let mut rng = Rng::seed_from_u64(seed);
        let mut pos = game.start();
        for _ in 0..200 {
            visit(&pos);
            if game.outcome(&pos).is_some() {
                break;
            }
            let mv = game.random_move(&pos, &mut rng);
            game.play(&mut pos, mv);
        }
    }
}

/// A move with its actions.
type Made<M> = (M, Vec<u16>);

/// Every half-made move that legal actions lead to, and every move.
fn walk<G: Encode>(game: &G, pos: &G::Pos) -> (Vec<Partial>, Vec<Made<G::Move>>) {
    let (mut partials, mut moves) = (vec![Partial::NONE], Vec::new());
    let mut at = 0;
    while let Some(&partial) = partials.get(at) {
        at += 1;
        let mut legal = Vec::new();
        game.legal(pos, partial, &mut legal);
        assert_eq!(legal.iter().collect::<BTreeSet<_>>().len(), legal.len(), "an action twice");
        assert_eq!(legal.is_empty(), game.outcome(pos).is_some());
        for action in legal {
            assert!(usize::from(action) < game.actions());
            match game.step(pos, partial, action) {
                Step::Partial(next) => partials.push(next),
                Step::Move(mv) => moves.push((mv, [partial.actions(), &[action]].concat())),
            }
        }
    }
    (partials, moves)
}

fn actions_are_the_legal_moves<G: Encode>(game: &G) {
    each_position(game, 3, |pos| {
        let (partials, made) = walk(game, pos);
        let mut legal = Vec::new();
        game.moves(pos, &mut legal);
        let text = game.write_position(pos);
        let reached: HashSet<G::Move> = made.iter().map(|(mv, _)| *mv).collect();
        assert_eq!(reached, legal.iter().copied().collect(), "{text}");
        let sequences: HashSet<&Vec<u16>> = made.iter().map(|(_, actions)| actions).collect();
        assert_eq!(sequences.len(), made.len(), "{text}");
        for mv in legal {
            let mut actions = Vec::new();
            game.sequence(pos, mv, &mut actions);
            assert!(made.contains(&(mv, actions.clone())), "{text} {} {actions:?}", game.write_move(mv));
            // Only two balls that are both taken back may go in either order.
            let ways = made.iter().filter(|(other, _)| *other == mv).count();
            assert!(
                ways == 1 || ways == 2 && actions.len() == 3 && actions[2] != 303,
                "{text} {}",
                game.write_move(mv)
            );
        }
        for partial in partials {
            let mut names = Vec::new();
            game.legal(pos, partial, &mut names);
            let all = names.len();
            let names: BTreeSet<String> = names.into_iter().map(|action| game.name(pos, partial, action)).collect();
            assert_eq!(names.len(), all, "{text}");
        }
    });
}

#[test]
fn actions_are_the_legal_moves_of_every_game() {
    for spec in SPECS {
        with_game!(GameSpec::parse(spec).unwrap(), |game| actions_are_the_legal_moves(&game));
    }
}

fn pack<G: Encode>(game: &G, pos: &G::Pos, partial: Partial) -> Vec<u32> {
    // Whatever stood there before is gone.
    let mut words = vec![0xdead_beef; cells(game)];
    game.pack(pos, partial, &mut words);
    words
}

/// The image of a half-made move.
fn image<G: Encode>(game: &G, view: quintet_game::Symmetry, pos: &G::Pos, partial: Partial) -> Partial {
    partial.actions().iter().fold(Partial::NONE, |image, action| {
        let Step::Partial(next) = game.step(pos, image, game.map_action(view, *action)) else {
            panic!("the image of a half-made move is half-made")
        };
        next
    })
}

fn symmetries_hold<G: Encode>(game: &G) {
    let views = views(game);
    assert_eq!(views[0].symmetry, quintet_game::Symmetry::IDENTITY);
    for (_, fixed) in game.fixed() {
        for view in &views {
            assert!(view.cells.iter().zip(&fixed).all(|(source, number)| fixed[usize::from(*source)] == *number));
        }
    }
    each_position(game, 2, |pos| {
        let text = game.write_position(pos);
        for symmetry in game.symmetries(pos) {
            let view = game.view_of(*symmetry, game.to_move(pos));
            let view = views.iter().find(|known| known.symmetry == view).expect("a symmetry of the board is a view");
            let mapped = game.map_position(*symmetry, pos);
            let (partials, made) = walk(game, pos);
            for partial in partials.into_iter().step_by(3) {
                let moved = image(game, view.symmetry, &mapped, partial);
                let words = pack(game, pos, partial);
                let mut expected = vec![0; words.len()];
                view.map_words(&words, &mut expected);
                assert_eq!(pack(game, &mapped, moved), expected, "{text} {symmetry:?}");
                let (mut here, mut there) = (Vec::new(), Vec::new());
                game.legal(pos, partial, &mut here);
                game.legal(&mapped, moved, &mut there);
                let here: BTreeSet<u16> = here.iter().map(|action| game.map_action(view.symmetry, *action)).collect();
                assert_eq!(here, there.into_iter().collect(), "{text} {symmetry:?}");
                // Planes and policies are mapped by their own tables.
                let mut planes = vec![0.0; game.planes().len() * words.len()];
                unpack(game, &words, &mut planes);
                let image = tensor(game, &mapped, moved);
                for (to, from) in view.planes.iter().enumerate() {
                    for (cell, source) in view.cells.iter().enumerate() {
                        let value = planes[usize::from(*from) * words.len() + usize::from(*source)];
                        assert_eq!(
                            image[to * words.len() + cell],
                            value,
                            "{text} {symmetry:?} {}",
                            game.planes()[to].name
                        );
                    }
                }
            }
            for (mv, actions) in made.iter().step_by(7) {
                let partial = actions[..actions.len() - 1].iter().fold(Partial::NONE, |partial, action| {
                    match game.step(&mapped, partial, game.map_action(view.symmetry, *action)) {
                        Step::Partial(next) => next,
                        Step::Move(_) => panic!("{text} {actions:?}"),
                    }
                });
                let last = game.map_action(view.symmetry, *actions.last().unwrap());
                assert_eq!(game.step(&mapped, partial, last), Step::Move(game.map_move(*symmetry, *mv)), "{text}");
            }
        }
    });
    for view in &views {
        let numbers: Vec<u16> = (0..game.actions() as u16).collect();
        let mut policy = numbers.clone();
        view.map_policy(&numbers, &mut policy);
        for action in numbers {
            assert_eq!(policy[usize::from(game.map_action(view.symmetry, action))], action);
        }
    }
}

#[test]
fn symmetries_hold_in_every_game() {
    for spec in SPECS {
        with_game!(GameSpec::parse(spec).unwrap(), |game| symmetries_hold(&game));
    }
}

/// Planes of the mover and of the opponent change places when the other side looks.
fn the_other_side_sees_the_same<G: Encode>(game: &G) {
    let names: Vec<&str> = game.planes().iter().map(|plane| plane.name).collect();
    let exchange = |name: &str, from: &str, to: &[&str]| {
        let others: Vec<String> = to.iter().map(|to| name.replacen(from, to, 1)).collect();
        names.iter().position(|name| others.iter().any(|other| other == name)).expect("each side has the plane")
    };
    let other_name = |name: &str| match name.split_whitespace().next() {
        Some("own") => exchange(name, "own", &["opponent", "opponent's"]),
        Some("opponent") => exchange(name, "opponent", &["own"]),
        Some("opponent's") => exchange(name, "opponent's", &["own"]),
        _ => exchange(name, name, &[name]),
    };
    // TwixT's board is transposed, too: it is compared with positions that have the other side to move, below.
    let transposed = !game.fixed().is_empty();
    each_position(game, 3, |pos| {
        let text = game.write_position(pos);
        let waiting = game.to_move(pos).other();
        let (partials, _) = walk(game, pos);
        for partial in partials.into_iter().step_by(2) {
            let words = pack(game, pos, partial);
            let mut turned = packed_for(game, pos, partial, waiting);
            for (plane, name) in names.iter().enumerate().filter(|_| !transposed) {
                let other = other_name(name);
                let read =
                    |plane: usize, words: &[u32]| words.iter().map(|word| game.planes()[plane].read(*word)).collect();
                let [here, there]: [Vec<f32>; 2] = [read(plane, &words), read(other, &turned)];
                assert_eq!(here, there, "{text} {name}");
            }
            game.turn_round(&mut turned);
            assert_eq!(turned, words, "{text}: twice is nothing");
        }
        // The same board with the other side to move, where there is such a position.
        let (board, side) = text.split_at(text.len() - 1);
        let pairs = if transposed { ["r", "b"] } else { ["l", "d"] };
        let Some(at) = pairs.iter().position(|letter| *letter == side) else { return };
        let Ok(exchanged) = game.read_position(&format!("{board}{}", pairs[1 - at])) else { return };
        // The side that waits cannot swap.
        let swaps = names.iter().position(|name| *name == "swap is to come").is_some_and(|swap| {
            [pos, &exchanged].iter().any(|pos| tensor(game, pos, Partial::NONE)[swap * cells(game)] == 1.0)
        });
        if !swaps {
            let seen = tensor_for(game, pos, Partial::NONE, waiting);
            assert_eq!(seen, tensor(game, &exchanged, Partial::NONE), "{text}");
        }
    });
}

#[test]
fn the_other_side_sees_the_same_in_every_game() {
    for spec in SPECS {
        with_game!(GameSpec::parse(spec).unwrap(), |game| the_other_side_sees_the_same(&game));
    }
}

/// The plane with this name, row by row.
fn plane<G: Encode>(game: &G, pos: &G::Pos, name: &str) -> Vec<f32> {
    let at = game.planes().iter().position(|plane| plane.name == name).unwrap_or_else(|| panic!("no plane {name}"));
    tensor(game, pos, Partial::NONE)[at * cells(game)..][..cells(game)].to_vec()
}

#[test]
fn tensors_have_a_channel_per_named_plane() {
    fn check<G: Encode>(game: &G) {
        let names: BTreeSet<&str> = game
            .planes()
            .iter()
            .map(|plane| plane.name)
            .chain(game.fixed().into_iter().map(|(name, _)| name))
            .collect();
        assert_eq!(names.len(), game.planes().len() + game.fixed().len());
        each_position(game, 1, |pos| {
            let tensor = tensor(game, pos, Partial::NONE);
            assert_eq!(tensor.len(), names.len() * cells(game));
            assert!(tensor.iter().all(|number| (0.0..=1.0).contains(number)));
        });
    }
    for spec in SPECS {
        with_game!(GameSpec::parse(spec).unwrap(), |game| check(&game));
    }
}

/// Links, crossings and chains of TwixT against the position itself, hole by hole.
#[test]
fn twixt_is_seen_by_the_mover() {
    fn check<const B: usize>(game: &Twixt<20, B>) {
        let names = ["nnw", "nne", "wnw", "ene", "wsw", "ese", "ssw", "sse"];
        let size = game.size();
        let get = |pos: &_, name: &str| plane(game, pos, name);
        each_position(game, 2, |pos| {
            let mover = game.to_move(pos);
            // The mover's frame to the board's, for holes and steps alike.
            let board = |(x, y)| if mover == Player::First { (x, y) } else { (y, x) };
            let direction = |d: usize| {
                let (dx, dy) = KNIGHT[d];
                let step = if mover == Player::First { (dx, dy) } else { (dy, dx) };
                KNIGHT.iter().position(|knight| *knight == step).unwrap()
            };
            let pegs = [get(pos, "own pegs"), get(pos, "opponent's pegs")];
            let open = get(pos, "open to the mover");
            let mut legal = Vec::new();
            game.moves(pos, &mut legal);
            for i in 0..size * size {
                let (x, y) = board((i % size, i / size));
                let owner = pos.peg(x, y);
                assert_eq!(pegs[0][i] == 1.0, owner == Some(mover));
                assert_eq!(pegs[1][i] == 1.0, owner == Some(mover.other()));
                assert_eq!(
                    open[i] == 1.0,
                    legal.contains(&Move::peg(x, y)) || game.outcome(pos).is_some() && open[i] == 1.0
                );
            }
            for (d, name) in names.into_iter().enumerate() {
                let own = get(pos, &format!("own link {name}"));
                let other = get(pos, &format!("opponent's link {name}"));
                let crossed = get(pos, &format!("crossed link {name}"));
                for i in 0..size * size {
                    let (x, y) = board((i % size, i / size));
                    let linked = pos.links(x, y) >> direction(d) & 1 == 1;
                    assert_eq!(own[i] == 1.0, linked && pos.peg(x, y) == Some(mover));
                    assert_eq!(other[i] == 1.0, linked && pos.peg(x, y) == Some(mover.other()));
                    let rows = pos.crossed_rows(mover);
                    let pad = quintet_game::twixt::PAD;
                    assert_eq!(crossed[i] == 1.0, rows[y + pad][x + pad] >> direction(d) & 1 == 1);
                }
            }
            // A chain that reaches both lines of its owner has won.
            let [top, bottom, left, right] = [
                "own chains from the top",
                "own chains from the bottom",
                "opponent's chains from the left",
                "opponent's chains from the right",
            ]
            .map(|name| get(pos, name));
            let both = |a: &[f32], b: &[f32]| a.iter().zip(b).any(|(a, b)| *a == 1.0 && *b == 1.0);
            let outcome = game.outcome(pos);
            assert_eq!(both(&top, &bottom), outcome == Some(Outcome::Win(mover)));
            assert_eq!(both(&left, &right), outcome == Some(Outcome::Win(mover.other())));
            let swap = get(pos, "swap is to come");
            let to_come = legal.contains(&Move::SWAP) || game.swap() != Swap::Off && *pos == game.start();
            assert!(swap.iter().all(|number| (*number == 1.0) == to_come));
        });
    }
    check(&Twixt::<20, 1>::new(9, false, Swap::Mirror));
    check(&Twixt::<20, 2>::new(9, false, Swap::Turn));
    check(&Twixt::<20, 1>::new(9, false, Swap::Off));
}

#[test]
fn pentago_shows_the_cells_that_win_at_once() {
    for spec in ["pentago", "pentago(rules=turn-first)", "pentago-twist"] {
        let quintet_game::AnyGame::Pentago(game) = GameSpec::parse(spec).unwrap().rules() else { unreachable!() };
        each_position(&game, 40, |pos| {
            if game.outcome(pos).is_some() {
                return;
            }
            let mover = game.to_move(pos);
            let mut moves = Vec::new();
            game.moves(pos, &mut moves);
            let mut cells = [0.0; 36];
            for mv in moves {
                let mut next = *pos;
                game.play(&mut next, mv);
                if game.outcome(&next) == Some(Outcome::Win(mover)) {
                    cells[6 * mv.cell().1 + mv.cell().0] = 1.0;
                }
            }
            assert_eq!(plane(&game, pos, "own marble would win"), cells, "{}", game.write_position(pos));
            assert_eq!(can_win_now(&game, pos), cells.contains(&1.0));
            let threatened = plane(&game, pos, "opponent's marble would win").contains(&1.0);
            assert_eq!(threatened, game.threatens(pos, mover.other()));
        });
    }
}

#[test]
fn pylos_shows_reserves_and_the_half_made_move() {
    let game = quintet_game::pylos::Pylos::default();
    let pos = game.read_position("LL..L......DDD../........./..../. l").unwrap();
    let reserve = plane(&game, &pos, "own reserve of 15");
    assert!(reserve.iter().all(|number| (number - 12.0 / 15.0).abs() < 1e-6));
    // The ball that completes the square, seen on the 7x7 grid: 1b2 is column 2, row 2.
    let completes = plane(&game, &pos, "own ball would allow a take-back");
    assert_eq!(completes.iter().position(|number| *number == 1.0), Some(2 * 7 + 2));
    let Step::Partial(partial) = game.step(&pos, Partial::NONE, 5) else { panic!() };
    let half = tensor(&game, &pos, partial);
    let channel = |name: &str| &half[game.planes().iter().position(|plane| plane.name == name).unwrap() * 49..][..49];
    assert!(channel("taking back").iter().all(|number| *number == 1.0));
    assert!(channel("taking back a second ball").iter().all(|number| *number == 0.0));
    assert_eq!(channel("own level 1")[2 * 7 + 2], 1.0);
    assert_eq!(game.name(&pos, partial, 5), "-1b2");
}
