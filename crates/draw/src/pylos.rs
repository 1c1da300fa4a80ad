//! Pylos: the pyramid seen from above and a little from the front, with both reserves.

use crate::facts::Facts;
use crate::look::{self, CAPTION, INK, IVORY, WALNUT, WOOD, YELLOW};
use crate::parse::{self, Side, bad_move, cell_name, cell_prefix, quote};
use crate::svg::{Point, Rect, Svg};
use crate::term::{self, Grid, Ink};
use crate::{Board, DrawError, Picture};

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

    /// Reads `2a1` off the front of a text.
    fn prefix(text: &str) -> Option<(Place, &str)> {
        let z = usize::from(text.bytes().next()?.checked_sub(b'1')?);
        let ((x, y), rest) = cell_prefix(text.get(1..)?)?;
        (z < 4 && x < 4 - z && y < 4 - z).then_some((Place { z, x, y }, rest))
    }

    fn name(self) -> String {
        format!("{}{}", self.z + 1, cell_name((self.x, self.y)))
    }
}

/// The balls, level by level, each row by row.
struct Balls([Vec<char>; 4]);

impl Balls {
    fn read(board: &str) -> Result<Balls, DrawError> {
        let levels: [Vec<char>; 4] = parse::rows(board, ".LD")?
            .try_into()
            .map_err(|rows: Vec<_>| DrawError::new(format!("position: needs 4 levels and has {}", rows.len())))?;
        for (z, level) in levels.iter().enumerate() {
            let (needs, has) = ((4 - z) * (4 - z), level.len());
            if needs != has {
                return Err(DrawError::new(format!("position: level {} needs {needs} cells and has {has}", z + 1)));
            }
        }
        let balls = Balls(levels);
        match Place::all().find(|&place| balls.at(place) != '.' && !balls.supported(place)) {
            Some(place) => {
                Err(DrawError::new(format!("position: the ball on {} does not rest on four balls", place.name())))
            }
            None => Ok(balls),
        }
    }

    fn at(&self, p: Place) -> char {
        self.0[p.z][p.y * (4 - p.z) + p.x]
    }

    /// Whether the four places beneath are taken. Those of level 1 rest on the board.
    fn supported(&self, p: Place) -> bool {
        let beneath = |(dx, dy)| self.at(Place { z: p.z - 1, x: p.x + dx, y: p.y + dy });
        p.z == 0 || [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().all(|d| beneath(d) != '.')
    }

    /// How many of fifteen are not on the board.
    fn reserve(&self, c: char, colour: &str) -> Result<usize, DrawError> {
        let used = self.0.iter().flatten().filter(|&&d| d == c).count();
        BALLS
            .checked_sub(used)
            .ok_or_else(|| DrawError::new(format!("position: {used} {colour} balls, and there are only {BALLS}")))
    }
}

/// Balls of each colour.
const BALLS: usize = 15;

/// A last move: from where the ball came if it was raised, where it went, and what was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Last {
    from: Option<Place>,
    to: Place,
    taken: Vec<Place>,
}

impl Last {
    fn read(token: &str) -> Result<Last, DrawError> {
        let lower = token.to_ascii_lowercase();
        let form = "a move is 1b3, 1d4^2a1, or either with balls taken back, 1b3-1b3-1a2";
        Last::parse(&lower).ok_or_else(|| bad_move(token, form))
    }

    fn parse(token: &str) -> Option<Last> {
        let (mut to, mut rest) = Place::prefix(token)?;
        let mut from = None;
        if let Some(target) = rest.strip_prefix('^') {
            from = Some(to);
            (to, rest) = Place::prefix(target)?;
        }
        let mut taken = Vec::new();
        while let Some(more) = rest.strip_prefix('-').filter(|_| taken.len() < 2) {
            let (place, after) = Place::prefix(more)?;
            taken.push(place);
            rest = after;
        }
        rest.is_empty().then_some(Last { from, to, taken })
    }
}

pub(crate) struct Pylos {
    balls: Balls,
    side: Side,
    last: Option<Last>,
    wins: Vec<Place>,
    /// Of light and of dark.
    reserves: [usize; 2],
    facts: Facts,
}

impl Pylos {
    pub(crate) fn read(p: &Picture) -> Result<Self, DrawError> {
        let [board, side] = parse::fields(p.position, "LEVELS SIDE")?;
        let balls = Balls::read(board)?;
        let side = parse::side(side, 'l', 'd')?;
        let reserves = [balls.reserve('L', "light")?, balls.reserve('D', "dark")?];
        let last = p.last.map(Last::read).transpose()?;
        let mut wins = Vec::new();
        for cell in p.wins.iter().flatten() {
            match Place::prefix(&cell.to_ascii_lowercase()) {
                Some((place, "")) => wins.push(place),
                _ => return Err(DrawError::new(format!("winning cell {}: no such cell on this board", quote(cell)))),
            }
        }
        let [l, d] = reserves;
        let pieces = format!("{} light and {} dark balls, {l} and {d} in reserve", BALLS - l, BALLS - d);
        let facts = Facts::new(p, "Pylos", pieces, if side == Side::First { "light" } else { "dark" });
        Ok(Pylos { balls, side, last, wins, reserves, facts })
    }
}

/// Distance between neighbours of a level.
const STEP: f64 = 92.0;
const MARGIN: f64 = 34.0;
/// From the board's edge to the first ball.
const REACH: (f64, f64) = (0.66 * STEP, 0.62 * STEP);
const PLATE: Rect = Rect::new(MARGIN, MARGIN, 3.0 * STEP + 2.0 * REACH.0, 3.0 * 0.86 * STEP + 2.0 * REACH.1);
const THICK: f64 = 12.0;
const SLOT: f64 = 20.5;
const RACK: f64 = 32.0;

/// Where a ball's centre is seen: the pyramid in parallel projection, looked at from a height of 59 degrees.
fn centre(p: Place) -> Point {
    let (i, j, z) = (p.x as f64, p.y as f64, p.z as f64);
    let x = MARGIN + REACH.0 + (i + z / 2.0) * STEP;
    let y = MARGIN + REACH.1 + (j + z / 2.0) * 0.86 * STEP - 0.36 * z * STEP;
    (x, y)
}

fn radius(p: Place) -> f64 {
    0.455 * STEP * (1.0 + 0.05 * p.z as f64)
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
        for (i, &left) in self.reserves.iter().enumerate() {
            rack(&mut svg, racks + i as f64 * RACK, left, i == 0);
        }
        let strip = Rect::new(MARGIN, racks + 2.0 * RACK + 2.0, PLATE.w, CAPTION - 4.0);
        look::caption(&mut svg, &self.facts, &WOOD, strip, |svg, at| {
            look::ball(svg, at, 9.0, self.side == Side::First);
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
            let rows: Vec<Vec<char>> = self.balls.0[z].chunks(4 - z).map(<[char]>::to_vec).collect();
            let last = self.last.as_ref().map(|last| last.to).filter(|to| to.z == z).map(|to| (to.x, to.y));
            let mut lines = Grid::new(&rows, sgr, last, |(x, y)| self.wins.contains(&Place { z, x, y })).lines(ink);
            let head = format!(" level {}", z + 1);
            lines.insert(0, (ink.paint("1", &head), head.len()));
            lines
        };
        let [light, dark] = self.reserves;
        let (l, d) = (ink.paint(term::FIRST, "L"), ink.paint(term::SECOND, "D"));
        let reserves = format!("reserves: light {l} {light}, dark {d} {dark}\n");
        term::beside(&[0, 1, 2, 3].map(level), 3) + &reserves + &self.facts.lines(ink)
    }
}

impl Pylos {
    /// Balls, and rings on the empty places where one could rest, level by level from the back to the front.
    fn pyramid(&self, svg: &mut Svg) {
        for place in Place::all() {
            let (at, r, c) = (centre(place), radius(place), self.balls.at(place));
            if c != '.' {
                svg.group("piece");
                look::shadow(svg, (at.0 + 0.1 * r, at.1 + 0.3 * r), 1.12 * r, 1.0 * r);
                look::ball(svg, at, r, c == 'L');
                svg.close();
            } else if place.z > 0 && self.balls.supported(place) {
                svg.group("rest");
                svg.ellipse(at, 0.42 * r, 0.38 * r).fill(WALNUT).set("fill-opacity", "0.75").stroke(INK, 5.0).end();
                svg.ellipse(at, 0.42 * r, 0.38 * r).fill("none").stroke(IVORY, 2.5).end();
                svg.close();
            }
        }
    }

    fn marks(&self, svg: &mut Svg) {
        for &place in &self.wins {
            let (at, r) = (centre(place), radius(place));
            svg.group("win");
            svg.circle(at, r + 8.0).fill("none").stroke(YELLOW, 18.0).set("stroke-opacity", "0.3").end();
            svg.circle(at, r + 4.0).fill("none").stroke(INK, 9.0).end();
            svg.circle(at, r + 4.0).fill("none").stroke(YELLOW, 6.0).end();
            svg.close();
        }
        let Some(last) = &self.last else { return };
        if let Some(from) = last.from {
            svg.group("from");
            for (colour, width) in [(INK, 6.0), (YELLOW, 3.0)] {
                let ring = svg.circle(centre(from), 0.3 * STEP).fill("none").stroke(colour, width);
                ring.set("stroke-dasharray", "8 9").set("stroke-linecap", "round").end();
            }
            svg.close();
        }
        look::ring(svg, centre(last.to), radius(last.to) - 1.0, 3.0);
        for &place in &last.taken {
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
    svg.rect(Rect { y: PLATE.y + THICK, ..PLATE }, 20.0).fill("#2B1E12").end();
    svg.rect(Rect { y: PLATE.y + THICK - 2.0, ..PLATE }, 20.0).fill("#6B4F31").end();
    svg.rect(PLATE, 20.0).fill(WALNUT).stroke("#B28E63", 1.0).end();
    for place in Place::all().filter(|p| p.z == 0) {
        let (at, r) = (centre(place), 0.3 * STEP);
        svg.ellipse(at, r, 0.9 * r).fill("url(#qd-hollow)").stroke("#B28E63", 1.5).end();
    }
    svg.close();
}

/// A groove with fifteen slots, as many balls as are left, and their number.
fn rack(svg: &mut Svg, top: f64, left: usize, light: bool) {
    let y = top + RACK / 2.0;
    let groove = Rect::new(MARGIN, top + 3.0, BALLS as f64 * SLOT + 6.0, RACK - 6.0);
    svg.group("reserve");
    svg.rect(groove, groove.h / 2.0).fill(WALNUT).stroke("#2B1E12", 1.0).end();
    for i in 0..BALLS {
        let at = (groove.x + 3.0 + (i as f64 + 0.5) * SLOT, y);
        if i < left {
            look::ball(svg, at, 9.5, light);
        } else {
            svg.circle(at, 4.0).fill("url(#qd-hollow)").end();
        }
    }
    let end = groove.x + groove.w;
    svg.label((end + 10.0, y), 15.0, WOOD.text).text(if light { "light" } else { "dark" });
    let digits = svg.label((MARGIN + PLATE.w, y), 18.0, WOOD.text).set("text-anchor", "end");
    digits.set("font-weight", "600").text(&left.to_string());
    svg.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> Place {
        Place::prefix(name).unwrap().0
    }

    #[test]
    fn places_have_names() {
        assert_eq!(Place::all().count(), 30);
        for p in Place::all() {
            assert_eq!(place(&p.name()), p);
        }
        for bad in ["", "1", "0a1", "5a1", "4b1", "3a3", "2d1", "1e1", "é", "1é1"] {
            assert_eq!(Place::prefix(bad).filter(|r| r.1.is_empty()), None, "{bad}");
        }
    }

    #[test]
    fn moves() {
        let last = Last::read("1D4^2a1-1a1").unwrap();
        assert_eq!(last, Last { from: Some(place("1d4")), to: place("2a1"), taken: vec![place("1a1")] });
        let last = Last::read("1b3-1b3-1a2").unwrap();
        assert_eq!((last.from, last.taken.len()), (None, 2));
        for bad in ["1b3-", "1b3^", "1b3--1a1", "1b3-1a1-1a2-1a3", "1b3^2a1^3a1", "1b3x", "b3"] {
            assert!(Last::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_ball_covers_the_middle_of_its_four() {
        let four = ["1a1", "1b1", "1a2", "1b2"].map(|n| centre(place(n)));
        let mean = four.iter().map(|c| c.0).sum::<f64>() / 4.0;
        let top = centre(place("2a1"));
        assert!((top.0 - mean).abs() < 1e-9);
        assert!((top.1 - (four[0].1 + 0.43 * STEP - 0.36 * STEP)).abs() < 1e-9);
    }

    #[test]
    fn support() {
        let balls = Balls::read("LL..LL........../D......../..../.").unwrap();
        assert!(balls.supported(place("2a1")) && !balls.supported(place("2b1")) && balls.supported(place("1d4")));
        assert!(Balls::read("LL..L.........../D......../..../.").is_err());
    }
}
