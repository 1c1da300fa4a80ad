//! Text boards, letter by letter.

use quintet_draw::{Picture, text};

fn plain(picture: &Picture) -> String {
    text(picture, false).unwrap()
}

fn cells(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
}

#[test]
fn pentago() {
    let picture = Picture::new("pentago", "x....o/.ox.../....../..x.../...o../x....o x").last("f1q3l");
    let board = "    a b c   d e f
 1  x . .   . .[o]
 2  . o x   . . .
 3  . . .   . . .

 4  . . x   . . .
 5  . . .   o . .
 6  x . .   . . o
    a b c   d e f
x to move, last move f1q3l
";
    assert_eq!(plain(&picture), board);
}

#[test]
fn pentago_marks_the_marble_where_the_turn_took_it() {
    let position = "....../....../....../....../....../x..... o";
    for (token, row) in [("a6q1r", " 6 [x]. .   . . ."), ("a6q3r", " 4 [.]. .   . . ."), ("a6q3l", " 6  x .[.]  . . .")]
    {
        let board = plain(&Picture::new("pentago", position).last(token));
        assert!(board.contains(row), "{token}:\n{board}");
    }
    let mirrored = plain(&Picture::new("pentago-twist", "...x../....../....../....../....../...... o").last("f1q2f"));
    assert!(mirrored.contains(" 1  . . .  [x]. ."), "{mirrored}");
}

#[test]
fn pentago_win_has_no_side_to_move() {
    let wins = [cells("a1 b2 c3 d4 e5"), cells("f1 f2 f3 f4 f5")];
    let position = "x....o/.x...o/..x..o/...x.o/....xo/...... x";
    let picture = Picture::new("pentago(rules=turn-first)", position).last("E5Q1R").wins(&wins);
    let board = "    a b c   d e f
 1 (x). .   . .(o)
 2  .(x).   . .(o)
 3  . .(x)  . .(o)

 4  . . .  (x).(o)
 5  . . .   .[x]o)
 6  . . .   . . .
    a b c   d e f
win: a1 b2 c3 d4 e5
win: f1 f2 f3 f4 f5
last move e5q1r
";
    assert_eq!(plain(&picture), board);
}

#[test]
fn pathwayz() {
    let picture = Picture::new("pathwayz", "w..b.W/.B..../..w..b/....b. b").last("f1p");
    let board = "    a b c d e f
 1  w . . b .[W]
 2  . B . . . .
 3  . . w . . b
 4  . . . . b .
    a b c d e f
black to move, last move f1p
";
    assert_eq!(plain(&picture), board);
}

#[test]
fn pathwayz_path_in_parentheses() {
    let wins = [cells("a2 b2 c1 d2")];
    let picture = Picture::new("pathwayz", "..w./wW.w b").last("d2").wins(&wins);
    let board = "    a b c d
 1  . .(w).
 2 (w W).[w]
    a b c d
win: a2 b2 c1 d2
last move d2
";
    assert_eq!(plain(&picture), board);
}

#[test]
fn pylos() {
    let picture = Picture::new("pylos", "LD..DL.......L.D/D......../..../. l").last("1c3^2a1-1d1");
    let board = " level 1       level 2     level 3    level 4
    a b c d       a b c       a b        a
 1  L D . .    1 [D]. .    1  . .     1  .
 2  D L . .    2  . . .    2  . .        a
 3  . . . .    3  . . .       a b
 4  . L . D       a b c
    a b c d
reserves: light L 12, dark D 11
light to move, last move 1c3^2a1-1d1
";
    assert_eq!(plain(&picture), board);
}

#[test]
fn twixt() {
    let rows = "#....#/..r.b./......./...r../.b..../#....#".replace(".......", "......");
    let position = format!("{rows} c2d4 r");
    let picture = Picture::new("twixt(size=6)", &position).last("B5");
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
    assert_eq!(plain(&picture), board);
}

#[test]
fn twixt_wraps_its_links_and_keeps_them_all() {
    // Knights' moves east and west down a board of 24: 23 links in one chain.
    let mut rows = vec![vec!['.'; 24]; 24];
    let mut links = Vec::new();
    for (y, row) in rows.iter_mut().enumerate() {
        row[if y % 2 == 0 { 4 } else { 6 }] = 'r';
        if y > 0 {
            links.push(if y % 2 == 1 { format!("e{y}g{}", y + 1) } else { format!("e{}g{y}", y + 1) });
        }
    }
    let board: Vec<String> = rows.iter().map(|r| r.iter().collect()).collect();
    let position = format!("{} {} b", board.join("/"), links.join(","));
    let out = plain(&Picture::new("twixt", &position));
    assert!(out.lines().all(|line| line.len() <= 80), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("                      e")).count(), 2, "{out}");
    assert_eq!(out.matches('-').count() - "top-bottom left-right".matches('-').count(), 23);
    assert!(out.contains("e23-g24") && out.starts_with("    a b c d e f g h i j k l m n o p q r s t u v w x\n"));
}

#[test]
fn swap_is_shown_at_the_peg() {
    let out = plain(&Picture::new("twixt", "#...#/...../..b../...../#...# - r").last("swap"));
    assert!(out.contains(" 3  . .[b]. ."), "{out}");
    assert!(out.ends_with("red to move, last move swap\n"));
}

#[test]
fn an_unknown_game_has_a_board_too() {
    let picture = Picture::new("hexapawn", "ppp/.#./P.P w").last("a2");
    let board = "    a b c
 1  p p p
 2 [.]  .
 3  P . P
    a b c
w to move, last move a2
";
    assert_eq!(plain(&picture), board);
    assert_eq!(plain(&Picture::new("", "x..../o")), "    a b c d e\n 1  x . . . .\n 2  o\n    a b c d e\n");
    // A side and a move of unknown form are told, not judged.
    assert!(plain(&Picture::new("chess", "k/K KQkq - 0 1").last("O-O")).ends_with("1 to move, last move o-o\n"));
}

#[test]
fn colour_adds_nothing_but_colour() {
    let wins = [cells("a1 b2")];
    for picture in [
        Picture::new("pentago", "x....o/.ox.../....../..x.../...o../x....o x").last("f1q3l"),
        Picture::new("pathwayz", "w..b.W/.B..../..w..b/....b. b").wins(&wins),
        Picture::new("pylos", "LD..DL.......L.D/D......../..../. l").last("1b1"),
        Picture::new("twixt", "r.b/.../.r. a1b3 b").last("b3"),
        Picture::new("other", "abc/... x").last("b2"),
    ] {
        let coloured = text(&picture, true).unwrap();
        let mut stripped = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            stripped += before;
            let (codes, after) = after.split_once('m').expect("a sequence ends with m");
            assert!(codes.split(';').all(|n| n.parse::<u8>().is_ok()), "{codes}");
            rest = after;
        }
        stripped += rest;
        assert_eq!(stripped, plain(&picture));
        assert_eq!(picture.last.is_some(), coloured.contains(";7m") || coloured.contains("[7m"), "{coloured:?}");
        assert_eq!(coloured.matches("\x1b[0m").count() * 2, coloured.matches("\x1b[").count());
    }
}
