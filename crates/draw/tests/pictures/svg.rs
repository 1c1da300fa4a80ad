//! SVG pictures: well-formed, complete, and every mark where it belongs.

use crate::xml::{self, Element};
use quintet_draw::{Picture, svg};

const PENTAGO: &str = "x....o/.ox.../....../..x.../...o../x....o x";
const PATHWAYZ: &str = "w..b.W/.B..../..w..b/....b. b";
const PYLOS: &str = "LDLDDLLD.LD....L/DLD....../..../. l";
const TWIXT: &str = "#....#/..r.b./....../.b.r../....../#....# c2d4 b";

fn draw(picture: &Picture) -> Vec<Element> {
    let text = svg(picture).unwrap_or_else(|e| panic!("{picture:?}: {e}"));
    xml::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn cells(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
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

fn samples() -> Vec<Picture<'static>> {
    vec![
        Picture::new("pentago", PENTAGO).last("f1q3l"),
        Picture::new("pentago-twist", PENTAGO).last("f1q2f"),
        Picture::new("pathwayz", PATHWAYZ).last("f1p"),
        Picture::new("pathwayz", "w./.B w"),
        Picture::new("pylos", PYLOS).last("1c3^2c1-1a3-2b2"),
        Picture::new("pylos", "................/........./..../. l"),
        Picture::new("twixt", TWIXT).last("b4"),
        Picture::new("twixt", "r.b/.../.r. a1b3 b"),
        Picture::new("go<&>", "x.o/#q./..'\" o").last("b2"),
    ]
}

#[test]
fn every_picture_is_a_well_formed_document() {
    for picture in samples() {
        let text = svg(&picture).unwrap();
        assert_eq!(text, svg(&picture).unwrap(), "the same picture twice");
        let elements = draw(&picture);
        let root = &elements[0];
        assert_eq!((root.name.as_str(), root.attrs["role"].as_str()), ("svg", "img"));
        assert_eq!(root.attrs["viewBox"], format!("0 0 {} {}", root.attrs["width"], root.attrs["height"]));
        assert_eq!((elements[1].name.as_str(), elements[2].name.as_str()), ("title", "desc"));
        assert!(elements[2].text.ends_with('.') && !elements[2].text.is_empty());
        assert!(!text.contains("NaN") && !text.contains("inf"), "{picture:?}");
    }
}

#[test]
fn everything_lies_inside_the_picture() {
    for picture in samples() {
        let elements = draw(&picture);
        let (width, height) = (elements[0].num("width"), elements[0].num("height"));
        for e in elements.iter().filter(|e| e.name == "circle" || e.name == "ellipse") {
            let (x, y) = (e.num("cx"), e.num("cy"));
            let r = if e.name == "circle" { e.num("r") } else { e.num("rx").max(e.num("ry")) };
            assert!(x - r >= 0.0 && x + r <= width && y - r >= 0.0 && y + r <= height, "{picture:?} {x} {y} {r}");
        }
        for e in elements.iter().filter(|e| e.name == "rect") {
            let (x, y, w, h) = (e.num("x"), e.num("y"), e.num("width"), e.num("height"));
            assert!(x >= 0.0 && x + w <= width && y >= 0.0 && y + h <= height, "{picture:?} {x} {y} {w} {h}");
        }
    }
}

#[test]
fn references_have_targets() {
    for picture in samples() {
        let elements = draw(&picture);
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
    for picture in samples() {
        let elements = draw(&picture);
        let board = picture.position.split(' ').next().unwrap();
        let pieces = board.chars().filter(|c| !"./#".contains(*c)).count();
        assert_eq!(count(&elements, "piece"), pieces, "{picture:?}");
    }
    let balls = |position, light: bool| {
        let fill = if light { "url(#qd-ivory)" } else { "url(#qd-ink)" };
        let elements = draw(&Picture::new("pentago", position));
        elements.iter().filter(|e| e.name == "circle" && e.within("piece") && e.attrs["fill"] == fill).count()
    };
    assert_eq!((balls(PENTAGO, true), balls(PENTAGO, false)), (4, 4));
    assert_eq!((balls("xxxxxx/o...../....../....../....../...... x", true)), 6);
}

#[test]
fn permanents_differ_by_shape() {
    let gems = |position| draw(&Picture::new("pathwayz", position)).iter().filter(|e| e.name == "path").count();
    assert_eq!(gems("wb/bw w"), 0);
    assert_eq!(gems("wB/bw w"), gems("Wb/bw w"));
    assert_eq!(gems("WB/bw w"), 2 * gems("wB/bw w"));
    assert!(gems("wB/bw w") > 0);
}

#[test]
fn the_last_marble_is_marked_where_the_turn_took_it() {
    for (game, token, column, row) in [
        ("pentago", "c4q2r", "c", "4"),
        ("pentago", "c4", "c", "4"),
        ("pentago", "c4q3r", "c", "6"),
        ("pentago", "c4q3l", "a", "4"),
        ("pentago", "e3q2r", "d", "2"),
        ("pentago", "e5q4l", "e", "5"),
        ("pentago-twist", "c4q3f", "a", "4"),
        ("pentago-twist", "f6q4r", "d", "6"),
    ] {
        let elements = draw(&Picture::new(game, PENTAGO).last(token));
        assert!(near(centre(&elements, "last"), place(&elements, column, row)), "{token}");
        assert_eq!(count(&elements, "turn"), usize::from(token.contains('q')), "{token}");
    }
}

#[test]
fn the_turn_is_drawn_on_its_quadrant_and_the_right_way_round() {
    let arrow = |game, token| {
        let elements = draw(&Picture::new(game, PENTAGO).last(token));
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
    for (picture, column, row) in [
        (Picture::new("pathwayz", PATHWAYZ).last("f1p"), "f", "1"),
        (Picture::new("pathwayz", PATHWAYZ).last("B2"), "b", "2"),
        (Picture::new("twixt", TWIXT).last("b4"), "b", "4"),
        (Picture::new("twixt", "#...#/...../.b.../...../#...# - r").last("swap"), "b", "3"),
        (Picture::new("pylos", PYLOS).last("1b3-1a1"), "b", "3"),
        (Picture::new("unknown", "x.o/... o").last("c2"), "c", "2"),
    ] {
        let elements = draw(&picture);
        assert!(near(centre(&elements, "last"), place(&elements, column, row)), "{picture:?}");
    }
    for picture in samples().into_iter().filter(|p| p.last.is_none()) {
        assert_eq!(count(&draw(&picture), "last"), 0);
    }
}

#[test]
fn the_side_to_move_is_shown_until_somebody_has_won() {
    for picture in samples() {
        assert_eq!(count(&draw(&picture), "to-move"), 1, "{picture:?}");
    }
    let wins = [cells("a1 b1")];
    let elements = draw(&Picture::new("pathwayz", "ww/.b b").wins(&wins).last("b1"));
    assert_eq!((count(&elements, "to-move"), count(&elements, "win")), (0, 1));
    assert!(elements[2].text.contains("winning: a1 b1; last move b1."), "{}", elements[2].text);
    let elements = draw(&Picture::new("pathwayz", "w./.b w").last("b2"));
    assert!(elements[2].text.ends_with("white to move; last move b2."), "{}", elements[2].text);
}

#[test]
fn a_bar_runs_over_the_five_from_end_to_end() {
    let wins = [cells("e5 b2 d4 c3 a1")];
    let elements = draw(&Picture::new("pentago", "x...../.x..../..x.../...x../....x./...... o").wins(&wins));
    let bar = elements.iter().find(|e| e.name == "path" && e.within("win")).unwrap();
    let (from, to) = (place(&elements, "a", "1"), place(&elements, "e", "5"));
    assert!(bar.attrs["d"].starts_with(&format!("M{} {}L", from.0, from.1)), "{}", bar.attrs["d"]);
    assert!(bar.attrs["d"].ends_with(&format!("L{} {}", to.0, to.1)), "{}", bar.attrs["d"]);
}

#[test]
fn a_won_path_or_chain_is_joined_where_its_pieces_are() {
    // The number of strokes that join two different places under the winning pieces.
    let joints = |picture: &Picture| {
        let elements = draw(picture);
        let line = &elements.iter().find(|e| e.name == "path" && e.within("win")).expect("a glow").attrs["d"];
        let ends = |stroke: &str| stroke.split_once('L').is_some_and(|(a, b)| a != b);
        line.split('M').filter(|stroke| ends(stroke)).count()
    };
    let path = [cells("a1 b2 c1 d1")];
    assert_eq!(joints(&Picture::new("pathwayz", "w.ww/.w.. b").wins(&path)), 3);
    let gap = [cells("a1 c1 d1")];
    assert_eq!(joints(&Picture::new("pathwayz", "w.ww/.w.. b").wins(&gap)), 1);
    let position = "..r../...../.r.../...../..r.. b3c1,b3c5 b";
    let (chain, half) = ([cells("c1 b3 c5")], [cells("c1 b3")]);
    assert_eq!(joints(&Picture::new("twixt", position).wins(&chain)), 2);
    assert_eq!(joints(&Picture::new("twixt", position).wins(&half)), 1);
}

#[test]
fn pylos_is_painted_from_the_bottom_up_and_from_the_back_to_the_front() {
    let elements = draw(&Picture::new("pylos", "LDLDDLLDLDLDDLLL/LDLDLD.../LD../. d"));
    let balls: Vec<&Element> = elements.iter().filter(|e| e.name == "circle" && e.within("piece")).collect();
    assert_eq!(balls.len(), 24);
    for pair in balls.windows(2) {
        let (a, b) = ((pair[0].num("r"), pair[0].num("cy")), (pair[1].num("r"), pair[1].num("cy")));
        assert!(a <= b, "{a:?} before {b:?}");
    }
    // Level 2 is half a step to the right of level 1 and 5 % larger (the radius leaves half a unit for the edge).
    let (low, high) = (balls[0], balls[16]);
    let step = balls[1].num("cx") - low.num("cx");
    assert!((high.num("cx") - low.num("cx") - step / 2.0).abs() < 0.02);
    assert!((high.num("cy") - low.num("cy") - (0.43 - 0.36) * step).abs() < 0.02);
    assert!(((high.num("r") + 0.5) / (low.num("r") + 0.5) - 1.05).abs() < 0.002);
}

#[test]
fn pylos_rings_only_where_a_ball_could_rest() {
    let rests = |position| count(&draw(&Picture::new("pylos", position)), "rest");
    assert_eq!(rests("................/........./..../. l"), 0);
    assert_eq!(rests("LD..DL........../........./..../. l"), 1);
    assert_eq!(rests("LD..DL........../L......../..../. d"), 0);
    assert_eq!(rests("LDL.DLD........./........./..../. l"), 2);
}

#[test]
fn pylos_reserves_are_counted_and_shown() {
    let elements = draw(&Picture::new("pylos", "LLL..D........../........./..../. d"));
    let texts: Vec<&str> = elements.iter().filter(|e| e.within("reserve")).map(|e| e.text.trim()).collect();
    assert!(texts.contains(&"12") && texts.contains(&"14"), "{texts:?}");
    let fill = |e: &&Element| e.name == "circle" && e.within("reserve") && e.attrs["fill"] == "url(#qd-ivory)";
    assert_eq!(elements.iter().filter(fill).count(), 12);
}

#[test]
fn twixt_has_holes_corners_and_links_as_its_text() {
    for (position, holes, links) in [(TWIXT, 28, 1), ("r.b/.../.r. a1b3 b", 6, 1), ("#..#/..r./..../#..# - b", 11, 0)] {
        let elements = draw(&Picture::new("twixt", position));
        assert_eq!(elements.iter().filter(|e| e.name == "circle" && e.within("holes")).count(), holes, "{position}");
        assert_eq!(count(&elements, "link"), links, "{position}");
        for goal in ["top-bottom", "left-right"] {
            assert_eq!(elements.iter().filter(|e| e.text == goal).count(), 2);
        }
    }
    // Kind by shape: red pegs are round, black pegs square; black links are double.
    let elements = draw(&Picture::new("twixt", "....../.r.b../....../..r.b./....../...r.. b2c4,d2e4 r"));
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
    let wide = format!("{} - r", vec![".".repeat(24); 24].join("/"));
    for (picture, last, rows) in [
        (Picture::new("pentago", PENTAGO), "f", "6"),
        (Picture::new("pathwayz", PATHWAYZ), "f", "4"),
        (Picture::new("pylos", PYLOS), "d", "4"),
        (Picture::new("twixt", &wide), "x", "24"),
    ] {
        let elements = draw(&picture);
        let labels = |text: &str| elements.iter().filter(|e| e.within("coordinates") && e.text == text).count();
        assert_eq!((labels("a"), labels(last), labels("1"), labels(rows)), (2, 2, 2, 2));
    }
}

#[test]
fn text_from_outside_is_escaped() {
    let picture = Picture::new("<script>&\"\u{1}", "x<>/&o' \"").last("<b>");
    let text = svg(&picture).unwrap();
    draw(&picture);
    assert!(!text.contains("<script>") && !text.contains("<b>"), "{text}");
    assert!(text.contains("&lt;script&gt;&amp;&quot;"), "{text}");
}
