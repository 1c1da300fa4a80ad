//! Pentago and Pentago-Twist: four 3x3 tiles with marbles in hollows.

use quintet_game::{Line, Player, pentago};

use crate::facts::{Facts, count};
use crate::look::{self, CAPTION, Cell, GREEN, INK, IVORY, WALNUT, WOOD};
use crate::svg::{Point, Rect, Svg, num};
use crate::term::{self, Grid, Ink};
use crate::{Board, Drawn};

/// The second half of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Right,
    Left,
    Mirror,
}

struct Pentago {
    rows: Vec<Vec<char>>,
    /// Where the marble of the last move lies now.
    last: Option<Cell>,
    /// The quadrant, column and row, that the last move turned.
    turn: Option<(Cell, Turn)>,
    wins: Vec<Vec<Cell>>,
    facts: Facts,
}

impl Drawn for pentago::Pentago {
    fn board(line: &Line<Self>, facts: Facts) -> Box<dyn Board> {
        let letter = |x, y| match line.position().at(x, y) {
            None => '.',
            Some(Player::First) => 'x',
            Some(Player::Second) => 'o',
        };
        let last = line.moves().next_back();
        let turn = |spin: usize| match spin % 2 {
            0 => Turn::Right,
            _ if line.game().mirrors() => Turn::Mirror,
            _ => Turn::Left,
        };
        let on = |player| line.position().side(player).count_ones() as usize;
        let [light, dark] = facts.sides;
        let pieces = format!(
            "{} and {}",
            count(on(Player::First), &format!("{light} marble")),
            count(on(Player::Second), &format!("{dark} marble"))
        );
        let facts = facts.with("", pieces);
        Box::new(Pentago {
            rows: (0..6).map(|y| (0..6).map(|x| letter(x, y)).collect()).collect(),
            last: last.map(|mv| line.game().landing(mv)),
            turn: last.and_then(|mv| Some(((mv.quadrant()? % 2, mv.quadrant()? / 2), turn(mv.spin()?)))),
            wins: facts.winning_cells(),
            facts,
        })
    }
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
        if let Some(marble) = self.last {
            look::ring(&mut svg, centre(marble), MARBLE + 2.0, 3.0);
        }
        if let Some((quadrant, turn)) = self.turn {
            arrow(&mut svg, quadrant, turn);
        }
        for line in &self.wins {
            let points: Vec<Point> = line.iter().map(|&cell| centre(cell)).collect();
            svg.group("win");
            look::outlined(&mut svg, &look::polyline(&points), 9.0, GREEN);
            svg.close();
        }
        let strip = Rect::new(MARGIN, SIZE - 4.0, SIZE - 2.0 * MARGIN, CAPTION - 10.0);
        look::caption(&mut svg, &self.facts, &WOOD, strip, |svg, at| {
            look::ball(svg, at, 9.0, self.facts.mover == Player::First);
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
        let grid = Grid::new(&self.rows, sgr, self.last, win).with_gap(3);
        grid.text(ink) + &self.facts.lines(ink)
    }
}

impl Pentago {
    fn tiles(&self, svg: &mut Svg) {
        svg.group("board");
        for (qx, qy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let body = Rect::new(tile(qx), tile(qy), TILE, TILE);
            svg.rect(Rect { y: body.y + 3.0, ..body }, 18.0).fill("#352312").end();
            svg.rect(body, 18.0).fill(WALNUT).stroke("#BC9462", 1.0).end();
        }
        for x in 0..6 {
            for y in 0..6 {
                svg.circle(centre((x, y)), MARBLE + 2.5).fill("url(#qd-hollow)").stroke("#B38A55", 1.0).end();
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
