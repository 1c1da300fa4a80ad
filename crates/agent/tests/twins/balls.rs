//! Pylos' twenty features, cell by cell from the text of a position and the wording of the rules.

use quintet_game::Player;

type Cell = (usize, usize, usize);

/// A board as rows of letters, with the groups of cells that allow a take-back under its rules.
pub struct Balls {
    levels: Vec<Vec<char>>,
    groups: Vec<Vec<Cell>>,
}

fn cells(level: usize) -> impl Iterator<Item = Cell> {
    let size = 4 - level;
    (0..size * size).map(move |i| (level, i % size, i / size))
}

/// The cells that a ball rests on: the square below it.
fn below((level, x, y): Cell) -> Vec<Cell> {
    match level.checked_sub(1) {
        Some(under) => [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| (under, x + dx, y + dy)).to_vec(),
        None => Vec::new(),
    }
}

impl Balls {
    /// The rules are identified by their name in the spec: `children` has no take-backs, the expert rules also have lines.
    pub fn new(text: &str, spec: &str) -> Balls {
        let board = text.split(' ').next().unwrap();
        let levels = board.split('/').map(|level| level.chars().collect()).collect();
        let mut groups: Vec<Vec<Cell>> = Vec::new();
        if !spec.contains("children") {
            groups.extend((1..4).flat_map(cells).map(below));
        }
        if spec.contains("expert") {
            for (level, size) in [(0, 4), (1, 3)] {
                groups.extend((0..size).map(|y| (0..size).map(|x| (level, x, y)).collect()));
                groups.extend((0..size).map(|x| (0..size).map(|y| (level, x, y)).collect()));
                if spec.contains("diag") {
                    groups.push((0..size).map(|i| (level, i, i)).collect());
                    groups.push((0..size).map(|i| (level, i, size - 1 - i)).collect());
                }
            }
        }
        Balls { levels, groups }
    }

    fn at(&self, (level, x, y): Cell) -> char {
        self.levels[level][(4 - level) * y + x]
    }

    /// The value of the feature with this name for a player.
    pub fn count(&self, name: &str, player: Player) -> usize {
        let letter = ['L', 'D'][player.index()];
        let own = |cell: &Cell| self.at(*cell) == letter;
        let rims = |(level, x, y): Cell| [x, y].iter().filter(|c| **c == 0 || **c == 3 - level).count();
        let of_kind = |level: usize, rim: usize| cells(level).filter(|c| own(c) && rims(*c) == rim).count();
        match name {
            "Corner1" => of_kind(0, 2),
            "Edge1" => of_kind(0, 1),
            "Inner1" => of_kind(0, 0),
            "Corner2" => of_kind(1, 2),
            "Edge2" => of_kind(1, 1),
            "Middle2" => of_kind(1, 0),
            "Level3" => cells(2).filter(own).count(),
            "Free" => {
                let carries =
                    |cell: Cell| (1..4).flat_map(cells).any(|c| self.at(c) != '.' && below(c).contains(&cell));
                (0..4).flat_map(cells).filter(|cell| own(cell) && !carries(*cell)).count()
            }
            "Squares" => (1..4).flat_map(cells).filter(|cell| below(*cell).iter().all(own)).count(),
            "Earning" => {
                let rests = |cell: Cell| below(cell).iter().all(|under| self.at(*under) != '.');
                let completes = |cell: Cell| {
                    let rest = |group: &Vec<Cell>| group.iter().all(|c| *c == cell || own(c));
                    self.groups.iter().any(|group| group.contains(&cell) && rest(group))
                };
                let open = (0..4).flat_map(cells).filter(|cell| self.at(*cell) == '.' && rests(*cell));
                open.filter(|cell| completes(*cell)).count()
            }
            _ => panic!("no feature is called {name}"),
        }
    }
}
