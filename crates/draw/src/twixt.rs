//! TwixT: a cream board with holes, round red pegs with solid links, square blue pegs with double links.

use std::collections::BTreeSet;

use crate::facts::{Facts, count, wrap};
use crate::look::{self, CAPTION, Frame, INK, ORANGE};
use crate::parse::{self, Cell, Side, bad_move, cell_name, cell_prefix, quote};
use crate::svg::{Point, Rect, Svg};
use crate::term::{self, Grid, Ink};
use crate::{Board, DrawError, Picture};

pub(crate) struct Twixt {
    rows: Vec<Vec<char>>,
    links: Vec<(Cell, Cell)>,
    side: Side,
    last: Option<Cell>,
    wins: Vec<Vec<Cell>>,
    facts: Facts,
}

impl Twixt {
    pub(crate) fn read(p: &Picture) -> Result<Self, DrawError> {
        let [board, links, side] = parse::fields(p.position, "ROWS LINKS SIDE")?;
        let rows = parse::rows(board, ".rb#")?;
        let size = rows.len();
        if !(3..=24).contains(&size) {
            return Err(DrawError::new(format!("position: {size} rows; TwixT has 3 to 24")));
        }
        parse::shape(&rows, size, size)?;
        let cells = || (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        let corner = |(x, y)| (x == 0 || x == size - 1) && (y == 0 || y == size - 1);
        if let Some(cell) = cells().find(|&(x, y)| rows[y][x] == '#' && !corner((x, y))) {
            let name = cell_name(cell);
            return Err(DrawError::new(format!("position: {name} is missing (#); only corners can be")));
        }
        let links = read_links(links, &rows)?;
        let side = parse::side(side, 'r', 'b')?;
        let last = p.last.map(|token| read_move(token, &rows)).transpose()?.flatten();
        let wins = parse::wins(p.wins, size, size)?;
        let on = |c| cells().filter(|&(x, y)| rows[y][x] == c).count();
        let pieces = format!(
            "{}, {} and {}; red joins top and bottom, black (blue) joins left and right",
            count(on('r'), "red peg"),
            count(on('b'), "black peg"),
            count(links.len(), "link")
        );
        let title = format!("TwixT {size} x {size}");
        let facts = Facts::new(p, title, pieces, if side == Side::First { "red" } else { "black" });
        Ok(Twixt { rows, links, side, last, wins, facts })
    }

    fn at(&self, (x, y): Cell) -> char {
        self.rows[y][x]
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        let size = self.rows.len();
        (0..size).flat_map(move |y| (0..size).map(move |x| (x, y)))
    }
}

fn read_links(list: &str, rows: &[Vec<char>]) -> Result<Vec<(Cell, Cell)>, DrawError> {
    if list == "-" {
        return Ok(Vec::new());
    }
    let mut links = BTreeSet::new();
    for link in list.split(',') {
        let fail = |why: &str| DrawError::new(format!("position: link {}: {why}", quote(link)));
        let form = "a link is two holes, c2d4; without links write -";
        let (a, rest) = cell_prefix(link).ok_or_else(|| fail(form))?;
        let (b, rest) = cell_prefix(rest).ok_or_else(|| fail(form))?;
        let peg = |(x, y): Cell| rows.get(y).and_then(|row| row.get(x)).copied().filter(|c| "rb".contains(*c));
        if !rest.is_empty() {
            return Err(fail(form));
        }
        match (peg(a), peg(b)) {
            (Some(p), Some(q)) if p == q => {}
            (Some(_), Some(_)) => return Err(fail("its pegs are of two colours")),
            _ => return Err(fail("it needs a peg at both ends")),
        }
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        if (dx, dy) != (1, 2) && (dx, dy) != (2, 1) {
            return Err(fail("its ends are not a knight's move apart"));
        }
        links.insert((a.min(b), a.max(b)));
    }
    Ok(links.into_iter().collect())
}

/// The hole of the last move. After `swap` it is the only peg on the board.
fn read_move(token: &str, rows: &[Vec<char>]) -> Result<Option<Cell>, DrawError> {
    let lower = token.to_ascii_lowercase();
    if lower == "swap" {
        let pegs = |(y, row): (usize, &Vec<char>)| {
            row.iter().enumerate().filter(|(_, c)| "rb".contains(**c)).map(|(x, _)| (x, y)).collect::<Vec<Cell>>()
        };
        let pegs: Vec<Cell> = rows.iter().enumerate().flat_map(pegs).collect();
        return Ok(if let [peg] = pegs[..] { Some(peg) } else { None });
    }
    match cell_prefix(&lower) {
        Some(((x, y), "")) if rows.get(y).and_then(|row| row.get(x)).is_some_and(|&c| c != '#') => Ok(Some((x, y))),
        _ => Err(bad_move(token, "a move is a hole of the board, m12, or swap")),
    }
}

/// The cream plate that the board lies on.
const CREAM: Frame = Frame { fill: "#EBE1CA", edge: "#B9A67C", text: "#3A3226", chip: FIELD };
const FIELD: &str = "#F6EFDF";
const RED: &str = "#B3261E";
const BLUE: &str = "#005A8D";
const MARGIN: f64 = 48.0;

/// The geometry of one size: small boards get large cells.
struct Plan {
    size: usize,
    cell: f64,
}

impl Plan {
    fn at(&self, (x, y): Cell) -> Point {
        (MARGIN + (x as f64 + 0.5) * self.cell, MARGIN + (y as f64 + 0.5) * self.cell)
    }

    fn field(&self) -> Rect {
        let side = self.size as f64 * self.cell;
        Rect::new(MARGIN, MARGIN, side, side)
    }
}

impl Board for Twixt {
    fn svg(&self) -> String {
        let size = self.rows.len();
        let plan = Plan { size, cell: (600.0 / size as f64).clamp(27.0, 80.0) };
        let field = plan.field();
        let width = field.w + 2.0 * MARGIN;
        let mut svg = look::stage(width, width + CAPTION - 8.0, &CREAM, &self.facts);
        field_and_goals(&mut svg, &plan);
        let (near, font) = (12.0, (0.42 * plan.cell).clamp(11.5, 15.0));
        let sides = [MARGIN - near, MARGIN - near, width - MARGIN + near, width - MARGIN + near];
        look::coordinates(&mut svg, (size, size), |x, y| plan.at((x, y)), sides, (font, CREAM.text));
        svg.group("holes");
        for cell in self.cells().filter(|&cell| self.at(cell) == '.') {
            svg.circle(plan.at(cell), (0.075 * plan.cell).max(2.2)).fill("#84755A").end();
        }
        svg.close();
        self.links(&mut svg, &plan);
        for cell in self.cells() {
            let c = self.at(cell);
            if c == 'r' || c == 'b' {
                svg.group("piece");
                peg(&mut svg, plan.at(cell), 0.34 * plan.cell, c == 'r');
                svg.close();
            }
        }
        if let Some(cell) = self.last {
            look::ring(&mut svg, plan.at(cell), 0.48 * plan.cell, (0.08 * plan.cell).clamp(2.0, 3.0));
        }
        let strip = Rect::new(MARGIN - 16.0, width - 6.0, field.w + 32.0, CAPTION - 10.0);
        look::caption(&mut svg, &self.facts, &CREAM, strip, |svg, at| peg(svg, at, 8.0, self.side == Side::First));
        svg.finish()
    }

    fn text(&self, colour: bool) -> String {
        let ink = Ink { colour };
        let sgr = |c| match c {
            'r' => term::RED,
            'b' => term::SECOND,
            _ => "",
        };
        let win = |cell| self.wins.iter().flatten().any(|&c| c == cell);
        let mut out = Grid::new(&self.rows, sgr, self.last, win).text(ink);
        for (c, head, sgr) in
            [('r', "links r (top-bottom): ", term::RED), ('b', "links b (left-right): ", term::SECOND)]
        {
            let own = self.links.iter().filter(|&&(a, _)| self.at(a) == c);
            let list: Vec<String> = own.map(|&(a, b)| format!("{}-{}", cell_name(a), cell_name(b))).collect();
            let list = if list.is_empty() { "none".to_owned() } else { list.join(" ") };
            for (i, line) in wrap(&list, 56).iter().enumerate() {
                out += &if i == 0 { ink.paint(sgr, head.trim_end()) + " " } else { " ".repeat(head.len()) };
                out += line;
                out.push('\n');
            }
        }
        out + &self.facts.lines(ink)
    }
}

impl Twixt {
    fn links(&self, svg: &mut Svg, plan: &Plan) {
        let thick = 0.28 * plan.cell;
        for win in &self.wins {
            let chain = self.links.iter().filter(|(a, b)| win.contains(a) && win.contains(b));
            let mut line: String = chain.map(|&(a, b)| look::polyline(&[plan.at(a), plan.at(b)])).collect();
            line.extend(win.iter().map(|&cell| look::polyline(&[plan.at(cell), plan.at(cell)])));
            svg.group("win");
            for (colour, width) in [(INK, 0.8 * plan.cell + 2.0), (ORANGE, 0.8 * plan.cell)] {
                svg.path(&line).fill("none").stroke(colour, width).set("stroke-linecap", "round").end();
            }
            svg.close();
        }
        svg.group("links");
        for &(a, b) in &self.links {
            let red = self.at(a) == 'r';
            let (a, b) = (plan.at(a), plan.at(b));
            let strokes = [(FIELD, thick + 3.0), (if red { RED } else { BLUE }, thick), (FIELD, 0.36 * thick)];
            let strokes = if red { &strokes[..2] } else { &strokes[..] };
            svg.group("link");
            for &(colour, width) in strokes {
                svg.line(a, b).stroke(colour, width).set("stroke-linecap", "round").end();
            }
            svg.close();
        }
        svg.close();
    }
}

/// The field, its border lines in the colours of their owners, and what they are for.
fn field_and_goals(svg: &mut Svg, plan: &Plan) {
    let (field, cell) = (plan.field(), plan.cell);
    let (left, right) = (field.x + cell, field.x + field.w - cell);
    let inner = field.w - 2.0 * cell;
    svg.group("board");
    svg.rect(field, 6.0).fill(FIELD).stroke("#CDBD95", 1.0).end();
    for far in [field.x, right] {
        svg.rect(Rect::new(left, far, inner, cell), 0.0).fill(RED).set("fill-opacity", "0.14").end();
        svg.rect(Rect::new(far, left, cell, inner), 0.0).fill(BLUE).set("fill-opacity", "0.14").end();
    }
    for line in [left, right] {
        svg.line((left, line), (right, line)).stroke(RED, 2.5).end();
        svg.line((line, left), (line, right)).stroke(BLUE, 2.5).end();
    }
    svg.close();
    svg.tag("g").set("class", "goals").set("text-anchor", "middle").open();
    let (middle, far) = (field.x + field.w / 2.0, field.x + field.w + MARGIN);
    for at in [14.0, far - 14.0] {
        svg.label((middle, at), 12.5, RED).set("font-weight", "600").text("top-bottom");
        let turn = format!("rotate(-90 {at} {middle})");
        svg.label((at, middle), 12.5, BLUE).set("font-weight", "600").set("transform", &turn).text("left-right");
    }
    svg.close();
}

fn peg(svg: &mut Svg, (x, y): Point, r: f64, red: bool) {
    look::shadow(svg, (x + 0.5, y + 0.15 * r), 1.25 * r, 1.25 * r);
    if red {
        svg.circle((x, y), r).fill("url(#qd-red)").stroke("#5E110C", 1.0).end();
    } else {
        let d = 0.92 * r;
        svg.rect(Rect::new(x - d, y - d, 2.0 * d, 2.0 * d), 0.2 * r).fill("url(#qd-blue)").stroke("#00293F", 1.0).end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<char>> {
        parse::rows(text, ".rb#").unwrap()
    }

    #[test]
    fn links_are_sorted_and_checked() {
        let rows = rows("r.../..b./.rr./b..r");
        assert_eq!(read_links("-", &rows), Ok(vec![]));
        assert_eq!(read_links("b3a1", &rows), Ok(vec![((0, 0), (1, 2))]));
        for (bad, why) in [
            ("", "a link is two holes"),
            ("a1", "a link is two holes"),
            ("a1b3x", "a link is two holes"),
            ("a1b3,", "a link is two holes"),
            ("a1b2", "a peg at both ends"),
            ("a1z9", "a peg at both ends"),
            ("c2a4", "knight"),
            ("a4b3", "two colours"),
            ("b3c3", "knight"),
        ] {
            let error = read_links(bad, &rows).unwrap_err().to_string();
            assert!(error.contains(why), "{bad}: {error}");
        }
    }

    #[test]
    fn swap_marks_the_only_peg() {
        assert_eq!(read_move("swap", &rows("#..#/..b./..../#..#")), Ok(Some((2, 1))));
        assert_eq!(read_move("SWAP", &rows("#..#/.rb./..../#..#")), Ok(None));
        assert_eq!(read_move("b2", &rows("#..#/.rb./..../#..#")), Ok(Some((1, 1))));
        assert!(read_move("a1", &rows("#..#/.rb./..../#..#")).is_err());
        assert!(read_move("e1", &rows("#..#/.rb./..../#..#")).is_err());
    }

    #[test]
    fn labels_can_be_read() {
        for text in [CREAM.text, RED, BLUE] {
            assert!(look::contrast(text, CREAM.fill) >= 4.5, "{text}");
        }
        assert!(look::contrast("#84755A", FIELD) >= 3.0);
    }
}
