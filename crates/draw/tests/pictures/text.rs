//! Text boards, letter by letter.

use quintet_draw::text;
use quintet_game::AnyLine;

use crate::other::other;
use crate::{played, played_from};

fn plain(line: &dyn AnyLine) -> String {
    text(line, false)
}

#[test]
fn pentago() {
    let line = played_from("pentago", "x...../.ox.../....../x...../...o../..x..o o", "f1q3l");
    let board = "    a b c   d e f
 1  x . .   . .[o]
 2  . o x   . . .
 3  . . .   . . .

 4  . . x   . . .
 5  . . .   o . .
 6  x . .   . . o
    a b c   d e f
light (x) to move, last move f1q3l
";
    assert_eq!(plain(&*line), board);
}

#[test]
fn pentago_marks_the_marble_where_the_turn_took_it() {
    for (token, row) in [("a6q1r", " 6 [x]. .   . . ."), ("a6q3r", " 4 [x]. .   . . ."), ("a6q3l", " 6  . .[x]  . . .")]
    {
        let board = plain(&*played("pentago", token));
        assert!(board.contains(row), "{token}:\n{board}");
    }
    let mirrored = plain(&*played("pentago-twist", "f1q2f"));
    assert!(mirrored.contains(" 1  . . .  [x]. ."), "{mirrored}");
}

#[test]
fn pentago_win_has_no_side_to_move() {
    let position = "x..ooo/.x..../..x.../...x.o/.....o/x..... x";
    let line = played_from("pentago(rules=turn-first)", position, "E5Q2R");
    let board = "    a b c   d e f
 1 (x). .   . .(o)
 2  .(x).   . .(o)
 3  . .(x)  . .(o)

 4  . . .  (x).(o)
 5  . . .   .[x]o)
 6  x . .   . . .
    a b c   d e f
win: f1 f2 f3 f4 f5
win: a1 b2 c3 d4 e5
draw (both have five), last move e5q2r
";
    assert_eq!(plain(&*line), board);
}

#[test]
fn pathwayz() {
    let line = played_from("pathwayz(rows=4,cols=6)", "w..b../.B..../..w..b/....b. w", "f1p");
    let board = "    a b c d e f
 1  w . . b .[B]
 2  . B . . . .
 3  . . w . . b
 4  . . . . b .
    a b c d e f
black to move, last move f1p
";
    assert_eq!(plain(&*line), board);
}

#[test]
fn pathwayz_path_in_parentheses() {
    let line = played_from("pathwayz(rows=2,cols=4)", "b.w./wW.. w", "d2");
    let board = "    a b c d
 1  b .(w).
 2 (w W).[w]
    a b c d
win: a2 b2 c1 d2
white wins (path), last move d2
";
    assert_eq!(plain(&*line), board);
}

#[test]
fn pylos() {
    let line = played_from("pylos", "LD..DL....D..L.D/........./..../. d", "1c3^2a1");
    let board = " level 1       level 2     level 3    level 4
    a b c d       a b c       a b        a
 1  L D . .    1 [D]. .    1  . .     1  .
 2  D L . .    2  . . .    2  . .        a
 3  . . . .    3  . . .       a b
 4  . L . D       a b c
    a b c d
reserves: light L 12, dark D 11
light to move, last move 1c3^2a1
";
    assert_eq!(plain(&*line), board);
}

#[test]
fn twixt() {
    let line = played_from("twixt(size=6)", "#....#/..r.b./....../...r../....../#....# c2d4 b", "B5");
    let board = "    a b c d e f
 1    . . . .
 2  . . r . b .
 3  . . . . . .
 4  . . . r . .
 5  .[b]. . . .
 6    . . . .
    a b c d e f
links r (top-bottom): c2-d4
links b (left-right): none
red to move, last move b5
";
    assert_eq!(plain(&*line), board);
}

#[test]
fn twixt_wraps_its_links_and_keeps_them_all() {
    // Red makes knight's moves east and west down a board of 24: 23 links in one chain. Black's pegs have no links.
    let red = (1..=24).map(|row| format!("{}{row}", if row % 2 == 1 { 'e' } else { 'g' }));
    let black = (2..=23).map(|row| format!("w{row}")).chain(["s6".into(), String::new()]);
    let moves: Vec<String> = red.zip(black).map(|(red, black)| format!("{red} {black}")).collect();
    let out = plain(&*played("twixt(size=24,swap=off)", &moves.join(" ")));
    assert!(out.lines().all(|line| line.len() <= 80), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("                      e")).count(), 2, "{out}");
    assert_eq!(out.matches('-').count() - "top-bottom left-right".matches('-').count(), 23);
    assert!(out.contains("e23-g24") && out.starts_with("    a b c d e f g h i j k l m n o p q r s t u v w x\n"));
}

#[test]
fn swap_is_shown_at_the_peg() {
    let out = plain(&*played("twixt(size=5)", "c3 swap"));
    assert!(out.contains(" 3  . .[b]. ."), "{out}");
    assert!(out.ends_with("red to move, last move swap\n"));
}

#[test]
fn an_unknown_game_has_a_board_too() {
    let board = "    a b c
 1  p p p
 2 [.]  .
 3  P . P
    a b c
white to move, last move a2
";
    assert_eq!(plain(&*other("Hexapawn", "ppp/.#./P.P w", "a2")), board);
    let bare = plain(&*other("", "x..../o", ""));
    assert_eq!(bare, "    a b c d e\n 1  x . . . .\n 2  o\n    a b c d e\nwhite to move\n");
    // A letter that is not the side's initial is told.
    assert!(plain(&*other("Chess", "k/K KQkq - 0 1", "a8")).ends_with("white (1) to move, last move a8\n"));
    let won = plain(&*other("Won", "xx. -", ""));
    assert_eq!(won, "    a b c\n 1 (x x).\n    a b c\nwin: a1 b1\nblack wins (two)\n");
}

#[test]
fn colour_adds_nothing_but_colour() {
    for line in [
        played_from("pentago", "x...../.ox.../....../x...../...o../..x..o o", "f1q3l"),
        played_from("pathwayz(rows=2,cols=4)", "b.w./wW.. w", "d2"),
        played_from("pathwayz(rows=4,cols=6)", "w..b.W/.B..../..w..b/....b. b", ""),
        played_from("pylos", "LD..DL.......L.D/D......../..../. l", "1c1"),
        played_from("twixt(size=4,rules=paper)", "r..b/..../..../.... - r", "b3"),
        other("Other", "abc/... x", "b2"),
    ] {
        let coloured = text(&*line, true);
        let mut stripped = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            stripped += before;
            let (codes, after) = after.split_once('m').expect("a sequence ends with m");
            assert!(codes.split(';').all(|n| n.parse::<u8>().is_ok()), "{codes}");
            rest = after;
        }
        stripped += rest;
        assert_eq!(stripped, plain(&*line));
        let marked = coloured.contains(";7m") || coloured.contains("[7m");
        assert_eq!(line.last_move().is_some(), marked, "{coloured:?}");
        assert_eq!(coloured.matches("\x1b[0m").count() * 2, coloured.matches("\x1b[").count());
    }
}
