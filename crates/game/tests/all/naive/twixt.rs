//! TwixT.

use super::{Naive, Spec, cell_name, parse_cell, rows_text};

/// A hole as (column, row), counted from 0.
type Hole = (usize, usize);

/// A game of TwixT in progress.
#[derive(Clone)]
pub struct Twixt {
    size: usize,
    /// A player's own links may cross each other (`rules=pp`).
    own_may_cross: bool,
    /// `mirror`, `turn` or `off`.
    swap: &'static str,
    /// `board[row][col]`: `r`, `b`, `.`, or `#` for a missing corner.
    board: Vec<Vec<char>>,
    /// All links made so far, western hole first. They cannot be worked out from the pegs: a link
    /// that was blocked when its second peg came is never made later.
    links: Vec<(Hole, Hole)>,
    /// Moves played, a swap included.
    played: usize,
}

/// On which side of the line from `a` to `b` the hole `c` lies: the sign of a cross product.
fn side_of(a: Hole, b: Hole, c: Hole) -> i32 {
    let minus = |p: usize, q: usize| p as i32 - q as i32;
    let cross = minus(b.0, a.0) * minus(c.1, a.1) - minus(b.1, a.1) * minus(c.0, a.0);
    cross.signum()
}

/// Whether two links cross in the plane. Links that only share an end do not.
fn cross((a, b): (Hole, Hole), (c, d): (Hole, Hole)) -> bool {
    side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0
}

impl Twixt {
    /// The start.
    pub fn new(spec: &mut Spec) -> Twixt {
        let size = spec.number("size", 12, 3, 24);
        let rules = spec.word("rules", &["standard", "pp", "paper"]);
        let swap = match rules {
            "paper" => spec.word("swap", &["off", "mirror", "turn"]),
            _ => spec.word("swap", &["mirror", "turn", "off"]),
        };
        let mut board = vec![vec!['.'; size]; size];
        if rules != "paper" {
            for (col, row) in [(0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)] {
                board[row][col] = '#';
            }
        }
        Twixt { size, own_may_cross: rules == "pp", swap, board, links: Vec::new(), played: 0 }
    }

    fn side(&self) -> char {
        if self.played.is_multiple_of(2) { 'r' } else { 'b' }
    }

    /// All holes of the square board, row by row, including missing corners.
    fn all_holes(&self) -> Vec<Hole> {
        let mut all = Vec::new();
        for row in 0..self.size {
            for col in 0..self.size {
                all.push((col, row));
            }
        }
        all
    }

    fn at(&self, (col, row): Hole) -> char {
        self.board[row][col]
    }

    /// Whether a hole is on one of the two border lines that a colour connects.
    fn on_border_of(&self, (col, row): Hole, colour: char) -> bool {
        let along = if colour == 'r' { row } else { col };
        along == 0 || along == self.size - 1
    }

    /// The empty holes that the side to move may enter.
    fn open_holes(&self) -> Vec<Hole> {
        let own = self.side();
        let other = if own == 'r' { 'b' } else { 'r' };
        let mut open = self.all_holes();
        open.retain(|&hole| self.at(hole) == '.');
        // A corner is on the lines of both; where it is a hole, it is open to both.
        open.retain(|&hole| !self.on_border_of(hole, other) || self.on_border_of(hole, own));
        open
    }

    /// Where the first peg stands after a swap; `None` if a swap is not allowed now.
    fn swap_image(&self) -> Option<Hole> {
        if self.played != 1 || self.swap == "off" {
            return None;
        }
        let holes = self.all_holes();
        let peg = *holes.iter().find(|&&hole| self.at(hole) == 'r').expect("the first peg");
        let (col, row) = peg;
        if self.swap == "mirror" {
            return Some((row, col));
        }
        // The board turned clockwise; this kind of swap is not offered for a peg on a border line.
        let on_border = self.on_border_of(peg, 'r') || self.on_border_of(peg, 'b');
        (!on_border).then_some((self.size - 1 - row, col))
    }

    /// Puts a peg and makes every link that is not blocked.
    fn put(&mut self, hole: Hole, colour: char) {
        self.board[hole.1][hole.0] = colour;
        for other in self.all_holes() {
            let (dx, dy) = (hole.0.abs_diff(other.0), hole.1.abs_diff(other.1));
            let knights_move = (dx, dy) == (1, 2) || (dx, dy) == (2, 1);
            if !knights_move || self.at(other) != colour {
                continue;
            }
            // Tuples compare by column first, so the western hole is the smaller one.
            let link = (hole.min(other), hole.max(other));
            let blocked = self.links.iter().any(|&old| {
                let own = self.at(old.0) == colour;
                cross(old, link) && !(own && self.own_may_cross)
            });
            if !blocked {
                self.links.push(link);
            }
        }
    }

    /// Whether a chain of linked pegs connects the two border lines of a colour.
    fn joined(&self, colour: char) -> bool {
        let along = |(col, row): Hole| if colour == 'r' { row } else { col };
        let mut todo = self.all_holes();
        todo.retain(|&hole| self.at(hole) == colour && along(hole) == 0);
        let mut reached = todo.clone();
        while let Some(hole) = todo.pop() {
            if along(hole) == self.size - 1 {
                return true;
            }
            for &(west, east) in &self.links {
                for (here, there) in [(west, east), (east, west)] {
                    if here == hole && !reached.contains(&there) {
                        reached.push(there);
                        todo.push(there);
                    }
                }
            }
        }
        false
    }
}

impl Naive for Twixt {
    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let holes = self.open_holes();
        let mut moves: Vec<String> = holes.iter().map(|&(col, row)| cell_name(col, row)).collect();
        if self.swap_image().is_some() {
            moves.push("swap".to_string());
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|legal| legal == mv), "{mv} in {}", self.position());
        if mv == "swap" {
            let image = self.swap_image().expect("a swap");
            for cell in self.board.iter_mut().flatten() {
                if *cell == 'r' {
                    *cell = '.';
                }
            }
            self.put(image, 'b');
        } else {
            self.put(parse_cell(mv), self.side());
        }
        self.played += 1;
    }

    fn outcome(&self) -> Option<&'static str> {
        if self.joined('r') {
            return Some("first");
        }
        if self.joined('b') {
            return Some("second");
        }
        let stuck = self.open_holes().is_empty() && self.swap_image().is_none();
        stuck.then_some("draw")
    }

    fn position(&self) -> String {
        // By column, then by row as a number (c9 before c10), western hole before eastern.
        let mut links = self.links.clone();
        links.sort();
        let name = |(col, row): Hole| cell_name(col, row);
        let links: Vec<String> = links.iter().map(|&(a, b)| name(a) + &name(b)).collect();
        let links = if links.is_empty() { "-".to_string() } else { links.join(",") };
        format!("{} {links} {}", rows_text(&self.board), self.side())
    }
}
