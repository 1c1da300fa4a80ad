//! Pylos: the pyramid seen from straight above, so that its apex stands over the middle, with both reserves.

use quintet_game::pylos::{self, BALLS, Position};
use quintet_game::text::read_cell;
use quintet_game::{Line, Player};

use crate::facts::Facts;
use crate::look::{self, CAPTION, GREEN, INK, IVORY, WALNUT, WOOD, YELLOW};
use crate::svg::{Point, Rect, Svg};
use crate::term::{self, Grid, Ink};
use crate::{Board, Drawn};

/// A place for a ball: level, column, row, all from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    z: usize,
    x: usize,
    y: usize,
}

impl Place {
    /// All thirty, in painter's order: by level, then from the back to the front.
    fn all() -> impl Iterator<Item = Place> {
        (0..4).flat_map(|z| (0..4 - z).flat_map(move |y| (0..4 - z).map(move |x| Place { z, x, y })))
    }

    fn of((z, x, y): (usize, usize, usize)) -> Place {
        Place { z, x, y }
    }

    /// Reads `2a1`.
    fn named(name: &str) -> Option<Place> {
        let z = usize::from(name.bytes().next()?.checked_sub(b'1')?);
        let ((x, y), _) = read_cell(name.get(1..)?)?;
        Some(Place { z, x, y })
    }

    /// Is it in a set of cells, laid out as in a position?
    fn is_in(self, cells: u64) -> bool {
        cells >> (16 * self.z + 4 * self.y + self.x) & 1 == 1
    }
}

struct Pylos {
    position: Position,
    last: Option<pylos::Move>,
    wins: Vec<Place>,
    facts: Facts,
}

impl Drawn for pylos::Pylos {
    fn board(line: &Line<Self>, facts: Facts) -> Box<dyn Board> {
        let position = *line.position();
        let [l, d] = Player::BOTH.map(|player| position.reserve(player));
        let [light, dark] = facts.sides;
        let pieces = format!("{} {light} and {} {dark} balls, {l} and {d} in reserve", BALLS - l, BALLS - d);
        Box::new(Pylos {
            position,
            last: line.moves().next_back(),
            wins: facts.wins.iter().flatten().filter_map(|name| Place::named(name)).collect(),
            facts: facts.with("", pieces),
        })
    }
}

/// Distance between neighbours of a level.
const STEP: f64 = 92.0;
const MARGIN: f64 = 34.0;
/// From the board's edge to the first ball.
const REACH: f64 = 0.64 * STEP;
const PLATE: Rect = Rect::new(MARGIN, MARGIN, 3.0 * STEP + 2.0 * REACH, 3.0 * STEP + 2.0 * REACH);
const THICK: f64 = 10.0;
const SLOT: f64 = 20.5;
const RACK: f64 = 32.0;

/// Where a ball's centre is seen: over the middle of the four that it rests on. Height is told by size and shadow.
fn centre(p: Place) -> Point {
    let along = |i: usize| MARGIN + REACH + (i as f64 + p.z as f64 / 2.0) * STEP;
    (along(p.x), along(p.y))
}

fn radius(p: Place) -> f64 {
    0.47 * STEP * (1.0 + 0.06 * p.z as f64)
}

impl Board for Pylos {
    fn svg(&self) -> String {
        let width = PLATE.w + 2.0 * MARGIN;
        let racks = PLATE.y + PLATE.h + THICK + MARGIN - 4.0;
        let height = racks + 2.0 * RACK + CAPTION + 6.0;
        let mut svg = look::stage(width, height, &WOOD, &self.facts);
        let sides = [MARGIN / 2.0, MARGIN / 2.0, width - MARGIN / 2.0, racks - MARGIN / 2.0 + 2.0];
        let ground = |x, y| centre(Place { z: 0, x, y });
        look::coordinates(&mut svg, (4, 4), ground, sides, (15.0, WOOD.text));
        plate(&mut svg);
        self.pyramid(&mut svg);
        self.marks(&mut svg);
        for player in Player::BOTH {
            self.rack(&mut svg, racks + player.index() as f64 * RACK, player);
        }
        let strip = Rect::new(MARGIN, racks + 2.0 * RACK + 2.0, PLATE.w, CAPTION - 4.0);
        look::caption(&mut svg, &self.facts, &WOOD, strip, |svg, at| {
            look::ball(svg, at, 9.0, self.facts.mover == Player::First);
        });
        svg.finish()
    }

    fn text(&self, colour: bool) -> String {
        let ink = Ink { colour };
        let sgr = |c| match c {
            'L' => term::FIRST,
            'D' => term::SECOND,
            _ => "",
        };
        let level = |z: usize| {
            let letter = |x, y| match self.at(Place { z, x, y }) {
                None => '.',
                Some(Player::First) => 'L',
                Some(Player::Second) => 'D',
            };
            let rows: Vec<Vec<char>> = (0..4 - z).map(|y| (0..4 - z).map(|x| letter(x, y)).collect()).collect();
            let last = self.last.map(|last| Place::of(last.to())).filter(|to| to.z == z).map(|to| (to.x, to.y));
            let mut lines = Grid::new(&rows, sgr, last, |(x, y)| self.wins.contains(&Place { z, x, y })).lines(ink);
            let head = format!(" level {}", z + 1);
            lines.insert(0, (ink.paint("1", &head), head.len()));
            lines
        };
        let [light, dark] = self.facts.sides;
        let [left, right] = Player::BOTH.map(|player| self.position.reserve(player));
        let (l, d) = (ink.paint(term::FIRST, "L"), ink.paint(term::SECOND, "D"));
        let reserves = format!("reserves: {light} {l} {left}, {dark} {d} {right}\n");
        term::beside(&[0, 1, 2, 3].map(level), 3) + &reserves + &self.facts.lines(ink)
    }
}

impl Pylos {
    fn at(&self, place: Place) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| place.is_in(self.position.balls(*player)))
    }

    /// Balls, and rings on the empty places where one could rest, level by level from the back to the front.
    fn pyramid(&self, svg: &mut Svg) {
        for place in Place::all() {
            let (at, r) = (centre(place), radius(place));
            if let Some(player) = self.at(place) {
                svg.group("piece");
                look::shadow(svg, (at.0 + 0.14 * r, at.1 + 0.24 * r), 1.2 * r, 1.2 * r);
                look::ball(svg, at, r, player == Player::First);
                svg.close();
            } else if place.z > 0 && place.is_in(self.position.open()) {
                svg.group("rest");
                svg.circle(at, 0.4 * r).fill(WALNUT).set("fill-opacity", "0.75").stroke(INK, 5.0).end();
                svg.circle(at, 0.4 * r).fill("none").stroke(IVORY, 2.5).end();
                svg.close();
            }
        }
    }

    fn marks(&self, svg: &mut Svg) {
        for &place in &self.wins {
            let (at, r) = (centre(place), radius(place));
            svg.group("win");
            svg.circle(at, r + 8.0).fill("none").stroke(GREEN, 18.0).set("stroke-opacity", "0.3").end();
            svg.circle(at, r + 4.0).fill("none").stroke(INK, 9.0).end();
            svg.circle(at, r + 4.0).fill("none").stroke(GREEN, 6.0).end();
            svg.close();
        }
        let Some(last) = self.last else { return };
        if let Some(from) = last.from().map(Place::of) {
            svg.group("from");
            for (colour, width) in [(INK, 6.0), (YELLOW, 3.0)] {
                let ring = svg.circle(centre(from), 0.3 * STEP).fill("none").stroke(colour, width);
                ring.set("stroke-dasharray", "8 9").set("stroke-linecap", "round").end();
            }
            svg.close();
        }
        let to = Place::of(last.to());
        look::ring(svg, centre(to), radius(to) - 1.0, 3.0);
        for place in last.taken().map(Place::of) {
            let ((x, y), d) = (centre(place), 0.1 * STEP);
            let cross =
                look::polyline(&[(x - d, y - d), (x + d, y + d)]) + &look::polyline(&[(x - d, y + d), (x + d, y - d)]);
            svg.group("taken");
            look::outlined(svg, &cross, 3.0, YELLOW);
            svg.close();
        }
    }
}

fn plate(svg: &mut Svg) {
    svg.group("board");
    svg.rect(Rect { y: PLATE.y + THICK, ..PLATE }, 20.0).fill("#352312").end();
    svg.rect(Rect { y: PLATE.y + THICK - 2.0, ..PLATE }, 20.0).fill("#73512B").end();
    svg.rect(PLATE, 20.0).fill(WALNUT).stroke("#BC9462", 1.0).end();
    for place in Place::all().filter(|p| p.z == 0) {
        svg.circle(centre(place), 0.34 * STEP).fill("url(#qd-hollow)").stroke("#BC9462", 1.5).end();
    }
    svg.close();
}

impl Pylos {
    /// A groove with fifteen slots, as many balls as are left, and their number.
    fn rack(&self, svg: &mut Svg, top: f64, player: Player) {
        let left = self.position.reserve(player);
        let y = top + RACK / 2.0;
        let groove = Rect::new(MARGIN, top + 3.0, f64::from(BALLS) * SLOT + 6.0, RACK - 6.0);
        svg.group("reserve");
        svg.rect(groove, groove.h / 2.0).fill(WALNUT).stroke("#352312", 1.0).end();
        for i in 0..BALLS {
            let at = (groove.x + 3.0 + (f64::from(i) + 0.5) * SLOT, y);
            if i < left {
                look::ball(svg, at, 9.5, player == Player::First);
            } else {
                svg.circle(at, 4.0).fill("url(#qd-hollow)").end();
            }
        }
        let end = groove.x + groove.w;
        svg.label((end + 10.0, y), 15.0, WOOD.text).text(self.facts.sides[player.index()]);
        let digits = svg.label((MARGIN + PLATE.w, y), 18.0, WOOD.text).set("text-anchor", "end");
        digits.set("font-weight", "600").text(&left.to_string());
        svg.close();
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::Notation;

    use super::*;

    fn place(name: &str) -> Place {
        Place::named(name).unwrap()
    }

    #[test]
    fn places_are_the_cells_of_the_rules() {
        assert_eq!(Place::all().count(), 30);
        assert!(Place::all().all(|place| place.is_in(pylos::CELLS)));
        for name in ["1a1", "1d3", "2c1", "3b2", "4a1"] {
            assert_eq!(place(name), Place::of(pylos::Pylos::default().read_move(name).unwrap().to()));
        }
    }

    #[test]
    fn a_ball_covers_the_middle_of_its_four() {
        let four = ["1a1", "1b1", "1a2", "1b2"].map(|n| centre(place(n)));
        let mean = four.iter().map(|c| c.0).sum::<f64>() / 4.0;
        let top = centre(place("2a1"));
        assert!((top.0 - mean).abs() < 1e-9);
        assert!((top.1 - four.iter().map(|c| c.1).sum::<f64>() / 4.0).abs() < 1e-9);
    }

    #[test]
    fn the_apex_stands_over_the_middle() {
        let (x, y) = centre(place("4a1"));
        assert!((x - (PLATE.x + PLATE.w / 2.0)).abs() < 1e-9 && (y - (PLATE.y + PLATE.h / 2.0)).abs() < 1e-9);
    }
}
