//! The evaluations as the papers describe them, on a board of characters.

use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Notation, Player};

pub type Cells = [[char; 6]; 6];

/// The board from `view`: X mine, o the other's, - empty.
pub fn cells(game: &Pentago, pos: &Position, view: Player) -> Cells {
    let text = game.write_position(pos);
    let mine = ['x', 'o'][view.index()];
    let mut cells = [['-'; 6]; 6];
    for (y, row) in text.split(' ').next().unwrap().split('/').enumerate() {
        for (x, c) in row.chars().enumerate() {
            cells[y][x] = if c == '.' { '-' } else { ['o', 'X'][usize::from(c == mine)] };
        }
    }
    cells
}

/// The longest lines in a direction, as texts, down and to the right.
fn all(cells: &Cells, (dx, dy): (i32, i32)) -> Vec<String> {
    let on = |x: i32, y: i32| (0..6).contains(&x) && (0..6).contains(&y);
    let starts = (0..36).map(|i| (i % 6, i / 6)).filter(|(x, y)| !on(x - dx, y - dy));
    let line = |(x, y)| {
        let along = (0..6).map(|k| (x + k * dx, y + k * dy)).filter(|(x, y)| on(*x, *y));
        along.map(|(x, y): (i32, i32)| cells[y as usize][x as usize]).collect()
    };
    starts.map(line).collect()
}

pub fn rows(cells: &Cells) -> Vec<String> {
    all(cells, (1, 0))
}

pub fn columns(cells: &Cells) -> Vec<String> {
    all(cells, (0, 1))
}

pub fn diagonals(cells: &Cells) -> Vec<String> {
    let mut lines = all(cells, (1, 1));
    lines.extend(all(cells, (-1, 1)));
    lines.retain(|line| line.len() >= 5);
    lines
}

/// The 18 lines on which runs are counted.
pub fn lines(cells: &Cells) -> Vec<String> {
    [rows(cells), columns(cells), diagonals(cells)].concat()
}

pub fn runs(line: &str) -> Vec<usize> {
    line.split(|c| c != 'X').map(str::len).filter(|n| *n > 0).collect()
}

pub fn longest(lines: &[String]) -> usize {
    lines.iter().flat_map(|line| runs(line)).max().unwrap_or(0)
}

/// The longest run whose marbles all lie in five cells in a row without an o.
pub fn longest_open(lines: &[String]) -> usize {
    let of_line = |line: &String| {
        let cells: Vec<char> = line.chars().collect();
        let open =
            |at: usize| (0..=cells.len() - 5).any(|k| (k..k + 5).contains(&at) && !cells[k..k + 5].contains(&'o'));
        let text: String = (0..cells.len()).map(|at| if open(at) { cells[at] } else { '.' }).collect();
        runs(&text).into_iter().max().unwrap_or(0)
    };
    lines.iter().map(of_line).max().unwrap_or(0)
}

pub fn five(cells: &Cells) -> bool {
    longest(&lines(cells)) >= 5
}

pub fn flipped(cells: &Cells) -> Cells {
    cells.map(|row| row.map(|c| ['-', 'X', 'o']["-oX".find(c).unwrap()]))
}

#[derive(Clone, Copy, Debug)]
pub struct E3 {
    pub a: f64,
    pub b: f64,
    pub programmed: bool,
    pub linear: bool,
    pub diag: f64,
    pub patterns: bool,
    /// Runs count only in five cells without an o.
    pub open: bool,
}

impl E3 {
    pub fn value(&self, mine: &Cells, first_is_mine: bool) -> f64 {
        let yours = flipped(mine);
        self.a * self.f(mine, first_is_mine) - self.b * self.f(&yours, !first_is_mine)
    }

    fn f(&self, mine: &Cells, first_is_mine: bool) -> f64 {
        let pattern = if self.patterns { pattern(mine, first_is_mine) } else { None };
        let pattern = pattern.map(|own| if own { 70.0 } else { -70.0 });
        let mut diagonals = diagonals(mine);
        let short = longest(&diagonals.clone().into_iter().filter(|line| line.len() == 5).collect::<Vec<_>>());
        diagonals.retain(|line| line.len() == 6);
        let longest = |lines: &[String]| if self.open { longest_open(lines) } else { longest(lines) };
        let lengths =
            [longest(&rows(mine)), longest(&columns(mine)), longest(&diagonals[..1]), longest(&diagonals[1..])];
        let worth = |n: usize| {
            let n = if self.programmed && n == 1 { 0 } else { n };
            if self.linear { n as f64 } else { [1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0][n] }
        };
        let [h, v, d1, d2] = lengths.map(worth);
        let any_five = lengths.iter().any(|n| *n >= 5);
        if self.programmed {
            let sum = h + v + (self.diag * d1).floor() + (self.diag * d2).floor();
            2.0 * pattern.unwrap_or(if any_five || short >= 5 { 1000.0 } else { sum })
        } else if any_five {
            1000.0
        } else {
            pattern.unwrap_or(h + v + self.diag * d1 + self.diag * d2)
        }
    }
}

/// Is the first pattern mine?
pub fn pattern(mine: &Cells, first_is_mine: bool) -> Option<bool> {
    let yours = flipped(mine);
    for i in 0..6 {
        for lines in [rows, columns] {
            for first in [true, false] {
                let own = first == first_is_mine;
                if has_pattern(&lines(if own { mine } else { &yours })[i]) {
                    return Some(own);
                }
            }
        }
    }
    None
}

pub fn has_pattern(line: &str) -> bool {
    ["-XXXX-", "XX-XX-", "XX-XXX", "-XX-XX", "XXX-XX"].contains(&line)
}

/// The result of a spin of a quadrant, by its letter in the notation.
pub fn spin(cells: &Cells, quadrant: usize, letter: char) -> Cells {
    let (left, top) = (3 * (quadrant % 2), 3 * (quadrant / 2));
    let mut spun = *cells;
    for y in 0..3 {
        for x in 0..3 {
            let (to_x, to_y) = match letter {
                'r' => (2 - y, x),
                'l' => (y, 2 - x),
                _ => (2 - x, y),
            };
            spun[top + to_y][left + to_x] = cells[top + y][left + x];
        }
    }
    spun
}

/// The 17 features of the side X.
pub fn side(cells: &Cells, letters: [char; 2]) -> [usize; 17] {
    let lines = lines(cells);
    let count = |text: &str, c: char| text.chars().filter(|d| *d == c).count();
    let fives: Vec<&str> = lines.iter().flat_map(|line| (0..=line.len() - 5).map(|i| &line[i..i + 5])).collect();
    let open = |n| fives.iter().filter(|five| count(five, 'X') == n && count(five, '-') == 5 - n).count();
    let run = |n| lines.iter().flat_map(|line| runs(line)).filter(|run| *run == n).count();
    let turns = (0..8).filter(|i| five(&spin(cells, i / 2, letters[i % 2]))).count();
    let on = |names: &str| {
        let at = |name: &str| cells[name.as_bytes()[1] as usize - 49][name.as_bytes()[0] as usize - 97];
        names.split(' ').filter(|name| at(name) == 'X').count()
    };
    let edge = on("b1 c1 d1 e1 b6 c6 d6 e6 a2 a3 a4 a5 f2 f3 f4 f5");
    let mut small = Vec::new();
    let mut in_quadrant = [0; 4];
    for (quadrant, most) in in_quadrant.iter_mut().enumerate() {
        let (left, top) = (3 * (quadrant % 2), 3 * (quadrant / 2));
        let at = |x: usize, y: usize| cells[top + y][left + x];
        let text = |line: [char; 3]| line.into_iter().collect::<String>();
        for i in 0..3 {
            small.push(text([at(0, i), at(1, i), at(2, i)]));
            small.push(text([at(i, 0), at(i, 1), at(i, 2)]));
            *most += count(&text([at(0, i), at(1, i), at(2, i)]), 'X');
        }
        small.push(text([at(0, 0), at(1, 1), at(2, 2)]));
        small.push(text([at(2, 0), at(1, 1), at(0, 2)]));
    }
    let quad2 = small.iter().filter(|line| count(line, 'X') == 2 && count(line, '-') == 1).count();
    let (rows, columns) = (rows(cells), columns(cells));
    let middles = [&rows[1], &rows[4], &columns[1], &columns[4]];
    let mid = middles.iter().filter(|line| count(line, 'o') == 0).map(|line| count(line, 'X')).max();
    [
        fives.iter().filter(|five| **five == "XXXXX").count(),
        run(4),
        run(3),
        run(2),
        open(4),
        open(3),
        open(2),
        turns,
        longest(&lines),
        on("a1 f1 a6 f6"),
        on("b2 e2 b5 e5"),
        on("c3 d3 c4 d4"),
        edge,
        small.iter().filter(|line| *line == "XXX").count(),
        quad2,
        in_quadrant.into_iter().max().unwrap(),
        mid.unwrap_or(0),
    ]
}
