//! The look shared by all boards: palette, frame, coordinates, marks, pieces.

use crate::facts::Facts;
use crate::svg::{Point, Rect, Svg, num};

/// A cell of a flat board: column from the left and row from the top, both from 0.
pub(crate) type Cell = (usize, usize);

/// Letters of a column: `a`..`z`, then `aa`, `ab` and so on.
pub(crate) fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        more => column_name(more - 1) + &letter.to_string(),
    }
}

pub(crate) const WALNUT: &str = "#9E7040";
pub(crate) const IVORY: &str = "#FBF7EC";
pub(crate) const INK: &str = "#16191D";
pub(crate) const YELLOW: &str = "#F0E442";
/// What wins: a line, a path, the last ball.
pub(crate) const GREEN: &str = "#7FD162";
pub(crate) const BLUE: &str = "#0072B2";

/// A frame around a board: its fill, its edge, and the text that stands on it.
pub(crate) struct Frame {
    pub(crate) fill: &'static str,
    pub(crate) edge: &'static str,
    pub(crate) text: &'static str,
    /// What the marker of the side to move lies on, so that a dark piece shows on a dark frame.
    pub(crate) chip: &'static str,
}

/// Dark walnut, around the walnut boards.
pub(crate) const WOOD: Frame = Frame { fill: "#5B3D26", edge: "#81603D", text: "#F3E9D2", chip: WALNUT };

/// Space that the caption takes beneath a board.
pub(crate) const CAPTION: f64 = 34.0;

/// A stop of a gradient: offset, colour, opacity.
type Stop = (f64, &'static str, f64);

/// Lit bodies, the same in every picture: several pictures in one page may share their ids.
const DEFS: [(&str, [Stop; 4]); 4] = [
    ("qd-ivory", [(0.0, "#FFFFFF", 1.0), (0.35, IVORY, 1.0), (0.78, "#E4DAC1", 1.0), (1.0, "#B5A787", 1.0)]),
    ("qd-ink", [(0.0, "#8B949D", 1.0), (0.22, "#4A525A", 1.0), (0.62, INK, 1.0), (1.0, "#050607", 1.0)]),
    ("qd-red", [(0.0, "#E0665D", 1.0), (0.4, "#BC2F27", 1.0), (0.6, "#B3261E", 1.0), (1.0, "#8E1C15", 1.0)]),
    ("qd-black", [(0.0, "#6B7178", 1.0), (0.4, "#2A2E33", 1.0), (0.6, "#1B1E22", 1.0), (1.0, "#0B0C0E", 1.0)]),
];

/// Starts a picture: document, gradients, frame.
pub(crate) fn stage(width: f64, height: f64, frame: &Frame, facts: &Facts) -> Svg {
    let mut svg = Svg::new(width, height, &facts.title, &facts.sentence());
    svg.tag("defs").open();
    for (id, stops) in DEFS {
        svg.tag("radialGradient").set("id", id).num("cx", 0.36).num("cy", 0.3).num("r", 0.72).open();
        gradient_stops(&mut svg, &stops);
        svg.close();
    }
    // Darkest in the middle, so that an ellipse of it is a soft shadow.
    svg.tag("radialGradient").set("id", "qd-shadow").open();
    gradient_stops(&mut svg, &[(0.0, "#000000", 0.6), (0.65, "#000000", 0.38), (1.0, "#000000", 0.0)]);
    svg.close();
    // Light from above falls on the lower wall of a hollow.
    svg.tag("linearGradient").set("id", "qd-hollow").num("x1", 0.0).num("y1", 0.0).num("x2", 0.0).num("y2", 1.0).open();
    gradient_stops(&mut svg, &[(0.0, "#694926", 1.0), (0.55, "#855E33", 1.0), (1.0, "#A67C4C", 1.0)]);
    svg.close();
    svg.tag("linearGradient").set("id", "qd-rim").num("x1", 0.15).num("y1", 0.0).num("x2", 0.85).num("y2", 1.0).open();
    gradient_stops(&mut svg, &[(0.0, "#FFFFFF", 0.95), (0.5, "#8A8A8A", 0.55), (1.0, "#000000", 0.75)]);
    svg.close();
    svg.close();
    svg.rect(Rect::new(0.0, 0.0, width, height).grow(-1.0), 16.0).fill(frame.fill).stroke(frame.edge, 2.0).end();
    svg
}

fn gradient_stops(svg: &mut Svg, stops: &[Stop]) {
    for &(offset, colour, opacity) in stops {
        let tag = svg.tag("stop").num("offset", offset).set("stop-color", colour);
        if opacity < 1.0 { tag.num("stop-opacity", opacity).end() } else { tag.end() }
    }
}

/// Coordinates on all four sides: `at` gives the middle of a cell, and the four numbers where the labels stand.
pub(crate) fn coordinates(
    svg: &mut Svg,
    (cols, rows): (usize, usize),
    at: impl Fn(usize, usize) -> Point,
    [left, top, right, bottom]: [f64; 4],
    (size, fill): (f64, &str),
) {
    svg.tag("g").set("class", "coordinates").set("text-anchor", "middle").open();
    for col in 0..cols {
        let x = at(col, 0).0;
        for y in [top, bottom] {
            svg.label((x, y), size, fill).text(&column_name(col));
        }
    }
    for row in 0..rows {
        let y = at(0, row).1;
        for x in [left, right] {
            svg.label((x, y), size, fill).text(&(row + 1).to_string());
        }
    }
    svg.close();
}

/// The strip beneath the board: who is to move, with a small piece of that side, or the result; and the last move where there is room.
pub(crate) fn caption(svg: &mut Svg, facts: &Facts, frame: &Frame, strip: Rect, marker: impl FnOnce(&mut Svg, Point)) {
    let (y, size) = (strip.y + strip.h / 2.0, 15.0);
    // No font is at hand to measure with: a generous guess.
    let wide = |text: &str| 0.58 * size * text.len() as f64;
    let mut room = strip.w;
    svg.group("caption");
    if let Some(side) = facts.to_move() {
        let text = format!("{side} to move");
        svg.group("to-move");
        svg.circle((strip.x + 10.0, y), 12.0).fill(frame.chip).end();
        marker(svg, (strip.x + 10.0, y));
        room -= 40.0 + wide(&text);
        if room > 0.0 {
            svg.label((strip.x + 29.0, y), size, frame.text).text(&text);
        }
        svg.close();
    }
    if let Some(result) = facts.result.as_ref().filter(|result| wide(result) < room) {
        svg.label((strip.x, y), size, frame.text).text(result);
        room -= 40.0 + wide(result);
    }
    if let Some(text) = facts.last.as_ref().map(|last| format!("last {last}")).filter(|text| wide(text) < room) {
        svg.label((strip.x + strip.w, y), size, frame.text).set("text-anchor", "end").text(&text);
    }
    svg.close();
}

/// The narrowest picture: even a tiny board leaves room for its caption.
pub(crate) const NARROW: f64 = 300.0;

/// A ring in two tones, dark and light, so that it shows on ivory, ink and walnut alike.
pub(crate) fn ring(svg: &mut Svg, at: Point, r: f64, width: f64) {
    svg.group("last");
    svg.circle(at, r).fill("none").stroke(INK, width + 3.0).end();
    svg.circle(at, r).fill("none").stroke(YELLOW, width).end();
    svg.close();
}

/// A stroke in three tones: dark, light, and the mark's own colour on top.
pub(crate) fn outlined(svg: &mut Svg, d: &str, width: f64, colour: &str) {
    for (colour, width) in [(INK, width + 6.0), (IVORY, width + 3.0), (colour, width)] {
        svg.path(d)
            .fill("none")
            .stroke(colour, width)
            .set("stroke-linecap", "round")
            .set("stroke-linejoin", "round")
            .end();
    }
}

/// A ball, lit from the upper left, with an edge that sets it off from its like.
pub(crate) fn ball(svg: &mut Svg, at: Point, r: f64, light: bool) {
    let (fill, edge) = if light { ("url(#qd-ivory)", "#7D7158") } else { ("url(#qd-ink)", "#5B646D") };
    svg.circle(at, r - 0.5).fill(fill).stroke(edge, 1.0).end();
}

/// A soft shadow beneath a piece.
pub(crate) fn shadow(svg: &mut Svg, (x, y): Point, rx: f64, ry: f64) {
    svg.ellipse((x, y), rx, ry).fill("url(#qd-shadow)").end();
}

/// `M x y` and then `L x y` through the points.
pub(crate) fn polyline(points: &[Point]) -> String {
    let place = |(i, p): (usize, &Point)| format!("{}{} {}", if i == 0 { "M" } else { "L" }, num(p.0), num(p.1));
    points.iter().enumerate().map(place).collect()
}

/// A filled arrow head with its tip at `tip`, pointing along the angle `to` (radians, clockwise from the right).
pub(crate) fn arrow_head(tip: Point, to: f64, size: f64) -> String {
    let back = |turn: f64| {
        let angle = to + std::f64::consts::PI + turn;
        (tip.0 + size * angle.cos(), tip.1 + size * angle.sin())
    };
    polyline(&[tip, back(0.55), back(-0.55)]) + "Z"
}

#[cfg(test)]
pub(crate) fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |colour: &str| {
        let channel = |i: usize| {
            let v = f64::from(u8::from_str_radix(&colour[i..i + 2], 16).expect("a colour is #RRGGBB")) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrasts_are_as_promised() {
        assert!((contrast("#FFFFFF", "#000000") - 21.0).abs() < 1e-9);
        assert!(contrast(WOOD.text, WOOD.fill) >= 4.5);
        assert!(contrast(WALNUT, IVORY) >= 4.0 && contrast(WALNUT, INK) >= 3.9);
        assert!(contrast(YELLOW, INK) >= 3.0 && contrast(BLUE, IVORY) >= 4.5);
    }

    #[test]
    fn columns_go_on_after_z() {
        assert_eq!([0, 23, 26, 701].map(column_name), ["a", "x", "aa", "zz"]);
    }

    #[test]
    fn paths() {
        assert_eq!(polyline(&[(1.0, 2.0), (3.5, 4.0)]), "M1 2L3.5 4");
        assert!(arrow_head((0.0, 0.0), 0.0, 10.0).ends_with('Z'));
    }
}
