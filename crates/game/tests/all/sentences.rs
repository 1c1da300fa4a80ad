//! The sentences for refused moves and positions: what is wrong, where, and what would be right.

use quintet_game::GameSpec;

/// Game, moves played, the refused move, the error.
const MOVES: &[(&str, &str, &str, &str)] = &[
    ("pentago", "", "", "an empty text is not a move."),
    ("pentago", "", "g1q1r", "g1 is off the board, which has columns a to f and rows 1 to 6."),
    ("pentago", "", "c4", "a quadrant must be turned too, as in c4q2r."),
    ("pentago", "", "c4q5r", "after the cell, expected a quadrant q1 to q4 and r or l, as in c4q2r, not \"q5r\"."),
    (
        "pentago-twist",
        "",
        "c4q2l",
        "after the cell, expected a quadrant q1 to q4 and r or f, as in c4q2r, not \"q2l\".",
    ),
    (
        "pentago",
        "a1q4r f6q4r b1q4r e6q4r c1q4r d6q4r d1q4r f5q4r",
        "e1q1l",
        "e1 makes five and wins at once, without a turn: write e1.",
    ),
    ("pentago", "c4q2r", "C4Q1L", "c4 is taken (x). Empty cells in q3: a4, b4, a5, b5, c5, a6, b6, c6."),
    ("pathwayz", "", "m1", "m1 is off the board, which has columns a to l and rows 1 to 8."),
    ("pathwayz", "", "e5x", "after the square, only p for a permanent may follow, not \"x\"."),
    ("pathwayz", "e5", "e5p", "e5 is taken (w)."),
    ("pathwayz", "e5 e6p", "e6", "e6 is taken (W)."),
    (
        "pylos",
        "",
        "5a1",
        "\"5a1\" is not a cell; a cell is level, column, row: 1a1 to 1d4, 2a1 to 2c3, 3a1 to 3b2, 4a1.",
    ),
    ("pylos", "", "2d1", "2d1 is off the board: level 2 has cells 2a1 to 2c3."),
    ("pylos", "", "2a1", "2a1 needs 1a1 and 1b1 and 1a2 and 1b2, which are empty."),
    ("pylos", "1a1 1b1 1a2", "2a1", "2a1 needs 1b2, which is empty."),
    ("pylos", "1a1", "1a1", "1a1 is taken (light)."),
    ("pylos", "", "1a1-1a1", "1a1 completes no square, so nothing is taken back."),
    ("pylos(rules=children)", "", "1a1-1a1", "rules=children has no take-back."),
    ("pylos(rules=expert)", "", "1a1-1a1", "1a1 completes no square or line, so nothing is taken back."),
    ("pylos", "", "1a1-1b1-1c1-1d1", "at most two balls are taken back."),
    ("pylos", "", "1a1-1b1-1b1", "1b1 is taken back twice."),
    (
        "pylos",
        "1a1 1d1 1b1 1d2 1a2 1d4",
        "1b2",
        "1b2 completes a square: take back one or two own balls, as in 1b2-1b2.",
    ),
    ("pylos", "1a1 1d1 1b1 1d2 1a2 1d4", "1b2-1d1", "1d1 is dark; take back an own ball."),
    ("pylos", "1a1 1d1 1b1 1d2 1a2 1d4", "1b2-1c4", "1c4 is empty; take back an own ball."),
    (
        "pylos",
        "1a1 1b1 1b2 1a2",
        "1b2^2a1",
        "2a1 rests on 1a1 1b1 1a2 1b2; a ball cannot climb onto a square it is part of.",
    ),
    ("pylos", "1a1 1b1 1b2 1a2 2a1 1d4", "1b2^2b1", "1b2 cannot move: it supports 2a1."),
    ("pylos", "1a1 1b1 1b2 1a2", "1b1^2a1", "1b1 is dark; raise an own ball."),
    ("pylos", "1a1 1b1", "1a1^1d4", "a ball is raised to a higher level, and 1d4 is not above 1a1."),
    ("twixt", "", "a1", "a1 is a corner; there is no hole."),
    ("twixt", "", "a5", "a5 lies on black's border line; red may not enter it."),
    ("twixt", "f6", "f1", "f1 lies on red's border line; black may not enter it."),
    ("twixt", "f6", "f6", "f6 is taken (red)."),
    ("twixt", "", "m13", "m13 is off the board, which has columns a to l and rows 1 to 12."),
    ("twixt", "", "f6x", "a move is one hole, as in f6, or swap; \"x\" follows it."),
    ("twixt", "", "swap", "swap is legal only as the answer to the first move."),
    ("twixt", "f5 swap f6", "swap", "swap is legal only as the answer to the first move."),
    ("twixt(swap=off)", "f6", "swap", "this game has no swap (swap=off)."),
    ("twixt(swap=turn)", "f1", "swap", "a first peg on a border line cannot be swapped (swap=turn)."),
];

#[test]
fn refused_moves() {
    for (game, moves, token, says) in MOVES {
        let mut line = GameSpec::parse(game).unwrap().line();
        for mv in moves.split_whitespace() {
            line.try_play(mv).unwrap_or_else(|e| panic!("{game}: {e}"));
        }
        let error = line.try_play(token).unwrap_err();
        assert_eq!(error.why.to_string(), *says, "{game} {moves}");
        assert_eq!(error.to_string(), format!("move {} \"{token}\": {says}", line.plies() + 1));
    }
}

/// Game, position text, the error.
const POSITIONS: &[(&str, &str, &str)] = &[
    ("pentago", "", "found 0 parts, need 2: BOARD SIDE."),
    ("pentago", "x x", "1 rows, need 6 joined by \"/\"."),
    ("pentago", "....../...../....../....../....../...... x", "row 2 has 5 cells, needs 6."),
    ("pentago", "....../..z.../....../....../....../...... x", "row 2, cell 3: \"z\" is not one of . x o."),
    ("pentago", "....../....../....../....../....../...... w", "the side to move is x or o, not \"w\"."),
    (
        "pentago",
        "x...../....../....../....../....../...... x",
        "1 x and 0 o cannot arise; x to move needs equal numbers.",
    ),
    (
        "pentago",
        "o...../....../....../....../....../...... o",
        "0 x and 1 o cannot arise; o to move needs one x more than o.",
    ),
    ("pathwayz(rows=2,cols=2)", "w./.. w", "after 1 pieces b is to move, not w."),
    ("pathwayz(rows=2,cols=2)", "WW/.. w", "2 W cannot arise; b has made 1 moves."),
    ("pathwayz(rows=2,cols=2)", "ww/.. w", "2 w and 0 b cannot arise without a permanent."),
    ("pylos", "LLLLLLLLLLLLLLLL/........./..../. d", "16 light balls; each side has 15."),
    ("pylos", "LD............../D......../..../. l", "2a1 floats: there is nothing on 1a2 and 1b2 below it."),
    ("pylos", "................/........./..../. d", "0 light and 0 dark balls cannot arise with dark to move."),
    ("pylos", "L.............../........./..../. l", "1 light and 0 dark balls cannot arise with light to move."),
    ("pylos", "LDLDLDLDLDLDLDLD/LDLDLDLDL/DLDL/D d", "dark has placed the apex, so dark is not the next to move."),
    ("twixt(size=3)", "#.#/.../#.# r", "found 2 parts, need 3: ROWS LINKS SIDE, where LINKS is as in c2d4,d4f5, or -."),
    ("twixt(size=3)", "..#/.../#.# - r", "a1 is a missing corner: write #."),
    ("twixt(size=3)", "###/.../#.# - r", "b1 is a hole, not a missing corner (#)."),
    ("twixt(size=3)", "#b#/.../#.# - r", "b1 lies on red's border line; black may not enter it."),
    ("twixt(size=4)", "#..#/rr../..../#..# - b", "a2 lies on black's border line; red may not enter it."),
    ("twixt(size=4)", "#..#/.rr./..../#..# - b", "2 red and 0 black pegs cannot arise with black to move."),
    (
        "twixt(size=5,swap=off)",
        "#...#/.r.../.b.../...../#...# - b",
        "1 red and 1 black pegs cannot arise with black to move.",
    ),
    ("twixt(size=5)", "#...#/.r.../...../b.r../#...# - b", "link b2-c4 is missing and nothing crosses it."),
    ("twixt(size=5)", "#...#/.r.../...../b.r../#...# b2c5 b", "link b2-c5: the holes are not a knight's move apart."),
    ("twixt(size=5)", "#...#/.r.../...../b.r../#...# b2c4,c4b2 b", "link c4-b2 is named twice."),
    ("twixt(size=5)", "#...#/.r.../...../b.r../#...# b2d3 b", "link b2-d3: needs two pegs of one colour."),
    (
        "twixt(size=5)",
        "#...#/.r.../...../b.r../#...# x b",
        "link \"x\": links are two holes, as in c2d4, joined by commas, or - for none.",
    ),
    ("twixt(size=5)", "#...#/.r.b./.b.../..r../#...# b2c4,b3d2 r", "links b2-c4 and b3-d2 cross."),
    ("twixt(size=5)", "#...#/.r.b./.b.../..r../#...# - r", "link b2-c4 is missing and nothing crosses it."),
];

#[test]
fn refused_positions() {
    for (game, text, says) in POSITIONS {
        let error = GameSpec::parse(game).unwrap().line_at(text).map(|line| line.position()).unwrap_err();
        assert_eq!(error.to_string(), format!("position: {says}"), "{game} {text}");
    }
}

#[test]
fn a_blocked_link_is_noticed() {
    let mut line = GameSpec::parse("twixt(size=5)").unwrap().line();
    for mv in ["b2", "b3", "c4"] {
        assert_eq!(line.notice(mv), None);
        line.try_play(mv).unwrap();
    }
    let says = "link d2-b3 is blocked by b2-c4; the peg is legal, the link is not made.";
    assert_eq!(line.notice("d2").as_deref(), Some(says));
    assert_eq!(line.notice("b3"), None, "an illegal move gets an error, not a notice");
    line.try_play("d2").unwrap();
    assert_eq!(line.position(), "#...#/.r.b./.b.../..r../#...# b2c4 r");
}
