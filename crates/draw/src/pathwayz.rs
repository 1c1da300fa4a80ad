//! Pathwayz: flat discs and permanents on a checkered board between two gold rails.

use quintet_game::{Line, Player, pathwayz};

use crate::facts::{Facts, count};
use crate::look::{self, BLUE, CAPTION, Cell, GREEN, INK, IVORY, WALNUT, WOOD, YELLOW};
use crate::svg::{Point, Rect, Svg};
use crate::term::{self, Grid, Ink};
use crate::{Board, Drawn};

struct Pathwayz {
    rows: Vec<Vec<char>>,
    last: Option<Cell>,
    wins: Vec<Vec<Cell>>,
    facts: Facts,
}

impl Drawn for pathwayz::Pathwayz {
    fn board(line: &Line<Self>, facts: Facts) -> Box<dyn Board> {
        let (height, width) = (line.game().rows(), line.game().columns());
        let letter = |x, y| match line.position().at(x, y) {
            None => '.',
            Some((player, permanent)) => ['w', 'b', 'W', 'B'][player.index() + 2 * usize::from(permanent)],
        };
        let rows: Vec<Vec<char>> = (0..height).map(|y| (0..width).map(|x| letter(x, y)).collect()).collect();
        let on = |c| rows.iter().flatten().filter(|&&d| d == c).count();
        let [white, black] = facts.sides;
        let pieces = format!(
            "{}, {}, {} and {}",
            count(on('w'), &format!("{white} disc")),
            count(on('W'), &format!("{white} permanent")),
            count(on('b'), &format!("{black} disc")),
            count(on('B'), &format!("{black} permanent"))
        );
        let last = line.moves().next_back().map(|mv| mv.cell());
        let facts = facts.with(&format!(", {height} rows x {width} columns"), pieces);
        Box::new(Pathwayz { rows, last, wins: facts.winning_cells(), facts })
    }
}

impl Pathwayz {
    fn cells(&self) -> impl Iterator<Item = (Cell, char)> + '_ {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(y, row)| row.iter().enumerate().map(move |(x, &c)| ((x, y), c)))
    }

    fn board(&self, svg: &mut Svg, body: Rect) {
        svg.group("board");
        // The rails are the goals: the two short sides, a little longer than the field is high.
        for x in [body.x - RAIL, body.x + body.w] {
            let rail = Rect::new(x, body.y - 3.0, RAIL, body.h + 6.0);
            svg.rect(rail, 5.0).fill("#E3B341").stroke("#352312", 1.5).end();
            let glint = Rect::new(x + 2.5, body.y + 3.0, 2.5, body.h - 6.0);
            svg.rect(glint, 1.2).fill("#FFF3C4").set("fill-opacity", "0.8").end();
        }
        svg.rect(body, 10.0).fill(WALNUT).end();
        for ((x, y), _) in self.cells() {
            if (x + y) % 2 == 1 {
                let square = Rect::new(body.x + x as f64 * CELL, body.y + y as f64 * CELL, CELL, CELL);
                svg.rect(square, 6.0).fill(DARK).end();
            }
        }
        svg.rect(body, 10.0).fill("none").stroke("#352312", 1.5).end();
        svg.close();
    }
}

const CELL: f64 = 50.0;
const RAIL: f64 = 9.0;
const MARGIN: f64 = 38.0;
const DISC: f64 = 0.38 * CELL;
/// The darker squares: a checker just strong enough to count by.
const DARK: &str = "#91683A";

/// The middle of a cell of a board that fills `body`.
fn centre(body: Rect, (x, y): Cell) -> Point {
    (body.x + (x as f64 + 0.5) * CELL, body.y + (y as f64 + 0.5) * CELL)
}

impl Board for Pathwayz {
    fn svg(&self) -> String {
        let (cols, rows) = (self.rows[0].len(), self.rows.len());
        let (w, h) = (cols as f64 * CELL, rows as f64 * CELL);
        let (width, height) = ((w + 2.0 * MARGIN).max(look::NARROW), h + 2.0 * MARGIN);
        let body = Rect::new((width - w) / 2.0, MARGIN, w, h);
        let mut svg = look::stage(width, height + CAPTION - 12.0, &WOOD, &self.facts);
        let sides = [body.x - 23.0, 18.0, body.x + w + 23.0, height - 18.0];
        look::coordinates(&mut svg, (cols, rows), |x, y| centre(body, (x, y)), sides, (15.0, WOOD.text));
        self.board(&mut svg, body);
        for path in &self.wins {
            glow(&mut svg, body, path);
        }
        for (cell, c) in self.cells() {
            if c != '.' {
                svg.group("piece");
                piece(&mut svg, centre(body, cell), DISC, c);
                svg.close();
            }
        }
        if let Some(cell) = self.last {
            look::ring(&mut svg, centre(body, cell), DISC + 2.0, 3.0);
        }
        let strip = Rect::new(MARGIN - RAIL, height - 8.0, width - 2.0 * (MARGIN - RAIL), CAPTION - 10.0);
        look::caption(&mut svg, &self.facts, &WOOD, strip, |svg, at| {
            piece(svg, at, 9.0, if self.facts.mover == Player::First { 'w' } else { 'b' });
        });
        svg.finish()
    }

    fn text(&self, colour: bool) -> String {
        let ink = Ink { colour };
        let sgr = |c| match c {
            'w' | 'W' => term::FIRST,
            'b' | 'B' => term::SECOND,
            _ => "",
        };
        let win = |cell| self.wins.iter().flatten().any(|&c| c == cell);
        let grid = Grid::new(&self.rows, sgr, self.last, win);
        grid.text(ink) + &self.facts.lines(ink)
    }
}

/// Whether two cells touch, also by a corner.
fn touch(a: Cell, b: Cell) -> bool {
    a != b && a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1
}

/// The winning path: light under its pieces, joined where they touch.
fn glow(svg: &mut Svg, body: Rect, path: &[Cell]) {
    let mut line = String::new();
    for (i, &a) in path.iter().enumerate() {
        line += &look::polyline(&[centre(body, a), centre(body, a)]);
        for &b in path[i + 1..].iter().filter(|&&b| touch(a, b)) {
            line += &look::polyline(&[centre(body, a), centre(body, b)]);
        }
    }
    svg.group("win");
    for (colour, width, opacity) in [(GREEN, 50.0, 0.3), (INK, 41.0, 1.0), (GREEN, 38.0, 1.0)] {
        let tag = svg.path(&line).fill("none").stroke(colour, width).num("stroke-opacity", opacity);
        tag.set("stroke-linecap", "round").end();
    }
    svg.close();
}

/// `w` and `b` are flat discs; `W` and `B` have a bevelled rim and a gem, so that the kind is read by shape.
fn piece(svg: &mut Svg, (x, y): Point, r: f64, c: char) {
    let light = c.eq_ignore_ascii_case(&'w');
    let (face, edge) = if light { (IVORY, "#8C7F62") } else { (INK, "#59626B") };
    look::shadow(svg, (x + 0.5, y + 0.14 * r), r * 1.12, r * 1.12);
    svg.circle((x, y), r - 0.5).fill(face).stroke(edge, 1.0).end();
    if c.is_ascii_uppercase() {
        let (rim, gem, facet) = if light { ("#C9BC9C", BLUE, "#5AB0E0") } else { ("#3C444C", YELLOW, "#FFFBC9") };
        svg.circle((x, y), 0.83 * r).fill("none").stroke(rim, 0.24 * r).end();
        svg.circle((x, y), 0.83 * r).fill("none").stroke("url(#qd-rim)", 0.24 * r).set("stroke-opacity", "0.55").end();
        svg.circle((x, y), 0.7 * r).fill(face).stroke(edge, 0.8).end();
        let g = 0.46 * r;
        let (top, right, bottom, left) = ((x, y - g), (x + g, y), (x, y + g), (x - g, y));
        svg.path(&(look::polyline(&[top, right, bottom, left]) + "Z")).fill(gem).end();
        svg.path(&(look::polyline(&[top, (x, y), left]) + "Z")).fill(facet).set("fill-opacity", "0.7").end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checker_is_faint_and_the_pieces_stand_out() {
        assert!(look::contrast(WALNUT, DARK) <= 1.3);
        assert!(look::contrast(DARK, IVORY) >= 3.0 && look::contrast(DARK, INK) >= 3.0);
    }
}
