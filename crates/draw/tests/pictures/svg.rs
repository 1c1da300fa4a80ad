//! SVG pictures: well-formed, complete, and every mark where it belongs.

use quintet_draw::svg;
use quintet_game::AnyLine;

use crate::other::other;
use crate::xml::{self, Element};
use crate::{played, played_from};

const PENTAGO: &str = "x...../.ox.../....../x...../...o../..x..o o";
const PATHWAYZ: &str = "w..b../.B..../..w..b/....b. w";
const PYLOS: &str = "LD.LDDD.DLL.DLL./...DD.D../..../. d";
const TWIXT: &str = "#....#/..r.b./....../...r../....../#....# c2d4 b";

fn draw(line: &dyn AnyLine) -> Vec<Element> {
    let text = svg(line);
    xml::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn draw_at(spec: &str, position: &str) -> Vec<Element> {
    draw(&*played_from(spec, position, ""))
}

fn count(elements: &[Element], class: &str) -> usize {
    elements.iter().filter(|e| e.attrs.get("class").is_some_and(|c| c == class)).count()
}

/// Where the coordinates on the frame say that a cell is.
fn place(elements: &[Element], column: &str, row: &str) -> (f64, f64) {
    let find = |text| elements.iter().find(|e| e.within("coordinates") && e.text == text).expect("a coordinate");
    let (column, row) = (find(column), find(row));
    (column.num("x"), row.num("y") - 0.35 * row.num("font-size"))
}

fn centre(elements: &[Element], class: &str) -> (f64, f64) {
    let circle = elements.iter().find(|e| e.name == "circle" && e.within(class)).expect("a mark");
    (circle.num("cx"), circle.num("cy"))
}

fn near(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() < 0.02 && (a.1 - b.1).abs() < 0.02
}

fn samples() -> Vec<Box<dyn AnyLine>> {
    vec![
        played_from("pentago", PENTAGO, "f1q3l"),
        played_from("pentago-twist", PENTAGO, "f1q2f"),
        played_from("pathwayz(rows=4,cols=6)", PATHWAYZ, "f1p"),
        played_from("pathwayz(rows=2,cols=2)", "w./.B w", ""),
        played_from("pylos", PYLOS, "1b1^2b3-2a2-2b2"),
        played("pylos", ""),
        played_from("twixt(size=6)", TWIXT, "b4"),
        played_from("twixt(size=4,rules=paper)", "r..b/..../.r../.... a1b3 b", ""),
        other("go<&>", "x.o/#q./..'\" o", "b2"),
    ]
}

#[test]
fn every_picture_is_a_well_formed_document() {
    for line in samples() {
        let text = svg(&*line);
        assert_eq!(text, svg(&*line), "the same picture twice");
        let elements = draw(&*line);
        let root = &elements[0];
        assert_eq!((root.name.as_str(), root.attrs["role"].as_str()), ("svg", "img"));
        assert_eq!(root.attrs["viewBox"], format!("0 0 {} {}", root.attrs["width"], root.attrs["height"]));
        assert_eq!((elements[1].name.as_str(), elements[2].name.as_str()), ("title", "desc"));
        assert!(elements[2].text.ends_with('.') && !elements[2].text.is_empty());
        assert!(!text.contains("NaN") && !text.contains("inf"), "{line:?}");
    }
}

#[test]
fn everything_lies_inside_the_picture() {
    for line in samples() {
        let elements = draw(&*line);
        let (width, height) = (elements[0].num("width"), elements[0].num("height"));
        for e in elements.iter().filter(|e| e.name == "circle" || e.name == "ellipse") {
            let (x, y) = (e.num("cx"), e.num("cy"));
            let r = if e.name == "circle" { e.num("r") } else { e.num("rx").max(e.num("ry")) };
            assert!(x - r >= 0.0 && x + r <= width && y - r >= 0.0 && y + r <= height, "{line:?} {x} {y} {r}");
        }
        for e in elements.iter().filter(|e| e.name == "rect") {
            let (x, y, w, h) = (e.num("x"), e.num("y"), e.num("width"), e.num("height"));
            assert!(x >= 0.0 && x + w <= width && y >= 0.0 && y + h <= height, "{line:?} {x} {y} {w} {h}");
        }
    }
}

#[test]
fn references_have_targets() {
    for line in samples() {
        let elements = draw(&*line);
        let ids: Vec<&String> = elements.iter().filter_map(|e| e.attrs.get("id")).collect();
        for value in elements.iter().flat_map(|e| e.attrs.values()) {
            if let Some(id) = value.strip_prefix("url(#") {
                assert_eq!(ids.iter().filter(|known| id.strip_suffix(')') == Some(known)).count(), 1, "{value}");
            }
        }
    }
}

#[test]
fn as_many_pieces_as_letters() {
    for line in samples() {
        let elements = draw(&*line);
        let position = line.position();
        let board = position.split(' ').next().unwrap();
        let pieces = board.chars().filter(|c| !"./#".contains(*c)).count();
        assert_eq!(count(&elements, "piece"), pieces, "{line:?}");
    }
    let balls = |position, light: bool| {
        let fill = if light { "url(#qd-ivory)" } else { "url(#qd-ink)" };
        let elements = draw_at("pentago", position);
        elements.iter().filter(|e| e.name == "circle" && e.within("piece") && e.attrs["fill"] == fill).count()
    };
    assert_eq!((balls(PENTAGO, true), balls(PENTAGO, false)), (4, 3));
    assert_eq!(balls("xxxxox/oo.o../....../....../....../...... o", true), 5);
}

#[test]
fn permanents_differ_by_shape() {
    let gems = |board: &str| {
        let elements = draw_at("pathwayz(rows=2,cols=4)", &format!("{board} w"));
        elements.iter().filter(|e| e.name == "path").count()
    };
    assert_eq!(gems("wb../bw.."), 0);
    assert_eq!(gems("wB../bw.."), gems("Wb../bw.."));
    assert_eq!(gems("WB../bw.."), 2 * gems("wB../bw.."));
    assert!(gems("wB../bw..") > 0);
}

#[test]
fn the_last_marble_is_marked_where_the_turn_took_it() {
    for (game, token, column, row) in [
        ("pentago", "c4q2r", "c", "4"),
        ("pentago", "c4q3r", "c", "6"),
        ("pentago", "c4q3l", "a", "4"),
        ("pentago", "e3q2r", "d", "2"),
        ("pentago", "e5q4l", "e", "5"),
        ("pentago-twist", "c4q3f", "a", "4"),
        ("pentago-twist", "f6q4r", "d", "6"),
    ] {
        let elements = draw(&*played(game, token));
        assert!(near(centre(&elements, "last"), place(&elements, column, row)), "{token}");
        assert_eq!(count(&elements, "turn"), 1, "{token}");
    }
    let elements = draw(&*played_from("pentago", "....../....../....../xx.xx./oooo../...... x", "c4"));
    assert!(near(centre(&elements, "last"), place(&elements, "c", "4")));
    assert_eq!(count(&elements, "turn"), 0);
}

#[test]
fn the_turn_is_drawn_on_its_quadrant_and_the_right_way_round() {
    let arrow = |game, token| {
        let elements = draw(&*played(game, token));
        let middle = place(&elements, "e", "2");
        let d = elements.iter().find(|e| e.name == "path" && e.within("turn")).unwrap().attrs["d"].clone();
        let start: Vec<f64> = d[1..].split(['A', 'L']).next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
        assert!((start[0] - middle.0).abs() < 70.0 && (start[1] - middle.1).abs() < 70.0, "{d}");
        d
    };
    // The sweep flag of an arc says which way round it goes.
    assert!(arrow("pentago", "a6q2r").contains(" 0 1 1 "));
    assert!(arrow("pentago", "a6q2l").contains(" 0 1 0 "));
    assert!(!arrow("pentago-twist", "a6q2f").contains('A'));
}

#[test]
fn flat_boards_mark_the_last_move_in_its_cell() {
    for (line, column, row) in [
        (played_from("pathwayz(rows=4,cols=6)", PATHWAYZ, "f1p"), "f", "1"),
        (played("pathwayz", "B2"), "b", "2"),
        (played_from("twixt(size=6)", TWIXT, "b4"), "b", "4"),
        (played("twixt(size=5)", "c2 swap"), "b", "3"),
        (played("pylos", "1b3"), "b", "3"),
        (other("Other", "x.o/... o", "c2"), "c", "2"),
    ] {
        let elements = draw(&*line);
        assert!(near(centre(&elements, "last"), place(&elements, column, row)), "{line:?}");
    }
    for line in samples().into_iter().filter(|line| line.last_move().is_none()) {
        assert_eq!(count(&draw(&*line), "last"), 0);
    }
}

#[test]
fn the_side_to_move_is_shown_until_somebody_has_won() {
    for line in samples() {
        assert_eq!(count(&draw(&*line), "to-move"), 1, "{line:?}");
    }
    let elements = draw(&*played_from("pathwayz(rows=2,cols=2)", "w./.b w", "b1"));
    assert_eq!((count(&elements, "to-move"), count(&elements, "win")), (0, 1));
    let sentence = &elements[2].text;
    assert!(sentence.ends_with("; white wins (path); winning: a1 b1; last move b1."), "{sentence}");
    let elements = draw(&*played("pathwayz(rows=2,cols=2)", "a1 b2"));
    assert!(elements[2].text.ends_with("white to move; last move b2."), "{}", elements[2].text);
}

#[test]
fn sides_have_the_names_of_the_game() {
    let sentence = |line: &dyn AnyLine| draw(line)[2].text.clone();
    let pentago = "Pentago: 1 light marble and 0 dark marbles; dark to move; last move c4q2r.";
    assert_eq!(sentence(&*played("pentago", "c4q2r")), pentago);
    let twixt = "TwixT 6 x 6: 1 red peg, 1 black peg and 0 links; red joins top and bottom, black joins left and right; \
                 red to move; last move e5.";
    assert_eq!(sentence(&*played("twixt(size=6)", "b2 e5")), twixt);
    let pylos = "Pylos: 1 light and 0 dark balls, 14 and 15 in reserve; dark to move; last move 1a1.";
    assert_eq!(sentence(&*played("pylos", "1a1")), pylos);
}

#[test]
fn a_bar_runs_over_the_five_from_end_to_end() {
    let elements = draw_at("pentago", "x....o/.x...o/..x.../...x../....x./o....o o");
    let bar = elements.iter().find(|e| e.name == "path" && e.within("win")).unwrap();
    let (from, to) = (place(&elements, "a", "1"), place(&elements, "e", "5"));
    assert!(bar.attrs["d"].starts_with(&format!("M{} {}L", from.0, from.1)), "{}", bar.attrs["d"]);
    assert!(bar.attrs["d"].ends_with(&format!("L{} {}", to.0, to.1)), "{}", bar.attrs["d"]);
}

#[test]
fn a_won_path_or_chain_is_joined_where_its_pieces_are() {
    // The number of strokes that join two different places under the winning pieces.
    let joints = |spec, position| {
        let elements = draw_at(spec, position);
        let line = &elements.iter().find(|e| e.name == "path" && e.within("win")).expect("a glow").attrs["d"];
        let ends = |stroke: &str| stroke.split_once('L').is_some_and(|(a, b)| a != b);
        line.split('M').filter(|stroke| ends(stroke)).count()
    };
    assert_eq!(joints("pathwayz(rows=3,cols=4)", "w.ww/.w../bbb. b"), 3);
    assert_eq!(joints("twixt(size=5)", "#.r.#/...b./.r.../...b./#.r.# b3c1,b3c5 b"), 2);
}

#[test]
fn pylos_is_painted_from_the_bottom_up_and_from_the_back_to_the_front() {
    let elements = draw_at("pylos", "LDLDDLLDLDLDDLLL/LDLDLD.../LD../. d");
    let balls: Vec<&Element> = elements.iter().filter(|e| e.name == "circle" && e.within("piece")).collect();
    assert_eq!(balls.len(), 24);
    for pair in balls.windows(2) {
        let (a, b) = ((pair[0].num("r"), pair[0].num("cy")), (pair[1].num("r"), pair[1].num("cy")));
        assert!(a <= b, "{a:?} before {b:?}");
    }
    // Level 2 lies half a step to the right of level 1 and below it, and is 6 % larger (the radius leaves half a unit for the edge).
    let (low, high) = (balls[0], balls[16]);
    let step = balls[1].num("cx") - low.num("cx");
    assert!((high.num("cx") - low.num("cx") - step / 2.0).abs() < 0.02);
    assert!((high.num("cy") - low.num("cy") - step / 2.0).abs() < 0.02);
    assert!(((high.num("r") + 0.5) / (low.num("r") + 0.5) - 1.06).abs() < 0.002);
}

#[test]
fn pylos_rings_only_where_a_ball_could_rest() {
    let rests = |position| count(&draw_at("pylos", position), "rest");
    assert_eq!(rests("................/........./..../. l"), 0);
    assert_eq!(rests("LD..DL........../........./..../. l"), 1);
    assert_eq!(rests("LD..DL........../L......../..../. d"), 0);
    assert_eq!(rests("LDL.DLD........./........./..../. l"), 2);
}

#[test]
fn pylos_reserves_are_counted_and_shown() {
    let elements = draw_at("pylos", "LLL..D........../........./..../. d");
    let texts: Vec<&str> = elements.iter().filter(|e| e.within("reserve")).map(|e| e.text.trim()).collect();
    assert!(texts.contains(&"12") && texts.contains(&"14"), "{texts:?}");
    let fill = |e: &&Element| e.name == "circle" && e.within("reserve") && e.attrs["fill"] == "url(#qd-ivory)";
    assert_eq!(elements.iter().filter(fill).count(), 12);
}

#[test]
fn twixt_has_holes_corners_and_links_as_its_text() {
    for (spec, position, holes, links) in [
        ("twixt(size=6)", TWIXT, 29, 1),
        ("twixt(size=4,rules=paper)", "r..b/..../.r../.... a1b3 b", 13, 1),
        ("twixt(size=4)", "#..#/..r./..../#..# - b", 11, 0),
    ] {
        let elements = draw_at(spec, position);
        assert_eq!(elements.iter().filter(|e| e.name == "circle" && e.within("holes")).count(), holes, "{position}");
        assert_eq!(count(&elements, "link"), links, "{position}");
        for goal in ["top-bottom", "left-right"] {
            assert_eq!(elements.iter().filter(|e| e.text == goal).count(), 2);
        }
    }
    // Kind by shape: red pegs are round, black pegs square; black links are double.
    let elements = draw_at("twixt(size=6)", "#....#/.r.b../....../..r.b./....../#..r.# b2c4,c4d6,d2e4 b");
    let pegs = |name: &str| elements.iter().filter(|e| e.name == name && e.within("piece")).count();
    assert_eq!((pegs("circle"), pegs("rect")), (3, 2));
    let strokes = |from: (f64, f64)| {
        elements
            .iter()
            .filter(|e| e.name == "line" && e.within("link") && near((e.num("x1"), e.num("y1")), from))
            .count()
    };
    assert_eq!(strokes(place(&elements, "d", "2")), strokes(place(&elements, "b", "2")) + 1);
}

#[test]
fn coordinates_stand_on_all_four_sides() {
    for (spec, last, rows) in [
        ("pentago", "f", "6"),
        ("pathwayz(rows=4,cols=6)", "f", "4"),
        ("pylos", "d", "4"),
        ("twixt(size=24)", "x", "24"),
    ] {
        let elements = draw(&*played(spec, ""));
        let labels = |text: &str| elements.iter().filter(|e| e.within("coordinates") && e.text == text).count();
        assert_eq!((labels("a"), labels(last), labels("1"), labels(rows)), (2, 2, 2, 2));
    }
}

#[test]
fn text_from_outside_is_escaped() {
    let line = other("<script>&\"\u{1}", "x<>/&o' \"", "");
    let text = svg(&*line);
    draw(&*line);
    assert!(!text.contains("<script>"), "{text}");
    assert!(text.contains("&lt;script&gt;&amp;&quot;"), "{text}");
}
