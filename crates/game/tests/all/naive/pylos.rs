//! Pylos.

use super::{Naive, Spec, cell_name};

/// A cell as (level, column, row), all counted from 0.
type Cell = (usize, usize, usize);

/// A game of Pylos in progress.
#[derive(Clone)]
pub struct Pylos {
    /// A player whose turn ends with an empty reserve loses (`end=spent`).
    spent_loses: bool,
    /// The first take-back is compulsory (`takeback=forced`).
    forced: bool,
    /// The sets of cells that earn a take-back when filled with one colour.
    patterns: Vec<Vec<Cell>>,
    board: Board,
    /// The colour of the side to move, `L` or `D`.
    side: char,
    /// The text of every position so far, including the start and the current one.
    history: Vec<String>,
}

/// The balls, `board[level][column][row]`: `L`, `D` or `.`; a level uses only its first cells.
#[derive(Clone, Copy)]
struct Board([[[char; 4]; 4]; 4]);

/// A move: a ball raised or from the reserve, its target, and the cells taken back in any order.
struct Move {
    from: Option<Cell>,
    to: Cell,
    taken: Vec<Cell>,
}

/// All 30 cells, level by level, row by row.
fn cells() -> Vec<Cell> {
    let mut all = Vec::new();
    for level in 0..4 {
        for row in 0..4 - level {
            for col in 0..4 - level {
                all.push((level, col, row));
            }
        }
    }
    all
}

/// The 2x2 square of a level with this top left cell.
fn square((level, col, row): Cell) -> Vec<Cell> {
    vec![(level, col, row), (level, col + 1, row), (level, col, row + 1), (level, col + 1, row + 1)]
}

/// The patterns of a rule set; each later set includes the earlier ones.
fn patterns(rules: &str) -> Vec<Vec<Cell>> {
    let mut found = Vec::new();
    if rules == "children" {
        return found;
    }
    // Under every cell above the first level lies a square, and there are no other squares.
    for (level, col, row) in cells() {
        if level > 0 {
            found.push(square((level - 1, col, row)));
        }
    }
    if rules == "standard" {
        return found;
    }
    for level in [0, 1] {
        let size = 4 - level;
        for k in 0..size {
            found.push((0..size).map(|i| (level, i, k)).collect());
            found.push((0..size).map(|i| (level, k, i)).collect());
        }
        if rules == "expert-diag" {
            found.push((0..size).map(|i| (level, i, i)).collect());
            found.push((0..size).map(|i| (level, i, size - 1 - i)).collect());
        }
    }
    found
}

impl Board {
    fn at(&self, (level, col, row): Cell) -> char {
        self.0[level][col][row]
    }

    /// The same board with one cell changed.
    fn with(&self, (level, col, row): Cell, ball: char) -> Board {
        let mut board = *self;
        board.0[level][col][row] = ball;
        board
    }

    /// Whether a cell is empty and a ball can lie there.
    fn is_open(&self, cell: Cell) -> bool {
        let (level, col, row) = cell;
        let supported = level == 0 || square((level - 1, col, row)).iter().all(|&under| self.at(under) != '.');
        self.at(cell) == '.' && supported
    }

    /// The balls of a colour that support nothing.
    fn loose(&self, colour: char) -> Vec<Cell> {
        let supports = |cell: Cell, (level, col, row): Cell| {
            level > 0 && self.at((level, col, row)) != '.' && square((level - 1, col, row)).contains(&cell)
        };
        let mut found = cells();
        found.retain(|&cell| self.at(cell) == colour);
        found.retain(|&cell| cells().iter().all(|&upper| !supports(cell, upper)));
        found
    }

    /// How many of the fifteen balls a player has left.
    fn reserve(&self, colour: char) -> usize {
        15 - cells().iter().filter(|&&cell| self.at(cell) == colour).count()
    }
}

impl Move {
    fn text(&self) -> String {
        let name = |(level, col, row): Cell| format!("{}{}", level + 1, cell_name(col, row));
        let mut text = self.from.map_or(String::new(), |from| name(from) + "^");
        text += &name(self.to);
        // Of two, the higher level comes first, then the row, then the column.
        let mut taken = self.taken.clone();
        taken.sort_by_key(|&(level, col, row)| (3 - level, row, col));
        for cell in taken {
            text = text + "-" + &name(cell);
        }
        text
    }
}

impl Pylos {
    /// The start.
    pub fn new(spec: &mut Spec) -> Pylos {
        let rules = spec.word("rules", &["standard", "children", "expert", "expert-diag"]);
        let mut game = Pylos {
            spent_loses: spec.word("end", &["stuck", "spent"]) == "spent",
            forced: spec.word("takeback", &["forced", "free"]) == "forced",
            patterns: patterns(rules),
            board: Board([[['.'; 4]; 4]; 4]),
            side: 'L',
            history: Vec::new(),
        };
        game.history.push(game.position());
        game
    }

    fn opponent(&self) -> char {
        if self.side == 'L' { 'D' } else { 'L' }
    }

    /// All moves of the side to move by the movement rules, even if the game is over.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.board.reserve(self.side) > 0 {
            for to in cells() {
                if self.board.is_open(to) {
                    self.add_with_taken(None, to, &mut moves);
                }
            }
        }
        for from in self.board.loose(self.side) {
            let lifted = self.board.with(from, '.');
            for to in cells() {
                if to.0 > from.0 && lifted.is_open(to) {
                    self.add_with_taken(Some(from), to, &mut moves);
                }
            }
        }
        moves
    }

    /// The board after the first half of a move, before anything is taken back.
    fn moved(&self, from: Option<Cell>, to: Cell) -> Board {
        let lifted = from.map_or(self.board, |from| self.board.with(from, '.'));
        lifted.with(to, self.side)
    }

    /// Adds a move once for every set of cells that can be taken back after it.
    fn add_with_taken(&self, from: Option<Cell>, to: Cell, moves: &mut Vec<Move>) {
        let board = self.moved(from, to);
        let is_own = |&cell: &Cell| board.at(cell) == self.side;
        let completed = self.patterns.iter().any(|pattern| pattern.contains(&to) && pattern.iter().all(is_own));
        if !completed || !self.forced {
            moves.push(Move { from, to, taken: vec![] });
        }
        if !completed {
            return;
        }
        let mut pairs = Vec::new();
        for one in board.loose(self.side) {
            moves.push(Move { from, to, taken: vec![one] });
            // The second is looked for after the first is gone, which may have freed it. Two balls that can
            // go in either order are one set.
            for two in board.with(one, '.').loose(self.side) {
                if !pairs.contains(&(two, one)) {
                    pairs.push((one, two));
                }
            }
        }
        for (one, two) in pairs {
            moves.push(Move { from, to, taken: vec![one, two] });
        }
    }
}

impl Naive for Pylos {
    fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.moves().iter().map(Move::text).collect()
    }

    fn play(&mut self, mv: &str) {
        assert!(self.outcome().is_none(), "{mv} after the end in {}", self.position());
        let found = self.moves().into_iter().find(|legal| legal.text() == mv);
        let Some(Move { from, to, taken }) = found else {
            panic!("{mv} in {}", self.position());
        };
        self.board = self.moved(from, to);
        for cell in taken {
            self.board = self.board.with(cell, '.');
        }
        self.side = self.opponent();
        self.history.push(self.position());
    }

    fn outcome(&self) -> Option<&'static str> {
        let wins = |colour: char| Some(if colour == 'L' { "first" } else { "second" });
        let apex = self.board.at((3, 0, 0));
        if apex != '.' {
            return wins(apex);
        }
        // The player whose turn has just ended is the one not to move.
        if self.spent_loses && self.board.reserve(self.opponent()) == 0 {
            return wins(self.side);
        }
        let now = self.position();
        if self.history.iter().filter(|&past| *past == now).count() >= 3 {
            return Some("draw");
        }
        if self.moves().is_empty() {
            return wins(self.opponent());
        }
        None
    }

    fn position(&self) -> String {
        let mut text = String::new();
        for cell in cells() {
            // A new level begins at its top left cell.
            if cell.0 > 0 && (cell.1, cell.2) == (0, 0) {
                text.push('/');
            }
            text.push(self.board.at(cell));
        }
        format!("{text} {}", self.side.to_ascii_lowercase())
    }
}
