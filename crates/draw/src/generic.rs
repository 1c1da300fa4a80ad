//! Any other game: a plain grid of the position's rows, so that a new game has a board at once.

use quintet_game::text::read_cell;

use crate::Board;
use crate::facts::{Facts, count};
use crate::look::{self, CAPTION, Cell, INK, IVORY, WALNUT, WOOD, YELLOW};
use crate::svg::{Point, Rect, Svg};
use crate::term::{self, Grid, Ink};

/// Rows may differ in length. `.` is an empty cell and `#` a missing one; any other character is a piece.
pub(crate) struct Generic {
    rows: Vec<Vec<char>>,
    cols: usize,
    /// What stands for the side to move, if it is one character.
    side: Option<char>,
    last: Option<Cell>,
    wins: Vec<Cell>,
    facts: Facts,
}

impl Generic {
    /// The first part of the position is the board; the last one, when there are several, the side to move.
    pub(crate) fn new(position: &str, facts: Facts) -> Generic {
        let mut fields = position.split_ascii_whitespace();
        let board = fields.next().unwrap_or_default();
        let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
        let cols = rows.iter().map(Vec::len).max().unwrap_or(0);
        let there = |cell: &Cell| rows.get(cell.1).and_then(|row| row.get(cell.0)).is_some_and(|&c| c != '#');
        // Nothing is known of the game's moves: what begins like a cell is marked, the rest only told.
        let find = |token: &String| read_cell(token).map(|(cell, _)| cell).filter(there);
        let (last, wins) = (facts.last.as_ref().and_then(find), facts.wins.iter().flatten().filter_map(find).collect());
        let mut side = fields.next_back().unwrap_or_default().chars();
        let side = side.next().filter(|_| side.next().is_none());
        let pieces = rows.iter().flatten().filter(|c| !".#".contains(**c)).count();
        let facts = facts.with(&format!(", {} rows x {cols} columns", rows.len()), count(pieces, "piece"));
        Generic { rows, cols, side, last, wins, facts }
    }
}

/// Whether a piece is drawn light. The letters that our games give to the first player are; of other characters every
/// second one is. The character stands on the piece, so nothing is lost.
fn is_light(c: char) -> bool {
    match c.to_ascii_lowercase() {
        'x' | 'w' | 'l' | 'r' | '1' => true,
        'o' | 'b' | 'd' | '2' => false,
        other => u32::from(other).is_multiple_of(2),
    }
}

const MARGIN: f64 = 36.0;
const CELL: f64 = 46.0;

fn centre(left: f64, (x, y): Cell) -> Point {
    (left + (x as f64 + 0.5) * CELL, MARGIN + (y as f64 + 0.5) * CELL)
}

impl Board for Generic {
    fn svg(&self) -> String {
        let (w, h) = (self.cols as f64 * CELL, self.rows.len() as f64 * CELL);
        let (width, height) = ((w + 2.0 * MARGIN).max(look::NARROW), h + 2.0 * MARGIN);
        let left = (width - w) / 2.0;
        let mut svg = look::stage(width, height + CAPTION - 10.0, &WOOD, &self.facts);
        let edge = MARGIN / 2.0;
        let sides = [left - edge, edge, left + w + edge, height - edge];
        look::coordinates(
            &mut svg,
            (self.cols, self.rows.len()),
            |x, y| centre(left, (x, y)),
            sides,
            (14.0, WOOD.text),
        );
        let cells =
            || self.rows.iter().enumerate().flat_map(|(y, r)| r.iter().enumerate().map(move |(x, &c)| ((x, y), c)));
        svg.group("board");
        for ((x, y), _) in cells().filter(|(_, c)| *c != '#') {
            let square = Rect::new(left + x as f64 * CELL, MARGIN + y as f64 * CELL, CELL, CELL).grow(-1.0);
            svg.rect(square, 6.0).fill(if (x + y) % 2 == 1 { "#91683A" } else { WALNUT }).end();
        }
        svg.close();
        for &cell in &self.wins {
            svg.group("win");
            let (x, y) = centre(left, cell);
            let square = Rect::new(x, y, 0.0, 0.0).grow(CELL / 2.0 - 3.0);
            svg.rect(square, 6.0).fill(YELLOW).stroke(INK, 2.0).end();
            svg.close();
        }
        for (cell, c) in cells().filter(|(_, c)| !".#".contains(*c)) {
            svg.group("piece");
            piece(&mut svg, centre(left, cell), 0.36 * CELL, c);
            svg.close();
        }
        if let Some(cell) = self.last {
            look::ring(&mut svg, centre(left, cell), 0.36 * CELL + 2.0, 3.0);
        }
        let strip = Rect::new(MARGIN, height - 6.0, width - 2.0 * MARGIN, CAPTION - 10.0);
        look::caption(&mut svg, &self.facts, &WOOD, strip, |svg, at| {
            if let Some(c) = self.side {
                piece(svg, at, 10.0, c);
            }
        });
        svg.finish()
    }

    fn text(&self, colour: bool) -> String {
        let ink = Ink { colour };
        let sgr = |c| match c {
            '.' | '#' => "",
            c if is_light(c) => term::FIRST,
            _ => term::SECOND,
        };
        Grid::new(&self.rows, sgr, self.last, |cell| self.wins.contains(&cell)).text(ink) + &self.facts.lines(ink)
    }
}

fn piece(svg: &mut Svg, at: Point, r: f64, c: char) {
    let (face, edge, letter) = if is_light(c) { (IVORY, "#8C7F62", INK) } else { (INK, "#59626B", IVORY) };
    look::shadow(svg, (at.0 + 0.5, at.1 + 0.14 * r), r * 1.12, r * 1.12);
    svg.circle(at, r - 0.5).fill(face).stroke(edge, 1.0).end();
    svg.label(at, 1.1 * r, letter).set("text-anchor", "middle").text(&c.to_string());
}
