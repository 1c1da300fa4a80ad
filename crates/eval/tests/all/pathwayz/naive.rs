//! The features of Pathwayz written straight from the paper's definitions, on plain arrays: the slow twin of the bitboards.

use std::collections::{BTreeMap, BTreeSet};

use quintet_game::pathwayz::{Pathwayz, Position};
use quintet_game::{Notation, Player};

type Cell = (usize, usize);
type Squares = BTreeSet<Cell>;

/// A board as rows of `.wbWB`, read off the position's text.
struct Board {
    cells: Vec<Vec<char>>,
}

impl Board {
    fn rows(&self) -> usize {
        self.cells.len()
    }

    fn columns(&self) -> usize {
        self.cells[0].len()
    }

    fn all(&self) -> Vec<Cell> {
        (0..self.rows()).flat_map(|y| (0..self.columns()).map(move |x| (y, x))).collect()
    }

    fn at(&self, (y, x): Cell) -> char {
        self.cells[y][x]
    }

    fn neighbours(&self, (y, x): Cell) -> Vec<Cell> {
        let near = |a: usize, b: usize| a.abs_diff(b) <= 1;
        self.all().into_iter().filter(|&cell| cell != (y, x) && near(cell.0, y) && near(cell.1, x)).collect()
    }

    fn empties(&self, cell: Cell) -> usize {
        self.neighbours(cell).into_iter().filter(|near| self.at(*near) == '.').count()
    }

    fn pieces(&self, colour: char) -> Squares {
        self.all().into_iter().filter(|cell| self.at(*cell).to_ascii_lowercase() == colour).collect()
    }

    fn group(&self, set: &Squares, from: Cell) -> Squares {
        let mut group = Squares::from([from]);
        let mut queue = vec![from];
        while let Some(cell) = queue.pop() {
            for near in self.neighbours(cell) {
                if set.contains(&near) && group.insert(near) {
                    queue.push(near);
                }
            }
        }
        group
    }

    fn groups(&self, set: &Squares) -> Vec<Squares> {
        let mut groups: Vec<Squares> = Vec::new();
        for &cell in set {
            if !groups.iter().any(|group| group.contains(&cell)) {
                groups.push(self.group(set, cell));
            }
        }
        groups
    }

    fn longest(&self, set: &Squares) -> usize {
        self.groups(set).iter().map(width).max().unwrap_or(0)
    }

    /// The board after a permanent on `at` by the side of `colour`.
    fn with_permanent(&self, at: Cell, colour: char) -> Board {
        let mut cells = self.cells.clone();
        for (y, x) in self.neighbours(at) {
            cells[y][x] = match cells[y][x] {
                'w' => 'b',
                'b' => 'w',
                other => other,
            };
        }
        cells[at.0][at.1] = if colour == 'w' { 'B' } else { 'W' };
        Board { cells }
    }
}

fn ends(group: &Squares) -> (usize, usize) {
    let columns = || group.iter().map(|cell| cell.1);
    (columns().min().unwrap(), columns().max().unwrap())
}

fn width(group: &Squares) -> usize {
    let (left, right) = ends(group);
    right - left + 1
}

/// The features of one side, not scaled.
struct Side {
    counts: BTreeMap<String, f64>,
    lengths: BTreeMap<String, f64>,
    blocked: [bool; 2],
    turns_away: f64,
    one_turn_away: bool,
    /// Widths of all lengthening moves.
    moves: Vec<usize>,
    open: bool,
}

fn side(board: &Board, me: char, you: char) -> Side {
    let mine = board.pieces(me);
    let of = |wanted: &dyn Fn(Cell) -> bool| mine.iter().copied().filter(|cell| wanted(*cell)).collect::<Squares>();
    let regular = |cell: Cell| board.at(cell) == me;
    let perm = of(&|cell| !regular(cell) || board.empties(cell) == 0);
    let even = of(&|cell| perm.contains(&cell) || board.empties(cell) == 2);
    let safe = of(&|cell| even.contains(&cell) || board.empties(cell) >= 4);
    let mut counts = BTreeMap::from([("Perm".into(), perm.len()), ("Total".into(), mine.len())]);
    for n in 1..=8 {
        counts.insert(format!("{n}Empty"), of(&|cell| regular(cell) && board.empties(cell) == n).len());
    }
    let edge = |cell: Cell| cell.0 == 0 || cell.0 == board.rows() - 1;
    for n in 1..=4 {
        let many = |cell: Cell| regular(cell) && board.empties(cell).min(4) == n;
        counts.insert(format!("{n}EdgeEmpty"), of(&|cell| many(cell) && edge(cell)).len());
        counts.insert(format!("{n}InnerEmpty"), of(&|cell| many(cell) && !edge(cell)).len());
        let turns = board.all().into_iter().filter(|&cell| {
            let near =
                |symbol| board.neighbours(cell).into_iter().filter(|near| board.at(*near) == symbol).count() as i32;
            board.at(cell) == '.' && (near(you) - near(me)).min(4) == n as i32
        });
        counts.insert(format!("{n}Flip"), turns.count());
    }

    let longest = board.longest(&mine);
    let mut left = Squares::new();
    let mut right = Squares::new();
    for group in board.groups(&mine).iter().filter(|group| width(group) == longest) {
        let (first, last) = ends(group);
        left.extend(group.iter().filter(|cell| cell.1 == first));
        right.extend(group.iter().filter(|cell| cell.1 == last));
    }
    // Each lengthening move, (square, is it permanent): its width and the side it counts for.
    let mut moves: BTreeMap<(Cell, bool), (usize, usize)> = BTreeMap::new();
    for (which, end) in [&left, &right].into_iter().enumerate() {
        for near in end.iter().flat_map(|cell| board.neighbours(*cell)) {
            let mut found = Vec::new();
            if board.at(near) == '.' {
                found.push(((near, false), width(&board.group(&mine, near))));
            } else if board.at(near) == you {
                for place in board.neighbours(near).into_iter().filter(|place| board.at(*place) == '.') {
                    let after = board.with_permanent(place, me);
                    found.push(((place, true), width(&after.group(&after.pieces(me), near))));
                }
            }
            for (mv, width) in found.into_iter().filter(|(_, width)| *width > longest) {
                let known = moves.entry(mv).or_insert((width, which));
                known.0 = known.0.max(width);
            }
        }
    }
    let future = moves.values().map(|mv| mv.0).max().unwrap_or(longest);
    let flex = [0, 1].map(|which| moves.values().filter(|mv| mv.1 == which).count());
    let home = [left.iter().any(|cell| cell.1 == 0), right.iter().any(|cell| cell.1 == board.columns() - 1)];
    let range = longest >= 2 && longest < board.columns();
    let blocked = [0, 1].map(|which| range && flex[which] == 0 && !home[which]);
    let lengths = BTreeMap::from([
        ("LongestPath".into(), longest),
        ("LongestFuturePath".into(), future),
        ("LongestPermPath".into(), board.longest(&perm)),
        ("LongestEvenPath".into(), board.longest(&even)),
        ("LongestSafePath".into(), board.longest(&safe)),
        ("Cols".into(), (0..board.columns()).filter(|x| mine.iter().any(|cell| cell.1 == *x)).count()),
    ]);
    let float = |map: BTreeMap<String, usize>| map.into_iter().map(|(name, n)| (name, n as f64)).collect();
    Side {
        counts: float(counts),
        lengths: float(lengths),
        blocked,
        turns_away: (board.columns() - future) as f64 + 2.0 * blocked.iter().filter(|blocked| **blocked).count() as f64,
        one_turn_away: future == board.columns(),
        moves: moves.values().map(|mv| mv.0).collect(),
        open: home == [false, false],
    }
}

/// The 53 features (`large` false), or the 108 and the stage (`large` true), by name.
pub fn features(game: &Pathwayz, pos: &Position, view: Player, large: bool) -> (BTreeMap<String, f64>, &'static str) {
    let text = game.write_position(pos);
    let cells = text.split(' ').next().unwrap().split('/').map(|row| row.chars().collect()).collect();
    let board = Board { cells };
    let colours = if view == Player::First { ['w', 'b'] } else { ['b', 'w'] };
    let my = side(&board, colours[0], colours[1]);
    let your = side(&board, colours[1], colours[0]);
    let (squares, columns) = ((board.rows() * board.columns()) as f64, board.columns() as f64);
    let mut out = BTreeMap::new();
    let flag = |is: bool| f64::from(u8::from(is));
    for (of, side) in [("my", &my), ("your", &your)] {
        let longest = side.lengths["LongestPath"];
        let future = side.lengths["LongestFuturePath"];
        for (name, count) in &side.counts {
            let inner = name.strip_suffix("InnerEmpty").map(|n| format!("{n}Empty"));
            let small =
                name.starts_with(|n: char| ('5'..='8').contains(&n)) || !name.contains("Edge") && inner.is_none();
            let name = match (large, inner) {
                (true, Some(inner)) => inner,
                (true, None) if name.ends_with("Empty") && !name.contains("Edge") => continue,
                (false, _) if !small => continue,
                _ => name.clone(),
            };
            out.insert(format!("{of}{name}"), count / squares);
        }
        for (name, length) in &side.lengths {
            if large || !["LongestEvenPath", "LongestSafePath"].contains(&name.as_str()) {
                out.insert(format!("{of}{name}"), length / columns);
            }
            if name != "Cols" && (large || ["LongestPath", "LongestFuturePath"].contains(&name.as_str())) {
                out.insert(format!("{of}{name}Squared"), length * length / (columns * columns));
            }
        }
        out.insert(format!("{of}OneTurnAway"), flag(side.one_turn_away));
        let flex = side.moves.len() as f64 / squares;
        if !large {
            out.insert(format!("{of}PathFlex"), flex);
            continue;
        }
        out.insert(format!("{of}TurnsAway"), side.turns_away / columns);
        out.insert(format!("{of}TurnsAwaySquared"), (side.turns_away / columns).powi(2));
        let live = if longest == columns { 0.0 } else { longest / columns * flex };
        out.insert(format!("{of}OpenPathFlex"), if side.open { live } else { 0.0 });
        out.insert(format!("{of}ClosedPathFlex"), if side.open { 0.0 } else { live });
        let gaining = |wanted: &dyn Fn(f64) -> bool| {
            side.moves.iter().filter(|width| wanted(**width as f64 - longest)).count() as f64 / squares
        };
        out.insert(format!("{of}1PathExtension"), (longest + 1.0) / columns * gaining(&|gain| gain == 1.0));
        out.insert(format!("{of}2PathExtension"), (longest + 2.0) / columns * gaining(&|gain| gain == 2.0));
        out.insert(format!("{of}3PathExtension"), future / columns * gaining(&|gain| gain >= 3.0));
        out.insert(format!("{of}LongestExtension"), (future - longest) / columns);
    }
    shared(&my, &your, columns, large, &mut out);
    let longest = my.lengths["LongestPath"].max(your.lengths["LongestPath"]);
    let stage = if longest <= columns / 3.0 { "Early" } else { "Mid" };
    (out, if longest > columns * 2.0 / 3.0 { "End" } else { stage })
}

fn shared(my: &Side, your: &Side, columns: f64, large: bool, out: &mut BTreeMap<String, f64>) {
    let flag = |is: bool| f64::from(u8::from(is));
    let signed = |value: f64| value * value.abs();
    let differences: Vec<String> = if large {
        let names = out.keys().filter_map(|name| name.strip_prefix("my"));
        let paired = ["OneTurnAway", "TurnsAway", "Flex", "Extension"];
        names
            .filter(|name| !paired.iter().any(|pair| name.contains(pair)) && !name.contains("Squared"))
            .map(String::from)
            .collect()
    } else {
        ["LongestPath", "Perm", "Total", "LongestFuturePath"].map(String::from).into()
    };
    for name in differences {
        let difference = out[&format!("my{name}")] - out[&format!("your{name}")];
        out.insert(format!("diff{name}"), difference);
        if large && name.contains("Path") {
            out.insert(format!("diff{name}Squared"), signed(difference));
        }
    }
    let more = |name: &str| my.lengths[name] - your.lengths[name];
    out.insert("ahead".into(), flag(more("LongestPath") > 0.0));
    out.insert("futureAhead".into(), flag(more("LongestFuturePath") > 0.0));
    out.insert("onlyTurnAway".into(), flag(my.one_turn_away && !your.one_turn_away));
    out.insert("blockedMe".into(), flag(my.blocked != [false; 2]));
    out.insert("blockedYou".into(), flag(your.blocked != [false; 2]));
    if large {
        for (of, side) in [("My", my), ("Your", your)] {
            out.insert(format!("blocked{of}Left"), flag(side.blocked[0]));
            out.insert(format!("blocked{of}Right"), flag(side.blocked[1]));
        }
        out.insert("behind".into(), flag(more("LongestPath") < 0.0));
        out.insert("futureBehind".into(), flag(more("LongestFuturePath") < 0.0));
        let ahead = your.turns_away - my.turns_away;
        out.insert("turnsAhead".into(), ahead / columns);
        out.insert("turnsAheadSquared".into(), signed(ahead / columns));
        out.insert("amTurnsAhead".into(), flag(ahead > 0.0));
        out.insert("amTurnsBehind".into(), flag(ahead < 0.0));
    }
}
