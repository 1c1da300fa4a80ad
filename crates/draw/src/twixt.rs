//! TwixT: a cream board with holes, round red pegs with solid links, square black pegs with double links.

use quintet_game::text::cell_name;
use quintet_game::twixt::PAD;
use quintet_game::{Line, Player, twixt};

use crate::facts::{Facts, count, wrap};
use crate::look::{self, CAPTION, Cell, Frame, GREEN, INK};
use crate::svg::{Point, Rect, Svg};
use crate::term::{self, Grid, Ink};
use crate::{Board, Drawn};

struct Twixt {
    rows: Vec<Vec<char>>,
    links: Vec<[Cell; 2]>,
    last: Option<Cell>,
    wins: Vec<Vec<Cell>>,
    facts: Facts,
}

impl<const W: usize, const B: usize> Drawn for twixt::Twixt<W, B> {
    fn board(line: &Line<Self>, facts: Facts) -> Box<dyn Board> {
        let (game, position) = (line.game(), line.position());
        let is_hole = |x, y| Player::BOTH.iter().any(|player| game.open_rows(*player)[y + PAD] >> (x + PAD) & 1 == 1);
        let letter = |x, y| match position.peg(x, y) {
            Some(Player::First) => 'r',
            Some(Player::Second) => 'b',
            None if is_hole(x, y) => '.',
            None => '#',
        };
        let size = game.size();
        let rows: Vec<Vec<char>> = (0..size).map(|y| (0..size).map(|x| letter(x, y)).collect()).collect();
        let cells = || (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        // After a swap the only peg on the board is the one that was taken over.
        let only_peg = || cells().find(|&(x, y)| position.peg(x, y).is_some());
        let last = line.moves().next_back().and_then(|mv| mv.hole().or_else(only_peg));
        let links = game.links(position);
        let on = |c| cells().filter(|&(x, y)| rows[y][x] == c).count();
        let [red, black] = facts.sides;
        let pieces = format!(
            "{}, {} and {}; {red} joins top and bottom, {black} joins left and right",
            count(on('r'), &format!("{red} peg")),
            count(on('b'), &format!("{black} peg")),
            count(links.len(), "link")
        );
        let facts = facts.with(&format!(" {size} x {size}"), pieces);
        Box::new(Twixt { rows, links, last, wins: facts.winning_cells(), facts })
    }
}

impl Twixt {
    fn at(&self, (x, y): Cell) -> char {
        self.rows[y][x]
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        let size = self.rows.len();
        (0..size).flat_map(move |y| (0..size).map(move |x| (x, y)))
    }
}

/// The cream plate that the board lies on.
const CREAM: Frame = Frame { fill: "#EBE1CA", edge: "#B9A67C", text: "#3A3226", chip: FIELD };
const FIELD: &str = "#F6EFDF";
const RED: &str = "#B3261E";
const BLACK: &str = "#1B1E22";
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
        look::caption(&mut svg, &self.facts, &CREAM, strip, |svg, at| {
            peg(svg, at, 8.0, self.facts.mover == Player::First)
        });
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
            let own = self.links.iter().filter(|[a, _]| self.at(*a) == c);
            let list: Vec<String> = own.map(|link| link.map(|(x, y)| cell_name(x, y)).join("-")).collect();
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
            let chain = self.links.iter().filter(|link| link.iter().all(|end| win.contains(end)));
            let mut line: String = chain.map(|link| look::polyline(&link.map(|end| plan.at(end)))).collect();
            line.extend(win.iter().map(|&cell| look::polyline(&[plan.at(cell), plan.at(cell)])));
            svg.group("win");
            for (colour, width) in [(INK, 0.8 * plan.cell + 2.0), (GREEN, 0.8 * plan.cell)] {
                svg.path(&line).fill("none").stroke(colour, width).set("stroke-linecap", "round").end();
            }
            svg.close();
        }
        svg.group("links");
        for &[a, b] in &self.links {
            let red = self.at(a) == 'r';
            let (a, b) = (plan.at(a), plan.at(b));
            let strokes = [(FIELD, thick + 3.0), (if red { RED } else { BLACK }, thick), (FIELD, 0.36 * thick)];
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
        svg.rect(Rect::new(far, left, cell, inner), 0.0).fill(BLACK).set("fill-opacity", "0.14").end();
    }
    for line in [left, right] {
        svg.line((left, line), (right, line)).stroke(RED, 2.5).end();
        svg.line((line, left), (line, right)).stroke(BLACK, 2.5).end();
    }
    svg.close();
    svg.tag("g").set("class", "goals").set("text-anchor", "middle").open();
    let (middle, far) = (field.x + field.w / 2.0, field.x + field.w + MARGIN);
    for at in [14.0, far - 14.0] {
        svg.label((middle, at), 12.5, RED).set("font-weight", "600").text("top-bottom");
        let turn = format!("rotate(-90 {at} {middle})");
        svg.label((at, middle), 12.5, BLACK).set("font-weight", "600").set("transform", &turn).text("left-right");
    }
    svg.close();
}

fn peg(svg: &mut Svg, (x, y): Point, r: f64, red: bool) {
    look::shadow(svg, (x + 0.5, y + 0.15 * r), 1.25 * r, 1.25 * r);
    if red {
        svg.circle((x, y), r).fill("url(#qd-red)").stroke("#5E110C", 1.0).end();
    } else {
        let d = 0.92 * r;
        svg.rect(Rect::new(x - d, y - d, 2.0 * d, 2.0 * d), 0.2 * r)
            .fill("url(#qd-black)")
            .stroke("#000000", 1.0)
            .end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_can_be_read() {
        for text in [CREAM.text, RED, BLACK] {
            assert!(look::contrast(text, CREAM.fill) >= 4.5, "{text}");
        }
        assert!(look::contrast("#84755A", FIELD) >= 3.0);
    }
}
