//! The evaluations of Pentago and Pentago-Twist against a slow twin, written from the papers' words on a board of characters.

use std::sync::Arc;

use quintet_eval::pentago::{EVALUATIONS, Features35, weights35};
use quintet_eval::{Evaluate, Features, Spec, Weights, evaluation, evaluation_with, evaluations};
use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game, GameSpec, Line, Notation, Player, Rng, SeedableRng, Symmetric, Symmetry};

mod naive;

fn games() -> [(Pentago, [char; 2]); 3] {
    [(Pentago::standard(), ['r', 'l']), (Pentago::turn_first(), ['r', 'l']), (Pentago::twist(), ['r', 'f'])]
}

fn build(game: &Pentago, spec: &str) -> Box<dyn Evaluate<Pentago>> {
    evaluation(game, &Spec::parse(spec).unwrap()).unwrap_or_else(|e| panic!("{spec}: {e}"))
}

fn value(spec: &str, text: &str, view: Player) -> f64 {
    let game = Pentago::twist();
    build(&game, spec).value(&game, &game.read_position(text).unwrap_or_else(|e| panic!("{text}: {e}")), view)
}

/// Every position of random games, then as many boards on which some lines are full of patterns that the evaluations look for.
fn positions(game: &Pentago, seed: u64, random_games: usize) -> Vec<Position> {
    let mut rng = Rng::seed_from_u64(seed);
    let rules = Arc::new(game.clone());
    let mut found = Vec::new();
    for _ in 0..random_games {
        let mut line = Line::new(Arc::clone(&rules));
        found.push(*line.position());
        while line.outcome().is_none() {
            line.play(line.game().random_move(line.position(), &mut rng));
            found.push(*line.position());
        }
    }
    let wanted = 2 * found.len();
    let mut state = seed;
    while found.len() < wanted {
        found.extend(dense_board(game, &mut state));
    }
    found
}

/// Random cells with a few lines of interest laid over them, if the numbers of marbles happen to fit.
fn dense_board(game: &Pentago, state: &mut u64) -> Option<Position> {
    const WORDS: [&str; 9] = [".xxxx.", "xx.xx.", ".xx.xx", "xx.xxx", "xxxxx.", "xxxxxx", "xx.xxo", "oxxxx.", "xxx.xx"];
    let mut random = |n: usize| {
        *state += 1;
        quintet_game::bits::mix(*state) as usize % n
    };
    let kinds = 3 + random(6);
    let mut cells = [['.'; 6]; 6];
    cells.as_flattened_mut().iter_mut().for_each(|c| *c = *['x', 'o'].get(random(kinds)).unwrap_or(&'.'));
    for _ in 0..1 + random(3) {
        let (word, at, swap, across) = (WORDS[random(9)], random(6), random(2) == 1, random(5));
        for (k, c) in word.chars().enumerate() {
            let c = if swap { ['.', 'o', 'x'][".xo".find(c).unwrap()] } else { c };
            let (x, y) = [(k, at), (at, k), (k, k), (5 - k, k), (k, (k + 1) % 6)][across];
            cells[y][x] = c;
        }
    }
    let board = cells.map(|row| row.iter().collect::<String>()).join("/");
    ["x", "o"].iter().find_map(|side| game.read_position(&format!("{board} {side}")).ok())
}

/// `e3` with every combination of its words, and some numbers.
fn e3_specs() -> Vec<(String, naive::E3)> {
    let mut specs = Vec::new();
    for (a, b, diag) in [(1.0, 1.0, 0.5), (2.0, 1.0, 0.5), (1.0, 2.0, 1.0), (0.3, 0.3, 0.7), (1.0, 1.0, 0.0)] {
        for bits in 0..16 {
            let [programmed, linear, patterns, open] = [0, 1, 2, 3].map(|k| bits >> k & 1 == 1);
            let mode = ["printed", "as-programmed"][usize::from(programmed)];
            let power = ["factorial", "linear"][usize::from(linear)];
            let yes = ["no", "yes"][usize::from(patterns)];
            let runs = ["all", "open"][usize::from(open)];
            let spec = format!("e3(a={a},b={b},mode={mode},power={power},diag={diag},patterns={yes},runs={runs})");
            specs.push((spec, naive::E3 { a, b, programmed, linear, diag, patterns, open }));
        }
    }
    specs
}

#[test]
fn e_evaluations_are_their_slow_twins() {
    let mut seen = [0; 5];
    for (seed, (game, _)) in games().into_iter().enumerate() {
        let [e0, e1, e2] = ["e0", "e1", "e2"].map(|spec| build(&game, spec));
        let e3: Vec<_> = e3_specs().into_iter().map(|(spec, twin)| (build(&game, &spec), twin)).collect();
        for pos in positions(&game, 7 + seed as u64, 30) {
            for view in Player::BOTH {
                let mine = naive::cells(&game, &pos, view);
                let yours = naive::flipped(&mine);
                let text = game.write_position(&pos);
                let (won, lost) = (naive::five(&mine), naive::five(&yours));
                let (longest, other) = (naive::longest(&naive::lines(&mine)), naive::longest(&naive::lines(&yours)));
                let full = !mine.as_flattened().contains(&'-');
                assert_eq!(game.outcome(&pos).is_some(), won || lost || full, "{text}");
                let end = f64::from(i8::from(won) - i8::from(lost));
                assert_eq!(e0.value(&game, &pos, view), end, "{text}");
                assert_eq!(e1.value(&game, &pos, view), longest as f64, "{text}");
                assert_eq!(e2.value(&game, &pos, view), longest as f64 - other as f64, "{text}");
                for (eval, twin) in &e3 {
                    let slow = twin.value(&mine, view == Player::First);
                    let fast = eval.value(&game, &pos, view);
                    assert!((fast - slow).abs() < 1e-9, "{text} {view} {twin:?}: {fast}, slow {slow}");
                }
                let has = |cells| {
                    let lines = [naive::rows(cells), naive::columns(cells)].concat();
                    lines.iter().any(|line| naive::has_pattern(line))
                };
                let cases = [won && lost, has(&mine), has(&yours), has(&mine) && has(&yours), has(&mine) && lost];
                cases.iter().zip(&mut seen).for_each(|(case, seen)| *seen += usize::from(*case));
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 50), "every case comes up: {seen:?}");
}

#[test]
fn each_of_the_35_is_its_slow_twin() {
    let features = Features35::new();
    assert_eq!(features.names().len(), 35);
    let mut seen = [0; 35];
    for (seed, (game, letters)) in games().into_iter().enumerate() {
        let model = build(&game, "pentago-35");
        for pos in positions(&game, 70 + seed as u64, 50) {
            for view in Player::BOTH {
                let mine = naive::cells(&game, &pos, view);
                let sides = [naive::side(&mine, letters), naive::side(&naive::flipped(&mine), letters)];
                let marbles = mine.as_flattened().iter().filter(|c| **c != '-').count();
                let mut values = [0.0; 35];
                features.extract(&game, &pos, view, &mut values);
                let mut sum = 0.0;
                for (i, name) in features.names().iter().enumerate() {
                    let slow = if i == 34 { marbles as f64 / 36.0 } else { sides[i % 2][i / 2] as f64 };
                    assert_eq!(values[i], slow, "{name} of {} for {view}", game.write_position(&pos));
                    seen[i] += usize::from(slow > 0.0);
                    sum += slow * weights35()[i];
                }
                assert!((model.value(&game, &pos, view) - sum).abs() < 1e-9);
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 100), "every feature comes up: {seen:?}");
}

#[test]
fn names_and_weights_of_the_35() {
    let table = "Five 1000 -1000 Run4 8 -12 Run3 3 -4 Run2 0.5 -0.5 Open4 20 -100 Open3 5 -10 Open2 1 -1 Turn5 15 -200 \
                 Longest 1 -1 Corner 0.1 -0.1 Centre 2 -2 Inner 1 -1 Rim 0.2 -0.2 Quad3 2 -2 Quad2 0.3 -0.3 \
                 Quadmax 0.2 -0.2 Mid 1 -1";
    let words: Vec<&str> = table.split(' ').collect();
    let (features, weights) = (Features35::new(), weights35());
    for (i, entry) in words.chunks(3).enumerate() {
        for (k, whose) in ["my", "your"].iter().enumerate() {
            assert_eq!(features.names()[2 * i + k], format!("{whose}{}", entry[0]));
            assert_eq!(weights[2 * i + k].to_string(), entry[1 + k]);
        }
    }
    assert_eq!((features.names()[34].as_str(), weights[34]), ("fill", 0.0));
}

#[test]
fn terms_add_up_and_values_cancel() {
    let specs = ["e0", "e1", "e2", "pentago-35"].map(String::from).into_iter();
    let specs: Vec<String> = specs.chain(e3_specs().into_iter().map(|(spec, _)| spec)).collect();
    for (game, _) in games() {
        let some = positions(&game, 3, 15);
        for spec in &specs {
            let eval = build(&game, spec);
            let wanted = ["e0", "e2"].contains(&spec.as_str()) || spec.contains("a=1,b=1") || spec.contains("a=0.3");
            assert_eq!(eval.antisymmetric(), wanted, "{spec}");
            let mut cancel = true;
            for pos in &some {
                let values = Player::BOTH.map(|view| eval.value(&game, pos, view));
                cancel &= values[0] == -values[1];
                for view in Player::BOTH {
                    let sum: f64 = eval.terms(&game, pos, view).iter().map(|term| term.value * term.weight).sum();
                    assert!((values[view.index()] - sum).abs() < 1e-9, "{spec}: {}", game.write_position(pos));
                }
            }
            assert_eq!(cancel, wanted, "{spec}");
        }
    }
}

/// `e3-10` splits `e3` into parts: with the paper's weights it is the same, with others it weights the parts of the twin of `e3`.
#[test]
fn parts_of_e3_add_up_to_it() {
    let game = Pentago::twist();
    let (e3, parts) = (build(&game, "e3"), build(&game, "e3-10"));
    let mut seen = [0; 5];
    for pos in positions(&game, 5, 30) {
        for view in Player::BOTH {
            let text = game.write_position(&pos);
            assert_eq!(parts.value(&game, &pos, view), e3.value(&game, &pos, view), "{text}");
            let values: Vec<f64> = parts.terms(&game, &pos, view).iter().map(|term| term.value).collect();
            // One step of f applies to each side: a five, a pattern, or runs, of which there is at least 0! + 0!, and so on.
            for side in 0..2 {
                let own: Vec<f64> = values.iter().copied().skip(side).step_by(2).collect();
                let steps = [own[0] != 0.0, own[1] != 0.0, own[2..].iter().all(|run| *run >= 1.0)];
                assert_eq!(steps.iter().filter(|applies| **applies).count(), 1, "{text}: {own:?}");
                (0..5).for_each(|part| seen[part] += usize::from(own[part] != 0.0));
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    let weights = Weights::linear("e3-10", (0..10).map(|k| (NAMES_OF_PARTS[k], (k + 1) as f64)));
    let learned = evaluation_with(&game, &Spec::parse("e3-10").unwrap(), weights).unwrap();
    // x: a row of 3, a column of 1, diagonals of 1 and 0; o: 2, 1, 1 and 0.
    let pos = game.read_position("xxx.../oo..../....../....../....../...... o").unwrap();
    let wanted = 5.0 * 6.0 + 6.0 * 2.0 + 7.0 * 1.0 + 8.0 * 1.0 + 9.0 * 2.0 + 10.0 * 2.0;
    assert_eq!(learned.value(&game, &pos, Player::First), wanted);
}

/// Mine and yours of each part, as a file of weights names them.
const NAMES_OF_PARTS: [&str; 10] = [
    "myFive",
    "yourFive",
    "myPattern",
    "yourPattern",
    "myRow",
    "yourRow",
    "myColumn",
    "yourColumn",
    "myDiagonals",
    "yourDiagonals",
];

#[test]
fn images_are_worth_the_same() {
    for (game, _) in games() {
        let some = positions(&game, 5, 15);
        let [e1, e2, e3] = ["e1", "e2", "e3"].map(|spec| build(&game, spec));
        let programmed = build(&game, "e3(mode=as-programmed,a=2,diag=0.7)");
        let features = Features35::new();
        for pos in &some {
            let cells = naive::cells(&game, pos, Player::First);
            let tie = [cells, naive::flipped(&cells)].iter().all(|cells| {
                naive::rows(cells).iter().chain(&naive::columns(cells)).any(|line| naive::has_pattern(line))
            });
            // The board's eight symmetries; the spins of Pentago-Twist, which the features count, have only two of them.
            for symmetry in Symmetry::SQUARE {
                let image = game.map_position(symmetry, pos);
                for view in Player::BOTH {
                    let all = [&e1, &e2, &e3, &programmed];
                    for eval in &all[..if tie { 2 } else { 4 }] {
                        assert_eq!(eval.value(&game, &image, view), eval.value(&game, pos, view), "{symmetry:?}");
                    }
                    let mut values = [[0.0; 35]; 2];
                    features.extract(&game, pos, view, &mut values[0]);
                    features.extract(&game, &image, view, &mut values[1]);
                    if !game.symmetries(pos).contains(&symmetry) {
                        let turns = features.names().iter().enumerate().filter(|(_, name)| name.ends_with("Turn5"));
                        turns.for_each(|(i, _)| values[1][i] = values[0][i]);
                    }
                    assert_eq!(values[0], values[1], "{symmetry:?} {}", game.write_position(pos));
                }
            }
        }
    }
}

const PROGRAMMED: &str = "e3(mode=as-programmed)";

#[test]
fn patterns_count_for_their_owner() {
    // Each pattern in a row and in a column, of white and of black; with what stands in its way.
    for (line, found) in [
        (".xxxx.", true),
        ("xx.xx.", true),
        ("xx.xxx", true),
        (".xx.xx", true),
        ("xxx.xx", true),
        ("oxxxx.", false),
        (".xxxxo", false),
        ("xxxx..", false),
        ("xx.xxo", false),
        ("oxx.xx", false),
        ("xxoxx.", false),
        ("x.xxx.", false),
        ("xx..xx", false),
    ] {
        for at in 0..6 {
            for (swap, down) in [(false, false), (false, true), (true, false), (true, true)] {
                let text = board_with(line, at, swap, down);
                let owner = Player::BOTH[usize::from(swap)];
                let [printed, programmed] = ["e3", PROGRAMMED].map(|spec| value(spec, &text, owner));
                assert_eq!(printed == 140.0 && programmed == 280.0, found, "{text}: {printed}, {programmed}");
                assert_eq!(value("e3", &text, owner.other()), -printed, "{text}");
                assert_eq!(value("e3(a=2,b=3)", &text, owner) == 350.0, found, "{text}");
                assert_ne!(value("e3(patterns=no)", &text, owner), 140.0, "{text}");
            }
        }
    }
}

/// The line on a row or column of an empty board, and single marbles elsewhere, two apart, until the numbers fit.
fn board_with(line: &str, at: usize, swap: bool, down: bool) -> String {
    let mut cells = [['.'; 6]; 6];
    for (k, c) in line.chars().enumerate() {
        let (x, y) = if down { (at, k) } else { (k, at) };
        cells[y][x] = if swap { ['.', 'o', 'x'][".xo".find(c).unwrap()] } else { c };
    }
    let count = |cells: &[[char; 6]; 6], c| cells.as_flattened().iter().filter(|d| **d == c).count();
    for i in 0..36 {
        let (x, y): (usize, usize) = (i % 6, i / 6);
        let (away, along) = if down { (x.abs_diff(at), y) } else { (y.abs_diff(at), x) };
        let few = ['x', 'o'][usize::from(count(&cells, 'o') < count(&cells, 'x'))];
        let fits = count(&cells, 'x') == count(&cells, 'o');
        if !fits && away > 0 && away % 2 == 0 && along % 2 == 0 {
            cells[y][x] = few;
        }
    }
    cells.map(|row| row.iter().collect::<String>()).join("/") + " x"
}

#[test]
fn fives_of_each_kind_of_line() {
    // Rows and columns; both main diagonals; the short ones, which only the program knows.
    for (text, printed, programmed) in [
        ("xxxxx./o.o.o./....../....../.o...o/...... x", 1000.0, true),
        ("x.o.../x...../x.o.o./x...../x...../o....o x", 1000.0, true),
        ("x.o.../.x...o/..x.../o..x../....x./o...o. x", 1000.0, true),
        ("o.o..x/....x./o..x../..x..o/.x..../....o. x", 1000.0, true),
        (".x.o../o.x.../...x../o...x./.....x/o..o.. x", 0.0, true),
        ("..o..o/x...../.x..o./..x.../o..x../....xo x", 0.0, true),
        ("o...x./...x../..x..o/.x..../x..o../..o..o x", 0.0, true),
        (".o.o../.....x/o...x./...x../..x..o/ox.... x", 0.0, true),
    ] {
        let (e3, e3_programmed) = (value("e3", text, Player::First), value(PROGRAMMED, text, Player::First));
        assert_eq!(e3 > 900.0, printed > 0.0, "{text}: {e3}");
        assert_eq!(e3_programmed > 1900.0, programmed, "{text}: {e3_programmed}");
        assert_eq!((value("e0", text, Player::First), value("e1", text, Player::First)), (1.0, 5.0), "{text}");
        assert_eq!(value("e0", text, Player::Second), -1.0, "{text}");
    }
    // Two fives are a draw.
    assert_eq!(value("e0", "xxxxx./....../ooooo./....../....../...... x", Player::First), 0.0);
    assert_eq!(value("e3", "xxxxx./....../ooooo./....../....../...... x", Player::First), 0.0);
}

#[test]
fn numbers_worked_out_by_hand() {
    let empty = "....../....../....../....../....../...... x";
    assert_eq!(value("e3(b=0)", empty, Player::First), 3.0, "0! + 0! + 0!/2 + 0!/2");
    assert_eq!(value("e3(b=0,mode=as-programmed)", empty, Player::First), 4.0, "twice 1 + 1 + 0 + 0");
    assert_eq!(value("e3(b=0,power=linear)", empty, Player::First), 0.0);
    // h 3, v 2, d1 2, d2 0.
    let text = "xxx.../.x..../o.o.../....../o....o/...... x";
    assert_eq!(value("e3(b=0)", text, Player::First), 6.0 + 2.0 + 1.0 + 0.5);
    assert_eq!(value("e3(b=0,mode=as-programmed)", text, Player::First), 2.0 * (6.0 + 2.0 + 1.0));
    assert_eq!(value("e3(b=0,power=linear)", text, Player::First), 3.0 + 2.0 + 1.0);
    assert_eq!(value("e3(b=0,diag=1)", text, Player::First), 6.0 + 2.0 + 2.0 + 1.0);
    // A five and the other's pattern: the text sees the five first, the program the pattern.
    let text = "xxxxx./....../.oooo./....../....../o..... x";
    assert_eq!(value("e3", text, Player::First), 1000.0 - 70.0);
    assert_eq!(value(PROGRAMMED, text, Player::First), -280.0);
    // A five and a pattern of its own.
    let text = "xxxxx./....../.xxxx./o..o.o/o.o.../o..o.o o";
    assert_eq!(value("e3", text, Player::First), 1000.0 + 70.0);
    assert_eq!(value(PROGRAMMED, text, Player::First), 280.0);
    // Both have a pattern: the first found decides, row 1, column a, row 2, column b, …
    for (text, printed) in [
        (".xxxx./....../.oooo./....../....../...... x", 140.0),
        (".oooo./....../.xxxx./....../....../...... x", -140.0),
        // Row 1 before column a, row 3 before column c, row 1 before column f.
        (".xxxx./o...../o...../o...../o...../...... x", 140.0),
        (".oooo./x...../x...../x...../x...../...... x", -140.0),
        ("..o.../..o.../xx.xx./..o.../..o.../...... x", 140.0),
        ("..x.../..x.../oo.oo./..x.../..x.../...... x", -140.0),
        (".oooo./.....x/.....x/.....x/.....x/...... x", -140.0),
        // Column a before row 3, column c before row 4.
        ("o...../o...../.xxxx./o...../o...../...... x", -140.0),
        ("....../..x.../..x.../oo.oo./..x.../..x... x", 140.0),
    ] {
        let values = ["e3", PROGRAMMED].map(|spec| value(spec, text, Player::First));
        assert_eq!(values, [printed, 2.0 * printed], "{text}");
    }
}

#[test]
fn wrong_calls_say_what_is_known() {
    let game = Pentago::standard();
    for (spec, says) in [
        ("e4", "\"e4\" is not an evaluation of Pentago; choose one of e0, e1, e2, e3, e3-10, pentago-35, pentago-mdp."),
        ("e0(a=1)", "e0 takes no \"a\"; it takes nothing."),
        ("e3(c=1)", "e3 takes no \"c\"; it takes a, b, mode, power, diag, patterns, runs."),
        ("e3(mode=x)", "mode=x: it must be one of printed, as-programmed."),
        ("e3(power=x)", "power=x: it must be one of factorial, linear."),
        ("e3(patterns=0)", "patterns=0: it must be one of yes, no."),
        ("e3(a=x)", "a=x: it must be a number."),
        ("pentago-35(w=1)", "pentago-35 takes no \"w\"; it takes weights."),
    ] {
        let error = evaluation(&game, &Spec::parse(spec).unwrap()).err().map(|e| e.to_string());
        assert_eq!(error.as_deref(), Some(says));
    }
    for spec in ["pentago", "pentago-twist", "pentago(rules=turn-first)"] {
        let spec = GameSpec::parse(spec).unwrap();
        assert_eq!(evaluations(&spec), EVALUATIONS);
    }
}
