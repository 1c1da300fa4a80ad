//! Pathwayz' features against the published program's, a slow twin, and boards computed by hand.

mod naive;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quintet_eval::pathwayz::{FeatureSet, Mode, SetSize, grid};
use quintet_eval::{Evaluate, Features, Spec, evaluation};
use quintet_game::pathwayz::{Pathwayz, Position};
use quintet_game::{Game, Line, Notation, Player, Rng, SeedableRng, Symmetric};

const SETS: [SetSize; 4] = [SetSize::Nine, SetSize::FiftyTwo, SetSize::FiftyThree, SetSize::FourForty];

fn extract(set: &FeatureSet, game: &Pathwayz, pos: &Position, view: Player) -> BTreeMap<String, f64> {
    let mut values = vec![0.0; set.names().len()];
    set.extract(game, pos, view, &mut values);
    let map: BTreeMap<String, f64> = set.names().iter().cloned().zip(values).collect();
    assert_eq!(map.len(), set.names().len(), "a name comes twice");
    map
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-8
}

fn full_board() -> Pathwayz {
    Pathwayz::new(8, 12)
}

/// Positions on the way of random games, with the games' sizes.
fn random_positions(count: usize, seed: u64) -> Vec<(Pathwayz, Position)> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut out = Vec::new();
    for n in 0.. {
        let (rows, columns) = [(8, 12), (8, 12), (8, 12), (4, 7), (5, 6), (2, 3)][n % 6];
        let game = Arc::new(Pathwayz::new(rows, columns));
        let mut line = Line::new(Arc::clone(&game));
        while line.outcome().is_none() {
            let mv = game.random_move(line.position(), &mut rng);
            line.play(mv);
            if (line.plies() + n).is_multiple_of(7) {
                out.push(((*game).clone(), *line.position()));
            }
        }
        if out.len() >= count {
            out.truncate(count);
            return out;
        }
    }
    unreachable!()
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn the_published_program_agrees() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/oracle/pathwayz_features.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let game = full_board();
    let sets = [("f9", SetSize::Nine), ("f53", SetSize::FiftyThree), ("f116", SetSize::FourForty)]
        .map(|(key, set)| (key, FeatureSet::new(set, Mode::default())));
    let mut lines = 0;
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let pos = game.read_position(line["position"].as_str().unwrap()).unwrap();
        let view = if line["player"] == "w" { Player::First } else { Player::Second };
        for (key, set) in &sets {
            let wanted = line[*key].as_object().unwrap();
            let mut values = extract(set, &game, &pos, view);
            if *key == "f116" {
                let stage = line["stage"].as_str().unwrap();
                for copy in ["Early", "Mid", "End"] {
                    for name in wanted.keys().chain(values.clone().keys().filter(|name| !is_copy(name))) {
                        // The unused ones have no copies.
                        let Some(copied) = values.remove(&format!("{name}{copy}")) else { continue };
                        assert_eq!(
                            copied,
                            if copy == stage { values[name] } else { 0.0 },
                            "{} {name}{copy}",
                            line["id"]
                        );
                    }
                }
                assert_eq!(values.len(), 116);
            }
            assert!(wanted.keys().all(|name| values.contains_key(name)));
            for (name, value) in values {
                let wanted = wanted.get(&name).map_or(0.0, |wanted| wanted.as_f64().unwrap());
                assert!(close(value, wanted), "{} {key} {name}: {value}, not {wanted}", line["id"]);
            }
        }
        lines += 1;
    }
    assert_eq!(lines, 40);
}

fn is_copy(name: &str) -> bool {
    ["Early", "Mid", "End"].iter().any(|stage| name.ends_with(stage))
}

#[test]
fn the_slow_twin_agrees() {
    let [small, large] = [SetSize::FiftyThree, SetSize::FourForty].map(|set| FeatureSet::new(set, Mode::Printed));
    for (game, pos) in random_positions(300, 1) {
        let view = game.to_move(&pos);
        let text = game.write_position(&pos);
        let (wanted, _) = naive::features(&game, &pos, view, false);
        let values = extract(&small, &game, &pos, view);
        assert!(wanted.keys().eq(values.keys()));
        for (name, value) in values {
            assert!(close(value, wanted[&name]), "{text} {name}: {value}, not {}", wanted[&name]);
        }
        let (wanted, stage) = naive::features(&game, &pos, view, true);
        assert_eq!(wanted.len(), 108, "{:?}", wanted.keys());
        let values = extract(&large, &game, &pos, view);
        for (name, wanted) in &wanted {
            assert!(close(values[name], *wanted), "{text} {name}: {}, not {wanted}", values[name]);
            for copy in ["Early", "Mid", "End"] {
                let wanted = if copy == stage { *wanted } else { 0.0 };
                assert!(close(values[&format!("{name}{copy}")], wanted), "{text} {name}{copy}");
            }
        }
    }
}

/// Two pairs apart.
const PAIRS: &str =
    "............/............/............/....ww....../............/.....Bb...../............/............ w";
/// A pair between two walls of permanents.
const WALLED: &str =
    "w..........w/............/...B..B...../...BwwB...../...B..B...../............/............/w..........w w";
/// A permanent at c1 or d1 joins the two ends: `Early` holds a path one turn away only on a narrow board.
const NARROW: &str = "....../wWbbww/...... w";

/// With their mirrors and both views these show every feature. The last three are random boards, chosen because they cover all
/// features that the plain ones do not.
const BOARDS: [&str; 10] = [
    PAIRS,
    WALLED,
    NARROW,
    "w..........w/............/......B...../....wwB...../......B...../............/............/w..........w b",
    "............/............/..........B./.wwwwwwwwwB./..........B./............/............/............ w",
    "............/............/.B......B.../.BwwwwwwB.../.B......B.../............/............/............ w",
    "............/............/.B.........B/.BwwwwwwwwwB/.B.........B/............/............/............ b",
    "wbbbbbbwb.b./WBwww...w..b/wbb.w.w..wBB/w..bb...Wbww/.wb.bw.wwwwb/wb.bbw.WbwbB/..Wwwbbwwwbw/ww..w.wb.Bwb b",
    "..B.wwBWwb.b/.bbWbwWW...B/..b.bbbBbBbw/.b..bww.bw.w/WbBbwb..wWbb/...Wb.WBBWWW/.bbbbwW.bw../.BwBW..b.wwB w",
    "WbW..bbb..bb/bb..w..B...w/b.Bwbwbb.ww./B....B.b..B./....b.bb..../..W........./.B.wb.B...B./b.B.B..w...W w",
];

fn read(text: &str) -> (Pathwayz, Position) {
    let rows: Vec<&str> = text.split(' ').next().unwrap().split('/').collect();
    let game = Pathwayz::new(rows.len(), rows[0].len());
    let pos = game.read_position(text).unwrap();
    (game, pos)
}

#[test]
fn every_feature_shows_on_a_board() {
    let dead = ["5Empty", "6Empty", "7Empty", "8Empty"];
    for set in SETS {
        for mode in [Mode::Printed, Mode::AsProgrammed] {
            let features = FeatureSet::new(set, mode);
            let mut hidden: BTreeSet<String> = features.names().iter().cloned().collect();
            for text in BOARDS {
                let (game, pos) = read(text);
                for symmetry in game.symmetries(&pos) {
                    let pos = game.map_position(*symmetry, &pos);
                    for view in Player::BOTH {
                        let values = extract(&features, &game, &pos, view);
                        values.iter().filter(|(_, value)| **value != 0.0).for_each(|(name, _)| {
                            hidden.remove(name);
                        });
                    }
                }
            }
            assert!(
                hidden.iter().all(|name| dead.iter().any(|dead| name.ends_with(dead))),
                "{set:?} {mode:?}: {hidden:?}"
            );
            assert_eq!(hidden.len(), if set == SetSize::FourForty { 8 } else { 0 });
        }
    }
}

/// Checks values that were counted by hand, written as `name=number`, each divided by `divisor`.
fn by_hand(set: SetSize, mode: Mode, text: &str, view: Player, divisor: f64, wanted: &str) {
    let (game, pos) = read(text);
    let values = extract(&FeatureSet::new(set, mode), &game, &pos, view);
    for entry in wanted.split_whitespace() {
        let (name, wanted) = entry.split_once('=').unwrap();
        let wanted = wanted.parse::<f64>().unwrap() / divisor;
        assert!(close(values[name], wanted), "{name}: {}, not {wanted}", values[name]);
    }
}

#[test]
fn counted_by_hand() {
    use Mode::{AsProgrammed, Printed};
    let (white, black) = (Player::First, Player::Second);
    for mode in [Printed, AsProgrammed] {
        let both = "myTotal=2 yourTotal=2 diffTotal=0 myPerm=0 yourPerm=1 diffPerm=-1 \
                    my1Flip=5 your1Flip=6 my2Flip=0 your2Flip=3";
        by_hand(
            SetSize::Nine,
            mode,
            PAIRS,
            white,
            1.0,
            "myLongestPath=2 yourLongestPath=2 yourPerm=1 diffTotal=0 my1Empty=0",
        );
        // White lengthens at d3, d4, d5, g3, g4, g5, black at e5, e6, e7, h5, h6, h7; nothing can be turned.
        let counts = format!("{both} myPathFlex=6 yourPathFlex=6 my7Empty=2 your7Empty=1 my8Empty=0");
        by_hand(SetSize::FiftyThree, mode, PAIRS, white, 96.0, &counts);
        let lengths = "myLongestPath=2 yourLongestPath=2 myLongestFuturePath=3 yourLongestFuturePath=3 diffLongestPath=0 \
                       myCols=2 yourCols=2 myLongestPermPath=0 yourLongestPermPath=1 diffLongestFuturePath=0 ahead=0";
        by_hand(SetSize::FiftyThree, mode, PAIRS, white, 12.0, lengths);
        by_hand(
            SetSize::FiftyThree,
            mode,
            PAIRS,
            white,
            144.0,
            "myLongestPathSquared=4 yourLongestFuturePathSquared=9",
        );
        let counts =
            format!("{both} my4Empty=2 your4Empty=1 diff4Empty=1 your4EdgeEmpty=0 diff2Flip=-3 diff1FlipEarly=-1");
        by_hand(SetSize::FourForty, mode, PAIRS, white, 96.0, &counts);
        let lengths = "myLongestSafePath=2 yourLongestSafePath=2 myLongestEvenPath=0 yourLongestEvenPath=1 myTurnsAway=9 \
                       turnsAhead=0 myLongestExtension=1 diffLongestEvenPath=-1 myLongestPathMid=0";
        by_hand(SetSize::FourForty, mode, PAIRS, white, 12.0, lengths);
        let flex = "myOpenPathFlex=12 yourOpenPathFlex=12 myClosedPathFlex=0 my1PathExtension=18 my2PathExtension=0";
        by_hand(SetSize::FourForty, mode, PAIRS, white, 12.0 * 96.0, flex);
        let squares = "diffLongestEvenPathSquared=-1 diffLongestPermPathSquared=-1 myTurnsAwaySquared=81";
        by_hand(SetSize::FourForty, mode, PAIRS, white, 144.0, squares);
        by_hand(SetSize::FourForty, mode, PAIRS, black, 144.0, "diffLongestEvenPathSquared=1 yourTurnsAwaySquared=81");
        let narrow = "myOneTurnAway=1 onlyTurnAwayEarly=1 ahead=0 futureAhead=1";
        by_hand(SetSize::FourForty, mode, NARROW, white, 1.0, narrow);
        // As regulars c1, c3, d1, d3 gain one column each. As permanents c1 and c3 turn c2 and d2 and join all six columns; d1
        // and d3 turn e2 away as well: four columns.
        by_hand(
            SetSize::FourForty,
            mode,
            NARROW,
            white,
            6.0,
            "myLongestPath=2 myLongestFuturePath=6 myLongestExtension=4",
        );
        let moves = "my1PathExtension=12 my2PathExtension=8 my3PathExtension=12 myClosedPathFlex=16 myOpenPathFlex=0";
        by_hand(SetSize::FourForty, mode, NARROW, white, 6.0 * 18.0, moves);
        by_hand(SetSize::FiftyThree, mode, NARROW, white, 18.0, "myPathFlex=8 myTotal=4 yourTotal=2");
    }
    // Blocked on both sides; the program does not look at the right once the left is blocked.
    let blocked = "blockedMe=1 blockedMyLeft=1 blockedYou=0 blockedMeEarly=1 behind=0 amTurnsBehind=1";
    for (mode, away, right) in [(Printed, 14, 1), (AsProgrammed, 12, 0)] {
        let flags = format!("{blocked} blockedMyRight={right}");
        by_hand(SetSize::FourForty, mode, WALLED, white, 1.0, &flags);
        by_hand(SetSize::FourForty, mode, WALLED, white, 12.0, &format!("myTurnsAway={away}"));
        by_hand(SetSize::FiftyThree, mode, WALLED, white, 1.0, "blockedMe=1 myPathFlex=0");
        by_hand(SetSize::FiftyThree, mode, WALLED, black, 1.0, "blockedYou=1 blockedMe=0");
    }
}

#[test]
fn views_are_each_others_mirror() {
    for set in SETS {
        for mode in [Mode::Printed, Mode::AsProgrammed] {
            let features = FeatureSet::new(set, mode);
            for (game, pos) in random_positions(60, 2) {
                let [first, second] = Player::BOTH.map(|view| extract(&features, &game, &pos, view));
                for (name, value) in first {
                    // The small sets have no `behind`; `onlyTurnAway` has no counterpart.
                    let wanted = match opposite(&name) {
                        _ if name.starts_with("onlyTurnAway") => continue,
                        Some(other) => second.get(&other).copied(),
                        None => Some(-second[&name]),
                    };
                    assert!(wanted.is_none_or(|wanted| close(value, wanted)), "{name}: {value}, not {wanted:?}");
                }
            }
        }
    }
}

/// The name of the same feature for the other side; `None` for differences, which change their sign.
fn opposite(name: &str) -> Option<String> {
    let pairs = [("blockedMe", "blockedYou"), ("blockedMy", "blockedYour"), ("my", "your"), ("ahead", "behind")];
    let pairs = pairs.into_iter().chain([("futureAhead", "futureBehind"), ("amTurnsAhead", "amTurnsBehind")]);
    let both = pairs.flat_map(|(a, b)| [(a, b), (b, a)]);
    // The longest match: blockedYour before blockedYou.
    let best = both.filter(|(a, _)| name.starts_with(a)).max_by_key(|(a, _)| a.len());
    best.map(|(a, b)| name.replacen(a, b, 1))
}

#[test]
fn values_are_the_sum_of_their_terms() {
    let specs = [
        ("longest-path", 2),
        ("longest-path(opponent=-0.4)", 2),
        ("pathwayz-9", 9),
        ("pathwayz-52", 52),
        ("pathwayz-53", 53),
        ("pathwayz-53(mode=printed)", 53),
        ("pathwayz-440(mode=printed)", 440),
    ];
    for (spec, count) in specs {
        let spec = Spec::parse(spec).unwrap();
        for (game, pos) in random_positions(40, 3) {
            let eval = evaluation(&game, &spec).unwrap();
            for view in Player::BOTH {
                let terms = eval.terms(&game, &pos, view);
                assert_eq!(terms.len(), count);
                let sum: f64 = terms.iter().map(|term| term.value * term.weight).sum();
                assert!(close(eval.value(&game, &pos, view), sum), "{spec}");
            }
        }
    }
}

#[test]
fn weights_to_start_from() {
    let weight = |set, name: &str| {
        let features = FeatureSet::new(set, Mode::Printed);
        let at = features.names().iter().position(|known| known == name).unwrap();
        features.starting_weights()[at]
    };
    assert_eq!(weight(SetSize::Nine, "yourLongestPath"), -8.0);
    for set in [SetSize::FiftyTwo, SetSize::FiftyThree, SetSize::FourForty] {
        assert_eq!(["myLongestPath", "yourLongestPath", "your4Flip"].map(|name| weight(set, name)), [10.0, -5.0, -0.1]);
    }
    assert_eq!(weight(SetSize::FourForty, "myLongestPathEnd"), 0.0);
    let start = FeatureSet::new(SetSize::FourForty, Mode::Printed).starting_weights();
    assert_eq!((start.len(), start.iter().filter(|weight| **weight != 0.0).count()), (440, 19));
}

#[test]
fn wrong_calls_say_why() {
    for (text, says) in [
        ("pathwayz-10", "choose one of longest-path, pathwayz-9"),
        ("pathwayz-9(mode=printed)", "takes no \"mode\""),
        ("pathwayz-53(mode=other)", "one of as-programmed, printed"),
        ("longest-path(opponent=x)", "a number"),
        ("pathwayz-440(a=1)", "it takes mode"),
    ] {
        let error = evaluation(&full_board(), &Spec::parse(text).unwrap()).err().expect(text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn grids_and_columns() {
    let (game, pos) = read(PAIRS);
    let mut seen = Vec::new();
    grid::features(&game, &pos, |feature| seen.push(feature));
    assert_eq!(seen.len(), 108);
    assert!(close(seen.iter().map(|feature| feature.value).sum::<f64>(), 2.0));
    let code = |digits: &str, base| digits.bytes().fold(0, |code, digit| base * code + u32::from(digit - b'0'));
    // Around a1, e4 (itself and f4 are white) and f5 (whites above, a black permanent and a black below).
    for (square, wanted) in [(0, "555500500"), (36 + 4, "000011000"), (48 + 5, "110000042")] {
        assert_eq!(seen[square].code, code(wanted, 6), "{wanted}");
    }
    // Column f: white at 4, a black permanent at 6.
    assert_eq!(seen[96 + 5].code, grid::GRIDS + code("00010400", 5));
    assert!(seen.iter().all(|feature| feature.code < grid::CODES));
    // A grid does not say where it is: all those far from the pieces have one code.
    assert!(seen.iter().filter(|feature| feature.code == 0).count() > 20);
}

/// `cargo test --release -p quintet-eval --test all -- --ignored --nocapture speed` prints evaluations per second.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let positions: Vec<_> = random_positions(4000, 4).into_iter().filter(|(game, _)| game.columns() == 12).collect();
    for spec in ["longest-path", "pathwayz-9", "pathwayz-53", "pathwayz-440", "pathwayz-53(mode=printed)"] {
        let eval: Box<dyn Evaluate<Pathwayz>> = evaluation(&full_board(), &Spec::parse(spec).unwrap()).unwrap();
        let start = std::time::Instant::now();
        let (mut sum, mut count) = (0.0, 0);
        while start.elapsed().as_secs_f64() < 1.0 {
            sum += positions.iter().map(|(game, pos)| eval.value(game, pos, Player::First)).sum::<f64>();
            count += positions.len();
        }
        println!("{spec}: {:.0} per second (sum {sum:.1})", count as f64 / start.elapsed().as_secs_f64());
    }
}
