//! Perft tables that two independent programs agree on (OpenSpiel and slow reference code).

use quintet_game::{EndReason, GameSpec};

const TABLES: &[(&str, &[u64])] = &[
    ("pentago(rules=turn-first)", &[288, 80_640, 21_934_080, 5_790_597_120]),
    ("pentago", &[288, 80_640, 21_934_080]),
    ("pentago-twist", &[288, 80_640]),
    ("twixt(size=5,swap=turn)", &[15, 225, 3_024, 38_880, 462_384]),
    ("twixt(size=6,swap=turn)", &[24, 576, 12_880, 279_552, 5_793_568]),
    ("twixt(size=8,swap=turn)", &[48, 2_304, 106_596, 4_852_224]),
    ("twixt(size=12,swap=turn)", &[120, 14_400, 1_701_700]),
    ("pylos(rules=children)", &[16, 240, 3_360, 43_680, 524_376, 5_786_496, 58_746_240]),
    ("pylos", &[16, 240, 3_360, 43_680, 524_376, 5_786_496, 61_313_472]),
    ("pylos(rules=expert)", &[16, 240, 3_360, 43_680, 524_376, 5_786_496, 63_596_160]),
    ("pylos(rules=expert-diag)", &[16, 240, 3_360, 43_680, 524_376, 5_786_496, 64_166_688]),
    ("pathwayz", &[192, 192 * 190, 192 * 190 * 188]),
];

#[test]
fn tables() {
    for (text, counts) in TABLES {
        let line = GameSpec::parse(text).unwrap().line();
        for (depth, count) in (1..).zip(*counts) {
            assert_eq!(line.perft(depth, &mut |_, _| {}), *count, "{text} depth {depth}");
        }
    }
}

/// A sequence that ends the game counts at the depth where it ends and at no deeper one; a finished game has none.
#[test]
fn ended_sequences_count_once() {
    let spec = GameSpec::parse("pathwayz(rows=2,cols=2)").unwrap();
    fn brute(line: &mut dyn quintet_game::AnyLine, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut total = 0;
        for mv in line.legal_moves() {
            line.try_play(&mv).unwrap();
            total += brute(line, depth - 1);
            line.undo();
        }
        total
    }
    for depth in 1..=5 {
        let mut line = spec.line();
        assert_eq!(line.perft(depth, &mut |_, _| {}), brute(line.as_mut(), depth), "depth {depth}");
    }
    assert_eq!(spec.line().perft(5, &mut |_, _| {}), 0);
    let mut pylos = GameSpec::parse("pylos(rules=expert,takeback=free)").unwrap().line();
    let mut rng = crate::common::rng(5);
    for _ in 0..30 {
        let mv = pylos.random_move(&mut rng).unwrap();
        pylos.try_play(&mv).unwrap();
    }
    for depth in 1..=3 {
        assert_eq!(pylos.perft(depth, &mut |_, _| {}), brute(pylos.as_mut(), depth), "depth {depth}");
    }
}

/// The third occurrence ends the game, in the line and in perft.
#[test]
fn third_repetition() {
    let mut line = GameSpec::parse("pylos").unwrap().line();
    // Both complete a square and take the same ball back: a turn that changes nothing.
    for mv in ["1a1", "1c1", "1b1", "1d1", "1a2", "1c2", "1b2-1b2", "1d2-1d2", "1b2-1b2", "1d2-1d2"] {
        assert!(line.end().is_none());
        line.try_play(mv).unwrap();
    }
    assert_eq!(line.end().map(|(outcome, reason)| (outcome.name(), reason)), Some(("draw", EndReason::Repetition)));
    assert_eq!((line.occurrences(), line.count_moves(), line.legal_moves().len()), (3, 0, 0));
    assert_eq!(line.perft(1, &mut |_, _| {}), 0);
    assert_eq!(line.perft(2, &mut |_, _| {}), 0);
    let text = line.position();
    line.undo();
    assert!(line.end().is_none());
    let with_history = line.perft(2, &mut |_, _| {});
    let fresh = line.spec().line_at(&line.position()).unwrap();
    let replies = line.spec().line_at(&text).unwrap().count_moves() as u64;
    assert_eq!(fresh.perft(2, &mut |_, _| {}) - with_history, replies, "without history the last move ends nothing");
}
