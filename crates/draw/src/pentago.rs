//! Pentago and Pentago-Twist: four 3x3 tiles with marbles in hollows.

use crate::facts::{Facts, count};
use crate::look::{self, CAPTION, INK, IVORY, WALNUT, WOOD, YELLOW};
use crate::parse::{self, Cell, Side, bad_move, cell_prefix};
use crate::svg::{Point, Rect, Svg, num};
use crate::term::{self, Grid, Ink};
use crate::{Board, DrawError, Picture};

/// The second half of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Right,
    Left,
    Mirror,
}

/// A last move: where its marble stands now, and the quadrant (column, row) that was turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Last {
    marble: Cell,
    turn: Option<(Cell, Turn)>,
}

pub(crate) struct Pentago {
    rows: Vec<Vec<char>>,
    side: Side,
    last: Option<Last>,
    wins: Vec<Vec<Cell>>,
    facts: Facts,
}

impl Pentago {
    pub(crate) fn read(p: &Picture, twist: bool) -> Result<Self, DrawError> {
        let [board, side] = parse::fields(p.position, "BOARD SIDE")?;
        let rows = parse::rows(board, ".xo")?;
        parse::shape(&rows, 6, 6)?;
        let side = parse::side(side, 'x', 'o')?;
        let last = p.last.map(|token| read_move(token, twist)).transpose()?;
        let wins = parse::wins(p.wins, 6, 6)?;
        let on = |c| rows.iter().flatten().filter(|&&d| d == c).count();
        let pieces = format!("{} of x (ivory) and {} of o (ink)", count(on('x'), "marble"), on('o'));
        let title = if twist { "Pentago-Twist" } else { "Pentago" };
        let facts = Facts::new(p, title, pieces, if side == Side::First { "x" } else { "o" });
        Ok(Pentago { rows, side, last, wins, facts })
    }
}

/// Reads `c4q2r` and follows the marble when its own quadrant is turned.
fn read_move(token: &str, twist: bool) -> Result<Last, DrawError> {
    let form = if twist {
        "a move is a cell and a twist: c4q2r turns right, c4q2f mirrors"
    } else {
        "a move is a cell and a turn: c4q2r, c4q2l, or just c4 when the marble wins at once"
    };
    let fail = || bad_move(token, form);
    let lower = token.to_ascii_lowercase();
    let (cell, rest) = cell_prefix(&lower).ok_or_else(fail)?;
    if cell.0 >= 6 || cell.1 >= 6 {
        return Err(fail());
    }
    if rest.is_empty() && !twist {
        return Ok(Last { marble: cell, turn: None });
    }
    let &[b'q', quadrant @ b'1'..=b'4', turn] = rest.as_bytes() else { return Err(fail()) };
    let turn = match (turn, twist) {
        (b'r', _) => Turn::Right,
        (b'l', false) => Turn::Left,
        (b'f', true) => Turn::Mirror,
        _ => return Err(fail()),
    };
    let quadrant = (usize::from(quadrant - b'1') % 2, usize::from(quadrant - b'1') / 2);
    let marble = if (cell.0 / 3, cell.1 / 3) == quadrant { turned(cell, turn) } else { cell };
    Ok(Last { marble, turn: Some((quadrant, turn)) })
}

/// Where a cell goes when its own quadrant is turned.
fn turned((x, y): Cell, turn: Turn) -> Cell {
    let (left, top) = (x / 3 * 3, y / 3 * 3);
    let (x, y) = (x % 3, y % 3);
    let (x, y) = match turn {
        Turn::Right => (2 - y, x),
        Turn::Left => (y, 2 - x),
        Turn::Mirror => (2 - x, y),
    };
    (left + x, top + y)
}

const CELL: f64 = 64.0;
const PAD: f64 = 7.0;
const GAP: f64 = 7.0;
const MARGIN: f64 = 34.0;
const TILE: f64 = 3.0 * CELL + 2.0 * PAD;
const SIZE: f64 = 2.0 * TILE + GAP + 2.0 * MARGIN;
const MARBLE: f64 = 0.36 * CELL;

fn tile(quadrant: usize) -> f64 {
    MARGIN + quadrant as f64 * (TILE + GAP)
}

fn centre((x, y): Cell) -> Point {
    let place = |i: usize| tile(i / 3) + PAD + ((i % 3) as f64 + 0.5) * CELL;
    (place(x), place(y))
}

impl Board for Pentago {
    fn svg(&self) -> String {
        let mut svg = look::stage(SIZE, SIZE + CAPTION - 8.0, &WOOD, &self.facts);
        let edge = MARGIN / 2.0;
        look::coordinates(
            &mut svg,
            (6, 6),
            |x, y| centre((x, y)),
            [edge, edge, SIZE - edge, SIZE - edge],
            (15.0, WOOD.text),
        );
        self.tiles(&mut svg);
        for (y, row) in self.rows.iter().enumerate() {
            for (x, &c) in row.iter().enumerate() {
                if c != '.' {
                    marble(&mut svg, centre((x, y)), MARBLE, c == 'x');
                }
            }
        }
        if let Some(last) = self.last {
            look::ring(&mut svg, centre(last.marble), MARBLE + 2.0, 3.0);
            if let Some((quadrant, turn)) = last.turn {
                arrow(&mut svg, quadrant, turn);
            }
        }
        for line in &self.wins {
            let points: Vec<Point> = line.iter().map(|&cell| centre(cell)).collect();
            svg.group("win");
            look::outlined(&mut svg, &look::polyline(&points), 9.0, YELLOW);
            svg.close();
        }
        let strip = Rect::new(MARGIN, SIZE - 4.0, SIZE - 2.0 * MARGIN, CAPTION - 10.0);
        look::caption(&mut svg, &self.facts, &WOOD, strip, |svg, at| {
            look::ball(svg, at, 9.0, self.side == Side::First);
        });
        svg.finish()
    }

    fn text(&self, colour: bool) -> String {
        let ink = Ink { colour };
        let sgr = |c| match c {
            'x' => term::FIRST,
            'o' => term::SECOND,
            _ => "",
        };
        let win = |cell| self.wins.iter().flatten().any(|&c| c == cell);
        let grid = Grid::new(&self.rows, sgr, self.last.map(|last| last.marble), win).with_gap(3);
        grid.text(ink) + &self.facts.lines(ink)
    }
}

impl Pentago {
    fn tiles(&self, svg: &mut Svg) {
        svg.group("board");
        for (qx, qy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let body = Rect::new(tile(qx), tile(qy), TILE, TILE);
            svg.rect(Rect { y: body.y + 3.0, ..body }, 18.0).fill("#2B1E12").end();
            svg.rect(body, 18.0).fill(WALNUT).stroke("#B28E63", 1.0).end();
        }
        for x in 0..6 {
            for y in 0..6 {
                svg.circle(centre((x, y)), MARBLE + 2.5).fill("url(#qd-hollow)").stroke("#A9855A", 1.0).end();
            }
        }
        svg.close();
    }
}

fn marble(svg: &mut Svg, (x, y): Point, r: f64, light: bool) {
    svg.group("piece");
    look::shadow(svg, (x + 1.0, y + 3.0), r * 1.08, r * 1.08);
    look::ball(svg, (x, y), r, light);
    svg.close();
}

/// The sign of the turn on its quadrant: an arc around the middle cell, or a two-headed arrow for the mirror.
fn arrow(svg: &mut Svg, quadrant: Cell, turn: Turn) {
    let (x, y) = centre((quadrant.0 * 3 + 1, quadrant.1 * 3 + 1));
    let (line, heads) = match turn {
        Turn::Mirror => {
            let (y, half) = (y - CELL / 2.0, 0.95 * CELL);
            let ends = [((x - half, y), std::f64::consts::PI), ((x + half, y), 0.0)];
            let shaft = look::polyline(&[(x - half + 8.0, y), (x + half - 8.0, y)]);
            (shaft, ends.map(|(tip, to)| look::arrow_head(tip, to, 14.0)).concat())
        }
        Turn::Right | Turn::Left => {
            let sign = if turn == Turn::Right { 1.0 } else { -1.0 };
            let r = CELL / 2.0;
            let on = |degrees: f64| {
                let angle = (degrees * sign - 90.0).to_radians();
                (x + r * angle.cos(), y + r * angle.sin(), angle)
            };
            let (from, to, tip) = (on(-130.0), on(112.0), on(136.0));
            let sweep = if sign > 0.0 { 1 } else { 0 };
            let n = num;
            let arc = format!("M{} {}A{} {} 0 1 {sweep} {} {}", n(from.0), n(from.1), n(r), n(r), n(to.0), n(to.1));
            // The head leans inward a little: it follows the chord of the arc, not the tangent at its tip.
            let lean = tip.2 + sign * (90.0 - 12.0_f64).to_radians();
            (arc, look::arrow_head((tip.0, tip.1), lean, 14.0))
        }
    };
    svg.group("turn");
    for (colour, wide) in [(INK, 3.0), (IVORY, 0.0)] {
        svg.path(&line).fill("none").stroke(colour, 4.0 + wide).set("stroke-linecap", "round").end();
        svg.path(&heads).fill(colour).stroke(colour, 1.0 + wide).set("stroke-linejoin", "round").end();
    }
    svg.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_turn_takes_top_left_to_top_right() {
        assert_eq!(turned((0, 0), Turn::Right), (2, 0));
        assert_eq!(turned((3, 4), Turn::Right), (4, 3));
        assert_eq!(turned((0, 0), Turn::Left), (0, 2));
        assert_eq!(turned((3, 5), Turn::Mirror), (5, 5));
    }

    #[test]
    fn turns_have_their_orders() {
        for x in 0..6 {
            for y in 0..6 {
                let cell = (x, y);
                assert_eq!(turned(turned(cell, Turn::Right), Turn::Left), cell);
                assert_eq!(turned(turned(cell, Turn::Mirror), Turn::Mirror), cell);
                let half = turned(turned(cell, Turn::Right), Turn::Right);
                assert_eq!(turned(turned(half, Turn::Right), Turn::Right), cell);
            }
        }
    }

    #[test]
    fn only_a_marble_in_the_turned_quadrant_moves() {
        let last = read_move("c4q3r", false).unwrap();
        assert_eq!(last.marble, (2, 5));
        assert_eq!(last.turn, Some(((0, 1), Turn::Right)));
        assert_eq!(read_move("c4q2r", false).unwrap().marble, (2, 3));
        assert_eq!(read_move("C4", false).unwrap(), Last { marble: (2, 3), turn: None });
    }

    #[test]
    fn moves_of_the_other_game_are_refused() {
        for (token, twist) in [("c4q2f", false), ("c4q2l", true), ("c4", true), ("g1q1r", false), ("a7", false)] {
            assert!(read_move(token, twist).is_err(), "{token}");
        }
    }
}
